//! The replays: those that the user saved, and those of the latest matches. They are watched, analysed,
//! kept, renamed and deleted here. It names no game.

mod actions;
mod card;
mod list;

use crate::app::requests::{MatchConfig, Modal, Screen, StartAnalysis};
use crate::app::shell::commands::KeyGroup;
use crate::app::shell::everywhere::SAVE_REPLAY;
use crate::app::shell::file_choice;
use crate::app::shell::file_drop;
use crate::app::shell::navigation::GoBack;
use crate::app::shell::notice::Notice;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::preview;
use crate::app::shell::replay_files;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets::{self, counted};
use crate::app::shell::{Pass, store::NoDataFolder};
use actions::{ReplayAction, RowStep};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Key, Margin, RichText, vec2};
use egui_file_dialog::{DialogState, FileDialog};
use list::{Origin, ReplayItem, ReplayList};
use outwit_core::platform::store;
use outwit_core::platform::time::Duration;
use outwit_headless::GAMES;
use std::path::{Path, PathBuf};

/// More replays than this have a search field and a filter.
const HANDFUL: usize = 5;

/// The state of the screen.
#[derive(Resource, Default)]
struct Replays {
    list: ReplayList,
    search: String,
    /// The game whose replays are shown; `None` for all games.
    game: Option<&'static str>,
    /// Why those are there that are shown; `None` for all.
    origin: Option<Origin>,
    /// The file of the selected replay.
    chosen: Option<PathBuf>,
    show_chosen: bool,
    seek: bool,
    /// Whether the search field had the focus in the last frame.
    seeking: bool,
    rename: Option<actions::NewName>,
    dialog: Option<FileDialog>,
    /// The replays deleted since the screen was entered, by name, latest last.
    binned: Vec<(String, PathBuf)>,
    /// Whether to show the undo bar.
    offer_undo: bool,
    /// What to tell the user.
    notices: Vec<Notice>,
    pictures: preview::Pictures,
    pieces: Option<Pieces>,
}

/// The replay that was selected when the screen was left.
#[derive(Resource, Default)]
struct LastReplay(Option<PathBuf>);

/// What leaves the screen.
#[derive(Clone, PartialEq, Debug)]
enum Leaving {
    /// The replay in a file is watched, or analysed at once.
    Watch { file: PathBuf, analyse: bool },
    /// The user goes back.
    Back,
}

impl Replays {
    fn selected(&self) -> Option<&ReplayItem> {
        let at = self.list.find(self.chosen.as_deref()?)?;
        self.list.items().get(at)
    }

    fn choose(&mut self, index: Option<usize>) {
        let item = index.and_then(|index| self.list.items().get(index));
        self.chosen = item.map(|item| item.file().to_owned());
        self.show_chosen = true;
    }

    /// Selects another of the shown replays.
    fn step(&mut self, step: RowStep, shown: &[usize]) {
        let chosen = self.chosen.as_deref().and_then(|file| self.list.find(file));
        let Some(at) = shown.iter().position(|&index| Some(index) == chosen) else { return };
        let to = match step {
            RowStep::Up => at.checked_sub(1),
            RowStep::Down => at.checked_add(1),
            RowStep::First => Some(0),
            RowStep::Last => shown.len().checked_sub(1),
        };
        if let Some(&index) = to.and_then(|to| shown.get(to)) {
            self.choose(Some(index));
        }
    }

    /// Lists the folders again and selects the replay in a file; otherwise the one in the place of the
    /// selected one.
    fn reload(&mut self, file: Option<&Path>) {
        let place = self.chosen.as_deref().and_then(|chosen| self.list.find(chosen));
        if let Err(errors) = self.list.list() {
            self.notices.extend(errors.into_iter().map(Notice::error));
        }
        let last = self.list.items().len().checked_sub(1);
        let same = self.chosen.as_deref().and_then(|chosen| self.list.find(chosen));
        self.choose(
            file.and_then(|file| self.list.find(file))
                .or(same)
                .or_else(|| Some(place.unwrap_or_default().min(last?))),
        );
    }
}

