//! Where the manual is.

use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::Resource;
use bevy_egui::egui;
#[cfg(not(target_arch = "wasm32"))]
use outwit_core::platform::paths::installed_file;
use std::path::{Path, PathBuf};

/// The first page, in the folder where `tools/package` lays out the program.
#[cfg(not(target_arch = "wasm32"))]
const INSTALLED: &str = "share/doc/outwit/manual/index.html";

/// The manual's first page, if it was installed with the program; in a browser its address.
#[derive(Resource)]
pub struct Manual(Option<PathBuf>);

impl Manual {
    /// Looks for it in the folder where this program was installed, or beside the page.
    pub fn find() -> Self {
        #[cfg(target_arch = "wasm32")]
        return Self(Some(beside(&outwit_core::platform::page::address()).into()));
        #[cfg(not(target_arch = "wasm32"))]
        Self(installed_file(INSTALLED))
    }
}

/// The address of the manual that lies beside the page with this one.
#[cfg(any(target_arch = "wasm32", test))]
fn beside(page: &str) -> String {
    let path = page.split('?').next().unwrap_or_default();
    let folder = path.rsplit_once('/').map_or(path, |(folder, _)| folder);
    format!("{folder}/manual/")
}

/// Says where the manual is.
pub fn place(ui: &mut egui::Ui, manual: &Manual) {
    widgets::section(ui, "Manual");
    ui.add_space(space::SMALL);
    let Some(path) = &manual.0 else {
        ui.label(
            "The manual tells all rules, file formats and commands. The packages install it; in the sources it is in the \
             folder docs/manual.",
        );
        return;
    };
    let page = path.display().to_string();
    ui.label("All rules, file formats and commands, as web pages in your browser:");
    ui.label(&page);
    let id = ui.id().with("no browser");
    let mut failed = ui.data(|data| data.get_temp(id).unwrap_or_default());
    ui.horizontal_wrapped(|ui| {
        if ui.button("Open the manual").clicked() {
            // Always this page, whatever files were read.
            failed = !open_page(path);
        }
        if ui.button("Copy path").clicked() {
            ui.ctx().copy_text(page.clone());
        }
    });
    ui.data_mut(|data| data.insert_temp(id, failed));
    if failed {
        widgets::hint(
            ui,
            "No program can open it. Paste the path into the address bar of a \
                           browser.",
        );
    }
}

/// Opens a page in the browser; returns whether one was found.
#[cfg(not(target_arch = "wasm32"))]
fn open_page(page: &Path) -> bool {
    open::that_detached(page).is_ok()
}

/// Opens the manual in another tab.
#[cfg(target_arch = "wasm32")]
fn open_page(page: &Path) -> bool {
    outwit_core::platform::page::open(&page.to_string_lossy());
    true
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::shell::settings::Motion;
    use crate::app::shell::{fonts, theme};
    use outwit_ui_test::Harness;
    use outwit_ui_test::kittest::Queryable;

    fn window(manual: Option<&str>) -> Harness<'static> {
        let manual = Manual(manual.map(PathBuf::from));
        let mut dressed = false;
        let mut window = Harness::new_ui(move |ui| {
            if dressed {
                return place(ui, &manual);
            }
            ui.ctx().set_fonts(fonts::definitions(None));
            ui.ctx().set_global_style(theme::style(&theme::DARK, Motion::Off));
            dressed = true;
        });
        window.run_steps(2);
        window
    }

    #[test]
    fn the_path_of_an_installed_manual_can_be_copied() {
        let page = "/usr/share/doc/outwit/manual/index.html";
        let mut window = window(Some(page));
        assert!(window.query_by_label(page).is_some());
        window.get_by_label("Copy path").click();
        window.step();
        let copied =
            window.output().platform_output.commands.iter().any(
                |command| matches!(command, egui::OutputCommand::CopyText(text) if text == page),
            );
        assert!(copied);
    }

    #[test]
    fn the_manual_of_the_page_lies_beside_it() {
        for page in ["https://a.b/outwit/", "https://a.b/outwit/index.html?from=/x"] {
            assert_eq!(beside(page), "https://a.b/outwit/manual/");
        }
    }

    #[test]
    fn without_an_installed_manual_the_help_says_where_to_find_it() {
        let window = window(None);
        assert!(window.query_by_label_contains("docs/manual").is_some());
        assert!(window.query_by_label("Copy path").is_none());
    }
}
