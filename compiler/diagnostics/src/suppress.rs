//! Suppressions: comments that say why a finding is fine.
//!
//! `# kitsoki: allow(dead-end) the credits roll here` is about its own line, or, alone on a line, about the next one that
//! holds something. `# kitsoki: allow-file(dead-end) …` is about the whole file. A suppression needs a reason, and one that
//! suppresses nothing is reported. Errors cannot be suppressed.

use kitsoki_syntax::{FileId, Span, TextRange, TextSize};

use crate::model::{Diagnostic, Fix, code};
use crate::rule::{Fixable, Level, Registry, Rule};
use crate::sources::Sources;

/// A suppression that suppresses nothing.
pub const UNUSED: Rule = Rule {
    id: "unused-suppression",
    level: Level::Warning,
    summary: "a suppression that suppresses nothing",
    fixable: Fixable::Always,
};

/// A suppression without a reason.
pub const NO_REASON: Rule = Rule {
    id: "suppression-without-reason",
    level: Level::Warning,
    summary: "a suppression without a reason",
    fixable: Fixable::Never,
};

/// A suppression of a rule that does not exist.
pub const UNKNOWN: Rule = Rule {
    id: "unknown-rule",
    level: Level::Warning,
    summary: "a suppression of a rule that does not exist",
    fixable: Fixable::Sometimes,
};

/// A comment that looks like a suppression and is none.
pub const FORM: Rule = Rule {
    id: "suppression-form",
    level: Level::Warning,
    summary: "a comment that looks like a suppression and is none",
    fixable: Fixable::Never,
};

/// The rules of this module.
pub const RULES: &[&Rule] = &[&UNUSED, &NO_REASON, &UNKNOWN, &FORM];

/// One rule name in a suppression comment.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Allowed {
    rule: String,
    /// The name.
    span: Span,
    /// The whole comment.
    comment: Span,
    /// Lines it is about; `None` for the whole file.
    line: Option<u32>,
    used: bool,
    alone: bool,
}

/// Leaves out what the comments of the files allow, and reports what is wrong with them. `comments` gives the comment
/// ranges of a file.
#[must_use]
pub fn apply(
    findings: Vec<Diagnostic>,
    files: &[FileId],
    comments: &dyn Fn(FileId) -> Vec<TextRange>,
    sources: &dyn Sources,
    registry: &Registry,
) -> Vec<Diagnostic> {
    let mut allowed: Vec<Allowed> = Vec::new();
    let mut out: Vec<Diagnostic> = Vec::new();
    for file in files {
        if sources.text(*file).contains("kitsoki") {
            for range in comments(*file) {
                read(*file, range, sources, registry, &mut allowed, &mut out);
            }
        }
    }
    if allowed.is_empty() && out.is_empty() {
        return findings;
    }
    for finding in findings {
        let Some(span) = finding.primary.as_ref().map(|p| p.span) else {
            out.push(finding);
            continue;
        };
        let line = sources.line_index(span.file).line_col(span.range.start()).line;
        let hit = allowed
            .iter_mut()
            .find(|a| a.rule == finding.rule && a.comment.file == span.file && a.line.is_none_or(|l| l == line));
        match hit {
            Some(allowed) if finding.severity != Level::Error => allowed.used = true,
            _ => out.push(finding),
        }
    }
    for allowed in allowed.iter().filter(|a| !a.used) {
        let mut finding = UNUSED.at(allowed.span, "nothing to allow").message(format!(
            "this comment allows {}, which is not reported here",
            code(&allowed.rule)
        ));
        let only = allowed_alone(sources, allowed.comment);
        if only {
            finding = finding.fix(
                Fix::delete(with_blanks(sources, allowed))
                    .title("remove the comment")
                    .safe_if(true),
            );
        } else {
            finding = finding.help(format!("take {} out of the brackets", code(&allowed.rule)));
        }
        out.push(finding);
    }
    out
}

