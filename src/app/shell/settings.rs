//! The user's settings, stored in a RON file.

use crate::app::requests::MatchTime;
use crate::app::shell::activity::Activity;
use crate::app::shell::notice::Notice;
use crate::app::shell::rivals::BeatenRivals;
use crate::app::shell::sound::SoundKind;
use crate::app::shell::store::{Loaded, UpdateError, load_file, update_file};
use bevy::prelude::*;
use outwit_core::escape::{escaped, is_visible, on_one_line};
use outwit_core::play::Budget;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Name of the file in the data folder.
pub const FILE: &str = "settings.ron";

/// Dark or light.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum ThemeChoice {
    /// Each game's own, and the system's elsewhere.
    #[default]
    Game,
    /// The system's theme, or dark if it has none.
    System,
    /// Deep ink blue.
    Dark,
    /// Warm paper.
    Light,
}

/// How much is animated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Motion {
    /// All animations.
    #[default]
    Full,
    /// Only moves of pieces, short and linear.
    Reduced,
    /// No animations.
    Off,
}

/// How loud each kind of sound is, 0 to 1, beside the volume of all.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct KindVolumes {
    /// Pieces that move.
    pub moves: f32,
    /// What happens in a match.
    pub events: f32,
    /// Controls, hints and refusals.
    pub controls: f32,
}

impl Default for KindVolumes {
    fn default() -> Self {
        Self { moves: 1.0, events: 1.0, controls: 1.0 }
    }
}

/// The last set-up of a game, used for the next one.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LastSetup {
    /// Id of the level.
    pub level: String,
    /// The players by seat, as `human` or a planner's name.
    pub players: Vec<String>,
    /// Rules that differed from the level's, as key and text of the value.
    pub rules: Vec<(String, String)>,
    /// The budget in the form of [`Budget`]; empty for the default.
    pub budget: String,
    /// Time limit of a human player's move in seconds; 0 for none.
    pub clock: u32,
    /// The time for the whole match, if that is limited instead.
    pub match_time: Option<MatchTime>,
}

/// The settings, and what the program remembers by itself.
#[derive(Resource, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Dark or light.
    pub theme: ThemeChoice,
    /// Scale of text and controls; 1 is normal.
    pub ui_scale: f32,
    /// Whether sound is on.
    pub sound: bool,
    /// Volume of all sounds, 0 to 1.
    pub volume: f32,
    /// Volume of each kind of sound.
    pub volumes: KindVolumes,
    /// How much is animated.
    pub motion: Motion,
    /// The default budget of a planner per turn, in the form of [`Budget`].
    pub budget: String,
    /// The player's name, shown with records.
    pub player: String,
    /// Whether overlays are on at the start of a match.
    pub overlays: bool,
    /// Whether the lines between cells are drawn on every board.
    pub grid: bool,
    /// Whether matches that are watched are commented.
    pub commentary: bool,
    /// Whether the panel beside the board is shown, where there is room for it.
    pub panel: bool,
    /// Width and height of the window, in points.
    pub window: (u32, u32),
    /// The last set-up of each game.
    pub setups: BTreeMap<String, LastSetup>,
    /// The planners that the player has beaten.
    pub beaten: BeatenRivals,
    /// How many matches of each game the player has finished, by its id.
    pub finished: BTreeMap<String, u32>,
    /// The games whose lesson the player has finished, by their ids.
    pub lessons: BTreeSet<String>,
    /// Commands of programs that took a seat, the last one first. They are offered as text; nothing here is started.
    pub programs: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::default(),
            ui_scale: 1.0,
            sound: true,
            volume: 0.6,
            volumes: KindVolumes::default(),
            motion: Motion::Full,
            budget: Budget::default().to_string(),
            player: String::new(),
            overlays: true,
            grid: false,
            commentary: true,
            panel: true,
            window: (1280, 800),
            setups: BTreeMap::new(),
            beaten: BeatenRivals::new(),
            finished: BTreeMap::new(),
            lessons: BTreeSet::new(),
            programs: Vec::new(),
        }
    }
}

