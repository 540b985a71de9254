//! Outwit from the command line; without a sub-command it opens the window.

fn main() -> std::process::ExitCode {
    outwit::app::run(outwit::app::Launch::default())
}
