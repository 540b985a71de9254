//! Maps of the editor Tiled in JSON, <https://doc.mapeditor.org/en/stable/reference/json-map-format/>.
//!
//! What a tile means is told by its class in the tileset, or by a property of it: `floor`, `swamp`, `wall` (or
//! `collides` or `solid`), `guard`, `start` or `goal`. Tiles without such a word are floor where another tile is called a wall, and walls otherwise.
//! Cells without a tile are floor. Layers lie above each other as in Tiled.

use super::{ForeignMap, ForeignTile, quoted, refused_side};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use outwit_core::escape::on_one_line;
use outwit_core::grid::Grid;
use outwit_core::levels::{Fault, MAX_SIDE};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// The bits of a cell that name its tile; those above say how it is flipped and turned.
const TILE_BITS: u32 = 0x0fff_ffff;

/// Numbers of a layer beyond this many are only counted.
const MOST_CELLS: usize = MAX_SIDE * MAX_SIDE;

/// The deepest groups of layers in groups.
const DEEPEST: usize = 16;

#[derive(Deserialize)]
struct Map {
    width: u64,
    height: u64,
    layers: Vec<Layer>,
    #[serde(default)]
    infinite: bool,
    orientation: Option<String>,
    #[serde(default)]
    tilesets: Vec<Tileset>,
}

#[derive(Deserialize)]
struct Layer {
    #[serde(default)]
    name: String,
    #[serde(rename = "type", default)]
    kind: String,
    visible: Option<bool>,
    width: Option<u64>,
    height: Option<u64>,
    data: Option<Data>,
    compression: Option<String>,
    chunks: Option<IgnoredAny>,
    #[serde(default)]
    layers: Vec<Layer>,
}

/// The cells of a layer.
enum Data {
    /// The first of them, and how many there are.
    Numbers(Vec<u32>, usize),
    /// In base64.
    Text(String),
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DataVisitor;
        impl<'de> Visitor<'de> for DataVisitor {
            type Value = Data;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an array of tile numbers or a text in base64")
            }

            fn visit_str<E>(self, text: &str) -> Result<Data, E> {
                Ok(Data::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Data, A::Error> {
                let mut kept = Vec::new();
                let mut count = 0;
                while let Some(number) = numbers.next_element::<u32>()? {
                    count += 1;
                    if kept.len() < MOST_CELLS {
                        kept.push(number);
                    }
                }
                Ok(Data::Numbers(kept, count))
            }
        }
        deserializer.deserialize_any(DataVisitor)
    }
}

#[derive(Deserialize)]
struct Tileset {
    firstgid: u32,
    source: Option<String>,
    #[serde(default)]
    tiles: Vec<Tile>,
}

#[derive(Deserialize)]
struct Tile {
    id: u32,
    #[serde(rename = "type")]
    kind: Option<String>,
    class: Option<String>,
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    value: serde_json::Value,
}

impl Tile {
    /// What the tile means, if it says so.
    fn meaning(&self) -> Option<ForeignTile> {
        let classes = [&self.kind, &self.class].into_iter().flatten().map(String::as_str);
        let properties = self.properties.iter().filter_map(|property| match &property.value {
            serde_json::Value::Bool(true) => Some(&*property.name),
            serde_json::Value::String(text) if matches!(&*property.name, "type" | "class") => {
                Some(text)
            }
            _ => None,
        });
        classes.chain(properties).find_map(meaning)
    }
}

fn meaning(word: &str) -> Option<ForeignTile> {
    Some(match &*word.trim().to_ascii_lowercase() {
        "floor" => ForeignTile::Free,
        "swamp" => ForeignTile::Swamp,
        // The usual properties of tiles for programs that use maps of Tiled.
        "wall" | "collides" | "solid" => ForeignTile::Wall,
        "guard" => ForeignTile::Guard,
        "start" => ForeignTile::Start,
        "goal" => ForeignTile::Goal,
        _ => return None,
    })
}

/// Whether a text is such a map, or one of Tiled in XML.
pub(super) fn is_map(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let is_json = text.starts_with('{') && text.contains("\"layers\"");
    (is_json || is_xml(text)) && text.contains("tilewidth")
}

fn is_xml(text: &str) -> bool {
    text.starts_with('<') && text.contains("<map ")
}

/// Reads a map of at most so many rows and columns.
///
/// # Errors
/// The first problem, with its place.
pub(super) fn read(text: &str, most: usize) -> Result<ForeignMap, Fault> {
    let text = text.trim_start_matches('\u{feff}');
    if is_xml(text.trim_start()) {
        return Err(Fault::whole(
            "this is a map of Tiled in XML; only those in JSON can be read: save it in Tiled with a name that ends in \
             .tmj",
        ));
    }
    let map: Map = serde_json::from_str(text).map_err(|error| {
        let what = format!("this map of Tiled cannot be read: {}", on_one_line(&error.to_string()));
        Fault::text(error.line().max(1), error.column().max(1), what)
    })?;
    cells_of(&map, most).map_err(Fault::whole)
}

