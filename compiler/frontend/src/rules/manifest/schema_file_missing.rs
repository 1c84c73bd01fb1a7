//! `schema-file-missing`: a prompt, schema, template or context file that does not exist (`language` 1.6, `dispatch` 9.4).
//!
//! None of them is opened by the load. Templated names, names with a scheme and texts of several lines are not looked at.

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexMap;

use super::super::calls::Call;
use super::super::paths::{Leaf, similar_end};
use super::super::prelude::*;
use crate::db::normalize;

pub(crate) const RULE: Rule = Rule {
    id: "schema-file-missing",
    level: Level::Warning,
    summary: "a schema, prompt or template that names no file",
    fixable: Fixable::Sometimes,
};

/// A text that names a file, and the paths under which it may lie.
struct Named<'a> {
    text: &'a Text,
    what: &'static str,
    paths: Vec<Utf8PathBuf>,
    /// Nobody says that it is a path: spoken of only when a file with a similar name exists.
    only_slips: bool,
}

pub(super) fn check<'a>(cx: &'a StoryCx<'a>, calls: &[Call<'a>], out: &mut Vec<Diagnostic>) {
    let mut named: Vec<Named<'a>> = Vec::new();
    manifest(cx, &mut named);
    for call in calls {
        of_call(cx, call, &mut named);
    }
    views(cx, &mut named);
    let mut missing: IndexMap<Utf8PathBuf, Vec<Named<'a>>> = IndexMap::new();
    for name in named {
        if !name.paths.iter().any(|p| exists(cx, p))
            && let Some(first) = name.paths.first()
        {
            missing.entry(first.clone()).or_default().push(name);
        }
    }
    for (path, mut uses) in missing {
        uses.sort_by_key(|u| cx.place_order(u.text.span));
        report(cx, &path, &uses, out);
    }
}

fn report(cx: &StoryCx<'_>, path: &Utf8Path, uses: &[Named<'_>], out: &mut Vec<Diagnostic>) {
    let Some(first) = uses.first() else { return };
    let written = super::super::names::spelled(cx, first.text);
    let at = cx.inside(first.text);
    let mut finding = RULE.at(at, format!("no such {}", first.what)).message(format!(
        "the {} {} does not exist",
        first.what,
        code(&written)
    ));
    for other in uses.iter().skip(1).take(8) {
        let place = cx.inside(other.text);
        if place != at {
            finding = finding.label(place, "used here as well");
        }
    }
    let shown = path.strip_prefix(cx.base_dir()).unwrap_or(path);
    if shown.as_str() != written {
        finding = finding.note(format!("looked for {}", code(shown.as_str())));
    }
    let leaf = if first.what == "folder" {
        Leaf::Folder
    } else {
        Leaf::File
    };
    out.push(match similar_end(cx.db, path, written.trim(), leaf) {
        Some(new) if first.text.made.is_none() => finding
            .help(format!("a file with a similar name is {}", code(&new)))
            .fix(Fix::replace(at, new.clone()).title(format!("change it to {}", code(&new)))),
        _ if first.only_slips => return,
        _ => finding,
    });
}

fn exists(cx: &StoryCx<'_>, path: &Utf8Path) -> bool {
    let Some((folder, name)) = path.parent().zip(path.file_name()) else {
        return false;
    };
    cx.db.listing(folder).entries(cx.db).iter().any(|e| e.name == name)
}

/// A literal name of a file.
fn is_file(text: &Text) -> bool {
    let name = text.as_str();
    !text.is_blank()
        && !name.contains("{{")
        && !name.contains("{%")
        && !name.contains('\n')
        && !name.contains("://")
        && !name.starts_with('@')
        && name.len() <= 512
}

fn push<'a>(out: &mut Vec<Named<'a>>, text: &'a Text, what: &'static str, folders: &[&Utf8Path], ends: &[&str]) {
    if !is_file(text) {
        return;
    }
    let name = text.as_str().trim();
    let paths = folders
        .iter()
        .flat_map(|f| ends.iter().map(move |end| normalize(&f.join(format!("{name}{end}")))));
    out.push(Named {
        text,
        what,
        paths: paths.collect(),
        only_slips: false,
    });
}

/// An argument of a handler that takes any: a path in it is known by its look.
fn of_any_call<'a>(cx: &'a StoryCx<'a>, call: &Call<'a>, out: &mut Vec<Named<'a>>) {
    for (key, what) in [("prompt", "prompt"), ("script", "script")] {
        let Some(text) = call.arg(key).and_then(Any::as_text).filter(|t| is_file(t)) else {
            continue;
        };
        let name = text.as_str();
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
        if name.contains('/') && name.chars().all(plain) && Utf8Path::new(name).extension().is_some() {
            out.push(Named {
                text,
                what,
                paths: vec![normalize(&cx.base_dir().join(name))],
                only_slips: true,
            });
        }
    }
}

