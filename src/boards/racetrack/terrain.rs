//! The circuit: mown grass, gravel, a road with kerbs in its bends, start, checkpoints and finish.

use super::colours::Circuit;
use super::road::{OnRoad, bends, edges, grid_lines, is_road, stations, thinned};
use crate::app::drawing::{Detail, Sketch, Terrain, faded, grain, mixed, opaque};
use bevy::math::Vec2;
use outwit_core::grid::{Cell, EIGHT, FOUR, Grid, UNREACHED, distances};
use outwit_racetrack::level::{Surface, TrackFile, surfaces};

/// Boards of more cells are drawn without what is only there to be looked at.
const LARGE: usize = 20_000;

fn corner(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32, cell.y as f32)
}

/// The circuit of a level.
pub fn terrain(level: &TrackFile, dark: bool, detail: Detail) -> Terrain {
    let surfaces = surfaces(level);
    let small = surfaces.len() <= LARGE;
    let rounds = if detail == Detail::Far && small { 40 } else { 14 };
    let exact = edges(&surfaces, rounds);
    let edges = thinned(&exact, if detail == Detail::Far { 0.03 } else { 0.02 });
    let mut terrain = Terrain::default();
    let circuit = Drawing { surfaces: &surfaces, colours: Circuit::of(dark), detail, small };
    let Terrain { ground, standing } = &mut terrain;
    circuit.sheet(ground);
    circuit.run_off(ground, &edges);
    if detail != Detail::Far && small {
        let shadow = |alpha| faded(circuit.colours.shadow, alpha);
        ground.shadow(&edges, 0.16, shadow, 0.35);
    }
    ground.area(&edges, opaque(circuit.colours.ground[0]));
    if detail != Detail::Far && small {
        circuit.worn(ground);
    }
    circuit.sand(ground, &edges);
    circuit.grid(ground, &edges);
    circuit.marks(ground, standing, &edges);
    let width = if detail == Detail::Far { 0.28 } else { 0.18 };
    for edge in &edges {
        standing.outline(edge, width, opaque(circuit.colours.edge));
    }
    if detail != Detail::Far || small {
        let angle = if detail == Detail::Far { 26.0_f32 } else { 19.0 };
        for bend in exact.iter().flat_map(|edge| bends(edge, angle.to_radians())) {
            circuit.kerb(standing, &bend);
        }
    }
    if detail != Detail::Far {
        circuit.plants(ground, standing);
    }
    terrain
}

/// What is needed to draw any part of a circuit.
struct Drawing<'a> {
    surfaces: &'a Grid<Surface>,
    colours: Circuit,
    detail: Detail,
    small: bool,
}