fn enter(
    mut commands: Commands,
    last: Res<LastReplay>,
    pictures: preview::PictureMaker,
    pieces: Option<Res<Pieces>>,
) {
    let mut replays = Replays {
        pictures: pictures.make(),
        pieces: pieces.map(|pieces| pieces.clone()),
        ..Replays::default()
    };
    replays.list.folder = outwit_levels::data_folder().map(|data| replay_files::saved(&data));
    if replays.list.folder.is_none() {
        replays.notices.push(Notice::error(NoDataFolder));
    }
    replays.reload(last.0.as_deref());
    commands.insert_resource(replays);
}

fn leave(mut commands: Commands, replays: Option<ResMut<Replays>>, mut last: ResMut<LastReplay>) {
    last.0 = replays.and_then(|mut replays| replays.chosen.take());
    commands.remove_resource::<Replays>();
}

/// Lays out the screen and performs actions. Returns what leaves the screen. `corner` fills the upper
/// right corner.
fn show(
    ctx: &egui::Context,
    replays: &mut Replays,
    covered: bool,
    corner: impl FnOnce(&mut egui::Ui),
) -> Option<Leaving> {
    if !replays.list.read_some() {
        ctx.request_repaint_after(Duration::from_millis(60));
    }
    let shown = replays.list.shown(replays.game, replays.origin, &replays.search);
    let chosen = replays.chosen.as_deref().and_then(|file| replays.list.find(file));
    if chosen.is_none_or(|chosen| !shown.contains(&chosen)) {
        replays.choose(shown.first().copied());
    }
    let free = !covered && replays.rename.is_none() && replays.dialog.is_none();
    let pressed = if free { keys(ctx, replays, &shown) } else { None };
    let asked = widgets::page(ctx, |ui| {
        let back = widgets::title_bar(ui, "Replays", corner).then_some(ReplayAction::Leave);
        let frame = widgets::panel_frame(ui).inner_margin(Margin::symmetric(16, 8));
        let bar = egui::Panel::top("replay bar")
            .frame(frame)
            .show(ui, |ui| bar(ui, replays, shown.len()))
            .inner;
        let undo = undo_bar(ui, replays);
        let rows = egui::CentralPanel::default()
            .frame(egui::Frame::new())
            .show(ui, |ui| rows(ui, replays, &shown))
            .inner;
        back.or(bar).or(undo).or(rows)
    });
    if !covered {
        actions::rename_dialog(ctx, replays);
    }
    if let Some(file) = opened(ctx, replays) {
        return Some(Leaving::Watch { file, analyse: false });
    }
    let action = asked.or(pressed)?;
    let readable = || replays.selected().filter(|item| item.info().is_some());
    let watch = |analyse| Some(Leaving::Watch { file: readable()?.file().to_owned(), analyse });
    match action {
        ReplayAction::Leave => Some(Leaving::Back),
        ReplayAction::Watch => watch(false),
        ReplayAction::Analyse => watch(true),
        action => {
            actions::perform(ctx, action, replays);
            None
        }
    }
}

#[allow(clippy::too_many_arguments)]
fn screen(
    mut contexts: EguiContexts,
    mut replays: ResMut<Replays>,
    mut modal: ResMut<Modal>,
    mut analysis: ResMut<StartAnalysis>,
    mut commands: Commands,
    mut notices: MessageWriter<Notice>,
    mut next: ResMut<NextState<Screen>>,
    mut back: MessageWriter<GoBack>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let covered = *modal != Modal::None;
    let leaving = show(ctx, &mut replays, covered, |ui| {
        if let Some(asked) = widgets::corner_buttons(ui) {
            *modal = asked;
        }
    });
    match leaving {
        Some(Leaving::Back) => {
            back.write(GoBack);
        }
        Some(Leaving::Watch { file, analyse }) => match watching(&file) {
            Ok(config) => {
                commands.insert_resource(config);
                analysis.0 = analyse;
                next.set(Screen::Match);
            }
            Err(why) => replays.notices.push(Notice::error(why)),
        },
        None => {}
    }
    notices.write_batch(replays.notices.drain(..));
}

/// What to set up to watch the replay in a file.
fn watching(file: &Path) -> Result<MatchConfig, String> {
    let bytes = store::read_file(file).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{}: not a text", file.display()))?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    MatchConfig::watching(&text, &name, Screen::Replays).map_err(|why| why.to_string())
}

