//! The replays of the user: to watch, keep, rename and delete. The last matches are kept by themselves.

mod actions;
mod list;
mod row;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use crate::app::requests::{MatchConfig, Modal, Screen};
use crate::app::shell::commands::KeyGroup;
use crate::app::shell::file_drop::replay_text;
use crate::app::shell::navigation::GoBack;
use crate::app::shell::notice::Notice;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::{Pass, preview, replay_files, widgets};
use actions::{RenameDialog, ReplayAction, entry_of};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Key, Margin, RichText, vec2};
use egui_file_dialog::FileDialog;
use egui_phosphor::regular as icon;
use list::ReplayItem;
use outwit_core::platform::task::Task;
use outwit_headless::GAMES;
use std::path::{Path, PathBuf};

/// The state of the screen.
#[derive(Resource, Default)]
pub struct ReplayScreen {
    items: Vec<ReplayItem>,
    /// The files being read.
    reading: Option<Task<Vec<ReplayItem>>>,
    /// The file that is selected, or is to be once it is read.
    chosen: Option<PathBuf>,
    /// Whether to bring the selected one into view.
    shows_chosen: bool,
    /// The game whose replays are shown; `None` for all games.
    game: Option<&'static str>,
    search: String,
    /// Whether to go to the search field, and whether it had the focus in the last frame.
    seeks: (bool, bool),
    rename: Option<RenameDialog>,
    opens: Option<FileDialog>,
    /// The replay that was deleted last, by name, and where it is now.
    deleted: Option<(String, PathBuf)>,
    errors: Vec<String>,
    pictures: preview::Pictures,
}

/// What stays of the screen while a replay is watched.
#[derive(Resource, Default)]
struct LastChosen(Option<PathBuf>);

impl ReplayScreen {
    /// Reads the files once more, and selects this one then.
    fn reload(&mut self, chosen: Option<PathBuf>) {
        self.chosen = chosen;
        self.shows_chosen = true;
        if let Some(folder) = replay_files::folder() {
            self.reading = Some(Task::begin(move |_| list::list(&folder)));
        }
    }

    /// Takes over the files once they are read; returns whether some are still to come.
    fn take(&mut self) -> bool {
        let Some(reading) = self.reading.take() else { return false };
        if !reading.is_done() {
            self.reading = Some(reading);
            return true;
        }
        match (reading.get(), reading.failure()) {
            (Some(items), _) => self.items.clone_from(items),
            (None, why) => {
                let why = why.unwrap_or("the program could not read them");
                self.errors.push(format!("The replays could not be listed: {why}."));
            }
        }
        let has = |file: &PathBuf| self.items.iter().any(|item| item.file == *file);
        if !self.chosen.as_ref().is_some_and(has) {
            self.chosen = self.items.first().map(|item| item.file.clone());
        }
        false
    }

    fn chosen_item(&self) -> Option<&ReplayItem> {
        self.items.iter().find(|item| Some(&item.file) == self.chosen.as_ref())
    }

    /// The places in the list of what is shown.
    fn shown(&self) -> Vec<usize> {
        let search = self.search.trim().to_lowercase();
        let is_shown = |item: &ReplayItem| {
            let game = item.content.as_ref().ok().map(|content| content.kind.id());
            self.game.is_none_or(|wanted| game == Some(wanted)) && item.matches(&search)
        };
        (0..self.items.len()).filter(|&at| is_shown(&self.items[at])).collect()
    }

    /// The file after the selected one in the list, or else the one before.
    fn neighbour(&self) -> Option<PathBuf> {
        let shown = self.shown();
        let here =
            shown.iter().position(|&at| Some(&self.items[at].file) == self.chosen.as_ref())?;
        let beside = shown.get(here + 1).or_else(|| shown.get(here.checked_sub(1)?))?;
        Some(self.items[*beside].file.clone())
    }

    /// Selects the replay so many places further down.
    fn select(&mut self, by: isize) {
        let shown = self.shown();
        let Some(last) = shown.len().checked_sub(1) else { return };
        let here = shown.iter().position(|&at| Some(&self.items[at].file) == self.chosen.as_ref());
        let to = here.map_or(0, |here| here.saturating_add_signed(by).min(last));
        self.chosen = Some(self.items[shown[to]].file.clone());
        self.shows_chosen = true;
    }
}

fn enter(mut commands: Commands, last: Res<LastChosen>, pictures: preview::PictureMaker) {
    let mut screen = ReplayScreen { pictures: pictures.make(), ..ReplayScreen::default() };
    screen.reload(last.0.clone());
    commands.insert_resource(screen);
}

fn leave(mut commands: Commands, screen: Res<ReplayScreen>, mut last: ResMut<LastChosen>) {
    last.0.clone_from(&screen.chosen);
    commands.remove_resource::<ReplayScreen>();
}

