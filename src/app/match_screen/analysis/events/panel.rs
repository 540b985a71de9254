//! The panel beside the board while a search is stepped through.

use super::quiz;
use super::state::{Condition, Listed, Recorded, SearchEvents, ties_words};
use crate::app::match_screen::analysis::Analysed;
use crate::app::match_screen::analysis::state::Scrub;
use crate::app::match_screen::command_table::{MatchCommand, labelled};
use crate::app::match_screen::figures::{grouped, grouped_count};
use crate::app::shell::seats::seat_title;
use crate::app::shell::theme::{Palette, Rgb, palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, RichText, Ui, vec2};
use egui_phosphor::regular as icon;
use outwit_core::play::Seat;
use outwit_core::search::{EventKind, RecordingEnd, SearchEvent, Ties};
use outwit_kit::exercise::pieces_moved;
use outwit_kit::{SearchName, WEIGHTS};

/// The number of events that are recorded.
const MOST_EVENTS: usize = 20_000;

/// Keeps the search of a planner from the position after `turn` turns.
pub fn follow(session: &mut Analysed, turn: usize, planner: &'static str) {
    // That of an exercise stays whatever is played meanwhile.
    if session.analysis.is_exercise() {
        return;
    }
    let before = session.analysis.events.as_ref().map(|events| events.search.of.1);
    let before = before.filter(|search| search.planner == planner);
    let search = before.unwrap_or_else(|| SearchName::usual(planner));
    let of = (session.live.position(turn), search);
    if session.analysis.events.as_ref().is_none_or(|events| events.search.of != of) {
        let own = record(session, turn, search, MOST_EVENTS);
        session.analysis.events = Some(match session.analysis.events.take() {
            None => SearchEvents::new(own),
            Some(mut events) => {
                let other = events.other.as_ref().map(|other| other.of.1);
                let other = other.filter(|other| *other != search);
                events.search_with(own);
                events.compare_with(other.map(|other| record(session, turn, other, MOST_EVENTS)));
                events
            }
        });
    }
}

/// Begins to record a search from the position after `turn` turns, at most this number of events.
pub fn record(
    session: &Analysed,
    turn: usize,
    search: SearchName<'static>,
    events: usize,
) -> Recorded {
    let mut recorded = session.info.recorded.iter();
    Recorded {
        of: (session.live.position(turn), search),
        has_ties: recorded.any(|of| of.planner == search.planner && of.has_ties),
        task: session.live.record_search(turn, search, events),
    }
}

/// Shows the event of the search of a seat's planner, what waits or what leads to it, and where a run stops.
pub fn show(
    ui: &mut Ui,
    session: &mut Analysed,
    (turn, seat): (usize, Seat),
    commands: &mut Vec<MatchCommand>,
) {
    let colours = super::colours(palette(ui), seat).map(Rgb::egui);
    if !session.analysis.is_exercise() {
        choose_searches(ui, session, turn, colours);
    }
    let Some(mut events) = session.analysis.events.take() else { return };
    let why = events.searches().find_map(failed);
    let shown = why.is_none() && events.view().is_some();
    if let Some(why) = why {
        widgets::hint(ui, why);
        if events.search.failure().is_some() {
            another(ui, session, events.search.of.1.planner);
        }
    } else if shown {
        describe(ui, &events, colours);
        ends(ui, &events);
        differences(ui, &mut events);
        if events.other.is_none() {
            ui.add_space(space::SMALL);
            quiz::show(ui, &mut events);
        }
        list(ui, &mut events, colours);
        if events.quiz.is_none() {
            breakpoints(ui, &mut events);
        }
    } else {
        ui.spinner();
    }
    let is_quiz = events.quiz.is_some();
    session.analysis.events = Some(events);
    if shown && !is_quiz {
        MatchCommand::Scrub(Scrub::Run).button(ui, session, labelled, commands);
        widgets::hint(ui, "Click a cell on the board or a node above to stop there too.");
    }
}

