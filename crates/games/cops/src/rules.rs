//! The game: ticks, plans, captures, escapes and what they pay.

use super::board::{Board, EnvMove, Gate, Position, Wall};
use super::distance_table::DistanceTable;
use super::exact::{Exact, SharedExact, refusal};
use super::level::{self, CopsFile, Plan};
use super::start;
use outwit_core::grid::Cell;
use outwit_core::levels::Fault;
use outwit_core::play::{
    Chance, CheckedLevel, Game, Outcome, Place, Seat, SeatSpec, Seats, SetupError,
};
use outwit_kit::level_faults;
use rand::Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// The seat of the thief.
pub const THIEF: Seat = Seat(0);
/// The seat of the cops.
pub const COPS: Seat = Seat(1);

/// A game of cops and robber.
#[derive(Clone, Debug)]
pub struct Cops {
    level: CopsFile,
    board: Board,
    /// What the level leaves open is drawn when a match begins.
    fixed: Plan,
    /// A position to begin with instead.
    opening: Option<Position>,
    distances: OnceLock<Arc<DistanceTable>>,
    exact: SharedExact,
}

/// What one player does in one tick.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, JsonSchema)]
pub enum Step {
    /// Nothing.
    #[default]
    Stay,
    /// One cell to the right.
    Right,
    /// One cell down.
    Down,
    /// One cell to the left.
    Left,
    /// One cell up.
    Up,
}

/// All steps, staying first.
pub const STEPS: [Step; 5] = [Step::Stay, Step::Right, Step::Down, Step::Left, Step::Up];

impl Step {
    /// Where it leads from (0,0).
    pub const fn delta(self) -> Cell {
        match self {
            Step::Stay => Cell::new(0, 0),
            Step::Right => Cell::new(1, 0),
            Step::Down => Cell::new(0, 1),
            Step::Left => Cell::new(-1, 0),
            Step::Up => Cell::new(0, -1),
        }
    }

    /// The step from a cell to the same or a neighbouring one.
    pub fn between(from: Cell, to: Cell) -> Option<Self> {
        STEPS.into_iter().find(|step| from + step.delta() == to)
    }

    fn letter(self) -> char {
        match self {
            Step::Stay => '.',
            Step::Right => 'R',
            Step::Down => 'D',
            Step::Left => 'L',
            Step::Up => 'U',
        }
    }

    fn from_letter(letter: char) -> Option<Self> {
        STEPS.into_iter().find(|step| step.letter() == letter)
    }

    pub(super) fn arrow(self) -> char {
        match self {
            Step::Stay => '·',
            Step::Right => '→',
            Step::Down => '↓',
            Step::Left => '←',
            Step::Up => '↑',
        }
    }
}

/// The next k steps of each player of a seat: one entry for the thief, one a cop for the cops.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(into = "Vec<String>", try_from = "Vec<String>")]
pub struct Orders(pub Vec<Vec<Step>>);

impl From<Orders> for Vec<String> {
    fn from(orders: Orders) -> Self {
        orders.0.iter().map(|steps| steps.iter().map(|step| step.letter()).collect()).collect()
    }
}

impl TryFrom<Vec<String>> for Orders {
    type Error = String;

    fn try_from(texts: Vec<String>) -> Result<Self, String> {
        let mut ways = Vec::with_capacity(texts.len());
        for text in texts {
            let mut way = Vec::with_capacity(text.len());
            for letter in text.chars() {
                let step = Step::from_letter(letter);
                way.push(
                    step.ok_or_else(|| format!("unknown step '{letter}'; write R, D, L, U or ."))?,
                );
            }
            ways.push(way);
        }
        Ok(Self(ways))
    }
}

/// How the game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub enum PursuitStatus {
    /// It goes on.
    Running,
    /// The thief was caught in this tick, counted from 0. What people read counts from 1.
    Caught(u32),
    /// The thief went through a gate in this tick, counted from 0.
    Escaped(u32),
    /// The time is over.
    Survived,
}

impl PursuitStatus {
    /// What the thief earns, in ticks, in a game of at most `ticks`; `None` while it goes on. The
    /// cops pay it.
    pub fn payoff(self, ticks: u32) -> Option<f64> {
        match self {
            PursuitStatus::Running => None,
            PursuitStatus::Caught(t) => Some(f64::from(t)),
            PursuitStatus::Escaped(t) => Some(2.0 * f64::from(ticks) - f64::from(t) - 1.0),
            PursuitStatus::Survived => Some(f64::from(ticks)),
        }
    }
}

