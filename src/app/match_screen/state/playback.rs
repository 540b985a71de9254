//! Which turn is shown, and whether the match runs.

use crate::app::match_screen::piece::ease;

/// The turn being shown in motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Animation {
    /// Its index.
    pub turn: usize,
    /// How much of it was shown, 0 to 1.
    pub time: f32,
    /// The same, eased.
    pub done: f32,
}

/// Speeds that the controls step through.
pub const SPEEDS: [f32; 8] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// Which turn is shown, and whether the match runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Playback {
    /// Number of turns that are shown as done; may lie before the present.
    pub view: usize,
    /// The last turn that was shown as done since the match began or was taken back to an earlier one.
    pub seen: usize,
    /// How much of the turn after that was shown, 0 to 1, not eased.
    pub moving: f32,
    /// Whether the match runs by itself.
    pub playing: bool,
    /// Whether one turn is to be shown though the match does not run.
    pub stepping: bool,
    /// Whether the rest of the match is played without showing its turns, while it runs.
    pub skipping: bool,
    /// Which of `SPEEDS`.
    pub speed: usize,
    /// The turn at which it was paused while it ran.
    pub paused_at: Option<usize>,
    /// Seconds that the opening is still shown: who plays whom, before the first turn moves.
    pub opening: f32,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            view: 0,
            seen: 0,
            moving: 0.0,
            playing: true,
            stepping: false,
            skipping: false,
            speed: 2,
            paused_at: None,
            opening: 0.0,
        }
    }
}

impl Playback {
    /// The turn in motion in a match of so many turns.
    pub fn animation(&self, turns: usize) -> Option<Animation> {
        let time = self.moving.clamp(0.0, 1.0);
        let done = ease(time);
        (self.view < turns && time > 0.0).then_some(Animation { turn: self.view, time, done })
    }

    /// Whether the rest of the match is being played without showing its turns.
    pub fn skips(&self) -> bool {
        self.playing && self.skipping
    }

    /// Whether it goes on by itself, if only by a turn.
    pub fn runs(&self) -> bool {
        self.playing || self.stepping
    }

    /// Lets the opening pass for so many seconds; returns whether it is still shown. Whoever looks at another
    /// turn, steps or pauses has seen enough of it.
    pub fn pass_opening(&mut self, seconds: f32) -> bool {
        let waits = self.view == 0 && self.moving == 0.0 && self.playing && !self.stepping;
        self.opening = if waits { (self.opening - seconds).max(0.0) } else { 0.0 };
        self.opening > 0.0
    }

    /// Whether nothing moves and nothing is about to.
    pub fn rests(&self) -> bool {
        !self.runs() && self.moving == 0.0
    }

    /// Neither runs nor steps any more; a turn in motion stays as it is.
    pub fn stop(&mut self) {
        self.playing = false;
        self.stepping = false;
        self.skipping = false;
    }

    /// Stops here, be it that the match itself is further on already.
    pub fn pause(&mut self) {
        self.stop();
        self.paused_at = Some(self.view + usize::from(self.moving > 0.0));
    }

    /// Whether it was paused at the turn that is shown.
    pub fn is_paused(&self) -> bool {
        !self.runs() && self.paused_at == Some(self.view)
    }

    /// Shows the state after `turn` turns.
    pub fn show(&mut self, turn: usize) {
        self.view = turn;
        self.seen = self.seen.max(turn);
        self.moving = 0.0;
    }

    /// Shows the turn in motion as done.
    pub fn finish_turn(&mut self) {
        self.show(self.view + 1);
    }

    /// Goes to the next higher speed, if there is one.
    pub fn faster(&mut self) {
        self.speed = (self.speed + 1).min(SPEEDS.len() - 1);
    }

    /// Goes to the next lower speed, if there is one.
    pub fn slower(&mut self) {
        self.speed = self.speed.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_in_motion_until_it_is_done() {
        let mut playback = Playback { playing: false, ..Playback::default() };
        assert!(playback.rests() && playback.animation(3).is_none());
        playback.moving = 0.5;
        assert!(!playback.rests() && !playback.runs());
        assert_eq!(playback.animation(3).map(|animation| animation.turn), Some(0));
        assert_eq!(playback.animation(0), None, "there is no such turn");
        playback.finish_turn();
        assert!(playback.rests() && playback.view == 1);
        playback.stepping = true;
        assert!(playback.runs() && !playback.rests());
        playback.stop();
        assert!(playback.rests());
    }

    #[test]
    fn the_opening_passes_or_is_cut_short() {
        let mut playback = Playback { opening: 2.0, ..Playback::default() };
        assert!(playback.pass_opening(1.5));
        assert!(!playback.pass_opening(1.0));
        playback.opening = 2.0;
        playback.stepping = true;
        assert!(!playback.pass_opening(0.1));
        playback = Playback { opening: 2.0, view: 1, ..Playback::default() };
        assert!(!playback.pass_opening(0.1));
    }

    #[test]
    fn the_speed_stays_within_its_list() {
        let mut playback = Playback::default();
        assert_eq!(SPEEDS[playback.speed], 1.0);
        (0..SPEEDS.len() + 1).for_each(|_| playback.faster());
        assert_eq!(playback.speed, SPEEDS.len() - 1);
        (0..SPEEDS.len() + 1).for_each(|_| playback.slower());
        assert_eq!(playback.speed, 0);
    }
}
