//! The house, its guards and the thief's path on the board.

mod colours;
mod compare;
mod drawn;
mod fog;
mod furniture;
mod help;
pub mod keys;
mod lesson;
mod light;
mod paint;
mod panel;
mod path;
mod pieces;
mod skills;
mod statistics;
mod terrain;
#[cfg(test)]
mod tests;

use super::Cached;
use crate::app::drawing::{Detail, Sketch, Terrain};
use crate::app::match_screen::{
    BoardPiece, BoardSpec, Canvas, Cue, EventDisplay, GameView, Guidance, Hint, Input, Layer,
    LinePart, MarkerKind, Overlay, Panels, PieceLook, Reply, Scenery, SeatName, Shown, Tweens,
    Visuals, Words, cell_at,
};
use crate::app::shell::commands::of_press;
use crate::app::shell::keyboard::Press;
use crate::app::shell::seats::with_verb;
use crate::app::shell::sound::{PlaySound, Sound};
use crate::app::shell::widgets::counted;
use bevy::prelude::*;
use bevy_egui::egui;
use compare::Compared;
use drawn::DrawnPath;
use fog::KnownHouse;
use keys::RouteCommand;
use outwit_core::grid::Cell;
use outwit_core::platform::task::Task;
use outwit_core::play::{Game, Heat, Outcome, Seat};
use outwit_stealth::review::StepReview;
use outwit_stealth::{Ground, Heist, Route, RouteEnd, Stealth, StealthEvent, StealthFile};
use skills::SkillView;
use statistics::StatisticsView;
use std::sync::Arc;

/// How long each move of a path is shown at normal speed, in seconds.
const STEP_SECONDS: f32 = 0.16;

/// The path in the making, and what it is compared with.
pub struct StealthUi {
    drawn: DrawnPath,
    compared: Task<Compared>,
    /// Another path that is shown on the board.
    picked: Option<PickedPath>,
    /// Which skills are tried.
    skills: SkillView,
    /// Runs over many seeds.
    statistics: StatisticsView,
    /// Cost of each cell at this revision, turn and number of moves, and what guards add to it.
    heats: Cached<(u64, usize, usize), [Heat; 2]>,
    /// Three times each guard's factor of each cell, row by row.
    fields: Cached<(u64, usize, usize), Vec<Vec<u8>>>,
    /// What guards see as light, and as a border only.
    light: Cached<light::LightKey, [Sketch; 2]>,
    /// The cover over what the thief has not seen at this revision and turn.
    cover: Cached<(u64, usize), fog::Cover>,
    /// Where the path of this revision and turn lost something, the worst first.
    losses: Cached<(u64, usize), Vec<StepReview>>,
    /// In the fog, the house as the thief knows it at this revision and turn.
    known: Cached<(u64, usize), Option<Arc<KnownHouse>>>,
}

/// A path that was chosen in the panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PickedPath {
    /// The best complete path.
    Best,
    /// What the planner of this number found.
    Found(usize),
    /// The path of this number on the front of length against exposure.
    Front(usize),
    /// The one on which the thief most probably stays unseen, with the skills that are tried.
    Safest,
    /// The one of the lowest fitness on average with these skills.
    Expected,
}

impl StealthUi {
    /// The path that was chosen in the panel.
    fn picked_route(&mut self, ground: &Ground) -> Option<&Route> {
        let compared = || self.compared.get();
        Some(match self.picked? {
            PickedPath::Best => &compared()?.best.as_ref()?.route,
            PickedPath::Found(index) => &compared()?.found.get(index)?.1.route,
            PickedPath::Front(index) => &compared()?.front.points.get(index)?.route,
            PickedPath::Safest => &self.skills.paths(ground).safest.as_ref()?.rated.route,
            PickedPath::Expected => &self.skills.paths(ground).expected.as_ref()?.rated.route,
        })
    }
}

/// Index of each overlay.
mod overlay {
    /// What each cell costs.
    pub const COST: usize = 0;
    /// What guards add to that.
    pub const EXPOSURE: usize = 1;
    /// Which cells guards see.
    pub const SIGHT: usize = 2;
    /// What the planner has found.
    pub const MINDS: usize = 3;
    /// The best complete path.
    pub const BEST: usize = 4;
    /// The cover over what the thief has not seen.
    pub const FOG: usize = 5;
}

const OVERLAYS: &[Overlay] = &[
    Overlay {
        name: "Cost",
        help: "What it costs to enter each cell: brighter costs more.",
        layer: Layer::Match,
        on: false,
    },
    Overlay {
        name: "Exposure",
        help: "What guards add to the cost of each cell.",
        layer: Layer::Match,
        on: false,
    },
    Overlay {
        name: "Guards' sight",
        help: "The cells that guards see, the brighter the closer. Point at a guard to see its field, at \
               a cell to see who sees it.",
        layer: Layer::Match,
        on: true,
    },
    Overlay {
        name: "Population",
        help: "Where the planner's paths lead, its best path, and the median one dashed.",
        layer: Layer::Minds,
        on: true,
    },
    Overlay {
        name: "Best path",
        help: "The cheapest path to the goal.",
        layer: Layer::Ghost,
        on: false,
    },
    Overlay {
        name: "Fog",
        help: "Covers what the thief has not seen, on levels with fog. It stays on while you play.",
        layer: Layer::Match,
        on: true,
    },
];

