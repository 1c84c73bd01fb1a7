//! A world key written with a hyphen is a subtraction: `world.boat-name` for `world.boat_name`.

use kitsoki_expr::RefKind;
use kitsoki_syntax::TextRange;

use super::super::effects::UNDECLARED_WORLD_KEY;
use super::super::prelude::*;
use super::gather::Item;

/// The part of a text that means one declared key, and the key.
pub(super) fn find(cx: &StoryCx<'_>, item: &Item<'_>) -> Option<(TextRange, String)> {
    let text = item.text().as_str();
    if !text.contains('-') {
        return None;
    }
    item.references.iter().find_map(|r| {
        let segment = r
            .path
            .first()
            .filter(|_| r.root == "world" && r.kind == RefKind::Read && !r.local)?;
        let name = segment.name().filter(|n| cx.world_var(n).is_none())?;
        let rest = text.get(usize::from(segment.range.end())..)?;
        let len = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')))
            .unwrap_or(rest.len());
        let tail = rest.get(..len).filter(|t| t.starts_with('-') && t.len() > 1)?;
        let key = format!("{name}{}", tail.replace('-', "_"));
        // In a folded child the declared name has a prefix.
        let prefix = item
            .room
            .map(|room| super::super::effects::fold_prefix(cx, room.path()))
            .unwrap_or_default();
        cx.world_var(&format!("{prefix}{key}")).or_else(|| cx.world_var(&key))?;
        let start = usize::from(segment.range.start());
        Some((kitsoki_syntax::text_range(start, start + name.len() + tail.len()), key))
    })
}

/// The finding about it.
pub(super) fn report(cx: &StoryCx<'_>, item: &Item<'_>, range: TextRange, key: &str) -> Diagnostic {
    let finding = UNDECLARED_WORLD_KEY
        .at(item.place(cx, range), "a subtraction")
        .message(format!(
            "no world key is called {}: a hyphen is a minus",
            code(item.slice(range))
        ))
        .help(format!("the key is called {}", code(key)));
    match super::faults::replacement(cx, item, range, key) {
        Some(fix) => finding.fix(fix),
        None => finding,
    }
}
