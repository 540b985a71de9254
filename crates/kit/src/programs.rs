//! Programs of other people, tried out and asked about positions.

use super::reading::{match_of, whole};
use super::spec::{AnalyseOptions, GameSpec};
use outwit_core::levels::Fault;
use outwit_core::platform::time::{Duration, Instant};
use outwit_core::play::protocol::{Interview, NotReady, PositionAnswer};
use outwit_core::play::{
    AllowedProgram, Budget, CheckedLevel, EngineInfo, Insight, Match, MatchSetup, Player,
    ProgramLog, Referee, Seat, SeatStats, StopFlag, Thinking, action_text,
};
use serde::Serialize;
use std::sync::Arc;

/// How a program is tried.
#[derive(Clone, Debug)]
pub struct TrialOptions {
    /// The seat that it takes.
    pub seat: usize,
    /// The program.
    pub program: AllowedProgram,
    /// How it is named as a player.
    pub player: Player,
    /// Who takes the other seats.
    pub others: Vec<Player>,
    /// Its time per turn.
    pub limit: Duration,
    /// What it may take beyond that in a match.
    pub bank: Duration,
    /// About how many positions it is asked, and how many matches it plays.
    pub states: usize,
    /// See `states`.
    pub matches: u32,
}

/// What came of trying a program.
#[derive(Clone, Debug, Serialize)]
pub struct Trial {
    /// What it calls itself.
    pub name: String,
    /// What else it says of itself.
    pub about: String,
    /// How long it took to be ready, in milliseconds.
    pub start_ms: f64,
    /// What was looked at.
    pub checks: Vec<TrialCheck>,
    /// How long each answer took, in milliseconds.
    pub times_ms: Vec<f64>,
    /// How long it took to ask all these questions, with all that Outwit did for it, in milliseconds.
    pub asking_ms: f64,
    /// Its time per turn, in milliseconds.
    pub limit_ms: u64,
    /// The matches that it played.
    pub matches: Vec<TrialMatch>,
    /// The last lines that it printed to its standard error when it was asked.
    pub log: Vec<String>,
}

impl Trial {
    /// Whether nothing is wrong with the program.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.passed)
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize)]
pub struct TrialCheck {
    /// What was looked at, in a word or two.
    pub name: &'static str,
    /// Whether it is as it should be.
    pub passed: bool,
    /// What was found.
    pub found: String,
    /// What to do about it; empty if nothing needs to be done.
    pub advice: String,
}

/// A match of a trial.
#[derive(Clone, Debug, Serialize)]
pub struct TrialMatch {
    /// Its seed.
    pub seed: u64,
    /// Who played the other seats.
    pub others: Vec<String>,
    /// How it ended.
    pub headline: String,
    /// The program's rank, 1 for the best.
    pub rank: u32,
    /// The program's score, if it has one.
    pub score: Option<f64>,
    /// Turns in which it had to choose.
    pub turns: u32,
    /// Those of them in which it was late, silent, illegal and not readable.
    pub late: u32,
    /// See `late`.
    pub silent: u32,
    /// See `late`.
    pub illegal: u32,
    /// See `late`.
    pub broken: u32,
    /// Why it failed, if it did.
    pub fault: Option<String>,
}

/// How the positions to ask about are found: the work of each planner per turn.
const WORK: u64 = 200;
/// Answers that are asked for twice.
const TWICE: usize = 20;
/// So many answers may be late before it is given up, if none came in time.
const PATIENCE: usize = 10;
/// More turns than this are not played to find positions.
const MOST_TURNS: usize = 2_000;
/// The seed of the program's dice.
const SEED: u64 = 7;

