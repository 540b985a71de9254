//! A running program and what it says, message by message.

use super::{LONGEST_MESSAGE, PROTOCOL, ProgramMessage, ReadyMessage};
use crate::escape::on_one_line;
use crate::levels::cut;
use crate::platform::program::{
    AllowedProgram, LogSource, Program, ProgramLimits, ProgramLog, Received,
};
use crate::platform::time::{Duration, Instant};
use serde_json::Value;

/// How often it is looked whether a question still counts.
const LOOK: Duration = Duration::from_millis(10);
/// The memory of a program, in bytes.
const MEMORY: u64 = 2 << 30;
/// Lines that may wait to be heard.
const WAITING: usize = 64;
/// A program that says more lines than this in one turn writes without end.
const MOST_LINES: u32 = 20_000;
/// The longest name that a program may have, in letters.
const MOST_NAME: usize = 60;

/// The name of a program as it is shown and saved: on one line, and not too long.
pub fn plain_name(name: &str) -> String {
    cut(&on_one_line(name), MOST_NAME)
}

/// Why an answer did not come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// Nobody waits for it any more.
    Stopped,
    /// The program cannot be played with, and why.
    Fault(String),
}

/// What was heard.
pub(super) enum Heard {
    /// A message, and when it came.
    Message(Box<ProgramMessage<Value>>, Instant),
    /// Something that is no message, and why.
    Broken(String),
    /// Nothing in time.
    Nothing,
}

/// A program that is ready to play.
pub(super) struct Conversation {
    program: Program,
    log: ProgramLog,
    lines: u32,
    pub ready: ReadyMessage,
}

impl Conversation {
    /// Starts a program, or goes on with one that was kept, and waits until it is ready.
    pub fn begin(
        allowed: &AllowedProgram,
        kept: Option<Program>,
        start: &str,
        log: ProgramLog,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Self, Trouble> {
        let limits = ProgramLimits {
            memory: Some(MEMORY),
            file: None,
            line: LONGEST_MESSAGE,
            waiting: WAITING,
        };
        let program = match kept {
            Some(mut program) => {
                program.log_to(log.clone());
                program
            }
            None => Program::start(allowed, limits, log.clone())
                .map_err(|why| Trouble::Fault(why.into()))?,
        };
        let mut conversation = Self { program, log, lines: 0, ready: ReadyMessage::default() };
        conversation.send(start)?;
        let mut unreadable = None;
        loop {
            if stopped() {
                return Err(match unreadable {
                    Some(why) => Trouble::Fault(format!("it did not say that it is ready; {why}")),
                    None => Trouble::Stopped,
                });
            }
            match conversation.hear(LOOK, stopped)? {
                Heard::Message(said, _) => {
                    let ProgramMessage::Ready(ready) = *said else {
                        conversation.note("it answers before it is ready");
                        continue;
                    };
                    if ready.protocol == 0 {
                        return Err(Trouble::Fault("it speaks version 0 of the protocol".into()));
                    }
                    conversation.ready = ReadyMessage {
                        protocol: ready.protocol.min(PROTOCOL),
                        name: plain_name(&ready.name),
                        author: plain_name(&ready.author),
                        ..ready
                    };
                    return Ok(conversation);
                }
                Heard::Broken(why) => unreadable = Some(why),
                Heard::Nothing => {}
            }
        }
    }

    /// Sends a message.
    pub fn send(&mut self, message: &str) -> Result<(), Trouble> {
        self.lines = 0;
        self.program.send(&format!("{message}\n")).map_err(|why| Trouble::Fault(why.into()))
    }

    /// Waits for a message, no longer than `wait`; what waits already is taken even without time.
    pub fn hear(&mut self, wait: Duration, stopped: &dyn Fn() -> bool) -> Result<Heard, Trouble> {
        let began = Instant::now();
        loop {
            let left = wait.saturating_sub(began.elapsed());
            match self.program.receive(left.min(LOOK)) {
                Received::Ended(how) => return Err(Trouble::Fault(how)),
                Received::Nothing if stopped() => return Err(Trouble::Stopped),
                Received::Nothing if left.is_zero() => return Ok(Heard::Nothing),
                Received::Nothing => {}
                Received::Line(line) => {
                    self.lines += 1;
                    if self.lines > MOST_LINES {
                        return Err(Trouble::Fault("it writes without end".into()));
                    }
                    if line.is_cut {
                        let most = LONGEST_MESSAGE >> 20;
                        let why = format!("a line is longer than {most} MiB");
                        self.note(&why);
                        return Ok(Heard::Broken(why));
                    }
                    match read(&line.text) {
                        Ok(Some(message)) => return Ok(Heard::Message(Box::new(message), line.at)),
                        Ok(None) => self.note("a message of an unknown type is ignored"),
                        Err(why) => {
                            self.note(&why);
                            return Ok(Heard::Broken(why));
                        }
                    }
                }
            }
        }
    }

    /// How long it has waited for a processor since it was started.
    pub fn waited(&self) -> Option<Duration> {
        self.program.waited_for_processor()
    }

    /// Puts a remark into the log.
    pub fn note(&self, text: &str) {
        self.log.add(LogSource::Note, text);
    }

    /// The program alone.
    pub fn into_program(self) -> Program {
        self.program
    }
}

/// Reads a line; `None` for a message of another type.
fn read(line: &str) -> Result<Option<ProgramMessage<Value>>, String> {
    const TYPES: [&str; 4] = ["ready", "action", "insight", "note"];
    let shown = || format!("'{}'", cut(&on_one_line(line), 60));
    let value: Value = serde_json::from_str(line)
        .map_err(|_| format!("it printed {}, which is not JSON", shown()))?;
    match value.get("type").and_then(Value::as_str) {
        None => Err(format!("it printed {}, which has no type", shown())),
        Some(kind) if !TYPES.contains(&kind) => Ok(None),
        Some(kind) => {
            let kind = kind.to_owned();
            serde_json::from_value(value)
                .map(Some)
                .map_err(|why| format!("its message {kind} cannot be read: {why}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn messages_are_read() {
        let is_action = |line: &str| matches!(read(line), Ok(Some(ProgramMessage::Action(_))));
        assert!(is_action(r#"{"type":"action","turn":3,"action":{"x":1},"later":[]}"#));
        assert!(matches!(read(r#"{"type":"hello"}"#), Ok(None)));
        for (line, why) in [
            ("thinking...", "not JSON"),
            ("5", "has no type"),
            (r#"{"turn":3,"action":1}"#, "has no type"),
            (r#"{"type":"action","action":1}"#, "missing field `turn`"),
            (r#"{"type":"action","turn":-1,"action":1}"#, "cannot be read"),
            (r#"{"type":"action","turn":1e99,"action":1}"#, "cannot be read"),
        ] {
            let error = read(line).err().unwrap_or_default();
            assert!(error.contains(why), "{line}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_line_is_a_message_or_none(line in any::<String>()) {
            if let Err(why) = read(&line) {
                prop_assert!(why.chars().count() < 400);
            }
        }
    }
}
