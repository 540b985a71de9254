//! Matches in SGF: the moves with their variations, and what notes and a review say of them.

use super::level::{Opening, Stone};
use super::rules::{Mnk, MnkAction, cells};
use super::sgf::{Board, escape};
use outwit_core::grid::Cell;
use outwit_core::play::{Closing, MoveReview, Seat};
use outwit_kit::{Converted, MatchRecord};
use std::collections::BTreeMap;

/// A move that costs so much is a bad one for certain: it turns a win into a draw, or more.
const BLUNDER: f64 = 0.5;

/// Writes a match.
pub(super) fn write(record: &MatchRecord<Mnk>) -> Converted {
    let played = record.played;
    let level = played.game().file();
    let main = cells(played.turns().iter().map(|turn| &turn.actions[..]));
    let mut others: Vec<Vec<Cell>> = Vec::new();
    for line in played.variations() {
        let line = cells(line.turns.iter().map(|actions| &actions[..]));
        // Lines that differ only in what a swap opening chose are the same here.
        if line != main && !others.contains(&line) {
            others.push(line);
        }
    }
    let shared = |line: &[Cell]| line.iter().zip(&main).take_while(|(a, b)| a == b).count();
    let mut sides: Vec<(usize, &[Cell])> = others
        .iter()
        .map(|line| shared(line))
        .zip(&others)
        .map(|(at, line)| (at, &line[at..]))
        .collect();
    let notes = Notes::of(record, main.len());
    let better: Vec<(usize, [Cell; 1])> = notes.better.keys().map(|&(at, it)| (at, [it])).collect();
    for (at, cell) in &better {
        if !sides.iter().any(|(other, line)| other == at && line.first() == cell.first()) {
            sides.push((*at, cell));
        }
    }
    let board = Board::of(level);
    let mut rules = level.rules.clone();
    rules.opening = Opening::Free;
    let head = board.root(level, &players(record), &rules);
    let start = notes.main.get(&0).map_or("", String::as_str);
    let writer = Writer { board: &board, first: level.rules.to_move };
    let text = format!("(;{head}{start}{})\n", writer.lines(0, &main, &sides, Some(&notes), ""));
    let mut lost = board.lost(level);
    let choices = played.turns().iter().flat_map(|turn| &turn.actions);
    if choices.into_iter().any(|(_, action)| !matches!(action, MnkAction::Place(_))) {
        lost.push("the choices of the swap opening".into());
    }
    Converted { bytes: text.into_bytes(), lost }
}

/// Who played black and white, and the result.
fn players(record: &MatchRecord<Mnk>) -> String {
    let state = record.played.state();
    let mut text = String::new();
    for (property, stone) in [("PB", Stone::X), ("PW", Stone::O)] {
        let name = record.names.get(state.holder(stone).index()).and_then(Option::as_deref);
        text.extend(name.map(|name| format!("{property}[{}]", escape(name))));
    }
    let Some(outcome) = record.played.outcome() else { return text };
    let winner = outcome.places.iter().position(|place| place.score == Some(1.0));
    let winner = winner.map(|seat| match state.held(Seat(seat as u8)) {
        Stone::X => "B",
        Stone::O => "W",
    });
    let why = match record.played.closing() {
        Some((_, Closing::Resigned)) => "R",
        Some((_, Closing::TimeOver)) => "T",
        Some(_) => "F",
        None => "",
    };
    text + &winner.map_or_else(|| "RE[0]".to_owned(), |winner| format!("RE[{winner}+{why}]"))
}

/// The properties that say something of positions and moves.
struct Notes {
    /// By the number of stones placed on the main line.
    main: BTreeMap<usize, String>,
    /// Better moves, by the number of stones before them on the main line.
    better: BTreeMap<(usize, Cell), String>,
}

impl Notes {
    fn of(record: &MatchRecord<Mnk>, placed: usize) -> Self {
        // How many stones were placed before each turn.
        let mut depths = vec![0];
        for turn in record.played.turns() {
            depths.push(depths.last().unwrap_or(&0) + cells([&turn.actions[..]].into_iter()).len());
        }
        let mut words: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        let mut marks = BTreeMap::new();
        let mut better = BTreeMap::new();
        for note in record.notes {
            if let Some(&at) = depths.get(note.turn) {
                words.entry(at).or_default().push(note.text.clone());
            }
        }
        let seats = record.review.iter().flat_map(|review| &review.seats);
        for judged in seats.flat_map(|seat| &seat.moves) {
            let Some(&[before, after]) = depths.get(judged.turn..judged.turn + 2) else { continue };
            // Who chooses in a swap opening places no stone.
            if before == after {
                continue;
            }
            words.entry(before + 1).or_default().push(sentence(judged));
            if !judged.is_mistake() {
                continue;
            }
            let is_blunder = judged.cost.is_none_or(|cost| cost >= BLUNDER);
            marks.insert(before + 1, if is_blunder { "BM[2]" } else { "BM[1]" });
            if let Some(choice) = &judged.better
                && let Some(cell) = choice.ways.first().and_then(|way| way.first())
            {
                better.insert((before, *cell), format!("TE[1]C[{}]", escape(&choice.leads_to)));
            }
        }
        let main = (0..=placed).filter_map(|at| {
            let comment = words.get(&at).map(|words| format!("C[{}]", escape(&words.join("\n"))));
            let text =
                [marks.get(&at).copied().unwrap_or(""), comment.as_deref().unwrap_or("")].concat();
            (!text.is_empty()).then_some((at, text))
        });
        Self { main: main.collect(), better }
    }
}

