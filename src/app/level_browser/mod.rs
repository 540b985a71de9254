//! The level browser: finds, plays, edits, copies and deletes the levels of all games. It names no
//! game.

mod actions;
mod card;
mod level_list;

use crate::app::requests::{
    Browse, ChosenGame, ChosenLevel, LevelOrder, LevelsAdded, Modal, OpenInEditor, Screen,
};
use crate::app::shell::commands::KeyGroup;
use crate::app::shell::file_choice;
use crate::app::shell::file_drop;
use crate::app::shell::links;
use crate::app::shell::navigation::GoBack;
use crate::app::shell::notice::Notice;
use crate::app::shell::preview;
use crate::app::shell::records::Results;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::{Frame, Pass, widgets};
use actions::{BrowserAction, CardStep};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Key, Margin, RichText, vec2};
use egui_file_dialog::{DialogState, FileDialog};
use level_list::LevelList;
use outwit_headless::{GAMES, link};
use std::path::{Path, PathBuf};

const ORDERS: [(LevelOrder, &str); 5] = [
    (LevelOrder::Difficulty, "Easy to hard"),
    (LevelOrder::Name, "Name"),
    (LevelOrder::Size, "Size"),
    (LevelOrder::Newest, "Newest"),
    (LevelOrder::Best, "Best result"),
];

/// The state of the screen.
#[derive(Resource, Default)]
struct Browser {
    list: LevelList,
    search: String,
    chosen: Option<usize>,
    show_chosen: bool,
    /// Whether to show the selected level even if the search does not match it.
    reveal: bool,
    seek: bool,
    /// Whether the search field had the focus in the last frame.
    seeking: bool,
    rename: Option<actions::Rename>,
    /// The dialog that asks for a file to import.
    dialog: Option<FileDialog>,
    /// The file that was chosen in it.
    picked: Option<PathBuf>,
    /// The levels moved to the bin since the screen was entered, by name, latest last.
    binned: Vec<(String, PathBuf)>,
    /// Whether to show the undo bar.
    offer_undo: bool,
    /// What is to be said.
    notices: Vec<Notice>,
    pictures: preview::Pictures,
    columns: usize,
}

impl Browser {
    fn choose(&mut self, index: Option<usize>) {
        self.chosen = index;
        self.show_chosen = true;
    }

    /// Selects another of the shown levels.
    fn step(&mut self, step: CardStep, shown: &[usize]) {
        let Some(at) = shown.iter().position(|&index| Some(index) == self.chosen) else { return };
        let row = self.columns.max(1);
        let to = match step {
            CardStep::Left => at.checked_sub(1),
            CardStep::Right => at.checked_add(1),
            CardStep::Up => at.checked_sub(row),
            CardStep::Down => at.checked_add(row),
            CardStep::First => Some(0),
            CardStep::Last => shown.len().checked_sub(1),
        };
        if let Some(&index) = to.and_then(|to| shown.get(to)) {
            self.choose(Some(index));
        }
    }

    /// Reloads the folders, and says which cannot be read.
    fn read_folders(&mut self) {
        self.list.list();
        let games = GAMES.iter().map(|kind| kind.id());
        let unreadable = outwit_levels::unreadable(self.list.folder.as_deref(), games);
        let told = unreadable.iter().map(|error| format!("Your levels cannot be read: {error}"));
        self.notices.extend(told.map(Notice::error));
    }

    /// Reloads the folders and selects the level in a file.
    pub fn reload(&mut self, file: Option<&Path>) {
        let before = self.chosen.and_then(|at| self.list.get(at));
        let before = before.map(|item| item.level.entry.clone());
        self.read_folders();
        let found = file.and_then(|file| self.list.find_file(file));
        self.reveal = found.is_some();
        self.choose(found.or_else(|| self.list.find(&before?)));
    }
}

fn enter(mut commands: Commands, browse: Res<Browse>, pictures: preview::PictureMaker) {
    let mut browser = Browser { pictures: pictures.make(), ..Browser::default() };
    browser.list.folder = outwit_levels::user_levels();
    browser.read_folders();
    browser.choose(browse.chosen.as_ref().and_then(|entry| browser.list.find(entry)));
    commands.insert_resource(browser);
}

