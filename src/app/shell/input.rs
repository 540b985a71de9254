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

/// Closes a list from which Enter or the space bar has chosen; egui does so only after clicks.
fn close_lists(
    mut context: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    mut was_open: Local<bool>,
) {
    let Ok(mut context) = context.single_mut() else { return };
    let ctx = context.get_mut();
    let chosen =
        ctx.input(|input| [egui::Key::Enter, egui::Key::Space].map(|key| input.key_pressed(key)));
    if *was_open && chosen.contains(&true) && !ctx.text_edit_focused() {
        egui::Popup::close_all(ctx);
    }
    *was_open = egui::Popup::is_any_open(ctx);
}

/// Keeps [`BoardInput`] up to date.
pub fn plugin(app: &mut App) {
    app.init_resource::<BoardArea>().init_resource::<BoardInput>().add_systems(
        PostUpdate,
        (close_lists, update_board_input).chain().after(EguiPostUpdateSet::EndPass),
    );
}
