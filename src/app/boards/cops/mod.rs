//! The pursuit on the board.

mod draft;
mod ending;
mod paint;
mod panel;
mod pieces;
mod terrain;

use crate::app::match_screen::{
    Canvas, GameView, Layer, MarkerKind, MatchPlugin, Overlay, Session,
};
use crate::app::shell::keys::{KeyInfo, KeyList};
use crate::app::shell::pieces::Pieces;
use crate::app::shell::sound::{PlaySound, Sound};
use crate::app::shell::widgets::counted;
use crate::games::cops::board::Position;
use crate::games::cops::distance_table::DistanceTable;
use crate::games::cops::forecast::Forecast;
use crate::games::cops::planners::advice;
use crate::games::cops::rules::{
    COPS, Cops, CopsEvent, Orders, Piece, Pursuit, PursuitStatus, THIEF,
};
use crate::grid::Cell;
use crate::platform::task::Task;
use crate::play::{Game, Insight, Seat};
use bevy::prelude::*;
use bevy_egui::egui;
use std::sync::{Arc, Mutex};

/// What lies beside the match while a person watches or plays it.
pub struct PursuitCache {
    /// Distances, once they are measured.
    pub atlas: Task<Arc<DistanceTable>>,
    /// Silhouettes for what is painted over the board.
    pub pieces: Pieces,
    /// Whether the other side's plans are hidden from a person who plays.
    pub fair: bool,
    /// A person's plan in the making.
    pub draft: Mutex<draft::PlanDraft>,
    /// What is likely in k ticks, and the position that this is seen from.
    pub forecast: Mutex<Option<(Position, Arc<Forecast>)>>,
}

/// Index of each overlay.
pub mod overlay {
    /// The steps that are being carried out.
    pub const PLANS: usize = 0;
    /// Who reaches each cell first.
    pub const COVER: usize = 1;
    /// Where walls and gates are likely to be.
    pub const FORECAST: usize = 2;
    /// What planners see.
    pub const INSIGHT: usize = 3;
}

const OVERLAYS: &[Overlay] = &[
    Overlay {
        name: "Planned ways",
        help: "The steps that each player still has to make before all plan again.",
        layer: Layer::Match,
        on: true,
    },
    Overlay {
        name: "Who gets there first",
        help: "Cells that the thief reaches before any cop, and those that cops reach first.",
        layer: Layer::Match,
        on: false,
    },
    Overlay {
        name: "Walls and gates to come",
        help: "How likely a wall or a gate is on each cell when the next plan will have been \
               carried out.",
        layer: Layer::Match,
        on: false,
    },
    Overlay {
        name: "What planners see",
        help: "Halo of the cops, cover, targets and dangers: the planners' own pictures when they \
               last planned.",
        layer: Layer::Minds,
        on: false,
    },
];

/// Whether the plans of a seat are kept from the person who plays against it.
pub fn is_hidden(session: &Session<Cops>, seat: Seat) -> bool {
    session.cache.fair
        && !session.humans.is_empty()
        && !session.humans.contains(&seat)
        && session.referee.outcome().is_none()
}

/// The pictures of the planners that may be seen, if their plans are being carried out. One heat is
/// enough to look at: the first has it.
pub fn pictures(session: &Session<Cops>) -> Vec<(Seat, Insight)> {
    let k = session.game().board().rules().k as usize;
    if session.view + k < session.played().len() {
        return Vec::new();
    }
    let mut heated = false;
    let seen = SEATS.into_iter().filter(|&seat| !is_hidden(session, seat));
    seen.map(|seat| {
        let mut insight = session.referee.insight(seat);
        if heated {
            insight.heat = None;
        }
        heated |= insight.heat.is_some();
        (seat, insight)
    })
    .collect()
}

