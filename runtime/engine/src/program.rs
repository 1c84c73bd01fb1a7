//! A story made ready to run: names, compiled expressions and templates, view files.
//!
//! One program serves any number of sessions on any number of threads. Texts are compiled when they are first needed,
//! so that a session pays for the rooms that it visits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use kitsoki_expr::{
    Env, LoadedTemplate, Map, Mode, Program as Compiled, Rendered, TemplateLoader, TemplateP, TemplateT, Value,
    compile_expr, parse_p, parse_p_file, parse_t,
};
use kitsoki_ir::arena::Id;
use kitsoki_ir::{self as ir, ExprId, ExprKind, Names, State, StateId, Story, TemplateId, Text};
use smol_str::SmolStr;

use crate::fault::TurnError;
use crate::path;

/// Where view files come from. The engine opens none itself.
pub trait ViewFiles: Send + Sync {
    /// The text of `views/NAME` below a story's folder; `None` when there is none, or when it lies outside.
    fn read(&self, dir: &str, name: &str) -> Option<Arc<str>>;
}

/// No view files at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl ViewFiles for NoFiles {
    fn read(&self, _dir: &str, _name: &str) -> Option<Arc<str>> {
        None
    }
}

/// A story ready to run.
pub struct Program {
    /// The story.
    pub story: Arc<Story>,
    /// Its names.
    pub names: Names,
    exprs: Vec<OnceLock<Result<Compiled, String>>>,
    effect_templates: Vec<OnceLock<TemplateT>>,
    view_templates: Vec<OnceLock<TemplateP>>,
    files: Arc<dyn ViewFiles>,
    file_views: Mutex<HashMap<(SmolStr, SmolStr), Option<TemplateP>>>,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program")
            .field("story", &self.story.app.id)
            .finish_non_exhaustive()
    }
}

impl Program {
    /// Makes a story ready.
    #[must_use]
    pub fn new(story: Arc<Story>, files: Arc<dyn ViewFiles>) -> Self {
        Self {
            names: Names::new(&story),
            exprs: story.exprs.iter().map(|_| OnceLock::new()).collect(),
            effect_templates: story.templates.iter().map(|_| OnceLock::new()).collect(),
            view_templates: story.templates.iter().map(|_| OnceLock::new()).collect(),
            files,
            file_views: Mutex::default(),
            story,
        }
    }

    /// The state of a path, if the story declares one with a body.
    #[must_use]
    pub fn state(&self, path: &str) -> Option<(StateId, &State)> {
        let id = self.names.state(path)?;
        let state = self.story.states.get(id)?;
        (!state.bodiless).then_some((id, state))
    }

    /// Whether a path is a legal target: declared, with or without a body.
    #[must_use]
    pub fn declares(&self, path: &str) -> bool {
        self.names.state(path).is_some()
    }

