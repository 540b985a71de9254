#![allow(clippy::unwrap_used)]

use super::*;
use crate::editor::TOOLS;
use crate::games::GAMES;
use proptest::prelude::*;

fn game(id: &str) -> &'static dyn GameKind {
    GAMES.iter().find(|game| game.kind.id() == id).unwrap().kind
}

fn rows(desk: &Desk) -> Vec<String> {
    desk.sketch
        .cells
        .as_slice()
        .chunks(desk.sketch.cells.width())
        .map(|r| r.iter().collect())
        .collect()
}

fn held(shift: bool, alt: bool) -> Held {
    Held { shift, alt }
}

fn stroke(desk: &mut Desk, cells: &[(i32, i32)]) {
    let mut cells = cells.iter().map(|&(x, y)| Cell::new(x, y));
    desk.press(cells.next().unwrap(), Held::default()).unwrap();
    cells.for_each(|cell| desk.drag(cell, Held::default()));
    desk.release();
}

fn racetrack(width: usize, height: usize) -> Desk {
    Desk::blank(game("racetrack"), width, height)
}

fn cops() -> Desk {
    Desk::blank(game("cops"), 8, 7)
}

#[test]
fn a_stroke_is_one_step() {
    let mut desk = racetrack(6, 3);
    stroke(&mut desk, &[(0, 0), (5, 0), (5, 2)]);
    assert_eq!(rows(&desk), ["......", "#####.", "#####."]);
    assert_eq!(desk.history().steps().len(), 1);
    assert!(desk.undo());
    assert_eq!(rows(&desk), ["######", "######", "######"]);
    assert!(desk.redo());
    assert!(!desk.redo());
    // Shift goes on straight from where the last stroke ended.
    desk.hand = 'S';
    desk.press(Cell::new(5, 0), held(true, false)).unwrap();
    desk.release();
    assert_eq!(rows(&desk), [".....S", "#####S", "#####S"]);
}

#[test]
fn mirrors_draw_as_one_draws() {
    let mut desk = racetrack(5, 5);
    desk.symmetry = Symmetry::Both;
    stroke(&mut desk, &[(0, 1)]);
    assert_eq!(rows(&desk), ["#####", ".###.", "#####", ".###.", "#####"]);
    desk.symmetry = Symmetry::HalfTurn;
    stroke(&mut desk, &[(1, 0)]);
    assert_eq!(rows(&desk), ["#.###", ".###.", "#####", ".###.", "###.#"]);
    desk.symmetry = Symmetry::LeftRight;
    desk.tool = Tool::Erase;
    stroke(&mut desk, &[(0, 3)]);
    assert_eq!(rows(&desk), ["#.###", ".###.", "#####", "#####", "###.#"]);
    desk.symmetry = Symmetry::TopBottom;
    desk.tool = Tool::Fill;
    desk.hand = 'F';
    stroke(&mut desk, &[(1, 0)]);
    assert_eq!(rows(&desk), ["#F###", ".###.", "#####", "#####", "###.#"]);
}

#[test]
fn shapes_are_drawn_anew_while_dragged() {
    let mut desk = racetrack(5, 4);
    desk.tool = Tool::Rectangle;
    stroke(&mut desk, &[(0, 0), (4, 3), (2, 2)]);
    assert_eq!(rows(&desk), ["...##", ".#.##", "...##", "#####"]);
    desk.undo();
    desk.press(Cell::new(0, 0), held(false, true)).unwrap();
    desk.drag(Cell::new(40, 1), held(true, true));
    desk.drag(Cell::new(1, 1), held(false, true));
    desk.release();
    assert_eq!(rows(&desk), ["..###", "..###", "#####", "#####"]);
    desk.tool = Tool::Line;
    desk.press(Cell::new(4, 0), Held::default()).unwrap();
    desk.drag(Cell::new(1, 2), held(true, false));
    assert!(desk.cancel());
    assert_eq!(rows(&desk), ["..###", "..###", "#####", "#####"]);
    assert_eq!(desk.history().steps().len(), 1);
}