/// Steps from the thief to the nearest cop, walls aside.
pub fn nearest(pursuit: &Pursuit) -> i32 {
    let thief = pursuit.position.thief;
    pursuit.position.cops.iter().map(|cop| cop.manhattan(thief)).min().unwrap_or(0)
}

impl GameView for Cops {
    type ViewCache = PursuitCache;

    fn cache(game: &Arc<Self>) -> PursuitCache {
        let game = Arc::clone(game);
        PursuitCache {
            atlas: Task::begin(move |_| game.atlas()),
            pieces: Pieces::default(),
            fair: true,
            draft: Mutex::default(),
            forecast: Mutex::default(),
        }
    }

    fn extent(game: &Self) -> (usize, usize) {
        (game.board().width(), game.board().height())
    }

    fn focus(pursuit: &Pursuit, seat: Seat) -> Cell {
        if seat == THIEF {
            return pursuit.position.thief;
        }
        // The cop that matters most.
        let near = |cop: &&Cell| cop.manhattan(pursuit.position.thief);
        pursuit.position.cops.iter().min_by_key(near).copied().unwrap_or_default()
    }

    fn piece(seat: Seat) -> &'static str {
        if seat == THIEF { "thief" } else { "cop" }
    }

    fn overlays() -> &'static [Overlay] {
        OVERLAYS
    }

    fn tick(event: &CopsEvent) -> Option<(MarkerKind, String)> {
        Some(match event {
            // Both plan at once: one mark is enough.
            CopsEvent::Planned(THIEF) => (MarkerKind::Quiet, "new plans".into()),
            CopsEvent::NearMiss { cop, .. } => {
                (MarkerKind::Close, format!("cop {} nearly has the thief", cop + 1))
            }
            CopsEvent::Bumped { piece: Piece::Thief, .. } => {
                (MarkerKind::Plain, "the thief runs against a wall".into())
            }
            CopsEvent::Captured { cop, .. } => {
                (MarkerKind::Bad, format!("cop {} catches the thief", cop + 1))
            }
            CopsEvent::Escaped { .. } => (MarkerKind::Good, "the thief escapes".into()),
            CopsEvent::Survived => (MarkerKind::Good, "the time is over".into()),
            CopsEvent::Planned(_)
            | CopsEvent::Bumped { .. }
            | CopsEvent::Moved { .. }
            | CopsEvent::EnvMoved(_) => return None,
        })
    }

    fn sound(event: &CopsEvent) -> Option<PlaySound> {
        let soft = |sound, volume| PlaySound { sound, speed: 1.0, volume };
        Some(match event {
            CopsEvent::Planned(THIEF) => soft(Sound::Tick, 0.4),
            CopsEvent::Bumped { piece: Piece::Thief, .. } => soft(Sound::Bump, 0.5),
            CopsEvent::Captured { .. } => Sound::Capture.into(),
            CopsEvent::Escaped { .. } => Sound::Escape.into(),
            CopsEvent::Survived => Sound::Finish.into(),
            _ => return None,
        })
    }

    fn seconds(events: &[CopsEvent]) -> f32 {
        let over = |event: &CopsEvent| {
            matches!(event, CopsEvent::Captured { .. } | CopsEvent::Escaped { .. })
        };
        if events.iter().any(over) { 0.45 } else { 0.17 }
    }

    fn standing(_game: &Self, pursuit: &Pursuit, seat: Seat) -> String {
        match (pursuit.standing, seat) {
            (PursuitStatus::Caught(_), THIEF) => "caught".into(),
            (PursuitStatus::Escaped(_), THIEF) => "escaped".into(),
            (PursuitStatus::Survived, THIEF) => "survived".into(),
            (_, THIEF) => "at large".into(),
            (PursuitStatus::Running, _) => {
                format!("nearest {} away", counted(nearest(pursuit).unsigned_abs(), "step"))
            }
            _ => String::new(),
        }
    }

    fn prompt(session: &Session<Self>) -> String {
        let k = session.game().board().rules().k;
        let steps = counted(k, "step");
        let Some((seat, chosen, planned)) = draft::with(session, |draft| {
            (draft.seat, draft.chosen, draft.ways[draft.chosen].len())
        }) else {
            let waits = session.is_at_present()
                && !session.humans.is_empty()
                && session.referee.outcome().is_none()
                && !session.game().to_move(session.state()).is_empty();
            return if waits { "The other side is planning".into() } else { String::new() };
        };
        match (seat, planned) {
            (THIEF, 0) => format!(
                "Plan {steps}: click a cell or press W A S D, then Enter. Get out by a gate."
            ),
            (_, 0) => format!(
                "Plan {steps} for each cop: click a cop, then where it should go. Enter goes."
            ),
            (_, planned) if planned == k as usize && seat == THIEF => {
                "The plan is complete: Enter to carry it out, Backspace to take a step back.".into()
            }
            (_, planned) => {
                let who =
                    if seat == THIEF { String::new() } else { format!("Cop {}: ", chosen + 1) };
                format!("{who}{planned} of {steps} planned. Enter carries the plans out.")
            }
        }
    }

    fn is_hidden(session: &Session<Self>, seat: Seat) -> bool {
        is_hidden(session, seat)
    }

    fn head_room(session: &Session<Self>) -> f32 {
        if session.humans.is_empty() { 0.0 } else { 40.0 }
    }

    fn has_review() -> bool {
        false
    }

    fn hint(session: &Session<Self>) -> Option<(Orders, String)> {
        let seat = session.human_to_move()?;
        let states = session.played().states().get(..=session.view)?;
        let (now, past) = states.split_last()?;
        let seen = session.game().observe(past, now, seat);
        let (orders, planner) = advice(session.game(), &seen);
        Some((orders, format!("The dashed ways are what the planner {planner} would do.")))
    }

    fn paint(canvas: &mut Canvas, session: &Session<Self>) -> Option<Orders> {
        paint::paint(canvas, session);
        ending::paint(canvas, session);
        None
    }

    fn draft(session: &Session<Self>, key: KeyCode) -> bool {
        draft::key(session, key)
    }

    /// The plan as it stands; who has planned nothing stays.
    fn time_over(session: &Session<Self>) -> Option<Orders> {
        draft::orders(session)
    }

    fn key(session: &Session<Self>, key: KeyCode) -> Option<Orders> {
        matches!(key, KeyCode::Enter | KeyCode::NumpadEnter)
            .then(|| draft::orders(session))
            .flatten()
    }

    fn panel(ui: &mut egui::Ui, session: &mut Session<Self>) {
        panel::show(ui, session);
    }

    /// No result is remembered: how long a thief lasts depends on who chases him.
    fn result(_session: &Session<Self>, _seat: Seat) -> Option<(f64, String)> {
        None
    }
}

/// The colour of a seat.
pub fn side(
    palette: &crate::app::shell::theme::Palette,
    seat: Seat,
) -> crate::app::shell::theme::Rgb {
    palette.sides[seat.index()]
}

/// Both seats.
pub const SEATS: [Seat; 2] = [THIEF, COPS];

/// Adds the pursuit to the window.
pub fn plugin(app: &mut App) {
    app.add_plugins((MatchPlugin::<Cops>::default(), terrain::plugin, pieces::plugin));
    let mut keys = app.world_mut().get_resource_or_init::<KeyList>();
    for (keys_shown, what) in [
        ("W A S D", "Add a step up, left, down, right to the plan"),
        ("X", "Add a tick of staying"),
        ("Numpad", "The same: 8 4 2 6, and 5 to stay"),
        ("Q E", "Previous, next cop"),
        ("Backspace", "Take back the last step"),
        ("Delete", "Clear the plan"),
        ("Enter", "Carry the plan out"),
    ] {
        keys.0.push(KeyInfo { keys: keys_shown, what, group: "Cops and robber" });
    }
}