/// The file that was chosen in the dialog, if it is open.
fn opened(ctx: &egui::Context, replays: &mut Replays) -> Option<PathBuf> {
    let dialog = replays.dialog.as_mut()?;
    file_choice::update(dialog, ctx);
    let picked = dialog.take_picked();
    if picked.is_some() || !matches!(dialog.state(), DialogState::Open) {
        replays.dialog = None;
    }
    picked
}

/// The action of the pressed key. Keys are ignored while a control has the focus. Moving the selection
/// and going to the search field take effect at once.
fn keys(ctx: &egui::Context, replays: &mut Replays, shown: &[usize]) -> Option<ReplayAction> {
    if egui::Popup::is_any_open(ctx) {
        return None;
    }
    let action = actions::pressed(ctx)?;
    // By now, Esc has taken the focus from the search field.
    let focused = replays.seeking || ctx.memory(|memory| memory.focused().is_some());
    match action {
        ReplayAction::Search if ctx.input(|input| input.modifiers.command) => replays.seek = true,
        _ if focused => {}
        ReplayAction::Search => replays.seek = true,
        ReplayAction::Select(step) => replays.step(step, shown),
        action => return Some(action),
    }
    None
}

/// Shows search and filter if there is much to choose from, the number of replays, and the button that
/// opens others.
fn bar(ui: &mut egui::Ui, replays: &mut Replays, count: usize) -> Option<ReplayAction> {
    // The same height for all, or each would be a little lower than the one before.
    let least = ui.spacing().interact_size.y;
    ui.spacing_mut().interact_size.y = least.max(32.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(space::MEDIUM, space::SMALL);
        replays.seeking = false;
        if replays.list.items().len() > HANDFUL {
            search(ui, replays);
        } else {
            replays.seek = false;
            replays.search.clear();
            (replays.game, replays.origin) = (None, None);
        }
        let open = actions::entry_of(ReplayAction::Open);
        let face = egui::Button::new(format!("{}  {}", open.icon, open.label));
        let asked = open.button(ui, Ok(()), face).then_some(ReplayAction::Open);
        widgets::hint(ui, counted(count as u64, "replay"));
        asked
    })
    .inner
}

fn search(ui: &mut egui::Ui, replays: &mut Replays) {
    let icon = egui_phosphor::regular::MAGNIFYING_GLASS;
    let field = ui.add(
        egui::TextEdit::singleline(&mut replays.search)
            .id_salt("replay search")
            .hint_text(format!("{icon}  Search"))
            .margin(Margin::symmetric(8, 6))
            .min_size(vec2(0.0, ui.spacing().interact_size.y))
            .vertical_align(egui::Align::Center)
            .desired_width(200.0),
    );
    let entry = actions::entry_of(ReplayAction::Search);
    let field = entry.explain(field, entry.tip);
    if std::mem::take(&mut replays.seek) {
        field.request_focus();
    }
    replays.seeking = field.has_focus();
    // Leave the search field with a key, to move through the matches.
    if field.has_focus() && ui.input(|input| input.key_pressed(Key::ArrowDown)) {
        field.surrender_focus();
    }
    let name = |id: Option<&str>| match id.and_then(|id| outwit_headless::find(id).ok()) {
        Some(game) => game.name(),
        None => "All games",
    };
    egui::ComboBox::from_id_salt("replays of")
        .selected_text(name(replays.game))
        .width(150.0)
        .show_ui(ui, |ui| {
            for id in std::iter::once(None).chain(GAMES.iter().map(|game| Some(game.id()))) {
                ui.selectable_value(&mut replays.game, id, name(id));
            }
        });
    let name = |origin: Option<Origin>| {
        let known = Origin::ALL.iter().find(|(known, _)| Some(*known) == origin);
        known.map_or("All replays", |(_, name)| *name)
    };
    egui::ComboBox::from_id_salt("replays kept as")
        .selected_text(name(replays.origin))
        .width(150.0)
        .show_ui(ui, |ui| {
            let origins = Origin::ALL.iter().map(|(origin, _)| Some(*origin));
            for origin in std::iter::once(None).chain(origins) {
                ui.selectable_value(&mut replays.origin, origin, name(origin));
            }
        });
}

