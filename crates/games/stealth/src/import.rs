//! Maps of MovingAI and Tiled as levels. Where such a map has no start or goal, cells far apart are chosen.

use super::Stealth;
use super::level::{GroundTile, MAX_SIDE, StealthFile};
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::Fault;
use outwit_kit::{
    ForeignFormats, ForeignMap, ForeignTile, MAP_CONTENT, MAP_ENDINGS, far_apart, farthest,
    map_score, plain_level, read_map, title_of,
};

/// Formats that are only read.
pub(super) const FORMATS: ForeignFormats<Stealth> = ForeignFormats {
    imports: MAP_ENDINGS,
    content: MAP_CONTENT,
    read,
    score,
    skipped,
    ..ForeignFormats::maps(&[])
};

fn read(bytes: &[u8], name: &str) -> Option<Result<Vec<StealthFile>, Vec<Fault>>> {
    let cells = found(bytes)?.map(|(cells, _)| cells);
    Some(
        cells
            .map(|cells| vec![plain_level::<Stealth>(&title_of(name), &cells)])
            .map_err(|fault| vec![fault]),
    )
}

/// No map names its game, but a goal makes one of this game more likely than one of any other.
fn score(bytes: &[u8], ending: &str) -> f32 {
    match read_map(bytes, MAX_SIDE) {
        Some(Ok(map)) if map.cells.as_slice().contains(&ForeignTile::Goal) => 0.95,
        _ => map_score(bytes, ending),
    }
}

fn skipped(bytes: &[u8]) -> Vec<String> {
    found(bytes).and_then(Result::ok).map(|(_, unkept)| unkept).unwrap_or_default()
}

/// The cells of a level, and what is said of how they came about.
type Imported = (Grid<char>, Vec<String>);

fn found(bytes: &[u8]) -> Option<Result<Imported, Fault>> {
    Some(read_map(bytes, MAX_SIDE)?.and_then(cells_of))
}

fn cells_of(map: ForeignMap) -> Result<Imported, Fault> {
    let cells = &map.cells;
    let is_free = cells.map(|tile| !matches!(tile, ForeignTile::Wall | ForeignTile::Guard));
    let first = |wanted| cells.iter().find(|(_, tile)| **tile == wanted).map(|(cell, _)| cell);
    let ends = match (first(ForeignTile::Start), first(ForeignTile::Goal)) {
        (None, None) => far_apart(&is_free),
        (Some(start), None) => farthest(&is_free, start).map(|goal| [start, goal]),
        (None, Some(goal)) => farthest(&is_free, goal).map(|start| [start, goal]),
        (Some(start), Some(goal)) => Some([start, goal]),
    };
    let no_ends = "there are no two connected free cells, as a start and a goal need them";
    let ends = ends.ok_or_else(|| map.refused(no_ends))?;
    let mut symbols = cells.map(|&tile| tile_of(tile).to_char());
    let ends = [("start", ForeignTile::Start, ends[0]), ("goal", ForeignTile::Goal, ends[1])];
    let mut unkept = map.unkept.clone();
    for (what, tile, cell) in ends {
        if first(tile).is_none() {
            place(&mut symbols, cell, tile);
            unkept.push(format!("its {what}, which it does not tell: the cell {cell} was chosen"));
        }
    }
    Ok((symbols, unkept))
}

fn place(symbols: &mut Grid<char>, cell: Cell, tile: ForeignTile) {
    if let Some(symbol) = symbols.get_mut(cell) {
        *symbol = tile_of(tile).to_char();
    }
}

