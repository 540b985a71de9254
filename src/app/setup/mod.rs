//! The set-up of a match: level, seats, rules, budget. It names no game.

mod championship_offer;
pub mod commands;
mod lesson_offer;
mod level_preview;
mod levels;
mod match_panel;
mod rules_panel;
mod seats;

use crate::app::requests::{
    Browse, ChosenGame, ChosenLevel, LevelsAdded, MatchConfig, MatchTime, Modal, OpenChampionships,
    OpenInEditor, Screen, SeriesEvent, StartBeside, TournamentConfig,
};
use crate::app::shell::commands::{entry, pressed};
use crate::app::shell::file_drop;
use crate::app::shell::game_guide::GameGuides;
use crate::app::shell::navigation::GoBack;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::preview;
use crate::app::shell::programs::{ChosenPrograms, ProgramChoice};
use crate::app::shell::records;
use crate::app::shell::records::Results;
use crate::app::shell::rivals::{first_players, has_championship};
use crate::app::shell::settings::{LastSetup, Settings};
use crate::app::shell::sound::{PlaySound, Sound};
use crate::app::shell::{Frame, Pass, widgets};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use commands::{COMMANDS, SetupCommand};
use egui::Margin;
use lesson_offer::LessonOffer;
use outwit_core::platform::time::{SystemTime, UNIX_EPOCH};
use outwit_core::play::{Budget, Player};
use outwit_headless::GAMES;
use outwit_kit::{AnyLevel, DynGame};
use std::collections::BTreeMap;

/// The state of the screen.
#[derive(Resource)]
struct Setup {
    kind: &'static dyn DynGame,
    levels: levels::Levels,
    players: Vec<Player>,
    /// Those that are offered to who has chosen none.
    offered: Vec<Player>,
    /// Rules that differ from those of the level, as text.
    rules: BTreeMap<&'static str, String>,
    /// The problems of the level with these rules.
    faults: Vec<String>,
    seed: u64,
    budget: Budget,
    /// Time limit of a human player's move in seconds; 0 for none.
    clock: u32,
    /// The time of every seat for the whole match, instead.
    match_time: Option<MatchTime>,
    pictures: preview::Pictures,
    programs: ProgramChoice,
    lesson: LessonOffer,
    /// The id of the level that the person was seated for last.
    seated_for: String,
}

impl Setup {
    fn new(kind: &'static dyn DynGame, settings: &Settings, chosen: &ChosenPrograms) -> Self {
        let last = settings.setups.get(kind.id());
        let first = kind.first_level();
        let wanted = last.map_or(first.as_str(), |last| last.level.as_str());
        let offered = first_players(kind, &settings.beaten);
        let mut setup = Self {
            kind,
            levels: levels::Levels::new(kind.id(), wanted, &first),
            players: last
                .and_then(|last| seats::remembered(kind, &last.players, &chosen.allowed))
                .unwrap_or_else(|| offered.clone()),
            offered,
            rules: BTreeMap::new(),
            faults: Vec::new(),
            seed: random_seed(),
            clock: last.map_or(0, |last| last.clock),
            match_time: last.and_then(|last| last.match_time),
            budget: last
                .and_then(|last| last.budget.parse().ok())
                .unwrap_or_else(|| settings.budget()),
            pictures: preview::Pictures::default(),
            programs: ProgramChoice::new(chosen.clone(), settings.programs.clone()),
            lesson: LessonOffer::default(),
            seated_for: last.map(|last| last.level.clone()).unwrap_or_default(),
        };
        if let Some(last) = last {
            setup.rules = rules_panel::remembered(kind, &last.rules);
        }
        setup.check();
        setup
    }

    /// The changed rules, as key and value.
    fn sets(&self) -> Vec<(String, String)> {
        self.rules.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
    }

    /// Gives the only person the seat that a newly selected level is a problem for, once it has been read.
    fn seat_person(&mut self) {
        let Some(chosen) = self.levels.chosen() else { return };
        if chosen.entry.id == self.seated_for || chosen.info.is_none() {
            return;
        }
        self.seated_for.clone_from(&chosen.entry.id);
        if let Some(seat) = chosen.level.as_ref().and_then(|level| self.kind.problem_for(level)) {
            seats::seat_person(self.kind, seat, &mut self.players);
        }
    }

