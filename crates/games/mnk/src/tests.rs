//! Rules, levels and notation.

use super::notation::{cell_name, read, write};
use super::*;
use outwit_core::grid::Cell;
use outwit_core::play::{CheckedLevel, Game, StopFlag};
use outwit_kit::{Erased, read_level};
use outwit_levels::{BUILT_IN, built_in};
use proptest::prelude::*;
use std::sync::Arc;

pub fn level_of(rows: &[&str], rules: MnkRules) -> MnkFile {
    MnkFile {
        format: level::FORMAT.into(),
        name: "test".into(),
        author: String::new(),
        about: String::new(),
        rules,
        map: rows.iter().map(|&row| row.to_owned()).collect(),
    }
}

pub fn rules_of(k: u32) -> MnkRules {
    MnkRules { k, ..MnkRules::default() }
}

pub fn shipped(name: &str) -> MnkFile {
    let id = format!("mnk/{name}");
    read_level::<Mnk>(&built_in(&id).unwrap().bytes().unwrap(), &id).unwrap().into_inner()
}

pub fn checked(level: &MnkFile) -> CheckedLevel<Mnk> {
    CheckedLevel::new(level.clone()).unwrap()
}

pub fn game(level: &MnkFile) -> Arc<Mnk> {
    Arc::new(Mnk::new(&checked(level), 2).unwrap())
}

fn fault_of(rows: &[&str], rules: MnkRules) -> String {
    level::faults(&level_of(rows, rules)).first().map(ToString::to_string).unwrap_or_default()
}

#[test]
fn impossible_positions_are_refused() {
    assert_eq!(fault_of(&["X.O", "...", "..."], rules_of(3)), "");
    assert!(fault_of(&["XX.", "...", "..."], rules_of(3)).contains("2 X and 0 O"));
    let o_moves = MnkRules { to_move: Stone::O, ..rules_of(3) };
    assert_eq!(fault_of(&["X..", "...", "..."], o_moves.clone()), "");
    assert!(fault_of(&["O..", "...", "..."], o_moves).contains("O is to move"));
    let o_moves = MnkRules { to_move: Stone::O, ..rules_of(3) };
    assert!(fault_of(&["XXX", "OO.", "..."], o_moves).contains("X has won already"));
    assert!(fault_of(&["XO", "OX"], rules_of(4)).contains("no empty cell"));
    assert!(fault_of(&["X?O"], rules_of(3)).contains("unknown character"));
    let wide = ".".repeat(71);
    assert!(fault_of(&[&wide], rules_of(3)).contains("maximum is 70 by 70"));
    for (rows, k) in
        [(vec!["XO....", "......"], 4), (vec!["......", "......"], 3), (vec!["....."], 4)]
    {
        let rules = MnkRules { opening: Opening::Swap, ..rules_of(k) };
        assert!(fault_of(&rows, rules).contains("the openings swap and swap2 need"), "{rows:?}");
    }
}

#[test]
fn an_overline_wins_unless_exactly_k_are_asked_for() {
    for (exact, over) in [(false, true), (true, false)] {
        let rules = MnkRules { exact, to_move: Stone::O, ..rules_of(3) };
        let game = game(&level_of(&["XX.X", "O.O.", "...."], rules));
        let mut played = Match::new(game, 1).unwrap();
        for (seat, x, y) in [(NOUGHTS, 3, 2), (CROSSES, 2, 0)] {
            played.advance(vec![(seat, MnkAction::Place(Cell::new(x, y)))]).unwrap();
        }
        assert_eq!(played.outcome().is_some(), over, "exact: {exact}");
    }
}

