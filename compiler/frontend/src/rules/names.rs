//! Names that lead nowhere: one finding per missing name, however often it is used, and the name that was meant.
//!
//! The present text of a folded child carries its alias (`k__note`, `k.cold`); everything said here is in the spelling of
//! the file in which the use stands.

use indexmap::IndexMap;
use kitsoki_diagnostics::{Diagnostic, Fix, Level, Rule, code};
use kitsoki_syntax::{Span, TextRange};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::cx::StoryCx;
use super::words;
use crate::surface::{Map, Text};

/// Uses of one name that are shown as labels; the rest is counted.
const SHOWN_USES: usize = 8;
/// Missing names per rule that get a suggestion: looking for one reads every declared name.
const SUGGESTED_NAMES: usize = 64;
/// Declared names that are listed when none is near.
const LISTED_NAMES: usize = 8;

/// A declared name: what a use may have meant.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// The present name.
    pub(crate) name: &'a str,
    /// Where it is declared; `None` for names that the language brings.
    pub(crate) at: Option<&'a Text>,
}

/// The names of a mapping.
pub(crate) fn of_map<'a, T>(map: Option<&'a Map<T>>) -> Vec<Known<'a>> {
    let entries = map.into_iter().flat_map(|m| m.entries.iter());
    entries
        .map(|e| Known {
            name: e.name.as_str(),
            at: Some(&e.name),
        })
        .collect()
}

/// Names that nobody declares.
pub(crate) fn of_words<'a>(names: &[&'a str]) -> Vec<Known<'a>> {
    names.iter().map(|name| Known { name, at: None }).collect()
}

/// The name that was probably meant.
pub(crate) struct Near<'a> {
    /// In the spelling of the use.
    pub(crate) spelling: String,
    /// Where it is declared.
    pub(crate) at: Option<&'a Text>,
}

/// One kind of name, for messages.
pub(crate) struct Words {
    /// The kind with its article: "a room".
    pub(crate) kind: &'static str,
    /// Several of it: "rooms".
    pub(crate) kinds: &'static str,
}

/// One use of a name that leads nowhere.
#[derive(Clone, Copy)]
pub(crate) struct Use<'a> {
    /// The text that holds the name.
    pub(crate) text: &'a Text,
    /// The part of it that is the name; `None` for all of it.
    pub(crate) range: Option<TextRange>,
    /// Dotted path of the room around it; empty outside of rooms.
    pub(crate) room: &'a str,
    /// The rule that speaks when this is the only use.
    pub(crate) rule: &'static Rule,
    /// Whether the load refuses this use.
    pub(crate) level: Level,
    /// What the underlined name is.
    pub(crate) label: &'static str,
    /// The intent of the arm around it.
    pub(crate) intent: Option<&'a Text>,
}

impl<'a> Use<'a> {
    /// A use that is a whole text, at the rule's own level.
    pub(crate) fn whole(text: &'a Text, room: &'a str, rule: &'static Rule, label: &'static str) -> Self {
        Self {
            text,
            range: None,
            room,
            rule,
            level: rule.level,
            label,
            intent: None,
        }
    }

    /// The same at another level.
    pub(crate) fn level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// In an arm of an intent.
    pub(crate) fn of_intent(self, intent: Option<&'a Text>) -> Self {
        Self { intent, ..self }
    }

    /// The room around it and the intent of its arm, in words; `None` outside of rooms.
    pub(crate) fn whereabouts(&self, cx: &StoryCx<'_>) -> Option<String> {
        let room = code(&cx.room(self.room)?.own_path());
        Some(match self.intent {
            Some(intent) => format!("in an arm of {} in room {room}", code(&spelled(cx, intent))),
            None => format!("in room {room}"),
        })
    }

    /// The present name.
    fn name(&self) -> &'a str {
        let whole = self.text.as_str();
        self.range
            .map_or(whole, |r| whole.get(std::ops::Range::<usize>::from(r)).unwrap_or(whole))
    }

    /// The author's place of the name.
    pub(crate) fn place(&self, cx: &StoryCx<'_>) -> Span {
        self.range
            .map_or_else(|| cx.inside(self.text), |r| cx.place(self.text, r))
    }

    /// The author's spelling of the name.
    pub(crate) fn spelled(&self, cx: &StoryCx<'_>) -> String {
        match self.range {
            Some(range) if self.text.edits.is_some() && self.text.made.is_none() => cx.spelling(self.text, range),
            Some(_) => self.name().to_owned(),
            None => spelled(cx, self.text),
        }
    }
}

