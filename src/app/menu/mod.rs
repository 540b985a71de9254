//! The menu, with a card per game.

mod stages;

use crate::app::requests::{Browse, ChosenGame, Screen, StartLeague};
use crate::app::shell::commands::{Chord, Command, KeyGroup, command, entry, key, pressed, rows};
use crate::app::shell::everywhere::{HELP, QUIT};
use crate::app::shell::file_drop;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::preview;
use crate::app::shell::records::Results;
use crate::app::shell::rivals::{BeatenRivals, first_players};
use crate::app::shell::scene::Scenes;
use crate::app::shell::seats::seat_title;
use crate::app::shell::settings::{Motion, Settings};
use crate::app::shell::theme::{palette, palette_of, space, text};
use crate::app::shell::widgets::{self, counted};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Rect, RichText, pos2, vec2};
use egui_phosphor::regular as icon;
use outwit_core::grid::Grid;
use outwit_core::play::Player;
use outwit_headless::GAMES;
use outwit_kit::{DynGame, TileStyle};
use outwit_levels::{Entry, Source};
use stages::Stages;

/// The card of a game.
struct Card {
    kind: &'static dyn DynGame,
    /// How far the player has come.
    /// How far the player has come, in words for a wide card and for a narrow one.
    progress: [String; 2],
    picture: Option<(Entry, Grid<TileStyle>)>,
}

/// Frames for which the menu has plain pictures only: to draw others at the same time would delay it.
const PLAIN: u8 = 3;

/// The state of the menu.
#[derive(Resource)]
struct Menu {
    cards: Vec<Card>,
    pictures: preview::Pictures,
    fresh: bool,
    /// Frames shown so far, up to [`PLAIN`].
    frames: u8,
}

fn enter(
    mut commands: Commands,
    pictures: preview::PictureMaker,
    scenes: Option<Res<Scenes>>,
    settings: Res<Settings>,
    results: Res<Results>,
) {
    commands.insert_resource(Menu {
        cards: GAMES
            .iter()
            .copied()
            .map(|kind| {
                let picture = scenes.as_ref().and_then(|scenes| {
                    let level = scenes.0.get(kind.id())?.level;
                    let source = Source::Draft(level.into());
                    let entry = Entry { id: format!("{}/card", kind.id()), source };
                    let info = kind.describe(level.as_bytes(), entry.stem()).ok()?;
                    Some((entry, info.looks))
                });
                Card { kind, progress: progress(kind, &settings.beaten, &results), picture }
            })
            .collect(),
        pictures: pictures.make(),
        fresh: true,
        frames: 0,
    });
}

/// How far the player has come in a game: the next rival, or in a puzzle how many levels have a result.
fn progress(kind: &dyn DynGame, beaten: &BeatenRivals, results: &Results) -> [String; 2] {
    if *kind.facts().seats.allowed.end() == 1 {
        return match results.levels(kind.id()) {
            0 => Default::default(),
            done => [format!("{} done", counted(done as u64, "level")), format!("{done} done")],
        };
    }
    let is_beaten = |name: &str| beaten.get(kind.id()).is_some_and(|beaten| beaten.contains(name));
    let next = first_players(kind, beaten).into_iter().find(|player| *player != Player::Human);
    match next {
        Some(rival) if !is_beaten(rival.name()) => {
            let rival = seat_title(rival.name());
            [format!("Next rival: {rival}"), format!("Next: {rival}")]
        }
        Some(_) => ["All rivals beaten".into(), "All beaten".into()],
        None => Default::default(),
    }
}

fn leave(mut commands: Commands) {
    commands.remove_resource::<Menu>();
}

/// The user's choice in the menu.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    /// The game on the card of this index.
    Play(usize),
    Editor,
    Levels,
    Replays,
    Daily,
    League,
    Settings,
    Help,
    Quit,
}

const fn play(card: usize, digit: &'static [Chord]) -> Command<Choice> {
    command(Choice::Play(card), digit, "Set up a game")
}

/// How many games have a key.
const DIGITS: usize = 9;

