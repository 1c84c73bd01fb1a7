//! Tokens of a pongo template to its tree. Like the reference it stops at the first fault of a tag, but goes on with the text behind it.

mod cursor;
mod expression;
mod files;
mod tags;

use std::sync::Arc;

use indexmap::IndexMap;
use smol_str::SmolStr;
use text_size::TextRange;

use super::super::limits::MAX_BLOCKS;
use super::super::remap::Remap;
use super::coalesce;
use super::lexer::{Tok, Token, lex};
use super::tree::{BodyId, Node, Template};
use crate::{ErrorClass, ExprError};
use cursor::Cursor;

/// Parses a template text.
pub(super) fn parse(text: &Arc<str>, file: Option<SmolStr>, coalesce: bool) -> Template {
    let remap = if coalesce {
        coalesce::rewrite(text)
    } else {
        Remap::copy(text, 0)
    };
    let mut lexed = lex(remap.text());
    let tokens = std::mem::take(&mut lexed.tokens);
    let mut template = Template {
        file,
        source: Arc::clone(text),
        remap: Remap::default(),
        bodies: vec![Vec::new()],
        root: 0,
        blocks: IndexMap::default(),
        macros: Vec::new(),
        exported: IndexMap::default(),
        parent: None,
        files: Vec::new(),
        errors: Vec::new(),
        files_before_error: usize::MAX,
        tags: Vec::new(),
    };
    if let Some(error) = lexed.error {
        // Nothing is read at all then, so no file is missed before it.
        template.files_before_error = 0;
        template.errors.push(error);
    } else {
        let mut parser = Parser {
            text: remap.text(),
            tokens: &tokens,
            pos: 0,
            depth: 0,
            template,
        };
        parser.document();
        template = parser.template;
    }
    template.remap = remap;
    let errors = std::mem::take(&mut template.errors);
    template.errors = errors.into_iter().map(|error| template.placed(error)).collect();
    template
}

type Parsed<T> = Result<T, ExprError>;

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    pos: usize,
    /// How many tags are open around.
    depth: usize,
    template: Template,
}

/// What a body ended with.
struct Wrapped<'a> {
    body: BodyId,
    end: SmolStr,
    arguments: Cursor<'a>,
}

fn parse_error(range: TextRange, message: impl Into<String>) -> ExprError {
    ExprError::compile(ErrorClass::Parse, range, message)
}

