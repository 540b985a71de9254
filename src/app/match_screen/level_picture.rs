//! Levels as pictures: what the board shows when a match begins, or at the end of a replay.

use super::canvas::middle;
use super::game_view::GameView;
use super::piece::{BoardPiece, Brush};
use crate::app::drawing::{Detail, Sketch, picture};
use crate::app::shell::pieces::Pieces;
use crate::app::shell::preview::{MARGIN, PictureSpec};
use crate::app::shell::theme::{DARK, LIGHT};
use bevy::math::Vec2;
use bevy_egui::egui::ColorImage;
use outwit_core::grid::Grid;
use outwit_core::play::{Chance, CheckedLevel, Game};
use outwit_headless::find;
use outwit_kit::{GameSpec, LevelDraft, is_replay, level_of, read_any, read_replay};
use std::cmp::Ordering;
use std::collections::HashMap;

/// Draws a map that is being edited; see [`MapPainter::sketch`](crate::app::shell::preview::MapPainter).
pub fn map_sketch<G>(draft: &LevelDraft, dark: bool, detail: Detail, pieces: &Pieces) -> Sketch
where
    G: GameView + GameSpec,
{
    let level = level_of::<G>(draft);
    let terrain = (G::SCENERY.terrain)(&level, dark, detail);
    let mut sketch = terrain.ground;
    let light = G::SCENERY.light;
    if let Some((light, game)) = light.and_then(|light| Some((light, game_on::<G>(level)?))) {
        sketch.add(&light(&game, dark, detail), |at| at);
    }
    sketch.add(&terrain.standing, |at| at);
    sketch.add(&figures::<G>(&draft.cells, Brush { dark, detail }, pieces), |at| at);
    sketch
}

/// What stands on the cells of a map by their tiles.
fn figures<G: GameView>(cells: &Grid<char>, brush: Brush, pieces: &Pieces) -> Sketch {
    let mut sketch = Sketch::default();
    let mut known: HashMap<char, Option<Sketch>> = HashMap::new();
    for (cell, &symbol) in cells.iter() {
        let figure = known
            .entry(symbol)
            .or_insert_with(|| (G::SCENERY.tile_look)(symbol)?.sketch(brush, Some(pieces)));
        if let Some(figure) = figure {
            sketch.add(figure, |at| middle(cell) + at);
        }
    }
    sketch
}

/// A game of as few as may play on a level, if it can be played.
fn game_on<G: GameView>(level: G::Level) -> Option<G> {
    let level = CheckedLevel::new(level).ok()?;
    G::new(&level, *G::SEATS.allowed.start()).ok()
}

/// A replay of more turns is not played for a picture.
const MOST_TURNS: usize = 20_000;

/// A level, what stands on it, and what covers it.
type Scene<G> = (<G as Game>::Level, Vec<BoardPiece>, Sketch);

/// The level of a replay, and the pieces in its last position.
fn last_position<G: GameView>(bytes: &[u8]) -> Result<Scene<G>, String> {
    let replay = read_replay::<G>(bytes).map_err(|fault| fault.to_string())?;
    let variations = replay.variations.iter().map(|line| line.turns.len());
    if replay.turns.len() + variations.sum::<usize>() > MOST_TURNS {
        return Err("the match is too long to be drawn".into());
    }
    let played = replay.play().map_err(|error| error.to_string())?;
    let past = &played.states()[..played.len()];
    let pieces = G::pieces(played.game(), past, played.state());
    Ok((played.game().level().clone(), pieces, Sketch::default()))
}

/// A level with the pieces on it and what covers it when a match begins; neither of a level that cannot be played.
fn opening<G: GameView>(bytes: &[u8], name: &str, dark: bool) -> Result<Scene<G>, String> {
    let level = read_any::<G>(bytes, name).map_err(|faults| {
        faults.first().map_or_else(|| "no level".to_owned(), ToString::to_string)
    })?;
    let begun = game_on::<G>(level.clone()).and_then(|game| {
        let state = game.start(&Chance::new(1)).ok()?;
        Some((G::pieces(&game, &[], &state), (G::SCENERY.cover)(&game, &state, dark)))
    });
    let (pieces, cover) = begun.unwrap_or_default();
    Ok((level, pieces, cover.unwrap_or_default()))
}

/// Draws a level of a game, given its file and the file's name; of a replay the last position.
///
/// # Errors
/// If it is neither a level of the game nor a replay that can be played.
pub fn level_picture<G: GameView>(
    bytes: &[u8],
    name: &str,
    spec: &PictureSpec,
) -> Result<ColorImage, String> {
    let (level, mut standing, cover) = match is_replay(bytes) {
        true => last_position::<G>(bytes)?,
        false => opening::<G>(bytes, name, spec.dark)?,
    };
    let looks = (G::MAPS.looks)(&level, None);
    let board = Vec2::new(looks.width() as f32, looks.height() as f32);
    let room = Vec2::new(spec.room.x, spec.room.y);
    let margin = G::BOARD.margin + MARGIN;
    let whole = board + 2.0 * margin;
    let fit = (room / whole).min_element().min(spec.most);
    let cell = if fit >= 4.0 { fit.floor() } else { fit };
    let detail = Detail::at(cell, looks.width() * looks.height());
    let terrain = (G::SCENERY.terrain)(&level, spec.dark, detail);
    let brush = Brush { dark: spec.dark, detail };
    // On a level that cannot be played stands what its map says.
    let draft = || find(G::ID).ok()?.open(bytes, name).ok().filter(|_| !is_replay(bytes));
    let mut pieces = match standing.is_empty().then(draft).flatten() {
        Some(draft) => figures::<G>(&draft.cells, brush, &spec.pieces),
        None => Sketch::default(),
    };
    standing.sort_by(|one, two| one.layer.partial_cmp(&two.layer).unwrap_or(Ordering::Equal));
    for piece in standing {
        piece.draw(&mut pieces, brush, &spec.pieces, cell);
    }
    let palette = if spec.dark { DARK } else { LIGHT };
    let sketches = [&terrain.ground, &terrain.standing, &pieces, &cover];
    Ok(picture(&sketches, palette.board, Vec2::splat(-margin), whole, cell))
}
