//! Commands in tables: the entry of a command has its keys, its words, and when it can be given. Keys,
//! buttons, tooltips, help and manual all come from it.

use crate::app::shell::keyboard::{Press, Presses, Printed};
use crate::app::shell::{screen_reader, widgets};
use bevy::prelude::*;
use bevy_egui::egui;
use bevy_egui::helpers::bevy_to_egui_physical_key;
use egui::Modifiers;

/// A key, with the modifier keys that are held while it is pressed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Chord {
    /// The key, as an English keyboard has it.
    pub key: KeyCode,
    /// Whether Ctrl is held; on a Mac, Command.
    pub ctrl: bool,
    /// Whether Shift is held.
    pub shift: bool,
    /// Whether it is the key at this place, as one of a block, and not the one with this character.
    pub in_block: bool,
}

/// A key without modifier keys: the one that has its character printed on it.
pub const fn key(key: KeyCode) -> Chord {
    Chord { key, ctrl: false, shift: false, in_block: false }
}

/// A key with Ctrl.
pub const fn ctrl(code: KeyCode) -> Chord {
    Chord { ctrl: true, ..key(code) }
}

/// A key with Shift.
pub const fn shift(code: KeyCode) -> Chord {
    Chord { shift: true, ..key(code) }
}

/// A key with Ctrl and Shift.
pub const fn ctrl_shift(code: KeyCode) -> Chord {
    Chord { ctrl: true, ..shift(code) }
}

/// A key of a block, whose place counts: on a French keyboard, `A` is there where `Q` is on an English one.
pub const fn block(code: KeyCode) -> Chord {
    Chord { in_block: true, ..key(code) }
}

/// What the modifier key of shortcuts is called, before another key.
pub const CTRL: &str = if cfg!(target_os = "macos") { "Cmd+" } else { "Ctrl+" };

impl Chord {
    /// What people call it, such as `Ctrl+Shift+S`, on an English keyboard; all arrow keys share one name.
    pub fn name(self) -> String {
        self.name_on(&Printed::default())
    }

    /// The same on a keyboard that has these letters printed on it.
    pub fn name_on(self, printed: &Printed) -> String {
        if self.in_block
            && let Some(letter) = printed.on(self.key)
        {
            return letter.into();
        }
        let key = match self.key {
            // It is the character that counts, wherever it is on the keyboard.
            KeyCode::Slash if self.shift => return "?".into(),
            KeyCode::ArrowUp | KeyCode::ArrowDown | KeyCode::ArrowLeft | KeyCode::ArrowRight => {
                "Arrows".into()
            }
            KeyCode::Escape => "Esc".into(),
            KeyCode::NumpadEnter => "Enter".into(),
            KeyCode::NumpadAdd => "+".into(),
            KeyCode::NumpadSubtract | KeyCode::Minus => "-".into(),
            KeyCode::Equal => "=".into(),
            KeyCode::Period => ".".into(),
            KeyCode::Comma => ",".into(),
            KeyCode::Slash => "/".into(),
            KeyCode::BracketLeft => "[".into(),
            KeyCode::BracketRight => "]".into(),
            other => {
                let name = format!("{other:?}");
                name.trim_start_matches("Key").trim_start_matches("Digit").to_owned()
            }
        };
        let ctrl = if self.ctrl { CTRL } else { "" };
        let shift = if self.shift { "Shift+" } else { "" };
        format!("{ctrl}{shift}{key}")
    }

    fn has(self, ctrl: bool, shift: bool) -> bool {
        (self.ctrl, self.shift) == (ctrl, shift)
    }

    /// Whether this key went down, whatever else was held.
    pub fn is_key_of(self, press: &Press) -> bool {
        self.key == if self.in_block { press.place } else { press.key }
    }

    /// Whether egui calls its key so; a key of the number pad has the name of its character.
    fn is(self, key: egui::Key) -> bool {
        bevy_to_egui_physical_key(&self.key) == Some(key)
    }

    fn is_on_number_pad(self) -> bool {
        use KeyCode::*;
        let digits = [
            Numpad0, Numpad1, Numpad2, Numpad3, Numpad4, Numpad5, Numpad6, Numpad7, Numpad8,
            Numpad9,
        ];
        digits.contains(&self.key)
    }
}

/// Most digits that are named one by one.
const MOST_DIGITS: usize = 6;

/// The names of keys on a keyboard, each once. Digits on the number pad are left out: a note of the help tells of
/// all of them together.
pub fn names(keys: &[Chord], printed: &Printed) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for chord in keys.iter().filter(|chord| !chord.is_on_number_pad()) {
        let name = chord.name_on(printed);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let are_digits = names.iter().all(|name| name.parse::<u8>().is_ok());
    match names.as_slice() {
        [first, .., last] if are_digits && names.len() > MOST_DIGITS => {
            vec![format!("{first}–{last}")]
        }
        _ => names,
    }
}

