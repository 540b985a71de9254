//! `outwit protocol`.

use super::source::find_level;
use super::{Answer, ExitStatus, Failure, names, print_json, print_line};
use clap::Args;
use std::ffi::OsString;

/// Print the messages between Outwit and a program that plays a game, as an example on one of its levels.
///
/// Programs read and write JSON Lines: each message is one line of JSON, ended by a newline. Lines that begin with
/// '->' go to the program's standard input, lines with '<-' come from its standard output.
///
/// Example: outwit protocol cops
#[derive(Args)]
pub struct Arguments {
    /// The game.
    game: String,
    /// A level id or a file [default: the game's first level].
    level: Option<OsString>,
    /// Print the JSON Schema of all messages instead.
    #[arg(long)]
    schema: bool,
    /// Print the messages as one document.
    #[arg(long, conflicts_with = "schema")]
    json: bool,
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let kind = names::game(&arguments.game)?;
    if arguments.schema {
        print_json(&kind.protocol_schema())?;
        return Ok(Answer::Yes);
    }
    let first = kind.first_level();
    let found = find_level(arguments.level.as_deref().unwrap_or(first.as_ref()), Some(kind))?;
    let level = kind
        .read(&found.bytes, &found.name())
        .map_err(|faults| Failure::faults(&found.name(), &faults))?;
    let messages = kind.protocol_example(&level).map_err(Failure::usage)?;
    if arguments.json {
        let messages: Vec<_> = messages
            .iter()
            .map(|said| {
                let from = if said.from_referee { "referee" } else { "program" };
                serde_json::json!({ "from": from, "message": said.message })
            })
            .collect();
        print_json(&serde_json::json!({ "game": kind.id(), "messages": messages }))?;
        return Ok(Answer::Yes);
    }
    for said in messages {
        let sign = if said.from_referee { "->" } else { "<-" };
        print_line(format_args!("{sign} {}", said.message));
    }
    Ok(Answer::Yes)
}
