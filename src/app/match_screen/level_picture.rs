//! Levels as pictures: what the board shows when a match begins.

use super::canvas::middle;
use super::game_view::GameView;
use super::piece::{BoardPiece, Brush};
use crate::app::drawing::{Detail, Sketch, picture};
use crate::app::shell::pieces::Pieces;
use crate::app::shell::preview::PictureSpec;
use crate::app::shell::theme::{DARK, LIGHT};
use bevy::math::Vec2;
use bevy_egui::egui::ColorImage;
use outwit_core::play::{Chance, CheckedLevel};
use outwit_kit::{GameSpec, LevelDraft, level_of, read_any, read_replay, replay_game};
use std::cmp::Ordering;
use std::collections::HashMap;

/// Ground around the place, in cells: for shadows and rims.
const MARGIN: f32 = 0.4;

/// Draws a map that is being edited; see [`MapPainter::sketch`](crate::app::shell::preview::MapPainter).
pub fn map_sketch<G>(draft: &LevelDraft, dark: bool, detail: Detail, pieces: &Pieces) -> Sketch
where
    G: GameView + GameSpec,
{
    let terrain = G::terrain(&level_of::<G>(draft), dark, detail);
    let mut sketch = terrain.ground;
    sketch.add(&terrain.standing, |at| at);
    let brush = Brush { dark, detail, form: [0, 0] };
    let mut known: HashMap<char, Option<Sketch>> = HashMap::new();
    for (cell, &symbol) in draft.cells.iter() {
        let figure = known
            .entry(symbol)
            .or_insert_with(|| G::tile_look(symbol)?.sketch(brush, Some(pieces)));
        if let Some(figure) = figure {
            sketch.add(figure, |at| middle(cell) + at);
        }
    }
    sketch
}

/// The pieces of a position, and how its level looks.
struct Position<G: GameView + GameSpec> {
    level: G::Level,
    /// `None` for a level that cannot be played.
    pieces: Option<Vec<BoardPiece>>,
}

/// The turns of a replay beyond which its picture shows the start: playing it again would take long.
const LONG: usize = 20_000;

impl<G: GameView + GameSpec> Position<G> {
    /// The start of a match on a level.
    fn of_level(level: G::Level, chance: &Chance) -> Self {
        // A level that cannot be played is shown without pieces.
        let seats = *G::SEATS.allowed.start();
        let checked = CheckedLevel::new(level.clone()).ok();
        let pieces = checked.and_then(|level| {
            let game = G::new(&level, seats).ok()?;
            let state = game.start(chance).ok()?;
            Some(G::pieces(&game, &[], &state))
        });
        Self { level, pieces }
    }

    /// The end of a replay.
    fn of_replay(bytes: &[u8]) -> Result<Self, String> {
        let replay = read_replay::<G>(bytes).map_err(|fault| fault.to_string())?;
        if replay.turns.len() > LONG {
            return Ok(Self::of_level(replay.level, &Chance::new(replay.seed)));
        }
        let played = replay.play().map_err(|error| error.to_string())?;
        let pieces =
            played.states().split_last().map(|(last, past)| G::pieces(played.game(), past, last));
        Ok(Self { level: replay.level, pieces })
    }
}

/// Draws a level of a game, or the last position of a replay, given its file and the file's name.
///
/// # Errors
/// If it is neither.
pub fn level_picture<G: GameView>(
    bytes: &[u8],
    name: &str,
    spec: &PictureSpec,
) -> Result<ColorImage, String> {
    let Position { level, pieces: opening } = if replay_game(bytes).is_some() {
        Position::<G>::of_replay(bytes)?
    } else {
        let level = read_any::<G>(bytes, name).map_err(|faults| {
            faults.first().map_or_else(|| "no level".to_owned(), ToString::to_string)
        })?;
        Position::of_level(level, &Chance::new(1))
    };
    let looks = (G::MAPS.looks)(&level, None);
    let board = Vec2::new(looks.width() as f32, looks.height() as f32);
    let room = Vec2::new(spec.room.x, spec.room.y);
    let margin = G::BOARD.margin + MARGIN;
    let whole = board + 2.0 * margin;
    let fit = if spec.fill {
        (room / whole).max_element().max(spec.most)
    } else {
        (room / whole).min_element().min(spec.most)
    };
    let cell = if fit >= 4.0 { fit.floor() } else { fit };
    let (low, size) = if spec.fill {
        let size = room / cell;
        let seated = opening.iter().flatten().find(|piece| piece.seat.is_some());
        let centre = seated.map_or(board / 2.0, |piece| piece.pose.place);
        let most = (board + margin - size).max(Vec2::splat(-margin));
        ((centre - size / 2.0).clamp(Vec2::splat(-margin), most), size)
    } else {
        (Vec2::splat(-margin), whole)
    };
    let detail = Detail::at(cell, looks.width() * looks.height());
    let terrain = G::terrain(&level, spec.dark, detail);
    let mut pieces = Sketch::default();
    if let Some(mut standing) = opening {
        standing.sort_by(|one, two| one.layer.partial_cmp(&two.layer).unwrap_or(Ordering::Equal));
        for piece in standing {
            let brush = Brush { dark: spec.dark, detail, form: [0, 0] };
            piece.draw(&mut pieces, brush, &spec.pieces, cell);
        }
    }
    let palette = if spec.dark { DARK } else { LIGHT };
    let sketches = [&terrain.ground, &terrain.standing, &pieces];
    Ok(picture(&sketches, palette.board, low, size, cell))
}
