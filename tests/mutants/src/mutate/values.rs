//! Values: of another type, from elsewhere, through an alias, in another style.

use super::Desk;
use super::outline::{Outline, reindented};
use crate::choices::Choices;

/// Puts a value of this file, another one or another story in the place of a value.
pub fn take(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let other = desk.another(choices)?.to_owned();
    let theirs = Outline::of(&other);
    let from = choices.pick(&theirs.entries)?;
    let mut value = other.get(from.value.clone())?.to_owned();
    let ours = desk.outline();
    let to = choices.pick(&ours.entries)?;
    if value.contains('\n') && from.block {
        // A block goes to lines of its own.
        let below = desk
            .text()
            .get(..to.value.start)?
            .rsplit('\n')
            .next()?
            .len()
            .min(to.indent + 2);
        value = format!(
            "\n{}{}",
            " ".repeat(below),
            reindented(&value, from.indent + 2, below).trim_end()
        );
    }
    desk.replace(to.value.clone(), &value)
}

/// Values of every type, and some that look like another one.
const TYPED: [&str; 34] = [
    "",
    "~",
    "null",
    "true",
    "yes",
    "0",
    "-1",
    "3",
    "9223372036854775808",
    "1e999",
    ".nan",
    "0x1F",
    "1_000",
    "2.5",
    "\"\"",
    "'x'",
    "word",
    "two words",
    "2026-02-30",
    "12:30:45",
    "[]",
    "{}",
    "[x]",
    "[[[]]]",
    "{ a: 1 }",
    "{ type: int }",
    "[{ target: quay }]",
    "{ to: quay }",
    "!!int 3",
    "!x y",
    "\"{{ world.cargo }}\"",
    "\"{{ world.bales }} {{\"",
    "{ \"{{ x }}\": 1 }",
    "30s",
];

/// Gives an entry a value of another type.
pub fn retype(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let outline = desk.outline();
    let range = choices.pick(&outline.entries)?.value.clone();
    let new = *choices.pick(&TYPED)?;
    let gap = if range.is_empty() { " " } else { "" };
    desk.replace(range, &format!("{gap}{new}"))
}

/// Makes a list, a list of lists or a mapping of a value in one line.
pub fn wrap(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    const AROUND: [(&str, &str); 6] = [
        ("[", "]"),
        ("[[", "]]"),
        ("{ x: ", " }"),
        ("[", ", ~]"),
        ("\"", "\""),
        ("{{ ", " }}"),
    ];
    let outline = desk.outline();
    let range = choices.pick(&outline.entries)?.value.clone();
    let value = desk.text().get(range.clone()).filter(|v| !v.contains('\n'))?;
    let (open, close) = *choices.pick(&AROUND)?;
    let new = match value
        .strip_prefix('[')
        .and_then(|v| v.strip_suffix(']'))
        .filter(|_| choices.once_in(2))
    {
        // The other way round: what stood in a list stands alone.
        Some(inside) => inside.trim().to_owned(),
        None => format!("{open}{value}{close}"),
    };
    desk.replace(range, &new)
}

/// Names a value and puts the name in the place of another one.
pub fn alias(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let outline = desk.outline();
    let (one, two) = (choices.pick(&outline.entries)?, choices.pick(&outline.entries)?);
    if one.value.start == two.value.start {
        return None;
    }
    let name = *choices.pick(&["a", "b", "stay"])?;
    let mut text = desk.text().to_owned();
    // The later place first. An alias inside of its own anchor, or before it, is an author's mistake as well.
    let inside = one.value.start < two.value.start;
    let anchor = format!("&{name} ");
    if inside {
        text.replace_range(two.value.clone(), &format!("*{name}"));
        text.insert_str(one.value.start, &anchor);
    } else {
        text.insert_str(one.value.start, &anchor);
        let end = two.value.end.min(text.len());
        text.get(two.value.start..end)?;
        text.replace_range(two.value.start..end, &format!("*{name}"));
    }
    desk.set(text)
}

/// Merges a mapping into another one.
pub fn merge(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    const MERGED: [&str; 7] = [
        "*a",
        "*counter",
        "[*a, *b]",
        "{ type: int }",
        "{ target: \".\" }",
        "~",
        "[{ view: x }, { on: {} }]",
    ];
    let outline = desk.outline();
    let keyed = outline.keyed();
    let entry = choices.pick(&keyed)?;
    let merged = *choices.pick(&MERGED)?;
    let at = entry.whole.start;
    if entry.block {
        return desk.replace(at..at, &format!("{}<<: {merged}\n", " ".repeat(entry.indent)));
    }
    desk.replace(at..at, &format!("<<: {merged}, "))
}

/// Writes a single value in another style: other quotes, a block, several lines.
pub fn restyle(desk: &mut Desk<'_>, choices: &mut Choices<'_>) -> Option<()> {
    let outline = desk.outline();
    let range = choices.pick(&outline.scalars)?.clone();
    let value = desk.text().get(range.clone()).filter(|v| !v.contains('\n'))?;
    let bare = value.trim_matches(['"', '\'']);
    let line = desk.text().get(..range.start)?.rsplit('\n').next()?;
    let indent = line.len() - line.trim_start_matches([' ', '-']).len() + 2;
    let pad = " ".repeat(indent);
    let new = match choices.below(6) {
        0 => format!("\"{bare}\""),
        1 => format!("'{}'", bare.replace('\'', "''")),
        2 => bare.to_owned(),
        3 => format!("|\n{pad}{bare}"),
        4 => format!(">-\n{pad}{}", bare.replacen(' ', &format!("\n{pad}"), 2)),
        _ => format!("\"{}\"", bare.replacen(' ', &format!("\\\n{pad}\\u0020"), 1)),
    };
    desk.replace(range, &new)
}
