//! Text to tree, with recovery: what cannot be read is passed over, and the rest is read again.
//!
//! The parser library stops at the first break. A copy of the text gets the edit that the fault proposes, or the part that
//! caused the break is blanked, and the copy is read again. The number of readings and the bytes read in all of them are
//! bounded. Of breaks that touch each other only the first is told.

/// Events to nodes.
mod build;
/// Faults that the parser lets through.
mod checks;
/// Where comments stand.
mod comments;
/// Keys that stand twice.
mod duplicates;
/// The parser library, behind a wall.
mod events;
/// A break in the author's words.
mod explain;
/// Lines as people see them.
mod lines;
/// What is read although it is not quite YAML, and what is looked at before reading.
mod repair;
/// The copy that is read after a break.
mod scratch;
/// Templates without quotes.
mod template;

use crate::fault::{Fault, FaultKind, Severity};
use crate::span::range;
use crate::{Limits, TextRange, Tree};
use scratch::Scratch;

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
const READ_AGAIN: usize = 24 << 20;

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
    scratch: Scratch<'t>,
    faults: Vec<Fault>,
    breaks: usize,
    repairs: usize,
    budget: usize,
}

/// An edit that may let the reading go on, with the way back.
struct Trial<'t> {
    before: Scratch<'t>,
    skip: Option<TextRange>,
    /// In the original: a break up to here means that the edit did not help.
    reach: usize,
}

impl<'t> Recovery<'t> {
    fn new(text: &'t str, limits: &'t Limits) -> Self {
        let budget = text.len().saturating_mul(2).saturating_add(READ_AGAIN);
        Self {
            text,
            limits,
            scratch: Scratch::new(text),
            faults: Vec::new(),
            breaks: 0,
            repairs: 0,
            budget,
        }
    }

    fn run(mut self) -> Parse {
        for conflict in repair::conflicts(self.text) {
            self.faults.push(conflict.fault);
            conflict.parts.into_iter().for_each(|part| self.scratch.skip(part));
        }
        self.faults.extend(repair::controls(self.text));
        self.scratch.erase_nuls();
        let mut trial: Option<Trial<'t>> = None;
        loop {
            let mut built = build::build(self.scratch.text(), self.limits, self.scratch.skipped());
            let Some(broken) = built.broken.take() else {
                return self.finish(built);
            };
            // How far the parser looked ahead is not known: a round counts with the whole text.
            self.budget = self.budget.saturating_sub(self.text.len());
            let go_on = self.breaks < MOST_BREAKS && self.budget > 0;
            if let Some((fault, comment)) = repair::touching_comment(self.scratch.text(), &broken)
                && self.repairs < MOST_REPAIRS
                && self.budget > 0
            {
                self.repairs += 1;
                self.faults.push(self.scratch.original_fault(fault));
                self.scratch.erase(comment);
                continue;
            }
            if let Some(failed) = trial.take()
                && go_on
                && self.scratch.original(broken.at) <= failed.reach
            {
                self.breaks += 1;
                self.scratch = failed.before;
                if let Some(part) = failed.skip {
                    self.scratch.skip(part);
                    continue;
                }
            }
            let text = self.scratch.text();
            let explained = explain::explain(text, &broken, &built.open_brackets, built.read_to, self.limits);
            let part = explained.skip.and_then(|skip| self.scratch.fresh_part(skip, broken.at));
            let edits = explained
                .fault
                .fix
                .as_ref()
                .filter(|_| part.is_some())
                .map(|fix| fix.edits.clone());
            let line = lines::Line::at(text, explained.fault.range.start().into());
            let told = range(line.start, line.end).cover(explained.fault.range);
            if !self.scratch.is_echo(part.unwrap_or(told)) && !self.scratch.is_echo(told) {
                self.faults.push(self.scratch.original_fault(explained.fault));
            }
            self.breaks += 1;
            let Some(part) = part.filter(|_| go_on) else {
                // The rest is lost: everything behind the break counts as passed over.
                let at = lines::floor(self.scratch.text(), broken.at.max(built.read_to));
                self.scratch.mark_skipped(range(at, self.scratch.text().len()));
                return self.finish(built);
            };
            trial = self.try_edits(edits.unwrap_or_default(), part, told);
            if trial.is_none() {
                self.scratch.skip(part);
            }
        }
    }

    /// Makes the edits that a fault proposes; `None` when there are none or one cannot be made.
    fn try_edits(&mut self, edits: Vec<(TextRange, String)>, skip: TextRange, told: TextRange) -> Option<Trial<'t>> {
        let before = self.scratch.clone();
        let last = edits.iter().map(|(at, _)| usize::from(at.end())).max()?;
        let reach = self.scratch.original(last);
        self.scratch.tell(told);
        for (at, new) in edits.iter().rev() {
            if !self.scratch.edit(*at, new) {
                self.scratch = before;
                return None;
            }
        }
        Some(Trial {
            before,
            skip: Some(skip),
            reach,
        })
    }

    fn finish(mut self, built: build::Built) -> Parse {
        let build::Built {
            tree,
            faults,
            empty_before,
            ..
        } = built;
        if let Some(at) = empty_before.filter(|_| !tree.documents.is_empty()) {
            self.faults
                .push(repair::empty_document(self.text, self.scratch.original(at)));
        }
        self.faults
            .extend(faults.into_iter().map(|fault| self.scratch.original_fault(fault)));
        let mut tree = self.scratch.original_tree(tree);
        tree.comments = comments::find(self.text, &tree);
        let mut found = Vec::new();
        checks::check(self.text, &mut tree, &mut found);
        // What the tree lacks where a break has been told about is no fault of its own.
        found.retain(|fault| !self.scratch.is_told(fault.range));
        self.faults.append(&mut found);
        let control = |fault: &&Fault| fault.kind == FaultKind::ControlCharacter && fault.severity == Severity::Error;
        let control = self.faults.iter().find(control).map(|fault| fault.range);
        self.faults
            .retain(|fault| fault.severity == Severity::Error || Some(fault.range) != control);
        self.faults
            .sort_by_key(|fault| (fault.range.start(), fault.range.end()));
        Parse {
            tree,
            faults: self.faults,
        }
    }
}
