//! The match screen, the same for all games.
