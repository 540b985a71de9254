//! The evaluation of the original program: the way to a gate by sight of a shortest route.

use crate::{GatesPassed as Gates, Track};
use outwit_core::grid::{Cell, DIAGONAL, EIGHT, Grid, STRAIGHT, crossings};
use outwit_core::search::{Evaluation, GraphSearch, Space, Status};

/// The way to one gate.
pub struct Leg {
    /// A shortest route over the track, without regard to speed.
    pub route: Vec<Cell>,
    /// In thousandths of a cell; `None` where no point of the route is in sight.
    pub value: Grid<Option<u32>>,
}

/// The ways to all gates of a race, one after the other.
pub fn legs(track: &Track, start: Cell) -> Vec<Leg> {
    let mut routes: Vec<Vec<Cell>> = Vec::new();
    let mut from = start;
    for progress in 0..track.gates() {
        let route = route(track, from, progress);
        from = route.last().copied().unwrap_or(from);
        routes.push(route);
    }
    let mut beyond = 0.0;
    let mut legs: Vec<Leg> = Vec::new();
    for route in routes.into_iter().rev() {
        let value = evaluate(track, &route, beyond);
        beyond += route.windows(2).map(|w| w[0].distance(w[1])).sum::<f32>();
        legs.push(Leg { route, value });
    }
    legs.reverse();
    legs
}

/// A shortest way over the eight neighbours from a cell to a gate, by A*.
fn route(track: &Track, from: Cell, progress: Gates) -> Vec<Cell> {
    struct Ways<'a> {
        track: &'a Track,
        goals: Vec<Cell>,
    }
    impl Space for Ways<'_> {
        type State = Cell;
        type Action = Cell;
        fn successors(&self, cell: &Cell, out: &mut Vec<(Cell, Cell, u32)>) {
            for step in EIGHT {
                let next = *cell + step;
                if self.track.is_road(next) {
                    let diagonal = step.x != 0 && step.y != 0;
                    out.push((next, next, if diagonal { DIAGONAL } else { STRAIGHT }));
                }
            }
        }
        fn is_goal(&self, cell: &Cell) -> bool {
            self.goals.contains(cell)
        }
        fn heuristic(&self, cell: &Cell) -> Option<u32> {
            self.goals.iter().map(|goal| goal.chebyshev(*cell) as u32 * STRAIGHT).min()
        }
    }
    let gate = track.next_gate(progress);
    let goals =
        track.surfaces().iter().filter(|&(_, &s)| Some(s) == gate).map(|(cell, _)| cell).collect();
    let ways = Ways { track, goals };
    let mut route = vec![from];
    if let Status::Found { path, .. } = GraphSearch::new(&ways, from, Evaluation::AStar).run(&ways)
    {
        route.extend(path);
    }
    route
}

/// The evaluation of every cell; `beyond` is the length of the legs after this route.
fn evaluate(track: &Track, route: &[Cell], beyond: f32) -> Grid<Option<u32>> {
    let mut rest = vec![beyond; route.len()];
    for i in (0..route.len().saturating_sub(1)).rev() {
        rest[i] = rest[i + 1] + route[i].distance(route[i + 1]);
    }
    Grid::from_fn(track.surfaces().width(), track.surfaces().height(), |cell| {
        if !track.is_road(cell) {
            return None;
        }
        let mut least = f32::INFINITY;
        // From the end of the route backwards: the first point in sight is mostly the best.
        for (&point, &rest) in route.iter().zip(&rest).rev() {
            let value = cell.distance(point) + rest;
            if value < least && in_sight(track, cell, point) {
                least = value;
            }
        }
        least.is_finite().then_some((least * 1000.0) as u32)
    })
}

fn in_sight(track: &Track, from: Cell, to: Cell) -> bool {
    crossings(from, to).all(|crossing| track.is_road(crossing.cell))
}
