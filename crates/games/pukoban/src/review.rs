//! What each move of a match cost against the proved optimum.

use super::level::Objective;
use super::planners::{MEMORY_LIMIT, search_of};
use super::rules::{Pukoban, PukobanState};
use super::search::{End, Puzzle, SearchTask};
use super::solve::EXACT;
use super::step::{Direction, PukobanStep};
use outwit_core::grid::Cell;
use outwit_core::play::{
    Better, Budget, Clock, Match, MoveReview, Review, ReviewedChoice, Seat, SeatReview, Series,
    StopFlag,
};
use outwit_kit::GameSpec;
use std::collections::HashMap;
use std::sync::Arc;

/// States that all searches of a review may expand; beyond that the level is too large for one.
const MOST_WORK: u64 = 400_000_000;

/// The exact cost from each position to the nearest solution, found as needed.
///
/// All positions on a shortest solution are known with it, so a player who stays on it costs one
/// search, and each detour one more.
struct Distances<'a> {
    game: &'a Pukoban,
    puzzle: Arc<Puzzle>,
    known: HashMap<(Cell, Vec<Cell>), Option<u32>>,
    clock: Clock,
}

/// What tells a position from another one: boxes are all alike.
fn place(position: &PukobanState) -> (Cell, Vec<Cell>) {
    let mut boxes = position.boxes.clone();
    boxes.sort_unstable();
    (position.player, boxes)
}

impl Distances<'_> {
    /// The step that a known way to the nearest solution takes from a position, and the position after it.
    fn best_step(&mut self, position: &PukobanState) -> Option<(PukobanStep, PukobanState)> {
        let cost = self.of(position)??;
        let steps = Direction::ALL.into_iter();
        let mut steps = steps.flat_map(|way| [PukobanStep::to(way), PukobanStep::pull(way)]);
        steps.find_map(|step| {
            let mut next = position.clone();
            self.game.take(&mut next, step).ok()?;
            let spent = self.game.cost(&next) - self.game.cost(position);
            let left = match self.game.is_solved(&next) {
                true => 0,
                false => (*self.known.get(&place(&next))?)?,
            };
            (left + spent == cost).then_some((step, next))
        })
    }

    /// The least cost to a solution, with `None` inside if there is none; `None` outside if it takes
    /// too much to say.
    fn of(&mut self, position: &PukobanState) -> Option<Option<u32>> {
        if let Some(&known) = self.known.get(&place(position)) {
            return Some(known);
        }
        if self.game.is_solved(position) {
            return Some(Some(0));
        }
        let task = SearchTask::of(self.game, &self.puzzle, position, MEMORY_LIMIT)?;
        let cost = match search_of(EXACT).ok()?.method.begin(&task).run(&self.clock)? {
            End::GaveUp => return None,
            End::Unsolvable => None,
            End::Solved { steps, cost } => {
                let mut now = position.clone();
                for step in steps {
                    let spent = self.game.cost(&now) - self.game.cost(position);
                    self.known.insert(place(&now), Some(cost - spent));
                    self.game.take(&mut now, step).ok()?;
                }
                Some(cost)
            }
        };
        self.known.insert(place(position), cost);
        Some(cost)
    }

    /// The least costs from each position of a match; `None` if it takes too much to say.
    fn of_all(&mut self, states: &[PukobanState]) -> Option<Vec<Option<u32>>> {
        // What follows a position without a solution has none either. So these come last, and a bisection finds
        // the first of them by few proofs.
        let mut solvable = 0;
        let mut dead = states.len();
        if self.of(states.last()?)?.is_none() {
            dead -= 1;
            while solvable < dead {
                let middle = solvable.midpoint(dead);
                match self.of(&states[middle])? {
                    Some(_) => solvable = middle + 1,
                    None => dead = middle,
                }
            }
        }
        let mut values = vec![None; states.len()];
        // From the end backwards: the last way to the solution is mostly a short one.
        for (value, state) in values.iter_mut().zip(states).take(dead).rev() {
            *value = self.of(state)?;
        }
        Some(values)
    }
}

