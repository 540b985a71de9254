//! The panel beside the board while a match is played: who sits where, what the game has to say,
//! overlays, and what can be asked for.

use super::commands::MatchCommand;
use super::session::Tab;
use super::{GameView, Layer, Session, Visuals};
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use crate::play::{Player, Seat};
use bevy_egui::egui::{self, RichText, Stroke, Ui};
use egui_phosphor::regular as icon;

/// Shows the panel.
pub fn show<G: GameView>(
    ui: &mut Ui,
    session: &mut Session<G>,
    look: &Visuals,
    commands: &mut Vec<MatchCommand>,
) {
    head(ui, session, commands);
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        if session.outcome().is_some() {
            result(ui, session, commands);
        }
        seats(ui, session, look);
        ui.add_space(space::MEDIUM);
        asks(ui, session, commands);
        if let Some((turn, _, words)) = &session.hint
            && *turn == session.view
        {
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(icon::LIGHTBULB).color(look.palette.warn.egui()));
                ui.label(words);
            });
        }
        ui.add_space(space::MEDIUM);
        G::panel(ui, session);
        ui.add_space(space::MEDIUM);
        overlays(ui, session);
        insight(ui, session);
    });
}

/// The level's name and the way out.
pub fn head<G: GameView>(ui: &mut Ui, session: &Session<G>, commands: &mut Vec<MatchCommand>) {
    ui.horizontal(|ui| {
        let back = ui
            .button(RichText::new(icon::ARROW_LEFT).size(17.0))
            .on_hover_ui(|ui| widgets::hint_with_key(ui, "Back", "Esc"));
        if back.clicked() {
            commands.push(MatchCommand::Leave);
        }
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.add(
                egui::Label::new(RichText::new(&session.level_name).text_style(text::section()))
                    .truncate(),
            );
            ui.spacing_mut().interact_size.y = 0.0;
            ui.horizontal(|ui| {
                if session.is_replay() {
                    let accent = palette(ui).accent.egui();
                    ui.label(RichText::new("Replay").text_style(text::strong()).color(accent));
                }
                widgets::hint(ui, format!("{}, seed {}", G::NAME, session.config.seed));
            });
        });
    });
    ui.add_space(space::SMALL);
    ui.separator();
}

fn result<G: GameView>(ui: &mut Ui, session: &mut Session<G>, commands: &mut Vec<MatchCommand>) {
    let Some(outcome) = session.outcome() else { return };
    ui.label(RichText::new(headline(session, &outcome.headline)).text_style(text::section()));
    ui.horizontal_wrapped(|ui| {
        if G::has_review() && widgets::primary_button(ui, "Review").clicked() {
            session.begin_review();
            session.tab = Tab::Review;
        }
        if ui.button("Again").on_hover_text("The same seed once more").clicked() {
            commands.push(MatchCommand::Restart);
        }
    });
    ui.separator();
}

/// The outcome's sentence with people's names for the seats.
pub fn headline<G: GameView>(session: &Session<G>, words: &str) -> String {
    let mut words = words.to_owned();
    for seat in (0..session.config.players.len() as u8).map(Seat) {
        words = words.replace(&G::seat_name(seat), &name(session, seat));
    }
    crate::levels::capitalised(&words)
}

/// What to call a seat.
pub fn name<G: GameView>(session: &Session<G>, seat: Seat) -> String {
    let player = &session.config.players[seat.index()];
    let twins = session.config.players.iter().filter(|other| *other == player).count() > 1;
    match player {
        Player::Human if !twins && session.is_replay() => "Player".into(),
        Player::Human if !twins => "You".into(),
        Player::Human => format!("Player {}", seat.0 + 1),
        Player::Planner(name) if !twins => name.clone(),
        Player::Planner(name) => format!("{name} {}", seat.0 + 1),
    }
}

