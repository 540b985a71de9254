//! The results of a comparison as files: a table, or a page with plots.

use super::Comparison;
use crate::app::shell::file_choice;
use crate::app::shell::notice::Notice;
use bevy_egui::egui;
use egui_file_dialog::{DialogState, FileDialog};
use outwit_core::levels::write;
use outwit_headless::report::comparison_report;
use outwit_kit::{ComparisonRow, comparison_csv};

/// The kinds of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportKind {
    /// One row per level and solver.
    Table,
    /// Everything on a page with plots.
    Page,
}

impl ExportKind {
    fn file_name(self, game: &str) -> String {
        match self {
            ExportKind::Table => format!("{game}-comparison.csv"),
            ExportKind::Page => format!("{game}-comparison.html"),
        }
    }

    /// What it writes of the results so far.
    pub fn text(self, state: &Comparison) -> String {
        match self {
            ExportKind::Table => comparison_csv(&state.rows),
            ExportKind::Page => comparison_report(state.kind, &by_id(state)),
        }
    }
}

/// The results with the ids of the levels, which the commands of a report name, instead of what people call them.
fn by_id(state: &Comparison) -> Vec<ComparisonRow> {
    let id = |name: &str| {
        let mut called = state.levels.iter().filter(|level| level.name == name);
        match (called.next(), called.next()) {
            (Some(level), None) => level.entry.id.clone(),
            _ => name.to_owned(),
        }
    };
    state.rows.iter().map(|row| ComparisonRow { level: id(&row.level), ..row.clone() }).collect()
}

/// The dialog that asks where to save a file.
pub struct ExportDialog {
    what: ExportKind,
    files: FileDialog,
}

impl ExportDialog {
    /// A dialog with a suggested name for the results of a game's solvers.
    pub fn new(what: ExportKind, game: &str) -> Self {
        let mut files =
            file_choice::to_write().title("Export").default_file_name(&what.file_name(game));
        files.save_file();
        Self { what, files }
    }
}

/// Shows the dialog; returns a message once a file was written, or could not be.
pub fn show(
    ctx: &egui::Context,
    dialog: &mut Option<ExportDialog>,
    state: &Comparison,
) -> Option<Notice> {
    let open = dialog.as_mut()?;
    open.files.update(ctx);
    let what = open.what;
    let Some(path) = open.files.take_picked() else {
        if !matches!(open.files.state(), DialogState::Open) {
            *dialog = None;
        }
        return None;
    };
    *dialog = None;
    Some(match write(&path, what.text(state).as_bytes()) {
        Ok(()) => Notice::info(format!("Exported to {}", path.display())),
        Err(why) => Notice::error(format!("Could not export. {why}")),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::table::tests::row;
    use super::*;
    use outwit_headless::find;
    use outwit_levels::Entry;

    #[test]
    fn a_comparison_is_saved_as_a_table_or_as_a_page() {
        let mut state = Comparison::new(find("pukoban").unwrap(), None);
        state.rows =
            vec![row("Closet", "best", 30, Some(7.0)), row("Closet", "greedy", 10, Some(9.0))];
        let table = ExportKind::Table.text(&state);
        assert_eq!(table.lines().count(), 3, "{table}");
        let page = ExportKind::Page.text(&state);
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg"), "{page}");
        for planner in ["best", "greedy"] {
            assert!(table.contains(planner) && page.contains(planner), "{planner}");
        }
        assert!(table.contains("Closet"), "{table}");
        assert!(page.contains("--level pukoban/11-closet "), "it can be run again: {page}");
        assert_eq!(ExportKind::Page.file_name("pukoban"), "pukoban-comparison.html");
    }

    #[test]
    fn the_level_that_was_selected_is_compared_on() {
        let kind = find("pukoban").unwrap();
        let chosen = |wanted: Option<&Entry>| -> Vec<String> {
            let state = Comparison::new(kind, wanted);
            let chosen = state.levels.iter().filter(|level| level.chosen);
            chosen.map(|level| level.entry.id.clone()).collect()
        };
        let level = outwit_levels::built_in("pukoban/11-closet").unwrap();
        assert_eq!(chosen(Some(&level)), ["pukoban/11-closet"]);
        assert_eq!(chosen(None).len(), 3);
        let other = outwit_levels::built_in("racetrack/tiny").unwrap();
        assert_eq!(chosen(Some(&other)), chosen(None));
    }
}
