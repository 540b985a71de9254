//! A match on the screen: what all games share of it, and the live match behind it.

mod begin;
mod status;

use super::board::Layer;
use super::live_match::LiveMatch;
use super::state::{AnalysisView, Animation, Help, Playback, SessionState, Tab};
use super::trial::TrialKind;
use bevy::prelude::*;
use outwit_core::platform::time::Duration;
use outwit_core::play::{Budget, Insight, MoveReview, Outcome, Seat, TimeControl};
use outwit_kit::highlights;
pub use status::{MatchStatus, StatusKind};
use std::ops::{Deref, DerefMut, RangeInclusive};

/// From this budget on a planner is slow: one may want it to move at once.
const SLOW: Duration = Duration::from_secs(2);
/// The same in units of work.
const SLOW_WORK: u64 = 1_000_000;

/// A match on the screen.
#[derive(Component)]
#[require(Transform, Visibility)]
pub struct Session {
    /// What all games share.
    pub state: SessionState,
    /// The match itself.
    pub live: Box<dyn LiveMatch>,
}

impl Deref for Session {
    type Target = SessionState;

    fn deref(&self) -> &SessionState {
        &self.state
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut SessionState {
        &mut self.state
    }
}

/// What became of a person's choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChoiceResult {
    /// It is not this person's turn yet: it will be played as soon as it is.
    Queued,
    /// It was played.
    Played,
    /// It was played from an earlier turn; so many turns that came after it are gone.
    Branched(usize),
    /// There was nothing to choose.
    Dropped,
    /// The rules forbid it.
    Refused(String),
}

impl Session {
    /// Draws what a program that was asked about a turn thinks, where that turn is shown, and shows such pictures.
    pub(super) fn show_asked(&mut self, seat: Seat, turn: usize, insight: &Insight) {
        self.live.show_asked(seat, turn, insight);
        self.state.has_thoughts = true;
        let minds = self.board.overlays.iter().map(|overlay| overlay.layer == Layer::Minds);
        let minds: Vec<bool> = minds.collect();
        for (on, is_mind) in self.state.overlays.on.iter_mut().zip(minds) {
            *on |= is_mind;
        }
    }

    /// The match as the text of a replay file, with its notes.
    pub fn replay_text(&self) -> String {
        self.live.replay_text(self.notes.all())
    }

    /// Takes over what programs call themselves, and the names in a record.
    pub(super) fn learn_names(&mut self) {
        self.own_names = self.seats().map(|seat| self.live.seat(seat).name).collect();
    }

    /// Whether the latest state is shown and nothing moves.
    pub fn is_at_present(&self) -> bool {
        self.playback.view == self.live.turns()
    }

    /// The turn in motion.
    pub fn animation(&self) -> Option<Animation> {
        self.playback.animation(self.live.turns())
    }

    /// The person who may choose in the state that is shown.
    pub fn human_to_move(&self) -> Option<Seat> {
        self.live.person(&self.state)
    }

