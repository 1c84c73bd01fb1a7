//! YAML documents of fixtures and cassettes, with the places of their keys.
//!
//! Decoding is lenient where the reference's is (unknown keys are told as warnings, not refused) and strict where it is
//! (a value of another kind ends the run).

use std::path::{Path, PathBuf};

use kitsoki_expr::{Map, Value};
use kitsoki_syntax::{LineIndex, NodeId, NodeKind, Resolved, Severity, TextRange, Tree, decode, parse};
use smol_str::SmolStr;

/// The largest fixture or cassette, in bytes.
pub const MAX_FILE: u64 = 64 << 20;

/// A run that cannot go on: a file that is not there or says something else than it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fatal(pub String);

/// Something that a fixture says in vain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What, and what to do.
    pub message: String,
}

/// One document of a file.
#[derive(Debug)]
pub struct Doc {
    /// The file.
    pub file: PathBuf,
    tree: Tree,
    index: LineIndex,
    /// The document's place in the file, in bytes.
    offset: usize,
    whole: std::sync::Arc<str>,
}

/// Reads a text file of a fixture.
///
/// # Errors
/// When it is no file, too large, or no UTF-8.
pub fn read(path: &Path) -> Result<String, Fatal> {
    let fatal = |why: String| Fatal(format!("{}: {why}", path.display()));
    let meta = std::fs::metadata(path).map_err(|e| fatal(e.to_string()))?;
    if !meta.is_file() {
        return Err(fatal("not a file".into()));
    }
    if meta.len() > MAX_FILE {
        return Err(fatal(format!("larger than {} MB", MAX_FILE >> 20)));
    }
    let bytes = std::fs::read(path).map_err(|e| fatal(e.to_string()))?;
    String::from_utf8(bytes).map_err(|_| fatal("not UTF-8".into()))
}

/// Whether a file lies below the current directory, links followed.
#[must_use]
pub fn is_ours(path: &Path) -> bool {
    let here = std::env::current_dir().and_then(|d| d.canonicalize());
    match (here, path.canonicalize()) {
        (Ok(here), Ok(path)) => path.starts_with(here),
        _ => true,
    }
}

/// A fault of a file as it may be told: of one outside of the current directory nothing is quoted.
#[must_use]
pub fn discreet(path: &Path, fault: Fatal) -> Fatal {
    if is_ours(path) {
        return fault;
    }
    Fatal(format!(
        "{}: not what is expected there; it lies outside of the current directory, so nothing of it is quoted",
        path.display()
    ))
}

/// The documents of a file: cut at every line that begins with `---`.
///
/// # Errors
/// When one is no YAML.
pub fn documents(file: &Path, text: &str) -> Result<Vec<Doc>, Fatal> {
    let whole: std::sync::Arc<str> = text.into();
    let mut docs = Vec::new();
    let mut start = 0;
    let mut cuts: Vec<usize> = text.match_indices("\n---").map(|(at, _)| at).collect();
    cuts.push(text.len());
    for cut in cuts {
        let piece = text.get(start..cut).unwrap_or_default();
        let lead = piece.len() - piece.trim_start().len();
        let trimmed = piece.trim();
        if !trimmed.is_empty() {
            docs.push(Doc::new(file, &whole, start + lead, trimmed)?);
        }
        start = (cut + 4).min(text.len());
    }
    Ok(docs)
}

impl Doc {
    /// A file that is one document.
    ///
    /// # Errors
    /// When it is no YAML.
    pub fn whole(file: &Path, text: &str) -> Result<Self, Fatal> {
        Self::new(file, &text.into(), 0, text)
    }

    fn new(file: &Path, whole: &std::sync::Arc<str>, offset: usize, text: &str) -> Result<Self, Fatal> {
        let parsed = parse(text);
        let index = LineIndex::new(whole);
        let doc = Self {
            file: file.to_owned(),
            tree: parsed.tree,
            index,
            offset,
            whole: std::sync::Arc::clone(whole),
        };
        if let Some(fault) = parsed.faults.iter().find(|f| f.severity == Severity::Error) {
            let (line, column) = doc.place(fault.range);
            return Err(Fatal(format!(
                "parse {}:{line}:{column}: {}",
                file.display(),
                fault.message
            )));
        }
        Ok(doc)
    }

