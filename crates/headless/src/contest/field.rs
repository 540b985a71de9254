//! Who plays whom on which level, and the key of each game.

use super::config::ContestConfig;
use super::entry::Entry;
use super::work::{WorkFolder, Worker};
use outwit_core::platform::program::Isolation;
use outwit_core::platform::store::{self, StoreError};
use outwit_core::platform::task::lock;
use outwit_core::play::{Salt, StopFlag, digest_of};
use outwit_core::tournament::{
    Contest, ContestLevel, Entrant, Entrants, FinishedGame, GameChoice, Scoreboard,
};
use outwit_kit::DynGame;
use outwit_kit::tournament::{contest, planners};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Mutex;

/// Who takes part: a program, or a planner of Outwit.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// Its name, without `program:`.
    pub name: String,
    /// Its name as a player.
    pub player: String,
    /// A digest of the files of a program.
    pub digest: Option<u64>,
}

/// A level of a contest with all its games.
pub struct Arena {
    /// All combinations of players on the level; some of them are not played.
    pub contest: Contest,
}

/// All games of a contest.
pub struct ContestField {
    /// The game.
    pub kind: &'static dyn DynGame,
    /// Who takes part: first the programs, then the planners.
    pub contestants: Vec<Contestant>,
    /// The levels.
    pub arenas: Vec<Arena>,
}

/// A game of a contest: its level, its round and its cell.
pub type Pick = (usize, usize, usize);

/// The number of seats of a contest's games.
///
/// # Errors
/// If the game cannot be played by so many.
pub fn seats_of(kind: &dyn DynGame, config: &ContestConfig) -> Result<usize, String> {
    let allowed = &kind.facts().seats.allowed;
    let seats = config.seats.unwrap_or(2.clamp(*allowed.start(), *allowed.end()));
    match allowed.contains(&seats) {
        true => Ok(seats),
        false => Err(format!(
            "contest.toml: seats = {seats}, but {} is played by {} to {}",
            kind.name(),
            allowed.start(),
            allowed.end()
        )),
    }
}

/// The levels of a contest, each with its id.
///
/// # Errors
/// If one is missing or has problems.
pub fn levels_of(
    kind: &'static dyn DynGame,
    config: &ContestConfig,
    folder: &Path,
) -> Result<Vec<ContestLevel>, String> {
    let first = [kind.first_level()];
    let named = if config.levels.is_empty() { &first[..] } else { &config.levels[..] };
    let level = |name: &String| {
        let inside = folder.join(name);
        let path = if store::is_file(&inside) { inside.as_os_str() } else { name.as_ref() };
        let found = crate::cli::find_level(path, Some(kind))
            .map_err(|failure| format!("contest.toml: levels: {}", failure.lines.join(" ")))?;
        let level = kind.convert(&found.bytes, &found.name(), &[], "ron").map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(|fault| fault.in_file(name)).collect();
            faults.join("; ")
        })?;
        let text = String::from_utf8(level.bytes).map_err(|error| error.to_string())?;
        // A file of the contest is known by its path there, wherever the folder lies.
        let id = if store::is_file(&inside) { name.clone() } else { found.entry.id };
        Ok(ContestLevel::new(id, text))
    };
    let levels = named.iter().map(level).collect::<Result<Vec<ContestLevel>, String>>()?;
    for (at, level) in levels.iter().enumerate() {
        // Its games would count twice.
        if let Some(same) = levels[..at].iter().position(|other| content(other) == content(level)) {
            return Err(format!(
                "contest.toml: levels: {} is the same level as {}",
                named[at], named[same]
            ));
        }
    }
    Ok(levels)
}

/// What of a level decides its games: all but its name, its author and what is said of it.
fn content(level: &ContestLevel) -> Vec<&str> {
    let remarks = ["name:", "author:", "about:"];
    let is_remark = |line: &&str| remarks.iter().any(|key| line.trim_start().starts_with(key));
    level.text.lines().filter(|line| !is_remark(line)).collect()
}

