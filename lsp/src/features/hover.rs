//! What is known about the thing under the cursor, in a few lines.

use kitsoki_compiler::db::SourceFile;
use kitsoki_compiler::surface::{Intent, Surface as _};
use kitsoki_expr::names as words;
use kitsoki_expr::tokens::{self, TokenClass};
use kitsoki_syntax::TextRange;

use super::cursor::{self, Spot};
use super::markdown::{code, plain};
use super::symbol_at::{Reach, Use, declarations, hits, is_ours, uses};
use super::{At, Place, Snapshot, facts};
use crate::index::hosts;
use crate::index::resolve::{Symbol, package_names};
use crate::index::schema::{Kind, Role, Sem};

/// A hover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The bytes that it is about.
    pub range: TextRange,
    /// Markdown; texts of authors in it are escaped.
    pub text: String,
}

/// How many places a hover names.
const SHOWN: usize = 3;

/// What is known about a place.
#[must_use]
pub fn hover(snapshot: &Snapshot, at: At) -> Option<Hover> {
    let found = hits(snapshot, at);
    if let Some(hit) = found.first() {
        let mut text = String::new();
        for hit in &found {
            if !text.is_empty() {
                text.push_str("\n\n---\n\n");
            }
            text.push_str(&symbol(snapshot, &hit.symbol, hit.package));
        }
        return Some(Hover {
            range: hit.place.range,
            text,
        });
    }
    if !is_ours(snapshot, at.file) {
        return None;
    }
    match cursor::spot(snapshot, at)? {
        Spot::Key { decl, key, range, .. } => {
            let doc = decl.doc(&key)?;
            let text = format!("{} · a key of {}\n\n{doc}", code(&key), decl.kind);
            Some(Hover { range, text })
        }
        Spot::Argument { key, range, scope } => {
            let verb = hosts::find(scope.verb.as_deref()?)?;
            let (_, required) = verb.arguments().find(|(name, _)| *name == key)?;
            let word = if required { "required" } else { "optional" };
            let text = format!(
                "{} · {word} argument of {}\n\n{}",
                code(&key),
                code(verb.name),
                verb.doc
            );
            Some(Hover { range, text })
        }
        Spot::Value {
            sem,
            text,
            range,
            offset,
            ..
        } => word(sem, &text, offset).map(|text| Hover { range, text }),
    }
}

/// A function, filter, tag or root of an expression.
fn word(sem: Sem, text: &str, offset: usize) -> Option<String> {
    let tokens = match sem {
        Sem::Expr => tokens::of_expr(text),
        Sem::Value | Sem::Bind | Sem::EmitIntent => tokens::of_t(text),
        Sem::View | Sem::Target => tokens::of_p(text),
        _ => return None,
    };
    let token = tokens
        .iter()
        .find(|t| usize::from(t.range.start()) <= offset && offset < usize::from(t.range.end()))?;
    let name = text.get(std::ops::Range::<usize>::from(token.range))?;
    let tables: &[&[words::Named]] = match token.class {
        TokenClass::Function => &[words::FUNCTIONS, words::HELPERS],
        TokenClass::Filter => &[words::FILTERS],
        TokenClass::Keyword => &[words::TAGS, words::TAGS_T],
        TokenClass::Root => &[words::ROOTS, words::ROOTS_P],
        _ => return None,
    };
    let known = tables.iter().flat_map(|t| t.iter()).find(|n| n.name == name)?;
    Some(format!("{}\n\n{}", code(known.signature), known.doc))
}

