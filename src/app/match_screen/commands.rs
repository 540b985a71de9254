//! The keys of the match screen.

use super::session::{SPEEDS, Tab};
use super::{BoardView, GameView, Layer, Session};
use crate::app::match_screen::MatchConfig;
use crate::app::shell::Screen;
use crate::app::shell::notice::Notice;
use crate::app::shell::sound::{PlaySound, Sound};
use crate::levels::{data_folder, write};
use bevy::prelude::*;
use bevy_egui::egui;

/// What a person can ask of the match, by key or by button.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchCommand {
    /// Let it run, or stop it.
    Play,
    /// Show one turn.
    Step,
    /// Visuals one turn back.
    StepBack,
    /// Visuals at the start.
    First,
    /// Visuals at the present.
    Last,
    /// Run faster.
    Faster,
    /// Run slower.
    Slower,
    /// Begin again with the same seed.
    Restart,
    /// Begin again with another seed.
    NewSeed,
    /// Take back the last choice.
    Undo,
    /// Show what would be good.
    Hint,
    /// Keep the match as a file.
    Save,
    /// Show the whole board.
    Fit,
    /// Follow the piece that moves.
    Follow,
    /// Switch all overlays.
    Overlays,
    /// Switch one overlay.
    Overlay(usize),
    /// Switch the overlay of perfect play.
    Ghost,
    /// Leave the match.
    Leave,
}

/// What carrying out commands needs beside the session.
#[derive(bevy::ecs::system::SystemParam)]
pub struct CommandContext<'w> {
    /// Which part of the board is seen.
    pub view: ResMut<'w, BoardView>,
    /// Where to go next.
    pub next: ResMut<'w, NextState<Screen>>,
    config: Option<ResMut<'w, MatchConfig>>,
    notices: MessageWriter<'w, Notice>,
    sounds: MessageWriter<'w, PlaySound>,
}

impl CommandContext<'_> {
    /// Carries out a command.
    pub fn apply<G: GameView>(&mut self, session: &mut Session<G>, command: MatchCommand) {
        let asked_before = std::mem::take(&mut session.leaving);
        let last = session.played().len();
        match command {
            MatchCommand::Play => {
                session.playing = !session.playing;
                // Playing from the end of a finished match shows it again.
                if session.playing && session.is_at_present() && session.referee.is_over() {
                    session.view = 0;
                    session.moving = 0.0;
                }
            }
            MatchCommand::Step => session.step(),
            MatchCommand::StepBack => session.step_back(),
            MatchCommand::First => session.jump(0),
            MatchCommand::Last => session.jump(last),
            MatchCommand::Faster => session.speed = (session.speed + 1).min(SPEEDS.len() - 1),
            MatchCommand::Slower => session.speed = session.speed.saturating_sub(1),
            MatchCommand::Restart => self.next.set(Screen::Match),
            MatchCommand::NewSeed if session.is_replay() => {
                self.sounds.write(Sound::Refuse.into());
            }
            MatchCommand::NewSeed => {
                if let Some(config) = &mut self.config {
                    config.seed = config.seed.wrapping_add(1) % 1_000_000;
                }
                self.next.set(Screen::Match);
            }
            MatchCommand::Undo => {
                if !session.undo() {
                    self.sounds.write(Sound::Refuse.into());
                }
            }
            MatchCommand::Hint => match G::hint(session) {
                Some((action, words)) => {
                    session.hint = Some((session.view, action, words));
                    self.sounds.write(Sound::Hint.into());
                }
                None => {
                    self.sounds.write(Sound::Refuse.into());
                }
            },
            MatchCommand::Save => self.save(session),
            MatchCommand::Fit => {
                session.follow = false;
                self.view.fitted = true;
            }
            MatchCommand::Follow => session.follow = !session.follow,
            MatchCommand::Overlays => {
                let all_off = session.overlays.iter().all(|on| !on);
                session.overlays.fill(all_off);
            }
            MatchCommand::Overlay(index) => session.switch(index),
            MatchCommand::Ghost => {
                let ghost = |overlay: &super::Overlay| overlay.layer == Layer::Ghost;
                if let Some(index) = G::overlays().iter().position(ghost) {
                    session.switch(index);
                }
            }
            MatchCommand::Leave => {
                let loses = !session.humans.is_empty()
                    && session.referee.outcome().is_none()
                    && !session.played().is_empty();
                if loses && !asked_before {
                    session.leaving = true;
                    self.notices.write(Notice::info(
                        "The match is not over. Press Esc or the arrow once more to leave it, or \
                         save it first with F5.",
                    ));
                } else {
                    self.next.set(session.config.back);
                }
            }
        }
    }

    fn save<G: GameView>(&mut self, session: &Session<G>) {
        let Some(folder) = data_folder() else {
            self.notices.write(Notice::error(
                "This system names no folder for data; set OUTWIT_DATA to one to save replays.",
            ));
            return;
        };
        let folder = folder.join("replays");
        let stem = session.config.level.stem();
        let free = (1..10_000)
            .map(|n| folder.join(format!("{}-{stem}-{n}.ron", G::ID)))
            .find(|path| !path.exists());
        let Some(path) = free else {
            self.notices.write(Notice::error(format!(
                "{} holds 10000 replays of this level; move some away.",
                folder.display()
            )));
            return;
        };
        self.notices.write(match write(&path, session.replay_text().as_bytes()) {
            Ok(()) => Notice::info(format!("Replay saved as {}", path.display())),
            Err(error) => Notice::error(format!("The replay was not saved. {error}")),
        });
    }

    /// Plays a person's choice.
    pub fn choose<G: GameView>(&mut self, session: &mut Session<G>, action: G::Action) {
        if session.tab == Tab::Review {
            // A stray click must not take back a finished match.
            self.notices.write(Notice::info(
                "This is the review. To go on from here in another way, press GameView first.",
            ));
            return;
        }
        if session.choose(action).is_err() {
            self.sounds.write(Sound::Refuse.into());
        }
    }
}

