//! How values end. A list nested a million deep must not be dropped by recursion, and values that contain themselves must
//! not outlive their script: both are seen to here.

use std::cell::RefCell;
use std::rc::Weak;

use super::value::{CellBox, Dict, List, Value};

/// Something that can contain itself.
enum Container {
    List(Weak<List>),
    Dict(Weak<Dict>),
    Cell(Weak<CellBox>),
}

impl Container {
    fn alive(&self) -> bool {
        match self {
            Self::List(w) => w.strong_count() > 0,
            Self::Dict(w) => w.strong_count() > 0,
            Self::Cell(w) => w.strong_count() > 0,
        }
    }
}

#[derive(Default)]
struct Grave {
    waiting: Vec<Vec<Value>>,
    draining: bool,
}

#[derive(Default)]
struct Register {
    containers: Vec<Container>,
    /// At this length the dead are struck off.
    sweep_at: usize,
}

thread_local! {
    static GRAVE: RefCell<Grave> = RefCell::new(Grave::default());
    static REGISTER: RefCell<Register> = RefCell::new(Register::default());
}

/// Drops values without recursion: what they contain waits its turn.
pub(crate) fn bury(values: Vec<Value>) {
    if !values.iter().any(Value::holds_values) {
        return;
    }
    let first = GRAVE.try_with(|g| {
        let mut grave = g.borrow_mut();
        grave.waiting.push(values);
        !std::mem::replace(&mut grave.draining, true)
    });
    if !matches!(first, Ok(true)) {
        return;
    }
    loop {
        let next = GRAVE.try_with(|g| {
            let mut grave = g.borrow_mut();
            let next = grave.waiting.pop();
            grave.draining = next.is_some();
            next
        });
        match next {
            Ok(Some(values)) => drop(values),
            _ => return,
        }
    }
}

fn enter(container: Container) {
    REGISTER.with(|r| {
        let mut register = r.borrow_mut();
        if register.containers.len() >= register.sweep_at.max(4096) {
            register.containers.retain(Container::alive);
            register.sweep_at = register.containers.len() * 2;
        }
        register.containers.push(container);
    });
}

/// Notes a list, so that [`clear`] finds it.
pub(crate) fn note_list(list: Weak<List>) {
    enter(Container::List(list));
}

/// Notes a dict.
pub(crate) fn note_dict(dict: Weak<Dict>) {
    enter(Container::Dict(dict));
}

/// Notes a cell that closures share.
pub(crate) fn note_cell(cell: Weak<CellBox>) {
    enter(Container::Cell(cell));
}

/// Empties every container that is still alive: the end of a script.
pub(crate) fn clear() {
    let containers = REGISTER.with(|r| std::mem::take(&mut *r.borrow_mut()).containers);
    for container in containers {
        match container {
            Container::List(w) => {
                if let Some(list) = w.upgrade() {
                    bury(std::mem::take(&mut *list.items.borrow_mut()));
                }
            }
            Container::Dict(w) => {
                if let Some(dict) = w.upgrade() {
                    bury(dict.table.borrow_mut().take_all());
                }
            }
            Container::Cell(w) => {
                if let Some(cell) = w.upgrade() {
                    bury(cell.value.borrow_mut().take().into_iter().collect());
                }
            }
        }
    }
}
