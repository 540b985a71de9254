//! What plans of both sides pay against each other in drawn scenarios.

use super::super::context::BoardContext;
use super::super::matrix_game::value::race;
use super::scenario::Scenario;
use super::search::{BestPlan, Case, PieceModel, PlanSearch, best_reply};
use crate::board::Position;
use crate::distance_table::CellIndex;
use crate::rules::Step;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// The game until the next plans are due, with the same scenarios for all plans that are compared.
pub struct PlanGame<'a> {
    ground: &'a BoardContext,
    thief: CellIndex,
    cops: Vec<CellIndex>,
    ticks: usize,
    left: f32,
    scenarios: Vec<Scenario>,
    /// Most beginnings of plans that a search keeps.
    width: usize,
}

/// Where a plan of the thief leads in one scenario.
pub struct Trajectory {
    /// The cell after each tick; the last one is a border cell if it escapes.
    at: Vec<CellIndex>,
    escapes: bool,
}

/// Where joint plans of the cops lead: by scenario, by cop, the cell after each tick.
pub type JointTracks = Vec<Vec<Vec<CellIndex>>>;

/// How a plan goes against another in a scenario.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Ending {
    /// The thief is caught during the plan.
    Caught,
    /// It escapes during the plan.
    Escaped,
    /// Neither.
    Open,
}

/// The thief's mean payoff over the scenarios.
pub fn mean(played: &[(Ending, f32)]) -> f32 {
    played.iter().map(|(_, pays)| pays).sum::<f32>() / played.len() as f32
}

/// Joint plans of the cops with their shares.
pub type JointMix = [(Vec<Vec<Step>>, f32)];
/// Plans of the thief with their shares.
pub type ThiefMix = [(Vec<Step>, f32)];

/// What cops gain at least when one of them changes its plan: less is rounding.
const GAIN: f32 = 1e-3;
/// Passes over all cops, so that rounding can never make them go on for ever.
const MOST_PASSES: usize = 20;

impl<'a> PlanGame<'a> {
    /// Draws scenarios from a position until the next plans are due after it. Searches keep `width` beginnings of plans.
    pub fn new(
        ground: &'a BoardContext,
        now: &Position,
        (scenarios, width): (usize, usize),
        dice: &mut ChaCha8Rng,
    ) -> Self {
        let left = ground.board().rules().ticks.saturating_sub(now.tick);
        // Between plans those that were made go on until the next are due.
        let gone = now.tick as usize % ground.k;
        let ticks = (ground.k - gone).min(left as usize).max(1);
        Self {
            ground,
            thief: ground.cell_index(now.thief),
            cops: ground.cops(now),
            ticks,
            left: left as f32,
            scenarios: (0..scenarios).map(|_| Scenario::draw(ground, now, ticks, dice)).collect(),
            width,
        }
    }

    /// The ticks of the plans.
    pub fn ticks(&self) -> usize {
        self.ticks
    }

    /// Where a plan leads the thief, by scenario.
    pub fn thief_tracks(&self, steps: &[Step]) -> Vec<Trajectory> {
        self.scenarios.iter().map(|scenario| self.thief_track(scenario, steps)).collect()
    }

    fn thief_track(&self, scenario: &Scenario, steps: &[Step]) -> Trajectory {
        let mut track = Trajectory { at: Vec::with_capacity(self.ticks), escapes: false };
        let mut from = self.thief;
        for tick in 0..self.ticks {
            let step = steps.get(tick).copied().unwrap_or_default();
            from = scenario.step(self.ground, tick, from, step, true);
            track.at.push(from);
            if self.is_out(from) {
                track.escapes = true;
                break;
            }
        }
        track
    }

    fn cop_track(&self, scenario: &Scenario, cop: usize, steps: &[Step]) -> Vec<CellIndex> {
        let mut at = self.cops[cop];
        (0..self.ticks)
            .map(|tick| {
                let step = steps.get(tick).copied().unwrap_or_default();
                at = scenario.step(self.ground, tick, at, step, false);
                at
            })
            .collect()
    }

