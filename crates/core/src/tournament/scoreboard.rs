//! What the games of a contest add up to.

use super::{Contest, Estimate, FinishedGame, quantile};
use crate::play::SeatStats;

/// A contest with the games that are finished so far.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    contest: Contest,
    /// Round by round, each with all cells.
    slots: Vec<Option<FinishedGame>>,
    finished: usize,
}

/// The games of one combination of planners, added up.
#[derive(Clone, PartialEq, Debug)]
pub struct MatrixCell {
    /// Who plays, seat by seat.
    pub players: Vec<String>,
    /// Number of finished games.
    pub games: usize,
    /// Mean number of turns of a game.
    pub mean_turns: Option<f64>,
    /// One entry a seat.
    pub seats: Vec<SeatFigures>,
    /// Median of the planning times of all seats, in milliseconds.
    pub plan_ms_p50: Option<f64>,
    /// What 99 of 100 planning times of all seats stay below, in milliseconds.
    pub plan_ms_p99: Option<f64>,
}

/// How one seat of a cell fared.
#[derive(Clone, PartialEq, Debug)]
pub struct SeatFigures {
    /// What it got, over the games in which it got anything.
    pub payoff: Estimate,
    /// How often it ended how: the endings that the game names, in its order, then others.
    pub endings: Vec<(String, usize)>,
    /// Turns in which time was up before the planner was done.
    pub overruns: u64,
    /// Those of them in which its thread had a processor for less than half of the time.
    pub starved: u64,
    /// Actions that were refused.
    pub illegal: u64,
    /// Games in which the planner panicked.
    pub panics: u64,
    /// Games that were lost since the program that played was at fault.
    pub faults: u64,
    /// Median of its planning times, in milliseconds.
    pub plan_ms_p50: Option<f64>,
    /// What 99 of 100 of its planning times stay below, in milliseconds.
    pub plan_ms_p99: Option<f64>,
}

impl MatrixCell {
    /// A count over all seats.
    pub fn sum(&self, count: impl Fn(&SeatFigures) -> u64) -> u64 {
        self.seats.iter().map(count).sum()
    }
}

impl Scoreboard {
    /// Games that are not of the contest are left out.
    pub fn new(contest: Contest, games: impl IntoIterator<Item = FinishedGame>) -> Self {
        let slots = vec![None; contest.games()];
        let mut board = Self { contest, slots, finished: 0 };
        for game in games {
            board.enter(game);
        }
        board
    }

    /// Takes in a finished game.
    pub fn enter(&mut self, game: FinishedGame) {
        let Some((round, cell)) = self.contest.place_of(&game) else { return };
        let slot = &mut self.slots[round * self.contest.cells() + cell];
        self.finished += usize::from(slot.is_none());
        *slot = Some(game);
    }

    /// The contest whose games are counted.
    pub fn contest(&self) -> &Contest {
        &self.contest
    }

    /// Number of finished games.
    pub fn finished(&self) -> usize {
        self.finished
    }

    /// All finished games, by seed, then by cell.
    pub fn all(&self) -> impl Iterator<Item = &FinishedGame> {
        self.slots.iter().flatten()
    }

    /// The finished games of a cell by seed.
    pub fn games(&self, cell: usize) -> impl Iterator<Item = &FinishedGame> {
        self.slots.iter().skip(cell).step_by(self.contest.cells()).flatten()
    }

    fn game(&self, round: usize, cell: usize) -> Option<&FinishedGame> {
        self.slots.get(round * self.contest.cells() + cell)?.as_ref()
    }

