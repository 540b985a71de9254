//! What is drawn over the ground: costs, sight, the path in the making, and other paths beside it.

use super::path::{self, Ends};
use super::skills::percent;
use super::terrain::corner;
use super::{PickedPath, StealthUi, amount_words, fog, is_drawing, light, overlay};
use crate::app::drawing::faded;
use crate::app::match_screen::{Canvas, Shown, Tab, ease, middle};
use bevy_egui::egui::{self, Align2, Color32, FontId};
use outwit_core::grid::Cell;
use outwit_core::play::{Heat, Seat};
use outwit_stealth::noticing::{Skills, notice_chance_at};
use outwit_stealth::review::{StepReview, review_steps, worst_steps};
use outwit_stealth::{Ground, GroundTile, RouteEnd, Stealth};

/// Points per cell from which on numbers stand in the cells.
const ROOM_FOR_NUMBERS: f32 = 40.0;
/// How many of the cells that lost most are marked.
const MARKED: usize = 3;

/// Draws everything, the farthest first.
pub fn paint(canvas: &mut Canvas, shown: &Shown<Stealth>, ui: &mut StealthUi) {
    let Some(known) = fog::known(shown, ui) else {
        let turn = turn(shown, ui) % shown.game().ground().period();
        floor(canvas, shown, shown.game().ground(), turn, ui);
        minds(canvas, shown);
        paths(canvas, shown, ui);
        about_cell(canvas, shown.game().ground(), turn, ui.skills.skills, is_drawing(shown));
        return;
    };
    let ground = known.here.ground();
    let turn = usize::from(is_drawing(shown)) % ground.period();
    floor(canvas, shown, ground, turn, ui);
    fog::cover(canvas, shown, ui);
    minds(canvas, shown);
    hint(canvas, shown);
    walked(canvas, shown);
    if is_drawing(shown) {
        fog::preview(canvas, shown, &known);
    }
    about_cell(canvas, ground, turn, ui.skills.skills, false);
    if let Some(cell) = canvas.hovered()
        && !fog::is_seen(shown, cell)
        && canvas.tooltip.is_some()
    {
        canvas.tooltip = Some("Not seen yet; planners assume it is free.".into());
    }
}

/// The move for which the board is shown: the next one while a path is drawn.
fn turn(shown: &Shown<Stealth>, ui: &StealthUi) -> usize {
    let walked = shown.state().walked.0.len();
    if is_drawing(shown) { walked + ui.drawn.cells().len() } else { walked }
}

/// Heat or light, and numbers.
fn floor(
    canvas: &mut Canvas,
    shown: &Shown<Stealth>,
    ground: &Ground,
    turn: usize,
    ui: &mut StealthUi,
) {
    let session = shown.session;
    let key = (shown.revision, session.playback.view, turn);
    let mut numbered = None;
    for (which, index) in [overlay::COST, overlay::EXPOSURE].into_iter().enumerate() {
        if session.shows(index) && canvas.legend.is_none() {
            canvas.heat(&ui.heats.get(key, || heats(ground, turn))[which]);
            numbered = Some(index == overlay::EXPOSURE);
        }
    }
    if session.shows(overlay::MINDS)
        && let Some(heat) = shown.insight(Seat(0)).and_then(|insight| insight.heats.first())
    {
        canvas.heat(heat);
    }
    if session.shows(overlay::SIGHT) {
        light::draw(canvas, shown, ground, turn, ui);
    }
    if let Some(exposure) = numbered {
        numbers(canvas, shown, ground, turn, exposure);
    }
    patrols(canvas, ground, turn, is_drawing(shown));
}

/// What the planner has in mind, but for its heat.
fn minds(canvas: &mut Canvas, shown: &Shown<Stealth>) {
    if shown.session.shows(overlay::MINDS)
        && let Some(insight) = shown.insight(Seat(0))
    {
        canvas.insight(insight, canvas.palette.line(Seat(0)));
    }
}

fn hint(canvas: &Canvas, shown: &Shown<Stealth>) {
    if let Some(route) = shown.hint() {
        let cells = route.cells(fog::position(shown.game(), shown.state()));
        path::dashed(canvas, &cells, canvas.palette.line(Seat(4)));
    }
}

/// The path so far, to where the thief is in its motion.
fn walked(canvas: &Canvas, shown: &Shown<Stealth>) {
    let before = shown.state();
    let start = shown.game().ground().start();
    let colour = canvas.palette.line(Seat(0));
    let (Some(animation), Some(next)) = (shown.animation(), shown.next_state()) else {
        let ends = Ends { begin: false, end: true };
        path::draw(canvas, &before.walked.cells(start), colour, 3.0, ends);
        return;
    };
    let from = before.walked.0.len();
    let to = next.walked.0.len();
    let steps = animation.time * to.saturating_sub(from) as f32;
    let reached = from as f32 + steps.floor() + ease(steps.fract());
    path::draw_until(canvas, &next.walked.cells(start), colour, 3.0, reached);
}

