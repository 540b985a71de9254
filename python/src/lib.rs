//! The Rust part of Outwit's Python package: games, levels, positions, matches and replays as Python objects.
//!
//! Nothing of the games is done here: rules, planners, solvers and files are those of the crates below the window.

mod arguments;
mod batch;
mod document;
mod guard;
mod level;
mod picture;
mod referee;
mod replay;
mod seats;
mod state;
mod tournament;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{create_exception, pymodule};
use std::fmt::Display;

create_exception!(
    outwit,
    Error,
    PyValueError,
    "Something that Outwit refuses: what it is, where, and what to do about it."
);

/// A refusal as an exception.
fn error(why: impl Display) -> PyErr {
    Error::new_err(why.to_string())
}

/// Refuses what needs NumPy where that is not installed.
fn need_numpy(py: Python<'_>) -> PyResult<()> {
    py.import("numpy")
        .map(drop)
        .map_err(|why| error(format!("this needs NumPy: pip install numpy ({why})")))
}

/// Problems of a file as an exception, one in a line, each with its place.
fn faulty(name: &str, faults: &[outwit_core::levels::Fault]) -> PyErr {
    let lines: Vec<String> = faults
        .iter()
        .map(|fault| if name.is_empty() { fault.to_string() } else { fault.in_file(name) })
        .collect();
    error(lines.join("\n"))
}

/// The Rust part of the package `outwit`.
#[pymodule]
mod _outwit {
    #[pymodule_export]
    use super::Error;
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::level::{Level, games, levels, planners, tiles};
    #[pymodule_export]
    use super::referee::Referee;
    #[pymodule_export]
    use super::replay::Replay;
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::tournament::{check_player, csv, standings};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::guard::remember_process();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
