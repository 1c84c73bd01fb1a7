//! Statements.

use super::call::slots;
use super::iterate::not_iterable;
use super::machine::{Frame, Machine};
use super::meter;
use super::value::Value;
use crate::fault::{Class, Fault, Res};
use crate::language::ast::{Expr, File, Layout, Place, Stmt};

/// How a statement ended.
pub(crate) enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

impl Machine {
    /// Runs the top level of a resolved file.
    pub(crate) fn run_file(&mut self, file: &File) -> Res<()> {
        let empty = Layout::default();
        let layout = file.layout.get().unwrap_or(&empty);
        self.global_names = file.globals.get().cloned().unwrap_or_default();
        self.globals = vec![None; self.global_names.len()];
        let mut frame = Frame {
            slots: slots(layout, Vec::new())?,
            free: &[],
        };
        self.run_block(&mut frame, &file.statements)?;
        Ok(())
    }

    /// A global of the file by its name.
    pub(crate) fn global(&self, name: &str) -> Option<Value> {
        let i = self.global_names.iter().position(|n| &**n == name)?;
        self.globals.get(i)?.clone()
    }

    pub(super) fn run_block(&mut self, frame: &mut Frame<'_>, statements: &[Stmt]) -> Res<Flow> {
        for statement in statements {
            match self.run_statement(frame, statement)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn run_statement(&mut self, frame: &mut Frame<'_>, statement: &Stmt) -> Res<Flow> {
        match statement {
            Stmt::Expr(Expr::Text(_)) | Stmt::Pass => {}
            Stmt::Mark(line) => {
                self.reached.insert(*line);
            }
            Stmt::Expr(expr) => {
                meter::steps(1)?;
                self.eval(frame, expr)?;
            }
            Stmt::Assign { target, op, at, value } => {
                meter::steps(1)?;
                match op {
                    None => {
                        let value = self.eval(frame, value)?;
                        self.assign(frame, target, value, *at)?;
                    }
                    Some(op) => {
                        meter::steps(1)?;
                        self.augment(frame, target, *op, value, *at)?;
                    }
                }
            }
            Stmt::Def { name, function } => {
                meter::steps(2)?;
                let value = self.closure(frame, function)?;
                self.define(frame, name, value);
            }
            Stmt::For {
                at,
                target,
                iterable,
                body,
            } => return self.run_for(frame, target, iterable, body, *at),
            Stmt::If { branches, otherwise } => {
                for (_, condition, body) in branches {
                    meter::steps(1)?;
                    if self.eval(frame, condition)?.truth() {
                        return self.nested(frame, body);
                    }
                }
                return self.nested(frame, otherwise);
            }
            Stmt::Return { value, .. } => {
                meter::steps(1)?;
                let value = match value {
                    Some(expr) => self.eval(frame, expr)?,
                    None => Value::None,
                };
                return Ok(Flow::Return(value));
            }
            Stmt::Break { .. } => return Ok(Flow::Break),
            Stmt::Continue { .. } => return Ok(Flow::Continue),
            // Neither passes the resolver.
            Stmt::While { at, .. } => return Err(Fault::runtime("while").or_at(*at)),
            Stmt::Load { at, .. } => {
                return Err(Fault::new(Class::Runtime, "load not implemented by this application").or_at(*at));
            }
        }
        Ok(Flow::Next)
    }

    fn nested(&mut self, frame: &mut Frame<'_>, body: &[Stmt]) -> Res<Flow> {
        self.enter()?;
        let result = self.run_block(frame, body);
        self.leave();
        result
    }

    fn run_for(
        &mut self,
        frame: &mut Frame<'_>,
        target: &Expr,
        iterable: &Expr,
        body: &[Stmt],
        at: Place,
    ) -> Res<Flow> {
        let source = self.eval(frame, iterable)?;
        let mut iter = source.iterate().ok_or_else(|| not_iterable(&source).or_at(at))?;
        while let Some(value) = iter.advance()? {
            // What the reference's interpreter spends on one round of an empty loop.
            meter::steps(6)?;
            self.assign(frame, target, value, at)?;
            match self.nested(frame, body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                Flow::Return(value) => return Ok(Flow::Return(value)),
            }
        }
        Ok(Flow::Next)
    }
}