/// The entry of a command in the table of a screen; `S` is what decides whether it can be given.
pub struct Command<I, S: 'static = ()> {
    /// What it asks for.
    pub id: I,
    keys: &'static [Chord],
    /// The keys that give it in a browser, where some belong to that.
    in_browser: Option<&'static [Chord]>,
    /// The words on its button.
    pub label: &'static str,
    /// The icon on its button.
    pub icon: &'static str,
    /// The tooltip of its button.
    pub tip: &'static str,
    /// What its keys do, for help and manual. Neighbours with the same words share a row.
    pub help: &'static str,
    /// Whether it is given again and again while its key is held down.
    pub repeats: bool,
    /// Whether it can be given, or why not; the reason may be empty.
    pub allowed: fn(&S) -> Result<(), &'static str>,
}

/// An entry with the same words on its button, in its tooltip and in the help.
pub const fn command<I: Copy, S>(
    id: I,
    keys: &'static [Chord],
    help: &'static str,
) -> Command<I, S> {
    Command {
        id,
        keys,
        in_browser: None,
        label: help,
        icon: "",
        tip: help,
        help,
        repeats: false,
        allowed: always::<S>,
    }
}

fn always<S>(_state: &S) -> Result<(), &'static str> {
    Ok(())
}

impl<I, S> Command<I, S> {
    /// The keys that give it.
    pub const fn keys(&self) -> &'static [Chord] {
        self.keys_of(cfg!(target_arch = "wasm32"))
    }

    /// The keys that give it, in a browser or in a window of its own.
    pub const fn keys_of(&self, browser: bool) -> &'static [Chord] {
        match self.in_browser {
            Some(keys) if browser => keys,
            _ => self.keys,
        }
    }

    /// The name of the first of its keys on an English keyboard; empty if it has none.
    pub fn first_key(&self) -> String {
        self.keys().first().map_or_else(String::new, |chord| chord.name())
    }
}

impl<I: Copy, S> Command<I, S> {
    /// With other keys in a browser.
    #[must_use]
    pub const fn in_browser(self, keys: &'static [Chord]) -> Self {
        Self { in_browser: Some(keys), ..self }
    }

    /// With other words on its button.
    #[must_use]
    pub const fn label(self, label: &'static str) -> Self {
        Self { label, ..self }
    }

    /// With an icon.
    #[must_use]
    pub const fn icon(self, icon: &'static str) -> Self {
        Self { icon, ..self }
    }

    /// With another tooltip.
    #[must_use]
    pub const fn tip(self, tip: &'static str) -> Self {
        Self { tip, ..self }
    }

    /// Given again and again while its key is held down.
    #[must_use]
    pub const fn repeating(self) -> Self {
        Self { repeats: true, ..self }
    }

    /// Given only where `allowed` has no reason against it.
    #[must_use]
    pub const fn when(self, allowed: fn(&S) -> Result<(), &'static str>) -> Self {
        Self { allowed, ..self }
    }

    /// Its button, which looks like `face`; not to be pressed where the command is not allowed.
    /// Returns whether it was pressed.
    pub fn button(
        &self,
        ui: &mut egui::Ui,
        allowed: Result<(), &'static str>,
        face: egui::Button<'_>,
    ) -> bool {
        self.button_saying(ui, allowed, face, self.tip)
    }

    /// The same with another tooltip.
    pub fn button_saying(
        &self,
        ui: &mut egui::Ui,
        allowed: Result<(), &'static str>,
        face: egui::Button<'_>,
        tip: &str,
    ) -> bool {
        let response = ui.add_enabled(allowed.is_ok(), face);
        self.respond(response, allowed, tip)
    }

    /// Its button without words: they are its tooltip, and its name for people who do not see the
    /// icon.
    pub fn icon_button(
        &self,
        ui: &mut egui::Ui,
        allowed: Result<(), &'static str>,
        face: egui::Button<'_>,
    ) -> bool {
        let able = allowed.is_ok();
        let response = ui.add_enabled(able, face);
        let kind = egui::WidgetType::Button;
        response.widget_info(|| egui::WidgetInfo::labeled(kind, able, self.label));
        self.respond(response, allowed, self.label)
    }

    fn respond(
        &self,
        response: egui::Response,
        allowed: Result<(), &'static str>,
        tip: &str,
    ) -> bool {
        why_not(self.explain(response, tip), allowed).clicked()
    }

    /// Gives a control its tooltip, with the keys that do the same.
    pub fn explain(&self, response: egui::Response, tip: &str) -> egui::Response {
        screen_reader::name(&response, self.label);
        response.on_hover_ui(|ui| self.hint(ui, tip))
    }

