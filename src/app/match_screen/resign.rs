//! Ends a match before its rules do: a person resigns, or offers a draw.
//!
//! Where two people play, the other one answers an offer on the same screen. A planner agrees if it cannot expect more
//! than half, by the outlook that the commentary has of the position; programs of other people are not asked.

use super::command_table::{FeatureCommand, MatchCommand, MatchEntry, able};
use super::feature::Feature;
use super::focus::Focused;
use super::layout::{AddSection, Region};
use super::session::Session;
use super::sets::MatchSet;
use crate::app::shell::activity::{Activity, POLL};
use crate::app::shell::commands::command;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use outwit_core::play::{Closing, Player, Seat};

/// Width of the dialog, in points.
const WIDTH: f32 = 320.0;
/// A planner agrees to a draw if its share is at most this. A little above half, since shares of even positions are
/// estimates.
const ENOUGH: f64 = 0.52;

static RESIGN: FeatureCommand = FeatureCommand {
    entry: &RESIGN_ENTRY,
    is_play: true,
    run: |commands| commands.run_system_cached(resign),
};

static RESIGN_ENTRY: MatchEntry =
    command(MatchCommand::Feature(&RESIGN), &[], "Resign, in matches of two")
        .label("Resign…")
        .tip("End the match as lost")
        .when(|session| able(resigning(session).is_some()));

static OFFER: FeatureCommand = FeatureCommand {
    entry: &OFFER_ENTRY,
    is_play: true,
    run: |commands| commands.run_system_cached(offer),
};

static OFFER_ENTRY: MatchEntry =
    command(MatchCommand::Feature(&OFFER), &[], "Offer a draw, in k in a row")
        .label("Offer a draw")
        .tip("End the match without a winner, if the other side agrees")
        .when(|session| {
            let other = resigning(session).and_then(|seat| session.player(other(seat)));
            let answers = matches!(other, Some(Player::Human | Player::Planner(_)));
            able(session.info.draws_by_agreement && answers)
        });

/// Lets people resign and agree to a draw.
pub(super) const FEATURE: Feature = Feature { plugin, commands: &[&RESIGN_ENTRY, &OFFER_ENTRY] };

/// What somebody is asked about the end of the match.
#[derive(Component, Default, Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    /// Nothing.
    #[default]
    None,
    /// Whether this seat wants to resign.
    Resign(Seat),
    /// Whether the other side agrees to the draw that this seat offers.
    Draw(Seat),
    /// Nothing more: the planner does not agree to the draw that this seat offered.
    Declined(Seat),
}

fn plugin(app: &mut App) {
    app.register_required_components::<Session, Question>();
    app.add_systems(Update, answer.in_set(MatchSet::Follow)).add_section(Region::Dialogs, show);
}

/// The other one of two seats.
fn other(seat: Seat) -> Seat {
    Seat(1 - seat.0.min(1))
}

/// The seat that can resign: a person's in a match of two that has begun and in which both go on. Of two people, the one
/// to move.
fn resigning(session: &Session) -> Option<Seat> {
    let turns = session.live.turns();
    let is_match = session.config.players.len() == 2 && !session.is_replay();
    let goes_on = is_match && !session.live.is_over() && session.is_at_present() && turns > 0;
    let all_play = || session.seats().all(|seat| !session.live.is_out(turns, seat));
    let is_exercise = session.lesson.is_some() || session.live.trial(&session.state).is_some();
    match session.humans.as_slice() {
        _ if !goes_on || is_exercise || !all_play() => None,
        [seat] => Some(*seat),
        _ => session.human_to_move(),
    }
}

fn resign(shown: Single<(&Session, &mut Question), With<Focused>>) {
    let (session, mut question) = shown.into_inner();
    *question = resigning(session).map_or(Question::None, Question::Resign);
}

fn offer(shown: Single<(&Session, &mut Question), With<Focused>>) {
    let (session, mut question) = shown.into_inner();
    *question = resigning(session).map_or(Question::None, Question::Draw);
}

/// Lets a planner that was offered a draw answer as soon as it is known what it can expect.
fn answer(mut matches: Query<(&mut Session, &mut Question)>, activity: Res<Activity>) {
    for (mut session, mut question) in &mut matches {
        let Question::Draw(seat) = *question else { continue };
        if session.is_person(other(seat)) {
            continue;
        }
        let turn = session.live.turns();
        let is_known =
            |session: &Session| session.live.commentary().and_then(|told| told.until) >= Some(turn);
        if !is_known(&session) && session.live.follow_commentary() {
            activity.wake_in(POLL);
            continue;
        }
        let outlook = session.live.commentary().and_then(|told| told.outlook(turn));
        let share = outlook.and_then(|(_, outlook)| outlook.shares.get(other(seat).index()));
        if share.is_some_and(|share| *share <= ENOUGH) {
            *question = Question::None;
            session.live.close(seat, Closing::Agreed);
        } else {
            *question = Question::Declined(seat);
        }
    }
}

