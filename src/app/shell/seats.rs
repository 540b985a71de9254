//! Seats as every screen shows them: titles and pieces.

use crate::app::shell::pieces::Pieces;
use crate::app::shell::theme::{Palette, palette};
use bevy_egui::egui;
use egui::vec2;
use outwit_core::levels::capitalised;
use outwit_core::play::{Player, ProgramName};

/// The title of a seat or player: `car2` becomes `Car 2`, `ace` becomes `Ace`, `astar-h1` becomes `A* (h1)`, and
/// another program has the name of its file.
pub fn seat_title(name: &str) -> String {
    if ProgramName::of(name).is_some() {
        return Player::from(name).label();
    }
    // No command line takes a star for itself.
    if let Some(estimate) = name.strip_prefix("astar-") {
        return format!("A* ({estimate})");
    }
    if let Some((word, strength)) = name.split_once(':') {
        return format!("{} ({strength})", capitalised(word));
    }
    let digits = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (word, number) = name.split_at(digits);
    let word = capitalised(word);
    if number.is_empty() { word } else { format!("{word} {number}") }
}

/// The name of the person who looks at the window.
pub const YOU: &str = "You";

/// A name with what it does, given the verb for [`YOU`] and for any other name.
pub fn with_verb(name: &str, [you, other]: [&str; 2]) -> String {
    format!("{name} {}", if name == YOU { you } else { other })
}

/// Whose something is, within a sentence.
pub fn whose(name: &str) -> String {
    if name == YOU { "your".into() } else { format!("{name}'s") }
}

/// The piece of a seat in its colour.
pub fn seat_badge(ui: &mut egui::Ui, pieces: Option<&Pieces>, piece: &str, seat: usize) {
    let shape = pieces.and_then(|pieces| pieces.get(piece));
    let palette: &Palette = palette(ui);
    let colour = palette.sides[seat % palette.sides.len()];
    let (rect, _) = ui.allocate_exact_size(vec2(28.0, 28.0), egui::Sense::hover());
    match shape {
        Some(shape) => {
            shape.paint(ui.painter(), rect.center(), rect.width(), colour, 1.0);
        }
        None => {
            ui.painter().circle_filled(rect.center(), 9.0, colour.egui());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_have_titles() {
        assert_eq!(seat_title("car12"), "Car 12");
        assert_eq!(seat_title("thief"), "Thief");
        assert_eq!(seat_title("astar-h1"), "A* (h1)");
        assert_eq!(seat_title("rival:0.15"), "Rival (0.15)");
        assert_eq!(seat_title(""), "");
    }

    #[test]
    fn verbs_agree_with_names() {
        assert_eq!(with_verb(YOU, ["play", "plays"]), "You play");
        assert_eq!(with_verb("Classic", ["play", "plays"]), "Classic plays");
        assert_eq!((whose(YOU), whose("Classic")), ("your".into(), "Classic's".into()));
    }
}
