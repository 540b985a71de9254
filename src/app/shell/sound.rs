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
}

impl From<Sound> for PlaySound {
    fn from(sound: Sound) -> Self {
        Self { sound, speed: 1.0, volume: 1.0 }
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
    let loudness = settings.loudness();
    let mut free = MAX_PLAYING.saturating_sub(playing.iter().len());
    let mut begun: Vec<Sound> = Vec::new();
    for request in wanted.read() {
        // The same sound twice in a frame is only louder.
        if free == 0 || loudness * request.volume <= 0.0 || begun.contains(&request.sound) {
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
                volume: Volume::Linear(loudness * request.volume.clamp(0.0, 1.0)),
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