/// The uses of missing names, by name.
pub(crate) struct Lost<'a> {
    cx: &'a StoryCx<'a>,
    uses: IndexMap<SmolStr, Vec<Use<'a>>>,
}

impl<'a> Lost<'a> {
    pub(crate) fn new(cx: &'a StoryCx<'a>) -> Self {
        Self {
            cx,
            uses: IndexMap::new(),
        }
    }

    /// A use of the missing name `key` (a present name).
    pub(crate) fn add(&mut self, key: &str, lost: Use<'a>) {
        self.uses.entry(SmolStr::new(key)).or_default().push(lost);
    }

    /// The missing names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.uses.keys().map(SmolStr::as_str)
    }

    /// One finding per missing name of the kind of which `known` are declared.
    pub(crate) fn report(
        self,
        words: &Words,
        known: &[Known<'a>],
        describe: impl Fn(Diagnostic, &str, &Use<'a>) -> Diagnostic,
        out: &mut Vec<Diagnostic>,
    ) {
        let cx = self.cx;
        self.report_with(words, known, describe, |used| nearest_to(cx, used, known), out);
    }

    /// The same with an own way to find what was meant. The places of the declarations that were meant are returned.
    pub(crate) fn report_with(
        self,
        words: &Words,
        known: &[Known<'a>],
        describe: impl Fn(Diagnostic, &str, &Use<'a>) -> Diagnostic,
        near: impl Fn(&Use<'a>) -> Option<Near<'a>>,
        out: &mut Vec<Diagnostic>,
    ) -> FxHashSet<Span> {
        let cx = self.cx;
        let mut meant = FxHashSet::default();
        for (index, (_, mut uses)) in self.uses.into_iter().enumerate() {
            // What the load refuses comes first, and of that the kind of use that was met first: the others have the same
            // cause.
            let kinds: Vec<&str> = uses.iter().map(|u| u.rule.id).collect();
            let rank = |rule: &Rule| kinds.iter().position(|k| *k == rule.id);
            uses.sort_by_cached_key(|u| {
                let place = cx.place_order(u.text.span);
                (u.level, rank(u.rule), place, u.range.map(TextRange::start))
            });
            let Some(first) = uses.first() else { continue };
            let spelling = first.spelled(cx);
            let at = first.place(cx);
            let near = if index < SUGGESTED_NAMES { near(first) } else { None };
            // An importer may have under that very name what its child has not: the author cannot write it otherwise.
            let padded = first.text.text.trim().len() < first.text.text.len();
            let near = near.filter(|near| padded || near.spelling != spelling);
            let mut finding = describe(first.rule.at(at, first.label).level(first.level), &spelling, first);
            let mut places = vec![at];
            for other in uses.iter().skip(1) {
                let place = other.place(cx);
                if !places.contains(&place) && places.len() <= SHOWN_USES {
                    finding = finding.label(place, "used here as well");
                    places.push(place);
                }
            }
            if uses.len() > SHOWN_USES + 1 {
                finding = finding.note(format!("{} uses in all", uses.len()));
            }
            finding = match near {
                Some(near) => {
                    meant.extend(near.at.map(|t| t.span));
                    suggest(cx, finding, &near, &spelling, &uses, words)
                }
                None => list_known(finding, first.text, known, words),
            };
            out.push(finding);
        }
        meant
    }
}

fn suggest<'a>(
    cx: &StoryCx<'a>,
    finding: Diagnostic,
    near: &Near<'a>,
    spelling: &str,
    uses: &[Use<'a>],
    words: &Words,
) -> Diagnostic {
    let mut finding = finding.help(format!("change it to {}", code(&near.spelling)));
    let declared = near.at.filter(|t| t.made.is_none());
    if let Some(at) = declared {
        finding = finding.label(at.span, format!("{} with a similar name", words.kind));
    }
    let mut places: Vec<Span> = uses
        .iter()
        .filter(|u| u.text.made.is_none() && u.spelled(cx) == spelling)
        .map(|u| u.place(cx))
        .collect();
    places.sort_by_key(|s| cx.place_order(*s));
    places.dedup();
    if !places.is_empty() {
        let edits = places.into_iter().map(|span| (span, near.spelling.clone()));
        finding = finding.fix(Fix::edits(edits).title(format!("change it to {}", code(&near.spelling))));
    }
    // Several uses agree with each other: the declaration may be the one that is misspelt.
    match declared {
        Some(at) if uses.len() > 1 && !spelling.contains(['.', '/']) && at.edits.is_none() => finding
            .fix(Fix::replace(cx.inside(at), spelling).title(format!("rename the declaration to {}", code(spelling)))),
        _ => finding,
    }
}

/// The author's spelling of a whole text; the present one for a made text.
pub(crate) fn spelled(cx: &StoryCx<'_>, text: &Text) -> String {
    if text.made.is_some() || text.edits.is_none() {
        return text.text.to_string();
    }
    let span = cx.inside(text);
    cx.slice(span).unwrap_or_else(|| text.text.to_string())
}

/// The known name that `used` is probably a slip of.
pub(crate) fn nearest_to<'a>(cx: &StoryCx<'_>, used: &Use<'_>, known: &[Known<'a>]) -> Option<Near<'a>> {
    if used.text.made.is_some() {
        return None;
    }
    let spelling = used.spelled(cx);
    // What a fold put in front of the author's name stands in front of every name that the author can mean.
    let prefix = used.name().strip_suffix(spelling.as_str())?;
    if prefix.is_empty() {
        // A name that does not exist in the child keeps its spelling in the fold.
        let folded = super::effects::fold_prefix(cx, used.room);
        let near = (!folded.is_empty()).then(|| nearest(spelling.trim(), &folded, known));
        if let Some(near) = near.flatten() {
            return Some(near);
        }
    }
    nearest(spelling.trim(), prefix, known)
}

/// The known name that begins with `prefix` and goes on with something like `name`.
pub(crate) fn nearest<'a>(name: &str, prefix: &str, known: &[Known<'a>]) -> Option<Near<'a>> {
    let candidates: Vec<(&str, Option<&'a Text>)> = known
        .iter()
        .filter_map(|k| Some((k.name.strip_prefix(prefix)?, k.at)))
        .filter(|(k, at)| !k.is_empty() && at.is_none_or(|t| t.made.is_none()))
        .collect();
    let word = words::did_you_mean(name, candidates.iter().map(|c| c.0))?;
    let (spelling, at) = candidates.iter().find(|c| c.0 == word)?;
    Some(Near {
        spelling: (*spelling).to_owned(),
        at: *at,
    })
}

