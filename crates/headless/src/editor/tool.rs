//! The tools of the editor, with their keys and their variants with Shift and Alt.

/// A tool for the pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tool {
    /// Paints the cells under the brush, or places a piece.
    #[default]
    Paint,
    /// Empties cells.
    Erase,
    /// A straight line.
    Line,
    /// A rectangle.
    Rectangle,
    /// Fills a connected area.
    Fill,
    /// Drags pieces.
    Move,
    /// Selects the tile of a cell.
    Pick,
    /// Selects a region.
    Select,
    /// Moves the view.
    Pan,
}

/// The description of a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToolInfo {
    /// The tool.
    pub tool: Tool,
    /// Its name.
    pub name: &'static str,
    /// Its key.
    pub key: char,
    /// A line about what it does, with its variants.
    pub help: &'static str,
}

const fn tool(tool: Tool, name: &'static str, key: char, help: &'static str) -> ToolInfo {
    ToolInfo { tool, name, key, help }
}

/// All tools in the order of the toolbar.
pub const TOOLS: [ToolInfo; 9] = [
    tool(
        Tool::Paint,
        "Paint",
        'B',
        "Drag to paint or to place a piece · Shift: straight line from the last point · Alt: pick",
    ),
    tool(
        Tool::Erase,
        "Erase",
        'E',
        "Drag to empty cells · Shift: straight line from the last point · Alt: connected area",
    ),
    tool(
        Tool::Line,
        "Line",
        'L',
        "Drag a line as wide as the brush · Shift: along rows, columns, diagonals · Alt: erase",
    ),
    tool(
        Tool::Rectangle,
        "Rectangle",
        'R',
        "Drag from corner to corner · Shift: square · Alt: filled instead of outline, or vice versa",
    ),
    tool(
        Tool::Fill,
        "Fill",
        'F',
        "Click to fill a connected area · Shift: all cells of that kind · Alt: pick",
    ),
    tool(
        Tool::Move,
        "Move",
        'V',
        "Drag a piece, or click an empty cell to place the selected one · Shift: copy · Alt: remove",
    ),
    tool(Tool::Pick, "Pick", 'I', "Click to pick the tile under the cursor, and paint with it"),
    tool(
        Tool::Select,
        "Select",
        'S',
        "Drag to select a region, drag inside to move it · Shift: square · Alt: move a copy",
    ),
    tool(Tool::Pan, "Pan", 'H', "Drag the view; with any tool, hold Space or the middle button"),
];

impl Tool {
    /// Its row in [`TOOLS`]: name, key and help.
    pub fn info(self) -> &'static ToolInfo {
        TOOLS.iter().find(|info| info.tool == self).unwrap_or(&TOOLS[0])
    }
}

/// The modifier keys, which choose the variant of a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ModifierKeys {
    /// Shift.
    pub shift: bool,
    /// Alt.
    pub alt: bool,
}
