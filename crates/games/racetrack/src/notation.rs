//! Moves as text: the digits of the number pad, whose keys lie in the direction of their acceleration. `8` pushes up,
//! `3` down and right, and `5` coasts.
//!
//! Each digit is a turn of the car that is to move: a car that sits out a penalty or has finished has none. Blanks and
//! line breaks mean nothing. Written moves of one car stand in groups of five, and those of several cars in one group
//! for each round.

use super::rules::{Accelerate, Race, Racetrack};
use outwit_core::grid::Cell;
use outwit_core::play::{Chance, Game, Match};

/// Moves of one car that are written without a blank.
const GROUP: usize = 5;

/// The digit of an acceleration.
fn digit(Accelerate(a): Accelerate) -> char {
    // The pad counts from its lower left corner, and y grows downwards.
    u32::try_from(5 + a.x - 3 * a.y).ok().and_then(|n| char::from_digit(n, 10)).unwrap_or('?')
}

/// The acceleration of a digit.
fn acceleration(digit: char) -> Option<Accelerate> {
    let number = digit.to_digit(10).filter(|number| *number > 0)? as i32 - 1;
    Some(Accelerate(Cell::new(number % 3 - 1, 1 - number / 3)))
}

/// The moves of one car.
pub fn write_line(moves: impl IntoIterator<Item = Cell>) -> String {
    let digits: Vec<char> = moves.into_iter().map(|a| digit(Accelerate(a))).collect();
    let groups = digits.chunks(GROUP).map(|group| group.iter().collect::<String>());
    groups.collect::<Vec<_>>().join(" ")
}

/// The moves of a race.
pub fn write(played: &Match<Racetrack>) -> String {
    let actions = played.turns().iter().flat_map(|turn| &turn.actions);
    if played.game().seats() == 1 {
        return write_line(actions.map(|(_, action)| action.0));
    }
    let mut text = String::new();
    let mut last = None;
    for &(seat, action) in actions {
        if last.is_some_and(|last| seat <= last) {
            text.push(' ');
        }
        last = Some(seat);
        text.push(digit(action));
    }
    text
}

/// Reads moves that are played from a state on, each by the car that is to move then.
///
/// # Errors
/// The number of the move, its place in the text, and the rule that it breaks.
pub fn read(game: &Racetrack, race: &Race, text: &str) -> Result<Vec<Accelerate>, String> {
    let mut race = race.clone();
    let mut moves = Vec::new();
    for (row, line) in (1..).zip(text.split('\n')) {
        for (column, letter) in (1..).zip(line.chars()) {
            if letter.is_whitespace() {
                continue;
            }
            let action = acceleration(letter).ok_or_else(|| {
                format!(
                    "line {row}, column {column}: unknown character '{letter}'; moves are the digits of \
                     the number pad: 8 up, 2 down, 4 left, 6 right, 7 9 1 3 between them, 5 to coast"
                )
            })?;
            let number = moves.len() + 1;
            let wrong = |why: &str| {
                format!("move {number} ('{letter}' at line {row}, column {column}): {why}")
            };
            let Some(&seat) = game.to_move(&race).first() else {
                return Err(wrong("the race is over already"));
            };
            game.legal(&race, seat, &action).map_err(|why| match race.cars.len() {
                1 => wrong(&why),
                _ => wrong(&format!("{}: {why}", Racetrack::SEATS.id(seat))),
            })?;
            // Nothing is drawn in a race but its start.
            game.advance(&mut race, &[(seat, action)], &Chance::new(0), &mut Vec::new());
            moves.push(action);
        }
    }
    Ok(moves)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::level::{Crash, Steering};
    use outwit_core::play::CheckedLevel;
    use outwit_kit::read_level;
    use std::sync::Arc;

    fn tiny() -> CheckedLevel<Racetrack> {
        let entry = outwit_levels::built_in("racetrack/tiny").unwrap();
        let mut level =
            read_level::<Racetrack>(&entry.bytes().unwrap(), "tiny").unwrap().into_inner();
        (level.rules.crash, level.rules.steering) = (Crash::Penalty(2), Steering::Eight);
        CheckedLevel::new(level).unwrap()
    }

    #[test]
    fn digits_lie_as_on_the_number_pad() {
        for (letter, x, y) in [
            ('7', -1, -1),
            ('8', 0, -1),
            ('9', 1, -1),
            ('4', -1, 0),
            ('5', 0, 0),
            ('6', 1, 0),
            ('1', -1, 1),
            ('2', 0, 1),
            ('3', 1, 1),
        ] {
            assert_eq!(acceleration(letter), Some(Accelerate(Cell::new(x, y))));
            assert_eq!(digit(Accelerate(Cell::new(x, y))), letter);
        }
        assert_eq!((acceleration('0'), acceleration('x')), (None, None));
        assert_eq!(write_line([Cell::new(1, 0); 7]), "66666 66");
    }

    /// Any legal moves of one car or several, until the race is over, with crashes and their penalties.
    #[test]
    fn what_is_written_can_be_read() {
        for cars in [1, 3] {
            let game = Arc::new(Racetrack::new(&tiny(), cars).unwrap());
            let mut played = Match::new(game, 1).unwrap();
            let start = played.state().clone();
            for turn in 0_usize.. {
                let seats = played.to_move();
                let Some(&seat) = seats.first() else { break };
                let choices = played.game().choices(played.state(), seat);
                played.advance(vec![(seat, choices[turn * 7 % choices.len()])]).unwrap();
            }
            let text = write(&played);
            let moves = read(played.game(), &start, &text).unwrap();
            let made = played.turns().iter().map(|turn| turn.actions[0].1);
            assert_eq!(moves, made.collect::<Vec<_>>());
            assert_eq!(read(played.game(), &start, &text.replace(' ', "\n")), Ok(moves));
            let why = read(played.game(), &start, &(text + "8")).unwrap_err();
            assert!(why.ends_with("the race is over already"), "{why}");
        }
    }

    #[test]
    fn errors_name_the_move_the_place_and_the_rule() {
        let race = |cars| {
            let game = Racetrack::new(&tiny(), cars).unwrap();
            let start = game.start(&Chance::new(1)).unwrap();
            (game, start)
        };
        let (alone, start) = race(1);
        let why = read(&alone, &start, "6\n 5").unwrap_err();
        assert!(why.starts_with("move 2 ('5' at line 2, column 2): "), "{why}");
        assert!(why.contains("steering"), "{why}");
        let why = read(&alone, &start, "6x").unwrap_err();
        assert!(why.starts_with("line 1, column 2: unknown character 'x'"), "{why}");
        assert!(read(&alone, &start, "0").is_err());
        let (several, start) = race(2);
        let why = read(&several, &start, "65").unwrap_err();
        assert!(why.contains("): car2: "), "{why}");
    }
}
