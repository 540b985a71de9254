//! Carries out what a person asks of a match.

use super::analysis::Analysed;
use super::analysis::state::Analysis;
use super::beside;
use super::board::{Input, Reply};
use super::command_table::{FeatureCommands, MatchCommand};
use super::focus::Focused;
use super::lesson::LessonStatus;
use super::matches::OtherMatch;
use super::session::{ChoiceResult, Session};
use super::side;
use super::solver::request::Wanted;
use super::state::{Carried, Help, Tab};
use super::unfinished;
use super::view::BoardView;
use crate::app::requests::{MatchConfig, Screen, SeriesEvent};
use crate::app::shell::keyboard::Press;
use crate::app::shell::links;
use crate::app::shell::notice::Notice;
use crate::app::shell::replay_files;
use crate::app::shell::settings::Settings;
use crate::app::shell::sound::{PlaySound, Sound};
use crate::app::shell::widgets::counted;
use bevy::prelude::*;
use bevy_egui::EguiClipboard;
use outwit_core::levels::write_new;
use outwit_core::play::Player;
use outwit_headless::link;
use outwit_levels::data_folder;
use outwit_levels::list;

/// Text on its way to the clipboard.
#[derive(Resource, Default)]
pub(super) struct Copied(pub Option<String>);

/// What carrying out commands needs beside the session.
#[derive(bevy::ecs::system::SystemParam)]
pub struct CommandContext<'w, 's> {
    /// Which part of the board is seen.
    pub view: Single<'w, 's, &'static mut BoardView, With<Focused>>,
    /// The analysis of the match that has the focus.
    pub analysis: Single<'w, 's, &'static mut Analysis, With<Focused>>,
    /// Where to go next.
    pub next: ResMut<'w, NextState<Screen>>,
    config: Option<ResMut<'w, MatchConfig>>,
    carried: ResMut<'w, Carried>,
    clipboard: Option<ResMut<'w, EguiClipboard>>,
    pub(super) copied: ResMut<'w, Copied>,
    pub(super) settings: ResMut<'w, Settings>,
    /// The match beside it.
    pub other: OtherMatch<'w, 's>,
    pub(super) features: Res<'w, FeatureCommands>,
    commands: Commands<'w, 's>,
    notices: MessageWriter<'w, Notice>,
    sounds: MessageWriter<'w, PlaySound>,
    series: MessageWriter<'w, SeriesEvent>,
}

impl CommandContext<'_, '_> {
    /// Carries out a command, for both matches if there are two and it concerns both.
    pub fn apply(&mut self, session: &mut Session, command: MatchCommand) {
        match self.other.take() {
            Some(mut other) if command.moves_both() => {
                let [leader, _] = beside::in_order(session, &mut other.0);
                self.apply_to(leader, command);
                beside::keep_together(session, &mut other.0);
                self.other = Some(other);
            }
            other => {
                self.other = other;
                self.apply_to(session, command);
            }
        }
    }

