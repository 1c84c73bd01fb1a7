//! Which lines of a script were run.
//!
//! A line counts when a statement begins on it; a text alone does not. What stands behind a colon on the same line belongs
//! to the statement before the colon; a function on one line counts when its body is run. Lines of a function are those of
//! its body.

use std::collections::{BTreeMap, BTreeSet};

use crate::language::ast::{Body, File, INSIDE, Stmt};

/// The lines of a script, and which of them were run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reached {
    /// The functions in the order of the file.
    pub functions: Vec<Function>,
    /// Every line with a statement, and whether it was run.
    pub lines: BTreeMap<u32, bool>,
    /// Lines that hold a whole function.
    whole: BTreeSet<u32>,
}

/// A function of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The line of its `def`.
    pub line: u32,
    /// The lines of its body, those of functions inside of it apart.
    pub body: Vec<u32>,
}

impl Reached {
    /// The lines of a script that nobody has run, as its text has them.
    ///
    /// # Errors
    ///
    /// The text is no script.
    pub fn nothing(source: &str) -> Result<Self, crate::SyntaxFault> {
        crate::language::parse(source, true).map(|file| Self::of(&file))
    }

    /// The lines of a marked file, none of them run.
    pub(crate) fn of(file: &File) -> Self {
        let mut out = Self::default();
        let mut top = Vec::new();
        out.collect(&file.statements, &mut top);
        out.functions.sort_by_key(|f| f.line);
        out
    }

    /// The same with lines that were run.
    pub(crate) fn with(mut self, run: &BTreeSet<u32>) -> Self {
        for (line, reached) in &mut self.lines {
            let mark = if self.whole.contains(line) {
                *line | INSIDE
            } else {
                *line
            };
            *reached |= run.contains(&mark);
        }
        self
    }

    /// Adds what another run of the same script reached.
    pub fn merge(&mut self, other: &Self) {
        for (line, reached) in &mut self.lines {
            *reached |= other.lines.get(line).copied().unwrap_or_default();
        }
    }

    /// The lines that were not run, in the order of the text.
    #[must_use]
    pub fn missed(&self) -> Vec<u32> {
        let lines = self.lines.iter();
        lines.filter(|(_, run)| !**run).map(|(line, _)| *line).collect()
    }

    /// Whether a function was entered.
    #[must_use]
    pub fn entered(&self, function: &Function) -> bool {
        function.body.iter().any(|line| self.lines.get(line) == Some(&true))
    }

    fn collect(&mut self, statements: &[Stmt], body: &mut Vec<u32>) {
        for statement in statements {
            match statement {
                Stmt::Mark(mark) => {
                    let line = mark & !INSIDE;
                    if *mark != line {
                        self.whole.insert(line);
                    }
                    self.lines.insert(line, false);
                    body.push(line);
                }
                Stmt::Def { name, function } => {
                    let mut own = Vec::new();
                    if let Body::Block(statements) = &function.body {
                        self.collect(statements, &mut own);
                    }
                    if own.is_empty() {
                        // The body is a text alone.
                        own.push(function.at.line);
                    }
                    self.functions.push(Function {
                        name: name.text.to_string(),
                        line: function.at.line,
                        body: own,
                    });
                }
                Stmt::For { body: inner, .. } | Stmt::While { body: inner, .. } => self.collect(inner, body),
                Stmt::If { branches, otherwise } => {
                    for (.., inner) in branches {
                        self.collect(inner, body);
                    }
                    self.collect(otherwise, body);
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
LIMIT = 3

def twice(n):
    \"\"\"Twice as much.\"\"\"
    return n * 2

def main(ctx):
    n = ctx.inputs[\"n\"]
    if n > LIMIT:
        n = twice(n)
    else:
        n = -n
    for _ in range(2):
        pass
    return {\"n\": n}
";

    /// The lines that a call with a number runs.
    fn run(n: i64) -> Reached {
        run_of(SOURCE, n)
    }

    fn run_of(source: &str, n: i64) -> Reached {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x.star"), source).unwrap();
        let sidecar = "inputs:\n  n: { type: int }\noutputs:\n  n: { type: int }\n";
        std::fs::write(folder.path().join("x.star.yaml"), sidecar).unwrap();
        let text = |s: &str| crate::Data::Text(s.to_owned());
        let inputs = [("n".to_owned(), crate::Data::Int(n))].into_iter().collect();
        let call = crate::Call {
            with: [
                ("script".to_owned(), text("x.star")),
                ("inputs".to_owned(), crate::Data::Map(inputs)),
            ]
            .into_iter()
            .collect(),
            places: crate::Places {
                story: vec![folder.path().to_owned()],
                ..crate::Places::default()
            },
            covers: true,
            ..crate::Call::default()
        };
        let outcome = crate::call::run(call, crate::Surface::default());
        assert!(outcome.result.is_ok(), "{:?}", outcome.result);
        outcome.reached.unwrap()
    }

    #[test]
    fn the_lines_that_were_run_are_told_and_merge() {
        let mut small = run(1);
        assert_eq!(small.missed(), [5, 10]);
        let told: Vec<_> = small
            .functions
            .iter()
            .map(|f| (f.name.as_str(), f.line, small.entered(f)))
            .collect();
        assert_eq!(told, [("twice", 3, false), ("main", 7, true)]);
        let great = run(5);
        assert_eq!(great.missed(), [12]);
        small.merge(&great);
        assert_eq!(small.missed(), Vec::<u32>::new());
    }

    #[test]
    fn a_function_on_one_line_counts_when_its_body_is_run() {
        let source = "def half(n): return n // 2\ndef twice(n): return n * 2\ndef main(ctx):\n    return {\"n\": half(ctx.inputs[\"n\"])}\n";
        let reached = run_of(source, 4);
        assert_eq!(reached.missed(), [2]);
        let told: Vec<_> = reached
            .functions
            .iter()
            .map(|f| (f.name.as_str(), reached.entered(f)))
            .collect();
        assert_eq!(told, [("half", true), ("twice", false), ("main", true)]);
    }

    #[test]
    fn a_script_that_nobody_runs_has_lines_too() {
        let nothing = Reached::nothing(SOURCE).unwrap();
        assert_eq!(nothing.missed().len(), nothing.lines.len());
        assert_eq!(nothing.lines.len(), 11);
        assert!(Reached::nothing("def (").is_err());
    }
}
