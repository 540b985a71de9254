//! The match screen, compiled once for all games: a board between panels, a timeline below it.
//!
//! [`Session`] holds what all games share and, behind [`LiveMatch`], the match itself. A game
//! implements [`GameView`] and is listed in [`BoardList`]. The rest is done here: running
//! the match, looking back, pieces as entities, overlays, review, pictures.

mod analysis;
mod ask;
mod beside;
mod board;
mod board_list;
mod board_text;
mod canvas;
mod command_table;
mod commands;
mod commentary;
mod daily;
mod draw;
mod ending;
mod feature;
mod figures;
pub mod film;
mod focus;
mod game_view;
mod hint;
mod input;
#[cfg(feature = "dev")]
mod inspector;
mod layout;
mod lecture;
mod legend;
mod lesson;
mod level_picture;
mod lifecycle;
mod live;
mod live_match;
mod matches;
pub mod measure;
mod minimap;
mod opening;
mod painting;
mod panel;
mod piece;
mod pointer;
pub mod recent;
mod resign;
mod review;
mod scene;
mod screen;
mod screenshot;
mod series;
mod series_panel;
mod session;
mod sets;
mod shown;
mod side;
mod solver;
mod state;
mod status_line;
mod strip;
mod timeline;
mod trial;
mod turn_axis;
mod unfinished;
mod view;

pub use analysis::line::LinePart;
pub use analysis::state::{Analysis, AnalysisSubject, PlannerSummary, Scrub};
pub use analysis::task::{AnalysisProgress, AnalysisRequest, AnalysisRun, ShownStep};
pub use board::{BoardSpec, Cue, Input, Layer, MarkerKind, Overlay, Reply};
pub use board_list::{BoardEntry, BoardList};
pub use canvas::{Canvas, HeatLegend, Visuals, cell_at, middle};
pub use draw::{BoardDetail, DrawStats};
pub use focus::{Focused, MatchSlot};
pub use game_view::{EventDisplay, GameView, Guidance, Panels, Scenery, SeatName, Watching, Words};
pub use hint::Hint;
#[cfg(test)]
pub(crate) use lesson::tests as lesson_tests;
pub use lesson::{LessonStatus, LessonStep, lesson_match};
pub use level_picture::{level_picture, map_sketch};
pub use live::Live;
pub use live_match::{LiveMatch, SeatReport, TimelineMark};
pub use matches::{FocusedMatch, focused, focused_mut, unfocused};
pub use panel::plot;
pub use piece::{
    BoardPiece, Brush, Drawing, Figure, Ink, Keyframe, PieceKey, PieceKind, PieceLook, Pose, Shade,
    Tweens, ease,
};
pub use session::{ChoiceResult, Session};
pub use sets::MatchSet;
pub use shown::Shown;
pub use state::{
    AnalysisView, Animation, Overlays, Playback, ResultState, ReviewState, SessionState, Tab,
};
pub use trial::{Trial, TrialKind};
pub use view::BoardView;

use crate::app::requests::{Screen, SeriesEvent, StartBeside, StartTurn};
use crate::app::shell::commands::KeyGroup;
use crate::app::shell::{Frame, Pass};
use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;
use command_table::{FeatureCommands, MatchEntry};
use feature::Feature;

/// The features of a match; a new one is a line here.
const FEATURES: &[Feature] = &[
    analysis::FEATURE,
    ask::FEATURE,
    beside::FEATURE,
    commentary::FEATURE,
    film::FEATURE,
    #[cfg(feature = "dev")]
    inspector::FEATURE,
    lecture::FEATURE,
    lesson::FEATURE,
    resign::FEATURE,
    review::FEATURE,
    series::FEATURE,
    solver::FEATURE,
    trial::FEATURE,
];

/// The commands of all features.
fn feature_commands() -> Vec<&'static MatchEntry> {
    FEATURES.iter().flat_map(|feature| feature.commands).copied().collect()
}

/// The keys of a match, for help and manual.
pub fn key_groups() -> [KeyGroup; 2] {
    command_table::key_groups(&feature_commands())
}

/// Shows matches of all games.
pub fn plugin(app: &mut App) {
    app.add_plugins((view::plugin, draw::plugin, panel::plugin, timeline::plugin));
    for feature in FEATURES {
        (feature.plugin)(app);
    }
    app.register_type::<PieceKey>()
        .register_type::<PieceLook>()
        .register_type::<Focused>()
        .register_type::<MatchSlot>()
        .register_type::<BoardView>();
    app.insert_resource(FeatureCommands(feature_commands()))
        .init_resource::<state::Carried>()
        .init_resource::<commands::Copied>()
        .init_resource::<layout::Given>()
        .add_message::<SeriesEvent>()
        .configure_sets(
            Update,
            (
                MatchSet::Input,
                MatchSet::Advance,
                MatchSet::Follow,
                MatchSet::Record,
                MatchSet::Draw,
            )
                .chain()
                .in_set(Frame::Match)
                .run_if(in_state(Screen::Match)),
        )
        // No feature waits for what another one does in the same frame.
        .configure_sets(Update, MatchSet::Follow.ambiguous_with(MatchSet::Follow))
        .init_resource::<StartBeside>()
        .init_resource::<StartTurn>()
        .add_systems(OnEnter(Screen::Match), lifecycle::begin)
        .add_systems(OnExit(Screen::Match), lifecycle::end)
        .add_systems(Last, lifecycle::keep_on_exit)
        .add_systems(
            Update,
            (
                input::keys.in_set(MatchSet::Input),
                lifecycle::advance.in_set(MatchSet::Advance),
                (
                    lifecycle::note_help,
                    lifecycle::record_result,
                    lifecycle::note_distance,
                    daily::keep,
                    lifecycle::learn_best,
                    screenshot::take,
                    lifecycle::keep_awake,
                )
                    .chain()
                    .in_set(MatchSet::Record),
            ),
        )
        .add_systems(
            Update,
            screenshot::give_up
                .in_set(MatchSet::Record)
                .run_if(resource_exists::<lifecycle::Failure>),
        )
        .add_systems(
            EguiPrimaryContextPass,
            (screen::show, screen::show_failure.run_if(resource_exists::<lifecycle::Failure>))
                .run_if(in_state(Screen::Match))
                .in_set(Pass::Screen),
        );
}

/// Keeps matches as they go on: for a page, which may be closed at any moment.
pub fn keep_as_played(app: &mut App) {
    let keep = lifecycle::keep_as_played.in_set(MatchSet::Record);
    app.add_systems(Update, keep);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) mod tests;
