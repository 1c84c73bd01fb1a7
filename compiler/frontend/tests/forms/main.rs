//! Every form says the same at the same places, and each keeps to the grammar of those who read it.
//!
//! What is rendered are the findings of every story of every rule page: whatever can be found, at every level, with labels,
//! fixes and ways to files. `sarif.schema.json` is written for this test and has the parts of SARIF 2.1.0 that are used here,
//! each as narrow as the standard has it; nothing of the standard's own schema is copied.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

mod grammar;
#[path = "../pages/mod.rs"]
mod pages;
#[path = "../story/mod.rs"]
mod story;
mod xml;

use std::sync::LazyLock;

use kitsoki_compiler::rules;
use kitsoki_diagnostics::{Level, place, render};
use serde_json::Value as Json;

use story::Story;

/// Every story of every page about which something is said, with the page's name.
fn corpus() -> &'static [(String, Story)] {
    static ALL: LazyLock<Vec<(String, Story)>> = LazyLock::new(|| {
        let mut names: Vec<_> = std::fs::read_dir(pages::pages_dir())
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect();
        names.sort();
        let mut out = Vec::new();
        for path in names.iter().filter(|p| !p.ends_with("README.md")) {
            let page = std::fs::read_to_string(path).unwrap();
            for block in pages::stories(&page) {
                let story = Story::check(&block.files);
                if !story.findings.is_empty() {
                    out.push((format!("{}:{}", path.display(), block.at), story));
                }
            }
        }
        out
    });
    &ALL
}

