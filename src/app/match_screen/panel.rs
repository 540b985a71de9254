//! The panel beside the board while a match is played: who sits where, what the game has to say,
//! overlays, and what can be asked for.

mod result;
mod seats;

pub use result::{again, daily, headline, main_button};
pub use seats::seats;

use super::command_table::{FeatureCommands, MatchCommand, labelled, symbol};
use super::figures::figure;
use super::layout::{self, AddSection, Given, PanelContext, Place, Region};
use super::matches::FocusedMatch;
use super::session::Session;
use super::solver;
use super::state::Tab;
use crate::app::shell::theme::{Rgb, palette, space, text};
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::egui::{self, RichText, Stroke, Ui};
use egui_phosphor::regular as icon;

/// Shows the panel of the match, which features add sections to.
pub(super) fn plugin(app: &mut App) {
    app.add_section(Region::Side(Tab::Match), show)
        .add_section(Region::Match(Place::Result), result::section)
        .add_section(Region::Match(Place::Seats), seats_section)
        .add_section(Region::Match(Place::Variations), variations)
        .add_section(Region::Match(Place::Actions), actions)
        .add_section(Region::Match(Place::Board), board)
        .add_section(Region::Match(Place::Overlays), overlays)
        .add_section(Region::Match(Place::Insight), insight);
}

/// The head, and below it all sections of the panel.
fn show(InMut(ui): InMut<Ui>, world: &mut World) {
    // It is drawn only while a match is shown.
    let _ = world.run_system_cached_with(head_section, ui);
    egui::ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| layout::fill(world, ui, |region| matches!(region, Region::Match(_))));
}

fn head_section(InMut(ui): InMut<Ui>, session: FocusedMatch, mut given: ResMut<Given>) {
    head(ui, &session, &mut given.commands);
}

fn seats_section(InMut(ui): InMut<Ui>, context: PanelContext) {
    // Two matches side by side have a section of their own.
    if context.other.is_none() {
        seats(ui, &context.session, &context.look);
    }
}

/// The board's own part of the panel.
fn board(InMut(ui): InMut<Ui>, mut context: PanelContext) {
    let session = &mut **context.session;
    // What a game has to say after a match would be too much in a lesson.
    let is_done = session.lesson.is_some() && session.live.is_over();
    if context.other.is_some() || is_done {
        return;
    }
    ui.add_space(space::MEDIUM);
    context.given.chose |= session.live.panel(ui, &context.look, &session.state);
    ui.add_space(space::MEDIUM);
}

/// The level's name and the way out.
pub fn head(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    ui.horizontal(|ui| {
        MatchCommand::Leave.button(ui, session, symbol, commands);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.add(
                egui::Label::new(RichText::new(&session.level_name).text_style(text::section()))
                    .truncate(),
            );
            ui.spacing_mut().interact_size.y = 0.0;
            ui.horizontal(|ui| {
                let kind = match (session.is_replay(), session.is_play_test()) {
                    (true, _) => Some("Replay"),
                    (false, true) => Some("Play-test"),
                    (false, false) => session.lesson.as_ref().map(|_| "Lesson"),
                };
                if let Some(kind) = kind {
                    let accent = palette(ui).accent.egui();
                    ui.label(RichText::new(kind).text_style(text::strong()).color(accent));
                }
                let which = session.letter().filter(|_| session.tab != Tab::Match);
                let words = match (&session.lesson, which) {
                    (Some(_), _) => session.game_name.to_owned(),
                    (_, Some(which)) => format!("{}, {which}", session.game_name),
                    // A person alone with a puzzle leaves nothing to chance.
                    _ if session.board.solver.is_some() && !session.humans.is_empty() => {
                        session.game_name.to_owned()
                    }
                    _ => format!("{}, seed {}", session.game_name, session.config.seed),
                };
                let words = RichText::new(words).color(palette(ui).faint.egui());
                ui.add(egui::Label::new(words).truncate());
            });
        });
    });
    if session.is_play_test() {
        widgets::hint(ui, "You are testing your level. Press Esc once to go back to the editor.");
        if let Some(best) = &session.best_known {
            widgets::hint(ui, best.as_str());
        }
    }
    ui.add_space(space::SMALL);
    if session.lesson.is_none() {
        tabs(ui, session, commands);
    }
    ui.separator();
}

/// What can be shown beside the board.
fn tabs(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    let mut tab = session.tab;
    let review = session.has_review();
    let all = [(Tab::Match, "Match"), (Tab::Review, "Review"), (Tab::Analysis, "Analysis")];
    let shown: Vec<_> = all.into_iter().filter(|(tab, _)| *tab != Tab::Review || review).collect();
    if widgets::choice(ui, &mut tab, &shown) {
        commands.push(MatchCommand::Show(tab));
    }
}

