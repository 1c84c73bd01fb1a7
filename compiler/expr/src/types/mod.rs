//! Static types for warnings: what a text may yield, and what in it can never work given the declared shapes.
//!
//! This is not the check that decides whether a text loads (that is [`crate::compile_expr`], which knows no schema).

mod expression;
mod lattice;
mod pongo;

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;
use text_size::TextRange;

use crate::{Expr, TemplateP, TemplateT};

/// What a value may be.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Type {
    /// Anything: nothing is known.
    #[default]
    Any,
    /// Nil.
    Nil,
    /// A bool.
    Bool,
    /// An integer.
    Int,
    /// A double.
    Float,
    /// A text.
    String,
    /// One of these texts.
    Enum(Arc<[SmolStr]>),
    /// A list of a type.
    List(Arc<Type>),
    /// A map.
    Map(Arc<MapType>),
    /// One of these; never nested, no member twice.
    Union(Arc<[Type]>),
}

/// The shape of a map.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MapType {
    /// The known fields in declaration order.
    pub fields: IndexMap<SmolStr, Type, FxBuildHasher>,
    /// The type of other fields; `None` when there are no others.
    pub rest: Option<Type>,
}

/// The shapes of the roots. A root that is not named is [`Type::Any`].
#[derive(Debug, Clone, Default)]
pub struct TypeEnv {
    /// Root name to type.
    pub roots: IndexMap<SmolStr, Type, FxBuildHasher>,
}

/// What is odd.
#[derive(Debug, Clone, PartialEq)]
pub enum FindingKind {
    /// A field that the shape does not have; the known ones are given.
    UnknownField {
        /// The path of the map: `world.note`.
        base: String,
        /// The missing name.
        name: SmolStr,
        /// The names that exist.
        known: Vec<SmolStr>,
    },
    /// A comparison whose outcome does not depend on the values.
    ConstantComparison {
        /// Its outcome.
        always: bool,
    },
    /// A literal that is none of the enum's texts.
    NotInEnum {
        /// The literal.
        literal: SmolStr,
        /// The texts of the enum.
        known: Arc<[SmolStr]>,
    },
    /// A guard or condition that cannot be a bool.
    NotBool,
    /// An operand that may be nil where nil is an error.
    MaybeNil,
    /// An operand of a kind that the operator refuses.
    BadOperand,
}

/// One odd thing.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeFinding {
    /// What.
    pub kind: FindingKind,
    /// Where.
    pub range: TextRange,
    /// In words.
    pub message: String,
}

/// The type of an expression and what is odd in it.
#[must_use]
pub fn infer(expr: &Expr, env: &TypeEnv) -> (Type, Vec<TypeFinding>) {
    expression::infer(expr, env)
}

/// The same for a guard: a result that is certainly no bool is odd too.
#[must_use]
pub fn infer_guard(expr: &Expr, env: &TypeEnv) -> (Type, Vec<TypeFinding>) {
    let (found, mut findings) = expression::infer(expr, env);
    if !found.may_be(|part| matches!(part, Type::Bool | Type::Nil)) {
        let message = format!("a guard yields a bool, and this is {}", found.describe());
        let range = expr.whole();
        findings.push(TypeFinding {
            kind: FindingKind::NotBool,
            range,
            message,
        });
    }
    (found, findings)
}

/// What is odd in a T template; the type is that of what it yields in a value position.
#[must_use]
pub fn infer_t(template: &TemplateT, env: &TypeEnv) -> (Type, Vec<TypeFinding>) {
    template.infer(env)
}

/// What is odd in a P template.
#[must_use]
pub fn infer_p(template: &TemplateP, env: &TypeEnv) -> Vec<TypeFinding> {
    pongo::infer(template, env)
}