/// Tries a program: asks it about positions of matches between planners, some of them twice, and lets it play.
///
/// # Errors
/// If the level cannot be played by so many, or `stop` is raised.
pub(super) fn try_program<G: GameSpec>(
    level: &CheckedLevel<G>,
    options: &TrialOptions,
    stop: &StopFlag,
) -> Result<Trial, String> {
    let seats = options.others.len() + 1;
    let game = Arc::new(G::new(level, seats)?);
    let seat = Seat(options.seat as u8);
    let mut trial = Trial {
        name: options.program.label(),
        about: String::new(),
        start_ms: 0.0,
        checks: Vec::new(),
        times_ms: Vec::new(),
        asking_ms: 0.0,
        limit_ms: options.limit.as_millis() as u64,
        matches: Vec::new(),
        log: Vec::new(),
    };
    let positions = positions(&game, options, stop)?;
    let first = interview(&game, seat, options, &positions, stop);
    if stop.is_raised() {
        return Err("cancelled".into());
    }
    let (answers, fault) = match first {
        Err(NotReady { why, log }) => {
            trial.log = last_errors(&log);
            let advice = match trial.log.is_empty() {
                // One that cannot be started needs another command, and the reason says which.
                _ if !options.program.can_start() => "",
                true => START_ADVICE,
                false => CRASH_ADVICE,
            };
            trial.check("start", false, why, advice);
            return Ok(trial);
        }
        Ok(Interviewed { info, answers, fault, took, log }) => {
            trial.log = log;
            trial.asking_ms = took.as_secs_f64() * 1000.0;
            (trial.name, trial.about) = (info.name, info.about);
            trial.start_ms = info.start.as_secs_f64() * 1000.0;
            let found = format!("ready after {:.0} ms", trial.start_ms);
            trial.check("start", true, found, "");
            (answers, fault)
        }
    };
    trial.times_ms = answers.iter().map(|answer| answer.took.as_secs_f64() * 1000.0).collect();
    let listed = positions.first().is_some_and(|(played, turn)| lists_actions(played, *turn, seat));
    trial.judge_answers(&answers, fault, options.limit, listed);
    if is_hopeless(&answers) {
        let found = "not played: no answer came in time".into();
        trial.check("matches", false, found, "Mend that first.");
        return Ok(trial);
    }
    if answers.len() > 1 {
        let again: Vec<_> = positions.iter().take(TWICE).cloned().collect();
        if let Ok(Interviewed { answers: second, fault: None, .. }) =
            interview(&game, seat, options, &again, stop)
        {
            trial.judge_repetition(&answers, &second);
        }
    }
    for number in 0..options.matches {
        let seed = 1 + u64::from(number);
        let played = play(&game, options, seed, stop)?;
        trial.matches.push(played);
    }
    trial.judge_matches();
    Ok(trial)
}

const START_ADVICE: &str = "Read one line from standard input, then print {\"type\":\"ready\",\"protocol\":1,\
    \"name\":\"...\"} and a newline, and flush the output.";
const CRASH_ADVICE: &str = "It printed an error before it said that it is ready: mend that first. Does the command name \
    the right file?";
const FLUSH_ADVICE: &str = "If it needs longer, send what you have with \"more\": true, and a better action later. If not, \
    flush the output after each answer (Python: print(..., flush=True); C++: std::endl; Java: System.out is flushed by \
    println).";

/// What to do about something that cannot be read.
fn reading_advice(why: &str) -> &'static str {
    match why.contains("not JSON") || why.contains("no type") {
        true => {
            "Standard output is for messages only: print what you want to see to standard error (Python: \
             print(..., file=sys.stderr))."
        }
        false => "Compare its action with the field default of the turn, which has the right form.",
    }
}

/// What to do about an illegal action, where a turn lists the legal ones or does not.
fn rules_advice(listed: bool) -> &'static str {
    match listed {
        true => "Choose from the field actions of the turn.",
        false => {
            "The manual's page on the protocol has the rules for actions; the field default of the turn is always legal."
        }
    }
}

/// Whether the turns of a game list the legal actions, as far as a position tells.
fn lists_actions<G: GameSpec>(played: &Match<G>, turn: usize, seat: Seat) -> bool {
    let listed = || Some(played.game().actions(played.state_at(turn)?, seat).is_some());
    !G::MATCH_RULES.whole_answers && listed().unwrap_or(false)
}

impl Trial {
    fn check(&mut self, name: &'static str, passed: bool, found: String, advice: &str) {
        let advice = if passed { String::new() } else { advice.to_owned() };
        self.checks.push(TrialCheck { name, passed, found, advice });
    }

