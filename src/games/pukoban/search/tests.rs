//! The packed search against brute force over the plain rules.
