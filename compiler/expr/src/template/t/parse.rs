//! Text to the tree of a brace template.

use std::sync::Arc;

use text_size::{TextRange, TextSize};

use super::super::has_braces;
use super::super::limits::MAX_BLOCKS;
use super::super::remap::Remap;
use super::dots::rewrite;
use super::tree::{Condition, Interpolation, Mark, Node, TemplateT};
use crate::expr::lexer::range;
use crate::expr::program::{Mode, Program, compile_parsed};
use crate::expr::{Expr, parse_expr};
use crate::{ErrorClass, ExprError};

/// Parses a T template. The errors are those of the block structure and of reading the expressions.
#[must_use]
pub fn parse_t(text: &str) -> (TemplateT, Vec<ExprError>) {
    let mut parser = Parser {
        text,
        sole: sole(text).map(Arc::new),
        at: 0,
        frames: Vec::new(),
        body: Vec::new(),
        errors: Vec::new(),
        marks: Vec::new(),
    };
    if has_braces(text) {
        parser.run();
    } else {
        parser.body.push(Node::Text(range(0, text.len())));
    }
    let Parser {
        sole,
        body,
        errors: structure,
        marks,
        ..
    } = parser;
    let template = TemplateT {
        text: Arc::from(text),
        sole,
        body,
        structure,
        marks,
    };
    let errors = template.errors();
    (template, errors)
}

impl TemplateT {
    /// Everything that can be said without values about structure and syntax, in text order.
    fn errors(&self) -> Vec<ExprError> {
        if let Some(sole) = &self.sole {
            return sole.syntax.clone();
        }
        let mut errors = self.structure.clone();
        let mut pending: Vec<&Node> = self.body.iter().collect();
        while let Some(node) = pending.pop() {
            match node {
                Node::Text(_) => {}
                Node::Expression(interpolation) => errors.extend(interpolation.syntax.iter().cloned()),
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    errors.extend(condition.interpolation.syntax.iter().cloned());
                    pending.extend(then.iter().chain(otherwise));
                }
                Node::Range { list, body } => {
                    errors.extend(list.syntax.iter().cloned());
                    pending.extend(body);
                }
            }
        }
        errors.sort_by_key(|error| error.range.start());
        errors
    }
}

/// The one expression that a text is: nothing but white space around one pair of braces, and no block word in it.
fn sole(text: &str) -> Option<Interpolation> {
    let (at, inner) = sole_text(text)?;
    let keyword = inner.split(' ').next().unwrap_or_default();
    if matches!(keyword, "if" | "else" | "end") {
        return None;
    }
    Some(interpolation(Remap::copy(inner, at), false, Mode::Value))
}

/// The text between the braces of a sole expression and where it is.
pub(super) fn sole_text(text: &str) -> Option<(usize, &str)> {
    let inner = text.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    if inner.contains("{{") || inner.contains("}}") {
        return None;
    }
    let inner = inner.trim();
    Some((offset_in(text, inner), inner))
}

/// Where a part of a text starts in it.
fn offset_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize)
        .saturating_sub(text.as_ptr() as usize)
        .min(text.len())
}

pub(super) fn interpolation(remap: Remap, in_range: bool, mode: Mode) -> Interpolation {
    let (parsed, syntax) = parse_expr(remap.text());
    let parsed = Arc::new(parsed);
    let syntax: Vec<ExprError> = syntax.into_iter().map(|error| placed(error, &remap)).collect();
    let program = program(&parsed, &syntax, &remap, mode);
    Interpolation {
        remap,
        parsed,
        syntax,
        program,
        in_range,
    }
}

/// What was read, compiled; otherwise the first reason why it cannot be.
fn program(parsed: &Arc<Expr>, syntax: &[ExprError], remap: &Remap, mode: Mode) -> Result<Program, ExprError> {
    if let Some(error) = syntax.first() {
        return Err(error.clone());
    }
    compile_parsed(Arc::clone(parsed), mode).map_err(|errors| {
        errors
            .into_iter()
            .next()
            .map_or_else(nothing, |error| placed(error, remap))
    })
}

/// An error of an expression at its place in the template.
pub(super) fn placed(mut error: ExprError, remap: &Remap) -> ExprError {
    error.range = remap.source(error.range);
    error.fix = error.fix.map(|(range, text)| (remap.source(range), text));
    error
}

fn nothing() -> ExprError {
    ExprError::compile(ErrorClass::Parse, TextRange::default(), "nothing can be read here")
}

/// An open block.
struct Frame {
    /// The block word, to point at when the block is never closed.
    word: TextRange,
    kind: Block,
    in_range: bool,
    /// What stood before the block.
    before: Vec<Node>,
}

enum Block {
    If {
        condition: Box<Condition>,
        then: Option<Vec<Node>>,
    },
    Range {
        list: Box<Interpolation>,
    },
}

struct Parser<'a> {
    text: &'a str,
    /// The one expression that the text is.
    sole: Option<Arc<Interpolation>>,
    at: usize,
    frames: Vec<Frame>,
    /// The body that is being filled.
    body: Vec<Node>,
    errors: Vec<ExprError>,
    marks: Vec<(Mark, TextRange)>,
}

