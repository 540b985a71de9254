//! The tiny games on the match screen, without a window: they take clicks and keys there as every
//! registered game does, and their pieces appear and vanish.

use crate::window::Headless;
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode;
use bevy::input::mouse::MouseButton;
use bevy::prelude::*;
use games::lights::{Lamps, Lights};
use games::noughts::{Noughts, Stones};
use games::path::Walk;
use outwit::app::match_screen::{
    Analysis, BoardEntry, BoardList, BoardPiece, BoardSpec, BoardView, GameView, Input, PieceKey,
    PieceKind, PieceLook, Pose, Reply, Session, Shown, Tab, focused, focused_mut, middle,
};
use outwit::app::requests::{MatchConfig, Screen};
use outwit::app::shell::settings::{Motion, Settings};
use outwit_core::grid::Cell;
use outwit_core::levels::write_ron;
use outwit_core::play::{Budget, Game, Player, Seat, Value};
use outwit_levels::{Entry, Source};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The subjects of `crates/conformance`, again in this binary: only it may give them boards.
#[path = "../../crates/conformance/tests/tiny_games/mod.rs"]
mod games;

fn cell_of(place: Vec2) -> Cell {
    Cell::new(place.x.floor() as i32, place.y.floor() as i32)
}

fn piece(kind: &'static str, number: usize, seat: Option<Seat>, cell: Cell) -> BoardPiece {
    let pose = Pose::at(middle(cell));
    BoardPiece {
        key: PieceKey(kind, number as u32),
        kind: PieceKind::of(Thing),
        look: PieceLook::person("car", Seat(0)),
        seat,
        pose,
        size: 0.8,
        least: 0.0,
        layer: 5.0,
    }
}

/// The kind of all pieces of small games.
#[derive(Component, Clone, PartialEq, Debug)]
struct Thing;

const REVIEWED: BoardSpec = BoardSpec { ..BoardSpec::PLAIN };

impl GameView for Lights {
    type Ui = ();
    const BOARD: BoardSpec = REVIEWED;
    fn ui(_: &Arc<Self>) {}
    fn extent(_: &Self) -> (usize, usize) {
        (3, 3)
    }
    /// One for each lamp that is on.
    fn pieces(_: &Self, _: &[Lamps], lamps: &Lamps) -> Vec<BoardPiece> {
        let lit = (0..9).filter(|n| lamps.0 >> n & 1 == 1);
        lit.map(|n| piece("lamp", n, None, Cell::new(n as i32 % 3, n as i32 / 3))).collect()
    }
    fn input(input: Input, _: &Shown<Self>, _: &mut ()) -> Reply<Option<Cell>> {
        match input {
            Input::Click(place) => Reply::Act(Some(cell_of(place))),
            _ => Reply::Ignored,
        }
    }
}

impl GameView for Noughts {
    type Ui = ();
    const BOARD: BoardSpec = REVIEWED;
    fn ui(_: &Arc<Self>) {}
    fn extent(_: &Self) -> (usize, usize) {
        (3, 3)
    }
    fn pieces(_: &Self, _: &[Stones], stones: &Stones) -> Vec<BoardPiece> {
        let stone = |n: usize| {
            let seat = stones.0[n]?;
            Some(piece("stone", n, Some(seat), Cell::new(n as i32 % 3, n as i32 / 3)))
        };
        (0..9).filter_map(stone).collect()
    }
    fn input(input: Input, _: &Shown<Self>, _: &mut ()) -> Reply<u8> {
        match input {
            Input::Click(place) => {
                let cell = cell_of(place);
                Reply::Act((cell.y * 3 + cell.x) as u8)
            }
            _ => Reply::Ignored,
        }
    }
}

impl GameView for Walk {
    /// The path that is being drawn.
    type Ui = Vec<Cell>;
    const BOARD: BoardSpec = REVIEWED;
    fn ui(_: &Arc<Self>) -> Vec<Cell> {
        Vec::new()
    }
    fn extent(_: &Self) -> (usize, usize) {
        (3, 2)
    }
    fn pieces(game: &Self, _: &[Vec<Cell>], drawn: &Vec<Cell>) -> Vec<BoardPiece> {
        let at = drawn.last().copied().unwrap_or_else(|| game.null_action(drawn, Seat(0))[0]);
        vec![piece("walker", 0, Some(Seat(0)), at)]
    }
    fn input(input: Input, _: &Shown<Self>, path: &mut Vec<Cell>) -> Reply<Vec<Cell>> {
        match input {
            Input::Drag { from, to } => {
                for cell in [cell_of(from), cell_of(to)] {
                    if !path.contains(&cell) {
                        path.push(cell);
                    }
                }
                Reply::Handled
            }
            Input::DragEnd { .. } => Reply::Act(std::mem::take(path)),
            _ => Reply::Ignored,
        }
    }
}

