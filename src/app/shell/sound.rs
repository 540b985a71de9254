//! Short sounds, at the volume of the settings.

use crate::app::shell::Frame;
use crate::app::shell::settings::Settings;
use bevy::audio::{PlaybackMode, Volume};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_asset_loader::asset_collection::AssetCollection;
use std::collections::BTreeSet;

/// A sound; each is a file `sounds/NAME.wav`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sound {
    /// A hint appeared.
    Hint,
    /// An action is not allowed.
    Refuse,
    /// A match starts.
    Start,
    /// A control was pressed, a piece moved.
    Tick,
    /// A sound of a board, by name; its board lists it.
    Named(&'static str),
}

impl Sound {
    fn name(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Refuse => "refuse",
            Self::Start => "start",
            Self::Tick => "tick",
            Self::Named(name) => name,
        }
    }
}

/// What a sound tells of: each kind has a volume of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SoundKind {
    /// Pieces that move.
    Moves,
    /// What happens in a match: a crash, a capture, the end.
    Events,
    /// Controls, hints and refusals.
    Controls,
}

/// The sounds to load; boards name theirs.
#[derive(Resource, Clone, Debug)]
pub struct SoundNames(pub BTreeSet<&'static str>);

impl Default for SoundNames {
    fn default() -> Self {
        let own = [Sound::Hint, Sound::Refuse, Sound::Start, Sound::Tick];
        Self(own.map(Sound::name).into())
    }
}

/// A message that plays a sound.
#[derive(Message, Clone, Copy, PartialEq, Debug)]
pub struct PlaySound {
    /// The sound.
    pub sound: Sound,
    /// Playback speed, which also changes the pitch; 1 is as recorded.
    pub speed: f32,
    /// Volume, 0 to 1, which is multiplied by that of the settings.
    pub volume: f32,
    /// What it tells of.
    pub kind: SoundKind,
}

impl PlaySound {
    /// The sound of a piece that moves, so loud.
    pub const fn of_move(name: &'static str, volume: f32) -> Self {
        Self { sound: Sound::Named(name), speed: 1.0, volume, kind: SoundKind::Moves }
    }

    /// The same, faster and so higher, or slower.
    #[must_use]
    pub const fn at_speed(self, speed: f32) -> Self {
        Self { speed, ..self }
    }

    /// The same, so loud.
    #[must_use]
    pub const fn at_volume(self, volume: f32) -> Self {
        Self { volume, ..self }
    }
}

impl From<Sound> for PlaySound {
    fn from(sound: Sound) -> Self {
        let kind = match sound {
            Sound::Named(_) => SoundKind::Events,
            Sound::Hint | Sound::Refuse | Sound::Start | Sound::Tick => SoundKind::Controls,
        };
        Self { sound, speed: 1.0, volume: 1.0, kind }
    }
}

/// All sounds by name, loaded.
#[derive(Resource)]
pub struct Sounds(HashMap<&'static str, Handle<AudioSource>>);

impl AssetCollection for Sounds {
    fn create(world: &mut World) -> Self {
        let server = world.resource::<AssetServer>();
        let names = world.resource::<SoundNames>().0.iter();
        Self(names.map(|name| (*name, server.load(sound_path(name)))).collect())
    }

    fn load(world: &mut World) -> Vec<UntypedHandle> {
        let server = world.resource::<AssetServer>();
        let names = world.resource::<SoundNames>().0.iter();
        names.map(|name| server.load::<AudioSource>(sound_path(name)).untyped()).collect()
    }
}

fn sound_path(name: &str) -> String {
    format!("sounds/{name}.wav")
}

/// The maximum number of sounds at once.
const MAX_PLAYING: usize = 6;

/// A sound that is being played.
#[derive(Component)]
struct Playing;

fn play(
    mut commands: Commands,
    mut wanted: MessageReader<PlaySound>,
    sounds: Option<Res<Sounds>>,
    settings: Res<Settings>,
    playing: Query<&Playing>,
) {
    let Some(sounds) = sounds else { return wanted.clear() };
    let mut free = MAX_PLAYING.saturating_sub(playing.iter().len());
    let mut begun: Vec<Sound> = Vec::new();
    for request in wanted.read() {
        let loudness = settings.loudness_of(request.kind) * request.volume.clamp(0.0, 1.0);
        // The same sound twice in a frame is only louder.
        if free == 0 || loudness <= 0.0 || begun.contains(&request.sound) {
            continue;
        }
        let Some(source) = sounds.0.get(request.sound.name()) else { continue };
        free -= 1;
        begun.push(request.sound);
        commands.spawn((
            Playing,
            AudioPlayer::new(source.clone()),
            PlaybackSettings {
                mode: PlaybackMode::Despawn,
                volume: Volume::Linear(loudness),
                speed: request.speed.clamp(0.25, 4.0),
                ..PlaybackSettings::ONCE
            },
        ));
    }
}

/// Muting cuts playing sounds immediately.
fn mute(mut commands: Commands, settings: Res<Settings>, playing: Query<Entity, With<Playing>>) {
    if settings.is_changed() && settings.loudness() <= 0.0 {
        for entity in &playing {
            commands.entity(entity).despawn();
        }
    }
}

/// Plays each [`PlaySound`] at the loudness of the settings, a few at once.
pub fn plugin(app: &mut App) {
    app.init_resource::<SoundNames>()
        .add_message::<PlaySound>()
        .add_systems(Update, (play, mute).chain().in_set(Frame::Report));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::Path;

    /// The samples of a sound file as `make.py` writes them, -1 to 1.
    fn samples(path: &Path) -> Vec<f64> {
        const HEADER: usize = 44;
        let bytes = std::fs::read(path).unwrap();
        let pairs = bytes[HEADER..].chunks_exact(2);
        pairs.map(|pair| f64::from(i16::from_le_bytes([pair[0], pair[1]])) / 32768.0).collect()
    }

    #[test]
    fn no_sound_is_louder_than_speech() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sounds");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut heard = 0;
        for file in files.filter(|file| file.extension().is_some_and(|end| end == "wav")) {
            let samples = samples(&file);
            // A tenth of a second at 22,050 samples a second.
            let loudest = samples
                .chunks(2205)
                .map(|part| (part.iter().map(|v| v * v).sum::<f64>() / 2205.0).sqrt())
                .fold(0.0, f64::max);
            assert!((0.01..0.101).contains(&loudest), "{}: {loudest}", file.display());
            assert!(samples.iter().all(|v| v.abs() <= 0.51), "{}", file.display());
            heard += 1;
        }
        assert!(heard > 15);
    }
}
