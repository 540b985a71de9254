//! An SVG page of sketches and of what egui draws.

use crate::app::drawing::{Ink4, Sketch, unfaded};
use bevy::math::Vec2;
use bevy_egui::egui::ecolor::{gamma_u8_from_linear_f32, linear_f32_from_gamma_u8};
use bevy_egui::egui::epaint::{ClippedShape, ColorMode, PathStroke, TextShape};
use bevy_egui::egui::{Color32, Mesh, Pos2, Rect, Shape, Stroke, StrokeKind};
use outwit_core::escape::markup;
use std::collections::HashMap;
use std::fmt::Write;

/// How often a triangle whose corners differ in colour is split into four.
const FINEST: u32 = 3;
/// Parts of colours that differ by less are taken for one.
const NEARLY: f32 = 0.04;

/// The font families of the text, the program's own first.
const FONTS: &str = "Inter, 'Segoe UI', Helvetica, Arial, sans-serif";

/// A page that is being written; a unit is a point of the screen.
pub struct SvgPage {
    size: bevy_egui::egui::Vec2,
    body: String,
    clips: usize,
    /// Digits behind the point in the places of sketches.
    digits: usize,
}

/// A number with at most two digits behind the point.
fn number(value: f32) -> String {
    rounded(value, 2)
}

