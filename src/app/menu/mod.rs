//! The menu, with a card per game.

use crate::app::level_browser::Browse;
use crate::app::setup::ChosenGame;
use crate::app::shell::Screen;
use crate::app::shell::preview;
use crate::app::shell::theme::{Palette, palette, space, text};
use crate::app::shell::widgets;
use crate::games::{DynGame, GAMES, TileStyle};
use crate::grid::Grid;
use crate::levels::{built_in, capitalised};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Align2, FontId, Rect, RichText, Stroke, TextStyle, pos2, vec2};

/// Announced games: name and a sentence.
const COMING: &[(&str, &str)] = &[
    ("Pukoban", "Push and pull boxes to their goals."),
    ("Stealth", "Draw a path past the guards."),
    ("m,n,k", "From tic-tac-toe to gomoku."),
];

/// The card of a game.
struct Card {
    kind: &'static dyn DynGame,
    picture: Option<Grid<TileStyle>>,
}

/// The state of the menu.
#[derive(Resource)]
struct Menu {
    cards: Vec<Card>,
    pictures: preview::Pictures,
    fresh: bool,
}

fn enter(mut commands: Commands) {
    let card = |kind: &'static dyn DynGame| {
        let first = kind.first_level();
        let picture = built_in(&first)
            .and_then(|entry| kind.describe(&entry.bytes().ok()?, entry.stem()).ok())
            .map(|info| info.looks);
        Card { kind, picture }
    };
    commands.insert_resource(Menu {
        cards: GAMES
            .iter()
            .filter(|game| crate::app::boards::has_board(game.kind.id()))
            .map(|game| card(game.kind))
            .collect(),
        pictures: preview::Pictures::default(),
        fresh: true,
    });
}

fn leave(mut commands: Commands) {
    commands.remove_resource::<Menu>();
}

/// The user's choice in the menu.
enum Choice {
    Play(&'static dyn DynGame),
    Editor,
    Levels,
    Settings,
    Help,
    Quit,
}

fn screen(
    mut contexts: EguiContexts,
    mut menu: ResMut<Menu>,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
    mut browse: ResMut<Browse>,
    mut exit: MessageWriter<AppExit>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let mut choice = number_key(ctx, &menu).or_else(|| letter_key(ctx));
    widgets::page(ctx, |ui| {
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let sizes = sizes(ui.available_size(), menu.cards.len());
            ui.add_space(((ui.available_height() - sizes.height) / 2.0).max(space::MEDIUM));
            title(ui);
            ui.add_space(space::LARGE * 1.5);
            if let Some(chosen) = cards(ui, &mut menu, &sizes) {
                choice = Some(chosen);
            }
            ui.add_space(space::LARGE * 1.5);
            if let Some(chosen) = foot(ui) {
                choice = Some(chosen);
            }
        });
    });
    match choice {
        None => {}
        Some(Choice::Play(kind)) => {
            commands.insert_resource(ChosenGame(kind.id()));
            next.set(Screen::Setup);
        }
        Some(Choice::Editor) => next.set(Screen::Editor),
        Some(Choice::Levels) => {
            browse.back = Screen::Menu;
            browse.game = None;
            browse.bin = false;
            next.set(Screen::Levels);
        }
        Some(Choice::Settings) => next.set(Screen::Settings),
        Some(Choice::Help) => next.set(Screen::Help),
        Some(Choice::Quit) => {
            exit.write(AppExit::Success);
        }
    }
}

fn number_key(ctx: &egui::Context, menu: &Menu) -> Option<Choice> {
    use egui::Key::{Num1, Num2, Num3, Num4, Num5};
    let pressed = [Num1, Num2, Num3, Num4, Num5]
        .into_iter()
        .position(|key| ctx.input(|input| input.key_pressed(key)))?;
    menu.cards.get(pressed).map(|card| Choice::Play(card.kind))
}

