//! Pictures of levels: one pixel per cell, in the colours of the game's tiles.

use super::{plain, refused_format, refused_size};
use crate::reading::own_format;
use crate::{Converted, GameSpec};
use crate::{TileKind, background};
use outwit_core::escape::on_one_line;
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::{Fault, LevelFile, MAX_BYTES, RuleSet, read_ron, write_ron};
use std::io::Cursor;

const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The text chunk that holds the whole level.
const KEYWORD: &str = "outwit";
/// The start of that chunk.
const CHUNK: &[u8] = b"iTXtoutwit\0";
/// The memory limit of the decoder in bytes: the rows of the largest picture, with room to spare.
const MOST_BYTES: usize = MAX_BYTES as usize;
/// The most columns and rows of a picture whose cells are to be found in it.
const MOST_PIXELS: usize = 2048;

/// Whether the bytes begin like a PNG.
pub fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The colour of a cell in a written picture; black for unknown characters.
fn colour(palette: &[TileKind], symbol: char) -> [u8; 3] {
    palette.iter().find(|tile| tile.symbol == symbol).map_or([0; 3], |tile| tile.colour)
}

/// The tile for a pixel at a cell of a map of this size, tolerant of shades and soft edges but for tiles whose colour is
/// exact. A pixel with a colour gives the tile with the nearest hue, a grey one the tile with the nearest brightness, both
/// among the tiles that may be placed there.
pub fn symbol(
    palette: &[TileKind],
    pixel: [u8; 4],
    cell: Cell,
    (width, height): (usize, usize),
) -> char {
    let [red, green, blue, alpha] = pixel;
    let empty = background(palette, cell, width, height);
    if alpha < 128 {
        return empty;
    }
    let tiles = palette.iter().filter(|tile| tile.place.holds(cell, width, height));
    let mut exact = tiles.clone().filter(|tile| tile.is_colour_exact);
    if let Some(tile) = exact.find(|tile| tile.colour == [red, green, blue]) {
        return tile.symbol;
    }
    let tiles = tiles.filter(|tile| !tile.is_colour_exact);
    let nearest_hue = hue([red, green, blue]).and_then(|wanted| {
        tiles
            .clone()
            .filter_map(|tile| Some((hue_distance(hue(tile.colour)?, wanted), tile.symbol)))
            .filter(|&(hue_distance, _)| hue_distance <= 45.0)
            .min_by(|a, b| a.0.total_cmp(&b.0))
    });
    if let Some((_, symbol)) = nearest_hue {
        return symbol;
    }
    tiles
        .filter(|tile| hue(tile.colour).is_none())
        .min_by_key(|tile| (brightness(tile.colour) - brightness([red, green, blue])).abs())
        .map_or(empty, |tile| tile.symbol)
}

fn brightness(colour: [u8; 3]) -> i32 {
    colour.map(i32::from).into_iter().sum()
}

/// The hue of a colour in degrees; `None` for greys and near-black colours.
fn hue([red, green, blue]: [u8; 3]) -> Option<f32> {
    let r = f32::from(red);
    let g = f32::from(green);
    let b = f32::from(blue);
    let most = r.max(g).max(b);
    let least = r.min(g).min(b);
    let chroma = most - least;
    // A colour counts once it makes up a third of the brightness.
    if most < 70.0 || 3.0 * chroma < most {
        return None;
    }
    let sixth = if most == r {
        (g - b) / chroma
    } else if most == g {
        2.0 + (b - r) / chroma
    } else {
        4.0 + (r - g) / chroma
    };
    Some((60.0 * sixth).rem_euclid(360.0))
}

/// The angle between two hues in degrees.
fn hue_distance(a: f32, b: f32) -> f32 {
    let around = (a - b).abs();
    around.min(360.0 - around)
}

/// The pixels of a PNG picture that holds no level beside them, as red, green, blue and opacity; `None` if it is none.
///
/// # Errors
/// If it is damaged, or has more than 2048 columns or rows.
pub fn foreign_pixels(bytes: &[u8]) -> Option<Result<Grid<[u8; 4]>, Fault>> {
    let is_foreign = is_png(bytes) && !bytes.windows(CHUNK.len()).any(|window| window == CHUNK);
    is_foreign.then(|| {
        let (pixels, _) = decode(bytes, |width, height| {
            (width.max(height) > MOST_PIXELS).then(|| {
                Fault::whole(format!(
                    "this picture has {width} by {height} pixels; the maximum is {MOST_PIXELS} by \
                     {MOST_PIXELS}: scale it down"
                ))
            })
        })?;
        Ok(pixels)
    })
}

