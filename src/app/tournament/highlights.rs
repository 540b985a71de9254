//! The best moments of a tournament, looked for in the background, each to be watched.

use super::results_view::{ResultsState, player_title};
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, RichText, Ui};
use egui_phosphor::regular as icon;
use outwit_core::levels::capitalised;
use outwit_core::platform::task::Task;
use outwit_core::tournament::{FinishedGame, Scoreboard};
use outwit_kit::DynGame;
use outwit_kit::tournament::{Moment, Moments, best_moments};

/// Turning points that are listed.
const MOST: usize = 8;
/// Width of the button of a row, in points.
const WATCH: f32 = 96.0;

/// The best moments of the games that were finished when they were looked for.
pub struct Highlights {
    games: usize,
    task: Task<Result<Moments, String>>,
}

impl Highlights {
    /// Begins to look for the best moments of a tournament's finished games.
    pub fn find(kind: &'static dyn DynGame, board: &Scoreboard) -> Self {
        let (board, games) = (board.clone(), board.finished());
        let task = Task::begin(move |context| {
            let mut done = 0;
            let mut looked = || {
                done += 1;
                context.progress(done as f32 / games.max(1) as f32);
            };
            best_moments(kind, &board, MOST, context.stop(), &mut looked)
        });
        Self { games, task }
    }

    /// Whether they are still looked for.
    pub fn is_busy(&self) -> bool {
        !self.task.is_done()
    }
}

/// Shows the moments, or how far the search for them is. Returns the game to watch and the turn to begin with, if one
/// was chosen; `busy` while another one is being prepared.
pub fn show(
    ui: &mut Ui,
    kind: &'static dyn DynGame,
    shown: &mut ResultsState,
    (running, busy): (bool, bool),
) -> Option<(FinishedGame, usize)> {
    if running {
        widgets::hint(ui, "Highlights appear once the tournament has ended.");
        return None;
    }
    let found = match &shown.highlights {
        None => {
            widgets::hint(
                ui,
                "Where the games turned most, and which were over soonest. All games are looked at, which \
                 takes a while.",
            );
            ui.add_space(space::SMALL);
            if widgets::primary_button(ui, "Find highlights").clicked() {
                shown.highlights = Some(Highlights::find(kind, &shown.board));
            }
            return None;
        }
        Some(highlights) if highlights.is_busy() => {
            let progress = highlights.task.progress();
            let cancel = ui.horizontal(|ui| {
                let bar = egui::ProgressBar::new(progress).desired_width(240.0);
                ui.add(bar.show_percentage());
                ui.button("Cancel").clicked()
            });
            // Dropping the task stops it.
            if cancel.inner {
                shown.highlights = None;
            }
            return None;
        }
        Some(highlights) => highlights,
    };
    let newer = shown.board.finished() > found.games;
    let mut again = false;
    let watched = match found.task.get() {
        Some(Ok(moments)) => {
            list(ui, kind, moments, &|name| player_title(&shown.board, name), busy)
        }
        Some(Err(why)) => failed(ui, why),
        None => failed(ui, found.task.failure().unwrap_or("it was stopped")),
    };
    if newer {
        ui.add_space(space::MEDIUM);
        ui.horizontal(|ui| {
            widgets::hint(ui, "More games have been finished since.");
            again = ui.button("Look again").clicked();
        });
    }
    if again {
        shown.highlights = Some(Highlights::find(kind, &shown.board));
    }
    watched
}

fn failed(ui: &mut Ui, why: &str) -> Option<(FinishedGame, usize)> {
    widgets::fault(ui, format!("Highlights could not be found: {why}."));
    None
}

/// The moments in two lists.
fn list(
    ui: &mut Ui,
    kind: &dyn DynGame,
    moments: &Moments,
    name: &dyn Fn(&str) -> String,
    busy: bool,
) -> Option<(FinishedGame, usize)> {
    let mut watched = None;
    let games = widgets::counted(moments.looked_at as u64, "game");
    let about = "Who was ahead before and after: 0 % is lost, 100 % is won.";
    for (title, about, none, list) in [
        ("Turning points", about, format!("None in {games}."), &moments.swings),
        ("Over soonest", "", "No game was won.".to_owned(), &moments.quickest),
    ] {
        widgets::section(ui, title);
        let words = if list.is_empty() { none.as_str() } else { about };
        if !words.is_empty() {
            widgets::hint(ui, words);
        }
        for moment in list {
            if row(ui, moment, &moment.words(kind, &name), name, busy) {
                watched = Some((moment.game.clone(), *moment.turns.start()));
            }
        }
        ui.add_space(space::MEDIUM);
    }
    for problem in &moments.problems {
        widgets::hint(ui, format!("Turning points of some games are not known: {problem}."));
    }
    watched
}

/// A moment; returns whether it is to be watched.
fn row(
    ui: &mut Ui,
    moment: &Moment,
    words: &str,
    name: &dyn Fn(&str) -> String,
    busy: bool,
) -> bool {
    let mut watch = false;
    ui.horizontal(|ui| {
        let width = (ui.available_width() - WATCH - space::MEDIUM).max(80.0);
        ui.vertical(|ui| {
            ui.set_width(width);
            ui.spacing_mut().item_spacing.y = 0.0;
            let words = capitalised(words);
            ui.add(egui::Label::new(RichText::new(words).text_style(text::strong())).truncate());
            let players: Vec<String> =
                moment.game.players.iter().map(|player| name(player)).collect();
            let words = format!("{}, seed {}", players.join(" vs "), moment.game.seed);
            let words = RichText::new(words).color(palette(ui).faint.egui());
            ui.add(egui::Label::new(words).truncate());
        });
        let button = egui::Button::new(format!("{}  Watch", icon::EYE)).small();
        let tip = "Watch the replay of this game from here";
        watch = ui.add_enabled(!busy, button).on_hover_text(tip).clicked();
    });
    ui.separator();
    watch
}
