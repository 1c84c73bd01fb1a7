//! Operations of a room: an overlay of the world that is published, saved as a draft or dropped (`machine` 15.1).

use kitsoki_expr::{Map, Value};
use kitsoki_ir::Action;
use sha2::{Digest, Sha256};
use smol_str::SmolStr;

use super::{EffectRun, Machine, env};
use crate::event::{Event, event, kind};
use crate::fault::TurnError;
use crate::value;
use crate::world::{World, coerced};

impl Machine<'_> {
    /// The operation that a leaf declares.
    pub(crate) fn operation_of(self, at: &str) -> Option<SmolStr> {
        let (_, state) = self.program.state(at)?;
        state.operation.clone()
    }

    /// Opens the operation of a state, unless it is open.
    pub(crate) fn open_overlay(self, world: &mut World, at: &str, again: bool, prelude: &mut Vec<Event>) {
        let Some(id) = self.operation_of(at) else { return };
        if !again && world.overlay.as_ref().is_some_and(|o| o.state == at) {
            return;
        }
        if let Some(overlay) = world.discard() {
            prelude.push(abandoned(&overlay.id, "reenter", overlay.patch));
        }
        let hash = hash(world.durable());
        world.open(id.clone(), at.into());
        prelude.push(event!(
            kind::OP_STARTED,
            "operation_id": id,
            "state": at,
            "parent_world_hash": hash,
        ));
    }

    pub(crate) fn overlay_effect(self, run: &mut EffectRun, action: &Action) -> Result<(), TurnError> {
        let Some(overlay) = run.world.overlay.clone() else {
            let name = match action {
                Action::Commit { .. } => "commit_operation",
                Action::PersistDraft { .. } => "persist_draft",
                _ => "discard_operation",
            };
            return Err(TurnError::new(format!("{name}: no operation is under way")));
        };
        let env = env(&run.world, &run.slots);
        match action {
            Action::Commit { world, keep_open } => {
                let mut patch = Map::new();
                for assign in world {
                    let Some(key) = self.writable(assign.key) else { continue };
                    let new = self.program.value(&assign.value, &env)?;
                    patch.insert(key.name.clone(), coerced(Some(key), new));
                }
                if world.is_empty() {
                    patch = overlay.patch;
                }
                run.world.commit(&patch, *keep_open);
                run.events.push(event!(
                    kind::OP_COMMITTED,
                    "operation_id": overlay.id,
                    "world_patch": patch,
                ));
            }
            Action::PersistDraft { id, title, world } => {
                let id = value::text(&self.program.value(id, &env)?).trim().to_owned();
                if id.is_empty() || id == "<nil>" {
                    return Err(TurnError::new("persist_draft: the draft's `id` is empty"));
                }
                let title = self.program.value(title, &env)?;
                let mut draft = overlay.patch;
                if !world.is_empty() {
                    draft = Map::new();
                    for key in world {
                        let Some(key) = self.program.story.world.get(*key) else {
                            continue;
                        };
                        if let Some(now) = run.world.get(&key.name) {
                            draft.insert(key.name.clone(), now.clone());
                        }
                    }
                }
                run.world.discard();
                let mut entry = value::map([("id", Value::text(&id)), ("world", Value::Map(draft.clone()))]);
                if !title.is_nil() {
                    entry.insert("title", Value::text(value::text(&title)));
                }
                keep_draft(&mut run.world, &id, entry);
                run.events.push(event!(
                    kind::OP_DRAFT,
                    "operation_id": overlay.id,
                    "draft_id": id,
                    "world": draft,
                ));
            }
            Action::Discard { reason } => {
                run.world.discard();
                let reason = if reason.is_empty() { "explicit" } else { reason.as_str() };
                run.events.push(abandoned(&overlay.id, reason, overlay.patch));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Adds a draft to those of the session.
pub(crate) fn keep_draft(world: &mut World, id: &str, draft: Map) {
    let mut drafts = world
        .get("operation_drafts")
        .and_then(Value::as_map)
        .cloned()
        .unwrap_or_default();
    drafts.insert(id, Value::Map(draft));
    world.set_durable("operation_drafts", Value::Map(drafts));
}

pub(crate) fn abandoned(id: &str, reason: &str, patch: Map) -> Event {
    event!(
        kind::OP_ABANDONED,
        "operation_id": id,
        "reason": reason,
        "discarded_patch": patch,
    )
}

/// The hash of the durable values: hexadecimal SHA-256 of their JSON with sorted keys.
pub(crate) fn hash(vars: &Map) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for byte in Sha256::digest(crate::json::sorted(&Value::Map(vars.clone()))) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}
