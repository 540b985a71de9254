//! A recorded search, another one to compare it with, and what is shown of them.

use super::quiz::Quiz;
use crate::app::match_screen::analysis::playhead::{Playhead, Scrub};
use crate::app::match_screen::figures::grouped;
use crate::app::shell::seats::seat_title;
use outwit_core::grid::Cell;
use outwit_core::platform::task::Task;
use outwit_core::search::{EventKind, Recording, SearchDifference, SearchEvent, Ties};
use outwit_kit::SearchName;
use outwit_kit::exercise::found_numbers;
use std::collections::{BTreeMap, BTreeSet};

/// A kind of event at which a run stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// An expansion.
    Expanded,
    /// An expansion of a greater f.
    HigherF,
    /// A piece was moved.
    Moved,
    /// A cheaper path was found.
    Updated,
    /// The goal was reached.
    Goal,
}

impl Condition {
    /// Every condition, in the order in which people choose from them.
    pub const ALL: [Self; 5] =
        [Self::Expanded, Self::HigherF, Self::Moved, Self::Updated, Self::Goal];

    /// What people call it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Expanded => "Expansion",
            Self::HigherF => "f grows",
            Self::Moved => "A piece is moved",
            Self::Updated => "Cheaper path",
            Self::Goal => "Goal",
        }
    }

    /// Whether it holds at an event, `before` being the one from which the run began.
    fn holds(self, event: &SearchEvent, before: &SearchEvent) -> bool {
        match self {
            Self::Expanded => event.kind == EventKind::Expand,
            Self::HigherF => event.kind == EventKind::Expand && event.f > before.f,
            Self::Moved => event.state.moved.is_some(),
            Self::Updated => event.kind == EventKind::Update,
            Self::Goal => event.kind == EventKind::Goal,
        }
    }
}

/// Where a run stops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breakpoints {
    /// At these kinds of event.
    pub kinds: Vec<Condition>,
    /// At every event in this cell.
    pub cell: Option<Cell>,
    /// At every event of this node and side.
    pub node: Option<(u32, bool)>,
}

impl Default for Breakpoints {
    fn default() -> Self {
        Self { kinds: vec![Condition::Expanded], cell: None, node: None }
    }
}

impl Breakpoints {
    /// Adds a kind of event, or takes it away.
    pub fn switch(&mut self, kind: Condition) {
        let before = self.kinds.len();
        self.kinds.retain(|other| *other != kind);
        if self.kinds.len() == before {
            self.kinds.push(kind);
        }
    }

    fn hold(&self, event: &SearchEvent, before: &SearchEvent) -> bool {
        self.kinds.iter().any(|kind| kind.holds(event, before))
            || self.cell == Some(event.state.cell)
            || self.node == Some((event.id, event.backward))
    }
}

/// What is listed below the event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Listed {
    /// The nodes that wait to be expanded.
    #[default]
    Frontier,
    /// The way to the node, and what was reached from it.
    Tree,
}

/// A planner's search, recorded in the background.
pub struct Recorded {
    /// The position and the search.
    pub of: (u64, SearchName<'static>),
    /// Whether it has a rule of ties that can be chosen.
    pub has_ties: bool,
    /// The recording.
    pub task: Task<Result<Recording, String>>,
}

/// What people call a way to break ties.
pub fn ties_words(ties: Option<Ties>) -> &'static str {
    match ties {
        None => "As usual",
        Some(Ties::Fifo) => "First in, first out",
        Some(Ties::Lifo) => "Last in, first out",
        Some(Ties::LeastEstimate) => "Least h first",
    }
}

impl Recorded {
    /// What people call the search, with its settings.
    pub fn title(&self) -> String {
        let SearchName { planner, ties, weight } = self.of.1;
        let ties = ties.map(|ties| format!(", {}", ties.name()));
        let weight = weight.map(|weight| format!(", weight {weight}"));
        [seat_title(planner), ties.unwrap_or_default(), weight.unwrap_or_default()].concat()
    }

    /// The recording, once it is there and has events.
    pub fn recording(&self) -> Option<&Recording> {
        self.task.get()?.as_ref().ok().filter(|recording| !recording.events.is_empty())
    }

    /// Why there is no recording, once that is known.
    pub fn failure(&self) -> Option<String> {
        let crashed = self.task.failure().map(str::to_owned);
        crashed.or_else(|| match self.task.get()? {
            Ok(recording) => recording.events.is_empty().then(|| "it had no events".to_owned()),
            Err(why) => Some(why.clone()),
        })
    }
}

/// What a place of the recording shows, found once for it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EventView {
    /// The place and the search that it belongs to.
    of: (usize, usize),
    /// The nodes that wait to be expanded, the first of them, and how many there are.
    pub frontier: (Vec<SearchEvent>, usize),
    /// In an exercise, the places of these nodes in the order in which nodes were found, from 1, as the sheet has them;
    /// else none.
    found: Vec<usize>,
    /// The events by which the way to the node was reached.
    pub way: Vec<usize>,
    /// The events by which nodes were reached from the node.
    pub successors: Vec<usize>,
    /// The number of expansions of each search, from its beginning to its end.
    pub expansions: Vec<usize>,
    /// The cells where the search, and one beside it, has expanded a state so far; of one alone only states with the
    /// other pieces where they are now.
    pub expanded: Vec<(Cell, [bool; 2])>,
    /// The cells where such states wait.
    pub waiting: BTreeSet<Cell>,
}

