//! Chosen planners for each seat, every combination of them on the same seeds.

use super::openings::{Beginnings, begin_with};
use super::{
    Entrant, FinishedGame, Lineup, OpeningSource, Preparations, Share, Terms, TournamentError,
    on_all_cores, play_one, rules,
};
use crate::platform::parallel;
use crate::platform::time::Duration;
use crate::play::{
    AllowedPrograms, BANK, Chance, CheckedLevel, Game, KeptPrograms, PlannerSpec, ProgramName,
    Replay, Salt, StopFlag, TimeControl, digest,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The level of a contest, whole, so that its games can be seen again whatever becomes of the file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ContestLevel {
    /// Its id, such as `cops/default`, or the name of its file.
    pub id: String,
    /// [`digest`] of the text, in hexadecimal.
    pub hash: String,
    /// The level file in the program's own format, changed rules included.
    pub text: String,
}

impl ContestLevel {
    /// A level of this name and text.
    pub fn new(id: String, text: String) -> Self {
        Self { id, hash: format!("{:016x}", digest(&text)), text }
    }
}

/// The planners that take a seat by turns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entrants {
    /// The name of the seat.
    pub seat: String,
    /// Each once.
    pub planners: Vec<Entrant>,
}

impl Entrants {
    /// These planners on the seat of this name.
    pub fn new<E: Into<Entrant>>(seat: &str, planners: impl IntoIterator<Item = E>) -> Self {
        Self { seat: seat.into(), planners: planners.into_iter().map(Into::into).collect() }
    }
}

/// All that decides how a tournament goes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contest {
    /// [`Game::ID`].
    pub game: String,
    /// [`Game::RULES_VERSION`].
    pub rules_version: u32,
    /// The version of the program: another one's planners may play otherwise.
    pub program: String,
    /// What is played on.
    pub level: ContestLevel,
    /// Who plays; one entry a seat, none of them empty.
    pub seats: Vec<Entrants>,
    /// The first seed; the others follow it.
    pub first_seed: u64,
    /// Number of seeds: games of each cell.
    pub seeds: u32,
    /// What a planner may spend that has no budget of its own: on a turn, or on the match.
    pub budget: TimeControl,
    /// Whether whoever exceeds its time loses the game.
    #[serde(default, skip_serializing_if = "is_false")]
    pub strict: bool,
    /// The openings from which the games begin; `None` where they begin as the level does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningSource>,
    /// What keeps planners from guessing the chance of the games; `None` if nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<Salt>,
    /// What a program may take beyond its time per turn, in a whole game, in milliseconds; `None` for the usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank_ms: Option<u64>,
    /// What programs were kept from when the tournament was begun, as [`Isolation`](crate::play::Isolation) is
    /// written; `None` if from nothing. Whoever resumes it without another word keeps them from the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<String>,
    /// The programs among the planners that a person has allowed to be started. No file holds this:
    /// a contest that is read allows none.
    #[serde(skip)]
    pub programs: AllowedPrograms,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// More games than this are surely a typo.
pub const MOST_GAMES: usize = 1_000_000;
/// The most planners that can take a seat by turns: each is compared with each.
pub const MOST_ENTRANTS: usize = 100;

impl Contest {
    /// A contest in a game with these rules, given by its id and their version, on `seeds` seeds from
    /// `first_seed` on, by this version of the program. The games begin as the level does, their chance is
    /// not sealed, nobody loses on time, and no programs are allowed.
    pub fn new(
        (game, rules_version): (&str, u32),
        level: ContestLevel,
        seats: Vec<Entrants>,
        (first_seed, seeds): (u64, u32),
        budget: impl Into<TimeControl>,
    ) -> Self {
        Self {
            game: game.into(),
            rules_version,
            program: env!("CARGO_PKG_VERSION").into(),
            level,
            seats,
            first_seed,
            seeds,
            budget: budget.into(),
            strict: false,
            openings: None,
            salt: None,
            bank_ms: None,
            isolation: None,
            programs: AllowedPrograms::default(),
        }
    }

    /// Whether there are more games than [`MOST_GAMES`].
    pub fn too_many(&self) -> bool {
        let games = self.seats.iter().try_fold(self.seeds as usize, |games, seat| {
            games.checked_mul(seat.planners.len()).filter(|&games| games <= MOST_GAMES)
        });
        games.is_none()
    }