    /// The declared states from a leaf outwards.
    pub fn chain<'a>(&'a self, leaf: &'a str) -> impl Iterator<Item = (StateId, &'a State)> + 'a {
        path::outwards(leaf).filter_map(|p| self.state(p))
    }

    /// The state that a path rests in: the leaf, or the root of a parallel one.
    #[must_use]
    pub fn resting(&self, at: &str) -> Option<&State> {
        self.state(path::structural(at)).map(|(_, s)| s)
    }

    /// Evaluates a guard.
    ///
    /// # Errors
    /// When it does not compile, fails, or yields something else than a truth value.
    pub fn guard(&self, id: ExprId, env: &Env) -> Result<bool, TurnError> {
        self.compiled(id)?
            .eval_guard(env)
            .map_err(|e| self.expression_error(id, &e.message))
    }

    /// Evaluates an expression of any kind.
    ///
    /// # Errors
    /// As [`Program::guard`], without the condition on the kind.
    pub fn eval(&self, id: ExprId, env: &Env) -> Result<Value, TurnError> {
        self.compiled(id)?
            .eval(env)
            .map_err(|e| self.expression_error(id, &e.message))
    }

    /// Whether an expression compiles: views tell a text that never can from a value that does not fit.
    pub(crate) fn compiled(&self, id: ExprId) -> Result<&Compiled, TurnError> {
        let missing = || TurnError::new("the story refers to an expression that it does not have");
        let slot = self.exprs.get(id.index()).ok_or_else(missing)?;
        let source = self.story.exprs.get(id).ok_or_else(missing)?;
        let compiled = slot.get_or_init(|| {
            let mode = match source.kind {
                ExprKind::Bool => Mode::Guard,
                ExprKind::Any => Mode::Value,
            };
            compile_expr(&source.text, mode)
                .map_err(|errors| errors.first().map_or_else(String::new, |e| e.message.clone()))
        });
        compiled.as_ref().map_err(|message| self.expression_error(id, message))
    }

    fn expression_error(&self, id: ExprId, message: &str) -> TurnError {
        let text = self.story.exprs.get(id).map_or("", |e| e.text.as_str());
        TurnError::new(format!("`{text}`: {message}"))
    }

    fn template_error(&self, id: TemplateId, error: &kitsoki_expr::ExprError) -> TurnError {
        let text = self.story.templates.get(id).map_or("", |t| t.text.as_str());
        let text: String = text.chars().take(200).collect();
        TurnError::new(format!("template `{text}`: {}", error.message))
    }

    fn effect_template(&self, id: TemplateId) -> Option<&TemplateT> {
        let source = self.story.templates.get(id)?;
        Some(
            self.effect_templates
                .get(id.index())?
                .get_or_init(|| parse_t(&source.text).0),
        )
    }

    fn view_template(&self, id: TemplateId) -> Option<&TemplateP> {
        let source = self.story.templates.get(id)?;
        Some(
            self.view_templates
                .get(id.index())?
                .get_or_init(|| parse_p(&source.text).0),
        )
    }

    /// Renders a template of the effect language where values stand: a sole expression keeps its type.
    ///
    /// # Errors
    /// When an expression that rendering reaches does not compile or fails.
    pub fn value_template(&self, id: TemplateId, env: &Env) -> Result<Value, TurnError> {
        let Some(template) = self.effect_template(id) else {
            return Ok(Value::Nil);
        };
        match template.render(env).map_err(|e| self.template_error(id, &e))? {
            Rendered::Value(value) => Ok(value),
            Rendered::Text(text) => Ok(Value::from(text)),
        }
    }

    /// Renders a template of the effect language as text.
    ///
    /// # Errors
    /// As [`Program::value_template`].
    pub fn effect_text(&self, text: &Text, env: &Env) -> Result<String, TurnError> {
        match text {
            Text::Literal(text) => Ok(text.to_string()),
            Text::Template(id) => self.template_as_effect_text(*id, env),
        }
    }

    pub(crate) fn template_as_effect_text(&self, id: TemplateId, env: &Env) -> Result<String, TurnError> {
        let Some(template) = self.effect_template(id) else {
            return Ok(String::new());
        };
        template.render_text(env).map_err(|e| self.template_error(id, &e))
    }

    /// Renders a text of the view language without files: `say`, targets, `initial`.
    ///
    /// # Errors
    /// When it does not parse or fails.
    pub fn plain_text(&self, text: &Text, env: &Env) -> Result<String, TurnError> {
        match text {
            Text::Literal(text) => Ok(text.to_string()),
            Text::Template(id) => self.template_as_plain_text(*id, env),
        }
    }

    pub(crate) fn template_as_plain_text(&self, id: TemplateId, env: &Env) -> Result<String, TurnError> {
        let Some(template) = self.view_template(id) else {
            return Ok(String::new());
        };
        template.render(env, None).map_err(|e| self.template_error(id, &e))
    }

    /// Renders a text of the view language with the view files of the story that the state belongs to.
    ///
    /// # Errors
    /// As [`Program::plain_text`], and when a file is missing.
    pub fn view_text(&self, text: &Text, env: &Env, dir: &str) -> Result<String, TurnError> {
        match text {
            Text::Literal(text) => Ok(text.to_string()),
            Text::Template(id) => {
                let Some(template) = self.view_template(*id) else {
                    return Ok(String::new());
                };
                let loader = Loader { program: self, dir };
                template
                    .render(env, Some(&loader))
                    .map_err(|e| self.template_error(*id, &e))
            }
        }
    }

    /// Renders a file of the `views` folder.
    ///
    /// # Errors
    /// When it is missing, does not parse or fails.
    pub fn view_file(&self, name: &str, env: &Env, dir: &str) -> Result<String, TurnError> {
        let key = (SmolStr::from(dir), SmolStr::from(name));
        let known = {
            let views = self.file_views.lock().unwrap_or_else(PoisonError::into_inner);
            views.get(&key).cloned()
        };
        let template = match known {
            Some(template) => template,
            None => {
                let read = self.files.read(dir, name).map(|text| parse_p_file(&text).0);
                let mut views = self.file_views.lock().unwrap_or_else(PoisonError::into_inner);
                views.insert(key, read.clone());
                read
            }
        };
        let Some(template) = template else {
            return Err(TurnError::new(format!(
                "no view file `{name}` in the folder `views` of the story"
            )));
        };
        let loader = Loader { program: self, dir };
        template
            .render_file(env, Some(&loader))
            .map_err(|e| TurnError::new(format!("view file `{name}`: {}", e.message)))
    }

    /// Renders a base template with block bodies; the bodies are data and never read as templates.
    ///
    /// # Errors
    /// As [`Program::view_file`].
    pub(crate) fn extended(
        &self,
        base: &str,
        blocks: &[(SmolStr, String)],
        env: &Env,
        dir: &str,
    ) -> Result<String, TurnError> {
        let base = crate::view::base_name(base);
        if base.contains(['"', '\\', '\n']) {
            return Err(TurnError::new(format!(
                "no view file `{base}` in the folder `views` of the story"
            )));
        }
        let mut text = format!("{{% extends \"{base}\" %}}");
        let mut env = env.clone();
        for (name, body) in blocks {
            text.push_str(&format!(
                "{{% block {name} %}}{{{{ _block_{name}|safe }}}}{{% endblock %}}"
            ));
            env.extra.insert(format!("_block_{name}"), Value::text(body));
        }
        self.inline(&text, &env, dir)
            .map_err(|e| e.at(format_args!("view file `{base}`")))
    }

    /// Renders a text that is made at run time.
    pub(crate) fn inline(&self, text: &str, env: &Env, dir: &str) -> Result<String, TurnError> {
        let loader = Loader { program: self, dir };
        let (template, _) = parse_p(text);
        template
            .render(env, Some(&loader))
            .map_err(|e| TurnError::new(e.message))
    }

    /// The folder whose `views` serve a state: that of the import whose alias is its first segment, else the story's.
    #[must_use]
    pub fn view_dir(&self, at: &str) -> &str {
        let top = path::top(at);
        let wrapper = self.story.wrappers.iter().find(|w| w.alias == top);
        wrapper.map_or(self.story.dir.as_str(), |w| w.dir.as_str())
    }

    /// Resolves a value with templates inside: into lists and the values of maps, never into keys.
    ///
    /// # Errors
    /// When a template fails.
    pub fn value(&self, value: &ir::Value, env: &Env) -> Result<Value, TurnError> {
        Ok(match value {
            ir::Value::Template(id) => self.value_template(*id, env)?,
            ir::Value::List(items) => Value::list(
                items
                    .iter()
                    .map(|item| self.value(item, env))
                    .collect::<Result<_, _>>()?,
            ),
            ir::Value::Map(entries) => Value::Map(self.pairs(entries, env)?),
            literal => crate::value::literal(literal),
        })
    }

    /// Resolves a list of named values.
    ///
    /// # Errors
    /// When a template fails.
    pub fn pairs(&self, entries: &[(SmolStr, ir::Value)], env: &Env) -> Result<Map, TurnError> {
        let mut map = Map::new();
        for (name, value) in entries {
            map.insert(name.clone(), self.value(value, env)?);
        }
        Ok(map)
    }

    /// The text of a template, as the author wrote it.
    #[must_use]
    pub fn source(&self, id: TemplateId) -> &str {
        self.story.templates.get(id).map_or("", |t| t.text.as_str())
    }

    /// The written form of a text.
    #[must_use]
    pub fn raw<'a>(&'a self, text: &'a Text) -> &'a str {
        match text {
            Text::Literal(text) => text,
            Text::Template(id) => self.source(*id),
        }
    }
}

/// View files of one story, for `include` and `extends`.
struct Loader<'a> {
    program: &'a Program,
    dir: &'a str,
}

impl TemplateLoader for Loader<'_> {
    fn load(&self, name: &str, _from: Option<&str>) -> Option<LoadedTemplate> {
        let text = self.program.files.read(self.dir, name)?;
        Some(LoadedTemplate {
            name: SmolStr::from(name),
            text,
            coalesce: false,
        })
    }
}
