//! Expressions and templates of `debug eval`.

use kitsoki_expr::{
    Env, ExprError, List, ListKind, Map, Mode, Native, Rendered, Stage, Value, compile_expr, parse_p, parse_t,
};
use serde_json::{Value as Json, json};

/// What one case comes to.
#[must_use]
pub fn answer(case: &Json) -> Json {
    let env = environment(case);
    let text = |key: &str| case.get(key).and_then(Json::as_str);
    match (text("expr"), text("text")) {
        (Some(expr), _) => expression(expr, text("mode") == Some("guard"), &env),
        (None, Some(template)) if text("mode") == Some("P") => pongo(template, &env),
        (None, Some(template)) => braces(template, text("form") == Some("string"), &env),
        (None, None) => json!({"error": {"class": "args", "message": "neither expr nor text"}}),
    }
}

fn expression(text: &str, guard: bool, env: &Env) -> Json {
    let mode = if guard { Mode::Guard } else { Mode::Value };
    match compile_expr(text, mode) {
        Err(errors) => errors
            .first()
            .map_or_else(|| json!({"compile_error": true}), |error| failure("eval_error", error)),
        Ok(program) if guard => match program.eval_guard(env) {
            Ok(value) => json!({"value": value}),
            Err(error) => failure("eval_error", &error),
        },
        Ok(program) => match program.eval(env) {
            Ok(value) => valued(&value),
            Err(error) => failure("eval_error", &error),
        },
    }
}

fn braces(text: &str, as_text: bool, env: &Env) -> Json {
    let (template, _) = parse_t(text);
    if as_text {
        return match template.render_text(env) {
            Ok(text) => json!({"text": text}),
            Err(error) => failure("render_error", &error),
        };
    }
    match template.render(env) {
        Ok(Rendered::Text(text)) => json!({"text": text}),
        Ok(Rendered::Value(value)) => valued(&value),
        Err(error) => failure("render_error", &error),
    }
}

fn pongo(text: &str, env: &Env) -> Json {
    let (template, errors) = parse_p(text);
    if let Some(error) = errors.first() {
        return failure("compile_error", error);
    }
    match template.render(env, None) {
        Ok(text) => json!({"text": text}),
        Err(error) => failure("render_error", &error),
    }
}

fn failure(run: &str, error: &ExprError) -> Json {
    let key = if error.stage == Stage::Compile {
        "compile_error"
    } else {
        run
    };
    json!({key: {
        "class": error.class.as_str(),
        "message": error.message,
        "start": u32::from(error.range.start()),
        "end": u32::from(error.range.end()),
    }})
}

fn valued(value: &Value) -> Json {
    let mut answer = json!({"value": to_json(value)});
    let kind = match value {
        Value::Int(_) | Value::Uint(_) => Some("int"),
        Value::Float(_) => Some("float"),
        _ => None,
    };
    if let (Some(kind), Some(object)) = (kind, answer.as_object_mut()) {
        object.insert("type".to_owned(), json!(kind));
    }
    answer
}

/// A value as JSON.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Nil => Json::Null,
        Value::Bool(value) => json!(value),
        Value::Int(value) => json!(value),
        Value::Uint(value) => json!(value),
        Value::Float(value) if value.is_nan() => json!("NaN"),
        Value::Float(value) if value.is_infinite() => json!(if *value > 0.0 { "+Inf" } else { "-Inf" }),
        Value::Float(value) => json!(value),
        Value::Str(text) => json!(text.as_str()),
        Value::List(list) if list.kind() == ListKind::NilStrings => Json::Null,
        Value::List(list) => Json::Array(list.iter().map(to_json).collect()),
        Value::Map(map) => Json::Object(
            map.iter()
                .map(|(key, value)| (key.to_string(), to_json(value)))
                .collect(),
        ),
        Value::Native(Native::Run { id, turn }) => json!({"id": id.as_str(), "turn": turn}),
        _ => Json::Null,
    }
}

fn environment(case: &Json) -> Env {
    let given = case.get("env").cloned().unwrap_or_default();
    let unsigned: Vec<Vec<String>> = case
        .get("env_uint")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .filter_map(Json::as_str)
        .map(|path| path.split('.').map(str::to_owned).collect())
        .collect();
    let mut at = Vec::new();
    let mut root = |name: &str| {
        let value = given.get(name)?;
        at.push(name.to_owned());
        let value = from_json(value, &mut at, &unsigned);
        at.pop();
        Some(value)
    };
    let map = |value: Option<Value>| match value {
        Some(Value::Map(map)) => Some(map),
        _ => None,
    };
    let menu = map(root("menu"));
    let env = Env {
        world: map(root("world")),
        slots: map(root("slots")),
        event: Some(Map::new()),
        args: map(root("args")),
        prerequisites: map(root("prerequisites")),
        result: map(root("result")),
        state: map(root("state")),
        item: root("item").unwrap_or_default(),
        ..Env::default()
    };
    match menu {
        Some(menu) => env.with_menu(menu),
        None => env,
    }
}

/// JSON as a value; numbers at the paths `unsigned` become unsigned. `at` is where the value stands.
pub fn from_json(json: &Json, at: &mut Vec<String>, unsigned: &[Vec<String>]) -> Value {
    match json {
        Json::Null => Value::Nil,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) if unsigned.iter().any(|path| path == at) => {
            Value::Uint(number.as_u64().unwrap_or_default())
        }
        Json::Number(number) => match number.as_i64() {
            Some(value) => Value::Int(value),
            None => Value::Float(number.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Value::text(text),
        Json::Array(items) => {
            let mut list = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                at.push(index.to_string());
                list.push(from_json(item, at, unsigned));
                at.pop();
            }
            Value::List(List::new(list))
        }
        Json::Object(entries) => {
            let mut map = Map::new();
            for (key, value) in entries {
                at.push(key.clone());
                map.insert(key.as_str(), from_json(value, at, unsigned));
                at.pop();
            }
            Value::Map(map)
        }
    }
}