    /// The content of its tooltip: words and keys.
    pub fn hint(&self, ui: &mut egui::Ui, tip: &str) {
        // Words alone may take several lines.
        if self.keys().is_empty() {
            ui.label(tip);
            return;
        }
        ui.horizontal(|ui| {
            ui.label(tip);
            self.caps(ui);
        });
    }

    /// Its keys, drawn as on a keyboard.
    pub fn caps(&self, ui: &mut egui::Ui) {
        for name in names(self.keys(), &Printed::of(ui.ctx())) {
            widgets::key_cap(ui, &name);
        }
    }

    /// Whether one of its keys went down in this frame. Shift does not matter.
    pub fn just_pressed(&self, presses: &Presses) -> bool {
        presses.0.iter().any(|press| {
            !press.repeat
                && self
                    .keys()
                    .iter()
                    .any(|chord| chord.is_key_of(press) && chord.ctrl == press.ctrl)
        })
    }

    /// Whether egui heard one of its keys in this frame, whatever else was held.
    pub fn pressed(&self, ctx: &egui::Context) -> bool {
        typed(ctx).iter().any(|&(key, _)| self.keys().iter().any(|chord| chord.is(key)))
    }
}

/// Gives the control of a command that is not allowed the reason as its tooltip, if there is one.
pub fn why_not(response: egui::Response, allowed: Result<(), &'static str>) -> egui::Response {
    match allowed.err().filter(|why| !why.is_empty()) {
        Some(why) => response.on_disabled_hover_text(why),
        None => response,
    }
}

/// The entry of a command. Each table has all commands of its screen that have a key or a fixed place.
pub fn entry<I: PartialEq, S>(table: &'static [Command<I, S>], id: I) -> &'static Command<I, S> {
    table.iter().find(|entry| entry.id == id).unwrap_or(&table[0])
}

/// The entry whose key went down, with exactly these modifier keys.
pub fn of_press<I: 'static, S>(
    table: impl IntoIterator<Item = &'static Command<I, S>>,
    press: &Press,
    ctrl: bool,
    shift: bool,
) -> Option<&'static Command<I, S>> {
    table.into_iter().find(|entry| {
        entry.keys().iter().any(|chord| chord.is_key_of(press) && chord.has(ctrl, shift))
    })
}

/// The same for a key of egui.
pub fn of_key<I, S>(
    table: &'static [Command<I, S>],
    key: egui::Key,
    ctrl: bool,
    shift: bool,
) -> Option<&'static Command<I, S>> {
    table
        .iter()
        .find(|entry| entry.keys().iter().any(|chord| chord.is(key) && chord.has(ctrl, shift)))
}

/// The keys that egui heard in this frame, each with the modifier keys that were held.
pub fn typed(ctx: &egui::Context) -> Vec<(egui::Key, Modifiers)> {
    ctx.input(|input| {
        input
            .events
            .iter()
            .filter_map(|event| match event {
                egui::Event::Key { key, pressed: true, modifiers, .. } => Some((*key, *modifiers)),
                _ => None,
            })
            .collect()
    })
}

/// The command of the first key that was pressed in this frame, whatever else was held.
pub fn pressed<I: Copy, S>(ctx: &egui::Context, table: &'static [Command<I, S>]) -> Option<I> {
    typed(ctx).iter().find_map(|&(key, _)| of_key(table, key, false, false)).map(|entry| entry.id)
}

/// Keys with the same words, or what is done with the mouse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyRow {
    /// The keys.
    pub keys: Vec<Chord>,
    /// The keys in a browser.
    pub in_browser: Vec<Chord>,
    /// What no table holds, such as the mouse; otherwise empty.
    pub other: &'static str,
    /// What they do.
    pub what: &'static str,
}

impl KeyRow {
    /// What to press on a keyboard, in words.
    pub fn names(&self, printed: &Printed) -> Vec<String> {
        if self.other.is_empty() { names(&self.keys, printed) } else { vec![self.other.to_owned()] }
    }
}

/// The rows of a table: neighbours with the same words share one.
pub fn rows<'a, I: 'a, S: 'static>(
    table: impl IntoIterator<Item = &'a Command<I, S>>,
) -> Vec<KeyRow> {
    let with_keys: Vec<_> = table.into_iter().filter(|entry| !entry.keys().is_empty()).collect();
    let row = |entries: &[&Command<I, S>]| KeyRow {
        keys: entries.iter().flat_map(|entry| entry.keys()).copied().collect(),
        in_browser: entries.iter().flat_map(|entry| entry.keys_of(true)).copied().collect(),
        other: "",
        // The dots say that a dialog opens; help need not.
        what: entries[0].help.trim_end_matches('…'),
    };
    with_keys.chunk_by(|a, b| a.help == b.help).map(row).collect()
}

