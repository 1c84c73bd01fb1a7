//! Reads the files of `include:` and merges what they may carry (`language` 1.5).

use camino::Utf8Path;
use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::{FileId, Span, text_range};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::{Package, agents, glob};
use crate::db::{Db, SourceFile};
use crate::pipeline::{decoded, is_blank, unreadable};
use crate::rules::cx::place;
use crate::rules::include as rules;
use crate::rules::paths::{self, Leaf};
use crate::rules::words::did_you_mean;
use crate::story::Incomplete;
use crate::surface::{Field, List, Manifest, Map, Text};

/// One file that a pattern matches.
pub(super) struct Included {
    pub file: SourceFile,
    /// The pattern.
    pub pattern: Span,
}

/// The files that the patterns of `include:` match, in order; a file matched twice stands there twice.
pub(super) fn find(db: &dyn Db, package: &mut Package) -> Vec<Included> {
    let mut found = Vec::new();
    let Some(include) = package.manifest.include.clone() else {
        return found;
    };
    for pattern in &include.value {
        match glob::expand(db, &package.dir, pattern.as_str()) {
            Err(glob::Malformed) => {
                package
                    .findings
                    .push(rules::include_pattern(pattern.span, pattern.as_str()));
                package.incomplete = Incomplete::all();
            }
            Ok(files) if files.is_empty() => {
                let near = similar(db, &package.dir, pattern.as_str());
                let inside = place(db, pattern, text_range(0, pattern.text.len()));
                package.findings.push(rules::include_no_match(
                    pattern.span,
                    inside,
                    pattern.as_str(),
                    near.as_deref(),
                ));
            }
            Ok(files) => {
                for file in files {
                    if let Some(error) = unreadable(db, file) {
                        let shown = file.path(db).strip_prefix(&package.dir).unwrap_or(file.path(db));
                        package
                            .findings
                            .push(rules::include_unreadable(pattern.span, shown.as_str(), error));
                        package.incomplete = Incomplete::all();
                    } else {
                        found.push(Included {
                            file,
                            pattern: pattern.span,
                        });
                    }
                }
            }
        }
    }
    found
}

