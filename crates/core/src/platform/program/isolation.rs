//! What programs of other people cannot reach.
//!
//! Without isolation they run as the person who starts them. Bubblewrap (Linux) and containers give them a system of
//! their own: no network, their own folder to read, a small `/tmp` to write, and no process outlives them.

use super::{ProgramCommand, ProgramError, ProgramLimits};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

/// How much an isolated program may write to its `/tmp`, in MiB.
const TMP_MIB: u32 = 64;
/// How many processes and threads an isolated program may have.
pub(super) const MOST_PROCESSES: u32 = 256;

/// How programs are kept from the rest of the machine. Written as `none`, `bwrap`, `docker:IMAGE` or `podman:IMAGE`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Isolation {
    /// Not at all: only memory and the number of processes are limited. The only way on Windows.
    #[default]
    Limits,
    /// In a sandbox of Bubblewrap, with the programs and libraries of the system.
    Bwrap,
    /// In a container of this image.
    Docker(String),
    /// In a container of this image.
    Podman(String),
}

impl std::fmt::Display for Isolation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Limits => f.write_str("none"),
            Self::Bwrap => f.write_str("bwrap"),
            Self::Docker(image) => write!(f, "docker:{image}"),
            Self::Podman(image) => write!(f, "podman:{image}"),
        }
    }
}

impl FromStr for Isolation {
    type Err = ProgramError;

    fn from_str(text: &str) -> Result<Self, ProgramError> {
        let image = |name: &str| match is_image(name) {
            true => Ok(name.to_owned()),
            false => Err(ProgramError::NoImage(name.into())),
        };
        match text.split_once(':') {
            None if text == "none" => Ok(Self::Limits),
            None if text == "bwrap" => Ok(Self::Bwrap),
            Some(("docker", name)) => image(name).map(Self::Docker),
            Some(("podman", name)) => image(name).map(Self::Podman),
            _ => Err(ProgramError::NoIsolation(text.into())),
        }
    }
}

/// Whether this can name an image, and no option.
fn is_image(name: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "._/:@-".contains(letter);
    name.starts_with(|letter: char| letter.is_ascii_alphanumeric()) && name.chars().all(fits)
}

impl Isolation {
    /// Checks that what isolates programs is installed.
    ///
    /// # Errors
    /// What is missing.
    pub fn check(&self) -> Result<(), ProgramError> {
        match self {
            Self::Limits => Ok(()),
            Self::Bwrap => installed("bwrap").map(drop),
            Self::Docker(_) => installed("docker").map(drop),
            Self::Podman(_) => installed("podman").map(drop),
        }
    }

    /// What is started, and with what arguments, to run a command. `mark` stands in its environment, so that its
    /// processes can be found, and names its container.
    ///
    /// # Errors
    /// If what isolates programs is not installed.
    pub(super) fn command(
        &self,
        inner: &ProgramCommand,
        limits: ProgramLimits,
        mark: &str,
        is_build: bool,
    ) -> Result<Command, ProgramError> {
        match self {
            Self::Limits => {
                let mut command = Command::new(&inner.file);
                command.args(&inner.arguments).current_dir(&inner.folder).env(MARK, mark);
                Ok(command)
            }
            Self::Bwrap => {
                let mut command = Command::new(installed("bwrap")?);
                command.args(bwrap(inner, mark, Path::new("/"), is_build));
                Ok(command)
            }
            Self::Docker(image) => container("docker", image, inner, limits, mark, is_build),
            Self::Podman(image) => container("podman", image, inner, limits, mark, is_build),
        }
    }

    /// What ends a command that does not end with the process that was started.
    pub(super) fn end(&self, mark: &str) -> Option<Command> {
        let runtime = match self {
            Self::Limits | Self::Bwrap => return None,
            Self::Docker(_) => "docker",
            Self::Podman(_) => "podman",
        };
        let mut command = Command::new(installed(runtime).ok()?);
        command.args(["rm", "--force", mark]);
        Some(command)
    }
}

/// The variable of its environment that marks the processes of a program.
pub(super) const MARK: &str = "OUTWIT_PROGRAM";

