//! From an error of a text to the finding of its rule: which rule speaks, at the author's place, with what was meant.

use kitsoki_expr::{ErrorClass, ExprError, RefKind, names};
use kitsoki_syntax::{Span, TextRange};

use super::super::cx::StoryCx;
use super::super::prelude::*;
use super::super::walk::Role;
use super::super::words::did_you_mean;
use super::foreign::{self, Foreign};
use super::gather::{Item, Parsed};
use super::{
    choice_template, expr_construct, expr_function, expr_root, expr_syntax, expr_type, late_expression_error,
    late_template_error, template_block, wrong_engine,
};

/// The findings about one text that cannot be read. One mistake is one finding: errors inside of a reported part are
/// left out, and the same words about another part become a label.
pub(super) fn report(cx: &StoryCx<'_>, item: &Item<'_>, out: &mut Vec<Diagnostic>) {
    if item.is_sound() {
        return;
    }
    let refused = !item.refused.is_empty();
    let mut told: Vec<(TextRange, usize)> = Vec::new();
    let mut errors: Vec<&ExprError> = item.refused.iter().chain(&item.late).collect();
    errors.sort_by_key(|e| kind(item, e).id == expr_construct::RULE.id);
    // A misspelt tag leaves its block open, or its end alone: that is the same mistake.
    let misspelt =
        |e: &ExprError| e.class == ErrorClass::UnknownTag && !names::TAGS.iter().any(|t| t.name == item.slice(e.range));
    if matches!(item.parsed, Parsed::P(_)) && errors.iter().any(|e| misspelt(e)) {
        errors.retain(|e| misspelt(e) || e.class == ErrorClass::UnknownFilter);
    }
    if let (Parsed::Expr(_), Some((whole, inner))) = (&item.parsed, foreign::in_braces(item.text().as_str()))
        && let Some(first) = errors.first()
    {
        let rule = if refused {
            kind(item, first)
        } else {
            &late_expression_error::RULE
        };
        out.push(braces(cx, item, whole, inner, rule));
        return;
    }
    for error in errors {
        let foreign = match item.parsed {
            Parsed::P(_) => None,
            _ => foreign::at(item.text().as_str(), error),
        };
        let range = foreign
            .as_ref()
            .map_or_else(|| super::point::at(item, error), |f| f.range);
        let inside = told
            .iter()
            .any(|(other, _)| other.intersect(range).is_some_and(|i| !i.is_empty()));
        let kind = kind(item, error);
        // A lambda belongs to the call that is refused for taking it.
        if inside || (kind.id == expr_construct::RULE.id && !told.is_empty()) {
            continue;
        }
        let same = told.iter().find(|(_, at)| {
            out.get(*at)
                .is_some_and(|f| f.message == super::in_author_words(item, &error.message))
        });
        if let Some(first) = same.and_then(|(_, at)| out.get_mut(*at)) {
            *first = first.clone().label(item.place(cx, range), "here as well");
            continue;
        }
        let rule = match item.site.role {
            Role::ViewChecked => &choice_template::RULE,
            Role::View => view_rule(item, error),
            Role::Both if !refused => view_rule(item, error),
            _ if refused => kind,
            _ => &late_expression_error::RULE,
        };
        let mut finding = match &foreign {
            Some(foreign) => other_language(cx, item, foreign, rule),
            None => one(cx, item, error, range, rule, kind),
        };
        if !refused && rule.level == Level::Warning {
            finding = finding.note("the Go implementation loads this and fails when it gets here");
        }
        told.push((range, out.len()));
        out.push(finding);
    }
}

/// An expression in the braces of a template: `{{ world.open }}`, `${{ world.open }}`.
fn braces(cx: &StoryCx<'_>, item: &Item<'_>, whole: TextRange, inner: TextRange, rule: &'static Rule) -> Diagnostic {
    let bare = item.slice(inner);
    let finding = rule
        .at(item.place(cx, whole), "braces belong to templates")
        .message("an expression stands here without braces");
    match replacement(cx, item, whole, bare) {
        Some(fix) => finding.fix(fix),
        None => finding.help(format!("write {}", code(bare))),
    }
}