impl EventView {
    /// The number that a node that waits is called by: in an exercise its place in the order in which nodes were found,
    /// else its own.
    pub fn number(&self, event: &SearchEvent) -> u64 {
        let waits = |other: &SearchEvent| (other.id, other.backward) == (event.id, event.backward);
        let place = || self.frontier.0.iter().position(waits);
        let found = self.found.first().and_then(|_| self.found.get(place()?));
        found.map_or(event.id.into(), |found| *found as u64)
    }
}

/// Most rows of the frontier that are listed.
const MOST_LISTED: usize = 100;

/// A recorded search and the event that is shown.
pub struct SearchEvents {
    /// The search.
    pub search: Recorded,
    /// The search that it is compared with.
    pub other: Option<Recorded>,
    /// Where a run stops.
    pub breakpoints: Breakpoints,
    /// What is listed below the event.
    pub listed: Listed,
    /// The number of the shown event; beside another search, of the shown expansion of both.
    pub head: Playhead,
    /// The questions that are asked of the search, if somebody wants them.
    pub quiz: Option<Quiz>,
    /// Whose nodes are listed, whose way is drawn and at whose events a run stops: 0 for the search, 1 for the one that
    /// it is compared with.
    side: usize,
    difference: Option<SearchDifference>,
    view: Option<EventView>,
}

impl SearchEvents {
    /// Begins with the first event of a search.
    pub fn new(search: Recorded) -> Self {
        Self {
            search,
            other: None,
            breakpoints: Breakpoints::default(),
            listed: Listed::default(),
            head: Playhead::default(),
            quiz: None,
            side: 0,
            difference: None,
            view: None,
        }
    }

    /// Begins with the first event of another search. What it is compared with, and where a run stops, stays.
    pub fn search_with(&mut self, search: Recorded) {
        self.search = search;
        self.quiz = self.quiz.take().map(|_| Quiz::default());
        (self.difference, self.view, self.head) = (None, None, Playhead::default());
    }

    /// Compares with another search, or with none. What is shown stays.
    pub fn compare_with(&mut self, other: Option<Recorded>) {
        let shown = self.event_of(0);
        self.other = other;
        self.quiz = None;
        self.look_at(0);
        (self.difference, self.view) = (None, None);
        self.head = Playhead::at_event(shown.unwrap_or_default());
    }

    /// Whose nodes are listed: 0 for the search, 1 for the one that it is compared with.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Lists the nodes of one of the searches. A breakpoint at a node of the other one is gone.
    pub fn look_at(&mut self, side: usize) {
        if self.side != side {
            self.side = side;
            self.breakpoints.node = None;
        }
    }

    /// Whether what it shows changes without anybody's doing.
    pub fn is_busy(&self) -> bool {
        self.head.playing || self.searches().any(|search| !search.task.is_done())
    }

    /// The search, and the one that it is compared with.
    pub fn searches(&self) -> impl Iterator<Item = &Recorded> {
        std::iter::once(&self.search).chain(&self.other)
    }

    /// The recording of one of the searches.
    pub fn recording(&self, side: usize) -> Option<&Recording> {
        self.searches().nth(side)?.recording()
    }

    /// How both searches differ, once both are recorded.
    pub fn difference(&self) -> Option<&SearchDifference> {
        self.difference.as_ref()
    }

    /// The number of the shown event, or of the expansion beside another search, and of the last one.
    pub fn place(&self) -> (usize, usize) {
        let count = self.difference.as_ref().map_or_else(
            || self.recording(0).map_or(0, |recording| recording.events.len()),
            SearchDifference::len,
        );
        (self.head.at, count.saturating_sub(1))
    }

    /// Shows an event, or an expansion beside another search.
    pub fn show(&mut self, at: usize) {
        self.head.at = at.min(self.place().1);
    }

    /// The number of the event that a search shows.
    pub fn event_of(&self, side: usize) -> Option<usize> {
        match &self.difference {
            Some(difference) => difference.event(side, self.head.at),
            None => (side == 0).then_some(self.head.at),
        }
    }

    /// The event that a search shows.
    pub fn event(&self, side: usize) -> Option<&SearchEvent> {
        self.recording(side)?.events.get(self.event_of(side)?)
    }

    /// Shows the event of this number of the first search, or the expansion before it.
    pub fn show_event(&mut self, event: usize) {
        let number = self.difference.as_ref().map(|difference| difference.number(0, event));
        self.head.playing = false;
        self.show(number.unwrap_or(event));
    }

