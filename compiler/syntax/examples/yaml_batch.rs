//! Answers the lines of a batch of YAML texts from standard input: `{"id", "yaml", "typed": {"as"}}` in, `{"id", "json"}` or
//! `{"id", "error"}` out. With `"faults": true` every fault of the text is listed instead.

use std::io::{BufRead, Write};

use kitsoki_syntax::decode::{self, FieldKind};
use serde_json::{Value, json};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line: Value = serde_json::from_str(&line?)?;
        let text = line.get("yaml").and_then(Value::as_str).unwrap_or_default();
        let id = line.get("id").cloned().unwrap_or_default();
        if line.get("faults").is_some() {
            writeln!(out, "{}", json!({"id": id, "faults": faults(text)}))?;
            continue;
        }
        let typed = line
            .pointer("/typed/as")
            .and_then(Value::as_str)
            .and_then(FieldKind::from_name);
        let answer = match &typed {
            Some(kind) => decode::field(text, kind),
            None => decode::document(text),
        };
        let mut answer = match answer {
            Ok(value) => json!({"json": serde_json::from_str::<Value>(&value.to_json())?}),
            Err(failure) => json!({"error": {
                "class": failure.class,
                "message": failure.message,
                "start": u32::from(failure.range.start()),
                "end": u32::from(failure.range.end()),
            }}),
        };
        if let Some(object) = answer.as_object_mut() {
            object.insert("id".to_owned(), id);
        }
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

fn faults(text: &str) -> Vec<Value> {
    let parse = kitsoki_syntax::parse(text);
    let place = |range: kitsoki_syntax::TextRange| json!([u32::from(range.start()), u32::from(range.end())]);
    let scalars = parse
        .tree
        .ids()
        .filter(|id| matches!(parse.tree.node(*id).kind, kitsoki_syntax::NodeKind::Scalar(_)));
    let scalars = scalars.count();
    parse
        .faults
        .iter()
        .map(|fault| {
            json!({
                "kind": format!("{:?}", fault.kind),
                "severity": format!("{:?}", fault.severity),
                "at": place(fault.range),
                "message": fault.message,
                "label": fault.label,
                "related": fault.related.iter().map(|(at, label)| json!([place(*at), label])).collect::<Vec<_>>(),
                "help": fault.help,
                "fix": fault.fix.as_ref().map(|fix| json!({
                    "title": fix.title,
                    "safe": fix.safe,
                    "edits": fix.edits.iter().map(|(at, text)| json!([place(*at), text])).collect::<Vec<_>>(),
                })),
                "scalars": scalars,
            })
        })
        .collect()
}
