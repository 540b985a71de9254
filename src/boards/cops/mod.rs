//! The pursuit on the board.

mod blocks;
mod colours;
mod draft;
mod ending;
mod extras;
mod gates;
mod greenery;
mod ground;
mod help;
mod houses;
pub mod keys;
mod lanterns;
mod lesson;
mod paint;
mod panel;
mod pieces;
mod terrain;
mod walls;
mod water;

use super::Cached;
use crate::app::drawing::{Detail, Terrain};
use crate::app::match_screen::{
    BoardPiece, BoardSpec, Canvas, Cue, EventDisplay, GameView, Guidance, Hint, Input, Layer,
    LinePart, MarkerKind, Overlay, Panels, PieceLook, Reply, Scenery, SeatName, Shown, Tab, Tweens,
    Visuals, Watching, Words, cell_at, middle,
};
use crate::app::shell::commands::of_press;
use crate::app::shell::seats::YOU;
use crate::app::shell::sound::{PlaySound, Sound};
use crate::app::shell::widgets::counted;
use bevy::prelude::*;
use bevy_egui::egui;
use keys::PlanCommand;
use outwit_cops::distance_table::DistanceTable;
use outwit_cops::forecast::Forecast;
use outwit_cops::level::CopsFile;
use outwit_cops::planners::advice;
use outwit_cops::rules::{
    COPS, Cops, CopsEvent, Orders, Piece as Player, Pursuit, PursuitStatus, THIEF,
};
use outwit_core::grid::Cell;
use outwit_core::platform::task::Task;
use outwit_core::play::{Game, Outcome, Seat};
use std::sync::Arc;

/// A person's plan in the making, and what is painted often and seldom changes.
pub struct PursuitUi {
    /// Distances, once they are measured.
    distances: Task<Arc<DistanceTable>>,
    /// Whether the other side's plans are hidden from a person who plays.
    fair: bool,
    draft: draft::PlanDraft,
    /// What is likely k ticks after the shown turn, by revision and turn.
    forecast: Cached<(u64, usize), Forecast>,
    /// Who gets where first, by revision and shown turn.
    cover: Cached<(u64, usize), paint::Cover>,
    /// The whole match so far, by revision.
    course: Cached<u64, Course>,
}

/// A match so far as lines to plot: points of a turn and a value.
struct Course {
    /// Steps from the thief to the nearest cop.
    near: Vec<[f64; 2]>,
    /// What the thief would have earned if caught.
    caught: Vec<[f64; 2]>,
    /// What he would have earned by an escape.
    escaped: Vec<[f64; 2]>,
}

/// Index of each overlay.
pub mod overlay {
    /// The steps that are being carried out.
    pub const PLANS: usize = 0;
    /// Who reaches each cell first.
    pub const COVER: usize = 1;
    /// Where walls and gates are likely to be.
    pub const FORECAST: usize = 2;
    /// The picture that the planners draw of their search.
    pub const INSIGHT: usize = 3;
    /// Who is first at each gate.
    pub const GATES: usize = 4;
}

const OVERLAYS: &[Overlay] = &[
    Overlay {
        name: "Planned paths",
        help: "The steps that each player still has to make before all plan again.",
        layer: Layer::Match,
        on: true,
    },
    Overlay {
        name: "Reach (who gets there first)",
        help: "Cells that the thief reaches before any cop, and those that cops reach first.",
        layer: Layer::Match,
        on: false,
    },
    Overlay {
        name: "Predicted walls and gates",
        help: "How likely a wall or a gate is on each cell after the next plan.",
        layer: Layer::Match,
        on: false,
    },
    Overlay {
        name: "What planners see",
        help: "What each planner looked at when it last planned: such as dangers, cover and \
               routes.",
        layer: Layer::Minds,
        on: false,
    },
    Overlay {
        name: "Who is first at each gate",
        help: "Steps of the thief and of the nearest cop to each gate, walls and gates standing still. \
               The gate that matters most is ringed.",
        layer: Layer::Match,
        on: false,
    },
];

/// Whether the plans of a seat are hidden from the person who plays against it.
fn is_hidden(shown: &Shown<Cops>, ui: &PursuitUi, seat: Seat) -> bool {
    let humans = &shown.session.humans;
    ui.fair && !humans.is_empty() && !humans.contains(&seat) && !shown.is_over()
}

