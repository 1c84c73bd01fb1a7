//! Choices as still pictures (`expressions` 12.5).

use kitsoki_ir::Text;
use kitsoki_ir::Value as Literal;
use kitsoki_ir::view::{Choice, ChoiceField, ChoiceMode};

use super::elements::{len, pad};
use super::{Canvas, WIDTH};
use crate::fault::TurnError;
use crate::value;

const GUTTER: usize = 2;
const MIN_HINT: usize = 40;
const MIN_LABEL: usize = 8;
/// The value part of a form field is at least this wide.
const FIELD: usize = 10;

impl Canvas<'_> {
    pub(crate) fn choice(&self, choice: &Choice) -> Result<String, TurnError> {
        if !self.shows(choice.when)? {
            return Ok(String::new());
        }
        let prompt = self.text(&choice.prompt)?.trim().to_owned();
        let (body, bounds, footer) = match choice.mode {
            ChoiceMode::Single => {
                let rows = self.rows(choice, false)?;
                let body = laid_out(&rows, "  ");
                (body, String::new(), "[↑/↓ move • Enter pick • Tab chat • Esc cancel]")
            }
            ChoiceMode::Multi => {
                let rows = self.rows(choice, true)?;
                let body = laid_out(&rows, "  [ ] ");
                let footer = "[↑/↓ • Space toggle • Enter submit • Tab chat • Esc cancel]";
                (body, bounds(choice, rows.len()), footer)
            }
            ChoiceMode::Form => (
                self.form(choice)?,
                String::new(),
                "[Tab/↑↓ field • Enter submit • Esc cancel]",
            ),
        };
        let mut out = String::new();
        if !prompt.is_empty() {
            out.push_str(&prompt);
            if !bounds.is_empty() {
                out.push(' ');
                out.push_str(&bounds);
            }
            if !prompt.ends_with(':') {
                out.push(':');
            }
            out.push_str("\n\n");
        } else if !bounds.is_empty() {
            out.push_str(&bounds);
            out.push_str("\n\n");
        }
        out.push_str(&body);
        if !body.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str(footer);
        let lines: Vec<String> = out.split('\n').map(|line| clipped(line, WIDTH)).collect();
        Ok(lines.join("\n"))
    }

    fn rows(&self, choice: &Choice, multi: bool) -> Result<Vec<(String, String)>, TurnError> {
        let mut rows = Vec::new();
        for (index, item) in choice.items.iter().enumerate() {
            let place = |e: TurnError| e.at(format_args!("choice.items[{index}]"));
            if !self.shows(item.when).map_err(place)? {
                continue;
            }
            let mut label = if multi && item.label.is_empty() {
                item.value.to_string()
            } else {
                self.text(&item.label).map_err(place)?
            };
            label.truncate(label.trim_end_matches([' ', '\t']).len());
            if let Some(param) = item.param.as_ref().filter(|_| !multi) {
                let placeholder = self.text(&param.placeholder).map_err(place)?;
                let placeholder = placeholder.trim();
                if !placeholder.is_empty() {
                    label = format!("{label} [{placeholder}]");
                } else if !param.slot.is_empty() {
                    label = format!("{label} ({}?)", param.slot);
                }
            }
            rows.push((label, self.text(&item.hint).map_err(place)?.trim().to_owned()));
        }
        Ok(rows)
    }

    fn form(&self, choice: &Choice) -> Result<String, TurnError> {
        let mut visible = Vec::new();
        for (name, field) in &choice.fields {
            if self.shows(field.when)? {
                visible.push((name.as_str(), field));
            }
        }
        let fill = |text: &str| {
            filled(text, |name| {
                visible.iter().find(|(n, _)| *n == name).map_or_else(
                    || underlined(""),
                    |(name, field)| {
                        let mut out = underlined(&self.field_value(name, field));
                        let unit = field.unit.trim();
                        if !unit.is_empty() {
                            out.push(' ');
                            out.push_str(unit);
                        }
                        out
                    },
                )
            })
        };
        let body = match &choice.template {
            Text::Literal(text) => fill(text),
            // The fields stand between the braces of the form and are put in before the template is read.
            Text::Template(id) => {
                self.machine
                    .program
                    .inline(&fill(self.machine.program.source(*id)), self.env, self.dir)?
            }
        };
        let body = body.trim_end_matches('\n');
        if body.is_empty() {
            return Ok("  (no fields visible)".into());
        }
        let lines: Vec<String> = body.split('\n').map(|line| format!("  {line}")).collect();
        Ok(lines.join("\n"))
    }

    fn field_value(&self, name: &str, field: &ChoiceField) -> String {
        if field.readonly
            && let Some(expr) = field.expr
            && let Ok(found) = self.machine.program.eval(expr, self.env)
            && !found.is_nil()
        {
            return value::text(&found);
        }
        match &field.default {
            Literal::Null => {}
            Literal::Text(text) if text.is_empty() => {}
            Literal::Text(text) => return text.to_string(),
            Literal::Template(id) => return self.machine.program.source(*id).to_owned(),
            other => return value::text(&value::literal(other)),
        }
        let placeholder = self.machine.program.raw(&field.placeholder);
        if placeholder.is_empty() {
            name.to_owned()
        } else {
            placeholder.to_owned()
        }
    }
}

