//! The comparison of searches: planners by levels, with what each found and what it took, or side by
//! side on one level.

mod chart;
pub mod commands;
mod export;
mod side_by_side;
mod table;
mod units;

use crate::app::requests::{ChosenGame, ChosenLevel, Modal, Screen};
use crate::app::shell::Pass;
use crate::app::shell::activity::{Activity, POLL};
use crate::app::shell::file_choice::ExportDialog;
use crate::app::shell::navigation::GoBack;
use crate::app::shell::notice::Notice;
use crate::app::shell::preview::{PictureMaker, Pictures};
use crate::app::shell::seats::seat_title;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use chart::Quantity;
use commands::ComparisonCommand;
use egui::Ui;
use export::ComparisonFile;
use outwit_core::levels::capitalised;
use outwit_core::platform::task::Task;
use outwit_core::platform::time::Duration;
use outwit_headless::GAMES;
use outwit_kit::{AnyLevel, ComparisonError, ComparisonRow, DynGame, SearchLimits, compare};
use outwit_levels::{Entry, list};
use side_by_side::SideBySide;
use std::sync::{Arc, Mutex, PoisonError};
use table::{Order, results};

/// The choices of time per search, in seconds.
const SECONDS: [u64; 5] = [1, 5, 20, 60, 300];
/// The choices of memory per search, in MiB.
const MEMORY: [usize; 4] = [256, 1024, 2048, 4096];
/// Levels that are chosen where nobody has chosen one.
const FIRST_LEVELS: usize = 3;
/// Width of the column of choices.
const SIDE: f32 = 276.0;

/// A level that can be compared on.
struct LevelChoice {
    name: String,
    entry: Entry,
    level: Result<AnyLevel, String>,
    chosen: bool,
}

/// What is shown beside the choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// What each search found and took.
    Table,
    /// The same as bars.
    Chart,
    /// The searches on one level, on boards of their own.
    SideBySide,
}

/// A running comparison, and the rows that it has so far.
struct Running {
    rows: Arc<Mutex<Vec<ComparisonRow>>>,
    task: Task<Result<(), ComparisonError>>,
    total: usize,
}

/// The state of the screen.
#[derive(Resource)]
struct Comparison {
    kind: &'static dyn DynGame,
    levels: Vec<LevelChoice>,
    planners: Vec<(&'static str, bool)>,
    seconds: u64,
    memory: usize,
    running: Option<Running>,
    rows: Vec<ComparisonRow>,
    order: Order,
    /// What the chart shows.
    measure: Quantity,
    view: View,
    side_by_side: Option<SideBySide>,
    problem: Option<String>,
}

impl Comparison {
    /// With this level chosen, if it can be played; otherwise the first ones.
    fn new(kind: &'static dyn DynGame, wanted: Option<&Entry>) -> Self {
        let read = |entry: &Entry| {
            let bytes = entry.bytes().map_err(|error| error.to_string())?;
            kind.read(&bytes, &entry.id)
                .map_err(|faults| faults.first().map(ToString::to_string).unwrap_or_default())
        };
        let mut levels: Vec<LevelChoice> = list(kind.id())
            .into_iter()
            .map(|entry| {
                let level = read(&entry);
                let name = level.as_ref().ok().and_then(|level| kind.info(level).ok());
                let name = name.map_or_else(|| entry.stem().to_owned(), |info| info.name);
                LevelChoice { name, entry, chosen: false, level }
            })
            .collect();
        let mut playable: Vec<_> = levels.iter_mut().filter(|level| level.level.is_ok()).collect();
        let at = playable.iter().position(|level| Some(&level.entry) == wanted);
        let chosen = at.map_or(0..FIRST_LEVELS.min(playable.len()), |at| at..at + 1);
        playable[chosen].iter_mut().for_each(|level| level.chosen = true);
        let planners = kind.searches().into_iter().map(|name| (name, true)).collect();
        Self {
            kind,
            levels,
            planners,
            seconds: 20,
            memory: 1024,
            running: None,
            rows: Vec::new(),
            order: Order::default(),
            measure: Quantity::Expanded,
            view: View::Table,
            side_by_side: None,
            problem: None,
        }
    }

    /// Whether something is chosen, and nothing runs.
    fn can_start(&self) -> bool {
        let levels = self.levels.iter().any(|level| level.chosen);
        let planners = self.planners.iter().any(|(_, on)| *on);
        let runs = self.running.is_some()
            || self.side_by_side.as_ref().is_some_and(SideBySide::is_running);
        levels && planners && !runs
    }

    /// Lets the chosen solvers search, for the view that is shown.
    fn begin(&mut self, pictures: &PictureMaker) {
        match self.view {
            View::Table | View::Chart => self.start(),
            View::SideBySide => self.start_side_by_side(pictures.make()),
        }
    }

