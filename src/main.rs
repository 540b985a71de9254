//! Outwit from the command line; without a sub-command it opens the window.

fn main() {}
