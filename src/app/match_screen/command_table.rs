//! What a person can ask of a match, by key or by button.

use super::analysis::state::Scrub;
use super::lesson;
use super::session::Session;
use super::side;
use super::state::{AnalysisView, Tab};
use crate::app::shell::commands::{
    Chord, Command, KeyGroup, command, ctrl, ctrl_shift, key, note, of_press, rows, shift,
};
use crate::app::shell::everywhere::SAVE_REPLAY;
use crate::app::shell::keyboard::Press;
use crate::app::shell::links;
use bevy::prelude::KeyCode::*;
use bevy::prelude::{Commands, Resource};
use bevy_egui::egui;
use egui_phosphor::regular as icon;
use std::fmt;

/// What a person can ask of the match, by key or by button.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchCommand {
    /// Let it run, or stop it.
    Play,
    /// Play the rest of the match without showing it.
    Skip,
    /// Show one turn.
    Step,
    /// Show the turn before.
    StepBack,
    /// Show the start.
    First,
    /// Show the present.
    Last,
    /// Run faster.
    Faster,
    /// Run slower.
    Slower,
    /// Begin again with the same seed.
    Restart,
    /// Begin another match with the same seats and a new seed.
    NextMatch,
    /// Begin a match against the next rival that was not beaten yet.
    NextRival,
    /// Do what most people do next after a match or a step of a lesson.
    GoOn,
    /// Show the turning points again, slowly.
    Highlights,
    /// Let the seats play the best of five, of which this match is the first.
    BestOfFive,
    /// Show the end again, slowly, from where the last plans were made.
    LastPlan,
    /// Let planners, or the solver, choose what is best by what they have found so far.
    MoveNow,
    /// Take back the last choice.
    Undo,
    /// Take back to before the last move of a box.
    UndoToLandmark,
    /// Play again what was taken back.
    Redo,
    /// Show another way in which the match went.
    Variation(usize),
    /// Show what would be good.
    Hint,
    /// Let the solver play on to the end.
    ShowRest,
    /// Look at the mistake before the shown turn, in the review.
    PreviousMistake,
    /// Look at the mistake after the shown turn, in the review.
    NextMistake,
    /// Play on from the turn that the review shows.
    TryAgain,
    /// Put the moves on the clipboard, in the notation of the game.
    CopyMoves,
    /// Play the moves on the clipboard from the shown turn on.
    PasteMoves,
    /// Begin a match on a later level, or on an earlier one if the number is negative.
    OtherLevel(isize),
    /// Save the match as a replay.
    Save,
    /// Copy a link to the match as a replay.
    CopyLink,
    /// Copy the result on a level of the day.
    CopyResult,
    /// Show the whole board.
    Fit,
    /// Follow the piece that moves.
    Follow,
    /// Switch all overlays.
    Overlays,
    /// Switch one overlay.
    Overlay(usize),
    /// Switch the overlay of perfect play.
    Ghost,
    /// Switch the lines between cells, on all boards.
    Grid,
    /// Switch the commentary on matches that are watched.
    Commentary,
    /// Hide or show the panel beside the board.
    Panel,
    /// Carry out what a person has planned, as the board does with its own key.
    CarryOut,
    /// Show the match large, from note to note, or end that.
    Lecture,
    /// Show something else beside the board; the match again if it is shown already.
    Show(Tab),
    /// Step through the snapshots of the analysis.
    Scrub(Scrub),
    /// Play the line of the analysis on the board.
    PlayLine,
    /// Play the line that begins with the choice of this number in the analysis.
    PlayChoice(usize),
    /// Leave the match.
    Leave,
    /// Do what a feature does that the screen knows nothing of.
    Feature(&'static FeatureCommand),
}

/// A command that belongs to a feature alone.
pub struct FeatureCommand {
    /// Its entry.
    pub entry: &'static MatchEntry,
    /// Whether it is a move of play, such as to resign. Others stand under *More* while a person plays.
    pub is_play: bool,
    /// Begins to carry it out, for the match that has the focus.
    pub run: fn(&mut Commands),
}

impl PartialEq for FeatureCommand {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for FeatureCommand {}

impl fmt::Debug for FeatureCommand {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.entry.label)
    }
}

