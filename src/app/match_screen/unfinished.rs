//! Matches that were left before their end, to be resumed later: one file for each level with its rules
//! and players, and more where two copies of the program left the same match.

use super::session::Session;
use super::state::{Help, KeptFile};
use crate::app::shell::store::{Loaded, loaded, put_aside, to_text};
use outwit_core::levels::read_ron;
use outwit_core::platform::store;
use outwit_core::play::{Player, digest_of};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A match that was left.
#[derive(Default, Serialize, Deserialize)]
struct Unfinished {
    /// What it was played on and by whom, as [`key`] names it.
    level: String,
    /// The turn that was shown.
    turn: usize,
    /// The seed of the match; older files know only that in the replay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// The first turn that a planner played for the person; older files know no other help.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    assisted: Option<usize>,
    /// The help that the person had.
    #[serde(default)]
    help: Vec<(Help, usize)>,
    /// The match as a replay file.
    replay: String,
}

/// Most unfinished matches of the same players on one level.
const MOST: usize = 9;

/// The level, its rules and, unless one person plays alone, who plays; `None` if such a match is not kept. A match of a
/// series has nothing to do with one that a person left, and two side by side begin together.
pub fn key(session: &Session) -> Option<String> {
    let is_alone = session.series.series.is_none() && session.config.beside.is_none();
    let is_kept = !session.humans.is_empty() || session.board.resumes_watched;
    let level = session.record_key().filter(|_| is_alone && is_kept)?;
    let players = &session.config.players;
    if players[..] == [Player::Human] {
        return Some(level);
    }
    let names: Vec<_> = players.iter().map(Player::name).collect();
    Some(format!("{level} {}", names.join(",")))
}

/// The files of a key in the data folder.
fn files(folder: &Path, key: &str) -> impl Iterator<Item = PathBuf> {
    let folder = folder.join("unfinished");
    let digest = digest_of(key.as_bytes());
    std::iter::once(format!("{digest:016x}.ron"))
        .chain((2..=MOST).map(move |n| format!("{digest:016x}-{n}.ron")))
        .map(move |file| folder.join(file))
}

/// Keeps a match in the data folder that is being left, or may be at any moment. A match that is over, or never began,
/// leaves nothing. Returns the file in which it is kept.
///
/// # Errors
/// If the file cannot be written or removed.
pub fn keep(session: &Session, folder: &Path) -> Result<Option<KeptFile>, String> {
    let Some(key) = key(session) else { return Ok(None) };
    if session.live.turns() == 0 || session.live.is_over() {
        let Some(kept) = &session.kept else { return Ok(None) };
        let removed = store::remove_if(&kept.path, |there| digest_of(there) == kept.known);
        return removed.map(|_| None).map_err(|error| error.to_string());
    }
    let unfinished = Unfinished {
        turn: session.playback.view,
        seed: Some(session.config.seed),
        assisted: None,
        help: session.result.help.clone(),
        replay: session.replay_text(),
        level: key.clone(),
    };
    let text = to_text(&unfinished).map_err(|error| error.to_string())?;
    let own = session.kept.iter().map(|kept| (kept.path.clone(), Some(kept.known)));
    let free = files(folder, &key).map(|file| (file, None));
    for (path, known) in own.chain(free) {
        let agreed = |there: Option<&[u8]>| there.is_none_or(|it| Some(digest_of(it)) == known);
        if store::replace_if(&path, text.as_bytes(), agreed).map_err(|error| error.to_string())? {
            return Ok(Some(KeptFile { path, known: digest_of(text.as_bytes()) }));
        }
    }
    Err(format!(
        "There are {MOST} unfinished matches of these players on this level already. Finish some of them first."
    ))
}

/// The seed of the match that [`resume`] would restore. Chance and planners of a session follow from its seed, so the
/// session must begin with this one.
pub fn seed(session: &Session, folder: &Path) -> Option<u64> {
    let key = key(session)?;
    files(folder, &key).find_map(|path| {
        let unfinished: Unfinished = read_ron(&store::read_file(&path).ok()?).ok()?;
        unfinished.seed.filter(|_| unfinished.level == key)
    })
}

