//! Several solvers on one level, side by side: what each had found after the same work or time.

use super::units::{self, seconds};
use crate::app::shell::activity::{Activity, POLL};
use crate::app::shell::preview::{Pictures, Thumbnail};
use crate::app::shell::seats::seat_title;
use crate::app::shell::theme::{Palette, heat_colour, palette, palette_of, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Pos2, Rect, RichText, Stroke, Ui, pos2, vec2};
use egui_phosphor::regular as icon;
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::{Fault, capitalised};
use outwit_core::platform::task::Task;
use outwit_core::platform::time::{Duration, Instant};
use outwit_core::play::{AnalysisStep, Budget, Tone};
use outwit_kit::{AnalyseOptions, AnyLevel, DynGame, TileStyle};
use outwit_levels::Entry;
use std::sync::{Arc, Mutex, PoisonError};

/// Solvers that fit side by side, and how many there are at least.
pub const MOST: usize = 6;
pub const LEAST: usize = 2;
/// Seconds to play through everything.
const PLAYBACK: f32 = 12.0;
/// Steps of the slider.
const STOPS: usize = 1000;
/// Least width of a picture, in points.
const LEAST_WIDTH: f32 = 230.0;

/// What a solver had found, and when.
struct Found {
    seconds: f64,
    step: AnalysisStep,
}

/// One solver and what it found, the first first.
struct Lane {
    planner: &'static str,
    found: Vec<Found>,
    /// Why it ended early.
    failure: Option<String>,
}

/// What the places of the slider mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Measure {
    Work,
    Time,
}

/// The solvers that run, and what is shown of them.
pub struct SideBySide {
    level: String,
    game: &'static str,
    /// The level as the board draws it.
    entry: Entry,
    looks: Grid<TileStyle>,
    lanes: Arc<Mutex<Vec<Lane>>>,
    count: usize,
    task: Task<()>,
    measure: Measure,
    /// Place of the slider, from 0 to [`STOPS`].
    at: f32,
    playing: bool,
    pictures: Pictures,
}

impl SideBySide {
    /// Lets solvers search a level, one after the other, so that none slows another down.
    ///
    /// # Errors
    /// If the level cannot be shown, or there are fewer than [`LEAST`] solvers.
    pub fn begin(
        kind: &'static dyn DynGame,
        (name, level, entry): (String, &AnyLevel, &Entry),
        planners: &[&'static str],
        limit: Duration,
        pictures: Pictures,
    ) -> Result<Self, String> {
        if planners.len() < LEAST {
            return Err(format!("choose at least {LEAST} solvers"));
        }
        let bytes = entry.bytes().map_err(|error| error.to_string())?;
        let first = |faults: Vec<Fault>| faults.first().map(ToString::to_string);
        let info = kind.info(level);
        let looks = info.map_err(|faults| first(faults).unwrap_or_default())?.looks;
        let lanes = Arc::<Mutex<Vec<Lane>>>::default();
        let shared = Arc::clone(&lanes);
        let planners = planners.to_vec();
        let count = planners.len();
        let task = Task::begin(move |context| {
            for planner in planners {
                let lane = || lock(&shared);
                lane().push(Lane { planner, found: Vec::new(), failure: None });
                let options = AnalyseOptions {
                    turn: None,
                    planner: Some(planner.to_owned()),
                    seat: None,
                    budget: Budget::Time(limit),
                    seed: 1,
                };
                let started = Instant::now();
                let mut note = |step, _| {
                    let seconds = started.elapsed().as_secs_f64();
                    if let Some(lane) = lane().last_mut() {
                        lane.found.push(Found { seconds, step });
                    }
                };
                let ended = kind.analyse(&bytes, "", &options, context.stop(), &mut note);
                if let (Err(faults), Some(lane)) = (ended, lane().last_mut()) {
                    lane.failure = first(faults);
                }
            }
        });
        Ok(Self {
            level: name,
            game: kind.id(),
            entry: entry.clone(),
            looks,
            lanes,
            count,
            task,
            measure: Measure::Work,
            at: 0.0,
            playing: true,
            pictures,
        })
    }

    /// Whether solvers still search.
    pub fn is_running(&self) -> bool {
        !self.task.is_done()
    }

    /// Ends the searches; what was found stays.
    pub fn cancel(&self) {
        self.task.cancel();
    }

    /// How far the last snapshot of all solvers is, in work and in seconds.
    fn end(lanes: &[Lane], measure: Measure) -> f64 {
        let last = lanes.iter().filter_map(|lane| lane.found.last());
        last.map(|found| found.place(measure)).fold(1e-6, f64::max)
    }
}

impl Found {
    fn place(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Work => self.step.work as f64,
            Measure::Time => self.seconds,
        }
    }
}

fn lock(lanes: &Mutex<Vec<Lane>>) -> std::sync::MutexGuard<'_, Vec<Lane>> {
    lanes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a place of the slider is between nothing and the end: the first moments are stretched, as
