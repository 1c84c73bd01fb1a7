//! Names of rules are stable for ever: configuration files and comments hold them.
//!
//! `rule_names.txt` has every name that a release had. A new rule adds its line; no line is ever taken out or used for
//! something else. A rule that is no more keeps its page.

use std::collections::BTreeSet;
use std::path::Path;

use kitsoki_compiler::rules;

#[test]
fn every_name_that_was_given_still_explains_itself() {
    let list: Vec<&str> = include_str!("rule_names.txt").lines().collect();
    let known: BTreeSet<&str> = rules::all().iter().map(|r| r.id).collect();
    let listed: BTreeSet<&str> = list.iter().copied().collect();
    assert!(
        list.windows(2).all(|w| w[0] < w[1]),
        "the list is sorted and has every name once"
    );
    let new: Vec<&&str> = known.difference(&listed).collect();
    assert!(new.is_empty(), "add to rule_names.txt: {new:?}");
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules");
    for name in &list {
        let page = std::fs::read_to_string(pages.join(format!("{name}.md"))).unwrap_or_default();
        assert!(
            page.starts_with(&format!("# {name}\n")),
            "`{name}` has no page any more"
        );
    }
    for name in &known {
        assert!(
            name.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
            "{name}"
        );
    }
}
