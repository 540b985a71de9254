//! Tournaments in the window: configuration, progress and results.

mod chart;
pub mod commands;
mod config;
mod config_panel;
mod export;
mod games;
mod highlights;
mod matrix;
mod results_view;
mod run;
pub mod saved_runs;
mod scale;
mod screen;
mod table;

use crate::app::requests::{MatchConfig, Modal, Screen, StartTurn, TournamentConfig};
use crate::app::shell::commands::pressed;
use crate::app::shell::everywhere::BACK;
use crate::app::shell::file_choice::ExportDialog;
use crate::app::shell::navigation::GoBack;
use crate::app::shell::notice::Notice;
use crate::app::shell::programs::{ChosenPrograms, ProgramChoice};
use crate::app::shell::settings::Settings;
use crate::app::shell::sound::{PlaySound, Sound};
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use crate::app::shell::window_picture::{PictureGoal, TakePicture};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use commands::{COMMANDS, TournamentCommand};
use egui::Margin;
use egui_phosphor::regular as icon;
pub use export::ExportKind;
use outwit_core::play::{Budget, Player};
use outwit_levels::{Entry, Source};
use results_view::ResultsTab;
use screen::{Event, TournamentScreen};
use std::time::Duration;

/// Why no tournament can be shown.
#[derive(Resource)]
struct TournamentFailure(String);

fn enter(
    mut commands: Commands,
    config: Option<Res<TournamentConfig>>,
    screen: Option<Res<TournamentScreen>>,
    chosen: Res<ChosenPrograms>,
    settings: Res<Settings>,
) {
    commands.remove_resource::<TournamentFailure>();
    match config {
        Some(config) => {
            commands.remove_resource::<TournamentConfig>();
            let programs = ProgramChoice::new(chosen.clone(), settings.programs.clone());
            match TournamentScreen::new(&config, programs) {
                Ok(screen) => commands.insert_resource(screen),
                Err(why) => commands.insert_resource(TournamentFailure(why.to_string())),
            }
        }
        // Back from the replay of one of its games.
        None if screen.is_some() => {}
        None => commands
            .insert_resource(TournamentFailure("Choose a level in the set-up first.".into())),
    }
}

/// Drops the screen's state, except when a match is opened, from which the user comes back.
fn close(
    mut commands: Commands,
    screen: Option<Res<TournamentScreen>>,
    mut notices: MessageWriter<Notice>,
    mut chosen: ResMut<ChosenPrograms>,
    mut settings: ResMut<Settings>,
) {
    if let Some(screen) = &screen {
        screen.programs.keep(&mut chosen, &mut settings);
    }
    if let Some(run) = screen.as_ref().and_then(|screen| screen.run.as_ref()) {
        let (finished, all) = run.progress();
        notices.write(Notice::info(format!(
            "The tournament was stopped. {finished} of {all} games are saved. You can resume it later."
        )));
    }
    commands.remove_resource::<TournamentScreen>();
}

/// What the user asks for in a frame.
#[derive(Default)]
struct ScreenRequests {
    back: bool,
    start: bool,
    restart: bool,
    cancel: bool,
    export: Option<export::ExportKind>,
    copies_picture: bool,
    notices: Vec<Notice>,
}

