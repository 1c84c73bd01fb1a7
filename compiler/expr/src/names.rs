//! The names of the languages with a line of help each, for completion, hovers and suggestions.

/// A name and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// How it is used: `trim(text, cutset?)`, `value|default:other`.
    pub signature: &'static str,
    /// What it does, one sentence.
    pub doc: &'static str,
}

/// Roots of guards and value expressions that member access may start at.
pub const ROOTS: &[Named] = &[];

/// Roots of pongo templates.
pub const ROOTS_P: &[Named] = &[];

/// Functions of guards and value expressions.
pub const FUNCTIONS: &[Named] = &[];

/// View helpers: functions where a menu stands behind them.
pub const HELPERS: &[Named] = &[];

/// Functions of the expression library that stories may not use.
pub const FORBIDDEN_FUNCTIONS: &[&str] = &[];

/// Filters of pongo templates.
pub const FILTERS: &[Named] = &[];

/// Tags of pongo templates, closing and middle ones included.
pub const TAGS: &[Named] = &[];
