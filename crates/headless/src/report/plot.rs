//! Plots as inline SVG.

use super::figure;
use outwit_core::escape::markup;
use std::fmt::Write;

/// Sizes in pixels: the room for names, the width of the plot, the height of a row, the margin above and below.
const NAMES: f64 = 220.0;
const WIDTH: f64 = 520.0;
const ROW: f64 = 26.0;
const HEAD: f64 = 8.0;
const FOOT: f64 = 30.0;

/// A value with what it is of, and the half width of its interval, if it has one.
pub struct Bar {
    /// What it is of.
    pub name: String,
    /// The value.
    pub value: f64,
    /// The half width of its interval.
    pub ci95: Option<f64>,
}

/// Values as points with their intervals, one below the other.
pub fn intervals(bars: &[Bar], unit: &str) -> String {
    let ends = |bar: &Bar| {
        let half = bar.ci95.unwrap_or_default();
        [bar.value - half, bar.value + half]
    };
    let all = || bars.iter().flat_map(ends).filter(|end| end.is_finite());
    let low = all().fold(f64::INFINITY, f64::min);
    let high = all().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return String::new();
    }
    let room = if high > low { (high - low) * 0.06 } else { high.abs().max(1.0) * 0.5 };
    let ticks = ticks(low - room, high + room);
    let low = ticks[0].min(low - room);
    let high = ticks[ticks.len() - 1].max(high + room);
    let x = |value: f64| NAMES + (value - low) / (high - low) * WIDTH;
    let bottom = HEAD + bars.len() as f64 * ROW;
    let mut svg = begin(bottom + FOOT);
    for &tick in &ticks {
        axis(&mut svg, x(tick), bottom, &figure(tick));
    }
    for (n, bar) in bars.iter().enumerate() {
        let y = HEAD + (n as f64 + 0.5) * ROW;
        name(&mut svg, y, &bar.name);
        let [from, to] = ends(bar);
        if bar.value.is_finite() {
            let _ = write!(
                svg,
                "<line class=\"one\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke-width=\"3\"/>\
                 <circle class=\"one\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5\"/>",
                x(from),
                x(to),
                x(bar.value)
            );
        }
    }
    finish(svg, bottom, unit)
}

/// Positive values on a logarithmic scale, as bars.
pub fn logarithmic(bars: &[Bar], unit: &str) -> String {
    let values =
        || bars.iter().map(|bar| bar.value).filter(|value| *value > 0.0 && value.is_finite());
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(0.0, f64::max);
    if low > high {
        return String::new();
    }
    let from = low.log10().floor() as i32;
    let to = (high.log10().ceil() as i32).max(low.log10().floor() as i32 + 1);
    let x = |value: f64| NAMES + (value.log10() - f64::from(from)) / f64::from(to - from) * WIDTH;
    let bottom = HEAD + bars.len() as f64 * ROW;
    let mut svg = begin(bottom + FOOT);
    let step = ((to - from) / 6 + 1) as usize;
    for power in (from..=to).step_by(step) {
        axis(&mut svg, x(10_f64.powi(power)), bottom, &figure(10_f64.powi(power)));
    }
    for (n, bar) in bars.iter().enumerate() {
        let y = HEAD + n as f64 * ROW;
        name(&mut svg, y + ROW / 2.0, &bar.name);
        if bar.value > 0.0 && bar.value.is_finite() {
            let _ = write!(
                svg,
                "<rect class=\"one\" x=\"{NAMES}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{}\"/>",
                y + 4.0,
                (x(bar.value) - NAMES).max(1.0),
                ROW - 8.0
            );
        }
    }
    finish(svg, bottom, unit)
}

fn begin(height: f64) -> String {
    let width = NAMES + WIDTH + 40.0;
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" style=\"max-width:100%\" role=\"img\">\n"
    )
}

fn name(svg: &mut String, y: f64, name: &str) {
    let right = NAMES - 12.0;
    let _ = write!(
        svg,
        "<text x=\"{right}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
        y + 4.5,
        markup(name)
    );
}

fn axis(svg: &mut String, x: f64, bottom: f64, words: &str) {
    let _ = write!(
        svg,
        "<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{HEAD}\" y2=\"{bottom}\"/>\
         <text class=\"faint\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        bottom + 16.0,
        markup(words)
    );
}

fn finish(mut svg: String, bottom: f64, unit: &str) -> String {
    // The first number of the axis reaches to the left of the plot.
    let right = NAMES - 34.0;
    let y = bottom + 16.0;
    let _ = write!(
        svg,
        "<text class=\"faint\" x=\"{right}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text>\n</svg>\n",
        markup(unit)
    );
    svg
}

/// A plot as a file of its own, on white.
pub fn standalone(svg: &str) -> String {
    const STYLE: &str = "<style>svg{background:#fff;font-family:Inter,'Segoe UI',Helvetica,Arial,sans-serif}\
         text{fill:#23252e;font-size:13px}.faint{fill:#5d6070}.axis{stroke:#cfc8b6}\
         .one{stroke:#0072b2;fill:#0072b2}</style>";
    let svg = svg.replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1);
    match svg.split_once('\n') {
        Some((head, rest)) => format!("{head}\n{STYLE}\n{rest}"),
        None => svg,
    }
}

/// Round numbers from about one value to about another, at least one; for values that are finite.
pub fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * power).find(|step| *step >= rough);
    let step = step.unwrap_or(power * 10.0);
    let from = (low / step).ceil() as i64;
    let to = (high / step).floor() as i64;
    (from..=to.max(from)).map(|n| n as f64 * step).collect()
}
