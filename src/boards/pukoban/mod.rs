//! The puzzle on the board.

mod colours;
mod help;
pub mod keys;
mod lesson;
mod line;
mod paint;
mod panel;
mod pieces;
mod terrain;
#[cfg(test)]
mod tests;

use super::Cached;
use crate::app::drawing::{Detail, Terrain};
use crate::app::match_screen::{
    BoardPiece, BoardSpec, Canvas, Cue, EventDisplay, GameView, Guidance, Hint, Input, Layer,
    LinePart, MarkerKind, Overlay, Panels, PieceLook, Reply, Scenery, SeatName, Shown, Tweens,
    Visuals, Words, cell_at,
};
use crate::app::shell::commands::of_press;
use crate::app::shell::keyboard::Press;
use crate::app::shell::sound::{PlaySound, Sound};
use crate::app::shell::widgets::counted;
use bevy::prelude::*;
use bevy_egui::egui;
use keys::PukobanCommand;
use outwit_core::grid::{Cell, Grid};
use outwit_core::play::Seat;
use outwit_kit::GameSpec;
use outwit_pukoban::deadlock::stuck_boxes;
use outwit_pukoban::reach::{BoxReach, walk};
use outwit_pukoban::{Pukoban, PukobanEvent, PukobanFile, PukobanState, PukobanStep};
use std::sync::Arc;

/// How the next step is meant, and what the pointer is about to do.
pub struct PuzzleUi {
    /// Whether stepping away from a box pulls it along without Shift.
    pull_mode: bool,
    selected: Option<Selected>,
    /// The way of the player to the cell under the pointer.
    path: Cached<(u64, usize, Cell), Option<Vec<Cell>>>,
    /// The stuck boxes of the shown position, and how many steps have to be undone so that none is.
    stuck: Cached<(u64, usize), (Vec<Cell>, usize)>,
}

/// A box that was clicked, and where it can be brought from the position it was clicked in.
struct Selected {
    index: usize,
    position: PukobanState,
    reach: BoxReach,
}

impl PuzzleUi {
    /// The selected box, as long as the position is the one it was selected in.
    fn selected_for(&mut self, shown: &Shown<Pukoban>) -> Option<&Selected> {
        self.selected.as_ref().filter(|selected| selected.position == *shown.state())
    }

    /// Selects a box.
    fn select(&mut self, shown: &Shown<Pukoban>, index: usize) {
        let position = shown.state();
        let reach = BoxReach::new(shown.game(), position, index);
        self.selected = reach.map(|reach| Selected { index, position: position.clone(), reach });
    }

    /// The steps that bring the selected box to a cell, which ends the selection; `None` if there are none.
    fn take_way(&mut self, shown: &Shown<Pukoban>, to: Cell) -> Option<Vec<PukobanStep>> {
        let way = self.selected_for(shown)?.reach.way(to).filter(|way| !way.is_empty())?;
        self.selected = None;
        Some(way)
    }

    /// The stuck boxes of the shown position, where somebody wants to know, and how many steps have to be undone so
    /// that none is.
    fn stuck(&mut self, shown: &Shown<Pukoban>) -> (&[Cell], usize) {
        if !shown.session.shows(overlay::STUCK) {
            return (&[], 0);
        }
        let view = shown.session.playback.view;
        let (stuck, steps) = self.stuck.get((shown.revision, view), || {
            let game = shown.game();
            let of = |state: &PukobanState| stuck_boxes(game, state);
            // A box that is stuck stays so: what comes first lies before all that is.
            let first = shown.states().partition_point(|state| of(state).is_empty());
            (of(shown.state()), shown.states().len() - first)
        });
        (stuck, *steps)
    }
}

/// Index of each overlay.
mod overlay {
    /// Where the solver moved boxes.
    pub const HEAT: usize = 0;
    /// What the solver found so far.
    pub const SEARCH: usize = 1;
    /// Where the player went.
    pub const TRAIL: usize = 2;
    /// Where the player went in the best solution so far.
    pub const GHOST: usize = 3;
    /// Boxes that can never reach a goal again.
    pub const STUCK: usize = 4;
}

