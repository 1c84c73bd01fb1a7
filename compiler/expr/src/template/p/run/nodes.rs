//! Tags and texts of pongo templates (language 10.7).

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::LazyLock;

use regex::Regex;
use smol_str::SmolStr;
use text_size::TextRange;

use super::super::link::LinkedFile;
use super::super::tree::{BodyId, Name, Node, Pe, Target};
use super::super::value::{LoopInfo, P, Pv, equal};
use super::call::{MacroRef, text};
use super::evaluate::all_safe;
use super::{Frame, NodeKey, Out, Runner, Step, iterate, lorem};
use crate::eval::truncate;
use crate::filters::{Filter, escape};
use crate::{ErrorClass, print};

/// What a `cycle` with a name leaves behind.
pub(crate) struct CycleValue {
    frame: Frame,
    key: NodeKey,
    pub(crate) value: RefCell<P>,
}

impl Runner<'_> {
    /// Runs a body.
    pub(super) fn body(&mut self, frame: &Frame, body: BodyId, context: usize, out: &mut Out) -> Step {
        self.enter(frame, TextRange::default())?;
        let template = std::sync::Arc::clone(&frame.linked.template);
        let mut done = Ok(());
        for (index, node) in template.body(body).iter().enumerate() {
            done = self.node(frame, node, (frame.instance, body, index), context, out);
            if done.is_err() {
                break;
            }
        }
        self.leave();
        done
    }

    fn node(&mut self, frame: &Frame, node: &Node, key: NodeKey, context: usize, out: &mut Out) -> Step {
        match node {
            Node::Nothing => Ok(()),
            Node::Text(range) => {
                let text = frame.template().slice(*range);
                self.step(frame, *range, text.len())?;
                out.extend_from_slice(text.as_bytes());
                Ok(())
            }
            Node::Constant(text) => {
                out.extend_from_slice(text.as_bytes());
                Ok(())
            }
            Node::Output(expr) => self.output(frame, expr, context, out),
            Node::If { conditions, bodies } => self.if_node(frame, conditions, bodies, context, out),
            Node::For { .. } => self.for_node(frame, node, context, out),
            Node::With { pairs, body } => {
                let child = self.child(context);
                for (name, value) in pairs {
                    let value = self.eval(frame, value, context)?;
                    self.set(child, &name.text, value);
                }
                let done = self.body(frame, *body, child, out);
                self.pop_context(child);
                done
            }
            Node::Set(name, value) => {
                let value = self.eval(frame, value, context)?;
                self.set(context, &name.text, value);
                Ok(())
            }
            Node::Block(name) => self.block(frame, &name.text, context, out),
            Node::Include {
                target,
                with,
                only,
                optional,
            } => self.include(frame, target, with, (*only, *optional), context, out),
            Node::Ssi { file, parsed } => self.ssi(frame, *file, *parsed, context, out),
            Node::Import { file, macros } => {
                self.import(frame, *file, macros, context);
                Ok(())
            }
            Node::Macro(index) => {
                if let Some(definition) = frame.template().macros.get(*index) {
                    let found = MacroRef {
                        frame: frame.clone(),
                        index: *index,
                        context,
                    };
                    self.set(context, &definition.name.text, macro_value(found));
                }
                Ok(())
            }
            Node::FirstOf(args) => self.first_of(frame, args, context, out),
            Node::Cycle {
                args,
                name,
                silent,
                range,
            } => self.cycle(frame, args, (name.as_ref(), *silent), *range, key, context, out),
            Node::IfChanged {
                watched,
                body,
                otherwise,
                range,
            } => self.if_changed(frame, watched, (*body, *otherwise), *range, key, context, out),
            Node::IfEqual {
                left,
                right,
                wanted,
                body,
                otherwise,
            } => {
                let a = self.eval(frame, left, context)?;
                let b = self.eval(frame, right, context)?;
                let Some(same) = equal(&a, &b) else {
                    let range = left.range.cover(right.range);
                    return Err(frame.error(
                        ErrorClass::Panic,
                        range,
                        "two lists or two maps cannot be compared here",
                    ));
                };
                match (same == *wanted, otherwise) {
                    (true, _) => self.body(frame, *body, context, out),
                    (false, Some(otherwise)) => self.body(frame, *otherwise, context, out),
                    (false, None) => Ok(()),
                }
            }
            Node::FilterTag { body, filters, range } => self.filter_tag(frame, *body, filters, *range, context, out),
            Node::Spaceless(body) => {
                let mut inner = Out::new();
                self.body(frame, *body, context, &mut inner)?;
                let packed = spaceless(text(inner));
                self.step(frame, TextRange::default(), packed.len())?;
                out.extend_from_slice(packed.as_bytes());
                Ok(())
            }
            Node::AutoEscape { on, body } => {
                let before = self.autoescape(context);
                self.set_autoescape(context, *on);
                self.body(frame, *body, context, out)?;
                self.set_autoescape(context, before);
                Ok(())
            }
            Node::WidthRatio {
                current,
                max,
                width,
                name,
            } => {
                let current = self.eval(frame, current, context)?.float();
                let max = self.eval(frame, max, context)?.float();
                let width = self.eval(frame, width, context)?.float();
                let value = truncate((current / max * width + 0.5).ceil());
                match name {
                    Some(name) => self.set(context, &name.text, P::int(value)),
                    None => out.extend_from_slice(value.to_string().as_bytes()),
                }
                Ok(())
            }
            Node::Now { layout, fake } => {
                // The moment that the reference shows when it is asked for a made-up time.
                let time = if *fake { 1_391_625_105_000_000_000 } else { self.env.now };
                out.extend_from_slice(print::time_in_layout(time, layout).as_bytes());
                Ok(())
            }
            Node::Lorem { count, unit, range } => {
                for piece in lorem::pieces(*count, *unit) {
                    self.step(frame, *range, piece.len())?;
                    out.extend_from_slice(piece.as_bytes());
                }
                Ok(())
            }
        }
    }

    fn output(&mut self, frame: &Frame, expr: &Pe, context: usize, out: &mut Out) -> Step {
        let value = self.eval(frame, expr, context)?;
        if self.autoescape(context) && value.is_string() && !value.safe && !all_safe(expr) {
            return self.print(frame, expr.range, &P::from(escape(&value.text())), out);
        }
        self.print(frame, expr.range, &value, out)
    }

    fn if_node(&mut self, frame: &Frame, conditions: &[Pe], bodies: &[BodyId], context: usize, out: &mut Out) -> Step {
        for (index, condition) in conditions.iter().enumerate() {
            if self.eval(frame, condition, context)?.is_true() {
                return match bodies.get(index) {
                    Some(body) => self.body(frame, *body, context, out),
                    None => Ok(()),
                };
            }
        }
        match bodies.get(conditions.len()) {
            Some(otherwise) => self.body(frame, *otherwise, context, out),
            None => Ok(()),
        }
    }

    fn for_node(&mut self, frame: &Frame, node: &Node, context: usize, out: &mut Out) -> Step {
        let Node::For {
            key,
            value,
            list,
            reversed,
            sorted,
            body,
            empty,
        } = node
        else {
            return Ok(());
        };
        let child = self.child(context);
        let name = SmolStr::new_static("forloop");
        let parent = match self.lookup(child, &name) {
            Some(P {
                v: Pv::Loop(parent), ..
            }) => Some(parent),
            _ => None,
        };
        let info = Rc::new(LoopInfo {
            parent,
            ..LoopInfo::default()
        });
        info.first.set(true);
        self.set(
            child,
            &name,
            P {
                v: Pv::Loop(Rc::clone(&info)),
                safe: false,
                own: false,
            },
        );
        let done = self.rounds(
            frame,
            (key, value.as_ref()),
            list,
            (*reversed, *sorted),
            (*body, *empty),
            &info,
            child,
            out,
        );
        self.pop_context(child);
        done
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one tag")]
    fn rounds(
        &mut self,
        frame: &Frame,
        (key, value): (&Name, Option<&Name>),
        list: &Pe,
        (reversed, sorted): (bool, bool),
        (body, empty): (BodyId, Option<BodyId>),
        info: &Rc<LoopInfo>,
        context: usize,
        out: &mut Out,
    ) -> Step {
        let object = self.eval(frame, list, context)?;
        let rounds = iterate::rounds(&object, reversed, sorted).map_err(|fault| frame.fault(list.range, fault))?;
        let count = i64::try_from(rounds.len()).unwrap_or(i64::MAX);
        if let (0, Some(empty)) = (count, empty) {
            return self.body(frame, empty, context, out);
        }
        info.count.set(count);
        for (index, element, entry) in rounds {
            self.step(frame, list.range, 0)?;
            self.set(context, &key.text, element);
            if let Some(entry) = entry {
                // Without a second name the value has the empty one, which nothing can read.
                let name = value.map(|name| name.text.clone()).unwrap_or_default();
                self.set(context, &name, entry);
            }
            info.counter0.set(index);
            if index == 1 {
                info.first.set(false);
            }
            if index + 1 == count {
                info.last.set(true);
            }
            self.body(frame, body, context, out)?;
        }
        Ok(())
    }

    fn include(
        &mut self,
        frame: &Frame,
        target: &Target,
        with: &[(Name, Pe)],
        (only, optional): (bool, bool),
        context: usize,
        out: &mut Out,
    ) -> Step {
        let mut passed = Vec::with_capacity(with.len());
        for (name, value) in with {
            let value = self.eval(frame, value, context)?;
            passed.push((name.text.clone(), value));
        }
        let (linked, instance) = match target {
            Target::File(file) => match frame.linked.files.get(*file) {
                Some(LinkedFile::Template(linked)) => (Rc::clone(linked), self.instance(frame.instance, *file)),
                _ => return Ok(()),
            },
            Target::Computed(name) => {
                let value = self.eval(frame, name, context)?;
                let file = value.text();
                if file.is_empty() {
                    return Err(frame.error(ErrorClass::File, name.range, "the name of the included file is empty"));
                }
                match self.linker.computed(&file, frame.template())? {
                    // Read anew every time, so that nothing is remembered.
                    Some(linked) => (linked, self.instance(u32::MAX, self.instances.len())),
                    None if optional => return Ok(()),
                    None => {
                        let shown: String = file.chars().take(60).collect();
                        let message = format!("there is no template file `{shown}`");
                        return Err(frame.error(ErrorClass::File, name.range, message));
                    }
                }
            }
        };
        let public = self.shared(context, only, passed);
        let mut inner = Out::new();
        self.enter(frame, TextRange::default())?;
        let done = self.template(&Frame { linked, instance }, public, &mut inner);
        self.leave();
        done?;
        self.step(frame, TextRange::default(), inner.len())?;
        out.append(&mut inner);
        Ok(())
    }

    fn ssi(&mut self, frame: &Frame, file: usize, parsed: bool, context: usize, out: &mut Out) -> Step {
        match frame.linked.files.get(file) {
            Some(LinkedFile::Plain(text)) => {
                self.step(frame, TextRange::default(), text.len())?;
                out.extend_from_slice(text.as_bytes());
                Ok(())
            }
            Some(LinkedFile::Template(linked)) if parsed => {
                let instance = self.instance(frame.instance, file);
                let public = self.shared(context, false, Vec::new());
                self.template(
                    &Frame {
                        linked: Rc::clone(linked),
                        instance,
                    },
                    public,
                    out,
                )
            }
            _ => Ok(()),
        }
    }

    fn import(&mut self, frame: &Frame, file: usize, macros: &[(Name, Name)], context: usize) {
        let Some(LinkedFile::Template(linked)) = frame.linked.files.get(file) else {
            return;
        };
        let imported = Frame {
            linked: Rc::clone(linked),
            instance: self.instance(frame.instance, file),
        };
        for (there, here) in macros {
            if let Some(index) = imported.template().exported.get(&there.text) {
                let found = MacroRef {
                    frame: imported.clone(),
                    index: *index,
                    context,
                };
                self.set(context, &here.text, macro_value(found));
            }
        }
    }

    fn first_of(&mut self, frame: &Frame, args: &[Pe], context: usize, out: &mut Out) -> Step {
        for arg in args {
            let value = self.eval(frame, arg, context)?;
            if value.is_true() {
                if self.autoescape(context) && !all_safe(arg) {
                    return self.print(frame, arg.range, &P::from(escape(&value.text())), out);
                }
                return self.print(frame, arg.range, &value, out);
            }
        }
        Ok(())
    }

    /// The next operand of a `cycle`; `None` when it has none.
    fn next_of_cycle(&mut self, key: NodeKey, count: usize) -> Option<usize> {
        let state = self.states.entry(key).or_default();
        let index = state.turns.checked_rem(count)?;
        state.turns += 1;
        Some(index)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one tag")]
    fn cycle(
        &mut self,
        frame: &Frame,
        args: &[Pe],
        (name, silent): (Option<&Name>, bool),
        range: TextRange,
        key: NodeKey,
        context: usize,
        out: &mut Out,
    ) -> Step {
        let Some(arg) = self.next_of_cycle(key, args.len()).and_then(|index| args.get(index)) else {
            return Err(frame.error(ErrorClass::Panic, range, "`cycle` has nothing to go through"));
        };
        let value = self.eval(frame, arg, context)?;
        if let Pv::Cycle(other) = &value.v {
            // The value of another cycle: that one goes on.
            let other = Rc::clone(other);
            let template = std::sync::Arc::clone(&other.frame.linked.template);
            let (_, body, index) = other.key;
            let Some(Node::Cycle { args, silent, .. }) = template.body(body).get(index) else {
                return Ok(());
            };
            let Some(arg) = self
                .next_of_cycle(other.key, args.len())
                .and_then(|index| args.get(index))
            else {
                return Ok(());
            };
            let value = self.eval(&other.frame, arg, context)?;
            other.value.replace(value.clone());
            return if *silent {
                Ok(())
            } else {
                self.print(frame, range, &value, out)
            };
        }
        if let Some(name) = name {
            let left = CycleValue {
                frame: frame.clone(),
                key,
                value: RefCell::new(value.clone()),
            };
            self.set(
                context,
                &name.text,
                P {
                    v: Pv::Cycle(Rc::new(left)),
                    safe: false,
                    own: false,
                },
            );
        }
        if silent {
            Ok(())
        } else {
            self.print(frame, range, &value, out)
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one tag")]
    fn if_changed(
        &mut self,
        frame: &Frame,
        watched: &[Pe],
        (body, otherwise): (BodyId, Option<BodyId>),
        range: TextRange,
        key: NodeKey,
        context: usize,
        out: &mut Out,
    ) -> Step {
        if watched.is_empty() {
            let mut content = Out::new();
            self.body(frame, body, context, &mut content)?;
            let state = self.states.entry(key).or_default();
            if state
                .content
                .as_ref()
                .map_or(!content.is_empty(), |last| *last != content)
            {
                out.extend_from_slice(&content);
                state.content = Some(content);
            }
            return Ok(());
        }
        let values = self.eval_all(frame, watched, context)?;
        let last = std::mem::replace(&mut self.states.entry(key).or_default().values, values.clone());
        let mut changed = last.is_empty();
        for (old, new) in last.iter().zip(&values) {
            match equal(old, new) {
                Some(true) => {}
                Some(false) => {
                    changed = true;
                    break;
                }
                None => {
                    return Err(frame.error(
                        ErrorClass::Panic,
                        range,
                        "two lists or two maps cannot be compared here",
                    ));
                }
            }
        }
        match (changed, otherwise) {
            (true, _) => self.body(frame, body, context, out),
            (false, Some(otherwise)) => self.body(frame, otherwise, context, out),
            (false, None) => {
                let message = "the value has not changed, and this `ifchanged` has no `else`";
                Err(frame.error(ErrorClass::Panic, range, message))
            }
        }
    }

    fn filter_tag(
        &mut self,
        frame: &Frame,
        body: BodyId,
        filters: &[(Option<Filter>, Name, Option<Pe>)],
        range: TextRange,
        context: usize,
        out: &mut Out,
    ) -> Step {
        let mut inner = Out::new();
        self.body(frame, body, context, &mut inner)?;
        let mut value = P::from(text(inner));
        for (filter, name, argument) in filters {
            let argument = match argument {
                Some(argument) => self.eval(frame, argument, context)?,
                None => P::NIL,
            };
            let Some(filter) = filter else {
                let message = format!("no filter is called `{}`", name.text);
                return Err(frame.error(ErrorClass::UnknownFilter, name.range, message));
            };
            value = self.apply(frame, *filter, name.range, &value, &argument)?;
        }
        self.print(frame, range, &value, out)
    }

    fn set_autoescape(&mut self, context: usize, on: bool) {
        if let Some(context) = self.contexts.get_mut(context) {
            context.autoescape = on;
        }
    }
}

fn macro_value(found: MacroRef) -> P {
    P {
        v: Pv::Macro(Rc::new(found)),
        safe: false,
        own: false,
    }
}

static GAPS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?U:(<.*>))([\t\n\x0B\x0C\r ]+)(?U:(<.*>))").ok());

/// Removes white space between tags, until there is none left.
fn spaceless(mut text: String) -> String {
    // A pass removes at least every second gap; the bound is for texts made to need many.
    for _ in 0..100 {
        let Some(gaps) = GAPS.as_ref() else { break };
        let packed = gaps.replace_all(&text, "$1$3");
        if packed == text {
            break;
        }
        text = packed.into_owned();
    }
    text
}
