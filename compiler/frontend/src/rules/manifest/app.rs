//! The metadata of a story: an id, and one source of context (`language` D1, D2).

use kitsoki_syntax::Span;

use super::super::prelude::*;
use crate::pipeline::is_blank;

pub(crate) const ID_MISSING: Rule = Rule {
    id: "app-id-missing",
    level: Level::Error,
    summary: "a story without an id",
    fixable: Fixable::Sometimes,
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
            let finding = ID_MISSING.at(super::first_key(cx), "no `app:` block");
            out.push(if is_blank(cx.db, cx.story.file) {
                empty(cx, finding)
            } else {
                finding
                    .message("the story has no `app:` block")
                    .help("begin the file with `app: { id: name, version: 0.1.0 }`")
            });
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

/// A file in which no key stands: what is missing is a story, and the smallest one can be written.
fn empty(cx: &StoryCx<'_>, finding: Diagnostic) -> Diagnostic {
    let finding = finding
        .message("the file is empty: a story begins with an `app:` block")
        .help("write a story with an id, a room to begin in, and a way out of it");
    let Some(text) = cx.text_of(cx.story.file.file_id(cx.db)) else {
        return finding;
    };
    // Behind a mark that ends the document nothing belongs to it.
    if text.lines().any(|line| line.trim_end() == "...") {
        return finding;
    }
    let start = if text.is_empty() || text.ends_with('\n') || text == "\u{feff}" {
        ""
    } else {
        "\n"
    };
    let end = kitsoki_syntax::text_range(text.len(), text.len());
    let skeleton = format!("{start}{}", SKELETON.replace("NAME", &name_of(cx)));
    let at = Span::new(cx.story.file.file_id(cx.db), end);
    finding.fix(Fix::insert(at, skeleton).title("write the smallest story"))
}

/// A story that runs: what an empty file lacks.
const SKELETON: &str = "\
app:
  id: NAME
  version: 0.1.0
root: start
intents:
  finish: { examples: [finish] }
states:
  start:
    view: Say what happens here.
    on:
      finish: [{ target: end }]
  end:
    terminal: true
";

/// The name of the story's folder, where it can be an id as it is.
fn name_of(cx: &StoryCx<'_>) -> String {
    let folder = cx.base_dir().file_name().unwrap_or_default();
    let plain = folder
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    match folder.chars().next() {
        Some(first) if plain && first.is_ascii_alphabetic() => folder.to_owned(),
        _ => "story".to_owned(),
    }
}

fn no_id(at: Span) -> Diagnostic {
    ID_MISSING
        .at(at, "no id")
        .message("a story needs an `id`")
        .help("write `app: { id: name }`")
}
