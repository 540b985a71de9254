//! What was found of a match so far, and who finds it.

use outwit_core::platform::task::Task;
use outwit_core::play::Match;
use outwit_kit::{GameSpec, Outlook, Remark, Swing, turning_points};
use std::collections::BTreeMap;

/// Turning points that are named.
const MOST_SWINGS: usize = 5;
/// Turns that are looked at in one go.
const AT_ONCE: usize = 8;

/// What was found so far.
#[derive(Default)]
pub struct Told {
    /// How things stood, by number of turns.
    pub outlooks: BTreeMap<usize, Outlook>,
    /// What was worth saying, in the order of the turns.
    pub remarks: Vec<Remark>,
    /// The turning points, the largest first.
    pub swings: Vec<Swing>,
    /// The number of turns up to which everything is known; `None` before anything is.
    pub until: Option<usize>,
}

impl Told {
    /// How things stood when so many turns were shown, as far as that is known, and after how many turns that was.
    pub fn outlook(&self, turn: usize) -> Option<(usize, &Outlook)> {
        self.outlooks.range(..=turn).next_back().map(|(&at, outlook)| (at, outlook))
    }

    /// What was said up to so many turns.
    pub fn said(&self, turn: usize) -> &[Remark] {
        let count = self.remarks.partition_point(|remark| remark.turn < turn);
        &self.remarks[..count]
    }
}

/// What was found of some turns, by number of turns.
type Found = Vec<(usize, Option<Outlook>, Vec<Remark>)>;

/// Follows a match and finds what can be said of it.
#[derive(Default)]
pub struct Commentator {
    /// What was found so far.
    pub told: Told,
    task: Option<Task<Found>>,
}

impl Commentator {
    /// Takes what was found, and looks at what was played since. To be called again in each frame.
    pub fn follow<G: GameSpec>(&mut self, played: &Match<G>) {
        let Some(spec) = G::COMMENTARY else { return };
        if let Some(task) = self.task.take_if(|task| task.is_done()) {
            self.take(task.get().cloned().unwrap_or_default());
        }
        let from = self.told.until.map_or(0, |until| until + 1);
        if self.task.is_some() || from > played.len() {
            return;
        }
        let last = played.len().min(from + AT_ONCE);
        let played = played.clone();
        let mut known = self.told.outlooks.clone();
        self.task = Some(Task::begin(move |context| {
            let mut found: Found = Vec::new();
            for turn in from..=last {
                let outlook = (spec.outlook)(&played, turn, context.stop());
                if context.stop().is_raised() {
                    break;
                }
                known.extend(outlook.clone().map(|outlook| (turn, outlook)));
                let before = turn.checked_sub(1);
                let said =
                    before.map_or_else(Vec::new, |turn| (spec.remarks)(&played, turn, &known));
                found.push((turn, outlook, said));
            }
            found
        }));
    }

    fn take(&mut self, found: Found) {
        for (turn, outlook, said) in found {
            self.told.until = Some(turn);
            self.told.outlooks.extend(outlook.map(|outlook| (turn, outlook)));
            self.told.remarks.extend(said);
        }
        self.told.swings = turning_points(&self.told.outlooks, MOST_SWINGS);
    }

    /// Whether it is at work.
    pub fn is_busy(&self) -> bool {
        self.task.is_some()
    }

    /// What came after so many turns no longer holds.
    pub fn forget_after(&mut self, turns: usize) {
        self.task = None;
        let told = &mut self.told;
        told.outlooks.retain(|&turn, _| turn <= turns);
        told.remarks.retain(|remark| remark.turn < turns);
        told.swings = turning_points(&told.outlooks, MOST_SWINGS);
        told.until = told.until.map(|until| until.min(turns));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_cops::Cops;
    use outwit_core::platform::time::{Duration, sleep};
    use outwit_core::play::{Game, Seat};
    use outwit_kit::{commentary, read_level};
    use std::sync::Arc;

    fn played(turns: usize) -> Match<Cops> {
        let level = outwit_levels::built_in("cops/tiny").unwrap().bytes().unwrap();
        let game = Arc::new(Cops::new(&read_level::<Cops>(&level, "tiny").unwrap(), 2).unwrap());
        let mut played = Match::new(game, 3).unwrap();
        for _ in 0..turns {
            let stay = |seat: Seat| (seat, played.game().null_action(played.state(), seat));
            let actions = played.to_move().into_iter().map(stay).collect();
            if played.outcome().is_some() || played.advance(actions).is_err() {
                break;
            }
        }
        played
    }

    fn follow_to_the_end(commentator: &mut Commentator, played: &Match<Cops>) {
        commentator.follow(played);
        while commentator.is_busy() {
            sleep(Duration::from_millis(1));
            commentator.follow(played);
        }
    }

    #[test]
    fn what_is_told_live_is_what_is_told_afterwards() {
        let mut commentator = Commentator::default();
        follow_to_the_end(&mut commentator, &played(3));
        assert!(commentator.told.until.is_some());
        let whole = played(9);
        follow_to_the_end(&mut commentator, &whole);
        let after = commentary::<Cops>(&whole, &outwit_core::play::StopFlag::default()).unwrap();
        assert_eq!(commentator.told.outlooks, after.outlooks);
        assert_eq!(commentator.told.remarks, after.remarks);
        // Going back forgets what came later, and finds it again.
        commentator.forget_after(3);
        assert!(commentator.told.remarks.iter().all(|remark| remark.turn < 3));
        follow_to_the_end(&mut commentator, &whole);
        assert_eq!(commentator.told.remarks, after.remarks);
        assert_eq!(commentator.told.outlook(1).map(|(at, _)| at), Some(1), "each turn has its own");
        assert!(commentator.told.said(0).is_empty());
    }
}
