//! Runs a pongo template (language 10.4 to 10.8).

mod call;
mod context;
mod evaluate;
mod iterate;
mod lorem;
mod nodes;
mod path;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use text_size::TextRange;

use super::super::limits::{MAX_OUTPUT, MAX_RUN_DEPTH, MAX_STEPS, MAX_WORK};
use super::link::{Linked, LinkedFile, Linker};
use super::tree::{BodyId, Template};
use super::value::P;
use crate::eval::{Fault, text};
use crate::{Env, ErrorClass, ExprError};
pub(crate) use call::{BlockInfo, MacroRef};
use context::{Context, Public};
pub(crate) use nodes::CycleValue;

type Step = Result<(), ExprError>;
type Evaluated = Result<P, ExprError>;

/// Output while it is made: loops over texts print single bytes.
type Out = Vec<u8>;

/// A template where it stands: the same file included twice keeps two states.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) linked: Rc<Linked>,
    instance: u32,
}

impl Frame {
    pub(crate) fn template(&self) -> &Template {
        &self.linked.template
    }

    /// An error of running, at its place in the author's text.
    fn error(&self, class: ErrorClass, range: TextRange, message: impl Into<String>) -> ExprError {
        self.template().placed(ExprError::run(class, range, message))
    }

    fn fault(&self, range: TextRange, fault: Fault) -> ExprError {
        self.error(fault.class, range, fault.message)
    }
}

/// A node of a template, as the key of its state.
type NodeKey = (u32, BodyId, usize);

/// What a node remembers from one time to the next.
#[derive(Default)]
struct NodeState {
    /// How often a `cycle` was shown.
    turns: usize,
    /// What an `ifchanged` saw.
    values: Vec<P>,
    content: Option<Out>,
}

pub(super) struct Runner<'a> {
    env: &'a Env,
    linker: Linker<'a>,
    contexts: Vec<Context>,
    states: FxHashMap<NodeKey, NodeState>,
    instances: FxHashMap<(u32, usize), u32>,
    steps: u32,
    depth: u32,
    /// Bytes of text made so far, shown or not.
    work: usize,
}

/// Renders a linked template.
pub(super) fn render(linked: &Rc<Linked>, env: &Env, linker: Linker<'_>) -> Result<String, ExprError> {
    let mut runner = Runner {
        env,
        linker,
        contexts: Vec::new(),
        states: FxHashMap::default(),
        instances: FxHashMap::default(),
        steps: 0,
        depth: 0,
        work: 0,
    };
    let mut out = Out::new();
    let frame = Frame {
        linked: Rc::clone(linked),
        instance: 0,
    };
    runner.template(&frame, Public::Roots, &mut out)?;
    Ok(match String::from_utf8(out) {
        Ok(text) => text,
        Err(error) => text::from_bytes(error.as_bytes()).to_string(),
    })
}

impl Runner<'_> {
    /// Runs a template in a context of its own.
    fn template(&mut self, frame: &Frame, public: Public, out: &mut Out) -> Step {
        let mut chain = vec![frame.clone()];
        while let Some(parent) = chain.last().and_then(|child| self.parent(child)) {
            if chain.len() > crate::template::limits::MAX_INCLUDES {
                break;
            }
            chain.push(parent);
        }
        for name in frame.template().exported.keys() {
            if public.has(self.env, name) {
                let range = frame
                    .template()
                    .exported
                    .get(name)
                    .and_then(|index| frame.template().macros.get(*index));
                let range = range.map(|found| found.name.range).unwrap_or_default();
                let message = format!("the exported macro `{name}` is called like a root");
                return Err(frame.error(ErrorClass::Clash, range, message));
            }
        }
        chain.reverse();
        let Some(root) = chain.first().cloned() else {
            return Ok(());
        };
        let context = self.push_context(Context::new(public, Rc::new(chain)));
        let done = self.body(&root, root.template().root, context, out);
        self.pop_context(context);
        done
    }

    fn parent(&mut self, child: &Frame) -> Option<Frame> {
        let file = child.template().parent?;
        match child.linked.files.get(file)? {
            LinkedFile::Template(linked) => Some(Frame {
                linked: Rc::clone(linked),
                instance: self.instance(child.instance, file),
            }),
            _ => None,
        }
    }

    /// The number of a file at a place.
    fn instance(&mut self, from: u32, file: usize) -> u32 {
        let next = u32::try_from(self.instances.len() + 1).unwrap_or(u32::MAX);
        *self.instances.entry((from, file)).or_insert(next)
    }

    /// Counts one node: templates must end.
    fn step(&mut self, frame: &Frame, range: TextRange, made: usize) -> Step {
        self.steps += 1;
        self.work = self.work.saturating_add(made);
        if self.steps > MAX_STEPS || self.work > MAX_WORK {
            return Err(frame.error(ErrorClass::Budget, range, "the template does not come to an end"));
        }
        Ok(())
    }

    /// Goes one level deeper.
    fn enter(&mut self, frame: &Frame, range: TextRange) -> Step {
        if self.depth >= MAX_RUN_DEPTH {
            return Err(frame.error(
                ErrorClass::Budget,
                range,
                "templates are nested too deeply, or call themselves",
            ));
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Prints a value.
    fn print(&mut self, frame: &Frame, range: TextRange, value: &P, out: &mut Out) -> Step {
        if let super::value::Pv::Byte(byte) = value.v {
            out.push(byte);
            return Ok(());
        }
        let text = value.text();
        self.step(frame, range, text.len())?;
        out.extend_from_slice(text.as_bytes());
        if out.len() > MAX_OUTPUT {
            return Err(frame.error(ErrorClass::Budget, range, "the template makes too much text"));
        }
        Ok(())
    }
}
