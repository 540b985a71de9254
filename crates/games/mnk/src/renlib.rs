//! Libraries of RenLib (`.lib`), trees of positions on a board of 15 by 15 cells, the common form of analyses of renju.
//!
//! The layout is that of RenLib's own source by Frank Arkbo, <https://github.com/gomoku/RenLib> (`LibraryFile.cpp`,
//! `MoveNode.cpp`, and `AddLibrary` in `RenLibDoc.cpp`). A head of 20 bytes, which begins with `FF RenLib FF` and the
//! two numbers of the version, comes before the nodes of the tree, each before its first child and that before its next
//! sibling. A node is a byte for its cell, the column from 1 on in the low half and the row from 0 at the top in the
//! high half, and a byte of flags. Two more bytes of flags follow if it has them, then its comment and its label, each
//! ended by a zero and padded to an even number of bytes. In a comment a backspace divides its first line from the rest.
//! A first node without a cell is the empty board; any other one is a pass.

use super::piskvork::PiskvorkGame;
use outwit_core::grid::Cell;
use outwit_core::levels::{Encoding, Fault, decoded_as, encoding_of};
use outwit_core::play::{MOST_VARIATIONS, TurnNote};
use outwit_kit::guessed_encoding;

/// Columns and rows of the board.
pub(super) const SIDE: usize = 15;

/// What a library begins with.
const MAGIC: &[u8] = b"\xffRenLib\xff";

/// The bytes before the first node; the two after [`MAGIC`] are the version.
const HEAD: usize = 20;

/// The latest version of the format.
const VERSION: (u8, u8) = (3, 4);

/// The longest path in a tree: all cells of the board, and a pass after each.
const LONGEST: usize = 2 * SIDE * SIDE;

/// Flags of a node. RenLib calls the first two down and right.
const HAS_SIBLING: u16 = 0x80;
const IS_LEAF: u16 = 0x40;
const HAS_OLD_COMMENT: u16 = 0x20;
const IS_MARKED: u16 = 0x10;
const HAS_COMMENT: u16 = 0x08;
const IS_START: u16 = 0x04;
/// The cell only has a label.
const IS_NO_MOVE: u16 = 0x02;
const HAS_MORE_FLAGS: u16 = 0x01;
const HAS_LABEL: u16 = 0x100;

/// A library as a file tells it.
#[derive(Debug, Default)]
pub(super) struct Library {
    /// The moves of the main line, which takes the first child everywhere. They may break the rules.
    pub moves: Vec<Cell>,
    /// The other lines, each from the empty board, at most [`MOST_VARIATIONS`].
    pub variations: Vec<Vec<Cell>>,
    /// The number of all other lines.
    pub branches: usize,
    /// The comments of the main line.
    pub notes: Vec<TurnNote>,
    /// What the file holds besides.
    unkept: Unkept,
}

/// The numbers of things that neither a level nor a replay keeps, and how the comments had to be read.
#[derive(Debug, Default)]
struct Unkept {
    comments: usize,
    labels: usize,
    marks: usize,
    passes: usize,
    encoding: Option<String>,
}

/// Whether bytes begin as a library.
pub(super) fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a library.
///
/// # Errors
/// The first problem, with its place.
pub(super) fn parse(bytes: &[u8]) -> Result<Library, Fault> {
    if !is_library(bytes) {
        return Err(Fault::whole(
            "this is no library of RenLib, since it does not begin with the bytes FF RenLib FF; open one of RenLib 2 \
             in a newer RenLib and save it again",
        ));
    }
    let (Some(&[major, minor]), true) = (bytes.get(8..10), bytes.len() >= HEAD) else {
        return Err(fault(bytes.len(), "the file ends within its head of 20 bytes"));
    };
    if (major, minor) > VERSION {
        let (a, b) = VERSION;
        return Err(fault(
            8,
            &format!("version {major}.{minor} of the format is unknown; the latest one is {a}.{b}"),
        ));
    }
    let mut reader = Reader { bytes, at: HEAD };
    let mut tree = Tree::default();
    // One byte alone at the end is no node; RenLib leaves it out too.
    while reader.at + 1 < bytes.len() {
        let at = reader.at;
        let node = reader.node()?;
        tree.take(&node).map_err(|what| fault(at, what))?;
    }
    tree.leave(0);
    let mut library = tree.library;
    let comments = tree.comments;
    let text = comments.iter().map(|(_, text)| &text[..]).collect::<Vec<_>>().join(&b'\n');
    let encoding = encoding_of(&text).unwrap_or(Encoding::Windows1252);
    library.unkept.encoding = guessed_encoding(&text);
    library.notes = comments
        .into_iter()
        .map(|(turn, text)| {
            let text = decoded_as(&text, encoding).unwrap_or_default();
            TurnNote { turn, text }
        })
        .collect();
    Ok(library)
}

