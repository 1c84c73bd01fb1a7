//! The schema of a choice: which parts each mode has, and of which kind they are (`language` 3.9).
//!
//! Nothing is converted inside of a choice: a number is no label. Unknown keys are found while reading
//! ([`super::super::decoding`]); keys of another mode are found here. The rule is `choice-schema`, declared there as well.

use kitsoki_syntax::Span;

use super::super::decoding::CHOICE_SCHEMA as RULE;
use super::super::prelude::*;
use super::choices::is_name;

/// What a part must be.
#[derive(Clone, Copy)]
enum Need {
    /// A text.
    Text,
    /// A text with at least one character.
    Filled,
    /// A plain identifier.
    Name,
    /// One of some words.
    Word(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A list of texts.
    Texts,
    /// A text, a number or a flag.
    Leaf,
    /// An integer from some value on.
    AtLeast(i64),
}

/// A check of one mapping of the choice.
struct Part<'a, 'o> {
    cx: &'a StoryCx<'a>,
    what: &'static str,
    head: Span,
    out: &'o mut Vec<Diagnostic>,
}

/// Checks one choice; `true` when nothing is wrong with its structure.
pub(super) fn check<'a>(cx: &'a StoryCx<'a>, choice: &Choice, out: &mut Vec<Diagnostic>) -> bool {
    if choice.broken {
        return false;
    }
    let before = out.len();
    let mut part = Part {
        cx,
        what: "a choice",
        head: choice.head,
        out,
    };
    const MODES: &[&str] = &["single", "multi", "form"];
    if !part.need("mode", choice.mode.as_ref(), Need::Word(MODES)) {
        return false;
    }
    let Some(mode) = choice.mode() else { return false };
    part.may("prompt", choice.prompt.as_ref(), Need::Text);
    part.may("when", choice.when.as_ref(), Need::Text);
    match mode {
        ChoiceMode::Single => {
            part.others(
                "single",
                choice,
                &["intent", "slot", "min", "max", "template", "fields"],
            );
            items(&mut part, choice, true);
        }
        ChoiceMode::Multi => {
            part.others("multi", choice, &["template", "fields"]);
            part.need("intent", choice.intent.as_ref(), Need::Name);
            part.need("slot", choice.slot.as_ref(), Need::Filled);
            part.may("min", choice.min.as_ref(), Need::AtLeast(0));
            part.may("max", choice.max.as_ref(), Need::AtLeast(1));
            items(&mut part, choice, false);
        }
        ChoiceMode::Form => {
            part.others("form", choice, &["items", "slot", "min", "max"]);
            part.need("intent", choice.intent.as_ref(), Need::Name);
            part.need("template", choice.template.as_ref(), Need::Filled);
            fields(&mut part, choice);
        }
    }
    out.len() == before
}

fn items(part: &mut Part<'_, '_>, choice: &Choice, single: bool) {
    let Some(items) = &choice.items else {
        part.missing("items");
        return;
    };
    if items.is_empty() {
        part.out.push(
            RULE.at(items.value.span, "nothing to choose from")
                .message("a choice needs at least one item"),
        );
    }
    for item in items.iter() {
        let mut part = Part {
            cx: part.cx,
            what: "a choice item",
            head: item.head,
            out: &mut *part.out,
        };
        part.may("hint", item.hint.as_ref(), Need::Text);
        part.may("when", item.when.as_ref(), Need::Text);
        if single {
            part.need("label", item.label.as_ref(), Need::Filled);
            part.need("intent", item.intent.as_ref(), Need::Name);
            part.other("value", item.value.as_ref().map(|f| f.key), "of a multi choice");
            if let Some(param) = &item.param {
                let mut part = Part {
                    cx: part.cx,
                    what: "a choice parameter",
                    head: param.head,
                    out: &mut *part.out,
                };
                part.need("slot", param.slot.as_ref(), Need::Filled);
                part.need("type", param.ty.as_ref(), Need::Word(&["string", "int", "enum"]));
                part.may("placeholder", param.placeholder.as_ref(), Need::Text);
                part.may("required", param.required.as_ref(), Need::Flag);
                part.values(param.ty.as_ref(), param.values.as_ref());
            }
        } else {
            part.need("value", item.value.as_ref(), Need::Filled);
            part.may("label", item.label.as_ref(), Need::Text);
            part.other("intent", item.intent.as_ref().map(|f| f.key), "of a single choice");
            part.other("slots", item.slots.as_ref().map(|f| f.key), "of a single choice");
            part.other("param", item.param.as_ref().map(|f| f.key), "of a single choice");
        }
    }
}

fn fields(part: &mut Part<'_, '_>, choice: &Choice) {
    let Some(fields) = &choice.fields else {
        part.missing("fields");
        return;
    };
    if fields.entries.is_empty() {
        part.out.push(
            RULE.at(fields.value.span, "nothing to fill in")
                .message("a form needs at least one field"),
        );
    }
    for entry in &fields.entries {
        let field = &entry.value;
        let mut part = Part {
            cx: part.cx,
            what: "a choice field",
            head: entry.name.span,
            out: &mut *part.out,
        };
        part.need(
            "type",
            field.ty.as_ref(),
            Need::Word(&["string", "int", "float", "bool", "enum"]),
        );
        for (key, value) in [
            ("hint", &field.hint),
            ("placeholder", &field.placeholder),
            ("unit", &field.unit),
            ("expr", &field.expr),
            ("when", &field.when),
        ] {
            part.may(key, value.as_ref(), Need::Text);
        }
        for (key, value) in [("default", &field.default), ("min", &field.min), ("max", &field.max)] {
            part.may(key, value.as_ref(), Need::Leaf);
        }
        part.may("required", field.required.as_ref(), Need::Flag);
        part.may("readonly", field.readonly.as_ref(), Need::Flag);
        part.values(field.ty.as_ref(), field.values.as_ref());
        let readonly = field.readonly.as_ref().filter(|r| r.kind == AnyKind::Bool(true));
        if let Some(readonly) = readonly.filter(|_| field.expr.is_none()) {
            part.out.push(
                RULE.at(readonly.key, "what does it show?")
                    .message("a read-only field needs `expr`")
                    .help("write the expression whose value the field shows"),
            );
        }
    }
}

