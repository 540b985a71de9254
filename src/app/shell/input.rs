//! Decides whether keys and pointer belong to a control or to the board.
//!
//! egui does not consume input. Systems that read keys for the board run only if
//! [`board_hears_keys`], systems that read the pointer or the wheel only if [`board_hears_pointer`].
//! The match screen sets [`BoardArea`] whenever it has laid out its panels; without a board, both
//! are false.

use crate::app::requests::Modal;
use bevy::prelude::*;
use bevy_egui::{EguiContext, EguiPostUpdateSet, PrimaryEguiContext, egui};

/// The area of the board between the panels, in egui points; `None` while there is no board.
#[derive(Resource, Clone, Copy, PartialEq, Debug, Default)]
pub struct BoardArea(pub Option<egui::Rect>);

/// The input that belongs to the board.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoardInput {
    /// See [`board_hears_keys`].
    pub keys: bool,
    /// See [`board_hears_pointer`].
    pub pointer: bool,
}

/// Whether keys belong to the board: no control has the focus, and no window is open.
pub fn board_hears_keys(board: Res<BoardInput>) -> bool {
    board.keys
}

/// Whether the pointer belongs to the board: it is over the board, nothing covers the board there,
/// and no control is being dragged.
pub fn board_hears_pointer(board: Res<BoardInput>) -> bool {
    board.pointer
}

/// Finds out who hears keys and pointer.
pub fn update_board_input(
    mut context: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    area: Res<BoardArea>,
    modal: Res<Modal>,
    mut board: ResMut<BoardInput>,
) {
    let Ok(mut context) = context.single_mut() else { return };
    let ctx = context.get_mut();
    let free = *modal == Modal::None;
    let popup = bevy_egui::egui::Popup::is_any_open(ctx);
    let over_board = area.0.is_some_and(|area| {
        ctx.input(|input| input.pointer.interact_pos()).is_some_and(|at| {
            area.contains(at)
                && ctx.layer_id_at(at).is_none_or(|layer| layer.order == egui::Order::Background)
        })
    });
    board.set_if_neq(BoardInput {
        keys: free && !popup && !ctx.egui_wants_keyboard_input(),
        pointer: free && !popup && over_board && !ctx.egui_is_using_pointer(),
    });
}

/// Keeps [`board_hears_keys`] and [`board_hears_pointer`] up to date.
pub fn plugin(app: &mut App) {
    app.init_resource::<BoardArea>()
        .init_resource::<BoardInput>()
        .add_systems(PostUpdate, update_board_input.after(EguiPostUpdateSet::EndPass));
}
