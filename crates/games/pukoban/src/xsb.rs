//! Levels of Sokoban programs: XSB and SOK text and SLC in XML, whole collections in one file.
//!
//! A board is a run of lines of board characters. Its title is the line before it, or a line right
//! below it, or a `Title:` line; `Author:` and `Comment:` are understood too. A comment of several
//! lines ends at `Comment-End:` or before the next board, since many files lack the former. Rows may be
//! written in the run-length form. See the Sokoban wiki's pages on the level format. Bytes that are not
//! UTF-8 are read as Windows-1252 or Windows-1250, in which many old collections are written. Boards of other games,
//! which a line such as `Variant: Hexoban` names, are not read. Boxes are only pushed, as in Sokoban, unless such a line
//! names `Pukoban`.

mod blocks;
mod lines;
mod slc;

use super::Pukoban;
use super::level::{FORMAT, Moves, PukobanFile, PukobanRules, Tile};
use blocks::{Block, Board, Line, Paragraph, Reader, Skipped, blocks};
use outwit_core::escape::is_visible;
use outwit_core::levels::{
    Fault, MAX_ABOUT, MAX_AUTHOR, MAX_NAME, RuleSet, capitalised, cut, decoded,
};
use outwit_kit::{Converted, ForeignFormats, Recorded, guessed_encoding, title_of};
use std::collections::BTreeSet;

/// XSB, SOK and SLC files.
pub(super) const FORMATS: ForeignFormats<Pukoban> = ForeignFormats {
    endings: &["xsb", "sok", "slc"],
    content: "boards of Sokoban: # for walls, @ for the player, $ for boxes, . for goals",
    read,
    score,
    title,
    skipped,
    recorded,
    write: |level, ending| Some(if ending == "slc" { slc::write(level) } else { write(level) }),
    ..ForeignFormats::maps(&[])
};

/// What a file says of a level, or of all.
#[derive(Clone, Default)]
struct Notes {
    /// From a `Title:` line.
    title: Option<String>,
    /// From a line above or below the board.
    caption: Option<Caption>,
    author: Option<String>,
    comment: Option<String>,
    /// The game, from a line `Variant:` or `Game:`.
    variant: Option<String>,
    /// Solutions and snapshots.
    moves: Vec<MoveText>,
}

impl Notes {
    /// Takes a line that is moves or announces some; `false` if it is neither.
    fn take_moves(&mut self, number: usize, line: &Line, announced: &mut Option<String>) -> bool {
        if let Some((title, moves)) = announced_moves(line) {
            if let Some(text) = moves {
                self.moves.push(MoveText::new(title.clone(), number, text));
            }
            *announced = Some(title);
            return true;
        }
        let Line::Text(text) = line else {
            *announced = None;
            return false;
        };
        let is_after = |moves: &&mut MoveText| moves.last_line + 1 == number;
        let is_expected = announced.is_some() && has_only_moves(text);
        if !is_expected && !are_moves(text) {
            *announced = None;
            return false;
        }
        match self.moves.last_mut().filter(is_after) {
            Some(moves) => {
                moves.text.push('\n');
                moves.text += text;
                moves.last_line = number;
            }
            None => {
                let title = announced.clone().unwrap_or_else(|| "Moves".into());
                self.moves.push(MoveText::new(title, number, text));
            }
        }
        true
    }

    /// Takes what a line says; `false` if nothing of it has a place here.
    fn take(&mut self, line: &Line) -> bool {
        let Line::Pair(key, value) = line else { return false };
        let slot = match key.as_str() {
            "title" => &mut self.title,
            "author" => &mut self.author,
            "comment" => &mut self.comment,
            "variant" | "game" => &mut self.variant,
            _ => return false,
        };
        let is_free = slot.is_none();
        if is_free && !value.is_empty() {
            *slot = Some(value.clone());
        }
        is_free
    }
}

