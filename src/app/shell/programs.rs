//! The choice of another program for a seat of a match or a tournament: its command, and a short trial of it. The choice
//! allows the program to be started until Outwit is quit.

use crate::app::shell::file_choice;
use crate::app::shell::settings::Settings;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::{ResMut, Resource};
use bevy_egui::egui::{self, Ui};
use egui_file_dialog::{DialogState, FileDialog};
use egui_phosphor::regular as icon;
use outwit_core::levels::capitalised;
use outwit_core::platform::program::{Isolation, ProgramCommand};
use outwit_core::platform::task::Task;
use outwit_core::platform::time::Duration;
use outwit_core::play::{AllowedPrograms, BANK, Player, ProgramKind, ProgramName};
use outwit_kit::{AnyLevel, DynGame, Trial, TrialCheck, TrialOptions};

/// Commands that are offered again.
const MOST_RECENT: usize = 8;
/// Positions that a program is asked about when it is chosen.
const STATES: usize = 10;
/// The time that it has for each.
const LIMIT: Duration = Duration::from_secs(1);

/// The programs that a person has chosen since Outwit was started.
#[derive(Resource, Clone, Default)]
pub struct ChosenPrograms {
    /// Those that may be started.
    pub allowed: AllowedPrograms,
    /// What they say of themselves, by their names as players.
    known: Vec<(Player, About)>,
}

/// What a program says of itself.
#[derive(Clone)]
struct About {
    name: String,
    more: String,
}

impl ChosenPrograms {
    fn about(&self, player: &Player) -> Option<&About> {
        let found = self.known.iter().find(|(known, _)| known == player);
        found.map(|(_, about)| about)
    }
}

/// What is being written in the dialog.
struct Draft {
    seat: usize,
    kind: ProgramKind,
    command: String,
    isolated: bool,
    files: Option<FileDialog>,
    fault: Option<String>,
    trial: Option<Task<Result<Tried, String>>>,
}

/// What a trial found.
#[derive(Clone)]
struct Tried {
    about: About,
    problems: Vec<TrialCheck>,
}

/// Which program is being chosen for which seat.
#[derive(Default)]
pub struct ProgramChoice {
    draft: Option<Draft>,
    /// What is wrong with the one that was chosen last.
    problems: Vec<String>,
    /// Those that a person has chosen.
    pub chosen: ChosenPrograms,
    /// Commands that were chosen before, the last one first: text only, to be confirmed again.
    pub recent: Vec<String>,
}

impl ProgramChoice {
    /// Nothing is being chosen; these programs were chosen before.
    pub fn new(chosen: ChosenPrograms, recent: Vec<String>) -> Self {
        Self { chosen, recent, ..Self::default() }
    }

    /// Opens the dialog for a seat.
    pub fn open(&mut self, seat: usize, kind: ProgramKind) {
        self.problems.clear();
        self.draft = Some(Draft {
            seat,
            kind,
            command: String::new(),
            isolated: false,
            files: None,
            fault: None,
            trial: None,
        });
    }

    /// Whether the dialog is open, so that keys belong to it.
    pub fn is_open(&self) -> bool {
        self.draft.is_some()
    }

    /// What the program of a player is called and says of itself.
    pub fn about(&self, player: &Player) -> Option<String> {
        let program = player.program()?;
        let Some(about) = self.chosen.about(player) else { return Some(program.command.into()) };
        let more = if about.more.is_empty() { String::new() } else { format!(" {}", about.more) };
        Some(format!("{}{more}\n{}", about.name, program.command))
    }

    /// What the program of a player is called, once it has said so.
    pub fn name(&self, player: &Player) -> Option<&str> {
        self.chosen.about(player).map(|about| about.name.as_str())
    }

