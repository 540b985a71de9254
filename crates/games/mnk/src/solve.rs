//! The value of a position, proved where that can be done.

use super::level::Opening;
use super::notation::line_in_words;
use super::rules::{CROSSES, Mnk, MnkAction, MnkState};
use super::search::breaker::BreakerSearch;
use super::search::pairing::plane_stops;
use super::search::proof::{NEVER, Proof, ProofSearch};
use super::search::proof_numbers::NumberSearch;
use super::search::threats::FourSearch;
use super::search::{SearchBoard, pvs};
use super::{GAME_POINTS, planners};
use outwit_core::grid::Cell;
use outwit_core::play::{
    Budget, CheckedLevel, Clock, Game, PlannerContext, Seat, StopFlag, Unit, Value, find_planner,
};
use outwit_kit::{Solution, SolveOptions};
use std::sync::Arc;

/// What the length of a win is counted in.
const PLIES: Unit = Unit { one: "ply", many: "plies" };

/// Positions that a proof may take.
const MOST_NODES: u64 = 400_000_000;

/// Positions that may be spent on a shorter win than the one that is known.
const SHORTEST_NODES: u64 = 2_000_000;

/// Positions that `best` looks at where nothing is proved.
const ESTIMATE_NODES: u64 = 300_000;

/// Entries of the table of a proof, as a power of two, on small boards and on others.
const TABLE_BITS: [u32; 2] = [18, 22];

/// On boards of at most this many cells a small table is enough.
const SMALL: usize = 25;

/// Wins are first looked for up to a third of the board, but within these numbers of plies, one length
/// after the other.
const LAST_DEPTHS: [u8; 2] = [9, 11];

/// Positions that the search for wins of growing length may take, before any win is looked for: the first
/// finds short wins soon, the second proves draws sooner.
const LIMITED_NODES: u64 = 500_000;

/// The same on a board without stones where five or more in a row win: on boards that are small enough for a
/// proof nobody can force that within a few plies.
const LIMITED_NODES_UNTOUCHED: u64 = 300;

/// Positions that may be spent on a draw by the weak game before any win is looked for.
const WEAK_NODES: u64 = 2_000;

/// The same on a board without stones where five or more in a row win: such boards are draws up to sizes for which no
/// search is long enough.
const WEAK_NODES_UNTOUCHED: u64 = 40_000_000;

/// Positions of the first turn of the first of two searches for a win, and by how much turns grow.
const TURN: u64 = 8_000_000;
const TURN_GROWTH: u64 = 4;

/// The size of the table that suits a board, as a power of two.
pub(super) fn table_bits(board: &SearchBoard) -> u32 {
    TABLE_BITS[usize::from(board.geometry().cells() > SMALL)]
}

/// What is known of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct ProvedValue {
    /// What it is worth to whoever is to move.
    pub value: Value,
    /// Whether no win is shorter.
    pub is_shortest: bool,
    /// The moves of both sides that lead there, as row-major indices; empty for a draw.
    pub line: Vec<u16>,
    /// Positions searched.
    pub nodes: u64,
}

/// Proves the value of a position within the clock's budget; `None` if that is not enough.
pub fn prove(board: &SearchBoard, table_bits: u32, clock: &Clock) -> Option<ProvedValue> {
    let own = board.to_move();
    let before = clock.used();
    let [least, most] = LAST_DEPTHS;
    let last_depth = (board.geometry().cells() / 3).clamp(least.into(), most.into()) as u8;
    let verdict = |value, is_shortest, line| {
        Some(ProvedValue { value, is_shortest, line, nodes: clock.used() - before })
    };
    if [0, 1].iter().all(|&kind| plane_stops(board, kind)) {
        return verdict(Value::Draw, true, Vec::new());
    }
    let is_untouched = board.near_cells().is_empty();
    let (limited_nodes, weak_nodes) = if is_untouched && board.geometry().k >= 5 {
        (LIMITED_NODES_UNTOUCHED, WEAK_NODES_UNTOUCHED)
    } else {
        (LIMITED_NODES, WEAK_NODES)
    };
    let is_stopped = |side| {
        let search = BreakerSearch::new(board, side, table_bits);
        search.and_then(|mut search| search.stops(weak_nodes, clock)) == Some(true)
    };
    // Where no stone lies, whoever begins could use any win of the other for itself: strategy stealing.
    let only_first_may_win = is_untouched && !board.geometry().exact;
    let cannot_win = is_stopped(own);
    if cannot_win && (only_first_may_win || is_stopped(1 - own)) {
        return verdict(Value::Draw, true, Vec::new());
    }
    let search_for = |attacker| {
        let deepening = ProofSearch::new(board.clone(), attacker, last_depth, table_bits);
        take_turns(
            deepening.limited_for(limited_nodes),
            || NumberSearch::new(board.clone(), attacker, table_bits),
            clock,
        )
    };
    if !cannot_win {
        match search_for(own)? {
            Found { proof: Proof::Win(plies), is_shortest, line } => {
                return verdict(Value::Win(Some(plies.into())), is_shortest, line);
            }
            Found { proof: Proof::No(NEVER), .. } => {}
            _ => return None,
        }
    }
    if only_first_may_win || board.alive()[1 - own] == 0 {
        return verdict(Value::Draw, true, Vec::new());
    }
    match search_for(1 - own)? {
        Found { proof: Proof::Win(plies), is_shortest, line } => {
            verdict(Value::Loss(Some(plies.into())), is_shortest, line)
        }
        Found { proof: Proof::No(NEVER), .. } => verdict(Value::Draw, true, Vec::new()),
        _ => None,
    }
}

