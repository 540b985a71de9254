//! Who stands where: ratings, points, and what each player did on each seat.

use super::config::Points;
use super::field::ContestField;
use outwit_core::play::{Better, SeatStats};
use outwit_core::tournament::{
    Estimate, FinishedGame, Meeting, PlayerRating, Scoreboard, player_ratings,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::cmp::{Ordering, Reverse};

/// How a player did.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// The index of the contestant.
    #[serde(skip)]
    pub contestant: usize,
    /// Its place, counted from 1; equals share one.
    pub place: usize,
    /// Its name.
    pub player: String,
    /// One rating over all seats and levels.
    pub rating: PlayerRating,
    /// Games that it played.
    pub games: usize,
    /// Comparisons with an opponent that it won: a better rank in the same game, or, where each plays alone, a better
    /// score on the same level and seed.
    pub won: usize,
    /// Those that were equal.
    pub drawn: usize,
    /// Those that it lost.
    pub lost: usize,
    /// Its points.
    pub points: f64,
    /// Turns in which it had to choose.
    pub turns: u64,
    /// Turns in which it was late.
    pub late: u64,
    /// Late turns in which it had to wait for a processor.
    pub starved: u64,
    /// Turns in which it answered nothing.
    pub silent: u64,
    /// Actions that broke a rule.
    pub illegal: u64,
    /// Turns in which something could not be read.
    pub broken: u64,
    /// Games that it lost since it failed.
    pub faults: usize,
}

/// What a player got on a seat of a level.
#[derive(Clone, Debug, Serialize)]
pub struct SeatMean {
    /// The index of the level.
    pub level: usize,
    /// The index of the seat.
    pub seat: usize,
    /// Its mean score.
    pub score: Estimate,
    /// Games in which it had none, since it failed or did not solve its problem.
    pub without: usize,
}

/// What a player won against another.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Cross {
    /// Comparisons.
    pub games: usize,
    /// What was won of them, a draw being half of one.
    pub won: f64,
}

/// Two players compared in a round.
#[derive(Clone, Debug)]
struct Comparison {
    round: usize,
    meeting: Meeting,
    /// Whether it counts in ratings: of equal games, one does.
    is_rated: bool,
}

impl ContestField {
    fn players_of(&self, game: &FinishedGame) -> Option<Vec<usize>> {
        game.players.iter().map(|player| self.index_of(player)).collect()
    }

    /// All comparisons of finished games.
    fn comparisons(&self, boards: &[Scoreboard]) -> Vec<Comparison> {
        let mut all = Vec::new();
        for (arena, board) in boards.iter().enumerate() {
            match board.contest().seats.len() {
                1 => self.compare_alone(board, &mut all),
                seats => self.compare_together(arena * seats * seats, board, &mut all),
            }
        }
        all
    }

    /// Compares those who played a game together.
    fn compare_together(&self, from: usize, board: &Scoreboard, all: &mut Vec<Comparison>) {
        let contest = board.contest();
        let seats = contest.seats.len();
        for cell in 0..contest.cells() {
            let most = if board.all_equal(cell) { 1 } else { usize::MAX };
            for (number, game) in board.games(cell).enumerate() {
                let (Some(players), Some((round, _))) =
                    (self.players_of(game), contest.place_of(game))
                else {
                    continue;
                };
                for seat in 0..seats {
                    for other in seat + 1..seats {
                        let rank = |seat: usize| game.outcome.places.get(seat).map(|it| it.rank);
                        let (Some(mine), Some(theirs)) = (rank(seat), rank(other)) else {
                            continue;
                        };
                        let meeting = Meeting {
                            first: players[seat],
                            second: players[other],
                            advantage: Some(from + seat * seats + other),
                            share: share(theirs.cmp(&mine)),
                        };
                        all.push(Comparison { round, meeting, is_rated: number < most });
                    }
                }
            }
        }
    }

    /// Compares those who played alone on the same seed.
    fn compare_alone(&self, board: &Scoreboard, all: &mut Vec<Comparison>) {
        let contest = board.contest();
        let better = self.kind.facts().score.better;
        let score = |game: &FinishedGame| {
            let score = game.score(0)?;
            Some(if better == Better::Higher { score } else { -score })
        };
        let equal = (0..contest.cells())
            .all(|cell| board.games(cell).next().is_none() || board.all_equal(cell));
        for round in 0..contest.seeds as usize {
            for one in 0..contest.cells() {
                for other in one + 1..contest.cells() {
                    let (Some(mine), Some(theirs)) =
                        (board.game(round, one), board.game(round, other))
                    else {
                        continue;
                    };
                    let (Some(first), Some(second)) =
                        (self.players_of(mine), self.players_of(theirs))
                    else {
                        continue;
                    };
                    // Who has a score is better than who has none.
                    let won = score(mine).partial_cmp(&score(theirs)).unwrap_or(Ordering::Equal);
                    let meeting = Meeting {
                        first: first[0],
                        second: second[0],
                        advantage: None,
                        share: share(won),
                    };
                    all.push(Comparison { round, meeting, is_rated: round == 0 || !equal });
                }
            }
        }
    }
}

/// What is won by a result that compares like this with the opponent's.
fn share(won: Ordering) -> f64 {
    match won {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    }
}