fn letter_key(ctx: &egui::Context) -> Option<Choice> {
    let pressed = |key| ctx.input(|input| input.key_pressed(key));
    if pressed(egui::Key::L) {
        return Some(Choice::Levels);
    }
    pressed(egui::Key::E).then_some(Choice::Editor)
}

fn title(ui: &mut egui::Ui) {
    let palette = palette(ui);
    ui.vertical_centered(|ui| {
        ui.label(RichText::new("Outwit").text_style(text::title()));
        ui.label(
            RichText::new("Play grid games against AI planners, and see how they think.")
                .size(16.0)
                .color(palette.faint.egui()),
        );
    });
}

/// Sizes of the cards: large ones for games, small ones for announced games.
struct Sizes {
    large: egui::Vec2,
    small: egui::Vec2,
    columns: usize,
    width: f32,
    /// Height of the whole menu.
    height: f32,
}

fn sizes(room: egui::Vec2, games: usize) -> Sizes {
    const SMALL: f32 = 108.0;
    let width = (room.x - 2.0 * space::PAGE).min(960.0);
    let columns = if width < 700.0 { 2 } else { COMING.len().clamp(1, 4) };
    let games = games.max(1) as f32;
    let small = (width - (columns - 1) as f32 * space::LARGE) / columns as f32;
    let rows = COMING.len().div_ceil(columns) as f32;
    // Title, footer and gaps, for which the games' cards leave room if they can.
    let gaps = (games - 1.0) * space::LARGE;
    let rest = 200.0 + 2.0 * space::PAGE + rows * (SMALL + space::LARGE) + gaps;
    let large = ((room.y - rest) / games).clamp(168.0, 260.0);
    Sizes {
        large: vec2(width, large),
        small: vec2(small, SMALL),
        columns,
        width,
        height: rest + games * large - 2.0 * space::PAGE,
    }
}

fn cards(ui: &mut egui::Ui, menu: &mut Menu, sizes: &Sizes) -> Option<Choice> {
    let side = (ui.available_width() - sizes.width) / 2.0;
    let Menu { cards, pictures, fresh } = menu;
    let mut choice = None;
    for (number, card) in (1..).zip(cards.iter()) {
        ui.horizontal(|ui| {
            ui.add_space(side);
            let response = game_card(ui, sizes.large, number, card, pictures);
            // So that arrow keys and Enter work at once.
            if std::mem::take(fresh) {
                response.request_focus();
            }
            if response.clicked() {
                choice = Some(Choice::Play(card.kind));
            }
        });
        ui.add_space(space::LARGE);
    }
    for row in COMING.chunks(sizes.columns) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space::LARGE;
            ui.add_space(side);
            for (name, about) in row {
                coming_card(ui, sizes.small, name, about);
            }
        });
        ui.add_space(space::MEDIUM);
    }
    choice
}

