//! Where the player can walk, and where one box can be brought, by the fewest steps.

use super::rules::{Pukoban, PukobanState};
use super::step::{Direction, PukobanStep};
use outwit_core::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use std::collections::VecDeque;

/// The fewest steps of the player from where a position has it to a cell, boxes staying where they
/// are; `None` if it cannot be walked to.
pub fn walk(game: &Pukoban, position: &PukobanState, to: Cell) -> Option<Vec<PukobanStep>> {
    let free = Grid::from_fn(game.walls().width(), game.walls().height(), |cell| {
        game.is_free(position, cell)
    });
    let far = distances(&free, [to], &FOUR, |_, &free| free);
    let mut at = position.player;
    if !free.contains(to) || !free[to] || *far.get(at)? == UNREACHED {
        return None;
    }
    let mut steps = Vec::new();
    while at != to {
        let nearer = |direction: &Direction| {
            far.get(at + direction.offset()).is_some_and(|&next| next < far[at])
        };
        let direction = Direction::ALL.into_iter().find(nearer)?;
        at = at + direction.offset();
        steps.push(PukobanStep::to(direction));
    }
    Some(steps)
}

/// A state that was not reached.
const UNKNOWN: u8 = u8::MAX;
/// The state that the search began with.
const START: u8 = u8::MAX - 1;

/// Where one box can be brought while all others stay where they are, with the fewest steps of the
/// player; by pulls too, where the level has them.
///
/// A breadth-first search over the cells of box and player: about `n²` states for `n` free cells.
pub struct BoxReach {
    /// Cells by number, those of no use left out.
    cells: Vec<Cell>,
    /// The number of each cell.
    numbers: Grid<Option<u32>>,
    /// By the cells of box and player: which of [`MOVES`] reached the state first.
    reached_by: Vec<u8>,
    /// The player's cell with which the box first arrives on each cell.
    arrivals: Vec<Option<u32>>,
    from: (u32, u32),
}

