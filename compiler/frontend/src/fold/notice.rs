//! Texts on their way through the fold: they are renamed, and what the renaming by patterns misses or hits by mistake is
//! noticed (`imports` 6.1, 15).

use kitsoki_syntax::{Span, text_range};

use super::rename::{helper_arguments, identifier, world_references};
use super::room::RoomFold;
use crate::rules::cx::place;
use crate::rules::imports as rules;
use crate::story::RESERVED_WORLD_KEYS;
use crate::surface::{Any, AnyKind, Field, Optional, Text};

impl RoomFold<'_, '_> {
    /// The author's place of a part of a text.
    pub(super) fn at(&self, text: &Text, start: usize, end: usize) -> Span {
        place(self.layer.db, text, text_range(start, end))
    }

    /// The author's place of a whole text, without its quotes.
    pub(super) fn inside(&self, text: &Text) -> Span {
        self.at(text, 0, text.text.len())
    }

    /// A guard: the whole text is an expression.
    pub(super) fn guard(&mut self, field: &mut Option<Field<Text>>) {
        if let Some(field) = field {
            self.guard_text(&mut field.value);
        }
    }

    pub(super) fn guard_text(&mut self, text: &mut Text) {
        self.notice(text, false);
        self.names().expr(text);
    }

    /// A template: expressions stand in braces, the rest is prose.
    pub(super) fn template(&mut self, field: &mut Option<Field<Text>>) {
        if let Some(field) = field {
            self.template_text(&mut field.value);
        }
    }

    pub(super) fn template_text(&mut self, text: &mut Text) {
        self.notice(text, true);
        self.names().expr(text);
    }

    pub(super) fn any(&mut self, any: &mut Any) {
        match &mut any.kind {
            AnyKind::Text(text) => self.template_text(text),
            AnyKind::List(items) => items.iter_mut().for_each(|i| self.any(i)),
            AnyKind::Map(entries) => entries.iter_mut().for_each(|e| self.any(&mut e.value)),
            _ => {}
        }
    }

    /// A text that is a world key as a whole.
    pub(super) fn world_key(&mut self, key: &mut Text) {
        let name = key.as_str();
        if !self.names().world.contains(name) {
            let name = key.text.clone();
            self.shares(&name, |this| this.inside(key));
        }
        self.names().world_key(key);
    }

    fn shares(&mut self, name: &str, at: impl FnOnce(&Self) -> Span) {
        let shared = self.layer.importer_world.contains(name) && !RESERVED_WORLD_KEYS.contains(&name);
        if shared && !self.shared.contains_key(name) {
            let at = at(self);
            self.shared.insert(name.into(), at);
        }
    }

    /// A text that the fold leaves alone although it may name the child's world.
    pub(super) fn untouched(&mut self, field: &Option<Field<Text>>) {
        let Some(text) = field.value() else { return };
        for name in world_references(text.as_str()) {
            let known = text
                .as_str()
                .get(name.clone())
                .is_some_and(|n| self.names().world.contains(n));
            if known {
                let at = self.at(text, name.start - "world.".len(), name.end);
                self.out
                    .push(rules::import_not_rewritten::position(at, self.layer.alias));
            }
        }
    }

    /// A path into the world that the fold leaves alone.
    pub(super) fn untouched_path(&mut self, field: &Option<Field<Text>>) {
        let Some(text) = field.value() else { return };
        let path = text.as_str();
        let path = path.strip_prefix("world.").unwrap_or(path);
        if self.names().world.contains(path.split('.').next().unwrap_or_default()) {
            let at = self.inside(text);
            self.out
                .push(rules::import_not_rewritten::position(at, self.layer.alias));
        }
    }

    fn notice(&mut self, text: &Text, template: bool) {
        if text.made.is_some() {
            return;
        }
        let s = text.as_str();
        if s.contains("world") {
            self.notice_world(text, template);
        }
        if !self.names().intents.is_empty() && s.contains('(') {
            self.notice_helpers(text);
        }
    }

