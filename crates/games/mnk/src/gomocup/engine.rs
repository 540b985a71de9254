//! The side of the engine: the planner `best` answers the commands of a manager.

#[cfg(test)]
mod tests;

use super::{DEFAULT_TURN, WIN_LENGTH, pair, short};
use crate::level::{FORMAT, MAX_SIDE, MnkFile, MnkRules, Stone};
use crate::lines::winning_line;
use crate::notation::line_in_words;
use crate::planners::{BEST, best_with_table};
use crate::rules::{Mnk, MnkAction, MnkPhase, MnkState};
use outwit_core::grid::Cell;
use outwit_core::platform::program::{ReadLine, read_lines};
use outwit_core::platform::task::spawn;
use outwit_core::play::{
    Budget, Clock, Game, Planner, PlannerContext, Progress, Seat, StopFlag, Value,
};
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

/// Lines that may wait while the planner thinks.
const WAITING: usize = 4096;
/// What is kept back of each move's time for the way to the manager and for a busy machine.
const MARGIN: u64 = 60;
/// The share of the time left in the match that one move may take.
const MATCH_SHARE: u64 = 8;

/// The limits that a manager sets, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Limits {
    turn: u64,
    whole: u64,
    left: Option<u64>,
}

impl Limits {
    /// What the next move may take.
    fn budget(self) -> Duration {
        let left = self.left.or((self.whole > 0).then_some(self.whole));
        let share = left.map_or(u64::MAX, |left| left / MATCH_SHARE);
        let most = self.turn.min(share);
        // Without any time it plays as soon as it can.
        Duration::from_millis(most.saturating_sub(MARGIN).min(most * 9 / 10).max(5))
    }
}

/// The table of `best` within this much memory, in bytes: half of it, and neither less than helps nor
/// more than is worth clearing. 0 is no limit.
fn table_bits(memory: u64) -> u32 {
    const ENTRY: u64 = 16;
    match (memory / 2 / ENTRY).checked_ilog2() {
        None => BEST.options.table_bits,
        Some(bits) => bits.clamp(10, 24),
    }
}

/// A game on the manager's board.
struct Table {
    game: Arc<Mnk>,
    planner: Box<dyn Planner<Mnk>>,
    /// Row by row; X are our stones.
    stones: Vec<Option<Stone>>,
    last: Option<Cell>,
}

/// What is to be done after a command.
#[derive(PartialEq, Eq, Debug)]
enum Next {
    Listen,
    Quit,
}

/// An engine that hears one line after another.
struct Engine {
    limits: Limits,
    k: u32,
    exact: bool,
    /// See [`best_with_table`].
    table_bits: u32,
    size: (usize, usize),
    table: Option<Table>,
    /// The stones of a `BOARD` command that has not ended: ours or not.
    board: Option<Vec<(Cell, Stone)>>,
    quit: StopFlag,
}

impl Engine {
    fn new(quit: StopFlag) -> Self {
        let limits = Limits { turn: DEFAULT_TURN, whole: 0, left: None };
        let table_bits = BEST.options.table_bits;
        Self {
            limits,
            k: 5,
            exact: false,
            table_bits,
            size: (0, 0),
            table: None,
            board: None,
            quit,
        }
    }

    /// Hears one line and answers it.
    fn hear(&mut self, line: &str, say: &mut dyn FnMut(String)) -> Next {
        let line = line.trim();
        if line.is_empty() {
            return Next::Listen;
        }
        let result =
            if self.board.is_some() { self.board_line(line, say) } else { self.command(line, say) };
        match result {
            Ok(next) => next,
            Err(why) => {
                say(format!("ERROR {why}"));
                Next::Listen
            }
        }
    }

