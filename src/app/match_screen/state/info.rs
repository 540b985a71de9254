//! What never changes about a match.

use crate::app::match_screen::analysis::state::PlannerSummary;
use crate::app::match_screen::game_view::GameView;
use outwit_core::grid::Grid;
use outwit_core::play::{PlannerSpec, ScoreSpec, Seat};
use outwit_core::search::Ties;
use outwit_kit::{SearchName, Searches};

/// What never changes about a match, whatever its game: plain data that is found once.
pub struct MatchInfo {
    /// What the scores of its seats are.
    pub score: ScoreSpec,
    /// Columns and rows of the board.
    pub extent: (usize, usize),
    /// Which cells are part of the place, for the lines between them.
    pub inside: Grid<bool>,
    /// The seats, in the order in which the game numbers them.
    pub seats: Vec<SeatInfo>,
    /// Whether perfect play is known or can be estimated, so that a match can be reviewed.
    pub has_review: bool,
    /// Whether the game has a notation for moves.
    pub has_notation: bool,
    /// Whether the seats may agree that a match is drawn.
    pub draws_by_agreement: bool,
    /// The planners whose search can be recorded.
    pub recorded: Vec<RecordedSearch>,
    /// How the game's trees are read, if they can be drawn.
    pub game_tree: Option<TreeInfo>,
}

/// How the trees of a game are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeInfo {
    /// What the side that maximises and the other one are called.
    pub sides: [&'static str; 2],
    /// What values mean.
    pub values: &'static str,
}

/// A planner whose search can be recorded, and which settings it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordedSearch {
    /// The planner.
    pub planner: &'static str,
    /// Whether it can break ties in several ways.
    pub has_ties: bool,
    /// Whether its estimate can have another weight.
    pub has_weight: bool,
}

/// What never changes about a seat.
pub struct SeatInfo {
    /// What the game calls it, whoever sits there.
    pub title: String,
    /// Its silhouette.
    pub shape: &'static str,
    /// The planners that can take it, the plainest first.
    pub planners: Vec<PlannerSummary>,
}

impl MatchInfo {
    /// What is known about a match with this many seats on this level.
    pub fn of<G: GameView>(game: &G, seats: usize) -> Self {
        Self {
            score: (G::TABLES.score_on)(game.level()),
            extent: G::extent(game),
            inside: (G::SCENERY.inside)(game.level()),
            seats: (0..seats as u8).map(|seat| SeatInfo::of::<G>(Seat(seat))).collect(),
            has_review: outwit_kit::is_solvable::<G>(),
            has_notation: G::NOTATION.is_some(),
            draws_by_agreement: G::MATCH_RULES.draws_by_agreement,
            recorded: G::SEARCHES.map_or_else(Vec::new, RecordedSearch::all),
            game_tree: G::GAME_TREE
                .filter(|spec| (spec.fits)(game))
                .map(|spec| TreeInfo { sides: spec.sides, values: spec.values }),
        }
    }

    /// The silhouette of a seat.
    pub fn shape(&self, seat: Seat) -> Option<&'static str> {
        self.seats.get(seat.index()).map(|seat| seat.shape)
    }
}

impl RecordedSearch {
    fn all<G: GameView>(searches: Searches<G>) -> Vec<Self> {
        let can = |name: SearchName| (searches.bound)(&name.to_string()).is_ok();
        let planners = (searches.recorded)().into_iter();
        planners
            .map(|planner| {
                let usual = SearchName::usual(planner);
                Self {
                    planner,
                    has_ties: can(SearchName { ties: Some(Ties::Fifo), ..usual }),
                    has_weight: can(SearchName { weight: Some(2), ..usual }),
                }
            })
            .collect()
    }
}

impl SeatInfo {
    fn of<G: GameView>(seat: Seat) -> Self {
        let specs = G::planners().iter().filter(|spec| (spec.seats)(seat));
        Self {
            title: G::SEATS.title(seat),
            shape: (G::SEATS.spec)(seat).piece,
            planners: specs.map(PlannerSummary::of).collect(),
        }
    }
}

impl PlannerSummary {
    fn of<G: GameView>(spec: &PlannerSpec<G>) -> Self {
        Self { name: spec.name, algorithm: spec.algorithm, about: spec.about, method: spec.method }
    }
}
