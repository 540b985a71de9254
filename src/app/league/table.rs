//! The table of the league on the screen.

use super::state::LeagueScreen;
use crate::app::shell::seats::seat_title;
use crate::app::shell::theme::{palette, text};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{RichText, Ui};
use egui_phosphor::regular as icon;
use outwit_core::levels::capitalised;
use std::cmp::Ordering;

/// Shows the table; who has moved since the last match is marked.
pub fn show(ui: &mut Ui, screen: &LeagueScreen) {
    let table = screen.table();
    let score = screen.kind.score();
    let seats = &screen.roster.seats;
    // Where everybody can sit anywhere, seats say nothing.
    let differ = seats.windows(2).any(|pair| pair[0].1 != pair[1].1);
    let mean = format!("Mean {}", score.name);
    let mut heads = vec!["", "", "Planner"];
    if differ {
        heads.push("Seat");
    }
    heads.extend(["Played", "Won", "Drawn", "Lost", "Points", "Per match", &mean, ""]);
    let colours = palette(ui);
    egui::Grid::new("league").num_columns(heads.len()).striped(true).spacing([18.0, 8.0]).show(
        ui,
        |ui| {
            for head in heads {
                widgets::hint(ui, head);
            }
            ui.end_row();
            for (at, line) in table.iter().enumerate() {
                ui.label(format!("{}", at + 1));
                let before = screen.before.iter().position(|name| *name == line.planner);
                let (words, colour) = match before.map_or(Ordering::Equal, |was| at.cmp(&was)) {
                    Ordering::Less => (icon::CARET_UP, colours.good),
                    Ordering::Greater => (icon::CARET_DOWN, colours.bad),
                    Ordering::Equal => ("", colours.faint),
                };
                ui.label(RichText::new(words).color(colour.egui()));
                let favourite = screen.league.favourite.as_ref() == Some(&line.planner);
                let star = if favourite { format!("  {}", icon::STAR) } else { String::new() };
                let name = format!("{}{star}", seat_title(&line.planner));
                ui.label(RichText::new(name).text_style(text::strong()));
                if differ {
                    let own = seats.iter().filter(|(_, fitting)| fitting.contains(&line.planner));
                    let own: Vec<_> = own.map(|(title, _)| capitalised(title)).collect();
                    ui.label(own.join(", "));
                }
                for count in [line.played, line.won, line.drawn, line.lost] {
                    ui.label(count.to_string());
                }
                ui.label(line.points().to_string());
                ui.label(line.points_per_match().map_or("–".into(), |it| format!("{it:.2}")));
                ui.label(line.mean_score.map_or("–".into(), |mean| format!("{mean:.2}")));
                if line.too_few() {
                    widgets::hint(ui, "too few to tell")
                        .on_hover_text("Fewer than 5 matches say nothing of a planner.");
                } else {
                    ui.label("");
                }
                ui.end_row();
            }
        },
    );
}
