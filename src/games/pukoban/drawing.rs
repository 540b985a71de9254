//! Levels in the editor: tiles, warnings and random levels.

use super::Pukoban;
use super::level::{FORMAT, MAX_SIDE, PukobanFile, PukobanRules, Tile};
use crate::games::TileStyle;
use crate::games::editing::{EditableGame, Footprint, Placement, TileKind};
use crate::levels::Fault;
use crate::rule_set;
use std::ops::RangeInclusive;

rule_set! {
    /// The options of the generator.
    pub struct PuzzleOptions {
        /// Columns of the map, walls included.
        width: u32 = 8, Whole { min: 5, max: 16, optional: false }, "Columns";
    }
}

const fn tile(symbol: char, name: &'static str, help: &'static str, look: TileStyle) -> TileKind {
    TileKind::terrain(symbol, name, help, look, Placement::Anywhere)
}

pub(super) const PALETTE: &[TileKind] = &[
    tile('-', "Floor", "Where the player and boxes go.", TileStyle::Ground).or(" _"),
    tile('#', "Wall", "Stops the player and boxes.", TileStyle::Wall),
    tile('.', "Goal", "A cell that wants a box.", TileStyle::Goal).coloured([0, 200, 0]),
    TileKind {
        silhouette: Some("box"),
        ..tile('$', "Box", "Can be pushed and pulled.", TileStyle::Mark)
            .coloured([200, 120, 0])
            .piece(Footprint::One)
    },
    tile('*', "Box on a goal", "A box that is on a goal from the start.", TileStyle::Mark)
        .coloured([230, 230, 0])
        .labelled('*'),
    TileKind {
        most: Some(1),
        silhouette: Some("pusher"),
        ..tile('@', "Player", "Where the player starts.", TileStyle::Start)
            .coloured([0, 60, 255])
            .piece(Footprint::One)
    },
    TileKind {
        most: Some(1),
        ..tile('+', "Player on a goal", "The player starts on a goal.", TileStyle::Start)
            .coloured([200, 0, 200])
            .piece(Footprint::One)
            .labelled('+')
    },
];

impl EditableGame for Pukoban {
    const SIDES: RangeInclusive<usize> = 1..=MAX_SIDE;
    const DEFAULT_SIZE: (usize, usize) = (10, 8);
    type GeneratorOptions = PuzzleOptions;

    fn warnings(_level: &PukobanFile) -> Vec<Fault> {
        Vec::new()
    }

    fn generate(_options: &PuzzleOptions, _seed: u64) -> Result<PukobanFile, String> {
        let level = PukobanFile {
            format: FORMAT.into(),
            name: "Corridor".into(),
            author: String::new(),
            about: String::new(),
            rules: PukobanRules::default(),
            map: vec!["@$-.".into()],
        };
        Ok(level)
    }

    /// Spells floor as `-`, however the file spells it.
    fn unfold(mut level: PukobanFile) -> PukobanFile {
        let cells = level.cells('-').map(|&symbol| match Tile::from_char(symbol) {
            Some(tile) => tile.to_char(),
            None => symbol,
        });
        level.set_cells(&cells);
        level
    }
}