/// The nodes that wait, for a projector; for two searches also where they differ.
pub fn show_large(ui: &mut Ui, session: &mut Analysed) {
    let colours = colours(session, palette(ui)).map(Rgb::egui);
    let Some(mut events) = session.analysis.events.take() else { return };
    differences(ui, &mut events);
    if events.quiz.is_some() {
        quiz::show(ui, &mut events);
    }
    list(ui, &mut events, colours);
    session.analysis.events = Some(events);
}

/// The colours of the analysed seat's search and of the one that it is compared with.
fn colours(session: &Analysed, ink: &Palette) -> [Rgb; 2] {
    super::colours(ink, session.analysis_subject().map_or(Seat(0), |subject| subject.seat))
}

/// The shown event in a sentence, or those of both searches, each in its colour.
pub fn sentences(session: &Analysed, events: &SearchEvents, ink: &Palette) -> Vec<(String, Rgb)> {
    let colours = colours(session, ink);
    let is_one = events.other.is_none();
    let sentence = |(side, search): (usize, &Recorded)| {
        let event = events.event(side)?;
        let SearchEvent { id, f, g, h, .. } = event;
        let kind = if events.has_ended(side) { "has ended, last" } else { kind_words(event.kind) };
        // An exercise numbers nodes as its sheet does.
        let node = match events.is_exercise() {
            true => String::new(),
            false => format!("node {}, ", grouped((*id).into())),
        };
        let words = format!("{kind}: {node}f = {f}, g = {g}, h = {h}");
        Some(match is_one {
            true => (words, ink.text),
            false => (format!("{}: {words}", search.title()), colours[side % 2]),
        })
    };
    let shown = events.searches().enumerate().filter_map(sentence);
    let failed = events.searches().filter_map(failed).map(|why| (why, ink.text));
    shown.chain(failed).collect()
}

/// Why a search cannot be stepped through.
fn failed(search: &Recorded) -> Option<String> {
    let why = search.failure()?;
    let name = search.title();
    Some(format!("There are no events of {name} to step through: {why}."))
}

/// Offers the search listed before one that cannot be stepped through; the listed ones grow stronger.
fn another(ui: &mut Ui, session: &mut Analysed, planner: &str) {
    let planners = &session.info.recorded;
    let at = planners.iter().position(|other| other.planner == planner).unwrap_or(0);
    let Some(before) = at.checked_sub(1).and_then(|at| planners.get(at)) else { return };
    if ui.button(format!("Step through {}", seat_title(before.planner))).clicked() {
        session.analysis.planner = Some(before.planner);
    }
}

/// Which search it is compared with: of another planner, or of the same with other settings. And the settings of both.
fn choose_searches(ui: &mut Ui, session: &mut Analysed, turn: usize, colours: [egui::Color32; 2]) {
    let Some(events) = &session.analysis.events else { return };
    let own = events.search.of.1;
    let before = events.other.as_ref().map(|other| other.of.1);
    let mut search = own;
    let mut other = before;
    let planners = session.info.recorded.iter().map(|recorded| recorded.planner);
    let choices: Vec<_> = std::iter::once(None).chain(planners.map(Some)).collect();
    let words = |planner: Option<&str>| planner.map_or_else(|| "Nothing".into(), seat_title);
    ui.horizontal(|ui| {
        widgets::hint(ui, "Compare with");
        let before = other.map(|other| other.planner);
        let planner = choice(ui, "compare with", &choices, before, words);
        if planner != before {
            other = planner.map(SearchName::usual);
        }
    });
    let titles: Vec<String> = events.searches().map(Recorded::title).collect();
    ui.collapsing("Ties and weights", |ui| {
        let both = std::iter::once(&mut search).chain(&mut other);
        for (at, ((search, title), colour)) in both.zip(&titles).zip(colours).enumerate() {
            if titles.len() > 1 {
                ui.colored_label(colour, title);
            }
            settings(ui, session, at, search);
        }
    });
    let own = (search != own).then(|| record(session, turn, search, MOST_EVENTS));
    let other =
        (other != before).then(|| other.map(|other| record(session, turn, other, MOST_EVENTS)));
    if let Some(events) = &mut session.analysis.events {
        if let Some(own) = own {
            events.search_with(own);
        }
        if let Some(other) = other {
            events.compare_with(other);
        }
    }
}

