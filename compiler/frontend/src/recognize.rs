//! What is a manifest among the YAML files of a folder: asked before anything is compiled, so by the shape of the text alone.

/// Whether a text looks like a manifest: `app:` with a mapping beside another key of a story, and no kind of its own. A file
/// of another tool that happens to be called `app.yaml` is none.
#[must_use]
pub fn looks_like_story(text: &str) -> bool {
    let mut app = false;
    let mut other = false;
    let mut lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines().peekable();
    while let Some(line) = lines.next() {
        let Some((key, rest)) = line.split_once(':') else {
            continue;
        };
        match key.trim_end() {
            "app" => {
                let rest = rest.trim_start();
                let rest = rest
                    .strip_prefix('&')
                    .and_then(|r| r.split_once(' '))
                    .map_or(rest, |(_, r)| r.trim_start());
                let nested = || {
                    let mut ahead = lines.clone();
                    ahead
                        .find(|l| !l.trim().is_empty() && !l.trim_start().starts_with('#'))
                        .is_some_and(|l| l.starts_with([' ', '\t']))
                };
                app |= rest.starts_with('{') || ((rest.is_empty() || rest.starts_with('#')) && nested());
            }
            "root" | "states" | "include" | "imports" | "intents" | "phases" | "meta_modes" => other = true,
            "test_kind" | "kind" => return false,
            _ => {}
        }
    }
    app && other
}

#[cfg(test)]
mod tests {
    use super::looks_like_story;

    #[test]
    fn a_manifest_is_known_by_its_shape() {
        assert!(looks_like_story("app: { id: a }\nroot: x\n"));
        assert!(looks_like_story("app:\n  # the id\n  id: a\nstates: {}\n"));
        assert!(!looks_like_story("app: ../app.yaml\ntest_kind: flow\n"));
        assert!(!looks_like_story("app: name\nroot: x\n"));
        assert!(!looks_like_story("states: {}\n"));
    }
}
