//! A sketch as a picture, for cards and previews and to measure contrasts: the same triangles as on the
//! board, without a graphics device.

use super::colours::Ink4;
use super::sketch::Sketch;
use crate::app::shell::theme::Rgb;
use bevy::math::Vec2;
use bevy_egui::egui::{Color32, ColorImage, ecolor};
use std::ops::Range;

/// Samples along each side of a pixel.
const SAMPLES: usize = 3;

/// The most samples that are kept at once, 16 bytes each: a picture is drawn in bands of as many rows.
const MOST_SAMPLES: usize = 1 << 20;

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
    let band = (MOST_SAMPLES / (width * SAMPLES * SAMPLES)).max(1);
    let mut pixels = Vec::with_capacity(width * height);
    for top in (0..height).step_by(band) {
        let rows = top..(top + band).min(height);
        raster_band(sketches, ground, (low, cell), width, rows, &mut pixels);
    }
    ColorImage::new([width, height], pixels)
}

/// Draws some rows of a picture of this width in pixels, whose corner and pixels per cell are known.
fn raster_band(
    sketches: &[&Sketch],
    ground: Sample,
    (low, cell): (Vec2, f32),
    width: usize,
    pixel_rows: Range<usize>,
    pixels: &mut Vec<Color32>,
) {
    let columns = width * SAMPLES;
    let rows = pixel_rows.start * SAMPLES..pixel_rows.end * SAMPLES;
    let mut samples = vec![ground; columns * rows.len()];
    let scale = cell * SAMPLES as f32;
    for triangle in sketches.iter().flat_map(|sketch| sketch.triangles()) {
        let triangle = triangle.map(|(at, ink)| ((at - low) * scale, ink));
        fill(&mut samples, columns, rows.clone(), triangle);
    }
    let share = 1.0 / (SAMPLES * SAMPLES) as f32;
    let pixel = |x: usize, y: usize| {
        let mut r = 0.0_f32;
        let mut g = 0.0_f32;
        let mut b = 0.0_f32;
        let mut a = 0.0_f32;
        for row in 0..SAMPLES {
            let begin = (y * SAMPLES + row) * columns + x * SAMPLES;
            for &[red, green, blue, opacity] in &samples[begin..begin + SAMPLES] {
                (r, g, b, a) = (r + red, g + green, b + blue, a + opacity);
            }
        }
        let rgba =
            ecolor::Rgba::from_rgba_premultiplied(r * share, g * share, b * share, a * share);
        Color32::from(rgba)
    };
    pixels.extend((0..width * pixel_rows.len()).map(|n| pixel(n % width, n / width)));
}

/// A side of a triangle whose corners run clockwise as seen on the screen.
struct Side {
    low: Vec2,
    high: Vec2,
    /// 1 if it runs from low to high, in the order of x, then y, else -1.
    sign: f32,
    /// Whether a sample on it belongs to this triangle: one of two neighbours has it.
    owned: bool,
}

impl Side {
    fn new(from: Vec2, to: Vec2) -> Side {
        let forward = (from.x, from.y) < (to.x, to.y);
        let (low, high, sign) = if forward { (from, to, 1.0) } else { (to, from, -1.0) };
        let way = to - from;
        let owned = way.y < 0.0 || (way.y == 0.0 && way.x > 0.0);
        Side { low, high, sign, owned }
    }

    /// How this side cuts a row of samples.
    fn cut(&self, y: f32) -> Cut {
        let way = self.high - self.low;
        Cut {
            at_low: way.x * (y - self.low.y),
            slope: way.y,
            low: self.low.x,
            sign: self.sign,
            owned: self.owned,
        }
    }
}

/// A side on one row of samples.
#[derive(Clone, Copy)]
struct Cut {
    at_low: f32,
    slope: f32,
    low: f32,
    sign: f32,
    owned: bool,
}

impl Cut {
    /// Twice the area of the triangle from the side to a sample, negative on the other side: exactly the
    /// opposite for the neighbour's side, which runs in the other direction.
    fn beyond(self, x: f32) -> f32 {
        self.sign * (self.at_low - self.slope * (x - self.low))
    }

    fn holds(self, weight: f32) -> bool {
        weight > 0.0 || (weight == 0.0 && self.owned)
    }

    /// Leaves out columns that lie beyond the side for certain: more than a column farther than rounding
    /// can move the crossing.
    fn narrow(self, low: &mut f32, high: &mut f32) {
        let far = self.at_low / self.slope;
        let crossing = self.low + far;
        let margin = 1.0 + 1e-6 * (far.abs() + self.low.abs());
        if !(crossing.is_finite() && margin.is_finite()) {
            return;
        }
        if self.sign * self.slope > 0.0 {
            *high = high.min(crossing + margin);
        } else {
            *low = low.max(crossing - margin);
        }
    }
}

