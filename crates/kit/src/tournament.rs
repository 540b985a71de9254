//! Tournaments of any game: creating them, and their results as tables and files.

mod contest;
mod moments;
mod table;

pub use super::csv::csv;
pub use contest::{
    ContestError, SavedContestError, check_contest, check_seats, contest, given_openings, planners,
    usual_openings,
};
pub use moments::{Moment, MomentKind, Moments, best_moments};
pub use table::{has_engines, rows};

use super::{DynGame, FaultyLevel, GameSpec, SolveOptions};
use outwit_core::platform::file_name::file_stem;
use outwit_core::play::{CheckedLevel, Match, Player, SeatStats, StopFlag, digest_of};
use outwit_core::tournament::{
    Contest, Estimate, FinishedGame, GameRecord, Lineup, Scoreboard, play_games, ratings,
};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Lets a planner play a level alone, and gives what the game keeps of it with the match itself.
///
/// # Errors
/// If the match cannot begin or `stop` is raised.
pub fn play_alone<G: GameSpec>(
    level: &CheckedLevel<G>,
    name: &str,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<(GameRecord<G>, Match<G>), String> {
    let lineup = Lineup { players: vec![name.into()], seed: options.seed };
    let games =
        play_games::<G>(level, G::planners(), &[lineup], options.turn_budget(), stop, |_| {})
            .map_err(|error| error.to_string())?;
    let record = games.into_iter().next().ok_or("no match was played")?;
    let game = Arc::new(G::new(level, 1).map_err(|error| error.to_string())?);
    let played = record.replay.play_with(&game).map_err(|error| error.to_string())?;
    Ok((record, played))
}

/// A game that was lost since the program that played was at fault.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct EngineFault {
    /// The seed of the game.
    pub seed: u64,
    /// The name of the seat.
    pub seat: String,
    /// The player.
    pub player: String,
    /// The turn in which it failed.
    pub turn: usize,
    /// What was wrong with it.
    pub fault: String,
}

/// All games that programs lost by their faults, ordered by seed.
pub fn engine_faults(board: &Scoreboard) -> Vec<EngineFault> {
    let seats = &board.contest().seats;
    let played =
        board.all().flat_map(|game| game.stats.iter().enumerate().map(move |at| (game, at)));
    played
        .filter_map(|(game, (seat, stats))| {
            Some(EngineFault {
                seed: game.seed,
                seat: seats.get(seat)?.seat.clone(),
                player: game.players.get(seat)?.clone(),
                turn: game.turns,
                fault: stats.fault.clone()?,
            })
        })
        .collect()
}

/// All results as one document: the configuration, the rows of the game's table, the matrix of
/// payoffs, paired differences and ratings. The fields of a single row are repeated at the top, but for
/// its number of games.
///
/// # Errors
/// If the level has faults.
pub fn report(kind: &dyn DynGame, board: &Scoreboard) -> Result<Value, FaultyLevel> {
    let contest = board.contest();
    let rows = kind.summary(board)?;
    let mut report = Map::new();
    let mut put = |key: &str, value: Value| report.insert(key.into(), value);
    put("game", json!(contest.game));
    put("level", json!(contest.level.id));
    put("level_hash", json!(contest.level.hash));
    put("games", json!(contest.seeds));
    put("seed", json!(contest.first_seed));
    put("rules_version", json!(contest.rules_version));
    put("rules_digest", json!(rules_digest(kind, contest)));
    put("budget", json!(contest.budget));
    if contest.strict {
        put("strict", json!(true));
    }
    if let Some(salt) = contest.salt {
        put("salt", json!(salt));
    }
    put("program", json!(contest.program));
    if let Some(openings) = &contest.openings {
        put("openings", json!(openings));
    }
    put("games_finished", json!(board.finished()));
    if let ([Value::Object(only)], 1) = (rows.as_slice(), contest.cells()) {
        // Those of the row are the games that were played.
        for (key, value) in only.iter().filter(|(key, _)| *key != "games") {
            put(key, value.clone());
        }
    }
    put("rows", json!(rows));
    if has_engines(contest) {
        put("engine_faults", json!(engine_faults(board)));
    }
    if contest.cells() > 1 {
        put("matrix", matrix(board));
        put("differences", json!(differences(board)));
        put("ratings", json!(ratings(board)));
    }
    Ok(Value::Object(report))
}

