//! What is drawn over the ground: costs, sight, the path in the making, and other paths beside it.

use super::skills::percent;
use super::{PickedPath, StealthUi, fitness_words, fog, is_drawing, overlay};
use crate::app::match_screen::{Canvas, Shown, Tab, middle};
use crate::app::shell::theme::{Rgb, translucent};
use bevy_egui::egui::Stroke;
use outwit_core::grid::Cell;
use outwit_core::play::{Heat, Seat};
use outwit_stealth::noticing::{Skills, notice_chance_at};
use outwit_stealth::review::{StepReview, review_steps, worst_steps};
use outwit_stealth::{Ground, GroundTile, Stealth};

/// Points per cell from which on numbers stand in the cells.
const ROOM_FOR_NUMBERS: f32 = 30.0;
/// How many of the cells that lost most are marked.
const MARKED: usize = 3;

/// Draws everything, the farthest first.
pub fn paint(canvas: &mut Canvas, shown: &Shown<Stealth>, ui: &mut StealthUi) {
    let own = canvas.palette.side(Seat(0));
    let Some(known) = fog::known(shown, ui) else {
        let turn = turn(shown, ui) % shown.game().ground().period();
        costs_and_sight(canvas, shown, shown.game().ground(), turn, ui);
        minds(canvas, shown, own);
        paths(canvas, shown, ui, own);
        about_cell(canvas, shown.game().ground(), turn, ui.skills.skills, is_drawing(shown));
        return;
    };
    let ground = known.here.ground();
    let turn = usize::from(is_drawing(shown)) % ground.period();
    costs_and_sight(canvas, shown, ground, turn, ui);
    fog::cover(canvas, shown);
    minds(canvas, shown, own);
    hint(canvas, shown);
    walked(canvas, shown, own);
    if is_drawing(shown) {
        fog::preview(canvas, shown, &known, own);
    }
    about_cell(canvas, ground, turn, ui.skills.skills, false);
    if let Some(cell) = canvas.hovered()
        && !fog::is_seen(shown, cell)
        && canvas.tooltip.is_some()
    {
        canvas.tooltip = Some("Not seen yet; planners take it for free ground.".into());
    }
}

/// The move for which the board is shown: the next one while a path is drawn.
fn turn(shown: &Shown<Stealth>, ui: &StealthUi) -> usize {
    let walked = shown.state().walked.0.len();
    if is_drawing(shown) { walked + ui.drawn.cells().len() } else { walked }
}

fn costs_and_sight(
    canvas: &mut Canvas,
    shown: &Shown<Stealth>,
    ground: &Ground,
    turn: usize,
    ui: &mut StealthUi,
) {
    let session = shown.session;
    let key = (shown.revision, session.playback.view, turn);
    for (which, index) in [overlay::COST, overlay::EXPOSURE].into_iter().enumerate() {
        if session.shows(index) {
            canvas.heat(&ui.heats.get(key, || heats(ground, turn))[which]);
            numbers(canvas, ground, turn, index == overlay::EXPOSURE);
        }
    }
    if session.shows(overlay::SIGHT) {
        sight(canvas, ground, turn, ui.fields.get(key, || fields(ground, turn)));
    }
    patrols(canvas, ground, turn, is_drawing(shown));
}

/// What the planner has in mind.
fn minds(canvas: &mut Canvas, shown: &Shown<Stealth>, own: Rgb) {
    if shown.session.shows(overlay::MINDS)
        && let Some(insight) = shown.insight(Seat(0))
    {
        if let Some(heat) = insight.heats.first() {
            canvas.heat(heat);
        }
        canvas.insight(insight, own);
    }
}

fn hint(canvas: &Canvas, shown: &Shown<Stealth>) {
    if let Some((route, _)) = shown.hint() {
        let cells = route.cells(fog::position(shown.game(), shown.state()));
        let colour = canvas.palette.warn.egui();
        canvas.dashed(cells.iter().map(|&cell| middle(cell)), 2.0, colour);
    }
}

/// The path so far, to where the thief is in its motion.
fn walked(canvas: &Canvas, shown: &Shown<Stealth>, own: Rgb) {
    let before = shown.state();
    let start = shown.game().ground().start();
    let (after, time) = match (shown.animation(), shown.next_state()) {
        (Some(animation), Some(next)) => (next, animation.time),
        _ => (before, 1.0),
    };
    let cells = after.walked.cells(start);
    let (from, to) = (before.walked.0.len(), after.walked.0.len());
    let done = from + (time * to.saturating_sub(from) as f32) as usize;
    path(canvas, &cells[..=done.min(to)], own, 3.0);
}

