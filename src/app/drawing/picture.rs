//! A sketch as a picture, for cards and previews and to measure contrasts: the same triangles as on the
//! board, without a graphics device.

use super::colours::Ink4;
use super::sketch::Sketch;
use crate::app::shell::theme::Rgb;
use bevy::math::Vec2;
use bevy_egui::egui::{Color32, ColorImage, ecolor};

/// Samples along each side of a pixel.
const SAMPLES: usize = 3;

/// A sample: red, green and blue times the opacity, and the opacity.
type Sample = [f32; 4];

/// Draws sketches, the lowest first, on a ground. The picture shows `size` cells from the upper left
/// corner `low`, each `cell` pixels wide.
pub fn picture(sketches: &[&Sketch], ground: Rgb, low: Vec2, size: Vec2, cell: f32) -> ColorImage {
    raster(sketches, super::opaque(ground), low, size, cell)
}

/// The same on nothing: where the sketch draws nothing, the picture is transparent.
pub fn sprite(sketch: &Sketch, low: Vec2, size: Vec2, cell: f32) -> ColorImage {
    raster(&[sketch], [0.0; 4], low, size, cell)
}

fn raster(sketches: &[&Sketch], ground: Sample, low: Vec2, size: Vec2, cell: f32) -> ColorImage {
    let width = ((size.x * cell).round() as usize).clamp(1, 4096);
    let height = ((size.y * cell).round() as usize).clamp(1, 4096);
    let (columns, rows) = (width * SAMPLES, height * SAMPLES);
    let mut samples = vec![ground; columns * rows];
    let scale = cell * SAMPLES as f32;
    for triangle in sketches.iter().flat_map(|sketch| sketch.triangles()) {
        fill(&mut samples, (columns, rows), triangle.map(|(at, ink)| ((at - low) * scale, ink)));
    }
    let share = 1.0 / (SAMPLES * SAMPLES) as f32;
    let pixel = |x: usize, y: usize| {
        let mut sum = [0.0_f32; 4];
        for row in 0..SAMPLES {
            let begin = (y * SAMPLES + row) * columns + x * SAMPLES;
            for sample in &samples[begin..begin + SAMPLES] {
                for (total, part) in sum.iter_mut().zip(sample) {
                    *total += part * share;
                }
            }
        }
        let [r, g, b, a] = sum;
        Color32::from(ecolor::Rgba::from_rgba_premultiplied(r, g, b, a))
    };
    let pixels = (0..width * height).map(|n| pixel(n % width, n / width)).collect();
    ColorImage::new([width, height], pixels)
}

/// Twice the area of the triangle from a side to a place, negative on the other side: exactly the opposite
/// for the same side in the other direction.
fn beyond(from: Vec2, to: Vec2, at: Vec2) -> f32 {
    let forward = (from.x, from.y) < (to.x, to.y);
    let (low, high) = if forward { (from, to) } else { (to, from) };
    let area = (high - low).perp_dot(at - low);
    if forward { area } else { -area }
}

