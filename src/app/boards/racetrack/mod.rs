//! The race on the board.

mod cars;
mod paint;
mod panel;
mod terrain;

use crate::app::match_screen::{
    Canvas, GameView, Layer, MarkerKind, MatchPlugin, Overlay, Session, middle,
};
use crate::app::shell::keys::{KeyInfo, KeyList};
use crate::app::shell::sound::{PlaySound, Sound};
use crate::app::shell::widgets::counted;
use crate::games::racetrack::GatesPassed;
use crate::games::racetrack::exact::{ExactError, ExactTable, Outlook};
use crate::games::racetrack::level::Surface;
use crate::games::racetrack::rules::{Accelerate, CarStatus, Race, RaceEvent, Racetrack};
use crate::grid::Cell;
use crate::platform::task::Task;
use crate::play::{Game, Heat, Seat};
use bevy::prelude::*;
use bevy_egui::egui;
use std::sync::{Arc, Mutex, PoisonError};

/// The exact table, once it is computed.
pub type Table = Task<Result<Arc<ExactTable>, ExactError>>;

/// What helps people during a race, and what is painted often and seldom changes.
pub struct RaceCache {
    /// The exact table.
    pub table: Table,
    /// The number of each checkpoint and the middle of its cells.
    pub checkpoints: Vec<(u8, Vec2)>,
    /// Turns to the finish, by the gates that were passed.
    pub heat: Kept<GatesPassed, Heat>,
    /// The best line from a cell, a velocity and the gates that were passed.
    pub line: Kept<(Cell, Cell, GatesPassed), Vec<Cell>>,
    /// The best line from the start.
    pub perfect: Kept<Seat, Vec<Cell>>,
    /// Where the best earlier race went.
    pub ghost: Kept<Seat, Vec<Cell>>,
}

/// The last thing that was computed, and what for.
pub struct Kept<K, T>(Mutex<Option<(K, Arc<T>)>>);

impl<K, T> Default for Kept<K, T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<K: PartialEq, T> Kept<K, T> {
    /// What belongs to `key`; computed if it is not what was kept.
    pub fn get(&self, key: K, compute: impl FnOnce() -> T) -> Arc<T> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((known, value)) if *known == key => Arc::clone(value),
            _ => {
                let value = Arc::new(compute());
                *kept = Some((key, Arc::clone(&value)));
                value
            }
        }
    }
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
        help: "How many turns each cell is from the finish at best: light is near, dark is far.",
        layer: Layer::Match,
        on: false,
    },
    Overlay {
        name: "Best line from here",
        help: "A quickest way to the finish from where you are, turn by turn.",
        layer: Layer::Match,
        on: false,
    },
    Overlay {
        name: "What opponents intend",
        help: "Where each planner context to go next.",
        layer: Layer::Minds,
        on: true,
    },
    Overlay {
        name: "Ghosts",
        help: "Your best run on this track (hollow) and a perfect race (dashed).",
        layer: Layer::Ghost,
        on: false,
    },
    Overlay {
        name: "What opponents searched",
        help: "The cells that a planner looked at while it thought: dark where it looked most.",
        layer: Layer::Minds,
        on: false,
    },
];

/// The table of a session, if it is there.
pub fn table(session: &Session<Racetrack>) -> Option<&ExactTable> {
    session.cache.table.get()?.as_ref().ok().map(Arc::as_ref)
}

impl GameView for Racetrack {
    type ViewCache = RaceCache;

    fn cache(game: &Arc<Self>) -> RaceCache {
        let checkpoints = checkpoints(game);
        let game = Arc::clone(game);
        RaceCache {
            table: Task::begin(move |context| ExactTable::shared(game.track(), context.stop())),
            checkpoints,
            heat: Kept::default(),
            line: Kept::default(),
            perfect: Kept::default(),
            ghost: Kept::default(),
        }
    }

    fn extent(game: &Self) -> (usize, usize) {
        (game.track().surfaces().width(), game.track().surfaces().height())
    }

    fn focus(race: &Race, seat: Seat) -> Cell {
        race.cars[seat.index()].cell
    }

