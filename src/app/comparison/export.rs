//! The results of a comparison as files: a table, or a page with plots.

use super::Comparison;
use crate::app::shell::file_choice::{ExportDialog, exported};
use crate::app::shell::notice::Notice;
use bevy_egui::egui;
use outwit_core::levels::write;
use outwit_headless::report::comparison_report;
use outwit_kit::{ComparisonRow, comparison_csv};

/// The kinds of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComparisonFile {
    /// One row per level and solver.
    Table,
    /// Everything on a page with plots.
    Page,
}

impl ComparisonFile {
    /// What such a file of a game is called unless somebody chooses another name.
    pub fn file_name(self, game: &str) -> String {
        match self {
            ComparisonFile::Table => format!("{game}-comparison.csv"),
            ComparisonFile::Page => format!("{game}-comparison.html"),
        }
    }

    /// What it writes of the results so far.
    pub fn text(self, state: &Comparison) -> String {
        match self {
            ComparisonFile::Table => comparison_csv(&state.rows),
            ComparisonFile::Page => comparison_report(state.kind, &by_id(state)),
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

/// Shows the dialog; returns a message once a file was written, or could not be.
pub fn show(
    ctx: &egui::Context,
    dialog: &mut Option<ExportDialog<ComparisonFile>>,
    state: &Comparison,
) -> Option<Notice> {
    let (what, file) = ExportDialog::show(dialog, ctx)?;
    Some(exported(write(&file, what.text(state).as_bytes()), &file))
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
        let table = ComparisonFile::Table.text(&state);
        assert_eq!(table.lines().count(), 3, "{table}");
        let page = ComparisonFile::Page.text(&state);
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg"), "{page}");
        for planner in ["best", "greedy"] {
            assert!(table.contains(planner) && page.contains(planner), "{planner}");
        }
        assert!(table.contains("Closet"), "{table}");
        assert!(page.contains("--level pukoban/11-closet "), "it can be run again: {page}");
        assert_eq!(ComparisonFile::Page.file_name("pukoban"), "pukoban-comparison.html");
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