const COMMANDS: &[Command<Choice>] = &[
    play(0, &[key(KeyCode::Digit1)]),
    play(1, &[key(KeyCode::Digit2)]),
    play(2, &[key(KeyCode::Digit3)]),
    play(3, &[key(KeyCode::Digit4)]),
    play(4, &[key(KeyCode::Digit5)]),
    play(5, &[key(KeyCode::Digit6)]),
    play(6, &[key(KeyCode::Digit7)]),
    play(7, &[key(KeyCode::Digit8)]),
    play(8, &[key(KeyCode::Digit9)]),
    command(Choice::Levels, &[key(KeyCode::KeyL)], "Level browser")
        .label("Levels")
        .icon(icon::SQUARES_FOUR),
    command(Choice::Replays, &[key(KeyCode::KeyR)], "Replays: watch matches again")
        .label("Replays")
        .icon(icon::FILM_STRIP)
        .tip("Watch the last matches and those that you saved"),
    command(Choice::Editor, &[key(KeyCode::KeyE)], "Level editor")
        .label("Editor")
        .icon(icon::PENCIL_RULER),
    command(Choice::Daily, &[key(KeyCode::KeyD)], "Levels of the day")
        .label("Daily")
        .icon(icon::CALENDAR_CHECK)
        .tip("A level per game and day, the same for everybody"),
    command(Choice::League, &[key(KeyCode::KeyG)], "League: watch planners play on")
        .label("League")
        .icon(icon::TROPHY)
        .tip("Watch planners play match after match. Esc leads to the table"),
];

/// The keys of the menu, for help and manual.
pub fn key_group() -> KeyGroup {
    let (games, others) = COMMANDS.split_at(DIGITS);
    let games = rows(&games[..GAMES.len().min(DIGITS)]);
    KeyGroup { title: "Menu", rows: [games, rows(others), file_drop::keys()].concat() }
}

/// What the matches on the cards need.
#[derive(bevy::ecs::system::SystemParam)]
struct Show<'w> {
    stages: ResMut<'w, Stages>,
    scenes: Option<Res<'w, Scenes>>,
    pieces: Option<Res<'w, Pieces>>,
    settings: Res<'w, Settings>,
}

fn screen(
    mut contexts: EguiContexts,
    mut menu: ResMut<Menu>,
    mut show: Show,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
    mut browse: ResMut<Browse>,
    mut exit: MessageWriter<AppExit>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let mut choice = pressed(ctx, COMMANDS);
    let plain = menu.frames < PLAIN;
    if plain {
        menu.frames += 1;
        ctx.request_repaint();
    }
    menu.pictures.waits = plain;
    if let Some(scenes) = show.scenes.as_ref().filter(|_| !plain) {
        show.stages.prepare(ctx, scenes, show.settings.motion == Motion::Full);
    }
    widgets::page(ctx, |ui| {
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let sizes = sizes(ui.available_size(), menu.cards.len());
            ui.add_space(((ui.available_height() - sizes.height) / 2.0).max(space::SMALL));
            title(ui, sizes.tight);
            ui.add_space(sizes.gap);
            if let Some(chosen) = cards(ui, &mut menu, &mut show, &sizes) {
                choice = Some(chosen);
            }
            ui.add_space(sizes.gap - space::LARGE);
            if let Some(chosen) = foot(ui) {
                choice = Some(chosen);
            }
        });
    });
    match choice {
        None => {}
        Some(Choice::Play(card)) => {
            if let Some(card) = menu.cards.get(card) {
                commands.insert_resource(ChosenGame(card.kind.id()));
                next.set(Screen::Setup);
            }
        }
        Some(Choice::Editor) => next.set(Screen::Editor),
        Some(Choice::Levels) => {
            browse.back = Screen::Menu;
            browse.game = None;
            browse.bin = false;
            next.set(Screen::Levels);
        }
        Some(Choice::League) => {
            commands.insert_resource(StartLeague(true));
            next.set(Screen::League);
        }
        Some(Choice::Daily) => next.set(Screen::Daily),
        Some(Choice::Replays) => next.set(Screen::Replays),
        Some(Choice::Settings) => next.set(Screen::Settings),
        Some(Choice::Help) => next.set(Screen::Help),
        Some(Choice::Quit) => {
            exit.write(AppExit::Success);
        }
    }
}