/// The allowed scales of text and controls.
pub const UI_SCALES: std::ops::RangeInclusive<f32> = 0.75..=2.5;

/// The smallest window size, in points, where the monitor has room for it.
pub const LEAST_WINDOW: (u32, u32) = (1024, 640);

/// The smallest window size of a settings file, in points: what a small monitor left.
const LEAST_SAVED: (u32, u32) = (480, 320);

/// Matches of a game after which its keys are known.
const FIRST_MATCHES: u32 = 3;

impl Settings {
    /// Whether the player has finished only few matches of a game.
    pub fn is_new_to(&self, game: &str) -> bool {
        self.finished.get(game).is_none_or(|&finished| finished < FIRST_MATCHES)
    }

    /// The default budget of a planner per turn.
    pub fn budget(&self) -> Budget {
        self.budget.parse().unwrap_or_default()
    }

    /// The volume of sounds, 0 if sound is off.
    pub fn loudness(&self) -> f32 {
        if self.sound { self.volume } else { 0.0 }
    }

    /// The volume of sounds of a kind, 0 if sound is off.
    pub fn loudness_of(&self, kind: SoundKind) -> f32 {
        let KindVolumes { moves, events, controls } = self.volumes;
        let own = match kind {
            SoundKind::Moves => moves,
            SoundKind::Events => events,
            SoundKind::Controls => controls,
        };
        self.loudness() * own
    }

    /// The settings with every value clamped to its range: a file may contain anything.
    fn in_range(mut self) -> Self {
        let default = Self::default();
        let within = |value: f32, range: std::ops::RangeInclusive<f32>, default: f32| {
            if value.is_finite() { value.clamp(*range.start(), *range.end()) } else { default }
        };
        self.ui_scale = within(self.ui_scale, UI_SCALES, default.ui_scale);
        self.volume = within(self.volume, 0.0..=1.0, default.volume);
        let KindVolumes { moves, events, controls } = &mut self.volumes;
        for volume in [moves, events, controls] {
            *volume = within(*volume, 0.0..=1.0, 1.0);
        }
        if self.budget.parse::<Budget>().is_err() {
            self.budget = default.budget;
        }
        self.player = on_one_line(&self.player).chars().take(40).collect();
        self.programs.retain(|command| is_visible(command) && command.len() <= 4096);
        self.programs.truncate(8);
        self.window.0 = self.window.0.clamp(LEAST_SAVED.0, 8192);
        self.window.1 = self.window.1.clamp(LEAST_SAVED.1, 8192);
        self
    }
}

impl Settings {
    /// Puts what differs here from `before` into what the file holds now: another copy of the program
    /// may have changed the rest.
    fn merge_into(&self, before: &Self, there: &mut Self) {
        macro_rules! merge {
            ($($field:ident),*) => {$(
                if self.$field != before.$field {
                    there.$field.clone_from(&self.$field);
                }
            )*};
        }
        merge!(
            theme, ui_scale, sound, volume, volumes, motion, budget, player, overlays, grid,
            commentary, panel, window, programs
        );
        for (game, setup) in &self.setups {
            if before.setups.get(game) != Some(setup) {
                there.setups.insert(game.clone(), setup.clone());
            }
        }
        there.lessons.extend(self.lessons.iter().cloned());
        for (game, rivals) in &self.beaten {
            there.beaten.entry(game.clone()).or_default().extend(rivals.iter().cloned());
        }
        for (game, &finished) in &self.finished {
            let known = there.finished.entry(game.clone()).or_default();
            *known = finished.max(*known);
        }
    }

    /// Saves what has changed since `before`.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn save(&self, before: &Self) -> Result<(), UpdateError> {
        update_file(FILE, |there: &mut Self| self.merge_into(before, there))
    }
}

/// Loads the settings from the data folder, with a message for the user if that fails.
pub fn load() -> (Settings, Option<String>) {
    let Loaded { value, message } = load_file::<Settings>(FILE, "Your settings");
    (value.in_range(), message)
}

