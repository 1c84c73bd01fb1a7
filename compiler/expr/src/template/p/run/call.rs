//! Calls of macros, and the text that a block replaces.

use std::rc::Rc;

use smol_str::SmolStr;
use text_size::TextRange;

use super::super::tree::BodyId;
use super::super::value::{P, Pv};
use super::{Evaluated, Frame, Out, Runner};
use crate::ErrorClass;

/// A macro where it was defined or imported.
pub(crate) struct MacroRef {
    pub(super) frame: Frame,
    pub(super) index: usize,
    /// The context that it sees.
    pub(super) context: usize,
}

/// The record `block` inside of a block.
pub(crate) struct BlockInfo {
    context: usize,
    /// The bodies that this one replaces, the nearest last.
    replaced: Vec<(Frame, BodyId)>,
}

impl Runner<'_> {
    pub(super) fn call_macro(
        &mut self,
        found: &MacroRef,
        arguments: Vec<P>,
        caller: &Frame,
        at: TextRange,
    ) -> Evaluated {
        let Some(definition) = found.frame.template().macros.get(found.index) else {
            return Ok(P::NIL);
        };
        let mut named: Vec<(SmolStr, P)> = Vec::with_capacity(definition.params.len());
        for (name, default) in &definition.params {
            let value = match default {
                Some(default) => self.eval(&found.frame, default, found.context)?,
                None => P::NIL,
            };
            named.push((name.text.clone(), value));
        }
        if arguments.len() > definition.params.len() {
            let message = format!(
                "the macro `{}` takes {} arguments, not {}",
                definition.name.text,
                definition.params.len(),
                arguments.len()
            );
            return Err(caller.error(ErrorClass::Args, at, message));
        }
        let context = self.child(found.context);
        for (name, value) in named {
            self.set(context, &name, value);
        }
        for ((name, _), mut value) in definition.params.iter().zip(arguments) {
            value.safe = false;
            self.set(context, &name.text, value);
        }
        let mut out = Out::new();
        let done = self.body(&found.frame, definition.body, context, &mut out);
        self.pop_context(context);
        done?;
        self.step(caller, at, out.len())?;
        Ok(P::safe_text(text(out)))
    }

    /// Runs the body that a block has in this template and those that extend it.
    pub(super) fn block(&mut self, frame: &Frame, name: &SmolStr, context: usize, out: &mut Out) -> super::Step {
        let mut bodies: Vec<(Frame, BodyId)> = Vec::new();
        for frame in self.chain(context).iter() {
            if let Some(body) = frame.template().blocks.get(name) {
                bodies.push((frame.clone(), *body));
            }
        }
        let Some((target, body)) = bodies.pop() else {
            // A macro of another file: its blocks are unknown where it is used.
            let message = format!("the block `{name}` does not exist where this macro is used");
            return Err(frame.error(ErrorClass::Panic, TextRange::default(), message));
        };
        let info = BlockInfo {
            context,
            replaced: bodies,
        };
        self.set(
            context,
            &SmolStr::new_static("block"),
            P {
                v: Pv::Block(Rc::new(info)),
                safe: false,
                own: false,
            },
        );
        self.body(&target, body, context, out)
    }

    /// `block.Super`.
    pub(super) fn super_block(&mut self, block: &Rc<BlockInfo>) -> Evaluated {
        let Some(((frame, body), rest)) = block.replaced.split_last() else {
            return Ok(P::safe_text(String::new()));
        };
        let context = self.child(block.context);
        let info = BlockInfo {
            context: block.context,
            replaced: rest.to_vec(),
        };
        self.set(
            context,
            &SmolStr::new_static("block"),
            P {
                v: Pv::Block(Rc::new(info)),
                safe: false,
                own: false,
            },
        );
        let mut out = Out::new();
        let done = self.body(frame, *body, context, &mut out);
        self.pop_context(context);
        done?;
        Ok(P::safe_text(text(out)))
    }
}

/// Output as a text.
pub(super) fn text(out: Out) -> String {
    match String::from_utf8(out) {
        Ok(text) => text,
        Err(error) => crate::eval::text::from_bytes(error.as_bytes()).to_string(),
    }
}
