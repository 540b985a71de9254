//! Screen readers and other assistive programs: they are told what the panels show, and what they ask for is done.
//!
//! egui describes its controls to AccessKit, and bevy_egui hands that on. Here is what is missing in between:
//! nothing is described while nobody listens, requests reach egui, and a resting window wakes for them.

use bevy::a11y::{AccessibilityRequested, ActionRequest};
use bevy::prelude::*;
use bevy_egui::input::{EguiInputEvent, WindowToEguiContextMap};
use bevy_egui::{EguiContext, EguiInputSet, EguiPreUpdateSet, PrimaryEguiContext, egui};

/// Describes the panels only while somebody listens.
fn follow_listeners(
    requested: Option<Res<AccessibilityRequested>>,
    mut context: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    mut is_told: Local<Option<bool>>,
) {
    let listened = requested.is_some_and(|requested| requested.get());
    if *is_told == Some(listened) {
        return;
    }
    if let Ok(mut context) = context.single_mut() {
        *is_told = Some(listened);
        let ctx = context.get_mut();
        if listened { ctx.enable_accesskit() } else { ctx.disable_accesskit() }
    }
}

/// Passes on what was asked for, such as pressing a button.
fn hand_over(
    mut requests: MessageReader<ActionRequest>,
    context: Query<Entity, With<PrimaryEguiContext>>,
    mut events: MessageWriter<EguiInputEvent>,
) {
    let Ok(context) = context.single() else { return };
    for request in requests.read() {
        let event = egui::Event::AccessKitActionRequest(request.0.clone());
        events.write(EguiInputEvent { context, event });
    }
}

/// Wakes a resting window when somebody begins to listen or asks for something: neither is an event of the window.
#[cfg(not(target_arch = "wasm32"))]
pub fn wake(app: &mut App, wake: impl Fn() + Send + 'static) {
    use bevy::winit::accessibility::WinitActionRequestHandlers;
    use std::time::Duration;

    const SELDOM: Duration = Duration::from_millis(500);
    const OFTEN: Duration = Duration::from_millis(30);

    let Some(requested) = app.world().get_resource::<AccessibilityRequested>().cloned() else {
        return;
    };
    let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let handlers = std::sync::Arc::clone(&asked);
    let note = move |known: Res<WinitActionRequestHandlers>| {
        *outwit_core::platform::task::lock(&handlers) = known.values().cloned().collect();
    };
    app.add_systems(
        PreUpdate,
        note.run_if(resource_exists_and_changed::<WinitActionRequestHandlers>),
    );
    let watch = move || {
        let mut listened = false;
        loop {
            outwit_core::platform::time::sleep(if listened { OFTEN } else { SELDOM });
            let is_waiting = outwit_core::platform::task::lock(&asked)
                .iter()
                .any(|queue| !outwit_core::platform::task::lock(queue).is_empty());
            if is_waiting || listened != requested.get() {
                listened = requested.get();
                wake();
            }
        }
    };
    if let Err(error) = outwit_core::platform::task::spawn("screen reader", watch) {
        warn!("screen readers get answers late: {error}");
    }
}

/// Serves assistive programs.
pub fn plugin(app: &mut App) {
    app.add_message::<ActionRequest>().add_systems(
        PreUpdate,
        (
            follow_listeners
                .after(EguiPreUpdateSet::InitContexts)
                .before(EguiPreUpdateSet::BeginPass),
            hand_over
                .run_if(resource_exists::<WindowToEguiContextMap>)
                .in_set(EguiInputSet::ReadBevyMessages)
                .in_set(EguiPreUpdateSet::ProcessInput),
        ),
    );
}

/// The node of a control or of an area, while somebody listens.
pub fn describe(response: &egui::Response, write: impl FnOnce(&mut egui::accesskit::Node)) {
    response.ctx.accesskit_node_builder(response.id, write);
}

/// Whether somebody listens, so that it is worth the while to describe what is drawn.
pub fn is_heard(response: &egui::Response) -> bool {
    response.ctx.accesskit_node_builder(response.id, |_| ()).is_some()
}

/// Lines of text that stand in an area without being drawn: a board in words, row by row.
pub fn lines(ui: &mut egui::Ui, area: egui::Rect, lines: &[String]) {
    let builder = egui::UiBuilder::new().id_salt("lines for screen readers").max_rect(area);
    ui.scope_builder(builder, |ui| {
        let height = area.height() / lines.len().max(1) as f32;
        for (at, line) in lines.iter().enumerate() {
            let top = area.min + egui::vec2(0.0, at as f32 * height);
            let rect = egui::Rect::from_min_size(top, egui::vec2(area.width(), height));
            let response = ui.interact(rect, ui.id().with(at), egui::Sense::hover());
            response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, line));
        }
    });
}
