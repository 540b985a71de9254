//! The openings from which the games of a contest begin.

use super::{Contest, Entrant, TournamentError, rules};
use crate::play::{CheckedLevel, Game, OpeningSpec, SetupError, StopFlag};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// Where the openings of a contest come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningSource {
    /// The game finds them: see [`OpeningSpec::find`].
    Found,
    /// These, by turns; at least one.
    Given(Vec<String>),
}

impl Contest {
    /// Which opening the games of a round begin with, counted from 0, and by how many seats its sides
    /// are moved on.
    ///
    /// Each opening is played from every seat: on one seed where all seats have the same entrants, since
    /// the combinations exchange them there, otherwise on as many seeds as there are seats.
    pub fn opening_of(&self, round: usize) -> (usize, usize) {
        match self.is_symmetric() {
            true => (round, 0),
            false => (round / self.seats.len(), round % self.seats.len()),
        }
    }

    /// Whether all seats have the same entrants.
    pub fn is_symmetric(&self) -> bool {
        let mut entrants = self
            .seats
            .iter()
            .map(|seat| seat.planners.iter().map(Entrant::name).collect::<BTreeSet<_>>());
        let first = entrants.next();
        entrants.all(|others| Some(others) == first)
    }
}

/// What the games of a contest are played on.
pub(super) struct Beginnings<'a, G: Game> {
    contest: &'a Contest,
    level: &'a CheckedLevel<G>,
    /// The rules on the level itself: what they work out of it is shared.
    rules: Arc<G>,
    /// The openings found so far.
    found: Vec<OnceLock<String>>,
    stop: &'a StopFlag,
}

impl<'a, G: Game> Beginnings<'a, G> {
    /// Openings are found when their games begin.
    ///
    /// # Errors
    /// If the level cannot be played by so many.
    pub fn new(
        contest: &'a Contest,
        level: &'a CheckedLevel<G>,
        stop: &'a StopFlag,
    ) -> Result<Self, TournamentError> {
        let rules = rules::<G>(level, contest.seats.len())?;
        let found = match contest.openings {
            Some(OpeningSource::Found) => vec![OnceLock::new(); contest.seeds as usize],
            _ => Vec::new(),
        };
        Ok(Self { contest, level, rules, found, stop })
    }

    /// The rules of the games of a round, and their opening.
    ///
    /// # Errors
    /// If the game has no openings, or this one breaks its rules.
    pub fn of(&self, round: usize) -> Result<(Arc<G>, Option<String>), TournamentError> {
        let Some(source) = &self.contest.openings else {
            return Ok((Arc::clone(&self.rules), None));
        };
        let (number, moved) = self.contest.opening_of(round);
        let spec = opening_spec::<G>()?;
        let opening = match source {
            OpeningSource::Given(openings) => openings
                .get(number % openings.len().max(1))
                .ok_or_else(|| TournamentError::Setup("there are no openings".into()))?,
            OpeningSource::Found => self.found[number]
                .get_or_init(|| (spec.find)(self.level, self.contest.seed(number), self.stop)),
        };
        let rules = begin(&spec, self.level, opening, moved, self.contest.seats.len())?;
        Ok((rules, Some(opening.clone())))
    }
}

/// The rules on the level that begins after an opening.
///
/// # Errors
/// If the game has no openings, or this one breaks its rules.
pub(super) fn begin_with<G: Game>(
    contest: &Contest,
    level: &CheckedLevel<G>,
    opening: &str,
    round: usize,
) -> Result<Arc<G>, TournamentError> {
    let moved = contest.opening_of(round).1;
    begin(&opening_spec::<G>()?, level, opening, moved, contest.seats.len())
}

fn opening_spec<G: Game>() -> Result<OpeningSpec<G>, TournamentError> {
    G::MATCH_RULES
        .openings
        .ok_or_else(|| TournamentError::Setup(format!("the game {} has no openings", G::ID)))
}

