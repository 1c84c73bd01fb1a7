//! Every flow of the shipped dev-story can fail: its README names one change to the story for each, and each is tried.

use std::path::Path;

use kitsoki_runtime::gate::Gates;
use kitsoki_testing::run;
use kitsoki_testing::{Options, fixture};

use crate::support::on_disk;

/// One row of the table: the flow, the file to change, what is replaced and with what.
#[derive(Debug)]
struct Row {
    flow: String,
    file: String,
    replace: String,
    with: String,
}

/// The rows of the table behind the marker.
fn rows(readme: &str) -> Vec<Row> {
    let (_, table) = readme.split_once("<!-- mutations:").expect("the marker of the table");
    let rows = table.lines().skip_while(|l| !l.starts_with("|---")).skip(1);
    let cell = |text: &str| text.trim().trim_matches('`').to_owned();
    rows.take_while(|l| l.starts_with('|'))
        .map(|line| {
            // A `|` inside of a cell is no border: borders have blanks around them, and cells are in back quotes.
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
            let [flow, _, file, replace, with] = cells.as_slice() else {
                panic!("five cells: {line}");
            };
            Row {
                flow: cell(flow),
                file: cell(file),
                replace: cell(replace),
                with: cell(with),
            }
        })
        .collect()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Whether all flows of a file pass with nobody to grant anything.
fn passes(story: &Path, flow: &str) -> Result<(), String> {
    let program = on_disk(story);
    let options = Options {
        gates: Gates::Strict,
        ..Options::default()
    };
    let loaded = fixture::load(&story.join(format!("flows/{flow}.yaml"))).map_err(|e| e.0)?;
    assert!(!loaded.flows.is_empty(), "{flow} holds flows");
    for flow in &loaded.flows {
        let result = run::run(&program, flow, options).map_err(|e| e.0)?;
        if !result.passed {
            let failures = result.turns.into_iter().flat_map(|t| t.failures);
            return Err(failures.collect::<Vec<_>>().join("; "));
        }
    }
    Ok(())
}

#[test]
fn each_flow_of_the_plan_passes_and_fails_with_its_change() {
    let story = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../stories/dev-story"));
    let readme = std::fs::read_to_string(story.join("README.md")).unwrap();
    let rows = rows(&readme);
    for row in &rows {
        assert_eq!(passes(story, &row.flow), Ok(()), "{}", row.flow);
        let temp = tempfile::tempdir().unwrap();
        copy(story, temp.path());
        let file = temp.path().join(&row.file);
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.matches(&row.replace).count(), 1, "{row:?}");
        std::fs::write(&file, text.replace(&row.replace, &row.with)).unwrap();
        let verdict = passes(temp.path(), &row.flow);
        assert!(verdict.is_err(), "{} still passes with {row:?}", row.flow);
    }
    // A flow without a row would be one that nobody has seen fail.
    for entry in std::fs::read_dir(story.join("flows")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(rows.iter().any(|r| r.flow == name), "{name} has no row");
    }
}

#[test]
fn all_flows_of_the_shipped_stories_pass_with_nobody_to_ask() {
    let stories = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../stories"));
    let mut count = 0;
    for story in std::fs::read_dir(stories).unwrap() {
        let story = story.unwrap().path();
        let Ok(flows) = std::fs::read_dir(story.join("flows")) else {
            continue;
        };
        for flow in flows {
            let path = flow.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            assert_eq!(passes(&story, &name), Ok(()), "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 20, "{count} flows");
}