/// A grid for how a search breaks ties and for the weight of its estimate, where it has such settings.
fn settings(ui: &mut Ui, session: &Analysed, at: usize, search: &mut SearchName<'static>) {
    let mut recorded = session.info.recorded.iter();
    let Some(recorded) = recorded.find(|recorded| recorded.planner == search.planner) else {
        return;
    };
    if !recorded.has_ties && !recorded.has_weight {
        widgets::hint(ui, format!("{} has neither.", seat_title(search.planner)));
        return;
    }
    egui::Grid::new(("settings", at)).num_columns(2).show(ui, |ui| {
        if recorded.has_ties {
            widgets::hint(ui, "Of equal f").on_hover_text(
                "Which of several nodes with the least f is expanded next. A node to which a \
                 cheaper path was found counts as found then.",
            );
            let all: Vec<_> = std::iter::once(None).chain(Ties::ALL.map(Some)).collect();
            search.ties =
                choice(ui, (at, "ties"), &all, search.ties, |ties| ties_words(ties).to_owned());
            ui.end_row();
        }
        if recorded.has_weight {
            widgets::hint(ui, "Weight of h").on_hover_text(
                "With a weight w, f is g + w h: fewer nodes are expanded, and the solution costs \
                 at most w times as much as the best one if h never overestimates.",
            );
            let all: Vec<_> = std::iter::once(None).chain(WEIGHTS.map(Some)).collect();
            let words = |weight: Option<u32>| match weight {
                None => ties_words(None).to_owned(),
                Some(weight) => weight.to_string(),
            };
            search.weight = choice(ui, (at, "weight"), &all, search.weight, words);
            ui.end_row();
        }
    });
}

/// A list to choose one from; returns the chosen one.
fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    id: impl egui::AsIdSalt,
    all: &[T],
    mut chosen: T,
    words: impl Fn(T) -> String,
) -> T {
    egui::ComboBox::from_id_salt(id)
        .width(150.0)
        .height(440.0)
        .selected_text(words(chosen))
        .show_ui(ui, |ui| {
            for &other in all {
                ui.selectable_value(&mut chosen, other, words(other));
            }
        });
    chosen
}

fn kind_words(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Generate => "Generated",
        EventKind::Expand => "Expanded",
        EventKind::Update => "Cheaper path found",
        EventKind::Close => "Closed",
        EventKind::Goal => "Goal",
    }
}

/// A grid of figures in low rows.
fn figures(name: &str, columns: usize) -> egui::Grid {
    egui::Grid::new(name).num_columns(columns).min_row_height(0.0).spacing(vec2(14.0, 5.0))
}

