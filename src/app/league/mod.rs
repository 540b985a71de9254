//! A league that plays on by itself: the match screen shows match after match, and between two of them
//! this screen shows the table, until somebody stops it.

pub mod commands;
mod screen;
mod state;
mod table;

use crate::app::match_screen::{MatchSet, Session, Tab};
use crate::app::requests::{ChosenGame, MatchConfig, Modal, Screen};
use crate::app::shell::activity::{Activity, POLL};
use crate::app::shell::input::BoardArea;
use crate::app::shell::notice::Notice;
use crate::app::shell::{Frame, Pass, widgets};
use bevy::input::keyboard::KeyboardInput;
use bevy::input::mouse::{MouseButtonInput, MouseWheel};
use bevy::input::touch::TouchInput;
use bevy::prelude::*;
use bevy::window::CursorMoved;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use outwit_core::play::Player;
use state::{END, LastMatch, PAUSE, Phase, Playing, UNATTENDED};
pub use state::{FILE, LeagueScreen};

/// Says why a league has stopped by itself.
const NOBODY: &str = "Stopped because nobody seemed to be watching.";

fn enter(
    mut commands: Commands,
    screen: Option<ResMut<LeagueScreen>>,
    chosen: Option<Res<ChosenGame>>,
    mut notices: MessageWriter<Notice>,
) {
    let chosen = chosen.map(|chosen| chosen.0);
    match screen {
        Some(mut screen) => screen.enter(chosen),
        None => {
            let (screen, message) = LeagueScreen::load(chosen);
            notices.write_batch(message.map(Notice::error));
            commands.insert_resource(screen);
        }
    }
}

/// Saves what was chosen on the screen.
fn leave(screen: Option<ResMut<LeagueScreen>>, mut notices: MessageWriter<Notice>) {
    if let Some(mut screen) = screen {
        notices.write_batch(screen.save().err().map(Notice::error));
    }
}

/// Whatever shows that somebody is there.
#[derive(bevy::ecs::system::SystemParam)]
struct Inputs<'w, 's> {
    keys: MessageReader<'w, 's, KeyboardInput>,
    buttons: MessageReader<'w, 's, MouseButtonInput>,
    moves: MessageReader<'w, 's, CursorMoved>,
    wheel: MessageReader<'w, 's, MouseWheel>,
    touch: MessageReader<'w, 's, TouchInput>,
}

impl Inputs<'_, '_> {
    fn any(&mut self) -> bool {
        let counts = [
            self.keys.read().count(),
            self.buttons.read().count(),
            self.moves.read().count(),
            self.wheel.read().count(),
            self.touch.read().count(),
        ];
        counts.into_iter().any(|count| count > 0)
    }
}

/// Stops the league if there was no input for long.
fn attend(
    mut screen: ResMut<LeagueScreen>,
    mut inputs: Inputs,
    time: Res<Time<Real>>,
    state: Res<State<Screen>>,
    mut next: ResMut<NextState<Screen>>,
) {
    screen.idle = if inputs.any() { 0.0 } else { screen.idle + time.delta_secs() };
    if screen.idle < UNATTENDED || matches!(screen.phase, Phase::Stopped(_)) {
        return;
    }
    screen.stop(Some(NOBODY));
    if *state.get() == Screen::Match {
        next.set(Screen::League);
    }
}

/// Whether a match is the one that the league has set up, played by nobody else.
fn is_of_league(session: &Session, playing: &Playing) -> bool {
    let config = &session.config;
    let players = playing.fixture.players.iter().map(|name| Player::from(name.as_str()));
    config.seed == playing.fixture.seed
        && config.level.id == playing.fixture.level
        && players.eq(config.players.iter().cloned())
        && session.result.counts()
}

