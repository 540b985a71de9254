//! The tiles of maps: how they look, where they may lie, and maps of them.

use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::{Fault, unknown_characters};

/// How a cell of a level looks in small pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TileStyle {
    /// Outside, rock, water.
    Void,
    /// Where one can go.
    Ground,
    /// What stops.
    Wall,
    /// Where play begins.
    Start,
    /// Where it wants to end.
    Goal,
    /// Something else to notice.
    Mark,
}

/// Where on a map a tile may be placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// On every cell.
    Anywhere,
    /// On the outermost cells only.
    Border,
    /// On all but the outermost cells.
    Inside,
}

impl Placement {
    /// Whether a cell of a map of this size belongs to it.
    pub fn holds(self, cell: Cell, width: usize, height: usize) -> bool {
        let border =
            cell.x == 0 || cell.y == 0 || cell.x + 1 == width as i32 || cell.y + 1 == height as i32;
        match self {
            Placement::Anywhere => true,
            Placement::Border => border,
            Placement::Inside => !border,
        }
    }
}

/// The cells that a piece covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Footprint {
    /// One cell.
    One,
    /// The number of cells given by this rule, in a row.
    Row(&'static str),
    /// The number of cells given by this rule, in a column.
    Column(&'static str),
    /// The number of cells given by this rule, clockwise along the border.
    Border(&'static str),
}

/// A kind of tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileKind {
    /// Its character in the map.
    pub symbol: char,
    /// Its title.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
    /// Its style in pictures of levels.
    pub look: TileStyle,
    /// Where it may be placed.
    pub place: Placement,
    /// For a piece, which is placed and dragged instead of painted: the cells it covers.
    pub piece: Option<Footprint>,
    /// For a piece of one cell, the tiles that it may stand on without replacing them, each with the
    /// tile of both together.
    pub stands_on: &'static [(char, char)],
    /// The maximum number on a map, if no rule changes it.
    pub most: Option<usize>,
    /// The character of the same tile after a quarter turn.
    pub turned: char,
    /// The character of the same tile with left and right exchanged.
    pub mirrored: char,
    /// A character to draw on it where there is room.
    pub label: Option<char>,
    /// Its silhouette, by file name under `assets/pieces`.
    pub silhouette: Option<&'static str>,
    /// Its colour (red, green, blue) in levels that are pictures.
    pub colour: [u8; 3],
    /// Whether a picture means it by just this colour only, and not by one that is near.
    pub is_colour_exact: bool,
    /// Other characters for it in text levels of other programs.
    pub aliases: &'static str,
    /// The key that selects it in the editor; without one, a digit by its place in the table.
    pub key: Option<char>,
    /// Whether it is one of a series that maps use in the order of the table.
    pub in_series: bool,
}

impl TileKind {
    /// A kind of terrain.
    pub const fn terrain(
        symbol: char,
        name: &'static str,
        help: &'static str,
        look: TileStyle,
        place: Placement,
    ) -> Self {
        Self {
            symbol,
            name,
            help,
            look,
            place,
            piece: None,
            stands_on: &[],
            most: None,
            turned: symbol,
            mirrored: symbol,
            label: None,
            silhouette: None,
            colour: match look {
                TileStyle::Void => [0, 0, 0],
                TileStyle::Ground => [255, 255, 255],
                TileStyle::Wall => [64, 64, 64],
                TileStyle::Start => [0, 200, 0],
                TileStyle::Goal => [220, 0, 0],
                TileStyle::Mark => [0, 60, 255],
            },
            is_colour_exact: false,
            aliases: "",
            key: None,
            in_series: false,
        }
    }

    /// Sets its colour in levels that are pictures, instead of the one of its style.
    pub const fn coloured(self, colour: [u8; 3]) -> Self {
        Self { colour, ..self }
    }

    /// Sets a colour that a picture must have just so, since pictures of other programs have ones like it.
    pub const fn coloured_exactly(self, colour: [u8; 3]) -> Self {
        Self { colour, is_colour_exact: true, ..self }
    }

    /// Adds characters for it in text levels of other programs.
    pub const fn or(self, aliases: &'static str) -> Self {
        Self { aliases, ..self }
    }

    /// Sets the character to draw on it.
    pub const fn labelled(self, label: char) -> Self {
        Self { label: Some(label), ..self }
    }

    /// Lets a piece stand on tiles, each with the tile of both together.
    pub const fn standing_on(self, stands_on: &'static [(char, char)]) -> Self {
        Self { stands_on, ..self }
    }

    /// Sets the key that selects it in the editor: a capital letter or a digit.
    pub const fn keyed(self, key: char) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Makes it one of a series.
    pub const fn in_series(self) -> Self {
        Self { in_series: true, ..self }
    }

    /// Makes it a piece.
    pub const fn piece(self, span: Footprint) -> Self {
        Self { piece: Some(span), ..self }
    }
}

/// How the tile with this character looks; nothing where there is none.
pub fn look_of(palette: &[TileKind], symbol: char) -> TileStyle {
    let tile = palette.iter().find(|tile| tile.symbol == symbol);
    tile.map_or(TileStyle::Void, |tile| tile.look)
}

/// The piece and the tile under it, if a tile is a piece that stands on another tile.
pub fn piece_and_ground(palette: &[TileKind], symbol: char) -> Option<(&TileKind, char)> {
    palette.iter().find_map(|tile| {
        let (ground, _) = tile.stands_on.iter().find(|&&(_, both)| both == symbol)?;
        Some((tile, *ground))
    })
}

/// What a tile becomes after a change that tiles with a direction go through, such as
/// [`TileKind::turned`]; unknown characters stay.
pub fn changed(palette: &[TileKind], symbol: char, to: fn(&TileKind) -> char) -> char {
    palette.iter().find(|tile| tile.symbol == symbol).map_or(symbol, to)
}

/// The character of an empty cell on a map of this size.
pub fn background(palette: &[TileKind], cell: Cell, width: usize, height: usize) -> char {
    palette
        .iter()
        .find(|tile| tile.piece.is_none() && tile.place.holds(cell, width, height))
        .map_or('.', |tile| tile.symbol)
}

/// A map of this size in which each cell holds what an empty cell there holds.
pub fn blank(palette: &[TileKind], width: usize, height: usize) -> Grid<char> {
    Grid::from_fn(width, height, |cell| background(palette, cell, width, height))
}

/// Empties cells whose tile may not be placed there. Unknown characters stay, because the checks
/// report them.
pub fn clear_misplaced(palette: &[TileKind], cells: &mut Grid<char>) {
    let width = cells.width();
    let height = cells.height();
    for cell in cells.cells() {
        let known = palette.iter().find(|tile| tile.symbol == cells[cell]);
        if known.is_some_and(|tile| !tile.place.holds(cell, width, height)) {
            cells[cell] = background(palette, cell, width, height);
        }
    }
}

/// A fault for each character of a map that is not known, with the characters of the tiles.
pub fn unknown_tiles(
    palette: &[TileKind],
    cells: &Grid<char>,
    is_known: impl Fn(char) -> bool,
) -> Vec<Fault> {
    let words = palette.iter().map(|tile| match tile.name.chars().eq([tile.symbol]) {
        true => tile.name.to_owned(),
        false => format!("{} {}", tile.symbol, tile.name.to_lowercase()),
    });
    unknown_characters(cells, is_known, &words.collect::<Vec<_>>().join(", "))
}