/// What is known about a symbol, named in the package `from`.
#[must_use]
pub fn symbol(snapshot: &Snapshot, symbol: &Symbol, from: SourceFile) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut head = format!("{} {}", symbol.kind.noun(), code(&symbol.name));
    let manifest = match symbol.kind {
        // What is told about them is made by the package, and holds no words.
        Kind::Agent | Kind::Toolbox => facts::manifest(snapshot, symbol.manifest),
        _ => facts::with_words(snapshot, symbol),
    };
    let name = symbol.name.as_str();
    match symbol.kind {
        Kind::World => {
            if let Some(var) = manifest.world.as_ref().and_then(|w| w.value.get(name)) {
                let ty = var.type_word();
                if !ty.is_empty() {
                    head.push_str(&format!(": {}", code(ty)));
                }
                match var.default_value() {
                    Some(value) => head.push_str(&format!(", default {}", code(&value.emit().to_string()))),
                    None => head.push_str(", absent at first"),
                }
                if let Some(values) = &var.values {
                    let all: Vec<String> = values.value.items.iter().map(|v| code(v.as_str())).collect();
                    lines.push(format!("one of {}", all.join(", ")));
                }
            }
        }
        Kind::State => {
            if let Some(room) = facts::room(manifest, name) {
                if let Some(description) = &room.description {
                    lines.push(plain(description.as_str()));
                }
                let mut about = Vec::new();
                if let Some(ty) = &room.ty {
                    about.push(code(ty.as_str()));
                }
                if room.terminal.as_ref().is_some_and(|t| t.value.value) {
                    about.push("terminal".to_owned());
                }
                if let Some(mode) = &room.write_mode {
                    about.push(format!("write mode {}", code(mode.as_str())));
                }
                for (key, there) in [
                    ("workbench", room.workbench.is_some()),
                    ("agent_off_ramp", room.agent_off_ramp.is_some()),
                ] {
                    if there {
                        about.push(format!("expands `{key}`"));
                    }
                }
                if !about.is_empty() {
                    lines.push(about.join(" · "));
                }
                let arcs: Vec<String> = room
                    .on
                    .as_ref()
                    .into_iter()
                    .flat_map(|on| on.value.entries.iter())
                    .map(|e| code(e.name.as_str()))
                    .collect();
                if !arcs.is_empty() {
                    lines.push(format!("takes {}", arcs.join(", ")));
                }
            }
        }
        Kind::Intent => {
            if let Some(intent) = facts::intent(manifest, name, &symbol.owner) {
                intent_lines(intent, &mut lines);
            }
        }
        Kind::Slot => {
            if let Some(slot) = facts::slot(manifest, name, &symbol.owner) {
                if let Some(ty) = &slot.ty {
                    head.push_str(&format!(": {}", code(ty.as_str())));
                }
                let required = slot.required.as_ref().is_some_and(|r| r.value.value);
                head.push_str(if required { ", required" } else { ", optional" });
                if let Some(default) = &slot.default {
                    head.push_str(&format!(", default {}", code(&default.value.emit().to_string())));
                }
                if let Some(values) = &slot.values {
                    let all: Vec<String> = values.value.items.iter().map(|v| code(v.as_str())).collect();
                    lines.push(format!("one of {}", all.join(", ")));
                }
                if let Some(description) = &slot.description {
                    lines.push(plain(description.as_str()));
                }
            }
            lines.push(format!("of the intent {}", code(&symbol.owner)));
        }
        Kind::Agent => {
            if let Some(agent) = manifest.agents.as_ref().and_then(|a| a.value.get(name)) {
                for (word, field) in [
                    ("effect class", &agent.effect),
                    ("model", &agent.model),
                    ("toolbox", &agent.toolbox),
                    ("provider", &agent.provider),
                ] {
                    if let Some(field) = field {
                        lines.push(format!("{word} {}", code(field.as_str())));
                    }
                }
                tools(agent.tools.as_ref().map(|t| &t.value), &mut lines);
            } else if kitsoki_compiler::BUILTIN_AGENTS.contains(&name) {
                lines.push("built in".to_owned());
            }
        }
        Kind::Toolbox => {
            if let Some(toolbox) = manifest.toolboxes.as_ref().and_then(|t| t.value.get(name)) {
                if let Some(effect) = &toolbox.effect {
                    lines.push(format!("effect class {}", code(effect.as_str())));
                }
                tools(toolbox.tools.as_ref().map(|t| &t.value), &mut lines);
            }
        }
        Kind::Host => {
            if let Some(verb) = hosts::find(name) {
                lines.push(verb.doc.to_owned());
                lines.push(format!("{} · effect class `{}`", code(&verb.signature()), verb.effect));
                if !verb.results.is_empty() {
                    let results: Vec<String> = verb.results.iter().map(|r| code(r)).collect();
                    lines.push(format!("gives {}", results.join(", ")));
                }
            }
        }
        Kind::Interface => {
            if let Some(interface) = manifest.host_interfaces.as_ref().and_then(|i| i.value.get(name)) {
                if let Some(description) = &interface.description {
                    lines.push(plain(description.as_str()));
                }
                for op in interface.operations.iter().flat_map(|o| o.value.entries.iter()) {
                    let effect = op
                        .value
                        .effect
                        .as_ref()
                        .map(|e| format!(" · effect class {}", code(e.as_str())));
                    lines.push(format!("{}{}", code(op.name.as_str()), effect.unwrap_or_default()));
                }
                if let Some(default) = &interface.default {
                    lines.push(format!("answered by {}", code(default.as_str())));
                }
            }
        }
        Kind::Import => {
            if let Some(import) = manifest.imports.as_ref().and_then(|i| i.value.get(name)) {
                if let Some(source) = &import.source {
                    lines.push(format!("of {}", code(source.as_str())));
                }
                if let Some(entry) = &import.entry {
                    lines.push(format!("enters {}", code(entry.as_str())));
                }
            }
            let child = package_names(&snapshot.db, symbol.manifest)
                .imports
                .iter()
                .find(|(alias, _)| alias == name)
                .map(|(_, child)| *child);
            if let Some(title) = child.and_then(|c| facts::title(snapshot, c)) {
                lines.push(plain(title.as_str()));
            }
        }
        Kind::Exit => {
            let exit = manifest.exits.as_ref().and_then(|e| e.value.get(name));
            if let Some(exit) = exit {
                if let Some(description) = &exit.description {
                    lines.push(plain(description.as_str()));
                }
                let keys: Vec<String> = exit
                    .requires
                    .iter()
                    .flat_map(|r| r.value.items.iter())
                    .map(|k| code(k.as_str()))
                    .collect();
                if !keys.is_empty() {
                    lines.push(format!("requires {}", keys.join(", ")));
                }
            }
        }
        Kind::Operation => {
            let operation = manifest.operations.as_ref().and_then(|o| o.value.get(name));
            if let Some(title) = operation.and_then(|o| o.title.as_ref()) {
                lines.push(plain(title.as_str()));
            }
        }
        Kind::Provider
        | Kind::Plugin
        | Kind::Template
        | Kind::Phase
        | Kind::Parameter
        | Kind::Mode
        | Kind::Call
        | Kind::Proposal => {}
    }
    if symbol.kind != Kind::Host {
        let all = uses(snapshot, symbol, Reach::Package);
        used(snapshot, &all, &mut lines);
        if symbol.manifest != from {
            lines.push(format!("declared in {}", shown_path(snapshot, symbol.manifest)));
        } else if all.iter().all(|u| u.role != Role::Definition)
            && let Some((place, _)) = declarations(snapshot, symbol).first()
        {
            lines.push(format!("made because of {}", shown(snapshot, *place)));
        }
    }
    lines.insert(0, head);
    lines.join("\n\n")
}