    fn start(&mut self) {
        let chosen = self.levels.iter().filter(|level| level.chosen);
        let levels: Vec<(String, AnyLevel)> = chosen
            .filter_map(|choice| Some((choice.name.clone(), choice.level.as_ref().ok()?.clone())))
            .collect();
        let planners: Vec<&'static str> =
            self.planners.iter().filter(|(_, on)| *on).map(|(name, _)| *name).collect();
        let limits = SearchLimits {
            memory: self.memory << 20,
            time: Duration::from_secs(self.seconds),
            runs: 1,
        };
        let total = levels.len() * planners.len();
        let rows = Arc::<Mutex<Vec<ComparisonRow>>>::default();
        let kind = self.kind;
        let shared = Arc::clone(&rows);
        let task = Task::begin(move |context| {
            let mut row = |row: &ComparisonRow| {
                shared.lock().unwrap_or_else(PoisonError::into_inner).push(row.clone());
                context.progress(0.0);
            };
            compare(kind, &levels, &planners, limits, context.stop(), &mut row)?;
            Ok(())
        });
        self.rows.clear();
        self.running = Some(Running { rows, task, total });
    }

    /// Lets the chosen solvers search the first chosen level side by side.
    fn start_side_by_side(&mut self, pictures: Pictures) {
        let begin = || {
            let chosen = self.levels.iter().find(|level| level.chosen).ok_or("choose a level")?;
            let level = chosen.level.as_ref().map_err(String::clone)?;
            let on = self.planners.iter().filter(|(_, on)| *on).map(|(name, _)| *name);
            let planners: Vec<&'static str> = on.take(side_by_side::MOST).collect();
            let limit = Duration::from_secs(self.seconds);
            let level = (chosen.name.clone(), level, &chosen.entry);
            SideBySide::begin(self.kind, level, &planners, limit, pictures)
        };
        match begin() {
            Ok(view) => (self.side_by_side, self.problem) = (Some(view), None),
            Err(why) => self.problem = Some(why),
        }
    }

