//! The layout of the league's screen: choices, table, and the next match.

use super::commands::{COMMANDS, LeagueCommand, entry_of};
use super::state::LeagueState;
use super::{choices, standings};
use crate::app::requests::{Modal, Screen};
use crate::app::shell::commands::{of_key, typed};
use crate::app::shell::navigation::GoBack;
use crate::app::shell::notice::Notice;
use crate::app::shell::programs::ProgramChoice;
use crate::app::shell::settings::Settings;
use crate::app::shell::sound::{PlaySound, Sound};
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::{Align, Layout, Margin, Ui};
use outwit_headless::GAMES;
use outwit_kit::league::{Fixture, NoFixture};

/// Below this width, in points, only one of choices and table is shown.
const NARROW: f32 = 860.0;

/// Shows the league.
#[allow(clippy::too_many_arguments)]
pub fn show(
    mut contexts: EguiContexts,
    mut league: ResMut<LeagueState>,
    settings: Res<Settings>,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
    mut back: MessageWriter<GoBack>,
    mut modal: ResMut<Modal>,
    mut sounds: MessageWriter<PlaySound>,
    mut notices: MessageWriter<Notice>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let upcoming = league.upcoming();
    let able = (upcoming.is_ok(), !league.league.results().is_empty());
    let idle = *modal == Modal::None
        && ctx.memory(|memory| memory.focused().is_none())
        && !league.programs.is_open()
        && !egui::Popup::is_any_open(ctx);
    if let Some(notice) = league.choose_program(ctx) {
        notices.write(notice);
    }
    let mut asked = if idle { pressed(ctx, able) } else { None };
    let mut game = None;
    let gone = widgets::page(ctx, |ui| {
        let narrow = ui.available_width() < NARROW;
        let name = format!("League: {}", league.kind.name());
        let name = if narrow { "League" } else { &name };
        let gone = widgets::title_bar(ui, name, |ui| {
            if narrow {
                let sides = [(true, "Set-up"), (false, "Table")];
                widgets::choice(ui, &mut league.shows_choices, &sides);
                ui.add_space(space::MEDIUM);
            }
            let entry = entry_of(LeagueCommand::Afresh);
            let words = if league.confirmed { "Empty the table?" } else { entry.label };
            if entry.button(ui, (entry.allowed)(&able), egui::Button::new(words)) {
                asked = Some(LeagueCommand::Afresh);
            }
            if let Some(window) = widgets::corner_buttons(ui) {
                *modal = window;
            }
        });
        let frame = widgets::panel_frame(ui);
        egui::Panel::bottom("next match")
            .frame(frame.inner_margin(Margin::symmetric(16, 10)))
            .show(ui, |ui| asked = foot(ui, &league, &upcoming, able).or(asked));
        let frame = frame.inner_margin(Margin::same(12));
        if !narrow {
            let width = (ui.available_width() * 0.26).clamp(300.0, 330.0);
            egui::Panel::left("choices")
                .exact_size(width)
                .resizable(false)
                .frame(frame)
                .show(ui, |ui| game = choices::show(ui, &mut league));
        } else if league.shows_choices {
            egui::CentralPanel::default()
                .frame(frame)
                .show(ui, |ui| game = choices::show(ui, &mut league));
            return gone;
        }
        egui::CentralPanel::default()
            .frame(egui::Frame::new().inner_margin(Margin::same(16)))
            .show(ui, |ui| standings::show(ui, &league));
        gone
    });
    if gone {
        back.write(GoBack);
        return;
    }
    match asked {
        None => {}
        Some(LeagueCommand::Start) => {
            sounds.write(Sound::Tick.into());
            super::begin(&mut league, &mut commands, &mut next, &mut notices);
        }
        Some(LeagueCommand::Afresh) if !league.confirmed => league.confirmed = true,
        Some(LeagueCommand::Afresh) => {
            notices.write(match league.begin_afresh() {
                Ok(words) => Notice::info(words),
                Err(why) => Notice::error(format!("The league stays as it is. {why}")),
            });
        }
        Some(LeagueCommand::Game(by)) => {
            let here = GAMES.iter().position(|kind| kind.id() == league.kind.id()).unwrap_or(0);
            let there = here as isize + by;
            game = Some(GAMES[there.rem_euclid(GAMES.len() as isize) as usize].id());
        }
    }
    if let Some(kind) = GAMES.iter().find(|kind| Some(kind.id()) == game) {
        super::save(&mut league, &mut notices);
        let narrow_side = league.shows_choices;
        let (mut fresh, message) = LeagueState::of(
            *kind,
            settings.budget(),
            ProgramChoice::new(league.programs.chosen.clone(), league.programs.recent.clone()),
        );
        fresh.shows_choices = narrow_side;
        *league = fresh;
        notices.write_batch(message.map(Notice::error));
    }
}

/// The command of a key that was pressed and may be given.
fn pressed(ctx: &egui::Context, able: (bool, bool)) -> Option<LeagueCommand> {
    let entries = typed(ctx).into_iter().filter_map(|(key, _)| of_key(COMMANDS, key, false, false));
    let mut allowed = entries.filter(|entry| (entry.allowed)(&able).is_ok());
    allowed.next().map(|entry| entry.id)
}

/// The next match, and the button that begins it.
fn foot(
    ui: &mut Ui,
    league: &LeagueState,
    upcoming: &Result<Fixture, NoFixture>,
    able: (bool, bool),
) -> Option<LeagueCommand> {
    let mut asked = None;
    ui.horizontal(|ui| {
        ui.set_min_height(36.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let entry = entry_of(LeagueCommand::Start);
            let words = if able.1 { "Go on" } else { "Start" };
            let words = format!("{words}  {}", entry.icon);
            let start = ui.add_enabled_ui(able.0, |ui| widgets::primary_button(ui, words)).inner;
            if entry.explain(start, "Watch the next match").clicked() {
                asked = Some(LeagueCommand::Start);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| match upcoming {
                Ok(fixture) => {
                    let round = league.progress().map(|(round, done, all)| {
                        format!("Round {round}, {done} of {all} played. Next:")
                    });
                    widgets::hint(ui, round.unwrap_or_default());
                    ui.add(egui::Label::new(league.words(fixture)).truncate());
                }
                Err(why) => {
                    widgets::fault(ui, why.to_string());
                }
            });
        });
    });
    asked
}
