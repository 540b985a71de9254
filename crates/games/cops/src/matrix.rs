//! The matrix of all planners, as a test that is run by hand.
//!
//! `COPS_GAMES=60 COPS_BUDGET=20000w COPS_THIEVES=a,b COPS_COPS=c,d cargo test --locked -p outwit-cops --lib matrix -- --ignored --nocapture`

use super::planners;
use super::rules::{COPS, Cops, THIEF};
use outwit_core::play::{Budget, Seat, StopFlag};
use outwit_core::tournament::{ContestLevel, Entrants, Scoreboard};
use outwit_kit::tournament::contest;
use outwit_kit::{DynGame, Erased};
use outwit_levels::built_in;

fn setting(name: &str, usual: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| usual.into())
}

fn all_names(seat: Seat) -> String {
    planners::names(seat).collect::<Vec<_>>().join(",")
}

#[test]
#[ignore = "plays for minutes"]
fn matrix() {
    let bytes = built_in(&setting("COPS_LEVEL", "cops/default")).unwrap().bytes().unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let thieves = setting("COPS_THIEVES", &all_names(THIEF));
    let cops = setting("COPS_COPS", &all_names(COPS));
    let games: u32 = setting("COPS_GAMES", "40").parse().unwrap();
    let budget: Budget = setting("COPS_BUDGET", "20000w").parse().unwrap();
    let kind: &dyn DynGame = Erased::<Cops>::GAME;
    let level = ContestLevel::new(String::new(), text);
    println!("{:>10} {:>18}", "", cops.replace(',', "          "));
    for thief in thieves.split(',') {
        let named = [Entrants::new("thief", [thief]), Entrants::new("cops", cops.split(','))];
        let contest = contest(kind, level.clone(), &named, (1, games), budget).unwrap();
        let played =
            kind.run_contest(&contest, Vec::new(), &StopFlag::default(), &|_| Ok(())).unwrap();
        let rows = kind.summary(&Scoreboard::new(contest, played)).unwrap();
        let cells: Vec<String> = rows
            .iter()
            .map(|row| {
                let [payoff, ci95, caught, escaped, ms] =
                    ["mean_payoff", "ci95", "caught", "escaped", "plan_ms_p99"]
                        .map(|key| row[key].as_f64().unwrap_or(-1.0));
                format!("{payoff:>5.1}±{ci95:<4.1} c{caught:.2} e{escaped:.2} {ms:.0}ms")
            })
            .collect();
        println!("{thief:>10} {}", cells.join(" | "));
    }
}
