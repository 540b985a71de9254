//! Random levels: from the solved state of a random room, back to the position farthest from it.
//!
//! A breadth-first search from all solved states against the moves, so with pulls for pushes, gives the
//! exact number of steps that each position needs. The farthest position of several rooms becomes the level.

use super::level::{FORMAT, Moves, PukobanFile, PukobanRules, Tile};
use super::search::Kinds;
use outwit_core::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use outwit_core::rule_set;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

rule_set! {
    /// The options of the generator.
    pub struct PuzzleOptions {
        /// Columns of the map, with the walls around it.
        width: u32 = 8, Whole { min: 4, max: 16, optional: false }, "Columns";
        /// Rows of the map, with the walls around it.
        height: u32 = 7, Whole { min: 4, max: 16, optional: false }, "Rows";
        /// Number of boxes and of goals.
        boxes: u32 = 2, Whole { min: 1, max: 6, optional: false }, "Boxes";
        /// Share of the inner cells that are walls.
        walls: f64 = 0.25, Real { min: 0.0, max: 0.6 }, "Share of walls";
        /// Whether boxes can be pulled as well as pushed, or only pushed, as in Sokoban.
        moves: Moves = Moves::PushAndPull, Choice(&["push_and_pull", "push"]), "Moves of boxes",
            ("push_and_pull", "Push and pull"), ("push", "Push only, as in Sokoban");
    }
}

/// Rooms that are tried.
const ROOMS: usize = 12;

/// The maximum number of positions that are looked at in each room.
const MOST_POSITIONS: usize = 40_000;

/// The hardest of several random puzzles, and the exact number of steps that it needs.
///
/// # Errors
/// If no room has space for the boxes.
pub(super) fn hardest(options: &PuzzleOptions, seed: u64) -> Result<(PukobanFile, u32), String> {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut best: Option<(Room, Farthest)> = None;
    for _ in 0..ROOMS {
        let Some(room) = Room::random(options, &mut dice) else { continue };
        let Some(farthest) = room.farthest(options.moves) else { continue };
        if best.as_ref().is_none_or(|(_, best)| farthest.steps > best.steps) {
            best = Some((room, farthest));
        }
    }
    let Some((room, Farthest { position, steps })) = best else {
        return Err(format!(
            "{} boxes do not fit into such a room: use fewer boxes or walls, or a larger map",
            options.boxes
        ));
    };
    let mut level = PukobanFile {
        format: FORMAT.into(),
        name: format!("Random puzzle {seed}"),
        author: String::new(),
        about: format!("The shortest solution takes {steps} steps."),
        rules: PukobanRules { moves: options.moves, ..PukobanRules::default() },
        map: Vec::new(),
    };
    level.set_cells(&room.map(&position));
    Ok((level, steps))
}

/// A room with its goals.
struct Room {
    /// The size of the map.
    size: (usize, usize),
    /// The cells inside, which are connected.
    cells: Vec<Cell>,
    /// For each cell the index of its neighbour in each direction of [`FOUR`].
    beside: Vec<[Option<u8>; 4]>,
    /// The indices of the goals, in rising order.
    goals: Vec<u8>,
}

/// The player's cell and those of the boxes, in rising order, as indices.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Placed {
    player: u8,
    boxes: [u8; 6],
}

/// The position farthest from being solved, and its exact distance.
struct Farthest {
    position: Placed,
    steps: u32,
}

/// The place of a box that is not there.
const NONE: u8 = u8::MAX;