    fn apply_to(&mut self, session: &mut Session, command: MatchCommand) {
        let asked_before = std::mem::take(&mut session.leaving);
        let last = session.live.turns();
        // The matches of a series are the planners' alone.
        let changes = matches!(
            command,
            MatchCommand::OtherLevel(_)
                | MatchCommand::PlayLine
                | MatchCommand::PlayChoice(_)
                | MatchCommand::PasteMoves
        );
        if command.allowed(session).is_err() || changes && session.is_in_series() {
            self.sounds.write(Sound::Refuse.into());
            return;
        }
        if !matches!(command, MatchCommand::Faster | MatchCommand::Slower | MatchCommand::Fit) {
            session.reel.clear();
        }
        match command {
            MatchCommand::Play => {
                if session.tab == Tab::Analysis {
                    session.tab = Tab::Match;
                }
                match session.playback.playing {
                    true => session.playback.pause(),
                    false => session.playback.playing = true,
                }
                // Playing from the end of a finished match shows it again.
                if session.playback.playing && session.is_at_present() && session.live.is_over() {
                    session.playback.show(0);
                }
            }
            MatchCommand::Skip => session.skip(),
            MatchCommand::Step => session.step(),
            MatchCommand::StepBack => session.step_back(),
            MatchCommand::First => session.jump(0),
            MatchCommand::Last => session.jump(last),
            MatchCommand::Faster => session.playback.faster(),
            MatchCommand::Slower => session.playback.slower(),
            MatchCommand::Restart if session.takes_back_freely() && session.lesson.is_none() => {
                // After help, a restart is a new line even if its first moves are the same; the old one stays as a variation.
                match session.result.help.is_empty() {
                    true => session.look_back(0),
                    false => session.rewind(0),
                }
            }
            MatchCommand::Restart => {
                self.carried.afresh = true;
                self.begin_again(session);
            }
            MatchCommand::NextMatch if !session.may_go_on() => {
                self.sounds.write(Sound::Refuse.into());
            }
            MatchCommand::NextMatch if session.is_in_series() => {
                let speed = session.series.speed.unwrap_or(session.playback.speed);
                self.carried.look = Some((speed, session.overlays.on.clone()));
                self.series.write(SeriesEvent::Next);
            }
            MatchCommand::BestOfFive => {
                if let Some(outcome) = session.outcome() {
                    let config = Box::new(session.config.clone());
                    self.series.write(SeriesEvent::BestOfFive(config, outcome.places));
                }
            }
            MatchCommand::LastPlan => session.show_last_plan(),
            MatchCommand::NextMatch => {
                if let Some(config) = &mut self.config {
                    config.seed = config.seed.wrapping_add(1) % 1_000_000;
                }
                self.carried.afresh = true;
                self.begin_again(session);
            }
            MatchCommand::NextRival => self.next_rival(session),
            MatchCommand::GoOn if session.is_step_over() => self.go_on(session),
            MatchCommand::GoOn => {
                if let Some((next, _)) = session.what_next() {
                    self.apply(session, next);
                }
            }
            MatchCommand::Highlights => session.show_highlights(),
            MatchCommand::MoveNow => match &session.asked {
                Some(request) => request.enough.raise(),
                None => session.hurry(),
            },
            MatchCommand::Undo => {
                if !session.undo() {
                    self.sounds.write(Sound::Refuse.into());
                }
            }
            MatchCommand::UndoToLandmark => {
                if !session.undo_to_landmark() {
                    self.sounds.write(Sound::Refuse.into());
                }
            }
            MatchCommand::Redo => {
                if !session.redo() {
                    self.sounds.write(Sound::Refuse.into());
                }
            }
            MatchCommand::Variation(variation) => {
                if let Err(why) = session.choose_variation(variation) {
                    self.notices.write(Notice::error(format!("Cannot show it: {why}.")));
                }
            }
            MatchCommand::Hint if session.board.solver.is_some() => {
                session.ask_solver(Wanted::Hint)
            }
            MatchCommand::ShowRest if session.board.solver.is_none() => {
                let shown = session.show_answer();
                self.sounds.write(if shown { Sound::Hint } else { Sound::Refuse }.into());
            }
            MatchCommand::ShowRest => session.ask_solver(Wanted::Rest),
            MatchCommand::PreviousMistake | MatchCommand::NextMistake => {
                if session.tab == Tab::Analysis {
                    self.analysed(session).close_analysis();
                }
                if !session.go_to_mistake(command == MatchCommand::NextMistake) {
                    self.sounds.write(Sound::Refuse.into());
                }
            }
            MatchCommand::TryAgain => session.tab = Tab::Match,
            MatchCommand::CopyMoves => match session.live.moves_text(&session.state) {
                Some(text) => {
                    self.copied.0 = Some(text);
                    self.notices.write(Notice::info("Moves copied."));
                }
                None => {
                    self.sounds.write(Sound::Refuse.into());
                }
            },
            MatchCommand::PasteMoves => self.paste_moves(session),
            MatchCommand::OtherLevel(by) => self.other_level(session, by),
            MatchCommand::Hint => {
                let found = session.live.find_hint(&session.state);
                if found {
                    session.note_hint();
                }
                self.sounds.write(if found { Sound::Hint } else { Sound::Refuse }.into());
            }
            MatchCommand::Save => self.save(session),
            MatchCommand::CopyLink => self.copy_link(session),
            MatchCommand::Lecture if session.tab == Tab::Analysis => {
                self.analysis.projected = !self.analysis.projected;
            }
            MatchCommand::Lecture => session.switch_lecture(),
            MatchCommand::Leave if session.notes.in_lecture => session.switch_lecture(),
            MatchCommand::Leave if session.tab == Tab::Analysis => self.analysed(session).leave(),
            MatchCommand::CopyResult => {
                self.copied.0 = session.daily_line();
                self.notices.write(Notice::info("Result copied."));
            }
            MatchCommand::Feature(feature) => (feature.run)(&mut self.commands),
            MatchCommand::Fit => {
                session.overlays.follow = false;
                self.view.fitted = true;
            }
            MatchCommand::Follow => session.overlays.follow = !session.overlays.follow,
            MatchCommand::Overlays => {
                session.overlays.switch_all();
            }
            MatchCommand::Overlay(index) => session.overlays.switch(index),
            MatchCommand::Ghost => {
                let ghost = |overlay: &super::Overlay| overlay.layer.is_ghost();
                if let Some(index) = session.board.overlays.iter().position(ghost) {
                    session.overlays.switch(index);
                }
            }
            MatchCommand::CarryOut => {
                self.input(session, Input::Key(Press::plain(KeyCode::Enter)));
            }
            MatchCommand::Panel => side::switch(session, &mut self.settings),
            MatchCommand::Commentary => self.settings.commentary = !self.settings.commentary,
            MatchCommand::Grid => self.settings.grid = !self.settings.grid,
            MatchCommand::Show(tab) => self.analysed(session).show_tab(tab),
            MatchCommand::Scrub(scrub) => self.analysis.scrub(scrub),
            MatchCommand::PlayLine => {
                let played = self.analysed(session).play_analysed_line();
                self.notices.write(line_notice(session, played));
            }
            MatchCommand::PlayChoice(choice) => {
                let played = self.analysed(session).play_choice(choice);
                self.notices.write(line_notice(session, played));
            }
            MatchCommand::Leave => {
                let loses = !session.humans.is_empty()
                    && session.live.outcome().is_none()
                    && last > 0
                    && !session.is_play_test()
                    && session.lesson.is_none()
                    && unfinished::key(session).is_none();
                let words = match session.notes.are_unsaved {
                    true => "The notes are not saved",
                    false => "The match is not over",
                };
                if (loses || session.notes.are_unsaved) && !asked_before {
                    session.leaving = true;
                    let save = MatchCommand::Save.first_key();
                    self.notices.write(Notice::info(format!(
                        "{words}. Press Esc or the arrow again to leave it, or save it first with {save}."
                    )));
                } else {
                    self.next.set(session.config.back);
                }
            }
        }
    }