/// The number in words, rounded where it is a long fraction.
fn amount_words(ground: &Ground, units: i128) -> String {
    ground.amount(units).to_string()
}

/// Whether a person may draw now.
fn is_drawing(shown: &Shown<Stealth>) -> bool {
    shown.person.is_some() && !shown.state().is_over && shown.animation().is_none()
}

fn key(shown: &Shown<Stealth>, ui: &mut StealthUi, press: &Press) -> Reply<Route> {
    let ground = shown.game().ground();
    let Some(entry) = of_press(keys::COMMANDS, press, false, false) else { return Reply::Ignored };
    let done = match entry.id {
        RouteCommand::Step(step) => ui.drawn.step(ground, step),
        RouteCommand::StepBack => {
            if ui.drawn.is_empty() {
                return Reply::Ignored;
            }
            ui.drawn.step_back()
        }
        RouteCommand::Clear => {
            ui.drawn.clear();
            true
        }
        RouteCommand::Go if !press.repeat && !ui.drawn.is_empty() => {
            return Reply::Act(ui.drawn.route());
        }
        RouteCommand::Go => false,
    };
    if done { Reply::Handled } else { Reply::Refused }
}

/// Lets the path follow the pointer.
fn drag(ground: &Ground, drawn: &mut DrawnPath, from: Cell, to: Cell) -> bool {
    // A drag that begins off the ground moves the view.
    if ground.tiles().get(from).is_none() {
        return false;
    }
    // A fast pointer jumps over cells; a way that is much longer is not meant.
    let most = 2 * drawn.end().manhattan(to).unsigned_abs() as usize;
    drawn.go_to(ground, to, most);
    true
}

impl GameView for Stealth {
    type Ui = StealthUi;

    const BOARD: BoardSpec = BoardSpec {
        overlays: OVERLAYS,
        silhouettes: &pieces::SHAPES,
        sounds: &["capture", "finish", "lantern", "step"],
        scene: (include_str!("../../../levels/stealth/16-sentries.ron"), 0.4),
        how_to_play: help::HOW_TO_PLAY,
        plans: true,
        undo_counts: false,
        records: true,
        turn_seconds: 0.2,
        solver: Some("exact"),
        moment: "move",
        ..BoardSpec::PLAIN
    };

    const SCENERY: Scenery<Self> = Scenery {
        terrain,
        tile_look,
        cover: fog::sketch,
        light: Some(light::sketch),
        ..Scenery::PLAIN
    };
    const EVENTS: EventDisplay<Self> = EventDisplay { tweens, cue };
    const WORDS: Words<Self> = Words { standing, headline, ..Words::PLAIN };
    const GUIDANCE: Guidance<Self> =
        Guidance { lesson: lesson::LESSON, prompt, hint, ..Guidance::PLAIN };
    const PANELS: Panels<Self> = Panels { playing: panel, review: review_panel };

    fn ui(game: &Arc<Self>) -> StealthUi {
        StealthUi {
            drawn: DrawnPath::new(game.ground()),
            compared: compare::begin(game),
            picked: None,
            skills: SkillView::new(&game.level().rules),
            statistics: StatisticsView::default(),
            heats: Cached::default(),
            fields: Cached::default(),
            light: Cached::default(),
            cover: Cached::default(),
            losses: Cached::default(),
            known: Cached::default(),
        }
    }

    fn extent(game: &Self) -> (usize, usize) {
        let tiles = game.ground().tiles();
        (tiles.width(), tiles.height())
    }

    fn pieces(game: &Self, _past: &[Heist], heist: &Heist) -> Vec<BoardPiece> {
        pieces::pieces(game, heist)
    }

    fn plugin(app: &mut App) {
        pieces::plugin(app);
    }

    fn line_parts(game: &Self, state: &Heist, _seat: Seat, line: &[Route]) -> Vec<LinePart> {
        if state.is_over {
            return Vec::new();
        }
        let ahead = line.iter().fold(Route::default(), |ahead, route| ahead.and(route));
        vec![LinePart::Way(ahead.cells(fog::position(game, state)))]
    }

    fn paint(canvas: &mut Canvas, shown: &Shown<Self>, ui: &mut StealthUi) {
        paint::paint(canvas, shown, ui);
    }

