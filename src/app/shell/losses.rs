//! How much a person's last results lost per move by the review, stored in a RON file: it sets the strength of
//! the planner whose strength is a number.

use crate::app::shell::store::{Loaded, UpdateError, load_file, update_file};
use outwit_core::play::Player;
use outwit_kit::DynGame;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Name of the file in the data folder.
pub const FILE: &str = "losses.ron";

/// Results of a game that are kept.
const KEPT: usize = 40;

/// Results that count.
const COUNTED: usize = 5;

/// What a finished match lost.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Loss {
    /// The level; see [`level_key`](super::records::level_key).
    pub level: String,
    /// Lost by all moves, in the unit of the review.
    pub lost: f64,
    /// Number of moves.
    pub moves: usize,
}

impl Loss {
    /// Whether it says something: the file may hold anything.
    fn is_usable(&self) -> bool {
        self.moves > 0 && self.lost.is_finite() && self.lost >= 0.0
    }
}

/// By game, the latest last.
type ByGame = BTreeMap<String, Vec<Loss>>;

/// What the last results of each game lost.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Losses {
    last: ByGame,
    /// Those that are not saved yet.
    unsaved: ByGame,
}

impl Losses {
    /// Loads them from the data folder, with a message for the user if that fails.
    pub fn load() -> (Self, Option<String>) {
        let Loaded { value, message } = load_file(FILE, "What your last races lost");
        (Self { last: value, unsaved: ByGame::new() }, message)
    }

    /// Notes a result that says something, to be saved later.
    pub fn note(&mut self, game: &str, loss: Loss) {
        if loss.is_usable() {
            add(&mut self.last, game, [loss.clone()]);
            add(&mut self.unsaved, game, [loss]);
        }
    }

    /// The loss per move of the last results on a level, or if there are none, of the game.
    pub fn per_move(&self, game: &str, level: &str) -> Option<f64> {
        let usable = || self.last.get(game).into_iter().flatten().filter(|loss| loss.is_usable());
        let here = usable().any(|loss| loss.level == level);
        let counted = usable().rev().filter(|loss| !here || loss.level == level).take(COUNTED);
        let (lost, moves) =
            counted.fold((0.0, 0.0), |(lost, moves), l| (lost + l.lost, moves + l.moves as f64));
        (moves > 0.0).then(|| lost / moves)
    }

    /// The players with the strength of the person who last played, in the place of a graded planner without
    /// a strength; without results it stays as it is.
    pub fn give_strength(&self, kind: &dyn DynGame, level: &str, players: &mut [Player]) {
        let Some(graded) = kind.facts().graded else { return };
        let Some(loss) = self.per_move(kind.id(), level) else { return };
        for player in players.iter_mut().filter(|player| player.name() == graded.name) {
            *player = Player::Planner(graded.player(loss));
        }
    }

    /// Whether the file holds all that is known.
    pub fn is_saved(&self) -> bool {
        self.unsaved.is_empty()
    }

    /// Writes what is not saved yet; another copy of the program may have written others.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&mut self) -> Result<(), UpdateError> {
        let fresh = std::mem::take(&mut self.unsaved);
        update_file(FILE, |there: &mut ByGame| {
            for (game, losses) in &fresh {
                add(there, game, losses.iter().cloned());
            }
        })
    }
}

/// Adds the latest, and drops the oldest where there are too many.
fn add(all: &mut ByGame, game: &str, losses: impl IntoIterator<Item = Loss>) {
    let known = all.entry(game.to_owned()).or_default();
    known.extend(losses);
    known.drain(..known.len().saturating_sub(KEPT));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_headless::find;

    #[test]
    fn a_rival_gets_the_strength_of_the_last_races_on_the_level() {
        let kind = find("racetrack").unwrap();
        let mut losses = Losses::default();
        let players = |losses: &Losses, level: &str| {
            let mut players = [Player::Human, "rival".into(), "ace".into(), "rival:0.3".into()];
            losses.give_strength(kind, level, &mut players);
            players.map(|player| player.name().to_owned())
        };
        assert_eq!(players(&losses, "a"), ["human", "rival", "ace", "rival:0.3"]);
        let note = |losses: &mut Losses, level: &str, lost, moves| {
            losses.note("racetrack", Loss { level: level.into(), lost, moves });
        };
        // The oldest of six does not count, and what is no result is not noted.
        for (lost, moves) in [(90.0, 10), (1.0, 10), (2.0, 10), (1.0, 20), (0.0, 10), (1.0, 50)] {
            note(&mut losses, "a", lost, moves);
        }
        note(&mut losses, "a", f64::NAN, 10);
        note(&mut losses, "a", 1.0, 0);
        assert_eq!(players(&losses, "a")[1], "rival:0.05");
        assert_eq!(players(&losses, "b")[1], "rival:0.05", "another level, if none was here");
        note(&mut losses, "b", 5.0, 10);
        assert_eq!(players(&losses, "b")[1], "rival:0.5");
        assert_eq!(players(&losses, "a"), ["human", "rival:0.05", "ace", "rival:0.3"]);
        // No stronger than it can be made weak.
        note(&mut losses, "c", 50.0, 10);
        assert_eq!(players(&losses, "c")[1], "rival:0.75");
        for _ in 0..100 {
            note(&mut losses, "d", 1.0, 10);
        }
        assert_eq!(losses.last["racetrack"].len(), KEPT);
    }
}
