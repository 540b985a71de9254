//! What becomes of a match: whether its end was shown, and whether its result counts.

use crate::app::shell::daily::DailyResult;
use crate::app::shell::seats::seat_title;
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
    /// A planner was told to move before its time was over.
    Hurry,
    /// The best way to go on was shown on the board.
    BestLine,
    /// The analysis showed how planners would go on.
    Analysis,
    /// The review showed what moves cost that were then taken back.
    Review,
}

impl Help {
    /// What to say of help that began at a moment, such as `turn 5`.
    pub fn words(self, moment: &str) -> String {
        match self {
            Help::Planner => format!("A planner played from {moment} on"),
            Help::Pasted => format!("Moves pasted from {moment} on"),
            Help::Hint => format!("Hint used at {moment}"),
            Help::Hurry => format!("Planner hurried at {moment}"),
            Help::BestLine => format!("Best line shown at {moment}"),
            Help::Analysis => format!("Analysis used at {moment}"),
            Help::Review => format!("Played on from {moment} after the review"),
        }
    }

    /// Whether a person knows what it showed even after taking back moves.
    fn is_knowledge(self) -> bool {
        matches!(self, Help::Hint | Help::BestLine | Help::Analysis | Help::Review)
    }
}

/// What becomes of a match: whether its end was shown, and whether its result counts.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ResultState {
    /// The new best result, if this match set one.
    pub beaten: Option<String>,
    /// The best result so far in words.
    pub best_label: Option<String>,
    /// The result on a level of the day.
    pub daily: Option<DailyResult>,
    /// The planners that the person beat in this match for the first time.
    pub rivals: Vec<String>,
    /// The seat of the only rival and who is to take it next, once it was beaten.
    pub next_rival: Option<(usize, Player)>,
    /// Whether a level comes after this one in the list.
    pub level_follows: bool,
    /// Whether moves were taken back where that costs the record.
    pub used_undo: bool,
    /// The help that the person had, each kind with its first turn.
    pub help: Vec<(Help, usize)>,
    /// What was shown after the person's last move: it helps whoever goes back.
    pub seen: Vec<Help>,
    /// Whether the end of this match was shown.
    pub ended: bool,
    /// Whether the result of this match was recorded.
    pub recorded: bool,
    /// Whether it was noted how near it came to the optimum.
    pub measured: bool,
}

impl ResultState {
    /// Whether the person did it alone and without taking back moves where that costs the record.
    pub fn counts(&self) -> bool {
        !self.used_undo && self.help.is_empty()
    }

    /// What the person reached for the first time in this match, in sentences.
    pub fn firsts(&self) -> Vec<String> {
        let best =
            self.beaten.iter().map(|best| format!("A new best result on this level: {best}"));
        let rivals = self
            .rivals
            .iter()
            .map(|rival| format!("You have beaten {} for the first time.", seat_title(rival)));
        best.chain(rivals).collect()
    }

    /// Notes that the person has this help from `turn` on.
    pub fn assist(&mut self, help: Help, turn: usize) {
        match self.help.iter_mut().find(|(known, _)| *known == help) {
            Some((_, first)) => *first = (*first).min(turn),
            None => self.help.push((help, turn)),
        }
    }

    /// Whether it is known that the person had this help at `turn` or before.
    pub fn has(&self, help: Help, turn: usize) -> bool {
        self.help.iter().any(|&(known, first)| known == help && first <= turn)
    }

    /// Why the result sets no record, if it does not; `moment` names a turn.
    pub fn why_not_counted(&self, moment: impl Fn(usize) -> String) -> Option<String> {
        let help: Vec<_> =
            self.help.iter().map(|(help, turn)| help.words(&moment(*turn))).collect();
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
        self.help.retain(|&(help, first)| first < turn || help.is_knowledge() && turn > 0);
        for help in std::mem::take(&mut self.seen) {
            if turn > 0 {
                self.assist(help, turn);
            }
        }
        self.beaten = None;
        self.daily = None;
        self.rivals.clear();
        self.next_rival = None;
        self.ended = false;
        self.recorded = false;
        self.measured = false;
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
    fn what_is_seen_afterwards_helps_who_goes_back() {
        let mut result = ResultState { seen: vec![Help::Review], ..ResultState::default() };
        assert!(result.counts());
        result.go_back(3, false);
        assert!(!result.counts() && result.seen.is_empty());
        let why = result.why_not_counted(|turn| format!("turn {turn}")).unwrap_or_default();
        assert_eq!(why, "Played on from turn 3 after the review, so this sets no record.");
        result.go_back(0, false);
        assert!(result.counts());
    }

    #[test]
    fn a_hint_stays_known_and_pasted_moves_are_called_so() {
        let mut result = ResultState::default();
        result.assist(Help::Hint, 3);
        result.assist(Help::Pasted, 5);
        let moment = |turn| format!("turn {turn}");
        let why = result.why_not_counted(moment).unwrap_or_default();
        assert!(
            why.contains("pasted") && why.contains("Hint") && !why.contains("planner"),
            "{why}"
        );
        result.go_back(2, false);
        assert_eq!(result.help, [(Help::Hint, 3)]);
        result.go_back(0, false);
        assert!(result.counts() && result.why_not_counted(moment).is_none());
    }
}