    fn input(input: Input, shown: &Shown<Self>, ui: &mut StealthUi) -> Reply<Route> {
        if matches!(input, Input::TimeOver) {
            // As far as the path was drawn.
            return Reply::Act(ui.drawn.route());
        }
        if let (Input::Key(press), true) = (&input, fog::is_foggy(shown.state())) {
            return fog::key(shown, press);
        }
        if !is_drawing(shown) {
            return Reply::Ignored;
        }
        if fog::is_foggy(shown.state()) {
            return match input {
                Input::Click(place) | Input::DragEnd { to: place, .. } => {
                    fog::go_to(shown, ui, cell_at(place))
                }
                _ => Reply::Ignored,
            };
        }
        let ground = shown.game().ground();
        let handled = match input {
            Input::Key(press) => return key(shown, ui, &press),
            Input::Click(place) => {
                let cell = cell_at(place);
                ground.tiles().get(cell).is_some() && {
                    ui.drawn.go_to(ground, cell, ground.tiles().len());
                    true
                }
            }
            Input::Drag { from, to } | Input::DragEnd { from, to } => {
                drag(ground, &mut ui.drawn, cell_at(from), cell_at(to))
            }
            Input::Hover(_) | Input::TimeOver => false,
        };
        if handled { Reply::Handled } else { Reply::Ignored }
    }
}

fn terrain(level: &StealthFile, dark: bool, detail: Detail) -> Terrain {
    terrain::terrain(level, dark, detail)
}

fn tile_look(symbol: char) -> Option<PieceLook> {
    pieces::tile_look(symbol)
}

fn tweens(
    game: &Stealth,
    before: &Heist,
    events: &[StealthEvent],
    _after: &Heist,
    tweens: &mut Tweens,
) {
    pieces::tweens(game, before, events, tweens);
}

fn cue(_game: &Stealth, event: &StealthEvent, _name: SeatName) -> Cue {
    let (end, moves) = match event {
        StealthEvent::Ended { end, moves, .. } => (end, moves),
        StealthEvent::Moved { seen, .. } => {
            let name = if *seen { "lantern" } else { "step" };
            return Cue::sound(PlaySound::of_move(name, 0.4));
        }
    };
    let cue = match end {
        RouteEnd::Goal => Cue::new(MarkerKind::Good, "reached the goal", Sound::Named("finish")),
        RouteEnd::Stuck => Cue::new(MarkerKind::Bad, "stuck", Sound::Named("capture")),
        RouteEnd::GaveUp => {
            let sound = PlaySound::from(Sound::Refuse).at_volume(0.6);
            Cue::new(MarkerKind::Bad, "gave up", sound)
        }
    };
    cue.lasting(pieces::seconds(*moves))
}

fn standing(shown: &Shown<Stealth>, _seat: Seat) -> String {
    match shown.state().walked.0.len() {
        0 => String::new(),
        moves => counted(moves as u64, "move"),
    }
}

fn headline(game: &Stealth, heist: &Heist, outcome: &Outcome, name: SeatName) -> String {
    let Some((route, end)) = heist.taken().zip(game.end(heist)) else {
        return outcome.headline.clone();
    };
    let moves = counted(route.0.len() as u64, "move");
    match end {
        RouteEnd::Goal => {
            let ground = game.ground();
            let cost = amount_words(ground, ground.route_cost(route));
            let reach = with_verb(&name(Seat(0)), ["reach", "reaches"]);
            format!("{reach} the chest: {moves} at a cost of {cost}")
        }
        RouteEnd::Stuck => format!("Stuck after {moves}"),
        RouteEnd::GaveUp => format!("Stopped short of the chest after {moves}"),
    }
}

fn prompt(shown: &Shown<Stealth>, ui: &mut StealthUi) -> String {
    if !is_drawing(shown) {
        return String::new();
    }
    if fog::is_foggy(shown.state()) {
        return "Fog: go step by step with the arrow keys, or click a cell that you have seen."
            .into();
    }
    let ground = shown.game().ground();
    if ui.drawn.is_empty() {
        return "Draw a path to the chest: drag from the thief, click, or use the arrow keys."
            .into();
    }
    match ground.check(&ui.drawn.route()) {
        Ok(RouteEnd::Goal) => "Enter or Go sets out. Drag back to change the path.".into(),
        Ok(RouteEnd::Stuck) => {
            "A dead end: no cell is left to go on to. Backspace erases the last cell.".into()
        }
        _ => "Go on to the chest. Enter sets out as far as the path goes.".into(),
    }
}

fn hint(shown: &Shown<Stealth>, _ui: &StealthUi, line: &[Route]) -> Option<Hint<Route>> {
    let first = line.first()?;
    let words = if shown.game().is_foggy() {
        "Dashed: the way on, if there is nothing where you have not looked.".into()
    } else {
        let moves = counted(first.0.len() as u64, "move");
        format!("Dashed: the best complete path, {moves}.")
    };
    let cells = first.cells(fog::position(shown.game(), shown.state()));
    let look = cells.get(cells.len() / 2).copied();
    let steps = [
        "Look at the ring: the best way on leads there.".into(),
        format!("The next part takes {}.", counted(first.0.len() as u64, "move")),
        words,
    ];
    Some(Hint { action: first.clone(), look: look.into_iter().collect(), steps })
}

fn panel(
    panel: &mut egui::Ui,
    _look: &Visuals,
    shown: &Shown<Stealth>,
    ui: &mut StealthUi,
) -> Option<Route> {
    panel::show(panel, shown, ui)
}

fn review_panel(panel: &mut egui::Ui, shown: &Shown<Stealth>, ui: &mut StealthUi) {
    panel::beside(panel, shown, ui);
}