impl BoxReach {
    /// Searches from a position; `None` if there is no such box.
    pub fn new(game: &Pukoban, position: &PukobanState, index: usize) -> Option<Self> {
        let start = *position.boxes.get(index)?;
        let open =
            |cell: Cell| game.is_free(position, cell) || cell == start || cell == position.player;
        let cells: Vec<Cell> = game.walls().cells().filter(|&cell| open(cell)).collect();
        let mut numbers = Grid::filled(game.walls().width(), game.walls().height(), None);
        for (number, &cell) in (0u32..).zip(&cells) {
            numbers[cell] = Some(number);
        }
        let number = |cell: Cell| numbers.get(cell).copied().flatten();
        let from = (number(start)?, number(position.player)?);
        let count = cells.len();
        let place = |(at, player): (u32, u32)| at as usize * count + player as usize;
        let mut reached_by = vec![UNKNOWN; count * count];
        let mut arrivals = vec![None; count];
        reached_by[place(from)] = START;
        arrivals[from.0 as usize] = Some(from.1);
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            let at = cells[state.0 as usize];
            let player = cells[state.1 as usize];
            for (&(direction, what), by) in MOVES.iter().zip(0u8..) {
                if what == Move::Pull && !game.moves().has_pulls() {
                    continue;
                }
                let Some((next_box, next_player)) = after(at, player, direction, what) else {
                    continue;
                };
                let Some(next) = number(next_box).zip(number(next_player)) else { continue };
                if next.0 != next.1 && reached_by[place(next)] == UNKNOWN {
                    reached_by[place(next)] = by;
                    arrivals[next.0 as usize].get_or_insert(next.1);
                    queue.push_back(next);
                }
            }
        }
        Some(Self { cells, numbers, reached_by, arrivals, from })
    }

    /// The cells that the box can be brought to, its own left out.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let reached = self.arrivals.iter().zip(0u32..).filter(|(arrival, _)| arrival.is_some());
        reached.map(|(_, n)| n).filter(|&n| n != self.from.0).map(|n| self.cells[n as usize])
    }

    /// The fewest steps that bring the box to a cell; `None` if nothing does.
    pub fn way(&self, to: Cell) -> Option<Vec<PukobanStep>> {
        let at = self.numbers.get(to).copied().flatten()?;
        let mut state = (at, self.arrivals[at as usize]?);
        let mut steps = Vec::new();
        while state != self.from {
            let by =
                *self.reached_by.get(state.0 as usize * self.cells.len() + state.1 as usize)?;
            let &(direction, what) = MOVES.get(usize::from(by))?;
            steps.push(PukobanStep { direction, pull: what == Move::Pull });
            let offset = direction.offset();
            let at = match what {
                Move::Walk => self.cells[state.0 as usize],
                Move::Push | Move::Pull => self.cells[state.0 as usize] - offset,
            };
            let player = self.cells[state.1 as usize] - offset;
            state = (self.numbers[at]?, self.numbers[player]?);
        }
        steps.reverse();
        Some(steps)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Move {
    Walk,
    Push,
    Pull,
}

const MOVES: [(Direction, Move); 12] = {
    use Direction::{Down, Left, Right, Up};
    use Move::{Pull, Push, Walk};
    [
        (Left, Walk),
        (Right, Walk),
        (Up, Walk),
        (Down, Walk),
        (Left, Push),
        (Right, Push),
        (Up, Push),
        (Down, Push),
        (Left, Pull),
        (Right, Pull),
        (Up, Pull),
        (Down, Pull),
    ]
};

/// Box and player after a move, walls left aside; `None` where box and player do not allow it.
fn after(at: Cell, player: Cell, direction: Direction, what: Move) -> Option<(Cell, Cell)> {
    let offset = direction.offset();
    let next = player + offset;
    match what {
        Move::Walk => (next != at).then_some((at, next)),
        Move::Push => (next == at).then(|| (at + offset, next)),
        Move::Pull => (player - offset == at).then_some((player, next)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{Moves, PukobanFile, PukobanRules};
    use outwit_core::play::{CheckedLevel, Game};
    use outwit_kit::GameSpec;
    use proptest::prelude::*;
    use std::collections::{HashMap, HashSet};

    fn game(moves: Moves, rows: &[String]) -> Option<Pukoban> {
        let level = PukobanFile {
            format: Pukoban::INFO.format.into(),
            name: "Test".into(),
            author: String::new(),
            about: String::new(),
            rules: PukobanRules { moves, ..Default::default() },
            map: rows.to_vec(),
        };
        Pukoban::new(&CheckedLevel::new(level).ok()?, 1).ok()
    }

    fn made(game: &Pukoban, steps: &[PukobanStep]) -> PukobanState {
        let mut position = game.opening().clone();
        for &step in steps {
            game.take(&mut position, step).unwrap();
        }
        position
    }

    /// By the rules alone: the fewest steps to each cell of a box when no other box is moved.
    fn by_the_rules(game: &Pukoban, index: usize) -> HashMap<Cell, u32> {
        let start = game.opening().clone();
        let mut seen = HashSet::from([(start.player, start.boxes.clone())]);
        let mut best = HashMap::from([(start.boxes[index], 0)]);
        let mut layer = vec![start.clone()];
        while !layer.is_empty() {
            let mut next = Vec::new();
            for position in &layer {
                for step in game.steps(position) {
                    let mut after = position.clone();
                    game.take(&mut after, step).unwrap();
                    let others = |p: &PukobanState| {
                        let mut boxes = p.boxes.clone();
                        boxes.remove(index);
                        boxes
                    };
                    if others(&after) == others(&start)
                        && seen.insert((after.player, after.boxes.clone()))
                    {
                        best.entry(after.boxes[index]).or_insert(after.steps);
                        next.push(after);
                    }
                }
            }
            layer = next;
        }
        best.remove(&start.boxes[index]);
        best
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn ways_are_legal_and_shortest(
            floor in prop::collection::vec(prop::bool::weighted(0.75), 30),
            pieces in prop::collection::vec(0usize..30, 4),
            moves in prop::sample::select(vec![Moves::PushAndPull, Moves::Push]),
        ) {
            let mut cells: Vec<char> = floor.iter().map(|&free| if free { '-' } else { '#' }).collect();
            for (&at, piece) in pieces.iter().zip(['.', '$', '$', '@']) {
                cells[at] = piece;
            }
            let rows: Vec<String> = cells.chunks(6).map(|row| row.iter().collect()).collect();
            let game = game(moves, &rows);
            prop_assume!(game.is_some());
            let Some(game) = game else { return Ok(()) };
            for index in 0..game.opening().boxes.len() {
                let wanted = by_the_rules(&game, index);
                let reach = BoxReach::new(&game, game.opening(), index).unwrap();
                let found: HashSet<Cell> = reach.cells().collect();
                prop_assert_eq!(&found, &wanted.keys().copied().collect());
                for (&cell, &steps) in &wanted {
                    let way = reach.way(cell).unwrap();
                    prop_assert_eq!(way.len() as u32, steps);
                    prop_assert_eq!(made(&game, &way).boxes[index], cell);
                }
            }
            for cell in game.walls().cells() {
                if let Some(steps) = walk(&game, game.opening(), cell) {
                    let there = made(&game, &steps);
                    prop_assert_eq!((there.player, there.box_moves), (cell, 0));
                }
            }
        }
    }

    #[test]
    fn a_box_in_a_corner_is_pulled_out() {
        let rows = ["######", "#$---#", "#----#", "#--@.#", "######"].map(str::to_owned);
        let game = game(Moves::PushAndPull, &rows).unwrap();
        let reach = BoxReach::new(&game, game.opening(), 0).unwrap();
        let letters =
            |steps: Vec<PukobanStep>| steps.into_iter().map(char::from).collect::<String>();
        assert_eq!(letters(reach.way(Cell::new(2, 1)).unwrap()).len(), 4);
        assert_eq!(walk(&game, game.opening(), Cell::new(1, 1)), None);
        assert_eq!(letters(walk(&game, game.opening(), Cell::new(2, 3)).unwrap()), "l");
    }
}
