//! The analysis: any planner thinks about any position of the match, and one looks at how its answer
//! came about, snapshot by snapshot.
//!
//! [`Analysis`] holds what was chosen and which snapshot is shown. [`update`] keeps an
//! [`AnalysisRun`] going for the viewed position; finished ones are kept, so that scrubbing between
//! positions is instant.

mod events;
mod paint;
mod panel;
mod run;
mod slider;

pub use paint::paint;
pub use panel::show;
pub use run::{
    AnalysisProgress, AnalysisRequest, AnalysisRun, ShownStep, begin, play_line, position,
};
pub use slider::show as show_slider;

use super::panel::figure;
use super::{Session, Tab};
use bevy::prelude::*;
use events::SearchEvents;
use outwit_core::grid::Cell;
use outwit_core::play::Seat;
use std::collections::VecDeque;
use std::sync::Arc;

/// The amounts of work to choose from, in units.
pub const BUDGETS: [u64; 4] = [200, 2_000, 20_000, 200_000];
/// Finished analyses that are kept, and how many cells with heat they may hold together: about 100 MB.
const MOST_KEPT: (usize, usize) = (200, 8_000_000);
/// Seconds that a position is viewed before planners begin to think about it, so that dragging along
/// the timeline does not start one for each turn.
const SETTLE: f32 = 0.15;
/// Seconds to play through all snapshots, and the least number of snapshots per second.
const PLAYBACK: (f32, f32) = (6.0, 8.0);

/// A planner in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlannerSummary {
    /// Its name.
    pub name: &'static str,
    /// The name of its algorithm.
    pub algorithm: &'static str,
    /// One sentence on how it thinks and how strong it is.
    pub about: &'static str,
    /// How it works, in about five lines.
    pub method: &'static str,
}

/// Seconds that each step of a walkthrough is shown.
const WALKTHROUGH_STEP: f32 = 1.6;

/// Which walkthrough of the shown snapshot is shown, and how far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WalkthroughView {
    /// The number of the walkthrough.
    pub index: usize,
    /// The number of its step.
    pub step: usize,
    /// Whether it goes on by itself.
    pub playing: bool,
    shown_for: f32,
}

impl WalkthroughView {
    /// Plays a walkthrough from its first step.
    pub fn begin(index: usize) -> Self {
        Self { index, step: 0, playing: true, shown_for: 0.0 }
    }

    /// Goes on as time passes, round and round.
    fn play(&mut self, seconds: f32, steps: usize) {
        if self.playing {
            self.shown_for += seconds;
        }
        while self.shown_for >= WALKTHROUGH_STEP {
            self.shown_for -= WALKTHROUGH_STEP;
            self.step += 1;
        }
        self.step %= steps.max(1);
    }
}

/// A step through the snapshots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scrub {
    /// To the first.
    First,
    /// To the one before.
    Back,
    /// Play through them, or stop.
    Play,
    /// To the next.
    Forward,
    /// To the last, and to each new one.
    Last,
}

/// The position whose analysis is shown, and who may be analysed there.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysisSubject {
    /// The position after this many turns; earlier than the viewed one if nobody chooses there.
    pub turn: usize,
    /// The seats to choose from.
    pub seats: Vec<Seat>,
    /// The chosen one.
    pub seat: Seat,
    /// The planners that can take the seat, first the one that sits there.
    pub planners: Vec<PlannerSummary>,
    /// The chosen one.
    pub planner: PlannerSummary,
}

/// What was chosen for the analysis and what is shown of it.
pub struct Analysis {
    /// The chosen seat; another one where it has no choice.
    pub seat: Option<Seat>,
    /// The chosen planner; another one where it cannot take the seat.
    pub planner: Option<&'static str>,
    /// Work units to spend, one of `BUDGETS`.
    pub budget: u64,
    /// Which heat is drawn, if there are several.
    pub heat: usize,
    /// Whether all figures are explained in full.
    pub explained: bool,
    /// The candidate whose cells are drawn.
    pub candidate: Option<usize>,
    /// The candidate that stays drawn.
    pub picked: Option<usize>,
    /// The cell under the pointer.
    pub pointed: Option<Cell>,
    /// The operation that is shown step by step.
    pub walkthrough: Option<WalkthroughView>,
    /// The recorded search that is stepped through.
    pub events: Option<SearchEvents>,
    /// Why there is nothing to show.
    pub problem: Option<String>,
    playing: bool,
    /// The shown snapshot; the newest without a number.
    at: Option<usize>,
    /// Seconds since the shown snapshot changed by itself, and since the position changed.
    shown_for: f32,
    settled_for: f32,
    /// The revision of the match and the turn that `position` belongs to.
    placed: Option<(u64, usize)>,
    position: u64,
    request: Option<AnalysisRequest>,
    run: Option<AnalysisRun>,
    /// Finished analyses, the oldest first.
    kept: VecDeque<AnalysisRun>,
}

