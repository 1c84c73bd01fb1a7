//! What the end of a turn says about a workbench (`dispatch` 15).

use kitsoki_expr::{Map, Value};

use super::settle::Progress;
use super::task::Task;
use crate::value;

/// The signal of a turn whose machine step ended in a workbench.
pub(crate) fn signal(task: &Task, target: &str, failed: bool, progress: &Progress) -> Option<Map> {
    let (_, state) = task.program.state(target)?;
    let workbench = state.workbench.as_ref()?;
    let world = &progress.world;
    let mut completed = !failed;
    if let Some(key) = workbench.note.and_then(|id| task.program.story.world.get(id)) {
        let expected = expected(
            &key.name,
            world.vars.get(&format!(
                "{}_expected_effects",
                key.name.strip_suffix("_note").unwrap_or_default()
            )),
        );
        if !expected.is_empty() {
            let mut all = String::new();
            if let Some(note) = world.get(&key.name) {
                collect(note, &mut all);
            }
            let all = all.to_lowercase();
            completed = !failed && expected.iter().all(|want| all.contains(&want.to_lowercase()));
        }
    }
    Some(value::map([
        ("candidate_completed", Value::Bool(completed)),
        ("silent_bounce", Value::Bool(failed && progress.view.trim().is_empty())),
        ("misroute_adjacent", Value::Bool(false)),
        ("evidence_refs", Value::list(Vec::new())),
    ]))
}

fn expected(note: &str, list: Option<&Value>) -> Vec<String> {
    if !note.ends_with("_note") {
        return Vec::new();
    }
    let Some(Value::List(list)) = list else {
        return Vec::new();
    };
    let texts = list.iter().filter_map(Value::as_str);
    texts.filter(|t| !t.trim().is_empty()).map(str::to_owned).collect()
}

/// All texts in a value, maps by the order of their keys.
fn collect(value: &Value, out: &mut String) {
    match value {
        Value::Str(text) => {
            out.push_str(text);
            out.push('\n');
        }
        Value::List(list) => list.iter().for_each(|v| collect(v, out)),
        Value::Map(map) => map.sorted().into_iter().for_each(|(_, v)| collect(v, out)),
        _ => {}
    }
}
