//! The elements of a view and how they are laid out (`expressions` 12.2, 12.3).

use kitsoki_expr::wrap;
use kitsoki_ir::view::{ElementKind, ListItem, Media};
use kitsoki_ir::{Element, ExprId, Text};
use smol_str::SmolStr;

use super::{Canvas, WIDTH};
use crate::fault::TurnError;
use crate::value;

/// A hint column is at least this wide, as long as labels allow.
const MIN_HINT: usize = 40;
/// Between the columns of a list.
const GUTTER: usize = 2;
/// A banner's lines are at least this wide.
const MIN_BANNER: usize = 40;

impl Canvas<'_> {
    pub(crate) fn text(&self, text: &Text) -> Result<String, TurnError> {
        self.machine.program.view_text(text, self.env, self.dir)
    }

    /// Whether something is shown: a guard that fails at run time hides it, one that never compiles is an error.
    pub(crate) fn shows(&self, when: Option<ExprId>) -> Result<bool, TurnError> {
        let Some(when) = when else { return Ok(true) };
        let program = self.machine.program.compiled(when)?;
        Ok(program.eval(self.env).is_ok_and(|v| value::truthy(&v)))
    }

    pub(crate) fn elements(&self, elements: &[Element]) -> Result<String, TurnError> {
        let mut out = String::new();
        let mut before_is_kv = false;
        for (index, element) in elements.iter().enumerate() {
            let place = |e: TurnError| e.at(format_args!("view[{index}] ({})", kind(&element.show)));
            if !self.shows(element.when).map_err(place)? {
                continue;
            }
            let text = self.element(&element.show).map_err(place)?;
            if text.is_empty() {
                continue;
            }
            let is_kv = matches!(element.show, ElementKind::Kv(_));
            if !out.is_empty() {
                out.push_str(if is_kv && before_is_kv { "\n" } else { "\n\n" });
            }
            out.push_str(&text);
            before_is_kv = is_kv;
        }
        Ok(out)
    }

    fn element(&self, element: &ElementKind) -> Result<String, TurnError> {
        Ok(match element {
            ElementKind::Prose(text) => {
                let text = collapsed(&self.text(text)?);
                wrap::wrap(&text, WIDTH)
            }
            ElementKind::Heading(text) => self.text(text)?.trim().to_owned(),
            ElementKind::Code(text) => self.text(text)?.trim_end_matches('\n').to_owned(),
            ElementKind::Template(text) => self.text(text)?,
            ElementKind::List { marker, items } => self.list(marker, items)?,
            ElementKind::Kv(pairs) => self.pairs(pairs)?,
            ElementKind::Banner { text, subtitle, .. } => banner(self.text(text)?.trim(), self.text(subtitle)?.trim()),
            ElementKind::Choice(choice) => self.choice(choice)?,
            ElementKind::Media(media) => self.media(media)?,
        })
    }

    fn list(&self, marker: &str, items: &[ListItem]) -> Result<String, TurnError> {
        let mut rows = Vec::new();
        for item in items {
            if self.shows(item.when)? {
                let label = self.text(&item.label)?.trim_end_matches([' ', '\t']).to_owned();
                rows.push((label, self.text(&item.hint)?.trim().to_owned()));
            }
        }
        let prefix = format!("{} ", if marker.is_empty() { "•" } else { marker });
        Ok(if rows.iter().all(|(_, hint)| hint.is_empty()) {
            bare_list(&rows, &prefix)
        } else {
            two_columns(&rows, &prefix)
        })
    }

    fn pairs(&self, pairs: &[(SmolStr, Text)]) -> Result<String, TurnError> {
        let widest = pairs.iter().map(|(key, _)| len(key)).max().unwrap_or(0);
        let column = widest + 1 + GUTTER;
        let width = WIDTH.saturating_sub(column).max(1);
        let mut out = String::new();
        for (n, (key, text)) in pairs.iter().enumerate() {
            if n > 0 {
                out.push('\n');
            }
            let text = self.text(text).map_err(|e| e.at(format_args!("\"{key}\"")))?;
            out.push_str(key);
            out.push(':');
            pad(&mut out, widest - len(key) + GUTTER);
            if let Some(label) = link_label(&text).filter(|l| len(l) <= width) {
                out.push_str(label);
                continue;
            }
            let mut first = true;
            for line in text.split('\n') {
                for part in wrap::wrap(line, width).split('\n') {
                    if !first {
                        out.push('\n');
                        pad(&mut out, column);
                    }
                    first = false;
                    out.push_str(part);
                }
            }
        }
        Ok(out)
    }

    fn media(&self, media: &Media) -> Result<String, TurnError> {
        let trimmed = |text: &Text| self.text(text).map(|t| t.trim().to_owned());
        let icon = match media.kind.to_lowercase().as_str() {
            "video" => "📹",
            "image" => "🖼",
            "pdf" => "📄",
            "html" => "🌐",
            "slideshow" => "📊",
            _ => "📎",
        };
        let (handle, caption, path) = (trimmed(&media.handle)?, trimmed(&media.caption)?, trimmed(&media.path)?);
        let label = if caption.is_empty() { &handle } else { &caption };
        let target = if path.is_empty() { &handle } else { &path };
        let annotate = trimmed(&media.annotate_url)?;
        let mut out = format!("{icon}  {label}\n   → {target}");
        if !annotate.is_empty() {
            out.push_str("\n   annotate → ");
            out.push_str(&annotate);
        }
        Ok(out)
    }
}