/// The name, and where there is room what it is.
fn title(ui: &mut egui::Ui, tight: bool) {
    let palette = palette(ui);
    let name = RichText::new("Outwit").text_style(text::title());
    let tagline = RichText::new("Play grid games against AI planners, and see how they think.")
        .color(palette.faint.egui());
    if tight {
        // Both on one line, in the middle.
        ui.vertical_centered(|ui| {
            let mut line = egui::text::LayoutJob::default();
            let style = ui.style().clone();
            name.size(28.0).append_to(
                &mut line,
                &style,
                egui::FontSelection::Default,
                egui::Align::Center,
            );
            line.append("   ", 0.0, egui::TextFormat::default());
            tagline.append_to(&mut line, &style, egui::FontSelection::Default, egui::Align::Center);
            ui.label(line);
        });
        return;
    }
    ui.vertical_centered(|ui| {
        ui.label(name);
        ui.label(tagline.size(16.0));
    });
}

/// Sizes of the cards.
struct Sizes {
    card: egui::Vec2,
    columns: usize,
    /// Space above and below the cards.
    gap: f32,
    /// Whether there is room for little but the cards.
    tight: bool,
    /// Height of the whole menu.
    height: f32,
}

fn sizes(room: egui::Vec2, games: usize) -> Sizes {
    let width = (room.x - 2.0 * space::PAGE).min(WIDEST);
    let columns = ((width / 250.0) as usize).clamp(1, games.clamp(1, 3));
    let card = (width - (columns - 1) as f32 * space::LARGE) / columns as f32;
    let rows = games.div_ceil(columns).max(1) as f32;
    let tight = room.y < TIGHT;
    let gap = space::LARGE * if tight { 1.0 } else { 2.0 };
    // Title, footer and gaps, for which the cards leave room if they can.
    let title = if tight { 40.0 } else { 92.0 };
    let rest = title + 2.0 * gap + 68.0 + (rows - 1.0) * space::LARGE + 2.0 * space::SMALL;
    let height = ((room.y - rest) / rows).clamp(LOWEST, 0.8 * card).max(LOWEST);
    Sizes { card: vec2(card, height), columns, gap, tight, height: rest + rows * height }
}

fn cards(ui: &mut egui::Ui, menu: &mut Menu, show: &mut Show, sizes: &Sizes) -> Option<Choice> {
    let Menu { cards, pictures, fresh, .. } = menu;
    let mut choice = None;
    let numbered: Vec<_> = cards.iter().enumerate().collect();
    for row in numbered.chunks(sizes.columns) {
        let gaps = (row.len() - 1) as f32 * space::LARGE;
        let side = (ui.available_width() - row.len() as f32 * sizes.card.x - gaps) / 2.0;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space::LARGE;
            ui.add_space(side);
            for (index, card) in row {
                let play = Choice::Play(*index);
                let response = game_card(ui, sizes.card, play, card, (&mut *pictures, &mut *show));
                if response.hovered() || response.has_focus() {
                    let hovered = response.hovered();
                    show.stages.look_at(card.kind.id(), hovered);
                }
                // So that arrow keys and Enter work at once.
                if std::mem::take(fresh) {
                    response.request_focus();
                }
                if response.clicked() {
                    choice = Some(play);
                }
            }
        });
        ui.add_space(space::LARGE);
    }
    choice
}

fn game_card(
    ui: &mut egui::Ui,
    size: egui::Vec2,
    play: Choice,
    card: &Card,
    (pictures, show): (&mut preview::Pictures, &mut Show),
) -> egui::Response {
    widgets::pressable(ui, size, false, card.kind.name(), |ui, rect| {
        let palette = palette(ui);
        // A low card has no room for what the game is about.
        let is_low = size.y < LOW;
        let words = if is_low { WORDS - ABOUT } else { WORDS };
        let picture = Rect::from_min_max(
            rect.min + vec2(2.0, 2.0),
            pos2(rect.right() - 2.0, rect.bottom() - words),
        );
        let game = card.kind.id();
        let own = palette_of(ui.ctx(), game);
        ui.painter().rect_filled(picture, widgets::CORNER, own.board.egui());
        let shown = show
            .pieces
            .as_deref()
            .is_some_and(|pieces| show.stages.paint(ui.painter(), picture, own, pieces, game));
        if let Some((entry, looks)) = card.picture.as_ref().filter(|_| !shown) {
            let level = preview::Thumbnail::of(game, entry, looks);
            pictures.paint(ui.painter(), picture, &level, own);
        }
        let words = Rect::from_min_max(
            pos2(rect.left() + 16.0, picture.bottom() + 8.0),
            rect.max - vec2(16.0, 10.0),
        );
        widgets::inside(ui, words, |ui| {
            // The card is one control; its lines need no room for fingers.
            ui.spacing_mut().interact_size.y = 0.0;
            ui.label(RichText::new(card.kind.name()).heading());
            if !is_low {
                let font = egui::TextStyle::Body.resolve(ui.style());
                let about = card.kind.facts().about.to_owned();
                let mut job =
                    egui::text::LayoutJob::simple(about, font, palette.text.egui(), words.width());
                job.wrap.max_rows = 2;
                ui.label(job);
            }
            ui.with_layout(egui::Layout::bottom_up(egui::Align::Min), |ui| {
                ui.horizontal(|ui| {
                    let words = format!("Play  {}", icon::ARROW_RIGHT);
                    ui.label(
                        RichText::new(words)
                            .text_style(text::section())
                            .color(palette.accent.egui()),
                    );
                    ui.add_space(space::SMALL);
                    for key in COMMANDS.iter().filter(|entry| entry.id == play) {
                        key.caps(ui);
                    }
                    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                        let font = egui::TextStyle::Body.resolve(ui.style());
                        let ink = palette.faint.egui();
                        let [long, short] = &card.progress;
                        let whole = ui.painter().layout_no_wrap(long.clone(), font, ink);
                        let fits = whole.size().x <= ui.available_width();
                        let words = RichText::new(if fits { long } else { short }).color(ink);
                        ui.add(egui::Label::new(words).truncate());
                    });
                });
            });
        });
    })
}

