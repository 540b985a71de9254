//! Many matches at once, played by numbers: for programs that learn.

use super::planes::{Canvas, Plane, PlaneSpec};
use super::spec::GameSpec;
use outwit_core::play::{Chance, CheckedLevel, Game, Seat, StopFlag};
use std::sync::Arc;

/// A number that a seat sees beside the planes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// What it counts.
    pub name: &'static str,
    /// The least that it can be.
    pub least: i32,
    /// The most that it can be.
    pub most: i32,
}

/// What play from a state on still costs, exactly or by an estimate; `None` if it leads nowhere.
pub type CostToGo<G> = Arc<dyn Fn(&<G as Game>::State) -> Option<f64> + Send + Sync>;

/// Finds out what play costs, until the flag is raised.
pub type FindCostToGo<G> = fn(&G, &StopFlag) -> Result<CostToGo<G>, String>;

/// Plays a turn by numbers: see [`NumberedPlay::step`].
pub type NumberedStep<G> =
    fn(&G, &mut <G as Game>::State, &[i32], &Chance, &mut Vec<<G as Game>::Event>, &mut [f64]);

/// Makes a batch without its types.
pub type MakeBatch<G> =
    fn(&CheckedLevel<G>, usize, RewardKind, &StopFlag) -> Result<Box<dyn DynBatch>, String>;

/// The function that makes batches of a game, compiled in the crate that writes this: there all that plays is optimised.
/// A closure or a generic function would be compiled in whatever crate uses it.
#[macro_export]
macro_rules! make_batch {
    ($game:ty) => {{
        fn make_batch(
            level: &::outwit_core::play::CheckedLevel<$game>,
            seats: usize,
            rewards: $crate::RewardKind,
            stop: &::outwit_core::play::StopFlag,
        ) -> Result<Box<dyn $crate::DynBatch>, String> {
            $crate::new_batch(level, seats, rewards, stop)
        }
        make_batch
    }};
}

/// How a game is played by numbers.
pub struct NumberedPlay<G: GameSpec> {
    /// What a seat sees beside the planes.
    pub numbers: fn(&G) -> Vec<Number>,
    /// Writes these numbers, as a seat sees them.
    pub write_numbers: fn(&G, &G::State, Seat, &mut [i32]),
    /// How many choices each part of an action has, for each seat that chooses in a turn.
    pub choices: fn(&G) -> Vec<Vec<usize>>,
    /// Writes 1 for each legal choice, part after part; the slice is clear before.
    pub mark_legal: fn(&G, &G::State, &mut [u8]),
    /// Whether the rules have ended the match.
    pub is_over: fn(&G, &G::State) -> bool,
    /// Who chooses now, or whoever the state is shown to where several do so at the same time.
    pub mover: fn(&G, &G::State) -> Seat,
    /// Plays a turn, and what follows until somebody chooses again. There is a number for each part of the action, less
    /// than its choices; the reward of each seat is written. What the game does about an illegal action is its own
    /// affair, but the state stays valid.
    pub step: NumberedStep<G>,
    /// Finds out what perfect play costs, in the unit of the rewards; `None` where nobody knows.
    pub cost_to_go: Option<FindCostToGo<G>>,
    /// How far it is at least, from the map alone; `None` where there is no such measure.
    pub distance: Option<FindCostToGo<G>>,
    /// Makes a batch: [`make_batch!`](crate::make_batch).
    pub make_batch: MakeBatch<G>,
}

/// The sizes and names of a batch's arrays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BatchLayout {
    /// The planes of an observation, bottom to top.
    pub planes: Vec<Plane>,
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// What is seen beside the planes.
    pub numbers: Vec<Number>,
    /// See [`NumberedPlay::choices`].
    pub choices: Vec<Vec<usize>>,
    /// How many play.
    pub seats: usize,
}

impl BatchLayout {
    /// How many cells all planes of an observation have together.
    pub fn cells(&self) -> usize {
        self.planes.len() * self.rows * self.columns
    }

