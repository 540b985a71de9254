//! Values that several sub-commands read: budgets, and who takes a seat.

use outwit_core::play::Budget;

/// Reads a budget that this system can measure.
pub fn budget(text: &str) -> Result<Budget, String> {
    let budget: Budget = text.parse()?;
    budget.check()?;
    Ok(budget)
}

/// A value of `--seat` without a name or without a player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}': write NAME=PLANNER")]
pub struct SeatSyntax(String);

/// Reads the value of `--seat`, which is `NAME=PLAYER`.
pub fn seat<P: for<'a> From<&'a str>>(text: &str) -> Result<(String, P), SeatSyntax> {
    match text.split_once('=') {
        Some((name, player)) if !name.is_empty() && !player.is_empty() => {
            Ok((name.into(), player.into()))
        }
        _ => Err(SeatSyntax(text.into())),
    }
}
