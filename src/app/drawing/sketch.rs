//! Coloured triangles in painter's order, from shapes that a drawing program has.

use super::colours::Ink4;
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use lyon_tessellation::math::point;
use lyon_tessellation::path::Path;
use lyon_tessellation::{
    BuffersBuilder, FillOptions, FillRule, FillTessellator, FillVertex, LineCap, LineJoin,
    StrokeOptions, StrokeTessellator, StrokeVertex, VertexBuffers,
};
use std::f32::consts::TAU;

/// The largest distance between a round line and its polygon, in cells.
const TOLERANCE: f32 = 0.01;

/// Coloured triangles in board coordinates: cells, y downwards. What is added later lies above.
#[derive(Clone, Default, Debug, PartialEq)]
pub struct Sketch {
    points: Vec<Vec2>,
    colours: Vec<Ink4>,
    indices: Vec<u32>,
}

impl Sketch {
    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// The triangles: corners and the colours there, the lowest first.
    pub fn triangles(&self) -> impl Iterator<Item = [(Vec2, Ink4); 3]> + '_ {
        let corner = |&index: &u32| {
            let index = index as usize;
            (self.points[index], self.colours[index])
        };
        self.indices.chunks_exact(3).map(move |three| [0, 1, 2].map(|n| corner(&three[n])))
    }

    /// Corners, their colours, and three corners for each triangle.
    pub fn parts(&self) -> (&[Vec2], &[Ink4], &[u32]) {
        (&self.points, &self.colours, &self.indices)
    }

    /// Adds another sketch above this one, each point where `place` puts it.
    pub fn add(&mut self, other: &Sketch, place: impl Fn(Vec2) -> Vec2) {
        let first = self.points.len() as u32;
        self.points.extend(other.points.iter().copied().map(place));
        self.colours.extend_from_slice(&other.colours);
        self.indices.extend(other.indices.iter().map(|index| first + index));
    }

    /// Triangles in one colour: three indices into `points` each.
    pub fn triangles_of(&mut self, points: &[Vec2], indices: &[u32], colour: Ink4) {
        let first = self.points.len() as u32;
        self.points.extend_from_slice(points);
        self.colours.extend(std::iter::repeat_n(colour, points.len()));
        self.indices.extend(indices.iter().map(|index| first + index));
    }

    /// Fills the convex polygon with these corners, in either direction.
    pub fn fan(&mut self, corners: &[Vec2], colour: Ink4) {
        if corners.len() < 3 {
            return;
        }
        let first = self.points.len() as u32;
        self.points.extend_from_slice(corners);
        self.colours.extend(std::iter::repeat_n(colour, corners.len()));
        for i in 1..corners.len() as u32 - 1 {
            self.indices.extend([first, first + i, first + i + 1]);
        }
    }

    /// A convex polygon with a colour at each corner.
    pub fn shaded(&mut self, corners: &[(Vec2, Ink4)]) {
        if corners.len() < 3 {
            return;
        }
        let first = self.points.len() as u32;
        for &(place, colour) in corners {
            self.points.push(place);
            self.colours.push(colour);
        }
        for i in 1..corners.len() as u32 - 1 {
            self.indices.extend([first, first + i, first + i + 1]);
        }
    }

    /// A rectangle from its upper left to its lower right corner.
    pub fn rect(&mut self, low: Vec2, high: Vec2, colour: Ink4) {
        self.fan(&[low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)], colour);
    }

    /// A rectangle with round corners.
    pub fn rounded(&mut self, low: Vec2, high: Vec2, radius: f32, colour: Ink4) {
        self.fan(&round_corners(low, high, radius), colour);
    }

    /// The outline of a rectangle with round corners, drawn along its border.
    pub fn frame(&mut self, low: Vec2, high: Vec2, radius: f32, width: f32, colour: Ink4) {
        self.outline(&round_corners(low, high, radius), width, colour);
    }

    /// Fills the disc around a centre.
    pub fn disc(&mut self, centre: Vec2, radius: f32, colour: Ink4) {
        self.ellipse(centre, Vec2::splat(radius), colour);
    }

    /// An ellipse with these half axes.
    pub fn ellipse(&mut self, centre: Vec2, radii: Vec2, colour: Ink4) {
        let points: Vec<Vec2> =
            around(radii.max_element()).map(|way| centre + way * radii).collect();
        self.fan(&points, colour);
    }

    /// A circle, drawn with a line of this width.
    pub fn ring(&mut self, centre: Vec2, radius: f32, width: f32, colour: Ink4) {
        let points: Vec<Vec2> = around(radius).map(|way| centre + way * radius).collect();
        self.outline(&points, width, colour);
    }

    /// Light around a point: one colour in the middle, another one at the rim.
    pub fn glow(&mut self, centre: Vec2, radius: f32, inner: Ink4, outer: Ink4) {
        let first = self.points.len() as u32;
        self.points.push(centre);
        self.colours.push(inner);
        let rim: Vec<Vec2> = around(radius).collect();
        let corners = rim.len() as u32;
        for (way, index) in rim.into_iter().zip(0..) {
            self.points.push(centre + way * radius);
            self.colours.push(outer);
            self.indices.extend([first, first + 1 + index, first + 1 + (index + 1) % corners]);
        }
    }

    /// Everything inside closed outlines; what lies inside two of them is a hole.
    pub fn area(&mut self, outlines: &[Vec<Vec2>], colour: Ink4) {
        let mut buffers: VertexBuffers<Vec2, u32> = VertexBuffers::new();
        let options = FillOptions::tolerance(TOLERANCE).with_fill_rule(FillRule::EvenOdd);
        let filled = FillTessellator::new().tessellate_path(
            &path(outlines, true),
            &options,
            &mut BuffersBuilder::new(&mut buffers, |vertex: FillVertex<'_>| {
                Vec2::new(vertex.position().x, vertex.position().y)
            }),
        );
        // Only outlines that are no polygons cannot be filled, and a board has none.
        if filled.is_ok() {
            self.take(buffers, colour);
        }
    }

    /// A line with round ends and corners.
    pub fn line(&mut self, points: &[Vec2], width: f32, colour: Ink4) {
        self.stroke(&[points.to_vec()], false, width, LineCap::Round, colour);
    }

    /// A line with round corners that is cut off straight at its ends.
    pub fn cut_line(&mut self, points: &[Vec2], width: f32, colour: Ink4) {
        self.stroke(&[points.to_vec()], false, width, LineCap::Butt, colour);
    }

    /// A closed line with round corners.
    pub fn outline(&mut self, points: &[Vec2], width: f32, colour: Ink4) {
        self.stroke(&[points.to_vec()], true, width, LineCap::Butt, colour);
    }

    /// A dashed line, its dashes cut off straight.
    pub fn dashed(&mut self, points: &[Vec2], width: f32, dash: f32, gap: f32, colour: Ink4) {
        for piece in dashes(points, dash, gap) {
            self.cut_line(&piece, width, colour);
        }
    }

    /// The soft shadow of a shape: the shape moved step by step to the lower right, each time fainter.
    pub fn shadow(
        &mut self,
        outlines: &[Vec<Vec2>],
        reach: f32,
        colour: impl Fn(f32) -> Ink4,
        alpha: f32,
    ) {
        const LAYERS: u8 = 5;
        for layer in (1..=LAYERS).rev() {
            let far = f32::from(layer) / f32::from(LAYERS) * reach;
            let moved: Vec<Vec<Vec2>> = outlines
                .iter()
                .map(|line| line.iter().map(|&at| at + Vec2::new(0.6, 1.0) * far).collect())
                .collect();
            self.area(&moved, colour(alpha / f32::from(LAYERS) * 1.5));
        }
    }

    fn stroke(
        &mut self,
        lines: &[Vec<Vec2>],
        closed: bool,
        width: f32,
        cap: LineCap,
        colour: Ink4,
    ) {
        let mut buffers: VertexBuffers<Vec2, u32> = VertexBuffers::new();
        let options = StrokeOptions::tolerance(TOLERANCE)
            .with_line_width(width)
            .with_line_cap(cap)
            .with_line_join(LineJoin::Round);
        let drawn = StrokeTessellator::new().tessellate_path(
            &path(lines, closed),
            &options,
            &mut BuffersBuilder::new(&mut buffers, |vertex: StrokeVertex<'_, '_>| {
                Vec2::new(vertex.position().x, vertex.position().y)
            }),
        );
        if drawn.is_ok() {
            self.take(buffers, colour);
        }
    }

    fn take(&mut self, buffers: VertexBuffers<Vec2, u32>, colour: Ink4) {
        let first = self.points.len() as u32;
        self.colours.extend(std::iter::repeat_n(colour, buffers.vertices.len()));
        self.points.extend(buffers.vertices);
        self.indices.extend(buffers.indices.into_iter().map(|index| first + index));
    }

    /// Everything as one mesh in the world, where y points upwards.
    pub fn mesh(&self) -> Mesh {
        let positions: Vec<[f32; 3]> = self.points.iter().map(|at| [at.x, -at.y, 0.0]).collect();
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colours.clone())
            .with_inserted_indices(Indices::U32(self.indices.clone()))
    }
}

