//! Rules, levels, notation.