fn kind(element: &ElementKind) -> &'static str {
    match element {
        ElementKind::Prose(_) => "prose",
        ElementKind::Heading(_) => "heading",
        ElementKind::Code(_) => "code",
        ElementKind::Template(_) => "template",
        ElementKind::List { .. } => "list",
        ElementKind::Kv(_) => "kv",
        ElementKind::Banner { .. } => "banner",
        ElementKind::Choice(_) => "choice",
        ElementKind::Media(_) => "media",
    }
}

/// Characters, as columns of these layouts count them.
pub(crate) fn len(text: &str) -> usize {
    text.chars().count()
}

pub(crate) fn pad(out: &mut String, columns: usize) {
    out.extend(std::iter::repeat_n(' ', columns));
}

/// Runs of spaces and line ends as one space, without those at the ends.
fn collapsed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split([' ', '\t', '\r', '\n']).filter(|p| !p.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(part);
    }
    out.trim().to_owned()
}

fn bare_list(rows: &[(String, String)], prefix: &str) -> String {
    let indent = len(prefix);
    let mut out = String::new();
    for (n, (label, _)) in rows.iter().enumerate() {
        if n > 0 {
            out.push('\n');
        }
        let wrapped = wrap::wrap(label, WIDTH.saturating_sub(indent).max(1));
        for (m, line) in wrapped.split('\n').enumerate() {
            if m == 0 {
                out.push_str(prefix);
            } else {
                out.push('\n');
                pad(&mut out, indent);
            }
            out.push_str(line);
        }
    }
    out
}

fn two_columns(rows: &[(String, String)], prefix: &str) -> String {
    let indent = len(prefix);
    let mut widest = rows.iter().map(|(label, _)| len(label)).max().unwrap_or(0);
    let budget = WIDTH.saturating_sub(indent + GUTTER + MIN_HINT);
    if budget >= 1 {
        widest = widest.min(budget);
    }
    let widest = widest.max(1);
    let hint_width = WIDTH.saturating_sub(indent + widest + GUTTER).max(8);
    let mut out = String::new();
    for (n, (label, hint)) in rows.iter().enumerate() {
        if n > 0 {
            out.push('\n');
        }
        out.push_str(prefix);
        out.push_str(label);
        if hint.is_empty() {
            while out.ends_with(' ') {
                out.pop();
            }
            continue;
        }
        pad(&mut out, widest.saturating_sub(len(label)) + GUTTER);
        for (m, line) in wrap::wrap(hint, hint_width).split('\n').enumerate() {
            if m > 0 {
                out.push('\n');
                pad(&mut out, indent + widest + GUTTER);
            }
            out.push_str(line);
        }
    }
    out
}

fn banner(title: &str, subtitle: &str) -> String {
    if title.is_empty() {
        return String::new();
    }
    let mut line = format!("  {title}");
    if !subtitle.is_empty() {
        line.push_str("  ·  ");
        line.push_str(subtitle);
    }
    let width = (len(&line) + 2).clamp(MIN_BANNER, WIDTH);
    let divider = "═".repeat(width);
    format!("{divider}\n{line}\n{divider}")
}

/// The visible part of a value that is one link: `[label](target)`, an address, a path of a Markdown file.
fn link_label(text: &str) -> Option<&str> {
    if text.is_empty() || text.trim() != text || text.contains('\n') {
        return None;
    }
    if let Some((label, target)) = text.strip_prefix('[').and_then(|t| t.split_once("](")) {
        let target = target.strip_suffix(')')?;
        let plain = !label.is_empty() && !label.contains(']') && !target.is_empty();
        return (plain && !target.contains([')', ' '])).then_some(label.trim());
    }
    let address = ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme)) && !text.contains(' ');
    let markdown = text.ends_with(".md") && !text.ends_with(" .md") && text != ".md";
    (address || markdown).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_align_their_hints() {
        let rows = vec![
            ("go".to_owned(), "leave".to_owned()),
            ("stay here".to_owned(), String::new()),
        ];
        assert_eq!(two_columns(&rows, "• "), "• go         leave\n• stay here");
    }

    #[test]
    fn a_banner_has_a_least_width() {
        let lines: Vec<usize> = banner("Hi", "").lines().map(len).collect();
        assert_eq!(lines, [40, 4, 40]);
    }

    #[test]
    fn links_show_their_label() {
        assert_eq!(link_label("[the plan](docs/plan.md)"), Some("the plan"));
        assert_eq!(link_label("see docs/plan.md"), Some("see docs/plan.md"));
        assert_eq!(link_label("plain"), None);
    }
}
