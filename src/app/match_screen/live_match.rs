//! A match as the screen sees it, without the types of its game.

use super::analysis::task::{AnalysisRequest, AnalysisRun};
use super::board::{Input, MarkerKind, Reply};
use super::board_text::BoardText;
use super::canvas::{Canvas, Visuals};
use super::commentary::Told;
use super::hint::ShownHint;
use super::lesson::LessonStatus;
use super::piece::{BoardPiece, Tweens};
use super::solver::request::{SolverReply, SolverRequest};
use super::state::SessionState;
use super::trial::Trial;
use crate::app::drawing::{Detail, Terrain};
use crate::app::shell::sound::PlaySound;
use bevy::math::Vec2;
use bevy_egui::egui;
use outwit_core::platform::program::ProgramLog;
use outwit_core::platform::task::Task;
use outwit_core::platform::time::Duration;
use outwit_core::play::{
    Closing, Insight, Outcome, Review, Ruling, ScoreSpec, Seat, SeatStats, TimeControl, TurnNote,
};
use outwit_core::search::{Recording, TreeOptions};
use outwit_kit::{GameTree, SearchName};
use std::any::Any;

/// An event as it stands on the timeline.
#[derive(Clone, PartialEq, Debug)]
pub struct TimelineMark {
    /// Index of its turn.
    pub turn: usize,
    /// How it looks.
    pub kind: MarkerKind,
    /// What happened.
    pub words: String,
}

/// How a turn is shown.
#[derive(Default)]
pub struct TurnCues {
    /// What is heard.
    pub sounds: Vec<PlaySound>,
    /// How long it takes at normal speed, in seconds.
    pub seconds: f32,
    /// Whether it is one that can be taken back at once with all that follow.
    pub is_landmark: bool,
}

/// Another way in which the match went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariationInfo {
    /// The number of turns that it shares with the present line.
    pub shared: usize,
    /// The number of its turns.
    pub turns: usize,
}

/// How a seat uses its budget, and what its program says of itself.
pub struct SeatReport {
    /// How much time or work it has.
    pub control: TimeControl,
    /// How much of it was used, from 0 to 1; `None` before the first turn.
    pub used: Option<f32>,
    /// Whether it still prepares for the match.
    pub is_preparing: bool,
    /// What is left of its time, for this turn or for the match, if its time is limited.
    pub time_left: Option<Duration>,
    /// What its program calls itself, once it is known.
    pub name: Option<String>,
    /// What its program said, if one plays.
    pub log: Option<ProgramLog>,
}