#[allow(clippy::too_many_arguments)]
fn screen(
    mut contexts: EguiContexts,
    mut screen: ResMut<TournamentScreen>,
    pieces: Option<Res<crate::app::shell::pieces::Pieces>>,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
    mut back: MessageWriter<GoBack>,
    mut modal: ResMut<Modal>,
    mut sounds: MessageWriter<PlaySound>,
    mut notices: MessageWriter<Notice>,
    mut pictures: MessageWriter<TakePicture>,
    mut dialog: Local<Option<ExportDialog<ExportKind>>>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let screen = &mut *screen;
    let mut messages: Vec<Notice> = Vec::new();
    for event in screen.advance() {
        match event {
            Event::Info(text) => messages.push(Notice::info(text)),
            Event::Failed(text) => messages.push(Notice::error(text)),
            Event::Watch(watched) => {
                let (contest, game, turn, replay) = *watched;
                commands.insert_resource(StartTurn(Some(turn)));
                let level = Entry {
                    id: contest.level.id,
                    source: Source::Draft(contest.level.text.into()),
                };
                commands.insert_resource(MatchConfig {
                    players: game.players.iter().map(|p| Player::from(p.as_str())).collect(),
                    seed: game.seed,
                    budget: Budget::default(),
                    replay: Some(replay.into()),
                    back: Screen::Tournament,
                    ..MatchConfig::new(screen.kind.id(), level)
                });
                next.set(Screen::Match);
            }
        }
    }
    if screen.is_busy() {
        ctx.request_repaint_after(Duration::from_millis(150));
    }
    let mut requests = ScreenRequests::default();
    if *modal == Modal::None && dialog.is_none() && !screen.programs.is_open() {
        keys(ctx, screen, &mut requests);
    }
    screen.results_at = None;
    widgets::page(ctx, |ui| {
        let narrow = ui.available_width() < NARROW;
        let name = format!("{}: tournament", screen.kind.name());
        let name = if narrow { "Tournament" } else { &name };
        requests.back |= widgets::title_bar(ui, name, |ui| {
            if narrow {
                let sides = [(false, "Set-up"), (true, "Results")];
                widgets::choice(ui, &mut screen.show_results, &sides);
                ui.add_space(space::MEDIUM);
            }
            export::button(ui, screen, &mut requests);
            if let Some(asked) = widgets::corner_buttons(ui) {
                *modal = asked;
            }
        });
        let frame = widgets::panel_frame(ui);
        egui::Panel::bottom("progress")
            .frame(frame.inner_margin(Margin::symmetric(16, 10)))
            .show(ui, |ui| config_panel::progress(ui, screen, &mut requests));
        let room = ui.available_width();
        let frame = widgets::panel_frame(ui).inner_margin(Margin::same(12));
        if !narrow {
            egui::Panel::left("plan")
                .exact_size((room * 0.26).clamp(280.0, 300.0))
                .resizable(false)
                .frame(frame)
                .show(ui, |ui| config_panel::show(ui, screen, pieces.as_deref(), &mut requests));
        } else if !screen.show_results {
            egui::CentralPanel::default()
                .frame(frame)
                .show(ui, |ui| config_panel::show(ui, screen, pieces.as_deref(), &mut requests));
            return;
        }
        // Numbers are easier to read on a plain background.
        let frame = if screen.shown.is_some() { frame } else { egui::Frame::new() };
        egui::CentralPanel::default().frame(frame).show(ui, |ui| {
            screen.results_at = Some(ui.max_rect());
            results(ui, screen);
        });
    });
    messages.extend(screen.choose_program(ctx));
    if let Some(what) = requests.export
        && let Some(shown) = &screen.shown
    {
        *dialog = Some(ExportDialog::new(what, &what.file_name(shown.board.contest())));
    }
    let goal = requests.copies_picture.then_some(PictureGoal::Clipboard);
    let (told, file) = export::show(ctx, &mut dialog, screen);
    messages.extend(told);
    match (screen.results_at, goal.or(file.map(PictureGoal::File))) {
        (Some(part), Some(goal)) => drop(pictures.write(TakePicture { part, goal })),
        (None, Some(_)) => messages.push(Notice::info("Show the results first.")),
        (_, None) => {}
    }
    messages.append(&mut requests.notices);
    if requests.back {
        back.write(GoBack);
    } else if requests.cancel {
        if let Some(run) = &screen.run {
            run.cancel();
        }
    } else if requests.restart || requests.start {
        sounds.write(Sound::Tick.into());
        if !requests.restart {
            screen.start();
        } else if let Err(why) = screen.restart() {
            messages.push(Notice::error(why));
        }
    }
    notices.write_batch(messages);
}

/// Below this width, in points, only one of configuration and results is shown.
const NARROW: f32 = 860.0;

