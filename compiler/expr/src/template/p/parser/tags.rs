//! Tags of pongo templates (language 10.7). Each reads its parts in the order of the reference, so that the first fault is the same.

use text_size::TextRange;

use super::super::lexer::{Keyword, Tok};
use super::super::tree::{LoremUnit, Macro, Name, Node, Pe};
use super::cursor::Cursor;
use super::{Parsed, Parser, parse_error};
use crate::filters::Filter;
use crate::{ErrorClass, ExprError};

/// True for tags that may stand alone; `verbatim` is read before there are tags.
pub(super) fn is_opening(word: &str) -> bool {
    matches!(
        word,
        "if" | "for"
            | "with"
            | "set"
            | "include"
            | "extends"
            | "block"
            | "macro"
            | "import"
            | "comment"
            | "firstof"
            | "cycle"
            | "ifchanged"
            | "ifequal"
            | "ifnotequal"
            | "filter"
            | "spaceless"
            | "autoescape"
            | "templatetag"
            | "widthratio"
            | "now"
            | "lorem"
            | "ssi"
    )
}

pub(super) fn unknown(word: &str, range: TextRange) -> ExprError {
    let error = |message: String| ExprError::compile(ErrorClass::UnknownTag, range, message);
    match word {
        "else" | "elif" => error(format!("this `{word}` belongs to no `if`")),
        "empty" => error("this `empty` belongs to no `for`".to_owned()),
        _ if word.starts_with("end") => error(format!("this `{word}` closes nothing")),
        "elseif" | "elsif" => error(format!("no tag is called `{word}`")).with_fix(range, "elif"),
        _ => error(format!("no tag is called `{word}`")),
    }
}

impl<'a> Parser<'a> {
    pub(super) fn tag_node(&mut self, word: &str, start: TextRange, arguments: Cursor<'a>) -> Parsed<Node> {
        match word {
            "if" => self.if_tag(start, arguments),
            "for" => self.for_tag(start, arguments),
            "with" => self.with_tag(start, arguments),
            "set" => set_tag(arguments),
            "include" => self.include_tag(arguments),
            "extends" => self.extends_tag(start, arguments),
            "block" => self.block_tag(start, arguments),
            "macro" => self.macro_tag(start, arguments),
            "import" => self.import_tag(arguments),
            "ssi" => self.ssi_tag(arguments),
            "comment" => self.comment_tag(start, &arguments),
            "firstof" => all_expressions(arguments).map(Node::FirstOf),
            "cycle" => cycle_tag(start, arguments),
            "ifchanged" => self.ifchanged_tag(start, arguments),
            "ifequal" => self.ifequal_tag(start, "endifequal", true, arguments),
            "ifnotequal" => self.ifequal_tag(start, "endifnotequal", false, arguments),
            "filter" => self.filter_tag(start, arguments),
            "spaceless" => {
                let wrapped = self.wrap(start, word, &["endspaceless"])?;
                arguments.finished(word)?;
                Ok(Node::Spaceless(wrapped.body))
            }
            "autoescape" => self.autoescape_tag(start, arguments),
            "templatetag" => templatetag_tag(arguments),
            "widthratio" => widthratio_tag(arguments),
            "now" => now_tag(arguments),
            _ => lorem_tag(start, arguments),
        }
    }

    fn if_tag(&mut self, start: TextRange, mut arguments: Cursor<'a>) -> Parsed<Node> {
        let mut conditions = vec![condition(&mut arguments, "if")?];
        let mut bodies = Vec::new();
        loop {
            let mut wrapped = self.wrap(start, "if", &["elif", "else", "endif"])?;
            bodies.push(wrapped.body);
            if wrapped.end == "elif" {
                conditions.push(condition(&mut wrapped.arguments, "elif")?);
            } else {
                no_condition(&wrapped.arguments, &wrapped.end)?;
            }
            if wrapped.end == "endif" {
                return Ok(Node::If { conditions, bodies });
            }
        }
    }