fn tile_of(tile: ForeignTile) -> GroundTile {
    match tile {
        ForeignTile::Free => GroundTile::Free,
        ForeignTile::Swamp => GroundTile::Difficult,
        ForeignTile::Wall => GroundTile::Wall,
        ForeignTile::Guard => GroundTile::Guard,
        ForeignTile::Start => GroundTile::Start,
        ForeignTile::Goal => GroundTile::Goal,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_kit::{DynGame, Erased};
    use proptest::prelude::*;

    const KIND: &dyn DynGame = Erased::<Stealth>::GAME;

    fn rows(text: &str) -> (Vec<String>, Vec<String>) {
        let level = outwit_kit::read_level::<Stealth>(text.as_bytes(), "my map.map").unwrap();
        assert_eq!(level.name, "my map");
        (level.map.clone(), KIND.skipped(text.as_bytes()))
    }

    #[test]
    fn a_benchmark_gets_a_start_and_a_goal_far_apart() {
        let (map, said) = rows("type octile\nheight 3\nwidth 6\nmap\n..S@.W\n@@.@@@\n...T..\n");
        assert_eq!(map, ["Y.X#.#", "##.###", "O..#.."]);
        assert_eq!(
            said,
            [
                "1 cell of water, which is a wall here",
                "its start, which it does not tell: the cell (0,2) was chosen",
                "its goal, which it does not tell: the cell (0,0) was chosen",
            ]
        );
    }

    fn tiled(data: &str) -> String {
        format!(
            r#"{{"type":"map","width":4,"height":2,"tilewidth":8,"layers":[{{"type":"tilelayer","data":{data}}}],
            "tilesets":[{{"firstgid":1,"tiles":[{{"id":0,"type":"wall"}},{{"id":1,"type":"guard"}},
            {{"id":2,"type":"start"}},{{"id":3,"type":"goal"}}]}}]}}"#
        )
    }

    #[test]
    fn a_map_of_tiled_may_tell_all() {
        let (map, said) = rows(&tiled("[3,1,2,0, 0,0,0,4]"));
        assert_eq!((map, said.len()), (vec!["O#Z.".to_owned(), "...Y".to_owned()], 0));
        let score = |data: &str| KIND.format_score(tiled(data).as_bytes(), "a.tmj");
        assert!(score("[3,1,2,0, 0,0,0,4]") > score("[3,1,2,0, 0,0,0,0]"));
        let (map, said) = rows(&tiled("[3,1,2,0, 0,0,0,0]"));
        assert_eq!(map, ["O#ZY", "...."]);
        assert_eq!(said, ["its goal, which it does not tell: the cell (3,0) was chosen"]);
        let (map, said) = rows(&tiled("[0,1,2,0, 0,0,4,0]"));
        assert_eq!(map, ["O#Z.", "..Y."]);
        assert_eq!(said, ["its start, which it does not tell: the cell (0,0) was chosen"]);
    }

    #[test]
    fn what_cannot_be_played_says_why() {
        let why = |text: &str| KIND.check(text.as_bytes(), "a.map")[0].to_string();
        let wall = "type octile\nheight 1\nwidth 3\nmap\n.@.\n";
        assert!(why(wall).contains("no two connected free cells"), "{}", why(wall));
        let unnamed = why(&tiled("[9,9,9,9,9,9,9,9]").replace("wall", "?"));
        assert!(
            unnamed
                .contains("cells, as a start and a goal need them; not kept: what tiles without"),
            "{unnamed}"
        );
        assert!(why(&tiled("[3,1,3,0, 0,0,0,4]")).contains("more than one start"));
        let wide = "type octile\nheight 1\nwidth 65\nmap\n";
        assert!(
            why(wide).contains("the width of the map is 65; it can be 1 to 64"),
            "{}",
            why(wide)
        );
        assert!(
            why("a letter")
                .contains("there is no level in this map file; it should hold a map of MovingAI")
        );
    }

    proptest! {
        #[test]
        fn no_map_causes_a_panic(width in 1_usize..8, cells in "[.@ST]{0,40}") {
            let rows: Vec<String> = cells.as_bytes().chunks_exact(width).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
            let text = format!("type octile\nheight {}\nwidth {width}\nmap\n{}\n", rows.len(), rows.join("\n"));
            match KIND.read_collection(text.as_bytes(), "x.map") {
                Ok(_) => prop_assert!(KIND.check(text.as_bytes(), "x.map").is_empty()),
                Err(faults) => prop_assert_eq!(faults.len(), 1),
            }
            let _ = KIND.skipped(text.as_bytes());
        }
    }
}
