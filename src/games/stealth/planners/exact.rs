//! The proved optimum for complete paths.

use crate::games::stealth::exact::CheapestPaths;
use crate::games::stealth::route::Route;
use crate::games::stealth::rules::{Heist, Stealth};
use crate::play::{
    Clock, Counter, Heat, Insight, Line, Path, Planner, PlannerContext, Progress, Tone, Value,
};

/// Dijkstra's algorithm from the start until the goal is settled.
pub(super) struct Exact {
    context: PlannerContext<Stealth>,
    paths: CheapestPaths,
    /// The cell that was settled last.
    last: usize,
}

impl Exact {
    pub fn new(context: PlannerContext<Stealth>) -> Self {
        let ground = context.game.ground();
        Self { paths: CheapestPaths::new(ground), last: ground.start_index(), context }
    }

    fn is_done(&self) -> bool {
        self.paths.is_settled(self.context.game.ground().goal_index())
    }
}

impl Planner<Stealth> for Exact {
    fn observe(&mut self, _seen: &Heist) {
        *self = Self::new(self.context.clone());
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        while !self.is_done() {
            if !clock.take(1) {
                return Progress::More;
            }
            let ground = self.context.game.ground();
            match self.paths.step(ground, |at| ground.weighted_cost(at)) {
                Some(at) => self.last = at,
                // No level lacks a way to the goal.
                None => break,
            }
        }
        Progress::Done
    }

    /// The cheapest path to the goal, or before it is known to the cell that was settled last.
    fn best(&self) -> Route {
        self.paths.route_to(self.context.game.ground(), self.last)
    }

    fn line(&self) -> Line<Route> {
        let ground = self.context.game.ground();
        let best = self.best();
        let value = Value::Score(ground.number(ground.fitness(&best)));
        Line { value: Some(value), actions: vec![best] }
    }

    fn insight(&self) -> Insight {
        let ground = self.context.game.ground();
        let tiles = ground.tiles();
        let settled = (0..tiles.len()).filter(|&at| self.paths.is_settled(at));
        let cost = |at| Some((tiles.cell_at(at), ground.number(self.paths.least(at)?) as f32));
        let done = self.is_done();
        Insight {
            heats: vec![Heat {
                label: "least cost",
                about: "The least weighted cost of getting from the start to the cell; proved.",
                cells: settled.filter_map(cost).collect(),
            }],
            paths: vec![Path { cells: self.best().cells(ground.start()), tone: Tone::Wanted }],
            counters: vec![Counter {
                name: "cells settled",
                about: "Cells whose least cost is proved.",
                value: self.paths.expanded as f64,
            }],
            notes: done.then(|| "No complete path is better: proved.".into()).into_iter().collect(),
            ..Insight::default()
        }
    }
}
