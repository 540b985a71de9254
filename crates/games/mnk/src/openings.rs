//! Openings for tournaments: a few stones on an empty board after which both sides stand about equal.

use super::level::{self, MnkFile, Opening, Stone};
use super::notation;
use super::planners::{BEST, expected};
use super::rules::{Mnk, MnkAction, MnkPhase, MnkState};
use super::search::pvs::{MnkSearch, SearchOptions};
use super::search::{FORCED, SearchBoard};
use outwit_core::grid::{Cell, Grid};
use outwit_core::play::{Budget, CheckedLevel, Clock, Game, OpeningSpec, StopFlag};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How openings are found and played.
pub const OPENINGS: OpeningSpec<Mnk> = OpeningSpec { suits, find, begin };

/// Stones of an opening, where there is one for each [`CELLS_PER_STONE`] cells.
const STONES: [usize; 2] = [2, 6];
/// See [`STONES`].
const CELLS_PER_STONE: usize = 8;

/// How far from another stone each further one lies, at most.
const NEAR: i32 = 2;

/// Positions that may be tried for one opening.
const TRIES: u32 = 24;

/// Positions that the search of `best` looks at to judge one.
const JUDGE_NODES: u64 = 5_000;

/// Entries of the table of that search, as a power of two.
const TABLE_BITS: u32 = 14;

/// How far from a half the expected result of an opening may be that is taken at once.
const EVEN: f64 = 0.05;

/// Swap openings make both sides equal by themselves, and stones on the board are an opening already.
fn suits(level: &MnkFile) -> bool {
    let is_empty = || level::stones(level).as_slice().iter().all(Option::is_none);
    level.rules.opening == Opening::Free && is_empty()
}

/// Random stones near each other, judged by a search of fixed work. The first near-even ones are taken,
/// else the most even of those that nobody is seen to win.
fn find(level: &CheckedLevel<Mnk>, seed: u64, stop: &StopFlag) -> String {
    let Ok(game) = Mnk::new(level, 2) else { return String::new() };
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let start = game.opening();
    let options = SearchOptions { table_bits: TABLE_BITS, ..BEST.options };
    let mut search = MnkSearch::new(SearchBoard::of(&game, &start), options);
    let mut best: Option<(f64, Vec<MnkAction>)> = None;
    for _ in 0..TRIES {
        let (actions, state) = random_stones(&game, start.clone(), &mut dice);
        if stop.is_raised() {
            return String::new();
        }
        let Some(unevenness) = unevenness(&mut search, &state, stop) else { continue };
        if best.as_ref().is_none_or(|(least, _)| unevenness < *least) {
            best = Some((unevenness, actions));
        }
        if unevenness <= EVEN {
            break;
        }
    }
    let actions = best.map(|(_, actions)| actions).unwrap_or_default();
    let names: Vec<String> =
        actions.iter().map(|action| notation::action_name(*action, game.height())).collect();
    names.join(" ")
}

/// Random stones of both kinds in turn, the first in the middle half of the board.
fn random_stones(
    game: &Mnk,
    mut state: MnkState,
    dice: &mut ChaCha8Rng,
) -> (Vec<MnkAction>, MnkState) {
    let [least, most] = STONES;
    let number =
        dice.random_range(least..=(state.stones.len() / CELLS_PER_STONE).clamp(least, most));
    let cells: Vec<Cell> = (0..state.stones.len()).map(|at| game.cell_at(at)).collect();
    let is_central = |cell: &Cell| {
        let within = |at: i32, size: usize| {
            let edge = size as i32 / 4;
            (edge..size as i32 - edge).contains(&at)
        };
        within(cell.x, game.width()) && within(cell.y, game.height())
    };
    let mut placed: Vec<Cell> = Vec::new();
    let mut actions = Vec::new();
    while actions.len() < number && state.mover().is_some() {
        let suitable: Vec<Cell> = cells
            .iter()
            .filter(|cell| match placed.is_empty() {
                true => is_central(cell),
                false => {
                    !placed.contains(cell)
                        && placed.iter().any(|near| near.chebyshev(**cell) <= NEAR)
                }
            })
            .copied()
            .collect();
        let Some(&cell) = suitable.choose(dice) else { break };
        let action = MnkAction::Place(cell);
        game.take(&mut state, action, &mut Vec::new());
        placed.push(cell);
        actions.push(action);
    }
    (actions, state)
}

/// How far from a half the expected result is; `None` if the match is over, or the search sees who wins.
fn unevenness(search: &mut MnkSearch, state: &MnkState, stop: &StopFlag) -> Option<f64> {
    state.mover()?;
    search.set_up(state);
    search.run(&Clock::new(Budget::Work(JUDGE_NODES), stop.clone()));
    let value = search.steady_value();
    (value.abs() < FORCED).then(|| (expected(value) - 0.5).abs())
}

