//! The list of games.

use outwit_core::levels::no_level;
use outwit_kit::{DynGame, Erased};

/// All games. A new one is a crate and one entry here.
pub static GAMES: &[&dyn DynGame] = &[
    &Erased::<outwit_racetrack::Racetrack>::NEW,
    &Erased::<outwit_cops::Cops>::NEW,
    &Erased::<outwit_pukoban::Pukoban>::NEW,
    &Erased::<outwit_stealth::Stealth>::NEW,
    &Erased::<outwit_mnk::Mnk>::NEW,
];

/// The game of this id.
///
/// # Errors
/// Names the games there are.
pub fn find(id: &str) -> Result<&'static dyn DynGame, String> {
    GAMES.iter().copied().find(|game| game.id() == id).ok_or_else(|| {
        let ids: Vec<_> = GAMES.iter().map(|game| game.id()).collect();
        format!("there is no game '{id}'; there are {}", ids.join(", "))
    })
}

/// The game whose level these bytes look like most, in its own format or a foreign one. A picture
/// that says nothing of itself goes to the first.
pub fn recognise(bytes: &[u8], name: &str) -> Option<&'static dyn DynGame> {
    let mut best = (0.0, None);
    for kind in GAMES.iter().copied() {
        let format_score = kind.format_score(bytes, name);
        if format_score > best.0 {
            best = (format_score, Some(kind));
        }
    }
    best.1
}

/// The game that [`recognise`] finds.
///
/// # Errors
/// If there is none: what the file is instead, as far as that can be seen.
pub fn recognise_or_say(bytes: &[u8], name: &str) -> Result<&'static dyn DynGame, String> {
    recognise(bytes, name).ok_or_else(|| match no_level(bytes) {
        Some(what) => format!("{name}: {what}."),
        None => format!("{name} is not a level of any known game."),
    })
}

/// The file extensions of all formats of levels, in lower case without the dot.
pub fn level_endings() -> Vec<&'static str> {
    let foreign = GAMES.iter().flat_map(|game| game.exports());
    std::iter::once("ron").chain(foreign).collect()
}
