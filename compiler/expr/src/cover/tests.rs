//! What is said to be hidden never decides, whatever the values are: the evaluator itself is the judge.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::{Guard, Hidden, hidden};
use crate::types::Type;
use crate::{Env, Map, Mode, Value, compile_expr, parse_expr};

fn type_of(text: &str) -> Type {
    match text {
        "world.n" => Type::Int,
        "world.f" => Type::Int.or(&Type::Float),
        "world.b" => Type::Bool,
        "world.s" => Type::String,
        "world.m" => Type::Int.or(&Type::Nil),
        _ => Type::Any,
    }
}

/// The guards of a list (`*` for one that always holds) and why each is hidden.
fn look(list: &[&str]) -> Vec<Option<Hidden>> {
    let parsed: Vec<_> = list.iter().map(|text| parse_expr(text).0).collect();
    let guards: Vec<Guard<'_>> = parsed
        .iter()
        .zip(list)
        .map(|(expr, text)| if *text == "*" { Guard::Always } else { Guard::When(expr) })
        .collect();
    hidden(&guards, &type_of)
}

fn by(list: &[&str], at: usize) -> Option<Vec<usize>> {
    look(list)[at].clone().map(|h| h.by)
}

#[test]
fn a_guard_inside_of_an_earlier_one_is_hidden() {
    assert_eq!(by(&["world.n > 3", "world.n > 5"], 1), Some(vec![0]));
    assert_eq!(by(&["world.n > 5", "world.n > 3"], 1), None);
    assert_eq!(by(&["5 >= world.n", "world.n == 5 && world.b"], 1), Some(vec![0]));
    assert_eq!(by(&["world.x == 'a'", "world.x in ['a', 'b']"], 1), None);
    assert_eq!(by(&["world.x in ['a', 'b']", "world.x == 'b'"], 1), Some(vec![0]));
    assert_eq!(
        by(&["len(world.x) > 0", "len(world.x) > 1 && world.b"], 1),
        Some(vec![0])
    );
    assert_eq!(
        by(&["world.x matches 'a'", "world.b && world.x matches 'a'"], 1),
        Some(vec![0])
    );
}

#[test]
fn several_guards_together_hide_a_later_one() {
    assert_eq!(by(&["world.b", "!world.b", "*"], 2), Some(vec![0, 1]));
    let list = [
        "world.s == 'x'",
        "world.n > 3",
        "world.n < 4",
        "world.n <= 3",
        "world.b",
    ];
    assert_eq!(by(&list, 4), Some(vec![1, 3]));
    assert!(look(&list)[4].clone().is_some_and(|h| h.always));
    assert_eq!(
        by(&["world.n > 1", "world.n == 1", "world.n >= 1 && world.b"], 2),
        Some(vec![0, 1])
    );
    assert!(
        look(&["world.n > 3", "world.n > 5"])[1]
            .clone()
            .is_some_and(|h| !h.always)
    );
}

#[test]
fn a_tautology_hides_all_that_follows() {
    assert_eq!(by(&["world.n >= 0 || world.n < 0", "*", "world.b"], 1), Some(vec![0]));
    assert_eq!(by(&["world.n >= 0 || world.n < 0", "*", "world.b"], 2), Some(vec![0]));
    assert_eq!(by(&["world.s != 'a' || world.s != 'b'", "*"], 1), Some(vec![0]));
    assert_eq!(by(&["!(world.n > 2 && world.n < 2)", "*"], 1), Some(vec![0]));
}

#[test]
fn what_may_fail_or_be_nil_or_be_no_number_hides_nothing() {
    // Not a number is neither.
    assert_eq!(by(&["world.f >= 0 || world.f < 0", "*"], 1), None);
    assert_eq!(by(&["world.f >= 0 || !(world.f >= 0)", "*"], 1), Some(vec![0]));
    // Nil, a text, anything.
    assert_eq!(by(&["world.m >= 0 || world.m < 0", "*"], 1), None);
    assert_eq!(by(&["world.x >= 0 || world.x < 0", "*"], 1), None);
    assert_eq!(by(&["world.x", "!world.x", "*"], 2), None);
    assert_eq!(by(&["world.x == true", "world.x == false", "*"], 2), None);
    // Texts are ordered by their bytes, a clock goes on, a local name is another elsewhere.
    assert_eq!(by(&["world.s > 'a'", "world.s > 'b'"], 1), None);
    assert_eq!(by(&["now() == world.x", "now() == world.x"], 1), None);
    assert_eq!(by(&["let a = world.n; a > 1", "let a = world.b; a > 1"], 1), None);
}

