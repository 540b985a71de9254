//! Files dropped on the window: level files are added to the user's levels, replays are opened.

use super::{ChosenGame, Setup, levels};
use crate::app::level_browser::Browser;
use crate::app::match_screen::MatchConfig;
use crate::app::shell::Screen;
use crate::app::shell::notice::Notice;
use crate::games::{recognise, replay_game};
use crate::levels as catalogue;
use crate::platform::store;
use crate::play::REPLAY_FORMAT;
use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use std::path::{Path, PathBuf};

#[allow(clippy::too_many_arguments)]
fn take(
    mut drops: MessageReader<FileDragAndDrop>,
    mut notices: MessageWriter<Notice>,
    mut setup: Option<ResMut<Setup>>,
    mut browser: Option<ResMut<Browser>>,
    screen: Res<State<Screen>>,
    mut chosen: Option<ResMut<ChosenGame>>,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
) {
    for dropped in drops.read() {
        let FileDragAndDrop::DroppedFile { path_buf, .. } = dropped else { continue };
        // The editor handles dropped files itself.
        if *screen.get() == Screen::Editor {
            continue;
        }
        if !matches!(screen.get(), Screen::Menu | Screen::Setup | Screen::Levels) {
            notices.write(Notice::info(
                "Drop levels on the menu, the set-up, the level browser or the editor, and replays on \
                 the menu or the set-up.",
            ));
            continue;
        }
        if let Some(text) = replay(path_buf) {
            let name = path_buf.file_stem().unwrap_or_default().to_string_lossy();
            match MatchConfig::watching(&text, &name, *screen.get()) {
                Ok(config) => {
                    // Going back leads to the set-up of the same game.
                    if *screen.get() == Screen::Setup {
                        commands.insert_resource(ChosenGame(config.game));
                    }
                    commands.insert_resource(config);
                    next.set(Screen::Match);
                }
                Err(why) => {
                    notices.write(Notice::error(why));
                }
            }
            continue;
        }
        match import(path_buf) {
            Ok(added) => {
                notices.write(Notice::info(added.message()));
                if let Some(browser) = &mut browser {
                    browser.reload(Some(&added.file));
                } else if let Some(setup) = &mut setup
                    && setup.kind.id() == added.game
                {
                    let first = setup.kind.first_level();
                    setup.levels = levels::Levels::new(added.game, &added.id, &first);
                    setup.pictures.clear();
                    setup.rules.clear();
                    setup.faults.clear();
                } else if let Some(chosen) = &mut chosen {
                    chosen.0 = added.game;
                }
            }
            Err(why) => {
                notices.write(Notice::error(why));
            }
        }
    }
}

/// The text of a file, if it is a replay.
fn replay(path: &Path) -> Option<String> {
    let text = String::from_utf8(catalogue::read(path).ok()?).ok()?;
    // Without the version, so that other versions get their own error message.
    let kind = REPLAY_FORMAT.split(' ').next()?;
    let head = text.get(..text.len().min(200)).unwrap_or(&text);
    (head.contains(kind) && replay_game(text.as_bytes()).is_some()).then_some(text)
}

/// A level that was added.
#[derive(Debug, PartialEq)]
struct Added {
    game: &'static str,
    id: String,
    file: PathBuf,
    lost: Vec<String>,
}

impl Added {
    fn message(&self) -> String {
        let lost = match self.lost.as_slice() {
            [] => String::new(),
            lost => format!(" Lost: {}.", lost.join(", ")),
        };
        format!("Added {}.{lost}", self.file.display())
    }
}

/// Copies a level in any known format to the user's folder of its game.
fn import(path: &Path) -> Result<Added, String> {
    let shown = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let bytes = catalogue::read(path).map_err(|error| error.to_string())?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let kind = recognise(&bytes, &shown)
        .ok_or_else(|| format!("{shown} is not a level for any known game."))?;
    let converted = kind.convert(&bytes, &shown, &[], "ron").map_err(|faults| {
        let lines: Vec<_> = faults.iter().take(5).map(|fault| fault.in_file(&shown)).collect();
        let more = faults.len().saturating_sub(lines.len());
        let more = if more > 0 { format!("\nand {more} more") } else { String::new() };
        format!("The level is not playable.\n{}{more}", lines.join("\n"))
    })?;
    let folder = catalogue::user_folder(kind.id())
        .ok_or("No data folder available. Set OUTWIT_DATA to choose one.")?;
    let (name, file) = free_name(&folder, &stem, &converted.bytes);
    catalogue::write(&file, &converted.bytes).map_err(|error| error.to_string())?;
    Ok(Added { game: kind.id(), id: format!("{}/{name}", kind.id()), file, lost: converted.lost })
}

/// A name for the level that is free, or taken by the same level.
fn free_name(folder: &Path, stem: &str, bytes: &[u8]) -> (String, PathBuf) {
    let plain: String = stem
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .take(60)
        .collect();
    let plain = match plain.trim_matches('-') {
        "" => "level",
        plain => plain,
    };
    std::iter::once(plain.to_owned())
        .chain((2u32..).map(|number| format!("{plain}-{number}")))
        .map(|name| {
            let file = folder.join(format!("{name}.ron"));
            (name, file)
        })
        .find(|(_, file)| {
            !store::exists(file) || catalogue::read(file).is_ok_and(|known| known == bytes)
        })
        .unwrap_or_else(|| (plain.to_owned(), folder.join(format!("{plain}.ron"))))
}

/// Handles dropped files.
pub fn plugin(app: &mut App) {
    app.add_systems(Update, take.in_set(crate::app::shell::Frame::Files));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_unused() {
        let folder = tempfile::tempdir().unwrap();
        let (name, file) = free_name(folder.path(), "../My Track!", b"x");
        assert_eq!(name, "my-track");
        assert!(file.starts_with(folder.path()));
        std::fs::write(&file, "y").unwrap();
        assert_eq!(free_name(folder.path(), "my track", b"x").0, "my-track-2");
        assert_eq!(free_name(folder.path(), "my track", b"y").0, "my-track");
        assert_eq!(free_name(folder.path(), "", b"x").0, "level");
    }

    #[test]
    fn replays_are_distinguished_from_levels() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("some.ron");
        std::fs::write(&file, "(format: \"outwit-replay 1\", game: \"racetrack\")").unwrap();
        let text = replay(&file).unwrap();
        let config = MatchConfig::watching(&text, "some", Screen::Menu).unwrap();
        assert_eq!((config.game, config.back), ("racetrack", Screen::Menu));
        std::fs::write(&file, "(format: \"outwit-replay 1\", game: \"chess\")").unwrap();
        let text = replay(&file).unwrap();
        let why = MatchConfig::watching(&text, "some", Screen::Menu).unwrap_err();
        assert!(why.contains("'chess'"), "{why}");
        let level = catalogue::built_in("racetrack/tiny").unwrap();
        std::fs::write(&file, level.bytes().unwrap()).unwrap();
        assert_eq!(replay(&file), None);
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
        // Dropping a file does not leave a match.
        app.world_mut().remove_resource::<MatchConfig>();
        app.world_mut().write_message(dropped(file));
        app.update();
        assert!(!app.world().contains_resource::<MatchConfig>());
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("note.txt");
        std::fs::write(&file, "hello").unwrap();
        assert!(import(&file).unwrap_err().contains("note.txt"));
        assert!(import(Path::new("no/such/file")).is_err());
    }
}
