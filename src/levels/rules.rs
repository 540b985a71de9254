//! Rules of a level as data: defaults, text values, and what an editor must know of them.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What values a rule takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PropertyKind {
    /// A whole number in a range; `optional` ones may be `none`.
    Whole {
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
        /// Whether `none` is a value.
        optional: bool,
    },
    /// A number in a range.
    Real {
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
    },
    /// One of some words.
    Choice(&'static [&'static str]),
    /// On or off.
    Flag,
}

/// The words with a capital letter at their head.
pub fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// One rule that a level or the set-up may change.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Property {
    /// Its key in level files and in `--set rules.KEY=VALUE`.
    pub key: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
    /// What values it takes.
    pub kind: PropertyKind,
}

impl Property {
    /// Its key as people read it: `wall_length` becomes `Wall length`, a probability `p_wall_turn`
    /// becomes `P(wall turn)`, and a single letter stays the symbol that it is.
    pub fn label(&self) -> String {
        let words = self.key.replace('_', " ");
        if words.len() == 1 {
            return words;
        }
        if let Some(event) = words.strip_prefix("p ") {
            return format!("P({event})");
        }
        capitalised(&words)
    }

    /// Whether the kind allows this value, given as text.
    ///
    /// # Errors
    /// Says which values are allowed.
    pub fn admits(&self, value: &str) -> Result<(), String> {
        let refuse = |wanted: String| {
            Err(format!("rules.{}: '{value}' does not fit, it must be {wanted}", self.key))
        };
        match self.kind {
            PropertyKind::Whole { min, max, optional } => match value.parse::<i64>() {
                Ok(n) if (min..=max).contains(&n) => Ok(()),
                _ if optional && value.eq_ignore_ascii_case("none") => Ok(()),
                _ => {
                    let none = if optional { " or none" } else { "" };
                    refuse(format!("a whole number from {min} to {max}{none}"))
                }
            },
            PropertyKind::Real { min, max } => match value.parse::<f64>() {
                Ok(n) if (min..=max).contains(&n) => Ok(()),
                _ => refuse(format!("a number from {min} to {max}")),
            },
            PropertyKind::Choice(words) if words.contains(&value) => Ok(()),
            PropertyKind::Choice(words) => refuse(format!("one of {}", words.join(", "))),
            PropertyKind::Flag if matches!(value, "true" | "false") => Ok(()),
            PropertyKind::Flag => refuse("true or false".into()),
        }
    }
}

/// A rule's value from text as in a level file.
///
/// # Errors
/// Says what the reader expected.
pub fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let text = if text.eq_ignore_ascii_case("none") { "None" } else { text };
    super::file::options().from_str(text).map_err(|error| error.code.to_string())
}

/// A rule's value as text, as in a level file; `none` for an absent one.
pub fn to_text<T: Serialize>(value: &T) -> String {
    match super::file::options().to_string(value) {
        Ok(text) if text == "None" => "none".into(),
        Ok(text) => text,
        Err(error) => error.to_string(),
    }
}

/// Declares a set of rules: a struct with defaults, of which a level file says only what differs,
/// with the descriptions that set-up, editor and command line show.
#[macro_export]
macro_rules! rule_set {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[doc = $help:literal])+ $key:ident: $type:ty = $default:expr, $kind:expr; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $( $(#[doc = $help])+ pub $key: $type, )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $key: $default, )* }
            }
        }

        impl $crate::levels::RuleSet for $name {
            fn properties() -> &'static [$crate::levels::Property] {
                use $crate::levels::PropertyKind::*;
                const PROPERTIES: &[$crate::levels::Property] = &[
                    $( $crate::levels::Property {
                        key: stringify!($key),
                        help: concat!($($help),+).trim_ascii(),
                        kind: $kind,
                    }, )*
                ];
                PROPERTIES
            }

            fn value(&self, key: &str) -> Option<String> {
                match key {
                    $( stringify!($key) => Some($crate::levels::rule_to_text(&self.$key)), )*
                    _ => None,
                }
            }

            fn set_unchecked(&mut self, key: &str, value: &str) -> Result<(), String> {
                match key {
                    $( stringify!($key) => {
                        self.$key = $crate::levels::rule_from_text(value)?;
                        Ok(())
                    } )*
                    _ => Err(format!("there is no rule '{key}'")),
                }
            }
        }
    };
}