/// A number with at most so many digits behind the point, at least one.
fn rounded(value: f32, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// The attributes of a fill.
fn fill(colour: Color32) -> String {
    paint("fill", colour)
}

/// The attributes of a colour that the screen blends in linear light, as a page does not.
fn paint(what: &str, colour: Color32) -> String {
    if matches!(colour.a(), 0 | 255) {
        return stored(what, colour);
    }
    let alpha = f32::from(colour.a()) / 255.0;
    let light = |byte: u8| (linear_f32_from_gamma_u8(byte) / alpha).min(1.0);
    stored(what, shown([light(colour.r()), light(colour.g()), light(colour.b()), alpha]))
}

/// The attributes of a colour as a page blends it.
fn stored(what: &str, colour: Color32) -> String {
    if colour.a() == 0 {
        return format!("{what}=\"none\"");
    }
    let [r, g, b, a] = colour.to_srgba_unmultiplied();
    let opacity = match a {
        255 => String::new(),
        a => format!(" {what}-opacity=\"{}\"", number(f32::from(a) / 255.0)),
    };
    format!("{what}=\"#{r:02x}{g:02x}{b:02x}\"{opacity}")
}

/// The attributes of a line of this width.
fn line(width: f32, colour: Color32) -> String {
    if width <= 0.0 || colour.a() == 0 {
        return String::new();
    }
    format!(" {} stroke-width=\"{}\"", paint("stroke", colour), number(width))
}

/// A path through points.
fn path(points: &[Pos2], closed: bool, digits: usize) -> String {
    let mut text = String::new();
    for (n, at) in points.iter().enumerate() {
        // Lines follow what is moved to.
        let letter = if n == 0 { 'M' } else { ' ' };
        let _ = write!(text, "{letter}{} {}", rounded(at.x, digits), rounded(at.y, digits));
    }
    if closed {
        text.push('Z');
    }
    text
}

impl SvgPage {
    /// An empty page of this size in points.
    pub fn new(size: bevy_egui::egui::Vec2) -> Self {
        Self { size, body: String::new(), clips: 0, digits: 2 }
    }

    /// All of the page.
    pub fn area(&self) -> Rect {
        Rect::from_min_size(Pos2::ZERO, self.size)
    }

    /// Draws a rectangle in one colour.
    pub fn rect(&mut self, rect: Rect, colour: Color32) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>",
            number(rect.left()),
            number(rect.top()),
            number(rect.width()),
            number(rect.height()),
            fill(colour)
        );
    }

    /// Draws what is seen only within a rectangle.
    pub fn clipped(&mut self, rect: Rect, draw: impl FnOnce(&mut Self)) {
        self.clips += 1;
        let id = self.clips;
        let _ = write!(self.body, "<clipPath id=\"c{id}\">");
        self.rect(rect, Color32::BLACK);
        let _ = writeln!(self.body, "</clipPath>\n<g clip-path=\"url(#c{id})\">");
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// A sketch, its places put where `place` says. Neighbouring triangles of one colour are one path, so that
    /// no seams are seen between them.
    pub fn sketch(&mut self, sketch: &Sketch, place: impl Fn(Vec2) -> Vec2) {
        let mut open: Option<(Color32, String)> = None;
        for triangle in sketch.triangles().flat_map(|triangle| even(triangle, FINEST)) {
            let colour = flat(triangle.map(|(_, ink)| ink));
            let mut corners = triangle.map(|(at, _)| {
                let at = place(at);
                Pos2::new(at.x, at.y)
            });
            // Those that run the other way would cut holes into those that they overlap.
            if (corners[1] - corners[0]).rot90().dot(corners[2] - corners[0]) < 0.0 {
                corners.swap(1, 2);
            }
            match &mut open {
                Some((known, paths)) if *known == colour => {
                    paths.push_str(&path(&corners, true, self.digits));
                }
                _ => {
                    self.flush(open.take());
                    open = Some((colour, path(&corners, true, self.digits)));
                }
            }
        }
        self.flush(open);
    }

    fn flush(&mut self, open: Option<(Color32, String)>) {
        if let Some((colour, paths)) = open.filter(|(colour, _)| colour.a() > 0) {
            let _ = writeln!(self.body, "<path {} d=\"{paths}\"/>", stored("fill", colour));
        }
    }

    /// Draws the shapes of a frame of egui, clipped as they are there.
    pub fn shapes(&mut self, shapes: Vec<ClippedShape>) {
        for clipped in shapes {
            if matches!(clipped.shape, Shape::Noop) {
                continue;
            }
            // What lies within its bounds anyway needs none.
            let bounds = clipped.shape.visual_bounding_rect();
            if clipped.clip_rect.contains_rect(bounds) {
                self.shape(&clipped.shape);
            } else if clipped.clip_rect.intersects(bounds) {
                self.clipped(clipped.clip_rect, |page| page.shape(&clipped.shape));
            }
        }
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Noop | Shape::Callback(_) => {}
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.shape(shape)),
            Shape::Circle(circle) => {
                let _ = writeln!(
                    self.body,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}{}/>",
                    number(circle.center.x),
                    number(circle.center.y),
                    number(circle.radius),
                    fill(circle.fill),
                    line(circle.stroke.width, circle.stroke.color)
                );
            }
            Shape::Ellipse(ellipse) => {
                let _ = writeln!(
                    self.body,
                    "<ellipse cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\" {}{}/>",
                    number(ellipse.center.x),
                    number(ellipse.center.y),
                    number(ellipse.radius.x),
                    number(ellipse.radius.y),
                    fill(ellipse.fill),
                    line(ellipse.stroke.width, ellipse.stroke.color)
                );
            }
            Shape::LineSegment { points, stroke } => self.stroked(points, false, *stroke),
            Shape::Path(shape) => {
                self.filled(&shape.points, shape.closed, shape.fill, &shape.stroke);
            }
            Shape::Rect(rect) => {
                let by = match rect.stroke_kind {
                    StrokeKind::Inside => -rect.stroke.width / 2.0,
                    StrokeKind::Middle => 0.0,
                    StrokeKind::Outside => rect.stroke.width / 2.0,
                };
                let at = rect.rect.expand(by);
                let _ = writeln!(
                    self.body,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" {}{}/>",
                    number(at.left()),
                    number(at.top()),
                    number(at.width()),
                    number(at.height()),
                    rect.corner_radius.nw,
                    fill(rect.fill),
                    line(rect.stroke.width, rect.stroke.color)
                );
            }
            Shape::Text(text) => self.text(text),
            Shape::Mesh(mesh) => self.mesh(mesh),
            Shape::QuadraticBezier(curve) => {
                self.filled(&curve.flatten(None), curve.closed, curve.fill, &curve.stroke);
            }
            Shape::CubicBezier(curve) => {
                self.filled(&curve.flatten(None), curve.closed, curve.fill, &curve.stroke);
            }
        }
    }

    fn stroked(&mut self, points: &[Pos2], closed: bool, stroke: Stroke) {
        let line = line(stroke.width, stroke.color);
        if !line.is_empty() {
            let _ = writeln!(
                self.body,
                "<path fill=\"none\"{line} d=\"{}\"/>",
                path(points, closed, 2)
            );
        }
    }

    fn filled(&mut self, points: &[Pos2], closed: bool, inside: Color32, stroke: &PathStroke) {
        let ColorMode::Solid(ink) = stroke.color else { return };
        let inside = fill(inside);
        let line = line(stroke.width, ink);
        let _ = writeln!(self.body, "<path {inside}{line} d=\"{}\"/>", path(points, closed, 2));
    }

    fn mesh(&mut self, mesh: &Mesh) {
        for corners in mesh.indices.chunks_exact(3) {
            let corners = [corners[0], corners[1], corners[2]].map(|at| mesh.vertices[at as usize]);
            let ink = mean(corners.map(|corner| corner.color));
            let points = corners.map(|corner| corner.pos);
            self.filled(&points, true, ink, &PathStroke::NONE);
        }
    }

    fn text(&mut self, text: &TextShape) {
        for row in &text.galley.rows {
            let Some(first) = row.glyphs.first() else { continue };
            let words = row.text();
            let Some(section) = text.galley.job.sections.first() else { continue };
            let format = &section.format;
            let ink = text.override_text_color.unwrap_or(match format.color {
                Color32::PLACEHOLDER => text.fallback_color,
                colour => colour,
            });
            let at = text.pos + row.pos.to_vec2() + first.pos.to_vec2();
            let weight = match &format.font_id.family {
                bevy_egui::egui::FontFamily::Name(_) => " font-weight=\"600\"",
                _ => "",
            };
            let _ = writeln!(
                self.body,
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\" textLength=\"{}\"{weight} {}>{}</text>",
                number(at.x),
                number(at.y),
                number(format.font_id.size),
                number(row.glyphs.iter().map(|glyph| glyph.advance_width).sum()),
                fill(ink.gamma_multiply(text.opacity_factor)),
                markup(&words)
            );
        }
    }

    /// The document, shown in this size in pixels.
    pub fn finish(self, [width, height]: [usize; 2]) -> String {
        let wide = number(self.size.x);
        let high = number(self.size.y);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {wide} {high}\" font-family=\"{FONTS}\" stroke-linejoin=\"round\" \
             stroke-linecap=\"round\">\n{}</svg>\n",
            self.body
        )
    }
}