/// The shown event, or those of both searches in a column each.
fn describe(ui: &mut Ui, events: &SearchEvents, colours: [egui::Color32; 2]) {
    let shown: Vec<&SearchEvent> =
        [0, 1].into_iter().filter_map(|side| events.event(side)).collect();
    // A grid keeps the heights of its rows, and the titles of two searches have several lines.
    let name = if shown.len() > 1 { "events" } else { "event" };
    figures(name, 1 + shown.len()).show(ui, |ui| {
        if shown.len() > 1 {
            widgets::hint(ui, "");
            for ((side, search), colour) in events.searches().enumerate().zip(colours) {
                // A line for each setting: two titles side by side are wider than the panel.
                let mut title = search.title().replace(", ", "\n");
                if events.has_ended(side) {
                    title += "\nhas ended";
                }
                ui.label(RichText::new(title).text_style(text::strong()).color(colour));
            }
            ui.end_row();
        }
        let mut row = |name: &str, value: &dyn Fn(&SearchEvent) -> String| {
            widgets::hint(ui, name);
            for event in &shown {
                ui.label(value(event));
            }
            ui.end_row();
        };
        if shown.len() == 1 {
            row("Event", &|event| kind_words(event.kind).into());
        }
        // An exercise numbers nodes as its sheet does.
        if !events.is_exercise() {
            row("Node", &|event| grouped(event.id.into()));
            row("Parent", &|event| {
                event.parent.map_or_else(|| "none".into(), |id| grouped(id.into()))
            });
        }
        row("f", &|event| event.f.to_string());
        // Beside the titles of two searches there is no room for more.
        let [g, h] = match shown.len() {
            1 => ["g, cost so far", "h, estimate to go"],
            _ => ["g, cost", "h, estimate"],
        };
        row(g, &|event| event.g.to_string());
        row(h, &|event| event.h.to_string());
        if shown.iter().any(|event| event.backward) {
            row("Side", &|event| {
                if event.backward { "from the goals" } else { "from the start" }.into()
            });
        }
        let names = shown.first().map_or(&[][..], |event| &event.state.values);
        for (name, _) in names {
            row(name, &|event| {
                let value = event.state.values.iter().find(|(other, _)| other == name);
                value.map_or_else(String::new, |(_, value)| value.to_string())
            });
        }
    });
}

/// How the searches ended.
fn ends(ui: &mut Ui, events: &SearchEvents) {
    let counts = events.view().map_or(&[][..], |view| &view.expansions);
    for (search, expanded) in events.searches().zip(counts) {
        let Some(recording) = search.recording() else { continue };
        let name = search.title();
        let states = grouped_count(*expanded as u64, "state");
        let end = match recording.end {
            RecordingEnd::Cut => {
                let kept = grouped(recording.events.len() as u64);
                format!("these are its first {kept} events, and no more are kept")
            }
            RecordingEnd::Found(cost) => format!("it finds a solution of cost {cost}"),
            RecordingEnd::Exhausted => "there is no solution".into(),
            RecordingEnd::LimitReached => "it reaches its limit".into(),
            RecordingEnd::Stopped => "it was stopped".into(),
        };
        let again = match recording.counters.expanded_again {
            0 => String::new(),
            again => format!(", {} of them again", grouped(again)),
        };
        widgets::hint(ui, format!("{name} expands {states}{again}: {end}."));
    }
}

/// Where the searches differ, and how to get there.
fn differences(ui: &mut Ui, events: &mut SearchEvents) {
    let Some((difference, other)) = events.difference().zip(events.other.as_ref()) else { return };
    ui.add_space(space::SMALL);
    widgets::section(ui, "What differs");
    let names = [events.search.title(), other.title()];
    let (at, _) = events.place();
    let words = match difference.first() {
        None => "Both expand the same states in the same order.".to_owned(),
        Some(0) => "They differ from the first expansion on.".to_owned(),
        Some(1) => "Only the first expansion is the same.".to_owned(),
        Some(first) => format!("The first {} expansions are the same.", grouped(first as u64)),
    };
    ui.add(egui::Label::new(words).wrap());
    let is_cut = |search: &Recorded| {
        search.recording().is_some_and(|recording| recording.end == RecordingEnd::Cut)
    };
    if events.searches().any(is_cut) {
        widgets::hint(ui, "This holds for what is kept of both; later events may change it.");
    }
    let mut next = None;
    ui.horizontal_wrapped(|ui| {
        let first = difference.first();
        if ui.add_enabled(first.is_some(), egui::Button::new("First difference")).clicked() {
            next = first;
        }
        for (side, name) in names.iter().enumerate() {
            let own = difference.own(side);
            let found = difference.next_own(side, Some(at));
            let button = egui::Button::new(format!("Only {name} {}", icon::CARET_RIGHT));
            let response = ui.add_enabled(found.is_some(), button).on_hover_text(format!(
                "The next state that {name} expands and the other does not; there are {}",
                grouped(own as u64)
            ));
            if response.clicked() {
                next = found;
            }
        }
    });
    widgets::hint(
        ui,
        format!(
            "Left half of a cell: {} has expanded a state there. Right half: {}.",
            names[0], names[1]
        ),
    );
    if let Some(next) = next {
        events.head.playing = false;
        events.show(next);
    }
}