/// The commands of all features, as they were registered.
#[derive(Resource, Default)]
pub struct FeatureCommands(pub Vec<&'static MatchEntry>);

/// The entry of a command.
pub type MatchEntry = Command<MatchCommand, Session>;

/// The commands that run a match.
const RUN: &[MatchEntry] = &[
    command(MatchCommand::Play, &[key(Space)], "Play or pause"),
    command(MatchCommand::Step, &[key(Period)], "One turn forward")
        .icon(icon::CARET_RIGHT)
        .tip("One turn on")
        .repeating(),
    command(MatchCommand::StepBack, &[key(Comma)], "One turn back")
        .icon(icon::CARET_LEFT)
        .repeating(),
    command(MatchCommand::First, &[key(Home)], "First or last turn")
        .icon(icon::SKIP_BACK)
        .tip("To the start"),
    command(MatchCommand::Last, &[key(End)], "First or last turn").icon(icon::SKIP_FORWARD),
    command(MatchCommand::Skip, &[shift(End)], "Skip to the result, when only the others go on")
        .label("Skip to the result")
        .tip("Play the rest of the match without showing it")
        .when(|session| able(session.is_out() && !session.playback.skips())),
    command(MatchCommand::Faster, &[key(NumpadAdd), key(Equal)], "Faster or slower")
        .icon(icon::PLUS)
        .tip("Faster"),
    command(MatchCommand::Slower, &[key(Minus), key(NumpadSubtract)], "Faster or slower")
        .icon(icon::MINUS)
        .tip("Slower"),
    command(MatchCommand::Restart, &[key(KeyR)], "Restart with the same seed")
        .label("Restart")
        .tip("Begin again with the same seed"),
    command(
        MatchCommand::NextMatch,
        &[key(KeyN), shift(KeyR)],
        "Next match: of the league, or the same players with a new seed",
    )
    .label("Next match")
    .tip("The same players, a new seed")
    .when(|session| able(!session.is_replay())),
    command(MatchCommand::NextRival, &[], "Next rival")
        .tip("The weakest planner that you have not beaten yet")
        .when(|session| able(session.result.next_rival.is_some())),
    command(
        MatchCommand::GoOn,
        &[key(Enter), key(NumpadEnter)],
        "Go on after a match or a step of a lesson",
    )
    .when(|session| able(session.is_step_over() || session.what_next().is_some())),
    command(MatchCommand::BestOfFive, &[key(KeyB)], "Best of five, after a match of planners")
        .label("Best of five")
        .tip("Up to five matches of these planners on this level, this one included; they swap seats where they can")
        .when(|session| {
            let watched = session.humans.is_empty() && !session.is_replay();
            let meets = session.config.players.len() > 1 && session.config.beside.is_none();
            able(watched && meets && session.outcome().is_some() && !session.is_in_series())
        }),
    command(MatchCommand::LastPlan, &[key(KeyV)], "The last plan again, slowly, after a match")
        .label("Last plan again")
        .tip("The end of the match again, slowly, from where the last plans were made")
        .when(|session| able(session.live.is_over() && session.live.turns() > 0)),
    command(
        MatchCommand::Highlights,
        &[shift(KeyV)],
        "Watch the highlights of a match that is over",
    )
    .label("Watch the highlights")
    .tip("The turning points, in their order and slowly")
    .when(|session| able(session.has_highlights())),
    command(
        MatchCommand::MoveNow,
        &[key(KeyI)],
        "Planners that think long: move now; the solver: take what is known",
    )
    .label("Move now")
    .tip("Let it choose the best that it has found so far; a result of your own then sets no record")
    .when(|session| match &session.asked {
        Some(request) => able(!request.enough.is_raised()),
        None => able(session.can_hurry()),
    }),
    command(
        MatchCommand::Undo,
        &[key(KeyU), key(Backspace), ctrl(KeyZ)],
        "Take back your last move",
    )
    .label("Take back")
    .tip("Take back your last move")
    .repeating()
    .when(|session| able(!session.humans.is_empty() && session.playback.view > 0)),
    command(
        MatchCommand::UndoToLandmark,
        &[shift(Backspace)],
        "Pukoban: take back to before the last move of a box",
    )
    .label("Take back a box")
    .tip("Take back to before the last move of a box")
    .repeating()
    .when(|session| able(session.takes_back_freely() && session.before_landmark().is_some())),
    command(
        MatchCommand::Redo,
        &[shift(KeyU), ctrl(KeyY), ctrl_shift(KeyZ)],
        "Play again what you took back",
    )
    .label("Redo")
    .repeating()
    .when(|session| able(!session.is_at_present() || !session.live.variations().is_empty())),
    command(MatchCommand::Hint, &[key(KeyH)], "Hint")
        .label("Hint")
        .tip("Show a best move")
        .when(|session| has_overlays(session).and(able(may_ask(session)))),
    command(
        MatchCommand::ShowRest,
        &[shift(KeyH)],
        "Solve from here, in puzzles; show the answer, in problems",
    )
    .label("Solve from here")
    .tip("Let the solver play from here to the end; this sets no record")
    .when(|session| {
        let is_known = session.board.solver.is_some() || session.offers_answer();
        able(is_known && may_ask(session))
    }),
    command(MatchCommand::CarryOut, &[], "Carry out the plan")
        .label("Go")
        .tip("Carry out the plan")
        .when(|session| able(session.board.plans && session.human_to_move().is_some())),
    command(MatchCommand::PreviousMistake, &[key(BracketLeft)], MISTAKES)
        .icon(icon::CARET_LEFT)
        .tip("Previous mistake")
        .when(|session| able(session.has_mistakes())),
    command(MatchCommand::NextMistake, &[key(BracketRight)], MISTAKES)
        .icon(icon::CARET_RIGHT)
        .tip("Next mistake")
        .when(|session| able(session.has_mistakes())),
    command(MatchCommand::TryAgain, &[shift(KeyT)], "Review: try again from the viewed turn")
        .label("Try again from here")
        .tip("Play on from this turn; what was played from here stays as a variation")
        .when(|session| able(session.tab == Tab::Review && session.human_to_move().is_some())),
    command(MatchCommand::CopyMoves, &[ctrl(KeyC)], NOTATION)
        .label("Copy moves")
        .tip("Copy the moves up to here as text")
        .when(|session| able(session.info.has_notation)),
    command(MatchCommand::PasteMoves, &[ctrl(KeyV)], NOTATION)
        .label("Paste moves")
        .tip("Play the moves on the clipboard from here on")
        .when(|session| able(session.info.has_notation && !session.is_replay())),
    command(MatchCommand::OtherLevel(1), &[key(PageDown)], "Next or previous level")
        .label("Next level")
        .tip("The next level of the list"),
    command(MatchCommand::OtherLevel(-1), &[key(PageUp)], "Next or previous level"),
    command(MatchCommand::Save, SAVE_REPLAY.keys_of(false), SAVE_REPLAY.help)
        .in_browser(SAVE_REPLAY.keys_of(true))
        .label("Save")
        .tip("Save the match as a replay"),
    command(MatchCommand::CopyLink, links::KEYS, "Copy a link to the replay")
        .label(links::LABEL)
        .tip("Copy a link that holds the match so far as a replay"),
    command(
        MatchCommand::CopyResult,
        &[key(F7)],
        "Copy the result, after a level of the day",
    )
    .in_browser(&[shift(KeyY)])
    .label("Copy result")
    .tip("Copy the result as a line of text")
    .when(|session| able(session.daily_line().is_some())),
    command(MatchCommand::Lecture, &[key(F8)], "Lecture: the match large, from note to note; in the analysis, step by step")
        .label("Lecture")
        .tip("Show the match large and without panels; arrow keys lead from note to note")
        .when(|session| {
            let may = session.live.is_over() || session.tab == Tab::Analysis;
            able(may && session.lesson.is_none())
        }),
    command(
        MatchCommand::Show(Tab::Analysis),
        &[key(KeyT)],
        "Analysis: how planners think about the viewed turn",
    ),
    scrub(Scrub::Back, &[key(KeyJ)], STEP_BACK_ON)
        .icon(icon::CARET_LEFT)
        .tip("One step back"),
    scrub(Scrub::Forward, &[key(KeyL)], STEP_BACK_ON)
        .icon(icon::CARET_RIGHT)
        .tip("Next step"),
    scrub(Scrub::First, &[shift(KeyJ)], STEP_ENDS)
        .icon(icon::SKIP_BACK)
        .tip("To the first"),
    scrub(Scrub::Last, &[shift(KeyL)], STEP_ENDS)
        .icon(icon::SKIP_FORWARD)
        .tip("To the last"),
    scrub(Scrub::Play, &[key(KeyK)], "Analysis: play the thinking"),
    scrub(Scrub::Run, &[shift(KeyK)], "Analysis, event by event: run to the next breakpoint")
        .label("Run to the next breakpoint")
        .tip("Run to the next breakpoint")
        .when(|session| able(matches!(session.analysis_view(), AnalysisView::Event | AnalysisView::Tree))),
    command(MatchCommand::PlayLine, &[], "Play this line").tip(
        "Plays these moves on the board. What was played from here stays as a variation. The \
         others choose what they chose before, where they still can.",
    ),
    command(MatchCommand::Leave, &[key(Escape)], "Leave the analysis or lecture, then the match")
        .icon(icon::ARROW_LEFT)
        .tip("Back"),
];

/// The commands that change the view.
const VIEW: &[MatchEntry] = &[
    command(MatchCommand::Overlays, &[key(KeyO)], "All overlays on or off").when(has_overlays),
    overlay(0, &[key(Digit1)], |session| can_show(session, 0)),
    overlay(1, &[key(Digit2)], |session| can_show(session, 1)),
    overlay(2, &[key(Digit3)], |session| can_show(session, 2)),
    overlay(3, &[key(Digit4)], |session| can_show(session, 3)),
    overlay(4, &[key(Digit5)], |session| can_show(session, 4)),
    command(MatchCommand::Ghost, &[key(KeyG)], "Ghosts of your best match and of perfect play")
        .when(has_overlays),
    command(MatchCommand::Grid, &[shift(KeyG)], "Grid on or off, on all boards")
        .when(|session| able(!session.board.has_lines)),
    command(MatchCommand::Commentary, &[shift(KeyN)], "Commentary on or off")
        .when(|session| able(session.live.commentary().is_some())),
    command(MatchCommand::Panel, &[key(F4)], "Hide or show the panel beside the board")
        .icon(icon::SIDEBAR_SIMPLE)
        .tip("Hide or show the panel")
        .when(|session| able(side::may_hide(session))),
    command(MatchCommand::Follow, &[key(KeyF)], "Follow the moving piece")
        .icon(icon::CROSSHAIR)
        .tip("Follow the piece that moves"),
    command(MatchCommand::Fit, &[key(Digit0)], "Fit board to window")
        .icon(icon::FRAME_CORNERS)
        .tip("Show the whole board"),
];

const STEP_BACK_ON: &str = "Analysis: snapshot or event before, next one";
const STEP_ENDS: &str = "Analysis: first or last snapshot or event";
const MISTAKES: &str = "Review: previous or next mistake";
const NOTATION: &str = "Copy or paste the moves as text, in puzzles and races";

const fn scrub(scrub: Scrub, keys: &'static [Chord], help: &'static str) -> MatchEntry {
    command(MatchCommand::Scrub(scrub), keys, help)
        .when(|session| able(session.tab == Tab::Analysis))
}

const fn overlay(
    index: usize,
    digit: &'static [Chord],
    allowed: fn(&Session) -> Result<(), &'static str>,
) -> MatchEntry {
    command(MatchCommand::Overlay(index), digit, "Switch an overlay on or off").when(allowed)
}

/// What is or is not allowed without words.
pub fn able(able: bool) -> Result<(), &'static str> {
    if able { Ok(()) } else { Err("") }
}

