//! The sheet of an exercise on a search, and its key.

use super::counted;
use super::page::Page;
use super::search_board::{is_wide, search_board, used_signs};
use outwit_core::escape::markup;
use outwit_core::search::{Evaluation, Ties};
use outwit_kit::exercise::{
    Exercise, MOST_LISTED, NodeOrder, Question, WaitingNode, WorkedExercise, pieces_moved,
};
use outwit_kit::{DynGame, SearchName};

/// Sheets are printed, on paper of this size, in black and white. A question stays on one page.
const STYLE: &str = "\
.name{margin:1.2rem 0 0}.legend span{display:inline-block;margin-right:1.1rem}.legend svg{vertical-align:-4px}\
.question{border-top:1px solid var(--line);margin-top:1.4rem}.question h2{margin:.8rem 0 .4rem}\
.sides{display:flex;flex-wrap:wrap;align-items:flex-start;gap:0 1.5rem}.question td,.question th{padding:.12rem .5rem}\
.question .next{margin-top:.2rem}.fill td:last-child{min-width:2.6rem;border:1px solid var(--line)}\
.board{max-width:100%;height:auto}.board .ground{fill:#fff;stroke:#999}\
.board .lines{fill:none;stroke:#999;stroke-width:.6}.board .thin{fill:none;stroke:#000;stroke-width:1}\
.board .thick{fill:none;stroke:#000;stroke-width:2}.board text{fill:#000}.board .axis-number{font-size:11px}\
figure .axis-number{fill:var(--text)}\
.board .node{font-weight:700;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:3px;\
font-family:Helvetica,Arial,sans-serif}\
@page{size:A4;margin:14mm}\
@media print{:root{color-scheme:light;--ground:#fff;--panel:#fff;--text:#000;--faint:#333;--line:#888}\
body{max-width:none;padding:0;font-size:10.5pt}.question{break-inside:avoid;margin-top:.6rem}\
.question table{font-size:8.5pt}.question td,.question th{padding:.1rem .28rem}\
.fill td:last-child{min-width:2rem}.sides{gap:0 .9rem}.beside{flex-wrap:nowrap}.beside>figure{flex:0 1 auto;margin:0}\
.question .board{max-height:140mm}h2{break-after:avoid}.scroll{overflow:visible}}";

/// The letter of a listed node. There are never more than letters.
pub fn letter(index: usize) -> String {
    char::from_u32('A' as u32 + index as u32).map_or_else(String::new, String::from)
}

/// The page that learners fill in or, as the key, the same with what is right and why.
pub fn exercise_sheet(
    kind: &dyn DynGame,
    exercise: &Exercise,
    worked: &WorkedExercise,
    is_key: bool,
) -> String {
    let title = match is_key {
        true => format!("{} – key", exercise.title),
        false => exercise.title.clone(),
    };
    let mut page = Page::new(&title, &format!("{}, {}", worked.level.name, kind.name()));
    page.style(STYLE);
    if !is_key {
        page.html("<p class=\"name\">Name: ______________________________</p>\n");
    }
    page.section("The search");
    page.paragraph(&about(kind, exercise, worked));
    page.paragraph(&rule(worked));
    page.paragraph(&task(worked));
    let by_f = matches!(worked.order, NodeOrder::Least(_));
    let signs = used_signs(worked).into_iter();
    let legend =
        signs.map(|sign| format!("<span>{} {}</span>", sign.swatch(), markup(sign.words())));
    page.html(&format!("<p class=\"legend\">{}</p>\n", legend.collect::<Vec<_>>().join(" ")));
    for (question, number) in worked.questions.iter().zip(1..) {
        // The last column of a sheet is that of f.
        let class = if is_key || !by_f { "question" } else { "question fill" };
        page.html(&format!("<section class=\"{class}\">\n"));
        page.section(&format!("{number}. Expansion {}: which node is expanded?", question.stop));
        let is_wide = is_wide(worked, question);
        let class = if is_wide { "sides" } else { "sides beside" };
        page.html(&format!("<div class=\"{class}\">\n"));
        page.html(&search_board(worked, question));
        page.html("<div>\n");
        let (head, rows) = table(worked, question, is_key);
        // Below a wide picture, one long table would not fit on the page.
        let most = if is_wide { MOST_LISTED / 2 } else { MOST_LISTED };
        page.html("<div class=\"sides\">\n");
        for part in rows.chunks(most) {
            page.table(&head, part, 2);
        }
        page.html("</div>\n");
        if let Some(more) = more(worked, question) {
            page.faint(&more);
        }
        page.html("</div>\n</div>\n");
        match is_key {
            true => page.paragraph(&format!(
                "Expanded next: {}. {}",
                joined(&letters(question, |node| node.is_right), "or"),
                answer(worked, question)
            )),
            false => page.html("<p class=\"next\">Expanded next: ________</p>\n"),
        }
        page.html("</section>\n");
    }
    page.finish()
}