fn leave(mut commands: Commands, browser: Option<Res<Browser>>, mut browse: ResMut<Browse>) {
    if let Some(browser) = browser {
        let chosen = browser.chosen.and_then(|index| browser.list.get(index));
        browse.chosen = chosen.map(|item| item.level.entry.clone());
    }
    commands.remove_resource::<Browser>();
}

/// Lists levels that were added to the user's own.
fn list_added(mut added: MessageReader<LevelsAdded>, mut browser: Option<ResMut<Browser>>) {
    for added in added.read() {
        if let Some(browser) = &mut browser {
            browser.reload(Some(&added.file));
        }
    }
}

/// Lays out the browser and performs actions. Returns those that leave the screen: to play or edit the
/// selected level, or to go back. `corner` fills the upper right corner.
fn show(
    ctx: &egui::Context,
    browser: &mut Browser,
    browse: &mut Browse,
    results: &Results,
    covered: bool,
    corner: impl FnOnce(&mut egui::Ui),
) -> Option<BrowserAction> {
    let read = browser.list.read_some(results);
    if !read {
        ctx.request_repaint();
    }
    let mut shown = browser.list.shown(browse, &browser.search);
    let hidden = |shown: &[usize]| browser.chosen.is_none_or(|chosen| !shown.contains(&chosen));
    if read && std::mem::take(&mut browser.reveal) && hidden(&shown) {
        browser.search.clear();
        (browse.game, browse.bin) = (None, false);
        shown = browser.list.shown(browse, "");
    }
    if !browser.reveal && hidden(&shown) {
        // The order is known only when all names are.
        browser.chosen = if read { shown.first().copied() } else { None };
    }
    let mut action = if covered { None } else { keys(ctx, browser, &shown) };
    let asked = widgets::page(ctx, |ui| {
        let back = widgets::title_bar(ui, "Levels", corner).then_some(BrowserAction::Leave);
        let frame = widgets::panel_frame(ui).inner_margin(Margin::symmetric(16, 8));
        let bar = egui::Panel::top("browse")
            .frame(frame)
            .show(ui, |ui| bar(ui, browser, browse, shown.len()))
            .inner;
        let undo = undo_bar(ui, browser);
        let cards = egui::CentralPanel::default()
            .frame(egui::Frame::new())
            .show(ui, |ui| cards(ui, browser, browse, &shown));
        back.or(bar).or(undo).or(cards.inner)
    });
    if browser.rename.is_some() && !covered {
        actions::rename_dialog(ctx, browser);
    }
    if let Some(dialog) = &mut browser.dialog {
        file_choice::update(dialog, ctx);
        browser.picked = dialog.take_picked();
        if browser.picked.is_some() || !matches!(dialog.state(), DialogState::Open) {
            browser.dialog = None;
            ctx.request_repaint();
        }
    }
    action = asked.or(action);
    match action {
        Some(BrowserAction::Play | BrowserAction::Edit | BrowserAction::Leave) => action,
        Some(BrowserAction::CopyLink) => {
            if let Some(item) = browser.chosen.and_then(|chosen| browser.list.get(chosen)) {
                let link = link::of_level(&item.level.entry);
                browser.notices.push(links::copy(link, |text| ctx.copy_text(text)));
            }
            None
        }
        Some(action) => {
            actions::perform(action, browser);
            None
        }
        None => None,
    }
}

#[allow(clippy::too_many_arguments)]
fn screen(
    mut contexts: EguiContexts,
    mut browser: ResMut<Browser>,
    mut browse: ResMut<Browse>,
    results: Res<Results>,
    mut modal: ResMut<Modal>,
    mut commands: Commands,
    mut notices: MessageWriter<Notice>,
    mut next: ResMut<NextState<Screen>>,
    mut edit: ResMut<OpenInEditor>,
    mut files: MessageWriter<file_drop::OpenFile>,
    mut back: MessageWriter<GoBack>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let covered = *modal != Modal::None;
    let action = show(ctx, &mut browser, &mut browse, &results, covered, |ui| {
        if let Some(asked) = widgets::corner_buttons(ui) {
            *modal = asked;
        }
    });
    files.write_batch(browser.picked.take().map(file_drop::OpenFile));
    notices.write_batch(browser.notices.drain(..));
    let item = browser.chosen.and_then(|chosen| browser.list.get(chosen));
    match (action, item) {
        (Some(BrowserAction::Leave), _) => {
            back.write(GoBack);
        }
        (Some(BrowserAction::Play), Some(item)) if item.playable() => {
            commands.insert_resource(ChosenGame(item.kind.id()));
            commands.insert_resource(ChosenLevel(item.level.entry.clone()));
            next.set(Screen::Setup);
        }
        (Some(BrowserAction::Edit), Some(item)) if !item.binned => {
            edit.0 = Some(item.level.entry.clone());
            next.set(Screen::Editor);
        }
        _ => {}
    }
}

