//! Drawings that hang on a piece: its light, an arrow. They are children of the piece's entity, so they go
//! where it goes.

use crate::app::drawing::{Detail, Ink4, Sketch};
use crate::app::match_screen::{BoardDetail, MatchSet, Session};
use crate::app::shell::Frame;
use crate::app::shell::theme::Palette;
use bevy::ecs::system::SystemParam;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::sprite_render::AlphaMode2d;

/// Height of light on the ground, below what is drawn on the floor.
pub const FLOOR: f32 = 0.5;

/// A drawing that hangs on a piece. From afar it is not seen.
#[derive(Component, Clone, Copy, Debug)]
#[require(Transform, Visibility)]
pub struct Extra {
    name: &'static str,
    draw: fn(dark: bool) -> Sketch,
}

impl Extra {
    /// A drawing by name, for the dark or the light theme.
    pub const fn new(name: &'static str, draw: fn(dark: bool) -> Sketch) -> Self {
        Self { name, draw }
    }
}

/// An arrow from the origin of a piece to the right.
pub fn arrow(sketch: &mut Sketch, ink: Ink4, width: f32) {
    let places = [Vec2::new(-0.07, -0.14), Vec2::new(0.07, 0.0), Vec2::new(-0.07, 0.14)];
    sketch.line(&places, width, ink);
}

/// The meshes of extras by name and theme, and their one material.
#[derive(Resource, Default)]
pub struct ExtraMeshes {
    meshes: HashMap<(&'static str, bool), Handle<Mesh>>,
    material: Option<Handle<ColorMaterial>>,
}

/// What drawing extras needs.
#[derive(SystemParam)]
pub struct Dresser<'w> {
    /// The colours.
    pub palette: Res<'w, Palette>,
    /// How much of the board is drawn.
    pub detail: Res<'w, BoardDetail>,
    /// Meshes.
    pub meshes: ResMut<'w, Assets<Mesh>>,
    known: ResMut<'w, ExtraMeshes>,
    materials: ResMut<'w, Assets<ColorMaterial>>,
}

impl Dresser<'_> {
    /// Whether everything has to be drawn again.
    pub fn is_changed(&self) -> bool {
        self.palette.is_changed() || self.detail.is_changed()
    }

    /// Whether extras are seen.
    pub fn visibility(&self) -> Visibility {
        if self.detail.0 == Detail::Far { Visibility::Hidden } else { Visibility::Inherited }
    }

    /// The material of everything that is drawn with colours of its own.
    pub fn material(&mut self) -> Handle<ColorMaterial> {
        let blended = ColorMaterial { alpha_mode: AlphaMode2d::Blend, ..default() };
        let materials = &mut self.materials;
        self.known.material.get_or_insert_with(|| materials.add(blended)).clone()
    }

    fn mesh(&mut self, extra: &Extra) -> Handle<Mesh> {
        let dark = self.palette.dark;
        let known = &mut self.known.meshes;
        let meshes = &mut self.meshes;
        let mesh = known.entry((extra.name, dark));
        mesh.or_insert_with(|| meshes.add((extra.draw)(dark).mesh())).clone()
    }
}

/// Draws what is new, and all when the theme or the detail changes.
fn dress(mut commands: Commands, extras: Query<(Entity, Ref<Extra>)>, mut dresser: Dresser) {
    let all = dresser.is_changed();
    for (entity, extra) in extras.iter().filter(|(_, extra)| all || extra.is_added()) {
        let mesh = dresser.mesh(&extra);
        let material = dresser.material();
        commands.entity(entity).insert((
            Mesh2d(mesh),
            MeshMaterial2d(material),
            dresser.visibility(),
        ));
    }
}

/// When systems take care of pieces that were just moved.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dressing;

/// Draws what hangs on pieces.
pub fn plugin(app: &mut App) {
    app.init_resource::<ExtraMeshes>()
        .configure_sets(
            Update,
            Dressing
                .after(MatchSet::Draw)
                .in_set(Frame::Match)
                .run_if(any_with_component::<Session>),
        )
        // Entities of this board are touched by nobody else, which Bevy cannot see.
        .add_systems(Update, dress.in_set(Dressing).ambiguous_with_all());
}
