//! The configuration of the next tournament.

use outwit_core::play::{AllowedPrograms, Budget, Player, Salt, TimeControl};
use outwit_core::tournament::{Contest, ContestLevel, Entrants, OpeningSource};
use outwit_kit::DynGame;
use outwit_kit::tournament::{self, ContestError};
use std::time::Duration;

/// What a configuration lacks to be a tournament.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotReady {
    /// Nobody takes this seat.
    #[error("Choose a planner for {0}.")]
    EmptySeat(String),
    /// The planners cannot play it.
    #[error(transparent)]
    Contest(#[from] ContestError),
}

/// The configuration of the next tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentSetup {
    /// The level in the game's own format, changed rules included.
    pub level: ContestLevel,
    /// Title of the level.
    pub name: String,
    /// The titles of its rules and of their values.
    pub rules: Vec<(&'static str, String)>,
    /// For each seat, the planners that can take it and whether they take part.
    pub seats: Vec<(String, Vec<(String, bool)>)>,
    /// Number of games per pairing.
    pub seeds: u32,
    /// The first seed.
    pub first_seed: u64,
    /// How much a planner may think.
    pub budget: TimeControl,
    /// Whether whoever exceeds its time loses the game.
    pub strict: bool,
    /// The openings from which the games begin, if any.
    pub openings: Option<OpeningSource>,
    /// What the chance of its games is sealed with, if it is.
    pub salt: Option<Salt>,
    /// The programs of other people that a person has allowed to be started.
    pub programs: AllowedPrograms,
}

/// The time that planners get when a program joins them, whose work cannot be counted.
const TIME: Budget = Budget::Time(Duration::from_millis(200));

impl TournamentSetup {
    /// All planners of the game on the smallest number of seats.
    pub fn new(kind: &dyn DynGame, level: ContestLevel) -> Self {
        let (name, rules) = describe(kind, &level);
        let mut plan = Self {
            openings: tournament::usual_openings(kind, &level),
            level,
            name,
            rules,
            seats: Vec::new(),
            seeds: 40,
            first_seed: 1,
            budget: Budget::Work(20_000).into(),
            strict: false,
            salt: None,
            programs: AllowedPrograms::default(),
        };
        for _ in 0..*kind.facts().seats.allowed.start() {
            plan.add_seat(kind);
        }
        plan
    }

    /// Adds a seat with all planners, if the game has one more.
    pub fn add_seat(&mut self, kind: &dyn DynGame) {
        if self.seats.len() < *kind.facts().seats.allowed.end() {
            let seat = kind.seat(self.seats.len()).id;
            let planners = tournament::planners(kind, &seat);
            let all = planners.into_iter().map(|name| (name.to_owned(), true)).collect();
            self.seats.push((seat, all));
        }
    }

    /// Lets a program take a seat. Its dice are sealed from then on, and the budget is time.
    ///
    /// # Errors
    /// If the system has no randomness for the seal.
    pub fn add_program(&mut self, seat: usize, player: &Player) -> Result<(), std::io::Error> {
        if self.salt.is_none() {
            self.salt = Some(Salt::draw()?);
        }
        if self.budget.is_work() {
            self.budget = TIME.into();
        }
        if let Some((_, choices)) = self.seats.get_mut(seat) {
            match choices.iter_mut().find(|(name, _)| name == player.name()) {
                Some((_, on)) => *on = true,
                None => choices.push((player.name().to_owned(), true)),
            }
        }
        Ok(())
    }

