//! All actions of the editor with their keys, so that menus, keys and help agree.

use crate::app::shell::keys::KeyInfo;
use bevy_egui::egui;
use egui::{Key, Modifiers};
use egui_phosphor::regular as icon;
use outwit_headless::editor::{TOOLS, Tool};

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
}

/// The description of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActionInfo {
    /// The action.
    pub action: Action,
    /// Its name in menus.
    pub name: &'static str,
    /// Its keys as help shows them: alternatives separated by a space.
    pub keys: &'static str,
    /// Its icon.
    pub icon: &'static str,
}

const fn action(
    action: Action,
    name: &'static str,
    keys: &'static str,
    icon: &'static str,
) -> ActionInfo {
    ActionInfo { action, name, keys, icon }
}

/// All actions but the tools.
pub const ACTIONS: &[ActionInfo] = &[
    action(Action::New, "New…", "Ctrl+N", icon::FILE_PLUS),
    action(Action::Open, "Open…", "Ctrl+O", icon::FOLDER_OPEN),
    action(Action::Save, "Save", "Ctrl+S", icon::FLOPPY_DISK),
    action(Action::SaveAs, "Save as…", "Ctrl+Shift+S", icon::FLOPPY_DISK_BACK),
    action(Action::Rename, "Rename…", "F2", icon::TEXTBOX),
    action(Action::Duplicate, "Duplicate", "Ctrl+D", icon::COPY_SIMPLE),
    action(Action::Bin, "Move to bin…", "Ctrl+Delete", icon::TRASH),
    action(Action::Import, "Import…", "Ctrl+I", icon::DOWNLOAD_SIMPLE),
    action(Action::Export, "Export…", "Ctrl+E", icon::EXPORT),
    action(Action::CopyLevel, "Copy level as text", "Ctrl+Shift+C", icon::CLIPBOARD_TEXT),
    action(Action::Generate, "Generate…", "Ctrl+G", icon::DICE_FIVE),
    action(Action::Undo, "Undo", "Ctrl+Z", icon::ARROW_U_UP_LEFT),
    action(Action::Redo, "Redo", "Ctrl+Y Ctrl+Shift+Z", icon::ARROW_U_UP_RIGHT),
    action(Action::Cut, "Cut", "Ctrl+X", icon::SCISSORS),
    action(Action::Copy, "Copy", "Ctrl+C", icon::COPY),
    action(Action::Paste, "Paste", "Ctrl+V", icon::CLIPBOARD),
    action(Action::Delete, "Clear selection", "Delete Backspace", icon::ERASER),
    action(Action::SelectAll, "Select all", "Ctrl+A", icon::SELECTION_ALL),
    action(Action::Rotate, "Rotate", "Ctrl+R", icon::ARROW_CLOCKWISE),
    action(Action::MirrorX, "Mirror left and right", "Ctrl+H", icon::FLIP_HORIZONTAL),
    action(Action::MirrorY, "Mirror top and bottom", "Ctrl+J", icon::FLIP_VERTICAL),
    action(Action::Resize, "Resize…", "Ctrl+Shift+R", icon::RESIZE),
    action(Action::Crop, "Crop to content", "Ctrl+K", icon::CROP),
    action(Action::Play, "Play-test", "P", icon::PLAY),
    action(Action::Fit, "Fit map to window", "0", icon::CORNERS_OUT),
    action(Action::ZoomIn, "Zoom in", "= Plus", icon::MAGNIFYING_GLASS_PLUS),
    action(Action::ZoomOut, "Zoom out", "-", icon::MAGNIFYING_GLASS_MINUS),
    action(Action::Symmetry, "Next symmetry", "X", icon::FLIP_HORIZONTAL),
    action(Action::Wider, "Wider brush", "]", icon::PLUS),
    action(Action::Narrower, "Narrower brush", "[", icon::MINUS),
    action(Action::Round, "Round or square brush", "O", icon::CIRCLE),
    action(Action::Filled, "Filled or outlined rectangles", "T", icon::RECTANGLE),
    action(Action::NextFault, "Show next problem", "F8", icon::WARNING),
    action(Action::Solver, "Stop or start solver", "F9", icon::STOP),
];