    /// Checks whether the level is playable with these rules.
    fn check(&mut self) {
        self.faults.clear();
        if self.rules.is_empty() {
            return;
        }
        let sets = self.sets();
        if let Some(level) = self.levels.chosen().and_then(|level| level.level.as_ref())
            && let Err(faults) = self.kind.with_rules(level, &sets)
        {
            self.faults = faults.iter().map(ToString::to_string).collect();
        }
    }

    /// The level with the changed rules, if it is playable.
    fn level(&mut self) -> Option<AnyLevel> {
        let sets = self.sets();
        let level = self.levels.chosen()?.level.as_ref()?;
        self.kind.with_rules(level, &sets).ok()
    }

    /// Under which name is kept what was achieved on the selected level with the chosen rules.
    fn level_key(&self) -> Option<String> {
        let level = self.levels.chosen()?;
        let info = level.info.as_ref()?.as_ref().ok()?;
        records::level_key(self.kind, &level.entry, info.digest, &self.sets())
    }

    /// The match, if it is playable.
    fn config(&mut self) -> Option<MatchConfig> {
        let level = self.levels.chosen()?;
        let playable = level.info.as_ref().is_some_and(|info| info.is_ok());
        (playable && self.faults.is_empty()).then(|| MatchConfig {
            rules: self.sets(),
            players: self.players.clone(),
            programs: self.programs.chosen.allowed.clone(),
            seed: self.seed,
            budget: self.budget,
            clock: (self.clock > 0).then_some(self.clock),
            match_time: self.match_time,
            ..MatchConfig::new(self.kind.id(), level.entry.clone())
        })
    }

    /// The set-up to start with next time.
    fn remember(&mut self) -> LastSetup {
        LastSetup {
            level: self.levels.chosen().map(|level| level.entry.id.clone()).unwrap_or_default(),
            players: self.players.iter().map(|player| player.name().to_owned()).collect(),
            rules: self.sets(),
            budget: self.budget.to_string(),
            clock: self.clock,
            match_time: self.match_time,
        }
    }
}

/// Lists levels that were added to the user's own, or sets up their game next. The level browser lists
/// them itself.
fn list_added(
    mut added: MessageReader<LevelsAdded>,
    screen: Res<State<Screen>>,
    mut setup: Option<ResMut<Setup>>,
    mut chosen: Option<ResMut<ChosenGame>>,
) {
    for added in added.read() {
        if *screen.get() == Screen::Levels {
            continue;
        }
        if let Some(setup) = &mut setup
            && setup.kind.id() == added.game
        {
            let first = setup.kind.first_level();
            setup.levels = levels::Levels::new(added.game, &added.id, &first);
            setup.pictures.clear();
            setup.rules.clear();
            setup.faults.clear();
        } else if let Some(chosen) = &mut chosen {
            chosen.0 = added.game;
        }
    }
}

/// A seed from the clock, short enough to pass on to other people.
fn random_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mixed = (now.as_nanos() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) % 10_000
}

fn enter(
    mut commands: Commands,
    chosen: Option<Res<ChosenGame>>,
    level: Option<Res<ChosenLevel>>,
    settings: Res<Settings>,
    programs: Res<ChosenPrograms>,
    guides: Res<GameGuides>,
    pictures: preview::PictureMaker,
) {
    let id = chosen.map(|chosen| chosen.0);
    let game = GAMES.iter().find(|game| Some(game.id()) == id).or(GAMES.first()).copied();
    if let Some(game) = game {
        let mut setup = Setup::new(game, &settings, &programs);
        setup.pictures = pictures.make();
        setup.lesson = LessonOffer::new(game, &guides, &settings);
        if let Some(level) = level {
            setup.levels.choose_entry(&level.0);
            setup.check();
        }
        commands.insert_resource(setup);
        commands.remove_resource::<ChosenLevel>();
    }
}

fn leave(
    mut commands: Commands,
    setup: Option<ResMut<Setup>>,
    mut settings: ResMut<Settings>,
    mut programs: ResMut<ChosenPrograms>,
) {
    if let Some(mut setup) = setup {
        setup.programs.keep(&mut programs, &mut settings);
        let last = setup.remember();
        if settings.setups.get(setup.kind.id()) != Some(&last) {
            settings.setups.insert(setup.kind.id().to_owned(), last);
        }
    }
    commands.remove_resource::<Setup>();
}

