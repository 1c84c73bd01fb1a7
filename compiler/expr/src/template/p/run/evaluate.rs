//! Expressions of pongo templates.

use super::super::tree::{FilterCall, Pe, PeKind, Product, Relation};
use super::super::value::{P, Pv, equal};
use super::{Evaluated, Frame, Runner};
use crate::eval::Fault;
use crate::filters::Filter;
use crate::value::{ListKind, Value};
use crate::{ErrorClass, ExprError};

fn panics(message: &str) -> Fault {
    Fault::new(ErrorClass::Panic, message)
}

impl Runner<'_> {
    pub(super) fn eval(&mut self, frame: &Frame, expr: &Pe, context: usize) -> Evaluated {
        match &expr.kind {
            PeKind::Int(value) => return Ok(P::int(*value)),
            PeKind::Float(value) => return Ok(P::from(*value)),
            PeKind::Str(text) => return Ok(Value::Str(text.clone()).into()),
            PeKind::Bool(value) => return Ok(P::from(*value)),
            _ => {}
        }
        self.enter(frame, expr.range)?;
        let value = match &expr.kind {
            PeKind::Path(parts) => self.path(frame, expr.range, parts, context),
            PeKind::Filtered(base, filters) => self.filtered(frame, base, filters, context),
            PeKind::Logic(operands, ands) => self.logic(frame, operands, ands, context),
            PeKind::Relation(operands, operators) => self.relation(frame, expr, operands, operators, context),
            PeKind::Sum {
                negative,
                negated,
                terms,
                minus,
            } => self.sum(frame, expr, (*negative, *negated), terms, minus, context),
            PeKind::Product(factors, operators) => self.product(frame, factors, operators, context),
            PeKind::Power(factors) => self.power(frame, factors, context),
            _ => Ok(P::NIL),
        };
        self.leave();
        value
    }

    fn filtered(&mut self, frame: &Frame, base: &Pe, filters: &[FilterCall], context: usize) -> Evaluated {
        let mut value = self.eval(frame, base, context)?;
        for call in filters {
            let argument = match &call.argument {
                Some(argument) => self.eval(frame, argument, context)?,
                None => P::NIL,
            };
            value = self.apply(frame, call.filter, call.name.range, &value, &argument)?;
        }
        Ok(value)
    }

    pub(super) fn apply(
        &mut self,
        frame: &Frame,
        filter: Filter,
        range: text_size::TextRange,
        value: &P,
        argument: &P,
    ) -> Evaluated {
        let value = filter
            .apply(value, argument)
            .map_err(|fault| frame.fault(range, fault))?;
        let made = match &value.v {
            Pv::Value(Value::Str(text)) => text.len(),
            Pv::Value(Value::List(list)) => 32 * list.len(),
            _ => 0,
        };
        self.step(frame, range, made)?;
        Ok(value)
    }

    /// From the left; everything behind an operator is its right side.
    fn logic(&mut self, frame: &Frame, operands: &[Pe], ands: &[bool], context: usize) -> Evaluated {
        let mut truth = true;
        for (index, operand) in operands.iter().enumerate() {
            truth = self.eval(frame, operand, context)?.is_true();
            if let Some(and) = ands.get(index)
                && truth != *and
            {
                return Ok(P::from(truth));
            }
        }
        Ok(P::from(truth))
    }

    /// The right side of a comparison is everything behind it; operands are evaluated from the left.
    fn relation(
        &mut self,
        frame: &Frame,
        expr: &Pe,
        operands: &[Pe],
        operators: &[Relation],
        context: usize,
    ) -> Evaluated {
        let mut values = Vec::with_capacity(operands.len());
        for operand in operands {
            values.push(self.eval(frame, operand, context)?);
        }
        let Some(mut right) = values.pop() else {
            return Ok(P::NIL);
        };
        for operator in operators.iter().rev() {
            let Some(left) = values.pop() else { break };
            let truth = compare(*operator, &left, &right).map_err(|fault| frame.fault(expr.range, fault))?;
            right = P::from(truth);
        }
        Ok(right)
    }

    fn sum(
        &mut self,
        frame: &Frame,
        expr: &Pe,
        (negative, negated): (bool, bool),
        terms: &[Pe],
        minus: &[bool],
        context: usize,
    ) -> Evaluated {
        let mut terms = terms.iter();
        let Some(first) = terms.next() else { return Ok(P::NIL) };
        let mut result = self.eval(frame, first, context)?;
        if negated {
            result = result.negate();
        }
        if negative {
            result = if result.is_float() {
                P::from(-result.float())
            } else if result.is_integer() {
                P::int(result.integer().wrapping_neg())
            } else {
                return Err(frame.error(
                    ErrorClass::Type,
                    first.range,
                    "a minus sign before something that is no number",
                ));
            };
        }
        for (term, minus) in terms.zip(minus) {
            let term = self.eval(frame, term, context)?;
            result = if !minus && (result.is_string() || term.is_string()) {
                let text = format!("{}{}", result.text(), term.text());
                self.step(frame, expr.range, text.len())?;
                P::from(text)
            } else if result.is_float() || term.is_float() {
                let (a, b) = (result.float(), term.float());
                P::from(if *minus { a - b } else { a + b })
            } else {
                let (a, b) = (result.integer(), term.integer());
                P::int(if *minus { a.wrapping_sub(b) } else { a.wrapping_add(b) })
            };
        }
        Ok(result)
    }

    fn product(
        &mut self,
        frame: &Frame,
        factors: &[Pe],
        operators: &[(Product, text_size::TextRange)],
        context: usize,
    ) -> Evaluated {
        let mut factors = factors.iter();
        let Some(first) = factors.next() else { return Ok(P::NIL) };
        let mut result = self.eval(frame, first, context)?;
        for (factor, (operator, range)) in factors.zip(operators) {
            let factor = self.eval(frame, factor, context)?;
            result = multiply(*operator, &result, &factor).map_err(|fault| frame.fault(*range, fault))?;
        }
        Ok(result)
    }

    fn power(&mut self, frame: &Frame, factors: &[Pe], context: usize) -> Evaluated {
        let mut values = Vec::with_capacity(factors.len());
        for factor in factors {
            values.push(self.eval(frame, factor, context)?.float());
        }
        let Some(mut result) = values.pop() else {
            return Ok(P::NIL);
        };
        while let Some(base) = values.pop() {
            result = crate::eval::arithmetic::pow(base, result);
        }
        Ok(P::from(result))
    }

    /// Evaluates several expressions.
    pub(super) fn eval_all(&mut self, frame: &Frame, exprs: &[Pe], context: usize) -> Result<Vec<P>, ExprError> {
        exprs.iter().map(|expr| self.eval(frame, expr, context)).collect()
    }
}

