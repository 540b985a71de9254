//! The table of the league on its own screen.

use super::state::{LeagueState, note, points};
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Align2, RichText, Sense, Stroke, TextStyle, Ui, pos2, vec2};
use egui_phosphor::regular as icon;
use outwit_core::tournament::Estimate;
use outwit_kit::league::Standing;

/// Height of a line and width of the place before it, in points.
const ROW: f32 = 30.0;
const PLACE: f32 = 30.0;
/// Most room for the table, in points.
const WIDTH: f32 = 760.0;
/// The columns after the name, and how wide they are, in points; the last one is the score.
const COLUMNS: [(&str, f32); 6] = [
    ("Played", 64.0),
    ("Won", 52.0),
    ("Drawn", 60.0),
    ("Lost", 52.0),
    ("Points", 64.0),
    ("", 128.0),
];
/// Results that are listed below the table.
const LATEST: usize = 6;

/// Shows the table, and the latest results.
pub fn show(ui: &mut Ui, league: &LeagueState) {
    let table = league.table();
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        widgets::card(ui, |ui| {
            ui.set_width(ui.available_width().min(WIDTH));
            if league.league.results().is_empty() {
                empty(ui);
                return;
            }
            let mut seat = None;
            let mut place = 0;
            for (at, line) in table.iter().enumerate() {
                if at == 0 || line.seat != seat {
                    if at > 0 {
                        ui.add_space(space::LARGE);
                    }
                    let title =
                        line.seat.map_or_else(|| "Standings".into(), |it| league.seat_title(it));
                    heads(ui, &title, format!("Mean {}", league.kind.facts().score.name));
                    (seat, place) = (line.seat, 0);
                }
                place += 1;
                row(ui, league, place, line);
            }
            ui.add_space(space::MEDIUM);
            if let Some(note) = note(&table) {
                widgets::hint(ui, note);
            }
        });
        latest(ui, league);
    });
}

fn empty(ui: &mut Ui) {
    ui.vertical_centered(|ui| {
        ui.add_space(space::PAGE);
        ui.label(RichText::new(icon::TROPHY).size(40.0));
        ui.add_space(space::SMALL);
        ui.label("No matches yet");
        widgets::hint(
            ui,
            "Planners meet on one level after another. Press Start, and watch until you have seen enough.",
        );
        ui.add_space(space::PAGE);
    });
}

/// The width of the names, and where each column ends, from the left.
fn places(width: f32) -> (f32, Vec<f32>) {
    let figures: f32 = COLUMNS.iter().map(|(_, width)| width).sum();
    let name = (width - PLACE - figures).max(60.0);
    let mut end = PLACE + name;
    let ends = COLUMNS.iter().map(|(_, width)| {
        end += width;
        end
    });
    (name, ends.collect())
}

fn heads(ui: &mut Ui, title: &str, score: String) {
    let width = ui.available_width();
    let (rect, _) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let faint = palette(ui).faint.egui();
    let font = TextStyle::Small.resolve(ui.style());
    let strong = text::section().resolve(ui.style());
    let painter = ui.painter();
    let ink = palette(ui).text.egui();
    painter.text(rect.left_center(), Align2::LEFT_CENTER, title, strong, ink);
    for ((head, _), end) in COLUMNS.iter().zip(places(width).1) {
        let words = if head.is_empty() { score.as_str() } else { head };
        let at = pos2(rect.left() + end, rect.center().y);
        painter.text(at, Align2::RIGHT_CENTER, words, font.clone(), faint);
    }
    painter.hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, palette(ui).line.egui()));
}

fn row(ui: &mut Ui, league: &LeagueState, place: usize, line: &Standing) {
    let palette = palette(ui);
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let name = league.title(&line.planner);
    let said = format!("{place}. {name}: {} points of {}", points(line), line.played);
    let kind = egui::WidgetType::Label;
    response.widget_info(|| egui::WidgetInfo::labeled(kind, true, &said));
    let ink = if line.too_few() { palette.faint.egui() } else { palette.text.egui() };
    let body = TextStyle::Body.resolve(ui.style());
    let strong = text::strong().resolve(ui.style());
    let painter = ui.painter();
    let (room, ends) = places(width);
    let at = pos2(rect.left() + 4.0, rect.center().y);
    let number = place.to_string();
    painter.text(at, Align2::LEFT_CENTER, number, body.clone(), palette.faint.egui());
    let favourite = league.league.favourite.as_ref() == Some(&line.planner);
    let star = if favourite { format!("  {}", icon::STAR) } else { String::new() };
    let mut job =
        egui::text::LayoutJob::simple_singleline(format!("{name}{star}"), strong.clone(), ink);
    job.wrap = egui::text::TextWrapping::truncate_at_width(room);
    let galley = painter.layout_job(job);
    let at = pos2(rect.left() + PLACE, rect.center().y - galley.size().y / 2.0);
    painter.galley(at, galley, ink);
    let figures = [line.played, line.won, line.drawn, line.lost].map(|count| count.to_string());
    let cells = figures.into_iter().chain([points(line), score(&line.score)]);
    for (column, (cell, end)) in cells.zip(ends).enumerate() {
        let font = if column == 4 { strong.clone() } else { body.clone() };
        let at = pos2(rect.left() + end, rect.center().y);
        painter.text(at, Align2::RIGHT_CENTER, cell, font, ink);
    }
    painter.hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, palette.line.egui()));
}

/// A mean with half the width of its interval.
fn score(score: &Estimate) -> String {
    if let Some(rough) = score.rough() {
        return format!("about {rough}");
    }
    match (score.mean, score.ci95) {
        (Some(mean), Some(ci95)) => format!("{mean:.1} ± {ci95:.1}"),
        (Some(mean), None) => format!("{mean:.1}"),
        (None, _) => "–".into(),
    }
}

/// The latest results, the last one first.
fn latest(ui: &mut Ui, league: &LeagueState) {
    let played = league.league.results().iter().rev().filter(|it| !it.places.is_empty());
    let mut latest = played.take(LATEST).peekable();
    if latest.peek().is_none() {
        return;
    }
    ui.add_space(space::LARGE);
    widgets::card(ui, |ui| {
        ui.set_width(ui.available_width().min(WIDTH));
        ui.spacing_mut().item_spacing.y = space::SMALL;
        widgets::section(ui, "Latest results");
        for result in latest {
            let best = result.places.iter().map(|place| place.rank).min();
            let shared = result.places.iter().filter(|place| Some(place.rank) == best).count() > 1;
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = space::SMALL;
                let seats = result.fixture.players.iter().zip(&result.places);
                for (seat, (player, place)) in seats.enumerate() {
                    if seat > 0 {
                        widgets::hint(ui, "–");
                    }
                    let won = Some(place.rank) == best && !shared && result.places.len() > 1;
                    let name = RichText::new(league.title(player));
                    ui.label(if won { name.text_style(text::strong()) } else { name });
                    widgets::hint(ui, format!("({})", place.ending));
                }
                widgets::hint(ui, format!("on {}", league.level_name(&result.fixture.level)));
            });
        }
    });
}