fn seats<G: GameView>(ui: &mut Ui, session: &Session<G>, look: &Visuals) {
    let moving = session.game().to_move(session.state());
    for seat in (0..session.config.players.len() as u8).map(Seat) {
        let side = look.palette.sides[seat.index() % look.palette.sides.len()];
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(egui::vec2(26.0, 24.0), egui::Sense::hover());
            if let Some(piece) = look.pieces.get(G::piece(seat)) {
                piece.body_shape.paint(ui.painter(), rect.center(), 22.0, 0.0, side.egui());
                if let Some(mark) = &piece.mark_shape {
                    mark.paint(ui.painter(), rect.center(), 22.0, 0.0, look.palette.panel.egui());
                }
            }
            let title = RichText::new(name(session, seat));
            let active = moving.contains(&seat) && session.outcome().is_none();
            ui.label(if active { title.text_style(text::strong()) } else { title });
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let words = G::standing(session.game(), session.state(), seat);
                widgets::hint(ui, words);
            });
        });
        // A replay does not tell who thought how long.
        if !session.is_person(seat) && !session.is_replay() {
            thinking(ui, session, seat, look);
        }
    }
}

/// How much of its time a planner uses, and what went wrong with it.
fn thinking<G: GameView>(ui: &mut Ui, session: &Session<G>, seat: Seat, look: &Visuals) {
    const BAR: f32 = 6.0;
    const WORDS: f32 = 124.0;
    let stats = session.referee.stats(seat);
    let used = session.referee.used(seat);
    let size = egui::vec2(ui.available_width(), 16.0);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    let mut bar = rect.shrink2(egui::vec2(0.0, (rect.height() - BAR) / 2.0));
    bar.max.x -= WORDS;
    let painter = ui.painter();
    painter.rect_filled(bar, BAR / 2.0, look.palette.raised.egui());
    let mut filled = bar;
    filled.set_width(bar.width() * used.unwrap_or(0.0));
    painter.rect_filled(filled, BAR / 2.0, look.palette.mark.egui());
    let budget = session.referee.budget();
    if let Some(used) = used {
        painter.text(
            rect.right_center(),
            egui::Align2::RIGHT_CENTER,
            match used * 100.0 {
                little if little < 1.0 => format!("below 1 % of {budget}"),
                percent => format!("{percent:.0} % of {budget}"),
            },
            egui::TextStyle::Small.resolve(ui.style()),
            look.palette.faint.egui(),
        );
    }
    let last = stats.thought.last().map_or(0.0, |time| time.as_secs_f64() * 1000.0);
    response.on_hover_text(format!(
        "How much of its budget it used when it last had to choose: {last:.1} ms, budget {budget}. \
         It prepared for {:.0} ms before the match.",
        stats.preparation.as_secs_f64() * 1000.0
    ));
    if session.referee.is_preparing(seat) {
        ui.horizontal(|ui| {
            ui.spinner();
            widgets::hint(ui, "prepares for the match");
        });
    }
    if let Some(why) = &stats.panic {
        widgets::fault(ui, format!("It gave up ({why}) and only makes empty moves now."));
    }
    if stats.overruns > 0 {
        widgets::hint(ui, format!("too slow in {}", widgets::counted(stats.overruns, "turn")));
    }
    if stats.illegal > 0 {
        widgets::hint(ui, format!("{} refused", widgets::counted(stats.illegal, "move")));
    }
}

fn asks<G: GameView>(ui: &mut Ui, session: &Session<G>, commands: &mut Vec<MatchCommand>) {
    let person = !session.humans.is_empty();
    ui.horizontal_wrapped(|ui| {
        let mut ask =
            |ui: &mut Ui, on: bool, words: &str, help: &str, key: &str, command: MatchCommand| {
                let response = ui
                    .add_enabled(on, egui::Button::new(words))
                    .on_hover_ui(|ui| widgets::hint_with_key(ui, help, key));
                if response.clicked() {
                    commands.push(command);
                }
            };
        if !session.is_replay() {
            let to_move = session.human_to_move().is_some();
            ask(ui, to_move, "Hint", "Show a best move", "H", MatchCommand::Hint);
            let undo = person && session.view > 0;
            ask(ui, undo, "Undo", "Take back your last move", "U", MatchCommand::Undo);
        }
        ask(ui, true, "Restart", "Begin again", "R", MatchCommand::Restart);
        ask(ui, true, "Save", "Save the match as a replay", "F5", MatchCommand::Save);
    });
}

