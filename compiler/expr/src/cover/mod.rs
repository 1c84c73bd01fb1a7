//! Guards of one list that hide each other: which of them can never be the first that holds.
//!
//! A list is tried in order, so a guard is hidden when earlier ones hold in every case in which it does. The cases are all
//! that the guards themselves can tell apart ([`cases`]). An earlier guard that fails or yields nothing hides nothing:
//! what is said here is true whatever values a session brings.

mod cases;
mod formula;

use std::collections::BTreeSet;

use crate::Expr;
use crate::types::Type;
use cases::{Case, Variables};
use formula::Formula;

/// Guards of one list that are looked at: every one is held against all before it.
const MAX_GUARDS: usize = 24;
/// Cases that are tried for one question; a list with more is left alone.
const MAX_CASES: usize = 20_000;

/// One guard of a list.
#[derive(Debug, Clone, Copy)]
pub enum Guard<'a> {
    /// It always holds.
    Always,
    /// An expression.
    When(&'a Expr),
    /// One of which nothing is known.
    Unknown,
}

/// Why a guard is never the first that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    /// The earlier guards, of which one holds whenever this one does; none of them can be left out.
    pub by: Vec<usize>,
    /// They hold in every case, not only in those of this guard.
    pub always: bool,
}

/// For every guard of a list: why it is never the first that holds, if so. `type_of` says what is known of the value of a
/// text like `world.count`. A guard that never holds at all is not spoken of.
pub fn hidden(guards: &[Guard<'_>], type_of: &dyn Fn(&str) -> Type) -> Vec<Option<Hidden>> {
    let mut variables = Variables::default();
    let formulas: Vec<Formula> = guards
        .iter()
        .take(MAX_GUARDS)
        .map(|guard| match guard {
            Guard::Always => Formula::Known(true),
            Guard::When(expr) => Formula::of(expr, &mut variables),
            Guard::Unknown => Formula::unknown(&mut variables),
        })
        .collect();
    let cases = variables.cases(type_of);
    let list = List {
        formulas: &formulas,
        cases: &cases,
    };
    let mut found: Vec<Option<Hidden>> = (0..formulas.len()).map(|i| list.hidden(i)).collect();
    found.resize(guards.len(), None);
    found
}

struct List<'a> {
    formulas: &'a [Formula],
    /// The cases of each variable.
    cases: &'a [Vec<Case>],
}

impl List<'_> {
    fn hidden(&self, late: usize) -> Option<Hidden> {
        let guard = self.formulas.get(late)?;
        if late == 0 || self.cover(&[], guard) {
            return None;
        }
        // What nothing is known of may not hold: it hides nothing.
        let usable = |i: &usize| self.formulas.get(*i).is_some_and(|f| !f.is_unknown());
        let earlier: Vec<usize> = (0..late).filter(usable).collect();
        let one = earlier.iter().find(|i| self.cover(&[**i], guard));
        let mut by = match one {
            Some(one) => vec![*one],
            None if earlier.len() > 1 && self.cover(&earlier, guard) => earlier,
            None => return None,
        };
        let mut at = 0;
        while at < by.len() && by.len() > 1 {
            let mut fewer = by.clone();
            fewer.remove(at);
            if self.cover(&fewer, guard) {
                by = fewer;
            } else {
                at += 1;
            }
        }
        let always = self.cover(&by, &Formula::Known(true));
        Some(Hidden { by, always })
    }

    /// Whether one of some guards holds in every case in which `guard` does.
    fn cover(&self, by: &[usize], guard: &Formula) -> bool {
        let by: Vec<&Formula> = by.iter().filter_map(|i| self.formulas.get(*i)).collect();
        let mut variables = BTreeSet::new();
        by.iter().for_each(|f| f.variables(&mut variables));
        guard.variables(&mut variables);
        let variables: Vec<(usize, &[Case])> = variables
            .into_iter()
            .map(|v| (v, self.cases.get(v).map_or(&[][..], Vec::as_slice)))
            .collect();
        let count = variables
            .iter()
            .try_fold(1usize, |n, (_, cases)| n.checked_mul(cases.len()));
        let Some(count) = count.filter(|n| *n <= MAX_CASES) else {
            return false;
        };
        let mut now: Vec<Option<&Case>> = vec![None; self.cases.len()];
        (0..count).all(|number| {
            let mut rest = number;
            for (variable, cases) in &variables {
                if let Some(place) = now.get_mut(*variable) {
                    *place = cases.get(rest % cases.len().max(1));
                }
                rest /= cases.len().max(1);
            }
            guard.holds(&now) != Some(true) || by.iter().any(|f| f.holds(&now) == Some(true))
        })
    }
}

#[cfg(test)]
mod tests;