/// Settings are written after this many seconds without a change: a slider would write each step.
const SETTLE: f32 = 0.5;

fn save_when_settled(
    settings: Res<Settings>,
    time: Res<Time<Real>>,
    mut saved: Local<Option<Settings>>,
    mut quiet: Local<f32>,
    mut notices: MessageWriter<Notice>,
    activity: Res<Activity>,
) {
    let known = saved.get_or_insert_with(|| settings.clone());
    if *known == *settings {
        return;
    }
    *quiet = if settings.is_changed() { 0.0 } else { *quiet + time.delta_secs() };
    if *quiet < SETTLE {
        activity.wake_in(Duration::from_secs_f32(SETTLE - *quiet));
        return;
    }
    let before = std::mem::replace(known, settings.clone());
    if let Err(error) = settings.save(&before) {
        notices.write(Notice::error(format!("Could not save your settings. {error}")));
    }
}

fn save_on_exit(
    settings: Res<Settings>,
    at_start: Res<SettingsAtStart>,
    mut exits: MessageReader<AppExit>,
) {
    if exits.read().next().is_some()
        && at_start.0 != *settings
        && let Err(error) = settings.save(&at_start.0)
    {
        error!("Could not save your settings. {}", escaped(&error.to_string()));
    }
}

/// The settings at the start of the session.
#[derive(Resource)]
struct SettingsAtStart(Settings);

/// Adds these settings, and saves them when they change.
pub fn plugin(app: &mut App) {
    let settings = app.world_mut().get_resource_or_init::<Settings>().clone();
    app.insert_resource(SettingsAtStart(settings))
        .add_systems(Update, save_when_settled)
        .add_systems(Last, save_on_exit);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_core::levels::read_ron;
    use outwit_fuzzing::read_altered;
    use proptest::prelude::*;

    #[test]
    fn unknown_fields_are_refused_or_ignored_but_never_fatal() {
        let parsed: Settings = read_ron(b"(ui_scale: 900.0, window: (1, 99999))").unwrap();
        let parsed = parsed.in_range();
        assert_eq!(parsed.ui_scale, 2.5);
        assert_eq!(parsed.window, (LEAST_SAVED.0, 8192));
    }

    #[test]
    fn what_another_copy_changed_stays() {
        let before = Settings::default();
        let setup = |level: &str| LastSetup { level: level.into(), ..LastSetup::default() };
        let mut mine = Settings { volume: 0.25, ..before.clone() };
        mine.setups.insert("cops".into(), setup("mine"));
        let mut there = Settings { player: "Ada".into(), ..before.clone() };
        there.setups.insert("racetrack".into(), setup("theirs"));
        mine.lessons.insert("cops".into());
        there.lessons.insert("racetrack".into());
        mine.merge_into(&before, &mut there);
        assert_eq!((there.volume, there.player.as_str()), (0.25, "Ada"));
        assert_eq!(there.setups.len(), 2);
        assert_eq!(there.lessons.len(), 2);
    }

    #[test]
    fn altered_settings_do_no_harm() {
        let sample = include_bytes!("../../../tests/data/version-0.1/data/settings.ron");
        read_altered(sample, |bytes| read_ron::<Settings>(bytes).map(Settings::in_range).is_ok());
    }

    proptest! {
        #[test]
        fn any_bytes_are_settings_or_an_error(bytes: Vec<u8>) {
            if let Ok(settings) = read_ron::<Settings>(&bytes) {
                let _ = settings.in_range();
            }
        }

        #[test]
        fn what_is_written_is_read(scale in 0.75f32..2.5, volume in 0.0f32..1.0, player in ".{0,20}") {
            let settings = Settings { ui_scale: scale, volume, player, ..Settings::default() }
                .in_range();
            let text = crate::app::shell::store::to_text(&settings).unwrap();
            prop_assert_eq!(read_ron::<Settings>(text.as_bytes()).unwrap(), settings);
        }
    }
}
