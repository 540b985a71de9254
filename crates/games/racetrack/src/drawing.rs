//! Tracks in the level editor: tiles, warnings and random winding tracks.

use super::Racetrack;
use super::level::{FORMAT, RaceRules, Surface, TrackFile, surfaces};
use super::rules::MOST_CARS;
use outwit_core::grid::{Cell, EIGHT, Grid, UNREACHED, distances};
use outwit_core::levels::{Fault, MAX_SIDE};
use outwit_core::rule_set;
use outwit_kit::TileStyle;
use outwit_kit::{ForeignFormats, Generator, GeneratorOptions, MapSpec, Placement, TileKind};
use rand::RngExt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::ops::RangeInclusive;

rule_set! {
    /// The options of the generator of winding tracks.
    pub struct TrackOptions {
        /// Columns of the map.
        width: u32 = 64, Whole { min: 12, max: 512, optional: false }, "Columns";
        /// Rows of the map.
        height: u32 = 40, Whole { min: 12, max: 512, optional: false }, "Rows";
        /// Length of the road along its middle, in cells.
        length: u32 = 220, Whole { min: 10, max: 20_000, optional: false }, "Length";
        /// Width of the road, in cells.
        road: u32 = 5, Whole { min: 3, max: 15, optional: false }, "Road width";
        /// Checkpoints along the way.
        checkpoints: u32 = 0, Whole { min: 0, max: 9, optional: false }, "Checkpoints";
    }
}

const fn checkpoint(symbol: char, name: &'static str) -> TileKind {
    let help = "A gate on the way: all checkpoints must be crossed in order before the finish.";
    // From blue to azure.
    let colour = [0, (symbol as u8 - b'0') * 20, 255];
    TileKind::terrain(symbol, name, help, TileStyle::Mark, Placement::Anywhere)
        .labelled(symbol)
        .coloured(colour)
        .keyed(symbol)
        .in_series()
}

pub(super) const PALETTE: &[TileKind] = &[
    TileKind::terrain(
        '#',
        "Off the track",
        "A car that gets here crashes.",
        TileStyle::Void,
        Placement::Anywhere,
    )
    .or("xX")
    .keyed('Q'),
    TileKind::terrain('.', "Road", "Where cars drive.", TileStyle::Ground, Placement::Anywhere)
        .or("- ")
        .keyed('W'),
    TileKind::terrain(
        'S',
        "Start",
        "Road where cars may start. Each car gets one at random.",
        TileStyle::Start,
        Placement::Anywhere,
    )
    .labelled('S')
    .or("sP")
    .keyed('A'),
    TileKind::terrain(
        'F',
        "Finish",
        "Crossing it ends the race.",
        TileStyle::Goal,
        Placement::Anywhere,
    )
    .labelled('F')
    .or("fgG*")
    .keyed('Z'),
    checkpoint('1', "Checkpoint 1"),
    checkpoint('2', "Checkpoint 2"),
    checkpoint('3', "Checkpoint 3"),
    checkpoint('4', "Checkpoint 4"),
    checkpoint('5', "Checkpoint 5"),
    checkpoint('6', "Checkpoint 6"),
    checkpoint('7', "Checkpoint 7"),
    checkpoint('8', "Checkpoint 8"),
    checkpoint('9', "Checkpoint 9"),
    TileKind::terrain(
        '~',
        "Sand",
        "Road for slow cars: a car that drives over it faster than the rules allow crashes at its edge.",
        TileStyle::Ground,
        Placement::Anywhere,
    )
    .coloured_exactly([222, 190, 120])
    .keyed('D'),
];

pub(super) const MAPS: MapSpec<Racetrack> = MapSpec {
    warnings: |level, _| warnings(level),
    remarks,
    foreign_formats: Some(ForeignFormats::maps(&["track"])),
    generator: Some(Generator::of::<TrackOptions>()),
    ..MapSpec::new(PALETTE, 2..=MAX_SIDE, (48, 30))
};

/// How many cars the start has room for, where that is not all, or that they start at random.
fn remarks(level: &TrackFile) -> Vec<Fault> {
    let starts: Vec<Cell> = super::level::starts(&surfaces(level));
    let what = match starts.len() {
        0 => return Vec::new(),
        1 => format!(
            "there is room for one car at the start; with more cars, all share the cell (up to \
             {MOST_CARS} race)"
        ),
        room if room < MOST_CARS => format!(
            "there is room for {room} cars at the start, each at a random cell; with more cars, \
             some share a cell (up to {MOST_CARS} race)"
        ),
        room => format!("each car starts at a random one of {room} cells"),
    };
    vec![Fault::whole(what)]
}

