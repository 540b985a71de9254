//! What a position is worth when a plan is over: the thief's payoff to come, exactly where that is known, else a guess.
//!
//! The guess takes the race to the gates, the cells that the thief reaches first (the cover of
//! Isaza et al.) and how near the cops are. Its constants were fitted by coordinate descent to the
//! least squared error of payoffs, each over twice the ticks left, at 4859 ends of plans in matches
//! between `schemer` and `marshal`: 1200 on the default board and 390 on six others, with seeds from
//! 10001. Half of them, with constants fitted to the other half, left an error of 0.146 where the
//! mean of them all would leave 0.19.

use super::super::context::BoardContext;
use crate::board::Position;
use crate::distance_table::{CellIndex, FAR};
use crate::exact::Exact;
use crate::forecast::Forecast;
use outwit_core::grid::Cell;
use std::sync::Arc;

/// A guesser for the positions at the end of the present plan.
pub struct Worth {
    /// Board cells before border places, with the probability that the gate is about there, by
    /// ticks since the end of the plan.
    doors: Vec<Door>,
    ticks_left: f32,
    reach: u8,
    /// The values of the board and the ticks left, where they are known.
    exact: Option<(Arc<Exact>, u32)>,
}

struct Door {
    front: CellIndex,
    chance: Vec<f32>,
}

/// Probability of getting through a gate by how many ticks the thief is before the nearest cop,
/// from -4 on.
const RACE: [f32; 8] = [0.20, 0.21, 0.22, 0.27, 0.38, 0.81, 0.98, 0.99];
/// How much likelier a gate is where the thief wants it than where it was forecast: it sees the gate
/// move on the way.
const SEEN: f32 = 1.87;
/// What each cop beyond the first that is there in time leaves of that probability.
const SECOND_GUARD: f32 = 0.32;
/// Probability that a cop within two plans' reach catches a thief that reaches no cell first.
const SNATCH: f32 = 0.04;
/// Captures a tick and a cop on a board that the thief has for itself, and what losing it all adds.
const HAZARD: [f32; 2] = [0.001, 0.0047];
/// Escapes a tick through gates that are not in reach now.
const CHANCE: f32 = 0.0044;

impl Worth {
    /// Prepares for plans of `ticks` ticks from the present position on.
    pub fn new(ground: &BoardContext, now: &Position, forecast: &Forecast, ticks: usize) -> Self {
        let ring = ground.board().ring();
        let length = ring.len();
        let doors = (0..length)
            .filter_map(|place| {
                let front = ring.front(place)?;
                if !ground.board().is_floor(front) {
                    return None;
                }
                let chance = (0..forecast.gates.len().saturating_sub(ticks))
                    .map(|steps| {
                        // The thief can wait a little and follow a gate along the border.
                        let slack = (steps / 3).min(2);
                        let near = (0..=2 * slack).map(|i| {
                            forecast.gated(ticks + steps, (place + length + i - slack) % length)
                        });
                        near.fold(0.0_f32, f32::max)
                    })
                    .collect::<Vec<f32>>();
                chance
                    .iter()
                    .any(|&p| p > 0.02)
                    .then(|| Door { front: ground.cell_index(front), chance })
            })
            .collect();
        let left = ground.board().rules().ticks.saturating_sub(now.tick);
        let left = left.saturating_sub(ticks as u32);
        let exact = ground.exact.clone().map(|exact| (exact, left));
        Self { doors, ticks_left: left as f32, reach: ground.k.min(60) as u8, exact }
    }

    /// About how long one guess takes.
    pub fn nanoseconds(&self, ground: &BoardContext) -> u64 {
        let cops = u64::from(ground.board().rules().cops);
        100 + ground.distances.len() as u64 / 8 + 4 * cops + self.doors.len() as u64 * (4 + cops)
    }

