//! Checks sentences on pursuits from the raw states. Shares no code with the remarks and none with the
//! board: cells, gates, walls and ways are worked out here once more, and who is first at a gate is found by
//! letting everybody walk tick by tick.

use crate::{Cops, Gate, Position, Pursuit, PursuitStatus, Step, Wall};
use outwit_core::grid::Cell;
use outwit_core::play::{Game, Match};
use outwit_kit::Remark;
use std::collections::{BTreeMap, BTreeSet};

pub struct Checker<'a> {
    played: &'a Match<Cops>,
    width: i32,
    height: i32,
    blocks: BTreeSet<(i32, i32)>,
}

/// Walls and a gate as they stand, and the players.
#[derive(Clone)]
struct Moment {
    walls: Vec<Wall>,
    gate: Gate,
    thief: Cell,
    cops: Vec<Cell>,
}

const NEXT: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Where a step leads from (0, 0).
fn delta(step: Step) -> (i32, i32) {
    match step {
        Step::Stay => (0, 0),
        Step::Right => (1, 0),
        Step::Down => (0, 1),
        Step::Left => (-1, 0),
        Step::Up => (0, -1),
    }
}

impl<'a> Checker<'a> {
    pub fn new(played: &'a Match<Cops>) -> Self {
        let level = played.game().level();
        let map = level.cells('.');
        let (width, height) = match level.rules.size {
            Some(size) => (size as i32 + 2, size as i32 + 2),
            None => (map.width() as i32, map.height() as i32),
        };
        let blocks = match level.rules.size {
            Some(_) => BTreeSet::new(),
            None => map
                .iter()
                .filter(|(_, symbol)| **symbol == '#')
                .map(|(at, _)| (at.x, at.y))
                .collect(),
        };
        Self { played, width, height, blocks }
    }

    fn rules(&self) -> &crate::CopsRules {
        &self.played.game().level().rules
    }

    fn at(&self, turn: usize) -> Result<&Pursuit, String> {
        self.played.states().get(turn).ok_or_else(|| format!("no turn {turn}"))
    }

    fn open(&self, walls: &[Wall], (x, y): (i32, i32)) -> bool {
        let length = self.rules().wall_length as i32;
        let inside = x > 0 && y > 0 && x < self.width - 1 && y < self.height - 1;
        let walled = walls.iter().any(|wall| {
            (0..length).any(|i| {
                let (dx, dy) = if wall.standing { (0, i) } else { (i, 0) };
                (wall.cell.x + dx, wall.cell.y + dy) == (x, y)
            })
        });
        inside && !walled && !self.blocks.contains(&(x, y))
    }

    /// The border clockwise from the top left corner.
    fn border(&self) -> Vec<(i32, i32)> {
        let (w, h) = (self.width, self.height);
        let mut ring: Vec<(i32, i32)> = (0..w).map(|x| (x, 0)).collect();
        ring.extend((1..h).map(|y| (w - 1, y)));
        ring.extend((0..w - 1).rev().map(|x| (x, h - 1)));
        ring.extend((1..h - 1).rev().map(|y| (0, y)));
        ring
    }

    fn gate_cells(&self, gate: Gate) -> Vec<(i32, i32)> {
        let ring = self.border();
        let width = self.rules().gate_width as usize;
        (0..width).map(|i| ring[(gate.place as usize + i) % ring.len()]).collect()
    }

    fn side(&self, gate: Gate) -> (&'static str, i32) {
        let cells = self.gate_cells(gate);
        let (x, y) = cells[(cells.len() - 1) / 2];
        if y == 0 {
            ("north", x)
        } else if y == self.height - 1 {
            ("south", x)
        } else if x == 0 {
            ("west", y)
        } else {
            ("east", y)
        }
    }

