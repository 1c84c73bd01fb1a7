//! Texts by position: expressions, templates of both dialects, values (`expressions` 1.1).
//!
//! The same text in the same kind of position becomes one entry.

use kitsoki_ir::{Arena, Dialect, Expr, ExprId, ExprKind, Template, TemplateId, TemplateShape, Text as Code_, Value};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::surface::{Any, AnyKind, Field, Map, Text};

/// The tables of code on their way.
#[derive(Default)]
pub(super) struct Code {
    exprs: Arena<ExprId, Expr>,
    templates: Arena<TemplateId, Template>,
    known_exprs: FxHashMap<Expr, ExprId>,
    known_templates: FxHashMap<Template, TemplateId>,
}

impl Code {
    pub fn into_tables(self) -> (Arena<ExprId, Expr>, Arena<TemplateId, Template>) {
        (self.exprs, self.templates)
    }

    fn expr(&mut self, kind: ExprKind, text: &str) -> Option<ExprId> {
        if text.trim().is_empty() {
            return None;
        }
        let expr = Expr {
            kind,
            text: text.into(),
        };
        if let Some(id) = self.known_exprs.get(&expr) {
            return Some(*id);
        }
        let id = self.exprs.push(expr.clone());
        self.known_exprs.insert(expr, id);
        Some(id)
    }

    /// A guard that must be boolean; blank means none.
    pub fn guard(&mut self, field: &Option<Field<Text>>) -> Option<ExprId> {
        self.expr(ExprKind::Bool, field.as_ref()?.value.as_str())
    }

    /// A guard by truthiness; blank means none.
    pub fn truthy(&mut self, field: &Option<Field<Text>>) -> Option<ExprId> {
        self.expr(ExprKind::Any, field.as_ref()?.value.as_str())
    }

    /// The same for a leaf of a choice.
    pub fn truthy_any(&mut self, field: &Option<Field<Any>>) -> Option<ExprId> {
        self.expr(ExprKind::Any, field.as_ref()?.value.as_str()?)
    }

    pub fn template(&mut self, dialect: Dialect, text: &SmolStr) -> TemplateId {
        let shape = if is_sole(text) {
            TemplateShape::Sole
        } else {
            TemplateShape::Mixed
        };
        let template = Template {
            dialect,
            shape,
            text: text.clone(),
        };
        if let Some(id) = self.known_templates.get(&template) {
            return *id;
        }
        let id = self.templates.push(template.clone());
        self.known_templates.insert(template, id);
        id
    }

    /// A text in the view language.
    pub fn view(&mut self, text: &SmolStr) -> Code_ {
        if text.contains("{{") || text.contains("{%") {
            Code_::Template(self.template(Dialect::View, text))
        } else {
            Code_::Literal(text.clone())
        }
    }

    pub fn view_field(&mut self, field: &Option<Field<Text>>) -> Code_ {
        field.as_ref().map(|f| self.view(&f.value.text)).unwrap_or_default()
    }

    /// A leaf of a choice in the view language.
    pub fn view_any(&mut self, field: &Option<Field<Any>>) -> Code_ {
        field
            .as_ref()
            .and_then(|f| f.value.as_text())
            .map(|t| self.view(&t.text))
            .unwrap_or_default()
    }

    /// A text in the effect language.
    pub fn effect(&mut self, text: &SmolStr) -> Code_ {
        if text.contains("{{") {
            Code_::Template(self.template(Dialect::Effect, text))
        } else {
            Code_::Literal(text.clone())
        }
    }

    /// A value whose texts are templates of the effect language.
    pub fn value(&mut self, any: &Any) -> Value {
        self.value_in(any, Dialect::Effect)
    }

    /// A value whose texts are templates of the view language.
    pub fn view_value(&mut self, any: &Any) -> Value {
        self.value_in(any, Dialect::View)
    }

    fn value_in(&mut self, any: &Any, dialect: Dialect) -> Value {
        match &any.kind {
            AnyKind::Text(text) => {
                let code = if dialect == Dialect::View {
                    self.view(&text.text)
                } else {
                    self.effect(&text.text)
                };
                match code {
                    Code_::Literal(text) => Value::Text(text),
                    Code_::Template(id) => Value::Template(id),
                }
            }
            // Depth is bounded by the parser and by what aliases may stand for.
            AnyKind::List(items) => Value::List(items.iter().map(|i| self.value_in(i, dialect)).collect()),
            AnyKind::Map(entries) => Value::Map(
                entries
                    .iter()
                    .map(|e| (e.name.text.clone(), self.value_in(&e.value, dialect)))
                    .collect(),
            ),
            scalar => literal_scalar(scalar),
        }
    }

    /// The entries of a mapping of values.
    pub fn values(&mut self, field: &Option<Field<Map<Any>>>) -> Vec<(SmolStr, Value)> {
        let entries = field.iter().flat_map(|f| f.value.entries.iter());
        entries.map(|e| (e.name.text.clone(), self.value(&e.value))).collect()
    }

    /// The same in the view language.
    pub fn view_values(&mut self, field: &Option<Field<Map<Any>>>) -> Vec<(SmolStr, Value)> {
        let entries = field.iter().flat_map(|f| f.value.entries.iter());
        entries
            .map(|e| (e.name.text.clone(), self.view_value(&e.value)))
            .collect()
    }
}

/// A value in which nothing is rendered: defaults, documentation.
pub(super) fn literal(any: &Any) -> Value {
    match &any.kind {
        AnyKind::Text(text) => Value::Text(text.text.clone()),
        AnyKind::List(items) => Value::List(items.iter().map(literal).collect()),
        AnyKind::Map(entries) => Value::Map(
            entries
                .iter()
                .map(|e| (e.name.text.clone(), literal(&e.value)))
                .collect(),
        ),
        scalar => literal_scalar(scalar),
    }
}

/// The entries of a mapping in which nothing is rendered.
pub(super) fn literals(field: &Option<Field<Map<Any>>>) -> Vec<(SmolStr, Value)> {
    let entries = field.iter().flat_map(|f| f.value.entries.iter());
    entries.map(|e| (e.name.text.clone(), literal(&e.value))).collect()
}

fn literal_scalar(kind: &AnyKind) -> Value {
    match kind {
        AnyKind::Bool(b) => Value::Bool(*b),
        AnyKind::Int(n) => Value::Int(*n),
        AnyKind::Uint(n) => Value::Uint(*n),
        AnyKind::Float(n) => Value::Float(*n),
        _ => Value::Null,
    }
}

/// One expression in braces, as `language` 6.2 tells it from a text with braces.
fn is_sole(text: &str) -> bool {
    let inner = text.trim().strip_prefix("{{").and_then(|t| t.strip_suffix("}}"));
    inner.is_some_and(|inner| {
        let word = inner.trim().split(' ').next().unwrap_or_default();
        !inner.contains("{{") && !inner.contains("}}") && !["if", "else", "end", "range"].contains(&word)
    })
}

#[cfg(test)]
mod tests {
    use super::is_sole;

    #[test]
    fn a_sole_expression_is_one_pair_of_braces_around_no_block() {
        assert!(is_sole(" {{ world.a + 1 }} "));
        assert!(!is_sole("{{ world.a }} {{ world.b }}"));
        assert!(!is_sole("{{ if world.a }}"));
        assert!(!is_sole("n={{ world.a }}"));
        assert!(is_sole("{{ iffy }}"));
    }
}