/// Overlays and hints are not shown in the analysis, as its picture takes their place.
fn has_overlays(session: &Session) -> Result<(), &'static str> {
    able(session.tab != Tab::Analysis)
}

/// Not while somebody else moves in a match that a person plays.
pub fn may_ask(session: &Session) -> bool {
    session.humans.is_empty() || session.is_replay() || session.human_to_move().is_some()
}

fn can_show(session: &Session, overlay: usize) -> Result<(), &'static str> {
    has_overlays(session)?;
    let can = session.can_show(overlay);
    if can { Ok(()) } else { Err("A replay does not hold what planners thought.") }
}

impl MatchCommand {
    /// Whether it belongs to a feature and is a move of play.
    pub fn is_play(self) -> bool {
        matches!(self, Self::Feature(feature) if feature.is_play)
    }

    /// Its entry; what is chosen from a list of the match has none.
    pub fn entry(self) -> Option<&'static MatchEntry> {
        match self {
            Self::Feature(feature) => Some(feature.entry),
            _ => [RUN, VIEW].into_iter().flatten().find(|entry| entry.id == self),
        }
    }

    /// The name of the first of its keys; empty if it has none.
    pub fn first_key(self) -> String {
        self.entry().map_or_else(String::new, Command::first_key)
    }

    /// Whether it can be given, or why not; the reason may be empty.
    pub fn allowed(self, session: &Session) -> Result<(), &'static str> {
        able(session.lesson.is_none() || lesson::allows(self))?;
        if self.takes_back() && session.is_contested() {
            return Err("Not in a championship");
        }
        self.entry().map_or(Ok(()), |entry| (entry.allowed)(session))
    }

    /// Whether it changes which turn is shown or how fast, of this match and of one beside it.
    pub fn moves_both(self) -> bool {
        use MatchCommand::{
            Faster, First, Highlights, Last, LastPlan, Play, Slower, Step, StepBack,
        };
        matches!(
            self,
            Play | Step | StepBack | First | Last | Faster | Slower | LastPlan | Highlights
        )
    }

    /// Whether it makes another match of the one that is played: what is raced for points is raced once.
    fn takes_back(self) -> bool {
        let changes = [
            Self::Undo,
            Self::UndoToLandmark,
            Self::Redo,
            Self::Restart,
            Self::Hint,
            Self::TryAgain,
        ];
        changes.contains(&self) || matches!(self, Self::Variation(_))
    }

    /// Draws its button, which looks like `face` and has the tooltip of its entry. If it is pressed,
    /// the command goes to `commands`.
    pub fn button(
        self,
        ui: &mut egui::Ui,
        session: &Session,
        face: impl FnOnce(&MatchEntry) -> egui::Button<'static>,
        commands: &mut Vec<Self>,
    ) {
        let tip = self.entry().map_or("", |entry| entry.tip);
        self.button_saying(ui, session, face, tip, commands);
    }

    /// The same with another tooltip.
    pub fn button_saying(
        self,
        ui: &mut egui::Ui,
        session: &Session,
        face: impl FnOnce(&MatchEntry) -> egui::Button<'static>,
        tip: &str,
        commands: &mut Vec<Self>,
    ) {
        let Some(entry) = self.entry() else { return };
        if entry.button_saying(ui, self.allowed(session), face(entry), tip) {
            commands.push(self);
        }
    }
}

