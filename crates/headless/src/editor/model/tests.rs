#![allow(clippy::unwrap_used)]

use super::*;
use crate::GAMES;
use crate::editor::TOOLS;
use proptest::prelude::*;

fn game(id: &str) -> &'static dyn DynGame {
    crate::find(id).unwrap()
}

fn rows(model: &EditorModel) -> Vec<String> {
    model
        .draft
        .cells
        .as_slice()
        .chunks(model.draft.cells.width())
        .map(|r| r.iter().collect())
        .collect()
}

fn held(shift: bool, alt: bool) -> ModifierKeys {
    ModifierKeys { shift, alt }
}

fn stroke(model: &mut EditorModel, cells: &[(i32, i32)]) {
    let mut cells = cells.iter().map(|&(x, y)| Cell::new(x, y));
    model.press(cells.next().unwrap(), ModifierKeys::default()).unwrap();
    cells.for_each(|cell| model.drag(cell, ModifierKeys::default()));
    model.release();
}

fn racetrack(width: usize, height: usize) -> EditorModel {
    EditorModel::blank(game("racetrack"), width, height)
}

fn cops() -> EditorModel {
    EditorModel::blank(game("cops"), 8, 7)
}

#[test]
fn a_stroke_is_one_step() {
    let mut model = racetrack(6, 3);
    stroke(&mut model, &[(0, 0), (5, 0), (5, 2)]);
    assert_eq!(rows(&model), ["......", "#####.", "#####."]);
    assert_eq!(model.history().steps().len(), 1);
    assert!(model.undo());
    assert_eq!(rows(&model), ["######", "######", "######"]);
    assert!(model.redo());
    assert!(!model.redo());
    // Shift goes on straight from where the last stroke ended.
    model.active_tile = 'S';
    model.press(Cell::new(5, 0), held(true, false)).unwrap();
    model.release();
    assert_eq!(rows(&model), [".....S", "#####S", "#####S"]);
}

#[test]
fn strokes_are_mirrored() {
    let mut model = racetrack(5, 5);
    model.symmetry = Symmetry::Both;
    stroke(&mut model, &[(0, 1)]);
    assert_eq!(rows(&model), ["#####", ".###.", "#####", ".###.", "#####"]);
    model.symmetry = Symmetry::HalfTurn;
    stroke(&mut model, &[(1, 0)]);
    assert_eq!(rows(&model), ["#.###", ".###.", "#####", ".###.", "###.#"]);
    model.symmetry = Symmetry::LeftRight;
    model.tool = Tool::Erase;
    stroke(&mut model, &[(0, 3)]);
    assert_eq!(rows(&model), ["#.###", ".###.", "#####", "#####", "###.#"]);
    model.symmetry = Symmetry::TopBottom;
    model.tool = Tool::Fill;
    model.active_tile = 'F';
    stroke(&mut model, &[(1, 0)]);
    assert_eq!(rows(&model), ["#F###", ".###.", "#####", "#####", "###.#"]);
}

#[test]
fn shapes_are_redrawn_while_dragged() {
    let mut model = racetrack(5, 4);
    model.tool = Tool::Rectangle;
    stroke(&mut model, &[(0, 0), (4, 3), (2, 2)]);
    assert_eq!(rows(&model), ["...##", ".#.##", "...##", "#####"]);
    model.undo();
    model.press(Cell::new(0, 0), held(false, true)).unwrap();
    model.drag(Cell::new(40, 1), held(true, true));
    model.drag(Cell::new(1, 1), held(false, true));
    model.release();
    assert_eq!(rows(&model), ["..###", "..###", "#####", "#####"]);
    model.tool = Tool::Line;
    model.press(Cell::new(4, 0), ModifierKeys::default()).unwrap();
    model.drag(Cell::new(1, 2), held(true, false));
    assert!(model.cancel());
    assert_eq!(rows(&model), ["..###", "..###", "#####", "#####"]);
    assert_eq!(model.history().steps().len(), 1);
}

