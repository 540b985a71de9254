//! The matrix of all planners, as a test that is run by hand.
//!
//! `COPS_GAMES=60 COPS_BUDGET=20000w COPS_THIEVES=a,b COPS_COPS=c,d cargo test --locked -p outwit-cops --lib matrix -- --ignored --nocapture`

use super::planners;
use super::rules::{COPS, Cops, THIEF};
use outwit_core::play::{Budget, StopFlag};
use outwit_core::tournament::{ContestLevel, Entrants, Scoreboard};
use outwit_kit::tournament::contest;
use outwit_kit::{DynGame, Erased};
use outwit_levels::built_in;

fn setting(name: &str, usual: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| usual.into())
}

#[test]
#[ignore = "plays for minutes"]
fn matrix() {
    let bytes = built_in(&setting("COPS_LEVEL", "cops/default")).unwrap().bytes().unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let all = |seat| planners::names(seat).collect::<Vec<_>>().join(",");
    let (thieves, cops) = (setting("COPS_THIEVES", &all(THIEF)), setting("COPS_COPS", &all(COPS)));
    let games: u32 = setting("COPS_GAMES", "40").parse().unwrap();
    let budget: Budget = setting("COPS_BUDGET", "20000w").parse().unwrap();
    let kind: &dyn DynGame = &Erased::<Cops>::NEW;
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
                let f = |key: &str| row[key].as_f64().unwrap_or(-1.0);
                format!(
                    "{:>5.1}±{:<4.1} c{:.2} e{:.2} {:.0}ms",
                    f("mean_payoff"),
                    f("ci95"),
                    f("caught"),
                    f("escaped"),
                    f("plan_ms_p99")
                )
            })
            .collect();
        println!("{thief:>10} {}", cells.join(" | "));
    }
}
