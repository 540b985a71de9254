//! What becomes of a match: whether its end was shown, and whether its result counts.

use outwit_core::play::Player;
use serde::{Deserialize, Serialize};

/// Whose help a person had. A result with help sets no record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Help {
    /// A planner played moves for the person.
    Planner,
    /// Moves were pasted as text.
    Pasted,
    /// A hint was shown.
    Hint,
}

impl Help {
    /// What to say of help that began at a turn.
    pub fn words(self, turn: usize) -> String {
        match self {
            Help::Planner => format!("A planner played from turn {turn} on"),
            Help::Pasted => format!("Moves pasted from turn {turn} on"),
            Help::Hint => format!("Hint used at turn {turn}"),
        }
    }
}

/// What becomes of a match: whether its end was shown, and whether its result counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ResultState {
    /// The new best result, if this match set one.
    pub beaten: Option<String>,
    /// The best result so far in words.
    pub best_label: Option<String>,
    /// The planners that the person beat in this match for the first time.
    pub rivals: Vec<String>,
    /// The seat of the only rival and who is to take it next, once it was beaten.
    pub next_rival: Option<(usize, Player)>,
    /// Whether moves were taken back where that costs the record.
    pub used_undo: bool,
    /// The help that the person had, each kind with its first turn.
    pub help: Vec<(Help, usize)>,
    /// Whether the end of this match was shown.
    pub ended: bool,
    /// Whether the result of this match was recorded.
    pub recorded: bool,
}

impl ResultState {
    /// Whether the person did it alone and without taking back moves where that costs the record.
    pub fn counts(&self) -> bool {
        !self.used_undo && self.help.is_empty()
    }

    /// Notes that the person has this help from `turn` on.
    pub fn assist(&mut self, help: Help, turn: usize) {
        match self.help.iter_mut().find(|(known, _)| *known == help) {
            Some((_, first)) => *first = (*first).min(turn),
            None => self.help.push((help, turn)),
        }
    }

    /// Why the result sets no record, if it does not.
    pub fn why_not_counted(&self) -> Option<String> {
        let help: Vec<_> = self.help.iter().map(|(help, turn)| help.words(*turn)).collect();
        match (help.as_slice(), self.used_undo) {
            ([], false) => None,
            ([], true) => Some("You took back moves, so this sets no record.".into()),
            (help, _) => Some(format!("{}, so this sets no record.", help.join(". "))),
        }
    }

    /// The match goes on from `turn`, so its end was not shown. `costs` says whether moves were taken
    /// back where that costs the record.
    pub fn go_back(&mut self, turn: usize, costs: bool) {
        self.used_undo |= costs;
        // Who has seen a hint still knows it, until everything begins again.
        self.help.retain(|&(help, first)| first < turn || help == Help::Hint && turn > 0);
        self.beaten = None;
        self.rivals.clear();
        self.next_rival = None;
        self.ended = false;
        self.recorded = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_counts_until_its_turns_are_taken_back() {
        let mut result = ResultState { ended: true, recorded: true, ..ResultState::default() };
        result.assist(Help::Planner, 7);
        result.assist(Help::Planner, 4);
        result.assist(Help::Planner, 9);
        assert_eq!(result.help, [(Help::Planner, 4)]);
        assert!(!result.counts());
        result.go_back(5, false);
        assert!(!result.counts() && !result.ended && !result.recorded);
        result.go_back(4, false);
        assert!(result.counts());
        result.go_back(2, true);
        result.go_back(0, false);
        assert!(!result.counts(), "undo stays noted");
    }

    #[test]
    fn a_hint_stays_known_and_pasted_moves_are_called_so() {
        let mut result = ResultState::default();
        result.assist(Help::Hint, 3);
        result.assist(Help::Pasted, 5);
        let why = result.why_not_counted().unwrap_or_default();
        assert!(
            why.contains("pasted") && why.contains("Hint") && !why.contains("planner"),
            "{why}"
        );
        result.go_back(2, false);
        assert_eq!(result.help, [(Help::Hint, 3)]);
        result.go_back(0, false);
        assert!(result.counts() && result.why_not_counted().is_none());
    }
}