fn overlays<G: GameView>(ui: &mut Ui, session: &mut Session<G>) {
    widgets::section(ui, "Show");
    for (index, overlay) in G::overlays().iter().enumerate() {
        let (can, mut on) = (session.can_show(index), session.shows(index));
        let response = ui
            .add_enabled(can, egui::Checkbox::new(&mut on, overlay.name))
            .on_disabled_hover_text("A replay does not tell what planners thought.")
            .on_hover_ui(|ui| {
                ui.set_max_width(260.0);
                ui.label(overlay.help);
                ui.horizontal(|ui| {
                    widgets::key_cap(ui, &(index + 1).to_string());
                    if overlay.layer == Layer::Ghost {
                        widgets::key_cap(ui, "G");
                    }
                });
            });
        if response.changed() {
            session.switch(index);
        }
    }
}

/// Counters, notes and series of the planners' own pictures.
fn insight<G: GameView>(ui: &mut Ui, session: &Session<G>) {
    for seat in (0..session.config.players.len() as u8).map(Seat) {
        if G::is_hidden(session, seat) {
            continue;
        }
        let insight = session.referee.insight(seat);
        if insight.counters.is_empty() && insight.notes.is_empty() {
            continue;
        }
        ui.add_space(space::MEDIUM);
        widgets::section(ui, &format!("What {} thinks", name(session, seat)));
        for note in &insight.notes {
            widgets::fault(ui, note.clone());
        }
        egui::Grid::new(("counters", seat.0)).num_columns(2).show(ui, |ui| {
            for (name, value) in &insight.counters {
                widgets::hint(ui, *name);
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.label(figure(*value));
                });
                ui.end_row();
            }
        });
        if !insight.series.is_empty() {
            plot(ui, ("insight", seat.0), &insight.series, 110.0, None);
        }
    }
}

/// A figure with as many decimals as it deserves.
pub fn figure(value: f64) -> String {
    if value.is_nan() {
        "-".into()
    } else if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}

/// A plot of series with their names below it.
pub fn plot(
    ui: &mut Ui,
    id: impl egui::AsId,
    series: &[crate::play::Series],
    height: f32,
    cursor: Option<f64>,
) {
    let palette = crate::app::shell::theme::palette(ui);
    let colours = [palette.accent, palette.goal, palette.good, palette.warn];
    egui_plot::Plot::new(id)
        .height(height)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show_background(false)
        .custom_x_axes(vec![
            egui_plot::AxisHints::new_x().label_spacing(egui::Rangef::new(24.0, 32.0)),
        ])
        .custom_y_axes(vec![
            egui_plot::AxisHints::new_y().label_spacing(egui::Rangef::new(10.0, 14.0)),
        ])
        .show(ui, |plot| {
            if let Some(x) = cursor {
                plot.vline(
                    egui_plot::VLine::new("turn", x)
                        .stroke(Stroke::new(1.0, palette.faint.egui()))
                        .allow_hover(false),
                );
            }
            for (series, colour) in series.iter().zip(colours) {
                plot.line(
                    egui_plot::Line::new(series.name.clone(), series.points.clone())
                        .stroke(Stroke::new(1.5, colour.egui())),
                );
            }
        });
    ui.horizontal_wrapped(|ui| {
        for (series, colour) in series.iter().zip(colours) {
            let (rect, _) = ui.allocate_exact_size(egui::vec2(14.0, 14.0), egui::Sense::hover());
            let stroke = Stroke::new(2.0, colour.egui());
            ui.painter().hline(rect.x_range(), rect.center().y, stroke);
            widgets::hint(ui, &series.name);
        }
    });
}
