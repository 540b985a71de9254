//! How things stood after each turn, above the timeline.

use super::Told;
use crate::app::match_screen::canvas::Visuals;
use crate::app::match_screen::session::Session;
use crate::app::match_screen::turn_axis::{TurnAxis, point_at, pointed};
use bevy_egui::egui::{self, Color32, Rect, Sense, Stroke, Ui, pos2};
use outwit_core::levels::capitalised;
use outwit_core::play::Seat;

/// Height of the graph, in points.
pub const HEIGHT: f32 = 34.0;

/// Draws the shares of all seats by turn, as far as they are known and may be told, with the turning points. A click
/// jumps there. It has its room from the start, so that nothing moves once shares are known.
pub fn show(ui: &mut Ui, session: &mut Session, look: &Visuals) {
    let turns = session.live.turns();
    let shown = session.playback.view;
    let until = session.told_turns();
    let Some(told) = session.live.commentary() else { return };
    let (rect, response) =
        ui.allocate_exact_size(egui::vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
    let inner = rect.shrink2(egui::vec2(8.0, 3.0));
    let palette = &look.palette;
    let axis = TurnAxis { inner, turns };
    let painter = ui.painter();
    painter.rect_filled(inner, 3.0, palette.raised.egui());
    areas(painter, &axis, told, until, |seat| {
        palette.side(session.pieces_of(seat)).egui_alpha(0.85)
    });
    let middle = inner.center().y;
    painter.hline(inner.x_range(), middle, Stroke::new(1.0, palette.panel.egui_alpha(0.7)));
    for swing in told.swings.iter().filter(|swing| swing.turn <= until) {
        axis.notch(painter, swing.turn, palette.warn);
    }
    painter.vline(axis.x(shown as f32), inner.y_range(), Stroke::new(2.0, palette.text.egui()));
    let Some(at) = pointed(&response) else { return };
    let turn = axis.turn(at);
    let moment = capitalised(&session.moment(turn));
    let words = match told.outlook(turn).filter(|_| turn <= until) {
        Some((_, outlook)) => {
            let shares = outlook.shares.iter().zip(0_u8..);
            let shares: Vec<String> = shares
                .map(|(share, seat)| format!("{} {:.0} %", session.name(Seat(seat)), 100.0 * share))
                .collect();
            format!("{moment}: {}", shares.join(", "))
        }
        None => moment,
    };
    point_at(response, session, turn, words);
}

/// One band for each seat, the first at the bottom; each outlook holds until the next.
fn areas(
    painter: &egui::Painter,
    axis: &TurnAxis,
    told: &Told,
    until: usize,
    colour: impl Fn(Seat) -> Color32,
) {
    let inner = axis.inner;
    let x = |turn: usize| axis.x(turn as f32);
    let known: Vec<_> = told.outlooks.range(..=until).collect();
    for (index, (turn, outlook)) in known.iter().enumerate() {
        let from = x(**turn);
        let to = known.get(index + 1).map_or_else(|| x(until), |(next, _)| x(**next));
        let mut bottom = inner.bottom();
        for (share, seat) in outlook.shares.iter().zip(0_u8..) {
            let top = bottom - inner.height() * (*share as f32).clamp(0.0, 1.0);
            let band = Rect::from_min_max(pos2(from, top.max(inner.top())), pos2(to, bottom));
            painter.rect_filled(band, 0.0, colour(Seat(seat)));
            bottom = top;
        }
    }
}
