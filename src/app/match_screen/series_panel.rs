//! The series of a match, such as a league, in the side panel: what comes next, and the table.

use super::command_table::{MatchCommand, labelled};
use super::layout::PanelContext;
use super::session::Session;
use crate::app::requests::{Modal, Series, SeriesLine};
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy::prelude::InMut;
use bevy_egui::egui::{self, Align2, RichText, Sense, TextStyle, Ui, pos2, vec2};
use egui_phosphor::regular as icon;

/// Height of a line of the table, and width of a column, in points.
const ROW: f32 = 22.0;
const COLUMN: f32 = 30.0;
/// Room for the arrow that says who has moved, in points.
const ARROW: f32 = 16.0;

/// The series while the match runs.
pub(super) fn section(InMut(ui): InMut<Ui>, mut context: PanelContext) {
    if !context.is_full() || context.session.outcome().is_some() {
        return;
    }
    let PanelContext { session, given, .. } = &mut context;
    if let Some(series) = &session.series.series {
        show(ui, session, series, &mut given.commands);
    }
}

/// What comes after the end of the match: the next one with the time until then, or how the series ended.
pub fn ending(ui: &mut Ui, session: &Session, series: &Series, commands: &mut Vec<MatchCommand>) {
    if let Some(verdict) = &series.verdict {
        ui.label(RichText::new(verdict).text_style(text::strong()));
        super::panel::main_button(ui, session, commands);
        // Another race would count for nothing.
        if !series.is_played {
            ui.horizontal_wrapped(|ui| super::panel::again(ui, session, commands));
        }
        show(ui, session, series, commands);
        return;
    }
    if !series.next.is_empty() {
        ui.add_space(space::SMALL);
        let words = match session.time_to_next(Modal::None) {
            _ if series.is_played => "Next".into(),
            Some(left) => format!("Next match in {:.0} s", left.max(0.0).ceil()),
            None => "Next match".into(),
        };
        widgets::hint(ui, words);
        ui.add(egui::Label::new(&series.next).wrap());
        ui.add_space(space::SMALL);
        let (words, tip) = match series.is_played {
            true => ("Next race", "Begin the next race"),
            false => ("Next match now", "Do not wait"),
        };
        let now = widgets::primary_button(ui, words);
        if let Some(entry) = MatchCommand::NextMatch.entry()
            && entry.explain(now, tip).clicked()
        {
            commands.push(MatchCommand::NextMatch);
        }
    }
    ui.horizontal_wrapped(|ui| {
        if !series.is_played {
            MatchCommand::LastPlan.button(ui, session, labelled, commands);
        }
        let tip = "Stop after this match";
        MatchCommand::Leave.button_saying(
            ui,
            session,
            |_: &_| egui::Button::new("Stop"),
            tip,
            commands,
        );
    });
    show(ui, session, series, commands);
}

/// The table of the series, and what can be asked of it during the match.
pub fn show(ui: &mut Ui, session: &Session, series: &Series, commands: &mut Vec<MatchCommand>) {
    ui.add_space(space::MEDIUM);
    ui.horizontal(|ui| {
        widgets::section(ui, series.title);
        widgets::hint(ui, &series.about);
    });
    table(ui, series);
    if !series.note.is_empty() {
        widgets::hint(ui, &series.note);
    }
    if session.outcome().is_none() && series.can_skip {
        let tip = "Go to the next match";
        MatchCommand::NextMatch.button_saying(
            ui,
            session,
            |_: &_| egui::Button::new("Skip this match"),
            tip,
            commands,
        );
    }
}

fn table(ui: &mut Ui, series: &Series) {
    let faint = palette(ui).faint.egui();
    let small = TextStyle::Small.resolve(ui.style());
    let width = ui.available_width();
    let columns = series.columns.len() as f32;
    ui.spacing_mut().item_spacing.y = 0.0;
    let heads = |ui: &mut Ui, title: &str| {
        let (rect, _) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
        let at = rect.left_center();
        ui.painter().text(at, Align2::LEFT_CENTER, title, small.clone(), faint);
        for (column, head) in series.columns.iter().enumerate() {
            let x = rect.right() - COLUMN * (columns - 1.0 - column as f32);
            let at = pos2(x, rect.center().y);
            ui.painter().text(at, Align2::RIGHT_CENTER, head, small.clone(), faint);
        }
    };
    let has_heading = series.lines.first().is_some_and(|line| line.heading.is_some());
    if !has_heading {
        heads(ui, "");
    }
    for line in &series.lines {
        if let Some(heading) = &line.heading {
            heads(ui, heading);
        }
        self::line(ui, line, vec2(width, ROW), columns);
    }
    ui.add_space(space::SMALL);
    ui.spacing_mut().item_spacing.y = space::MEDIUM;
}

fn line(ui: &mut Ui, line: &SeriesLine, size: egui::Vec2, columns: f32) {
    let palette = palette(ui);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let said = format!("{}: {}", line.name, line.cells.join(", "));
    let kind = egui::WidgetType::Label;
    response.widget_info(|| egui::WidgetInfo::labeled(kind, true, &said));
    if line.plays {
        ui.painter().rect_filled(rect.expand2(vec2(4.0, 0.0)), 4, palette.raised.egui());
    }
    let (mark, colour) = match line.moved {
        0 => ("", palette.faint),
        1.. => (icon::CARET_UP, palette.good),
        _ => (icon::CARET_DOWN, palette.bad),
    };
    let small = TextStyle::Small.resolve(ui.style());
    let painter = ui.painter();
    painter.text(rect.left_center(), Align2::LEFT_CENTER, mark, small, colour.egui());
    let body = TextStyle::Body.resolve(ui.style());
    let strong = text::strong().resolve(ui.style());
    let ink = if line.few { palette.faint.egui() } else { palette.text.egui() };
    let star = if line.favourite { format!("  {}", icon::STAR) } else { String::new() };
    let room = (rect.width() - ARROW - columns * COLUMN).max(20.0);
    let font = if line.plays { strong } else { body.clone() };
    let mut job =
        egui::text::LayoutJob::simple_singleline(format!("{}{star}", line.name), font, ink);
    job.wrap = egui::text::TextWrapping::truncate_at_width(room);
    let name = painter.layout_job(job);
    let at = pos2(rect.left() + ARROW, rect.center().y - name.size().y / 2.0);
    painter.galley(at, name, ink);
    for (column, cell) in line.cells.iter().enumerate() {
        let x = rect.right() - COLUMN * (columns - 1.0 - column as f32);
        let at = pos2(x, rect.center().y);
        painter.text(at, Align2::RIGHT_CENTER, cell, body.clone(), ink);
    }
}
