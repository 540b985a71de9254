//! Medals: how near the best results of a level came to the proved optimum.

use crate::app::shell::fonts;
use crate::app::shell::theme::{INK, Rgb};
use bevy_egui::egui::{self, Align2, FontFamily, FontId, Sense, Stroke, Ui, vec2};

/// How large a medal is among words, from its centre, in points.
pub const RADIUS: f32 = 8.0;

/// How near a result came to the optimum by which the game ranks. Without a proved optimum there is none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Medal {
    /// It was reached.
    Gold,
    /// The result is at most 5 % worse.
    Silver,
    /// It is at most 25 % worse.
    Bronze,
}

/// How much worse a result is than the optimum, as a share of the optimum, or of 1 where that is smaller: an
/// optimum may be near 0, or below.
pub fn distance(reached: f64, perfect: f64) -> f64 {
    (reached - perfect).abs() / perfect.abs().max(1.0)
}

impl Medal {
    /// The medal for a result that is so much worse than the optimum, see [`distance`].
    pub fn of(distance: f64) -> Option<Self> {
        match distance {
            0.0 => Some(Self::Gold),
            near if near > 0.0 && near <= 0.05 => Some(Self::Silver),
            far if far > 0.0 && far <= 0.25 => Some(Self::Bronze),
            // Also what a file may hold but no match can give.
            _ => None,
        }
    }

    /// What it is for.
    pub fn words(self) -> &'static str {
        match self {
            Self::Gold => "Gold: you reached the optimum",
            Self::Silver => "Silver: within 5 % of the optimum",
            Self::Bronze => "Bronze: within 25 % of the optimum",
        }
    }

    /// Its place, which tells it from the others without colours, and its colour.
    fn face(self) -> (&'static str, Rgb) {
        match self {
            Self::Gold => ("1", Rgb(229, 178, 48)),
            Self::Silver => ("2", Rgb(178, 188, 199)),
            Self::Bronze => ("3", Rgb(201, 132, 82)),
        }
    }

    /// Paints it with its centre at a point, so large.
    pub fn paint(self, painter: &egui::Painter, at: egui::Pos2, radius: f32) {
        let (place, colour) = self.face();
        painter.circle(at, radius, colour.egui(), Stroke::new(1.0, INK.egui()));
        // A large one has a rim, as one that was struck.
        if radius > RADIUS {
            let rim = Stroke::new(radius * 0.08, INK.egui_alpha(0.35));
            painter.circle_stroke(at, radius * 0.78, rim);
        }
        let font = FontId::new(radius * 1.44, FontFamily::Name(fonts::SEMI_BOLD.into()));
        painter.text(at, Align2::CENTER_CENTER, place, font, INK.egui());
    }

    /// Shows it in a row of words.
    pub fn show(self, ui: &mut Ui) -> egui::Response {
        let (rect, response) = ui.allocate_exact_size(vec2(18.0, 18.0), Sense::hover());
        self.paint(ui.painter(), rect.center(), RADIUS);
        let kind = egui::WidgetType::Label;
        response.widget_info(|| egui::WidgetInfo::labeled(kind, true, self.words()));
        response.on_hover_text(self.words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::shell::theme::tests::contrast;

    #[test]
    fn a_medal_tells_how_near_the_optimum_was() {
        for (reached, perfect, medal) in [
            (15.0, 15.0, Some(Medal::Gold)),
            (15.01, 15.0, Some(Medal::Silver)),
            (21.0, 20.0, Some(Medal::Silver)),
            (21.1, 20.0, Some(Medal::Bronze)),
            (25.1, 20.0, None),
            // Where more is better.
            (18.0, 20.0, Some(Medal::Bronze)),
            // Below and at 0.
            (-40.0, -40.0, Some(Medal::Gold)),
            (-39.0, -40.0, Some(Medal::Silver)),
            (0.2, 0.0, Some(Medal::Bronze)),
            (2.0, 0.0, None),
            (f64::NAN, 3.0, None),
        ] {
            assert_eq!(Medal::of(distance(reached, perfect)), medal, "{reached} of {perfect}");
        }
    }

    #[test]
    fn its_place_can_be_read() {
        for medal in [Medal::Gold, Medal::Silver, Medal::Bronze] {
            assert!(contrast(medal.face().1, INK) >= 4.5, "{medal:?}");
        }
    }
}
