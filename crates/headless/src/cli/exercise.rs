//! `outwit exercise`.

use super::input::{is_input, read};
use super::names;
use super::rule_args::RuleArgs;
use super::source::find_level;
use super::{Answer, ExitStatus, Failure, print_json, print_line};
use crate::report::{answer, exercise_sheet, letter};
use clap::Args;
use outwit_core::levels::write;
use outwit_core::platform::interrupt::hold;
use outwit_core::play::StopFlag;
use outwit_kit::DynGame;
use outwit_kit::exercise::{Exercise, ExerciseError, Question, WorkedExercise, is_exercise};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What the sheet is called where nothing else is said.
const TITLE: &str = "What is expanded next?";

/// Make an exercise on a search: a sheet to be printed that asks which node is expanded next, and its key.
///
/// A search is a planner that searches, with settings or without, such as astar-h1 or astar-h1:ties=fifo: see 'outwit
/// compare'. Each stop is the number of an expansion: the sheet shows the board and all nodes that wait before it, with
/// a column for f to fill in. The key has f, the right answers and why. Where no rule of ties is chosen, each node of
/// the least f is right.
///
/// --output writes the exercise as a file, which holds the level too: given that file instead of a level, the same
/// sheet and key are written again, with another search, other stops or another title if they are named.
///
/// Example: outwit exercise pukoban/11-closet --search astar-h1:ties=fifo --sheet sheet.html --key key.html
///
/// Example: outwit exercise exercise.json --stops 4,9 --key key.html
#[derive(Args)]
pub struct Arguments {
    /// A level id or a file in any format, or an exercise file.
    #[arg(value_name = "LEVEL|FILE.json")]
    file: OsString,
    /// The search that the exercise is about.
    #[arg(long, value_name = "NAME[:SETTINGS]")]
    search: Option<String>,
    /// The numbers of the expansions that are asked for, from 2, in ascending order [default: up to 6 that leave a
    /// choice, spread over the search].
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    stops: Vec<usize>,
    /// What the sheet is called [default: What is expanded next?].
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    rules: RuleArgs,
    /// Write the exercise to a file. An existing file is kept under the same name with a ~.
    #[arg(long, value_name = "FILE.json")]
    output: Option<PathBuf>,
    /// Write the sheet that is filled in, as a page of HTML.
    #[arg(long, value_name = "FILE.html")]
    sheet: Option<PathBuf>,
    /// Write the key, as a page of HTML.
    #[arg(long, value_name = "FILE.html")]
    key: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let path = Path::new(&arguments.file);
    let pages = [&arguments.sheet, &arguments.key].into_iter().flatten();
    // The exercise may take the place of the file that it was made from, a page may not.
    let files = pages.clone().map(PathBuf::as_path).chain([path]);
    let written = pages.map(PathBuf::as_path).chain(arguments.output.as_deref());
    if let Some(twice) = named_twice(files).or_else(|| named_twice(written)) {
        let file = twice.display();
        return Err(Failure::usage(format!(
            "{file} is named twice: give each page a file of its own"
        )));
    }
    let hold = hold();
    let bytes = if is_input(path) { read(path)? } else { Vec::new() };
    let (kind, exercise, worked) = match &arguments.search {
        Some(search) if !is_exercise(&bytes) => make(arguments, search, hold.stop())?,
        _ => open(arguments, &bytes, hold.stop())?,
    };
    let sheet = |is_key| exercise_sheet(kind, &exercise, &worked, is_key);
    let mut written = Vec::new();
    let files: [(&Option<PathBuf>, &dyn Fn() -> String); 3] = [
        (&arguments.output, &|| exercise.text()),
        (&arguments.sheet, &|| sheet(false)),
        (&arguments.key, &|| sheet(true)),
    ];
    for (file, text) in files {
        if let Some(file) = file {
            write(file, text().as_bytes())?;
            written.push(file);
        }
    }
    let questions = worked.questions.iter();
    if arguments.json {
        print_json(&json!({
            "title": exercise.title,
            "game": exercise.game,
            "level": worked.level.name,
            "search": exercise.search,
            "questions": questions.map(|question| document(&worked, question)).collect::<Vec<_>>(),
            "written": written,
        }))?;
    } else {
        print_line(format!("{}: {}, {}", exercise.title, worked.level.name, exercise.search));
        for question in questions {
            let waiting = question.listed.len() + question.unlisted.len();
            let wait = if waiting == 1 { "node waits" } else { "nodes wait" };
            let taken = letter(question.taken);
            print_line(format!(
                "  expansion {}: {waiting} {wait}, {taken} is expanded. {}",
                question.stop,
                answer(&worked, question)
            ));
        }
        for file in written {
            print_line(format!("wrote {}", file.display()));
        }
    }
    Ok(Answer::Yes)
}