/// Steps from the thief to the nearest cop, walls aside.
fn nearest(pursuit: &Pursuit) -> i32 {
    let thief = pursuit.position.thief;
    pursuit.position.cops.iter().map(|cop| cop.manhattan(thief)).min().unwrap_or(0)
}

/// 146 pieces: a thief, 40 cops, 100 walls and five gates.
const CROWDED: &str = r#"(
    format: "cops 1",
    name: "Crowded",
    rules: (size: Some(60), cops: 40, gates: 5, gate_width: 1, walls: 100, wall_length: 4, ticks: 400),
    map: ["."],
)"#;

impl GameView for Cops {
    type Ui = PursuitUi;

    const BOARD: BoardSpec = BoardSpec {
        overlays: OVERLAYS,
        silhouettes: &["cop", "gate", "thief", "wall"],
        sounds: &["bump", "creak", "escape", "finish", "whistle"],
        scene: (include_str!("card.ron"), 0.5),
        how_to_play: help::HOW_TO_PLAY,
        plans: true,
        turn_seconds: pieces::TURN,
        crowded_level: Some(CROWDED),
        moment: "tick",
        ..BoardSpec::PLAIN
    };

    const SCENERY: Scenery<Self> = Scenery { terrain, tile_look, ..Scenery::PLAIN };
    const EVENTS: EventDisplay<Self> = EventDisplay { tweens, cue };
    const WATCHING: Option<Watching<Self>> = Some(Watching { tension, focus });
    const WORDS: Words<Self> = Words { standing, headline, ..Words::PLAIN };
    const GUIDANCE: Guidance<Self> =
        Guidance { lesson: lesson::LESSON, prompt, hint, is_hidden, ..Guidance::PLAIN };
    const PANELS: Panels<Self> = Panels { playing: panel, ..Panels::PLAIN };

    fn ui(game: &Arc<Self>) -> PursuitUi {
        let game = Arc::clone(game);
        PursuitUi {
            distances: Task::begin(move |_| game.distances()),
            fair: true,
            draft: draft::PlanDraft::default(),
            forecast: Cached::default(),
            cover: Cached::default(),
            course: Cached::default(),
        }
    }

    fn extent(game: &Self) -> (usize, usize) {
        (game.board().width(), game.board().height())
    }

    fn pieces(game: &Self, _past: &[Pursuit], pursuit: &Pursuit) -> Vec<BoardPiece> {
        pieces::pieces(game, pursuit)
    }

    fn plugin(app: &mut App) {
        app.add_plugins((extras::plugin, lanterns::plugin, gates::plugin, walls::plugin))
            .register_type::<pieces::Thief>()
            .register_type::<pieces::Cop>()
            .register_type::<pieces::Gate>()
            .register_type::<pieces::MovingWall>();
    }

    fn line_parts(game: &Self, pursuit: &Pursuit, seat: Seat, line: &[Orders]) -> Vec<LinePart> {
        let players = draft::players(&pursuit.position, seat).iter().enumerate();
        let steps = |player: usize| -> Vec<_> {
            line.iter().filter_map(|orders| orders.0.get(player)).flatten().copied().collect()
        };
        players
            .map(|(player, &from)| LinePart::Way(draft::walk(game, from, &steps(player))))
            .collect()
    }

    fn paint(canvas: &mut Canvas, shown: &Shown<Self>, ui: &mut PursuitUi) {
        paint::paint(canvas, shown, ui);
        ending::paint_capture(canvas, shown);
        if shown.session.tab != Tab::Analysis {
            ending::paint(canvas, shown);
        }
    }

    fn input(input: Input, shown: &Shown<Self>, ui: &mut PursuitUi) -> Reply<Orders> {
        let handled = match input {
            // When time is up, the plan as it stands: who has planned nothing stays.
            Input::TimeOver => {
                return draft::orders(shown, &mut ui.draft).map_or(Reply::Ignored, Reply::Act);
            }
            Input::Key(press) if !press.repeat => {
                match of_press(keys::COMMANDS, &press, false, false).map(|entry| entry.id) {
                    Some(PlanCommand::Go) => {
                        let orders = draft::orders(shown, &mut ui.draft);
                        return orders.map_or(Reply::Ignored, Reply::Act);
                    }
                    Some(command) => draft::give(shown, &mut ui.draft, command),
                    None => false,
                }
            }
            Input::Click(place) => {
                let cell = cell_at(place);
                let draft = draft::current(shown, &mut ui.draft);
                draft.map(|draft| draft::click(shown, draft, cell)).is_some()
            }
            _ => false,
        };
        if handled { Reply::Handled } else { Reply::Ignored }
    }
}

