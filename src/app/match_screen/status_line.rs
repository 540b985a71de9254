//! The line above the board: what the match is doing, what to do, and what is pointed at.

use super::session::{MatchStatus, Session, StatusKind};
use crate::app::shell::screen_reader;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui_phosphor::regular as icon;

/// Height of the status line, in points: two lines of small text, or three where the window is narrow.
pub const HEIGHTS: [f32; 2] = [34.0, 50.0];

/// Above the board: what the match is doing, what to do, and what is pointed at. None of it hides another.
pub fn show(
    root: &mut egui::Ui,
    line: egui::Rect,
    (session, status): (&Session, &MatchStatus),
    [prompt, pointed]: [&str; 2],
) {
    let mut ui = root.new_child(
        egui::UiBuilder::new()
            .max_rect(line)
            .layout(egui::Layout::left_to_right(egui::Align::Center)),
    );
    ui.set_clip_rect(line);
    state(&mut ui, status);
    if let Some(left) = session.time_left() {
        ui.label(egui::RichText::new(widgets::clock_words(left)).text_style(text::strong()));
    }
    ui.add_space(space::SMALL);
    let todo = [status.note.as_str(), prompt].map(str::trim).join(" ");
    let rows = if line.height() > HEIGHTS[0] { 3 } else { 2 };
    // What is pointed at has the last row; what to do, the others.
    let todo_rows = if pointed.is_empty() { rows } else { rows - 1 };
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.spacing_mut().interact_size.y = 0.0;
        let todo = cut(ui, todo.trim(), todo_rows);
        let left = rows - todo.as_ref().map_or(0, |todo| todo.rows.len());
        let pointed = cut(ui, pointed, left.max(1));
        let both = [todo, pointed].into_iter().flatten();
        let both: Vec<_> = both.collect();
        let height: f32 = both.iter().map(|galley| galley.size().y).sum();
        ui.add_space(((line.height() - height) / 2.0).max(0.0));
        for galley in both {
            let elided = galley.elided;
            let words = galley.text().to_owned();
            let label = ui.label(galley);
            if elided {
                label.on_hover_text(words);
            }
        }
    });
}

/// Words in small text, cut off after so many rows; nothing if there are none.
fn cut(ui: &egui::Ui, words: &str, rows: usize) -> Option<std::sync::Arc<egui::Galley>> {
    if words.is_empty() {
        return None;
    }
    let font = egui::TextStyle::Small.resolve(ui.style());
    let ink = palette(ui).text.egui();
    let width = ui.available_width();
    let mut job = egui::text::LayoutJob::simple(words.to_owned(), font, ink, width);
    job.wrap.max_rows = rows;
    Some(ui.painter().layout_job(job))
}

/// The state of the match as a sign: filled where it waits for somebody.
fn state(ui: &mut egui::Ui, status: &MatchStatus) {
    let palette = palette(ui);
    let (icon, fill) = match status.kind {
        StatusKind::YourTurn => (icon::HAND_POINTING, Some(palette.accent)),
        StatusKind::Paused => (icon::PAUSE, Some(palette.warn)),
        StatusKind::LookingBack => (icon::CLOCK_COUNTER_CLOCKWISE, Some(palette.faint)),
        StatusKind::Other => ("", None),
    };
    let ink = fill.map_or(palette.accent, |_| palette.on_accent).egui();
    let words = [icon, &status.words].join(" ");
    let font = text::strong().resolve(ui.style());
    let galley = ui.painter().layout_no_wrap(words.trim().to_owned(), font, ink);
    let margin = if fill.is_some() { egui::vec2(16.0, 6.0) } else { egui::Vec2::ZERO };
    let (rect, response) = ui.allocate_exact_size(galley.size() + margin, egui::Sense::hover());
    let kind = egui::WidgetType::Label;
    response.widget_info(|| egui::WidgetInfo::labeled(kind, true, &status.words));
    screen_reader::describe(&response, |node| node.set_live(egui::accesskit::Live::Polite));
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect, widgets::CORNER, fill.egui());
    }
    ui.painter().galley(rect.min + margin / 2.0, galley, ink);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::requests::MatchConfig;
    use crate::app::shell::settings::Motion;
    use crate::app::shell::{fonts, theme};
    use outwit_mnk::Mnk;
    use outwit_ui_test::Harness;
    use outwit_ui_test::kittest::Queryable;

    #[test]
    fn what_is_pointed_at_hides_no_prompt() {
        const POINTED: &str = "Click to place X at c3.";
        let config = MatchConfig::on_level("mnk/5x5x4", &["human", "classic"]);
        let mut session = Session::new::<Mnk>(config, true).unwrap();
        let prompt = session.live.prompt(&session.state);
        assert!(!prompt.is_empty());
        for (width, height) in [(900.0, HEIGHTS[0]), (330.0, HEIGHTS[1])] {
            let mut dressed = false;
            let mut window =
                Harness::builder().with_size(egui::vec2(width, 200.0)).build_ui(|ui| {
                    if !std::mem::replace(&mut dressed, true) {
                        ui.ctx().set_fonts(fonts::definitions(None));
                        ui.ctx().set_global_style(theme::style(&theme::DARK, Motion::Off));
                        return;
                    }
                    let line =
                        egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height));
                    show(ui, line, (&session, &session.status()), [&prompt, POINTED]);
                });
            window.run_steps(3);
            let words = [window.get_by_label("Your turn"), window.get_by_label(&prompt)];
            let pointed = window.get_by_label(POINTED).rect();
            for node in words.iter().map(|node| node.rect()).chain([pointed]) {
                assert!(node.bottom() <= height + 1.0 && node.right() <= width + 1.0, "{node}");
            }
            assert!(words[1].rect().bottom() <= pointed.top() + 1.0);
        }
    }
}
