//! A game tree as far as it is being searched: a row for each move of the way to the shown node, with all moves that
//! could have been played instead.

use super::state::{ShownTree, TreeView};
use crate::app::match_screen::state::TreeInfo;
use crate::app::shell::theme::Palette;
use bevy_egui::egui::{self, Align2, FontId, Painter, Pos2, Rect, Stroke, pos2, vec2};
use outwit_core::play::Seat;
use outwit_core::search::Bound;
use outwit_kit::GameTree;

/// Room around the tree, in points.
const MARGIN: f32 = 16.0;
/// Width of the words at the left of a row, in points.
const WORDS: f32 = 104.0;
/// The least and the greatest height of a row, in points.
const ROW: (f32, f32) = (58.0, 260.0);
/// The share of a row's height that is left for the lines to the next one, and for the value below a board.
const GAP: f32 = 0.24;
const VALUE: f32 = 0.18;
/// How strongly nodes are drawn that were not looked at yet, and those that never will be.
const FAINT: (f32, f32) = (0.55, 0.28);

/// A row: nodes side by side, one of them on the way to the shown node.
struct Row {
    nodes: Vec<u32>,
    way: Option<u32>,
    depth: usize,
}

/// What the pointer is at.
pub struct PointedNode {
    /// The node.
    pub node: u32,
    /// What to say of it.
    pub words: String,
}

/// Draws a tree; returns the node under the pointer.
pub fn paint(
    painter: &Painter,
    area: Rect,
    shown: &ShownTree,
    (info, palette): (TreeInfo, &Palette),
    pointer: Option<Pos2>,
) -> Option<PointedNode> {
    painter.rect_filled(area, 0.0, palette.board.egui());
    let tree = shown.tree()?;
    let view = shown.view()?;
    let area = area.shrink(MARGIN);
    let mut rows = rows(tree, view);
    // Where there is no room for all, rows below the root are left out.
    let most = ((area.height() / ROW.0) as usize).max(2);
    let left_out = rows.len().saturating_sub(most);
    if left_out > 0 {
        rows.drain(1..=left_out);
    }
    let height = (area.height() / rows.len().max(1) as f32).clamp(ROW.0, ROW.1);
    let prunes = shown.of.1.prunes;
    let mut drawing =
        Drawing { painter, tree, view, palette, info, prunes, height, pointer, pointed: None };
    let spare = (area.height() - height * rows.len() as f32).max(0.0);
    let mut above = None;
    for (number, row) in rows.iter().enumerate() {
        let top = area.top() + spare / 2.0 + number as f32 * height;
        let room = Rect::from_min_size(pos2(area.left(), top), vec2(area.width(), height));
        above = drawing.row(row, room, above).filter(|_| number > 0 || left_out == 0);
    }
    drawing.pointed
}

fn rows(tree: &GameTree, view: &TreeView) -> Vec<Row> {
    let children = |node: u32| {
        let children = tree.recording.node(node).map_or(0..0, |node| node.children.clone());
        children.collect::<Vec<u32>>()
    };
    let first = view.path.first().copied();
    let root = Row { nodes: first.into_iter().collect(), way: first, depth: 0 };
    let below = view.path.iter().enumerate().map(|(depth, &node)| Row {
        nodes: children(node),
        way: view.path.get(depth + 1).copied(),
        depth: depth + 1,
    });
    std::iter::once(root).chain(below).filter(|row| !row.nodes.is_empty()).collect()
}

struct Drawing<'a> {
    painter: &'a Painter,
    tree: &'a GameTree,
    view: &'a TreeView,
    palette: &'a Palette,
    info: TreeInfo,
    /// Whether alpha and beta are of any use.
    prunes: bool,
    height: f32,
    pointer: Option<Pos2>,
    pointed: Option<PointedNode>,
}

