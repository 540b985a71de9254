//! A joint plan of the cops that sweeps the board for a thief who wanders at random.

use super::table::{Column, PayoffModel};
use super::thief_model::{Beam, ThiefModel};
use crate::distance_table::CellIndex;
use crate::rules::Step;

/// Passes over all cops.
const MOST_PASSES: usize = 3;

/// A joint plan against a wanderer, improved cop by cop.
pub struct Sweep {
    cop: usize,
    column: Column,
    /// What the wanderer earns against it, and did before this pass over the cops.
    pays: f32,
    before: f32,
    passes: usize,
    /// The search for the cop's plan.
    beam: Option<Beam>,
}

impl Sweep {
    /// Starts with this joint plan.
    pub fn new(column: Column) -> Self {
        Self { cop: 0, column, pays: f32::INFINITY, before: f32::INFINITY, passes: 0, beam: None }
    }

    /// Ways of the present cop that are followed.
    pub fn width(&self) -> usize {
        self.beam.as_ref().map_or(1, Beam::width)
    }

    /// The best joint plan found so far.
    pub fn column(&self) -> &Column {
        &self.column
    }

    /// The best joint plan found.
    pub fn into_column(self) -> Column {
        self.column
    }

    /// Looks one tick further for a better plan of the present cop; returns whether there may be
    /// more to gain.
    pub fn improve(
        &mut self,
        model: &PayoffModel,
        starts: &[CellIndex],
        cloud: &ThiefModel,
    ) -> bool {
        let Some(beam) = &mut self.beam else {
            if self.cop == 0 && self.passes == 0 {
                self.pays = cloud.pays(model, &self.column.tracks_but(None), &self.column.ends);
            }
            self.beam = Some(cloud.begin_sweep(model, starts[self.cop]));
            return true;
        };
        let mut ends = self.column.ends.clone();
        ends.remove(self.cop);
        let others = self.column.tracks_but(Some(self.cop));
        let Some(mut found) = cloud.sweep(model, beam, &others, &ends) else { return true };
        self.beam = None;
        found.resize(model.ground.k, Step::Stay);
        let mut steps = self.column.steps.clone();
        steps[self.cop] = found;
        let changed = Column::new(model, starts, steps);
        let cost = cloud.pays(model, &changed.tracks_but(None), &changed.ends);
        if cost < self.pays {
            (self.column, self.pays) = (changed, cost);
        }
        self.cop += 1;
        if self.cop == starts.len() {
            let gained = self.pays < self.before;
            (self.cop, self.before, self.passes) = (0, self.pays, self.passes + 1);
            return gained && self.passes < MOST_PASSES;
        }
        true
    }
}
