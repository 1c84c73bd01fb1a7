//! What a text names: the one list that rules, renaming and editors stand on, the same for all three languages.

use smol_str::SmolStr;
use text_size::TextRange;

use crate::value::Value;

/// One step behind a root.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// What the step selects.
    pub step: Step,
    /// The name, the index literal with its quotes, or the index expression.
    pub range: TextRange,
}

/// What a step selects.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// `.name`, `?.name` or `['name']`.
    Name(SmolStr),
    /// `[3]` or `.3`.
    Index(i64),
    /// `[expression]`.
    Computed,
}

impl Segment {
    /// The name, when the step is one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.step {
            Step::Name(name) => Some(name),
            Step::Index(_) | Step::Computed => None,
        }
    }
}

/// What is done with the name.
#[derive(Debug, Clone, PartialEq)]
pub enum RefKind {
    /// A value is read.
    Read,
    /// A function, helper or macro is called.
    Call(Vec<Argument>),
    /// A filter of a pongo template.
    Filter,
    /// A tag of a template (`if`, `endfor`, `range`).
    Tag,
    /// A name that the text itself defines is introduced: a loop variable, `let`, `set`, a macro, its parameters.
    Bind,
    /// A block of a pongo template is named.
    Block,
    /// A template file is named (`include`, `extends`, `import`); `root` is the file.
    File,
}

/// One argument of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// Its value when it is a literal.
    pub literal: Option<Value>,
    /// The argument.
    pub range: TextRange,
}

/// One use of a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// The first name: `world` of `world.note.title`.
    pub root: SmolStr,
    /// The first name alone.
    pub root_range: TextRange,
    /// The steps behind it, as far as they form one chain.
    pub path: Vec<Segment>,
    /// Root and path.
    pub range: TextRange,
    /// What is done with it.
    pub kind: RefKind,
    /// True when the text itself defined the root (loop variable, `let`, `set`, macro parameter), so that it is no root of the environment.
    pub local: bool,
}

/// A comparison of a chain with literals: `world.k == 'a'`, `slots.x in ['a', 'b']`.
#[derive(Debug, Clone, PartialEq)]
pub struct LiteralComparison {
    /// The chain; its kind is `Read`.
    pub subject: Reference,
    /// `==`, `!=`, `<`, `in`, `not in` and so on, as if the subject stood on the left.
    pub operator: SmolStr,
    /// The literals with their ranges: one, or those of the list behind `in`.
    pub literals: Vec<(Value, TextRange)>,
    /// The whole comparison.
    pub range: TextRange,
}
