//! What every planner stands on: board, distances, forecast, dice.

use crate::board::{Board, Position};
use crate::distance_table::{CellIndex, DistanceTable, FAR};
use crate::exact::Exact;
use crate::forecast::Forecast;
use crate::rules::{Cops, Orders, STEPS, Step};
use outwit_core::grid::Cell;
use outwit_core::play::PlannerContext;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;
use std::sync::Arc;

/// What a planner knows before the first tick.
#[derive(Clone)]
pub struct BoardContext {
    game: Arc<Cops>,
    /// Distances between all cells of the board.
    pub distances: Arc<DistanceTable>,
    /// Steps of a plan.
    pub k: usize,
    /// The exact values of the board, once a planner has prepared them.
    pub exact: Option<Arc<Exact>>,
    seed: u64,
    /// Cells that searches expanded since it was last asked.
    work: std::cell::Cell<u64>,
    /// The last forecast and its position.
    forecast: RefCell<Option<(Position, Arc<Forecast>)>>,
}

impl BoardContext {
    /// Measures the board of a game.
    pub fn new(context: &PlannerContext<Cops>) -> Self {
        let game = Arc::clone(&context.game);
        let k = game.board().rules().k as usize;
        Self {
            distances: game.distances(),
            game,
            k,
            exact: None,
            seed: context.seed,
            work: std::cell::Cell::new(0),
            forecast: RefCell::new(None),
        }
    }

    /// Counts cells that a search expanded.
    pub fn add_work(&self, cells: u64) {
        self.work.set(self.work.get() + cells);
    }

    /// The cells counted since it was last asked.
    pub fn take_work(&self) -> u64 {
        self.work.take()
    }

    /// The board that is played on.
    pub fn board(&self) -> &Board {
        self.game.board()
    }

    /// Dice of this tick alone, so that the order of questions does not matter.
    pub fn dice(&self, tick: u32) -> ChaCha8Rng {
        let mut dice = ChaCha8Rng::seed_from_u64(self.seed);
        dice.set_stream(u64::from(tick));
        dice
    }

    /// Where walls and gates will be during the next plan and some time after; that of the last
    /// position is kept.
    pub fn forecast(&self, now: &Position) -> Arc<Forecast> {
        if let Some((known, forecast)) = &*self.forecast.borrow()
            && known == now
        {
            return Arc::clone(forecast);
        }
        let mut forecast = self.empty_forecast();
        let moving = now.walls.len() + now.gates.len();
        (0..moving).for_each(|index| forecast.add(self.board(), &self.distances, now, index));
        self.keep_forecast(now, forecast)
    }

    /// A forecast to which walls and gates are still to be [added](Forecast::add).
    pub fn empty_forecast(&self) -> Forecast {
        let side = self.board().width().max(self.board().height());
        Forecast::empty(self.board(), &self.distances, self.k + 1, self.k + side)
    }

    /// Keeps the complete forecast of a position for all who ask for it.
    pub fn keep_forecast(&self, now: &Position, forecast: Forecast) -> Arc<Forecast> {
        let forecast = Arc::new(forecast);
        *self.forecast.borrow_mut() = Some((now.clone(), Arc::clone(&forecast)));
        forecast
    }

    /// Number of a cell.
    pub fn cell_index(&self, cell: Cell) -> CellIndex {
        self.distances.cell_index(cell)
    }

    /// The border places where a gate may be when somebody at `from` can be there.
    pub fn possible_gates(
        &self,
        forecast: &Forecast,
        from: CellIndex,
    ) -> impl Iterator<Item = PossibleGate> {
        let ring = self.board().ring();
        (0..ring.len()).filter_map(move |place| {
            let front = self.cell_index(ring.front(place)?);
            let steps = self.distances.between(from, front);
            let p = forecast.gated(usize::from(steps), place);
            (steps < FAR && p > 0.01)
                .then(|| PossibleGate { front, beyond: self.cell_index(ring.cell(place)) })
        })
    }

    /// The least number of steps that any of the cops needs to a cell.
    pub fn nearest(&self, cops: &[CellIndex], to: CellIndex) -> u8 {
        cops.iter().map(|&cop| self.distances.between(cop, to)).min().unwrap_or(FAR)
    }

    /// For each cell the least number of steps that any of the cops needs to it.
    pub fn race(&self, cops: &[CellIndex]) -> Vec<u8> {
        let mut least = vec![FAR; self.distances.len()];
        for &cop in cops {
            let steps = self.distances.from(cop);
            least.iter_mut().zip(steps).for_each(|(least, &steps)| *least = (*least).min(steps));
        }
        least
    }

    /// The cells of the cops.
    pub fn cops(&self, now: &Position) -> Vec<CellIndex> {
        now.cops.iter().map(|&cop| self.cell_index(cop)).collect()
    }

    /// A way over cells as k steps; a way that is shorter ends with staying.
    pub fn steps_along(&self, way: &[CellIndex]) -> Vec<Step> {
        let mut steps: Vec<Step> = way
            .windows(2)
            .take(self.k)
            .filter_map(|pair| {
                Step::between(self.distances.cell(pair[0]), self.distances.cell(pair[1]))
            })
            .collect();
        steps.resize(self.k, Step::Stay);
        steps
    }

    /// Orders that leave everybody where they are.
    pub fn stay(&self, players: usize) -> Orders {
        Orders(vec![vec![Step::Stay; self.k]; players])
    }
}

/// A border cell that may be a gate when the thief gets there.
#[derive(Clone, Copy, Debug)]
pub struct PossibleGate {
    /// The board cell from which it is stepped on.
    pub front: CellIndex,
    /// The border cell itself.
    pub beyond: CellIndex,
}

/// A whole number below `bound`, which must be positive.
pub fn below(dice: &mut ChaCha8Rng, bound: usize) -> usize {
    ((u64::from(dice.next_u32()) * bound as u64) >> 32) as usize
}

/// Orders of k random steps for each player.
pub fn random_orders(dice: &mut ChaCha8Rng, players: usize, k: usize) -> Orders {
    Orders((0..players).map(|_| (0..k).map(|_| any_step(dice)).collect()).collect())
}

/// One of the five steps, each equally likely.
pub fn any_step(dice: &mut ChaCha8Rng) -> Step {
    STEPS[below(dice, STEPS.len())]
}
