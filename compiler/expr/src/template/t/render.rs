//! Rendering of brace templates.

use super::super::limits::{MAX_OUTPUT, MAX_STEPS};
use super::parse::placed;
use super::tree::{Condition, Interpolation, Node, Rendered, TemplateT};
use crate::eval::describe;
use crate::print;
use crate::value::{ListKind, Value};
use crate::{Env, ErrorClass, ExprError};

impl TemplateT {
    /// Renders in a value position: a sole expression keeps its type.
    ///
    /// # Errors
    /// Stage `Compile` when an expression that rendering reaches does not compile, stage `Run` when it fails.
    pub fn render(&self, env: &Env) -> Result<Rendered, ExprError> {
        match &self.sole {
            Some(sole) => sole.eval(env).map(Rendered::Value),
            None => self.render_text(env).map(Rendered::Text),
        }
    }

    /// Renders as text, also when the template is one expression (the position of `emit_intent`).
    ///
    /// # Errors
    /// As [`TemplateT::render`].
    pub fn render_text(&self, env: &Env) -> Result<String, ExprError> {
        if self.is_literal() {
            return Ok(self.text.to_string());
        }
        if let Some(error) = self.structure.first() {
            return Err(error.clone());
        }
        let mut renderer = Renderer {
            template: self,
            out: String::new(),
            steps: 0,
        };
        renderer.nodes(&self.body, env)?;
        Ok(renderer.out)
    }
}

impl Interpolation {
    fn eval(&self, env: &Env) -> Result<Value, ExprError> {
        match &self.program {
            Ok(program) => program.eval(env).map_err(|error| placed(error, &self.remap)),
            Err(error) => Err(error.clone()),
        }
    }

    fn whole(&self) -> text_size::TextRange {
        let length = text_size::TextSize::of(self.remap.text());
        self.remap.source(text_size::TextRange::up_to(length))
    }
}

impl Condition {
    fn holds(&self, env: &Env) -> Result<bool, ExprError> {
        if self.truthy {
            return self.interpolation.eval(env).map(|value| truthy(&value));
        }
        match &self.interpolation.program {
            Ok(program) => program
                .eval_guard(env)
                .map_err(|error| placed(error, &self.interpolation.remap)),
            Err(error) => Err(error.clone()),
        }
    }
}

/// The truth of a value that is no bool for certain: nil, zero and the empty text are false, everything else is true.
fn truthy(value: &Value) -> bool {
    match value {
        Value::Nil => false,
        Value::Bool(value) => *value,
        Value::Int(value) => *value != 0,
        Value::Float(value) => *value != 0.0,
        Value::Str(text) => !text.is_empty(),
        _ => true,
    }
}

struct Renderer<'a> {
    template: &'a TemplateT,
    out: String,
    steps: u32,
}

impl Renderer<'_> {
    /// The nodes of a body. The depth of blocks is bounded by the parser.
    fn nodes(&mut self, nodes: &[Node], env: &Env) -> Result<(), ExprError> {
        for node in nodes {
            self.step(node)?;
            match node {
                Node::Text(range) => {
                    let text = self.template.slice(*range);
                    self.out.push_str(text);
                }
                Node::Expression(interpolation) => {
                    let value = interpolation.eval(env)?;
                    let Some(text) = print::interpolated(&value) else {
                        let message = format!("{} has no text", describe(&value));
                        return Err(ExprError::run(ErrorClass::Type, interpolation.whole(), message));
                    };
                    self.out.push_str(&text);
                }
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let branch = if condition.holds(env)? { then } else { otherwise };
                    self.nodes(branch, env)?;
                }
                Node::Range { list, body } => {
                    for item in elements(list, env)? {
                        let env = Env { item, ..env.clone() };
                        self.nodes(body, &env)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Loops inside loops end here.
    fn step(&mut self, node: &Node) -> Result<(), ExprError> {
        self.steps += 1;
        if self.steps <= MAX_STEPS && self.out.len() <= MAX_OUTPUT {
            return Ok(());
        }
        let range = match node {
            Node::Text(range) => *range,
            Node::Expression(interpolation) => interpolation.whole(),
            Node::Range { list, .. } => list.whole(),
            Node::If { condition, .. } => condition.interpolation.whole(),
        };
        Err(ExprError::run(
            ErrorClass::Budget,
            range,
            "the template does not come to an end",
        ))
    }
}

fn elements(list: &Interpolation, env: &Env) -> Result<Vec<Value>, ExprError> {
    match list.eval(env)? {
        Value::Nil => Ok(Vec::new()),
        Value::List(list) if !matches!(list.kind(), ListKind::Ints | ListKind::Bytes) => Ok(list.items().to_vec()),
        other => {
            let found = match &other {
                Value::List(_) => "a range of numbers",
                other => describe(other),
            };
            let message = format!("`range` repeats its body over a list, not over {found}");
            Err(ExprError::run(ErrorClass::Range, list.whole(), message))
        }
    }
}
