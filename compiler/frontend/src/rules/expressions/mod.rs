//! Rules about expressions and templates: what the load refuses, what fails later, and what does not mean what it says
//! (`language` 6, `expressions`).
//!
//! Every text is parsed once ([`gather`]); errors stand exactly where the reference's own check refuses, everything that it
//! finds out later is a warning.

mod bare_identifier;
mod bare_value_expression;
mod choice_template;
mod constant_comparison;
mod else_if_ignored;
mod enum_value_unknown;
mod expr_construct;
mod expr_function;
mod expr_root;
mod expr_syntax;
mod expr_type;
mod faults;
mod files;
mod foreign;
mod gather;
mod guard_not_bool;
mod hyphen;
mod late_expression_error;
mod late_template_error;
mod never_populated;
mod nil_member;
mod nil_operand;
mod point;
mod precedence;
mod prompt_arg_missing;
mod range_dot_in_text;
mod shapes;
mod shell_template;
mod slot_undeclared;
mod template_block;
mod template_in_literal;
mod template_unknown_namespace;
mod types;
mod unknown_field;
mod view_bind_no_fallback;
mod wrong_engine;

use kitsoki_diagnostics::{Diagnostic, Rule};
use kitsoki_expr::{RefKind, names};
use kitsoki_syntax::TextRange;
use smol_str::SmolStr;

use super::calls::Call;
use super::cx::StoryCx;
use super::effects::MissingKeys;
use super::walk::{Role, Scene};
use crate::surface::Text;
use gather::{Item, Parsed};
pub(crate) use shapes::Table as Shapes;
pub(crate) use slot_undeclared::Slots;

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &bare_identifier::RULE,
    &bare_value_expression::RULE,
    &choice_template::RULE,
    &constant_comparison::RULE,
    &else_if_ignored::RULE,
    &enum_value_unknown::RULE,
    &expr_construct::RULE,
    &expr_function::RULE,
    &expr_root::RULE,
    &expr_syntax::RULE,
    &expr_type::RULE,
    &guard_not_bool::RULE,
    &late_expression_error::RULE,
    &late_template_error::RULE,
    &never_populated::RULE,
    &nil_member::RULE,
    &nil_operand::RULE,
    &precedence::RULE,
    &prompt_arg_missing::RULE,
    &range_dot_in_text::RULE,
    &shell_template::RULE,
    &slot_undeclared::RULE,
    &template_block::RULE,
    &template_in_literal::RULE,
    &template_unknown_namespace::RULE,
    &unknown_field::RULE,
    &view_bind_no_fallback::RULE,
    &wrong_engine::RULE,
];

/// What the texts of some rooms have wrong, and what they contribute to findings about the whole story.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Texts {
    findings: Vec<Diagnostic>,
    /// Reads of world keys that are declared nowhere.
    reads: Vec<LostRead>,
    slots: slot_undeclared::Lost,
    empty: never_populated::Empty,
}

/// A read of a world key that is declared nowhere.
#[derive(Clone, PartialEq, Debug)]
struct LostRead {
    key: SmolStr,
    text: Text,
    range: TextRange,
    room: SmolStr,
    /// The intent of the arm around it.
    intent: Option<Text>,
}

/// What texts are checked against.
pub(crate) struct Surroundings<'a> {
    /// The type of `world`.
    pub(crate) world: kitsoki_expr::types::Type,
    /// Finds what gave a key its shape.
    pub(crate) origin: shapes::Origin<'a>,
    /// The slots of the story.
    pub(crate) slots: &'a Slots,
}

/// Checks the texts of the rooms that `cx` looks at.
pub(crate) fn check_each<'a>(cx: &'a StoryCx<'a>, around: &Surroundings<'a>) -> Texts {
    let mut texts = check_items(cx, around, &mut |f| gather::of_rooms(cx, f));
    for room in cx.rooms() {
        view_bind_no_fallback::check(cx, &room, &mut texts.findings);
    }
    slot_undeclared::Slots::check_emits(cx, &mut texts.findings);
    texts
}

/// Checks the texts outside of rooms, and says what the texts of all rooms together have wrong.
pub(crate) fn check<'a>(
    cx: &'a StoryCx<'a>,
    calls: &[Call<'a>],
    around: &Surroundings<'a>,
    rooms: &[&Texts],
    out: &mut Vec<Diagnostic>,
) {
    let outside = check_items(cx, around, &mut |f| gather::outside(cx, f));
    let mut keys = MissingKeys::new(cx);
    keys.add_writes();
    keys.add_lists();
    let mut slots = slot_undeclared::Lost::default();
    let mut empty = never_populated::Empty::default();
    for texts in rooms.iter().copied().chain([&outside]) {
        out.extend(texts.findings.iter().cloned());
        slots.extend(&texts.slots);
        empty.extend(&texts.empty);
        for read in &texts.reads {
            keys.add_read(&read.key, &read.text, read.range, (&read.room, read.intent.as_ref()));
        }
    }
    empty.report(out);
    slots.report(out);
    for call in calls {
        shell_template::check(cx, call, out);
    }
    files::check(cx, calls, out);
    keys.report(out);
}

