//! The window on a page.

use super::match_screen;
use super::requests::{Launch, Screen};
use super::shell::navigation::WayBack;
use super::start::run;
use bevy::prelude::*;
use bevy::window::{FileDragAndDrop, PrimaryWindow};
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

/// What only a page has: its title, its history, files that arrive through it, and an end at any moment.
pub(super) fn plugin(app: &mut App) {
    app.add_plugins(match_screen::keep_as_played);
    app.add_systems(PreUpdate, receive);
    app.add_systems(Update, title.run_if(state_changed::<Screen>));
}