impl ContestField {
    /// The games of these players on these levels.
    ///
    /// # Errors
    /// What is wrong with the configuration.
    pub fn new(
        kind: &'static dyn DynGame,
        config: &ContestConfig,
        levels: Vec<ContestLevel>,
        entries: &[Entry],
        isolation: &Isolation,
        salt: Salt,
    ) -> Result<Self, String> {
        let seats = seats_of(kind, config)?;
        let ids: Vec<String> = (0..seats).map(|seat| kind.seat(seat).id).collect();
        let known =
            |name: &String| ids.iter().any(|seat| planners(kind, seat).contains(&name.as_str()));
        if let Some(unknown) = config.planners.iter().find(|name| !known(name)) {
            return Err(format!(
                "contest.toml: {} has no planner '{unknown}' for these seats",
                kind.name()
            ));
        }
        let programs = entries.iter().map(|entry| Contestant {
            name: entry.name.clone(),
            player: entry.player().name().to_owned(),
            digest: Some(entry.digest),
        });
        let own = config.planners.iter().map(|name| Contestant {
            name: name.clone(),
            player: name.clone(),
            digest: None,
        });
        let contestants: Vec<Contestant> = programs.chain(own).collect();
        let entrants: Vec<Entrants> = ids
            .iter()
            .map(|seat| {
                let programs = entries.iter().filter(|entry| entry.takes(seat));
                let programs = programs.map(|entry| Entrant::from(entry.player().name()));
                let can = planners(kind, seat);
                let own = config.planners.iter().filter(|name| can.contains(&name.as_str()));
                Entrants::new(seat, programs.chain(own.map(|name| name.as_str().into())))
            })
            .collect();
        if let Some(empty) = entrants.iter().find(|seat| seat.planners.is_empty()) {
            return Err(format!(
                "nobody takes the seat {}: a player has to, or a planner in contest.toml",
                empty.seat
            ));
        }
        let bank_ms = config.bank()?.and_then(|bank| u64::try_from(bank.as_millis()).ok());
        let seeds = (config.seed, config.games);
        let budget = config.budget()?;
        let arenas = levels.into_iter().map(|level| {
            let contest = contest(kind, level, &entrants, seeds, budget);
            let mut contest = contest.map_err(|error| format!("contest.toml: {error}"))?;
            contest.strict = config.strict;
            contest.bank_ms = bank_ms;
            contest.salt = Some(salt);
            for entry in entries {
                contest.programs.extend(entry.allowed(isolation));
            }
            Ok(Arena { contest })
        });
        Ok(Self { kind, contestants, arenas: arenas.collect::<Result<_, String>>()? })
    }

    /// The index of the contestant of this name as a player.
    pub fn index_of(&self, player: &str) -> Option<usize> {
        self.contestants.iter().position(|known| known.player == player)
    }

    /// Whether a cell is played: by different players, of which one is a program at least.
    fn is_played(&self, arena: &Arena, cell: usize) -> bool {
        let players: Vec<Option<usize>> =
            arena.contest.players(cell).iter().map(|player| self.index_of(player)).collect();
        let is_twice = (1..players.len()).any(|at| players[..at].contains(&players[at]));
        let has_program = players
            .iter()
            .flatten()
            .any(|&player| self.contestants.get(player).is_some_and(|it| it.digest.is_some()));
        !is_twice && has_program
    }

    /// Whether the player of this name plays in a cell.
    pub fn plays(&self, arena: usize, cell: usize, name: &str) -> bool {
        let players = self.arenas.get(arena).map(|arena| arena.contest.players(cell));
        players
            .unwrap_or_default()
            .into_iter()
            .any(|player| self.index_of(player).is_some_and(|at| self.contestants[at].name == name))
    }

    /// Whether anybody has an opponent: in a game, or, where each plays alone, on the same level.
    pub fn has_opponents(&self) -> bool {
        self.contestants.len() > 1 && !self.picks().is_empty()
    }

    /// All games that are to be played, round by round.
    pub fn picks(&self) -> Vec<Pick> {
        let rounds =
            self.arenas.iter().map(|arena| arena.contest.seeds as usize).max().unwrap_or(0);
        let mut picks = Vec::new();
        for (number, arena) in self.arenas.iter().enumerate() {
            let cells: Vec<usize> =
                (0..arena.contest.cells()).filter(|&cell| self.is_played(arena, cell)).collect();
            picks.extend(
                (0..rounds).flat_map(|round| cells.iter().map(move |&cell| (number, round, cell))),
            );
        }
        picks.sort_by_key(|&(arena, round, cell)| (round, arena, cell));
        picks
    }

