//! All actions of the editor with their keys, so that menus, keys and help agree.

use super::open_document::OpenDocument;
use super::screen::EditorScreen;
use crate::app::shell::commands::{
    self, Chord, Command, KeyGroup, command, ctrl, ctrl_shift, entry, key, note, of_key, shift,
};
use crate::app::shell::links;
use bevy::prelude::KeyCode::{self, *};
use bevy_egui::egui;
use egui::{Key, Modifiers};
use egui_phosphor::regular as icon;
use outwit_headless::GAMES;
use outwit_headless::editor::Tool;
use outwit_kit::DynGame;

/// An action of the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Start a new level.
    New,
    /// Open a level.
    Open,
    /// Save it where it is.
    Save,
    /// Save it under a name.
    SaveAs,
    /// Give it and its file another name.
    Rename,
    /// Continue with a copy.
    Duplicate,
    /// Move its file to the bin.
    Bin,
    /// Read a file of any format.
    Import,
    /// Write a file of another format.
    Export,
    /// Copy the whole level to the clipboard.
    CopyLevel,
    /// Copy a link that holds the whole level.
    CopyLink,
    /// Generate a random level.
    Generate,
    /// Undo the last step.
    Undo,
    /// Redo the last undone step.
    Redo,
    /// Cut the selection.
    Cut,
    /// Copy the selection.
    Copy,
    /// Paste what was copied.
    Paste,
    /// Empty the selection.
    Delete,
    /// Select the whole map.
    SelectAll,
    /// Rotate a quarter turn clockwise.
    Rotate,
    /// Left becomes right.
    MirrorX,
    /// Top becomes bottom.
    MirrorY,
    /// Resize the map.
    Resize,
    /// Crop the map to its content.
    Crop,
    /// Play-test the level.
    Play,
    /// Show the whole map.
    Fit,
    /// Zoom in.
    ZoomIn,
    /// Zoom out.
    ZoomOut,
    /// Switch to the next symmetry.
    Symmetry,
    /// A wider brush.
    Wider,
    /// A narrower brush.
    Narrower,
    /// A round or a square brush.
    Round,
    /// Filled rectangles or outlines.
    Filled,
    /// Show the next problem.
    NextFault,
    /// Stop the solver, or start it again.
    Solver,
    /// Select a tool.
    Tool(Tool),
    /// Select the tile with this key.
    Tile(char),
}

/// An entry for what needs no open level.
const fn always(
    action: Action,
    keys: &'static [Chord],
    name: &'static str,
    icon: &'static str,
) -> Command<Action, EditorScreen> {
    command(action, keys, name).icon(icon)
}

/// An entry for what needs an open level.
const fn action(
    action: Action,
    keys: &'static [Chord],
    name: &'static str,
    icon: &'static str,
) -> Command<Action, EditorScreen> {
    always(action, keys, name, icon).when(|screen| open(screen, |_| true))
}

const fn tile(name: char, keys: &'static [Chord]) -> Command<Action, EditorScreen> {
    let words = if name.is_ascii_digit() {
        "Select the tile that shows this number"
    } else {
        "Select the tile that shows this letter"
    };
    action(Action::Tile(name), keys, words, "")
}

fn open(screen: &EditorScreen, able: fn(&OpenDocument) -> bool) -> Result<(), &'static str> {
    if screen.work.as_ref().is_some_and(able) { Ok(()) } else { Err("") }
}

fn has_selection(screen: &EditorScreen) -> Result<(), &'static str> {
    open(screen, |work| work.model.selection().is_some())
}

/// The game that Generate makes a level of: that of the open level, else the first that can.
pub fn generated_game(screen: &EditorScreen) -> Result<&'static dyn DynGame, &'static str> {
    let kind = match &screen.work {
        Some(work) => Some(work.model.kind()),
        None => GAMES.iter().copied().find(|kind| kind.facts().has_generator),
    };
    kind.filter(|kind| kind.facts().has_generator).ok_or(NO_GENERATOR)
}

/// Why no level of a game is generated.
pub const NO_GENERATOR: &str = "This game has no level generator.";

