//! The line of a planner over the board.

use crate::app::match_screen::canvas::{Canvas, middle};
use crate::app::shell::theme::{INK, PALE, Rgb};
use bevy::math::Vec2;
use bevy_egui::egui::{self, Align2, FontId, Pos2, Shape, Stroke, StrokeKind};
use outwit_core::grid::Cell;

/// A part of a line of actions, as the analysis draws it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinePart {
    /// The way of a piece: where it stands, then a cell for each action or for each of its steps.
    Way(Vec<Cell>),
    /// A walk to where the thing of this number is done.
    Walk {
        /// The cells from the beginning of the walk to its end.
        cells: Vec<Cell>,
        /// The number of what is done there.
        number: usize,
    },
    /// Something is moved straight on.
    Carried {
        /// Where it stood.
        from: Cell,
        /// Where it stands then.
        to: Cell,
        /// Its place in the order.
        number: usize,
        /// Whether it is pulled and not pushed.
        pulled: bool,
    },
    /// Where something stands at the end.
    End(Cell),
}

/// Most numbered parts that are drawn: more would hide each other.
const MOST: usize = 12;
/// How far walks are moved aside, so that those through the same cells are told apart.
const ASIDE: f32 = 0.14;

/// Draws a line, with a legend where it has numbers.
pub fn paint(canvas: &Canvas, parts: &[LinePart], colour: Rgb) {
    for part in parts {
        match part {
            LinePart::Way(cells) => way(canvas, cells, colour),
            LinePart::End(cell) => end(canvas, *cell, colour),
            LinePart::Walk { cells, number } if *number <= MOST => {
                walk(canvas, cells, *number, colour)
            }
            LinePart::Walk { .. } | LinePart::Carried { .. } => {}
        }
    }
    let carried = || {
        parts.iter().filter_map(|part| match part {
            LinePart::Carried { from, to, number, pulled } if *number <= MOST => {
                Some((*from, *to, *number, *pulled))
            }
            _ => None,
        })
    };
    let half = (canvas.scale() * 0.085).clamp(2.0, 6.0);
    for (from, to, _, pulled) in carried() {
        broad_arrow(canvas, [canvas.at(from), canvas.at(to)], half, colour, pulled);
    }
    for (from, _, number, _) in carried() {
        let radius = (canvas.scale() * 0.2).clamp(7.0, 13.0);
        disc(canvas, canvas.at(from), radius, number, (PALE, INK, INK));
    }
    if carried().next().is_some() {
        legend(canvas, colour, parts);
    }
}

/// A way with a dot where each action leads.
pub fn way(canvas: &Canvas, cells: &[Cell], colour: Rgb) {
    canvas.line(cells.iter().map(|&cell| middle(cell)), 2.5, colour.egui());
    let radius = (canvas.scale() * 0.15).clamp(2.0, 5.0);
    let rim = Stroke::new(1.5, canvas.palette.casing.egui());
    for &cell in cells.iter().skip(1).filter(|&&cell| canvas.is_visible(cell)) {
        canvas.painter.circle(canvas.at(cell), radius, colour.egui(), rim);
    }
}

/// A dotted walk with arrowheads, and a ring where it ends.
fn walk(canvas: &Canvas, cells: &[Cell], number: usize, colour: Rgb) {
    let aside = (number % 3) as f32 - 1.0;
    let place = |&cell: &Cell| middle(cell) + Vec2::splat(aside * ASIDE);
    let points: Vec<Pos2> = cells.iter().map(|cell| canvas.point(place(cell))).collect();
    let casing = Stroke::new(4.0, canvas.palette.casing.egui());
    canvas.painter.add(Shape::line(points.clone(), casing));
    let stroke = Stroke::new(2.0, colour.egui());
    canvas.painter.extend(Shape::dashed_line(&points, stroke, 2.5, 3.0));
    for (index, pair) in points.windows(2).enumerate() {
        if index % 2 == 0 && canvas.scale() >= 16.0 {
            arrowhead(canvas, pair[0].lerp(pair[1], 0.6), pair[1] - pair[0], colour);
        }
    }
    if let Some(&end) = points.last() {
        let radius = (canvas.scale() * 0.14).clamp(6.0, 9.0);
        disc(canvas, end, radius, number, (canvas.palette.casing, colour, canvas.palette.text));
    }
}

fn arrowhead(canvas: &Canvas, at: Pos2, way: egui::Vec2, colour: Rgb) {
    let size = (canvas.scale() * 0.09).clamp(3.0, 5.5);
    let way = way.normalized() * size;
    let side = way.rot90() * 0.8;
    let corners = vec![at + way, at - way * 0.7 + side, at - way * 0.7 - side];
    let casing = Stroke::new(1.0, canvas.palette.casing.egui());
    canvas.painter.add(Shape::convex_polygon(corners, colour.egui(), casing));
}

