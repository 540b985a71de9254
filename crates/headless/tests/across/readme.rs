//! The tables of tiles in README.md say what the palettes say.

use outwit_headless::GAMES;
use outwit_kit::TileKind;
use std::collections::BTreeSet;

/// The characters of a row's first column, such as `` `-`, `_` or space `` or `` `1` to `9` ``.
fn characters(cell: &str) -> BTreeSet<char> {
    let quoted = cell.split('`').skip(1).step_by(2).filter_map(|name| name.chars().last());
    let quoted: Vec<char> = quoted.collect();
    match quoted[..] {
        [first, last] if cell.contains(" to ") => (first..=last).collect(),
        _ => quoted.into_iter().chain(cell.contains("space").then_some(' ')).collect(),
    }
}

/// The words of a text that mean something, in lower case.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.len() >= 3 && word != "the" && word != "and").collect()
}

#[test]
fn tables_of_tiles_are_palettes() {
    // Within a cell a bar is written with a backslash.
    let text = include_str!("../../../../README.md").replace("\\|", "\0");
    let tables: Vec<Vec<(BTreeSet<char>, BTreeSet<String>)>> = text
        .split("\n\n")
        .filter(|block| block.starts_with("| Character |"))
        .map(|table| {
            let rows = table.lines().skip(2).map(|row| {
                let cells: Vec<&str> = row.split('|').collect();
                (characters(&cells[1].replace('\0', "|")), words(cells[2]))
            });
            rows.collect()
        })
        .collect();
    assert_eq!(tables.len(), GAMES.len());
    for (game, rows) in GAMES.iter().zip(tables) {
        let palette = game.palette();
        let told: BTreeSet<char> = rows.iter().flat_map(|(symbols, _)| symbols).copied().collect();
        for tile in palette {
            assert!(told.contains(&tile.symbol), "{}: {} is missing", game.id(), tile.symbol);
        }
        for (symbols, meaning) in rows {
            for symbol in symbols {
                let is_meant =
                    |tile: &&TileKind| tile.symbol == symbol || tile.aliases.contains(symbol);
                let tile = palette.iter().find(is_meant);
                let tile = tile.unwrap_or_else(|| panic!("{}: no tile {symbol}", game.id()));
                let said = words(&format!("{} {}", tile.name, tile.help));
                assert!(!said.is_disjoint(&meaning), "{}: {symbol} is {said:?}", game.id());
            }
        }
    }
}