/// The face of a button with the words of its command.
pub fn labelled(entry: &MatchEntry) -> egui::Button<'static> {
    egui::Button::new(entry.label)
}

/// The face of a button with the icon of its command.
pub fn symbol(entry: &MatchEntry) -> egui::Button<'static> {
    symbol_of(entry.icon)
}

/// The face of a button with another icon.
pub fn symbol_of(icon: &'static str) -> egui::Button<'static> {
    egui::Button::new(egui::RichText::new(icon).size(17.0))
}

/// The entry of the command that a key stands for. Shift only matters where it makes another command.
pub fn entry_of(press: &Press, features: &[&'static MatchEntry]) -> Option<&'static MatchEntry> {
    let all = || RUN.iter().chain(VIEW).chain(features.iter().copied());
    let find = |shift| of_press(all(), press, press.ctrl, shift);
    find(press.shift).or_else(|| find(false))
}

/// The keys of a match and of features, for help and manual.
pub fn key_groups(features: &[&'static MatchEntry]) -> [KeyGroup; 2] {
    let mut view = rows(VIEW);
    view.extend([
        note(
            "Arrows",
            "Pan; previous or next turn in the review, note in a lecture, snapshot or event in the analysis",
        ),
        note("Wheel", "Zoom in or out"),
    ]);
    [
        KeyGroup { title: "Match", rows: rows(RUN.iter().chain(features.iter().copied())) },
        KeyGroup { title: "Board", rows: view },
    ]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::MatchCommand::{self, *};
    use super::{RUN, VIEW, entry_of};
    use crate::app::match_screen::analysis::state::Scrub;
    use crate::app::match_screen::state::Tab;
    use crate::app::shell::keyboard::Press;
    use bevy::prelude::KeyCode;

    /// Whether it is chosen from a list that the match makes, or from the tabs.
    fn is_of_a_list(command: MatchCommand) -> bool {
        match command {
            Variation(_) | PlayChoice(_) | Show(Tab::Match | Tab::Review) => true,
            Play | Skip | Step | StepBack | First | Last | Faster | Slower | Restart
            | NextMatch | NextRival | GoOn | PreviousMistake | NextMistake | TryAgain
            | BestOfFive | LastPlan | Highlights | Undo | UndoToLandmark | Redo | Hint
            | ShowRest | MoveNow | CopyMoves | PasteMoves | OtherLevel(_) | Save | CopyLink
            | CopyResult | Lecture | Fit | Follow | Overlays | Overlay(_) | Ghost | Grid
            | Commentary | Panel | CarryOut | Show(Tab::Analysis) | Scrub(_) | PlayLine | Leave
            | Feature(_) => false,
        }
    }

    #[test]
    fn every_command_of_the_match_has_one_entry() {
        let fixed = [
            Play,
            Skip,
            Step,
            StepBack,
            First,
            Last,
            Faster,
            Slower,
            Restart,
            NextMatch,
            NextRival,
            GoOn,
            BestOfFive,
            PreviousMistake,
            NextMistake,
            TryAgain,
            LastPlan,
            Highlights,
            Undo,
            UndoToLandmark,
            Redo,
            Hint,
            ShowRest,
            MoveNow,
            CopyMoves,
            PasteMoves,
            Save,
            CopyLink,
            CopyResult,
            Lecture,
            Fit,
            Follow,
            Overlays,
            Ghost,
            Grid,
            Commentary,
            Panel,
            CarryOut,
            PlayLine,
            Leave,
        ];
        let digits = (0..5).map(Overlay);
        let scrubs =
            [Scrub::First, Scrub::Back, Scrub::Play, Scrub::Run, Scrub::Forward, Scrub::Last];
        let others = [OtherLevel(1), OtherLevel(-1), Show(Tab::Analysis)];
        let all =
            fixed.into_iter().chain(digits).chain(scrubs.map(MatchCommand::Scrub)).chain(others);
        let mut entries: Vec<_> = RUN.iter().chain(VIEW).map(|entry| entry.id).collect();
        for command in all {
            assert!(!is_of_a_list(command));
            let before = entries.len();
            entries.retain(|id| *id != command);
            assert_eq!(entries.len() + 1, before, "{command:?}");
        }
        assert_eq!(entries, [], "which are not listed here");
        for command in [Variation(0), PlayChoice(0), Show(Tab::Match), Show(Tab::Review)] {
            assert!(is_of_a_list(command) && command.entry().is_none());
        }
    }

    #[test]
    fn shift_and_ctrl_matter_where_the_table_says_so() {
        let (plain, shift) = ((false, false), (false, true));
        let (ctrl, both) = ((true, false), (true, true));
        for (code, held, expected) in [
            (KeyCode::KeyR, plain, Some(Restart)),
            (KeyCode::KeyR, shift, Some(NextMatch)),
            (KeyCode::KeyR, ctrl, None),
            (KeyCode::KeyZ, plain, None),
            (KeyCode::KeyZ, ctrl, Some(Undo)),
            (KeyCode::KeyZ, both, Some(Redo)),
            (KeyCode::KeyY, both, Some(Redo)),
            (KeyCode::Space, shift, Some(Play)),
            (KeyCode::Space, ctrl, None),
            (KeyCode::KeyC, both, Some(CopyMoves)),
            (KeyCode::NumpadAdd, plain, Some(Faster)),
            (KeyCode::Numpad1, plain, None),
        ] {
            let (ctrl, shift) = held;
            let press = Press { key: code, place: code, ctrl, shift, repeat: false };
            let found = entry_of(&press, &[]).map(|entry| entry.id);
            assert_eq!(found, expected, "{code:?} {held:?}");
        }
    }

    #[test]
    fn only_steps_through_the_match_repeat() {
        let repeats = RUN.iter().chain(VIEW).filter(|entry| entry.repeats);
        let repeats: Vec<_> = repeats.map(|entry| entry.id).collect();
        assert_eq!(repeats, [Step, StepBack, Undo, UndoToLandmark, Redo]);
    }
}
