//! Where a story begins (`language` D3, D4, 3.1).

use super::super::prelude::*;
use crate::pipeline::is_blank;

pub(crate) const INVALID: Rule = Rule {
    id: "root-invalid",
    level: Level::Error,
    summary: "a story that does not say where it begins",
    fixable: Fixable::Never,
};

pub(crate) const UNKNOWN: Rule = Rule {
    id: "root-unknown",
    level: Level::Error,
    summary: "a story begins in a room that does not exist",
    fixable: Fixable::Sometimes,
};

pub(crate) const EMPTY: Rule = Rule {
    id: "root-empty",
    level: Level::Warning,
    summary: "a story begins nowhere",
    fixable: Fixable::Never,
};

pub(crate) const INLINE_IGNORED: Rule = Rule {
    id: "inline-root-ignored",
    level: Level::Warning,
    summary: "a mapping under `root` is accepted and ignored",
    fixable: Fixable::Never,
};

pub(super) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(root) = &cx.story.manifest.root else {
        // Of an empty file `app` speaks.
        if !cx.story.incomplete.other
            && !super::stands(cx, "root")
            && !cx.lacks("root")
            && !is_blank(cx.db, cx.story.file)
        {
            out.push(
                INVALID
                    .at(super::first_key(cx), "no `root` here")
                    .message("the story does not say where it begins")
                    .help("name the first room with `root:`"),
            );
        }
        return;
    };
    match &root.value {
        Root::Name(name) if name.text.is_empty() => out.push(
            EMPTY
                .at(name.span, "no room")
                .message("the story begins nowhere")
                .note("the load accepts empty text; a session has no room to begin in"),
        ),
        // A name that is no room is found with the other lost targets.
        Root::Name(_) => {}
        Root::Inline(_) => out.push(
            INLINE_IGNORED
                .at(root.key, "this mapping means nothing")
                .message("`root` names a room: a mapping is ignored")
                .help("write the name of a room of `states:`"),
        ),
        Root::Wrong(any) => {
            let nothing = any.kind == AnyKind::Null;
            let at = if nothing { root.key } else { any.span };
            let finding = INVALID
                .at(at, if nothing { "nothing stands behind it" } else { "no name" })
                .message("`root` is the name of a room");
            out.push(match any.kind {
                AnyKind::Int(_) | AnyKind::Uint(_) | AnyKind::Float(_) | AnyKind::Bool(_) => {
                    finding.help("put the name in quotes")
                }
                _ => finding,
            });
        }
    }
}
