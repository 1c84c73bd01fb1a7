//! Scripts that try to stop the machine: each ends in an error of a limit, and the next call works.

mod support;

use std::time::Duration;

use kitsoki_starlark::call::run;
use kitsoki_starlark::{Call, Class, Data, DataMap, Limits, Places, Surface};
use support::{error_class, star};

/// Runs a script with less time than usual: most of these use all of it.
#[expect(clippy::unwrap_used, reason = "a part of tests")]
fn class_of(script: &str, time: Duration) -> Option<Class> {
    let dir = tempfile::tempdir().unwrap();
    support::lay_out(dir.path(), &[("main.star", script)]);
    let call = Call {
        with: DataMap::from([("script".to_owned(), Data::Text("main.star".to_owned()))]),
        places: Places {
            story: vec![dir.path().to_owned()],
            ..Places::default()
        },
        limits: Limits {
            time,
            ..Limits::default()
        },
        ..Call::default()
    };
    run(call, Surface::default()).result.err().map(|fault| fault.class)
}

/// Runs the body of `main` and wants a limit.
fn stopped(body: &str) {
    let script = format!("def main(ctx):\n{}\n    return {{'n': 1}}\n", indent(body));
    let class = class_of(&script, Duration::from_millis(300)).map_or("", Class::name);
    assert!(class.starts_with("limit-"), "{body}\n{class}");
}

fn indent(body: &str) -> String {
    body.lines().map(|line| format!("    {line}\n")).collect()
}

#[test]
fn texts_that_double() {
    stopped("s = 'ab'\nfor i in range(60):\n    s = s + s");
    stopped("s = 'ab'\nfor i in range(60):\n    s = '%s%s' % (s, s)");
    stopped("s = 'ab'\nfor i in range(60):\n    s = '{}{}'.format(s, s)");
    stopped("s = 'ab'\nfor i in range(60):\n    s = ''.join([s, s])");
    stopped("s = 'a' * 100\nfor i in range(10):\n    s = s.replace('a', 'a' * 100)");
}

#[test]
fn sequences_that_double_or_are_repeated() {
    stopped("x = [1]\nfor i in range(60):\n    x = x + x");
    stopped("x = [1]\nfor i in range(60):\n    x += list(x)");
    stopped("x = [1]\nfor i in range(60):\n    x.extend(x)");
    stopped("x = (1,)\nfor i in range(60):\n    x = x + x");
    stopped("x = [1, 2, 3] * 1000000000");
    stopped("x = 'abc' * 1000000000");
    stopped("x = 'a' * 1000000000");
    stopped("x = (1,) * 10000000000");
}

#[test]
fn large_ranges_made_into_lists() {
    for f in ["list", "tuple", "sorted", "reversed", "enumerate"] {
        stopped(&format!("x = {f}(range(1000000000))"));
    }
    stopped("x = zip(range(1000000000), range(1000000000))");
    stopped("x = [].extend(range(1000000000))");
    stopped("x = {i: i for i in range(100000000)}");
    stopped("x = max(range(100000000000))");
}

#[test]
fn large_integers() {
    stopped("n = 3\nfor i in range(60):\n    n = n * n");
    stopped("n = 1\nfor i in range(1, 300000):\n    n = n * i");
    stopped("n = int('9' * 20000000)");
}

#[test]
fn values_that_share_their_parts() {
    for f in ["str(x)", "json.encode(x)", "repr(x)", "'%s' % [x]"] {
        stopped(&format!("x = []\nfor i in range(60):\n    x = [x, x]\ny = {f}"));
    }
}

#[test]
fn values_that_share_their_parts_are_frozen_quickly() {
    let script = "def make():\n    x = ()\n    for i in range(200):\n        x = (x, x)\n    return x\nX = make()\n\
                  def main(ctx):\n    return {'n': len(X)}\n";
    assert_eq!(star(&[("main.star", script)], "{}")["outputs"]["n"], 2);
}

#[test]
fn work_on_large_texts_is_stopped_while_it_is_done() {
    stopped("s = 'é' * 40000000\nfor i in range(100):\n    s.isalnum()");
    stopped("s = 'a' * 30000000\nfor i in range(1000):\n    s.strip(s)");
    stopped("s = 'é' * 30000000\nfor i in range(100):\n    s.upper()");
}

