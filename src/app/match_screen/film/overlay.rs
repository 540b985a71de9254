//! What egui draws, as pixels: text and thin lines over a picture.

use crate::app::shell::fonts::{self, Fonts};
use crate::app::shell::theme;
use bevy_egui::egui::ecolor::{gamma_u8_from_linear_f32, linear_f32_from_gamma_u8};
use bevy_egui::egui::epaint::{ClippedShape, ImageData, Primitive, Vertex};
use bevy_egui::egui::{
    Color32, ColorImage, Context, LayerId, Mesh, Painter, Pos2, RawInput, Rect, Style, TextureId,
    vec2,
};
use std::collections::HashMap;

/// An egui context without a screen.
pub struct EguiLayer {
    ctx: Context,
    points: f32,
    textures: HashMap<TextureId, ColorImage>,
}

impl EguiLayer {
    /// A context with the style of the window, `points` pixels for a point.
    pub fn new(fonts: &Fonts, style: &Style, points: f32) -> Self {
        let ctx = Context::default();
        ctx.set_fonts(fonts::definitions(Some(fonts)));
        ctx.set_global_style(style.clone());
        Self { ctx, points, textures: HashMap::new() }
    }

    /// Whether effects move in what is drawn next, as if the settings asked for motion.
    pub fn animate(&mut self, moves: bool) {
        let seconds = if moves { theme::ANIMATION } else { 0.0 };
        self.ctx.global_style_mut(|style| style.animation_time = seconds);
    }

    /// What is drawn on an area and the line below it, of this height in points.
    pub fn draw(
        &mut self,
        area: Rect,
        line: f32,
        draw: impl FnOnce(&Painter),
    ) -> Vec<ClippedShape> {
        let screen = Rect::from_min_size(area.min, area.size() + vec2(0.0, line));
        let mut input = RawInput { screen_rect: Some(screen), ..RawInput::default() };
        if let Some(viewport) = input.viewports.get_mut(&input.viewport_id) {
            viewport.native_pixels_per_point = Some(self.points);
        }
        self.ctx.begin_pass(input);
        draw(&self.ctx.layer_painter(LayerId::background()).with_clip_rect(screen));
        let mut output = self.ctx.end_pass();
        let set = output.textures_delta.set.drain();
        for (id, delta) in set.flat_map(|(id, deltas)| deltas.into_iter().map(move |d| (id, d))) {
            let ImageData::Color(image) = delta.image;
            match (delta.pos, self.textures.get_mut(&id)) {
                (Some(at), Some(texture)) => patch(texture, &image, at),
                _ => {
                    self.textures.insert(id, image.as_ref().clone());
                }
            }
        }
        for id in output.textures_delta.free.drain() {
            self.textures.remove(&id);
        }
        output.shapes
    }

    /// Paints shapes over a picture.
    pub fn paint(&self, image: &mut ColorImage, shapes: Vec<ClippedShape>) {
        for clipped in self.ctx.tessellate(shapes, self.points) {
            if let Primitive::Mesh(mesh) = &clipped.primitive
                && let Some(texture) = self.textures.get(&mesh.texture_id)
            {
                paint_mesh(image, mesh, texture, clipped.clip_rect, self.points);
            }
        }
    }
}

/// Writes an image into a part of a texture.
fn patch(texture: &mut ColorImage, image: &ColorImage, [left, top]: [usize; 2]) {
    let [width, height] = image.size;
    for y in 0..height.min(texture.size[1].saturating_sub(top)) {
        let width = width.min(texture.size[0].saturating_sub(left));
        let to = (top + y) * texture.size[0] + left;
        let from = y * image.size[0];
        texture.pixels[to..to + width].copy_from_slice(&image.pixels[from..from + width]);
    }
}

/// The pixels of a rectangle in points that lie in a picture: columns, then rows.
fn pixels(image: &ColorImage, rect: Rect, points: f32) -> [(usize, usize); 2] {
    let side = |low: f32, high: f32, size: usize| {
        let bound = |at: f32| (at * points).round().clamp(0.0, size as f32) as usize;
        (bound(low), bound(high))
    };
    [side(rect.left(), rect.right(), image.size[0]), side(rect.top(), rect.bottom(), image.size[1])]
}

