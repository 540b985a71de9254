//! The puzzle: one player who pushes and pulls boxes, one at a time, onto goals.
//!
//! Where boxes can be pulled, every step can be undone: a walk by the walk back, a push by a pull, a
//! pull by a push. So no position is ever lost, and the graph of positions is undirected. Where they
//! can only be pushed, as in Sokoban, a push may be for ever and leave a position without a solution.

use super::level::{self, Moves, Objective, PukobanFile, Tile, cells_of};
use super::score_of;
use super::step::{Direction, PukobanStep};
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::Fault;
use outwit_core::perfect_information;
use outwit_core::play::{
    Chance, CheckedLevel, Closing, Game, MatchRules, Outcome, Place, Seat, SeatSpec, Seats,
    SetupError, Unit,
};
use outwit_kit::level_faults;
use schemars::JsonSchema;
use serde::Serialize;

/// The puzzle of one level.
#[derive(Clone, Debug)]
pub struct Pukoban {
    level: PukobanFile,
    walls: Grid<bool>,
    goals: Vec<Cell>,
    opening: PukobanState,
}

/// Where everything is, and what was spent to get there.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema)]
pub struct PukobanState {
    /// The player's cell.
    pub player: Cell,
    /// The cell of each box. A box keeps its index through the match.
    pub boxes: Vec<Cell>,
    /// Steps so far: walks, pushes and pulls.
    pub steps: u32,
    /// Pushes and pulls so far.
    pub box_moves: u32,
}

impl PukobanState {
    /// The index of the box on a cell.
    pub fn box_at(&self, cell: Cell) -> Option<usize> {
        self.boxes.iter().position(|&at| at == cell)
    }

    /// The boxes that stand elsewhere in a later state of the same match: from where, and to where.
    pub fn moved_boxes<'a>(&'a self, later: &'a Self) -> impl Iterator<Item = (Cell, Cell)> + 'a {
        let boxes = self.boxes.iter().copied().zip(later.boxes.iter().copied());
        boxes.filter(|(from, to)| from != to)
    }
}

/// Which rule forbids a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalStep {
    /// It pulls, and the level has no pulls.
    #[error("boxes can only be pushed in this level")]
    PushOnly,
    /// The player would walk into a wall.
    #[error("there is a wall to go {0}")]
    WallAhead(Direction),
    /// The player would leave the board.
    #[error("the board ends here: the player cannot go {0}")]
    BoardEnds(Direction),
    /// It pulls, and another box is ahead.
    #[error(
        "a box stands in the way {0}: a pull needs a free cell ahead, and a step never pushes and pulls"
    )]
    BoxAhead(Direction),
    /// It pushes a box into a wall.
    #[error("the box cannot be pushed {0}: a wall stands behind it")]
    BoxBeforeWall(Direction),
    /// It pushes a box off the board.
    #[error("the box cannot be pushed {0}: the board ends behind it")]
    BoxAtEnd(Direction),
    /// It pushes a box into another one.
    #[error("the box cannot be pushed {0}: a box stands behind it")]
    BoxBeforeBox(Direction),
    /// It pulls nothing.
    #[error("there is no box behind the player to pull {0}")]
    NoBoxBehind(Direction),
}

/// What a legal step does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Only the player moves.
    Walk,
    /// The player pushes the box with this index.
    Push(usize),
    /// The player pulls the box with this index.
    Pull(usize),
}

/// Something that happened in a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PukobanEvent {
    /// The player moved one cell without a box.
    Walked {
        /// Where the player stood.
        from: Cell,
        /// Where the player stands now.
        to: Cell,
    },
    /// The player moved one cell and pushed a box ahead.
    Pushed {
        /// The index of the box.
        index: usize,
        /// Where the box stood; the player is there now.
        from: Cell,
        /// Where the box stands now.
        to: Cell,
    },
    /// The player moved one cell and pulled a box along.
    Pulled {
        /// The index of the box.
        index: usize,
        /// Where the box stood.
        from: Cell,
        /// Where the box stands now; the player was there.
        to: Cell,
    },
    /// Every goal holds a box.
    Solved,
    /// The step limit was reached.
    OutOfSteps,
}

impl Pukoban {
    /// Where walls are. Beyond the edge of this grid everything counts as a wall.
    pub fn walls(&self) -> &Grid<bool> {
        &self.walls
    }

    /// The goals, row by row.
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// The position before the first step.
    pub fn opening(&self) -> &PukobanState {
        &self.opening
    }