/// Passes every text of a part of the story to a function.
type Each<'e, 'a> = &'e mut dyn FnMut(&mut dyn FnMut(&Item<'a>));

fn check_items<'a>(cx: &'a StoryCx<'a>, around: &Surroundings<'a>, each: Each<'_, 'a>) -> Texts {
    let mut texts = Texts::default();
    let keys = MissingKeys::new(cx);
    let mut shapes = shapes::Shapes::new(cx, around.world.clone(), around.origin);
    each(&mut |item| {
        let out = &mut texts.findings;
        around.slots.add(cx, item, &mut texts.slots);
        faults::report(cx, item, out);
        wrong_engine::check(cx, item, out);
        template_in_literal::check(cx, item, out);
        bare_value_expression::check(cx, item, out);
        if let Some((range, key)) = hyphen::find(cx, item).filter(|_| item.is_written()) {
            if item.refused.is_empty() {
                out.push(hyphen::report(cx, item, range, &key));
            }
            return;
        }
        reads(item, &keys, &mut texts.reads);
        if !item.is_sound() {
            return;
        }
        else_if_ignored::check(cx, item, out);
        range_dot_in_text::check(cx, item, out);
        bare_identifier::check(cx, item, out);
        texts.empty.add(cx, item);
        template_unknown_namespace::check(cx, item, out);
        precedence::check(cx, item, out);
        helpers(cx, item, out);
        types::check(&mut shapes, item, out);
    });
    texts
}

/// What is wrong with values that no effect ever renders: the projections of an exit that is never taken.
pub(crate) fn unused_values(
    db: &dyn crate::db::Db,
    values: &crate::surface::Map<crate::surface::Any>,
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for entry in &values.entries {
        entry.value.for_each_text(&mut |text| {
            if !text.is_templated() {
                return;
            }
            for error in kitsoki_expr::check_t_load(text.as_str()) {
                let finding = late_expression_error::RULE
                    .at(super::cx::place(db, text, error.range), "fails if it is ever evaluated")
                    .message(error.message);
                out.push(finding.note("the Go implementation does not look at it as long as nothing leads here"));
            }
        });
    }
    out
}

/// The world keys that a text reads and that are declared nowhere.
fn reads(item: &Item<'_>, keys: &MissingKeys<'_>, out: &mut Vec<LostRead>) {
    let room = item.room.map_or("", |r| r.path());
    for reference in &item.references {
        if reference.root != "world" || reference.kind != RefKind::Read || reference.local {
            continue;
        }
        let Some(segment) = reference.path.first() else {
            continue;
        };
        let Some(name) = segment.name() else { continue };
        let range = slot_undeclared::inner(item, segment.range);
        if keys.is_lost(name, item.text(), Some(range), room) {
            out.push(LostRead {
                key: SmolStr::new(name),
                text: item.text().clone(),
                range,
                room: SmolStr::new(room),
                intent: item.site.intent.cloned(),
            });
        }
    }
}

/// View helpers in a guard or value: there they are unset.
fn helpers(cx: &StoryCx<'_>, item: &Item<'_>, out: &mut Vec<Diagnostic>) {
    let unset = matches!(item.parsed, Parsed::Expr(_) | Parsed::T(_)) && item.site.scene != Scene::View;
    if !unset || !item.is_written() || item.site.role == Role::Literal {
        return;
    }
    for reference in &item.references {
        let helper =
            matches!(reference.kind, RefKind::Call(_)) && names::HELPERS.iter().any(|h| h.name == reference.root);
        if helper {
            out.push(
                late_expression_error::RULE
                    .at(item.place(cx, reference.root_range), "unset outside of views")
                    .message(format!(
                        "{} works in views only: here the call fails",
                        kitsoki_diagnostics::code(&reference.root)
                    )),
            );
        }
    }
}

/// A message about a folded text without what the folds put before the names.
fn in_author_words(item: &Item<'_>, message: &str) -> String {
    let prefix = match item.room {
        Some(room) if item.text().edits.is_some() => super::effects::fold_prefix(room.story, room.path()),
        _ => return message.to_owned(),
    };
    if prefix.is_empty() {
        message.to_owned()
    } else {
        message.replace(prefix.as_str(), "")
    }
}

/// The inside of every `{{ }}` of a value template, with its offset.
fn braces(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|t| t.find("{{")).map(|o| at + o + 2) {
        let Some(len) = text.get(open..).and_then(|t| t.find("}}")) else {
            break;
        };
        found.extend(text.get(open..open + len).map(|inside| (open, inside)));
        at = open + len + 2;
    }
    found
}
