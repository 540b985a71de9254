//! Notices: short messages that a screen or a service shows the user.

use bevy::prelude::*;
use std::fmt::Display;

/// The kind of a notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoticeKind {
    /// A success, or other information.
    Info,
    /// An error, which stays longer.
    Error,
}

/// A message that shows a notice.
#[derive(Message, Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// Its text, in one or two sentences.
    pub text: String,
    /// Its kind.
    pub kind: NoticeKind,
}

impl Notice {
    /// A success, or other information.
    pub fn info(text: impl Display) -> Self {
        Self { text: text.to_string(), kind: NoticeKind::Info }
    }

    /// A failure that the person should know of.
    pub fn error(text: impl Display) -> Self {
        Self { text: text.to_string(), kind: NoticeKind::Error }
    }
}
