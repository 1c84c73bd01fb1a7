//! The text itself: columns, characters, pieces of templates, an end in the middle.

use super::Desk;
use crate::choices::Choices;

/// Moves a line, or a line and those below it, to another column.
pub fn indent(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let text = desk.text();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let from = choices.below(lines.len());
    let count = *choices.pick(&[1, 1, 2, 5])?;
    let step = *choices.pick(&[1i8, -1, 2, -2, 4, 0])?;
    let moved = |line: &str| match step {
        0 => line.replacen("  ", "\t", 1),
        1.. => format!("{}{line}", " ".repeat(usize::from(step.unsigned_abs()))),
        _ => {
            let spaces = line.len() - line.trim_start_matches(' ').len();
            line.get(spaces.min(usize::from(step.unsigned_abs()))..)
                .unwrap_or(line)
                .to_owned()
        }
    };
    let change = |(n, line): (usize, &&str)| {
        let hit = (from..from + count).contains(&n) && !line.trim().is_empty();
        if hit { moved(line) } else { (*line).to_owned() }
    };
    let new: String = lines.iter().enumerate().map(change).collect();
    desk.set(new)
}

/// Pieces of templates, guards, paths and commands, whole and broken.
const FRAGMENTS: [&str; 36] = [
    "{{ world.water }}",
    "{{ world. }}",
    "{{ world.note.by.x }}",
    "{{ slots.count }}",
    "{{",
    "}}",
    "{% if world.ready %}",
    "{% endif %}",
    "{% for x in world.rows %}",
    "{% endfor %}",
    "{% include \"x.md\" %}",
    "{{ world.rows|join:\", \" }}",
    "{{ nothing|missing }}",
    " && ",
    " ?? ",
    " == ",
    "world.rows[0].name",
    "world.rows[9]",
    "len(",
    ")",
    "!",
    "'",
    "\"",
    "\\",
    ": ",
    " # ",
    "- ",
    "@exit:high",
    "../",
    "${HOME}",
    "{tpl.id}",
    "{{ tpl.id }}",
    "{{ phase.next.onward }}",
    "é🍵",
    "{count}",
    "{{ available('look') }}",
];

/// Puts a fragment into a single value, or in its place.
pub fn fragment(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let outline = desk.outline();
    let range = choices.pick(&outline.scalars)?.clone();
    let piece = *choices.pick(&FRAGMENTS)?;
    if choices.once_in(3) {
        return desk.replace(range, &format!("\"{}\"", piece.replace(['"', '\\'], "")));
    }
    let at = range.start + choices.below(range.len() + 1);
    let at = desk.text().floor_char_boundary(at);
    desk.replace(at..at, piece)
}

/// Characters that mean something, or should not be there.
const CHARACTERS: [&str; 24] = [
    ":", " ", "\n", "-", "#", "{", "}", "[", "]", ",", "\"", "'", "&", "*", "!", "|", ">", "?", "\t", "\r\n", "\0",
    "\u{feff}", "\u{85}", "---\n",
];

/// A character more, or some characters less.
pub fn character(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let text = desk.text();
    let at = text.floor_char_boundary(choices.below(text.len() + 1));
    if choices.once_in(2) {
        let end = text.ceil_char_boundary((at + 1 + choices.below(4)).min(text.len()));
        return desk.replace(at..end, "");
    }
    let new = *choices.pick(&CHARACTERS)?;
    desk.replace(at..at, new)
}

/// Cuts the text off, as it is while somebody types or copies.
pub fn cut(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let text = desk.text();
    let at = text.floor_char_boundary(choices.below(text.len()));
    let kept = text.get(..at)?.to_owned();
    desk.set(kept)
}