/// The other ways in which the match went.
fn variations(InMut(ui): InMut<Ui>, mut context: PanelContext) {
    let session = &**context.session;
    let lines = session.live.variations();
    if lines.is_empty() || !context.is_full() {
        return;
    }
    ui.add_space(space::MEDIUM);
    widgets::section(ui, "Variations");
    for (index, line) in lines.iter().enumerate() {
        let moves = widgets::counted((line.turns - line.shared) as u64, "move");
        let words = format!("From {} on: {moves}", session.moment(line.shared));
        let response = ui
            .button(words)
            .on_hover_text("Alternative line. Click to show it; the current line moves here.");
        if response.clicked() {
            context.given.commands.push(MatchCommand::Variation(index));
        }
    }
}

/// What can be asked for, and what came of the last hint.
fn actions(InMut(ui): InMut<Ui>, mut context: PanelContext, features: Res<FeatureCommands>) {
    let session = &**context.session;
    if session.lesson.is_some() {
        return;
    }
    let commands = &mut context.given.commands;
    if context.other.is_none() {
        ui.add_space(space::MEDIUM);
    }
    let person = !session.humans.is_empty();
    let plays = person && !session.is_replay() && session.outcome().is_none();
    ui.horizontal_wrapped(|ui| {
        let mut ask = |ui: &mut Ui, command: MatchCommand| {
            command.button(ui, session, labelled, commands);
        };
        if person && !session.is_replay() {
            ask(ui, MatchCommand::Hint);
            if session.board.solver.is_some() {
                ask(ui, MatchCommand::ShowRest);
            }
            // For who is out it stands above.
            if !session.is_out() {
                ask(ui, MatchCommand::Undo);
            }
            if session.takes_back_freely() {
                ask(ui, MatchCommand::Redo);
            }
        }
        if session.has_slow_planners() && session.asked.is_none() {
            ask(ui, MatchCommand::MoveNow);
        }
        // At the end it stands beside the result.
        if session.outcome().is_none() {
            ask(ui, MatchCommand::Restart);
        }
        let allowed =
            features.0.iter().map(|entry| entry.id).filter(|id| id.allowed(session).is_ok());
        let (play, other): (Vec<_>, Vec<_>) = allowed.partition(|id| id.is_play());
        play.into_iter().for_each(|command| ask(ui, command));
        ask(ui, MatchCommand::Save);
        let mut rest = |ui: &mut Ui| {
            ask(ui, MatchCommand::CopyLink);
            if session.info.has_notation {
                ask(ui, MatchCommand::CopyMoves);
                if person && !session.is_replay() {
                    ask(ui, MatchCommand::PasteMoves);
                }
            }
            other.iter().for_each(|command| ask(ui, *command));
        };
        // Whoever plays looks for what belongs to playing.
        if plays {
            ui.menu_button("More", rest);
        } else {
            rest(ui);
        }
    });
    solver::show(ui, session, commands);
    if context.other.is_some() {
        widgets::hint(
            ui,
            "Review, analysis, links and pictures are of match A. Replays of both are saved.",
        );
        ui.add_space(space::MEDIUM);
    } else if let Some(hint) = session.live.hint(&session.state) {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(icon::LIGHTBULB).color(context.look.palette.warn.egui()));
            ui.label(hint.words);
            if !hint.is_whole {
                let key = MatchCommand::Hint.first_key();
                widgets::hint(ui, format!("{key} again says more."));
            }
        });
    }
}

/// What is drawn over the board.
fn overlays(InMut(ui): InMut<Ui>, mut context: PanelContext) {
    let session = &mut **context.session;
    let is_bare = session.board.overlays.is_empty() && session.board.has_lines;
    if is_bare || session.lesson.is_some() {
        return;
    }
    widgets::section(ui, "Overlays");
    for (index, overlay) in session.board.overlays.iter().enumerate() {
        let command = MatchCommand::Overlay(index);
        let allowed = command.allowed(session);
        let mut on = session.shows(index);
        let response = ui
            .add_enabled(allowed.is_ok(), egui::Checkbox::new(&mut on, overlay.name))
            .on_disabled_hover_text(allowed.err().unwrap_or_default())
            .on_hover_ui(|ui| {
                ui.set_max_width(260.0);
                ui.label(overlay.help);
                if overlay.layer.helps() {
                    ui.label("A result with this help sets no record.");
                }
                let ghost = overlay.layer.is_ghost().then_some(MatchCommand::Ghost);
                ui.horizontal(|ui| {
                    let entries = [Some(command), ghost].into_iter().flatten();
                    entries.filter_map(MatchCommand::entry).for_each(|entry| entry.caps(ui));
                });
            });
        if response.changed() {
            session.overlays.switch(index);
        }
    }
    let lines = "Lines between cells, on this board and all others.";
    let words = "Who is ahead, and short sentences on what happens in matches that are watched.";
    for (command, name, help, mut on) in [
        (MatchCommand::Grid, "Grid", lines, context.settings.grid),
        (MatchCommand::Commentary, "Commentary", words, context.settings.commentary),
    ] {
        let Some(entry) = command.entry().filter(|_| command.allowed(session).is_ok()) else {
            continue;
        };
        let response = ui.checkbox(&mut on, name).on_hover_ui(|ui| {
            ui.set_max_width(260.0);
            ui.label(help);
            entry.caps(ui);
        });
        if response.changed() {
            context.given.commands.push(command);
        }
    }
}

