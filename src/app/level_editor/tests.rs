//! Tests that use the panels as a user does: by name, by key, by pointer.

mod files;
mod tiles;

use super::actions::Action;
use super::open_document::{OpenDocument, game};
use super::screen::{EditorScreen, SideTab};
use super::*;
use crate::app::requests::MatchConfig;
use crate::app::shell::fonts;
use crate::app::shell::notice::Notice;
use crate::app::shell::settings::Motion;
use crate::app::shell::theme;
use bevy_egui::egui::{Key, Modifiers, Pos2, pos2};
use outwit_core::grid::Cell;
use outwit_core::levels::Spot;
use outwit_headless::editor::{EditorModel, Field, Tool};
use outwit_kit::Erased;
use outwit_template::Walker;
use outwit_ui_test::kittest::{NodeT, Queryable};
use outwit_ui_test::{Harness, Node};
use std::path::Path;
use std::time::Duration;

/// The editor's screen, and what it asks of the rest of the program.
struct Editor {
    world: World,
    dressed: bool,
}

impl Editor {
    fn new(screen: EditorScreen) -> Self {
        let mut world = World::new();
        world.init_resource::<Messages<Notice>>();
        world.init_resource::<Messages<GoBack>>();
        world.init_resource::<NextState<Screen>>();
        world.insert_resource(screen);
        Self { world, dressed: false }
    }

    /// An editor with this data folder.
    fn in_folder(folder: &Path) -> Self {
        Self::new(EditorScreen { folder: Some(folder.into()), ..EditorScreen::default() })
    }

    fn screen(&self) -> &EditorScreen {
        self.world.resource()
    }

    fn screen_mut(&mut self) -> &mut EditorScreen {
        self.world.resource_mut::<EditorScreen>().into_inner()
    }

    /// Lets the screen do something, and then what it asked for.
    fn with<T>(&mut self, work: impl FnOnce(&mut EditorScreen, &mut Commands) -> T) -> T {
        let done = self.world.resource_scope(|world, mut screen: Mut<EditorScreen>| {
            work(&mut screen, &mut world.commands())
        });
        self.world.flush();
        done
    }

    /// Opens an empty level.
    fn open_blank(&mut self, id: &str, (width, height): (usize, usize)) {
        let model = EditorModel::blank(game(id).unwrap(), width, height);
        self.with(|screen, commands| screen.put(model, None, commands));
    }

    /// Takes the texts of the notices.
    fn told(&mut self) -> Vec<String> {
        self.world.resource_mut::<Messages<Notice>>().drain().map(|notice| notice.text).collect()
    }

    /// Whether it stays on the screen.
    fn stays(&self) -> bool {
        matches!(self.world.resource::<NextState<Screen>>(), NextState::Unchanged)
            && self.world.resource::<Messages<GoBack>>().is_empty()
    }
}

type Window = Harness<'static, Editor>;

fn window(editor: Editor) -> Window {
    let draw = |ui: &mut egui::Ui, editor: &mut Editor| {
        if !editor.dressed {
            ui.ctx().set_fonts(fonts::definitions(None));
            ui.ctx().set_global_style(theme::style(&theme::DARK, Motion::Off));
            editor.dressed = true;
            return;
        }
        editor.with(|screen, commands| show(ui.ctx(), screen, None, None, false, commands, |_| {}));
    };
    let mut window =
        Harness::builder().with_size(egui::vec2(1280.0, 800.0)).build_ui_state(draw, editor);
    window.run_steps(4);
    window
}

/// Opens an empty racetrack of 24 by 16 cells, without a data folder.
fn drawing() -> Window {
    let mut editor = Editor::new(EditorScreen::default());
    editor.open_blank("racetrack", (24, 16));
    editor.told();
    window(editor)
}

fn work(window: &Window) -> &OpenDocument {
    window.state().screen().work.as_ref().unwrap()
}

fn model(window: &Window) -> &EditorModel {
    &work(window).model
}

fn click(window: &mut Window, name: &str) {
    window.get_by_label(name).click();
    window.run_steps(3);
}

fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(2);
}