fn cells_of(map: &Map, most: usize) -> Result<ForeignMap, String> {
    if let Some(orientation) = map.orientation.as_deref().filter(|it| *it != "orthogonal") {
        return Err(format!(
            "the map is {}; only orthogonal maps can be read",
            quoted(orientation)
        ));
    }
    if map.infinite {
        return Err(
            "infinite maps cannot be read: turn off Infinite in Tiled, in Map > Map Properties"
                .into(),
        );
    }
    for (what, side) in [("height", map.height), ("width", map.width)] {
        if let Some(why) = refused_side(what, side, most) {
            return Err(why);
        }
    }
    let side = |side: u64| usize::try_from(side).unwrap_or(0);
    let meanings = meanings(&map.tilesets);
    let has_walls = meanings.values().any(|meaning| *meaning == ForeignTile::Wall);
    let mut reader = LayerReader {
        map,
        meanings: &meanings,
        // Decoration does not cover what lies below it.
        unnamed: (!has_walls).then_some(ForeignTile::Wall),
        cells: Grid::filled(side(map.width), side(map.height), ForeignTile::Free),
        unkept: Vec::new(),
        unnamed_count: 0,
        tile_layers: 0,
    };
    reader.take(&map.layers, 0)?;
    let LayerReader { cells, mut unkept, unnamed_count, tile_layers, .. } = reader;
    if tile_layers == 0 {
        return Err("there is no tile layer in the map that can be seen".into());
    }
    if unnamed_count > 0 {
        let taken = match has_walls {
            true => "floor",
            false => "walls; if they are floor, give the tiles of walls the class wall in Tiled",
        };
        unkept.push(format!(
            "what tiles without a known class are (in {unnamed_count} places), which were taken for {taken}"
        ));
    }
    let outside = map.tilesets.iter().filter(|set| set.source.is_some()).count();
    if outside > 0 {
        unkept.push(format!(
            "the classes of tiles in {outside} external tilesets; embed them in the map in Tiled"
        ));
    }
    Ok(ForeignMap { cells, unkept })
}

/// What the tiles of all tilesets mean that say so, by their number in the map.
fn meanings(tilesets: &[Tileset]) -> BTreeMap<u32, ForeignTile> {
    let tiles = tilesets.iter().flat_map(|set| set.tiles.iter().map(move |tile| (set, tile)));
    tiles
        .filter_map(|(set, tile)| Some((set.firstgid.checked_add(tile.id)?, tile.meaning()?)))
        .collect()
}

struct LayerReader<'a> {
    map: &'a Map,
    meanings: &'a BTreeMap<u32, ForeignTile>,
    /// What a tile without a meaning is, if it covers what lies below it.
    unnamed: Option<ForeignTile>,
    cells: Grid<ForeignTile>,
    unkept: Vec<String>,
    /// Cells of such tiles.
    unnamed_count: usize,
    tile_layers: usize,
}

impl LayerReader<'_> {
    fn take(&mut self, layers: &[Layer], depth: usize) -> Result<(), String> {
        if depth == DEEPEST {
            return Err(format!("there are groups of layers in more than {DEEPEST} groups"));
        }
        for layer in layers {
            let name = quoted(&layer.name);
            if layer.visible == Some(false) {
                self.unkept.push(format!("the hidden layer {name}"));
                continue;
            }
            match &*layer.kind {
                "group" => self.take(&layer.layers, depth + 1)?,
                "tilelayer" => {
                    self.lay(layer).map_err(|why| format!("layer {name}: {why}"))?;
                    self.tile_layers += 1;
                }
                kind => self.unkept.push(format!("the layer {name} of the type {}", quoted(kind))),
            }
        }
        Ok(())
    }

    /// Lays a layer of tiles over the cells.
    fn lay(&mut self, layer: &Layer) -> Result<(), String> {
        if layer.chunks.is_some() {
            return Err(
                "it is infinite: turn off Infinite in Tiled, in Map > Map Properties".into()
            );
        }
        let is_other = |own: Option<u64>, side: u64| own.is_some_and(|own| own != side);
        if is_other(layer.width, self.map.width) || is_other(layer.height, self.map.height) {
            return Err("its size is not that of the map".into());
        }
        let numbers = numbers(layer, self.cells.len())?;
        for (cell, number) in self.cells.as_mut_slice().iter_mut().zip(numbers) {
            let tile = number & TILE_BITS;
            if tile == 0 {
                continue;
            }
            let known = self.meanings.get(&tile).copied();
            self.unnamed_count += usize::from(known.is_none());
            if let Some(meaning) = known.or(self.unnamed) {
                *cell = meaning;
            }
        }
        Ok(())
    }
}