/// Whether the comment names one rule only.
fn allowed_alone(sources: &dyn Sources, comment: Span) -> bool {
    let text = sources
        .text(comment.file)
        .get(std::ops::Range::<usize>::from(comment.range))
        .unwrap_or_default();
    !text.split(')').next().unwrap_or_default().contains(',')
}

/// The comment with the blanks before it, and its line when it stands alone.
fn with_blanks(sources: &dyn Sources, allowed: &Allowed) -> Span {
    let text = sources.text(allowed.comment.file);
    let start = usize::from(allowed.comment.range.start());
    let before = text.get(..start).unwrap_or_default();
    let from = before.trim_end_matches([' ', '\t']).len();
    let mut to = usize::from(allowed.comment.range.end());
    if allowed.alone && text.get(to..).is_some_and(|rest| rest.starts_with('\n')) {
        to += 1;
    }
    let size = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
    Span::new(allowed.comment.file, TextRange::new(size(from), size(to)))
}

fn read(
    file: FileId,
    range: TextRange,
    sources: &dyn Sources,
    registry: &Registry,
    allowed: &mut Vec<Allowed>,
    out: &mut Vec<Diagnostic>,
) {
    let text = sources.text(file);
    let Some(comment) = text.get(std::ops::Range::<usize>::from(range)) else {
        return;
    };
    let body = comment.trim_start_matches('#').trim_start();
    let span = Span::new(file, range);
    let Some(suppression) = suppression(body) else {
        if is_meant_as_one(body) {
            out.push(
                FORM.at(span, "nothing is allowed by this")
                    .message("this comment looks like a suppression and is none")
                    .help("write `# kitsoki: allow(RULE) why`, or `# kitsoki: allow-file(RULE) why`"),
            );
        }
        return;
    };
    let (whole, rest, names, reason) = suppression;
    if reason.trim().trim_start_matches([':', '-']).trim().is_empty() {
        out.push(
            NO_REASON
                .at(span, "why?")
                .message("a suppression says why the finding is fine")
                .help("write the reason behind the bracket"),
        );
    }
    let index = sources.line_index(file);
    let line = index.line_col(range.start()).line;
    let start = usize::from(index.line_range(line).start());
    let before = text.get(start..usize::from(range.start())).unwrap_or_default();
    let alone = before.trim().is_empty();
    let about = if alone {
        next_line(text, sources, file, line)
    } else {
        line
    };
    let mut at = comment.len() - rest.len();
    for name in names.split(',') {
        let lead = name.len() - name.trim_start().len();
        let from = usize::from(range.start()) + at + lead;
        at += name.len() + 1;
        let name = name.trim();
        let size = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
        let span = Span::new(file, TextRange::new(size(from), size(from + name.len())));
        if registry.get(name).is_none() {
            let mut finding = UNKNOWN
                .at(span, "no rule")
                .message(format!("no rule is called {}", code(name)));
            if let Some(near) = registry.nearest(name) {
                finding = finding
                    .help(format!("a rule with a similar name is {}", code(near.id)))
                    .fix(Fix::replace(span, near.id).title(format!("change it to {}", code(near.id))));
            }
            out.push(finding);
            continue;
        }
        allowed.push(Allowed {
            rule: name.to_owned(),
            span,
            comment: Span::new(file, range),
            line: (!whole).then_some(about),
            used: false,
            alone,
        });
    }
}

/// A suppression: whether it is about the whole file, what stands behind its bracket, the names, and the reason.
fn suppression(body: &str) -> Option<(bool, &str, &str, &str)> {
    let rest = body.strip_prefix("kitsoki:")?.trim_start();
    let (whole, rest) = match rest.strip_prefix("allow-file(") {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix("allow(")?),
    };
    let (names, reason) = rest.split_once(')')?;
    Some((whole, rest, names, reason))
}

