//! What the matrix of a view holds: names, figures, and the scale of their colours.

use super::results_view::{ResultsState, ResultsTab};
use super::scale::Scale;
use crate::app::shell::seats::seat_title;
use outwit_core::escape::escaped;
use outwit_core::play::Better;
use outwit_core::tournament::{Estimate, MatrixCell};
use outwit_kit::plain_cell;
use std::cmp::Ordering;

/// A field of the matrix.
pub struct MatrixFigure {
    /// Its pairing; `None` where it sums up several.
    pub cell: Option<usize>,
    /// The text in large type.
    pub words: String,
    /// The text in small type below.
    pub below: String,
    /// Its value on the colour scale, if any.
    pub value: Option<f64>,
}

/// A row per planner of a seat, a column per opponents.
pub struct Matrix {
    /// What the rows are.
    pub corner: String,
    /// Names of the rows.
    pub rows: Vec<String>,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// By row, then by column.
    pub figures: Vec<Vec<MatrixFigure>>,
    /// The colours of the figures.
    pub scale: Scale,
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn tenths(value: f64) -> String {
    format!("{value:.1}")
}

/// A mean, and how far it may be off.
pub fn plus_minus(estimate: &Estimate) -> (String, String) {
    if let Some(rough) = estimate.rough() {
        return (format!("about {rough}"), "not certain".into());
    }
    let below = match estimate.ci95 {
        Some(ci95) => format!("± {ci95:.1}"),
        None if estimate.all_equal => "all equal".into(),
        None => String::new(),
    };
    (estimate.mean.map_or_else(|| "–".into(), tenths), below)
}

impl Matrix {
    /// The matrix of the view that is chosen; `score` is what the game calls its scores, and `better` which of
    /// two is the better one.
    pub fn new(shown: &ResultsState, score: &str, better: Better) -> Self {
        match shown.options.view {
            ResultsTab::Differences => Self::of_differences(shown, score, better),
            _ => Self::of_cells(shown, score, better),
        }
    }

    fn of_cells(shown: &ResultsState, score: &str, better: Better) -> Self {
        let contest = shown.board.contest();
        let figures: Vec<MatrixFigure> = shown
            .figures
            .cells
            .iter()
            .enumerate()
            .map(|(at, cell)| figure(shown, at, cell))
            .collect();
        let values = figures.iter().filter_map(|figure| figure.value);
        let scale = match shown.options.view {
            ResultsTab::Outcomes => Scale::share(percent),
            ResultsTab::Overruns => {
                Scale::over(values.chain([0.0, 1.0]), |count| format!("{count:.0}"))
                    .best(Better::Lower)
            }
            ResultsTab::Time => Scale::over(values.chain([0.0]), milliseconds).best(Better::Lower),
            _ => Scale::over(values, tenths).best(better),
        };
        let columns = columns(shown, &shown.board.opponents(0), score);
        let mut figures = figures.into_iter();
        Self {
            corner: seat_title(&contest.seats[0].seat),
            rows: contest.seats[0]
                .planners
                .iter()
                .map(|entrant| shown.title(entrant.name()))
                .collect(),
            figures: contest.seats[0]
                .planners
                .iter()
                .map(|_| figures.by_ref().take(columns.len()).collect())
                .collect(),
            columns,
            scale,
        }
    }