/// What a review says of a move.
fn sentence(judged: &MoveReview) -> String {
    let figure = |value: Option<f64>| format!("{:.2}", value.unwrap_or(0.0));
    let after = figure(judged.after);
    if judged.is_mistake() {
        let before = figure(judged.before);
        return format!("{}; expected result {after} instead of {before}", judged.words());
    }
    format!("{}; expected result {after}", judged.words())
}

/// Writes moves as nodes.
struct Writer<'a> {
    board: &'a Board,
    /// Whose stone is the first.
    first: Stone,
}

impl Writer<'_> {
    /// A line that begins after so many stones, and beside it others, each with the number of moves that it shares with
    /// the line and what follows. `first` are more properties of the first move.
    fn lines(
        &self,
        begin: usize,
        line: &[Cell],
        others: &[(usize, &[Cell])],
        notes: Option<&Notes>,
        first: &str,
    ) -> String {
        let mut text = String::new();
        // What stands beside the rest of the line, from the start of the line on.
        let mut beside: Vec<String> = Vec::new();
        for at in 0..=line.len() {
            let mut rest: Vec<&[Cell]> =
                others.iter().filter(|(shared, _)| *shared == at).map(|(_, line)| *line).collect();
            if !rest.is_empty() {
                // Where the line ends while others go on, an empty node holds its place.
                text += if at < line.len() { "(" } else { "(;" };
                let mut trees = String::new();
                while !rest.is_empty() {
                    let leader = rest.remove(0);
                    let Some(cell) = leader.first() else {
                        trees += "(;)";
                        continue;
                    };
                    let (along, other): (Vec<&[Cell]>, Vec<&[Cell]>) =
                        rest.into_iter().partition(|line| line.first() == Some(cell));
                    rest = other;
                    let along: Vec<(usize, &[Cell])> = along
                        .into_iter()
                        .map(|line| {
                            let pairs = line.iter().zip(leader);
                            let shared = pairs.take_while(|(a, b)| a == b).count();
                            (shared, &line[shared..])
                        })
                        .collect();
                    let note = notes.and_then(|notes| notes.better.get(&(begin + at, *cell)));
                    let note = note.map_or("", String::as_str);
                    trees += &format!("({})", self.lines(begin + at, leader, &along, None, note));
                }
                beside.push(trees);
            }
            if let Some(&cell) = line.get(at) {
                let is_first = (begin + at).is_multiple_of(2);
                let stone = if is_first { self.first } else { self.first.other() };
                let letter = if stone == Stone::X { "B" } else { "W" };
                let main = notes.and_then(|notes| notes.main.get(&(begin + at + 1)));
                let note = if at == 0 { first } else { "" };
                text += &format!(
                    "\n;{letter}{}{note}{}",
                    self.board.point(cell),
                    main.map_or("", String::as_str)
                );
            }
        }
        while let Some(trees) = beside.pop() {
            text += ")";
            text += &trees;
        }
        text
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::{Mnk, MnkAction, MnkRules, Stone};
    use outwit_core::levels::to_ron;
    use outwit_core::play::{Closing, Match, Replay, TurnNote};
    use outwit_kit::{DynGame, Erased, read_replay};
    use proptest::prelude::*;
    use std::sync::Arc;

    const KIND: &dyn DynGame = Erased::<Mnk>::GAME;

    fn place(played: &mut Match<Mnk>, choice: usize) {
        let [seat] = played.to_move()[..] else { return };
        let empty = |at: &usize| played.state().stones[*at].is_none();
        let cells: Vec<usize> = (0..played.state().stones.len()).filter(empty).collect();
        let cell = played.game().cell_at(cells[choice % cells.len()]);
        played.advance(vec![(seat, MnkAction::Place(cell))]).unwrap();
    }

    fn written(replay: &Replay<Mnk>, ending: &str, review: bool) -> String {
        let text = to_ron(replay).unwrap();
        String::from_utf8(KIND.write_match(text.as_bytes(), ending, review).unwrap().bytes).unwrap()
    }

    fn read(text: &str, name: &str) -> Replay<Mnk> {
        let mut recorded = KIND.recorded(text.as_bytes(), name);
        read_replay(recorded.remove(0).replay.unwrap().as_bytes()).unwrap()
    }

    #[test]
    fn a_match_with_its_review_is_a_tree_with_comments() {
        let rules = MnkRules { k: 3, ..MnkRules::default() };
        let level = crate::tests::level_of(&["...", "...", "..."], rules);
        let game = crate::tests::game(&level);
        let mut played = Match::new(Arc::clone(&game), 1).unwrap();
        for (back, moves) in [(0, "b2 b3 a1 c2"), (3, "c3 a3 a2 c2")] {
            played.branch(back);
            for action in crate::notation::read(&game, played.state(), moves).unwrap() {
                let seat = played.to_move()[0];
                played.advance(vec![(seat, action)]).unwrap();
            }
        }
        played.close(played.to_move()[0], Closing::Resigned);
        let seats = vec!["best".to_owned(), "human".to_owned()];
        let names = [None, Some("A]:\\B".to_owned())];
        let notes = [TurnNote { turn: 0, text: "so [it] begins".into() }];
        let replay = Replay::of(&played, seats).with_names(&names).with_notes(&notes);
        let text = written(&replay, "sgf", true);
        let head = "(;FF[4]GM[4]CA[UTF-8]SZ[3]GN[test]RU[k=3]PB[best]PW[A\\]:\\\\B]RE[B+R]PL[B]C[so [it\\] begins]";
        assert!(text.starts_with(head), "{text}");
        assert!(text.contains("\n;B[bb]C[b2: as good as any; expected result 0.50]"), "{text}");
        let blunder =
            ";W[ba]BM[2]C[b3: lost a drawn game, loss in 3; expected result 0.00 instead of 0.50]";
        assert!(text.contains(blunder), "{text}");
        let end = ";B[cb]BM[2]C[c2 instead of c1: missed win in 1; expected result 0.50 instead of 1.00])(\n;B[cc]\
                   TE[1]C[win in 1]))(\n;W[cb]))\n";
        assert!(text.ends_with(end), "{text}");
        let again = read(&text, "a.sgf");
        assert_eq!((again.turns.len(), again.variations.len()), (7, 2));
        assert_eq!(again.level.rules, replay.level.rules);
        assert_eq!(again.own_names(), [Some("best".into()), Some("A]:\\B".into())]);
        let psq = written(&replay, "psq", false);
        let psq = psq.split_once("3,2,0\n").unwrap().1;
        assert_eq!(psq, "best\nA]:\\B\n-1\n");
        let why = KIND.write_match(to_ron(&replay).unwrap().as_bytes(), "psq", true).err().unwrap();
        assert!(why.to_string().contains("no place for a review"), "{why}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_written_is_read_the_same(
            (width, height) in (1_usize..8, 1_usize..60),
            k in 1_u32..7,
            (exact, o_first, with_stone) in any::<(bool, bool, bool)>(),
            lines in prop::collection::vec((0_usize..9, prop::collection::vec(0_usize..400, 0..12)), 1..6),
            names in any::<[String; 2]>(),
        ) {
            let to_move = if o_first { Stone::O } else { Stone::X };
            let rules = MnkRules { k, exact, to_move, ..MnkRules::default() };
            let mut rows = vec![".".repeat(width); height];
            if with_stone && k > 1 && width > 1 {
                rows[0].replace_range(..1, &to_move.other().to_char().to_string());
            }
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            let game = crate::tests::game(&crate::tests::level_of(&rows, rules));
            let mut played = Match::new(game, 1).unwrap();
            for (from, choices) in lines {
                played.branch(from.min(played.len()));
                choices.into_iter().for_each(|choice| place(&mut played, choice));
            }
            let names = names.map(Some);
            let replay = Replay::of(&played, vec!["human".into(); 2]).with_names(&names);
            let text = written(&replay, "sgf", false);
            if played.is_empty() && played.variations().is_empty() {
                prop_assert!(KIND.recorded(text.as_bytes(), "a.sgf").is_empty());
                return Ok(());
            }
            let again = read(&text, "a.sgf");
            prop_assert_eq!(&again.turns, &replay.turns, "{}", text);
            prop_assert_eq!(&again.level.map, &replay.level.map);
            prop_assert_eq!(&again.level.rules, &replay.level.rules);
            prop_assert_eq!(again.own_names(), replay.own_names());
            let sorted = |replay: &Replay<Mnk>| {
                let mut lines: Vec<String> =
                    replay.variations.iter().map(|line| format!("{:?}", line.turns)).collect();
                lines.sort();
                lines
            };
            prop_assert_eq!(sorted(&again), sorted(&replay), "{}", text);
            if !with_stone && !o_first && !exact && k < 6 && !played.is_empty() {
                let psq = read(&written(&replay, "psq", false), "a.psq");
                prop_assert_eq!(&psq.turns, &replay.turns);
                prop_assert_eq!(&psq.level.map, &replay.level.map);
            }
        }
    }
}
