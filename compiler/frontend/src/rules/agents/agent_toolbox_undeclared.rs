//! `agent-toolbox-undeclared`: a toolbox is looked up in the agent's own file (`language` 4.1 A13, 5.2).

use super::super::prelude::*;
use super::super::words::list;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-toolbox-undeclared",
    level: Level::Error,
    summary: "an agent names a toolbox that its file does not declare",
    fixable: Fixable::Sometimes,
};

/// The name at `span`; `elsewhere` is its declaration in another file, `near` a similar name.
pub(crate) fn at<'a>(
    span: Span,
    name: &str,
    elsewhere: Option<Span>,
    near: Option<(&str, Span)>,
    names: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let finding = RULE.at(span, "not declared in this file");
    if let Some(place) = elsewhere {
        return finding
            .message(format!("the toolbox {} belongs to another file", code(name)))
            .label(place, "declared here")
            .note("agents are resolved file by file, before files are merged")
            .help("declare the toolbox in the file of the agent");
    }
    let finding = finding.message(format!("no toolbox is called {}", code(name)));
    match near {
        Some((word, place)) => finding
            .label(place, "a toolbox with a similar name")
            .help(format!("change it to {}", code(word)))
            .fix(Fix::replace(span, word).title(format!("change it to {}", code(word)))),
        None => {
            let names: Vec<&str> = names.take(9).collect();
            match names.as_slice() {
                [] => finding.help("this file declares no toolbox"),
                few if few.len() <= 8 => finding.help(format!("the toolboxes of this file are {}", list(few))),
                _ => finding,
            }
        }
    }
}
