//! Who takes part in a tournament.

use crate::play::{Player, TimeControl};
use serde::{Deserialize, Serialize};

/// A player with a budget of its own if its name holds one: `schemer@50ms` is the planner `schemer` with
/// 50 ms per turn, whatever the others have, and `schemer@5s+100ms` has 5 s for the match and 100 ms more for
/// each turn.
///
/// ```
/// use outwit_core::play::{Budget, Player};
/// use outwit_core::tournament::Entrant;
///
/// let entrant = Entrant::from("schemer@2000w");
/// assert_eq!(entrant.player(), &Player::from("schemer"));
/// assert_eq!(entrant.budget(), Some(Budget::Work(2000).into()));
/// assert_eq!(Entrant::from("engine:/home/me@work/brain").budget(), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Entrant {
    name: String,
    player: Player,
    budget: Option<TimeControl>,
}

impl Entrant {
    /// Player and budget as they were written.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The planner or program that plays.
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// What it may spend on a turn or on the match, if not the same as all others.
    pub fn budget(&self) -> Option<TimeControl> {
        self.budget
    }
}

impl From<String> for Entrant {
    fn from(name: String) -> Self {
        let parts = name.rsplit_once('@').filter(|(player, _)| !player.is_empty());
        let own =
            parts.and_then(|(player, budget)| Some((player, TimeControl::limited(budget).ok()?)));
        let (player, budget) = match own {
            Some((player, budget)) => (Player::from(player), Some(budget)),
            None => (Player::from(name.as_str()), None),
        };
        Self { name, player, budget }
    }
}

impl From<&str> for Entrant {
    fn from(name: &str) -> Self {
        name.to_owned().into()
    }
}

impl From<Entrant> for String {
    fn from(entrant: Entrant) -> Self {
        entrant.name
    }
}
