//! A picture that somebody has drawn, as a map: how large its cells are, and which tile each of its colours is.
//!
//! The cells are found by the lines in which colours change: those of a drawing that was enlarged lie at equal
//! distances. Both can be corrected by the person who imports it.

use outwit_core::grid::{Cell, Grid};
use outwit_kit::{DynGame, LevelDraft, TileKind, TileStyle, background, tile_of_colour};
use std::collections::HashMap;

/// The largest cell that is looked for, in pixels.
pub const MOST_CELL: usize = 64;
/// A picture with more columns or rows than this probably shows a cell with several pixels.
const SMALL: usize = 64;
/// The fewest columns and rows of cells that a picture is taken to have.
const FEWEST: usize = 5;
/// How much two pixels differ at least where a colour changes, of all three channels together.
const CHANGE: u32 = 48;
/// The most pixels of a soft edge, or of a line between cells.
const SOFT: usize = 3;
/// The share of changes that lie between cells.
const ON_LINES: f64 = 0.95;
/// The most colours that are told apart, and how far they are from each other at least.
const MOST_COLOURS: usize = 12;
const APART: u32 = 48 * 48;
/// The share of a map above which a tile is too common to be a piece, a start or a goal.
const COMMON: f64 = 0.1;
/// So many cells are few: a board of k in a row has no more, and many stones.
const FEW: usize = 400;

/// Where the cells of a picture are, in pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lattice {
    /// Width and height of a cell.
    pub cell: usize,
    /// Pixels on the left of the first column.
    pub left: usize,
    /// Pixels above the first row.
    pub top: usize,
}

impl Lattice {
    /// Columns and rows of whole cells in a picture, at least one each.
    pub fn size(&self, (width, height): (usize, usize)) -> (usize, usize) {
        let count =
            |side: usize, before: usize| (side.saturating_sub(before) / self.cell.max(1)).max(1);
        (count(width, self.left), count(height, self.top))
    }
}

/// One of the colours of a picture, and what it means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureColour {
    /// Red, green, blue and opacity.
    pub colour: [u8; 4],
    /// How many cells have it.
    pub cells: usize,
    /// The symbol of its tile.
    pub tile: char,
}

/// A picture as a map of a game.
pub struct PictureMap {
    kind: &'static dyn DynGame,
    pixels: Grid<[u8; 4]>,
    lattice: Lattice,
    colours: Vec<PictureColour>,
    /// Which of the colours each cell has.
    of_cell: Grid<usize>,
}

impl PictureMap {
    /// A picture with cells and tiles as they are found.
    pub fn new(kind: &'static dyn DynGame, pixels: Grid<[u8; 4]>) -> Self {
        let lattice = found(&pixels, *kind.facts().sides.end());
        let of_cell = pixels.map(|_| 0);
        let mut picture = Self { kind, pixels, lattice, colours: Vec::new(), of_cell };
        picture.divide();
        picture
    }

