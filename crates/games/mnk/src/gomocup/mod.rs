//! The protocol of Gomocup engines (Piskvork brains), from both sides: one command a line to the engine,
//! one answer a line from it.
//!
//! Columns and rows are counted from 0, from the top left corner. Beside the commands of the protocol
//! there is one of our own, `INFO win_length K`, for rows of other lengths than five; an engine that knows
//! it says so in its answer to `ABOUT`.

mod engine;
mod manager;
mod player;

pub use engine::serve;
pub use player::{EnginePlayer, ask, fits};

use outwit_core::escape::on_one_line;

/// What the protocol is called.
pub const NAME: &str = "Gomocup";

/// Time per move without other word, in milliseconds.
const DEFAULT_TURN: u64 = 30_000;
/// The key of our own command, and of the answer to `ABOUT` that offers it.
const WIN_LENGTH: &str = "win_length";

/// The beginning of what the other side said, for messages.
fn short(text: &str) -> String {
    on_one_line(text).chars().take(60).collect()
}

/// Two numbers with a comma between them, such as a column and a row.
fn pair(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once(',').map(|(x, y)| (x.trim().parse(), y.trim().parse()));
    match parts {
        Some((Ok(x), Ok(y))) if x <= 10_000 && y <= 10_000 => Ok((x, y)),
        _ => Err(format!("'{}' is not a pair of numbers such as 7,8", short(text))),
    }
}
