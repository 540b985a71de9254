//! Who hears keys and pointer: a control that has the focus, or the board.
//!
//! egui takes no input away by itself. Every system that reads keys for the board runs only if
//! [`board_hears_keys`], every one that reads the pointer or the wheel only if
//! [`board_hears_pointer`]. The match screen tells where the board is through [`BoardArea`], each
//! time it has laid out its panels; without a board nothing is heard.

use crate::app::shell::modal::Modal;
use bevy::prelude::*;
use bevy_egui::{EguiContext, EguiPostUpdateSet, PrimaryEguiContext, egui};

/// Where the board lies between the panels, in egui's points; `None` while there is none.
#[derive(Resource, Clone, Copy, PartialEq, Debug, Default)]
pub struct BoardArea(pub Option<egui::Rect>);

/// What the board may hear.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Heard {
    /// See [`board_hears_keys`].
    pub keys: bool,
    /// See [`board_hears_pointer`].
    pub pointer: bool,
}

/// Whether keys are the board's: no control has the focus, no window is over it.
pub fn board_hears_keys(heard: Res<Heard>) -> bool {
    heard.keys
}

/// Whether the pointer is the board's: it is over the board, nothing covers it there, and no
/// control is being dragged.
pub fn board_hears_pointer(heard: Res<Heard>) -> bool {
    heard.pointer
}

fn listen(
    mut context: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    area: Res<BoardArea>,
    modal: Res<Modal>,
    mut heard: ResMut<Heard>,
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
    heard.set_if_neq(Heard {
        keys: free && !popup && !ctx.egui_wants_keyboard_input(),
        pointer: free && !popup && over_board && !ctx.egui_is_using_pointer(),
    });
}

/// Keeps [`board_hears_keys`] and [`board_hears_pointer`] up to date.
pub fn plugin(app: &mut App) {
    app.init_resource::<BoardArea>()
        .init_resource::<Heard>()
        .add_systems(PostUpdate, listen.after(EguiPostUpdateSet::EndPass));
}