/// The table of a contest, the highest rating first, and who won how much against whom, by the indices of contestants.
pub fn standings(
    field: &ContestField,
    boards: &[Scoreboard],
    points: Points,
) -> (Vec<Standing>, Vec<Vec<Cross>>) {
    let comparisons = field.comparisons(boards);
    let rated: Vec<Meeting> = comparisons
        .iter()
        .filter(|comparison| comparison.is_rated)
        .map(|comparison| comparison.meeting.clone())
        .collect();
    let ratings = player_ratings(field.contestants.len(), &rated);
    let mut table: Vec<Standing> = field
        .contestants
        .iter()
        .zip(ratings)
        .enumerate()
        .map(|(contestant, (known, rating))| Standing {
            contestant,
            place: 0,
            player: known.name.clone(),
            rating,
            games: 0,
            won: 0,
            drawn: 0,
            lost: 0,
            points: 0.0,
            turns: 0,
            late: 0,
            starved: 0,
            silent: 0,
            illegal: 0,
            broken: 0,
            faults: 0,
        })
        .collect();
    let mut cross = vec![vec![Cross::default(); table.len()]; table.len()];
    for Comparison { meeting, .. } in &comparisons {
        let sides = [
            (meeting.first, meeting.second, meeting.share),
            (meeting.second, meeting.first, 1.0 - meeting.share),
        ];
        for (own, other, share) in sides {
            cross[own][other].games += 1;
            cross[own][other].won += share;
            let (count, worth) = match share {
                1.0 => (&mut table[own].won, points.win),
                0.5 => (&mut table[own].drawn, points.draw),
                _ => (&mut table[own].lost, points.loss),
            };
            *count += 1;
            table[own].points += worth;
        }
    }
    for game in boards.iter().flat_map(Scoreboard::all) {
        let Some(players) = field.players_of(game) else { continue };
        for (player, stats) in players.into_iter().zip(&game.stats) {
            table[player].count(stats);
        }
    }
    rank(&mut table);
    (table, cross)
}

/// Puts the best first and gives each its place.
fn rank(table: &mut [Standing]) {
    // Equal results may differ in the last digits of a sum.
    let worth =
        |it: &Standing| [it.rating.rating, it.points].map(|value| (1e4 * value).round() as i64);
    table.sort_by_key(|standing| Reverse(worth(standing)));
    for at in 0..table.len() {
        let is_equal = at > 0 && worth(&table[at]) == worth(&table[at - 1]);
        table[at].place = if is_equal { table[at - 1].place } else { at + 1 };
    }
}

impl Standing {
    /// Whether it was compared with anybody: otherwise its rating says nothing.
    pub fn is_rated(&self) -> bool {
        self.rating.games > 0
    }

    /// A row of a table: the rating and half the width of its interval as `write` has them, the latter under the name
    /// `margin`; neither where it says nothing.
    pub fn row(&self, margin: &str, write: impl Fn(f64) -> Value) -> Value {
        let figure = |value: f64| self.is_rated().then(|| write(value));
        json!({
            "place": self.place,
            "player": self.player,
            "rating": figure(self.rating.rating),
            margin: figure(self.rating.ci95),
            "points": self.points,
            "games": self.games,
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost,
            "late": self.late,
            "illegal": self.illegal,
            "failed": self.faults,
        })
    }

    fn count(&mut self, stats: &SeatStats) {
        self.games += 1;
        self.turns += u64::from(stats.asked);
        self.late += u64::from(stats.overruns);
        self.starved += u64::from(stats.starved);
        self.silent += u64::from(stats.silent);
        self.illegal += u64::from(stats.illegal);
        self.broken += u64::from(stats.broken);
        self.faults += usize::from(stats.fault.is_some());
    }
}

/// What a contestant got on each seat of each level where it played.
pub fn seat_means(field: &ContestField, boards: &[Scoreboard], contestant: usize) -> Vec<SeatMean> {
    let mut means = Vec::new();
    for (level, board) in boards.iter().enumerate() {
        for seat in 0..board.contest().seats.len() {
            let games: Vec<&FinishedGame> = board
                .all()
                .filter(|game| {
                    field.players_of(game).is_some_and(|players| players[seat] == contestant)
                })
                .collect();
            if games.is_empty() {
                continue;
            }
            let scores: Vec<f64> = games.iter().filter_map(|game| game.score(seat)).collect();
            let without = games.len() - scores.len();
            means.push(SeatMean { level, seat, score: Estimate::of(&scores), without });
        }
    }
    means
}

/// The share of its comparisons in a round that a contestant won; none if it had none there.
pub fn candidate_result(
    field: &ContestField,
    boards: &[Scoreboard],
    contestant: usize,
    round: usize,
) -> Option<f64> {
    let shares: Vec<f64> = field
        .comparisons(boards)
        .iter()
        .filter_map(|comparison| {
            let Meeting { first, second, share, .. } = comparison.meeting;
            match comparison.round == round {
                true if first == contestant => Some(share),
                true if second == contestant => Some(1.0 - share),
                _ => None,
            }
        })
        .collect();
    (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_share_a_place() {
        let standing = |player: &str, rating: f64, points: f64| Standing {
            contestant: 0,
            place: 0,
            player: player.into(),
            rating: PlayerRating { rating, ci95: 0.0, games: 1 },
            games: 0,
            won: 0,
            drawn: 0,
            lost: 0,
            points,
            turns: 0,
            late: 0,
            starved: 0,
            silent: 0,
            illegal: 0,
            broken: 0,
            faults: 0,
        };
        let mut table = vec![
            standing("a", 1400.0, 1.0),
            standing("b", 1500.0, 2.0),
            standing("c", 1500.0 + 1e-9, 2.0),
            standing("d", 1500.0, 3.0),
        ];
        rank(&mut table);
        let places: Vec<_> = table.iter().map(|it| (it.player.as_str(), it.place)).collect();
        assert_eq!(places, [("d", 1), ("b", 2), ("c", 2), ("a", 4)]);
    }
}
