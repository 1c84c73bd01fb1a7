//! What the texts of stories say, read once however often they are written.
//!
//! The same guard stands in many rooms, a macro copies an arc into all of them, and stories of one run import the same
//! children. What a text says depends on nothing but its words, so that stories and threads share it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kitsoki_expr::{Expr, ExprError, LiteralComparison, Mode, Reference, TemplateP, TemplateT};

/// Texts that are remembered of each language; then it begins anew. Some 3 MB in all: most repeat themselves soon.
const MOST: usize = 256;

/// Longer texts are read each time: whole prompts are seldom repeated.
const LONG: usize = 2048;

/// A text in its language.
#[derive(Debug)]
pub enum Parsed {
    /// A bare expression.
    Expr(Arc<Expr>),
    /// A brace template.
    T(TemplateT),
    /// A view template.
    P(TemplateP),
    /// Nothing to evaluate.
    Literal,
}

/// What one text says.
#[derive(Debug)]
pub struct Reading {
    /// The text in its language.
    pub parsed: Parsed,
    /// Why the reference's load check refuses it; as if it looked at every text.
    pub refused: Vec<ExprError>,
    /// What else keeps it from being evaluated.
    pub faults: Vec<ExprError>,
    /// What it names.
    pub references: Vec<Reference>,
    /// Comparisons with literals.
    pub comparisons: Vec<LiteralComparison>,
}

/// A text with nothing to evaluate.
pub(crate) static PLAIN: Reading = Reading {
    parsed: Parsed::Literal,
    refused: Vec::new(),
    faults: Vec::new(),
    references: Vec::new(),
    comparisons: Vec::new(),
};

type Known = Mutex<HashMap<Box<str>, Arc<Reading>>>;

/// The texts that were read before, by language.
#[derive(Debug, Default)]
pub struct Readings {
    guards: Known,
    values: Known,
    templates: Known,
    views: Known,
}

impl Readings {
    /// A bare expression.
    pub(crate) fn expression(&self, text: &str, mode: Mode) -> Arc<Reading> {
        let known = match mode {
            Mode::Guard => &self.guards,
            Mode::Value => &self.values,
        };
        once(known, text, || expression(text, mode))
    }

    /// A brace template; `None` for a text without braces.
    pub(crate) fn template(&self, text: &str) -> Option<Arc<Reading>> {
        kitsoki_expr::has_braces(text).then(|| once(&self.templates, text, || template(text)))
    }

    /// A view template; `None` for a text without tags.
    pub(crate) fn view(&self, text: &str) -> Option<Arc<Reading>> {
        let written = kitsoki_expr::has_delimiters(text);
        written.then(|| once(&self.views, text, || view(text)))
    }
}

fn once(known: &Known, text: &str, read: impl FnOnce() -> Reading) -> Arc<Reading> {
    if text.len() > LONG {
        return Arc::new(read());
    }
    let known = || known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(reading) = known().get(text) {
        return Arc::clone(reading);
    }
    let reading = Arc::new(read());
    let mut known = known();
    if known.len() >= MOST {
        known.clear();
    }
    known.insert(text.into(), Arc::clone(&reading));
    reading
}

fn expression(text: &str, mode: Mode) -> Reading {
    match kitsoki_expr::compile_expr(text, mode) {
        Ok(program) => {
            let expr = Arc::clone(program.expr());
            Reading {
                refused: Vec::new(),
                faults: Vec::new(),
                references: expr.references(),
                comparisons: expr.literal_comparisons(),
                parsed: Parsed::Expr(expr),
            }
        }
        Err(refused) => {
            // Half an expression still names keys.
            let (expr, _) = kitsoki_expr::parse_expr(text);
            Reading {
                refused,
                faults: Vec::new(),
                references: expr.references(),
                comparisons: Vec::new(),
                parsed: Parsed::Expr(Arc::new(expr)),
            }
        }
    }
}

fn template(text: &str) -> Reading {
    let (template, faults) = kitsoki_expr::parse_t(text);
    Reading {
        refused: template.load_errors(),
        faults,
        references: template.references(),
        comparisons: template.literal_comparisons(),
        parsed: Parsed::T(template),
    }
}

fn view(text: &str) -> Reading {
    let (template, refused) = kitsoki_expr::parse_p(text);
    Reading {
        refused,
        faults: Vec::new(),
        references: template.references(),
        comparisons: template.literal_comparisons(),
        parsed: Parsed::P(template),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_once_per_language() {
        let readings = Readings::default();
        let first = readings.template("{{ world.a }}").unwrap();
        assert!(Arc::ptr_eq(&first, &readings.template("{{ world.a }}").unwrap()));
        assert!(matches!(readings.view("{{ world.a }}").unwrap().parsed, Parsed::P(_)));
        let value = readings.expression("1 + 1", Mode::Value);
        assert!(value.refused.is_empty());
        assert!(!readings.expression("1 + 1", Mode::Guard).refused.is_empty());
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let readings = Readings::default();
        for n in 0..=MOST {
            readings.expression(&format!("world.k{n} == 1"), Mode::Guard);
        }
        assert_eq!(readings.guards.lock().unwrap().len(), 1);
        readings.template(&format!("{{{{ world.a }}}}{}", " ".repeat(LONG)));
        assert!(readings.templates.lock().unwrap().is_empty());
    }
}
