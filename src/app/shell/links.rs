//! Links that are copied: to a level, or to a replay.

use super::commands::{CTRL, Chord, ctrl_shift};
use super::notice::Notice;
use bevy::prelude::KeyCode;

/// The words on the button.
pub const LABEL: &str = "Copy link";

/// The key, on every screen that has something to link to.
pub const KEYS: &[Chord] = &[ctrl_shift(KeyCode::KeyL)];

/// Copies a link, given without its `#`, and says so.
pub fn copy(link: Result<String, String>, put: impl FnOnce(String)) -> Notice {
    let page = page();
    match link {
        Ok(link) => {
            put(format!("{page}#{link}"));
            Notice::info(match page.is_empty() {
                true => format!(
                    "Link copied. {CTRL}V on the menu opens it, and so does Outwit in a browser, behind its address."
                ),
                false => "Link copied.".to_owned(),
            })
        }
        Err(why) => Notice::error(format!("There is no link to this. {why}")),
    }
}

/// The address of the page to which links lead, as far as it is known.
#[cfg(target_arch = "wasm32")]
fn page() -> String {
    outwit_core::platform::page::address()
}

/// The address of the page to which links lead, as far as whoever built this has named it.
#[cfg(not(target_arch = "wasm32"))]
fn page() -> &'static str {
    option_env!("OUTWIT_PAGE").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_copied_can_be_opened() {
        let mut copied = String::new();
        copy(Ok("play=mnk/tic".into()), |text| copied = text);
        assert_eq!(outwit_headless::link::in_text(&copied), Some("play=mnk/tic"));
        let refused = copy(Err("It is too large.".into()), |text| copied = text);
        assert!(refused.text.contains("too large"));
    }
}
