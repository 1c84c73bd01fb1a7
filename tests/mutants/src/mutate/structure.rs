//! Whole entries: one less, one twice, one somewhere else.

use super::Desk;
use super::outline::{Entry, Outline, reindented};
use crate::choices::Choices;

/// Takes an entry out.
pub fn delete(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let outline = desk.outline();
    let entry = choices.pick(&outline.entries)?;
    let mut range = entry.whole.clone();
    if !entry.block {
        // The comma goes with it, so that the list can be read.
        let behind = desk.text().get(range.end..)?;
        let comma = behind.len() - behind.trim_start_matches([' ', ',']).len();
        range.end += comma;
    }
    desk.replace(range, "")
}

/// Writes an entry twice.
pub fn repeat(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let outline = desk.outline();
    let entry = choices.pick(&outline.entries)?;
    let part = desk.text().get(entry.whole.clone())?.to_owned();
    let end = entry.whole.end;
    if entry.block {
        let gap = if part.ends_with('\n') { "" } else { "\n" };
        return desk.replace(end..end, &format!("{gap}{part}"));
    }
    desk.replace(end..end, &format!(", {part}"))
}

/// Takes an entry with its lines out and puts it before another one.
pub fn relocate(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let outline = desk.outline();
    let blocks = outline.blocks();
    let (from, to) = (*choices.pick(&blocks)?, *choices.pick(&blocks)?);
    let within = from.whole.start <= to.whole.start && to.whole.start < from.whole.end;
    if within {
        return None;
    }
    let text = desk.text();
    let moved = reindented(text.get(from.whole.clone())?, from.indent, to.indent);
    let mut new = text.to_owned();
    // The later place first, so that the earlier one keeps its bytes.
    if from.whole.start < to.whole.start {
        new.insert_str(to.whole.start, &moved);
        new.replace_range(from.whole.clone(), "");
    } else {
        new.replace_range(from.whole.clone(), "");
        new.insert_str(to.whole.start, &moved);
    }
    desk.set(new)
}

/// Puts an entry of another file, or of another story, before an entry.
pub fn adopt(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let other = desk.another(choices)?.to_owned();
    let theirs = Outline::of(&other);
    let (ours, keys) = (desk.outline(), choices.once_in(2));
    let fits = |e: &&Entry| e.block && e.key.is_some() == keys;
    let theirs: Vec<&Entry> = theirs.entries.iter().filter(fits).collect();
    let ours: Vec<&Entry> = ours.entries.iter().filter(fits).collect();
    let (from, to) = (*choices.pick(&theirs)?, *choices.pick(&ours)?);
    let moved = reindented(other.get(from.whole.clone())?, from.indent, to.indent);
    desk.replace(to.whole.start..to.whole.start, &moved)
}

/// Two entries of one collection change places.
pub fn exchange(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let outline = desk.outline();
    let one = choices.pick(&outline.entries)?;
    let beside = |e: &&Entry| e.parent == one.parent && e.block == one.block && e.whole.start >= one.whole.end;
    let siblings: Vec<&Entry> = outline.entries.iter().filter(beside).collect();
    let two = *choices.pick(&siblings)?;
    let text = desk.text();
    let (first, second) = (text.get(one.whole.clone())?, text.get(two.whole.clone())?);
    let between = text.get(one.whole.end..two.whole.start)?;
    let gap = if one.block && !second.ends_with('\n') { "\n" } else { "" };
    let new = format!("{second}{gap}{between}{first}");
    desk.replace(one.whole.start..two.whole.end, &new)
}