/// most happens there.
fn stretched(at: f32, end: f64) -> f64 {
    let share = f64::from(at / STOPS as f32).clamp(0.0, 1.0);
    end * share.powi(3)
}

/// Shows pictures and slider.
pub fn show(ui: &mut Ui, view: &mut SideBySide, activity: &Activity) {
    let seconds = ui.input(|input| input.stable_dt).min(0.1);
    if view.playing {
        view.at += seconds * STOPS as f32 / PLAYBACK;
        let over = view.at >= STOPS as f32;
        view.at = view.at.min(STOPS as f32);
        view.playing = !over;
        ui.ctx().request_repaint();
    }
    if view.is_running() {
        activity.wake_in(POLL);
    }
    egui::Panel::bottom("side by side slider")
        .show_separator_line(false)
        .show(ui, |ui| controls(ui, view));
    let lanes = Arc::clone(&view.lanes);
    let lanes = lock(&lanes);
    let now = stretched(view.at, SideBySide::end(&lanes, view.measure));
    let columns = ((ui.available_width() / LEAST_WIDTH) as usize).clamp(1, view.count.clamp(1, 3));
    let rows = view.count.div_ceil(columns).max(1);
    let gap = space::MEDIUM;
    let size = vec2(
        (ui.available_width() - gap * (columns - 1) as f32) / columns as f32,
        ((ui.available_height() - gap * rows as f32) / rows as f32).max(180.0),
    );
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(gap, gap);
        for row in 0..rows {
            ui.horizontal(|ui| {
                for place in row * columns..((row + 1) * columns).min(view.count) {
                    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
                    if let Some(lane) = lanes.get(place) {
                        let own = *palette(ui);
                        let level = Thumbnail {
                            name: &view.entry.id,
                            game: view.game,
                            entry: Some(&view.entry),
                            looks: &view.looks,
                        };
                        one(ui, rect, &level, &mut view.pictures, lane, (view.measure, now), &own);
                    }
                }
            });
        }
    });
}

fn controls(ui: &mut Ui, view: &mut SideBySide) {
    ui.add_space(space::SMALL);
    ui.horizontal(|ui| {
        let (symbol, help) =
            if view.playing { (icon::PAUSE, "Pause") } else { (icon::PLAY, "Play") };
        if ui.button(symbol).on_hover_text(help).clicked() {
            view.playing = !view.playing;
            if view.at >= STOPS as f32 {
                view.at = 0.0;
            }
        }
        let measures = [(Measure::Work, "Equal work"), (Measure::Time, "Equal time")];
        widgets::choice(ui, &mut view.measure, &measures);
        let end = SideBySide::end(&lock(&view.lanes), view.measure);
        let now = stretched(view.at, end);
        let words = match view.measure {
            Measure::Work => format!("{now:.0} of {end:.0} states"),
            Measure::Time => format!("{} of {}", seconds(now), seconds(end)),
        };
        ui.spacing_mut().slider_width = (ui.available_width() - 190.0).max(60.0);
        let slider = egui::Slider::new(&mut view.at, 0.0..=STOPS as f32).show_value(false);
        let response = ui.add(slider);
        response.surrender_focus();
        if response.changed() {
            view.playing = false;
        }
        ui.label(words);
    });
    ui.spacing_mut().item_spacing.y = space::SMALL;
    legend(ui);
    widgets::hint(
        ui,
        format!(
            "{}. Solvers search one after the other, so that none slows another down.",
            view.level
        ),
    );
}

/// What the signs in all pictures mean.
fn legend(ui: &mut Ui) {
    const SIGN: egui::Vec2 = vec2(34.0, 14.0);
    let own = *palette(ui);
    let accent = own.accent.egui();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().interact_size.y = 0.0;
        let sign = |ui: &mut Ui, words: &str, paint: &dyn Fn(&egui::Painter, Rect)| {
            // A sign and its words stay together.
            let font = egui::TextStyle::Body.resolve(ui.style());
            let words_width = ui.painter().layout_no_wrap(words.into(), font, accent).size().x;
            let width = SIGN.x + ui.spacing().item_spacing.x + words_width;
            if width > ui.available_size_before_wrap().x {
                ui.end_row();
            }
            let (rect, _) = ui.allocate_exact_size(SIGN, egui::Sense::hover());
            paint(ui.painter(), rect);
            widgets::hint(ui, words);
            ui.add_space(space::MEDIUM);
        };
        sign(ui, "cells looked at, few to many times", &|painter, rect| {
            const STEPS: u8 = 6;
            let width = rect.width() / f32::from(STEPS);
            for step in 0..STEPS {
                let value = f32::from(step) / f32::from(STEPS - 1);
                let corner = rect.min + vec2(f32::from(step) * width, 2.0);
                let part = Rect::from_min_size(corner, vec2(width, rect.height() - 4.0));
                painter.rect_filled(part, 0.0, heat_colour((0.0, 1.0), value).egui());
            }
        });
        sign(ui, "best path so far", &|painter, rect| {
            directed(painter, &[rect.left_center(), rect.right_center()], 1.0, own);
        });
        sign(ui, "solution", &|painter, rect| {
            directed(painter, &[rect.left_center(), rect.right_center()], 2.5, own);
        });
        sign(ui, "where a moved piece ends", &|painter, rect| {
            painter.circle_stroke(rect.center(), 6.0, Stroke::new(1.5, accent));
        });
    });
    widgets::hint(ui, FIGURES);
}

