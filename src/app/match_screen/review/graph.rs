//! What the reviewed seat had lost after each turn, above the timeline: where no commentary says how things stand.

use crate::app::match_screen::canvas::Visuals;
use crate::app::match_screen::commentary::GRAPH_HEIGHT;
use crate::app::match_screen::figures::counted;
use crate::app::match_screen::session::Session;
use crate::app::match_screen::state::Tab;
use crate::app::match_screen::turn_axis::{TurnAxis, point_at, pointed};
use bevy_egui::egui::{self, Rect, Sense, Stroke, Ui, pos2};
use outwit_core::levels::capitalised;
use outwit_core::play::MoveReview;

/// What was lost up to each mistake, in the order of the turns; `None` from where everything was lost.
fn losses(moves: &[MoveReview]) -> Vec<(usize, Option<f64>)> {
    let mut lost = Some(0.0);
    let mistakes = moves.iter().filter(|made| made.is_mistake());
    mistakes
        .map(|made| {
            lost = lost.zip(made.cost).map(|(lost, cost)| lost + cost);
            (made.turn, lost)
        })
        .collect()
}

/// Draws what was lost by turn, the mistakes marked, once the match is reviewed. A click jumps there. In the review it
/// has its room from the start, so that nothing moves once the review is there.
pub fn show(ui: &mut Ui, session: &mut Session, look: &Visuals) {
    let turns = session.live.turns();
    let shown = session.playback.view;
    // A match of a single move has no course.
    if session.tab != Tab::Review || turns < 2 {
        return;
    }
    let size = egui::vec2(ui.available_width(), GRAPH_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let inner = rect.shrink2(egui::vec2(8.0, 3.0));
    let painter = ui.painter();
    painter.rect_filled(inner, 3.0, look.palette.raised.egui());
    let review = session.review.task.as_ref().and_then(|task| task.get()?.as_ref());
    let (Some(review), Some(seat)) = (review, session.review.moves()) else { return };
    let losses = losses(&seat.moves);
    let axis = TurnAxis { inner, turns };
    let x = |turn: usize| axis.x(turn as f32);
    let most = losses.iter().filter_map(|(_, lost)| *lost).fold(0.0, f64::max);
    // Room above what can be counted for having lost everything.
    let most = if losses.iter().any(|(_, lost)| lost.is_none()) { 1.25 * most } else { most };
    let height = |lost: Option<f64>| match lost {
        Some(lost) => inner.height() * (lost / most.max(1e-9)) as f32,
        None => inner.height(),
    };
    let ends = losses.iter().skip(1).map(|(turn, _)| x(turn + 1)).chain([inner.right()]);
    for (&(turn, lost), end) in losses.iter().zip(ends) {
        let low = pos2(x(turn + 1), inner.bottom() - height(lost));
        let band = Rect::from_min_max(low, pos2(end, inner.bottom()));
        painter.rect_filled(band, 0.0, look.palette.bad.egui_alpha(0.75));
        axis.notch(painter, turn + 1, look.palette.warn);
    }
    painter.vline(x(shown), inner.y_range(), Stroke::new(2.0, look.palette.text.egui()));
    let Some(at) = pointed(&response) else { return };
    let turn = axis.turn(at);
    let so_far = losses.iter().take_while(|(made, _)| *made < turn).last();
    let lost = match so_far {
        None => "nothing lost so far".into(),
        Some((_, Some(lost))) => format!("{} lost so far", counted(*lost, review.unit)),
        Some((_, None)) => "nothing left to win".into(),
    };
    let words = format!("{}: {lost}", capitalised(&session.moment(turn)));
    point_at(response, session, turn, words);
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_core::grid::Cell;

    #[test]
    fn losses_add_up_until_everything_is_lost() {
        let made = |turn, cost| MoveReview {
            turn,
            cell: Cell::default(),
            before: None,
            after: None,
            cost,
            margin: None,
            note: String::new(),
            made: None,
            better: None,
        };
        let moves = [
            made(0, Some(0.0)),
            made(2, Some(1.5)),
            made(4, Some(2.0)),
            made(6, None),
            made(8, Some(1.0)),
        ];
        let expected = [(2, Some(1.5)), (4, Some(3.5)), (6, None), (8, None)];
        assert_eq!(losses(&moves), expected);
    }
}
