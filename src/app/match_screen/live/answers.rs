//! What the screen asks of a typed match, answered for any game.

use super::{Live, Record};
use crate::app::drawing::{Detail, Terrain};
use crate::app::match_screen::analysis::run;
use crate::app::match_screen::analysis::task::{AnalysisRequest, AnalysisRun};
use crate::app::match_screen::board::{Input, Reply};
use crate::app::match_screen::board_text::BoardText;
use crate::app::match_screen::canvas::{Canvas, Visuals};
use crate::app::match_screen::commentary::Told;
use crate::app::match_screen::game_view::GameView;
use crate::app::match_screen::hint::{GivenHint, ShownHint};
use crate::app::match_screen::lesson::LessonStatus;
use crate::app::match_screen::live_match::{
    LiveMatch, SeatReport, TimelineMark, TurnCues, VariationInfo,
};
use crate::app::match_screen::piece::{BoardPiece, Tweens};
use crate::app::match_screen::shown::{Picture, Shown, last_picture, last_plan};
use crate::app::match_screen::solver::request::{SolverReply, SolverRequest, Wanted};
use crate::app::match_screen::state::SessionState;
use crate::app::match_screen::trial::Trial;
use bevy::math::Vec2;
use bevy_egui::egui;
use outwit_core::levels::{read_ron, rule_to_text};
use outwit_core::platform::task::Task;
use outwit_core::play::{
    Closing, Insight, Outcome, Replay, Review, Ruling, ScoreSpec, Seat, SeatStats, TurnNote,
};
use outwit_core::search::{Recording, TreeOptions};
use outwit_kit::{GameTree, SearchName};
use std::sync::Arc;

impl<G: GameView> LiveMatch for Live<G> {
    fn turns(&self) -> usize {
        self.played().len()
    }

    fn revision(&self) -> u64 {
        self.record.revision
    }

    fn is_over(&self) -> bool {
        self.record.referee.is_over()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.record.referee.outcome()
    }

    fn moment(&self, turn: usize) -> usize {
        let played = self.played();
        let state = played.state_at(turn).unwrap_or_else(|| played.state());
        (G::WORDS.moment)(played.game(), state, turn)
    }

    fn headline(&self, session: &SessionState) -> Option<String> {
        let played = self.played();
        let outcome = self.outcome()?;
        let name = |seat| session.name(seat);
        // Who plays alone gives up a puzzle, and its game says so in its own words.
        match played.closing().filter(|_| outcome.places.len() > 1) {
            Some((seat, closing)) => Some(closing.headline(&name(seat))),
            None => Some((G::WORDS.headline)(played.game(), played.state(), &outcome, &name)),
        }
    }

    fn last_plan(&self) -> usize {
        last_plan(&self.record.pictures, &self.commentator.told.swings, self.turns())
    }

    fn to_move(&self, turn: usize) -> Vec<Seat> {
        let played = self.played();
        played.state_at(turn).map_or_else(Vec::new, |state| played.game().to_move(state))
    }

    fn person(&self, session: &SessionState) -> Option<Seat> {
        self.record.person(session)
    }

    fn is_out(&self, turn: usize, seat: Seat) -> bool {
        let played = self.played();
        played.state_at(turn).is_some_and(|state| (G::GUIDANCE.is_out)(played.game(), state, seat))
    }

    fn can_hurry(&self) -> bool {
        self.record.referee.can_hurry()
    }

    fn hurry(&mut self) {
        self.record.referee.hurry();
    }

    fn poll(&mut self) -> Ruling {
        let turn = self.turns();
        for seat in self.played().to_move() {
            if self.record.asked[seat.index()] != Some(turn) {
                self.record.asked[seat.index()] = Some(turn);
                self.record.pictures[seat.index()].clear();
            }
        }
        let ruling = self.record.referee.poll();
        if ruling == Ruling::Played {
            self.record.revision += 1;
        }
        ruling
    }

    fn take_pictures(&mut self) {
        let Record { referee, pictures, asked, .. } = &mut self.record;
        for (seat, (pictures, asked)) in (0..).map(Seat).zip(pictures.iter_mut().zip(asked)) {
            let thoughts = referee.thoughts(seat);
            if let Some(last) = thoughts.last() {
                let known = pictures.last().map(|picture| picture.turn);
                if (pictures.len(), known) != (thoughts.len(), Some(last.turn)) {
                    *pictures = thoughts.iter().map(Picture::of_program).collect();
                }
            } else if let Some((turn, insight)) = referee.insight(seat)
                && *asked == Some(turn)
            {
                *pictures = vec![Picture { turn, insight }];
            }
        }
    }