/// Shows the question that is open.
fn show(InMut(root): InMut<Ui>, shown: Single<(&mut Session, &mut Question), With<Focused>>) {
    let (mut session, mut question) = shown.into_inner();
    if *question == Question::None || session.live.is_over() {
        question.set_if_neq(Question::None);
        return;
    }
    let frame = egui::Frame::window(&root.ctx().global_style()).inner_margin(20);
    let mut closing = None;
    let modal = egui::Modal::new("resign".into()).frame(frame).show(root.ctx(), |ui| {
        ui.set_width(WIDTH);
        let (heading, words, yes) = words(*question, &session)?;
        ui.heading(heading);
        widgets::hint(ui, words);
        ui.add_space(space::MEDIUM);
        ui.horizontal(|ui| {
            if let Some((yes, end)) = yes
                && widgets::primary_button(ui, yes).clicked()
            {
                closing = Some(end);
            }
            let no = egui::Button::new("Play on").min_size(egui::vec2(0.0, 36.0));
            ui.add(no).clicked().then_some(())
        })
        .inner
    });
    if let Some((seat, closing)) = closing {
        session.live.close(seat, closing);
    }
    if closing.is_some() || modal.inner.is_some() || modal.should_close() {
        *question = Question::None;
    }
}

/// The heading and the words of a question, and the button that ends the match with how it ends.
type Words = (&'static str, String, Option<(&'static str, (Seat, Closing))>);

fn words(question: Question, session: &Session) -> Option<Words> {
    let offer = "A draw?";
    Some(match question {
        Question::None => return None,
        Question::Resign(seat) => {
            let words = format!("{} wins then.", session.name(other(seat)));
            ("Resign?", words, Some(("Resign", (seat, Closing::Resigned))))
        }
        Question::Draw(seat) => {
            let asked = session.name(other(seat));
            match session.is_person(other(seat)) {
                true => {
                    let words = format!("{} offers {asked} a draw.", session.name(seat));
                    (offer, words, Some(("Agree", (seat, Closing::Agreed))))
                }
                false => (offer, format!("{asked} thinks about it."), None),
            }
        }
        Question::Declined(seat) => {
            (offer, format!("{} does not agree.", session.name(other(seat))), None)
        }
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::match_screen::matches::focused;
    use crate::app::match_screen::tests::tic_tac_toe as played;
    use crate::app::requests::MatchConfig;
    use outwit_racetrack::Racetrack;

    /// What becomes of a draw that the first seat offers to a planner.
    fn offered(session: Session) -> (Question, Option<String>) {
        let mut app = App::new();
        app.init_resource::<Activity>().add_systems(Update, answer);
        app.world_mut().spawn((session, Focused, Question::Draw(Seat(0))));
        while focused::<Question>(app.world()) == Some(&Question::Draw(Seat(0))) {
            app.update();
            std::thread::yield_now();
        }
        let session = focused::<Session>(app.world()).unwrap();
        let headline = session.live.headline(&session.state);
        (*focused::<Question>(app.world()).unwrap(), headline)
    }

    #[test]
    fn people_resign_in_matches_that_have_begun_and_go_on() {
        let people = ["human", "human"];
        assert_eq!(resigning(&played(&people, "")), None, "nothing was played");
        assert_eq!(resigning(&played(&people, "b2")), Some(Seat(1)), "who is to move");
        assert_eq!(resigning(&played(&["human", "best"], "b2")), Some(Seat(0)), "the person");
        assert_eq!(resigning(&played(&["best", "best"], "b2")), None, "nobody plays");
        assert_eq!(resigning(&played(&people, "b2 a3 b3 a1 b1")), None, "it is over");
        let alone = MatchConfig::on_level("racetrack/tiny", &["human"]);
        assert_eq!(resigning(&Session::new::<Racetrack>(alone, false).unwrap()), None, "alone");
        let mut back = played(&people, "b2 a3");
        back.jump(1);
        assert_eq!(resigning(&back), None, "another turn is shown");
    }

    #[test]
    fn who_resigns_is_told_to_have_lost() {
        let mut session = played(&["human", "best"], "b2 a3");
        session.live.close(Seat(0), Closing::Resigned);
        assert_eq!(session.live.headline(&session.state).as_deref(), Some("You resigned"));
        let places = session.live.outcome().unwrap().places;
        assert_eq!((places[0].rank, places[1].rank), (2, 1));
        // Whoever takes it back plays on.
        session.live.branch(2);
        assert!(!session.live.is_over());
    }

    #[test]
    fn a_planner_agrees_to_a_draw_unless_it_can_expect_more() {
        let even = played(&["human", "best"], "b2 a3");
        assert_eq!(offered(even), (Question::None, Some("Draw by agreement".into())));
        // An edge instead of a corner loses, for the second seat.
        let lost = played(&["human", "best"], "b2 a2");
        assert_eq!(offered(lost), (Question::None, Some("Draw by agreement".into())));
        let ahead = played(&["human", "best"], "a2 b2 b1 a1 b3 a3");
        assert_eq!(offered(ahead).1, None);
    }
}
