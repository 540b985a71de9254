//! The race on the board.

mod colours;
mod crash;
mod gates;
mod help;
pub mod keys;
mod lesson;
mod paint;
mod panel;
mod pieces;
mod road;
mod terrain;
mod trails;

use super::Cached;
use crate::app::drawing::{Detail, Sketch, Terrain};
use crate::app::match_screen::{
    BoardPiece, BoardSpec, Canvas, Cue, EventDisplay, GameView, Guidance, Hint, Input, Layer,
    LinePart, MarkerKind, Overlay, Panels, PieceLook, Reply, Scenery, SeatName, Shown, Tweens,
    Visuals, Words,
};
use crate::app::shell::commands::of_press;
use crate::app::shell::keyboard::Press;
use crate::app::shell::seats::YOU;
use crate::app::shell::sound::{PlaySound, Sound};
use crate::app::shell::widgets::counted;
use bevy::prelude::*;
use bevy_egui::egui;
use outwit_core::grid::Cell;
use outwit_core::levels::capitalised;
use outwit_core::platform::task::Task;
use outwit_core::play::{Game, Heat, Outcome, Seat};
use outwit_racetrack::exact::{ExactError, ExactTable, MoveOutlook};
use outwit_racetrack::level::{Surface, TrackFile};
use outwit_racetrack::rules::{
    Accelerate, Car, CarStatus, Race, RaceEvent, Racetrack, time_in_words,
};
use outwit_racetrack::{GatesPassed, Walk};
use std::cmp::Ordering;
use std::iter;
use std::sync::Arc;

/// The exact table, once it is computed.
pub type Table = Task<Result<Arc<ExactTable>, ExactError>>;

/// What helps people during a race, and what is painted often and seldom changes.
pub struct RaceUi {
    table: Table,
    checkpoints: Vec<gates::Gate>,
    /// Turns to the finish, by the gates that were passed.
    heat: Cached<GatesPassed, Heat>,
    /// The best line from a cell, a velocity and the gates that were passed.
    line: Cached<(Cell, Cell, GatesPassed), Vec<Cell>>,
    /// The best line from the start.
    perfect: Cached<Seat, Vec<Cell>>,
    /// Where the best earlier race went.
    ghost: Cached<Seat, Vec<Cell>>,
    /// Where each car has been, by revision, shown turn and points a cell.
    trails: Cached<(u64, usize, f32), trails::Trails>,
    /// Cells around a choice in which a click means it, at the present zoom.
    reach: f32,
    /// A move off the track that was asked about, and the car that it is for.
    asked: Option<(Car, Accelerate)>,
}

/// Index of each overlay.
pub mod overlay {
    /// Heat of turns to the finish.
    pub const HEAT: usize = 0;
    /// The optimal line from here.
    pub const LINE: usize = 1;
    /// What opponents mean to do.
    pub const INTENT: usize = 2;
    /// Ghosts of the best run and of the optimum.
    pub const GHOST: usize = 3;
    /// What opponents looked at.
    pub const SEARCH: usize = 4;
}

const OVERLAYS: &[Overlay] = &[
    Overlay {
        name: "Turns to the finish",
        help: "How many turns each cell is from the finish at best: brighter is farther.",
        layer: Layer::Best,
        on: false,
    },
    Overlay {
        name: "Best line from here",
        help: "The fastest way to the finish from where you are, turn by turn.",
        layer: Layer::Best,
        on: false,
    },
    Overlay {
        name: "Opponents' plans",
        help: "Where each planner means to go next.",
        layer: Layer::Minds,
        on: true,
    },
    Overlay {
        name: "Ghosts",
        help: "Your best race on this track (hollow) and a perfect race (dashed).",
        layer: Layer::Ghost,
        on: false,
    },
    Overlay {
        name: "Opponents' search",
        help: "The cells that a planner looked at: brighter where it looked more.",
        layer: Layer::Minds,
        on: false,
    },
];

/// The table, if it is there.
fn ready(table: &Table) -> Option<&ExactTable> {
    table.get()?.as_ref().ok().map(Arc::as_ref)
}

impl GameView for Racetrack {
    type Ui = RaceUi;

    const BOARD: BoardSpec = BoardSpec {
        overlays: OVERLAYS,
        silhouettes: &pieces::CARS,
        sounds: &["bump", "checkpoint", "crash", "engine", "finish"],
        light: true,
        scene: (include_str!("card.ron"), 0.45),
        how_to_play: help::HOW_TO_PLAY,
        records: true,
        ..BoardSpec::PLAIN
    };