    fn analysed<'a>(&'a mut self, session: &'a mut Session) -> Analysed<'a> {
        Analysed { session, analysis: &mut self.analysis }
    }

    fn paste_moves(&mut self, session: &mut Session) {
        let text = self.clipboard.as_mut().and_then(|clipboard| clipboard.get_text());
        let Some(text) = text else {
            self.notices.write(Notice::error("There is no text on the clipboard."));
            return;
        };
        let from = session.moment(session.playback.view);
        let played = session
            .live
            .moves_of_text(&session.state, &text)
            .and_then(|line| session.play_from_here(&line, Help::Pasted));
        self.notices.write(match played {
            Ok(turns) => {
                Notice::info(format!("Pasted {} from {from} on.", counted(turns as u64, "move")))
            }
            Err(why) => Notice::error(format!("Cannot play the text on the clipboard: {why}.")),
        });
    }

    /// Begins a match on the level so many places further in the list, the built-in ones first.
    fn other_level(&mut self, session: &Session, by: isize) {
        let levels = list(session.config.game);
        let here = levels.iter().position(|entry| *entry == session.config.level);
        let there = here.and_then(|at| levels.get(at.checked_add_signed(by)?));
        let (Some(config), Some(level), false) = (&mut self.config, there, session.is_replay())
        else {
            self.sounds.write(Sound::Refuse.into());
            return;
        };
        config.level = level.clone();
        config.rules.clear();
        self.begin_again(session);
    }

    fn next_rival(&mut self, session: &Session) {
        let Some(((seat, rival), config)) =
            session.result.next_rival.clone().zip(self.config.as_mut())
        else {
            return;
        };
        if let Some(player) = config.players.get_mut(seat) {
            *player = rival;
        }
        config.seed = config.seed.wrapping_add(1) % 1_000_000;
        // The set-up goes on with the same rival.
        if let Some(last) = self.settings.setups.get_mut(session.config.game) {
            last.players = config.players.iter().map(|player| player.name().to_owned()).collect();
        }
        self.carried.afresh = true;
        self.begin_again(session);
    }

