//! The rules of a level as data: defaults, values as text, and the titles that people read.

use super::Fault;
use super::dialect::options;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The values that a rule takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PropertyKind {
    /// A whole number in a range; `optional` ones may be `none`.
    Whole {
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
        /// Whether `none` is a value.
        optional: bool,
    },
    /// A number in a range.
    Real {
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// On or off.
    Flag,
}

/// Why a rule does not get a value. The rules stay as they were.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RuleError {
    /// The set has no rule of this key.
    #[error("unknown rule '{key}'; choose from {}", known.join(", "))]
    Unknown {
        /// What was asked for.
        key: String,
        /// The keys of the set.
        known: Vec<&'static str>,
    },
    /// The value is out of range, or of another kind.
    #[error("rules.{key}: '{value}' is not allowed; use {wanted}")]
    NotAllowed {
        /// The rule.
        key: &'static str,
        /// The value, as text.
        value: String,
        /// The allowed values, in words.
        wanted: String,
    },
    /// The text cannot be read as a value.
    #[error("rules.{key}: {why}")]
    Unreadable {
        /// The rule.
        key: String,
        /// What the reader expected.
        why: ron::Error,
    },
}

impl RuleError {
    /// That `R` has no rule of this key.
    pub fn unknown<R: RuleSet>(key: &str) -> Self {
        Self::Unknown { key: key.into(), known: R::properties().iter().map(|p| p.key).collect() }
    }
}

impl From<RuleError> for String {
    fn from(error: RuleError) -> Self {
        error.to_string()
    }
}

/// The text with its first letter in upper case.
pub fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// One rule that a level or the set-up may change.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Property {
    /// Its key in level files and in `--set rules.KEY=VALUE`.
    pub key: &'static str,
    /// Its name as people read it, such as `Moves per plan`.
    pub title: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
    /// The values that it takes.
    pub kind: PropertyKind,
    /// Values that people read otherwise than files spell them: the value and its title.
    pub value_titles: &'static [(&'static str, &'static str)],
}

impl Property {
    /// A value, given as text, as people read it.
    pub fn value_title(&self, value: &str) -> String {
        if let Some((_, title)) = self.value_titles.iter().find(|(known, _)| *known == value) {
            return (*title).into();
        }
        match (self.kind, value) {
            (PropertyKind::Flag, "true") => "On".into(),
            (PropertyKind::Flag, "false") => "Off".into(),
            _ => capitalised(value),
        }
    }

    /// Checks that the rule can have this value, given as text.
    ///
    /// # Errors
    /// If it cannot; the message lists the allowed values.
    pub fn admits(&self, value: &str) -> Result<(), RuleError> {
        let refuse = |wanted: String| {
            Err(RuleError::NotAllowed { key: self.key, value: value.into(), wanted })
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

/// The rules of a game that a level may change; made by [`rule_set!`](crate::rule_set).
pub trait RuleSet:
    Clone
    + PartialEq
    + Default
    + std::fmt::Debug
    + Send
    + Sync
    + Serialize
    + DeserializeOwned
    + JsonSchema
    + 'static
{
    /// All rules with their help and their ranges.
    fn properties() -> &'static [Property];

    /// The value of a rule as text.
    fn value(&self, key: &str) -> Option<String>;

    /// Sets a rule from text without checking its range.
    ///
    /// # Errors
    /// If the rule is unknown or cannot have this value.
    fn set_unchecked(&mut self, key: &str, value: &str) -> Result<(), RuleError>;

    /// Sets a rule from text.
    ///
    /// # Errors
    /// If the rule is unknown or the value is out of range.
    fn set(&mut self, key: &str, value: &str) -> Result<(), RuleError> {
        let property = Self::properties().iter().find(|p| p.key == key);
        property.ok_or_else(|| RuleError::unknown::<Self>(key))?.admits(value)?;
        self.set_unchecked(key, value)
    }

    /// The rules whose value is out of range. Only where there are none may values be used.
    fn faults(&self) -> Vec<Fault> {
        Self::properties().iter().filter_map(|rule| self.range_fault(rule)).collect()
    }

    /// What is wrong with the value of this rule, if it is out of range.
    fn range_fault(&self, rule: &Property) -> Option<Fault> {
        rule.admits(&self.value(rule.key)?).err().map(Fault::whole)
    }

    /// The rules that differ from the default, with their values.
    fn changes(&self) -> Vec<(&'static str, String)> {
        let usual = Self::default();
        Self::properties()
            .iter()
            .filter_map(|p| {
                let value = self.value(p.key)?;
                (usual.value(p.key).as_ref() != Some(&value)).then_some((p.key, value))
            })
            .collect()
    }
}

/// Reads a rule's value from text as in a level file.
///
/// # Errors
/// If the text is not such a value; the message says what was expected.
pub fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, ron::Error> {
    let text = if text.eq_ignore_ascii_case("none") { "None" } else { text };
    options().from_str(text).map_err(|error| error.code)
}

/// Writes a rule's value as in a level file; an absent one is `none`.
pub fn to_text<T: Serialize>(value: &T) -> String {
    match options().to_string(value) {
        Ok(text) if text == "None" => "none".into(),
        Ok(text) => text,
        Err(error) => error.to_string(),
    }
}

/// Declares a set of rules: a struct with defaults, of which a level file holds only what differs,
/// with the titles and descriptions that set-up, editor and command line show. A rule is
/// `key: type = default, kind, "Title"`, and may end with value titles.
#[macro_export]
macro_rules! rule_set {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[doc = $help:literal])+ $key:ident: $type:ty =
                $default:expr, $kind:expr, $title:literal $(, $value_title:expr)*; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(
            Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
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
                        title: $title,
                        help: concat!($($help),+).trim_ascii(),
                        kind: $kind,
                        value_titles: &[$( $value_title ),*],
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

            fn set_unchecked(
                &mut self,
                key: &str,
                value: &str,
            ) -> Result<(), $crate::levels::RuleError> {
                use $crate::levels::RuleError;
                match key {
                    $( stringify!($key) => {
                        self.$key = $crate::levels::rule_from_text(value)
                            .map_err(|why| RuleError::Unreadable { key: key.into(), why })?;
                        Ok(())
                    } )*
                    _ => Err(RuleError::unknown::<Self>(key)),
                }
            }
        }
    };
}
