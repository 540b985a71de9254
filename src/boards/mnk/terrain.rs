//! What the game is played on: a wooden board with lines that cross, or a squared sheet of paper.

use super::colours::{Paper, Wood};
use super::pen;
use crate::app::drawing::{Detail, Sketch, Terrain, faded, grain, mixed, opaque};
use crate::app::shell::theme::Rgb;
use bevy::math::{Vec2, Vec2Swizzles};
use outwit_mnk::level::MnkFile;

/// How far board and paper reach beyond the cells on each side, in cells.
pub const BORDER: f32 = 0.6;

/// Whether a game with `k` in a row is played on wood, with stones where lines cross, and not with pens
/// on paper.
pub fn is_wood(width: usize, height: usize, k: u32) -> bool {
    k >= 5 && width >= 8 && height >= 8
}

/// The wooden board or the sheet of a level.
pub fn terrain(level: &MnkFile, dark: bool, detail: Detail) -> Terrain {
    let cells = level.cells('.');
    let size = (cells.width(), cells.height());
    let mut ground = Sketch::default();
    if size.0 > 0 && size.1 > 0 {
        if is_wood(size.0, size.1, level.rules.k) {
            wood(&mut ground, size, &Wood::of(dark), detail);
        } else {
            paper(&mut ground, size, &Paper::of(dark), detail);
        }
    }
    Terrain { ground, standing: Sketch::default() }
}

/// Number of a column or a row as a length.
fn length(cells: usize) -> f32 {
    cells as f32
}

/// Upper left and lower right corner of what lies on the table.
fn corners((width, height): (usize, usize)) -> (Vec2, Vec2) {
    (Vec2::splat(-BORDER), Vec2::new(length(width), length(height)) + BORDER)
}

fn wood(sketch: &mut Sketch, size: (usize, usize), colours: &Wood, detail: Detail) {
    let (low, high) = corners(size);
    if detail == Detail::Far {
        sketch.rect(low, high, opaque(colours.ground[0]));
    } else {
        const ROUND: f32 = 0.17;
        let foot = Vec2::new(0.0, 0.24);
        let shape =
            vec![low, Vec2::new(high.x, low.y), high + foot, Vec2::new(low.x, high.y) + foot];
        sketch.shadow(&[shape], 0.3, |alpha| faded(colours.shadow, alpha), 0.5);
        sketch.rounded(low + foot, high + foot, ROUND, opaque(colours.side[1]));
        sketch.rounded(low + foot * 0.6, high + foot * 0.6, ROUND, opaque(colours.side[0]));
        sketch.rounded(low, high, ROUND, opaque(colours.ground[0]));
        planks(sketch, low, high, colours, detail);
        let rim = mixed(colours.ground[1], Rgb(255, 255, 255), 0.22);
        sketch.frame(low + 0.025, high - 0.025, ROUND - 0.025, 0.05, opaque(rim));
    }
    lines(sketch, size, colours, detail);
}

/// Upright planks, each lit a little differently, with some lines of grain.
fn planks(sketch: &mut Sketch, low: Vec2, high: Vec2, colours: &Wood, detail: Detail) {
    const PLANK: f32 = 3.2;
    // So little that the round corners of the board hold the corners of the planks.
    let low = low + 0.05;
    let high = high - 0.05;
    let count = ((high.x - low.x) / PLANK).round().max(2.0) as i32;
    let width = (high.x - low.x) / count as f32;
    let [plain, lit, deep] = colours.ground;
    for plank in 0..count {
        let left = low.x + plank as f32 * width;
        let right = low.x + (plank + 1) as f32 * width;
        let of = |purpose| grain(plank, 0, purpose);
        let tone = of(3) - 0.5;
        let first = mixed(plain, if tone > 0.0 { lit } else { deep }, 0.3 + tone.abs());
        let last = mixed(plain, deep, 0.2 + 0.4 * of(4));
        let middle = (left + right) / 2.0;
        for (from, to, [a, b]) in [(left, middle, [first, plain]), (middle, right, [plain, last])] {
            let a = opaque(a);
            let b = opaque(b);
            let at = Vec2::new;
            sketch.shaded(&[
                (at(from, low.y), a),
                (at(to, low.y), b),
                (at(to, high.y), b),
                (at(from, high.y), a),
            ]);
        }
        let (count, thick) = if detail == Detail::Near { (9, 1.0) } else { (4, 1.8) };
        for line in 0..count {
            let of = |purpose| grain(plank, line, purpose);
            let share = (line as f32 + 0.2 + 0.6 * of(42)) / count as f32;
            let curve = vein(left + 0.03, right - 0.03, share, [low.y, high.y], [of(43), of(44)]);
            let (colour, alpha) = if line % 3 == 0 { (colours.joint, 0.16) } else { (deep, 0.5) };
            let width = (0.024 + 0.036 * of(45)) * thick;
            sketch.cut_line(&curve, width, faded(colour, alpha));
        }
        if plank > 0 {
            let joint = [Vec2::new(left, low.y), Vec2::new(left, high.y)];
            sketch.cut_line(&joint, 0.03 * thick, faded(colours.joint, 0.4));
        }
    }
}

