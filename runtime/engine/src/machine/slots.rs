//! Validation of an intent and its slots (`machine` 5, 6).

use kitsoki_ir::Value as Literal;

use super::{Call, Machine};
use crate::fault::{Code, Rejection};
use crate::value;

impl Machine<'_> {
    /// Checks that a path allows the intent and that its slots will do; the call comes back with its final name and with
    /// defaults filled in.
    ///
    /// # Errors
    /// The refusal.
    pub fn validate(self, at: &str, call: &Call) -> Result<Call, Rejection> {
        let name = self.resolve_alias(at, &call.intent);
        let allowed = self.allowed_names(at);
        if !allowed.contains(&name) && !self.has_wildcard(at) {
            let mut no = Rejection::new(
                Code::IntentNotAllowed,
                format!("intent \"{name}\" is not allowed in state \"{at}\""),
            );
            no.allowed_intents = allowed;
            return Err(no);
        }
        let mut accepted = Call {
            intent: name,
            slots: call.slots.clone(),
        };
        if let Some(intent) = self.intent(at, &accepted.intent) {
            check(intent, &mut accepted)?;
        }
        Ok(accepted)
    }
}

/// A value that is not allowed is told before slots that are missing, in the order of names.
fn check(intent: &kitsoki_ir::Intent, call: &mut Call) -> Result<(), Rejection> {
    let mut declared: Vec<_> = intent.slots.iter().collect();
    declared.sort_by(|a, b| a.name.cmp(&b.name));
    let mut missing = Vec::new();
    for slot in declared {
        let given = call.slots.as_ref().and_then(|s| s.get(&slot.name));
        let present = given.is_some();
        let is_nil = given.is_none_or(kitsoki_expr::Value::is_nil);
        if slot.required && is_nil {
            missing.push(slot.name.clone());
            continue;
        }
        let mut value = given.cloned();
        if !present && slot.default != Literal::Null {
            let default = value::literal(&slot.default);
            if let Some(slots) = &mut call.slots {
                slots.insert(slot.name.clone(), default.clone());
            }
            value = Some(default);
        }
        let Some(value) = value else { continue };
        if !slot.values.is_empty() {
            let text = value::text(&value);
            if !slot.values.iter().any(|v| *v == text) {
                let allowed: Vec<&str> = slot.values.iter().map(|v| v.as_str()).collect();
                return Err(Rejection::new(
                    Code::InvalidSlotValue,
                    format!(
                        "slot \"{}\" value \"{text}\" is not one of [{}]",
                        slot.name,
                        allowed.join(" ")
                    ),
                ));
            }
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let list: Vec<&str> = missing.iter().map(|m| m.as_str()).collect();
    let mut no = Rejection::new(
        Code::MissingSlots,
        format!("intent \"{}\" needs the slots {}", intent.name, list.join(", ")),
    );
    no.missing_slots = missing;
    Err(no)
}
