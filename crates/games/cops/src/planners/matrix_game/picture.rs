//! What a matrix-game planner wanted and feared, to be drawn.

use super::super::super::distance_table::CellIndex;
use super::super::super::rules::{COPS, CopsView, THIEF};
use super::super::context::BoardContext;
use super::super::ways::drawn;
use super::thought::{Thought, heaviest};
use super::{Duelist, rollout};
use outwit_core::play::{Counter, Heat, Insight, Tone};

impl Duelist {
    /// Its picture of the present turn, once there is a matrix.
    pub(super) fn picture(&self) -> Option<Insight> {
        let (seen, thought, ground) = (self.seen.as_ref()?, self.thought()?, self.ground.as_ref()?);
        let (rows, columns) = thought.mixes(self.seat);
        let tone = |seat| if seat == self.seat { Tone::Wanted } else { Tone::Feared };
        let mut insight = Insight::default();
        if let Some(row) = thought.table.rows.get(heaviest(&rows)) {
            insight.paths.push(drawn(seen.now.thief, &row.steps, tone(THIEF)));
        }
        if let Some(column) = thought.table.columns.get(heaviest(&columns)) {
            let ways = seen.now.cops.iter().zip(&column.steps);
            insight.paths.extend(ways.map(|(&cop, steps)| drawn(cop, steps, tone(COPS))));
        }
        insight.heats = vec![self.danger(ground, seen, thought, &rows, &columns)];
        let counter = |name: &'static str, about: &'static str, value| Counter {
            name: name.into(),
            about: about.into(),
            value,
        };
        insight.counters = vec![
            counter("Thief plans", "Plans of the thief in the payoff matrix.", rows.len() as f64),
            counter(
                "Cop plan combinations",
                "Joint plans of all cops in the payoff matrix.",
                columns.len() as f64,
            ),
            counter(
                "Expected payoff",
                "What the thief earns, in ticks, if both sides mix these plans as shown.",
                f64::from(thought.table.value(&rows, &columns)) + f64::from(seen.now.tick),
            ),
            counter(
                "Confidence",
                "How sure it is that the opponent is one of the planners it knows: 0 to 1.",
                f64::from(thought.belief.trust),
            ),
        ];
        Some(insight)
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
        let atlas = &ground.atlas;
        let mut heat = vec![0.0_f32; atlas.len()];
        let mut add = |track: &[CellIndex], weight: f32| {
            for &spot in track.iter().filter(|&&spot| spot != rollout::GONE) {
                heat[usize::from(spot)] += weight / track.len() as f32;
            }
        };
        if self.seat == THIEF {
            for (column, &weight) in thought.table.columns.iter().zip(columns) {
                column.tracks.iter().for_each(|track| add(track, weight));
            }
        } else {
            for (row, &weight) in thought.table.rows.iter().zip(rows) {
                if row.cloud.is_none() {
                    add(&row.track, weight);
                }
            }
            let clouds = thought.table.rows.iter().zip(rows).filter_map(|(row, &weight)| {
                row.cloud.as_ref().map(|cloud| (cloud.visits(thought.futures()), weight))
            });
            for (visits, weight) in clouds {
                visits.into_iter().for_each(|(spot, p)| heat[usize::from(spot)] += weight * p);
            }
        }
        let near = atlas.rows_within(ground.spot(seen.now.thief), 4 * ground.k);
        let cells = near
            .into_iter()
            .filter(|&spot| heat[usize::from(spot)] > 0.001)
            .map(|spot| (atlas.cell(spot), heat[usize::from(spot)]))
            .collect();
        Heat {
            label: "Where the other side is expected".into(),
            about: "The share of the plan's ticks that the other side is expected on each cell."
                .into(),
            cells,
        }
    }
}