#[test]
fn swap2_offers_its_choices_at_the_right_moments() {
    let mut level = level_of(&["......"; 6], rules_of(5));
    level.rules.opening = Opening::Swap2;
    let game = game(&level);
    let play = |moves: &str| {
        let mut played = Match::new(Arc::clone(&game), 1).unwrap();
        for action in read(&game, played.state(), moves)? {
            let seat = played.to_move()[0];
            played.advance(vec![(seat, action)])?;
        }
        Ok::<_, String>(played)
    };
    let seats = |moves: &str| play(moves).unwrap().to_move();
    assert_eq!(seats("a1 b2"), [CROSSES]);
    assert_eq!(seats("a1 b2 c3"), [NOUGHTS]);
    assert_eq!(seats("a1 b2 c3 d4"), [CROSSES], "the second stayed with O");
    assert_eq!(seats("a1 b2 c3 swap"), [CROSSES], "the first has O now");
    assert_eq!(seats("a1 b2 c3 more d4"), [NOUGHTS]);
    assert_eq!(seats("a1 b2 c3 more d4 d5"), [CROSSES]);
    assert_eq!(seats("a1 b2 c3 more d4 d5 keep"), [NOUGHTS]);
    assert_eq!(seats("a1 b2 c3 more d4 d5 swap"), [CROSSES]);
    for wrong in ["swap", "a1 b2 c3 keep", "a1 b2 c3 more swap", "a1 b2 c3 more d4 d5 e6", "a1 a1"]
    {
        assert!(play(wrong).is_err(), "{wrong}");
    }
    let swapped = play("a1 b2 c3 swap").unwrap();
    assert_eq!((swapped.state().held(CROSSES), swapped.state().to_move), (Stone::O, Stone::O));
    assert_eq!(write(&swapped), "a1 b2 c3 swap");
}

