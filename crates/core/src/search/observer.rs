//! What a search tells whoever watches it.

use serde::Serialize;

/// What happened to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum EventKind {
    /// It was reached for the first time and joins the frontier.
    Generate,
    /// Its successors are about to be generated.
    Expand,
    /// A cheaper path to it was found.
    Update,
    /// All its successors were generated.
    Close,
    /// It is a goal, and the search ends here.
    Goal,
}

/// One event of a search.
pub struct NodeEvent<'a, S, A> {
    /// What happened.
    pub kind: EventKind,
    /// The node, counted from 0 in the order of generation.
    pub id: u32,
    /// The node that it was reached from; `None` for a root.
    pub parent: Option<u32>,
    /// Its evaluation.
    pub f: u64,
    /// Cost of the best known path to it.
    pub g: u32,
    /// Estimate of the cost to go.
    pub h: u32,
    /// Whether it belongs to the search that goes back from the goals.
    pub backward: bool,
    /// The state.
    pub state: &'a S,
    /// The action that led to it; `None` for a root.
    pub action: Option<&'a A>,
}

/// Watches a search. `()` watches nothing and costs nothing: with it the calls compile to nothing.
pub trait Observer<S, A> {
    /// Receives an event.
    fn event(&mut self, event: &NodeEvent<'_, S, A>);

    /// Receives the backward half of a solution after the two [goals](EventKind::Goal) of a search from both ends:
    /// its nodes from where the sides met on to a goal, each as a goal of the same evaluation.
    #[inline(always)]
    fn rest(&mut self, _node: &NodeEvent<'_, S, A>) {}
}

impl<S, A> Observer<S, A> for () {
    #[inline(always)]
    fn event(&mut self, _event: &NodeEvent<'_, S, A>) {}
}

impl<S, A, O: Observer<S, A>> Observer<S, A> for Option<O> {
    #[inline]
    fn event(&mut self, event: &NodeEvent<'_, S, A>) {
        if let Some(observer) = self {
            observer.event(event);
        }
    }

    #[inline]
    fn rest(&mut self, node: &NodeEvent<'_, S, A>) {
        if let Some(observer) = self {
            observer.rest(node);
        }
    }
}

impl<S, A, O: Observer<S, A>, P: Observer<S, A>> Observer<S, A> for (O, P) {
    #[inline]
    fn event(&mut self, event: &NodeEvent<'_, S, A>) {
        self.0.event(event);
        self.1.event(event);
    }

    #[inline]
    fn rest(&mut self, node: &NodeEvent<'_, S, A>) {
        self.0.rest(node);
        self.1.rest(node);
    }
}

impl<S, A, O: Observer<S, A>> Observer<S, A> for &mut O {
    #[inline]
    fn event(&mut self, event: &NodeEvent<'_, S, A>) {
        (**self).event(event);
    }

    #[inline]
    fn rest(&mut self, node: &NodeEvent<'_, S, A>) {
        (**self).rest(node);
    }
}
