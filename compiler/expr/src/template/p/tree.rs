//! The tree of a pongo template. Bodies are kept in one list, so that blocks and macros can be run from elsewhere.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;
use text_size::TextRange;

use super::super::remap::Remap;
use crate::ExprError;
use crate::filters::Filter;

/// Index of a body of a template.
pub(crate) type BodyId = usize;

/// A name and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Name {
    pub(crate) text: SmolStr,
    pub(crate) range: TextRange,
}

/// A template, parsed. Ranges count in the rewritten text; `remap` leads back.
#[derive(Debug)]
pub(crate) struct Template {
    /// The file it came from.
    pub(crate) file: Option<SmolStr>,
    pub(crate) source: Arc<str>,
    pub(crate) remap: Remap,
    pub(crate) bodies: Vec<Vec<Node>>,
    pub(crate) root: BodyId,
    pub(crate) blocks: IndexMap<SmolStr, BodyId, FxBuildHasher>,
    pub(crate) macros: Vec<Macro>,
    /// Exported macros by name: indexes of `macros`.
    pub(crate) exported: IndexMap<SmolStr, usize, FxBuildHasher>,
    /// Which of `files` the template extends.
    pub(crate) parent: Option<usize>,
    /// Files that are named by a literal, in text order.
    pub(crate) files: Vec<StaticFile>,
    /// Why it does not parse; the first one is what the reference reports.
    pub(crate) errors: Vec<ExprError>,
    /// How many of `files` are read before the first error is found.
    pub(crate) files_before_error: usize,
    /// Tag names in text order.
    pub(crate) tags: Vec<TextRange>,
}

/// A file named by a literal.
#[derive(Debug, Clone)]
pub(crate) struct StaticFile {
    pub(crate) name: Name,
    /// A missing file is no error.
    pub(crate) optional: bool,
    /// Read as text, not as a template.
    pub(crate) plain: bool,
    /// Macros that must be exported there.
    pub(crate) wanted: Vec<Name>,
}

#[derive(Debug)]
pub(crate) struct Macro {
    pub(crate) name: Name,
    pub(crate) params: Vec<(Name, Option<Pe>)>,
    pub(crate) body: BodyId,
}

/// An expression of a pongo template.
#[derive(Debug, Clone)]
pub(crate) struct Pe {
    pub(crate) kind: PeKind,
    pub(crate) range: TextRange,
}

#[derive(Debug, Clone)]
pub(crate) enum PeKind {
    Int(i64),
    Float(f64),
    Str(SmolStr),
    Bool(bool),
    Path(Vec<Part>),
    Filtered(Box<Pe>, Vec<FilterCall>),
    /// `a and b or c`: one level, from the left, the rest counts as one operand. True means `and`.
    Logic(Vec<Pe>, Vec<bool>),
    /// `a == b == c`: the rest is the right operand.
    Relation(Vec<Pe>, Vec<Relation>),
    /// Sign and negation of the first term, then sums.
    Sum {
        negative: bool,
        negated: bool,
        terms: Vec<Pe>,
        minus: Vec<bool>,
    },
    Product(Vec<Pe>, Vec<(Product, TextRange)>),
    /// `a ^ b ^ c`: the rest is the exponent.
    Power(Vec<Pe>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    More,
    MoreEqual,
    In,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    Times,
    Over,
    Remainder,
}

#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) kind: PartKind,
    pub(crate) range: TextRange,
    /// Arguments when the part is called.
    pub(crate) call: Option<Vec<Pe>>,
}

#[derive(Debug, Clone)]
pub(crate) enum PartKind {
    Name(SmolStr),
    Index(usize),
    Subscript(Box<Pe>),
}

#[derive(Debug, Clone)]
pub(crate) struct FilterCall {
    pub(crate) filter: Filter,
    pub(crate) name: Name,
    pub(crate) argument: Option<Pe>,
}

#[derive(Debug)]
pub(crate) enum Node {
    Text(TextRange),
    Output(Pe),
    Nothing,
    If {
        conditions: Vec<Pe>,
        bodies: Vec<BodyId>,
    },
    For {
        key: Name,
        value: Option<Name>,
        list: Pe,
        reversed: bool,
        sorted: bool,
        body: BodyId,
        empty: Option<BodyId>,
    },
    With {
        pairs: Vec<(Name, Pe)>,
        body: BodyId,
    },
    Set(Name, Pe),
    Block(Name),
    Include {
        target: Target,
        with: Vec<(Name, Pe)>,
        only: bool,
        optional: bool,
    },
    /// The file and where its text goes; `parsed` runs it as a template.
    Ssi {
        file: usize,
        parsed: bool,
    },
    Import {
        file: usize,
        /// Name there and name here.
        macros: Vec<(Name, Name)>,
    },
    Macro(usize),
    FirstOf(Vec<Pe>),
    Cycle {
        args: Vec<Pe>,
        name: Option<Name>,
        silent: bool,
        range: TextRange,
    },
    IfChanged {
        watched: Vec<Pe>,
        body: BodyId,
        otherwise: Option<BodyId>,
        range: TextRange,
    },
    IfEqual {
        left: Pe,
        right: Pe,
        wanted: bool,
        body: BodyId,
        otherwise: Option<BodyId>,
    },
    FilterTag {
        body: BodyId,
        filters: Vec<(Option<Filter>, Name, Option<Pe>)>,
        range: TextRange,
    },
    Spaceless(BodyId),
    AutoEscape {
        on: bool,
        body: BodyId,
    },
    Constant(&'static str),
    WidthRatio {
        current: Pe,
        max: Pe,
        width: Pe,
        name: Option<Name>,
    },
    Now {
        layout: SmolStr,
        fake: bool,
    },
    Lorem {
        count: i64,
        unit: LoremUnit,
        range: TextRange,
    },
}

/// What an include names.
#[derive(Debug)]
pub(crate) enum Target {
    File(usize),
    Computed(Pe),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoremUnit {
    Words,
    Paragraphs,
    Plain,
}

impl Template {
    pub(crate) fn body(&self, id: BodyId) -> &[Node] {
        self.bodies.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn slice(&self, range: TextRange) -> &str {
        self.remap
            .text()
            .get(usize::from(range.start())..usize::from(range.end()))
            .unwrap_or_default()
    }

    /// An error with its place in the text that the author wrote.
    pub(crate) fn placed(&self, mut error: ExprError) -> ExprError {
        error.range = self.remap.source(error.range);
        error.fix = error.fix.map(|(range, text)| (self.remap.source(range), text));
        error.file.clone_from(&self.file);
        error
    }
}
