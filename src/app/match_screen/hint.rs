//! Hints in steps: first where to look, then what it is about, then the move itself.

mod paint;

pub(super) use paint::paint;

use outwit_core::grid::Cell;

/// A hint for a person, to be given in steps.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint<A> {
    /// The move.
    pub action: A,
    /// Where to look, until the move itself is shown.
    pub look: Vec<Cell>,
    /// Where to look, what it is about, and which move: a sentence each.
    pub steps: [String; 3],
}

impl<A> Hint<A> {
    /// A hint that is given as a whole at once.
    pub fn at_once(action: A, words: String) -> Self {
        Self { action, look: Vec::new(), steps: std::array::from_fn(|_| words.clone()) }
    }
}

/// The hint for a turn, and how much of it was given.
pub(super) struct GivenHint<A> {
    /// The turn that it is for.
    pub turn: usize,
    /// The hint.
    pub hint: Hint<A>,
    step: usize,
}

/// As much of a hint as was given.
pub struct ShownHint<'a> {
    /// What it says.
    pub words: &'a str,
    /// Whether that is all of it.
    pub is_whole: bool,
    /// Where to look, until it names the move.
    pub look: &'a [Cell],
}

impl<A> GivenHint<A> {
    /// Gives the first step, or all where that says the same.
    pub fn new(turn: usize, hint: Hint<A>) -> Self {
        let [first, .., last] = &hint.steps;
        let step = if first == last { hint.steps.len() - 1 } else { 0 };
        Self { turn, hint, step }
    }

    /// Gives one step more; the last one stays.
    pub fn go_on(&mut self) {
        self.step = (self.step + 1).min(self.hint.steps.len() - 1);
    }

    /// Whether the move itself is shown.
    pub fn is_whole(&self) -> bool {
        self.step + 1 == self.hint.steps.len()
    }

    /// The sentence of the step that was given last.
    fn words(&self) -> &str {
        &self.hint.steps[self.step]
    }

    /// What is given of it.
    pub fn shown(&self) -> ShownHint<'_> {
        let is_whole = self.is_whole();
        let look = if is_whole { &[][..] } else { &self.hint.look };
        ShownHint { words: self.words(), is_whole, look }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_given_at_once() {
        let given = GivenHint::new(3, Hint::at_once((), "all of it".into()));
        assert!(given.is_whole() && given.words() == "all of it");
    }

    #[test]
    fn a_hint_is_given_step_by_step() {
        let steps = ["where", "what", "which"].map(str::to_owned);
        let mut given = GivenHint::new(3, Hint { action: (), look: Vec::new(), steps });
        let mut said = Vec::new();
        for _ in 0..4 {
            said.push((given.words().to_owned(), given.is_whole()));
            given.go_on();
        }
        let words: Vec<_> = said.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(words, ["where", "what", "which", "which"]);
        assert_eq!(said.iter().filter(|(_, whole)| *whole).count(), 2);
    }
}
