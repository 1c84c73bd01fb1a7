//! `fallback-slot-shape`: a free-form fallback whose intent cannot take the text: it needs exactly one required slot, of type string (`macros` 5.3).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "fallback-slot-shape",
    level: Level::Error,
    summary: "the fallback intent does not have one required text slot",
    fixable: Fixable::Never,
};

/// `count` is the number of required slots; `ty` the type that is no text, when there is exactly one.
pub(crate) fn at(place: Span, intent: &str, count: usize, ty: Option<Span>) -> Diagnostic {
    let label = match (count, ty) {
        (_, Some(_)) => "its required slot is no text".to_owned(),
        (0, _) => "it has no required slot".to_owned(),
        (n, _) => format!("it has {n} required slots"),
    };
    let finding = RULE
        .at(place, label)
        .message(format!("free text does not fit into {}", code(intent)));
    let finding = ty.into_iter().fold(finding, |f, at| f.label(at, "not `string`"));
    finding.help("the intent needs exactly one slot with `required: true`, of type `string`")
}
