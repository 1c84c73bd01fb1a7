//! Expressions of pongo templates (language 10.4): no precedence between `and` and `or`, a negation that binds to one term,
//! filters that bind tighter than operators.

use smol_str::SmolStr;
use text_size::TextRange;

use super::super::super::limits::MAX_EXPRESSION;
use super::super::lexer::{Keyword, Tok, Token};
use super::super::tree::{FilterCall, Part, PartKind, Pe, PeKind, Product, Relation};
use super::Parsed;
use super::cursor::Cursor;
use crate::filters::Filter;
use crate::{ErrorClass, ExprError};

fn node(kind: PeKind, range: TextRange) -> Pe {
    Pe { kind, range }
}

fn span(parts: &[Pe]) -> TextRange {
    match parts {
        [] => TextRange::default(),
        [only] => only.range,
        [first, .., last] => first.range.cover(last.range),
    }
}

impl Cursor<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Pe> {
        if self.depth >= MAX_EXPRESSION {
            return Err(ExprError::compile(
                ErrorClass::Limit,
                self.range(),
                "the expression is nested too deeply",
            ));
        }
        self.depth += 1;
        let parsed = self.logic();
        self.depth -= 1;
        parsed
    }

    fn logic(&mut self) -> Parsed<Pe> {
        let mut operands = vec![self.relation()?];
        let mut ands = Vec::new();
        loop {
            let and = if self.symbol("&&") || self.keyword(Keyword::And) {
                true
            } else if self.symbol("||") || self.keyword(Keyword::Or) {
                false
            } else {
                break;
            };
            ands.push(and);
            operands.push(self.relation()?);
        }
        let range = span(&operands);
        Ok(single(operands).unwrap_or_else(|operands| node(PeKind::Logic(operands, ands), range)))
    }

    fn relation(&mut self) -> Parsed<Pe> {
        let mut operands = vec![self.sum()?];
        let mut operators = Vec::new();
        loop {
            let found = [
                ("==", Relation::Equal),
                ("<=", Relation::LessEqual),
                (">=", Relation::MoreEqual),
                ("!=", Relation::NotEqual),
                ("<>", Relation::NotEqual),
                (">", Relation::More),
                ("<", Relation::Less),
            ]
            .into_iter()
            .find(|(symbol, _)| self.symbol(symbol))
            .map(|(_, relation)| relation);
            if let Some(relation) = found {
                operators.push(relation);
                operands.push(self.sum()?);
                continue;
            }
            if self.keyword(Keyword::In) {
                // What `in` looks into is no comparison itself.
                operators.push(Relation::In);
                operands.push(self.sum()?);
            }
            break;
        }
        let range = span(&operands);
        Ok(single(operands).unwrap_or_else(|operands| node(PeKind::Relation(operands, operators), range)))
    }

    fn sum(&mut self) -> Parsed<Pe> {
        let start = self.range();
        let negative = if self.symbol("-") {
            true
        } else {
            self.symbol("+");
            false
        };
        let negated = self.symbol("!") || self.keyword(Keyword::Not);
        let mut terms = vec![self.product()?];
        let mut minus = Vec::new();
        loop {
            if self.symbol("+") {
                minus.push(false);
            } else if self.symbol("-") {
                minus.push(true);
            } else {
                break;
            }
            terms.push(self.product()?);
        }
        let plain = !negative && !negated;
        let range = if plain { span(&terms) } else { start.cover(span(&terms)) };
        if plain {
            return Ok(single(terms).unwrap_or_else(|terms| {
                node(
                    PeKind::Sum {
                        negative,
                        negated,
                        terms,
                        minus,
                    },
                    range,
                )
            }));
        }
        Ok(node(
            PeKind::Sum {
                negative,
                negated,
                terms,
                minus,
            },
            range,
        ))
    }

    fn product(&mut self) -> Parsed<Pe> {
        let mut factors = vec![self.power()?];
        let mut operators = Vec::new();
        loop {
            let range = self.range();
            let operator = if self.symbol("*") {
                Product::Times
            } else if self.symbol("/") {
                Product::Over
            } else if self.symbol("%") {
                Product::Remainder
            } else {
                break;
            };
            operators.push((operator, range));
            factors.push(self.power()?);
        }
        let range = span(&factors);
        Ok(single(factors).unwrap_or_else(|factors| node(PeKind::Product(factors, operators), range)))
    }

    fn power(&mut self) -> Parsed<Pe> {
        let mut factors = vec![self.factor()?];
        while self.symbol("^") {
            factors.push(self.factor()?);
        }
        let range = span(&factors);
        Ok(single(factors).unwrap_or_else(|factors| node(PeKind::Power(factors), range)))
    }

    fn factor(&mut self) -> Parsed<Pe> {
        let open = self.range();
        if self.symbol("(") {
            let inner = self.expression()?;
            if !self.symbol(")") {
                return Err(self
                    .error("`)` is expected here")
                    .with_help(format!("it closes the `(` at byte {}", u32::from(open.start()))));
            }
            return Ok(inner);
        }
        let base = self.operand()?;
        let mut filters = Vec::new();
        while self.symbol("|") {
            filters.push(self.filter()?);
        }
        if filters.is_empty() {
            return Ok(base);
        }
        let end = filters.last().map_or(base.range, |call: &FilterCall| {
            call.argument
                .as_ref()
                .map_or(call.name.range, |argument| argument.range)
        });
        let range = base.range.cover(end);
        Ok(node(PeKind::Filtered(Box::new(base), filters), range))
    }

    pub(super) fn filter(&mut self) -> Parsed<FilterCall> {
        let Some(name) = self.ident() else {
            return Err(self.error("a filter's name is expected behind `|`"));
        };
        let Some(filter) = Filter::named(&name.text) else {
            let message = format!("no filter is called `{}`", name.text);
            return Err(ExprError::compile(ErrorClass::UnknownFilter, name.range, message));
        };
        let mut argument = None;
        if self.symbol(":") {
            if self.at_symbol("}}") {
                return Err(self.error(format!("`{}:` needs an argument", name.text)));
            }
            argument = Some(self.operand()?);
        }
        Ok(FilterCall { filter, name, argument })
    }

    /// A literal or a path, without filters.
    pub(super) fn operand(&mut self) -> Parsed<Pe> {
        let Some(token) = self.current() else {
            return Err(self.error("a value is expected here"));
        };
        match &token.tok {
            Tok::Number => self.number_literal(token),
            Tok::Str(text) => {
                self.advance();
                Ok(node(PeKind::Str(text.clone()), token.range))
            }
            Tok::Keyword(keyword) => {
                self.advance();
                match keyword {
                    Keyword::True => Ok(node(PeKind::Bool(true), token.range)),
                    Keyword::False => Ok(node(PeKind::Bool(false), token.range)),
                    _ => Err(super::parse_error(
                        token.range,
                        format!("`{}` is no value", self.word(token)),
                    )),
                }
            }
            Tok::Ident => self.path(token),
            Tok::Html => {
                let first = self.word(token).trim_start().chars().next().unwrap_or(' ');
                Err(self.error(format!("a value is expected, and `{first}` has no meaning here")))
            }
            Tok::Symbol(symbol, _) => Err(self.error(format!("a value is expected, not `{symbol}`"))),
        }
    }

    fn number_literal(&mut self, token: &Token) -> Parsed<Pe> {
        let whole = self.word(token);
        self.advance();
        if self.symbol(".") {
            let end = self.range();
            let Some(part) = self.number() else {
                return Err(self.error("digits are expected behind the point"));
            };
            let range = token.range.cover(end);
            return match format!("{whole}.{part}").parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(node(PeKind::Float(value), range)),
                _ => Err(super::parse_error(range, "this number is too large")),
            };
        }
        match whole.parse() {
            Ok(value) => Ok(node(PeKind::Int(value), token.range)),
            Err(_) => Err(super::parse_error(token.range, "this number is too large")),
        }
    }

    fn path(&mut self, root: &Token) -> Parsed<Pe> {
        let first = Part {
            kind: PartKind::Name(SmolStr::new(self.word(root))),
            range: root.range,
            call: None,
        };
        let mut parts = vec![first];
        let mut end = root.range;
        self.advance();
        loop {
            if self.symbol(".") {
                let Some(token) = self.current() else {
                    return Err(self.error("a name is expected behind the dot"));
                };
                let kind = match token.tok {
                    Tok::Ident => PartKind::Name(SmolStr::new(self.word(token))),
                    Tok::Number => match self.word(token).parse() {
                        Ok(index) => PartKind::Index(index),
                        Err(_) => return Err(self.error("this number is too large")),
                    },
                    _ => {
                        let word = self.word(token).trim_start();
                        let shown: String = word.chars().take(20).collect();
                        return Err(self
                            .error(format!("`{shown}` is no member name in a view template"))
                            .with_help(
                                "words of the language and names with other letters are read as `x[\"name\"]`",
                            ));
                    }
                };
                end = token.range;
                parts.push(Part {
                    kind,
                    range: token.range,
                    call: None,
                });
                self.advance();
            } else if self.symbol("[") {
                if self.is_empty() {
                    return Err(self.error("an index is expected here"));
                }
                let subscript = self.expression()?;
                let range = subscript.range;
                end = self.range();
                parts.push(Part {
                    kind: PartKind::Subscript(Box::new(subscript)),
                    range,
                    call: None,
                });
                if !self.symbol("]") {
                    return Err(self.error("`]` is expected here"));
                }
                // Nothing may follow a subscript.
                break;
            } else if self.symbol("(") {
                let mut arguments = Vec::new();
                loop {
                    if self.is_empty() {
                        return Err(self.error("`)` is expected here"));
                    }
                    end = self.range();
                    if self.symbol(")") {
                        break;
                    }
                    arguments.push(self.expression()?);
                    end = self.range();
                    if self.symbol(")") {
                        break;
                    }
                    if !self.symbol(",") {
                        return Err(self.error("`,` or `)` is expected here"));
                    }
                }
                if let Some(part) = parts.last_mut() {
                    part.call = Some(arguments);
                }
            } else {
                break;
            }
        }
        Ok(node(PeKind::Path(parts), root.range.cover(end)))
    }
}

/// The one operand, or all of them.
fn single(mut operands: Vec<Pe>) -> Result<Pe, Vec<Pe>> {
    if operands.len() == 1
        && let Some(only) = operands.pop()
    {
        return Ok(only);
    }
    Err(operands)
}