/// The actions of the editor, in the order of the help.
pub const ACTIONS: &[Command<Action, EditorScreen>] = &[
    action(Action::Tool(Tool::Paint), &[key(KeyB)], "Paint", icon::PAINT_BRUSH),
    action(Action::Tool(Tool::Erase), &[key(KeyE)], "Erase", icon::ERASER),
    action(Action::Tool(Tool::Line), &[key(KeyL)], "Line", icon::LINE_SEGMENT),
    action(Action::Tool(Tool::Rectangle), &[key(KeyR)], "Rectangle", icon::RECTANGLE),
    action(Action::Tool(Tool::Fill), &[key(KeyF)], "Fill", icon::PAINT_BUCKET),
    action(Action::Tool(Tool::Move), &[key(KeyV)], "Move pieces", icon::ARROWS_OUT_CARDINAL),
    action(Action::Tool(Tool::Pick), &[key(KeyI)], "Pick", icon::EYEDROPPER),
    action(Action::Tool(Tool::Select), &[key(KeyS)], "Select", icon::SELECTION),
    action(Action::Tool(Tool::Pan), &[key(KeyH)], "Pan", icon::HAND),
    always(Action::New, &[ctrl(KeyN)], "New…", icon::FILE_PLUS).in_browser(&[shift(KeyN)]),
    always(Action::Open, &[ctrl(KeyO)], "Open…", icon::FOLDER_OPEN),
    action(Action::Save, &[ctrl(KeyS)], "Save", icon::FLOPPY_DISK),
    action(Action::SaveAs, &[ctrl_shift(KeyS)], "Save as…", icon::FLOPPY_DISK_BACK),
    action(Action::Rename, &[key(F2)], "Rename…", icon::TEXTBOX),
    action(Action::Duplicate, &[ctrl(KeyD)], "Duplicate", icon::COPY_SIMPLE),
    action(Action::Bin, &[ctrl(KeyCode::Delete)], "Move to bin…", icon::TRASH)
        .when(|screen| open(screen, |work| work.origin.is_some())),
    always(Action::Import, &[ctrl(KeyI)], "Import…", icon::DOWNLOAD_SIMPLE),
    action(Action::Export, &[ctrl(KeyE)], "Export…", icon::EXPORT),
    action(Action::CopyLevel, &[ctrl_shift(KeyC)], "Copy level as text", icon::CLIPBOARD_TEXT)
        .in_browser(&[shift(KeyC)]),
    action(Action::CopyLink, links::KEYS, links::LABEL, icon::LINK)
        .tip("Copy a link that holds the whole level"),
    always(Action::Generate, &[ctrl(KeyG)], "Generate…", icon::DICE_FIVE)
        .when(|screen| generated_game(screen).map(|_| ())),
    action(Action::Undo, &[ctrl(KeyZ)], "Undo", icon::ARROW_U_UP_LEFT)
        .when(|screen| open(screen, |work| work.model.history().done() > 0)),
    action(Action::Redo, &[ctrl(KeyY), ctrl_shift(KeyZ)], "Redo", icon::ARROW_U_UP_RIGHT).when(
        |screen| {
            open(screen, |work| work.model.history().done() < work.model.history().steps().len())
        },
    ),
    action(Action::Cut, &[ctrl(KeyX)], "Cut", icon::SCISSORS).when(has_selection),
    action(Action::Copy, &[ctrl(KeyC)], "Copy", icon::COPY).when(has_selection),
    action(Action::Paste, &[ctrl(KeyV)], "Paste", icon::CLIPBOARD),
    action(
        Action::Delete,
        &[key(KeyCode::Delete), key(Backspace)],
        "Clear selection",
        icon::ERASER,
    )
    .when(has_selection),
    action(Action::SelectAll, &[ctrl(KeyA)], "Select all", icon::SELECTION_ALL),
    action(Action::Rotate, &[ctrl(KeyR)], "Rotate", icon::ARROW_CLOCKWISE)
        .in_browser(&[shift(KeyR)]),
    action(Action::MirrorX, &[ctrl(KeyH)], "Mirror left and right", icon::FLIP_HORIZONTAL),
    action(Action::MirrorY, &[ctrl(KeyJ)], "Mirror top and bottom", icon::FLIP_VERTICAL),
    action(Action::Resize, &[ctrl_shift(KeyR)], "Resize…", icon::RESIZE).in_browser(&[shift(KeyS)]),
    action(Action::Crop, &[ctrl(KeyK)], "Crop to content", icon::CROP),
    action(Action::Play, &[key(KeyP)], "Play-test", icon::PLAY)
        .tip("Play the level, then return here"),
    action(Action::Fit, &[key(Digit0)], "Fit map to window", icon::CORNERS_OUT),
    action(Action::ZoomIn, &[key(Equal), key(NumpadAdd)], "Zoom in", icon::MAGNIFYING_GLASS_PLUS),
    action(Action::ZoomOut, &[key(Minus)], "Zoom out", icon::MAGNIFYING_GLASS_MINUS),
    action(Action::Symmetry, &[key(KeyX)], "Next symmetry", icon::FLIP_HORIZONTAL),
    action(Action::Wider, &[key(BracketRight)], "Wider brush", icon::PLUS),
    action(Action::Narrower, &[key(BracketLeft)], "Narrower brush", icon::MINUS),
    action(Action::Round, &[key(KeyO)], "Round or square brush", icon::CIRCLE),
    action(Action::Filled, &[key(KeyT)], "Filled or outlined rectangles", icon::RECTANGLE),
    action(Action::NextFault, &[key(F8)], "Show next problem", icon::WARNING),
    action(Action::Solver, &[key(F9)], "Stop or start solver", icon::STOP),
    tile('1', &[key(Digit1)]),
    tile('2', &[key(Digit2)]),
    tile('3', &[key(Digit3)]),
    tile('4', &[key(Digit4)]),
    tile('5', &[key(Digit5)]),
    tile('6', &[key(Digit6)]),
    tile('7', &[key(Digit7)]),
    tile('8', &[key(Digit8)]),
    tile('9', &[key(Digit9)]),
    tile('Q', &[key(KeyQ)]),
    tile('W', &[key(KeyW)]),
    tile('A', &[key(KeyA)]),
    tile('Z', &[key(KeyZ)]),
    tile('D', &[key(KeyD)]),
];