/// The position after walls and gates have moved and before the players do, and what the players
/// have planned.
///
/// A tick as the rules tell it begins with walls and gates and ends with the players; a turn of the
/// match begins with the players and ends with the walls and gates of the next tick, so that whoever
/// plans sees what stands when the plan begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Pursuit {
    /// Where everything stands.
    pub position: Position,
    /// The steps of the present plans, k for the thief and then k for each cop.
    pub plans: Vec<Step>,
    /// How the game stands.
    pub standing: PursuitStatus,
}

impl Pursuit {
    /// How many ticks were played, the one in which it ended included.
    pub fn ticks_played(&self) -> u32 {
        self.position.tick + u32::from(self.standing != PursuitStatus::Running)
    }
}

/// What a seat knows when it plans. The opponent's plans and the dice are no part of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CopsView {
    /// Whose turn it is to plan.
    pub seat: Seat,
    /// The present position.
    pub now: Position,
    /// The last k positions, the oldest first; fewer at the beginning.
    pub past: Vec<Position>,
}

/// One of the players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Piece {
    /// The thief.
    Thief,
    /// A cop by number.
    Cop(u16),
}

/// Something that happened in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CopsEvent {
    /// A seat made its plans.
    Planned(Seat),
    /// A player moved to a neighbouring cell.
    Moved {
        /// Who.
        piece: Piece,
        /// Where it stood.
        from: Cell,
        /// Where it stands.
        to: Cell,
    },
    /// A wall, block, the border or, for a cop, a gate stopped a player.
    Bumped {
        /// Who.
        piece: Piece,
        /// Where it stands.
        at: Cell,
        /// Where it wanted to go.
        into: Cell,
    },
    /// The thief was caught.
    Captured {
        /// By whom.
        cop: u16,
        /// Where the thief stood.
        at: Cell,
    },
    /// The thief went through a gate.
    Escaped {
        /// The gate's cell.
        at: Cell,
    },
    /// The thief ended the tick right beside a cop, or swapped cells with it, and was not caught.
    NearMiss {
        /// Which cop.
        cop: u16,
        /// Where the thief stands.
        at: Cell,
    },
    /// The time was over.
    Survived,
    /// A wall or a gate did something by itself.
    EnvMoved(EnvMove),
}

impl Cops {
    /// The board with its rules, the same for the whole match.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Distances between all cells of the board; measured when first asked for.
    pub fn distances(&self) -> Arc<DistanceTable> {
        Arc::clone(self.distances.get_or_init(|| Arc::new(DistanceTable::new(&self.board))))
    }

    /// The exact values of the board as it stands in a position, if nothing moves by itself; worked out once, by whoever
    /// asks first. `take` is asked before each piece of work for its matrix games, and ends the work with `false`.
    ///
    /// # Errors
    /// Why they are not known: see [`Exact::new`].
    pub fn exact_values(
        &self,
        now: &Position,
        take: &dyn Fn(u64) -> bool,
    ) -> Result<Arc<Exact>, String> {
        self.exact.get(self, now, take)
    }

    /// The [exact values](Self::exact_values) of the board as the level has it, for whoever prepares before a match has
    /// drawn anything.
    ///
    /// # Errors
    /// As there, or if the level leaves gates or walls to chance.
    pub fn exact_values_of_level(&self, take: &dyn Fn(u64) -> bool) -> Result<Arc<Exact>, String> {
        let opening = self.opening(&Chance::new(0)).map_err(|why| why.to_string())?;
        refusal(self, &opening)?;
        let rules = self.board.rules();
        let gates = self.fixed.gates.len();
        let walls = self.fixed.walls.len();
        if gates < rules.gates as usize || walls < rules.walls as usize {
            return Err("where gates and walls stand is drawn when a match begins".into());
        }
        self.exact_values(&opening, take)
    }

    /// The [exact values](Self::exact_values) if they were worked out already.
    pub fn known_values(&self, now: &Position) -> Option<Arc<Exact>> {
        self.exact.known(self, now)
    }

    /// How many ticks are left in a position, its own included.
    pub fn ticks_left(&self, now: &Position) -> u32 {
        self.board.rules().ticks.saturating_sub(now.tick)
    }

    /// Where everything stands before the first tick, before walls and gates move.
    ///
    /// # Errors
    /// If the chance leaves no room.
    pub fn opening(&self, chance: &Chance) -> Result<Position, SetupError> {
        match &self.opening {
            Some(opening) => Ok(opening.clone()),
            None => start::opening(&self.board, &self.fixed, |stream| chance.stream(stream)),
        }
    }

    /// Sets up a position of one's own to begin with; walls and gates move before the first plans.
    #[must_use]
    pub fn opened_with(mut self, opening: Position) -> Self {
        self.opening = Some(opening);
        self
    }

