//! The functions that stories may call (language 6 of the expression chapter).

mod collection;
mod number;
mod text;

pub(crate) use number::parse_float;

use crate::eval::{Fault, Outcome, access, describe};
use crate::value::Value;

/// A function that stories may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Len,
    Trim,
    Upper,
    Lower,
    Split,
    Join,
    HasPrefix,
    HasSuffix,
    Int,
    Float,
    String,
    Abs,
    Round,
    Type,
    Get,
    Keys,
    Min,
    Max,
    Now,
}

impl Function {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "len" => Self::Len,
            "trim" => Self::Trim,
            "upper" => Self::Upper,
            "lower" => Self::Lower,
            "split" => Self::Split,
            "join" => Self::Join,
            "hasPrefix" => Self::HasPrefix,
            "hasSuffix" => Self::HasSuffix,
            "int" => Self::Int,
            "float" => Self::Float,
            "string" => Self::String,
            "abs" => Self::Abs,
            "round" => Self::Round,
            "type" => Self::Type,
            "get" => Self::Get,
            "keys" => Self::Keys,
            "min" => Self::Min,
            "max" => Self::Max,
            "now" => Self::Now,
            _ => return None,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Len => "len",
            Self::Trim => "trim",
            Self::Upper => "upper",
            Self::Lower => "lower",
            Self::Split => "split",
            Self::Join => "join",
            Self::HasPrefix => "hasPrefix",
            Self::HasSuffix => "hasSuffix",
            Self::Int => "int",
            Self::Float => "float",
            Self::String => "string",
            Self::Abs => "abs",
            Self::Round => "round",
            Self::Type => "type",
            Self::Get => "get",
            Self::Keys => "keys",
            Self::Min => "min",
            Self::Max => "max",
            Self::Now => "now",
        }
    }

    /// Calls the function. The count of the arguments was checked before.
    pub(crate) fn call(self, args: &[Value], now: i128) -> Outcome {
        match (self, args) {
            (Self::Len, [x]) => collection::len(x),
            (Self::Trim, [x]) => text::trim(x, None),
            (Self::Trim, [x, cutset]) => text::trim(x, Some(cutset)),
            (Self::Upper, [x]) => text::upper(x),
            (Self::Lower, [x]) => text::lower(x),
            (Self::Split, [x, separator]) => text::split(x, separator, None),
            (Self::Split, [x, separator, limit]) => text::split(x, separator, Some(limit)),
            (Self::Join, [list]) => text::join(list, None),
            (Self::Join, [list, separator]) => text::join(list, Some(separator)),
            (Self::HasPrefix, [x, prefix]) => text::has(self.name(), x, prefix, |x, prefix| x.starts_with(prefix)),
            (Self::HasSuffix, [x, suffix]) => text::has(self.name(), x, suffix, |x, suffix| x.ends_with(suffix)),
            (Self::Int, [x]) => number::int(x),
            (Self::Float, [x]) => number::float(x),
            (Self::String, [x]) => text::string(x),
            (Self::Abs, [x]) => number::abs(x),
            (Self::Round, [x]) => number::round(x),
            (Self::Type, [x]) => Ok(Value::text(collection::type_name(x))),
            (Self::Get, [x, key]) => access::get(x, key),
            (Self::Keys, [x]) => collection::keys(x),
            (Self::Min, _) => number::extreme(self, args),
            (Self::Max, _) => number::extreme(self, args),
            (Self::Now, []) => Ok(Value::Native(crate::value::Native::Time(now))),
            _ => Err(Fault::kind(format!(
                "`{}` does not take {} arguments",
                self.name(),
                args.len()
            ))),
        }
    }
}

fn refuse(function: &str, found: &Value) -> Fault {
    Fault::kind(format!("`{function}` does not take {}", describe(found)))
}
