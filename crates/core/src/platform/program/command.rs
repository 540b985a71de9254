//! Commands as people write them: a program with its arguments.

use super::{ProgramError, check_file};
use std::path::{Path, PathBuf};

/// A program with its arguments, and the folder that it works in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramCommand {
    /// The program as it was written: a path, or a name to be found on the search path.
    pub name: String,
    /// The program's file; its name alone if the search path has none.
    pub file: PathBuf,
    /// Its arguments. Those that name files or folders are absolute.
    pub arguments: Vec<String>,
    /// The folder that it works in: that of its file if it is written as a path, or else that of the first file or
    /// the first folder among the arguments, as in `python3 bots/fox.py`.
    pub folder: PathBuf,
}

impl ProgramCommand {
    /// Reads a command. A text that is the path of a file is this file without arguments, whatever blanks it has;
    /// all others are split as a shell does, by blanks and quotes; on Windows a backslash stands for itself. Nothing
    /// else of a shell is known.
    ///
    /// # Errors
    /// If a quote is not closed or there are no words.
    pub fn read(text: &str) -> Result<Self, ProgramError> {
        Self::read_from(text, Path::new(""))
    }

    /// Reads a command in another folder, in which it also works.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_in(text: &str, folder: &Path) -> Result<Self, ProgramError> {
        let read = Self::read_from(text, folder)?;
        Ok(Self { folder: absolute(folder)?, ..read })
    }

    fn read_from(text: &str, base: &Path) -> Result<Self, ProgramError> {
        let mut words = words(text, base)?.into_iter();
        let name = words.next().ok_or_else(|| ProgramError::NoCommand(text.into()))?;
        let is_path = is_path(&name) || base.join(&name).is_file();
        let file = if is_path { absolute(&base.join(&name))? } else { found(&name) };
        let mut named = Vec::new();
        let mut arguments = Vec::new();
        for word in words {
            match !word.is_empty() && base.join(&word).exists() {
                true => {
                    let path = absolute(&base.join(&word))?;
                    arguments.push(path.to_str().map_or(word, str::to_owned));
                    named.push(path);
                }
                false => arguments.push(word),
            }
        }
        let folder = match named.iter().find(|path| path.is_file()) {
            _ if is_path => file.parent().map(Path::to_owned),
            Some(file) => file.parent().map(Path::to_owned),
            None => named.into_iter().next(),
        };
        let folder = match folder {
            Some(folder) => folder,
            None => absolute(Path::new("."))?,
        };
        Ok(Self { name, file, arguments, folder })
    }

    /// Checks that its program is there and may be run.
    ///
    /// # Errors
    /// Why it cannot be run.
    pub fn check(&self) -> Result<(), ProgramError> {
        match self.file.is_absolute() {
            true => check_file(&self.file),
            false => Err(ProgramError::NotFound(self.name.clone())),
        }
    }

    /// The command that starts a file, with what reads it if its ending says so.
    pub fn text_for(file: &Path) -> String {
        let path = file.to_string_lossy();
        let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let interpreter = match ending.as_deref() {
            Some("py") if cfg!(windows) => "python",
            Some("py") => "python3",
            Some("jar") => "java -jar",
            Some("java") => "java",
            Some("js" | "mjs") => "node",
            _ => return path.into_owned(),
        };
        format!("{interpreter} {}", Self::quoted(file))
    }

    /// A path as a word of a command.
    pub fn quoted(file: &Path) -> String {
        // No path holds what cannot be quoted.
        shlex::try_quote(&file.to_string_lossy()).unwrap_or_default().into_owned()
    }

    /// What it is called before it has said so itself: the name of its file or of the script that it runs, without
    /// folder and ending.
    pub fn label(text: &str) -> String {
        let words = words(text, Path::new("")).unwrap_or_else(|_| vec![text.to_owned()]);
        let mut arguments = words.iter().skip(1).filter(|word| !word.starts_with('-'));
        let script = arguments.clone().find(|word| word.contains('.'));
        let named = script.or_else(|| arguments.next_back()).or(words.first());
        let stem = named.and_then(|word| Path::new(word).file_stem());
        stem.map_or_else(|| text.to_owned(), |stem| stem.to_string_lossy().into_owned())
    }
}

fn absolute(path: &Path) -> Result<PathBuf, ProgramError> {
    std::path::absolute(path)
        .map_err(|error| ProgramError::Unreadable { path: path.into(), why: error.to_string() })
}

/// The words of a command that is read in a folder.
fn words(text: &str, base: &Path) -> Result<Vec<String>, ProgramError> {
    if !text.is_empty() && base.join(text).is_file() {
        return Ok(vec![text.to_owned()]);
    }
    let split = match cfg!(windows) {
        true => shlex::split(&with_plain_backslashes(text)),
        false => shlex::split(text),
    };
    split.ok_or_else(|| ProgramError::OpenQuote(text.into()))
}

