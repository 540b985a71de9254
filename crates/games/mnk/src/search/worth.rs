//! What the four lines through an empty cell threaten together, and what that is worth.

use super::patterns::{CLASSES, FIVE, FOUR, LineClass, OPEN_FOUR, OPEN_THREE};
use std::sync::OnceLock;

/// What a stone on an empty cell threatens in all four lines together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
#[repr(u8)]
pub enum ThreatKind {
    /// Nothing that must be answered.
    #[default]
    None,
    /// One open three.
    Three,
    /// Two or more open threes.
    DoubleThree,
    /// A four.
    Four,
    /// A four and an open three.
    FourThree,
    /// An open four, or two fours: it wins next, unless the other side wins first.
    OpenFour,
    /// The stone wins.
    Five,
}

/// How many kinds of threat there are: one for each [`ThreatKind`].
pub const THREATS: usize = 7;

/// By number; as many as three bits can count.
const THREAT_KINDS: [ThreatKind; 8] = [
    ThreatKind::None,
    ThreatKind::Three,
    ThreatKind::DoubleThree,
    ThreatKind::Four,
    ThreatKind::FourThree,
    ThreatKind::OpenFour,
    ThreatKind::Five,
    ThreatKind::Five,
];

/// What a line of a class is worth to a side that can place a stone there.
const CLASS_VALUES: [i32; CLASSES] = [0, 0, 1, 2, 3, 8, 9, 28, 26, 80, 90, 300, 600];

/// What a cell is worth beyond its lines.
const THREAT_VALUES: [i32; THREATS] = [0, 0, 60, 0, 120, 150, 300];

/// What a line of a class adds to the chances of the side that can place a stone there, if that side is
/// to move and if the other is.
///
/// Fitted by logistic regression to quiet positions of games of the search against itself, on 15 by 15 cells with
/// k = 5: half to how the game ended, half to what a search of 2500 positions said. Other k have the same numbers, since
/// results tell nothing there: nearly all openings with k = 4 are decided, and games with k = 6 are drawn.
const LINE_CHANCES: [[i32; CLASSES]; 2] = [
    [0, 0, 0, 0, 4, 5, 30, 160, 83, 501, 334, 0, 0],
    [0, 0, 0, 0, 3, 1, 30, 74, 101, 231, 404, 0, 0],
];

/// What the two best lines of a cell promise together: rows are classes of the best one, columns those of the
/// second, both from [`FIRST_PAIRED`] to [`FOUR`]. Fitted like [`LINE_CHANCES`].
#[rustfmt::skip]
const PAIR_CHANCES: [[[i32; 7]; 7]; 2] = [
    [
        [-12, 0, 0, 0, 0, 0, 0],
        [-37, -58, 0, 0, 0, 0, 0],
        [-43, -70, -98, 0, 0, 0, 0],
        [-166, -185, -198, -245, 0, 0, 0],
        [-97, -82, -96, -142, -48, 0, 0],
        [-423, -330, -343, -216, -257, 116, 0],
        [-291, -49, -106, 48, -48, -95, 0],
    ],
    [
        [-16, 0, 0, 0, 0, 0, 0],
        [-29, -47, 0, 0, 0, 0, 0],
        [-40, -68, -93, 0, 0, 0, 0],
        [-77, -98, -110, -97, 0, 0, 0],
        [-119, -100, -112, -94, -95, 0, 0],
        [-176, -105, -99, -54, -55, -124, 0],
        [-366, -193, -208, -4, -20, 719, 0],
    ],
];

/// The class from which on two lines are worth more together than apart.
const FIRST_PAIRED: usize = 4;

/// What a cell promises on which the next stone decides the game.
const DECIDING_CHANCES: [i32; 2] = [0, 1500];

/// What four classes are worth together, packed in one number, which is copied quickly.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Worth(u64);

impl Worth {
    fn new(value: i16, chances: [i16; 2], threat: ThreatKind) -> Self {
        let [own, other] = chances.map(|chance| u64::from(chance as u16));
        Self(u64::from(value as u16) | own << 16 | other << 32 | (threat as u64) << 48)
    }

