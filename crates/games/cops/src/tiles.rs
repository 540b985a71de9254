//! The tiles of which maps are made: what they are called, mean and look like.

use outwit_kit::{Footprint, Placement, TileKind, TileStyle};

/// All tiles, in the order of the level editor.
pub(super) const PALETTE: &[TileKind] = &[
    TileKind::terrain(
        '.',
        "Free",
        "Where thief, cops and walls go.",
        TileStyle::Ground,
        Placement::Inside,
    ),
    TileKind::terrain(
        '=',
        "Border",
        "The ring around the board, on which gates wander.",
        TileStyle::Void,
        Placement::Border,
    ),
    TileKind::terrain(
        '#',
        "Block",
        "A house that never moves.",
        TileStyle::Wall,
        Placement::Inside,
    ),
    TileKind {
        most: Some(1),
        silhouette: Some("thief"),
        ..TileKind::terrain(
            'T',
            "Thief",
            "Where the thief starts; the seed draws it when there is none.",
            TileStyle::Start,
            Placement::Inside,
        )
        .piece(Footprint::One)
    },
    TileKind {
        silhouette: Some("cop"),
        ..TileKind::terrain(
            'C',
            "Cop",
            "Where a cop starts; the seed draws those that the map does not show.",
            TileStyle::Mark,
            Placement::Inside,
        )
        .piece(Footprint::One)
    },
    TileKind {
        turned: '|',
        ..TileKind::terrain(
            '-',
            "Horizontal wall",
            "A wall along a row, as long as the rules say. It moves during the game.",
            TileStyle::Wall,
            Placement::Inside,
        )
        .piece(Footprint::Row("wall_length"))
        .labelled('−')
        .coloured([0, 200, 200])
    },
    TileKind {
        turned: '-',
        ..TileKind::terrain(
            '|',
            "Vertical wall",
            "A wall along a column, as long as the rules say. It moves during the game.",
            TileStyle::Wall,
            Placement::Inside,
        )
        .piece(Footprint::Column("wall_length"))
        .labelled('|')
        .coloured([200, 0, 200])
    },
    TileKind::terrain(
        'G',
        "Gate",
        "A gate in the border at the start, as wide as the rules say.",
        TileStyle::Goal,
        Placement::Border,
    )
    .piece(Footprint::Border("gate_width"))
    .labelled('G'),
];