/// Fills the samples whose middles lie inside a triangle. A border between two triangles belongs to one of
/// them, so that translucent neighbours leave no seam.
fn fill(samples: &mut [Sample], (columns, rows): (usize, usize), corners: [(Vec2, Ink4); 3]) {
    let [(a, ink_a), (mut b, mut ink_b), (mut c, mut ink_c)] = corners;
    let mut double = (b - a).perp_dot(c - a);
    if double == 0.0 || !double.is_finite() {
        return;
    }
    if double < 0.0 {
        std::mem::swap(&mut b, &mut c);
        std::mem::swap(&mut ink_b, &mut ink_c);
        double = -double;
    }
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let range = |low: f32, high: f32, most: usize| {
        (low - 0.5).ceil().clamp(0.0, most as f32) as usize
            ..(high + 0.5).floor().clamp(0.0, most as f32) as usize
    };
    let flat = ink_a == ink_b && ink_b == ink_c;
    // A sample on a border counts for the triangle that has it above or at its left.
    let owns = |from: Vec2, to: Vec2| {
        let way = to - from;
        way.y < 0.0 || (way.y == 0.0 && way.x > 0.0)
    };
    let sides = [(b, c), (c, a), (a, b)];
    let own = sides.map(|(from, to)| owns(from, to));
    for y in range(low.y, high.y, rows) {
        for x in range(low.x, high.x, columns) {
            let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let weights = sides.map(|(from, to)| beyond(from, to, at));
            if !weights.iter().zip(own).all(|(&weight, own)| weight > 0.0 || (weight == 0.0 && own))
            {
                continue;
            }
            let ink = if flat {
                ink_a
            } else {
                let [u, v, w] = weights.map(|weight| weight / double);
                std::array::from_fn(|n| u * ink_a[n] + v * ink_b[n] + w * ink_c[n])
            };
            let ([red, green, blue, opacity], sample) = (ink, &mut samples[y * columns + x]);
            for (below, above) in sample.iter_mut().zip([red, green, blue, 1.0]) {
                *below += (above - *below) * opacity;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREY: Rgb = Rgb(100, 100, 100);

    #[test]
    fn neighbours_leave_no_seam_and_do_not_overlap() {
        let mut sketch = Sketch::default();
        let veil = [0.0, 0.0, 0.0, 0.5];
        // Nine rectangles whose borders run through samples.
        for n in 0..9_u8 {
            let low = Vec2::new(f32::from(n % 3), f32::from(n / 3)) * 0.5;
            sketch.rect(low, low + 0.5, veil);
        }
        let image = picture(&[&sketch], GREY, Vec2::ZERO, Vec2::splat(1.5), 8.0);
        assert!(image.pixels.iter().all(|&pixel| pixel == image.pixels[0]), "{:?}", image.pixels);
        assert_ne!(image.pixels[0], GREY.egui());
    }

    #[test]
    fn later_shapes_lie_above_and_borders_are_smooth() {
        let mut sketch = Sketch::default();
        sketch.rect(Vec2::ZERO, Vec2::ONE, [1.0, 0.0, 0.0, 1.0]);
        sketch.rect(Vec2::ZERO, Vec2::new(0.5, 1.0), [0.0, 0.0, 1.0, 1.0]);
        let image = picture(&[&sketch], GREY, Vec2::ZERO, Vec2::ONE, 5.0);
        assert_eq!(image.size, [5, 5]);
        assert_eq!(image.pixels[0], Color32::from_rgb(0, 0, 255));
        assert_eq!(image.pixels[4], Color32::from_rgb(255, 0, 0));
        let middle = image.pixels[2];
        assert!(middle.r() > 0 && middle.b() > 0);
    }

    #[test]
    fn a_sprite_is_transparent_where_nothing_is_drawn() {
        let mut sketch = Sketch::default();
        sketch.rect(Vec2::ZERO, Vec2::new(0.5, 1.0), [1.0, 0.0, 0.0, 1.0]);
        let image = sprite(&sketch, Vec2::ZERO, Vec2::ONE, 4.0);
        assert_eq!(image.pixels[0], Color32::from_rgb(255, 0, 0));
        assert_eq!(image.pixels[3], Color32::TRANSPARENT);
    }

    #[test]
    fn what_lies_outside_is_cut_off() {
        let mut sketch = Sketch::default();
        sketch.disc(Vec2::new(-1e9, f32::NAN), 1e9, [1.0; 4]);
        sketch.rect(Vec2::splat(-100.0), Vec2::splat(100.0), [1.0; 4]);
        let image = picture(&[&sketch], GREY, Vec2::ZERO, Vec2::new(3.0, 2.0), 4.0);
        assert_eq!(image.size, [12, 8]);
        assert!(image.pixels.iter().all(|&pixel| pixel == Color32::WHITE));
    }
}
