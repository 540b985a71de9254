//! Who plays, with how much time.

use super::{AllowedPrograms, Salt, StopFlag, TimeControl};
use crate::platform::time::Duration;
use std::path::{Path, PathBuf};

/// Who plays a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Player {
    /// A person, who chooses through [`Referee::choose`](super::Referee::choose).
    Human,
    /// A planner by name, or another program as `engine:PATH`.
    Planner(String),
}

/// A path that no name of a player can hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the path {} is not Unicode text", .0.display())]
pub struct NotUnicode(pub PathBuf);

impl From<NotUnicode> for String {
    fn from(error: NotUnicode) -> Self {
        error.to_string()
    }
}

/// What the name of a player begins with that is another program; its path follows.
const ENGINE: &str = "engine:";

impl Player {
    /// `human` or the planner's name.
    pub fn name(&self) -> &str {
        match self {
            Player::Human => "human",
            Player::Planner(name) => name,
        }
    }

    /// The player that is another program.
    ///
    /// # Errors
    /// If the path is no Unicode text, which names of players are.
    pub fn of_engine(path: &Path) -> Result<Self, NotUnicode> {
        match path.to_str() {
            Some(path) if !path.is_empty() => Ok(Player::Planner(format!("{ENGINE}{path}"))),
            _ => Err(NotUnicode(path.into())),
        }
    }

    /// What lists show: the name, or that of the program's file.
    pub fn label(&self) -> String {
        match self.engine() {
            None => self.name().to_owned(),
            Some(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// How long the player may prepare before the first turn unless the set-up says otherwise.
    pub fn preparation_limit(&self) -> Duration {
        if self.engine().is_some() { ENGINE_START } else { PREPARATION }
    }

    /// The path of the program, if the player is one.
    pub fn engine(&self) -> Option<&Path> {
        match self {
            Player::Human => None,
            Player::Planner(name) => engine_path(name),
        }
    }
}

/// The path of the program, if a player of this name is one.
pub fn engine_path(name: &str) -> Option<&Path> {
    name.strip_prefix(ENGINE).filter(|path| !path.is_empty()).map(Path::new)
}

impl From<&str> for Player {
    fn from(name: &str) -> Self {
        if name == "human" { Player::Human } else { Player::Planner(name.into()) }
    }
}

/// Where planners think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Thinking {
    /// Each on a thread of its own; [`Referee::poll`](super::Referee::poll) never blocks.
    #[default]
    Threads,
    /// Within [`Referee::poll`](super::Referee::poll), a few milliseconds at a time, where there is only one thread.
    Sliced,
    /// Within [`Referee::poll`](super::Referee::poll), a whole turn at a time: for work budgets, where only the amount of
    /// work counts. A planner that never returns is waited for.
    Inline,
}

/// Who plays, with how much time.
#[derive(Clone, Debug)]
pub struct MatchSetup {
    /// One entry per seat.
    pub players: Vec<Player>,
    /// One entry per seat.
    pub controls: Vec<TimeControl>,
    /// The seed of the match's chance.
    pub seed: u64,
    /// What keeps planners from guessing the chance; planners and programs are not given it.
    pub salt: Option<Salt>,
    /// Where planners think.
    pub thinking: Thinking,
    /// How long the planner of each seat may prepare before the first turn.
    pub preparation: Vec<Duration>,
    /// Whether a planner or a program that exceeds its time loses the match. Otherwise the best action that
    /// a planner has found until then is played, and the overrun is counted.
    pub strict: bool,
    /// The programs that may take a seat: those that a person has chosen, whatever the players are.
    pub programs: AllowedPrograms,
    /// Ends [`Referee::run`](super::Referee::run) soon after it is raised. Planners on the caller's thread are cut short by
    /// it too, so what they choose then is worth nothing.
    pub stop: StopFlag,
}

impl MatchSetup {
    /// The same time control for all, planners on threads, the usual limits of preparation, no
    /// programs allowed.
    pub fn new(players: &[Player], control: impl Into<TimeControl>, seed: u64) -> Self {
        let control = control.into();
        Self {
            controls: vec![control; players.len()],
            players: players.to_vec(),
            seed,
            salt: None,
            thinking: Thinking::Threads,
            preparation: players.iter().map(Player::preparation_limit).collect(),
            strict: false,
            programs: AllowedPrograms::default(),
            stop: StopFlag::default(),
        }
    }

    /// With planners that think there.
    #[must_use]
    pub fn thinking(self, thinking: Thinking) -> Self {
        Self { thinking, ..self }
    }
}

/// How long planners may prepare unless the set-up says otherwise.
pub const PREPARATION: Duration = Duration::from_secs(10);

/// How long other programs may take to start: some read large files or allocate memory first.
pub const ENGINE_START: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_players_by_their_paths() {
        let path = Path::new("/a folder/my engine.exe");
        let player = Player::of_engine(path);
        assert_eq!(player, Ok("engine:/a folder/my engine.exe".into()));
        let (engine, label) =
            player.map(|p| (p.engine().map(Path::to_owned), p.label())).unwrap_or_default();
        assert_eq!((engine.as_deref(), label.as_str()), (Some(path), "my engine"));
        for other in ["human", "best", "engine", "engine:", "engines:/x"] {
            assert_eq!(Player::from(other).engine(), None, "{other}");
        }
        assert!(Player::of_engine(Path::new("")).is_err());
    }
}