/// Cancels what is in progress, then goes back; heard apart from the others, as dialogs and menus come
/// first.
pub const CANCEL: Command<()> =
    command((), &[key(Escape)], "Cancel the stroke, paste or selection; then back");

/// The entry of an action.
pub fn info(action: Action) -> &'static Command<Action, EditorScreen> {
    entry(ACTIONS, action)
}

/// The editor's keys, for help and manual.
pub fn key_group() -> KeyGroup {
    let mut rows = commands::rows(ACTIONS);
    rows.extend([
        note("Right button", "Erase, with any tool"),
        note("Space+drag", "Pan; also with the middle button"),
        note("Arrows", "Pan"),
        note("Wheel", "Zoom in or out"),
    ]);
    rows.extend(commands::rows(&[CANCEL]));
    KeyGroup { title: "Level editor", rows }
}

/// The actions whose keys were pressed, and pasted text. egui reports copying, cutting and pasting as
/// events of their own.
pub fn pressed(ctx: &egui::Context) -> (Vec<Action>, Option<String>) {
    let mut actions = Vec::new();
    let mut pasted = None;
    let is_typing = ctx.text_edit_focused();
    ctx.input(|input| {
        for event in &input.events {
            match event {
                egui::Event::Copy => actions.push(Action::Copy),
                egui::Event::Cut => actions.push(Action::Cut),
                egui::Event::Paste(text) => {
                    if !actions.contains(&Action::Paste) {
                        actions.push(Action::Paste);
                    }
                    pasted = Some(text.clone());
                }
                egui::Event::Key { key: Key::V, pressed: true, modifiers, .. }
                    if modifiers.command && !actions.contains(&Action::Paste) =>
                {
                    actions.push(Action::Paste);
                }
                // In a text field it writes.
                egui::Event::Key { key, pressed: true, modifiers, .. }
                    if is_typing && !modifiers.command && key.name().len() == 1 => {}
                egui::Event::Key { key, pressed: true, modifiers, .. } => {
                    actions.extend(action_of(*key, *modifiers));
                }
                _ => {}
            }
        }
    });
    // Copying with Shift copies the whole level.
    if actions.contains(&Action::CopyLevel) {
        actions.retain(|action| *action != Action::Copy);
    }
    (actions, pasted)
}

/// Whether a key of the action does nothing in a text field, so that the action can be meant there.
pub fn is_meant_while_typing(action: Action) -> bool {
    use Action::{Export, Generate, Import, New, NextFault, Open, Rename, Save, SaveAs, Solver};
    matches!(
        action,
        New | Open | Save | SaveAs | Rename | Import | Export | Generate | NextFault | Solver
    )
}

/// The action of a key. With Alt none is meant, and the clipboard has events of its own.
fn action_of(key: Key, held: Modifiers) -> Option<Action> {
    let entry = of_key(ACTIONS, key, held.command, held.shift).filter(|_| !held.alt)?;
    let of_clipboard = matches!(entry.id, Action::Copy | Action::Cut | Action::Paste);
    (!of_clipboard).then_some(entry.id)
}
