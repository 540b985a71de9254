//! The typed part of the analysis: lets a planner of a game think about a position, and plays lines.

use super::task::{AnalysisRequest, AnalysisRun, ShownStep};
use crate::app::match_screen::game_view::GameView;
use outwit_core::levels::read_ron;
use outwit_core::play::{
    Actions, Budget, Match, PlannerContext, Referee, Seat, Snapshot, analyse, digest, find_planner,
};
use std::collections::VecDeque;
use std::sync::Arc;

/// A snapshot, ready to be shown.
fn shown_step<G: GameView>(
    game: &G,
    state: &G::State,
    seat: Seat,
    mut snapshot: Snapshot<G::Action>,
) -> ShownStep {
    if snapshot.line.actions.is_empty() {
        snapshot.line.actions.push(snapshot.best.clone());
    }
    let line = &snapshot.line.actions;
    ShownStep {
        words: line.iter().map(|action| game.action_words(action)).collect(),
        line: G::line_parts(game, state, seat, line),
        step: snapshot.into(),
    }
}

/// Begins to analyse a position of a match.
///
/// # Errors
/// If the position or the planner does not exist.
pub fn begin<G: GameView>(
    played: &Match<G>,
    request: AnalysisRequest,
) -> Result<AnalysisRun, String> {
    let AnalysisRequest { turn, seat, planner, budget, .. } = request;
    let spec = find_planner(G::planners(), planner, seat)?;
    let position = played.state_at(turn).cloned().zip(played.observation(turn, seat));
    let (state, seen) = position.ok_or("this turn was not played yet")?;
    let game = Arc::clone(played.game());
    let seed = played.chance().planner_seed(seat);
    let context = PlannerContext { game: Arc::clone(&game), seat, seed };
    Ok(AnalysisRun::begin(request, move |stop, push| {
        analyse(spec, context, &seen, Budget::Work(budget), stop, |snapshot| {
            push(shown_step(game.as_ref(), &state, seat, snapshot));
        })
    }))
}

/// A number that positions reached by the same actions share.
pub fn position<G: GameView>(played: &Match<G>, turn: usize) -> u64 {
    let actions: Vec<_> = played.turns().iter().take(turn).map(|turn| &turn.actions).collect();
    digest(&actions)
}

/// No line is followed further than this.
const MOST_TURNS: usize = 10_000;

/// Plays a line of actions, written as in replays, for a seat, or for everybody where
/// [`joint_lines`](outwit_core::play::MatchRules::joint_lines) holds, from the state after `turn` turns; what
/// came after it stays as a variation. The others choose what they chose before, or as little as
/// possible where that is not legal any more. Returns the number of turns that were played.
///
/// # Errors
/// If an action cannot be read or the first one is illegal; the match is as it was.
pub fn play_line<G: GameView>(
    referee: &mut Referee<G>,
    turn: usize,
    seat: Seat,
    line: &[String],
) -> Result<usize, String> {
    let mut line = line
        .iter()
        .map(|text| read_ron::<G::Action>(text.as_bytes()).map_err(|e| e.to_string()))
        .collect::<Result<VecDeque<_>, _>>()?;
    let played = referee.played();
    let state = played.state_at(turn).ok_or("this turn was not played yet")?;
    let first = line.front().ok_or("the line is empty")?;
    if !played.game().to_move(state).contains(&seat) {
        return Err(format!("{} has no choice to make there", G::SEATS.id(seat)));
    }
    played.game().legal(state, seat, first)?;
    let later = played.turns().iter().skip(turn);
    let recorded: Vec<Actions<G>> = later.map(|turn| turn.actions.clone()).collect();
    referee.branch(turn);
    let mut waiting = 0;
    for _ in 0..MOST_TURNS {
        let played = referee.played();
        let to_move = played.to_move();
        let alone = to_move.is_empty();
        // After the last action the game goes on as long as it moves by itself.
        if played.outcome().is_some() || (line.is_empty() && !alone) {
            break;
        }
        waiting = if alone || to_move.contains(&seat) { 0 } else { waiting + 1 };
        let before = recorded.get(played.len() - turn);
        let Some(actions) = choices(played, seat, &to_move, &mut line, before) else { break };
        if waiting > played.game().seats() || referee.advance(actions).is_err() {
            break;
        }
    }
    Ok(referee.played().len() - turn)
}

/// What everybody chooses in the present turn; `None` if the line is illegal there.
fn choices<G: GameView>(
    played: &Match<G>,
    seat: Seat,
    to_move: &[Seat],
    line: &mut VecDeque<G::Action>,
    before: Option<&Actions<G>>,
) -> Option<Actions<G>> {
    let game = played.game();
    let state = played.state();
    to_move
        .iter()
        .map(|&other| {
            let legal = |action: &G::Action| game.legal(state, other, action).is_ok();
            if other == seat || G::MATCH_RULES.joint_lines {
                return Some((other, line.pop_front().filter(legal)?));
            }
            let known = before.and_then(|turn| turn.iter().find(|(own, _)| *own == other));
            let kept = known.map(|(_, action)| action.clone()).filter(legal);
            Some((other, kept.unwrap_or_else(|| game.null_action(state, other))))
        })
        .collect()
}
