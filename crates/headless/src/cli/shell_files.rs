//! `outwit completions` and `outwit man`: what packages install for shells and for `man`, made from the
//! arguments themselves.

use super::output::print_raw;
use super::{Answer, Arguments, ExitStatus, Failure, names};
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use outwit_core::platform::store;
use std::path::PathBuf;

/// Print the completions of a shell.
///
/// Example: outwit completions bash > ~/.local/share/bash-completion/completions/outwit
#[derive(Args)]
pub struct CompletionArguments {
    /// The shell.
    shell: Shell,
}

/// Print a manual page: that of outwit, or that of a command.
///
/// Example: outwit man solve | man -l -
#[derive(Args)]
pub struct ManArguments {
    /// The command.
    command: Option<String>,
    /// Save the pages of outwit and of all commands in this folder instead.
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    all: Option<PathBuf>,
}

/// Prints the completions of the shell that the arguments name.
pub fn completions(arguments: &CompletionArguments) -> ExitStatus {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "outwit", &mut text);
    print_raw(&String::from_utf8_lossy(&text));
    Ok(Answer::Yes)
}

/// Prints a manual page, or saves all of them.
pub fn man(arguments: &ManArguments) -> ExitStatus {
    // `outwit help solve` is described by the page of outwit.
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    if let Some(folder) = &arguments.all {
        store::create_folder(folder)?;
        for command in program.get_subcommands().chain([&program]) {
            let page = page(command)?;
            store::write(&folder.join(page.0), &page.1)?;
        }
        return Ok(Answer::Yes);
    }
    let wanted = match &arguments.command {
        Some(name) => program.find_subcommand(name).ok_or_else(|| {
            let known: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
            Failure::usage(format!("unknown command '{name}'; {}", names::suggest(name, &known)))
        })?,
        None => &program,
    };
    print_raw(&String::from_utf8_lossy(&page(wanted)?.1));
    Ok(Answer::Yes)
}

/// The manual page of a command, as name and content of its file.
fn page(command: &Command) -> Result<(String, Vec<u8>), Failure> {
    let page = Man::new(command.clone())
        .source(concat!("Outwit ", env!("CARGO_PKG_VERSION")))
        .manual("Outwit");
    let mut bytes = Vec::new();
    page.render(&mut bytes)?;
    Ok((page.get_filename(), bytes))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_shell_completes_every_command() {
        for &shell in Shell::value_variants() {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "outwit", &mut text);
            let text = String::from_utf8(text).unwrap();
            for command in Arguments::command().get_subcommands() {
                assert!(text.contains(command.get_name()), "{shell}: {}", command.get_name());
            }
            assert!(text.contains("--at-turn") || text.contains("at-turn"), "{shell}");
        }
    }

    #[test]
    fn every_command_has_a_page() {
        let folder = tempfile::tempdir().unwrap();
        let all = folder.path().join("man1");
        man(&ManArguments { command: None, all: Some(all.clone()) }).unwrap();
        let read = |name: &str| std::fs::read_to_string(all.join(name)).unwrap();
        let shown = |command: &&clap::Command| !command.is_hide_set();
        for command in Arguments::command().get_subcommands().filter(shown) {
            let text = read(&format!("outwit-{}.1", command.get_name()));
            assert!(text.starts_with(".") || text.starts_with(".ie"), "{text}");
            assert!(text.contains(env!("CARGO_PKG_VERSION")), "{text}");
            assert!(read("outwit.1").contains(command.get_name()));
        }
        let unknown = ManArguments { command: Some("slove".into()), all: None };
        assert!(man(&unknown).unwrap_err().lines[0].contains("did you mean 'solve'?"));
    }
}