    /// Shows the dialog; returns a seat and the program that is to take it, once that has been tried. `players` sit at
    /// the other seats meanwhile.
    pub fn update(
        &mut self,
        ctx: &egui::Context,
        kind: &'static dyn DynGame,
        level: impl FnOnce() -> Option<AnyLevel>,
        players: &[Player],
    ) -> Option<(usize, Player)> {
        let draft = self.draft.as_mut()?;
        if let Some(files) = &mut draft.files {
            file_choice::update(files, ctx);
            if let Some(path) = files.take_picked() {
                draft.command = ProgramCommand::text_for(&path);
                draft.files = None;
            } else if !matches!(files.state(), DialogState::Open) {
                draft.files = None;
            }
            return None;
        }
        let done = match &draft.trial {
            None => None,
            Some(trial) => match (trial.get(), trial.failure()) {
                (Some(found), _) => Some(found.clone()),
                (None, Some(why)) => Some(Err(format!("trying it failed: {why}"))),
                (None, None) => {
                    ctx.request_repaint();
                    None
                }
            },
        };
        match done {
            Some(Ok(tried)) => return self.take(tried),
            Some(Err(why)) => {
                draft.fault = Some(why);
                draft.trial = None;
            }
            None => {}
        }
        let frame = egui::Frame::window(&ctx.global_style()).inner_margin(20);
        let modal = egui::Modal::new("program".into()).frame(frame).show(ctx, |ui| {
            ui.set_width(480.0);
            ui.heading("Program");
            ui.add_space(space::MEDIUM);
            draft.show(ui, &self.recent)
        });
        let (wanted, cancelled) = modal.inner;
        if cancelled || modal.should_close() {
            self.draft = None;
        } else if wanted {
            self.confirm(kind, level(), players);
        }
        None
    }

    /// A person has confirmed the whole command, so the program may be started.
    fn confirm(&mut self, kind: &'static dyn DynGame, level: Option<AnyLevel>, players: &[Player]) {
        let Some(draft) = &mut self.draft else { return };
        let Some(level) = level else {
            draft.fault = Some("Choose a playable level first.".into());
            return;
        };
        let command = draft.command.trim().to_owned();
        let isolation = if draft.isolated { Isolation::Bwrap } else { Isolation::Limits };
        let chosen = AllowedPrograms::chosen_by_person([command.clone()], &isolation);
        let program = match chosen.find(&command) {
            Ok(program) => program,
            Err(why) => {
                draft.fault = Some(why.to_string());
                return;
            }
        };
        // The one that was confirmed last counts, with its own isolation.
        let before = std::mem::take(&mut self.chosen.allowed);
        self.chosen.allowed = chosen;
        self.chosen.allowed.extend(before);
        draft.fault = None;
        let seat = draft.seat;
        let how = draft.kind;
        let mut others = players.to_vec();
        let player = Player::of_program(how, &command);
        if seat < others.len() {
            others.remove(seat);
        }
        for (at, other) in others.iter_mut().enumerate() {
            if *other == Player::Human || other.program().is_some() {
                *other = kind.opponent(if at < seat { at } else { at + 1 });
            }
        }
        let task = move |task: &outwit_core::platform::task::TaskContext| match how {
            ProgramKind::Engine => {
                let info = kind.ask_program(&level, how, seat, &program, task.stop())?;
                let about = About { name: info.name, more: info.about };
                Ok(Tried { about, problems: Vec::new() })
            }
            ProgramKind::Program => {
                let options = TrialOptions {
                    seat,
                    program,
                    player,
                    others,
                    limit: LIMIT,
                    bank: BANK,
                    states: STATES,
                    matches: 0,
                };
                tried(kind.try_program(&level, &options, task.stop())?)
            }
        };
        draft.trial = Some(Task::begin(task));
    }

    /// The program that was tried, and its seat.
    fn take(&mut self, tried: Tried) -> Option<(usize, Player)> {
        let draft = self.draft.take()?;
        let command = draft.command.trim().to_owned();
        let player = Player::of_program(draft.kind, &command);
        let name = &tried.about.name;
        self.problems = tried
            .problems
            .into_iter()
            .map(|check| format!("{name}: {} {}", check.found, check.advice))
            .collect();
        self.chosen.known.retain(|(known, _)| *known != player);
        self.chosen.known.push((player.clone(), tried.about));
        self.recent.retain(|known| *known != command);
        self.recent.insert(0, command);
        self.recent.truncate(MOST_RECENT);
        Some((draft.seat, player))
    }

