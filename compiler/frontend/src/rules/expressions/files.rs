//! Template files that a story names: prompts and the files of its views. The reference opens them when it needs them.

use indexmap::IndexMap;
use kitsoki_expr::{ExprError, RefKind, Reference, names};
use kitsoki_syntax::{Span, TextRange};
use rustc_hash::FxHashSet;

use super::super::calls::Call;
use super::super::effects::is_engine_key;
use super::super::prelude::*;
use super::super::words::did_you_mean;
use super::prompt_arg_missing::Passed;
use super::{late_template_error, never_populated, template_unknown_namespace};
use crate::db::SourceFile;

/// Checks every template file that is named literally, each once.
pub(super) fn check(cx: &StoryCx<'_>, calls: &[Call<'_>], out: &mut Vec<Diagnostic>) {
    let mut used: IndexMap<SourceFile, Passed<'_>> = IndexMap::new();
    for call in calls {
        for text in prompts(call) {
            if let Some(file) = file(cx, text) {
                used.entry(file).or_insert_with(|| Passed::new(text)).add(call);
            }
        }
    }
    for (file, passed) in &used {
        prompt(cx, *file, passed, out);
    }
    let mut seen: FxHashSet<SourceFile> = FxHashSet::default();
    for room in cx.rooms() {
        let arcs = room
            .room()
            .on
            .value()
            .into_iter()
            .flat_map(|on| on.entries.iter())
            .flat_map(|e| e.value.iter());
        let views = arcs.filter_map(|a| a.view.as_ref()).chain(room.room().view.as_ref());
        // Files of an imported story know their own names only.
        let own = room.chain().all(|r| r.room().import_alias.is_none());
        for view in views.filter(|_| own) {
            let name = match &view.form {
                ViewForm::File(name) | ViewForm::Extends { extends: name, .. } => &name.value,
                _ => continue,
            };
            if let Some(file) = view_file(cx, name, matches!(view.form, ViewForm::Extends { .. }))
                && seen.insert(file)
            {
                view_template(cx, file, name, out);
            }
        }
    }
}

/// The literal texts of a call that name a prompt.
fn prompts<'a>(call: &Call<'a>) -> Vec<&'a Text> {
    let nested = ["context", "acceptance"]
        .iter()
        .filter_map(|k| call.arg(k)?.get("prompt"));
    let all = call
        .arg("prompt")
        .into_iter()
        .chain(call.arg("prompt_path"))
        .chain(nested);
    let agent = call.agent_verb().is_some();
    all.filter_map(Any::as_text)
        .filter(|t| agent && !t.is_templated() && !t.is_blank() && !t.as_str().contains('\n'))
        .collect()
}

fn file(cx: &StoryCx<'_>, text: &Text) -> Option<SourceFile> {
    let name = text.as_str().trim();
    if name.starts_with('@') || name.contains("://") || name.len() > 512 {
        return None;
    }
    let file = cx.db.file(&cx.base_dir().join(name));
    file.contents(cx.db).text().map(|_| file)
}

fn view_file(cx: &StoryCx<'_>, name: &Text, base: bool) -> Option<SourceFile> {
    let folder = cx.base_dir().join("views");
    let plain = cx.db.file(&folder.join(name.as_str()));
    if plain.contents(cx.db).text().is_some() {
        return Some(plain);
    }
    let file = cx.db.file(&folder.join(format!("{}.pongo", name.as_str())));
    (base && file.contents(cx.db).text().is_some()).then_some(file)
}

fn place(cx: &StoryCx<'_>, file: SourceFile, range: TextRange) -> Span {
    Span::new(file.file_id(cx.db), range)
}