    const SCENERY: Scenery<Self> = Scenery { terrain, tile_look, ..Scenery::PLAIN };
    const EVENTS: EventDisplay<Self> = EventDisplay { tweens, cue };
    const WORDS: Words<Self> = Words { moment, standing, headline, ..Words::PLAIN };
    const GUIDANCE: Guidance<Self> =
        Guidance { lesson: lesson::LESSON, prompt, hint, is_out, ..Guidance::PLAIN };
    const PANELS: Panels<Self> = Panels { playing: panel, ..Panels::PLAIN };

    fn ui(game: &Arc<Self>) -> RaceUi {
        let checkpoints = gates::gates(game.track().surfaces());
        let game = Arc::clone(game);
        RaceUi {
            table: Task::begin(move |context| game.exact_table(&context.stop().check())),
            checkpoints,
            heat: Cached::default(),
            line: Cached::default(),
            perfect: Cached::default(),
            ghost: Cached::default(),
            trails: Cached::default(),
            reach: 0.0,
            asked: None,
        }
    }

    fn extent(game: &Self) -> (usize, usize) {
        (game.track().surfaces().width(), game.track().surfaces().height())
    }

    fn pieces(_game: &Self, past: &[Race], race: &Race) -> Vec<BoardPiece> {
        pieces::pieces(past, race)
    }

    fn plugin(app: &mut App) {
        app.register_type::<pieces::Car>();
    }

    fn line_parts(game: &Self, race: &Race, seat: Seat, line: &[Accelerate]) -> Vec<LinePart> {
        let car = race.cars[seat.index()];
        let mut cell = car.cell;
        let mut velocity = car.velocity;
        let mut progress = car.progress;
        let driven = line.iter().map(|action| {
            (cell, velocity, progress) = game.track().drive(cell, velocity + action.0, progress);
            cell
        });
        vec![LinePart::Way(iter::once(car.cell).chain(driven).collect())]
    }

    fn paint(canvas: &mut Canvas, shown: &Shown<Self>, ui: &mut RaceUi) {
        paint::paint(canvas, shown, ui);
    }

    fn input(input: Input, shown: &Shown<Self>, ui: &mut RaceUi) -> Reply<Accelerate> {
        match input {
            Input::Key(Press { key: KeyCode::Enter | KeyCode::NumpadEnter, .. }) => {
                asked(shown, ui).map_or(Reply::Ignored, Reply::Act)
            }
            Input::Key(press) if !press.repeat => {
                let entry = of_press(keys::COMMANDS, &press, false, false);
                entry.map_or(Reply::Ignored, |entry| choose(shown, ui, entry.id, false))
            }
            Input::TimeOver => coast(shown).map_or(Reply::Ignored, Reply::Act),
            Input::Click(place) => {
                let seat = shown.person;
                let near = seat.and_then(|seat| paint::choice_at(shown, ui, seat, place));
                near.map_or(Reply::Ignored, |action| choose(shown, ui, action, true))
            }
            _ => Reply::Ignored,
        }
    }
}

fn terrain(level: &TrackFile, dark: bool, detail: Detail) -> Terrain {
    terrain::terrain(level, dark, detail)
}

fn tile_look(symbol: char) -> Option<PieceLook> {
    let is_drawn = Surface::from_char(symbol).is_some();
    is_drawn.then(|| PieceLook::drawn("terrain", (), |_, _| Sketch::default()))
}

fn tweens(_: &Racetrack, _: &Race, events: &[RaceEvent], _: &Race, tweens: &mut Tweens) {
    crash::tweens(events, tweens);
}

fn cue(_game: &Racetrack, event: &RaceEvent, name: SeatName) -> Cue {
    use MarkerKind::{Bad, Good, Plain};
    match event {
        RaceEvent::Moved { from, to, .. } => {
            let speed = 0.7 + speed(*to - *from) * 0.11;
            Cue::sound(PlaySound::of_move("engine", 0.45).at_speed(speed))
        }
        RaceEvent::Passed { seat, progress } => {
            let words = format!("{}: gate {progress}", name(*seat));
            Cue::new(Plain, words, Sound::Named("checkpoint"))
        }
        RaceEvent::Finished { seat } => {
            Cue::new(Good, format!("{}: finish", name(*seat)), Sound::Named("finish"))
        }
        RaceEvent::Crashed { seat, .. } => {
            let words = format!("{}: off the track", name(*seat));
            Cue::new(Bad, words, Sound::Named("crash")).lasting(0.5)
        }
        RaceEvent::TimedOut { seat } => {
            Cue::new(Bad, format!("{}: out of turns", name(*seat)), Sound::Refuse)
        }
        RaceEvent::BoxedIn { seat } => {
            Cue::new(Plain, format!("{}: boxed in", name(*seat)), Sound::Named("bump"))
        }
    }
}

fn moment(_game: &Racetrack, race: &Race, _turns: usize) -> usize {
    // All cars drive in the same turn, one after the other.
    race.cars.iter().map(|car| car.turns as usize).max().unwrap_or(0)
}

