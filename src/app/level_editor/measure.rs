//! `outwit bench editor`: frame times while painting on a large map and while idle, in the real window
//! with a simulated pointer.

use super::open_document::{OpenDocument, game};
use super::screen::EditorScreen;
use crate::app::requests::{Launch, Screen};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiInput, PrimaryEguiContext, egui};
use egui::{PointerButton, Pos2, pos2, vec2};
use outwit_core::platform::time::{Duration, Instant};
use outwit_headless::editor::{EditorModel, Tool};

/// Side of the map, in cells.
const SIDE: usize = 512;
/// Frames that are skipped at the start of each part, and frames that are measured.
const WARM_UP: usize = 20;
const FRAMES: usize = 150;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// Waits until the checks of the opened level are done.
    Settling,
    Still,
    Painting,
}

#[derive(Resource)]
struct Measuring {
    part: Part,
    frame: usize,
    last: Instant,
    still: Vec<Duration>,
    painting: Vec<Duration>,
    own_still: Vec<Duration>,
    own_painting: Vec<Duration>,
}

fn begin(mut commands: Commands, mut screen: ResMut<EditorScreen>) {
    let Some(kind) = game("racetrack") else { return };
    let side = SIDE.to_string();
    let generator_options: Vec<(String, String)> = kind
        .generator_options()
        .into_iter()
        .map(|(property, default)| {
            let side_wanted = matches!(property.key, "width" | "height");
            (property.key.to_owned(), if side_wanted { side.clone() } else { default })
        })
        .collect();
    let mut model = match kind.generate(&generator_options, 1) {
        Ok(draft) => EditorModel::open(kind, draft),
        Err(_) => EditorModel::blank(kind, SIDE, SIDE),
    };
    if model.size() != (SIDE, SIDE) {
        let _ = model.resize(SIDE, SIDE, (1, 1));
        model = EditorModel::open(kind, model.draft().clone());
    }
    model.tool = Tool::Paint;
    model.brush.size = 9;
    screen.put(model, None, &mut commands);
    commands.insert_resource(Measuring {
        part: Part::Settling,
        frame: 0,
        last: Instant::now(),
        still: Vec::new(),
        painting: Vec::new(),
        own_still: Vec::new(),
        own_painting: Vec::new(),
    });
}

/// The position of the pointer in a frame.
fn pointer_at(frame: usize, middle: Pos2) -> Pos2 {
    let angle = frame as f32 * 0.13;
    middle + vec2(angle.cos() * 1.3, angle.sin()) * (60.0 + frame as f32)
}

fn step(
    mut measuring: ResMut<Measuring>,
    screen: Res<EditorScreen>,
    mut input: Query<&mut EguiInput, With<PrimaryEguiContext>>,
    mut contexts: EguiContexts,
    mut exit: MessageWriter<AppExit>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    ctx.request_repaint();
    let room = ctx.content_rect();
    let Ok(mut input) = input.single_mut() else { return };
    let measuring = &mut *measuring;
    let now = Instant::now();
    let took = now - std::mem::replace(&mut measuring.last, now);
    let middle = pos2(room.center().x - 50.0, room.center().y);
    let at = pointer_at(measuring.frame, middle);
    let press = |pressed| egui::Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    let times = match measuring.part {
        Part::Settling => {
            let busy = screen.work.as_ref().is_some_and(OpenDocument::is_busy);
            if measuring.frame > 2 * WARM_UP && !busy {
                (measuring.part, measuring.frame) = (Part::Still, 0);
            }
            measuring.frame += 1;
            return;
        }
        Part::Still => (&mut measuring.still, &mut measuring.own_still),
        Part::Painting => (&mut measuring.painting, &mut measuring.own_painting),
    };
    if measuring.frame >= WARM_UP {
        times.0.push(took);
        times.1.push(screen.took);
    }
    // The pointer moves in both parts; only the button differs.
    input.events.push(egui::Event::PointerMoved(at));
    if measuring.part == Part::Painting && measuring.frame == 0 {
        input.events.push(press(true));
    }
    measuring.frame += 1;
    if measuring.frame == WARM_UP + FRAMES {
        if measuring.part == Part::Painting {
            report(measuring, &screen);
            exit.write(AppExit::Success);
        }
        (measuring.part, measuring.frame) = (Part::Painting, 0);
    }
}

fn report(measuring: &mut Measuring, screen: &EditorScreen) {
    let row = |part: &str, times: &mut Vec<Duration>| {
        times.sort();
        let at =
            |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
        println!("  {part:<34} median {:7.2} ms, 95th percentile {:7.2} ms", at(0.5), at(0.95));
        (at(0.5), at(0.95))
    };
    let ratio = |part: &str, above: (f64, f64), below: (f64, f64)| {
        let median = above.0 / below.0;
        let late = above.1 / below.1;
        println!("  {part:<34} median {median:7.2}   , 95th percentile {late:7.2}");
    };
    println!("Editor, a map of {SIDE}x{SIDE} cells, {FRAMES} frames each");
    let still = row("whole frame, idle", &mut measuring.still);
    let painting = row("whole frame, painting", &mut measuring.painting);
    ratio("ratio", painting, still);
    let still = row("panels and map, idle", &mut measuring.own_still);
    let painting = row("panels and map, painting", &mut measuring.own_painting);
    ratio("ratio", painting, still);
    if let Some(work) = &screen.work {
        println!("  {:<34} {}", "states painted", work.model.revision());
    }
}

/// Runs the measurement if the command line asks for it.
pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Editor), begin.run_if(|launch: Res<Launch>| launch.measure))
        .add_systems(
            Update,
            step.after(crate::app::shell::Frame::Report).run_if(resource_exists::<Measuring>),
        );
}