fn begin<G: Game>(
    spec: &OpeningSpec<G>,
    level: &CheckedLevel<G>,
    opening: &str,
    moved: usize,
    seats: usize,
) -> Result<Arc<G>, TournamentError> {
    let level = (spec.begin)(level, opening, moved)
        .map_err(|why| TournamentError::Setup(format!("the opening '{opening}': {why}")))?;
    let level = CheckedLevel::new(level)
        .map_err(|faults| TournamentError::Setup(SetupError::from(faults).into()))?;
    rules::<G>(&level, seats)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::play::{Budget, Outcome, Place};
    use crate::tournament::{
        ContestLevel, Entrants, Estimate, FinishedGame, Journal, Scoreboard, ratings,
    };

    fn contest(x: &[&str], o: &[&str], seeds: u32) -> Contest {
        let level = ContestLevel::new("made/up".into(), "()".into());
        let seats = [("x", x), ("o", o)]
            .map(|(seat, planners)| Entrants::new(seat, planners.iter().copied()));
        let plain = Contest::new(("game", 1), level, seats.into(), (1, seeds), Budget::Work(1));
        Contest { openings: Some(OpeningSource::Found), ..plain }
    }

    fn game(seed: u64, players: [&str; 2], score: f64, opening: Option<&str>) -> FinishedGame {
        let place = |score: f64| Place {
            rank: if score > 0.5 { 1 } else { 2 },
            score: Some(score),
            ending: String::new(),
        };
        let places = vec![place(score), place(1.0 - score)];
        let outcome = Outcome { headline: String::new(), places };
        let opening = opening.map(str::to_owned);
        FinishedGame { opening, ..FinishedGame::new(seed, players, outcome) }
    }

    #[test]
    fn every_opening_is_played_from_every_seat() {
        let all = |contest: Contest| -> Vec<(usize, usize)> {
            (0..4).map(|round| contest.opening_of(round)).collect()
        };
        let apart = all(contest(&["best"], &["club", "expert"], 4));
        assert_eq!(apart, [(0, 0), (0, 1), (1, 0), (1, 1)]);
        // The pairings of one seed exchange the planners.
        let together = all(contest(&["best", "club"], &["club", "best"], 4));
        assert_eq!(together, [(0, 0), (1, 0), (2, 0), (3, 0)]);
    }

    #[test]
    fn games_of_an_opening_count_as_one_sample() {
        let pair = ["best", "club"];
        // Whoever begins wins: from both seats that is a half, four times over.
        let games = (1..=8).map(|seed| {
            let opening = ["a", "b", "c", "d"][(seed as usize - 1) / 2];
            game(seed, pair, (seed % 2) as f64, Some(opening))
        });
        let board = Scoreboard::new(contest(&["best"], &["club"], 8), games);
        let cell = board.cell(0, |_| &[]);
        let even = Estimate { games: 4, mean: Some(0.5), ci95: Some(0.0), all_equal: false };
        assert_eq!((cell.games, cell.seats[0].payoff), (8, even));
        // Sums of 2, 1, 0 and 1 of two games each: means 1, 0.5, 0, 0.5, deviation 0.4082.
        let scores = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let games = (1..=8).zip(scores).map(|(seed, score)| {
            game(seed, pair, score, Some(["a", "b", "c", "d"][(seed as usize - 1) / 2]))
        });
        let board = Scoreboard::new(contest(&["best"], &["club"], 8), games);
        let payoff = board.cell(0, |_| &[]).seats[0].payoff;
        assert_eq!((payoff.games, payoff.mean), (4, Some(0.5)));
        assert!((payoff.ci95.unwrap() - 3.1824 * 0.408_248 / 2.0).abs() < 1e-4, "{payoff:?}");
    }

    #[test]
    fn equal_games_have_no_interval() {
        let plain = Contest { openings: None, ..contest(&["best", "club"], &["club"], 5) };
        let equal = (1..=5).map(|seed| game(seed, ["best", "club"], 1.0, None));
        let others = (1..=5)
            .map(|seed| FinishedGame { digest: seed, ..game(seed, ["club", "club"], 0.5, None) });
        let board = Scoreboard::new(plain.clone(), equal.clone().chain(others));
        let equal_ones = board.cell(0, |_| &[]).seats[0].payoff;
        assert_eq!(equal_ones, Estimate { games: 5, mean: Some(1.0), ci95: None, all_equal: true });
        let different = board.cell(1, |_| &[]).seats[0].payoff;
        assert_eq!((different.ci95, different.all_equal), (Some(0.0), false));
        assert!(!board.difference(0, "best", "club", None).all_equal);
        let rated = ratings(&board);
        let of = |planner: &str| rated.iter().find(|r| r.planner == planner && r.seat == "x");
        assert_eq!((of("best").unwrap().games, of("club").unwrap().games), (1, 5));
        // One game is no several equal ones, and other work is another game.
        let one = Scoreboard::new(plain.clone(), equal.clone().take(1));
        assert!(!one.all_equal(0));
        let works = equal.map(|mut game| {
            game.stats[0].work = game.seed;
            game
        });
        assert!(!Scoreboard::new(plain, works).all_equal(0));
    }

    #[test]
    fn journals_keep_openings_and_older_ones_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let given = OpeningSource::Given(vec!["a1 b2".into(), "c3".into()]);
        for (number, openings) in
            [None, Some(OpeningSource::Found), Some(given)].into_iter().enumerate()
        {
            let contest = Contest { openings, ..contest(&["best"], &["club"], 2) };
            let file = folder.path().join(number.to_string());
            let opening = contest.openings.as_ref().map(|_| "a1 b2");
            let games = [1, 2].map(|seed| game(seed, ["best", "club"], 1.0, opening));
            let journal = Journal::begin(&file, &contest).unwrap();
            games.iter().for_each(|game| journal.add(game).unwrap());
            drop(journal);
            let saved = Journal::read(&file).unwrap();
            assert_eq!((&saved.contest, &saved.games[..]), (&contest, &games[..]));
            // What has no openings can be read by versions that know none.
            let text = std::fs::read_to_string(&file).unwrap();
            assert_eq!(text.contains("opening"), contest.openings.is_some());
            assert_eq!(text.contains("outwit-tournament 2"), contest.openings.is_none());
            let other = Contest { openings: None, ..contest.clone() };
            assert_eq!(Journal::resume(&file, &other).is_err(), contest.openings.is_some());
        }
        let none = Contest {
            openings: Some(OpeningSource::Given(Vec::new())),
            ..contest(&["best"], &["club"], 2)
        };
        let file = folder.path().join("none");
        drop(Journal::begin(&file, &none).unwrap());
        assert!(Journal::read(&file).is_err());
    }
}
