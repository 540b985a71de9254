//! Files dropped on the window, and pasted text: levels are added to the user's levels, replays and links
//! are opened.

use crate::app::requests::{
    ChosenGame, Launch, LevelsAdded, MatchConfig, NoReplay, OpenInEditor, Screen,
};
use crate::app::shell::commands::{Command, KeyRow, command, ctrl, rows};
use crate::app::shell::keyboard::Presses;
use crate::app::shell::notice::Notice;
use crate::app::shell::replay_files;
use crate::app::shell::store::NoDataFolder;
use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use bevy_egui::{EguiClipboard, EguiContext, PrimaryEguiContext};
use outwit_core::levels as catalogue;
use outwit_core::levels::capitalised;
use outwit_core::platform::store;
use outwit_core::platform::store::StoreError;
use outwit_headless::cli::open_exercise;
use outwit_headless::editor::stem;
use outwit_headless::{link, recognise_or_say};
use outwit_kit::exercise::is_exercise;
use outwit_kit::{DynGame, foreign_pixels, is_replay};
use outwit_levels::{Entry, Source};
use std::path::{Path, PathBuf};

/// Asks to open a file as if it were dropped on the window.
#[derive(Message, Clone, PartialEq, Eq, Debug)]
pub struct OpenFile(pub PathBuf);

fn take(
    mut drops: MessageReader<FileDragAndDrop>,
    mut opened: MessageReader<OpenFile>,
    mut notices: MessageWriter<Notice>,
    mut levels: MessageWriter<LevelsAdded>,
    screen: Res<State<Screen>>,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
) {
    let dropped = drops.read().filter_map(|event| match event {
        FileDragAndDrop::DroppedFile { path_buf, .. } => Some(path_buf),
        _ => None,
    });
    for path_buf in dropped.chain(opened.read().map(|OpenFile(path)| path)) {
        // The editor handles dropped files itself.
        if *screen.get() == Screen::Editor {
            continue;
        }
        if !matches!(screen.get(), Screen::Menu | Screen::Setup | Screen::Levels | Screen::Replays)
        {
            notices.write(Notice::info(
                "Drop levels on the menu, the set-up, the level browser or the editor, and \
                 replays and exercises on the menu, the set-up, the level browser or the replay list.",
            ));
            continue;
        }
        if let Some(text) = match_in(path_buf) {
            let name = path_buf.file_stem().unwrap_or_default().to_string_lossy();
            if let Err(why) = watch(&text, &name, *screen.get(), &mut commands, &mut next) {
                notices.write(Notice::error(why));
            }
            continue;
        }
        if is_foreign_picture(path_buf) {
            // The editor asks what its colours mean.
            let source = Source::File(path_buf.clone());
            let entry = Entry { id: String::new(), source };
            commands.insert_resource(OpenInEditor(Some(entry)));
            next.set(Screen::Editor);
            continue;
        }
        match exercise_in(path_buf) {
            Some(Ok(launch)) => launch.enter(&mut commands, &mut next),
            Some(Err(why)) => {
                notices.write(Notice::error(why));
            }
            None => tell(import(path_buf), &mut notices, &mut levels),
        }
    }
}

/// Whether a file is a picture that holds no level beside its pixels.
fn is_foreign_picture(path: &Path) -> bool {
    catalogue::read_file(path).is_ok_and(|bytes| foreign_pixels(&bytes).is_some())
}

/// The exercise in a file, or what is wrong with it; `None` if the file is no exercise.
fn exercise_in(path: &Path) -> Option<Result<Launch, String>> {
    let bytes = catalogue::read_file(path).ok().filter(|bytes| is_exercise(bytes))?;
    let wanted = open_exercise(&bytes).map_err(|why| format!("{}: {why}.", name_of(path)));
    Some(wanted.and_then(|wanted| Launch::of(wanted).map_err(|why| why.to_string())))
}