fn paint_mesh(image: &mut ColorImage, mesh: &Mesh, texture: &ColorImage, clip: Rect, points: f32) {
    let [(left, right), (top, bottom)] = pixels(image, clip, points);
    for corners in mesh.indices.chunks_exact(3) {
        let [a, b, c] = [corners[0], corners[1], corners[2]].map(|at| mesh.vertices[at as usize]);
        let [p, q, r] = [a, b, c].map(|corner| corner.pos * points);
        let double = cross(p, q, r);
        if double == 0.0 || !double.is_finite() {
            continue;
        }
        // Clockwise as seen, so that the rule for borders holds.
        let (b, c, q, r) = if double > 0.0 { (b, c, q, r) } else { (c, b, r, q) };
        let double = double.abs();
        let bounds = Rect::from_points(&[p, q, r]);
        let columns = range(bounds.left(), bounds.right(), left, right);
        for y in range(bounds.top(), bounds.bottom(), top, bottom) {
            for x in columns.clone() {
                let at = Pos2::new(x as f32 + 0.5, y as f32 + 0.5);
                let inside = owns(q, r, at) && owns(r, p, at) && owns(p, q, at);
                if inside {
                    let shares = [cross(q, r, at), cross(r, p, at), cross(p, q, at)];
                    let ink = ink(texture, [a, b, c], shares.map(|share| share / double));
                    let below = &mut image.pixels[y * image.size[0] + x];
                    *below = over(ink, *below);
                }
            }
        }
    }
}

/// One colour above another, blended in linear light as on the screen.
fn over(above: Color32, below: Color32) -> Color32 {
    match above.a() {
        255 => above,
        opacity => {
            let rest = 1.0 - f32::from(opacity) / 255.0;
            // As the shader reads them: what is stored is the colour in linear light times its opacity.
            let mix = |above: u8, below: u8| {
                let light =
                    linear_f32_from_gamma_u8(above) + linear_f32_from_gamma_u8(below) * rest;
                gamma_u8_from_linear_f32(light)
            };
            Color32::from_rgb(
                mix(above.r(), below.r()),
                mix(above.g(), below.g()),
                mix(above.b(), below.b()),
            )
        }
    }
}

/// The pixels whose middles may lie between two places, within bounds.
fn range(low: f32, high: f32, least: usize, most: usize) -> std::ops::Range<usize> {
    let from = ((low - 0.5).ceil().max(0.0) as usize).max(least);
    let to = ((high - 0.5).floor().max(-1.0) + 1.0) as usize;
    from..to.min(most).max(from)
}

/// Twice the area of a triangle; positive if it runs clockwise as seen.
fn cross(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Whether a place lies on the inner side of a border, or on it where the border belongs to this triangle
/// and not to its neighbour.
fn owns(from: Pos2, to: Pos2, at: Pos2) -> bool {
    let side = cross(from, to, at);
    let is_top_or_left = to.y < from.y || (to.y == from.y && to.x > from.x);
    side > 0.0 || (side == 0.0 && is_top_or_left)
}

/// The colour at a place of a triangle, given the shares of its corners.
fn ink(texture: &ColorImage, corners: [Vertex; 3], shares: [f32; 3]) -> Color32 {
    let mut colour = [0.0_f32; 4];
    let mut u = 0.0;
    let mut v = 0.0;
    for (corner, share) in corners.iter().zip(shares) {
        (u, v) = (u + corner.uv.x * share, v + corner.uv.y * share);
        for (sum, part) in colour.iter_mut().zip(corner.color.to_array()) {
            *sum += f32::from(part) * share;
        }
    }
    let texel = texel(texture, u, v);
    let part = |at: usize| (colour[at] * texel[at]).round().clamp(0.0, 255.0) as u8;
    Color32::from_rgba_premultiplied(part(0), part(1), part(2), part(3))
}

/// The texture at a place, from 0 to 1 each way, between its pixels.
fn texel(texture: &ColorImage, u: f32, v: f32) -> [f32; 4] {
    let [width, height] = texture.size;
    let place = |share: f32, size: usize| {
        let at = (share * size as f32 - 0.5).clamp(0.0, size.saturating_sub(1) as f32);
        let low = at.floor() as usize;
        (low, (low + 1).min(size.saturating_sub(1)), at.fract())
    };
    let ((left, right, across), (top, bottom, down)) = (place(u, width), place(v, height));
    let mut sum = [0.0; 4];
    for (x, y, share) in [
        (left, top, (1.0 - across) * (1.0 - down)),
        (right, top, across * (1.0 - down)),
        (left, bottom, (1.0 - across) * down),
        (right, bottom, across * down),
    ] {
        let Some(pixel) = texture.pixels.get(y * width + x).filter(|_| share > 0.0) else {
            continue;
        };
        for (sum, part) in sum.iter_mut().zip(pixel.to_array()) {
            *sum += f32::from(part) / 255.0 * share;
        }
    }
    sum
}