    fn for_tag(&mut self, start: TextRange, mut arguments: Cursor<'a>) -> Parsed<Node> {
        let Some(key) = arguments.ident() else {
            return Err(arguments.error("`for` needs a name for the element"));
        };
        let mut value = None;
        if arguments.symbol(",") {
            value = arguments.ident();
            if value.is_none() {
                return Err(arguments.error("`for` needs a name for the value"));
            }
        }
        if !arguments.keyword(Keyword::In) {
            return Err(arguments.error("`in` is expected here"));
        }
        let list = arguments.expression()?;
        let reversed = arguments.ident_is("reversed");
        let sorted = arguments.ident_is("sorted");
        arguments.finished("for")?;
        let wrapped = self.wrap(start, "for", &["empty", "endfor"])?;
        wrapped.arguments.nothing(&wrapped.end)?;
        let body = wrapped.body;
        let mut empty = None;
        if wrapped.end == "empty" {
            let wrapped = self.wrap(start, "for", &["endfor"])?;
            wrapped.arguments.nothing("endfor")?;
            empty = Some(wrapped.body);
        }
        Ok(Node::For {
            key,
            value,
            list,
            reversed,
            sorted,
            body,
            empty,
        })
    }

    fn with_tag(&mut self, start: TextRange, mut arguments: Cursor<'a>) -> Parsed<Node> {
        if arguments.count() == 0 {
            return Err(arguments.error("`with` needs a name and a value: `{% with a=world.x %}`"));
        }
        let wrapped = self.wrap(start, "with", &["endwith"])?;
        wrapped.arguments.nothing("endwith")?;
        let old = arguments.has_keyword(Keyword::As);
        let mut pairs: Vec<(Name, _)> = Vec::new();
        while !arguments.is_empty() {
            let pair = if old {
                let value = arguments.expression()?;
                if !arguments.keyword(Keyword::As) {
                    return Err(arguments.error("`as` is expected here"));
                }
                let Some(name) = arguments.ident() else {
                    return Err(arguments.error("a name is expected here"));
                };
                (name, value)
            } else {
                named_value(&mut arguments)?
            };
            pairs.retain(|(name, _)| name.text != pair.0.text);
            pairs.push(pair);
        }
        Ok(Node::With {
            pairs,
            body: wrapped.body,
        })
    }

    fn block_tag(&mut self, start: TextRange, mut arguments: Cursor<'a>) -> Parsed<Node> {
        let Some(name) = arguments.ident() else {
            return Err(arguments.error("`block` needs a name"));
        };
        arguments.finished("block")?;
        let mut wrapped = self.wrap(start, "block", &["endblock"])?;
        let ends = &mut wrapped.arguments;
        if !ends.is_empty() {
            let range = ends.range();
            match ends.ident() {
                Some(end) if end.text != name.text => {
                    let message = format!("this block is called `{}`, not `{}`", name.text, end.text);
                    return Err(parse_error(range, message).with_fix(range, name.text.as_str()));
                }
                Some(_) if ends.is_empty() => {}
                _ => return Err(parse_error(range, "`endblock` takes nothing but the block's name")),
            }
        }
        if self.template.blocks.contains_key(&name.text) {
            return Err(parse_error(
                name.range,
                format!("there is a block called `{}` already", name.text),
            ));
        }
        self.template.blocks.insert(name.text.clone(), wrapped.body);
        Ok(Node::Block(name))
    }

    fn macro_tag(&mut self, start: TextRange, mut arguments: Cursor<'a>) -> Parsed<Node> {
        let Some(name) = arguments.ident() else {
            return Err(arguments.error("`macro` needs a name"));
        };
        if !arguments.symbol("(") {
            return Err(arguments.error("`(` is expected behind the macro's name"));
        }
        let mut params: Vec<(Name, _)> = Vec::new();
        while !arguments.symbol(")") {
            let Some(param) = arguments.ident() else {
                return Err(arguments.error("a parameter's name is expected here"));
            };
            let default = if arguments.symbol("=") {
                Some(arguments.expression()?)
            } else {
                None
            };
            params.push((param, default));
            if arguments.symbol(")") {
                break;
            }
            if !arguments.symbol(",") {
                return Err(arguments.error("`,` or `)` is expected here"));
            }
        }
        let exported = arguments.keyword(Keyword::Export);
        arguments.finished("macro")?;
        let wrapped = self.wrap(start, "macro", &["endmacro"])?;
        wrapped.arguments.nothing("endmacro")?;
        let index = self.template.macros.len();
        if exported {
            if self.template.exported.contains_key(&name.text) {
                return Err(parse_error(
                    start,
                    format!("a macro called `{}` is exported already", name.text),
                ));
            }
            self.template.exported.insert(name.text.clone(), index);
        }
        self.template.macros.push(Macro {
            name,
            params,
            body: wrapped.body,
        });
        Ok(Node::Macro(index))
    }

