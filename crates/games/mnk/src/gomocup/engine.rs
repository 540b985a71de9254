//! The side of the engine: the planner `best` answers the commands of a manager.

#[cfg(test)]
mod tests;

mod block;
mod limits;
mod swap2;

use super::{DEFAULT_TURN, WIN_LENGTH, pair, short};
use crate::level::{FORMAT, MAX_SIDE, MnkFile, MnkRules, Stone};
use crate::lines::winning_line;
use crate::notation::line_in_words;
use crate::planners::{BEST, best_with_table, think};
use crate::rules::{Mnk, MnkAction, MnkPhase, MnkState};
use block::{Block, BlockKind};
use limits::{Limits, Terms, milliseconds, table_bits, whole_number};
use outwit_core::grid::Cell;
use outwit_core::platform::program::{ReadLine, read_lines};
use outwit_core::platform::task::spawn;
use outwit_core::play::{
    Budget, CheckedLevel, Clock, Game, Planner, PlannerContext, Seat, SetupError, StopFlag, Value,
};
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

/// Lines that may wait while the planner thinks.
const WAITING: usize = 4096;
/// What is wrong with a line that was cut.
const TOO_LONG: &str = "the line is too long";

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
    terms: Terms,
    size: (usize, usize),
    table: Option<Table>,
    /// What has been said of a block that has not ended.
    block: Option<Block>,
    /// Whether the manager has still to be told how a continuous game is played.
    has_news: bool,
    /// The seed of the next opening.
    openings: u64,
    quit: StopFlag,
}

impl Engine {
    fn new(quit: StopFlag) -> Self {
        Self {
            limits: Limits { turn: DEFAULT_TURN, whole: 0, left: None },
            terms: Terms { k: 5, rule: 0, table_bits: BEST.options.table_bits },
            size: (0, 0),
            table: None,
            block: None,
            has_news: false,
            openings: 0,
            quit,
        }
    }

    /// Hears one line and answers it; to all lines of a block there is one answer.
    fn hear(&mut self, line: &ReadLine, say: &mut dyn FnMut(String)) -> Next {
        let text = line.text.trim();
        let result = match &mut self.block {
            _ if text.is_empty() => Ok(Next::Listen),
            Some(block) if line.is_cut => {
                block.spoil(TOO_LONG.into());
                Ok(Next::Listen)
            }
            None if line.is_cut => Err(TOO_LONG.into()),
            Some(_) => self.block_line(text, say),
            None => self.command(text, say),
        };
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
            "BEGIN" => {
                self.check_terms(say)?;
                self.answer(say)?;
            }
            "TURN" => {
                self.check_terms(say)?;
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
            "BOARD" => self.block = Some(Block::new(BlockKind::Board)),
            "SWAP2BOARD" => self.block = Some(Block::new(BlockKind::Swap2)),
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

    /// A line between `BOARD` or `SWAP2BOARD` and `DONE`.
    fn block_line(&mut self, line: &str, say: &mut dyn FnMut(String)) -> Result<Next, String> {
        match line.to_ascii_uppercase().as_str() {
            "END" => return Ok(Next::Quit),
            "DONE" => {
                let Some(block) = self.block.take() else { return Ok(Next::Listen) };
                let kind = block.kind;
                let stones = block.end()?;
                match kind {
                    BlockKind::Board => {
                        self.check_terms(say)?;
                        self.set_stones(&stones)?;
                        self.answer(say)?;
                    }
                    BlockKind::Swap2 => {
                        let cells: Vec<Cell> = stones.iter().map(|(cell, _)| *cell).collect();
                        self.swap2(&cells, say)?;
                    }
                }
            }
            _ => {
                if let Some(block) = &mut self.block {
                    block.read(line);
                }
            }
        }
        Ok(Next::Listen)
    }

    /// Replaces all stones, if these fit the board.
    fn set_stones(&mut self, stones: &[(Cell, Stone)]) -> Result<(), String> {
        let table = self.table()?;
        let before = (table.stones.clone(), table.last);
        table.stones.fill(None);
        table.last = None;
        let placed = stones.iter().try_for_each(|&(cell, stone)| self.put(cell, stone));
        if placed.is_err()
            && let Some(table) = &mut self.table
        {
            (table.stones, table.last) = before;
        }
        placed
    }

    /// Notes what the manager says; what it does not understand it must ignore. What cannot be played is
    /// told at the next question, since nobody listens now.
    fn info(&mut self, rest: &str) {
        let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let Some(value) = whole_number(value.trim()) else { return };
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.limits.turn = milliseconds(value),
            "timeout_match" => self.limits.whole = milliseconds(value),
            "time_left" => self.limits.left = Some(milliseconds(value)),
            "max_memory" => {
                let table_bits = table_bits(milliseconds(value));
                self.change(Terms { table_bits, ..self.terms });
            }
            "rule" => {
                self.change(Terms { rule: value, ..self.terms });
                self.has_news = self.terms.is_continuous();
            }
            WIN_LENGTH => self.change(Terms { k: value, ..self.terms }),
            _ => {}
        }
    }

    /// Whether the manager's rules can be played; said once where they are played in another way.
    fn check_terms(&mut self, say: &mut dyn FnMut(String)) -> Result<(), String> {
        if let Some(why) = self.terms.objection() {
            return Err(why);
        }
        if std::mem::take(&mut self.has_news) {
            say("MESSAGE a continuous game is not supported: playing an ordinary one".into());
        }
        Ok(())
    }

    /// Changes what a game is begun with; stones on the board stay.
    fn change(&mut self, terms: Terms) {
        if terms == self.terms {
            return;
        }
        self.terms = terms;
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
        let Terms { table_bits, .. } = self.terms;
        let k = self.terms.k();
        let exact = self.terms.exact();
        let rules = MnkRules { k, exact, ..MnkRules::default() };
        let level = MnkFile {
            format: FORMAT.into(),
            name: "Engine".into(),
            author: String::new(),
            about: String::new(),
            rules,
            map: vec![".".repeat(width); height],
        };
        let level = CheckedLevel::new(level).map_err(SetupError::from)?;
        let game = Arc::new(Mnk::new(&level, 2)?);
        let context = PlannerContext { game: Arc::clone(&game), seat: Seat(0), seed: 1 };
        let stones = vec![None; width * height];
        self.size = (width, height);
        self.table =
            Some(Table { game, planner: best_with_table(context, table_bits), stones, last: None });
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
        let limit = self.limits.budget();
        let quit = self.quit.clone();
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
            think(table.planner.as_mut(), &state, &clock);
            if let MnkAction::Place(cell) = table.planner.best()
                && game.check(&state, MnkAction::Place(cell)).is_ok()
            {
                found = Some(cell);
                say(message(&game, table.planner.as_ref(), Stone::X));
            }
        }
        let cell = found.or_else(first_empty).ok_or("the board is full")?;
        self.put(cell, Stone::X)?;
        say(format!("{},{}", cell.x, cell.y));
        Ok(())
    }
}

/// What the planner found, for people who watch; the stone `first` is placed first.
fn message(game: &Mnk, planner: &dyn Planner<Mnk>, first: Stone) -> String {
    let line = planner.line();
    let insight = planner.insight();
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
        line_in_words(&cells, first, game.height())
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
        let next = engine.hear(&line, &mut say);
        if let Some(error) = failed {
            return Err(error);
        }
        if next == Next::Quit {
            break;
        }
    }
    Ok(())
}
