//! `ctx.http` and the responses it gives.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::ctx::mismatch;
use super::{Answer, Ask, Port};
use crate::fault::{Class, Fault, Res};
use crate::http::{Request, Response, request_body};
use crate::interp::arguments::{string, wrong};
use crate::interp::table::Table;
use crate::interp::value::Value;
use crate::interp::{convert, show};
use crate::library::decode_host;

/// `ctx.http`.
pub(super) fn record(port: &Rc<Port>) -> Value {
    let p = port.clone();
    let get = Value::host(
        "ctx.http.get",
        Rc::new(move |_, args| {
            let name = "ctx.http.get";
            let [url, given, auth] = args.unpack(name, ["url", "headers?", "auth?"])?;
            let url = string(name, "url", &url.unwrap_or(Value::None))?;
            let headers = headers(name, given.as_ref())?;
            no_policies(name, auth.as_ref())?;
            ask(
                &p,
                Request {
                    method: "GET".to_owned(),
                    url,
                    headers,
                    body: Vec::new(),
                },
            )
        }),
    );
    let p = port.clone();
    let post = Value::host(
        "ctx.http.post",
        Rc::new(move |_, args| {
            let name = "ctx.http.post";
            let [url, body, given, auth] = args.unpack(name, ["url", "body?", "headers?", "auth?"])?;
            let url = string(name, "url", &url.unwrap_or(Value::None))?;
            let mut headers = headers(name, given.as_ref())?;
            let body = post_body(name, body.as_ref(), &mut headers)?;
            no_policies(name, auth.as_ref())?;
            ask(
                &p,
                Request {
                    method: "POST".to_owned(),
                    url,
                    headers,
                    body,
                },
            )
        }),
    );
    Value::record("ctx.http", Some("ctx.http"), vec![("get", get), ("post", post)], true)
}

fn headers(name: &str, given: Option<&Value>) -> Res<BTreeMap<String, String>> {
    let mut out = BTreeMap::new();
    let dict = match given {
        None => return Ok(out),
        Some(Value::Dict(dict)) => dict,
        Some(other) => return Err(wrong(name, "headers", other, "dict")),
    };
    for (key, value) in dict.table.borrow().iter() {
        let Some(key_text) = key.as_text() else {
            return Err(Fault::runtime(format!(
                "header key {} is not a string",
                show::repr(key)?
            )));
        };
        let key_text = String::from_utf8_lossy(key_text).into_owned();
        let Some(value) = value.as_text() else {
            return Err(Fault::runtime(format!("header {key_text:?} value is not a string")));
        };
        out.insert(key_text, String::from_utf8_lossy(value).into_owned());
    }
    Ok(out)
}

fn post_body(name: &str, body: Option<&Value>, headers: &mut BTreeMap<String, String>) -> Res<Vec<u8>> {
    match body {
        None | Some(Value::None) => Ok(Vec::new()),
        Some(Value::Text(t)) => {
            if t.bytes.len() > convert::MAX_HANDED_OVER {
                return Err(Fault::new(Class::LimitMemory, format!("{name}: body too large")));
            }
            Ok(t.bytes.to_vec())
        }
        Some(value @ Value::Dict(_)) => {
            let data = convert::to_data(value).map_err(|f| f.prefixed("ctx.http.post: body: "))?;
            let json = request_body(&data)
                .ok_or_else(|| Fault::runtime(format!("{name}: marshal body: unsupported value")))?;
            headers
                .entry("Content-Type".to_owned())
                .or_insert_with(|| "application/json".to_owned());
            Ok(json.into_bytes())
        }
        Some(other) => Err(Fault::runtime(format!(
            "{name}: body must be a string or dict, got {}",
            other.kind()
        ))),
    }
}

/// Policies of authentication need a client that knows them; there is none here.
fn no_policies(name: &str, auth: Option<&Value>) -> Res<()> {
    let names = match auth {
        None | Some(Value::None) => return Ok(()),
        Some(Value::Text(t)) => vec![Value::Text(t.clone())],
        Some(Value::List(list)) => list.items.borrow().clone(),
        Some(Value::Tuple(tuple)) => tuple.items.clone(),
        Some(other) => {
            let kind = other.kind();
            let text = format!("{name}: auth must be a string, list of strings, or None, got {kind}");
            return Err(Fault::runtime(text));
        }
    };
    let single = matches!(auth, Some(Value::Text(_)));
    let mut asked = Vec::new();
    for value in &names {
        let text = value
            .as_text()
            .map(|t| String::from_utf8_lossy(t).trim().to_owned())
            .unwrap_or_default();
        if text.is_empty() && !single {
            return Err(Fault::runtime(format!(
                "{name}: auth entries must be non-empty strings"
            )));
        }
        if !text.is_empty() {
            asked.push(text);
        }
    }
    if asked.is_empty() {
        return Ok(());
    }
    let asked = asked.join(" ");
    let text = format!("{name}: auth=[{asked}] requested but no auth-aware HTTP client is configured");
    Err(Fault::new(Class::Http, text))
}

fn ask(port: &Port, request: Request) -> Res<Value> {
    match port.outside(Ask::Http(request))? {
        Answer::Http(response) => response_record(response),
        _ => Err(mismatch()),
    }
}

fn response_record(response: Response) -> Res<Value> {
    let mut headers = Table::new()?;
    for (name, value) in &response.headers {
        headers.insert(Value::str(name)?, Value::str(value)?)?;
    }
    let status = response.status;
    let body = Value::text(response.body)?;
    let for_json = body.clone();
    let text = Value::host("http.response.text", Rc::new(move |_, _| Ok(body.clone())));
    let json = Value::host(
        "http.response.json",
        Rc::new(move |_, _| {
            let bytes = for_json.as_text().unwrap_or_default();
            decode_host(bytes).map_err(|f| f.prefixed("http.response.json: "))
        }),
    );
    let fields = vec![
        ("status", Value::Int(status)),
        ("headers", Value::dict(headers)),
        ("text", text),
        ("json", json),
    ];
    let shown = format!("<http response {status}>");
    Ok(Value::record(
        "http.response",
        Some(&shown),
        fields,
        (200..300).contains(&status),
    ))
}