    /// Where a joint plan leads the cops.
    pub fn joint_tracks(&self, plans: &[Vec<Step>]) -> JointTracks {
        self.scenarios
            .iter()
            .map(|scenario| {
                let plans = plans.iter().take(self.cops.len()).enumerate();
                plans.map(|(cop, steps)| self.cop_track(scenario, cop, steps)).collect()
            })
            .collect()
    }

    fn is_out(&self, cell_index: CellIndex) -> bool {
        !self.ground.board().is_inside(self.ground.distances.cell(cell_index))
    }

    /// Whether a cop that goes from `cop.0` to `cop.1` catches a thief that goes likewise.
    fn catches(&self, thief: (CellIndex, CellIndex), cop: (CellIndex, CellIndex)) -> bool {
        let rules = self.ground.board().rules();
        let distances = &self.ground.distances;
        thief.1 == cop.1
            || (rules.capture_adjacent
                && distances.cell(thief.1).manhattan(distances.cell(cop.1)) == 1)
            || (rules.capture_swap && cop.0 != cop.1 && cop.1 == thief.0 && cop.0 == thief.1)
    }

    /// The way of a player of this track in a tick.
    fn way(start: CellIndex, track: &[CellIndex], tick: usize) -> (CellIndex, CellIndex) {
        (if tick == 0 { start } else { track[tick - 1] }, track[tick])
    }

    /// Whether one of the cops, but for perhaps one, catches a thief that goes this way in a tick.
    fn is_caught(
        &self,
        way: (CellIndex, CellIndex),
        tracks: &[Vec<CellIndex>],
        tick: usize,
        but: Option<usize>,
    ) -> bool {
        tracks.iter().zip(&self.cops).enumerate().any(|(cop, (track, &start))| {
            Some(cop) != but && self.catches(way, Self::way(start, track, tick))
        })
    }

    fn escape_pays(&self, tick: usize) -> f32 {
        2.0 * self.left - tick as f32 - 1.0
    }

    /// How the plans end if one cop, or none, is left out, and what that pays; `None` if they do not
    /// end the game.
    fn end(
        &self,
        track: &Trajectory,
        tracks: &[Vec<CellIndex>],
        but: Option<usize>,
    ) -> Option<(usize, Ending, f32)> {
        for tick in 0..track.at.len() {
            let way = Self::way(self.thief, &track.at, tick);
            if self.is_caught(way, tracks, tick, but) {
                return Some((tick, Ending::Caught, tick as f32));
            }
            if track.escapes && tick + 1 == track.at.len() {
                return Some((tick, Ending::Escaped, self.escape_pays(tick)));
            }
        }
        None
    }

    /// How plans go against each other in each scenario, and what that pays the thief from now on.
    pub fn play(&self, thief: &[Trajectory], cops: &JointTracks) -> Vec<(Ending, f32)> {
        let pairs = self.scenarios.iter().zip(thief).zip(cops);
        pairs.map(|((scenario, track), tracks)| self.play_in(scenario, track, tracks)).collect()
    }

    /// How plans go against each other in one scenario, and what that pays.
    fn play_in(
        &self,
        scenario: &Scenario,
        track: &Trajectory,
        tracks: &[Vec<CellIndex>],
    ) -> (Ending, f32) {
        if let Some((_, ending, pays)) = self.end(track, tracks, None) {
            return (ending, pays);
        }
        let last = self.ticks - 1;
        let ends: Vec<CellIndex> = tracks.iter().map(|track| track[last]).collect();
        let race = race(self.ground, &ends);
        let later = scenario.worth.of(self.ground, track.at[last], &ends, &race);
        (Ending::Open, self.ticks as f32 + later)
    }

    /// What a plan of the thief pays against joint plans with these shares, which sum to 1.
    pub fn thief_payoff(&self, steps: &[Step], cops: &JointMix) -> f32 {
        let tracks = self.thief_tracks(steps);
        cops.iter()
            .map(|(plans, share)| share * mean(&self.play(&tracks, &self.joint_tracks(plans))))
            .sum()
    }

