//! Who sits where, how the seats stand, and how much of their time planners use.

use crate::app::match_screen::canvas::Visuals;
use crate::app::match_screen::live_match::SeatReport;
use crate::app::match_screen::session::Session;
use crate::app::shell::controls::{budget_words, control_words};
use crate::app::shell::theme::{palette, text};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, RichText, Ui};
use outwit_core::platform::program::ProgramLog;
use outwit_core::play::{Seat, TimeControl};

/// Less room, in points, is none for the name of a seat beside that of who takes it.
const LEAST_TITLE: f32 = 30.0;

/// Who sits where, how each stands, and how much of its budget each planner uses.
pub fn seats(ui: &mut Ui, session: &Session, look: &Visuals) {
    let moving = session.live.to_move(session.playback.view);
    for seat in session.seats() {
        let whose = session.pieces_of(seat);
        let side = look.palette.side(whose);
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(egui::vec2(26.0, 24.0), egui::Sense::hover());
            let shape = session.info.shape(whose);
            if let Some(piece) = shape.and_then(|shape| look.pieces.get(shape)) {
                piece.paint(ui.painter(), rect.center(), 22.0, side, 1.0);
            }
            let title = RichText::new(session.name(seat));
            let active = moving.contains(&seat) && session.outcome().is_none();
            ui.label(if active { title.text_style(text::strong()) } else { title });
            let standing = session.live.standing(&session.state, seat);
            let title = &session.info.seats[seat.index()].title;
            // The commentary speaks of seats and not of players.
            let titled = (session.commented && *title != standing).then_some(title);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                widgets::hint(ui, standing);
                // A long name leaves less room for it, or none.
                if let Some(title) = titled
                    && ui.available_width() > LEAST_TITLE
                {
                    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                        let title = RichText::new(title).color(palette(ui).faint.egui());
                        ui.add(egui::Label::new(title).truncate());
                    });
                }
            });
        });
        if session.is_person(seat)
            && let SeatReport { control: TimeControl::Match { .. }, time_left: Some(left), .. } =
                session.live.seat(seat)
        {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                widgets::hint(ui, format!("{} left", widgets::clock_words(left)));
            });
        }
        if session.humans.contains(&seat) {
            for (help, turn) in &session.result.help {
                widgets::hint(ui, help.words(&session.moment(*turn)));
            }
        }
        // A replay does not tell who thought how long, and a lesson is about something else.
        if !session.is_person(seat) && !session.is_replay() && session.lesson.is_none() {
            thinking(ui, session, seat, look);
        }
    }
}

/// How much of its time a planner uses, and what went wrong with it.
fn thinking(ui: &mut Ui, session: &Session, seat: Seat, look: &Visuals) {
    const BAR: f32 = 6.0;
    const WORDS: f32 = 148.0;
    const GAP: f32 = 8.0;
    let SeatReport { control, used, is_preparing, time_left, log, .. } = session.live.seat(seat);
    let stats = session.live.stats(seat);
    let size = egui::vec2(ui.available_width(), 16.0);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    let mut bar = rect.shrink2(egui::vec2(0.0, (rect.height() - BAR) / 2.0));
    let last = stats.thought.last().map_or(0.0, |time| time.as_secs_f64() * 1000.0);
    let painter = ui.painter();
    let words = |words: String| {
        let font = egui::TextStyle::Small.resolve(ui.style());
        let faint = look.palette.faint.egui();
        painter.text(rect.right_center(), egui::Align2::RIGHT_CENTER, words, font, faint)
    };
    if let (TimeControl::Match { .. }, Some(left)) = (control, time_left) {
        words(format!("{} left", widgets::clock_words(left)));
    } else if let TimeControl::Turn(budget) = control {
        let budget = budget_words(budget);
        let written = match used.map(|used| used * 100.0) {
            Some(little) if little < 1.0 => words(format!("less than 1 % of {budget}")),
            Some(percent) => words(format!("{percent:.0} % of {budget}")),
            None => words(String::new()),
        };
        // As long whatever is written, unless that is very long.
        bar.max.x -= (written.width() + GAP).max(WORDS);
        if let Some(used) = used {
            painter.rect_filled(bar, BAR / 2.0, look.palette.raised.egui());
            let mut filled = bar;
            filled.set_width(bar.width() * used);
            painter.rect_filled(filled, BAR / 2.0, look.palette.mark.egui());
        }
    } else if control == TimeControl::Unlimited {
        let total: f64 = stats.thought.iter().map(|time| time.as_secs_f64()).sum();
        match stats.thought.len() {
            0 => {}
            _ if total < 1.0 => {
                words(format!("thought for {:.0} ms", total * 1000.0));
            }
            _ => {
                words(format!("thought for {total:.1} s"));
            }
        }
    }
    response.on_hover_text(format!(
        "It thought for {last:.1} ms when it last had to choose; limit: {}. \
         It prepared for {:.0} ms before the match.",
        control_words(control),
        stats.preparation.as_secs_f64() * 1000.0
    ));
    if is_preparing {
        ui.horizontal(|ui| {
            ui.spinner();
            widgets::hint(ui, "preparing for the match");
        });
    }
    if let Some(why) = &stats.panic {
        widgets::fault(ui, format!("It crashed ({why}); it passes from now on."));
    }
    if let Some(why) = &stats.fault {
        widgets::fault(ui, format!("Its program failed: {why}."));
    }
    if let Some(log) = log {
        program_log(ui, seat, &log);
    }
    if stats.overruns > 0 {
        let mut words = format!("too slow in {}", widgets::counted(stats.overruns, "turn"));
        if stats.starved > 0 {
            words += &format!("; the processor was busy in {}", stats.starved);
        }
        widgets::hint(ui, words);
    }
    if stats.illegal > 0 {
        widgets::hint(ui, format!("{} refused", widgets::counted(stats.illegal, "move")));
    }
}

/// What the program that plays a seat said, and what was said to it.
fn program_log(ui: &mut Ui, seat: Seat, log: &ProgramLog) {
    const HEIGHT: f32 = 180.0;
    egui::CollapsingHeader::new("Log").id_salt(("log", seat)).show(ui, |ui| {
        let lines = log.lines();
        let row = ui.text_style_height(&egui::TextStyle::Monospace);
        let area = egui::ScrollArea::both().max_height(HEIGHT).stick_to_bottom(true);
        area.id_salt(("log lines", seat)).auto_shrink([false, true]).show_rows(
            ui,
            row,
            lines.len(),
            |ui, rows| {
                for line in lines.get(rows).unwrap_or_default() {
                    let words = format!("{} {}", line.source.sign(), line.text);
                    let text = RichText::new(words).monospace().small();
                    let at = format!("after {:.2} s", line.at.as_secs_f32());
                    ui.add(egui::Label::new(text).extend()).on_hover_text(at);
                }
            },
        );
        widgets::hint(ui, "> sent, < answered, ! standard error, # note");
    });
}