    /// The game.
    pub fn kind(&self) -> &'static dyn DynGame {
        self.kind
    }

    /// The pixels: red, green, blue and opacity.
    pub fn pixels(&self) -> &Grid<[u8; 4]> {
        &self.pixels
    }

    /// Where the cells are.
    pub fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// The colours, the most common one first.
    pub fn colours(&self) -> &[PictureColour] {
        &self.colours
    }

    /// Which colour is at a cell; `None` outside.
    pub fn colour_at(&self, cell: Cell) -> Option<usize> {
        self.of_cell.get(cell).copied()
    }

    /// Takes it as a map of another game: colours have other tiles, and cells stay where they are if it allows a map of
    /// as many.
    pub fn set_kind(&mut self, kind: &'static dyn DynGame) {
        let lattice = self.lattice;
        let pixels = std::mem::replace(&mut self.pixels, Grid::from_fn(1, 1, |_| [0; 4]));
        *self = Self::new(kind, pixels);
        let (width, height) = lattice.size((self.pixels.width(), self.pixels.height()));
        let sides = &kind.facts().sides;
        if sides.contains(&width) && sides.contains(&height) {
            self.set_lattice(lattice);
        }
    }

    /// Says where the cells are. Colours that stay keep their tiles.
    pub fn set_lattice(&mut self, lattice: Lattice) {
        let before = std::mem::take(&mut self.colours);
        let cell = lattice.cell.clamp(1, MOST_CELL);
        let within = |offset: usize| offset.min(cell - 1);
        self.lattice = Lattice { cell, left: within(lattice.left), top: within(lattice.top) };
        self.divide();
        for colour in &mut self.colours {
            if let Some(known) = before.iter().find(|known| known.colour == colour.colour) {
                colour.tile = known.tile;
            }
        }
    }

    /// Says which tile a colour is.
    pub fn set_tile(&mut self, colour: usize, tile: char) {
        if let Some(colour) = self.colours.get_mut(colour) {
            colour.tile = tile;
        }
    }

    /// The map. Cells where the tile of their colour may not be placed are empty.
    pub fn cells(&self) -> Grid<char> {
        let (width, height) = (self.of_cell.width(), self.of_cell.height());
        let palette = self.kind.facts().palette;
        Grid::from_fn(width, height, |cell| {
            let symbol = self.colours.get(self.of_cell[cell]).map(|colour| colour.tile);
            let tile = palette.iter().find(|tile| Some(tile.symbol) == symbol);
            match tile.filter(|tile| tile.place.holds(cell, width, height)) {
                Some(tile) => tile.symbol,
                None => background(palette, cell, width, height),
            }
        })
    }

    /// The level of the map, with the default rules.
    ///
    /// # Errors
    /// If the game allows no map of this size.
    pub fn draft(&self, name: &str) -> Result<LevelDraft, String> {
        let sides = &self.kind.facts().sides;
        let cells = self.cells();
        let (width, height) = (cells.width(), cells.height());
        if self.pixels.width().min(self.pixels.height()) < *sides.start() {
            return Err(format!(
                "This picture has {} by {} pixels, and {} needs {} cells each way. Choose a larger one.",
                self.pixels.width(),
                self.pixels.height(),
                self.kind.name(),
                sides.start()
            ));
        }
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(format!(
                "This would be {width} by {height} cells; {} can have {} to {} each way. Change the size of a cell.",
                self.kind.name(),
                sides.start(),
                sides.end()
            ));
        }
        Ok(LevelDraft {
            name: name.into(),
            author: String::new(),
            about: String::new(),
            rules: self.kind.default_rules(),
            cells,
        })
    }

    /// How many cells have each tile that is there, in the order of the game's tiles.
    pub fn counts(&self) -> Vec<(&'static TileKind, usize)> {
        let cells = self.cells();
        let count =
            |tile: &TileKind| cells.as_slice().iter().filter(|&&s| s == tile.symbol).count();
        let palette: &'static [TileKind] = self.kind.facts().palette;
        palette.iter().map(|tile| (tile, count(tile))).filter(|&(_, count)| count > 0).collect()
    }

    /// Finds the colour of each cell, and a tile for each colour.
    fn divide(&mut self) {
        let (columns, rows) = self.lattice.size((self.pixels.width(), self.pixels.height()));
        let sampled = Grid::from_fn(columns, rows, |cell| self.sample(cell));
        let (colours, of_cell) = grouped(&sampled);
        let mut counts = vec![0; colours.len()];
        of_cell.as_slice().iter().for_each(|&at: &usize| counts[at] += 1);
        let cells = of_cell.as_slice().len();
        self.of_cell = of_cell;
        let found = colours.into_iter().zip(counts);
        self.colours = found
            .map(|(colour, cells)| PictureColour { colour, cells, tile: self.tile_of(colour) })
            .collect();
        self.judge_common(cells);
    }

    /// The tile that a colour is if it is rare.
    fn tile_of(&self, colour: [u8; 4]) -> char {
        // At a cell that is not at the border of a map, where other tiles stand.
        tile_of_colour(self.kind.facts().palette, colour, Cell::new(1, 1), (3, 3))
    }

    /// Takes common colours for terrain: a green lawn is no start. Of a start, a goal or a piece, only the brightness
    /// counts; and if all of them would be the same terrain, how bright they are beside each other.
    fn judge_common(&mut self, cells: usize) {
        let palette = self.kind.facts().palette;
        let is_special = |symbol: char| {
            let tile = palette.iter().find(|tile| tile.symbol == symbol);
            let special = [TileStyle::Start, TileStyle::Goal, TileStyle::Mark];
            tile.is_some_and(|tile| special.contains(&tile.look))
        };
        // On a small map each cell is meant.
        if cells <= FEW {
            return;
        }
        let is_common = |colour: &PictureColour| colour.cells as f64 > COMMON * cells as f64;
        let common: Vec<usize> = (0..self.colours.len())
            .filter(|&at| is_common(&self.colours[at]) && self.colours[at].colour[3] >= 128)
            .collect();
        let grey = |level: u32| [level as u8, level as u8, level as u8, 255];
        let level = |picture: &Self, at: usize| {
            let [red, green, blue, _] = picture.colours[at].colour.map(u32::from);
            (red + green + blue) / 3
        };
        for &at in &common {
            if is_special(self.colours[at].tile) {
                self.colours[at].tile = self.tile_of(grey(level(self, at)));
            }
        }
        let tile = |at: &usize| self.colours[*at].tile;
        let are_alike = common.windows(2).all(|pair| tile(&pair[0]) == tile(&pair[1]));
        let levels: Vec<u32> = common.iter().map(|&at| level(self, at)).collect();
        let (Some(&least), Some(&most)) = (levels.iter().min(), levels.iter().max()) else {
            return;
        };
        if are_alike && most > least {
            for (at, level) in common.into_iter().zip(levels) {
                self.colours[at].tile = self.tile_of(grey((level - least) * 255 / (most - least)));
            }
        }
    }

    /// The colour that most pixels of a cell have, but for its rim, where lines between cells are.
    fn sample(&self, cell: Cell) -> [u8; 4] {
        let Lattice { cell: side, left, top } = self.lattice;
        let rim = side / 4;
        let (x, y) = (left + cell.x as usize * side, top + cell.y as usize * side);
        let inside = (rim..side - rim).flat_map(|dy| (rim..side - rim).map(move |dx| (dx, dy)));
        let mut all: Vec<[u8; 4]> = inside
            .filter_map(|(dx, dy)| {
                self.pixels.get(Cell::new((x + dx) as i32, (y + dy) as i32)).copied()
            })
            .collect();
        all.sort_unstable();
        let runs = all.chunk_by(|one, next| one == next);
        runs.max_by_key(|run| run.len()).map_or([0; 4], |run| run[0])
    }
}

