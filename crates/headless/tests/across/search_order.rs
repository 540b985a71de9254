//! What every recorded search expands, against the order that its planner promises. The frontier is
//! made up from the events alone.

use outwit_core::play::{Budget, StopFlag};
use outwit_core::search::{EventKind, Recording, RecordingEnd, SearchEvent, Ties};
use outwit_headless::{GAMES, find};
use outwit_kit::{AnalyseOptions, DynGame};
use outwit_levels::{built_in, list_with};
use std::collections::{BTreeMap, HashSet};

/// Which node of the frontier a planner must choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// One that is cheapest to reach.
    LeastCost,
    /// One with the least estimate.
    LeastEstimate,
    /// One with the least sum of both.
    LeastSum,
    /// One with the least sum of the cost and so many times the estimate.
    LeastWeightedSum(u64),
    /// One that is cheapest to reach among those whose sum is not above the largest so far
    /// (algorithm B of Martelli 1977); only if there is none, one with the least sum.
    CheapestUnderLargestSum,
    /// The one that was found first.
    FirstFound,
    /// The one that was found last, again or for the first time.
    LastFound,
    /// The one that was found first on its side; each layer on the side where fewer nodes wait.
    SmallerLayer,
}

fn order_of(game: &str, planner: &str) -> Order {
    match (game, planner) {
        ("pukoban", "depth-first") => Order::LastFound,
        ("pukoban" | "racetrack", "breadth-first") => Order::FirstFound,
        ("pukoban" | "racetrack", "uniform-cost") => Order::LeastCost,
        ("pukoban" | "racetrack", "greedy") => Order::LeastEstimate,
        ("pukoban", "astar-weighted") => Order::LeastWeightedSum(3),
        ("pukoban", "astar-h1") => Order::CheapestUnderLargestSum,
        // On the largest maps `best` is A*.
        ("pukoban", "astar-h2" | "astar-h3" | "astar-matching" | "best") => Order::LeastSum,
        ("racetrack", "astar-cells" | "astar-turns") => Order::LeastSum,
        ("pukoban", "bidirectional") => Order::SmallerLayer,
        _ => panic!("say here in which order {planner} of {game} expands"),
    }
}

/// Whether a planner may expand a state again when it is reached at less cost: its evaluation counts the
/// cost, and its estimate may fall by more than a move costs.
fn may_expand_again(planner: &str) -> bool {
    ["astar-weighted", "astar-h1", "astar-h2", "astar-h3", "astar-cells"].contains(&planner)
}

/// A node of the frontier.
#[derive(Clone, Copy, Debug)]
struct Open {
    g: u64,
    h: u64,
    /// The numbers of the events with which it was found first and last.
    first: usize,
    last: usize,
}

impl Open {
    fn sum(&self) -> u64 {
        self.g + self.h
    }
}

/// A search as far as its events tell.
struct Replayed {
    order: Order,
    /// Which of several that are equally good it must choose, if that is settled.
    ties: Option<Ties>,
    /// The frontier of each side by node.
    open: [BTreeMap<u32, Open>; 2],
    largest_sum: u64,
    /// The side and the cost of what was expanded last.
    layer: Option<(usize, u64)>,
    expanded: usize,
    /// How often plain A* would have chosen otherwise.
    held_back: usize,
}

impl Replayed {
    fn new(order: Order, ties: Option<Ties>) -> Self {
        let open = [BTreeMap::new(), BTreeMap::new()];
        Self { order, ties, open, largest_sum: 0, layer: None, expanded: 0, held_back: 0 }
    }

    fn evaluation(&self, &Open { g, h, .. }: &Open) -> u64 {
        match self.order {
            Order::LeastEstimate => h,
            Order::LeastSum | Order::CheapestUnderLargestSum => g + h,
            Order::LeastWeightedSum(weight) => g + weight * h,
            _ => g,
        }
    }

    fn take(&mut self, number: usize, event: &SearchEvent) -> Result<(), String> {
        let (g, h) = (u64::from(event.g), u64::from(event.h));
        let evaluation = self.evaluation(&Open { g, h, first: number, last: number });
        let meets = self.order == Order::SmallerLayer && event.kind == EventKind::Goal;
        if event.f != evaluation && !meets {
            return Err(format!("the evaluation is not {evaluation}"));
        }
        let side = usize::from(event.backward);
        match event.kind {
            EventKind::Generate | EventKind::Update => {
                let node = Open { g, h, first: number, last: number };
                let open = self.open[side].entry(event.id).or_insert(node);
                *open = Open { first: open.first, ..node };
            }
            EventKind::Expand | EventKind::Goal if !meets => {
                self.choose(side, event.id)?;
                self.open[side].remove(&event.id);
                self.expanded += 1;
            }
            EventKind::Expand | EventKind::Goal | EventKind::Close => {}
        }
        Ok(())
    }