    /// What ranks a solution.
    pub fn objective(&self) -> Objective {
        self.level.rules.objective
    }

    /// What the player can do with boxes.
    pub fn moves(&self) -> Moves {
        self.level.rules.moves
    }

    /// The number of steps after which the match ends unsolved.
    pub fn max_steps(&self) -> u32 {
        self.level.rules.max_steps
    }

    /// Whether a cell is a wall or lies outside the grid.
    pub fn is_wall(&self, cell: Cell) -> bool {
        self.walls.get(cell).is_none_or(|&wall| wall)
    }

    /// Whether neither a wall nor a box is on a cell of the grid.
    pub fn is_free(&self, position: &PukobanState, cell: Cell) -> bool {
        !self.is_wall(cell) && position.box_at(cell).is_none()
    }

    /// Whether every goal holds a box.
    pub fn is_solved(&self, position: &PukobanState) -> bool {
        self.goals.iter().all(|&goal| position.boxes.contains(&goal))
    }

    /// What the objective counts of a position's past.
    pub fn cost(&self, position: &PukobanState) -> u32 {
        match self.objective() {
            Objective::Steps => position.steps,
            Objective::BoxMoves => position.box_moves,
        }
    }

    /// What a step would do.
    ///
    /// # Errors
    /// Says which rule forbids it.
    pub fn effect(
        &self,
        position: &PukobanState,
        step: PukobanStep,
    ) -> Result<Effect, IllegalStep> {
        let PukobanStep { direction, pull } = step;
        let from = position.player;
        let offset = direction.offset();
        let to = from + offset;
        if pull && !self.moves().has_pulls() {
            return Err(IllegalStep::PushOnly);
        }
        if self.is_wall(to) {
            return Err(match self.walls.contains(to) {
                true => IllegalStep::WallAhead(direction),
                false => IllegalStep::BoardEnds(direction),
            });
        }
        match (position.box_at(to), pull) {
            (Some(_), true) => Err(IllegalStep::BoxAhead(direction)),
            (Some(pushed), false) => {
                let beyond = to + offset;
                if self.is_wall(beyond) {
                    Err(match self.walls.contains(beyond) {
                        true => IllegalStep::BoxBeforeWall(direction),
                        false => IllegalStep::BoxAtEnd(direction),
                    })
                } else if position.box_at(beyond).is_some() {
                    Err(IllegalStep::BoxBeforeBox(direction))
                } else {
                    Ok(Effect::Push(pushed))
                }
            }
            (None, true) => position
                .box_at(from - offset)
                .map(Effect::Pull)
                .ok_or(IllegalStep::NoBoxBehind(direction)),
            (None, false) => Ok(Effect::Walk),
        }
    }

    /// The legal steps, in the order of [`PukobanStep::all`].
    pub fn steps(&self, position: &PukobanState) -> Vec<PukobanStep> {
        PukobanStep::all().filter(|&step| self.effect(position, step).is_ok()).collect()
    }

    /// Makes a step and returns what it did.
    ///
    /// # Errors
    /// Says which rule forbids it; nothing is changed then.
    pub fn take(
        &self,
        position: &mut PukobanState,
        step: PukobanStep,
    ) -> Result<PukobanEvent, IllegalStep> {
        let effect = self.effect(position, step)?;
        let offset = step.direction.offset();
        let from = position.player;
        let to = from + offset;
        position.player = to;
        position.steps += 1;
        Ok(match effect {
            Effect::Walk => PukobanEvent::Walked { from, to },
            Effect::Push(index) => {
                position.box_moves += 1;
                position.boxes[index] = to + offset;
                PukobanEvent::Pushed { index, from: to, to: to + offset }
            }
            Effect::Pull(index) => {
                position.box_moves += 1;
                position.boxes[index] = from;
                PukobanEvent::Pulled { index, from: from - offset, to: from }
            }
        })
    }

    /// What an objective counts in this level.
    pub fn unit(&self, objective: Objective) -> Unit {
        score_of(objective, self.moves()).unit
    }

    /// What it took to come to a position: `48 steps and 17 box moves`.
    pub(super) fn spent(&self, position: &PukobanState) -> String {
        let steps = counted(position.steps, self.unit(Objective::Steps));
        format!("{steps} and {}", counted(position.box_moves, self.unit(Objective::BoxMoves)))
    }

