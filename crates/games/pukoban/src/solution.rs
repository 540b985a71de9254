//! Solutions as text: `udlr` walks, `UDLR` pushes and `^v<>` pulls, as Pukoban programs write them.

use super::rules::{Effect, Pukoban, PukobanEvent, PukobanState};
use super::run_length::expand;
use super::step::PukobanStep;
use outwit_core::play::Match;

/// More moves than any step limit allows are refused before they are played.
const MOST_MOVES: usize = 200_000;

/// What a letter asks for.
fn step(letter: char) -> Option<PukobanStep> {
    let plain = if "UDLR".contains(letter) { letter.to_ascii_lowercase() } else { letter };
    PukobanStep::try_from(plain).ok()
}

/// Reads moves and checks them from `position` on. White space is ignored and repetitions such as
/// `3r` and `2(urR)` are written out. A small letter may push too, as in Sokoban solutions that are
/// written in small letters.
///
/// # Errors
/// The number of the move, its place in the text, and the rule that it breaks.
pub fn read(
    game: &Pukoban,
    position: &PukobanState,
    text: &str,
) -> Result<Vec<PukobanStep>, String> {
    let place = |at: usize| {
        let before: Vec<char> = text.chars().take(at).collect();
        let line = before.iter().filter(|&&c| c == '\n').count() + 1;
        let column = before.iter().rev().take_while(|&&c| c != '\n').count() + 1;
        format!("line {line}, column {column}")
    };
    let letters =
        expand(text, |c| step(c).is_some(), char::is_whitespace, MOST_MOVES).map_err(|error| {
            format!(
                "{}: {}; moves are udlr to walk, UDLR to push, ^v<> to pull",
                place(error.at),
                error.what
            )
        })?;
    let mut position = position.clone();
    let mut steps = Vec::new();
    for (number, (at, letter)) in letters.into_iter().enumerate() {
        let broken =
            |why: String| format!("move {} ('{letter}' at {}): {why}", number + 1, place(at));
        let Some(step) = step(letter) else { continue };
        if game.is_solved(&position) {
            return Err(broken("the level is solved already".into()));
        }
        if position.steps >= game.max_steps() {
            return Err(broken(format!("the limit of {} steps is reached", game.max_steps())));
        }
        let effect = game.effect(&position, step).map_err(|why| broken(why.to_string()))?;
        if letter.is_ascii_uppercase() && !matches!(effect, Effect::Push(_)) {
            return Err(broken(format!("there is no box to push {}", step.direction)));
        }
        game.take(&mut position, step).map_err(|why| broken(why.to_string()))?;
        steps.push(step);
    }
    Ok(steps)
}

/// The letter of a step, given whether it pushes.
pub fn letter(step: PukobanStep, pushes: bool) -> char {
    let letter = char::from(step);
    if pushes { letter.to_ascii_uppercase() } else { letter }
}

/// Writes the moves of a match.
pub fn write(played: &Match<Pukoban>) -> String {
    let moves = played.turns().iter().flat_map(|turn| {
        let pushes = matches!(turn.events.first(), Some(PukobanEvent::Pushed { .. }));
        turn.actions.iter().map(move |&(_, step)| letter(step, pushes))
    });
    moves.collect()
}

/// The letters of a way through the level, for messages and files.
pub fn write_steps(game: &Pukoban, from: &PukobanState, steps: &[PukobanStep]) -> String {
    let mut position = from.clone();
    steps
        .iter()
        .map(|&step| {
            let event = game.take(&mut position, step);
            letter(step, matches!(event, Ok(PukobanEvent::Pushed { .. })))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::{FORMAT, PukobanFile};
    use outwit_core::play::{CheckedLevel, Game, Seat};
    use proptest::prelude::*;
    use std::sync::Arc;

    fn game(map: &[&str]) -> Pukoban {
        let level = PukobanFile {
            format: FORMAT.into(),
            name: "x".into(),
            author: String::new(),
            about: String::new(),
            rules: Default::default(),
            map: map.iter().map(|&row| row.to_owned()).collect(),
        };
        Pukoban::new(&CheckedLevel::new(level).unwrap(), 1).unwrap()
    }

    fn room() -> Pukoban {
        game(&["#######", "#$----#", "#-@$-.#", "#-----#", "#######"])
    }

    #[test]
    fn moves_are_read_and_written() {
        let game = room();
        let steps = read(&game, game.opening(), " u >\n d2R").unwrap_err();
        assert!(steps.starts_with("move 4 ('R' at line 2, column 4): "), "{steps}");
        for (text, written) in
            [("2R", "RR"), ("rr", "RR"), ("u>ldRR", "u>LdRR"), ("2(ud)2R", "ududRR")]
        {
            let steps =
                read(&game, game.opening(), text).unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(write_steps(&game, game.opening(), &steps), written);
            let mut played = Match::new(Arc::new(game.clone()), 1).unwrap();
            for step in steps {
                played.advance(vec![(Seat(0), step)]).unwrap();
            }
            assert_eq!(write(&played), written);
            assert!(played.outcome().is_some());
        }
    }

    #[test]
    fn errors_name_the_move_the_place_and_the_rule() {
        let game = room();
        for (text, message) in [
            ("uuu", "move 2 ('u' at line 1, column 2): there is a wall to go up"),
            ("U", "move 1 ('U' at line 1, column 1): there is no box to push up"),
            ("3R", "move 3 ('R' at line 1, column 2): the level is solved already"),
            (
                "l\n>",
                "move 2 ('>' at line 2, column 1): there is no box behind the player to pull right",
            ),
            (">", "move 1 ('>' at line 1, column 1): a box stands in the way right"),
            ("rx", "line 1, column 2: unknown character 'x'; moves are udlr to walk"),
            ("r(", "line 1, column 2: this opening bracket"),
            ("9999999999r", "line 1, column 11: this makes more than"),
        ] {
            let why = read(&game, game.opening(), text).unwrap_err();
            assert!(why.starts_with(message), "{text}: {why}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_can_be_read(choices in prop::collection::vec(0usize..8, 0..60)) {
            let game = room();
            let mut position = game.opening().clone();
            let mut steps = Vec::new();
            for choice in choices {
                let legal = game.steps(&position);
                let step = legal[choice % legal.len()];
                if game.is_solved(&position) { break }
                game.take(&mut position, step).unwrap();
                steps.push(step);
            }
            let text = write_steps(&game, game.opening(), &steps);
            prop_assert_eq!(read(&game, game.opening(), &text), Ok(steps));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[udlrUDLR^v<>0-9() \\n\\PC]{0,80}") {
            let game = room();
            let _ = read(&game, game.opening(), &text);
        }
    }
}