/// What is wrong at a place, counted from 0.
fn fault(at: usize, what: &str) -> Fault {
    Fault::whole(format!("byte {at}: {what}"))
}

/// A node of the tree.
struct Node {
    /// The cell; `None` for the empty board or a pass.
    cell: Option<Cell>,
    flags: u16,
    /// Without control characters other than line ends.
    comment: Option<Vec<u8>>,
}

impl Node {
    fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    /// The place of the next byte.
    at: usize,
}

impl<'a> Reader<'a> {
    fn pair(&mut self) -> Result<[u8; 2], Fault> {
        match self.bytes.get(self.at..self.at + 2) {
            Some(&[first, second]) => {
                self.at += 2;
                Ok([first, second])
            }
            _ => Err(fault(self.bytes.len(), "the file ends within a move")),
        }
    }

    /// A text that ends with a zero, of an even number of bytes with it.
    fn text(&mut self) -> Result<&'a [u8], Fault> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some(length) = rest.iter().position(|&byte| byte == 0) else {
            return Err(fault(self.at, "this comment or label has no end"));
        };
        // The last byte of the file may lack.
        self.at += (length + 1).next_multiple_of(2);
        Ok(&rest[..length])
    }

    fn node(&mut self) -> Result<Node, Fault> {
        let begin = self.at;
        let [place, flags] = self.pair()?;
        let mut flags = u16::from(flags);
        if flags & HAS_MORE_FLAGS != 0 {
            let [_, more] = self.pair()?;
            flags |= u16::from(more) << 8;
        }
        let column = i32::from(place & 0xf);
        let row = i32::from(place >> 4);
        let side = SIDE as i32;
        let cell = match place {
            0 => None,
            _ if (1..=side).contains(&column) && row < side => Some(Cell::new(column - 1, row)),
            _ => return Err(fault(begin, "this move is outside the board of 15 by 15 cells")),
        };
        if flags & HAS_OLD_COMMENT != 0 {
            return Err(fault(
                begin,
                "the comment of this move is in the form of RenLib 2; open the library in a newer RenLib and save it \
                 again",
            ));
        }
        let is_end = |&byte: &u8| matches!(byte, 8 | b'\n' | b'\r');
        let plain = |byte: &u8| match byte {
            _ if is_end(byte) => b'\n',
            0..0x20 | 0x7f => b' ',
            &byte => byte,
        };
        let comment = match flags & HAS_COMMENT {
            0 => None,
            _ => Some(self.text()?.iter().map(plain).collect()),
        };
        if flags & HAS_LABEL != 0 {
            self.text()?;
        }
        Ok(Node { cell, flags, comment })
    }
}

/// A node on the path that is being read.
struct Step {
    /// The stone; `None` where none is placed.
    cell: Option<Cell>,
    /// Whether a line through it is in the library.
    is_told: bool,
}

/// The tree as far as it was read.
#[derive(Default)]
struct Tree {
    library: Library,
    /// Comments of the main line, each with the number of stones on the board.
    comments: Vec<(usize, Vec<u8>)>,
    path: Vec<Step>,
    /// The number of stones on the path before the first node without one.
    stones: usize,
    /// The depths of those nodes of the path after which a sibling comes.
    open: Vec<usize>,
    has_begun: bool,
    is_over: bool,
    has_main_line: bool,
}

