//! The matrix of all planners, as a test that is run by hand.
//!
//! `COPS_GAMES=60 COPS_BUDGET=20000w COPS_THIEVES=a,b COPS_COPS=c,d cargo test --no-default-features --lib cops::matrix -- --ignored --nocapture`

use super::rules::{COPS, Cops, THIEF};
use super::{planners, summary::summary};
use crate::levels::built_in;
use crate::play::{Budget, Lineup, Player, StopFlag, play_games};

fn setting(name: &str, usual: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| usual.into())
}

#[test]
#[ignore = "plays for minutes"]
fn matrix() {
    let bytes = built_in(&setting("COPS_LEVEL", "cops/default")).unwrap().bytes().unwrap();
    let level = crate::games::read_level::<Cops>(&bytes, "").unwrap();
    let all = |seat| planners::names(seat).collect::<Vec<_>>().join(",");
    let (thieves, cops) = (setting("COPS_THIEVES", &all(THIEF)), setting("COPS_COPS", &all(COPS)));
    let games: u64 = setting("COPS_GAMES", "40").parse().unwrap();
    let budget: Budget = setting("COPS_BUDGET", "20000w").parse().unwrap();
    println!("{:>10} {:>18}", "", cops.replace(',', "          "));
    for thief in thieves.split(',') {
        let lineups: Vec<Lineup> = cops
            .split(',')
            .flat_map(|cops| (1..=games).map(move |seed| (cops, seed)))
            .map(|(cops, seed)| Lineup {
                players: vec![Player::from(thief), Player::from(cops)],
                seed,
            })
            .collect();
        let records = play_games::<Cops>(
            &level,
            planners::ALL,
            &lineups,
            budget,
            &StopFlag::default(),
            |_| {},
        )
        .unwrap();
        let cells: Vec<String> = summary(&records)
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