impl Drawing<'_> {
    fn size(&self) -> Vec2 {
        Vec2::new(self.surfaces.width() as f32, self.surfaces.height() as f32)
    }

    /// The grass, mown in stripes.
    fn sheet(&self, sketch: &mut Sketch) {
        let size = self.size();
        let sheet = [Vec2::ZERO, Vec2::new(size.x, 0.0), size, Vec2::new(0.0, size.y)];
        if self.detail != Detail::Far {
            let shadow = |alpha| faded(self.colours.outside, alpha);
            sketch.shadow(&[sheet.to_vec()], 0.4, shadow, 0.35);
        }
        sketch.fan(&sheet, opaque(self.colours.verge[0]));
        let width = if self.detail == Detail::Far { 10.0 } else { 4.0 };
        let mut from = width;
        while from < size.x + size.y {
            let begun = cut(&sheet, |at| at.x + at.y - from);
            let stripe = cut(&begun, |at| from + width - at.x - at.y);
            sketch.fan(&stripe, opaque(self.colours.verge[1]));
            from += 2.0 * width;
        }
    }

    /// Gravel along both sides of the road.
    fn run_off(&self, sketch: &mut Sketch, edges: &[Vec<Vec2>]) {
        for (width, share) in [(2.6_f32, 0.5), (1.7, 1.0)] {
            if !self.small && share < 1.0 {
                continue;
            }
            let colour = mixed(self.colours.verge[0], self.colours.runoff, share);
            // What would reach over the border of the sheet keeps within it.
            let low = Vec2::splat(width / 2.0);
            let high = self.size() - width / 2.0;
            for edge in edges {
                let inside: Vec<Vec2> = edge.iter().map(|at| at.max(low).min(high)).collect();
                sketch.outline(&inside, width, opaque(colour));
            }
        }
    }

    /// Asphalt is paler where cars drive, away from the edges, and has some grain.
    fn worn(&self, sketch: &mut Sketch) {
        let off = self.surfaces.cells().filter(|&cell| !is_road(self.surfaces, cell));
        let border = distances(self.surfaces, off, &EIGHT, |_, _| true);
        let depth = |cell: Cell| border.get(cell).map_or(0, |&far| far.min(9));
        let [fresh, worn] = self.colours.ground;
        let shade = |x: i32, y: i32| {
            let around = [(0, 0), (-1, 0), (0, -1), (-1, -1)];
            let least = around.iter().map(|&(dx, dy)| depth(Cell::new(x + dx, y + dy))).min();
            let share = (least.unwrap_or(0) as f32 - 1.0) / 1.6;
            opaque(mixed(fresh, worn, share.clamp(0.0, 1.0)))
        };
        for cell in self.surfaces.cells().filter(|&cell| depth(cell) >= 2) {
            let Cell { x, y } = cell;
            let quad = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)];
            sketch.shaded(&quad.map(|(x, y)| (Vec2::new(x as f32, y as f32), shade(x, y))));
            if self.detail == Detail::Near {
                for n in 0..2 {
                    let at = Vec2::new(grain(x, y, 20 + n), grain(x, y, 22 + n));
                    let colour = if n == 0 { self.colours.tyre } else { self.colours.grid };
                    let size = 0.012 + 0.012 * grain(x, y, 24 + n);
                    sketch.rect(
                        corner(cell) + at - size,
                        corner(cell) + at + size,
                        faded(colour, 0.35),
                    );
                }
            }
        }
    }

    /// Sand, and its grains from near by.
    fn sand(&self, sketch: &mut Sketch, edges: &[Vec<Vec2>]) {
        let cells = self.surfaces.iter().filter(|(_, surface)| **surface == Surface::Sand);
        let cells: Vec<Cell> = cells.map(|(cell, _)| cell).collect();
        let on_road = self.on_road(edges, &cells);
        for cell in cells {
            let Cell { x, y } = cell;
            let low = corner(cell);
            let colour = mixed(self.colours.sand[0], self.colours.sand[1], grain(x, y, 30));
            self.paint(sketch, &on_road, cell, (low, low + 1.0), opaque(colour));
            if self.detail == Detail::Far || !self.small {
                continue;
            }
            for n in 0..6 {
                let at = low + Vec2::new(grain(x, y, 32 + n), grain(x, y, 40 + n));
                if on_road.holds(at) {
                    let colour = self.colours.sand[2 + n as usize % 2];
                    sketch.rect(at - 0.035, at + 0.035, faded(colour, 0.8));
                }
            }
        }
    }

    /// What of the rows of these cells lies on the road.
    fn on_road(&self, edges: &[Vec<Vec2>], cells: &[Cell]) -> OnRoad {
        let mut rows = vec![false; self.surfaces.height()];
        for cell in cells {
            rows[cell.y as usize] = true;
        }
        OnRoad::new(edges, rows.len(), |row| rows[row])
    }

    /// Fills a part of a cell, between two corners, as far as it lies on the road.
    fn paint(
        &self,
        sketch: &mut Sketch,
        on_road: &OnRoad,
        cell: Cell,
        (low, high): (Vec2, Vec2),
        colour: [f32; 4],
    ) {
        if EIGHT.iter().all(|&step| is_road(self.surfaces, cell + step)) {
            sketch.rect(low, high, colour);
            return;
        }
        for (low, high) in on_road.parts(low, high) {
            sketch.rect(low, high, colour);
        }
    }

    /// The lines between cells, on the road only. From afar every fifth.
    fn grid(&self, sketch: &mut Sketch, edges: &[Vec<Vec2>]) {
        let (every, width) = match self.detail {
            Detail::Far => (5, 0.11),
            Detail::Middle => (1, 0.05),
            Detail::Near => (1, 0.03),
        };
        let colour = faded(self.colours.grid, 0.8);
        let extent = (self.surfaces.width(), self.surfaces.height());
        let [across, down] = grid_lines(edges, extent, every);
        let half = width / 2.0;
        for (y, from, to) in across {
            sketch.rect(Vec2::new(from, y - half), Vec2::new(to, y + half), colour);
        }
        for (x, from, to) in down {
            sketch.rect(Vec2::new(x - half, from), Vec2::new(x + half, to), colour);
        }
    }

    /// Start boxes, checkpoints and the finish, as far as they lie on the road.
    fn marks(&self, ground: &mut Sketch, standing: &mut Sketch, edges: &[Vec<Vec2>]) {
        let marked: Vec<(Cell, Surface)> = self
            .surfaces
            .iter()
            .filter(|(_, surface)| !matches!(surface, Surface::Off | Surface::Road | Surface::Sand))
            .map(|(cell, &surface)| (cell, surface))
            .collect();
        let cells: Vec<Cell> = marked.iter().map(|(cell, _)| *cell).collect();
        let on_road = self.on_road(edges, &cells);
        let ahead = self.ways_ahead();
        let coarse = self.detail == Detail::Far || !self.small;
        for &(cell, surface) in &marked {
            let low = corner(cell);
            let paint = |sketch: &mut Sketch, low: Vec2, high: Vec2, colour: [f32; 4]| {
                self.paint(sketch, &on_road, cell, (low, high), colour);
            };
            match surface {
                Surface::Finish if coarse => {
                    let colour = self.colours.finish[((cell.x + cell.y) % 2) as usize];
                    paint(standing, low, low + 1.0, opaque(colour));
                }
                Surface::Finish => {
                    for n in 0..4_usize {
                        let at = low + Vec2::new((n % 2) as f32, (n / 2) as f32) * 0.5;
                        let colour = self.colours.finish[(n + n / 2) % 2];
                        paint(standing, at, at + 0.5, opaque(colour));
                    }
                }
                Surface::Checkpoint(_) => {
                    let share = if coarse { 0.6 } else { 0.42 };
                    paint(ground, low, low + 1.0, faded(self.colours.mark, share));
                    if !coarse {
                        self.gate_lines(standing, &on_road, cell, surface);
                    }
                }
                Surface::Start if coarse => {
                    ground.rect(low + 0.15, low + 0.85, faded(self.colours.start, 0.6));
                }
                Surface::Start => self.start_box(ground, cell, &ahead),
                Surface::Off | Surface::Road | Surface::Sand => {}
            }
        }
    }

    /// Steps to what cars have to cross first.
    fn ways_ahead(&self) -> Grid<u32> {
        let checkpoints = self.surfaces.iter().any(|(_, s)| *s == Surface::Checkpoint(1));
        let first = if checkpoints { Surface::Checkpoint(1) } else { Surface::Finish };
        let gate = self.surfaces.iter().filter(|&(_, &surface)| surface == first);
        distances(self.surfaces, gate.map(|(cell, _)| cell), &FOUR, |_, s| *s != Surface::Off)
    }

    /// A box that is open where its car comes from.
    fn start_box(&self, sketch: &mut Sketch, cell: Cell, ahead: &Grid<u32>) {
        const REACH: f32 = 0.38;
        const HALF: f32 = 0.04;
        let far = |step: Cell| ahead.get(cell + step).copied().unwrap_or(UNREACHED);
        let nearest = FOUR.into_iter().min_by_key(|&step| far(step));
        let way = nearest.filter(|&step| far(step) < far(Cell::new(0, 0)));
        let centre = corner(cell) + 0.5;
        for side in FOUR {
            if way.is_some_and(|way| way == -side) {
                continue;
            }
            let out = corner(side) * REACH;
            let half = Vec2::new(out.y.abs(), out.x.abs()) + HALF;
            sketch.rect(centre + out - half, centre + out + half, opaque(self.colours.start));
        }
        if let Some(way) = way {
            self.chevron(sketch, centre, corner(way));
        }
    }

    /// The direction in which a race begins, on the road.
    fn chevron(&self, sketch: &mut Sketch, centre: Vec2, way: Vec2) {
        const TIP: f32 = 0.28;
        const THICK: f32 = 0.16;
        let tip = centre + way * TIP;
        for side in [way.perp(), -way.perp()] {
            let end = tip - way * TIP + side * TIP;
            let back = way * THICK;
            let arm = [tip, end, end - back, tip - back];
            sketch.fan(&arm, opaque(self.colours.start));
        }
    }

    /// Dashes along a checkpoint, which stay visible on heat.
    fn gate_lines(&self, sketch: &mut Sketch, on_road: &OnRoad, cell: Cell, surface: Surface) {
        let centre = corner(cell) + 0.5;
        for side in FOUR {
            let beside = self.surfaces.get(cell + side);
            if beside.is_none_or(|&beside| beside == surface || beside == Surface::Off) {
                continue;
            }
            let out = corner(side) * 0.5;
            let along = corner(Cell::new(side.y, side.x));
            for place in [-0.25, 0.25] {
                let at = centre + out + along * place;
                let half = Vec2::new(along.x.abs(), along.y.abs()) * 0.13 + 0.035;
                if on_road.holds(at - out * 0.1) {
                    sketch.rect(at - half, at + half, opaque(self.colours.mark));
                }
            }
        }
    }

    /// A kerb along a bend, which runs out at both ends.
    fn kerb(&self, sketch: &mut Sketch, bend: &[Vec2]) {
        const HALF: f32 = 0.17;
        const RUN_OUT: f32 = 1.1;
        let (dash, parts) = if self.detail == Detail::Far { (1.0, 1) } else { (0.5, 2) };
        let half = if self.detail == Detail::Far { HALF * 1.4 } else { HALF };
        let length: f32 = bend.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        // An odd number: both ends look the same.
        let dashes = (length / dash).round().max(3.0) as usize | 1;
        let stations = stations(bend, dashes * parts);
        let sides = |n: usize| {
            let station = stations[n];
            let share = (station.along.min(length - station.along) / RUN_OUT).clamp(0.0, 1.0);
            let out = station.way.perp() * half * (share * (2.0 - share)).max(0.12);
            [station.at - out, station.at + out]
        };
        for n in 1..stations.len() {
            let ([a, b], [c, d]) = (sides(n - 1), sides(n));
            let colour = self.colours.kerb[(n - 1) / parts % 2];
            sketch.fan(&[a, c, d, b], opaque(colour));
        }
    }

    /// Trees in groves, well away from the road, and tufts of grass.
    fn plants(&self, ground: &mut Sketch, standing: &mut Sketch) {
        let road = self.surfaces.cells().filter(|&cell| is_road(self.surfaces, cell));
        let far = distances(self.surfaces, road, &EIGHT, |_, _| true);
        let width = self.surfaces.width() as i32;
        let height = self.surfaces.height() as i32;
        let inside =
            |cell: Cell| (1..width - 1).contains(&cell.x) && (1..height - 1).contains(&cell.y);
        // On large boards fewer, so that there are never very many.
        let share = 0.34 * (LARGE as f32 / self.surfaces.len().max(1) as f32).min(1.0);
        let away = |cell: &Cell| far[*cell] > 2 && inside(*cell);
        for cell in self.surfaces.cells().filter(away) {
            let Cell { x, y } = cell;
            let of = |purpose| grain(x, y, purpose);
            let at = corner(cell) + 0.3 + 0.4 * Vec2::new(of(6), of(7));
            let grove = grain(x.div_euclid(4), y.div_euclid(4), 9) < 0.42;
            if far[cell] > 3 && of(5) < if grove { share } else { share * 0.12 } {
                self.tree(standing, at, 0.42 + 0.34 * of(8));
            } else if self.detail == Detail::Near && of(10) < 0.14 {
                let blade = mixed(self.colours.verge[0], self.colours.tree[0], 0.45);
                for lean in [-0.09, 0.0, 0.08] {
                    let tip = at + Vec2::new(lean * 1.6, -0.16 + lean.abs());
                    let foot = at + Vec2::new(lean * 0.4, 0.0);
                    let half = Vec2::new(0.02, 0.0);
                    ground.fan(&[foot - half, tip, foot + half], opaque(blade));
                }
            }
        }
    }

    fn tree(&self, sketch: &mut Sketch, at: Vec2, radius: f32) {
        let steps = if self.detail == Detail::Near { 3 } else { 1 };
        let alpha = if self.detail == Detail::Near { 0.14 } else { 0.3 };
        for step in 0..steps {
            let step = step as f32;
            let by = Vec2::new(0.08 + 0.07 * step, 0.12 + 0.1 * step);
            let shade = faded(self.colours.shadow, alpha);
            sketch.disc(at + by, radius * (1.0 + 0.05 * step), shade);
        }
        sketch.disc(at, radius, opaque(self.colours.tree[0]));
        let lit = at - Vec2::new(0.2, 0.25) * radius;
        sketch.disc(lit, radius * 0.62, opaque(self.colours.tree[1]));
    }
}

