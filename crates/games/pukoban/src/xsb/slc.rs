//! Collections in XML, as `.slc` files hold them: `SokobanLevels` with a `Title` and other elements, then a
//! `LevelCollection` with a `Level` for each board, whose rows are its elements `L`.
//!
//! No entity is replaced but the five of XML itself and characters by number, so none can grow, and no other file is
//! read, whatever a document type names.

use super::blocks::{Block, Reader};
use super::{Collection, Notes, Unkept, lost_in_lines, one_line};
use crate::level::{PukobanFile, Tile};
use outwit_core::escape::on_one_line;
use outwit_core::levels::Fault;
use outwit_kit::Converted;
use quick_xml::XmlVersion;
use quick_xml::escape::{escape, resolve_xml_entity};
use quick_xml::events::{BytesStart, Event};

/// The element that holds everything.
const ROOT: &str = "SokobanLevels";

/// Whether a text is such a collection.
pub(super) fn is_collection(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with('<') && text.contains(&format!("<{ROOT}"))
}

/// Counts lines and columns up to places that follow each other.
struct Places<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    line_start: usize,
}

impl Places<'_> {
    /// Line and column of a place in the text, both counted from 1.
    fn of(&mut self, at: usize) -> (usize, usize) {
        let at = at.clamp(self.at, self.text.len());
        let passed = &self.text.as_bytes()[self.at..at];
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
        if let Some(last) = passed.iter().rposition(|&byte| byte == b'\n') {
            self.line_start = self.at + last + 1;
        }
        self.at = at;
        let before = self.text.get(self.line_start..at).unwrap_or_default();
        (self.line, before.chars().count() + 1)
    }
}

