//! The screen of the league: choices and table, and what comes between two matches.

use super::commands::{COMMANDS, LeagueCommand, entry_of};
use super::state::{LeagueScreen, Phase};
use super::table;
use crate::app::requests::{ChosenGame, Modal, Screen};
use crate::app::shell::commands::pressed;
use crate::app::shell::navigation::GoBack;
use crate::app::shell::notice::Notice;
use crate::app::shell::seats::seat_title;
use crate::app::shell::sound::{PlaySound, Sound};
use crate::app::shell::theme::{space, text};
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::{Align, Layout, Margin, RichText, Ui};
use egui_phosphor::regular as icon;
use outwit_core::levels::capitalised;
use outwit_headless::GAMES;
use std::time::Duration;

/// Below this width, in points, only one of choices and table is shown.
const NARROW: f32 = 860.0;
/// Width of the names in front of the controls, in points.
const NAMES: f32 = 80.0;

/// Shows the league and carries out what the user asks of it.
#[allow(clippy::too_many_arguments)]
pub(super) fn show(
    mut contexts: EguiContexts,
    mut screen: ResMut<LeagueScreen>,
    mut commands: Commands,
    mut modal: ResMut<Modal>,
    mut next: ResMut<NextState<Screen>>,
    mut back: MessageWriter<GoBack>,
    mut sounds: MessageWriter<PlaySound>,
    mut notices: MessageWriter<Notice>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let screen = &mut *screen;
    let mut asked = if *modal == Modal::None { key(ctx) } else { None };
    let mut leaves = false;
    let game = screen.kind.id();
    widgets::page(ctx, |ui| {
        let narrow = ui.available_width() < NARROW;
        let stopped = matches!(screen.phase, Phase::Stopped(_));
        let name = format!("{}: league", screen.kind.name());
        leaves = widgets::title_bar(ui, if narrow { "League" } else { &name }, |ui| {
            if let Some(window) = widgets::corner_buttons(ui) {
                *modal = window;
            }
            if narrow && stopped {
                ui.add_space(space::MEDIUM);
                // The bar is laid out from the right.
                let sides = [(true, "Table"), (false, "Set-up")];
                widgets::choice(ui, &mut screen.show_table, &sides);
            }
        });
        let frame = widgets::panel_frame(ui);
        let low = frame.inner_margin(Margin::symmetric(16, 10));
        egui::Panel::bottom("go on").frame(low).show(ui, |ui| asked = foot(ui, screen).or(asked));
        let choices = |ui: &mut Ui, screen: &mut LeagueScreen| {
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| choose(ui, screen)).inner
        };
        let frame = frame.inner_margin(Margin::same(12));
        if stopped && narrow && !screen.show_table {
            let central = egui::CentralPanel::default().frame(frame);
            asked = central.show(ui, |ui| choices(ui, screen)).inner.or(asked);
            return;
        }
        if stopped && !narrow {
            let left = egui::Panel::left("choices").exact_size(300.0).resizable(false).frame(frame);
            asked = left.show(ui, |ui| choices(ui, screen)).inner.or(asked);
        }
        let central = egui::CentralPanel::default().frame(egui::Frame::new().inner_margin(16));
        central.show(ui, |ui| {
            egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| results(ui, screen));
        });
    });
    if screen.kind.id() != game {
        commands.insert_resource(ChosenGame(screen.kind.id()));
    }
    if leaves {
        screen.stop(None);
        back.write(GoBack);
        return;
    }
    let between = matches!(screen.phase, Phase::Between(_));
    let config = match asked {
        None => return,
        Some(LeagueCommand::Close) if screen.asks_to_clear => {
            screen.asks_to_clear = false;
            None
        }
        Some(LeagueCommand::Close) if between => {
            screen.stop(Some("Stopped."));
            None
        }
        Some(LeagueCommand::Close) => {
            screen.stop(None);
            back.write(GoBack);
            None
        }
        Some(LeagueCommand::New) => {
            if screen.asks_to_clear || screen.league.results().is_empty() {
                screen.clear();
                notices.write_batch(screen.save().err().map(Notice::error));
            } else {
                screen.asks_to_clear = !between;
            }
            None
        }
        Some(LeagueCommand::Again) => screen.watch_again(),
        Some(LeagueCommand::Start) => match screen.start() {
            Ok(config) => Some(config),
            Err(why) => {
                screen.stop(Some(&why));
                None
            }
        },
    };
    screen.asks_to_clear &= asked == Some(LeagueCommand::New);
    if let Some(config) = config {
        sounds.write(Sound::Tick.into());
        commands.insert_resource(config);
        next.set(Screen::Match);
    }
}

