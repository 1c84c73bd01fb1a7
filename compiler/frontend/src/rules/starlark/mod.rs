//! Rules about calls of `host.starlark.run`: the script, its sidecar, what the call passes, grants and binds
//! (`language` 4.5 D83-D91, `starlark` 2, 3, 7).
//!
//! Scripts are looked at, never run or parsed here.

pub mod capabilities;
pub mod script;
pub mod sidecar;
mod starlark_capabilities_invalid;
mod starlark_capability_not_granted;
mod starlark_input_bare_expression;
mod starlark_input_missing;
mod starlark_input_type;
mod starlark_input_undeclared;
mod starlark_literal_int;
mod starlark_output_unknown;
mod starlark_script_missing;
mod starlark_script_not_found;
mod starlark_script_outside;
mod starlark_sidecar_invalid;
mod starlark_sidecar_key;
mod starlark_sidecar_missing;
mod starlark_syntax;
mod starlark_unchecked;

use camino::Utf8PathBuf;
use kitsoki_diagnostics::{Diagnostic, Rule};
use rustc_hash::FxHashMap;

use super::calls::Call;
use super::cx::StoryCx;
use crate::db::{Db, SourceFile};
use crate::surface::{Any, AnyEntry, AnyKind, Text};
use script::Script;
use sidecar::Sidecar;

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &starlark_capabilities_invalid::RULE,
    &starlark_capability_not_granted::RULE,
    &starlark_input_bare_expression::RULE,
    &starlark_input_missing::RULE,
    &starlark_input_type::RULE,
    &starlark_input_undeclared::RULE,
    &starlark_literal_int::RULE,
    &starlark_output_unknown::RULE,
    &starlark_script_missing::RULE,
    &starlark_script_not_found::RULE,
    &starlark_script_outside::RULE,
    &starlark_sidecar_invalid::RULE,
    &starlark_sidecar_key::RULE,
    &starlark_sidecar_missing::RULE,
    &starlark_syntax::RULE,
    &starlark_unchecked::RULE,
];

pub(crate) use starlark_input_type::sole as is_sole_template;

/// The verb that runs scripts.
pub const VERB: &str = "host.starlark.run";