impl Drawing<'_> {
    fn font(&self) -> FontId {
        FontId::proportional((self.height * VALUE * 0.72).clamp(11.0, 20.0))
    }

    /// Draws a row; returns the lower end of the node that leads on.
    fn row(&mut self, row: &Row, room: Rect, above: Option<Pos2>) -> Option<Pos2> {
        self.words(row, room);
        let room = Rect::from_min_max(pos2(room.left() + WORDS, room.top()), room.max);
        let tall = self.height * (1.0 - GAP - VALUE);
        let (columns, lines) = self.tree.size;
        let aspect = columns.max(1) as f32 / lines.max(1) as f32;
        let step = (room.width() / row.nodes.len() as f32).min(tall * aspect * 1.25 + 8.0);
        let size = vec2(step * 0.86, step * 0.86 / aspect);
        let size = if size.y > tall { vec2(tall * aspect, tall) } else { size };
        let half = step * row.nodes.len() as f32 / 2.0;
        let middle = above.map_or(room.center().x, |above| above.x);
        let middle =
            middle.clamp(room.left() + half, (room.right() - half).max(room.left() + half));
        let mut leads_on = None;
        for (number, &node) in row.nodes.iter().enumerate() {
            let x = middle - half + (number as f32 + 0.5) * step;
            let board = Rect::from_min_size(pos2(x - size.x / 2.0, room.top()), size);
            let end = self.node(node, board, (above, row.way == Some(node)));
            leads_on = leads_on.or((row.way == Some(node)).then_some(end));
        }
        leads_on
    }

    /// Who moves in a row and, along the way, what both sides are sure of.
    fn words(&self, row: &Row, room: Rect) {
        let Some(&first) = row.nodes.first() else { return };
        let maximises = self.tree.recording.node(first).is_some_and(|node| node.maximises);
        let [one, other] = self.info.sides;
        let (side, shape, seat) =
            if maximises { (one, "▲ max", Seat(0)) } else { (other, "▼ min", Seat(1)) };
        let ink = self.palette.line(seat).egui();
        let mut at = room.left_top();
        let mut line = |words: String, ink| {
            let drawn = self.painter.text(at, Align2::LEFT_TOP, words, self.font(), ink);
            at.y = drawn.bottom() + 1.0;
        };
        line(format!("{side}  {shape}"), ink);
        let Some(bounds) = row.way.and(self.view.bounds.get(row.depth)) else { return };
        for (name, bound) in [("α", bounds.alpha), ("β", bounds.beta)] {
            if let Some(bound) = bound.filter(|_| self.prunes) {
                line(format!("{name} {bound}"), self.palette.faint.egui());
            }
        }
    }

    /// Draws a node with the line to it; returns its lower end.
    fn node(&mut self, node: u32, board: Rect, (above, on_way): (Option<Pos2>, bool)) -> Pos2 {
        let at = self.view.at;
        let recording = &self.tree.recording;
        let is_open = recording.node(node).and_then(|node| node.entered);
        let is_open = is_open.is_some_and(|entered| entered as usize <= at);
        let is_out = recording.is_left_out(node, at);
        let mut painter = self.painter.clone();
        match (is_open, is_out) {
            (true, _) => {}
            (false, true) => painter.set_opacity(FAINT.1),
            (false, false) => painter.set_opacity(FAINT.0),
        }
        let here = self.view.path.last() == Some(&node);
        let ink = if on_way { self.palette.accent } else { self.palette.edge };
        let top = board.center_top();
        if let Some(above) = above {
            let line = Stroke::new(if on_way { 2.5 } else { 1.0 }, ink.egui());
            painter.line_segment([above, top], line);
            if is_out {
                self.bars(above, top);
            }
        }
        self.board(&painter, node, board);
        let frame = Stroke::new(
            if here {
                3.0
            } else if on_way {
                2.0
            } else {
                1.0
            },
            ink.egui(),
        );
        painter.rect_stroke(board, 2.0, frame, egui::StrokeKind::Outside);
        let below = board.center_bottom() + vec2(0.0, 2.0);
        let ink = if on_way { self.palette.text } else { self.palette.faint };
        let words = self.value(node).unwrap_or_default();
        let drawn = painter.text(below, Align2::CENTER_TOP, words, self.font(), ink.egui());
        if self.pointer.is_some_and(|pointer| board.contains(pointer)) {
            let frame = Stroke::new(2.0, self.palette.warn.egui());
            self.painter.rect_stroke(board, 2.0, frame, egui::StrokeKind::Outside);
            let words = self.about(is_open, is_out).into();
            self.pointed = Some(PointedNode { node, words });
        }
        pos2(below.x, drawn.bottom().max(below.y))
    }

    /// Two bars across a line, where the tree is cut.
    fn bars(&self, above: Pos2, below: Pos2) {
        let along = (below - above).normalized();
        let across = vec2(-along.y, along.x) * 5.0;
        let ink = Stroke::new(1.5, self.palette.bad.egui());
        for distance in [10.0, 14.0] {
            let middle = below - along * distance;
            self.painter.line_segment([middle - across, middle + across], ink);
        }
    }

    fn about(&self, is_open: bool, is_out: bool) -> &'static str {
        match (is_open, is_out) {
            (true, _) => {
                "Click to go to where this node is looked at, once more to where it returns."
            }
            (false, true) => "Left out: it cannot change the value of the root.",
            (false, false) => "Not looked at yet.",
        }
    }

    /// What is known of a node, as it is written below it: where the search is within it, what its side has so far.
    fn value(&self, node: u32) -> Option<String> {
        if let Some(known) = self.tree.recording.returned(node, self.view.at) {
            let sign = match known.bound {
                Bound::Exact => "",
                Bound::AtLeast => "≥ ",
                Bound::AtMost => "≤ ",
            };
            let estimated = if known.estimated { "≈ " } else { "" };
            return Some(format!("{sign}{estimated}{}", known.value));
        }
        let place = self.view.path.iter().position(|&other| other == node)?;
        let value = self.view.bounds.get(place)?.value;
        Some(value.map_or_else(|| "?".into(), |value| format!("({value})")))
    }

    /// The board of a node, with what was placed last on a brighter cell.
    fn board(&self, painter: &Painter, node: u32, board: Rect) {
        let (columns, lines) = self.tree.size;
        let cell =
            vec2(board.width() / columns.max(1) as f32, board.height() / lines.max(1) as f32);
        painter.rect_filled(board, 2.0, self.palette.ground.egui());
        let corner = |x: i32, y: i32| board.min + vec2(x as f32 * cell.x, y as f32 * cell.y);
        let pieces = self.tree.pieces_at(node);
        if let Some((last, _)) = pieces.last().filter(|_| node > 0) {
            let rect = Rect::from_min_size(corner(last.x, last.y), cell);
            painter.rect_filled(rect, 0.0, self.palette.accent.egui_alpha(0.28));
        }
        let grid = Stroke::new(1.0, self.palette.line.egui());
        for x in 1..columns as i32 {
            painter.vline(corner(x, 0).x, board.y_range(), grid);
        }
        for y in 1..lines as i32 {
            painter.hline(board.x_range(), corner(0, y).y, grid);
        }
        for (at, maximises) in pieces {
            let seat = Seat(u8::from(!maximises));
            let pen = Stroke::new((cell.x * 0.12).clamp(1.2, 4.0), self.palette.line(seat).egui());
            let middle = corner(at.x, at.y) + cell / 2.0;
            let arm = cell.min_elem() * 0.28;
            if maximises {
                painter.line_segment([middle - vec2(arm, arm), middle + vec2(arm, arm)], pen);
                painter.line_segment([middle - vec2(arm, -arm), middle + vec2(arm, -arm)], pen);
            } else {
                painter.circle_stroke(middle, arm, pen);
            }
        }
    }
}
