//! World keys: the variables of a session (`machine` 4).

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::arena::OriginId;
use crate::is_default;
use crate::value::Value;

/// A key that the story declares, or that some effect of it writes.
///
/// The world is an open schema: an expression may read, and a host may bring, a key that is not in this table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldKey {
    /// Where it came from: the declaration, or the first write of an undeclared key.
    pub at: OriginId,
    /// Its final name.
    pub name: SmolStr,
    /// Only written somewhere, never declared.
    #[serde(default, skip_serializing_if = "is_default")]
    pub undeclared: bool,
    /// Type word as written; empty when none. What a written value is coerced to ([`WorldKey::coercion`]).
    #[serde(default, skip_serializing_if = "is_default", rename = "type")]
    pub ty: SmolStr,
    /// Initial value, literal; `null`: the key is absent at first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub default: Value,
    /// Documented values of an enumeration.
    #[serde(default, skip_serializing_if = "is_default")]
    pub values: Vec<SmolStr>,
}

/// What `set` and `commit_operation` make of a value (`language` 3.3); every other type word means nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coercion {
    /// The texts `true` and `false` become booleans.
    Bool,
    /// Decimal integer texts and floats without fraction become integers.
    Int,
    /// Numeric texts become floats.
    Float,
}

impl WorldKey {
    /// What a written value is coerced to.
    #[must_use]
    pub fn coercion(&self) -> Option<Coercion> {
        match self.ty.as_str() {
            "bool" => Some(Coercion::Bool),
            "int" => Some(Coercion::Int),
            "float" => Some(Coercion::Float),
            _ => None,
        }
    }
}
