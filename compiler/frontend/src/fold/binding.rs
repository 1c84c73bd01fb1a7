//! Host interfaces of a child and what an importer binds them to (`imports` 9.3).

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use kitsoki_diagnostics::Diagnostic;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::assets::exists;
use crate::db::{Contents, Db, ReadError, SourceFile, normalize};
use crate::rules::cx::place;
use crate::rules::imports as rules;
use crate::rules::starlark::sidecar;
use crate::surface::{Binding, Import, Made, Text};
use kitsoki_syntax::text_range;

/// What an interface is bound to: the final handler's name, with the binding's own key.
pub(super) struct Bound<'a> {
    pub key: &'a Text,
    pub handler: Text,
}

/// Names of script handlers and their scripts.
pub(super) type Scripts = BTreeMap<SmolStr, Utf8PathBuf>;

/// Reads `host_bindings`: scripts become handlers. `Err` holds what is wrong with the scripts; the child is not loaded then.
pub(super) fn read<'a>(
    db: &dyn Db,
    importer: SourceFile,
    import: &'a Import,
    scripts: &mut Scripts,
) -> Result<FxHashMap<&'a str, Bound<'a>>, Vec<Diagnostic>> {
    let mut bound = FxHashMap::default();
    let mut wrong = Vec::new();
    for entry in import.host_bindings.iter().flat_map(|m| m.entries.iter()) {
        let handler = match &entry.value {
            Binding::Handler(text) => trimmed(text),
            Binding::Script(text) => {
                let path = normalize(&importer.dir(db).join(text.as_str().trim()));
                if let Err(finding) = script(db, text, &path) {
                    wrong.push(*finding);
                    continue;
                }
                let name = handler_name(path.as_str());
                scripts.insert(name.clone(), path);
                Text::made(name, Made::Import, text.span)
            }
        };
        bound.insert(
            entry.name.as_str(),
            Bound {
                key: &entry.name,
                handler,
            },
        );
    }
    if wrong.is_empty() { Ok(bound) } else { Err(wrong) }
}

/// A handler's name without the white space around it.
fn trimmed(text: &Text) -> Text {
    let name = text.as_str();
    let start = name.len() - name.trim_start().len();
    let end = start + name.trim().len();
    let around = [(0..start, String::new()), (end..name.len(), String::new())];
    text.replaced(
        &around
            .into_iter()
            .filter(|(range, _)| !range.is_empty())
            .collect::<Vec<_>>(),
    )
}

fn script(db: &dyn Db, text: &Text, path: &Utf8PathBuf) -> Result<(), Box<Diagnostic>> {
    let at = place(db, text, text_range(0, text.text.len()));
    let written = text.as_str().trim();
    if !exists(db, path) {
        return Err(Box::new(rules::import_binding_script(at, written)));
    }
    let file = db.file(Utf8PathBuf::from(format!("{path}.yaml")).as_path());
    match file.contents(db) {
        Contents::Failed(ReadError::Missing) => {
            return Err(Box::new(rules::import_binding_script::no_sidecar(at, written)));
        }
        Contents::Failed(_) => return Err(Box::new(rules::import_binding_script::unreadable(at, written))),
        _ => {}
    }
    match sidecar::read(db, file).faults.into_iter().next() {
        Some(fault) => Err(Box::new(rules::import_binding_script::malformed(
            at,
            written,
            fault.span,
            &fault.label,
            &fault.message,
        ))),
        None => Ok(()),
    }
}

/// The name of the handler of a script: the same for the same script, wherever it is bound.
fn handler_name(path: &str) -> SmolStr {
    let digest = super::sha1::hex(path.as_bytes());
    smol_str::format_smolstr!("host.starlark_binding.{}", digest.get(..16).unwrap_or(&digest))
}

/// The binding that reaches an interface: by its name, else by what stands behind its last `__`.
pub(super) fn of<'m, 'a>(bound: &'m FxHashMap<&'a str, Bound<'a>>, interface: &str) -> Option<&'m Bound<'a>> {
    bound
        .get(interface)
        .or_else(|| bound.get(interface.rsplit_once("__")?.1))
}