fn standing(shown: &Shown<Racetrack>, seat: Seat) -> String {
    let car = &shown.state().cars[seat.index()];
    match car.standing {
        CarStatus::Finished { .. } => {
            Racetrack::time(car).map_or_else(String::new, |time| format!("finished, {time:.2}"))
        }
        CarStatus::Out(_) => "out".into(),
        CarStatus::Racing if car.waiting > 0 => {
            format!("waiting {}", counted(car.waiting, "turn"))
        }
        CarStatus::Racing => format!("turn {}, speed {:.1}", car.turns, speed(car.velocity)),
    }
}

fn headline(_game: &Racetrack, _race: &Race, outcome: &Outcome, name: SeatName) -> String {
    let places = outcome.places.iter().zip((0..).map(Seat)).filter(|(place, _)| place.rank == 1);
    let winners: Vec<_> =
        places.filter_map(|(place, seat)| Some((name(seat), place.score?))).collect();
    let Some((winner, time)) = winners.first() else { return "Nobody finished".into() };
    let turns = time_in_words(*time);
    capitalised(&match winners.len() {
        1 if outcome.places.len() == 1 => format!("{winner} finished in {turns}"),
        1 => format!("{winner} won in {turns}{}", beaten(outcome, name)),
        _ => {
            let names: Vec<_> = winners.iter().map(|(name, _)| name.as_str()).collect();
            format!("{} share the win in {turns}", names.join(" and "))
        }
    })
}

/// How the only person came in behind the winner, to be said after it.
fn beaten(outcome: &Outcome, name: SeatName) -> String {
    const PLACES: [&str; 3] = ["second", "third", "fourth"];
    let mut seats = outcome.places.iter().zip((0..).map(Seat));
    let own = seats.find(|&(place, seat)| place.rank > 1 && name(seat) == YOU);
    match own.map(|(place, _)| (place.score, PLACES.get(place.rank as usize - 2))) {
        None => String::new(),
        Some((None, _)) => "; you did not finish".into(),
        Some((Some(time), Some(place))) => {
            format!("; you came {place} in {}", time_in_words(time))
        }
        Some((Some(time), None)) => format!("; you needed {}", time_in_words(time)),
    }
}

fn prompt(shown: &Shown<Racetrack>, ui: &mut RaceUi) -> String {
    if let Some(action) = asked(shown, ui) {
        let costs = match shown.game().track().penalty() {
            None => "ends your race".into(),
            Some(turns) => format!("costs {}", counted(turns, "turn")),
        };
        let car = shown.person.and_then(|seat| shown.state().cars.get(seat.index()));
        let track = shown.game().track();
        let what = match car.is_some_and(|car| track.meets_sand(car.cell, car.velocity + action.0))
        {
            true => "is too fast for the sand",
            false => "goes off the track",
        };
        format!(
            "That move {what} and {costs}. Press Enter or click the cross to drive there anyway."
        )
    } else if shown.person.is_some() && shown.session.playback.view == 0 {
        "Click a dot or press its letter to drive there. Each turn the speed changes by at most 1 in \
         each direction."
            .into()
    } else {
        String::new()
    }
}

fn hint(shown: &Shown<Racetrack>, ui: &RaceUi, _: &[Accelerate]) -> Option<Hint<Accelerate>> {
    let seat = shown.person?;
    let table = ready(&ui.table)?;
    let race = shown.state();
    let track = shown.game().track();
    let car = race.cars[seat.index()];
    let choices = shown.game().choices(race, seat).into_iter().map(|action| action.0);
    let (best, outlook) = table.best_of(track, car.cell, car.velocity, car.progress, choices)?;
    let best = Accelerate(best);
    let words = match outlook.total(track.penalty()) {
        Some(1) => "This move goes over the finish.".to_owned(),
        Some(turns) => {
            let turns = counted(turns, "turn");
            format!("Best move: the circled cell ({turns} to the finish).")
        }
        None => "You can't avoid a crash now. Press U to take back a move.".to_owned(),
    };
    let line = table.line(track, car.cell, car.velocity, car.progress);
    let ahead = &line[..line.len().min(AHEAD)];
    let place = match ahead.len() {
        0 => "There is no way on from here.".into(),
        moves => format!("Look ahead: be at the ring in {}.", counted(moves as u64, "turn")),
    };
    let what = match (car.velocity + best.0).norm_squared().cmp(&car.velocity.norm_squared()) {
        Ordering::Less => "Brake now.",
        Ordering::Equal => "Hold the speed.",
        Ordering::Greater => "Accelerate now.",
    };
    let look = ahead.last().map(|made| made.cell).into_iter().collect();
    Some(Hint { action: best, look, steps: [place, what.into(), words] })
}

