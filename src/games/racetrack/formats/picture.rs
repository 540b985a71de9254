//! Pictures of tracks: one pixel a cell, dark off the track, light road, green start, red finish,
//! blue checkpoints.

use super::{plain, refused_size};
use crate::games::kind::Converted;
use crate::games::racetrack::level::TrackFile;
use crate::grid::{Cell, Grid};
use crate::levels::{Fault, read_ron, write_ron};
use std::io::Cursor;

const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The text chunk that holds what pixels cannot: name, author, description, rules.
const KEYWORD: &str = "outwit";
/// Most bytes that a decoder may hold: rows of the largest picture, with room to spare.
const MOST_BYTES: usize = 16 << 20;

/// Whether the bytes begin like a PNG.
pub fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The colour of a cell in a written picture. Checkpoints run from blue to azure.
fn colour(symbol: char) -> [u8; 3] {
    match symbol {
        '.' => [255, 255, 255],
        'S' => [0, 200, 0],
        'F' => [220, 0, 0],
        '1'..='9' => [0, (symbol as u8 - b'0') * 20, 255],
        _ => [0, 0, 0],
    }
}

/// The cell that a pixel means; tolerant of shades and soft edges.
fn symbol([red, green, blue, alpha]: [u8; 4]) -> char {
    let (r, g, b) = (i32::from(red), i32::from(green), i32::from(blue));
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    if alpha < 128 || most < 70 {
        return '#';
    }
    let chroma = most - least;
    // A colour counts once it makes up a third of the brightness.
    if 3 * chroma >= most {
        if most == r && (g - b).abs() * 2 <= chroma {
            return 'F';
        }
        if most == g && (b - r).abs() * 3 <= chroma * 2 {
            return 'S';
        }
        if most == b && r <= g + chroma / 2 {
            let step = (i32::from(green) * 255 / most + 10) / 20;
            return (b'0' + step.clamp(1, 9) as u8) as char;
        }
    }
    if r + g + b >= 3 * 110 { '.' } else { '#' }
}

/// Reads a picture.
pub fn read(bytes: &[u8], title: &str) -> Result<TrackFile, Vec<Fault>> {
    let broken = |error: png::DecodingError| {
        // The decoder quotes bytes of the file, which need not be fit to print.
        let why: String = error.to_string().chars().filter(|c| !c.is_control()).collect();
        vec![Fault::whole(format!("this picture is damaged and cannot be read: {why}"))]
    };
    let limits = png::Limits { bytes: MOST_BYTES };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    // The size stands in the header: too large a picture is refused before a pixel is unpacked.
    let header = decoder.read_header_info().map_err(broken)?;
    let (width, height) = (header.width as usize, header.height as usize);
    if let Some(fault) = refused_size(width, height) {
        return Err(vec![fault]);
    }
    let mut reader = decoder.read_info().map_err(broken)?;
    let size = reader
        .output_buffer_size()
        .ok_or_else(|| vec![Fault::whole("this picture is too large to be read")])?;
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).map_err(broken)?;
    let samples = frame.color_type.samples();
    let rgba = |pixel: &[u8]| match *pixel {
        [grey] => [grey, grey, grey, 255],
        [grey, alpha] => [grey, grey, grey, alpha],
        [r, g, b] => [r, g, b, 255],
        [r, g, b, alpha] => [r, g, b, alpha],
        _ => [0; 4],
    };
    let cells = Grid::from_fn(width, height, |cell| {
        let at = cell.y as usize * frame.line_size + cell.x as usize * samples;
        pixels.get(at..at + samples).map_or('#', |pixel| symbol(rgba(pixel)))
    });
    // Our own pictures carry the rest of the level; a damaged text costs no more than that.
    let _ = reader.finish();
    let told = reader
        .info()
        .utf8_text
        .iter()
        .find(|chunk| chunk.keyword == KEYWORD)
        .and_then(|chunk| chunk.get_text().ok())
        .and_then(|text| read_ron::<TrackFile>(text.as_bytes()).ok());
    Ok(match told {
        Some(mut level) => {
            level.set_cells(&cells);
            level
        }
        None => plain(title, &cells),
    })
}

/// Writes a picture; all of the level is in it.
pub fn write(level: &TrackFile) -> Result<Converted, String> {
    let cells = level.cells('#');
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, cells.width() as u32, cells.height() as u32);
    encoder.set_color(png::ColorType::Rgb);
    let rest = TrackFile { map: Vec::new(), ..level.clone() };
    let unwritten = |error: png::EncodingError| format!("the picture cannot be written: {error}");
    encoder.add_itxt_chunk(KEYWORD.into(), write_ron(&rest)).map_err(unwritten)?;
    let pixels: Vec<u8> = cells
        .cells()
        .map(|cell: Cell| colour(cells[cell]))
        .flat_map(<[u8; 3]>::into_iter)
        .collect();
    let mut writer = encoder.write_header().map_err(unwritten)?;
    writer.write_image_data(&pixels).map_err(unwritten)?;
    writer.finish().map_err(unwritten)?;
    Ok(Converted { bytes, lost: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_understood() {
        for own in ['#', '.', 'S', 'F', '1', '2', '3', '4', '5', '6', '7', '8', '9'] {
            let [r, g, b] = colour(own);
            assert_eq!(symbol([r, g, b, 255]), own);
        }
        assert_eq!(symbol([30, 40, 30, 255]), '#', "a dark shade");
        assert_eq!(symbol([200, 210, 190, 255]), '.', "a light shade");
        assert_eq!(symbol([255, 90, 80, 255]), 'F', "a soft red");
        assert_eq!(symbol([120, 255, 110, 255]), 'S', "a soft green");
        assert_eq!(symbol([255, 255, 255, 0]), '#', "nothing painted");
    }
}
