//! The side of the manager: commands to an engine that runs as a program, and its answers.

use super::{DEFAULT_TURN, WIN_LENGTH, pair, short};
use crate::Mnk;
use outwit_core::platform::program::{
    AllowedProgram, Program, ProgramLimits, ProgramLog, Received,
};
use outwit_core::platform::time::{Duration, Instant};
use outwit_core::play::{Budget, ENGINE_START, Game, TimeControl};

/// How long after an engine's last line it gets the next command: some lose one that comes sooner.
const SETTLE: Duration = Duration::from_millis(100);
/// An engine that goes on talking is not waited for longer than this.
const MOST_SETTLING: Duration = Duration::from_secs(1);
/// How long an engine may take to say what it is.
const ABOUT: Duration = Duration::from_secs(5);
/// How long an engine that has printed a greeting may take before its name and version follow.
const GREETING: Duration = Duration::from_millis(300);
/// How long an engine that has objected to a setting may take to answer the command behind it.
const OBJECTION: Duration = Duration::from_secs(2);
/// How often the manager looks whether its question still counts.
const LOOK: Duration = Duration::from_millis(10);
/// An engine that says more lines than this for one command writes without end.
const MOST_LINES: u32 = 50_000;
/// The memory that an engine may use by `INFO max_memory`, in bytes.
const MEMORY: u64 = 512 << 20;
/// What it may use up.
const LIMITS: ProgramLimits =
    ProgramLimits { memory: Some(2 << 30), file: None, line: 4096, waiting: 1024 };
/// The time left that the protocol has for a match without a limit.
const NO_LIMIT: u128 = 2_147_483_647;

/// Why an answer did not come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// Nobody waits for it any more.
    Stopped,
    /// The time is over.
    Late,
    /// The engine cannot be played with, and why.
    Fault(String),
}

/// What an engine answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reply {
    Ok,
    /// A column and a row.
    Move(usize, usize),
    /// A column and a row that the manager is asked to allow.
    Suggestion(usize, usize),
    Error(String),
    Unknown,
    Other(String),
}

impl Reply {
    /// The answer on a line; `None` if the line is only for people.
    fn read(line: &str) -> Option<Self> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word.to_ascii_uppercase().as_str() {
            "" | "MESSAGE" | "DEBUG" => None,
            "OK" => Some(Reply::Ok),
            "ERROR" => Some(Reply::Error(short(rest.trim_start_matches(['-', ' '])))),
            "UNKNOWN" => Some(Reply::Unknown),
            "SUGGEST" => Some(
                pair(rest).map_or(Reply::Other(line.to_owned()), |(x, y)| Reply::Suggestion(x, y)),
            ),
            _ => Some(
                pair(line)
                    .map_or_else(|_| Reply::Other(line.to_owned()), |(x, y)| Reply::Move(x, y)),
            ),
        }
    }
}

/// A question that may lose its meaning while it is answered.
type Stopped<'a> = &'a dyn Fn() -> bool;

/// A conversation with an engine.
pub(super) struct Manager {
    program: Program,
    /// When the engine last said something.
    heard: Option<Instant>,
    /// What the engine remarked about the present command.
    remarks: Vec<String>,
    /// Lines that the engine has said since the present command.
    lines: u32,
}

impl Manager {
    /// Starts an engine; nothing is said to it yet.
    pub fn start(program: &AllowedProgram, log: ProgramLog) -> Result<Self, Trouble> {
        let program =
            Program::start(program, LIMITS, log).map_err(|why| Trouble::Fault(why.into()))?;
        Ok(Self { program, heard: None, remarks: Vec::new(), lines: 0 })
    }

    /// The last remarks of the engine about the present command, at most five.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// What the engine says of itself; empty if it says nothing that could be read.
    pub fn about(&mut self, stopped: Stopped) -> Result<String, Trouble> {
        self.command("ABOUT\n", stopped)?;
        let mut said = String::new();
        let mut wait = ABOUT;
        loop {
            match self.reply(wait, stopped) {
                Ok(Reply::Other(line)) if line.contains('=') => return Ok(line),
                Ok(Reply::Other(line)) => {
                    // A greeting, or all that an old engine says.
                    said = line;
                    wait = GREETING;
                }
                Ok(_) | Err(Trouble::Late) => return Ok(said),
                Err(trouble) => return Err(trouble),
            }
        }
    }

    /// Asks whether the engine knows rows of other lengths than five, if the game has them.
    pub fn check_length(&mut self, game: &Mnk, about: &str) -> Result<(), Trouble> {
        if game.k() == 5 || about.contains(WIN_LENGTH) {
            return Ok(());
        }
        let k = game.k();
        Err(Trouble::Fault(format!(
            "it plays five in a row only, and here {k} in a row win: its answer to ABOUT does not \
             name {WIN_LENGTH}"
        )))
    }

