//! Templates: T (braces in value positions) and P (the pongo dialect of views and prompts).

use std::sync::Arc;

use smol_str::SmolStr;

use crate::{Env, ExprError, LiteralComparison, Reference, Value};

/// What a T template yields.
#[derive(Debug, Clone, PartialEq)]
pub enum Rendered {
    /// The template is one expression: its value keeps its type.
    Value(Value),
    /// Anything else: text.
    Text(String),
}

/// A parsed T template.
#[derive(Debug, Clone, PartialEq)]
pub struct TemplateT {}

impl TemplateT {
    /// Renders in a value position: a sole expression keeps its type.
    ///
    /// # Errors
    /// Stage `Compile` when an expression that rendering reaches does not compile, stage `Run` when it fails.
    pub fn render(&self, _env: &Env) -> Result<Rendered, ExprError> {
        Ok(Rendered::Text(String::new()))
    }

    /// Renders as text, also when the template is one expression (the position of `emit_intent`).
    ///
    /// # Errors
    /// As [`TemplateT::render`].
    pub fn render_text(&self, _env: &Env) -> Result<String, ExprError> {
        Ok(String::new())
    }

    /// True when there is nothing to evaluate: the text stands for itself.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        true
    }

    /// Every name that the template uses, in text order.
    #[must_use]
    pub fn references(&self) -> Vec<Reference> {
        Vec::new()
    }

    /// Every comparison of a chain with literals, in text order.
    #[must_use]
    pub fn literal_comparisons(&self) -> Vec<LiteralComparison> {
        Vec::new()
    }
}

/// Parses a T template. The errors are those of the block structure and of reading the expressions.
#[must_use]
pub fn parse_t(_text: &str) -> (TemplateT, Vec<ExprError>) {
    (TemplateT {}, Vec::new())
}

/// What the reference's load check makes of a T text: stricter than rendering (language 8.6 of the expression chapter). Empty = accepted.
#[must_use]
pub fn check_t_load(_text: &str) -> Vec<ExprError> {
    Vec::new()
}

/// A template file.
#[derive(Debug, Clone)]
pub struct LoadedTemplate {
    /// The name under which errors of the file are reported, and from which relative names may be resolved.
    pub name: SmolStr,
    /// Its text.
    pub text: Arc<str>,
    /// Whether `a ?? b` means `a|default:b` in it (prompts: yes, files of views: no).
    pub coalesce: bool,
}

/// Where `include`, `extends` and `import` of P templates find files. It does the looking up and the confinement.
pub trait TemplateLoader {
    /// The file of a name as the template writes it; `from` is the file that names it, `None` for the text itself.
    fn load(&self, name: &str, from: Option<&str>) -> Option<LoadedTemplate>;
}

/// A parsed P template.
#[derive(Debug, Clone, PartialEq)]
pub struct TemplateP {}

impl TemplateP {
    /// Renders. Files come only through the loader; without one every file is missing.
    ///
    /// # Errors
    /// Stage `Compile` when the template or a file of it does not parse, stage `Run` when rendering fails.
    pub fn render(&self, _env: &Env, _loader: Option<&dyn TemplateLoader>) -> Result<String, ExprError> {
        Ok(String::new())
    }

    /// True when there is nothing to evaluate: the text stands for itself.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        true
    }

    /// Every name that the template uses, in text order: roots, calls, filters, tags, blocks, files, locals.
    #[must_use]
    pub fn references(&self) -> Vec<Reference> {
        Vec::new()
    }

    /// Every comparison of a chain with literals, in text order.
    #[must_use]
    pub fn literal_comparisons(&self) -> Vec<LiteralComparison> {
        Vec::new()
    }
}

/// Parses a P text of a view, a `say`, a target or a prompt: `a ?? b` means `a|default:b`.
#[must_use]
pub fn parse_p(_text: &str) -> (TemplateP, Vec<ExprError>) {
    (TemplateP {}, Vec::new())
}

/// Parses a P file of the views folder: `??` is an error there.
#[must_use]
pub fn parse_p_file(_text: &str) -> (TemplateP, Vec<ExprError>) {
    (TemplateP {}, Vec::new())
}