impl Default for Analysis {
    fn default() -> Self {
        Self {
            seat: None,
            planner: None,
            budget: 20_000,
            heat: 0,
            explained: false,
            candidate: None,
            picked: None,
            pointed: None,
            walkthrough: None,
            events: None,
            problem: None,
            playing: false,
            at: None,
            shown_for: 0.0,
            settled_for: 0.0,
            placed: None,
            position: 0,
            request: None,
            run: None,
            kept: VecDeque::new(),
        }
    }
}

impl Analysis {
    /// The analysis of the viewed position, once it was begun.
    pub fn run(&self) -> Option<&AnalysisRun> {
        self.run.as_ref()
    }

    /// Whether it plays through the snapshots.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// Whether the picture changes without anybody's doing.
    pub fn is_busy(&self) -> bool {
        self.playing
            || self.walkthrough.is_some_and(|view| view.playing)
            || self.events.as_ref().is_some_and(SearchEvents::is_busy)
            || self.request.is_some() && self.run.as_ref().is_none_or(AnalysisRun::is_running)
    }

    /// The number of the shown snapshot and the number of snapshots.
    pub fn place(&self) -> (usize, usize) {
        let count = self.run.as_ref().map_or(0, |run| run.steps().len());
        let last = count.saturating_sub(1);
        (self.at.map_or(last, |at| at.min(last)), count)
    }

    /// The snapshot at [`Self::place`]; `None` before the first.
    pub fn step(&self) -> Option<Arc<ShownStep>> {
        let steps = self.run.as_ref()?.steps();
        steps.get(self.place().0).cloned()
    }

    /// Stays at the snapshot of this index, also when later ones come in.
    pub fn show(&mut self, at: usize) {
        self.at = Some(at);
        self.playing = false;
    }

    /// Steps through the snapshots.
    pub fn scrub(&mut self, scrub: Scrub) {
        let (at, count) = self.place();
        match scrub {
            Scrub::First => self.show(0),
            Scrub::Back => self.show(at.saturating_sub(1)),
            Scrub::Forward => self.show((at + 1).min(count.saturating_sub(1))),
            Scrub::Last => {
                self.at = None;
                self.playing = false;
            }
            Scrub::Play => {
                self.playing = !self.playing;
                self.shown_for = 0.0;
                // Playing from the end begins at the start.
                if self.playing {
                    self.at = Some(if at + 1 >= count { 0 } else { at });
                }
            }
        }
    }

    /// Stops the planner; the snapshots so far stay.
    pub fn cancel(&mut self) {
        if let Some(run) = &mut self.run {
            run.cancel();
        }
    }

    /// Begins the analysis of the viewed position again.
    pub fn restart(&mut self) {
        self.run = None;
        self.request = None;
    }

    /// Forgets the present analysis, or keeps it if it is finished.
    fn put_aside(&mut self) {
        let finished = self.run.take().filter(|run| run.progress() == AnalysisProgress::Done);
        self.kept.extend(finished);
        let (most, most_cells) = MOST_KEPT;
        let cells =
            |kept: &VecDeque<AnalysisRun>| kept.iter().map(AnalysisRun::cells).sum::<usize>();
        while self.kept.len() > most || cells(&self.kept) > most_cells {
            self.kept.pop_front();
        }
    }

    /// Shows another analysis, if it is known already.
    fn turn_to(&mut self, request: Option<AnalysisRequest>) {
        self.put_aside();
        self.request = request;
        self.at = None;
        self.playing = false;
        self.candidate = None;
        self.picked = None;
        self.settled_for = 0.0;
        let known = self.kept.iter().position(|run| Some(run.request) == request);
        self.run = known.and_then(|known| self.kept.remove(known));
    }

    fn play(&mut self, seconds: f32) {
        let (at, count) = self.place();
        let per_second = (count as f32 / PLAYBACK.0).max(PLAYBACK.1);
        self.shown_for += seconds;
        let steps = (self.shown_for * per_second) as usize;
        self.shown_for -= steps as f32 / per_second;
        self.at = Some((at + steps).min(count.saturating_sub(1)));
        let running = self.run.as_ref().is_some_and(AnalysisRun::is_running);
        if at + steps + 1 >= count && !running {
            self.scrub(Scrub::Last);
        }
    }
}

