//! The tiles to choose from while a map is drawn, and their keys.

use super::tiles::TileKind;
use outwit_core::grid::Grid;

/// The key that selects a tile in the editor: its own, or a digit for the first nine.
pub fn tile_key(palette: &[TileKind], index: usize) -> Option<char> {
    let own = palette.get(index)?.key;
    own.or_else(|| char::from_digit(index as u32 + 1, 10).filter(|_| index < 9))
}

/// The tiles to choose from while a map is drawn: of a series, those that are on the map and the next one.
pub fn offered_tiles(palette: &'static [TileKind], cells: &Grid<char>) -> Vec<&'static TileKind> {
    let mut has_next = false;
    palette
        .iter()
        .filter(|tile| {
            !tile.in_series
                || cells.as_slice().contains(&tile.symbol)
                || !std::mem::replace(&mut has_next, true)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tiles::{Placement, TileStyle};
    use super::*;

    const fn tile(symbol: char) -> TileKind {
        TileKind::terrain(symbol, "", "", TileStyle::Mark, Placement::Anywhere)
    }

    const PALETTE: &[TileKind] = &[
        tile('.'),
        tile('1').in_series().keyed('1'),
        tile('2').in_series().keyed('2'),
        tile('3').in_series().keyed('3'),
        tile('#').keyed('W'),
    ];

    #[test]
    fn of_a_series_those_in_use_and_the_next_are_offered() {
        let offered = |cells: &str| -> String {
            let cells: Vec<char> = cells.chars().collect();
            let map = Grid::from_fn(cells.len(), 1, |cell| cells[cell.x as usize]);
            offered_tiles(PALETTE, &map).iter().map(|tile| tile.symbol).collect()
        };
        assert_eq!(offered("..."), ".1#");
        assert_eq!(offered("1.1"), ".12#");
        assert_eq!(offered("3.."), ".13#", "a gap is filled first");
        assert_eq!(offered("123"), ".123#");
    }

    #[test]
    fn a_tile_has_its_own_key_or_a_digit_by_its_place() {
        let keys: Vec<_> = (0..6).map(|index| tile_key(PALETTE, index)).collect();
        assert_eq!(keys, [Some('1'), Some('1'), Some('2'), Some('3'), Some('W'), None]);
        let many = [tile('.'); 10];
        assert_eq!((tile_key(&many, 8), tile_key(&many, 9)), (Some('9'), None));
    }
}
