//! What follows from knowing what each state is worth: a solver, a review, and a planner that looks one
//! turn ahead.

use super::solving::{Solution, SolveOptions};
use super::spec::{GameSpec, WorthSpec};
use super::tournament::play_alone;
use outwit_core::grid::Cell;
use outwit_core::play::{
    Better, Chance, CheckedLevel, Clock, Game, Line, Match, MoveReview, Outcome, Planner,
    PlannerContext, PlannerSpec, Progress, Review, ReviewedChoice, ScoreSpec, Seat, SeatReview,
    StopFlag, Value,
};
use std::cmp::Ordering;

/// An action with what comes of it.
struct Choice<G: Game> {
    action: G::Action,
    after: G::State,
    value: Option<f64>,
}

/// Orders two scores, the better one first and none last.
fn order(better: Better, a: Option<f64>, b: Option<f64>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => better.compare(a, b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

impl<G: GameSpec> WorthSpec<G> {
    /// What comes of an action in a state in which this seat alone is to move.
    fn after(&self, game: &G, state: &G::State, seat: Seat, action: G::Action) -> Choice<G> {
        let mut after = state.clone();
        game.advance(&mut after, &[(seat, action.clone())], &Chance::new(0), &mut Vec::new());
        let value = (self.value)(game, &after, seat);
        Choice { action, after, value }
    }

    /// The best action, the first of equal ones; `None` unless one seat is to move and its actions are
    /// [listed](Game::actions).
    fn best(&self, game: &G, state: &G::State) -> Option<Choice<G>> {
        let [seat] = game.to_move(state)[..] else { return None };
        let better = score_of(game).better;
        let choices = game.actions(state, seat)?.into_iter();
        let choices = choices.map(|action| self.after(game, state, seat, action));
        choices.min_by(|a, b| order(better, a.value, b.value))
    }
}

fn score_of<G: GameSpec>(game: &G) -> ScoreSpec {
    (G::TABLES.score_on)(game.level())
}

fn scored(outcome: &Outcome, seat: Seat) -> Option<f64> {
    outcome.places.get(seat.index()).and_then(|place| place.score)
}

/// Solves a level by the worth of its states, or lets the named planner play it.
///
/// # Errors
/// If a start is given, memory is limited, the planner is unknown, `stop` is raised, or the best actions do
/// not lead to what the start is said to be worth, which is a mistake of the game.
pub(super) fn solve<G: GameSpec>(
    worth: &WorthSpec<G>,
    level: &CheckedLevel<G>,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    if options.start.is_some() {
        return Err(format!("a level of {} starts where it says", G::INFO.name));
    }
    if let Some(name) = &options.planner {
        let (record, _) = play_alone(level, name, options, stop)?;
        let unit = (G::TABLES.score_on)(level).unit;
        let message = format!("{name}: {}", record.outcome.headline);
        let value = scored(&record.outcome, Seat(0));
        return Ok(Solution { value, ..Solution::open(message, unit, Vec::new()) });
    }
    options.without_memory("a solver by the worth of states")?;
    let game = G::new(level, *G::SEATS.allowed.start()).map_err(|error| error.to_string())?;
    let mut state = game.start(&Chance::new(options.seed)).map_err(|error| error.to_string())?;
    let clock = options.clock(stop);
    let unit = score_of(&game).unit;
    let value = (worth.value)(&game, &state, Seat(0));
    let mut line = Vec::new();
    while let Some(best) = worth.best(&game, &state) {
        if !clock.take(1) {
            return options.not_solved("perfect play", unit, Vec::new(), stop);
        }
        line.push((worth.cell)(&game, &state, &best.action));
        state = best.after;
        let reached = game.outcome(&state).map(|outcome| scored(&outcome, Seat(0)));
        if reached.is_none() && line.len() >= (G::MATCH_RULES.most_turns)(&game)
            || reached.is_some_and(|reached| reached != value)
        {
            return Err(format!("{} says what is not so of this level's worth", G::INFO.name));
        }
        if reached.is_some() {
            break;
        }
    }
    let message = match value {
        Some(value) => format!("perfect play: {value} {}, proved", unit.of(value)),
        None => "no play leads to a score: proved".into(),
    };
    Ok(Solution { value, proved: true, line, ..Solution::open(message, unit, Vec::new()) })
}

fn choice<G: GameSpec>(
    game: &G,
    action: &G::Action,
    value: Option<f64>,
    cell: Cell,
) -> ReviewedChoice {
    let unit = score_of(game).unit;
    ReviewedChoice {
        words: game.action_words(action),
        leads_to: value
            .map_or_else(|| "no score".into(), |value| format!("{value} {}", unit.of(value))),
        ways: vec![vec![cell]],
    }
}

/// What every move of a match cost by the worth of the states before and after it.
pub(super) fn review<G: GameSpec>(
    worth: &WorthSpec<G>,
    played: &Match<G>,
    stop: &StopFlag,
) -> Option<Review> {
    let game = &**played.game();
    let ScoreSpec { unit, better, .. } = score_of(game);
    let mut seats = Vec::new();
    for seat in (0..game.seats() as u8).map(Seat) {
        let mut values = Vec::new();
        for state in played.states() {
            if stop.is_raised() {
                return None;
            }
            values.push((worth.value)(game, state, seat));
        }
        let mut moves = Vec::new();
        for (turn, done) in played.turns().iter().enumerate() {
            if stop.is_raised() {
                return None;
            }
            let Some((_, action)) = done.actions.iter().find(|(mover, _)| *mover == seat) else {
                continue;
            };
            let state = &played.states()[turn];
            let [before, after] = [values[turn], values[turn + 1]];
            let cost = before.map_or(Some(0.0), |before| Some(better.loss(after?, before)));
            let cell = (worth.cell)(game, state, action);
            let mut made = MoveReview {
                turn,
                cell,
                before,
                after,
                cost,
                margin: None,
                note: match cost {
                    None => "every score was lost".into(),
                    Some(cost) if cost > 0.0 => format!("{cost} {} lost", unit.of(cost)),
                    Some(_) => "as good as any".into(),
                },
                made: Some(choice(game, action, after, cell)),
                better: None,
            };
            if made.is_mistake() {
                let best = worth.best(game, state);
                made.better = best.map(|best| {
                    let cell = (worth.cell)(game, state, &best.action);
                    choice(game, &best.action, best.value, cell)
                });
            }
            moves.push(made);
        }
        seats.push(SeatReview {
            seat,
            moves,
            perfect: *values.first()?,
            reached: played.outcome().and_then(|outcome| scored(&outcome, seat)),
            summary: None,
            series: Vec::new(),
        });
    }
    Some(Review { unit, better, seats })
}

/// Values its actions one after another by the worth of the state after each.
struct OnePly<G: GameSpec> {
    context: PlannerContext<G>,
    seen: Option<G::State>,
    /// The actions to be valued, the next one last.
    untried: Vec<G::Action>,
    best: Option<(G::Action, Option<f64>)>,
}

impl<G: GameSpec<Observation = <G as Game>::State>> Planner<G> for OnePly<G> {
    fn observe(&mut self, seen: &G::Observation) {
        let PlannerContext { game, seat, .. } = &self.context;
        self.untried = game.actions(seen, *seat).unwrap_or_default();
        self.untried.reverse();
        self.best = None;
        self.seen = Some(seen.clone());
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        let PlannerContext { game, seat, .. } = &self.context;
        let (Some(worth), Some(seen)) = (G::WORTH, &self.seen) else { return Progress::Done };
        let better = score_of(&**game).better;
        while !self.untried.is_empty() {
            if !clock.take(1) {
                return Progress::More;
            }
            let Some(action) = self.untried.pop() else { break };
            let Choice { action, value, .. } = worth.after(game, seen, *seat, action);
            if self.best.as_ref().is_none_or(|(_, best)| order(better, value, *best).is_lt()) {
                self.best = Some((action, value));
            }
        }
        Progress::Done
    }

    fn best(&self) -> G::Action {
        let best = self.best.as_ref().map(|(action, _)| action);
        match (best.or_else(|| self.untried.last()).cloned(), &self.seen) {
            (Some(action), _) => action,
            (None, Some(seen)) => self.context.game.null_action(seen, self.context.seat),
            // The contract of planners: nobody asks before a turn is observed.
            (None, None) => unreachable!("no turn was observed"),
        }
    }

    fn line(&self) -> Line<G::Action> {
        let Some((action, value)) = &self.best else { return Line::default() };
        Line { value: value.map(Value::Score), actions: vec![action.clone()] }
    }
}

/// The planner `one-ply` of a game that lists its [`actions`](Game::actions) and says
/// [what its states are worth](GameSpec::WORTH).
pub const fn one_ply_planner<G: GameSpec<Observation = <G as Game>::State>>() -> PlannerSpec<G> {
    PlannerSpec {
        name: "one-ply",
        algorithm: "One-ply search",
        about: "Looks one turn ahead, to the exact worth of what comes: nobody does better.",
        method: "Takes the action after which perfect play scores best, the first of equal ones.",
        seats: |_| true,
        make: |context| Box::new(OnePly { context, seen: None, untried: Vec::new(), best: None }),
    }
}
