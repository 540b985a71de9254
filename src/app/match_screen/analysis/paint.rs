//! The planner's picture and its line over the board.

use super::{events, line};
use crate::app::match_screen::analysis::Analysed;
use crate::app::match_screen::canvas::Canvas;
use crate::app::match_screen::figures::grouped_figure;
use crate::app::match_screen::state::Tab;
use outwit_core::play::{Insight, Tone};

/// Draws the shown snapshot, and notes what the pointer is at.
pub fn paint(canvas: &mut Canvas, session: &mut Analysed) {
    if session.tab != Tab::Analysis {
        return;
    }
    session.analysis.pointed = canvas.hovered();
    let words = match &session.analysis.events {
        Some(events) if events.is_asking() => Some("Click the node that is expanded next."),
        // Between two questions a click does nothing.
        Some(events) if events.quiz.is_some() => None,
        Some(_) => Some("Click a cell to stop at what happens there."),
        None => Some("To play on, go back to the match with T."),
    };
    canvas.tooltip = words.map(str::to_owned);
    let (Some(run), Some(step)) = (session.analysis.run(), session.analysis.step()) else { return };
    // The picture of one position says nothing of another.
    if run.request.turn != session.playback.view {
        return;
    }
    let seat = run.request.seat;
    let side = canvas.palette.line(seat);
    if session.analysis.events.as_ref().is_some_and(|events| events::paint(canvas, events, seat)) {
        return;
    }
    let insight = step.step.insight.as_ref();
    let view = session.analysis.walkthrough;
    let walkthrough =
        view.and_then(|view| insight.walkthroughs.get(view.index)?.steps.get(view.step));
    if let Some(shown) = walkthrough {
        let paths = shown.paths.clone();
        let marks = shown.marks.clone();
        let (used, unused): (Vec<_>, Vec<_>) =
            paths.into_iter().partition(|path| matches!(path.tone, Tone::Wanted | Tone::Partner));
        for path in used {
            let own = path.tone == Tone::Wanted;
            line::way(canvas, &path.cells, if own { side } else { canvas.palette.partner() });
        }
        let paths = unused;
        canvas.insight(&Insight { paths, marks, ..Insight::default() }, side);
        return;
    }
    let heat = insight.heats.get(session.analysis.heat).or(insight.heats.first());
    if let Some(heat) = heat {
        canvas.heat(heat);
        let pointed = session.analysis.pointed.and_then(|cell| heat.at(cell));
        if let Some(value) = pointed {
            canvas.tooltip = Some(format!("{}: {}", heat.label, grouped_figure(value.into())));
        }
    }
    canvas.insight(insight, side);
    line::paint(canvas, &step.line, side);
    let candidate = session.analysis.candidate.and_then(|index| insight.candidates.get(index));
    if let Some(candidate) = candidate {
        line::way(canvas, &candidate.cells, canvas.palette.warn);
    }
}