/// Which of two searches is looked at, each in its colour.
fn choose_side(ui: &mut Ui, events: &mut SearchEvents, colours: [egui::Color32; 2]) {
    if events.other.is_none() {
        return;
    }
    let mut side = events.side();
    ui.horizontal_wrapped(|ui| {
        for ((at, search), colour) in events.searches().enumerate().zip(colours) {
            // A rim in the same colour, since neither colour can be read on that of chosen buttons.
            let words = RichText::new(search.title()).color(colour);
            let mut button = egui::Button::new(words).selected(side == at);
            if side == at {
                button =
                    button.fill(palette(ui).panel.egui()).stroke(egui::Stroke::new(2.0, colour));
            }
            if ui.add(button).clicked() {
                side = at;
            }
        }
    });
    events.look_at(side);
}

/// The nodes that wait, or the way to the node and what was reached from it.
fn list(ui: &mut Ui, events: &mut SearchEvents, colours: [egui::Color32; 2]) {
    ui.add_space(space::SMALL);
    choose_side(ui, events, colours);
    let is_exercise = events.is_exercise();
    match is_exercise {
        // The tree would tell what follows.
        true => events.listed = Listed::Frontier,
        false => {
            let kinds = [(Listed::Frontier, "Frontier"), (Listed::Tree, "Tree")];
            widgets::choice(ui, &mut events.listed, &kinds);
        }
    }
    let side = events.side();
    let Some((view, recording)) = events.view().zip(events.recording(side)) else { return };
    let Some(search) = events.searches().nth(side) else { return };
    let picked = match events.listed {
        Listed::Frontier => {
            let (first, count) = &view.frontier;
            let is_asking = events.is_asking();
            let words = match count {
                1 => "1 node waits".to_owned(),
                count => {
                    let order = match search.of.1.ties {
                        // Others do not go by f.
                        _ if is_asking || !search.has_ties => "",
                        None => ", the least f first",
                        Some(_) => ", in the order of expansion",
                    };
                    format!("{} nodes wait{order}", grouped(*count as u64))
                }
            };
            widgets::hint(ui, words).on_hover_text(
                "On the board rings are nodes that wait, and tinted cells those where nodes were expanded: \
                 of nodes with the other pieces where they are now.",
            );
            let start = recording.events.first();
            let mut rows: Vec<(u64, Row)> = first
                .iter()
                .map(|event| {
                    let number = view.number(event);
                    let moved = start.map_or_else(String::new, |start| apart(start, event));
                    // Those of several pieces are wider than the panel.
                    let moved = match moved.matches('(').count() {
                        ..=2 => moved,
                        _ => moved.replace(" → ", " →\n"),
                    };
                    (number, Row { event, name: grouped(number), moved })
                })
                .collect();
            if is_asking {
                rows.sort_by_key(|(number, row)| (*number, row.event.backward));
            }
            let rows = rows.into_iter().map(|(_, row)| row);
            let picked = table(ui, rows, is_asking, is_exercise);
            if *count > first.len() {
                widgets::hint(ui, format!("and {} more", grouped((count - first.len()) as u64)));
            }
            picked
        }
        Listed::Tree => {
            widgets::hint(ui, "The way from the start, and below it what the node has led to");
            let event = |at: &usize| recording.events.get(*at);
            let way = view.way.iter().filter_map(event).map(|event| (event, ""));
            let after = view.successors.iter().filter_map(event).map(|event| (event, "    "));
            let rows = way.chain(after).map(|(event, indent)| {
                let name = format!("{indent}{}", grouped(event.id.into()));
                let moved = recording.events.first();
                let moved = moved.map_or_else(String::new, |start| apart(start, event));
                Row { event, name, moved }
            });
            table(ui, rows, false, false)
        }
    };
    if let Some(node) = picked {
        if events.is_asking() {
            events.pick_node(node);
            return;
        }
        let same = events.breakpoints.node == Some(node);
        events.breakpoints.node = (!same).then_some(node);
    }
}