/// Lists what is known when it is little.
fn list_known(finding: Diagnostic, used: &Text, known: &[Known<'_>], words: &Words) -> Diagnostic {
    let own: Vec<&str> = known
        .iter()
        .filter(|k| k.at.is_none_or(|t| t.made.is_none()))
        .map(|k| k.name)
        .collect();
    if used.edits.is_some() || used.made.is_some() || own.len() > LISTED_NAMES {
        return finding;
    }
    if own.is_empty() {
        return finding.help(format!("no {} are declared", words.kinds));
    }
    finding.help(format!("the {} are {}", words.kinds, words::list(&own)))
}

/// A word of a fixed vocabulary that is none: with the nearest one, or all of them.
pub(crate) fn unknown_word(cx: &StoryCx<'_>, rule: &Rule, text: &Text, what: &str, known: &[&str]) -> Diagnostic {
    let written = spelled(cx, text);
    let finding = rule
        .at(text.span, format!("no {what}"))
        .message(format!("{} is no {what}", code(written.trim())));
    let shown: Vec<&str> = known.iter().copied().filter(|w| !w.is_empty()).collect();
    let lower = written.trim().to_ascii_lowercase();
    let near = words::did_you_mean(&lower.replace('_', "-"), shown.iter().copied())
        .or_else(|| words::did_you_mean(&lower, shown.iter().copied()))
        .or_else(|| shown.iter().copied().find(|w| w.len() > 2 && lower.starts_with(w)));
    let finding = match near {
        Some(near) => {
            let title = format!("change it to {}", code(near));
            let finding = finding.help(title.clone());
            if text.made.is_none() {
                finding.fix(Fix::replace(cx.inside(text), near).title(title))
            } else {
                finding
            }
        }
        None => finding,
    };
    if near.is_some() && shown.len() > LISTED_NAMES {
        finding
    } else {
        finding.help(format!("write {}", words::one_of(&shown)))
    }
}