/// Directions all round, as many as a circle of this radius needs.
fn around(radius: f32) -> impl Iterator<Item = Vec2> {
    let corners = (radius.max(0.0).sqrt() * 44.0).ceil().clamp(12.0, 72.0) as u32;
    (0..corners).map(move |n| Vec2::from_angle(n as f32 / corners as f32 * TAU))
}

fn round_corners(low: Vec2, high: Vec2, radius: f32) -> Vec<Vec2> {
    const SLICES: u8 = 4;
    let radius = radius.min((high.x - low.x) / 2.0).min((high.y - low.y) / 2.0).max(0.0);
    let inner_low = low + radius;
    let inner_high = high - radius;
    let hubs = [
        inner_high,
        Vec2::new(inner_low.x, inner_high.y),
        inner_low,
        Vec2::new(inner_high.x, inner_low.y),
    ];
    let mut points = Vec::with_capacity(4 * (usize::from(SLICES) + 1));
    for (hub, quarter) in hubs.into_iter().zip(0_u8..) {
        for slice in 0..=SLICES {
            let turn = (f32::from(quarter) + f32::from(slice) / f32::from(SLICES)) * TAU / 4.0;
            points.push(hub + Vec2::from_angle(turn) * radius);
        }
    }
    points
}

fn path(lines: &[Vec<Vec2>], closed: bool) -> Path {
    let mut path = Path::builder();
    for line in lines.iter().filter(|line| line.len() > 1) {
        path.begin(point(line[0].x, line[0].y));
        for at in &line[1..] {
            path.line_to(point(at.x, at.y));
        }
        path.end(closed);
    }
    path.build()
}

