//! `kitsoki explain`: the page of a rule, the keys of a kind of declaration, or the list of all rules.

use std::fmt::Write as _;

use kitsoki_diagnostics::Level;
use miette::miette;
use serde_json::{Value, json};

use crate::app::Exit;
use crate::args::ExplainArgs;
use crate::output;

include!(concat!(env!("OUT_DIR"), "/rule_pages.rs"));

/// The page of a rule, when there is one.
#[must_use]
pub fn page(rule: &str) -> Option<&'static str> {
    let at = RULE_PAGES.binary_search_by(|(id, _)| (*id).cmp(rule)).ok()?;
    RULE_PAGES.get(at).map(|(_, text)| *text)
}

/// Runs the command.
pub fn run(args: &ExplainArgs) -> miette::Result<Exit> {
    let mut rules = kitsoki_compiler::rules::all();
    // What is wrong with comments that suppress findings is no business of the compiler, and has pages like all else.
    rules.extend(kitsoki_diagnostics::suppress::RULES);
    rules.sort_by_key(|r| r.id);
    let word = |level: Level| match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Hint => "hint",
        Level::Off => "off",
    };
    let Some(wanted) = &args.rule else {
        let mut text = String::new();
        if args.json {
            let list: Vec<_> = rules
                .iter()
                .map(|r| json!({ "id": r.id, "level": word(r.level), "summary": r.summary }))
                .collect();
            text = serde_json::to_string_pretty(&list).unwrap_or_default();
            text.push('\n');
        } else {
            let width = rules.iter().map(|r| r.id.len()).max().unwrap_or(0);
            for rule in &rules {
                let _ = writeln!(text, "{:width$}  {:7}  {}", rule.id, word(rule.level), rule.summary);
            }
        }
        output::print(&text)?;
        return Ok(Exit::Clean);
    };
    let wanted = wanted.trim();
    match (rules.iter().find(|r| r.id == wanted), page(wanted)) {
        (Some(_), Some(page)) => output::print(page)?,
        (Some(rule), None) => output::print(&format!("# {}\n\n{}\n", rule.id, rule.summary))?,
        (None, _) => match declaration(wanted) {
            Some(text) => output::print(&text)?,
            None => return Err(unknown(wanted, &rules)),
        },
    }
    Ok(Exit::Clean)
}

/// There is neither a rule nor a declaration of that name.
fn unknown(wanted: &str, rules: &[&kitsoki_diagnostics::Rule]) -> miette::Report {
    let kinds = kinds();
    let names = rules
        .iter()
        .map(|r| r.id)
        .chain(kinds.iter().map(|(word, _)| word.as_str()));
    let near = kitsoki_compiler::rules::words::did_you_mean(wanted, names);
    let help = match near {
        Some(near) => format!("a similar name is `{near}`"),
        None => "`kitsoki explain` lists the rules".to_owned(),
    };
    miette!(
        help = help,
        "no rule and no kind of declaration is called `{}`",
        output::visible(wanted)
    )
}

/// The kinds of declarations by the word for them, without its article, with their schemas.
fn kinds() -> Vec<(String, Value)> {
    let mut schema = kitsoki_compiler::surface::json_schema();
    let Some(Value::Object(definitions)) = schema.get_mut("definitions").map(Value::take) else {
        return Vec::new();
    };
    let of = |(_, schema): (String, Value)| {
        let title = schema.get("title")?.as_str()?;
        let word = title.trim_start_matches("a ").trim_start_matches("an ").to_owned();
        Some((word, schema))
    };
    definitions.into_iter().filter_map(of).collect()
}

/// The keys of a kind of declaration, each with what it is for.
fn declaration(wanted: &str) -> Option<String> {
    let wanted = wanted.trim_start_matches("a ").trim_start_matches("an ");
    let (word, schema) = kinds()
        .into_iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(wanted))?;
    let keys = schema.get("properties")?.as_object()?;
    let width = keys.keys().map(String::len).max().unwrap_or(0);
    let mut text = format!("keys of: {word}\n\n");
    for (key, property) in keys {
        let about = property.get("description").and_then(Value::as_str).unwrap_or_default();
        let _ = writeln!(text, "  {}", format!("{key:width$}  {about}").trim_end());
    }
    Some(text)
}
