//! Gates: lit arches in the town wall, light on the cobbles inside, and an arrow that shows where each is
//! going. A gate goes round the corners of the border cell by cell.

use super::colours::Town;
use super::extras::{self, Dresser, Dressing, Extra, FLOOR};
use super::pieces::{GATE_LAYER, Gate};
use crate::app::drawing::{Detail, Sketch, faded, mixed, opaque};
use crate::app::match_screen::{Brush, PieceLook, Session, cell_at, middle};
use crate::app::shell::theme::{INK, Rgb};
use bevy::math::Vec2;
use bevy::prelude::*;
use outwit_cops::board::HEADINGS;
use outwit_cops::ring::Ring;

/// How far the light of a gate reaches, in cells.
const REACH: f32 = 2.4;
/// How much wider it is there, to each side.
const SPREAD: f32 = 0.8;

/// The line through the middles of a board's border cells, clockwise from the top left corner.
struct Border {
    ring: Ring,
    size: (usize, usize),
}

/// Where light falls in: a straight part of a gate and the way inwards.
type Opening = [Vec2; 3];

impl Border {
    fn new(columns: usize, rows: usize) -> Self {
        let size = (columns.max(3), rows.max(3));
        Self { ring: Ring::new(size.0, size.1), size }
    }

    /// Number of cells, which is also the length of the line.
    fn length(&self) -> f32 {
        self.ring.len() as f32
    }

    /// The place so far along the line.
    fn at(&self, along: f32) -> Vec2 {
        let length = self.ring.len();
        let along = along.rem_euclid(self.length());
        let cell = along as usize % length;
        let from = self.ring.cell(cell);
        let to = self.ring.cell((cell + 1) % length);
        middle(from).lerp(middle(to), along.fract())
    }

    /// How far along the line a place on it is.
    fn along(&self, place: Vec2) -> Option<f32> {
        let cell = self.ring.place(cell_at(place))?;
        let length = self.ring.len();
        let here = middle(self.ring.cell(cell));
        let toward = |other: usize| (place - here).dot(middle(self.ring.cell(other)) - here);
        let next = toward((cell + 1) % length);
        let before = toward((cell + length - 1) % length);
        Some(cell as f32 + if next >= before { next.max(0.0) } else { -before.max(0.0) })
    }

    /// The cells of a gate that begins so far along the line, seen from its first one.
    fn cells(&self, along: f32, width: u16) -> Vec<Vec2> {
        let first = self.at(along);
        (0..width).map(|n| self.at(along + f32::from(n)) - first).collect()
    }

    /// Where such a gate opens to the town, seen from its first cell. Corners do not.
    fn openings(&self, along: f32, width: u16) -> Vec<Opening> {
        let right = self.size.0 as f32 - 1.0;
        let bottom = self.size.1 as f32 - 1.0;
        let first = self.at(along);
        let begin = along - 0.5;
        let end = along + f32::from(width) - 0.5;
        let mut openings = Vec::new();
        for turn in [-1.0, 0.0, 1.0] {
            let mut corner = turn * self.length();
            for (side, length) in [right, bottom, right, bottom].into_iter().enumerate() {
                let from = begin.max(corner + 0.5);
                let to = end.min(corner + length - 0.5);
                if to > from + 0.01 {
                    let step = HEADINGS[(side + 1) % 4].step();
                    let inwards = Vec2::new(step.x as f32, step.y as f32);
                    let edge = |along: f32| self.at(along) + inwards * 0.5 - first;
                    openings.push([edge(from), edge(to), inwards]);
                }
                corner += length;
            }
        }
        openings
    }
}

/// A gate at rest: all that its drawing depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Form {
    /// Columns and rows of the border.
    size: (usize, usize),
    /// The place of its first cell along the border.
    place: u16,
    width: u16,
}

impl Form {
    /// Gates that touch no corner have the same form all along their side, on boards of all sizes.
    fn of(size: (usize, usize), gate: Gate) -> Self {
        /// Columns and rows of the border on which they are drawn.
        const PLAIN: u16 = 64;
        let right = size.0 as u16 - 1;
        let bottom = size.1 as u16 - 1;
        let mut form = Self { size, place: gate.place, width: gate.width };
        let mut corner = 0;
        for (side, length) in (0..).zip([right, bottom, right, bottom]) {
            if gate.place > corner && gate.place + gate.width <= corner + length {
                form.place = side * (PLAIN - 1) + 1;
                form.size = (PLAIN.into(), PLAIN.into());
            }
            corner += length;
        }
        form
    }

    /// Its cells, seen from the first one.
    fn cells(self) -> Vec<Vec2> {
        Border::new(self.size.0, self.size.1).cells(self.place.into(), self.width)
    }
}

