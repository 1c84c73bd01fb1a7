//! What the declared shapes say about a text: which rule speaks for an odd thing that type inference found.

use kitsoki_expr::types::{self, FindingKind, Type, TypeFinding};
use kitsoki_expr::{RefKind, Reference, Segment, Step};
use kitsoki_syntax::TextRange;

use super::super::prelude::*;
use super::super::walk::{Role, Scene};
use super::super::words::{did_you_mean, list};
use super::gather::{Item, Parsed};
use super::shapes::Shapes;
use super::{
    constant_comparison, enum_value_unknown, guard_not_bool, late_expression_error, nil_member, nil_operand,
    unknown_field,
};

/// Checks one sound text.
pub(super) fn check<'a>(shapes: &mut Shapes<'a>, item: &Item<'a>, out: &mut Vec<Diagnostic>) {
    if !item.is_written() || item.references.is_empty() {
        return;
    }
    let env = shapes.env(item);
    let (ty, found) = match &item.parsed {
        Parsed::Expr(expr) => types::infer(expr, &env),
        Parsed::T(template) => types::infer_t(template, &env),
        Parsed::P(template) => (Type::Any, types::infer_p(template, &env)),
        Parsed::Literal => return,
    };
    for finding in &found {
        out.extend(one(shapes, item, finding));
    }
    let told = found.iter().any(|f| matches!(f.kind, FindingKind::NotBool));
    if item.site.role == Role::Guard && item.site.scene != Scene::View && !told && never_bool(&ty) {
        out.push(guard_not_bool::at(shapes.cx(), item));
    }
}

/// Whether a value of the type makes a guard fail whenever there is one.
fn never_bool(ty: &Type) -> bool {
    match ty {
        Type::Any | Type::Bool | Type::Nil => false,
        Type::Union(parts) => {
            !parts.iter().any(|p| matches!(p, Type::Any | Type::Bool)) && parts.iter().any(|p| *p != Type::Nil)
        }
        _ => true,
    }
}

fn one<'a>(shapes: &Shapes<'a>, item: &Item<'a>, found: &TypeFinding) -> Option<Diagnostic> {
    let cx = shapes.cx();
    let view = matches!(item.parsed, Parsed::P(_));
    // Guards of views take any value; those of a choice are only compiled as bools.
    let truthy = item.site.role == Role::Truthy || (item.site.scene == Scene::View && item.site.key == "when");
    let message = super::in_author_words(item, &found.message);
    let at = item.place(cx, found.range);
    match &found.kind {
        FindingKind::UnknownField { base, name, known } => {
            let (key, origin) = shapes.origin(base)?;
            let known: Vec<&str> = known.iter().map(smol_str::SmolStr::as_str).collect();
            let finding = unknown_field::RULE
                .at(at, "no such field")
                .message(super::in_author_words(
                    item,
                    &format!("{} has no field {}", code(base), code(name)),
                ))
                .label(cx.inside(origin), format!("this gives {} its shape", code(key)));
            Some(match did_you_mean(name, known.iter().copied()) {
                Some(near) => finding
                    .help(format!("a field with a similar name is {}", code(near)))
                    .fix(Fix::replace(at, near).title(format!("change it to {}", code(near)))),
                None if known.len() <= 8 => finding.help(format!("its fields are {}", list(&known))),
                None => finding,
            })
        }
        FindingKind::NotInEnum { literal, known } => {
            // The empty text stands for "nothing yet".
            if literal.is_empty() {
                return None;
            }
            let known: Vec<&str> = known
                .iter()
                .map(smol_str::SmolStr::as_str)
                .filter(|k| !k.is_empty())
                .collect();
            let inner = super::slot_undeclared::inner(item, found.range);
            let at = item.place(cx, inner);
            let finding = enum_value_unknown::RULE
                .at(at, "never this value")
                .message(format!("{} is none of the declared values", code(literal)));
            Some(match did_you_mean(literal, known.iter().copied()) {
                Some(near) => finding
                    .help(format!("a value with a similar spelling is {}", code(near)))
                    .fix(Fix::replace(at, near).title(format!("change it to {}", code(near)))),
                None if known.len() <= 8 => finding.help(format!("the values are {}", list(&known))),
                None => finding,
            })
        }
        // Who compares with nil expects it, whatever a declaration says.
        FindingKind::ConstantComparison { .. } if item.slice(found.range).contains("nil") => None,
        FindingKind::ConstantComparison { always } => Some(
            constant_comparison::RULE
                .at(at, if *always { "always true" } else { "always false" })
                .message(message),
        ),
        FindingKind::NotBool if view || truthy => None,
        FindingKind::NotBool => Some(
            guard_not_bool::RULE
                .at(at, "no bool")
                .message(message)
                .help("compare it with a value: a guard that yields anything but a bool or nothing fails"),
        ),
        FindingKind::MaybeNil if view || truthy => None,
        FindingKind::MaybeNil => {
            let member = through_absent(cx, item, found.range);
            let rule = if member { &nil_member::RULE } else { &nil_operand::RULE };
            let help = if member {
                "write `?.` before the member, or give the key a default"
            } else {
                "compare it with `== true`, or give the key a default"
            };
            Some(rule.at(at, "can be absent").message(message).help(help))
        }
        FindingKind::BadOperand => Some(
            late_expression_error::RULE
                .at(operator(cx, item, found), "fails when it is evaluated")
                .message(message),
        ),
    }
}

/// For a message about `in`: the operator, where the range is what stands behind it.
fn operator(cx: &StoryCx<'_>, item: &Item<'_>, found: &TypeFinding) -> kitsoki_syntax::Span {
    let before = item
        .text()
        .as_str()
        .get(..usize::from(found.range.start()))
        .unwrap_or_default()
        .trim_end();
    if found.message.starts_with("`in`") && before.ends_with("in") {
        return item.place(cx, kitsoki_syntax::text_range(before.len() - 2, before.len()));
    }
    item.place(cx, found.range)
}

/// Whether the range is a chain with a member behind a world key.
fn through_absent(_cx: &StoryCx<'_>, item: &Item<'_>, range: TextRange) -> bool {
    let chain = |r: &&Reference| {
        r.kind == RefKind::Read && r.root == "world" && range.contains_range(r.root_range) && r.path.len() > 1
    };
    item.references.iter().any(|r| {
        chain(&r)
            && r.path
                .get(1)
                .is_some_and(|s: &Segment| s.step != Step::Computed || s.range.end() <= range.end())
    })
}