const OVERLAYS: &[Overlay] = &[
    Overlay {
        name: "Search heat",
        help: "The cells where the solver looked at boxes: dark where it looked most.",
        layer: Layer::Minds,
        on: true,
    },
    Overlay {
        name: "Solver's plan",
        help: "The best state that the solver has found so far.",
        layer: Layer::Minds,
        on: true,
    },
    Overlay { name: "Trail", help: "Where the player went.", layer: Layer::Match, on: false },
    Overlay {
        name: "Your best",
        help: "Where the player went in your best solution of this level.",
        layer: Layer::OwnBest,
        on: false,
    },
    Overlay {
        name: "Stuck boxes",
        help: "Where boxes are only pushed: those that can never reach a goal again.",
        layer: Layer::Match,
        on: false,
    },
];

/// The position after all steps that are still to be shown.
fn ahead(shown: &Shown<Pukoban>) -> PukobanState {
    let mut position = shown.arriving_state().clone();
    for &step in shown.queue {
        // A step that became illegal ends the queue when its turn comes.
        if shown.game().take(&mut position, step).is_err() {
            break;
        }
    }
    position
}

/// The box that a line of steps moves first, and the step that does it.
fn next_box(
    game: &Pukoban,
    position: &PukobanState,
    line: &[PukobanStep],
) -> Option<(Cell, PukobanStep)> {
    let mut now = position.clone();
    line.iter().find_map(|&step| {
        let before = now.clone();
        game.take(&mut now, step).ok()?;
        before.moved_boxes(&now).next().map(|(from, _)| (from, step))
    })
}

fn key(shown: &Shown<Pukoban>, ui: &mut PuzzleUi, press: &Press) -> Reply<PukobanStep> {
    let Some(entry) = of_press(keys::COMMANDS, press, false, false) else { return Reply::Ignored };
    let direction = match entry.id {
        PukobanCommand::PullMode if !shown.game().moves().has_pulls() => return Reply::Refused,
        PukobanCommand::PullMode => {
            ui.pull_mode = !ui.pull_mode;
            return Reply::Handled;
        }
        PukobanCommand::Deselect if ui.selected_for(shown).is_some() => {
            ui.selected = None;
            return Reply::Handled;
        }
        PukobanCommand::Walk(direction) if !shown.session.humans.is_empty() => direction,
        PukobanCommand::Deselect | PukobanCommand::Walk(_) => return Reply::Ignored,
    };
    if shown.is_over() && shown.is_at_present() {
        return Reply::Refused;
    }
    let game = shown.game();
    let position = ahead(shown);
    let pulls = game.moves().has_pulls() && ui.pull_mode != press.shift;
    let pull = pulls.then(|| PukobanStep::pull(direction));
    let mut meant = pull.into_iter().chain([PukobanStep::to(direction)]);
    match meant.find(|&step| game.effect(&position, step).is_ok()) {
        Some(step) => Reply::Act(step),
        None => Reply::Refused,
    }
}

fn click(shown: &Shown<Pukoban>, ui: &mut PuzzleUi, cell: Cell) -> Reply<PukobanStep> {
    if shown.person.is_none() || !shown.queue.is_empty() {
        return Reply::Ignored;
    }
    if let Some(way) = ui.take_way(shown, cell) {
        return Reply::Acts(way);
    }
    let before = ui.selected.take().map(|selected| selected.index);
    let game = shown.game();
    let position = shown.state();
    if let Some(index) = position.box_at(cell) {
        if before != Some(index) {
            ui.select(shown, index);
        }
        return Reply::Handled;
    }
    match walk(game, position, cell) {
        _ if before.is_some() => Reply::Handled,
        Some(steps) if !steps.is_empty() => Reply::Acts(steps),
        _ => Reply::Ignored,
    }
}