    /// Compares what was chosen with all that could have been.
    fn choose(&mut self, side: usize, id: u32) -> Result<(), String> {
        let chosen = *self.open[side].get(&id).ok_or("it is not in the frontier")?;
        let least_sum = self.open[side].values().map(Open::sum).min().unwrap_or(0);
        self.largest_sum = self.largest_sum.max(least_sum);
        self.held_back += usize::from(chosen.sum() > least_sum);
        if self.order == Order::SmallerLayer {
            self.choose_side(side, chosen.g)?;
        }
        let waiting = || self.open[side].values();
        let better: Option<&Open> = match self.order {
            Order::LeastCost => waiting().find(|node| node.g < chosen.g),
            Order::LeastEstimate => waiting().find(|node| node.h < chosen.h),
            Order::LeastSum => waiting().find(|node| node.sum() < chosen.sum()),
            Order::LeastWeightedSum(weight) => {
                waiting().find(|node| node.g + weight * node.h < chosen.g + weight * chosen.h)
            }
            Order::CheapestUnderLargestSum => {
                let allowed = |node: &Open| node.sum() <= self.largest_sum;
                if !allowed(&chosen) {
                    return Err(format!("its sum is above {}", self.largest_sum));
                }
                waiting().find(|&node| allowed(node) && node.g < chosen.g)
            }
            Order::FirstFound | Order::SmallerLayer => {
                waiting().find(|node| node.first < chosen.first)
            }
            Order::LastFound => waiting().find(|node| node.last > chosen.last),
        };
        let better = better.or_else(|| {
            let ties = self.ties?;
            let is_as_good = |node: &&Open| self.evaluation(node) == self.evaluation(&chosen);
            waiting().filter(is_as_good).find(|node| match ties {
                Ties::Fifo => node.last < chosen.last,
                Ties::Lifo => node.last > chosen.last,
                Ties::LeastEstimate => node.h < chosen.h,
            })
        });
        better.map_or(Ok(()), |node| Err(format!("{node:?} is better than {chosen:?}")))
    }

    /// Whether this side may expand a node of this cost.
    fn choose_side(&mut self, side: usize, g: u64) -> Result<(), String> {
        let before = self.layer.replace((side, g));
        if before == Some((side, g)) {
            return Ok(());
        }
        if let Some((last, layer)) = before
            && self.open[last].values().any(|node| node.g == layer)
        {
            return Err("the layer before it is not complete".into());
        }
        let waiting = [self.open[0].len(), self.open[1].len()];
        let two_sided = waiting[1] > 0;
        match two_sided && waiting[1 - side] < waiting[side] {
            true => Err(format!("of the sides, {waiting:?} nodes wait")),
            false => Ok(()),
        }
    }
}

fn record(
    kind: &dyn DynGame,
    level: &[u8],
    planner: &str,
    events: usize,
) -> Result<Recording, String> {
    let options = AnalyseOptions {
        turn: None,
        planner: Some(planner.into()),
        seat: None,
        budget: Budget::default(),
        seed: 0,
    };
    kind.record_search(level, "level.ron", &options, events, &StopFlag::default())
        .map_err(|faults| format!("{faults:?}"))
}

/// The built-in levels of a game with each choice of the objective, if it has one.
fn levels(kind: &dyn DynGame) -> Vec<(String, Vec<u8>)> {
    let mut levels = Vec::new();
    for entry in list_with(None, kind.id()) {
        let bytes = entry.bytes().unwrap().to_vec();
        if kind.properties().iter().any(|rule| rule.key == "objective") {
            for objective in ["steps", "box_moves"] {
                let sets = [("objective".to_owned(), objective.to_owned())];
                let set = kind.convert(&bytes, "level.ron", &sets, "ron").unwrap();
                levels.push((format!("{} for {objective}", entry.id), set.bytes));
            }
        } else {
            levels.push((entry.id, bytes));
        }
    }
    levels
}

/// Events per search; the order shows soon.
const EVENTS: usize = 2_000;