    /// Begins the next step of the lesson, or this one again if it went wrong; after the last one, goes back
    /// to the set-up.
    fn go_on(&mut self, session: &Session) {
        let Some(lesson) = &session.lesson else { return };
        let on = usize::from(lesson.status == LessonStatus::Done);
        match ((lesson.config)(lesson.step + on), &mut self.config) {
            (Some(next), Some(config)) => {
                **config = next;
                self.begin_again(session);
            }
            _ => self.next.set(session.config.back),
        }
    }

    /// Begins the match again, with one of these players beside it, or without one.
    pub(super) fn show_beside(&mut self, session: &Session, players: Option<Vec<Player>>) {
        if let Some(config) = &mut self.config {
            config.beside = players;
        }
        self.carried.afresh = true;
        self.begin_again(session);
    }

    fn copy_link(&mut self, session: &Session) {
        let link = link::of_replay(session.config.level.stem(), &session.replay_text());
        self.notices.write(links::copy(link, |text| self.copied.0 = Some(text)));
    }

    fn save(&mut self, session: &mut Session) {
        let Some(folder) = data_folder() else {
            self.notices.write(Notice::error(
                "No data folder available. Set OUTWIT_DATA to a folder to save replays.",
            ));
            return;
        };
        let save = |session: &Session| {
            let name = replay_files::name(session.config.game, session.config.level.stem());
            let file = replay_files::saved(&folder).join(name);
            write_new(&file, session.replay_text().as_bytes())
        };
        let saved = save(session);
        session.notes.are_unsaved &= saved.is_err();
        let beside = self.other.as_deref().map(|(other, _)| save(other));
        for saved in [Some(saved), beside].into_iter().flatten() {
            self.notices.write(match saved {
                Ok(path) => Notice::info(format!("Replay saved as {}", path.display())),
                Err(error) => Notice::error(format!("The replay was not saved. {error}")),
            });
        }
    }

    /// Begins a match with the present [`MatchConfig`] and keeps what was set on the screen.
    fn begin_again(&mut self, session: &Session) {
        self.carried.look = Some((session.playback.speed, session.overlays.on.clone()));
        self.next.set(Screen::Match);
    }

    /// Passes an input to the board and plays what the person chose by it. Returns whether the
    /// board took it.
    pub fn input(&mut self, session: &mut Session, input: Input) -> bool {
        // A lecture shows what was played, and nothing is played in it.
        let is_over = session.is_step_over() && !matches!(input, Input::Hover(_));
        if is_over || session.notes.in_lecture {
            return false;
        }
        match session.live.input(&session.state, input) {
            Reply::Ignored => false,
            Reply::Handled => {
                if matches!(input, Input::Key(_)) {
                    self.sounds.write(Sound::Tick.into());
                }
                true
            }
            Reply::Refused => {
                self.sounds.write(Sound::Refuse.into());
                true
            }
            Reply::Act(()) | Reply::Acts(_) => {
                self.play_queued(session);
                true
            }
        }
    }

    /// Plays a person's choice.
    pub fn play_queued(&mut self, session: &mut Session) {
        if session.is_step_over() {
            session.live.clear_queue();
            return;
        }
        if session.tab == Tab::Review {
            // A stray click must not take back a finished match.
            session.live.clear_queue();
            self.notices.write(Notice::info(
                "This is the review. To play on from here, go back to the board first.",
            ));
            return;
        }
        match session.play_queued() {
            ChoiceResult::Refused(_) => {
                self.sounds.write(Sound::Refuse.into());
            }
            ChoiceResult::Branched(left) if session.board.undo_counts => {
                let moves = counted(left as u64, "later move");
                let from = session.moment(session.playback.view);
                self.notices.write(Notice::info(format!(
                    "Playing on from {from}. The {moves} became a variation."
                )));
            }
            ChoiceResult::Queued
            | ChoiceResult::Played
            | ChoiceResult::Branched(_)
            | ChoiceResult::Dropped => {}
        }
    }
}

/// What became of a line of the analysis that was to be played, between which turns it is.
fn line_notice(session: &Session, played: Result<(usize, usize), String>) -> Notice {
    match played {
        Ok((from, to)) => Notice::info(format!(
            "Played the line from {} to {}. What was played there before stays as a variation.",
            session.moment(from),
            session.moment(to)
        )),
        Err(why) => Notice::error(format!("Cannot play the line: {why}.")),
    }
}
