//! What scripts reach: inputs, world, files, probes, requests, handlers; and what they do not.

mod support;

use std::path::Path;

use serde_json::json;
use support::{error_class, lay_out, star, star_in};

const ALL: &str = r#"{"capabilities": {"fs": true}}"#;

fn script(body: &str) -> String {
    format!("def main(ctx):\n    return {{\"r\": {body}}}\n")
}

#[test]
fn inputs_and_world_are_handed_over() {
    let body = script("[ctx.inputs[\"n\"], type(ctx.inputs[\"f\"]), ctx.world.get(\"k\"), ctx.world.get(\"none\")]");
    let call = r#"{"inputs": {"n": 1, "f": 2.0}, "world": {"k": "v", "o": 1}, "overlay": {"k": "w"}}"#;
    assert_eq!(
        star(&[("main.star", &body)], call)["outputs"]["r"],
        json!([1, "float", "w", null])
    );
}

#[test]
fn what_is_not_granted_does_not_exist() {
    for name in ["http", "fs", "probe", "host"] {
        let answer = star(&[("main.star", &script(&format!("ctx.{name}")))], "{}");
        assert_eq!(error_class(&answer), "not-granted");
        let answer = star(&[("main.star", &script(&format!("hasattr(ctx, \"{name}\")")))], "{}");
        assert_eq!(answer["outputs"]["r"], false);
    }
    let call = r#"{"capabilities": {"world": false, "stdlib": []}}"#;
    assert_eq!(
        star(&[("main.star", &script("dir(ctx)"))], call)["outputs"]["r"],
        json!(["inputs"])
    );
    assert_eq!(
        error_class(&star(&[("main.star", &script("json.encode(1)"))], call)),
        "parse"
    );
}

