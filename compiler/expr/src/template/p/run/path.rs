//! Paths: `world.a.b`, `list.0`, `map["key"]`, calls inside of them (language 10.4).

use std::rc::Rc;

use smol_str::SmolStr;
use text_size::TextRange;

use super::super::tree::{Part, PartKind, Pe};
use super::super::value::{LoopInfo, P, Pv};
use super::{Evaluated, Frame, Runner};
use crate::value::{ListKind, Native, Value};
use crate::{ErrorClass, ExprError};

/// What a step comes to.
enum Found {
    /// Nothing: the whole path is nil.
    Nothing,
    Value(P),
    /// A method of the value, which is called at once.
    Method(Method),
}

#[derive(Clone, Copy)]
enum Method {
    /// The JSON text of a list or map, the text of a cycle.
    Text,
    /// The text that a block replaces.
    Super,
}

impl Runner<'_> {
    pub(super) fn path(&mut self, frame: &Frame, range: TextRange, parts: &[Part], context: usize) -> Evaluated {
        // The reference cannot name a path with a subscript in a message: every error of it is a panic there.
        let unnameable = parts.iter().any(|part| matches!(part.kind, PartKind::Subscript(_)));
        let error = |class: ErrorClass, at: TextRange, message: String| {
            frame.error(if unnameable { ErrorClass::Panic } else { class }, at, message)
        };
        let mut parts = parts.iter();
        let Some(first) = parts.next() else { return Ok(P::NIL) };
        let PartKind::Name(root) = &first.kind else {
            return Ok(P::NIL);
        };
        let Some(mut current) = self.lookup(context, root).filter(|value| !value.is_nil()) else {
            return Ok(P::NIL);
        };
        current = self.called(frame, current, first, context, &error)?;
        for part in parts {
            if current.is_nil() {
                return Ok(P::NIL);
            }
            let found = match &part.kind {
                PartKind::Name(name) => member(&current, name),
                PartKind::Index(index) => element(&current, *index),
                PartKind::Subscript(subscript) => self.subscript(frame, &current, subscript, context)?,
            };
            let found = found.map_err(|(class, message)| {
                let message = message.replace("{}", frame.template().slice(range));
                error(class, part.range, message)
            })?;
            current = match found {
                Found::Nothing => return Ok(P::NIL),
                Found::Value(value) => self.called(frame, value, part, context, &error)?,
                Found::Method(method) => {
                    if part.call.as_ref().is_some_and(|arguments| !arguments.is_empty()) {
                        return Err(error(
                            ErrorClass::Args,
                            part.range,
                            "this takes no arguments".to_owned(),
                        ));
                    }
                    match (method, &current.v) {
                        (Method::Super, Pv::Block(block)) => self.super_block(&Rc::clone(block))?,
                        _ => P::from(current.text().into_owned()),
                    }
                }
            };
        }
        Ok(current)
    }

    /// Calls the value when it is a function or is written as a call.
    fn called(
        &mut self,
        frame: &Frame,
        value: P,
        part: &Part,
        context: usize,
        error: &dyn Fn(ErrorClass, TextRange, String) -> ExprError,
    ) -> Evaluated {
        let arguments = part.call.as_deref().unwrap_or_default();
        match &value.v {
            Pv::Helper(helper) => {
                let [argument] = arguments else {
                    let message = format!(
                        "a view helper takes the name of an intent, not {} arguments",
                        arguments.len()
                    );
                    return Err(error(ErrorClass::Args, part.range, message));
                };
                let intent = self.eval(frame, argument, context)?;
                if !intent.is_string() {
                    let message = "a view helper takes the name of an intent as a text".to_owned();
                    return Err(error(ErrorClass::Args, argument.range, message));
                }
                Ok(self.env.ask(*helper, &intent.text()).into())
            }
            Pv::Macro(found) => {
                let found = Rc::clone(found);
                let arguments = self.eval_all(frame, arguments, context)?;
                self.call_macro(&found, arguments, frame, part.range)
            }
            _ if part.call.is_some() => Err(error(
                ErrorClass::NotCallable,
                part.range,
                "this is no function".to_owned(),
            )),
            _ => Ok(value),
        }
    }

    fn subscript(
        &mut self,
        frame: &Frame,
        base: &P,
        subscript: &Pe,
        context: usize,
    ) -> Result<Result<Found, (ErrorClass, String)>, ExprError> {
        Ok(match &base.v {
            Pv::Value(Value::Str(_) | Value::List(_)) | Pv::Byte(_) => {
                let index = self.eval(frame, subscript, context)?.integer();
                match usize::try_from(index) {
                    Ok(index) => element(base, index),
                    Err(_) => Ok(Found::Nothing),
                }
            }
            Pv::Value(Value::Map(_)) | Pv::Run(_) | Pv::Meta => {
                let key = self.eval(frame, subscript, context)?;
                match &key.v {
                    Pv::Value(Value::Nil) => Err((ErrorClass::Panic, "a map is indexed by nil".to_owned())),
                    Pv::Value(Value::Str(key)) => Ok(entry(base, key)),
                    _ => Ok(Found::Nothing),
                }
            }
            Pv::Loop(info) => {
                let name = self.eval(frame, subscript, context)?;
                Ok(loop_field(info, &name.text()))
            }
            Pv::Block(_) | Pv::Cycle(_) | Pv::Value(Value::Native(Native::Time(_))) => Ok(Found::Nothing),
            _ => Err((ErrorClass::Panic, format!("{} cannot be indexed", kind_of(base)))),
        })
    }
}

