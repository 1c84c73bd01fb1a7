//! Whole files: gone, empty, another one's, a line less.

use super::Desk;
use crate::choices::Choices;

/// Takes a file away.
pub fn remove(desk: &mut Desk<'_>, _: &mut Choices<'_>) -> Option<()> {
    if desk.path() == desk.original.manifest() || desk.at >= desk.files.len() {
        return None;
    }
    desk.files.remove(desk.at);
    Some(())
}

/// Leaves nothing in it.
pub fn empty(desk: &mut Desk<'_>, _: &mut Choices<'_>) -> Option<()> {
    desk.set(String::new())
}

/// Gives it the text of another file.
pub fn overwrite(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let text = choices.pick(desk.files.as_slice())?.1.clone();
    desk.set(text)
}

/// A line less.
pub fn line_less(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    line(desk, choices, 0)
}

/// A line twice.
pub fn line_twice(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    line(desk, choices, 2)
}

fn line(desk: &mut Desk<'_>, choices: &mut Choices<'_>, times: usize) -> Option<()> {
    let lines: Vec<&str> = desk.text().split_inclusive('\n').collect();
    let at = choices.below(lines.len());
    let change = |(n, line): (usize, &&str)| line.repeat(if n == at { times } else { 1 });
    let new: String = lines.iter().enumerate().map(change).collect();
    desk.set(new)
}
