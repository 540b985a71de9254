//! What the match is doing, in a few words, and how it goes on.

use super::Session;
use crate::app::match_screen::command_table::MatchCommand;
use crate::app::match_screen::focus::MatchSlot;
use crate::app::match_screen::lesson::LessonStatus;
use crate::app::match_screen::review::verdict;
use crate::app::match_screen::state::Tab;
use crate::app::shell::seats::seat_title;
use outwit_core::levels::capitalised;
use outwit_core::play::Seat;

/// What the match waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatusKind {
    /// The person who looks at it.
    YourTurn,
    /// Somebody who lets it go on.
    Paused,
    /// An earlier turn is looked at.
    LookingBack,
    /// Nobody: it runs, or is over.
    Other,
}

/// What the match is doing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchStatus {
    /// What it waits for.
    pub kind: StatusKind,
    /// Its name, in a few words.
    pub words: String,
    /// How it goes on; may be empty.
    pub note: String,
}

impl MatchStatus {
    fn new(kind: StatusKind, words: impl Into<String>) -> Self {
        Self { kind, words: words.into(), note: String::new() }
    }

    fn noting(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }
}

/// What a key does, in a sentence.
fn by_key(command: MatchCommand, does: &str) -> String {
    format!("{} {does}.", command.first_key())
}

impl Session {
    /// Whose pieces and colour a seat has at the shown turn: after a swap, another seat's.
    pub fn pieces_of(&self, seat: Seat) -> Seat {
        self.live.pieces_of(&self.state, seat)
    }

    /// What people call the moment after so many turns, such as `tick 12`.
    pub fn moment(&self, turn: usize) -> String {
        format!("{} {}", self.board.moment, self.live.moment(turn))
    }

    /// The same with how many there are so far, such as `tick 12 of 40`.
    pub fn moment_of_all(&self, turn: usize) -> String {
        format!("{} of {}", self.moment(turn), self.live.moment(self.live.turns()))
    }

    /// Which match its review, analysis and pictures are of, where two are shown.
    pub fn letter(&self) -> Option<String> {
        self.config.beside.as_ref().map(|_| format!("match {}", MatchSlot(0).name()))
    }

    /// Why the result sets no record, if it does not.
    pub fn why_no_record(&self) -> Option<String> {
        self.result.why_not_counted(|turn| self.moment(turn))
    }

    /// What the match is doing.
    pub fn status(&self) -> MatchStatus {
        let view = self.playback.view;
        let present = self.is_at_present();
        let ended = present && self.live.is_over();
        match self.tab {
            Tab::Analysis => {
                let which = self.letter().map_or_else(String::new, |which| which + ", ");
                let words = format!("Analysis of {which}{}", self.moment(view));
                return MatchStatus::new(StatusKind::Other, words);
            }
            Tab::Review if self.playback.rests() => {
                let which = self.letter().map_or_else(String::new, |which| format!(" of {which}"));
                let words = format!("Review{which}, {}", self.moment_of_all(view));
                let made = self.review.move_of(view).filter(|made| made.is_mistake());
                let note = made.map_or_else(String::new, |made| capitalised(&made.words()) + ".");
                return MatchStatus::new(StatusKind::LookingBack, words).noting(note);
            }
            _ => {}
        }
        if let Some(lesson) = self.lesson.as_ref().filter(|_| self.is_step_over()) {
            let done = lesson.status == LessonStatus::Done;
            return MatchStatus::new(
                StatusKind::Other,
                if done { "Step done" } else { "Try again" },
            );
        }
        if ended {
            let words = if self.is_replay() { "End of the replay" } else { "Match over" };
            return MatchStatus::new(StatusKind::Other, words);
        }
        let resumes = || by_key(MatchCommand::Play, "resumes");
        let running = !self.playback.rests();
        if self.is_replay() {
            return match running {
                true => MatchStatus::new(StatusKind::Other, "Replay"),
                false => MatchStatus::new(StatusKind::Paused, "Replay, paused").noting(resumes()),
            };
        }
        let person = self.human_to_move();
        let plays_on = self.takes_back_freely() && person.is_some();
        if !(present || running || plays_on || self.playback.is_paused()) {
            return self.looking_back(person.is_some());
        }
        if let Some(seat) = person {
            let mut words = match self.humans.len() {
                1 => "Your turn".to_owned(),
                _ => format!("{}: your turn", self.name(seat)),
            };
            if !present {
                words += &format!(", back at {}", self.moment_of_all(view));
            }
            return MatchStatus::new(StatusKind::YourTurn, words);
        }
        if self.is_out() {
            return self.waiting_for_others();
        }
        if !running {
            return MatchStatus::new(StatusKind::Paused, "Paused").noting(resumes());
        }
        MatchStatus::new(StatusKind::Other, self.who_thinks())
    }

