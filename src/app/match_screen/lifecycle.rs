//! What happens to a match on the screen by itself: it begins, moves on, is recorded, and goes.

use super::beside::{self, LineUpDialog};
use super::board_list::BoardList;
use super::figures::counted;
use super::focus::{Focused, MatchSlot};
use super::matches::{FocusedMatch, FocusedMatchMut, OtherMatch};
use super::review::reached_and_perfect;
use super::session::{ChoiceResult, Session};
use super::state::{Carried, KeptFile, SPEEDS};
use super::unfinished;
use super::view::BoardView;
use crate::app::requests::{
    BestKnown, ChosenGame, ChosenLevel, Launch, MatchConfig, Screen, Series, SeriesEvent,
    StartBeside, StartTurn,
};
use crate::app::shell::activity::{Activity, POLL};
use crate::app::shell::input::BoardArea;
use crate::app::shell::losses::Loss;
use crate::app::shell::medals;
use crate::app::shell::notice::Notice;
use crate::app::shell::records;
use crate::app::shell::records::{BestResult, Results};
use crate::app::shell::rivals::{beaten_planners, note_result};
use crate::app::shell::settings::{Motion, Settings};
use crate::app::shell::sound::{PlaySound, Sound};
use bevy::prelude::*;
use outwit_core::escape::escaped;
use outwit_core::play::{Ruling, ScoreSpec};
use outwit_headless::find;
use outwit_levels::{Source, data_folder};
use std::time::Duration;

/// Why there is no match to show.
#[derive(Resource)]
pub struct Failure {
    /// What is wrong.
    pub why: String,
    /// Whether it is a replay that cannot be played.
    pub replay: bool,
    /// The screen to go back to.
    pub back: Screen,
}

/// Sets up the match that [`MatchConfig`] asks for.
#[allow(clippy::too_many_arguments)]
pub(super) fn begin(
    mut commands: Commands,
    config: Option<ResMut<MatchConfig>>,
    settings: Res<Settings>,
    results: Res<Results>,
    boards: Res<BoardList>,
    mut carried: ResMut<Carried>,
    mut start: ResMut<StartTurn>,
    (mut asks_beside, mut line_up): (ResMut<StartBeside>, ResMut<LineUpDialog>),
    series: Option<Res<Series>>,
    mut events: MessageWriter<SeriesEvent>,
    mut sounds: MessageWriter<PlaySound>,
    mut notices: MessageWriter<Notice>,
) {
    let start = start.0.take();
    let asks_beside = std::mem::take(&mut asks_beside.0);
    let Some(mut config) = config else { return };
    let series = series.filter(|series| series.config == *config);
    // The set-up goes on from here.
    commands.insert_resource(ChosenGame(config.game));
    if !matches!(config.level.source, Source::Draft(_)) {
        commands.insert_resource(ChosenLevel(config.level.clone()));
    }
    commands.remove_resource::<Failure>();
    let folder = data_folder();
    let afresh = std::mem::take(&mut carried.afresh);
    let board = boards.0.iter().find(|board| board.id == config.game);
    let begun =
        board.ok_or_else(|| format!("the game '{}' has no board", config.game)).and_then(|board| {
            let begin = |config: &MatchConfig| -> Result<Session, String> {
                let mut session = (board.begin)(config.clone(), settings.overlays)?;
                session.series.series = series.as_deref().cloned();
                Ok(session)
            };
            let mut session = begin(&config)?;
            let left = folder.as_ref().filter(|_| !afresh);
            if let Some(seed) = left.and_then(|folder| unfinished::seed(&session, folder))
                && seed != config.seed
            {
                config.seed = seed;
                session = begin(&config)?;
            }
            let players = config.beside.as_deref();
            let beside =
                players.map(|players| beside::begin(board, &config, players, settings.overlays));
            Ok((session, beside.transpose()?))
        });
    match begun {
        Ok((mut session, beside)) => {
            if let Some(key) = session.record_key()
                && let Some(best) = results.best(&key)
            {
                session.live.set_ghost(&records::ghost(&key, best));
            }
            session.result.best_label = best_label(&session, &results);
            session.is_new_to_game =
                !session.humans.is_empty() && settings.is_new_to(session.config.game);
            if let Some((speed, overlays)) = carried.look.take() {
                (session.playback.speed, session.overlays.on) = (speed, overlays);
                session.hide_best();
            }
            if let Some(folder) = &folder
                && let Some(words) = unfinished::resume(&mut session, folder, afresh)
            {
                notices.write(Notice::info(words));
            }
            if let Some(turn) = start {
                let turns = session.live.turns();
                session.playback.show(turn.min(turns));
            }
            sounds.write(Sound::Start.into());
            if let Some(mut other) = beside {
                beside::keep_together(&mut session, &mut other);
                let view = BoardView { is_shown: false, ..BoardView::default() };
                commands.spawn((named(MatchSlot(1)), other, view));
            }
            if asks_beside && beside::BESIDE.allowed(&session).is_ok() {
                line_up.open(&session);
            }
            commands.spawn((named(MatchSlot(0)), session, Focused));
        }
        Err(why) => {
            if series.is_some() {
                events.write(SeriesEvent::Failed(why.clone()));
            }
            commands.insert_resource(Failure {
                why,
                replay: config.replay.is_some(),
                back: config.back,
            });
        }
    }
}

