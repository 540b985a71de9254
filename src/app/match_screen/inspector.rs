//! For people who work on Outwit: the entities of the world by kind, each with its components and their values.
//!
//! It belongs to the feature `dev` of Cargo. Values are shown of components whose types are registered for
//! reflection; a board does so for its kinds of pieces with [`App::register_type`]. Nothing can be changed here: pieces
//! are a picture of the state, and would be drawn as the state says in the next frame.

use super::command_table::{FeatureCommand, MatchCommand, MatchEntry, able};
use super::feature::Feature;
use super::layout::{AddSection, Region};
use crate::app::shell::commands::{command, key};
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::egui::{self, RichText, Ui};
use std::collections::BTreeMap;

/// Size of the window before anybody has changed it, in points.
const SIZE: egui::Vec2 = egui::vec2(560.0, 520.0);
/// The kind of entities of whose components none is registered: systems and observers.
const NOTHING: &str = "systems, observers and resources";
/// More entities of a kind are only counted.
const MOST: usize = 200;

static SWITCH: FeatureCommand = FeatureCommand {
    entry: &ENTRY,
    is_play: false,
    run: |commands| commands.run_system_cached(switch),
};

static ENTRY: MatchEntry = command(
    MatchCommand::Feature(&SWITCH),
    &[key(KeyCode::F12)],
    "Show the entities and their components",
)
.label("Entities")
.tip("The entities by kind, with their components")
.when(|_| able(true));

/// Shows the entities.
pub(super) const FEATURE: Feature = Feature { plugin, commands: &[&ENTRY] };

/// Whether the entities are shown, and of which kinds.
#[derive(Resource, Default)]
struct Inspector {
    open: bool,
    /// Kinds whose names contain this are shown.
    filter: String,
}

fn plugin(app: &mut App) {
    app.init_resource::<Inspector>().add_section(Region::Dialogs, show);
}

fn switch(mut inspector: ResMut<Inspector>) {
    inspector.open = !inspector.open;
}

/// The entities of each kind, those with components of ours first. A kind is a name that entities have, without the
/// number at its end, and without a name that of their first registered component.
fn kinds(world: &World) -> Vec<(String, Vec<Entity>)> {
    let mut kinds = BTreeMap::<_, Vec<_>>::new();
    for entity in world.iter_entities() {
        let kind = match entity.get::<Name>() {
            Some(name) => name.trim_end_matches(|end: char| end.is_numeric()).trim().to_owned(),
            None => {
                let first = parts(world, entity).into_iter().next();
                first.map_or_else(|| NOTHING.to_owned(), |part| part.name)
            }
        };
        kinds.entry(kind).or_default().push(entity.id());
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_cached_key(|(_, entities)| {
        let first = entities.first().and_then(|&entity| world.get_entity(entity).ok());
        !first.is_some_and(|first| parts(world, first).iter().any(|part| part.is_own))
    });
    kinds
}

/// A component of an entity.
#[derive(PartialEq, Debug)]
struct Part {
    name: String,
    value: String,
    /// Whether it is one of Outwit's, and not of Bevy's.
    is_own: bool,
}

/// The registered components of an entity, our own ones first.
fn parts(world: &World, entity: EntityRef) -> Vec<Part> {
    let registry = world.resource::<AppTypeRegistry>().read();
    let mut parts: Vec<Part> = entity
        .archetype()
        .components()
        .iter()
        .filter_map(|&id| {
            let registration = registry.get(world.components().get_info(id)?.type_id()?)?;
            let value = registration.data::<ReflectComponent>()?.reflect(entity)?;
            let path = registration.type_info().type_path_table();
            let value = format!("{value:?}");
            // The name stands before it.
            let fields = value
                .strip_prefix(path.path())
                .or_else(|| value.strip_prefix(path.short_path()))
                .unwrap_or(&value);
            Some(Part {
                name: path.short_path().to_owned(),
                value: fields.trim_start().to_owned(),
                is_own: path.crate_name() == Some(env!("CARGO_CRATE_NAME")),
            })
        })
        .collect();
    parts.sort_by(|a, b| b.is_own.cmp(&a.is_own).then_with(|| a.name.cmp(&b.name)));
    parts
}

/// Shows the window if it is open.
fn show(InMut(root): InMut<Ui>, world: &mut World) {
    world.resource_scope(|world, mut inspector: Mut<Inspector>| {
        let Inspector { open, filter } = &mut *inspector;
        let window = egui::Window::new("Entities").open(open).default_size(SIZE);
        window.show(root.ctx(), |ui| {
            ui.horizontal(|ui| {
                ui.label("Kinds that contain");
                ui.text_edit_singleline(filter);
            });
            ui.add_space(space::SMALL);
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                for (kind, entities) in kinds(world) {
                    if !kind.contains(filter.as_str()) {
                        continue;
                    }
                    let title = format!("{kind} ({})", entities.len());
                    egui::CollapsingHeader::new(title)
                        .id_salt(&kind)
                        .show(ui, |ui| show_kind(ui, world, &entities));
                }
            });
        });
    });
}

/// Shows the entities of a kind: our own components in a line each, Bevy's when pointed at.
fn show_kind(ui: &mut Ui, world: &World, entities: &[Entity]) {
    for entity in entities.iter().take(MOST).filter_map(|&entity| world.get_entity(entity).ok()) {
        let (own, others): (Vec<_>, Vec<_>) =
            parts(world, entity).into_iter().partition(|part| part.is_own);
        let others: Vec<String> =
            others.iter().map(|part| format!("{}: {}", part.name, part.value)).collect();
        ui.label(RichText::new(entity.id().to_string()).strong()).on_hover_text(others.join("\n"));
        ui.indent(entity.id(), |ui| {
            for part in own {
                ui.horizontal_wrapped(|ui| {
                    ui.label(part.name);
                    ui.monospace(part.value);
                });
            }
        });
    }
    if let Some(more) = entities.len().checked_sub(MOST).filter(|more| *more > 0) {
        widgets::hint(ui, format!("and {more} more"));
    }
}
