//! `bare-value-expression`: a value that looks like an expression but has no braces: it stays text (`expressions` 1.1).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "bare-value-expression",
    level: Level::Warning,
    summary: "an expression without braces in a value",
    fixable: Fixable::Sometimes,
};

use kitsoki_expr::RefKind;

use super::super::walk::Role;
use super::gather::Item;

/// Checks a value without braces. Inputs of scripts have a rule of their own.
pub(super) fn check(cx: &StoryCx<'_>, item: &Item<'_>, out: &mut Vec<Diagnostic>) {
    let text = item.text().as_str();
    if item.site.role != Role::Value || !item.is_written() || item.text().is_templated() || !looks_like_one(cx, text) {
        return;
    }
    let script = item
        .site
        .effect
        .and_then(|e| e.effect.invoke.as_ref())
        .is_some_and(|i| i.as_str() == "host.starlark.run");
    if item.site.key == "with" && script {
        return;
    }
    let place = cx.inside(item.text());
    let braces = format!("{{{{ {} }}}}", cx.spelling_of(item.text()).trim());
    let finding = RULE
        .at(place, "stays this text")
        .message("an expression needs braces in a value")
        .help(format!("write {}", code(&braces)));
    let whole = cx.slice(item.text().span).unwrap_or_default();
    out.push(match whole.chars().next() {
        Some('"' | '\'') => finding.fix(Fix::replace(place, braces).title("put braces around it")),
        Some('|' | '>') | None => finding,
        Some(_) if !braces.contains(['"', '\\']) => {
            finding.fix(Fix::replace(item.text().span, format!("\"{braces}\"")).title("put braces around it"))
        }
        Some(_) => finding,
    });
}

/// A whole expression that reads a declared world key or a slot, and no prose.
fn looks_like_one(cx: &StoryCx<'_>, text: &str) -> bool {
    let text = text.trim();
    if !(text.contains("world.") || text.contains("slots.")) || text.len() > 200 {
        return false;
    }
    let Ok(program) = kitsoki_expr::compile_expr(text, kitsoki_expr::Mode::Value) else {
        return false;
    };
    let references = program.expr().references();
    references.iter().any(|r| {
        let first = r.path.first().and_then(kitsoki_expr::Segment::name);
        r.kind == RefKind::Read
            && ((r.root == "world" && first.is_some_and(|k| cx.knows_world(k)))
                || (r.root == "slots" && first.is_some()))
    })
}
