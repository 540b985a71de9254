//! What happens to a match on the screen by itself: it begins, moves on, is recorded, and goes.

use super::session::SPEEDS;
use super::{BoardView, GameView, Session};
use crate::app::Launch;
use crate::app::match_screen::MatchConfig;
use crate::app::shell::Screen;
use crate::app::shell::activity::{Activity, POLL};
use crate::app::shell::notice::Notice;
use crate::app::shell::records::{BestResult, Better, Results};
use crate::app::shell::settings::{Motion, Settings};
use crate::app::shell::sound::{PlaySound, Sound};
use crate::levels::read_ron;
use crate::play::{Replay, Ruling, Seat};
use bevy::prelude::*;

/// Why there is no match to show.
#[derive(Resource)]
pub struct Failure {
    /// Id of the game.
    pub game: &'static str,
    /// What is wrong.
    pub why: String,
    /// Whether it is a replay that cannot be played.
    pub replay: bool,
    /// The screen to go back to.
    pub back: Screen,
}

/// Sets up the match that [`MatchConfig`] asks for, if it is of this game.
pub fn begin<G: GameView>(
    mut commands: Commands,
    config: Option<Res<MatchConfig>>,
    settings: Res<Settings>,
    results: Res<Results>,
    mut sounds: MessageWriter<PlaySound>,
) {
    let Some(config) = config.filter(|config| config.game == G::ID) else { return };
    commands.remove_resource::<Failure>();
    match Session::<G>::new(config.clone(), settings.overlays) {
        Ok(mut session) => {
            if let Some(best) = session.record_key().and_then(|key| results.best(&key)) {
                session.best_label = Some(best.label.clone());
                session.ghost = read_ron::<Replay<G>>(best.replay_text.as_bytes())
                    .ok()
                    .and_then(|replay| replay.play().ok());
            }
            sounds.write(Sound::Start.into());
            commands.insert_resource(session);
        }
        Err(why) => commands.insert_resource(Failure {
            game: G::ID,
            why,
            replay: config.replay.is_some(),
            back: config.back,
        }),
    }
}

/// Forgets the match.
pub fn end<G: GameView>(
    mut commands: Commands,
    mut area: ResMut<crate::app::shell::input::BoardArea>,
) {
    area.0 = None;
    commands.remove_resource::<Session<G>>();
    commands.remove_resource::<Failure>();
}

/// Moves the match and its animation on.
pub fn advance<G: GameView>(
    mut session: ResMut<Session<G>>,
    time: Res<Time>,
    settings: Res<Settings>,
    launch: Res<Launch>,
    mut sounds: MessageWriter<PlaySound>,
) {
    let session = &mut *session;
    let wanted_by_picture = launch.screenshot.as_ref().map(|(_, turn)| *turn);
    if wanted_by_picture.is_some_and(|turn| session.view >= turn) {
        session.playing = false;
        session.stepping = false;
    }
    let mut left = time.delta_secs() * SPEEDS[session.speed];
    if session.human_to_move().is_some()
        && let Some(action) = session.queued.take()
        && session.choose(action).is_err()
    {
        sounds.write(Sound::Refuse.into());
    }
    if session.playing && session.time_left().is_some() {
        session.thought += time.delta_secs();
        if session.time_left() == Some(0.0)
            && let Some(action) = G::time_over(session)
            && session.choose(action).is_err()
        {
            sounds.write(Sound::Refuse.into());
        }
    }
    let instant =
        settings.motion == Motion::Off || wanted_by_picture.is_some() || session.queued.is_some();
    // At great speed several turns fit into one frame.
    for _ in 0..64 {
        if session.is_at_present() {
            if !(session.playing || session.stepping) || session.referee.poll() != Ruling::Played {
                break;
            }
            continue;
        }
        if !(session.playing || session.stepping) && session.moving == 0.0 {
            break;
        }
        let events = &session.referee.played().turns()[session.view].events;
        if session.moving == 0.0 {
            for sound in events.iter().filter_map(G::sound) {
                sounds.write(sound);
            }
        }
        let easing = if settings.motion == Motion::Reduced { 0.5 } else { 1.0 };
        let seconds = G::seconds(events) * easing;
        let needed = if instant { 0.0 } else { seconds * (1.0 - session.moving) };
        if needed > left {
            session.moving += left / seconds.max(1e-6);
            break;
        }
        left -= needed;
        session.view += 1;
        session.moving = 0.0;
        session.stepping = false;
        session.note_end();
        if wanted_by_picture.is_some_and(|turn| session.view >= turn) {
            session.playing = false;
            break;
        }
        if instant && wanted_by_picture.is_none() {
            break;
        }
    }
}

/// Asks for frames while pieces or the view move, planners think, a person's clock runs or a review
/// is made.
pub fn keep_awake<G: GameView>(
    session: Res<Session<G>>,
    view: Res<BoardView>,
    activity: Res<Activity>,
    mut before: Local<(BoardView, Vec<Option<f32>>)>,
) {
    let seats = (0..session.config.players.len() as u8).map(Seat);
    let preparing = seats.clone().any(|seat| session.referee.is_preparing(seat));
    let now = (*view, seats.map(|seat| session.referee.used(seat)).collect::<Vec<_>>());
    let runs = session.playing || session.stepping;
    let waits_for_planners =
        runs && !session.referee.is_over() && session.human_to_move().is_none();
    let moves = session.moving > 0.0 || runs && !session.is_at_present() || now.0 != before.0;
    if moves || waits_for_planners {
        activity.animate();
    }
    let thinking = preparing || now.1 != before.1;
    let reviewing = session.review.as_ref().is_some_and(|review| !review.is_done());
    if thinking || reviewing || runs && session.time_left().is_some() {
        activity.wake_in(POLL);
    }
    *before = now;
}

/// Takes a person's result into the books once the end is shown.
pub fn remember_result<G: GameView>(
    mut session: ResMut<Session<G>>,
    mut results: ResMut<Results>,
    settings: Res<Settings>,
    mut notices: MessageWriter<Notice>,
) {
    if session.outcome().is_none() || session.recorded || session.used_undo {
        return;
    }
    session.recorded = true;
    let best = session
        .humans
        .iter()
        .filter_map(|&seat| G::result(&session, seat))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    if let (Some((score, label)), Some(key)) = (best, session.record_key()) {
        let result =
            BestResult::now(score, label.clone(), settings.player.clone(), session.replay_text());
        if results.submit(&key, result, Better::Lower) {
            notices.write(Notice::info(format!("Your best result on this track: {label}")));
            session.beaten = Some(label.clone());
            session.best_label = Some(label);
        }
    }
}
