//! What can be wrong with an expression or a template: class, place, words.
//!
//! The classes are those of the conformance tables; every message is ours. Ranges are byte offsets into the text
//! that was parsed (the decoded scalar), never into a file.

use smol_str::SmolStr;
use text_size::TextRange;

/// When an error happens: while a text is compiled, or while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The text is refused before any value is looked at.
    Compile,
    /// The text is fine, the values are not.
    Run,
}

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident => $word:literal,)*) => {
        /// The kind of an error, in the words of the conformance tables.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorClass { $($(#[$doc])* $name,)* }

        impl ErrorClass {
            /// The stable word of the class, as `nil_access`.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }
        }
    };
}

classes! {
    /// A token cannot be read: unknown character, bad escape, string or comment not closed, bad number.
    Lex => "lex",
    /// The tokens do not form an expression or a tag.
    Parse => "parse",
    /// `??` beside another operator without parentheses.
    CoalesceMix => "coalesce_mix",
    /// A type that cannot work: statically at compile time, with the actual values at run time.
    Type => "type",
    /// A non-bool where a bool is needed.
    NotBool => "not_bool",
    /// A pattern of `matches` that is no regular expression.
    Regex => "regex",
    /// Integer remainder by zero.
    DivZero => "div_zero",
    /// Too many nodes, or nested too deeply.
    Limit => "limit",
    /// A construct that the story language does not admit.
    Whitelist => "whitelist",
    /// Block structure of a brace template.
    Template => "template",
    /// A filter that does not exist.
    UnknownFilter => "unknown_filter",
    /// A tag that does not exist or stands where it has no meaning.
    UnknownTag => "unknown_tag",
    /// A block tag without its end.
    UnclosedBlock => "unclosed_block",
    /// An included, extended or imported file is missing.
    File => "file",
    /// A member or an index of nil.
    NilAccess => "nil_access",
    /// A bare name without a value.
    Undefined => "undefined",
    /// A member or an index on a scalar.
    Access => "access",
    /// A list index out of range.
    IndexRange => "index_range",
    /// A value that cannot be made a number.
    Convert => "convert",
    /// More steps or memory than an evaluation may use.
    Budget => "budget",
    /// A view helper called where there is no view.
    Call => "call",
    /// `range` over something that is no list.
    Range => "range",
    /// Wrong count or kind of arguments of a call in a template.
    Args => "args",
    /// A call of something that is no function.
    NotCallable => "not_callable",
    /// A filter refuses its input or argument.
    Filter => "filter",
    /// What makes the reference's template engine panic.
    Panic => "panic",
    /// An exported macro is named like a context root.
    Clash => "clash",
}

/// One error in one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExprError {
    /// The kind of the error.
    pub class: ErrorClass,
    /// Whether compiling or running found it.
    pub stage: Stage,
    /// Where: bytes of the text that was parsed.
    pub range: TextRange,
    /// What is wrong: lower case, no full stop, the author's words in backticks.
    pub message: String,
    /// What to do about it, when that is plain.
    pub help: Option<String>,
    /// A replacement that mends it: the range and its new text.
    pub fix: Option<(TextRange, String)>,
    /// The loaded template file that `range` counts in; `None` for the text itself.
    pub file: Option<SmolStr>,
}

impl ExprError {
    /// An error of compiling.
    #[must_use]
    pub fn compile(class: ErrorClass, range: TextRange, message: impl Into<String>) -> Self {
        Self {
            class,
            stage: Stage::Compile,
            range,
            message: message.into(),
            help: None,
            fix: None,
            file: None,
        }
    }

    /// An error of running.
    #[must_use]
    pub fn run(class: ErrorClass, range: TextRange, message: impl Into<String>) -> Self {
        Self {
            stage: Stage::Run,
            ..Self::compile(class, range, message)
        }
    }

    /// The same error with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same error with a replacement that mends it.
    #[must_use]
    pub fn with_fix(mut self, range: TextRange, text: impl Into<String>) -> Self {
        self.fix = Some((range, text.into()));
        self
    }

    /// The same error, found at `offset` of a longer text.
    #[must_use]
    pub fn shifted(mut self, offset: text_size::TextSize) -> Self {
        self.range += offset;
        self.fix = self.fix.map(|(range, text)| (range + offset, text));
        self
    }
}

impl std::fmt::Display for ExprError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExprError {}
