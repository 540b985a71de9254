//! The built-in problems: each win is checked against every answer, and each move is judged as that says.

use super::*;
use crate::level::MnkFile;
use crate::search::tests::Exhaustive;
use crate::tests::{game, level_of, rules_of, shipped};
use outwit_levels::BUILT_IN;
use std::sync::Arc;

mod harvest;

/// Follows the moves that the search proposes, and looks at all answers on a plain board.
struct Check {
    plain: Exhaustive,
    cells: Vec<u8>,
    board: SearchBoard,
    fours: FourSearch,
}

impl Check {
    fn of(level: &MnkFile) -> Self {
        let game: Arc<Mnk> = game(level);
        let state = game.opening();
        let stones = state.stones.iter().map(|stone| stone.map_or(2, |stone| stone.index() as u8));
        Self {
            plain: Exhaustive::new(
                game.width(),
                game.height(),
                level.rules.k as usize,
                level.rules.exact,
            ),
            cells: stones.collect(),
            board: SearchBoard::of(&game, &state),
            fours: FourSearch::default(),
        }
    }

    fn empty(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&at| self.cells[at] == 2).collect()
    }

    fn winning(&mut self, own: u8) -> Vec<usize> {
        let mut winning = self.empty();
        winning.retain(|&at| {
            self.cells[at] = own;
            let wins = self.plain.wins(&self.cells, at);
            self.cells[at] = 2;
            wins
        });
        winning
    }

    /// Whether the side that is to move wins within five plies, by looking at all moves of both.
    fn wins_in_five(&mut self) -> bool {
        let own = self.board.to_move() as u8;
        !self.winning(own).is_empty()
            || self.answers().into_iter().any(|at| {
                self.with(at, |check| {
                    let is_open = check.winning(1 - own).is_empty();
                    is_open
                        && check.answers().into_iter().all(|reply| {
                            check.with(reply, |check| {
                                !check.winning(own).is_empty()
                                    || check.answers().into_iter().any(|last| {
                                        check.with(last, |check| {
                                            check.winning(1 - own).is_empty()
                                                && check.winning(own).len() > 1
                                        })
                                    })
                            })
                        })
                })
            })
    }

    /// All moves, or the ones that stop the other side from winning at once.
    fn answers(&mut self) -> Vec<usize> {
        let other = 1 - self.board.to_move() as u8;
        match self.winning(other).as_slice() {
            [] => self.empty(),
            [gap] => vec![*gap],
            _ => Vec::new(),
        }
    }

    /// Whether the side that is to move wins by fours, by trying all of them.
    fn wins_by_fours(&mut self) -> bool {
        let own = self.board.to_move() as u8;
        if !self.winning(own).is_empty() {
            return true;
        }
        self.answers().into_iter().any(|at| {
            self.with(at, |check| {
                let is_open = check.winning(1 - own).is_empty();
                match check.winning(own).as_slice() {
                    [gap] if is_open => check.with(*gap, Self::wins_by_fours),
                    [_, _, ..] => is_open,
                    _ => false,
                }
            })
        })
    }

    fn proposed(&mut self, plies: u32) -> Option<usize> {
        let first = if self.fours.wins(&mut self.board, plies.div_ceil(2), 100_000) {
            self.fours.line().first().copied()
        } else {
            let attacker = self.board.to_move();
            let mut search = ProofSearch::new(self.board.clone(), attacker, plies as u8, 16);
            search.run(&Clock::work(3_000_000));
            search.line().first().copied()
        };
        first.map(usize::from)
    }

    fn with<T>(&mut self, at: usize, look: impl FnOnce(&mut Self) -> T) -> T {
        self.cells[at] = self.board.to_move() as u8;
        self.board.play(at);
        let seen = look(self);
        self.board.undo();
        self.cells[at] = 2;
        seen
    }

    /// Whether the side that is to move wins within so many plies.
    fn attacker_wins(&mut self, plies: u32) -> bool {
        let own = self.board.to_move() as u8;
        if !self.winning(own).is_empty() {
            return plies >= 1;
        }
        if plies < 3 {
            return false;
        }
        let Some(at) = self.proposed(plies) else { return false };
        assert_eq!(self.cells[at], 2);
        self.with(at, |check| check.defender_loses(plies - 1))
    }

    /// Whether the side that is to move loses within so many plies, whatever it does.
    fn defender_loses(&mut self, plies: u32) -> bool {
        let own = self.board.to_move() as u8;
        if !self.winning(own).is_empty() {
            return false;
        }
        let answers = match self.winning(1 - own).as_slice() {
            [] => self.empty(),
            [gap] => vec![*gap],
            _ => return plies >= 2,
        };
        answers.into_iter().all(|at| self.with(at, |check| check.attacker_wins(plies - 1)))
    }
}

/// The built-in problems with a goal, and the plies that they name.
fn problems_to(goal: Goal) -> Vec<(&'static str, MnkFile, u32)> {
    let is_hold = |level: &MnkFile| level.about.contains("threat");
    let mut all = built_in_problems();
    all.retain(|(_, level, _)| is_hold(level) == (goal == Goal::Hold));
    all
}

