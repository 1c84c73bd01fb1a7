//! Pieces of a file that are read on their own, so that an edit costs what it touches.
//!
//! A manifest of thousands of lines is cut where the author cuts it: at top-level keys, and inside of the sections that
//! hold declarations by name at each entry. Every piece is an input with its own text and its own spans; only the edge
//! that shows places adds the piece's offset. The cut is by lines and claims nothing about YAML: a piece that does not
//! read cleanly on its own sends the whole file to the ordinary way ([`crate::pipeline::decoded`]).

use std::ops::Range;

use smol_str::SmolStr;

/// Sections whose entries are pieces of their own.
pub const SECTIONS: [&str; 15] = [
    "states",
    "world",
    "intents",
    "agents",
    "toolboxes",
    "agent_plugins",
    "providers",
    "operations",
    "meta_modes",
    "proposals",
    "exits",
    "imports",
    "host_interfaces",
    "phase_templates",
    "checkpoint_intents",
];

/// What a piece holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ChunkKey {
    /// The top-level key.
    pub section: SmolStr,
    /// The entry of the section; `None` for the key itself (with its value where the section is not cut).
    pub entry: Option<SmolStr>,
}

/// One piece of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// What it holds.
    pub key: ChunkKey,
    /// Its bytes, whole lines.
    pub range: Range<usize>,
}

/// A file smaller than this is read whole: cutting it would gain nothing.
const SMALL: usize = 2 << 10;

/// Cuts a text into pieces that cover it from its first key on. `None` for a small file and for anything that is not laid
/// out as manifests are: then the file is read whole.
#[must_use]
pub fn split(text: &str) -> Option<Vec<Chunk>> {
    if is_small(text) || text.starts_with('\u{feff}') {
        return None;
    }
    let mut cut = Cut::default();
    cut.lines(text)?;
    if shares_anchors(text) || cut.chunks.is_empty() {
        return None;
    }
    Some(cut.chunks)
}

/// Whether a text is too small to be cut.
pub(super) fn is_small(text: &str) -> bool {
    text.len() < SMALL
}

/// Whether a piece that holds `key` is cut off in the same way when its text changes from `before` to `now`, with everything around
/// it as it was.
pub(super) fn stays(key: &ChunkKey, before: &str, now: &str) -> bool {
    let (mut old, mut new) = (Cut::around(key, before), Cut::around(key, before));
    let cut = |cut: &mut Cut, text: &str| {
        cut.lines(text).is_some()
            && matches!(cut.chunks.as_slice(), [only] if only.key == *key && only.range == (0..text.len()))
    };
    // What follows begins at the start of a line, in the same section, at the same depth.
    cut(&mut old, before)
        && cut(&mut new, now)
        && (old.section, old.indent) == (new.section, new.indent)
        && before.ends_with('\n') == now.ends_with('\n')
        && !shares_anchors(now)
}

/// A cut on its way through the lines of a text.
#[derive(Default)]
struct Cut {
    chunks: Vec<Chunk>,
    seen: rustc_hash::FxHashSet<ChunkKey>,
    /// The top-level key around, and whether its entries are pieces.
    section: Option<(SmolStr, bool)>,
    /// The depth of the entries of the section.
    indent: Option<usize>,
}

impl Cut {
    /// The state in which the piece of `key` begins.
    fn around(key: &ChunkKey, text: &str) -> Self {
        let mut cut = Self::default();
        if key.entry.is_some() {
            cut.section = Some((key.section.clone(), true));
            cut.indent = Some(text.len() - text.trim_start_matches(' ').len());
        }
        cut
    }

    /// Takes the lines of a text; `None` when one of them is not laid out as in manifests.
    fn lines(&mut self, text: &str) -> Option<()> {
        let mut at = 0usize;
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let Some(key) = self.line(line)? else { continue };
            // The same name twice is a finding, and the whole file's business.
            if !self.seen.insert(key.clone()) {
                return None;
            }
            if let Some(last) = self.chunks.last_mut() {
                last.range.end = start;
            }
            self.chunks.push(Chunk {
                key,
                range: start..text.len(),
            });
        }
        Some(())
    }

    /// What begins at a line, if anything; `None` when the line is not laid out as in manifests.
    fn line(&mut self, line: &str) -> Option<Option<ChunkKey>> {
        let body = line.trim_end_matches(['\n', '\r']);
        let trimmed = body.trim_start_matches(' ');
        if trimmed.is_empty() || trimmed.starts_with('#') {
            return Some(None);
        }
        let depth = body.len() - trimmed.len();
        if trimmed.starts_with(['\t', '%', '?', '&', '*', '!']) || body.starts_with("---") || body.starts_with("...") {
            return None;
        }
        if depth == 0 && self.section.is_some() && (trimmed == "-" || trimmed.starts_with("- ")) {
            return Some(None);
        }
        if depth == 0 {
            let (name, rest) = plain_key(trimmed)?;
            let open = rest.is_empty() || rest.starts_with('#');
            self.section = Some((SmolStr::new(name), open && SECTIONS.contains(&name)));
            self.indent = None;
            return Some(Some(ChunkKey {
                section: SmolStr::new(name),
                entry: None,
            }));
        }
        let Some((name, true)) = &self.section else {
            return Some(None);
        };
        let first = *self.indent.get_or_insert(depth);
        if depth > first {
            return Some(None);
        }
        if depth < first {
            return None;
        }
        let (entry, _) = plain_key(trimmed)?;
        Some(Some(ChunkKey {
            section: name.clone(),
            entry: Some(SmolStr::new(entry)),
        }))
    }
}

