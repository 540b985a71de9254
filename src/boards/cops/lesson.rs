//! The lesson of cops and robber: moving, a gate, a dead end, and two cops together.

use crate::app::match_screen::{LessonStatus, LessonStep};
use outwit_cops::{Cops, PursuitStatus};
use outwit_core::play::Match;

/// The steps, the easiest first.
pub const LESSON: &[LessonStep<Cops>] = &[
    LessonStep {
        title: "Move",
        task: "You are the thief. Plan three steps: click a cell three steps away, or press {W} {A} {S} {D}. Enter \
               carries the plan out. Go to the wall on the right.",
        praise: "That is a plan: three steps, then everybody plans again.",
        rules: "(cops: 1, gates: 0, walls: 0, k: 3, ticks: 60)",
        map: &[
            "===========",
            "=C........=",
            "=.........=",
            "=.........=",
            "=.........=",
            "=...T.....=",
            "===========",
        ],
        players: &["human", "random"],
        status: |pursuit| as_thief(pursuit, is_at_the_right(pursuit)),
    },
    LessonStep {
        title: "Escape through a gate",
        task: "The cop plans at the same time and cannot see your plan. Run out through the gate on the right: \
               only you can leave there. Plan one step beyond the border.",
        praise: "Gone! In a match gates move along the border, so look where they will be.",
        rules: "(cops: 1, gates: 1, gate_width: 2, p_gate_turn: 0, p_gate_move: 0, walls: 0, k: 3, ticks: 60)",
        map: &[
            "===========",
            "=.........=",
            "=.........=",
            "=C..T.....G",
            "=.........G",
            "=.........=",
            "===========",
        ],
        players: &["human", "chasers"],
        status: |pursuit| as_thief(pursuit, has_escaped(pursuit)),
    },
    LessonStep {
        title: "Corner the thief",
        task: "Now you are the cop. A cop catches the thief on the same cell. This one sits in a dead end: \
               walk in, three steps at a time. Enter carries the plan out.",
        praise: "Caught! In the open a single cop seldom gets this close.",
        rules: "(cops: 1, gates: 0, walls: 0, capture_swap: true, k: 3, ticks: 45)",
        map: &["==========", "=C.......=", "=#######.=", "=#######.=", "=#######T=", "=========="],
        players: &["evader", "human"],
        status: as_cops,
    },
    LessonStep {
        title: "Work together",
        task: "One cop alone would chase the thief round this block for ever. Send the two in opposite \
               directions. Click a cop, then its way; {Q} and {E} choose a cop too.",
        praise: "Caught between two. Good cops cut the thief off instead of running after it.",
        rules: "(cops: 2, gates: 0, walls: 0, capture_swap: true, k: 3, ticks: 45)",
        map: &["==========", "=...CC...=", "=.######.=", "=.######.=", "=...T....=", "=========="],
        players: &["evader", "human"],
        status: as_cops,
    },
];

const CAUGHT: &str = "The cop caught you. Plan a way that keeps away from it.";
const OUTLASTED: &str = "Time is up, and the thief is still free. Go towards it from every side.";

/// How a step stands in which the person is the thief.
fn as_thief(pursuit: &Match<Cops>, is_done: bool) -> LessonStatus {
    match pursuit.state().standing {
        PursuitStatus::Caught(_) => LessonStatus::Failed(CAUGHT),
        _ => LessonStatus::done_if(is_done),
    }
}

/// How a step stands in which the person has the cops.
fn as_cops(pursuit: &Match<Cops>) -> LessonStatus {
    match pursuit.state().standing {
        PursuitStatus::Caught(_) => LessonStatus::Done,
        PursuitStatus::Running => LessonStatus::Open,
        PursuitStatus::Escaped(_) | PursuitStatus::Survived => LessonStatus::Failed(OUTLASTED),
    }
}

/// Whether the thief stands beside the border on the right.
fn is_at_the_right(pursuit: &Match<Cops>) -> bool {
    let right = pursuit.game().board().width() as i32 - 2;
    pursuit.state().position.thief.x == right
}

fn has_escaped(pursuit: &Match<Cops>) -> bool {
    matches!(pursuit.state().standing, PursuitStatus::Escaped(_))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::match_screen::lesson_tests::{goes_wrong, is_learnt};
    use outwit_cops::Orders;

    /// A plan for each player, by letters.
    fn plan(ways: &[&str]) -> Orders {
        let ways: Vec<String> = ways.iter().map(|way| (*way).into()).collect();
        ways.try_into().unwrap()
    }

    #[test]
    fn the_lesson_is_learnt() {
        is_learnt::<Cops>(&[
            vec![plan(&["RRR"]), plan(&["RR."])],
            vec![plan(&["RRR"]), plan(&["RRR"])],
            vec![plan(&["RRR"]), plan(&["RRR"]), plan(&["RDD"]), plan(&["D.."])],
            vec![plan(&["LLL", "RRR"]), plan(&["DDD", "DDD"]), plan(&["RRR", "LLL"])],
        ]);
    }

    #[test]
    fn what_goes_wrong_is_told() {
        goes_wrong::<Cops>(1, vec![plan(&["LLL"]); 2], CAUGHT);
        goes_wrong::<Cops>(3, vec![plan(&["...", "..."]); 15], OUTLASTED);
    }
}
