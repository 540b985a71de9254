//! What is said of a match while it is watched: who is ahead, what matters, where it turned. Worked out in the
//! background, turn after turn.

mod captions;
mod graph;
mod panel;
mod told;

pub use captions::{paint_rings, said};
pub use graph::HEIGHT as GRAPH_HEIGHT;
pub use told::{Commentator, Told};

use super::feature::Feature;
use super::layout::{AddSection, PanelContext, Place, Region, Row};
use super::session::Session;
use super::sets::MatchSet;
use crate::app::shell::activity::{Activity, POLL};
use crate::app::shell::settings::Settings;
use bevy::prelude::*;
use bevy_egui::egui::Ui;

/// Comments matches that are watched.
pub(super) const FEATURE: Feature = Feature { plugin, commands: &[] };

fn plugin(app: &mut App) {
    app.add_systems(Update, follow.in_set(MatchSet::Follow))
        .add_section(Region::Match(Place::Told), section)
        .add_section(Region::Bottom(Row::Graph), graph_row);
}

/// Who is ahead and what was said, in the panel of the match.
fn section(InMut(ui): InMut<Ui>, mut context: PanelContext) {
    if !context.is_full() || !context.session.commented {
        return;
    }
    let PanelContext { session, look, given, .. } = &mut context;
    if let Some(turn) = panel::show(ui, session, look, &mut given.commands) {
        session.jump(turn);
    }
}

/// How things stood turn by turn, above the timeline; a graph is of one match only.
fn graph_row(InMut(ui): InMut<Ui>, mut context: PanelContext) {
    if context.other.is_none() && context.session.commented {
        graph::show(ui, &mut context.session, &context.look);
    }
}

/// Follows the matches that are shown, where nobody plays them any more: what is said would be a hint.
fn follow(mut matches: Query<&mut Session>, settings: Res<Settings>, activity: Res<Activity>) {
    for mut session in &mut matches {
        follow_match(&mut session, &settings, &activity);
    }
}

fn follow_match(session: &mut Session, settings: &Settings, activity: &Activity) {
    let watched = session.humans.is_empty() || session.live.is_over() && session.lesson.is_none();
    let commented = settings.commentary && watched && session.live.commentary().is_some();
    if session.commented != commented {
        session.commented = commented;
    }
    if commented && session.live.follow_commentary() {
        activity.wake_in(POLL);
    }
}
