//! What the pixels of a picture mean.

use outwit_core::grid::Cell;
use outwit_headless::{GAMES, find};
use outwit_kit::DynGame;

/// What a pixel means at a cell of a map of 12 by 12 cells that is all of this colour.
fn symbol(kind: &dyn DynGame, pixel: [u8; 4], cell: Cell) -> char {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 12, 12);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&pixel.repeat(144)).unwrap();
    writer.finish().unwrap();
    kind.open(&bytes, "x.png").unwrap().cells[cell]
}

/// What a pixel means in the middle of a map.
fn inside(game: &str, pixel: [u8; 4]) -> char {
    symbol(find(game).unwrap(), pixel, Cell::new(3, 3))
}

#[test]
fn own_colours_are_understood() {
    for &kind in GAMES {
        for tile in kind.facts().palette {
            let [r, g, b] = tile.colour;
            for cell in [Cell::new(0, 4), Cell::new(4, 4)] {
                if tile.place.holds(cell, 12, 12) {
                    assert_eq!(symbol(kind, [r, g, b, 255], cell), tile.symbol, "{}", tile.name);
                }
            }
        }
    }
}

#[test]
fn shades_are_understood() {
    assert_eq!(inside("racetrack", [30, 40, 30, 255]), '#', "a dark shade");
    assert_eq!(inside("racetrack", [200, 210, 190, 255]), '.', "a light shade");
    assert_eq!(inside("racetrack", [255, 90, 80, 255]), 'F', "a soft red");
    assert_eq!(inside("racetrack", [120, 255, 110, 255]), 'S', "a soft green");
    assert_eq!(inside("racetrack", [255, 255, 60, 255]), '.', "no yellow in the palette");
    assert_eq!(inside("racetrack", [255, 255, 255, 0]), '#', "nothing painted");
    assert_eq!(inside("cops", [0, 0, 0, 255]), '#', "black is a block inside the border");
    assert_eq!(inside("cops", [0, 0, 0, 0]), '.', "nothing painted");
}
