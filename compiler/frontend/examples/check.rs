//! A small stand-in for the command line: `check APP` prints the findings as JSON, `compile APP` the desugared story.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Database, Db, RealSystem};
use kitsoki_compiler::pipeline;
use kitsoki_compiler::surface::Surface;
use kitsoki_diagnostics::{Diagnostic, Label, Level};
use kitsoki_syntax::{LineIndex, Span, TextSize};
use serde_json::{Value as Json, json};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let run = std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(move || real_main(&args));
    std::process::exit(run.ok().and_then(|t| t.join().ok()).unwrap_or(101));
}

fn real_main(args: &[String]) -> i32 {
    let command = args.first().map_or("", String::as_str);
    let Some(path) = args
        .iter()
        .skip(1)
        .rfind(|a| a.ends_with(".yaml") || a.ends_with(".yml"))
    else {
        return 2;
    };
    let here = Utf8PathBuf::from_path_buf(std::env::current_dir().unwrap_or_default()).unwrap_or_default();
    let db = Database::new(Arc::new(RealSystem));
    let root = db.file(&here.join(path));
    let findings = &pipeline::findings(&db, root);
    let errors = findings.iter().filter(|f| f.severity == Level::Error).count();
    if command == "compile" {
        if errors > 0 {
            eprintln!(
                "{}",
                serde_json::to_string_pretty(&report(&db, &here, findings)).unwrap_or_default()
            );
            return 1;
        }
        let story = pipeline::story(&db, root);
        println!(
            "{}",
            json!({"schema": 1, "stage": "desugared", "story": story.manifest.emit(), "origins": []})
        );
        return 0;
    }
    println!(
        "{}",
        serde_json::to_string_pretty(&report(&db, &here, findings)).unwrap_or_default()
    );
    i32::from(errors > 0)
}

fn report(db: &Database, here: &Utf8Path, findings: &[Diagnostic]) -> Json {
    let count = |level| findings.iter().filter(|f| f.severity == level).count();
    let list: Vec<Json> = findings
        .iter()
        .map(|f| {
            let severity = match f.severity {
                Level::Error => "error",
                Level::Warning => "warning",
                _ => "hint",
            };
            json!({
                "rule": f.rule, "severity": severity, "message": f.message,
                "primary": f.primary.as_ref().map(|l| place(db, here, l.span)),
                "labels": f.labels.iter().map(|l| label(db, here, l)).collect::<Vec<_>>(),
                "notes": f.helps.iter().chain(&f.notes).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({"schema": 1, "diagnostics": list,
           "summary": {"errors": count(Level::Error), "warnings": count(Level::Warning), "hints": count(Level::Hint), "files": 1}})
}

fn label(db: &Database, here: &Utf8Path, l: &Label) -> Json {
    let mut out = place(db, here, l.span);
    if let Some(o) = out.as_object_mut() {
        o.insert("message".into(), Json::String(l.message.clone()));
    }
    out
}

fn place(db: &Database, here: &Utf8Path, span: Span) -> Json {
    let Some(file) = db.file_by_id(span.file) else {
        return Json::Null;
    };
    let path = file.path(db);
    let text = file.contents(db).text().cloned().unwrap_or_else(|| "".into());
    let index = LineIndex::new(&text);
    let at = |offset: TextSize| {
        let place = index.line_col(offset);
        json!({"line": place.line, "column": place.col, "offset": u32::from(offset)})
    };
    json!({"file": path.strip_prefix(here).unwrap_or(path).as_str(),
           "range": {"start": at(span.range.start()), "end": at(span.range.end())}})
}