/// A key that is written without quotes and is a name, and what follows its colon.
fn plain_key(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let name = !key.is_empty()
        && key
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    let spaced = rest.is_empty() || rest.starts_with(' ');
    let number = key.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
    let word = [
        "true", "false", "null", "True", "False", "Null", "TRUE", "FALSE", "NULL",
    ]
    .contains(&key);
    (name && spaced && !number && !word).then(|| (key, rest.trim_start()))
}

/// Anchors and aliases tie pieces together. A text that might hold one is read whole.
fn shares_anchors(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(i, b)| {
        matches!(b, b'&' | b'*')
            && bytes
                .get(i + 1)
                .is_some_and(|n| n.is_ascii_alphanumeric() || *n == b'_')
            && i.checked_sub(1)
                .and_then(|p| bytes.get(p))
                .is_none_or(|p| matches!(p, b' ' | b'\n' | b'[' | b'{' | b','))
            && before_is_structure(bytes.get(..i).unwrap_or_default())
    })
}

/// Whether what stands before an `&` or `*` on its line can end a key, a dash, an opening bracket or a comma: then the
/// sign may begin an anchor or an alias.
fn before_is_structure(before: &[u8]) -> bool {
    let line = before.rsplit(|b| *b == b'\n').next().unwrap_or_default();
    match line.iter().rev().find(|b| **b != b' ') {
        None => true,
        Some(last) => matches!(last, b':' | b'-' | b'[' | b'{' | b',' | b'?'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn padded(text: &str) -> String {
        format!("{text}{}", "# filler\n".repeat(SMALL / 9 + 1))
    }

    fn keys(text: &str) -> Option<Vec<String>> {
        let text = padded(text);
        let chunks = split(&text)?;
        let covered: usize = chunks.iter().map(|c| c.range.len()).sum();
        assert_eq!(covered, text.len() - chunks[0].range.start);
        Some(
            chunks
                .iter()
                .map(|c| match &c.key.entry {
                    Some(entry) => format!("{}.{entry}", c.key.section),
                    None => c.key.section.to_string(),
                })
                .collect(),
        )
    }

    #[test]
    fn sections_of_names_are_cut_at_their_entries() {
        let text = "app: { id: a }\nworld:\n  # a counter\n  n: { type: int }\n\n  m:\n    type: int\nroot: x\nstates:\n  x: {}\n";
        assert_eq!(
            keys(text).unwrap(),
            ["app", "world", "world.n", "world.m", "root", "states", "states.x"]
        );
    }

    #[test]
    fn a_section_in_brackets_stays_whole() {
        assert_eq!(keys("world: { n: 1 }\nroot: x\n").unwrap(), ["world", "root"]);
    }

    #[test]
    fn what_is_laid_out_in_another_way_is_read_whole() {
        for text in [
            "a: 1\na: 2\n",
            "world:\n  n: &x 1\n  m: *x\n",
            "---\na: 1\n",
            "- a\n",
            "world:\n    n: 1\n  m: 2\n",
            "\"a\": 1\n",
            "true: 1\n",
        ] {
            assert_eq!(keys(text), None, "{text}");
        }
    }

    #[test]
    fn a_list_at_the_margin_belongs_to_its_key() {
        assert_eq!(
            keys("include:\n- rooms/*.yaml\nroot: x\n").unwrap(),
            ["include", "root"]
        );
    }

    #[test]
    fn prose_with_an_ampersand_is_no_anchor() {
        assert!(keys("app: { title: Salt & pepper *now* }\nroot: x\n").is_some());
    }

    #[test]
    fn a_piece_stays_when_what_follows_it_is_cut_as_before() {
        let entry = ChunkKey {
            section: "world".into(),
            entry: Some("n".into()),
        };
        let stays_entry = |now: &str| stays(&entry, "  n:\n    type: int\n", now);
        assert!(stays_entry("  n:\n    type: string\n  # a counter\n"));
        for (now, why) in [
            ("  m:\n    type: int\n", "another name"),
            ("   n:\n    type: int\n", "another depth"),
            ("  n:\n    type: int\n  m: 1\n", "two entries"),
            ("  n:\n    type: int\nroot: x\n", "a key at the margin"),
            ("  n:\n    type: int", "the next line is drawn in"),
            ("  n:\n    type: &x int\n", "an anchor"),
            ("  n:\n   \ttype: int\n  - x\n", "no key"),
        ] {
            assert!(!stays_entry(now), "{why}");
        }
        let header = ChunkKey {
            section: "world".into(),
            entry: None,
        };
        assert!(stays(&header, "world:\n  # keys\n", "world:\n  # names\n"));
        assert!(
            !stays(&header, "world:\n", "world: {}\n"),
            "its entries are no pieces any more"
        );
    }

    #[test]
    fn a_small_file_is_not_cut() {
        assert_eq!(split("app: { id: a }\n"), None);
    }
}
