//! `kitsoki explain`: the page of a rule, or the list of all rules.

use std::fmt::Write as _;

use kitsoki_diagnostics::Level;
use miette::miette;
use serde_json::json;

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
        (None, _) => {
            let near = kitsoki_compiler::rules::words::did_you_mean(wanted, rules.iter().map(|r| r.id));
            let help = match near {
                Some(near) => format!("a rule with a similar name is `{near}`"),
                None => "`kitsoki explain` lists the rules".to_owned(),
            };
            return Err(miette!(help = help, "no rule is called `{}`", output::visible(wanted)));
        }
    }
    Ok(Exit::Clean)
}