/// A pattern like one that matches nothing, with its folder or its extension changed, that matches something.
fn similar(db: &dyn Db, dir: &Utf8Path, pattern: &str) -> Option<String> {
    let matches = |p: &String| glob::expand(db, dir, p).is_ok_and(|files| !files.is_empty());
    let (folder, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let folders = [
        Some(folder.to_owned()),
        (!glob::has_meta(folder))
            .then(|| paths::similar(db, dir, folder, Leaf::Folder))
            .flatten(),
    ];
    let names = || {
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let near = did_you_mean(extension, ["yaml", "yml"]);
        let other = near.or_else(|| ["yaml", "yml"].into_iter().find(|e| extension != *e && stem != name));
        let own = [Some(name.to_owned()), other.map(|e| format!("{stem}.{e}"))];
        own.into_iter().flatten()
    };
    let join = |folder: &str, name: &str| {
        if folder.is_empty() {
            name.to_owned()
        } else {
            format!("{folder}/{name}")
        }
    };
    let changed = folders
        .into_iter()
        .flatten()
        .flat_map(|f| names().map(move |n| join(&f, &n)));
    let files = (!glob::has_meta(pattern))
        .then(|| paths::similar(db, dir, pattern, Leaf::File))
        .flatten();
    changed.chain(files).filter(|p| p != pattern).find(matches)
}

/// Merges the files into the manifest.
pub(super) fn merge_all(db: &dyn Db, package: &mut Package, included: &[Included], boxes: &agents::ToolboxPlaces) {
    let mut names = Names::of(&package.manifest);
    let mut seen: FxHashMap<SourceFile, Span> = FxHashMap::default();
    for Included { file, pattern } in included {
        let decoded = decoded(db, *file);
        if *file == package.file || seen.contains_key(file) {
            // One cause, one finding: every name of the file collides with itself.
            if let Some(first) = decoded.manifest.as_deref().and_then(first_name) {
                let earlier = seen.get(file).copied();
                package.findings.push(rules::include_collision::itself(
                    *pattern,
                    earlier.unwrap_or(first.span),
                    &first,
                ));
            }
            continue;
        }
        seen.insert(*file, *pattern);
        package.files.push(*file);
        package.findings.extend(decoded.findings.iter().cloned());
        if is_blank(db, *file) && decoded.incomplete == Incomplete::default() {
            let text = file.contents(db).text().map_or("", |t| t);
            package.findings.push(rules::include_empty(file.file_id(db), text));
        }
        package.incomplete.join(&decoded.missing());
        let Some(manifest) = &decoded.manifest else { continue };
        let mut manifest = Manifest::clone(manifest);
        agents::resolve(db, file.dir(db), &mut manifest, boxes, &mut package.findings);
        merge(&mut package.manifest, manifest, &mut names, &mut package.findings);
    }
}

/// The names of the merged manifest, by section.
struct Names {
    sections: [FxHashMap<SmolStr, Span>; 10],
    hosts: FxHashSet<SmolStr>,
}

/// A key, the author's word for what it holds.
const SECTIONS: [&str; 10] = [
    "room",
    "phase template",
    "checkpoint intent",
    "proposal",
    "intent",
    "world key",
    "meta mode",
    "agent",
    "provider",
    "toolbox",
];

impl Names {
    fn of(m: &Manifest) -> Self {
        fn table<T>(map: &Option<Field<Map<T>>>) -> FxHashMap<SmolStr, Span> {
            let entries = map.iter().flat_map(|m| m.entries.iter());
            entries.map(|e| (e.name.text.clone(), e.name.span)).collect()
        }
        Self {
            sections: [
                table(&m.states),
                table(&m.phase_templates),
                table(&m.checkpoint_intents),
                table(&m.proposals),
                table(&m.intents),
                table(&m.world),
                table(&m.meta_modes),
                table(&m.agents),
                table(&m.providers),
                table(&m.toolboxes),
            ],
            hosts: m
                .hosts
                .iter()
                .flat_map(|h| h.items.iter())
                .map(|h| h.text.clone())
                .collect(),
        }
    }
}

/// The first name that a file would merge, in the order of the file.
fn first_name(m: &Manifest) -> Option<Text> {
    fn first<T>(map: &Option<Field<Map<T>>>) -> Option<&Text> {
        map.as_ref()?.entries.first().map(|e| &e.name)
    }
    [
        first(&m.states),
        first(&m.phase_templates),
        first(&m.checkpoint_intents),
        first(&m.proposals),
        first(&m.intents),
        first(&m.world),
        first(&m.meta_modes),
        first(&m.agents),
        first(&m.providers),
        first(&m.toolboxes),
    ]
    .into_iter()
    .flatten()
    .min_by_key(|t| t.span.range.start())
    .cloned()
}

/// Merges `src` into `dst`; what cannot be merged is reported.
fn merge(dst: &mut Manifest, src: Manifest, names: &mut Names, findings: &mut Vec<Diagnostic>) {
    for (key, name) in dropped(&src) {
        findings.push(rules::include_dropped_section(key, name));
    }
    let [
        rooms,
        templates,
        checkpoints,
        proposals,
        intents,
        world,
        modes,
        agents,
        providers,
        toolboxes,
    ] = &mut names.sections;
    let [w0, w1, w2, w3, w4, w5, w6, w7, w8, w9] = SECTIONS;
    merge_map(&mut dst.states, src.states, rooms, w0, findings);
    merge_map(&mut dst.phase_templates, src.phase_templates, templates, w1, findings);
    merge_map(
        &mut dst.checkpoint_intents,
        src.checkpoint_intents,
        checkpoints,
        w2,
        findings,
    );
    merge_map(&mut dst.proposals, src.proposals, proposals, w3, findings);
    merge_map(&mut dst.intents, src.intents, intents, w4, findings);
    merge_map(&mut dst.world, src.world, world, w5, findings);
    merge_map(&mut dst.meta_modes, src.meta_modes, modes, w6, findings);
    merge_map(&mut dst.agents, src.agents, agents, w7, findings);
    merge_map(&mut dst.providers, src.providers, providers, w8, findings);
    merge_map(&mut dst.toolboxes, src.toolboxes, toolboxes, w9, findings);
    match (&dst.phases, src.phases) {
        (Some(first), Some(second)) => findings.push(rules::include_phases_twice(second.key, first.key)),
        (None, second) => dst.phases = second,
        (Some(_), None) => {}
    }
    if let Some(hosts) = src.hosts {
        let all = dst
            .hosts
            .get_or_insert_with(|| Field::new(hosts.key, List::made(Vec::new(), hosts.span)));
        for host in hosts.into_value().items {
            if names.hosts.insert(host.text.clone()) {
                all.value.items.push(host);
            }
        }
    }
}

fn merge_map<T: Clone>(
    dst: &mut Option<Field<Map<T>>>,
    src: Option<Field<Map<T>>>,
    names: &mut FxHashMap<SmolStr, Span>,
    kind: &str,
    findings: &mut Vec<Diagnostic>,
) {
    let Some(src) = src else { return };
    let all = dst.get_or_insert_with(|| Field::new(src.key, Map::made(src.span)));
    for entry in src.into_value().entries {
        match names.get(&entry.name.text) {
            Some(first) => findings.push(rules::include_collision(&entry.name, *first, kind)),
            None => {
                names.insert(entry.name.text.clone(), entry.name.span);
                all.value.entries.push(entry);
            }
        }
    }
}

/// The sections that an included file may not carry, with the place of their key.
fn dropped(m: &Manifest) -> Vec<(Span, &'static str)> {
    const KEYS: [&str; 13] = [
        "app",
        "root",
        "off_path",
        "agent_plugins",
        "include",
        "decider",
        "operations",
        "imports",
        "exits",
        "exports",
        "host_interfaces",
        "prompts",
        "routing",
    ];
    let nowhere = FileId(u32::MAX);
    let found = KEYS.iter().filter_map(|key| m.key_span(key).map(|span| (span, *key)));
    found.filter(|(span, _)| span.file != nowhere).collect()
}