/// The part of a convex polygon where `inside` is not below zero.
fn cut(polygon: &[Vec2], inside: impl Fn(Vec2) -> f32) -> Vec<Vec2> {
    let mut points = Vec::with_capacity(polygon.len() + 1);
    for (index, &from) in polygon.iter().enumerate() {
        let to = polygon[(index + 1) % polygon.len()];
        let a = inside(from);
        let b = inside(to);
        if a >= 0.0 {
            points.push(from);
        }
        if (a < 0.0) != (b < 0.0) {
            points.push(from.lerp(to, a / (a - b)));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_core::platform::time::Instant;
    use outwit_racetrack::level::{FORMAT, RaceRules};
    use proptest::prelude::*;

    const DETAILS: [Detail; 3] = [Detail::Far, Detail::Middle, Detail::Near];

    fn level(rows: &[String]) -> TrackFile {
        TrackFile {
            format: FORMAT.into(),
            name: String::new(),
            author: String::new(),
            about: String::new(),
            rules: RaceRules::default(),
            map: rows.to_vec(),
        }
    }

    proptest! {
        /// The editor shows whatever it has, faulty or not.
        #[test]
        fn any_level_can_be_drawn(rows in prop::collection::vec("[#.SF123?]{0,9}", 0..9)) {
            for detail in DETAILS {
                let terrain = terrain(&level(&rows), true, detail);
                let mut triangles = terrain.ground.triangles().chain(terrain.standing.triangles());
                prop_assert!(triangles.all(|corners| corners.iter().all(|(at, _)| at.is_finite())));
            }
        }
    }

    /// The tip of a chevron lies on the side of the start to which cars drive.
    #[test]
    fn the_start_shows_the_direction_of_the_race() {
        let tips = |row: &str| {
            let rows = ["#".repeat(9), row.to_owned(), "#".repeat(9)];
            let terrain = terrain(&level(&rows), true, Detail::Near);
            let corners: Vec<Vec2> =
                terrain.ground.triangles().flatten().map(|(at, _)| at).collect();
            [4.78, 4.22].map(|x| corners.iter().any(|at| at.distance(Vec2::new(x, 1.5)) < 1e-4))
        };
        assert_eq!(tips("#...S..F#"), [true, false]);
        assert_eq!(tips("#F..S...#"), [false, true]);
        assert_eq!(tips("#1..S..F#"), [false, true], "the checkpoint comes first");
        assert_eq!(tips("#...S...#"), [false, false], "nobody knows where to");
    }

    #[test]
    fn trees_keep_away_from_the_road() {
        let mut rows = vec!["#".repeat(40); 40];
        rows[20] = format!("{}....{}", "#".repeat(18), "#".repeat(18));
        let level = level(&rows);
        let colours = Circuit::of(true);
        let tree = opaque(colours.tree[0]);
        let terrain = terrain(&level, true, Detail::Near);
        let crowns = terrain.standing.triangles().filter(|corners| corners[0].1 == tree);
        let mut seen = 0;
        for (at, _) in crowns.flatten() {
            seen += 1;
            assert!(at.x < 16.0 || at.x > 24.0 || at.y < 18.0 || at.y > 23.0, "{at}");
        }
        assert!(seen > 0);
    }

    /// Not a measurement, but a large track must not take seconds; see the figures that it prints.
    #[test]
    fn the_largest_tracks_open_quickly() {
        let mut rows = Vec::new();
        for y in 0..512 {
            // Rows of road four wide, wavy, joined at alternating ends.
            let row: String = (0..512)
                .map(|x: i32| {
                    let wave = ((x as f32 * 0.13).sin() * 2.0) as i32;
                    let road = (y + wave).rem_euclid(9) < 4;
                    if (2..510).contains(&x) && (4..508).contains(&y) && road { '.' } else { '#' }
                })
                .collect();
            rows.push(row);
        }
        let level = level(&rows);
        for detail in [Detail::Far, Detail::Middle] {
            let begin = Instant::now();
            let terrain = terrain(&level, true, detail);
            let triangles =
                terrain.ground.triangles().count() + terrain.standing.triangles().count();
            println!("{detail:?}: {:?}, {triangles} triangles", begin.elapsed());
            assert!(begin.elapsed().as_secs() < 20);
        }
    }
}
