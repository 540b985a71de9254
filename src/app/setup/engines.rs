//! The choice of another program for a seat: a file dialog, and a question to the program. The choice
//! allows the program to be started until Outwit is quit.

use crate::app::shell::file_choice;
use crate::app::shell::widgets;
use bevy::prelude::Resource;
use bevy_egui::egui::{self, Ui};
use egui_file_dialog::{DialogState, FileDialog};
use outwit_core::platform::task::Task;
use outwit_core::play::{AllowedPrograms, EngineInfo, Player, engine_path};
use outwit_kit::{AnyLevel, DynGame};
use std::path::{Path, PathBuf};

/// The programs that a person has chosen in the set-up since Outwit was started.
#[derive(Resource, Clone, Default)]
pub struct ChosenPrograms(pub AllowedPrograms);

/// A program that is asked what it is and whether it can play.
struct Question {
    seat: usize,
    path: PathBuf,
    answer: Task<Result<EngineInfo, String>>,
}

/// Which program is being chosen for which seat.
#[derive(Default)]
pub struct EngineChoice {
    dialog: Option<(usize, FileDialog)>,
    question: Option<Question>,
    /// What was wrong with the last one.
    fault: Option<String>,
    /// What the chosen ones say of themselves.
    known: Vec<(PathBuf, EngineInfo)>,
    /// Those that a person has chosen.
    pub chosen: ChosenPrograms,
}

impl EngineChoice {
    /// Nothing is being chosen; these programs were chosen before.
    pub fn new(chosen: ChosenPrograms) -> Self {
        Self { chosen, ..Self::default() }
    }

    /// Opens the file dialog for a seat.
    pub fn open(&mut self, seat: usize) {
        self.fault = None;
        let dialog = file_choice::to_read("Choose a program", None);
        self.dialog = dialog.map(|dialog| (seat, dialog));
    }

    /// Whether the dialog is open, so that keys belong to it.
    pub fn is_open(&self) -> bool {
        self.dialog.is_some()
    }

    /// What the program of a player says of itself, if it was asked.
    pub fn about(&self, player: &Player) -> Option<&str> {
        let path = engine_path(player.name())?;
        let (_, info) = self.known.iter().find(|(known, _)| known == path)?;
        Some(if info.about.is_empty() { &info.name } else { &info.about })
    }

    /// Shows the dialog, and seats the program once it has answered.
    pub fn update(
        &mut self,
        ctx: &egui::Context,
        kind: &'static dyn DynGame,
        level: Option<AnyLevel>,
        players: &mut [Player],
    ) {
        if let Some((seat, dialog)) = &mut self.dialog {
            let seat = *seat;
            file_choice::update(dialog, ctx);
            if let Some(path) = dialog.take_picked() {
                self.dialog = None;
                self.ask(kind, level, seat, path);
            } else if !matches!(dialog.state(), DialogState::Open) {
                self.dialog = None;
            }
        }
        let Some(question) = &self.question else { return };
        let answer = match (question.answer.get(), question.answer.failure()) {
            (Some(answer), _) => answer.clone(),
            (None, Some(why)) => Err(format!("asking it failed: {why}")),
            (None, None) => {
                ctx.request_repaint();
                return;
            }
        };
        let seated = answer.and_then(|info| Ok((info, Player::of_engine(&question.path)?)));
        match seated {
            Ok((info, player)) => {
                self.known.push((question.path.clone(), info));
                if let Some(seat) = players.get_mut(question.seat) {
                    *seat = player;
                }
            }
            Err(why) => self.fault = Some(format!("{}: {why}", file_name(&question.path))),
        }
        self.question = None;
    }

    fn ask(
        &mut self,
        kind: &'static dyn DynGame,
        level: Option<AnyLevel>,
        seat: usize,
        path: PathBuf,
    ) {
        let Some(level) = level else {
            self.fault = Some("choose a playable level first".into());
            return;
        };
        self.chosen.0.extend(AllowedPrograms::chosen_by_person([&path]));
        let program = self.chosen.0.find(&path);
        let answer = Task::begin(move |task| kind.ask_engine(&level, &program?, task.stop()));
        self.question = Some(Question { seat, path, answer });
    }

    /// What goes on, under the seats.
    pub fn show(&mut self, ui: &mut Ui) {
        if let Some(question) = &self.question {
            ui.horizontal(|ui| {
                ui.spinner();
                let name = file_name(&question.path);
                widgets::hint(ui, format!("Asking {name} what it can play"));
            });
        }
        if let Some(why) = &self.fault {
            widgets::fault(ui, why);
        }
    }
}

/// The last part of a path, for people.
fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
