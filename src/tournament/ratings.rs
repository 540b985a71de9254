//! One figure for each planner and seat, from who beat whom.

use super::{Contest, FinishedGame, Scoreboard};
use serde::Serialize;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

/// How strong a planner is on a seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// The name of the seat.
    pub seat: String,
    /// The planner.
    pub planner: String,
    /// Its Glicko-2 rating; 1500 is where all begin. One scale for all seats.
    pub rating: f64,
    /// Half the width of the 95 % interval of the rating.
    pub ci95: f64,
    /// Games that it rests on.
    pub games: usize,
}

/// Glicko-2 (Glickman 2012), the games of one seed being one rating period: in it each planner
/// plays each opponent once, so the order of the games does not matter.
///
/// Only the ranks of a game count, not by how much it was won. Empty for games of a single seat.
pub fn ratings(board: &Scoreboard) -> Vec<Rating> {
    let contest = board.contest();
    if contest.seats.len() < 2 {
        return Vec::new();
    }
    let mut rated: Vec<Vec<(Glicko2Rating, usize)>> = contest
        .seats
        .iter()
        .map(|seat| vec![(Glicko2Rating::new(), 0); seat.planners.len()])
        .collect();
    let mut games = board.all().peekable();
    while let Some(seed) = games.peek().map(|game| game.seed) {
        let mut results: Vec<Vec<Vec<(Glicko2Rating, Outcomes)>>> =
            contest.seats.iter().map(|seat| vec![Vec::new(); seat.planners.len()]).collect();
        while let Some(game) = games.next_if(|game| game.seed == seed) {
            let Some(entrants) = entrants(contest, game) else { continue };
            for (seat, &entrant) in entrants.iter().enumerate() {
                for (other, &opponent) in entrants.iter().enumerate().filter(|(o, _)| *o != seat) {
                    let (mine, theirs) =
                        (game.outcome.places[seat].rank, game.outcome.places[other].rank);
                    let outcome = match mine.cmp(&theirs) {
                        std::cmp::Ordering::Less => Outcomes::WIN,
                        std::cmp::Ordering::Equal => Outcomes::DRAW,
                        std::cmp::Ordering::Greater => Outcomes::LOSS,
                    };
                    results[seat][entrant].push((rated[other][opponent].0, outcome));
                }
            }
        }
        for (rated, results) in rated.iter_mut().flatten().zip(results.iter().flatten()) {
            if !results.is_empty() {
                rated.0 = glicko2_rating_period(&rated.0, results, &Glicko2Config::new());
                rated.1 += results.len();
            }
        }
    }
    let named = contest.seats.iter().zip(&rated).flat_map(|(seat, rated)| {
        seat.planners.iter().zip(rated).map(|(planner, (rating, games))| Rating {
            seat: seat.seat.clone(),
            planner: planner.clone(),
            rating: rating.rating,
            ci95: 1.96 * rating.deviation,
            games: *games,
        })
    });
    named.collect()
}

/// Which of its entrants plays each seat.
fn entrants(contest: &Contest, game: &FinishedGame) -> Option<Vec<usize>> {
    let index = |(seat, player): (&super::Entrants, &String)| {
        seat.planners.iter().position(|planner| planner == player)
    };
    contest.seats.iter().zip(&game.players).map(index).collect()
}