    /// The configuration of an existing contest.
    pub fn of(kind: &dyn DynGame, contest: &Contest) -> Self {
        let chosen = |seat: &Entrants| {
            let planners = tournament::planners(kind, &seat.seat).into_iter();
            let planners = planners.map(|name| {
                (name.to_owned(), seat.planners.iter().any(|chosen| chosen.player().name() == name))
            });
            let programs =
                seat.planners.iter().filter(|chosen| chosen.player().program().is_some());
            let programs = programs.map(|program| (program.name().to_owned(), true));
            (seat.seat.clone(), planners.chain(programs).collect())
        };
        let (name, rules) = describe(kind, &contest.level);
        Self {
            level: contest.level.clone(),
            name,
            rules,
            seats: contest.seats.iter().map(chosen).collect(),
            seeds: contest.seeds,
            first_seed: contest.first_seed,
            budget: contest.budget,
            openings: contest.openings.clone(),
            salt: contest.salt,
            strict: contest.strict,
            programs: contest.programs.clone(),
        }
    }

    /// The contest with this configuration.
    ///
    /// # Errors
    /// If something is missing.
    pub fn contest(&self, kind: &dyn DynGame) -> Result<Contest, NotReady> {
        let mut named = Vec::new();
        for (seat, planners) in &self.seats {
            let chosen = planners.iter().filter(|(_, on)| *on).map(|(name, _)| name.as_str());
            let entrants = Entrants::new(seat, chosen);
            if entrants.planners.is_empty() {
                return Err(NotReady::EmptySeat(seat.clone()));
            }
            named.push(entrants);
        }
        let seeds = (self.first_seed, self.seeds);
        let contest = tournament::contest(kind, self.level.clone(), &named, seeds, self.budget)?;
        let openings = self.openings.clone();
        let salt = self.salt;
        Ok(Contest {
            openings,
            salt,
            strict: self.strict,
            programs: self.programs.clone(),
            ..contest
        })
    }
}

/// The title of a level, and its rules with their values.
pub fn describe(kind: &dyn DynGame, level: &ContestLevel) -> (String, Vec<(&'static str, String)>) {
    match kind.describe(level.text.as_bytes(), &level.id) {
        Ok(info) => {
            let titled = kind.properties().iter().zip(&info.rules);
            let titled = titled.map(|(rule, value)| (rule.title, rule.value_title(value)));
            (info.name, titled.collect())
        }
        Err(_) => (level.id.clone(), Vec::new()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_headless::GAMES;
    use outwit_levels::built_in;

    fn plan(kind: &dyn DynGame, level: &str) -> TournamentSetup {
        let text = String::from_utf8(built_in(level).unwrap().bytes().unwrap()).unwrap();
        TournamentSetup::new(kind, ContestLevel::new(level.into(), text))
    }

    #[test]
    fn every_game_can_play_a_tournament() {
        for &game in GAMES {
            let plan = plan(game, &game.first_level());
            let contest = plan.contest(game).unwrap();
            assert!(contest.cells() > 1, "{}", contest.game);
            assert_eq!(TournamentSetup::of(game, &contest), plan);
        }
    }

    #[test]
    fn a_program_takes_a_seat_with_time_and_sealed_dice() {
        let kind = GAMES.iter().copied().find(|kind| kind.id() == "cops").unwrap();
        let mut plan = plan(kind, "cops/tiny");
        let fox = Player::from("program:python3 fox.py");
        plan.add_program(0, &fox).unwrap();
        plan.add_program(0, &fox).unwrap();
        let contest = plan.contest(kind).unwrap();
        assert_eq!(contest.programs().count(), 1);
        assert!(contest.salt.is_some() && !contest.is_repeatable());
        assert!(contest.programs.find("python3 fox.py").is_err(), "nobody has allowed it");
        assert_eq!(TournamentSetup::of(kind, &contest), plan);
        plan.seats[0].1.retain(|(name, _)| name != fox.name());
        assert_eq!(plan.contest(kind).unwrap().programs().count(), 0);
    }

    #[test]
    fn a_seat_without_planners_is_named() {
        let kind = GAMES.iter().copied().find(|kind| kind.id() == "cops").unwrap();
        let mut plan = plan(kind, "cops/tiny");
        plan.seats[1].1.iter_mut().for_each(|(_, on)| *on = false);
        assert_eq!(plan.contest(kind), Err(NotReady::EmptySeat("cops".into())));
    }
}
