//! What is printed on the keys: shortcuts follow it, blocks of keys follow their place and show it.

use bevy::input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_egui::{EguiContext, PrimaryEguiContext, egui};
use std::sync::Arc;

/// The keys of the letters A to Z, in this order.
const LETTERS: [KeyCode; 26] = {
    use KeyCode::*;
    [
        KeyA, KeyB, KeyC, KeyD, KeyE, KeyF, KeyG, KeyH, KeyI, KeyJ, KeyK, KeyL, KeyM, KeyN, KeyO,
        KeyP, KeyQ, KeyR, KeyS, KeyT, KeyU, KeyV, KeyW, KeyX, KeyY, KeyZ,
    ]
};

/// The keys of the digits 0 to 9 above the letters, in this order.
const DIGITS: [KeyCode; 10] = {
    use KeyCode::*;
    [Digit0, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9]
};

/// The modifier keys that are held down, as one key after another is heard.
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    /// Either Shift key.
    pub shift: bool,
    ctrl: bool,
    alt: bool,
    alt_gr: bool,
    windows: bool,
}

impl Held {
    /// Notes whether a modifier key went down or up; other keys change nothing.
    pub fn hear(&mut self, input: &KeyboardInput) {
        let pressed = input.state.is_pressed();
        match input.logical_key {
            Key::Shift => self.shift = pressed,
            Key::Control => self.ctrl = pressed,
            Key::Alt => self.alt = pressed,
            Key::AltGraph => self.alt_gr = pressed,
            Key::Super | Key::Meta => self.windows = pressed,
            _ => {}
        }
    }

    /// Either Alt key, or AltGr.
    pub fn alt(self) -> bool {
        self.alt || self.alt_gr
    }

    /// The modifier key of shortcuts: Ctrl, or Command on a Mac.
    pub fn command(self) -> bool {
        if cfg!(target_os = "macos") { self.windows } else { self.ctrl }
    }

    /// The same for egui.
    pub fn modifiers(self) -> egui::Modifiers {
        egui::Modifiers {
            alt: self.alt,
            ctrl: self.ctrl,
            shift: self.shift,
            mac_cmd: cfg!(target_os = "macos") && self.windows,
            command: self.command(),
        }
    }

    /// Whether a key writes its character. Ctrl and Alt together are AltGr, except on a Mac.
    pub fn writes(self) -> bool {
        let alt_gr = !cfg!(target_os = "macos") && self.ctrl && self.alt;
        !self.windows && (!self.ctrl || alt_gr)
    }
}

/// Letters from here on are not Latin: keyboards that write them have Latin ones printed beside them.
const LATIN: u32 = 256;

/// A key that went down, as shortcuts know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Press {
    /// The key that has this character on an English keyboard, wherever it is on this one.
    pub key: KeyCode,
    /// The key that is there on an English keyboard, whatever this one has printed on it.
    pub place: KeyCode,
    /// Whether Ctrl is held; on a Mac, Command.
    pub ctrl: bool,
    /// Whether Shift is held, except where it makes the character.
    pub shift: bool,
    /// Whether it is held down since an earlier frame.
    pub repeat: bool,
}

impl Press {
    /// A key that went down by itself.
    pub fn plain(key: KeyCode) -> Self {
        Self { key, place: key, ctrl: false, shift: false, repeat: false }
    }

    /// What a key means that went down while these modifier keys were held; `None` for a key that belongs to the
    /// system, as Alt with a letter does.
    pub fn of(input: &KeyboardInput, held: Held) -> Option<Self> {
        let place = input.key_code;
        let written = match &input.logical_key {
            Key::Character(text) => of_character(text, place),
            _ => None,
        };
        // A keyboard without Latin letters still has their keys.
        let (key, makes) = written.or((!held.alt()).then_some((place, None)))?;
        let is_letter = LETTERS.contains(&key);
        if held.alt() && is_letter {
            return None;
        }
        let ctrl = held.command() && !held.alt();
        Some(Self { key, place, ctrl, shift: makes.unwrap_or(held.shift), repeat: input.repeat })
    }
}

