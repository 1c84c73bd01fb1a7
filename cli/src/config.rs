//! `kitsoki.toml`: levels of rules for a project. The nearest file above a story counts.
//!
//! ```toml
//! [rules]
//! dead-end = "off"
//! undeclared-world-key = "error"
//! ```

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_diagnostics::Registry;
use kitsoki_diagnostics::levels::Levels;
use miette::miette;

/// The name of the file.
pub const FILE: &str = "kitsoki.toml";

/// The levels of the configuration nearest to a story.
///
/// # Errors
/// When the file cannot be read or says something that does not exist.
pub fn levels(story: &Utf8Path, registry: &Registry) -> miette::Result<Levels> {
    find(story).map_or_else(|| Ok(Levels::default()), |path| read(&path, registry))
}

/// The levels of a configuration file.
///
/// # Errors
/// When the file cannot be read or says something that does not exist.
pub fn read(path: &Utf8Path, registry: &Registry) -> miette::Result<Levels> {
    let mut levels = Levels::default();
    let text = std::fs::read_to_string(path).map_err(|e| miette!("`{path}` cannot be read: {e}"))?;
    for (number, rule, level) in entries(&text).map_err(|(line, why)| miette!("`{path}`, line {line}: {why}"))? {
        levels
            .set_words(registry, &rule, &level)
            .map_err(|e| miette!("`{path}`, line {number}: {e}"))?;
    }
    Ok(levels)
}

/// The configuration file nearest to a story.
#[must_use]
pub fn find(story: &Utf8Path) -> Option<Utf8PathBuf> {
    let full = story.canonicalize_utf8().ok()?;
    full.ancestors().skip(1).map(|dir| dir.join(FILE)).find(|p| p.is_file())
}

/// The `[rules]` table: line, rule, level. Nothing else may stand in the file: what is passed over silently is taken for heeded.
fn entries(text: &str) -> Result<Vec<(usize, String, String)>, (usize, String)> {
    let table: toml::Table = text.parse().map_err(|e: toml::de::Error| {
        let at = e.span().map_or(0, |s| s.start);
        (
            text.get(..at).unwrap_or_default().lines().count().max(1),
            e.message().to_owned(),
        )
    })?;
    let mut out = Vec::new();
    if let Some(other) = table.keys().find(|key| *key != "rules") {
        let line = text
            .lines()
            .position(|l| l.contains(other.as_str()))
            .map_or(1, |n| n + 1);
        return Err((
            line,
            format!("`{other}` means nothing here; levels stand in the table `[rules]`"),
        ));
    }
    let Some(rules) = table.get("rules") else {
        return Ok(out);
    };
    let Some(rules) = rules.as_table() else {
        return Err((1, "`rules` is no table".to_owned()));
    };
    for (rule, level) in rules {
        let line = text
            .lines()
            .position(|l| l.trim_start().trim_start_matches('"').starts_with(rule.as_str()));
        let line = line.map_or(1, |n| n + 1);
        match level.as_str() {
            Some(level) => out.push((line, rule.clone(), level.to_owned())),
            None => return Err((line, format!("the level of `{rule}` is a text such as \"warning\""))),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn levels_are_read_with_their_lines() {
        let text = "# project\n[rules]\ndead-end = \"off\"\n\"once\" = \"error\"\n";
        let found = entries(text).unwrap();
        assert!(found.contains(&(3, "dead-end".into(), "off".into())), "{found:?}");
        assert_eq!(entries("[rules]\ndead-end = 3\n").unwrap_err().0, 2);
        assert!(entries("[rules\n").is_err());
        let (line, why) = entries("# mine\n[rule]\ndead-end = \"off\"\n").unwrap_err();
        assert_eq!((line, why.contains("`rule` means nothing here")), (2, true), "{why}");
        assert!(entries("").unwrap().is_empty());
    }
}
