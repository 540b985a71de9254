//! The board of a question about a search, as inline SVG that prints in black and white.

use super::exercise::letter;
use outwit_core::grid::Cell;
use outwit_kit::TileStyle;
use outwit_kit::exercise::{Question, WorkedExercise};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::RangeInclusive;

/// Width of a cell in the picture's own unit.
const SIDE: i32 = 24;
/// Room for the numbers of columns and rows.
const MARGIN: i32 = 20;
/// Of maps with more columns or rows only a part is shown.
const WHOLE: [i32; 2] = [45, 30];
/// What is shown beyond the cells that matter then.
const AROUND: i32 = 4;
/// The most columns or rows that are shown, or pages of large maps would grow without end.
const MOST_SHOWN: i32 = 120;
/// Columns of a picture that has room beside the table, and its width on the page; that of others, which stand above the
/// table, and the most of a cell, in pixels.
const NARROW: i32 = 20;
const BESIDE: i32 = 360;
const ABOVE: i32 = 760;
const MOST_SIDE: i32 = 26;

/// What a cell of the picture may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// Where nothing can be.
    Wall,
    /// A state was expanded here.
    Expanded,
    /// Something else of the map.
    Mark,
    /// Where the search wants to end.
    Goal,
    /// Where it starts.
    Start,
    /// A piece.
    Piece,
    /// The state that was expanded last.
    Last,
    /// Only nodes that are not listed wait here.
    Unlisted,
}

impl Sign {
    /// All of them, in the order in which they are drawn.
    pub const ALL: [Self; 8] = [
        Self::Expanded,
        Self::Wall,
        Self::Mark,
        Self::Goal,
        Self::Start,
        Self::Piece,
        Self::Last,
        Self::Unlisted,
    ];

    /// What it means, for the legend.
    pub fn words(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Expanded => "a state was expanded here",
            Self::Mark => "another mark of the map",
            Self::Goal => "goal",
            Self::Start => "start",
            Self::Piece => "piece, where it stands in the state that was expanded last",
            Self::Last => "expanded last",
            Self::Unlisted => "only nodes that are not listed wait here",
        }
    }

    /// Draws it in the cell whose upper left corner is at these coordinates.
    fn draw(self, svg: &mut String, x: i32, y: i32) {
        let side = SIDE;
        let left = x + 3;
        let top = y + 3;
        let middle = side / 2;
        let inner = side - 6;
        let _ = match self {
            Self::Wall => {
                write!(svg, "<path fill=\"#777\" d=\"M{x} {y}h{side}v{side}h-{side}z\"/>")
            }
            Self::Expanded => {
                write!(svg, "<path fill=\"#d2d2d2\" d=\"M{x} {y}h{side}v{side}h-{side}z\"/>")
            }
            Self::Mark => write!(
                svg,
                "<path class=\"thin\" stroke-dasharray=\"2 2\" d=\"M{left} {top}h{inner}v{inner}h-{inner}z\"/>"
            ),
            Self::Goal => write!(
                svg,
                "<path class=\"thin\" d=\"M{} {}l{h} {h}l-{h} {h}l-{h} -{h}z\"/>",
                x + middle,
                y + 1,
                h = middle - 1
            ),
            Self::Start => write!(svg, "<path fill=\"#000\" d=\"M{x} {}v-8l8 8z\"/>", y + side),
            Self::Piece => write!(
                svg,
                "<rect class=\"thick\" x=\"{left}\" y=\"{top}\" width=\"{inner}\" height=\"{inner}\" rx=\"3\"/>"
            ),
            Self::Last => write!(
                svg,
                "<circle class=\"thick\" cx=\"{}\" cy=\"{}\" r=\"7\"/>",
                x + middle,
                y + middle
            ),
            Self::Unlisted => write!(
                svg,
                "<circle fill=\"#000\" cx=\"{}\" cy=\"{}\" r=\"2\"/>",
                x + middle,
                y + middle
            ),
        };
    }

    /// The sign alone, for a legend.
    pub fn swatch(self) -> String {
        let mut svg = format!(
            "<svg class=\"board\" width=\"18\" height=\"18\" viewBox=\"-1 -1 {0} {0}\" aria-hidden=\"true\">\
             <path class=\"ground\" d=\"M0 0h{SIDE}v{SIDE}h-{SIDE}z\"/>",
            SIDE + 2
        );
        self.draw(&mut svg, 0, 0);
        svg + "</svg>"
    }
}