/// The keys of the screen, for help and manual.
pub fn key_group() -> KeyGroup {
    KeyGroup { title: "Replays", rows: actions::key_rows() }
}

/// The action of the pressed key; none while a dialog is open or a text is being typed.
fn keys(ctx: &egui::Context, screen: &mut ReplayScreen) -> Option<ReplayAction> {
    if screen.rename.is_some() || screen.opens.is_some() || egui::Popup::is_any_open(ctx) {
        return None;
    }
    let action = actions::pressed(ctx)?;
    // By now, Esc has taken the focus from the search field.
    let focused = screen.seeks.1 || ctx.memory(|memory| memory.focused().is_some());
    match action {
        ReplayAction::Search if ctx.input(|input| input.modifiers.command) => screen.seeks.0 = true,
        _ if focused => {}
        ReplayAction::Search => screen.seeks.0 = true,
        ReplayAction::Select(by) => screen.select(by),
        action => return Some(action),
    }
    None
}

/// Lays out the screen; returns what was asked for.
fn show(
    ctx: &egui::Context,
    screen: &mut ReplayScreen,
    covered: bool,
    corner: impl FnOnce(&mut egui::Ui),
) -> Option<ReplayAction> {
    if screen.take() {
        ctx.request_repaint_after(std::time::Duration::from_millis(50));
    }
    let pressed = if covered { None } else { keys(ctx, screen) };
    let mut asked = None;
    let back = widgets::page(ctx, |ui| {
        let back = widgets::title_bar(ui, "Replays", |ui| {
            let open = entry_of(ReplayAction::Open);
            let face = egui::Button::new(format!("{}  {}", open.icon, open.label));
            if open.button(ui, Ok(()), face) {
                asked = Some(ReplayAction::Open);
            }
            corner(ui);
        });
        let shown = screen.shown();
        let frame = widgets::panel_frame(ui).inner_margin(Margin::symmetric(16, 8));
        egui::Panel::top("filter").frame(frame).show(ui, |ui| filter(ui, screen, shown.len()));
        asked = undo_bar(ui, screen).or(asked);
        let listed = egui::CentralPanel::default()
            .frame(egui::Frame::new())
            .show(ui, |ui| listed(ui, screen, &shown));
        asked = listed.inner.or(asked);
        back
    });
    if !covered {
        rename_dialog(ctx, screen);
    }
    asked.or(back.then_some(ReplayAction::Leave)).or(pressed)
}

/// Search and filter.
fn filter(ui: &mut egui::Ui, screen: &mut ReplayScreen, count: usize) {
    ui.spacing_mut().interact_size.y = 32.0;
    ui.horizontal_wrapped(|ui| {
        let search = ui.add(
            egui::TextEdit::singleline(&mut screen.search)
                .id_salt("replay search")
                .hint_text(format!("{}  Search", icon::MAGNIFYING_GLASS))
                .margin(Margin::symmetric(8, 6))
                .min_size(vec2(0.0, ui.spacing().interact_size.y))
                .vertical_align(egui::Align::Center)
                .desired_width(200.0),
        );
        let entry = entry_of(ReplayAction::Search);
        let search = entry.explain(search, entry.tip);
        if std::mem::take(&mut screen.seeks.0) {
            search.request_focus();
        }
        screen.seeks.1 = search.has_focus();
        if search.has_focus() && ui.input(|input| input.key_pressed(Key::ArrowDown)) {
            search.surrender_focus();
        }
        let game = |id: Option<&str>| match id.and_then(|id| outwit_headless::find(id).ok()) {
            Some(game) => game.name(),
            None => "All games",
        };
        egui::ComboBox::from_id_salt("game").selected_text(game(screen.game)).width(150.0).show_ui(
            ui,
            |ui| {
                let ids = GAMES.iter().map(|game| game.id());
                for id in std::iter::once(None).chain(ids.map(Some)) {
                    ui.selectable_value(&mut screen.game, id, game(id));
                }
            },
        );
        widgets::hint(ui, widgets::counted(count as u64, "replay"));
    });
}

/// Says which replay was deleted, with an undo button.
fn undo_bar(ui: &mut egui::Ui, screen: &mut ReplayScreen) -> Option<ReplayAction> {
    let (name, _) = screen.deleted.as_ref()?;
    let words = format!("Deleted “{name}”.");
    let frame = widgets::panel_frame(ui).inner_margin(Margin::symmetric(16, 8));
    let shown = egui::Panel::bottom("undo").frame(frame).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(words);
            let undo = entry_of(ReplayAction::Undo);
            let face = egui::Button::new(format!("{}  {}", undo.icon, undo.label));
            undo.button(ui, Ok(()), face).then_some(ReplayAction::Undo)
        })
        .inner
    });
    shown.inner
}

