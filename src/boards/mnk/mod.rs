//! Stones in a row on the board.

mod colours;
mod help;
pub mod keys;
mod lesson;
mod paint;
mod panel;
mod pen;
mod pieces;
mod problem;
mod row;
mod terrain;
mod threats;

use super::Cached;
use crate::app::drawing::{Detail, Terrain};
use crate::app::match_screen::{
    BoardPiece, BoardSpec, Canvas, Cue, EventDisplay, GameView, Guidance, Hint, Input, Layer,
    MarkerKind, Overlay, Panels, PieceLook, Reply, Scenery, SeatName, Shown, Trial, Tweens,
    Visuals, Words, cell_at,
};
use crate::app::shell::commands::of_press;
use crate::app::shell::keyboard::Press;
use crate::app::shell::seats::{YOU, with_verb};
use crate::app::shell::sound::{PlaySound, Sound};
use bevy::prelude::*;
use bevy_egui::egui;
use keys::MnkCommand;
use outwit_core::grid::Cell;
use outwit_core::play::{Clock, Game, Outcome, PlannerContext, Progress, Seat, Value};
use outwit_kit::GameSpec;
use outwit_mnk::level::content;
use outwit_mnk::notation::cell_name;
use outwit_mnk::planners::ALL;
use outwit_mnk::{Mnk, MnkAction, MnkEvent, MnkFile, MnkPhase, MnkState, Opening};
use problem::ProblemState;
use std::sync::Arc;
use threats::Threat;

/// The cursor of the keys, and what is computed once for each position.
pub struct MnkUi {
    cursor: Option<Cell>,
    threats: Cached<(u64, usize), Vec<Threat>>,
    problem: ProblemState,
}

/// Index of each overlay.
mod overlay {
    /// The order of the stones.
    pub const NUMBERS: usize = 0;
    /// Where rows can be completed.
    pub const THREATS: usize = 1;
    /// What the planner expects.
    pub const MINDS: usize = 2;
}

const OVERLAYS: &[Overlay] = &[
    Overlay {
        name: "Move numbers",
        help: "The order in which the stones were placed.",
        layer: Layer::Match,
        on: false,
    },
    Overlay {
        name: "Threats",
        help: "Thick rings: a stone there wins at once. Thin rings: it would threaten to win in two \
               places. A cross or a small ring inside says whose stone.",
        layer: Layer::Match,
        on: false,
    },
    Overlay {
        name: "Planner's line",
        help: "The moves that the planner expects, numbered, and where it searched most.",
        layer: Layer::Minds,
        on: false,
    },
];

/// Positions that the planner looks at for a hint: a few tens of milliseconds.
const HINT: u64 = 6_000;

/// A cell beside another one, the same for the same cell: the ring of a hint does not stand on its move.
fn near(game: &Mnk, cell: Cell) -> Cell {
    let x = (cell.x + cell.y) % 3 - 1;
    let y = (cell.x + 2 * cell.y) % 3 - 1;
    let beside = cell + Cell::new(x, y);
    if game.index_of(beside).is_some() { beside } else { cell }
}

fn key(shown: &Shown<Mnk>, ui: &mut MnkUi, press: &Press) -> Reply<MnkAction> {
    let game = shown.game();
    let state = shown.state();
    let Some(entry) = of_press(keys::COMMANDS, press, false, false) else { return Reply::Ignored };
    let step = match entry.id {
        MnkCommand::Cursor(step) => step,
        MnkCommand::Place => {
            let place = ui.cursor.map(MnkAction::Place).filter(|_| !press.repeat);
            return match place.filter(|&action| game.check(state, action).is_ok()) {
                Some(action) => Reply::Act(action),
                None => Reply::Refused,
            };
        }
        MnkCommand::Choose(wanted) => {
            return match game.check(state, wanted) {
                Ok(()) => Reply::Act(wanted),
                Err(_) => Reply::Ignored,
            };
        }
    };
    let middle = Cell::new(game.width() as i32 / 2, game.height() as i32 / 2);
    let to = match ui.cursor {
        Some(cursor) => cursor + step,
        None => state.last.unwrap_or(middle),
    };
    if game.index_of(to).is_none() {
        return Reply::Refused;
    }
    ui.cursor = Some(to);
    Reply::Handled
}

impl GameView for Mnk {
    type Ui = MnkUi;

    const BOARD: BoardSpec = BoardSpec {
        overlays: OVERLAYS,
        silhouettes: &pieces::SHAPES,
        sounds: &["capture", "finish", "pen", "stone"],
        light: true,
        scene: (include_str!("../../../levels/mnk/9x4x4.ron"), 0.7),
        how_to_play: help::HOW_TO_PLAY,
        undo_counts: false,
        turn_seconds: row::PLACING,
        margin: terrain::BORDER,
        has_lines: true,
        resumes_watched: true,
        moment: "move",
        ..BoardSpec::PLAIN
    };

