//! Silhouettes of the pieces: small SVG files, tessellated into shapes that stay crisp at any zoom.
//!
//! A piece is drawn on a square `viewBox` by paths that lie above each other in the order of the file. The
//! `class` of each says its tone: `body` in the colour of the side, `shade` darker, `lit` brighter, `ink` and
//! `pale` the same for all sides. Round it goes a line of ink.

use crate::app::drawing::{Sketch, mixed, opaque};
use crate::app::shell::assets::AssetFolder;
use crate::app::shell::theme::{INK, PALE, Rgb};
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_asset_loader::asset_collection::AssetCollection;
use bevy_egui::egui;
use lyon_tessellation::geom::{CubicBezierSegment, QuadraticBezierSegment};
use lyon_tessellation::math::{Point, point};
use lyon_tessellation::path::Path;
use lyon_tessellation::{
    BuffersBuilder, FillOptions, FillRule, FillTessellator, FillVertex, VertexBuffers,
};
use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::Arc;
use svgtypes::{SimplePathSegment, SimplifyingPathParser, ViewBox};

/// The silhouettes to load, each a file `pieces/NAME.svg`; boards and levels name theirs.
#[derive(Resource, Clone, Debug, Default)]
pub struct PieceNames(pub BTreeSet<&'static str>);

/// The largest distance between a curve and its polygon, in widths of a piece.
const TOLERANCE: f32 = 0.002;

/// Coordinates more than this many widths outside the `viewBox` are refused, because the tessellator
/// cannot handle huge ones.
const MAX_DISTANCE: f64 = 10.0;

/// Files with more segments than this are refused.
const MOST_SEGMENTS: usize = 10_000;

/// Width of the line of ink round a piece, in widths of the piece.
const OUTLINE: f32 = 0.05;
/// Width of the pale rim outside of it.
const RIM: f32 = 0.035;

/// How a part of a piece is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// The colour of the side.
    Body,
    /// The same in shade.
    Shade,
    /// The same in the light.
    Lit,
    /// Ink.
    Ink,
    /// Faces, stripes, labels.
    Pale,
}

impl Tone {
    fn of_class(class: Option<&str>) -> Option<Self> {
        Some(match class? {
            "body" => Tone::Body,
            "shade" => Tone::Shade,
            "lit" => Tone::Lit,
            "ink" => Tone::Ink,
            "pale" => Tone::Pale,
            _ => return None,
        })
    }

    /// The colour on a piece whose body has the colour `body`.
    pub fn colour(self, body: Rgb) -> Rgb {
        match self {
            Tone::Body => body,
            Tone::Shade => mixed(body, INK, 0.34),
            Tone::Lit => mixed(body, Rgb(255, 255, 255), 0.38),
            Tone::Ink => INK,
            Tone::Pale => PALE,
        }
    }

    /// Whether the line of ink goes round it.
    fn is_outlined(self) -> bool {
        matches!(self, Tone::Body | Tone::Shade | Tone::Pale)
    }
}

/// A filled shape in the plane, one unit wide and centred, y downwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flat {
    /// Corners of the triangles.
    pub points: Vec<Vec2>,
    /// Three corners per triangle.
    pub indices: Vec<u32>,
    /// The closed outlines.
    pub outlines: Vec<Vec<Vec2>>,
}

/// The drawing of a piece.
#[derive(Asset, TypePath, Clone, Debug, PartialEq)]
pub struct Silhouette {
    /// Its parts, the lowest first.
    pub parts: Vec<(Tone, Flat)>,
}

impl Silhouette {
    /// The piece in the colour of a side, one cell wide around the origin, perhaps with a pale rim that
    /// keeps it apart from a ground of similar brightness.
    pub fn sketch(&self, body: Rgb, rim: bool) -> Sketch {
        let mut sketch = Sketch::default();
        let outlined = || self.parts.iter().filter(|(tone, _)| tone.is_outlined());
        let mut round = |width: f32, colour: Rgb| {
            for outline in outlined().flat_map(|(_, shape)| &shape.outlines) {
                sketch.outline(outline, width, opaque(colour));
            }
        };
        if rim {
            round(2.0 * (OUTLINE + RIM), PALE);
        }
        round(2.0 * OUTLINE, INK);
        for (tone, shape) in &self.parts {
            sketch.triangles_of(&shape.points, &shape.indices, opaque(tone.colour(body)));
        }
        sketch
    }