/// Selects the box on which a drag began; a drag that began elsewhere moves the view.
fn drag(shown: &Shown<Pukoban>, ui: &mut PuzzleUi, from: Cell) -> Reply<PukobanStep> {
    if shown.person.is_none() || !shown.queue.is_empty() {
        return Reply::Ignored;
    }
    let Some(index) = shown.state().box_at(from) else { return Reply::Ignored };
    if ui.selected_for(shown).is_none_or(|selected| selected.index != index) {
        ui.select(shown, index);
    }
    Reply::Handled
}

/// Brings the dragged box to where it was dropped. Dropped on its own cell it stays selected.
fn drop_box(shown: &Shown<Pukoban>, ui: &mut PuzzleUi, from: Cell, to: Cell) -> Reply<PukobanStep> {
    let dragged = ui.selected_for(shown).map(|selected| selected.index);
    if dragged.is_none() || dragged != shown.state().box_at(from) {
        return Reply::Ignored;
    }
    if from == to {
        return Reply::Handled;
    }
    match ui.take_way(shown, to) {
        Some(way) => Reply::Acts(way),
        None => {
            ui.selected = None;
            Reply::Refused
        }
    }
}

/// What the board asks for at its beginning, and for who is new here how to walk, push and pull.
const AIM: &str = "Bring a box onto every goal.";
const CONTROLS: &str = "Arrow keys or clicks walk, into a box pushes it, Shift pulls.";
/// The same where boxes can only be pushed.
const PUSH_AIM: &str = "Bring a box onto every goal. Boxes can only be pushed.";
const PUSH_CONTROLS: &str = "Arrow keys or clicks walk, into a box pushes it.";

impl GameView for Pukoban {
    type Ui = PuzzleUi;

    const BOARD: BoardSpec = BoardSpec {
        overlays: OVERLAYS,
        silhouettes: &pieces::SHAPES,
        sounds: &["finish", "scrape", "seal", "step"],
        light: true,
        scene: (include_str!("card.ron"), 0.5),
        how_to_play: help::HOW_TO_PLAY,
        undo_counts: false,
        records: true,
        turn_seconds: 0.14,
        solver: Some("best"),
        resumes_watched: true,
        moment: "step",
        ..BoardSpec::PLAIN
    };

    const SCENERY: Scenery<Self> = Scenery { inside, terrain, tile_look, ..Scenery::PLAIN };
    const EVENTS: EventDisplay<Self> = EventDisplay { tweens, cue };
    const WORDS: Words<Self> = Words { standing, ..Words::PLAIN };
    const GUIDANCE: Guidance<Self> =
        Guidance { lesson: lesson::LESSON, prompt, hint, ..Guidance::PLAIN };
    const PANELS: Panels<Self> = Panels { playing: panel, ..Panels::PLAIN };

    fn ui(_game: &Arc<Self>) -> PuzzleUi {
        PuzzleUi {
            pull_mode: false,
            selected: None,
            path: Cached::default(),
            stuck: Cached::default(),
        }
    }

    fn extent(game: &Self) -> (usize, usize) {
        (game.walls().width(), game.walls().height())
    }

    fn pieces(game: &Self, past: &[PukobanState], position: &PukobanState) -> Vec<BoardPiece> {
        pieces::pieces(game, past, position)
    }

    fn plugin(app: &mut App) {
        app.register_type::<pieces::Worker>().register_type::<pieces::Crate>();
    }

    fn line_parts(
        game: &Self,
        state: &PukobanState,
        _seat: Seat,
        line: &[PukobanStep],
    ) -> Vec<LinePart> {
        line::parts(game, state, line)
    }

    fn paint(canvas: &mut Canvas, shown: &Shown<Self>, ui: &mut PuzzleUi) {
        paint::paint(canvas, shown, ui);
    }