#[test]
fn a_guard_that_never_holds_is_not_spoken_of() {
    assert_eq!(by(&["world.b", "world.n > 1 && world.n < 1"], 1), None);
    assert_eq!(by(&["world.b", "false"], 1), None);
}

#[test]
fn a_list_with_too_many_cases_is_left_alone() {
    let many: Vec<String> = (0..8)
        .map(|i| format!("world.k{i} in [1, 2, 3, 4, 5] && world.k{i} != 9"))
        .collect();
    let all = many.join(" || ");
    assert_eq!(by(&[&all, "world.k0 == 1 && world.b"], 1), None);
}

fn condition() -> impl Strategy<Value = String> {
    let number = prop::sample::select(vec!["world.n", "world.f", "world.m", "world.x"]);
    let order = prop::sample::select(vec!["<", "<=", ">", ">=", "==", "!="]);
    let leaf = prop_oneof![
        4 => (number, order, 0..4i64).prop_map(|(n, o, c)| format!("{n} {o} {c}")),
        1 => (0..4i64).prop_map(|c| format!("{c} < world.n")),
        2 => prop::sample::select(vec!["world.b", "world.x", "world.b == true", "world.x == nil", "world.b != false"])
            .prop_map(str::to_owned),
        2 => prop::sample::select(vec!["world.s == 'a'", "world.s != 'a'", "world.s in ['a', 'b']", "not (world.s in ['b'])",
            "world.x in [1, 'a', true]", "world.s startsWith 'a'"]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) && ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) || ({b})")),
            inner.prop_map(|a| format!("!({a})")),
        ]
    })
}

fn worlds() -> Vec<Env> {
    let numbers = [-1i64, 0, 1, 2, 3, 4];
    let ints: Vec<Value> = numbers.iter().map(|n| Value::Int(*n)).collect();
    let floats = [0.5, 3.0, 3.5, f64::NAN].map(Value::Float);
    let texts = ["a", "b", ""].map(Value::text);
    let bools = [true, false].map(Value::Bool);
    let list = [Value::list(vec![Value::Int(1)])];
    let any: Vec<Value> = [&ints[1..4], &floats, &texts, &bools, &list, &[Value::Nil]].concat();
    let mut out = Vec::new();
    // Every kind of value of each key meets many of the others: strides without a common factor.
    for i in 0..1500usize {
        let pick = |from: &[Value], stride: usize| from[(i * stride / 7 + i) % from.len()].clone();
        let mut world = Map::new();
        world.insert("n", pick(&ints, 3));
        world.insert("f", pick(&[&ints[..], &floats].concat(), 5));
        world.insert("m", pick(&[&ints[..], &[Value::Nil]].concat(), 11));
        world.insert("s", pick(&texts, 13));
        world.insert("b", pick(&bools, 17));
        world.insert("x", pick(&any, 19));
        out.push(Env::new(world, Map::new()));
    }
    out
}

#[test]
fn what_is_hidden_never_decides() {
    let worlds = worlds();
    let config = Config {
        cases: 600,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let claims = std::cell::Cell::new(0);
    let outcome = runner.run(&prop::collection::vec(condition(), 3..6), |list| {
        let texts: Vec<&str> = list.iter().map(String::as_str).collect();
        // What the load refuses never runs.
        let Ok(programs) = texts
            .iter()
            .map(|t| compile_expr(t, Mode::Guard))
            .collect::<Result<Vec<_>, _>>()
        else {
            return Ok(());
        };
        let found = look(&texts);
        claims.set(claims.get() + found.iter().flatten().count());
        for (at, _) in found.iter().enumerate().filter(|(_, h)| h.is_some()) {
            for env in &worlds {
                // An earlier guard that fails counts as one that does not hold.
                let before = programs.iter().take(at).any(|p| p.eval_guard(env) == Ok(true));
                prop_assert!(
                    before || programs[at].eval_guard(env) != Ok(true),
                    "{:?} at {}",
                    list,
                    at
                );
            }
        }
        Ok(())
    });
    outcome.unwrap();
    assert!(
        claims.get() > 100,
        "the lists say too little: {} hidden guards",
        claims.get()
    );
}
