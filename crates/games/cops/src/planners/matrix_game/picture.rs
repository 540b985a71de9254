//! What a matrix-game planner wanted and feared, to be drawn.

use super::super::context::BoardContext;
use super::super::ways::drawn;
use super::thought::{Thought, heaviest};
use super::{Duelist, rollout};
use crate::distance_table::CellIndex;
use crate::rules::{COPS, CopsView, THIEF};
use outwit_core::play::{Counter, Heat, Insight, Seat, Tone};

impl Duelist {
    /// Its picture of the present turn, once there is a matrix.
    pub(super) fn picture(&self) -> Option<Insight> {
        let seen = self.seen.as_ref()?;
        let thought = self.thought()?;
        let ground = self.ground.as_ref()?;
        let (rows, columns) = thought.mixes(self.seat);
        let mut insight = Insight::default();
        if let Some(row) = thought.table.rows.get(heaviest(&rows)) {
            insight.paths.push(drawn(seen.now.thief, &row.steps, self.tone(THIEF)));
        }
        if let Some(column) = thought.table.columns.get(heaviest(&columns)) {
            let ways = seen.now.cops.iter().zip(&column.steps);
            insight.paths.extend(ways.map(|(&cop, steps)| drawn(cop, steps, self.tone(COPS))));
        }
        insight.heats = vec![self.danger(ground, seen, thought, &rows, &columns)];
        insight.counters = vec![
            Counter::new(
                "Thief plans",
                "Plans of the thief in the payoff matrix.",
                rows.len() as f64,
            ),
            Counter::new(
                "Cop plan combinations",
                "Joint plans of all cops in the payoff matrix.",
                columns.len() as f64,
            ),
            Counter::new(
                "Expected payoff",
                "What the thief earns, in ticks, if both sides mix these plans as shown.",
                f64::from(thought.table.value(&rows, &columns)) + f64::from(seen.now.tick),
            ),
            Counter::new(
                "Confidence",
                "How sure it is that the opponent is one of the planners it knows: 0 to 1.",
                f64::from(thought.belief.trust),
            ),
        ];
        Some(insight)
    }

    /// Plans of one's own side are wanted, those of the other side feared.
    fn tone(&self, seat: Seat) -> Tone {
        if seat == self.seat { Tone::Wanted } else { Tone::Feared }
    }

    /// Where the other side is expected during the plan.
    fn danger(
        &self,
        ground: &BoardContext,
        seen: &CopsView,
        thought: &Thought,
        rows: &[f32],
        columns: &[f32],
    ) -> Heat {
        let distances = &ground.distances;
        let mut heat = vec![0.0_f32; distances.len()];
        if self.seat == THIEF {
            for (column, &weight) in thought.table.columns.iter().zip(columns) {
                column.tracks.iter().for_each(|track| add_track(&mut heat, track, weight));
            }
        } else {
            for (row, &weight) in thought.table.rows.iter().zip(rows) {
                if row.cloud.is_none() {
                    add_track(&mut heat, &row.track, weight);
                }
            }
            let clouds = thought.table.rows.iter().zip(rows).filter_map(|(row, &weight)| {
                row.cloud.as_ref().map(|cloud| (cloud.visits(thought.futures()), weight))
            });
            for (visits, weight) in clouds {
                visits
                    .into_iter()
                    .for_each(|(cell_index, p)| heat[usize::from(cell_index)] += weight * p);
            }
        }
        let near = distances.rows_within(ground.cell_index(seen.now.thief), 4 * ground.k);
        let cells = near
            .into_iter()
            .filter(|&cell_index| heat[usize::from(cell_index)] > 0.001)
            .map(|cell_index| (distances.cell(cell_index), heat[usize::from(cell_index)]))
            .collect();
        Heat {
            label: "Where the other side is expected".into(),
            about: "The share of the plan's ticks that the other side is expected on each cell."
                .into(),
            cells,
        }
    }
}

/// Spreads a plan's share over the cells that it comes to.
fn add_track(heat: &mut [f32], track: &[CellIndex], weight: f32) {
    for &cell_index in track.iter().filter(|&&cell_index| cell_index != rollout::GONE) {
        heat[usize::from(cell_index)] += weight / track.len() as f32;
    }
}
