//! The matches on the cards of the menu. The one that is looked at runs while somebody is there.

use crate::app::shell::pieces::Pieces;
use crate::app::shell::scene::{SceneView, Scenes};
use crate::app::shell::theme::Palette;
use bevy::prelude::Resource;
use bevy_egui::egui::{self, Event};
use outwit_headless::GAMES;

/// Seconds after the last input for which a match runs.
const PATIENCE: f64 = 20.0;
/// Seconds for which a card has to be looked at before its match begins.
const PAUSE: f64 = 0.5;

/// The matches, made once, one after the other.
#[derive(Resource, Default)]
pub struct Stages {
    stages: Vec<(&'static str, SceneView)>,
    /// The game whose card is looked at, and since when.
    looked_at: Option<(&'static str, f64)>,
    /// The card under the pointer, or else the one with the focus, of this frame.
    next: Option<(&'static str, bool)>,
    runs: bool,
    last_input: f64,
    /// Whether a key has stopped the match on the card that is looked at.
    stopped: bool,
    seconds: f32,
}

impl Stages {
    /// Begins a frame: what is looked at, and whether its match runs.
    pub fn prepare(&mut self, ctx: &egui::Context, scenes: &Scenes, moving: bool) {
        let (now, seconds, key) = ctx.input(|input| {
            if !input.events.is_empty() {
                self.last_input = input.time;
            }
            let key = input.events.iter().any(|event| matches!(event, Event::Key { .. }));
            (input.time, input.stable_dt.min(0.1), key)
        });
        self.seconds = seconds;
        self.stopped |= key;
        let next = self.next.take().map(|(game, _)| game);
        if self.looked_at.map(|(game, _)| game) != next {
            let before = self.looked_at.take();
            if let Some(stage) = before.and_then(|(game, _)| self.stage(game)) {
                stage.rewind(false);
            }
            self.looked_at = next.map(|game| (game, now));
            self.stopped = false;
            self.runs = false;
        }
        let wanted = self.looked_at.filter(|_| moving && !self.stopped);
        let wanted = wanted.filter(|_| now - self.last_input < PATIENCE);
        match wanted {
            Some((game, since)) if now - since >= PAUSE => {
                if !self.runs
                    && let Some(stage) = self.stage(game)
                {
                    stage.rewind(true);
                    self.runs = true;
                }
            }
            Some(_) => ctx.request_repaint(),
            None => self.runs = false,
        }
        let missing = GAMES.iter().find(|kind| self.stages.iter().all(|(id, _)| *id != kind.id()));
        if self.stages.iter().all(|(_, stage)| stage.is_ready())
            && let Some(kind) = missing
            && let Some(scene) = scenes.0.get(kind.id())
        {
            self.stages.push((kind.id(), SceneView::new(*kind, scene.play)));
        }
    }

    fn stage(&mut self, game: &str) -> Option<&mut SceneView> {
        self.stages.iter_mut().find(|(id, _)| *id == game).map(|(_, stage)| stage)
    }

    /// Notes that the card of a game is looked at; one under the pointer goes before one with the focus.
    pub fn look_at(&mut self, game: &'static str, hovered: bool) {
        if self.next.is_none_or(|(_, before)| hovered || !before) {
            self.next = Some((game, hovered));
        }
    }

    /// Paints the match of a game. Returns whether there was anything to paint.
    pub fn paint(
        &mut self,
        painter: &egui::Painter,
        rect: egui::Rect,
        palette: &Palette,
        pieces: &Pieces,
        game: &str,
    ) -> bool {
        let runs = self.runs && self.looked_at.is_some_and(|(at, _)| at == game);
        let seconds = if runs { self.seconds } else { 0.0 };
        self.stage(game).is_some_and(|stage| stage.paint(painter, rect, palette, pieces, seconds))
    }
}
