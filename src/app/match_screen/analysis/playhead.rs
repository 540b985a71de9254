//! Where one stands in a recording of many events, and how it plays by itself.

/// Seconds to play through a whole recording, and the least number of events per second.
const PLAYBACK: (f32, f32) = (60.0, 6.0);

/// A step through the snapshots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scrub {
    /// To the first.
    First,
    /// To the one before.
    Back,
    /// Play through them, or stop.
    Play,
    /// To the next.
    Forward,
    /// To the last, and to each new one.
    Last,
    /// To the next breakpoint, among events.
    Run,
}

/// A place in a recording.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Playhead {
    /// The number of the shown event.
    pub at: usize,
    /// Whether it plays by itself.
    pub playing: bool,
    shown_for: f32,
}

impl Playhead {
    /// Stands still at an event.
    pub fn at_event(at: usize) -> Self {
        Self { at, ..Self::default() }
    }

    /// Steps through events of which this is the last. Where a run stops is not known here.
    pub fn scrub(&mut self, scrub: Scrub, last: usize) {
        let plays = scrub == Scrub::Play && !self.playing;
        self.playing = plays;
        self.at = match scrub {
            Scrub::First => 0,
            Scrub::Back => self.at.saturating_sub(1),
            Scrub::Forward => (self.at + 1).min(last),
            Scrub::Last => last,
            // Playing from the end begins at the start.
            Scrub::Play if plays && self.at >= last => 0,
            Scrub::Play | Scrub::Run => self.at,
        };
    }

    /// Goes on as time passes, as far as this event.
    pub fn play(&mut self, seconds: f32, last: usize) {
        if !self.playing {
            return;
        }
        let per_second = (last as f32 / PLAYBACK.0).max(PLAYBACK.1);
        self.shown_for += seconds;
        let steps = (self.shown_for * per_second) as usize;
        self.shown_for -= steps as f32 / per_second;
        self.at = (self.at + steps).min(last);
        self.playing = self.at < last;
    }
}