/// Height of a window without room for more than the cards, in points.
const TIGHT: f32 = 720.0;
/// Width of all cards of a row on a large screen, in points.
const WIDEST: f32 = 1640.0;
/// The least height of a card, in points.
const LOWEST: f32 = 180.0;
/// Height of the words on a card, in points, and of what the game is about among them.
const WORDS: f32 = 122.0;
const ABOUT: f32 = 40.0;
/// Height of a card below which it does not say that, in points.
const LOW: f32 = 210.0;

/// Width of a button below which the buttons stand in two rows, in points.
const NARROWEST: f32 = 76.0;
/// Width of a button that has room for an icon beside its words, in points.
const ICONS: f32 = 104.0;

fn foot(ui: &mut egui::Ui) -> Option<Choice> {
    let commands = [
        Choice::Daily,
        Choice::League,
        Choice::Replays,
        Choice::Levels,
        Choice::Editor,
        Choice::Settings,
    ];
    // A page is closed with its tab.
    let quit = (!cfg!(target_arch = "wasm32")).then_some(Choice::Quit);
    let all: Vec<Choice> = commands.into_iter().chain([Choice::Help]).chain(quit).collect();
    let room_of = |columns: usize| {
        let gaps = (columns - 1) as f32 * space::MEDIUM;
        (ui.available_width() - gaps - 2.0 * space::SMALL) / columns as f32
    };
    let columns = if room_of(all.len()) < NARROWEST { all.len().div_ceil(2) } else { all.len() };
    let room = room_of(columns);
    let button = vec2(room.min(112.0), 32.0);
    let gaps = (columns - 1) as f32 * space::MEDIUM;
    let mut choice = None;
    for row in all.chunks(columns) {
        ui.horizontal(|ui| {
            ui.add_space((ui.available_width() - columns as f32 * button.x - gaps) / 2.0);
            for &id in row {
                let face = |icon: &str, words: &str| {
                    let words =
                        if room < ICONS { words.into() } else { format!("{icon}  {words}") };
                    egui::Button::new(words).min_size(button)
                };
                let pressed = match id {
                    Choice::Settings => ui.add(face(icon::GEAR, "Settings")).clicked(),
                    Choice::Help => HELP.button(ui, Ok(()), face(HELP.icon, HELP.label)),
                    Choice::Quit => QUIT.button(ui, Ok(()), face(QUIT.icon, QUIT.label)),
                    id => {
                        let entry = entry(COMMANDS, id);
                        entry.button(ui, Ok(()), face(entry.icon, entry.label))
                    }
                };
                if pressed {
                    choice = Some(id);
                }
            }
        });
    }
    choice
}

/// Adds the screen that the program opens with.
pub fn plugin(app: &mut App) {
    app.init_resource::<Stages>()
        .add_systems(OnEnter(Screen::Menu), enter)
        .add_systems(OnExit(Screen::Menu), leave)
        .add_systems(
            EguiPrimaryContextPass,
            screen
                .run_if(in_state(Screen::Menu).and_then(resource_exists::<Menu>))
                .in_set(crate::app::shell::Pass::Screen),
        );
}