/// Reviews a match; `None` if the level is too large for exact search or `stop` was raised.
pub fn review(played: &Match<Pukoban>, stop: &StopFlag) -> Option<Review> {
    let game = &**played.game();
    let unit = game.unit(game.objective());
    let mut distances = Distances {
        game,
        puzzle: Arc::new(Puzzle::of(game)),
        known: HashMap::new(),
        clock: Clock::new(Budget::Work(MOST_WORK), stop.clone()),
    };
    let states = played.states();
    let values = distances.of_all(states)?;
    let number = |value: Option<u32>| value.map(f64::from);
    let mut moves = Vec::new();
    for (turn, (pair, ends)) in states.windows(2).zip(values.windows(2)).enumerate() {
        let spent = f64::from(game.cost(&pair[1]) - game.cost(&pair[0]));
        let before = number(ends[0]);
        let after = number(ends[1]);
        let cost = match (before, after) {
            (Some(before), Some(after)) => Some(spent + after - before),
            (Some(_), None) => None,
            (None, _) => Some(0.0),
        };
        let note = match cost {
            _ if before.is_none() => "there is no solution".into(),
            None => "no solution is left, proved".into(),
            Some(0.0) if after == Some(0.0) => "solved".into(),
            Some(0.0) => "as good as any".into(),
            Some(cost) => format!("a detour of {cost} {}", unit.of(cost)),
        };
        let to_go = |left: Option<f64>| {
            left.map_or_else(
                || "no solution".into(),
                |left| format!("{left} {} to go", unit.of(left)),
            )
        };
        let choice = |step: PukobanStep, after: &PukobanState, left| ReviewedChoice {
            words: game.action_words(&step),
            leads_to: to_go(left),
            ways: ways(&pair[0], after),
        };
        let step = played.turns()[turn].actions.first().map(|(_, step)| *step);
        let made = step.map(|step| choice(step, &pair[1], after));
        let better = if cost == Some(0.0) { None } else { distances.best_step(&pair[0]) };
        let better = better.map(|(step, next)| {
            let spent = f64::from(game.cost(&next) - game.cost(&pair[0]));
            choice(step, &next, before.map(|before| before - spent))
        });
        moves.push(MoveReview {
            turn,
            cell: pair[0].player,
            before,
            after,
            cost,
            margin: None,
            note,
            made,
            better,
        });
    }
    let perfect = number(values[0]);
    let shortest = perfect.map(|perfect| vec![[0.0, perfect], [perfect, 0.0]]).unwrap_or_default();
    let mut series = vec![Series {
        name: format!("{} to go, as played", unit.many),
        points: values
            .iter()
            .enumerate()
            .filter_map(|(turn, value)| Some([turn as f64, f64::from((*value)?)]))
            .collect(),
    }];
    if game.objective() == Objective::Steps {
        series.push(Series { name: "shortest solution".into(), points: shortest });
    }
    let end = played.state();
    let seat = SeatReview {
        seat: Seat(0),
        moves,
        perfect,
        reached: game.is_solved(end).then(|| f64::from(game.cost(end))),
        summary: None,
        series,
    };
    Some(Review { unit, better: Better::Lower, seats: vec![seat] })
}

/// Where the player and a box go by a step.
fn ways(before: &PukobanState, after: &PukobanState) -> Vec<Vec<Cell>> {
    let moved = before.moved_boxes(after).map(|(from, to)| vec![from, to]);
    std::iter::once(vec![before.player, after.player]).chain(moved).collect()
}

#[cfg(test)]
mod tests {
    use crate::{Pukoban, PukobanFile, level, solution};
    use outwit_core::levels::RuleSet;
    use outwit_core::play::{CheckedLevel, Game, Match, Review, Seat, StopFlag};
    use outwit_kit::SolveOptions;
    use std::sync::Arc;

    fn file(objective: &str) -> CheckedLevel<Pukoban> {
        let mut file = PukobanFile {
            format: level::FORMAT.into(),
            name: "test".into(),
            author: String::new(),
            about: String::new(),
            rules: Default::default(),
            map: ["#######", "#--@--#", "#-$---#", "#----.#", "#-----#", "#######"]
                .map(str::to_owned)
                .to_vec(),
        };
        file.rules.set("objective", objective).unwrap();
        CheckedLevel::new(file).unwrap()
    }

    fn played(objective: &str, moves: &str) -> Match<Pukoban> {
        let game = Arc::new(Pukoban::new(&file(objective), 1).unwrap());
        let mut played = Match::new(game, 1).unwrap();
        let steps = solution::read(played.game(), played.state(), moves).unwrap();
        for step in steps {
            played.advance(vec![(Seat(0), step)]).unwrap();
        }
        played
    }

    fn review(played: &Match<Pukoban>) -> Review {
        outwit_kit::review(played, &StopFlag::default()).unwrap()
    }

    #[test]
    fn a_shortest_solution_costs_nothing_and_detours_add_up() {
        let mut reviewed_detours = 0;
        for objective in ["steps", "box_moves"] {
            let stop = StopFlag::default();
            let solved =
                crate::solve::solve(&file(objective), &SolveOptions::default(), &stop).unwrap();
            assert!(solved.proved);
            let shortest = solved.moves.unwrap();
            let perfect = review(&played(objective, &shortest));
            let seat = &perfect.seats[0];
            assert_eq!((seat.perfect, seat.reached), (solved.value, solved.value));
            assert!(seat.moves.iter().all(|played| played.cost == Some(0.0)), "{:?}", seat.moves);
            for moves in ["lr", "rl", "ud", "ddLLuu", "ld>"] {
                let game = Arc::new(Pukoban::new(&file(objective), 1).unwrap());
                if solution::read(&game, game.opening(), moves).is_err() {
                    continue;
                }
                let longer = played(objective, moves);
                let reviewed = review(&longer);
                let seat = &reviewed.seats[0];
                let lost: f64 = seat.moves.iter().map(|m| m.cost.unwrap()).sum();
                assert!(seat.moves.iter().all(|m| (0.0..=2.0).contains(&m.cost.unwrap())));
                assert!(seat.moves.iter().all(|m| m.is_mistake() == m.better.is_some()));
                let spent = f64::from(longer.game().cost(longer.state()));
                let left = seat.moves.last().unwrap().after.unwrap();
                assert_eq!(spent + left - seat.perfect.unwrap(), lost, "{objective} {moves}");
                reviewed_detours += 1;
            }
        }
        assert!(reviewed_detours >= 4, "only {reviewed_detours} detours are legal");
    }

    #[test]
    fn a_raised_stop_ends_it() {
        let stop = StopFlag::default();
        stop.raise();
        assert!(outwit_kit::review(&played("steps", "lr"), &stop).is_none());
    }
}
