//! The analysis: any planner thinks about any position of the match, and one looks at how its answer
//! came about, snapshot by snapshot.
//!
//! [`Analysis`] holds what was chosen and which snapshot is shown. [`update`] keeps an
//! [`AnalysisRun`](task::AnalysisRun) going for the viewed position; finished ones are kept, so that
//! scrubbing between positions is instant.

mod events;
pub mod line;
mod paint;
mod panel;
mod playhead;
mod projector;
pub mod run;
mod slider;
pub mod state;
pub mod task;
mod tree;

#[cfg(test)]
pub use events::state::{Recorded, SearchEvents};
pub use paint::paint;
pub use tree::paint as paint_tree;

use super::feature::Feature;
use super::focus::Focused;
use super::layout::{AddSection, Region, Row};
use super::lifecycle;
use super::session::Session;
use super::sets::MatchSet;
use super::state::{AnalysisView, Help, Playback, Tab};
use crate::app::requests::{Screen, StartAnalysis};
use crate::app::shell::activity::{Activity, POLL};
use bevy::prelude::*;
use outwit_core::play::Seat;
use state::{Analysis, AnalysisSubject, OpenedAt, PlannerSummary};
use std::ops::{Deref, DerefMut};
use task::AnalysisRequest;

/// The match that has the focus, with its analysis.
type FocusedAnalysis<'w, 's> =
    Single<'w, 's, (&'static mut Session, &'static mut Analysis), With<Focused>>;

/// Seconds that a position is viewed before planners begin to think about it, so that dragging along
/// the timeline does not start one for each turn.
const SETTLE: f32 = 0.15;

/// Analyses positions.
pub(super) const FEATURE: Feature = Feature { plugin, commands: &[] };

fn plugin(app: &mut App) {
    app.register_required_components::<Session, Analysis>();
    app.init_resource::<StartAnalysis>()
        .add_systems(OnEnter(Screen::Match), start.after(lifecycle::begin))
        .add_systems(Update, follow.in_set(MatchSet::Follow))
        .add_section(Region::Side(Tab::Analysis), panel::section)
        .add_section(Region::Bottom(Row::Slider), slider::section)
        .add_cover(projector::show);
}

/// A match with its analysis.
pub struct Analysed<'a> {
    /// The match.
    pub session: &'a mut Session,
    /// Its analysis.
    pub analysis: &'a mut Analysis,
}

impl Deref for Analysed<'_> {
    type Target = Session;

    fn deref(&self) -> &Session {
        self.session
    }
}

impl DerefMut for Analysed<'_> {
    fn deref_mut(&mut self) -> &mut Session {
        self.session
    }
}

/// Opens the analysis of a match that was entered for it or for an exercise.
fn start(mut wanted: ResMut<StartAnalysis>, focused: Option<FocusedAnalysis>) {
    let is_wanted = std::mem::take(&mut wanted.0);
    let Some(focused) = focused else { return };
    let (mut session, mut analysis) = focused.into_inner();
    let mut session = Analysed { session: &mut session, analysis: &mut analysis };
    session.begin_exercise();
    if is_wanted {
        session.playback.stop();
        session.open_analysis();
    }
}

impl Analysed<'_> {
    /// The position whose analysis is shown and who may be analysed there; `None` if nobody has had a
    /// choice yet.
    pub fn analysis_subject(&self) -> Option<AnalysisSubject> {
        let here = self.live.to_move(self.playback.view);
        let seats: Vec<Seat> = if here.is_empty() {
            self.seats()
                .filter(|seat| {
                    (0..self.playback.view).any(|turn| self.live.to_move(turn).contains(seat))
                })
                .collect()
        } else {
            here
        };
        let wanted = self.analysis.seat.filter(|seat| seats.contains(seat));
        let seat = wanted.or(seats.first().copied())?;
        let turn =
            (0..=self.playback.view).rev().find(|&turn| self.live.to_move(turn).contains(&seat))?;
        let mut planners = self.info.seats.get(seat.index())?.planners.clone();
        let sits = self.config.players.get(seat.index()).map(|player| player.name());
        // Otherwise the strongest first.
        planners.reverse();
        planners.sort_by_key(|planner| Some(planner.name) != sits);
        let named = |planner: &&PlannerSummary| Some(planner.name) == self.analysis.planner;
        let planner = *planners.iter().find(named).or(planners.first())?;
        Some(AnalysisSubject { turn, seats, seat, planners, planner })
    }

    /// Opens the analysis; the match is paused. Where nobody chooses, the last choice is looked at.
    pub fn open_analysis(&mut self) {
        let Playback { view, playing, .. } = self.playback;
        self.jump(view);
        self.tab = Tab::Analysis;
        if let Some(subject) = self.analysis_subject() {
            self.jump(subject.turn);
        }
        self.analysis.opened = Some(OpenedAt { view, looked_at: self.playback.view, playing });
    }

    /// Closes the analysis. Unless another turn was looked at meanwhile, the match goes on as before.
    pub fn close_analysis(&mut self) {
        self.tab = Tab::Match;
        self.analysis.projected = false;
        let Some(before) = self.analysis.opened.take() else { return };
        if before.looked_at == self.playback.view {
            self.playback.show(before.view);
            self.playback.playing = before.playing;
        }
    }

    /// Shows a panel beside the board, or that of the match if it is shown already.
    pub fn show_tab(&mut self, tab: Tab) {
        let shown = self.tab;
        if shown == Tab::Analysis {
            self.close_analysis();
        }
        match tab {
            tab if tab == shown => self.tab = Tab::Match,
            Tab::Analysis => self.open_analysis(),
            tab => self.tab = tab,
        }
    }

    /// Leaves the view without panels, or the analysis.
    pub fn leave(&mut self) {
        match self.is_projected() {
            true => self.analysis.projected = false,
            false => self.close_analysis(),
        }
    }

    /// Tells the match what of the analysis is on the board.
    fn tell_shown(&mut self) {
        let run = self.analysis.run().filter(|run| run.request.turn == self.playback.view);
        let events = self.analysis.events.as_ref().and_then(|events| events.recording(0));
        self.state.analysis_view = match () {
            () if self.tab != Tab::Analysis => AnalysisView::Off,
            () if self.analysis.tree.is_some() => AnalysisView::Tree,
            () if run.is_some() && events.is_some() => AnalysisView::Event,
            () if self.analysis.step().is_some() => AnalysisView::Snapshot,
            () => AnalysisView::Off,
        };
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
        self.result.assist(Help::Planner, turn);
        self.jump(turn + played);
        Ok((turn, turn + played))
    }
}

/// Keeps the analysis of the viewed position going.
pub fn update(session: &mut Analysed, seconds: f32) {
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
            let Analysis { position, budget, .. } = *session.analysis;
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
    let analysis = &mut *session.analysis;
    if let Some(events) = &mut analysis.events {
        events.update(seconds);
    }
    if let Some(tree) = &mut analysis.tree {
        tree.update(seconds);
    }
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
    session.tell_shown();
}

/// Follows the match while the analysis is open, and ends the thinking when it is closed.
fn follow(focused: FocusedAnalysis, time: Res<Time>, activity: Res<Activity>) {
    let (mut session, mut analysis) = focused.into_inner();
    let mut session = Analysed { session: &mut session, analysis: &mut analysis };
    if session.tab == Tab::Analysis {
        update(&mut session, time.delta_secs());
    } else if session.analysis.request.is_some() {
        session.analysis.turn_to(None);
    }
    if session.analysis.is_playing() {
        activity.animate();
    }
    if session.analysis.is_busy() {
        activity.wake_in(POLL);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
