//! What the four lines through an empty cell threaten together, and what that is worth.

use super::patterns::{CLASSES, FIVE, FOUR, LineClass, OPEN_FOUR, OPEN_THREE};
use std::sync::OnceLock;

/// What a stone on an empty cell threatens in all four lines together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum ThreatKind {
    /// Nothing that must be answered.
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

/// What a line of a class is worth to a side that can place a stone there.
const CLASS_VALUES: [i32; CLASSES] = [0, 0, 1, 2, 3, 8, 9, 28, 26, 80, 90, 300, 600];

/// What a cell is worth beyond its lines.
const THREAT_VALUES: [i32; THREATS] = [0, 0, 60, 0, 120, 150, 300];

/// What a line of a class adds to the chances of the side that can place a stone there, if that side is
/// to move and if the other is; fitted to results of games on 15 by 15 cells with k = 5.
const LINE_CHANCES: [[i32; CLASSES]; 2] =
    [[0, 0, 0, 0, 0, 1, 5, 12, 45, 125, 149, 0, 0], [0, 0, 0, 0, 0, 1, 5, 9, 49, 79, 144, 0, 0]];

/// The same for what the four lines of a cell promise together, by [`promise`].
const PROMISE_CHANCES: [[i32; 10]; 2] = [
    [0, 85, 106, 129, 436, 600, 164, 661, 2000, 0],
    [0, 61, 83, 135, 178, 250, 162, 482, 1200, 1500],
];

/// What four classes are worth together.
#[derive(Clone, Copy, Debug)]
pub struct Worth {
    /// As a place for the next stone, to order moves.
    pub value: i16,
    /// In a position, to the side that is to move and to the other.
    pub chances: [i16; 2],
    /// What a stone there threatens.
    pub threat: ThreatKind,
}

/// What all combinations of four classes are worth, by the classes as four bits each.
pub fn worths() -> &'static [Worth] {
    static WORTHS: OnceLock<Vec<Worth>> = OnceLock::new();
    let worth = |packed: u32| {
        let classes = [0, 4, 8, 12].map(|place| (packed >> place & 15) as usize);
        let values = classes.map(|class| CLASS_VALUES.get(class).copied().unwrap_or(0));
        let threat = threat_of(classes.map(|class| class as LineClass));
        let value = values.iter().sum::<i32>() + THREAT_VALUES[threat as usize];
        let chances = [0, 1].map(|turn| {
            let lines = classes.map(|class| LINE_CHANCES[turn].get(class).copied().unwrap_or(0));
            (lines.iter().sum::<i32>() + PROMISE_CHANCES[turn][promise(&classes)]) as i16
        });
        Worth { value: value as i16, chances, threat }
    };
    WORTHS.get_or_init(|| (0..1 << 16).map(worth).collect())
}

/// What four classes promise together, from 0 for nothing to 9 for an open four or more.
fn promise(classes: &[usize; 4]) -> usize {
    let number =
        |class: LineClass| classes.iter().filter(|&&found| found == usize::from(class)).count();
    let (fours, threes) = (number(FOUR), number(OPEN_THREE));
    // What can become a four or an open three.
    let (closed_threes, open_twos) = (number(OPEN_THREE - 1), number(OPEN_THREE - 2));
    let more = closed_threes + open_twos;
    match (number(FIVE) + number(OPEN_FOUR), fours, threes) {
        (1.., ..) | (_, 2.., _) => 9,
        (_, 1, 1..) => 8,
        (_, 1, 0) if more > 0 => 7,
        (_, 1, 0) => 6,
        (_, _, 2..) => 5,
        (_, _, 1) if more > 0 => 4,
        (_, _, 1) => 3,
        _ if closed_threes > 0 && more > 1 => 2,
        _ if open_twos > 1 => 1,
        _ => 0,
    }
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
