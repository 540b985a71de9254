//! Random tracks of corridors, all of which can be finished.

use crate::level::FORMAT;
use crate::{Contact, Crash, RaceRules, Steering, TrackFile};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A place in the coarse board of which each is a block of road or wall.
type Place = (usize, usize);

/// A track whose road is `width` cells wide, with random rules but for `contact`.
pub fn corridors(width: usize, contact: Contact, seed: u64) -> TrackFile {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let (columns, rows) = (dice.random_range(3..8), dice.random_range(2..6));
    let pitch = width + 1;
    let mut map = vec![vec!['#'; columns * pitch + 1]; rows * pitch + 1];
    let mut pave = |from: Place, to: Place, symbol: char| {
        let span = |a: usize, b: usize| a.min(b) * pitch + 1..a.max(b) * pitch + 1 + width;
        for row in &mut map[span(from.1, to.1)] {
            row[span(from.0, to.0)].fill(symbol);
        }
    };
    // A random tree by depth-first search, with a loop here and there.
    let mut visited: Vec<Place> = vec![(dice.random_range(0..columns), dice.random_range(0..rows))];
    let mut stack = visited.clone();
    while let Some(&(x, y)) = stack.last() {
        let around = [(x + 1, y), (x.wrapping_sub(1), y), (x, y + 1), (x, y.wrapping_sub(1))];
        let inside: Vec<Place> =
            around.into_iter().filter(|&(x, y)| x < columns && y < rows).collect();
        let fresh: Vec<Place> =
            inside.iter().copied().filter(|place| !visited.contains(place)).collect();
        if fresh.is_empty() {
            stack.pop();
            continue;
        }
        let next = fresh[dice.random_range(0..fresh.len())];
        pave((x, y), next, '.');
        let other = inside[dice.random_range(0..inside.len())];
        if visited.contains(&other) && dice.random_bool(0.15) {
            pave((x, y), other, '.');
        }
        visited.push(next);
        stack.push(next);
    }
    let last = visited.len() - 1;
    pave(visited[0], visited[0], 'S');
    if contact == Contact::Block && last > 2 {
        pave(visited[1], visited[1], 'S');
    }
    pave(visited[last], visited[last], 'F');
    let gates = last > 4 && dice.random_bool(0.5);
    if gates {
        pave(visited[last / 2], visited[last / 2], '1');
    }
    let speeds = [Some(1), Some(2), Some(3), Some(5), Some(10), None];
    let crashes = [Crash::Out, Crash::Out, Crash::Penalty(0), Crash::Penalty(3)];
    TrackFile {
        format: FORMAT.into(),
        name: format!("corridors {seed}"),
        author: String::new(),
        about: String::new(),
        rules: RaceRules {
            steering: if dice.random_bool(0.5) { Steering::Eight } else { Steering::Nine },
            max_speed: speeds[dice.random_range(0..speeds.len())],
            crash: crashes[dice.random_range(0..crashes.len())],
            laps: if gates { dice.random_range(1..4) } else { 1 },
            contact,
            ..RaceRules::default()
        },
        map: map.into_iter().map(|row| row.into_iter().collect()).collect(),
    }
}

/// The same track with sand on a fifth of its plain road.
pub fn with_sand(mut level: TrackFile, seed: u64) -> TrackFile {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let cells = level
        .cells('#')
        .map(|&symbol| if symbol == '.' && dice.random_bool(0.2) { '~' } else { symbol });
    level.set_cells(&cells);
    level
}
