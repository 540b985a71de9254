//! `outwit FILE`: opens the window at a level or a replay, as a file manager does, or at what a link leads to.
//! Nobody reads a terminal then, so the window shows what is wrong with it.

use super::input::{is_standard_input, read};
use super::play::{BUDGET, watched};
use super::source::{find_numbered, level_in};
use super::window::{MatchArgs, Wanted};
use super::{Arguments, Failure, names};
use crate::{find, link};
use clap::CommandFactory;
use outwit_core::levels::read_file;
use outwit_core::platform::store;
use outwit_core::play::{AllowedPrograms, BANK, Player, StopFlag};
use outwit_kit::exercise::{Exercise, SEED, is_exercise};
use outwit_kit::{DynGame, is_replay, replay_game};
use outwit_levels::{Entry, Source};
use std::path::Path;

/// What the window opens with for this file or link. A level is played; one with problems is edited.
///
/// # Errors
/// If there is no such file, which is then rather a mistyped command.
pub fn wanted(file: &Path) -> Result<Wanted, Failure> {
    if let Some(link) = link::in_text(&file.to_string_lossy()) {
        return Ok(link::open(link)
            .unwrap_or_else(|why| Wanted::Message(format!("The link cannot be opened: {why}."))));
    }
    if !store::exists(file) && !is_standard_input(file) {
        return Err(Failure::usage(unknown(&file.to_string_lossy())));
    }
    Ok(recognised(file).unwrap_or_else(|failure| Wanted::Message(failure.lines.join("\n"))))
}

fn recognised(file: &Path) -> Result<Wanted, Failure> {
    let bytes = if is_standard_input(file) { read(file)? } else { read_file(file)? };
    if is_replay(&bytes) {
        let id = replay_game(&bytes).unwrap_or_default();
        names::game(&id)?;
        return Ok(watched(file, &bytes));
    }
    let shown = file.to_string_lossy();
    if is_exercise(&bytes) {
        return exercise(&bytes).map_err(|why| Failure::usage(format!("{shown}: {why}")));
    }
    let mut level = level_in(file, &shown, None)?;
    let mut numbered = file.as_os_str().to_owned();
    numbered.push("#1");
    if level.kind.read_collection(&level.bytes, &shown).is_ok_and(|levels| levels.len() > 1)
        && let Some(first) = find_numbered(numbered, Some(level.kind))?
    {
        level = first;
    }
    let Ok(checked) = level.kind.read(&level.bytes, &level.name()) else {
        // A game that is over is no level, but one to watch.
        let mut recorded = level.kind.recorded(&bytes, &shown).into_iter();
        if let Some(text) = recorded.find_map(|it| it.replay.ok()) {
            return Ok(watched(file, text.as_bytes()));
        }
        return Ok(Wanted::Editor(Some(level.entry)));
    };
    let players = level.kind.line_up(&[], Some(&checked));
    Ok(Wanted::Match(match_on(level.kind, level.entry, players)))
}

/// A match of these players, as it begins where nothing else is said.
fn match_on(kind: &dyn DynGame, level: Entry, players: Vec<Player>) -> MatchArgs {
    MatchArgs {
        game: kind.id(),
        level,
        players,
        beside: None,
        programs: AllowedPrograms::default(),
        seed: 1,
        budget: BUDGET,
        bank: Some(BANK),
    }
}

/// The exercise of a file, to be opened in the window.
///
/// # Errors
/// What is wrong with it, as a sentence. Its search is run as far as the last stop, so that no question is without an
/// answer.
pub fn exercise(bytes: &[u8]) -> Result<Wanted, String> {
    let exercise = Exercise::read(bytes).map_err(|error| error.to_string())?;
    let kind = find(&exercise.game).map_err(|error| error.to_string())?;
    let level = exercise.level(kind).map_err(|error| error.to_string())?;
    exercise.work(kind, &StopFlag::default()).map_err(|error| error.to_string())?;
    // As many seats as the search is run with.
    let seats = *kind.facts().seats.allowed.start();
    let mut players = kind.line_up(&[], Some(&level));
    players.truncate(seats);
    let source = Source::Draft(exercise.level.as_str().into());
    let level = Entry { id: exercise.title.clone(), source };
    let args = MatchArgs { seed: SEED, ..match_on(kind, level, players) };
    Ok(Wanted::Exercise(Box::new(exercise), args))
}

fn unknown(typed: &str) -> String {
    let program = Arguments::command();
    let commands: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    let hint = match names::nearest(typed, &commands) {
        Some(near) => format!("did you mean '{near}'?"),
        None => "see outwit --help".into(),
    };
    format!("there is no command or file '{typed}'; {hint}")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use outwit_levels::Source;

    /// What opens for a file with this content.
    fn opened(name: &str, content: &str) -> Wanted {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, content).unwrap();
        wanted(&file).unwrap()
    }

    #[test]
    fn a_level_is_played_and_a_faulty_one_edited() {
        let level = outwit_levels::built_in("racetrack/tiny").unwrap();
        let text = String::from_utf8(level.bytes().unwrap().to_vec()).unwrap();
        let Wanted::Match(play) = opened("My track.ron", &text) else { panic!("not a match") };
        assert_eq!((play.game, play.players.len()), ("racetrack", 2));
        assert!(matches!(&play.level.source, Source::File(file) if file.ends_with("My track.ron")));
        let Wanted::Editor(Some(_)) = opened("bad.ron", &text.replace('F', ".")) else {
            panic!("not the editor")
        };
    }

    #[test]
    fn links_are_followed() {
        let Wanted::Match(play) = wanted(Path::new("#play=racetrack/tiny&seed=7")).unwrap() else {
            panic!("not a match")
        };
        assert_eq!((play.level.id.as_str(), play.seed), ("racetrack/tiny", 7));
        let Wanted::Message(why) = wanted(Path::new("#play=racetrack/nowhere")).unwrap() else {
            panic!("not a message")
        };
        assert!(why.contains("no built-in level"), "{why}");
    }

    #[test]
    fn of_several_levels_the_first_is_played() {
        let level = "#####\n#@$.#\n#####\n";
        let text = format!("{level}\n{}", level.replace("@$.", ".$@"));
        let Wanted::Match(play) = opened("two.sok", &text) else { panic!("not a match") };
        assert!(
            matches!(&play.level.source, Source::Draft(text) if text.contains("@$.")),
            "{play:?}"
        );
    }

    #[test]
    fn a_replay_is_watched() {
        let text = "(format: \"outwit-replay 1\", game: \"cops\")";
        let Wanted::Replay { name, text: kept } = opened("last night.ron", text) else {
            panic!("not a replay")
        };
        assert_eq!((name.as_str(), kept.as_str()), ("last night", text));
    }

    #[test]
    fn what_cannot_be_opened_is_said_in_the_window() {
        for (content, said) in [
            ("a letter", "not a level of any known game"),
            ("(format: \"outwit-replay 4\", game: \"chess\")", "unknown game 'chess'"),
            ("(format: \"outwit-replay 4\")", "unknown game"),
        ] {
            let Wanted::Message(message) = opened("odd.ron", content) else { panic!("{content}") };
            assert!(message.contains(said), "{message}");
        }
    }

    #[test]
    fn a_mistyped_command_is_not_taken_for_a_file() {
        let said = |typed: &str| wanted(Path::new(typed)).unwrap_err().lines.join("\n");
        assert!(said("slove").contains("did you mean 'solve'?"), "{}", said("slove"));
        assert!(said("nowhere.ron").contains("nowhere.ron"));
    }
}