impl Tree {
    fn take(&mut self, node: &Node) -> Result<(), &'static str> {
        if self.is_over {
            return Err("this move comes after the end of the tree");
        }
        if self.path.len() == LONGEST {
            return Err("a line has more moves than the board has cells");
        }
        let is_root = !self.has_begun && node.cell.is_none();
        self.has_begun = true;
        let cell = node.cell.filter(|_| !node.has(IS_NO_MOVE));
        let is_alive = self.stones == self.path.len();
        if !is_root {
            let is_pass = node.cell.is_none() && !node.has(IS_NO_MOVE);
            self.library.unkept.passes += usize::from(is_pass && is_alive);
            if node.has(HAS_SIBLING) {
                self.open.push(self.path.len());
            }
            self.path.push(Step { cell, is_told: false });
            self.stones += usize::from(is_alive && cell.is_some());
        }
        let unkept = &mut self.library.unkept;
        unkept.labels += usize::from(node.has(HAS_LABEL));
        unkept.marks += usize::from(node.has(IS_MARKED) || node.has(IS_START));
        if let Some(comment) = &node.comment {
            match is_root || is_alive && cell.is_some() && !self.has_main_line {
                true => self.comments.push((self.path.len(), comment.clone())),
                false => unkept.comments += 1,
            }
        }
        if node.has(IS_LEAF) {
            let depth = self.open.pop();
            self.leave(depth.unwrap_or(0));
            self.is_over = depth.is_none();
        }
        Ok(())
    }

    /// Leaves the nodes of the path from this depth on. What follows a pass or a label is no line.
    fn leave(&mut self, depth: usize) {
        let steps = &mut self.path[..self.stones];
        if steps.len() > depth && steps.last().is_some_and(|step| !step.is_told) {
            steps
                .iter_mut()
                .rev()
                .take_while(|step| !step.is_told)
                .for_each(|it| it.is_told = true);
            let line = || steps.iter().filter_map(|step| step.cell).collect();
            if !self.has_main_line {
                self.library.moves = line();
                self.has_main_line = true;
            } else {
                self.library.branches += 1;
                if self.library.variations.len() < MOST_VARIATIONS {
                    self.library.variations.push(line());
                }
            }
        }
        self.path.truncate(depth);
        self.stones = self.stones.min(depth);
    }
}

impl Library {
    /// The main line as a game.
    pub fn game(&self) -> PiskvorkGame {
        PiskvorkGame { width: SIDE, height: SIDE, moves: self.moves.clone(), names: [None, None] }
    }

    /// The number of comments of other lines.
    pub fn other_comments(&self) -> usize {
        self.unkept.comments
    }