/// A window with a match of a tiny game in which people play the first of these seats.
fn begin<G: GameView>(players: &[&str], map: &[&str]) -> Headless {
    let mut headless = Headless::new(1280, 800);
    headless.app.insert_resource(BoardList(vec![BoardEntry::of::<G>()]));
    headless.app.world_mut().resource_mut::<Settings>().motion = Motion::Off;
    let text = write_ron(&games::level::<G>(Default::default(), map));
    let level = Entry { id: format!("{}/tiny", G::ID), source: Source::Draft(text.into()) };
    headless.app.insert_resource(MatchConfig {
        players: players.iter().map(|&name| Player::from(name)).collect(),
        budget: Budget::Work(5000),
        back: Screen::Menu,
        ..MatchConfig::new(G::ID, level)
    });
    headless.app.world_mut().resource_mut::<NextState<Screen>>().set(Screen::Match);
    (0..6).for_each(|_| headless.app.update());
    assert_eq!(headless.screen(), Screen::Match);
    headless
}

fn session(headless: &Headless) -> &Session {
    focused::<Session>(headless.app.world()).unwrap()
}

fn analysis(headless: &Headless) -> &Analysis {
    focused::<Analysis>(headless.app.world()).unwrap()
}

/// Where the middle of a cell is in the window.
fn place(headless: &Headless, cell: Cell) -> Vec2 {
    let at = focused::<BoardView>(headless.app.world()).unwrap().to_screen(middle(cell));
    Vec2::new(at.x, at.y)
}

fn click(headless: &mut Headless, (x, y): (i32, i32)) {
    let at = place(headless, Cell::new(x, y));
    headless.point(at);
    headless.app.update();
    headless.button(MouseButton::Left, ButtonState::Pressed);
    headless.app.update();
    headless.button(MouseButton::Left, ButtonState::Released);
    settle(headless);
}

fn press(headless: &mut Headless, code: KeyCode, letter: char) {
    headless.key(code, Some(letter), ButtonState::Pressed);
    headless.app.update();
    headless.key(code, Some(letter), ButtonState::Released);
    settle(headless);
}

