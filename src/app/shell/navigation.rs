//! Going back, with Esc and the back buttons.

use crate::app::requests::{Browse, MatchConfig, Modal, Screen};
use crate::app::shell::Frame;
use crate::app::shell::everywhere::BACK;
use crate::app::shell::keyboard::Presses;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::{EguiContext, PrimaryEguiContext};
use std::iter::successors;

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

/// The way back from the screen that is shown.
#[derive(SystemParam)]
pub struct WayBack<'w> {
    screen: Res<'w, State<Screen>>,
    from: Res<'w, CameFrom>,
    config: Option<Res<'w, MatchConfig>>,
    browse: Option<Res<'w, Browse>>,
}

impl WayBack<'_> {
    /// The screen before this one; `None` where going back does nothing.
    fn before(&self, screen: Screen) -> Option<Screen> {
        match screen {
            Screen::Settings | Screen::Help => Some(self.from.0.unwrap_or(Screen::Menu)),
            Screen::Setup | Screen::Editor | Screen::League | Screen::Replays | Screen::Daily => {
                Some(Screen::Menu)
            }
            Screen::Tournament | Screen::Comparison => Some(Screen::Setup),
            Screen::Levels => Some(self.browse.as_ref().map_or(Screen::Menu, |browse| browse.back)),
            Screen::Match => Some(self.config.as_ref().map_or(Screen::Setup, |config| config.back)),
            Screen::Loading | Screen::Failed | Screen::Menu => None,
        }
    }

    /// How often one can go back from here until the menu is shown, at most as often as there are screens.
    #[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "pages have a history"))]
    pub fn depth(&self) -> usize {
        successors(Some(*self.screen.get()), |&screen| self.before(screen)).skip(1).take(12).count()
    }
}

fn go(mut requests: MessageReader<GoBack>, way: WayBack, mut next: ResMut<NextState<Screen>>) {
    if requests.read().last().is_some()
        && let Some(screen) = way.before(*way.screen.get())
    {
        next.set(screen);
    }
}

/// Goes back on [`GoBack`] and on Esc.
pub fn plugin(app: &mut App) {
    app.add_message::<GoBack>()
        .init_resource::<CameFrom>()
        .add_systems(Update, (remember, escape, go).chain().in_set(Frame::Navigation));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::match_screen::tests::config;
    use bevy::ecs::system::RunSystemOnce;
    use outwit_headless::find;

    #[test]
    fn the_way_back_is_as_long_as_the_screens_behind() {
        let mut world = World::new();
        world.init_resource::<CameFrom>();
        let mut depth = |screen, back| {
            world.insert_resource(State::new(screen));
            world.insert_resource(Browse { back: Screen::Setup, ..Browse::default() });
            world.insert_resource(MatchConfig { back, ..config(find("mnk").unwrap()) });
            world.run_system_once(|way: WayBack| way.depth()).unwrap()
        };
        assert_eq!(depth(Screen::Menu, Screen::Setup), 0);
        assert_eq!(depth(Screen::Editor, Screen::Setup), 1);
        assert_eq!(depth(Screen::Match, Screen::Setup), 2);
        assert_eq!(depth(Screen::Match, Screen::Levels), 3);
        // A way that leads in a circle ends as well.
        assert_eq!(depth(Screen::Match, Screen::Match), 12);
    }
}
