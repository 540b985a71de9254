//! Why a sub-command could not answer "yes", for people and as a document.

use super::output::{eprint_line, print_json};
use outwit_core::levels::{Fault, Spot};
use outwit_core::platform::interrupt;
use serde_json::{Value, json};

/// Why a sub-command ended without its answer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Failure {
    /// 1 where the answer is "no", 2 where the question was wrong or something failed, more where a
    /// signal ended it.
    pub code: u8,
    /// What is wrong and what to do about it, each a line.
    pub lines: Vec<String>,
    /// The problems of files, as documents.
    pub problems: Vec<Value>,
}

impl Failure {
    /// A usage error: what is wrong, and what to do about it.
    pub fn usage(why: String) -> Self {
        Self { code: 2, lines: vec![why], problems: Vec::new() }
    }

    /// A file whose content has problems, which is an answer.
    pub fn faults(file: &str, faults: &[Fault]) -> Self {
        Self {
            code: 1,
            lines: faults.iter().map(|fault| fault.in_file(file)).collect(),
            problems: faults.iter().map(|fault| fault_document(file, fault)).collect(),
        }
    }

    /// The same as a usage error.
    pub fn into_usage(self) -> Self {
        Self { code: 2, ..self }
    }

    /// A signal ended the sub-command before its answer.
    pub fn interrupted(lines: Vec<String>) -> Self {
        let code = interrupt::exit_code().unwrap_or(2);
        Self { code, lines, problems: Vec::new() }
    }

    /// Prints it to standard error, and with `as_json` as a document to standard output too.
    pub fn print(&self, as_json: bool) {
        for (number, line) in self.lines.iter().enumerate() {
            // Problems of files begin with the name of the file.
            let by = if self.code > 1 && number == 0 { "outwit: " } else { "" };
            eprint_line(format_args!("{by}{line}"));
        }
        if as_json {
            // Plain texts always serialise.
            let _ = print_json(&json!({ "error": {
                "exit_code": self.code,
                "message": self.lines.join("\n"),
                "problems": self.problems,
            }}));
        }
    }
}

impl<E: ToString> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::usage(error.to_string())
    }
}

/// A problem of a file as a document.
pub(crate) fn fault_document(file: &str, fault: &Fault) -> Value {
    match fault.spot {
        Spot::Whole => json!({ "file": file, "what": fault.what }),
        Spot::Text { line, column } => {
            json!({ "file": file, "line": line, "column": column, "what": fault.what })
        }
        Spot::Cell(cell) => json!({ "file": file, "x": cell.x, "y": cell.y, "what": fault.what }),
    }
}