#[test]
fn nothing_in_the_frontier_is_better_than_what_is_expanded() {
    let mut searches: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for &kind in GAMES {
        let first = built_in(&kind.first_level()).unwrap().bytes().unwrap();
        let records = |name: &str| record(kind, &first, name, 1).is_ok();
        if !kind.planners().iter().any(|planner| records(planner.name)) {
            assert!(kind.searches().is_empty(), "no search of {} is recorded", kind.id());
            continue;
        }
        for (id, level) in levels(kind) {
            for planner in kind.planners() {
                let Ok(recording) = record(kind, &level, planner.name, EVENTS) else { continue };
                let order = order_of(kind.id(), planner.name);
                let is_first = expands_once(&recording);
                assert!(is_first || may_expand_again(planner.name), "{} on {id}", planner.name);
                let mut search = Replayed::new(order, None);
                for (number, event) in recording.events.iter().enumerate() {
                    search.take(number, event).unwrap_or_else(|why| {
                        panic!("{} on {id}, event {number}, {event:?}: {why}", planner.name)
                    });
                }
                let sum = searches.entry((kind.id(), planner.name)).or_default();
                *sum = (sum.0 + search.expanded, sum.1 + search.held_back);
            }
        }
        for name in kind.searches() {
            let is_recorded = searches.contains_key(&(kind.id(), name));
            assert!(is_recorded || name == "best", "{name} of {} was never recorded", kind.id());
        }
    }
    assert!(searches.values().all(|&(expanded, _)| expanded > 1_000), "{searches:?}");
    // Or the rule of algorithm B would not be tried.
    assert!(searches[&("pukoban", "astar-h1")].1 > 0, "{searches:?}");
    assert!(searches.contains_key(&("racetrack", "greedy")));
}

/// Whether each node of a recording is expanded only once.
fn expands_once(recording: &Recording) -> bool {
    let mut expanded = HashSet::new();
    let at = recording.expansions().into_iter().map(|at| &recording.events[at]);
    at.into_iter().all(|event| expanded.insert((event.backward, event.id)))
}

/// Each search with each way to break ties, and A* with weights.
#[test]
fn settings_of_a_search_are_kept() {
    let mut tried = 0;
    for &kind in GAMES {
        let searches = kind.searches();
        for (id, level) in levels(kind).into_iter().step_by(5) {
            for &name in &searches {
                for ties in Ties::ALL {
                    for weight in [None, Some(1), Some(2), Some(10)] {
                        let setting = weight.map(|weight| format!(",weight={weight}"));
                        let search =
                            format!("{name}:ties={}{}", ties.name(), setting.unwrap_or_default());
                        let Ok(bound) = kind.search_bound(&search) else { continue };
                        let order = match (order_of(kind.id(), name), weight) {
                            (Order::LeastCost, None) => Order::LeastCost,
                            (Order::LeastEstimate, None) => Order::LeastEstimate,
                            (Order::LeastWeightedSum(usual), None) => {
                                Order::LeastWeightedSum(usual)
                            }
                            (Order::LeastSum | Order::CheapestUnderLargestSum, None) => {
                                Order::LeastSum
                            }
                            (_, Some(weight)) => Order::LeastWeightedSum(weight),
                            (other, _) => panic!("{search} has no ties: {other:?}"),
                        };
                        let usual = kind.search_bound(name).unwrap();
                        assert_eq!(bound.is_some(), usual.is_some(), "{search}");
                        let recording = record(kind, &level, &search, EVENTS).unwrap();
                        let may_again =
                            may_expand_again(name) || weight.is_some_and(|weight| weight > 1);
                        assert!(may_again || expands_once(&recording), "{search} on {id}");
                        let mut replayed = Replayed::new(order, Some(ties));
                        for (number, event) in recording.events.iter().enumerate() {
                            replayed.take(number, event).unwrap_or_else(|why| {
                                panic!("{search} on {id}, event {number}, {event:?}: {why}")
                            });
                        }
                        tried += 1;
                    }
                }
            }
        }
    }
    assert!(tried > 300, "{tried}");
}

/// Where h1 leads straight to a solution, `greedy` expands little.
#[test]
fn greedy_runs_straight_towards_a_solution() {
    let pukoban = find("pukoban").unwrap();
    let level = built_in("pukoban/38-parade-ground").unwrap().bytes().unwrap();
    let recording = record(pukoban, &level, "greedy", 20_000).unwrap();
    assert!(matches!(recording.end, RecordingEnd::Found(_)), "{:?}", recording.end);
    let expanded = recording.events.iter().filter(|event| event.kind == EventKind::Expand).count();
    assert!(expanded < 1_000, "{expanded} states were expanded");
}
