//! The panel beside a game tree: how it is searched, what happens, and what is known.

use super::state::{ShownTree, TreeStop, TreeView, USUAL};
use crate::app::match_screen::analysis::Analysed;
use crate::app::match_screen::analysis::state::Scrub;
use crate::app::match_screen::command_table::{MatchCommand, labelled};
use crate::app::match_screen::figures::{grouped, grouped_count};
use crate::app::match_screen::state::TreeInfo;
use crate::app::shell::theme::{space, text};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, RichText, Ui, vec2};
use outwit_core::search::{Leaf, TreeEventKind, TreeNode, TreeOptions, TreeRecording};

/// The depth limits to choose from.
const DEPTHS: [Option<u8>; 9] =
    [Some(1), Some(2), Some(3), Some(4), Some(5), Some(6), Some(7), Some(8), None];

/// Keeps the tree of the position after `turn` turns.
pub fn follow(session: &mut Analysed, turn: usize) {
    let position = session.live.position(turn);
    let known = session.analysis.tree.as_ref().map(|tree| tree.of);
    let of = (position, known.map_or(USUAL, |(_, options)| options));
    if known != Some(of) {
        begin(session, turn, of);
    }
}

fn begin(session: &mut Analysed, turn: usize, of: (u64, TreeOptions)) {
    let stop = session.analysis.tree.as_ref().map(|tree| tree.stop).unwrap_or_default();
    let mut tree = ShownTree::new(of, session.live.record_tree(turn, of.1));
    tree.stop = stop;
    session.analysis.tree = Some(tree);
}

/// Shows how the tree is searched, the shown event, and what was done.
pub fn show(ui: &mut Ui, session: &mut Analysed, turn: usize, commands: &mut Vec<MatchCommand>) {
    let Some(info) = session.info.game_tree else { return };
    let Some(mut tree) = session.analysis.tree.take() else { return };
    let mut options = tree.of.1;
    ui.checkbox(&mut options.prunes, "Alpha-beta pruning")
        .on_hover_text("Leaves out moves that cannot change the value of the root.");
    ui.checkbox(&mut options.orders, "Best-looking moves first").on_hover_text(
        "Tries moves in the order of what the position after them is estimated at. Otherwise row by row.",
    );
    ui.horizontal(|ui| {
        widgets::hint(ui, "Depth");
        let words = |depth: Option<u8>| match depth {
            None => "To the end".to_owned(),
            Some(depth) => grouped_count(depth.into(), "move"),
        };
        egui::ComboBox::from_id_salt("depth")
            .height(440.0)
            .selected_text(words(options.depth))
            .show_ui(ui, |ui| {
                for depth in DEPTHS {
                    ui.selectable_value(&mut options.depth, depth, words(depth));
                }
            });
    });
    let changed = (options != tree.of.1).then_some((tree.of.0, options));
    ui.add_space(space::SMALL);
    match (tree.failure(), tree.recording(), tree.view()) {
        (Some(why), ..) => {
            widgets::hint(ui, format!("There is no tree to step through: {why}."));
        }
        (None, Some(recording), Some(view)) => {
            describe(ui, recording, view, (info, options.prunes));
            counts(ui, &tree, recording);
            ui.add_space(space::SMALL);
            widgets::section(ui, "Breakpoint");
            let stops = [
                (TreeStop::RootMove, "Root move"),
                (TreeStop::Leaf, "Leaf"),
                (TreeStop::Cut, "Cut"),
            ];
            let stops = &stops[..if options.prunes { 3 } else { 2 }];
            widgets::choice(ui, &mut tree.stop, stops);
        }
        _ => {
            ui.spinner();
        }
    }
    session.analysis.tree = Some(tree);
    MatchCommand::Scrub(Scrub::Run).button(ui, session, labelled, commands);
    widgets::hint(
        ui,
        "Click a node to go to where it is looked at, once more to where it returns.",
    );
    ui.add_space(space::SMALL);
    ui.add(egui::Label::new(info.values).wrap());
    if let Some(of) = changed {
        begin(session, turn, of);
    }
}

/// The shown event in a sentence, once it is known.
pub fn sentence(session: &Analysed, tree: &ShownTree) -> Option<String> {
    let (recording, view) = tree.recording().zip(tree.view())?;
    let shown = shown_event(recording, view)?;
    Some(words(recording, view, shown, session.info.game_tree?))
}

/// What happens in the shown event, and to which node.
fn shown_event<'a>(
    recording: &'a TreeRecording,
    view: &TreeView,
) -> Option<(TreeEventKind, &'a TreeNode)> {
    let event = recording.events.get(view.at)?;
    Some((event.kind, recording.node(event.node)?))
}