/// The mean payoff of the first seat, by its planner and by those of the other seats.
fn matrix(board: &Scoreboard) -> Value {
    let contest = board.contest();
    let Some((first, others)) = contest.seats.split_first() else { return Value::Null };
    let columns = board.opponents(0);
    let table: Vec<Vec<Option<Estimate>>> = first
        .planners
        .iter()
        .map(|planner| {
            let payoffs = columns.iter().map(|column| {
                let players = std::iter::once(planner.name()).chain(column.iter().copied());
                let cell = contest.cell_of(players)?;
                Some(board.cell(cell, |_| &[]).seats[0].payoff)
            });
            payoffs.collect()
        })
        .collect();
    json!({
        "row_seat": first.seat,
        "rows": first.planners,
        "column_seats": others.iter().map(|seat| &seat.seat).collect::<Vec<_>>(),
        "columns": columns.iter().map(|column| column.join(" + ")).collect::<Vec<_>>(),
        "mean_payoff": each(&table, |estimate| json!(estimate.mean)),
        "ci95": each(&table, |estimate| json!(estimate.ci95)),
        "all_equal": each(&table, |estimate| json!(estimate.all_equal)),
    })
}

/// One value of each estimate of a table.
fn each(table: &[Vec<Option<Estimate>>], value: fn(&Estimate) -> Value) -> Vec<Vec<Option<Value>>> {
    let rows = table.iter();
    rows.map(|row| row.iter().map(|cell| cell.as_ref().map(value)).collect()).collect()
}

/// The mean difference in payoff between two planners of a seat on the same seeds.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Difference {
    /// The name of the seat.
    pub seat: String,
    /// The first planner.
    pub planner: String,
    /// The second planner, whose payoff is subtracted.
    pub minus: String,
    /// The planners on the other seats; `None` for the mean over all.
    pub against: Option<String>,
    /// The difference.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// Compares each planner of each seat with those listed before it, against all opponents together and
/// then against each.
pub fn differences(board: &Scoreboard) -> Vec<Difference> {
    let mut all = Vec::new();
    for (seat, entrants) in board.contest().seats.iter().enumerate() {
        let opponents = board.opponents(seat);
        let each = (opponents.len() > 1).then_some(&opponents).into_iter().flatten().map(Some);
        let against: Vec<Option<&Vec<&str>>> = std::iter::once(None).chain(each).collect();
        for (at, planner) in entrants.planners.iter().enumerate() {
            for minus in &entrants.planners[..at] {
                all.extend(against.iter().map(|against| Difference {
                    seat: entrants.seat.clone(),
                    planner: planner.name().to_owned(),
                    minus: minus.name().to_owned(),
                    against: against.map(|players| players.join(" + ")),
                    estimate: board.difference(
                        seat,
                        planner.name(),
                        minus.name(),
                        against.map(Vec::as_slice),
                    ),
                }));
            }
        }
    }
    all
}

/// What decides the games of a contest, as columns of a table: `game`, `level`, `level_hash`,
/// `rules_version`, `rules_digest` of all rules with their values, `budget` where an entrant has none
/// of its own, `strict` if whoever exceeds it loses, the `salt` of a sealed contest, and the version of
/// the `program`.
pub(crate) fn circumstances(kind: &dyn DynGame, contest: &Contest) -> Map<String, Value> {
    let mut columns = Map::new();
    let mut put = |key: &str, value: Value| columns.insert(key.into(), value);
    put("game", json!(contest.game));
    put("level", json!(contest.level.id));
    put("level_hash", json!(contest.level.hash));
    put("rules_version", json!(contest.rules_version));
    put("rules_digest", json!(rules_digest(kind, contest)));
    put("budget", json!(contest.budget));
    if contest.strict {
        put("strict", json!(true));
    }
    if let Some(salt) = contest.salt {
        put("salt", json!(salt));
    }
    put("program", json!(contest.program));
    columns
}

/// A digest of all rules of a contest's level with their values, changed or not, in hexadecimal;
/// `None` if the level cannot be read.
fn rules_digest(kind: &dyn DynGame, contest: &Contest) -> Option<String> {
    let info = kind.describe(contest.level.text.as_bytes(), "").ok()?;
    let rules = kind.properties().iter().zip(&info.rules);
    let text: String = rules.map(|(rule, value)| format!("{}={value}\n", rule.key)).collect();
    let text = format!("{} {}\n{text}", contest.game, contest.rules_version);
    Some(format!("{:016x}", digest_of(text.as_bytes())))
}

