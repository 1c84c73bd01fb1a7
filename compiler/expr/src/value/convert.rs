//! Rust values into story values.

use smol_str::SmolStr;

use super::{List, Map, Value};

macro_rules! from {
    ($($type:ty => |$value:ident| $make:expr;)*) => {
        $(impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $make
            }
        })*
    };
}

from! {
    bool => |value| Value::Bool(value);
    i64 => |value| Value::Int(value);
    u64 => |value| Value::Uint(value);
    f64 => |value| Value::Float(value);
    &str => |value| Value::Str(SmolStr::new(value));
    String => |value| Value::Str(SmolStr::from(value));
    SmolStr => |value| Value::Str(value);
    List => |value| Value::List(value);
    Map => |value| Value::Map(value);
    Vec<Value> => |value| Value::List(List::new(value));
}
