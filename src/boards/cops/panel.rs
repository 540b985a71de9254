//! The panel of a pursuit: the clock, what is at stake, a person's plan, and what the pieces are.

use super::colours::Town;
use super::keys::{COMMANDS, PlanCommand};
use super::{Course, PursuitUi, SEATS, draft, is_hidden, nearest, overlay};
use crate::app::match_screen::{Shown, Visuals};
use crate::app::shell::commands;
use crate::app::shell::theme::{Rgb, palette, space};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;
use outwit_cops::rules::{COPS, Cops, Orders, Pursuit, PursuitStatus, Step, THIEF};

/// Shows the panel; returns a person's plan to be carried out.
pub fn show(
    panel: &mut Ui,
    look: &Visuals,
    shown: &Shown<Cops>,
    ui: &mut PursuitUi,
) -> Option<Orders> {
    let orders = plan(panel, shown, ui);
    clock(panel, shown);
    panel.add_space(space::MEDIUM);
    course(panel, shown, ui);
    panel.add_space(space::MEDIUM);
    panel.scope(|panel| legend(panel, look, shown));
    heat(panel, shown, ui);
    if !shown.session.humans.is_empty() {
        panel
            .checkbox(&mut ui.fair, "Hide the other side's plans")
            .on_hover_text("Until the end you do not see what the other side plans or thinks.");
    }
    orders
}

/// A step as a sign of the icon font.
pub fn sign(step: Step) -> &'static str {
    match step {
        Step::Stay => icon::DOT_OUTLINE,
        Step::Right => icon::ARROW_RIGHT,
        Step::Down => icon::ARROW_DOWN,
        Step::Left => icon::ARROW_LEFT,
        Step::Up => icon::ARROW_UP,
    }
}

/// A person's plan in the making.
fn plan(ui: &mut Ui, shown: &Shown<Cops>, board: &mut PursuitUi) -> Option<Orders> {
    let k = shown.game().board().rules().k as usize;
    let draft = draft::current(shown, &mut board.draft)?;
    let palette = palette(ui);
    widgets::section(ui, "Your plan");
    egui::Grid::new("plan").num_columns(2).spacing(vec2(12.0, 2.0)).show(ui, |ui| {
        for (player, way) in draft.ways.iter().enumerate() {
            if draft.seat == THIEF {
                ui.label("Thief");
            } else {
                let title = RichText::new(format!("Cop {}", player + 1)).color(palette.text.egui());
                ui.selectable_value(&mut draft.chosen, player, title);
            }
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 3.0;
                for place in 0..k {
                    let colour = palette.side(draft.seat).egui();
                    match way.get(place) {
                        Some(&step) => ui.label(RichText::new(sign(step)).color(colour)),
                        None => ui.label(RichText::new(icon::MINUS).color(palette.line.egui())),
                    };
                }
            });
            ui.end_row();
        }
    });
    let mut go = false;
    let mut clear = false;
    ui.horizontal(|ui| {
        let entry = commands::entry(COMMANDS, PlanCommand::Go);
        go = entry.explain(widgets::primary_button(ui, entry.label), entry.tip).clicked();
        let entry = commands::entry(COMMANDS, PlanCommand::Clear);
        let allowed = if draft.is_empty() { Err("") } else { Ok(()) };
        clear = entry.button(ui, allowed, egui::Button::new(entry.label));
    });
    if clear {
        draft.clear();
    }
    ui.add_space(space::MEDIUM);
    go.then(|| draft.orders(k))
}