/// A line of grain from the top to the bottom of a plank, at a share of the way from its left to its right.
fn vein(left: f32, right: f32, share: f32, ends: [f32; 2], whims: [f32; 2]) -> Vec<Vec2> {
    const STEPS: u8 = 16;
    const SWAY: f32 = 0.11;
    (0..=STEPS)
        .map(|step| {
            let t = f32::from(step) / f32::from(STEPS);
            let wave = |whim: f32, turns: f32| ((t * turns + whim) * std::f32::consts::TAU).sin();
            let aside = SWAY * (wave(whims[0], 0.7) + 0.5 * wave(whims[1], 1.6));
            let x = (left + (right - left) * share + aside).clamp(left, right);
            Vec2::new(x, ends[0] + (ends[1] - ends[0]) * t)
        })
        .collect()
}

/// The lines through the middles of all cells, and the star points.
fn lines(sketch: &mut Sketch, size: (usize, usize), colours: &Wood, detail: Detail) {
    let first = Vec2::splat(0.5);
    let last = Vec2::new(length(size.0), length(size.1)) - 0.5;
    let plain = opaque(colours.lines);
    let (thin, thick) = match detail {
        Detail::Near => (0.032, 0.06),
        Detail::Middle => (0.05, 0.085),
        Detail::Far => (0.1, 0.13),
    };
    let weight = |n: usize, of: usize| match detail {
        _ if n == 0 || n + 1 == of => (thick, plain),
        Detail::Far if n.is_multiple_of(5) => (thin, faded(colours.lines, 0.8)),
        Detail::Far => (thin, faded(colours.lines, 0.3)),
        Detail::Near | Detail::Middle => (thin, plain),
    };
    for column in 0..size.0 {
        let (x, (width, ink)) = (first.x + length(column), weight(column, size.0));
        let reach = thick / 2.0;
        sketch.cut_line(&[Vec2::new(x, first.y - reach), Vec2::new(x, last.y + reach)], width, ink);
    }
    for row in 0..size.1 {
        let (y, (width, ink)) = (first.y + length(row), weight(row, size.1));
        sketch.cut_line(&[Vec2::new(first.x, y), Vec2::new(last.x, y)], width, ink);
    }
    for x in stars(size.0) {
        for y in stars(size.1) {
            sketch.disc(first + Vec2::new(length(x), length(y)), 0.105, plain);
        }
    }
}

/// Columns or rows that have star points: near both ends, and in the middle if there is one.
fn stars(cells: usize) -> Vec<usize> {
    let inset = if cells >= 13 { 3 } else { 2 };
    let mut found = vec![inset, cells.saturating_sub(inset + 1)];
    if cells % 2 == 1 {
        found.push(cells / 2);
    }
    found
}

fn paper(sketch: &mut Sketch, size: (usize, usize), colours: &Paper, detail: Detail) {
    const FOLD: f32 = 0.42;
    let (low, high) = corners(size);
    if detail == Detail::Far {
        sketch.rect(low, high, opaque(colours.sheet));
    } else {
        let top = Vec2::new(high.x, low.y);
        let left = Vec2::new(low.x, high.y);
        let fold = [high - Vec2::new(0.0, FOLD), high - FOLD, high - Vec2::new(FOLD, 0.0)];
        let sheet = vec![low, top, fold[0], fold[2], left];
        sketch.shadow(
            std::slice::from_ref(&sheet),
            0.14,
            |alpha| faded(colours.shadow, alpha),
            0.45,
        );
        sketch.fan(&sheet, opaque(colours.sheet));
        rule(sketch, low, high, FOLD, colours, detail);
        sketch.fan(&fold, opaque(mixed(colours.sheet, colours.rule, 0.45)));
        sketch.cut_line(&fold, 0.012, faded(colours.rule, 0.6));
    }
    grid(sketch, size, colours, detail);
}

/// The squared rule that is printed on the sheet.
fn rule(sketch: &mut Sketch, low: Vec2, high: Vec2, fold: f32, colours: &Paper, detail: Detail) {
    let (gap, width) = if detail == Detail::Near { (0.25, 0.01) } else { (0.5, 0.03) };
    let ink = faded(colours.rule, 0.26);
    let places = |from: f32, to: f32| {
        let count = ((to - from) / gap).ceil().max(1.0) as usize;
        (1..count).map(move |n| from + n as f32 * gap)
    };
    // The fold cuts off what comes too near to the corner.
    let end = |at: f32, most: f32, other: f32| other - (at - (most - fold)).max(0.0);
    for x in places(low.x, high.x) {
        let line = [Vec2::new(x, low.y), Vec2::new(x, end(x, high.x, high.y))];
        sketch.cut_line(&line, width, ink);
    }
    for y in places(low.y, high.y) {
        let line = [Vec2::new(low.x, y), Vec2::new(end(y, high.y, high.x), y)];
        sketch.cut_line(&line, width, ink);
    }
}