    const SCENERY: Scenery<Self> = Scenery { terrain, tile_look, ..Scenery::PLAIN };
    const EVENTS: EventDisplay<Self> = EventDisplay { tweens, cue };
    const WORDS: Words<Self> = Words { standing, pieces_of, headline, ..Words::PLAIN };
    const GUIDANCE: Guidance<Self> =
        Guidance { lesson: lesson::LESSON, prompt, hint, trial, ..Guidance::PLAIN };
    const PANELS: Panels<Self> = Panels { playing: panel, ..Panels::PLAIN };

    fn ui(game: &Arc<Self>) -> MnkUi {
        MnkUi { cursor: None, threats: Cached::default(), problem: ProblemState::of(game) }
    }

    fn extent(game: &Self) -> (usize, usize) {
        (game.width(), game.height())
    }

    fn pieces(game: &Self, _past: &[MnkState], state: &MnkState) -> Vec<BoardPiece> {
        pieces::pieces(game, state)
    }

    fn plugin(app: &mut App) {
        app.register_type::<pieces::PlacedStone>().register_type::<pieces::PenMark>();
    }

    fn paint(canvas: &mut Canvas, shown: &Shown<Self>, ui: &mut MnkUi) {
        ui.problem.follow(shown, canvas.painter.ctx());
        paint::paint(canvas, shown, ui);
    }

    fn input(input: Input, shown: &Shown<Self>, ui: &mut MnkUi) -> Reply<MnkAction> {
        if shown.person.is_none() {
            return Reply::Ignored;
        }
        match input {
            Input::Key(press) => key(shown, ui, &press),
            Input::Click(place) => {
                let cell = cell_at(place);
                let game = shown.game();
                let action = MnkAction::Place(cell);
                ui.cursor = None;
                match (game.index_of(cell), game.check(shown.state(), action)) {
                    (None, _) => Reply::Ignored,
                    (_, Ok(())) => Reply::Act(action),
                    (_, Err(_)) => Reply::Refused,
                }
            }
            _ => Reply::Ignored,
        }
    }
}

fn terrain(level: &MnkFile, dark: bool, detail: Detail) -> Terrain {
    terrain::terrain(level, dark, detail)
}

fn tile_look(symbol: char) -> Option<PieceLook> {
    Some(pieces::stone_look(content(symbol)??))
}

fn tweens(
    game: &Mnk,
    _before: &MnkState,
    events: &[MnkEvent],
    _after: &MnkState,
    tweens: &mut Tweens,
) {
    pieces::tweens(game, events, tweens);
}

fn cue(game: &Mnk, event: &MnkEvent, name: SeatName) -> Cue {
    let does = |seat: Seat, verbs| with_verb(&name(seat), verbs);
    match event {
        MnkEvent::Placed { .. } => {
            let wood = terrain::is_wood(game.width(), game.height(), game.k());
            Cue::sound(PlaySound::of_move(if wood { "stone" } else { "pen" }, 0.8))
        }
        MnkEvent::Swapped { seat } => Cue::mark(MarkerKind::Plain, does(*seat, ["swap", "swaps"])),
        MnkEvent::Kept { seat } => {
            let words = ["keep the stones", "keeps the stones"];
            Cue::mark(MarkerKind::Plain, does(*seat, words))
        }
        MnkEvent::TwoMore { seat } => {
            let words = ["place two more stones", "places two more stones"];
            Cue::mark(MarkerKind::Plain, does(*seat, words))
        }
        MnkEvent::Won { seat, line } => {
            let words = does(*seat, ["complete a row", "completes a row"]);
            Cue::new(MarkerKind::Good, words, Sound::Named("finish"))
                .lasting(row::winning_seconds(line))
        }
        MnkEvent::Drawn => {
            Cue::new(MarkerKind::Plain, "the board is full", Sound::Named("capture"))
        }
    }
}

fn standing(shown: &Shown<Mnk>, seat: Seat) -> String {
    let state = shown.state();
    let stones = state.held(seat).to_char().to_string();
    if state.phase == MnkPhase::Play { stones } else { "opening".into() }
}

/// Before the choice of sides, both seats place stones of either colour.
fn pieces_of(state: &MnkState, seat: Seat) -> Seat {
    pieces::colour(state.held(seat))
}