/// A line of text that may be a title.
#[derive(Clone)]
struct Caption {
    /// Its number, counted from 1.
    line: usize,
    text: String,
}

/// Moves that a file holds for a level: a solution, or a game that is not over.
#[derive(Clone)]
struct MoveText {
    /// The line above them, such as `Solution`, or what they are.
    title: String,
    /// The numbers of their first and their last line.
    line: usize,
    last_line: usize,
    text: String,
}

impl MoveText {
    /// Moves that begin in this line.
    fn new(title: String, line: usize, text: &str) -> Self {
        Self { title, line, last_line: line, text: text.to_owned() }
    }
}

/// Whether a line names the game of boards.
fn is_variant(line: &Line) -> bool {
    named(line).is_some_and(|(key, _)| matches!(key, "variant" | "game"))
}

/// Whether a line is moves and no title.
fn are_moves(text: &str) -> bool {
    text.len() >= 8 && has_only_moves(text)
}

/// Whether a text has the characters of moves only, at least one of them a move.
fn has_only_moves(text: &str) -> bool {
    text.contains(|c| "udlrUDLR".contains(c))
        && text.chars().all(|c| "udlrUDLR0123456789() ".contains(c))
}

/// The title of the moves that follow, if a line announces some, and those in the line itself.
fn announced_moves(line: &Line) -> Option<(String, Option<&str>)> {
    const HEADS: [&str; 4] = ["solution", "snapshot", "savegame", "saved game"];
    match line {
        Line::Pair(key, value) if HEADS.contains(&key.as_str()) => {
            let (title, rest) = match has_only_moves(value) {
                true => (String::new(), Some(value.as_str())),
                false => (value.clone(), None),
            };
            Some((format!("{} {title}", capitalised(key)).trim_end().to_owned(), rest))
        }
        Line::Text(text) => {
            let lower = text.to_lowercase();
            let head = HEADS.iter().find(|head| lower.starts_with(**head))?;
            // `Solutions are on the next page` is a sentence.
            let is_head = !lower[head.len()..].starts_with(char::is_alphabetic);
            is_head.then(|| (text.clone(), None))
        }
        _ => None,
    }
}

/// The last line of a paragraph, if it can be a title.
fn caption_in(paragraph: &[(usize, Line)]) -> Option<Caption> {
    match paragraph.last() {
        Some((number, line @ Line::Text(text)))
            if !text.is_empty() && !are_moves(text) && announced_moves(line).is_none() =>
        {
            Some(Caption { line: *number, text: text.clone() })
        }
        _ => None,
    }
}

/// What a file says that no level keeps.
#[derive(Default)]
struct Unkept {
    /// The keys of lines, such as `date`.
    keys: BTreeSet<String>,
    /// The numbers of lines of text.
    lines: Vec<usize>,
}

impl Unkept {
    fn put(&mut self, number: usize, line: &Line) {
        match line {
            Line::Pair(key, value) if !value.is_empty() => {
                self.keys.insert(capitalised(key));
            }
            Line::Text(text) if is_visible(text) => self.lines.push(number),
            _ => {}
        }
    }

    /// In words, for people.
    fn listed(&self) -> Vec<String> {
        let mut listed = Vec::new();
        if !self.keys.is_empty() {
            let keys: Vec<_> = self.keys.iter().map(String::as_str).collect();
            listed.push(format!("what it says behind {}", keys.join(", ")));
        }
        match self.lines[..] {
            [] => {}
            [only] => listed.push(format!("text that is no title (line {only})")),
            [first, .., last] => listed.push(format!(
                "text that is no title ({} lines from line {first} to {last})",
                self.lines.len()
            )),
        }
        listed
    }
}

