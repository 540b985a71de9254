//! The match screen, the same for all games: a board between panels, a timeline below it.
//!
//! A game implements [`GameView`] and adds [`MatchPlugin`]; the rest — running the match, looking back,
//! jumping, overlays, review, pictures — is done here.

mod canvas;
mod commands;
mod config;
mod lifecycle;
mod mesh_builder;
mod panel;
mod review;
mod screen;
mod screenshot;
mod session;
mod timeline;
mod view;

pub use canvas::{Canvas, middle};
pub use config::MatchConfig;
pub use mesh_builder::{MeshBuilder, linear};
pub use panel::name;
pub use session::{Animation, Session, Tab};
pub use view::BoardView;

use crate::app::shell::Screen;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::sound::PlaySound;
use crate::app::shell::theme::Palette;
use crate::games::GameSpec;
use crate::play::Seat;
use bevy::prelude::*;
use bevy_egui::{EguiPrimaryContextPass, egui};
use std::marker::PhantomData;
use std::sync::Arc;

/// What an overlay draws upon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    /// The match itself.
    Match,
    /// Perfect play; the key G switches it.
    Ghost,
    /// What planners think, of which a replay tells nothing.
    Minds,
}

/// A layer of information over the board that can be switched on and off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overlay {
    /// What it is called.
    pub name: &'static str,
    /// What it shows.
    pub help: &'static str,
    /// What it draws upon.
    pub layer: Layer,
    /// Whether it is on when a match begins and the settings want overlays.
    pub on: bool,
}

/// How an event looks on the timeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkerKind {
    /// What happens all the time.
    Quiet,
    /// Something went well.
    Good,
    /// Something to notice.
    Plain,
    /// Something nearly went wrong.
    Close,
    /// Something went wrong.
    Bad,
}

/// How a game looks on the match screen.
pub trait GameView: GameSpec {
    /// What people are helped with during a match, such as a table of exact values.
    type ViewCache: Send + Sync + 'static;

    /// Begins to prepare the cache; must not block.
    fn cache(game: &Arc<Self>) -> Self::ViewCache;

    /// Columns and rows of the board.
    fn extent(game: &Self) -> (usize, usize);

    /// The cell that the camera follows.
    fn focus(state: &Self::State, seat: Seat) -> crate::grid::Cell;

    /// The silhouette of a seat.
    fn piece(seat: Seat) -> &'static str;

    /// The layers that can be switched, at most five: each has a digit for a key.
    fn overlays() -> &'static [Overlay];

    /// How an event stands on the timeline, with its name, if it does.
    fn tick(event: &Self::Event) -> Option<(MarkerKind, String)>;

    /// How an event sounds.
    fn sound(event: &Self::Event) -> Option<PlaySound>;

    /// How long a turn takes to be seen at normal speed, in seconds.
    fn seconds(events: &[Self::Event]) -> f32;

    /// What stands beside a seat's name, such as its speed.
    fn standing(game: &Self, state: &Self::State, seat: Seat) -> String;

    /// One line on what a person should do now.
    fn prompt(session: &Session<Self>) -> String;

    /// A hint for the person to move, to be drawn and read.
    fn hint(session: &Session<Self>) -> Option<(Self::Action, String)>;

    /// Draws what is not an entity: trails, choices, overlays. Returns what a click would choose.
    fn paint(canvas: &mut Canvas, session: &Session<Self>) -> Option<Self::Action>;

    /// Lets a plan in the making take a key; returns whether it did.
    fn draft(_session: &Session<Self>, _key: KeyCode) -> bool {
        false
    }

    /// Points to keep free above a fitted board, for the prompt.
    fn head_room(_session: &Session<Self>) -> f32 {
        0.0
    }

    /// Whether what the planner of a seat thinks is kept from the person who plays against it.
    fn is_hidden(_session: &Session<Self>, _seat: Seat) -> bool {
        false
    }

    /// Whether perfect play is known, so that a match can be reviewed.
    fn has_review() -> bool {
        true
    }

    /// What is done for a person whose time is over.
    fn time_over(session: &Session<Self>) -> Option<Self::Action>;

    /// The action that a key stands for.
    fn key(session: &Session<Self>, key: KeyCode) -> Option<Self::Action>;

    /// The game's own part of the side panel.
    fn panel(ui: &mut egui::Ui, session: &mut Session<Self>);

    /// The result to remember for a person's seat, as score and text; lower is better.
    fn result(session: &Session<Self>, seat: Seat) -> Option<(f64, String)>;
}

/// The steps of a frame of the match screen.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MatchSet {
    /// Keys and requests.
    Input,
    /// The match and its animation move on.
    Advance,
    /// Entities follow.
    Draw,
}

/// The match screen of one game.
pub struct MatchPlugin<G>(PhantomData<fn() -> G>);

impl<G> Default for MatchPlugin<G> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

/// The palette, pieces and other things that drawing needs.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Visuals<'w> {
    /// Colours.
    pub palette: Res<'w, Palette>,
    /// Silhouettes.
    pub pieces: Res<'w, Pieces>,
}

impl<G: GameView> Plugin for MatchPlugin<G> {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<view::BoardViewPlugin>() {
            app.add_plugins(view::BoardViewPlugin);
            app.configure_sets(
                Update,
                (MatchSet::Input, MatchSet::Advance, MatchSet::Draw)
                    .chain()
                    .run_if(in_state(Screen::Match)),
            )
            .add_systems(Update, screenshot::give_up.run_if(resource_exists::<lifecycle::Failure>));
        }
        let present = resource_exists::<Session<G>>;
        app.add_systems(OnEnter(Screen::Match), lifecycle::begin::<G>)
            .add_systems(OnExit(Screen::Match), lifecycle::end::<G>)
            .add_systems(
                Update,
                (
                    commands::keys::<G>
                        .run_if(crate::app::shell::input::board_hears_keys)
                        .in_set(MatchSet::Input),
                    lifecycle::advance::<G>.in_set(MatchSet::Advance),
                    (lifecycle::remember_result::<G>, screenshot::take::<G>)
                        .chain()
                        .after(MatchSet::Advance),
                    lifecycle::keep_awake::<G>.after(MatchSet::Advance),
                )
                    .run_if(present)
                    .run_if(in_state(Screen::Match)),
            )
            .add_systems(
                EguiPrimaryContextPass,
                screen::show::<G>
                    .run_if(in_state(Screen::Match))
                    .in_set(crate::app::shell::Pass::Screen),
            );
    }
}