/// A match's place on the screen, and its name.
fn named(slot: MatchSlot) -> impl Bundle {
    (Name::new(format!("match {}", slot.name())), slot)
}

/// Forgets the match.
pub(super) fn end(
    mut commands: Commands,
    mut area: ResMut<BoardArea>,
    session: Option<FocusedMatch>,
    matches: Query<Entity, With<Session>>,
    mut notices: MessageWriter<Notice>,
) {
    area.0 = None;
    if let Some(Err(why)) = session.map(|session| keep(&session)) {
        notices.write(Notice::error(why));
    }
    for entity in &matches {
        commands.entity(entity).despawn();
    }
    commands.remove_resource::<Failure>();
}

/// Keeps the match when the program ends.
pub(super) fn keep_on_exit(
    session: Option<FocusedMatch>,
    launch: Res<Launch>,
    mut exits: MessageReader<AppExit>,
) {
    if exits.read().next().is_some()
        && launch.screenshot.is_none()
        && let Some(Err(why)) = session.map(|session| keep(&session))
    {
        error!("{}", escaped(&why));
    }
}

/// Seconds between two times that a match is kept while it goes on.
const KEEP: f32 = 1.0;

/// Keeps the match as it goes on, for where the program ends at any moment and is not told.
pub(super) fn keep_as_played(
    mut session: FocusedMatchMut,
    time: Res<Time<Real>>,
    activity: Res<Activity>,
    mut notices: MessageWriter<Notice>,
    mut kept: Local<Option<u64>>,
    mut since: Local<f32>,
) {
    *since += time.delta_secs();
    let revision = Some(session.live.revision());
    if *kept == revision {
        return;
    }
    if *since < KEEP {
        activity.wake_in(Duration::from_secs_f32(KEEP - *since));
        return;
    }
    (*kept, *since) = (revision, 0.0);
    match keep(&session) {
        Ok(file) => session.kept = file,
        Err(why) => {
            notices.write(Notice::error(why));
        }
    }
}

/// Keeps a match that can be resumed; returns in which file.
fn keep(session: &Session) -> Result<Option<KeptFile>, String> {
    let Some(folder) = data_folder() else { return Ok(None) };
    unfinished::keep(session, &folder)
        .map_err(|why| format!("The unfinished match could not be kept. {why}"))
}

/// Seconds between two looks at the picture of a planner that thinks.
const LOOK: f32 = 0.1;

/// By how much longer turns are shown among the highlights.
const REEL: f32 = 1.7;

/// How long a turn is shown while a person's next action waits, in seconds at normal speed.
const HURRY: f32 = 0.05;

