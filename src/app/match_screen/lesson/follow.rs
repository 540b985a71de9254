//! Follows a step of a lesson: judges it after every turn, and notes a lesson that is finished.

use super::LessonStatus;
use crate::app::match_screen::matches::FocusedMatchMut;
use crate::app::match_screen::session::Session;
use crate::app::shell::activity::Activity;
use crate::app::shell::settings::Settings;
use crate::app::shell::sound::{PlaySound, Sound};
use bevy::prelude::*;

/// What to say of a match that ended before its step was done.
const ENDED: &str = "That is the end of this try, and the step is not done yet.";

/// Judges the step once what was played is shown, and notes the lesson as finished after its last step.
pub(super) fn follow(
    mut session: FocusedMatchMut,
    mut settings: ResMut<Settings>,
    mut sounds: MessageWriter<PlaySound>,
    activity: Res<Activity>,
) {
    let Some(lesson) = &session.lesson else { return };
    let now = (session.live.revision(), session.playback.view);
    // What was done stays done, whatever is looked at afterwards.
    if lesson.judged == Some(now) || lesson.status == LessonStatus::Done {
        return;
    }
    let before = lesson.status;
    let step = lesson.step;
    let status = status(&session, step);
    let is_finished = lesson.is_last() && status == LessonStatus::Done;
    let game = session.config.game;
    if let Some(lesson) = &mut session.lesson {
        (lesson.status, lesson.judged) = (status, Some(now));
    }
    if status == before || status == LessonStatus::Open {
        return;
    }
    // A new button has its own look only from its second frame on.
    activity.settle();
    session.playback.stop();
    session.live.clear_queue();
    let sound = if status == LessonStatus::Done { Sound::Hint } else { Sound::Refuse };
    sounds.write(sound.into());
    if is_finished && !settings.lessons.contains(game) {
        settings.lessons.insert(game.to_owned());
    }
}

/// How the step stands in the state that is shown; open where an earlier one is looked at.
fn status(session: &Session, step: usize) -> LessonStatus {
    if !session.is_at_present() {
        return LessonStatus::Open;
    }
    match session.live.lesson_status(step) {
        LessonStatus::Open if session.live.is_over() => LessonStatus::Failed(ENDED),
        status => status,
    }
}
