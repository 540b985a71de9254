//! How a pursuit ends: a spotlight on where it happened and a banner that says what did.

use super::pieces::STEPS_END;
use crate::app::match_screen::{Canvas, Shown, ease};
use crate::app::shell::fonts;
use crate::app::shell::theme::translucent;
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Color32, FontFamily, FontId, Stroke, StrokeKind, pos2, vec2};
use outwit_cops::rules::{COPS, Cops, CopsEvent, PursuitStatus, THIEF};
use outwit_core::grid::Cell;
use outwit_core::play::Seat;

/// Seconds that the scene takes to appear.
const SECONDS: f32 = 0.45;
/// Width of the banner's silhouette, in points.
const PIECE: f32 = 52.0;
/// Slices of the spotlight's round.
const SLICES: u32 = 72;
/// Free room within the banner, in points.
const INSET: f32 = 18.0;

/// What happened, in words: headline, sentence, the silhouette and its seat.
fn words(shown: &Shown<Cops>, standing: PursuitStatus) -> Option<(String, String, Seat)> {
    let ticks = shown.game().board().rules().ticks;
    let payoff = standing.payoff(ticks)?;
    let human = |seat: Seat| shown.session.humans.contains(&seat);
    let alone = human(THIEF) != human(COPS);
    let (you, yours) = (alone && human(THIEF), alone && human(COPS));
    let headline = match standing {
        PursuitStatus::Caught(t) if you => format!("You were caught on tick {t}"),
        PursuitStatus::Caught(t) if yours => format!("You caught the thief on tick {t}"),
        PursuitStatus::Caught(t) => format!("Caught on tick {t}"),
        PursuitStatus::Escaped(t) if you => format!("You escaped on tick {t}"),
        PursuitStatus::Escaped(t) => format!("Escaped on tick {t}"),
        PursuitStatus::Survived if you => "You survived".to_owned(),
        PursuitStatus::Survived => "Survived".to_owned(),
        PursuitStatus::Running => return None,
    };
    let (thief, cops) = (shown.session.name(THIEF), shown.session.name(COPS));
    let sentence = if you {
        format!("You earn {payoff:.0} against {cops}.")
    } else if yours {
        format!("You pay {payoff:.0} to {thief}.")
    } else {
        format!("{thief} earns {payoff:.0} against {cops}.")
    };
    let winner = if matches!(standing, PursuitStatus::Caught(_)) { COPS } else { THIEF };
    Some((headline, sentence, winner))
}

/// Two rings in the colour of the cops that grow round a caught thief.
fn rings(canvas: &Canvas, at: Cell, share: f32) {
    let (centre, scale) = (canvas.at(at), canvas.scale().max(12.0));
    let colour = canvas.palette.line(COPS);
    for (begin, reach) in [(0.0, 1.2), (0.25, 0.85)] {
        let part = ((share - begin) / (1.0 - begin)).clamp(0.0, 1.0);
        if part == 0.0 {
            continue;
        }
        // Fast at first, as after a blow.
        let radius = scale * reach * (1.0 - (1.0 - part).powi(2));
        for (width, colour) in [(6.0, canvas.palette.casing), (3.0, colour)] {
            canvas.painter.circle_stroke(centre, radius, Stroke::new(width, colour.egui()));
        }
    }
}

/// Paints a capture while its turn moves: when the cop has arrived.
pub fn paint_capture(canvas: &Canvas, shown: &Shown<Cops>) {
    let (Some(animation), Some(turn)) = (shown.animation(), shown.turn()) else { return };
    // Without motion the rings are there at the end.
    let moves = canvas.painter.ctx().global_style().animation_time > 0.0;
    for event in turn.events.iter().filter(|_| moves) {
        if let CopsEvent::Captured { at, .. } = event {
            rings(canvas, *at, (animation.time - STEPS_END) / (1.0 - STEPS_END));
        }
    }
}