fn terrain(level: &CopsFile, dark: bool, detail: Detail) -> Terrain {
    terrain::terrain(level, dark, detail)
}

fn tile_look(symbol: char) -> Option<PieceLook> {
    match symbol {
        '-' | '|' => Some(walls::tile_look(symbol == '|')),
        'G' => Some(gates::tile_look()),
        'T' => Some(PieceLook::person("thief", THIEF)),
        'C' => Some(PieceLook::person("cop", COPS)),
        _ => None,
    }
}

fn tweens(
    _game: &Cops,
    before: &Pursuit,
    events: &[CopsEvent],
    _after: &Pursuit,
    tweens: &mut Tweens,
) {
    pieces::tweens(before, events, tweens);
}

fn cue(_game: &Cops, event: &CopsEvent, _name: SeatName) -> Cue {
    match event {
        // Both plan at once: one mark is enough.
        CopsEvent::Planned(THIEF) => {
            Cue::new(MarkerKind::Quiet, "new plans", PlaySound::of_move("creak", 0.5))
        }
        CopsEvent::NearMiss { cop, .. } => {
            Cue::mark(MarkerKind::Close, format!("cop {} nearly has the thief", cop + 1))
        }
        CopsEvent::Bumped { piece: Player::Thief, .. } => {
            let words = "the thief runs against a wall";
            Cue::new(MarkerKind::Plain, words, PlaySound::of_move("bump", 0.5))
        }
        CopsEvent::Captured { cop, .. } => {
            let words = format!("cop {} catches the thief", cop + 1);
            Cue::new(MarkerKind::Bad, words, Sound::Named("whistle")).lasting(END)
        }
        CopsEvent::Escaped { .. } => {
            let escape = Sound::Named("escape");
            Cue::new(MarkerKind::Good, "the thief escapes", escape).lasting(END)
        }
        CopsEvent::Survived => Cue::new(MarkerKind::Good, "time is up", Sound::Named("finish")),
        CopsEvent::Planned(_)
        | CopsEvent::Bumped { .. }
        | CopsEvent::Moved { .. }
        | CopsEvent::EnvMoved(_) => Cue::default(),
    }
}

fn tension(_game: &Cops, pursuit: &Pursuit) -> f32 {
    let close = nearest(pursuit) <= CLOSE && pursuit.standing == PursuitStatus::Running;
    if close { 1.0 } else { 0.0 }
}

fn focus(_game: &Cops, pursuit: &Pursuit) -> Option<(Vec2, Vec2)> {
    let thief = pursuit.position.thief;
    let mut cops = pursuit.position.cops.clone();
    cops.sort_by_key(|cop| cop.manhattan(thief));
    let places = cops.iter().take(WATCHED).chain([&thief]).map(|&cell| middle(cell));
    let corners = places.map(|at| (at - AROUND, at + AROUND));
    corners.reduce(|(low, high), (a, b)| (low.min(a), high.max(b)))
}