fn command_of(key: KeyCode, shift: bool) -> Option<MatchCommand> {
    Some(match key {
        KeyCode::Space => MatchCommand::Play,
        KeyCode::Period => MatchCommand::Step,
        KeyCode::Comma => MatchCommand::StepBack,
        KeyCode::Home => MatchCommand::First,
        KeyCode::End => MatchCommand::Last,
        KeyCode::Equal | KeyCode::NumpadAdd => MatchCommand::Faster,
        KeyCode::Minus | KeyCode::NumpadSubtract => MatchCommand::Slower,
        KeyCode::KeyR if shift => MatchCommand::NewSeed,
        KeyCode::KeyR => MatchCommand::Restart,
        KeyCode::KeyU | KeyCode::Backspace => MatchCommand::Undo,
        KeyCode::KeyH => MatchCommand::Hint,
        KeyCode::F5 => MatchCommand::Save,
        KeyCode::Digit0 => MatchCommand::Fit,
        KeyCode::KeyF => MatchCommand::Follow,
        KeyCode::KeyO => MatchCommand::Overlays,
        KeyCode::Digit1 => MatchCommand::Overlay(0),
        KeyCode::Digit2 => MatchCommand::Overlay(1),
        KeyCode::Digit3 => MatchCommand::Overlay(2),
        KeyCode::Digit4 => MatchCommand::Overlay(3),
        KeyCode::Digit5 => MatchCommand::Overlay(4),
        KeyCode::KeyG => MatchCommand::Ghost,
        KeyCode::Escape => MatchCommand::Leave,
        _ => return None,
    })
}

/// Listens to keys: first the game's own, then those of every match.
pub fn keys<G: GameView>(
    keys: Res<ButtonInput<KeyCode>>,
    mut session: ResMut<Session<G>>,
    time: Res<Time>,
    mut context: CommandContext,
) {
    let held = |codes: [KeyCode; 2]| keys.any_pressed(codes);
    if held([KeyCode::ControlLeft, KeyCode::ControlRight]) {
        return;
    }
    let shift = held([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    for &key in keys.get_just_pressed() {
        if G::draft(&session, key) {
            context.sounds.write(Sound::Tick.into());
        } else if let Some(action) = G::key(&session, key) {
            context.choose(&mut session, action);
        } else if let Some(command) = command_of(key, shift) {
            context.apply(&mut session, command);
        }
    }
    /// Points a second that the arrow keys move the view.
    const GLIDE: f32 = 600.0;
    let step = GLIDE * time.delta_secs();
    let mut by = egui::Vec2::ZERO;
    for (key, way) in [
        (KeyCode::ArrowLeft, egui::vec2(step, 0.0)),
        (KeyCode::ArrowRight, egui::vec2(-step, 0.0)),
        (KeyCode::ArrowUp, egui::vec2(0.0, step)),
        (KeyCode::ArrowDown, egui::vec2(0.0, -step)),
    ] {
        if keys.pressed(key) {
            by += way;
        }
    }
    if by != egui::Vec2::ZERO {
        context.view.pan(by);
        session.follow = false;
    }
}
