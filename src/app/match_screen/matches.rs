//! How systems and tests get at the matches on the screen.

use super::focus::Focused;
use super::session::Session;
use super::view::BoardView;
use bevy::ecs::component::Mutable;
use bevy::ecs::query::QueryFilter;
use bevy::prelude::*;

/// The match that has the focus. Systems that ask for it rest where no match is shown.
pub type FocusedMatch<'w, 's> = Single<'w, 's, &'static Session, With<Focused>>;
/// The same, to be changed.
pub type FocusedMatchMut<'w, 's> = Single<'w, 's, &'static mut Session, With<Focused>>;
/// The match beside the one that has the focus, with its view.
pub type OtherMatch<'w, 's> =
    Option<Single<'w, 's, (&'static mut Session, &'static mut BoardView), Without<Focused>>>;

/// A component of the only match that passes a filter.
fn only<C: Component, F: QueryFilter>(world: &World) -> Option<&C> {
    world.try_query_filtered::<&C, (With<Session>, F)>()?.single(world).ok()
}

/// A component of the match that has the focus, if one is shown.
pub fn focused<C: Component>(world: &World) -> Option<&C> {
    only::<C, With<Focused>>(world)
}

/// A component of the match beside the one that has the focus, if there are two.
pub fn unfocused<C: Component>(world: &World) -> Option<&C> {
    only::<C, Without<Focused>>(world)
}

/// A component of the match that has the focus, if one is shown, to be changed.
pub fn focused_mut<C: Component<Mutability = Mutable>>(world: &mut World) -> Option<Mut<'_, C>> {
    let mut matches = world.query_filtered::<Entity, (With<Session>, With<Focused>)>();
    let entity = matches.single(world).ok()?;
    world.get_mut(entity)
}
