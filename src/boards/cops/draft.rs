//! The plan that a person is making: some steps for each own player, not yet carried out.

use super::keys::PlanCommand;
use crate::app::match_screen::Shown;
use outwit_cops::board::Position;
use outwit_cops::rules::{COPS, Cops, Orders, Step, THIEF};
use outwit_core::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use outwit_core::play::Seat;

/// A plan in the making.
#[derive(Clone, Debug)]
pub struct PlanDraft {
    /// The turn it is for.
    turn: usize,
    /// Whose it is.
    pub seat: Seat,
    /// The player that steps are added to.
    pub chosen: usize,
    /// The steps so far of each player of the seat.
    pub ways: Vec<Vec<Step>>,
}

impl Default for PlanDraft {
    fn default() -> Self {
        Self { turn: 0, seat: THIEF, chosen: 0, ways: Vec::new() }
    }
}

/// The cells of a seat's players.
pub fn players(position: &Position, seat: Seat) -> &[Cell] {
    if seat == THIEF { std::slice::from_ref(&position.thief) } else { &position.cops }
}

/// The plan in the making of the person who may choose now; a new one when the shown turn, the
/// person or the number of players is another.
pub fn current<'a>(shown: &Shown<Cops>, draft: &'a mut PlanDraft) -> Option<&'a mut PlanDraft> {
    let seat = shown.person?;
    let turn = shown.session.playback.view;
    let count = players(&shown.state().position, seat).len();
    if draft.turn != turn || draft.seat != seat || draft.ways.len() != count {
        *draft = PlanDraft { turn, seat, chosen: 0, ways: vec![Vec::new(); count] };
    }
    Some(draft)
}

/// The cells that a player comes through if no wall stops it; pushes against the border or a gate
/// leave it where it is.
pub fn walk(game: &Cops, from: Cell, steps: &[Step]) -> Vec<Cell> {
    let mut cells = vec![from];
    for step in steps {
        let here = cells[cells.len() - 1];
        let to = here + step.delta();
        cells.push(if game.board().is_floor(to) { to } else { here });
    }
    cells
}

/// Where a player stands at the end of its steps.
fn end(game: &Cops, from: Cell, steps: &[Step]) -> Cell {
    walk(game, from, steps).last().copied().unwrap_or(from)
}

/// Whether a step makes sense: onto the board, or for the thief out of it.
fn allowed(game: &Cops, seat: Seat, from: Cell, step: Step) -> bool {
    let to = from + step.delta();
    game.board().is_floor(to) || (seat == THIEF && game.board().ring().place(to).is_some())
}

/// The steps that lead from the end of the chosen player's plan towards a cell, as many as the plan
/// has room for.
pub fn towards(shown: &Shown<Cops>, draft: &PlanDraft, target: Cell) -> Vec<Step> {
    let game = shown.game();
    let position = &shown.state().position;
    let board = game.board();
    let from = players(position, draft.seat)[draft.chosen];
    let way = &draft.ways[draft.chosen];
    let here = end(game, from, way);
    let room = board.rules().k as usize - way.len();
    if target == here {
        return vec![Step::Stay; room.min(1)];
    }
    let outside = board.ring().place(target);
    let goal = match outside {
        Some(place) if draft.seat == THIEF => board.ring().front(place),
        Some(_) => None,
        None => Some(target).filter(|&cell| board.is_floor(cell)),
    };
    let Some(goal) = goal else { return Vec::new() };
    let floor = Grid::from_fn(board.width(), board.height(), |cell| board.is_floor(cell));
    let mut left = distances(&floor, [goal], &FOUR, |cell, &floor: &bool| {
        floor && !board.is_walled(&position.walls, cell)
    });
    if left[here] == UNREACHED {
        left = distances(&floor, [goal], &FOUR, |_, &floor| floor);
    }
    let mut steps = Vec::new();
    let mut at = here;
    while at != goal && steps.len() < room {
        let nearer = FOUR
            .iter()
            .map(|&by| at + by)
            .find(|&to| left.get(to).is_some_and(|&d| d != UNREACHED && d + 1 == left[at]));
        let Some(to) = nearer else { break };
        steps.extend(Step::between(at, to));
        at = to;
    }
    if outside.is_some() && at == goal {
        // He pushes on until the gate is there.
        let out = Step::between(goal, target).unwrap_or_default();
        steps.resize(room, out);
    }
    steps
}

impl PlanDraft {
    /// Whether nothing is planned yet.
    pub fn is_empty(&self) -> bool {
        self.ways.iter().all(Vec::is_empty)
    }

    /// Adds a step to the chosen player's plan; returns whether there was room for it.
    pub fn push(&mut self, shown: &Shown<Cops>, step: Step) -> bool {
        let game = shown.game();
        let from = players(&shown.state().position, self.seat)[self.chosen];
        let way = &mut self.ways[self.chosen];
        let here = end(game, from, way);
        let fits = way.len() < game.board().rules().k as usize
            && (step == Step::Stay || allowed(game, self.seat, here, step));
        if fits {
            way.push(step);
        }
        fits
    }

    /// Chooses another player, so many further on.
    fn turn_to(&mut self, by: usize) {
        self.chosen = (self.chosen + by) % self.ways.len().max(1);
    }

    /// Throws all steps away.
    pub fn clear(&mut self) {
        self.ways.iter_mut().for_each(Vec::clear);
    }

    /// The plan, its empty places filled with staying.
    pub fn orders(&self, k: usize) -> Orders {
        Orders(
            self.ways
                .iter()
                .map(|way| {
                    let mut way = way.clone();
                    way.resize(k, Step::Stay);
                    way
                })
                .collect(),
        )
    }
}

/// Lets the plan take a command; returns whether it did.
pub fn give(shown: &Shown<Cops>, draft: &mut PlanDraft, command: PlanCommand) -> bool {
    let Some(draft) = current(shown, draft) else { return false };
    match command {
        PlanCommand::Add(step) => draft.push(shown, step),
        PlanCommand::NextCop if draft.seat == COPS => {
            draft.turn_to(1);
            true
        }
        PlanCommand::PreviousCop if draft.seat == COPS => {
            draft.turn_to(draft.ways.len().saturating_sub(1));
            true
        }
        // With nothing left to take back the key takes back a whole plan.
        PlanCommand::TakeBack => draft.ways[draft.chosen].pop().is_some(),
        PlanCommand::Clear => {
            draft.clear();
            true
        }
        PlanCommand::NextCop | PlanCommand::PreviousCop | PlanCommand::Go => false,
    }
}

/// A click chooses a cop, or adds the way to the clicked cell.
pub fn click(shown: &Shown<Cops>, draft: &mut PlanDraft, cell: Cell) {
    let own = players(&shown.state().position, draft.seat);
    // Several cops on one cell are chosen in turn.
    let next = (1..=own.len()).map(|i| (draft.chosen + i) % own.len()).find(|&i| own[i] == cell);
    if draft.seat == COPS
        && let Some(next) = next
        && next != draft.chosen
    {
        draft.chosen = next;
        return;
    }
    for step in towards(shown, draft, cell) {
        draft.push(shown, step);
    }
}

/// The plan as it stands, to be carried out.
pub fn orders(shown: &Shown<Cops>, draft: &mut PlanDraft) -> Option<Orders> {
    let k = shown.game().board().rules().k as usize;
    current(shown, draft).map(|draft| draft.orders(k))
}
