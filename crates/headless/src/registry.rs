//! The list of games.

use outwit_core::levels::no_level;
use outwit_kit::{DynGame, Erased};

/// All games. A new one is a crate and one entry here.
pub static GAMES: &[&dyn DynGame] = &[
    Erased::<outwit_racetrack::Racetrack>::GAME,
    Erased::<outwit_cops::Cops>::GAME,
    Erased::<outwit_pukoban::Pukoban>::GAME,
    Erased::<outwit_stealth::Stealth>::GAME,
    Erased::<outwit_mnk::Mnk>::GAME,
];

/// An id that no game has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no game '{0}'; choose from {known}", known = known_ids())]
pub struct UnknownGame(pub String);

fn known_ids() -> String {
    let ids: Vec<_> = GAMES.iter().map(|game| game.id()).collect();
    ids.join(", ")
}

/// The game of this id.
///
/// # Errors
/// Names the games there are.
pub fn find(id: &str) -> Result<&'static dyn DynGame, UnknownGame> {
    let game = GAMES.iter().copied().find(|game| game.id() == id);
    game.ok_or_else(|| UnknownGame(id.into()))
}

/// The game whose level these bytes look like most, in its own format or a foreign one. A picture
/// that says nothing of itself goes to the first.
pub fn recognise(bytes: &[u8], name: &str) -> Option<&'static dyn DynGame> {
    let mut best = (0.0, None);
    for &kind in GAMES {
        let format_score = kind.format_score(bytes, name);
        if format_score > best.0 {
            best = (format_score, Some(kind));
        }
    }
    best.1
}

/// A file that holds no level of any game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoLevel {
    /// It is a file of another kind.
    #[error("{name}: {what}.")]
    Other {
        /// The name of the file.
        name: String,
        /// What it is, and what to do about it.
        what: &'static str,
    },
    /// Nothing in it looks like a level.
    #[error("{0} is not a level of any known game.")]
    Unknown(String),
}

impl From<NoLevel> for String {
    fn from(error: NoLevel) -> Self {
        error.to_string()
    }
}

/// The game that [`recognise`] finds.
///
/// # Errors
/// If there is none: what the file is instead, as far as that can be seen.
pub fn recognise_or_say(bytes: &[u8], name: &str) -> Result<&'static dyn DynGame, NoLevel> {
    recognise(bytes, name).ok_or_else(|| match no_level(bytes) {
        Some(what) => NoLevel::Other { name: name.into(), what },
        None => NoLevel::Unknown(name.into()),
    })
}

/// The file extensions of all formats in which levels are written, in lower case without the dot. Those that are only
/// read are left out: most files with such an extension, such as `.map` or `.lib`, are something else.
pub fn level_endings() -> Vec<&'static str> {
    let foreign = GAMES.iter().flat_map(|game| game.exports());
    std::iter::once("ron").chain(foreign).collect()
}
