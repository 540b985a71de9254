//! Whether the panel beside the board is shown.

use super::session::Session;
use super::state::Tab;
use crate::app::shell::settings::Settings;
use bevy_egui::egui;

/// Height of a window with no room for a panel beside a match that goes on, in points: a phone that lies.
const LOW: f32 = 440.0;

/// Whether a window is low and wide.
pub fn is_low(window: egui::Vec2) -> bool {
    window.y < LOW && window.x > window.y
}

/// Whether a person may hide it. A lesson, a review and an analysis stand in it.
pub fn may_hide(session: &Session) -> bool {
    session.tab == Tab::Match && session.lesson.is_none()
}

/// Whether it is shown. In a low window it comes at the end, unless it is called before.
pub fn is_shown(session: &Session, settings: &Settings) -> bool {
    let overlays = &session.overlays;
    let wanted = match overlays.is_low {
        true => overlays.panel.unwrap_or(session.outcome().is_some()),
        false => settings.panel,
    };
    wanted || !may_hide(session)
}

/// Hides or shows it: in a low window in this match, in others from now on.
pub fn switch(session: &mut Session, settings: &mut Settings) {
    let shown = is_shown(session, settings);
    match session.overlays.is_low {
        true => session.overlays.panel = Some(!shown),
        false => settings.panel = !shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::match_screen::tests::tic_tac_toe as played;

    #[test]
    fn a_low_window_shows_the_panel_at_the_end_or_when_it_is_called() {
        let mut settings = Settings::default();
        let mut session = played(&["human", "human"], "b2 a3");
        assert!(is_shown(&session, &settings));
        session.overlays.is_low = true;
        assert!(!is_shown(&session, &settings));
        switch(&mut session, &mut settings);
        assert!(is_shown(&session, &settings));
        switch(&mut session, &mut settings);
        assert!(!is_shown(&session, &settings));
        assert!(settings.panel, "what is chosen in a low window holds there alone");
        let mut over = played(&["human", "human"], "b2 a3 b3 a1 b1");
        over.overlays.is_low = true;
        assert!(is_shown(&over, &settings));
    }

    #[test]
    fn a_hidden_panel_stays_hidden_but_for_review_and_analysis() {
        let mut settings = Settings::default();
        let mut session = played(&["human", "human"], "b2 a3");
        switch(&mut session, &mut settings);
        assert!(!is_shown(&session, &settings));
        assert!(!is_shown(&played(&["human", "human"], ""), &settings), "in the next match too");
        session.tab = Tab::Analysis;
        assert!(is_shown(&session, &settings));
    }
}