/// A drawing of a moment, and how far it is moved.
type Placed = (usize, Vec2);

/// Moments of a match, shown one after the other, again and again. What looks the same in several of them is written
/// once.
pub struct MovingSvg {
    page: SvgPage,
    /// Where the board is.
    board: Rect,
    /// Drawings, each with its number.
    known: HashMap<String, usize>,
    frames: Vec<SvgFrame>,
}

/// A moment: how long it is shown, and the drawings of the board and those over it.
#[derive(Default)]
struct SvgFrame {
    seconds: f32,
    on_board: Vec<Placed>,
    above: Vec<Placed>,
}

impl MovingSvg {
    /// Moments on this page, which has the ground on it.
    pub fn new(page: SvgPage, board: Rect) -> Self {
        // There are many of them.
        let page = SvgPage { digits: 1, ..page };
        Self { page, board, known: HashMap::new(), frames: Vec::new() }
    }

    /// Begins a moment that is shown so long.
    pub fn frame(&mut self, seconds: f32) {
        self.frames.push(SvgFrame { seconds, ..SvgFrame::default() });
    }

    /// Adds a drawing to the board of the moment, moved by so much.
    pub fn on_board(&mut self, by: Vec2, draw: impl FnOnce(&mut SvgPage)) {
        let part = self.part(draw);
        if let Some((frame, part)) = self.frames.last_mut().zip(part) {
            frame.on_board.push((part, by));
        }
    }

    /// Adds a drawing over the board of the moment and what is below it.
    pub fn above(&mut self, draw: impl FnOnce(&mut SvgPage)) {
        let part = self.part(draw);
        if let Some((frame, part)) = self.frames.last_mut().zip(part) {
            frame.above.push((part, Vec2::ZERO));
        }
    }

    /// The number of a drawing, if there is anything in it.
    fn part(&mut self, draw: impl FnOnce(&mut SvgPage)) -> Option<usize> {
        let before = self.page.body.len();
        draw(&mut self.page);
        let drawing = self.page.body.split_off(before);
        let count = self.known.len();
        (!drawing.is_empty()).then(|| *self.known.entry(drawing).or_insert(count))
    }