/// The key that writes a character on an English keyboard, and whether Shift is held for it there; `None` for the
/// latter where Shift is a key of its own, as beside letters.
fn of_character(text: &str, place: KeyCode) -> Option<(KeyCode, Option<bool>)> {
    let mut letters = text.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else { return None };
    if letter.is_ascii_alphabetic() {
        let at = usize::from(letter.to_ascii_lowercase() as u8 - b'a');
        return LETTERS.get(at).map(|&key| (key, None));
    }
    if let Some(digit) = letter.to_digit(10) {
        // Those of the number pad are keys of their own.
        let is_row = DIGITS.contains(&place);
        return is_row.then(|| (DIGITS[digit as usize], Some(false)));
    }
    let key = match letter {
        // The first digit of Czech and Slovak keyboards, which have a plus elsewhere too.
        '+' if place == KeyCode::Digit1 => return None,
        '+' => KeyCode::NumpadAdd,
        '-' if place == KeyCode::NumpadSubtract => place,
        '-' => KeyCode::Minus,
        '=' => KeyCode::Equal,
        '.' => KeyCode::Period,
        ',' => KeyCode::Comma,
        '[' => KeyCode::BracketLeft,
        ']' => KeyCode::BracketRight,
        '/' => KeyCode::Slash,
        '?' => return Some((KeyCode::Slash, Some(true))),
        _ => return None,
    };
    Some((key, Some(false)))
}

/// The keys that went down in this frame, in the order in which they were typed.
#[derive(Resource, Clone, Default, Debug)]
pub struct Presses(pub Vec<Press>);

/// The characters that are printed on keys by their place, as far as they are known; otherwise an English keyboard
/// is assumed.
#[derive(Resource, Clone, Default, PartialEq, Eq, Debug)]
pub struct Printed(HashMap<KeyCode, char>);

impl Printed {
    /// What is printed on the keys where a panel is shown.
    pub fn of(ctx: &egui::Context) -> Arc<Self> {
        ctx.data(|data| data.get_temp(egui::Id::NULL)).unwrap_or_default()
    }

    /// The character on a key, in upper case.
    pub fn on(&self, place: KeyCode) -> Option<char> {
        self.0.get(&place).copied()
    }

    /// A text in which `{W}` stands for what is printed on the key that has W on an English keyboard.
    pub fn fill(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let letter = after.split_once('}').and_then(|(name, rest)| {
                let [letter @ b'A'..=b'Z'] = name.as_bytes() else { return None };
                let place = LETTERS[usize::from(letter - b'A')];
                Some((self.on(place).unwrap_or(char::from(*letter)), rest))
            });
            let (written, after) = letter.unwrap_or(('{', after));
            filled.push(written);
            rest = after;
        }
        filled + rest
    }

    /// Notes what a key has written.
    fn learn(&mut self, input: &KeyboardInput) {
        if let Key::Character(text) = &input.logical_key {
            let mut letters = text.chars().flat_map(char::to_uppercase);
            if let (Some(letter), None) = (letters.next(), letters.next()) {
                self.note(input.key_code, letter);
            }
        }
    }

    fn note(&mut self, place: KeyCode, letter: char) {
        // Other keys write other characters with Shift.
        if LETTERS.contains(&place) && letter.is_alphabetic() && u32::from(letter) < LATIN {
            self.0.insert(place, letter);
        }
    }

    /// Asks the display server, where there is one to ask.
    #[cfg(all(unix, not(any(target_os = "macos", target_arch = "wasm32"))))]
    fn of_system() -> Self {
        x11::printed().unwrap_or_default()
    }

    #[cfg(not(all(unix, not(any(target_os = "macos", target_arch = "wasm32")))))]
    fn of_system() -> Self {
        Self::default()
    }
}