    /// Plays one tick: players move, capture and escape are checked, and if the game goes on walls
    /// and gates move for the next tick. New `orders` are given when plans are due.
    pub fn tick(
        &self,
        pursuit: &mut Pursuit,
        orders: &[(Seat, Orders)],
        chance: &Chance,
        tell: &mut impl FnMut(CopsEvent),
    ) {
        if !orders.is_empty() {
            pursuit.plans.clear();
            pursuit.plans.extend(orders.iter().flat_map(|(_, orders)| &orders.0).flatten());
            orders.iter().for_each(|&(seat, _)| tell(CopsEvent::Planned(seat)));
        }
        let rules = self.board.rules();
        let position = &mut pursuit.position;
        let k = rules.k as usize;
        // The step of every player in this tick, the thief's first.
        let mut planned = pursuit.plans.iter().copied().skip(position.tick as usize % k).step_by(k);
        let before = position.thief;
        let steps = Steps { board: &self.board, walls: &position.walls, gates: &position.gates };
        let step = planned.next().unwrap_or_default();
        position.thief = steps.walk(Piece::Thief, before, step, tell);
        let mut catcher = None;
        for (index, cop) in position.cops.iter_mut().enumerate() {
            let piece = Piece::Cop(index as u16);
            let from = *cop;
            let step = planned.next().unwrap_or_default();
            *cop = steps.walk(piece, from, step, tell);
            let swapped = *cop == before && from == position.thief && from != *cop;
            let apart = position.thief.manhattan(*cop);
            if apart == 0
                || (rules.capture_adjacent && apart == 1)
                || (rules.capture_swap && swapped)
            {
                // The first of several has caught it; the others still take their steps.
                catcher = catcher.or(Some(index as u16));
            }
        }
        let at = position.thief;
        // Before the escape: whoever is caught in the gate has not got out.
        if let Some(cop) = catcher {
            pursuit.standing = PursuitStatus::Caught(position.tick);
            return tell(CopsEvent::Captured { cop, at });
        }
        if !self.board.is_inside(at) {
            pursuit.standing = PursuitStatus::Escaped(position.tick);
            return tell(CopsEvent::Escaped { at });
        }
        for (cop, index) in position.cops.iter().zip(0..) {
            if cop.manhattan(at) == 1 {
                tell(CopsEvent::NearMiss { cop: index, at });
            }
        }
        if position.tick + 1 == rules.ticks {
            pursuit.standing = PursuitStatus::Survived;
            return tell(CopsEvent::Survived);
        }
        position.tick += 1;
        self.drift(position, chance, &mut |drift| tell(CopsEvent::EnvMoved(drift)));
    }

    /// Where a step would lead a player now.
    pub(super) fn stepped(
        &self,
        position: &Position,
        piece: Piece,
        from: Cell,
        step: Step,
    ) -> Cell {
        let walls = &position.walls;
        let gates = &position.gates;
        Steps { board: &self.board, walls, gates }.walk(piece, from, step, &mut |_| {})
    }

    /// Walls and gates move in the tick of the position.
    fn drift(&self, position: &mut Position, chance: &Chance, tell: impl FnMut(EnvMove)) {
        // Each tick has its own place in each stream, two draws for each wall or gate, so a state needs no dice
        // of its own.
        let draws = u128::from(position.tick) * 2;
        let mut gate_dice = chance.stream(start::GATE_DRIFT);
        gate_dice.set_word_pos(draws * position.gates.len() as u128);
        let mut wall_dice = chance.stream(start::WALL_DRIFT);
        wall_dice.set_word_pos(draws * position.walls.len() as u128);
        self.board.drift(position, || gate_dice.next_u32(), || wall_dice.next_u32(), tell);
    }
}

/// What players can walk through in one tick.
struct Steps<'a> {
    board: &'a Board,
    walls: &'a [Wall],
    gates: &'a [Gate],
}

impl Steps<'_> {
    /// Where a player gets to.
    fn walk(&self, piece: Piece, from: Cell, step: Step, tell: &mut impl FnMut(CopsEvent)) -> Cell {
        if step == Step::Stay {
            return from;
        }
        let to = from + step.delta();
        let open = if self.board.is_inside(to) {
            self.board.is_floor(to) && !self.board.is_walled(self.walls, to)
        } else {
            piece == Piece::Thief && self.board.is_gate(self.gates, to)
        };
        if open {
            tell(CopsEvent::Moved { piece, from, to });
            return to;
        }
        tell(CopsEvent::Bumped { piece, at: from, into: to });
        from
    }
}