#[allow(clippy::too_many_arguments)]
fn screen(
    mut contexts: EguiContexts,
    mut setup: ResMut<Setup>,
    pieces: Option<Res<Pieces>>,
    guides: Res<GameGuides>,
    results: Res<Results>,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
    mut back: MessageWriter<GoBack>,
    mut modal: ResMut<Modal>,
    mut sounds: MessageWriter<PlaySound>,
    mut edit: ResMut<OpenInEditor>,
    mut browse: ResMut<Browse>,
    mut series: MessageWriter<SeriesEvent>,
    championships: Res<OpenChampionships>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let setup = &mut *setup;
    setup.levels.read_some(setup.kind, &results);
    setup.seat_person();
    let begun = championships.0.iter().find(|begun| begun.game == setup.kind.id());
    let idle = *modal == Modal::None
        && !setup.programs.is_open()
        && ctx.memory(|memory| memory.focused().is_none())
        && !egui::Popup::is_any_open(ctx);
    let ready = setup.config().is_some();
    let allowed = |id| (entry(COMMANDS, id).allowed)(&ready);
    let mut asked = pressed(ctx, COMMANDS).filter(|id| idle && allowed(*id).is_ok());
    let before = (setup.levels.chosen().map(|level| level.entry.id.clone()), setup.rules.clone());
    let pressed = widgets::page(ctx, |ui| {
        let name = setup.kind.name();
        let pressed = widgets::title_bar(ui, name, |ui| {
            let narrow = ui.ctx().viewport_rect().width() < NARROW;
            let mut button = |id, label: &str, tip: &str| {
                let entry = entry(COMMANDS, id);
                let words = match narrow {
                    true => entry.icon.to_owned(),
                    false => format!("{}  {label}", entry.icon),
                };
                if entry.button_saying(ui, allowed(id), egui::Button::new(words), tip) {
                    asked = Some(id);
                }
            };
            // Searches meet no opponents: they are measured side by side.
            let searches = !setup.kind.searches().is_empty();
            let (name, tip) = match searches {
                true => ("Compare solvers", "Let all solvers solve the same levels"),
                false => ("Tournament", "Let planners play many games on this level"),
            };
            button(SetupCommand::Compare, name, tip);
            if has_championship(setup.kind) {
                let entry = entry(COMMANDS, SetupCommand::Championship);
                let tip = if begun.is_some() { championship_offer::RESUME } else { entry.tip };
                button(SetupCommand::Championship, entry.label, tip);
            }
            if setup.lesson.first.is_some() {
                let entry = entry(COMMANDS, SetupCommand::Learn);
                button(SetupCommand::Learn, entry.label, setup.lesson.tip);
            }
            for id in [SetupCommand::Browse, SetupCommand::Edit] {
                let entry = entry(COMMANDS, id);
                button(id, entry.label, entry.tip);
            }
            if let Some(window) = widgets::corner_buttons(ui) {
                *modal = window;
            }
        });
        let room = ui.available_width();
        let frame = widgets::panel_frame(ui).inner_margin(Margin::same(12));
        egui::Panel::left("levels")
            .exact_size((room * 0.25).clamp(176.0, 300.0))
            .resizable(false)
            .frame(frame)
            .show(ui, |ui| {
                if let Some(SetupCommand::Select(by)) = asked {
                    setup.levels.select(by);
                }
                if levels::list(ui, setup, &results) {
                    asked = Some(SetupCommand::Play);
                }
            });
        if room < NARROW {
            egui::CentralPanel::default().frame(frame).show(ui, |ui| {
                asked = match_panel::show(
                    ui,
                    setup,
                    pieces.as_deref(),
                    &guides,
                    (Some(&results), begun),
                )
                .or(asked);
            });
            return pressed;
        }
        egui::Panel::right("rules")
            .exact_size((room * 0.31).clamp(352.0, 380.0))
            .resizable(false)
            .frame(frame)
            .show(ui, |ui| {
                asked = match_panel::show(ui, setup, pieces.as_deref(), &guides, (None, begun))
                    .or(asked)
            });
        egui::CentralPanel::default()
            .frame(egui::Frame::new().inner_margin(Margin::same(20)))
            .show(ui, |ui| level_preview::large(ui, setup, &results));
        pressed
    });
    let level = setup.programs.is_open().then(|| setup.level()).flatten();
    let others = setup.players.clone();
    if let Some((seat, player)) = setup.programs.update(ctx, setup.kind, || level, &others)
        && let Some(own) = setup.players.get_mut(seat)
    {
        *own = player;
    }
    if (setup.levels.chosen().map(|level| level.entry.id.clone()), setup.rules.clone()) != before {
        setup.check();
    }
    if pressed {
        back.write(GoBack);
        return;
    }
    match asked {
        None | Some(SetupCommand::Select(_)) => {}
        Some(SetupCommand::Edit) => {
            edit.0 = setup.levels.chosen().map(|level| level.entry.clone());
            next.set(Screen::Editor);
        }
        Some(SetupCommand::Browse) => {
            browse.back = Screen::Setup;
            browse.game = Some(setup.kind.id());
            browse.bin = false;
            browse.chosen = setup.levels.chosen().map(|level| level.entry.clone());
            next.set(Screen::Levels);
        }
        Some(SetupCommand::Compare) if !setup.kind.searches().is_empty() => {
            let Some(level) = setup.levels.chosen() else { return };
            commands.insert_resource(ChosenLevel(level.entry.clone()));
            next.set(Screen::Comparison);
        }
        Some(SetupCommand::Compare) => {
            let Some(config) = setup.config() else { return };
            commands.insert_resource(TournamentConfig {
                game: config.game,
                level: config.level,
                rules: config.rules,
            });
            next.set(Screen::Tournament);
        }
        Some(SetupCommand::Championship) if !has_championship(setup.kind) => {}
        Some(SetupCommand::Championship) => {
            let Some(config) = setup.config() else { return };
            series.write(SeriesEvent::Championship(Box::new(config)));
            sounds.write(Sound::Tick.into());
        }
        Some(SetupCommand::DiscardChampionship) => {
            series.write(SeriesEvent::DiscardChampionship(setup.kind.id()));
        }
        Some(SetupCommand::Learn) => {
            let Some(config) = setup.lesson.first.clone() else { return };
            commands.insert_resource(config);
            sounds.write(Sound::Tick.into());
            next.set(Screen::Match);
        }
        Some(start @ (SetupCommand::Play | SetupCommand::Watch | SetupCommand::Beside)) => {
            let Some(mut config) = setup.config() else { return };
            let key = setup.level_key().unwrap_or_default();
            results.losses.give_strength(setup.kind, &key, &mut config.players);
            if start != SetupCommand::Play {
                config.players =
                    watched(setup.kind, &config.players, setup.players == setup.offered);
            }
            commands.insert_resource(StartBeside(start == SetupCommand::Beside));
            commands.insert_resource(config);
            sounds.write(Sound::Tick.into());
            next.set(Screen::Match);
        }
    }
}