    /// How many numbers an action of all seats that choose is made of.
    pub fn parts(&self) -> usize {
        self.choices.iter().map(Vec::len).sum()
    }

    /// How many choices all parts of an action have together.
    pub fn mask(&self) -> usize {
        self.choices.iter().flatten().sum()
    }
}

/// What rewards say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RewardKind {
    /// They add up to the result of the match.
    Result,
    /// As [`Result`](Self::Result), and beside it how much nearer a turn has come ([`NumberedPlay::distance`]). They add up
    /// to the result and the distance of the start, so that what is best stays best (Ng, Harada and Russell 1999).
    Progress,
    /// They are what was lost against perfect play, at most 0. They add up to the result less the best possible one.
    Loss,
}

/// Where a batch writes: each slice holds the same for one copy after the other.
pub struct BatchArrays<'a> {
    /// [`BatchLayout::cells`] for each copy.
    pub planes: &'a mut [u8],
    /// As many as [`BatchLayout::numbers`].
    pub numbers: &'a mut [i32],
    /// [`BatchLayout::mask`]: 1 for each legal choice.
    pub masks: &'a mut [u8],
    /// One for each seat.
    pub rewards: &'a mut [f64],
    /// Whether the match is over.
    pub is_over: &'a mut [bool],
    /// The seat that chooses, and whose view the planes are.
    pub movers: &'a mut [u8],
    /// The seed of the present match, with which it can be played again.
    pub seeds: &'a mut [u64],
}

/// Matches of one game on one level that are played at the same time, without their types.
pub trait DynBatch: Send + Sync {
    /// The sizes and names of its arrays.
    fn layout(&self) -> &BatchLayout;
    /// Another one of the same kind, none of its matches begun. What was worked out for the level is shared.
    fn another(&self) -> Box<dyn DynBatch>;
    /// Begins as many matches as there are seeds.
    ///
    /// # Errors
    /// If a seed draws no start.
    fn reset(&mut self, seeds: &[u64], out: &mut BatchArrays) -> Result<(), String>;
    /// Plays a turn of each match, with [`BatchLayout::parts`] numbers for each. A match that was over begins again, with
    /// another seed and without a reward; its numbers are not read.
    ///
    /// # Errors
    /// If there are more or fewer numbers than that or one is out of range, and nothing is played then; or if a seed
    /// draws no start.
    fn step(&mut self, actions: &[i32], out: &mut BatchArrays) -> Result<(), String>;
    /// What a seat sees of a copy: its planes and its numbers, in slices of their sizes. Nothing is written if the copy or
    /// the seat is not there.
    fn observe(&self, copy: usize, seat: usize, planes: &mut [u8], numbers: &mut [i32]);
}

/// What to say of a game that has none.
pub(super) fn no_batch<G: GameSpec>() -> String {
    format!("{} cannot be played by numbers", G::INFO.name)
}