#[test]
fn pieces_are_whole_and_keep_their_limits() {
    let mut desk = cops();
    desk.hand = 'T';
    stroke(&mut desk, &[(1, 1)]);
    stroke(&mut desk, &[(3, 3)]);
    let count = |desk: &Desk, symbol| desk.sketch.cells.iter().filter(|c| *c.1 == symbol).count();
    assert_eq!(count(&desk, 'T'), 1);
    desk.hand = '-';
    // Pushed to where it fits.
    stroke(&mut desk, &[(0, 2)]);
    assert_eq!(rows(&desk)[2], "=----..=");
    // One cell of it gives way, all of it goes.
    desk.hand = '#';
    stroke(&mut desk, &[(2, 2)]);
    assert_eq!(rows(&desk)[2], "=.#....=");
    desk.hand = 'G';
    stroke(&mut desk, &[(0, 0)]);
    assert_eq!(count(&desk, 'G'), 2);
    desk.tool = Tool::Move;
    desk.hand = 'C';
    stroke(&mut desk, &[(0, 0), (7, 6)]);
    assert_eq!(count(&desk, 'G'), 2);
    assert_eq!(desk.sketch.cells[Cell::new(7, 6)], 'G');
    stroke(&mut desk, &[(3, 3), (4, 4)]);
    assert_eq!(desk.sketch.cells[Cell::new(4, 4)], 'T');
    assert_eq!(count(&desk, 'T'), 1);
    desk.press(Cell::new(4, 4), held(false, true)).unwrap();
    assert_eq!(count(&desk, 'T'), 0);
    // Terrain stays where it may lie.
    desk.tool = Tool::Paint;
    desk.hand = '#';
    stroke(&mut desk, &[(0, 4)]);
    assert_eq!(desk.sketch.cells[Cell::new(0, 4)], '=');
    desk.tool = Tool::Rectangle;
    desk.hand = 'T';
    assert!(desk.press(Cell::new(1, 1), Held::default()).unwrap_err().contains("Paint"));
}

#[test]
fn regions_move_turn_and_travel_as_text() {
    let mut desk = cops();
    desk.hand = '-';
    stroke(&mut desk, &[(3, 1)]);
    desk.tool = Tool::Select;
    stroke(&mut desk, &[(2, 1), (5, 1)]);
    assert_eq!(desk.copy().unwrap(), "----\n");
    stroke(&mut desk, &[(2, 1), (2, 3)]);
    assert_eq!((rows(&desk)[1].as_str(), rows(&desk)[3].as_str()), ("=......=", "=.----.="));
    desk.paste(Some("..\n#.\n")).unwrap();
    desk.turn(Turn::LeftRight);
    desk.press(Cell::new(6, 5), Held::default()).unwrap();
    assert_eq!(rows(&desk)[5], "=.....#=");
    assert!(desk.paste(Some("xyz")).unwrap_err().contains("'x'"));
    desk.select(Some(Region { min: Cell::new(2, 2), width: 4, height: 4 }));
    desk.turn(Turn::Clockwise);
    assert_eq!(rows(&desk)[2], "=...|..=");
    desk.cut();
    assert_eq!(rows(&desk)[3], "=......=");
    assert!(desk.cancel());
    assert_eq!(desk.selection(), None);
}

#[test]
fn maps_grow_from_their_anchor_and_crop_to_what_they_hold() {
    let mut desk = racetrack(3, 2);
    stroke(&mut desk, &[(1, 1)]);
    desk.resize(5, 4, (2, 0)).unwrap();
    assert_eq!(rows(&desk), ["#####", "###.#", "#####", "#####"]);
    desk.crop().unwrap();
    assert_eq!(rows(&desk), ["###", "#.#", "###"]);
    assert!(desk.resize(0, 4, (0, 0)).is_err());
    // A border goes with the edge.
    let mut desk = cops();
    desk.resize(9, 7, (0, 0)).unwrap();
    assert_eq!(rows(&desk)[0], "=========");
    assert_eq!(rows(&desk)[1], "=.......=");
}

#[test]
fn typing_is_one_step_until_it_is_sealed() {
    let mut desk = racetrack(3, 2);
    for text in ["A", "Ab", "Abc"] {
        desk.set_text(Field::Name, text);
    }
    desk.seal();
    desk.set_text(Field::Name, "Abcd");
    desk.set_text(Field::About, "x");
    assert_eq!(desk.history().steps().len(), 3);
    desk.go_to(1);
    assert_eq!(desk.sketch().name, "Abc");
    assert!(!desk.is_saved());
    desk.mark_saved();
    assert!(desk.is_saved());
    desk.redo();
    assert!(!desk.is_saved());
    desk.undo();
    assert!(desk.is_saved());
    let speed =
        game("racetrack").properties().iter().position(|property| property.key == "laps").unwrap();
    assert!(desk.set_rule(speed, "many").is_err());
    desk.set_rule(speed, "2").unwrap();
    assert!(desk.text().contains("laps: 2"));
}

/// What a user may do.
#[derive(Clone, Debug)]
enum Action {
    Stroke { tool: usize, hand: usize, cells: Vec<(i32, i32)>, shift: bool, alt: bool, end: bool },
    Look { brush: u32, round: bool, filled: bool, symmetry: usize },
    Text(usize, String),
    Rule(usize, i64),
    Resize(usize, usize, usize, usize),
    Crop,
    Turn(usize),
    Copy,
    Cut,
    Delete,
    Paste,
    SelectAll,
    Undo,
    Redo,
    GoTo(usize),
    Cancel,
    Save,
}