/// A file that two of these paths lead to.
fn named_twice<'a>(paths: impl Iterator<Item = &'a Path>) -> Option<&'a Path> {
    let mut seen = Vec::new();
    for path in paths {
        // What is not there yet is told by its folder and its name.
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok();
        let place = path.canonicalize().ok().or_else(|| Some(folder?.join(path.file_name()?)));
        let place = place.unwrap_or_else(|| path.to_owned());
        if seen.contains(&place) {
            return Some(path);
        }
        seen.push(place);
    }
    None
}

/// A game with an exercise on one of its levels, and what its sheet shows.
type Opened = (&'static dyn DynGame, Exercise, WorkedExercise);

/// Makes an exercise on a level.
fn make(arguments: &Arguments, search: &str, stop: &StopFlag) -> Result<Opened, Failure> {
    let found = find_level(&arguments.file, None)?;
    names::search(found.kind, search)?;
    let found = arguments.rules.apply(found)?;
    let kind = found.kind;
    let name = found.name();
    let level = kind.read(&found.bytes, &name).map_err(|faults| Failure::faults(&name, &faults))?;
    let texts = (arguments.title.as_deref().unwrap_or(TITLE), search);
    let (exercise, worked) = Exercise::make(kind, &level, texts, arguments.stops.clone(), stop)
        .map_err(|error| failed(blamed(arguments, &name, &error), &error))?;
    Ok((kind, exercise, worked))
}

/// Opens an exercise file with these bytes, changed as the arguments say.
fn open(arguments: &Arguments, bytes: &[u8], stop: &StopFlag) -> Result<Opened, Failure> {
    let path = Path::new(&arguments.file);
    let name = path.display().to_string();
    if !is_input(path) {
        return Err(Failure::usage(format!(
            "there is no exercise file '{name}'; name a search with --search to make an exercise on a level"
        )));
    }
    if !arguments.rules.is_empty() {
        let why = "--set changes a level, and an exercise has its own: leave it out, or name a level instead";
        return Err(Failure::usage(why.into()));
    }
    let of_file = |error: ExerciseError| failed(&name, &error);
    let exercise = Exercise::read(bytes).map_err(of_file)?;
    let kind = names::game(&exercise.game).map_err(|failure| Failure {
        lines: failure.lines.iter().map(|line| format!("{name}: {line}")).collect(),
        ..failure
    })?;
    let Arguments { search, stops, title, .. } = arguments;
    if search.is_none() && stops.is_empty() && title.is_none() {
        let worked = exercise.work(kind, stop).map_err(of_file)?;
        return Ok((kind, exercise, worked));
    }
    if let Some(search) = search {
        names::search(kind, search)?;
    }
    let stops = if stops.is_empty() { exercise.stops.clone() } else { stops.clone() };
    let texts = (
        title.as_deref().unwrap_or(&exercise.title),
        search.as_deref().unwrap_or(&exercise.search),
    );
    let level = exercise.level(kind).map_err(of_file)?;
    let (exercise, worked) = Exercise::make(kind, &level, texts, stops, stop)
        .map_err(|error| failed(blamed(arguments, &name, &error), &error))?;
    Ok((kind, exercise, worked))
}

/// Where what is wrong comes from: an option, or the level or file of this name.
fn blamed<'a>(arguments: &Arguments, name: &'a str, error: &ExerciseError) -> &'a str {
    let Arguments { search, stops, title, .. } = arguments;
    match error {
        ExerciseError::Text { what: "title", .. } if title.is_some() => "--title",
        ExerciseError::Stops(_) | ExerciseError::Beyond { .. } | ExerciseError::NotLeast(_)
            if !stops.is_empty() =>
        {
            "--stops"
        }
        ExerciseError::NoOrder(_) if search.is_some() => "--search",
        _ => name,
    }
}

/// What is wrong with an exercise, after the name of what it comes from.
fn failed(name: &str, error: &ExerciseError) -> Failure {
    match error {
        ExerciseError::Stopped => Failure::interrupted(vec!["interrupted".into()]),
        error => {
            let text = format!("{name}: {error}");
            Failure {
                lines: text.lines().map(str::to_owned).collect(),
                ..Failure::usage(String::new())
            }
        }
    }
}

/// A question with its answer.
fn document(worked: &WorkedExercise, question: &Question) -> Value {
    let listed = question.listed.iter().enumerate();
    let nodes = listed.map(|(index, node)| {
        json!({
            "letter": letter(index), "event": node.event, "found": node.found, "right": node.is_right,
        })
    });
    json!({
        "stop": question.stop,
        "waiting": question.listed.len() + question.unlisted.len(),
        "nodes": nodes.collect::<Vec<_>>(),
        "expanded": letter(question.taken),
        "why": answer(worked, question),
    })
}