/// The boards with what is said of each, and what else the text says.
///
/// Pairs belong to the board before them, unless they stand right above another. A caption belongs to
/// the board that it stands right below, and otherwise to the next one. Moves belong to the board before them.
fn annotated(blocks: Vec<Block>) -> (Vec<(Board, Notes)>, Unkept) {
    let mut levels: Vec<(Board, Notes)> = Vec::new();
    let mut unkept = Unkept::default();
    let mut collection = Notes::default();
    let mut coming = Notes::default();
    // What the next moves are called, if a line has announced them.
    let mut announced: Option<String> = None;
    let mut blocks = blocks.into_iter().peekable();
    while let Some(block) = blocks.next() {
        let is_first = levels.is_empty();
        let Paragraph { mut lines, below, above } = match block {
            Block::Paragraph(paragraph) => paragraph,
            Block::Board(board) => {
                levels.push((board, std::mem::take(&mut coming)));
                announced = None;
                continue;
            }
        };
        if let Some((_, notes)) = levels.last_mut() {
            lines.retain(|(number, line)| !notes.take_moves(*number, line, &mut announced));
        }
        let caption = caption_in(&lines);
        let is_for_last = below && !above && !is_first;
        let is_caption =
            caption.is_some() && (is_for_last || matches!(blocks.peek(), Some(Block::Board(_))));
        if is_caption {
            lines.pop();
        }
        for (number, line) in &lines {
            let owner = match levels.last_mut() {
                Some((_, notes)) if below || !above => notes,
                _ if above => &mut coming,
                _ => &mut collection,
            };
            let mut is_kept = owner.take(line) || is_kept_of_all(line, is_first && !above);
            if is_first && is_variant(line) {
                // Of all boards, also where no blank line parts it from the first.
                is_kept |= collection.take(line);
            }
            if !is_kept {
                unkept.put(*number, line);
            }
        }
        let replaced = match levels.last_mut() {
            _ if !is_caption => None,
            Some((_, notes)) if is_for_last => std::mem::replace(&mut notes.caption, caption),
            _ => std::mem::replace(&mut coming.caption, caption),
        };
        unkept.lines.extend(replaced.map(|caption| caption.line));
    }
    if let (Some(comment), true) = (&collection.comment, levels.len() != 1) {
        unkept.put(0, &Line::Pair("comment".into(), comment.clone()));
    }
    for (_, notes) in &mut levels {
        notes.author = notes.author.take().or_else(|| collection.author.clone());
        notes.variant = notes.variant.take().or_else(|| collection.variant.clone());
        let is_beside_title = |caption: &Caption| {
            notes.title.as_ref().is_some_and(|title| is_visible(title) && *title != caption.text)
        };
        let beside = notes.caption.as_ref().filter(|caption| is_beside_title(caption));
        unkept.lines.extend(beside.map(|caption| caption.line));
    }
    unkept.lines.sort_unstable();
    if let [(_, only)] = levels.as_mut_slice() {
        only.title = only.title.take().or(collection.title);
        only.comment = only.comment.take().or(collection.comment);
    }
    (levels, unkept)
}

/// Whether a line is kept as the title of the collection, or has nothing to keep.
fn is_kept_of_all(line: &Line, is_head: bool) -> bool {
    match named(line) {
        Some(("collection" | "set" | "comment-end", _)) => true,
        Some(("title", _)) => is_head,
        _ => false,
    }
}

/// What is wrong with a board whose rows look shifted, where nothing names its game.
const HEXAGONS: &str = "every other row is shifted by half a cell, as on the hexagons of Hexoban, and only boards of \
    Sokoban can be read; a line 'Variant: Sokoban' says that it is one";

/// How boxes move in a game of this name, if it has the boards of Sokoban, in which a box moves from a square to one
/// beside it.
fn moves_in(game: &str) -> Option<Moves> {
    let first = game.split_whitespace().next().unwrap_or_default();
    let known = [("sokoban", Moves::Push), (PUKOBAN, Moves::PushAndPull)];
    known.into_iter().find(|(name, _)| first.eq_ignore_ascii_case(name)).map(|(_, moves)| moves)
}