    /// Takes over what came in; returns why the comparison failed, if it did.
    fn poll(&mut self) -> Option<String> {
        let running = self.running.as_ref()?;
        self.rows.clone_from(&running.rows.lock().unwrap_or_else(PoisonError::into_inner));
        if !running.task.is_done() {
            return None;
        }
        let failed = match running.task.get() {
            Some(result) => result.as_ref().err().map(ToString::to_string),
            None => running.task.failure().map(str::to_owned),
        };
        self.running = None;
        failed
    }
}

fn enter(mut commands: Commands, chosen: Option<Res<ChosenGame>>, level: Option<Res<ChosenLevel>>) {
    let kinds = || GAMES.iter().copied().filter(|kind| !kind.searches().is_empty());
    let wanted = chosen.and_then(|chosen| kinds().find(|kind| kind.id() == chosen.0));
    if let Some(kind) = wanted.or_else(|| kinds().next()) {
        commands.insert_resource(Comparison::new(kind, level.as_ref().map(|level| &level.0)));
    }
}

fn leave(mut commands: Commands) {
    commands.remove_resource::<Comparison>();
}

#[allow(clippy::too_many_arguments)]
fn screen(
    mut contexts: EguiContexts,
    mut state: ResMut<Comparison>,
    mut back: MessageWriter<GoBack>,
    mut modal: ResMut<Modal>,
    mut notices: MessageWriter<Notice>,
    pictures: PictureMaker,
    activity: Res<Activity>,
    mut dialog: Local<Option<ExportDialog<ComparisonFile>>>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let state = &mut *state;
    if let Some(why) = state.poll() {
        notices.write(Notice::error(format!("The comparison failed: {why}.")));
    }
    if state.running.is_some() {
        activity.wake_in(POLL);
    }
    if *modal == Modal::None && dialog.is_none() {
        keys(ctx, state, &pictures);
    }
    let mut asked = None;
    let mut exported = None;
    let pressed = widgets::page(ctx, |ui| {
        let title = format!("{}: compare solvers", state.kind.name());
        let pressed = widgets::title_bar(ui, &title, |ui| asked = widgets::corner_buttons(ui));
        let frame = widgets::panel_frame(ui).inner_margin(egui::Margin::same(14));
        egui::Panel::left("choices")
            .exact_size(SIDE)
            .resizable(false)
            .frame(frame)
            .show(ui, |ui| choices(ui, state, &pictures));
        egui::CentralPanel::default()
            .frame(egui::Frame::new().inner_margin(egui::Margin::same(16)))
            .show(ui, |ui| {
                widgets::choice(ui, &mut state.view, &commands::views());
                ui.add_space(space::SMALL);
                match state.view {
                    View::Table => exported = results(ui, state),
                    View::Chart => chart::show(ui, &state.rows, &mut state.measure),
                    View::SideBySide => side_view(ui, state, &activity),
                }
            });
        pressed
    });
    if pressed {
        back.write(GoBack);
    }
    if let Some(asked) = asked {
        *modal = asked;
    }
    if let Some(what) = exported {
        *dialog = Some(ExportDialog::new(what, &what.file_name(state.kind.id())));
    }
    notices.write_batch(export::show(ctx, &mut dialog, state));
}

fn keys(ctx: &egui::Context, state: &mut Comparison, pictures: &PictureMaker) {
    let busy = egui::Popup::is_any_open(ctx) || ctx.memory(|memory| memory.focused()).is_some();
    match commands::pressed(ctx).filter(|_| !busy) {
        Some(ComparisonCommand::Start) if state.can_start() => state.begin(pictures),
        Some(ComparisonCommand::Show(view)) => state.view = view,
        Some(ComparisonCommand::Start) | None => {}
    }
}

/// Levels, planners, limits and the start button.
fn choices(ui: &mut Ui, state: &mut Comparison, pictures: &PictureMaker) {
    egui::Panel::bottom("start comparison")
        .frame(egui::Frame::new().inner_margin(egui::Margin { top: 10, ..egui::Margin::ZERO }))
        .show_separator_line(false)
        .show(ui, |ui| {
            egui::Grid::new("limits").num_columns(2).show(ui, |ui| {
                widgets::hint(ui, "Time limit");
                egui::ComboBox::from_id_salt("seconds")
                    .width(96.0)
                    .selected_text(format!("{} s", state.seconds))
                    .show_ui(ui, |ui| {
                        for seconds in SECONDS {
                            ui.selectable_value(
                                &mut state.seconds,
                                seconds,
                                format!("{seconds} s"),
                            );
                        }
                    });
                ui.end_row();
                widgets::hint(ui, "Memory limit");
                egui::ComboBox::from_id_salt("memory")
                    .width(96.0)
                    .selected_text(format!("{} MiB", state.memory))
                    .show_ui(ui, |ui| {
                        for mib in MEMORY {
                            ui.selectable_value(&mut state.memory, mib, format!("{mib} MiB"));
                        }
                    });
                ui.end_row();
            });
            ui.add_space(space::SMALL);
            if let Some(running) = &state.running {
                let done = state.rows.len() as f32 / running.total.max(1) as f32;
                ui.add(egui::ProgressBar::new(done).text(format!(
                    "{} of {}",
                    state.rows.len(),
                    running.total
                )));
                if ui.button("Cancel").clicked() {
                    running.task.cancel();
                }
            } else if let Some(view) = state.side_by_side.as_ref().filter(|view| view.is_running())
            {
                ui.horizontal(|ui| {
                    ui.spinner();
                    if ui.button("Cancel").clicked() {
                        view.cancel();
                    }
                });
            } else {
                ui.add_enabled_ui(state.can_start(), |ui| {
                    if widgets::primary_button(ui, "Compare").clicked() {
                        state.begin(pictures);
                    }
                });
            }
        });
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        widgets::section(ui, "Solvers");
        if let Some(all) = all_or_none(ui) {
            state.planners.iter_mut().for_each(|(_, on)| *on = all);
        }
        for (name, on) in &mut state.planners {
            ui.checkbox(on, seat_title(name));
        }
        ui.add_space(space::MEDIUM);
        widgets::section(ui, "Levels");
        if let Some(all) = all_or_none(ui) {
            let playable = state.levels.iter_mut().filter(|level| level.level.is_ok());
            playable.for_each(|level| level.chosen = all);
        }
        for level in &mut state.levels {
            let check = egui::Checkbox::new(&mut level.chosen, &level.name);
            let response = ui.add_enabled(level.level.is_ok(), check);
            if let Err(why) = &level.level {
                response.on_disabled_hover_text(why);
            }
        }
    });
}

/// Buttons that choose all of a list, or none.
fn all_or_none(ui: &mut Ui) -> Option<bool> {
    let choices = [("All", true), ("None", false)];
    let mut chosen = None;
    ui.horizontal(|ui| {
        for (words, all) in choices {
            if ui.button(words).clicked() {
                chosen = Some(all);
            }
        }
    });
    chosen
}

/// The solvers side by side.
fn side_view(ui: &mut Ui, state: &mut Comparison, activity: &Activity) {
    if let Some(why) = &state.problem {
        widgets::fault(ui, capitalised(why));
    }
    match &mut state.side_by_side {
        Some(view) => side_by_side::show(ui, view, activity),
        None => {
            let least = side_by_side::LEAST;
            let most = side_by_side::MOST;
            widgets::hint(
                ui,
                format!(
                    "Choose {least} to {most} solvers and a level, then press Compare. You will see \
                     what each had found after the same number of states, or after the same time."
                ),
            );
        }
    }
}

/// Adds the screen that compares planners on one level: what it opens and closes, and its panels.
pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Comparison), enter)
        .add_systems(OnExit(Screen::Comparison), leave)
        .add_systems(
            EguiPrimaryContextPass,
            screen
                .run_if(in_state(Screen::Comparison).and_then(resource_exists::<Comparison>))
                .in_set(Pass::Screen),
        );
}