    /// What most people do next after a match, and the words on its button.
    pub fn what_next(&self) -> Option<(MatchCommand, String)> {
        if let Some(series) = self.series.series.as_ref().filter(|series| series.is_played) {
            self.outcome()?;
            return match (&series.verdict, series.next.is_empty()) {
                (Some(_), _) => Some((MatchCommand::Leave, "Back to the set-up".to_owned())),
                (None, false) => Some((MatchCommand::NextMatch, "Next race".to_owned())),
                (None, true) => None,
            };
        }
        let apart = self.is_replay() || self.is_in_series() || self.lesson.is_some();
        if apart || self.goes_on_beside || self.outcome().is_none() {
            return None;
        }
        let solved = || self.humans.iter().any(|&seat| !self.live.results(seat).is_empty());
        let (command, words) = if self.humans.is_empty() {
            (MatchCommand::NextMatch, "Again, new seed".to_owned())
        } else if let Some((_, rival)) = &self.result.next_rival {
            (MatchCommand::NextRival, format!("Next rival: {}", seat_title(rival.name())))
        } else if self.config.daily.is_some() && verdict(self).is_some_and(|(_, optimal)| optimal) {
            (MatchCommand::Leave, "Levels of the day".to_owned())
        } else if self.is_play_test() || self.config.daily.is_some() {
            (MatchCommand::Restart, "Try again".to_owned())
        } else if self.board.solver.is_none() {
            (MatchCommand::NextMatch, "Play again".to_owned())
        } else if solved() && self.result.level_follows {
            (MatchCommand::OtherLevel(1), "Next level".to_owned())
        } else if solved() {
            (MatchCommand::Leave, "Choose a level".to_owned())
        } else {
            (MatchCommand::Restart, "Try again".to_owned())
        };
        Some((command, words))
    }

    fn looking_back(&self, may_choose: bool) -> MatchStatus {
        let words = format!("Looking back at {}", self.moment_of_all(self.playback.view));
        let end = if self.live.is_over() { "shows the end" } else { "returns to the present" };
        let mut note = by_key(MatchCommand::Last, end);
        if may_choose {
            note += " A move here begins a variation.";
        }
        MatchStatus::new(StatusKind::LookingBack, words).noting(note)
    }

    /// Nobody at the window has anything more to choose.
    fn waiting_for_others(&self) -> MatchStatus {
        if self.playback.skips() {
            let stops = by_key(MatchCommand::Play, "stops");
            return MatchStatus::new(StatusKind::Other, "Skipping to the result").noting(stops);
        }
        let mut note = String::new();
        let (kind, words) = match self.playback.rests() {
            true => {
                note = by_key(MatchCommand::Play, "resumes") + " ";
                (StatusKind::Paused, "Paused")
            }
            false => (StatusKind::Other, "The others go on"),
        };
        if MatchCommand::Undo.allowed(self).is_ok() {
            note += &by_key(MatchCommand::Undo, "takes back your last move");
            note += " ";
        }
        note += &by_key(MatchCommand::Skip, "skips to the result");
        MatchStatus::new(kind, words).noting(note)
    }

    fn who_thinks(&self) -> String {
        let mut thinking = self.live.to_move(self.live.turns());
        thinking.retain(|seat| !self.humans.contains(seat));
        match thinking.as_slice() {
            [] => "Playing".into(),
            [one] => format!("{} is thinking", self.name(*one)),
            more => {
                let names: Vec<_> = more.iter().map(|seat| self.name(*seat)).collect();
                format!("{} are thinking", names.join(" and "))
            }
        }
    }
}