    /// The document, shown in this size in pixels. Who wants no motion sees the last moment.
    pub fn finish(self, size: [usize; 2]) -> String {
        let Self { mut page, board, known, frames } = self;
        let mut drawings: Vec<(usize, String)> =
            known.into_iter().map(|(drawing, number)| (number, drawing)).collect();
        drawings.sort_unstable();
        page.body.push_str("<defs>\n");
        for (number, drawing) in drawings {
            let _ = write!(page.body, "<g id=\"p{number}\">\n{drawing}</g>\n");
        }
        page.body.push_str("<clipPath id=\"board\">");
        page.rect(board, Color32::BLACK);
        page.body.push_str("</clipPath>\n</defs>\n");
        let whole: f32 = frames.iter().map(|frame| frame.seconds).sum();
        let mut lengths: Vec<String> = Vec::new();
        let mut begin = 0.0;
        let last = frames.len().saturating_sub(1);
        let mut shown = String::new();
        for (at, frame) in frames.iter().enumerate() {
            let share = format!("{:.4}", 100.0 * frame.seconds / whole.max(0.01));
            let length = lengths.iter().position(|known| *known == share).unwrap_or_else(|| {
                lengths.push(share);
                lengths.len() - 1
            });
            let class = if at == last { "f l" } else { "f" };
            let _ = write!(
                shown,
                "<g class=\"{class}\" style=\"animation-name:k{length};animation-delay:{begin:.3}s\"><g \
                 clip-path=\"url(#board)\">"
            );
            let uses = |parts: &[Placed]| -> String {
                let uses = parts.iter().map(|(part, by)| match *by == Vec2::ZERO {
                    true => format!("<use href=\"#p{part}\"/>"),
                    false => format!(
                        "<use href=\"#p{part}\" x=\"{}\" y=\"{}\"/>",
                        number(by.x),
                        number(by.y)
                    ),
                });
                uses.collect()
            };
            let _ = writeln!(shown, "{}</g>{}</g>", uses(&frame.on_board), uses(&frame.above));
            begin += frame.seconds;
        }
        let _ = writeln!(
            page.body,
            "<style>.f{{visibility:hidden;animation:{}s step-end infinite}}",
            number(whole)
        );
        for (number, share) in lengths.iter().enumerate() {
            let _ = writeln!(
                page.body,
                "@keyframes k{number}{{0%{{visibility:visible}}{share}%{{visibility:hidden}}}}"
            );
        }
        page.body.push_str(
            "@media(prefers-reduced-motion:reduce){.f{animation:none}.l{visibility:visible}}</style>\n",
        );
        page.body.push_str(&shown);
        page.finish(size)
    }
}

/// A triangle in parts of nearly one colour each, split so many times at most.
fn even(triangle: [(Vec2, Ink4); 3], splits: u32) -> Vec<[(Vec2, Ink4); 3]> {
    let [a, b, c] = triangle;
    let apart = |one: Ink4, other: Ink4| (0..4).any(|n| (one[n] - other[n]).abs() > NEARLY);
    if splits == 0 || !(apart(a.1, b.1) || apart(b.1, c.1) || apart(c.1, a.1)) {
        return vec![triangle];
    }
    let half = |one: (Vec2, Ink4), other: (Vec2, Ink4)| {
        ((one.0 + other.0) / 2.0, [0, 1, 2, 3].map(|n| (one.1[n] + other.1[n]) / 2.0))
    };
    let ab = half(a, b);
    let bc = half(b, c);
    let ca = half(c, a);
    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        .into_iter()
        .flat_map(|part| even(part, splits - 1))
        .collect()
}

/// One colour for three of a sketch, as it looks where colours are blended as they are stored.
fn flat(inks: [Ink4; 3]) -> Color32 {
    let part = |at: usize| inks.iter().map(|ink| ink[at]).sum::<f32>() / 3.0;
    shown([part(0), part(1), part(2), part(3)])
}

/// A colour in linear light as it looks where colours are blended as they are stored.
fn shown(ink: Ink4) -> Color32 {
    let byte = |at: usize| gamma_u8_from_linear_f32(ink[at]);
    let opacity = (unfaded(ink) * 255.0).round() as u8;
    Color32::from_rgba_unmultiplied(byte(0), byte(1), byte(2), opacity)
}

/// The mean of three colours of egui.
fn mean(inks: [Color32; 3]) -> Color32 {
    let parts = inks.map(|ink| ink.to_array());
    let part = |at: usize| (parts.iter().map(|ink| u16::from(ink[at])).sum::<u16>() / 3) as u8;
    Color32::from_rgba_premultiplied(part(0), part(1), part(2), part(3))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_well_formed(text in "\\PC{0,20}|.{0,20}|[\u{fffe}\u{ffff}<&\u{0}]{0,4}") {
            let page = format!("<a b=\"1\">{}</a>", markup(&text));
            roxmltree::Document::parse(&page).unwrap();
        }
    }
}
