//! The files that a template names, loaded before it runs: as in the reference, a missing one is found when the template is read.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::super::limits::MAX_INCLUDES;
use super::parser::parse;
use super::tree::{StaticFile, Template};
use super::{LoadedTemplate, TemplateLoader};
use crate::{ErrorClass, ExprError};

/// A template with its files.
pub(crate) struct Linked {
    pub(crate) template: Arc<Template>,
    /// One for each of the template's files.
    pub(crate) files: Vec<LinkedFile>,
}

pub(crate) enum LinkedFile {
    Template(Rc<Linked>),
    Plain(Arc<str>),
    Missing,
}

/// Loads and parses files, each once.
pub(crate) struct Linker<'l> {
    loader: Option<&'l dyn TemplateLoader>,
    known: FxHashMap<SmolStr, Rc<Linked>>,
    /// Names of the files that are being linked: one that comes up again names itself.
    open: Vec<SmolStr>,
}

impl<'l> Linker<'l> {
    pub(crate) fn new(loader: Option<&'l dyn TemplateLoader>) -> Self {
        Self {
            loader,
            known: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    /// The template with everything that it names by a literal.
    pub(crate) fn link(&mut self, template: &Arc<Template>) -> Result<Rc<Linked>, ExprError> {
        let mut files = Vec::with_capacity(template.files.len());
        for file in template.files.iter().take(template.files_before_error) {
            files.push(self.file(template, file)?);
        }
        if let Some(error) = template.errors.first() {
            return Err(error.clone());
        }
        Ok(Rc::new(Linked {
            template: Arc::clone(template),
            files,
        }))
    }

    fn file(&mut self, template: &Template, file: &StaticFile) -> Result<LinkedFile, ExprError> {
        let Some(loaded) = self.load(&file.name.text, template) else {
            if file.optional {
                return Ok(LinkedFile::Missing);
            }
            return Err(template.placed(missing(file)));
        };
        if file.plain {
            return Ok(LinkedFile::Plain(loaded.text));
        }
        let linked = self.linked(loaded).map_err(|error| match error {
            Some(error) => error,
            None => {
                let message = format!("`{}` includes itself", file.name.text);
                template.placed(ExprError::compile(ErrorClass::File, file.name.range, message))
            }
        })?;
        for wanted in &file.wanted {
            if !linked.template.exported.contains_key(&wanted.text) {
                let message = format!("`{}` exports no macro called `{}`", file.name.text, wanted.text);
                return Err(template.placed(ExprError::compile(ErrorClass::Parse, wanted.range, message)));
            }
        }
        Ok(LinkedFile::Template(linked))
    }

    fn load(&self, name: &str, from: &Template) -> Option<LoadedTemplate> {
        self.loader?.load(name, from.file.as_deref())
    }

    /// A loaded file, linked; no error at all means that it names itself.
    fn linked(&mut self, loaded: LoadedTemplate) -> Result<Rc<Linked>, Option<ExprError>> {
        if let Some(known) = self.known.get(&loaded.name) {
            return Ok(Rc::clone(known));
        }
        if self.open.contains(&loaded.name) || self.open.len() >= MAX_INCLUDES {
            return Err(None);
        }
        let name = loaded.name.clone();
        let template = Arc::new(parse(&loaded.text, Some(loaded.name), loaded.coalesce));
        self.open.push(name.clone());
        let linked = self.link(&template);
        self.open.pop();
        let linked = linked.map_err(Some)?;
        self.known.insert(name, Rc::clone(&linked));
        Ok(linked)
    }

    /// A file whose name was computed; `None` when there is none.
    pub(crate) fn computed(&mut self, name: &str, from: &Template) -> Result<Option<Rc<Linked>>, ExprError> {
        let Some(loaded) = self.load(name, from) else {
            return Ok(None);
        };
        match self.linked(loaded) {
            Ok(linked) => Ok(Some(linked)),
            Err(Some(error)) => Err(error),
            Err(None) => Ok(None),
        }
    }
}

fn missing(file: &StaticFile) -> ExprError {
    ExprError::compile(
        ErrorClass::File,
        file.name.range,
        format!("there is no template file `{}`", file.name.text),
    )
}