/// `(n)` or `(min–max)`, when one of them was written and a row is visible.
fn bounds(choice: &Choice, visible: usize) -> String {
    if visible == 0 || (choice.min.is_none() && choice.max.is_none()) {
        return String::new();
    }
    let min = choice.min.unwrap_or(0);
    let max = choice.max.unwrap_or(i64::try_from(visible).unwrap_or(i64::MAX));
    if min == max {
        format!("({min})")
    } else {
        format!("({min}–{max})")
    }
}

fn underlined(value: &str) -> String {
    let value = value.trim();
    format!("_{value}{}_", "_".repeat(FIELD.saturating_sub(len(value))))
}

/// Replaces every `{name}`; a name begins with a letter or `_`.
fn filled(text: &str, field: impl Fn(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let inner = from.get(1..).unwrap_or_default();
        let end = inner
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(inner.len());
        let (name, after) = inner.split_at(end);
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if is_name && let Some(after) = after.strip_prefix('}') {
            out.push_str(&field(name));
            rest = after;
        } else {
            out.push('{');
            rest = inner;
        }
    }
    out.push_str(rest);
    out
}

/// A text cut to a width, with an ellipsis in the last column.
fn clipped(text: &str, width: usize) -> String {
    if len(text) <= width {
        return text.to_owned();
    }
    if width <= 1 {
        return text.chars().take(width).collect();
    }
    let mut out: String = text.chars().take(width - 1).collect();
    out.push('…');
    out
}

fn laid_out(rows: &[(String, String)], prefix: &str) -> String {
    let budget = WIDTH.saturating_sub(len(prefix));
    let hints = rows.iter().any(|(_, hint)| !hint.is_empty());
    let mut widest = rows.iter().map(|(label, _)| len(label)).max().unwrap_or(0);
    let cap = budget.saturating_sub(GUTTER + MIN_HINT);
    if cap >= MIN_LABEL {
        widest = widest.min(cap);
    }
    let mut out = String::new();
    for (n, (label, hint)) in rows.iter().enumerate() {
        if n > 0 {
            out.push('\n');
        }
        out.push_str(prefix);
        if !hints {
            out.push_str(&clipped(label, budget));
            continue;
        }
        let label = clipped(label, widest);
        let room = budget.saturating_sub(widest.max(len(&label)) + GUTTER);
        if hint.is_empty() || len(&label) + GUTTER >= budget || room == 0 {
            out.push_str(&clipped(&label, budget));
            continue;
        }
        out.push_str(&label);
        pad(&mut out, widest.saturating_sub(len(&label)) + GUTTER);
        out.push_str(&clipped(hint, room));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_form_stand_on_lines() {
        let text = filled("For {who} at {n}; {{ kept }}", underlined);
        assert_eq!(text, "For _who________ at _n__________; {{ kept }}");
    }

    #[test]
    fn long_lines_are_clipped() {
        assert_eq!(clipped("abcdef", 4), "abc…");
        assert_eq!(clipped("abc", 4), "abc");
    }
}
