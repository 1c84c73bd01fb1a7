//! Rules about YAML itself: the faults of the tree become findings, each under its own name.

use kitsoki_diagnostics::{Diagnostic, Fix, Fixable, Level, Rule, code};
use kitsoki_syntax::{Fault, FaultKind, FileId, Parse, Severity, Span};

use crate::db::{Contents, Db, SourceFile};

macro_rules! rules {
    ($( $NAME:ident $id:literal $level:ident $fix:ident $summary:literal )*) => {
        $( pub(crate) const $NAME: Rule =
            Rule { id: $id, level: Level::$level, summary: $summary, fixable: Fixable::$fix }; )*
        /// The rules of this group.
        pub const RULES: &[&Rule] = &[$(&$NAME),*];
    };
}

rules! {
    SYNTAX "yaml-syntax" Error Sometimes "the text is not YAML"
    DUPLICATE "yaml-duplicate-key" Error Never "the same key twice in one mapping"
    ALIAS "yaml-unknown-alias" Error Sometimes "an alias without an anchor before it"
    LIMIT "yaml-limit" Error Never "a file beyond a limit of the reader"
    NOT_UTF8 "file-not-utf8" Error Never "a file that is not UTF-8"
    UNREADABLE "file-unreadable" Error Never "a file that cannot be read"
    TOUCHING "yaml-comment-touches" Warning Always "a comment that touches what stands before it"
    TEMPLATE "unquoted-template" Error Always "a template that needs quotes"
}

/// What is wrong with the text of one file.
pub fn findings(db: &dyn Db, file: SourceFile, parsed: &Parse) -> Vec<Diagnostic> {
    let id = file.file_id(db);
    match file.contents(db) {
        Contents::Text(_) => {
            let mut found: Vec<Diagnostic> = parsed.faults.iter().map(|f| finding(f, file, db)).collect();
            found.extend(later_documents(parsed, id));
            found
        }
        Contents::NotText(fault) => vec![finding(fault, file, db)],
        Contents::Failed(_) => {
            vec![
                UNREADABLE
                    .at(Span::start_of(id), "this file")
                    .message("the file cannot be read"),
            ]
        }
    }
}

/// Documents after the first one are read and never looked at (`language` 2.2).
fn later_documents(parsed: &Parse, file: FileId) -> Option<Diagnostic> {
    let tree = &parsed.tree;
    let second = *tree.documents().get(1)?;
    let first_key = tree.entries(second).first().map(|e| e.key);
    let at = Span::new(file, tree.node(first_key.unwrap_or(second)).range);
    Some(super::decoding::later_document(at))
}

/// The same key twice.
pub(crate) fn duplicate_key(span: Span, first: Span, name: &str) -> Diagnostic {
    DUPLICATE
        .at(span, "written again")
        .message(format!("the key {} stands twice in one mapping", code(name)))
        .label(first, "written first")
        .help("keep one of the two")
}

fn finding(fault: &Fault, file: SourceFile, db: &dyn Db) -> Diagnostic {
    let span = |range| Span::new(file.file_id(db), range);
    let rule = match fault.kind {
        FaultKind::DuplicateKey => &DUPLICATE,
        FaultKind::UnknownAlias => &ALIAS,
        FaultKind::RecursiveAlias => &super::decoding::YAML_ALIAS_RECURSIVE,
        FaultKind::MergeNotMapping => &super::decoding::WRONG_KIND,
        FaultKind::TooLarge | FaultKind::TooManyNodes | FaultKind::Depth | FaultKind::AliasBudget => &LIMIT,
        FaultKind::NotUtf8 => &NOT_UTF8,
        FaultKind::CommentTouchesToken => &TOUCHING,
        FaultKind::UnquotedTemplate => &TEMPLATE,
        _ => &SYNTAX,
    };
    let level = match fault.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
    };
    let mut finding = rule
        .at(span(fault.range), fault.label.clone())
        .message(fault.message.clone())
        .level(level);
    for (range, text) in &fault.related {
        finding = finding.label(span(*range), text.clone());
    }
    if let Some(help) = &fault.help {
        finding = finding.help(help.clone());
    }
    if let Some(fix) = &fault.fix {
        let edits = fix.edits.iter().map(|(range, text)| (span(*range), text.clone()));
        finding = finding.fix(Fix::edits(edits).title(fix.title.clone()).safe_if(fix.safe));
    }
    for choice in &fault.choices {
        let edits = choice.edits.iter().map(|(range, text)| (span(*range), text.clone()));
        finding = finding.fix(Fix::edits(edits).title(choice.title.clone()).choice());
    }
    finding
}
