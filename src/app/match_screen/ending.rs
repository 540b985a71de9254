//! How a match ended, how good that is, and what comes next.

use super::canvas::Canvas;
use super::command_table::MatchCommand;
use super::piece::ease;
use super::review::{reached_and_perfect, verdict};
use super::session::Session;
use super::strip::{Said, Won, add};
use crate::app::shell::medals::{self, Medal};
use crate::app::shell::theme::{self, Palette, Rgb, space};
use bevy_egui::egui::text::LayoutJob;
use bevy_egui::egui::{self, Color32, Id, Mesh, Painter};
use outwit_core::play::Seat;
use outwit_kit::Swing;

/// The result, while the end of the match is shown.
pub fn said(painter: &Painter, session: &Session, palette: &Palette, width: f32) -> Option<Said> {
    let winner = winner(session);
    let landed = shown_for(painter, session, "sign", winner.is_some(), LANDING);
    if session.outcome().is_none() || !session.playback.rests() {
        return None;
    }
    let headline = session.live.headline(&session.state)?;
    let all = words(session, palette, true);
    // What is new stands in the panel too; how to go on does not.
    let words = match painter.layout_job(all.clone()).size().x <= width {
        true => all,
        false => words(session, palette, false),
    };
    let medal = reached_and_perfect(session)
        .filter(|_| session.result.counts())
        .and_then(|(reached, perfect)| Medal::of(medals::distance(reached, perfect)));
    let won = winner.map(|seat| Won { medal, colour: palette.side(seat), landed: ease(landed) });
    Some(Said { won, headline, words, ..Said::default() })
}

/// How good the result is and what comes next, with what it is the first of if that is to be told.
fn words(session: &Session, palette: &Palette, tells_firsts: bool) -> LayoutJob {
    let mut words = LayoutJob::default();
    if let Some(won) = session.series.series.as_ref().and_then(|series| series.verdict.as_ref()) {
        add(&mut words, won, space::LARGE, palette.accent);
    }
    if let Some((verdict, optimal)) = verdict(session) {
        let ink = if optimal { palette.good } else { palette.text };
        add(&mut words, &verdict, space::LARGE, ink);
    }
    for first in session.result.firsts().into_iter().filter(|_| tells_firsts) {
        add(&mut words, &first, space::LARGE, palette.text);
    }
    if let Some(fall) = deciding_fall(session) {
        add(&mut words, &fall, space::LARGE, palette.text);
    }
    // Beside another match there is little room.
    let beside = session.config.beside.is_some() || session.goes_on_beside;
    if let Some((_, next)) = session.what_next().filter(|_| !beside) {
        add(&mut words, &MatchCommand::GoOn.first_key(), space::LARGE, palette.accent);
        add(&mut words, &next, space::SMALL, palette.faint);
    }
    words
}

/// Seconds in which the sign of a win comes to its place, and in which light passes over the board.
const LANDING: f32 = 0.45;
const LIGHT: f32 = 0.6;
/// Its colour in its middle: that of a low sun, on all boards.
const GLOW: Rgb = Rgb(255, 226, 150);
/// How strong the light is at its brightest.
const BRIGHT: f32 = 0.42;
/// Slices of the light's round.
const SLICES: u32 = 48;

/// The person who won, while the end is shown: the best of several, or who reached the aim alone.
fn winner(session: &Session) -> Option<Seat> {
    if session.is_replay() {
        return None;
    }
    let places = session.outcome()?.places;
    let has_won = |seat: &&Seat| {
        let own = places.get(seat.index());
        let beaten = places.iter().any(|place| place.rank > 1);
        own.is_some_and(|own| own.rank == 1 && own.score.is_some()) && (places.len() == 1 || beaten)
    };
    session.humans.iter().find(has_won).copied()
}

