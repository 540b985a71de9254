//! What becomes of a match: whether its end was shown, and whether its result counts.

/// What becomes of a match: whether its end was shown, and whether its result counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ResultState {
    /// The new best result, if this match set one.
    pub beaten: Option<String>,
    /// The best result so far in words.
    pub best_label: Option<String>,
    /// Whether moves were taken back where that costs the record.
    pub used_undo: bool,
    /// The first turn that a planner played for a person.
    pub assisted: Option<usize>,
    /// Whether the end of this match was shown.
    pub ended: bool,
    /// Whether the result of this match was recorded.
    pub recorded: bool,
}

impl ResultState {
    /// Whether the person did it alone and without taking back moves where that costs the record.
    pub fn counts(&self) -> bool {
        !self.used_undo && self.assisted.is_none()
    }

    /// Notes that a planner plays from `turn` on.
    pub fn assist(&mut self, turn: usize) {
        self.assisted = Some(self.assisted.map_or(turn, |first| first.min(turn)));
    }

    /// The match goes on from `turn`, so its end was not shown. `costs` says whether moves were taken
    /// back where that costs the record.
    pub fn go_back(&mut self, turn: usize, costs: bool) {
        self.used_undo |= costs;
        self.assisted = self.assisted.filter(|&first| first < turn);
        self.beaten = None;
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
        result.assist(7);
        result.assist(4);
        result.assist(9);
        assert_eq!((result.assisted, result.counts()), (Some(4), false));
        result.go_back(5, false);
        assert!(!result.counts() && !result.ended && !result.recorded);
        result.go_back(4, false);
        assert!(result.counts());
        result.go_back(2, true);
        result.go_back(0, false);
        assert!(!result.counts(), "undo stays noted");
    }
}
