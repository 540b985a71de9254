//! When frames are drawn: on input, while something moves, and when something is due. Otherwise the
//! window rests and costs next to nothing.
//!
//! Panels ask egui for their next frame ([`bevy_egui::egui::Context::request_repaint_after`]), systems ask
//! [`Activity`]. Both ask again in each frame, for as long as they need frames.

use crate::app::requests::{Launch, Screen};
#[cfg(not(target_arch = "wasm32"))]
use crate::app::shell::screen_reader;
use bevy::ecs::message::Messages;
use bevy::prelude::*;
use bevy::render::render_resource::PipelineCache;
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::window::{RequestRedraw, WindowEvent};
use bevy::winit::{EventLoopProxyWrapper, UpdateMode, WinitSettings, WinitUserEvent};
use bevy_egui::egui::{Event, Modifiers};
use bevy_egui::{EguiFullOutput, EguiInput, EguiPostUpdateSet, EguiPreUpdateSet};
use outwit_core::platform::time::Alarm;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

/// How often one looks for news of background work.
pub const POLL: Duration = Duration::from_millis(100);
/// Frames after an input or a new screen, in which messages and layout settle.
const SETTLE: u8 = 3;
/// A pause longer than this is a rest, not a slow frame.
const REST: Duration = Duration::from_millis(250);

/// Systems in `Last` that ask for frames, before the window rests.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LastRequests;

/// When the next frame is wanted; systems ask for it again in each frame.
#[derive(Resource)]
pub struct Activity {
    /// Microseconds until then.
    next: AtomicU64,
    /// How many more frames are wanted at once.
    settling: AtomicU8,
}

impl Default for Activity {
    fn default() -> Self {
        Self { next: AtomicU64::new(u64::MAX), settling: AtomicU8::new(0) }
    }
}

impl Activity {
    /// Draws the next frame at once: something moves.
    pub fn animate(&self) {
        self.wake_in(Duration::ZERO);
    }

    /// Draws the next frame after this time, if nothing asks for an earlier one.
    pub fn wake_in(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.next.fetch_min(micros, Ordering::Relaxed);
    }

    /// Draws a few frames at once: something that the next one shows is complete only later.
    pub fn settle(&self) {
        self.settling.store(SETTLE, Ordering::Relaxed);
    }

    /// The time until the next frame, `None` if only an event brings it. Forgets what was asked.
    fn take(&self) -> Option<Duration> {
        let micros = self.next.swap(u64::MAX, Ordering::Relaxed);
        let settling = self.settling.load(Ordering::Relaxed);
        if settling > 0 {
            self.settling.store(settling - 1, Ordering::Relaxed);
            return Some(Duration::ZERO);
        }
        (micros < u64::MAX).then(|| Duration::from_micros(micros))
    }
}

/// Leaves out the modifier keys where they have not changed. bevy_egui tells of them in every frame,
/// and after every event egui wants one more frame: nothing would ever rest.
fn quieten(mut inputs: Query<&mut EguiInput>, mut held: Local<Modifiers>) {
    for mut input in &mut inputs {
        input.events.retain(|event| match event {
            Event::ModifiersChanged(now) => std::mem::replace(&mut *held, *now) != *now,
            _ => true,
        });
    }
}

/// Takes over when egui wants its next frame; bevy_egui knows only whether it wants one at all.
fn hear_panels(outputs: Query<&EguiFullOutput>, activity: Res<Activity>) {
    for output in outputs.iter().filter_map(|output| output.0.as_ref()) {
        for viewport in output.viewport_output.values() {
            if viewport.repaint_delay < Duration::MAX {
                activity.wake_in(viewport.repaint_delay);
            }
        }
    }
}

/// What wakes the window at a time, and whether the graphics device still prepares something that
/// would be missing from the picture.
#[derive(Resource)]
struct Waking {
    alarm: Alarm,
    preparing: Arc<AtomicBool>,
}

/// Asks for frames after input and on the way from one screen to another, and where the picture is
/// not complete yet.
fn settle(
    activity: Res<Activity>,
    waking: Res<Waking>,
    screen: Res<State<Screen>>,
    next: Res<NextState<Screen>>,
    launch: Res<Launch>,
    mut events: MessageReader<WindowEvent>,
) {
    if events.read().count() > 0 || screen.is_changed() {
        activity.settle();
    }
    if *screen.get() == Screen::Loading
        || !matches!(*next, NextState::Unchanged)
        || launch.screenshot.is_some()
        || waking.preparing.load(Ordering::Relaxed)
    {
        activity.animate();
    }
}

