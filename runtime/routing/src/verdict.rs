//! What a tier makes of a text: nothing, one intent, or several that it cannot choose between.

use kitsoki_expr::Map;
use smol_str::SmolStr;

/// Confidence of a menu row.
pub const EXACT: f64 = 1.0;
/// Confidence of a phrase.
pub const PHRASE: f64 = 0.90;
/// Confidence of an embedding.
pub const EMBEDDING: f64 = 0.82;
/// Confidence of a template with all its slots.
pub const TEMPLATE: f64 = 0.80;
/// Confidence of a template with slots missing.
pub const PARTIAL: f64 = 0.65;
/// Confidence of a tie.
pub const TIE: f64 = 0.50;

/// Which kind of thing matched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchKind {
    /// A row of the menu.
    Menu,
    /// A synonym.
    Synonym,
    /// An example.
    Example,
    /// A synonym with captures.
    Template,
    /// The meaning, by vectors.
    Embedding,
    /// A model's answer.
    Model,
}

/// One intent that a text may mean.
#[derive(Clone, PartialEq, Debug)]
pub struct Hit {
    /// The intent.
    pub intent: SmolStr,
    /// Slots that were read from the text.
    pub slots: Map,
    /// Slots that the match names but could not read, sorted, as often as they are missing.
    pub missing: Vec<SmolStr>,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// Why, with the author's phrase: `synonym:go north`.
    pub reason: String,
    /// What matched.
    pub kind: MatchKind,
}

/// One of several intents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The intent.
    pub intent: SmolStr,
    /// As in [`Hit::reason`].
    pub reason: String,
}

/// What a tier makes of a text.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// One intent.
    Hit(Hit),
    /// Several.
    Tie(Vec<Candidate>),
}
