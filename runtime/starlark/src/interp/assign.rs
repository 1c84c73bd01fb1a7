//! Assignment to names, elements and several targets at once.

use super::eval::at;
use super::machine::{Frame, Machine, Slot};
use super::value::Value;
use super::{attribute, index, operate};
use crate::fault::{Fault, Res};
use crate::language::ast::{BinaryOp, Binding, Expr, Name, Place};

impl Machine {
    /// Assigns to a target; `place` is that of the `=` or of the `for`.
    pub(super) fn assign(&mut self, frame: &mut Frame<'_>, target: &Expr, value: Value, place: Place) -> Res<()> {
        match target {
            Expr::Name(name) => {
                self.store(frame, name, value);
                Ok(())
            }
            Expr::Index { object, bracket, index } => {
                let object = self.eval(frame, object)?;
                let i = self.eval(frame, index)?;
                index::set(&object, &i, value).map_err(|f| f.or_at(*bracket))
            }
            Expr::Dot { object, dot, name } => {
                let object = self.eval(frame, object)?;
                Err(no_field(&object, name).or_at(*dot))
            }
            Expr::List { items, .. } | Expr::Tuple { items, .. } => self.unpack(frame, items, &value, place),
            _ => Err(Fault::runtime("cannot assign to this").or_at(place)),
        }
    }

    fn store(&mut self, frame: &mut Frame<'_>, name: &Name, value: Value) {
        match name.binding.get() {
            Some(Binding::Local(i)) => match frame.slots.get_mut(at(*i)) {
                Some(Slot::Shared(cell)) => *cell.value.borrow_mut() = Some(value),
                Some(slot) => *slot = Slot::Plain(value),
                None => {}
            },
            Some(Binding::Global(i)) => {
                if let Some(slot) = self.globals.get_mut(at(*i)) {
                    *slot = Some(value);
                }
            }
            _ => {}
        }
    }

    /// Binds a name that a `def` defines.
    pub(super) fn define(&mut self, frame: &mut Frame<'_>, name: &Name, value: Value) {
        self.store(frame, name, value);
    }

    fn unpack(&mut self, frame: &mut Frame<'_>, targets: &[Expr], value: &Value, place: Place) -> Res<()> {
        let want = targets.len();
        let Some(mut iter) = value.iterate() else {
            return Err(Fault::runtime(format!("got {} in sequence assignment", value.kind())).or_at(place));
        };
        let length = value.length();
        if let Some(got) = length.filter(|n| *n > want) {
            let text = format!("too many values to unpack (got {got}, want {want})");
            return Err(Fault::runtime(text).or_at(place));
        }
        let mut values = Vec::with_capacity(want);
        while values.len() < want {
            match iter.advance()? {
                Some(value) => values.push(value),
                None => {
                    let text = format!("too few values to unpack (got {}, want {want})", values.len());
                    return Err(Fault::runtime(text).or_at(place));
                }
            }
        }
        if iter.advance()?.is_some() {
            let text = format!("too many values to unpack (want {want})");
            return Err(Fault::runtime(text).or_at(place));
        }
        drop(iter);
        for (target, value) in targets.iter().zip(values) {
            self.assign(frame, target, value, place)?;
        }
        Ok(())
    }

    /// `target op= value`: the parts of the target are evaluated once.
    pub(super) fn augment(
        &mut self,
        frame: &mut Frame<'_>,
        target: &Expr,
        op: BinaryOp,
        value: &Expr,
        place: Place,
    ) -> Res<()> {
        match target {
            Expr::Index { object, bracket, index } => {
                let object = self.eval(frame, object)?;
                let i = self.eval(frame, index)?;
                let old = index::get(&object, &i).map_err(|f| f.or_at(*bracket))?;
                let right = self.eval(frame, value)?;
                let new = operate::augmented(self, op, &old, &right).map_err(|f| f.or_at(place))?;
                index::set(&object, &i, new).map_err(|f| f.or_at(*bracket))
            }
            Expr::Dot { object, dot, name } => {
                let object = self.eval(frame, object)?;
                attribute::get(&object, name).map_err(|f| f.or_at(*dot))?;
                self.eval(frame, value)?;
                Err(no_field(&object, name).or_at(*dot))
            }
            _ => {
                let old = self.eval(frame, target)?;
                let right = self.eval(frame, value)?;
                let new = operate::augmented(self, op, &old, &right).map_err(|f| f.or_at(place))?;
                self.assign(frame, target, new, place)
            }
        }
    }
}

fn no_field(object: &Value, name: &str) -> Box<Fault> {
    Fault::runtime(format!("can't assign to .{name} field of {}", object.kind()))
}
