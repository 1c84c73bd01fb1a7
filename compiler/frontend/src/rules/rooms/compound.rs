//! Compound rooms and their first child: one without it, and a first child without a compound room (`language` 3.6).

use super::super::prelude::*;

pub(crate) const NO_INITIAL: Rule = Rule {
    id: "compound-no-initial",
    level: Level::Warning,
    summary: "a compound room that begins in none of its children",
    fixable: Fixable::Never,
};

pub(crate) const INITIAL_WITHOUT: Rule = Rule {
    id: "initial-without-compound",
    level: Level::Warning,
    summary: "`initial` on a room that is not compound",
    fixable: Fixable::Sometimes,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let body = room.room();
    let ty = body.ty.as_ref().map_or("", |t| t.as_str());
    let initial = body.initial.as_ref().filter(|i| !i.text.is_empty());
    match (ty, initial) {
        ("compound", None) => {
            if let Some(ty) = body.ty.as_ref().filter(|t| t.value.made.is_none()) {
                out.push(
                    NO_INITIAL
                        .at(ty.span, "entering it stays outside of its children")
                        .message("a compound room without `initial` begins in none of its children")
                        .help("name the child that comes first with `initial`"),
                );
            }
        }
        ("" | "atomic", Some(initial)) if initial.value.made.is_none() => out.push(
            INITIAL_WITHOUT
                .at(initial.key, "nothing enters this child")
                .message("`initial` means something on compound rooms only")
                .help("add `type: compound`"),
        ),
        _ => {}
    }
}