/// Goes to the match screen to watch a replay.
fn watch(
    text: &str,
    name: &str,
    screen: Screen,
    commands: &mut Commands,
    next: &mut NextState<Screen>,
) -> Result<(), NoReplay> {
    let config = MatchConfig::watching(text, name, screen)?;
    // Going back leads to the set-up of the same game.
    if screen == Screen::Setup {
        commands.insert_resource(ChosenGame(config.game));
    }
    commands.insert_resource(config);
    next.set(Screen::Match);
    Ok(())
}

/// Tells what was added, the user and the screens that list levels.
fn tell(
    added: Result<Added, String>,
    notices: &mut MessageWriter<Notice>,
    levels: &mut MessageWriter<LevelsAdded>,
) {
    match added {
        Ok(added) => {
            notices.write(Notice::info(added.message()));
            levels.write(LevelsAdded { game: added.game, id: added.id, file: added.file });
        }
        Err(why) => {
            notices.write(Notice::error(why));
        }
    }
}

const PASTE: Command<()> = command(
    (),
    &[ctrl(KeyCode::KeyV)],
    "Add the levels in the text on the clipboard, or open the link",
);

const PASTE_REPLAY: Command<()> =
    command((), &[ctrl(KeyCode::KeyV)], "Watch the replay on the clipboard, or open the link");

/// The keys of the screen that lists replays, for help and manual.
pub fn replay_keys() -> Vec<KeyRow> {
    rows(&[PASTE_REPLAY])
}

/// The keys of the screens that list levels, for help and manual.
pub fn keys() -> Vec<KeyRow> {
    rows(&[PASTE])
}

/// Adds the levels in the text on the clipboard, watches the replay or opens the link, when its key is pressed
/// outside of text fields.
#[allow(clippy::too_many_arguments)]
pub fn paste(
    presses: Res<Presses>,
    screen: Res<State<Screen>>,
    mut context: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    mut clipboard: Option<ResMut<EguiClipboard>>,
    mut notices: MessageWriter<Notice>,
    mut levels: MessageWriter<LevelsAdded>,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
) {
    let here =
        matches!(screen.get(), Screen::Menu | Screen::Setup | Screen::Levels | Screen::Replays);
    if !here || !PASTE.just_pressed(&presses) {
        return;
    }
    if context.single_mut().is_ok_and(|mut context| context.get_mut().text_edit_focused()) {
        return;
    }
    let text = clipboard.as_mut().and_then(|clipboard| clipboard.get_text());
    let text = text.filter(|text| !text.trim().is_empty());
    if let Some(link) = text.as_deref().and_then(link::in_text) {
        match Launch::of_link(link) {
            Ok(launch) => launch.enter(&mut commands, &mut next),
            Err(why) => {
                notices.write(Notice::error(why));
            }
        }
        return;
    }
    if let Some(text) = text.as_deref().and_then(pasted_match) {
        if let Err(why) = watch(&text, "pasted", *screen.get(), &mut commands, &mut next) {
            notices.write(Notice::error(why));
        }
        return;
    }
    let added = match text {
        Some(_) if *screen.get() == Screen::Replays => {
            Err("The text on the clipboard is not a replay.".into())
        }
        Some(text) => add_text(&text),
        None => Err("There is no text on the clipboard.".into()),
    };
    tell(added, &mut notices, &mut levels);
}

/// A text that looks less like a level of any game than this is something else: the problems of a level would
/// only puzzle whoever pasted it.
const LEAST_LIKE: f32 = 0.3;

/// What messages call a pasted text.
const NAME: &str = "pasted.txt";

/// The replay that a pasted text is, or the only match that it records.
fn pasted_match(text: &str) -> Option<String> {
    match is_replay(text.as_bytes()) {
        true => Some(text.to_owned()),
        false => recorded_match(text.as_bytes(), NAME),
    }
}