impl<'a> Parser<'a> {
    fn word(&self, range: TextRange) -> &'a str {
        self.text
            .get(usize::from(range.start())..usize::from(range.end()))
            .unwrap_or_default()
    }

    fn tok(&self, at: usize) -> Option<&'a Tok> {
        self.tokens.get(at).map(|token| &token.tok)
    }

    fn current(&self) -> Option<&'a Token> {
        self.tokens.get(self.pos)
    }

    fn symbol_at(&self, at: usize, symbol: &str) -> bool {
        matches!(self.tok(at), Some(Tok::Symbol(found, _)) if *found == symbol)
    }

    fn last_range(&self) -> TextRange {
        self.tokens.last().map(|token| token.range).unwrap_or_default()
    }

    fn add_body(&mut self, nodes: Vec<Node>) -> BodyId {
        self.template.bodies.push(nodes);
        self.template.bodies.len() - 1
    }

    fn record(&mut self, error: ExprError) {
        if self.template.errors.is_empty() {
            self.template.files_before_error = self.template.files.len();
        }
        if self.template.errors.len() < crate::expr::limits::MAX_ERRORS {
            self.template.errors.push(error);
        }
    }

    fn document(&mut self) {
        let mut nodes = Vec::new();
        while self.pos < self.tokens.len() {
            let before = self.pos;
            match self.element() {
                Ok(node) => nodes.push(node),
                Err(error) => {
                    let unclosed = error.class == ErrorClass::UnclosedBlock || error.class == ErrorClass::Limit;
                    self.record(error);
                    if unclosed {
                        break;
                    }
                    self.recover(before);
                }
            }
        }
        if let Some(root) = self.template.bodies.get_mut(0) {
            *root = nodes;
        }
    }

    /// Goes on behind the tag that could not be read, and behind closing tags that belong to nothing any more.
    fn recover(&mut self, before: usize) {
        self.pos = self.pos.max(before + 1);
        loop {
            match self.current() {
                None => return,
                Some(Token { tok: Tok::Html, .. }) => return,
                Some(_) if self.symbol_at(self.pos, "{{") || self.symbol_at(self.pos, "{%") => {
                    let name = self
                        .tokens
                        .get(self.pos + 1)
                        .map(|token| self.word(token.range))
                        .unwrap_or_default();
                    let orphan = name.starts_with("end") || matches!(name, "else" | "elif" | "empty");
                    if !(orphan && self.symbol_at(self.pos, "{%")) {
                        return;
                    }
                }
                Some(_) => {}
            }
            self.pos += 1;
        }
    }

    fn element(&mut self) -> Parsed<Node> {
        let Some(token) = self.current() else {
            return Err(parse_error(self.last_range(), "the template ends too early"));
        };
        match token.tok {
            Tok::Html => {
                let node = Node::Text(self.stripped(token.range));
                self.pos += 1;
                Ok(node)
            }
            Tok::Symbol("{{", _) => self.output(),
            Tok::Symbol("{%", _) => self.tag(),
            _ => {
                self.pos += 1;
                Err(parse_error(
                    token.range,
                    format!("`{}` is not expected here", self.word(token.range)),
                ))
            }
        }
    }

    /// Literal text without the white space that the tags beside it strip.
    fn stripped(&self, range: TextRange) -> TextRange {
        const SPACE: [char; 4] = [' ', '\n', '\r', '\t'];
        let strips = |at: Option<usize>| matches!(at.and_then(|at| self.tok(at)), Some(Tok::Symbol(_, true)));
        let text = self.word(range);
        let mut kept = text;
        if strips(self.pos.checked_sub(1)) {
            kept = kept.trim_start_matches(SPACE);
        }
        let start = range.start() + text_size::TextSize::of(text) - text_size::TextSize::of(kept);
        if strips(Some(self.pos + 1)) {
            kept = kept.trim_end_matches(SPACE);
        }
        TextRange::at(start, text_size::TextSize::of(kept))
    }

    fn output(&mut self) -> Parsed<Node> {
        let open = self.pos;
        self.pos += 1;
        let mut cursor = Cursor::new(self.text, self.tokens, self.pos, self.last_range());
        let expression = cursor.expression();
        self.pos = cursor.position();
        let expression = expression?;
        if !self.symbol_at(self.pos, "}}") {
            let open = self.tokens.get(open).map(|token| token.range).unwrap_or_default();
            return Err(self.unfinished(open));
        }
        self.pos += 1;
        Ok(Node::Output(expression))
    }

    fn unfinished(&self, open: TextRange) -> ExprError {
        let Some(token) = self.current() else {
            return parse_error(open, "this `{{` has no `}}`");
        };
        let word = self.word(token.range);
        let rest = word.trim_start();
        let first = rest.chars().next().or_else(|| word.chars().next()).unwrap_or(' ');
        if token.tok == Tok::Html {
            // White space that is none of a tag ends it too, and is passed over unless nothing else is there.
            let at = word.find(first).and_then(|at| text_size::TextSize::try_from(at).ok());
            let start = token.range.start() + at.unwrap_or_default();
            let range = TextRange::at(start, text_size::TextSize::of(first));
            let error = parse_error(range, format!("`{first}` has no meaning in a view template"));
            return match first {
                '?' => error.with_help("there is no `? :` here: use `{% if … %}…{% else %}…{% endif %}`"),
                '~' => error.with_help("put texts together with `+`"),
                _ => error,
            };
        }
        let error = parse_error(token.range, format!("`{word}` is not expected here, `}}}}` is"));
        match (token.tok.clone(), word) {
            (_, "(") => error.with_help("a filter takes its argument behind a colon: `default:\"x\"`"),
            (Tok::Ident, _) => {
                error.with_help("blocks are written with `{% %}` in views: `{% if x %}…{% endif %}`, `{% for x in list %}…{% endfor %}`")
            }
            _ => error,
        }
    }

    /// A tag, its name and arguments read; the body is the tag's own business.
    fn tag(&mut self) -> Parsed<Node> {
        let open = self.current().map(|token| token.range).unwrap_or_default();
        self.pos += 1;
        let Some(name) = self.current().filter(|token| token.tok == Tok::Ident) else {
            let range = self.current().map_or(open, |token| token.range);
            return Err(parse_error(range, "a tag starts with its name"));
        };
        let word = self.word(name.range);
        self.pos += 1;
        if !tags::is_opening(word) {
            return Err(tags::unknown(word, name.range));
        }
        self.template.tags.push(name.range);
        let start = self.pos;
        while self.pos < self.tokens.len() && !self.symbol_at(self.pos, "%}") {
            self.pos += 1;
        }
        if self.pos >= self.tokens.len() {
            return Err(parse_error(open, "this `{%` has no `%}`"));
        }
        let arguments = self.tokens.get(start..self.pos).unwrap_or_default();
        self.pos += 1;
        if self.depth >= MAX_BLOCKS {
            return Err(ExprError::compile(
                ErrorClass::Limit,
                name.range,
                "blocks are nested too deeply",
            ));
        }
        self.depth += 1;
        let node = self.tag_node(word, name.range, Cursor::new(self.text, arguments, 0, name.range));
        self.depth -= 1;
        node
    }

    /// Everything up to one of the tags, whose arguments are returned.
    fn wrap(&mut self, opened: TextRange, opened_as: &str, names: &[&str]) -> Parsed<Wrapped<'a>> {
        let mut nodes = Vec::new();
        while self.pos < self.tokens.len() {
            if self.symbol_at(self.pos, "{%")
                && let Some(token) = self.tokens.get(self.pos + 1).filter(|token| token.tok == Tok::Ident)
                && let word = self.word(token.range)
                && names.contains(&word)
            {
                self.template.tags.push(token.range);
                self.pos += 2;
                let start = self.pos;
                while !self.symbol_at(self.pos, "%}") {
                    if self.pos >= self.tokens.len() {
                        return Err(parse_error(token.range, "this tag has no `%}`"));
                    }
                    self.pos += 1;
                }
                let arguments = self.tokens.get(start..self.pos).unwrap_or_default();
                self.pos += 1;
                let body = self.add_body(nodes);
                let arguments = Cursor::new(self.text, arguments, 0, token.range);
                return Ok(Wrapped {
                    body,
                    end: SmolStr::new(word),
                    arguments,
                });
            }
            nodes.push(self.element()?);
        }
        let expected = names.last().copied().unwrap_or_default();
        let message = format!("this `{opened_as}` has no `{{% {expected} %}}`");
        Err(ExprError::compile(ErrorClass::UnclosedBlock, opened, message))
    }
}

#[cfg(test)]
mod tests {
    use crate::parse_p;

    #[test]
    fn a_character_without_a_meaning_is_shown_where_it_stands() {
        for (text, meant) in [
            ("{{ m\u{2004}k }}", "k"),
            ("{{ m\u{2004}", "\u{2004}"),
            ("{{ m\u{2044}k }}", "\u{2044}"),
            ("{{ a ? b }}", "?"),
        ] {
            let (_, errors) = parse_p(text);
            let range = errors[0].range;
            let found = text.get(usize::from(range.start())..usize::from(range.end()));
            assert_eq!(found, Some(meant), "{text}: {}", errors[0].message);
        }
    }
}