fn listed(ui: &mut egui::Ui, screen: &mut ReplayScreen, shown: &[usize]) -> Option<ReplayAction> {
    let mut action = None;
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        egui::Frame::new().inner_margin(Margin::same(16)).show(ui, |ui| {
            if shown.is_empty() {
                empty(ui, screen);
                return;
            }
            let width = ui.available_width().min(row::WIDEST);
            widgets::column(ui, width, |ui| {
                ui.spacing_mut().item_spacing.y = space::SMALL;
                for &at in shown {
                    let item = &screen.items[at];
                    let chosen = Some(&item.file) == screen.chosen.as_ref();
                    let (response, asked) = row::show(ui, item, chosen, &mut screen.pictures);
                    if chosen && std::mem::take(&mut screen.shows_chosen) {
                        response.scroll_to_me(None);
                    }
                    if response.clicked() || asked.is_some() {
                        screen.chosen = Some(screen.items[at].file.clone());
                    }
                    if response.double_clicked() {
                        action = Some(ReplayAction::Watch);
                    }
                    action = asked.or(action);
                }
            });
        });
    });
    action
}

/// Why nothing is shown.
fn empty(ui: &mut egui::Ui, screen: &ReplayScreen) {
    ui.add_space(ui.available_height() * 0.25);
    ui.vertical_centered(|ui| {
        if screen.reading.is_some() {
            ui.spinner();
        } else if screen.items.is_empty() {
            ui.label(RichText::new("No replays yet").text_style(text::section()));
            widgets::hint(
                ui,
                "The last 20 matches are kept here by themselves. F5 in a match saves it for good.",
            );
        } else {
            ui.label(RichText::new("No replay fits the search.").color(palette(ui).faint.egui()));
        }
    });
}

/// Asks for a new name.
fn rename_dialog(ctx: &egui::Context, screen: &mut ReplayScreen) {
    let Some(asked) = &mut screen.rename else { return };
    let named = widgets::name_dialog(ctx, "Rename replay", &mut asked.name, &mut asked.fresh);
    match named {
        widgets::NameReply::Open => {}
        widgets::NameReply::Closed => screen.rename = None,
        widgets::NameReply::Named => {
            let (file, name) = (asked.file.clone(), asked.name.clone());
            let Some(folder) = replay_files::folder() else { return };
            match actions::rename(&folder, &file, &name) {
                Ok(file) => {
                    screen.rename = None;
                    screen.reload(Some(file));
                }
                Err(why) => screen.errors.push(format!("Could not rename. {why}")),
            }
        }
    }
}

/// The match that shows a replay.
fn watching(file: &Path) -> Result<MatchConfig, String> {
    let text = replay_text(file).map_err(|why| why.to_string())?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    MatchConfig::watching(&text, &name, Screen::Replays).map_err(|why| why.to_string())
}

#[allow(clippy::too_many_arguments)]
fn screen(
    mut contexts: EguiContexts,
    mut screen: ResMut<ReplayScreen>,
    mut modal: ResMut<Modal>,
    mut commands: Commands,
    mut notices: MessageWriter<Notice>,
    mut next: ResMut<NextState<Screen>>,
    mut back: MessageWriter<GoBack>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let screen = &mut *screen;
    let covered = *modal != Modal::None;
    let action = show(ctx, screen, covered, |ui| {
        if let Some(asked) = widgets::corner_buttons(ui) {
            *modal = asked;
        }
    });
    let mut watched = widgets::picked(ctx, &mut screen.opens);
    match action {
        None => {}
        Some(ReplayAction::Leave) => {
            back.write(GoBack);
        }
        Some(ReplayAction::Watch) => {
            let chosen = screen.chosen_item().filter(|item| item.content.is_ok());
            watched = chosen.map(|item| item.file.clone());
        }
        Some(ReplayAction::Open) => {
            let mut dialog = widgets::file_dialog().title("Open a replay");
            dialog.pick_file();
            screen.opens = Some(dialog);
        }
        Some(ReplayAction::CopyPath) => {
            if let Some(item) = screen.chosen_item() {
                ctx.copy_text(item.file.display().to_string());
                notices.write(Notice::info("Path copied."));
            }
        }
        Some(action) => {
            if let Err(why) = actions::perform(action, screen) {
                screen.errors.push(why.to_string());
            }
        }
    }
    match watched.map(|file| watching(&file)) {
        None => {}
        Some(Ok(config)) => {
            commands.insert_resource(config);
            next.set(Screen::Match);
        }
        Some(Err(why)) => screen.errors.push(why),
    }
    notices.write_batch(screen.errors.drain(..).map(Notice::error));
}

/// Adds the screen.
pub fn plugin(app: &mut App) {
    app.init_resource::<LastChosen>()
        .add_systems(OnEnter(Screen::Replays), enter)
        .add_systems(OnExit(Screen::Replays), leave)
        .add_systems(
            EguiPrimaryContextPass,
            screen
                .run_if(in_state(Screen::Replays).and_then(resource_exists::<ReplayScreen>))
                .in_set(Pass::Screen),
        );
}
