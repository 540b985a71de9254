//! Planners that search: `best`, and weaker ones that see less far and overlook cells.

use super::openings::OpeningChoice;
use super::picture::{self, expected};
use crate::search::helper::Helper;
use crate::search::pvs::{MnkSearch, SearchOptions};
use crate::search::resistance::Resistance;
use crate::search::worth::ThreatKind;
use crate::search::{FORCED, NO_CELL, SearchBoard, WIN};
use crate::{Mnk, MnkAction, MnkPhase, MnkState, Opening};
use outwit_core::grid::Cell;
use outwit_core::play::{Clock, Game, Insight, Line, Planner, PlannerContext, Progress, Seat};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How strong a planner is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// How it searches.
    pub options: SearchOptions,
    /// Probability that it overlooks a cell next to the last move.
    pub near_oversight: f64,
    /// Probability that it overlooks a cell far from the last move.
    pub far_oversight: f64,
    /// The most that either is for a cell that completes a row of its own.
    pub row_oversight: f64,
}

pub(super) const BEGINNER: Strength = Strength {
    // Of so many cells it always sees some: a search that overlooked all of them would see them all.
    options: SearchOptions { width: 60, ..NOVICE.options },
    near_oversight: 0.85,
    far_oversight: 0.95,
    row_oversight: 0.2,
};

pub(super) const NOVICE: Strength = Strength {
    options: SearchOptions { depth: 1, width: 12, fours: 0, threes: 0, table_bits: 12 },
    near_oversight: 0.2,
    far_oversight: 0.5,
    row_oversight: 1.0,
};

pub(super) const CASUAL: Strength = Strength {
    options: SearchOptions { depth: 2, width: 16, fours: 0, threes: 0, table_bits: 14 },
    near_oversight: 0.05,
    far_oversight: 0.2,
    row_oversight: 1.0,
};

pub(super) const CLUB: Strength = Strength {
    options: SearchOptions { depth: 3, width: 20, fours: 10, threes: 0, table_bits: 16 },
    near_oversight: 0.01,
    far_oversight: 0.04,
    row_oversight: 1.0,
};

pub(super) const EXPERT: Strength = Strength {
    options: SearchOptions { depth: 4, width: 24, fours: 20, threes: 0, table_bits: 18 },
    near_oversight: 0.0,
    far_oversight: 0.0,
    row_oversight: 1.0,
};

/// The planner `best`: limited only by its budget.
pub const BEST: Strength = Strength {
    options: SearchOptions { depth: 200, width: 32, fours: 20, threes: 1000, table_bits: 20 },
    near_oversight: 0.0,
    far_oversight: 0.0,
    row_oversight: 1.0,
};

/// Sides of a swap2 opening whose expected result is no farther from a half are left to the opponent.
pub(crate) const NEARLY_EVEN: f64 = 0.03;

/// From this distance to the last move on a cell counts as far.
const FAR: i32 = 4;

/// Searches the position for as long as it may.
pub(super) struct Searcher {
    context: PlannerContext<Mnk>,
    strength: Strength,
    search: Option<MnkSearch>,
    /// Which move holds out longest, where all lose.
    resistance: Option<Resistance>,
    /// Who searches beside it in this turn, and the positions that it has searched.
    helper: Option<Helper>,
    helped: u64,
    /// The choice of stones in an opening, and the position from which on they are placed.
    choice: Option<(OpeningChoice, MnkState)>,
    state: MnkState,
}

impl Searcher {
    pub fn new(context: PlannerContext<Mnk>, strength: Strength) -> Self {
        let state = context.game.opening();
        let mut searcher = Self {
            context,
            strength,
            search: None,
            resistance: None,
            helper: None,
            helped: 0,
            choice: None,
            state,
        };
        searcher.choose_stones();
        searcher
    }

    /// The stones that the opening asks for, if it does not ask for a choice.
    fn opening_stones(&self) -> Option<u8> {
        match self.state.phase {
            MnkPhase::Opening(stones) | MnkPhase::TwoMore(stones) => Some(stones),
            _ => None,
        }
    }

