//! The lesson of Stealth: a path, the guard's light, a patrol, and what a path costs.

use crate::app::match_screen::{LessonStatus, LessonStep};
use outwit_core::play::Match;
use outwit_stealth::{RouteEnd, Stealth, StealthEvent};

/// The steps, the easiest first.
pub const LESSON: &[LessonStep<Stealth>] = &[
    LessonStep {
        title: "Draw a path",
        task: "Drag from the thief to the chest to draw a path, or use the arrow keys. Then press Enter or \
               Go to set out.",
        praise: "In you go. A path may go anywhere but enters no cell twice.",
        rules: "()",
        map: &["..........", ".O....#...", "......#...", "..#####...", "........Y.", ".........."],
        players: &["human"],
        status: |heist| status(heist, true, ""),
    },
    LessonStep {
        title: "Stay in the dark",
        task: "The guard lights up what it sees; walls stop the light. Reach the chest without ever \
               stepping into the light.",
        praise: "Nobody saw a thing. Behind a wall you are safe.",
        rules: "()",
        map: &["......Z......", ".............", "O...........Y", "..#########..", "............."],
        players: &["human"],
        status: |heist| status(heist, is_unseen(heist), SEEN),
    },
    LessonStep {
        title: "Let a patrol pass",
        task: "This guard walks to and fro, one cell for each of yours. You cannot stand still, so take a \
               detour, and cross behind it without being seen.",
        praise: "Well timed! A detour is a way to wait.",
        rules: "()",
        map: &[
            "........O........",
            ".................",
            ".................",
            "########.########",
            "...E............<",
            "########.########",
            ".................",
            "........Y........",
        ],
        players: &["human"],
        status: |heist| status(heist, is_unseen(heist), SEEN_BY_PATROL),
    },
    LessonStep {
        title: "Count the cost",
        task: "Every cell costs: the table most, loose boards less, bare floor least, and all of them more in \
               the light. Reach the chest at a cost of 24 or less.",
        praise: "The cheapest path there is. Now you can rob them all.",
        rules: "(away_weight: 0, bonus: 0)",
        map: &[
            ".....Z.....",
            ".TTTTTTTTT.",
            "OTTTTTTTTTY",
            ".XXXXXXXXX.",
            "...........",
            "...........",
        ],
        players: &["human"],
        status: |heist| status(heist, cost(heist) <= BEST, TOO_DEAR),
    },
];

/// The cost of the best path of the last step.
const BEST: f64 = 24.0;

const SHORT: &str = "The path ended before the chest. Draw it all the way.";
const SEEN: &str =
    "A guard saw the thief: part of the path lies in the light. Look for a way behind the wall.";
const SEEN_BY_PATROL: &str =
    "The guard saw the thief on the way. Come to the gap later, when it is far down the corridor.";
const TOO_DEAR: &str =
    "You have the chest, but there is a cheaper way. Count in the light: a way round may pay.";

/// How a step stands whose path has to reach the chest and do well, and what to say of one that did not.
fn status(heist: &Match<Stealth>, does_well: bool, otherwise: &'static str) -> LessonStatus {
    match heist.game().end(heist.state()) {
        None => LessonStatus::Open,
        Some(RouteEnd::Goal) if does_well => LessonStatus::Done,
        Some(RouteEnd::Goal) => LessonStatus::Failed(otherwise),
        Some(RouteEnd::Stuck | RouteEnd::GaveUp) => LessonStatus::Failed(SHORT),
    }
}

/// Whether no guard has seen the thief on its way.
fn is_unseen(heist: &Match<Stealth>) -> bool {
    let mut events = heist.turns().iter().flat_map(|turn| &turn.events);
    !events.any(|event| matches!(event, StealthEvent::Moved { seen: true, .. }))
}

fn cost(heist: &Match<Stealth>) -> f64 {
    let ground = heist.game().ground();
    ground.number(ground.route_cost(&heist.state().walked))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::match_screen::lesson_tests::{goes_wrong, is_learnt};
    use crate::app::match_screen::{Session, lesson_match};
    use outwit_stealth::Route;
    use outwit_stealth::exact::best_complete;

    fn path(letters: &str) -> Vec<Route> {
        vec![letters.parse().unwrap()]
    }

    #[test]
    fn the_lesson_is_learnt() {
        is_learnt::<Stealth>(&[
            path("urrrrrrrdddd"),
            path("ddrrrrrrrrrrrruu"),
            path("llllddrrrrddddd"),
            path("dddrrrrrrrrrruuu"),
        ]);
    }

    /// The praise of the last step promises it.
    #[test]
    fn nothing_is_cheaper_than_what_the_last_step_asks_for() {
        let config = lesson_match::<Stealth>(3).unwrap();
        let session = Session::new::<Stealth>(config, true).unwrap();
        let ground = session.live::<Stealth>().unwrap().shown(&session).game().ground();
        let best = best_complete(ground).unwrap();
        assert_eq!(ground.number(ground.route_cost(&best.route)), BEST);
    }

    #[test]
    fn what_goes_wrong_is_told() {
        for (step, letters, why) in [
            (0, "rr", SHORT),
            (1, "rrrrrrrrrrrr", SEEN),
            (2, "ddddddd", SEEN_BY_PATROL),
            (3, "rrrrrrrrrr", TOO_DEAR),
            (3, "ddrrrrrrrrrruu", TOO_DEAR),
        ] {
            goes_wrong::<Stealth>(step, path(letters), why);
        }
    }
}