impl Game for Cops {
    const ID: &'static str = "cops";
    const RULES_VERSION: u32 = 1;
    const SEATS: Seats = Seats {
        allowed: 2..=2,
        spec: |seat| {
            let (id, title, piece) =
                if seat == THIEF { ("thief", "Thief", "thief") } else { ("cops", "Cops", "cop") };
            SeatSpec { id: id.into(), title: title.into(), piece }
        },
    };

    type Level = CopsFile;
    type State = Pursuit;
    type Action = Orders;
    type Observation = CopsView;
    type Event = CopsEvent;

    fn faults(level: &CopsFile) -> Vec<Fault> {
        level_faults::<Self>(level, level::faults)
    }

    fn new(level: &CheckedLevel<Self>, seats: usize) -> Result<Self, SetupError> {
        if !Self::SEATS.allowed.contains(&seats) {
            return Err(SetupError(format!(
                "a pursuit has the two seats thief and cops, not {seats}"
            )));
        }
        let (board, fixed) = Board::new(level)?;
        let level = level.clone().into_inner();
        Ok(Self {
            level,
            board,
            fixed,
            opening: None,
            distances: OnceLock::new(),
            exact: SharedExact::default(),
        })
    }

    fn level(&self) -> &CopsFile {
        &self.level
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self, chance: &Chance) -> Result<Pursuit, SetupError> {
        let mut position = self.opening(chance)?;
        self.drift(&mut position, chance, |_| {});
        Ok(Pursuit { position, plans: Vec::new(), standing: PursuitStatus::Running })
    }

    /// Both seats when plans are due, else nobody: plans run by themselves.
    fn to_move(&self, pursuit: &Pursuit) -> Vec<Seat> {
        let due = pursuit.position.tick.is_multiple_of(self.board.rules().k);
        if due && pursuit.standing == PursuitStatus::Running {
            vec![THIEF, COPS]
        } else {
            Vec::new()
        }
    }

    fn observe(&self, past: &[Pursuit], pursuit: &Pursuit, seat: Seat) -> CopsView {
        let oldest = past.len().saturating_sub(self.board.rules().k as usize);
        CopsView {
            seat,
            now: pursuit.position.clone(),
            past: past[oldest..].iter().map(|pursuit| pursuit.position.clone()).collect(),
        }
    }

    fn legal(&self, pursuit: &Pursuit, seat: Seat, Orders(ways): &Orders) -> Result<(), String> {
        let players = players(&pursuit.position, seat);
        let k = self.board.rules().k as usize;
        if ways.len() != players {
            return Err(format!("{} plans for {players} players", ways.len()));
        }
        match ways.iter().find(|way| way.len() != k) {
            Some(way) => Err(format!("a plan of {} steps; {k} are planned at once", way.len())),
            None => Ok(()),
        }
    }

    /// Whoever gives too few steps stays where they end, and players without a plan stay where they are.
    fn completed(&self, pursuit: &Pursuit, seat: Seat, Orders(mut ways): Orders) -> Orders {
        let k = self.board.rules().k as usize;
        for way in ways.iter_mut().filter(|way| way.len() < k) {
            way.resize(k, Step::Stay);
        }
        let players = players(&pursuit.position, seat);
        if ways.len() < players {
            ways.resize(players, vec![Step::Stay; k]);
        }
        Orders(ways)
    }

    fn null_action(&self, pursuit: &Pursuit, seat: Seat) -> Orders {
        let k = self.board.rules().k as usize;
        Orders(vec![vec![Step::Stay; k]; players(&pursuit.position, seat)])
    }

    fn advance(
        &self,
        pursuit: &mut Pursuit,
        actions: &[(Seat, Orders)],
        chance: &Chance,
        events: &mut Vec<CopsEvent>,
    ) {
        self.tick(pursuit, actions, chance, &mut |event| events.push(event));
    }

    fn outcome(&self, pursuit: &Pursuit) -> Option<Outcome> {
        let payoff = pursuit.standing.payoff(self.board.rules().ticks)?;
        let (headline, thief, cops) = match pursuit.standing {
            PursuitStatus::Caught(t) => (format!("caught in tick {}", t + 1), "caught", "captured"),
            PursuitStatus::Escaped(t) => {
                (format!("escaped in tick {}", t + 1), "escaped", "outrun")
            }
            _ => ("never caught".to_owned(), "survived", "outlasted"),
        };
        let caught = u32::from(thief == "caught");
        let places = [(1 + caught, payoff, thief), (2 - caught, -payoff, cops)]
            .map(|(rank, score, ending)| Place { rank, score: Some(score), ending: ending.into() });
        Some(Outcome { headline, places: places.into() })
    }
}

/// Number of players of a seat.
fn players(position: &Position, seat: Seat) -> usize {
    if seat == THIEF { 1 } else { position.cops.len() }
}