/// The seed of a later match of a copy that began with this one (the mixing function of SplitMix64, Steele, Lea and
/// Flood 2014).
fn later_seed(first: u64, matches: u64) -> u64 {
    let mut mixed = first ^ matches.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// One of the matches.
struct Running<G: GameSpec> {
    state: G::State,
    chance: Chance,
    first_seed: u64,
    /// How many were played before in its place.
    matches: u64,
    is_over: bool,
    /// What play costs from here on, where that is asked for; of a state that leads nowhere, of the last one that did not.
    to_go: f64,
}

/// Matches of a level for so many seats, none of them begun. `stop` ends the computation of perfect play.
///
/// # Errors
/// If the game cannot be played by so many or by numbers, or if the rewards want to know what nobody does.
pub fn new_batch<G: GameSpec>(
    level: &CheckedLevel<G>,
    seats: usize,
    rewards: RewardKind,
    stop: &StopFlag,
) -> Result<Box<dyn DynBatch>, String> {
    Ok(Box::new(Batch::new(level, seats, rewards, stop)?))
}

/// A batch with the types of its game.
struct Batch<G: GameSpec> {
    game: Arc<G>,
    planes: &'static PlaneSpec<G>,
    play: &'static NumberedPlay<G>,
    layout: BatchLayout,
    /// The fixed planes, which are the same for all.
    fixed: Vec<u8>,
    cost_to_go: Option<CostToGo<G>>,
    running: Vec<Running<G>>,
    events: Vec<G::Event>,
}

impl<G: GameSpec> Batch<G> {
    fn new(
        level: &CheckedLevel<G>,
        seats: usize,
        rewards: RewardKind,
        stop: &StopFlag,
    ) -> Result<Self, String> {
        let (Some(planes), Some(play)) = (const { &G::PLANES }, const { &G::NUMBERED_PLAY }) else {
            return Err(no_batch::<G>());
        };
        let game = G::new(level, seats)?;
        let name = G::INFO.name;
        let find = match rewards {
            RewardKind::Result => None,
            RewardKind::Progress => Some(play.distance.ok_or_else(|| {
                format!("{name} does not know how far each position is from the end")
            })?),
            RewardKind::Loss => Some(
                play.cost_to_go
                    .ok_or_else(|| format!("{name} does not know what each position is worth"))?,
            ),
        };
        let cost_to_go = find.map(|find| find(&game, stop)).transpose()?;
        let map = level.cells(' ');
        let size = (map.width(), map.height());
        let mut fixed = vec![0; (planes.fixed)(&game).len() * size.0 * size.1];
        (planes.mark_fixed)(&game, &mut Canvas::clear(&mut fixed, size));
        let layout = BatchLayout {
            planes: planes.all(&game),
            rows: size.1,
            columns: size.0,
            numbers: (play.numbers)(&game),
            choices: (play.choices)(&game),
            seats,
        };
        let running = Vec::new();
        let events = Vec::new();
        let game = Arc::new(game);
        Ok(Self { game, planes, play, layout, fixed, cost_to_go, running, events })
    }

    /// What play still costs: nothing once the match is over, and as much as before where it leads nowhere.
    fn to_go(cost_to_go: &CostToGo<G>, state: &G::State, is_over: bool, before: f64) -> f64 {
        if is_over { 0.0 } else { cost_to_go(state).unwrap_or(before) }
    }

    /// Begins the match of a copy with a seed.
    fn begin(&self, first_seed: u64, matches: u64) -> Result<Running<G>, String> {
        let seed = if matches == 0 { first_seed } else { later_seed(first_seed, matches) };
        let chance = Chance::new(seed);
        let state = self.game.start(&chance).map_err(|why| format!("seed {seed}: {why}"))?;
        let is_over = (self.play.is_over)(&self.game, &state);
        let known = self.cost_to_go.as_ref();
        let to_go = known.map_or(0.0, |known| Self::to_go(known, &state, is_over, 0.0));
        Ok(Running { state, chance, first_seed, matches, is_over, to_go })
    }

    /// Writes what a seat sees into the moving planes and the numbers.
    fn show(&self, state: &G::State, seat: Seat, moving: &mut [u8], numbers: &mut [i32]) {
        let size = (self.layout.columns, self.layout.rows);
        (self.planes.mark_moving)(&self.game, state, seat, &mut Canvas::clear(moving, size));
        (self.play.write_numbers)(&self.game, state, seat, numbers);
    }

    /// Writes all about a copy but its rewards.
    fn write(&self, copy: usize, out: &mut BatchArrays) {
        let running = &self.running[copy];
        let cells = self.layout.cells();
        let numbers = self.layout.numbers.len();
        let mask = self.layout.mask();
        let seat = (self.play.mover)(&self.game, &running.state);
        let moving = &mut out.planes[copy * cells + self.fixed.len()..(copy + 1) * cells];
        let numbers = &mut out.numbers[copy * numbers..(copy + 1) * numbers];
        self.show(&running.state, seat, moving, numbers);
        let mask = &mut out.masks[copy * mask..(copy + 1) * mask];
        mask.fill(0);
        if !running.is_over {
            (self.play.mark_legal)(&self.game, &running.state, mask);
        }
        out.is_over[copy] = running.is_over;
        out.movers[copy] = seat.0;
        out.seeds[copy] = running.chance.seed();
    }

    /// Says which number of which copy is out of range, if one is.
    fn check(&self, actions: &[i32]) -> Result<(), String> {
        let parts = self.layout.parts();
        if actions.len() != parts * self.running.len() {
            let copies = self.running.len();
            let numbers = actions.len();
            return Err(format!("{numbers} numbers for {copies} matches of {parts} each"));
        }
        for (copy, numbers) in actions.chunks_exact(parts).enumerate() {
            let choices = self.layout.choices.iter().flatten();
            for (part, (&number, &choices)) in numbers.iter().zip(choices).enumerate() {
                if !self.running[copy].is_over && !(0..choices as i32).contains(&number) {
                    return Err(format!(
                        "match {copy}, part {part}: {number} is not one of the choices 0 to {}",
                        choices - 1
                    ));
                }
            }
        }
        Ok(())
    }
}

impl<G: GameSpec> DynBatch for Batch<G> {
    fn layout(&self) -> &BatchLayout {
        &self.layout
    }

    fn another(&self) -> Box<dyn DynBatch> {
        Box::new(Self {
            game: Arc::clone(&self.game),
            layout: self.layout.clone(),
            fixed: self.fixed.clone(),
            cost_to_go: self.cost_to_go.clone(),
            running: Vec::new(),
            events: Vec::new(),
            ..*self
        })
    }

    fn reset(&mut self, seeds: &[u64], out: &mut BatchArrays) -> Result<(), String> {
        let begun = seeds.iter().map(|&seed| self.begin(seed, 0));
        self.running = begun.collect::<Result<_, _>>()?;
        out.rewards.fill(0.0);
        for copy in 0..seeds.len() {
            let cells = self.layout.cells();
            out.planes[copy * cells..][..self.fixed.len()].copy_from_slice(&self.fixed);
            self.write(copy, out);
        }
        Ok(())
    }

    fn step(&mut self, actions: &[i32], out: &mut BatchArrays) -> Result<(), String> {
        self.check(actions)?;
        let parts = self.layout.parts();
        let seats = self.layout.seats;
        for copy in 0..self.running.len() {
            let rewards = &mut out.rewards[copy * seats..(copy + 1) * seats];
            rewards.fill(0.0);
            if self.running[copy].is_over {
                let Running { first_seed, matches, .. } = self.running[copy];
                self.running[copy] = self.begin(first_seed, matches + 1)?;
            } else {
                let Running { state, chance, is_over, to_go, .. } = &mut self.running[copy];
                let action = &actions[copy * parts..(copy + 1) * parts];
                let seat = (self.play.mover)(&self.game, state);
                self.events.clear();
                (self.play.step)(&self.game, state, action, chance, &mut self.events, rewards);
                *is_over = (self.play.is_over)(&self.game, state);
                if let Some(cost_to_go) = &self.cost_to_go {
                    let before = *to_go;
                    *to_go = Self::to_go(cost_to_go, state, *is_over, before);
                    rewards[seat.index()] += before - *to_go;
                }
            }
            self.write(copy, out);
        }
        Ok(())
    }

    fn observe(&self, copy: usize, seat: usize, planes: &mut [u8], numbers: &mut [i32]) {
        let Some(running) = self.running.get(copy) else { return };
        let sizes = (planes.len(), numbers.len());
        if seat >= self.layout.seats || sizes != (self.layout.cells(), self.layout.numbers.len()) {
            return;
        }
        let (fixed, moving) = planes.split_at_mut(self.fixed.len());
        fixed.copy_from_slice(&self.fixed);
        self.show(&running.state, Seat(seat as u8), moving, numbers);
    }
}