    /// Line and column of a range, from 1, in the file.
    #[must_use]
    pub fn place(&self, range: TextRange) -> (u32, u32) {
        let at = self.offset + usize::from(range.start());
        let at = u32::try_from(at.min(self.whole.len())).unwrap_or(u32::MAX);
        let found = self.index.line_col(at.into());
        (found.line, found.col)
    }

    /// The top of the document.
    #[must_use]
    pub fn root(&self) -> Option<Item<'_>> {
        self.tree.root().map(|id| Item { doc: self, id })
    }
}

/// A node of a document.
#[derive(Clone, Copy, Debug)]
pub struct Item<'d> {
    doc: &'d Doc,
    id: NodeId,
}

impl<'d> Item<'d> {
    /// The value as a story sees it.
    #[must_use]
    pub fn value(self) -> Value {
        from_yaml(&decode::any(&self.doc.tree, self.id))
    }

    /// The entries of a mapping, merged and in the order of the text.
    ///
    /// # Errors
    /// When it is no mapping. Nothing counts as an empty one.
    pub fn entries(self, what: &str) -> Result<Vec<(SmolStr, Item<'d>, TextRange)>, Fatal> {
        match self.doc.tree.value(self.id) {
            Resolved::Null => Ok(Vec::new()),
            Resolved::Mapping => {
                let entries = self.doc.tree.entries(self.id);
                Ok(entries
                    .into_iter()
                    .filter_map(|e| {
                        let key = self.doc.tree.as_string(e.key).ok()?;
                        let range = self.doc.tree.node(e.key).range;
                        Some((
                            key,
                            Item {
                                doc: self.doc,
                                id: e.value,
                            },
                            range,
                        ))
                    })
                    .collect())
            }
            _ => Err(self.wrong(what, "a mapping")),
        }
    }

    /// The items of a list.
    ///
    /// # Errors
    /// When it is no list. Nothing counts as an empty one.
    pub fn items(self, what: &str) -> Result<Vec<Item<'d>>, Fatal> {
        let id = self.doc.tree.resolve_alias(self.id);
        match (&self.doc.tree.node(id).kind, self.doc.tree.value(self.id)) {
            (_, Resolved::Null) => Ok(Vec::new()),
            (NodeKind::Sequence(items), _) => Ok(items.iter().map(|id| Item { doc: self.doc, id: *id }).collect()),
            _ => Err(self.wrong(what, "a list")),
        }
    }

    /// A text; numbers and truth values become one.
    ///
    /// # Errors
    /// When it is a list or a mapping.
    pub fn text(self, what: &str) -> Result<String, Fatal> {
        self.doc
            .tree
            .as_string(self.id)
            .map(|t| t.to_string())
            .map_err(|_| self.wrong(what, "a text"))
    }

    /// A truth value.
    ///
    /// # Errors
    /// When it is something else.
    pub fn flag(self, what: &str) -> Result<bool, Fatal> {
        match self.doc.tree.value(self.id) {
            Resolved::Bool(flag) => Ok(flag),
            Resolved::Null => Ok(false),
            _ => Err(self.wrong(what, "`true` or `false`")),
        }
    }

    /// A whole number.
    ///
    /// # Errors
    /// When it is something else.
    pub fn int(self, what: &str) -> Result<i64, Fatal> {
        self.doc
            .tree
            .as_int(self.id)
            .map_err(|_| self.wrong(what, "a whole number"))
    }

    /// A mapping as a value.
    ///
    /// # Errors
    /// When it is something else.
    pub fn map(self, what: &str) -> Result<Map, Fatal> {
        match self.value() {
            Value::Map(map) => Ok(map),
            Value::Nil => Ok(Map::new()),
            _ => Err(self.wrong(what, "a mapping")),
        }
    }

    /// A list of texts.
    ///
    /// # Errors
    /// When it is something else.
    pub fn texts(self, what: &str) -> Result<Vec<String>, Fatal> {
        self.items(what)?.into_iter().map(|item| item.text(what)).collect()
    }

    /// Whether nothing stands there.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.doc.tree.value(self.id) == Resolved::Null
    }

    /// The place of the node.
    #[must_use]
    pub fn range(self) -> TextRange {
        self.doc.tree.node(self.id).range
    }

    /// The file and the place in it.
    #[must_use]
    pub fn doc(self) -> &'d Doc {
        self.doc
    }

    /// The error for a node of another kind.
    #[must_use]
    pub fn wrong(self, what: &str, wanted: &str) -> Fatal {
        let (line, column) = self.doc.place(self.range());
        Fatal(format!(
            "parse fixture in {}:{line}:{column}: `{what}` wants {wanted}",
            self.doc.file.display()
        ))
    }
}

