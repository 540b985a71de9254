//! Where a row can be completed at once, or twice over.

use outwit_core::grid::Cell;
use outwit_core::play::Game;
use outwit_mnk::lines::{DIRECTIONS, winning_line};
use outwit_mnk::{Mnk, MnkState, Stone};

/// An empty cell that matters to one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threat {
    /// Where.
    pub cell: Cell,
    /// Whose stone would do it.
    pub stone: Stone,
    /// Whether it wins at once; otherwise it threatens to win in two cells at once.
    pub wins: bool,
}

/// All threats in a position: first those that win.
pub fn threats(game: &Mnk, state: &MnkState) -> Vec<Threat> {
    let mut found = Vec::new();
    if !state.line.is_empty() {
        return found;
    }
    let empty: Vec<Cell> = (0..state.stones.len())
        .filter(|&index| state.stones[index].is_none())
        .map(|index| game.cell_at(index))
        .collect();
    for stone in [Stone::X, Stone::O] {
        let wins = |cell: Cell, also: Option<Cell>| {
            !winning_line(
                |place: Cell| match place == cell || Some(place) == also {
                    true => Some(stone),
                    false => game.stone(state, place),
                },
                cell,
                &game.level().rules,
            )
            .is_empty()
        };
        for &cell in &empty {
            if wins(cell, None) {
                found.push(Threat { cell, stone, wins: true });
                continue;
            }
            // Two stones of a row lie less than k apart.
            let reach = game.k() as i32 - 1;
            let own_near = |by: Cell| {
                (1..=reach).any(|far| {
                    let at = |sign: i32| {
                        Cell::new(cell.x + sign * far * by.x, cell.y + sign * far * by.y)
                    };
                    [at(1), at(-1)].iter().any(|&place| game.stone(state, place) == Some(stone))
                })
            };
            if !DIRECTIONS.iter().any(|&by| own_near(by)) {
                continue;
            }
            let line = DIRECTIONS.iter().flat_map(|&by| {
                (-reach..=reach)
                    .filter(|&far| far != 0)
                    .map(move |far| Cell::new(cell.x + far * by.x, cell.y + far * by.y))
            });
            let double = line
                .filter(|&place| {
                    game.index_of(place).is_some_and(|index| state.stones[index].is_none())
                })
                .filter(|&next| !wins(next, None) && wins(next, Some(cell)))
                .nth(1)
                .is_some();
            if double {
                found.push(Threat { cell, stone, wins: false });
            }
        }
    }
    found.sort_by_key(|threat| !threat.wins);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_kit::read_level;

    fn found(map: &str, k: u32) -> Vec<(String, char, bool)> {
        let rows: Vec<String> = map.split_whitespace().map(|row| format!("{row:?}")).collect();
        let text = format!(
            "(format: \"mnk 1\", name: \"Test\", rules: (k: {k}), map: [{}])",
            rows.join(", ")
        );
        let level = read_level::<Mnk>(text.as_bytes(), "test").unwrap();
        let game = Mnk::new(&level, 2).unwrap();
        let list = threats(&game, &game.opening());
        let name = |threat: &Threat| (threat.cell.to_string(), threat.stone.to_char(), threat.wins);
        list.iter().map(name).collect()
    }

    #[test]
    fn winning_cells_and_double_threats_are_found() {
        // X completes the top row, O the middle row.
        assert_eq!(
            found("XX. OO. ...", 3),
            [("(2,0)".into(), 'X', true), ("(2,1)".into(), 'O', true)]
        );
        // The corner opposite makes two rows that both can be completed.
        let list = found("X.. .O. O.X", 3);
        assert!(list.contains(&("(2,0)".into(), 'O', true)), "{list:?}");
        assert!(list.contains(&("(2,0)".into(), 'X', false)), "{list:?}");
        // Three in the open become a four that wins on both sides.
        let list = found("....... ..XXX.. ....O.. ..O.O..", 5);
        assert!(list.contains(&("(1,1)".into(), 'X', false)), "{list:?}");
        assert!(list.iter().all(|(_, _, wins)| !wins), "{list:?}");
    }
}
