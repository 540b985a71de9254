//! Export of results to files.

use super::ScreenRequests;
use super::matrix::Matrix;
use super::screen::TournamentScreen;
use crate::app::shell::file_choice::{ExportDialog, exported};
use crate::app::shell::notice::Notice;
use crate::app::shell::seats::seat_title;
use bevy_egui::egui;
use egui_phosphor::regular as icon;
use outwit_core::escape::escaped_json;
use outwit_core::levels::{StoreError, write};
use outwit_core::platform::file_name::file_stem;
use outwit_core::tournament::{Contest, Scoreboard};
use outwit_headless::report::{payoff_chart, tournament_report};
use outwit_kit::tournament::{csv, game_rows, line_up_rows, report};
use outwit_kit::{DynGame, FaultyLevel};
use std::path::PathBuf;

/// Why results are not exported.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// No game is finished.
    #[error("There are no results.")]
    None,
    /// The level of the tournament has problems.
    #[error(transparent)]
    Level(#[from] FaultyLevel),
    /// They cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The file cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The kinds of export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportKind {
    /// One row per pairing.
    Table,
    /// One row per game.
    Games,
    /// Everything.
    Json,
    /// Everything on a page with plots.
    Page,
    /// The mean scores with their intervals.
    Chart,
    /// What is shown, as a picture of the window.
    Picture,
}

impl ExportKind {
    /// What such a file of a contest is called unless somebody chooses another name.
    pub fn file_name(self, contest: &Contest) -> String {
        let level = file_stem(&contest.level.id, "level");
        match self {
            ExportKind::Table => format!("{level}-table.csv"),
            ExportKind::Games => format!("{level}-games.csv"),
            ExportKind::Json => format!("{level}-results.json"),
            ExportKind::Page => format!("{level}-report.html"),
            ExportKind::Chart => format!("{level}-chart.svg"),
            ExportKind::Picture => format!("{level}-results.png"),
        }
    }

    /// What it writes of a game's results, and of the scores of which seat; a picture is not made of them.
    ///
    /// # Errors
    /// If the results cannot be added up.
    pub fn text(
        self,
        kind: &dyn DynGame,
        board: &Scoreboard,
        seat: usize,
    ) -> Result<String, ResultsError> {
        match self {
            ExportKind::Table => Ok(csv(&line_up_rows(kind, board)?)),
            ExportKind::Games => Ok(csv(&game_rows(kind, board))),
            ExportKind::Page => Ok(tournament_report(kind, board, &|_| None, &|_| None, false)?),
            ExportKind::Chart | ExportKind::Picture => {
                payoff_chart(kind, board, seat).ok_or(ResultsError::None)
            }
            ExportKind::Json => {
                let document = serde_json::to_string_pretty(&report(kind, board)?)? + "\n";
                Ok(escaped_json(&document).into_owned())
            }
        }
    }
}

/// The button that opens the export menu, enabled once a game is finished; the choice goes to
/// `requests`.
pub fn button(ui: &mut egui::Ui, screen: &TournamentScreen, requests: &mut ScreenRequests) {
    let any = screen.shown.as_ref().is_some_and(|shown| shown.board.finished() > 0);
    ui.add_enabled_ui(any, |ui| {
        ui.menu_button(format!("{}  Export", icon::EXPORT), |ui| {
            let copy = ui.button("Copy this table").on_hover_text(
                "The table of the shown view as text, for a spreadsheet or a document",
            );
            if let Some(shown) = screen.shown.as_ref().filter(|_| copy.clicked()) {
                let score = screen.kind.facts().score;
                let text = Matrix::new(shown, &seat_title(score.name), score.better).text();
                ui.ctx().copy_text(text);
                requests.notices.push(Notice::info("Table copied."));
                ui.close();
            }
            let picture = ui.button("Copy as a picture");
            if picture.on_hover_text("The shown table or chart as a picture").clicked() {
                requests.copies_picture = true;
                ui.close();
            }
            for (what, words, about) in [
                (ExportKind::Picture, "Picture as PNG", "The shown table or chart as it is seen"),
                (ExportKind::Chart, "Chart as SVG", "Means with intervals, for documents"),
                (ExportKind::Page, "Report as HTML", "A page with tables, intervals and plots"),
                (ExportKind::Table, "Table as CSV", "One row per pairing"),
                (ExportKind::Games, "Games as CSV", "One row per game"),
                (ExportKind::Json, "Results as JSON", "Table, matrix, paired differences, ratings"),
            ] {
                if ui.button(words).on_hover_text(about).clicked() {
                    requests.export = Some(what);
                    ui.close();
                }
            }
        });
    });
}

/// Shows the dialog; returns a message once it is done, or the file for a picture of the results.
pub fn show(
    ctx: &egui::Context,
    dialog: &mut Option<ExportDialog<ExportKind>>,
    screen: &TournamentScreen,
) -> (Option<Notice>, Option<PathBuf>) {
    let Some((what, file)) = ExportDialog::show(dialog, ctx) else { return (None, None) };
    if what == ExportKind::Picture {
        return (None, Some(file));
    }
    let written = screen.shown.as_ref().ok_or(ResultsError::None).and_then(|shown| {
        let text = what.text(screen.kind, &shown.board, shown.options.seat)?;
        Ok(write(&file, text.as_bytes())?)
    });
    (Some(exported(written, &file)), None)
}
