//! The state of one run: the globals of the file, the names given to it, what it printed.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::value::{CellBox, Value};
use crate::fault::{Class, Fault, Res};

/// How many calls of script functions may stand within each other.
const MAX_CALLS: usize = 200;

/// How many expressions may be evaluated within each other, over all calls.
const MAX_EVALUATIONS: usize = 2_000;

/// One run of one script.
pub(crate) struct Machine {
    pub(crate) globals: Vec<Option<Value>>,
    pub(crate) global_names: Vec<Rc<str>>,
    pub(crate) given: Vec<Value>,
    pub(crate) printed: String,
    pub(crate) max_printed: usize,
    pub(crate) calls: usize,
    pub(crate) evaluations: usize,
    /// The marked lines that were run.
    pub(crate) reached: BTreeSet<u32>,
}

/// A slot of a function: a plain variable or a cell that closures share.
#[derive(Debug, Clone)]
pub(crate) enum Slot {
    Empty,
    Plain(Value),
    Shared(Rc<CellBox>),
}

/// The variables of one call.
pub(crate) struct Frame<'f> {
    pub(crate) slots: Vec<Slot>,
    pub(crate) free: &'f [Rc<CellBox>],
}

/// The names that every script has, and where they stand.
pub(crate) struct Given {
    names: HashMap<&'static str, u32>,
    values: Vec<Value>,
}

impl Given {
    pub(crate) fn new(entries: Vec<(&'static str, Value)>) -> Self {
        let mut names = HashMap::new();
        let mut values = Vec::new();
        for (name, value) in entries {
            names.insert(name, u32::try_from(values.len()).unwrap_or(u32::MAX));
            values.push(value);
        }
        Self { names, values }
    }

    /// The index of a name.
    pub(crate) fn index(&self, name: &str) -> Option<u32> {
        self.names.get(name).copied()
    }

    pub(crate) fn into_values(self) -> Vec<Value> {
        self.values
    }
}

impl Machine {
    pub(crate) fn new(given: Given, max_printed: usize) -> Self {
        Self {
            globals: Vec::new(),
            global_names: Vec::new(),
            given: given.into_values(),
            printed: String::new(),
            max_printed,
            calls: 0,
            evaluations: 0,
            reached: BTreeSet::new(),
        }
    }

    /// One evaluation deeper; [`Self::leave`] must follow when it succeeds.
    #[inline]
    pub(crate) fn enter(&mut self) -> Res<()> {
        if self.evaluations >= MAX_EVALUATIONS {
            return Err(too_deep());
        }
        self.evaluations += 1;
        Ok(())
    }

    #[inline]
    pub(crate) fn leave(&mut self) {
        self.evaluations -= 1;
    }

    /// One call deeper; [`Self::leave_call`] must follow when it succeeds.
    pub(crate) fn enter_call(&mut self) -> Res<()> {
        if self.calls >= MAX_CALLS {
            return Err(too_deep());
        }
        self.calls += 1;
        Ok(())
    }

    pub(crate) fn leave_call(&mut self) {
        self.calls -= 1;
    }

    /// Prints a line.
    pub(crate) fn print(&mut self, line: &[u8]) -> Res<()> {
        if self.printed.len() + line.len() >= self.max_printed {
            return Err(Fault::new(Class::LimitMemory, "too much printed in one call"));
        }
        self.printed.push_str(&String::from_utf8_lossy(line));
        self.printed.push('\n');
        Ok(())
    }
}

fn too_deep() -> Box<Fault> {
    Fault::new(
        Class::LimitDepth,
        "Starlark computation cancelled: calls nested too deep",
    )
}
