//! The textual look at a script that load checks take (`starlark` 3, step 8): which surface it names, compared with what
//! is granted. Aliases evade it and texts set it off; it is kept because stories were written against it.

use crate::capabilities::Capabilities;

/// A surface that a script names without a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ungranted {
    /// The text that was found, such as `ctx.fs.read`.
    pub text: &'static str,
    /// Where it stands, in bytes from the start of the script.
    pub offset: usize,
    /// The capability that would grant it, such as `fs.read`.
    pub capability: &'static str,
}

/// Every surface that the script names and that is not granted, in the order of the chapter. What stands between `#` and
/// the end of a line does not count.
pub fn ungranted(script: &str, granted: &Capabilities) -> Vec<Ungranted> {
    let rules: [(&'static str, &'static str, bool); 8] = [
        ("ctx.http", "http", granted.http.is_some()),
        ("ctx.fs.write", "fs.write", !granted.fs.write.is_empty()),
        ("ctx.fs.read", "fs.read", !granted.fs.read.is_empty()),
        ("ctx.fs.exists", "fs.read", !granted.fs.read.is_empty()),
        ("ctx.fs.glob", "fs.read", !granted.fs.read.is_empty()),
        ("ctx.probe", "probe, vcs or github", !granted.probes.is_empty()),
        (
            "gh.issue.list",
            "github.issues",
            granted.probes.iter().any(|p| p == "gh.issue.list"),
        ),
        ("ctx.host", "host.verbs", !granted.verbs.is_empty()),
    ];
    rules
        .into_iter()
        .filter(|(_, _, granted)| !granted)
        .filter_map(|(text, capability, _)| {
            find(script, text).map(|offset| Ungranted {
                text,
                offset,
                capability,
            })
        })
        .collect()
}

fn find(script: &str, text: &str) -> Option<usize> {
    let mut start = 0;
    for line in script.split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or_default();
        if let Some(at) = code.find(text) {
            return Some(start + at);
        }
        start += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_do_not_count_and_texts_do() {
        let none = Capabilities::default();
        assert!(ungranted("# ctx.http\nx = 1 # ctx.fs.read\n", &none).is_empty());
        let found = ungranted("x = 1\ny = \"ctx.http\"\n", &none);
        assert_eq!(
            found,
            [Ungranted {
                text: "ctx.http",
                offset: 11,
                capability: "http"
            }]
        );
    }
}
