//! The cases that guards can tell apart: for each text whose value they look at, one case per literal that it is compared
//! with, per gap between the numbers among them, and per other kind of value.

use smol_str::SmolStr;

use crate::Value;
use crate::types::Type;

/// What the value of a text is in one case.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Case {
    /// A number, which may stand for all between two literals.
    Number(f64),
    /// No number and yet a float: in no order with anything.
    NaN,
    /// One of the texts that stand in a guard.
    Text(SmolStr),
    /// Any other text.
    OtherText,
    Bool(bool),
    Nil,
    /// A list, a map, or what else there is.
    Other,
    /// There is no value: looking for it fails.
    Fails,
}

/// A text whose value guards look at.
#[derive(Debug)]
struct Variable {
    text: SmolStr,
    literals: Vec<Value>,
    /// Only whether it holds is looked at.
    condition: bool,
}

/// The texts whose values some guards look at.
#[derive(Debug, Default)]
pub(super) struct Variables(Vec<Variable>);

impl Variables {
    /// The variable of a text that is compared with literals.
    pub(super) fn value(&mut self, text: &str, literals: impl IntoIterator<Item = Value>) -> usize {
        let at = self.find(text, false);
        if let Some(variable) = self.0.get_mut(at) {
            variable.literals.extend(literals);
        }
        at
    }

    /// The variable of a condition into which nobody looks.
    pub(super) fn condition(&mut self, text: &str) -> usize {
        self.find(text, true)
    }

    /// A variable that no other text has.
    pub(super) fn fresh(&mut self) -> usize {
        let text = smol_str::format_smolstr!("#{}", self.0.len());
        self.find(&text, true)
    }

    fn find(&mut self, text: &str, condition: bool) -> usize {
        let same = |v: &Variable| v.text == text && v.condition == condition;
        self.0.iter().position(same).unwrap_or_else(|| {
            self.0.push(Variable {
                text: SmolStr::new(text),
                literals: Vec::new(),
                condition,
            });
            self.0.len() - 1
        })
    }

    /// The cases of every variable.
    pub(super) fn cases(&self, type_of: &dyn Fn(&str) -> Type) -> Vec<Vec<Case>> {
        self.0
            .iter()
            .map(|v| {
                if v.condition {
                    vec![Case::Bool(true), Case::Bool(false), Case::Fails]
                } else {
                    cases(&v.literals, &type_of(&v.text))
                }
            })
            .collect()
    }
}

fn cases(literals: &[Value], ty: &Type) -> Vec<Case> {
    let mut out = Vec::new();
    if ty.may_be(|t| matches!(t, Type::Int | Type::Float)) {
        numbers(literals, &mut out);
    }
    if ty.may_be(|t| matches!(t, Type::Float)) {
        out.push(Case::NaN);
    }
    // A session may set an enum to a text that it does not list.
    if ty.may_be(|t| matches!(t, Type::String | Type::Enum(_))) {
        for literal in literals.iter().filter_map(Value::as_str) {
            let case = Case::Text(SmolStr::new(literal));
            if !out.contains(&case) {
                out.push(case);
            }
        }
        out.push(Case::OtherText);
    }
    if ty.may_be(|t| *t == Type::Bool) {
        out.extend([Case::Bool(true), Case::Bool(false)]);
    }
    // A list may be one that counts as nil.
    if ty.may_be(|t| matches!(t, Type::Nil | Type::List(_))) {
        out.push(Case::Nil);
    }
    if ty.may_be(|t| matches!(t, Type::List(_) | Type::Map(_))) {
        out.push(Case::Other);
    }
    if ty.may_be(|_| false) {
        out.push(Case::Fails);
    }
    out
}

/// Every number among the literals, one between two of them, one before and one behind.
fn numbers(literals: &[Value], out: &mut Vec<Case>) {
    let mut points: Vec<f64> = literals.iter().filter_map(Value::as_float).collect();
    points.sort_by(f64::total_cmp);
    points.dedup();
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        out.push(Case::Number(0.0));
        return;
    };
    out.push(Case::Number(first - 1.0));
    for (a, b) in points.iter().zip(points.iter().skip(1)) {
        out.push(Case::Number(a / 2.0 + b / 2.0));
    }
    out.push(Case::Number(last + 1.0));
    out.extend(points.iter().copied().map(Case::Number));
}
