//! Options that seal the dice of a tournament.

use super::Failure;
use clap::Args;
use outwit_core::platform::store::read;
use outwit_core::play::{Salt, SaltSyntax};
use outwit_core::tournament::Contest;
use std::path::{Path, PathBuf};

/// Whether planners can guess the dice.
#[derive(Args)]
pub struct Sealing {
    /// Seal the dice: mix a secret salt, drawn from the operating system's randomness, into the dice
    /// and into the seeds of planners. Without it, a planner can find the dice by trying seeds. The
    /// salt is published with the results, so that every game can be checked and played again. This
    /// is the default where other programs play.
    #[arg(long)]
    sealed: bool,
    /// Do not seal the dice where other programs play: the same command then has the same dice.
    #[arg(long, conflicts_with_all = ["sealed", "salt"])]
    unsealed: bool,
    /// Seal the dice with the salt in FILE: 64 hexadecimal digits, such as 'openssl rand -hex 32'
    /// prints. All shares of a tournament need the same one.
    #[arg(long, value_name = "FILE")]
    salt: Option<PathBuf>,
}

impl Sealing {
    /// The salt of a tournament of which nothing is saved yet, or only a share is played.
    ///
    /// # Errors
    /// If the salt cannot be read or drawn, or other shares could not have the same.
    pub fn begin(&self, contest: &Contest, is_share: bool) -> Result<Option<Salt>, Failure> {
        let by_default = !self.unsealed && contest.programs().next().is_some();
        match &self.salt {
            Some(file) => read_salt(file).map(Some),
            None if !self.sealed && !by_default => Ok(None),
            None if is_share => Err(Failure::usage(format!(
                "all shares of a sealed tournament need the same salt: write one to a file, such as \
                 with 'openssl rand -hex 32 > salt.txt', and give all shares that file with \
                 --salt{}",
                if by_default { ", or use --unsealed" } else { "" }
            ))),
            None => Ok(Some(Salt::draw()?)),
        }
    }

    /// The salt of a saved tournament.
    ///
    /// # Errors
    /// If the options ask for another one.
    pub fn resume(&self, saved: &Contest) -> Result<Option<Salt>, Failure> {
        let wrong = match (saved.salt, &self.salt) {
            (None, None) if self.sealed => "is not sealed: leave out --sealed",
            (Some(_), _) if self.unsealed => "is sealed: leave out --unsealed",
            (own, Some(file)) if own != Some(read_salt(file)?) => {
                "has another salt: leave out --salt"
            }
            (own, _) => return Ok(own),
        };
        Err(Failure::usage(format!("the saved tournament {wrong}, or choose another file")))
    }
}

fn read_salt(file: &Path) -> Result<Salt, Failure> {
    let bytes = read(file)?;
    let salt = std::str::from_utf8(&bytes).map_err(|_| SaltSyntax);
    salt.and_then(|text| text.trim().parse())
        .map_err(|error| Failure::usage(format!("{}: {error}", file.display())))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn files_of_salts_hold_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("salt.txt");
        let salt = "0a".repeat(32);
        std::fs::write(&file, format!("{salt}\n")).unwrap();
        assert_eq!(read_salt(&file).unwrap().to_string(), salt);
        for wrong in ["", "0a", &format!("{salt}\n{salt}"), &format!("{salt}0a")] {
            std::fs::write(&file, wrong).unwrap();
            let why = read_salt(&file).unwrap_err().lines.concat();
            assert!(why.contains("salt.txt: a salt is 64 hexadecimal digits"), "{why}");
        }
        std::fs::write(&file, [0xff; 64]).unwrap();
        assert!(read_salt(&file).is_err());
        assert!(read_salt(folder.path()).is_err());
    }
}
