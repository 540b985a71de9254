//! `--set`, which several sub-commands read alike.

use super::Failure;
use super::names::suggest;
use super::source::FoundLevel;
use clap::Args;
use outwit_kit::DynGame;
use outwit_levels::{Entry, Source};

/// The rules of levels that are to be changed.
#[derive(Args)]
pub struct RuleArgs {
    /// Set a rule of the level: KEY=VALUE, as in laps=3; rules.KEY=VALUE means the same. May be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) set: Vec<String>,
}

impl RuleArgs {
    /// Whether no rule is to be changed.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// The rules of a game by key, with their values.
    ///
    /// # Errors
    /// Which one is written otherwise, unknown, or cannot have its value.
    pub fn of(&self, kind: &dyn DynGame) -> Result<Vec<(String, String)>, Failure> {
        let rules = kind.properties();
        let keys: Vec<_> = rules.iter().map(|rule| rule.key).collect();
        let read = |set: &String| {
            let (key, value) =
                set.split_once('=')
                    .map(|(key, value)| (key.trim(), value.trim()))
                    .ok_or_else(|| Failure::usage(format!("--set {set}: write KEY=VALUE")))?;
            let key = key.strip_prefix("rules.").unwrap_or(key);
            let rule = rules.iter().find(|rule| rule.key == key).ok_or_else(|| {
                Failure::usage(format!("unknown rule '{key}'; {}", suggest(key, &keys)))
            })?;
            rule.admits(value)?;
            Ok((key.to_owned(), value.to_owned()))
        };
        self.set.iter().map(read).collect()
    }

    /// A level with these rules.
    ///
    /// # Errors
    /// As [`of`](Self::of), or the problems of the level.
    pub fn apply(&self, found: FoundLevel) -> Result<FoundLevel, Failure> {
        if self.is_empty() {
            return Ok(found);
        }
        let kind = found.kind;
        let name = found.name();
        let changed = kind
            .convert(&found.bytes, &name, &self.of(kind)?, "ron")
            .map_err(|faults| Failure::faults(&name, &faults))?;
        let source = Source::Draft(String::from_utf8_lossy(&changed.bytes).into());
        Ok(FoundLevel { kind, entry: Entry { id: found.entry.id, source }, bytes: changed.bytes })
    }
}
