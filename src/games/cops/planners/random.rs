//! Steps by lot.

use super::super::rules::{Cops, CopsView, Orders, THIEF};
use super::ground::{Ground, any_step};
use super::swift::{Answer, Swift};
use crate::play::{Insight, Planner, Seat};
use std::sync::Arc;

/// Makes the planner.
pub fn make(game: &Arc<Cops>, _seat: Seat, seed: u64) -> Box<dyn Planner<Cops>> {
    Swift::boxed(Ground::new(game, seed), plan)
}

fn plan(ground: &Ground, seen: &CopsView) -> Answer {
    let mut dice = ground.dice(seen.now.tick);
    let players = if seen.seat == THIEF { 1 } else { seen.now.cops.len() };
    let way = |_| (0..ground.k).map(|_| any_step(&mut dice)).collect();
    Answer { orders: Orders((0..players).map(way).collect()), insight: Insight::default() }
}
