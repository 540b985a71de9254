//! The dialog that chooses the planners of a match beside the one on the screen.

use crate::app::match_screen::session::Session;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::rivals::fitting;
use crate::app::shell::seats::{seat_badge, seat_title};
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::Resource;
use bevy_egui::egui;
use outwit_core::play::Player;
use outwit_headless::find;
use outwit_kit::DynGame;

/// Width of the dialog, in points.
const WIDTH: f32 = 360.0;

/// The dialog; closed as long as there is nothing in it.
#[derive(Resource, Default)]
pub struct LineUpDialog(Option<LineUp>);

/// What is chosen in it.
struct LineUp {
    kind: &'static dyn DynGame,
    players: Vec<Player>,
    /// Whether a match is shown beside the other one already.
    is_shown: bool,
}

/// The planners to begin with for a match beside one of these players: the same but for the last seat that another
/// planner can take.
pub(super) fn first_choice(kind: &dyn DynGame, players: &[Player]) -> Vec<Player> {
    let planners = kind.planners();
    let others = |seat: usize, player: &Player| {
        let name = player.name();
        fitting(kind, &planners, seat).filter(|planner| planner.name != name).last()
    };
    let mut chosen: Vec<Player> = players.to_vec();
    let mut changed = false;
    for (seat, player) in chosen.iter_mut().enumerate().rev() {
        let fits = fitting(kind, &planners, seat).any(|planner| planner.name == player.name());
        if (!fits || !changed)
            && let Some(other) = others(seat, player)
        {
            *player = other.name.into();
            changed = true;
        }
    }
    chosen
}

impl LineUpDialog {
    /// Opens it for a match of planners.
    pub fn open(&mut self, session: &Session) {
        let Ok(kind) = find(session.config.game) else { return };
        let known = session.config.beside.clone();
        let is_shown = known.is_some();
        let players = known.unwrap_or_else(|| first_choice(kind, &session.config.players));
        self.0 = Some(LineUp { kind, players, is_shown });
    }

    /// Shows it if it is open. Returns the players that were chosen, or none if nothing is to be shown beside the
    /// match any more, once that is decided.
    pub fn show(&mut self, ctx: &egui::Context, pieces: &Pieces) -> Option<Option<Vec<Player>>> {
        let chosen = self.0.as_mut()?;
        let frame = egui::Frame::window(&ctx.global_style()).inner_margin(20);
        let mut decided = None;
        let mut close = false;
        let modal = egui::Modal::new("line-up".into()).frame(frame).show(ctx, |ui| {
            ui.set_width(WIDTH);
            ui.heading("A second match");
            widgets::hint(
                ui,
                "Other planners on the same level with the same seed. Both matches begin at their start and \
                 are shown turn by turn.",
            );
            ui.add_space(space::MEDIUM);
            let planners = chosen.kind.planners();
            for (seat, player) in chosen.players.iter_mut().enumerate() {
                let spec = chosen.kind.seat(seat);
                ui.horizontal(|ui| {
                    seat_badge(ui, Some(pieces), spec.piece, seat);
                    ui.scope(|ui| {
                        ui.set_width(64.0);
                        ui.add(egui::Label::new(seat_title(&spec.id)).truncate());
                    });
                    egui::ComboBox::from_id_salt(("beside", seat))
                        .selected_text(seat_title(player.name()))
                        .width(ui.available_width() - space::MEDIUM)
                        .height(400.0)
                        .show_ui(ui, |ui| {
                            for planner in fitting(chosen.kind, &planners, seat) {
                                let choice = Player::Planner(planner.name.into());
                                let words = seat_title(planner.name);
                                ui.selectable_value(player, choice, words)
                                    .on_hover_text(planner.about);
                            }
                        });
                });
            }
            ui.add_space(space::MEDIUM);
            ui.horizontal(|ui| {
                if widgets::primary_button(ui, "Show").clicked() {
                    decided = Some(Some(chosen.players.clone()));
                }
                let large = egui::vec2(0.0, 36.0);
                let plain = |ui: &mut egui::Ui, words: &str| {
                    ui.add(egui::Button::new(words).min_size(large)).clicked()
                };
                if chosen.is_shown && plain(ui, "One match only") {
                    decided = Some(None);
                }
                close = plain(ui, "Cancel");
            });
        });
        if close || decided.is_some() || modal.should_close() {
            self.0 = None;
        }
        decided
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::match_screen::tests::config;
    use crate::app::shell::settings::Motion;
    use crate::app::shell::{fonts, theme};
    use crate::boards::BOARDS;
    use outwit_headless::GAMES;
    use outwit_ui_test::Harness;
    use outwit_ui_test::kittest::Queryable;

    #[test]
    fn the_line_up_that_is_chosen_is_returned_once() {
        let kind = find("cops").unwrap();
        let board = BOARDS.iter().find(|board| board.id == "cops").unwrap();
        for beside in [None, Some(vec!["runner".into(), "pack".into()])] {
            let config = crate::app::requests::MatchConfig { beside, ..config(kind) };
            let wanted = config.beside.clone();
            let session = (board.begin)(config, false).unwrap();
            let expected = wanted.clone().unwrap_or(first_choice(kind, &session.config.players));
            let mut dialog = LineUpDialog::default();
            dialog.open(&session);
            let pieces = Pieces::default();
            let mut dressed = false;
            let mut window = Harness::builder().with_size(egui::vec2(640.0, 480.0)).build_ui_state(
                move |ui, decided: &mut Vec<Option<Vec<Player>>>| {
                    if !std::mem::replace(&mut dressed, true) {
                        ui.ctx().set_fonts(fonts::definitions(None));
                        ui.ctx().set_global_style(theme::style(&theme::DARK, Motion::Off));
                        return;
                    }
                    decided.extend(dialog.show(ui.ctx(), &pieces));
                },
                Vec::new(),
            );
            window.run_steps(3);
            // There is something to take away only while something is shown.
            let away = window.query_by_label("One match only").is_some();
            assert_eq!(away, wanted.is_some());
            window.get_by_label("Show").click();
            window.run_steps(4);
            assert_eq!(*window.state(), [Some(expected)]);
            assert!(window.query_by_label("Show").is_none(), "it is closed");
        }
    }

    #[test]
    fn the_first_choice_differs_in_one_seat_and_can_play() {
        for &game in GAMES {
            let players = game.players_to_watch();
            let chosen = first_choice(game, &players);
            let changed = players.iter().zip(&chosen).filter(|(one, other)| one != other).count();
            assert_eq!(changed, 1, "{}", game.id());
            let planners = game.planners();
            for (seat, player) in chosen.iter().enumerate() {
                assert!(fitting(game, &planners, seat).any(|known| known.name == player.name()));
            }
            // Whoever has no planner's name is replaced by a planner.
            let people = vec![Player::Human; players.len()];
            assert!(!first_choice(game, &people).contains(&Player::Human));
        }
    }
}
