//! A whole text as an "any" value (`language` 2.5), and single texts into typed fields, with the classes of faults that
//! batch answers speak of.

mod json;
mod time;

use smol_str::{SmolStr, ToSmolStr};

use crate::{
    Fault, FaultKind, NodeId, NodeKind, Resolved, Severity, TextRange, Tree, TypeFault, TypeFaultKind, number, parse,
};

/// A value of a free position.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// An integer of the signed range.
    Int(i64),
    /// An integer above it.
    Uint(u64),
    /// A number with a point.
    Float(f64),
    /// A text; also binary data as base64 and times in the form of RFC 3339.
    Text(SmolStr),
    /// A list.
    List(Vec<Value>),
    /// A mapping; keys are texts, each once, in the order of the text.
    Map(Vec<(SmolStr, Value)>),
}

/// The kind of a field that one value is decoded into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldKind {
    /// A text.
    String,
    /// A signed 64-bit integer.
    Int,
    /// A number.
    Float,
    /// A truth value.
    Bool,
    /// Anything.
    Any,
    /// A list of one kind.
    List(Box<FieldKind>),
    /// A mapping of names to one kind.
    Map(Box<FieldKind>),
}

/// Why a text gives no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The class: `syntax`, `duplicate_key`, `unknown_alias`, `type`, `overflow`, `depth` or `limit`.
    pub class: &'static str,
    /// What is wrong, in one line.
    pub message: String,
    /// Where, in bytes of the text.
    pub range: TextRange,
}

impl FieldKind {
    /// Reads `string`, `int`, `float`, `bool`, `any`, `list<K>` or `map<K>`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let mut wrappers: Vec<fn(Box<Self>) -> Self> = Vec::new();
        let mut name = name;
        loop {
            if let Some(inner) = name.strip_prefix("list<").and_then(|rest| rest.strip_suffix('>')) {
                wrappers.push(Self::List);
                name = inner;
            } else if let Some(inner) = name.strip_prefix("map<").and_then(|rest| rest.strip_suffix('>')) {
                wrappers.push(Self::Map);
                name = inner;
            } else {
                break;
            }
            if wrappers.len() > 32 {
                return None;
            }
        }
        let kind = match name {
            "string" => Self::String,
            "int" => Self::Int,
            "float" => Self::Float,
            "bool" => Self::Bool,
            "any" => Self::Any,
            _ => return None,
        };
        Some(wrappers.into_iter().rev().fold(kind, |kind, wrap| wrap(Box::new(kind))))
    }
}

/// The first document of a text as a free value.
///
/// # Errors
///
/// The first error of the text, warnings left aside.
pub fn document(text: &str) -> Result<Value, Failure> {
    let tree = sound(text)?;
    Ok(tree.root().map_or(Value::Null, |root| any(&tree, root)))
}

/// The value of the key `v` of the first document, decoded into a field of a kind.
///
/// # Errors
///
/// The first error of the text, or that the value does not fit into the field.
pub fn field(text: &str, kind: &FieldKind) -> Result<Value, Failure> {
    let tree = sound(text)?;
    let Some(entry) = tree.root().and_then(|root| tree.get(root, "v")) else {
        return Ok(Value::Null);
    };
    typed(&tree, entry.value, kind)
}

fn sound(text: &str) -> Result<Tree, Failure> {
    let parse = parse(text);
    match parse.faults.into_iter().find(|fault| fault.severity == Severity::Error) {
        None => Ok(parse.tree),
        Some(fault) => Err(Failure {
            class: class(&fault),
            message: fault.message,
            range: fault.range,
        }),
    }
}

/// The class of a fault in batch answers.
#[must_use]
pub fn class(fault: &Fault) -> &'static str {
    match fault.kind {
        FaultKind::DuplicateKey => "duplicate_key",
        FaultKind::UnknownAlias => "unknown_alias",
        FaultKind::MergeNotMapping | FaultKind::RecursiveAlias => "type",
        FaultKind::Depth => "depth",
        FaultKind::TooLarge | FaultKind::TooManyNodes | FaultKind::AliasBudget => "limit",
        _ => "syntax",
    }
}

