//! What is said of a planner whose strength is a number, and how its players are named.

use super::SetupError;

/// What is said of a planner whose strength is a number: how much it loses per move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GradedInfo {
    /// Short lower-case name. A player of this name has no strength given; of the name `NAME:LOSS` it has.
    pub name: &'static str,
    /// One sentence on how it thinks and how strong it is.
    pub about: &'static str,
    /// How it works, in about five lines.
    pub method: &'static str,
    /// The greatest loss per move, in the unit of the review; the least is 0.
    pub most: f64,
}

impl GradedInfo {
    /// The name of the player with this loss per move, which is brought into the range and rounded to
    /// thousandths.
    pub fn player(&self, loss: f64) -> String {
        let loss = if loss.is_nan() { self.most } else { loss.clamp(0.0, self.most) };
        format!("{}:{}", self.name, (loss * 1000.0).round().abs() / 1000.0)
    }

    /// The loss per move that the name of a player holds, `Some(None)` if it is this planner without a
    /// number; `None` if it is another planner.
    ///
    /// # Errors
    /// If what follows the name is no number in the range.
    pub fn loss_of(&self, player: &str) -> Result<Option<Option<f64>>, SetupError> {
        let Some(rest) = player.strip_prefix(self.name) else { return Ok(None) };
        if rest.is_empty() {
            return Ok(Some(None));
        }
        let Some(number) = rest.strip_prefix(':') else { return Ok(None) };
        match number.parse::<f64>().ok().filter(|loss| (0.0..=self.most).contains(loss)) {
            // A negative zero is a zero.
            Some(loss) => Ok(Some(Some(loss.abs()))),
            None => Err(SetupError(format!(
                "'{player}': give the loss per move as a number from 0 to {}, such as {}:0.1",
                self.most, self.name
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: GradedInfo = GradedInfo { name: "rival", about: "", method: "", most: 0.75 };

    #[test]
    fn a_strength_stands_in_the_name_of_the_player() {
        let table = [
            ("rival", Ok(Some(None))),
            ("rival:0.25", Ok(Some(Some(0.25)))),
            ("rival:0", Ok(Some(Some(0.0)))),
            ("rival:0.75", Ok(Some(Some(0.75)))),
            ("rivals", Ok(None)),
            ("novice", Ok(None)),
            ("", Ok(None)),
        ];
        for (player, loss) in table {
            assert_eq!(INFO.loss_of(player), loss, "{player}");
        }
        for player in ["rival:", "rival:0.76", "rival:-0.1", "rival:NaN", "rival:inf", "rival:x"] {
            let error = INFO.loss_of(player).expect_err(player);
            assert!(error.0.contains(player) && error.0.contains("0 to 0.75"), "{error}");
        }
        // What is made from a measured loss can be read.
        for (measured, player) in [
            (0.12345, "rival:0.123"),
            (9.0, "rival:0.75"),
            (-0.0, "rival:0"),
            (f64::NAN, "rival:0.75"),
        ] {
            assert_eq!(INFO.player(measured), player);
            assert!(matches!(INFO.loss_of(&INFO.player(measured)), Ok(Some(Some(_)))));
        }
    }
}
