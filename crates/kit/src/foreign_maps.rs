//! Maps of other programs that tell what each cell is, for games that walk on a grid: those of the benchmarks of
//! MovingAI (`.map`), and of the editor Tiled (`.tmj`).

mod moving_ai;
mod tiled;

use outwit_core::escape::on_one_line;
use outwit_core::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use outwit_core::levels::{Fault, decoded};

/// Extensions of these formats, without the dot.
pub const MAP_ENDINGS: &[&str] = &["map", "tmj"];

/// What a file in one of these formats holds, for people whose file holds no level.
pub const MAP_CONTENT: &str = "a map of MovingAI, which begins with a line such as 'type octile', or one of Tiled in \
                               JSON";

/// What a cell of such a map is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForeignTile {
    /// A floor.
    Free,
    /// Terrain that is harder to cross.
    Swamp,
    /// Nobody can enter.
    Wall,
    /// A guard or a cop stands here.
    Guard,
    /// The way begins here.
    Start,
    /// The way ends here.
    Goal,
}

/// A map as a file tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForeignMap {
    /// The cells.
    pub cells: Grid<ForeignTile>,
    /// What is not kept of the file, or how it had to be taken.
    pub unkept: Vec<String>,
}

/// Reads a map of at most this many rows and columns; `None` if the bytes are in none of the formats.
pub fn read_map(bytes: &[u8], most: usize) -> Option<Result<ForeignMap, Fault>> {
    let text = decoded(bytes)?;
    if moving_ai::is_map(&text) {
        return Some(moving_ai::read(&text, most));
    }
    tiled::is_map(&text).then(|| tiled::read(&text, most))
}

/// How likely the bytes are such a map, from 0 to 1, given also the extension of their file. No map names its game.
pub fn map_score(bytes: &[u8], ending: &str) -> f32 {
    let is_map = |text: &str| moving_ai::is_map(text) || tiled::is_map(text);
    let is_named = MAP_ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
    match decoded(bytes).is_some_and(|text| is_map(&text)) {
        true => 0.9,
        // Who names it so wants to know why it is none.
        false if is_named => 0.5,
        false => 0.0,
    }
}

/// The fault of a side of so many cells, if it is not allowed.
fn refused_side(what: &str, side: u64, most: usize) -> Option<String> {
    let is_fine = usize::try_from(side).is_ok_and(|side| (1..=most).contains(&side));
    (!is_fine).then(|| {
        format!("the {what} of the map is {side}; it can be 1 to {most} in this game: cut out a part of the map")
    })
}

impl ForeignMap {
    /// The fault of a map that misses something, with what was not kept of it, in which the cause may lie.
    pub fn refused(&self, what: &str) -> Fault {
        let why: Vec<&str> =
            std::iter::once(what).chain(self.unkept.iter().map(String::as_str)).collect();
        Fault::whole(why.join("; not kept: "))
    }
}

/// A name in a message.
fn quoted(name: &str) -> String {
    let shown: String = on_one_line(name).chars().take(40).collect();
    format!("'{shown}'")
}

/// The largest connected area of free cells; of several the first.
pub fn largest_area(is_free: &Grid<bool>) -> Grid<bool> {
    let mut largest = (0, is_free.map(|_| false));
    let mut known = is_free.map(|_| false);
    for begin in is_free.cells() {
        if !is_free[begin] || known[begin] {
            continue;
        }
        let reach = distances(is_free, [begin], &FOUR, |_, &free| free);
        let area = reach.map(|&distance| distance != UNREACHED);
        let size = area.as_slice().iter().filter(|&&is_in| is_in).count();
        for (cell, _) in area.iter().filter(|(_, is_in)| **is_in) {
            known[cell] = true;
        }
        if size > largest.0 {
            largest = (size, area);
        }
    }
    largest.1
}

/// The free cell that is farthest from another one in steps to the four sides; of several the first.
pub fn farthest(is_free: &Grid<bool>, from: Cell) -> Option<Cell> {
    let reach = distances(is_free, [from], &FOUR, |_, &free| free);
    let mut best: Option<(u32, Cell)> = None;
    for (cell, &distance) in reach.iter() {
        let is_far = distance != UNREACHED && distance > best.map_or(0, |(most, _)| most);
        if is_far {
            best = Some((distance, cell));
        }
    }
    best.map(|(_, cell)| cell)
}

/// Two cells far apart in the largest connected area of free cells; `None` if it has fewer than two.
pub fn far_apart(is_free: &Grid<bool>) -> Option<[Cell; 2]> {
    let area = largest_area(is_free);
    let (any, _) = area.iter().find(|(_, is_in)| **is_in)?;
    let start = farthest(&area, any)?;
    Some([start, farthest(&area, start)?])
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn free(rows: &[&str]) -> Grid<bool> {
        Grid::from_fn(rows[0].len(), rows.len(), |cell| {
            rows[cell.y as usize].as_bytes()[cell.x as usize] == b'.'
        })
    }

    #[test]
    fn the_ends_are_far_apart_in_the_largest_area() {
        let map = free(&["..#.....", "..#.###.", "###.#..."]);
        let [a, b] = far_apart(&map).unwrap();
        assert_eq!((a, b), (Cell::new(5, 2), Cell::new(3, 2)));
        assert!(!largest_area(&map)[Cell::new(0, 0)] && largest_area(&map)[Cell::new(7, 0)]);
        assert_eq!(far_apart(&free(&["#.#", "###"])), None);
        assert_eq!(far_apart(&free(&["###"])), None);
        assert_eq!(farthest(&free(&["..#."]), Cell::new(1, 0)), Some(Cell::new(0, 0)));
    }

    proptest! {
        #[test]
        fn no_bytes_cause_a_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..100),
            rows in "[.@OTSWG \n]{0,60}",
            sizes in (0_u32..9, 0_u32..9),
            field in prop::sample::select(vec!["data", "width", "height", "encoding", "infinite", "type", "layers"]),
            value in prop::sample::select(vec!["[1,2]", "0", "-1", "null", "\"base64\"", "{}", "4294967296", "\"AAAA\""]),
        ) {
            let (width, height) = sizes;
            let map = format!("type octile\nheight {height}\nwidth {width}\nmap\n{rows}");
            let tiled = format!(
                "{{\"type\":\"map\",\"width\":{width},\"height\":{height},\"tilewidth\":8,\"{field}\":{value},\"layers\":[\
                 {{\"type\":\"tilelayer\",\"data\":[1,0],\"width\":{width},\"height\":{height},\"{field}\":{value}}}]}}"
            );
            for bytes in [&bytes[..], map.as_bytes(), tiled.as_bytes()] {
                let _ = read_map(bytes, 8);
                let _ = map_score(bytes, "map");
            }
        }
    }
}
