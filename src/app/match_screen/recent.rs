//! Keeps the latest matches as replays, without being asked. Only the program itself adds this, so that
//! tests leave no files behind.

use super::lifecycle;
use super::matches::FocusedMatch;
use super::session::Session;
use super::sets::MatchSet;
use super::state::Carried;
use super::unfinished;
use crate::app::requests::{Launch, Screen};
use crate::app::shell::notice::Notice;
use crate::app::shell::replay_files;
use bevy::prelude::*;
use outwit_core::platform::store::StoreError;
use outwit_levels::data_folder;
use std::path::{Path, PathBuf};

/// A match that goes on is kept only after so many turns.
const LEAST: usize = 3;

/// Where the match on the screen was kept.
#[derive(Resource, Default)]
struct KeptMatch {
    file: Option<PathBuf>,
    /// The [revision](super::LiveMatch::revision) that was kept, or could not be.
    revision: Option<u64>,
}

/// Whether a match is worth being kept: somebody played or watched it, and it is no recording and no try. One
/// that can be resumed waits for its end.
fn is_worth_keeping(session: &Session) -> bool {
    let turns = session.live.turns();
    let resumes = unfinished::key(session).is_some();
    let left = turns >= LEAST && !resumes || turns > 0 && session.live.is_over();
    let is_try = session.is_play_test() || session.lesson.is_some();
    // Whoever skips a match of a series has not watched it.
    let is_skipped = session.series.series.is_some() && !session.live.is_over();
    left && !session.is_replay() && !is_try && !is_skipped
}

/// Keeps the match as it is now, unless it is kept so already.
fn keep(session: &Session, kept: &mut KeptMatch, saved: &Path) -> Result<(), StoreError> {
    let revision = Some(session.live.revision());
    if kept.revision == revision || !is_worth_keeping(session) {
        return Ok(());
    }
    kept.revision = revision;
    let (game, level) = (session.config.game, session.config.level.stem());
    let (folder, most, name) = match &session.series.series {
        Some(series) => (
            replay_files::of_series(saved),
            replay_files::MOST_OF_SERIES,
            replay_files::name_in_series(series.title, game, level),
        ),
        None => (
            replay_files::recent(saved),
            replay_files::MOST_RECENT,
            replay_files::name(game, level),
        ),
    };
    let text = session.replay_text();
    kept.file = Some(replay_files::keep((&folder, most), kept.file.as_deref(), &name, &text)?);
    Ok(())
}

/// Keeps the match in the data folder, and tells if that fails.
fn keep_or_say(session: &Session, kept: &mut KeptMatch, notices: &mut MessageWriter<Notice>) {
    if let Some(data) = data_folder()
        && let Err(why) = keep(session, kept, &replay_files::saved(&data))
    {
        notices.write(Notice::error(format!("The replay of the match was not kept. {why}")));
    }
}

/// Keeps a match once its end is shown.
fn keep_ended(
    session: FocusedMatch,
    mut kept: ResMut<KeptMatch>,
    launch: Res<Launch>,
    mut notices: MessageWriter<Notice>,
) {
    if session.live.is_over() && session.is_at_present() && launch.screenshot.is_none() {
        keep_or_say(&session, &mut kept, &mut notices);
    }
}

/// Keeps a match that is left. The next one gets a file of its own.
fn keep_left(
    session: Option<FocusedMatch>,
    carried: Res<Carried>,
    mut kept: ResMut<KeptMatch>,
    mut notices: MessageWriter<Notice>,
) {
    // Whoever begins again has given the try up.
    if let Some(session) = session
        && (session.live.is_over() || !carried.afresh)
    {
        keep_or_say(&session, &mut kept, &mut notices);
    }
    *kept = KeptMatch::default();
}

/// Keeps the match when the program ends.
fn keep_on_exit(
    session: Option<FocusedMatch>,
    mut kept: ResMut<KeptMatch>,
    launch: Res<Launch>,
    mut exits: MessageReader<AppExit>,
    mut notices: MessageWriter<Notice>,
) {
    if exits.read().next().is_some()
        && launch.screenshot.is_none()
        && let Some(session) = session
    {
        keep_or_say(&session, &mut kept, &mut notices);
    }
}

/// Keeps the latest matches.
pub fn plugin(app: &mut App) {
    app.init_resource::<KeptMatch>()
        .add_systems(Update, keep_ended.in_set(MatchSet::Record))
        .add_systems(OnExit(Screen::Match), keep_left.before(lifecycle::end))
        .add_systems(Last, keep_on_exit);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::match_screen::tests::config;
    use crate::app::requests::MatchConfig;
    use outwit_core::platform::store;
    use outwit_core::play::Ruling;
    use outwit_headless::find;
    use outwit_mnk::Mnk;

    /// A watched match after so many turns.
    fn played(config: MatchConfig, turns: usize) -> Session {
        let mut session = Session::new::<Mnk>(config, true).unwrap();
        play_on(&mut session, turns);
        session
    }

    fn play_on(session: &mut Session, turns: usize) {
        for _ in 0..20_000 {
            if session.live.turns() >= turns {
                return;
            }
            if session.live.poll() != Ruling::Played {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        }
        panic!("the planners do not play");
    }

    fn files(saved: &Path) -> Vec<PathBuf> {
        store::list_if_there(&replay_files::recent(saved)).unwrap()
    }

    /// A watched match that is over.
    fn ended(config: MatchConfig) -> Session {
        let mut session = played(config, 1);
        let mut turns = 1;
        while !session.live.is_over() {
            turns += 1;
            play_on(&mut session, turns);
        }
        session
    }

    #[test]
    fn one_match_has_one_file_however_often_it_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let saved = folder.path();
        let mut kept = KeptMatch::default();
        let session = played(config(find("mnk").unwrap()), 4);
        keep(&session, &mut kept, saved).unwrap();
        assert!(files(saved).is_empty(), "it can be resumed");
        let mut session = ended(config(find("mnk").unwrap()));
        for _ in 0..2 {
            keep(&session, &mut kept, saved).unwrap();
            let files = files(saved);
            assert_eq!(files.len(), 1);
            assert_eq!(store::read(&files[0]).unwrap(), session.replay_text().as_bytes());
        }
        // It goes on another way: the same file holds that.
        session.rewind(1);
        while !session.live.is_over() {
            let turns = session.live.turns() + 1;
            play_on(&mut session, turns);
        }
        keep(&session, &mut kept, saved).unwrap();
        assert_eq!(files(saved).len(), 1);
        keep(&session, &mut KeptMatch::default(), saved).unwrap();
        assert_eq!(files(saved).len(), 2, "another match has another file");
    }

    #[test]
    fn recordings_and_play_tests_are_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let text = ended(config(find("mnk").unwrap())).replay_text();
        let watched = MatchConfig::watching(&text, "x", Screen::Menu).unwrap();
        let tried = MatchConfig { back: Screen::Editor, ..config(find("mnk").unwrap()) };
        for other in [Session::new::<Mnk>(watched, true).unwrap(), ended(tried)] {
            assert!(other.live.turns() >= LEAST && other.live.is_over());
            keep(&other, &mut KeptMatch::default(), folder.path()).unwrap();
        }
        assert!(files(folder.path()).is_empty());
    }
}
