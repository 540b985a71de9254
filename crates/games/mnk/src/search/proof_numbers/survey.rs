//! What the windows of a position say.

use super::super::pairing::weight;
use super::MOST_CELLS;

/// Counts over the windows of both sides.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Where the attacker wins at once.
    pub gaps: u64,
    /// Where the defender does.
    pub threats: u64,
    /// Where a stone of the attacker makes a four.
    pub fours: u64,
    /// Where it leaves a window that lacks two stones.
    pub threes: u64,
    /// Where it leaves several of those.
    pub double_threes: u64,
    /// What the attacker can still get, by the criterion of Erdős and Selfridge (1973).
    pub potential: u64,
    /// For the attacker and the defender, by cell: the weight of the windows through it.
    pub heat: [[u32; MOST_CELLS]; 2],
}

impl Survey {
    /// Of the stones of the attacker and the defender, with the windows as sets of cells and as lists.
    pub fn new([own, other]: [u64; 2], windows: &[u64], lists: &[Vec<u8>]) -> Self {
        let mut survey = Self {
            gaps: 0,
            threats: 0,
            fours: 0,
            threes: 0,
            double_threes: 0,
            potential: 0,
            heat: [[0; MOST_CELLS]; 2],
        };
        for (&window, cells) in windows.iter().zip(lists) {
            if window & other == 0 {
                let free = window & !own;
                survey.potential += weight(free);
                let missing = warm(&mut survey.heat[0], cells, free);
                match missing {
                    1 => survey.gaps |= free,
                    2 => survey.fours |= free,
                    3 => {
                        survey.double_threes |= survey.threes & free;
                        survey.threes |= free;
                    }
                    _ => {}
                }
            }
            if window & own == 0 {
                let free = window & !other;
                if warm(&mut survey.heat[1], cells, free) == 1 {
                    survey.threats |= free;
                }
            }
        }
        survey
    }
}

/// Adds a window to the weights of its cells, four times as much for each stone in it; returns how many it lacks.
fn warm(heat: &mut [u32; MOST_CELLS], cells: &[u8], free: u64) -> u32 {
    let missing = free.count_ones();
    let weight = 1 << (2 * (cells.len() as u32 - missing)).min(16);
    cells.iter().for_each(|&cell| heat[usize::from(cell)] += weight);
    missing
}
