//! A planner that lets an engine play.

#[cfg(all(test, any(target_os = "linux", target_os = "macos")))]
mod tests;

use super::manager::{Manager, Trouble, limit_of};
use crate::level::{Opening, Stone};
use crate::{Mnk, MnkAction, MnkState};
use outwit_core::grid::Cell;
use outwit_core::platform::program::{LogSource, ProgramLog};
use outwit_core::platform::time::{Duration, Instant};
use outwit_core::play::protocol::plain_name;
use outwit_core::play::{
    AllowedProgram, Budget, Clock, EngineInfo, EngineSeat, Game, Insight, Planner, PlannerContext,
    Progress, Seat, StopFlag, TimeControl,
};

/// How much later than its limit an engine may answer: the way to it and a busy machine take time too.
const MARGIN: Duration = Duration::from_secs(1);

/// Whether the protocol can express a level.
///
/// # Errors
/// What it cannot express.
pub fn fits(game: &Mnk) -> Result<(), String> {
    match game.level().rules.opening {
        Opening::Free => Ok(()),
        Opening::Swap | Opening::Swap2 => {
            Err("engines cannot play swap or swap2; set Opening to Free".into())
        }
    }
}

/// Starts an engine, asks what it is and whether it plays on this board by these rules, and ends it.
///
/// # Errors
/// Why it cannot be started or cannot play.
pub fn ask(game: &Mnk, program: &AllowedProgram, stop: &StopFlag) -> Result<EngineInfo, String> {
    fits(game)?;
    let stopped = || stop.is_raised();
    let interview = || {
        let began = Instant::now();
        let mut manager = Manager::start(program, ProgramLog::default())?;
        let objection = manager.begin(game, TimeControl::Unlimited, false, &stopped)?;
        let start = began.elapsed();
        let about = manager.about(&stopped)?;
        manager.check_length(game, &about)?;
        match objection {
            Some(why) => Err(Trouble::Fault(format!("it cannot play by these rules: {why}"))),
            None => Ok((about, start)),
        }
    };
    match interview() {
        Ok((about, start)) => {
            let name = name_in(&about).unwrap_or_else(|| program.label());
            Ok(EngineInfo { name, about, start })
        }
        Err(Trouble::Fault(why)) => Err(why),
        Err(Trouble::Stopped) => Err("cancelled".into()),
        Err(Trouble::Late) => Err("it does not answer".into()),
    }
}

/// The name in an answer to `ABOUT`, such as `name="Pela", version="1"`.
fn name_in(about: &str) -> Option<String> {
    let (_, rest) = about.split_once("name=\"")?;
    let (name, _) = rest.split_once('"')?;
    let name = plain_name(name);
    (!name.is_empty()).then_some(name)
}

/// Speaks for an engine in a seat. After a fault it starts the program again if it is asked once more,
/// as when a person takes a move back.
pub struct EnginePlayer {
    context: PlannerContext<Mnk>,
    seat: EngineSeat,
    log: ProgramLog,
    manager: Option<Manager>,
    /// The stones that the engine has on its board; `None` while that is uncertain.
    known: Option<Vec<Option<Stone>>>,
    seen: Option<MnkState>,
    choice: Option<Cell>,
    fault: Option<String>,
}

impl EnginePlayer {
    /// The program is started by [`prepare`](Planner::prepare).
    pub fn new(context: PlannerContext<Mnk>, seat: EngineSeat) -> Self {
        Self {
            context,
            seat,
            log: ProgramLog::default(),
            manager: None,
            known: None,
            seen: None,
            choice: None,
            fault: None,
        }
    }

    /// Starts the program with an empty board.
    fn start(&mut self, stopped: &dyn Fn() -> bool) -> Result<(), Trouble> {
        self.manager = None;
        let began = Instant::now();
        let game = &self.context.game;
        let mut manager = Manager::start(&self.seat.program, self.log.clone())?;
        manager.begin(game, self.seat.control, self.seat.against_people, stopped)?;
        let seconds = began.elapsed().as_secs_f32();
        self.log.add(LogSource::Note, &format!("it was ready after {seconds:.1} s"));
        // An engine that does not answer is waited for, so it is asked only where that matters.
        if game.k() != 5 {
            let about = manager.about(stopped)?;
            manager.check_length(game, &about)?;
            if let Some(name) = name_in(&about) {
                self.log.introduce(name);
            }
        }
        self.manager = Some(manager);
        self.known = Some(vec![None; game.width() * game.height()]);
        Ok(())
    }

    /// Empties the engine's board, by another start if it does not know how.
    fn clear(&mut self, stopped: &dyn Fn() -> bool) -> Result<(), Trouble> {
        if let (Some(manager), Some(known)) = (&mut self.manager, &mut self.known) {
            match manager.restart(stopped) {
                Ok(()) => {
                    known.fill(None);
                    return Ok(());
                }
                Err(Trouble::Stopped) => return Err(Trouble::Stopped),
                Err(_) => {}
            }
        }
        self.start(stopped)
    }