    fn input(input: Input, shown: &Shown<Self>, ui: &mut PuzzleUi) -> Reply<PukobanStep> {
        match input {
            Input::Key(press) => key(shown, ui, &press),
            Input::Click(place) => click(shown, ui, cell_at(place)),
            Input::Drag { from, .. } => drag(shown, ui, cell_at(from)),
            Input::DragEnd { from, to } => drop_box(shown, ui, cell_at(from), cell_at(to)),
            _ => Reply::Ignored,
        }
    }
}

fn inside(level: &PukobanFile) -> Grid<bool> {
    terrain::inside(&level.cells('#'))
}

fn terrain(level: &PukobanFile, dark: bool, detail: Detail) -> Terrain {
    terrain::terrain(level, dark, detail)
}

fn tile_look(symbol: char) -> Option<PieceLook> {
    match symbol {
        '$' => Some(pieces::crate_look(false)),
        '*' => Some(pieces::crate_look(true)),
        '@' | '+' => Some(pieces::worker_look()),
        _ => None,
    }
}

fn tweens(
    game: &Pukoban,
    _before: &PukobanState,
    events: &[PukobanEvent],
    _after: &PukobanState,
    tweens: &mut Tweens,
) {
    pieces::tweens(game, events, tweens);
}

fn cue(game: &Pukoban, event: &PukobanEvent, _name: SeatName) -> Cue {
    match event {
        PukobanEvent::Walked { .. } => Cue::sound(PlaySound::of_move("step", 0.5)),
        PukobanEvent::Pushed { to, .. } | PukobanEvent::Pulled { to, .. } => {
            let name = if game.goals().contains(to) { "seal" } else { "scrape" };
            Cue::sound(PlaySound::of_move(name, 0.6)).landmark()
        }
        PukobanEvent::Solved => Cue::new(MarkerKind::Good, "Solved", Sound::Named("finish")),
        PukobanEvent::OutOfSteps => Cue::new(MarkerKind::Bad, "Out of steps", Sound::Refuse),
    }
}

fn standing(shown: &Shown<Pukoban>, _seat: Seat) -> String {
    counted(shown.state().steps, "step")
}

fn prompt(shown: &Shown<Pukoban>, ui: &mut PuzzleUi) -> String {
    if shown.person.is_none() {
        return String::new();
    }
    let has_pulls = shown.game().moves().has_pulls();
    if ui.pull_mode && has_pulls {
        return "Pull mode: step away from a box to pull it along. P switches it off.".into();
    }
    if let (&[_, ..], steps) = ui.stuck(shown) {
        let steps = counted(steps as u64, "step");
        return format!("A ringed box can never reach a goal again. Undo {steps} to free it.");
    }
    if shown.session.playback.view == 0 {
        let (aim, controls) = if has_pulls { (AIM, CONTROLS) } else { (PUSH_AIM, PUSH_CONTROLS) };
        return match shown.session.is_new_to_game {
            true => format!("{aim} {controls}"),
            false => aim.into(),
        };
    }
    String::new()
}

fn hint(shown: &Shown<Pukoban>, _ui: &PuzzleUi, line: &[PukobanStep]) -> Option<Hint<PukobanStep>> {
    let first = *line.first()?;
    let (look, what) = next_box(shown.game(), shown.state(), line).map_or(
        (None, "No box has to be moved any more.".to_owned()),
        |(cell, step)| {
            let verb = if step.pull { "Pull" } else { "Push" };
            (Some(cell), format!("{verb} it {}.", step.direction))
        },
    );
    let place = "Look at the ringed box: it is the next one to move.".to_owned();
    let words = shown.game().action_words(&first);
    let steps = counted(line.len() as u64, "step");
    let words = format!("Best next step: {words}. {steps} to the end.");
    Some(Hint { action: first, look: look.into_iter().collect(), steps: [place, what, words] })
}

fn panel(
    panel: &mut egui::Ui,
    _look: &Visuals,
    shown: &Shown<Pukoban>,
    ui: &mut PuzzleUi,
) -> Option<PukobanStep> {
    panel::show(panel, shown, ui);
    None
}