/// How much two pixels differ, of all channels together.
fn change(a: [u8; 4], b: [u8; 4]) -> u32 {
    a.iter().zip(b).map(|(&a, b)| u32::from(a.abs_diff(b))).sum()
}

/// The square of the distance of two colours; all that are mostly clear are one.
fn distance(a: [u8; 4], b: [u8; 4]) -> u32 {
    match (a[3] < 128, b[3] < 128) {
        (true, true) => 0,
        (false, false) => a[..3].iter().zip(b).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum(),
        _ => u32::MAX,
    }
}

/// The columns on whose left, and the rows above which, a colour changes anywhere. Of a soft edge, and of a thin line
/// between cells, the first one.
fn lines(pixels: &Grid<[u8; 4]>) -> [Vec<usize>; 2] {
    let mut changes = [vec![false; pixels.width()], vec![false; pixels.height()]];
    for (cell, &pixel) in pixels.iter() {
        for (axis, before) in [Cell::new(-1, 0), Cell::new(0, -1)].into_iter().enumerate() {
            let differs = |&other: &[u8; 4]| change(pixel, other) >= CHANGE;
            let at = if axis == 0 { cell.x } else { cell.y };
            changes[axis][at as usize] |= pixels.get(cell + before).is_some_and(differs);
        }
    }
    changes.map(|changes| {
        let all: Vec<usize> = (0..changes.len()).filter(|&at| changes[at]).collect();
        let runs = all.chunk_by(|one, next| one + 1 == *next);
        runs.flat_map(|run| &run[..if run.len() > SOFT { run.len() } else { 1 }]).copied().collect()
    })
}

