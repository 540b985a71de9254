//! Going back, with Esc and the back buttons.

use crate::app::requests::{Browse, MatchConfig, Modal, Screen};
use crate::app::shell::Frame;
use crate::app::shell::everywhere::BACK;
use crate::app::shell::keyboard::Presses;
use bevy::prelude::*;
use bevy_egui::{EguiContext, PrimaryEguiContext};

/// Asks to go back to the previous screen.
#[derive(Message, Clone, Copy, Debug)]
pub struct GoBack;

/// The screen from which settings or help were opened.
#[derive(Resource, Default)]
struct CameFrom(Option<Screen>);

fn remember(mut changes: MessageReader<StateTransitionEvent<Screen>>, mut from: ResMut<CameFrom>) {
    for change in changes.read() {
        if let (Some(old), Some(Screen::Settings | Screen::Help)) = (change.exited, change.entered)
            && !matches!(old, Screen::Settings | Screen::Help)
        {
            from.0 = Some(old);
        }
    }
}

/// Esc clears the focus first, then closes the topmost window, then goes back. The match, the editor,
/// the browser, the replays and the tournament handle Esc themselves, because they may have something to cancel
/// or to confirm.
fn escape(
    presses: Res<Presses>,
    modal: Res<Modal>,
    screen: Res<State<Screen>>,
    mut context: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    mut back: MessageWriter<GoBack>,
) {
    if !BACK.just_pressed(&presses) || *modal != Modal::None {
        return;
    }
    let Ok(mut context) = context.single_mut() else { return };
    let ctx = context.get_mut();
    if bevy_egui::egui::Popup::is_any_open(ctx) || ctx.text_edit_focused() {
        return;
    }
    if let Some(focused) = ctx.memory(|memory| memory.focused()) {
        ctx.memory_mut(|memory| memory.surrender_focus(focused));
        if *screen.get() == Screen::Match {
            return;
        }
    }
    let handles_itself =
        [Screen::Match, Screen::Editor, Screen::Levels, Screen::Replays, Screen::Tournament];
    if !handles_itself.contains(screen.get()) {
        back.write(GoBack);
    }
}

fn go(
    mut requests: MessageReader<GoBack>,
    screen: Res<State<Screen>>,
    from: Res<CameFrom>,
    config: Option<Res<MatchConfig>>,
    browse: Option<Res<Browse>>,
    mut next: ResMut<NextState<Screen>>,
) {
    if requests.read().last().is_none() {
        return;
    }
    match screen.get() {
        Screen::Settings | Screen::Help => next.set(from.0.unwrap_or(Screen::Menu)),
        Screen::Setup | Screen::Editor | Screen::League | Screen::Replays | Screen::Daily => {
            next.set(Screen::Menu);
        }
        Screen::Tournament | Screen::Comparison => next.set(Screen::Setup),
        Screen::Levels => next.set(browse.map_or(Screen::Menu, |browse| browse.back)),
        Screen::Match => next.set(config.map_or(Screen::Setup, |config| config.back)),
        Screen::Loading | Screen::Failed | Screen::Menu => {}
    }
}

/// Goes back on [`GoBack`] and on Esc.
pub fn plugin(app: &mut App) {
    app.add_message::<GoBack>()
        .init_resource::<CameFrom>()
        .add_systems(Update, (remember, escape, go).chain().in_set(Frame::Navigation));
}
