//! How each game looks and is handled at the board, one folder a game.

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod contrast;
pub mod cops;
pub mod mnk;
pub mod pukoban;
pub mod racetrack;
pub mod stealth;
#[cfg(test)]
mod tests;

use crate::app::match_screen::{BoardEntry, BoardList};
use crate::app::shell::commands::KeyGroup;
use crate::app::shell::game_guide::{GameGuide, GameGuides};
use crate::app::shell::pieces::PieceNames;
use crate::app::shell::preview::{LevelPainters, MapPainters};
use crate::app::shell::scene::{CardMatch, Scenes};
use crate::app::shell::sound::SoundNames;
use crate::app::shell::theme::GameThemes;
use bevy::prelude::App;
use outwit_cops::Cops;
use outwit_headless::GAMES;
use outwit_mnk::Mnk;
use outwit_pukoban::Pukoban;
use outwit_racetrack::Racetrack;
use outwit_stealth::Stealth;

/// The games that can be played in the window.
pub static BOARDS: &[BoardEntry] = &[
    BoardEntry::of::<Racetrack>(),
    BoardEntry::of::<Cops>(),
    BoardEntry::of::<Pukoban>(),
    BoardEntry::of::<Stealth>(),
    BoardEntry::of::<Mnk>(),
];

/// Collects what the boards need to be loaded and listed.
pub fn plugin(app: &mut App) {
    app.insert_resource(BoardList(BOARDS.to_vec()));
    for board in BOARDS {
        (board.plugin)(app);
    }
    let painters = BOARDS.iter().map(|board| (board.id, board.picture)).collect();
    app.insert_resource(LevelPainters(painters));
    let maps = BOARDS.iter().map(|board| (board.id, board.map)).collect();
    app.insert_resource(MapPainters(maps));
    let scenes = BOARDS
        .iter()
        .map(|board| (board.id, CardMatch { level: board.spec.scene.0, play: board.scene }));
    app.insert_resource(Scenes(scenes.collect()));
    let themes = BOARDS.iter().map(|board| (board.id, board.spec.light)).collect();
    app.insert_resource(GameThemes(themes));
    let world = app.world_mut();
    let tiles = GAMES.iter().flat_map(|game| game.facts().palette);
    let mut pieces = world.get_resource_or_init::<PieceNames>();
    pieces.0.extend(tiles.filter_map(|tile| tile.silhouette));
    pieces.0.extend(BOARDS.iter().flat_map(|board| board.spec.silhouettes));
    let mut sounds = world.get_resource_or_init::<SoundNames>();
    sounds.0.extend(BOARDS.iter().flat_map(|board| board.spec.sounds));
    let mut guides = world.get_resource_or_init::<GameGuides>();
    guides.0.extend(BOARDS.iter().map(|board| GameGuide {
        id: board.id,
        name: board.name,
        how_to_play: &board.spec.how_to_play,
        has_solver: board.spec.solver.is_some(),
        lesson: board.lesson,
    }));
}

/// The keys of each board, for help and manual.
pub fn key_groups() -> impl Iterator<Item = KeyGroup> {
    BOARDS.iter().map(|board| {
        let rows = (board.spec.how_to_play.keys)();
        KeyGroup { title: board.name, rows }
    })
}

/// The last thing that was computed, and what for: what is painted in every frame is computed only
/// when what it depends on changes.
pub struct Cached<K, T>(Option<(K, T)>);

impl<K, T> Default for Cached<K, T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<K: PartialEq, T> Cached<K, T> {
    /// What belongs to `key`, computed unless it was the last.
    pub fn get(&mut self, key: K, compute: impl FnOnce() -> T) -> &T {
        let known = self.0.take().filter(|(known, _)| *known == key);
        &self.0.insert(known.unwrap_or_else(|| (key, compute()))).1
    }
}
