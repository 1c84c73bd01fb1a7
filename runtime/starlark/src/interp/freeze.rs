//! Freezing the globals once the file has run: `main` may read them and change none of them.

use super::machine::Machine;
use super::value::Value;

impl Machine {
    /// Freezes every global and what it reaches.
    pub(crate) fn freeze_globals(&self) {
        let mut waiting: Vec<Value> = self.globals.iter().flatten().cloned().collect();
        while let Some(value) = waiting.pop() {
            match &value {
                Value::List(l) if !l.guard.frozen.replace(true) => waiting.extend(l.items.borrow().iter().cloned()),
                Value::Dict(d) if !d.guard.frozen.replace(true) => {
                    waiting.extend(d.table.borrow().iter().flat_map(|(k, v)| [k.clone(), v.clone()]));
                }
                Value::Tuple(t) if !t.frozen.replace(true) => {
                    waiting.extend(t.items.iter().filter(|v| v.holds_values()).cloned())
                }
                Value::Function(f) => {
                    // A function reaches its defaults and what it closed over; it may reach itself.
                    if f.frozen.replace(true) {
                        continue;
                    }
                    waiting.extend(f.defaults.borrow().iter().cloned());
                    waiting.extend(f.free.iter().filter_map(|cell| cell.value.borrow().clone()));
                }
                Value::Builtin(b) => waiting.extend(b.receiver.borrow().clone()),
                _ => {}
            }
        }
    }
}
