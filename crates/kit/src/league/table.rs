//! The table of a league.

use super::{League, Roster};
use outwit_core::play::{Better, Place, ProgramName};
use outwit_core::tournament::Estimate;
use std::cmp::Ordering;

/// With fewer matches than this nothing can be said of a planner.
pub const FEW: u32 = 5;

/// The line of a planner in the table of a league.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// The planner.
    pub planner: String,
    /// The seat, where not everybody can take every one; otherwise a line counts all seats.
    pub seat: Option<usize>,
    /// Its matches.
    pub played: u32,
    /// Those in which it alone had the best place.
    pub won: u32,
    /// Those in which it shared the best place.
    pub drawn: u32,
    /// All others.
    pub lost: u32,
    /// Its score over the matches in which it had one.
    pub score: Estimate,
}

impl Standing {
    /// One point for a match won, half a point for one drawn.
    pub fn points(&self) -> f64 {
        f64::from(self.halves()) / 2.0
    }

    /// Whether it has played too few matches to tell how good it is.
    pub fn too_few(&self) -> bool {
        self.played < FEW
    }

    fn halves(&self) -> u32 {
        self.won.saturating_mul(2).saturating_add(self.drawn)
    }

    /// The better one first: by points, then by mean score, then by fewer matches. Nobody rises above others by a
    /// match that is lost before they have played.
    fn compare(&self, other: &Self, better: Better) -> Ordering {
        let scores = match (self.score.mean, other.score.mean) {
            (Some(a), Some(b)) => better.compare(a, b),
            _ if self.played == 0 || other.played == 0 => Ordering::Equal,
            (a, b) => b.is_some().cmp(&a.is_some()),
        };
        (self.seat.cmp(&other.seat))
            .then(other.halves().cmp(&self.halves()))
            .then(scores)
            .then(self.played.cmp(&other.played))
            .then_with(|| self.planner.cmp(&other.planner))
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

impl Standing {
    /// The line of a planner that has not played yet.
    fn blank(planner: &str, seat: Option<usize>) -> Self {
        Self {
            planner: planner.to_owned(),
            seat,
            played: 0,
            won: 0,
            drawn: 0,
            lost: 0,
            score: Estimate::default(),
        }
    }
}

impl League {
    /// The table, the best first: all planners and programs that take part, and those that did. Where seats differ, the
    /// lines of each seat stand together. `better` says which scores of the game are.
    pub fn table(&self, roster: &Roster, better: Better) -> Vec<Standing> {
        let by_seat = roster.seats_differ();
        let mut lines: Vec<(Standing, Vec<f64>)> = Vec::new();
        for planner in &self.planners {
            if ProgramName::of(planner).is_some() && !roster.programs.contains(planner) {
                continue;
            }
            if !by_seat {
                lines.push((Standing::blank(planner, None), Vec::new()));
                continue;
            }
            for seat in (0..roster.seats.len()).filter(|&seat| roster.fits(seat, planner)) {
                lines.push((Standing::blank(planner, Some(seat)), Vec::new()));
            }
        }
        for result in &self.results {
            for (seat, planner) in result.fixture.players.iter().enumerate() {
                let Some(verdict) = verdict(&result.places, seat) else { continue };
                let seat_of_line = by_seat.then_some(seat);
                let at = lines
                    .iter()
                    .position(|(line, _)| line.planner == *planner && line.seat == seat_of_line);
                let at = at.unwrap_or_else(|| {
                    lines.push((Standing::blank(planner, seat_of_line), Vec::new()));
                    lines.len() - 1
                });
                let (line, scores) = &mut lines[at];
                line.played += 1;
                match verdict {
                    Verdict::Won => line.won += 1,
                    Verdict::Drawn => line.drawn += 1,
                    Verdict::Lost => line.lost += 1,
                }
                scores.extend(result.places.get(seat).and_then(|place| place.score));
            }
        }
        let finished = lines.into_iter().map(|(mut line, scores)| {
            line.score = Estimate::of(&scores);
            line
        });
        let mut table: Vec<_> = finished.collect();
        table.sort_by(|a, b| a.compare(b, better));
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_match_is_no_rise() {
        let line = |played: u32, mean: Option<f64>| Standing {
            planner: format!("{played}"),
            seat: None,
            played,
            won: 0,
            drawn: 0,
            lost: played,
            score: Estimate { mean, ..Estimate::default() },
        };
        let (fresh, beaten, out) = (line(0, None), line(1, Some(3.0)), line(1, None));
        for (first, second) in [(&fresh, &beaten), (&fresh, &out), (&beaten, &out)] {
            assert_eq!(first.compare(second, Better::Higher), Ordering::Less);
            assert_eq!(second.compare(first, Better::Higher), Ordering::Greater);
        }
    }
}