    fn judge_answers<A>(
        &mut self,
        answers: &[PositionAnswer<A>],
        fault: Option<String>,
        limit: Duration,
        listed: bool,
    ) {
        let asked = answers.len();
        let all = format!("asked about {asked} positions");
        match fault {
            Some(why) => {
                let found = format!("after {asked} answers: {why}");
                let advice = match self.log.is_empty() {
                    true => {
                        "It printed nothing to its standard error. Does its loop go on until its input ends?"
                    }
                    false => "Look at the end of its standard error.",
                };
                self.check("survival", false, found, advice);
            }
            None => self.check("survival", true, all, ""),
        }
        if asked == 0 {
            return;
        }
        let first = |text: fn(&PositionAnswer<A>) -> Option<&String>| {
            answers.iter().find_map(|answer| Some((answer.turn, text(answer)?.clone())))
        };
        let count = |is: fn(&PositionAnswer<A>) -> bool| answers.iter().filter(|a| is(a)).count();
        let broken = first(|answer| answer.conduct.broken.as_ref());
        let found = match &broken {
            None => "all its lines are messages".into(),
            Some((turn, why)) => format!(
                "in {} of {asked} turns something could not be read; first in turn {turn}: {why}",
                count(|answer| answer.conduct.broken.is_some())
            ),
        };
        let advice = broken.as_ref().map_or("", |(_, why)| reading_advice(why));
        self.check("protocol", broken.is_none(), found, advice);
        let illegal = first(|answer| answer.conduct.illegal.as_ref());
        let is_any_read = answers.iter().any(|answer| !answer.actions.is_empty());
        let found = match &illegal {
            None if !is_any_read => "no action came that could be checked".into(),
            None => "all its actions are legal".into(),
            Some((turn, why)) => format!(
                "{} of {asked} actions break a rule; first in turn {turn}: {why}",
                count(|answer| answer.conduct.illegal.is_some())
            ),
        };
        let advice = if illegal.is_some() { rules_advice(listed) } else { "" };
        self.check("rules", illegal.is_none() && is_any_read, found, advice);
        let late = count(|answer| answer.conduct.late);
        let silent = count(|answer| answer.conduct.silent);
        let mut times = self.times_ms.clone();
        times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let last = times.len().saturating_sub(1);
            times.get((share * last as f64).round() as usize).copied().unwrap_or_default()
        };
        let limit = limit.as_millis();
        let found = format!(
            "median {:.1} ms, 95 % within {:.1} ms, longest {:.1} ms of {limit} ms; {late} late, {silent} without a \
             word",
            at(0.5),
            at(0.95),
            at(1.0)
        );
        let starved = count(|answer| answer.conduct.starved);
        let found = match starved {
            0 => found,
            _ => format!("{found}; {starved} of them while it had to wait for a processor"),
        };
        let advice = match silent {
            _ if 2 * starved > late => {
                "Try it again on a machine that is less busy: it had to wait for a processor."
            }
            _ if late > 0
                && answers.iter().all(|a| !a.conduct.late || a.conduct.broken.is_some()) =>
            {
                "What came could not be read: mend that first."
            }
            0 => {
                "Answer earlier: send what you have with \"more\": true, and a better action later."
            }
            _ => FLUSH_ADVICE,
        };
        self.check("time", late == 0, found, advice);
    }

    /// Whether equal questions have equal answers. A program that thinks until its time is up need not give them.
    fn judge_repetition<A: PartialEq>(
        &mut self,
        first: &[PositionAnswer<A>],
        second: &[PositionAnswer<A>],
    ) {
        let pairs = first.iter().zip(second);
        let differ = pairs.clone().filter(|(a, b)| a.actions != b.actions).count();
        let asked = pairs.count();
        let found = match differ {
            0 => format!("the same answers to the same {asked} questions"),
            _ => format!(
                "{differ} of {asked} answers differ with the same seed: games cannot be repeated exactly, which is \
                 usual for a program that thinks until its time is up"
            ),
        };
        self.check("repetition", true, found, "");
    }

    fn judge_matches(&mut self) {
        if self.matches.is_empty() {
            return;
        }
        let failed = self.matches.iter().find_map(|played| played.fault.clone());
        let faults: u32 =
            self.matches.iter().map(|played| played.late + played.illegal + played.broken).sum();
        let count = self.matches.len();
        let found = match &failed {
            Some(why) => format!("it failed in a match: {why}"),
            None => {
                let matches = if count == 1 { "match" } else { "matches" };
                let turns = if faults == 1 { "turn" } else { "turns" };
                format!("{count} {matches} played, {faults} faulty {turns}")
            }
        };
        let advice = "The checks above say what is wrong with its answers. Where none can be played, Outwit plays \
            the field default of the turn; a program that ends loses its match.";
        self.check("matches", failed.is_none() && faults == 0, found, advice);
    }
}

/// Positions of matches between planners in which the seat has to choose: a match and a number of turns each.
type Positions<G> = Vec<(Arc<Match<G>>, usize)>;

