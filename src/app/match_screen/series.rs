//! Matches of a series, such as a league: what is told of their ends, the time until the next one, and the
//! last plan shown once more.

use super::feature::Feature;
use super::layout::{AddSection, Place, Region};
use super::matches::FocusedMatchMut;
use super::series_panel;
use super::session::Session;
use super::sets::MatchSet;
use super::state::{Carried, Tab};
use crate::app::requests::{Modal, Series, SeriesEvent};
use crate::app::shell::activity::{Activity, POLL};
use bevy::prelude::*;

/// The least of them after somebody looked at the match once more.
const RESUMED: f32 = 3.0;
/// The speed at which the last plan is shown once more, of `SPEEDS`.
const SLOW: usize = 1;

/// Leads from match to match of a series.
pub(super) const FEATURE: Feature = Feature { plugin, commands: &[] };

fn plugin(app: &mut App) {
    app.add_systems(Update, follow.in_set(MatchSet::Follow))
        .add_section(Region::Match(Place::Told), series_panel::section);
}

impl Session {
    /// Whether the match is part of a series that goes on.
    pub fn is_in_series(&self) -> bool {
        self.series.series.as_ref().is_some_and(|series| series.verdict.is_none())
    }

    /// Whether a person plays in the series, so that nothing is taken back.
    pub fn is_contested(&self) -> bool {
        let series = self.series.series.as_ref().filter(|_| self.is_in_series());
        series.is_some_and(|series| series.is_played)
    }

    /// Whether the next match may begin: a match of some series cannot be skipped.
    pub fn may_go_on(&self) -> bool {
        let series = self.series.series.as_ref().filter(|_| self.is_in_series());
        series.is_none_or(|series| series.can_skip || !series.next.is_empty())
    }

    /// Shows the end of the match once more, from where its last plans were made, and slowly.
    pub fn show_last_plan(&mut self) {
        let turn = self.live.last_plan();
        self.jump(turn);
        self.tab = Tab::Match;
        let speed = self.playback.speed;
        self.series.speed.get_or_insert(speed);
        self.playback.speed = speed.min(SLOW);
        self.playback.playing = true;
    }

    /// Seconds until the next match; `None` while the time stands still.
    pub fn time_to_next(&self, modal: Modal) -> Option<f32> {
        let goes_on = |series: &Series| !series.next.is_empty() && !series.is_played;
        let goes_on = self.series.series.as_ref().is_some_and(goes_on);
        let looks = self.outcome().is_some() && self.playback.rests() && self.tab == Tab::Match;
        (goes_on && looks && modal == Modal::None).then_some(self.series.left)
    }
}

/// Follows the series: tells the end of the match once it was shown, and asks for the next one in time.
fn follow(
    mut session: FocusedMatchMut,
    series: Option<Res<Series>>,
    time: Res<Time<Real>>,
    modal: Res<Modal>,
    activity: Res<Activity>,
    mut carried: ResMut<Carried>,
    mut events: MessageWriter<SeriesEvent>,
) {
    let session = &mut **session;
    let of_match = series.as_deref().filter(|series| series.config == session.config);
    if session.series.series.as_ref() != of_match {
        session.series.series = of_match.cloned();
    }
    let Some(outcome) = session.outcome().filter(|_| session.playback.rests()) else {
        session.series.left = session.series.left.max(RESUMED);
        return;
    };
    if let Some(speed) = session.series.speed.take() {
        session.playback.speed = speed;
    }
    if session.series.series.is_none() {
        return;
    }
    if !std::mem::replace(&mut session.series.told, true) {
        events.write(SeriesEvent::Ended(outcome.places));
    }
    if session.time_to_next(*modal).is_none() || session.series.asked {
        return;
    }
    session.series.left -= time.delta_secs();
    if session.series.left <= 0.0 {
        session.series.asked = true;
        carried.look = Some((session.playback.speed, session.overlays.on.clone()));
        events.write(SeriesEvent::Next);
    }
    activity.wake_in(POLL);
}