#[cfg(all(unix, not(any(target_os = "macos", target_arch = "wasm32"))))]
mod x11 {
    use super::{KeyCode, Printed};
    use x11rb::protocol::xproto::ConnectionExt;

    /// The first code of the kernel for each row of letters, from left to right.
    const ROWS: [(u8, &[KeyCode]); 3] = {
        use KeyCode::*;
        [
            (16, &[KeyQ, KeyW, KeyE, KeyR, KeyT, KeyY, KeyU, KeyI, KeyO, KeyP]),
            (30, &[KeyA, KeyS, KeyD, KeyF, KeyG, KeyH, KeyJ, KeyK, KeyL]),
            (44, &[KeyZ, KeyX, KeyC, KeyV, KeyB, KeyN, KeyM]),
        ]
    };
    /// What X adds to the codes of the kernel.
    const OFFSET: u8 = 8;

    /// What the keys of an X server have printed on them; a Wayland compositor mostly has such a server as well.
    pub fn printed() -> Option<Printed> {
        let (connection, _) = x11rb::connect(None).ok()?;
        let mut printed = Printed::default();
        for (first, keys) in ROWS {
            let count = u8::try_from(keys.len()).ok()?;
            let asked = connection.get_keyboard_mapping(first + OFFSET, count).ok()?;
            let answer = asked.reply().ok()?;
            let by_key = answer.keysyms.chunks(usize::from(answer.keysyms_per_keycode).max(1));
            for (&key, symbols) in keys.iter().zip(by_key) {
                // The symbols of Latin letters are their numbers.
                if let Some(letter) = symbols.first().and_then(|&symbol| char::from_u32(symbol)) {
                    printed.note(key, letter.to_uppercase().next().unwrap_or(letter));
                }
            }
        }
        Some(printed)
    }
}

/// Follows what is printed on the keys, and tells the panels.
pub(super) fn follow(
    mut typed: MessageReader<KeyboardInput>,
    mut printed: ResMut<Printed>,
    mut context: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    mut is_told: Local<bool>,
) {
    if !typed.is_empty() {
        let mut now = printed.clone();
        typed.read().for_each(|input| now.learn(input));
        *is_told &= !printed.set_if_neq(now);
    }
    if !*is_told && let Ok(mut context) = context.single_mut() {
        *is_told = true;
        let shown = Arc::new(printed.clone());
        context.get_mut().data_mut(|data| data.insert_temp(egui::Id::NULL, shown));
    }
}