/// A command in which a backslash stands for itself, as in the paths of Windows, once a shell has read it.
fn with_plain_backslashes(text: &str) -> String {
    let mut quote = None;
    let mut plain = String::new();
    for letter in text.chars() {
        match quote {
            None if matches!(letter, '\'' | '"') => quote = Some(letter),
            Some(open) if open == letter => quote = None,
            _ => {}
        }
        plain.push(letter);
        // Between single quotes it stands for itself anyway.
        if letter == '\\' && quote != Some('\'') {
            plain.push(letter);
        }
    }
    plain
}

fn is_path(name: &str) -> bool {
    name.chars().any(std::path::is_separator)
}

/// The file of a program on the search path, or its name if there is none.
fn found(name: &str) -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let ending = std::env::consts::EXE_SUFFIX;
    std::env::split_paths(&folders)
        .flat_map(|folder| [folder.join(name), folder.join(format!("{name}{ending}"))])
        .find(|file| check_file(file).is_ok())
        .unwrap_or_else(|| name.into())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_is_called() {
        for (command, label) in [
            ("/games/my engine.exe", "engine"),
            ("'/games/my engine.exe'", "my engine"),
            ("python3 bots/fox.py --depth 3", "fox"),
            ("java -cp build Fox", "Fox"),
            ("java -jar Hare.jar", "Hare"),
            ("./wolf", "wolf"),
            ("'an open quote", "'an open quote"),
            ("", ""),
        ] {
            assert_eq!(ProgramCommand::label(command), label, "{command}");
        }
    }

    #[test]
    fn files_are_started_by_what_reads_them() {
        let text = |path: &str| ProgramCommand::text_for(Path::new(path));
        let python = if cfg!(windows) { "python" } else { "python3" };
        assert_eq!(text("/a b/fox.py"), format!("{python} '/a b/fox.py'"));
        assert_eq!(text("/a/Fox.jar"), "java -jar /a/Fox.jar");
        assert_eq!(text("/a b/fox"), "/a b/fox");
    }

    #[test]
    fn paths_of_windows_keep_their_backslashes() {
        for (command, words) in [
            (r"C:\bots\fox.exe --depth 3", vec![r"C:\bots\fox.exe", "--depth", "3"]),
            (r"'C:\my bots\fox.exe' x", vec![r"C:\my bots\fox.exe", "x"]),
            (r#"java -cp "C:\my bots" Fox"#, vec!["java", "-cp", r"C:\my bots", "Fox"]),
            (
                r#"\\server\fox.exe "it's" 'say "a\b"'"#,
                vec![r"\\server\fox.exe", "it's", r#"say "a\b""#],
            ),
        ] {
            assert_eq!(shlex::split(&with_plain_backslashes(command)).unwrap(), words, "{command}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_command_works_where_its_files_are() {
        let folder = tempfile::tempdir().unwrap();
        let folder = std::fs::canonicalize(folder.path()).unwrap();
        let script = folder.join("a bot.sh");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&script, "").unwrap();
        let script = script.to_str().unwrap();
        let read = |text: &str| ProgramCommand::read(text).unwrap();
        let whole = read(script);
        assert_eq!((whole.file.to_str().unwrap(), whole.arguments.len()), (script, 0));
        assert_eq!(whole.folder, folder);
        let shell = read(&format!("sh '{script}' --level 'a b'"));
        assert_eq!((shell.name.as_str(), shell.file.is_absolute()), ("sh", true));
        assert_eq!(shell.arguments, [script, "--level", "a b"]);
        assert_eq!(shell.folder, folder);
        let other = read(&format!("/bin/sh -c true {}", folder.display()));
        assert_eq!(other.folder, Path::new("/bin"));
        let elsewhere = ProgramCommand::read_in("sh 'a bot.sh' x", &folder).unwrap();
        assert_eq!((&elsewhere.folder, &elsewhere.arguments[0]), (&folder, &script.to_owned()));
        assert_eq!(
            ProgramCommand::read_in("./'a bot.sh'", &folder).unwrap().file,
            Path::new(script)
        );
        let inside = read(&format!("sh -c true {}", folder.display()));
        assert_eq!(inside.folder, folder);
        assert_eq!(read("sh -c true").folder, std::env::current_dir().unwrap());
    }

    #[test]
    fn commands_that_are_none_are_refused() {
        for (command, why) in [
            ("", "not a command"),
            ("   ", "not a command"),
            ("sh 'a", "quote"),
            ("no-such-program-anywhere x", "no program 'no-such-program-anywhere'"),
        ] {
            let read = ProgramCommand::read(command).and_then(|command| command.check());
            let error = read.unwrap_err().to_string();
            assert!(error.contains(why), "{command}: {error}");
        }
    }
}