    /// What the thief is likely to earn from the end of the plan on, in ticks after it.
    ///
    /// `race` holds the least number of steps that any cop needs to each cell.
    pub fn of(
        &self,
        ground: &BoardContext,
        thief: CellIndex,
        cops: &[CellIndex],
        race: &[u8],
    ) -> f32 {
        let left = self.ticks_left;
        if left <= 0.0 {
            return 0.0;
        }
        if let Some(value) = self.exactly(ground, thief, cops) {
            return value;
        }
        let flee = ground.distances.from(thief);
        let area = won(flee, race) as f32 / ground.distances.floor().len() as f32;
        let mut free = 1.0;
        for &cop in cops {
            if flee[usize::from(cop)] <= self.reach.saturating_mul(2) {
                free *= 1.0 - SNATCH * (1.0 - area);
            }
        }
        let mut gate = 0.0_f32;
        let mut at = 0.0;
        for door in &self.doors {
            let steps = flee[usize::from(door.front)];
            let Some(&forecast) = door.chance.get(usize::from(steps)) else { continue };
            let chance = (SEEN * forecast).min(1.0);
            if chance <= gate {
                continue;
            }
            let before = i32::from(race[usize::from(door.front)]) - i32::from(steps);
            let mut p = chance * RACE[(before + 4).clamp(0, 7) as usize];
            if before <= 0 && p > gate {
                let near = ground.distances.from(door.front);
                let guards =
                    cops.iter().filter(|&&cop| near[usize::from(cop)] <= steps).count() as u32;
                p *= power(SECOND_GUARD, guards.saturating_sub(1).min(3));
            }
            if p > gate {
                (gate, at) = (p, f32::from(steps));
            }
        }
        let hazard = cops.len() as f32 * (HAZARD[0] + HAZARD[1] * (1.0 - area).max(0.0));
        let on = self.long_run(hazard);
        free * (gate * (2.0 * left - at).max(left) + (1.0 - gate) * on)
            + (1.0 - free) * f32::from(self.reach) / 2.0
    }

    /// The exact value, where it is known.
    fn exactly(&self, ground: &BoardContext, thief: CellIndex, cops: &[CellIndex]) -> Option<f32> {
        let (exact, left) = self.exact.as_ref()?;
        let cell = |index: CellIndex| ground.distances.cell(index);
        let cops: Vec<Cell> = cops.iter().map(|&cop| cell(cop)).collect();
        Some(exact.value(*left, cell(thief), &cops)?.value as f32)
    }

    /// The expected payoff when captures and escapes come at constant rates.
    fn long_run(&self, hazard: f32) -> f32 {
        let left = self.ticks_left;
        let chance = if self.doors.is_empty() { 0.0 } else { CHANCE };
        let rate = (hazard + chance).max(1e-6);
        let still = decay(rate * left);
        let happens = 1.0 - still;
        // Mean time of what happens, given that it happens in time.
        let mean = if happens > 1e-4 { 1.0 / rate - left * still / happens } else { left / 2.0 };
        let paid = (hazard * mean + chance * (2.0 * left - mean)) / rate;
        happens * paid + still * left
    }
}

/// The number of cells that the thief reaches first.
fn won(flee: &[u8], race: &[u8]) -> usize {
    // Counted in bytes, which the processor adds many at a time; 128 of them do not overflow one.
    let parts = flee.chunks(128).zip(race.chunks(128));
    parts
        .map(|(flee, race)| {
            let won: u8 = flee.iter().zip(race).map(|(flee, race)| u8::from(flee < race)).sum();
            usize::from(won)
        })
        .sum()
}

/// The least number of steps that any of the cops needs to each cell.
pub fn race(ground: &BoardContext, cops: &[CellIndex]) -> Vec<u8> {
    let mut race = vec![FAR; ground.distances.len()];
    for &cop in cops {
        race.iter_mut()
            .zip(ground.distances.from(cop))
            .for_each(|(least, &d)| *least = d.min(*least));
    }
    race
}

fn power(base: f32, exponent: u32) -> f32 {
    (0..exponent).fold(1.0, |product, _| product * base)
}

/// e^-x by squaring, the same on every machine.
fn decay(x: f32) -> f32 {
    let mut value = (1.0 - x / 256.0).max(0.0);
    for _ in 0..8 {
        value *= value;
    }
    value
}