/// Lets planners think until a person is to move, or the match is over.
fn settle(headless: &mut Headless) {
    for _ in 0..2000 {
        headless.app.update();
        let session = session(headless);
        let waits = session.human_to_move().is_some() || session.outcome().is_some();
        if waits && !session.live.has_queued() && session.is_at_present() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    headless.app.update();
    agree(headless);
}

/// The entities on the screen are the pieces of the shown state.
fn agree(headless: &mut Headless) {
    let session = session(headless);
    let wanted: BTreeSet<_> =
        session.live.pieces(session.playback.view).iter().map(|piece| piece.key).collect();
    let world = headless.app.world_mut();
    let found: BTreeSet<_> = world.query::<&PieceKey>().iter(world).copied().collect();
    assert_eq!(found, wanted);
}

fn pieces(headless: &Headless) -> usize {
    let session = session(headless);
    session.live.pieces(session.playback.view).len()
}

/// Opens the analysis and waits for its value.
fn analysed_value(headless: &mut Headless) -> Option<Value> {
    press(headless, KeyCode::KeyT, 't');
    assert_eq!(session(headless).tab, Tab::Analysis);
    for _ in 0..2000 {
        headless.app.update();
        let analysis = analysis(headless);
        if !analysis.is_busy() && analysis.step().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let value = analysis(headless).step().and_then(|shown| shown.step.value);
    press(headless, KeyCode::KeyT, 't');
    value
}

/// The review of a match that is over.
fn reviewed(headless: &mut Headless) -> Vec<Option<f64>> {
    assert!(session(headless).outcome().is_some(), "the match is over");
    for _ in 0..2000 {
        headless.app.update();
        if let Some(review) = session(headless).review.moves() {
            return review.moves.iter().map(|played| played.cost).collect();
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("there is no review");
}

#[test]
fn a_puzzle_is_solved_by_clicks() {
    let mut headless = begin::<Lights>(&["human"], &["oo.", "o..", "..."]);
    settle(&mut headless);
    assert_eq!(pieces(&headless), 3);
    assert_eq!(analysed_value(&mut headless), Some(Value::Score(1.0)));
    click(&mut headless, (2, 2));
    assert_eq!(pieces(&headless), 6, "three lamps appear");
    press(&mut headless, KeyCode::KeyU, 'u');
    assert_eq!(pieces(&headless), 3, "and vanish when the move is taken back");
    click(&mut headless, (2, 2));
    click(&mut headless, (2, 2));
    click(&mut headless, (0, 0));
    assert_eq!(pieces(&headless), 0, "all are out");
    assert_eq!(reviewed(&mut headless), [Some(2.0), Some(0.0), Some(0.0)]);
}

#[test]
fn a_path_is_drawn_with_the_mouse() {
    let mut headless = begin::<Walk>(&["human"], &["S.o", ".oF"]);
    settle(&mut headless);
    assert_eq!(analysed_value(&mut headless), Some(Value::Score(2.0)));
    let cells = [(0, 0), (1, 0), (1, 1), (2, 1)].map(|(x, y)| Cell::new(x, y));
    let places = cells.map(|cell| place(&headless, cell));
    headless.point(places[0]);
    headless.app.update();
    headless.button(MouseButton::Left, ButtonState::Pressed);
    headless.app.update();
    for at in &places[1..] {
        headless.point(*at);
        headless.app.update();
    }
    headless.button(MouseButton::Left, ButtonState::Released);
    settle(&mut headless);
    let words = session(&headless).outcome().map(|outcome| outcome.headline);
    assert_eq!(words.as_deref(), Some("arrived"));
    assert_eq!(reviewed(&mut headless), [Some(1.0)]);
}

#[test]
fn a_board_game_is_played_against_a_planner() {
    let mut headless = begin::<Noughts>(&["human", "negamax"], &["...", ".x.", "..o"]);
    settle(&mut headless);
    let mut stones = pieces(&headless);
    assert_eq!(stones, 2);
    while session(&headless).outcome().is_none() {
        let free = (0..9)
            .map(|n| (n % 3, n / 3))
            .find(|&(x, y)| {
                let live = session(&headless).live::<Noughts>().unwrap();
                live.referee().played().state().0[(y * 3 + x) as usize].is_none()
            })
            .unwrap();
        click(&mut headless, free);
        assert!(pieces(&headless) > stones, "stones appear");
        stones = pieces(&headless);
    }
    assert!(!reviewed(&mut headless).is_empty());
    let last = session(&headless).live.turns();
    for turn in [0, last / 2, last] {
        focused_mut::<Session>(headless.app.world_mut()).unwrap().jump(turn);
        headless.app.update();
        agree(&mut headless);
    }
}

#[test]
fn a_match_without_people_runs_to_its_end() {
    let mut headless = begin::<Noughts>(&["negamax", "random"], &["...", "...", "..."]);
    settle(&mut headless);
    assert!(session(&headless).outcome().is_some());
    assert!(session(&headless).live.headline(session(&headless)).is_some());
}

/// However fast they come, keys are played one after the other; one that cannot be played is left out.
#[test]
fn keys_typed_ahead_are_all_played() {
    use outwit_pukoban::{Direction, Pukoban, PukobanStep};
    let mut headless = Headless::new(1280, 800);
    headless.app.world_mut().resource_mut::<Settings>().motion = Motion::Full;
    headless.go(Screen::Match, 2, &["human".into()]);
    let keys = [
        (KeyCode::ArrowLeft, Direction::Left),
        (KeyCode::ArrowUp, Direction::Up),
        (KeyCode::ArrowRight, Direction::Right),
        (KeyCode::ArrowDown, Direction::Down),
    ];
    let typed: Vec<usize> = (0..40).map(|n| (n * 7 + n / 3) % 4).collect();
    for burst in typed.chunks(8) {
        for &key in burst {
            headless.key(keys[key].0, None, ButtonState::Pressed);
            headless.key(keys[key].0, None, ButtonState::Released);
        }
        headless.app.update();
    }
    settle(&mut headless);
    let live = session(&headless).live::<Pukoban>().unwrap();
    let played = live.referee().played();
    let mut wanted = played.states()[0].clone();
    for &key in &typed {
        if !played.game().is_solved(&wanted) {
            let _ = played.game().take(&mut wanted, PukobanStep::to(keys[key].1));
        }
    }
    assert!(wanted.steps > 10, "{}", wanted.steps);
    assert_eq!(*played.state(), wanted);
}
