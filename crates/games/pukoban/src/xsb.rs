//! Levels of Sokoban programs: XSB and SOK text, whole collections in one file.
//!
//! A board is a run of lines of board characters. Its title is the line before it, or a line right
//! below it, or a `Title:` line; `Author:` and `Comment:` are understood too. A comment of several
//! lines ends at `Comment-End:` or before the next board, since many files lack the former. Rows may be
//! written in the run-length form. See the Sokoban wiki's pages on the level format. Bytes that are not
//! UTF-8 are read as Windows-1252, in which many old collections are written. Boards of other games, which
//! a line such as `Variant: Hexoban` names, are not read.

mod blocks;
mod lines;

use super::Pukoban;
use super::level::{FORMAT, PukobanFile, PukobanRules, Tile};
use blocks::{Block, Board, Line, Paragraph, Reader, Skipped, blocks};
use outwit_core::escape::is_visible;
use outwit_core::levels::{Fault, MAX_ABOUT, MAX_AUTHOR, MAX_NAME, RuleSet, cut, decoded};
use outwit_kit::{Converted, ForeignFormats};

/// XSB and SOK files.
pub(super) const FORMATS: ForeignFormats<Pukoban> = ForeignFormats {
    endings: &["xsb", "sok"],
    content: "boards of Sokoban: # for walls, @ for the player, $ for boxes, . for goals",
    read,
    score,
    title,
    skipped,
    write: |level, _| Some(write(level)),
};

/// What a file says of a level, or of all.
#[derive(Clone, Default)]
struct Notes {
    /// From a `Title:` line.
    title: Option<String>,
    /// From a line above or below the board.
    caption: Option<String>,
    author: Option<String>,
    comment: Option<String>,
    /// The game, from a line `Variant:` or `Game:`.
    variant: Option<String>,
}

impl Notes {
    fn take(&mut self, line: &Line) {
        let Line::Pair(key, value) = line else { return };
        let slot = match key.as_str() {
            "title" => &mut self.title,
            "author" => &mut self.author,
            "comment" => &mut self.comment,
            "variant" | "game" => &mut self.variant,
            _ => return,
        };
        if slot.is_none() && !value.is_empty() {
            *slot = Some(value.clone());
        }
    }
}

/// Whether a line names the game of boards.
fn is_variant(line: &Line) -> bool {
    named(line).is_some_and(|(key, _)| matches!(key, "variant" | "game"))
}

/// Whether a line of text is a solution and so no title.
fn is_solution(text: &str) -> bool {
    text.len() >= 8 && text.chars().all(|c| "udlrUDLR0123456789() ".contains(c))
}

/// The last line of a paragraph, if it can be a title.
fn caption_in(paragraph: &[Line]) -> Option<&str> {
    match paragraph.last() {
        Some(Line::Text(text)) if !text.is_empty() && !is_solution(text) => Some(text),
        _ => None,
    }
}

/// The boards with what is said of each.
///
/// Pairs belong to the board before them, unless they stand right above another. A caption belongs to
/// the board that it stands right below, and otherwise to the next one.
fn annotated(blocks: Vec<Block>) -> Vec<(Board, Notes)> {
    let mut levels: Vec<(Board, Notes)> = Vec::new();
    let mut collection = Notes::default();
    let mut coming = Notes::default();
    let mut blocks = blocks.into_iter().peekable();
    while let Some(block) = blocks.next() {
        let is_first = levels.is_empty();
        let Paragraph { lines, below, above } = match block {
            Block::Paragraph(paragraph) => paragraph,
            Block::Board(board) => {
                levels.push((board, std::mem::take(&mut coming)));
                continue;
            }
        };
        let owner = match levels.last_mut() {
            Some((_, notes)) if below || !above => notes,
            _ if above => &mut coming,
            _ => &mut collection,
        };
        lines.iter().for_each(|line| owner.take(line));
        if is_first {
            // Of all boards, also where no blank line parts it from the first.
            lines.iter().filter(|line| is_variant(line)).for_each(|line| collection.take(line));
        }
        let Some(caption) = caption_in(&lines) else { continue };
        match levels.last_mut() {
            Some((_, notes)) if below && !above => notes.caption = Some(caption.into()),
            _ if matches!(blocks.peek(), Some(Block::Board(_))) => {
                coming.caption = Some(caption.into());
            }
            _ => {}
        }
    }
    for (_, notes) in &mut levels {
        notes.author = notes.author.take().or_else(|| collection.author.clone());
        notes.variant = notes.variant.take().or_else(|| collection.variant.clone());
    }
    if let [(_, only)] = levels.as_mut_slice() {
        only.title = only.title.take().or(collection.title);
    }
    levels
}