/// Counters, notes and series of the planners' own pictures.
fn insight(InMut(ui): InMut<Ui>, context: PanelContext) {
    let session = &**context.session;
    if !context.is_full() {
        return;
    }
    for seat in session.seats() {
        let Some(insight) = session.live.insight(&session.state, seat) else { continue };
        if insight.counters.is_empty() && insight.notes.is_empty() {
            continue;
        }
        ui.add_space(space::MEDIUM);
        widgets::section(ui, &format!("What {} thinks", session.name(seat)));
        for note in &insight.notes {
            ui.add(egui::Label::new(format!("{}  {note}", icon::INFO)).wrap());
        }
        egui::Grid::new(("counters", seat.0)).num_columns(2).show(ui, |ui| {
            for counter in &insight.counters {
                widgets::hint(ui, counter.name.as_ref()).on_hover_text(counter.about.as_ref());
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.label(figure(counter.value)).on_hover_text(counter.about.as_ref());
                });
                ui.end_row();
            }
        });
        if !insight.series.is_empty() {
            plot(ui, ("insight", seat.0), &insight.series, 110.0, None);
        }
    }
}

/// The name of a series behind its colour; the two are never torn apart.
fn plot_key(ui: &mut Ui, name: &str, colour: Rgb, ink: Rgb) {
    const SAMPLE: f32 = 14.0;
    let font = egui::TextStyle::Body.resolve(ui.style());
    let width =
        ui.available_size_before_wrap().x.max(ui.max_rect().width()) - SAMPLE - space::SMALL;
    let words = ui.painter().layout(name.to_owned(), font, ink.egui(), width);
    let size = words.size() + egui::vec2(SAMPLE + space::SMALL, 0.0);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    let kind = egui::WidgetType::Label;
    response.widget_info(|| egui::WidgetInfo::labeled(kind, true, name));
    let sample = egui::Rangef::new(rect.left(), rect.left() + SAMPLE);
    ui.painter().hline(sample, rect.center().y, Stroke::new(2.0, colour.egui()));
    let at = egui::pos2(sample.max + space::SMALL, rect.top());
    ui.painter().galley(at, words, ink.egui());
}

/// A plot of series with their names below it; nothing where none has a line yet.
pub fn plot(
    ui: &mut Ui,
    id: impl egui::AsId,
    series: &[outwit_core::play::Series],
    height: f32,
    cursor: Option<f64>,
) {
    if series.iter().all(|series| series.points.len() < 2) {
        return;
    }
    let palette = crate::app::shell::theme::palette(ui);
    let colours = [palette.accent, palette.goal, palette.good, palette.warn];
    widgets::still_plot(id, height)
        .custom_x_axes(vec![
            egui_plot::AxisHints::new_x().label_spacing(egui::Rangef::new(24.0, 32.0)),
        ])
        .custom_y_axes(vec![
            egui_plot::AxisHints::new_y().label_spacing(egui::Rangef::new(10.0, 14.0)),
        ])
        .show(ui, |plot| {
            if let Some(x) = cursor {
                plot.vline(
                    egui_plot::VLine::new("turn", x)
                        .stroke(Stroke::new(1.0, palette.faint.egui()))
                        .allow_hover(false),
                );
            }
            for (series, colour) in series.iter().zip(colours) {
                plot.line(
                    egui_plot::Line::new(series.name.clone(), series.points.clone())
                        .stroke(Stroke::new(1.5, colour.egui())),
                );
            }
        });
    ui.horizontal_wrapped(|ui| {
        for (series, colour) in series.iter().zip(colours) {
            plot_key(ui, &series.name, colour, palette.faint);
        }
    });
}