fn headline(_game: &Mnk, state: &MnkState, outcome: &Outcome, name: SeatName) -> String {
    match state.winner() {
        Some(winner) => {
            let (winner, loser) = (state.holder(winner), state.holder(winner.other()));
            match (name(winner), name(loser)) {
                (winner, loser) if loser == YOU => format!("You lost to {winner}"),
                (winner, _) => format!("{winner} won"),
            }
        }
        None => outcome.headline.clone(),
    }
}

fn prompt(shown: &Shown<Mnk>, _ui: &mut MnkUi) -> String {
    if shown.person.is_none() {
        return String::new();
    }
    let game = shown.game();
    let state = shown.state();
    let stone = state.to_move.to_char();
    match state.phase {
        MnkPhase::Opening(left) => format!(
            "Opening: place {stone}; {left} of 3 stones to go. The other player then chooses sides."
        ),
        MnkPhase::SecondChooses if game.level().rules.opening == Opening::Swap2 => {
            format!("Place {stone} to stay with it, swap, or place two more stones.")
        }
        MnkPhase::SecondChooses => format!("Place {stone} to stay with it, or swap."),
        MnkPhase::TwoMore(left) => {
            format!("Place {stone}; {left} to go. The other player then chooses sides.")
        }
        MnkPhase::FirstChooses => "Choose: swap, or keep your stones.".into(),
        MnkPhase::Play if shown.session.playback.view == 0 => {
            format!("Place {stone}: {} in a row win.", game.k())
        }
        MnkPhase::Play => String::new(),
    }
}

fn trial(shown: &Shown<Mnk>, ui: &MnkUi) -> Option<Trial> {
    ui.problem.trial(shown)
}

fn hint(shown: &Shown<Mnk>, ui: &MnkUi, _: &[MnkAction]) -> Option<Hint<MnkAction>> {
    let seat = shown.person?;
    if let Some(answer) = ui.problem.hint(shown) {
        return Some(answer);
    }
    let spec = ALL.last()?;
    let game = Arc::clone(shown.game());
    let rows = game.height();
    let mut planner = (spec.make)(PlannerContext { game, seat, seed: 0 });
    planner.observe(shown.state());
    let clock = Clock::work(HINT);
    while planner.think(&clock) == Progress::More && !clock.is_over() {}
    let action = planner.best();
    let words = match action {
        MnkAction::Place(cell) => format!("Ringed: {}.", cell_name(cell, rows)),
        _ => format!("The planner would {}.", shown.game().action_words(&action)),
    };
    let (look, place) = match action {
        MnkAction::Place(cell) => (vec![near(shown.game(), cell)], "Look around the ring."),
        _ => (Vec::new(), "Think of which side you want."),
    };
    let what = match planner.line().value {
        Some(Value::Win(_)) => "There is a forced win.",
        Some(Value::Loss(_)) => "The other side threatens to win.",
        _ => "Nothing is forced: build a threat, or stop one.",
    };
    Some(Hint { action, look, steps: [place.into(), what.into(), words] })
}

fn panel(
    panel: &mut egui::Ui,
    _look: &Visuals,
    shown: &Shown<Mnk>,
    _ui: &mut MnkUi,
) -> Option<MnkAction> {
    panel::show(panel, shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::shell::seats::YOU;

    fn game(id: &str) -> Mnk {
        let level = outwit_levels::built_in(id).and_then(|level| level.bytes().ok());
        let level = level.and_then(|bytes| outwit_kit::read_level::<Mnk>(&bytes, "").ok());
        level.and_then(|level| Mnk::new(&level, 2).ok()).unwrap()
    }

    #[test]
    fn a_swap_swaps_the_stones_beside_the_names() {
        let mut state = game("mnk/gomoku-swap2").opening();
        assert_eq!([0, 1].map(|seat| pieces_of(&state, Seat(seat))), [Seat(0), Seat(1)]);
        state.swapped = true;
        assert_eq!([0, 1].map(|seat| pieces_of(&state, Seat(seat))), [Seat(1), Seat(0)]);
    }

    #[test]
    fn sentences_agree_with_the_person_who_reads_them() {
        let game = game("mnk/3x3x3");
        let said = |event, name: &'static str| {
            let cue = (Mnk::EVENTS.cue)(&game, &event, &|_| name.to_owned());
            cue.marker.map(|(_, words)| words)
        };
        let swapped = || MnkEvent::Swapped { seat: Seat(0) };
        assert_eq!(said(swapped(), YOU).as_deref(), Some("You swap"));
        assert_eq!(said(swapped(), "Classic").as_deref(), Some("Classic swaps"));
        let won = MnkEvent::Won { seat: Seat(0), line: Vec::new() };
        assert_eq!(said(won, YOU).as_deref(), Some("You complete a row"));
    }
}