    /// The games of a cell, added up; `endings` are those that the game names for a seat.
    pub fn cell(
        &self,
        cell: usize,
        endings: impl Fn(usize) -> &'static [&'static str],
    ) -> MatrixCell {
        let games: Vec<&FinishedGame> = self.games(cell).collect();
        let seats = self.contest.seats.len();
        let turns: usize = games.iter().map(|game| game.turns).sum();
        let mut all: Vec<u64> = Vec::new();
        let seats = (0..seats)
            .map(|seat| {
                let mut times: Vec<u64> = games
                    .iter()
                    .flat_map(|game| &game.stats[seat].thought)
                    .map(|time| time.as_micros() as u64)
                    .collect();
                all.extend(&times);
                let scores: Vec<f64> = games.iter().filter_map(|game| game.score(seat)).collect();
                let sum = |count: fn(&SeatStats) -> u64| -> u64 {
                    games.iter().map(|game| count(&game.stats[seat])).sum()
                };
                SeatFigures {
                    payoff: Estimate::of(&scores),
                    endings: count_endings(&games, seat, endings(seat)),
                    overruns: sum(|stats| u64::from(stats.overruns)),
                    starved: sum(|stats| u64::from(stats.starved)),
                    illegal: sum(|stats| u64::from(stats.illegal)),
                    panics: sum(|stats| u64::from(stats.panic.is_some())),
                    faults: sum(|stats| u64::from(stats.fault.is_some())),
                    plan_ms_p50: milliseconds(&mut times, 0.5),
                    plan_ms_p99: milliseconds(&mut times, 0.99),
                }
            })
            .collect();
        MatrixCell {
            players: self.contest.players(cell).into_iter().map(str::to_owned).collect(),
            games: games.len(),
            mean_turns: (!games.is_empty()).then(|| turns as f64 / games.len() as f64),
            seats,
            plan_ms_p50: milliseconds(&mut all, 0.5),
            plan_ms_p99: milliseconds(&mut all, 0.99),
        }
    }

    /// How much more `planner` gets on `seat` than `baseline` does, on the same seeds against the
    /// same opponents. `against` are the players of the other seats in order; without it, the mean
    /// over all opponents counts, on the seeds on which all of these games are finished.
    pub fn difference(
        &self,
        seat: usize,
        planner: &str,
        baseline: &str,
        against: Option<&[&str]>,
    ) -> Estimate {
        let pairs: Vec<(usize, usize)> = (0..self.contest.cells())
            .filter_map(|cell| {
                let mut players = self.contest.players(cell);
                let mine = players.remove(seat);
                let fits = mine == planner && against.is_none_or(|others| players == others);
                players.insert(seat, baseline);
                fits.then(|| self.contest.cell_of(players)).flatten().map(|other| (cell, other))
            })
            .collect();
        if pairs.is_empty() {
            return Estimate::default();
        }
        let score = |round, cell| self.game(round, cell)?.score(seat);
        let values: Vec<f64> = (0..self.contest.seeds as usize)
            .filter_map(|round| {
                let mut sum = 0.0;
                for &(cell, other) in &pairs {
                    sum += score(round, cell)? - score(round, other)?;
                }
                Some(sum / pairs.len() as f64)
            })
            .collect();
        Estimate::of(&values)
    }

    /// The ways in which the seats other than `seat` can be taken.
    pub fn opponents(&self, seat: usize) -> Vec<Vec<&str>> {
        let mut all: Vec<Vec<&str>> = Vec::new();
        for cell in 0..self.contest.cells() {
            let mut players = self.contest.players(cell);
            players.remove(seat);
            if !all.contains(&players) {
                all.push(players);
            }
        }
        all
    }
}

fn count_endings(
    games: &[&FinishedGame],
    seat: usize,
    named: &[&'static str],
) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = named.iter().map(|name| ((*name).into(), 0)).collect();
    for ending in games.iter().map(|game| game.ending(seat)) {
        match counts.iter_mut().find(|(name, _)| name == ending) {
            Some((_, count)) => *count += 1,
            None => counts.push((ending.into(), 1)),
        }
    }
    counts
}

fn milliseconds(micros: &mut [u64], share: f64) -> Option<f64> {
    quantile(micros, share).map(|micros| micros as f64 / 1000.0)
}