/// What each cell of the picture has, in the order in which it is drawn.
fn signs(worked: &WorkedExercise, question: &Question) -> Vec<(Sign, Cell)> {
    let listed: Vec<Cell> = question.listed.iter().map(|node| node.event.state.cell).collect();
    let looks = &worked.level.looks;
    // Where pieces move, the map shows them as marks where they stood at the start.
    let has_pieces = !worked.start.others.is_empty();
    let mut signs = Vec::new();
    for sign in Sign::ALL {
        let cells: Vec<Cell> = match sign {
            Sign::Wall => {
                let walls = worked.map.walls.iter();
                walls.filter(|&(_, &wall)| wall).map(|(cell, _)| cell).collect()
            }
            Sign::Expanded => question.expanded.iter().copied().collect(),
            Sign::Mark if has_pieces => Vec::new(),
            Sign::Mark => {
                let marks = looks.iter().filter(|&(_, &look)| look == TileStyle::Mark);
                marks.map(|(cell, _)| cell).collect()
            }
            Sign::Goal => worked.map.goals.clone(),
            Sign::Start => vec![worked.start.cell],
            Sign::Piece => question.last.state.others.clone(),
            Sign::Last => vec![question.last.state.cell],
            Sign::Unlisted => {
                let cells = question.unlisted.iter().map(|node| node.event.state.cell);
                let mut cells: Vec<Cell> = cells.filter(|cell| !listed.contains(cell)).collect();
                cells.sort_unstable();
                cells.dedup();
                cells
            }
        };
        signs.extend(cells.into_iter().map(|cell| (sign, cell)));
    }
    signs
}

/// The signs that the pictures of an exercise have.
pub fn used_signs(worked: &WorkedExercise) -> Vec<Sign> {
    let all = worked.questions.iter().flat_map(|question| signs(worked, question));
    let all: Vec<Sign> = all.map(|(sign, _)| sign).collect();
    Sign::ALL.into_iter().filter(|sign| all.contains(sign)).collect()
}

/// The columns and rows that are shown: all, or on a large map those around the nodes that are listed.
fn window(worked: &WorkedExercise, question: &Question) -> [RangeInclusive<i32>; 2] {
    let walls = &worked.map.walls;
    let last = &question.last.state;
    let listed = question.listed.iter().map(|node| node.event.state.cell);
    let cells: Vec<Cell> = listed.chain([last.cell]).chain(last.others.iter().copied()).collect();
    let part = |size: usize, whole: i32, of: fn(&Cell) -> i32| {
        let end = size as i32 - 1;
        match (cells.iter().map(of).min(), cells.iter().map(of).max()) {
            (Some(least), Some(most)) if end >= whole => {
                let from = (least - AROUND).max(0);
                from..=(most + AROUND).min(end).min(from + MOST_SHOWN)
            }
            _ => 0..=end,
        }
    };
    let [columns, rows] = WHOLE;
    [part(walls.width(), columns, |cell| cell.x), part(walls.height(), rows, |cell| cell.y)]
}

/// Whether the picture is so wide that the table has no room beside it.
pub fn is_wide(worked: &WorkedExercise, question: &Question) -> bool {
    let [columns, _] = window(worked, question);
    columns.count() > NARROW as usize
}