fn standing(shown: &Shown<Cops>, seat: Seat) -> String {
    let pursuit = shown.state();
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

fn headline(game: &Cops, pursuit: &Pursuit, _outcome: &Outcome, name: SeatName) -> String {
    let Some(payoff) = pursuit.standing.payoff(game.board().rules().ticks) else {
        return String::new();
    };
    let thief = name(THIEF);
    let (was, earns) = match thief == YOU {
        true => ("were", "earn"),
        false => ("was", "earns"),
    };
    match (pursuit.standing, name(COPS) == YOU) {
        (PursuitStatus::Caught(t), true) => {
            format!("You caught the thief in tick {} and pay {payoff:.0}", t + 1)
        }
        (PursuitStatus::Escaped(t), true) => {
            format!("The thief escaped in tick {}: you pay {payoff:.0}", t + 1)
        }
        (_, true) => format!("You never caught the thief and pay {payoff:.0}"),
        (PursuitStatus::Caught(t), false) => {
            format!("{thief} {was} caught in tick {} and {earns} {payoff:.0}", t + 1)
        }
        (PursuitStatus::Escaped(t), false) => {
            format!("{thief} escaped in tick {} and {earns} {payoff:.0}", t + 1)
        }
        (_, false) => format!("{thief} {was} never caught and {earns} {payoff:.0}"),
    }
}

fn prompt(shown: &Shown<Cops>, ui: &mut PursuitUi) -> String {
    let rules = shown.game().board().rules();
    let k = rules.k;
    let steps = counted(k, "step");
    let Some(draft) = draft::current(shown, &mut ui.draft) else { return String::new() };
    let seat = draft.seat;
    let chosen = draft.chosen;
    let planned = draft.ways[chosen].len();
    match (seat, planned) {
        (THIEF, 0) => {
            let aim = if rules.gates > 0 { "Escape through a gate" } else { "Do not get caught" };
            format!(
                "Plan {steps}: click a cell or press {{W}} {{A}} {{S}} {{D}}, then Enter. {aim}."
            )
        }
        (_, 0) => {
            format!(
                "Plan {steps} for each cop: click a cop, then where it should go. Press Enter to go."
            )
        }
        (_, planned) if planned == k as usize && seat == THIEF => {
            "The plan is complete: Enter to carry it out, Backspace to take a step back.".into()
        }
        (_, planned) => {
            let who = if seat == THIEF { String::new() } else { format!("Cop {}: ", chosen + 1) };
            format!("{who}{planned} of {steps} planned. Enter carries the plans out.")
        }
    }
}

fn hint(shown: &Shown<Cops>, _ui: &PursuitUi, _: &[Orders]) -> Option<Hint<Orders>> {
    let (now, past) = shown.states().split_last()?;
    let seen = shown.game().observe(past, now, shown.person?);
    let (orders, planner) = advice(shown.game(), &seen);
    let pieces = draft::players(&now.position, shown.person?);
    let ways = pieces.iter().zip(&orders.0);
    let ways = ways.map(|(&from, steps)| draft::walk(shown.game(), from, steps));
    let look: Vec<Cell> = ways.filter_map(|way| way.last().copied()).collect();
    let first = orders.0.iter().filter_map(|steps| steps.first());
    let first: Vec<_> = first.map(|&step| panel::sign(step)).collect();
    let steps = [
        "Look at the rings: that is where to be when the plan ends.".into(),
        format!("First step: {}", first.join(" ")),
        format!("Dashed: the plan of {planner}."),
    ];
    Some(Hint { action: orders, look, steps })
}

fn panel(
    panel: &mut egui::Ui,
    look: &Visuals,
    shown: &Shown<Cops>,
    ui: &mut PursuitUi,
) -> Option<Orders> {
    panel::show(panel, look, shown, ui)
}

/// Steps between the thief and a cop at which a turn is shown more slowly.
const CLOSE: i32 = 2;
/// The nearest cops that a camera keeps in view with the thief.
const WATCHED: usize = 2;
/// Cells that it keeps in view around them.
const AROUND: f32 = 2.5;
/// Seconds that a capture or an escape is shown.
const END: f32 = 0.5;

/// Both seats.
const SEATS: [Seat; 2] = [THIEF, COPS];

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_core::play::Chance;

    #[test]
    fn the_result_speaks_to_the_player() {
        let entry = outwit_levels::built_in("cops/duel").unwrap();
        let level = outwit_kit::read_level::<Cops>(&entry.bytes().unwrap(), "duel").unwrap();
        let game = Cops::new(&level, *Cops::SEATS.allowed.start()).unwrap();
        let mut pursuit = game.start(&Chance::new(1)).unwrap();
        let outcome = Outcome { headline: String::new(), places: Vec::new() };
        let mut said = |standing: PursuitStatus, thief: &str, cops: &str| {
            pursuit.standing = standing;
            let name = |seat: Seat| if seat == THIEF { thief } else { cops }.to_owned();
            headline(&game, &pursuit, &outcome, &name)
        };
        use PursuitStatus::{Caught, Escaped, Running, Survived};
        assert_eq!(said(Caught(9), YOU, "Pack"), "You were caught in tick 10 and earn 9");
        assert_eq!(said(Caught(9), "Runner", YOU), "You caught the thief in tick 10 and pay 9");
        assert_eq!(said(Caught(9), "Runner", "Pack"), "Runner was caught in tick 10 and earns 9");
        assert!(said(Escaped(5), YOU, "Pack").starts_with("You escaped in tick 6 and earn "));
        assert!(
            said(Escaped(5), "Runner", YOU).starts_with("The thief escaped in tick 6: you pay")
        );
        assert!(said(Survived, "Runner", "Pack").starts_with("Runner was never caught and earns "));
        assert_eq!(said(Running, YOU, "Pack"), "");
    }
}
