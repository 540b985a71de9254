//! Drives by the exact table.

use super::ahead::{ACE, Ahead};
use crate::games::racetrack::exact::ExactTable;
use crate::games::racetrack::{Accelerate, RaceView, Racetrack};
use crate::grid::Cell;
use crate::play::{Clock, Game, Insight, Path, Planner, Progress, Seat, StopFlag, Tone};
use std::sync::Arc;

/// Fewest turns, proved. Where the table would be too large, it drives like the best of the others
/// and says so.
pub struct Optimal {
    game: Arc<Racetrack>,
    mind: Driver,
    best: Accelerate,
    line: Vec<Cell>,
    turns: Option<u32>,
}

enum Driver {
    Knows(Arc<ExactTable>),
    Guesses { driver: Box<Ahead>, why: String },
}

impl Optimal {
    /// Computes the table, or shares one that was computed lately.
    pub fn new(game: &Arc<Racetrack>, seat: Seat) -> Self {
        let mind = match ExactTable::shared(game.track(), &StopFlag::default()) {
            Ok(table) => Driver::Knows(table),
            Err(error) => Driver::Guesses {
                driver: Box::new(Ahead::new(game, seat, ACE)),
                why: error.to_string(),
            },
        };
        let best = game.null_action(&game.start(), seat);
        Self { game: Arc::clone(game), mind, best, line: Vec::new(), turns: None }
    }
}

impl Planner<Racetrack> for Optimal {
    fn observe(&mut self, seen: &RaceView) {
        let (car, track) = (*seen.car(), self.game.track());
        let table = match &mut self.mind {
            Driver::Knows(table) => table,
            Driver::Guesses { driver, .. } => {
                driver.observe(seen);
                self.best = driver.best();
                return;
            }
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
        self.line = vec![car.cell];
        let mut cell = car.cell;
        for velocity in table.line(track, car.cell, car.velocity, car.progress) {
            cell = cell + velocity;
            self.line.push(cell);
        }
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        match &mut self.mind {
            Driver::Knows(_) => Progress::Done,
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

    fn insight(&self) -> Insight {
        match &self.mind {
            Driver::Knows(table) => Insight {
                paths: vec![Path { cells: self.line.clone(), tone: Tone::Wanted }],
                counters: vec![
                    ("turns to finish", self.turns.map_or(f64::NAN, f64::from)),
                    ("table MiB", table.bytes() as f64 / f64::from(1 << 20)),
                ],
                ..Insight::default()
            },
            Driver::Guesses { driver, why } => {
                let mut insight = driver.insight();
                insight.notes.push(why.clone());
                insight
            }
        }
    }
}
