//! The tools of the editor, with their keys and what Shift and Alt make of them.

/// What the pointer does on the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tool {
    /// Lays cells under the brush; puts a piece.
    #[default]
    Paint,
    /// Makes cells empty.
    Erase,
    /// A straight line.
    Line,
    /// A rectangle.
    Rectangle,
    /// All that hangs together.
    Fill,
    /// Drags pieces.
    Move,
    /// Takes what lies on a cell into the hand.
    Pick,
    /// Chooses a region.
    Select,
    /// Moves the view.
    Pan,
}

/// What is to be known of a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToolInfo {
    /// The tool.
    pub tool: Tool,
    /// What people call it.
    pub name: &'static str,
    /// The key that takes it.
    pub key: char,
    /// What it does, with its variants, in a line.
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
        "Drag to paint, or to put a piece · Shift: straight on from the last point · Alt: pick",
    ),
    tool(
        Tool::Erase,
        "Erase",
        'E',
        "Drag to make cells empty · Shift: straight on from the last point · Alt: a whole patch",
    ),
    tool(
        Tool::Line,
        "Line",
        'L',
        "Drag a line, as thick as the brush · Shift: along rows, columns, diagonals · Alt: erase",
    ),
    tool(
        Tool::Rectangle,
        "Rectangle",
        'R',
        "Drag from corner to corner · Shift: a square · Alt: filled instead of outline, or back",
    ),
    tool(
        Tool::Fill,
        "Fill",
        'F',
        "Click to fill what hangs together · Shift: all cells of that kind · Alt: pick",
    ),
    tool(
        Tool::Move,
        "Move",
        'V',
        "Drag a piece; click an empty cell to put the chosen piece · Shift: a copy · Alt: take away",
    ),
    tool(Tool::Pick, "Pick", 'I', "Click to take what lies there into the hand, and paint with it"),
    tool(
        Tool::Select,
        "Select",
        'S',
        "Drag a region; drag inside to move it · Shift: a square · Alt: leave a copy behind",
    ),
    tool(Tool::Pan, "Pan", 'H', "Drag the view; with any tool the middle button or Space does it"),
];

impl Tool {
    /// What is to be known of it.
    pub fn info(self) -> &'static ToolInfo {
        TOOLS.iter().find(|info| info.tool == self).unwrap_or(&TOOLS[0])
    }
}

/// The keys that change what a tool does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// Shift.
    pub shift: bool,
    /// Alt.
    pub alt: bool,
}
