//! The lesson of the race: speeding up, coasting, braking, and a bend.

use crate::app::match_screen::{LessonStatus, LessonStep};
use outwit_core::grid::Cell;
use outwit_core::play::Match;
use outwit_racetrack::rules::{CarStatus, Racetrack};

/// The steps, the easiest first.
pub const LESSON: &[LessonStep<Racetrack>] = &[
    LessonStep {
        title: "Speed up",
        task: "Click a dot, and the car goes there. It keeps its speed, and each turn adds at most 1. \
               Reach speed 3: click the dot farthest right each turn, or press D.",
        praise: "Well driven! One, two, three cells a turn: speed grows by 1 each time.",
        rules: "(steering: nine)",
        map: &[
            "####################",
            "#.................F#",
            "#S................F#",
            "#.................F#",
            "####################",
        ],
        players: &["human"],
        status: |race| status(race, speed(race, race.len()) >= 3, CROSSED_SLOWLY),
    },
    LessonStep {
        title: "Coast",
        task: "Once it moves, the car needs no push. Get going, then let it coast three turns in a \
               row: click the dot in the middle, or press S.",
        praise: "That is coasting: the car moves as many cells as the turn before.",
        rules: "(steering: nine)",
        map: &[
            "########################",
            "#.....................F#",
            "#S....................F#",
            "#.....................F#",
            "########################",
        ],
        players: &["human"],
        status: |race| status(race, coasts(race, 3), CROSSED_PUSHING),
    },
    LessonStep {
        title: "Brake",
        task: "Braking takes as long as speeding up. Get to a speed of 3, then push against it with A \
               until the car stands still, short of the line.",
        praise: "Stopped! From speed 3 that takes three turns: 2 cells, 1 cell, none.",
        rules: "(steering: nine)",
        map: &[
            "######################",
            "#...................F#",
            "#S..................F#",
            "#...................F#",
            "######################",
        ],
        players: &["human"],
        status: |race| status(race, has_stopped_from(race, 3), CROSSED_UNBRAKED),
    },
    LessonStep {
        title: "Take a bend",
        task: "Now a bend: slow down before you reach it, push down while you turn, and cross the line. \
               E, C, Q and Z push two ways at once.",
        praise: "That is all there is to it. The rest is knowing how late you can brake.",
        rules: "(steering: nine)",
        map: &[
            "##################",
            "#................#",
            "#S...............#",
            "#................#",
            "#................#",
            "############.....#",
            "############.....#",
            "############.....#",
            "############.....#",
            "############.....#",
            "############.....#",
            "############FFFFF#",
            "##################",
        ],
        players: &["human"],
        status: |race| status(race, has_finished(race), OFF_THE_ROAD),
    },
];

const OFF_THE_ROAD: &str =
    "The car left the road: the whole move has to stay on it. Slow down earlier.";
const CROSSED_SLOWLY: &str =
    "The car crossed the line before its speed was 3. Push right in every turn.";
const CROSSED_PUSHING: &str =
    "The car crossed the line before it had coasted three turns in a row.";
const CROSSED_UNBRAKED: &str =
    "The car crossed the line. Begin to brake as soon as the speed is 3.";

/// How a step stands whose aim is reached or not, and what to say of a car that crossed the line before.
fn status(race: &Match<Racetrack>, is_done: bool, crossed: &'static str) -> LessonStatus {
    let standing = race.state().cars.first().map(|car| car.standing);
    match standing {
        Some(CarStatus::Out(_)) => LessonStatus::Failed(OFF_THE_ROAD),
        _ if is_done => LessonStatus::Done,
        Some(CarStatus::Finished { .. }) => LessonStatus::Failed(crossed),
        _ => LessonStatus::Open,
    }
}

/// The velocity after so many turns.
fn velocity(race: &Match<Racetrack>, turn: usize) -> Cell {
    let car = race.state_at(turn).and_then(|state| state.cars.first());
    car.map_or(Cell::default(), |car| car.velocity)
}

/// The greater component of the velocity after so many turns.
fn speed(race: &Match<Racetrack>, turn: usize) -> i32 {
    let velocity = velocity(race, turn);
    velocity.x.abs().max(velocity.y.abs())
}

/// Whether the car has coasted in each of the last turns, so many of them.
fn coasts(race: &Match<Racetrack>, turns: usize) -> bool {
    let Some(first) = race.len().checked_sub(turns) else { return false };
    let kept = velocity(race, first);
    kept != Cell::default() && (first..race.len()).all(|turn| velocity(race, turn + 1) == kept)
}

/// Whether the car stands, and went at least this fast before.
fn has_stopped_from(race: &Match<Racetrack>, fast: i32) -> bool {
    speed(race, race.len()) == 0 && (0..race.len()).any(|turn| speed(race, turn) >= fast)
}

fn has_finished(race: &Match<Racetrack>) -> bool {
    let standing = race.state().cars.first().map(|car| car.standing);
    matches!(standing, Some(CarStatus::Finished { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::match_screen::lesson_tests::{goes_wrong, is_learnt};
    use outwit_racetrack::rules::Accelerate;

    fn pushes(pushes: &[(i32, i32)]) -> Vec<Accelerate> {
        pushes.iter().map(|&(x, y)| Accelerate(Cell::new(x, y))).collect()
    }

    #[test]
    fn the_lesson_is_learnt() {
        let (right, left, none) = ((1, 0), (-1, 0), (0, 0));
        is_learnt::<Racetrack>(&[
            pushes(&[right; 3]),
            pushes(&[right, right, none, none, none]),
            pushes(&[right, right, right, left, left, left]),
            pushes(&[right, right, none, none, none, (-1, 1), (0, 1), left, none, none]),
        ]);
    }

    #[test]
    fn what_goes_wrong_is_told() {
        let right = (1, 0);
        let faster = (1, -1);
        for (step, line, why) in [
            (0, vec![faster, faster], OFF_THE_ROAD),
            (1, vec![right; 6], CROSSED_PUSHING),
            (2, vec![right; 6], CROSSED_UNBRAKED),
            (3, vec![right; 6], OFF_THE_ROAD),
        ] {
            goes_wrong::<Racetrack>(step, pushes(&line), why);
        }
        let slowly: Vec<_> = [right].into_iter().chain([(0, 0); 16]).collect();
        goes_wrong::<Racetrack>(0, pushes(&slowly), CROSSED_SLOWLY);
    }
}
