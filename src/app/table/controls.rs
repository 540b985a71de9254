//! The keys of the match screen.

use super::session::{SPEEDS, Tab};
use super::{Board, Layer, Session, View};
use crate::app::notice::Notice;
use crate::app::sound::{PlaySound, Sound};
use crate::app::{MatchConfig, Screen};
use crate::levels::{data_folder, write};
use bevy::prelude::*;
use bevy_egui::egui;

/// What a person can ask of the match, by key or by button.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Let it run, or stop it.
    Play,
    /// Show one turn.
    Step,
    /// Look one turn back.
    StepBack,
    /// Look at the start.
    First,
    /// Look at the present.
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

/// What carrying out wishes needs beside the session.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Means<'w> {
    /// Which part of the board is seen.
    pub view: ResMut<'w, View>,
    /// Where to go next.
    pub next: ResMut<'w, NextState<Screen>>,
    config: Option<ResMut<'w, MatchConfig>>,
    notices: MessageWriter<'w, Notice>,
    sounds: MessageWriter<'w, PlaySound>,
}

impl Means<'_> {
    /// Carries out a wish.
    pub fn grant<G: Board>(&mut self, session: &mut Session<G>, wish: Wish) {
        let asked_before = std::mem::take(&mut session.leaving);
        let last = session.played().len();
        match wish {
            Wish::Play => {
                session.playing = !session.playing;
                // Playing from the end of a finished match shows it again.
                if session.playing && session.is_at_present() && session.referee.is_over() {
                    session.view = 0;
                    session.moving = 0.0;
                }
            }
            Wish::Step => session.step(),
            Wish::StepBack => session.step_back(),
            Wish::First => session.jump(0),
            Wish::Last => session.jump(last),
            Wish::Faster => session.speed = (session.speed + 1).min(SPEEDS.len() - 1),
            Wish::Slower => session.speed = session.speed.saturating_sub(1),
            Wish::Restart => self.next.set(Screen::Match),
            Wish::NewSeed if session.is_replay() => {
                self.sounds.write(Sound::Refuse.into());
            }
            Wish::NewSeed => {
                if let Some(config) = &mut self.config {
                    config.seed = config.seed.wrapping_add(1) % 1_000_000;
                }
                self.next.set(Screen::Match);
            }
            Wish::Undo => {
                if !session.undo() {
                    self.sounds.write(Sound::Refuse.into());
                }
            }
            Wish::Hint => match G::hint(session) {
                Some((action, words)) => {
                    session.hint = Some((session.view, action, words));
                    self.sounds.write(Sound::Hint.into());
                }
                None => {
                    self.sounds.write(Sound::Refuse.into());
                }
            },
            Wish::Save => self.save(session),
            Wish::Fit => {
                session.follow = false;
                self.view.fitted = true;
            }
            Wish::Follow => session.follow = !session.follow,
            Wish::Overlays => {
                let all_off = session.overlays.iter().all(|on| !on);
                session.overlays.fill(all_off);
            }
            Wish::Overlay(index) => session.switch(index),
            Wish::Ghost => {
                let ghost = |overlay: &super::Overlay| overlay.layer == Layer::Ghost;
                if let Some(index) = G::overlays().iter().position(ghost) {
                    session.switch(index);
                }
            }
            Wish::Leave => {
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

    fn save<G: Board>(&mut self, session: &Session<G>) {
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
    pub fn choose<G: Board>(&mut self, session: &mut Session<G>, action: G::Action) {
        if session.tab == Tab::Review {
            // A stray click must not take back a finished match.
            self.notices.write(Notice::info(
                "This is the review. To go on from here in another way, press Board first.",
            ));
            return;
        }
        if session.choose(action).is_err() {
            self.sounds.write(Sound::Refuse.into());
        }
    }
}

fn wish_of(key: KeyCode, shift: bool) -> Option<Wish> {
    Some(match key {
        KeyCode::Space => Wish::Play,
        KeyCode::Period => Wish::Step,
        KeyCode::Comma => Wish::StepBack,
        KeyCode::Home => Wish::First,
        KeyCode::End => Wish::Last,
        KeyCode::Equal | KeyCode::NumpadAdd => Wish::Faster,
        KeyCode::Minus | KeyCode::NumpadSubtract => Wish::Slower,
        KeyCode::KeyR if shift => Wish::NewSeed,
        KeyCode::KeyR => Wish::Restart,
        KeyCode::KeyU | KeyCode::Backspace => Wish::Undo,
        KeyCode::KeyH => Wish::Hint,
        KeyCode::F5 => Wish::Save,
        KeyCode::Digit0 => Wish::Fit,
        KeyCode::KeyF => Wish::Follow,
        KeyCode::KeyO => Wish::Overlays,
        KeyCode::Digit1 => Wish::Overlay(0),
        KeyCode::Digit2 => Wish::Overlay(1),
        KeyCode::Digit3 => Wish::Overlay(2),
        KeyCode::Digit4 => Wish::Overlay(3),
        KeyCode::Digit5 => Wish::Overlay(4),
        KeyCode::KeyG => Wish::Ghost,
        KeyCode::Escape => Wish::Leave,
        _ => return None,
    })
}

/// Listens to keys: first the game's own, then those of every match.
pub fn keys<G: Board>(
    keys: Res<ButtonInput<KeyCode>>,
    mut session: ResMut<Session<G>>,
    time: Res<Time>,
    mut means: Means,
) {
    let held = |codes: [KeyCode; 2]| keys.any_pressed(codes);
    if held([KeyCode::ControlLeft, KeyCode::ControlRight]) {
        return;
    }
    let shift = held([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    for &key in keys.get_just_pressed() {
        if G::draft(&session, key) {
            means.sounds.write(Sound::Tick.into());
        } else if let Some(action) = G::key(&session, key) {
            means.choose(&mut session, action);
        } else if let Some(wish) = wish_of(key, shift) {
            means.grant(&mut session, wish);
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
        means.view.pan(by);
        session.follow = false;
    }
}