/// Whether a game of this name has the boards of Sokoban, in which a box moves from a square to one beside it.
fn has_square_boards(game: &str) -> bool {
    let first = game.split_whitespace().next().unwrap_or_default();
    ["sokoban", "pukoban"].iter().any(|known| first.eq_ignore_ascii_case(known))
}

/// The boards of a text with what is said of each, and what was skipped.
struct Collection {
    boards: Vec<(Board, Notes)>,
    reader: Reader,
}

impl Collection {
    /// Those of a text; a board of another game is one that cannot be read.
    ///
    /// # Errors
    /// If no board can be read, or the file is too large.
    fn read(text: &str) -> Result<Self, Vec<Fault>> {
        let mut reader = blocks(text)?;
        let mut boards = annotated(std::mem::take(&mut reader.blocks));
        let mut others = Vec::new();
        for (board, notes) in &mut boards {
            let Some(game) = notes.variant.as_ref().filter(|game| !has_square_boards(game)) else {
                continue;
            };
            let what = format!("this is a board of {game}, and only those of Sokoban can be read");
            let ((first, last), fault) = (board.lines, Fault::text(board.lines.0, 1, what));
            others.push(fault.clone());
            if board.fault.is_none() {
                board.rows.clear();
                board.fault = Some(fault.clone());
                reader.skip(Skipped { first, last, what: "a board", why: Some(fault) });
            }
        }
        let is_read = |(board, _): &(Board, Notes)| board.fault.is_none();
        match others.first() {
            Some(first) if !boards.iter().any(is_read) => {
                Err(vec![first.clone().counted(others.len())])
            }
            _ => Ok(Self { boards, reader }),
        }
    }
}

/// Reads all levels of a text; `None` if there is no board in it. Levels without a title are called
/// after `stem`, the name of the file. Beside others, a board that cannot be read becomes a level that
/// cannot be played, so that all keep their numbers.
pub fn read(bytes: &[u8], stem: &str) -> Option<Result<Vec<PukobanFile>, Vec<Fault>>> {
    match Collection::read(&decoded(bytes)?) {
        Ok(Collection { boards, .. }) => (!boards.is_empty()).then(|| Ok(levels(boards, stem))),
        Err(faults) => Some(Err(faults)),
    }
}

fn levels(boards: Vec<(Board, Notes)>, stem: &str) -> Vec<PukobanFile> {
    let count = boards.len();
    // Wide enough that the names sort in the order of the file.
    let digits = count.to_string().len();
    let mut levels = Vec::new();
    for (number, (board, notes)) in boards.into_iter().enumerate() {
        let width = board.rows.iter().map(Vec::len).max().unwrap_or(0);
        let row = |row: &Vec<char>| {
            row.iter()
                .copied()
                .chain(std::iter::repeat(Tile::Floor.to_char()))
                .take(width)
                .collect()
        };
        let name = match (notes.title, notes.caption) {
            (Some(title), _) if is_visible(&title) => title,
            // A number alone says nothing among the levels of other files.
            (_, Some(caption)) if caption.chars().all(|c| c.is_ascii_digit()) => {
                format!("{stem} {caption:0>digits$}")
            }
            (_, Some(caption)) if is_visible(&caption) => caption,
            _ if count > 1 => format!("{stem} {:0digits$}", number + 1),
            _ => stem.to_owned(),
        };
        let short_name = cut(&name, MAX_NAME);
        let mut about = notes.comment.unwrap_or_default();
        if short_name != name {
            // Often this is no title, but a sentence about the level.
            about = format!("{name}\n{about}");
        }
        levels.push(PukobanFile {
            format: FORMAT.into(),
            name: short_name,
            author: cut(&notes.author.unwrap_or_default(), MAX_AUTHOR),
            about: cut(about.trim_end(), MAX_ABOUT),
            rules: PukobanRules::default(),
            map: board.rows.iter().map(row).collect(),
        });
    }
    levels
}