    /// Everything up to the next `endcomment` is passed over as it is, other comments too.
    fn comment_tag(&mut self, start: TextRange, arguments: &Cursor<'a>) -> Parsed<Node> {
        while self.pos < self.tokens.len() {
            if self.symbol_at(self.pos, "{%")
                && let Some(token) = self.tokens.get(self.pos + 1).filter(|token| token.tok == Tok::Ident)
                && self.word(token.range) == "endcomment"
            {
                self.template.tags.push(token.range);
                self.pos += 2;
                if !self.symbol_at(self.pos, "%}") {
                    let range = self.current().map_or(token.range, |token| token.range);
                    return Err(parse_error(range, "`endcomment` takes no arguments")
                        .with_help("the Go implementation never ends on this template"));
                }
                self.pos += 1;
                arguments.nothing("comment")?;
                return Ok(Node::Nothing);
            }
            self.pos += 1;
        }
        Err(ExprError::compile(
            ErrorClass::UnclosedBlock,
            start,
            "this `comment` has no `{% endcomment %}`",
        ))
    }

    fn ifchanged_tag(&mut self, start: TextRange, arguments: Cursor<'a>) -> Parsed<Node> {
        let watched = all_expressions(arguments)?;
        let (body, otherwise) = self.two_bodies(start, "ifchanged", "endifchanged")?;
        Ok(Node::IfChanged {
            watched,
            body,
            otherwise,
            range: start,
        })
    }

    fn ifequal_tag(&mut self, start: TextRange, end: &str, wanted: bool, mut arguments: Cursor<'a>) -> Parsed<Node> {
        let left = arguments.expression()?;
        let right = arguments.expression()?;
        let word = end.trim_start_matches("end");
        arguments.finished(word)?;
        let (body, otherwise) = self.two_bodies(start, word, end)?;
        Ok(Node::IfEqual {
            left,
            right,
            wanted,
            body,
            otherwise,
        })
    }

    fn two_bodies(&mut self, start: TextRange, word: &str, end: &str) -> Parsed<(usize, Option<usize>)> {
        let wrapped = self.wrap(start, word, &["else", end])?;
        wrapped.arguments.nothing(&wrapped.end)?;
        let body = wrapped.body;
        if wrapped.end != "else" {
            return Ok((body, None));
        }
        let wrapped = self.wrap(start, word, &[end])?;
        wrapped.arguments.nothing(end)?;
        Ok((body, Some(wrapped.body)))
    }

    fn filter_tag(&mut self, start: TextRange, mut arguments: Cursor<'a>) -> Parsed<Node> {
        let wrapped = self.wrap(start, "filter", &["endfilter"])?;
        let mut filters = Vec::new();
        while !arguments.is_empty() {
            let Some(name) = arguments.ident() else {
                return Err(arguments.error("a filter's name is expected here"));
            };
            let argument = if arguments.symbol(":") {
                Some(arguments.operand()?)
            } else {
                None
            };
            filters.push((Filter::named(&name.text), name, argument));
            if !arguments.symbol("|") {
                break;
            }
        }
        arguments.finished("filter")?;
        Ok(Node::FilterTag {
            body: wrapped.body,
            filters,
            range: start,
        })
    }

    fn autoescape_tag(&mut self, start: TextRange, mut arguments: Cursor<'a>) -> Parsed<Node> {
        let wrapped = self.wrap(start, "autoescape", &["endautoescape"])?;
        let on = if arguments.ident_is("on") {
            true
        } else if arguments.ident_is("off") {
            false
        } else {
            return Err(arguments.error("`autoescape` is `on` or `off`"));
        };
        arguments.finished("autoescape")?;
        Ok(Node::AutoEscape { on, body: wrapped.body })
    }
}

fn condition(arguments: &mut Cursor<'_>, word: &str) -> Parsed<Pe> {
    let condition = arguments.expression()?;
    if arguments.is_empty() {
        return Ok(condition);
    }
    let token = arguments.current();
    let found = token
        .map(|token| arguments.word(token).trim_start())
        .unwrap_or_default();
    let shown: String = found.chars().take(20).collect();
    let error = arguments.error(format!("`{shown}` is not expected in the condition of `{word}`"));
    Err(match token.map(|token| &token.tok) {
        Some(Tok::Keyword(Keyword::Not)) => error.with_help("there is no `not in`: write `not (a in b)`"),
        Some(Tok::Symbol("=", _)) => {
            let range = error.range;
            error.with_help("compare with `==`").with_fix(range, "==")
        }
        _ => error,
    })
}