impl Part<'_, '_> {
    /// A part that must be there.
    fn need(&mut self, key: &'static str, value: Option<&Field<Any>>, need: Need) -> bool {
        match value {
            Some(value) => self.fits(key, value, need),
            None => {
                self.missing(key);
                false
            }
        }
    }

    /// A part that may be there.
    fn may(&mut self, key: &'static str, value: Option<&Field<Any>>, need: Need) {
        if let Some(value) = value {
            self.fits(key, value, need);
        }
    }

    fn missing(&mut self, key: &str) {
        let finding = RULE
            .at(self.head, format!("{} is missing here", code(key)))
            .message(format!("{} has no {}", self.what, code(key)));
        self.out.push(match key {
            "mode" => finding.help("write `mode: single`, `mode: multi` or `mode: form`"),
            _ => finding,
        });
    }

    /// The values of an enum, and that an enum has some.
    fn values(&mut self, ty: Option<&Field<Any>>, values: Option<&Field<Any>>) {
        self.may("values", values, Need::Texts);
        let is_enum = ty.filter(|t| t.as_str() == Some("enum"));
        if let Some(ty) = is_enum.filter(|_| values.is_none()) {
            self.out.push(
                RULE.at(ty.key, "one of which values?")
                    .message(format!("{} of the type `enum` needs `values`", self.what)),
            );
        }
    }

    /// Keys of the choice that belong to another mode.
    fn others(&mut self, mode: &str, choice: &Choice, keys: &[&'static str]) {
        for key in keys {
            if let Some(span) = choice.key_span(key) {
                self.out.push(
                    RULE.at(span, format!("no key of the mode {}", code(mode)))
                        .message(format!("a {mode} choice has no {}", code(key))),
                );
            }
        }
    }

    /// A key of an item that belongs to another mode.
    fn other(&mut self, key: &str, span: Option<Span>, whose: &str) {
        if let Some(span) = span {
            self.out.push(RULE.at(span, format!("a key {whose}")).message(format!(
                "{} has no {} here",
                self.what,
                code(key)
            )));
        }
    }

    fn fits(&mut self, key: &'static str, value: &Field<Any>, need: Need) -> bool {
        let text = value.value.as_text();
        let wrong = match need {
            Need::Text => text.is_none().then_some("a text"),
            Need::Filled => text
                .is_none_or(|t| t.text.is_empty())
                .then_some("a text that is not empty"),
            Need::Name => match text {
                None => Some("the name of an intent"),
                Some(name) => {
                    if !is_name(name.as_str()) {
                        self.out.push(bad_name(self.what, name));
                        return false;
                    }
                    None
                }
            },
            Need::Word(known) => match text {
                None => Some("a word"),
                Some(word) => {
                    if !known.contains(&word.as_str()) {
                        let what = format!("{} of {}", key, self.what);
                        self.out
                            .push(super::super::names::unknown_word(self.cx, &RULE, word, &what, known));
                        return false;
                    }
                    None
                }
            },
            Need::Flag => (!matches!(value.kind, AnyKind::Bool(_))).then_some("`true` or `false`"),
            Need::Texts => {
                let texts = value
                    .value
                    .as_list()
                    .is_some_and(|l| l.iter().all(|i| i.as_text().is_some()));
                (!texts).then_some("a list of texts")
            }
            Need::Leaf => {
                let leaf = !matches!(value.kind, AnyKind::Null | AnyKind::List(_) | AnyKind::Map(_));
                (!leaf).then_some("a text, a number or a flag")
            }
            Need::AtLeast(least) => match value.kind {
                AnyKind::Int(n) if n >= least => None,
                AnyKind::Uint(_) => None,
                #[expect(clippy::cast_precision_loss, reason = "the bounds are 0 and 1")]
                AnyKind::Float(x) if x.fract() == 0.0 && x >= least as f64 => None,
                _ if least == 0 => Some("an integer from 0 on"),
                _ => Some("an integer from 1 on"),
            },
        };
        let Some(expected) = wrong else { return true };
        let at = match (&value.kind, need) {
            (AnyKind::List(items), Need::Texts) => items
                .iter()
                .find(|i| i.as_text().is_none())
                .map_or(value.value.span, |i| i.span),
            _ => value.value.span,
        };
        let empty = text.is_some_and(|t| t.text.is_empty());
        let found = if empty { "empty text" } else { value.value.kind_word() };
        self.out.push(RULE.at(at, format!("this is {found}")).message(format!(
            "{} of {} must be {expected}",
            code(key),
            self.what
        )));
        false
    }
}

fn bad_name(what: &str, name: &Text) -> Diagnostic {
    let finding = RULE
        .at(name.span, "letters, digits and `_` only")
        .message(format!("the intent of {what} must be a plain name"));
    if name.is_templated() {
        finding.help(
            "a choice cannot name its intent with a template: write one item for each intent, guarded with `when`",
        )
    } else {
        finding
    }
}