/// The lines between cells, drawn by hand.
fn grid(sketch: &mut Sketch, (width, height): (usize, usize), colours: &Paper, detail: Detail) {
    const OVER: f32 = 0.08;
    let ink = opaque(colours.grid);
    let pen_width = match detail {
        Detail::Near => 0.04,
        Detail::Middle => 0.07,
        Detail::Far => 0.1,
    };
    let widths = [pen_width, pen_width * 0.8];
    let mut line = |n: usize, turned: bool, far: usize| {
        let along = length(far);
        let at = length(n);
        let whim = |purpose| grain(n as i32, i32::from(turned), purpose) - 0.5;
        let drift = 0.03 * whim(61);
        let bow = 0.03 * whim(62);
        let from = Vec2::new(at, -OVER);
        let to = Vec2::new(at + drift, along + OVER);
        let ends = if turned { (from.yx(), to.yx()) } else { (from, to) };
        if detail == Detail::Far {
            sketch.cut_line(&[ends.0, ends.1], pen_width, faded(colours.grid, 0.6));
        } else {
            pen::draw(sketch, &pen::straight(ends.0, ends.1, bow, widths, 1.0), ink);
        }
    };
    (1..width).for_each(|column| line(column, false, height));
    (1..height).for_each(|row| line(row, true, width));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::drawing::picture;
    use outwit_mnk::MnkRules;

    fn level(width: usize, height: usize, k: u32) -> MnkFile {
        let rules = MnkRules { k, ..MnkRules::default() };
        crate::boards::tests::level(rules, vec![".".repeat(width); height])
    }

    /// How far a place of a board differs in brightness from the ground beside the middle of a cell there.
    fn stands_out(level: &MnkFile, dark: bool, at: Vec2) -> bool {
        const CELL: f32 = 40.0;
        let terrain = terrain(level, dark, Detail::Near);
        let [here, ground] = [at, at + Vec2::new(0.37, 0.31)].map(|at| {
            let low = at - 0.5 / CELL;
            let image =
                picture(&[&terrain.ground], Rgb(255, 0, 255), low, Vec2::splat(1.0 / CELL), CELL);
            i32::from(image.pixels[0].g())
        });
        (here - ground).abs() > 30
    }

    #[test]
    fn stones_lie_on_crossings_and_marks_between_lines() {
        for dark in [true, false] {
            let (wood, paper) = (level(9, 8, 5), level(5, 4, 4));
            for (x, y) in [(0.5, 0.5), (4.5, 3.5), (8.5, 7.5), (2.5, 0.5)] {
                assert!(stands_out(&wood, dark, Vec2::new(x, y)), "{dark} {x} {y}");
            }
            assert!(!stands_out(&wood, dark, Vec2::new(3.0, 3.0)));
            for (x, y) in [(1.0, 0.5), (4.0, 3.5), (2.5, 3.0)] {
                assert!(stands_out(&paper, dark, Vec2::new(x, y)), "{dark} {x} {y}");
            }
            assert!(!stands_out(&paper, dark, Vec2::new(2.5, 2.5)));
        }
    }

    #[test]
    fn boards_of_all_sizes_are_drawn_within_their_border() {
        for (width, height, k) in [(1, 1, 1), (9, 1, 3), (3, 3, 3), (15, 15, 5), (70, 70, 10)] {
            for detail in [Detail::Far, Detail::Middle, Detail::Near] {
                let terrain = terrain(&level(width, height, k), true, detail);
                assert!(!terrain.ground.is_empty() && terrain.standing.is_empty());
                let high = Vec2::new(width as f32, height as f32) + BORDER + 0.6;
                for (at, _) in terrain.ground.triangles().flatten() {
                    assert!(at.cmpge(Vec2::splat(-BORDER - 0.01)).all(), "{at}");
                    assert!(at.cmple(high).all(), "{at}");
                }
            }
        }
    }

    #[test]
    fn levels_with_faults_are_drawn() {
        let mut level = level(3, 3, 3);
        for map in [vec![], vec![""], vec!["X", "??????", ""]] {
            level.map = map.into_iter().map(String::from).collect();
            for detail in [Detail::Far, Detail::Middle, Detail::Near] {
                terrain(&level, false, detail);
            }
        }
    }

    #[test]
    fn star_points_are_where_people_expect_them() {
        assert_eq!(stars(15), [3, 11, 7]);
        assert_eq!(stars(19), [3, 15, 9]);
        assert_eq!(stars(8), [2, 5]);
    }

    #[test]
    fn small_boards_and_short_rows_are_drawn_on_paper() {
        assert!(is_wood(15, 15, 5) && is_wood(8, 70, 5));
        assert!(!is_wood(7, 7, 5) && !is_wood(15, 15, 4) && !is_wood(70, 7, 5));
    }
}
