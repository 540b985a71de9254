//! A match on a level of the day.

use super::*;
use crate::app::match_screen::command_table::MatchCommand;
use crate::app::match_screen::daily::keep;
use crate::app::shell::daily::DailyResults;

/// A day since 1970: 2026-11-24.
const DAY: u64 = 20_781;

fn daily_app() -> App {
    let config = MatchConfig { daily: Some(DAY), ..config(&["human"]) };
    let mut app = app_of(config);
    app.init_resource::<DailyResults>().add_systems(Update, keep.after(note_distance));
    app
}

fn best(app: &App) -> Option<String> {
    let results = app.world().resource::<DailyResults>();
    results.best("racetrack", DAY).map(|best| best.words())
}

#[test]
fn the_result_of_the_day_is_kept_with_its_optimum() {
    let mut app = daily_app();
    drive(&mut app);
    assert_eq!(best(&app), None, "the end was not shown yet");
    run_until(&mut app, |session| session.outcome().is_some());
    run_until(&mut app, |session| session.review.moves().is_some());
    app.update();
    let line = session(&mut app).daily_line().unwrap();
    let words = best(&app).unwrap();
    assert!(words.contains("turns (optimum "), "{words}");
    assert_eq!(line, format!("Outwit 2026-11-24, Racetrack: {words}"));
    let (reached, optimum) = words.split_once(" turns (optimum ").unwrap();
    assert_eq!(reached, optimum.trim_end_matches(')'), "it was driven as well as can be");
    let (command, _) = session(&mut app).what_next().unwrap();
    assert_eq!(command, MatchCommand::Leave, "nothing is left to better");
}

#[test]
fn a_result_with_help_is_no_result_of_the_day() {
    let mut app = daily_app();
    session(&mut app).note_hint();
    drive(&mut app);
    run_until(&mut app, |session| session.review.moves().is_some());
    app.update();
    assert_eq!((best(&app), session(&mut app).daily_line()), (None, None));
}
