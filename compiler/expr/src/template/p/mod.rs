//! The pongo dialect of views and prompts (P; language 10 of the expression chapter).

mod coalesce;
pub(crate) mod lexer;
mod link;
mod parser;
mod references;
mod run;
pub(crate) mod tree;
pub(crate) mod value;

use std::sync::Arc;

use smol_str::SmolStr;

use crate::{Env, ExprError};
use link::Linker;
use tree::Template;

use super::has_delimiters;

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

/// A parsed P template. Copying it is cheap.
#[derive(Debug, Clone)]
pub struct TemplateP {
    pub(crate) template: Arc<Template>,
}

impl PartialEq for TemplateP {
    fn eq(&self, other: &Self) -> bool {
        self.template.source == other.template.source && self.template.remap == other.template.remap
    }
}

impl TemplateP {
    /// The text that was parsed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.template.source
    }

    /// Renders. Files come only through the loader; without one every file is missing.
    ///
    /// # Errors
    /// Stage `Compile` when the template or a file of it does not parse, stage `Run` when rendering fails.
    pub fn render(&self, env: &Env, loader: Option<&dyn TemplateLoader>) -> Result<String, ExprError> {
        if self.is_literal() {
            return Ok(self.template.source.to_string());
        }
        self.render_file(env, loader)
    }

    /// Renders the template as a file: a text without delimiters may still hold `{# #}` comments then.
    ///
    /// # Errors
    /// As [`TemplateP::render`].
    pub fn render_file(&self, env: &Env, loader: Option<&dyn TemplateLoader>) -> Result<String, ExprError> {
        let mut linker = Linker::new(loader);
        let linked = linker.link(&self.template)?;
        run::render(&linked, env, linker)
    }

    /// Checks that all files that the template names by a literal are there and parse, without rendering.
    ///
    /// # Errors
    /// The first that is missing or does not parse; the template's own first error.
    pub fn link(&self, loader: Option<&dyn TemplateLoader>) -> Result<(), ExprError> {
        if self.is_literal() {
            Ok(())
        } else {
            Linker::new(loader).link(&self.template).map(|_| ())
        }
    }

    /// True when there is nothing to evaluate: the text stands for itself.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        !has_delimiters(&self.template.source)
    }
}

/// Parses a P text of a view, a `say`, a target or a prompt: `a ?? b` means `a|default:b`.
#[must_use]
pub fn parse_p(text: &str) -> (TemplateP, Vec<ExprError>) {
    parsed(text, true)
}

/// Parses a P file of the views folder: `??` is an error there.
#[must_use]
pub fn parse_p_file(text: &str) -> (TemplateP, Vec<ExprError>) {
    parsed(text, false)
}

fn parsed(text: &str, coalesce: bool) -> (TemplateP, Vec<ExprError>) {
    let template = Arc::new(parser::parse(&Arc::from(text), None, coalesce));
    let errors = if has_delimiters(text) {
        template.errors.clone()
    } else {
        Vec::new()
    };
    (TemplateP { template }, errors)
}
