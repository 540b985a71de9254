//! How a match ended, how good that is, and what comes next.

use super::command_table::MatchCommand;
use super::review::{reached_and_perfect, verdict};
use super::session::Session;
use super::strip::{Said, add};
use crate::app::shell::medals::{self, Medal};
use crate::app::shell::theme::{Palette, space};
use bevy_egui::egui::text::LayoutJob;

/// The result, while the end of the match is shown.
pub fn said(session: &Session, palette: &Palette) -> Option<Said> {
    if session.outcome().is_none() || !session.playback.rests() {
        return None;
    }
    let headline = session.live.headline(&session.state)?;
    let mut words = LayoutJob::default();
    if let Some(won) = session.series.series.as_ref().and_then(|series| series.verdict.as_ref()) {
        add(&mut words, won, space::LARGE, palette.accent);
    }
    if let Some((verdict, optimal)) = verdict(session) {
        let ink = if optimal { palette.good } else { palette.text };
        add(&mut words, &verdict, space::LARGE, ink);
    }
    for first in session.result.firsts() {
        add(&mut words, &first, space::LARGE, palette.text);
    }
    // Beside another match there is little room.
    let beside = session.config.beside.is_some() || session.goes_on_beside;
    if let Some((_, next)) = session.what_next().filter(|_| !beside) {
        add(&mut words, &MatchCommand::GoOn.first_key(), space::LARGE, palette.accent);
        add(&mut words, &next, space::SMALL, palette.faint);
    }
    let medal = reached_and_perfect(session)
        .filter(|_| session.result.counts())
        .and_then(|(reached, perfect)| Medal::of(medals::distance(reached, perfect)));
    Some(Said { medal, headline, words, ..Said::default() })
}
