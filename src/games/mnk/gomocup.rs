//! The protocol of Gomocup engines (Piskvork brains), spoken by the planner `best`: one command a line
//! on the input, one answer a line on the output.
//!
//! Columns and rows are counted from 0, from the top left corner. Beside the commands of the protocol
//! there is one of our own, `INFO win_length K`.

use super::level::{FORMAT, MAX_SIDE, MnkFile, MnkRules, Stone};
use super::lines::winning_line;
use super::notation::line_in_words;
use super::planners::ALL;
use super::rules::{Mnk, MnkAction, MnkPhase, MnkState};
use crate::grid::Cell;
use crate::platform::task::spawn;
use crate::play::{Budget, Clock, Game, Planner, PlannerContext, Progress, Seat, StopFlag, Value};
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

/// Longer lines are refused, in bytes.
const LONGEST_LINE: u64 = 4096;
/// Lines that may wait while the planner thinks.
const WAITING: usize = 4096;
/// Time per move without other word, in milliseconds.
const DEFAULT_TURN: u64 = 30_000;
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
    size: (usize, usize),
    table: Option<Table>,
    /// The stones of a `BOARD` command that has not ended: ours or not.
    board: Option<Vec<(Cell, Stone)>>,
    quit: StopFlag,
}

impl Engine {
    fn new(quit: StopFlag) -> Self {
        let limits = Limits { turn: DEFAULT_TURN, whole: 0, left: None };
        Self { limits, k: 5, exact: false, size: (0, 0), table: None, board: None, quit }
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
                "name=\"Outwit\", version=\"{}\", author=\"the Outwit authors\", country=\"-\"",
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
                    .ok_or_else(|| format!("'{}' is no stone; write x,y,field", short(line)))?;
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
            "rule" => self.set_rules(self.k, value & 1 == 1),
            "win_length" if (1..=MAX_SIDE as i64).contains(&value) => {
                self.set_rules(value as u32, self.exact);
            }
            _ => {}
        }
    }

    /// Changes the rules; stones on the board stay.
    fn set_rules(&mut self, k: u32, exact: bool) {
        if (self.k, self.exact) == (k, exact) {
            return;
        }
        (self.k, self.exact) = (k, exact);
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
        let spec = ALL.last().ok_or("there is no planner")?;
        let context = PlannerContext { game: Arc::clone(&game), seat: Seat(0), seed: 1 };
        let stones = vec![None; width * height];
        self.size = (width, height);
        self.table = Some(Table { game, planner: (spec.make)(context), stones, last: None });
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

fn short(text: &str) -> String {
    text.chars().take(20).filter(|letter| !letter.is_control()).collect()
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("'{}' is no size", short(text)))
}

fn pair(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once(',').map(|(x, y)| (x.trim().parse(), y.trim().parse()));
    match parts {
        Some((Ok(x), Ok(y))) if x <= 10_000 && y <= 10_000 => Ok((x, y)),
        _ => Err(format!("'{}' is no pair of numbers such as 7,8", short(text))),
    }
}

/// Reads lines and passes them on; the end of the input and `END` stop a planner that thinks.
fn read_lines(
    input: Box<dyn Read + Send>,
    lines: &SyncSender<Result<String, ()>>,
    quit: &StopFlag,
) {
    let mut input = BufReader::new(input);
    loop {
        let mut bytes = Vec::new();
        let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        let is_long = bytes.len() as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n');
        if !matches!(read, Ok(1..)) {
            quit.raise();
            return;
        }
        let line = String::from_utf8_lossy(&bytes).into_owned();
        if line.trim().eq_ignore_ascii_case("END") {
            quit.raise();
        }
        if lines.send(if is_long { Err(()) } else { Ok(line) }).is_err() {
            return;
        }
    }
}