/// What a gate looks like on a border of so many columns and rows. Where it is going, its arrow shows.
pub fn look(size: (usize, usize), gate: Gate) -> PieceLook {
    PieceLook::drawn("gate", Form::of(size, gate), draw)
}

/// A cell of a gate on a map.
pub fn tile_look() -> PieceLook {
    PieceLook::drawn("gate", Form { size: (64, 64), place: 1, width: 1 }, draw)
}

fn draw(form: Form, brush: Brush) -> Sketch {
    arches(&form.cells(), brush.dark, brush.detail)
}

/// The arches of a gate with its cells at these places.
fn arches(cells: &[Vec2], dark: bool, detail: Detail) -> Sketch {
    let town = Town::of(dark);
    let mut sketch = Sketch::default();
    for &cell in cells {
        sketch.rect(cell - 0.5, cell + 0.5, opaque(INK));
    }
    let (inset, fill) =
        if detail == Detail::Far { (0.16, town.opening[0]) } else { (0.04, town.walls.side[1]) };
    let mut before = None;
    for &cell in cells {
        // Neighbours are joined unless one of them is on its way round a corner.
        let joined = before.filter(|&other: &Vec2| (other - cell).abs().min_element() < 0.01);
        let from = joined.unwrap_or(cell);
        sketch.rect(cell.min(from) - 0.5 + inset, cell.max(from) + 0.5 - inset, opaque(fill));
        before = Some(cell);
    }
    if detail == Detail::Far {
        return sketch;
    }
    let stone = mixed(town.walls.top[1], Rgb(255, 255, 255), 0.1);
    for &cell in cells {
        sketch.fan(&arch(cell, 0.41, -0.44), opaque(stone));
        if detail == Detail::Near {
            for x in [-0.31, -0.12, 0.12, 0.31_f32] {
                let y = -0.41 + x.abs() * 0.35;
                let joint = [cell + Vec2::new(x, y), cell + Vec2::new(x * 0.78, y + 0.13)];
                sketch.cut_line(&joint, 0.025, opaque(town.walls.edge));
            }
        }
        sketch.fan(&arch(cell, 0.3, -0.32), opaque(INK));
        sketch.fan(&arch(cell, 0.275, -0.295), opaque(town.opening[0]));
        sketch.fan(&arch(cell, 0.17, -0.15), opaque(town.opening[1]));
    }
    sketch
}

/// The outline of an arch on the ground line of its cell.
fn arch(cell: Vec2, half: f32, top: f32) -> Vec<Vec2> {
    const SLICES: u8 = 12;
    const FOOT: f32 = 0.46;
    const SPRING: f32 = 0.0;
    let round = (0..=SLICES).map(|n| {
        let turn = std::f32::consts::PI * (1.0 + f32::from(n) / f32::from(SLICES));
        Vec2::new(turn.cos() * half, SPRING + turn.sin() * (SPRING - top))
    });
    let feet = [Vec2::new(half, FOOT), Vec2::new(-half, FOOT)];
    round.chain(feet).map(|at| cell + at).collect()
}

/// Three nested fans on the ground before each opening: light with a soft edge.
fn light(openings: &[Opening], size: Vec2, dark: bool) -> Sketch {
    let (glow, strength) = Town::of(dark).glow;
    let mut sketch = Sketch::default();
    for &[from, to, inwards] in openings {
        let along = (to - from).normalize_or_zero();
        // Not beyond the wall on the other side.
        let reach = REACH.min((size * inwards.abs()).element_sum() - 2.0).max(0.0);
        let spread = SPREAD.min(from.distance(to));
        let left = from + inwards * reach - along * spread;
        let right = to + inwards * reach + along * spread;
        for (n, share) in [(0.0, 0.34), (1.0, 0.38), (2.0, 0.42)] {
            let inset = (right - left) * 0.11 * n;
            let near = faded(glow, strength * share * 1.25);
            let far = faded(glow, 0.0);
            sketch.shaded(&[(from, near), (to, near), (right - inset, far), (left + inset, far)]);
        }
    }
    sketch
}

/// The light of a gate on the cobbles.
#[derive(Component, Clone, Copy, Default, Debug)]
#[require(Transform, Visibility, Mesh2d, MeshMaterial2d<ColorMaterial>)]
struct GateLight;

/// Shows where a gate is going.
#[derive(Component, Clone, Copy, Debug)]
struct GateArrow;

fn arrow(_dark: bool) -> Sketch {
    let mut sketch = Sketch::default();
    extras::arrow(&mut sketch, opaque(INK), 0.09);
    sketch
}

fn give(gate: On<Add, Gate>, mut commands: Commands) {
    commands.entity(gate.entity).insert(Shape::default()).with_children(|gate| {
        gate.spawn((GateLight, Transform::from_xyz(0.0, 0.0, FLOOR - GATE_LAYER)));
        gate.spawn((GateArrow, Extra::new("arrow of a gate", arrow)));
    });
}