/// The rows of the game's table for a file: with what decided the games, and per seat the mean work
/// and thinking time of a game.
///
/// A row of one planner has `mean_work` and `mean_thinking_ms`; a row of a whole line-up has them for
/// each seat, with the name of the seat before them.
///
/// # Errors
/// If the level has faults.
pub fn line_up_rows(kind: &dyn DynGame, board: &Scoreboard) -> Result<Vec<Value>, FaultyLevel> {
    let contest = board.contest();
    let mut rows = kind.summary(board)?;
    let common = circumstances(kind, contest);
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        let named = |key: &str| row.get(key).and_then(Value::as_str).map(str::to_owned);
        let planner = named("planner");
        let (seat_named, players): (Option<String>, Vec<Option<String>>) =
            (named("seat"), contest.seats.iter().map(|seat| named(&seat.seat)).collect());
        for (seat, entrants) in contest.seats.iter().enumerate() {
            let is_row = planner.is_some();
            if is_row && seat_named.as_ref().is_some_and(|name| *name != entrants.seat) {
                continue;
            }
            let games = board.all().filter(|game| match &planner {
                Some(planner) => game.players.get(seat) == Some(planner),
                None => game
                    .players
                    .iter()
                    .zip(&players)
                    .all(|(own, wanted)| wanted.as_ref().is_none_or(|wanted| wanted == own)),
            });
            let stats: Vec<&SeatStats> = games.filter_map(|game| game.stats.get(seat)).collect();
            let head = if is_row { String::new() } else { format!("{}_", entrants.seat) };
            row.insert(format!("{head}mean_work"), json!(mean(&stats, |stats| stats.work as f64)));
            row.insert(format!("{head}mean_thinking_ms"), json!(mean(&stats, thinking_ms)));
        }
        row.extend(common.clone());
    }
    Ok(rows)
}

fn mean(stats: &[&SeatStats], value: fn(&SeatStats) -> f64) -> Option<f64> {
    let sum: f64 = stats.iter().map(|stats| value(stats)).sum();
    (!stats.is_empty()).then(|| sum / stats.len() as f64)
}

/// The time that a seat thought in a game, without its preparation.
fn thinking_ms(stats: &SeatStats) -> f64 {
    stats.thought.iter().map(|time| time.as_micros() as f64).sum::<f64>() / 1000.0
}

/// The differences as flat objects.
pub fn difference_rows(kind: &dyn DynGame, board: &Scoreboard) -> Vec<Value> {
    flat_rows(kind, board, differences(board).iter().map(|difference| json!(difference)))
}

/// The ratings as flat objects.
pub fn rating_rows(kind: &dyn DynGame, board: &Scoreboard) -> Vec<Value> {
    flat_rows(kind, board, ratings(board).iter().map(|rating| json!(rating)))
}

fn flat_rows(
    kind: &dyn DynGame,
    board: &Scoreboard,
    rows: impl Iterator<Item = Value>,
) -> Vec<Value> {
    let common = circumstances(kind, board.contest());
    rows.map(|mut row| {
        if let Value::Object(row) = &mut row {
            row.extend(common.clone());
        }
        row
    })
    .collect()
}

/// One flat object per finished game, ordered by seed.
pub fn game_rows(kind: &dyn DynGame, board: &Scoreboard) -> Vec<Value> {
    let seats = &board.contest().seats;
    let common = circumstances(kind, board.contest());
    let is_timed = !board.contest().is_repeatable();
    let rows = board.all().map(|game| {
        let mut row = Map::new();
        row.insert("seed".into(), json!(game.seed));
        for (entrants, player) in seats.iter().zip(&game.players) {
            row.insert(entrants.seat.clone(), json!(player));
        }
        if let Some(opening) = &game.opening {
            row.insert("opening".into(), json!(opening));
        }
        row.insert("turns".into(), json!(game.turns));
        for (seat, entrants) in seats.iter().enumerate() {
            let stats = &game.stats[seat];
            let mut put = |what: &str, value: Value| {
                row.insert(format!("{}_{what}", entrants.seat), value);
            };
            put("ending", json!(game.ending(seat)));
            put("payoff", json!(game.score(seat)));
            put("overruns", json!(stats.overruns));
            if is_timed {
                put("starved", json!(stats.starved));
            }
            put("illegal", json!(stats.illegal));
            put("panic", json!(stats.panic));
            if has_engines(board.contest()) {
                put("silent", json!(stats.silent));
                put("broken", json!(stats.broken));
                put("fault", json!(stats.fault));
            }
            put("work", json!(stats.work));
            put("thinking_ms", json!(thinking_ms(stats)));
            put("preparation_ms", json!(stats.preparation.as_micros() as f64 / 1000.0));
        }
        row.extend(common.clone());
        Value::Object(row)
    });
    rows.collect()
}

/// Takes all that differs between two equal runs out of a document: the fields whose names end in
/// `_ms` or hold `_ms_`, and `ms`.
pub fn without_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|key, _| key != "ms" && !key.ends_with("_ms") && !key.contains("_ms_"));
            fields.values_mut().for_each(without_times);
        }
        Value::Array(list) => list.iter_mut().for_each(without_times),
        _ => {}
    }
}

