//! Maps of MovingAI and Tiled as levels: walls are blocks, and a border is laid around the board.

use super::Cops;
use super::level::CopsFile;
use super::ring::Ring;
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::Fault;
use outwit_kit::{
    ForeignFormats, ForeignMap, ForeignTile, MAP_CONTENT, MAP_ENDINGS, largest_area, map_score,
    plain_level, read_map, title_of,
};

/// Formats that are only read.
pub(super) const FORMATS: ForeignFormats<Cops> = ForeignFormats {
    imports: MAP_ENDINGS,
    content: MAP_CONTENT,
    read,
    score: map_score,
    skipped,
    ..ForeignFormats::maps(&[])
};

/// The maximum width and height of a board, in cells without the border.
const MAX_SIDE: usize = 62;

fn read(bytes: &[u8], name: &str) -> Option<Result<Vec<CopsFile>, Vec<Fault>>> {
    let cells = found(bytes)?.map(|(cells, _)| cells);
    Some(
        cells
            .map(|cells| {
                let mut level = plain_level::<Cops>(&title_of(name), &cells);
                let cops = cells.as_slice().iter().filter(|&&symbol| symbol == 'C').count();
                level.rules.cops = level.rules.cops.max(u32::try_from(cops).unwrap_or(u32::MAX));
                vec![level]
            })
            .map_err(|fault| vec![fault]),
    )
}

fn skipped(bytes: &[u8]) -> Vec<String> {
    found(bytes).and_then(Result::ok).map(|(_, unkept)| unkept).unwrap_or_default()
}

/// The cells of a level with its border, and what is said of how they came about.
type Imported = (Grid<char>, Vec<String>);

fn found(bytes: &[u8]) -> Option<Result<Imported, Fault>> {
    Some(read_map(bytes, MAX_SIDE)?.and_then(cells_of))
}

fn cells_of(map: ForeignMap) -> Result<Imported, Fault> {
    let cells = &map.cells;
    let is_free = cells.map(|tile| *tile != ForeignTile::Wall);
    let area = largest_area(&is_free);
    let count = |grid: &Grid<bool>| grid.as_slice().iter().filter(|&&is_in| is_in).count();
    if count(&area) == 0 {
        return Err(map.refused("there is no free cell on the map"));
    }
    let mut unkept = map.unkept.clone();
    let cut_off = count(&is_free) - count(&area);
    let tiles = |wanted| cells.as_slice().iter().filter(|&&tile| tile == wanted).count();
    for (number, one, several, became) in [
        (
            cut_off,
            "free cell apart from the largest area",
            "free cells apart from the largest area",
            "block",
        ),
        (tiles(ForeignTile::Swamp), "cell of swamp", "cells of swamp", "free cell"),
        (tiles(ForeignTile::Goal), "goal", "goals", "free cell"),
    ] {
        match number {
            0 => {}
            1 => unkept.push(format!("1 {one}, which is a {became} here")),
            _ => unkept.push(format!("{number} {several}, which are {became}s here")),
        }
    }
    let width = cells.width() + 2;
    let height = cells.height() + 2;
    let ring = Ring::new(width, height);
    let symbols = Grid::from_fn(width, height, |cell| {
        let inside = cell - Cell::new(1, 1);
        match cells.get(inside) {
            _ if ring.place(cell).is_some() => '=',
            Some(tile) if area.get(inside) == Some(&true) => symbol_of(*tile),
            _ => '#',
        }
    });
    Ok((symbols, unkept))
}

fn symbol_of(tile: ForeignTile) -> char {
    match tile {
        ForeignTile::Free | ForeignTile::Swamp | ForeignTile::Goal => '.',
        ForeignTile::Wall => '#',
        ForeignTile::Guard => 'C',
        ForeignTile::Start => 'T',
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_kit::{DynGame, Erased};
    use proptest::prelude::*;

    const KIND: &dyn DynGame = Erased::<Cops>::GAME;

    fn benchmark(rows: &[&str]) -> String {
        let (height, width) = (rows.len(), rows[0].len());
        format!("type octile\nheight {height}\nwidth {width}\nmap\n{}\n", rows.join("\n"))
    }

    #[test]
    fn a_benchmark_gets_a_border_and_one_area() {
        let text = benchmark(&["@.S..@.", ".......", ".....@@", "...T.@."]);
        let level = KIND.read_collection(text.as_bytes(), "my map.map").unwrap().remove(0);
        assert_eq!(level.name, "my map");
        let level = outwit_kit::read_any::<Cops>(text.as_bytes(), "a.map").unwrap();
        assert_eq!(
            level.map,
            ["=========", "=#....#.=", "=.......=", "=.....##=", "=...#.##=", "========="]
        );
        assert_eq!(
            KIND.skipped(text.as_bytes()),
            [
                "1 free cell apart from the largest area, which is a block here",
                "1 cell of swamp, which is a free cell here"
            ]
        );
    }

    #[test]
    fn a_map_of_tiled_may_tell_who_starts_where() {
        let cells: Vec<&str> = ["3", "4"].into_iter().chain(["2"; 7]).chain(["0"; 55]).collect();
        let text = format!(
            r#"{{"type":"map","width":8,"height":8,"tilewidth":8,"layers":[{{"type":"tilelayer","data":[{}]}}],
            "tilesets":[{{"firstgid":1,"tiles":[{{"id":0,"type":"wall"}},{{"id":1,"type":"guard"}},
            {{"id":2,"type":"start"}},{{"id":3,"type":"goal"}}]}}]}}"#,
            cells.join(",")
        );
        let level = outwit_kit::read_level::<Cops>(text.as_bytes(), "a.tmj").unwrap();
        assert_eq!((level.map[1].as_str(), level.map[2].as_str()), ("=T.CCCCCC=", "=C.......="));
        assert_eq!(level.rules.cops, 7);
        assert_eq!(KIND.skipped(text.as_bytes()), ["1 goal, which is a free cell here"]);
    }

    #[test]
    fn what_cannot_be_played_says_why() {
        let why = |text: &str| KIND.check(text.as_bytes(), "a.map")[0].to_string();
        assert!(why(&benchmark(&["@@", "@T"])).contains("no free cell on the map"));
        let wide = why(&benchmark(&[&".".repeat(63)]));
        assert!(wide.contains("the width of the map is 63; it can be 1 to 62"), "{wide}");
        assert!(why(&benchmark(&["..", ".."])).contains("the map is 4 by 4 cells"));
        assert!(why("a letter").contains("it should hold a map of MovingAI"));
    }

    proptest! {
        #[test]
        fn no_map_causes_a_panic(width in 3_usize..12, cells in "[.@ST]{9,120}") {
            let rows: Vec<&str> = (0..cells.len() / width).map(|row| &cells[row * width..][..width]).collect();
            prop_assume!(!rows.is_empty());
            let text = benchmark(&rows);
            let _ = KIND.read_collection(text.as_bytes(), "x.map");
            // Whatever else may be missing, nothing is cut off.
            let faults = KIND.check(text.as_bytes(), "x.map");
            prop_assert!(faults.iter().all(|fault| !fault.to_string().contains("cut this cell off")));
            let _ = KIND.skipped(text.as_bytes());
        }
    }
}