impl<'a> Parser<'a> {
    fn run(&mut self) {
        while let Some(rest) = self.text.get(self.at..).filter(|rest| !rest.is_empty()) {
            let Some(start) = rest.find("{{") else {
                self.body.push(Node::Text(range(self.at, self.text.len())));
                break;
            };
            if start > 0 {
                self.body.push(Node::Text(range(self.at, self.at + start)));
            }
            let open = self.at + start;
            let inside = rest.get(start + 2..).unwrap_or_default();
            let Some(length) = inside.find("}}") else {
                // The reference looks for delimiters before it looks at blocks.
                let error = ExprError::compile(ErrorClass::Template, range(open, open + 2), "`{{` is never closed")
                    .with_fix(TextRange::empty(TextSize::of(self.text)), " }}");
                self.errors.insert(0, error);
                self.frames.clear();
                return;
            };
            let close = open + 2 + length;
            self.marks.push((Mark::Open, range(open, open + 2)));
            self.block(inside.get(..length).unwrap_or_default().trim(), open);
            self.marks.push((Mark::Close, range(close, close + 2)));
            self.at = close + 2;
        }
        while let Some(frame) = self.frames.pop() {
            let name = if matches!(frame.kind, Block::If { .. }) {
                "if"
            } else {
                "range"
            };
            let error = ExprError::compile(
                ErrorClass::Template,
                frame.word,
                format!("this `{name}` has no `{{{{ end }}}}`"),
            )
            .with_fix(TextRange::empty(TextSize::of(self.text)), "{{ end }}");
            self.errors.push(error);
            self.close(frame);
        }
    }

    fn in_range(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.in_range)
    }

    fn block(&mut self, inner: &'a str, open: usize) {
        let at = if inner.is_empty() {
            open + 2
        } else {
            offset_in(self.text, inner)
        };
        let (keyword, rest) = inner.split_once(' ').unwrap_or((inner, ""));
        let word = range(at, at + keyword.len());
        let rest_text = rest.trim();
        let rest_at = if rest_text.is_empty() {
            at + keyword.len()
        } else {
            offset_in(self.text, rest_text)
        };
        match keyword {
            "if" => {
                self.marks.push((Mark::Word, word));
                let in_range = self.in_range();
                let condition = Box::new(condition(&rewrite(rest_text, rest_at, in_range), in_range));
                self.open(Frame {
                    word,
                    kind: Block::If { condition, then: None },
                    in_range,
                    before: Vec::new(),
                });
            }
            "range" => {
                self.marks.push((Mark::Word, word));
                let list = rewrite(rest_text, rest_at, self.in_range());
                let list = Box::new(interpolation(list, self.in_range(), Mode::Value));
                self.open(Frame {
                    word,
                    kind: Block::Range { list },
                    in_range: true,
                    before: Vec::new(),
                });
            }
            "else" => {
                self.marks.push((Mark::Word, word));
                self.middle(word);
            }
            "end" => {
                self.marks.push((Mark::Word, word));
                match self.frames.pop() {
                    Some(frame) => self.close(frame),
                    None => self.errors.push(ExprError::compile(
                        ErrorClass::Template,
                        word,
                        "this `end` closes nothing",
                    )),
                }
            }
            _ => {
                let in_range = self.in_range();
                // The braces of `{{{ a }}}` close earlier here than around the sole expression.
                let known = self.sole.clone().filter(|sole| sole.remap.text() == inner);
                let node = known
                    .unwrap_or_else(|| Arc::new(interpolation(rewrite(inner, at, in_range), in_range, Mode::Value)));
                self.body.push(Node::Expression(node));
            }
        }
    }

    fn open(&mut self, mut frame: Frame) {
        if self.frames.len() >= MAX_BLOCKS {
            let error = ExprError::compile(ErrorClass::Limit, frame.word, "blocks are nested too deeply");
            self.errors.push(error);
            // Treated as an empty block, so that its `end` closes something else: nothing is rendered anyway.
            return;
        }
        frame.before = std::mem::take(&mut self.body);
        self.frames.push(frame);
    }

    fn middle(&mut self, word: TextRange) {
        let message = match self.frames.last_mut() {
            Some(Frame {
                kind: Block::If { then: then @ None, .. },
                ..
            }) => {
                *then = Some(std::mem::take(&mut self.body));
                return;
            }
            Some(Frame {
                kind: Block::If { .. }, ..
            }) => "this `if` has an `else` already",
            Some(Frame {
                kind: Block::Range { .. },
                ..
            }) => "a `range` has no `else`",
            None => "this `else` belongs to no `if`",
        };
        self.errors
            .push(ExprError::compile(ErrorClass::Template, word, message));
    }

    fn close(&mut self, frame: Frame) {
        let last = std::mem::replace(&mut self.body, frame.before);
        self.body.push(match frame.kind {
            Block::If { condition, then: None } => Node::If {
                condition: *condition,
                then: last,
                otherwise: Vec::new(),
            },
            Block::If {
                condition,
                then: Some(then),
            } => Node::If {
                condition: *condition,
                then,
                otherwise: last,
            },
            Block::Range { list } => Node::Range {
                list: *list,
                body: last,
            },
        });
    }
}

/// A condition. A leading `not ` negates all that follows.
fn condition(written: &Remap, in_range: bool) -> Condition {
    let remap = match written.text().strip_prefix("not ") {
        Some(rest) => written.wrapped(written.text().len() - rest.len(), "!(", ")"),
        None => written.clone(),
    };
    let mut interpolation = interpolation(remap, in_range, Mode::Guard);
    let mut truthy = false;
    if interpolation.program.is_err() {
        let Interpolation {
            parsed, syntax, remap, ..
        } = &interpolation;
        if let Ok(any) = program(parsed, syntax, remap, Mode::Value) {
            interpolation.program = Ok(any);
            truthy = true;
        }
    }
    Condition {
        written: written.clone(),
        interpolation,
        truthy,
    }
}