fn clock(ui: &mut Ui, shown: &Shown<Cops>) {
    let rules = shown.game().board().rules();
    let pursuit = shown.state();
    let tick = pursuit.position.tick;
    let payoff = |standing: PursuitStatus| {
        standing.payoff(rules.ticks).map_or_else(|| "-".into(), |payoff| format!("{payoff:.0}"))
    };
    egui::Grid::new("clock").num_columns(2).spacing(vec2(16.0, 4.0)).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            widgets::hint(ui, name);
            ui.label(value);
            ui.end_row();
        };
        row("Tick", format!("{} of {}", pursuit.ticks_played(), rules.ticks));
        if pursuit.standing == PursuitStatus::Running {
            row(
                "Next plan",
                match (rules.k - tick % rules.k) % rules.k {
                    0 => "now".into(),
                    1 => "in 1 tick".into(),
                    left => format!("in {left} ticks"),
                },
            );
            let t = PursuitStatus::Caught(tick);
            row("If caught now", format!("the thief earns {}", payoff(t)));
            row("If it escapes now", format!("it earns {}", payoff(PursuitStatus::Escaped(tick))));
            row("If never caught", format!("it earns {}", payoff(PursuitStatus::Survived)));
        } else {
            row("The thief earns", payoff(pursuit.standing));
        }
    });
}

/// What the heat over the board means, if one is shown.
fn heat(panel: &mut Ui, shown: &Shown<Cops>, ui: &PursuitUi) {
    let running = shown.state().standing == PursuitStatus::Running;
    if !shown.session.shows(overlay::INSIGHT) || !running {
        return;
    }
    let visible = SEATS.into_iter().filter(|&seat| !is_hidden(shown, ui, seat));
    let label = visible.into_iter().find_map(|seat| {
        let heat = shown.insight(seat)?.heats.first()?;
        Some(format!("Shaded by {}: {}", shown.session.name(seat), heat.label))
    });
    if let Some(label) = label {
        widgets::hint(panel, label);
    }
}

/// What a thief earns by an ending.
fn stake(standing: PursuitStatus, ticks: u32) -> f64 {
    standing.payoff(ticks).unwrap_or(0.0)
}

/// How near the cops were in each tick so far, and what was at stake.
fn course(ui: &mut Ui, shown: &Shown<Cops>, board: &mut PursuitUi) {
    let palette = palette(ui);
    let ticks = shown.game().board().rules().ticks;
    let view = shown.session.playback.view;
    let Course { near, caught, escaped } = board.course.get(shown.revision, || {
        let states = shown.played.states();
        let lines = |made: &dyn Fn(&Pursuit) -> f64| -> Vec<[f64; 2]> {
            states.iter().zip(0_u32..).map(|(state, turn)| [f64::from(turn), made(state)]).collect()
        };
        Course {
            near: lines(&|state| f64::from(nearest(state))),
            caught: lines(&|state| stake(PursuitStatus::Caught(state.position.tick), ticks)),
            escaped: lines(&|state| stake(PursuitStatus::Escaped(state.position.tick), ticks)),
        }
    });
    let thief = palette.side(THIEF);
    let cops = palette.side(COPS);
    ui.columns(2, |columns| {
        widgets::section(&mut columns[0], "Nearest cop")
            .on_hover_text("Steps from the thief to the nearest cop, tick by tick.");
        if near.len() > 1 {
            plot(&mut columns[0], "near", view, (20.0, 6.0), |plot| {
                plot.line(line(near.clone(), 1.75, cops));
            });
        } else {
            // Else its letters would be spread over the column.
            columns[0].vertical(|ui| widgets::hint(ui, "Drawn from the first tick on"));
        }
        widgets::section(&mut columns[1], "At stake").on_hover_text(
            "What the thief would have earned at each tick: by an escape (falling), or when \
             caught (rising). They meet at what it earns if it is never caught.",
        );
        let far = f64::from(ticks);
        plot(&mut columns[1], "stake", view, (far, 2.0 * far), |plot| {
            // Thin lines go on to the last tick, where the two meet.
            let whole = |at: fn(u32) -> PursuitStatus| {
                [0, ticks].map(|tick| [f64::from(tick), stake(at(tick), ticks)]).to_vec()
            };
            plot.line(line(whole(PursuitStatus::Escaped), 0.75, thief));
            plot.line(line(whole(PursuitStatus::Caught), 0.75, cops));
            plot.line(line(escaped.clone(), 2.25, thief));
            plot.line(line(caught.clone(), 2.25, cops));
            if let Some(payoff) = shown.state().standing.payoff(ticks) {
                let end = vec![[view as f64, payoff]];
                plot.points(
                    egui_plot::Points::new("earned", end)
                        .radius(4.0)
                        .color(palette.text.egui())
                        .allow_hover(false),
                );
            }
        });
    });
}

