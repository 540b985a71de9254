//! What an exercise asks, what is right, and why, from the events of its search.

use super::{Exercise, ExerciseError, LEVEL, STOPS};
use crate::dyn_game::DynGame;
use crate::reading::{AnyLevel, FaultyLevel};
use crate::search_name::{SearchName, WEIGHTS};
use crate::spec::{AnalyseOptions, LevelInfo};
use outwit_core::grid::Cell;
use outwit_core::play::{Budget, StopFlag};
use outwit_core::search::{
    Evaluation, EventKind, Recording, RecordingEnd, SearchEvent, StateView, Ties, TraceMap,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most nodes that a question lists.
pub const MOST_LISTED: usize = 24;
/// How many stops are chosen.
const CHOSEN: usize = 6;
/// The events that are looked at where nobody says which stops, as many as the window looks at.
const EVENTS: usize = 20_000;
/// Events per expansion that are looked at for later stops, and the most in all.
const EVENTS_PER_EXPANSION: usize = 60;
const MOST_EVENTS: usize = 1_000_000;

/// The seed of the match from whose start the search goes: it draws where a car stands.
pub const SEED: u64 = 0;

/// Whether a node that was picked is a right answer where `next` is expanded next: it is that node, or one of the same
/// f while `ties_are_open`, since nobody can know how ties are broken where the search has a rule of ties and none is
/// chosen.
pub fn is_right(picked: &SearchEvent, next: &SearchEvent, ties_are_open: bool) -> bool {
    let is_same = (picked.id, picked.backward) == (next.id, next.backward);
    is_same || ties_are_open && picked.f == next.f
}

/// The places of nodes in the order in which they were found by these events, from 1, by side and number; see
/// [`WaitingNode::found`].
pub fn found_numbers(events: &[SearchEvent], ties: Option<Ties>) -> HashMap<(bool, u32), usize> {
    let finds =
        events.iter().filter(|event| matches!(event.kind, EventKind::Generate | EventKind::Update));
    finds
        .zip(1..)
        .map(|(event, number)| {
            let number = match ties {
                // Its order is that of the numbers of nodes.
                Some(Ties::LeastEstimate) => event.id as usize + 1,
                _ => number,
            };
            ((event.backward, event.id), number)
        })
        .collect()
}

/// Which pieces of a state stand elsewhere than at the start, as `(x,y) → (x,y)`; empty if none does.
pub fn pieces_moved(start: &StateView, state: &StateView) -> String {
    let without = |own: &StateView, other: &StateView| {
        let moved = own.others.iter().filter(|cell| !other.others.contains(cell));
        moved.map(Cell::to_string).collect::<Vec<_>>().join(" ")
    };
    match without(start, state).as_str() {
        "" => String::new(),
        from => format!("{from} → {}", without(state, start)),
    }
}

/// Which of the nodes that wait a search expands next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeOrder {
    /// One of the least f by this evaluation.
    Least(Evaluation),
    /// The one that was found first.
    FirstFound,
    /// The one that was found last, again or for the first time.
    LastFound,
}

/// A node that waits to be expanded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitingNode {
    /// The event by which it was generated, or updated last.
    pub event: SearchEvent,
    /// Its place in the order in which nodes were found, from 1: a node counts again when a cheaper path to it is
    /// found, except where ties are broken by h.
    pub found: usize,
    /// Whether it is a right answer.
    pub is_right: bool,
}

/// A question: which of these nodes is expanded next?
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The number of the expansion, from 1.
    pub stop: usize,
    /// The nodes to choose from, by their cells from the top left to the bottom right, so that their order gives
    /// nothing away.
    pub listed: Vec<WaitingNode>,
    /// The nodes that wait too and come later, beyond [`MOST_LISTED`].
    pub unlisted: Vec<WaitingNode>,
    /// Which of the listed nodes the search expands.
    pub taken: usize,
    /// The expansion before.
    pub last: SearchEvent,
    /// The cells in which states were expanded before.
    pub expanded: BTreeSet<Cell>,
}

/// An exercise with what its sheet and its key show.
#[derive(Clone, PartialEq, Debug)]
pub struct WorkedExercise {
    /// What can be said of the level.
    pub level: LevelInfo,
    /// Walls and goals.
    pub map: TraceMap,
    /// Where the search starts.
    pub start: StateView,
    /// What the search expands next.
    pub order: NodeOrder,
    /// Which of several nodes of the least f it expands, if that was chosen.
    pub ties: Option<Ties>,
    /// The weight, if one was chosen.
    pub weight: Option<u32>,
    /// The questions.
    pub questions: Vec<Question>,
}