    /// Lets the engine choose a cell.
    fn play(&mut self, state: &MnkState, clock: &Clock) -> Result<Cell, Trouble> {
        let stopped = || clock.is_stopped();
        let own = state.held(self.context.seat);
        if self.manager.is_none() || self.known.is_none() {
            self.start(&stopped)?;
        }
        let question = match self.next_question(state, own) {
            Some(question) => question,
            None => {
                self.clear(&stopped)?;
                self.next_question(state, own).unwrap_or_else(|| self.board(state, own))
            }
        };
        let Some(manager) = &mut self.manager else { return Err(Trouble::Stopped) };
        manager.settle(&stopped)?;
        clock.restart();
        let limit = limit_of(clock.budget());
        let of_match = matches!(self.seat.control, TimeControl::Match { .. }).then_some(limit);
        // Until it has answered, nobody knows what it has on its board.
        let before = self.known.take();
        let answer = manager.ask(&question, of_match, limit + MARGIN, &stopped);
        let (x, y) = answer.map_err(|trouble| match trouble {
            Trouble::Late => Trouble::Fault(self.lateness(clock.budget())),
            other => other,
        })?;
        let cell = Cell::new(x as i32, y as i32);
        let game = &self.context.game;
        if let Err(why) = game.check(state, MnkAction::Place(cell)) {
            return Err(Trouble::Fault(format!("its move {x},{y} is illegal: {why}")));
        }
        let mut stones = before.unwrap_or_default();
        stones.clone_from(&state.stones);
        if let Some(at) = game.index_of(cell).and_then(|index| stones.get_mut(index)) {
            *at = Some(own);
        }
        self.known = Some(stones);
        Ok(cell)
    }

    fn lateness(&self, budget: Budget) -> String {
        let margin = MARGIN.as_millis();
        match self.seat.control {
            TimeControl::Match { .. } => "its time for the match is over".into(),
            _ => format!("it did not move within {budget} and {margin} ms more"),
        }
    }

    /// The command that leads from the engine's board to this position, if one does.
    fn next_question(&self, state: &MnkState, own: Stone) -> Option<String> {
        let known = self.known.as_ref()?;
        let mut changed =
            known.iter().zip(&state.stones).enumerate().filter(|(_, (old, new))| old != new);
        let first = changed.next();
        let others = changed.count();
        let empty = known.iter().all(Option::is_none);
        match first {
            None if empty => Some("BEGIN\n".into()),
            Some((at, (None, Some(stone)))) if others == 0 && *stone == own.other() => {
                let cell = self.context.game.cell_at(at);
                Some(format!("TURN {},{}\n", cell.x, cell.y))
            }
            // A whole position needs an empty board.
            _ if empty => Some(self.board(state, own)),
            _ => None,
        }
    }

    /// The position for an engine with an empty board: stones of both sides in turn, since many take the
    /// order for that of the game, and the last one in its place.
    fn board(&self, state: &MnkState, own: Stone) -> String {
        let game = &self.context.game;
        let cells = |kind: Stone| {
            let mut cells: Vec<Cell> = (0..state.stones.len())
                .filter(|&at| state.stones.get(at) == Some(&Some(kind)))
                .map(|at| game.cell_at(at))
                .collect();
            cells.sort_by_key(|&cell| Some(cell) == state.last);
            cells
        };
        let ours = cells(own);
        let theirs = cells(own.other());
        // Whoever is not to move has placed the last stone.
        let begins = theirs.len() > ours.len();
        let mut text = String::from("BOARD\n");
        let mut add = |cell: Option<&Cell>, field: u8| {
            if let Some(cell) = cell {
                text += &format!("{},{},{field}\n", cell.x, cell.y);
            }
        };
        for at in 0..ours.len().max(theirs.len()) {
            if begins {
                add(theirs.get(at), 2);
                add(ours.get(at), 1);
            } else {
                add(ours.get(at), 1);
                add(theirs.get(at), 2);
            }
        }
        text + "DONE\n"
    }

    /// Takes down what went wrong; a question that was given up needs another start.
    fn note(&mut self, trouble: Trouble) {
        self.known = None;
        let why = match trouble {
            Trouble::Stopped => return,
            Trouble::Fault(why) => why,
            Trouble::Late => "it does not answer".into(),
        };
        // Ends the program, whatever it does.
        self.manager = None;
        self.fault = Some(why);
    }
}

impl Planner<Mnk> for EnginePlayer {
    fn prepare(&mut self, clock: &Clock) -> Progress {
        if let Err(trouble) = self.start(&|| clock.is_over()) {
            let late = || {
                let seconds = clock.elapsed().as_secs_f32();
                Trouble::Fault(format!("slow start: it was not ready to play after {seconds:.1} s"))
            };
            let is_late = trouble == Trouble::Stopped && !clock.is_stopped();
            self.note(if is_late { late() } else { trouble });
        }
        Progress::Done
    }

    fn observe(&mut self, seen: &MnkState) {
        // The first question only meets what the preparation left.
        if self.seen.is_some() {
            self.fault = None;
        }
        self.seen = Some(seen.clone());
        self.choice = None;
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        if let (Some(state), None, None) = (self.seen.clone(), &self.choice, &self.fault) {
            match self.play(&state, clock) {
                Ok(cell) => self.choice = Some(cell),
                Err(trouble) => self.note(trouble),
            }
        }
        Progress::Done
    }

    fn best(&self) -> MnkAction {
        match (self.choice, &self.seen) {
            (Some(cell), _) => MnkAction::Place(cell),
            (None, Some(state)) => self.context.game.null_action(state, Seat(0)),
            (None, None) => self.context.game.null_action(&self.context.game.opening(), Seat(0)),
        }
    }

    fn fault(&self) -> Option<String> {
        self.fault.clone()
    }

    fn log(&self) -> Option<ProgramLog> {
        Some(self.log.clone())
    }

    /// What the engine remarked about its move.
    fn insight(&self) -> Insight {
        let remarks = self.manager.as_ref().map(|manager| manager.remarks().to_vec());
        Insight { notes: remarks.unwrap_or_default(), ..Insight::default() }
    }
}
