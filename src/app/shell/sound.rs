//! Short sounds, at the volume of the settings.

use crate::app::shell::settings::Settings;
use bevy::audio::{PlaybackMode, Volume};
use bevy::prelude::*;
use bevy_asset_loader::asset_collection::AssetCollection;

/// The sounds; each is a file `sounds/NAME.wav`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sound {
    /// A collision or a push.
    Bump,
    /// A piece was caught or taken.
    Capture,
    /// A checkpoint was reached.
    Checkpoint,
    /// A car left the track.
    Crash,
    /// A car moved; faster cars sound higher.
    Engine,
    /// A piece got away.
    Escape,
    /// The goal was reached.
    Finish,
    /// A hint appeared.
    Hint,
    /// An action is not allowed.
    Refuse,
    /// A match starts.
    Start,
    /// A control was pressed, a piece moved.
    Tick,
}

impl Sound {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::Bump,
        Self::Capture,
        Self::Checkpoint,
        Self::Crash,
        Self::Engine,
        Self::Escape,
        Self::Finish,
        Self::Hint,
        Self::Refuse,
        Self::Start,
        Self::Tick,
    ];

    fn path(self) -> &'static str {
        match self {
            Self::Bump => "sounds/bump.wav",
            Self::Capture => "sounds/capture.wav",
            Self::Checkpoint => "sounds/checkpoint.wav",
            Self::Crash => "sounds/crash.wav",
            Self::Engine => "sounds/engine.wav",
            Self::Escape => "sounds/escape.wav",
            Self::Finish => "sounds/finish.wav",
            Self::Hint => "sounds/hint.wav",
            Self::Refuse => "sounds/refuse.wav",
            Self::Start => "sounds/start.wav",
            Self::Tick => "sounds/tick.wav",
        }
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

/// All sounds, loaded.
#[derive(Resource)]
pub struct Sounds(Vec<Handle<AudioSource>>);

impl AssetCollection for Sounds {
    fn create(world: &mut World) -> Self {
        let server = world.resource::<AssetServer>();
        Self(Sound::ALL.iter().map(|sound| server.load(sound.path())).collect())
    }

    fn load(world: &mut World) -> Vec<UntypedHandle> {
        let server = world.resource::<AssetServer>();
        Sound::ALL.iter().map(|s| server.load::<AudioSource>(s.path()).untyped()).collect()
    }
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
    for wish in wanted.read() {
        // The same sound twice in a frame would only be louder.
        if free == 0 || loudness * wish.volume <= 0.0 || begun.contains(&wish.sound) {
            continue;
        }
        let Some(source) = sounds.0.get(wish.sound as usize) else { continue };
        free -= 1;
        begun.push(wish.sound);
        commands.spawn((
            Playing,
            AudioPlayer::new(source.clone()),
            PlaybackSettings {
                mode: PlaybackMode::Despawn,
                volume: Volume::Linear(loudness * wish.volume.clamp(0.0, 1.0)),
                speed: wish.speed.clamp(0.25, 4.0),
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

/// Plays every [`PlaySound`].
pub fn plugin(app: &mut App) {
    app.add_message::<PlaySound>().add_systems(Update, (play, mute).chain());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sounds_are_listed_in_order() {
        for (index, &sound) in Sound::ALL.iter().enumerate() {
            assert_eq!(sound as usize, index);
        }
    }
}