    /// Tells the rules and the limits, sets up an empty board, and waits until the engine is ready.
    /// Returns its objection to a setting, if it has one.
    ///
    /// The settings come first: what they cost the engine, such as to allocate memory, is then a part of
    /// its start and not of its first move.
    pub fn begin(
        &mut self,
        game: &Mnk,
        control: TimeControl,
        against_people: bool,
        stopped: Stopped,
    ) -> Result<Option<String>, Trouble> {
        let (turn, whole) = match control {
            TimeControl::Turn(budget) => (milliseconds(limit_of(budget)), 0),
            TimeControl::Match { total, .. } => (milliseconds(total), milliseconds(total)),
            TimeControl::Unlimited => (u128::from(DEFAULT_TURN), 0),
        };
        let rules = &game.level().rules;
        let mut infos = format!(
            "INFO timeout_turn {turn}\nINFO timeout_match {whole}\nINFO max_memory {MEMORY}\n\
             INFO game_type {}\nINFO rule {}\nINFO folder {}\n",
            u8::from(!against_people),
            u8::from(rules.exact),
            self.program.folder().display(),
        );
        if rules.k != 5 {
            infos += &format!("INFO {WIN_LENGTH} {}\n", rules.k);
        }
        let width = game.width();
        let height = game.height();
        let start = if width == height {
            format!("START {width}")
        } else {
            format!("RECTSTART {width},{height}")
        };
        self.command(&format!("{infos}{start}\n"), stopped)?;
        self.ok(&start, OBJECTION, stopped)
    }

    /// Empties the board for another position.
    pub fn restart(&mut self, stopped: Stopped) -> Result<(), Trouble> {
        self.command("RESTART\n", stopped)?;
        self.ok("RESTART", Duration::ZERO, stopped).map(|_| ())
    }

