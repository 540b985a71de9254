//! The commands in README.md and the manual are commands of this program.

use super::{Arguments, Command, Failure, names, tournament};
use clap::{CommandFactory, Parser};
use std::path::{Path, PathBuf};

fn manual() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual/src")
}

/// README.md and all pages of the manual.
fn pages() -> Vec<PathBuf> {
    let folders = [manual(), manual().join("games")];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let files = entries.map(|entry| entry.unwrap().path());
    let pages = files.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.chain([manual().join("../../../README.md")]).collect()
}

/// The words of a line of a shell, as far as the manual uses one: quotation marks, and signs between commands.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The commands of this program in lines of a shell: their words.
fn commands(lines: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for line in lines.replace("\\\n", " ").lines() {
        let words = words(line);
        // A command within quotation marks is one that another program runs.
        found.extend(
            words.iter().filter(|word| word.starts_with("outwit ")).flat_map(|it| commands(it)),
        );
        let parts = words.split(|word| ["&&", "|", "&"].contains(&word.as_str()));
        for part in parts.filter(|part| part.first().is_some_and(|word| word == "outwit")) {
            found.push(part.iter().take_while(|word| *word != ">").cloned().collect());
        }
    }
    found
}

/// What stands between marks on a page, such as program text.
fn between<'a>(text: &'a str, open: &str, close: &'a str) -> impl Iterator<Item = &'a str> {
    let parts: Vec<&str> = text.split(open).skip(1).collect();
    parts.into_iter().filter_map(move |rest| Some(rest.split_once(close)?.0))
}

/// A match that is documented has the seats of its game, with planners that can take them.
fn names_its_players(found: &tournament::Arguments, place: &str) {
    let said = |failure: Failure| format!("{place}: {failure:?}");
    let (kind, seats) = tournament::requested_seats(found).map_err(said).unwrap();
    for seat in &seats {
        let players = seat.planners.iter().map(|entrant| entrant.player());
        for player in players.filter(|player| player.program().is_none()) {
            names::player(kind, player.name(), Some(&seat.seat)).map_err(said).unwrap();
        }
    }
}

#[test]
fn every_documented_command_is_one() {
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for lines in between(&text, "```sh\n", "```") {
            for command in commands(lines) {
                // Variables of a shell hold what nobody knows here; a test of the program runs those lines.
                if command.iter().any(|word| word.starts_with('$')) {
                    continue;
                }
                let command: Vec<_> = command.iter().map(|word| word.replace("{}", "1")).collect();
                let place = || format!("{}: {command:?}", page.display());
                match Arguments::try_parse_from(&command) {
                    Err(error) => panic!("{}: {error}", place()),
                    Ok(Arguments { command: Some(Command::Match(found)), .. }) => {
                        names_its_players(&found, &place());
                    }
                    Ok(_) => {}
                }
                count += 1;
            }
        }
    }
    assert!(count > 40, "only {count} commands were found");
}

#[test]
fn the_page_of_commands_names_all_commands_and_options() {
    let page = std::fs::read_to_string(manual().join("command-line.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let shown = |command: &&clap::Command| !command.is_hide_set();
    for command in Arguments::command().get_subcommands().filter(shown) {
        let name = command.get_name();
        let is_named = rows.iter().any(|row| {
            let first = row.split(" | ").next().unwrap_or_default();
            first.split('`').skip(1).step_by(2).any(|code| code.split(' ').next() == Some(name))
        });
        assert!(is_named, "{name} is missing");
        for option in command.get_arguments().filter_map(|argument| argument.get_long()) {
            let word = format!("--{option}");
            let is_option = |at: usize| {
                !page[at + word.len()..].starts_with(|c: char| c == '-' || c.is_alphanumeric())
            };
            let is_told = page.match_indices(&word).any(|(at, _)| is_option(at));
            assert!(is_told, "{name} {word} is missing");
        }
    }
}