#[test]
fn a_failure_is_short_enough_for_a_log() {
    let answer = star(
        &[("main.star", "def main(ctx):\n    return {}['x' * 10000000]\n")],
        "{}",
    );
    assert!(answer["error"]["message"].as_str().unwrap().len() < 70_000);
    let answer = star(
        &[("main.star", "def main(ctx):\n    return {'x': 'x' * 20000000}\n")],
        "{}",
    );
    assert_eq!(error_class(&answer), "limit-memory");
}

#[test]
fn loops_without_end() {
    stopped("for i in range(1000000000000):\n    pass");
    stopped("for i in range(10000000):\n    print('0123456789' * 100)");
    stopped("x = [1 for a in range(100000) for b in range(100000)]");
}

#[test]
fn deep_and_cyclic_values_are_no_trouble() {
    let deep = "x = []\nfor i in range(100000):\n    x = [x]\n";
    for f in ["str(x)", "json.encode(x)", "x == [x]", "[x] < [x]"] {
        let answer = star(
            &[(
                "main.star",
                &format!("def main(ctx):\n{}", indent(&format!("{deep}{f}\nreturn {{}}"))),
            )],
            "{}",
        );
        assert!(answer.get("id").is_some(), "{answer}");
    }
    // Only dropped.
    let script = format!(
        "def main(ctx):\n{}",
        indent(&format!("{deep}x = None\nreturn {{'ok': True}}"))
    );
    let answer = star(&[("main.star", &script)], "{}");
    assert_eq!(answer["outputs"]["ok"], true, "{answer}");
    let cycle = "def main(ctx):\n    x = []\n    x.append(x)\n    return {'s': str(x), 'x': x}\n";
    assert_eq!(error_class(&star(&[("main.star", cycle)], "{}")), "limit-depth");
    let shown = "def main(ctx):\n    x = [1]\n    x.append(x)\n    d = {}\n    d['d'] = d\n    return {'s': str(x), 'd': str(d)}\n";
    let answer = star(&[("main.star", shown)], "{}");
    assert_eq!(answer["outputs"]["s"], "[1, [...]]");
    assert_eq!(answer["outputs"]["d"], "{\"d\": {...}}");
}

#[test]
fn documents_of_brackets() {
    for text in [
        "json.decode('[' * 10000000)",
        "json.decode('{\"a\":' * 100000)",
        "yaml.decode('[' * 100000)",
    ] {
        let script = format!("def main(ctx):\n    x = {text}\n    return {{}}\n");
        let answer = star(&[("main.star", &script)], "{}");
        assert!(answer.get("error").is_some(), "{answer}");
    }
}

#[test]
fn calls_nested_through_many_functions_end() {
    let mut script = String::from("def f0(x):\n    return x\n");
    for i in 1..2_000 {
        script.push_str(&format!("def f{i}(x):\n    return f{}(x)\n", i - 1));
    }
    script.push_str("def main(ctx):\n    return {'x': f1999(1)}\n");
    assert_eq!(error_class(&star(&[("main.star", &script)], "{}")), "limit-depth");
}

#[test]
fn memory_is_given_back_between_calls() {
    let script =
        "def main(ctx):\n    x = [['a' * 1000] for i in range(50000)]\n    x.append(x)\n    return {'n': len(x)}\n";
    for _ in 0..4 {
        assert_eq!(star(&[("main.star", script)], "{}")["outputs"]["n"], 50_001);
    }
}

#[test]
fn memory_is_given_back_within_a_call() {
    let script =
        "def main(ctx):\n    n = 0\n    for i in range(3000):\n        n += len('x' * 1000000)\n    return {'n': n}\n";
    assert_eq!(star(&[("main.star", script)], "{}")["outputs"]["n"], 3_000_000_000_i64);
}

#[test]
fn a_million_rounds_run_and_two_million_do_not() {
    let class = |rounds: &str| {
        let script = format!("def main(ctx):\n    for i in range({rounds}):\n        pass\n    return {{}}\n");
        // A slow machine must not decide this.
        class_of(&script, Duration::from_secs(600))
    };
    assert_eq!(class("1000000"), None);
    assert_eq!(class("2000000"), Some(Class::LimitSteps));
}