fn intent_lines(intent: &Intent, lines: &mut Vec<String>) {
    for text in [&intent.title, &intent.description].into_iter().flatten() {
        lines.push(plain(text.as_str()));
    }
    for slot in intent.slots.iter().flat_map(|s| s.value.entries.iter()) {
        let ty = slot.value.ty.as_ref().map(|t| format!(": {}", code(t.as_str())));
        let required = slot.value.required.as_ref().is_some_and(|r| r.value.value);
        lines.push(format!(
            "slot {}{}{}",
            code(slot.name.as_str()),
            ty.unwrap_or_default(),
            if required { ", required" } else { "" }
        ));
    }
}

fn tools(list: Option<&kitsoki_compiler::surface::List<kitsoki_compiler::surface::Text>>, lines: &mut Vec<String>) {
    let all: Vec<String> = list
        .into_iter()
        .flat_map(|l| l.items.iter())
        .map(|t| code(t.as_str()))
        .collect();
    if !all.is_empty() {
        lines.push(format!("tools {}", all.join(", ")));
    }
}

/// Who reads it and who writes it.
fn used(snapshot: &Snapshot, all: &[Use], lines: &mut Vec<String>) {
    for (role, word) in [(Role::Write, "written"), (Role::Read, "read"), (Role::Call, "used")] {
        let places: Vec<&Use> = all.iter().filter(|u| u.role == role).collect();
        if places.is_empty() {
            continue;
        }
        let shown: Vec<String> = places.iter().take(SHOWN).map(|u| shown(snapshot, u.place)).collect();
        let rest = places.len().saturating_sub(SHOWN);
        let more = if rest == 0 {
            String::new()
        } else {
            format!(" and {rest} more")
        };
        lines.push(format!("{word} at {}{more}", shown.join(", ")));
    }
}

/// A place for people: file and line.
fn shown(snapshot: &Snapshot, place: Place) -> String {
    let line = snapshot.lines(place.file).line_col(place.range.start()).line;
    let path = short_path(snapshot, place.file);
    code(&format!("{path}:{line}"))
}

fn shown_path(snapshot: &Snapshot, file: SourceFile) -> String {
    code(&short_path(snapshot, file))
}

/// The path below the nearest opened folder.
#[must_use]
pub fn short_path(snapshot: &Snapshot, file: SourceFile) -> String {
    let path = file.path(&snapshot.db);
    let folders = snapshot.workspace.folders.iter();
    let below = folders
        .filter_map(|f| path.strip_prefix(f).ok())
        .min_by_key(|p| p.as_str().len());
    below.unwrap_or(path).to_string()
}