fn manifest<'a>(cx: &'a StoryCx<'a>, out: &mut Vec<Named<'a>>) {
    let manifest = &cx.story.manifest;
    let base: &[&Utf8Path] = &[cx.base_dir()];
    if let Some(context) = manifest.app.as_ref().and_then(|a| a.context_path.as_ref()) {
        push(out, &context.value, "file", base, &[""]);
    }
    if let Some(decider) = manifest.decider.value() {
        for (text, what) in [(&decider.schema, "schema"), (&decider.prompt, "prompt")] {
            if let Some(text) = text {
                push(out, &text.value, what, base, &[""]);
            }
        }
    }
    if let Some(prompts) = manifest.prompts.value() {
        let shared = prompts.shared.value().into_iter().flat_map(|s| s.iter());
        for text in shared.chain(prompts.overlay.as_ref().map(|o| &o.value)) {
            push(out, text, "folder", base, &[""]);
        }
    }
    for proposal in manifest.proposals.value().into_iter().flat_map(|p| p.entries.iter()) {
        for step in [&proposal.value.draft, &proposal.value.refine].into_iter().flatten() {
            if let Some(prompt) = &step.prompt {
                push(out, &prompt.value, "prompt", &prompt_folders(cx), &[""]);
            }
        }
    }
}

/// The story's folder and its prompt roots.
fn prompt_folders<'a>(cx: &'a StoryCx<'a>) -> Vec<&'a Utf8Path> {
    vec![cx.base_dir()]
}

fn of_call<'a>(cx: &'a StoryCx<'a>, call: &Call<'a>, out: &mut Vec<Named<'a>>) {
    if call.agent_verb().is_none() {
        // Scripts of `host.starlark.run` have rules of their own.
        if call.verb.as_str() != super::super::starlark::VERB {
            of_any_call(cx, call, out);
        }
        return;
    }
    let roots = cx.story.manifest.prompts.value();
    let shared = roots.and_then(|p| p.shared.value()).into_iter().flat_map(|s| s.iter());
    let overlay = roots.and_then(|p| p.overlay.as_ref()).map(|o| &o.value);
    let roots: Vec<Utf8PathBuf> = shared.chain(overlay).map(|r| cx.base_dir().join(r.as_str())).collect();
    let mut folders: Vec<&Utf8Path> = vec![cx.base_dir()];
    folders.extend(roots.iter().map(Utf8PathBuf::as_path));
    let inner = |outer: &str, key: &str| call.arg(outer).and_then(|v| v.get(key)).and_then(Any::as_text);
    let own = |key: &str| call.arg(key).and_then(Any::as_text);
    let prompts = [own("prompt"), own("prompt_path"), inner("context", "prompt")];
    for text in prompts.into_iter().flatten() {
        push(out, text, "prompt", &folders, &[""]);
    }
    for text in [own("schema"), inner("acceptance", "schema")].into_iter().flatten() {
        push(out, text, "schema", &[cx.base_dir()], &[""]);
    }
}

fn views<'a>(cx: &'a StoryCx<'a>, out: &mut Vec<Named<'a>>) {
    for room in cx.rooms() {
        let Some(folder) = views_folder(room) else { continue };
        let arcs = room
            .room()
            .on
            .iter()
            .flat_map(|on| on.entries.iter())
            .flat_map(|e| e.value.iter());
        let views = room
            .room()
            .view
            .value()
            .into_iter()
            .chain(arcs.filter_map(|arc| arc.view.value()));
        for view in views {
            match &view.form {
                ViewForm::File(file) => push(out, &file.value, "template", &[&folder], &[""]),
                ViewForm::Extends { extends, .. } => {
                    push(
                        out,
                        &extends.value,
                        "template",
                        &[&folder],
                        &["", ".pongo", ".html", ".txt"],
                    );
                }
                _ => {}
            }
        }
    }
}

/// Where the templates of a room lie: in the story that wrote it. `None` when that is not known.
fn views_folder(room: RoomCx<'_>) -> Option<Utf8PathBuf> {
    let aliases: Vec<&str> = room.chain().filter_map(|r| r.room().import_alias.as_deref()).collect();
    match aliases.as_slice() {
        [] => Some(room.story.base_dir().join("views")),
        [alias] => {
            let wrapper = room.story.story.wrappers.iter().find(|w| w.alias == *alias)?;
            Some(wrapper.dir.join("views"))
        }
        _ => None,
    }
}
