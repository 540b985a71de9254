//! Arguments that are refused by their names.

use super::error;
use pyo3::prelude::*;

/// The beginning of a text that a message repeats.
pub fn short(text: &str) -> String {
    cut(text, 60)
}

/// So many characters of a text.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// A whole number that is not negative.
pub fn whole<T: TryFrom<u64>>(name: &str, number: &Bound<'_, PyAny>) -> PyResult<T> {
    let found = number.extract::<u64>().ok().and_then(|number| T::try_from(number).ok());
    found.ok_or_else(|| {
        let given = number.repr().map_or_else(|why| why.to_string(), |text| text.to_string());
        error(format!("{name} is a whole number from 0 to {}, not {}", u64::MAX, short(&given)))
    })
}

/// A function for each name that reads the argument of this name.
macro_rules! numbers {
    ($($name:ident: $type:ty),*) => {$(
        pub fn $name(number: &Bound<'_, PyAny>) -> PyResult<$type> {
            whole(stringify!($name), number)
        }
    )*};
}

/// The same for arguments that may be `None`.
macro_rules! optional_numbers {
    ($($name:ident: $type:ty),*) => {$(
        pub fn $name(number: &Bound<'_, PyAny>) -> PyResult<Option<$type>> {
            if number.is_none() { Ok(None) } else { whole(stringify!($name), number).map(Some) }
        }
    )*};
}

numbers!(copies: usize, copy: usize, seed: u64, side: usize, turn: usize);
optional_numbers!(memory: usize, seats: usize, threads: usize);

/// A cell to start at.
pub fn start(cell: &Bound<'_, PyAny>) -> PyResult<Option<(i32, i32)>> {
    cell.extract::<Option<(i32, i32)>>().map_err(|_| error("start is a cell of the map, as (x, y)"))
}