/// Who plays in these seats where no people do: the strongest planners take their seats, and if they are
/// `as_offered`, with an opponent for a beginner, all seats.
fn watched(kind: &dyn DynGame, players: &[Player], as_offered: bool) -> Vec<Player> {
    match as_offered {
        true => kind.without_people(&vec![Player::Human; players.len()]),
        false => kind.without_people(players),
    }
}

/// Below this width, in points, the level preview has no column of its own, and the buttons of the title bar no
/// words.
const NARROW: f32 = 980.0;

/// Adds the set-up screen.
pub fn plugin(app: &mut App) {
    app.init_resource::<ChosenPrograms>()
        .add_systems(OnEnter(Screen::Setup), enter)
        .add_systems(OnExit(Screen::Setup), leave)
        .add_systems(
            EguiPrimaryContextPass,
            screen
                .run_if(in_state(Screen::Setup).and_then(resource_exists::<Setup>))
                .in_set(Pass::Screen),
        )
        .add_systems(Update, list_added.in_set(Frame::Files).after(file_drop::paste));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn watching_keeps_the_planners_that_were_chosen_and_else_shows_the_strongest() {
        let watched = |game: &str, players: &[&str], as_offered: bool| -> Vec<String> {
            let players: Vec<Player> = players.iter().map(|&name| name.into()).collect();
            let kind = outwit_headless::find(game).unwrap();
            let watched = super::watched(kind, &players, as_offered);
            watched.iter().map(|player| player.name().to_owned()).collect()
        };
        assert_eq!(
            watched("racetrack", &["human", "novice", "optimal"], false),
            ["ace", "novice", "optimal"]
        );
        assert_eq!(watched("cops", &["runner", "chasers"], false), ["runner", "chasers"]);
        assert_eq!(watched("racetrack", &["human", "human"], false), ["optimal", "ace"]);
        assert_eq!(watched("cops", &["human", "random"], true), ["schemer", "marshal"]);
    }
}