    /// A digest of all that a game depends on.
    pub fn key(&self, (arena, round, cell): Pick) -> u64 {
        let contest = &self.arenas[arena].contest;
        let mut text = format!(
            "{} {} {} {} {:?} {} {:?} {:?} {:?} {}",
            contest.game,
            contest.rules_version,
            contest.level.hash,
            contest.budget,
            contest.bank_ms,
            contest.strict,
            contest.salt.map(|salt| salt.to_string()),
            contest.openings,
            contest.openings.as_ref().map(|_| contest.opening_of(round)),
            contest.seed(round),
        );
        for player in contest.players(cell) {
            let digest = self.index_of(player).and_then(|at| self.contestants[at].digest);
            text += &match digest {
                Some(digest) => format!("\n{player} {digest:016x}"),
                // A planner of another version may play differently.
                None => format!("\n{player} {}", contest.program),
            };
        }
        digest_of(text.as_bytes())
    }

    /// Plays those of some games that nobody has played or plays; returns how many. Each is saved at once.
    ///
    /// # Errors
    /// If a game cannot begin or cannot be saved, or `stop` is raised.
    pub fn play(
        &self,
        worker: &Worker,
        picks: &[(Pick, u64)],
        stop: &StopFlag,
        is_time: &(dyn Fn() -> bool + Sync),
        finished: &(dyn Fn() + Sync),
    ) -> Result<usize, String> {
        let played = Mutex::new(0);
        let all = || {
            for (number, arena) in self.arenas.iter().enumerate() {
                let wanted: BTreeMap<(usize, usize), u64> = picks
                    .iter()
                    .filter(|((of, ..), _)| *of == number)
                    .map(|&((_, round, cell), key)| ((round, cell), key))
                    .collect();
                if wanted.is_empty() {
                    continue;
                }
                let trouble: Mutex<Option<StoreError>> = Mutex::new(None);
                let take = |round: usize, cell: usize| {
                    let Some(&key) = wanted.get(&(round, cell)) else { return false };
                    if !is_time() || stop.is_raised() || lock(&trouble).is_some() {
                        return false;
                    }
                    worker.take(key).unwrap_or_else(|error| {
                        lock(&trouble).get_or_insert(error);
                        false
                    })
                };
                let choice = GameChoice {
                    wanted: &|round, cell| wanted.contains_key(&(round, cell)),
                    take: &take,
                };
                let result = self.kind.run_chosen(
                    &arena.contest,
                    choice,
                    Vec::new(),
                    stop,
                    &|game: &FinishedGame| {
                        let place =
                            arena.contest.place_of(game).and_then(|place| wanted.get(&place));
                        let key = *place.ok_or("a game that nobody wanted was played")?;
                        worker.save(key, game)?;
                        *lock(&played) += 1;
                        finished();
                        Ok(())
                    },
                );
                if let Some(error) = trouble.into_inner().unwrap_or_default() {
                    return Err(error.to_string());
                }
                result.map_err(|error| error.to_string())?;
            }
            Ok(())
        };
        let result = worker.alive(all);
        worker.finish()?;
        result.map(|()| *lock(&played))
    }

    /// The finished games among these, level by level.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn boards(
        &self,
        work: &WorkFolder,
        picks: &[(Pick, u64)],
    ) -> Result<Vec<Scoreboard>, StoreError> {
        let keys: HashSet<u64> = picks.iter().map(|(_, key)| *key).collect();
        let found = work.finished(&keys)?.games;
        let mut games: Vec<Vec<FinishedGame>> = vec![Vec::new(); self.arenas.len()];
        for ((arena, round, cell), key) in picks {
            let Some(game) = found.get(key) else { continue };
            // A key could be another game's only by an accident.
            if self.arenas[*arena].contest.place_of(game) == Some((*round, *cell)) {
                games[*arena].push(game.clone());
            }
        }
        let boards = self.arenas.iter().zip(games);
        Ok(boards.map(|(arena, games)| Scoreboard::new(arena.contest.clone(), games)).collect())
    }
}
