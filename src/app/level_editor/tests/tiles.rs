//! Tests of the list of tiles, of what is said of the map, and of play-tests.

use super::*;
use outwit_core::levels::Fault;
use outwit_headless::GAMES;
use outwit_kit::tile_key;
use std::collections::BTreeSet;

/// A change to the text of a rule of the open level.
fn set_rule(window: &mut Window, key: &str, value: &str) {
    let screen = window.state_mut().screen_mut();
    let model = &mut screen.work.as_mut().unwrap().model;
    let index = model.kind().properties().iter().position(|rule| rule.key == key).unwrap();
    model.set_rule(index, value).unwrap();
}

fn said(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn keys_of_tiles_are_their_own_and_fit_their_names() {
    let mut chords = Vec::new();
    for command in actions::ACTIONS {
        for chord in command.keys() {
            assert!(!chords.contains(chord), "{}", command.label);
            chords.push(*chord);
        }
    }
    for &kind in GAMES {
        let palette = kind.facts().palette;
        let keys: Vec<Option<char>> = (0..palette.len()).map(|at| tile_key(palette, at)).collect();
        let mut known = BTreeSet::new();
        for (tile, key) in palette.iter().zip(&keys) {
            let number = tile.name.chars().find(char::is_ascii_digit);
            assert!(number.is_none() || number == *key, "{}: {}", kind.id(), tile.name);
            let Some(key) = *key else { continue };
            assert!(known.insert(key), "{}: two tiles have the key {key}", kind.id());
            let heard = actions::ACTIONS.iter().any(|command| command.id == Action::Tile(key));
            assert!(heard, "{}: nothing hears {key}", kind.id());
        }
    }
}

#[test]
fn only_the_next_checkpoint_is_offered() {
    let mut window = drawing();
    draw_a_track(&mut window);
    let offers = |window: &Window, number: u8| {
        window.query_by_label(&format!("Checkpoint {number}")).is_some()
    };
    assert!(offers(&window, 1) && !offers(&window, 2));
    press(&mut window, Modifiers::NONE, Key::Num2);
    assert_ne!(model(&window).active_tile, '2', "it is not offered yet");
    press(&mut window, Modifiers::NONE, Key::Num1);
    assert_eq!(model(&window).active_tile, '1');
    drag(&mut window, (8, 4), (8, 8));
    assert!(offers(&window, 1) && offers(&window, 2) && !offers(&window, 3));
    press(&mut window, Modifiers::NONE, Key::W);
    assert_eq!(model(&window).active_tile, '.');
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert!(!offers(&window, 2));
}

#[test]
fn an_empty_map_says_what_to_do_first() {
    for &kind in GAMES {
        let mut editor = Editor::new(EditorScreen::default());
        editor.open_blank(kind.id(), (12, 12));
        editor.told();
        let mut window = window(editor);
        window.get_by_label("An empty map");
        window.get_by_label_contains("Ctrl+G generates");
        drag(&mut window, (4, 4), (5, 4));
        assert!(window.query_by_label("An empty map").is_none(), "{}", kind.id());
        press(&mut window, Modifiers::COMMAND, Key::Z);
        window.get_by_label("An empty map");
    }
}

#[test]
fn the_editor_says_who_is_to_move() {
    let mut editor = Editor::new(EditorScreen::default());
    editor.open_blank("mnk", (3, 3));
    editor.told();
    let mut window = window(editor);
    set_rule(&mut window, "k", "3");
    wait_for_checks(&mut window);
    window.get_by_label_contains("X is to move");
    set_rule(&mut window, "to_move", "o");
    wait_for_checks(&mut window);
    window.get_by_label_contains("O is to move");
    set_rule(&mut window, "opening", "swap");
    wait_for_checks(&mut window);
    let chosen = "the first player places three stones, then the second chooses";
    assert_eq!(said(&work(&window).report.verdict.remarks), [chosen]);
}

#[test]
fn what_comes_at_random_is_counted() {
    let mut editor = Editor::new(EditorScreen::default());
    editor.open_blank("cops", (12, 12));
    editor.told();
    let mut window = window(editor);
    set_rule(&mut window, "cops", "3");
    set_rule(&mut window, "gates", "1");
    set_rule(&mut window, "walls", "0");
    wait_for_checks(&mut window);
    let remarks = |window: &Window| said(&work(window).report.verdict.remarks);
    assert_eq!(remarks(&window), ["at random places: the thief, 3 cops and 1 gate"]);
    for (tile, x) in [("Cop", 3), ("Thief", 5)] {
        click(&mut window, tile);
        drag(&mut window, (x, 3), (x, 3));
    }
    wait_for_checks(&mut window);
    assert_eq!(remarks(&window), ["at random places: 2 cops and 1 gate"]);
}

#[test]
fn all_cells_that_cannot_be_reached_are_marked() {
    let mut window = drawing();
    draw_a_track(&mut window);
    click(&mut window, "Road");
    drag(&mut window, (2, 12), (4, 12));
    drag(&mut window, (10, 12), (10, 12));
    wait_for_checks(&mut window);
    let verdict = &work(&window).report.verdict;
    let cut: Vec<Cell> = verdict.warnings.iter().flat_map(Fault::cells).collect();
    assert_eq!(cut, [2, 3, 4, 10].map(|x| Cell::new(x, 12)));
    assert!(said(&verdict.remarks)[0].contains("room for one car"), "no problem");
    let mut shown: Vec<Cell> = Vec::new();
    for _ in 0..4 {
        press(&mut window, Modifiers::NONE, Key::F8);
        shown.extend(work(&window).pointed.map(|(cell, _)| cell));
    }
    assert_eq!(shown, cut);
}

#[test]
fn a_play_test_knows_the_best_result_only_where_it_is_proved_for_this_map() {
    let mut window = drawing();
    assert_eq!(work(&window).best_known(), None);
    draw_a_track(&mut window);
    wait_for_checks(&mut window);
    let best = work(&window).best_known().unwrap();
    assert!(best.starts_with("Optimum: "), "{best}");
    let screen = window.state_mut().screen_mut();
    let work = screen.work.as_mut().unwrap();
    work.model.active_tile = '#';
    work.model.press(Cell::new(3, 5), Default::default()).unwrap();
    work.model.release();
    assert_eq!(work.best_known(), None, "the map is another one now");
}
