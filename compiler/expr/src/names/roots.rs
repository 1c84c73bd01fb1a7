//! Roots of the environments (language 7 of the expression chapter).

use super::{Named, named};

/// Roots of guards and value expressions that member access may start at.
pub const ROOTS: &[Named] = &[
    named("world", "world.key", "The world: everything the story remembers."),
    named("slots", "slots.name", "What the current call was given."),
    named("event", "event", "The event: always empty in a story."),
    named(
        "run",
        "run.id, run.turn",
        "The run record: always an empty id and turn 0 in a story.",
    ),
    named("args", "args.name", "Arguments of a prompt or handler."),
    named(
        "menu",
        "menu.primary, menu.blocked",
        "What can be done in this room, in views.",
    ),
    named(
        "prerequisites",
        "prerequisites.unmet",
        "The room's prerequisites: all, met, unmet, has_unmet; in views.",
    ),
    named("item", "item.name", "The element of the `range` around."),
    named(
        "result",
        "result.key",
        "What the host call returned, in templated `bind` values.",
    ),
    named(
        "proposal",
        "proposal",
        "Admitted by the check, but nothing ever stands behind it.",
    ),
    named(
        "inbox",
        "inbox",
        "Admitted by the check, but nothing ever stands behind it.",
    ),
    named(
        "workspace",
        "workspace",
        "Admitted by the check, but nothing ever stands behind it.",
    ),
];

/// Roots of pongo templates.
pub const ROOTS_P: &[Named] = &[
    named("world", "world.key", "The world: everything the story remembers."),
    named("slots", "slots.name", "What the current call was given."),
    named("event", "event", "The event: always empty in a story."),
    named(
        "run",
        "run.id, run.turn",
        "The run record: always an empty id and turn 0 in a story.",
    ),
    named("args", "args.name", "Arguments of a prompt."),
    named("menu", "menu.primary, menu.blocked", "What can be done in this room."),
    named(
        "prerequisites",
        "prerequisites.unmet",
        "The room's prerequisites: all, met, unmet, has_unmet.",
    ),
    named("item", "item.name", "The element at hand, where there is one."),
    named("state", "state.path, state.description", "The room that is shown."),
    named(
        "forloop",
        "forloop.Counter",
        "The loop around: Counter, Counter0, Revcounter, Revcounter0, First, Last, Parentloop.",
    ),
    named(
        "block",
        "block.Super",
        "The block around: `block.Super` is the text that it replaces.",
    ),
    named(
        "pongo2",
        "pongo2.version",
        "The template engine that the dialect comes from.",
    ),
];