    /// Waits for the engine to be ready for a question.
    pub fn settle(&mut self, stopped: Stopped) -> Result<(), Trouble> {
        let began = Instant::now();
        while let Some(heard) = self.heard
            && began.elapsed() < MOST_SETTLING
        {
            let left = SETTLE.saturating_sub(heard.elapsed());
            match self.listen(left, stopped) {
                // What was not asked for means nothing.
                Ok(_) => {}
                Err(Trouble::Late) => break,
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(())
    }

    /// Asks for a move, with this time left for the turn or the match, and waits for it no longer
    /// than `wait`. The engine must have [settled](Self::settle).
    pub fn ask(
        &mut self,
        question: &str,
        left: Option<Duration>,
        wait: Duration,
        stopped: Stopped,
    ) -> Result<(usize, usize), Trouble> {
        let left = left.map_or(NO_LIMIT, milliseconds);
        self.remarks.clear();
        self.lines = 0;
        self.send(&format!("INFO time_left {left}\n{question}"))?;
        // A board has many lines; what it is about stands in the first.
        let asked = question.lines().next().unwrap_or_default();
        let fault = |why: String| Err(Trouble::Fault(why));
        let began = Instant::now();
        loop {
            let reply = self.reply(wait.saturating_sub(began.elapsed()), stopped)?;
            return match reply {
                Reply::Move(x, y) => Ok((x, y)),
                Reply::Suggestion(x, y) => {
                    self.send(&format!("PLAY {x},{y}\n"))?;
                    continue;
                }
                Reply::Ok => fault(format!("it answered OK to {asked}, not a move")),
                Reply::Error(why) => fault(format!("it answered ERROR to {asked}: {why}")),
                Reply::Unknown => fault(format!("it does not know {asked}")),
                Reply::Other(line) => {
                    fault(format!("its answer to {asked} is not a move: '{}'", short(&line)))
                }
            };
        }
    }

    /// Sends a command once the engine has settled.
    fn command(&mut self, text: &str, stopped: Stopped) -> Result<(), Trouble> {
        self.settle(stopped)?;
        self.remarks.clear();
        self.lines = 0;
        self.send(text)
    }

    fn send(&mut self, text: &str) -> Result<(), Trouble> {
        self.program.send(text).map_err(|why| Trouble::Fault(why.into()))
    }

    /// Waits for `OK`, and after an error for no longer than `patience`: it may be an objection to what
    /// was sent before the command. Returns that objection.
    fn ok(
        &mut self,
        command: &str,
        patience: Duration,
        stopped: Stopped,
    ) -> Result<Option<String>, Trouble> {
        let began = Instant::now();
        let mut said = String::new();
        let mut objection = None;
        let mut refused: Option<(String, Instant)> = None;
        loop {
            let left = match &refused {
                Some((_, at)) => patience.saturating_sub(at.elapsed()),
                None => ENGINE_START.saturating_sub(began.elapsed()),
            };
            let mut refuse = |why: String| {
                refused.get_or_insert_with(|| (why, Instant::now()));
            };
            match self.reply(left, stopped) {
                Ok(Reply::Ok) => return Ok(objection),
                Ok(Reply::Error(why)) => {
                    refuse(format!("it answered ERROR to {command}: {why}"));
                    objection.get_or_insert(why);
                }
                Ok(Reply::Unknown) => refuse(format!("it does not know {command}")),
                // Some greet first, or are late with what they say of themselves.
                Ok(Reply::Other(line)) => said = format!("; it said '{}'", short(&line)),
                Ok(Reply::Move(x, y) | Reply::Suggestion(x, y)) => {
                    said = format!("; it said '{x},{y}'");
                }
                Err(Trouble::Late) => {
                    return Err(Trouble::Fault(refused.map_or_else(
                        || {
                            let seconds = began.elapsed().as_secs_f32();
                            format!("slow start: no OK to {command} after {seconds:.1} s{said}")
                        },
                        |(why, _)| why,
                    )));
                }
                Err(trouble) => return Err(trouble),
            }
        }
    }

    /// Waits for an answer, no longer than `wait`.
    fn reply(&mut self, wait: Duration, stopped: Stopped) -> Result<Reply, Trouble> {
        let began = Instant::now();
        loop {
            let line = self.listen(wait.saturating_sub(began.elapsed()), stopped)?;
            match Reply::read(&line) {
                Some(reply) => return Ok(reply),
                None if self.remarks.len() == 5 => self.remarks.rotate_left(1),
                None => self.remarks.push(String::new()),
            }
            if let Some(last) = self.remarks.last_mut() {
                *last = line;
            }
        }
    }

    /// Waits for a line, no longer than `wait`; what waits already is taken even without time.
    fn listen(&mut self, wait: Duration, stopped: Stopped) -> Result<String, Trouble> {
        let began = Instant::now();
        loop {
            if stopped() {
                return Err(Trouble::Stopped);
            }
            let left = wait.saturating_sub(began.elapsed());
            match self.program.receive(left.min(LOOK)) {
                Received::Line(line) => {
                    self.heard = Some(Instant::now());
                    self.lines += 1;
                    if self.lines > MOST_LINES {
                        return Err(Trouble::Fault("it writes without end".into()));
                    }
                    return Ok(line.text);
                }
                Received::Ended(how) => return Err(Trouble::Fault(how)),
                Received::Nothing if left.is_zero() => return Err(Trouble::Late),
                Received::Nothing => {}
            }
        }
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        // Whoever does not hear it is killed soon.
        let _ = self.program.send("END\n");
    }
}

/// The limit of a turn.
pub(super) fn limit_of(budget: Budget) -> Duration {
    match budget {
        Budget::Time(limit) | Budget::Cpu(limit) => limit,
        Budget::Work(_) => Duration::from_millis(DEFAULT_TURN),
    }
}

/// Whole milliseconds, within what engines can read.
fn milliseconds(time: Duration) -> u128 {
    time.as_millis().min(NO_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_line_is_an_answer_or_a_remark(line in prop_oneof![
            any::<String>(),
            "(OK|ERROR|UNKNOWN|MESSAGE|DEBUG|SUGGEST)?[ \\t]?-?[0-9]{0,25} ?,? ?-?[0-9]{0,25}",
        ]) {
            match Reply::read(&line) {
                Some(Reply::Move(x, y) | Reply::Suggestion(x, y)) => {
                    prop_assert!(x <= 10_000 && y <= 10_000);
                }
                Some(Reply::Error(why)) => prop_assert!(why.chars().count() <= 60),
                _ => {}
            }
        }
    }

    #[test]
    fn answers_are_read() {
        let error = |why: &str| Some(Reply::Error(why.into()));
        assert_eq!(Reply::read(" ok - all is well "), Some(Reply::Ok));
        assert_eq!(Reply::read("7, 12"), Some(Reply::Move(7, 12)));
        assert_eq!(Reply::read("ERROR - too large"), error("too large"));
        assert_eq!(Reply::read("unknown command"), Some(Reply::Unknown));
        assert_eq!(Reply::read("SUGGEST 1,2"), Some(Reply::Suggestion(1, 2)));
        for remark in ["MESSAGE 3,4", "DEBUG x", "message", ""] {
            assert_eq!(Reply::read(remark), None, "{remark}");
        }
        for other in [
            "SUGGEST all",
            "7,-1",
            "7",
            "7,8,9",
            "99999999999999999999,1",
            "name=\"A\"",
            "\u{fffd}",
        ] {
            assert_eq!(Reply::read(other), Some(Reply::Other(other.into())), "{other}");
        }
    }
}
