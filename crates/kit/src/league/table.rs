//! The table of a league.

use super::League;
use outwit_core::play::{Better, Place};
use std::cmp::{Ordering, Reverse};

/// With fewer matches than this nothing can be said of a planner.
const FEW: u32 = 5;

/// The line of a planner in the table of a league.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// The planner.
    pub planner: String,
    /// Its matches.
    pub played: u32,
    /// Those in which it alone had the best place.
    pub won: u32,
    /// Those in which it shared the best place.
    pub drawn: u32,
    /// All others.
    pub lost: u32,
    /// Its mean score over the matches in which it had one.
    pub mean_score: Option<f64>,
}

impl Standing {
    /// One point for a match won, half a point for one drawn.
    pub fn points(&self) -> f64 {
        f64::from(self.halves()) / 2.0
    }

    /// Points per match; `None` without a match.
    pub fn points_per_match(&self) -> Option<f64> {
        (self.played > 0).then(|| self.points() / f64::from(self.played))
    }

    /// Whether it has played too few matches to tell how good it is.
    pub fn too_few(&self) -> bool {
        self.played < FEW
    }

    fn halves(&self) -> u32 {
        self.won.saturating_mul(2).saturating_add(self.drawn)
    }

    /// The better one first: by points per match, then by matches won, then by mean score. Planners
    /// without a match come last.
    fn compare(&self, other: &Self, better: Better) -> Ordering {
        let share = |one: &Self, per: &Self| u64::from(one.halves()) * u64::from(per.played);
        let scores = match (self.mean_score, other.mean_score) {
            (Some(a), Some(b)) => better.compare(a, b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        };
        (self.played == 0)
            .cmp(&(other.played == 0))
            .then(share(other, self).cmp(&share(self, other)))
            .then(Reverse(self.won).cmp(&Reverse(other.won)))
            .then(scores)
    }
}

/// How a match went for one of its seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Won,
    Drawn,
    Lost,
}

/// Whoever plays alone has won where it has a score, which is missing where it found no solution.
fn verdict(places: &[Place], seat: usize) -> Option<Verdict> {
    let own = places.get(seat)?;
    if places.len() == 1 {
        return Some(if own.score.is_some() { Verdict::Won } else { Verdict::Lost });
    }
    let best = places.iter().map(|place| place.rank).min()?;
    let shared = places.iter().filter(|place| place.rank == best).count() > 1;
    Some(match own.rank == best {
        true if shared => Verdict::Drawn,
        true => Verdict::Won,
        false => Verdict::Lost,
    })
}

impl League {
    /// The table, the best first: all planners that take part, and those that did. `better` says which
    /// scores of the game are.
    pub fn table(&self, better: Better) -> Vec<Standing> {
        let blank = |planner: &String| Standing {
            planner: planner.clone(),
            played: 0,
            won: 0,
            drawn: 0,
            lost: 0,
            mean_score: None,
        };
        // With the sum and the number of its scores.
        let mut lines: Vec<(Standing, f64, u32)> =
            self.planners.iter().map(|planner| (blank(planner), 0.0, 0)).collect();
        for result in &self.results {
            for (seat, planner) in result.fixture.players.iter().enumerate() {
                let Some(verdict) = verdict(&result.places, seat) else { continue };
                let at = lines.iter().position(|(line, ..)| line.planner == *planner);
                let at = at.unwrap_or_else(|| {
                    lines.push((blank(planner), 0.0, 0));
                    lines.len() - 1
                });
                let (line, sum, scores) = &mut lines[at];
                line.played += 1;
                match verdict {
                    Verdict::Won => line.won += 1,
                    Verdict::Drawn => line.drawn += 1,
                    Verdict::Lost => line.lost += 1,
                }
                if let Some(score) = result.places.get(seat).and_then(|place| place.score) {
                    *sum += score;
                    *scores += 1;
                }
            }
        }
        let finished = lines.into_iter().map(|(mut line, sum, scores)| {
            line.mean_score = (scores > 0).then(|| sum / f64::from(scores));
            line
        });
        let mut table: Vec<_> = finished.collect();
        table.sort_by(|a, b| a.compare(b, better).then_with(|| a.planner.cmp(&b.planner)));
        table
    }
}
