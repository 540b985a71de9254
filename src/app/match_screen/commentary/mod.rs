//! What is said of a match while it is watched: who is ahead, what matters, where it turned. Worked out in the
//! background, turn after turn.

mod captions;
mod graph;
mod panel;
mod told;

pub use captions::{paint_rings, said};
pub use graph::{HEIGHT as GRAPH_HEIGHT, show as show_graph};
pub use panel::show;
pub use told::{Commentator, Told};

use super::session::Session;
use crate::app::shell::activity::{Activity, POLL};
use crate::app::shell::settings::Settings;
use bevy::prelude::{Query, Res};

/// Follows the matches that are shown, where nobody plays them any more: what is said would be a hint.
pub fn follow(mut matches: Query<&mut Session>, settings: Res<Settings>, activity: Res<Activity>) {
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