/// Shows which replay was deleted, with an undo button.
fn undo_bar(ui: &mut egui::Ui, replays: &mut Replays) -> Option<ReplayAction> {
    let (name, _) = replays.binned.last().filter(|_| replays.offer_undo)?;
    let words = format!("Deleted “{name}”.");
    egui::Panel::bottom("undo delete")
        .frame(widgets::panel_frame(ui).inner_margin(Margin::symmetric(16, 8)))
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(words);
                let undo = actions::entry_of(ReplayAction::Undo);
                let face = egui::Button::new(format!("{}  {}", undo.icon, undo.label));
                let undo = undo.button(ui, Ok(()), face);
                let cross = egui::Button::new(egui_phosphor::regular::X).frame(false);
                let close = widgets::tip(ui.add(cross), "Dismiss");
                replays.offer_undo &= !close.clicked();
                undo.then_some(ReplayAction::Undo)
            })
            .inner
        })
        .inner
}

fn rows(ui: &mut egui::Ui, replays: &mut Replays, shown: &[usize]) -> Option<ReplayAction> {
    let mut action = None;
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        egui::Frame::new().inner_margin(Margin::same(16)).show(ui, |ui| {
            if shown.is_empty() {
                empty_list(ui, replays);
                return;
            }
            ui.spacing_mut().item_spacing.y = space::SMALL;
            let mut clicked = None;
            let none = !shown.iter().any(|&index| {
                let item = replays.list.items().get(index);
                item.is_some_and(|item| replays.chosen.as_deref() == Some(item.file()))
            });
            let mut visible = Vec::new();
            for &index in shown {
                let Some(item) = replays.list.items().get(index) else { continue };
                let chosen = replays.chosen.as_deref() == Some(item.file());
                let pieces = replays.pieces.as_ref();
                let is_stop = chosen || none && shown.first() == Some(&index);
                let (response, asked) =
                    card::show(ui, item, (chosen, is_stop), &mut replays.pictures, pieces);
                if ui.is_rect_visible(response.rect) {
                    visible.push(index);
                }
                if chosen && std::mem::take(&mut replays.show_chosen) {
                    response.scroll_to_me(None);
                }
                let watched = response.double_clicked().then_some(ReplayAction::Watch);
                action = asked.or(watched).or(action);
                if action.is_some() && clicked.is_none() || response.clicked() {
                    clicked = Some(item.file().to_owned());
                }
            }
            replays.list.visible = visible;
            if clicked.is_some() {
                replays.chosen = clicked;
            }
        });
    });
    action
}

/// Says why there are no replays, and how they come about.
fn empty_list(ui: &mut egui::Ui, replays: &mut Replays) {
    ui.vertical_centered(|ui| {
        ui.add_space(space::LARGE * 3.0);
        let faint = palette(ui).faint.egui();
        let title = |words: &str| RichText::new(words).text_style(text::section()).color(faint);
        if !replays.list.items().is_empty() {
            ui.label(title("No replay matches."));
            ui.add_space(space::MEDIUM);
            if ui.button("Show all replays").clicked() {
                replays.search.clear();
                (replays.game, replays.origin) = (None, None);
            }
            return;
        }
        ui.label(title("No replays yet."));
        ui.add_space(space::MEDIUM);
        let most = replay_files::MOST_RECENT;
        let of_series = replay_files::MOST_OF_SERIES;
        widgets::hint(
            ui,
            format!(
                "The last {most} matches that you play or watch appear here by themselves, and the last {of_series} \
                 of leagues and other series. Press {} in a match to save its replay for good.",
                SAVE_REPLAY.first_key()
            ),
        );
        widgets::hint(ui, "To watch a replay of somebody else, open its file or drop it here.");
    });
}

/// The keys of the screen, for help and manual.
pub fn key_group() -> KeyGroup {
    let mut rows = actions::key_rows();
    rows.extend(file_drop::replay_keys());
    KeyGroup { title: "Replays", rows }
}

/// Adds the screen, which remembers the selected replay while a match is watched.
pub fn plugin(app: &mut App) {
    app.init_resource::<LastReplay>()
        .add_systems(OnEnter(Screen::Replays), enter)
        .add_systems(OnExit(Screen::Replays), leave)
        .add_systems(
            EguiPrimaryContextPass,
            screen
                .run_if(in_state(Screen::Replays).and_then(resource_exists::<Replays>))
                .in_set(Pass::Screen),
        );
}

#[cfg(test)]
mod tests;