/// What is to be known of an expansion for a question about it.
struct Expansion {
    /// The number of its event.
    at: usize,
    /// How many nodes waited.
    waiting: usize,
    /// Whether they differed in f, and how many had that of the node.
    differ: bool,
    tied: usize,
    /// Whether the node had the least f, was found first, was found last.
    is_least: bool,
    is_first: bool,
    is_last: bool,
}

/// The expansions of a recorded search, in order.
fn expansions(recording: &Recording) -> Vec<Expansion> {
    let mut found: HashMap<(bool, u32), (usize, u64)> = HashMap::new();
    let mut in_order = BTreeSet::new();
    let mut by_f = BTreeMap::<u64, usize>::new();
    let mut expansions = Vec::new();
    for (at, event) in recording.events.iter().enumerate() {
        let node = (event.backward, event.id);
        if event.kind == EventKind::Close {
            continue;
        }
        if event.kind == EventKind::Expand {
            let own = found.get(&node).map(|(at, _)| at);
            expansions.push(Expansion {
                at,
                waiting: found.len(),
                differ: by_f.len() > 1,
                tied: by_f.get(&event.f).copied().unwrap_or_default(),
                is_least: by_f.keys().next() == Some(&event.f),
                is_first: in_order.first() == own,
                is_last: in_order.last() == own,
            });
        }
        if let Some((before, f)) = found.remove(&node) {
            in_order.remove(&before);
            match by_f.get_mut(&f) {
                Some(count) if *count > 1 => *count -= 1,
                _ => drop(by_f.remove(&f)),
            }
        }
        if matches!(event.kind, EventKind::Generate | EventKind::Update) {
            found.insert(node, (at, event.f));
            in_order.insert(at);
            *by_f.entry(event.f).or_default() += 1;
        }
    }
    expansions
}

/// What the events of a search that orders nodes by f say that f is.
fn evaluation(recording: &Recording) -> Option<Evaluation> {
    let is = |value: &dyn Fn(u64, u64) -> u64| {
        recording.events.iter().all(|event| event.f == value(event.g.into(), event.h.into()))
    };
    if is(&|g, _| g) {
        Some(Evaluation::UniformCost)
    } else if is(&|_, h| h) {
        Some(Evaluation::Greedy)
    } else if is(&|g, h| g + h) {
        Some(Evaluation::AStar)
    } else {
        let weight = WEIGHTS.skip(1).find(|&weight| is(&|g, h| g + u64::from(weight) * h));
        weight.map(Evaluation::Weighted)
    }
}

/// What a search expands next, as far as its events bear it out.
fn order(recording: &Recording, has_ties: bool, expansions: &[Expansion]) -> Option<NodeOrder> {
    if recording.events.iter().any(|event| event.backward) {
        return None;
    }
    if has_ties {
        return evaluation(recording).map(NodeOrder::Least);
    }
    if expansions.iter().all(|expansion| expansion.is_first) {
        return Some(NodeOrder::FirstFound);
    }
    expansions.iter().all(|expansion| expansion.is_last).then_some(NodeOrder::LastFound)
}

/// Stops that leave a choice, spread over the search: where there are enough of them, those at which all nodes that
/// wait can be listed, else those at which all that share the least f can.
fn choose(expansions: &[Expansion], order: NodeOrder) -> Vec<usize> {
    let by_f = matches!(order, NodeOrder::Least(_));
    let suiting = |suits: &dyn Fn(&Expansion) -> bool| -> Vec<usize> {
        let numbered = expansions.iter().zip(1..).filter(|(_, number)| STOPS.contains(number));
        let open = numbered.filter(|(of, _)| of.waiting > 1 && (of.is_least || !by_f));
        open.filter(|(of, _)| suits(of)).map(|(_, number)| number).collect()
    };
    let is_choice = |of: &Expansion| of.waiting > 2 && (of.differ || !by_f);
    let pools = [
        suiting(&|of| is_choice(of) && of.waiting <= MOST_LISTED),
        suiting(&|of| is_choice(of) && of.tied <= MOST_LISTED / 2),
        suiting(&is_choice),
        suiting(&|_| true),
    ];
    let enough = pools.iter().position(|pool| pool.len() >= CHOSEN).unwrap_or(pools.len() - 1);
    let pool = &pools[enough];
    let count = pool.len().min(CHOSEN);
    (0..count).map(|part| pool[(2 * part + 1) * pool.len() / (2 * count)]).collect()
}

impl Exercise {
    /// How many events of the search are looked at.
    pub fn events(&self) -> usize {
        let last = self.stops.last().copied().unwrap_or_default();
        (last * EVENTS_PER_EXPANSION).clamp(EVENTS, MOST_EVENTS)
    }