/// A node as a free value: merge keys merged, aliases copied, keys as text, a recursive alias nothing.
#[must_use]
pub fn any(tree: &Tree, id: NodeId) -> Value {
    /// A collection whose parts are being made.
    enum Open {
        List(std::vec::IntoIter<NodeId>, Vec<Value>),
        Map(std::vec::IntoIter<(SmolStr, NodeId)>, SmolStr, Vec<(SmolStr, Value)>),
    }
    let mut open: Vec<Open> = Vec::new();
    let mut next = Some(id);
    loop {
        // Down: a leaf gives a value, a collection is opened.
        let mut done = None;
        if let Some(id) = next.take() {
            let recursive = matches!(&tree.node(id).kind, NodeKind::Alias(alias) if alias.recursive);
            match &tree.node(tree.resolve_alias(id)).kind {
                _ if recursive => done = Some(Value::Null),
                NodeKind::Sequence(items) => open.push(Open::List(items.clone().into_iter(), Vec::new())),
                NodeKind::Mapping(_) => {
                    open.push(Open::Map(named(tree, id).into_iter(), SmolStr::default(), Vec::new()));
                }
                _ => done = Some(leaf(tree, id)),
            }
        }
        // Up: the value goes into the innermost collection, which asks for its next part or is done itself.
        loop {
            let Some(top) = open.last_mut() else {
                return done.unwrap_or(Value::Null);
            };
            next = match top {
                Open::List(rest, items) => {
                    items.extend(done.take());
                    rest.next()
                }
                Open::Map(rest, name, entries) => {
                    if let Some(value) = done.take() {
                        entries.push((std::mem::take(name), value));
                    }
                    rest.next().map(|(next_name, id)| {
                        *name = next_name;
                        id
                    })
                }
            };
            if next.is_some() {
                break;
            }
            done = match open.pop() {
                Some(Open::List(_, items)) => Some(Value::List(items)),
                Some(Open::Map(_, _, entries)) => Some(Value::Map(entries)),
                None => None,
            };
        }
    }
}

/// The merged entries by the text of their keys; of keys that become one text the later one counts.
fn named(tree: &Tree, id: NodeId) -> Vec<(SmolStr, NodeId)> {
    let mut places = rustc_hash::FxHashMap::default();
    let mut out: Vec<(SmolStr, NodeId)> = Vec::new();
    for entry in tree.entries(id) {
        let name = key_name(tree, entry.key);
        let place = *places.entry(name.clone()).or_insert(out.len());
        match out.get_mut(place) {
            Some(earlier) => earlier.1 = entry.value,
            None => out.push((name, entry.value)),
        }
    }
    out
}

fn key_name(tree: &Tree, key: NodeId) -> SmolStr {
    match tree.value(key) {
        Resolved::Null => SmolStr::new_static("null"),
        _ => tree.as_string(key).unwrap_or_default(),
    }
}

fn leaf(tree: &Tree, id: NodeId) -> Value {
    match tree.value(id) {
        Resolved::Null | Resolved::Mapping | Resolved::Sequence | Resolved::Error => Value::Null,
        Resolved::Bool(value) => Value::Bool(value),
        Resolved::Int(value) => Value::Int(value),
        Resolved::Uint(value) => Value::Uint(value),
        Resolved::Float(value) => Value::Float(value),
        Resolved::Str(text) => Value::Text(text.into()),
        Resolved::Binary(text) => Value::Text(text.chars().filter(|c| !c.is_ascii_whitespace()).collect()),
        Resolved::Timestamp(text) => Value::Text(time::rfc3339(text).unwrap_or_else(|| text.to_smolstr())),
    }
}