/// The game in which boxes are pulled too, as a file names it.
const PUKOBAN: &str = "Pukoban";

/// The boards of a text with what is said of each, and what was skipped.
struct Collection {
    boards: Vec<(Board, Notes)>,
    reader: Reader,
    unkept: Unkept,
    /// What it calls itself.
    title: Option<String>,
}

impl Collection {
    /// Those of a text; a board of another game is one that cannot be read.
    ///
    /// # Errors
    /// If no board can be read, or the file is too large.
    fn read(text: &str) -> Result<Self, Vec<Fault>> {
        if slc::is_collection(text) {
            return slc::read(text);
        }
        let mut reader = blocks(text)?;
        let blocks = std::mem::take(&mut reader.blocks);
        let title = title_in(&blocks);
        let (boards, unkept) = annotated(blocks);
        Self { boards, reader, unkept, title }.without_other_games()
    }

    /// The same without the boards of other games.
    ///
    /// # Errors
    /// If no other can be read.
    fn without_other_games(mut self) -> Result<Self, Vec<Fault>> {
        let mut others = Vec::new();
        for (board, notes) in &mut self.boards {
            let what = match &notes.variant {
                Some(game) if moves_in(game).is_none() => {
                    format!("this is a board of {game}, and only those of Sokoban can be read")
                }
                None if board.is_hexagonal => HEXAGONS.to_owned(),
                _ => continue,
            };
            let ((first, last), fault) = (board.lines, Fault::text(board.lines.0, 1, what));
            others.push(fault.clone());
            if board.fault.is_none() {
                board.rows.clear();
                board.fault = Some(fault.clone());
                self.reader.skip(Skipped { first, last, what: "a board", why: Some(fault) });
            }
        }
        let is_read = |(board, _): &(Board, Notes)| board.fault.is_none();
        match others.first() {
            Some(first) if !self.boards.iter().any(is_read) => {
                Err(vec![first.clone().counted(others.len())])
            }
            _ => Ok(self),
        }
    }
}

/// Reads all levels of a text; `None` if there is no board in it. Levels without a title are called
/// after the file, whose name is `name`. Beside others, a board that cannot be read becomes a level that
/// cannot be played, so that all keep their numbers.
pub fn read(bytes: &[u8], name: &str) -> Option<Result<Vec<PukobanFile>, Vec<Fault>>> {
    match Collection::read(&decoded(bytes)?) {
        Ok(Collection { boards, .. }) => {
            (!boards.is_empty()).then(|| Ok(levels(boards, &title_of(name))))
        }
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
        let name = match (notes.title, notes.caption.map(|caption| caption.text)) {
            (Some(title), _) if is_visible(&title) => title,
            // A number alone says nothing among the levels of other files.
            (_, Some(caption)) if caption.chars().all(|c| c.is_ascii_digit()) => {
                format!("{stem} {caption:0>digits$}")
            }
            (_, Some(caption)) if is_visible(&caption) => caption,
            _ if count > 1 => format!("{stem} {:0digits$}", number + 1),
            _ => stem.to_owned(),
        };
        let moves = notes.variant.as_deref().and_then(moves_in).unwrap_or(Moves::Push);
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
            rules: PukobanRules { moves, ..PukobanRules::default() },
            map: board
                .rows
                .iter()
                .map(|row| {
                    row.iter()
                        .copied()
                        .chain(std::iter::repeat(Tile::Floor.to_char()))
                        .take(width)
                        .collect()
                })
                .collect(),
        });
    }
    levels
}

/// What a file of several boards calls itself, if it does.
pub fn title(bytes: &[u8]) -> Option<String> {
    Collection::read(&decoded(bytes)?).ok()?.title
}