/// Notes the result of a match of the league once its end is shown, and goes on to the table.
#[allow(clippy::too_many_arguments)]
fn follow(
    mut screen: ResMut<LeagueScreen>,
    session: Option<ResMut<Session>>,
    config: Option<Res<MatchConfig>>,
    modal: Res<Modal>,
    time: Res<Time<Real>>,
    activity: Res<Activity>,
    mut next: ResMut<NextState<Screen>>,
    mut notices: MessageWriter<Notice>,
) {
    if config.is_none_or(|config| config.back != Screen::League) {
        return;
    }
    let screen = &mut *screen;
    let speed = screen.speed;
    let Phase::Playing(playing) = &mut screen.phase else { return };
    let mut ended = None;
    let over = match session {
        // The match screen says why it cannot be played.
        None => {
            if !std::mem::replace(&mut playing.ended, true) && !playing.again {
                let words = String::from("This match could not be played.");
                ended = Some((words, None, Vec::new()));
            }
            true
        }
        Some(mut session) => {
            if !std::mem::replace(&mut playing.begun, true)
                && let Some(speed) = speed
            {
                session.playback.speed = speed;
            }
            screen.speed = Some(session.playback.speed);
            let outcome = session.outcome().filter(|_| session.result.ended);
            if let Some(outcome) = &outcome
                && !playing.ended
                && !playing.again
            {
                playing.ended = true;
                playing.counts = is_of_league(&session, playing);
                if playing.counts {
                    let words = session.live.headline(&session.state);
                    let words = words.unwrap_or_else(|| outcome.headline.clone());
                    let replay = Some(session.live.replay_text());
                    ended = Some((words, replay, outcome.places.clone()));
                }
            }
            outcome.is_some() && session.tab == Tab::Match && session.playback.rests()
        }
    };
    let waits = over && !playing.held && *modal == Modal::None;
    playing.shown = if waits { playing.shown + time.delta_secs() } else { 0.0 };
    let shown = playing.shown;
    if let Some((words, replay, places)) = ended {
        let fixture = playing.fixture.clone();
        screen.enter_result(LastMatch { fixture, words, replay }, places);
        notices.write_batch(screen.save().err().map(Notice::error));
    }
    if shown >= END {
        screen.phase = Phase::Between(PAUSE);
        next.set(Screen::League);
    } else if waits {
        activity.wake_in(POLL);
    }
}

/// Starts the next match when the pause is over.
fn count_down(
    mut screen: ResMut<LeagueScreen>,
    modal: Res<Modal>,
    time: Res<Time<Real>>,
    activity: Res<Activity>,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
) {
    let Phase::Between(left) = &mut screen.phase else { return };
    if *modal != Modal::None {
        return;
    }
    *left -= time.delta_secs();
    if *left > 0.0 {
        activity.wake_in(POLL);
        return;
    }
    match screen.start() {
        Ok(config) => {
            commands.insert_resource(config);
            next.set(Screen::Match);
        }
        Err(why) => screen.stop(Some(&why)),
    }
}

/// Says over the board that the match is over for the league, and lets the user stay.
fn show_end(mut contexts: EguiContexts, mut screen: ResMut<LeagueScreen>, area: Res<BoardArea>) {
    let Phase::Playing(playing) = &mut screen.phase else { return };
    let (Ok(ctx), Some(board)) = (contexts.ctx_mut(), area.0) else { return };
    if playing.shown == 0.0 || playing.held {
        return;
    }
    let seconds = (END - playing.shown).ceil().max(1.0);
    let counted = match (playing.again, playing.counts) {
        (false, false) => "This match does not count, as it was changed. ",
        _ => "",
    };
    egui::Area::new("end of a league match".into())
        .pivot(egui::Align2::CENTER_BOTTOM)
        .fixed_pos(board.center_bottom() - egui::vec2(0.0, 16.0))
        .show(ctx, |ui| {
            egui::Frame::popup(ui.style()).inner_margin(10).show(ui, |ui| {
                ui.horizontal(|ui| {
                    widgets::hint(ui, format!("{counted}The table follows in {seconds} s"));
                    playing.held |= ui.button("Stay").clicked();
                });
            });
        });
}

/// Adds the league.
pub fn plugin(app: &mut App) {
    let exists = resource_exists::<LeagueScreen>;
    app.add_systems(OnEnter(Screen::League), enter)
        .add_systems(OnExit(Screen::League), leave)
        .add_systems(
            Update,
            (
                attend,
                follow.run_if(in_state(Screen::Match)),
                count_down.run_if(in_state(Screen::League)),
            )
                .chain()
                .run_if(exists)
                .in_set(Frame::Match)
                .after(MatchSet::Draw),
        )
        .add_systems(
            EguiPrimaryContextPass,
            (
                screen::show.run_if(in_state(Screen::League).and_then(exists)).in_set(Pass::Screen),
                show_end.run_if(in_state(Screen::Match).and_then(exists)).in_set(Pass::Over),
            ),
        );
}
