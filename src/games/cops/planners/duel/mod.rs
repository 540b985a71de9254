//! stub
use super::super::rules::Cops;
use crate::play::{Planner, Seat};
use std::sync::Arc;
pub fn make_schemer(game: &Arc<Cops>, s: Seat, seed: u64) -> Box<dyn Planner<Cops>> {
    super::evader::make(game, s, seed)
}
pub fn make_marshal(game: &Arc<Cops>, s: Seat, seed: u64) -> Box<dyn Planner<Cops>> {
    super::cover::make(game, s, seed)
}
