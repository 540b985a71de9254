//! Towns: streets divide a board into lots, and houses stand on most of them.

use super::generator::BoardOptions;
use outwit_core::grid::{Cell, Grid};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;

/// The shortest side of a house, but for those on land that is narrower.
const SHORTEST: i32 = 2;
/// The side of a lot above which it is likely to be divided, where there is room enough.
const SMALLEST: i32 = 3;
/// A piece of land as long as this is cut by a main street.
const QUARTER: i32 = 13;
/// Width of main streets.
const MAIN: i32 = 2;
/// Layouts of a style that are tried; streets that run otherwise leave more room.
const TRIES: u32 = 5;

/// A rectangle of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Lot {
    /// Its upper left cell.
    first: Cell,
    /// Its lower right cell.
    last: Cell,
}

impl Lot {
    fn columns(&self) -> i32 {
        self.last.x - self.first.x + 1
    }

    fn rows(&self) -> i32 {
        self.last.y - self.first.y + 1
    }

    fn shorter_side(&self) -> i32 {
        self.columns().min(self.rows())
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        let Lot { first, last } = self;
        (first.y..=last.y).flat_map(move |y| (first.x..=last.x).map(move |x| Cell::new(x, y)))
    }

    /// Number of blocks of a house on it, with its mirror image.
    fn size(self, options: &BoardOptions) -> usize {
        self.cells().map(|cell| 1 + usize::from(options.twin(cell) != cell)).sum()
    }

    /// What is left on both sides of a street across it that begins so many cells from its start.
    fn cut(&self, at: i32, street: i32) -> [Lot; 2] {
        let (mut before, mut after) = (*self, *self);
        if self.columns() > self.rows() {
            before.last.x = self.first.x + at - 1;
            after.first.x = self.first.x + at + street;
        } else {
            before.last.y = self.first.y + at - 1;
            after.first.y = self.first.y + at + street;
        }
        [before, after]
    }

    /// What is left of it without the cells along each of its sides.
    fn trimmed(&self) -> [Lot; 4] {
        let (across, down) = (Cell::new(1, 0), Cell::new(0, 1));
        [
            Lot { first: self.first + across, ..*self },
            Lot { first: self.first + down, ..*self },
            Lot { last: self.last - across, ..*self },
            Lot { last: self.last - down, ..*self },
        ]
    }
}

/// How closely a town is built up.
#[derive(Clone, Copy)]
struct Style {
    /// Width of side streets.
    lane: i32,
    /// The side of a lot above which it is likely to be divided.
    longest: i32,
}

/// Builds a town with about as many blocks as are asked for, or as there is room for.
///
/// A street along the border stays free, so that gates can be reached wherever they are.
pub(super) fn build(options: &BoardOptions, cells: &mut Grid<char>, dice: &mut ChaCha8Rng) {
    let mut houses = lots(options, dice);
    let excess = room(&houses, options).saturating_sub(options.wanted());
    // Half of what is too much becomes yards, the other half squares.
    let excess = excess - excess / 2 + trim(&mut houses, excess / 2, options, dice);
    let excess = clear_squares(&mut houses, excess, options, dice);
    let excess = trim(&mut houses, excess, options, dice);
    houses.sort_by_key(|house| Reverse(house.size(options)));
    // No whole side is as short as what is still too much. In a town of some size it makes no difference; in a small
    // one the largest house gets a yard.
    let mut yard = if excess * 50 > options.inner() { excess } else { 0 };
    for house in houses {
        for cell in house.cells() {
            let twin = options.twin(cell);
            let size = 1 + usize::from(twin != cell);
            if size <= yard {
                yard -= size;
                continue;
            }
            cells[cell] = '#';
            cells[twin] = '#';
        }
        yard = 0;
    }
}

/// Number of blocks if all these lots are built up.
fn room(lots: &[Lot], options: &BoardOptions) -> usize {
    lots.iter().map(|lot| lot.size(options)).sum()
}

/// Clears lots with no more blocks than are too many, the market near the middle first. Returns how many are still too
/// many.
fn clear_squares(
    houses: &mut Vec<Lot>,
    mut excess: usize,
    options: &BoardOptions,
    dice: &mut ChaCha8Rng,
) -> usize {
    houses.shuffle(dice);
    let mut near = |side: u32| (side / 3 + dice.random_range(0..=side / 3)) as i32 + 1;
    let middle = Cell::new(near(options.width), near(options.height));
    let market = (0..houses.len()).min_by_key(|&at| {
        let Lot { first, last } = houses[at];
        (first + last - middle - middle).norm_squared()
    });
    if let Some(market) = market {
        houses.swap(0, market);
    }
    houses.retain(|house| {
        let size = house.size(options);
        let stays = size > excess;
        excess -= if stays { 0 } else { size };
        stays
    });
    excess
}

/// Takes rows and columns off the sides of houses. Returns how many blocks are still too many.
fn trim(
    houses: &mut [Lot],
    mut excess: usize,
    options: &BoardOptions,
    dice: &mut ChaCha8Rng,
) -> usize {
    loop {
        let choices: Vec<(usize, Lot)> = houses
            .iter()
            .enumerate()
            .flat_map(|(at, house)| house.trimmed().map(|smaller| (at, smaller)))
            .filter(|&(at, smaller)| {
                let house = houses[at];
                let shortest = SHORTEST.min(house.shorter_side()).max(1);
                smaller.shorter_side() >= shortest
                    && house.size(options) - smaller.size(options) <= excess
            })
            .collect();
        let Some(&(at, smaller)) = choices.choose(dice) else { return excess };
        excess -= houses[at].size(options) - smaller.size(options);
        houses[at] = smaller;
    }
}

/// The lots of a town, those on the left if it is mirrored, with room for the blocks that are asked for if there is any
/// way.
fn lots(options: &BoardOptions, dice: &mut ChaCha8Rng) -> Vec<Lot> {
    let (width, height) = (options.width as i32, options.height as i32);
    let wanted = options.wanted();
    let right = if options.mirrored {
        // Lots at the axis join their mirror images, unless a street lies between.
        let beside_avenue = ((width - 4).max(0) * (height - 2)) as usize;
        let is_avenue = beside_avenue >= wanted + wanted / 4 && dice.random();
        (width + 1) / 2 - i32::from(is_avenue)
    } else {
        width - 1
    };
    let site = Lot { first: Cell::new(2, 2), last: Cell::new(right, height - 1) };
    let widest = dice.random_range(1..=2);
    // With larger lots and narrower streets there is more room for houses.
    let styles = (SMALLEST..=width.max(height))
        .flat_map(|longest| (1..=widest).rev().map(move |lane| Style { lane, longest }));
    for enough in [wanted + wanted / 8, wanted] {
        for style in styles.clone() {
            for _ in 0..TRIES {
                let mut lots = Vec::new();
                divide(site, style, dice, &mut lots);
                if room(&lots, options) >= enough {
                    return lots;
                }
            }
        }
    }
    vec![site]
}

/// Divides land by streets until the pieces are small enough for a house.
fn divide(land: Lot, style: Style, dice: &mut ChaCha8Rng, lots: &mut Vec<Lot>) {
    let length = land.columns().max(land.rows());
    let street = if length >= QUARTER { MAIN.max(style.lane) } else { style.lane };
    let room = length - street - 2 * SHORTEST;
    // Some houses are larger than most.
    if length <= style.longest + dice.random_range(0..=2) || room < 0 {
        lots.push(land);
        return;
    }
    let at = SHORTEST + dice.random_range(0..=room);
    for piece in land.cut(at, street) {
        divide(piece, style, dice, lots);
    }
}