/// The middle of a cell on the screen.
fn at(window: &Window, cell: (i32, i32)) -> Pos2 {
    let map: Node = window.get_by_label("Map");
    let (view, middle) = (work(window).view, map.rect().center());
    let zoom = view.zoom.unwrap().round();
    let corner = middle - view.centre * zoom;
    pos2(corner.x.round(), corner.y.round())
        + egui::vec2(cell.0 as f32 + 0.5, cell.1 as f32 + 0.5) * zoom
}

fn drag(window: &mut Window, from: (i32, i32), to: (i32, i32)) {
    let (from, to) = (at(window, from), at(window, to));
    window.hover_at(from);
    window.run_steps(1);
    window.drag_at(from);
    window.run_steps(1);
    window.hover_at(to);
    window.run_steps(1);
    window.drop_at(to);
    window.run_steps(2);
}

/// Presses or releases the right button at a cell.
fn right(window: &mut Window, cell: (i32, i32), pressed: bool) {
    let pos = at(window, cell);
    window.hover_at(pos);
    let button = egui::PointerButton::Secondary;
    window.event(egui::Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
    window.run_steps(1);
}

#[test]
fn the_right_button_erases_with_any_tool() {
    let mut window = drawing();
    draw_a_track(&mut window);
    let tile = |window: &Window, x| model(window).draft().cells[Cell::new(x, 6)];
    let before = [5, 6, 7, 8].map(|x| tile(&window, x));
    let tool = model(&window).tool;
    assert_ne!(tool, Tool::Erase);
    right(&mut window, (5, 6), true);
    assert_eq!(model(&window).tool, Tool::Erase, "the toolbar says so");
    window.hover_at(at(&window, (7, 6)));
    window.run_steps(1);
    right(&mut window, (7, 6), false);
    assert_eq!(model(&window).tool, tool);
    let off = model(&window).draft().cells[Cell::new(0, 0)];
    assert_eq!([5, 6, 7].map(|x| tile(&window, x)), [off; 3]);
    assert_eq!(tile(&window, 8), before[3]);
    // One stroke is one step back, and the left button draws as before.
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!([5, 6, 7, 8].map(|x| tile(&window, x)), before);
    drag(&mut window, (6, 6), (7, 6));
    assert_eq!(tile(&window, 7), 'S');
}

/// Runs frames until the checker is done with the current state.
fn wait_for_checks(window: &mut Window) {
    for _ in 0..2000 {
        window.run_steps(1);
        if !work(window).is_busy() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the checker does not end");
}

/// A straight road with start and finish.
fn draw_a_track(window: &mut Window) {
    click(window, "Rectangle");
    press(window, Modifiers::NONE, Key::T);
    let filled = model(window).filled;
    if !filled {
        press(window, Modifiers::NONE, Key::T);
    }
    click(window, "Road");
    drag(window, (2, 4), (20, 8));
    click(window, "Line");
    click(window, "Finish");
    drag(window, (18, 4), (18, 8));
    click(window, "Paint");
    click(window, "Start");
    drag(window, (4, 6), (4, 6));
}

#[test]
fn tools_are_selected_by_button_and_by_key() {
    let mut window = drawing();
    click(&mut window, "Rectangle");
    assert_eq!(model(&window).tool, Tool::Rectangle);
    press(&mut window, Modifiers::NONE, Key::L);
    assert_eq!(model(&window).tool, Tool::Line);
    click(&mut window, "Finish");
    assert_eq!(model(&window).active_tile, 'F');
    press(&mut window, Modifiers::NONE, Key::W);
    assert_eq!(model(&window).active_tile, '.');
    click(&mut window, "Wider brush");
    press(&mut window, Modifiers::NONE, Key::CloseBracket);
    assert_eq!(model(&window).brush.size, 3);
}

#[test]
fn typing_in_a_field_selects_no_tool() {
    let mut window = drawing();
    window.get_by_label("Author").focus();
    window.run_steps(2);
    for key in [Key::L, Key::Num4, Key::Delete, Key::P] {
        press(&mut window, Modifiers::NONE, key);
    }
    window.get_by_label("Author").type_text("Ada Lovelace");
    window.run_steps(3);
    assert_eq!(model(&window).tool, Tool::Paint);
    assert_eq!(model(&window).active_tile, '.');
    assert_eq!(model(&window).draft().author, "Ada Lovelace");
    assert!(window.state().stays());
}

#[test]
fn a_field_keeps_the_focus_while_the_level_is_checked() {
    let mut window = drawing();
    draw_a_track(&mut window);
    window.get_by_label("Author").focus();
    window.run_steps(2);
    for letter in "Ada Lovelace".chars() {
        window.event(egui::Event::Text(letter.into()));
        window.run_steps(1);
        wait_for_checks(&mut window);
    }
    assert_eq!(model(&window).draft().author, "Ada Lovelace");
}

#[test]
fn a_rule_is_changed_reset_and_undone() {
    let mut window = drawing();
    let kind = model(&window).kind();
    let steering = kind.properties().iter().position(|rule| rule.key == "steering").unwrap();
    let rule = |window: &Window| model(window).draft().rules[steering].clone();
    let default = rule(&window);
    window.get_by_value("No").click();
    window.run_steps(3);
    click(&mut window, "Yes");
    assert_eq!(rule(&window), "nine");
    assert_eq!(model(&window).history().done(), 1);
    window.get_by_label_contains("Reset to default").click();
    window.run_steps(3);
    assert_eq!(rule(&window), default);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(rule(&window), "nine");
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(rule(&window), default);
    assert!(model(&window).is_saved());
}

#[test]
fn strokes_are_undone_and_redone() {
    let mut window = drawing();
    let empty = model(&window).text();
    drag(&mut window, (3, 3), (9, 3));
    let one = model(&window).text();
    assert_eq!(one.matches('.').count() - empty.matches('.').count(), 7);
    drag(&mut window, (9, 3), (9, 8));
    let two = model(&window).text();
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(model(&window).text(), one);
    click(&mut window, "Undo");
    assert_eq!(model(&window).text(), empty);
    press(&mut window, Modifiers::COMMAND, Key::Y);
    click(&mut window, "Redo");
    assert_eq!(model(&window).text(), two);
    // A click in the history goes to that step.
    click(&mut window, "History (2)");
    assert_eq!(window.state().screen().side, SideTab::History);
    window.get_by_label_contains("Level opened").click();
    window.run_steps(3);
    assert_eq!(model(&window).text(), empty);
}

#[test]
fn a_problem_shows_its_cell() {
    let mut window = drawing();
    click(&mut window, "Start");
    drag(&mut window, (3, 3), (3, 3));
    click(&mut window, "Road");
    drag(&mut window, (21, 13), (21, 13));
    wait_for_checks(&mut window);
    let verdict = work(&window).report.verdict.clone();
    let spot = Spot::Cell(Cell::new(21, 13));
    let fault = verdict.faults.iter().chain(&verdict.warnings).find(|fault| fault.spot == spot);
    let words = fault.unwrap_or_else(|| panic!("{verdict:?}")).to_string();
    window.get_by_label_contains(&words).click();
    window.run_steps(3);
    assert_eq!(work(&window).pointed.map(|(cell, _)| cell), Some(Cell::new(21, 13)));
    assert_eq!(work(&window).view.centre, egui::vec2(21.5, 13.5));
}

#[test]
fn a_level_with_problems_is_not_played() {
    let mut window = drawing();
    press(&mut window, Modifiers::NONE, Key::P);
    assert!(window.state().stays());
    let told = window.state_mut().told();
    assert!(told[0].contains("start"), "{told:?}");
}

#[test]
fn a_drawn_track_is_solved_and_played_and_stays_open() {
    let mut window = drawing();
    draw_a_track(&mut window);
    wait_for_checks(&mut window);
    window.get_by_label_contains("ptimum");
    press(&mut window, Modifiers::NONE, Key::P);
    let before = (model(&window).text(), work(&window).view, model(&window).history().done());
    let world = &window.state().world;
    assert!(matches!(world.resource(), NextState::Pending(Screen::Match)));
    let config = world.resource::<MatchConfig>();
    assert_eq!(config.back, Screen::Editor);
    let bytes = config.level.bytes().unwrap();
    assert_eq!(bytes, before.0.as_bytes());
    window.run_steps(3);
    let after = (model(&window).text(), work(&window).view, model(&window).history().done());
    assert_eq!(before, after);
}

#[test]
fn discarding_unsaved_work_needs_confirmation() {
    let mut window = drawing();
    drag(&mut window, (3, 3), (9, 3));
    press(&mut window, Modifiers::COMMAND, Key::N);
    window.get_by_label("Unsaved changes");
    click(&mut window, "Cancel");
    assert!(window.state().screen().dialog.is_none());
    assert_eq!(model(&window).history().done(), 1);
    // Keys go to the dialog while it is open.
    press(&mut window, Modifiers::COMMAND, Key::N);
    press(&mut window, Modifiers::NONE, Key::E);
    assert_eq!(model(&window).tool, Tool::Paint);
    click(&mut window, "Discard");
    window.get_by_label("New level");
    click(&mut window, "Empty level");
    assert_eq!(model(&window).history().done(), 0);
}

#[test]
fn dropped_changes_are_named_in_the_history() {
    let mut window = drawing();
    window.state_mut().screen_mut().side = SideTab::History;
    window.run_steps(3);
    let dropped = "Older changes were dropped";
    assert!(window.query_by_label_contains(dropped).is_none());
    for width in [512, 511].repeat(60) {
        let model = &mut window.state_mut().screen_mut().work.as_mut().unwrap().model;
        model.resize(width, 512, (0, 0)).unwrap();
        model.seal();
    }
    assert!(model(&window).history().dropped() > 0);
    // High enough that the oldest row of the list is drawn.
    window.set_size(egui::vec2(1280.0, 6000.0));
    window.run_steps(5);
    window.get_by_label_contains(dropped);
}

/// Runs `work` on a thread of its own and fails if it hangs, where a plain test would never end.
fn ends(work: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        work();
        let _ = sender.send(());
    });
    use std::sync::mpsc::RecvTimeoutError::Timeout;
    assert_ne!(receiver.recv_timeout(Duration::from_secs(60)), Err(Timeout), "it hangs");
    thread.join().unwrap();
}