/// The paths of a match that hides nothing.
fn paths(canvas: &mut Canvas, shown: &Shown<Stealth>, ui: &mut StealthUi, own: Rgb) {
    let (session, ground) = (shown.session, shown.game().ground());
    if session.shows(overlay::BEST)
        && let Some(best) = ui.compared.get().and_then(|compared| compared.best.as_ref())
    {
        let colour = canvas.palette.good;
        path(canvas, &best.route.cells(ground.start()), colour, 2.0);
    }
    hint(canvas, shown);
    let picked = ui.picked;
    if let Some(route) = ui.picked_route(ground) {
        let palette = &canvas.palette;
        let colour = match picked {
            Some(PickedPath::Best) => palette.good,
            Some(PickedPath::Front(_)) => palette.goal,
            _ => palette.accent,
        };
        path(canvas, &route.cells(ground.start()), colour, 3.0);
    }
    if shown.animation().is_some() || fog::is_foggy(shown.state()) {
        walked(canvas, shown, own);
    } else if let Some(route) = shown.state().taken() {
        // The analysis shows other paths from the start.
        if session.tab != Tab::Analysis {
            path(canvas, &route.cells(ground.start()), own, 3.0);
            let key = (shown.revision, session.playback.view);
            losses(
                canvas,
                ground,
                ui.losses.get(key, || worst_steps(&review_steps(ground, route))),
            );
        }
    } else if is_drawing(shown) {
        drawing(canvas, ground, ui, own);
    }
}

/// The path in the making, with the cost of each cell, and where a click would lead.
fn drawing(canvas: &mut Canvas, ground: &Ground, ui: &StealthUi, own: Rgb) {
    let cells = ui.drawn.cells();
    path(canvas, cells, own, 3.0);
    for (time, &cell) in cells.iter().enumerate().skip(1) {
        number(canvas, cell, &fitness_words(ground, ground.cost_at(cell, time)));
    }
    let Some(cell) = canvas.hovered() else { return };
    if ui.drawn.cells().contains(&cell) {
        canvas.clickable = true;
    } else if let way = ui.drawn.way_to(ground, cell, |_| true)
        && !way.is_empty()
    {
        canvas.clickable = true;
        let places = std::iter::once(ui.drawn.end()).chain(way).map(middle);
        canvas.dashed(places, 2.0, own.egui_alpha(0.7));
    }
}

/// A line through cells, with a dot at its end.
fn path(canvas: &Canvas, cells: &[Cell], colour: Rgb, width: f32) {
    canvas.line(cells.iter().map(|&cell| middle(cell)), width, colour.egui());
    if let Some(&end) = cells.last().filter(|_| cells.len() > 1) {
        canvas.painter.circle_filled(canvas.at(end), width + 1.5, colour.egui());
    }
}

/// A short number at the foot of a cell, where pieces and lines leave room.
fn number(canvas: &Canvas, cell: Cell, words: &str) {
    if canvas.scale() < ROOM_FOR_NUMBERS || !canvas.is_visible(cell) {
        return;
    }
    let place = middle(cell) + bevy::math::Vec2::new(0.0, 0.33);
    let (text, ground) = (canvas.palette.text.egui(), canvas.palette.board.egui_alpha(0.6));
    canvas.label(place, words, (canvas.scale() * 0.22).clamp(9.0, 13.0), text, ground);
}

fn numbers(canvas: &Canvas, ground: &Ground, turn: usize, exposure: bool) {
    for cell in ground.tiles().cells() {
        let units = match exposure {
            true => ground.exposure_at(cell, turn),
            false => ground.cost_at(cell, turn),
        };
        if units > 0 {
            number(canvas, cell, &fitness_words(ground, units));
        }
    }
}

/// Marks where a path lost most against the best way on.
fn losses(canvas: &Canvas, ground: &Ground, steps: &[StepReview]) {
    let bad = canvas.palette.bad.egui();
    for step in steps.iter().take(MARKED) {
        let radius = canvas.scale() * 0.42;
        canvas.painter.circle_stroke(canvas.at(step.cell), radius, Stroke::new(2.0, bad));
        number(canvas, step.cell, &format!("+{}", fitness_words(ground, step.loss)));
    }
}

/// The loops of guards on patrol, and while a path is drawn where they are after the next move.
fn patrols(canvas: &Canvas, ground: &Ground, turn: usize, drawing: bool) {
    let colour = canvas.palette.side(Seat(1));
    for patrol in ground.patrols() {
        let places = patrol.iter().chain(patrol.first()).map(|&cell| middle(cell));
        canvas.dashed(places, 1.0, colour.egui_alpha(0.6));
    }
    if !drawing {
        return;
    }
    let still = ground.guards().len() - ground.patrols().len();
    for guard in ground.guards_at(turn).into_iter().skip(still) {
        let radius = canvas.scale() * 0.4;
        let stroke = Stroke::new(2.5, colour.egui());
        canvas.painter.circle_stroke(canvas.at(guard), radius, stroke);
        canvas.tint(guard, colour.egui_alpha(0.35));
    }
}

