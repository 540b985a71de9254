//! What the colours of a heat mean, in a corner of the board's area.

use super::canvas::{Canvas, HeatLegend, cell_at};
use super::session::Session;
use crate::app::shell::theme::heat_colour;
use bevy::math::Vec2;
use bevy_egui::egui::{self, Align2, FontId, Stroke};
use outwit_core::grid::Cell;

/// The rectangle of this size in a corner of the board's area that covers the fewest pieces, and of those the fewest
/// cells; never what is taken already. What a line means stands in the lower right corner.
fn free_corner(
    canvas: &Canvas,
    session: &Session,
    size: egui::Vec2,
    taken: Option<egui::Rect>,
) -> egui::Rect {
    let area = canvas.view.area.shrink(10.0);
    let pieces = session.live.pieces(session.playback.view);
    let inside = &session.info.inside;
    let cost = |rect: &egui::Rect| {
        let covers = |place: Vec2| rect.expand(canvas.scale() / 2.0).contains(canvas.point(place));
        let low = canvas.view.to_board(rect.min);
        let high = canvas.view.to_board(rect.max);
        let low = cell_at(low);
        let high = cell_at(high);
        let cells = (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| Cell::new(x, y)));
        (
            taken.is_some_and(|taken| taken.intersects(*rect)),
            pieces.iter().filter(|piece| covers(piece.pose.place)).count(),
            cells.filter(|cell| inside.get(*cell) == Some(&true)).count(),
        )
    };
    let corners = [Align2::LEFT_BOTTOM, Align2::LEFT_TOP, Align2::RIGHT_TOP];
    let rects = corners.map(|corner| corner.align_size_within_rect(size, area));
    rects.into_iter().min_by_key(cost).unwrap_or(area)
}

/// The legend of a heat, in a corner of the board's area; not over what is taken already.
pub fn show(canvas: &Canvas, session: &Session, legend: &HeatLegend, taken: Option<egui::Rect>) {
    const BAR: f32 = 10.0;
    /// Share of the area's width that the legend may take at most.
    const SHARE: f32 = 0.4;
    let palette = &canvas.palette;
    let area = canvas.view.area;
    let size = egui::vec2((area.width() * SHARE).clamp(120.0, 236.0), 58.0);
    let rect = free_corner(canvas, session, size, taken);
    let painter = &canvas.painter;
    painter.rect(
        rect,
        5.0,
        palette.panel.egui_alpha(0.94),
        Stroke::new(1.0, palette.line.egui()),
        egui::StrokeKind::Inside,
    );
    let font = FontId::proportional(12.0);
    let title = match legend.value {
        Some(value) => format!("{}: {}", legend.label, figure(value)),
        None => legend.label.to_string(),
    };
    let inner = rect.shrink(9.0);
    let galley = painter.layout(title, font.clone(), palette.text.egui(), inner.width());
    painter.with_clip_rect(inner).galley(inner.min, galley, palette.text.egui());
    let bar = egui::Rect::from_min_size(
        egui::pos2(inner.left(), inner.top() + 18.0),
        egui::vec2(inner.width(), BAR),
    );
    let (least, most) = legend.range;
    let steps = 48;
    let mut mesh = egui::Mesh::default();
    for n in 0..steps {
        let share = |n: i32| n as f32 / steps as f32;
        let x = |n: i32| bar.left() + bar.width() * share(n);
        let slice = egui::Rect::from_min_max(
            egui::pos2(x(n), bar.top()),
            egui::pos2(x(n + 1), bar.bottom()),
        );
        let value = least + (most - least) * share(n);
        mesh.add_colored_rect(slice, heat_colour((least, most), value).egui());
    }
    painter.add(mesh);
    // Five figures need room.
    let last: u8 = if size.x < 200.0 { 1 } else { 4 };
    let shares = (0..=last).map(|n| f32::from(n) / f32::from(last));
    let marks: Vec<f32> = shares.map(|share| least + (most - least) * share).collect();
    for (n, words) in (0..=last).zip(figures(&marks)) {
        let share = f32::from(n) / f32::from(last);
        let anchor = [Align2::LEFT_TOP, Align2::CENTER_TOP, Align2::RIGHT_TOP]
            [usize::from(n > 0) + usize::from(n == last)];
        let at = egui::pos2(bar.left() + bar.width() * share, bar.bottom() + 2.0);
        painter.text(at, anchor, words, FontId::proportional(10.5), palette.text.egui());
    }
}

/// The values of a scale in few digits, all with as many decimals as one of them needs.
fn figures(values: &[f32]) -> Vec<String> {
    let decimals = |value: &f32| {
        let text = figure(*value);
        text.trim_end_matches('0').split_once('.').map_or(0, |(_, decimals)| decimals.len())
    };
    let most = values.iter().map(decimals).max().unwrap_or(0);
    values.iter().map(|value| format!("{value:.most$}")).collect()
}

/// A value in few digits.
fn figure(value: f32) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 || value.fract() == 0.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 0.1 => 2,
        // No zeros that say nothing: 0.02 and not 0.0200.
        _ => 4,
    };
    let text = format!("{value:.digits$}");
    match digits {
        4 => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_scale_have_the_same_decimals() {
        let halves = figures(&[1.0, 3.5, 6.0, 8.5, 11.0]);
        assert_eq!(halves, ["1.0", "3.5", "6.0", "8.5", "11.0"]);
        assert_eq!(figures(&[0.0, 25.0, 100.0]), ["0", "25", "100"]);
        assert_eq!(figures(&[0.0, 2.8425, 11.37]), ["0.00", "2.84", "11.37"]);
        assert_eq!(figures(&[0.0, 0.02]), ["0.00", "0.02"]);
        assert_eq!(figures(&[f32::NAN]), ["NaN"]);
    }
}