    /// Number of combinations of planners.
    pub fn cells(&self) -> usize {
        self.seats.iter().map(|seat| seat.planners.len()).product()
    }

    /// Number of games: each combination of planners on each seed.
    pub fn games(&self) -> usize {
        self.cells() * self.seeds as usize
    }

    /// Who plays in a cell, seat by seat. The planners of the last seat change fastest.
    pub fn entrants(&self, mut cell: usize) -> Vec<&Entrant> {
        let mut entrants: Vec<&Entrant> = Vec::with_capacity(self.seats.len());
        for seat in self.seats.iter().rev() {
            entrants.push(&seat.planners[cell % seat.planners.len()]);
            cell /= seat.planners.len();
        }
        entrants.reverse();
        entrants
    }

    /// The names of those who play in a cell, seat by seat.
    pub fn players(&self, cell: usize) -> Vec<&str> {
        self.entrants(cell).into_iter().map(Entrant::name).collect()
    }

    /// The cell in which these play.
    pub fn cell_of<'a>(&self, players: impl IntoIterator<Item = &'a str>) -> Option<usize> {
        let mut players = players.into_iter();
        let cell = self.seats.iter().try_fold(0, |cell, seat| {
            let player = players.next()?;
            let at = seat.planners.iter().position(|planner| planner.name() == player)?;
            Some(cell * seat.planners.len() + at)
        })?;
        players.next().is_none().then_some(cell)
    }

    /// What an entrant may spend on a turn or on the match.
    pub fn budget_of(&self, entrant: &Entrant) -> TimeControl {
        entrant.budget().unwrap_or(self.budget)
    }

    /// The programs that take part.
    pub fn programs(&self) -> impl Iterator<Item = ProgramName<'_>> {
        let entrants = self.seats.iter().flat_map(|seat| &seat.planners);
        entrants.filter_map(|entrant| entrant.player().program())
    }

    /// What the entrants may spend, one after another.
    pub fn budgets(&self) -> impl Iterator<Item = TimeControl> {
        let entrants = self.seats.iter().flat_map(|seat| &seat.planners);
        entrants.map(|entrant| self.budget_of(entrant))
    }

    /// Whether all budgets are work, so that the same games come out the same on every machine.
    pub fn is_repeatable(&self) -> bool {
        self.budgets().all(TimeControl::is_work)
    }

    /// The seed of a round, counted from 0.
    pub fn seed(&self, round: usize) -> u64 {
        self.first_seed.wrapping_add(round as u64)
    }

    /// All that is random in the games on a seed.
    pub fn chance(&self, seed: u64) -> Chance {
        Chance::salted(seed, self.salt)
    }

    /// The round and the cell of a game, if it belongs to this contest.
    pub fn place_of(&self, game: &FinishedGame) -> Option<(usize, usize)> {
        let round = usize::try_from(game.seed.wrapping_sub(self.first_seed)).ok()?;
        let cell = self.cell_of(game.players.iter().map(String::as_str))?;
        (round < self.seeds as usize).then_some((round, cell))
    }

    /// The number of a game in the contest's order, if it belongs to this contest.
    pub(super) fn slot_of(&self, game: &FinishedGame) -> Option<usize> {
        let (round, cell) = self.place_of(game)?;
        Some(round * self.cells() + cell)
    }

    fn lineup(&self, round: usize, cell: usize) -> Lineup {
        let players = self.entrants(cell).into_iter().cloned().collect();
        Lineup { players, seed: self.seed(round) }
    }

    fn terms(&self) -> Terms {
        Terms {
            budget: self.budget,
            strict: self.strict,
            salt: self.salt,
            programs: self.programs.clone(),
            bank: self.bank_ms.map_or(BANK, Duration::from_millis),
            kept: KeptPrograms::default(),
        }
    }

    /// In what another contest differs from this one, in words; `None` if in nothing.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let seats = |contest: &Self| {
            contest
                .seats
                .iter()
                .map(|s| {
                    let names: Vec<&str> = s.planners.iter().map(Entrant::name).collect();
                    format!("{}={}", s.seat, names.join(","))
                })
                .collect::<Vec<_>>()
                .join(" ")
        };
        let differs = |what: &str, mine: String, theirs: String| {
            (mine != theirs).then(|| format!("its {what} is {theirs}, not {mine}"))
        };
        let text = |value: &dyn ToString| value.to_string();
        let bank = |contest: &Self| {
            contest.bank_ms.map_or("the usual one".into(), |bank| format!("{bank} ms"))
        };
        let salt = |contest: &Self| contest.salt.map_or("none".into(), |salt| salt.to_string());
        differs("game", text(&self.game), text(&other.game))
            .or_else(|| differs("level", text(&self.level.id), text(&other.level.id)))
            .or_else(|| {
                (self.level != other.level)
                    .then(|| format!("the level {} or its rules have changed", self.level.id))
            })
            .or_else(|| differs("choice of planners", seats(self), seats(other)))
            .or_else(|| differs("number of seeds", text(&self.seeds), text(&other.seeds)))
            .or_else(|| differs("first seed", text(&self.first_seed), text(&other.first_seed)))
            .or_else(|| differs("budget", text(&self.budget), text(&other.budget)))
            .or_else(|| differs("salt", salt(self), salt(other)))
            .or_else(|| differs("bank", bank(self), bank(other)))
            .or_else(|| {
                (self.openings != other.openings).then(|| "it has other openings".to_owned())
            })
            .or_else(|| {
                let state = |strict| if strict { "on" } else { "off" }.to_owned();
                differs("option --strict", state(self.strict), state(other.strict))
            })
            .or_else(|| {
                differs("rules version", text(&self.rules_version), text(&other.rules_version))
            })
            .or_else(|| differs("version of Outwit", text(&self.program), text(&other.program)))
    }
}