/// Moves the match and its animation on, and with it the one beside it.
pub(super) fn advance(
    mut focused: FocusedMatchMut,
    mut other: OtherMatch,
    time: Res<Time>,
    settings: Res<Settings>,
    launch: Res<Launch>,
    mut sounds: MessageWriter<PlaySound>,
    mut unseen: Local<f32>,
) {
    let (session, mut follower) = match other.as_deref_mut() {
        Some((other, _)) => {
            let [leader, follower] = beside::in_order(&mut focused, other);
            (leader, Some(follower))
        }
        None => (&mut **focused, None),
    };
    let wanted_by_picture = launch.screenshot.as_ref().map(|(_, turn)| *turn);
    if wanted_by_picture.is_some_and(|turn| session.playback.view >= turn) {
        session.playback.stop();
    }
    // The clock of a person runs whether or not the match is paused.
    let timed = session.human_to_move().filter(|_| session.time_left().is_some());
    if let Some(seat) = timed {
        session.live.propose(&session.state, seat);
    }
    if session.live.has_queued()
        && session.human_to_move().is_some()
        && let ChoiceResult::Refused(_) = session.play_queued()
    {
        sounds.write(Sound::Refuse.into());
    }
    let queued = session.live.has_queued();
    session.playback.skipping &= session.playback.playing;
    let skips = session.playback.skips();
    let instant = settings.motion == Motion::Off || wanted_by_picture.is_some() || skips;
    let mut left = time.delta_secs() * SPEEDS[session.playback.speed];
    *unseen += time.delta_secs();
    if instant {
        session.playback.opening = 0.0;
    }
    let opening = session.playback.pass_opening(time.delta_secs());
    // At great speed several turns fit into one frame.
    for _ in 0..64 {
        if session.is_at_present() {
            if !(session.playback.runs() || timed.is_some()) {
                break;
            }
            let ruling = session.live.poll();
            if ruling == Ruling::Played || *unseen > LOOK {
                session.live.take_pictures();
                session.learn_names();
                *unseen = 0.0;
            }
            if ruling != Ruling::Played {
                break;
            }
            continue;
        }
        if session.playback.rests() || opening {
            break;
        }
        let view = session.playback.view;
        if let Some(follower) = follower.as_deref_mut()
            && !beside::is_ready(follower, view)
        {
            break;
        }
        // A match that is over rests while the other one goes on.
        let moves = follower.as_deref().filter(|follower| follower.live.turns() > view);
        let both = || [Some(&*session), moves].into_iter().flatten();
        if session.playback.moving == 0.0 && !skips {
            both().for_each(|session| {
                sounds.write_batch(session.live.cues(&session.state, view).sounds);
            });
        }
        let easing = if settings.motion == Motion::Reduced { 0.5 } else { 1.0 };
        let pace = |session: &Session| {
            let seconds = session.live.cues(&session.state, view).seconds * easing;
            let watched = session.humans.is_empty() && easing == 1.0;
            match watched && SPEEDS[session.playback.speed] <= 1.0 {
                true => seconds * (1.0 + session.live.tension(view)),
                false => seconds,
            }
        };
        let mut seconds = both().map(pace).fold(0.0, f32::max);
        if !session.reel.is_empty() {
            seconds *= REEL;
        }
        // Whoever has chosen already does not want to wait.
        let seconds = if queued { seconds.min(HURRY) } else { seconds };
        let needed = if instant { 0.0 } else { seconds * (1.0 - session.playback.moving) };
        if needed > left {
            session.playback.moving += left / seconds.max(1e-6);
            break;
        }
        left -= needed;
        session.playback.finish_turn();
        session.playback.stepping = false;
        let playing = session.playback.playing;
        session.note_end();
        session.turn_reel();
        if let Some(follower) = follower.as_deref_mut() {
            // From here on the other one leads.
            if beside::outlasts(follower, session) && session.is_at_present() {
                session.playback.playing = playing;
                beside::follow(session, follower);
                break;
            }
            beside::follow(session, follower);
        }
        if wanted_by_picture.is_some_and(|turn| session.playback.view >= turn) {
            session.playback.playing = false;
            break;
        }
        if instant && wanted_by_picture.is_none() && !skips {
            break;
        }
    }
    if let Some(mut other) = other {
        beside::keep_together(&mut focused, &mut other.0);
    }
}

/// The views of all boards, and how much of its budget each seat has used.
type Seen = (Vec<BoardView>, Vec<Option<f32>>);

/// Asks for frames while pieces or the view move, planners think, a person's clock runs, or a review is made.
pub(super) fn keep_awake(
    session: FocusedMatch,
    shown: Query<(&Session, &BoardView)>,
    activity: Res<Activity>,
    mut before: Local<Seen>,
) {
    let matches = || shown.iter().map(|(session, _)| session);
    let reports = matches().flat_map(|session| session.seats().map(|seat| session.live.seat(seat)));
    let reports: Vec<_> = reports.collect();
    let preparing = reports.iter().any(|report| report.is_preparing);
    let views = shown.iter().map(|(_, view)| *view).collect();
    let now: Seen = (views, reports.iter().map(|report| report.used).collect::<Vec<_>>());
    let waits = |session: &Session| {
        session.playback.runs() && !session.live.is_over() && session.human_to_move().is_none()
    };
    let waits_for_planners = matches().any(waits);
    let moves = matches().any(|session| {
        let playback = &session.playback;
        playback.moving > 0.0 || playback.runs() && !session.is_at_present()
    }) || now.0 != before.0;
    if moves || waits_for_planners || session.live.has_queued() {
        activity.animate();
    }
    let thinking = preparing || now.1 != before.1;
    let reviewing = matches()
        .any(|session| session.review.task.as_ref().is_some_and(|review| !review.is_done()));
    let computing = reviewing || session.asked.is_some();
    if thinking || computing || session.time_left().is_some() {
        activity.wake_in(POLL);
    }
    *before = now;
}