    /// What is not kept, other than variations and comments.
    pub fn skipped(&self) -> Vec<String> {
        let Unkept { labels, marks, passes, encoding, .. } = &self.unkept;
        let mut said = Vec::new();
        let mut say = |count: usize, one: &str, several: &str, more: &str| match count {
            0 => {}
            1 => said.push(format!("1 {one}{more}")),
            _ => said.push(format!("{count} {several}{more}")),
        };
        say(*labels, "label on the board", "labels on the board", "");
        say(*marks, "mark of a move", "marks of moves", "");
        say(*passes, "pass", "passes", " and the moves after it");
        said.extend(encoding.clone());
        said
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::notation::line_of;
    use outwit_core::play::Replay;
    use outwit_kit::{DynGame, Erased, read_replay};
    use proptest::prelude::*;

    const KIND: &dyn DynGame = Erased::<crate::Mnk>::GAME;

    /// A library of this version with these bytes behind its head.
    fn library(minor: u8, nodes: &[u8]) -> Vec<u8> {
        [MAGIC, &[3, minor], &[0xff; 10], nodes].concat()
    }

    fn lines(nodes: &[u8]) -> Vec<String> {
        let found = parse(&library(4, nodes)).unwrap();
        assert_eq!(found.branches, found.variations.len());
        let lines = std::iter::once(&found.moves).chain(&found.variations);
        lines.map(|line| line_of(line, SIDE)).collect()
    }

    #[test]
    fn rows_are_counted_from_the_top_and_siblings_follow_leaves() {
        assert_eq!(lines(&[0x01, 0, 0x0f, 0, 0xe1, 0, 0xef, 0, 0x78, 0]), ["a15 o15 a1 o1 h8"]);
        // h8, and after it i9 with i7 and i10 behind it, or h9.
        let tree = [0x78, 0, 0x69, 0x80, 0x89, 0xc0, 0x59, 0x40, 0x68, 0x40];
        assert_eq!(lines(&tree), ["h8 i9 i7", "h8 i9 i10", "h8 h9"]);
        // An empty board before several first moves.
        let tree = [0, 0, 0x78, 0xc0, 0x79, 0x80, 0x77, 0x40, 0x7a, 0x40];
        assert_eq!(lines(&tree), ["h8", "i8 g8", "j8"]);
        // A part of a tree keeps the flags of the whole on the way to it.
        let part = [0x78, 0x80, 0x69, 0, 0x89, 0xc0, 0x59, 0x40];
        assert_eq!(lines(&part), ["h8 i9 i7", "h8 i9 i10"]);
        assert_eq!(lines(&[0, 0]), [""]);
        assert_eq!(lines(&[]), [""]);
    }

    #[test]
    fn passes_and_labels_are_no_lines() {
        // A pass with a move after it, then a sibling.
        let tree = [0x78, 0, 0, 0x80, 0x69, 0x40, 0x68, 0x40];
        assert_eq!(lines(&tree), ["h8 h9"]);
        assert_eq!(lines(&[0x78, 0, 0x69, 0, 0, 0, 0x7a, 0x40]), ["h8 i9"]);
        // Labels beside a move, and only labels.
        let label = |place: u8, flags: u8| [place, flags | 3, 0, 1, b'A', 0];
        let tree = [&[0x78, 0][..], &label(0x69, 0xc0), &label(0x68, 0xc0), &[0x59, 0x40]].concat();
        assert_eq!(lines(&tree), ["h8 i10"]);
        let tree = [&[0x78, 0, 0x59, 0x80][..], &label(0x69, 0x40), &[0x68, 0x40]].concat();
        assert_eq!(lines(&tree), ["h8 i10", "h8 h9"]);
        let said = KIND.skipped(&library(4, &tree)).join("; ");
        assert_eq!(said, "1 label on the board; 1 variation beside the main line");
    }

    #[test]
    fn a_library_is_a_level_and_a_replay_with_notes() {
        let nodes = [
            &[0, 0, 0x78, 0x1c][..],
            b"So it \x08begins.\r\n\x07\0",
            &[0x69, 0x88],
            b"\xe4 la carte\0\0",
            &[0x89, 0x09, 0, 1],
            b"?\0",
            b"A\0",
            &[0x59, 0x40, 0x68, 0x48],
            b"odd\0",
            &[0],
        ];
        let bytes = library(4, &nodes.concat());
        let found = parse(&bytes).unwrap();
        let turns: Vec<usize> = found.notes.iter().map(|note| note.turn).collect();
        assert_eq!(turns, [1, 2, 3]);
        let level = KIND.read_collection(&bytes, "my.LIB").unwrap().remove(0);
        assert_eq!(level.name, "my");
        assert!(level.text.contains(
            "\"........O......\",\n        \"........O......\",\n        \".......X.......\""
        ));
        assert!(level.text.contains("\"........X......\""), "{}", level.text);
        let replay = KIND.recorded(&bytes, "my.lib").remove(0).replay.unwrap();
        let replay: Replay<crate::Mnk> = read_replay(replay.as_bytes()).unwrap();
        let notes: Vec<(usize, &str)> =
            replay.notes.iter().map(|note| (note.turn, note.text.as_str())).collect();
        assert_eq!(notes, [(1, "So it begins."), (2, "ä la carte"), (3, "?")]);
        let played = replay.play().unwrap();
        assert_eq!(crate::notation::write(&played), "h8 i9 i7 i10");
        assert_eq!(played.variations().len(), 1);
        let said = KIND.skipped(&bytes);
        assert_eq!(
            said,
            [
                "3 comments on the main line, which outwit replay shows",
                "1 comment on a variation",
                "1 label on the board",
                "1 mark of a move",
                "its encoding, which is not UTF-8 and was guessed to be Windows-1252 (Western European)",
                "1 variation beside the main line",
            ]
        );
        assert!(KIND.format_score(&bytes, "any") > 0.9);
    }

    #[test]
    fn only_so_many_variations_are_kept() {
        // h8 with one child after another.
        let places =
            (0x01..=0xe1_u8).filter(|place| (1..16).contains(&(place & 15)) && *place != 0x78);
        let children: Vec<u8> = places.flat_map(|place| [place, 0xc0]).collect();
        let bytes = library(0, &[&[0x78, 0][..], &children].concat());
        let found = parse(&bytes).unwrap();
        assert_eq!((found.branches, found.variations.len()), (children.len() / 2 - 1, 100));
        let said = KIND.skipped(&bytes);
        assert_eq!(said, ["209 variations beside the main line, of which outwit replay shows 100"]);
        let replay = KIND.recorded(&bytes, "a.lib").remove(0).replay.unwrap();
        let replay: Replay<crate::Mnk> = read_replay(replay.as_bytes()).unwrap();
        assert_eq!(replay.play().unwrap().variations().len(), 100);
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let why = |bytes: &[u8]| KIND.check(bytes, "a.lib")[0].to_string();
        for (bytes, wanted) in [
            (b"!<arch>\n".to_vec(), "no library of RenLib"),
            (library(4, &[])[..19].to_vec(), "byte 19: the file ends within its head"),
            (
                library(5, &[0x78, 0]),
                "byte 8: version 3.5 of the format is unknown; the latest one is 3.4",
            ),
            (library(4, &[0x78, 0, 0x80, 0]), "byte 22: this move is outside the board"),
            (library(4, &[0x78, 0, 0xf1, 0]), "byte 22: this move is outside the board"),
            (library(4, &[0x78, 0, 0x69, 1]), "byte 24: the file ends within a move"),
            (library(4, &[0x78, 8, b'a', b'b']), "byte 22: this comment or label has no end"),
            (
                library(4, &[0x78, 0x20, b'a', 0xe2]),
                "byte 20: the comment of this move is in the form of RenLib 2",
            ),
            (
                library(4, &[0x78, 0x40, 0x69, 0]),
                "byte 22: this move comes after the end of the tree",
            ),
            (
                library(4, &[0x78, 0].repeat(451)),
                "byte 920: a line has more moves than the board has cells",
            ),
            (library(4, &[0x78, 0, 0x69, 0, 0x78, 0x40]), "move 3 is not on an empty cell"),
        ] {
            assert!(why(&bytes).contains(wanted), "{wanted}: {}", why(&bytes));
        }
        let won =
            [0x01, 0x11, 0x02, 0x12, 0x03, 0x13, 0x04, 0x14, 0x05].map(|place| [place, 0]).concat();
        assert!(KIND.recorded(&library(4, &won), "a.lib")[0].replay.is_ok());
        let more = [&won[..], &[0x15, 0]].concat();
        let replay = KIND.recorded(&library(4, &more), "a.lib").remove(0).replay;
        assert!(replay.unwrap_err().contains("the match is over"));
    }

    proptest! {
        #[test]
        fn no_bytes_cause_a_panic(
            minor in 0_u8..6,
            nodes in prop::collection::vec((any::<u8>(), prop::sample::select(vec![0, 0x40, 0x80, 0xc0, 0x48, 0x0b, 0x82])), 0..60),
            bytes in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            let nodes: Vec<u8> = nodes.into_iter().flat_map(|(place, flags)| [place, flags]).collect();
            for bytes in [library(minor, &nodes), library(minor, &bytes), bytes] {
                let _ = KIND.read_collection(&bytes, "x.lib");
                let _ = KIND.recorded(&bytes, "x.lib");
                let _ = KIND.skipped(&bytes);
            }
        }
    }
}
