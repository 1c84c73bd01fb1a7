//! The part that every element of a view needs (`language` 3.8, D18).
//!
//! Five rules over one walk; each says its own sentence. Elements of blocks are held to the same.

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const LIST_EMPTY: Rule = rule("view-list-empty", "a list without items");
pub(crate) const KV_EMPTY: Rule = rule("view-kv-empty", "a kv without pairs");
pub(crate) const KV_VALUE: Rule = rule("view-kv-value", "a kv value that is no text");
pub(crate) const BANNER_TEXT: Rule = rule("view-banner-text", "a banner without text");
pub(crate) const MEDIA_HANDLE: Rule = rule("view-media-handle", "media without a handle");

const fn rule(id: &'static str, summary: &'static str) -> Rule {
    Rule {
        id,
        level: Level::Error,
        summary,
        fixable: Fixable::Sometimes,
    }
}

pub(super) fn check(cx: &StoryCx<'_>, element: &Element, out: &mut Vec<Diagnostic>) {
    match &element.kind {
        ElementKind::List(list) if list.items.as_ref().is_none_or(|i| i.is_empty()) => {
            let at = list.items.as_ref().map_or(element.head, |i| i.value.span);
            out.push(
                LIST_EMPTY
                    .at(at, "nothing to show")
                    .message("a list needs at least one item"),
            );
        }
        ElementKind::Kv(kv) => pairs(cx, element, kv, out),
        ElementKind::Banner(banner) => {
            if let Some(at) = missing(banner.text.as_ref(), element.head) {
                out.push(BANNER_TEXT.at(at, "nothing to show").message("a banner needs a `text`"));
            }
        }
        ElementKind::Media(media) => {
            if let Some(at) = missing(media.handle.as_ref(), element.head) {
                out.push(
                    MEDIA_HANDLE
                        .at(at, "nothing to show")
                        .message("a media element needs a `handle`"),
                );
            }
        }
        _ => {}
    }
}

fn pairs(cx: &StoryCx<'_>, element: &Element, kv: &Kv, out: &mut Vec<Diagnostic>) {
    let Some(pairs) = kv.pairs.as_ref().filter(|p| !p.entries.is_empty()) else {
        let at = kv.pairs.as_ref().map_or(element.head, |p| p.value.span);
        out.push(
            KV_EMPTY
                .at(at, "nothing to show")
                .message("a kv element needs pairs")
                .help("write them under `pairs:`"),
        );
        return;
    };
    for pair in &pairs.entries {
        if matches!(pair.value.kind, AnyKind::Text(_) | AnyKind::Null) {
            continue;
        }
        let span = pair.value.span;
        let finding = KV_VALUE
            .at(span, format!("this is {}", pair.value.kind_word()))
            .message(format!("the value of {} is no text", code(pair.name.as_str())));
        let scalar = !matches!(pair.value.kind, AnyKind::List(_) | AnyKind::Map(_));
        out.push(match cx.slice(span).filter(|_| scalar) {
            Some(source) => finding.fix(
                // In quotes the same letters are shown: no other reading is possible.
                Fix::replace(span, format!("\"{source}\""))
                    .title("put it in quotes")
                    .safe_if(true),
            ),
            None => finding.help("show a part of it with a template in quotes"),
        });
    }
}

/// Where a blank or absent text is missing.
fn missing(text: Option<&Field<Text>>, head: Span) -> Option<Span> {
    match text {
        Some(text) if !text.is_blank() => None,
        Some(text) => Some(text.span),
        None => Some(head),
    }
}