fn positions<G: GameSpec>(
    game: &Arc<G>,
    options: &TrialOptions,
    stop: &StopFlag,
) -> Result<Positions<G>, String> {
    let seat = Seat(options.seat as u8);
    // A puzzle is asked about as a whole, and its later positions are as good as its first.
    let wanted = if G::MATCH_RULES.whole_answers { options.states.min(5) } else { options.states };
    let mut found: Positions<G> = Vec::new();
    for seed in 1..=wanted.max(1) as u64 {
        let mut players = options.others.clone();
        players.insert(options.seat, stand_in::<G>(seat)?);
        let setup = MatchSetup::new(&players, Budget::Work(WORK), seed).thinking(Thinking::Inline);
        let setup = MatchSetup { stop: stop.clone(), ..setup };
        let mut referee = Referee::new(Arc::clone(game), G::planners(), setup)?;
        referee.run(MOST_TURNS);
        if stop.is_raised() {
            return Err("cancelled".into());
        }
        let played = Arc::new(referee.played().clone());
        let turns = (0..played.len()).filter(|&turn| {
            played.state_at(turn).is_some_and(|state| game.to_move(state).contains(&seat))
        });
        found.extend(turns.map(|turn| (Arc::clone(&played), turn)));
        if found.len() >= wanted {
            break;
        }
    }
    // Evenly over all of them, since those of one match are alike. A late answer never passes for one to a later
    // position, since its turn is an earlier one; see `interview` for equal ones.
    let step = (found.len() as f64 / wanted.max(1) as f64).max(1.0);
    let chosen = (0..wanted).map(|at| (at as f64 * step) as usize);
    let mut chosen: Positions<G> = chosen.filter_map(|at| found.get(at).cloned()).collect();
    chosen.sort_by_key(|(_, turn)| *turn);
    Ok(chosen)
}

/// The planner that plays in the program's place to find positions.
fn stand_in<G: GameSpec>(seat: Seat) -> Result<Player, String> {
    let own = G::planners().iter().find(|spec| (spec.seats)(seat));
    own.map(|spec| spec.name.into()).ok_or_else(|| "no planner can take this seat".into())
}

/// Lines of standard error that are shown.
const LOG_LINES: usize = 20;

/// The last lines that a program printed to its standard error.
fn last_errors(log: &ProgramLog) -> Vec<String> {
    let mut lines = log.errors_since(0);
    lines.drain(..lines.len().saturating_sub(LOG_LINES));
    lines
}

/// What a program answered.
struct Interviewed<A> {
    info: EngineInfo,
    answers: Vec<PositionAnswer<A>>,
    /// Why it failed in between, if it did.
    fault: Option<String>,
    took: Duration,
    /// The end of its standard error.
    log: Vec<String>,
}

/// The answers to some positions.
fn interview<G: GameSpec>(
    game: &Arc<G>,
    seat: Seat,
    options: &TrialOptions,
    positions: &Positions<G>,
    stop: &StopFlag,
) -> Result<Interviewed<G::Action>, NotReady> {
    let limit = Some(options.limit);
    let mut talk = Interview::begin(game, seat, &options.program, SEED, limit, stop)?;
    let mut answers = Vec::new();
    let mut fault = None;
    let began = Instant::now();
    for (number, (played, turn)) in positions.iter().enumerate() {
        match talk.ask(played, *turn) {
            Ok(answer) => {
                let next = positions.get(number + 1).map(|(_, next)| next);
                if answer.conduct.late && next == Some(turn) {
                    // The answer that it still owes would pass for one to the next position.
                    talk = Interview::begin(game, seat, &options.program, SEED, limit, stop)?;
                }
                answers.push(answer);
                if is_hopeless(&answers) {
                    break;
                }
            }
            Err(why) => {
                fault = Some(why);
                break;
            }
        }
    }
    let took = began.elapsed();
    let info = talk.info().clone();
    Ok(Interviewed { info, answers, fault, took, log: last_errors(&talk.end()) })
}

/// Whether a program has not answered in time even once, often enough to ask it no more.
fn is_hopeless<A>(answers: &[PositionAnswer<A>]) -> bool {
    answers.len() >= PATIENCE && answers.iter().all(|answer| answer.conduct.late)
}

fn play<G: GameSpec>(
    game: &Arc<G>,
    options: &TrialOptions,
    seed: u64,
    stop: &StopFlag,
) -> Result<TrialMatch, String> {
    let mut players = options.others.clone();
    players.insert(options.seat, options.player.clone());
    let mut setup = MatchSetup::new(&players, Budget::Time(options.limit), seed);
    setup.programs = options.allowed();
    setup.bank = options.bank;
    setup.stop = stop.clone();
    let mut referee = Referee::new(Arc::clone(game), G::planners(), setup)?;
    referee.run((G::MATCH_RULES.most_turns)(game));
    if stop.is_raised() {
        return Err("cancelled".into());
    }
    let stats: SeatStats = referee.stats(Seat(options.seat as u8));
    let outcome = referee.outcome();
    let place = outcome.as_ref().and_then(|outcome| outcome.places.get(options.seat).cloned());
    Ok(TrialMatch {
        seed,
        others: options.others.iter().map(Player::label).collect(),
        headline: outcome.map_or_else(|| "not over".into(), |outcome| outcome.headline),
        rank: place.as_ref().map_or(0, |place| place.rank),
        score: place.and_then(|place| place.score),
        turns: stats.asked,
        late: stats.overruns,
        silent: stats.silent,
        illegal: stats.illegal,
        broken: stats.broken,
        fault: stats.fault,
    })
}