    /// The next event of the listed search at which a breakpoint holds; `None` if none does.
    fn next_stop(&self) -> Option<usize> {
        let (recording, at) = self.recording(self.side).zip(self.event_of(self.side))?;
        let before = recording.events.get(at)?;
        let mut later = recording.events.iter().enumerate().skip(at + 1);
        let found = later.find(|(_, event)| self.breakpoints.hold(event, before));
        let next = found.map(|(index, _)| index);
        // Between expansions nothing is shown there.
        let expansion = |difference: &SearchDifference| {
            let next = difference.number(self.side, next?);
            Some(if next > self.head.at { next } else { self.head.at + 1 })
        };
        match &self.difference {
            Some(difference) => expansion(difference),
            None => next,
        }
    }

    /// Steps through the events.
    pub fn scrub(&mut self, scrub: Scrub) {
        let (_, last) = self.place();
        match scrub {
            Scrub::Run => {
                let stop = self.next_stop().unwrap_or(last);
                self.head = Playhead::at_event(stop.min(last));
            }
            _ => self.head.scrub(scrub, last),
        }
    }

    /// Goes on as time passes, and finds what is to be shown where that is not known yet.
    pub fn update(&mut self, seconds: f32) {
        if self.difference.is_none()
            && let (Some(one), Some(other)) = (self.recording(0), self.recording(1))
        {
            let difference = SearchDifference::new([one, other]);
            self.head.at = difference.number(0, self.head.at);
            self.difference = Some(difference);
            self.view = None;
        }
        let (_, last) = self.place();
        self.head.play(seconds, last);
        self.ask();
        if self.view.as_ref().is_none_or(|view| view.of != (self.head.at, self.side)) {
            self.view = self.look();
        }
    }

    /// What the shown place shows, once it was found.
    pub fn view(&self) -> Option<&EventView> {
        self.view.as_ref()
    }

    fn look(&self) -> Option<EventView> {
        let (recording, at) = self.recording(self.side).zip(self.event_of(self.side))?;
        let ties = self.searches().nth(self.side)?.of.1.ties;
        let waiting = recording.frontier(self.settled(recording, at), ties);
        let count = waiting.len();
        let pieces = &recording.events.get(at)?.state.others;
        let alike = waiting.iter().filter(|event| event.state.others == *pieces);
        let waiting_cells = alike.map(|event| event.state.cell).collect();
        let first: Vec<SearchEvent> = waiting.into_iter().take(MOST_LISTED).cloned().collect();
        let found = match self.is_exercise() {
            true => {
                let numbers = found_numbers(recording.events.get(..=at).unwrap_or_default(), ties);
                let number = |event: &SearchEvent| numbers.get(&(event.backward, event.id));
                first.iter().map(|event| number(event).copied().unwrap_or_default()).collect()
            }
            false => Vec::new(),
        };
        let recordings = self.searches().filter_map(Recorded::recording);
        Some(EventView {
            of: (self.head.at, self.side),
            expansions: recordings.map(|recording| recording.expansions().len()).collect(),
            frontier: (first, count),
            found,
            way: recording.way(at),
            successors: recording.successors(at),
            expanded: self.expanded(),
            waiting: waiting_cells,
        })
    }

    /// Whether a search has ended while the one beside it goes on.
    pub fn has_ended(&self, side: usize) -> bool {
        let expansions = || self.view.as_ref()?.expansions.get(side).copied();
        self.difference.is_some() && expansions().is_some_and(|count| self.head.at >= count)
    }

    /// The event from which on the listed nodes wait: beside another search, whose events are expansions, the one that
    /// the next expansion follows, so that the nodes which this one found are listed.
    fn settled(&self, recording: &Recording, at: usize) -> usize {
        if self.difference.is_none() {
            return at;
        }
        let mut later = recording.events.iter().enumerate().skip(at + 1);
        let next = later.find(|(_, event)| event.kind == EventKind::Expand);
        next.map_or(recording.events.len(), |(number, _)| number).saturating_sub(1)
    }

    /// What a node that waits is called.
    pub fn name(&self, event: &SearchEvent) -> String {
        grouped(self.view().map_or(event.id.into(), |view| view.number(event)))
    }

    /// See [`EventView::expanded`].
    fn expanded(&self) -> Vec<(Cell, [bool; 2])> {
        // In a puzzle a search is soon everywhere, and what was done with other boxes says little of these.
        let pieces =
            self.event(0).filter(|_| self.other.is_none()).map(|event| &event.state.others);
        let mut cells = BTreeMap::<Cell, [bool; 2]>::new();
        for side in [0, 1] {
            let (Some(recording), Some(shown)) = (self.recording(side), self.event_of(side)) else {
                continue;
            };
            let events = recording.events.iter().take(shown + 1);
            let expansions = events.filter(|event| event.kind == EventKind::Expand);
            for event in
                expansions.filter(|event| pieces.is_none_or(|of| *of == event.state.others))
            {
                cells.entry(event.state.cell).or_default()[side] = true;
            }
        }
        cells.into_iter().collect()
    }
}
