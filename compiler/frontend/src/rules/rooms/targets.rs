//! Where a target leads, and what was meant when it leads nowhere: shared by the rules about targets and redirects.

use kitsoki_diagnostics::{Diagnostic, Rule, code};
use kitsoki_syntax::Span;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::super::cx::StoryCx;
use super::super::names::{self, Known, Lost, Near, Use, Words};
use super::super::words::did_you_mean;
use crate::surface::{Optional, Text};

/// The dotted path that a target means in a room at `from`, as the load resolves it (`language` 3.7). Exits are no paths
/// and stay as they are.
pub(crate) fn full_path(from: &str, target: &str) -> String {
    if !target.starts_with("..") {
        return target.replace('/', ".");
    }
    let mut path: Vec<&str> = if from.is_empty() {
        Vec::new()
    } else {
        from.split('.').collect()
    };
    for segment in target.split('/') {
        match segment {
            ".." => {
                path.pop();
            }
            "" | "." => {}
            other => path.push(other),
        }
    }
    path.join(".")
}

/// Adds a target that leads nowhere.
pub(crate) fn check<'a>(
    cx: &'a StoryCx<'a>,
    target: &'a Text,
    from: &'a str,
    rule: &'static Rule,
    label: &'static str,
    lost: &mut Lost<'a>,
) -> bool {
    let path = full_path(from, target.as_str());
    if cx.rooms.contains_key(path.as_str()) {
        return true;
    }
    // The same words mean different rooms in different places, so the words belong to the key.
    let key = if target.text.starts_with("..") || target.text.starts_with('.') {
        format!("{from}|{}", target.text)
    } else {
        target.text.to_string()
    };
    lost.add(&key, Use::whole(target, from, rule, label));
    false
}

/// Reports the targets that [`check`] found; returns the declarations that were meant.
pub(crate) fn report<'a>(cx: &'a StoryCx<'a>, lost: Lost<'a>, out: &mut Vec<Diagnostic>) -> FxHashSet<Span> {
    let known: Vec<Known<'a>> = cx
        .rooms
        .values()
        .filter(|e| !e.path.contains("story_authoring") && !e.path.starts_with("__exit__"))
        .map(|e| Known {
            name: e.path.as_str(),
            at: Some(e.name),
        })
        .collect();
    // Whoever names a room that is not found may have meant any room of that name.
    let leaf = |path: &str| SmolStr::new(path.rsplit(['.', '/']).next().unwrap_or(path));
    let lost_names: FxHashSet<SmolStr> = lost.names().map(leaf).collect();
    let alike = cx.rooms.values().filter(|e| lost_names.contains(&leaf(&e.path)));
    let mut meant: FxHashSet<Span> = alike.map(|e| e.name.span).collect();
    let words = Words {
        kind: "a room",
        kinds: "rooms",
    };
    let near = lost.report_with(
        &words,
        &known,
        |finding, name, used| describe(cx, finding, name, used),
        |used| near(cx, used, &known),
        out,
    );
    meant.extend(near);
    meant
}

fn describe(cx: &StoryCx<'_>, finding: Diagnostic, name: &str, used: &Use<'_>) -> Diagnostic {
    let target = used.text.as_str();
    if let Some(exit) = target.strip_prefix("@exit:") {
        let finding = finding.message(format!("the exit {} leads nowhere here", code(exit)));
        return if cx.story.manifest.exits.is_none() {
            finding.help("declare it under `exits:` of the manifest")
        } else {
            finding
        };
    }
    if target.contains("{%") {
        return finding
            .message("a target is a room name or a `{{ … }}` template")
            .note("block tags alone do not make a target a template");
    }
    let path = full_path(used.room, target);
    let finding = finding.message(format!("no room is called {}", code(name)));
    if used.text.edits.is_none() && used.text.made.is_none() && path != target {
        finding.note(format!("from room {} it means {}", code(used.room), code(&path)))
    } else {
        finding
    }
}

