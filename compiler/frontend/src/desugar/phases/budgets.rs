//! How often an arc of a phase may be taken (`macros` 2.7).

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Span;
use smol_str::{SmolStr, format_smolstr};

use super::substitute::Substitution;
use crate::rules::phases as rules;
use crate::surface::{Any, AnyKind, Arc, Effect, Field, Flag, Int, List, Made, Map, MapEntry, PhaseEntry, Room, Text};

/// An arc and its budget.
pub(super) type Budget = (Text, Int);

/// The world key that counts an arc.
pub(super) fn counter(phase: &str, arc: &str) -> SmolStr {
    format_smolstr!("cycle__{phase}__{arc}")
}

/// The budgets of a phase. What is no number is dropped, as in the reference, and said.
pub(super) fn read(entry: &MapEntry<PhaseEntry>, out: &mut Vec<Diagnostic>) -> Vec<Budget> {
    let budgets = entry
        .value
        .value
        .get("cycle_budgets")
        .and_then(Any::as_map)
        .unwrap_or_default();
    let mut found = Vec::new();
    for budget in budgets {
        let span = budget.value.span;
        let value = match &budget.value.kind {
            AnyKind::Int(n) => Some(*n),
            AnyKind::Uint(n) => Some(i64::try_from(*n).unwrap_or(i64::MAX)),
            AnyKind::Float(x) => {
                if x.fract() != 0.0 {
                    out.push(rules::phase_budget_ignored::fraction(span, *x));
                }
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a fraction is cut off, and the cast saturates"
                )]
                Some(*x as i64)
            }
            AnyKind::Text(text) => text.as_str().parse().ok(),
            _ => None,
        };
        match value {
            Some(value) => found.push((budget.name.clone(), Int { value, span })),
            None => out.push(rules::phase_budget_ignored(
                span,
                budget.name.as_str(),
                budget.value.kind_word(),
            )),
        }
    }
    found
}

/// Puts the budgets on a room. `false` when one of them is not positive: the room is not made then.
pub(super) fn apply(
    room: &mut Room,
    entry: &MapEntry<PhaseEntry>,
    budgets: &[Budget],
    substitution: &Substitution<'_>,
    out: &mut Vec<Diagnostic>,
) -> bool {
    let mut good = true;
    for (arc, budget) in budgets {
        if budget.value <= 0 {
            out.push(rules::phase_budget_not_positive(budget.span, arc.as_str()));
            good = false;
            continue;
        }
        one(room, entry.name.as_str(), arc, *budget, substitution, out);
    }
    good
}

fn one(
    room: &mut Room,
    phase: &str,
    arc: &Text,
    budget: Int,
    substitution: &Substitution<'_>,
    out: &mut Vec<Diagnostic>,
) {
    let site = arc.span;
    let made = |text: SmolStr| Text::made(text, Made::Phases, site);
    let field = |text: Text| Some(Field::made(text, site));
    let counter = counter(phase, arc.as_str());
    let guard = format_smolstr!("world.{counter} < {}", budget.value);
    let count = || {
        let mut map = Map::made(site);
        map.push(
            made(counter.clone()),
            Int {
                value: 1,
                span: budget.span,
            },
        );
        Effect {
            increment: Some(Field::made(map, site)),
            ..Effect::synthesized(Made::Phases, site)
        }
    };
    let exceeded = Arc {
        target: field(made(format_smolstr!("{phase}_error"))),
        default: Some(Field::made(
            Flag {
                value: true,
                span: site,
            },
            site,
        )),
        guard_hint: field(made(format_smolstr!("cycle budget exceeded for {}", arc.as_str()))),
        ..Arc::synthesized(Made::Phases, site)
    };
    let on = room.on.get_or_insert_with(|| Field::made(Map::made(site), site));
    let at = on
        .value
        .entries
        .iter()
        .position(|e| e.name.text == arc.text)
        .unwrap_or_else(|| {
            on.value.push(arc.clone(), List::shared(Vec::new(), site));
            on.value.entries.len() - 1
        });
    let Some(arcs) = on.value.entries.get_mut(at) else {
        return;
    };
    arcs.null = false;
    let arcs = &mut std::sync::Arc::make_mut(&mut arcs.value).items;
    if arcs.is_empty() {
        if let Some(next) = substitution
            .parameters()
            .next(arc.as_str())
            .filter(|n| !n.text.is_empty())
        {
            arcs.push(Arc {
                target: field(next.clone()),
                when: field(made(guard)),
                effects: Some(Field::made(List::made(vec![count()], site), site)),
                ..Arc::synthesized(Made::Phases, site)
            });
        }
    } else {
        for arm in arcs.iter_mut() {
            if let Some(default) = arm.default.as_ref().filter(|d| d.value.value) {
                out.push(rules::phase_budget_dead(site, arc.as_str(), default.key));
                continue;
            }
            arm.when = Some(guarded(arm.when.as_ref(), &guard, site));
            let effects = arm
                .effects
                .get_or_insert_with(|| Field::made(List::made(Vec::new(), site), site));
            effects.value.items.insert(0, count());
        }
    }
    arcs.push(exceeded);
}

/// The author's guard and the budget's.
fn guarded(old: Option<&Field<Text>>, guard: &str, site: Span) -> Field<Text> {
    let Some(old) = old.filter(|o| !o.is_blank()) else {
        return Field::made(Text::made(guard, Made::Phases, site), site);
    };
    let text = old.as_str();
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len();
    let both = old
        .value
        .replaced(&[(0..start, "(".to_owned()), (end..text.len(), format!(") && ({guard})"))]);
    Field::new(old.key, both)
}
