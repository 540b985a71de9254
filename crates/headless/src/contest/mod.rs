//! Contests of programs: a folder with players, what they play on, and the games that they have played.
//!
//! ```text
//! FOLDER/
//!   contest.toml            game, levels, games, time
//!   players/NAME/           a player's files, with player.toml
//!   work/                   what Outwit keeps: built players, finished games, who plays what
//!   site/                   standings, players and games as pages
//! ```
//!
//! A finished game is known by a digest of all that it depends on: level, rules, seed, time and the files of its
//! players. So nothing is played twice, and when a player changes, only its games are played again. Any number of runs
//! may take games from one folder at the same time, on several machines.

mod config;
mod entry;
mod field;
mod standings;
mod work;

pub use config::{ContestConfig, PlayerConfig, Points, is_player_name, player_folders};
pub use entry::{Entry, EntryCheck, EntryRecord, Preparation};
pub use field::{Arena, ContestField, Contestant, Pick, levels_of, seats_of};
pub use standings::{Cross, SeatMean, Standing, candidate_result, seat_means, standings};
pub use work::{Finished, WorkFolder, Worker};