fn installed(name: &'static str) -> Result<PathBuf, ProgramError> {
    if cfg!(windows) {
        return Err(ProgramError::NoIsolationHere);
    }
    let isolator = ProgramCommand::read(name).and_then(|found| found.check().map(|()| found.file));
    isolator.map_err(|_| ProgramError::NoIsolator(name))
}

/// The arguments of Bubblewrap: a read-only system without the homes, no network, and processes that nobody outside
/// sees and that end with the first of them. `root` is where the system lies; a build may change its folder.
fn bwrap(inner: &ProgramCommand, mark: &str, root: &Path, is_build: bool) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = Vec::new();
    let mut add = |words: &[&OsStr]| arguments.extend(words.iter().map(|word| word.into()));
    let word = OsStr::new;
    for option in ["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"] {
        add(&[word(option)]);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    for (name, value) in
        [(MARK, word(mark)), ("PATH", &path), ("HOME", word("/tmp")), ("LANG", word("C.UTF-8"))]
    {
        add(&[word("--setenv"), word(name), value]);
    }
    for name in ["bin", "sbin", "lib", "lib32", "lib64", "usr", "opt"] {
        let folder = root.join(name);
        match std::fs::read_link(&folder) {
            Ok(target) => add(&[word("--symlink"), target.as_os_str(), folder.as_os_str()]),
            Err(_) => add(&[word("--ro-bind-try"), folder.as_os_str(), folder.as_os_str()]),
        }
    }
    let settings = std::fs::read_dir(root.join("etc")).into_iter().flatten().flatten();
    for entry in settings {
        let name = entry.file_name();
        let is_needed = ["alternatives", "ld.so", "java", "node", "python", "localtime", "mono"]
            .iter()
            .any(|needed| name.to_string_lossy().starts_with(needed));
        if is_needed {
            let path = entry.path();
            add(&[word("--ro-bind-try"), path.as_os_str(), path.as_os_str()]);
        }
    }
    let size = (u64::from(TMP_MIB) << 20).to_string();
    for (option, folder) in [("--proc", "/proc"), ("--dev", "/dev")] {
        add(&[word(option), word(folder)]);
    }
    for folder in ["/dev/shm", "/tmp"] {
        add(&[word("--size"), word(&size), word("--tmpfs"), word(folder)]);
    }
    add(&[word("--remount-ro"), word("/dev")]);
    let is_own = inner.file.starts_with(&inner.folder);
    let language = if is_own { None } else { language_folder(&inner.file) };
    let own = if is_build { "--bind" } else { "--ro-bind" };
    for (how, folder) in language.iter().map(|it| ("--ro-bind", it)).chain([(own, &inner.folder)]) {
        add(&[word(how), folder.as_os_str(), folder.as_os_str()]);
    }
    add(&[word("--chdir"), inner.folder.as_os_str(), word("--"), inner.file.as_os_str()]);
    arguments.extend(inner.arguments.iter().map(Into::into));
    arguments
}

/// Where an interpreter lies that is not a part of the system, as those of version managers do; never a whole home.
fn language_folder(file: &Path) -> Option<PathBuf> {
    let is_system = ["/usr", "/bin", "/sbin", "/lib", "/opt"].iter().any(|of| file.starts_with(of));
    let bin = file.parent()?;
    let whole = bin.parent()?;
    let home = std::env::home_dir();
    let is_home = home.is_some_and(|home| home.starts_with(whole));
    (!is_system).then(|| if is_home { bin.to_owned() } else { whole.to_owned() })
}

/// Who owns a folder, as containers name users.
#[cfg(unix)]
fn owner(folder: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let found = std::fs::metadata(folder).ok()?;
    Some(format!("{}:{}", found.uid(), found.gid()))
}

#[cfg(not(unix))]
fn owner(_folder: &Path) -> Option<String> {
    None
}

