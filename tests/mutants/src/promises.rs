//! What holds of every story, whole or broken: places lie in texts, forms of output can be read, the same story gets the same findings
//! however one comes to it, fixes come to an end, the IR is sound.

use std::ops::Range;
use std::sync::Arc;

use kitsoki_compiler::db::{Database, Db};
use kitsoki_compiler::{pipeline, rules};
use kitsoki_diagnostics::fixes::Which;
use kitsoki_diagnostics::{Diagnostic, Registry, Sources as _, render};
use kitsoki_ir::Story;
use kitsoki_syntax::Span;
use serde_json::Value as Json;

use crate::workspace::{Workspace, absolute, system};
use crate::{Held, demand};

/// Every finding is one of a rule, says something, and lies where it says.
///
/// # Errors
/// What does not hold.
pub fn findings(workspace: &Workspace) -> Held {
    let registry = rules::registry();
    workspace
        .findings
        .iter()
        .try_for_each(|f| finding(workspace, &registry, f))
}

fn finding(workspace: &Workspace, registry: &Registry, finding: &Diagnostic) -> Held {
    let told = || format!("{finding:?}");
    demand(registry.get(finding.rule).is_some(), || {
        format!("no rule of that name: {}", told())
    })?;
    let plain = !finding.message.trim().is_empty() && !finding.message.contains('\n');
    demand(plain, || format!("a headline that is no line: {}", told()))?;
    for span in finding.spans() {
        place(workspace, span).map_err(|words| format!("{words}: {}", told()))?;
    }
    for fix in &finding.fixes {
        demand(!fix.edits.is_empty(), || format!("a fix without edits: {}", told()))?;
        let mut last: Option<Span> = None;
        for edit in &fix.edits {
            place(workspace, edit.span).map_err(|words| format!("{words}: {}", told()))?;
            let behind = last.is_none_or(|l| l.file != edit.span.file || l.range.end() <= edit.span.range.start());
            demand(behind, || format!("edits of one fix that overlap: {}", told()))?;
            last = Some(edit.span);
        }
        let same = |e: &kitsoki_diagnostics::Edit| {
            workspace.text(e.span.file).get(Range::<usize>::from(e.span.range)) == Some(e.text.as_str())
        };
        demand(!fix.edits.iter().all(same), || {
            format!("a fix that changes nothing: {}", told())
        })?;
    }
    Ok(())
}

fn place(workspace: &Workspace, span: Span) -> Held {
    let file = workspace.db.file_by_id(span.file);
    let text = file.and_then(|f| f.contents(&workspace.db).text());
    let inside = text.map_or("", |t| t).get(Range::<usize>::from(span.range)).is_some();
    demand(inside, || format!("{span:?} is no part of a file"))
}

/// Every form of output can be made, and those for programs can be read.
///
/// # Errors
/// The form that cannot.
pub fn forms(workspace: &Workspace) -> Held {
    let (all, sources) = (&workspace.findings, workspace);
    let options = render::FullOptions { color: true, width: 60 };
    let _ = render::full(all, sources, options);
    let _ = render::agent(all, sources, 1, "kitsoki check");
    let concise = render::concise(all, sources);
    demand(concise.lines().count() == all.len(), || {
        format!("not one line a finding:\n{concise}")
    })?;
    let github = render::github(all, sources);
    demand(github.lines().all(|l| l.starts_with("::")), || {
        format!("no command of a workflow:\n{github}")
    })?;
    let registry = rules::registry();
    let json = |name: &str, text: &str| {
        let read: Result<Json, _> = serde_json::from_str(text);
        demand(read.is_ok(), || {
            format!("{name} cannot be read: {:?}\n{text}", read.as_ref().err())
        })
    };
    json("json", &render::json(all, sources, 1))?;
    json("gitlab", &render::gitlab(all, sources))?;
    json("sarif", &render::sarif(all, sources, &registry, "0"))?;
    render::jsonl(all, sources)
        .lines()
        .try_for_each(|line| json("jsonl", line))?;
    let junit = render::junit(all, sources);
    let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    demand(!junit.contains(odd), || "junit holds what XML does not".to_owned())
}