/// Which search it is, and what its planner is said to do.
fn about(kind: &dyn DynGame, exercise: &Exercise, worked: &WorkedExercise) -> String {
    let name = SearchName::planner_of(&exercise.search);
    let planner = kind.planners().into_iter().find(|planner| planner.name == name);
    // With another weight, what is said of the estimate and of solutions need not hold.
    let about = planner.filter(|_| worked.weight.is_none()).map(|planner| planner.about);
    [Some(format!("{}.", exercise.search)), about.map(str::to_owned)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}

/// What the search expands next, in words.
fn rule(worked: &WorkedExercise) -> String {
    let (f, letters) = match worked.order {
        NodeOrder::FirstFound => {
            return "Of the nodes that wait, the one that was found first is expanded next: it has the least number \
                    in the column \"found\"."
                .into();
        }
        NodeOrder::LastFound => {
            return "Of the nodes that wait, the one that was found last is expanded next: it has the greatest number \
                    in the column \"found\". A node that is found again while it waits counts as found then."
                .into();
        }
        NodeOrder::Least(Evaluation::UniformCost) => {
            ("g".to_owned(), "g is the cost from the start")
        }
        NodeOrder::Least(Evaluation::Greedy) => {
            ("h".to_owned(), "h is the estimate of the cost to the goal")
        }
        NodeOrder::Least(Evaluation::AStar) => ("g + h".to_owned(), BOTH),
        NodeOrder::Least(Evaluation::Weighted(weight)) => (format!("g + {weight}·h"), BOTH),
    };
    let ties = match worked.ties {
        None => "Where several have the least f, each of them is a right answer.",
        Some(Ties::Fifo) => {
            "Of several with the least f it is the one that waits longest: it has the least number in the column \
             \"found\". A node to which a cheaper path is found counts as found then."
        }
        Some(Ties::Lifo) => {
            "Of several with the least f it is the one that was found last: it has the greatest number in the column \
             \"found\". A node to which a cheaper path is found counts as found then."
        }
        Some(Ties::LeastEstimate) => {
            "Of several with the least f it is one with the least h, and of these the one that was found first: it has \
             the least number in the column \"found\"."
        }
    };
    format!(
        "f = {f}, where {letters}. Of the nodes that wait, one with the least f is expanded next. {ties}"
    )
}

/// What g and h are.
const BOTH: &str = "g is the cost from the start and h the estimate of the cost to the goal";

/// What is to be done, and what the pictures show.
fn task(worked: &WorkedExercise) -> String {
    let fill = match worked.order {
        NodeOrder::Least(_) => {
            "Fill in f of each node that waits, then say which node is expanded next."
        }
        NodeOrder::FirstFound | NodeOrder::LastFound => "Say which node is expanded next.",
    };
    let pieces = match worked.start.others.is_empty() {
        true => "",
        false => {
            " The column \"pieces moved\" tells which pieces of a state stand elsewhere than at the start."
        }
    };
    format!(
        "Letters stand for the nodes that wait, in the cells (x,y) of their states; columns and rows are counted from \
         0. {fill}{pieces}"
    )
}

/// The nodes that wait, as a table.
fn table(
    worked: &WorkedExercise,
    question: &Question,
    is_key: bool,
) -> (Vec<String>, Vec<Vec<String>>) {
    let by_f = matches!(worked.order, NodeOrder::Least(_));
    let has_found = !by_f || worked.ties.is_some();
    let has_pieces = !worked.start.others.is_empty();
    let values = values(worked);
    let mut head = vec!["node", "cell"];
    head.extend(&values);
    head.extend(has_pieces.then_some("pieces moved"));
    head.extend(has_found.then_some("found"));
    head.extend(by_f.then_some(["g", "h", "f"]).into_iter().flatten());
    head.extend(is_key.then_some(""));
    let row = |(index, node): (usize, &WaitingNode)| {
        let WaitingNode { event, found, is_right } = node;
        let mut row = vec![letter(index), event.state.cell.to_string()];
        row.extend(values.iter().map(|name| {
            let value = event.state.values.iter().find(|(other, _)| other == name);
            value.map_or_else(String::new, |(_, value)| value.to_string())
        }));
        row.extend(has_pieces.then(|| match pieces_moved(&worked.start, &event.state) {
            none if none.is_empty() => "–".to_owned(),
            moved => moved,
        }));
        row.extend(has_found.then(|| found.to_string()));
        if by_f {
            let f = if is_key { event.f.to_string() } else { String::new() };
            row.extend([event.g.to_string(), event.h.to_string(), f]);
        }
        row.extend(is_key.then(|| if *is_right { "right" } else { "" }.to_owned()));
        row
    };
    let rows = question.listed.iter().enumerate().map(row).collect();
    (head.into_iter().map(str::to_owned).collect(), rows)
}

/// The names of the values of states that are not the same all the time.
fn values(worked: &WorkedExercise) -> Vec<&'static str> {
    let states = || worked.questions.iter().flat_map(|question| &question.listed);
    let start = worked.start.values.iter();
    let changing =
        start.filter(|value| states().any(|node| !node.event.state.values.contains(value)));
    changing.map(|&(name, _)| name).collect()
}