/// What a key asks for.
fn key(ctx: &egui::Context) -> Option<LeagueCommand> {
    if egui::Popup::is_any_open(ctx) || ctx.text_edit_focused() {
        return None;
    }
    let command = pressed(ctx, COMMANDS)?;
    // Enter belongs to the control that has the focus, and Esc clears it.
    match (command, ctx.memory(|memory| memory.focused())) {
        (LeagueCommand::Close, Some(focused)) => {
            ctx.memory_mut(|memory| memory.surrender_focus(focused));
            Some(command)
        }
        (_, Some(_)) => None,
        (_, None) => Some(command),
    }
}

/// The game, its planners, its levels and the favourite as controls.
fn choose(ui: &mut Ui, screen: &mut LeagueScreen) -> Option<LeagueCommand> {
    let mut asked = None;
    let played = !screen.league.results().is_empty();
    let mut wanted = screen.kind.id();
    widgets::row(ui, "Game", "A league has one game.", NAMES, |ui| {
        ui.add_enabled_ui(!played, |ui| {
            egui::ComboBox::from_id_salt("game")
                .selected_text(screen.kind.name())
                .width(150.0)
                .show_ui(ui, |ui| {
                    for kind in GAMES {
                        ui.selectable_value(&mut wanted, kind.id(), kind.name());
                    }
                })
                .response
                .on_disabled_hover_text("Begin a new league to choose another game.");
        });
    });
    if let Some(kind) = GAMES.iter().find(|kind| kind.id() == wanted)
        && wanted != screen.kind.id()
    {
        screen.choose_game(*kind);
    }
    let mut favourite = screen.league.favourite.clone();
    widgets::row(ui, "Favourite", "Its matches come first in every round.", NAMES, |ui| {
        let name = favourite.as_deref().map_or("None".into(), seat_title);
        egui::ComboBox::from_id_salt("favourite").selected_text(name).width(150.0).show_ui(
            ui,
            |ui| {
                ui.selectable_value(&mut favourite, None, "None");
                for planner in &screen.league.planners {
                    let planner = planner.clone();
                    let title = seat_title(&planner);
                    ui.selectable_value(&mut favourite, Some(planner), title);
                }
            },
        );
    });
    screen.league.favourite = favourite;
    ui.add_space(space::MEDIUM);
    planners(ui, screen);
    levels(ui, screen);
    ui.add_space(space::MEDIUM);
    if screen.asks_to_clear {
        let count = screen.league.results().len() as u64;
        ui.label(format!(
            "Clear the table of {}?",
            widgets::counted(count, "match").replace("matchs", "matches")
        ));
        ui.horizontal(|ui| {
            if widgets::warning_button(ui, "Clear").clicked() {
                asked = Some(LeagueCommand::New);
            }
            if ui.button("Keep").clicked() {
                asked = Some(LeagueCommand::Close);
            }
        });
    } else if played {
        let entry = entry_of(LeagueCommand::New);
        if entry.button(ui, Ok(()), egui::Button::new(entry.label)) {
            asked = Some(LeagueCommand::New);
        }
    }
    asked
}

fn planners(ui: &mut Ui, screen: &mut LeagueScreen) {
    let all = screen.kind.planners();
    let seats = &screen.roster.seats;
    let same = seats.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let shown = if same { 1 } else { seats.len() };
    let mut toggled = None;
    for (title, fitting) in &seats[..shown.min(seats.len())] {
        let title = if same { "Planners".into() } else { capitalised(title) };
        widgets::section(ui, &title);
        ui.push_id(title, |ui| {
            ui.columns(2, |columns| {
                let half = fitting.len().div_ceil(2).max(1);
                for (at, name) in fitting.iter().enumerate() {
                    let about = all.iter().find(|it| it.name == name).map_or("", |it| it.about);
                    let mut on = screen.league.planners.contains(name);
                    let column = &mut columns[(at / half).min(1)];
                    column.spacing_mut().item_spacing.y = space::SMALL;
                    if column.checkbox(&mut on, seat_title(name)).on_hover_text(about).changed() {
                        toggled = Some(name.clone());
                    }
                }
            });
        });
        ui.add_space(space::MEDIUM);
    }
    if let Some(name) = toggled {
        screen.toggle_planner(&name);
    }
}

