//! The proved optimum for complete paths.

use crate::exact::{CheapestPaths, MOST_WALKS};
use crate::ground::Ground;
use crate::route::Route;
use crate::rules::{Glimpse, Stealth};
use crate::simple_path::{PathSearch, SearchEnd};
use outwit_core::play::{
    Clock, Counter, Heat, Insight, Line, Path, Planner, PlannerContext, Progress, Tone, Value,
};

/// Dijkstra's algorithm from the start until the goal is settled; among patrols a search over walks.
pub(super) struct Exact {
    context: PlannerContext<Stealth>,
    search: Search,
    /// Whether nothing is left to search.
    is_exhausted: bool,
}

enum Search {
    /// The cheapest paths, and the cell that was settled last.
    Paths(CheapestPaths, usize),
    /// Among patrols.
    Walks(PathSearch),
}

impl Exact {
    pub fn new(context: PlannerContext<Stealth>) -> Self {
        let ground = context.game.ground();
        let goal = ground.goal_index();
        let search = match ground.period() {
            1 => Search::Paths(CheapestPaths::new(ground), ground.start_index()),
            _ => Search::Walks(PathSearch::new(ground, |at| (at == goal).then_some(0), MOST_WALKS)),
        };
        Self { search, context, is_exhausted: false }
    }

    fn is_done(&self) -> bool {
        match &self.search {
            Search::Paths(paths, _) => paths.is_settled(self.context.game.ground().goal_index()),
            Search::Walks(search) => search.end().is_some(),
        }
    }

    /// One unit of work; `false` if there is nothing more to do.
    fn step(&mut self) -> bool {
        let ground = self.context.game.ground();
        let enter = |state: usize| ground.weighted_cost(state);
        match &mut self.search {
            Search::Paths(paths, last) => {
                let settled = paths.step(ground, enter);
                *last = settled.unwrap_or(*last);
                settled.is_some()
            }
            Search::Walks(search) => search.step(ground, enter),
        }
    }
}

impl Planner<Stealth> for Exact {
    fn observe(&mut self, _seen: &Glimpse) {
        *self = Self::new(self.context.clone());
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        while !self.is_done() {
            if !clock.take(1) {
                return Progress::More;
            }
            if !self.step() {
                self.is_exhausted = true;
                break;
            }
        }
        Progress::Done
    }

    /// The cheapest path to the goal. Before it is known, the path to the cell that was settled last or,
    /// among patrols, the legal beginning of the walk that was extended last.
    fn best(&self) -> Route {
        let ground = self.context.game.ground();
        match &self.search {
            // In the fog there may be no way to the goal.
            Search::Paths(paths, last) if self.is_done() || !self.is_exhausted => {
                paths.route_to(ground, *last)
            }
            Search::Paths(..) => Route::default(),
            Search::Walks(search) => search.route(ground),
        }
    }

    fn line(&self) -> Line<Route> {
        let ground = self.context.game.ground();
        let best = self.best();
        let value = Value::Score(ground.number(ground.fitness(&best)));
        Line { value: Some(value), actions: vec![best] }
    }

    fn insight(&self) -> Insight {
        let ground = self.context.game.ground();
        let (heat, counter, notes) = match &self.search {
            Search::Paths(paths, _) => settled(ground, paths),
            Search::Walks(search) => extended(ground, search),
        };
        Insight {
            heats: vec![heat],
            paths: vec![Path { cells: self.best().cells(ground.start()), tone: Tone::Wanted }],
            counters: vec![counter],
            notes: notes.filter(|_| self.is_done()).map(Into::into).into_iter().collect(),
            ..Insight::default()
        }
    }
}

/// What is known of the cheapest paths, and what that proves in the end.
fn settled(ground: &Ground, paths: &CheapestPaths) -> (Heat, Counter, Option<&'static str>) {
    let tiles = ground.tiles();
    let settled = (0..tiles.len()).filter(|&at| paths.is_settled(at));
    let heat = Heat {
        label: "Least cost".into(),
        about: "The least weighted cost of getting from the start to the cell; proved.".into(),
        cells: settled
            .filter_map(|at| Some((tiles.cell_at(at), ground.number(paths.least(at)?) as f32)))
            .collect(),
    };
    let counter = Counter {
        name: "cells settled".into(),
        about: "Cells whose least cost is proved.".into(),
        value: paths.expanded as f64,
    };
    (heat, counter, Some("No complete path is better: proved."))
}

/// What is known of walks among patrols, and what that proves in the end.
fn extended(ground: &Ground, search: &PathSearch) -> (Heat, Counter, Option<&'static str>) {
    let tiles = ground.tiles();
    let heat = Heat {
        label: "Least cost to the goal".into(),
        about:
            "The least weighted cost of getting from the cell to the goal, at the best time for it."
                .into(),
        cells: (0..tiles.len())
            .filter_map(|at| {
                let times =
                    (0..ground.period()).filter_map(|time| search.to_go()[ground.state(at, time)]);
                Some((tiles.cell_at(at), ground.number(times.min()?) as f32))
            })
            .collect(),
    };
    let counter = Counter {
        name: "steps".into(),
        about: "Cells settled at a time, and walks extended.".into(),
        value: search.expanded as f64,
    };
    let note = search.end().map(|end| match end {
        SearchEnd::Found => "No complete path is better: proved.",
        SearchEnd::None => "No path that enters no cell twice leads to the goal: proved.",
        SearchEnd::Limit => "Too many ways lead round the patrols; nothing is proved.",
    });
    (heat, counter, note)
}