/// The numbers of a layer of so many cells.
fn numbers(layer: &Layer, cells: usize) -> Result<Vec<u32>, String> {
    let wrong = |count: usize| format!("it has {count} tiles, but the map has {cells} cells");
    match &layer.data {
        None => Err("it has no data".into()),
        Some(Data::Numbers(numbers, count)) if *count == cells => Ok(numbers.clone()),
        Some(Data::Numbers(_, count)) => Err(wrong(*count)),
        Some(Data::Text(text)) => {
            let bytes = BASE64_STANDARD
                .decode(text.trim())
                .map_err(|error| format!("its data are no base64: {error}"))?;
            let bytes = match layer.compression.as_deref() {
                None | Some("") => bytes,
                Some("zlib") => decompress_to_vec_zlib_with_limit(&bytes, 4 * cells)
                    .map_err(|_| format!("its data are damaged, or more than {cells} tiles"))?,
                Some(other) => {
                    return Err(format!(
                        "data that are compressed with {} cannot be read: choose CSV or zlib in Tiled, in Map > Map \
                         Properties > Tile Layer Format",
                        quoted(other)
                    ));
                }
            };
            if bytes.len() != 4 * cells {
                return Err(wrong(bytes.len() / 4));
            }
            let (words, _) = bytes.as_chunks();
            Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::foreign_maps::{map_score, read_map};
    use ForeignTile::{Free, Goal, Guard, Start, Swamp, Wall};
    use miniz_oxide::deflate::compress_to_vec_zlib;

    /// A map of 3 by 2 cells with these layers and tiles of its tileset, which begins at 5.
    fn map(layers: &str, tiles: &str) -> String {
        format!(
            r#"{{ "type":"map", "version":"1.10", "orientation":"orthogonal", "infinite":false, "width":3, "height":2,
            "tilewidth":16, "tileheight":16, "layers":[{layers}],
            "tilesets":[{{"firstgid":5, "name":"set", "tilecount":9, "tiles":[{tiles}]}}] }}"#
        )
    }

    fn layer(data: &str, more: &str) -> String {
        format!(
            r#"{{"type":"tilelayer","name":"Ground","visible":true,"width":3,"height":2,"data":{data}{more}}}"#
        )
    }

    const TILES: &str = r#"{"id":0,"type":"Wall"},{"id":1,"class":"guard"},
        {"id":2,"properties":[{"name":"start","type":"bool","value":true}]},
        {"id":3,"properties":[{"name":"class","value":"goal"},{"name":"wall","value":false}]},
        {"id":4,"type":"swamp"},{"id":5,"type":"floor"},{"id":6,"type":"tree"},
        {"id":7,"properties":[{"name":"collides","value":true}]}"#;

    fn read(text: &str) -> ForeignMap {
        read_map(text.as_bytes(), 3).unwrap().unwrap()
    }

    #[test]
    fn tiles_mean_what_their_class_or_a_property_says() {
        let found = read(&map(&layer("[5,6,7,8,9,0]", ""), TILES));
        assert_eq!(found.cells.as_slice(), [Wall, Guard, Start, Goal, Swamp, Free]);
        assert!(found.unkept.is_empty() && found.cells.width() == 3);
        assert_eq!(read(&map(&layer("[12,0,0,0,0,0]", ""), TILES)).cells.as_slice()[0], Wall);
        // Flipped and turned tiles are the same.
        let flipped: Vec<String> =
            (0..4).map(|bit| ((5 + bit) | (0x1000_0000_u32 << bit)).to_string()).collect();
        let found = read(&map(&layer(&format!("[{},0,0]", flipped.join(",")), ""), TILES));
        assert_eq!(found.cells.as_slice(), [Wall, Guard, Start, Goal, Free, Free]);
    }

    #[test]
    fn tiles_without_a_class_are_walls_unless_others_are() {
        let found = read(&map(&layer("[5,0,77,11,1,0]", ""), ""));
        assert_eq!(found.cells.as_slice(), [Wall, Free, Wall, Wall, Wall, Free]);
        assert_eq!(
            found.unkept,
            [
                "what tiles without a known class are (in 4 places), which were taken for walls; if they are floor, give the \
              tiles of walls the class wall in Tiled"
            ]
        );
        let found = read(&map(&layer("[5,0,77,11,1,0]", ""), TILES));
        assert_eq!(found.cells.as_slice(), [Wall, Free, Free, Free, Free, Free]);
        assert!(found.unkept[0].ends_with("(in 3 places), which were taken for floor"));
    }

    #[test]
    fn layers_lie_above_each_other() {
        let group =
            format!(r#"{{"type":"group","name":"G","layers":[{}]}}"#, layer("[0,10,11,0,0,8]", ""));
        let others = r#"{"type":"objectgroup","name":"Doors","objects":[]},{"type":"imagelayer","name":"Sky"},
            {"type":"tilelayer","name":"Notes","visible":false}"#;
        let layers = [layer("[5,5,5,0,0,0]", ""), group, others.to_owned()].join(",");
        let found = read(&map(&layers, TILES));
        assert_eq!(found.cells.as_slice(), [Wall, Free, Wall, Free, Free, Goal]);
        assert_eq!(
            found.unkept[..3],
            [
                "the layer 'Doors' of the type 'objectgroup'",
                "the layer 'Sky' of the type 'imagelayer'",
                "the hidden layer 'Notes'",
            ]
        );
    }

    #[test]
    fn layers_may_be_in_base64() {
        let bytes: Vec<u8> =
            [5_u32, 0, 6, 0, 0, 0x8000_0008].iter().flat_map(|it| it.to_le_bytes()).collect();
        let wanted = [Wall, Free, Guard, Free, Free, Goal];
        let text = |bytes: &[u8]| format!("\"{}\"", BASE64_STANDARD.encode(bytes));
        let plain = layer(&text(&bytes), r#","encoding":"base64""#);
        assert_eq!(read(&map(&plain, TILES)).cells.as_slice(), wanted);
        let zlib = layer(
            &text(&compress_to_vec_zlib(&bytes, 6)),
            r#","encoding":"base64","compression":"zlib""#,
        );
        assert_eq!(read(&map(&zlib, TILES)).cells.as_slice(), wanted);
        let bomb = compress_to_vec_zlib(&[0; 1 << 20], 9);
        let bomb = layer(&text(&bomb), r#","encoding":"base64","compression":"zlib""#);
        let why = read_map(map(&bomb, "").as_bytes(), 3).unwrap().unwrap_err().to_string();
        assert!(
            why.contains("layer 'Ground': its data are damaged, or more than 6 tiles"),
            "{why}"
        );
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let good = map(&layer("[5,6,7,8,9,0]", ""), TILES);
        for (from, to, wanted) in [
            (
                "\"infinite\":false",
                "\"infinite\":true",
                "infinite maps cannot be read: turn off Infinite",
            ),
            ("orthogonal", "hexagonal", "the map is 'hexagonal'; only orthogonal maps"),
            (
                "\"width\":3, \"h",
                "\"width\":4000000000, \"h",
                "the width of the map is 4000000000; it can be 1 to 3",
            ),
            ("\"height\":2,\n", "\"height\":0,\n", "the height of the map is 0"),
            ("\"height\":2,\n", "\"height\":-2,\n", "line 1, column "),
            (
                "\"height\":2,\n",
                "\"height\":1,\n",
                "layer 'Ground': its size is not that of the map",
            ),
            ("9,0]", "9]", "layer 'Ground': it has 5 tiles, but the map has 6 cells"),
            ("9,0]", "9,0,0]", "layer 'Ground': it has 7 tiles"),
            ("9,0]", "9,4294967296]", "cannot be read: invalid value: integer `4294967296`"),
            ("[5,6,7,8,9,0]", "\"?\"", "layer 'Ground': its data are no base64"),
            ("[5,6,7,8,9,0]", "\"BQAAAA==\"", "layer 'Ground': it has 1 tiles"),
            (
                "[5,6,7,8,9,0]",
                "\"BQAA\",\"compression\":\"zstd\"",
                "compressed with 'zstd' cannot be read: choose CSV or zlib",
            ),
            ("\"data\":", "\"chunks\":[],\"dota\":", "layer 'Ground': it is infinite"),
            ("\"data\":", "\"dota\":", "layer 'Ground': it has no data"),
            (
                "\"visible\":true",
                "\"visible\":false",
                "there is no tile layer in the map that can be seen",
            ),
            ("}] }", "", "cannot be read: EOF while parsing"),
        ] {
            let text = good.replacen(from, to, 1);
            assert_ne!(text, good, "{from}");
            let why = read_map(text.as_bytes(), 3).unwrap().unwrap_err().to_string();
            assert!(why.contains(wanted), "{to}: {why}");
        }
        let xml = "<?xml version=\"1.0\"?>\n<map version=\"1.10\" tilewidth=\"16\">";
        let why = read_map(xml.as_bytes(), 3).unwrap().unwrap_err().to_string();
        assert!(why.contains("in XML; only those in JSON"), "{why}");
        let deep = format!("{}{}", r#"{"type":"group","layers":["#.repeat(17), "]}".repeat(17));
        let why = read_map(map(&deep, "").as_bytes(), 3).unwrap().unwrap_err().to_string();
        assert!(why.contains("more than 16 groups"), "{why}");
        assert!(
            read_map(b"{\"layers\":[]}", 3).is_none() && map_score(good.as_bytes(), "json") > 0.8
        );
    }
}
