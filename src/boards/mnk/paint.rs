//! What is drawn over the board: coordinates, the last stone, the winning row, threats, and the stone
//! under the pointer.

use super::colours::{CHALK, Paper, Wood};
use super::row::{self, WinningRow};
use super::terrain::BORDER;
use super::threats::Threat;
use super::{MnkUi, overlay, pen, pieces, threats};
use crate::app::drawing::{mixed, opaque};
use crate::app::match_screen::{Canvas, Shown, ease, middle};
use crate::app::shell::theme::{INK, PALE};
use bevy::math::Vec2;
use bevy_egui::egui::{self, Align2, Color32, FontId, Shape, Stroke};
use outwit_core::grid::Cell;
use outwit_core::play::{Insight, Seat};
use outwit_mnk::notation::cell_name;
use outwit_mnk::{Mnk, MnkAction, MnkEvent, MnkPhase, Stone};

/// Points per cell from which on coordinates and numbers are drawn.
const READABLE: f32 = 13.0;

/// Draws everything, the farthest first.
pub fn paint(canvas: &mut Canvas, shown: &Shown<Mnk>, ui: &mut MnkUi) {
    let session = shown.session;
    let game = shown.game();
    let state = shown.state();
    coordinates(canvas, game);
    if session.shows(overlay::MINDS)
        && let Some((insight, seat)) = minds(shown)
    {
        expectations(canvas, insight, pieces::colour(state.held(seat)));
    }
    let moves = canvas.moves();
    let won = WinningRow::of(shown, moves);
    if let Some(won) = &won {
        won.paint_below(canvas, game);
    }
    if moves {
        stroke(canvas, shown);
    }
    if session.shows(overlay::THREATS) {
        let key = (shown.revision, session.playback.view);
        for threat in ui.threats.get(key, || threats::threats(game, state)) {
            paint_threat(canvas, threat);
        }
    }
    if let Some(last) = state.last {
        brackets(canvas, game, last);
    }
    if session.shows(overlay::NUMBERS) {
        numbers(canvas, shown);
    }
    if let Some(won) = &won {
        won.paint_above(canvas, game);
    }
    if let Some(MnkAction::Place(cell)) = shown.hint() {
        ring(canvas, *cell, 0.42, 3.0, canvas.palette.warn.egui());
    }
    if shown.person.is_some() && shown.animation().is_none() {
        person(canvas, shown, ui);
    }
}

/// The picture of the planner that thought last.
fn minds<'a>(shown: &Shown<'a, Mnk>) -> Option<(&'a Insight, Seat)> {
    let last = shown.state().to_move.other();
    let seats = [shown.state().holder(last), shown.state().holder(last.other())];
    seats.into_iter().find_map(|seat| Some((shown.insight(seat)?, seat)))
}

/// What a planner searched and expects, in the lines of a seat.
fn expectations(canvas: &mut Canvas, insight: &Insight, seat: Seat) {
    if let Some(heat) = insight.heats.first() {
        canvas.heat(heat);
    }
    canvas.insight(insight, canvas.palette.line(seat));
}

/// Letters below and numbers beside the board, as in the text of moves.
fn coordinates(canvas: &Canvas, game: &Mnk) {
    let scale = canvas.scale();
    if scale < READABLE {
        return;
    }
    let dark = canvas.palette.dark;
    let (colour, ground) = if pieces::on_wood(game) {
        (Wood::of(dark).lines, Wood::of(dark).ground[0])
    } else {
        let paper = Paper::of(dark);
        (mixed(paper.sheet, paper.grid, 0.8), paper.sheet)
    };
    let size = (scale * 0.34).clamp(8.0, 14.0);
    let width = game.width() as i32;
    let height = game.height() as i32;
    // They stay in view when the border of the board does not.
    let area = canvas.view.area.shrink(size);
    let write = |place: egui::Pos2, wanted: egui::Pos2, words: String| {
        if place == wanted {
            let font = FontId::proportional(size);
            canvas.painter.text(place, Align2::CENTER_CENTER, words, font, colour.egui());
        } else {
            let at = canvas.view.to_board(place);
            canvas.label(at, &words, size, colour.egui(), ground.egui_alpha(0.85));
        }
    };
    for x in 0..width {
        let name = cell_name(Cell::new(x, height - 1), height as usize);
        let column = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        let wanted = canvas.point(Vec2::new(x as f32 + 0.5, height as f32 + BORDER / 2.0));
        write(egui::pos2(wanted.x, wanted.y.min(area.bottom())), wanted, column);
    }
    for y in 0..height {
        let wanted = canvas.point(Vec2::new(-BORDER / 2.0, y as f32 + 0.5));
        write(egui::pos2(wanted.x.max(area.left()), wanted.y), wanted, (height - y).to_string());
    }
}

/// The cross or nought that is being drawn on paper.
fn stroke(canvas: &mut Canvas, shown: &Shown<Mnk>) {
    let (Some(animation), Some(turn)) = (shown.animation(), shown.turn()) else { return };
    let part = animation.time * row::turn_seconds(&turn.events) / row::PLACING;
    // After that the finished mark is a piece on the board.
    if pieces::on_wood(shown.game()) || part >= 1.0 {
        return;
    }
    for event in &turn.events {
        if let MnkEvent::Placed { cell, stone, .. } = event {
            let ink = opaque(Paper::of(canvas.palette.dark).pens[stone.index()]);
            let mark = pen::mark(*stone, pieces::hand(*cell), ease(part), ink);
            canvas.floor.add(&mark, |at| at + middle(*cell));
        }
    }
}