/// A row for what no table holds.
pub const fn note(other: &'static str, what: &'static str) -> KeyRow {
    KeyRow { keys: Vec::new(), in_browser: Vec::new(), other, what }
}

/// The keys of a screen or a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyGroup {
    /// The name of the screen or the game.
    pub title: &'static str,
    /// Its keys, row by row.
    pub rows: Vec<KeyRow>,
}

/// All keys in the help.
#[derive(Resource, Clone, Default, Debug)]
pub struct KeyList(pub Vec<KeyGroup>);

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_ui_test::Harness;
    use outwit_ui_test::kittest::Queryable;

    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Move {
        Up,
        Down,
        Save,
        Hidden,
    }

    const TABLE: &[Command<Move, bool>] = &[
        command(Move::Up, &[key(KeyCode::ArrowUp), key(KeyCode::KeyW)], "Up or down"),
        command(Move::Down, &[key(KeyCode::ArrowDown), key(KeyCode::Numpad2)], "Up or down"),
        command(Move::Save, &[ctrl(KeyCode::KeyS), ctrl_shift(KeyCode::Equal)], "Save all")
            .label("Save")
            .when(|&able| if able { Ok(()) } else { Err("Nothing to save") }),
        command(Move::Hidden, &[], "By button alone"),
    ];

    #[test]
    fn neighbours_with_the_same_words_share_a_row() {
        let shown =
            rows(TABLE).into_iter().map(|row| (row.names(&Printed::default()).join(" "), row.what));
        let expected = [("Arrows W", "Up or down"), ("Ctrl+S Ctrl+Shift+=", "Save all")];
        assert!(shown.eq(expected.map(|(keys, what)| (keys.to_owned(), what))));
    }

    #[test]
    fn many_digits_are_shortened() {
        use KeyCode::*;
        let digits = [Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7].map(key);
        let names = |keys: &[Chord]| names(keys, &Printed::default());
        assert_eq!(names(&digits), ["1–7"]);
        assert_eq!(names(&digits[..3]), ["1", "2", "3"]);
    }

    #[test]
    fn keys_of_both_kinds_find_their_command() {
        let code = |key, ctrl, shift| {
            let press = Press { key, place: KeyCode::F24, ctrl, shift, repeat: false };
            of_press(TABLE, &press, ctrl, shift).map(|entry| entry.id)
        };
        assert_eq!(code(KeyCode::KeyW, false, false), Some(Move::Up));
        assert_eq!(code(KeyCode::KeyW, true, false), None);
        assert_eq!(code(KeyCode::KeyS, true, false), Some(Move::Save));
        assert_eq!(code(KeyCode::KeyS, true, true), None);
        assert_eq!(code(KeyCode::Digit2, false, false), None);
        let key = |key, ctrl, shift| of_key(TABLE, key, ctrl, shift).map(|entry| entry.id);
        assert_eq!(key(egui::Key::W, false, false), Some(Move::Up));
        assert_eq!(key(egui::Key::Equals, true, true), Some(Move::Save));
        assert_eq!(key(egui::Key::Num2, false, false), Some(Move::Down), "egui has one 2");
    }

    /// A window with the button of a command, which says when it was pressed.
    fn window(able: bool) -> Harness<'static, (bool, bool)> {
        let draw = |ui: &mut egui::Ui, (able, pressed): &mut (bool, bool)| {
            let save = entry(TABLE, Move::Save);
            let face = egui::Button::new(save.label);
            *pressed |= save.button(ui, (save.allowed)(able), face);
        };
        let mut window = Harness::builder()
            .with_size(egui::vec2(300.0, 200.0))
            .build_ui_state(draw, (able, false));
        window.ctx.all_styles_mut(|style| style.interaction.tooltip_delay = 0.0);
        window.run_steps(2);
        window
    }

    #[test]
    fn a_button_does_its_command_only_where_it_is_allowed() {
        for able in [true, false] {
            let mut window = window(able);
            window.get_by_label("Save").click();
            window.run_steps(2);
            assert_eq!(window.state().1, able);
        }
    }

    #[test]
    fn the_tooltip_of_a_button_has_its_words_or_why_not() {
        for (able, words, other) in
            [(true, "Save all", "Nothing to save"), (false, "Nothing to save", "Save all")]
        {
            let mut window = window(able);
            window.get_by_label("Save").hover();
            window.run_steps(6);
            assert!(window.query_by_label(words).is_some(), "{words}");
            assert!(window.query_by_label(other).is_none(), "{other}");
            for key in ["Ctrl+S", "Ctrl+Shift+="] {
                assert_eq!(window.query_by_label(key).is_some(), able, "{key}");
            }
        }
    }
}