/// Plays all games of a share of a contest but those of `done`, seed by seed, and returns
/// these and those of `done` in the contest's order: by seed, then by cell.
///
/// See [`play_games`](super::play_games) for the use of cores. `finished` is called after each game,
/// from any thread; an error from it ends the contest. A game that goes on for too long is broken off
/// and counts as unfinished.
///
/// # Errors
/// If a game cannot begin, cannot be saved, or `stop` is raised.
pub fn run_share<G: Game>(
    level: &CheckedLevel<G>,
    specs: &[PlannerSpec<G>],
    contest: &Contest,
    share: Share,
    done: Vec<FinishedGame>,
    stop: &StopFlag,
    finished: &(dyn Fn(&FinishedGame) -> Result<(), String> + Sync),
) -> Result<Vec<FinishedGame>, TournamentError> {
    let wanted = |round: usize, _| share.holds(round);
    let choice = GameChoice { wanted: &wanted, take: &|_, _| true };
    run_chosen(level, specs, contest, choice, done, stop, finished)
}

/// Which games of a contest are played; each is named by its round and its cell.
#[derive(Clone, Copy)]
pub struct GameChoice<'a> {
    /// Whether a game is to be played at all, asked for all games before the first one.
    pub wanted: &'a (dyn Fn(usize, usize) -> bool + Sync),
    /// Whether a game is still to be played, asked just before it begins: somebody else may play it.
    pub take: &'a (dyn Fn(usize, usize) -> bool + Sync),
}

