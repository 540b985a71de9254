//! Silhouettes of the pieces: small SVG files, tessellated into meshes that stay crisp at any zoom.
//!
//! A piece is drawn on a square `viewBox` by one or more `<path class="body" d="...">` and
//! optionally `<path class="mark" d="...">`, which the board draws in a second colour. Its mesh is
//! one unit wide and centred, with y upwards.

use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext, RenderAssetUsages};
use bevy::mesh::{Indices, PrimitiveTopology};
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
use svgtypes::{SimplePathSegment, SimplifyingPathParser, ViewBox};

/// The silhouettes to load, each a file `pieces/NAME.svg`; boards and levels name theirs.
#[derive(Resource, Clone, Debug, Default)]
pub struct PieceNames(pub BTreeSet<&'static str>);

/// The largest distance between a curve and its polygon, in widths of a piece: a fifth of a pixel on
/// a piece 1000 pixels wide.
const TOLERANCE: f32 = 0.0002;

/// Coordinates more than this many widths outside the `viewBox` are refused, because the tessellator
/// cannot handle huge ones.
const MAX_DISTANCE: f64 = 10.0;

/// Files with more segments than this are refused.
const MOST_SEGMENTS: usize = 10_000;

/// A filled shape in the plane, one unit wide, y upwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flat {
    /// Corners of the triangles.
    pub points: Vec<Vec2>,
    /// Three corners per triangle.
    pub indices: Vec<u32>,
    /// The closed outlines, for smooth edges.
    pub outlines: Vec<Vec<Vec2>>,
}

impl Flat {
    fn mesh(&self) -> Mesh {
        let positions: Vec<_> = self.points.iter().map(|p| [p.x, p.y, 0.0]).collect();
        let uvs: Vec<_> = self.points.iter().map(|p| [p.x + 0.5, 0.5 - p.y]).collect();
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 0.0, 1.0]; positions.len()])
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
            .with_inserted_indices(Indices::U32(self.indices.clone()))
    }

    /// Paints it on a panel, `size` points wide, turned by `angle` radians counter-clockwise.
    pub fn paint(
        &self,
        painter: &egui::Painter,
        centre: egui::Pos2,
        size: f32,
        angle: f32,
        colour: egui::Color32,
    ) {
        let turn = Vec2::from_angle(angle);
        let place = |point: &Vec2| {
            let point = turn.rotate(*point) * size;
            centre + egui::vec2(point.x, -point.y)
        };
        let mut mesh = egui::Mesh::default();
        for point in &self.points {
            mesh.colored_vertex(place(point), colour);
        }
        mesh.indices.extend_from_slice(&self.indices);
        painter.add(mesh);
        // The mesh has hard edges; egui smooths a thin line along them.
        for outline in &self.outlines {
            let points = outline.iter().map(place).collect();
            painter.add(egui::Shape::closed_line(points, egui::Stroke::new(0.75, colour)));
        }
    }
}

/// The drawing of a piece.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct Silhouette {
    /// The shape in the colour of the side.
    pub body: Handle<Mesh>,
    /// Details in a second colour.
    pub mark: Option<Handle<Mesh>>,
    /// The shape of the body, for panels.
    pub body_shape: Flat,
    /// The shape of the details, for panels.
    pub mark_shape: Option<Flat>,
}

/// All silhouettes by name; present once they are loaded.
#[derive(Resource, Clone, Debug, Default)]
pub struct Pieces(HashMap<String, Silhouette>);

impl Pieces {
    /// The silhouette with this name: the name of its file without extension.
    pub fn get(&self, name: &str) -> Option<&Silhouette> {
        self.0.get(name)
    }
}

impl AssetCollection for Pieces {
    fn create(world: &mut World) -> Self {
        let server = world.resource::<AssetServer>();
        let loaded = world.resource::<Assets<Silhouette>>();
        let piece = |name: &&str| {
            let handle = server.get_handle::<Silhouette>(piece_path(name))?;
            Some(((*name).to_owned(), loaded.get(&handle)?.clone()))
        };
        Self(world.resource::<PieceNames>().0.iter().filter_map(piece).collect())
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
        context: &mut LoadContext<'_>,
    ) -> Result<Silhouette, SilhouetteError> {
        let mut bytes = Vec::new();
        reader
            .read_to_end(&mut bytes)
            .await
            .map_err(|error| SilhouetteError::Unreadable(error.to_string()))?;
        let (body, mark) = parse(&bytes)?;
        Ok(Silhouette {
            body: context.add_labeled_asset("body", body.mesh()),
            mark: mark.as_ref().map(|mark| context.add_labeled_asset("mark", mark.mesh())),
            body_shape: body,
            mark_shape: mark,
        })
    }

