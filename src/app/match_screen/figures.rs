//! Figures in words.

use outwit_core::play::Unit;

/// A figure with as many decimals as it needs, and at most two.
pub fn figure(value: f64) -> String {
    let decimals = [1.0, 10.0].iter().take_while(|&&step| (value * step).fract() != 0.0).count();
    if value.is_nan() { "-".into() } else { format!("{value:.decimals$}") }
}

/// A figure with its unit.
pub fn counted(value: f64, unit: Unit) -> String {
    format!("{} {}", figure(value), if value == 1.0 { unit.one } else { unit.many })
}

/// A whole number with a comma after each three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A whole number with its noun: "1 state", "1,200 states".
pub fn grouped_count(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// An amount of work.
pub fn work_units(work: u64) -> String {
    grouped_count(work, "unit")
}

/// A figure with commas if it is large.
pub fn grouped_figure(value: f64) -> String {
    if (1000.0..1e15).contains(&value) { grouped(value.round() as u64) } else { figure(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_the_decimals_that_they_need() {
        let shown = [0.0, -3.0, 16.5, 2.25, 1.0 / 3.0, 2.998, f64::NAN].map(figure);
        assert_eq!(shown, ["0", "-3", "16.5", "2.25", "0.33", "3.00", "-"]);
    }
}