/// Fills the samples of some rows whose middles lie inside a triangle. A border between two triangles belongs to one of
/// them, so that translucent neighbours leave no seam.
///
/// Plain loops over numbers: the window is compiled with few optimizations, and this is its hottest code.
fn fill(samples: &mut [Sample], columns: usize, rows: Range<usize>, corners: [(Vec2, Ink4); 3]) {
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
    let low = a.min(b).min(c);
    let high = a.max(b).max(c);
    let flat = ink_a == ink_b && ink_b == ink_c;
    let side_a = Side::new(b, c);
    let side_b = Side::new(c, a);
    let side_c = Side::new(a, b);
    let (first, last) = whole(low.y, high.y, rows.end);
    let mut y = first.max(rows.start);
    while y < last {
        let middle = y as f32 + 0.5;
        let cut_a = side_a.cut(middle);
        let cut_b = side_b.cut(middle);
        let cut_c = side_c.cut(middle);
        let mut left = low.x;
        let mut right = high.x;
        cut_a.narrow(&mut left, &mut right);
        cut_b.narrow(&mut left, &mut right);
        cut_c.narrow(&mut left, &mut right);
        let (mut x, mut end) = whole(left, right, columns);
        let holds = |x: usize| {
            let at = x as f32 + 0.5;
            cut_a.holds(cut_a.beyond(at))
                && cut_b.holds(cut_b.beyond(at))
                && cut_c.holds(cut_c.beyond(at))
        };
        // What lies within each of three sides is an unbroken run, as rounding keeps the order of areas.
        while x < end && !holds(x) {
            x += 1;
        }
        while x < end && !holds(end - 1) {
            end -= 1;
        }
        let row = (y - rows.start) * columns;
        let run = &mut samples[row + x..row + end.max(x)];
        if !flat {
            for (sample, x) in run.iter_mut().zip(x..) {
                let at = x as f32 + 0.5;
                let weights = (cut_a.beyond(at), cut_b.beyond(at), cut_c.beyond(at));
                lay(sample, blend(weights, [ink_a, ink_b, ink_c], double));
            }
        } else if ink_a[3] == 1.0 {
            run.fill(ink_a);
        } else {
            for sample in run {
                lay(sample, ink_a);
            }
        }
        y += 1;
    }
}

/// The first of the samples whose middles lie from `low` to `high`, and the one after the last.
fn whole(low: f32, high: f32, most: usize) -> (usize, usize) {
    let most = most as f32;
    ((low - 0.5).ceil().clamp(0.0, most) as usize, (high + 0.5).floor().clamp(0.0, most) as usize)
}

/// The colour of a sample among its corners, each with the weight that it has of the total.
fn blend((u, v, w): (f32, f32, f32), [a, b, c]: [Ink4; 3], total: f32) -> Ink4 {
    let u = u / total;
    let v = v / total;
    let w = w / total;
    [
        u * a[0] + v * b[0] + w * c[0],
        u * a[1] + v * b[1] + w * c[1],
        u * a[2] + v * b[2] + w * c[2],
        u * a[3] + v * b[3] + w * c[3],
    ]
}

/// Lays a colour above a sample.
fn lay(sample: &mut Sample, [red, green, blue, opacity]: Ink4) {
    let [below_red, below_green, below_blue, below_opacity] = *sample;
    *sample = [
        below_red + (red - below_red) * opacity,
        below_green + (green - below_green) * opacity,
        below_blue + (blue - below_blue) * opacity,
        below_opacity + (1.0 - below_opacity) * opacity,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    fn bands_make_the_same_picture() {
        let mut sketch = Sketch::default();
        for n in 0..20_u8 {
            let low = Vec2::new(f32::from(n % 5), f32::from(n / 5)) * 0.37;
            sketch.rect(low, low + 0.9, [f32::from(n) / 20.0, 0.2, 0.1, 0.7]);
        }
        let whole = picture(&[&sketch], GREY, Vec2::splat(0.1), Vec2::splat(2.0), 23.0);
        let [width, height] = whole.size;
        let drawn = |band: usize| {
            let mut pixels = Vec::new();
            for top in (0..height).step_by(band) {
                let (rows, ground) = (top..(top + band).min(height), super::super::opaque(GREY));
                let place = (Vec2::splat(0.1), 23.0);
                raster_band(&[&sketch], ground, place, width, rows, &mut pixels);
            }
            pixels
        };
        for band in [1, 7, 45, 46] {
            assert!(drawn(band) == whole.pixels, "{band}");
        }
        // A picture of more than one band.
        let large = picture(&[&sketch], GREY, Vec2::splat(0.1), Vec2::splat(2.0), 230.0);
        assert!(large.pixels.len() * SAMPLES * SAMPLES > MOST_SAMPLES);
        assert_eq!(large.size, [460, 460]);
    }

    proptest! {
        #[test]
        fn narrowing_a_row_loses_no_sample(places in prop::array::uniform6(-40.0_f32..60.0), steps in 1_u8..9) {
            // Rounded places give borders through samples, level sides and triangles of no area.
            let steps = f32::from(steps);
            let [a, b, c, d, e, f] = places.map(|place| (place * steps).round() / steps);
            let (size, black) = (24, [0.0, 0.0, 0.0, 1.0]);
            let corners = [Vec2::new(a, b), Vec2::new(c, d), Vec2::new(e, f)];
            let mut samples = vec![[0.0; 4]; size * size];
            fill(&mut samples, size, 0..size, corners.map(|at| (at, black)));
            let [a, b, c] = corners;
            let (b, c) = if (b - a).perp_dot(c - a) < 0.0 { (c, b) } else { (b, c) };
            let sides = [Side::new(a, b), Side::new(b, c), Side::new(c, a)];
            let empty = (b - a).perp_dot(c - a) == 0.0;
            for (n, sample) in samples.iter().enumerate() {
                let (x, y) = ((n % size) as f32 + 0.5, (n / size) as f32 + 0.5);
                let inside = sides.iter().all(|side| {
                    let cut = side.cut(y);
                    cut.holds(cut.beyond(x))
                });
                prop_assert_eq!(sample[3] == 1.0, inside && !empty, "{} {}", x, y);
            }
        }
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
