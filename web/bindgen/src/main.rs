//! Writes the scripts that call a WebAssembly module: `outwit-bindgen MODULE FOLDER`.
//!
//! The library of wasm-bindgen's own command line, so that a lock file of ours says what is built.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let [module, folder] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().unwrap_or_default();
    let mut bindgen = Bindgen::new();
    let written = bindgen
        .input_path(module)
        .out_name("outwit")
        .typescript(false)
        .web(true)
        .and_then(|bindgen| bindgen.generate(folder));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("outwit-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