    fn show_asked(&mut self, seat: Seat, turn: usize, insight: &Insight) {
        self.record.answer = Some((seat, Picture { turn, insight: Arc::new(insight.clone()) }));
        self.record.revision += 1;
    }

    fn has_queued(&self) -> bool {
        !self.queue.is_empty()
    }

    fn clear_queue(&mut self) {
        self.queue.clear();
    }

    fn drop_repeated(&mut self, seat: Seat, turn: usize) -> bool {
        let (Some(next), Some(done)) = (self.queue.front(), self.played().turns().get(turn)) else {
            return false;
        };
        let repeated =
            matches!(&done.actions[..], [(mover, played)] if *mover == seat && played == next);
        if repeated {
            self.queue.pop_front();
        }
        repeated
    }

    fn play_queued(&mut self, seat: Seat, turn: usize) -> Result<(), String> {
        let action = self.queue.pop_front().ok_or("no action was chosen")?;
        let played = self.played();
        let state = played.state_at(turn).ok_or("this turn was not played yet")?;
        played.game().legal(state, seat, &action)?;
        if turn < self.turns() {
            self.branch(turn);
        }
        self.record.referee.choose(seat, action)?;
        self.record.hint = None;
        self.poll();
        Ok(())
    }

    fn close(&mut self, seat: Seat, closing: Closing) {
        self.queue.clear();
        self.record.referee.close(seat, closing);
        self.record.revision += 1;
    }

    fn branch(&mut self, turn: usize) {
        self.record.referee.branch(turn);
        self.forget_after(turn);
    }

    fn variations(&self) -> Vec<VariationInfo> {
        let played = self.played();
        played
            .variations()
            .iter()
            .enumerate()
            .map(|(index, line)| VariationInfo {
                shared: played.shared_turns(index),
                turns: line.turns.len(),
            })
            .collect()
    }

    fn choose_variation(&mut self, variation: usize) -> Result<(), String> {
        let shared = self.played().shared_turns(variation);
        self.record.referee.choose_variation(variation)?;
        self.queue.clear();
        self.forget_after(shared);
        Ok(())
    }

    fn position(&self, turn: usize) -> u64 {
        run::position(self.played(), turn)
    }

    fn analyse(&self, request: AnalysisRequest) -> Result<AnalysisRun, String> {
        run::begin(self.played(), request)
    }

    fn record_search(
        &self,
        turn: usize,
        search: SearchName<'static>,
        events: usize,
    ) -> Task<Result<Recording, String>> {
        let played = self.played();
        let game = Arc::clone(played.game());
        let state = played.state_at(turn).cloned();
        Task::begin(move |context| {
            let state = state.ok_or("this turn was not played yet")?;
            let stop = context.stop();
            G::SEARCHES
                .and_then(|searches| {
                    searches.record(&game, &state, &search.to_string(), events, stop)
                })
                .unwrap_or_else(|| Err("it does not search a graph of states".into()))
        })
    }

    fn record_tree(&self, turn: usize, options: TreeOptions) -> Task<Result<GameTree, String>> {
        let played = self.played();
        let game = Arc::clone(played.game());
        let state = played.state_at(turn).cloned();
        Task::begin(move |context| {
            let state = state.ok_or("this turn was not played yet")?;
            let spec = G::GAME_TREE.ok_or("its trees cannot be drawn")?;
            (spec.record)(&game, &state, options, context.stop())
        })
    }

    fn play_line(&mut self, turn: usize, seat: Seat, line: &[String]) -> Result<usize, String> {
        let played = run::play_line(&mut self.record.referee, turn, seat, line)?;
        self.queue.clear();
        self.forget_after(turn);
        Ok(played)
    }

    fn is_hidden(&self, session: &SessionState, seat: Seat) -> bool {
        (G::GUIDANCE.is_hidden)(&self.record.shown(&self.queue, session), &self.ui, seat)
    }

