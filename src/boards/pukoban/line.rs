//! The line of a solver: walks, and what is pushed and pulled, in order.

use crate::app::match_screen::LinePart;
use outwit_core::grid::Cell;
use outwit_pukoban::{Pukoban, PukobanState, PukobanStep};

/// The parts of a line from a position: a walk before each stretch in which one box is moved straight on in one
/// way, as far as the rules allow the steps.
pub fn parts(game: &Pukoban, state: &PukobanState, line: &[PukobanStep]) -> Vec<LinePart> {
    let mut parts: Vec<LinePart> = Vec::new();
    let mut walked = vec![state.player];
    let mut position = state.clone();
    // The box that was moved last, with its direction.
    let mut last: Option<(usize, Cell)> = None;
    let mut number = 0;
    for &step in line {
        let before = position.clone();
        if game.take(&mut position, step).is_err() {
            break;
        }
        let boxes = before.boxes.iter().zip(&position.boxes).enumerate();
        let mut moved = boxes.map(|(index, (&from, &to))| (index, from, to));
        let Some((index, from, to)) = moved.find(|(_, from, to)| from != to) else {
            walked.push(position.player);
            last = None;
            continue;
        };
        let pulled = to == before.player;
        let same_way = last == Some((index, to - from));
        if let Some(LinePart::Carried { to: end, pulled: before, .. }) = parts.last_mut()
            && same_way
            && *before == pulled
        {
            *end = to;
        } else {
            number += 1;
            if walked.len() > 1 {
                parts.push(LinePart::Walk { cells: std::mem::take(&mut walked), number });
            }
            parts.push(LinePart::Carried { from, to, number, pulled });
        }
        last = Some((index, to - from));
        walked = vec![position.player];
    }
    if number == 0 {
        return vec![LinePart::Way(walked)];
    }
    parts.extend(state.moved_boxes(&position).map(|(_, to)| LinePart::End(to)));
    parts
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::boards::tests::level;
    use outwit_core::levels::LevelFile;
    use outwit_core::play::{CheckedLevel, Game};
    use outwit_kit::GameSpec;
    use outwit_pukoban::level::PukobanRules;

    fn parts_of(rows: &[&str], steps: &str) -> Vec<LinePart> {
        let map = rows.iter().map(|row| (*row).into()).collect();
        let format = Pukoban::INFO.format.into();
        let level = LevelFile { format, ..level(PukobanRules::default(), map) };
        let game = Pukoban::new(&CheckedLevel::new(level).unwrap(), 1).unwrap();
        let steps: Vec<PukobanStep> =
            steps.chars().map(|letter| PukobanStep::try_from(letter).unwrap()).collect();
        parts(&game, game.opening(), &steps)
    }

    #[test]
    fn walks_and_moves_are_numbered_in_order() {
        let c = Cell::new;
        let found = parts_of(&["#######", "#@ $ .#", "#######"], "rrr");
        assert_eq!(
            found,
            [
                LinePart::Walk { cells: vec![c(1, 1), c(2, 1)], number: 1 },
                LinePart::Carried { from: c(3, 1), to: c(5, 1), number: 1, pulled: false },
                LinePart::End(c(5, 1)),
            ]
        );
        let found = parts_of(&["#######", "#. $@ #", "#     #", "#######"], "l>");
        let [
            LinePart::Carried { pulled: false, .. },
            LinePart::Carried { number: 2, pulled: true, .. },
        ] = found[..]
        else {
            panic!("{found:?}")
        };
        assert_eq!(parts_of(&["#####", "#@  #", "#$. #", "#####"], "rr").len(), 1);
    }
}
