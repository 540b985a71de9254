//! What can be said of a match of k in a row while it is watched.

mod outlook;
mod threats;

use super::level::Stone;
use super::notation::cell_name;
use super::rules::{Mnk, MnkAction, MnkPhase, MnkState};
use outwit_core::grid::Cell;
use outwit_core::play::{Match, Seat};
use outwit_kit::{CommentarySpec, Outlook, Remark, heaviest};
use std::collections::BTreeMap;

pub const SPEC: CommentarySpec<Mnk> = CommentarySpec { outlook: outlook::outlook, remarks };

/// Remarks on a turn at most.
const MOST: usize = 2;

/// Turns before in which nothing may have been said of the same topic.
const QUIET: usize = 2;

/// What a remark is about, with whose stones: that is not said again in the next turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Topic {
    /// A row can be completed with the next stone.
    Threat(Stone),
    /// The next stone but one can be decisive.
    Open(Stone),
    /// A win by fours is there.
    Force(Stone),
    /// Something that cannot be repeated.
    Once,
}

/// One stone, with what the remarks look at.
struct Scene<'a> {
    game: &'a Mnk,
    turn: usize,
    cell: Cell,
    stone: Stone,
    before: &'a MnkState,
    after: &'a MnkState,
}

impl<'a> Scene<'a> {
    /// `None` if no stone was placed in the turn, or an opening went on.
    fn new(played: &'a Match<Mnk>, turn: usize) -> Option<Self> {
        let (_, action) = played.turns().get(turn)?.actions.first()?;
        let MnkAction::Place(cell) = *action else { return None };
        let before = played.state_at(turn)?;
        let after = played.state_at(turn + 1)?;
        let is_play = matches!(before.phase, MnkPhase::Play);
        let stone = before.to_move;
        is_play.then_some(Self { game: played.game(), turn, cell, stone, before, after })
    }

    fn name(&self, at: u16) -> String {
        cell_name(self.game.cell_at(usize::from(at)), self.game.height())
    }

    /// A remark on the side that plays these stones, at cells by index.
    fn remark(&self, stone: Stone, words: String, weight: f32, at: &[u16]) -> Remark {
        let cells = at.iter().map(|&at| self.game.cell_at(usize::from(at)));
        let cells = std::iter::once(self.cell).chain(cells).collect();
        let seat = Some(self.before.holder(stone));
        Remark { turn: self.turn, seat, words, figures: Vec::new(), cells, weight }
    }
}

/// A remark with its figures.
fn with(mut remark: Remark, figures: &[(&str, f64)]) -> Remark {
    remark.figures = figures.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    remark
}

/// How the match ended with a stone.
fn ending(scene: &Scene) -> Option<Remark> {
    let stone = scene.stone;
    let k = scene.game.k();
    let cells = scene.after.line.clone();
    if scene.after.winner().is_some() {
        let words = format!("{} wins with {k} in a row", stone.to_char());
        let figures = [("in a row", f64::from(k)), ("stones of the row", cells.len() as f64)];
        return Some(Remark { cells, ..with(scene.remark(stone, words, 1.0, &[]), &figures) });
    }
    (scene.after.empty == 0).then(|| {
        let words = "The board is full and the match is drawn".to_owned();
        let figures = [("empty cells", 0.0)];
        Remark { seat: None, ..with(scene.remark(stone, words, 1.0, &[]), &figures) }
    })
}

/// What is worth saying of a turn.
fn remarks(played: &Match<Mnk>, turn: usize, known: &BTreeMap<usize, Outlook>) -> Vec<Remark> {
    let Some(scene) = Scene::new(played, turn) else { return Vec::new() };
    if let Some(end) = ending(&scene) {
        return vec![end];
    }
    let mut found = threats::remarks(&scene);
    found.retain(|(topic, _)| *topic == Topic::Once || !was_said(played, turn, *topic));
    let verdict = verdict(&scene, known);
    let mut found: Vec<Remark> = found.into_iter().map(|(_, remark)| remark).collect();
    found.extend(verdict);
    heaviest(found, MOST)
}

/// Whether a topic was there in one of the last turns.
fn was_said(played: &Match<Mnk>, turn: usize, topic: Topic) -> bool {
    let recent = turn.saturating_sub(QUIET)..turn;
    recent
        .filter_map(|turn| Scene::new(played, turn))
        .any(|scene| threats::remarks(&scene).iter().any(|(other, _)| *other == topic))
}

/// What a stone changed in what is proved of the result.
fn verdict(scene: &Scene, known: &BTreeMap<usize, Outlook>) -> Option<Remark> {
    let stone = scene.stone;
    let other = scene.stone.other();
    let Seat(seat) = scene.before.holder(stone);
    let of = |turns: usize| known.get(&turns)?.seats.get(usize::from(seat)).copied();
    let before = of(scene.turn)?;
    let after = of(scene.turn + 1)?;
    let proved =
        |expected: outwit_kit::Expectation| expected.value.filter(|_| expected.margin == 0.0);
    let own = stone.to_char();
    let their = other.to_char();
    let now = proved(after)?;
    // A search may lose a proof and find it again: that changes nothing.
    let seats = known.range(..=scene.turn).rev().map(|(_, outlook)| &outlook.seats);
    let last = seats.filter_map(|seats| seats.get(usize::from(seat)).copied()).find_map(proved);
    if last == Some(now) {
        return None;
    }
    let (whose, words, weight) = match (proved(before), now) {
        (Some(1.0), 0.0) => (stone, format!("{own} turns a won game into a lost one"), 0.95),
        (Some(1.0), _) => (stone, format!("{own} lets the win slip: it is a draw now"), 0.9),
        (Some(_), 0.0) => {
            (stone, format!("{own} misses the last chance: {their} can force a win"), 0.9)
        }
        (None, 0.0) => (other, format!("{their} can force a win, as is now proved"), 0.8),
        (None, 1.0) => (stone, format!("{own} can force a win, as is now proved"), 0.8),
        (None, 0.5) => (stone, "Neither side can force a win any more".to_owned(), 0.5),
        _ => return None,
    };
    let figures = [
        ("result before", before.value?),
        ("margin before", before.margin),
        ("result now", after.value?),
        ("margin now", after.margin),
    ];
    Some(with(scene.remark(whose, words, weight, &[]), &figures))
}

#[cfg(test)]
mod tests;