#[test]
fn moves_are_read_in_several_spellings() {
    let game = game(&shipped("gomoku"));
    let spelled = |text: &str| read(&game, &game.opening(), text);
    let expected = spelled("h8 i9 g7").unwrap();
    assert_eq!(expected[0], MnkAction::Place(Cell::new(7, 7)));
    for text in ["h8i9g7", "H8, I9; g7", "1. h8 2. i9 3. g7", " h8\n i9\tg7 "] {
        assert_eq!(spelled(text).as_ref(), Ok(&expected), "{text}");
    }
    for wrong in [
        "h",
        "8h",
        "h8 h8",
        "p1",
        "a16",
        "a0",
        "h99999999999",
        "zzzzzzzzzz1",
        "é1",
        "h8-i9",
        "keep",
    ] {
        assert!(spelled(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn moves_are_taken_from_the_end_of_an_address() {
    let game = game(&shipped("gomoku"));
    let spelled = |text: &str| read(&game, &game.opening(), text);
    let expected = spelled("h8 i9 g7");
    for text in [
        "https://example.org/#h8i9g7",
        "https://example.org/#/h8i9g7/",
        "HTTPS://example.org/calculator/?size=15&moves=h8i9g7",
        " http://example.org/h8,i9,G7\n",
    ] {
        assert_eq!(spelled(text), expected, "{text}");
    }
    let why = |text: &str| spelled(text).unwrap_err();
    for (text, wanted) in [
        ("https://h8", "does not end with moves such as h8i9g7"),
        ("https://", "does not end with moves"),
        (
            "https://example.org/h8i9/index.html",
            "at the end of this address: '.html' is not a move",
        ),
        ("https://example.org/#h8h8", "at the end of this address: move 2, 'h8': h8 is not empty"),
        ("https://example.org/?q=h8%20i9", "at the end of this address: '%20i9' is not a move"),
        ("see https://example.org/#h8", "is not a move"),
        ("ftp://example.org/#h8", "is not a move"),
    ] {
        assert!(why(text).contains(wanted), "{text}: {}", why(text));
    }
}

#[test]
fn games_of_piskvork_are_read_and_written() {
    let psq = "Piskvorky 15x15, 11:11, 0\r\n8,8,1200\r\n9,7,5\r\n7,9,0\r\nbrain-a.zip\r\nbrain-b\r\n-1\r\n";
    let game = game(&shipped("gomoku"));
    let actions = read(&game, &game.opening(), psq).unwrap();
    assert_eq!(actions, read(&game, &game.opening(), "h8 i9 g7").unwrap());
    let mut played = Match::new(Arc::clone(&game), 1).unwrap();
    for action in &actions {
        let seat = played.to_move()[0];
        played.advance(vec![(seat, *action)]).unwrap();
    }
    for is_rec in [false, true] {
        let names = vec![Some("3,4".to_owned()), Some("brain".to_owned())];
        let record = outwit_kit::MatchRecord { played: &played, names, notes: &[], review: None };
        let written = piskvork::write_match(&record, is_rec).unwrap();
        let text = String::from_utf8(written.bytes).unwrap();
        let told = piskvork::parse(&text).unwrap().names;
        assert_eq!(told, [Some("player 3 4".into()), Some("brain".into())], "{text}");
        assert_eq!(read(&game, &game.opening(), &text).as_ref(), Ok(&actions), "{text}");
    }
    let names = |bytes: &[u8], name| {
        let replay = Erased::<Mnk>::GAME.recorded(bytes, name).remove(0).replay.unwrap();
        outwit_kit::read_replay::<Mnk>(replay.as_bytes()).unwrap().own_names()
    };
    let some = |name: &str| Some(name.to_owned());
    assert_eq!(names(psq.as_bytes(), "won.psq"), [some("brain-a.zip"), some("brain-b")]);
    assert_eq!(names(b"human\nbrain\n9,9,0\n10,9\n", "a.rec"), [None, some("brain")]);
    assert_eq!(names(b"Piskvorky 9x9, 0:0, 0\n9,9,0\n-1\n", "a.psq"), [None, None]);
    let long = format!("Piskvorky 9x9, 0:0, 0\n9,9,0\n{}\n\u{200b}\n-1\n", "n".repeat(999));
    assert_eq!(names(long.as_bytes(), "a.psq"), [some(&format!("{}…", "n".repeat(59))), None]);
    let level = read_level::<Mnk>(psq.as_bytes(), "won.psq").unwrap();
    assert_eq!((level.name.as_str(), level.rules.to_move), ("won", Stone::O));
    assert_eq!((level.map.len(), level.map[7].as_str()), (15, ".......X......."));
    let rec = read_level::<Mnk>(b"human\nbrain\n9,9,0\n10,9\n", "a.rec").unwrap();
    assert_eq!((rec.map.len(), &rec.map[9][9..11]), (20, "XO"));
    // Names in the encoding of their system, and the line ends of another one.
    let czech = b"Piskvorky 20x20, 0:11, 1\r10,10,0\r11,11,1\rhra\xe8\rpbrain-\xec\xb9.exe\r-1\r";
    let level = read_level::<Mnk>(czech, "a.PSQ").unwrap();
    assert_eq!((level.map[9].find('X'), level.map[10].find('O')), (Some(9), Some(10)));
    assert!(Erased::<Mnk>::GAME.format_score(czech, "a.PSQ") > 0.9);
    let why = |bytes: &[u8]| read_level::<Mnk>(bytes, "a.psq").unwrap_err()[0].to_string();
    assert!(
        why(b"a letter").contains("no level in this psq file; it should hold a game: of Piskvork")
    );
    assert!(why(b"X\0\xff").contains("this is not text"));
    for wrong in [
        "Piskvorky 15x15, 0:0, 0\n16,1,0\n",
        "Piskvorky 15x15, 0:0, 0\n1,1,0\n1,1,0\n",
        "Piskvorky 900x900, 0:0, 0\n",
        "Piskvorky 0x5, 0:0, 0\n",
    ] {
        assert!(read_level::<Mnk>(wrong.as_bytes(), "a.psq").is_err(), "{wrong}");
    }
}

#[test]
fn openings_of_gomocup_are_counted_from_the_middle() {
    let game = game(&shipped("gomoku"));
    let moves = |text: &str| read(&game, &game.opening(), text);
    assert_eq!(moves("-7,-7, 0,1 1,-1"), moves("a15 h7 i9"));
    assert_eq!(moves(" 0,0,\t7,7\r\n"), moves("h8 o1"));
    assert!(
        moves("0,0, 8,0").unwrap_err().starts_with("move 2, '(15,7)': "),
        "{:?}",
        moves("0,0, 8,0")
    );
    for wrong in ["0,0, 1", "0,0, 9999,1", "0,0 h8", "0,0, 0,0"] {
        assert!(moves(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_review_names_the_win_that_was_missed() {
    let game = game(&shipped("3x3x3"));
    let mut played = Match::new(Arc::clone(&game), 1).unwrap();
    for action in read(&game, &game.opening(), "a1 b2 a2 c3 b3 a3 c1 b1 c2").unwrap() {
        let seat = played.to_move()[0];
        played.advance(vec![(seat, action)]).unwrap();
    }
    let review = outwit_kit::review(&played, &StopFlag::default()).unwrap();
    let [crosses, noughts] = &review.seats[..] else { panic!("two seats") };
    let costs: Vec<_> = crosses.moves.iter().map(|played| played.cost.unwrap()).collect();
    assert_eq!(costs, [0.0, 0.0, 0.5, 0.0, 0.0], "the win after c3 was thrown away");
    assert_eq!(crosses.moves[2].note, "missed win in 1");
    let better = crosses.moves[2].better.as_ref().unwrap();
    assert_eq!((better.words.as_str(), better.leads_to.as_str()), ("a3", "win in 1"));
    assert!(crosses.moves[2].words().contains(" instead of "), "{}", crosses.moves[2].words());
    let summary = crosses.summary.as_deref();
    assert_eq!(summary, Some("Drew a won game; perfect play by both gives a draw"));
    assert_eq!(noughts.moves[1].note, "lost a drawn game, loss in 1");
    assert_eq!((crosses.perfect, noughts.perfect), (Some(0.5), Some(0.5)));
    let stop = StopFlag::default();
    stop.raise();
    assert!(outwit_kit::review(&played, &stop).is_none());
}

#[test]
fn an_estimate_is_not_called_perfect_play() {
    let played = Match::new(game(&shipped("gomoku")), 1).unwrap();
    let review = outwit_kit::review(&played, &StopFlag::default()).unwrap();
    for seat in &review.seats {
        assert_eq!(seat.perfect, None);
        assert!(seat.series[0].points[0][1] > 0.0, "the estimate is still plotted");
    }
}

#[test]
fn every_cell_has_a_name_of_its_own() {
    let game = game(&shipped("70x70x10"));
    let mut names = std::collections::BTreeSet::new();
    for at in 0..70 * 70 {
        let cell = game.cell_at(at);
        let name = cell_name(cell, 70);
        assert_eq!(read(&game, &game.opening(), &name), Ok(vec![MnkAction::Place(cell)]), "{name}");
        assert!(names.insert(name));
    }
    assert_eq!(cell_name(Cell::new(0, 69), 70), "a1");
    assert_eq!(cell_name(Cell::new(26, 0), 70), "aa70");
}

/// Whether a stone kind has won, by looking at every run of the board.
fn has_won(cells: &[Vec<char>], stone: char, k: usize, exact: bool) -> bool {
    let (height, width) = (cells.len() as i32, cells[0].len() as i32);
    let at = |x: i32, y: i32| {
        x >= 0 && y >= 0 && x < width && y < height && cells[y as usize][x as usize] == stone
    };
    (0..height).any(|y| {
        (0..width).any(|x| {
            [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dx, dy)| {
                // Count from the first stone of a run only.
                let first = at(x, y) && !at(x - dx, y - dy);
                let length = (0..).take_while(|&n| at(x + n * dx, y + n * dy)).count();
                first && if exact { length == k } else { length >= k }
            })
        })
    })
}

proptest! {
    #[test]
    fn a_match_ends_when_a_row_is_there_and_not_before(
        width in 1..7_usize, height in 1..7_usize, k in 1..6_u32, exact: bool, seed: u64,
    ) {
        let row = ".".repeat(width);
        let rules = MnkRules { exact, ..rules_of(k) };
        let game = game(&level_of(&vec![row.as_str(); height], rules));
        let mut played = Match::new(Arc::clone(&game), 1).unwrap();
        let mut order: Vec<usize> = (0..width * height).collect();
        let mut dice = seed;
        for at in (1..order.len()).rev() {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            order.swap(at, (dice >> 33) as usize % (at + 1));
        }
        let mut cells = vec![vec!['.'; width]; height];
        for (ply, at) in order.into_iter().enumerate() {
            prop_assert!(played.outcome().is_none());
            let seat = Seat((ply % 2) as u8);
            prop_assert_eq!(played.to_move(), vec![seat]);
            let stone = ['X', 'O'][ply % 2];
            cells[at / width][at % width] = stone;
            played.advance(vec![(seat, MnkAction::Place(game.cell_at(at)))]).unwrap();
            let won = has_won(&cells, stone, k as usize, exact);
            prop_assert_eq!(!played.state().line.is_empty(), won);
            if won {
                prop_assert_eq!(&played.outcome().unwrap().places[seat.index()].ending, "won");
                return Ok(());
            }
        }
        prop_assert_eq!(&played.outcome().unwrap().places[0].ending, "drawn");
    }
}

#[test]
fn built_in_boards_are_what_their_names_say() {
    let mut boards = 0;
    for id in BUILT_IN.iter().map(|level| level.id).filter(|id| id.starts_with("mnk/")) {
        let level = shipped(&id["mnk/".len()..]);
        let numbers: Vec<usize> =
            id["mnk/".len()..].split('x').filter_map(|n| n.parse().ok()).collect();
        if let [columns, rows, k] = numbers[..] {
            assert_eq!((level.map.len(), level.map[0].len()), (rows, columns), "{id}");
            assert_eq!(level.rules.k as usize, k, "{id}");
            boards += 1;
        }
    }
    assert!(boards >= 27);
}

#[test]
fn rows_of_nine_or_more_are_draws_on_any_board() {
    for (name, moves) in [("70x70x10", ""), ("50x50x10", "m12 n13 o14 n12")] {
        let level = shipped(name);
        let game = game(&level);
        let mut state = game.opening();
        for action in crate::notation::read(&game, &state, moves).unwrap() {
            game.take(&mut state, action, &mut Vec::new());
        }
        let board = crate::search::SearchBoard::of(&game, &state);
        let clock = outwit_core::play::Clock::work(10);
        let found = crate::solve::prove(&board, 10, &clock).unwrap();
        assert_eq!(found.value, outwit_core::play::Value::Draw, "{name} {moves}");
    }
}

/// What built-in boards say of perfect play is proved, on all boards whose proof takes at most so much work.
/// Returns how many say something.
fn told_values_hold(most_work: u64) -> [usize; 2] {
    use outwit_core::play::{Clock, Value};
    let (mut told, mut proved) = (0, 0);
    for id in BUILT_IN.iter().map(|level| level.id).filter(|id| id.starts_with("mnk/")) {
        let level = shipped(&id["mnk/".len()..]);
        let says = |words: &str| level.about.contains(words);
        let wanted = match (says("Whoever begins can win"), says("perfect play nobody wins")) {
            (false, false) => continue,
            (won, drawn) => (won, drawn),
        };
        told += 1;
        let game = game(&level);
        let board = crate::search::SearchBoard::of(&game, &game.opening());
        let bits = crate::solve::table_bits(&board);
        let Some(found) = crate::solve::prove(&board, bits, &Clock::work(most_work)) else {
            continue;
        };
        proved += 1;
        let found = (matches!(found.value, Value::Win(_)), found.value == Value::Draw);
        assert_eq!(found, wanted, "{id}");
    }
    [told, proved]
}

#[test]
fn boards_say_what_perfect_play_comes_to() {
    // All but (8,4,4), (8,7,5) and (9,4,4).
    assert_eq!(told_values_hold(500_000), [28, 25]);
}

#[test]
#[ignore = "proves for seconds"]
fn large_boards_say_so_too() {
    assert_eq!(told_values_hold(60_000_000), [28, 28]);
}