    fn of_differences(shown: &ResultsState, score: &str, better: Better) -> Self {
        let contest = shown.board.contest();
        let choice = shown.options;
        let seat = &contest.seats[choice.seat];
        let opponents = shown.board.opponents(choice.seat);
        let mut columns = columns(shown, &opponents, score);
        if opponents.len() > 1 {
            columns.push("All".into());
        }
        let mut rows = Vec::new();
        let mut figures: Vec<Vec<MatrixFigure>> = Vec::new();
        for (at, (planner, row)) in seat.planners.iter().zip(&shown.figures.differences).enumerate()
        {
            if at == choice.baseline {
                continue;
            }
            rows.push(shown.title(planner.name()));
            let figure = |(column, estimate): (usize, &Estimate)| {
                let (mut words, below) = plus_minus(estimate);
                if estimate.mean.is_some_and(|mean| mean > 0.0) {
                    words.insert(0, '+');
                }
                let cell = opponents.get(column).and_then(|players| {
                    let mut players = players.clone();
                    players.insert(choice.seat, planner.name());
                    contest.cell_of(players)
                });
                MatrixFigure {
                    cell,
                    words,
                    below,
                    // No colour where the difference is not significant.
                    value: estimate
                        .sign()
                        .filter(|sign| *sign != Ordering::Equal)
                        .and(estimate.mean),
                }
            };
            figures.push(row.iter().take(columns.len()).enumerate().map(figure).collect());
        }
        let most = figures
            .iter()
            .flatten()
            .filter_map(|figure| figure.value)
            .fold(0.0, |most: f64, value| most.max(value.abs()));
        Self {
            corner: format!("minus {}", shown.title(seat.planners[choice.baseline].name())),
            rows,
            columns,
            figures,
            scale: Scale {
                low: -most,
                high: most,
                both_sides: true,
                better: Some(better),
                write: |value| format!("{value:+.1}"),
            },
        }
    }

    /// It as text, a line a row, with tabs between the columns: what spreadsheets and documents take for a table.
    pub fn text(&self) -> String {
        let names = std::iter::once(&self.corner).chain(&self.columns);
        let head = names.map(|name| plain_cell(name)).collect();
        let rows = self.rows.iter().zip(&self.figures).map(|(name, figures)| {
            std::iter::once(plain_cell(name))
                .chain(figures.iter().map(|figure| match figure.below.as_str() {
                    "" => figure.words.clone(),
                    below => format!("{} {below}", figure.words),
                }))
                .collect::<Vec<_>>()
        });
        [head]
            .into_iter()
            .chain(rows)
            .map(|cells| {
                let cells: Vec<_> = cells.iter().map(|text| escaped(text).into_owned()).collect();
                cells.join("\t") + "\n"
            })
            .collect()
    }
}

/// The names of the columns: the players of the other seats, or the score where there are none.
fn columns(shown: &ResultsState, opponents: &[Vec<&str>], score: &str) -> Vec<String> {
    opponents
        .iter()
        .map(|players| {
            if players.is_empty() {
                return score.to_owned();
            }
            players.iter().map(|name| shown.title(name)).collect::<Vec<_>>().join(" + ")
        })
        .collect()
}

/// A time as people read it.
pub fn milliseconds(ms: f64) -> String {
    match ms {
        ms if ms < 0.01 => "< 0.01 ms".into(),
        ms if ms < 10.0 => format!("{ms:.2} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1000.0),
    }
}

/// The field of a pairing.
fn figure(shown: &ResultsState, at: usize, cell: &MatrixCell) -> MatrixFigure {
    let choice = shown.options;
    let seat = &cell.seats[choice.seat.min(cell.seats.len() - 1)];
    let (words, below, value) = match choice.view {
        ResultsTab::Outcomes => {
            let count = seat.endings.get(choice.ending).map_or(0, |(_, count)| *count);
            let share = (cell.games > 0).then(|| count as f64 / cell.games as f64);
            let words = share.map_or_else(|| "–".into(), percent);
            (words, format!("{count} of {}", cell.games), share)
        }
        ResultsTab::Overruns => {
            let mut faults = Vec::new();
            let counts = [
                (seat.starved, "processor busy"),
                (seat.illegal, "illegal"),
                (seat.panics, "panics"),
            ];
            for (count, word) in counts {
                if count > 0 {
                    faults.push(format!("{count} {word}"));
                }
            }
            (seat.overruns.to_string(), faults.join(", "), Some(seat.overruns as f64))
        }
        ResultsTab::Time => {
            let time = if choice.slowest { seat.plan_ms_p99 } else { seat.plan_ms_p50 };
            (time.map_or_else(|| "–".into(), milliseconds), String::new(), time)
        }
        _ => {
            let (words, below) = plus_minus(&seat.payoff);
            (words, below, seat.payoff.mean)
        }
    };
    MatrixFigure { cell: Some(at), words, below, value }
}