/// Adds the levels in a pasted text.
fn add_text(text: &str) -> Result<Added, String> {
    let bytes = text.as_bytes();
    if recognise_or_say(bytes, NAME).is_ok_and(|kind| kind.format_score(bytes, NAME) < LEAST_LIKE) {
        return Err("The text on the clipboard is not a level. Paste moves in a match.".into());
    }
    add(bytes, NAME)
}

/// The replay in a file, or the only match that it records.
fn match_in(path: &Path) -> Option<String> {
    let bytes = catalogue::read_file(path).ok()?;
    if is_replay(&bytes) {
        return String::from_utf8(bytes).ok();
    }
    recorded_match(&bytes, &name_of(path))
}

/// The match that a file of another program records, if it is the only one and there are several players. Of a puzzle
/// the level is wanted, and not its solution.
fn recorded_match(bytes: &[u8], shown: &str) -> Option<String> {
    let kind = recognise_or_say(bytes, shown).ok()?;
    if *kind.facts().seats.allowed.end() == 1 {
        return None;
    }
    let mut recorded = kind.recorded(bytes, shown);
    match recorded.len() {
        1 => recorded.remove(0).replay.ok(),
        _ => None,
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Levels that were added.
#[derive(Debug, PartialEq)]
struct Added {
    game: &'static str,
    /// The id and the file of the first one.
    id: String,
    file: PathBuf,
    /// How many there are.
    count: usize,
    /// How many matches were added to the replays.
    replays: usize,
    /// What could not be kept, and which levels could not be added.
    lost: Vec<String>,
}

impl Added {
    fn message(&self) -> String {
        let lost = match self.lost.as_slice() {
            [] => String::new(),
            lost => format!(" Lost: {}.", lost.join(", ")),
        };
        let file = self.file.display();
        let id = outwit_levels::id_note(&self.id, &self.file);
        let replays = match self.replays {
            0 => String::new(),
            1 => " A recorded solution or game is among the replays.".into(),
            count => format!(" {count} recorded solutions or games are among the replays."),
        };
        match self.count {
            1 => format!("Added {file}.{id}{replays}{lost}"),
            count => format!("Added {count} levels, the first as {}.{id}{replays}{lost}", self.id),
        }
    }
}

/// Copies the levels of a file in any known format to the user's folder of their game.
fn import(path: &Path) -> Result<Added, String> {
    let shown = name_of(path);
    let bytes = catalogue::read_file(path).map_err(|error| error.to_string())?;
    add(&bytes, &shown)
}

/// The matches that a file records are added to the replays up to this number.
const MOST_REPLAYS: usize = 50;

/// Levels that cannot be added are listed up to this number.
const MOST_LISTED: usize = 5;

/// Adds the levels in the bytes of a file of this name. One that holds several adds those that can be
/// played.
fn add(bytes: &[u8], shown: &str) -> Result<Added, String> {
    let kind = recognise_or_say(bytes, shown)?;
    let stem = Path::new(shown).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let entries = kind.read_collection(bytes, shown).map_err(|faults| listed(&faults, shown))?;
    let single = entries.len() == 1;
    let mut lost = Vec::new();
    let mut broken = 0;
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in entries {
        let (name, source) = match single {
            true => (stem.clone(), bytes),
            false => (entry.name.clone(), entry.text.as_bytes()),
        };
        let file_name = if single { shown.to_owned() } else { format!("{name}.ron") };
        match kind.convert(source, &file_name, &[], "ron") {
            Ok(converted) => {
                let folder = outwit_levels::user_folder(kind.id()).ok_or(NoDataFolder)?;
                let file =
                    put(&folder, &name, &converted.bytes).map_err(|error| error.to_string())?;
                lost.extend(converted.lost);
                files.push(file);
            }
            Err(faults) if single => {
                return Err(format!("The level is not playable.\n{}", listed(&faults, shown)));
            }
            Err(_) => broken += 1,
        }
    }
    let Some(file) = files.first().cloned() else {
        return Err(format!("None of the {broken} levels in {shown} is playable."));
    };
    if broken > 0 {
        lost.push(format!("{broken} levels that are not playable"));
    }
    // What is skipped of the file of a single level is lost where it is converted.
    if !single {
        lost.extend(kind.skipped(bytes));
    }
    let levels = outwit_levels::user_levels();
    if !single && let Some(levels) = &levels {
        let title = kind.collection_title(bytes).unwrap_or_else(|| capitalised(&stem));
        outwit_levels::add_collection(levels, kind.id(), &title, &files)
            .map_err(|error| error.to_string())?;
    }
    let (replays, left) = add_recorded(kind, bytes, shown)?;
    if left > 0 {
        lost.push(format!("{left} more recordings of moves, which outwit replay plays"));
    }
    let count = files.len();
    let id = outwit_levels::id_of(levels.as_deref(), kind.id(), &file).unwrap_or_default();
    Ok(Added { game: kind.id(), id, file, count, replays, lost })
}

/// Adds the matches that a file records to the replays that the user saved. Returns how many there are now, and how many
/// were left out.
fn add_recorded(
    kind: &dyn DynGame,
    bytes: &[u8],
    shown: &str,
) -> Result<(usize, usize), StoreError> {
    let recorded = kind.recorded(bytes, shown).into_iter();
    let mut played = recorded.filter_map(|it| Some((it.level, it.title, it.replay.ok()?)));
    let folder = outwit_levels::data_folder().map(|data| replay_files::saved(&data));
    let mut added = 0;
    if let Some(folder) = folder {
        for (level, title, replay) in played.by_ref().take(MOST_REPLAYS) {
            let name = replay_files::name(kind.id(), &format!("{level} {title}"));
            put(&folder, name.trim_end_matches(".ron"), replay.as_bytes())?;
            added += 1;
        }
    }
    Ok((added, played.count()))
}

/// The first problems, one per line.
fn listed(faults: &[catalogue::Fault], file: &str) -> String {
    let lines: Vec<_> = faults.iter().take(MOST_LISTED).map(|fault| fault.in_file(file)).collect();
    let more = faults.len().saturating_sub(lines.len());
    let more = if more > 0 { format!("\nand {more} more") } else { String::new() };
    format!("{}{more}", lines.join("\n"))
}

/// Writes a level to the folder under a name that is free, unless the same level is there already;
/// returns its file.
fn put(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, StoreError> {
    let stem = stem(name);
    let same = |file: &PathBuf| catalogue::read_file(file).is_ok_and(|known| known == bytes);
    std::iter::once(format!("{stem}.ron"))
        .chain((2_u32..).map(|number| format!("{stem}-{number}.ron")))
        .map(|name| folder.join(name))
        .take_while(|file| store::exists(file))
        .find(same)
        .map_or_else(|| catalogue::write_new(&folder.join(format!("{stem}.ron")), bytes), Ok)
}

/// Handles dropped and opened files, and pasted levels and replays.
pub fn plugin(app: &mut App) {
    app.add_message::<LevelsAdded>().add_message::<OpenFile>().add_systems(
        Update,
        (take, paste.run_if(resource_exists::<Presses>))
            .chain()
            .in_set(crate::app::shell::Frame::Files),
    );
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    #[test]
    fn names_are_plain_and_unused() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, bytes: &[u8]| put(folder.path(), name, bytes).unwrap();
        let file = |name: &str| folder.path().join(name);
        assert_eq!(put("../My Level!", b"x"), file("my-level.ron"));
        assert_eq!(put("my level", b"y"), file("my-level-2.ron"));
        assert_eq!(put("my level", b"z"), file("my-level-3.ron"));
        for bytes in ["x", "y", "z"] {
            let there = put("my level", bytes.as_bytes());
            assert_eq!(std::fs::read_to_string(there).unwrap(), bytes);
        }
        assert_eq!(put("", b"x"), file("level.ron"));
        // Windows has devices of these names.
        assert_eq!(put("CON", b"x"), file("con-level.ron"));
        assert_eq!(put("lpt1", b"x"), file("lpt1-level.ron"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 6);
    }

    #[test]
    fn what_is_no_level_is_named() {
        for (bytes, said) in [
            (&b"\xff\xd8\xff\xe0\0\x10JFIF"[..], "JPEG"),
            (b"{\"format\":\"outwit-tournament 2\"}", "tournament"),
            (b"a letter", "not a level of any known game"),
        ] {
            let why = add(bytes, "Holiday.png").unwrap_err();
            assert!(why.starts_with("Holiday.png") && why.contains(said), "{why}");
        }
    }

    #[test]
    fn pasted_moves_are_not_taken_for_a_faulty_level() {
        for moves in ["rrddLLuurrUUddlu", "rrdd\nLLuu\nrrUU", "a letter"] {
            let why = add_text(moves).unwrap_err();
            assert!(why.contains("not a level") && !why.contains('\n'), "{why}");
        }
        let slip = "#######\n#.$@ &#\n#######";
        let why = add_text(slip).unwrap_err();
        assert!(why.contains("unknown character"), "the problems of a level: {why}");
    }

    #[test]
    fn replays_are_distinguished_from_levels() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("some.ron");
        std::fs::write(&file, "(format: \"outwit-replay 1\", game: \"racetrack\")").unwrap();
        let text = match_in(&file).unwrap();
        let config = MatchConfig::watching(&text, "some", Screen::Menu).unwrap();
        assert_eq!((config.game, config.back), ("racetrack", Screen::Menu));
        std::fs::write(&file, "(format: \"outwit-replay 1\", game: \"chess\")").unwrap();
        let text = match_in(&file).unwrap();
        let why = MatchConfig::watching(&text, "some", Screen::Menu).unwrap_err();
        assert_eq!(why, NoReplay::NoBoard("chess".into()));
        let level = outwit_levels::built_in("racetrack/tiny").unwrap();
        std::fs::write(&file, level.bytes().unwrap()).unwrap();
        assert_eq!(match_in(&file), None);
    }

    #[test]
    fn a_dropped_replay_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("some.ron");
        std::fs::write(&file, "(format: \"outwit-replay 1\", game: \"cops\")").unwrap();
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, bevy::state::app::StatesPlugin))
            .insert_state(Screen::Setup)
            .insert_resource(ChosenGame("racetrack"))
            .add_message::<FileDragAndDrop>()
            .add_message::<Notice>()
            .add_plugins(plugin);
        app.update();
        let window = Entity::PLACEHOLDER;
        let dropped = |path_buf| FileDragAndDrop::DroppedFile { window, path_buf };
        app.world_mut().write_message(dropped(file.clone()));
        app.update();
        app.update();
        let config = app.world().resource::<MatchConfig>();
        assert_eq!((config.game, config.back), ("cops", Screen::Setup));
        assert!(config.replay.is_some());
        assert_eq!(app.world().resource::<ChosenGame>().0, "cops");
        assert_eq!(*app.world().resource::<State<Screen>>().get(), Screen::Match);
        // Neither dropping a file nor opening one leaves a match.
        app.world_mut().remove_resource::<MatchConfig>();
        app.world_mut().write_message(dropped(file));
        app.update();
        assert!(!app.world().contains_resource::<MatchConfig>());
    }

    #[test]
    fn an_opened_file_is_handled_like_a_dropped_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("some.ron");
        std::fs::write(&file, "(format: \"outwit-replay 1\", game: \"cops\")").unwrap();
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, bevy::state::app::StatesPlugin))
            .insert_state(Screen::Levels)
            .add_message::<FileDragAndDrop>()
            .add_message::<Notice>()
            .add_plugins(plugin);
        app.world_mut().write_message(OpenFile(file));
        app.update();
        let config = app.world().resource::<MatchConfig>();
        assert_eq!((config.game, config.back), ("cops", Screen::Levels));
        app.world_mut().write_message(OpenFile(folder.path().join("missing.ron")));
        app.update();
        assert_eq!(app.world().resource::<Messages<Notice>>().len(), 1, "it says why not");
    }

    #[test]
    fn a_recorded_game_is_watched_and_a_puzzle_is_added() {
        let moves: String = (1..=4).map(|x| format!("{x},1,0\n{x},2,0\n")).collect();
        let won = format!("Piskvorky 15x15, 0:0, 0\n{moves}5,1,0\na\nb\n-1\n");
        let sgf = "(;GM[4]SZ[15];B[hh];W[ii])";
        for (text, name) in [(won.as_str(), "won.psq"), (sgf, "game.sgf"), (sgf, NAME)] {
            let replay = recorded_match(text.as_bytes(), name).unwrap();
            let config = MatchConfig::watching(&replay, name, Screen::Menu).unwrap();
            assert_eq!(config.game, "mnk");
        }
        let two = sgf.repeat(2);
        let solved = "#####\n#@$.#\n#####\n\nSolution\nR\n";
        for (text, name) in [(two.as_str(), "two.sgf"), (solved, "set.sok"), ("rrdd", NAME)] {
            assert_eq!(recorded_match(text.as_bytes(), name), None, "{name}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("note.txt");
        std::fs::write(&file, "hello").unwrap();
        assert!(import(&file).unwrap_err().contains("note.txt"));
        assert!(import(Path::new("no/such/file")).is_err());
    }

    /// What is no file would never end, and what is no level must not be added.
    #[test]
    fn hostile_files_are_refused_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let level = "(format: \"cops 1\", name: \"x\", map: [\"...\"], rules: (size: 4294967295))";
        let wide =
            format!("(format: \"racetrack 1\", name: \"x\", map: [\"{}\"])", ".".repeat(70_000));
        let utf16: Vec<u8> = level.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let contents: [&[u8]; 14] = [
            b"",
            &[0; 5_000],
            level.as_bytes(),
            wide.as_bytes(),
            &[&[0xff, 0xfe][..], &utf16].concat(),
            b"\xff\xd8\xff\xe0 a photograph",
            b"BM a bitmap",
            b"GIF89a",
            b"\x89PNG\r\n\x1a\n",
            &b"(".repeat(100_000),
            b"dim: 4294967295 4294967295",
            b"(format:\"outwit-replay 9\",game:\"mnk\")",
            b"{\"format\":\"outwit-tournament 2\"}",
            "(format: \"pukoban 1\", name: \"\u{1b}[31m\", map: [\"\u{2603}\"])".as_bytes(),
        ];
        let mut files = Vec::new();
        for (number, bytes) in contents.into_iter().enumerate() {
            for ending in ["ron", "png", "txt", "track"] {
                let file = folder.path().join(format!("{number}.{ending}"));
                std::fs::write(&file, bytes).unwrap();
                files.push(file);
            }
        }
        files.push(folder.path().into());
        #[cfg(unix)]
        for (name, to) in [("loop", "loop"), ("dangling", "nowhere"), ("endless", "/dev/zero")] {
            let file = folder.path().join(name);
            std::os::unix::fs::symlink(to, &file).unwrap();
            files.push(file);
        }
        #[cfg(target_os = "linux")]
        {
            let pipe = folder.path().join("pipe.ron");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
            assert!(made.success());
            files.push(pipe);
        }
        for file in files {
            if let Some(text) = match_in(&file) {
                assert!(MatchConfig::watching(&text, "some", Screen::Menu).is_ok());
            } else {
                assert_ne!(import(&file).unwrap_err(), "", "{}", file.display());
            }
        }
    }
}
