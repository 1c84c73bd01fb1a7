//! The pongo dialect of views and prompts (P).

use std::sync::Arc;

use smol_str::SmolStr;

use crate::{Env, ExprError, LiteralComparison, Reference};

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
