//! Unsaved work from an earlier session.

use super::open_document::{OpenError, read_level};
use crate::app::shell::when::ago;
use outwit_headless::editor::{AbandonedDraft, EditorModel, LevelPath, RecoveredDraft};

/// Unsaved work from an earlier session, as it is offered.
pub struct Recovered {
    /// The draft.
    pub draft: AbandonedDraft,
    /// Which level it is and when it was written, or why it cannot be read.
    pub label: String,
    /// Whether it can be recovered.
    pub is_readable: bool,
}

impl Recovered {
    /// Reads a draft that was not saved, to offer it by name, game and age, or with the reason why it
    /// cannot be read.
    pub fn new(draft: AbandonedDraft) -> Self {
        let age = draft.when.map(|when| format!(", {}", ago(when))).unwrap_or_default();
        let opened = draft.draft.clone();
        let opened = opened.and_then(|draft| open_draft(&draft).map_err(|error| error.to_string()));
        let is_readable = opened.is_ok();
        let label = match opened {
            Ok((model, _)) => {
                let name = match model.draft().name.trim() {
                    "" => "(no name)",
                    name => name,
                };
                format!("{name} ({}){age}", model.kind().name())
            }
            Err(why) => format!("Cannot be read: {why}"),
        };
        Self { draft, label, is_readable }
    }
}

/// Opens a draft as unsaved work.
///
/// # Errors
/// If its text is not a level.
pub fn open_draft(draft: &RecoveredDraft) -> Result<(EditorModel, Option<LevelPath>), OpenError> {
    let model = read_level(draft.level.as_bytes(), "draft.ron")?;
    let model = EditorModel::recovered(model.kind(), model.draft().clone(), &draft.steps);
    Ok((model, draft.origin()))
}