    fn command(&mut self, line: &str, say: &mut dyn FnMut(String)) -> Result<Next, String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_ascii_uppercase().as_str() {
            "START" => {
                let side = number(rest)?;
                self.begin(side, side)?;
                say("OK".into());
            }
            "RECTSTART" => {
                let (width, height) = pair(rest)?;
                self.begin(width, height)?;
                say("OK".into());
            }
            "RESTART" => {
                let (width, height) = self.size;
                self.begin(width, height)?;
                say("OK".into());
            }
            "BEGIN" => self.answer(say)?,
            "TURN" => {
                let cell = self.cell(rest)?;
                self.put(cell, Stone::O)?;
                self.answer(say)?;
            }
            "TAKEBACK" => {
                let cell = self.cell(rest)?;
                let table = self.table()?;
                let index = table.game.index_of(cell).ok_or("outside the board")?;
                if table.stones[index].take().is_none() {
                    return Err("there is no stone to take back".into());
                }
                table.last = None;
                say("OK".into());
            }
            "BOARD" => {
                self.table()?;
                self.board = Some(Vec::new());
            }
            "INFO" => self.info(rest),
            "ABOUT" => say(format!(
                "name=\"Outwit\", version=\"{}\", author=\"the Outwit authors\", country=\"-\", \
                 {WIN_LENGTH}=\"1-{MAX_SIDE}\"",
                env!("CARGO_PKG_VERSION")
            )),
            "END" => return Ok(Next::Quit),
            _ => say(format!("UNKNOWN {}", word.chars().take(20).collect::<String>())),
        }
        Ok(Next::Listen)
    }

    /// A line between `BOARD` and `DONE`.
    fn board_line(&mut self, line: &str, say: &mut dyn FnMut(String)) -> Result<Next, String> {
        match line.to_ascii_uppercase().as_str() {
            "END" => return Ok(Next::Quit),
            "DONE" => {
                let stones = self.board.take().unwrap_or_default();
                let table = self.table()?;
                table.stones.fill(None);
                table.last = None;
                for (cell, stone) in stones {
                    self.put(cell, stone)?;
                }
                self.answer(say)?;
            }
            _ => {
                let parts: Vec<&str> = line.split(',').map(str::trim).collect();
                let read = || match parts[..] {
                    // 3 marks stones of a winning row in some managers: they are the opponent's.
                    [x, y, field] => Some((
                        x.parse().ok()?,
                        y.parse().ok()?,
                        match field {
                            "1" => Stone::X,
                            "2" | "3" => Stone::O,
                            _ => return None,
                        },
                    )),
                    _ => None,
                };
                let (x, y, stone): (i32, i32, Stone) = read()
                    .ok_or_else(|| format!("'{}' is not a stone; write x,y,field", short(line)))?;
                if let Some(board) = &mut self.board {
                    // More stones than cells say nothing new.
                    if board.len() < MAX_SIDE * MAX_SIDE {
                        board.push((Cell::new(x, y), stone));
                    }
                }
            }
        }
        Ok(Next::Listen)
    }

    /// Notes what the manager says; what it does not understand it must ignore.
    fn info(&mut self, rest: &str) {
        let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let Ok(value) = value.trim().parse::<i64>() else { return };
        let milliseconds = u64::try_from(value).unwrap_or(0);
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.limits.turn = milliseconds,
            "timeout_match" => self.limits.whole = milliseconds,
            "time_left" => self.limits.left = Some(milliseconds).filter(|&left| left < 1 << 31),
            // The lowest bit asks for exactly five in a row.
            "max_memory" => {
                let bits = table_bits(u64::try_from(value).unwrap_or(0));
                self.change(|engine| engine.table_bits = bits);
            }
            "rule" => self.change(|engine| engine.exact = value & 1 == 1),
            WIN_LENGTH if (1..=MAX_SIDE as i64).contains(&value) => {
                self.change(|engine| engine.k = value as u32);
            }
            _ => {}
        }
    }

    /// Changes what a game is begun with; stones on the board stay.
    fn change(&mut self, change: impl FnOnce(&mut Self)) {
        let terms = |engine: &Self| (engine.k, engine.exact, engine.table_bits);
        let before = terms(self);
        change(self);
        if terms(self) == before {
            return;
        }
        let stones = self.table.as_ref().map(|table| (table.stones.clone(), table.last));
        if let Some((stones, last)) = stones
            && self.begin(self.size.0, self.size.1).is_ok()
            && let Some(table) = &mut self.table
        {
            (table.stones, table.last) = (stones, last);
        }
    }

    fn begin(&mut self, width: usize, height: usize) -> Result<(), String> {
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(format!("unsupported size; boards have 1 to {MAX_SIDE} rows and columns"));
        }
        let rules = MnkRules { k: self.k, exact: self.exact, ..MnkRules::default() };
        let level = MnkFile {
            format: FORMAT.into(),
            name: "Engine".into(),
            author: String::new(),
            about: String::new(),
            rules,
            map: vec![".".repeat(width); height],
        };
        let game = Arc::new(Mnk::new(&level, 2).map_err(|error| error.to_string())?);
        let context = PlannerContext { game: Arc::clone(&game), seat: Seat(0), seed: 1 };
        let stones = vec![None; width * height];
        self.size = (width, height);
        self.table = Some(Table {
            game,
            planner: best_with_table(context, self.table_bits),
            stones,
            last: None,
        });
        Ok(())
    }

    fn table(&mut self) -> Result<&mut Table, String> {
        self.table.as_mut().ok_or_else(|| "no board yet; send START first".into())
    }

    fn cell(&mut self, text: &str) -> Result<Cell, String> {
        let (x, y) = pair(text)?;
        let cell = Cell::new(x as i32, y as i32);
        self.table()?.game.index_of(cell).map(|_| cell).ok_or_else(|| "outside the board".into())
    }

    fn put(&mut self, cell: Cell, stone: Stone) -> Result<(), String> {
        let table = self.table()?;
        let index = table.game.index_of(cell).ok_or("outside the board")?;
        if table.stones[index].is_some() {
            return Err(format!("{},{} is not empty", cell.x, cell.y));
        }
        table.stones[index] = Some(stone);
        table.last = Some(cell);
        Ok(())
    }

    /// Thinks and places a stone.
    fn answer(&mut self, say: &mut dyn FnMut(String)) -> Result<(), String> {
        let (limit, quit) = (self.limits.budget(), self.quit.clone());
        let table = self.table()?;
        let empty = table.stones.iter().filter(|stone| stone.is_none()).count() as u32;
        if empty == 0 {
            return Err("the board is full".into());
        }
        let game = Arc::clone(&table.game);
        let state = MnkState {
            stones: table.stones.clone(),
            to_move: Stone::X,
            phase: MnkPhase::Play,
            swapped: false,
            last: table.last,
            line: Vec::new(),
            empty,
        };
        let first_empty =
            || state.stones.iter().position(Option::is_none).map(|at| game.cell_at(at));
        // Whoever goes on after a row is complete gets some legal answer.
        let rules = &game.level().rules;
        let is_over = table
            .last
            .is_some_and(|last| !winning_line(|at| game.stone(&state, at), last, rules).is_empty());
        let mut found = None;
        if !is_over {
            let clock = Clock::new(Budget::Time(limit), quit);
            table.planner.observe(&state);
            while table.planner.think(&clock) == Progress::More && !clock.is_over() {}
            if let MnkAction::Place(cell) = table.planner.best()
                && game.check(&state, MnkAction::Place(cell)).is_ok()
            {
                found = Some(cell);
                say(message(&game, table.planner.as_ref()));
            }
        }
        let cell = found.or_else(first_empty).ok_or("the board is full")?;
        self.put(cell, Stone::X)?;
        say(format!("{},{}", cell.x, cell.y));
        Ok(())
    }
}

