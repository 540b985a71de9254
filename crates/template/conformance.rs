//! Walker in the conformance suite: `cargo test --locked -p outwit-conformance template`.

use outwit_conformance::{Subject, suite};
use outwit_core::grid::Cell;
use outwit_core::levels::LevelFile;
use outwit_kit::read_level;
use outwit_template::{FIRST_LEVEL, Walker, WalkerRules};

struct Samples;

impl Subject for Samples {
    type Game = Walker;

    fn samples() -> Vec<LevelFile<WalkerRules>> {
        vec![read_level::<Walker>(FIRST_LEVEL.as_bytes(), "").unwrap().into_inner()]
    }

    fn illegal_action(_: &(Cell, u32)) -> Option<Cell> {
        Some(Cell::new(-1, 0))
    }
}

suite!(Samples);
