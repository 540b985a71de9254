//! Leagues in the data folder: a file for each game.

use crate::app::shell::store::{put_aside, to_text};
use outwit_core::levels::read_file;
use outwit_core::platform::store::{self, StoreError};
use outwit_headless::{GAMES, find};
use outwit_kit::DynGame;
use outwit_kit::league::{League, Roster};
use outwit_levels::data_folder;
use std::path::PathBuf;

fn file_of(game: &str) -> Option<PathBuf> {
    data_folder().map(|folder| folder.join("leagues").join(format!("{game}.ron")))
}

fn read(bytes: &[u8]) -> Result<League, String> {
    League::read(bytes, &|id: &str| find(id).ok().map(Roster::of))
        .map_err(|fault| fault.to_string())
}

/// The league of a game, if there is one, and a message for the user if something is wrong with it.
pub fn load(game: &str) -> (Option<League>, Option<String>) {
    let Some(file) = file_of(game).filter(|file| store::exists(file)) else { return (None, None) };
    let bytes = match read_file(&file) {
        Ok(bytes) => bytes,
        // That is no damage: another time it may be readable.
        Err(error) => return (None, Some(format!("The league could not be read. {error}"))),
    };
    let league = read(&bytes).and_then(|league| match league.game == game {
        true => Ok(league),
        false => Err(format!("it is one of the game '{}'", league.game)),
    });
    match league {
        Ok(league) => (Some(league), None),
        Err(why) => {
            let aside = put_aside(&file);
            (None, Some(format!("The league could not be read ({why}). {aside}")))
        }
    }
}

/// Saves a league, with the results that another copy of the program has added meanwhile.
///
/// # Errors
/// If the file cannot be read or written; it stays as it was.
pub fn save(league: &mut League) -> Result<(), StoreError> {
    let Some(file) = file_of(&league.game) else { return Ok(()) };
    store::update(&file, |old| {
        if let Some(old) = old {
            league.absorb(&read(old)?);
        }
        to_text(league).map(String::into_bytes).map_err(|error| error.to_string())
    })
}

/// Renames the file of a game's league, so that a new one can begin; returns its new name.
///
/// # Errors
/// If it cannot be renamed.
pub fn set_aside(game: &str) -> Result<Option<PathBuf>, StoreError> {
    let Some(file) = file_of(game).filter(|file| store::exists(file)) else { return Ok(None) };
    let wanted = file.with_extension("ron.old");
    store::rename_to_free(&file, &wanted).map(Some)
}

/// The game whose league was watched last; without any the first one in which planners meet.
pub fn last_game() -> &'static dyn DynGame {
    let changed =
        |game: &&&'static dyn DynGame| file_of(game.id()).and_then(|file| store::modified(&file));
    let watched = GAMES.iter().filter(|game| changed(game).is_some()).max_by_key(changed);
    *watched
        .or_else(|| GAMES.iter().find(|game| *game.facts().seats.allowed.start() > 1))
        .unwrap_or(&GAMES[0])
}