/// The file name of a game's replay, whatever its names are.
pub fn replay_name(contest: &Contest, game: &FinishedGame) -> String {
    let level = contest.level.id.rsplit(['/', '\\']).next().unwrap_or_default();
    let level = file_stem(level.strip_suffix(".ron").unwrap_or(level), "level");
    let players: Vec<String> = game.players.iter().map(|name| player_in_file_name(name)).collect();
    let wanted = format!("{}-{level}-{}", contest.game, players.join("-"));
    let mut stem = file_stem(&wanted, "replay");
    if stem != wanted {
        // Other names could become the same one.
        stem += &format!("-{:08x}", digest_of(wanted.as_bytes()) as u32);
    }
    format!("{stem}-{}.ron", game.seed)
}

/// A planner's name; for a program that of its file, with a number that tells equal ones in different
/// folders apart.
fn player_in_file_name(name: &str) -> String {
    let player = Player::from(name);
    if player.program().is_none() {
        return name.to_owned();
    }
    let stem: String = player.label().chars().take(40).collect();
    format!("{}-{:08x}", file_stem(&stem, "engine"), digest_of(name.as_bytes()) as u32)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_core::play::{Budget, Outcome, Place};
    use outwit_core::tournament::{ContestLevel, Entrants};

    fn contest_of(level: &str, seats: Vec<Entrants>) -> Contest {
        let level = ContestLevel::new(level.into(), String::new());
        Contest::new(("cops", 1), level, seats, (1, 2), Budget::Work(1))
    }

    fn game_of(seed: u64, players: Vec<String>, places: Vec<Place>) -> FinishedGame {
        FinishedGame::new(seed, players, Outcome { headline: String::new(), places })
    }

    #[test]
    fn endings_that_the_first_row_lacks_are_columns() {
        let contest = contest_of("tiny", vec![Entrants::new("thief", ["a", "b", "c"])]);
        let game = |seed, player: &str, ending: &str| {
            let place = Place { rank: 1, score: Some(1.0), ending: ending.into() };
            game_of(seed, vec![player.into()], vec![place])
        };
        let games = [
            game(1, "a", "caught"),
            game(1, "b", "out of time"),
            game(2, "b", "caught"),
            game(1, "c", "resigned"),
        ];
        let rows = rows(&Scoreboard::new(contest, games), &|_| &["caught", "escaped"]);
        let keys: Vec<&String> = rows[0].as_object().unwrap().keys().collect();
        assert_eq!(
            keys[1..7],
            ["games", "caught", "escaped", "out_of_time", "resigned", "mean_payoff"]
        );
        assert!(rows.iter().all(|row| row.as_object().unwrap().keys().eq(keys.iter().copied())));
        assert_eq!((&rows[0]["out_of_time"], &rows[1]["out_of_time"]), (&json!(0.0), &json!(0.5)));
        let table = csv(&rows);
        let lines: Vec<&str> = table.lines().collect();
        assert!(
            lines[0].starts_with("thief,games,caught,escaped,out_of_time,resigned,mean_payoff")
        );
        assert!(lines[2].starts_with("b,2,0.5,0.0,0.5,0.0,1.0,"), "{table}");
        assert!(lines[3].starts_with("c,1,0.0,0.0,0.0,1.0,1.0,"), "{table}");
    }

    #[test]
    fn names_of_replays_stay_in_their_folder() {
        let name = |level: &str, players: [&str; 2]| {
            let contest = contest_of(level, Vec::new());
            let game = game_of(7, players.map(str::to_owned).into(), Vec::new());
            replay_name(&contest, &game)
        };
        assert_eq!(name("cops/tiny", ["runner@40w", "pack"]), "cops-tiny-runner@40w-pack-7.ron");
        assert_eq!(name("in/My Level.ron", ["a", "b"]), "cops-My-Level-a-b-7.ron");
        assert_eq!(name("C:\\x\\..", ["a", "b"]), "cops-level-a-b-7.ron");
        let engines =
            ["engine:'/a/x y.z'", "engine:'/b/x y.z'"].map(|path| name("tiny", [path, "b"]));
        assert!(engines[0].starts_with("cops-tiny-x-y-"), "{engines:?}");
        assert_ne!(engines[0], engines[1]);
        let odd = ["/../../x", "\\..\\x", ".x", "x\0", &"x".repeat(400), &"x".repeat(401)];
        let odd = odd.map(|player| name("tiny", [player, "b"]));
        for (number, name) in odd.iter().enumerate() {
            assert!(name.starts_with("cops-tiny-x") && name.len() < 200, "{name}");
            assert!(!name.contains(['/', '\\', '\0']) && name.matches('.').count() == 1, "{name}");
            assert!(!odd[..number].contains(name), "{name}");
        }
    }
}