/// Lets the window rest until the next frame that is asked for.
fn rest(
    activity: Res<Activity>,
    waking: Res<Waking>,
    mut redraws: ResMut<Messages<RequestRedraw>>,
    mut time: ResMut<Time<Virtual>>,
) {
    // Others ask for more frames than they need: bevy_egui does, and a message is seen twice.
    redraws.clear();
    let pause = activity.take();
    if pause == Some(Duration::ZERO) {
        redraws.write(RequestRedraw);
        waking.alarm.set(None);
    } else {
        waking.alarm.set(pause);
    }
    // What begins to move after a rest begins at its beginning.
    let rests = pause.is_none_or(|pause| pause > REST);
    time.set_max_delta(if rests { Duration::from_millis(33) } else { REST });
}

/// What needs a window and a graphics device.
pub fn graphics(app: &mut App) {
    let Some(proxy) = app.world().get_resource::<EventLoopProxyWrapper>() else { return };
    let proxy = (**proxy).clone();
    #[cfg(not(target_arch = "wasm32"))]
    {
        let proxy = proxy.clone();
        screen_reader::wake(app, move || {
            let _ = proxy.send_event(WinitUserEvent::WakeUp);
        });
    }
    // A window that is gone needs no waking.
    let alarm = Alarm::new(move || {
        let _ = proxy.send_event(WinitUserEvent::WakeUp);
    });
    let alarm = match alarm {
        Ok(alarm) => alarm,
        Err(error) => {
            warn!("the window draws without pause: {error}");
            return;
        }
    };
    let preparing = Arc::new(AtomicBool::new(false));
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        let preparing = Arc::clone(&preparing);
        let look = move |cache: Res<PipelineCache>| {
            let waits = cache.waiting_pipelines().next().is_some();
            preparing.store(waits, Ordering::Relaxed);
        };
        render.add_systems(Render, look.in_set(RenderSystems::Cleanup));
    }
    // Only events of the window wake it; the mouse elsewhere on the screen does not.
    let asleep = UpdateMode::reactive_low_power(Duration::from_secs(24 * 60 * 60));
    app.insert_resource(WinitSettings { focused_mode: asleep, unfocused_mode: asleep })
        .insert_resource(Waking { alarm, preparing })
        .add_systems(Last, (settle, rest).chain().after(LastRequests));
}

/// Collects what is asked for.
pub fn plugin(app: &mut App) {
    app.init_resource::<Activity>()
        .add_systems(
            PreUpdate,
            quieten.after(EguiPreUpdateSet::ProcessInput).before(EguiPreUpdateSet::BeginPass),
        )
        .add_systems(
            PostUpdate,
            hear_panels.after(EguiPostUpdateSet::EndPass).before(EguiPostUpdateSet::ProcessOutput),
        );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn egui_hears_of_modifier_keys_only_when_they_change() {
        let mut app = App::new();
        app.add_systems(Update, quieten);
        let panels = app.world_mut().spawn(EguiInput::default()).id();
        for (held, events) in [
            (Modifiers::NONE, 0),
            (Modifiers::SHIFT, 1),
            (Modifiers::SHIFT, 0),
            (Modifiers::NONE, 1),
        ] {
            let mut input = EguiInput::default();
            input.events.push(Event::ModifiersChanged(held));
            app.world_mut().entity_mut(panels).insert(input);
            app.update();
            let heard = app.world().get::<EguiInput>(panels).map(|input| input.events.len());
            assert_eq!(heard, Some(events));
        }
    }

    #[test]
    fn the_earliest_frame_counts_and_is_asked_for_each_time() {
        let activity = Activity::default();
        assert_eq!(activity.take(), None);
        activity.wake_in(POLL);
        activity.wake_in(Duration::MAX);
        assert_eq!(activity.take(), Some(POLL));
        activity.wake_in(POLL);
        activity.animate();
        assert_eq!(activity.take(), Some(Duration::ZERO));
        assert_eq!(activity.take(), None);
        activity.settle();
        assert!((0..SETTLE).all(|_| activity.take() == Some(Duration::ZERO)));
        assert_eq!(activity.take(), None);
    }
}