/// The IR is sound, whatever it was made of; written and read again it is the same.
///
/// # Errors
/// What is wrong with it.
pub fn ir(workspace: &Workspace) -> Held {
    let story = pipeline::lowered(&workspace.db, workspace.root);
    story.check().map_err(|e| format!("the IR is not sound: {e}"))?;
    let written = story.to_json().map_err(|e| format!("the IR cannot be written: {e}"))?;
    let read = Story::from_json(&written).map_err(|e| format!("the IR cannot be read again: {e}"))?;
    let again = read
        .to_json()
        .map_err(|e| format!("the IR cannot be written again: {e}"))?;
    demand(written == again, || {
        "the IR is not the same when it was written and read".to_owned()
    })
}

/// A second look at the same files finds the same.
///
/// # Errors
/// Both reports, when they differ.
pub fn repeatable(workspace: &Workspace, files: &[(String, String)], manifest: &str) -> Held {
    alike(
        "a second check",
        &workspace.told(),
        &Workspace::check(files, manifest).told(),
    )
}

fn alike(what: &str, now: &str, then: &str) -> Held {
    let differing = || {
        let only = |a: &str, b: &str| {
            a.lines()
                .filter(|l| !b.lines().any(|m| m == *l))
                .collect::<Vec<_>>()
                .join("\n")
        };
        format!(
            "{what} says something else.\n--- only there:\n{}\n--- only here:\n{}",
            only(then, now),
            only(now, then)
        )
    };
    demand(now == then, differing)
}

/// Somebody who edits from one state of the files to the next and back is told what a check of each state says. `states` are
/// the files of each.
///
/// # Errors
/// Both reports of the first state at which they differ.
pub fn edited(states: &[Vec<(String, String)>], manifest: &str) -> Held {
    let Some(first) = states.first() else { return Ok(()) };
    let system = Arc::new(system(first));
    let mut db = Database::for_editing(system.clone());
    let root = db.file(&absolute(manifest));
    let _ = pipeline::findings(&db, root);
    let back = states.iter().rev().skip(1);
    for (n, files) in states.iter().skip(1).chain(back).enumerate() {
        let before = states.iter().flatten();
        for (path, _) in before.filter(|(path, _)| !files.iter().any(|f| f.0 == *path)) {
            system.remove(&absolute(path));
            db.refresh(&absolute(path));
        }
        for (path, text) in files {
            system.write(&absolute(path), text);
            db.refresh_for_findings(&absolute(path));
        }
        let fresh = Database::for_editing(Arc::new(crate::workspace::system(files)));
        let fresh = Workspace::of(fresh, manifest).told();
        alike(
            &format!("edit {n} with words left for later"),
            &Workspace::of(db.clone(), manifest).told(),
            &fresh,
        )?;
        db.settle();
        alike(
            &format!("edit {n}"),
            &Workspace::of(db.clone(), manifest).told(),
            &fresh,
        )?;
    }
    Ok(())
}

/// Fixes applied in passes come to an end, and those that are safe do not make a text that can be read one that cannot.
///
/// # Errors
/// What happened instead.
pub fn fixes(workspace: &Workspace, files: &[(String, String)], manifest: &str, which: Which) -> Held {
    /// As many passes as `check --fix` makes.
    const PASSES: usize = 10;
    let mut text = workspace.fixed(files, which);
    if text == files {
        return Ok(());
    }
    let unreadable = |w: &Workspace| w.errors().filter(|f| f.rule == "yaml-syntax").count();
    let before = unreadable(workspace);
    let counts = |w: &Workspace| {
        let counts = render::counts(&w.findings);
        (counts.errors, counts.warnings)
    };
    let mut least = counts(workspace);
    for _ in 0..PASSES {
        let now = Workspace::check(&text, manifest);
        if which == Which::Safe {
            let after = unreadable(&now);
            demand(after <= before, || format!("{before} faults of YAML became {after}"))?;
        }
        let next = now.fixed(&text, which);
        // What makes it worse `check --fix` takes back, and stops.
        if next == text || counts(&now) > least {
            return Ok(());
        }
        least = counts(&now);
        text = next;
    }
    Err(format!("{which:?} fixes do not come to an end"))
}