/// How far something of the end has gone that takes so many seconds, from 0 to 1; at once where nothing is to move.
fn shown_for(
    painter: &Painter,
    session: &Session,
    what: &str,
    is_shown: bool,
    seconds: f32,
) -> f32 {
    let ctx = painter.ctx();
    let id = Id::new(("ending", what, session.config.seed, &session.config.level.id));
    ctx.animate_bool_with_time(
        id,
        is_shown,
        if is_shown && theme::moves(ctx) { seconds } else { 0.0 },
    )
}

/// Light that passes over the board, from where it was won, once the end of a won match is shown.
pub fn paint(canvas: &Canvas, session: &Session) {
    let is_won = winner(session).is_some() && session.playback.rests();
    let passed = shown_for(&canvas.painter, session, "light", is_won, LIGHT);
    if !is_won || passed >= 1.0 {
        return;
    }
    let area = canvas.view.area;
    let turns = session.live.turns();
    let centre = session
        .live
        .focus(turns)
        .map_or(area.center(), |(low, high)| canvas.point((low + high) / 2.0));
    let radius = area.size().length() * (0.2 + 0.8 * ease(passed));
    let strength = BRIGHT * (std::f32::consts::PI * passed).sin();
    let mut light = Mesh::default();
    light.colored_vertex(centre, GLOW.egui_alpha(strength));
    for slice in 0..=SLICES {
        let angle = slice as f32 / SLICES as f32 * std::f32::consts::TAU;
        light.colored_vertex(centre + egui::Vec2::angled(angle) * radius, Color32::TRANSPARENT);
    }
    for slice in 1..=SLICES {
        light.add_triangle(0, slice, slice + 1);
    }
    canvas.painter.add(light);
}

/// Of a lost match, the turn with which most was lost, as soon as it is known.
fn deciding_fall(session: &Session) -> Option<String> {
    let [seat] = session.humans.as_slice() else { return None };
    let outcome = session.outcome()?;
    let has_lost = outcome.places.get(seat.index()).is_some_and(|own| own.rank > 1);
    let fall = |swing: &&Swing| swing.to - swing.from;
    let told = session.live.commentary().filter(|_| has_lost)?;
    let against = told.swings.iter().filter(|swing| swing.seat != *seat);
    let swing = against.max_by(|a, b| fall(a).total_cmp(&fall(b)))?;
    Some(format!("Most was lost at {}", session.moment(swing.turn)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::match_screen::tests::tic_tac_toe as played;

    #[test]
    fn only_a_person_who_won_has_a_wreath() {
        let column = "b2 a3 b3 a1 b1";
        let people = ["human", "human"];
        assert_eq!(winner(&played(&people, column)), Some(Seat(0)));
        assert_eq!(winner(&played(&["human", "best"], column)), Some(Seat(0)));
        assert_eq!(winner(&played(&["best", "human"], column)), None, "who lost");
        assert_eq!(winner(&played(&["best", "best"], column)), None, "nobody played");
        assert_eq!(winner(&played(&people, "b2 a3 b3 a1")), None, "it goes on");
        let draw = "b2 a1 a2 c2 b3 b1 c1 a3 c3";
        assert!(played(&people, draw).outcome().is_some());
        assert_eq!(winner(&played(&people, draw)), None, "a draw");
        let mut looked_back = played(&people, column);
        looked_back.jump(2);
        assert_eq!(winner(&looked_back), None, "another turn is shown");
    }

    #[test]
    fn the_loser_is_told_where_most_was_lost_as_soon_as_it_is_known() {
        let mut session = played(&["best", "human"], "b2 a2 a3 c1 c3 b3 a1");
        assert_eq!(session.outcome().unwrap().places[1].rank, 2);
        while session.live.follow_commentary() {
            std::thread::yield_now();
        }
        // The first reply is the mistake: only a corner holds the draw.
        assert_eq!(deciding_fall(&session).as_deref(), Some("Most was lost at move 2"));
        session.jump(3);
        assert_eq!(deciding_fall(&session), None);
    }
}