    fn piece(seat: Seat) -> &'static str {
        ["car", "car-2", "car-3", "car-4", "car-5", "car-6"][seat.index() % 6]
    }

    fn overlays() -> &'static [Overlay] {
        OVERLAYS
    }

    fn tick(event: &RaceEvent) -> Option<(MarkerKind, String)> {
        Some(match event {
            RaceEvent::Passed { seat, progress } => {
                (MarkerKind::Plain, format!("{} passes gate {progress}", Self::seat_name(*seat)))
            }
            RaceEvent::Finished { seat } => {
                (MarkerKind::Good, format!("{} finishes", Self::seat_name(*seat)))
            }
            RaceEvent::Crashed { seat, .. } => {
                (MarkerKind::Bad, format!("{} leaves the track", Self::seat_name(*seat)))
            }
            RaceEvent::TimedOut { seat } => {
                (MarkerKind::Bad, format!("{} runs out of turns", Self::seat_name(*seat)))
            }
            RaceEvent::BoxedIn { seat } => {
                (MarkerKind::Plain, format!("{} is boxed in", Self::seat_name(*seat)))
            }
            RaceEvent::Moved { .. } => return None,
        })
    }

    fn sound(event: &RaceEvent) -> Option<PlaySound> {
        Some(match event {
            RaceEvent::Moved { from, to, .. } => {
                let speed = ((*to - *from).norm_squared() as f32).sqrt();
                PlaySound { sound: Sound::Engine, speed: 0.7 + speed * 0.11, volume: 0.45 }
            }
            RaceEvent::Passed { .. } => Sound::Checkpoint.into(),
            RaceEvent::Finished { .. } => Sound::Finish.into(),
            RaceEvent::Crashed { .. } => Sound::Crash.into(),
            RaceEvent::BoxedIn { .. } => Sound::Bump.into(),
            RaceEvent::TimedOut { .. } => Sound::Refuse.into(),
        })
    }

    fn seconds(events: &[RaceEvent]) -> f32 {
        if events.iter().any(|event| matches!(event, RaceEvent::Crashed { .. })) {
            0.5
        } else {
            0.3
        }
    }

    fn standing(_game: &Self, race: &Race, seat: Seat) -> String {
        let car = &race.cars[seat.index()];
        match car.standing {
            CarStatus::Finished { .. } => {
                Self::time(car).map_or_else(String::new, |time| format!("finished, {time:.2}"))
            }
            CarStatus::Out(_) => "out".into(),
            CarStatus::Racing if car.waiting > 0 => {
                format!("waits {}", counted(car.waiting, "turn"))
            }
            CarStatus::Racing => format!("turn {}, speed {:.1}", car.turns, speed(car.velocity)),
        }
    }

    fn prompt(session: &Session<Self>) -> String {
        if session.human_to_move().is_none() {
            return String::new();
        }
        if session.view == 0 {
            "Click a dot to drive there. Each turn the speed changes by at most one cell in each \
             direction."
                .into()
        } else {
            String::new()
        }
    }

    fn hint(session: &Session<Self>) -> Option<(Accelerate, String)> {
        let (seat, table) = (session.human_to_move()?, table(session)?);
        let (race, track) = (session.state(), session.game().track());
        let car = race.cars[seat.index()];
        let (best, outlook) = session
            .game()
            .choices(race, seat)
            .into_iter()
            .map(|action| {
                let driven = car.velocity + action.0;
                (action, table.outlook(track, car.cell, driven, car.progress))
            })
            .min_by_key(|(_, outlook)| {
                (outlook.total(track.penalty()).unwrap_or(u32::MAX), *outlook)
            })?;
        let words = match outlook.total(track.penalty()) {
            Some(1) => "This one goes over the finish.".to_owned(),
            Some(turns) => {
                let turns = counted(turns, "turn");
                format!("The ringed cell: the finish is {turns} away at best.")
            }
            None => "Nothing helps any more: every way ends off the track.".to_owned(),
        };
        Some((best, words))
    }

    fn paint(canvas: &mut Canvas, session: &Session<Self>) -> Option<Accelerate> {
        paint::paint(canvas, session)
    }

    /// The car rolls on where the rules allow it, else it takes the first choice that they do.
    fn time_over(session: &Session<Self>) -> Option<Accelerate> {
        let seat = session.human_to_move()?;
        let (game, state) = (session.game(), session.state());
        let steps = [0, -1, 1];
        let choices = steps.iter().flat_map(|&y| steps.map(|x| Accelerate(Cell::new(x, y))));
        choices.into_iter().find(|choice| game.legal(state, seat, choice).is_ok())
    }

    fn key(_session: &Session<Self>, key: KeyCode) -> Option<Accelerate> {
        let (x, y) = match key {
            KeyCode::KeyQ | KeyCode::Numpad7 => (-1, -1),
            KeyCode::KeyW | KeyCode::Numpad8 => (0, -1),
            KeyCode::KeyE | KeyCode::Numpad9 => (1, -1),
            KeyCode::KeyA | KeyCode::Numpad4 => (-1, 0),
            KeyCode::KeyS | KeyCode::Numpad5 => (0, 0),
            KeyCode::KeyD | KeyCode::Numpad6 => (1, 0),
            KeyCode::KeyZ | KeyCode::Numpad1 => (-1, 1),
            KeyCode::KeyX | KeyCode::Numpad2 => (0, 1),
            KeyCode::KeyC | KeyCode::Numpad3 => (1, 1),
            _ => return None,
        };
        Some(Accelerate(Cell::new(x, y)))
    }

    fn panel(ui: &mut egui::Ui, session: &mut Session<Self>) {
        panel::show(ui, session);
    }

    fn result(session: &Session<Self>, seat: Seat) -> Option<(f64, String)> {
        let time = Self::time(&session.played().state().cars[seat.index()])?;
        Some((time, format!("{time:.2} turns")))
    }
}

