//! The best of five matches between the same planners.

use crate::app::requests::{MatchConfig, Series, SeriesLine};
use crate::app::shell::rivals::fitting;
use crate::app::shell::seats::seat_title;
use bevy::prelude::Resource;
use outwit_core::play::{Place, Player};
use outwit_headless::find;
use outwit_kit::league::{BestOf, Tally};

/// Most matches of such a series.
const MOST: u32 = 5;

/// The best of five that is watched.
#[derive(Resource)]
pub struct BestOfFive {
    best_of: BestOf,
    config: MatchConfig,
    /// Whether the result of the present match is to come.
    open: bool,
}

impl BestOfFive {
    /// Begins with a match that is over, and how its seats ended.
    pub fn new(config: MatchConfig, places: &[Place]) -> Self {
        let names = config.players.iter().map(|player| player.name().to_owned()).collect();
        let mut best_of = BestOf::new(names, MOST, config.seed, swaps(&config));
        best_of.enter(places);
        Self { best_of, config, open: false }
    }

    /// Enters how the present match ended.
    pub fn enter(&mut self, places: &[Place]) {
        if std::mem::take(&mut self.open) {
            self.best_of.enter(places);
        }
    }

    /// Sets up the next match; `None` once it is decided. The present one is played again if it is not over.
    pub fn begin_next(&mut self) -> Option<MatchConfig> {
        let (players, seed) = self.best_of.next()?;
        self.config.players = players.iter().map(|name| Player::from(name.as_str())).collect();
        self.config.seed = seed;
        self.open = true;
        Some(self.config.clone())
    }

    /// What the match screen shows of it.
    pub fn series(&self) -> Series {
        let tally = self.best_of.tally();
        let names = names(self.best_of.players());
        let line = |(name, wins): (&String, &u32)| SeriesLine {
            name: name.clone(),
            cells: vec![wins.to_string()],
            plays: true,
            ..SeriesLine::default()
        };
        let played = MOST - tally.left.min(MOST);
        let about = match tally.left {
            0 => String::new(),
            _ if self.open => format!("match {} of {MOST}", played + 1),
            _ => format!("{played} of {MOST} played"),
        };
        let next = self.best_of.next().filter(|_| !self.open).map(|(players, seed)| {
            let players: Vec<_> = players.iter().map(|name| seat_title(name)).collect();
            format!("{}, seed {seed}", players.join(" – "))
        });
        Series {
            title: "Best of five",
            about,
            config: self.config.clone(),
            columns: &["Won"],
            lines: names.iter().zip(&tally.wins).map(line).collect(),
            note: match tally.drawn {
                0 => String::new(),
                drawn => format!("{drawn} drawn"),
            },
            next: next.unwrap_or_default(),
            is_played: false,
            can_skip: false,
            verdict: (tally.left == 0).then(|| verdict(&tally, &names)),
        }
    }
}

/// The names of the players; those who are called alike have the number of their first seat.
fn names(players: &[String]) -> Vec<String> {
    players
        .iter()
        .enumerate()
        .map(|(seat, name)| {
            let twins = players.iter().filter(|other| *other == name).count() > 1;
            let title = seat_title(name);
            if twins { format!("{title} {}", seat + 1) } else { title }
        })
        .collect()
}

fn verdict(tally: &Tally, names: &[String]) -> String {
    let mut wins = tally.wins.clone();
    wins.sort_unstable_by(|a, b| b.cmp(a));
    let score = wins.iter().map(u32::to_string).collect::<Vec<_>>().join("–");
    match tally.winner().and_then(|winner| names.get(winner)) {
        Some(winner) => format!("{winner} wins the best of five, {score}."),
        None => format!("The best of five is a draw, {score}."),
    }
}

/// Whether all players can take all seats.
fn swaps(config: &MatchConfig) -> bool {
    let Ok(kind) = find(config.game) else { return false };
    let planners = kind.planners();
    let fits = |player: &Player, seat: usize| {
        player.program().is_some()
            || fitting(kind, &planners, seat).any(|planner| planner.name == player.name())
    };
    let seats = 0..config.players.len();
    config.players.iter().all(|player| seats.clone().all(|seat| fits(player, seat)))
}
