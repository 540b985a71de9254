//! What the colours of a heat mean, in a strip below the board, so that it hides nothing of it.

use super::canvas::HeatLegend;
use super::session::Session;
use crate::app::shell::theme::{Palette, heat_colour, space};
use bevy_egui::egui::{self, Align2, FontId};

/// Height of the strip in which it stands, in points.
const HEIGHT: f32 = 36.0;
/// Height of the bar of colours, in points.
const BAR: f32 = 10.0;
/// The most width of the bar, in points.
const WIDEST: f32 = 420.0;

/// Cuts the strip of a legend from below a board, if its match had a heat in the last frame.
pub fn cut(board: &mut egui::Rect, session: &Session) -> Option<egui::Rect> {
    session.overlays.has_heat.then(|| {
        let top = (board.bottom() - HEIGHT).max(board.top());
        let strip = board.with_min_y(top);
        board.max.y = top;
        strip
    })
}

/// Fills the strip of a legend, and notes whether there is one.
pub fn show(
    painter: &egui::Painter,
    strip: Option<egui::Rect>,
    session: &mut Session,
    heat: Option<&HeatLegend>,
    palette: &Palette,
) {
    if session.overlays.has_heat != heat.is_some() {
        session.overlays.has_heat = heat.is_some();
        painter.ctx().request_repaint();
    }
    let Some(strip) = strip else { return };
    painter.rect_filled(strip, 0.0, palette.board.egui());
    let Some(legend) = heat else { return };
    let inner = strip.shrink2(egui::vec2(space::LARGE, 6.0));
    let painter = painter.with_clip_rect(strip);
    let title = match legend.value {
        Some(value) => format!("{}: {}", legend.label, figure(value)),
        None => legend.label.to_string(),
    };
    let width = (inner.width() * 0.6).min(WIDEST);
    let ink = palette.text.egui();
    let bar = egui::Rect::from_min_size(
        egui::pos2(inner.right() - width, inner.top()),
        egui::vec2(width, BAR),
    );
    let room = bar.left() - inner.left() - space::LARGE;
    let mut title =
        egui::text::LayoutJob::simple_singleline(title, FontId::proportional(13.0), ink);
    title.wrap = egui::text::TextWrapping::truncate_at_width(room);
    let title = painter.layout_job(title);
    let at = egui::pos2(inner.left(), inner.center().y - title.size().y / 2.0);
    painter.galley(at, title, ink);
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
    let last: u8 = if width < 200.0 { 1 } else { 4 };
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