/// Serves a manager until it says `END` or closes the input.
///
/// # Errors
/// If the output cannot be written.
pub fn serve(input: Box<dyn Read + Send>, output: &mut dyn Write) -> std::io::Result<()> {
    let quit = StopFlag::default();
    let (sender, lines) = sync_channel(WAITING);
    let stop = quit.clone();
    spawn("engine input", move || read_lines(input, &sender, &stop))?;
    let mut engine = Engine::new(quit);
    for line in lines {
        let mut failed = None;
        let mut say = |words: String| {
            if failed.is_none() {
                let written = writeln!(output, "{words}").and_then(|()| output.flush());
                failed = written.err();
            }
        };
        let next = match line {
            Ok(line) => engine.hear(&line, &mut say),
            Err(()) => {
                say("ERROR the line is too long".into());
                Next::Listen
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What an engine says to some lines.
    fn answers(lines: &str) -> Vec<String> {
        let mut output = Vec::new();
        serve(Box::new(std::io::Cursor::new(lines.to_owned())), &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    /// The same without messages.
    fn spoken(lines: &str) -> Vec<String> {
        answers(lines).into_iter().filter(|line| !line.starts_with("MESSAGE")).collect()
    }

    /// An engine that hears lines without a thread, so that nothing stops its thinking.
    fn hears(engine: &mut Engine, line: &str) -> Vec<String> {
        let mut said = Vec::new();
        engine.hear(line, &mut |words| said.push(words));
        said.retain(|line| !line.starts_with("MESSAGE"));
        said
    }

    fn engine(lines: &[&str]) -> Engine {
        let mut engine = Engine::new(StopFlag::default());
        for line in lines {
            hears(&mut engine, line);
        }
        engine
    }

    #[test]
    fn every_command_is_answered() {
        let fast = ["INFO timeout_turn 100", "START 15"];
        let mut playing = engine(&fast);
        assert_eq!(hears(&mut playing, "BEGIN"), ["7,7"]);
        let reply = hears(&mut playing, "TURN 8,8");
        assert_eq!(reply.len(), 1);
        let (x, y) = pair(&reply[0]).unwrap();
        assert!(x < 15 && y < 15 && (x, y) != (8, 8) && (x, y) != (7, 7));
        assert_eq!(hears(&mut playing, &format!("TAKEBACK {},{}", x, y)), ["OK"]);
        assert_eq!(hears(&mut playing, "TURN 8,8"), ["ERROR 8,8 is not empty"]);
        assert_eq!(hears(&mut playing, "turn 99,0"), ["ERROR outside the board"]);
        assert_eq!(hears(&mut playing, "RESTART"), ["OK"]);
        assert_eq!(hears(&mut playing, "RECTSTART 20,10"), ["OK"]);
        assert_eq!(hears(&mut playing, "START 71").len(), 1);
        assert!(hears(&mut playing, "START 4294967296")[0].starts_with("ERROR"));
        assert!(hears(&mut playing, "ABOUT")[0].contains("name=\"Outwit\""));
        assert_eq!(hears(&mut playing, "SING"), ["UNKNOWN SING"]);
        assert!(hears(&mut playing, "INFO folder C:\\temp").is_empty());
        assert!(hears(&mut Engine::new(StopFlag::default()), "BEGIN")[0].starts_with("ERROR"));
    }

    #[test]
    fn a_board_is_taken_over_and_won() {
        let mut playing = engine(&["INFO timeout_turn 1000", "START 15", "BOARD"]);
        for line in ["3,7,1", "4,7,1", "5,7,1", "6,7,1", "3,8,2", "4,8,2", "5,8,2", "2,7,2"] {
            assert!(hears(&mut playing, line).is_empty());
        }
        assert_eq!(hears(&mut playing, "nonsense").len(), 1);
        assert_eq!(hears(&mut playing, "DONE"), ["7,7"]);
    }

    #[test]
    fn the_length_of_a_row_and_exactness_can_be_set() {
        let mut playing =
            engine(&["INFO timeout_turn 1000", "INFO win_length 3", "RECTSTART 5,1", "BOARD"]);
        for line in ["0,0,1", "1,0,1", "4,0,2", "3,0,2"] {
            hears(&mut playing, line);
        }
        assert_eq!(hears(&mut playing, "DONE"), ["2,0"]);
        // Six in a row would be one too many: 3,0 completes five, 6,0 does not.
        let mut playing =
            engine(&["INFO timeout_turn 1000", "INFO rule 1", "RECTSTART 12,1", "BOARD"]);
        for line in ["0,0,1", "1,0,1", "2,0,1", "4,0,1", "6,0,1", "7,0,1", "8,0,1", "9,0,1"] {
            hears(&mut playing, line);
        }
        assert_eq!(hears(&mut playing, "DONE"), ["3,0"]);
    }

    #[test]
    fn lines_may_end_in_either_way_and_the_input_at_any_moment() {
        assert_eq!(spoken("START 10\r\nABOUT\n")[0], "OK");
        assert_eq!(spoken("START 10\nEND\nABOUT\n"), ["OK"]);
        assert!(spoken("").is_empty());
        // The input ends while it thinks: an answer still comes, at once.
        let said = spoken("START 10\nBEGIN");
        assert_eq!((said.len(), said[0].as_str()), (2, "OK"));
        let long = format!("{}\nABOUT\n", "x".repeat(10_000));
        assert!(spoken(&long).iter().any(|line| line == "ERROR the line is too long"));
    }

    #[test]
    fn no_move_takes_longer_than_its_time() {
        let budget = |turn, whole, left| Limits { turn, whole, left }.budget().as_millis();
        assert_eq!((budget(1000, 0, None), budget(100, 0, None), budget(0, 0, None)), (900, 40, 5));
        assert_eq!(budget(5000, 180_000, Some(800)), 40);
        assert_eq!(budget(u64::MAX / 16, 0, None), u128::from(u64::MAX / 16 * 9 / 10));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn garbage_is_survived(lines in proptest::collection::vec(
            prop_oneof![
                "[A-Za-z0-9, -]{0,30}",
                "(TURN|TAKEBACK|START|RECTSTART|INFO|BOARD|DONE|BEGIN) ?-?[0-9]{0,22},?-?[0-9]{0,4},?[0-9]?",
                Just("START 6".to_owned()),
            ],
            0..30,
        )) {
            let mut engine = engine(&["INFO timeout_turn 1"]);
            for line in &lines {
                let said = hears(&mut engine, line);
                prop_assert!(said.len() <= 1, "{line}: {said:?}");
                engine.limits.turn = 1;
            }
        }
    }
}
