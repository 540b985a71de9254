//! The lesson of Pukoban: pushing, pulling, a corner, and two boxes.

use crate::app::match_screen::{LessonStatus, LessonStep};
use outwit_core::play::Match;
use outwit_pukoban::Pukoban;

/// The steps, the easiest first.
pub const LESSON: &[LessonStep<Pukoban>] = &[
    LessonStep {
        title: "Push",
        task: "Walk into the box to push it onto the goal: press the right arrow key. With the mouse, \
               click the box and then the goal.",
        praise: "There it goes. A push needs a free cell behind the box.",
        rules: "()",
        map: &["########", "#------#", "#-@$-.-#", "#------#", "########"],
        players: &["human"],
        status,
    },
    LessonStep {
        title: "Pull",
        task: "Nobody gets behind this box to push it to the left. Pull it: hold Shift and press the left \
               arrow key, or press P first and walk away from it.",
        praise: "Well pulled! Whatever you push you can pull back, so you can never get stuck.",
        rules: "()",
        map: &["########", "#------#", "#--.-@$#", "#------#", "########"],
        players: &["human"],
        status,
    },
    LessonStep {
        title: "Turn a corner",
        task: "A box only moves straight ahead. Push it to the right until it is above the goal, walk \
               round it, and push it down.",
        praise: "Round the corner. For every turn you have to get to another side of the box.",
        rules: "()",
        map: &["########", "#------#", "#@$----#", "#------#", "#---.--#", "#------#", "########"],
        players: &["human"],
        status,
    },
    LessonStep {
        title: "Two goals",
        task: "Bring a box onto every goal. Any box may go on any goal; which one goes first makes it \
               longer or shorter. U takes back a step.",
        praise: "Solved! On every level the review then shows the shortest way.",
        rules: "()",
        map: &["#########", "#-------#", "#-@$-..-#", "#--$----#", "#-------#", "#########"],
        players: &["human"],
        status,
    },
];

/// Every step is done once every goal holds a box; nothing can go wrong, as every step can be taken back.
fn status(puzzle: &Match<Pukoban>) -> LessonStatus {
    LessonStatus::done_if(puzzle.game().is_solved(puzzle.state()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::match_screen::lesson_tests::is_learnt;
    use outwit_pukoban::{Direction, PukobanStep};

    /// Walks and pushes as `u`, `d`, `l`, `r`; capital letters pull.
    fn steps(letters: &str) -> Vec<PukobanStep> {
        let step = |letter: char| {
            let direction = match letter.to_ascii_lowercase() {
                'u' => Direction::Up,
                'd' => Direction::Down,
                'l' => Direction::Left,
                _ => Direction::Right,
            };
            PukobanStep { direction, pull: letter.is_uppercase() }
        };
        letters.chars().map(step).collect()
    }

    #[test]
    fn the_lesson_is_learnt() {
        is_learnt::<Pukoban>(&[steps("rr"), steps("LLL"), steps("rrurdd"), steps("rrrllldrrdru")]);
    }

    /// The box of the second step stands against a wall, and no push takes it away from there.
    #[test]
    fn only_a_pull_does_the_second_step() {
        let LessonStep { map, .. } = &LESSON[1];
        for row in *map {
            if let Some(at) = row.find('$') {
                assert_eq!(&row[at..=at + 1], "$#");
                assert!(row[..at].contains('.'));
            }
        }
    }
}