/// Probable mistakes in a playable level.
fn warnings(level: &TrackFile) -> Vec<Fault> {
    let track = surfaces(level);
    let starts: Vec<Cell> = super::level::starts(&track);
    let mut warnings = Vec::new();
    let reach = distances(&track, starts.iter().copied(), &EIGHT, |_, surface: &Surface| {
        *surface != Surface::Off
    });
    let cut: Vec<Cell> = track
        .iter()
        .filter(|&(cell, &s)| s != Surface::Off && reach[cell] == UNREACHED)
        .map(|(cell, _)| cell)
        .collect();
    if let (Some(&first), false) = (cut.first(), starts.is_empty()) {
        let what = match cut.len() {
            1 => "this cell cannot be reached from the start".into(),
            count => format!("{count} cells cannot be reached from the start"),
        };
        warnings.push(Fault::at(first, what).and_at(cut.into_iter().skip(1)));
    }
    let laps = track.iter().any(|(_, surface)| matches!(surface, Surface::Checkpoint(_)));
    let finishes = track.iter().filter(|(_, surface)| **surface == Surface::Finish);
    let nearest = finishes.map(|(cell, _)| reach[cell]).min().filter(|_| !laps);
    if let Some(steps) = nearest.filter(|steps| *steps < SHORT) {
        warnings.push(Fault::whole(format!(
            "the finish is only {} away from the start, so a race is over in a few turns",
            if steps == 1 { "one cell".into() } else { format!("{steps} cells") }
        )));
    }
    warnings
}

/// The least distance between start and finish, in cells, for a race worth driving.
const SHORT: u32 = 6;

impl GeneratorOptions<Racetrack> for TrackOptions {
    fn generate(&self, seed: u64) -> Result<TrackFile, String> {
        let cells = winding(self, seed)?;
        let mut level = TrackFile {
            format: FORMAT.into(),
            name: format!("Winding track {seed}"),
            author: String::new(),
            about: format!(
                "Random track, about {} cells long and {} wide.",
                self.length, self.road
            ),
            rules: RaceRules::default(),
            map: Vec::new(),
        };
        level.set_cells(&cells);
        Ok(level)
    }
}

/// A point on the map, in cells; a cell's centre has whole coordinates.
type Point = (f32, f32);

/// A track along a path through the squares of a coarse board, which never comes near itself: each
/// square is wider than the road, and the path visits each at most once.
fn winding(generator_options: &TrackOptions, seed: u64) -> Result<Grid<char>, String> {
    let width = generator_options.width as f32;
    let height = generator_options.height as f32;
    let road = generator_options.road as f32;
    let length = generator_options.length as f32;
    // As large squares as the length allows, so that the track fills the board.
    let least = road + 2.0;
    let fits = |square: f32| {
        let columns = (width / square) as usize;
        let rows = (height / square) as usize;
        let wanted = (length / square).round().max(1.0) as usize + 1;
        (columns, rows, wanted)
    };
    let mut square = (width * height / (1.25 * length)).min(width.min(height) / 2.0).max(least);
    while let (columns, rows, wanted) = fits(square)
        && wanted > columns * rows
        && square > least
    {
        square = (square * 0.97).max(least);
    }
    let (columns, rows, wanted) = fits(square);
    if columns < 2 || rows < 2 {
        return Err(format!(
            "a road {} wide does not fit twice on {} by {} cells: make it narrower or the map larger",
            generator_options.road, generator_options.width, generator_options.height
        ));
    }
    if wanted > columns * rows {
        return Err(format!(
            "a track of {} cells does not fit; at most about {} do: make the map larger, the road \
             narrower, or the track shorter",
            generator_options.length,
            ((columns * rows - 1) as f32 * square) as u32
        ));
    }
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let path = winding_path(columns, rows, &mut dice);
    let first = dice.random_range(0..=path.len() - wanted);
    let play = (square - road - 3.0).max(0.0) * 0.35;
    let stretch = (width / columns as f32, height / rows as f32);
    let nodes: Vec<Point> = path[first..first + wanted]
        .iter()
        .map(|&node| {
            let x = (node % columns) as f32;
            let y = (node / columns) as f32;
            let mut off = || dice.random_range(-1.0..=1.0) * play;
            ((x + 0.5) * stretch.0 - 0.5 + off(), (y + 0.5) * stretch.1 - 0.5 + off())
        })
        .collect();
    Ok(paved(generator_options, &rounded(&nodes)))
}

