//! Calling: arguments to parameters, one frame a call, no recursion.

use std::rc::Rc;

use super::arguments::Args;
use super::machine::{Frame, Machine, Slot};
use super::meter;
use super::statement::Flow;
use super::table::Table;
use super::value::{CellBox, Code, Function, Value};
use crate::fault::{Fault, Res};
use crate::language::ast::{Body, FunctionDef, Layout, ParameterKind};

impl Machine {
    /// Calls a value.
    pub(crate) fn call(&mut self, callee: &Value, args: Args) -> Res<Value> {
        match callee {
            Value::Function(f) => {
                self.enter_call()?;
                let result = self.call_function(f, args);
                self.leave_call();
                result
            }
            Value::Builtin(b) => {
                let receiver = b.receiver.borrow().clone().unwrap_or(Value::None);
                match b.code.clone() {
                    Code::Plain(code) => code(self, &receiver, args),
                    Code::Host(code) => code(self, args),
                }
            }
            other => Err(Fault::runtime(format!(
                "invalid call of non-function ({})",
                other.kind()
            ))),
        }
    }

    fn call_function(&mut self, function: &Rc<Function>, args: Args) -> Res<Value> {
        let def = &function.def;
        let Some(layout) = def.layout.get() else {
            return Err(Fault::runtime("unresolved function"));
        };
        if def.running.replace(true) {
            return Err(Fault::runtime(format!("function {} called recursively", def.name)));
        }
        let result = self.run_body(def, layout, function, args);
        def.running.set(false);
        result
    }

    fn run_body(&mut self, def: &FunctionDef, layout: &Layout, function: &Function, args: Args) -> Res<Value> {
        meter::steps(2)?;
        let arguments = bind(def, &function.defaults.borrow(), args)?;
        let slots = slots(layout, arguments)?;
        let mut frame = Frame {
            slots,
            free: &function.free,
        };
        match &def.body {
            Body::Expr(expr) => self.eval(&mut frame, expr),
            Body::Block(body) => match self.run_block(&mut frame, body)? {
                Flow::Return(value) => Ok(value),
                _ => Ok(Value::None),
            },
        }
    }
}

/// The slots of a new frame: the arguments first, then empty ones; what closures share lies in cells.
pub(super) fn slots(layout: &Layout, arguments: Vec<Slot>) -> Res<Vec<Slot>> {
    let mut slots = arguments;
    slots.resize(layout.slots, Slot::Empty);
    for shared in &layout.shared {
        let Some(slot) = usize::try_from(*shared).ok().and_then(|i| slots.get_mut(i)) else {
            continue;
        };
        let cell = CellBox::new()?;
        if let Slot::Plain(value) = std::mem::replace(slot, Slot::Empty) {
            *cell.value.borrow_mut() = Some(value);
        }
        *slot = Slot::Shared(cell);
    }
    Ok(slots)
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// Arguments to parameters, in the order of the parameters.
fn bind(def: &FunctionDef, defaults: &[Value], args: Args) -> Res<Vec<Slot>> {
    let name = &def.name;
    let parameters = &def.parameters;
    let positional = parameters
        .iter()
        .take_while(|p| matches!(p.kind, ParameterKind::Plain | ParameterKind::Default(_)))
        .count();
    let star = parameters.iter().position(|p| matches!(p.kind, ParameterKind::Star));
    let star_star = parameters
        .iter()
        .position(|p| matches!(p.kind, ParameterKind::StarStar));
    let takes_rest = star
        .and_then(|i| parameters.get(i))
        .is_some_and(|p| !p.name.text.is_empty());
    let given = args.positional.len();
    if parameters.is_empty() && (given > 0 || !args.named.is_empty()) {
        let n = given + args.named.len();
        return Err(Fault::runtime(format!(
            "function {name} accepts no arguments ({n} given)"
        )));
    }
    if given > positional && !takes_rest {
        let optional = parameters
            .iter()
            .take(positional)
            .any(|p| matches!(p.kind, ParameterKind::Default(_)));
        let at_most = if optional { "at most " } else { "" };
        return Err(Fault::runtime(format!(
            "function {name} accepts {at_most}{positional} positional argument{} ({given} given)",
            plural(positional)
        )));
    }
    let mut slots = vec![Slot::Empty; parameters.len()];
    let mut values = args.positional.into_iter();
    for (slot, value) in slots.iter_mut().take(positional).zip(values.by_ref()) {
        *slot = Slot::Plain(value);
    }
    if let (Some(slot), true) = (star.and_then(|i| slots.get_mut(i)), takes_rest) {
        *slot = Slot::Plain(Value::tuple(values.collect())?);
    }
    let mut rest = if star_star.is_some() { Some(Table::new()?) } else { None };
    for (key, value) in args.named {
        meter::work_len(parameters.len().saturating_mul(4))?;
        let place = parameters
            .iter()
            .position(|p| matches!(p.kind, ParameterKind::Plain | ParameterKind::Default(_)) && p.name.text == key);
        if let Some(slot) = place.and_then(|i| slots.get_mut(i)) {
            if !matches!(slot, Slot::Empty) {
                let text = format!("function {name} got multiple values for parameter \"{key}\"");
                return Err(Fault::runtime(text));
            }
            *slot = Slot::Plain(value);
        } else if let Some(table) = &mut rest {
            table.insert(Value::str(&key)?, value)?;
        } else {
            let text = format!("function {name} got an unexpected keyword argument \"{key}\"");
            return Err(Fault::runtime(text));
        }
    }
    if let (Some(slot), Some(table)) = (star_star.and_then(|i| slots.get_mut(i)), rest) {
        *slot = Slot::Plain(Value::dict(table));
    }
    let mut missing = Vec::new();
    let mut defaults = defaults.iter();
    for (slot, parameter) in slots.iter_mut().zip(parameters) {
        let default = if matches!(parameter.kind, ParameterKind::Default(_)) {
            defaults.next()
        } else {
            None
        };
        match (&slot, default, &parameter.kind) {
            (Slot::Empty, Some(value), _) => *slot = Slot::Plain(value.clone()),
            (Slot::Empty, None, ParameterKind::Plain) => missing.push(&*parameter.name.text),
            _ => {}
        }
    }
    if !missing.is_empty() {
        return Err(Fault::runtime(format!(
            "function {name} missing {} argument{} ({})",
            missing.len(),
            plural(missing.len()),
            missing.join(", ")
        )));
    }
    Ok(slots)
}