/// The dashes of a line.
fn dashes(points: &[Vec2], dash: f32, gap: f32) -> Vec<Vec<Vec2>> {
    let mut done = Vec::new();
    let mut open = Vec::new();
    let mut drawn = true;
    let mut left = dash;
    if dash <= 0.0 || gap <= 0.0 {
        return vec![points.to_vec()];
    }
    for pair in points.windows(2) {
        let mut from = pair[0];
        let to = pair[1];
        if drawn && open.is_empty() {
            open.push(from);
        }
        while from.distance(to) > left {
            from += (to - from).normalize_or_zero() * left;
            if drawn {
                open.push(from);
                done.push(std::mem::take(&mut open));
            } else {
                open = vec![from];
            }
            drawn = !drawn;
            left = if drawn { dash } else { gap };
        }
        left -= from.distance(to);
        if drawn {
            open.push(to);
        }
    }
    if drawn && open.len() > 1 {
        done.push(open);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: Ink4 = [1.0, 0.5, 0.25, 1.0];

    fn covered(sketch: &Sketch) -> f32 {
        let size = |[a, b, c]: [(Vec2, Ink4); 3]| (b.0 - a.0).perp_dot(c.0 - a.0).abs() / 2.0;
        sketch.triangles().map(size).sum()
    }

    #[test]
    fn shapes_cover_what_they_should() {
        let shape = |draw: &dyn Fn(&mut Sketch)| {
            let mut sketch = Sketch::default();
            draw(&mut sketch);
            covered(&sketch)
        };
        let (low, high) = (Vec2::ZERO, Vec2::new(4.0, 2.0));
        assert_eq!(shape(&|s| s.rect(low, high, INK)), 8.0);
        let disc = shape(&|s| s.disc(low, 1.0, INK));
        assert!((3.05..3.15).contains(&disc), "{disc}");
        let rounded = shape(&|s| s.rounded(low, high, 0.5, INK));
        assert!((7.7..7.9).contains(&rounded), "{rounded}");
        let line = shape(&|s| s.cut_line(&[low, Vec2::new(3.0, 0.0)], 0.5, INK));
        assert!((line - 1.5).abs() < 1e-4, "{line}");
        let dashed = shape(&|s| s.dashed(&[low, Vec2::new(3.0, 0.0)], 0.5, 0.5, 0.5, INK));
        assert!((dashed - 0.75).abs() < 1e-3, "{dashed}");
        let square =
            |a: f32, b: f32| vec![Vec2::splat(a), Vec2::new(b, a), Vec2::splat(b), Vec2::new(a, b)];
        let holed = shape(&|s| s.area(&[square(0.0, 4.0), square(1.0, 3.0)], INK));
        assert!((holed - 12.0).abs() < 1e-4, "{holed}");
    }

    #[test]
    fn shapes_that_are_none_draw_nothing() {
        let mut sketch = Sketch::default();
        sketch.fan(&[Vec2::ZERO, Vec2::ONE], INK);
        sketch.area(&[vec![Vec2::ZERO]], INK);
        sketch.line(&[], 1.0, INK);
        assert!(sketch.is_empty());
    }
}