/// A path that visits every square once: row by row, then shuffled by backbite moves (Mansfield
/// 1982), each of which joins an end to a neighbour and lets go of the edge that closes the loop.
fn winding_path(columns: usize, rows: usize, dice: &mut ChaCha8Rng) -> Vec<usize> {
    let mut path: Vec<usize> = (0..rows)
        .flat_map(|y| {
            (0..columns).map(move |i| y * columns + if y % 2 == 0 { i } else { columns - 1 - i })
        })
        .collect();
    let mut place: Vec<usize> = vec![0; path.len()];
    for (at, &node) in path.iter().enumerate() {
        place[node] = at;
    }
    for _ in 0..(20 * path.len()).clamp(200, 40_000) {
        if dice.random_bool(0.5) {
            path.reverse();
            let last = path.len() - 1;
            place.iter_mut().for_each(|at| *at = last - *at);
        }
        let x = (path[0] % columns) as i32;
        let y = (path[0] / columns) as i32;
        let (dx, dy) = [(1, 0), (0, 1), (-1, 0), (0, -1)][dice.random_range(0..4)];
        let x = x + dx;
        let y = y + dy;
        if x < 0 || y < 0 || x >= columns as i32 || y >= rows as i32 {
            continue;
        }
        let to = place[y as usize * columns + x as usize];
        path[..to].reverse();
        for (at, &node) in path[..to].iter().enumerate() {
            place[node] = at;
        }
    }
    path
}

/// The line with its corners cut (Chaikin 1974).
fn rounded(nodes: &[Point]) -> Vec<Point> {
    let mut line = nodes.to_vec();
    for _ in 0..3 {
        let between = |a: Point, b: Point, t: f32| (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
        let cut = line
            .windows(2)
            .flat_map(|pair| [between(pair[0], pair[1], 0.25), between(pair[0], pair[1], 0.75)]);
        let ends = (line.first().copied(), line.last().copied());
        line = ends.0.into_iter().chain(cut).chain(ends.1).collect();
    }
    line
}

/// The road along a line, with start, finish and checkpoints across it.
fn paved(generator_options: &TrackOptions, line: &[Point]) -> Grid<char> {
    let width = generator_options.width as usize;
    let height = generator_options.height as usize;
    let mut cells = Grid::filled(width, height, '#');
    let reach = generator_options.road as f32 / 2.0;
    let near = |centre: Point| {
        let from = |c: f32| (c - reach).floor() as i32;
        let to = |c: f32| (c + reach).ceil() as i32;
        (from(centre.1)..=to(centre.1))
            .flat_map(move |y| (from(centre.0)..=to(centre.0)).map(move |x| Cell::new(x, y)))
            .filter(move |cell| {
                let dx = cell.x as f32 - centre.0;
                let dy = cell.y as f32 - centre.1;
                dx * dx + dy * dy <= reach * reach
            })
    };
    // The outermost cells stay off the track, so that its edge is seen.
    let inside = |cell: &Cell| Placement::Inside.holds(*cell, width, height);
    for pair in line.windows(2) {
        let steps = ((pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1) * 2.0).ceil().max(1.0);
        for step in 0..=steps as usize {
            let t = step as f32 / steps;
            let centre =
                (pair[0].0 + (pair[1].0 - pair[0].0) * t, pair[0].1 + (pair[1].1 - pair[0].1) * t);
            for cell in near(centre).filter(inside) {
                if let Some(cell) = cells.get_mut(cell) {
                    *cell = '.';
                }
            }
        }
    }
    let mut mark = |at: usize, symbol: char, span: RangeInclusive<f32>| {
        let before = line[at.saturating_sub(1)];
        let after = line[(at + 1).min(line.len() - 1)];
        let dx = after.0 - before.0;
        let dy = after.1 - before.1;
        let norm = dx.hypot(dy).max(1e-6);
        for cell in near(line[at]).filter(inside) {
            let along =
                ((cell.x as f32 - line[at].0) * dx + (cell.y as f32 - line[at].1) * dy) / norm;
            if let Some(cell) = cells.get_mut(cell)
                && *cell == '.'
                && span.contains(&along)
            {
                *cell = symbol;
            }
        }
    };
    let last = line.len() - 1;
    mark(0, 'S', -1.5..=0.5);
    mark(last, 'F', -0.5..=f32::MAX);
    for number in 1..=generator_options.checkpoints as usize {
        let at = number * last / (generator_options.checkpoints as usize + 1);
        mark(at, (b'0' + number as u8) as char, -0.75..=0.75);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_race_that_is_over_at_once_is_warned_of() {
        let warned = |road: usize, rest: &str| {
            let map = vec![format!("S{}F{rest}", ".".repeat(road))];
            let level = TrackFile {
                format: FORMAT.into(),
                name: String::new(),
                author: String::new(),
                about: String::new(),
                rules: RaceRules::default(),
                map,
            };
            warnings(&level).iter().any(|fault| fault.to_string().contains("over in a few turns"))
        };
        assert!(warned(0, "") && warned(4, ""));
        assert!(!warned(5, "") && !warned(30, ""));
        assert!(!warned(2, "...1"), "laps lead away from the finish first");
    }
}