/// A match on the screen without its types.
pub trait LiveMatch: Any + Send + Sync {
    /// Number of turns played.
    fn turns(&self) -> usize;
    /// Changes whenever the match does.
    fn revision(&self) -> u64;
    /// Whether no turn will be played any more.
    fn is_over(&self) -> bool;
    /// The result once the match is over.
    fn outcome(&self) -> Option<Outcome>;
    /// The result in one sentence once the match is over.
    fn headline(&self, session: &SessionState) -> Option<String>;
    /// The turn after which the last plans were made, or where the match turned shortly before its end.
    fn last_plan(&self) -> usize;
    /// How far the match is after `turn` turns, by what people count it by.
    fn moment(&self, turn: usize) -> usize;
    /// The seats that choose in the state after `turn` turns.
    fn to_move(&self, turn: usize) -> Vec<Seat>;
    /// The person who may choose in the state that is shown.
    fn person(&self, session: &SessionState) -> Option<Seat>;
    /// Whether a seat has nothing more to choose in the state after `turn` turns, though others go on.
    fn is_out(&self, turn: usize, seat: Seat) -> bool;
    /// Moves the match on if everybody has chosen.
    fn poll(&mut self) -> Ruling;
    /// Whether a planner is thinking that can be told to choose at once.
    fn can_hurry(&self) -> bool;
    /// Lets the planners that are thinking choose at once.
    fn hurry(&mut self);
    /// Takes the planners' present pictures.
    fn take_pictures(&mut self);
    /// Whether a person has chosen actions that are still to be played.
    fn has_queued(&self) -> bool;
    /// Forgets the actions that are still to be played.
    fn clear_queue(&mut self);
    /// Drops the first queued action if it was played by itself in the turn after `turn` turns
    /// already; returns whether it was.
    fn drop_repeated(&mut self, seat: Seat, turn: usize) -> bool;
    /// Plays the first queued action for a seat in the state after `turn` turns, on another line
    /// than before if there are later turns.
    ///
    /// # Errors
    /// If there is none or the rules forbid it; the match is as it was.
    fn play_queued(&mut self, seat: Seat, turn: usize) -> Result<(), String>;
    /// Ends the match because of a seat, before the rules do.
    fn close(&mut self, seat: Seat, closing: Closing);
    /// Goes back to the state after `turn` turns, to play on from there. What came after it stays as
    /// a variation.
    fn branch(&mut self, turn: usize);
    /// The other ways in which the match went, the oldest first.
    fn variations(&self) -> Vec<VariationInfo>;
    /// Makes a variation the line that is shown; the present line takes its place.
    ///
    /// # Errors
    /// If there is no such variation; the match is as it was.
    fn choose_variation(&mut self, variation: usize) -> Result<(), String>;
    /// Tells the position after `turn` turns from others after as many.
    fn position(&self, turn: usize) -> u64;
    /// Lets a planner think about a position, in the background.
    ///
    /// # Errors
    /// If the position or the planner does not exist.
    fn analyse(&self, request: AnalysisRequest) -> Result<AnalysisRun, String>;
    /// Records the first events of a search from the position after `turn` turns.
    fn record_search(
        &self,
        turn: usize,
        search: SearchName<'static>,
        events: usize,
    ) -> Task<Result<Recording, String>>;
    /// Records the search of the game tree from the position after `turn` turns.
    fn record_tree(&self, turn: usize, options: TreeOptions) -> Task<Result<GameTree, String>>;
    /// Plays a line of actions, written as in replays, for a seat from the state after `turn` turns;
    /// what came after it stays as a variation. The others choose what they chose before, or as
    /// little as possible where that is not legal any more. Returns the number of turns played.
    ///
    /// # Errors
    /// If an action cannot be read or the first one is illegal; the match is as it was.
    fn play_line(&mut self, turn: usize, seat: Seat, line: &[String]) -> Result<usize, String>;
    /// Whether the plans of a seat are hidden from the person who plays against it.
    fn is_hidden(&self, session: &SessionState, seat: Seat) -> bool;
    /// How a seat uses its budget, and what its program says of itself.
    fn seat(&self, seat: Seat) -> SeatReport;
    /// How a seat behaved so far.
    fn stats(&self, seat: Seat) -> SeatStats;
    /// What a planner saw, if that belongs to the shown turn and is not hidden.
    fn insight(&self, session: &SessionState, seat: Seat) -> Option<&Insight>;
    /// The events of all turns that stand on the timeline, in order.
    fn marks(&mut self, session: &SessionState) -> &[TimelineMark];
    /// The sounds of a turn, and how long it takes to be shown at normal speed.
    fn cues(&self, session: &SessionState, turn: usize) -> TurnCues;
    /// What can be said of the match, as far as it is known; `None` if nothing is said of this game.
    fn commentary(&self) -> Option<&Told>;
    /// Finds what can be said of what was played since the last call; returns whether there is more to come.
    fn follow_commentary(&mut self) -> bool;
    /// By which share of its time more a turn is worth being shown, because much is at stake in it.
    fn tension(&self, turn: usize) -> f32;
    /// Upper left and lower right corner of what matters after `turn` turns.
    fn focus(&self, turn: usize) -> Option<(Vec2, Vec2)>;
    /// Draws what a program that was asked about a turn thinks, where that turn is shown.
    fn show_asked(&mut self, seat: Seat, turn: usize, insight: &Insight);
    /// The match as the text of a replay file, with these notes.
    fn replay_text(&self, notes: &[TurnNote]) -> String;
    /// Goes on with a match that was left, given as the text of a replay file. Returns false if others
    /// played it; then nothing is changed.
    ///
    /// # Errors
    /// If it is no replay of this match.
    fn resume(&mut self, replay: &str) -> Result<bool, String>;
    /// Begins to compare every move with perfect play.
    fn review(&self) -> Task<Option<Review>>;
    /// Shows an earlier match as a ghost, if the text is a replay of this game.
    fn set_ghost(&mut self, replay: &str);
    /// Looks for a hint; returns whether there is one.
    fn find_hint(&mut self, session: &SessionState) -> bool;
    /// Asks the board's solver how to go on from the shown turn; to be asked again while it thinks. Where a hint is
    /// asked for, it shows the first action of the line instead of giving it.
    fn solve(&mut self, session: &SessionState, request: &SolverRequest) -> SolverReply;
    /// Lets the solver stop thinking.
    fn cancel_solver(&mut self);
    /// What to say of the move that a person tried last, in a problem.
    fn trial(&self, session: &SessionState) -> Option<Trial>;
    /// How a step of the game's lesson stands at the present; open if there is no such step.
    fn lesson_status(&self, step: usize) -> LessonStatus;
    /// The moves up to the shown turn as text, if the game has a notation for them.
    fn moves_text(&self, session: &SessionState) -> Option<String>;
    /// The actions that a text of moves stands for, from the shown turn on, as in replay files.
    ///
    /// # Errors
    /// If the game has no notation, or what is wrong with the text.
    fn moves_of_text(&self, session: &SessionState, text: &str) -> Result<Vec<String>, String>;
    /// The results of a seat that have a record each, once the match is over.
    fn results(&self, seat: Seat) -> Vec<(ScoreSpec, f64)>;
    /// As much of the hint for the shown turn as was given.
    fn hint(&self, session: &SessionState) -> Option<ShownHint<'_>>;
    /// Tells the referee what is to be played for a person if time were up now.
    fn propose(&mut self, session: &SessionState, seat: Seat);

    /// The still terrain.
    fn terrain(&self, dark: bool, detail: Detail) -> Terrain;
    /// The shown position in words.
    fn board_text(&self, session: &SessionState) -> BoardText;
    /// All pieces in the state after `turn` turns.
    fn pieces(&self, turn: usize) -> Vec<BoardPiece>;
    /// How pieces move during a turn, from `before` to `after`.
    fn tweens(&self, turn: usize, before: &[BoardPiece], after: &[BoardPiece]) -> Tweens;
    /// What stands beside a seat's name.
    fn standing(&self, session: &SessionState, seat: Seat) -> String;
    /// Whose pieces a seat has: after a swap, another seat's.
    fn pieces_of(&self, session: &SessionState, seat: Seat) -> Seat;
    /// One line on what a person should do now.
    fn prompt(&mut self, session: &SessionState) -> String;
    /// Draws what is not an entity.
    fn paint(&mut self, canvas: &mut Canvas, session: &SessionState);
    /// Passes an input to the board; an action that it answers with is queued.
    fn input(&mut self, session: &SessionState, input: Input) -> Reply<()>;
    /// Shows the board's part of the side panel; returns whether an action was queued.
    fn panel(&mut self, ui: &mut egui::Ui, look: &Visuals, session: &SessionState) -> bool;
    /// Shows the board's part of the review.
    fn review_panel(&mut self, ui: &mut egui::Ui, session: &SessionState);
}
