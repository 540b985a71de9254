//! Asks a program what it would play after the shown turn, without a clock.

use super::command_table::{FeatureCommand, MatchCommand, MatchEntry, able, may_ask};
use super::feature::Feature;
use super::layout::{AddSection, Region};
use super::matches::{FocusedMatch, FocusedMatchMut};
use super::session::Session;
use crate::app::shell::commands::{command, shift};
use crate::app::shell::programs::{ChosenPrograms, ProgramChoice};
use crate::app::shell::seats::seat_title;
use crate::app::shell::settings::Settings;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::egui;
use outwit_core::levels::capitalised;
use outwit_core::platform::task::Task;
use outwit_core::play::{AllowedProgram, Budget, Player, ProgramKind, Seat};
use outwit_headless::find;
use outwit_kit::{AnalyseOptions, AskedPosition, DynGame};

/// Width of the dialog, in points.
const WIDTH: f32 = 520.0;
/// The highest that the answer is shown, in points.
const HEIGHT: f32 = 320.0;
/// More actions of an answer are not shown.
const MOST_ACTIONS: usize = 40;

/// The dialog; closed as long as there is nothing in it.
#[derive(Resource, Default)]
pub struct AskDialog {
    open: Option<Question>,
    /// The program that was asked last, which is asked again when the dialog opens.
    player: Option<Player>,
}

/// Asks a program about a turn.
static ASK: FeatureCommand = FeatureCommand {
    entry: &ENTRY,
    is_play: false,
    run: |commands| commands.run_system_cached(open),
};

static ENTRY: MatchEntry = command(
    MatchCommand::Feature(&ASK),
    &[shift(KeyCode::KeyO)],
    "Ask a program of yours what it would play here",
)
.label("Ask a program…")
.tip("Ask a program of yours what it would play after the shown turn, without a clock")
.when(|session| {
    let somebody = !session.live.to_move(session.playback.view).is_empty();
    let here = !cfg!(target_arch = "wasm32") && session.lesson.is_none();
    able(here && somebody && may_ask(session))
});

/// Lets a person ask a program about a turn.
pub(super) const FEATURE: Feature = Feature { plugin, commands: &[&ENTRY] };

fn plugin(app: &mut App) {
    app.init_resource::<AskDialog>().add_section(Region::Dialogs, show);
}

fn open(
    session: FocusedMatch,
    mut dialog: ResMut<AskDialog>,
    chosen: Res<ChosenPrograms>,
    settings: Res<Settings>,
) {
    dialog.open(&session, &chosen, &settings);
}

fn show(
    InMut(root): InMut<egui::Ui>,
    mut session: FocusedMatchMut,
    mut dialog: ResMut<AskDialog>,
    mut chosen: ResMut<ChosenPrograms>,
    mut settings: ResMut<Settings>,
) {
    dialog.show(root.ctx(), &mut session, &mut chosen, &mut settings);
}

/// The position that is asked about, and what was answered.
struct Question {
    kind: &'static dyn DynGame,
    seat: Seat,
    turn: usize,
    /// The match as a replay.
    replay: String,
    choice: ProgramChoice,
    asked: Option<Task<Result<AskedPosition, String>>>,
    /// Whether its picture was put on the board.
    is_shown: bool,
}

impl AskDialog {
    /// Opens it for the turn that is shown, and asks the program that was asked last.
    fn open(&mut self, session: &Session, chosen: &ChosenPrograms, settings: &Settings) {
        let turn = session.playback.view;
        let Ok(kind) = find(session.config.game) else { return };
        let Some(&seat) = session.live.to_move(turn).first() else { return };
        let choice = ProgramChoice::new(chosen.clone(), settings.programs.clone());
        let replay = session.replay_text();
        let mut question =
            Question { kind, seat, turn, replay, choice, asked: None, is_shown: false };
        match &self.player {
            Some(player) => question.ask(player),
            None => question.choice.open(seat.index(), ProgramKind::Program),
        }
        self.open = Some(question);
    }

    /// Shows it if it is open, and puts the picture of an answer on the board.
    fn show(
        &mut self,
        ctx: &egui::Context,
        session: &mut Session,
        chosen: &mut ChosenPrograms,
        settings: &mut ResMut<Settings>,
    ) {
        let Some(question) = &mut self.open else { return };
        if question.choice.is_open() {
            let kind = question.kind;
            let players = session.config.players.clone();
            let level = &session.config.level;
            let taken = question.choice.update(
                ctx,
                kind,
                || kind.read(&level.bytes().ok()?, level.stem()).ok(),
                &players,
            );
            if let Some((_, player)) = taken {
                question.choice.keep(chosen, settings);
                question.ask(&player);
                self.player = Some(player);
            } else if !question.choice.is_open() {
                self.open = None;
            }
            return;
        }
        question.draw(session);
        let frame = egui::Frame::window(&ctx.global_style()).inner_margin(20);
        let modal = egui::Modal::new("ask".into()).frame(frame).show(ctx, |ui| {
            ui.set_width(WIDTH);
            question.answer(ui, session)
        });
        let wish = if modal.should_close() { Some(Wish::Close) } else { modal.inner };
        match (wish, self.player.clone()) {
            (Some(Wish::Again), Some(player)) => question.ask(&player),
            (Some(Wish::Other), _) => {
                question.choice.open(question.seat.index(), ProgramKind::Program);
            }
            (Some(Wish::Close), _) => self.open = None,
            _ => {}
        }
    }
}

