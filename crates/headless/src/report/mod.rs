//! Reports of measurements: one HTML file that needs nothing else, with tables, intervals, plots, what was run
//! and how to run it again. And sheets of exercises, to be printed.

mod comparison;
mod contest;
mod exercise;
mod page;
mod plot;
mod search_board;
#[cfg(test)]
mod tests;
mod tournament;
mod trial;

pub use comparison::comparison_report;
pub use contest::{ContestSite, SiteFilms};
pub use exercise::{answer, exercise_sheet, letter};
pub use plot::ticks;
pub use tournament::{PictureOfMatch, payoff_chart, tournament_report};
pub use trial::trial_report;

/// A number in at most four digits that say something, without an exponent where people read none.
fn figure(value: f64) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return grouped(&format!("{value:.0}"));
    }
    let digits = match value.abs() {
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 1.0 => 2,
        size if size >= 0.01 => 3,
        size if size >= 0.001 => 4,
        _ => return format!("{value:.1e}"),
    };
    grouped(&format!("{value:.digits$}"))
}

/// So many of something.
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(&count.to_string()), if count == 1 { one } else { many })
}

/// A number with commas between thousands.
fn grouped(number: &str) -> String {
    let (whole, rest) = number.find('.').map_or((number, ""), |at| number.split_at(at));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut grouped = String::from(sign);
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + rest
}
