//! A short match of planners for the card of a game, as the board shows it.

use super::game_view::GameView;
use super::piece::{BoardPiece, Brush, PieceLook, Pose, Tweens};
use crate::app::drawing::{Detail, picture, sprite};
use crate::app::shell::pieces::Pieces;
use crate::app::shell::scene::{Scene, SceneFigure};
use crate::app::shell::theme::{DARK, LIGHT};
use bevy::math::Vec2;
use bevy_egui::egui::ColorImage;
use outwit_core::play::{Budget, MatchSetup, Player, Referee, StopFlag, Thinking};
use outwit_kit::{DynGame, read_level};
use std::cmp::Ordering;
use std::sync::Arc;

/// Work that each planner may spend on a turn.
const WORK: u64 = 3000;
/// Most turns of the match.
const TURNS: usize = 160;
/// The seed of the match.
const SEED: u64 = 7;
/// Ground around the board, in cells, for shadows.
const MARGIN: f32 = 0.4;
/// Width of a figure's picture, in its own widths: shadows reach beyond it.
const ROOM: f32 = 1.7;

/// A match that was played.
struct Played<G: GameView> {
    game: Arc<G>,
    /// The pieces after each number of turns.
    pieces: Vec<Vec<BoardPiece>>,
    /// How they move in each turn.
    tweens: Vec<Tweens>,
    seconds: Vec<f32>,
    /// All looks that pieces ever have.
    looks: Vec<PieceLook>,
}

/// Plays the match; `None` if the level cannot be played or the flag was raised.
pub fn play_scene<G: GameView>(kind: &dyn DynGame, stop: &StopFlag) -> Option<Arc<dyn Scene>> {
    let level = read_level::<G>(G::BOARD.scene.0.as_bytes(), "card").ok()?;
    let players: Vec<Player> = kind.players_to_watch();
    let game = Arc::new(G::new(&level, players.len()).ok()?);
    let mut setup = MatchSetup::new(&players, Budget::Work(WORK), SEED).thinking(Thinking::Inline);
    setup.stop = stop.clone();
    let mut referee = Referee::new(Arc::clone(&game), G::planners(), setup).ok()?;
    referee.run(TURNS);
    let played = referee.played();
    if stop.is_raised() || played.is_empty() {
        return None;
    }
    let states = played.states();
    let pieces: Vec<Vec<BoardPiece>> =
        (0..states.len()).map(|n| G::pieces(&game, &states[..n], &states[n])).collect();
    let mut looks: Vec<PieceLook> = Vec::new();
    for piece in pieces.iter().flatten() {
        if !looks.contains(&piece.look) {
            looks.push(piece.look.clone());
        }
    }
    let turn = |n: usize| {
        let mut tweens = Tweens::between(&pieces[n], &pieces[n + 1]);
        (G::EVENTS.tweens)(
            &game,
            &states[n],
            &played.turns()[n].events,
            &states[n + 1],
            &mut tweens,
        );
        tweens
    };
    let tweens = (0..played.len()).map(turn).collect();
    let seconds = played.turns().iter().map(|turn| {
        let cues =
            turn.events.iter().map(|event| (G::EVENTS.cue)(&game, event, &|_| String::new()));
        cues.fold(G::BOARD.turn_seconds, |most, cue| most.max(cue.seconds))
    });
    let seconds = seconds.collect();
    Some(Arc::new(Played { game, pieces, tweens, seconds, looks }))
}

impl<G: GameView> Played<G> {
    /// The pieces at a time of a turn, with their poses, the lowest first.
    fn posed(&self, turn: usize, time: f32) -> Vec<(BoardPiece, Pose)> {
        let Some(before) = self.pieces.get(turn) else { return Vec::new() };
        let mut shown: Vec<BoardPiece> = before.clone();
        let tweens = self.tweens.get(turn).filter(|_| time > 0.0);
        if let Some(after) = self.pieces.get(turn + 1).filter(|_| tweens.is_some()) {
            let fresh = after.iter().filter(|piece| before.iter().all(|old| old.key != piece.key));
            shown.extend(fresh.cloned());
        }
        shown.sort_by(|one, two| one.layer.partial_cmp(&two.layer).unwrap_or(Ordering::Equal));
        shown
            .into_iter()
            .map(|piece| {
                let moved = tweens.and_then(|tweens| tweens.pose(piece.key, time));
                let pose = moved.unwrap_or(piece.pose);
                (piece, pose)
            })
            .collect()
    }
}

impl<G: GameView> Scene for Played<G> {
    fn turns(&self) -> usize {
        self.tweens.len()
    }

    fn resting(&self) -> f32 {
        G::BOARD.scene.1
    }

    fn seconds(&self, turn: usize) -> f32 {
        self.seconds.get(turn).copied().unwrap_or(G::BOARD.turn_seconds)
    }

    fn extent(&self) -> (Vec2, Vec2) {
        let (columns, rows) = G::extent(&self.game);
        let margin = Vec2::splat(G::BOARD.margin + MARGIN);
        (-margin, Vec2::new(columns as f32, rows as f32) + margin)
    }

    fn ground(&self, dark: bool, cell: f32) -> ColorImage {
        let (low, high) = self.extent();
        let (columns, rows) = G::extent(&self.game);
        let terrain =
            (G::SCENERY.terrain)(self.game.level(), dark, Detail::at(cell, columns * rows));
        let palette = if dark { DARK } else { LIGHT };
        let sketches = [&terrain.ground, &terrain.standing];
        picture(&sketches, palette.board, low, high - low, cell)
    }

    fn looks(&self, dark: bool, cell: f32, fine: f32, pieces: &Pieces) -> Vec<Option<ColorImage>> {
        let (columns, rows) = G::extent(&self.game);
        let brush = Brush { dark, detail: Detail::at(cell, columns * rows) };
        self.looks
            .iter()
            .map(|look| {
                let sketch = look.sketch(brush, Some(pieces))?;
                let (points, ..) = sketch.parts();
                let reach = points.iter().map(|at| at.abs().max_element()).fold(0.5, f32::max);
                let reach = (reach * 2.0).max(ROOM) / 2.0;
                Some(sprite(&sketch, Vec2::splat(-reach), Vec2::splat(2.0 * reach), fine))
            })
            .collect()
    }

    fn figures(&self, turn: usize, time: f32, cell: f32) -> Vec<SceneFigure> {
        self.posed(turn, time)
            .into_iter()
            .filter_map(|(piece, pose)| {
                let look = self.looks.iter().position(|look| *look == piece.look)?;
                let place = piece.transform(pose, cell);
                let at = Vec2::new(place.translation.x, -place.translation.y);
                Some(SceneFigure { look, at, angle: pose.angle, scale: place.scale.x })
            })
            .collect()
    }
}
