//! The metadata of a story: an id, and one source of context (`language` D1, D2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const ID_MISSING: Rule = Rule {
    id: "app-id-missing",
    level: Level::Error,
    summary: "a story without an id",
    fixable: Fixable::Never,
};

pub(crate) const CONTEXT_BOTH: Rule = Rule {
    id: "app-context-both",
    level: Level::Error,
    summary: "two sources of the project context",
    fixable: Fixable::Never,
};

pub(super) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    let manifest = &cx.story.manifest;
    let Some(app) = &manifest.app else {
        // An `app` of the wrong shape has been reported as such.
        if !cx.story.incomplete.other && !super::stands(cx, "app") && !cx.lacks("app") {
            let finding = ID_MISSING
                .at(super::first_key(cx), "no `app:` block")
                .message("the story has no `app:` block")
                .help("begin the file with `app: { id: name, version: 0.1.0 }`");
            out.push(finding);
        }
        return;
    };
    match &app.id {
        Some(id) if !id.text.is_empty() => {}
        Some(id) => out.push(no_id(id.span)),
        None => out.push(no_id(app.key)),
    }
    let context = app.context.as_ref().filter(|c| !c.text.is_empty());
    let path = app.context_path.as_ref().filter(|c| !c.text.is_empty());
    if let (Some(context), Some(path)) = (context, path) {
        let (later, first) = if context.key.range.start() > path.key.range.start() {
            (context.key, path.key)
        } else {
            (path.key, context.key)
        };
        out.push(
            CONTEXT_BOTH
                .at(later, "the second source")
                .message("`context` and `context_path` exclude each other")
                .label(first, "the first source")
                .help("keep one of the two"),
        );
    }
}

fn no_id(at: Span) -> Diagnostic {
    ID_MISSING
        .at(at, "no id")
        .message("a story needs an `id`")
        .help("write `app: { id: name }`")
}
