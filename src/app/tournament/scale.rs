//! Colour scales for numbers, readable for colour-blind eyes, and the text colour on them.

use crate::app::shell::theme::Palette;
use bevy_egui::egui::Color32;
use outwit_core::play::Better;

/// The range of a colour scale.
#[derive(Clone, Copy)]
pub struct Scale {
    /// The least value.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// Whether 0 lies in the middle and each side has a colour of its own.
    pub both_sides: bool,
    /// Which of two values is better, if any is: the better one has the stronger colour, or the blue side.
    pub better: Option<Better>,
    /// Formats the values at its ends.
    pub write: fn(f64) -> String,
}

impl Scale {
    /// A scale from the smallest to the largest of these values.
    pub fn over(values: impl Iterator<Item = f64>, write: fn(f64) -> String) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        Self { low, high, both_sides: false, better: None, write }
    }

    /// A scale on which some values are better than others.
    #[must_use]
    pub fn best(self, better: Better) -> Self {
        Self { better: Some(better), ..self }
    }

    /// A scale of shares, from 0 to 1.
    pub fn share(write: fn(f64) -> String) -> Self {
        Self { low: 0.0, high: 1.0, both_sides: false, better: None, write }
    }

    /// The position of a value on the scale, from 0 to 1.
    fn place(&self, value: f64) -> f32 {
        let span = self.high - self.low;
        if span > 0.0 { ((value - self.low) / span).clamp(0.0, 1.0) as f32 } else { 0.5 }
    }

    /// The colour of a value.
    pub fn colour(&self, value: f64, palette: &Palette) -> Color32 {
        // Colour-blind eyes can distinguish blue and orange; strength also shows as lightness.
        let blue = palette.accent;
        let orange = palette.sides[0];
        let at = match self.better {
            Some(Better::Lower) => 1.0 - self.place(value),
            _ => self.place(value),
        };
        if self.both_sides {
            let strength = (at - 0.5).abs() * 2.0;
            let side = if at >= 0.5 { blue } else { orange };
            return palette.panel.mixed(side, 0.08 + 0.82 * strength);
        }
        palette.panel.mixed(blue, 0.06 + 0.84 * at)
    }
}

/// A readable text colour on `fill`. Either pure white or pure black always has a contrast of at
/// least 4.5 to 1; on middle tones, the palette's softer colours do not.
pub fn text_colour_on(fill: Color32) -> Color32 {
    let on = luminance(fill);
    if 1.05 / (on + 0.05) >= (on + 0.05) / 0.05 { Color32::WHITE } else { Color32::BLACK }
}

/// Relative luminance as WCAG 2 defines it.
fn luminance(colour: Color32) -> f32 {
    let part = |value: u8| {
        let value = f32::from(value) / 255.0;
        if value <= 0.039_28 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(colour.r()) + 0.7152 * part(colour.g()) + 0.0722 * part(colour.b())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::shell::theme::{DARK, LIGHT};

    fn write(value: f64) -> String {
        value.to_string()
    }

    #[test]
    fn every_colour_of_the_scale_can_be_written_on() {
        for palette in [DARK, LIGHT] {
            for both_sides in [false, true] {
                let scale = Scale { low: -1.0, high: 1.0, both_sides, better: None, write };
                for step in 0..=20 {
                    let fill = scale.colour(f64::from(step) / 10.0 - 1.0, &palette);
                    let (on, ink) = (luminance(fill), luminance(text_colour_on(fill)));
                    let contrast = (on.max(ink) + 0.05) / (on.min(ink) + 0.05);
                    assert!(contrast >= 4.5, "{fill:?}: {contrast}");
                }
            }
        }
    }

    #[test]
    fn the_better_value_has_the_stronger_colour() {
        for palette in [DARK, LIGHT] {
            for (better, good, bad) in [(Better::Lower, 3.0, 5.0), (Better::Higher, 5.0, 3.0)] {
                let scale = Scale::over([3.0, 5.0].into_iter(), write).best(better);
                let strong = palette.panel.mixed(palette.accent, 0.9);
                assert_eq!(scale.colour(good, &palette), strong);
                assert_ne!(scale.colour(bad, &palette), strong);
                let both = Scale { low: -5.0, high: 5.0, both_sides: true, ..scale };
                let towards = if better == Better::Lower { -5.0 } else { 5.0 };
                assert_eq!(both.colour(towards, &palette), strong);
            }
        }
    }

    #[test]
    fn a_scale_of_one_value_is_its_middle() {
        let scale = Scale::over([3.0].into_iter(), write);
        assert_eq!(scale.place(3.0), 0.5);
        let scale = Scale::over([3.0, 5.0].into_iter(), write);
        assert_eq!((scale.place(3.0), scale.place(4.5), scale.place(9.0)), (0.0, 0.75, 1.0));
    }
}
