//! The games that a match can begin of.

use super::board::BoardSpec;
use super::game_view::GameView;
use super::lesson::lesson_match;
use super::level_picture::{level_picture, map_sketch};
use super::scene::play_scene;
use super::session::Session;
use crate::app::requests::MatchConfig;
use crate::app::shell::assets::AssetFolder;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::preview::{LevelPainter, MapPainter};
use crate::app::shell::scene::PlayScene;
use bevy::prelude::{App, Resource};
use outwit_headless::GAMES;
use std::collections::BTreeSet;

/// A game of the window: how to begin a match of it, and what never changes about its board.
#[derive(Clone, Copy)]
pub struct BoardEntry {
    /// Id of the game.
    pub id: &'static str,
    /// What people call the game.
    pub name: &'static str,
    /// What never changes about its board.
    pub spec: &'static BoardSpec,
    /// Sets up the match of a step of the game's lesson, if there is such a step.
    pub lesson: fn(usize) -> Option<MatchConfig>,
    /// Sets up a match, or a replay to be watched; see [`Session::new`].
    pub begin: fn(MatchConfig, bool) -> Result<Session, String>,
    /// Draws a level as the board shows it.
    pub picture: LevelPainter,
    /// Draws a map in the level editor.
    pub map: MapPainter,
    /// Plays the short match that the menu shows.
    pub scene: PlayScene,
    /// Adds what takes care of its kinds of pieces.
    pub plugin: fn(&mut App),
}

impl BoardEntry {
    /// The entry of a game.
    pub const fn of<G: GameView>() -> Self {
        Self {
            id: G::ID,
            name: G::INFO.name,
            spec: &G::BOARD,
            picture: level_picture::<G>,
            map: MapPainter {
                sketch: map_sketch::<G>,
                draws: |symbol| (G::SCENERY.tile_look)(symbol).is_some(),
            },
            lesson: lesson_match::<G>,
            begin: Session::new::<G>,
            scene: play_scene::<G>,
            plugin: G::plugin,
        }
    }

    /// Reads the silhouettes of its pieces without the asset server.
    ///
    /// # Errors
    /// Which asset cannot be read, and why.
    pub fn pieces(&self, assets: &AssetFolder) -> Result<Pieces, String> {
        let tiles = GAMES.iter().flat_map(|game| game.facts().palette);
        let names = tiles.filter_map(|tile| tile.silhouette);
        let names = names.chain(self.spec.silhouettes.iter().copied());
        let seats = GAMES.iter().filter(|game| game.id() == self.id);
        let seats =
            seats.flat_map(|game| (0..*game.facts().seats.allowed.end()).map(|n| game.seat(n)));
        let names: BTreeSet<&str> = names.chain(seats.map(|seat| seat.piece)).collect();
        Pieces::read(assets, names)
    }
}

/// The boards that a match can begin on.
#[derive(Resource, Default)]
pub struct BoardList(pub Vec<BoardEntry>);