    /// The result, once the last turn is shown.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.is_at_present() { self.live.outcome() } else { None }
    }

    /// Plays a person's queued choice in the state that is shown, or keeps it until it is that
    /// person's turn. Choosing at an earlier turn plays on from there.
    pub fn play_queued(&mut self) -> ChoiceResult {
        self.leaving = false;
        let Some(seat) = self.human_to_move() else {
            // Who knows what to do need not watch the others.
            if !self.humans.is_empty() && self.live.outcome().is_none() {
                return ChoiceResult::Queued;
            }
            self.live.clear_queue();
            return ChoiceResult::Dropped;
        };
        let turn = self.playback.view;
        let turns = self.live.turns();
        if self.takes_back_freely() && self.live.drop_repeated(seat, turn) {
            self.playback.stepping = true;
            return ChoiceResult::Played;
        }
        if let Err(why) = self.live.play_queued(seat, turn) {
            self.live.clear_queue();
            return ChoiceResult::Refused(why);
        }
        // Also after a pause: whoever chooses expects the others to answer.
        self.playback.playing = true;
        if turn < turns {
            self.on_branch(turn, turns);
            return ChoiceResult::Branched(turns - turn);
        }
        ChoiceResult::Played
    }

    /// Takes back all turns from `turn` on.
    pub fn rewind(&mut self, turn: usize) {
        let turns = self.live.turns();
        self.live.branch(turn);
        self.live.clear_queue();
        self.on_branch(turn, turns);
    }

    /// What changes for the screen when a match of so many turns goes back to `turn`.
    pub(super) fn on_branch(&mut self, turn: usize, turns: usize) {
        let costs = turn < turns && self.board.undo_counts;
        self.result.go_back(turn, costs);
        self.playback.seen = turn;
        self.playback.skipping = false;
        self.playback.show(turn.min(turns));
        self.review.task = None;
        self.tab = Tab::Match;
    }

    /// Shows another way in which the match went, from where it leaves the present one.
    ///
    /// # Errors
    /// If there is no such variation.
    pub fn choose_variation(&mut self, variation: usize) -> Result<(), String> {
        let Some(info) = self.live.variations().get(variation).copied() else {
            return Err(format!("there is no variation {}", variation + 1));
        };
        self.live.choose_variation(variation)?;
        let turns = self.live.turns();
        self.on_branch(info.shared, turns);
        self.playback.stop();
        // Its end was shown when it was played.
        self.result.ended = true;
        self.result.recorded = true;
        Ok(())
    }

    /// Plays the moves again that were taken back last, if nothing else was played since.
    pub fn redo(&mut self) -> bool {
        let turns = self.live.turns();
        if self.takes_back_freely() && self.playback.view < turns {
            self.step();
            return true;
        }
        let variations = self.live.variations();
        let taken_back = variations.iter().rposition(|line| line.shared == turns);
        let Some(variation) = taken_back.filter(|_| self.is_at_present()) else { return false };
        let found = self.choose_variation(variation).is_ok();
        self.playback.playing = found;
        found
    }

    /// Takes back to the last choice of a person before what is shown.
    pub fn undo(&mut self) -> bool {
        let before = (0..self.playback.view)
            .rev()
            .find(|turn| self.live.to_move(*turn).iter().any(|seat| self.humans.contains(seat)));
        match before {
            Some(turn) if self.takes_back_freely() => self.look_back(turn),
            Some(turn) => self.rewind(turn),
            None => {}
        }
        before.is_some()
    }

    /// The turn before the last landmark before what is shown, such as a push of a box.
    pub fn before_landmark(&self) -> Option<usize> {
        let mut turns = (0..self.playback.view).rev();
        turns.find(|&turn| self.live.cues(&self.state, turn).is_landmark)
    }

    /// Takes back to before the last landmark.
    pub fn undo_to_landmark(&mut self) -> bool {
        let Some(turn) = self.before_landmark() else { return false };
        self.look_back(turn);
        true
    }

    /// Whether a person may take back moves without losing anything: then it is enough to look back.
    pub fn takes_back_freely(&self) -> bool {
        !self.board.undo_counts && !self.humans.is_empty()
    }

    /// Shows an earlier turn to play on from there.
    pub fn look_back(&mut self, turn: usize) {
        self.jump(turn);
        self.tab = Tab::Match;
    }

    /// Shows the state after `turn` turns and stops there.
    pub fn jump(&mut self, turn: usize) {
        let turn = turn.min(self.live.turns());
        self.playback.show(turn);
        self.playback.stop();
        self.reel.clear();
        self.live.clear_queue();
        self.note_end();
    }

    /// Of how many turns the timeline may tell: of a match that is played only of those that were shown.
    pub fn told_turns(&self) -> usize {
        let turns = self.live.turns();
        match self.is_replay() || self.result.ended {
            true => turns,
            false => self.playback.seen.min(turns),
        }
    }

    /// Stops at the end; when it is shown for the first time, goes over to the review.
    pub(super) fn note_end(&mut self) {
        if !self.is_at_present() || !self.live.is_over() {
            return;
        }
        self.playback.playing = false;
        self.live.clear_queue();
        if std::mem::replace(&mut self.result.ended, true) || self.outcome().is_none() {
            return;
        }
        // The view is that of both matches.
        self.overlays.framed &= self.goes_on_beside;
        if self.has_review() {
            self.begin_review();
            // The table of a series stands beside the match.
            let shows_review = !self.humans.is_empty() && !self.is_in_series();
            if shows_review && self.tab != Tab::Analysis {
                self.tab = Tab::Review;
            }
        }
    }

    /// Whether no person has anything more to choose though the match goes on.
    pub fn is_out(&self) -> bool {
        let view = self.playback.view;
        !self.humans.is_empty()
            && !self.live.is_over()
            && self.humans.iter().all(|&seat| self.live.is_out(view, seat))
    }

    /// Plays the rest of the match without showing its turns, until it is over or paused.
    pub fn skip(&mut self) {
        self.tab = Tab::Match;
        self.playback.playing = true;
        self.playback.skipping = true;
    }

    /// Notes that a hint was shown: the result sets no record.
    pub(super) fn note_hint(&mut self) {
        if !self.humans.is_empty() {
            let turn = self.playback.view;
            self.result.assist(Help::Hint, turn);
        }
    }

    /// Switches off what would cost a person the record before the first move.
    pub(super) fn hide_best(&mut self) {
        if self.humans.is_empty() || self.is_replay() {
            return;
        }
        let SessionState { board, overlays, .. } = &mut self.state;
        for (on, overlay) in overlays.on.iter_mut().zip(board.overlays) {
            *on &= !overlay.layer.helps();
        }
    }

    /// What shows the person how to play: best lines on the board, the analysis, the review.
    fn shown_help(&self) -> Vec<Help> {
        if self.humans.is_empty() || self.is_replay() || self.lesson.is_some() {
            return Vec::new();
        }
        let mut overlays = self.board.overlays.iter().enumerate();
        let shows_best = overlays.any(|(at, overlay)| overlay.layer.helps() && self.shows(at));
        let analyses = self.analysis_view() != AnalysisView::Off;
        let reviews = self.tab == Tab::Review && self.review.moves().is_some();
        let all =
            [(Help::BestLine, shows_best), (Help::Analysis, analyses), (Help::Review, reviews)];
        all.into_iter().filter_map(|(help, is_shown)| is_shown.then_some(help)).collect()
    }

    /// Notes what shows the person how to play: the result sets no record then. Once the person has made the last
    /// move, it helps only whoever takes back moves.
    pub(super) fn note_shown_help(session: &mut impl DerefMut<Target = Self>) {
        let is_done = session.live.is_over() || session.is_out();
        for help in session.shown_help() {
            let turn = session.playback.view;
            let result = &session.result;
            match is_done {
                true if !result.seen.contains(&help) => session.result.seen.push(help),
                false if !result.has(help, turn) => session.result.assist(help, turn),
                _ => {}
            }
        }
    }

    /// Whether planners play that think so long that one may want them to move at once.
    pub fn has_slow_planners(&self) -> bool {
        let is_slow = |seat: Seat| match self.live.seat(seat).control {
            TimeControl::Turn(Budget::Time(time) | Budget::Cpu(time)) => time >= SLOW,
            TimeControl::Turn(Budget::Work(units)) => units >= SLOW_WORK,
            TimeControl::Match { .. } | TimeControl::Unlimited => true,
        };
        let is_played = !self.is_replay() && self.lesson.is_none() && !self.live.is_over();
        is_played && self.seats().any(|seat| !self.is_person(seat) && is_slow(seat))
    }

    /// Whether a planner is thinking that may be told to move at once; not where planners are compared.
    pub fn can_hurry(&self) -> bool {
        let is_compared = self.is_in_series() || self.config.beside.is_some();
        !is_compared && self.lesson.is_none() && self.live.can_hurry()
    }

    /// Lets planners move at once. A person's result then sets no record.
    pub(super) fn hurry(&mut self) {
        if !self.humans.is_empty() {
            let turn = self.live.turns();
            self.result.assist(Help::Hurry, turn);
        }
        self.live.hurry();
    }

    /// Whether the answer of a problem can be shown.
    pub fn offers_answer(&self) -> bool {
        self.live.trial(&self.state).is_some_and(|trial| trial.offers_answer)
    }

    /// Shows the answer of a problem, where the wrong move is taken back first; `false` if there is none.
    pub(super) fn show_answer(&mut self) -> bool {
        let trial = self.live.trial(&self.state);
        if trial.is_some_and(|trial| trial.kind == TrialKind::Wrong) {
            self.undo();
        }
        let found = self.offers_answer() && self.live.find_hint(&self.state);
        if found {
            self.note_hint();
        }
        found
    }

    /// Pauses after one more turn; while a turn moves, ends its motion instead.
    pub fn step(&mut self) {
        self.playback.playing = false;
        if self.playback.moving > 0.0 {
            self.playback.finish_turn();
            self.note_end();
        } else {
            self.playback.stepping = true;
        }
    }

    /// Whether a match is over that had turning points.
    pub fn has_highlights(&self) -> bool {
        let swings = self.live.commentary().is_some_and(|told| !told.swings.is_empty());
        self.commented && self.live.is_over() && swings
    }

    /// Begins to show the turning points, in their order.
    pub fn show_highlights(&mut self) {
        let reel = self.highlights();
        if let Some(first) = reel.first() {
            self.jump(*first.start());
            self.reel = reel.into();
            self.playback.playing = true;
        }
    }

    /// The stretches around the turning points known so far.
    pub fn highlights(&self) -> Vec<RangeInclusive<usize>> {
        let swings = self.live.commentary().map_or(&[][..], |told| &told.swings);
        highlights(swings, self.live.turns())
    }

    /// Goes on to the next stretch of the reel at the end of one, and stops after the last.
    pub(super) fn turn_reel(&mut self) {
        let Some(stretch) = self.reel.front() else { return };
        if self.playback.view < *stretch.end() {
            return;
        }
        self.reel.pop_front();
        match self.reel.front().map(|next| *next.start()) {
            Some(from) => self.playback.show(from),
            None => self.playback.stop(),
        }
    }

    /// Looks one turn back.
    pub fn step_back(&mut self) {
        let Playback { view, moving, .. } = self.playback;
        let turn = if moving > 0.0 { view } else { view.saturating_sub(1) };
        self.jump(turn);
    }

    /// Plays a line of actions that the person did not find alone, written as in replays, from the shown turn
    /// on and lets it run.
    ///
    /// # Errors
    /// If there is no such line or the rules forbid it; the match is as it was.
    pub fn play_from_here(&mut self, line: &[String], help: Help) -> Result<usize, String> {
        let turn = self.playback.view;
        let turns = self.live.turns();
        let seat = self.live.to_move(turn).first().copied().ok_or("nobody is to move here")?;
        let played = self.live.play_line(turn, seat, line)?;
        self.on_branch(turn, turns);
        self.result.assist(help, turn);
        self.playback.playing = true;
        Ok(played)
    }

    /// Begins the review if it was not begun.
    pub fn begin_review(&mut self) {
        if self.review.task.is_none() {
            self.review.task = Some(self.live.review());
        }
    }

    /// Whether the review tells of mistakes of the seat that is looked at, or may do so once it is there.
    pub fn has_mistakes(&self) -> bool {
        match self.review.moves() {
            Some(seat) => seat.moves.iter().any(MoveReview::is_mistake),
            None => self.has_review() && self.tab != Tab::Review,
        }
    }

    /// Whether its moves can be reviewed: it is over, and no lesson.
    pub fn has_review(&self) -> bool {
        self.info.has_review && self.live.is_over() && self.lesson.is_none()
    }

    /// Shows the next mistake, or the one before, in the review, around the ends, or else the review that is not there
    /// yet; `false` if there is nothing to show.
    pub fn go_to_mistake(&mut self, next: bool) -> bool {
        let view = self.playback.view;
        let Some(seat) = self.review.moves() else {
            let may_be = self.has_mistakes();
            if may_be {
                self.tab = Tab::Review;
            }
            return may_be;
        };
        let turns = seat.moves.iter().filter(|made| made.is_mistake()).map(|made| made.turn);
        let found = match next {
            true => turns.clone().find(|&turn| turn > view).or_else(|| turns.min()),
            false => turns.clone().rfind(|&turn| turn < view).or_else(|| turns.max()),
        };
        if let Some(turn) = found {
            self.jump(turn);
            self.tab = Tab::Review;
        }
        found.is_some()
    }

    /// Seconds that a person has left for the move that is due, if there is a time limit.
    pub fn time_left(&self) -> Option<Duration> {
        let seat = self.human_to_move().filter(|_| self.is_at_present())?;
        self.live.seat(seat).time_left
    }
}

#[cfg(test)]
mod tests;