    /// Whether it is solved or the steps are used up.
    pub(super) fn is_over(&self, position: &PukobanState) -> bool {
        position.steps >= self.max_steps() || self.is_solved(position)
    }
}

/// A number with its noun, such as `1 step` or `17 box moves`.
fn counted(count: u32, unit: Unit) -> String {
    format!("{count} {}", unit.of(f64::from(count)))
}

impl Game for Pukoban {
    const ID: &'static str = "pukoban";
    const RULES_VERSION: u32 = 1;
    const SEATS: Seats = Seats {
        allowed: 1..=1,
        spec: |_| SeatSpec { id: "player".into(), title: "Player".into(), piece: "worker" },
    };
    const MATCH_RULES: MatchRules<Self> =
        MatchRules { whole_answers: true, closed, ..MatchRules::USUAL };

    type Level = PukobanFile;
    type State = PukobanState;
    type Action = PukobanStep;
    type Event = PukobanEvent;
    perfect_information! {}

    fn faults(level: &PukobanFile) -> Vec<Fault> {
        level_faults::<Self>(level, level::faults)
    }

    fn new(level: &CheckedLevel<Self>, seats: usize) -> Result<Self, SetupError> {
        if seats != 1 {
            return Err(SetupError(format!("Pukoban is a puzzle for one player, not {seats}")));
        }
        let tiles = level::tiles(level);
        let players = cells_of(&tiles, Tile::is_player);
        Ok(Self {
            level: level.clone().into_inner(),
            walls: tiles.map(|&tile| tile == Tile::Wall),
            goals: cells_of(&tiles, Tile::is_goal),
            opening: PukobanState {
                player: players.first().copied().unwrap_or_default(),
                boxes: cells_of(&tiles, Tile::is_box),
                steps: 0,
                box_moves: 0,
            },
        })
    }

    fn level(&self) -> &PukobanFile {
        &self.level
    }

    fn seats(&self) -> usize {
        1
    }

    fn start(&self, _chance: &Chance) -> Result<PukobanState, SetupError> {
        Ok(self.opening.clone())
    }

    fn to_move(&self, position: &PukobanState) -> Vec<Seat> {
        if self.is_over(position) { Vec::new() } else { vec![Seat(0)] }
    }

    fn legal(
        &self,
        position: &PukobanState,
        _seat: Seat,
        step: &PukobanStep,
    ) -> Result<(), String> {
        self.effect(position, *step).map(|_| ()).map_err(|why| why.to_string())
    }

    /// A walk if there is one, else a push or a pull.
    fn null_action(&self, position: &PukobanState, _seat: Seat) -> PukobanStep {
        let steps = self.steps(position);
        let first = steps
            .iter()
            .find(|step| self.effect(position, **step) == Ok(Effect::Walk))
            .or(steps.first());
        first.copied().unwrap_or(PukobanStep::to(Direction::Left))
    }

    fn advance(
        &self,
        position: &mut PukobanState,
        actions: &[(Seat, PukobanStep)],
        _chance: &Chance,
        events: &mut Vec<PukobanEvent>,
    ) {
        for &(_, step) in actions {
            events.extend(self.take(position, step));
        }
        if self.is_solved(position) {
            events.push(PukobanEvent::Solved);
        } else if self.is_over(position) {
            events.push(PukobanEvent::OutOfSteps);
        }
    }

    fn outcome(&self, position: &PukobanState) -> Option<Outcome> {
        if !self.is_over(position) {
            return None;
        }
        let solved = self.is_solved(position);
        let (ending, headline) = if solved {
            ("solved", format!("Solved in {}", self.spent(position)))
        } else {
            (
                "out of steps",
                format!(
                    "Not solved within {}",
                    counted(position.steps, self.unit(Objective::Steps))
                ),
            )
        };
        let score = solved.then(|| f64::from(self.cost(position)));
        Some(Outcome { headline, places: vec![Place { rank: 1, score, ending: ending.into() }] })
    }
}

fn closed(game: &Pukoban, position: &PukobanState, _seat: Seat, closing: Closing) -> Outcome {
    let headline = match closing {
        Closing::Resigned => format!("Given up after {}", game.spent(position)),
        Closing::Unsolved => "No solution was found".into(),
        Closing::Failed => "The engine failed".into(),
        Closing::TimeOver | Closing::Agreed => "Out of time".into(),
    };
    let ending = closing.word().into();
    Outcome { headline, places: vec![Place { rank: 1, score: None, ending }] }
}