    fn places_opening(&self) -> bool {
        self.opening_stones().is_some()
    }

    /// The next of the chosen stones, if the position is the one that they lead to.
    fn chosen_stone(&self) -> Option<Cell> {
        let (choice, begun) = self.choice.as_ref()?;
        let mut state = begun.clone();
        for &cell in choice.best() {
            if state.stones == self.state.stones {
                return Some(cell);
            }
            self.context.game.take(&mut state, MnkAction::Place(cell), &mut Vec::new());
        }
        None
    }

    /// Begins to choose the stones of an opening, unless those chosen before still hold.
    fn choose_stones(&mut self) {
        let Some(stones) = self.opening_stones().filter(|_| self.chosen_stone().is_none()) else {
            return;
        };
        let game = &self.context.game;
        let seed = self.context.seed;
        let choice = OpeningChoice::new(game, &self.state, stones, seed, self.strength.options);
        self.choice = Some((choice, self.state.clone()));
    }

    fn overlook(&mut self) {
        let Strength { near_oversight, far_oversight, row_oversight, .. } = self.strength;
        let Some(search) = self.search.as_mut().filter(|_| far_oversight > 0.0) else { return };
        let game = &self.context.game;
        let last = self.state.last;
        let board = search.board();
        let rows = board.cells_with(board.to_move(), ThreatKind::Five).to_vec();
        let seed = self.context.seed.rotate_left(17) ^ u64::from(self.state.empty);
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let rolls: Vec<f64> = self.state.stones.iter().map(|_| dice.random()).collect();
        search.overlook(|cell| {
            let distance = last.map_or(0, |last| last.chebyshev(game.cell_at(cell)));
            let share = f64::from(distance.min(FAR)) / f64::from(FAR);
            let probability = near_oversight + (far_oversight - near_oversight) * share;
            let is_row = rows.iter().any(|&row| usize::from(row) == cell);
            let probability = if is_row { probability.min(row_oversight) } else { probability };
            rolls.get(cell).is_some_and(|&roll| roll < probability)
        });
    }

    /// Whether the sides of a swap2 opening stand so nearly equal that two more stones are placed.
    fn leaves_choice(&self, search: &MnkSearch) -> bool {
        self.context.game.level().rules.opening == Opening::Swap2
            && (expected(search.steady_value()) - 0.5).abs() < NEARLY_EVEN
            && self.state.empty > 2
            && search.iterations().len() > 1
    }

    /// The move that holds out longest, begun to be looked for once the search has found that all lose.
    fn resist(&mut self, clock: &Clock) -> Progress {
        let is_best = self.strength.options.depth == BEST.options.depth;
        let lost = self.search.as_ref().filter(|search| is_best && search.value() <= -FORCED);
        let Some(search) = lost else { return Progress::Done };
        if self.resistance.is_none() {
            // After a move that loses in so many plies, the other side wins in one fewer.
            let after = |value: i32| u8::try_from(WIN + value - 1).unwrap_or(u8::MAX);
            let moves: Vec<(u16, u8)> =
                search.root_moves().iter().map(|it| (it.cell, after(it.value))).collect();
            let board = SearchBoard::of(&self.context.game, &self.state);
            self.resistance = Resistance::new(board, &moves);
        }
        let Some(resistance) = &mut self.resistance else { return Progress::Done };
        resistance.run(clock);
        if resistance.is_done() { Progress::Done } else { Progress::More }
    }

    /// The cell to play, if the search has one.
    fn cell(&self) -> Option<u16> {
        let found = self.search.as_ref().map(MnkSearch::best).filter(|&cell| cell != NO_CELL)?;
        Some(self.resistance.as_ref().map_or(found, Resistance::best))
    }