    fn seat(&self, seat: Seat) -> SeatReport {
        let referee = &self.record.referee;
        SeatReport {
            control: referee.control(seat),
            used: referee.used(seat),
            is_preparing: referee.is_preparing(seat),
            time_left: referee.time_left(seat),
            name: referee.program_name(seat),
            log: referee.log(seat),
        }
    }

    fn stats(&self, seat: Seat) -> SeatStats {
        self.record.referee.stats(seat)
    }

    fn insight(&self, session: &SessionState, seat: Seat) -> Option<&Insight> {
        let hidden = self.is_hidden(session, seat);
        let view = session.playback.view;
        let Record { pictures, answer, .. } = &self.record;
        let picture = last_picture(pictures, answer.as_ref(), self.played(), view, seat);
        picture.map(|picture| &*picture.insight).filter(|_| !hidden)
    }

    fn marks(&mut self, session: &SessionState) -> &[TimelineMark] {
        let name = |seat| session.name(seat);
        let played = self.record.referee.played();
        let turns = played.turns();
        for (turn, done) in turns.iter().enumerate().skip(self.marked) {
            for event in &done.events {
                if let Some((kind, words)) = (G::EVENTS.cue)(played.game(), event, &name).marker {
                    self.marks.push(TimelineMark { turn, kind, words });
                }
            }
        }
        self.marked = turns.len();
        &self.marks
    }

    fn cues(&self, session: &SessionState, turn: usize) -> TurnCues {
        let mut cues = TurnCues { seconds: G::BOARD.turn_seconds, ..TurnCues::default() };
        for cue in self.turn_cues(session, turn) {
            cues.sounds.extend(cue.sound);
            cues.seconds = cues.seconds.max(cue.seconds);
            cues.is_landmark |= cue.is_landmark;
        }
        cues
    }

    fn commentary(&self) -> Option<&Told> {
        G::COMMENTARY.map(|_| &self.commentator.told)
    }

    fn follow_commentary(&mut self) -> bool {
        self.commentator.follow(self.record.referee.played());
        self.commentator.is_busy()
    }

    fn tension(&self, turn: usize) -> f32 {
        let played = self.played();
        let Some(watching) = &G::WATCHING else { return 0.0 };
        played.state_at(turn + 1).map_or(0.0, |state| (watching.tension)(played.game(), state))
    }

    fn focus(&self, turn: usize) -> Option<(Vec2, Vec2)> {
        let played = self.played();
        (G::WATCHING?.focus)(played.game(), played.state_at(turn)?)
    }

    fn replay_text(&self, notes: &[TurnNote]) -> String {
        rule_to_text(&self.record.referee.replay().with_notes(notes))
    }

    fn resume(&mut self, replay: &str) -> Result<bool, String> {
        let replay: Replay<G> = read_ron(replay.as_bytes()).map_err(|fault| fault.to_string())?;
        if !self.record.referee.names().eq(&replay.seats) {
            return Ok(false);
        }
        let played = replay.play().map_err(|error| error.to_string())?;
        self.record.referee.resume(played)?;
        self.forget_after(0);
        Ok(true)
    }

    fn review(&self) -> Task<Option<Review>> {
        let played = self.played().clone();
        Task::begin(move |context| outwit_kit::review(&played, context.stop()))
    }

    fn set_ghost(&mut self, replay: &str) {
        let replay = read_ron::<Replay<G>>(replay.as_bytes()).ok();
        self.record.ghost = replay.and_then(|replay| replay.play().ok());
    }

    fn find_hint(&mut self, session: &SessionState) -> bool {
        self.show_hint(session, &[])
    }

    fn solve(&mut self, session: &SessionState, request: &SolverRequest) -> SolverReply {
        let Some(solved) = self.solved_line(session, &request.enough) else {
            return SolverReply::Thinking;
        };
        match solved {
            Ok(line) if request.wanted == Wanted::Rest => {
                SolverReply::Line(line.iter().map(rule_to_text).collect())
            }
            Ok(line) => {
                self.show_hint(session, &line);
                SolverReply::Line(Vec::new())
            }
            Err(why) => SolverReply::Failed(why),
        }
    }

    fn cancel_solver(&mut self) {
        self.solver.cancel();
    }

    fn trial(&self, session: &SessionState) -> Option<Trial> {
        (G::GUIDANCE.trial)(&self.record.shown(&self.queue, session), &self.ui)
    }