/// A disc with a number: its ground, its rim, its words.
fn disc(canvas: &Canvas, at: Pos2, radius: f32, number: usize, inks: (Rgb, Rgb, Rgb)) {
    let (ground, rim, words) = inks;
    canvas.painter.circle(at, radius, ground.egui(), Stroke::new(1.5, rim.egui()));
    let font = FontId::proportional(radius * 1.25);
    canvas.painter.text(at, Align2::CENTER_CENTER, number.to_string(), font, words.egui());
}

/// A broad arrow, its shaft twice `half` points wide; hollow for what is pulled.
fn broad_arrow(canvas: &Canvas, [from, to]: [Pos2; 2], half: f32, colour: Rgb, hollow: bool) {
    let length = (to - from).length();
    if length < 2.0 {
        return;
    }
    let along = (to - from) / length;
    let head = (half * 3.4).min(length * 0.6);
    let side = along.rot90();
    let neck = to - along * head;
    let shaft = [from + side * half, neck + side * half, neck - side * half, from - side * half];
    let tip = [neck + side * half * 2.3, to, neck - side * half * 2.3];
    let ink = canvas.palette.casing.egui();
    let fill = if hollow { ink } else { colour.egui() };
    let outline: Vec<Pos2> =
        vec![shaft[0], shaft[1], tip[0], tip[1], tip[2], shaft[2], shaft[3], shaft[0]];
    canvas.painter.add(Shape::line(outline.clone(), Stroke::new(4.5, ink)));
    for part in [shaft.to_vec(), tip.to_vec()] {
        canvas.painter.add(Shape::convex_polygon(part, fill, Stroke::NONE));
    }
    if hollow {
        canvas.painter.add(Shape::line(outline, Stroke::new(1.5, colour.egui())));
    }
}

/// A dashed outline of the cell where something ends.
fn end(canvas: &Canvas, cell: Cell, colour: Rgb) {
    let half = canvas.scale() * 0.42;
    let rect = egui::Rect::from_center_size(canvas.at(cell), egui::Vec2::splat(2.0 * half));
    let corners = [
        rect.left_top(),
        rect.right_top(),
        rect.right_bottom(),
        rect.left_bottom(),
        rect.left_top(),
    ];
    canvas.painter.rect_stroke(
        rect,
        3.0,
        Stroke::new(4.0, canvas.palette.casing.egui()),
        StrokeKind::Middle,
    );
    canvas.painter.extend(Shape::dashed_line(&corners, Stroke::new(2.0, colour.egui()), 6.0, 4.0));
}

/// What the parts of the line mean, in the lower right corner of the board's area.
fn legend(canvas: &Canvas, colour: Rgb, parts: &[LinePart]) {
    const ROW: f32 = 22.0;
    const WIDTH: f32 = 226.0;
    /// Width of the board's area below which the legend would cover the board, in points.
    const ROOM: f32 = 480.0;
    if canvas.view.area.width() < ROOM {
        return;
    }
    let pulls = parts.iter().any(|part| matches!(part, LinePart::Carried { pulled: true, .. }));
    let last = parts.iter().map(|part| match part {
        LinePart::Carried { number, .. } => *number,
        _ => 0,
    });
    let last = last.max().unwrap_or(0);
    let mut rows = vec!["Walks, and stands at the ring", "Pushes, in this order"];
    if pulls {
        rows.push("Pulls");
    }
    let more =
        if last > MOST { format!("The first {MOST} of {last} moves") } else { String::new() };
    let lines = rows.len() + usize::from(last > MOST);
    let area = canvas.view.area;
    let size = egui::vec2(WIDTH, ROW * lines as f32 + 12.0);
    let rect = egui::Rect::from_min_size(area.right_bottom() - size - egui::vec2(10.0, 10.0), size);
    let palette = &canvas.palette;
    let painter = &canvas.painter;
    let line = Stroke::new(1.0, palette.line.egui());
    painter.rect(rect, 5.0, palette.panel.egui_alpha(0.94), line, StrokeKind::Inside);
    for (index, words) in rows.iter().enumerate() {
        let y = rect.top() + 6.0 + ROW * (index as f32 + 0.5);
        let from = egui::pos2(rect.left() + 14.0, y);
        let to = egui::pos2(rect.left() + 46.0, y);
        if index == 0 {
            let stroke = Stroke::new(2.0, colour.egui());
            painter.extend(Shape::dashed_line(&[from, to], stroke, 2.5, 3.0));
        } else {
            broad_arrow(canvas, [from, to], 3.0, colour, index == 2);
        }
        let at = egui::pos2(rect.left() + 56.0, y);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            *words,
            FontId::proportional(12.0),
            palette.text.egui(),
        );
    }
    if !more.is_empty() {
        let at = egui::pos2(rect.left() + 14.0, rect.bottom() - 6.0 - ROW / 2.0);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            more,
            FontId::proportional(12.0),
            palette.faint.egui(),
        );
    }
}
