//! The levels of the day, one for each game that can be played alone: play them, and pass on the results. It names
//! no game.

use crate::app::requests::{MatchConfig, Modal, Screen};
use crate::app::shell::Pass;
use crate::app::shell::commands::{Chord, Command, KeyGroup, command, entry, key, pressed, rows};
use crate::app::shell::daily::{self, DailyResults};
use crate::app::shell::navigation::GoBack;
use crate::app::shell::notice::Notice;
use crate::app::shell::preview::{self, Thumbnail};
use crate::app::shell::settings::Settings;
use crate::app::shell::sound::{PlaySound, Sound};
use crate::app::shell::theme::{palette, palette_of, space, text};
use crate::app::shell::when;
use crate::app::shell::widgets::{self, counted};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Margin, Rect, RichText, pos2, vec2};
use egui_phosphor::regular as icon;
use outwit_core::platform::task::Task;
use outwit_core::platform::time::Duration;
use outwit_core::play::Player;
use outwit_kit::{DynGame, LevelInfo};
use outwit_levels::Entry;

/// What the user can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    /// To play the level on the card of this index.
    Play(usize),
    /// To copy all results of the day.
    Copy,
}

const fn play(card: usize, digit: &'static [Chord]) -> Command<Choice> {
    command(Choice::Play(card), digit, "Play a level of the day")
}

const COMMANDS: &[Command<Choice>] = &[
    play(0, &[key(KeyCode::Digit1)]),
    play(1, &[key(KeyCode::Digit2)]),
    play(2, &[key(KeyCode::Digit3)]),
    command(Choice::Copy, &[key(KeyCode::KeyC)], "Copy your results of the day")
        .label("Copy results")
        .icon(icon::COPY)
        .tip("Copy your results as text, a line for each game"),
];

/// The keys of the screen, for help and manual.
pub fn key_group() -> KeyGroup {
    KeyGroup { title: "Level of the day", rows: rows(COMMANDS) }
}

/// The level of a game, made in the background.
struct Card {
    kind: &'static dyn DynGame,
    level: Task<Result<(Entry, LevelInfo), String>>,
}

impl Card {
    fn new(kind: &'static dyn DynGame, day: u64) -> Self {
        let level = Task::begin(move |_| {
            let entry = daily::level(kind, day)?;
            let bytes = entry.bytes().map_err(|error| error.to_string())?;
            let info = kind.describe(&bytes, entry.stem());
            Ok((
                entry,
                info.map_err(|faults| faults.first().map(ToString::to_string).unwrap_or_default())?,
            ))
        });
        Self { kind, level }
    }

    fn entry(&self) -> Option<&(Entry, LevelInfo)> {
        self.level.get()?.as_ref().ok()
    }
}

/// The state of the screen.
#[derive(Resource)]
struct Daily {
    day: u64,
    cards: Vec<Card>,
    pictures: preview::Pictures,
}

impl Daily {
    fn on(day: u64, pictures: preview::Pictures) -> Self {
        Self { day, cards: daily::games().map(|kind| Card::new(kind, day)).collect(), pictures }
    }