#[test]
fn every_key_may_be_held_while_text_is_typed_and_while_not() {
    for typing in [false, true] {
        ends(move || {
            let mut window = drawing();
            let map = at(&window, (3, 3));
            window.hover_at(map);
            for &key in Key::ALL {
                if typing {
                    let name = Field::Name.label();
                    window.get_by_role_and_label(egui::accesskit::Role::TextInput, name).focus();
                    window.run_steps(1);
                    assert!(window.ctx.text_edit_focused());
                }
                for pressed in [true, false] {
                    window.event(egui::Event::Key {
                        key,
                        physical_key: None,
                        pressed,
                        repeat: false,
                        modifiers: Modifiers::NONE,
                    });
                    window.run_steps(1);
                }
            }
        });
    }
}

#[test]
fn a_game_without_a_generator_does_not_offer_to_generate() {
    let mut editor = Editor::new(EditorScreen::default());
    let model = EditorModel::blank(Erased::<Walker>::GAME, 8, 8);
    editor.with(|screen, commands| screen.put(model, None, commands));
    editor.told();
    let mut window = window(editor);
    window.ctx.all_styles_mut(|style| style.interaction.tooltip_delay = 0.0);
    press(&mut window, Modifiers::COMMAND, Key::G);
    assert!(window.state().screen().dialog.is_none());
    assert_eq!(window.state_mut().told(), [actions::NO_GENERATOR]);
    click(&mut window, "File");
    let command = window.get_by_label_contains("Generate…");
    assert!(command.accesskit_node().is_disabled());
    command.hover();
    window.run_steps(6);
    window.get_by_label(actions::NO_GENERATOR);
}

#[test]
fn every_action_is_in_a_menu_and_does_not_panic() {
    for info in actions::ACTIONS {
        let mut window = drawing();
        draw_a_track(&mut window);
        let ctx = window.ctx.clone();
        window.state_mut().with(|screen, commands| screen.act(info.id, &ctx, commands));
        window.run_steps(3);
        let quiet = [Action::Bin, Action::Crop, Action::Delete, Action::NextFault];
        let screen = window.state().screen();
        assert!(
            screen.work.is_some() || !quiet.contains(&info.id),
            "{:?} closes the level",
            info.id
        );
        let beside = matches!(info.id, Action::Play | Action::Tool(_) | Action::Tile(_));
        assert!(bar::is_in_menu(info.id) || beside, "{}", info.label);
    }
}
