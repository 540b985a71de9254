//! Where features show themselves on the match screen.
//!
//! A feature registers a system that draws into a region; the screen runs the systems of a region in their order and
//! knows nothing else of them. A section has parameters as any system has, reads the components of the match with
//! the focus, and leaves what a click asks for in [`Given`].

use super::canvas::Visuals;
use super::command_table::MatchCommand;
use super::focus::Focused;
use super::matches::FocusedMatchMut;
use super::session::Session;
use super::state::Tab;
use crate::app::shell::settings::Settings;
use bevy::ecs::system::{SystemId, SystemParam};
use bevy::prelude::*;
use bevy_egui::egui::Ui;

/// A part of the screen that sections fill from top to bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// The whole side panel, while this is chosen there.
    Side(Tab),
    /// The panel of the match below its head, at one of its places.
    Match(Place),
    /// Above the board.
    Top,
    /// Below the board.
    Bottom(Row),
    /// Dialogs over the screen.
    Dialogs,
}

/// The places in the panel of the match, from top to bottom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// What the match is about, or how it ended.
    Result,
    /// Who sits where.
    Seats,
    /// What is said of the match.
    Told,
    /// Other ways in which it went.
    Variations,
    /// What can be asked for.
    Actions,
    /// What the board has to say.
    Board,
    /// What is drawn over the board.
    Overlays,
    /// What planners think.
    Insight,
}

/// The rows below the board, from top to bottom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Row {
    /// What is stepped through.
    Slider,
    /// How things stood, turn by turn.
    Graph,
    /// All turns, and what lets the match run.
    Timeline,
}

impl Region {
    /// Where its section stands among the others of its region.
    fn order(self) -> u8 {
        match self {
            Self::Match(place) => place as u8,
            Self::Bottom(row) => row as u8,
            Self::Side(_) | Self::Top | Self::Dialogs => 0,
        }
    }
}

/// The sections of all regions, and what may take the place of all panels.
#[derive(Resource, Default)]
struct Layout {
    sections: Vec<(Region, SystemId<InMut<'static, Ui>>)>,
    covers: Vec<SystemId<InMut<'static, Ui>, bool>>,
}

/// Registers what features show.
pub trait AddSection {
    /// Draws a section into a region, below those that are there already.
    fn add_section<M>(
        &mut self,
        region: Region,
        section: impl IntoSystem<InMut<'static, Ui>, (), M> + 'static,
    ) -> &mut Self;

    /// Lets a system take the place of all panels; it returns whether it did.
    fn add_cover<M>(
        &mut self,
        cover: impl IntoSystem<InMut<'static, Ui>, bool, M> + 'static,
    ) -> &mut Self;
}

impl AddSection for App {
    fn add_section<M>(
        &mut self,
        region: Region,
        section: impl IntoSystem<InMut<'static, Ui>, (), M> + 'static,
    ) -> &mut Self {
        let section = self.register_system(section);
        let sections = &mut self.world_mut().get_resource_or_init::<Layout>().sections;
        // Sections of one place stand in the order in which they came.
        let at = sections.partition_point(|(other, _)| other.order() <= region.order());
        sections.insert(at, (region, section));
        self
    }

    fn add_cover<M>(
        &mut self,
        cover: impl IntoSystem<InMut<'static, Ui>, bool, M> + 'static,
    ) -> &mut Self {
        let cover = self.register_system(cover);
        self.world_mut().get_resource_or_init::<Layout>().covers.push(cover);
        self
    }
}

/// Draws all sections of the regions that pass.
pub fn fill(world: &mut World, ui: &mut Ui, is_in: impl Fn(Region) -> bool) {
    let sections = &world.resource::<Layout>().sections;
    let own: Vec<_> =
        sections.iter().filter(|(region, _)| is_in(*region)).map(|(_, section)| *section).collect();
    for section in own {
        // A section without its match, or with a match beside it that is gone, draws nothing.
        let _ = world.run_system_with(section, ui);
    }
}

/// Lets what takes the place of all panels be drawn; returns whether anything did.
pub fn cover(world: &mut World, root: &mut Ui) -> bool {
    let covers = world.resource::<Layout>().covers.clone();
    covers.into_iter().any(|cover| world.run_system_with(cover, root).unwrap_or(false))
}

/// What a person asked for in the sections of a frame, until it is carried out at its end.
#[derive(Resource, Default)]
pub struct Given {
    /// The commands, in their order.
    pub commands: Vec<MatchCommand>,
    /// Whether an action was chosen that is to be played.
    pub chose: bool,
}

/// What most sections draw from.
#[derive(SystemParam)]
pub struct PanelContext<'w, 's> {
    /// The match that has the focus.
    pub session: FocusedMatchMut<'w, 's>,
    /// The match beside it, if there is one.
    pub other: Option<Single<'w, 's, &'static mut Session, Without<Focused>>>,
    /// Colours and silhouettes.
    pub look: Visuals<'w>,
    /// What holds for all matches.
    pub settings: Res<'w, Settings>,
    /// What is asked for.
    pub given: ResMut<'w, Given>,
}

impl PanelContext<'_, '_> {
    /// Whether the panel tells all of the match: two matches side by side, and lessons, have less.
    pub fn is_full(&self) -> bool {
        self.other.is_none() && self.session.lesson.is_none()
    }
}

/// The match that has the focus, and what is shown beside its board.
pub fn focused_tab(world: &mut World) -> Option<(Entity, Tab)> {
    let mut matches = world.query_filtered::<(Entity, &Session), With<Focused>>();
    let (entity, session) = matches.single(world).ok()?;
    Some((entity, session.tab))
}