    /// What a search says, in terms of the game; legal without one too.
    fn decision(&self) -> MnkAction {
        let game = &self.context.game;
        let found = self.search.as_ref().filter(|search| search.best() != NO_CELL);
        let value = found.map_or(0, MnkSearch::steady_value);
        match (self.state.phase, found) {
            // Both choices are about who plays O, which moves next.
            (MnkPhase::FirstChooses, _) if value > 0 => MnkAction::Swap,
            (MnkPhase::FirstChooses, _) => MnkAction::Keep,
            (MnkPhase::SecondChooses, Some(search)) if self.leaves_choice(search) => {
                MnkAction::TwoMore
            }
            (MnkPhase::SecondChooses, _) if value < 0 => MnkAction::Swap,
            _ if let Some(cell) = self.cell() => MnkAction::Place(game.cell_at(usize::from(cell))),
            _ => game.null_action(&self.state, Seat(0)),
        }
    }
}

impl Planner<Mnk> for Searcher {
    fn observe(&mut self, seen: &MnkState) {
        self.state = seen.clone();
        (self.helper, self.helped, self.resistance) = (None, 0, None);
        if self.places_opening() {
            self.choose_stones();
            return;
        }
        match &mut self.search {
            Some(search) => search.set_up(seen),
            None => {
                let board = SearchBoard::of(&self.context.game, seen);
                self.search = Some(MnkSearch::new(board, self.strength.options));
            }
        }
        self.overlook();
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        if self.places_opening() {
            // Only before the first of the stones is there anything to choose.
            let begins =
                |(_, begun): &&mut (OpeningChoice, MnkState)| begun.stones == self.state.stones;
            return match self.choice.as_mut().filter(begins) {
                Some((choice, _)) => match choice.run(clock) {
                    true => Progress::Done,
                    false => Progress::More,
                },
                None => Progress::Done,
            };
        }
        let Some(search) = &mut self.search else { return Progress::Done };
        if self.strength.options.depth == BEST.options.depth
            && self.helper.is_none()
            && !search.is_done()
        {
            self.helper = Helper::begin(search, clock);
        }
        search.run(clock);
        if let Some(helper) = &self.helper {
            let helped = helper.nodes().max(self.helped);
            clock.charge(helped - self.helped);
            self.helped = helped;
        }
        if search.is_done() || clock.is_over() {
            self.helper = None;
        }
        if search.is_done() { self.resist(clock) } else { Progress::More }
    }

    fn best(&self) -> MnkAction {
        if self.places_opening() {
            self.chosen_stone().map_or_else(
                || self.context.game.null_action(&self.state, Seat(0)),
                MnkAction::Place,
            )
        } else {
            self.decision()
        }
    }

    fn line(&self) -> Line<MnkAction> {
        let (false, Some(search)) = (self.places_opening(), &self.search) else {
            return Line { value: None, actions: vec![self.best()] };
        };
        let swaps = self.decision() == MnkAction::Swap;
        let is_known = !search.iterations().is_empty() || search.value().abs() >= FORCED;
        // Whoever is asked in the first player's choice does not hold the stones that move.
        let turn = if swaps || self.state.phase == MnkPhase::FirstChooses { -1 } else { 1 };
        let sign = if swaps && self.state.phase == MnkPhase::FirstChooses { 1 } else { turn };
        let value =
            is_known.then(|| picture::value_of(sign * search.steady_value(), search.is_exact()));
        let game = &self.context.game;
        // What is expected after the move that is played.
        let other = search.root_moves().iter().find(|choice| self.cell() == Some(choice.cell));
        let line = match other {
            Some(other) if other.cell != search.best() => &other.line,
            _ => search.line(),
        };
        let moves = line.iter();
        let mut actions: Vec<MnkAction> =
            moves.map(|&cell| MnkAction::Place(game.cell_at(usize::from(cell)))).collect();
        if self.state.phase != MnkPhase::Play || actions.is_empty() {
            actions = vec![self.decision()];
        }
        Line { value, actions }
    }

    fn stage(&self) -> u64 {
        self.search.as_ref().map_or(0, |search| search.iterations().len() as u64)
    }

    fn insight(&self) -> Insight {
        match (self.places_opening(), &self.search) {
            (false, Some(search)) => picture::insight(&self.context.game, search, self.helped),
            _ => Insight::default(),
        }
    }
}
