//! What can be said of a pursuit while it is watched.

pub mod gate_run;
mod gates;
mod outlook;
mod plans;
mod thief;

use super::board::{Board, Position};
use super::rules::{Cops, CopsEvent, PursuitStatus, THIEF};
use outwit_core::grid::Cell;
use outwit_core::play::{Match, Seat};
use outwit_kit::{CommentarySpec, Outlook, Remark, heaviest};
use std::collections::{BTreeMap, BTreeSet};

pub const SPEC: CommentarySpec<Cops> = CommentarySpec { outlook: outlook::outlook, remarks };

/// Remarks on a turn at most.
const MOST: usize = 2;

/// Changes of the thief's share below this are not worth a sentence.
const LEAST_SWING: f64 = 0.1;

/// What a remark is about. It is not talked of again for two plans, nor as long as nothing else was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Topic {
    /// A gate by index is now the thief's.
    Opened(usize),
    /// A gate by index is no longer the thief's.
    Shut(usize),
    /// One cop keeps the thief from a gate by index.
    LastGuard(usize),
    /// A wall makes the way out longer.
    Longer,
    /// A wall makes the way out shorter.
    Shorter,
    /// A wall makes the way of a waiting cop shorter.
    CopWaits,
    /// The thief has little room.
    Cornered,
    /// A wall stops the thief.
    Stopped,
    /// A gate went away before the thief got out.
    Slid,
    /// A cop is beside the thief.
    Close,
    /// How the plans end.
    PlansEnd,
    /// The thief's plan leads to a gate by index.
    MakesFor(usize),
    /// A cop's plan leads nearer to a gate by index than the thief's.
    CutsOff(usize),
    /// The end.
    Over,
}

/// One turn, with what the remarks look at.
struct Scene<'a> {
    turn: usize,
    board: &'a Board,
    before: &'a Position,
    after: &'a Position,
    standing: PursuitStatus,
    events: &'a [CopsEvent],
    /// The position in which the present plans were made.
    planned: &'a Position,
}

impl<'a> Scene<'a> {
    fn new(played: &'a Match<Cops>, turn: usize) -> Option<Self> {
        let board = played.game().board();
        let before = &played.state_at(turn)?.position;
        let since_plans = before.tick % board.rules().k.max(1);
        let after = played.state_at(turn + 1)?;
        let planned = played.state_at(turn.checked_sub(since_plans as usize)?)?;
        Some(Self {
            turn,
            board,
            before,
            after: &after.position,
            standing: after.standing,
            events: &played.turns().get(turn)?.events,
            planned: &planned.position,
        })
    }

    /// Steps of the longest runs to a gate that are talked of: two plans.
    fn range(&self) -> u32 {
        2 * self.board.rules().k
    }

    fn remark(&self, seat: Seat, words: String, weight: f32) -> Remark {
        Remark {
            turn: self.turn,
            seat: Some(seat),
            words,
            figures: Vec::new(),
            cells: Vec::new(),
            weight,
        }
    }
}

/// A remark with figures and cells, where something can be counted.
fn with(mut remark: Remark, figures: &[(&str, u32)], cells: &[Cell]) -> Remark {
    let known = figures.iter().filter(|(_, value)| *value != gate_run::FAR);
    remark.figures = known.map(|&(name, value)| (name.to_owned(), f64::from(value))).collect();
    remark.cells = cells.to_vec();
    remark
}

/// Everything that could be said of a turn.
fn candidates(played: &Match<Cops>, turn: usize) -> Vec<(Topic, Remark)> {
    let Some(scene) = Scene::new(played, turn) else { return Vec::new() };
    if scene.standing != PursuitStatus::Running {
        return thief::ending(&scene).map(|remark| (Topic::Over, remark)).into_iter().collect();
    }
    let mut found = gates::remarks(&scene);
    found.extend(thief::remarks(&scene, played.states()));
    found.extend(plans::remarks(&scene, played));
    // Where the plans end in a capture, each step towards it is no news.
    let is_close = |(topic, _): &(Topic, Remark)| *topic == Topic::Close;
    if found.iter().any(is_close) && plans::lead_to_capture(&scene, played) {
        found.retain(|remark| !is_close(remark));
    }
    found
}

/// What is worth saying of a turn.
fn remarks(played: &Match<Cops>, turn: usize, known: &BTreeMap<usize, Outlook>) -> Vec<Remark> {
    let mut found = candidates(played, turn);
    if !found.is_empty() {
        let quiet = 2 * played.game().board().rules().k as usize;
        let earlier = (0..turn).rev().map(|turn| (turn, candidates(played, turn)));
        let earlier = earlier.filter(|(_, found)| !found.is_empty()).enumerate();
        // What was said last is not said once more, however long ago it was.
        let said: BTreeSet<Topic> = earlier
            .take_while(|(count, (earlier, _))| *count == 0 || earlier + quiet >= turn)
            .flat_map(|(_, (_, found))| found)
            .map(|(topic, _)| topic)
            .collect();
        found.retain(|(topic, _)| !said.contains(topic));
    }
    let mut found: Vec<Remark> = found.into_iter().map(|(_, remark)| remark).collect();
    found.extend(swing(played, turn, known));
    heaviest(found, MOST)
}

/// That the thief can expect clearly more or less than before the last plans. It is said after every other plan at
/// most, however often the odds turn.
fn swing(played: &Match<Cops>, turn: usize, known: &BTreeMap<usize, Outlook>) -> Option<Remark> {
    let found = change(played, turn, known)?;
    let k = played.game().board().rules().k as usize;
    let earlier = (1..).map_while(|plans| turn.checked_sub(plans * k));
    let in_a_row = earlier.take_while(|&turn| change(played, turn, known).is_some()).count();
    in_a_row.is_multiple_of(2).then_some(found)
}

/// The same, however often.
fn change(played: &Match<Cops>, turn: usize, known: &BTreeMap<usize, Outlook>) -> Option<Remark> {
    let scene =
        Scene::new(played, turn).filter(|scene| scene.standing == PursuitStatus::Running)?;
    let now = known.get(&(turn + 1))?;
    // Of the plans that are already made other sentences tell.
    let k = scene.board.rules().k as usize;
    let are_due = |turn: usize| turn.is_multiple_of(k);
    if !are_due(turn + 1) {
        return None;
    }
    let (&since, then) = known.range(..=turn).rev().find(|(turn, _)| are_due(**turn))?;
    let own = now.seats.first()?;
    let earlier = then.seats.first()?;
    let value = own.value?;
    let before = earlier.value?;
    let change = now.shares.first()? - then.shares.first()?;
    let gain = value - before;
    if !own.is_clearly_other(earlier)
        || change.abs() < LEAST_SWING
        || gain.signum() != change.signum()
    {
        return None;
    }
    let more = if gain > 0.0 { "more" } else { "less" };
    let tick = played.state_at(since)?.position.tick;
    let moment = if tick == 0 { "at the start".to_owned() } else { format!("after tick {tick}") };
    let words = format!("The thief can now expect {:.0} ticks {more} than {moment}", gain.abs());
    let weight = (0.5 + change.abs() as f32).min(0.95);
    let figures = [
        ("expected before", before),
        ("margin before", earlier.noise),
        ("expected now", value),
        ("margin now", own.noise),
    ];
    let figures = figures.map(|(name, value)| (name.to_owned(), value)).into();
    Some(Remark { figures, cells: vec![scene.after.thief], ..scene.remark(THIEF, words, weight) })
}

#[cfg(test)]
mod tests;