    fn extensions(&self) -> &[&str] {
        &["svg"]
    }
}

/// Reads the body and the mark of a silhouette.
///
/// # Errors
/// If the bytes are not SVG, or draw with anything but filled paths of class body and mark.
pub fn parse(bytes: &[u8]) -> Result<(Flat, Option<Flat>), SilhouetteError> {
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
    let (mut body, mut mark) = (Shapes::default(), Shapes::default());
    for node in root.descendants().filter(|node| node.is_element() && *node != root) {
        match node.tag_name().name() {
            "title" | "desc" | "metadata" => continue,
            "path" => {}
            other => return Err(drawing(format!("<{other}> is not allowed, only <path>"))),
        }
        if node.has_attribute("transform") {
            return Err(drawing("transform is not allowed: write the final coordinates".into()));
        }
        let shapes = match node.attribute("class") {
            Some("body") => &mut body,
            Some("mark") => &mut mark,
            _ => return Err(drawing("a path needs class=\"body\" or class=\"mark\"".into())),
        };
        let data = node.attribute("d").unwrap_or_default();
        let even_odd = node.attribute("fill-rule") == Some("evenodd");
        shapes.add(data, &view, even_odd)?;
    }
    let body = body.finish()?.ok_or_else(|| drawing("a path of class body is missing".into()))?;
    Ok((body, mark.finish()?))
}

/// Paths of one class.
#[derive(Default)]
struct Shapes {
    paths: Vec<(Path, FillRule)>,
    outlines: Vec<Vec<Vec2>>,
    segments: usize,
}

impl Shapes {
    fn add(&mut self, data: &str, view: &ViewBox, even_odd: bool) -> Result<(), SilhouetteError> {
        let place = |x: f64, y: f64| {
            let x = (x - view.x) / view.w - 0.5;
            let y = 0.5 - (y - view.y) / view.h;
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
            self.segments += 1;
            if self.segments > MOST_SEGMENTS {
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
        for outline in outlines.iter().filter(|outline| outline.len() > 2) {
            path.begin(outline[0]);
            for &corner in &outline[1..] {
                path.line_to(corner);
            }
            path.close();
            self.outlines.push(outline.iter().map(|p| Vec2::new(p.x, p.y)).collect());
        }
        let rule = if even_odd { FillRule::EvenOdd } else { FillRule::NonZero };
        self.paths.push((path.build(), rule));
        Ok(())
    }

    fn finish(self) -> Result<Option<Flat>, SilhouetteError> {
        let mut buffers: VertexBuffers<Vec2, u32> = VertexBuffers::new();
        for (path, rule) in &self.paths {
            FillTessellator::new()
                .tessellate_path(
                    path,
                    &FillOptions::tolerance(TOLERANCE).with_fill_rule(*rule),
                    &mut BuffersBuilder::new(&mut buffers, |vertex: FillVertex<'_>| {
                        Vec2::new(vertex.position().x, vertex.position().y)
                    }),
                )
                .map_err(|error| {
                    SilhouetteError::Drawing(format!("a path cannot be filled: {error}"))
                })?;
        }
        if buffers.indices.is_empty() {
            return Ok(None);
        }
        Ok(Some(Flat {
            points: buffers.vertices,
            indices: buffers.indices,
            outlines: self.outlines,
        }))
    }
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
    fn a_square_becomes_two_triangles_with_y_upwards() {
        let text = svg("<path class='body' d='M-50-50h100v50h-100z'/>");
        let (body, mark) = parse(text.as_bytes()).unwrap();
        assert_eq!(body.indices.len(), 6);
        assert!(body.points.iter().all(|p| p.y >= -1e-6 && p.y <= 0.5 + 1e-6));
        assert!(mark.is_none());
    }

    #[test]
    fn curves_and_marks_are_read() {
        let text = svg("<path class='body' d='M0-40a40 40 0 1 1 0 80a40 40 0 1 1 0-80z'/>
             <path class='mark' d='M-10 0q10-20 20 0t-20 0z'/>");
        let (body, mark) = parse(text.as_bytes()).unwrap();
        assert!(body.points.len() > 40);
        assert!(body.points.iter().all(|p| p.length() < 0.401));
        assert!(mark.is_some());
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