/// The pixels of a PNG picture and what it says besides, unless its size is refused.
fn decode(
    bytes: &[u8],
    refused: impl Fn(usize, usize) -> Option<Fault>,
) -> Result<(Grid<[u8; 4]>, png::Info<'static>), Fault> {
    let mut options = png::DecodeOptions::default();
    // Otherwise a damaged text chunk would be ignored silently.
    options.set_skip_ancillary_crc_failures(false);
    let mut decoder = png::Decoder::new_with_options(Cursor::new(bytes), options);
    decoder.set_limits(png::Limits { bytes: MOST_BYTES });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    // The size is in the header, so a picture that is too large is refused before it is unpacked.
    let header = decoder.read_header_info().map_err(unreadable)?;
    let width = header.width as usize;
    let height = header.height as usize;
    if let Some(fault) = refused(width, height) {
        return Err(fault);
    }
    let mut reader = decoder.read_info().map_err(unreadable)?;
    let size = reader
        .output_buffer_size()
        .ok_or_else(|| Fault::whole("this picture is too large to be read"))?;
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).map_err(unreadable)?;
    reader.finish().map_err(unreadable)?;
    let samples = frame.color_type.samples();
    let pixels = Grid::from_fn(width, height, |cell| {
        let at = cell.y as usize * frame.line_size + cell.x as usize * samples;
        match *pixels.get(at..at + samples).unwrap_or_default() {
            [grey] => [grey, grey, grey, 255],
            [grey, alpha] => [grey, grey, grey, alpha],
            [r, g, b] => [r, g, b, 255],
            [r, g, b, alpha] => [r, g, b, alpha],
            _ => [0; 4],
        }
    });
    Ok((pixels, reader.info().clone()))
}

/// Reads a PNG picture, one pixel per cell; the level embedded in it, if any, counts first.
pub fn read<G: GameSpec>(bytes: &[u8], title: &str) -> Result<G::Level, Vec<Fault>> {
    let (pixels, info) = decode(bytes, refused_size).map_err(|fault| vec![fault])?;
    let embedded_level = embedded_level::<G>(bytes, &info).map_err(|fault| vec![fault])?;
    let (width, height) = (pixels.width(), pixels.height());
    let size = (width, height);
    let Some(mut level) = embedded_level else {
        let cells = Grid::from_fn(width, height, |c| symbol(G::MAPS.palette, pixels[c], c, size));
        return Ok(plain::<G>(title, &cells));
    };
    // A pixel that still matches the embedded level keeps its tile; a repainted one gets a new tile.
    let said = same_size(&level, width, height).then(|| level.cells('\0'));
    let mut painted = said.is_none();
    let cells = Grid::from_fn(width, height, |cell| {
        let pixel = pixels[cell];
        let said = said.as_ref().map(|said| said[cell]);
        if let Some(said) = said {
            let [r, g, b] = colour(G::MAPS.palette, said);
            if pixel == [r, g, b, 255] {
                return said;
            }
        }
        painted = true;
        symbol(G::MAPS.palette, pixel, cell, size)
    });
    if painted {
        let cells = Grid::from_fn(width, height, |cell| match cells[cell] {
            '\0' => background(G::MAPS.palette, cell, width, height),
            symbol => symbol,
        });
        level.set_cells(&cells);
    }
    Ok(level)
}

fn same_size<R: RuleSet>(level: &LevelFile<R>, width: usize, height: usize) -> bool {
    level.map.len() == height
        && level.map.iter().map(|row| row.chars().count()).max() == Some(width)
}

fn unreadable(error: png::DecodingError) -> Fault {
    // The decoder quotes bytes of the file, which may not be printable.
    let why = on_one_line(&error.to_string());
    Fault::whole(format!("this picture is damaged and cannot be read: {why}"))
}

fn damaged(why: String) -> Fault {
    Fault::whole(format!(
        "the level in this picture's text is damaged ({why}); to read only the pixels, save the picture without \
         its text"
    ))
}

/// The level in the text chunk, if there is one.
fn embedded_level<G: GameSpec>(bytes: &[u8], info: &png::Info) -> Result<Option<G::Level>, Fault> {
    let Some(chunk) = info.utf8_text.iter().find(|chunk| chunk.keyword == KEYWORD) else {
        return match bytes.windows(CHUNK.len()).any(|window| window == CHUNK) {
            true => Err(damaged("it cannot be unpacked".into())),
            false => Ok(None),
        };
    };
    let mut chunk = chunk.clone();
    let text = chunk
        .decompress_text_with_limit(MOST_BYTES)
        .and_then(|()| chunk.get_text())
        .map_err(|error| damaged(error.to_string()))?;
    if let Some(fault) = own_format(text.as_bytes()).and_then(|format| refused_format::<G>(&format))
    {
        return Err(fault);
    }
    read_ron(text.as_bytes()).map(Some).map_err(|fault| damaged(fault.to_string()))
}

/// Writes a picture that contains the whole level.
///
/// # Errors
/// If the level has no cells.
pub fn write<R: RuleSet>(
    level: &LevelFile<R>,
    palette: &[TileKind],
) -> Result<Converted, png::EncodingError> {
    let cells = level.cells('\0');
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, cells.width() as u32, cells.height() as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.add_itxt_chunk(KEYWORD.into(), write_ron(level))?;
    let pixels: Vec<u8> =
        cells.as_slice().iter().flat_map(|&symbol| colour(palette, symbol)).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(Converted { bytes, lost: Vec::new() })
}