    /// Paints the piece on a panel, `size` points wide, with this opacity.
    pub fn paint(
        &self,
        painter: &egui::Painter,
        centre: egui::Pos2,
        size: f32,
        body: Rgb,
        opacity: f32,
    ) {
        let place = |point: &Vec2| centre + egui::vec2(point.x, point.y) * size;
        let closed = |outline: &Vec<Vec2>, width: f32, colour: egui::Color32| {
            let points = outline.iter().map(place).collect();
            painter.add(egui::Shape::closed_line(points, egui::Stroke::new(width, colour)));
        };
        let solid = opacity >= 1.0;
        if solid {
            for (_, shape) in self.parts.iter().filter(|(tone, _)| tone.is_outlined()) {
                for outline in &shape.outlines {
                    closed(outline, 2.0 * OUTLINE * size, INK.egui());
                }
            }
        }
        for (tone, shape) in &self.parts {
            let colour = tone.colour(body).egui_alpha(opacity);
            let mut mesh = egui::Mesh::default();
            for point in &shape.points {
                mesh.colored_vertex(place(point), colour);
            }
            mesh.indices.extend_from_slice(&shape.indices);
            painter.add(mesh);
            if solid {
                // The mesh has hard edges; egui smooths a thin line along them.
                for outline in &shape.outlines {
                    closed(outline, 0.75, colour);
                }
            }
        }
    }
}

/// All silhouettes by name; present once they are loaded.
#[derive(Resource, Clone, Debug, Default)]
pub struct Pieces(Arc<HashMap<String, Silhouette>>);

impl Pieces {
    /// The silhouette with this name: the name of its file without extension.
    pub fn get(&self, name: &str) -> Option<&Silhouette> {
        self.0.get(name)
    }
}

impl Pieces {
    /// Reads silhouettes without a window.
    ///
    /// # Errors
    /// Which asset cannot be read, and why.
    pub fn read<'a>(
        assets: &AssetFolder,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, String> {
        let mut found = HashMap::default();
        for name in names {
            let path = piece_path(name);
            let bytes = assets.read(&path).map_err(|why| format!("{path}: {why}"))?;
            let silhouette = parse(&bytes).map_err(|why| format!("{path}: {why}"))?;
            found.insert(name.to_owned(), silhouette);
        }
        Ok(Self(Arc::new(found)))
    }
}

impl AssetCollection for Pieces {
    fn create(world: &mut World) -> Self {
        let server = world.resource::<AssetServer>();
        let loaded = world.resource::<Assets<Silhouette>>();
        Self(Arc::new(
            world
                .resource::<PieceNames>()
                .0
                .iter()
                .filter_map(|name| {
                    let handle = server.get_handle::<Silhouette>(piece_path(name))?;
                    Some(((*name).to_owned(), loaded.get(&handle)?.clone()))
                })
                .collect(),
        ))
    }

    fn load(world: &mut World) -> Vec<UntypedHandle> {
        let server = world.resource::<AssetServer>();
        let names = world.resource::<PieceNames>().0.iter();
        names.map(|name| server.load::<Silhouette>(piece_path(name)).untyped()).collect()
    }
}

fn piece_path(name: &str) -> String {
    format!("pieces/{name}.svg")
}

/// Why a silhouette could not be loaded.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum SilhouetteError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The file is not SVG.
    #[error("not an SVG file: {0}")]
    Xml(String),
    /// The drawing uses something that is not allowed.
    #[error("{0}")]
    Drawing(String),
}

/// Loads silhouettes from SVG files.
#[derive(Default, TypePath)]
struct SilhouetteLoader;

impl AssetLoader for SilhouetteLoader {
    type Asset = Silhouette;
    type Settings = ();
    type Error = SilhouetteError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        _context: &mut LoadContext<'_>,
    ) -> Result<Silhouette, SilhouetteError> {
        let mut bytes = Vec::new();
        reader
            .read_to_end(&mut bytes)
            .await
            .map_err(|error| SilhouetteError::Unreadable(error.to_string()))?;
        parse(&bytes)
    }

    fn extensions(&self) -> &[&str] {
        &["svg"]
    }
}