/// The paths of a match that hides nothing.
fn paths(canvas: &mut Canvas, shown: &Shown<Stealth>, ui: &mut StealthUi) {
    let session = shown.session;
    let ground = shown.game().ground();
    let lines = canvas.palette.lines;
    if session.shows(overlay::BEST)
        && let Some(best) = ui.compared.get().and_then(|compared| compared.best.as_ref())
    {
        path::draw(canvas, &best.route.cells(ground.start()), lines[2], 2.0, Ends::of(shown));
    }
    hint(canvas, shown);
    let picked = ui.picked;
    if let Some(route) = ui.picked_route(ground) {
        let colour = match picked {
            Some(PickedPath::Best) => lines[2],
            Some(PickedPath::Front(_)) => lines[3],
            _ => lines[5],
        };
        path::draw(canvas, &route.cells(ground.start()), colour, 3.0, Ends::of(shown));
    }
    if shown.animation().is_some() || fog::is_foggy(shown.state()) {
        walked(canvas, shown);
    } else if let Some(route) = shown.state().taken() {
        // The analysis shows other paths from the start.
        if session.tab != Tab::Analysis {
            let cells = route.cells(ground.start());
            path::draw(canvas, &cells, lines[0], 3.0, Ends { begin: false, end: true });
            // A lesson judges a path by something else.
            if session.lesson.is_none() {
                let key = (shown.revision, session.playback.view);
                let worst = ui.losses.get(key, || worst_steps(&review_steps(ground, route)));
                losses(canvas, shown, worst);
            }
        }
    } else if is_drawing(shown) {
        drawing(canvas, shown, ui);
    }
}

/// The path in the making, with the cost of each cell, and where a click would lead.
fn drawing(canvas: &mut Canvas, shown: &Shown<Stealth>, ui: &StealthUi) {
    let ground = shown.game().ground();
    let cells = ui.drawn.cells();
    let is_complete = matches!(ground.check(&ui.drawn.route()), Ok(RouteEnd::Goal));
    let ends = Ends { begin: true, end: is_complete };
    path::draw(canvas, cells, canvas.palette.line(Seat(0)), 3.0, ends);
    for (time, &cell) in cells.iter().enumerate().skip(1) {
        number(canvas, shown, cell, &amount_words(ground, ground.cost_at(cell, time)));
    }
    let Some(cell) = canvas.hovered() else { return };
    if ui.drawn.cells().contains(&cell) {
        canvas.clickable = true;
    } else if let way = ui.drawn.way_to(ground, cell, |_| true)
        && !way.is_empty()
    {
        canvas.clickable = true;
        let cells: Vec<Cell> = std::iter::once(ui.drawn.end()).chain(way).collect();
        path::dashed(canvas, &cells, canvas.palette.line(Seat(0)));
    }
}

/// Whether a piece covers a cell.
fn is_covered(shown: &Shown<Stealth>, cell: Cell) -> bool {
    let game = shown.game();
    let heist = shown.state();
    let thief = fog::position(game, heist);
    let ground = game.ground();
    [thief, ground.goal()].contains(&cell) || ground.guards_at(heist.walked.0.len()).contains(&cell)
}

/// A short number at the upper left of a cell, where no line runs; none where a piece stands.
fn number(canvas: &Canvas, shown: &Shown<Stealth>, cell: Cell, words: &str) {
    if canvas.scale() < ROOM_FOR_NUMBERS || !canvas.is_visible(cell) || is_covered(shown, cell) {
        return;
    }
    let font = FontId::proportional((canvas.scale() * 0.2).clamp(9.0, 13.0));
    let text = canvas.palette.text.egui();
    let galley = canvas.painter.layout_no_wrap(words.to_owned(), font, text);
    let at = canvas.point(corner(cell) + 0.06);
    let rect = Align2::LEFT_TOP.anchor_size(at, galley.size() + egui::vec2(6.0, 0.0));
    canvas.painter.rect_filled(rect, 3.0, canvas.palette.casing.egui_alpha(0.78));
    canvas.painter.galley(rect.min + egui::vec2(3.0, 0.0), galley, text);
}

fn numbers(canvas: &Canvas, shown: &Shown<Stealth>, ground: &Ground, turn: usize, exposure: bool) {
    for cell in ground.tiles().cells() {
        let units = match exposure {
            true => ground.exposure_at(cell, turn),
            false => ground.cost_at(cell, turn),
        };
        if units > 0 {
            number(canvas, shown, cell, &amount_words(ground, units));
        }
    }
}

/// Marks where a path lost most against the best way on.
fn losses(canvas: &Canvas, shown: &Shown<Stealth>, steps: &[StepReview]) {
    let ground = shown.game().ground();
    for step in steps.iter().take(MARKED) {
        ring(canvas, step.cell, canvas.palette.bad.egui());
        number(canvas, shown, step.cell, &format!("+{}", amount_words(ground, step.loss)));
    }
}

/// A ring around a cell that any ground leaves visible.
fn ring(canvas: &Canvas, cell: Cell, colour: Color32) {
    canvas.ring(cell, canvas.scale() * 0.44, 2.0, colour);
}

/// The loops of guards on patrol, and while a path is drawn where they are after the next move.
fn patrols(canvas: &mut Canvas, ground: &Ground, turn: usize, drawing: bool) {
    let colour = canvas.palette.line(Seat(1));
    for patrol in ground.patrols() {
        let places = patrol.iter().chain(patrol.first()).map(|&cell| middle(cell));
        canvas.dashed(places, 1.2, colour.egui_alpha(0.9));
    }
    if !drawing {
        return;
    }
    let still = ground.guards().len() - ground.patrols().len();
    for guard in ground.guards_at(turn).into_iter().skip(still) {
        let low = corner(guard);
        canvas.floor.rounded(low + 0.06, low + 0.94, 0.12, faded(colour, 0.5));
        ring(canvas, guard, colour.egui());
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
            label: "cost".into(),
            about: "What it costs to enter the cell.".into(),
            cells: cells(&|cell| ground.cost_at(cell, turn)),
        },
        Heat {
            label: "exposure".into(),
            about: "What guards add to the cost of the cell.".into(),
            cells: cells(&|cell| ground.exposure_at(cell, turn)),
        },
    ]
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
            "The start. Drag from here to the chest to draw a path.".into()
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
                    amount_words(ground, cost),
                    percent(notice_chance_at(ground, cell, turn, skills))
                ),
            }
        }
    });
}