#[test]
fn the_order_of_checks_is_that_of_the_chapter() {
    let sidecar = "inputs: { a: { type: int, required: true } }\n";
    let files = [("main.star", "def main(ctx) return"), ("main.star.yaml", sidecar)];
    assert_eq!(error_class(&star(&[], r#"{"script": ""}"#)), "script-missing");
    assert_eq!(
        error_class(&star(&[], r#"{"script": "none.star"}"#)),
        "script-not-found"
    );
    assert_eq!(
        error_class(&star(&files, r#"{"capabilities": {"x": 1}}"#)),
        "capabilities"
    );
    assert_eq!(
        error_class(&star(
            &files,
            r#"{"capabilities": {"http": {"cassette_required": true}}}"#
        )),
        "http-cassette-required"
    );
    assert_eq!(error_class(&star(&files, "{}")), "input-missing");
    assert_eq!(error_class(&star(&files, r#"{"inputs": {"a": 1}}"#)), "parse");
}

#[test]
fn files_are_read_written_and_found() {
    let body = "def main(ctx):
    ctx.fs.write(\"out/a/b.txt\", \"x\\n\")
    ctx.fs.write(\"out/a/c.md\", \"y\")
    return {\"r\": [ctx.fs.read(\"out/a/b.txt\"), ctx.fs.exists(\"out\"), ctx.fs.exists(\"none\"), ctx.fs.glob(\"out/*/*.txt\")]}
";
    let answer = star(&[("main.star", body)], ALL);
    assert_eq!(answer["outputs"]["r"], json!(["x\n", true, false, ["out/a/b.txt"]]));
    assert_eq!(answer["inspections"].as_array().unwrap().len(), 6);
}

#[test]
fn grants_are_patterns_and_caps() {
    let files = |body: &str| {
        [
            ("main.star", script(body)),
            ("docs/a.md", "abc".to_owned()),
            ("b.md", "x".to_owned()),
        ]
    };
    let ask = |body: &str, call: &str| {
        let files = files(body);
        let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (*n, t.as_str())).collect();
        star(&files, call)
    };
    let call = r#"{"capabilities": {"fs": {"read": ["docs/**"], "max_bytes": 2}}}"#;
    assert_eq!(error_class(&ask("ctx.fs.read(\"b.md\")", call)), "not-granted");
    assert_eq!(error_class(&ask("ctx.fs.read(\"docs/../b.md\")", call)), "not-granted");
    assert_eq!(error_class(&ask("ctx.fs.read(\"docs/a.md\")", call)), "limit-size");
    assert_eq!(
        error_class(&ask("ctx.fs.write(\"docs/a.md\", \"\")", call)),
        "not-granted"
    );
}

#[test]
fn paths_do_not_lead_outside() {
    for path in ["../x", "a/../../x", "/etc/passwd", "/tmp/../etc/passwd", ".."] {
        for call in ["read(%)", "exists(%)", "glob(%)", "write(%, \"x\")"] {
            let call = call.replace('%', &format!("{path:?}"));
            let answer = star(&[("main.star", &script(&format!("ctx.fs.{call}")))], ALL);
            assert_eq!(error_class(&answer), "path-escape", "{call}");
        }
    }
}

/// A folder with `in` as the root and something outside.
#[expect(clippy::unwrap_used, reason = "a part of tests")]
fn with_outside() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    lay_out(
        dir.path(),
        &[("secret.txt", "secret"), ("out/kept.txt", "kept"), ("in/a.txt", "a")],
    );
    dir
}

fn in_root(dir: &Path, body: &str) -> serde_json::Value {
    lay_out(&dir.join("in"), &[("main.star", &script(body))]);
    star_in(&dir.join("in"), ALL)
}

#[cfg(unix)]
#[test]
fn links_are_followed_inside_and_refused_outside() {
    use std::os::unix::fs::symlink;
    let dir = with_outside();
    let root = dir.path().join("in");
    symlink("../secret.txt", root.join("link")).unwrap();
    symlink("../out", root.join("folder")).unwrap();
    symlink("a.txt", root.join("inner")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    assert_eq!(in_root(dir.path(), "ctx.fs.read(\"inner\")")["outputs"]["r"], "a");
    for body in [
        "ctx.fs.read(\"link\")",
        "ctx.fs.exists(\"folder/kept.txt\")",
        "ctx.fs.glob(\"folder/kept.txt\")",
        "ctx.fs.glob(\"folder/*\")",
        "ctx.fs.write(\"link\", \"x\")",
        "ctx.fs.write(\"folder/new.txt\", \"x\")",
        "ctx.fs.write(\"folder/kept.txt\", \"x\")",
    ] {
        assert_eq!(error_class(&in_root(dir.path(), body)), "path-escape", "{body}");
    }
    assert_eq!(in_root(dir.path(), "ctx.fs.glob(\"f*/*\")")["outputs"]["r"], json!([]));
    assert!(in_root(dir.path(), "ctx.fs.read(\"loop\")").get("error").is_some());
    assert_eq!(
        std::fs::read_to_string(dir.path().join("secret.txt")).unwrap(),
        "secret"
    );
    assert_eq!(std::fs::read_dir(dir.path().join("out")).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn what_is_no_ordinary_file_is_said_and_not_waited_for() {
    let dir = with_outside();
    let root = dir.path().join("in");
    let made = std::process::Command::new("mkfifo").arg(root.join("pipe")).status();
    assert!(made.is_ok_and(|s| s.success()));
    for body in [
        "ctx.fs.read(\"pipe\")",
        "ctx.fs.write(\"pipe\", \"x\")",
        "ctx.fs.read(\".\")",
    ] {
        assert_eq!(error_class(&in_root(dir.path(), body)), "io", "{body}");
    }
    lay_out(&root, &[("main.star", "")]);
    assert_eq!(
        error_class(&star_in(&root, r#"{"script": "pipe"}"#)),
        "script-not-found"
    );
}

#[test]
fn scripts_and_cassettes_outside_are_not_read() {
    let dir = with_outside();
    let root = dir.path().join("in");
    lay_out(&root, &[("main.star", "def main(ctx):\n    return {}\n")]);
    let answer = star_in(&root, r#"{"script": "../secret.txt"}"#);
    assert_eq!(error_class(&answer), "script-not-found");
    assert_eq!(answer["error"]["infra"], true);
    let answer = star_in(&root, r#"{"inspect": "../secret.txt"}"#);
    assert_eq!(error_class(&answer), "cassette");
    assert!(!answer.to_string().contains("secret\n"));
}

#[test]
fn large_files_are_refused_and_writing_has_an_end() {
    let big = "x".repeat((1 << 20) + 1);
    let files = [("main.star", script("ctx.fs.read(\"big\")")), ("big", big)];
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (*n, t.as_str())).collect();
    assert_eq!(error_class(&star(&files, ALL)), "limit-size");
    assert_eq!(
        error_class(&star(
            &[("main.star", &script("ctx.fs.write(\"b\", \"x\" * 1048577)"))],
            ALL
        )),
        "limit-size"
    );
    let flood =
        "def main(ctx):\n    for i in range(1000):\n        ctx.fs.write(\"a\", \"x\" * 1000000)\n    return {}\n";
    assert_eq!(error_class(&star(&[("main.star", flood)], ALL)), "limit-size");
}

#[test]
fn an_inspect_cassette_replaces_files_and_probes() {
    let cassette =
        "interactions:\n  - { op: read, target: x, out: y }\n  - { op: probe, target: git.status, exit: 3, out: z }\n";
    let body = script("[ctx.fs.read(\"x\"), ctx.probe(\"git.status\")]");
    let call = r#"{"inspect": "i.yaml", "capabilities": {"fs": true, "vcs": "read"}}"#;
    let answer = star(&[("main.star", &body), ("i.yaml", cassette)], call);
    assert_eq!(answer["outputs"]["r"], json!(["y", {"exit": 3, "out": "z"}]));
    let again = script("[ctx.fs.read(\"x\"), ctx.fs.read(\"x\")]");
    assert_eq!(
        error_class(&star(&[("main.star", &again), ("i.yaml", cassette)], call)),
        "inspect-miss"
    );
}

const HTTP: &str = "\
match_on: [method, path, query]
exchanges:
  - request: { method: GET, url: \"https://a.test/x?b=2&a=1\" }
    response: { status: 200, headers: { K: v }, body: '{\"n\": 1}' }
  - match: { url_pattern: \"/orders$\" }
    response: { status: 404 }
    replay: any
";

#[test]
fn an_http_cassette_answers() {
    let body = "def main(ctx):
    r = ctx.http.get(\"https://b.test/x?a=1&b=2\")
    o = [ctx.http.post(\"https://a.test/orders\", {\"a\": 1}).status for i in range(2)]
    return {\"r\": [r.status, r.headers, r.json(), type(r.json()[\"n\"]), bool(r), o]}
";
    let call = r#"{"http": "h.yaml", "capabilities": {"http": true}}"#;
    let answer = star(&[("main.star", body), ("h.yaml", HTTP)], call);
    assert_eq!(
        answer["outputs"]["r"],
        json!([200, {"K": "v"}, {"n": 1.0}, "float", true, [404, 404]])
    );
    assert_eq!(answer["exchanges"].as_array().unwrap().len(), 3);
    let miss = script("ctx.http.get(\"https://a.test/y\").status");
    assert_eq!(
        error_class(&star(&[("main.star", &miss), ("h.yaml", HTTP)], call)),
        "http-miss"
    );
}

#[test]
fn a_response_is_read_as_the_reference_reads_it() {
    let body = |json: &str| {
        let cassette = format!("exchanges: [{{ response: {{ status: 200, body: '{json}' }} }}]\n");
        let script = script("str(ctx.http.get(\"https://a.test/\").json())");
        let answer = star(
            &[("main.star", &script), ("h.yaml", &cassette)],
            r#"{"http": "h.yaml", "capabilities": {"http": true}}"#,
        );
        answer["outputs"]["r"]
            .as_str()
            .map_or_else(|| error_class(&answer).to_owned(), str::to_owned)
    };
    assert_eq!(
        body(r#"{"b": 1, "a": [2, {"z": null, "y": 1e3}]}"#),
        r#"{"a": [2.0, {"y": 1000.0, "z": None}], "b": 1.0}"#
    );
    assert_eq!(body("[1,]"), "runtime");
    assert_eq!(body("1."), "runtime");
}

#[test]
fn nothing_goes_out_without_a_client() {
    let body = script("ctx.http.get(\"https://a.test/\").status");
    assert_eq!(
        error_class(&star(&[("main.star", &body)], r#"{"capabilities": {"http": true}}"#)),
        "not-configured"
    );
    let call = r#"{"http": "h.yaml", "capabilities": {"http": {"hosts": ["b.test"]}}}"#;
    assert_eq!(
        error_class(&star(&[("main.star", &body), ("h.yaml", HTTP)], call)),
        "not-granted"
    );
}

#[test]
fn what_is_recorded_has_no_secrets() {
    let body =
        script("ctx.http.get(\"https://a.test/?key=s3cret&q=1\", headers = {\"Authorization\": \"s3cret\"}).text()");
    let cassette = "record_mode: new_episodes\nfilter_query_parameters: [key]\nnote: kept\n";
    let call = r#"{"http": "h.yaml", "capabilities": {"http": true},
        "network": [{"method": "GET", "url": "https://a.test/?key=s3cret&q=1", "status": 200, "headers": {"Set-Cookie": "s3cret"}, "body": "hello"}]}"#;
    let dir = tempfile::tempdir().unwrap();
    lay_out(dir.path(), &[("main.star", &body), ("h.yaml", cassette)]);
    let answer = star_in(dir.path(), call);
    assert_eq!(answer["outputs"]["r"], "hello");
    assert_eq!(
        answer["recorded"][0]["request"]["url"],
        "https://a.test/?key=REDACTED&q=1"
    );
    let file = std::fs::read_to_string(dir.path().join("h.yaml")).unwrap();
    assert!(
        !file.contains("s3cret") && file.contains("REDACTED") && file.contains("note: kept"),
        "{file}"
    );
}

#[test]
fn handlers_are_called_within_the_grant() {
    let body = script("ctx.host.call(\"host.punch.verify\", {\"a\": 1})");
    let call = r#"{"capabilities": {"host": {"verbs": ["host.punch.verify"]}}, "hosts": {"host.punch.verify": {"data": {"x": 1}}}}"#;
    let answer = star(&[("main.star", &body)], call);
    assert_eq!(answer["outputs"]["r"], json!({"x": 1}));
    assert_eq!(
        answer["host_calls"],
        json!([{"name": "host.punch.verify", "args": {"a": 1}}])
    );
    let call = call.replace(r#"{"data": {"x": 1}}"#, r#"{"error": "disk gone"}"#);
    let answer = star(&[("main.star", &body)], &call);
    assert_eq!(error_class(&answer), "host-error");
    assert!(
        answer["error"]["message"]
            .as_str()
            .unwrap()
            .ends_with("ctx.host.call(\"host.punch.verify\"): disk gone")
    );
    let other = script("ctx.host.call(\"host.run\")");
    assert_eq!(error_class(&star(&[("main.star", &other)], &call)), "not-granted");
}
