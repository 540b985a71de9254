//! Decides whether keys belong to a control or to the board, and what they do in lists.
//!
//! egui does not consume input: systems that read keys for the board look at [`BoardInput`] first. The
//! match screen sets [`BoardArea`] whenever it has laid out its panels.

use crate::app::requests::Modal;
use bevy::prelude::*;
use bevy_egui::{EguiContext, EguiPostUpdateSet, PrimaryEguiContext, egui};

/// The area of the board between the panels, in egui points; `None` while there is no board.
#[derive(Resource, Clone, Copy, PartialEq, Debug, Default)]
pub struct BoardArea(pub Option<egui::Rect>);

/// The input that belongs to the board.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoardInput {
    /// Whether keys do: no control has the focus, and no window is open.
    pub keys: bool,
}

/// Finds out who hears keys.
pub fn update_board_input(
    mut context: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    modal: Res<Modal>,
    mut board: ResMut<BoardInput>,
) {
    let Ok(mut context) = context.single_mut() else { return };
    let ctx = context.get_mut();
    let dialog = ctx.memory(|memory| memory.top_modal_layer().is_some());
    let free = *modal == Modal::None && !dialog && !egui::Popup::is_any_open(ctx);
    board.set_if_neq(BoardInput { keys: free && !ctx.egui_wants_keyboard_input() });
}

/// What is known of open lists and menus, and of the focus before.
#[derive(Default)]
struct Lists {
    is_open: bool,
    /// What had the focus when the list was opened.
    opener: Option<egui::Id>,
    /// What had the focus at the end of the last frame.
    focused: Option<egui::Id>,
}

impl Lists {
    /// Closes a list from which Enter or the space bar has chosen; egui does so only after clicks. The focus
    /// goes back from the entries of a closed list to what had it before.
    fn follow(&mut self, ctx: &egui::Context) {
        let chosen = ctx
            .input(|input| [egui::Key::Enter, egui::Key::Space].map(|key| input.key_pressed(key)));
        if self.is_open && chosen.contains(&true) && !ctx.text_edit_focused() {
            egui::Popup::close_all(ctx);
        }
        let was_open = std::mem::replace(&mut self.is_open, egui::Popup::is_any_open(ctx));
        let focused = ctx.memory(|memory| memory.focused());
        let is_lost = focused.is_none() || focused == self.focused;
        if was_open
            && !self.is_open
            && is_lost
            && let Some(opener) = self.opener
        {
            ctx.memory_mut(|memory| memory.request_focus(opener));
        }
        self.focused = ctx.memory(|memory| memory.focused());
        if !self.is_open {
            self.opener = self.focused;
        }
    }
}

fn follow_lists(
    mut context: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    mut lists: Local<Lists>,
) {
    if let Ok(mut context) = context.single_mut() {
        lists.follow(context.get_mut());
    }
}

/// Keeps [`BoardInput`] up to date.
pub fn plugin(app: &mut App) {
    app.init_resource::<BoardArea>().init_resource::<BoardInput>().add_systems(
        PostUpdate,
        (follow_lists, update_board_input).chain().after(EguiPostUpdateSet::EndPass),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_ui_test::Harness;
    use outwit_ui_test::kittest::Queryable;

    #[test]
    fn after_choosing_from_a_list_the_focus_is_where_it_was() {
        let show = |ui: &mut egui::Ui, (chosen, lists): &mut (usize, Lists)| {
            let _ = ui.button("Before");
            egui::ComboBox::from_label("List").selected_text("One of three").show_ui(ui, |ui| {
                for at in 0..3 {
                    ui.selectable_value(chosen, at, format!("Entry {at}"));
                }
            });
            let _ = ui.button("After");
            lists.follow(ui.ctx());
        };
        let press = |window: &mut Harness<(usize, Lists)>, key| {
            window.key_press(key);
            window.run_steps(4);
        };
        for key in [egui::Key::Enter, egui::Key::Space, egui::Key::Escape] {
            let mut window = Harness::new_ui_state(show, (0, Lists::default()));
            press(&mut window, egui::Key::Tab);
            press(&mut window, egui::Key::Tab);
            press(&mut window, egui::Key::Enter);
            assert!(egui::Popup::is_any_open(&window.ctx), "{key:?}");
            window.get_by_label("Entry 1").focus();
            window.run_steps(2);
            assert!(window.get_by_label("Entry 1").is_focused(), "{key:?}");
            press(&mut window, key);
            assert!(!egui::Popup::is_any_open(&window.ctx), "{key:?}");
            let is_left = key == egui::Key::Escape;
            assert_eq!(window.state().0, if is_left { 0 } else { 1 }, "{key:?}");
            press(&mut window, egui::Key::Tab);
            assert!(window.get_by_label("After").is_focused(), "{key:?}");
        }
    }
}