/// The shown event, and what is known of its node.
fn describe(
    ui: &mut Ui,
    recording: &TreeRecording,
    view: &TreeView,
    (info, prunes): (TreeInfo, bool),
) {
    let Some(shown) = shown_event(recording, view) else { return };
    let node = shown.1;
    let words = RichText::new(words(recording, view, shown, info));
    ui.add(egui::Label::new(words.text_style(text::strong())).wrap());
    ui.add_space(space::SMALL);
    let bounds = view.bounds.last().copied().unwrap_or_default();
    let value = |value: Option<i32>, none: &str| value.map_or(none.to_owned(), |it| it.to_string());
    let grid = egui::Grid::new("node").num_columns(2).min_row_height(0.0);
    grid.spacing(vec2(14.0, 5.0)).show(ui, |ui| {
        let mut row = |name: &str, words: String| {
            widgets::hint(ui, name);
            ui.label(words);
            ui.end_row();
        };
        let [first, second] = info.sides;
        let side = if node.maximises { first } else { second };
        let aim = if node.maximises { "maximises" } else { "minimises" };
        row("To move", format!("{side}, {aim}"));
        row("Depth", (view.path.len() - 1).to_string());
        row("Value", value(bounds.value, "not known yet"));
        if prunes {
            row("Alpha", format!("{}, what {first} is sure of", value(bounds.alpha, "-∞")));
            row("Beta", format!("{}, what {second} is sure of", value(bounds.beta, "+∞")));
        }
    });
}

/// The event in a sentence.
fn words(
    recording: &TreeRecording,
    view: &TreeView,
    (kind, node): (TreeEventKind, &TreeNode),
    info: TreeInfo,
) -> String {
    let bounds = view.bounds.last().copied().unwrap_or_default();
    let value = bounds.value.unwrap_or_default();
    let [first, second] = info.sides;
    match kind {
        TreeEventKind::Enter => match view.path.len() {
            1 => "The search begins at the root.".into(),
            _ => "A new position is looked at.".into(),
        },
        TreeEventKind::Evaluate if node.leaf == Some(Leaf::Limit) => {
            format!("The depth limit: the position is estimated at {value}.")
        }
        TreeEventKind::Evaluate => format!("The game is over: {value}."),
        TreeEventKind::Improve => {
            let returned = |&child: &u32| recording.returned(child, view.at).is_some();
            match (node.children.clone().filter(returned).count(), node.maximises) {
                (1, _) => format!("The first move has returned: the value is {value} so far."),
                (_, true) => format!("A better move: the value rises to {value}."),
                (_, false) => format!("A better move: the value falls to {value}."),
            }
        }
        TreeEventKind::Keep => format!("The move is not better: the value stays {value}."),
        TreeEventKind::Cut => {
            let left = recording.left_out(view.path.last().copied().unwrap_or_default());
            let left = grouped_count(left as u64, "move");
            // The other side avoids this position: what it is sure of elsewhere is no worse for it.
            let (other, sure, most) = match node.maximises {
                true => (second, bounds.beta, "at least"),
                false => (first, bounds.alpha, "at most"),
            };
            format!(
                "Cut: the value here is {most} {value}, and {other} is sure of {} elsewhere. {left} left out.",
                sure.unwrap_or_default()
            )
        }
        TreeEventKind::Return => format!("All moves have returned: the node returns {value}."),
    }
}

/// What was done so far and in all.
fn counts(ui: &mut Ui, tree: &ShownTree, recording: &TreeRecording) {
    let Some(view) = tree.view() else { return };
    let so_far = view.counts;
    let all = tree.all();
    ui.add_space(space::SMALL);
    let grid = egui::Grid::new("counts").num_columns(3).min_row_height(0.0);
    grid.spacing(vec2(14.0, 5.0)).show(ui, |ui| {
        for words in ["", "so far", if recording.is_whole { "in all" } else { "recorded" }] {
            widgets::hint(ui, words);
        }
        ui.end_row();
        for (name, so_far, all) in [
            ("Nodes", so_far.entered, all.entered),
            ("Leaves", so_far.leaves, all.leaves),
            ("Cuts", so_far.cuts, all.cuts),
            ("Moves left out", so_far.left_out, all.left_out),
        ] {
            widgets::hint(ui, name);
            ui.label(grouped(so_far as u64));
            ui.label(grouped(all as u64));
            ui.end_row();
        }
    });
    let is_last = view.at + 1 == recording.events.len();
    let end = match (recording.is_whole, recording.nodes.first()) {
        // Until then people may guess.
        (true, Some(root)) if is_last && root.estimated => {
            format!("The root is estimated at {}.", root.value)
        }
        (true, Some(root)) if is_last => format!("The value of the root is {}.", root.value),
        (true, _) => return,
        _ => format!(
            "The tree has more than {} nodes and is cut off there: choose a smaller depth, or play some moves \
             first.",
            grouped(tree.of.1.nodes as u64)
        ),
    };
    widgets::hint(ui, end);
}