/// An operator that is called otherwise here.
fn other_language(cx: &StoryCx<'_>, item: &Item<'_>, foreign: &Foreign, rule: &'static Rule) -> Diagnostic {
    let finding = rule
        .at(item.place(cx, foreign.range), "no operator of expressions")
        .message(format!(
            "{} is written {} here",
            code(&foreign.written),
            code(foreign.ours)
        ));
    match replacement(cx, item, foreign.range, foreign.ours) {
        Some(fix) => finding.fix(fix),
        None => finding,
    }
}

/// What is wrong, in the words of the load's rules.
fn kind(item: &Item<'_>, error: &ExprError) -> &'static Rule {
    match error.class {
        ErrorClass::Type | ErrorClass::NotBool | ErrorClass::Regex | ErrorClass::DivZero => &expr_type::RULE,
        ErrorClass::Template | ErrorClass::UnclosedBlock | ErrorClass::UnknownTag => &template_block::RULE,
        ErrorClass::Whitelist => forbidden(item, error.range),
        _ => &expr_syntax::RULE,
    }
}

/// Which of the forbidden things stands at `range`.
fn forbidden(item: &Item<'_>, range: TextRange) -> &'static Rule {
    for reference in &item.references {
        let here = reference.root_range == range || reference.range == range;
        let called = match reference.path.last() {
            Some(last) => last.range == range || reference.range == range,
            None => here,
        };
        match reference.kind {
            RefKind::Call(_) if called => return &expr_function::RULE,
            RefKind::Call(_) if here => return &expr_root::RULE,
            RefKind::Read if here && !reference.path.is_empty() => return &expr_root::RULE,
            _ => {}
        }
    }
    let before = item
        .text()
        .as_str()
        .get(..usize::from(range.start()))
        .unwrap_or_default();
    if before.trim_end().ends_with("let") {
        return &expr_construct::RULE;
    }
    let text = item.slice(range);
    let name = text.split(['.', '[', '?']).next().unwrap_or_default();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
    if text.starts_with(['{', '#']) || text == "let" || text.starts_with("let ") || !is_name {
        if text.ends_with(')') && !text.starts_with(['{', '#', '(']) {
            &expr_function::RULE
        } else {
            &expr_construct::RULE
        }
    } else if text.ends_with(')') || names::FORBIDDEN_FUNCTIONS.contains(&text) {
        &expr_function::RULE
    } else {
        &expr_root::RULE
    }
}

/// A fault of a view text: words of the other language are a rule of their own.
fn view_rule(item: &Item<'_>, error: &ExprError) -> &'static Rule {
    if is_value_language(item, error) {
        &wrong_engine::RULE
    } else {
        &late_template_error::RULE
    }
}

/// A ternary, a block of a value template, or a function call in a view.
fn is_value_language(item: &Item<'_>, error: &ExprError) -> bool {
    if !matches!(error.class, ErrorClass::Lex | ErrorClass::Parse) {
        return false;
    }
    let text = item.text().as_str();
    let at = usize::from(error.range.start()).min(text.len());
    let Some(open) = text.get(..at).and_then(|t| t.rfind("{{")) else {
        return false;
    };
    let Some(inside) = text.get(open + 2..) else {
        return false;
    };
    let inside = inside.split("}}").next().unwrap_or_default();
    let word = inside
        .trim_start_matches('-')
        .trim_start()
        .split(' ')
        .next()
        .unwrap_or_default();
    let block = matches!(word, "if" | "else" | "end" | "range") && inside.trim() != word
        || matches!(inside.trim(), "else" | "end");
    let ternary = item.slice(error.range).starts_with('?') && inside.contains(':');
    block || ternary
}

fn one(
    cx: &StoryCx<'_>,
    item: &Item<'_>,
    error: &ExprError,
    range: TextRange,
    rule: &'static Rule,
    kind: &'static Rule,
) -> Diagnostic {
    let place = item.place(cx, range);
    let mut finding = rule
        .at(place, label(item, error, kind))
        .message(super::in_author_words(item, &error.message));
    if let Some(help) = &error.help {
        finding = finding.help(help.clone());
    }
    if let Some((range, text)) = &error.fix {
        finding = match replacement(cx, item, *range, text) {
            Some(fix) => finding.fix(fix),
            None => finding,
        };
    } else if let Some(near) = near(item, error, kind) {
        let meant = code(near);
        finding = match replacement(cx, item, named(item, error.range), near) {
            Some(fix) => finding
                .help(format!("a name with a similar spelling is {meant}"))
                .fix(fix),
            None => finding.help(format!("a name with a similar spelling is {meant}")),
        };
    }
    finding
}

/// The name alone, when the range goes on behind it.
fn named(item: &Item<'_>, range: TextRange) -> TextRange {
    let text = item.slice(range);
    let len = text
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$')))
        .unwrap_or(text.len());
    TextRange::at(range.start(), u32::try_from(len).unwrap_or(0).into())
}

/// What the underlined place is.
fn label(item: &Item<'_>, error: &ExprError, kind: &Rule) -> &'static str {
    let view = matches!(item.parsed, Parsed::P(_));
    match error.class {
        ErrorClass::UnknownFilter => "no filter of views",
        ErrorClass::UnknownTag if view => "no tag of views",
        ErrorClass::UnclosedBlock => "opened here",
        ErrorClass::NotBool => "this is no bool",
        ErrorClass::Template => "this part of the template",
        ErrorClass::File => "no such file",
        ErrorClass::Limit => "too much here",
        _ if view => "reading stops here",
        _ if kind.id == expr_root::RULE.id => "no root of expressions",
        _ if kind.id == expr_function::RULE.id => "no function of stories",
        _ if kind.id == expr_construct::RULE.id => "not a part of the story language",
        _ if kind.id == expr_type::RULE.id => "these kinds do not fit",
        _ => "reading stops here",
    }
}

/// The name that was probably meant.
fn near(item: &Item<'_>, error: &ExprError, kind: &Rule) -> Option<&'static str> {
    let name = item.slice(named(item, error.range));
    let pick = |named: &'static [names::Named]| did_you_mean(name, named.iter().map(|n| n.name));
    match error.class {
        ErrorClass::UnknownFilter => pick(names::FILTERS),
        ErrorClass::UnknownTag if matches!(item.parsed, Parsed::P(_)) => pick(names::TAGS),
        _ if kind.id == expr_root::RULE.id => pick(names::ROOTS),
        _ if kind.id == expr_function::RULE.id => pick(names::FUNCTIONS).or_else(|| pick(names::HELPERS)),
        _ => None,
    }
}

/// A fix inside of a scalar: only where the new text needs no escape there.
pub(super) fn replacement(cx: &StoryCx<'_>, item: &Item<'_>, range: TextRange, new: &str) -> Option<Fix> {
    let text = item.text();
    if text.made.is_some() || new.contains('\n') {
        return None;
    }
    let place: Span = item.place(cx, range);
    let whole = cx.slice(text.span)?;
    let quote = whole.chars().next().filter(|c| matches!(c, '"' | '\''));
    if quote.is_some_and(|q| new.contains(q)) || (quote == Some('"') && new.contains('\\')) {
        return None;
    }
    let plain = quote.is_none() && !whole.starts_with(['|', '>']);
    if plain && (new.contains(": ") || new.contains(" #")) {
        return None;
    }
    let title = if new.is_empty() {
        format!("take {} out", code(&cx.slice(place)?))
    } else {
        format!("change it to {}", code(new))
    };
    Some(Fix::replace(place, new).title(title))
}
