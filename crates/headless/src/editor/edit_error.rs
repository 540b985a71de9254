//! Why the level stays as it is.

use super::tool::Tool;

/// Why an operation on the level does nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// There is nothing to paste.
    #[error("nothing was copied")]
    NothingCopied,
    /// The text to paste is empty.
    #[error("there are no cells on the clipboard")]
    NoCells,
    /// The text to paste has more rows or columns than this.
    #[error("the text is larger than {0} by {0} cells")]
    TextTooLarge(usize),
    /// The text to paste has a character that the game does not know.
    #[error("line {line}, column {column}: unknown character '{}'", character.escape_default())]
    UnknownInText {
        /// Its line, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
        /// The character.
        character: char,
    },
    /// The cell has a character that the game does not know.
    #[error("unknown character '{0}'")]
    UnknownInMap(char),
    /// The game does not allow this size.
    #[error("width and height must be between {least} and {most} cells")]
    Size {
        /// The shortest side, in cells.
        least: usize,
        /// The longest side, in cells.
        most: usize,
    },
    /// There is nothing to crop to.
    #[error("the map is empty")]
    EmptyMap,
    /// The cell is not on the map.
    #[error("this is outside the map")]
    Outside,
    /// The tool needs a tile.
    #[error("no tile is selected")]
    NoTile,
    /// The tool cannot draw with a piece, which has this name.
    #[error(
        "'{0}' is a piece: place it with {paint} or {grab}",
        paint = Tool::Paint.info().name,
        grab = Tool::Move.info().name
    )]
    Piece(&'static str),
    /// There is no piece to move, and none to place.
    #[error("there is no piece here, and none is selected")]
    NoPiece,
    /// There is no rule of this index.
    #[error("unknown rule")]
    UnknownRule,
    /// The rule cannot have this value, in the words of the game.
    #[error("{0}")]
    Rule(String),
}

impl From<EditError> for String {
    fn from(error: EditError) -> Self {
        error.to_string()
    }
}
