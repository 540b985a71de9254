//! Single crossovers and mutations, for people to follow.

use crate::ground::Ground;
use crate::route::{Route, RouteMove};
use outwit_core::grid::Cell;
use outwit_core::play::{Mark, MarkKind, Path, Tone, Walkthrough, WalkthroughStep};

/// Two parents, where they were cut, and what became of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crossover {
    /// The parents.
    pub parents: [Route; 2],
    /// After how many moves each parent was cut.
    pub cuts: [usize; 2],
    /// The first child as it was joined, not yet repaired: the head of the first parent and the tail of
    /// the second.
    pub joined: Route,
    /// The first child, repaired and extended.
    pub child: Route,
}

/// An individual, the move that was changed, and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutation {
    /// The individual before.
    pub before: Route,
    /// The index of the changed move.
    pub at: usize,
    /// The new move.
    pub to: RouteMove,
    /// The individual after, repaired and extended.
    pub after: Route,
}

impl Crossover {
    /// The crossover for people to follow.
    pub(in crate::planners) fn walkthrough(&self, ground: &Ground) -> Walkthrough {
        let parent = |which: usize, ordinal: &str, kept: &str| {
            let tones = if which == 0 {
                [Tone::Wanted, Tone::Searched]
            } else {
                [Tone::PartnerUnused, Tone::Partner]
            };
            cut_route(ground, &self.parents[which], self.cuts[which], tones, |cut| {
                format!("The {ordinal} parent is cut after move {cut}; its {kept} is used.")
            })
        };
        let joined = |_| "Head and tail are joined, move by move.".into();
        let tones = [Tone::Wanted, Tone::Partner];
        Walkthrough {
            name: "Crossover",
            steps: vec![
                parent(0, "first", "head"),
                parent(1, "second", "tail"),
                cut_route(ground, &self.joined, self.cuts[0], tones, joined),
                shows(
                    ground,
                    "Moves that collide or enter a cell again are dropped, and random moves are \
                     added until the path is stuck or at the goal: the child."
                        .into(),
                    &self.child,
                ),
            ],
        }
    }
}

/// A route that is cut after so many moves, with what is said of that.
fn cut_route(
    ground: &Ground,
    route: &Route,
    cut: usize,
    tones: [Tone; 2],
    words: impl FnOnce(usize) -> String,
) -> WalkthroughStep {
    let cells = route.cells(ground.start());
    let cut = cut.min(cells.len() - 1);
    let path = |cells: &[Cell], tone| Path { cells: cells.to_vec(), tone };
    WalkthroughStep {
        words: words(cut),
        paths: vec![path(&cells[..=cut], tones[0]), path(&cells[cut..], tones[1])],
        marks: vec![Mark { cell: cells[cut], kind: MarkKind::Cross, tone: Tone::Feared }],
    }
}

impl Mutation {
    /// The mutation for people to follow.
    pub(super) fn walkthrough(&self, ground: &Ground) -> Walkthrough {
        let number = self.at + 1;
        let cells = self.before.cells(ground.start());
        let from = self.before.0.get(self.at).map_or('-', |step| step.letter());
        let mut changed = self.before.clone();
        if let Some(step) = changed.0.get_mut(self.at) {
            *step = self.to;
        }
        let mut before =
            shows(ground, format!("Move {number} of this path is chosen."), &self.before);
        let at = cells.get(self.at).copied().unwrap_or(ground.start());
        before.marks.push(Mark { cell: at, kind: MarkKind::Ring, tone: Tone::Feared });
        let mut after = shows(
            ground,
            format!(
                "It becomes '{}' instead of '{from}', and all that follows is moved.",
                self.to.letter()
            ),
            &changed,
        );
        after.marks.clone_from(&before.marks);
        Walkthrough {
            name: "Mutation",
            steps: vec![
                before,
                after,
                shows(
                    ground,
                    "What became illegal is dropped, and the path is extended at random.".into(),
                    &self.after,
                ),
            ],
        }
    }
}

/// A step that shows one path.
fn shows(ground: &Ground, words: String, route: &Route) -> WalkthroughStep {
    let cells = route.cells(ground.start());
    WalkthroughStep { words, paths: vec![Path { cells, tone: Tone::Wanted }], marks: Vec::new() }
}
