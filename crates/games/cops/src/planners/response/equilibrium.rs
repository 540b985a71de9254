//! How both sides would mix their plans in a position: the game of plans solved as a matrix game that
//! grows by best replies of both sides, as in the double oracle method (McMahan, Gordon and Blum,
//! ICML 2003).

use super::plan_game::{JointTracks, PlanGame, Trajectory, mean};
use crate::rules::Step;
use crate::stage::solve_stage;
use outwit_core::play::StopFlag;

/// Plans of both sides with their shares, which sum to 1 on each side. Plans without a share are left
/// out.
pub struct Mixtures {
    /// Plans of the thief.
    pub thief: Vec<(Vec<Step>, f32)>,
    /// Joint plans of the cops.
    pub cops: Vec<(Vec<Vec<Step>>, f32)>,
    /// Ticks between what the best replies found earn against either mixture: how much both sides
    /// together could still gain. 0 for an equilibrium in these scenarios.
    pub gap: f32,
}

/// Shares below this count as none.
const LEAST: f32 = 0.005;
/// Ticks: mixtures that the replies of both sides cannot improve on by more are solved.
const GAIN: f32 = 0.5;

/// The matrix so far: rows are plans of the thief, columns joint plans of the cops.
struct Matrix<'a> {
    game: &'a PlanGame<'a>,
    rows: Vec<(Vec<Step>, Vec<Trajectory>)>,
    columns: Vec<(Vec<Vec<Step>>, JointTracks)>,
    /// The thief's expected payoff from now on, by row and column.
    entries: Vec<Vec<f64>>,
}

impl Matrix<'_> {
    fn add_row(&mut self, steps: Vec<Step>) {
        if self.rows.iter().any(|(known, _)| *known == steps) {
            return;
        }
        let tracks = self.game.thief_tracks(&steps);
        let entries = self.columns.iter().map(|(_, joint)| mean(&self.game.play(&tracks, joint)));
        self.entries.push(entries.map(f64::from).collect());
        self.rows.push((steps, tracks));
    }

    fn add_column(&mut self, plans: Vec<Vec<Step>>) {
        if self.columns.iter().any(|(known, _)| *known == plans) {
            return;
        }
        let joint = self.game.joint_tracks(&plans);
        for (entries, (_, tracks)) in self.entries.iter_mut().zip(&self.rows) {
            entries.push(f64::from(mean(&self.game.play(tracks, &joint))));
        }
        self.columns.push((plans, joint));
    }
}

/// The plans with a share, their shares made to sum to 1.
fn mixture<P: Clone>(plans: impl Iterator<Item = P>, shares: &[f64]) -> Vec<(P, f32)> {
    let kept = plans.zip(shares).filter(|(_, share)| **share as f32 >= LEAST);
    let mut mixture: Vec<(P, f32)> = kept.map(|(plan, &share)| (plan, share as f32)).collect();
    let sum: f32 = mixture.iter().map(|(_, share)| share).sum();
    mixture.iter_mut().for_each(|(_, share)| *share /= sum);
    mixture
}

/// Solves the game of plans that begins with the given plans of both sides, which must not be empty,
/// and grows at most `replies` times by a best reply of each side.
///
/// Of all mixtures on the way each side keeps the one against which the reply of the other side gained
/// least. `None` if `stop` was raised.
pub fn solve(
    game: &PlanGame,
    thief: Vec<Vec<Step>>,
    cops: Vec<Vec<Vec<Step>>>,
    replies: usize,
    stop: &StopFlag,
) -> Option<Mixtures> {
    let mut matrix = Matrix { game, rows: Vec::new(), columns: Vec::new(), entries: Vec::new() };
    thief.into_iter().for_each(|steps| matrix.add_row(steps));
    cops.into_iter().for_each(|plans| matrix.add_column(plans));
    let mut best = Mixtures { thief: Vec::new(), cops: Vec::new(), gap: 0.0 };
    let mut low = f32::NEG_INFINITY;
    let mut high = f32::INFINITY;
    for _ in 0..replies.max(1) {
        if stop.is_raised() {
            return None;
        }
        let stage = solve_stage(&matrix.entries);
        let thief = mixture(matrix.rows.iter().map(|(steps, _)| steps.clone()), &stage.rows);
        let cops = mixture(matrix.columns.iter().map(|(plans, _)| plans.clone()), &stage.columns);
        let heaviest = cops.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((start, _)) = heaviest else { break };
        let row = game.thief_reply(&cops);
        let column = game.joint_reply(start, &thief);
        if row.payoff < high {
            (best.cops, high) = (cops, row.payoff);
        }
        if column.payoff > low {
            (best.thief, low) = (thief, column.payoff);
        }
        best.gap = (high - low).max(0.0);
        if best.gap < GAIN {
            break;
        }
        matrix.add_row(row.steps);
        matrix.add_column(column.plans);
    }
    Some(best)
}