/// How a gate is drawn at present.
#[derive(Component, Default, Debug)]
struct Shape {
    openings: Vec<Opening>,
    /// While it goes round a corner: the places of its cells, the mesh of its look and its mesh.
    bent: Option<(Vec<Vec2>, Handle<Mesh>, Handle<Mesh>)>,
}

impl Shape {
    /// Draws the gate with its cells at these places.
    fn bend(&mut self, mesh: &mut Mesh2d, cells: Vec<Vec2>, dresser: &mut Dresser) {
        let bent = self.bent.take().filter(|(_, _, bent)| mesh.0 == *bent);
        let still = bent.as_ref().map_or_else(|| mesh.0.clone(), |(_, still, _)| still.clone());
        let known = bent.filter(|(places, ..)| are_close(places, &cells));
        self.bent = Some(known.unwrap_or_else(|| {
            let sketch = arches(&cells, dresser.palette.dark, dresser.detail.0);
            let now = dresser.meshes.add(sketch.mesh());
            mesh.0 = now.clone();
            (cells, still, now)
        }));
    }

    /// Draws the gate as its look tells.
    fn straighten(&mut self, mesh: &mut Mesh2d) {
        if let Some((_, still, _)) = self.bent.take().filter(|(_, _, bent)| mesh.0 == *bent) {
            mesh.0 = still;
        }
    }
}

/// Where the arrow lies on the cell that leads, y upwards.
fn arrow_place(lead: Vec2, way: Vec2) -> Transform {
    const LOW: f32 = 0.14;
    Transform {
        translation: Vec3::new(lead.x, -lead.y - LOW, 0.002),
        rotation: Quat::from_rotation_z((-way.y).atan2(way.x)),
        ..default()
    }
}

fn are_close(one: &[Vec2], other: &[Vec2]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.abs_diff_eq(*b, 1e-3))
}

type Gates<'w, 's> = Query<
    'w,
    's,
    (
        Ref<'static, Transform>,
        Ref<'static, Gate>,
        &'static mut Mesh2d,
        &'static mut Shape,
        &'static Children,
        &'static ChildOf,
    ),
    (Without<GateLight>, Without<GateArrow>),
>;