fn is_out(_game: &Racetrack, race: &Race, seat: Seat) -> bool {
    race.cars[seat.index()].standing != CarStatus::Racing
}

fn panel(
    panel: &mut egui::Ui,
    _look: &Visuals,
    shown: &Shown<Racetrack>,
    ui: &mut RaceUi,
) -> Option<Accelerate> {
    panel::show(panel, shown, ui);
    None
}

/// How many turns ahead a hint first looks.
const AHEAD: usize = 4;

/// What the car does when time is up: it coasts where the rules allow it, else it takes the first choice
/// that they do.
fn coast(shown: &Shown<Racetrack>) -> Option<Accelerate> {
    let seat = shown.person?;
    let game = shown.game();
    let state = shown.state();
    let steps = [0, -1, 1];
    let mut choices = steps.iter().flat_map(|&y| steps.map(|x| Accelerate(Cell::new(x, y))));
    choices.find(|choice| game.legal(state, seat, choice).is_ok())
}

/// The car that the person's next choice is for, unless one waits already.
fn choosing<'a>(shown: &Shown<'a, Racetrack>) -> Option<(Seat, &'a Car)> {
    let seat = shown.subject();
    let car = shown.arriving_state().cars.get(seat.index())?;
    (shown.queue.is_empty() && car.standing == CarStatus::Racing).then_some((seat, car))
}

/// The move off the track that is asked about.
fn asked(shown: &Shown<Racetrack>, ui: &RaceUi) -> Option<Accelerate> {
    let (_, car) = choosing(shown)?;
    ui.asked.filter(|(of, _)| of == car).map(|(_, action)| action)
}

/// Drives by a choice, but asks first where that is a crash which a better move can avoid. Only a click answers
/// by the same choice: keys are pressed several times in a row.
fn choose(
    shown: &Shown<Racetrack>,
    ui: &mut RaceUi,
    action: Accelerate,
    clicked: bool,
) -> Reply<Accelerate> {
    let answered = clicked && asked(shown, ui) == Some(action);
    if !answered
        && let Some((seat, car)) = choosing(shown)
        && is_needless_crash(shown.game(), shown.arriving_state(), seat, action, ready(&ui.table))
    {
        ui.asked = Some((*car, action));
        return Reply::Refused;
    }
    ui.asked = None;
    Reply::Act(action)
}

/// Whether a move goes off the track though another one does not, and is not as good as any.
fn is_needless_crash(
    game: &Racetrack,
    race: &Race,
    seat: Seat,
    action: Accelerate,
    table: Option<&ExactTable>,
) -> bool {
    let track = game.track();
    let car = race.cars[seat.index()];
    let crashes = |choice: &Accelerate| {
        let walk = track.walk(car.cell, car.velocity + choice.0, car.progress);
        matches!(walk, Walk::Crashes { .. })
    };
    if game.legal(race, seat, &action).is_err() || !crashes(&action) {
        return false;
    }
    let is_as_good_as_any = table.is_some_and(|table| {
        let best = table.time(track, car.cell, car.velocity, car.progress);
        best == table.time_by(track, car.cell, car.velocity + action.0, car.progress)
    });
    !is_as_good_as_any && !game.choices(race, seat).iter().all(crashes)
}

/// Length of a velocity, in cells per turn.
pub fn speed(velocity: Cell) -> f32 {
    (velocity.norm_squared() as f32).sqrt()
}

/// What a choice of a car leads to; `None` where nobody knows.
fn outlook(
    shown: &Shown<Racetrack>,
    table: Option<&ExactTable>,
    seat: Seat,
    action: Accelerate,
) -> Option<MoveOutlook> {
    let car = shown.state().cars[seat.index()];
    let track = shown.game().track();
    let driven = car.velocity + action.0;
    match table {
        Some(table) => Some(table.outlook(track, car.cell, driven, car.progress)),
        // Without the table the next cell is all that is known.
        None => match track.walk(car.cell, driven, car.progress) {
            Walk::Finishes { .. } => Some(MoveOutlook::Finishes),
            Walk::Crashes { .. } => Some(MoveOutlook::Crashes(None)),
            Walk::Lands(_) => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_core::play::Place;

    #[test]
    fn who_is_beaten_is_told_how() {
        let place = |rank, score| Place { rank, score, ending: String::new() };
        let said = |own: Place| {
            let places = vec![place(1, Some(17.79)), own];
            let outcome = Outcome { headline: String::new(), places };
            let name = |seat: Seat| if seat == Seat(1) { YOU.to_owned() } else { "Ace".into() };
            beaten(&outcome, &name)
        };
        assert_eq!(said(place(2, Some(18.5))), "; you came second in 18.5 turns");
        assert_eq!(said(place(2, None)), "; you did not finish");
        assert_eq!(said(place(1, Some(17.79))), "");
    }
}