/// The board before the expansion that a question asks for, with what it shows in words.
pub fn search_board(worked: &WorkedExercise, question: &Question) -> String {
    let [columns, rows] = window(worked, question);
    let from_x = *columns.start();
    let from_y = *rows.start();
    let width = columns.end() - from_x + 1;
    let height = rows.end() - from_y + 1;
    let place = |cell: Cell| (MARGIN + (cell.x - from_x) * SIDE, MARGIN + (cell.y - from_y) * SIDE);
    let wide = MARGIN + width * SIDE + 1;
    let high = MARGIN + height * SIDE + 1;
    let room = if is_wide(worked, question) { ABOVE } else { BESIDE };
    let side = (room / width.max(1)).clamp(8, MOST_SIDE);
    let mut svg = format!(
        "<svg class=\"board\" role=\"img\" aria-label=\"The board before expansion {}\" width=\"{}\" \
         preserveAspectRatio=\"xMinYMin\" viewBox=\"0 0 {wide} {high}\">\
         <path class=\"ground\" d=\"M{MARGIN} {MARGIN}h{}v{}h-{}z\"/>",
        question.stop,
        wide * side / SIDE,
        width * SIDE,
        height * SIDE,
        width * SIDE,
    );
    let is_shown = |cell: Cell| columns.contains(&cell.x) && rows.contains(&cell.y);
    let mut is_lined = false;
    for (sign, cell) in signs(worked, question).into_iter().filter(|&(_, cell)| is_shown(cell)) {
        // Lines between cells are above what fills them, and below what stands in them.
        if !is_lined && !matches!(sign, Sign::Expanded | Sign::Wall) {
            lines(&mut svg, width, height);
            is_lined = true;
        }
        let (x, y) = place(cell);
        sign.draw(&mut svg, x, y);
    }
    for (at, number) in columns.clone().enumerate() {
        axis(&mut svg, MARGIN + at as i32 * SIDE + SIDE / 2, MARGIN - 6, "middle", number);
    }
    for (at, number) in rows.clone().enumerate() {
        axis(&mut svg, MARGIN - 4, MARGIN + at as i32 * SIDE + SIDE / 2 + 4, "end", number);
    }
    let mut letters: BTreeMap<Cell, Vec<usize>> = BTreeMap::new();
    for (index, node) in question.listed.iter().enumerate() {
        letters.entry(node.event.state.cell).or_default().push(index);
    }
    for (cell, indexes) in letters.into_iter().filter(|(cell, _)| is_shown(*cell)) {
        let (x, y) = place(cell);
        let (words, size) = match indexes.as_slice() {
            [only] => (letter(*only), 16),
            // The list goes by cells, so that the nodes of one follow each other.
            [first, second] => (format!("{},{}", letter(*first), letter(*second)), 9),
            [first, .., last] => (format!("{}–{}", letter(*first), letter(*last)), 9),
            [] => continue,
        };
        let x = x + SIDE / 2;
        let y = y + SIDE / 2 + size / 3 + 1;
        let _ = write!(
            svg,
            "<text class=\"node\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{words}</text>"
        );
    }
    svg += "</svg>";
    let is_part =
        width < worked.map.walls.width() as i32 || height < worked.map.walls.height() as i32;
    let caption = match is_part {
        true => format!(
            "<figcaption>Part of the map: columns {from_x} to {}, rows {from_y} to {}.</figcaption>",
            columns.end(),
            rows.end()
        ),
        false => String::new(),
    };
    format!("<figure>{svg}{caption}</figure>\n")
}

/// The lines between the cells.
fn lines(svg: &mut String, width: i32, height: i32) {
    let mut path = String::new();
    for column in 0..=width {
        let _ = write!(path, "M{} {MARGIN}v{}", MARGIN + column * SIDE, height * SIDE);
    }
    for row in 0..=height {
        let _ = write!(path, "M{MARGIN} {}h{}", MARGIN + row * SIDE, width * SIDE);
    }
    let _ = write!(svg, "<path class=\"lines\" d=\"{path}\"/>");
}

/// The number of a column or a row.
fn axis(svg: &mut String, x: i32, y: i32, anchor: &str, number: i32) {
    let _ = write!(
        svg,
        "<text class=\"axis-number\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{number}</text>"
    );
}