/// What each cell costs, and what guards add.
fn heats(ground: &Ground, turn: usize) -> [Heat; 2] {
    let cells = |units: &dyn Fn(Cell) -> i128| {
        let open = ground.tiles().iter().filter(|(_, tile)| !tile.is_closed());
        open.map(|(cell, _)| (cell, ground.number(units(cell)) as f32)).collect()
    };
    [
        Heat {
            label: "cost",
            about: "What it costs to enter the cell.",
            cells: cells(&|cell| ground.cost_at(cell, turn)),
        },
        Heat {
            label: "exposure",
            about: "What guards add to the cost of the cell.",
            cells: cells(&|cell| ground.exposure_at(cell, turn)),
        },
    ]
}

/// Three times the factor of each guard on each cell, row by row.
fn fields(ground: &Ground, turn: usize) -> Vec<Vec<u8>> {
    let field = |&guard: &Cell| {
        let factor = |(cell, tile): (Cell, &GroundTile)| match tile.is_closed() {
            true => 3,
            false => ground.thrice_factor(guard, cell) as u8,
        };
        ground.tiles().iter().map(factor).collect()
    };
    ground.guards_at(turn).iter().map(field).collect()
}

/// What guards see: the field of the one under the pointer, or of all of them and who sees the cell
/// under the pointer.
fn sight(canvas: &Canvas, ground: &Ground, turn: usize, fields: &[Vec<u8>]) {
    let tiles = ground.tiles();
    let hovered = canvas.hovered();
    let guards = ground.guards_at(turn);
    let one = guards.iter().position(|&guard| Some(guard) == hovered);
    let shade = |thrice: u8| 0.05 * f32::from(thrice.saturating_sub(3));
    for (at, cell) in tiles.cells().enumerate() {
        let seen =
            fields.iter().enumerate().filter(|(guard, _)| one.is_none_or(|one| one == *guard));
        let alpha: f32 = seen.filter_map(|(_, field)| field.get(at)).map(|&f| shade(f)).sum();
        if alpha > 0.0 && canvas.is_visible(cell) {
            let colour = canvas.palette.bad.egui();
            canvas.tint(cell, translucent(colour, alpha.min(0.5)));
        }
    }
    let Some(cell) = hovered.filter(|_| one.is_none()) else { return };
    let Some(at) = tiles.index_of(cell) else { return };
    for (&guard, field) in guards.iter().zip(fields) {
        if field.get(at).is_some_and(|&thrice| thrice > 3) {
            let colour = canvas.palette.bad.egui();
            canvas.dashed([middle(guard), middle(cell)], 1.5, colour);
        }
    }
}

/// What the cell under the pointer costs and why, in words.
fn about_cell(canvas: &mut Canvas, ground: &Ground, turn: usize, skills: Skills, drawing: bool) {
    let Some(cell) = canvas.hovered() else { return };
    let Some(&tile) = ground.tiles().get(cell) else { return };
    let what = match tile {
        GroundTile::Free => "Free ground",
        GroundTile::Difficult => "Difficult terrain",
        GroundTile::Obstacle => "An obstacle",
        GroundTile::Goal => "The goal",
        GroundTile::Start => "The start",
        GroundTile::Wall => "A wall",
        GroundTile::Guard => "A guard",
    };
    canvas.tooltip = Some(match tile {
        GroundTile::Wall | GroundTile::Guard => format!("{what}: the thief cannot enter."),
        GroundTile::Start if drawing => {
            "The start. Drag from here to the flag to draw a path.".into()
        }
        GroundTile::Start => format!("{what}: it costs nothing."),
        _ => {
            let factors: Vec<String> = ground
                .guards_at(turn)
                .into_iter()
                .filter_map(|guard| match ground.thrice_factor(guard, cell) {
                    3 => None,
                    6 => Some(" × 2".into()),
                    thrice => Some(format!(" × {thrice}/3")),
                })
                .collect();
            let cost = ground.cost_at(cell, turn);
            let base = 1.5 * tile.base_cost() as f64;
            match factors.is_empty() {
                true => format!("{what}: costs {base}, no guard sees it."),
                false => format!(
                    "{what}: costs {base}{} = {}; noticed with {}.",
                    factors.concat(),
                    fitness_words(ground, cost),
                    percent(notice_chance_at(ground, cell, turn, skills))
                ),
            }
        }
    });
}