/// A line with its casing on a circle round the middle of a cell; `radius` in cells, `width` in points.
fn ring(canvas: &Canvas, cell: Cell, radius: f32, width: f32, colour: Color32) {
    let at = canvas.at(cell);
    let radius = radius * canvas.scale();
    let casing = Stroke::new(width + 2.0, canvas.palette.casing.egui());
    canvas.painter.circle_stroke(at, radius, casing);
    canvas.painter.circle_stroke(at, radius, Stroke::new(width, colour));
}

/// A ring, thick if a stone there wins, around the shape of the stone that would do it.
fn paint_threat(canvas: &Canvas, threat: &Threat) {
    if !canvas.is_visible(threat.cell) {
        return;
    }
    let colour = canvas.palette.line(pieces::colour(threat.stone)).egui();
    let width = if threat.wins { 3.0 } else { 1.2 };
    let at = canvas.at(threat.cell);
    let scale = canvas.scale();
    match threat.stone {
        Stone::X => {
            ring(canvas, threat.cell, 0.40, width, colour);
            let half = 0.1 * scale;
            for (more, colour) in [(2.0, canvas.palette.casing.egui()), (0.0, colour)] {
                for way in [egui::vec2(half, half), egui::vec2(half, -half)] {
                    let stroke = Stroke::new(1.5 + more, colour);
                    canvas.painter.line_segment([at - way, at + way], stroke);
                }
            }
        }
        Stone::O => {
            ring(canvas, threat.cell, 0.31, width, colour);
            ring(canvas, threat.cell, 0.17, 1.5, colour);
        }
    }
}

/// Four corners around the last stone, which they never cover.
fn brackets(canvas: &Canvas, game: &Mnk, cell: Cell) {
    let scale = canvas.scale();
    let (half, leg, colours) = if pieces::on_wood(game) {
        (0.58, 0.19, [INK, CHALK])
    } else {
        let paper = Paper::of(canvas.palette.dark);
        (0.43, 0.13, [paper.sheet, paper.strike])
    };
    let half = half * scale;
    let leg = (leg * scale).max(2.0);
    let width = (0.06 * scale).clamp(1.2, 2.5);
    let at = canvas.at(cell);
    for (width, colour) in [(width + 2.2, colours[0]), (width, colours[1])] {
        let stroke = Stroke::new(width, colour.egui());
        for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            let corner = at + half * egui::vec2(x, y);
            let ends = [corner - egui::vec2(x * leg, 0.0), corner - egui::vec2(0.0, y * leg)];
            canvas.painter.add(Shape::line(vec![ends[0], corner, ends[1]], stroke));
        }
    }
}

/// The number of each stone in the order in which they were placed: on a square for X, on a disc for O.
fn numbers(canvas: &Canvas, shown: &Shown<Mnk>) {
    let scale = canvas.scale();
    if scale < READABLE {
        return;
    }
    let turns = shown.played.turns().iter().take(shown.session.playback.view);
    let placed = turns.flat_map(|turn| &turn.events).filter_map(|event| match event {
        MnkEvent::Placed { cell, stone, .. } => Some((*cell, *stone)),
        _ => None,
    });
    let size = (scale * 0.32).clamp(8.0, 15.0);
    for (number, (cell, stone)) in
        (1..).zip(placed).filter(|(_, (cell, _))| canvas.is_visible(*cell))
    {
        let text = canvas.painter.layout_no_wrap(
            format!("{number}"),
            FontId::proportional(size),
            PALE.egui(),
        );
        let height = size + 4.0;
        let room = egui::vec2((text.size().x + 4.0).max(height), height);
        let rect = egui::Rect::from_center_size(canvas.at(cell), room);
        let round = if stone == Stone::X { 2.0 } else { height / 2.0 };
        canvas.painter.rect_filled(rect, round, INK.egui());
        let corner = Align2::CENTER_CENTER.anchor_size(rect.center(), text.size()).min;
        canvas.painter.galley(corner, text, PALE.egui());
    }
}

/// The stone that a click would place, and the cursor of the keys.
fn person(canvas: &mut Canvas, shown: &Shown<Mnk>, ui: &MnkUi) {
    let game = shown.game();
    let state = shown.state();
    let can_place = |cell: Cell| game.check(state, MnkAction::Place(cell)).is_ok();
    let ghost = |canvas: &mut Canvas, cell: Cell| {
        let ghost = pieces::ghost(game, cell, state.to_move, canvas.palette.dark);
        canvas.floor.add(&ghost, |at| at + middle(cell));
    };
    let hovered = canvas.hovered().filter(|&cell| game.index_of(cell).is_some());
    if let Some(cell) = hovered {
        let name = cell_name(cell, game.height());
        if can_place(cell) {
            canvas.clickable = true;
            ghost(canvas, cell);
            canvas.tooltip = Some(format!("Click to place {} at {name}.", state.to_move.to_char()));
        } else if state.phase != MnkPhase::FirstChooses {
            canvas.tooltip = Some(format!("{name} is taken."));
        }
    }
    if let Some(cell) = ui.cursor {
        if can_place(cell) && hovered != Some(cell) {
            ghost(canvas, cell);
        }
        let x = cell.x as f32;
        let y = cell.y as f32;
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)];
        let frame = corners.map(|(right, down)| Vec2::new(x + right, y + down));
        canvas.line(frame, 2.0, canvas.palette.accent.egui());
    }
}
