//! The tree of a script. Names carry their resolved binding in a cell that [`super::resolve`] fills.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use num_bigint::BigInt;

/// A place in a script: line and column from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// Line from 1.
    pub line: u32,
    /// Column from 1, in characters; a tab is one.
    pub column: u32,
}

/// What a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binding {
    /// A slot of the running function (or of the top level's comprehensions).
    Local(u32),
    /// A cell that an enclosing function owns.
    Free(u32),
    /// A global of the file.
    Global(u32),
    /// An entry of the table of names given to every script.
    Given(u32),
}

/// A use or a binding of a name.
#[derive(Debug)]
pub(crate) struct Name {
    pub(crate) text: Rc<str>,
    pub(crate) at: Place,
    pub(crate) binding: OnceCell<Binding>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Gt,
    Le,
    Ge,
    In,
    NotIn,
    Pipe,
    Caret,
    Amp,
    ShiftLeft,
    ShiftRight,
    Plus,
    Minus,
    Star,
    Slash,
    SlashSlash,
    Percent,
}

impl BinaryOp {
    /// The operator as it is written.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Or => "or",
            Self::And => "and",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Gt => ">",
            Self::Le => "<=",
            Self::Ge => ">=",
            Self::In => "in",
            Self::NotIn => "not in",
            Self::Pipe => "|",
            Self::Caret => "^",
            Self::Amp => "&",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Star => "*",
            Self::Slash => "/",
            Self::SlashSlash => "//",
            Self::Percent => "%",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Not,
    Minus,
    Plus,
    Tilde,
}

impl UnaryOp {
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Not => "not",
            Self::Minus => "-",
            Self::Plus => "+",
            Self::Tilde => "~",
        }
    }
}

#[derive(Debug)]
pub(crate) enum Expr {
    Name(Name),
    Int(i64),
    BigInt(Rc<BigInt>),
    Float(f64),
    Text(Rc<[u8]>),
    Bytes(Rc<[u8]>),
    List {
        at: Place,
        items: Vec<Expr>,
    },
    Tuple {
        at: Place,
        items: Vec<Expr>,
    },
    Dict {
        at: Place,
        entries: Vec<DictEntry>,
    },
    Comprehension(Box<Comprehension>),
    Conditional(Box<Conditional>),
    Lambda(Rc<FunctionDef>),
    Unary {
        op: UnaryOp,
        at: Place,
        operand: Box<Expr>,
    },
    /// Operators of one precedence side by side, applied from the left. A chain is one node so that long sums do not
    /// make a deep tree.
    Binary {
        first: Box<Expr>,
        rest: Vec<Operand>,
    },
    Dot {
        object: Box<Expr>,
        dot: Place,
        name: Rc<str>,
    },
    Index {
        object: Box<Expr>,
        bracket: Place,
        index: Box<Expr>,
    },
    Slice(Box<Slice>),
    Call(Box<Call>),
}

#[derive(Debug)]
pub(crate) struct DictEntry {
    pub(crate) key: Expr,
    pub(crate) colon: Place,
    pub(crate) value: Expr,
}

#[derive(Debug)]
pub(crate) struct Operand {
    pub(crate) op: BinaryOp,
    pub(crate) at: Place,
    pub(crate) value: Expr,
}

#[derive(Debug)]
pub(crate) struct Conditional {
    pub(crate) condition: Expr,
    pub(crate) yes: Expr,
    pub(crate) no: Expr,
}

#[derive(Debug)]
pub(crate) struct Slice {
    pub(crate) object: Expr,
    pub(crate) bracket: Place,
    pub(crate) low: Option<Expr>,
    pub(crate) high: Option<Expr>,
    pub(crate) step: Option<Expr>,
}

#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) function: Expr,
    /// The opening bracket: the place of everything that goes wrong in the call.
    pub(crate) bracket: Place,
    pub(crate) positional: Vec<Expr>,
    pub(crate) named: Vec<(Rc<str>, Expr)>,
    pub(crate) star: Option<Expr>,
    pub(crate) star_star: Option<Expr>,
}

#[derive(Debug)]
pub(crate) struct Comprehension {
    pub(crate) at: Place,
    /// The key of a dict comprehension, with the place of its colon.
    pub(crate) key: Option<(Expr, Place)>,
    pub(crate) value: Expr,
    pub(crate) clauses: Vec<Clause>,
}

#[derive(Debug)]
pub(crate) enum Clause {
    For { at: Place, target: Expr, iterable: Expr },
    If { condition: Expr },
}

#[derive(Debug)]
pub(crate) struct FunctionDef {
    pub(crate) name: Rc<str>,
    pub(crate) at: Place,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Body,
    /// What the resolver found out.
    pub(crate) layout: OnceCell<Layout>,
    /// Whether a call of this code is running: recursion is refused.
    pub(crate) running: Cell<bool>,
}

impl FunctionDef {
    /// Whether a call with one positional argument fits the parameters.
    pub(crate) fn takes_one(&self) -> bool {
        let mut positional = 0usize;
        let mut required = 0usize;
        let mut rest = false;
        for parameter in &self.parameters {
            match parameter.kind {
                ParameterKind::Plain => {
                    required += 1;
                    positional += usize::from(!rest);
                }
                ParameterKind::Default(_) => positional += usize::from(!rest),
                ParameterKind::Star => rest = true,
                ParameterKind::StarStar => {}
            }
        }
        let star = self
            .parameters
            .iter()
            .any(|p| matches!(p.kind, ParameterKind::Star) && !p.name.text.is_empty());
        required <= 1 && (positional >= 1 || star)
    }
}

#[derive(Debug)]
pub(crate) enum Body {
    Block(Vec<Stmt>),
    Expr(Expr),
}

#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Name,
    pub(crate) kind: ParameterKind,
}

#[derive(Debug)]
pub(crate) enum ParameterKind {
    Plain,
    Default(Expr),
    /// `*args`, or a bare `*` (whose name is empty).
    Star,
    StarStar,
}

/// The slots of one function.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// How many slots; parameters come first in their order.
    pub(crate) slots: usize,
    /// Slots that inner functions share: they live in cells.
    pub(crate) shared: Vec<u32>,
    /// Where each free variable comes from, seen from the enclosing function.
    pub(crate) free: Vec<Binding>,
}

#[derive(Debug)]
pub(crate) enum Stmt {
    Expr(Expr),
    Assign {
        target: Expr,
        op: Option<BinaryOp>,
        at: Place,
        value: Expr,
    },
    Def {
        name: Name,
        function: Rc<FunctionDef>,
    },
    For {
        at: Place,
        target: Expr,
        iterable: Expr,
        body: Vec<Stmt>,
    },
    If {
        branches: Vec<(Place, Expr, Vec<Stmt>)>,
        otherwise: Vec<Stmt>,
    },
    While {
        at: Place,
        condition: Expr,
        body: Vec<Stmt>,
    },
    Return {
        at: Place,
        value: Option<Expr>,
    },
    Break {
        at: Place,
    },
    Continue {
        at: Place,
    },
    Pass,
    Load {
        at: Place,
        bound: Vec<Name>,
    },
    /// The statement behind it begins on this line. Only in files whose coverage is wanted; it does nothing else.
    Mark(u32),
}

/// Marks the body of a function that stands on the line of its head, beside the number of the line.
pub(crate) const INSIDE: u32 = 1 << 31;

/// A whole file.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) statements: Vec<Stmt>,
    /// The slots of comprehensions at the top level.
    pub(crate) layout: OnceCell<Layout>,
    /// The names of the globals in the order of their slots.
    pub(crate) globals: OnceCell<Vec<Rc<str>>>,
}