    fn lesson_status(&self, step: usize) -> LessonStatus {
        G::GUIDANCE.lesson.get(step).map_or(LessonStatus::Open, |step| (step.status)(self.played()))
    }

    fn moves_text(&self, session: &SessionState) -> Option<String> {
        let mut played = self.played().clone();
        played.rewind(session.playback.view);
        G::NOTATION.map(|notation| (notation.write)(&played))
    }

    fn moves_of_text(&self, session: &SessionState, text: &str) -> Result<Vec<String>, String> {
        let played = self.played();
        let state = played.state_at(session.playback.view).ok_or("this turn was not played yet")?;
        let notation =
            G::NOTATION.ok_or_else(|| format!("{} has no notation for moves", G::INFO.name))?;
        let actions = (notation.read)(played.game(), state, text)?;
        Ok(actions.iter().map(rule_to_text).collect())
    }

    fn results(&self, seat: Seat) -> Vec<(ScoreSpec, f64)> {
        (G::TABLES.results)(self.played(), seat)
    }

    fn hint(&self, session: &SessionState) -> Option<ShownHint<'_>> {
        self.given_hint(session).map(GivenHint::shown)
    }

    fn propose(&mut self, session: &SessionState, seat: Seat) {
        let shown = Shown { person: Some(seat), ..self.record.shown(&self.queue, session) };
        let action = match G::input(Input::TimeOver, &shown, &mut self.ui) {
            Reply::Act(action) => Some(action),
            _ => None,
        };
        self.record.referee.propose(seat, action);
    }

    fn terrain(&self, dark: bool, detail: Detail) -> Terrain {
        (G::SCENERY.terrain)(self.played().game().level(), dark, detail)
    }

    fn board_text(&self, session: &SessionState) -> BoardText {
        let pieces = self.pieces(session.playback.view);
        BoardText::of(self.played(), session, &pieces, self.person(session))
    }

    fn pieces(&self, turn: usize) -> Vec<BoardPiece> {
        let played = self.played();
        played
            .states()
            .get(..=turn)
            .and_then(<[_]>::split_last)
            .map_or_else(Vec::new, |(state, past)| G::pieces(played.game(), past, state))
    }

    fn tweens(&self, turn: usize, before: &[BoardPiece], after: &[BoardPiece]) -> Tweens {
        let mut tweens = Tweens::between(before, after);
        let played = self.played();
        if let (Some(done), Some([state, next])) =
            (played.turns().get(turn), played.states().get(turn..turn + 2))
        {
            (G::EVENTS.tweens)(played.game(), state, &done.events, next, &mut tweens);
        }
        tweens
    }

    fn standing(&self, session: &SessionState, seat: Seat) -> String {
        (G::WORDS.standing)(&self.record.shown(&self.queue, session), seat)
    }

    fn pieces_of(&self, session: &SessionState, seat: Seat) -> Seat {
        (G::WORDS.pieces_of)(self.record.shown(&self.queue, session).state(), seat)
    }

    fn prompt(&mut self, session: &SessionState) -> String {
        (G::GUIDANCE.prompt)(&self.record.shown(&self.queue, session), &mut self.ui)
    }

    fn paint(&mut self, canvas: &mut Canvas, session: &SessionState) {
        G::paint(canvas, &self.record.shown(&self.queue, session), &mut self.ui);
    }

    fn input(&mut self, session: &SessionState, input: Input) -> Reply<()> {
        match G::input(input, &self.record.shown(&self.queue, session), &mut self.ui) {
            Reply::Ignored => Reply::Ignored,
            Reply::Handled => Reply::Handled,
            Reply::Refused => Reply::Refused,
            Reply::Act(action) => {
                self.queue(action);
                Reply::Act(())
            }
            Reply::Acts(actions) => {
                actions.into_iter().for_each(|action| self.queue(action));
                Reply::Act(())
            }
        }
    }

    fn panel(&mut self, ui: &mut egui::Ui, look: &Visuals, session: &SessionState) -> bool {
        let action =
            (G::PANELS.playing)(ui, look, &self.record.shown(&self.queue, session), &mut self.ui);
        let acts = action.is_some();
        if let Some(action) = action {
            self.queue(action);
        }
        acts
    }

    fn review_panel(&mut self, ui: &mut egui::Ui, session: &SessionState) {
        (G::PANELS.review)(ui, &self.record.shown(&self.queue, session), &mut self.ui);
    }
}