#[test]
fn tiles_with_a_direction_turn_with_their_images() {
    let mut model = EditorModel::blank(game("stealth"), 6, 4);
    model.symmetry = Symmetry::Both;
    for (symbol, x) in [('>', 0), ('^', 1), ('E', 2)] {
        model.select_tile(symbol);
        stroke(&mut model, &[(x, 0)]);
    }
    assert_eq!(rows(&model), [">^EW^<", "......", "......", ">vEWv<"]);
    model.symmetry = Symmetry::HalfTurn;
    model.select_tile('v');
    stroke(&mut model, &[(0, 1)]);
    assert_eq!(rows(&model), [">^EW^<", "v.....", ".....^", ">vEWv<"]);
}

#[test]
fn a_piece_leaves_the_tile_that_it_stood_on() {
    let mut model = EditorModel::blank(game("pukoban"), 6, 1);
    for (symbol, x) in [('.', 1), ('.', 2), ('.', 4), ('$', 1), ('@', 3)] {
        model.select_tile(symbol);
        stroke(&mut model, &[(x, 0)]);
    }
    assert_eq!(rows(&model), ["-*.@.-"]);
    model.tool = Tool::Move;
    stroke(&mut model, &[(1, 0), (2, 0), (0, 0)]);
    assert_eq!(rows(&model), ["$..@.-"]);
    stroke(&mut model, &[(3, 0), (4, 0)]);
    assert_eq!(rows(&model), ["$..-+-"]);
    // There is one player, on a goal or off it.
    model.select_tile('@');
    stroke(&mut model, &[(2, 0)]);
    assert_eq!(rows(&model), ["$.+-.-"]);
    model.select_tile('$');
    stroke(&mut model, &[(2, 0)]);
    assert_eq!(rows(&model), ["$.*-.-"]);
    model.tool = Tool::Move;
    model.press(Cell::new(2, 0), held(false, true)).unwrap();
    assert_eq!(rows(&model), ["$..-.-"]);
}

#[test]
fn pieces_are_whole_and_keep_their_limits() {
    let mut model = cops();
    model.active_tile = 'T';
    stroke(&mut model, &[(1, 1)]);
    stroke(&mut model, &[(3, 3)]);
    let count =
        |model: &EditorModel, symbol| model.draft.cells.iter().filter(|c| *c.1 == symbol).count();
    assert_eq!(count(&model, 'T'), 1);
    model.active_tile = '-';
    // Pushed to where it fits.
    stroke(&mut model, &[(0, 2)]);
    assert_eq!(rows(&model)[2], "=----..=");
    // One cell of it gives way, all of it goes.
    model.active_tile = '#';
    stroke(&mut model, &[(2, 2)]);
    assert_eq!(rows(&model)[2], "=.#....=");
    model.active_tile = 'G';
    stroke(&mut model, &[(0, 0)]);
    assert_eq!(count(&model, 'G'), 2);
    model.tool = Tool::Move;
    model.active_tile = 'C';
    stroke(&mut model, &[(0, 0), (7, 6)]);
    assert_eq!(count(&model, 'G'), 2);
    assert_eq!(model.draft.cells[Cell::new(7, 6)], 'G');
    stroke(&mut model, &[(3, 3), (4, 4)]);
    assert_eq!(model.draft.cells[Cell::new(4, 4)], 'T');
    assert_eq!(count(&model, 'T'), 1);
    model.press(Cell::new(4, 4), held(false, true)).unwrap();
    assert_eq!(count(&model, 'T'), 0);
    // Terrain stays where it may lie.
    model.tool = Tool::Paint;
    model.active_tile = '#';
    stroke(&mut model, &[(0, 4)]);
    assert_eq!(model.draft.cells[Cell::new(0, 4)], '=');
    model.tool = Tool::Rectangle;
    model.active_tile = 'T';
    assert!(
        model
            .press(Cell::new(1, 1), ModifierKeys::default())
            .unwrap_err()
            .to_string()
            .contains("Paint")
    );
}

