//! What sub-commands read: files, the standard input where one is called `-`, and the matches in them.

use super::Failure;
use super::names::game;
use super::source::{numbered, recognise};
use outwit_core::levels::Fault;
use outwit_core::platform::store::{self, StoreError};
use outwit_kit::{DynGame, RecordedMatch, replay_game};
use std::path::Path;

/// Whether a path means the standard input.
pub fn is_standard_input(path: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0"].iter().any(|name| path == Path::new(name))
}

/// Whether there is something to read at this path: a file, or the standard input.
pub fn is_input(path: &Path) -> bool {
    is_standard_input(path) || store::is_file(path)
}

/// Reads a file, or the standard input where it is called `-`.
///
/// # Errors
/// As [`store::read`].
pub fn read(path: &Path) -> Result<Vec<u8>, StoreError> {
    if is_standard_input(path) { store::read_standard_input(path) } else { store::read(path) }
}

/// A replay that was read or made from the moves that a file of another program records.
pub struct FoundReplay {
    /// The game.
    pub kind: &'static dyn DynGame,
    /// The replay.
    pub bytes: Vec<u8>,
    /// What messages call it.
    pub name: String,
    /// What else the file records for the same level, in words.
    pub others: Vec<String>,
}

/// The replay in a file: one of Outwit, or the moves that a file of another program records for a level, such as a
/// solution. `PATH#3` means those of the third level; without a number it is the first level with moves.
///
/// # Errors
/// If it cannot be read or holds no moves, or its moves break the rules.
pub fn find_replay(path: &Path) -> Result<FoundReplay, Failure> {
    let name = path.display().to_string();
    let (file, number) = match numbered(path) {
        Some((file, number)) => (file, Some(number)),
        None => (path.to_owned(), None),
    };
    let bytes = read(&file)?;
    if let Some(id) = replay_game(&bytes) {
        return Ok(FoundReplay {
            kind: game(&id).map_err(|failure| fault(&name, &failure.lines.join(" ")))?,
            bytes,
            name,
            others: Vec::new(),
        });
    }
    let none = |what: &str| fault(&name, &format!("this is no replay of Outwit, and {what}"));
    let shown = file.to_string_lossy();
    let kind = recognise(&bytes, &shown).map_err(|_| none("no game of another program"))?;
    let recorded = kind.recorded(&bytes, &shown);
    let Some(number) = number.or(recorded.first().map(|first| first.number)) else {
        return Err(none("it records no moves for a level"));
    };
    let mut own = recorded.into_iter().filter(|found| found.number == number);
    // A solution is shown before a game that is not over.
    let mut all: Vec<RecordedMatch> = own.by_ref().collect();
    let Some(best) = all.iter().position(|it| it.is_solved).or((!all.is_empty()).then_some(0))
    else {
        return Err(none(&format!("it records no moves for level {number}")));
    };
    let chosen = all.remove(best);
    let title = |it: &RecordedMatch| format!("{} (line {})", it.title, it.line);
    let text = chosen
        .replay
        .as_ref()
        .map_err(|why| fault(&name, &format!("{}: {why}", title(&chosen))))?;
    Ok(FoundReplay {
        kind,
        bytes: text.clone().into_bytes(),
        name: format!("{name}: {}", title(&chosen)),
        others: all.iter().map(title).collect(),
    })
}

fn fault(name: &str, what: &str) -> Failure {
    Failure::faults(name, &[Fault::whole(what)])
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A file of this name and content, in a folder that lasts as long as the first value.
    fn file(name: &str, content: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, content).unwrap();
        (folder, file)
    }

    #[test]
    fn moves_of_other_programs_are_replays() {
        let board = "#####\n#@$.#\n#####\n";
        let longer = "######\n#@$-.#\n######\n";
        let text =
            format!("{board}\nSolution\nR\n\n{longer}\nSnapshot\nR\n\nSolution\nRR\n\n{board}");
        let (folder, path) = file("set.sok", &text);
        let first = find_replay(&path).unwrap();
        assert!(first.kind.replay(&first.bytes).unwrap().faithful && first.others.is_empty());
        assert!(first.name.ends_with("set.sok: Solution (line 6)"), "{}", first.name);
        // A solution comes before a snapshot, which is named.
        let second = find_replay(&folder.path().join("set.sok#2")).unwrap();
        let summary = second.kind.replay(&second.bytes).unwrap();
        assert_eq!((summary.turns, second.others), (2, vec!["Snapshot (line 13)".to_owned()]));
        let why = |path: &Path| find_replay(path).err().unwrap().lines.join(" ");
        let third = why(&folder.path().join("set.sok#3"));
        assert!(third.contains("it records no moves for level 3"), "{third}");
        let (_folder, path) = file("bad.sok", &format!("{board}\nSolution\nrrrrrrrr\n"));
        assert!(why(&path).contains("Solution (line 6): move 2 ('r'"), "{}", why(&path));
        let (_folder, path) = file("x.txt", "a letter");
        assert!(why(&path).contains("this is no replay of Outwit"), "{}", why(&path));
    }

    #[test]
    fn a_game_that_is_over_is_a_replay_and_no_level() {
        let moves: String = (1..=4).map(|x| format!("{x},1,0\n{x},2,0\n")).collect();
        let (_folder, path) =
            file("won.psq", &format!("Piskvorky 15x15, 0:0, 0\n{moves}5,1,0\na\nb\n-1\n"));
        let found = find_replay(&path).unwrap();
        let summary = found.kind.replay(&found.bytes).unwrap();
        assert!(summary.faithful && summary.outcome.is_some() && summary.turns == 9);
        assert!(!found.kind.check(&std::fs::read(&path).unwrap(), "won.psq").is_empty());
    }
}