    /// What the sheet shows of a level.
    pub(super) fn work_on(
        &self,
        kind: &dyn DynGame,
        level: &AnyLevel,
        stop: &StopFlag,
    ) -> Result<WorkedExercise, ExerciseError> {
        let name = self.search_name(kind)?;
        let fail = |faults| ExerciseError::Level(FaultyLevel(faults));
        let info = kind.info(level).map_err(fail)?;
        let map = kind.search_map(level).map_err(fail)?;
        let recording = self.record(kind, stop)?;
        let expansions = expansions(&recording);
        let ties = SearchName { ties: Some(Ties::Fifo), ..SearchName::usual(name.planner) };
        let has_ties = kind.search_bound(&ties.to_string()).is_ok();
        let order = order(&recording, has_ties, &expansions)
            .ok_or_else(|| ExerciseError::NoOrder(self.search.clone()))?;
        let stops = match self.stops.is_empty() {
            true => choose(&expansions, order),
            false => self.stops.clone(),
        };
        let start = recording.events.first().map(|event| event.state.clone());
        let (Some(start), false) = (start, stops.is_empty()) else {
            return Err(ExerciseError::NoChoice);
        };
        let is_cut = recording.end == RecordingEnd::Cut;
        let question = |&stop: &usize| {
            let before = expansions.get(..stop).ok_or(ExerciseError::Beyond {
                stop,
                expansions: expansions.len(),
                is_cut,
            })?;
            match question(&recording, before, order, (name.ties, has_ties)) {
                Some(question) => Ok(question),
                None => Err(ExerciseError::NotLeast(stop)),
            }
        };
        let questions = stops.iter().map(question).collect::<Result<_, _>>()?;
        let ties = name.ties;
        let weight = name.weight;
        Ok(WorkedExercise { level: info, map, start, order, ties, weight, questions })
    }

    /// The search, as far as it is looked at.
    fn record(&self, kind: &dyn DynGame, stop: &StopFlag) -> Result<Recording, ExerciseError> {
        let options = AnalyseOptions {
            turn: None,
            planner: Some(self.search.clone()),
            seat: None,
            budget: Budget::default(),
            seed: SEED,
        };
        let recording = kind
            .record_search(self.level.as_bytes(), LEVEL, &options, self.events(), stop)
            .map_err(|faults| ExerciseError::NotRecorded(FaultyLevel(faults)))?;
        match recording.end == RecordingEnd::Stopped || stop.is_raised() {
            true => Err(ExerciseError::Stopped),
            false => Ok(recording),
        }
    }
}

/// The question about the last of these expansions; `None` if that is not of a node that the order tells.
fn question(
    recording: &Recording,
    expansions: &[Expansion],
    order: NodeOrder,
    (ties, has_ties): (Option<Ties>, bool),
) -> Option<Question> {
    let [before @ .., last, asked] = expansions else { return None };
    let next = recording.events.get(asked.at)?;
    if matches!(order, NodeOrder::Least(_)) && !asked.is_least {
        return None;
    }
    let found = found_numbers(recording.events.get(..asked.at)?, ties);
    let is_same = |node: &WaitingNode| is_right(&node.event, next, false);
    let node = |event: &SearchEvent| WaitingNode {
        found: found.get(&(event.backward, event.id)).copied().unwrap_or_default(),
        is_right: is_right(event, next, has_ties && ties.is_none()),
        event: event.clone(),
    };
    let frontier = recording.frontier(asked.at.checked_sub(1)?, ties);
    let mut listed: Vec<WaitingNode> = frontier.into_iter().map(node).collect();
    // What is expanded is among those that are listed.
    listed.sort_by_key(|node| match order {
        NodeOrder::Least(_) => (node.event.f, !is_same(node)),
        NodeOrder::FirstFound => (node.found as u64, false),
        NodeOrder::LastFound => (u64::MAX - node.found as u64, false),
    });
    let unlisted = listed.split_off(listed.len().min(MOST_LISTED));
    listed.sort_by_key(|node| {
        let Cell { x, y } = node.event.state.cell;
        (y, x, node.event.backward, node.event.id)
    });
    let taken = listed.iter().position(is_same)?;
    let event_of = |expansion: &Expansion| recording.events.get(expansion.at);
    let last = event_of(last)?;
    let cells = before.iter().filter_map(event_of).chain([last]).map(|event| event.state.cell);
    let last = last.clone();
    let expanded = cells.collect();
    Some(Question { stop: expansions.len(), listed, unlisted, taken, last, expanded })
}
