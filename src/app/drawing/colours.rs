//! Colours as meshes take them, and mixtures that look as they do in a drawing program.

use crate::app::shell::theme::Rgb;
use bevy::color::ColorToComponents;
use bevy_egui::egui::{Color32, ecolor};

/// A colour with its opacity, in linear light.
pub type Ink4 = [f32; 4];

/// A colour from the number that is written as `0xRRGGBB`.
pub const fn from_hex(hex: u32) -> Rgb {
    Rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// A colour that covers what is below it.
pub fn opaque(colour: Rgb) -> Ink4 {
    colour.bevy().to_linear().to_f32_array()
}

/// A colour that covers what is below it to the share `alpha`, as it looks where colours are blended as
/// they are stored. The board is blended in linear light, where dark veils come out too weak and bright
/// ones too strong.
pub fn faded(colour: Rgb, alpha: f32) -> Ink4 {
    let ink = opaque(colour);
    let [red, green, blue, _] = ink;
    [red, green, blue, in_linear_light(ink, alpha)]
}

/// The opacity in linear light of a colour that is to look as if it covered the share `alpha`.
fn in_linear_light([red, green, blue, _]: Ink4, alpha: f32) -> f32 {
    let light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    let dark = 1.0 - (1.0 - alpha).powf(2.2);
    let bright = alpha.powf(1.6);
    dark + (bright - dark) * light.sqrt().clamp(0.0, 1.0)
}

/// The share that a colour covers where colours are blended as they are stored; undoes [`faded`].
pub fn unfaded(ink: Ink4) -> f32 {
    // It grows with the share.
    let mut low = 0.0;
    let mut high = 1.0;
    for _ in 0..16 {
        let middle = (low + high) / 2.0;
        if in_linear_light(ink, middle) < ink[3] { low = middle } else { high = middle }
    }
    high
}

/// The same colour for panels.
pub fn egui_colour([red, green, blue, alpha]: Ink4) -> Color32 {
    let byte = |light: f32| ecolor::gamma_u8_from_linear_f32(light * alpha);
    let opacity = (alpha * 255.0).round() as u8;
    Color32::from_rgba_premultiplied(byte(red), byte(green), byte(blue), opacity)
}

/// `part` of the way from one colour to another.
pub fn mixed(from: Rgb, to: Rgb, part: f32) -> Rgb {
    let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * part).round() as u8;
    Rgb(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// An even-looking number from 0 to 1 for a place and a purpose: decoration that looks random is the same
/// in every picture.
pub fn grain(x: i32, y: i32, purpose: u32) -> f32 {
    let n = (x as u32)
        .wrapping_mul(0x9e37_79b1)
        .wrapping_add((y as u32).wrapping_mul(0x85eb_ca77))
        .wrapping_add(purpose.wrapping_mul(0xc2b2_ae3d));
    let n = (n ^ (n >> 15)).wrapping_mul(0x2c1b_3c6d);
    let n = (n ^ (n >> 12)).wrapping_mul(0x297a_2d39);
    ((n ^ (n >> 15)) & 0xffff) as f32 / 65536.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_faded_colour_can_be_unfaded() {
        for colour in [Rgb(0, 0, 0), Rgb(255, 255, 255), Rgb(200, 40, 90)] {
            for alpha in [0.1, 0.45, 0.9, 1.0] {
                assert!((unfaded(faded(colour, alpha)) - alpha).abs() < 1e-3, "{alpha}");
            }
        }
    }

    #[test]
    fn grain_is_even() {
        let values: Vec<f32> = (0..1000).map(|n| grain(n % 40, n / 40, 7)).collect();
        let mean = values.iter().sum::<f32>() / 1000.0;
        assert!((0.45..0.55).contains(&mean), "{mean}");
        assert!(values.iter().all(|value| (0.0..1.0).contains(value)));
    }

    #[test]
    fn half_of_a_mixture_lies_between() {
        assert_eq!(mixed(Rgb(0, 10, 200), Rgb(100, 20, 0), 0.5), Rgb(50, 15, 100));
        assert_eq!(from_hex(0x12_ab_ef), Rgb(0x12, 0xab, 0xef));
    }
}
