//! The tools of the editor, with their variants with Shift and Alt.

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
    /// A line about what it does, with its variants.
    pub help: &'static str,
}

const fn tool(tool: Tool, name: &'static str, help: &'static str) -> ToolInfo {
    ToolInfo { tool, name, help }
}

/// All tools in the order of the toolbar.
pub const TOOLS: [ToolInfo; 9] = [
    tool(
        Tool::Paint,
        "Paint",
        "Drag to paint or to place a piece · Shift: straight line from the last point · Alt: pick",
    ),
    tool(
        Tool::Erase,
        "Erase",
        "Drag to empty cells · Shift: straight line from the last point · Alt: connected area",
    ),
    tool(
        Tool::Line,
        "Line",
        "Drag a line as wide as the brush · Shift: along rows, columns, diagonals · Alt: erase",
    ),
    tool(
        Tool::Rectangle,
        "Rectangle",
        "Drag from corner to corner · Shift: square · Alt: filled instead of outline, or vice versa",
    ),
    tool(
        Tool::Fill,
        "Fill",
        "Click to fill a connected area · Shift: all cells of that kind · Alt: pick",
    ),
    tool(
        Tool::Move,
        "Move",
        "Drag a piece, or click an empty cell to place the selected one · Shift: copy · Alt: remove",
    ),
    tool(Tool::Pick, "Pick", "Click to pick the tile under the cursor, and paint with it"),
    tool(
        Tool::Select,
        "Select",
        "Drag to select a region, drag inside to move it · Shift: square · Alt: move a copy",
    ),
    tool(Tool::Pan, "Pan", "Drag the view; with any tool, hold Space or the middle button"),
];

impl Tool {
    /// Its row in [`TOOLS`]: name and help.
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