/// The value of the first line `Collection:` or `Set:` of a text, or a title that belongs to none of its boards.
fn title_in(blocks: &[Block]) -> Option<String> {
    let first_board = blocks.iter().position(|block| matches!(block, Block::Board(_)))?;
    let mut title = None;
    for (at, block) in blocks.iter().enumerate() {
        let Block::Paragraph(paragraph) = block else { continue };
        let lines = paragraph.lines.iter().map(|(_, line)| line);
        let pairs = lines.filter_map(named).filter(|(_, value)| !value.is_empty());
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
    let Some(Collection { reader, unkept, .. }) = read else { return Vec::new() };
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
    said.extend(unkept.listed());
    said.extend(guessed_encoding(bytes));
    said
}

/// The solutions and snapshots of a file, each with its level.
pub fn recorded(bytes: &[u8], name: &str) -> Vec<Recorded<Pukoban>> {
    let read = decoded(bytes).and_then(|text| Collection::read(&text).ok());
    let Some(Collection { boards, .. }) = read else { return Vec::new() };
    let moves: Vec<Vec<MoveText>> = boards.iter().map(|(_, notes)| notes.moves.clone()).collect();
    let levels = levels(boards, &title_of(name)).into_iter().zip(1..).zip(moves);
    levels
        .flat_map(|((level, number), moves)| {
            moves.into_iter().map(move |MoveText { title, line, text, .. }| Recorded {
                number,
                title,
                line,
                level: level.clone(),
                moves: text,
                variations: Vec::new(),
                names: Vec::new(),
                notes: Vec::new(),
            })
        })
        .collect()
}

/// How likely the bytes are such a text, from 0 to 1.
pub fn score(bytes: &[u8], ending: &str) -> f32 {
    let named = FORMATS.endings.iter().any(|known| ending.eq_ignore_ascii_case(known));
    let read = decoded(bytes).and_then(|text| Collection::read(&text).ok());
    let found = read.is_some_and(|read| {
        read.boards.iter().any(|(board, _)| {
            board.fault.is_none() && board.has(Tile::is_player) && board.has(Tile::is_box)
        })
    });
    match (named, found) {
        (true, true) => 0.99,
        (true, false) => 0.6,
        // Below a plain map of another game that fits to the last character.
        (false, true) => 0.89,
        (false, false) => 0.0,
    }
}

/// A value that a line can hold, without control characters.
fn one_line(value: &str) -> String {
    let words = value
        .split(|symbol: char| symbol.is_whitespace() || symbol == '\0')
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// What lines of a text cannot hold of a level.
fn lost_in_lines(level: &PukobanFile) -> Vec<String> {
    let values = [
        ("the exact name", &level.name),
        ("the exact author", &level.author),
        ("the line breaks and spaces of the description", &level.about),
    ];
    let changed = values.into_iter().filter(|(_, value)| one_line(value) != **value);
    let mut lost: Vec<String> = changed.map(|(what, _)| what.to_owned()).collect();
    let changes = level.rules.changes().into_iter().map(|(key, _)| key);
    let rules: Vec<_> = changes.filter(|key| *key != "moves").collect();
    if !rules.is_empty() {
        lost.push(format!("the rules {}", rules.join(", ")));
    }
    lost
}

/// Writes a level as XSB text, with floor as `-`.
pub fn write(level: &PukobanFile) -> Converted {
    let mut text = String::new();
    for row in &level.map {
        text.extend(row.chars().map(|c| Tile::from_char(c).map_or(c, Tile::to_char)));
        text.push('\n');
    }
    text.push('\n');
    let variant = if level.rules.moves.has_pulls() { PUKOBAN } else { "" };
    for (key, value) in [
        ("Title", &*level.name),
        ("Author", &level.author),
        ("Variant", variant),
        ("Comment", &level.about),
    ] {
        let line = one_line(value);
        if !line.is_empty() {
            text += &format!("{key}: {line}\n");
        }
    }
    Converted { bytes: text.into_bytes(), lost: lost_in_lines(level) }
}

#[cfg(test)]
mod tests;