fn typed(tree: &Tree, id: NodeId, kind: &FieldKind) -> Result<Value, Failure> {
    let fail = |fault: TypeFault| failure(tree, id, fault);
    match kind {
        FieldKind::String => tree.as_string(id).map(Value::Text).map_err(fail),
        FieldKind::Int => tree.as_int(id).map(Value::Int).map_err(fail),
        FieldKind::Float => tree.as_float(id).map(Value::Float).map_err(fail),
        FieldKind::Bool => tree.as_bool(id).map(Value::Bool).map_err(fail),
        FieldKind::Any => Ok(any(tree, id)),
        // The depth is that of the kind, not of the text.
        FieldKind::List(inner) => match &tree.node(tree.resolve_alias(id)).kind {
            NodeKind::Sequence(items) => items
                .iter()
                .map(|item| typed(tree, *item, inner))
                .collect::<Result<_, _>>()
                .map(Value::List),
            _ if tree.value(id) == Resolved::Null => Ok(Value::Null),
            _ => Err(fail(wrong(tree, id))),
        },
        FieldKind::Map(inner) => match &tree.node(tree.resolve_alias(id)).kind {
            NodeKind::Mapping(_) => {
                let entries = tree.entries(id).into_iter().map(|entry| {
                    let name = tree.as_string(entry.key).map_err(fail)?;
                    Ok((name, typed(tree, entry.value, inner)?))
                });
                entries.collect::<Result<_, _>>().map(Value::Map)
            }
            _ if tree.value(id) == Resolved::Null => Ok(Value::Null),
            _ => Err(fail(wrong(tree, id))),
        },
    }
}

fn wrong(tree: &Tree, id: NodeId) -> TypeFault {
    TypeFault {
        kind: TypeFaultKind::Type,
        found: crate::typed::describe(tree.value(id)),
    }
}

fn failure(tree: &Tree, id: NodeId, fault: TypeFault) -> Failure {
    let class = match fault.kind {
        TypeFaultKind::Type => "type",
        TypeFaultKind::Overflow => "overflow",
    };
    Failure {
        class,
        message: format!("{} does not fit here", fault.found),
        range: tree.node(id).range,
    }
}

impl Value {
    /// As JSON text. Infinities and not-a-number become the texts `+Inf`, `-Inf` and `NaN`.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::write(self)
    }

    /// A float as its text in JSON: exact, `None` for what JSON cannot say.
    fn finite(value: f64) -> Option<String> {
        value.is_finite().then(|| format!("{value:?}"))
    }

    /// A float as the text that stands for what JSON cannot say.
    fn not_finite(value: f64) -> String {
        number::float_text(value)
    }
}

#[cfg(test)]
mod tests {
    use super::{FieldKind, document, field};

    fn json(text: &str) -> String {
        document(text).map_or_else(|failure| failure.class.to_owned(), |value| value.to_json())
    }

    #[test]
    fn any_values() {
        assert_eq!(
            json("a: [1, 1.5, .inf, x, ~, true]\n"),
            r#"{"a":[1,1.5,"+Inf","x",null,true]}"#
        );
        assert_eq!(json("1: a\n~: b\n1.50: c\n"), r#"{"1":"a","null":"b","1.5":"c"}"#);
        assert_eq!(json(""), "null");
        assert_eq!(json("a: !!timestamp 2026-01-02\n"), r#"{"a":"2026-01-02T00:00:00Z"}"#);
        assert_eq!(json("a: &x [*x]\n"), r#"{"a":[null]}"#);
        assert_eq!(
            json("a: &x {k: 1}\nb: {<<: *x, l: \"\\n\\u0001\"}\n"),
            r#"{"a":{"k":1},"b":{"k":1,"l":"\n\u0001"}}"#
        );
    }

    #[test]
    fn faults_have_classes() {
        for (text, class) in [
            ("a: 1\na: 2\n", "duplicate_key"),
            ("a: *b\n", "unknown_alias"),
            ("a: [\n", "syntax"),
            ("<<: 1\n", "type"),
        ] {
            assert_eq!(json(text), class, "{text}");
        }
        assert_eq!(json(&format!("v: {}", "[".repeat(20_000))), "depth");
    }

    #[test]
    fn fields_of_kinds() {
        let kind = FieldKind::from_name("map<list<int>>").unwrap();
        assert_eq!(
            field("v: {a: [1, '2'], b: []}\n", &kind).unwrap().to_json(),
            r#"{"a":[1,2],"b":[]}"#
        );
        assert_eq!(field("v: {a: [x]}\n", &kind).unwrap_err().class, "type");
        assert_eq!(FieldKind::from_name("list<"), None);
    }
}
