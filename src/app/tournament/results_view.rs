//! The results of a tournament, and which view of them is shown.

use super::config::describe;
use super::highlights::Highlights;
use crate::app::shell::seats::seat_title;
use outwit_core::platform::time::{Duration, Instant};
use outwit_core::tournament::{
    Entrant, Estimate, FinishedGame, MatrixCell, Rating, Scoreboard, ratings,
};
use outwit_kit::DynGame;

/// The views of the results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ResultsTab {
    /// Means with intervals.
    #[default]
    Payoff,
    /// Share of games with an ending.
    Outcomes,
    /// Turns in which the planner ran out of budget.
    Overruns,
    /// Planning times.
    Time,
    /// One planner minus another on the same seeds.
    Differences,
    /// One rating per planner.
    Ratings,
    /// Means with intervals on one scale.
    Chart,
    /// The best moments of all games.
    Highlights,
}

/// The order of the games of a pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SortOrder {
    /// By seed.
    #[default]
    Seed,
    /// By the payoff of the first seat.
    Payoff,
    /// By the number of turns.
    Turns,
}

/// Statistics of the results, cached until the results or the view change.
#[derive(Default)]
pub struct Figures {
    /// All pairings.
    pub cells: Vec<MatrixCell>,
    /// All planners.
    pub ratings: Vec<Rating>,
    /// For [`ViewOptions::seat`]: for each planner, against each opponent and then against all.
    pub differences: Vec<Vec<Estimate>>,
}

/// The options of the view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ViewOptions {
    /// The view.
    pub view: ResultsTab,
    /// The seat whose payoffs, endings, times or differences are shown.
    pub seat: usize,
    /// The ending whose share is shown.
    pub ending: usize,
    /// Whether to show the slowest 1 % of planning times instead of the median.
    pub slowest: bool,
    /// The planner that the others are compared with.
    pub baseline: usize,
}

/// The results that are shown.
pub struct ResultsState {
    /// The games.
    pub board: Scoreboard,
    /// What people call the level.
    pub level_name: String,
    /// Their statistics.
    pub figures: Figures,
    /// The options of the view.
    pub options: ViewOptions,
    /// The pairing whose games are listed.
    pub cell: Option<usize>,
    /// Their order, and whether it is reversed.
    pub order: (SortOrder, bool),
    /// The best moments of the games, once they are looked for.
    pub highlights: Option<Highlights>,
    updated: Option<Updated>,
}

/// When and from what the statistics were computed.
#[derive(Clone, Copy)]
struct Updated {
    options: ViewOptions,
    games: usize,
    at: Instant,
    /// How long that took.
    cost: Duration,
}

/// The statistics of a running tournament are updated this often, or more rarely if that takes long.
const REFRESH: Duration = Duration::from_millis(700);

/// What tables call a player.
pub fn player_title(board: &Scoreboard, player: &str) -> String {
    match Entrant::from(player).player().program() {
        Some(_) => board.label(player),
        None => seat_title(player),
    }
}

impl ResultsState {
    /// What tables call a player.
    pub fn title(&self, player: &str) -> String {
        player_title(&self.board, player)
    }

    /// Results without statistics yet.
    pub fn new(kind: &dyn DynGame, board: Scoreboard) -> Self {
        let (level_name, _) = describe(kind, &board.contest().level);
        Self {
            board,
            level_name,
            figures: Figures::default(),
            options: ViewOptions::default(),
            cell: None,
            order: Default::default(),
            highlights: None,
            updated: None,
        }
    }

    /// Updates the statistics if the results or the view have changed.
    pub fn update(&mut self, kind: &dyn DynGame) {
        let now = self.options;
        let finished = self.board.finished();
        if let Some(updated) = &self.updated
            && updated.options == now
            && (updated.games == finished || updated.at.elapsed() < REFRESH.max(updated.cost * 20))
        {
            return;
        }
        let begun = Instant::now();
        let contest = self.board.contest();
        if self.updated.is_none_or(|updated| updated.games != finished) {
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
            self.figures.differences = entrants
                .planners
                .iter()
                .map(|planner| {
                    let each = opponents.iter().map(|players| Some(players.as_slice()));
                    each.chain([None])
                        .map(|players| {
                            self.board.difference(
                                now.seat,
                                planner.name(),
                                baseline.name(),
                                players,
                            )
                        })
                        .collect()
                })
                .collect();
        }
        let cost = begun.elapsed();
        self.updated = Some(Updated { options: now, games: finished, at: Instant::now(), cost });
    }

    /// The games of a pairing in the chosen order.
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

    /// Forces an update of the statistics.
    pub fn invalidate(&mut self) {
        self.updated = None;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::config::TournamentSetup;
    use super::super::matrix::Matrix;
    use super::*;
    use outwit_core::play::{Better, Budget, StopFlag};
    use outwit_core::tournament::ContestLevel;
    use outwit_headless::GAMES;
    use outwit_levels::built_in;

    #[test]
    fn statistics_and_lists_follow_the_games() {
        let kind = GAMES.iter().copied().find(|kind| kind.id() == "cops").unwrap();
        let text = String::from_utf8(built_in("cops/tiny").unwrap().bytes().unwrap()).unwrap();
        let mut plan = TournamentSetup::new(kind, ContestLevel::new("cops/tiny".into(), text));
        (plan.seeds, plan.budget) = (4, Budget::Work(500).into());
        for (_, planners) in &mut plan.seats {
            planners.iter_mut().for_each(|(name, on)| *on = name == "random" || name == "runner");
        }
        let contest = plan.contest(kind).unwrap();
        let games =
            kind.run_contest(&contest, Vec::new(), &StopFlag::default(), &|_| Ok(())).unwrap();
        let mut shown = ResultsState::new(kind, Scoreboard::new(contest, games[..6].to_vec()));
        shown.update(kind);
        assert_eq!(shown.figures.cells.iter().map(|cell| cell.games).sum::<usize>(), 6);
        games[6..].iter().for_each(|game| shown.board.enter(game.clone()));
        shown.options.view = ResultsTab::Differences;
        shown.update(kind);
        assert_eq!(shown.figures.cells[0].games, 4);
        assert_eq!(shown.figures.differences[1][0].games, 4);
        assert_eq!(shown.figures.differences[0][0].mean, Some(0.0));
        let matrix = Matrix::new(&shown, "Payoff", Better::Higher);
        let text = matrix.text();
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
        assert_eq!(lines.len(), 1 + matrix.rows.len(), "{text}");
        assert!(lines.iter().all(|line| line.len() == 1 + matrix.columns.len()), "{text}");
        assert!(lines[1][1].starts_with(&matrix.figures[0][0].words), "{text}");
        assert_eq!(shown.level_name, "Back yard");
        shown.order = (SortOrder::Payoff, true);
        let scores: Vec<_> = shown.games(0).iter().filter_map(|game| game.score(0)).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b) && scores.len() == 4, "{scores:?}");
    }
}