/// The command that runs another one in a container.
fn container(
    runtime: &'static str,
    image: &str,
    inner: &ProgramCommand,
    limits: ProgramLimits,
    mark: &str,
    is_build: bool,
) -> Result<Command, ProgramError> {
    let mut command = Command::new(installed(runtime)?);
    command.args(["run", "--rm", "--interactive", "--init", "--network", "none", "--read-only"]);
    command.args(["--cap-drop", "ALL", "--security-opt", "no-new-privileges"]);
    // What is built belongs to who owns the folder.
    let user = if is_build { owner(&inner.folder) } else { None };
    let user = user.unwrap_or_else(|| "65534:65534".into());
    command.args(["--user", &user, "--name", mark]);
    command.arg("--tmpfs").arg(format!("/tmp:size={TMP_MIB}m"));
    command.arg("--pids-limit").arg(MOST_PROCESSES.to_string());
    if let Some(memory) = limits.memory {
        let memory = format!("{}m", memory >> 20);
        command.args(["--memory", &memory, "--memory-swap", &memory]);
    }
    if let Some(file) = limits.file {
        command.arg("--ulimit").arg(format!("fsize={file}"));
    }
    let access = if is_build { "" } else { ",readonly" };
    let mut mount = OsString::from(format!("type=bind{access},source="));
    mount.push(&inner.folder);
    mount.push(",target=");
    mount.push(&inner.folder);
    command.arg("--mount").arg(mount).arg("--workdir").arg(&inner.folder);
    // A program on the search path is the image's own.
    let is_own = inner.file.starts_with(&inner.folder);
    let program = if is_own { inner.file.as_os_str() } else { OsStr::new(&inner.name) };
    command.arg(image).arg(program).args(&inner.arguments);
    Ok(command)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn words(arguments: impl IntoIterator<Item = OsString>) -> String {
        let words: Vec<_> =
            arguments.into_iter().map(|word| word.to_string_lossy().into_owned()).collect();
        words.join(" ")
    }

    fn python() -> ProgramCommand {
        ProgramCommand {
            name: "python3".into(),
            file: "/usr/bin/python3".into(),
            arguments: vec!["/bots/fox.py".into(), "a b".into()],
            folder: "/bots".into(),
        }
    }

    #[test]
    fn ways_to_isolate_are_read() {
        let read = |text: &str| text.parse::<Isolation>();
        assert_eq!(read("bwrap"), Ok(Isolation::Bwrap));
        for text in ["none", "bwrap", "docker:python:3.13", "podman:a/b@c"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        assert_eq!(read("docker:python:3.13"), Ok(Isolation::Docker("python:3.13".into())));
        assert_eq!(read("podman:a/b@c"), Ok(Isolation::Podman("a/b@c".into())));
        for bad in ["", "jail", "docker", "docker:", "docker:--privileged", "podman:a b", "bwrap:x"]
        {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_sandbox_shows_the_system_and_one_folder() {
        let line = words(bwrap(&python(), "mark-1", Path::new("/"), false));
        for part in [
            "--unshare-all --die-with-parent",
            "--setenv OUTWIT_PROGRAM mark-1",
            "--size 67108864 --tmpfs /tmp",
            "--ro-bind /bots /bots --chdir /bots -- /usr/bin/python3 /bots/fox.py a b",
        ] {
            assert!(line.contains(part), "{part}: {line}");
        }
        assert!(!line.contains("--share-net") && !line.contains("/home"), "{line}");
        let build = words(bwrap(&python(), "mark-1", Path::new("/"), true));
        assert!(build.contains("--bind /bots /bots --chdir /bots"), "{build}");
        assert!(!build.contains("--ro-bind /bots"), "{build}");
    }

    #[test]
    fn interpreters_elsewhere_come_along_but_no_home_does() {
        assert_eq!(language_folder(Path::new("/usr/bin/python3")), None);
        let shims = language_folder(Path::new("/srv/pyenv/shims/python3"));
        assert_eq!(shims.as_deref(), Some(Path::new("/srv/pyenv")));
        let home = std::env::home_dir().unwrap();
        assert_eq!(language_folder(&home.join("bin/x")), Some(home.join("bin")));
    }
}
