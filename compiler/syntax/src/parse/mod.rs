//! Text to tree, with recovery: what cannot be read is passed over, and the rest is read again.
//!
//! The parser library stops at the first break. The part of the text that caused it is blanked in a copy, so that all offsets
//! stay, and the copy is read again. The number of readings and the bytes read in all of them are bounded.

/// Events to nodes.
mod build;
/// Faults that the parser lets through.
mod checks;
/// The parser library, behind a wall.
mod events;
/// A break in the author's words.
mod explain;
/// Lines as people see them.
mod lines;
/// What is read although it is not quite YAML, and what is looked at before reading.
mod repair;
/// Templates without quotes.
mod template;

use crate::fault::{Fault, FaultKind};
use crate::span::{range, slice};
use crate::{Limits, TextRange, Tree};

/// A tree with what is wrong. It is never a failure: the tree holds everything around the faults.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parse {
    /// What could be read.
    pub tree: Tree,
    /// What is wrong, in the order of the text.
    pub faults: Vec<Fault>,
}

/// Breaks that are passed over in one text.
const MOST_BREAKS: usize = 24;

/// Comments that are cut off from the token before them in one text.
const MOST_REPAIRS: usize = 200;

/// Bytes that are read again in all rounds together, beyond twice the text.
const READ_AGAIN: usize = 16 << 20;

/// Reads a text within the limits of the product.
#[must_use]
pub fn parse(text: &str) -> Parse {
    parse_with(text, &Limits::default())
}

/// Reads a text within other limits.
#[must_use]
pub fn parse_with(text: &str, limits: &Limits) -> Parse {
    let most = limits.max_bytes.min(u32::MAX as usize);
    if text.len() > most {
        let fault = Fault::error(
            FaultKind::TooLarge,
            range(most, most),
            format!("the file has {} bytes, more than {most} are not read", text.len()),
            "the limit is here",
        );
        return Parse {
            tree: Tree::default(),
            faults: vec![fault.help("split the file with `include:`")],
        };
    }
    Recovery::new(text, limits).run()
}

/// The rounds of reading one text.
struct Recovery<'t> {
    text: &'t str,
    limits: &'t Limits,
    /// The text with the breaks blanked, once there is one.
    copy: Option<String>,
    /// What has been blanked, in order and apart from each other.
    skipped: Vec<TextRange>,
    faults: Vec<Fault>,
    breaks: usize,
    repairs: usize,
    budget: usize,
}

impl<'t> Recovery<'t> {
    fn new(text: &'t str, limits: &'t Limits) -> Self {
        let budget = text.len().saturating_mul(2).saturating_add(READ_AGAIN);
        Self {
            text,
            limits,
            copy: None,
            skipped: Vec::new(),
            faults: Vec::new(),
            breaks: 0,
            repairs: 0,
            budget,
        }
    }

    fn run(mut self) -> Parse {
        for conflict in repair::conflicts(self.text) {
            self.faults.push(conflict.fault);
            conflict.parts.into_iter().for_each(|part| self.blank(part));
        }
        self.faults.extend(repair::controls(self.text));
        if self.text.contains('\0') {
            // Where a NUL stood, a blank is read.
            self.copy = Some(self.copy.as_deref().unwrap_or(self.text).replace('\0', " "));
        }
        loop {
            let source = self.copy.as_deref().unwrap_or(self.text);
            let mut built = build::build(source, self.limits, &self.skipped);
            let broken = built.broken.take();
            let Some(broken) = broken else {
                return self.finish(built);
            };
            self.budget = self.budget.saturating_sub(broken.at.max(built.read_to));
            if let Some((fault, comment)) = repair::touching_comment(source, &broken)
                && self.repairs < MOST_REPAIRS
                && self.budget > 0
            {
                self.repairs += 1;
                self.faults.push(fault);
                self.erase(comment);
                continue;
            }
            let explained = explain::explain(source, &broken, &built.open_brackets, built.read_to, self.limits);
            let again = explained.skip.and_then(|skip| self.fresh_part(skip, broken.at));
            if again.is_none_or(|part| !self.is_echo(part)) {
                self.faults.push(explained.fault);
            }
            self.breaks += 1;
            match again {
                Some(part) if self.breaks < MOST_BREAKS && self.budget > 0 => self.blank(part),
                _ => {
                    // The rest is lost: everything behind the break counts as passed over.
                    self.blank_rest(broken.at.max(built.read_to));
                    return self.finish(built);
                }
            }
        }
    }

    fn finish(mut self, mut built: build::Built) -> Parse {
        if let Some(at) = built.empty_before.filter(|_| !built.tree.documents.is_empty()) {
            self.faults.push(repair::empty_document(self.text, at));
        }
        self.faults.append(&mut built.faults);
        built.tree.skipped = self.skipped;
        checks::check(self.text, &mut built.tree, &mut self.faults);
        self.faults
            .sort_by_key(|fault| (fault.range.start(), fault.range.end()));
        Parse {
            tree: built.tree,
            faults: self.faults,
        }
    }

    /// What of a part is not blank yet; when nothing is, the line of the break, or the line above it.
    fn fresh_part(&self, part: TextRange, at: usize) -> Option<TextRange> {
        let source = self.copy.as_deref().unwrap_or(self.text);
        let has_text = |part: TextRange| !slice(source, part).trim().is_empty();
        if has_text(part) {
            return Some(part);
        }
        let line = lines::Line::at(source, at.min(source.len()));
        let whole = |line: lines::Line<'_>| range(line.body(), line.end);
        [
            Some(whole(line.clone())),
            line.above().map(whole),
            line.below().map(whole),
        ]
        .into_iter()
        .flatten()
        .find(|part| has_text(*part))
    }

    /// Whether a part touches one that was passed over already, with nothing but blanks between: then it is the same fault.
    fn is_echo(&self, part: TextRange) -> bool {
        let source = self.copy.as_deref().unwrap_or(self.text);
        let blank = |start, end| start <= end && slice(source, TextRange::new(start, end)).trim().is_empty();
        self.skipped.iter().any(|skipped| {
            blank(skipped.end(), part.start())
                || blank(part.end(), skipped.start())
                || skipped.intersect(part).is_some()
        })
    }

    /// Replaces a part with blanks and remembers it as passed over.
    fn blank(&mut self, part: TextRange) {
        self.erase(part);
        let from = self.skipped.partition_point(|skipped| skipped.end() < part.start());
        let to = self.skipped.partition_point(|skipped| skipped.start() <= part.end());
        let merged = self
            .skipped
            .get(from..to)
            .unwrap_or_default()
            .iter()
            .fold(part, |sum, next| sum.cover(*next));
        self.skipped.splice(from..to.max(from), [merged]);
    }

    /// Replaces a part with blanks, line ends kept.
    fn erase(&mut self, part: TextRange) {
        let copy = self.copy.get_or_insert_with(|| self.text.to_owned());
        let blanks: String = slice(copy, part)
            .bytes()
            .map(|b| if b == b'\n' || b == b'\r' { b as char } else { ' ' })
            .collect();
        copy.replace_range(std::ops::Range::<usize>::from(part), &blanks);
    }

    fn blank_rest(&mut self, at: usize) {
        let at = lines::floor(self.text, at);
        let part = range(at, self.text.len());
        if !part.is_empty() {
            let from = self.skipped.partition_point(|skipped| skipped.end() < part.start());
            let merged = self
                .skipped
                .get(from..)
                .unwrap_or_default()
                .iter()
                .fold(part, |sum, next| sum.cover(*next));
            self.skipped.truncate(from);
            self.skipped.push(merged);
        }
    }
}