/// The remainder by `cell` that most of the lines have, and the share of them that have it.
fn most_common(lines: &[usize], cell: usize) -> (usize, f64) {
    let mut counts = vec![0_usize; cell];
    lines.iter().for_each(|at| counts[at % cell] += 1);
    let best = (0..cell).max_by_key(|&at| (counts[at], std::cmp::Reverse(at))).unwrap_or(0);
    (best, counts[best] as f64 / lines.len().max(1) as f64)
}

/// The largest cells on whose lines almost all changes of colour lie; one pixel for small pictures, and where there are
/// no such lines, as many as bring the map within `most` columns and rows.
fn found(pixels: &Grid<[u8; 4]>, most: usize) -> Lattice {
    let (width, height) = (pixels.width(), pixels.height());
    let plain = Lattice {
        cell: width.max(height).div_ceil(most.max(1)).clamp(1, MOST_CELL),
        left: 0,
        top: 0,
    };
    if width.max(height) <= SMALL.min(most) {
        return plain;
    }
    let lines = lines(pixels);
    // Two lines, as of a single rectangle, are at equal distances for many sizes.
    if lines.iter().any(|lines| lines.len() <= 2) {
        return plain;
    }
    let largest = (width.min(height) / FEWEST).min(MOST_CELL);
    let cells = (plain.cell.max(2)..=largest).rev();
    let mut lattices = cells.map(|cell| {
        let [(left, across), (top, down)] = [0, 1].map(|axis| most_common(&lines[axis], cell));
        (Lattice { cell, left, top }, across.min(down))
    });
    lattices.find(|&(_, share)| share >= ON_LINES).map_or(plain, |(lattice, _)| lattice)
}

