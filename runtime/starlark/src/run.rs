//! One script on a thread of its own: parse, run the top level, call the entry function, take the result out.

use std::rc::Rc;
use std::sync::mpsc;

use crate::capabilities::Capabilities;
use crate::coverage::Reached;
use crate::data::DataMap;
use crate::fault::{Class, Fault};
use crate::interp::arguments::Args;
use crate::interp::machine::Machine;
use crate::interp::meter::{self, Limits};
use crate::interp::value::Value;
use crate::interp::{convert, grave};
use crate::language::{self, SyntaxFault};
use crate::library;
use crate::surface::{self, Port, Surface};

/// A script and what it is given.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    /// The path, for messages.
    pub(crate) label: String,
    pub(crate) source: String,
    pub(crate) function: String,
    pub(crate) inputs: DataMap,
    pub(crate) world: DataMap,
    pub(crate) granted: Capabilities,
    pub(crate) limits: Limits,
    /// Whether it is told which lines were run.
    pub(crate) covers: bool,
}

/// What came of it.
pub(crate) struct Ran {
    pub(crate) result: Result<DataMap, Box<Fault>>,
    pub(crate) printed: String,
    /// Which lines were run, when that was wanted.
    pub(crate) reached: Option<Reached>,
}

/// The stack of the thread. Nesting of values, expressions and calls is capped far below what this holds.
const STACK: usize = 64 << 20;

/// Runs a job; `surface` answers what the script asks for meanwhile.
pub(crate) fn run(job: Job, surface: &mut Surface<'_>) -> Ran {
    let granted = job.granted.clone();
    let (ask_sender, asks) = mpsc::channel();
    let (answers, answer_receiver) = mpsc::channel();
    let script = std::thread::Builder::new()
        .name("starlark".to_owned())
        .stack_size(STACK)
        .spawn(move || interpret(job, Port::new(ask_sender, answer_receiver)));
    let failed = |text: &str| Ran {
        result: Err(Fault::new(Class::LimitMemory, text)),
        printed: String::new(),
        reached: None,
    };
    match script {
        Ok(script) => {
            surface::serve(surface, &granted, &asks, &answers);
            script
                .join()
                .unwrap_or_else(|_| failed("starlark: the interpreter failed"))
        }
        Err(_) => failed("starlark: no thread for the script"),
    }
}

fn interpret(job: Job, port: Port) -> Ran {
    meter::open(&job.limits);
    let port = Rc::new(port);
    let given = library::given(&job.granted.stdlib);
    let file = match parsed(&job.source, &job.label, job.covers, &|name| given.index(name)) {
        Ok(file) => file,
        Err(fault) => {
            let (line, column) = (fault.at.line, fault.at.column);
            let text = format!(
                "starlark: load {label}: {label}:{line}:{column}: {}",
                fault.text,
                label = job.label
            );
            let class = if fault.too_deep {
                Class::LimitDepth
            } else {
                Class::Parse
            };
            let fault = Fault::new(class, text).or_at(fault.at);
            return Ran {
                result: Err(fault),
                printed: String::new(),
                reached: None,
            };
        }
    };
    let reached = job.covers.then(|| Reached::of(&file));
    let mut machine = Machine::new(given, job.limits.printed);
    let result = execute(&mut machine, &file, job, &port);
    let printed = std::mem::take(&mut machine.printed);
    let reached = reached.map(|r| r.with(&machine.reached));
    drop(machine);
    grave::clear();
    Ran {
        result,
        printed,
        reached,
    }
}

/// Parses and resolves a script.
pub(crate) fn prepare(
    source: &str,
    label: &str,
    given: &dyn Fn(&str) -> Option<u32>,
) -> Result<language::ast::File, SyntaxFault> {
    parsed(source, label, false, given)
}

fn parsed(
    source: &str,
    label: &str,
    marks: bool,
    given: &dyn Fn(&str) -> Option<u32>,
) -> Result<language::ast::File, SyntaxFault> {
    let file = language::parse(source, marks)?;
    language::resolve(&file, label, given)?;
    Ok(file)
}

fn execute(
    machine: &mut Machine,
    file: &language::ast::File,
    job: Job,
    port: &Rc<Port>,
) -> Result<DataMap, Box<Fault>> {
    let (label, function) = (&job.label, &job.function);
    machine.run_file(file).map_err(|mut fault| {
        if fault.class == Class::Runtime {
            fault.class = Class::Load;
        }
        fault.prefixed(&format!("starlark: load {label}: "))
    })?;
    machine.freeze_globals();
    let entry = match machine.global(function) {
        None => {
            return Err(Fault::new(
                Class::Entry,
                format!("starlark: {label} does not define {function}(ctx)"),
            ));
        }
        Some(entry @ (Value::Function(_) | Value::Builtin(_))) => entry,
        Some(other) => {
            let kind = other.kind();
            let text = format!("starlark: {label} defines {function} but it is not callable (it is a {kind})");
            return Err(Fault::new(Class::Entry, text));
        }
    };
    let ctx = surface::build(&job.inputs, job.world, &job.granted, port).map_err(|mut fault| {
        if fault.class == Class::Runtime {
            fault.class = Class::InputValue;
        }
        fault.prefixed("starlark: build ctx: convert inputs: ")
    })?;
    let returned = machine
        .call(
            &entry,
            Args {
                positional: vec![ctx],
                named: Vec::new(),
            },
        )
        .map_err(|f| f.prefixed(&format!("starlark: {function}(ctx): ")))?;
    if !matches!(returned, Value::Dict(_)) {
        let kind = returned.kind();
        return Err(Fault::new(
            Class::ResultType,
            format!("starlark: {function} must return a dict, got {kind}"),
        ));
    }
    convert::to_map(&returned).map_err(|mut fault| {
        if fault.class == Class::Runtime {
            fault.class = Class::ResultValue;
        }
        fault.prefixed("starlark: convert outputs: ")
    })
}