impl TrialOptions {
    fn allowed(&self) -> outwit_core::play::AllowedPrograms {
        self.program.clone().into()
    }
}

/// What a program answered about a position of a replay or a level.
#[derive(Clone, Debug, Serialize)]
pub struct AskedPosition {
    /// Id of the game.
    pub game: &'static str,
    /// Name of the level.
    pub level: String,
    /// After how many turns.
    pub turn: usize,
    /// The name of the seat.
    pub seat: String,
    /// What the program calls itself.
    pub name: String,
    /// How long it took, in milliseconds.
    pub ms: f64,
    /// What it would play, in words.
    pub action: Option<String>,
    /// The same as replay files write it: all actions, where it answers with several.
    pub actions: Vec<String>,
    /// What the match played there, in words.
    pub played: Option<String>,
    /// What was wrong with the answer.
    pub problems: Vec<String>,
    /// What to do about that.
    pub advice: Vec<String>,
    /// Its sentences.
    pub notes: Vec<String>,
    /// What it thinks, to be drawn.
    pub insight: Insight,
    /// The last lines that it printed to its standard error.
    pub log: Vec<String>,
}

/// Asks a program about a position, without a clock unless the options limit its time.
///
/// # Errors
/// If the file is faulty, the position does not exist, or the program fails.
pub(super) fn ask_about<G: GameSpec>(
    bytes: &[u8],
    name: &str,
    options: &AnalyseOptions,
    program: &AllowedProgram,
    limit: Option<Duration>,
    stop: &StopFlag,
) -> Result<AskedPosition, Vec<Fault>> {
    let played = match_of::<G>(bytes, name, options.seed)?;
    let turn = options.turn.unwrap_or(0);
    let Some(state) = played.state_at(turn) else {
        return Err(whole(format!("there is no turn {turn}; it has {} turns", played.len())));
    };
    let over = turn == played.len() && played.outcome().is_some();
    let to_move = if over { Vec::new() } else { played.game().to_move(state) };
    let asked = to_move
        .iter()
        .find(|&&seat| options.seat.as_ref().is_none_or(|id| G::SEATS.id(seat) == *id));
    let Some(&seat) = asked else {
        let who = options.seat.as_deref().unwrap_or("nobody");
        return Err(whole(format!("{who} does not choose at turn {turn}; take another turn")));
    };
    let seed = played.chance().planner_seed(seat);
    let game = played.game();
    let failed = |why: String, log: &ProgramLog| {
        let printed = last_errors(log).into_iter().map(|line| format!("it printed: {line}"));
        let why = format!("{}: {why}", program.label());
        std::iter::once(why).chain(printed).map(Fault::whole).collect::<Vec<_>>()
    };
    let mut talk = Interview::begin(game, seat, program, seed, limit, stop)
        .map_err(|NotReady { why, log }| failed(why, &log))?;
    let answer = talk.ask(&played, turn).map_err(|why| failed(why, &talk.log()))?;
    let own = played
        .turns()
        .get(turn)
        .and_then(|turn| turn.actions.iter().find(|(of, _)| *of == seat).map(|(_, action)| action));
    let conduct = answer.conduct;
    let late = conduct.late.then(|| "no answer that can be played came in time".to_owned());
    let rules = rules_advice(lists_actions(&played, turn, seat));
    let advice = [
        conduct.illegal.as_ref().map(|_| rules.to_owned()),
        conduct.broken.as_ref().map(|why| reading_advice(why).to_owned()),
    ];
    let illegal = conduct.illegal.map(|why| format!("its action is illegal: {why}"));
    Ok(AskedPosition {
        game: G::ID,
        level: game.level().name.clone(),
        turn,
        seat: G::SEATS.id(seat),
        name: talk.info().name.clone(),
        ms: answer.took.as_secs_f64() * 1000.0,
        action: answer.actions.first().map(|action| game.action_words(action)),
        actions: answer.actions.iter().map(action_text).collect(),
        played: own.map(|action| game.action_words(action)),
        problems: [late, illegal, conduct.broken].into_iter().flatten().collect(),
        advice: advice.into_iter().flatten().collect(),
        notes: answer.thought.notes,
        insight: answer.thought.insight.as_deref().cloned().unwrap_or_default(),
        log: last_errors(&talk.end()),
    })
}
