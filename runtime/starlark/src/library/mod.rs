//! What every script has: the universal functions, the methods of texts, lists and dicts, the modules `json`, `math`
//! and `yaml`. Exactly the names of the `starlark` chapter, section 13.

mod aggregate;
mod characters;
mod dict;
mod json;
mod json_decode;
mod list;
mod math;
pub(crate) mod methods;
mod reflect;
mod text;
mod text_search;
mod text_split;
mod universe;
mod yaml;

pub(crate) use json::quote_host as quote_json;
pub(crate) use json_decode::decode_host;

use crate::fault::Res;
use crate::interp::arguments::Args;
use crate::interp::machine::{Given, Machine};
use crate::interp::value::Value;

/// A method of a built-in type.
pub(crate) struct Method {
    pub(crate) name: &'static str,
    pub(crate) code: fn(&mut Machine, &Value, Args) -> Res<Value>,
}

/// The names of a script that was granted these modules.
pub(crate) fn given(modules: &[String]) -> Given {
    let mut entries = universe::entries();
    for module in modules {
        match module.as_str() {
            "json" => entries.push(("json", json::module())),
            "math" => entries.push(("math", math::module())),
            "yaml" => entries.push(("yaml", yaml::module())),
            _ => {}
        }
    }
    Given::new(entries)
}
