//! A call beside what was recorded: the differences, field by field, and the episode that comes nearest.
//!
//! A changed request must not be answered with the old recording without a word: a miss says what would have had to be
//! otherwise, and an episode that looks at a part of the call only says what the rest of it was.

use kitsoki_expr::{Map, Value};
use kitsoki_runtime::value;

use super::{Cassette, Episode};

/// One field of a call that is not as it was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Where in the arguments: names and indexes, with dots.
    pub path: String,
    /// What the cassette says; `None`: nothing stands there.
    pub recorded: Option<Value>,
    /// What the call says; `None`: nothing stands there.
    pub asked: Option<Value>,
}

/// An episode, and how a call differs from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// Its id.
    pub id: String,
    /// Its line in the cassette, from 1.
    pub line: u32,
    /// It would fit, but has answered already.
    pub used_up: bool,
    /// What is not as recorded.
    pub differences: Vec<Difference>,
}

/// A call that no episode fits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Miss {
    /// What the story is told.
    pub message: String,
    /// The episode that comes nearest.
    pub nearest: Option<Near>,
}

/// What a call is compared with.
#[derive(Clone, Copy)]
pub(super) struct Asked<'c> {
    pub handler: &'c str,
    pub args: &'c Map,
    pub phase: &'c str,
    pub schema: &'c str,
}

impl Asked<'_> {
    /// What the call says under a key of `match`.
    fn field(self, key: &str) -> Option<Value> {
        match key {
            "handler" => Some(Value::text(self.handler)),
            "phase" => Some(Value::text(self.phase)),
            "schema_name" => Some(Value::text(self.schema)),
            other => self.args.get(other).cloned(),
        }
    }
}

impl Episode {
    /// Whether a call may be answered with this: all of `match`, and of recorded arguments those that `match_on` names,
    /// or all of them.
    pub(super) fn fits(&self, asked: Asked<'_>, match_on: Option<&[String]>) -> bool {
        let same = |key: &str, wanted: &Value| value::same(asked.field(key).as_ref().unwrap_or(&Value::Nil), wanted);
        if !self.matches.iter().all(|(key, wanted)| same(key, wanted)) {
            return false;
        }
        let Some(recorded) = &self.args else { return true };
        match self.match_on.as_deref().or(match_on) {
            None => differences(recorded, asked.args).is_empty(),
            Some(names) => names
                .iter()
                .map(|name| name.strip_prefix("args.").unwrap_or(name))
                .filter(|name| recorded.contains_key(name) || asked.args.contains_key(name))
                .all(|name| same(name, recorded.get(name).unwrap_or(&Value::Nil))),
        }
    }

    /// How a call differs from what is recorded, `match` and arguments.
    pub(super) fn differs(&self, asked: Asked<'_>) -> Vec<Difference> {
        let mut out = Vec::new();
        for (key, wanted) in &self.matches {
            let got = asked.field(key);
            compare(key, Some(wanted), got.as_ref(), &mut out);
        }
        for difference in self.args.iter().flat_map(|recorded| differences(recorded, asked.args)) {
            if !out.iter().any(|d| d.path == difference.path) {
                out.push(difference);
            }
        }
        out
    }

    fn is_used_up(&self) -> bool {
        self.played && !self.again
    }
}

impl Cassette {
    /// The episode with the fewest differences, among those of the handler when there are such.
    pub(super) fn nearest(&self, asked: Asked<'_>) -> Option<Near> {
        let foreign = |e: &Episode| {
            let named = e.matches.iter().find(|(key, _)| key == "handler");
            named.is_some_and(|(_, name)| name.as_str() != Some(asked.handler))
        };
        let ranked = self.episodes.iter().map(|e| (e, e.differs(asked)));
        // Of two that differ as much, the one that agrees in more is nearer.
        let says = |e: &Episode| e.matches.len() + e.args.as_ref().map_or(0, Map::len);
        let (episode, differences) =
            ranked.min_by_key(|(e, d)| (foreign(e), d.len(), e.is_used_up(), std::cmp::Reverse(says(e))))?;
        Some(Near {
            id: episode.id.clone(),
            line: episode.line,
            used_up: episode.is_used_up(),
            differences,
        })
    }
}

/// The fields in which two argument lists differ, in the order of their names.
#[must_use]
pub fn differences(recorded: &Map, asked: &Map) -> Vec<Difference> {
    let mut out = Vec::new();
    maps("", recorded, asked, &mut out);
    out
}

fn maps(at: &str, recorded: &Map, asked: &Map, out: &mut Vec<Difference>) {
    let mut keys: Vec<&str> = recorded.iter().chain(asked.iter()).map(|(k, _)| k.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    for key in keys {
        let path = if at.is_empty() {
            key.to_owned()
        } else {
            format!("{at}.{key}")
        };
        compare(&path, recorded.get(key), asked.get(key), out);
    }
}

fn compare(path: &str, recorded: Option<&Value>, asked: Option<&Value>, out: &mut Vec<Difference>) {
    let nothing = Value::Nil;
    let (r, a) = (recorded.unwrap_or(&nothing), asked.unwrap_or(&nothing));
    if value::same(a, r) {
        return;
    }
    match (r, a) {
        (Value::Map(r), Value::Map(a)) => maps(path, r, a, out),
        (Value::List(r), Value::List(a)) if r.len() == a.len() => {
            for (n, (r, a)) in r.iter().zip(a.iter()).enumerate() {
                compare(&format!("{path}.{n}"), Some(r), Some(a), out);
            }
        }
        _ => out.push(Difference {
            path: path.to_owned(),
            recorded: recorded.cloned(),
            asked: asked.cloned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kitsoki_runtime::value::{map, texts};

    #[test]
    fn a_difference_names_the_innermost_field() {
        let recorded = map([
            ("cmd", Value::text("git status")),
            ("env", Value::Map(map([("A", Value::Int(1)), ("B", Value::Int(2))]))),
            ("list", texts(["x", "y"])),
            ("gone", Value::Bool(true)),
            ("none", Value::Nil),
        ]);
        let asked = map([
            ("cmd", Value::text("git push -f")),
            ("env", Value::Map(map([("A", Value::Float(1.0)), ("B", Value::Int(3))]))),
            ("list", texts(["x", "z"])),
            ("new", Value::Int(1)),
        ]);
        let found = differences(&recorded, &asked);
        let paths: Vec<&str> = found.iter().map(|d| d.path.as_str()).collect();
        assert_eq!(paths, ["cmd", "env.B", "gone", "list.1", "new"]);
        assert_eq!(found.iter().filter(|d| d.asked.is_none()).count(), 1);
        assert_eq!(found.iter().filter(|d| d.recorded.is_none()).count(), 1);
    }
}