/// Adds what is printed on the keys, and the keys that went down.
pub(super) fn plugin(app: &mut App) {
    app.insert_resource(Printed::of_system()).init_resource::<Presses>();
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::input::ButtonState;

    fn press(place: KeyCode, letter: char, held: &[Key]) -> Option<Press> {
        let input = |logical_key, key_code| KeyboardInput {
            key_code,
            logical_key,
            state: ButtonState::Pressed,
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        };
        let mut keys = Held::default();
        held.iter().for_each(|key| keys.hear(&input(key.clone(), KeyCode::Fn)));
        Press::of(&input(Key::Character(letter.to_string().into()), place), keys)
    }

    /// The key that is meant, and whether Shift is.
    fn meant(place: KeyCode, letter: char, held: &[Key]) -> Option<(KeyCode, bool)> {
        press(place, letter, held).map(|press| (press.key, press.shift))
    }

    #[test]
    fn letters_are_where_they_are_printed() {
        use KeyCode::*;
        let none: &[Key] = &[];
        // French: A where Q is in English, and M beside L.
        assert_eq!(meant(KeyQ, 'a', none), Some((KeyA, false)));
        assert_eq!(meant(Semicolon, 'm', none), Some((KeyM, false)));
        // German.
        assert_eq!(meant(KeyY, 'z', none), Some((KeyZ, false)));
        assert_eq!(meant(KeyY, 'Z', &[Key::Shift]), Some((KeyZ, true)));
        // Caps Lock is no Shift.
        assert_eq!(meant(KeyY, 'Z', none), Some((KeyZ, false)));
        // Russian and Greek have no Latin letters.
        assert_eq!(meant(KeyQ, 'й', none), Some((KeyQ, false)));
        assert_eq!(meant(KeyD, 'δ', &[Key::Shift]), Some((KeyD, true)));
        assert_eq!(press(KeyQ, 'a', none).map(|press| press.place), Some(KeyQ));
    }

    #[test]
    fn digits_and_signs_need_no_shift_of_their_own() {
        use KeyCode::*;
        let (none, shift): (&[Key], &[Key]) = (&[], &[Key::Shift]);
        // Czech and French write digits with Shift.
        for letter in ['+', '&'] {
            assert_eq!(meant(Digit1, letter, none), Some((Digit1, false)), "{letter}");
        }
        assert_eq!(meant(Digit1, '1', shift), Some((Digit1, false)));
        // The only minus of a French keyboard beside that of the number pad.
        assert_eq!(meant(Digit6, '-', none), Some((Minus, false)));
        assert_eq!(meant(Digit6, '6', shift), Some((Digit6, false)));
        // German signs.
        assert_eq!(meant(Minus, '?', shift), Some((Slash, true)));
        assert_eq!(meant(Digit7, '/', shift), Some((Slash, false)));
        assert_eq!(meant(BracketRight, '+', none), Some((NumpadAdd, false)));
        assert_eq!(meant(Slash, '-', none), Some((Minus, false)));
        assert_eq!(meant(Digit8, '[', &[Key::AltGraph]), Some((BracketLeft, false)));
        // English ones.
        assert_eq!(meant(Slash, '?', shift), Some((Slash, true)));
        assert_eq!(meant(Equal, '+', shift), Some((NumpadAdd, false)));
        // The number pad is a block of its own.
        assert_eq!(meant(Numpad7, '7', none), Some((Numpad7, false)));
        assert_eq!(meant(NumpadSubtract, '-', none), Some((NumpadSubtract, false)));
    }

    #[test]
    fn alt_is_for_the_system_and_for_signs() {
        use KeyCode::*;
        assert_eq!(press(KeyN, 'n', &[Key::Alt]), None);
        assert_eq!(press(KeyQ, '@', &[Key::AltGraph]), None);
        // Windows has Ctrl and Alt for AltGr.
        let bracket = press(Digit8, '[', &[Key::Control, Key::Alt]);
        assert_eq!(bracket.map(|press| (press.key, press.ctrl)), Some((BracketLeft, false)));
        let command = if cfg!(target_os = "macos") { Key::Super } else { Key::Control };
        let undo = press(KeyY, 'z', &[command]);
        assert_eq!(undo.map(|press| (press.key, press.ctrl)), Some((KeyZ, true)));
    }

    #[test]
    fn texts_name_the_letters_of_the_keyboard() {
        let mut printed = Printed::default();
        printed.note(KeyCode::KeyW, 'Z');
        printed.note(KeyCode::KeyA, 'Q');
        let filled = printed.fill("Press {W} {A} {S} {D}, {not} this { or {}.");
        assert_eq!(filled, "Press Z Q S D, {not} this { or {}.");
    }

    #[test]
    fn what_a_key_wrote_is_printed_on_it() {
        let mut printed = Printed::default();
        for (place, text) in [
            (KeyCode::KeyQ, "a"),
            (KeyCode::KeyW, "Z"),
            (KeyCode::KeyE, "€"),
            (KeyCode::Digit1, "&"),
        ] {
            printed.learn(&KeyboardInput {
                key_code: place,
                logical_key: Key::Character(text.into()),
                state: ButtonState::Pressed,
                text: None,
                repeat: false,
                window: Entity::PLACEHOLDER,
            });
        }
        let on = [KeyCode::KeyQ, KeyCode::KeyW, KeyCode::KeyE, KeyCode::Digit1, KeyCode::KeyA];
        assert_eq!(on.map(|key| printed.on(key)), [Some('A'), Some('Z'), None, None, None]);
    }
}