/// What a search for a win found.
struct Found {
    proof: Proof,
    is_shortest: bool,
    line: Vec<u16>,
}

/// Lets two searches for the same win take turns, of growing numbers of positions: the first is better at draws and
/// short wins, the second at long wins.
fn take_turns(
    mut first: ProofSearch,
    second: impl FnOnce() -> Option<NumberSearch>,
    clock: &Clock,
) -> Option<Found> {
    let mut turn = TURN;
    clock.slice_of_work(turn);
    let mut found = first.run(clock);
    let mut second = if found.is_none() && !clock.is_over() { second() } else { None };
    while found.is_none() && !clock.is_over() {
        turn = turn.saturating_mul(TURN_GROWTH);
        clock.slice_of_work(turn);
        if let Some(search) = &mut second
            && let Some(proof) = search.run(clock)
        {
            clock.slice_of_work(u64::MAX);
            return Some(Found { proof, is_shortest: false, line: search.line() });
        }
        clock.slice_of_work(turn);
        found = first.run(clock);
    }
    clock.slice_of_work(u64::MAX);
    found.map(|proof| Found { proof, is_shortest: first.is_shortest(), line: first.line() })
}

/// A win by fours of whoever is to move, the shortest of its kind; for boards of any size.
pub fn win_by_fours(board: &SearchBoard, clock: &Clock) -> Option<ProvedValue> {
    let mut board = board.clone();
    let mut fours = FourSearch::default();
    for moves in 1..=40 {
        if clock.is_over() {
            return None;
        }
        let before = fours.nodes;
        let found = fours.wins(&mut board, moves, 200_000);
        clock.charge(fours.nodes - before);
        if found {
            let line = fours.line().to_vec();
            let value = Value::Win(Some(line.len() as u32));
            // Up to three plies nothing but fours can win.
            return Some(ProvedValue { value, is_shortest: moves <= 2, line, nodes: fours.nodes });
        }
    }
    None
}

/// The shortest win of either side where one is known, if a proof of that is not too long.
fn shortest(board: &SearchBoard, known: ProvedValue, clock: &Clock) -> ProvedValue {
    let own = board.to_move();
    let (winner, plies) = match known.value {
        Value::Win(Some(plies)) if !known.is_shortest => (own, plies),
        Value::Loss(Some(plies)) if !known.is_shortest => (1 - own, plies),
        _ => return known,
    };
    let Ok(last_depth) = u8::try_from(plies) else { return known };
    let bits = table_bits(board);
    let mut search = ProofSearch::new(board.clone(), winner, last_depth, bits);
    clock.slice_of_work(SHORTEST_NODES);
    match search.run(clock) {
        Some(Proof::Win(found)) if search.is_shortest() => ProvedValue {
            value: match winner == own {
                true => Value::Win(Some(found.into())),
                false => Value::Loss(Some(found.into())),
            },
            is_shortest: true,
            line: search.line(),
            nodes: known.nodes + search.nodes(),
        },
        _ => known,
    }
}

