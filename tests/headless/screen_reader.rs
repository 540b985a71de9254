//! What screen readers are told, screen by screen: every control has a name, and boards are told in words.

use super::screens::SCREENS;
use super::window::{Headless, press};
use bevy::prelude::*;
use bevy_egui::EguiOutput;
use bevy_egui::egui::accesskit::{Action, Node, NodeId, Role, TreeUpdate};
use outwit::app::shell::Screen;
use outwit_core::play::Player;
use outwit_headless::GAMES;
use std::collections::HashMap;

/// The tree that a screen reader gets in the next frame.
fn tree(headless: &mut Headless) -> TreeUpdate {
    headless.app.world().resource::<bevy::a11y::AccessibilityRequested>().set(true);
    (0..3).for_each(|_| headless.app.update());
    let world = headless.app.world_mut();
    let mut outputs = world.query::<&EguiOutput>();
    let output = outputs.single(world).unwrap();
    output.platform_output.accesskit_update.clone().expect("somebody listens")
}

/// What a control is called: by itself, or by the label beside it.
fn name(node: &Node, all: &HashMap<NodeId, &Node>) -> String {
    let of = |node: &Node| node.label().or_else(|| node.value()).unwrap_or_default().to_owned();
    let own = of(node);
    let beside = node.labelled_by().iter().filter_map(|id| all.get(id).map(|node| of(node)));
    std::iter::once(own).chain(beside).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// The controls without a name.
fn nameless(tree: &TreeUpdate) -> Vec<String> {
    let all: HashMap<NodeId, &Node> = tree.nodes.iter().map(|(id, node)| (*id, node)).collect();
    let mut found = Vec::new();
    for (id, node) in &tree.nodes {
        let can_be_used =
            node.supports_action(Action::Click) || node.supports_action(Action::Focus);
        let is_area = matches!(
            node.role(),
            Role::Window
                | Role::GenericContainer
                | Role::ScrollView
                | Role::ScrollBar
                | Role::Unknown
        );
        // Icons alone are read as nothing, or as the number of a letter.
        let is_said =
            name(node, &all).chars().any(|letter| letter.is_alphanumeric() && letter < '\u{e000}');
        if can_be_used && !is_area && !is_said {
            found.push(format!(
                "{id:?} {:?} at {:?}: {:?}",
                node.role(),
                node.bounds(),
                name(node, &all)
            ));
        }
    }
    found
}

#[test]
fn every_control_on_every_screen_has_a_name() {
    let mut headless = Headless::new(1280, 800);
    let mut found = Vec::new();
    for (game, registered) in GAMES.iter().enumerate() {
        for screen in SCREENS {
            let players: Vec<Player> = match screen {
                Screen::Match => vec![Player::Human; *registered.facts().seats.allowed.start()],
                _ => registered.players_to_watch(),
            };
            headless.go(screen, game, &players);
            let tree = tree(&mut headless);
            assert!(tree.nodes.len() > 3, "{screen:?}: {tree:?}");
            let here = nameless(&tree);
            found.extend(
                here.into_iter().map(|it| format!("{screen:?} of {}: {it}", registered.id())),
            );
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_is_told_where_nobody_listens() {
    let mut headless = Headless::new(1024, 640);
    (0..3).for_each(|_| headless.app.update());
    let world = headless.app.world_mut();
    let mut outputs = world.query::<&EguiOutput>();
    assert!(outputs.single(world).unwrap().platform_output.accesskit_update.is_none());
}

#[test]
fn a_board_is_told_in_words() {
    let mut headless = Headless::new(1280, 800);
    for (game, registered) in GAMES.iter().enumerate() {
        let players = vec![Player::Human; *registered.facts().seats.allowed.start()];
        headless.go(Screen::Match, game, &players);
        let tree = tree(&mut headless);
        let board = tree.nodes.iter().find(|(_, node)| node.role() == Role::Canvas);
        let (_, board) = board.unwrap_or_else(|| panic!("{}: no board", registered.id()));
        let label = board.label().unwrap_or_default();
        assert!(label.starts_with("Board: ") && label.contains("columns"), "{label}");
        let said: Vec<&str> =
            tree.nodes.iter().filter_map(|(_, node)| node.value().or(node.label())).collect();
        let has = |start: &str| said.iter().any(|line| line.starts_with(start));
        assert!(has("Row 1: ") && has("Row 2: "), "{}: {said:?}", registered.id());
    }
}

#[test]
fn what_a_move_did_is_told() {
    let mut headless = Headless::new(1280, 800);
    let pukoban = GAMES.iter().position(|game| game.id() == "pukoban").unwrap();
    headless.go(Screen::Match, pukoban, &[Player::Human]);
    let worker = |tree: &TreeUpdate| {
        let said = tree.nodes.iter().filter_map(|(_, node)| node.value().or(node.label()));
        said.filter(|line| line.starts_with("Worker")).map(str::to_owned).collect::<Vec<_>>()
    };
    let before = worker(&tree(&mut headless));
    assert_eq!(before.len(), 1, "{before:?}");
    let mut moved = false;
    for key in [KeyCode::ArrowRight, KeyCode::ArrowDown, KeyCode::ArrowLeft, KeyCode::ArrowUp] {
        press(&mut headless, key, None);
        (0..20).for_each(|_| headless.app.update());
        moved |= worker(&tree(&mut headless)) != before;
    }
    assert!(moved, "{before:?}");
}
