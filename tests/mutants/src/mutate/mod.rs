//! What authors do to a story, on purpose and by mistake: one function a kind, each of which changes one file in one place.
//!
//! They work on what the reader of YAML sees (entries, values, scalars), so that most of what they make can be read and goes wrong later:
//! in names, kinds, targets, types. [`text`] holds those that break the text itself.

mod files;
mod names;
mod outline;
mod structure;
mod text;
mod values;

use crate::choices::Choices;
use crate::originals::{Files, Original};
use outline::Outline;

/// What a mutation works on.
struct Desk<'o> {
    /// The story as it was.
    original: &'o Original,
    /// Its files, changed so far.
    files: &'o mut Files,
    /// The file to change.
    at: usize,
}

impl Desk<'_> {
    /// The text of the file to change.
    fn text(&self) -> &str {
        self.files.get(self.at).map_or("", |f| f.1.as_str())
    }

    /// Its path.
    fn path(&self) -> &str {
        self.files.get(self.at).map_or("", |f| f.0.as_str())
    }

    /// The file as an outline.
    fn outline(&self) -> Outline {
        Outline::of(self.text())
    }

    /// A file of the story, or now and then of another story, to take something from.
    fn another(&self, choices: &mut Choices<'_>) -> Option<&str> {
        if choices.once_in(4) {
            let other = choices.pick(crate::originals::originals())?;
            let yaml: Vec<&str> = other
                .files
                .iter()
                .filter(|f| is_story(&f.0))
                .map(|f| f.1.as_str())
                .collect();
            return choices.pick(&yaml).copied();
        }
        let yaml: Vec<&str> = self
            .files
            .iter()
            .filter(|f| is_story(&f.0))
            .map(|f| f.1.as_str())
            .collect();
        choices.pick(&yaml).copied()
    }

    /// Gives the file a new text.
    fn set(&mut self, new: String) -> Option<()> {
        let (_, text) = self.files.get_mut(self.at)?;
        if *text == new || new.len() > MOST {
            return None;
        }
        *text = new;
        Some(())
    }

    /// Replaces a part of the file.
    fn replace(&mut self, range: std::ops::Range<usize>, new: &str) -> Option<()> {
        let mut text = self.text().to_owned();
        text.get(range.clone())?;
        text.replace_range(range, new);
        self.set(text)
    }
}

/// A file does not grow beyond this, however often it is doubled.
const MOST: usize = 64 << 10;

/// A kind of change. `None`: there was nothing in the file to do it to.
type Kind = fn(&mut Desk<'_>, &mut Choices<'_>) -> Option<()>;

/// The kinds for files of the story itself, with their names. What is found here first is met most often by a fuzzer, so new ones
/// go to the end: a kept input then means what it meant.
const KINDS: &[(&str, Kind)] = &[
    ("delete an entry", structure::delete),
    ("repeat an entry", structure::repeat),
    ("rename a key", names::rename),
    ("take a value from elsewhere", values::take),
    ("move an entry", structure::relocate),
    ("indent otherwise", text::indent),
    ("another type", values::retype),
    ("an anchor and an alias", values::alias),
    ("two entries change places", structure::exchange),
    ("an entry from elsewhere", structure::adopt),
    ("another word of the story", names::reword),
    ("a slip of the fingers", names::slip),
    ("a fragment in a text", text::fragment),
    ("a character more or less", text::character),
    ("a list for a value", values::wrap),
    ("words in place of a reference", names::reroute),
    ("a merge key", values::merge),
    ("the other style", values::restyle),
    ("cut off", text::cut),
];

/// The kinds for any file.
const ANY: &[(&str, Kind)] = &[
    ("a file less", files::remove),
    ("an empty file", files::empty),
    ("another file's text", files::overwrite),
    ("a line less", files::line_less),
    ("a line twice", files::line_twice),
    ("a character more or less", text::character),
    ("cut off", text::cut),
];

/// Makes one change and says which, and in which file.
pub fn once(original: &Original, files: &mut Files, choices: &mut Choices<'_>) -> Option<String> {
    let stories: Vec<usize> = (0..files.len())
        .filter(|i| files.get(*i).is_some_and(|f| is_story(&f.0)))
        .collect();
    let (at, kinds) = if choices.once_in(10) {
        (choices.below(original.own.min(files.len())), ANY)
    } else {
        (*choices.pick(&stories)?, KINDS)
    };
    let (name, kind) = choices.pick(kinds)?;
    let mut desk = Desk { original, files, at };
    let path = desk.path().to_owned();
    kind(&mut desk, choices)?;
    Some(format!("{name} in {path}"))
}

/// Makes changes until there are `count`, and says which.
pub fn several(original: &Original, files: &mut Files, choices: &mut Choices<'_>, count: usize) -> Vec<String> {
    let mut done = Vec::new();
    for _ in 0..count * 4 {
        if done.len() == count || choices.is_over() {
            break;
        }
        done.extend(once(original, files, choices));
    }
    done
}

/// Whether a file belongs to the text of a story: no fixture, cassette or sidecar.
fn is_story(path: &str) -> bool {
    path.ends_with(".yaml")
        && !["/flows/", "/cassettes/", "/scripts/", "/verify/"]
            .iter()
            .any(|folder| path.contains(folder))
}
