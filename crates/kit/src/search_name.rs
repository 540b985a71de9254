//! Searches by name, and the settings that may follow it.

use outwit_core::search::{Evaluation, Ties};

/// The weights that A* may have.
pub const WEIGHTS: std::ops::RangeInclusive<u32> = 1..=10;

/// A search as it is named: `NAME` for a planner that searches, or `NAME:ties=fifo,weight=2` for one with other
/// settings. Matches are played without settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchName<'a> {
    /// The planner.
    pub planner: &'a str,
    /// Which of several states of the same evaluation comes first, if not as usual.
    pub ties: Option<Ties>,
    /// The weight of the estimate in A*, if not the usual one.
    pub weight: Option<u32>,
}

/// Why a text names no search.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SearchNameError {
    /// The planner is none that searches.
    #[error("'{0}' is no search of this game")]
    Unknown(String),
    /// What follows the name is no setting.
    #[error(
        "'{name}': '{setting}' is not a setting of a search; use ties=fifo, ties=lifo, ties=least-h \
         or weight=1 to weight=10, separated by commas"
    )]
    Setting {
        /// The whole text.
        name: String,
        /// What is wrong with it.
        setting: String,
    },
    /// A setting is given twice.
    #[error("'{name}': {key} is given twice")]
    Twice {
        /// The whole text.
        name: String,
        /// The setting.
        key: &'static str,
    },
    /// The search does not order states by an evaluation.
    #[error("{0} does not order states by an evaluation, so it has no ties to break and no weight")]
    NoEvaluation(String),
    /// The search is not A*.
    #[error("{0} does not add an estimate to the cost so far, so it has no weight: only A* does")]
    NoWeight(String),
}

impl std::fmt::Display for SearchName<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.planner)?;
        let ties = self.ties.map(|ties| format!("ties={}", ties.name()));
        let weight = self.weight.map(|weight| format!("weight={weight}"));
        for (number, setting) in [ties, weight].into_iter().flatten().enumerate() {
            write!(f, "{}{setting}", if number == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl<'a> SearchName<'a> {
    /// A planner as it usually searches.
    pub fn usual(planner: &'a str) -> Self {
        Self { planner, ties: None, weight: None }
    }

    /// The planner of a name, whatever follows.
    pub fn planner_of(name: &str) -> &str {
        name.split_once(':').map_or(name, |(planner, _)| planner)
    }

    /// Reads a name with its settings.
    ///
    /// # Errors
    /// What is no setting, or is given twice.
    pub fn read(name: &'a str) -> Result<Self, SearchNameError> {
        let Some((planner, settings)) = name.split_once(':') else {
            return Ok(Self::usual(name));
        };
        let mut read = Self::usual(planner);
        for setting in settings.split(',') {
            let wrong = || SearchNameError::Setting { name: name.into(), setting: setting.into() };
            let twice = |key| SearchNameError::Twice { name: name.into(), key };
            match setting.split_once('=') {
                Some(("ties", value)) => {
                    let ties = Ties::ALL.into_iter().find(|ties| ties.name() == value);
                    if read.ties.replace(ties.ok_or_else(wrong)?).is_some() {
                        return Err(twice("ties"));
                    }
                }
                Some(("weight", value)) => {
                    let weight = value.parse().ok().filter(|weight| WEIGHTS.contains(weight));
                    if read.weight.replace(weight.ok_or_else(wrong)?).is_some() {
                        return Err(twice("weight"));
                    }
                }
                _ => return Err(wrong()),
            }
        }
        Ok(read)
    }

    /// Whether any setting is given.
    pub fn has_settings(&self) -> bool {
        self.ties.is_some() || self.weight.is_some()
    }

    /// What orders the states of the search by these settings, given what usually does; `None` for the order in
    /// which they are found.
    ///
    /// # Errors
    /// If the search has no such settings.
    pub fn evaluation(
        &self,
        usual: Option<Evaluation>,
    ) -> Result<Option<Evaluation>, SearchNameError> {
        let Some(weight) = self.weight else {
            return match usual {
                None if self.ties.is_some() => {
                    Err(SearchNameError::NoEvaluation(self.planner.into()))
                }
                usual => Ok(usual),
            };
        };
        match (usual, weight) {
            (None, _) => Err(SearchNameError::NoEvaluation(self.planner.into())),
            (Some(Evaluation::UniformCost | Evaluation::Greedy), _) => {
                Err(SearchNameError::NoWeight(self.planner.into()))
            }
            (Some(Evaluation::AStar | Evaluation::Weighted(_)), 1) => Ok(Some(Evaluation::AStar)),
            (Some(Evaluation::AStar | Evaluation::Weighted(_)), weight) => {
                Ok(Some(Evaluation::Weighted(weight)))
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn settings_follow_the_name() {
        let read = |name| SearchName::read(name).map(|read| (read.planner, read.ties, read.weight));
        assert_eq!(read("astar"), Ok(("astar", None, None)));
        assert_eq!(read("astar:ties=fifo"), Ok(("astar", Some(Ties::Fifo), None)));
        let both = Ok(("astar", Some(Ties::LeastEstimate), Some(10)));
        assert_eq!(read("astar:weight=10,ties=least-h"), both);
        for name in [
            "astar:",
            "astar:ties",
            "astar:ties=",
            "astar:ties=none",
            "astar:weight=0",
            "astar:weight=11",
            "astar:weight=-1",
            "astar:weight=1.5",
            "astar:weight=2,",
            "astar:ties=fifo;weight=2",
        ] {
            let why = read(name).unwrap_err().to_string();
            assert!(why.contains(name) && why.contains("weight=1 to weight=10"), "{why}");
        }
        for name in ["astar", "astar:ties=lifo", "astar:weight=3", "astar:ties=fifo,weight=2"] {
            assert_eq!(SearchName::read(name).unwrap().to_string(), name);
        }
        let why = read("astar:weight=2,weight=3").unwrap_err().to_string();
        assert_eq!(why, "'astar:weight=2,weight=3': weight is given twice");
    }

    #[test]
    fn only_what_has_an_evaluation_has_settings() {
        let evaluation =
            |name: &'static str, usual| SearchName::read(name).unwrap().evaluation(usual);
        assert_eq!(evaluation("a", None), Ok(None));
        assert!(evaluation("a:ties=lifo", None).is_err());
        assert!(evaluation("a:weight=1", None).is_err());
        let greedy = Some(Evaluation::Greedy);
        assert_eq!(evaluation("a:ties=lifo", greedy), Ok(greedy));
        assert!(evaluation("a:weight=2", greedy).is_err());
        for usual in [Evaluation::AStar, Evaluation::Weighted(3)] {
            assert_eq!(evaluation("a:ties=lifo", Some(usual)), Ok(Some(usual)));
            assert_eq!(evaluation("a:weight=1", Some(usual)), Ok(Some(Evaluation::AStar)));
            assert_eq!(evaluation("a:weight=2", Some(usual)), Ok(Some(Evaluation::Weighted(2))));
        }
    }
}