fn no_condition(arguments: &Cursor<'_>, word: &str) -> Parsed<()> {
    arguments.nothing(word).map_err(|error| match word {
        "else" => error.with_help("for another condition write `{% elif … %}`"),
        _ => error,
    })
}

/// `name=value`.
pub(super) fn named_value(arguments: &mut Cursor<'_>) -> Parsed<(Name, Pe)> {
    let Some(name) = arguments.ident() else {
        return Err(arguments.error("a name is expected here"));
    };
    if !arguments.symbol("=") {
        return Err(arguments.error("`=` is expected here"));
    }
    Ok((name, arguments.expression()?))
}

fn all_expressions(mut arguments: Cursor<'_>) -> Parsed<Vec<Pe>> {
    let mut found = Vec::new();
    while !arguments.is_empty() {
        found.push(arguments.expression()?);
    }
    Ok(found)
}

fn set_tag(mut arguments: Cursor<'_>) -> Parsed<Node> {
    let (name, value) = named_value(&mut arguments)?;
    arguments.finished("set")?;
    Ok(Node::Set(name, value))
}

fn cycle_tag(start: TextRange, mut arguments: Cursor<'_>) -> Parsed<Node> {
    let mut args = Vec::new();
    let mut name = None;
    let mut silent = false;
    while !arguments.is_empty() {
        args.push(arguments.expression()?);
        if arguments.keyword(Keyword::As) {
            name = arguments.ident();
            if name.is_none() {
                return Err(arguments.error("a name is expected behind `as`"));
            }
            silent = arguments.ident_is("silent");
            break;
        }
    }
    arguments.finished("cycle")?;
    Ok(Node::Cycle {
        args,
        name,
        silent,
        range: start,
    })
}

fn templatetag_tag(mut arguments: Cursor<'_>) -> Parsed<Node> {
    let Some(name) = arguments.ident() else {
        return Err(arguments.error("`templatetag` needs the name of a delimiter"));
    };
    let text = match name.text.as_str() {
        "openblock" => "{%",
        "closeblock" => "%}",
        "openvariable" => "{{",
        "closevariable" => "}}",
        "openbrace" => "{",
        "closebrace" => "}",
        "opencomment" => "{#",
        "closecomment" => "#}",
        _ => {
            return Err(parse_error(
                name.range,
                format!("no delimiter is called `{}`", name.text),
            ));
        }
    };
    arguments.finished("templatetag")?;
    Ok(Node::Constant(text))
}

fn widthratio_tag(mut arguments: Cursor<'_>) -> Parsed<Node> {
    let current = arguments.expression()?;
    let max = arguments.expression()?;
    let width = arguments.expression()?;
    let mut name = None;
    if arguments.keyword(Keyword::As) {
        name = arguments.ident();
        if name.is_none() {
            return Err(arguments.error("a name is expected behind `as`"));
        }
    }
    arguments.finished("widthratio")?;
    Ok(Node::WidthRatio {
        current,
        max,
        width,
        name,
    })
}

fn now_tag(mut arguments: Cursor<'_>) -> Parsed<Node> {
    let Some(layout) = arguments.string() else {
        return Err(arguments.error("`now` needs a layout in quotes"));
    };
    let fake = arguments.ident_is("fake");
    arguments.finished("now")?;
    Ok(Node::Now {
        layout: layout.text,
        fake,
    })
}

fn lorem_tag(start: TextRange, mut arguments: Cursor<'_>) -> Parsed<Node> {
    let mut count = 1;
    if let Some(digits) = arguments.number() {
        count = crate::eval::truncate(digits.parse().unwrap_or(0.0));
    }
    let mut unit = LoremUnit::Plain;
    let at = arguments.range();
    if let Some(word) = arguments.ident() {
        unit = match word.text.as_str() {
            "w" => LoremUnit::Words,
            "p" => LoremUnit::Paragraphs,
            "b" => LoremUnit::Plain,
            _ => return Err(parse_error(at, "placeholder text comes as `w`, `p` or `b`")),
        };
    }
    arguments.ident_is("random");
    arguments.finished("lorem")?;
    Ok(Node::Lorem {
        count,
        unit,
        range: start,
    })
}