/// The target that was probably meant.
fn near<'a>(cx: &'a StoryCx<'a>, used: &Use<'a>, known: &[Known<'a>]) -> Option<Near<'a>> {
    let text = used.text;
    if text.made.is_some() {
        return None;
    }
    let written = used.spelled(cx);
    if written.starts_with('@') {
        return exit(cx, &written);
    }
    if written.starts_with("..") {
        return relative(cx, used, &written);
    }
    // A root with slashes.
    let dotted = written.replace('/', ".");
    if let Some(exact) = known.iter().find(|k| used.room.is_empty() && k.name == dotted) {
        return Some(Near {
            spelling: dotted,
            at: exact.at,
        });
    }
    let bare = written.trim_start_matches("./");
    // A sibling or a child of that name: the author thought of a relative name.
    if let Some(near) = family(cx, used, bare) {
        return Some(near);
    }
    // A name that does not exist in a child keeps its spelling in the fold; what it means stands below the import.
    let around = cx
        .room(used.room)
        .and_then(|r| r.chain().find(|r| r.room().import_alias.is_some()));
    let wrapper = around.map(|r| format!("{}.", r.path())).unwrap_or_default();
    let prefix = match text.as_str().strip_suffix(written.as_str()) {
        // The fold writes a bare name of a child as one that starts at its top.
        Some(up) if up.trim_start_matches("../").is_empty() => wrapper.as_str(),
        None => wrapper.as_str(),
        Some(prefix) => prefix,
    };
    if let Some(near) = names::nearest(&written.replace('/', "."), prefix, known) {
        return Some(near);
    }
    // The last word alone is right or nearly so.
    let leaf = written.rsplit(['.', '/']).next().unwrap_or(&written);
    let mut same = known
        .iter()
        .filter(|k| k.name.rsplit('.').next() == Some(leaf) && !leaf.is_empty());
    match (same.next(), same.next()) {
        (Some(only), None) => Some(Near {
            spelling: only.name.strip_prefix(prefix).unwrap_or(only.name).to_owned(),
            at: only.at,
        }),
        _ => None,
    }
}

/// A declared exit with a similar name.
fn exit<'a>(cx: &'a StoryCx<'a>, written: &str) -> Option<Near<'a>> {
    let exits = names::of_map(cx.story.manifest.exits.value());
    let near = names::nearest(written.strip_prefix("@exit:")?, "", &exits)?;
    Some(Near {
        spelling: format!("@exit:{}", near.spelling),
        at: near.at,
    })
}

/// `../name` with a slip in the last word: a sibling of the place it leads to.
fn relative<'a>(cx: &'a StoryCx<'a>, used: &Use<'a>, written: &str) -> Option<Near<'a>> {
    let path = full_path(used.room, used.text.as_str());
    let (parent, leaf) = path.rsplit_once('.').unwrap_or(("", path.as_str()));
    let head = written.strip_suffix(leaf)?;
    let siblings = children(cx, parent);
    let word = did_you_mean(leaf, siblings.iter().map(|(name, _)| *name))?;
    let (name, at) = siblings.iter().find(|(name, _)| *name == word)?;
    Some(Near {
        spelling: format!("{head}{name}"),
        at: Some(at),
    })
}

/// A sibling or child of the room that is called `name`.
fn family<'a>(cx: &'a StoryCx<'a>, used: &Use<'a>, name: &str) -> Option<Near<'a>> {
    if name.is_empty() || used.room.is_empty() {
        return None;
    }
    if let Some((parent, own)) = used.room.rsplit_once('.') {
        let siblings = children(cx, parent);
        if let Some((_, at)) = siblings.iter().find(|(n, _)| *n == name && *n != own) {
            return Some(Near {
                spelling: format!("../{name}"),
                at: Some(at),
            });
        }
    }
    let (_, at) = children(cx, used.room).into_iter().find(|(n, _)| *n == name)?;
    let path = used.text.edits.is_none().then(|| format!("{}.{name}", used.room))?;
    Some(Near {
        spelling: path,
        at: Some(at),
    })
}

/// The names of the rooms directly inside of `parent`; of the top level when it is empty.
fn children<'a>(cx: &'a StoryCx<'a>, parent: &str) -> Vec<(&'a str, &'a Text)> {
    let states = if parent.is_empty() {
        cx.story.manifest.states.value()
    } else {
        cx.rooms.get(parent).and_then(|e| e.room.states.value())
    };
    let entries = states.into_iter().flat_map(|s| s.entries.iter());
    entries.map(|e| (e.name.as_str(), &e.name)).collect()
}
