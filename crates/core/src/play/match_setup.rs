//! Who plays, with how much time.

use super::{AllowedPrograms, KeptPrograms, Salt, StopFlag, TimeControl};
use crate::platform::program::ProgramCommand;
use crate::platform::time::Duration;

/// Who plays a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Player {
    /// A person, who chooses through [`Referee::choose`](super::Referee::choose).
    Human,
    /// A planner by name, or another program as `program:COMMAND` or `engine:COMMAND`.
    Planner(String),
}

/// How another program is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramKind {
    /// In the [protocol](super::protocol) that is the same for all games.
    Program,
    /// In the protocol that engines of this game have had before.
    Engine,
}

impl ProgramKind {
    /// What the name of a player begins with that is such a program; its command follows.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Program => "program:",
            Self::Engine => "engine:",
        }
    }
}

/// Another program in the place of a planner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProgramName<'a> {
    /// How it is spoken to.
    pub kind: ProgramKind,
    /// How it is started: see [`ProgramCommand`](crate::platform::program::ProgramCommand).
    pub command: &'a str,
}

impl<'a> ProgramName<'a> {
    /// The program that a player of this name is, if it is one.
    pub fn of(name: &'a str) -> Option<Self> {
        [ProgramKind::Program, ProgramKind::Engine].into_iter().find_map(|kind| {
            let command = name.strip_prefix(kind.prefix())?;
            (!command.trim().is_empty()).then_some(Self { kind, command })
        })
    }
}

impl Player {
    /// `human` or the planner's name.
    pub fn name(&self) -> &str {
        match self {
            Player::Human => "human",
            Player::Planner(name) => name,
        }
    }

    /// The player that is another program.
    pub fn of_program(kind: ProgramKind, command: &str) -> Self {
        Player::Planner(format!("{}{command}", kind.prefix()))
    }

    /// What lists show: the name, or that of the program's file.
    pub fn label(&self) -> String {
        match self.program() {
            None => self.name().to_owned(),
            Some(program) => ProgramCommand::label(program.command),
        }
    }

    /// How long the player may prepare before the first turn unless the set-up says otherwise.
    pub fn preparation_limit(&self) -> Duration {
        match self.program() {
            Some(program) if program.kind == ProgramKind::Engine => ENGINE_START,
            _ => PREPARATION,
        }
    }

    /// The program, if the player is one.
    pub fn program(&self) -> Option<ProgramName<'_>> {
        match self {
            Player::Human => None,
            Player::Planner(name) => ProgramName::of(name),
        }
    }
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
    /// What a program may take beyond its time per turn, in a whole match: for the pauses of its runtime.
    pub bank: Duration,
    /// Programs that go on from match to match, if they can.
    pub kept: KeptPrograms,
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
            bank: BANK,
            kept: KeptPrograms::default(),
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

/// What a program may take beyond its time per turn, in a whole match, unless the set-up says otherwise.
pub const BANK: Duration = Duration::from_millis(1500);

/// How long other programs may take to start: some read large files or allocate memory first.
pub const ENGINE_START: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_players_by_their_commands() {
        let player = Player::of_program(ProgramKind::Engine, "/a folder/my engine.exe");
        assert_eq!(player.name(), "engine:/a folder/my engine.exe");
        let player = Player::of_program(ProgramKind::Program, "python3 bots/fox.py --depth 3");
        assert_eq!(player, "program:python3 bots/fox.py --depth 3".into());
        let program = player.program();
        let command = "python3 bots/fox.py --depth 3";
        assert_eq!(program, Some(ProgramName { kind: ProgramKind::Program, command }));
        assert_eq!(player.label(), "fox");
        for other in ["human", "best", "engine", "engine:", "program: ", "engines:/x"] {
            assert_eq!(Player::from(other).program(), None, "{other}");
        }
    }
}