    /// The results of the day, a line for each game; empty before the first.
    fn lines(&self, results: &DailyResults) -> String {
        let lines = self.cards.iter().filter_map(|card| {
            let best = results.best(card.kind.id(), self.day)?;
            Some(best.line(card.kind, self.day))
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The match on the level of a card.
    fn config(&self, card: usize, settings: &Settings) -> Option<MatchConfig> {
        let card = self.cards.get(card)?;
        let (entry, _) = card.entry()?;
        Some(MatchConfig {
            players: vec![Player::Human],
            seed: self.day,
            budget: settings.budget(),
            daily: Some(self.day),
            back: Screen::Daily,
            ..MatchConfig::new(card.kind.id(), entry.clone())
        })
    }
}

fn enter(mut commands: Commands, pictures: preview::PictureMaker) {
    commands.insert_resource(Daily::on(daily::today(), pictures.make()));
}

fn leave(mut commands: Commands) {
    commands.remove_resource::<Daily>();
}

#[allow(clippy::too_many_arguments)]
fn screen(
    mut contexts: EguiContexts,
    mut state: ResMut<Daily>,
    results: Res<DailyResults>,
    settings: Res<Settings>,
    pictures: preview::PictureMaker,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
    mut back: MessageWriter<GoBack>,
    mut modal: ResMut<Modal>,
    mut notices: MessageWriter<Notice>,
    mut sounds: MessageWriter<PlaySound>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    if state.day != daily::today() {
        *state = Daily::on(daily::today(), pictures.make());
    }
    if state.cards.iter().any(|card| !card.level.is_done()) {
        ctx.request_repaint_after(Duration::from_millis(60));
    }
    let mut choice = pressed(ctx, COMMANDS).filter(|_| *modal == Modal::None);
    let lines = state.lines(&results);
    let left = widgets::page(ctx, |ui| {
        let narrow = ui.available_width() < NARROW;
        let date = when::day(state.day);
        let title = if narrow { date } else { format!("Level of the day, {date}") };
        let left = widgets::title_bar(ui, &title, |ui| {
            let entry = entry(COMMANDS, Choice::Copy);
            let words = match narrow {
                true => entry.icon.to_owned(),
                false => format!("{}  {}", entry.icon, entry.label),
            };
            let able =
                if lines.is_empty() { Err("There is no result of today yet") } else { Ok(()) };
            if entry.button(ui, able, egui::Button::new(words)) {
                choice = Some(Choice::Copy);
            }
            if let Some(window) = widgets::corner_buttons(ui) {
                *modal = window;
            }
        });
        egui::CentralPanel::default()
            .frame(egui::Frame::new().inner_margin(Margin::same(20)))
            .show(ui, |ui| {
                egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                    about(ui);
                    ui.add_space(space::MEDIUM);
                    if let Some(card) = cards(ui, &mut state, &results) {
                        choice = Some(Choice::Play(card));
                    }
                });
            });
        left
    });
    if left {
        back.write(GoBack);
        return;
    }
    match choice {
        None => {}
        Some(Choice::Copy) if lines.is_empty() => {}
        Some(Choice::Copy) => {
            ctx.copy_text(lines);
            notices.write(Notice::info("Results copied."));
        }
        Some(Choice::Play(card)) => {
            if let Some(config) = state.config(card, &settings) {
                commands.insert_resource(config);
                sounds.write(Sound::Tick.into());
                next.set(Screen::Match);
            }
        }
    }
}

/// What the level of the day is, and when the next one comes.
fn about(ui: &mut egui::Ui) {
    let minutes = daily::seconds_left() / 60;
    let time = match minutes / 60 {
        0 => counted(minutes.max(1), "minute"),
        hours => counted(hours, "hour"),
    };
    ui.label(
        "One level per game and day, the same for everybody with this version of Outwit. Your best result of \
         the day is kept; hints and help do not count.",
    );
    widgets::hint(ui, format!("The next ones come in {time}, at 00:00 UTC."));
}

/// Width of a window below which the title bar has room for little, in points.
const NARROW: f32 = 860.0;
/// Least width of a card and its height, in points.
const WIDTH: f32 = 270.0;
const HEIGHT: f32 = 330.0;
/// Height of the words on a card, in points.
const WORDS: f32 = 128.0;

/// The cards; returns which one is to be played.
fn cards(ui: &mut egui::Ui, state: &mut Daily, results: &DailyResults) -> Option<usize> {
    let mut chosen = None;
    let columns = ((ui.available_width() / WIDTH) as usize).clamp(1, state.cards.len().max(1));
    let gaps = (columns - 1) as f32 * space::LARGE;
    let width = ((ui.available_width() - gaps) / columns as f32).min(420.0);
    let Daily { day, cards, pictures } = state;
    let numbered: Vec<_> = cards.iter().enumerate().collect();
    for row in numbered.chunks(columns) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space::LARGE;
            for (at, card) in row {
                let best = results.best(card.kind.id(), *day).map(daily::DailyResult::words);
                if one(ui, width, (*at, card), best, pictures).clicked() {
                    chosen = Some(*at);
                }
            }
        });
        ui.add_space(space::LARGE);
    }
    chosen
}

fn one(
    ui: &mut egui::Ui,
    width: f32,
    (at, card): (usize, &Card),
    best: Option<String>,
    pictures: &mut preview::Pictures,
) -> egui::Response {
    widgets::pressable(ui, vec2(width, HEIGHT), false, card.kind.name(), |ui, rect| {
        let palette = palette(ui);
        let corner = pos2(rect.right() - 2.0, rect.bottom() - WORDS);
        let picture = Rect::from_min_max(rect.min + vec2(2.0, 2.0), corner);
        let own = palette_of(ui.ctx(), card.kind.id());
        ui.painter().rect_filled(picture, widgets::CORNER, own.board.egui());
        if let Some((entry, info)) = card.entry() {
            let level = Thumbnail::of(&entry.id, entry, &info.looks);
            pictures.paint(ui.painter(), picture.shrink(6.0), &level, own);
        }
        let from = pos2(rect.left() + 16.0, picture.bottom() + 8.0);
        widgets::inside(ui, Rect::from_min_max(from, rect.max - vec2(16.0, 10.0)), |ui| {
            ui.heading(card.kind.name());
            match (card.level.get(), best) {
                (Some(Err(why)), _) => drop(widgets::fault(ui, why.clone())),
                (_, Some(best)) => {
                    ui.label(
                        RichText::new(format!("Your best today: {best}"))
                            .text_style(text::strong()),
                    );
                }
                (None, None) => drop(widgets::hint(ui, "Drawing the level")),
                (Some(Ok((_, info))), None) => {
                    let size = format!("{} × {}", info.looks.width(), info.looks.height());
                    widgets::hint(ui, format!("{size}, not finished today"));
                }
            }
            ui.with_layout(egui::Layout::bottom_up(egui::Align::Min), |ui| {
                ui.horizontal(|ui| {
                    let words = format!("Play  {}", icon::ARROW_RIGHT);
                    let words = RichText::new(words).text_style(text::section());
                    ui.label(words.color(palette.accent.egui()));
                    ui.add_space(space::SMALL);
                    for key in COMMANDS.iter().filter(|entry| entry.id == Choice::Play(at)) {
                        key.caps(ui);
                    }
                });
            });
        });
    })
}

/// Adds the screen of the levels of the day.
pub fn plugin(app: &mut App) {
    app.init_resource::<DailyResults>()
        .add_systems(OnEnter(Screen::Daily), enter)
        .add_systems(OnExit(Screen::Daily), leave)
        .add_systems(
            EguiPrimaryContextPass,
            screen
                .run_if(in_state(Screen::Daily).and_then(resource_exists::<Daily>))
                .in_set(Pass::Screen),
        );
}