/// Checks every call of [`VERB`].
pub fn check(cx: &StoryCx<'_>, calls: &[Call<'_>], out: &mut Vec<Diagnostic>) {
    let mut files = Files {
        cx,
        sidecars: FxHashMap::default(),
    };
    let mut seen: FxHashMap<(&'static str, Utf8PathBuf), usize> = FxHashMap::default();
    for call in calls.iter().filter(|c| c.verb.as_str() == VERB) {
        let mut found = Vec::new();
        let path = one(&mut files, call, &mut found);
        let visited = call.visited && call.room.is_some();
        for finding in found {
            let finding = if visited {
                finding
            } else {
                starlark_unchecked::instead_of(finding)
            };
            // A missing file, a broken sidecar, a faulty script: one finding however many calls use it.
            let shared = path.as_ref().filter(|_| OF_FILES.contains(&finding.rule));
            if let (Some(path), Some(text)) = (shared, call.arg("script").and_then(Any::as_text)) {
                match seen.entry((finding.rule, path.clone())) {
                    std::collections::hash_map::Entry::Occupied(at) => {
                        if let Some(first) = out.get_mut(*at.get()) {
                            *first = first.clone().label(cx.inside(text), "used here too");
                        }
                        continue;
                    }
                    std::collections::hash_map::Entry::Vacant(free) => {
                        free.insert(out.len());
                    }
                }
            }
            out.push(finding);
        }
    }
}

/// Rules whose cause is a file and not the call.
const OF_FILES: [&str; 5] = [
    starlark_script_not_found::RULE.id,
    starlark_script_outside::RULE.id,
    starlark_sidecar_missing::RULE.id,
    starlark_sidecar_invalid::RULE.id,
    starlark_syntax::RULE.id,
];

/// What a script shows at a look; stories that share it look once.
#[salsa::tracked(returns(ref))]
fn script_of(db: &dyn Db, file: SourceFile) -> Script {
    let source = file.contents(db).text();
    source.map(|s| script::look(s)).unwrap_or_default()
}

/// Sidecars that were looked at.
struct Files<'c, 'a> {
    cx: &'c StoryCx<'a>,
    sidecars: FxHashMap<Utf8PathBuf, Sidecar>,
}

/// The steps of one call in the order of `starlark` 3. Returns the path of the script, when there is one.
fn one(files: &mut Files<'_, '_>, call: &Call<'_>, out: &mut Vec<Diagnostic>) -> Option<Utf8PathBuf> {
    let cx = files.cx;
    let text = match starlark_script_missing::script(cx, call) {
        Ok(text) => text,
        Err(finding) => {
            out.push(*finding);
            return None;
        }
    };
    if text.is_templated() {
        return None;
    }
    let path = crate::db::normalize(&cx.base_dir().join(text.as_str().trim()));
    let gone =
        starlark_script_outside::check(cx, text, &path).or_else(|| starlark_script_not_found::check(cx, text, &path));
    if let Some(finding) = gone {
        out.push(finding);
        return Some(path);
    }
    let sidecar_file = match starlark_sidecar_missing::sidecar(cx, text, &path) {
        Ok(file) => file,
        Err(finding) => {
            out.push(*finding);
            return Some(path);
        }
    };
    let file = cx.db.file(&path);
    let script = script_of(cx.db, file);
    let sidecar = &*files
        .sidecars
        .entry(path.clone())
        .or_insert_with(|| sidecar::read(cx.db, sidecar_file));
    if !sidecar.faults.is_empty() {
        out.extend(sidecar.faults.iter().map(|f| starlark_sidecar_invalid::at(cx, text, f)));
        return Some(path);
    }
    out.extend(sidecar.ignored.iter().map(starlark_sidecar_key::at));
    if file.contents(cx.db).text().is_some() {
        let entry = call.arg("function").and_then(Any::as_str).map_or("main", str::trim);
        if !entry.is_empty() && !entry.contains("{{") {
            out.extend(starlark_syntax::check(cx, text, file.file_id(cx.db), script, entry));
        }
    }
    granted(cx, call, text, file.file_id(cx.db), script, out);
    inputs(cx, call, sidecar, out);
    if let Some(effect) = call.effect {
        starlark_output_unknown::check(cx, effect, sidecar, out);
    }
    Some(path)
}

fn granted(
    cx: &StoryCx<'_>,
    call: &Call<'_>,
    text: &Text,
    file: kitsoki_syntax::FileId,
    script: &Script,
    out: &mut Vec<Diagnostic>,
) {
    let (given, faults) = call.arg("capabilities").map(capabilities::read).unwrap_or_default();
    if !faults.is_empty() {
        out.extend(faults.into_iter().map(|f| starlark_capabilities_invalid::at(cx, f)));
        return;
    }
    for used in &script.uses {
        let place = starlark_syntax::place(file, &used.range);
        out.extend(starlark_capability_not_granted::check(cx, text, place, used, &given));
    }
}

fn inputs(cx: &StoryCx<'_>, call: &Call<'_>, sidecar: &Sidecar, out: &mut Vec<Diagnostic>) {
    let passed: &[AnyEntry] = match call.arg("inputs") {
        None => &[],
        Some(value) => match &value.kind {
            AnyKind::Map(entries) => entries,
            AnyKind::Null => &[],
            // A template may give a mapping.
            AnyKind::Text(text) if text.is_templated() => return,
            _ => {
                out.push(starlark_input_type::not_mapping(value));
                return;
            }
        },
    };
    for entry in passed {
        if let Some(text) = entry.value.as_text()
            && let Some(finding) = starlark_input_bare_expression::check(cx, &entry.name, text)
        {
            out.push(finding);
            continue;
        }
        match sidecar.input(entry.name.as_str()) {
            Some(declared) => {
                out.extend(starlark_input_type::check(entry, declared));
                out.extend(starlark_literal_int::check(entry, declared));
            }
            None => out.extend(starlark_input_undeclared::check(cx, &entry.name, sidecar)),
        }
    }
    out.extend(starlark_input_missing::check(cx, call, sidecar, passed));
}
