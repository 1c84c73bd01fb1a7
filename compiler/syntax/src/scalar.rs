//! What a scalar means: the resolver of `language` 2.3.

use crate::number::{self, Number};
use crate::{NodeId, NodeKind, Scalar, ScalarStyle, Tree};

/// The meaning of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Resolved<'t> {
    /// `null`, `~` or nothing.
    Null,
    /// `true` or `false`. The words `yes`, `no`, `on` and `off` are texts.
    Bool(bool),
    /// An integer of the signed 64-bit range.
    Int(i64),
    /// An integer above it.
    Uint(u64),
    /// A number with a point, an infinity or not-a-number.
    Float(f64),
    /// A text.
    Str(&'t str),
    /// `!!binary`: base64 as written.
    Binary(&'t str),
    /// `!!timestamp`: a time as written.
    Timestamp(&'t str),
    /// A mapping.
    Mapping,
    /// A list.
    Sequence,
    /// What could not be read, or a tag that does not fit to its scalar.
    Error,
}

impl Tree {
    /// The meaning of a node, aliases followed.
    #[must_use]
    pub fn value(&self, id: NodeId) -> Resolved<'_> {
        let node = self.node(self.resolve_alias(id));
        match &node.kind {
            NodeKind::Scalar(scalar) => match &node.tag {
                Some(tag) => tagged(&tag.text, scalar, node.range.is_empty()),
                None => untagged(scalar),
            },
            NodeKind::Mapping(_) => Resolved::Mapping,
            NodeKind::Sequence(_) => Resolved::Sequence,
            NodeKind::Alias(_) | NodeKind::Error => Resolved::Error,
        }
    }

    /// Whether the node is a plain `<<`: as a key it merges its value into the mapping.
    #[must_use]
    pub fn is_merge_key(&self, id: NodeId) -> bool {
        let node = self.node(id);
        match &node.kind {
            NodeKind::Scalar(scalar) => match &node.tag {
                None => scalar.style == ScalarStyle::Plain && scalar.text == "<<",
                Some(tag) => tag.text == "!!merge",
            },
            _ => false,
        }
    }
}

fn untagged(scalar: &Scalar) -> Resolved<'_> {
    if scalar.style == ScalarStyle::Plain {
        plain(&scalar.text)
    } else {
        Resolved::Str(&scalar.text)
    }
}

fn plain(text: &str) -> Resolved<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Resolved::Null,
        "true" | "True" | "TRUE" => Resolved::Bool(true),
        "false" | "False" | "FALSE" => Resolved::Bool(false),
        _ => match number::read(text) {
            Some(Number::Int(n)) => Resolved::Int(n),
            Some(Number::Uint(n)) => Resolved::Uint(n),
            Some(Number::Float(x)) => Resolved::Float(x),
            None => Resolved::Str(text),
        },
    }
}

/// A tag decides; what it cannot make of the text is zero for numbers and an error for the rest.
fn tagged<'t>(tag: &str, scalar: &'t Scalar, absent: bool) -> Resolved<'t> {
    match tag {
        "!!str" => Resolved::Str(&scalar.text),
        "!!null" => Resolved::Null,
        "!!int" => match untagged(scalar) {
            Resolved::Int(n) => Resolved::Int(n),
            Resolved::Uint(n) => Resolved::Uint(n),
            _ => Resolved::Int(scalar.text.parse().unwrap_or(0)),
        },
        "!!float" => match untagged(scalar) {
            #[expect(
                clippy::cast_precision_loss,
                reason = "an integer under `!!float` is the nearest double"
            )]
            Resolved::Int(n) => Resolved::Float(n as f64),
            #[expect(
                clippy::cast_precision_loss,
                reason = "an integer under `!!float` is the nearest double"
            )]
            Resolved::Uint(n) => Resolved::Float(n as f64),
            Resolved::Float(x) => Resolved::Float(x),
            _ => Resolved::Float(number::float_of_text(&scalar.text).unwrap_or(0.0)),
        },
        "!!bool" => match scalar.text.to_ascii_lowercase().as_str() {
            "true" | "t" | "1" | "yes" => Resolved::Bool(true),
            "false" | "f" | "0" | "no" => Resolved::Bool(false),
            _ => Resolved::Error,
        },
        "!!binary" => Resolved::Binary(&scalar.text),
        "!!timestamp" => Resolved::Timestamp(&scalar.text),
        "!!map" | "!!seq" | "!!omap" | "!!set" => Resolved::Error,
        // A tag that nobody knows keeps a value text; one without a value stands before nothing.
        _ if absent => Resolved::Null,
        _ => Resolved::Str(&scalar.text),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Resolved, parse};

    fn with_value(text: &str, check: impl FnOnce(Resolved<'_>)) {
        let tree = parse(text).tree;
        let entry = tree.get(tree.root().unwrap(), "v").unwrap();
        check(tree.value(entry.value));
    }

    #[test]
    fn plain_words_and_numbers() {
        for (text, want) in [
            ("v: yes", Resolved::Str("yes")),
            ("v: True", Resolved::Bool(true)),
            ("v: ~", Resolved::Null),
            ("v:", Resolved::Null),
            ("v: \"\"", Resolved::Str("")),
            ("v: 0x10", Resolved::Int(16)),
            ("v: '0x10'", Resolved::Str("0x10")),
            ("v: 1.50", Resolved::Float(1.5)),
            ("v: [1]", Resolved::Sequence),
        ] {
            with_value(text, |value| assert_eq!(value, want, "{text}"));
        }
    }

    #[test]
    fn tags_decide() {
        for (text, want) in [
            ("v: !!str 5", Resolved::Str("5")),
            ("v: !!str", Resolved::Str("")),
            ("v: !!int '08'", Resolved::Int(8)),
            ("v: !!int x", Resolved::Int(0)),
            ("v: !!float 3", Resolved::Float(3.0)),
            ("v: !!bool no", Resolved::Bool(false)),
            ("v: !!bool maybe", Resolved::Error),
            ("v: !mine 5", Resolved::Str("5")),
            ("v: !world.open", Resolved::Null),
            ("v: !<tag:yaml.org,2002:str> 5", Resolved::Str("5")),
        ] {
            with_value(text, |value| assert_eq!(value, want, "{text}"));
        }
    }
}
