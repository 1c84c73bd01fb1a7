//! The module `yaml`: reading only.

use crate::document;
use crate::fault::{Class, Fault, Res};
use crate::interp::arguments::{Args, text};
use crate::interp::machine::Machine;
use crate::interp::value::Value;
use crate::interp::{convert, meter};

/// The module.
pub(super) fn module() -> Value {
    let fields = vec![("decode", Value::builtin("yaml.decode", decode))];
    Value::record("module", Some("<module \"yaml\">"), fields, true)
}

fn decode(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [source] = args.unpack("yaml.decode", ["src"])?;
    let source = source.unwrap_or(Value::None);
    let bytes = text("yaml.decode", "src", &source)?;
    // A character of YAML costs far more than one of most other things.
    meter::work_len(bytes.len().saturating_mul(64))?;
    meter::room(bytes.len().saturating_mul(64))?;
    match document::read(&String::from_utf8_lossy(bytes)) {
        Ok(data) => convert::from_data(&data),
        Err(fault) => {
            let class = if fault.too_large {
                Class::LimitMemory
            } else {
                Class::Runtime
            };
            Err(Fault::new(class, format!("yaml.decode: {fault}")))
        }
    }
}
