//! Walker in the conformance suite: `cargo test -p outwit-template conformance`.

use super::{FIRST_LEVEL, Walker};
use outwit_conformance::{Subject, suite};
use outwit_core::grid::Cell;
use outwit_kit::read_level;

impl Subject for Walker {
    fn samples() -> Vec<Self::Level> {
        vec![read_level::<Self>(FIRST_LEVEL.as_bytes(), "").unwrap()]
    }

    fn illegal_action(_: &Self::Observation) -> Option<Cell> {
        Some(Cell::new(-1, 0))
    }
}

suite!(Walker);
