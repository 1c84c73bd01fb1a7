//! What a call wants: arguments of a verb, parameters of a function or filter.

use kitsoki_expr::names as words;

use super::completion::place;
use super::context::{Typing, context};
use super::{At, Snapshot, facts};
use crate::index::form::form;
use crate::index::hosts;
use crate::index::resolve;
use crate::index::schema::{Keys, Kind, Sem, Ty};

/// A signature with the argument at hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// All of it.
    pub label: String,
    /// Its arguments as they stand in the label.
    pub arguments: Vec<String>,
    /// The argument that is being written.
    pub active: Option<usize>,
    /// What it does.
    pub doc: String,
}

/// The signature for a place.
#[must_use]
pub fn signature(snapshot: &Snapshot, at: At) -> Option<Signature> {
    let text = snapshot.text(at.file);
    let found = context(&text, at.offset.into());
    let package = super::symbol_at::packages(snapshot, at.file).first().copied();
    let place = place::of(snapshot, package, form(&snapshot.db, at.file), &found);
    let written: Option<String> = match &found.typing {
        Typing::Key { .. } => None,
        Typing::Value { .. } => found.path.last().and_then(|s| s.key.as_ref()).map(|k| k.to_string()),
    };
    // Inside of `with`: at a key of it, or at the value of one.
    let in_with = match (&found.typing, place.ty) {
        (Typing::Key { .. }, Some(Ty::Map(Keys::Arguments, _))) => true,
        (Typing::Value { .. }, _) => {
            let around = found.path.len().checked_sub(2).and_then(|n| found.path.get(n));
            around.is_some_and(|s| s.key.as_deref() == Some("with"))
        }
        _ => false,
    };
    if let Typing::Value { text, .. } = &found.typing
        && let Some(inner) = of_expression(text, place.ty)
    {
        return Some(inner);
    }
    if !in_with {
        return None;
    }
    let verb = place.scope.verb.as_deref()?;
    if let Some(rest) = verb.strip_prefix("iface.") {
        return of_interface(snapshot, package?, rest, written.as_deref());
    }
    let known = hosts::find(verb)?;
    let arguments: Vec<String> = known.arguments.iter().map(|a| (*a).to_owned()).collect();
    let active = written.and_then(|w| known.arguments().position(|(name, _)| name == w));
    Some(Signature {
        label: known.signature(),
        arguments,
        active,
        doc: known.doc.to_owned(),
    })
}

fn of_interface(
    snapshot: &Snapshot,
    package: kitsoki_compiler::db::SourceFile,
    rest: &str,
    written: Option<&str>,
) -> Option<Signature> {
    let (name, operation) = rest.split_once('.')?;
    let symbol = resolve::symbol(&snapshot.db, package, Kind::Interface, name, "");
    let manifest = facts::with_words(snapshot, &symbol);
    let interface = manifest.host_interfaces.as_ref()?.value.get(&symbol.name)?;
    let declared = interface.operations.as_ref()?.value.get(operation)?;
    let fields: Vec<(String, String)> = declared
        .input
        .iter()
        .flat_map(|i| i.value.entries.iter())
        .map(|e| (e.name.text.to_string(), e.value.as_str().unwrap_or("any").to_owned()))
        .collect();
    let arguments: Vec<String> = fields.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
    Some(Signature {
        label: format!("iface.{rest}({})", arguments.join(", ")),
        active: written.and_then(|w| fields.iter().position(|(name, _)| name == w)),
        arguments,
        doc: interface
            .description
            .as_ref()
            .map(|d| super::markdown::plain(d.as_str()))
            .unwrap_or_default(),
    })
}

/// The call that is open at the end of a text in one of the languages.
fn of_expression(text: &str, ty: Option<&'static Ty>) -> Option<Signature> {
    let ty = match ty? {
        Ty::Form(form) => form.scalar.as_ref()?,
        ty => ty,
    };
    let (Ty::Text(sem) | Ty::Any(sem)) = ty else {
        return None;
    };
    let inside = match sem {
        Sem::Expr => text,
        Sem::Value | Sem::View | Sem::Bind | Sem::EmitIntent | Sem::Target => {
            let at = text.rfind("{{").max(text.rfind("{%"))?;
            let inside = text.get(at + 2..)?;
            if inside.contains("}}") || inside.contains("%}") {
                return None;
            }
            inside
        }
        _ => return None,
    };
    // The innermost bracket that is open, and how many commas stand behind it.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut quote: Option<char> = None;
    for (at, c) in inside.char_indices() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => open.push((at, 0)),
            (None, ')' | ']' | '}') => {
                open.pop();
            }
            (None, ',') => {
                if let Some((_, commas)) = open.last_mut() {
                    *commas += 1;
                }
            }
            _ => {}
        }
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if let Some((at, commas)) = open.last() {
        let before = inside.get(..*at)?;
        let name = before.get(before.trim_end_matches(is_word).len()..)?;
        let tables = [words::FUNCTIONS, words::HELPERS];
        let known = tables.iter().flat_map(|t| t.iter()).find(|n| n.name == name)?;
        let arguments = arguments_of(known.signature);
        return Some(Signature {
            label: known.signature.to_owned(),
            active: (*commas < arguments.len()).then_some(*commas),
            arguments,
            doc: known.doc.to_owned(),
        });
    }
    // `value|filter:argument`
    if *sem == Sem::View {
        let (head, _) = inside.rsplit_once(':')?;
        let name = head.get(head.trim_end_matches(is_word).len()..)?;
        if !head.trim_end_matches(is_word).trim_end().ends_with('|') {
            return None;
        }
        let known = words::FILTERS.iter().find(|f| f.name == name)?;
        let argument = known.signature.rsplit_once(':').map(|(_, a)| a.to_owned());
        return Some(Signature {
            label: known.signature.to_owned(),
            active: argument.as_ref().map(|_| 0),
            arguments: argument.into_iter().collect(),
            doc: known.doc.to_owned(),
        });
    }
    None
}

fn arguments_of(signature: &str) -> Vec<String> {
    let inside = signature.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')'));
    let inside = inside.map_or("", |(inside, _)| inside);
    inside
        .split(',')
        .map(|a| a.trim().to_owned())
        .filter(|a| !a.is_empty())
        .collect()
}
