//! The language as a JSON Schema, for editors and tools that know nothing else of it.
//!
//! Made from the same tables that the reader is made from ([`super::decl`]), so that the two agree on every key. A schema knows
//! shapes and words, not names: whether a target exists is the compiler's business. The draft is 7, which every YAML
//! server takes.

use serde_json::{Map as JsonMap, Value as Json, json};

use super::decl::Surface;
use super::manifest::Manifest;
use crate::package::{EFFORTS, EffectClass};
use crate::rules::manifest::operations;

/// The schema of a manifest or of a file that it includes.
#[must_use]
pub fn json_schema() -> Json {
    let mut schema = Schema::default();
    let root = Manifest::schema(&mut schema);
    let mut out = JsonMap::new();
    out.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
    out.insert("title".to_owned(), json!("kitsoki story"));
    out.insert(
        "description".to_owned(),
        json!("The manifest of a kitsoki story, or a file that a manifest includes."),
    );
    if let Json::Object(root) = root {
        out.extend(root);
    }
    out.insert("definitions".to_owned(), Json::Object(schema.definitions));
    Json::Object(out)
}

/// The definitions that were needed so far.
#[derive(Default)]
pub struct Schema {
    definitions: JsonMap<String, Json>,
}

/// A key of a declaration: its name, what it is for, the schema of its value.
pub(crate) type SchemaKey<'a> = (&'a str, &'a str, Json);

impl Schema {
    /// A reference to a definition, which is made on first use; it may refer to itself.
    pub(crate) fn definition(&mut self, name: &str, make: impl FnOnce(&mut Self) -> Json) -> Json {
        if !self.definitions.contains_key(name) {
            // The place is taken before its inside asks for it.
            self.definitions.insert(name.to_owned(), Json::Null);
            let made = make(self);
            self.definitions.insert(name.to_owned(), made);
        }
        json!({ "$ref": format!("#/definitions/{name}") })
    }

    /// A mapping with fixed keys.
    pub(crate) fn mapping(&self, kind: &str, keys: Vec<SchemaKey<'_>>) -> Json {
        let mut properties = JsonMap::new();
        for (key, doc, value) in keys {
            let value = match words(kind, key) {
                Some(words) => with_words(&value, words),
                None => value,
            };
            let mut property = or_null(value);
            if let Some(property) = property.as_object_mut().filter(|_| !doc.is_empty()) {
                property.insert("description".to_owned(), json!(doc));
            }
            properties.insert(key.to_owned(), property);
        }
        json!({ "title": kind, "type": "object", "properties": properties, "additionalProperties": false })
    }
}

/// A text: every scalar is one (`language` 2.4).
pub(crate) fn text() -> Json {
    json!({ "type": ["string", "number", "boolean"] })
}

/// A mapping whose keys the author chooses.
pub(crate) fn names(of: Json) -> Json {
    json!({ "type": "object", "additionalProperties": or_null(of) })
}

/// A list.
pub(crate) fn list(of: Json) -> Json {
    json!({ "type": "array", "items": or_null(of) })
}

/// One of several forms.
pub(crate) fn one_of(forms: Vec<Json>) -> Json {
    json!({ "anyOf": forms })
}

/// Nothing behind a key is the same as no key.
pub(crate) fn or_null(of: Json) -> Json {
    let Json::Object(mut schema) = of else {
        // `true`: a free value, which may be null anyway.
        return json!({});
    };
    let is_enum = schema.contains_key("enum");
    match (schema.get_mut("type"), is_enum) {
        (Some(Json::Array(types)), false) => types.push(json!("null")),
        (Some(Json::String(one)), false) => {
            let both = json!([one, "null"]);
            schema.insert("type".to_owned(), both);
        }
        _ => match schema.get_mut("anyOf") {
            Some(Json::Array(forms)) => forms.push(json!({ "type": "null" })),
            _ => return json!({ "anyOf": [Json::Object(schema), { "type": "null" }] }),
        },
    }
    Json::Object(schema)
}

/// What may stand in the place of a word.
enum Words {
    /// One of these and nothing else.
    Only(&'static [&'static str]),
    /// These are offered; another text is not wrong by its shape.
    Offered(&'static [&'static str]),
}

fn with_words(value: &Json, words: Words) -> Json {
    match words {
        // An empty text is the same as no key.
        Words::Only(words) => json!({ "enum": words.iter().chain([&""]).collect::<Vec<_>>() }),
        Words::Offered(words) => {
            let is_list = value.get("type") == Some(&json!("array"));
            let item = one_of(vec![json!({ "enum": words }), text()]);
            if is_list { list(item) } else { item }
        }
    }
}

/// The words of a key, by the kind of its declaration (`language` 3).
fn words(kind: &str, key: &str) -> Option<Words> {
    use Words::{Offered, Only};
    Some(match (kind, key) {
        ("a room", "type") => Offered(&["atomic", "compound", "parallel"]),
        ("a room", "mode") => Offered(&["conversational"]),
        ("a room", "write_mode") => Only(&["open", "read_only"]),
        ("a room", "decider") => Only(&["human", "llm"]),
        ("a room", "intercept_drive") => Only(&["rest"]),
        ("a room", "transcript") => Only(&["persistent", "transient"]),
        ("a room", "theme") => Offered(&["default", "mesa", "meta-blue", "meta-amber", "off-path"]),
        ("a prerequisite", "severity") => Only(&["info", "warning", "warn", "error"]),
        ("an assignment", "sync") => Only(&["linked-ticket"]),
        ("a slot", "type") => Offered(&["string", "int", "float", "bool", "enum", "date", "money", "list"]),
        ("a world variable", "type") => {
            Offered(&["string", "int", "float", "number", "bool", "object", "list", "enum"])
        }
        ("an agent" | "a toolbox" | "an interface operation", "effect") => Only(&EffectClass::WORDS),
        ("an agent", "effort") => Only(&EFFORTS),
        ("a provider", "effort") => Offered(&EFFORTS),
        ("an agent's `permissions`", "mode") => Only(&[
            "ask",
            "denyAll",
            "default",
            "bypassPermissions",
            "acceptEdits",
            "auto",
            "dontAsk",
            "plan",
        ]),
        ("an agent plugin", "plugin") => Only(&[
            "builtin.claude_cli",
            "builtin.inprocess",
            "builtin.local_llm",
            "subprocess",
            "mcp_http",
        ]),
        ("an import", "hosts") => Only(&["inherit", "declared"]),
        ("an operation policy", "mode") => Only(&operations::MODES),
        ("an operation policy", "execution_mode") => Only(&operations::EXECUTION_MODES),
        ("an operation policy", "stop_on" | "pause_on") => Offered(&operations::REASONS),
        ("a choice", "mode") => Only(&["single", "multi", "form"]),
        ("a choice parameter", "type") => Only(&["string", "int", "enum"]),
        ("a choice field", "type") => Only(&["string", "int", "float", "bool", "enum"]),
        ("a media element", "kind") => Offered(&["video", "image", "pdf"]),
        _ => return None,
    })
}
