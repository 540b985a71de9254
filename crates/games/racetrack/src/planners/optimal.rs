//! Drives by the exact table.

use super::ahead::{ACE, Ahead};
use super::traffic::{Advice, Traffic};
use crate::exact::{ExactTable, SweepStage};
use crate::{Accelerate, RaceTime, RaceView, Racetrack};
use outwit_core::grid::Cell;
use outwit_core::play::{
    Clock, Counter, Game, Heat, Insight, Line, Path, Planner, PlannerContext, Progress, Snapshot,
    Tone, Value,
};
use std::iter;
use std::sync::Arc;

/// Most stages in which the making of the table is shown, and most cells of all their pictures.
const MOST_STAGES: u32 = 120;
const MOST_PICTURED_CELLS: usize = 2_000_000;

/// The least time, proved: fewest turns, then the earliest crossing in the last one. Where the table would be too large
/// or was not finished in time, it drives like the best of the others and says so.
pub struct Optimal {
    game: Arc<Racetrack>,
    context: PlannerContext<Racetrack>,
    driver: Driver,
    traffic: Traffic,
    best: Accelerate,
    /// What it does while it knows nothing.
    idle: Accelerate,
    /// The cells of the fastest race from here, and its actions.
    line: Vec<Cell>,
    actions: Vec<Accelerate>,
    time: Option<RaceTime>,
}

enum Driver {
    Unprepared,
    Knows(Arc<ExactTable>),
    Guesses { driver: Box<Ahead>, why: String },
}

impl Optimal {
    /// A driver that asks the race for its table when it prepares.
    pub fn new(context: PlannerContext<Racetrack>) -> Self {
        Self {
            game: Arc::clone(&context.game),
            traffic: Traffic::new(context.seed),
            context,
            driver: Driver::Unprepared,
            best: Accelerate(Cell::default()),
            idle: Accelerate(Cell::default()),
            line: Vec::new(),
            actions: Vec::new(),
            time: None,
        }
    }
}

impl Optimal {
    /// What it knew when the table had come so far.
    fn after(&self, stage: &SweepStage) -> Snapshot<Accelerate> {
        let known = self.time.is_some_and(|time| time.turns <= stage.turns);
        let cells = |counts: &[(Cell, u64)]| {
            counts.iter().map(|&(cell, count)| (cell, count as f32)).collect()
        };
        let line = vec![Path { cells: self.line.clone(), tone: Tone::Wanted }];
        let waiting = "The sweep back from the finish has not come to this position yet.";
        let insight = Insight {
            heats: vec![
                Heat {
                    label: "States found".into(),
                    about: "States of the cell, each with another velocity, of which the turns to \
                            the finish are known so far."
                        .into(),
                    cells: cells(&stage.found),
                },
                Heat {
                    label: "New states".into(),
                    about: "States of this cell that the latest layer of the sweep added.".into(),
                    cells: cells(&stage.added),
                },
            ],
            paths: if known { line } else { Vec::new() },
            counters: vec![
                Counter {
                    name: "Turns swept".into(),
                    about: "From all states found so far, the race can be finished in so many \
                            turns or fewer; proved, as the sweep goes back turn by turn."
                        .into(),
                    value: f64::from(stage.turns),
                },
                Counter {
                    name: "States found".into(),
                    about:
                        "Cells with a velocity of which the turns to the finish are known; each \
                            is one unit of work."
                            .into(),
                    value: stage.states as f64,
                },
            ],
            notes: if known { Vec::new() } else { vec![waiting.into()] },
            ..Insight::default()
        };
        Snapshot {
            work: stage.states,
            done: false,
            best: if known { self.best } else { self.idle },
            line: if known { self.line() } else { Line::default() },
            insight: Arc::new(insight),
        }
    }
}

impl Planner<Racetrack> for Optimal {
    fn prepare(&mut self, clock: &Clock) -> Progress {
        self.driver = match self.game.exact_table(&|| clock.is_over()) {
            Ok(table) => Driver::Knows(table),
            Err(error) => Driver::Guesses {
                driver: Box::new(Ahead::new(self.context.clone(), ACE)),
                why: error.to_string(),
            },
        };
        Progress::Done
    }

    fn observe(&mut self, seen: &RaceView) {
        if matches!(self.driver, Driver::Unprepared) {
            self.prepare(&Clock::unlimited());
        }
        let car = *seen.car();
        let track = self.game.track();
        self.idle = self.game.null_action(&seen.race, seen.seat);
        let table = match &mut self.driver {
            Driver::Knows(table) => table,
            Driver::Guesses { driver, .. } => {
                driver.observe(seen);
                self.best = driver.best();
                return;
            }
            Driver::Unprepared => return,
        };
        // Other cars may be in the way, so only what is allowed and safe now is compared.
        self.best = match self.traffic.advise(&self.game, seen) {
            Advice::Dodge(action) => action,
            Advice::Any(safe) => {
                let safe = safe.into_iter().map(|action| action.0);
                let best = table.best_of(track, car.cell, car.velocity, car.progress, safe);
                best.map_or_else(
                    || self.game.null_action(&seen.race, seen.seat),
                    |(a, _)| Accelerate(a),
                )
            }
        };
        self.time = table.time(track, car.cell, car.velocity, car.progress);
        let line = table.line(track, car.cell, car.velocity, car.progress);
        self.line = iter::once(car.cell).chain(line.iter().map(|made| made.cell)).collect();
        self.actions = line.iter().map(|made| Accelerate(made.acceleration)).collect();
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        match &mut self.driver {
            Driver::Knows(_) | Driver::Unprepared => Progress::Done,
            Driver::Guesses { driver, .. } => {
                let progress = driver.think(clock);
                self.best = driver.best();
                progress
            }
        }
    }

    fn best(&self) -> Accelerate {
        self.best
    }

    fn line(&self) -> Line<Accelerate> {
        match &self.driver {
            Driver::Knows(_) => Line {
                value: self.time.map(|time| Value::Score(time.in_turns())),
                actions: self.actions.clone(),
            },
            Driver::Guesses { driver, .. } => driver.line(),
            Driver::Unprepared => Line::default(),
        }
    }

    /// The sweep back from the finish, whose unit of work is a state.
    fn preparation(&self) -> Vec<Snapshot<Accelerate>> {
        let Driver::Knows(table) = &self.driver else { return Vec::new() };
        let cells = self.game.track().road_cells().max(1);
        let stages = (MOST_PICTURED_CELLS / cells).clamp(4, MOST_STAGES as usize) as u32;
        table.sweep(stages).iter().map(|stage| self.after(stage)).collect()
    }

    fn insight(&self) -> Insight {
        match &self.driver {
            Driver::Knows(table) => Insight {
                paths: vec![Path { cells: self.line.clone(), tone: Tone::Wanted }],
                counters: vec![
                    Counter {
                        name: "Time to the finish".into(),
                        about: "The least time to the finish in turns, proved: whole turns before \
                                the last one and the fraction of it at which the line is crossed."
                            .into(),
                        value: self.time.map_or(f64::NAN, RaceTime::in_turns),
                    },
                    Counter {
                        name: "Table, MiB".into(),
                        about: "Memory of the table of turns to the finish from every state."
                            .into(),
                        value: table.bytes() as f64 / f64::from(1 << 20),
                    },
                ],
                ..Insight::default()
            },
            Driver::Guesses { driver, why } => {
                let mut insight = driver.insight();
                insight.notes.push(format!("It runs without its table and drives like ace: {why}"));
                insight
            }
            Driver::Unprepared => Insight::default(),
        }
    }
}