/// The value of an attribute; `None` if there is none or it cannot be read.
fn attribute(element: &BytesStart, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok()??;
    let value = attribute.normalized_value(XmlVersion::default()).ok()?;
    Some(value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// What stands in an element that has been opened: its name, its text so far, and where that begins.
struct Opened {
    name: String,
    text: String,
    place: (usize, usize),
}

/// Reads all levels of a collection.
///
/// # Errors
/// Where the XML is broken, or as the reader of other texts.
pub(super) fn read(text: &str) -> Result<Collection, Vec<Fault>> {
    let mut xml = quick_xml::Reader::from_str(text);
    let mut places = Places { text, at: 0, line: 1, line_start: 0 };
    let mut reader = Reader::default();
    let mut unkept = Unkept::default();
    let mut title = None;
    let mut description = None;
    let mut collection_author = None;
    let mut notes: Vec<Notes> = Vec::new();
    let mut level = Notes::default();
    let mut open: Vec<Opened> = Vec::new();
    loop {
        let event = xml.read_event();
        let place = places.of(usize::try_from(xml.buffer_position()).unwrap_or(usize::MAX));
        let broken =
            |what: &str| vec![Fault::text(place.0, place.1, format!("broken XML: {what}"))];
        let event = event.map_err(|error| broken(&on_one_line(&error.to_string())))?;
        match event {
            Event::Start(element) | Event::Empty(element)
                if element.local_name().as_ref() == b"LevelCollection" =>
            {
                collection_author = attribute(&element, "Copyright");
                open.push(Opened { name: "LevelCollection".into(), text: String::new(), place });
            }
            Event::Start(element) => {
                let name = String::from_utf8_lossy(element.local_name().as_ref()).into_owned();
                if name == "Level" {
                    reader.end_rows();
                    let author = attribute(&element, "Copyright");
                    level = Notes { title: attribute(&element, "Id"), author, ..Notes::default() };
                }
                open.push(Opened { name, text: String::new(), place });
            }
            Event::Empty(element) if element.local_name().as_ref() == b"L" => {
                reader.put_row("", place);
            }
            Event::Text(found) => {
                let found = found.decode().map_err(|error| broken(&error.to_string()))?;
                put_text(&mut open, &found);
            }
            Event::CData(found) => {
                let found = found.decode().map_err(|error| broken(&error.to_string()))?;
                put_text(&mut open, &found);
            }
            Event::GeneralRef(found) => {
                let name = found.decode().map_err(|error| broken(&error.to_string()))?;
                let number =
                    found.resolve_char_ref().map_err(|error| broken(&error.to_string()))?;
                let known = resolve_xml_entity(&name);
                match (number, known) {
                    (Some(symbol), _) => put_text(&mut open, symbol.encode_utf8(&mut [0; 4])),
                    (None, Some(known)) => put_text(&mut open, known),
                    (None, None) => {
                        let name = on_one_line(&name);
                        return Err(broken(&format!("the entity &{name}; is unknown")));
                    }
                }
            }
            Event::End(_) => {
                let Some(Opened { name, text, place }) = open.pop() else { continue };
                let is_in_level = open.last().is_some_and(|outer| outer.name == "Level");
                match name.as_str() {
                    "L" if is_in_level => reader.put_row(&text, place),
                    "Level" => {
                        reader.end_rows();
                        let boards = reader
                            .blocks
                            .iter()
                            .filter(|block| matches!(block, Block::Board(_)))
                            .count();
                        if boards > notes.len() {
                            notes.push(std::mem::take(&mut level));
                        }
                    }
                    "Title" if title.is_none() && !text.trim().is_empty() => {
                        title = Some(text.trim().to_owned());
                    }
                    _ if text.trim().is_empty() => {}
                    "Description" if description.is_none() => {
                        description = Some(text.trim().to_owned());
                    }
                    _ => {
                        unkept.keys.insert(on_one_line(&name));
                    }
                }
            }
            Event::Eof => match open.last() {
                None => break,
                Some(element) => {
                    let name = on_one_line(&element.name);
                    return Err(broken(&format!("the file ends inside of <{name}>")));
                }
            },
            Event::Empty(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => {}
        }
        if reader.is_too_large() {
            break;
        }
    }
    let mut reader = reader.finish()?;
    let boards = std::mem::take(&mut reader.blocks).into_iter().filter_map(|block| match block {
        Block::Board(board) => Some(board),
        Block::Paragraph(_) => None,
    });
    let mut boards: Vec<_> = boards.zip(notes).collect();
    match boards.as_mut_slice() {
        [(_, only)] => only.comment = description,
        _ => unkept.keys.extend(description.map(|_| "Description".to_owned())),
    }
    for (_, notes) in &mut boards {
        notes.author = notes.author.take().or_else(|| collection_author.clone());
    }
    Collection { boards, reader, unkept, title }.without_other_games()
}

/// Adds to the text of the innermost open element.
fn put_text(open: &mut [Opened], found: &str) {
    if let Some(element) = open.last_mut() {
        element.text += found;
    }
}

/// Writes a level as a collection of one.
pub(super) fn write(level: &PukobanFile) -> Converted {
    let line = |value: &str| {
        let line = one_line(value).replace(char::is_control, "");
        escape(line).into_owned()
    };
    let width = level.map.first().map_or(0, |row| row.chars().count());
    let height = level.map.len();
    let name = line(&level.name);
    let author = line(&level.author);
    let about = line(&level.about);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{ROOT}>\n  <Title>{name}</Title>\n  \
         <Description>{about}</Description>\n  <LevelCollection Copyright=\"{author}\" MaxWidth=\"{width}\" \
         MaxHeight=\"{height}\">\n    <Level Id=\"{name}\" Width=\"{width}\" Height=\"{height}\">\n"
    );
    for row in &level.map {
        let row: String = row
            .chars()
            .map(|symbol| match Tile::from_char(symbol) {
                Some(Tile::Floor) => ' ',
                Some(tile) => tile.to_char(),
                None => symbol,
            })
            .collect();
        text += &format!("      <L>{}</L>\n", escape(row));
    }
    text += &format!("    </Level>\n  </LevelCollection>\n</{ROOT}>\n");
    let mut lost = lost_in_lines(level);
    if level.rules.moves.has_pulls() {
        lost.push("that boxes can be pulled".into());
    }
    Converted { bytes: text.into_bytes(), lost }
}
