//! What is wrong with a text, in the words of its author: the findings of this stage, not yet bound to a file.

use crate::TextRange;

/// How bad a fault is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Severity {
    /// The text does not mean anything here; a part of the tree is missing.
    Error,
    /// The text was read in the only sensible way, but other readers will refuse it or read it differently.
    Warning,
}

/// The kind of a fault, for rule ids and configuration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FaultKind {
    /// The text is no YAML here.
    Syntax,
    /// A quoted text without its closing quote.
    UnclosedQuote,
    /// A list or mapping in brackets without its closing bracket.
    UnclosedBracket,
    /// A line whose indentation fits to nothing around it.
    Indentation,
    /// A tab where a line is indented.
    TabIndent,
    /// A key without its colon, or without a blank behind the colon.
    MissingColon,
    /// An unquoted `{{ … }}` or `{% … %}`.
    UnquotedTemplate,
    /// A plain text that starts with a character which YAML keeps for itself.
    ReservedCharacter,
    /// The marks that a version control system leaves in a file.
    ConflictMarker,
    /// A key given twice in one mapping.
    DuplicateKey,
    /// A list or mapping as a key, or no key at all.
    KeyNotScalar,
    /// An alias without an anchor of that name before it.
    UnknownAlias,
    /// A merge of a mapping into itself.
    RecursiveAlias,
    /// A `<<` whose value is no mapping and no list of mappings.
    MergeNotMapping,
    /// A tag that does not fit to its value.
    TagMismatch,
    /// An empty document in front of the one that has the content.
    EmptyDocument,
    /// Nested too deeply ([`crate::Limits::max_depth`]).
    Depth,
    /// The text is too long ([`crate::Limits::max_bytes`]).
    TooLarge,
    /// Too many nodes ([`crate::Limits::max_nodes`]).
    TooManyNodes,
    /// Aliases stand for too much ([`crate::Limits::max_alias_expansion`]).
    AliasBudget,
    /// The file is no UTF-8.
    NotUtf8,
    /// A NUL or another control character.
    ControlCharacter,
    /// A comment that touches the token before it (warning: read as a comment).
    CommentTouchesToken,
    /// `{a:1}`: no blank behind the colon of a pair (warning: read as a pair).
    ColonTouchesValue,
}

/// One finding about a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What kind of fault.
    pub kind: FaultKind,
    /// Error or warning.
    pub severity: Severity,
    /// The place a person would point at.
    pub range: TextRange,
    /// The headline: lower case, no full stop.
    pub message: String,
    /// What the place is, beside the underline.
    pub label: String,
    /// Other places that explain the fault: the first of two keys, the open bracket.
    pub related: Vec<(TextRange, String)>,
    /// An edit that removes the fault.
    pub fix: Option<FaultFix>,
    /// Edits of which each removes the fault in its own way: only the author knows which one is right.
    pub choices: Vec<FaultFix>,
    /// What to do, in words.
    pub help: Option<String>,
}

/// Edits that remove a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultFix {
    /// What the edits do, as an imperative.
    pub title: String,
    /// Every reader of the text would agree on the result.
    pub safe: bool,
    /// Ranges and what replaces them, in the order of the text, never overlapping.
    pub edits: Vec<(TextRange, String)>,
}

impl Fault {
    /// An error.
    #[must_use]
    pub(crate) fn error(
        kind: FaultKind,
        range: TextRange,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            severity: Severity::Error,
            range,
            message: message.into(),
            label: label.into(),
            related: Vec::new(),
            fix: None,
            choices: Vec::new(),
            help: None,
        }
    }

    /// A warning.
    #[must_use]
    pub(crate) fn warning(
        kind: FaultKind,
        range: TextRange,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(kind, range, message, label)
        }
    }

    /// The same with what to do.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with another place.
    #[must_use]
    pub(crate) fn related(mut self, range: TextRange, label: impl Into<String>) -> Self {
        self.related.push((range, label.into()));
        self
    }

    /// The same with one edit.
    #[must_use]
    pub(crate) fn fix(
        mut self,
        title: impl Into<String>,
        safe: bool,
        range: TextRange,
        text: impl Into<String>,
    ) -> Self {
        self.fix = Some(FaultFix {
            title: title.into(),
            safe,
            edits: vec![(range, text.into())],
        });
        self
    }
}