impl Session {
    /// The position whose analysis is shown and who may be analysed there; `None` if nobody has had a
    /// choice yet.
    pub fn analysis_subject(&self) -> Option<AnalysisSubject> {
        let here = self.live.to_move(self.view);
        let seats: Vec<Seat> = if here.is_empty() {
            let past =
                |seat: &Seat| (0..self.view).any(|turn| self.live.to_move(turn).contains(seat));
            self.seats().filter(past).collect()
        } else {
            here
        };
        let wanted = self.analysis.seat.filter(|seat| seats.contains(seat));
        let seat = wanted.or(seats.first().copied())?;
        let turn = (0..=self.view).rev().find(|&turn| self.live.to_move(turn).contains(&seat))?;
        let mut planners = self.live.planners(seat);
        let sits = self.config.players.get(seat.index()).map(|player| player.name());
        // Otherwise the strongest first.
        planners.reverse();
        planners.sort_by_key(|planner| Some(planner.name) != sits);
        let named = |planner: &&PlannerSummary| Some(planner.name) == self.analysis.planner;
        let planner = *planners.iter().find(named).or(planners.first())?;
        Some(AnalysisSubject { turn, seats, seat, planners, planner })
    }

    /// Opens the analysis; the match is paused.
    pub fn open_analysis(&mut self) {
        self.jump(self.view);
        self.tab = Tab::Analysis;
    }

    /// Plays the shown line on the board; what was played after the position stays as a variation.
    /// Returns the turns before and after the line.
    ///
    /// # Errors
    /// If there is no line or the rules forbid it; the match is as it was.
    pub fn play_analysed_line(&mut self) -> Result<(usize, usize), String> {
        let step = self.analysis.step().ok_or("there is no line yet")?;
        self.play_from_analysis(&step.step.line)
    }

    /// Plays the line that begins with a choice, as [`play_analysed_line`](Self::play_analysed_line)
    /// does.
    ///
    /// # Errors
    /// If there is no such line or the rules forbid it; the match is as it was.
    pub fn play_choice(&mut self, choice: usize) -> Result<(usize, usize), String> {
        let step = self.analysis.step().ok_or("there is no line yet")?;
        let chosen = step.step.insight.candidates.get(choice).ok_or("there is no such choice")?;
        self.play_from_analysis(&chosen.line)
    }

    fn play_from_analysis(&mut self, line: &[String]) -> Result<(usize, usize), String> {
        let run = self.analysis.run().ok_or("nothing was analysed yet")?;
        let AnalysisRequest { turn, seat, .. } = run.request;
        let turns = self.live.turns();
        let played = self.live.play_line(turn, seat, line)?;
        self.on_branch(turn, turns);
        // It was not the person who played it.
        self.assisted = Some(self.assisted.map_or(turn, |first| first.min(turn)));
        self.jump(turn + played);
        Ok((turn, turn + played))
    }
}

/// Keeps the analysis of the viewed position going.
pub fn update(session: &mut Session, seconds: f32) {
    session.analysis.problem = None;
    let request = match session.analysis_subject() {
        None => {
            session.analysis.problem = Some("Nobody has had a choice yet.".into());
            None
        }
        Some(subject) if session.live.is_hidden(&session.state, subject.seat) => {
            session.analysis.problem = Some(format!(
                "{}'s plans are hidden until the match is over, because you play against it.",
                session.name(subject.seat)
            ));
            None
        }
        Some(AnalysisSubject { turn, seat, planner, .. }) => {
            let placed = Some((session.live.revision(), turn));
            if session.analysis.placed != placed {
                session.analysis.position = session.live.position(turn);
                session.analysis.placed = placed;
            }
            let Analysis { position, budget, .. } = session.analysis;
            Some(AnalysisRequest { turn, position, seat, planner: planner.name, budget })
        }
    };
    if session.analysis.request != request {
        session.analysis.turn_to(request);
    }
    session.analysis.settled_for += seconds;
    if let Some(request) = request.filter(|_| session.analysis.run.is_none())
        && session.analysis.settled_for >= SETTLE
    {
        match session.live.analyse(request) {
            Ok(run) => session.analysis.run = Some(run),
            Err(why) => session.analysis.problem = Some(format!("Cannot analyse this: {why}.")),
        }
    }
    let analysis = &mut session.analysis;
    if let Some(mut view) = analysis.walkthrough {
        let step = analysis.step();
        let shown =
            step.and_then(|it| Some(it.step.insight.walkthroughs.get(view.index)?.steps.len()));
        analysis.walkthrough = shown.map(|steps| {
            view.play(seconds, steps);
            view
        });
    }
    if analysis.playing {
        analysis.play(seconds);
    }
}

/// A whole number with a comma after each three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A figure with as many decimals as it deserves.
fn grouped_figure(value: f64) -> String {
    if (1000.0..1e15).contains(&value) { grouped(value.round() as u64) } else { figure(value) }
}

/// Follows the match while the analysis is open, and ends the thinking when it is closed.
pub(super) fn follow(mut session: ResMut<Session>, time: Res<Time>) {
    if session.tab == Tab::Analysis {
        update(&mut session, time.delta_secs());
    } else if session.analysis.request.is_some() {
        session.analysis.turn_to(None);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
