//! `ctx` as a script sees it. What is not granted does not exist there.

use std::rc::Rc;

use super::{Answer, Ask, Port, http};
use crate::capabilities::Capabilities;
use crate::data::DataMap;
use crate::fault::{Class, Fault, Res};
use crate::interp::arguments::{Args, string, text, wrong};
use crate::interp::table::Table;
use crate::interp::value::Value;
use crate::interp::{convert, meter};

/// Builds `ctx`.
pub(crate) fn build(inputs: &DataMap, world: DataMap, granted: &Capabilities, port: &Rc<Port>) -> Res<Value> {
    let mut fields = vec![("inputs", convert::from_map(inputs)?)];
    if granted.world {
        fields.push(("world", world_record(world)));
    }
    if granted.http.is_some() {
        fields.push(("http", http::record(port)));
    }
    if granted.has_fs() {
        fields.push(("fs", fs(port)));
    }
    if !granted.probes.is_empty() {
        fields.push(("probe", probe(port)));
    }
    if !granted.verbs.is_empty() {
        fields.push(("host", host(port)));
    }
    Ok(Value::record("struct", None, fields, true))
}

/// The fault of an answer of the wrong kind: whoever answers is at fault, not the script.
pub(super) fn mismatch() -> Box<Fault> {
    Fault::new(
        Class::NotConfigured,
        "starlark: the surface gave an answer of another kind",
    )
}

fn world_record(world: DataMap) -> Value {
    let get = Value::host(
        "ctx.world.get",
        Rc::new(move |_, args| {
            let [key] = args.unpack("ctx.world.get", ["key"])?;
            let key = string("ctx.world.get", "key", &key.unwrap_or(Value::None))?;
            world.get(&key).map_or(Ok(Value::None), convert::from_data)
        }),
    );
    Value::record("ctx.world", Some("ctx.world"), vec![("get", get)], true)
}

fn path_argument(name: &str, parameter: &'static str, args: Args) -> Res<String> {
    let [path] = args.unpack(name, [parameter])?;
    string(name, parameter, &path.unwrap_or(Value::None))
}

fn fs(port: &Rc<Port>) -> Value {
    let p = port.clone();
    let read = Value::host(
        "ctx.fs.read",
        Rc::new(
            move |_, args| match p.files(Ask::Read(path_argument("ctx.fs.read", "path", args)?))? {
                Answer::Bytes(bytes) => Value::text(bytes),
                _ => Err(mismatch()),
            },
        ),
    );
    let p = port.clone();
    let exists = Value::host(
        "ctx.fs.exists",
        Rc::new(
            move |_, args| match p.files(Ask::Exists(path_argument("ctx.fs.exists", "path", args)?))? {
                Answer::Flag(flag) => Ok(Value::Bool(flag)),
                _ => Err(mismatch()),
            },
        ),
    );
    let p = port.clone();
    let glob = Value::host(
        "ctx.fs.glob",
        Rc::new(
            move |_, args| match p.files(Ask::Glob(path_argument("ctx.fs.glob", "pattern", args)?))? {
                Answer::Paths(paths) => Value::list(paths.iter().map(|p| Value::str(p)).collect::<Res<Vec<Value>>>()?),
                _ => Err(mismatch()),
            },
        ),
    );
    let p = port.clone();
    let write = Value::host(
        "ctx.fs.write",
        Rc::new(move |_, args| {
            let name = "ctx.fs.write";
            let [path, content] = args.unpack(name, ["path", "content"])?;
            let path = string(name, "path", &path.unwrap_or(Value::None))?;
            let content = content.unwrap_or(Value::None);
            let content = text(name, "content", &content)?;
            // A file costs its folder an entry and the disk a block, however small it is.
            meter::written(content.len() + 4096)?;
            meter::room(content.len())?;
            match p.files(Ask::Write(path, content.to_vec()))? {
                Answer::Path(path) => Value::str(&path),
                _ => Err(mismatch()),
            }
        }),
    );
    let fields = vec![("exists", exists), ("glob", glob), ("read", read), ("write", write)];
    Value::record("ctx.fs", Some("ctx.fs"), fields, true)
}

fn probe(port: &Rc<Port>) -> Value {
    let p = port.clone();
    Value::host(
        "ctx.probe",
        Rc::new(move |_, args| {
            let [name, arguments] = args.unpack("ctx.probe", ["name", "args?"])?;
            let name = string("ctx.probe", "name", &name.unwrap_or(Value::None))?;
            let arguments = match &arguments {
                None => Vec::new(),
                Some(Value::List(list)) => list.items.borrow().clone(),
                Some(other) => return Err(wrong("ctx.probe", "args", other, "list")),
            };
            let mut texts = Vec::new();
            for (i, argument) in arguments.iter().enumerate() {
                if argument.as_text().is_none() {
                    let kind = argument.kind();
                    return Err(Fault::runtime(format!(
                        "ctx.probe: arg {i} is not a string (got {kind})"
                    )));
                }
                texts.push(string("ctx.probe", "args", argument)?);
            }
            match p.outside(Ask::Probe(name, texts))? {
                Answer::Probe(answer) => {
                    let mut table = Table::new()?;
                    table.insert(Value::str("exit")?, Value::Int(answer.exit))?;
                    table.insert(Value::str("out")?, Value::str(&answer.out)?)?;
                    Ok(Value::dict(table))
                }
                _ => Err(mismatch()),
            }
        }),
    )
}

fn host(port: &Rc<Port>) -> Value {
    let p = port.clone();
    let call = Value::host(
        "ctx.host.call",
        Rc::new(move |_, args| {
            let name = "ctx.host.call";
            let [verb, arguments] = args.unpack(name, ["name", "args?"])?;
            let verb = string(name, "name", &verb.unwrap_or(Value::None))?;
            let arguments = match &arguments {
                None => DataMap::new(),
                Some(value @ Value::Dict(_)) => {
                    convert::to_map(value).map_err(|f| f.prefixed("ctx.host.call: args: "))?
                }
                Some(other) => {
                    convert::to_data(other).map_err(|f| f.prefixed("ctx.host.call: args: "))?;
                    return Err(Fault::runtime(format!(
                        "{name}: args must be a dict, got {}",
                        other.kind()
                    )));
                }
            };
            match p.outside(Ask::Host(verb, arguments))? {
                Answer::Data(data) => convert::from_map(&data),
                _ => Err(mismatch()),
            }
        }),
    );
    Value::record("ctx.host", Some("ctx.host"), vec![("call", call)], true)
}