/// What waits beside the listed nodes.
fn more(worked: &WorkedExercise, question: &Question) -> Option<String> {
    let least = question.unlisted.iter().map(|node| node.event.f).min()?;
    let most = question.listed.iter().map(|node| node.event.f).max().unwrap_or_default();
    let how = match worked.order {
        NodeOrder::FirstFound => "found later",
        NodeOrder::LastFound => "found earlier",
        NodeOrder::Least(_) if least > most => "with a larger f",
        NodeOrder::Least(_) => "with no smaller f than these",
    };
    let count = counted(question.unlisted.len(), "more node waits", "more nodes wait");
    Some(format!("{count}, {how}."))
}

/// The letters of the nodes of which something holds, four and more in a row as the first and the last.
fn letters(question: &Question, holds: impl Fn(&WaitingNode) -> bool) -> Vec<String> {
    let listed = question.listed.iter().enumerate();
    let indexes: Vec<usize> =
        listed.filter(|(_, node)| holds(node)).map(|(index, _)| index).collect();
    let runs = indexes.chunk_by(|one, next| one + 1 == *next);
    runs.flat_map(|run| match run {
        [first, _, _, .., last] => vec![format!("{}–{}", letter(*first), letter(*last))],
        few => few.iter().map(|&index| letter(index)).collect(),
    })
    .collect()
}

/// Words with commas between them, and another word before the last one.
fn joined(words: &[String], before_last: &str) -> String {
    match words {
        [first @ .., end] if !first.is_empty() => {
            format!("{} {before_last} {end}", first.join(", "))
        }
        _ => words.concat(),
    }
}

/// Why what is expanded is expanded, in a sentence or two.
pub fn answer(worked: &WorkedExercise, question: &Question) -> String {
    let taken = letter(question.taken);
    match worked.order {
        NodeOrder::FirstFound => {
            return format!("Of the nodes that wait, {taken} was found first.");
        }
        NodeOrder::LastFound => return format!("Of the nodes that wait, {taken} was found last."),
        NodeOrder::Least(_) => {}
    }
    let Some(node) = question.listed.get(question.taken) else { return String::new() };
    let f = node.event.f;
    let h = node.event.h;
    let has_least = |node: &WaitingNode| node.event.f == f;
    let mut tied = letters(question, has_least);
    match question.unlisted.iter().filter(|node| has_least(node)).count() {
        0 if tied.len() == 1 && tied[0] == taken => {
            return format!("The least f is {f}, and only {taken} has it.");
        }
        0 => {}
        count => tied.push(counted(count, "node that is not listed", "nodes that are not listed")),
    }
    let tied = joined(&tied, "and");
    let why = match worked.ties {
        None => {
            return format!(
                "The least f is {f}: {tied} have it, and no rule of ties was chosen, so each of them is right. This \
                 search expanded {taken}."
            );
        }
        Some(Ties::Fifo) => "waits longest".to_owned(),
        Some(Ties::Lifo) => "was found last".to_owned(),
        Some(Ties::LeastEstimate) => {
            let all = question.listed.iter().chain(&question.unlisted);
            match all.filter(|node| has_least(node) && node.event.h == h).count() {
                1 => format!("has the least h, {h}"),
                _ => format!("has the least h, {h}, and was found first of those with this h"),
            }
        }
    };
    format!("The least f is {f}. Of the nodes with f = {f} ({tied}), {taken} {why}.")
}
