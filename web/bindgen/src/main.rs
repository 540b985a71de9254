//! Writes the scripts that call a WebAssembly module, and the fonts for letters that Outwit's own lack, into a folder:
//! `outwit-bindgen MODULE FOLDER`.
//!
//! The library of wasm-bindgen's own command line, so that a lock file of ours says what is built.

use epaint_default_fonts::{EMOJI_ICON, HACK_REGULAR, NOTO_EMOJI_REGULAR, UBUNTU_LIGHT};
use std::path::Path;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

/// In the order in which `src/app/shell/fonts.rs` takes them.
const FONTS: [&[u8]; 4] = [HACK_REGULAR, UBUNTU_LIGHT, NOTO_EMOJI_REGULAR, EMOJI_ICON];

fn main() -> ExitCode {
    let [module, folder] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().unwrap_or_default();
    let mut bindgen = Bindgen::new();
    let written = bindgen
        .input_path(module)
        .out_name("outwit")
        .typescript(false)
        .web(true)
        .and_then(|bindgen| bindgen.generate(&folder))
        .and_then(|()| {
            for (number, font) in FONTS.iter().enumerate() {
                std::fs::write(Path::new(&folder).join(format!("font{number}.ttf")), font)?;
            }
            Ok(())
        });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("outwit-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