/// Reads a silhouette.
///
/// # Errors
/// If the bytes are not SVG, or draw with anything but filled paths of a [tone](Tone)'s class.
pub fn parse(bytes: &[u8]) -> Result<Silhouette, SilhouetteError> {
    let drawing = |what: String| SilhouetteError::Drawing(what);
    let text =
        std::str::from_utf8(bytes).map_err(|error| SilhouetteError::Xml(error.to_string()))?;
    let document = roxmltree::Document::parse(text)
        .map_err(|error| SilhouetteError::Xml(error.to_string()))?;
    let root = document.root_element();
    let view = root
        .attribute("viewBox")
        .ok_or_else(|| drawing("the viewBox is missing".into()))
        .and_then(|text| {
            ViewBox::from_str(text).map_err(|error| drawing(format!("viewBox: {error}")))
        })?;
    if !(view.w.is_finite() && view.w > 0.0 && view.w == view.h) {
        return Err(drawing("the viewBox must be square".into()));
    }
    let mut parts = Vec::new();
    let mut segments = 0;
    for node in root.descendants().filter(|node| node.is_element() && *node != root) {
        match node.tag_name().name() {
            "title" | "desc" | "metadata" => continue,
            "path" => {}
            other => return Err(drawing(format!("<{other}> is not allowed, only <path>"))),
        }
        if node.has_attribute("transform") {
            return Err(drawing("transform is not allowed: write the final coordinates".into()));
        }
        let tone = Tone::of_class(node.attribute("class")).ok_or_else(|| {
            drawing("a path needs class=\"body\", \"shade\", \"lit\", \"ink\" or \"pale\"".into())
        })?;
        let data = node.attribute("d").unwrap_or_default();
        let even_odd = node.attribute("fill-rule") == Some("evenodd");
        parts.extend(shape(data, &view, even_odd, &mut segments)?.map(|shape| (tone, shape)));
    }
    if !parts.iter().any(|(tone, _)| *tone == Tone::Body) {
        return Err(drawing("a path of class body is missing".into()));
    }
    Ok(Silhouette { parts })
}

/// A filled path; `None` if it covers nothing. Counts its segments.
fn shape(
    data: &str,
    view: &ViewBox,
    even_odd: bool,
    segments: &mut usize,
) -> Result<Option<Flat>, SilhouetteError> {
    let place = |x: f64, y: f64| {
        let x = (x - view.x) / view.w - 0.5;
        let y = (y - view.y) / view.h - 0.5;
        if x.abs() <= MAX_DISTANCE && y.abs() <= MAX_DISTANCE {
            Ok(point(x as f32, y as f32))
        } else {
            Err(SilhouetteError::Drawing("a path is far outside the viewBox".into()))
        }
    };
    let mut outline: Vec<Point> = Vec::new();
    let mut outlines = Vec::new();
    for segment in SimplifyingPathParser::from(data) {
        let segment =
            segment.map_err(|error| SilhouetteError::Drawing(format!("path: {error}")))?;
        *segments += 1;
        if *segments > MOST_SEGMENTS {
            return Err(SilhouetteError::Drawing("the drawing is too large".into()));
        }
        let from = outline.last().copied().unwrap_or_default();
        match segment {
            SimplePathSegment::MoveTo { x, y } => {
                outlines.push(std::mem::take(&mut outline));
                outline.push(place(x, y)?);
            }
            SimplePathSegment::LineTo { x, y } => outline.push(place(x, y)?),
            SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => CubicBezierSegment {
                from,
                ctrl1: place(x1, y1)?,
                ctrl2: place(x2, y2)?,
                to: place(x, y)?,
            }
            .for_each_flattened(TOLERANCE, &mut |line| outline.push(line.to)),
            SimplePathSegment::Quadratic { x1, y1, x, y } => {
                QuadraticBezierSegment { from, ctrl: place(x1, y1)?, to: place(x, y)? }
                    .for_each_flattened(TOLERANCE, &mut |line| outline.push(line.to));
            }
            // A new move follows after a close.
            SimplePathSegment::ClosePath => {}
        }
    }
    outlines.push(outline);
    let mut path = Path::builder();
    let mut flat = Flat::default();
    for outline in outlines.iter().filter(|outline| outline.len() > 2) {
        path.begin(outline[0]);
        for &corner in &outline[1..] {
            path.line_to(corner);
        }
        path.close();
        flat.outlines.push(outline.iter().map(|p| Vec2::new(p.x, p.y)).collect());
    }
    let rule = if even_odd { FillRule::EvenOdd } else { FillRule::NonZero };
    let mut buffers: VertexBuffers<Vec2, u32> = VertexBuffers::new();
    FillTessellator::new()
        .tessellate_path(
            &path.build(),
            &FillOptions::tolerance(TOLERANCE).with_fill_rule(rule),
            &mut BuffersBuilder::new(&mut buffers, |vertex: FillVertex<'_>| {
                Vec2::new(vertex.position().x, vertex.position().y)
            }),
        )
        .map_err(|error| SilhouetteError::Drawing(format!("a path cannot be filled: {error}")))?;
    (flat.points, flat.indices) = (buffers.vertices, buffers.indices);
    Ok((!flat.indices.is_empty()).then_some(flat))
}

