//! The window on a page.

use super::match_screen;
use super::requests::{Launch, Screen};
use super::shell::navigation::WayBack;
use super::shell::{fonts, screen_reader};
use super::start::run;
use bevy::a11y::{AccessibilityRequested, ActionRequest};
use bevy::prelude::*;
use bevy::window::{FileDragAndDrop, PrimaryWindow};
use bevy_egui::egui::accesskit::{self, Action, ActionData, NodeId, TreeId};
use bevy_egui::{EguiContext, EguiOutput, EguiPostUpdateSet, PrimaryEguiContext};
use outwit_core::platform::page;

/// Opens the window on the page's canvas and returns; the page keeps it going. `address` is what stands behind
/// the `#` of the page's address.
pub fn run_in_page(address: &str) {
    run(Launch::of_link(address).unwrap_or_else(|why| Launch {
        problem: Some(format!("{why} The rest of the game is here.")),
        ..Launch::default()
    }));
}

/// Passes on the files that were chosen or dropped.
fn receive(
    window: Single<Entity, With<PrimaryWindow>>,
    mut dropped: MessageWriter<FileDragAndDrop>,
) {
    while let Some(path_buf) = page::take_chosen() {
        dropped.write(FileDragAndDrop::DroppedFile { window: *window, path_buf });
    }
}

/// Says in the page's title which screen is shown, and how often one can go back from it.
fn title(screen: Res<State<Screen>>, way: WayBack) {
    let shown = match screen.get() {
        Screen::Loading | Screen::Failed | Screen::Menu => "Outwit",
        Screen::Setup => "Set-up – Outwit",
        Screen::Match => "Match – Outwit",
        Screen::Tournament => "Tournament – Outwit",
        Screen::Comparison => "Comparison – Outwit",
        Screen::League => "League – Outwit",
        Screen::Editor => "Editor – Outwit",
        Screen::Levels => "Levels – Outwit",
        Screen::Replays => "Replays – Outwit",
        Screen::Daily => "Level of the day – Outwit",
        Screen::Settings => "Settings – Outwit",
        Screen::Help => "Help – Outwit",
    };
    page::title(shown);
    if *screen.get() != Screen::Loading {
        page::depth(way.depth());
    }
}

/// Hears whether a screen reader is there, and what it asks for.
fn hear_reader(
    requested: Option<Res<AccessibilityRequested>>,
    mut requests: MessageWriter<ActionRequest>,
) {
    if let Some(requested) = requested {
        requested.set(page::has_reader());
    }
    while let Some((element, request)) = page::take_request() {
        let (action, data) = match request {
            page::Request::Click => (Action::Click, None),
            page::Request::Focus => (Action::Focus, None),
            page::Request::Number(number) => {
                (Action::SetValue, Some(ActionData::NumericValue(number)))
            }
        };
        requests.write(ActionRequest(accesskit::ActionRequest {
            action,
            target_tree: TreeId::ROOT,
            target_node: NodeId(element),
            data,
        }));
    }
}

/// Tells a screen reader what the panels show.
fn tell_reader(
    mut panels: Query<(&mut EguiContext, &EguiOutput), With<PrimaryEguiContext>>,
    mut told: Local<String>,
) {
    let Ok((mut context, output)) = panels.single_mut() else { return };
    let Some(update) = &output.platform_output.accesskit_update else {
        // Who listens again hears all of it.
        told.clear();
        return;
    };
    let scale = f64::from(context.get_mut().zoom_factor());
    let mirror = screen_reader::mirror::mirror(update, scale);
    match serde_json::to_string(&mirror) {
        Ok(elements) if elements == *told => {}
        Ok(elements) => {
            page::tell_reader(&elements);
            *told = elements;
        }
        Err(why) => warn_once!("screen readers are told nothing: {why}"),
    }
}

/// Takes the fonts that the page fetches after the start.
fn take_fonts() {
    if !fonts::has_late() {
        let files = page::fonts();
        if !files.is_empty() {
            fonts::take_late(files);
        }
    }
}

/// What only a page has: its title, its history, a screen reader's elements, files that arrive through it, and an end at any moment.
pub(super) fn plugin(app: &mut App) {
    app.add_plugins(match_screen::keep_as_played);
    app.add_systems(
        PreUpdate,
        (receive, take_fonts, hear_reader.before(screen_reader::follow_listeners)),
    );
    app.add_systems(
        PostUpdate,
        tell_reader.after(screen_reader::edit).before(EguiPostUpdateSet::PostProcessOutput),
    );
    app.add_systems(Update, title.run_if(state_changed::<Screen>));
}