/// Plays chosen games of a contest but those of `done`; otherwise as [`run_share`].
///
/// # Errors
/// As [`run_share`].
pub fn run_chosen<G: Game>(
    level: &CheckedLevel<G>,
    specs: &[PlannerSpec<G>],
    contest: &Contest,
    choice: GameChoice<'_>,
    done: Vec<FinishedGame>,
    stop: &StopFlag,
    finished: &(dyn Fn(&FinishedGame) -> Result<(), String> + Sync),
) -> Result<Vec<FinishedGame>, TournamentError> {
    let cells = contest.cells();
    let mut slots: BTreeMap<usize, FinishedGame> =
        done.into_iter().filter_map(|game| Some((contest.slot_of(&game)?, game))).collect();
    let is_open =
        |slot: &usize| !slots.contains_key(slot) && (choice.wanted)(slot / cells, slot % cells);
    let open: Vec<usize> = (0..contest.games()).filter(is_open).collect();
    if open.is_empty() {
        return Ok(slots.into_values().collect());
    }
    let beginnings = Beginnings::<G>::new(contest, level, stop)?;
    let preparations = Preparations::default();
    let terms = contest.terms();
    let one = |slot: usize| {
        if !(choice.take)(slot / cells, slot % cells) {
            return Ok(None);
        }
        let lineup = contest.lineup(slot / cells, slot % cells);
        let (rules, opening) = beginnings.of(slot / cells)?;
        let record = play_one(&rules, specs, &lineup, &terms, &preparations, stop)?;
        let game = FinishedGame::of(&record, contest, opening)
            .map_err(|error| TournamentError::Journal(error.to_string()))?;
        finished(&game).map_err(TournamentError::Journal)?;
        Ok(Some((slot, game)))
    };
    // One by one, so that all cells grow together.
    let played: Result<Vec<Option<(usize, FinishedGame)>>, TournamentError> =
        on_all_cores(!contest.is_repeatable(), contest.seats.len())?
            .run(|| parallel::map_one_by_one(open, one));
    slots.extend(played?.into_iter().flatten());
    Ok(slots.into_values().collect())
}

/// Plays all games of a contest but those of `done`; see [`run_share`].
///
/// # Errors
/// As [`run_share`].
pub fn run_contest<G: Game>(
    level: &CheckedLevel<G>,
    specs: &[PlannerSpec<G>],
    contest: &Contest,
    done: Vec<FinishedGame>,
    stop: &StopFlag,
    finished: &(dyn Fn(&FinishedGame) -> Result<(), String> + Sync),
) -> Result<Vec<FinishedGame>, TournamentError> {
    run_share(level, specs, contest, Share::ALL, done, stop, finished)
}

/// The replay of a finished game: from its kept actions, or by playing it again. That starts no other
/// programs, since a game of theirs comes with its actions.
///
/// # Errors
/// If the game is not of this contest, `stop` is raised, the game comes out otherwise than it did, or
/// another program played and the actions are missing.
pub fn replay_of<G: Game>(
    level: &CheckedLevel<G>,
    specs: &[PlannerSpec<G>],
    contest: &Contest,
    game: &FinishedGame,
    stop: &StopFlag,
) -> Result<Replay<G>, String> {
    let (round, cell) = contest.place_of(game).ok_or("this game is not of this tournament")?;
    let lineup = contest.lineup(round, cell);
    let rules = match &game.opening {
        Some(opening) => begin_with::<G>(contest, level, opening, round),
        None => rules::<G>(level, lineup.players.len()),
    }
    .map_err(|error| error.to_string())?;
    if let Some(actions) = &game.actions {
        let replay = Replay {
            format: String::new(),
            game: G::ID.into(),
            rules_version: G::RULES_VERSION,
            level: rules.level().clone(),
            seed: game.seed,
            salt: contest.salt,
            seats: lineup
                .players
                .iter()
                .map(|entrant| entrant.player().name().to_owned())
                .collect(),
            turns: ron::from_str(actions)
                .map_err(|error| format!("the kept game cannot be read: {error}"))?,
            closing: game.closing,
            variations: Vec::new(),
            notes: Vec::new(),
            names: Vec::new(),
            thoughts: Vec::new(),
            digest: game.digest,
            outcome: (!game.is_unfinished()).then(|| game.outcome.clone()),
            seal: None,
        }
        .with_names(&game.names);
        return replay.play_with(&rules).map(|_| replay).map_err(|error| error.to_string());
    }
    let mut programs = lineup.players.iter().filter(|entrant| entrant.player().program().is_some());
    if let Some(program) = programs.next().map(Entrant::name) {
        return Err(format!(
            "the game on seed {} has no actions, so it has no replay: {program} would have to play it \
             again, and programs are not started because a file names them",
            game.seed
        ));
    }
    let preparations = Preparations::default();
    let terms = Terms { programs: AllowedPrograms::default(), ..contest.terms() };
    let replay = play_one(&rules, specs, &lineup, &terms, &preparations, stop)
        .map_err(|error| error.to_string())?
        .replay;
    if replay.digest != game.digest {
        return Err("the game ends differently now: a planner has changed since".into());
    }
    Ok(replay)
}