/// The action of the pressed key. Keys are ignored while a control has the focus or a dialog is open.
/// Moving the selection and going to the search field take effect at once.
fn keys(ctx: &egui::Context, browser: &mut Browser, shown: &[usize]) -> Option<BrowserAction> {
    if browser.rename.is_some() || browser.dialog.is_some() || egui::Popup::is_any_open(ctx) {
        return None;
    }
    let action = actions::pressed(ctx)?;
    // By now, Esc has taken the focus from the search field.
    let focused = browser.seeking || ctx.memory(|memory| memory.focused().is_some());
    match action {
        BrowserAction::Search if ctx.input(|input| input.modifiers.command) => browser.seek = true,
        _ if focused => {}
        BrowserAction::Search => browser.seek = true,
        BrowserAction::Select(step) => browser.step(step, shown),
        action => return Some(action),
    }
    None
}

/// Shows search, filter and order, and the button that imports levels.
fn bar(
    ui: &mut egui::Ui,
    browser: &mut Browser,
    browse: &mut Browse,
    count: usize,
) -> Option<BrowserAction> {
    // The same height for all, or each would be a little lower than the one before.
    let least = ui.spacing().interact_size.y;
    ui.spacing_mut().interact_size.y = least.max(32.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(space::MEDIUM, space::SMALL);
        let icon = egui_phosphor::regular::MAGNIFYING_GLASS;
        let search = ui.add(
            egui::TextEdit::singleline(&mut browser.search)
                .id_salt("level search")
                .hint_text(format!("{icon}  Search"))
                .margin(Margin::symmetric(8, 6))
                .min_size(vec2(0.0, ui.spacing().interact_size.y))
                .vertical_align(egui::Align::Center)
                .desired_width(200.0),
        );
        let entry = actions::entry_of(BrowserAction::Search);
        let search = entry.explain(search, entry.tip);
        if std::mem::take(&mut browser.seek) {
            search.request_focus();
        }
        browser.seeking = search.has_focus();
        // Leave the search field with a key, to move through the matches.
        if search.has_focus() && ui.input(|input| input.key_pressed(Key::ArrowDown)) {
            search.surrender_focus();
        }
        let game = |id: Option<&str>| match id.and_then(|id| outwit_headless::find(id).ok()) {
            Some(game) => game.name(),
            None => "All games",
        };
        egui::ComboBox::from_id_salt("game").selected_text(game(browse.game)).width(150.0).show_ui(
            ui,
            |ui| {
                let ids = GAMES.iter().map(|g| g.id());
                for id in std::iter::once(None).chain(ids.map(Some)) {
                    ui.selectable_value(&mut browse.game, id, game(id));
                }
            },
        );
        let name = ORDERS.iter().find(|(order, _)| *order == browse.order).map_or("", |o| o.1);
        egui::ComboBox::from_id_salt("order")
            .selected_text(format!("{}  {name}", egui_phosphor::regular::SORT_ASCENDING))
            .width(130.0)
            .show_ui(ui, |ui| {
                for (order, name) in ORDERS {
                    ui.selectable_value(&mut browse.order, order, name);
                }
            });
        let in_bin = browser.list.in_bin();
        if in_bin > 0 || browse.bin {
            let words = format!("{}  Bin ({in_bin})", egui_phosphor::regular::TRASH);
            ui.toggle_value(&mut browse.bin, words).on_hover_text("Deleted levels");
        }
        let noun = if count == 1 { "level" } else { "levels" };
        let import = actions::entry_of(BrowserAction::Import);
        let face = egui::Button::new(format!("{}  {}", import.icon, import.label));
        let asked = import.button(ui, Ok(()), face).then_some(BrowserAction::Import);
        // One word, which goes to the next line as a whole.
        widgets::hint(ui, format!("{count}\u{a0}{noun}"));
        asked
    })
    .inner
}