#[test]
fn the_corpus_holds_findings_of_nearly_every_rule_and_kind() {
    let findings = || corpus().iter().flat_map(|(_, s)| &s.findings);
    let mut rules: Vec<&str> = findings().map(|f| f.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    assert!(rules.len() > 300, "{}", rules.len());
    assert!(findings().any(|f| f.severity == Level::Hint));
    assert!(findings().any(|f| f.fixes.iter().any(|x| x.edits.len() > 1)));
    assert!(findings().any(|f| !f.labels.is_empty()));
    assert!(findings().any(|f| !f.entrances.is_empty()));
}

/// `rule path line column` of every finding, in order.
fn places(story: &Story) -> Vec<String> {
    let one = |f: &kitsoki_diagnostics::Diagnostic| {
        let at = place(story, f.primary.as_ref().unwrap().span);
        format!("{} {} {} {}", f.rule, at.path, at.line, at.column)
    };
    story.findings.iter().map(one).collect()
}

#[test]
fn json_and_its_lines_have_every_finding() {
    for (page, story) in corpus() {
        let text = render::json(&story.findings, story, 1);
        let json: Json = serde_json::from_str(&text).unwrap();
        let of = |f: &Json| {
            let start = &f["primary"]["range"]["start"];
            let text = |v: &Json| v.as_str().unwrap().to_owned();
            format!(
                "{} {} {} {}",
                text(&f["rule"]),
                text(&f["primary"]["file"]),
                start["line"],
                start["column"]
            )
        };
        let found: Vec<String> = json["diagnostics"].as_array().unwrap().iter().map(of).collect();
        assert_eq!(found, places(story), "{page}");
        let lines = render::jsonl(&story.findings, story);
        let lines: Vec<Json> = lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(&Json::Array(lines), &json["diagnostics"], "{page}");
    }
}

#[test]
fn concise_has_one_line_for_every_finding() {
    for (page, story) in corpus() {
        let text = render::concise(&story.findings, story);
        let found: Vec<String> = text
            .lines()
            .map(|l| grammar::concise(l).unwrap_or_else(|| panic!("{page}: {l}")))
            .collect();
        assert_eq!(found, places(story), "{page}");
    }
}

#[test]
fn sarif_keeps_to_the_schema() {
    let schema: Json = serde_json::from_str(include_str!("sarif.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for (page, story) in corpus() {
        let text = render::sarif(&story.findings, story, &rules::registry(), "0.1.0");
        let json: Json = serde_json::from_str(&text).unwrap();
        let faults: Vec<String> = schema
            .iter_errors(&json)
            .map(|e| format!("{}: {e}", e.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{page}: {faults:#?}");
        let run = &json["runs"][0];
        let of = |r: &Json| {
            let at = &r["locations"][0]["physicalLocation"];
            let index = usize::try_from(r["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(run["tool"]["driver"]["rules"][index]["id"], r["ruleId"], "{page}");
            let region = &at["region"];
            let path = grammar::unescaped_uri(at["artifactLocation"]["uri"].as_str().unwrap());
            format!(
                "{} {path} {} {}",
                r["ruleId"].as_str().unwrap(),
                region["startLine"],
                region["startColumn"]
            )
        };
        let found: Vec<String> = run["results"].as_array().unwrap().iter().map(of).collect();
        assert_eq!(found, places(story), "{page}");
    }
}

/// The schema is narrow enough to refuse what the standard refuses.
#[test]
fn the_schema_refuses_what_is_no_sarif() {
    let schema: Json = serde_json::from_str(include_str!("sarif.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let (_, story) = corpus()
        .iter()
        .find(|(_, s)| s.findings.iter().any(|f| !f.fixes.is_empty()))
        .unwrap();
    let good: Json = serde_json::from_str(&render::sarif(&story.findings, story, &rules::registry(), "0.1.0")).unwrap();
    assert!(schema.is_valid(&good));
    let region = "/runs/0/results/0/locations/0/physicalLocation/region";
    for (pointer, key, value) in [
        ("", "version", serde_json::json!("2.2.0")),
        ("/runs/0/tool/driver", "name", Json::Null),
        ("/runs/0/results/0", "level", serde_json::json!("hint")),
        ("/runs/0/results/0", "message", serde_json::json!({})),
        ("/runs/0/results/0", "severity", serde_json::json!(1)),
        (region, "startLine", serde_json::json!(0)),
        (region, "startColumn", serde_json::json!("1")),
        (
            "/runs/0/results/0/locations/0/physicalLocation/artifactLocation",
            "uri",
            serde_json::json!("a b"),
        ),
        ("/runs/0", "columnKind", serde_json::json!("bytes")),
    ] {
        let mut bad = good.clone();
        bad.pointer_mut(pointer)
            .unwrap()
            .as_object_mut()
            .unwrap()
            .insert(key.to_owned(), value);
        assert!(!schema.is_valid(&bad), "{pointer}/{key}");
    }
}

#[test]
fn github_commands_keep_to_their_grammar() {
    for (page, story) in corpus() {
        let text = render::github(&story.findings, story);
        let found: Vec<String> = text
            .lines()
            .map(|l| grammar::github(l).unwrap_or_else(|| panic!("{page}: {l}")))
            .collect();
        assert_eq!(found, places(story), "{page}");
    }
}

#[test]
fn gitlab_reports_keep_to_their_grammar() {
    for (page, story) in corpus() {
        let json: Json = serde_json::from_str(&render::gitlab(&story.findings, story)).unwrap();
        let items = json.as_array().unwrap();
        let mut prints: Vec<&str> = items.iter().map(|i| i["fingerprint"].as_str().unwrap()).collect();
        prints.sort_unstable();
        let all = prints.len();
        prints.dedup();
        assert_eq!(prints.len(), all, "{page}: a fingerprint stands twice");
        for (item, wanted) in items.iter().zip(places(story)) {
            let text = |key: &str| item[key].as_str().filter(|t| !t.is_empty()).unwrap();
            assert!(
                ["info", "minor", "major", "critical", "blocker"].contains(&text("severity")),
                "{page}"
            );
            assert!(!text("description").contains('\n'), "{page}");
            let (path, lines) = (&item["location"]["path"], &item["location"]["lines"]);
            let (begin, end) = (lines["begin"].as_u64().unwrap(), lines["end"].as_u64().unwrap());
            assert!(begin >= 1 && end >= begin, "{page}");
            let path = path.as_str().unwrap();
            assert!(!path.is_empty() && !path.starts_with("./"), "{page}");
            assert!(
                wanted.starts_with(&format!("{} {path} {begin} ", text("check_name"))),
                "{page}"
            );
        }
        assert_eq!(items.len(), story.findings.len(), "{page}");
    }
}

#[test]
fn junit_reports_are_well_formed_and_count_right() {
    for (page, story) in corpus() {
        let text = render::junit(&story.findings, story);
        let root = xml::parse(&text).unwrap_or_else(|e| panic!("{page}: {e}\n{text}"));
        assert_eq!(root.name, "testsuites", "{page}");
        let [suite] = root.children.as_slice() else {
            panic!("{page}: one suite")
        };
        assert_eq!(suite.name, "testsuite", "{page}");
        let failures = suite
            .children
            .iter()
            .filter(|c| c.children.iter().any(|f| f.name == "failure"))
            .count();
        for counted in [&root, suite] {
            assert_eq!(
                counted.attribute("tests"),
                Some(suite.children.len().to_string().as_str()),
                "{page}"
            );
            assert_eq!(
                counted.attribute("failures"),
                Some(failures.to_string().as_str()),
                "{page}"
            );
        }
        for (case, wanted) in suite.children.iter().zip(places(story)) {
            assert_eq!(case.name, "testcase", "{page}");
            let at = |key: &str| case.attribute(key).unwrap();
            assert!(!at("classname").is_empty() && !at("name").is_empty(), "{page}");
            assert!(
                wanted.contains(&format!(" {} {} ", at("file"), at("line"))),
                "{page}: {wanted}"
            );
            assert!(
                case.children
                    .iter()
                    .all(|c| ["failure", "system-out"].contains(&c.name.as_str())),
                "{page}"
            );
        }
    }
    let clean = render::junit(&[], &kitsoki_diagnostics::MemorySources::new());
    let root = xml::parse(&clean).unwrap();
    assert_eq!(
        (root.attribute("tests"), root.attribute("failures")),
        (Some("1"), Some("0"))
    );
}

/// Words of the implementation, and words that blame.
const UNWANTED: &[&str] = &[
    "deserialize",
    "serde",
    "scalar",
    "token",
    "parser",
    "unexpected",
    "invalid value",
    "failed to",
    "you forgot",
    "oops",
    "Option",
    "Vec<",
    "u32",
    "AST",
    "unwrap",
    "panicked",
    "null pointer",
];

#[test]
fn messages_read_alike() {
    let mut wrong: Vec<String> = Vec::new();
    for (page, story) in corpus() {
        for f in &story.findings {
            let label = &f.primary.as_ref().unwrap().message;
            let mut blame = |what: &str| wrong.push(format!("{page}: {} `{}` / `{label}`: {what}", f.rule, f.message));
            let first = f.message.chars().next().unwrap();
            if f.message.chars().count() > 100 || f.message.contains('\n') {
                blame("longer than a line");
            }
            if first.is_uppercase() || f.message.ends_with(['.', '!', '?']) || label.ends_with(['.', '!']) {
                blame("no headline");
            }
            if *label == f.message || label.chars().count() > 80 {
                blame("the label is the headline, or too long");
            }
            let said = [f.message.as_str(), label]
                .into_iter()
                .chain(f.helps.iter().map(String::as_str));
            let said: Vec<&str> = said.collect();
            if let Some(word) = UNWANTED
                .iter()
                .find(|w| said.iter().any(|s| outside_of_quotes(s).contains(**w)))
            {
                blame(word);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A text without the author's own words in backticks.
fn outside_of_quotes(text: &str) -> String {
    text.split('`').step_by(2).collect()
}
