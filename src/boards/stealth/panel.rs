//! The panel of a heist: what the path is worth, how others went, and what length buys.

use super::keys::{COMMANDS, RouteCommand};
use super::{PickedPath, StealthUi, amount_words, compare, fog, is_drawing, skills, statistics};
use crate::app::match_screen::{Shown, plot};
use crate::app::shell::commands::entry;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use crate::app::shell::widgets::counted;
use bevy_egui::egui::{self, Ui, vec2};
use outwit_core::levels::capitalised;
use outwit_core::play::{Game, Series};
use outwit_stealth::{Ground, Route, RouteEnd, Stealth};

/// Shows the panel; returns the path that a person sets out on.
pub fn show(panel: &mut Ui, shown: &Shown<Stealth>, ui: &mut StealthUi) -> Option<Route> {
    let ground = shown.game().ground();
    let drawing = is_drawing(shown);
    let heist = shown.state();
    let is_foggy = fog::is_foggy(heist);
    if let Some(known) = fog::known(shown, ui) {
        worth(panel, known.whole.ground(), &heist.walked, true);
        widgets::hint(panel, "As far as the thief has seen.");
    } else if let Some(route) =
        heist.taken().or((drawing && !is_foggy).then_some(&ui.drawn.route()))
    {
        worth(panel, ground, route, drawing);
    }
    let mut go = false;
    if drawing && is_foggy {
        panel.add_space(space::SMALL);
        let stop = panel.button("Stop here").on_hover_text(
            "End the path where the thief stands. Short of the goal there is a penalty.",
        );
        if stop.clicked() {
            return Some(Route::default());
        }
    } else if drawing {
        panel.add_space(space::SMALL);
        panel.horizontal(|panel| {
            panel.add_enabled_ui(!ui.drawn.is_empty(), |panel| {
                let set_out = entry(COMMANDS, RouteCommand::Go);
                let button = widgets::primary_button(panel, set_out.label);
                go = set_out.explain(button, set_out.tip).clicked();
                let clear = entry(COMMANDS, RouteCommand::Clear);
                if clear.button(panel, Ok(()), egui::Button::new(clear.label)) {
                    ui.drawn.clear();
                }
            });
        });
    }
    if let Some(label) = &shown.session.result.best_label {
        panel.add_space(space::SMALL);
        widgets::hint(panel, format!("Your best on this level: {label}"));
    }
    beside(panel, shown, ui);
    let about = &shown.game().level().about;
    if !about.is_empty() {
        panel.add_space(space::MEDIUM);
        widgets::section(panel, "About this level");
        panel.label(about);
    }
    go.then(|| ui.drawn.route())
}

/// What others make of the level, for those who do not play it now.
pub fn beside(panel: &mut Ui, shown: &Shown<Stealth>, ui: &mut StealthUi) {
    if !shown.session.humans.is_empty() && !shown.is_over() {
        ui.picked = None;
        return;
    }
    let ground = shown.game().ground();
    panel.add_space(space::MEDIUM);
    others(panel, ground, shown.state().taken(), ui);
    panel.add_space(space::MEDIUM);
    panel.scope(|panel| trade_off(panel, ground, ui));
    panel.add_space(space::MEDIUM);
    skills::show(panel, shown, shown.state().taken(), ui);
    panel.add_space(space::MEDIUM);
    statistics::show(panel, shown, &mut ui.statistics);
}

/// What a path is worth, and of what that is made.
fn worth(panel: &mut Ui, ground: &Ground, route: &Route, drawing: bool) {
    let cells = route.cells(ground.start());
    let entered = cells.iter().enumerate().skip(1);
    let exposure = entered.map(|(time, &cell)| ground.exposure_at(cell, time)).sum();
    egui::Grid::new("worth").num_columns(2).spacing(vec2(16.0, 4.0)).show(panel, |grid| {
        let mut row = |name: &str, help: &str, value: String, exact: String| {
            widgets::hint(grid, name).on_hover_text(help);
            let label = grid.label(&value);
            if exact != value {
                label.on_hover_text(exact);
            }
            grid.end_row();
        };
        let mut amount = |name: &str, help: &str, units: i128| {
            row(name, help, amount_words(ground, units), format!("{:#}", ground.amount(units)));
        };
        amount("Cost", "What its cells cost to enter; lower is better.", ground.route_cost(route));
        amount("Exposure", "The part of the cost that guards add.", exposure);
        let moves = route.0.len().to_string();
        row("Moves", "Cells that the path enters.", moves.clone(), moves);
        let end = match ground.check(route) {
            Ok(RouteEnd::Goal) => "at the goal",
            Ok(RouteEnd::Stuck) => "in a dead end",
            _ if drawing => "on the way",
            _ => "short of the goal",
        };
        row("Ends", "Short of the goal there is a penalty.", end.into(), end.into());
        let fitness = ground.fitness(route);
        row(
            "Fitness",
            "What planners rate the path by; lower is better. The rules of the level weigh its cost, \
             how far it leads from the start, and what is left to the goal.",
            amount_words(ground, fitness),
            format!("{:#}", ground.amount(fitness)),
        );
    });
}