#[test]
fn regions_move_turn_and_travel_as_text() {
    let mut model = cops();
    model.active_tile = '-';
    stroke(&mut model, &[(3, 1)]);
    model.tool = Tool::Select;
    stroke(&mut model, &[(2, 1), (5, 1)]);
    assert_eq!(model.copy().unwrap(), "----\n");
    stroke(&mut model, &[(2, 1), (2, 3)]);
    assert_eq!((rows(&model)[1].as_str(), rows(&model)[3].as_str()), ("=......=", "=.----.="));
    model.paste(Some("..\n#.\n")).unwrap();
    model.turn(BlockTransform::LeftRight);
    model.press(Cell::new(6, 5), ModifierKeys::default()).unwrap();
    assert_eq!(rows(&model)[5], "=.....#=");
    assert!(model.paste(Some("xyz")).unwrap_err().to_string().contains("'x'"));
    model.select(Some(Region { min: Cell::new(2, 2), width: 4, height: 4 }));
    model.turn(BlockTransform::Clockwise);
    assert_eq!(rows(&model)[2], "=...|..=");
    model.cut();
    assert_eq!(rows(&model)[3], "=......=");
    assert!(model.cancel());
    assert_eq!(model.selection(), None);
}

#[test]
fn maps_grow_from_their_anchor_and_crop_to_what_they_hold() {
    let mut model = racetrack(3, 2);
    stroke(&mut model, &[(1, 1)]);
    model.resize(5, 4, (2, 0)).unwrap();
    assert_eq!(rows(&model), ["#####", "###.#", "#####", "#####"]);
    model.crop().unwrap();
    assert_eq!(rows(&model), ["###", "#.#", "###"]);
    assert!(model.resize(0, 4, (0, 0)).is_err());
    // A border goes with the edge.
    let mut model = cops();
    model.resize(9, 7, (0, 0)).unwrap();
    assert_eq!(rows(&model)[0], "=========");
    assert_eq!(rows(&model)[1], "=.......=");
}

#[test]
fn texts_have_the_limits_of_level_files() {
    let mut model = racetrack(3, 2);
    for field in Field::ALL {
        model.set_text(field, &"é".repeat(70_000));
        assert_eq!(field.of(model.draft()).chars().count(), field.max_length());
    }
    let faults = model.kind().check(model.text().as_bytes(), "x.ron");
    assert!(faults.iter().all(|fault| !fault.what.contains("characters")), "{faults:?}");
}

#[test]
fn typing_is_one_step_until_it_is_sealed() {
    let mut model = racetrack(3, 2);
    for text in ["A", "Ab", "Abc"] {
        model.set_text(Field::Name, text);
    }
    model.seal();
    model.set_text(Field::Name, "Abcd");
    model.set_text(Field::About, "x");
    assert_eq!(model.history().steps().len(), 3);
    model.go_to(1);
    assert_eq!(model.draft().name, "Abc");
    assert!(!model.is_saved());
    model.mark_saved();
    assert!(model.is_saved());
    model.redo();
    assert!(!model.is_saved());
    model.undo();
    assert!(model.is_saved());
    let speed =
        game("racetrack").properties().iter().position(|property| property.key == "laps").unwrap();
    assert!(model.set_rule(speed, "many").is_err());
    model.set_rule(speed, "2").unwrap();
    assert!(model.text().contains("laps: 2"));
}