fn keys(ctx: &egui::Context, screen: &mut TournamentScreen, requests: &mut ScreenRequests) {
    if egui::Popup::is_any_open(ctx) || ctx.text_edit_focused() {
        return;
    }
    let Some(command) = pressed(ctx, COMMANDS) else { return };
    let focused = ctx.memory(|memory| memory.focused());
    match command {
        TournamentCommand::Close => {
            // Esc clears the focus, then closes the list of games, then goes back.
            if let Some(focused) = focused {
                ctx.memory_mut(|memory| memory.surrender_focus(focused));
            }
            if screen.watched.take().is_some() {
                return;
            }
            match &mut screen.shown {
                Some(shown) if shown.cell.is_some() => shown.cell = None,
                _ => requests.back = true,
            }
        }
        _ if focused.is_some() => {}
        TournamentCommand::Start => requests.start = true,
        TournamentCommand::Show(view) => {
            if let Some(shown) = &mut screen.shown {
                shown.options.view = view;
                screen.show_results = true;
            }
        }
    }
}

/// Shows the results, or how to get some.
fn results(ui: &mut egui::Ui, screen: &mut TournamentScreen) {
    let Some(shown) = &screen.shown else {
        ui.vertical_centered(|ui| {
            ui.add_space(ui.available_height() * 0.3);
            ui.label(egui::RichText::new(icon::RANKING).size(40.0));
            ui.add_space(space::SMALL);
            ui.label("No games yet");
            widgets::hint(
                ui,
                "Choose planners and press Start. All pairings play on the same seeds.",
            );
            widgets::hint(ui, "Or open a saved tournament.");
        });
        return;
    };
    // A low window has no room for both the table and a list.
    const SHORT: f32 = 420.0;
    let height = ui.available_height();
    let listed = shown
        .cell
        .filter(|_| !matches!(shown.options.view, ResultsTab::Ratings | ResultsTab::Highlights));
    let room = (height - table::height(shown)).clamp(0.4 * height, 0.7 * height);
    match listed {
        Some(cell) if height < SHORT => games::show(ui, screen, cell),
        Some(cell) => {
            egui::Panel::bottom("games of a cell")
                .exact_size(room.round())
                .resizable(false)
                .frame(egui::Frame::new().inner_margin(Margin { top: 12, ..Margin::ZERO }))
                .show_separator_line(false)
                .show(ui, |ui| {
                    widgets::card(ui, |ui| {
                        ui.set_min_size(ui.available_size());
                        games::show(ui, screen, cell);
                    });
                });
            table::show(ui, screen);
        }
        None => table::show(ui, screen),
    }
}

fn failure_screen(
    mut contexts: EguiContexts,
    why: Res<TournamentFailure>,
    mut next: ResMut<NextState<Screen>>,
    mut back: MessageWriter<GoBack>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let (to_setup, escape) = widgets::page(ctx, |ui| {
        let mut pressed = false;
        ui.vertical_centered(|ui| {
            ui.add_space(ui.available_height() * 0.3);
            ui.heading("This tournament cannot start");
            ui.add_space(space::MEDIUM);
            widgets::fault(ui, &why.0);
            ui.add_space(space::LARGE);
            pressed = widgets::primary_button(ui, "Back to set-up").clicked();
        });
        (pressed, BACK.pressed(ui.ctx()))
    });
    if to_setup {
        next.set(Screen::Setup);
    } else if escape {
        back.write(GoBack);
    }
}

/// Adds the tournament screen.
pub fn plugin(app: &mut App) {
    let here = in_state(Screen::Tournament);
    app.add_systems(OnEnter(Screen::Tournament), enter)
        .add_systems(OnEnter(Screen::Setup), close)
        .add_systems(OnEnter(Screen::Menu), close)
        .add_systems(
            EguiPrimaryContextPass,
            (
                screen.run_if(here.clone().and_then(resource_exists::<TournamentScreen>)),
                failure_screen.run_if(here.and_then(resource_exists::<TournamentFailure>)),
            )
                .in_set(crate::app::shell::Pass::Screen),
        );
}
