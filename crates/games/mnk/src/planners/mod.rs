//! Planners, the weakest first.

mod classic;
mod openings;
mod picture;
mod searcher;
#[cfg(test)]
mod tests;

use super::search::pvs::SearchOptions;
use super::{Mnk, MnkState};
use outwit_core::platform::task::AtWork;
use outwit_core::play::{Clock, Planner, PlannerContext, PlannerSpec, Progress};

pub(crate) use openings::OpeningChoice;
pub use picture::{expected, value_of};
pub(crate) use searcher::NEARLY_EVEN;
pub use searcher::{BEST, Strength};

const OVERSIGHTS: &str = "Principal variation search, cut short after a few plies. Before it begins, \
    it overlooks some cells for its own move: each with a probability that grows with its distance \
    from the last move, as people overlook what happens at the other end of the board. An overlooked \
    cell is not played, even if it wins; `beginner` overlooks at most a fifth of those. Only a cell \
    where the opponent would win at once is never overlooked. In the same position the same seed overlooks the same cells.";

const NO_OVERSIGHTS: &str = "The search of the planner best, but only 4 plies deep and without \
                             wins by open threes. With more than 36 empty cells it tries the 24 \
                             most promising moves near stones, and late ones less deep. Forced \
                             answers cost no depth, and wins by fours are searched in at most 20 \
                             positions each. It overlooks no cell.";

/// The planner `best` with a transposition table of 2^`table_bits` entries of 16 bytes.
pub fn best_with_table(context: PlannerContext<Mnk>, table_bits: u32) -> Box<dyn Planner<Mnk>> {
    let options = SearchOptions { table_bits, ..BEST.options };
    Box::new(searcher::Searcher::new(context, Strength { options, ..BEST }))
}

/// Lets a planner think about a position until it is done or the clock is over.
pub(crate) fn think(planner: &mut dyn Planner<Mnk>, state: &MnkState, clock: &Clock) {
    let _at_work = AtWork::begin();
    planner.observe(state);
    while planner.think(clock) == Progress::More && !clock.is_over() {}
}

/// All planners, the weakest first: on 3 by 3 cells `classic` holds its own, on larger boards it loses to
/// all others. Each counts one unit of work for each position that it looks at.
pub static ALL: &[PlannerSpec<Mnk>] = &[
    PlannerSpec {
        name: "classic",
        algorithm: "Alpha-beta, 1 to 6 plies",
        about: "Looks less far ahead on emptier boards, tries cells in reading order, and judges only the last \
                stone.",
        method: "Alpha-beta over all empty cells, row by row, to a depth of 6 plies with at most \
                 16 empty cells, 5 with 25, 4 with 36, 3 with 49, 2 with 85, and 1 with more. A \
                 win is worth 45 minus its depth. A leaf is worth the sum over the four lines \
                 through the stone placed last: the number of own stones in the longest stretch \
                 of own and free cells, if it is at least k long, minus the same for the \
                 opponent. If the time ends before any move is valued, a random cell is played.",
        seats: |_| true,
        make: |context| Box::new(classic::Classic::new(context)),
    },
    PlannerSpec {
        name: "beginner",
        algorithm: "Search, 1 ply ahead, that overlooks most cells",
        about: "Mostly completes its own row, and sees little else: for children.",
        method: OVERSIGHTS,
        seats: |_| true,
        make: |context| Box::new(searcher::Searcher::new(context, searcher::BEGINNER)),
    },
    PlannerSpec {
        name: "novice",
        algorithm: "Search, 1 ply ahead, with oversights",
        about: "Sees one move ahead and overlooks a fifth to a half of the cells: for a first game.",
        method: OVERSIGHTS,
        seats: |_| true,
        make: |context| Box::new(searcher::Searcher::new(context, searcher::NOVICE)),
    },
    PlannerSpec {
        name: "casual",
        algorithm: "Search, 2 plies ahead, with oversights",
        about: "Sees a move and the answer, and overlooks up to a fifth of the cells.",
        method: OVERSIGHTS,
        seats: |_| true,
        make: |context| Box::new(searcher::Searcher::new(context, searcher::CASUAL)),
    },
    PlannerSpec {
        name: "club",
        algorithm: "Search, 3 plies ahead, with rare oversights",
        about: "Looks three plies ahead, sees short runs of fours, and rarely overlooks a cell.",
        method: OVERSIGHTS,
        seats: |_| true,
        make: |context| Box::new(searcher::Searcher::new(context, searcher::CLUB)),
    },
    PlannerSpec {
        name: "expert",
        algorithm: "Search, 4 plies ahead",
        about: "Looks four plies ahead, finds short wins by fours, and overlooks no cell.",
        method: NO_OVERSIGHTS,
        seats: |_| true,
        make: |context| Box::new(searcher::Searcher::new(context, searcher::EXPERT)),
    },
    PlannerSpec {
        name: "best",
        algorithm: "Principal variation search with threat-space search",
        about: "Searches as deep as the time allows, and finds forced wins by fours and by threes.",
        method: "Iterative deepening with a transposition table that stays between moves. With a budget of \
                 time, a second thread searches beside it where a core is free; the two share the table. For each \
                 empty cell the board knows what a stone there would make of its four lines, for both \
                 sides; this orders the moves and values positions, with weights fitted to results of \
                 games. Every new position that is not clearly good is searched for a win by fours, near the \
                 end of the search only for one by fours that make each other possible; the position \
                 itself, and what follows each move, also for one by fours and open threes, against all \
                 answers. A four, or a threatened open four, leaves only the moves that stop \
                 it. With more than 36 empty cells, the best 32 near stones are tried, late ones less \
                 deep or, near the end of the search, not at all, and positions far better or worse than \
                 needed are cut off; then only wins by threats, and losses in spite of all answers to \
                 threats, count as forced. \
                 With fewer empty cells every move counts, and a side whose windows can all be stopped, \
                 by the criterion of Erdős and Selfridge, cannot win, which proves many draws at once. \
                 Where all moves lose, it plays the one after which the other side needs longest, as far \
                 as proofs of growing length can tell. A \
                 value that is not proved is the mean of the last two depths, as far as results of games \
                 bear it out. In a swap opening it places the most even of several random stones, which \
                 it searches deeper and deeper, and leaves the choice of sides to the opponent where \
                 they are worth the same.",
        seats: |_| true,
        make: |context| Box::new(searcher::Searcher::new(context, BEST)),
    },
];