/// The built-in problems and the plies that they name.
fn built_in_problems() -> Vec<(&'static str, MnkFile, u32)> {
    let ids = BUILT_IN.iter().map(|level| level.id).filter(|id| id.starts_with("mnk/problem-"));
    let read = |id: &'static str| {
        let level = shipped(&id["mnk/".len()..]);
        let moves = level.about.rsplit_once(" in ").unwrap().1;
        let plies = moves.trim_end_matches(" moves.").parse::<u32>().unwrap() * 2 - 1;
        (id, level, plies)
    };
    let problems: Vec<_> = ids.map(read).collect();
    assert_eq!(problems.len(), 65);
    problems
}

#[test]
fn the_problems_are_won_against_every_answer() {
    for (id, level, plies) in problems_to(Goal::Win) {
        assert!(Check::of(&level).attacker_wins(plies), "{id}: {}", level.about);
    }
}

/// Each threat is real, one move meets it, and after all others the other side wins against every answer.
#[test]
fn one_move_meets_a_threat_and_all_others_lose() {
    let problems = problems_to(Goal::Hold);
    assert_eq!(problems.len(), 5);
    for (id, level, plies) in problems {
        let game = game(&level);
        let state = game.opening();
        let passed = MnkState { to_move: state.to_move.other(), ..state.clone() };
        let board = SearchBoard::of(&game, &passed);
        let mut check = Check { board, ..Check::of(&level) };
        assert!(check.attacker_wins(plies), "{id}: {}", level.about);
        let problem = Problem::find(&game, &state, &Clock::work(4_000_000)).unwrap();
        assert_eq!((problem.goal, problem.line.len()), (Goal::Hold, 1), "{id}");
        let mut check = Check::of(&level);
        for at in check.empty() {
            let cell = game.cell_at(at);
            let judged = problem.judge(&game, &state, (0, cell), &Clock::work(1_000_000));
            if cell == problem.line[0] {
                assert_eq!(judged, Judgement::Solves, "{id}");
                assert!(!check.with(at, Check::wins_by_fours), "{id}");
                // Larger boards have too many moves for that.
                let is_small = level.map.len() <= 8;
                assert!(!is_small || !check.with(at, Check::wins_in_five), "{id}");
            } else {
                assert_eq!(judged, Judgement::Fails, "{id}: {cell}");
                assert!(check.with(at, |check| check.attacker_wins(31)), "{id}: {cell}");
            }
        }
    }
}

#[test]
fn the_problems_are_found_as_their_levels_tell_them() {
    for (id, level, plies) in problems_to(Goal::Win) {
        let game = game(&level);
        let problem = Problem::find(&game, &game.opening(), &Clock::work(4_000_000)).unwrap();
        assert!(problem.plies <= plies, "{id}: {problem:?}");
        assert!(problem.by_fours <= level.about.contains("by fours"), "{id}: {problem:?}");
        assert!(problem.line.len() <= problem.plies as usize, "{id}: {problem:?}");
        // The known line is right at each of its moves.
        let mut state = game.opening();
        for (ply, &cell) in problem.line.iter().enumerate() {
            if ply % 2 == 0 {
                let judged =
                    problem.judge(&game, &state, (ply as u32, cell), &Clock::work(500_000));
                assert_eq!(judged, Judgement::Solves, "{id}: ply {ply}");
            }
            play(&game, &mut state, cell);
        }
        assert!(state.winner().is_some(), "{id}");
    }
}

fn play(game: &Mnk, state: &mut MnkState, cell: Cell) {
    let (seat, chance) = (state.mover().unwrap(), Chance::new(1));
    game.advance(state, &[(seat, MnkAction::Place(cell))], &chance, &mut Vec::new());
}

/// Every move of the shorter problems is judged as looking at all answers says.
#[test]
fn moves_are_judged_as_all_answers_say() {
    let is_small = |level: &MnkFile| level.map.len() <= 8;
    let short = problems_to(Goal::Win).into_iter();
    let short = short.filter(|(_, level, plies)| *plies == 5 && is_small(level)).take(4);
    let (mut right, mut wrong) = (0, 0);
    for (id, level, _) in short {
        let game = game(&level);
        let state = game.opening();
        let problem = Problem::find(&game, &state, &Clock::work(3_000_000)).unwrap();
        let mut check = Check::of(&level);
        for at in check.empty() {
            let judged = problem.judge(&game, &state, (0, game.cell_at(at)), &Clock::work(500_000));
            let wins = check.with(at, |check| check.defender_loses(problem.plies - 1));
            match judged {
                Judgement::Solves => right += 1,
                Judgement::Fails => {
                    assert!(!wins, "{id}: {}", game.cell_at(at));
                    wrong += 1;
                }
                Judgement::Unknown => panic!("{id}: {}", game.cell_at(at)),
            }
            assert!(judged == Judgement::Solves || !wins, "{id}: {}", game.cell_at(at));
        }
    }
    assert!(right >= 4 && wrong > 100, "{right} {wrong}");
}

#[test]
fn what_is_not_won_or_not_set_up_is_no_problem() {
    let find = |rows: &[&str], k| {
        let game = game(&level_of(rows, rules_of(k)));
        Problem::find(&game, &game.opening(), &Clock::work(100_000))
    };
    assert_eq!(find(&["...", "...", "..."], 3), None, "no stones");
    assert_eq!(find(&["X..", ".O.", "..."], 3), None, "a draw");
    let won = find(&["XX.", "OO.", "..."], 3).unwrap();
    assert_eq!((won.plies, won.line.as_slice()), (1, &[Cell::new(2, 0)][..]));
}
