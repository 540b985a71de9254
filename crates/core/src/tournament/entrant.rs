//! An entrant's name: a planner, with a budget of its own if need be.

use crate::play::{Budget, Player};

/// The planner and the budget that an entrant's name asks for: `schemer@50ms` is the planner
/// `schemer` with 50 ms per turn, whatever the others have.
///
/// ```
/// use outwit_core::play::Budget;
/// use outwit_core::tournament::entrant;
///
/// assert_eq!(entrant("schemer@2000w"), ("schemer", Some(Budget::Work(2000))));
/// assert_eq!(entrant("engine:/home/me@work/brain"), ("engine:/home/me@work/brain", None));
/// ```
pub fn entrant(name: &str) -> (&str, Option<Budget>) {
    if let Some((planner, budget)) = name.rsplit_once('@')
        && !planner.is_empty()
        && let Ok(budget) = budget.parse()
    {
        return (planner, Some(budget));
    }
    (name, None)
}

/// The players and budgets of a line-up.
pub(super) fn players_and_budgets(names: &[Player], budget: Budget) -> (Vec<Player>, Vec<Budget>) {
    names
        .iter()
        .map(|name| {
            let (planner, own) = entrant(name.name());
            (Player::from(planner), own.unwrap_or(budget))
        })
        .unzip()
}