fn line(points: Vec<[f64; 2]>, width: f32, colour: Rgb) -> egui_plot::Line<'static> {
    egui_plot::Line::new("", points).stroke(Stroke::new(width, colour.egui())).allow_hover(false)
}

/// The smallest of 1, 2, 5, 10, 20, ... that is not below `least`.
fn round_step(least: f64) -> f64 {
    let ten = 10.0_f64.powf(least.max(1.0).log10().floor());
    [1.0, 2.0, 5.0]
        .map(|part| part * ten)
        .into_iter()
        .find(|&step| step >= least)
        .unwrap_or(10.0 * ten)
}

/// A small plot over turns, at least as far and as high as `least`, with a line at the shown turn.
fn plot(
    ui: &mut Ui,
    id: &str,
    shown: usize,
    least: (f64, f64),
    add: impl FnOnce(&mut egui_plot::PlotUi<'_>),
) {
    let palette = palette(ui);
    let axis =
        |axis: egui_plot::AxisHints<'static>| axis.label_spacing(egui::Rangef::new(8.0, 12.0));
    let steps = |lines: f64| {
        egui_plot::uniform_grid_spacer(move |input| {
            let step = round_step((input.bounds.1 - input.bounds.0) / lines);
            [step, 10.0 * step, 100.0 * step]
        })
    };
    widgets::still_plot(id, 84.0)
        .allow_double_click_reset(false)
        .show_x(false)
        .show_y(false)
        .include_x(0.0)
        .include_x(least.0 * 1.06)
        .include_y(0.0)
        .include_y(least.1)
        .x_grid_spacer(steps(2.5))
        .y_grid_spacer(steps(3.0))
        .custom_x_axes(vec![axis(egui_plot::AxisHints::new_x())])
        .custom_y_axes(vec![axis(egui_plot::AxisHints::new_y())])
        .show(ui, |plot| {
            plot.vline(
                egui_plot::VLine::new("shown", shown as f64)
                    .stroke(Stroke::new(1.0, palette.faint.egui()))
                    .allow_hover(false),
            );
            add(plot);
        });
}

fn legend(ui: &mut Ui, look: &Visuals, shown: &Shown<Cops>) {
    let palette = palette(ui);
    let rules = shown.game().board().rules();
    let moving = if rules.walls > 0 && rules.p_wall_move > 0.0 { "wanders about" } else { "still" };
    let town = Town::of(palette.dark);
    let signs: [(&str, Rgb, String); 4] = [
        ("thief", palette.side(THIEF), "Thief: only the thief can use gates".into()),
        ("cop", palette.side(COPS), "Cop: reaches the thief to catch it".into()),
        ("gate", town.opening[0], "Gate: moves along the border".into()),
        ("wall", town.brick[0], format!("a wall: {moving}")),
    ];
    widgets::section(ui, "On the board");
    ui.spacing_mut().interact_size.y = 18.0;
    for (piece, colour, words) in signs {
        ui.horizontal(|ui| {
            ui.set_height(18.0);
            let (rect, _) = ui.allocate_exact_size(vec2(20.0, 18.0), Sense::hover());
            if let Some(piece) = look.pieces.get(piece) {
                piece.paint(ui.painter(), rect.center(), 16.0, colour, 1.0);
            }
            widgets::hint(ui, words);
        });
    }
}