impl Room {
    /// A random room; `None` if it is too small.
    fn random(options: &PuzzleOptions, dice: &mut ChaCha8Rng) -> Option<Self> {
        let width = options.width as usize;
        let height = options.height as usize;
        let inner = |cell: Cell| {
            cell.x > 0 && cell.y > 0 && cell.x < width as i32 - 1 && cell.y < height as i32 - 1
        };
        let open =
            Grid::from_fn(width, height, |cell| inner(cell) && !dice.random_bool(options.walls));
        // The largest connected area; the rest is walled up.
        let mut area: Vec<Cell> = Vec::new();
        for (start, _) in open.iter().filter(|(_, open)| **open) {
            if !area.contains(&start) {
                let reach = distances(&open, [start], &FOUR, |_, &open| open);
                let cells: Vec<Cell> =
                    open.cells().filter(|&cell| reach[cell] != UNREACHED).collect();
                if cells.len() > area.len() {
                    area = cells;
                }
            }
        }
        let boxes = options.boxes as usize;
        if area.len() < boxes + 2 {
            return None;
        }
        let index = |cell: Cell| area.iter().position(|&other| other == cell).map(|at| at as u8);
        let beside = area.iter().map(|&cell| FOUR.map(|step| index(cell + step))).collect();
        // Half of the rooms have their goals in one place.
        let mut order: Vec<usize> = (0..area.len()).collect();
        order.shuffle(dice);
        if dice.random_bool(0.5) {
            let first = area[order[0]];
            order.sort_by_key(|&at| area[at].manhattan(first));
        }
        let mut goals: Vec<u8> = order.iter().take(boxes).map(|&at| at as u8).collect();
        goals.sort_unstable();
        Some(Self { size: (width, height), cells: area, beside, goals })
    }

    /// The position that needs most steps among those that the search gets to.
    fn farthest(&self, moves: Moves) -> Option<Farthest> {
        let backward = Kinds::of(moves).reversed();
        let mut boxes = [NONE; 6];
        boxes[..self.goals.len()].copy_from_slice(&self.goals);
        let mut layer: Vec<Placed> = (0..self.cells.len() as u8)
            .filter(|player| !self.goals.contains(player))
            .map(|player| Placed { player, boxes })
            .collect();
        let mut known: HashSet<Placed> = layer.iter().cloned().collect();
        let mut steps = 0;
        loop {
            let mut next = Vec::new();
            for position in &layer {
                self.before(position, backward, |found| {
                    if known.len() < MOST_POSITIONS && known.insert(found.clone()) {
                        next.push(found);
                    }
                });
            }
            if next.is_empty() {
                break;
            }
            steps += 1;
            layer = next;
        }
        let on_goals =
            |position: &&Placed| position.boxes.iter().filter(|at| self.goals.contains(at)).count();
        let position = layer.iter().min_by_key(on_goals).cloned();
        position.filter(|_| steps > 0).map(|position| Farthest { position, steps })
    }

    /// The positions from which one step leads here, found by moving boxes backwards.
    fn before(&self, position: &Placed, kinds: Kinds, mut found: impl FnMut(Placed)) {
        let has_box = |cell: u8| position.boxes.contains(&cell);
        let moved = |player: u8, from: u8, to: u8| {
            let mut boxes = position.boxes.map(|at| if at == from { to } else { at });
            boxes.sort_unstable();
            Placed { player, boxes }
        };
        let here = position.player;
        for direction in 0..4 {
            let Some(to) = self.beside[usize::from(here)][direction] else { continue };
            if has_box(to) {
                if kinds.pushes
                    && let Some(beyond) = self.beside[usize::from(to)][direction]
                    && !has_box(beyond)
                {
                    found(moved(to, to, beyond));
                }
                continue;
            }
            found(Placed { player: to, ..position.clone() });
            if kinds.pulls
                && let Some(behind) = self.beside[usize::from(here)][(direction + 2) % 4]
                && has_box(behind)
            {
                found(moved(to, behind, here));
            }
        }
    }

    fn map(&self, position: &Placed) -> Grid<char> {
        let mut map = Grid::filled(self.size.0, self.size.1, Tile::Wall.to_char());
        for (at, &cell) in self.cells.iter().enumerate() {
            let at = at as u8;
            let goal = self.goals.contains(&at);
            let tile = match (position.player == at, position.boxes.contains(&at)) {
                (true, _) if goal => Tile::PlayerOnGoal,
                (true, _) => Tile::Player,
                (_, true) if goal => Tile::BoxOnGoal,
                (_, true) => Tile::Box,
                _ if goal => Tile::Goal,
                _ => Tile::Floor,
            };
            map[cell] = tile.to_char();
        }
        map
    }
}