type Lights<'w, 's> = Query<
    'w,
    's,
    (&'static mut Mesh2d, &'static mut MeshMaterial2d<ColorMaterial>, &'static mut Visibility),
    With<GateLight>,
>;

/// Gives gates that have moved the shape that fits their place, and moves their light and arrow along.
fn shape(
    matches: Query<&Session>,
    mut gates: Gates,
    mut lights: Lights,
    mut arrows: Query<&mut Transform, (With<GateArrow>, Without<Gate>)>,
    mut dresser: Dresser,
) {
    let redraw = dresser.is_changed();
    let dark = dresser.palette.dark;
    for (place, gate, mut mesh, mut shape, children, of) in &mut gates {
        if !(redraw || place.is_changed() || gate.is_changed() || mesh.is_changed()) {
            continue;
        }
        let Ok(session) = matches.get(of.parent()) else { continue };
        let (columns, rows) = session.info.extent;
        let size = Vec2::new(columns as f32, rows as f32);
        let border = Border::new(columns, rows);
        let at = Vec2::new(place.translation.x, -place.translation.y);
        let Some(along) = border.along(at) else { continue };

        let cells = border.cells(along, gate.width);
        let rests = are_close(&cells, &Form::of((columns, rows), *gate).cells());
        if rests {
            shape.straighten(&mut mesh);
        } else {
            shape.bend(&mut mesh, cells, &mut dresser);
        }
        let lead = along + if gate.clockwise { f32::from(gate.width) - 1.0 } else { 0.0 };
        let ahead = border.at(lead + if gate.clockwise { 0.01 } else { -0.01 });
        let lead = border.at(lead);
        let arrow_place = arrow_place(lead - at, ahead - lead);
        let openings = border.openings(along, gate.width);
        let flat = |openings: &[Opening]| openings.as_flattened().to_vec();
        let lit = !redraw && are_close(&flat(&openings), &flat(&shape.openings));
        for &child in children {
            if let Ok((mut mesh, mut material, mut seen)) = lights.get_mut(child)
                && (!lit || seen.is_added())
            {
                let sketch = light(&openings, size, dark);
                if sketch.is_empty() {
                    // In a corner it is open to no cell, and Bevy takes a mesh without corners for one that is gone.
                    *seen = Visibility::Hidden;
                } else {
                    mesh.0 = dresser.meshes.add(sketch.mesh());
                    material.0 = dresser.material();
                    *seen = dresser.visibility();
                }
            }
            if let Ok(mut arrow) = arrows.get_mut(child) {
                *arrow = arrow_place;
            }
        }
        shape.openings = openings;
    }
}

/// Gives every gate its light and its arrow, and bends it round corners.
pub fn plugin(app: &mut App) {
    app.add_observer(give).add_systems(Update, shape.in_set(Dressing).ambiguous_with_all());
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::match_screen::focused;
    use crate::app::match_screen::tests::app;
    use crate::app::requests::MatchConfig;
    use crate::app::shell::settings::Motion;
    use bevy::time::TimeUpdateStrategy;
    use outwit_cops::board::Board;

    #[test]
    fn places_on_the_border_are_found_again() {
        let border = Border::new(7, 5);
        for n in 0..200_u16 {
            let along = f32::from(n) * border.length() / 200.0;
            let found = border.along(border.at(along)).unwrap();
            let far = (found - along).rem_euclid(border.length());
            assert!(far < 1e-3 || border.length() - far < 1e-3, "{along}: {found}");
        }
        assert_eq!(border.along(Vec2::new(3.0, 2.0)), None);
    }

    fn board(rows: usize, columns: usize, gate_width: u32) -> Board {
        let edge = "=".repeat(columns);
        let inner = format!("={}=", ".".repeat(columns - 2));
        let mut map = vec![inner; rows];
        (map[0], map[rows - 1]) = (edge.clone(), edge);
        let mut level = crate::boards::tests::level(outwit_cops::level::CopsRules::default(), map);
        level.rules.gate_width = gate_width;
        Board::new(&level).unwrap().0
    }

    #[test]
    fn the_form_of_a_gate_tells_its_cells() {
        for (rows, columns, width) in [(5, 5, 8), (6, 9, 3), (64, 64, 20), (30, 20, 1), (7, 8, 2)] {
            let board = board(rows, columns, width);
            let mut forms = std::collections::HashSet::new();
            for place in 0..board.ring().len() as u16 {
                let gate = Gate { place, width: width as u16, clockwise: true };
                let form = Form::of((board.width(), board.height()), gate);
                forms.insert(form);
                let gate = outwit_cops::board::Gate { place, clockwise: true };
                let cells: Vec<Vec2> = board.gate_cells(gate).map(middle).collect();
                let told: Vec<Vec2> = form.cells().into_iter().map(|at| at + cells[0]).collect();
                assert!(are_close(&told, &cells), "{place}: {told:?} {cells:?}");
            }
            let corners = 4 * (width as usize + 1);
            assert!(forms.len() <= corners + 8, "{} forms", forms.len());
        }
    }

    /// Bevy logs an error for a mesh without vertices.
    #[test]
    fn a_gate_in_a_corner_is_dark_and_no_mesh_is_empty() {
        let is_dark = |seed: u64| {
            let config = MatchConfig {
                seed,
                ..MatchConfig::on_level("cops/fast-gates", &["random", "random"])
            };
            let mut app = app(config, Motion::Off);
            let step = std::time::Duration::from_millis(250);
            app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
            (0..3).for_each(|_| app.update());
            let mut found = false;
            while focused::<Session>(app.world()).unwrap().outcome().is_none() {
                app.update();
                let meshes = app.world().resource::<Assets<Mesh>>();
                assert!(meshes.iter().all(|(_, mesh)| mesh.count_vertices() > 0));
                let world = app.world_mut();
                let mut gates = world.query::<(&Shape, &Children)>();
                let mut lights = world.query_filtered::<&Visibility, With<GateLight>>();
                let closed = gates.iter(world).filter(|(shape, _)| shape.openings.is_empty());
                let children: Vec<Entity> =
                    closed.flat_map(|(_, children)| children.to_vec()).collect();
                for child in children {
                    let Ok(seen) = lights.get(world, child) else { continue };
                    assert_eq!(*seen, Visibility::Hidden);
                    found = true;
                }
                std::thread::yield_now();
            }
            found
        };
        assert!((1..20).any(is_dark), "no gate came to a corner");
    }

    #[test]
    fn light_falls_in_exactly_where_the_thief_can_leave() {
        for (rows, columns, width) in [(5, 5, 8), (6, 9, 3), (30, 20, 2)] {
            let board = board(rows, columns, width);
            let border = Border::new(columns, rows);
            for place in 0..board.ring().len() as u16 {
                let gate = outwit_cops::board::Gate { place, clockwise: true };
                let fronts = board
                    .gate_cells(gate)
                    .filter(|&cell| {
                        board.ring().place(cell).and_then(|at| board.ring().front(at)).is_some()
                    })
                    .count();
                let openings = border.openings(place.into(), width as u16);
                let wide: f32 = openings.iter().map(|[from, to, _]| from.distance(*to)).sum();
                assert!((wide - fronts as f32).abs() < 1e-3, "{place}: {wide} {fronts}");
            }
        }
    }
}
