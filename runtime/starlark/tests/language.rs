//! What scripts compute and print: the dialect and the library of the reference.

mod support;

use support::{error_class, star, value};

fn check(cases: &[(&str, &str)]) {
    for (expression, want) in cases {
        assert_eq!(value(expression), *want, "{expression}");
    }
}

#[test]
fn numbers_are_computed_and_written() {
    check(&[
        ("7 // -2", "-4"),
        ("-7 % 3", "2"),
        ("7.5 % -2", "-0.5"),
        ("1 << 70", "1180591620717411303424"),
        ("(1 << 70) // 3", "393530540239137101141"),
        ("-9223372036854775808 // -1", "9223372036854775808"),
        ("1 == 1.0", "True"),
        ("True == 1", "False"),
        ("1e6", "1e+06"),
        ("999999.5", "999999.5"),
        ("0.0001", "0.0001"),
        ("0.00001", "1e-05"),
        ("1.0", "1.0"),
        ("float('nan') > float('inf')", "True"),
        ("[float('+inf'), float('-inf')]", "[+inf, -inf]"),
        ("int('0x1F', 0)", "31"),
        ("int('1_0')", "error: int: invalid literal with base 10: 1_0"),
        ("1 // 0", "error: floored division by zero"),
        ("1 << 512", "error: shift count too large: 512"),
        ("None + 1", "error: unknown binary op: NoneType + int"),
    ]);
}

#[test]
fn texts_are_bytes() {
    check(&[
        ("len('é')", "2"),
        ("list('ab'.elems())", "[\"a\", \"b\"]"),
        ("list('é'.codepoints())", "[\"é\"]"),
        ("'abc'[::-1]", "\"cba\""),
        ("'a\\x00\\u2028é'", "\"a\\x00\\u2028é\""),
        ("'ß'.upper()", "\"ß\""),
        ("'aXbX'.split('X', 1)", "[\"a\", \"bX\"]"),
        ("' a  b '.rsplit(None, 1)", "[\" a\", \"b\"]"),
        ("'a\\r\\nb\\n'.splitlines()", "[\"a\\r\", \"b\"]"),
        ("'banana'.replace('a', 'o', 2)", "\"bonona\""),
        ("'abc'.replace('', '-')", "\"-a-b-c-\""),
        ("'a,b'.partition(',')", "(\"a\", \",\", \"b\")"),
        ("[c for c in 'abc']", "error: string value is not iterable"),
        ("'x'.nope()", "error: string has no .nope field or method"),
        ("hash('abc')", "96354"),
    ]);
}

#[test]
fn patterns_are_filled() {
    check(&[
        ("'%d %s %r' % (3.7, 'a', 'a')", "\"3 a \\\"a\\\"\""),
        ("'%x %o %X' % (255, 8, 255)", "\"ff 10 FF\""),
        ("'%(a)s%%' % {'a': 1}", "\"1%\""),
        ("'%5d' % 3", "error: unknown conversion %5"),
        (
            "'%d' % True",
            "error: %d format requires integer: cannot convert bool to int",
        ),
        ("'{}-{}'.format(1, 'x')", "\"1-x\""),
        ("'{a!r}{{}}'.format(a='q')", "\"\\\"q\\\"{}\""),
        (
            "'{:5}'.format(1)",
            "error: format spec features not supported in replacement fields: 5",
        ),
    ]);
}

#[test]
fn containers_behave() {
    check(&[
        ("{'b': 1, 'a': 2} | {'b': 3}", "{\"b\": 3, \"a\": 2}"),
        ("{'a': 1, 'a': 2}", "error: duplicate key: \"a\""),
        ("[3, 1, 2][-1:0:-1]", "[2, 1]"),
        ("sorted([3, 1, 2], key=lambda x: -x)", "[3, 2, 1]"),
        ("sorted([('b', 1), ('a', 1)], reverse=True)", "[(\"b\", 1), (\"a\", 1)]"),
        ("max(['aa', 'b'], key=len)", "\"aa\""),
        ("dict([('a', 1)], b=2)", "{\"a\": 1, \"b\": 2}"),
        ("{}['x']", "error: key \"x\" not in dict"),
        ("[][0]", "error: index 0 out of range: empty list"),
        ("[] in {}", "False"),
        ("range(10)[2:8:3]", "range(2, 8, 3)"),
        ("range(10, 0, -3)[-3:2:2]", "range(7, 4, -6)"),
        (
            "[3.5 in range(4), -1 in range(4), 1 << 40 in range(1 << 50)]",
            "[True, False, False]",
        ),
        ("list(enumerate(['a'], 5))", "[(5, \"a\")]"),
        ("(1,)", "(1,)"),
    ]);
}

