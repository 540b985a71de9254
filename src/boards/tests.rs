//! What holds for the boards of all games.

use crate::app::match_screen::{self, PieceKey, Session, focused};
use crate::app::requests::Screen;
use crate::app::shell::settings::{Motion, Settings};
use crate::app::start::tests::at_the_menu;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use outwit_core::levels::{LevelFile, RuleSet};
use outwit_core::play::StopFlag;
use outwit_headless::GAMES;
use std::time::Duration;

/// A level with these rules and this map.
pub fn level<R: RuleSet>(rules: R, map: Vec<String>) -> LevelFile<R> {
    LevelFile {
        format: String::new(),
        name: "Drawn".into(),
        author: String::new(),
        about: String::new(),
        rules,
        map,
    }
}

/// Counts the entities of some kinds.
pub trait Kinds {
    /// One count for each kind.
    fn count(world: &mut World) -> Vec<usize>;
}

fn count_of<C: Component>(world: &mut World) -> usize {
    world.query_filtered::<&PieceKey, With<C>>().iter(world).count()
}

macro_rules! kinds {
    ($($kind:ident),+) => {
        impl<$($kind: Component),+> Kinds for ($($kind,)+) {
            fn count(world: &mut World) -> Vec<usize> {
                vec![$(count_of::<$kind>(world)),+]
            }
        }
    };
}

kinds!(A);
kinds!(A, B);
kinds!(A, B, C);
kinds!(A, B, C, D);

/// Plays a match of planners on the first level of a game, and finds in the world as many entities of each
/// kind as the board names pieces with the key at the same place in `keys`, at every turn that is shown.
#[allow(clippy::unwrap_used)]
pub fn kinds_follow_the_match<K: Kinds>(game: &str, keys: &[&str]) {
    let kind = *GAMES.iter().find(|kind| kind.id() == game).unwrap();
    let mut app = at_the_menu();
    app.world_mut().resource_mut::<Settings>().motion = Motion::Off;
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)));
    app.insert_resource(match_screen::tests::config(kind));
    app.world_mut().resource_mut::<NextState<Screen>>().set(Screen::Match);
    app.update();
    let mut seen = 0;
    loop {
        app.update();
        let session = focused::<Session>(app.world()).unwrap();
        let (turn, over) = (session.playback.view, session.outcome().is_some());
        let pieces = session.live.pieces(turn);
        let named = |key: &&str| pieces.iter().filter(|piece| piece.key.0 == *key).count();
        let wanted: Vec<usize> = keys.iter().map(named).collect();
        assert_eq!(K::count(app.world_mut()), wanted, "{game}, turn {turn}");
        seen += wanted.iter().sum::<usize>();
        if over {
            break;
        }
        std::thread::yield_now();
    }
    assert!(seen > 0, "{game} has no pieces of these kinds");
}

/// The editor would show what the board has no drawing for in a plain colour of its own.
#[test]
fn the_editor_draws_every_piece_as_the_board_does() {
    for (board, kind) in super::BOARDS.iter().zip(GAMES) {
        assert_eq!(board.id, kind.id());
        let pieces =
            kind.facts().palette.iter().filter(|tile| tile.piece.is_some() || tile.in_series);
        for tile in pieces {
            assert!((board.map.draws)(tile.symbol), "{}: {}", board.id, tile.name);
        }
    }
}

/// The menu would show a still board otherwise, without a word.
#[test]
fn the_card_of_every_game_shows_a_match() {
    for (board, kind) in super::BOARDS.iter().zip(GAMES) {
        let scene = (board.scene)(*kind, &StopFlag::default()).unwrap();
        assert!((1..160).contains(&scene.turns()), "{}: {} turns", board.id, scene.turns());
    }
}
