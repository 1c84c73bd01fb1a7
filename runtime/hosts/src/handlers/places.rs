//! `host.fs.writable_dir` and `host.workspace_manager.get` (`hosts` 8.1).

use std::io::ErrorKind;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::arguments::Arguments;
use crate::call::{Answer, Call, Failure, Kind, data};
use crate::process::{self, Fault, Program};

/// Gives back the folder when files can be created in it or below its nearest existing ancestor, else the other one.
pub(super) fn writable_dir(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let path = args.required("path")?;
    let fallback = args.required("fallback")?;
    let writable = accepts_files(&call.context.path(path));
    let chosen = if writable { path } else { fallback };
    Ok(data(json!({"path": chosen, "used_fallback": !writable})))
}

fn accepts_files(path: &Path) -> bool {
    for folder in path.ancestors() {
        match std::fs::metadata(folder) {
            Ok(metadata) => {
                let probe = folder.join(format!(".kitsoki-probe-{}", std::process::id()));
                let made = metadata.is_dir() && std::fs::File::create_new(&probe).is_ok();
                if made {
                    // Ours, just made; that it is gone again matters to nobody else.
                    let _ = std::fs::remove_file(&probe);
                }
                return made;
            }
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            Err(_) => return false,
        }
    }
    false
}

/// Asks the program `workspace-manager` about a workspace.
pub(super) fn workspace_manager_get(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let context = call.context;
    let mut program = Program::new("workspace-manager", &context.current, &context.environment).args(["get"]);
    if let Some(id) = args.telling("workspace_id") {
        program = program.args(["--id", id]);
    }
    let broken = |why: String| Failure::infra(Kind::Outside, format!("{}: {why}", args.handler()));
    match process::run(&program, &context.cancel) {
        Ok(ended) if ended.ok() => match serde_json::from_str::<Json>(&ended.said.output) {
            Ok(Json::Object(map)) => Ok(map),
            Ok(_) => Err(broken("the program printed no JSON object".to_owned())),
            Err(error) => Err(broken(format!("parse JSON: {error}"))),
        },
        Ok(ended) => Err(Failure::outside(ended.complaint())),
        Err(Fault::Start(why)) => Err(broken(format!("exec: {why}"))),
        Err(other) => Err(broken(other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_on_the_way_takes_no_files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("f"), "").unwrap();
        assert!(accepts_files(&folder.path().join("a/b")));
        assert!(!accepts_files(&folder.path().join("f/x")));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