/// The icon of a tool.
pub fn tool_icon(tool: Tool) -> &'static str {
    match tool {
        Tool::Paint => icon::PAINT_BRUSH,
        Tool::Erase => icon::ERASER,
        Tool::Line => icon::LINE_SEGMENT,
        Tool::Rectangle => icon::RECTANGLE,
        Tool::Fill => icon::PAINT_BUCKET,
        Tool::Move => icon::ARROWS_OUT_CARDINAL,
        Tool::Pick => icon::EYEDROPPER,
        Tool::Select => icon::SELECTION,
        Tool::Pan => icon::HAND,
    }
}

/// The description of an action that is not a tool.
pub fn info(action: Action) -> &'static ActionInfo {
    ACTIONS.iter().find(|info| info.action == action).unwrap_or(&ACTIONS[0])
}

const GROUP: &str = "Level editor";

/// The editor's keys for the help screen.
pub fn keys() -> Vec<KeyInfo> {
    const TOOL_KEYS: &[(&str, &str)] = &[
        ("B", "Paint"),
        ("E", "Erase"),
        ("L", "Line"),
        ("R", "Rectangle"),
        ("F", "Fill"),
        ("V", "Move pieces"),
        ("I", "Pick"),
        ("S", "Select"),
        ("H", "Pan"),
    ];
    let key = |keys, what| KeyInfo { keys, what, group: GROUP };
    TOOL_KEYS
        .iter()
        .map(|&(keys, what)| key(keys, what))
        .chain(ACTIONS.iter().map(|info| key(info.keys, info.name.trim_end_matches('…'))))
        .chain([
            key("1–9", "Select one of the first nine tiles"),
            key("Space+drag", "Pan; also with the middle button"),
            key("Arrows", "Pan"),
            key("Wheel", "Zoom in or out"),
            key("Esc", "Cancel the stroke, paste or selection; then back"),
        ])
        .collect()
}

/// The key and its modifiers in a name such as `Ctrl+Shift+S`.
fn press(word: &str) -> Option<(Modifiers, Key)> {
    let mut modifiers = Modifiers::NONE;
    let mut rest = word;
    for (name, modifier) in [("Ctrl+", Modifiers::COMMAND), ("Shift+", Modifiers::SHIFT)] {
        if let Some(after) = rest.strip_prefix(name) {
            modifiers |= modifier;
            rest = after;
        }
    }
    Some((modifiers, Key::from_name(rest)?))
}

/// The actions whose keys were pressed, and pasted text. egui reports copying, cutting and pasting as
/// events of their own.
pub fn pressed(ctx: &egui::Context) -> (Vec<Action>, Option<String>) {
    let mut actions = Vec::new();
    let mut pasted = None;
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
                egui::Event::Key { key, pressed: true, modifiers, .. } => {
                    actions.extend(of_key(*key, *modifiers));
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

fn of_key(key: Key, modifiers: Modifiers) -> Option<Action> {
    let plain = !modifiers.command && !modifiers.alt;
    if plain
        && !modifiers.shift
        && let Some(tool) = TOOLS.iter().find(|info| key.name() == info.key.to_string())
    {
        return Some(Action::Tool(tool.tool));
    }
    ACTIONS
        .iter()
        .find(|info| {
            info.keys.split(' ').filter_map(press).any(|(wanted, its)| {
                its == key
                    && wanted.command == modifiers.command
                    && !modifiers.alt
                    // Where Shift makes the character, it is no modifier of its own.
                    && (wanted.shift == modifiers.shift || its == Key::Plus)
            })
        })
        .map(|info| info.action)
        .filter(|action| !matches!(action, Action::Copy | Action::Cut | Action::Paste))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_means_one_thing() {
        let mut seen = Vec::new();
        for info in ACTIONS {
            for word in info.keys.split(' ') {
                let Some(key) = press(word) else { panic!("{word} is not a key") };
                assert!(!seen.contains(&key), "{word}");
                seen.push(key);
            }
        }
        for tool in TOOLS {
            let Some(key) = press(&tool.key.to_string()) else { panic!("{}", tool.key) };
            assert!(!seen.contains(&key), "{}", tool.key);
            assert!(keys().iter().any(|info| info.keys == tool.key.to_string()), "{}", tool.name);
        }
    }
}
