//! Outwit as a page. The page calls [`start`] once everything is there; elsewhere this crate is empty.

#![cfg(target_arch = "wasm32")]

use wasm_bindgen::prelude::wasm_bindgen;

/// Opens the game on the page's canvas. `link` is what stands behind the `#` of the page's address.
#[wasm_bindgen]
pub fn start(link: &str) {
    outwit::app::run_in_page(link);
}