/// Adds the silhouette loader.
pub fn plugin(app: &mut App) {
    app.init_resource::<PieceNames>()
        .init_asset::<Silhouette>()
        .init_asset_loader::<SilhouetteLoader>();
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn svg(inside: &str) -> String {
        format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='-50 -50 100 100'>{inside}</svg>")
    }

    #[test]
    fn a_square_becomes_two_triangles_with_y_downwards() {
        let text = svg("<path class='body' d='M-50-50h100v50h-100z'/>");
        let silhouette = parse(text.as_bytes()).unwrap();
        let [(Tone::Body, body)] = &silhouette.parts[..] else { panic!("{silhouette:?}") };
        assert_eq!(body.indices.len(), 6);
        assert!(body.points.iter().all(|p| p.y <= 1e-6 && p.y >= -0.5 - 1e-6));
    }

    #[test]
    fn curves_and_tones_are_read_in_order() {
        let text = svg("<path class='body' d='M0-40a40 40 0 1 1 0 80a40 40 0 1 1 0-80z'/>
             <path class='ink' d='M-10 0q10-20 20 0t-20 0z'/>");
        let parts = parse(text.as_bytes()).unwrap().parts;
        assert_eq!(parts.iter().map(|part| part.0).collect::<Vec<_>>(), [Tone::Body, Tone::Ink]);
        assert!(parts[0].1.points.len() > 20);
        assert!(parts[0].1.points.iter().all(|p| p.length() < 0.401));
    }

    #[test]
    fn errors_name_the_problem() {
        for (text, wanted) in [
            ("", "not an SVG file"),
            ("<svg/>", "viewBox"),
            ("<svg viewBox='0 0 10 20'/>", "square"),
            (&svg(""), "path of class body"),
            (&svg("<circle r='1'/>"), "<circle>"),
            (&svg("<path d='M0 0h1v1z'/>"), "class"),
            (&svg("<path class='body' d='M0 0h1e300v1z'/>"), "outside"),
            (&svg("<path class='body' d='hello'/>"), "path"),
        ] {
            let error = parse(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(wanted), "{text}: {error}");
        }
    }

    #[test]
    fn the_pieces_of_the_game_are_silhouettes() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pieces");
        let mut read = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let file = file.unwrap().path();
            let bytes = outwit_core::platform::store::read(&file).unwrap();
            if let Err(error) = parse(&bytes) {
                panic!("{}: {error}", file.display());
            }
            read += 1;
        }
        assert!(read > 0);
    }

    proptest! {
        #[test]
        fn any_path_is_read_or_refused(data in "[MLHVCSQTAZmlhvcsqtaz0-9 .,-]{0,60}") {
            let _ = parse(svg(&format!("<path class='body' d='{data}'/>")).as_bytes());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = parse(&bytes);
        }
    }
}