/// What a file of several boards calls itself: the value of its first line `Collection:` or `Set:`, or a title that
/// belongs to none of its boards.
pub fn title(bytes: &[u8]) -> Option<String> {
    let blocks = blocks(&decoded(bytes)?).ok()?.blocks;
    let first_board = blocks.iter().position(|block| matches!(block, Block::Board(_)))?;
    let mut title = None;
    for (at, block) in blocks.iter().enumerate() {
        let Block::Paragraph(paragraph) = block else { continue };
        let pairs = paragraph.lines.iter().filter_map(named).filter(|(_, value)| !value.is_empty());
        for (key, value) in pairs {
            match key {
                "collection" | "set" => return Some(value.to_owned()),
                "title" if at < first_board && !paragraph.above && title.is_none() => {
                    title = Some(value.to_owned());
                }
                _ => {}
            }
        }
    }
    title
}

/// Key and value of a line that has them.
fn named(line: &Line) -> Option<(&str, &str)> {
    match line {
        Line::Pair(key, value) => Some((key, value)),
        _ => None,
    }
}

/// What [`read`] skips though it looks like a board or part of one, with its lines.
pub fn skipped(bytes: &[u8]) -> Vec<String> {
    let read = decoded(bytes).and_then(|text| Collection::read(&text).ok());
    let Some(Collection { reader, .. }) = read else { return Vec::new() };
    let said = |Skipped { first, last, what, why }: &Skipped| {
        let lines = match first == last {
            true => format!("line {first}"),
            false => format!("lines {first} to {last}"),
        };
        let why = why.as_ref().map_or_else(String::new, |why| format!(": {why}"));
        format!("{what} ({lines}){why}")
    };
    let mut said: Vec<String> = reader.skipped.iter().map(said).collect();
    if let more @ 1.. = reader.more_skipped {
        said.push(format!("rows in {more} more places"));
    }
    said
}

/// How likely the bytes are such a text, from 0 to 1.
pub fn score(bytes: &[u8], ending: &str) -> f32 {
    let named = ["xsb", "sok"].iter().any(|known| ending.eq_ignore_ascii_case(known));
    let is_whole = |(board, _): &(Board, Notes)| {
        board.fault.is_none() && board.has(Tile::is_player) && board.has(Tile::is_box)
    };
    let read = decoded(bytes).and_then(|text| Collection::read(&text).ok());
    let found = read.is_some_and(|read| read.boards.iter().any(is_whole));
    match (named, found) {
        (true, true) => 0.99,
        (true, false) => 0.6,
        // Below a plain map of another game that fits to the last character.
        (false, true) => 0.89,
        (false, false) => 0.0,
    }
}

/// A value that a line can hold, and whether something of it was lost.
fn one_line(value: &str) -> (String, bool) {
    let is_gap = |symbol: char| symbol.is_whitespace() || symbol == '\0';
    let words = value.split(is_gap).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    let lost = line != value;
    (line, lost)
}

/// Writes a level as XSB text, with floor as `-`.
pub fn write(level: &PukobanFile) -> Converted {
    let mut text = String::new();
    for row in &level.map {
        text.extend(row.chars().map(|c| Tile::from_char(c).map_or(c, Tile::to_char)));
        text.push('\n');
    }
    text.push('\n');
    let mut lost = Vec::new();
    for (key, what, value) in [
        ("Title", "the exact name", &level.name),
        ("Author", "the exact author", &level.author),
        ("Comment", "the line breaks and spaces of the description", &level.about),
    ] {
        let (line, changed) = one_line(value);
        if !line.is_empty() {
            text += &format!("{key}: {line}\n");
        }
        if changed {
            lost.push(what.to_owned());
        }
    }
    let rules: Vec<_> = level.rules.changes().into_iter().map(|(key, _)| key).collect();
    if !rules.is_empty() {
        lost.push(format!("the rules {}", rules.join(", ")));
    }
    Converted { bytes: text.into_bytes(), lost }
}

#[cfg(test)]
mod tests;
