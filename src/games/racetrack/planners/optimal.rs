//! Drives by the exact table.

use super::ahead::{ACE, Ahead, accelerations};
use crate::games::racetrack::exact::ExactTable;
use crate::games::racetrack::{Accelerate, RaceView, Racetrack};
use crate::grid::Cell;
use crate::play::{
    Clock, Counter, Game, Insight, Line, Path, Planner, PlannerContext, Progress, Tone, Value,
};
use std::sync::Arc;

/// Fewest whole turns, proved. Where the table would be too large or was not finished in time, it
/// drives like the best of the others and says so.
pub struct Optimal {
    game: Arc<Racetrack>,
    context: PlannerContext<Racetrack>,
    driver: Driver,
    best: Accelerate,
    line: Vec<Cell>,
    velocity: Cell,
    turns: Option<u32>,
}

enum Driver {
    Unprepared,
    Knows(Arc<ExactTable>),
    Guesses { driver: Box<Ahead>, why: String },
}

impl Optimal {
    /// A driver that computes the table, or shares one that was computed lately, when it prepares.
    pub fn new(context: PlannerContext<Racetrack>) -> Self {
        Self {
            game: Arc::clone(&context.game),
            context,
            driver: Driver::Unprepared,
            best: Accelerate(Cell::default()),
            line: Vec::new(),
            velocity: Cell::default(),
            turns: None,
        }
    }
}

impl Planner<Racetrack> for Optimal {
    fn prepare(&mut self, clock: &Clock) -> Progress {
        self.driver = match ExactTable::shared(self.game.track(), &|| clock.is_over()) {
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
        let (car, track) = (*seen.car(), self.game.track());
        let table = match &mut self.driver {
            Driver::Knows(table) => table,
            Driver::Guesses { driver, .. } => {
                driver.observe(seen);
                self.best = driver.best();
                return;
            }
            Driver::Unprepared => return,
        };
        // Other cars may block the best way, so only what is allowed now is compared.
        let never = u32::MAX;
        let best = self.game.choices(&seen.race, seen.seat).into_iter().min_by_key(|action| {
            let velocity = car.velocity + action.0;
            let outlook = table.outlook(track, car.cell, velocity, car.progress);
            (outlook.total(track.penalty()).unwrap_or(never), outlook)
        });
        let free = table.best(track, car.cell, car.velocity, car.progress);
        self.best = match (best, free) {
            // The free choice also enters the finish earliest; it stands if it is among the best.
            (Some(best), Some((a, outlook))) => {
                let reached = table.outlook(track, car.cell, car.velocity + best.0, car.progress);
                let free = Accelerate(a);
                let allowed = self.game.legal(&seen.race, seen.seat, &free).is_ok();
                if allowed && reached == outlook { free } else { best }
            }
            (Some(best), None) => best,
            (None, _) => self.game.null_action(&seen.race, seen.seat),
        };
        self.turns = table.turns(car.cell, car.velocity, car.progress);
        self.velocity = car.velocity;
        self.line = vec![car.cell];
        let mut cell = car.cell;
        for velocity in table.line(track, car.cell, car.velocity, car.progress) {
            cell = cell + velocity;
            self.line.push(cell);
        }
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
                value: self.turns.map(|turns| Value::Score(f64::from(turns))),
                actions: accelerations(&self.line, self.velocity),
            },
            Driver::Guesses { driver, .. } => driver.line(),
            Driver::Unprepared => Line::default(),
        }
    }

    fn insight(&self) -> Insight {
        match &self.driver {
            Driver::Knows(table) => Insight {
                paths: vec![Path { cells: self.line.clone(), tone: Tone::Wanted }],
                counters: vec![
                    Counter {
                        name: "Turns to the finish",
                        about: "The least number of whole turns to the finish, proved.",
                        value: self.turns.map_or(f64::NAN, f64::from),
                    },
                    Counter {
                        name: "Table, MiB",
                        about: "Memory of the table of turns to the finish from every state.",
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
