//! What a program and its host said to each other.

use crate::escape::letters;
use crate::platform::time::{Duration, Instant};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Lines that are kept; older ones go.
const MOST_LINES: usize = 500;
/// Characters of a line that are kept.
const MOST_CHARS: usize = 400;

/// Where a line of a log comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogSource {
    /// It was sent to the program.
    Sent,
    /// The program said it on its standard output.
    Output,
    /// The program wrote it to its standard error.
    Error,
    /// A remark about the program itself.
    Note,
}

impl LogSource {
    /// A sign for the left margin: `>` sent, `<` output, `!` error, `#` note.
    pub fn sign(self) -> char {
        match self {
            LogSource::Sent => '>',
            LogSource::Output => '<',
            LogSource::Error => '!',
            LogSource::Note => '#',
        }
    }
}

/// A line of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogLine {
    /// Time since the log was begun.
    pub at: Duration,
    /// Who said it.
    pub source: LogSource,
    /// What was said, with a blank for each hidden character.
    pub text: String,
}

struct Lines {
    begun: Instant,
    name: Option<String>,
    kept: VecDeque<LogLine>,
    ever: u64,
}

/// The last lines that a program and its host exchanged, and what it calls itself; clones share them.
#[derive(Clone)]
pub struct ProgramLog(Arc<Mutex<Lines>>);

impl Default for ProgramLog {
    fn default() -> Self {
        let lines = Lines { begun: Instant::now(), name: None, kept: VecDeque::new(), ever: 0 };
        Self(Arc::new(Mutex::new(lines)))
    }
}

impl std::fmt::Debug for ProgramLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ProgramLog").field(&self.written()).finish()
    }
}

impl ProgramLog {
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line, of which the first 400 characters are kept.
    pub fn add(&self, source: LogSource, text: &str) {
        let mut letters = letters(text.trim_end());
        let mut text: String = letters
            .by_ref()
            .take(MOST_CHARS)
            .map(|(letter, hidden)| if hidden { ' ' } else { letter })
            .collect();
        if letters.next().is_some() {
            text.push('…');
        }
        let mut lines = self.lock();
        let at = lines.begun.elapsed();
        if lines.kept.len() == MOST_LINES {
            lines.kept.pop_front();
        }
        lines.kept.push_back(LogLine { at, source, text });
        lines.ever += 1;
    }

    /// The program calls itself this.
    pub fn introduce(&self, name: String) {
        self.lock().name = Some(name);
    }

    /// What the program calls itself, once it has said so.
    pub fn name(&self) -> Option<String> {
        self.lock().name.clone()
    }

    /// The last lines, at most 500, the oldest first.
    pub fn lines(&self) -> Vec<LogLine> {
        self.lock().kept.iter().cloned().collect()
    }

    /// The lines that came after the first `before` ones, as far as they are kept.
    pub fn since(&self, before: u64) -> Vec<LogLine> {
        let lines = self.lock();
        let news = usize::try_from(lines.ever.saturating_sub(before)).unwrap_or(usize::MAX);
        lines.kept.iter().skip(lines.kept.len().saturating_sub(news)).cloned().collect()
    }

    /// What a program wrote to its standard error after the first `before` lines, the oldest first.
    pub fn errors_since(&self, before: u64) -> Vec<String> {
        let lines = self.since(before).into_iter();
        lines.filter(|line| line.source == LogSource::Error).map(|line| line.text).collect()
    }

    /// The line of a program's standard error that says best why it ended, among those after the first `before` ones
    /// of the log: the last one, but not the frames and the farewells of runtimes.
    pub fn last_error(&self, before: u64) -> Option<String> {
        let mut lines = self.errors_since(before);
        let by_node = lines.iter().any(|line| line.starts_with("Node.js v"));
        let named = lines.iter().rposition(|line| by_node && names_error(line));
        let at = named.or_else(|| lines.iter().rposition(|line| says_something(line)))?;
        Some(lines.swap_remove(at))
    }

    /// How many lines were ever written, to see whether there is news.
    pub fn written(&self) -> u64 {
        self.lock().ever
    }
}

/// Whether a line begins with the name of an error, as in `TypeError: x is not a function`.
fn names_error(line: &str) -> bool {
    line.split([':', ' ']).next().is_some_and(|word| word.ends_with("Error"))
}

/// Whether a line is more than a frame of a stack, or what a runtime prints below each error.
fn says_something(line: &str) -> bool {
    let line = line.trim();
    let is_help =
        line.contains("--help'") && (line.starts_with("Run '") || line.starts_with("See '"));
    let noise = ["at ", "Node.js v", "(Use `node "];
    !(line.is_empty() || is_help || noise.iter().any(|start| line.starts_with(start)))
}

/// The log that a program's lines go to, which may change; clones share it.
#[derive(Clone)]
pub(super) struct CurrentLog(Arc<Mutex<ProgramLog>>);

impl CurrentLog {
    pub fn new(log: ProgramLog) -> Self {
        Self(Arc::new(Mutex::new(log)))
    }

    pub fn get(&self) -> ProgramLog {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set(&self, log: ProgramLog) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = log;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_found_among_what_runtimes_print() {
        for (lines, error) in [
            (&["x", "KeyError: 'plaze'"][..], "KeyError: 'plaze'"),
            (
                &[
                    "/a/fox.js:1",
                    "throw new Error('no map');",
                    "^",
                    "",
                    "Error: no map",
                    "    at Object.<anonymous> (/a/fox.js:1:7) {",
                    "  code: 'X'",
                    "}",
                    "",
                    "Node.js v20.20.2",
                ],
                "Error: no map",
            ),
            (
                &["TypeError [ERR_X]: bad", "    at f (/a/fox.js:1:7)", "", "Node.js v20.20.2"],
                "TypeError [ERR_X]: bad",
            ),
            (
                &[
                    "Exception in thread \"main\" java.lang.Error: no map",
                    "\tat Fox.main(Fox.java:3)",
                ],
                "Exception in thread \"main\" java.lang.Error: no map",
            ),
            (
                &[
                    "docker: Error response from daemon: no such image",
                    "",
                    "Run 'docker run --help' for more information",
                ],
                "docker: Error response from daemon: no such image",
            ),
        ] {
            let log = ProgramLog::default();
            log.add(LogSource::Error, "Error: an old one");
            let before = log.written();
            lines.iter().for_each(|line| log.add(LogSource::Error, line));
            log.add(LogSource::Output, "x");
            assert_eq!(log.last_error(before).as_deref(), Some(error));
        }
        assert_eq!(ProgramLog::default().last_error(0), None);
    }

    #[test]
    fn a_log_keeps_the_last_lines_and_their_beginnings() {
        let log = ProgramLog::default();
        for number in 0..MOST_LINES + 3 {
            log.add(LogSource::Note, &format!("{number}\u{202e}\u{7}"));
        }
        log.add(LogSource::Error, &"x".repeat(MOST_CHARS + 9));
        let lines = log.lines();
        assert_eq!((lines.len(), log.written()), (MOST_LINES, MOST_LINES as u64 + 4));
        assert_eq!(lines[0].text, "4  ");
        assert_eq!((log.since(0), log.since(log.written())), (lines.clone(), Vec::new()));
        assert_eq!(log.since(log.written() - 1), lines[MOST_LINES - 1..]);
        assert_eq!(lines[MOST_LINES - 1].text.chars().count(), MOST_CHARS + 1);
    }
}