    /// What the thief earns with plans of these shares, which sum to 1, against a joint plan.
    pub fn joint_payoff(&self, plans: &[Vec<Step>], thief: &ThiefMix) -> f32 {
        let joint = self.joint_tracks(plans);
        thief
            .iter()
            .map(|(steps, share)| share * mean(&self.play(&self.thief_tracks(steps), &joint)))
            .sum()
    }

    fn task(&self, from: CellIndex, is_thief: bool) -> PlanSearch {
        PlanSearch { from, ticks: self.ticks, is_thief, width: self.width }
    }

    fn cases(&self, shares: impl Iterator<Item = f32>) -> Vec<Case> {
        let count = self.scenarios.len();
        shares
            .enumerate()
            .flat_map(|(plan, share)| {
                let weight = share / count as f32;
                (0..count).map(move |scenario| Case { scenario, plan, weight })
            })
            .collect()
    }

    /// The thief's best plan against joint plans with these shares, which sum to 1.
    pub fn thief_reply(&self, cops: &JointMix) -> BestPlan {
        let cases = self.cases(cops.iter().map(|(_, share)| *share));
        let tracks: Vec<JointTracks> =
            cops.iter().map(|(plans, _)| self.joint_tracks(plans)).collect();
        let ends: Vec<Vec<CellIndex>> = cases
            .iter()
            .map(|case| {
                let cops = tracks[case.plan][case.scenario].iter();
                cops.map(|track| track[self.ticks - 1]).collect()
            })
            .collect();
        let races = ends.iter().map(|ends| race(self.ground, ends)).collect();
        let mut walk =
            ThiefWalk { game: self, cases: &cases, tracks, ends, races, known: HashMap::new() };
        best_reply(&mut walk, &cases, self.task(self.thief, true))
    }

    /// The best plan of one cop of a joint plan against plans of the thief with these shares, which sum
    /// to 1, while the other cops keep theirs.
    fn cop_reply(&self, cop: usize, joint: &[Vec<Step>], thief: &ThiefMix) -> BestPlan {
        let cases = self.cases(thief.iter().map(|(_, share)| *share));
        let joint = self.joint_tracks(joint);
        let tracks: Vec<Vec<Trajectory>> =
            thief.iter().map(|(steps, _)| self.thief_tracks(steps)).collect();
        let others: Vec<Vec<CellIndex>> = joint
            .iter()
            .map(|tracks| {
                let others = tracks.iter().enumerate().filter(|(other, _)| *other != cop);
                others.map(|(_, track)| track[self.ticks - 1]).collect()
            })
            .collect();
        let races = others.iter().map(|ends| race(self.ground, ends)).collect();
        let fates = cases
            .iter()
            .map(|case| {
                let thief = &tracks[case.plan][case.scenario];
                let (tick, _, pays) = self.end(thief, &joint[case.scenario], Some(cop))?;
                Some((tick, pays))
            })
            .collect();
        let known = HashMap::new();
        let mut walk = CopWalk { game: self, cases: &cases, tracks, fates, others, races, known };
        best_reply(&mut walk, &cases, self.task(self.cops[cop], false))
    }

    /// A joint plan improved against plans of the thief, whose shares sum to 1: each cop in turn takes
    /// its best plan while the others keep theirs, until that gains nothing.
    pub fn joint_reply(&self, joint: &[Vec<Step>], thief: &ThiefMix) -> JointReply {
        let mut best = JointReply {
            plans: joint.to_vec(),
            payoff: self.joint_payoff(joint, thief),
            searches: 0,
            cut: 0,
        };
        let mut cop = 0;
        let mut idle = 0;
        while idle < self.cops.len() && best.searches < MOST_PASSES * self.cops.len() {
            let reply = self.cop_reply(cop, &best.plans, thief);
            best.searches += 1;
            best.cut += usize::from(reply.is_cut);
            idle += 1;
            if reply.payoff < best.payoff - GAIN {
                (best.plans[cop], best.payoff) = (reply.steps, reply.payoff);
                // The one that has just changed has nothing to gain.
                idle = 1;
            }
            cop = (cop + 1) % self.cops.len();
        }
        best
    }
}