/// Length of a velocity, in cells a turn.
pub fn speed(velocity: Cell) -> f32 {
    (velocity.norm_squared() as f32).sqrt()
}

/// What the choices of a car lead to; `None` where nobody knows.
pub fn outlook(session: &Session<Racetrack>, seat: Seat, action: Accelerate) -> Option<Outlook> {
    let car = session.state().cars[seat.index()];
    let (track, driven) = (session.game().track(), car.velocity + action.0);
    match table(session) {
        Some(table) => Some(table.outlook(track, car.cell, driven, car.progress)),
        // Without the table the next cell is all that is known.
        None => match track.walk(car.cell, driven, car.progress) {
            crate::games::racetrack::Walk::Finishes { .. } => Some(Outlook::Finishes),
            crate::games::racetrack::Walk::Crashes { .. } => Some(Outlook::Crashes(None)),
            crate::games::racetrack::Walk::Lands(_) => None,
        },
    }
}

/// The number of each group of connected checkpoint cells, and their middle.
fn checkpoints(game: &Racetrack) -> Vec<(u8, Vec2)> {
    let surfaces = game.track().surfaces();
    let mut seen = surfaces.map(|_| false);
    let mut groups = Vec::new();
    for (cell, &surface) in surfaces.iter() {
        let Surface::Checkpoint(number) = surface else { continue };
        if seen[cell] {
            continue;
        }
        let reach =
            crate::grid::distances(surfaces, [cell], &crate::grid::EIGHT, |_, &s| s == surface);
        let (mut sum, mut count) = (Vec2::ZERO, 0.0);
        for (cell, _) in reach.iter().filter(|&(_, &d)| d != crate::grid::UNREACHED) {
            seen[cell] = true;
            sum += middle(cell);
            count += 1.0;
        }
        groups.push((number, sum / count));
    }
    groups
}

const KEYS: &str = "Racetrack";

/// Adds the race to the window.
pub fn plugin(app: &mut App) {
    app.add_plugins((MatchPlugin::<Racetrack>::default(), terrain::plugin, cars::plugin));
    let mut keys = app.world_mut().get_resource_or_init::<KeyList>();
    for (key, what) in [
        ("Q W E", "Push up left, up, up right"),
        ("A D", "Push left, right"),
        ("Z X C", "Push down left, down, down right"),
        ("S", "Coast, where the steering allows it"),
        ("Numpad", "The same nine directions"),
        ("G", "The ghosts of your best run and of a perfect race"),
    ] {
        keys.0.push(KeyInfo { keys: key, what, group: KEYS });
    }
}
