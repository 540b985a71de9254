//! Levels in the editor: tiles and warnings.

use super::formats;
use super::generator::{ProblemOptions, problem};
use super::level::{MAX_SIDE, MnkFile, Opening, stones};
use super::search::board::SearchBoard;
use super::{CROSSES, Mnk, NOUGHTS, Stone};
use outwit_core::levels::Fault;
use outwit_core::play::{CheckedLevel, Game, Seat};
use outwit_kit::TileStyle;
use outwit_kit::{Footprint, Generator, GeneratorOptions, MapSpec, Placement, TileKind};

const fn tile(symbol: char, name: &'static str, help: &'static str, look: TileStyle) -> TileKind {
    TileKind::terrain(symbol, name, help, look, Placement::Anywhere)
}

const PALETTE: &[TileKind] = &[
    tile('.', "Empty", "A stone can be placed here.", TileStyle::Ground),
    TileKind {
        silhouette: Some("stone-x"),
        ..tile('X', "X", "A cross.", TileStyle::Start)
            .coloured([0, 114, 178])
            .or("x")
            .piece(Footprint::One)
    },
    TileKind {
        silhouette: Some("stone-o"),
        ..tile('O', "O", "A nought.", TileStyle::Goal)
            .coloured([213, 94, 0])
            .or("o0")
            .piece(Footprint::One)
    },
];

pub(super) const MAPS: MapSpec<Mnk> = MapSpec {
    warnings,
    remarks,
    foreign_formats: Some(formats::FORMATS),
    problem_for,
    generator: Some(Generator::of::<ProblemOptions>()),
    ..MapSpec::new(PALETTE, 1..=MAX_SIDE, (15, 15))
};

/// Probable mistakes in a playable level.
fn warnings(level: &MnkFile, checked: Option<&CheckedLevel<Mnk>>) -> Vec<Fault> {
    let cells = stones(level);
    if cells.width().max(cells.height()) < level.rules.k as usize {
        return vec![Fault::whole("nobody can win: no row of the board is that long")];
    }
    let Some(Ok(game)) = checked.map(|level| Mnk::new(level, 2)) else { return Vec::new() };
    let board = SearchBoard::of(&game, &game.opening());
    match board.alive() {
        [0, 0] => vec![Fault::whole("nobody can win any more: every row is blocked")],
        _ => Vec::new(),
    }
}

/// Who is to move in the position.
fn remarks(level: &MnkFile) -> Vec<Fault> {
    let mover = level.rules.to_move.to_char();
    let what = match level.rules.opening {
        Opening::Free => format!("{mover} is to move"),
        Opening::Swap | Opening::Swap2 => {
            "the first player places three stones, then the second chooses".into()
        }
    };
    vec![Fault::whole(what)]
}

/// Whoever moves next where stones lie already.
fn problem_for(level: &MnkFile) -> Option<Seat> {
    let is_set_up = stones(level).as_slice().iter().any(Option::is_some);
    let mover = match level.rules.to_move {
        Stone::X => CROSSES,
        Stone::O => NOUGHTS,
    };
    (is_set_up && level.rules.opening == Opening::Free).then_some(mover)
}

impl GeneratorOptions<Mnk> for ProblemOptions {
    fn generate(&self, seed: u64) -> Result<MnkFile, String> {
        problem(self, seed)
    }
}