/// What the letters below the pictures mean.
const FIGURES: &str = "Of the state expanded last: f evaluation, g cost so far, h estimated rest. Open: states \
                       found and not yet expanded.";

/// A path with arrow heads along it.
fn directed(painter: &egui::Painter, points: &[Pos2], width: f32, own: Palette) {
    const APART: f32 = 26.0;
    let stroke = Stroke::new(width, own.accent.egui());
    painter.add(egui::Shape::line(points.to_vec(), stroke));
    let mut since = APART / 2.0;
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let along = to - from;
        since += along.length();
        if since < APART || along.length() < 1.0 {
            continue;
        }
        since = 0.0;
        let ahead = along.normalized();
        let size = 3.0 + width;
        let side = vec2(-ahead.y, ahead.x) * size * 0.7;
        let tip = from + along * 0.5 + ahead * size * 0.7;
        let back = tip - ahead * size * 1.4;
        let head = vec![tip, back + side, back - side];
        painter.add(egui::Shape::convex_polygon(head, own.accent.egui(), Stroke::NONE));
    }
}

/// The figures of a solver at the moment, in words.
fn figures(step: &AnalysisStep) -> [String; 2] {
    let value = |name: &str| {
        let found = step.insight.counters.iter().find(|counter| counter.name == name);
        found.map(|counter| format!("{:.0}", counter.value))
    };
    let all = |figures: &[(&str, &str)]| {
        let known =
            figures.iter().filter_map(|(word, name)| Some(format!("{word} {}", value(name)?)));
        known.collect::<Vec<_>>().join(", ")
    };
    [
        all(&[("expanded", "States expanded"), ("open", "Frontier")]),
        all(&[("f", "Best f"), ("g", "Depth"), ("h", "Estimate h")]),
    ]
}

/// One solver: its picture at the moment, and its figures.
fn one(
    ui: &mut Ui,
    rect: Rect,
    level: &Thumbnail<'_>,
    pictures: &mut Pictures,
    lane: &Lane,
    (measure, now): (Measure, f64),
    own: &Palette,
) {
    let shown = lane.found.iter().rev().find(|found| found.place(measure) <= now);
    let shown = shown.or(lane.found.first());
    let head = Rect::from_min_size(rect.min, vec2(rect.width(), 22.0));
    let foot = Rect::from_min_max(pos2(rect.left(), rect.bottom() - 40.0), rect.max);
    let picture = Rect::from_min_max(head.left_bottom(), foot.right_top());
    let done = shown.is_some_and(|found| found.step.done);
    widgets::inside(ui, head, |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new(seat_title(lane.planner)).text_style(text::strong()));
            if done {
                ui.label(RichText::new(icon::CHECK).color(own.good.egui()))
                    .on_hover_text("It has finished.");
            }
        });
    });
    let painter = ui.painter().clone();
    let board = palette_of(ui.ctx(), level.game);
    let place = pictures.paint(&painter, picture, level, board);
    let scale = place.width() / level.looks.width().max(1) as f32;
    let at = |cell: Cell| -> Pos2 {
        place.min + vec2((cell.x as f32 + 0.5) * scale, (cell.y as f32 + 0.5) * scale)
    };
    if let Some(Found { step, seconds }) = shown {
        let insight = &step.insight;
        if let Some((heat, (least, most))) =
            insight.heats.first().and_then(|heat| Some((heat, heat.range()?)))
        {
            let mut mesh = egui::Mesh::default();
            for &(cell, value) in &heat.cells {
                let square = Rect::from_center_size(at(cell), vec2(scale, scale));
                mesh.add_colored_rect(square, heat_colour((least, most), value).egui_alpha(0.55));
            }
            painter.add(mesh);
        }
        for path in &insight.paths {
            let points: Vec<Pos2> = path.cells.iter().map(|&cell| at(cell)).collect();
            let width = if path.tone == Tone::Wanted { 2.5 } else { 1.0 };
            directed(&painter, &points, width, *board);
        }
        for mark in &insight.marks {
            let stroke = Stroke::new(1.5, board.accent.egui());
            painter.circle_stroke(at(mark.cell), scale * 0.3, stroke);
        }
        widgets::inside(ui, foot, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let [states, letters] = figures(step);
            ui.add(egui::Label::new(capitalised(&states)).truncate());
            let time = units::seconds(*seconds);
            let below = if letters.is_empty() { time } else { format!("{letters}; after {time}") };
            ui.add(egui::Label::new(RichText::new(below).color(own.faint.egui())).truncate());
        });
    }
    if let Some(why) = &lane.failure {
        widgets::inside(ui, foot, |ui| {
            widgets::fault(ui, why.clone());
        });
    }
}
