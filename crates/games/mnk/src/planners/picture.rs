//! What a search shows of itself.

use crate::notation::cell_name;
use crate::search::pvs::{MnkSearch, RootMove};
use crate::search::{FORCED, WIN};
use crate::{Mnk, MnkAction};
use outwit_core::grid::Cell;
use outwit_core::play::{
    Candidate, Counter, Heat, Insight, Mark, MarkKind, Path, Series, Tone, Value, action_text,
};

/// How many candidates are listed.
const CANDIDATES: usize = 8;

/// How many moves of the expected line are drawn.
const SHOWN_LINE: usize = 12;

/// The evaluation that stands for one unit of the logarithm of the odds.
const SCALE: f64 = 1000.0;

/// A search's value as people read it; with `is_exact`, a 0 is a draw.
pub fn value_of(value: i32, is_exact: bool) -> Value {
    match value {
        FORCED.. => Value::Win(Some((WIN - value) as u32)),
        ..=-900_000 => Value::Loss(Some((WIN + value) as u32)),
        0 if is_exact => Value::Draw,
        _ => Value::Score(expected(value)),
    }
}

/// The expected result of a score, from 0 to 1.
pub fn expected(value: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(value) / SCALE).exp())
}

/// What a search shows beside which another one has searched so many positions.
pub(super) fn insight(game: &Mnk, search: &MnkSearch, helped: u64) -> Insight {
    let cell = |at: u16| game.cell_at(usize::from(at));
    let root = search.root_moves();
    let heat = root.iter().filter(|choice| choice.nodes > 0);
    let nodes = heat.map(|choice| (cell(choice.cell), (choice.nodes as f32).log2())).collect();
    // The one that would be played comes first, even before others that are worth the same.
    let mut choices: Vec<&RootMove> = root.iter().filter(|choice| choice.nodes > 0).collect();
    if let Some((_, others)) = choices.split_first_mut() {
        others.sort_by_key(|choice| std::cmp::Reverse(choice.value));
    }
    let line: Vec<Cell> = search.line().iter().take(SHOWN_LINE).map(|&at| cell(at)).collect();
    let numbers = line.iter().enumerate().map(|(at, &cell)| (cell, (at + 1).to_string())).collect();
    Insight {
        heats: vec![Heat {
            label: "Positions searched".into(),
            about: "The positions searched behind each move, as powers of two.".into(),
            cells: nodes,
        }],
        marks: line
            .first()
            .map(|&cell| Mark { cell, kind: MarkKind::Target, tone: Tone::Wanted })
            .into_iter()
            .collect(),
        paths: vec![Path { cells: line, tone: Tone::Searched }],
        numbers,
        counters: counters(search, helped),
        series: series(search),
        candidates: choices
            .into_iter()
            .take(CANDIDATES)
            .map(|choice| candidate(game, search, choice))
            .collect(),
        ..Insight::default()
    }
}

fn candidate(game: &Mnk, search: &MnkSearch, choice: &RootMove) -> Candidate {
    let cell = |&at: &u16| game.cell_at(usize::from(at));
    let name = cell_name(cell(&choice.cell), game.height());
    Candidate {
        name: if choice.is_exact { name } else { format!("{name}, at most") },
        value: Some(value_of(search.steady_move_value(choice), search.is_exact())),
        cells: choice.line.iter().map(cell).collect(),
        line: choice.line.iter().map(|at| action_text(&MnkAction::Place(cell(at)))).collect(),
    }
}

fn counters(search: &MnkSearch, helped: u64) -> Vec<Counter> {
    let counter = |name: &'static str, about: &'static str, value| Counter {
        name: name.into(),
        about: about.into(),
        value,
    };
    let depth = search.iterations().last().map_or(0, |iteration| iteration.depth);
    vec![
        counter("depth", "Plies of the last finished iteration.", f64::from(depth)),
        counter(
            "deepest",
            "The longest line of play that was looked at, in plies.",
            search.deepest() as f64,
        ),
        counter("positions", "Positions searched for this move.", (search.nodes() + helped) as f64),
        counter(
            "positions of fours",
            "Positions that the search for wins by fours has looked at in this match.",
            search.four_nodes() as f64,
        ),
        counter(
            "positions of threes",
            "Positions that the search for wins by fours and threes has looked at in this match.",
            search.three_nodes() as f64,
        ),
        counter(
            "longest win by threats",
            "Plies of the longest win by threats that was found in this match.",
            f64::from(search.longest_threats()),
        ),
        counter(
            "table",
            "Share of the transposition table in use, in %.",
            100.0 * search.table_fill(),
        ),
    ]
}

/// The value after each iteration, as the expected result.
fn series(search: &MnkSearch) -> Vec<Series> {
    let points = search.steady_values().map(|(depth, value)| [f64::from(depth), expected(value)]);
    vec![Series { name: "expected result by depth".into(), points: points.collect() }]
}
