//! Outwit as a page. The page calls `start` once everything is there; elsewhere this crate is empty.

#![cfg(target_arch = "wasm32")]

use outwit_core::platform::page;
use outwit_core::platform::task::spawn;
use outwit_headless::cli::{self, NoWindow};
use std::process::ExitCode;
use wasm_bindgen::prelude::wasm_bindgen;

/// Opens the game on the page's canvas. `link` is what stands behind the `#` of the page's address.
#[wasm_bindgen]
pub fn start(link: &str) {
    outwit::app::run_in_page(link);
}

/// Runs a sub-command beside the window, without the program's name. The page is told what it prints and when it ends.
#[wasm_bindgen]
pub fn command(arguments: Vec<String>) {
    let run = move || {
        let given: Vec<_> =
            std::iter::once("outwit".into()).chain(arguments.into_iter().map(Into::into)).collect();
        page::end_command(cli::run(&NoWindow, &given) == ExitCode::SUCCESS);
    };
    if spawn("command", run).is_err() {
        page::end_command(false);
    }
}
