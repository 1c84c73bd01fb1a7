//! One scalar into a field of a known type: the conversions of `language` 2.4.

use smol_str::{SmolStr, ToSmolStr, format_smolstr};

use crate::{NodeId, Resolved, Tree, number};

/// Why a node does not fit into a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeFault {
    /// The class of the fault.
    pub kind: TypeFaultKind,
    /// What the node is, with its article: `a list`, `the text "five"`.
    pub found: String,
}

/// The classes of [`TypeFault`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeFaultKind {
    /// Another kind of value.
    Type,
    /// A number that the field cannot hold.
    Overflow,
}

impl Tree {
    /// A text. Numbers and truth values become their text, nothing becomes the empty text.
    ///
    /// # Errors
    ///
    /// A list, a mapping, or what could not be read.
    pub fn as_string(&self, id: NodeId) -> Result<SmolStr, TypeFault> {
        match self.value(id) {
            Resolved::Null => Ok(SmolStr::default()),
            Resolved::Bool(value) => Ok(value.to_smolstr()),
            Resolved::Int(value) => Ok(value.to_smolstr()),
            Resolved::Uint(value) => Ok(value.to_smolstr()),
            Resolved::Float(value) => Ok(number::float_text(value).into()),
            Resolved::Str(text) | Resolved::Binary(text) | Resolved::Timestamp(text) => Ok(text.into()),
            other @ (Resolved::Mapping | Resolved::Sequence | Resolved::Error) => Err(wrong(other)),
        }
    }

    /// An integer: floats are cut off toward zero, texts that read as a number that is not negative are taken,
    /// nothing is zero.
    ///
    /// # Errors
    ///
    /// [`TypeFaultKind::Overflow`] outside of 64 signed bits and for a negative number in a text.
    pub fn as_int(&self, id: NodeId) -> Result<i64, TypeFault> {
        match self.value(id) {
            Resolved::Null => Ok(0),
            Resolved::Int(value) => Ok(value),
            found @ Resolved::Float(value) => whole(value).ok_or_else(|| overflow(found)),
            found @ Resolved::Str(text) => match number::float_of_text(text) {
                None => Err(wrong(found)),
                Some(value) if value < 0.0 => Err(overflow(found)),
                Some(value) => whole(value).ok_or_else(|| overflow(found)),
            },
            found @ Resolved::Uint(_) => Err(overflow(found)),
            found => Err(wrong(found)),
        }
    }

    /// A number: integers and texts that read as a number are taken, nothing is zero.
    ///
    /// # Errors
    ///
    /// Anything else.
    pub fn as_float(&self, id: NodeId) -> Result<f64, TypeFault> {
        match self.value(id) {
            Resolved::Null => Ok(0.0),
            #[expect(clippy::cast_precision_loss, reason = "a float field takes the nearest double")]
            Resolved::Int(value) => Ok(value as f64),
            #[expect(clippy::cast_precision_loss, reason = "a float field takes the nearest double")]
            Resolved::Uint(value) => Ok(value as f64),
            Resolved::Float(value) => Ok(value),
            found @ Resolved::Str(text) => number::float_of_text(text).ok_or_else(|| wrong(found)),
            found => Err(wrong(found)),
        }
    }

    /// A truth value: only `true` and `false` as plain words, or under `!!bool`. Nothing is false.
    ///
    /// # Errors
    ///
    /// Anything else; `yes` and `"true"` are texts.
    pub fn as_bool(&self, id: NodeId) -> Result<bool, TypeFault> {
        match self.value(id) {
            Resolved::Null => Ok(false),
            Resolved::Bool(value) => Ok(value),
            found => Err(wrong(found)),
        }
    }
}

/// Cut off toward zero; `None` outside of 64 signed bits.
fn whole(value: f64) -> Option<i64> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    (-LIMIT..LIMIT).contains(&value).then_some(value as i64)
}

fn wrong(found: Resolved<'_>) -> TypeFault {
    TypeFault {
        kind: TypeFaultKind::Type,
        found: describe(found),
    }
}

fn overflow(found: Resolved<'_>) -> TypeFault {
    TypeFault {
        kind: TypeFaultKind::Overflow,
        found: describe(found),
    }
}

/// What a value is, with its article, for messages.
pub(crate) fn describe(value: Resolved<'_>) -> String {
    match value {
        Resolved::Null => "nothing".to_owned(),
        Resolved::Bool(value) => format!("the truth value `{value}`"),
        Resolved::Int(value) => format!("the integer {value}"),
        Resolved::Uint(value) => format!("the integer {value}"),
        Resolved::Float(value) => format!("the number {}", number::float_text(value)),
        Resolved::Str(text) => {
            let short: SmolStr = text.chars().take(40).collect();
            let short = if short.len() < text.len() {
                format_smolstr!("{short}…")
            } else {
                short
            };
            format!("the text {short:?}")
        }
        Resolved::Binary(_) => "binary data".to_owned(),
        Resolved::Timestamp(_) => "a time".to_owned(),
        Resolved::Mapping => "a mapping".to_owned(),
        Resolved::Sequence => "a list".to_owned(),
        Resolved::Error => "unreadable".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::TypeFaultKind::{Overflow, Type};
    use crate::{NodeId, Tree, TypeFaultKind, parse};

    fn node(text: &str) -> (Tree, NodeId) {
        let tree = parse(&format!("v: {text}\n")).tree;
        let id = tree.get(tree.root().unwrap(), "v").unwrap().value;
        (tree, id)
    }

    #[test]
    fn texts_from_scalars() {
        for (text, want) in [
            ("0x10", "16"),
            ("010", "8"),
            ("1.0", "1"),
            ("1.10", "1.1"),
            ("True", "true"),
            ("~", ""),
            ("\"a\\tb\"", "a\tb"),
        ] {
            let (tree, id) = node(text);
            assert_eq!(tree.as_string(id).unwrap(), want, "{text}");
        }
        let (tree, id) = node("[a]");
        assert_eq!(tree.as_string(id).unwrap_err().found, "a list");
    }

    #[test]
    fn integers_from_scalars() {
        let cases: &[(&str, Result<i64, TypeFaultKind>)] = &[
            ("-5", Ok(-5)),
            ("2.9", Ok(2)),
            ("-2.9", Ok(-2)),
            ("\"5\"", Ok(5)),
            ("\"1e3\"", Ok(1000)),
            ("1e3", Ok(1000)),
            ("\"-5\"", Err(Overflow)),
            (".inf", Err(Overflow)),
            ("9223372036854775808", Err(Overflow)),
            ("five", Err(Type)),
            ("\"\"", Err(Type)),
            ("true", Err(Type)),
            ("{}", Err(Type)),
        ];
        for (text, want) in cases {
            let (tree, id) = node(text);
            assert_eq!(tree.as_int(id).map_err(|fault| fault.kind), *want, "{text}");
        }
    }

    #[test]
    fn truth_values_are_only_the_two_words() {
        for (text, want) in [
            ("true", Some(true)),
            ("!!bool yes", Some(true)),
            ("yes", None),
            ("\"true\"", None),
            ("1", None),
        ] {
            let (tree, id) = node(text);
            assert_eq!(tree.as_bool(id).ok(), want, "{text}");
        }
    }
}
