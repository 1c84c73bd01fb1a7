//! `prompt-arg-missing`: a prompt reads an argument that no call passes (`expressions` 7).

use kitsoki_expr::{RefKind, Reference, Segment};
use kitsoki_syntax::{Span, TextRange};
use rustc_hash::FxHashSet;

use super::super::calls::Call;
use super::super::prelude::*;
use super::super::words::did_you_mean;

pub(crate) const RULE: Rule = Rule {
    id: "prompt-arg-missing",
    level: Level::Warning,
    summary: "a prompt reads an argument that no call passes",
    fixable: Fixable::Sometimes,
};

/// What the calls of one prompt pass.
pub(super) struct Passed<'a> {
    /// Names; `None` when some call passes what cannot be read here.
    names: Option<Vec<&'a Text>>,
    /// A text of the first call, for the label.
    named: &'a Text,
}

impl<'a> Passed<'a> {
    /// Nothing so far; `named` is where the prompt is named first.
    pub(super) fn new(named: &'a Text) -> Self {
        Self {
            names: Some(Vec::new()),
            named,
        }
    }

    /// Where the prompt is named first.
    pub(super) fn named(&self) -> &'a Text {
        self.named
    }

    /// What one more call passes: `args`, and `args` of `context`.
    pub(super) fn add(&mut self, call: &Call<'a>) {
        let nested = call.arg("context").and_then(|c| c.get("args"));
        let context_is_text = call
            .arg("context")
            .is_some_and(|c| c.as_map().is_none() && c.kind != AnyKind::Null);
        for args in call.arg("args").into_iter().chain(nested) {
            match &args.kind {
                AnyKind::Null => {}
                AnyKind::Map(entries) => {
                    if let Some(names) = &mut self.names {
                        names.extend(entries.iter().map(|e| &e.name));
                    }
                }
                _ => self.names = None,
            }
        }
        if context_is_text {
            self.names = None;
        }
    }

    /// Checks what the prompt reads: `place` gives the place of a range in it.
    pub(super) fn check(
        &self,
        cx: &StoryCx<'_>,
        text: &str,
        references: &[Reference],
        out: &mut Vec<Diagnostic>,
        place: impl Fn(TextRange) -> Span,
    ) {
        let Some(names) = &self.names else { return };
        let mut told: FxHashSet<&str> = FxHashSet::default();
        for reference in references {
            if reference.root != "args" || reference.local || reference.kind != RefKind::Read {
                continue;
            }
            let Some(segment) = reference.path.first() else {
                continue;
            };
            let Some(name) = Segment::name(segment) else { continue };
            if names.iter().any(|n| n.as_str() == name) || !told.insert(name) {
                continue;
            }
            let near = did_you_mean(name, names.iter().map(|n| n.as_str()));
            // A prompt that asks for its arguments, or gives them a fallback, can do without them.
            if near.is_none()
                && (text.contains("{% if") || text.contains("{%- if") || has_fallback(text, reference.range))
            {
                continue;
            }
            let at = place(segment.range);
            let finding = RULE
                .at(at, "renders as nothing")
                .message(format!("no call passes the argument {} to this prompt", code(name)))
                .label(cx.inside(self.named), "the prompt of this call");
            out.push(match near.and_then(|near| names.iter().find(|n| n.as_str() == near)) {
                Some(near) => finding
                    .label(cx.inside(near), "an argument with a similar name")
                    .fix(Fix::replace(at, near.as_str()).title(format!("change it to {}", code(near.as_str())))),
                None => finding.help("pass it under `args`, or give it a fallback in the prompt"),
            });
        }
    }
}

/// Whether `??` or a default follows.
fn has_fallback(text: &str, range: TextRange) -> bool {
    let rest = text.get(usize::from(range.end())..).unwrap_or_default().trim_start();
    rest.starts_with("??")
        || rest
            .strip_prefix('|')
            .is_some_and(|r| r.trim_start().starts_with("default"))
}