/// What the planner found, for people who watch.
fn message(game: &Mnk, planner: &dyn Planner<Mnk>) -> String {
    let (line, insight) = (planner.line(), planner.insight());
    let counter = |name: &str| {
        let counter = insight.counters.iter().find(|counter| counter.name == name);
        counter.map_or(0.0, |counter| counter.value)
    };
    let value = match line.value {
        Some(Value::Win(Some(plies))) => format!("win in {plies}"),
        Some(Value::Loss(Some(plies))) => format!("loss in {plies}"),
        Some(Value::Win(None)) => "win".into(),
        Some(Value::Loss(None)) => "loss".into(),
        Some(Value::Draw) => "draw".into(),
        Some(Value::Score(score)) => format!("{:.0} %", 100.0 * score),
        None => "unknown".into(),
    };
    let cells: Vec<Cell> = line
        .actions
        .iter()
        .filter_map(|action| match action {
            MnkAction::Place(cell) => Some(*cell),
            _ => None,
        })
        .collect();
    format!(
        "MESSAGE depth {:.0}, value {value}, {:.0} positions, {}",
        counter("depth"),
        counter("positions"),
        line_in_words(&cells, Stone::X, game.height())
    )
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("'{}' is not a size", short(text)))
}

/// Reads lines and passes them on; the end of the input and `END` stop a planner that thinks.
fn pass_lines(input: impl Read, lines: &SyncSender<ReadLine>, quit: &StopFlag) {
    read_lines(input, |line| {
        if line.text.trim().eq_ignore_ascii_case("END") {
            quit.raise();
        }
        lines.send(line).is_ok()
    });
    quit.raise();
}

/// Serves a manager until it says `END` or closes the input.
///
/// # Errors
/// If the output cannot be written.
pub fn serve(input: Box<dyn Read + Send>, output: &mut dyn Write) -> std::io::Result<()> {
    let quit = StopFlag::default();
    let (sender, lines) = sync_channel(WAITING);
    let stop = quit.clone();
    spawn("engine input", move || pass_lines(input, &sender, &stop))?;
    let mut engine = Engine::new(quit);
    for line in lines {
        let mut failed = None;
        let mut say = |words: String| {
            if failed.is_none() {
                let written = writeln!(output, "{words}").and_then(|()| output.flush());
                failed = written.err();
            }
        };
        let next = if line.is_cut {
            say("ERROR the line is too long".into());
            Next::Listen
        } else {
            engine.hear(&line.text, &mut say)
        };
        if let Some(error) = failed {
            return Err(error);
        }
        if next == Next::Quit {
            break;
        }
    }
    Ok(())
}