/// Paints the ending once the last turn is shown.
pub fn paint(canvas: &Canvas, shown: &Shown<Cops>) {
    let ctx = canvas.painter.ctx().clone();
    let over = shown.is_at_end();
    let seconds = if ctx.global_style().animation_time > 0.0 { SECONDS } else { 0.0 };
    let id = egui::Id::new("ending of the pursuit");
    let grown = ctx.animate_bool_with_time(id, over, if over { seconds } else { 0.0 });
    let Some((headline, sentence, winner)) = words(shown, shown.state().standing) else {
        return;
    };
    if !over {
        return;
    }
    let eased = ease(grown);
    let position = &shown.state().position;
    spotlight(canvas, position.thief, eased, shown.state().standing);
    if matches!(shown.state().standing, PursuitStatus::Caught(_)) {
        rings(canvas, position.thief, 1.0);
    }
    banner(canvas, position.thief, eased, (&headline, &sentence), winner);
}

/// Dims all but the place where it happened.
fn spotlight(canvas: &Canvas, at: Cell, eased: f32, standing: PursuitStatus) {
    let (centre, scale) = (canvas.at(at), canvas.scale().max(12.0));
    let radius = scale * (1.3 + 3.0 * (1.0 - eased));
    let dim = canvas.palette.board.egui_alpha(0.55 * eased);
    let far = canvas.view.area.size().length() * 1.2;
    let mut shade = egui::Mesh::default();
    for slice in 0..=SLICES {
        let angle = slice as f32 / SLICES as f32 * std::f32::consts::TAU;
        let out = egui::Vec2::angled(angle);
        shade.colored_vertex(centre + out * radius, dim);
        shade.colored_vertex(centre + out * far, dim);
    }
    for slice in 0..SLICES {
        let i = 2 * slice;
        shade.add_triangle(i, i + 1, i + 2);
        shade.add_triangle(i + 1, i + 2, i + 3);
    }
    canvas.painter.add(shade);
    // A capture has rings of its own.
    if !matches!(standing, PursuitStatus::Caught(_)) {
        let good = canvas.palette.good.egui_alpha(eased);
        canvas.painter.circle_stroke(centre, radius, Stroke::new(3.0, good));
    }
}

/// The words on a card, away from the place where it happened.
fn banner(canvas: &Canvas, at: Cell, eased: f32, (headline, sentence): (&str, &str), winner: Seat) {
    let palette = &canvas.palette;
    let faded = |colour: Color32| translucent(colour, eased);
    let area = canvas.view.area;
    let semi_bold = FontFamily::Name(fonts::SEMI_BOLD.into());
    let room = (area.width() - 2.0 * INSET - PIECE - 64.0).max(120.0);
    let lay = |words: &str, font: FontId, colour: Color32| {
        canvas.painter.layout(words.to_owned(), font, faded(colour), room)
    };
    let head = lay(headline, FontId::new(28.0, semi_bold), palette.text.egui());
    let below = lay(sentence, FontId::proportional(16.0), palette.faint.egui());
    let text = vec2(head.size().x.max(below.size().x), head.size().y + 4.0 + below.size().y);
    let size = vec2(PIECE + INSET + text.x, text.y.max(PIECE)) + vec2(2.0 * INSET, 2.0 * INSET);
    // In the half of the board that the ending left free.
    let up = canvas.at(at).y > area.center().y;
    let y = area.center().y + area.height() * if up { -0.24 } else { 0.24 };
    let slide = (1.0 - eased) * if up { -24.0 } else { 24.0 };
    let rect = egui::Rect::from_center_size(pos2(area.center().x, y + slide), size);
    let colour = palette.side(winner);
    canvas.painter.rect(
        rect,
        widgets::CORNER,
        faded(palette.panel.egui()),
        Stroke::new(2.0, faded(colour.egui())),
        StrokeKind::Inside,
    );
    let left = rect.left() + INSET;
    let centre = pos2(left + PIECE / 2.0, rect.center().y);
    let piece = if winner == THIEF { "thief" } else { "cop" };
    if let Some(piece) = canvas.pieces.get(piece) {
        piece.paint(&canvas.painter, centre, PIECE, colour, eased);
    }
    let corner = pos2(left + PIECE + INSET, rect.center().y - text.y / 2.0);
    let below_at = corner + vec2(0.0, head.size().y + 4.0);
    canvas.painter.galley(corner, head, palette.text.egui());
    canvas.painter.galley(below_at, below, palette.faint.egui());
}