/// Takes over what is proved to be the best result on the level of a play-test.
pub(super) fn learn_best(mut session: FocusedMatchMut, best: Option<Res<BestKnown>>) {
    let best = best.filter(|_| session.is_play_test()).and_then(|best| best.0.clone());
    if session.best_known != best {
        session.best_known = best;
    }
}

/// Notes what helps the person, on every board.
pub(super) fn note_help(mut matches: Query<&mut Session>) {
    for mut session in &mut matches {
        Session::note_shown_help(&mut session);
    }
}

/// Records a player's best result once the end is shown.
pub(super) fn record_result(
    mut session: FocusedMatchMut,
    mut results: ResMut<Results>,
    mut settings: ResMut<Settings>,
) {
    let done = session.result.recorded || session.lesson.is_some();
    if done || session.outcome().is_none() {
        return;
    }
    session.result.recorded = true;
    if !(session.humans.is_empty() || session.is_replay() || session.is_play_test()) {
        *settings.finished.entry(session.config.game.to_owned()).or_default() += 1;
    }
    // Only puzzles lead on to the next one.
    if session.board.solver.is_some() && !session.is_replay() && !session.is_play_test() {
        let levels = outwit_levels::list(session.config.game);
        session.result.level_follows =
            levels.iter().rev().skip(1).any(|entry| *entry == session.config.level);
    }
    if !session.result.counts() {
        return;
    }
    note_rivals(&mut session, &mut settings, &mut results);
    if !session.board.records {
        return;
    }
    let Some(key) = session.record_key() else { return };
    let replay = session.replay_text();
    let mut beaten = Vec::new();
    for (place, (spec, score)) in best_results(&session).into_iter().enumerate() {
        let label = counted(score, spec.unit);
        let result = BestResult::now(score, label.clone(), settings.player.clone(), replay.clone());
        if results.submit(&records::key_of(&key, place, spec.name), result, spec.better) {
            beaten.push(label);
        }
    }
    if !beaten.is_empty() {
        session.result.beaten = Some(beaten.join(", "));
        session.result.best_label = best_label(&session, &results);
    }
}

/// Notes how near the result came to the optimum, as soon as the review knows.
pub(super) fn note_distance(mut session: FocusedMatchMut, mut results: ResMut<Results>) {
    let result = &session.result;
    if !result.recorded || result.measured || !result.counts() {
        return;
    }
    let Some((reached, perfect)) = reached_and_perfect(&session) else { return };
    if let Some(key) = session.record_key() {
        results.note_distance(&key, medals::distance(reached, perfect));
    }
    if let Some(loss) = loss(&session) {
        results.losses.note(session.config.game, loss);
    }
    session.result.measured = true;
}

/// What the only person's match lost by the review, where a planner can play with that strength.
fn loss(session: &Session) -> Option<Loss> {
    find(session.config.game).ok()?.facts().graded?;
    let [seat] = session.humans.as_slice() else { return None };
    let review = session.review.task.as_ref()?.get()?.as_ref()?;
    let own = review.seats.iter().find(|own| own.seat == *seat)?;
    let lost: Option<f64> = own.moves.iter().map(|made| made.cost).sum();
    Some(Loss { level: session.level_key()?, lost: lost?, moves: own.moves.len() })
}

/// Notes whom the person has beaten, and which rival and level come next.
fn note_rivals(session: &mut Session, settings: &mut Settings, results: &mut Results) {
    let Some(outcome) = session.outcome() else { return };
    let Ok(kind) = find(session.config.game) else { return };
    let is_watched = session.is_in_series() && !session.is_contested();
    if session.is_replay() || session.is_play_test() || is_watched {
        return;
    }
    let players = &session.config.players;
    let places = &outcome.places;
    if let Some(key) = session.level_key() {
        results.rivals.note(&key, &beaten_planners(kind, players, places));
    }
    let (rivals, next) = note_result(kind, players, places, &mut settings.beaten);
    let is_single = session.series.series.is_none();
    (session.result.rivals, session.result.next_rival) = (rivals, next.filter(|_| is_single));
}

/// The best of the people's results, one for each record that the game keeps.
pub(super) fn best_results(session: &Session) -> Vec<(ScoreSpec, f64)> {
    let mut best: Vec<(ScoreSpec, f64)> = Vec::new();
    for (spec, score) in session.humans.iter().flat_map(|&seat| session.live.results(seat)) {
        match best.iter_mut().find(|(known, _)| known.name == spec.name) {
            Some((_, known)) if spec.better.is_better(score, *known) => *known = score,
            Some(_) => {}
            None => best.push((spec, score)),
        }
    }
    best
}

/// All records of the level in words.
fn best_label(session: &Session, results: &Results) -> Option<String> {
    let labels = results.labels(&session.record_key()?);
    (!labels.is_empty()).then(|| labels.join(", "))
}