fn levels(ui: &mut Ui, screen: &mut LeagueScreen) {
    widgets::section(ui, "Levels");
    let kind = screen.kind;
    // One a frame, as there may be hundreds.
    if let Some(level) = screen.levels.iter_mut().find(|level| level.info.is_none()) {
        level.read(kind);
        ui.ctx().request_repaint();
    }
    let mut toggled = None;
    ui.spacing_mut().item_spacing.y = space::SMALL;
    for level in &screen.levels {
        let mut on = screen.league.levels.contains(&level.entry.id);
        let playable = !matches!(level.info, Some(Err(_)));
        let tick = egui::Checkbox::new(&mut on, RichText::new(level.name()));
        let response = ui.add_enabled(playable || on, tick);
        if response.on_hover_text(&level.entry.id).changed() {
            toggled = Some(level.entry.id.clone());
        }
    }
    if let Some(id) = toggled {
        screen.toggle_level(&id);
    }
}

/// The last result and the table.
fn results(ui: &mut Ui, screen: &mut LeagueScreen) {
    let words = screen.last.as_ref().map(|last| (last.words.clone(), last.fixture.clone()));
    if let Some((words, fixture)) = words {
        let where_it_was = screen.fixture_words(&fixture);
        ui.label(RichText::new(words).heading());
        widgets::hint(ui, where_it_was);
        if let Some(news) = screen.news() {
            ui.label(news);
        }
        ui.add_space(space::MEDIUM);
    }
    if let Phase::Between(left) = screen.phase {
        if let Ok((_, fixtures)) = screen.league.remaining(&screen.roster)
            && let Some(fixture) = fixtures.first()
        {
            let fixture = fixture.clone();
            let words = screen.fixture_words(&fixture);
            widgets::section(ui, &format!("Next in {} s: {words}", left.ceil().max(0.0)));
            if let Some(meetings) = screen.meetings(&fixture) {
                widgets::hint(ui, meetings);
            }
        }
        ui.ctx().request_repaint_after(Duration::from_millis(100));
        ui.add_space(space::MEDIUM);
    }
    widgets::card(ui, |ui| {
        ui.label(RichText::new("Table").text_style(text::section()));
        table::show(ui, screen);
    });
    ui.add_space(space::SMALL);
    widgets::hint(
        ui,
        "No spoilers: a result enters the table once its match was shown to the end.",
    );
    if screen.roster.seats.len() > 1 {
        widgets::hint(ui, "A win is 1 point, a draw ½. All planners think with the same budget.");
    } else {
        widgets::hint(ui, "A solution is 1 point. All planners think with the same budget.");
    }
}

/// What comes next, and the buttons.
fn foot(ui: &mut Ui, screen: &mut LeagueScreen) -> Option<LeagueCommand> {
    let mut asked = None;
    let between = matches!(screen.phase, Phase::Between(_));
    let remaining = screen.league.remaining(&screen.roster);
    let can_watch = screen.last.as_ref().is_some_and(|last| last.replay.is_some());
    ui.horizontal(|ui| {
        ui.set_min_height(36.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let start = entry_of(LeagueCommand::Start);
            let words = if between { "Next match now" } else { start.label };
            ui.add_enabled_ui(remaining.is_ok(), |ui| {
                let button = widgets::primary_button(ui, format!("{words}  {}", icon::PLAY));
                if start.explain(button, start.tip).clicked() {
                    asked = Some(LeagueCommand::Start);
                }
            });
            if can_watch {
                let again = entry_of(LeagueCommand::Again);
                if again.button(ui, Ok(()), egui::Button::new(again.label)) {
                    asked = Some(LeagueCommand::Again);
                }
            }
            if between {
                let stop = entry_of(LeagueCommand::Close);
                if stop.button(ui, Ok(()), egui::Button::new(stop.label)) {
                    asked = Some(LeagueCommand::Close);
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                match (&screen.phase, &remaining) {
                    (_, Err(why)) => {
                        widgets::fault(ui, why.to_string());
                    }
                    (Phase::Stopped(Some(why)), _) => {
                        ui.add(egui::Label::new(why.as_str()).truncate());
                    }
                    (_, Ok((round, fixtures))) => {
                        let left = fixtures.len();
                        let matches = if left == 1 { "match" } else { "matches" };
                        let words = format!("Round {}: {left} {matches} left", round + 1);
                        ui.add(egui::Label::new(words).truncate());
                    }
                }
            });
        });
    });
    asked
}