/// What a user may do.
#[derive(Clone, Debug)]
enum Action {
    Stroke { tool: usize, tile: usize, cells: Vec<(i32, i32)>, shift: bool, alt: bool, end: bool },
    TileStyle { brush: u32, round: bool, filled: bool, symmetry: usize },
    Text(usize, String),
    Rule(usize, i64),
    Resize(usize, usize, usize, usize),
    Crop,
    BlockTransform(usize),
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
            .prop_map(|(tool, tile, cells, shift, alt, end)| {
                Action::Stroke { tool, tile, cells, shift: shift && alt, alt: alt && end, end }
            }),
        2 => (1..6u32, any::<bool>(), any::<bool>(), 0..5usize).prop_map(
            |(brush, round, filled, symmetry)| Action::TileStyle { brush, round, filled, symmetry }
        ),
        1 => (0..3usize, "\\PC{0,6}").prop_map(|(field, text)| Action::Text(field, text)),
        1 => (0..20usize, 0..8i64).prop_map(|(rule, value)| Action::Rule(rule, value)),
        1 => (1..14usize, 1..14usize, 0..3usize, 0..3usize)
            .prop_map(|(w, h, x, y)| Action::Resize(w, h, x, y)),
        1 => Just(Action::Crop),
        1 => (0..3usize).prop_map(Action::BlockTransform),
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

fn act(model: &mut EditorModel, action: &Action) {
    match action {
        Action::Stroke { tool, tile, cells, shift, alt, end } => {
            model.tool = TOOLS[*tool].tool;
            model.active_tile = model.palette()[tile % model.palette().len()].symbol;
            let held = held(*shift, *alt);
            let mut cells = cells.iter().map(|&(x, y)| Cell::new(x, y));
            let _ = model.press(cells.next().unwrap(), held);
            cells.for_each(|cell| model.drag(cell, held));
            if *end {
                model.release();
            }
        }
        Action::TileStyle { brush, round, filled, symmetry } => {
            model.brush = Brush { size: *brush, round: *round };
            model.filled = *filled;
            model.symmetry = Symmetry::ALL[*symmetry].0;
        }
        Action::Text(field, text) => model.set_text(Field::ALL[*field], text),
        Action::Rule(rule, value) => {
            if let Some(rule) = rule.checked_rem(model.kind.properties().len()) {
                let _ = model.set_rule(rule, &value.to_string());
            }
        }
        Action::Resize(w, h, x, y) => {
            let _ = model.resize(*w, *h, (*x, *y));
        }
        Action::Crop => {
            let _ = model.crop();
        }
        Action::BlockTransform(turn) => model.turn(
            [BlockTransform::Clockwise, BlockTransform::LeftRight, BlockTransform::TopBottom]
                [*turn],
        ),
        Action::Copy => {
            model.copy();
        }
        Action::Cut => {
            model.cut();
        }
        Action::Delete => model.delete(),
        Action::Paste => {
            let _ = model.paste(None);
        }
        Action::SelectAll => model.select_all(),
        Action::Undo => {
            model.undo();
        }
        Action::Redo => {
            model.redo();
        }
        Action::GoTo(done) => model.go_to(*done),
        Action::Cancel => {
            model.cancel();
        }
        Action::Save => model.mark_saved(),
    }
}

proptest! {
    /// Byte for byte: undoing everything gives the first level, redoing everything the last. The
    /// level survives its file, and only cells that were reported as changed have changed.
    #[test]
    fn any_edits_can_be_undone_and_saved(
        which in 0..GAMES.len(),
        actions in proptest::collection::vec(action(), 1..40),
    ) {
        let kind = GAMES[which];
        let mut model = EditorModel::blank(kind, 11, 9);
        let first = model.text();
        let mut shown = model.draft().cells.clone();
        for action in &actions {
            act(&mut model, action);
            let cells = &model.draft().cells;
            let (width, height) = (cells.width(), cells.height());
            let sides = &kind.facts().sides;
            prop_assert!(sides.contains(&width) && sides.contains(&height));
            let changed = model.take_changed();
            let cells = &model.draft().cells;
            if (shown.width(), shown.height()) != (width, height) {
                shown = Grid::filled(width, height, '\0');
            }
            for cell in changed.iter().flat_map(|region| region.cells()) {
                shown[cell] = cells[cell];
            }
            prop_assert!(&shown == cells, "{action:?} changed more than it said");
        }
        model.release();
        let last = model.text();
        let read = kind.open(last.as_bytes(), "edited.ron");
        prop_assert_eq!(read.as_ref(), Ok(model.draft()));
        let steps = model.history().steps().len();
        let done = model.history().done();
        while model.undo() {}
        prop_assert_eq!(model.text(), first);
        model.go_to(done);
        prop_assert_eq!(model.text(), last);
        model.go_to(steps);
        let end = model.text();
        model.go_to(0);
        while model.redo() {}
        prop_assert_eq!(model.text(), end);
    }
}