/// The level with the stones of an opening on its board; moved on by an odd number of seats, with the
/// stones of both sides exchanged.
fn begin(level: &CheckedLevel<Mnk>, opening: &str, moved: usize) -> Result<MnkFile, String> {
    let game = Mnk::new(level, 2).map_err(|error| error.to_string())?;
    if level.rules.opening != Opening::Free {
        return Err("openings need rules.opening to be free".into());
    }
    let mut state = game.opening();
    for action in notation::read(&game, &state, opening)? {
        game.take(&mut state, action, &mut Vec::new());
    }
    if state.mover().is_none() || state.phase != MnkPhase::Play {
        return Err("the match is over after these moves".into());
    }
    let side = |stone: Stone| if moved.is_multiple_of(2) { stone } else { stone.other() };
    let symbols = Grid::from_fn(game.width(), game.height(), |cell| {
        game.stone(&state, cell).map_or('.', |stone| side(stone).to_char())
    });
    let mut begun = level.clone().into_inner();
    begun.map = symbols.as_slice().chunks(game.width()).map(|row| row.iter().collect()).collect();
    begun.rules.to_move = side(state.to_move);
    Ok(begun)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::planners::ALL;
    use crate::tests::{checked, game, level_of, rules_of, shipped};
    use outwit_core::levels::to_ron;
    use outwit_core::play::Match;
    use outwit_core::tournament::{
        ContestLevel, Entrants, FinishedGame, OpeningSource, replay_of, run_contest,
    };
    use outwit_kit::Erased;
    use outwit_kit::tournament::contest;
    use std::collections::BTreeSet;

    #[test]
    fn found_openings_are_playable_and_differ_by_seed() {
        for name in ["3x3x3", "5x5x4", "gomoku"] {
            let level = checked(&shipped(name));
            assert!(suits(&level), "{name}");
            let stop = StopFlag::default();
            let found: Vec<String> = (1..=4).map(|seed| find(&level, seed, &stop)).collect();
            assert_eq!(found[0], find(&level, 1, &stop), "{name}: the same again");
            let different: BTreeSet<_> = found.iter().collect();
            assert!(different.len() > 2, "{name}: {found:?}");
            for opening in &found {
                let begun = begin(&level, opening, 0).unwrap();
                assert!(!opening.is_empty() && Mnk::faults(&begun).is_empty(), "{name} {opening}");
            }
        }
    }

    #[test]
    fn planners_without_chance_play_different_games() {
        let (level, kind) = (checked(&shipped("7x7x5")), Erased::<Mnk>::GAME);
        let text = ContestLevel::new("mnk/7x7x5".into(), to_ron(&*level).unwrap());
        let named = [Entrants::new("x", ["expert"]), Entrants::new("o", ["best"])];
        let contest = contest(kind, text, &named, (1, 6), Budget::Work(200)).unwrap();
        assert_eq!(contest.openings, Some(OpeningSource::Found));
        let stop = StopFlag::default();
        let play =
            |done| run_contest::<Mnk>(&level, ALL, &contest, done, &stop, &|_| Ok(())).unwrap();
        let games = play(Vec::new());
        let digests: BTreeSet<u64> = games.iter().map(|game| game.digest).collect();
        assert_eq!(digests.len(), 6);
        for pair in games.chunks(2) {
            let opening = pair[0].opening.as_ref().unwrap();
            assert_eq!(pair[1].opening.as_ref(), Some(opening));
            // The second game has the same stones, of the other kind.
            let levels = [0, 1].map(|at| {
                let replay = replay_of::<Mnk>(&level, ALL, &contest, &pair[at], &stop).unwrap();
                assert_eq!(replay.play().unwrap().outcome().as_ref(), Some(&pair[at].outcome));
                replay.level
            });
            let exchanged: Vec<String> = levels[0].map.iter().map(|row| exchange(row)).collect();
            assert_eq!(exchanged, levels[1].map, "{opening}");
            assert_eq!(levels[0].rules.to_move.other(), levels[1].rules.to_move);
        }
        let resumed = play(games[..3].to_vec());
        assert_eq!(resumed.iter().map(|game| game.digest).collect::<BTreeSet<_>>(), digests);
        let other = FinishedGame { opening: Some("a1 a1".into()), ..games[0].clone() };
        let why = replay_of::<Mnk>(&level, ALL, &contest, &other, &stop).unwrap_err();
        assert!(why.contains("the opening 'a1 a1': move 2, 'a1': a1 is not empty"), "{why}");
    }

    fn exchange(row: &str) -> String {
        let other = |symbol| match symbol {
            'X' => 'O',
            'O' => 'X',
            symbol => symbol,
        };
        row.chars().map(other).collect()
    }

    #[test]
    fn stones_on_the_board_and_swaps_are_openings_already() {
        assert!(!suits(&shipped("problem-01")));
        let swap = MnkFile {
            rules: level::MnkRules { opening: Opening::Swap2, ..rules_of(5) },
            ..level_of(&["......"; 6], rules_of(5))
        };
        assert!(!suits(&swap));
        assert!(begin(&checked(&swap), "a1 b2 c3", 0).unwrap_err().contains("rules.opening"));
    }

    #[test]
    fn the_other_seat_has_the_same_position() {
        let level = checked(&level_of(&["....", "....", "...."], rules_of(3)));
        let begun = [0, 1].map(|moved| begin(&level, "a1 b2 d3", moved).unwrap());
        assert_eq!(begun[0].map, ["...X", ".O..", "X..."]);
        assert_eq!(begun[1].map, ["...O", ".X..", "O..."]);
        let movers = begun.map(|level| Match::new(game(&level), 1).unwrap().to_move());
        assert_eq!(movers, [vec![crate::NOUGHTS], vec![crate::CROSSES]]);
        for wrong in ["a1 a1", "a9", "x", "a1 a2 b1 b2 c1"] {
            assert!(begin(&level, wrong, 0).is_err(), "{wrong}");
        }
        assert_eq!(begin(&level, "", 0), Ok(level.into_inner()));
    }
}