/// The path beside those of planners and the best one. A click shows a path on the board.
fn others(panel: &mut Ui, ground: &Ground, taken: Option<&Route>, ui: &mut StealthUi) {
    widgets::section(panel, "Compared");
    let Some(compared) = ui.compared.get() else {
        if let Some(why) = ui.compared.failure() {
            widgets::fault(panel, format!("The comparison failed: {why}"));
        } else {
            panel.horizontal(|panel| {
                panel.spinner();
                widgets::hint(panel, "Others are trying");
            });
        }
        return;
    };
    let mut rows: Vec<(String, &Route, Option<PickedPath>)> = Vec::new();
    rows.extend(taken.map(|route| ("This path".into(), route, None)));
    for (index, (name, path)) in compared.found.iter().enumerate() {
        rows.push((capitalised(name), &path.route, Some(PickedPath::Found(index))));
    }
    rows.extend(
        compared.best.as_ref().map(|best| ("Best".into(), &best.route, Some(PickedPath::Best))),
    );
    let mut picked = ui.picked;
    egui::Grid::new("compared").num_columns(4).spacing(vec2(8.0, 4.0)).show(panel, |grid| {
        for name in ["Path", "Cost", "Moves", "Exposure"] {
            widgets::hint(grid, name);
        }
        grid.end_row();
        for (name, route, pick) in rows {
            let is_picked = picked == pick;
            let help = match pick {
                None => "Show only this path on the board",
                Some(_) => "Show this path on the board as well",
            };
            if grid.selectable_label(is_picked, name).on_hover_text(help).clicked() {
                picked = pick.filter(|_| !is_picked);
            }
            let reached = ground.check(route) == Ok(RouteEnd::Goal);
            let cost = amount_words(ground, ground.route_cost(route));
            let label = grid.label(if reached { cost } else { format!("{cost}*") });
            if !reached {
                label.on_hover_text("This path stops short of the goal.");
            }
            grid.label(route.0.len().to_string());
            let cells = route.cells(ground.start());
            grid.label(amount_words(
                ground,
                cells.iter().enumerate().map(|(time, &cell)| ground.exposure_at(cell, time)).sum(),
            ));
            grid.end_row();
        }
    });
    widgets::hint(
        panel,
        format!(
            "Planners with seed {}. The best is proved for paths that reach the goal.",
            compare::SEED
        ),
    );
    ui.picked = picked;
}

/// The shortest and the safest path, and all between: what each further move buys.
fn trade_off(panel: &mut Ui, ground: &Ground, ui: &mut StealthUi) {
    let Some(compared) = ui.compared.get() else { return };
    let front = &compared.front.points;
    let (Some(shortest), Some(safest)) = (front.first(), front.last()) else {
        return;
    };
    widgets::section(panel, "Length against exposure");
    if !compared.front.is_complete {
        widgets::hint(panel, "Incomplete: longer paths may be less exposed.");
    } else if front.len() == 1 {
        panel.label(format!(
            "The shortest path, {}, is also the least exposed.",
            counted(shortest.route.0.len() as u64, "move")
        ));
        return;
    }
    let place = |point: &outwit_stealth::front::FrontPoint| {
        [point.route.0.len() as f64, ground.number(point.exposure)]
    };
    // A longer path is worth nothing until the next point: a staircase.
    let mut points: Vec<[f64; 2]> = Vec::new();
    for point in front.iter().map(place) {
        points.extend(points.last().map(|&[_, exposure]| [point[0], exposure]));
        points.push(point);
    }
    let series = Series { name: "least exposure for each path length".into(), points };
    let mut index = match ui.picked {
        Some(PickedPath::Front(index)) => index,
        _ => 0,
    };
    let cursor = matches!(ui.picked, Some(PickedPath::Front(_)))
        .then(|| front.get(index).map(|point| place(point)[0]))
        .flatten();
    plot(panel, "front", &[series], 110.0, cursor);
    let count = front.len();
    panel.spacing_mut().slider_width = (panel.available_width() - 12.0).max(60.0);
    let slider = egui::Slider::new(&mut index, 0..=count - 1).show_value(false);
    let response = panel
        .add(slider)
        .on_hover_text("From the shortest path to the least exposed; the board shows the path");
    response.surrender_focus();
    let changed = response.changed() || response.clicked();
    let words = |point: &outwit_stealth::front::FrontPoint| {
        format!(
            "{}, exposure {}",
            counted(point.route.0.len() as u64, "move"),
            amount_words(ground, point.exposure)
        )
    };
    match cursor.and_then(|_| front.get(index)) {
        Some(point) => widgets::hint(panel, format!("Shown: {}", words(point))),
        None => {
            let ends = format!("From {} to {}", words(shortest), words(safest));
            widgets::hint(panel, ends)
        }
    };
    if changed {
        ui.picked = Some(PickedPath::Front(index));
    }
}