    /// Keeps what was chosen for other screens, and the commands for the next time.
    pub fn keep(&self, chosen: &mut ChosenPrograms, settings: &mut ResMut<Settings>) {
        *chosen = self.chosen.clone();
        if settings.programs != self.recent {
            settings.programs.clone_from(&self.recent);
        }
    }

    /// What is wrong with the program that was chosen last, under the seats.
    pub fn show(&mut self, ui: &mut Ui) {
        for problem in &self.problems {
            widgets::fault(ui, problem);
        }
    }
}

/// A program that starts can be seated, whatever else is wrong with it.
fn tried(trial: Trial) -> Result<Tried, String> {
    let mut problems: Vec<TrialCheck> =
        trial.checks.into_iter().filter(|check| !check.passed).collect();
    if let Some(at) = problems.iter().position(|check| check.name == "start") {
        let check = problems.swap_remove(at);
        let advice =
            if check.advice.is_empty() { String::new() } else { format!(" {}", check.advice) };
        return Err(format!("{}.{advice}", capitalised(&check.found)));
    }
    Ok(Tried { about: About { name: trial.name, more: trial.about }, problems })
}

impl Draft {
    /// Shows the dialog; returns whether the program is to be tried and whether nothing more is wanted.
    fn show(&mut self, ui: &mut Ui, recent: &[String]) -> (bool, bool) {
        let busy = self.trial.is_some();
        ui.label(match self.kind {
            ProgramKind::Program => "The command of a program that speaks Outwit's protocol:",
            ProgramKind::Engine => "The command of an engine:",
        });
        let mut wanted = false;
        ui.add_enabled_ui(!busy, |ui| {
            ui.horizontal(|ui| {
                let width = ui.available_width() - 90.0;
                let field = egui::TextEdit::singleline(&mut self.command)
                    .hint_text("python3 /home/me/fox.py")
                    .desired_width(width);
                let field = ui.add(field);
                field.widget_info(|| {
                    egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, "Command")
                });
                if self.command.is_empty() && !field.has_focus() && recent.is_empty() {
                    field.request_focus();
                }
                wanted |= field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
                if ui.button("Browse…").clicked() {
                    self.files = file_choice::to_read("Choose a program", None);
                }
            });
            widgets::hint(ui, "It runs as you do, in the folder of its file: start only what you trust.");
            if cfg!(target_os = "linux") {
                ui.checkbox(&mut self.isolated, "In a sandbox (needs bubblewrap)").on_hover_text(
                    "No network, its own folder to read, a small /tmp to write, and no process outlives it",
                );
            }
            if !recent.is_empty() {
                ui.add_space(space::SMALL);
                widgets::section(ui, "Recent");
                for command in recent {
                    let row = egui::Button::selectable(self.command == *command, command).truncate();
                    if ui.add(row).clicked() {
                        self.command.clone_from(command);
                    }
                }
            }
        });
        ui.add_space(space::SMALL);
        if let Some(why) = &self.fault {
            widgets::fault(ui, why);
        }
        let mut cancelled = false;
        ui.horizontal(|ui| {
            let ready = !self.command.trim().is_empty() && !busy;
            ui.add_enabled_ui(ready, |ui| {
                wanted |= widgets::primary_button(ui, "Use this program").clicked();
            });
            cancelled |= ui.button("Cancel").clicked();
            if busy {
                ui.spinner();
                widgets::hint(ui, "Trying it");
            }
        });
        (wanted && !busy && !self.command.trim().is_empty(), cancelled)
    }
}

/// The button that lets one more program play; returns whether it was pressed. There is none on a page, which cannot
/// start programs.
pub fn button(ui: &mut Ui) -> bool {
    let words = format!("{}  Program…", icon::TERMINAL);
    let help = "Let a program of yours play, in any language: it speaks Outwit's protocol";
    !cfg!(target_arch = "wasm32")
        && ui.add(egui::Button::new(words).small()).on_hover_text(help).clicked()
}

/// Whether a player of this name is another program that can play the game.
pub fn is_program(kind: &dyn DynGame, name: &str) -> bool {
    ProgramName::of(name).is_some_and(|program| match program.kind {
        ProgramKind::Program => true,
        ProgramKind::Engine => kind.facts().engine_protocol.is_some(),
    })
}