/// A value of a YAML document as a story sees it.
#[must_use]
pub fn from_yaml(value: &decode::Value) -> Value {
    match value {
        decode::Value::Null => Value::Nil,
        decode::Value::Bool(b) => Value::Bool(*b),
        decode::Value::Int(n) => u64::try_from(*n).map_or(Value::Int(*n), Value::Uint),
        decode::Value::Uint(n) => Value::Uint(*n),
        decode::Value::Float(n) => Value::Float(*n),
        decode::Value::Text(text) => Value::Str(text.clone()),
        decode::Value::List(items) => Value::list(items.iter().map(from_yaml).collect()),
        decode::Value::Map(entries) => Value::Map(entries.iter().map(|(k, v)| (k.clone(), from_yaml(v))).collect()),
    }
}

/// A duration in milliseconds: `300ms`, `1h30m`, `-5s`, or days alone (`11d`, `0.5d`). Nothing is zero.
#[must_use]
pub fn duration_ms(text: &str) -> Option<i64> {
    let text = text.trim();
    if text.is_empty() {
        return Some(0);
    }
    if let Some(days) = text.strip_suffix('d')
        && let Ok(days) = days.parse::<f64>()
    {
        return Some((days * 86_400_000.0) as i64);
    }
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(end);
        let number: f64 = number.parse().ok()?;
        let end = after
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        total += number
            * match unit {
                "ns" => 1e-6,
                "us" | "µs" | "μs" => 1e-3,
                "ms" => 1.0,
                "s" => 1e3,
                "m" => 60e3,
                "h" => 3600e3,
                _ => return None,
            };
        rest = after;
    }
    Some(if negative { -(total as i64) } else { total as i64 })
}

/// What a document says that it is; `None` when it does not say it, empty when not with a text.
#[must_use]
pub fn test_kind(entries: &[(SmolStr, Item<'_>, TextRange)]) -> Option<String> {
    let (_, item, _) = entries.iter().find(|(key, ..)| key == "test_kind")?;
    Some(item.text("test_kind").unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_those_of_go_or_days() {
        assert_eq!(duration_ms("1h30m"), Some(5_400_000));
        assert_eq!(duration_ms("1.5s"), Some(1500));
        assert_eq!(duration_ms("0.5d"), Some(43_200_000));
        assert_eq!(duration_ms("-2ms"), Some(-2));
        assert_eq!(duration_ms(""), Some(0));
        assert_eq!(duration_ms("10"), None);
        assert_eq!(duration_ms("1d2h"), None);
    }

    #[test]
    fn a_file_is_cut_at_dashes_in_the_first_column() {
        let text = "a: 1\n--- # next\nb: |\n  x\n  ---\n  y\n---\n";
        let docs = documents(Path::new("f.yaml"), text).unwrap_or_default();
        assert_eq!(docs.len(), 2);
        let second = docs.get(1).and_then(Doc::root).map(Item::value);
        assert_eq!(second.and_then(|v| v.get("b").cloned()), Some(Value::text("x\n---\ny")));
    }
}