/// A joint plan that was improved.
pub struct JointReply {
    /// The plans, cop by cop.
    pub plans: Vec<Vec<Step>>,
    /// The thief's expected payoff from now on.
    pub payoff: f32,
    /// How many plans of single cops were looked for.
    pub searches: usize,
    /// In how many of these plans were left out.
    pub cut: usize,
}

struct ThiefWalk<'a> {
    game: &'a PlanGame<'a>,
    cases: &'a [Case],
    /// By plan.
    tracks: Vec<JointTracks>,
    /// Where the cops end and how near they are to each cell, by case.
    ends: Vec<Vec<CellIndex>>,
    races: Vec<Vec<u8>>,
    known: HashMap<(usize, CellIndex), f32>,
}

impl PieceModel for ThiefWalk<'_> {
    fn step(&self, scenario: usize, tick: usize, from: CellIndex, step: Step) -> CellIndex {
        // Cases that an escape has ended may share a scenario with none that is open.
        if self.game.is_out(from) {
            return from;
        }
        self.game.scenarios[scenario].step(self.game.ground, tick, from, step, true)
    }

    fn ends(&self, case: usize, tick: usize, from: CellIndex, to: CellIndex) -> Option<f32> {
        let Case { scenario, plan, .. } = self.cases[case];
        if self.game.is_caught((from, to), &self.tracks[plan][scenario], tick, None) {
            return Some(tick as f32);
        }
        self.game.is_out(to).then(|| self.game.escape_pays(tick))
    }

    fn later(&mut self, case: usize, at: CellIndex) -> f32 {
        let game = self.game;
        *self.known.entry((case, at)).or_insert_with(|| {
            let scenario = &game.scenarios[self.cases[case].scenario];
            let later = scenario.worth.of(game.ground, at, &self.ends[case], &self.races[case]);
            game.ticks as f32 + later
        })
    }
}

struct CopWalk<'a> {
    game: &'a PlanGame<'a>,
    cases: &'a [Case],
    /// By plan and scenario.
    tracks: Vec<Vec<Trajectory>>,
    /// When each case ends without this cop, and what it pays then.
    fates: Vec<Option<(usize, f32)>>,
    /// Where the other cops end and how near they are to each cell, by scenario.
    others: Vec<Vec<CellIndex>>,
    races: Vec<Vec<u8>>,
    /// By scenario, end of the thief and end of this cop.
    known: HashMap<(usize, CellIndex, CellIndex), f32>,
}

impl PieceModel for CopWalk<'_> {
    fn step(&self, scenario: usize, tick: usize, from: CellIndex, step: Step) -> CellIndex {
        self.game.scenarios[scenario].step(self.game.ground, tick, from, step, false)
    }

    fn ends(&self, case: usize, tick: usize, from: CellIndex, to: CellIndex) -> Option<f32> {
        let Case { scenario, plan, .. } = self.cases[case];
        let track = &self.tracks[plan][scenario];
        if self.game.catches(PlanGame::way(self.game.thief, &track.at, tick), (from, to)) {
            return Some(tick as f32);
        }
        self.fates[case].and_then(|(end, pays)| (end == tick).then_some(pays))
    }

    fn later(&mut self, case: usize, at: CellIndex) -> f32 {
        let game = self.game;
        let Case { scenario, plan, .. } = self.cases[case];
        // While beginnings are ranked a thief that is still to escape counts where it is last seen.
        let track = &self.tracks[plan][scenario].at;
        let thief = track[track.len() - 1];
        let others = &self.others[scenario];
        let race = &self.races[scenario];
        *self.known.entry((scenario, thief, at)).or_insert_with(|| {
            if game.is_out(thief) {
                return game.escape_pays(track.len() - 1);
            }
            let mut ends = others.clone();
            ends.push(at);
            let near = game.ground.distances.from(at);
            let joint: Vec<u8> = race.iter().zip(near).map(|(&a, &b)| a.min(b)).collect();
            let later = game.scenarios[scenario].worth.of(game.ground, thief, &ends, &joint);
            game.ticks as f32 + later
        })
    }
}