    /// The gate that a name means.
    fn gate(&self, gates: &[Gate], name: &str) -> Result<usize, String> {
        let words: Vec<&str> = name.split(' ').collect();
        let side = words[words.len() - 2];
        let mut there: Vec<(i32, usize)> = (0..gates.len())
            .filter(|&gate| self.side(gates[gate]).0 == side)
            .map(|gate| (self.side(gates[gate]).1, gate))
            .collect();
        there.sort_unstable();
        let number = match words[1] {
            word if word == side && there.len() == 1 => 0,
            "left" | "upper" if there.len() == 2 => 0,
            "right" | "lower" if there.len() == 2 => 1,
            word => {
                let digits: String = word.chars().filter(char::is_ascii_digit).collect();
                digits.parse::<usize>().map_err(|_| format!("no gate is {name}"))? - 1
            }
        };
        there.get(number).map(|found| found.1).ok_or_else(|| format!("no gate is {name}"))
    }

    /// Steps from a cell to all others, by widening rings.
    fn ways(&self, walls: &[Wall], from: &[Cell]) -> BTreeMap<(i32, i32), u32> {
        let mut known: BTreeMap<(i32, i32), u32> =
            from.iter().map(|at| ((at.x, at.y), 0)).collect();
        let mut edge: Vec<(i32, i32)> = known.keys().copied().collect();
        for steps in 1.. {
            let mut next = Vec::new();
            for (x, y) in edge {
                for (dx, dy) in NEXT {
                    let to = (x + dx, y + dy);
                    if self.open(walls, to) && !known.contains_key(&to) {
                        known.insert(to, steps);
                        next.push(to);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            edge = next;
        }
        known
    }

    /// Steps from a cell to the nearest one before one of some gates.
    fn way_out(&self, walls: &[Wall], from: Cell, gates: &[Gate]) -> Option<u32> {
        let ways = self.ways(walls, &[from]);
        let cells = gates.iter().flat_map(|&gate| self.gate_cells(gate));
        let fronts = cells.flat_map(|(x, y)| NEXT.map(|(dx, dy)| (x + dx, y + dy)));
        fronts
            .filter(|&front| self.open(walls, front))
            .filter_map(|front| ways.get(&front))
            .min()
            .copied()
    }

    /// Whether the thief can leave through the gate within so many steps and one more, whatever the cops do,
    /// while walls and gate stay: everybody walks everywhere at once, tick by tick.
    fn clear(&self, moment: &Moment, most: u32) -> bool {
        let Moment { walls, gate, thief, cops } = moment;
        let gates = self.gate_cells(*gate);
        let mut free: BTreeSet<(i32, i32)> = [(thief.x, thief.y)].into();
        let mut taken: BTreeSet<(i32, i32)> = cops.iter().map(|cop| (cop.x, cop.y)).collect();
        let spread = |cells: &BTreeSet<(i32, i32)>| -> BTreeSet<(i32, i32)> {
            let near = cells.iter().flat_map(|&(x, y)| NEXT.map(|(dx, dy)| (x + dx, y + dy)));
            near.filter(|&cell| self.open(walls, cell)).chain(cells.iter().copied()).collect()
        };
        let beside = self.rules().capture_adjacent;
        let danger = |taken: &BTreeSet<(i32, i32)>, (x, y): (i32, i32)| {
            let near = NEXT.iter().any(|(dx, dy)| taken.contains(&(x + dx, y + dy)));
            taken.contains(&(x, y)) || beside && near
        };
        free.retain(|&cell| !danger(&taken, cell));
        for _ in 0..=most {
            let goes = free.iter().flat_map(|&(x, y)| NEXT.map(|(dx, dy)| (x + dx, y + dy)));
            let goes: Vec<(i32, i32)> = goes.collect();
            taken = spread(&taken);
            if goes.iter().any(|cell| gates.contains(cell) && !danger(&taken, *cell)) {
                return true;
            }
            free = spread(&free).into_iter().filter(|&cell| !danger(&taken, cell)).collect();
        }
        false
    }

    /// Checks a sentence; what is wrong with it otherwise.
    pub fn check(&self, remark: &Remark) -> Result<(), String> {
        let turn = remark.turn;
        let (before, after) = (&self.at(turn)?.position, &self.at(turn + 1)?.position);
        let words = remark.words.as_str();
        let lower = words.replacen("The ", "the ", 1);
        let figure =
            |name: &str| remark.figures.iter().find(|(own, _)| own == name).map(|f| f.1 as u32);
        let is = |what: &str, true_one: bool| if true_one { Ok(()) } else { Err(what.to_owned()) };
        let number = |text: &str| text.parse::<usize>().map_err(|_| format!("{text} in {words}"));
        is("long", words.chars().count() <= 60)?;
        if let Some(rest) = words.strip_prefix("Cop ") {
            let (cop, rest) = rest.split_once(' ').ok_or("cop")?;
            let cop = number(cop)? - 1;
            return self.check_cop(remark, cop, rest);
        }
        if let Some(rest) = words.strip_prefix("The thief makes for ") {
            return self.check_aim(remark, self.gate(&before.gates, rest)?);
        }
        if let Some(rest) = words.strip_prefix("The thief trades ") {
            let (old, new) = rest.split_once(" for ").ok_or("trades")?;
            let (old, new) = (self.gate(&before.gates, old)?, self.gate(&before.gates, new)?);
            let last = turn.checked_sub(self.rules().k as usize).ok_or("no plan before")?;
            let [then, later] = self.steps_of_plan(last, 0, old)?;
            is("the other was no aim", old != new && then > later)?;
            return self.check_aim(remark, new);
        }
        if lower.contains("the thief is caught in ") || lower.contains("likely to ") {
            // What came of it is counted over all pursuits.
            let share = remark.figures.iter().find(|figure| figure.0.starts_with("share"));
            let certain = share.is_some_and(|(_, share)| *share >= 0.95);
            return is("sure", certain != lower.contains("likely"));
        }
        if words.starts_with("No plan of a cop stops the thief: it is out ") {
            return Ok(());
        }
        if let Some(rest) = words.strip_prefix("Only cop ") {
            let (cop, name) = rest.split_once(" keeps the thief from ").ok_or("only")?;
            let (cop, gate) = (number(cop)? - 1, self.gate(&after.gates, name)?);
            let (with, mut without) = (self.moment(after, gate), self.moment(after, gate));
            without.cops.remove(cop);
            let alone = Moment { cops: vec![with.cops[cop]], ..with.clone() };
            let k = self.rules().k;
            is("others guard it", self.clear(&without, k))?;
            return is("it does not guard it", !self.clear(&alone, k) && !self.clear(&with, k));
        }
        if lower.contains("way out") {
            let ways = [&before.walls, &after.walls]
                .map(|walls| self.way_out(walls, after.thief, &before.gates));
            is("ways", ways == [figure("steps before"), figure("steps now")])?;
            let [Some(then), Some(now)] = ways else { return Err("no way".into()) };
            if lower.ends_with("until a wall clears its way out") {
                let waited = figure("ticks waited").ok_or("figure")? as usize;
                let still = (turn + 1 - waited..=turn + 1)
                    .all(|turn| self.played.states()[turn].position.thief == after.thief);
                return is("it did not wait", still && waited >= 2 && now < then);
            }
            let (said, longer) = (words.split(' ').nth(7), words.ends_with("longer"));
            let by = if longer { now as i32 - then as i32 } else { then as i32 - now as i32 };
            return is("by so many", said == Some(by.to_string().as_str()) && by > 0);
        }
        if lower.contains("where the thief gets first") {
            let count = self.room(after);
            is("count", figure("cells now") == Some(count as u32))?;
            let said =
                if count <= 1 { "No other cell is".into() } else { format!("{count} cells are") };
            return is("words", words.starts_with(&said));
        }
        if words == "A wall stops the thief" || lower.ends_with("before the thief gets out") {
            let k = self.rules().k as usize;
            let step = self.at(turn + 1)?.plans[before.tick as usize % k];
            let delta = delta(step);
            is("it moved", before.thief == after.thief && step != Step::Stay)?;
            let into = (before.thief.x + delta.0, before.thief.y + delta.1);
            if words == "A wall stops the thief" {
                let free = self.blocks.contains(&into) || self.open(&[], into);
                return is(
                    "no wall there",
                    free && !self.open(&before.walls, into) && self.open(&[], into),
                );
            }
            let planned = &self.at(turn - turn % k)?.position;
            let name = lower.trim_end_matches(" has moved on before the thief gets out");
            let gate = self.gate(&before.gates, name)?;
            is("was no gate", self.gate_cells(planned.gates[gate]).contains(&into))?;
            let now = before.gates.iter().any(|&gate| self.gate_cells(gate).contains(&into));
            return is("is a gate still", !now);
        }
        if let Some(rest) = words.strip_prefix("The thief can now expect ") {
            let value = |name: &str| remark.figures.iter().find(|f| f.0 == name).map(|f| f.1);
            let get = |name: &str| value(name).ok_or_else(|| name.to_owned());
            let (then, now) = (get("expected before")?, get("expected now")?);
            let clear = (now - then).abs() > get("margin before")? + get("margin now")?;
            let said = format!(
                "{:.0} ticks {}",
                (now - then).abs(),
                if now > then { "more" } else { "less" }
            );
            return is("figures", clear && rest.starts_with(&said));
        }
        self.check_gates(remark, &lower)
    }

    /// Steps of the thief or a cop to the cell before a gate, before and after the plan made in a turn, while all
    /// else stands still.
    fn steps_of_plan(&self, turn: usize, piece: usize, gate: usize) -> Result<[u32; 2], String> {
        let Position { thief, cops, walls, gates, .. } = &self.at(turn)?.position;
        let k = self.rules().k as usize;
        let from = if piece == 0 { *thief } else { cops[piece - 1] };
        let (mut x, mut y) = (from.x, from.y);
        for step in &self.at(turn + 1)?.plans[piece * k..][..k] {
            let (dx, dy) = delta(*step);
            if self.open(walls, (x + dx, y + dy)) {
                (x, y) = (x + dx, y + dy);
            }
        }
        let steps = |at: Cell| self.way_out(walls, at, &gates[gate..=gate]).unwrap_or(u32::MAX);
        Ok([steps(from), steps(Cell::new(x, y))])
    }

    fn check_aim(&self, remark: &Remark, gate: usize) -> Result<(), String> {
        let steps = self.steps_of_plan(remark.turn, 0, gate)?;
        let told = remark.figures.iter().map(|figure| figure.1 as u32);
        match steps[1] < steps[0] && told.eq(steps) {
            true => Ok(()),
            false => Err(format!("aim: {steps:?}")),
        }
    }

    fn moment(&self, position: &Position, gate: usize) -> Moment {
        let Position { thief, cops, walls, gates, .. } = position.clone();
        Moment { walls, gate: gates[gate], thief, cops }
    }

    /// Before the turn, after the players moved, after the walls, and after the gates.
    fn moments(&self, turn: usize, gate: usize) -> Result<[Moment; 4], String> {
        let (before, after) = (&self.at(turn)?.position, &self.at(turn + 1)?.position);
        let (first, last) = (self.moment(before, gate), self.moment(after, gate));
        let moved = Moment { thief: last.thief, cops: last.cops.clone(), ..first.clone() };
        let walls = Moment { walls: last.walls.clone(), ..moved.clone() };
        Ok([first, moved, walls, last])
    }

    fn check_gates(&self, remark: &Remark, lower: &str) -> Result<(), String> {
        let after = &self.at(remark.turn + 1)?.position;
        let most = 2 * self.rules().k;
        let (kind, name) = [
            ("own", "the thief has a clear run to "),
            ("wall", "a wall gives the thief a clear run to "),
            ("costs", "a wall costs the thief its clear run to "),
            ("turns", "the thief turns away from "),
        ]
        .iter()
        .find_map(|(kind, words)| {
            Some((*kind, lower.to_lowercase().strip_prefix(words)?.to_owned()))
        })
        .or_else(|| {
            let into =
                lower.strip_suffix(" moves into the thief's reach").map(|name| ("into", name));
            let out =
                || lower.strip_suffix(" moves out of the thief's reach").map(|name| ("out", name));
            into.or_else(out).map(|(kind, name)| (kind, name.to_owned()))
        })
        .map_or_else(|| self.check_end(remark).map(|()| ("end", String::new())), Ok)?;
        if kind == "end" {
            return Ok(());
        }
        let gate = self.gate(&after.gates, &name)?;
        let [first, moved, walls, last] = self.moments(remark.turn, gate)?;
        let clear = [&first, &moved, &walls, &last].map(|moment| self.clear(moment, most));
        let holds = match kind {
            "own" => matches!(clear, [false, true, _, true]),
            "wall" => matches!(clear, [false, false, true, true]),
            "into" => matches!(clear, [false, false, false, true]),
            "costs" => matches!(clear, [true, true, false, false]),
            "out" => matches!(clear, [true, true, true, false]),
            _ => {
                let stayed = Moment { thief: first.thief, ..moved.clone() };
                let way = |thief| self.way_out(&first.walls, thief, &[first.gate]);
                matches!(clear, [true, false, _, false])
                    && self.clear(&stayed, most)
                    && way(moved.thief) > way(first.thief)
            }
        };
        // The figures alone show it, too: who is first before the gate.
        let lead = 1 + u32::from(self.rules().capture_adjacent);
        let steps = |who: &str| {
            let figure = remark.figures.iter().find(|figure| figure.0 == who);
            figure.map_or(u32::MAX - 9, |figure| figure.1 as u32)
        };
        let first = |thief: &str, cop: &str| steps(thief) + lead <= steps(cop);
        let shown = match kind {
            "own" | "wall" | "into" => first("thief's steps", "nearest cop's steps"),
            "costs" | "out" => {
                first("thief's steps before", "nearest cop's steps before")
                    && !first("thief's steps now", "nearest cop's steps now")
            }
            _ => true,
        };
        if holds && shown { Ok(()) } else { Err(format!("{kind}: {clear:?}")) }
    }

    fn check_cop(&self, remark: &Remark, cop: usize, rest: &str) -> Result<(), String> {
        let turn = remark.turn;
        let (before, after) = (&self.at(turn)?.position, &self.at(turn + 1)?.position);
        let apart = |at: &Position| {
            (at.cops[cop].x - at.thief.x).abs() + (at.cops[cop].y - at.thief.y).abs()
        };
        if rest == "comes within one cell of the thief" {
            let holds = apart(after) == 1 && apart(before) > 1;
            return if holds { Ok(()) } else { Err("not so near".into()) };
        }
        if let Some(name) = rest.strip_prefix("will be nearer to ") {
            let gate = self.gate(&before.gates, name)?;
            let own = self.steps_of_plan(turn, cop + 1, gate)?;
            let thief = self.steps_of_plan(turn, 0, gate)?;
            let told = remark.figures.iter().map(|figure| figure.1 as u32);
            let holds = own[1] < thief[1] && told.eq([own[0], own[1], thief[1]]);
            return if holds { Ok(()) } else { Err(format!("nearer: {own:?} {thief:?}")) };
        }
        if rest == "waits until a wall clears its way" {
            let figure = |at: usize| remark.figures[at].1 as usize;
            let at = after.cops[cop];
            let still = (turn + 1 - figure(0)..=turn + 1)
                .all(|turn| self.played.states()[turn].position.cops[cop] == at);
            let ways = [&before.walls, &after.walls].map(|walls| {
                self.ways(walls, &[after.thief]).get(&(at.x, at.y)).map(|&way| way as usize)
            });
            let holds = still && figure(0) >= 2 && ways == [Some(figure(1)), Some(figure(2))];
            return if holds && figure(2) < figure(1) { Ok(()) } else { Err("no wait".into()) };
        }
        if let Some((whom, tick)) =
            rest.strip_prefix("catches ").and_then(|rest| rest.rsplit_once(" in tick "))
        {
            self.check_caught(remark, (before, after), whom)?;
            let beside = self.rules().capture_adjacent as i32;
            let swapped = self.rules().capture_swap && before.cops[cop] == after.thief;
            let holds = tick == (turn + 1).to_string()
                && self.at(turn + 1)?.standing == PursuitStatus::Caught(turn as u32)
                && (apart(after) <= beside || swapped);
            return if holds { Ok(()) } else { Err("not caught".into()) };
        }
        let most = 2 * self.rules().k;
        let (gives, name) = match (rest.strip_prefix("gives up "), rest.strip_prefix("shuts ")) {
            (Some(name), _) => (true, name),
            (_, Some(name)) => (false, name),
            _ => return Err(format!("unknown: {rest}")),
        };
        let gate = self.gate(&after.gates, name)?;
        let [first, moved, _, last] = self.moments(turn, gate)?;
        let mut back = moved.clone();
        back.cops[cop] = before.cops[cop];
        let clear = [&first, &back, &moved, &last].map(|moment| self.clear(moment, most));
        // The figures alone show it: in time with a lead less than it needs, or not.
        let figure = |at: usize| remark.figures.get(at).map_or(f64::INFINITY, |figure| figure.1);
        let lead = 1.0 + f64::from(u8::from(self.rules().capture_adjacent));
        let (before, now, thief) = match remark.figures.len() {
            3 => (figure(0), figure(1), figure(2)),
            _ if gives => (figure(0), f64::INFINITY, figure(1)),
            _ => (f64::INFINITY, figure(0), figure(1)),
        };
        let first = [before, now].map(|cop| thief + lead <= cop);
        let holds = clear == [!gives, !gives, gives, gives] && first == [!gives, gives];
        if holds { Ok(()) } else { Err(format!("{clear:?} {first:?}")) }
    }

    /// The number of cells that the thief reaches before any cop.
    fn room(&self, at: &Position) -> usize {
        let own = self.ways(&at.walls, &[at.thief]);
        let theirs = self.ways(&at.walls, &at.cops);
        let is_first = |cell: &&(i32, i32)| theirs.get(cell).is_none_or(|&steps| own[cell] < steps);
        own.keys().filter(is_first).count()
    }

    /// Where the thief is said to be caught.
    fn check_caught(
        &self,
        remark: &Remark,
        (before, after): (&Position, &Position),
        whom: &str,
    ) -> Result<(), String> {
        let told = remark.figures.get(1).map(|figure| figure.1 as u32);
        let nearest = self.way_out(&after.walls, after.thief, &after.gates);
        let room = self.room(before) as u32;
        let holds = match whom {
            "the cornered thief" => room <= 3 && told == Some(room),
            "the thief" => room > 3 && told.is_none(),
            _ => {
                let (place, name) = match whom.strip_prefix("the thief at ") {
                    Some(name) => (0..=0, name),
                    None => (1..=2, whom.strip_prefix("the thief near ").ok_or("whom")?),
                };
                let gate = self.gate(&after.gates, name)?;
                let steps = self.way_out(&after.walls, after.thief, &after.gates[gate..=gate]);
                steps.is_some_and(|steps| place.contains(&steps))
                    && steps == nearest
                    && told == steps
            }
        };
        if holds { Ok(()) } else { Err(format!("caught: {whom}, {room} cells, {nearest:?}")) }
    }

    fn check_end(&self, remark: &Remark) -> Result<(), String> {
        let last = self.at(remark.turn + 1)?;
        let words = remark.words.as_str();
        let holds = match last.standing {
            PursuitStatus::Survived => {
                words == format!("The thief holds out all {} ticks", self.rules().ticks)
                    && remark.turn + 1 == self.rules().ticks as usize
            }
            PursuitStatus::Escaped(tick) => {
                let name = words.strip_prefix("The thief escapes through ").ok_or("unknown")?;
                let (name, told) = name.split_once(" in tick ").ok_or("unknown")?;
                let gate = self.gate(&last.position.gates, name)?;
                let at = (last.position.thief.x, last.position.thief.y);
                told == (tick + 1).to_string()
                    && self.gate_cells(last.position.gates[gate]).contains(&at)
            }
            _ => return Err(format!("unknown: {words}")),
        };
        if holds { Ok(()) } else { Err("the end is another".into()) }
    }
}