/// Shows which level was moved to the bin, with an undo button.
fn undo_bar(ui: &mut egui::Ui, browser: &mut Browser) -> Option<BrowserAction> {
    let (name, _) = browser.binned.last().filter(|_| browser.offer_undo)?;
    let words = format!("Moved “{name}” to the bin.");
    egui::Panel::bottom("undo")
        .frame(widgets::panel_frame(ui).inner_margin(Margin::symmetric(16, 8)))
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(words);
                let undo = actions::entry_of(BrowserAction::Undo);
                let face = egui::Button::new(format!("{}  {}", undo.icon, undo.label));
                let undo = undo.button(ui, Ok(()), face);
                let cross = egui::Button::new(egui_phosphor::regular::X).frame(false);
                let close = widgets::tip(ui.add(cross), "Dismiss");
                browser.offer_undo &= !close.clicked();
                undo.then_some(BrowserAction::Undo)
            })
            .inner
        })
        .inner
}

/// Minimum width of a card, in points.
const CARD: f32 = 216.0;

fn cards(
    ui: &mut egui::Ui,
    browser: &mut Browser,
    browse: &Browse,
    shown: &[usize],
) -> Option<BrowserAction> {
    let mut action = None;
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        egui::Frame::new().inner_margin(Margin::same(16)).show(ui, |ui| {
            if shown.is_empty() {
                empty_list(ui, browser, browse);
                return;
            }
            let gap = space::MEDIUM;
            ui.spacing_mut().item_spacing = vec2(gap, gap);
            let room = ui.available_width();
            browser.columns = (((room + gap) / (CARD + gap)) as usize).max(1);
            let width = ((room + gap) / browser.columns as f32 - gap).floor();
            for row in shown.chunks(browser.columns) {
                ui.horizontal(|ui| {
                    for &index in row {
                        let Some(item) = browser.list.get(index) else { continue };
                        let chosen = browser.chosen == Some(index);
                        let none = browser.chosen.is_none_or(|it| !shown.contains(&it));
                        let is_stop = chosen || none && shown.first() == Some(&index);
                        let (response, asked) =
                            card::show(ui, width, item, (chosen, is_stop), &mut browser.pictures);
                        if chosen && std::mem::take(&mut browser.show_chosen) {
                            response.scroll_to_me(None);
                        }
                        let played = response.double_clicked().then_some(BrowserAction::Play);
                        if let Some(asked) = asked.or(played) {
                            browser.chosen = Some(index);
                            action = Some(asked);
                        } else if response.clicked() {
                            browser.chosen = Some(index);
                        }
                    }
                });
            }
        });
    });
    action
}

/// Shows why the list is empty.
fn empty_list(ui: &mut egui::Ui, browser: &mut Browser, browse: &Browse) {
    ui.vertical_centered(|ui| {
        ui.add_space(space::LARGE * 3.0);
        let faint = palette(ui).faint.egui();
        if !browser.search.trim().is_empty() {
            let words = format!("No level matches “{}”.", browser.search);
            ui.label(RichText::new(words).text_style(text::section()).color(faint));
            ui.add_space(space::MEDIUM);
            if ui.button("Clear search").clicked() {
                browser.search.clear();
            }
        } else {
            let words = if browse.bin { "The bin is empty." } else { "No levels yet." };
            ui.label(RichText::new(words).text_style(text::section()).color(faint));
        }
    });
}

/// The keys of the level browser, for help and manual.
pub fn key_group() -> KeyGroup {
    let mut rows = actions::key_rows();
    rows.extend(file_drop::keys());
    KeyGroup { title: "Level browser", rows }
}

/// Adds the level browser.
pub fn plugin(app: &mut App) {
    app.init_resource::<Browse>()
        .add_systems(OnEnter(Screen::Levels), enter)
        .add_systems(OnExit(Screen::Levels), leave)
        .add_systems(Update, list_added.in_set(Frame::Files).after(file_drop::paste))
        .add_systems(
            EguiPrimaryContextPass,
            screen
                .run_if(in_state(Screen::Levels).and_then(resource_exists::<Browser>))
                .in_set(Pass::Screen),
        );
}

#[cfg(test)]
mod tests;