/// The colours that are told apart, the most common ones first, and which of them each cell has.
fn grouped(sampled: &Grid<[u8; 4]>) -> (Vec<[u8; 4]>, Grid<usize>) {
    let mut counts: HashMap<[u8; 4], usize> = HashMap::new();
    sampled.as_slice().iter().for_each(|&colour| *counts.entry(colour).or_default() += 1);
    let mut all: Vec<([u8; 4], usize)> = counts.into_iter().collect();
    all.sort_by_key(|&(colour, count)| (std::cmp::Reverse(count), colour));
    let mut colours: Vec<[u8; 4]> = Vec::new();
    let mut group: HashMap<[u8; 4], usize> = HashMap::new();
    for (colour, _) in all {
        let near = (0..colours.len()).min_by_key(|&at| distance(colours[at], colour));
        let near = near
            .filter(|&at| distance(colours[at], colour) < APART || colours.len() == MOST_COLOURS);
        let at = near.unwrap_or_else(|| {
            colours.push(colour);
            colours.len() - 1
        });
        group.insert(colour, at);
    }
    let of_cell = sampled.map(|colour| group[colour]);
    let mut sizes = vec![0_usize; colours.len()];
    of_cell.as_slice().iter().for_each(|&at: &usize| sizes[at] += 1);
    let mut order: Vec<usize> = (0..colours.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(sizes[at]), at));
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    (order.iter().map(|&at| colours[at]).collect(), of_cell.map(|&at| place[at]))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::find;
    use proptest::prelude::*;

    const LAWN: [u8; 4] = [60, 160, 60, 255];
    const ROAD: [u8; 4] = [200, 200, 200, 255];
    const RED: [u8; 4] = [220, 30, 30, 255];

    fn racetrack() -> &'static dyn DynGame {
        find("racetrack").unwrap()
    }

    /// A lawn with a ring of road, on which two cells are red, each cell so many pixels wide, after a rim.
    fn drawing(side: usize, (left, top): (usize, usize)) -> Grid<[u8; 4]> {
        Grid::from_fn(left + 30 * side, top + 20 * side, |pixel| {
            let (x, y) = (pixel.x as usize, pixel.y as usize);
            let Some((x, y)) = x.checked_sub(left).zip(y.checked_sub(top)) else { return ROAD };
            let (x, y) = (x / side, y / side);
            let is_road = (3..27).contains(&x)
                && (3..17).contains(&y)
                && !((7..22).contains(&x) && (6..13).contains(&y));
            match (x, y) {
                (14, 14 | 15) => RED,
                _ if is_road => ROAD,
                _ => LAWN,
            }
        })
    }

    #[test]
    fn cells_of_an_enlarged_drawing_are_found_where_they_begin() {
        for (side, left, top) in [(8, 0, 0), (12, 5, 7), (33, 1, 0), (5, 4, 4)] {
            let picture = PictureMap::new(racetrack(), drawing(side, (left, top)));
            assert_eq!(picture.lattice(), Lattice { cell: side, left, top });
            assert_eq!(picture.cells().width(), 30);
            assert_eq!(picture.cells().height(), 20);
        }
        let mut ruled = drawing(12, (0, 0));
        for pixel in ruled.cells() {
            if pixel.x % 12 == 0 || pixel.y % 12 == 0 {
                ruled[pixel] = [0, 0, 0, 255];
            }
        }
        let ruled = PictureMap::new(racetrack(), ruled);
        assert_eq!(
            ruled.lattice(),
            Lattice { cell: 12, left: 0, top: 0 },
            "with lines between cells"
        );
        assert_eq!(ruled.colours().len(), 3, "which are no cells");
        let small = PictureMap::new(racetrack(), drawing(1, (0, 0)));
        assert_eq!(small.lattice(), Lattice { cell: 1, left: 0, top: 0 }, "a pixel a cell");
    }

    #[test]
    fn where_nothing_changes_there_are_no_cells_to_find() {
        let soft = |pixel: Cell| [pixel.x as u8, pixel.y as u8, 90, 255];
        let plain = Lattice { cell: 1, left: 0, top: 0 };
        assert_eq!(PictureMap::new(racetrack(), Grid::from_fn(256, 256, soft)).lattice(), plain);
        let flat = PictureMap::new(racetrack(), Grid::from_fn(100, 100, |_| ROAD));
        assert_eq!((flat.lattice(), flat.colours().len()), (plain, 1));
        let tiny = PictureMap::new(racetrack(), Grid::from_fn(1, 1, |_| ROAD));
        assert!(tiny.draft("x").unwrap_err().contains("1 by 1 pixels"));
    }

    #[test]
    fn stones_on_a_small_board_are_stones_however_many() {
        let colours = [[0, 114, 178, 255], [213, 94, 0, 255], [235, 235, 235, 255]];
        let stones = Grid::from_fn(15, 15, |at| colours[(at.x * 2 + at.y) as usize % 3]);
        let picture = PictureMap::new(find("mnk").unwrap(), stones);
        assert_eq!(picture.counts().len(), 3);
    }

    #[test]
    fn another_game_keeps_the_cells_if_it_can() {
        let mut picture = PictureMap::new(racetrack(), drawing(8, (0, 0)));
        let own = Lattice { cell: 16, left: 3, top: 0 };
        picture.set_lattice(own);
        picture.set_kind(find("stealth").unwrap());
        assert_eq!(picture.lattice(), own);
        picture.set_lattice(Lattice { cell: 1, left: 0, top: 0 });
        picture.set_kind(find("cops").unwrap());
        assert!(picture.draft("x").is_ok(), "240 by 160 cells are too many for it");
    }

    #[test]
    fn a_lawn_is_no_start() {
        let picture = PictureMap::new(racetrack(), drawing(8, (0, 0)));
        let colours: Vec<_> = picture.colours().iter().map(|known| known.colour).collect();
        assert_eq!(colours, [LAWN, ROAD, RED], "the most common first");
        let named = |picture: &PictureMap| -> Vec<(&str, usize)> {
            picture.counts().into_iter().map(|(tile, count)| (tile.name, count)).collect()
        };
        let lawn = 600 - 24 * 14 + 15 * 7;
        assert_eq!(
            named(&picture),
            [("Off the track", lawn), ("Road", 600 - lawn - 2), ("Finish", 2)]
        );
        assert_eq!(picture.draft("Ring").unwrap().cells[Cell::new(14, 15)], 'F');
    }

    #[test]
    fn a_lawn_and_a_road_that_are_both_dark_are_told_apart() {
        let dark = drawing(8, (0, 0)).map(|&pixel| match pixel {
            ROAD => [120, 120, 125, 255],
            other => other,
        });
        let picture = PictureMap::new(racetrack(), dark);
        let tiles: String = picture.colours().iter().map(|colour| colour.tile).collect();
        assert_eq!(tiles, "#.F");
    }

    #[test]
    fn a_correction_keeps_the_tiles_of_colours_that_stay() {
        let mut picture = PictureMap::new(racetrack(), drawing(8, (0, 0)));
        picture.set_tile(1, 'S');
        picture.set_lattice(Lattice { cell: 4, left: 2, top: 0 });
        assert_eq!(picture.colours()[1].tile, 'S');
        assert_eq!(picture.cells().height(), 40);
        picture.set_lattice(Lattice { cell: 1, left: 9, top: 9 });
        assert_eq!(picture.lattice(), Lattice { cell: 1, left: 0, top: 0 });
    }

    #[test]
    fn a_size_that_a_game_does_not_allow_is_refused_with_what_to_do() {
        let mut picture = PictureMap::new(find("cops").unwrap(), drawing(8, (0, 0)));
        picture.set_lattice(Lattice { cell: 1, left: 0, top: 0 });
        let why = picture.draft("Town").unwrap_err();
        assert!(why.contains("240 by 160") && why.contains("5 to 64"), "{why}");
    }

    #[test]
    fn shades_of_a_colour_are_one_colour() {
        let noisy = Grid::from_fn(40, 40, |cell| {
            let shade = ((cell.x * 7 + cell.y * 13) % 20) as u8;
            if cell.x < 20 {
                [50 + shade, 150 + shade, 50, 255]
            } else {
                [190 + shade, 190, 190 + shade, 255]
            }
        });
        let picture = PictureMap::new(racetrack(), noisy);
        let cells: Vec<usize> = picture.colours().iter().map(|colour| colour.cells).collect();
        assert_eq!(cells, [800, 800]);
    }

    proptest! {
        #[test]
        fn no_picture_causes_a_panic(
            width in 1..90_usize,
            height in 1..90_usize,
            few in 1..200_u32,
            (cell, left, top) in (0..200_usize, 0..200_usize, 0..200_usize),
            game in 0..crate::GAMES.len(),
        ) {
            let pixels = Grid::from_fn(width, height, |at| {
                let mixed = ((at.x as u32 * 31 + at.y as u32 * 17) % few).wrapping_mul(0x9e37_79b9);
                mixed.to_le_bytes()
            });
            let mut picture = PictureMap::new(crate::GAMES[game], pixels);
            let check = |picture: &PictureMap| {
                assert!(picture.colours().len() <= MOST_COLOURS);
                let counted: usize = picture.colours().iter().map(|colour| colour.cells).sum();
                assert_eq!(counted, picture.cells().as_slice().len());
                let _ = picture.draft("x");
            };
            check(&picture);
            picture.set_lattice(Lattice { cell, left, top });
            check(&picture);
            picture.set_tile(99, '?');
        }
    }
}
