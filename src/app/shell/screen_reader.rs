//! Screen readers and other assistive programs: they are told what the panels show, and what they ask for is done.
//!
//! egui describes its controls to AccessKit, and bevy_egui hands that on. Here is what is missing in between:
//! nothing is described while nobody listens, requests reach egui, and a resting window wakes for them.

#[cfg(any(target_arch = "wasm32", test))]
pub mod mirror;

use bevy::a11y::{AccessibilityRequested, ActionRequest};
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::egui::accesskit::{Node, Role};
use bevy_egui::input::{EguiInputEvent, WindowToEguiContextMap};
use bevy_egui::{
    EguiContext, EguiInputSet, EguiOutput, EguiPostUpdateSet, EguiPreUpdateSet, PrimaryEguiContext,
    egui,
};

/// Describes the panels only while somebody listens.
pub fn follow_listeners(
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

/// Puts right what egui says of the panels: the window has its title, icons are letters that nobody can say, and a
/// control without a name of its own has that of the label before it.
pub fn edit(mut outputs: Query<&mut EguiOutput>, window: Query<&Window, With<PrimaryWindow>>) {
    for mut output in &mut outputs {
        let Some(update) = &mut output.platform_output.accesskit_update else { continue };
        let root = update.tree.as_ref().map(|tree| tree.root);
        for (id, node) in &mut update.nodes {
            if Some(*id) == root
                && let Ok(window) = window.single()
            {
                node.set_label(window.title.clone());
            }
            if let Some(said) = node.label().and_then(without_icons) {
                node.set_label(said);
            }
            // Positions in an edited text count its letters as they are.
            let is_edited = matches!(node.role(), Role::TextInput | Role::MultilineTextInput);
            if !is_edited && let Some(said) = node.value().and_then(without_icons) {
                node.set_value(said);
            }
        }
        let is_label = |node: &Node| node.role() == Role::Label;
        let label = |node: &Node| Some((node.bounds()?, node.value().or(node.label())?.to_owned()));
        let nodes = update.nodes.iter().map(|(_, node)| node);
        let labels: Vec<_> = nodes.filter(|node| is_label(node)).filter_map(label).collect();
        for (_, node) in update.nodes.iter_mut().filter(|(_, node)| is_nameless_control(node)) {
            let Some(place) = node.bounds() else { continue };
            let nearest = labels
                .iter()
                .filter(|(label, _)| {
                    let middle = (label.y0 + label.y1) / 2.0;
                    label.x1 <= place.x0 + 1.0 && (place.y0..=place.y1).contains(&middle)
                })
                .max_by(|a, b| a.0.x1.total_cmp(&b.0.x1));
            if let Some((_, name)) = nearest {
                node.set_label(name.clone());
            }
        }
    }
}

/// Whether a control with a value does not say what the value is of.
fn is_nameless_control(node: &Node) -> bool {
    use Role::{CheckBox, ComboBox, MultilineTextInput, Slider, SpinButton, TextInput};
    let roles = [CheckBox, ComboBox, MultilineTextInput, Slider, SpinButton, TextInput];
    let is_named = node.label().is_some_and(|label| !label.is_empty());
    roles.contains(&node.role()) && !is_named && node.labelled_by().is_empty()
}

/// Names a control whose face is an icon, or nothing; others keep their names.
pub fn name(response: &egui::Response, name: &str) {
    describe(response, |node| {
        let says = |text: &str| text.chars().any(char::is_alphanumeric);
        if !node.label().is_some_and(says) && node.labelled_by().is_empty() {
            node.set_label(name);
        }
    });
}

/// A text without its icons; `None` if it has none.
fn without_icons(text: &str) -> Option<String> {
    let is_icon = |letter: char| ('\u{e000}'..='\u{f8ff}').contains(&letter);
    text.contains(is_icon).then(|| {
        let parts = text.split(is_icon).map(str::trim).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(" ")
    })
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

/// Tells assistive programs what the panels show, and does what they ask for.
pub fn plugin(app: &mut App) {
    app.add_message::<ActionRequest>()
        .add_systems(
            PostUpdate,
            edit.after(EguiPostUpdateSet::ProcessOutput)
                .before(EguiPostUpdateSet::PostProcessOutput),
        )
        .add_systems(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icons_are_not_said() {
        assert_eq!(without_icons("\u{e182}  Daily").as_deref(), Some("Daily"));
        assert_eq!(without_icons("Play \u{e3d0} now").as_deref(), Some("Play now"));
        assert_eq!(without_icons("\u{e3d0}").as_deref(), Some(""));
        assert_eq!(without_icons("Plain"), None);
    }
}