/// What a person wants next.
enum Wish {
    Again,
    Other,
    Close,
}

impl Question {
    fn program(&self, player: &Player) -> Option<AllowedProgram> {
        self.choice.chosen.allowed.find(player.program()?.command).ok()
    }

    fn ask(&mut self, player: &Player) {
        let Some(program) = self.program(player) else { return };
        let kind = self.kind;
        let replay = self.replay.clone();
        let options = AnalyseOptions {
            turn: Some(self.turn),
            planner: None,
            seat: Some(kind.seat(self.seat.index()).id),
            budget: Budget::default(),
            seed: 1,
        };
        self.is_shown = false;
        self.asked = Some(Task::begin(move |task| {
            let asked =
                kind.ask_about(replay.as_bytes(), "match", &options, &program, None, task.stop());
            asked.map_err(|faults| {
                faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
            })
        }));
    }

    /// Puts the picture on the board once it is there.
    fn draw(&mut self, session: &mut Session) {
        if let Some(Ok(asked)) = self.asked.as_ref().and_then(Task::get)
            && !std::mem::replace(&mut self.is_shown, true)
        {
            session.show_asked(self.seat, self.turn, &asked.insight);
        }
    }

    fn answer(&mut self, ui: &mut egui::Ui, session: &Session) -> Option<Wish> {
        let seat = self.kind.seat(self.seat.index());
        let moment = session.moment(self.turn);
        let found = self.asked.as_ref().map(|task| (task.get(), task.failure()));
        let name = match found {
            Some((Some(Ok(asked)), _)) => asked.name.clone(),
            _ => "Your program".into(),
        };
        ui.heading(format!("{name}, asked as {}", seat_title(&seat.id)));
        let moment = capitalised(&moment);
        widgets::hint(ui, format!("{moment}, without a clock. Its picture stays on the board."));
        ui.add_space(space::MEDIUM);
        let mut wish = None;
        egui::ScrollArea::vertical().max_height(HEIGHT).show(ui, |ui| match found {
            Some((Some(Ok(asked)), _)) => show_answer(ui, asked),
            Some((Some(Err(why)), _)) => drop(widgets::fault(ui, why)),
            Some((None, Some(why))) => drop(widgets::fault(ui, why)),
            _ => {
                ui.horizontal(|ui| {
                    ui.spinner();
                    widgets::hint(ui, "It thinks");
                });
                ui.ctx().request_repaint();
            }
        });
        ui.add_space(space::MEDIUM);
        ui.horizontal(|ui| {
            if widgets::primary_button(ui, "Ask again").clicked() {
                wish = Some(Wish::Again);
            }
            let large = egui::vec2(0.0, 36.0);
            for (words, own) in [("Another program…", Wish::Other), ("Close", Wish::Close)] {
                if ui.add(egui::Button::new(words).min_size(large)).clicked() {
                    wish = Some(own);
                }
            }
        });
        wish
    }
}

fn show_answer(ui: &mut egui::Ui, asked: &AskedPosition) {
    let row = |ui: &mut egui::Ui, name: &str, words: &str| {
        ui.label(name);
        ui.add(egui::Label::new(words).wrap());
        ui.end_row();
    };
    let answer = match (asked.actions.as_slice(), &asked.action) {
        ([_, _, ..], _) => {
            let shown: Vec<&str> =
                asked.actions.iter().take(MOST_ACTIONS).map(String::as_str).collect();
            let rest = if asked.actions.len() > MOST_ACTIONS { " …" } else { "" };
            format!("{} actions: {}{rest}", asked.actions.len(), shown.join(" "))
        }
        (_, Some(action)) => action.clone(),
        (_, None) => "nothing that can be played".into(),
    };
    egui::Grid::new("answer").num_columns(2).spacing(egui::vec2(16.0, 6.0)).show(ui, |ui| {
        row(ui, "Answer", &answer);
        row(ui, "Time", &format!("{:.1} ms", asked.ms));
        if let Some(played) = &asked.played {
            row(ui, "Played", played);
        }
        for counter in &asked.insight.counters {
            row(ui, &counter.name, &counter.value.to_string());
        }
        for note in &asked.notes {
            row(ui, "Note", note);
        }
        for line in &asked.log {
            row(ui, "Log", line);
        }
    });
    for problem in &asked.problems {
        widgets::fault(ui, problem);
    }
    for advice in &asked.advice {
        ui.label(advice);
    }
}
