//! The results of a tournament and what of them is looked at.

use crate::games::DynGame;
use crate::platform::time::{Duration, Instant};
use crate::tournament::{Estimate, FinishedGame, MatrixCell, Rating, Scoreboard, ratings};

/// What the table shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ResultsTab {
    /// Means with intervals.
    #[default]
    Payoff,
    /// Shares of an ending.
    Outcomes,
    /// Turns in which time was up.
    Overruns,
    /// How long planners thought.
    Time,
    /// One planner minus another on the same seeds.
    Differences,
    /// One figure a planner.
    Ratings,
}

/// All views with their names.
pub const VIEWS: [(ResultsTab, &str); 6] = [
    (ResultsTab::Payoff, "Payoff"),
    (ResultsTab::Outcomes, "Outcomes"),
    (ResultsTab::Overruns, "Overruns"),
    (ResultsTab::Time, "Planning time"),
    (ResultsTab::Differences, "Differences"),
    (ResultsTab::Ratings, "Ratings"),
];

/// By what the games of a cell are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SortOrder {
    /// Their seeds.
    #[default]
    Seed,
    /// What the first seat got.
    Payoff,
    /// How long they are.
    Turns,
}

/// Figures of a board, saved until it or the choice of figures changes.
#[derive(Default)]
pub struct Figures {
    /// All cells.
    pub cells: Vec<MatrixCell>,
    /// All planners.
    pub ratings: Vec<Rating>,
    /// For [`Choice::seat`]: planner by planner, against each opponent and then all of them.
    pub differences: Vec<Vec<Estimate>>,
}

/// What of the results is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// Which table.
    pub view: ResultsTab,
    /// Whose payoff, endings, times or differences.
    pub seat: usize,
    /// Which of its endings.
    pub ending: usize,
    /// Whether the slowest of a hundred plans counts, not the median.
    pub slowest: bool,
    /// From whom the others' differences are taken.
    pub baseline: usize,
}

/// Results that are shown.
pub struct ResultsState {
    /// The games.
    pub board: Scoreboard,
    /// What they add up to.
    pub figures: Figures,
    /// What of it is looked at.
    pub choice: Choice,
    /// The cell whose games are listed.
    pub cell: Option<usize>,
    /// How they are sorted, and whether the other way round.
    pub order: (SortOrder, bool),
    sums: Option<Sums>,
}

/// From what the figures were made.
#[derive(Clone, Copy)]
struct Sums {
    choice: Choice,
    games: usize,
    at: Instant,
    /// How long it took.
    cost: Duration,
}

/// Figures of a running tournament are added up this often, or less if it takes long.
const ANEW: Duration = Duration::from_millis(700);

impl ResultsState {
    /// Nothing is added up yet.
    pub fn new(board: Scoreboard) -> Self {
        Self {
            board,
            figures: Figures::default(),
            choice: Choice::default(),
            cell: None,
            order: Default::default(),
            sums: None,
        }
    }

    /// Adds the games up if something has changed.
    pub fn add_up(&mut self, kind: &dyn DynGame) {
        let (now, finished) = (self.choice, self.board.finished());
        if let Some(sums) = &self.sums
            && sums.choice == now
            && (sums.games == finished || sums.at.elapsed() < ANEW.max(sums.cost * 20))
        {
            return;
        }
        let begun = Instant::now();
        let contest = self.board.contest();
        if self.sums.is_none_or(|sums| sums.games != finished) {
            self.figures.cells = (0..contest.cells())
                .map(|cell| self.board.cell(cell, |seat| kind.endings(seat)))
                .collect();
            self.figures.ratings = ratings(&self.board);
        }
        if now.view == ResultsTab::Differences
            && let Some(entrants) = contest.seats.get(now.seat)
            && let Some(baseline) = entrants.planners.get(now.baseline)
        {
            let opponents = self.board.opponents(now.seat);
            let against = |planner: &String| {
                let each = opponents.iter().map(|players| Some(players.as_slice()));
                each.chain([None])
                    .map(|players| self.board.difference(now.seat, planner, baseline, players))
                    .collect()
            };
            self.figures.differences = entrants.planners.iter().map(against).collect();
        }
        let cost = begun.elapsed();
        self.sums = Some(Sums { choice: now, games: finished, at: Instant::now(), cost });
    }

    /// The games of a cell in the chosen order.
    pub fn games(&self, cell: usize) -> Vec<&FinishedGame> {
        let mut games: Vec<&FinishedGame> = self.board.games(cell).collect();
        match self.order.0 {
            SortOrder::Seed => {}
            SortOrder::Payoff => games.sort_by(|a, b| {
                let score = |game: &FinishedGame| game.score(0).unwrap_or(f64::NEG_INFINITY);
                score(a).total_cmp(&score(b))
            }),
            SortOrder::Turns => games.sort_by_key(|game| game.turns),
        }
        if self.order.1 {
            games.reverse();
        }
        games
    }

    /// Has the figures made anew.
    pub fn forget_sums(&mut self) {
        self.sums = None;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::config::TournamentSetup;
    use super::*;
    use crate::games::GAMES;
    use crate::levels::built_in;
    use crate::play::{Budget, StopFlag};

    #[test]
    fn figures_and_lists_follow_the_games() {
        let kind = GAMES.iter().map(|game| game.kind).find(|kind| kind.id() == "cops").unwrap();
        let text = String::from_utf8(built_in("cops/tiny").unwrap().bytes().unwrap()).unwrap();
        let mut plan = TournamentSetup::new(kind, "cops/tiny".into(), text);
        (plan.seeds, plan.budget) = (4, Budget::Work(500));
        for (_, planners) in &mut plan.seats {
            planners.iter_mut().for_each(|(name, on)| *on = name == "random" || name == "runner");
        }
        let contest = plan.contest(kind).unwrap();
        let games =
            kind.run_contest(&contest, Vec::new(), &StopFlag::default(), &|_| Ok(())).unwrap();
        let mut shown = ResultsState::new(Scoreboard::new(contest, games[..6].to_vec()));
        shown.add_up(kind);
        assert_eq!(shown.figures.cells.iter().map(|cell| cell.games).sum::<usize>(), 6);
        games[6..].iter().for_each(|game| shown.board.enter(game.clone()));
        shown.choice.view = ResultsTab::Differences;
        shown.add_up(kind);
        assert_eq!(shown.figures.cells[0].games, 4);
        assert_eq!(shown.figures.differences[1][0].games, 4);
        assert_eq!(shown.figures.differences[0][0].mean, Some(0.0));
        shown.order = (SortOrder::Payoff, true);
        let scores: Vec<_> = shown.games(0).iter().filter_map(|game| game.score(0)).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b) && scores.len() == 4, "{scores:?}");
    }
}