/// Solves a level, or lets the named planner think about it. With a budget that is not enough for a
/// proof, nothing is said of the value.
///
/// # Errors
/// If a start is given, memory is limited, the level begins with a swap, the planner is unknown, or
/// `stop` is raised.
pub fn solve(
    level: &CheckedLevel<Mnk>,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    if options.start.is_some() {
        return Err("a level of this game starts with the stones on its board".into());
    }
    options.without_memory("a solver of m,n,k-games")?;
    let game = Mnk::new(level, 2).map_err(|error| error.to_string())?;
    let state = game.opening();
    if let Some(name) = &options.planner {
        return by_planner(game, &state, name, options, stop);
    }
    if level.rules.opening != Opening::Free {
        return Err("a swap opening makes both sides equal, so there is nothing to solve; set \
                    rules.opening to free"
            .into());
    }
    let clock = Clock::new(options.budget.unwrap_or(Budget::Work(MOST_NODES)), stop.clone());
    let board = SearchBoard::of(&game, &state);
    let is_small = board.geometry().cells() <= 81;
    let quick = if is_small { None } else { win_by_fours(&board, &clock) };
    let found = quick.or_else(|| prove(&board, table_bits(&board), &clock));
    let found = found.map(|found| shortest(&board, found, &clock));
    if stop.is_raised() {
        return Err("the search was stopped".into());
    }
    match found {
        Some(verdict) => Ok(proved(&game, &state, &verdict)),
        None if options.budget.is_some() => {
            let counters = vec![("positions", clock.used() as f64)];
            options.not_solved("exact", GAME_POINTS, counters, stop)
        }
        None => by_planner(
            game,
            &state,
            "best",
            &SolveOptions { budget: Some(Budget::Work(ESTIMATE_NODES)), ..options.clone() },
            stop,
        ),
    }
}

fn cells(game: &Mnk, line: &[u16]) -> Vec<Cell> {
    line.iter().map(|&at| game.cell_at(usize::from(at))).collect()
}

fn proved(game: &Mnk, state: &MnkState, verdict: &ProvedValue) -> Solution {
    let mover = state.to_move.to_char();
    let other = state.to_move.other().to_char();
    let within = |plies: Option<u32>| match (plies, verdict.is_shortest) {
        (Some(plies), true) => format!(" in {plies} {}", PLIES.of(plies.into())),
        (Some(plies), false) => format!(" in at most {plies} {}", PLIES.of(plies.into())),
        (None, _) => String::new(),
    };
    let (value, message) = match verdict.value {
        Value::Win(plies) => (1.0, format!("{mover} is to move and wins{}: proved", within(plies))),
        Value::Loss(plies) => {
            (0.0, format!("{mover} is to move, but {other} wins{}: proved", within(plies)))
        }
        _ => (0.5, "with perfect play it is a draw: proved".to_owned()),
    };
    let line = cells(game, &verdict.line);
    Solution {
        value: Some(value),
        unit: GAME_POINTS,
        proved: true,
        moves: (!line.is_empty()).then(|| {
            line.iter()
                .map(|&cell| super::notation::cell_name(cell, game.height()))
                .collect::<Vec<_>>()
                .join(" ")
        }),
        line,
        message,
        front: None,
        counters: vec![("positions", verdict.nodes as f64)],
    }
}

fn by_planner(
    game: Mnk,
    state: &MnkState,
    name: &str,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    let seat = state.mover().unwrap_or(CROSSES);
    let spec = find_planner(planners::ALL, name, seat)?;
    let game = Arc::new(game);
    let context = PlannerContext { game: Arc::clone(&game), seat, seed: options.seed };
    let mut planner = (spec.make)(context);
    let clock = Clock::new(options.turn_budget(), stop.clone());
    planners::think(planner.as_mut(), state, &clock);
    if stop.is_raised() {
        return Err("the search was stopped".into());
    }
    let MnkAction::Place(cell) = planner.best() else {
        return Err("there is nothing to solve in an opening".into());
    };
    let line = planner.line();
    let expected = match line.value {
        Some(Value::Score(score)) => format!("expects {score:.2} points"),
        Some(value) => {
            let score = <Mnk as outwit_kit::GameSpec>::TABLES.score;
            format!("expects a {}", value.text(score))
        }
        None => "has no value yet".into(),
    };
    let move_words = line_in_words(&[cell], state.to_move, game.height());
    Ok(Solution {
        value: None,
        unit: GAME_POINTS,
        proved: false,
        line: vec![cell],
        moves: Some(super::notation::cell_name(cell, game.height())),
        message: format!("not proved: {name} plays {move_words} and {expected}"),
        front: None,
        counters: vec![("positions", clock.used() as f64)],
    })
}

/// The seat whose stones move next; the one that the verdict is about.
pub(super) fn side_to_move(state: &MnkState) -> Seat {
    state.holder(state.to_move)
}

/// A search like that of `best` with this number of positions, for where nothing is proved.
pub(super) fn estimate(board: &SearchBoard, nodes: u64, stop: &StopFlag) -> pvs::MnkSearch {
    let mut search = pvs::MnkSearch::new(board.clone(), planners::BEST.options);
    search.run(&Clock::new(Budget::Work(nodes), stop.clone()));
    search
}