#[test]
fn json_is_written_and_read() {
    check(&[
        (
            "json.encode({'b': 1, 'a': [1.0, None, True]})",
            "\"{\\\"a\\\":[1.0,null,true],\\\"b\\\":1}\"",
        ),
        ("json.encode('a<b')", "\"\\\"a<b\\\"\""),
        ("json.encode('é<b')", "\"\\\"é\\\\u003cb\\\"\""),
        ("json.decode('{\"b\": 1, \"a\": 2.0}')", "{\"b\": 1, \"a\": 2.0}"),
        ("json.decode('x', None)", "None"),
        (
            "json.decode('[1,]')",
            "error: json.decode: at offset 3, unexpected character ']'",
        ),
        (
            "json.indent('{\"a\":[1,{}]}', indent=' ')",
            "\"{\\n \\\"a\\\": [\\n  1,\\n  {}\\n ]\\n}\"",
        ),
        (
            "json.encode({1: 2})",
            "error: json.encode: dict has int key, want string",
        ),
    ]);
}

#[test]
fn math_and_yaml_have_exactly_their_functions() {
    check(&[
        ("math.floor(-1.5)", "-2"),
        ("math.round(2.5)", "3.0"),
        ("math.sqrt(-1)", "nan"),
        (
            "math.abs(1)",
            "error: module has no .abs field or method (did you mean .fabs?)",
        ),
        (
            "yaml.decode('b: [1, yes, 0o17]\\na: 2026-01-02')",
            "{\"a\": \"2026-01-02\", \"b\": [1, \"yes\", 15]}",
        ),
        ("yaml.decode('')", "None"),
        ("dir(yaml)", "[\"decode\"]"),
    ]);
    assert_eq!(
        error_class(&star(
            &[("main.star", "def main(ctx):\n    return {'x': time}\n")],
            "{}"
        )),
        "parse"
    );
}

#[test]
fn closures_share_their_variables() {
    let script = "\
def counter():
    n = [0]
    def step(by = 1):
        n[0] += by
        return n[0]
    return step

def main(ctx):
    a, b = counter(), counter()
    a()
    a(by = 5)
    fs = [lambda: i for i in range(3)]
    return {'x': [a(), b()], 'f': [f() for f in fs]}
";
    let answer = star(&[("main.star", script)], "{}");
    assert_eq!(answer["outputs"].to_string(), r#"{"f":[2,2,2],"x":[7,1]}"#);
}

#[test]
fn globals_are_frozen_once_the_file_has_run() {
    for (global, change, text) in [
        ("x = []", "x.append(1)", "append: cannot append to frozen list"),
        (
            "x = {'a': []}",
            "x['a'].append(1)",
            "append: cannot append to frozen list",
        ),
        ("x = {}", "x['a'] = 1", "cannot insert into frozen hash table"),
        (
            "def f(a = []):\n    a.append(1)",
            "f()",
            "append: cannot append to frozen list",
        ),
    ] {
        let script = format!("{global}\ndef main(ctx):\n    {change}\n    return {{}}\n");
        let answer = star(&[("main.star", &script)], "{}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.ends_with(text), "{message}");
    }
}

#[test]
fn a_container_is_not_changed_while_it_is_gone_through() {
    for body in [
        "for x in l:\n        l.append(x)",
        "for x in d:\n        d['b'] = 1",
        "[l.pop() for x in l]",
    ] {
        let script = format!("def main(ctx):\n    l = [1]\n    d = {{'a': 1}}\n    {body}\n    return {{}}\n");
        let answer = star(&[("main.star", &script)], "{}");
        assert!(
            answer["error"]["message"]
                .as_str()
                .unwrap()
                .contains("during iteration"),
            "{answer}"
        );
    }
}

#[test]
fn recursion_is_refused() {
    for script in [
        "def main(ctx):\n    return main(ctx)\n",
        "def a(n):\n    return b(n)\ndef b(n):\n    return a(n)\ndef main(ctx):\n    return a(1)\n",
        "def main(ctx):\n    fs = []\n    fs.append(lambda: fs[0]())\n    return fs[0]()\n",
    ] {
        let answer = star(&[("main.star", script)], "{}");
        assert!(
            answer["error"]["message"]
                .as_str()
                .unwrap()
                .ends_with("called recursively"),
            "{answer}"
        );
    }
}

#[test]
fn failures_have_their_innermost_place() {
    let script = "def f(d):\n    return d[\"k\"]\n\ndef main(ctx):\n    return {\"a\": f({})}\n";
    let answer = star(&[("main.star", script)], "{}");
    assert_eq!(answer["error"]["at"], "main.star:2:13");
    let script = "def main(ctx):\n    fail(\"plan\", 1, None)\n";
    let answer = star(&[("main.star", script)], "{}");
    assert_eq!(
        answer["error"]["message"],
        "host.starlark.run: starlark: main(ctx): fail: plan 1 None"
    );
    assert_eq!(error_class(&answer), "fail");
}

#[test]
fn printed_lines_are_kept() {
    let script = "def main(ctx):\n    print(\"a\", 1, sep = \"-\")\n    print()\n    return {}\n";
    assert_eq!(star(&[("main.star", script)], "{}")["printed"], "a-1\n\n");
}
