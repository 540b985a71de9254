//! A match of a series in which a person plays.

use super::*;
use crate::app::match_screen::command_table::MatchCommand;
use crate::app::requests::{Modal, Series};

fn series(config: &MatchConfig) -> Series {
    Series {
        title: "Championship",
        about: "race 1 of 4".into(),
        config: config.clone(),
        columns: &[],
        lines: Vec::new(),
        note: String::new(),
        next: String::new(),
        is_played: true,
        can_skip: false,
        verdict: None,
    }
}

#[test]
fn nothing_is_taken_back_and_the_next_race_waits() {
    let config = config(&["human", "novice"]);
    let mut app = app_of(config.clone());
    session(&mut app).series.series = Some(series(&config));
    run_until(&mut app, |session| session.human_to_move().is_some());
    {
        let mut session = session(&mut app);
        let action = any_choice(&session);
        assert_eq!(choose(&mut session, action), ChoiceResult::Played);
        for command in [MatchCommand::Undo, MatchCommand::Hint, MatchCommand::Restart] {
            assert_eq!(command.allowed(&session), Err("Not in a championship"), "{command:?}");
        }
        assert!(MatchCommand::Play.allowed(&session).is_ok());
    }
    drive(&mut app);
    run_until(&mut app, |session| session.outcome().is_some());
    let mut session = session(&mut app);
    assert_eq!(session.tab, Tab::Match, "the table stands there");
    assert_eq!(session.what_next(), None, "the result is not entered yet");
    let enter = |session: &mut Session, next: &str, verdict: Option<&str>| {
        let shown = session.series.series.as_mut().unwrap();
        (shown.next, shown.verdict) = (next.into(), verdict.map(str::to_owned));
        session.what_next().map(|(command, _)| command)
    };
    let next = enter(&mut session, "Race 2 of 4: Islands", None);
    assert_eq!(next, Some(MatchCommand::NextMatch));
    assert_eq!(session.time_to_next(Modal::None), None, "whoever has raced may rest");
    assert!(session.may_go_on());
    assert_eq!(enter(&mut session, "", Some("You win.")), Some(MatchCommand::Leave));
}
