//! Arms of one arc that hide each other: an arm that an earlier one always forestalls, a guard that is not asked
//! (`language` 3.7).
//!
//! Which guards hide a later one is decided in `kitsoki_expr::cover`; here stands what is known of the values. An arm that
//! never fires because its own guard never holds is not this rule's business.

use kitsoki_expr::cover::{self, Hidden};
use kitsoki_expr::types::Type;
use kitsoki_expr::{Mode, Program, compile_expr};
use kitsoki_syntax::Span;

use super::super::names;
use super::super::prelude::*;

pub(crate) const UNREACHABLE: Rule = Rule {
    id: "unreachable-arm",
    level: Level::Warning,
    summary: "an arm that an earlier one always forestalls",
    fixable: Fixable::Never,
};

pub(crate) const DEFAULT_WITH_WHEN: Rule = Rule {
    id: "default-with-when",
    level: Level::Warning,
    summary: "a guard beside `default: true` is not asked",
    fixable: Fixable::Never,
};

/// What the place of a hidden arm is; `unreachable_state` finds the arms by it.
pub(super) const NEVER_TRIED: &str = "never tried";

/// Hidden arms and arms that hide them that are shown.
const SHOWN: usize = 8;

/// One arm with what decides whether it is taken.
struct Arm<'a> {
    arc: &'a Arc,
    guard: Guard<'a>,
}

enum Guard<'a> {
    /// It is taken when it is tried, because of the key at the place.
    Always(Span),
    /// A guard that can be looked into.
    When(&'a Text, Box<Program>),
    Unknown,
}

impl Arm<'_> {
    fn as_cover(&self) -> cover::Guard<'_> {
        match &self.guard {
            Guard::Always(_) => cover::Guard::Always,
            Guard::When(_, program) => cover::Guard::When(program.expr()),
            Guard::Unknown => cover::Guard::Unknown,
        }
    }

    fn text(&self) -> Option<&str> {
        match &self.guard {
            Guard::When(text, _) => Some(text.as_str().trim()),
            _ => None,
        }
    }
}

/// Checks the arcs of one room; `world` is what is known of the values of world keys.
pub(super) fn check(room: RoomCx<'_>, world: &Type, out: &mut Vec<Diagnostic>) {
    for entry in room.room().on.iter().flat_map(|on| on.entries.iter()) {
        let mut arms: Vec<Arm<'_>> = Vec::new();
        let several = entry.value.iter().count() > 1;
        for arc in entry.value.iter() {
            let is_default = arc.default.as_ref().filter(|d| d.value.value);
            let guard = arc.when.as_ref().filter(|w| !w.text.is_empty());
            if let (Some(default), Some(guard)) = (is_default, guard) {
                out.push(default_with_when(default.key, guard));
            }
            // What a macro adds is that macro's business.
            if several && arc.origin.is_written() {
                let guard = match (is_default, guard) {
                    (Some(default), _) => Guard::Always(default.key),
                    // What could not be read may have been its guard.
                    (None, None) if room.story.is_faulty(arc.span) => Guard::Unknown,
                    (None, None) => Guard::Always(arc.head),
                    (None, Some(guard)) => of_text(arc, guard),
                };
                arms.push(Arm { arc, guard });
            }
        }
        if arms.len() > 1 {
            out.extend(hidden(room, &entry.name, &arms, world));
        }
    }
}

fn of_text<'a>(arc: &Arc, guard: &'a Text) -> Guard<'a> {
    // A guard into which a template put a value of one phase, or that is such a value itself, is true here and false
    // elsewhere.
    let own = arc.span.file == guard.span.file && arc.span.range.contains_range(guard.span.range);
    if guard.edits.is_some() || guard.made.is_some() || !own {
        return Guard::Unknown;
    }
    compile_expr(guard.as_str(), Mode::Guard).map_or(Guard::Unknown, |program| Guard::When(guard, Box::new(program)))
}

/// One finding about all arms of an arc that are never taken.
fn hidden(room: RoomCx<'_>, name: &Text, arms: &[Arm<'_>], world: &Type) -> Option<Diagnostic> {
    let guards: Vec<cover::Guard<'_>> = arms.iter().map(Arm::as_cover).collect();
    let hidden = cover::hidden(&guards, &|text| type_of(room.story, world, text));
    let hidden: Vec<(&Arm<'_>, Hidden)> = arms.iter().zip(hidden).filter_map(|(a, h)| Some((a, h?))).collect();
    let (first, _) = hidden.first()?;
    let name = names::spelled(room.story, name);
    let mut finding = UNREACHABLE.at(first.arc.head, NEVER_TRIED).message(match hidden.len() {
        1 => format!("an arm of {} can never fire", code(&name)),
        n => format!("{n} arms of {} can never fire", code(&name)),
    });
    for (other, _) in hidden.iter().skip(1).take(SHOWN) {
        finding = finding.label(other.arc.head, NEVER_TRIED);
    }
    let mut shown: Vec<Span> = Vec::new();
    let mut unguarded = false;
    for (late, hidden) in &hidden {
        for winner in hidden.by.iter().filter_map(|i| arms.get(*i)) {
            let (at, why) = match &winner.guard {
                Guard::Always(at) => (*at, "this arm always wins"),
                Guard::When(text, _) => (room.story.inside(text), why(winner, late, hidden)),
                Guard::Unknown => continue,
            };
            unguarded |= matches!(winner.guard, Guard::Always(_));
            if !shown.contains(&at) && shown.len() < SHOWN {
                finding = finding.label(at, why);
                shown.push(at);
            }
        }
    }
    Some(finding.help(if unguarded {
        "arms are tried in order: put the one without a guard last"
    } else {
        "arms are tried in order, and the first whose guard holds is taken"
    }))
}

/// What the guard of `winner` is to the arm that it helps to hide.
fn why(winner: &Arm<'_>, late: &Arm<'_>, hidden: &Hidden) -> &'static str {
    match (hidden.always, hidden.by.len()) {
        _ if winner.text() == late.text() => "the same guard stands here",
        (true, 1) => "this guard always holds",
        (true, _) => "one of these guards always holds",
        (false, 1) => "this guard holds whenever the later one does",
        (false, _) => "one of these guards holds whenever the later one does",
    }
}

/// What is known of the value of `world.key`; nothing of any other text.
fn type_of(cx: &StoryCx<'_>, world: &Type, text: &str) -> Type {
    let Some((key, Type::Map(map))) = text.strip_prefix("world.").map(|key| (key, world)) else {
        return Type::Any;
    };
    let ty = map.fields.get(key).cloned().unwrap_or(Type::Any);
    // An `int` becomes a float on its way through the log, but never one that is no number.
    let whole = cx.world_var(key).is_some_and(|var| var.type_word() == "int");
    match &ty {
        Type::Union(parts) if whole && parts.contains(&Type::Int) => {
            let parts: Vec<Type> = parts.iter().filter(|p| **p != Type::Float).cloned().collect();
            Type::Union(parts.into())
        }
        _ => ty,
    }
}

fn default_with_when(default: Span, guard: &Field<Text>) -> Diagnostic {
    DEFAULT_WITH_WHEN
        .at(guard.key, "this guard is not asked")
        .message("an arm with `default: true` is taken whatever its guard says")
        .label(default, "always taken")
        .help("leave out one of the two")
}
