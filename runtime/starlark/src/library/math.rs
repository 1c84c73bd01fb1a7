//! The module `math`: floats in, floats out, no domain errors.

use crate::fault::{Fault, Res};
use crate::interp::arguments::Args;
use crate::interp::machine::Machine;
use crate::interp::number;
use crate::interp::value::Value;

type Code = fn(&mut Machine, &Value, Args) -> Res<Value>;

fn float(name: &str, parameter: &str, v: &Value) -> Res<f64> {
    if number::is_number(v) {
        return Ok(number::lossy_float(v));
    }
    Err(Fault::runtime(format!(
        "{name}: for parameter {parameter}: got {}, want float or int",
        v.kind()
    )))
}

fn unary(name: &str, args: Args, f: fn(f64) -> f64) -> Res<Value> {
    let [x] = args.positional(name, 1)?;
    Ok(Value::Float(f(float(name, "1", &x.unwrap_or(Value::None))?)))
}

fn binary(name: &str, args: Args, f: fn(f64, f64) -> f64) -> Res<Value> {
    let [x, y] = args.positional(name, 2)?;
    let x = float(name, "1", &x.unwrap_or(Value::None))?;
    Ok(Value::Float(f(x, float(name, "2", &y.unwrap_or(Value::None))?)))
}

/// `floor` and `ceil`: an integer stays what it is.
fn whole(name: &str, args: Args, f: fn(f64) -> f64) -> Res<Value> {
    let [x] = args.positional(name, 1)?;
    match x.unwrap_or(Value::None) {
        v @ (Value::Int(_) | Value::Big(_)) => Ok(v),
        Value::Float(x) => number::to_int(&Value::Float(f(x))),
        other => Err(Fault::runtime(format!("got {}, want float or int", other.kind()))),
    }
}

fn log(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [x, base] = args.positional("log", 1)?;
    let x = float("log", "1", &x.unwrap_or(Value::None))?;
    let base = match &base {
        Some(base) => float("log", "2", base)?,
        None => std::f64::consts::E,
    };
    #[expect(clippy::float_cmp, reason = "only the base one itself has no logarithms")]
    if base == 1.0 {
        return Err(Fault::runtime("division by zero"));
    }
    Ok(Value::Float(x.ln() / base.ln()))
}

fn degrees(x: f64) -> f64 {
    360.0 * x / (2.0 * std::f64::consts::PI)
}

fn radians(x: f64) -> f64 {
    2.0 * std::f64::consts::PI * x / 360.0
}

/// The module.
pub(super) fn module() -> Value {
    let functions: [(&'static str, Code); 28] = [
        ("acos", |_, _, a| unary("acos", a, f64::acos)),
        ("acosh", |_, _, a| unary("acosh", a, libm::acosh)),
        ("asin", |_, _, a| unary("asin", a, f64::asin)),
        ("asinh", |_, _, a| unary("asinh", a, libm::asinh)),
        ("atan", |_, _, a| unary("atan", a, f64::atan)),
        ("atan2", |_, _, a| binary("atan2", a, f64::atan2)),
        ("atanh", |_, _, a| unary("atanh", a, libm::atanh)),
        ("ceil", |_, _, a| whole("ceil", a, f64::ceil)),
        ("copysign", |_, _, a| binary("copysign", a, f64::copysign)),
        ("cos", |_, _, a| unary("cos", a, f64::cos)),
        ("cosh", |_, _, a| unary("cosh", a, f64::cosh)),
        ("degrees", |_, _, a| unary("degrees", a, degrees)),
        ("exp", |_, _, a| unary("exp", a, f64::exp)),
        ("fabs", |_, _, a| unary("fabs", a, f64::abs)),
        ("floor", |_, _, a| whole("floor", a, f64::floor)),
        ("gamma", |_, _, a| unary("gamma", a, libm::tgamma)),
        ("hypot", |_, _, a| binary("hypot", a, f64::hypot)),
        ("log", log),
        ("mod", |_, _, a| binary("mod", a, |x, y| x % y)),
        ("pow", |_, _, a| binary("pow", a, f64::powf)),
        ("radians", |_, _, a| unary("radians", a, radians)),
        ("remainder", |_, _, a| binary("remainder", a, libm::remainder)),
        ("round", |_, _, a| unary("round", a, f64::round)),
        ("sin", |_, _, a| unary("sin", a, f64::sin)),
        ("sinh", |_, _, a| unary("sinh", a, f64::sinh)),
        ("sqrt", |_, _, a| unary("sqrt", a, f64::sqrt)),
        ("tan", |_, _, a| unary("tan", a, f64::tan)),
        ("tanh", |_, _, a| unary("tanh", a, f64::tanh)),
    ];
    let mut fields: Vec<(&'static str, Value)> = functions
        .into_iter()
        .map(|(name, code)| (name, Value::builtin(name, code)))
        .collect();
    fields.push(("e", Value::Float(std::f64::consts::E)));
    fields.push(("pi", Value::Float(std::f64::consts::PI)));
    Value::record("module", Some("<module \"math\">"), fields, true)
}