/// `.name`.
fn member(base: &P, name: &SmolStr) -> Result<Found, (ErrorClass, String)> {
    let is_text = name == "String";
    match &base.v {
        Pv::Value(Value::Map(_)) if is_text => Ok(Found::Method(Method::Text)),
        Pv::Value(Value::List(list)) if is_text && list.kind() == ListKind::Any => Ok(Found::Method(Method::Text)),
        Pv::Cycle(_) if is_text => Ok(Found::Method(Method::Text)),
        Pv::Block(_) if name == "Super" => Ok(Found::Method(Method::Super)),
        Pv::Value(Value::Map(_)) | Pv::Run(_) | Pv::Meta => Ok(entry(base, name)),
        Pv::Loop(info) => Ok(loop_field(info, name)),
        Pv::Block(_) | Pv::Cycle(_) | Pv::Value(Value::Native(Native::Time(_))) => Ok(Found::Nothing),
        _ => Err((
            ErrorClass::Access,
            format!("{} has no members, so `{{}}` cannot be read", kind_of(base)),
        )),
    }
}

fn entry(base: &P, name: &str) -> Found {
    let value = match &base.v {
        Pv::Value(Value::Map(map)) | Pv::Run(map) => map.get(name).cloned(),
        Pv::Meta if name == "version" => Some(Value::text("6.0.0")),
        _ => None,
    };
    value.map_or(Found::Nothing, |value| Found::Value(value.into()))
}

/// `.0`.
fn element(base: &P, index: usize) -> Result<Found, (ErrorClass, String)> {
    let found = match &base.v {
        Pv::Value(Value::List(list)) => list.get(index).cloned(),
        Pv::Value(Value::Str(text)) => text.as_bytes().get(index).map(|byte| Value::Uint(u64::from(*byte))),
        Pv::Byte(byte) => (index == 0).then(|| Value::Uint(u64::from(*byte))),
        _ => {
            let message = format!(
                "{} cannot be indexed by a number, so `{{}}` cannot be read",
                kind_of(base)
            );
            return Err((ErrorClass::Access, message));
        }
    };
    Ok(found.map_or(Found::Nothing, |value| Found::Value(value.into())))
}

fn loop_field(info: &Rc<LoopInfo>, name: &str) -> Found {
    let counter = info.counter0.get();
    Found::Value(match name {
        "Counter" => P::int(counter + 1),
        "Counter0" => P::int(counter),
        "Revcounter" => P::int(info.count.get() - counter),
        "Revcounter0" => P::int(info.count.get() - counter - 1),
        "First" => P::from(info.first.get()),
        "Last" => P::from(info.last.get()),
        "Parentloop" => match &info.parent {
            Some(parent) => P {
                v: Pv::Loop(Rc::clone(parent)),
                safe: false,
                own: false,
            },
            None => return Found::Nothing,
        },
        _ => return Found::Nothing,
    })
}

fn kind_of(value: &P) -> &'static str {
    match &value.v {
        Pv::Value(value) => crate::eval::describe(value),
        Pv::Byte(_) => "a text",
        Pv::Helper(_) | Pv::Macro(_) => "a function",
        _ => "this record",
    }
}
