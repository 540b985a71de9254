//! The best moments of a tournament: where its games turned most, and which of them were over soonest.

use crate::commentary::{Swing, highlights};
use crate::dyn_game::DynGame;
use outwit_core::play::StopFlag;
use outwit_core::tournament::{FinishedGame, Scoreboard};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Reasons that are told.
const MOST_PROBLEMS: usize = 3;
/// Turns before the end of a quick game that are shown.
const LAST_TURNS: usize = 12;

/// A moment of a game that is worth watching.
#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    /// The game.
    pub game: FinishedGame,
    /// What makes it one.
    pub kind: MomentKind,
    /// The turns to show, each by the number of turns played before it.
    pub turns: RangeInclusive<usize>,
}

/// What makes a moment worth watching.
#[derive(Clone, PartialEq, Debug)]
pub enum MomentKind {
    /// Things turned there.
    Swing(Swing),
    /// No other game came to this ending of its winner in so few turns.
    Quickest(String),
}

/// The best moments of a tournament.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Moments {
    /// The turning points of all games, the largest first.
    pub swings: Vec<Moment>,
    /// The quickest game for each way in which games were won, the quickest of all first.
    pub quickest: Vec<Moment>,
    /// Number of games in which turning points were looked for.
    pub looked_at: usize,
    /// Why turning points are not known of some games: the first reasons.
    pub problems: Vec<String>,
}

impl Moment {
    /// Who plays, such as `runner vs pack`.
    pub fn players(&self) -> String {
        self.game.players.join(" vs ")
    }

    /// What happens, in a few words, given what to call the planner of a seat.
    pub fn words(&self, kind: &dyn DynGame, name: &dyn Fn(&str) -> String) -> String {
        match &self.kind {
            MomentKind::Swing(swing) => {
                let who = self.game.players.get(swing.seat.index()).map(|player| name(player));
                let who = who.unwrap_or_default();
                format!("{who} from {:.0} % to {:.0} %", 100.0 * swing.from, 100.0 * swing.to)
            }
            MomentKind::Quickest(ending) => {
                format!("{ending} after {} {}s", self.game.turns, kind.facts().turn)
            }
        }
    }

    fn document(&self, kind: &dyn DynGame) -> Value {
        let mut told = json!({
            "seed": self.game.seed,
            "players": self.game.players,
            "opening": self.game.opening,
            "from": self.turns.start(),
            "to": self.turns.end(),
        });
        let own = match &self.kind {
            MomentKind::Swing(swing) => json!({
                "seat": kind.seat(swing.seat.index()).id,
                "since": swing.since,
                "turn": swing.turn,
                "share_before": swing.from,
                "share_after": swing.to,
            }),
            MomentKind::Quickest(ending) => json!({"ending": ending, "turns": self.game.turns}),
        };
        if let (Some(told), Value::Object(own)) = (told.as_object_mut(), own) {
            told.extend(own);
        }
        told
    }
}

impl Moments {
    /// All of them, the turning points first.
    pub fn all(&self) -> impl Iterator<Item = &Moment> {
        self.swings.iter().chain(&self.quickest)
    }

    /// Them as one document.
    pub fn document(&self, kind: &dyn DynGame, board: &Scoreboard) -> Value {
        let [swings, quickest] = [&self.swings, &self.quickest].map(|moments| {
            moments.iter().map(|moment| moment.document(kind)).collect::<Vec<Value>>()
        });
        json!({
            "game": kind.id(),
            "level": board.contest().level.id,
            "games": board.finished(),
            "looked_at": self.looked_at,
            "turning_points": swings,
            "quickest": quickest,
            "problems": self.problems,
        })
    }
}

/// The best moments of all finished games: at most `most` turning points, and the quickest game for each way in which
/// games were won. `looked` is called after each game. Games without kept actions are played again; no other program
/// is started for that, so turning points of theirs are not known.
///
/// # Errors
/// If `stop` was raised.
pub fn best_moments(
    kind: &dyn DynGame,
    board: &Scoreboard,
    most: usize,
    stop: &StopFlag,
    looked: &mut dyn FnMut(),
) -> Result<Moments, String> {
    let mut moments = Moments { quickest: quickest(board), ..Moments::default() };
    let games = board.all().filter(|game| kind.facts().has_commentary && game.turns > 0);
    for game in games {
        if stop.is_raised() {
            return Err("stopped".into());
        }
        match swings(kind, board, game, stop) {
            Ok(found) => {
                moments.looked_at += 1;
                moments.swings.extend(found);
                moments.swings.sort_by(|one, other| {
                    let by_size = size(other).total_cmp(&size(one));
                    by_size
                        .then_with(|| one.game.seed.cmp(&other.game.seed))
                        .then_with(|| one.turns.start().cmp(other.turns.start()))
                        .then_with(|| one.game.players.cmp(&other.game.players))
                });
                moments.swings.truncate(most);
            }
            Err(why) if moments.problems.len() < MOST_PROBLEMS => moments.problems.push(why),
            Err(_) => {}
        }
        looked();
    }
    if stop.is_raised() { Err("stopped".into()) } else { Ok(moments) }
}

/// How much a moment turned a game.
fn size(moment: &Moment) -> f64 {
    match &moment.kind {
        MomentKind::Swing(swing) => swing.to - swing.from,
        MomentKind::Quickest(_) => 0.0,
    }
}

/// The turning points of a game.
fn swings(
    kind: &dyn DynGame,
    board: &Scoreboard,
    game: &FinishedGame,
    stop: &StopFlag,
) -> Result<Vec<Moment>, String> {
    let text = kind.replay_text(board.contest(), game, stop)?;
    let said = kind.commentary(text.as_bytes()).map_err(|fault| fault.to_string())?;
    let moments = said.swings.into_iter().filter_map(|swing| {
        let turns = highlights(&[swing], game.turns).pop()?;
        Some(Moment { game: game.clone(), kind: MomentKind::Swing(swing), turns })
    });
    Ok(moments.collect())
}

/// The quickest game for each way in which games were won. An ending to which all games come after the same number of
/// turns, such as the end of all time, tells nothing.
fn quickest(board: &Scoreboard) -> Vec<Moment> {
    let mut games: BTreeMap<&str, Vec<&FinishedGame>> = BTreeMap::new();
    for game in board.all().filter(|game| game.closing.is_none() && !game.is_unfinished()) {
        let places = &game.outcome.places;
        let won = places.iter().filter(|place| place.rank == 1 && place.score.is_some());
        let won: Vec<&str> = won.map(|place| place.ending.as_str()).collect();
        if let [ending] = won[..] {
            games.entry(ending).or_default().push(game);
        }
    }
    let moments = games.into_iter().filter_map(|(ending, games)| {
        let slowest = games.iter().map(|game| game.turns).max()?;
        let count = games.len();
        let quickest =
            games.into_iter().min_by_key(|game| (game.turns, game.seed, &game.players))?;
        let tells = count == 1 || quickest.turns < slowest;
        tells.then(|| Moment {
            game: quickest.clone(),
            kind: MomentKind::Quickest(ending.to_owned()),
            turns: quickest.turns.saturating_sub(LAST_TURNS)..=quickest.turns,
        })
    });
    let mut found: Vec<Moment> = moments.collect();
    found.sort_by_key(|moment| moment.game.turns);
    found
}