    /// As a place for the next stone, to order moves.
    pub fn value(self) -> i32 {
        i32::from(self.0 as i16)
    }

    /// In a position, to the side that is to move (turn 0) or to the other (turn 1).
    pub fn chance(self, turn: usize) -> i32 {
        i32::from((self.0 >> (16 + 16 * turn)) as i16)
    }

    /// What a stone there threatens.
    pub fn threat(self) -> ThreatKind {
        THREAT_KINDS[(self.0 >> 48) as usize & 7]
    }

    /// Whether the threat is another one.
    pub fn has_other_threat(self, other: Self) -> bool {
        (self.0 ^ other.0) >> 48 != 0
    }
}

/// What all combinations of four classes are worth.
///
/// Their order does not count, so pairs of classes that differ in nothing else share a place: the table is small
/// enough for the fastest memory, which it is read from for every cell that changes.
#[derive(Debug)]
pub struct Worths {
    /// By two classes of four bits each.
    pairs: [u8; 256],
    /// By two pairs.
    worths: Vec<Worth>,
}

/// How many pairs of classes there are, without regard to order.
const PAIRS: usize = CLASSES * (CLASSES + 1) / 2;

impl Worths {
    fn new() -> Self {
        let mut pairs = [0; 256];
        let mut classes = Vec::new();
        for one in 0..CLASSES {
            for two in one..CLASSES {
                pairs[one << 4 | two] = classes.len() as u8;
                pairs[two << 4 | one] = classes.len() as u8;
                classes.push([one, two]);
            }
        }
        let worths = classes.iter().flat_map(|&[one, two]| {
            classes.iter().map(move |&[three, four]| worth([one, two, three, four]))
        });
        Self { pairs, worths: worths.collect() }
    }

    /// What four classes are worth, packed as four bits each.
    #[inline(always)]
    pub fn of(&self, packed: u16) -> Worth {
        let [low, high] =
            packed.to_le_bytes().map(|pair| usize::from(self.pairs[usize::from(pair)]));
        self.worths[low * PAIRS + high]
    }
}

/// The one table of them.
pub fn worths() -> &'static Worths {
    static WORTHS: OnceLock<Worths> = OnceLock::new();
    WORTHS.get_or_init(Worths::new)
}

fn worth(classes: [usize; 4]) -> Worth {
    let threat = threat_of(classes.map(|class| class as LineClass));
    let value = classes.iter().map(|&class| CLASS_VALUES[class]).sum::<i32>();
    let chances = [0, 1].map(|turn| {
        let lines = classes.iter().map(|&class| LINE_CHANCES[turn][class]).sum::<i32>();
        (lines + promise(&classes, turn)) as i16
    });
    Worth::new((value + THREAT_VALUES[threat as usize]) as i16, chances, threat)
}

/// What four classes promise together, beyond what each of them does.
fn promise(classes: &[usize; 4], turn: usize) -> i32 {
    let mut sorted = *classes;
    sorted.sort_unstable();
    let [.., second, best] = sorted;
    if best > usize::from(FOUR) || second == usize::from(FOUR) {
        return DECIDING_CHANCES[turn];
    }
    let place = |class: usize| class.max(FIRST_PAIRED) - FIRST_PAIRED;
    PAIR_CHANCES[turn][place(best)][place(second)]
}

fn threat_of(classes: [LineClass; 4]) -> ThreatKind {
    let number = |class: LineClass| classes.iter().filter(|&&found| found == class).count();
    match (number(FIVE), number(OPEN_FOUR), number(FOUR), number(OPEN_THREE)) {
        (1.., ..) => ThreatKind::Five,
        (_, 1.., ..) | (_, _, 2.., _) => ThreatKind::OpenFour,
        (_, _, 1, 1..) => ThreatKind::FourThree,
        (_, _, 1, 0) => ThreatKind::Four,
        (_, _, _, 2..) => ThreatKind::DoubleThree,
        (_, _, _, 1) => ThreatKind::Three,
        _ => ThreatKind::None,
    }
}
