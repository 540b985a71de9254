//! A recorded game tree, and which of its events is shown.

use crate::app::match_screen::analysis::playhead::{Playhead, Scrub};
use outwit_core::platform::task::Task;
use outwit_core::search::{
    TreeBounds, TreeCounts, TreeEvent, TreeEventKind, TreeOptions, TreeRecording,
};
use outwit_kit::GameTree;

/// The options to begin with: what a lecture begins with. The whole tree of tic-tac-toe fits.
pub const USUAL: TreeOptions =
    TreeOptions { prunes: false, orders: false, depth: Some(3), nodes: 600_000 };

/// Where a run stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TreeStop {
    /// Where a leaf returns its value.
    Leaf,
    /// Where moves are left out.
    Cut,
    /// Where a move of the root has returned.
    #[default]
    RootMove,
}

impl TreeStop {
    fn holds(self, event: TreeEvent) -> bool {
        match self {
            Self::Leaf => event.kind == TreeEventKind::Evaluate,
            Self::Cut => event.kind == TreeEventKind::Cut,
            Self::RootMove => {
                event.node == 0
                    && matches!(event.kind, TreeEventKind::Improve | TreeEventKind::Keep)
            }
        }
    }
}

/// What an event shows, found once for it.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeView {
    /// The number of the event.
    pub at: usize,
    /// The nodes from the root to the node of the event.
    pub path: Vec<u32>,
    /// What is known of each of them.
    pub bounds: Vec<TreeBounds>,
    /// What was done until then.
    pub counts: TreeCounts,
}

/// A game tree and the event that is shown.
pub struct ShownTree {
    /// The position and how it is searched.
    pub of: (u64, TreeOptions),
    /// Where a run stops.
    pub stop: TreeStop,
    /// The shown event.
    pub head: Playhead,
    task: Task<Result<GameTree, String>>,
    view: Option<TreeView>,
    /// What the whole search does, once it is known.
    all: Option<TreeCounts>,
}

impl ShownTree {
    /// Begins with the first event of a tree.
    pub fn new(of: (u64, TreeOptions), task: Task<Result<GameTree, String>>) -> Self {
        let stop = TreeStop::default();
        let head = Playhead::default();
        Self { of, stop, head, task, view: None, all: None }
    }

    /// The tree, once it is there.
    pub fn tree(&self) -> Option<&GameTree> {
        self.task.get()?.as_ref().ok()
    }

    /// The recording, once it is there.
    pub fn recording(&self) -> Option<&TreeRecording> {
        self.tree().map(|tree| &tree.recording)
    }

    /// Why there is no tree, once that is known.
    pub fn failure(&self) -> Option<&str> {
        self.task.failure().or_else(|| self.task.get()?.as_ref().err().map(String::as_str))
    }

    /// What the shown event shows, once it was found.
    pub fn view(&self) -> Option<&TreeView> {
        self.view.as_ref()
    }

    /// What the whole search does, as far as it was recorded.
    pub fn all(&self) -> TreeCounts {
        self.all.unwrap_or_default()
    }

    /// The number of the shown event and of the last one.
    pub fn place(&self) -> (usize, usize) {
        let count = self.recording().map_or(0, |recording| recording.events.len());
        (self.head.at, count.saturating_sub(1))
    }

    /// Shows an event.
    pub fn show(&mut self, at: usize) {
        self.head = Playhead::at_event(at.min(self.place().1));
    }

    /// Steps through the events.
    pub fn scrub(&mut self, scrub: Scrub) {
        let (at, last) = self.place();
        if scrub != Scrub::Run {
            self.head.scrub(scrub, last);
            return;
        }
        let stop = self.stop;
        let events = self.recording().map_or(&[][..], |recording| &recording.events);
        let mut later = events.iter().enumerate().skip(at + 1);
        let next = later.find(|(_, event)| stop.holds(**event)).map(|(number, _)| number);
        self.show(next.unwrap_or(last));
    }

    /// Shows where a node was entered or, where that is shown already, where it was left.
    pub fn show_node(&mut self, node: u32) {
        let Some(node) = self.recording().and_then(|recording| recording.node(node)) else {
            return;
        };
        let here = self.head.at as u32;
        let target = if node.entered == Some(here) { node.left } else { node.entered };
        if let Some(target) = target {
            self.show(target as usize);
        }
    }

    /// Goes on as time passes, and finds what is to be shown where that is not known yet.
    pub fn update(&mut self, seconds: f32) {
        let (_, last) = self.place();
        self.head.play(seconds, last);
        let at = self.head.at;
        let Some(recording) = self.recording() else { return };
        if self.view.as_ref().is_some_and(|view| view.at == at) {
            return;
        }
        let path = recording.path(at);
        let bounds = recording.bounds(&path, at);
        let counts = recording.counts(at);
        let all = self.all.unwrap_or_else(|| recording.counts(last));
        (self.view, self.all) = (Some(TreeView { at, path, bounds, counts }), Some(all));
    }

    /// Whether what it shows changes without anybody's doing.
    pub fn is_busy(&self) -> bool {
        self.head.playing || !self.task.is_done()
    }
}