fn multiply(operator: Product, a: &P, b: &P) -> Result<P, Fault> {
    let floats = operator != Product::Remainder && (a.is_float() || b.is_float());
    if floats {
        return Ok(P::from(if operator == Product::Times {
            a.float() * b.float()
        } else {
            a.float() / b.float()
        }));
    }
    let (a, b) = (a.integer(), b.integer());
    if operator == Product::Times {
        return Ok(P::int(a.wrapping_mul(b)));
    }
    if b == 0 {
        return Err(panics("an integer division by zero"));
    }
    Ok(P::int(if operator == Product::Over {
        a.wrapping_div(b)
    } else {
        a.wrapping_rem(b)
    }))
}

fn compare(operator: Relation, a: &P, b: &P) -> Result<bool, Fault> {
    let same = || equal(a, b).ok_or_else(|| panics("two lists or two maps cannot be compared here"));
    match operator {
        Relation::Equal => return same(),
        Relation::NotEqual => return same().map(|same| !same),
        Relation::In => return contains(b, a),
        _ => {}
    }
    if a.is_float() || b.is_float() {
        let (a, b) = (a.float(), b.float());
        return Ok(match operator {
            Relation::Less => a < b,
            Relation::LessEqual => a <= b,
            Relation::More => a > b,
            _ => a >= b,
        });
    }
    let (a, b) = (a.integer(), b.integer());
    Ok(match operator {
        Relation::Less => a < b,
        Relation::LessEqual => a <= b,
        Relation::More => a > b,
        _ => a >= b,
    })
}

/// `needle in container`.
fn contains(container: &P, needle: &P) -> Result<bool, Fault> {
    let key = |has: &dyn Fn(&str) -> bool| match &needle.v {
        Pv::Value(Value::Str(key)) => Ok(has(key)),
        Pv::Value(Value::Int(_)) if needle.own => Err(panics("a map has texts as keys, not integers")),
        _ => Ok(false),
    };
    match &container.v {
        Pv::Value(Value::Map(map)) => key(&|name| map.contains_key(name)),
        Pv::Run(map) => key(&|name| map.contains_key(name)),
        Pv::Meta => key(&|name| name == "version"),
        Pv::Value(Value::Str(text)) => Ok(text.contains(needle.text().as_ref())),
        Pv::Value(Value::List(list)) => {
            for item in list {
                match equal(needle, &P::from(item.clone())) {
                    Some(true) => return Ok(true),
                    Some(false) => {}
                    None if list.kind() == ListKind::Any || list.kind() == ListKind::Bare => {
                        return Err(panics("two lists or two maps cannot be compared here"));
                    }
                    None => {}
                }
            }
            Ok(false)
        }
        _ => Ok(false),
    }
}

/// Whether every operand goes through the `safe` filter, so that nothing is escaped.
pub(super) fn all_safe(expr: &Pe) -> bool {
    match &expr.kind {
        PeKind::Filtered(_, filters) => filters.iter().any(|call| call.filter == Filter::Safe),
        PeKind::Logic(operands, _)
        | PeKind::Relation(operands, _)
        | PeKind::Product(operands, _)
        | PeKind::Power(operands)
        | PeKind::Sum { terms: operands, .. } => operands.iter().all(all_safe),
        _ => false,
    }
}