fn game_card(
    ui: &mut egui::Ui,
    size: egui::Vec2,
    number: usize,
    card: &Card,
    pictures: &mut preview::Pictures,
) -> egui::Response {
    widgets::pressable(ui, size, false, card.kind.name(), |ui, rect| {
        let palette = palette(ui);
        let picture = Rect::from_min_max(
            rect.min + vec2(2.0, 2.0),
            pos2(rect.left() + rect.width() * 0.52, rect.bottom() - 2.0),
        );
        ui.painter().rect_filled(picture, widgets::CORNER, palette.board.egui());
        if let Some(looks) = &card.picture {
            let inner = picture.shrink(14.0);
            pictures.paint(ui.painter(), inner, card.kind.id(), looks, palette);
        }
        let words = Rect::from_min_max(
            pos2(picture.right() + 24.0, rect.top() + 16.0),
            rect.max - vec2(24.0, 14.0),
        );
        widgets::inside(ui, words, |ui| {
            ui.label(RichText::new(card.kind.name()).heading());
            ui.add_space(space::SMALL);
            ui.label(card.kind.about());
            let planners = card.kind.planners();
            if !planners.is_empty() {
                ui.add_space(space::SMALL);
                let names: Vec<_> =
                    planners.iter().map(|planner| capitalised(planner.name)).collect();
                let words = format!("Planners: {}", names.join(", "));
                let faint = RichText::new(&words).color(palette.faint.egui());
                // A low card has room for only one line.
                let label = egui::Label::new(faint);
                if rect.height() < ROOMY {
                    ui.add(label.truncate()).on_hover_text(words);
                } else {
                    ui.add(label);
                }
            }
            ui.with_layout(egui::Layout::bottom_up(egui::Align::Min), |ui| {
                ui.horizontal(|ui| {
                    let play = format!("Play  {}", egui_phosphor::regular::ARROW_RIGHT);
                    ui.label(
                        RichText::new(play)
                            .text_style(text::section())
                            .color(palette.accent.egui()),
                    );
                    ui.add_space(space::SMALL);
                    widgets::key_cap(ui, &number.to_string());
                });
            });
        });
    })
}

/// From this height on, a card has room for two lines of planners.
const ROOMY: f32 = 190.0;

/// Draws the card of an announced game, which cannot be clicked.
fn coming_card(ui: &mut egui::Ui, size: egui::Vec2, name: &str, about: &str) {
    let palette: &Palette = palette(ui);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let painter = ui.painter();
    painter.rect_filled(rect, widgets::CORNER, palette.board.egui());
    widgets::dashed_frame(painter, rect, Stroke::new(1.0, palette.line.egui()));
    let inner = rect.shrink(14.0);
    widgets::inside(ui, inner, |ui| {
        ui.spacing_mut().item_spacing.y = space::SMALL;
        ui.label(RichText::new(name).text_style(text::section()).color(palette.faint.egui()));
        ui.label(RichText::new(about).text_style(TextStyle::Small).color(palette.faint.egui()));
    });
    ui.painter().text(
        inner.left_bottom(),
        Align2::LEFT_BOTTOM,
        "coming soon",
        FontId::proportional(11.0),
        palette.faint.egui(),
    );
}

fn foot(ui: &mut egui::Ui) -> Option<Choice> {
    const BUTTON: egui::Vec2 = vec2(112.0, 32.0);
    let mut choice = None;
    let width = 5.0 * BUTTON.x + 4.0 * space::MEDIUM;
    ui.horizontal(|ui| {
        ui.add_space((ui.available_width() - width) / 2.0);
        use egui_phosphor::regular::{GEAR, PENCIL_RULER, QUESTION, SIGN_OUT, SQUARES_FOUR};
        let mut button = |icon: &str, words: &str, key: &str| {
            let button = egui::Button::new(format!("{icon}  {words}")).min_size(BUTTON);
            let response = ui.add(button);
            if !key.is_empty() {
                return response.on_hover_ui(|ui| widgets::hint_with_key(ui, words, key)).clicked();
            }
            response.clicked()
        };
        if button(SQUARES_FOUR, "Levels", "L") {
            choice = Some(Choice::Levels);
        }
        if button(PENCIL_RULER, "Editor", "E") {
            choice = Some(Choice::Editor);
        }
        if button(GEAR, "Settings", "") {
            choice = Some(Choice::Settings);
        }
        if button(QUESTION, "Help", "?") {
            choice = Some(Choice::Help);
        }
        if button(SIGN_OUT, "Quit", "Ctrl+Q") {
            choice = Some(Choice::Quit);
        }
    });
    choice
}

/// Adds the menu.
pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Menu), enter)
        .add_systems(OnExit(Screen::Menu), leave)
        .add_systems(
            EguiPrimaryContextPass,
            screen
                .run_if(in_state(Screen::Menu).and_then(resource_exists::<Menu>))
                .in_set(crate::app::shell::Pass::Screen),
        );
}