fn prompt(cx: &StoryCx<'_>, file: SourceFile, passed: &Passed<'_>, out: &mut Vec<Diagnostic>) {
    let Some(text) = file.contents(cx.db).text() else {
        return;
    };
    if !text.contains("{{") && !text.contains("{%") {
        return;
    }
    let named = passed.named();
    let (template, errors) = kitsoki_expr::parse_p(text);
    if report(cx, file, named, &errors, out) {
        return;
    }
    let references = template.references();
    template_unknown_namespace::unknown(cx, &references, out, |r| (place(cx, file, r.root_range), true));
    passed.check(cx, text, &references, out, |range| place(cx, file, range));
    let mut told: FxHashSet<&str> = FxHashSet::default();
    for reference in references.iter().filter(|r| read(r)) {
        let root = reference.root.as_str();
        if matches!(
            root,
            "world" | "slots" | "event" | "run" | "menu" | "prerequisites" | "state"
        ) && told.insert(root)
        {
            out.push(
                never_populated::RULE
                    .at(place(cx, file, reference.range), "always empty here")
                    .message(format!("a prompt does not see {}: only `args`", code(root)))
                    .label(cx.inside(named), "the prompt of this call")
                    .help("pass the value with `args` and read it as `args.name`"),
            );
        }
    }
}

fn view_template(cx: &StoryCx<'_>, file: SourceFile, named: &Text, out: &mut Vec<Diagnostic>) {
    let Some(text) = file.contents(cx.db).text() else {
        return;
    };
    let (template, errors) = kitsoki_expr::parse_p_file(text);
    if report(cx, file, named, &errors, out) || cx.story.incomplete.world {
        return;
    }
    let references = template.references();
    template_unknown_namespace::unknown(
        cx,
        &references
            .iter()
            .filter(|r| !r.root.starts_with("_block_"))
            .cloned()
            .collect::<Vec<_>>(),
        out,
        |r| (place(cx, file, r.root_range), true),
    );
    let mut told: FxHashSet<&str> = FxHashSet::default();
    for reference in references.iter().filter(|r| read(r) && r.root == "world") {
        let Some(segment) = reference.path.first() else {
            continue;
        };
        let Some(key) = segment.name() else { continue };
        if cx.world_var(key).is_some() || is_engine_key(key) || !told.insert(key) {
            continue;
        }
        let at = place(cx, file, segment.range);
        let finding = super::super::effects::UNDECLARED_WORLD_KEY
            .at(at, "read here, declared nowhere")
            .message(format!("no world key is called {}", code(key)))
            .label(cx.inside(named), "the view that uses this file");
        let keys = cx.story.manifest.world.value().into_iter().flat_map(|w| w.names());
        out.push(match did_you_mean(key, keys) {
            Some(near) => finding.fix(Fix::replace(at, near).title(format!("change it to {}", code(near)))),
            None => finding,
        });
    }
}

fn read(reference: &Reference) -> bool {
    reference.kind == RefKind::Read && !reference.local
}

/// Whether a file cannot be parsed; says so.
fn report(cx: &StoryCx<'_>, file: SourceFile, named: &Text, errors: &[ExprError], out: &mut Vec<Diagnostic>) -> bool {
    for error in errors {
        let text = file.contents(cx.db).text().map(|t| t.as_ref()).unwrap_or_default();
        let mut finding = late_template_error::RULE
            .at(place(cx, file, error.range), "reading stops here")
            .message(error.message.clone())
            .label(cx.inside(named), "the file is used here");
        if let Some(help) = &error.help {
            finding = finding.help(help.clone());
        }
        let word = text
            .get(std::ops::Range::<usize>::from(error.range))
            .unwrap_or_default();
        let list = match error.class {
            kitsoki_expr::ErrorClass::UnknownFilter => names::FILTERS,
            kitsoki_expr::ErrorClass::UnknownTag => names::TAGS,
            _ => &[],
        };
        if let Some(near) = did_you_mean(word, list.iter().map(|n| n.name)) {
            finding = finding
                .fix(Fix::replace(place(cx, file, error.range), near).title(format!("change it to {}", code(near))));
        }
        out.push(finding);
    }
    !errors.is_empty()
}
