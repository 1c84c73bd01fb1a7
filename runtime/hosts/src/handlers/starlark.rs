//! `host.starlark.run` and scripts behind interfaces: the scripts of a story, with their way back to other handlers
//! (`starlark` chapter).

use std::path::PathBuf;

use kitsoki_starlark::data::map_to_json;
use kitsoki_starlark::http::LiveClient;
use kitsoki_starlark::{Data as ScriptData, DataMap, Outcome, Places};

use crate::call::{Answer, Call, Data, Failure, Handler, Kind};
use crate::services::Network;

/// Answers a call.
pub(super) fn call(call: &Call<'_>) -> Answer {
    run(call, script_map(call.args))
}

fn script_map(data: &Data) -> DataMap {
    data.iter()
        .map(|(k, v)| (k.clone(), ScriptData::from_json(v)))
        .collect()
}

/// Runs a script in another world than the call's.
pub(super) fn run_in(call: &Call<'_>, with: &Data, world: &Data) -> Answer {
    run_with(call, script_map(with), script_map(world))
}

fn run(call: &Call<'_>, with: DataMap) -> Answer {
    run_with(call, with, script_map(&call.context.world))
}

fn run_with(call: &Call<'_>, with: DataMap, world: DataMap) -> Answer {
    let context = call.context;
    let prepared = kitsoki_starlark::Call {
        with,
        world,
        places: Places {
            story: context.overlays.iter().chain(&context.story).cloned().collect(),
            app_dir: context.environment.telling("KITSOKI_APP_DIR").map(|f| context.path(f)),
            current: context.current.clone(),
            roots: Vec::new(),
        },
        ..kitsoki_starlark::Call::default()
    };
    let mut others = Others { call };
    let outcome = match &context.services.scripts {
        Some(scripts) => scripts.run(prepared, &mut others),
        None => {
            let network = context.services.network.as_ref();
            let mut client = network.map(|n| LiveClient::new(Line { network: &**n, call }));
            let surface = kitsoki_starlark::Surface {
                http: client
                    .as_mut()
                    .map(|c| c as &mut dyn kitsoki_starlark::http::HttpClient),
                hosts: Some(&mut others),
                ..kitsoki_starlark::Surface::default()
            };
            kitsoki_starlark::call::run(prepared, surface)
        }
    };
    answer(outcome)
}

fn answer(outcome: Outcome) -> Answer {
    match outcome.data() {
        Ok(data) => Ok(map_to_json(&data)),
        Err(fault) if fault.class.is_infra() => Err(Failure::infra(Kind::Outside, fault.text)),
        Err(fault) => {
            let kind = match fault.class.name() {
                limit if limit.starts_with("limit") => Kind::Limit,
                _ => Kind::Outside,
            };
            Err(Failure::domain(kind, fault.text))
        }
    }
}

/// The way from a script to other handlers. The script's grant has been checked.
struct Others<'a> {
    call: &'a Call<'a>,
}

impl kitsoki_starlark::call::HostCaller for Others<'_> {
    fn call(&mut self, verb: &str, args: &DataMap) -> Result<DataMap, String> {
        let answer = self.call.registry.invoke_from(self.call, verb, map_to_json(args));
        answer.map(|data| script_map(&data)).map_err(|failure| failure.message)
    }
}

/// The network as scripts see it.
struct Line<'a> {
    network: &'a dyn Network,
    call: &'a Call<'a>,
}

impl kitsoki_starlark::http::Transport for Line<'_> {
    fn send(&mut self, request: &kitsoki_starlark::http::Request) -> Result<kitsoki_starlark::http::Response, String> {
        self.network.send(request, &self.call.context.cancel)
    }
}

/// A script that answers for an interface (`starlark` 11): its `main` is given all arguments as inputs, the operation among
/// them, and nothing beyond them is granted. Register it under the name that the import gave the binding.
pub struct ScriptBinding {
    script: PathBuf,
}

impl ScriptBinding {
    /// A binding to a script, by its whole path.
    pub fn new(script: impl Into<PathBuf>) -> Self {
        Self { script: script.into() }
    }
}

impl Handler for ScriptBinding {
    fn call(&self, call: &Call<'_>) -> Answer {
        let mut inputs = script_map(call.args);
        let world = inputs.remove("world");
        let script = self.script.to_string_lossy().into_owned();
        let mut with = DataMap::from([
            ("script".to_owned(), ScriptData::Text(script)),
            ("inputs".to_owned(), ScriptData::Map(inputs)),
        ]);
        with.extend(world.map(|w| ("world".to_owned(), w)));
        run(call, with)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::call::data;
    use crate::context::Context;
    use crate::environment::Environment;

    const SCRIPT: &str = r#"
def main(ctx):
    if "op" in ctx.inputs:
        return {"out": ctx.inputs["op"]}
    return {"out": ctx.host.call("host.graph.load", {"n": ctx.inputs["n"]})["n"]}
"#;

    const SIDECAR: &str = r"
inputs:
  n: {type: any, required: false}
  op: {type: any, required: false}
outputs:
  out: {type: any}
";

    fn story() -> (tempfile::TempDir, Context) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("s.star"), SCRIPT).unwrap();
        std::fs::write(folder.path().join("s.star.yaml"), SIDECAR).unwrap();
        let mut context = Context::bare(folder.path(), Environment::empty());
        context.story = Some(folder.path().to_owned());
        (folder, context)
    }

    fn registry() -> crate::Registry {
        let mut registry = crate::builtins();
        registry.replace("host.graph", |call: &Call<'_>| -> Answer { Ok(call.args.clone()) });
        registry
    }

    #[test]
    fn a_script_calls_a_handler_that_it_was_granted() {
        let (_folder, context) = story();
        let mut with = json!({"script": "s.star", "inputs": {"n": 7}});
        let failure = registry()
            .invoke("host.starlark.run", data(with.clone()), &context)
            .unwrap_err();
        assert!(failure.message.starts_with("host.starlark.run: "), "{failure}");
        with["capabilities"] = json!({"host": {"verbs": ["host.graph.load"]}});
        let answer = registry().invoke("host.starlark.run", data(with), &context);
        assert_eq!(answer.unwrap()["out"], 7);
    }

    #[test]
    fn a_binding_is_given_the_operation_as_an_input() {
        let (folder, context) = story();
        let mut registry = registry();
        registry.replace(
            "host.starlark_binding.x",
            ScriptBinding::new(folder.path().join("s.star")),
        );
        let answer = registry.invoke("host.starlark_binding.x.hello", data(json!({"n": 1})), &context);
        assert_eq!(answer.unwrap()["out"], "hello");
    }
}
