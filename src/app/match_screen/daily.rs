//! A match on a level of the day: its result, kept with the optimum as soon as the review knows it.

use super::figures::figure;
use super::lifecycle::best_results;
use super::matches::FocusedMatchMut;
use super::review::reached_and_perfect;
use super::session::Session;
use crate::app::shell::daily::{DailyResult, DailyResults};
use bevy::prelude::*;
use outwit_headless::find;

/// Keeps the result once it counts, and again once the optimum is known.
pub(super) fn keep(mut session: FocusedMatchMut, mut results: ResMut<DailyResults>) {
    let Some(day) = session.config.daily else { return };
    let result = &session.result;
    if !result.recorded || !result.counts() || session.is_replay() {
        return;
    }
    let Some((spec, score)) = best_results(&session).into_iter().next() else { return };
    let optimum = reached_and_perfect(&session).map(|(_, perfect)| figure(perfect));
    let is_known = result.daily.as_ref().is_some_and(|known| known.optimum == optimum);
    if is_known {
        return;
    }
    let label = super::figures::counted(score, spec.unit);
    let result = DailyResult { score, label, optimum };
    results.submit(session.config.game, day, result.clone(), spec.better);
    session.result.daily = Some(result);
}

impl Session {
    /// The result of the level of the day as a line to be passed on, if the match has one.
    pub fn daily_line(&self) -> Option<String> {
        let kind = find(self.config.game).ok()?;
        Some(self.result.daily.as_ref()?.line(kind, self.config.daily?))
    }
}
