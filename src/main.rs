//! Outwit from the command line; without a sub-command it opens the window.

fn main() -> std::process::ExitCode {
    #[cfg(feature = "app")]
    let window = outwit::app::DesktopWindow;
    #[cfg(not(feature = "app"))]
    let window = outwit_headless::cli::NoWindow;
    outwit_headless::cli::main(&window)
}