    fn notice_world(&mut self, text: &Text, template: bool) {
        let s = text.as_str();
        let mut braces = template.then(|| Braces::new(s));
        for name in world_references(s) {
            let word = s.get(name.clone()).unwrap_or_default();
            let start = name.start - "world.".len();
            let code = braces.as_mut().is_none_or(|b| b.holds(start));
            if !self.names().world.contains(word) {
                if code {
                    self.shares(word, |this| this.at(text, name.start, name.end));
                }
            } else if !code {
                let at = self.at(text, start, name.end);
                let (alias, word) = (self.layer.alias, word);
                self.out.push(rules::import_prose_rewritten(at, word, alias));
            }
        }
        for (start, _) in s.match_indices("world") {
            let before = start.checked_sub(1).and_then(|i| s.as_bytes().get(i));
            if before.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.')) {
                continue;
            }
            let Some((name, end)) = odd_reference(s, start + "world".len()) else {
                continue;
            };
            let code = braces.as_mut().is_none_or(|b| b.holds(start));
            if code && self.names().world.contains(name) {
                let at = self.at(text, start, end);
                self.out.push(rules::import_not_rewritten(at, name, self.layer.alias));
            }
        }
    }

    fn notice_helpers(&mut self, text: &Text) {
        let s = text.as_str();
        for start in helper_arguments(s) {
            let bytes = s.as_bytes();
            let spaces = bytes.iter().skip(start).take_while(|b| b.is_ascii_whitespace()).count();
            let quote = start + spaces;
            let Some(b'"' | b'\'') = bytes.get(quote) else { continue };
            let end = quote + 1 + identifier(bytes.get(quote + 1..).unwrap_or_default());
            let closed = bytes.get(end) == bytes.get(quote);
            let tight = spaces == 0 && bytes.get(end + 1) == Some(&b')');
            let name = s.get(quote + 1..end).unwrap_or_default();
            if closed && !tight && self.names().intents.contains(name) {
                let at = self.at(text, quote, end + 1);
                self.out
                    .push(rules::import_not_rewritten::helper(at, name, self.layer.alias));
            }
        }
    }
}

/// A reference to a world key in a form that the pattern of the fold does not see: `["key"]`, `?.key`, ` . key`. Gives the key
/// and the end of the reference.
fn odd_reference(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text.get(at..)?;
    let inner = rest.trim_start();
    let skipped = rest.len() - inner.len();
    if let Some(index) = inner.strip_prefix('[').or_else(|| inner.strip_prefix("?.[")) {
        let body = index.trim_start();
        let quote = body.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let name = body.get(1..)?.split(quote).next()?;
        let after = body.get(name.len() + 2..)?;
        let close = after.trim_start().strip_prefix(']')?;
        return Some((name, text.len() - close.len()));
    }
    let after = inner.strip_prefix("?.").or_else(|| inner.strip_prefix('.'))?;
    let body = after.trim_start();
    let plain = skipped == 0 && inner.starts_with('.') && body.len() == after.len();
    let len = identifier(body.as_bytes());
    if plain || len == 0 {
        return None;
    }
    Some((body.get(..len)?, text.len() - body.len() + len))
}

/// Which parts of a template stand in braces; asked in ascending order.
struct Braces<'t> {
    text: &'t str,
    /// From here on nothing is known yet.
    at: usize,
    /// The last span in braces that was found.
    open: usize,
    close: usize,
}

impl<'t> Braces<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            open: 0,
            close: 0,
        }
    }

    fn holds(&mut self, offset: usize) -> bool {
        if offset < self.open {
            // Asked again from the beginning.
            *self = Self::new(self.text);
        }
        while offset >= self.close && self.at < self.text.len() {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let Some(open) = kitsoki_expr::next_delimiter(rest, 0) else {
                self.at = self.text.len();
                self.open = self.at;
                self.close = self.at;
                break;
            };
            let end = if rest.get(open..open + 2) == Some("{{") {
                "}}"
            } else {
                "%}"
            };
            let close = rest
                .get(open..)
                .and_then(|r| r.find(end))
                .map_or(rest.len(), |c| open + c + 2);
            self.open = self.at + open;
            self.close = self.at + close;
            self.at = self.close;
        }
        self.open <= offset && offset < self.close
    }
}

#[cfg(test)]
mod tests {
    use super::{Braces, odd_reference};

    #[test]
    fn forms_that_the_pattern_does_not_see() {
        let at = "world".len();
        assert_eq!(odd_reference("world[\"n\"] > 1", at), Some(("n", 10)));
        assert_eq!(odd_reference("world?.n", at), Some(("n", 8)));
        assert_eq!(odd_reference("world . n", at), Some(("n", 9)));
        assert_eq!(odd_reference("world.n", at), None);
        assert_eq!(odd_reference("world[n]", at), None);
        assert_eq!(odd_reference("world", at), None);
    }

    #[test]
    fn braces_are_told_from_prose() {
        let mut b = Braces::new("a {{ b }} c {% d %} e {{ f");
        let inside: Vec<bool> = [0, 5, 10, 15, 20, 25].into_iter().map(|at| b.holds(at)).collect();
        assert_eq!(inside, [false, true, false, true, false, true]);
        assert!(!b.holds(0));
    }
}
