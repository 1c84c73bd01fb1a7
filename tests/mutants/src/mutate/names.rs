//! Names and words: misspelt, swapped, taken from elsewhere.

use std::ops::Range;

use super::outline::{Entry, Outline};
use super::{Desk, is_story};
use crate::choices::Choices;

/// Gives a key the name of another key.
pub fn rename(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let other = desk.another(choices)?.to_owned();
    let theirs = Outline::of(&other);
    let name = key(&other, choices.pick(&theirs.keyed())?)?.to_owned();
    let ours = desk.outline();
    let range = choices.pick(&ours.keyed())?.key.clone()?;
    desk.replace(range, &name)
}

fn key<'t>(text: &'t str, entry: &Entry) -> Option<&'t str> {
    text.get(entry.key.clone()?).filter(|k| !k.contains('\n'))
}

/// Puts a word of the story in the place of another one, wherever that stands.
pub fn reword(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let other = desk.another(choices)?.to_owned();
    let word = word(&other, choices)?;
    let new = other.get(word)?.to_owned();
    let range = self::word(desk.text(), choices)?;
    desk.replace(range, &new)
}

/// A word in a text.
fn word(text: &str, choices: &mut Choices<'_>) -> Option<Range<usize>> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let from = text.floor_char_boundary(choices.below(text.len()));
    let start = from + text.get(from..)?.find(part)?;
    let start = text
        .get(..start)?
        .rfind(|c| !part(c))
        .map_or(0, |n| text.ceil_char_boundary(n + 1));
    let end = text.get(start..)?.find(|c| !part(c)).map_or(text.len(), |n| start + n);
    (start < end).then_some(start..end)
}

/// A letter less, a letter twice, two letters changed, another case, another sign between words.
pub fn slip(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let range = word(desk.text(), choices)?;
    let letters: Vec<char> = desk.text().get(range.clone())?.chars().collect();
    let at = choices.below(letters.len());
    let mut new = letters.clone();
    match choices.below(5) {
        0 => drop(new.remove(at)),
        1 => new.insert(at, *letters.get(at)?),
        2 if at + 1 < new.len() => new.swap(at, at + 1),
        3 => new = letters.iter().flat_map(|c| c.to_uppercase()).collect(),
        _ => new = letters.iter().map(|c| if *c == '_' { '-' } else { *c }).collect(),
    }
    desk.replace(range, &new.into_iter().collect::<String>())
}

/// What may stand where a reference is wanted.
const REFERENCES: [&str; 22] = [
    ".",
    "..",
    "../x",
    "@exit:high",
    "@exit:",
    "@history",
    "\"\"",
    "~",
    "tide",
    "tide.slack",
    "play.foyer",
    "../quay/x",
    "a.b.c.d.e",
    "__exit__dry",
    "story_authoring",
    "\"{{ world.cargo }}\"",
    "world",
    "tide__level",
    "host.run",
    "iface.vcs.diff",
    "host.nothing",
    "-1",
];

/// Gives a key that names something another thing to name.
pub fn reroute(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    const NAMING: [&str; 18] = [
        "target",
        "to",
        "root",
        "initial",
        "intent",
        "default_intent",
        "agent",
        "invoke",
        "source",
        "entry",
        "script",
        "prompt",
        "on_error",
        "emit",
        "toolbox",
        "template",
        "default",
        "type",
    ];
    let outline = desk.outline();
    let text = desk.text();
    let names = |e: &&&Entry| key(text, e).is_some_and(|k| NAMING.contains(&k));
    let naming: Vec<&Entry> = outline.keyed().iter().filter(names).copied().collect();
    let range = choices.pick(&naming)?.value.clone();
    let new = if choices.once_in(2) {
        let story: Vec<&String> = desk.files.iter().filter(|f| is_story(&f.0)).map(|f| &f.1).collect();
        let other = choices.pick(&story)?;
        let theirs = Outline::of(other);
        key(other, choices.pick(&theirs.keyed())?)?.to_owned()
    } else {
        (*choices.pick(&REFERENCES)?).to_owned()
    };
    desk.replace(range, &new)
}