/// What tells a state from others in its cell: which pieces stand elsewhere than at the start, or, on boards without
/// pieces, figures such as the speed where they are others than at the start.
fn apart(start: &SearchEvent, event: &SearchEvent) -> String {
    if start.state.others.is_empty() {
        let values = event.state.values.iter().filter(|value| !start.state.values.contains(value));
        let values: Vec<String> = values.map(|(name, value)| format!("{name} {value}")).collect();
        // Two are as wide as the panel.
        let lines: Vec<String> = values.chunks(2).map(|two| two.join(", ")).collect();
        return lines.join("\n");
    }
    pieces_moved(&start.state, &event.state)
}

/// A node in a list.
struct Row<'a> {
    event: &'a SearchEvent,
    name: String,
    /// What tells its state from others in the same cell; see [`apart`].
    moved: String,
}

/// Nodes with their figures; a click on one answers the question, or makes it a breakpoint.
fn table<'a>(
    ui: &mut Ui,
    rows: impl Iterator<Item = Row<'a>>,
    is_asking: bool,
    is_exercise: bool,
) -> Option<(u32, bool)> {
    let mut picked = None;
    let rows: Vec<Row> = rows.collect();
    let any_moved = rows.iter().any(|row| !row.moved.is_empty());
    let mut grid = figures("nodes", 5).striped(true);
    if any_moved {
        grid = grid.min_col_width(0.0);
    }
    grid.show(ui, |ui| {
        let node = if is_exercise { "Found" } else { "Node" };
        let cell = match (any_moved, rows.first().map(|row| row.event.state.others.is_empty())) {
            (true, Some(false)) => "Cell, pieces moved",
            _ => "Cell",
        };
        for name in [node, "f", "g", "h", cell] {
            widgets::hint(ui, name);
        }
        ui.end_row();
        for Row { event, name, moved } in rows {
            let node = egui::Button::new(name).frame(false);
            let words =
                if is_asking { "Answer with this node" } else { "Stop at events of this node" };
            let mut clicked = ui.add(node).on_hover_text(words).clicked();
            // Who solves an exercise computes it, as on paper.
            let f = if is_asking && is_exercise { "?".to_owned() } else { event.f.to_string() };
            let mut cell = format!("{}, {}", event.state.cell.x, event.state.cell.y);
            if !moved.is_empty() {
                cell = format!("{cell}\n{moved}");
            }
            for figure in [f, event.g.to_string(), event.h.to_string(), cell] {
                let label = egui::Label::new(figure).sense(egui::Sense::click()).selectable(false);
                clicked |= ui.add(label).on_hover_text(words).clicked();
            }
            if clicked {
                picked = Some((event.id, event.backward));
            }
            ui.end_row();
        }
    });
    picked
}

/// Where a run stops.
fn breakpoints(ui: &mut Ui, events: &mut SearchEvents) {
    ui.add_space(space::SMALL);
    widgets::section(ui, "Breakpoints");
    for kind in Condition::ALL {
        let mut on = events.breakpoints.kinds.contains(&kind);
        if ui.checkbox(&mut on, kind.words()).changed() {
            events.breakpoints.switch(kind);
        }
    }
    let points = &mut events.breakpoints;
    let cell = points.cell.map(|cell| format!("Cell {}, {}", cell.x, cell.y));
    let node = points.node.map(|(id, _)| format!("Node {}", grouped(id.into())));
    let remove = |ui: &mut Ui, words: Option<String>| {
        words.is_some_and(|words| ui.button(format!("{words}  {}", icon::X)).clicked())
    };
    ui.horizontal_wrapped(|ui| {
        if remove(ui, cell) {
            points.cell = None;
        }
        if remove(ui, node) {
            points.node = None;
        }
    });
}
