//! The name that was probably meant.
//!
//! A suggestion must be something that a person could have meant: a slip of a few letters, another way to write the same
//! words (`on-enter`, `onEnter`), a singular for a plural, words in another order. A name that is nothing like any candidate
//! gets no suggestion.

/// A candidate with how far it is away; smaller is nearer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Near<'a> {
    /// Distance in tenths of an edit.
    pub distance: u32,
    /// The candidate.
    pub word: &'a str,
}

/// Candidates that `name` may be a slip of, nearest first, at most three. Equal distances are in alphabetical order; a candidate
/// equal to the name is left out.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<Near<'a>> {
    let wanted = Word::new(name);
    if wanted.len == 0 || wanted.len > MAX_LEN {
        return Vec::new();
    }
    let mut found: Vec<Near<'a>> = Vec::new();
    for word in candidates {
        if word == name {
            continue;
        }
        if let Some(distance) = wanted.distance(word) {
            found.push(Near { distance, word });
        }
    }
    found.sort();
    found.dedup();
    found.truncate(3);
    found
}

/// The one candidate that stands out: nearest, and no other as near.
#[must_use]
pub fn only<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = nearest(name, candidates);
    match near.as_slice() {
        [one] => Some(one.word),
        [first, second, ..] if second.distance > first.distance => Some(first.word),
        _ => None,
    }
}

/// Longer names are not compared: nobody types them.
const MAX_LEN: usize = 120;

struct Word {
    plain: String,
    folded: String,
    words: Vec<String>,
    len: usize,
    letters: Letters,
}

/// How often each letter and digit stands in a word, cases alike. Two words differ by at least as many slips as letters of
/// the one are missing in the other: most candidates are ruled out without being spelled out.
struct Letters([u8; 36]);

impl Letters {
    fn of(word: &str) -> Self {
        let mut counts = [0u8; 36];
        for byte in word.bytes() {
            let at = match byte {
                b'a'..=b'z' => byte - b'a',
                b'A'..=b'Z' => byte - b'A',
                b'0'..=b'9' => byte - b'0' + 26,
                _ => continue,
            };
            if let Some(count) = counts.get_mut(usize::from(at)) {
                *count = count.saturating_add(1);
            }
        }
        Self(counts)
    }

    /// How many letters of each are missing in the other.
    fn missing(&self, other: &Self) -> (u32, u32) {
        let (mut here, mut there) = (0, 0);
        for (a, b) in self.0.iter().zip(&other.0) {
            here += u32::from(b.saturating_sub(*a));
            there += u32::from(a.saturating_sub(*b));
        }
        (here, there)
    }
}

impl Word {
    fn new(name: &str) -> Self {
        let folded = fold(name);
        let mut words: Vec<String> = split(name);
        words.sort();
        Self {
            plain: name.to_owned(),
            len: name.chars().count(),
            folded,
            words,
            letters: Letters::of(name),
        }
    }

    fn distance(&self, word: &str) -> Option<u32> {
        let len = word.chars().count();
        if len == 0 || len > MAX_LEN {
            return None;
        }
        // How many slips a word of this length can carry.
        let longest = self.len.max(len);
        let allowed = match longest {
            0..=2 => 1,
            3..=5 => 2,
            6..=11 => 3,
            12..=20 => 4,
            _ => 6,
        };
        // A plural adds up to three letters, a word that was cut short lacks letters on one side only.
        let (here, there) = self.letters.missing(&Letters::of(word));
        if here.max(there) as usize > allowed.max(3) && here.min(there) > 0 {
            return None;
        }
        let folded = fold(word);
        if folded == self.folded {
            return Some(1);
        }
        if let Some(d) = plural(&self.folded, &folded) {
            return Some(d);
        }
        if self.words.len() > 1 {
            let mut words = split(word);
            words.sort();
            if words == self.words {
                return Some(8);
            }
        }
        let gap = self.len.abs_diff(len);
        if gap <= allowed {
            let edits = strsim::osa_distance(&self.plain, word).min(strsim::osa_distance(&self.folded, &folded));
            // At least half of the shorter word must be right.
            let shorter = self.len.min(len);
            if edits <= allowed && edits * 2 <= shorter {
                return Some(u32::try_from(edits * 10).unwrap_or(u32::MAX));
            }
        }
        // A word that was cut short or carries more: `desc`, `landing_room`.
        let (short, long) = if folded.len() < self.folded.len() {
            (&folded, &self.folded)
        } else {
            (&self.folded, &folded)
        };
        let part = short.len() >= 4 && (long.starts_with(short.as_str()) || long.ends_with(short.as_str()));
        (part && long.len() <= short.len() * 4).then(|| 30 + u32::try_from(long.len() - short.len()).unwrap_or(0))
    }
}

/// Letters and digits in lower case: `on-enter`, `onEnter` and `on_enter` are the same.
fn fold(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric() || *c == '.')
        .flat_map(char::to_lowercase)
        .collect()
}

fn split(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in name.chars() {
        if c.is_alphanumeric() {
            if c.is_uppercase() && word.chars().last().is_some_and(char::is_lowercase) {
                words.push(std::mem::take(&mut word));
            }
            word.extend(c.to_lowercase());
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn plural(a: &str, b: &str) -> Option<u32> {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let same = short.len() >= 2
        && (long.strip_suffix('s') == Some(short)
            || long.strip_suffix("es") == Some(short)
            || (short.ends_with('y') && long.strip_suffix("ies") == short.strip_suffix('y')));
    same.then_some(5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
        nearest(name, candidates.iter().copied()).first().map(|n| n.word)
    }

    #[test]
    fn slips_and_other_spellings_are_found() {
        for (slip, meant) in [
            ("aplying", "applying"),
            ("onEnter", "on_enter"),
            ("on-enter", "on_enter"),
            ("lnading", "landing"),
            ("agent", "agents"),
            ("entry", "entries"),
            ("desc", "description"),
            ("room_dark", "dark_room"),
            ("descripton", "description"),
        ] {
            let all = [
                "applying",
                "on_enter",
                "landing",
                "agents",
                "entries",
                "description",
                "dark_room",
                "verify",
                "hosts",
            ];
            assert_eq!(best(slip, &all), Some(meant), "{slip}");
        }
    }

    #[test]
    fn a_name_that_is_nothing_like_any_gets_none() {
        assert_eq!(best("kitchen", &["applying", "landing", "verify"]), None);
        assert_eq!(best("xy", &["to", "id"]), None);
        assert_eq!(best("", &["a"]), None);
        // One letter is no slip of another one.
        assert_eq!(best("c", &["a", "b"]), None);
        assert_eq!(best("aa", &["a"]), None);
    }

    #[test]
    fn counting_letters_rules_out_no_neighbour() {
        let words = [
            "on_enter",
            "entry",
            "entries",
            "desc",
            "description",
            "größe",
            "A1",
            "agents",
        ];
        for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
            let (here, there) = Letters::of(a).missing(&Letters::of(b));
            assert!(here.max(there) as usize <= strsim::osa_distance(a, b), "{a} {b}");
        }
    }

    #[test]
    fn two_as_near_are_not_the_only_one() {
        assert_eq!(only("rat", ["cat", "bat", "house"]), None);
        assert_eq!(only("lnading", ["landing", "bending"]), Some("landing"));
    }
}