/// Restores a match that was left, unless it is to begin afresh; returns what to tell the
/// person.
pub fn resume(session: &mut Session, folder: &Path, afresh: bool) -> Option<String> {
    let key = key(session)?;
    let mut told = None;
    for path in files(folder, &key) {
        let Ok(bytes) = store::read_file(&path) else { continue };
        let kept = Some(KeptFile { path: path.clone(), known: digest_of(&bytes) });
        if afresh {
            session.kept = kept;
            return None;
        }
        let Loaded { value, message } = loaded::<Unfinished>(&path, &bytes, "The unfinished match");
        if message.is_some() || value.level != key {
            told = message.or(told);
            continue;
        }
        if value.seed.is_some_and(|seed| seed != session.config.seed) {
            continue;
        }
        match session.live.resume(&value.replay) {
            Ok(true) => {}
            Ok(false) => continue,
            Err(why) => {
                let aside = put_aside(&path);
                told = Some(format!("This match cannot be resumed: {why}. {aside}"));
                continue;
            }
        }
        session.kept = kept;
        session.jump(value.turn);
        session.result.help = value.help;
        if let Some(turn) = value.assisted {
            session.result.assist(Help::Planner, turn);
        }
        let moment = session.moment(session.playback.view);
        return Some(format!("Resumed at {moment}. Press R to start over."));
    }
    told
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::requests::MatchConfig;
    use outwit_core::grid::Cell;
    use outwit_core::play::Ruling;
    use outwit_mnk::{Mnk, MnkAction};
    use outwit_pukoban::{Direction, Pukoban, PukobanStep};
    use outwit_racetrack::{Accelerate, Racetrack};

    fn begun() -> Session {
        let config = MatchConfig::on_level("pukoban/01-first-push", &["human"]);
        Session::new::<Pukoban>(config, true).unwrap()
    }

    fn row_game(players: [&str; 2]) -> Session {
        Session::new::<Mnk>(MatchConfig::on_level("mnk/5x5x4", &players), true).unwrap()
    }

    /// A person's game against a planner, after a stone each.
    fn answered() -> Session {
        let mut session = row_game(["human", "classic"]);
        place(&mut session, 0, 0);
        session
    }

    /// Lets planners play until a person is to move.
    fn wait_for_person(session: &mut Session) {
        for _ in 0..2000 {
            if session.live.poll() == Ruling::Waiting && session.live.turns().is_multiple_of(2) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        panic!("the planner does not answer");
    }

    /// Places a stone, and waits for the answer.
    fn place(session: &mut Session, x: i32, y: i32) {
        let cell = MnkAction::Place(Cell::new(x, y));
        session.live_mut::<Mnk>().unwrap().queue.push_back(cell);
        session.play_queued();
        wait_for_person(session);
        session.jump(session.live.turns());
    }

    /// Walks up and down so often.
    fn played(mut session: Session, turns: usize) -> Session {
        let begun = session.live.turns();
        for turn in begun..begun + turns {
            let way = if turn % 2 == 0 { Direction::Up } else { Direction::Down };
            let live = session.live_mut::<Pukoban>().unwrap();
            live.queue.push_back(PukobanStep::to(way));
            session.play_queued();
            session.jump(turn + 1);
        }
        assert_eq!(session.live.turns(), begun + turns);
        session
    }

    fn resumed(folder: &Path) -> Session {
        let mut session = begun();
        resume(&mut session, folder, false);
        session
    }

    #[test]
    fn two_copies_that_leave_the_same_level_both_find_their_match() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let (one, two) = (played(begun(), 2), played(begun(), 3));
        keep(&one, folder).unwrap();
        keep(&two, folder).unwrap();
        assert_eq!(resumed(folder).live.turns(), 2);
        keep(&played(begun(), 0), folder).unwrap();
        assert_eq!(resumed(folder).live.turns(), 2, "who began nothing removes nothing");

        // Going on replaces the file that it came from, unless another copy has gone on as well.
        let (first, second) = (resumed(folder), resumed(folder));
        keep(&first, folder).unwrap();
        assert_eq!(files(folder, &key(&first).unwrap()).filter(|f| f.exists()).count(), 2);
        drop(second);

        // What is started afresh takes the place of what was there.
        let mut afresh = begun();
        resume(&mut afresh, folder, true);
        assert_eq!(afresh.live.turns(), 0);
        keep(&afresh, folder).unwrap();
        assert_eq!(resumed(folder).live.turns(), 3);
    }

    #[test]
    fn a_match_that_is_kept_again_and_again_has_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut session = begun();
        for turns in [1, 2] {
            session = played(session, turns);
            session.kept = keep(&session, folder).unwrap();
        }
        assert_eq!(resumed(folder).live.turns(), 3);
        assert_eq!(files(folder, &key(&session).unwrap()).filter(|f| f.exists()).count(), 1);
    }

    #[test]
    fn a_match_that_cannot_go_on_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        keep(&played(begun(), 2), folder).unwrap();
        let file = files(folder, &key(&begun()).unwrap()).next().unwrap();
        let text = String::from_utf8(store::read_file(&file).unwrap()).unwrap();
        store::write(&file, text.replace("rules_version:", "rules_version:9").as_bytes()).unwrap();
        let told = resume(&mut begun(), folder, false).unwrap();
        assert!(told.contains("cannot be resumed") && !told.contains(".bad"), "{told}");
        assert!(!file.exists());
        assert_eq!(resume(&mut begun(), folder, false), None);
    }

    #[test]
    fn a_match_against_a_planner_goes_on_with_the_same_players_only() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let left = answered();
        keep(&left, folder).unwrap();

        for others in [["human", "novice"], ["classic", "human"], ["human", "human"]] {
            let mut other = row_game(others);
            assert_eq!(resume(&mut other, folder, false), None);
            assert_eq!(other.live.turns(), 0, "{others:?}");
            keep(&other, folder).unwrap();
        }

        let mut resumed = row_game(["human", "classic"]);
        let told = resume(&mut resumed, folder, false).unwrap();
        assert!(told.contains("Resumed at move 2"), "{told}");
        assert_eq!(resumed.replay_text(), left.replay_text());
        place(&mut resumed, 4, 4);
        assert_eq!(resumed.live.turns(), 4, "the planner answers");
    }

    #[test]
    fn a_race_of_two_does_not_take_the_seed_of_a_race_alone() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let race = |players: &[&str], seed| {
            let config = MatchConfig { seed, ..MatchConfig::on_level("racetrack/tiny", players) };
            Session::new::<Racetrack>(config, true).unwrap()
        };
        let mut alone = race(&["human"], 7);
        let live = alone.live_mut::<Racetrack>().unwrap();
        live.queue.push_back(Accelerate(Cell::new(1, 0)));
        alone.play_queued();
        keep(&alone, folder).unwrap();
        assert_eq!(seed(&race(&["human"], 8), folder), Some(7));
        assert_eq!(seed(&race(&["human", "human"], 8), folder), None);
    }
}