/// Whether a comment begins like a suppression: our name, a sign or blank, and a word that other tools have for it.
fn is_meant_as_one(body: &str) -> bool {
    let Some(rest) = body.strip_prefix("kitsoki") else {
        return false;
    };
    let word = rest.trim_start_matches([':', '-', ' ']).to_ascii_lowercase();
    rest.starts_with([':', '-', ' '])
        && ["allow", "ignore", "disable", "noqa"].iter().any(|w| {
            let after = word.strip_prefix(w);
            after.is_some_and(|after| !after.starts_with(|c: char| c.is_ascii_lowercase()))
        })
}

/// The next line that holds more than a comment.
fn next_line(text: &str, sources: &dyn Sources, file: FileId, line: u32) -> u32 {
    let index = sources.line_index(file);
    let mut next = line + 1;
    while next <= index.line_count() {
        let range = index.line_range(next);
        let body = text
            .get(std::ops::Range::<usize>::from(range))
            .unwrap_or_default()
            .trim_start();
        if !body.is_empty() && !body.starts_with('#') {
            return next;
        }
        next += 1;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySources;

    const DEAD: Rule = Rule {
        id: "dead-end",
        level: Level::Warning,
        summary: "",
        fixable: Fixable::Never,
    };

    fn run(text: &str, at: &[&str]) -> Vec<&'static str> {
        let mut sources = MemorySources::new();
        let file = sources.add("app.yaml", text, true);
        let registry = Registry::new(vec![&DEAD, &UNUSED, &NO_REASON, &UNKNOWN]);
        let size = |n: usize| TextSize::new(u32::try_from(n).unwrap());
        let findings = at
            .iter()
            .map(|word| {
                let at = text.find(word).unwrap();
                DEAD.at(Span::new(file, TextRange::new(size(at), size(at + word.len()))), "")
            })
            .collect();
        let comments = |_| {
            text.match_indices('#')
                .map(|(at, _)| {
                    let end = text[at..].find('\n').map_or(text.len(), |n| at + n);
                    TextRange::new(size(at), size(end))
                })
                .collect()
        };
        apply(findings, &[file], &comments, &sources, &registry)
            .iter()
            .map(|f| f.rule)
            .collect()
    }

    #[test]
    fn a_comment_allows_its_own_line_or_the_next_one() {
        assert_eq!(run("a: 1 # kitsoki: allow(dead-end) the end\nb: 1\n", &["a"]), [""; 0]);
        assert_eq!(
            run("# kitsoki: allow(dead-end) the end\n\n# more\nb: 1\n", &["b"]),
            [""; 0]
        );
        assert_eq!(
            run("# kitsoki: allow-file(dead-end) all ends\nx: 1\ny: 2\n", &["x", "y"]),
            [""; 0]
        );
    }

    #[test]
    fn what_is_wrong_with_a_suppression_is_reported() {
        assert_eq!(
            run("x: 1 # kitsoki: allow(dead-end)\n", &["x"]),
            ["suppression-without-reason"]
        );
        assert_eq!(
            run("x: 1 # kitsoki: allow(dead-end) why\n", &[]),
            ["unused-suppression"]
        );
        assert_eq!(
            run("x: 1 # kitsoki: allow(ded-end) why\n", &["x"]),
            ["unknown-rule", "dead-end"]
        );
        assert_eq!(
            run("# kitsoki: allow(dead-end) why\nb: 1\nx: 1\n", &["x"]),
            ["dead-end", "unused-suppression"]
        );
    }

    #[test]
    fn what_looks_like_a_suppression_and_is_none_is_told() {
        for form in [
            "kitsoki: allow dead-end",
            "kitsoki: ignore(dead-end) why",
            "kitsoki-allow: dead-end",
            "kitsoki allow(dead-end) why",
            "kitsoki: allow(dead-end why",
        ] {
            assert!(suppression(form).is_none() && is_meant_as_one(form), "{form}");
        }
        for prose in [
            "kitsoki: the tool",
            "kitsoki allows one effect an entry",
            "see kitsoki: allow",
            "kitsokiallow",
        ] {
            assert!(!is_meant_as_one(prose), "{prose}");
        }
        assert!(suppression("kitsoki: allow(dead-end) why").is_some());
    }
}
