//! A board in words, for people who do not see it: what stands where, what can be done, what happened.

use super::game_view::GameView;
use super::piece::BoardPiece;
use super::state::SessionState;
use crate::app::shell::widgets::counted;
use bevy::math::Vec2;
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::capitalised;
use outwit_core::play::{Match, Seat};
use outwit_kit::{TileKind, TileStyle};

/// Most actions that are listed one by one.
const MOST_ACTIONS: usize = 16;

/// A position in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BoardText {
    /// The pieces, one a line.
    pub pieces: Vec<String>,
    /// The rows of the map, from top to bottom.
    pub rows: Vec<String>,
    /// What the person to move can do; empty if nobody is, or if there is too much.
    pub actions: String,
    /// What happened in the turn that led here.
    pub happened: String,
}

impl BoardText {
    /// The position that is shown, in which a person may be to move.
    pub fn of<G: GameView>(
        played: &Match<G>,
        session: &SessionState,
        pieces: &[BoardPiece],
        person: Option<Seat>,
    ) -> Self {
        let game = played.game();
        let turn = session.playback.view;
        let name = |seat| session.name(seat);
        let are_several = |name| pieces.iter().filter(|it| it.key.0 == name).count() > 1;
        let in_words = |it: &BoardPiece| {
            let number = are_several(it.key.0).then_some(it.key.1 + 1);
            piece(&capitalised(it.key.0), number, it.seat.map(name), it.pose.place)
        };
        let can = person.and_then(|seat| {
            let all = game.actions(played.state_at(turn)?, seat);
            let words = all.map(|all| all.iter().map(|it| game.action_words(it)).collect());
            Some(actions(seat, words, name))
        });
        let before = turn.checked_sub(1).and_then(|turn| played.turns().get(turn));
        let happened = before.into_iter().flat_map(|turn| &turn.events).filter_map(|event| {
            let (_, words) = (G::EVENTS.cue)(game, event, &name).marker?;
            Some(words)
        });
        Self {
            pieces: pieces.iter().map(in_words).collect(),
            rows: rows(G::MAPS.palette, &game.level().cells('\0')),
            actions: can.unwrap_or_default(),
            happened: happened.collect::<Vec<_>>().join(". "),
        }
    }

    /// All of it, line by line.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = [&self.happened, &self.actions]
            .into_iter()
            .filter(|it| !it.is_empty())
            .cloned()
            .collect();
        lines.extend(self.pieces.iter().chain(&self.rows).cloned());
        lines
    }
}

/// What the tile at a cell is called. Pieces are told apart from the map, so of a piece only what it stands on counts.
fn tile_name(palette: &[TileKind], symbol: char) -> &'static str {
    let mut stands_on = palette.iter().flat_map(|tile| tile.stands_on);
    let symbol = stands_on.find(|(_, both)| *both == symbol).map_or(symbol, |(below, _)| *below);
    let Some(tile) = palette.iter().find(|tile| tile.symbol == symbol) else { return "Nothing" };
    match (tile.piece.is_some(), tile.look) {
        (false, _) => tile.name,
        (true, TileStyle::Goal) => "Goal",
        (true, _) => "Floor",
    }
}

/// The rows of a map, neighbours of the same tile together: `Row 2: Wall 1, Floor 2 to 7, Wall 8`. Columns and rows
/// count from 1, from the upper left.
pub fn rows(palette: &[TileKind], cells: &Grid<char>) -> Vec<String> {
    let row = |y: usize| {
        let name = |x: usize| {
            let symbol = cells.get(Cell::new(x as i32, y as i32)).copied().unwrap_or(' ');
            tile_name(palette, symbol)
        };
        let mut parts: Vec<String> = Vec::new();
        let mut first = 0;
        for x in 1..=cells.width() {
            if x == cells.width() || name(x) != name(first) {
                parts.push(match x - first {
                    1 => format!("{} {x}", name(first)),
                    _ => format!("{} {} to {x}", name(first), first + 1),
                });
                first = x;
            }
        }
        format!("Row {}: {}", y + 1, parts.join(", "))
    };
    (0..cells.height()).map(row).collect()
}

/// A piece and where it is. `number` counts pieces of its name from 1, where there are several.
pub fn piece(name: &str, number: Option<u32>, whose: Option<String>, place: Vec2) -> String {
    let number = number.map(|number| format!(" {number}")).unwrap_or_default();
    let whose = whose.map(|whose| format!(" ({whose})")).unwrap_or_default();
    let cell = place.floor();
    format!("{name}{number}{whose}: column {}, row {}", cell.x as i64 + 1, cell.y as i64 + 1)
}

/// What a seat can do, as far as it can be listed.
pub fn actions(seat: Seat, words: Option<Vec<String>>, name: impl Fn(Seat) -> String) -> String {
    match words {
        Some(words) if words.is_empty() => String::new(),
        Some(words) if words.len() <= MOST_ACTIONS => {
            format!("{} can {}", name(seat), words.join(", or "))
        }
        Some(words) => {
            format!("{} can choose from {}", name(seat), counted(words.len() as u64, "action"))
        }
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_headless::GAMES;

    #[test]
    fn rows_name_runs_of_tiles_from_one() {
        let palette =
            GAMES.iter().find(|game| game.id() == "pukoban").map(|game| game.facts().palette);
        let map = ["####", "#@.#", "#*-#"];
        let cells = Grid::from_fn(4, 3, |cell| {
            char::from(map[cell.y as usize].as_bytes()[cell.x as usize])
        });
        let rows = rows(palette.unwrap_or_default(), &cells);
        assert_eq!(
            rows,
            [
                "Row 1: Wall 1 to 4",
                "Row 2: Wall 1, Floor 2, Goal 3, Wall 4",
                "Row 3: Wall 1, Goal 2, Floor 3, Wall 4",
            ]
        );
    }

    #[test]
    fn pieces_say_whose_they_are_and_where() {
        let place = Vec2::new(4.5, 0.5);
        assert_eq!(piece("Thief", None, Some("You".into()), place), "Thief (You): column 5, row 1");
        assert_eq!(piece("Box", Some(2), None, place), "Box 2: column 5, row 1");
    }

    #[test]
    fn few_actions_are_listed_and_many_counted() {
        let name = |_| "You".to_owned();
        let some = |count: usize| Some((0..count).map(|at| format!("go {at}")).collect());
        assert_eq!(actions(Seat(0), some(2), name), "You can go 0, or go 1");
        assert_eq!(actions(Seat(0), some(30), name), "You can choose from 30 actions");
        assert_eq!(actions(Seat(0), None, name), "");
    }
}
