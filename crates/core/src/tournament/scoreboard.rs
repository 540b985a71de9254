//! What the games of a contest add up to.

use super::{Contest, Entrant, Estimate, FinishedGame, quantile};
use crate::play::SeatStats;
use std::collections::{BTreeMap, BTreeSet};

/// A contest with the games that are finished so far.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    contest: Contest,
    /// The finished games by their number: round by round, each with all cells.
    slots: BTreeMap<usize, FinishedGame>,
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
    /// Turns in which a program sent something that cannot be read.
    pub broken: u64,
    /// Games in which the planner panicked.
    pub panics: u64,
    /// Games that were lost since the program that played was at fault.
    pub faults: u64,
    /// Median of its planning times, in milliseconds.
    pub plan_ms_p50: Option<f64>,
    /// What 99 of 100 of its planning times stay below, in milliseconds.
    pub plan_ms_p99: Option<f64>,
}

fn is_program(player: &str) -> bool {
    Entrant::from(player).player().program().is_some()
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
        let mut board = Self { contest, slots: BTreeMap::new() };
        for game in games {
            board.enter(game);
        }
        board
    }

    /// Takes in a finished game.
    pub fn enter(&mut self, game: FinishedGame) {
        if let Some(slot) = self.contest.slot_of(&game) {
            self.slots.insert(slot, game);
        }
    }

    /// The contest whose games are counted.
    pub fn contest(&self) -> &Contest {
        &self.contest
    }

    /// Number of finished games.
    pub fn finished(&self) -> usize {
        self.slots.len()
    }

    /// Whether a cell has several finished games and all are equal, as between planners without chance
    /// on a level without any.
    pub fn all_equal(&self, cell: usize) -> bool {
        let mut games = self.games(cell);
        let Some(first) = games.next() else { return false };
        let mut others = games.peekable();
        others.peek().is_some() && others.all(|other| first.is_same(other))
    }

    /// An estimate from the values of some games, each with the round of the game. Those that begin with
    /// the same opening are not independent.
    fn estimate(&self, values: &[(usize, f64)]) -> Estimate {
        if self.contest.openings.is_none() {
            let values: Vec<f64> = values.iter().map(|&(_, value)| value).collect();
            return Estimate::of(&values);
        }
        let mut groups: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for &(round, value) in values {
            let mut games = (0..self.contest.cells()).filter_map(|cell| self.game(round, cell));
            let opening = games.find_map(|game| game.opening.as_deref()).unwrap_or_default();
            groups.entry(opening).or_default().push(value);
        }
        Estimate::of_groups(&groups.into_values().collect::<Vec<_>>())
    }

    /// All finished games, by seed, then by cell.
    pub fn all(&self) -> impl Iterator<Item = &FinishedGame> {
        self.slots.values()
    }

    /// What the program that is this player calls itself, by the last game in which it said so.
    pub fn program_name(&self, player: &str) -> Option<&str> {
        self.slots.values().rev().find_map(|game| {
            let seat = game.players.iter().position(|other| other == player)?;
            game.names.get(seat)?.as_deref()
        })
    }

    /// What people call a player: a planner by its name; a program by what it calls itself or by its file, with what
    /// tells it from others of the same name.
    pub fn label(&self, player: &str) -> String {
        let label = self.short_label(player);
        let namesakes: BTreeSet<&str> = self
            .contest
            .seats
            .iter()
            .flat_map(|seat| &seat.planners)
            .map(Entrant::name)
            .filter(|other| self.short_label(other) == label)
            .collect();
        match namesakes.iter().position(|other| *other == player) {
            Some(at) if namesakes.len() > 1 && is_program(player) => {
                let file = Entrant::from(player).player().label();
                format!("{label} ({file}, {})", at + 1)
            }
            _ => label,
        }
    }

    fn short_label(&self, player: &str) -> String {
        if !is_program(player) {
            return player.to_owned();
        }
        let entrant = Entrant::from(player);
        let name = self.program_name(player);
        let label = name.map_or_else(|| entrant.player().label(), str::to_owned);
        match entrant.budget() {
            Some(budget) => format!("{label}@{budget}"),
            None => label,
        }
    }

    /// The finished games of a cell by seed.
    pub fn games(&self, cell: usize) -> impl Iterator<Item = &FinishedGame> {
        (0..self.contest.seeds as usize).filter_map(move |round| self.game(round, cell))
    }

    /// The game of a round in a cell, both counted from 0, if it is finished.
    pub fn game(&self, round: usize, cell: usize) -> Option<&FinishedGame> {
        self.slots.get(&(round * self.contest.cells() + cell))
    }

    /// The games of a cell, added up; `endings` are those that the game names for a seat.
    pub fn cell(
        &self,
        cell: usize,
        endings: impl Fn(usize) -> &'static [&'static str],
    ) -> MatrixCell {
        let games: Vec<&FinishedGame> = self.games(cell).collect();
        let all_equal = self.all_equal(cell);
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
                let scores: Vec<(usize, f64)> = (0..self.contest.seeds as usize)
                    .filter_map(|round| Some((round, self.game(round, cell)?.score(seat)?)))
                    .collect();
                let payoff = self.estimate(&scores);
                let sum = |count: fn(&SeatStats) -> u64| -> u64 {
                    games.iter().map(|game| count(&game.stats[seat])).sum()
                };
                SeatFigures {
                    payoff: if all_equal { payoff.of_equal_games() } else { payoff },
                    endings: count_endings(&games, seat, endings(seat)),
                    overruns: sum(|stats| u64::from(stats.overruns)),
                    starved: sum(|stats| u64::from(stats.starved)),
                    illegal: sum(|stats| u64::from(stats.illegal)),
                    broken: sum(|stats| u64::from(stats.broken)),
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
        let opponents = match against {
            Some(others) => vec![others.to_vec()],
            None => self.opponents(seat),
        };
        let cell = |player: &str, others: &Vec<&str>| {
            let (before, after) = others.split_at_checked(seat)?;
            self.contest.cell_of(before.iter().chain([&player]).chain(after).copied())
        };
        let pairs: Vec<(usize, usize)> = opponents
            .iter()
            .filter_map(|others| Some((cell(planner, others)?, cell(baseline, others)?)))
            .collect();
        if pairs.is_empty() {
            return Estimate::default();
        }
        let score = |round, cell| self.game(round, cell)?.score(seat);
        let values: Vec<(usize, f64)> = (0..self.contest.seeds as usize)
            .filter_map(|round| {
                let mut sum = 0.0;
                for &(cell, other) in &pairs {
                    sum += score(round, cell)? - score(round, other)?;
                }
                Some((round, sum / pairs.len() as f64))
            })
            .collect();
        let estimate = self.estimate(&values);
        match pairs.iter().all(|&(cell, other)| self.all_equal(cell) && self.all_equal(other)) {
            true => estimate.of_equal_games(),
            false => estimate,
        }
    }

    /// The ways in which the seats other than `seat` can be taken.
    pub fn opponents(&self, seat: usize) -> Vec<Vec<&str>> {
        // Each of them once: beside the first planner of the seat.
        let first = |cell: &usize| {
            let after = &self.contest.seats[seat + 1..];
            let step: usize = after.iter().map(|entrants| entrants.planners.len()).product();
            (cell / step).is_multiple_of(self.contest.seats[seat].planners.len())
        };
        (0..self.contest.cells())
            .filter(first)
            .map(|cell| {
                let mut players = self.contest.players(cell);
                players.remove(seat);
                players
            })
            .collect()
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