fn action() -> impl Strategy<Value = Action> {
    let cells = proptest::collection::vec((-2..16, -2..16), 1..4);
    prop_oneof![
        8 => (0..TOOLS.len(), 0..16usize, cells, any::<bool>(), any::<bool>(), any::<bool>())
            .prop_map(|(tool, hand, cells, shift, alt, end)| {
                Action::Stroke { tool, hand, cells, shift: shift && alt, alt: alt && end, end }
            }),
        2 => (1..6u32, any::<bool>(), any::<bool>(), 0..5usize).prop_map(
            |(brush, round, filled, symmetry)| Action::Look { brush, round, filled, symmetry }
        ),
        1 => (0..3usize, "\\PC{0,6}").prop_map(|(field, text)| Action::Text(field, text)),
        1 => (0..20usize, 0..8i64).prop_map(|(rule, value)| Action::Rule(rule, value)),
        1 => (1..14usize, 1..14usize, 0..3usize, 0..3usize)
            .prop_map(|(w, h, x, y)| Action::Resize(w, h, x, y)),
        1 => Just(Action::Crop),
        1 => (0..3usize).prop_map(Action::Turn),
        1 => Just(Action::Copy),
        1 => Just(Action::Cut),
        1 => Just(Action::Delete),
        1 => Just(Action::Paste),
        1 => Just(Action::SelectAll),
        1 => Just(Action::Undo),
        1 => Just(Action::Redo),
        1 => (0..12usize).prop_map(Action::GoTo),
        1 => Just(Action::Cancel),
        1 => Just(Action::Save),
    ]
}

fn act(desk: &mut Desk, action: &Action) {
    match action {
        Action::Stroke { tool, hand, cells, shift, alt, end } => {
            desk.tool = TOOLS[*tool].tool;
            desk.hand = desk.palette()[hand % desk.palette().len()].symbol;
            let held = held(*shift, *alt);
            let mut cells = cells.iter().map(|&(x, y)| Cell::new(x, y));
            let _ = desk.press(cells.next().unwrap(), held);
            cells.for_each(|cell| desk.drag(cell, held));
            if *end {
                desk.release();
            }
        }
        Action::Look { brush, round, filled, symmetry } => {
            desk.brush = Brush { size: *brush, round: *round };
            desk.filled = *filled;
            desk.symmetry = Symmetry::ALL[*symmetry].0;
        }
        Action::Text(field, text) => desk.set_text(Field::ALL[*field], text),
        Action::Rule(rule, value) => {
            let rule = rule % desk.kind.properties().len();
            let _ = desk.set_rule(rule, &value.to_string());
        }
        Action::Resize(w, h, x, y) => {
            let _ = desk.resize(*w, *h, (*x, *y));
        }
        Action::Crop => {
            let _ = desk.crop();
        }
        Action::Turn(turn) => desk.turn([Turn::Clockwise, Turn::LeftRight, Turn::TopBottom][*turn]),
        Action::Copy => {
            desk.copy();
        }
        Action::Cut => {
            desk.cut();
        }
        Action::Delete => desk.delete(),
        Action::Paste => {
            let _ = desk.paste(None);
        }
        Action::SelectAll => desk.select_all(),
        Action::Undo => {
            desk.undo();
        }
        Action::Redo => {
            desk.redo();
        }
        Action::GoTo(done) => desk.go_to(*done),
        Action::Cancel => {
            desk.cancel();
        }
        Action::Save => desk.mark_saved(),
    }
}

proptest! {
    /// Byte for byte: all taken back gives the first level, all done again gives the last; what
    /// was drawn is read back from its file as it is; what is said to have changed has changed.
    #[test]
    fn any_edits_can_be_taken_back_and_saved(
        which in 0..GAMES.len(),
        actions in proptest::collection::vec(action(), 1..40),
    ) {
        let kind = GAMES[which].kind;
        let mut desk = Desk::blank(kind, 11, 9);
        let first = desk.text();
        let mut shown = desk.sketch().cells.clone();
        for action in &actions {
            act(&mut desk, action);
            let cells = &desk.sketch().cells;
            let (width, height) = (cells.width(), cells.height());
            let sides = kind.sides();
            prop_assert!(sides.contains(&width) && sides.contains(&height));
            let changed = desk.take_changed();
            let cells = &desk.sketch().cells;
            if (shown.width(), shown.height()) != (width, height) {
                shown = Grid::filled(width, height, '\0');
            }
            for cell in changed.iter().flat_map(|region| region.cells()) {
                shown[cell] = cells[cell];
            }
            prop_assert!(&shown == cells, "{action:?} changed more than it said");
        }
        desk.release();
        let last = desk.text();
        let read = kind.open(last.as_bytes(), "drawn.ron");
        prop_assert_eq!(read.as_ref(), Ok(desk.sketch()));
        let steps = desk.history().steps().len();
        let done = desk.history().done();
        while desk.undo() {}
        prop_assert_eq!(desk.text(), first);
        desk.go_to(done);
        prop_assert_eq!(desk.text(), last);
        desk.go_to(steps);
        let end = desk.text();
        desk.go_to(0);
        while desk.redo() {}
        prop_assert_eq!(desk.text(), end);
    }
}
