//! What is known of the values of a story: declared types of world keys and slots, and the schemas that give bound
//! keys their shape (`language` "go further", type flow).
//!
//! A shape is only used where every writer of a key is known; everything else is "anything".

use std::rc::Rc;
use std::sync::Arc;

use kitsoki_expr::types::{MapType, Type, TypeEnv};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;
use smol_str::SmolStr;

use super::super::calls::Call;
use super::super::cx::StoryCx;
use super::super::starlark::{self, sidecar::Sidecar};
use super::super::walk;
use crate::surface::{Any, AnyKind, Effect, Intent, Optional, Text, WorldVar};

/// Schemas are read this deep; below everything is "anything".
const MAX_DEPTH: usize = 12;

/// What is known of the values of a story.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The type of `world`.
    pub(crate) world: Type,
    /// Which text (a schema's or a script's path) gave a key its shape.
    pub(crate) origins: FxHashMap<SmolStr, Text>,
}

impl Table {
    /// Collects what is known.
    pub(crate) fn of_story<'a>(cx: &'a StoryCx<'a>, calls: &[Call<'a>]) -> Self {
        let mut flow = Flow {
            bound: FxHashMap::default(),
            unknown: FxHashSet::default(),
            loose: FxHashSet::default(),
            computed: FxHashSet::default(),
            schemas: FxHashMap::default(),
        };
        for call in calls {
            if let Some(effect) = call.effect {
                flow.bind(cx, call, effect);
            }
        }
        for room in cx.rooms() {
            for site in walk::own_effects(room.room()) {
                flow.set(site.effect);
            }
        }
        let mut fields = MapType {
            rest: Some(Type::Any),
            ..MapType::default()
        };
        let mut origins = FxHashMap::default();
        for entry in cx
            .story
            .manifest
            .world
            .value()
            .into_iter()
            .flat_map(|w| w.entries.iter())
        {
            let name = entry.name.as_str();
            let mut ty = flow.trusted(name, declared(&entry.value));
            if let Some((shape, origin)) = flow.shape(name, &entry.value, &ty) {
                ty = shape;
                origins.insert(entry.name.text.clone(), origin.clone());
            }
            if entry.value.default_value().is_none() {
                ty = or_nil(ty);
            }
            fields.fields.insert(entry.name.text.clone(), ty);
        }
        Self {
            world: Type::Map(Arc::new(fields)),
            origins,
        }
    }
}

/// Finds the text that gave a key its shape.
pub(crate) type Origin<'a> = &'a dyn Fn(&str) -> Option<&'a Text>;

/// What is known of the roots of a text.
pub(super) struct Shapes<'a> {
    cx: &'a StoryCx<'a>,
    origin: Origin<'a>,
    /// The environment of texts that know no intent.
    plain: Rc<TypeEnv>,
    /// Environments by intent, made on demand.
    of_intents: FxHashMap<(usize, SmolStr), Rc<TypeEnv>>,
}

impl<'a> Shapes<'a> {
    /// `world` is the type of the world.
    pub(super) fn new(cx: &'a StoryCx<'a>, world: Type, origin: Origin<'a>) -> Self {
        let mut plain = TypeEnv::default();
        plain.roots.insert(SmolStr::new("world"), world);
        Self {
            cx,
            origin,
            plain: Rc::new(plain),
            of_intents: FxHashMap::default(),
        }
    }

    /// The environment of a text: with the slots of the intent of its arc.
    pub(super) fn env(&mut self, item: &super::gather::Item<'a>) -> Rc<TypeEnv> {
        let intent = item
            .site
            .intent
            .zip(item.room)
            .and_then(|(name, room)| Some((name, room.intent(name.as_str())?)));
        let Some((name, intent)) = intent else {
            return Rc::clone(&self.plain);
        };
        let key = (std::ptr::from_ref(intent).addr(), name.text.clone());
        let made = self.of_intents.entry(key).or_insert_with(|| {
            let mut env = TypeEnv::clone(&self.plain);
            env.roots.insert(SmolStr::new("slots"), slots_of(intent));
            Rc::new(env)
        });
        Rc::clone(made)
    }

    /// The key of a chain like `world.note` with the author's place of the schema behind it.
    pub(super) fn origin<'b>(&self, base: &'b str) -> Option<(&'b str, &'a Text)> {
        let key = base.strip_prefix("world.")?.split(['.', '[', '?']).next()?;
        Some((key, (self.origin)(key)?))
    }

    /// The story.
    pub(super) fn cx(&self) -> &'a StoryCx<'a> {
        self.cx
    }
}

/// Values that flow into world keys.
struct Flow<'a> {
    bound: FxHashMap<&'a str, Vec<(Type, &'a Text)>>,
    /// Keys with a writer of whose values nothing is known.
    unknown: FxHashSet<&'a str>,
    /// Keys with a bind of whose value nothing is known.
    loose: FxHashSet<&'a str>,
    /// Keys that are set to something else than a text.
    computed: FxHashSet<&'a str>,
    schemas: FxHashMap<SmolStr, Type>,
}

impl<'a> Flow<'a> {
    fn bind(&mut self, cx: &StoryCx<'a>, call: &Call<'a>, effect: &'a Effect) {
        let Some(bind) = effect.bind.value() else { return };
        let source = self.source(cx, call);
        for entry in &bind.entries {
            let key = entry.name.as_str();
            let typed = source
                .as_ref()
                .and_then(|(ty, origin)| Some((at_path(ty, entry.value.as_str())?, *origin)));
            match typed {
                Some((Type::Any, _)) | None => {
                    self.unknown.insert(key);
                    self.loose.insert(key);
                }
                Some(typed) => self.bound.entry(key).or_default().push(typed),
            }
        }
    }

    /// The declared type, where everything that is written is known to have it: a bind converts nothing, and a value of
    /// another kind makes the declaration a wish. Numbers and truth values are converted when they are set.
    fn trusted(&self, key: &str, declared: Type) -> Type {
        let simple = !matches!(declared, Type::Any | Type::Enum(_) | Type::Map(_));
        let bound = self.bound.get(key).into_iter().flatten();
        let other = |ty: &Type| match (&declared, ty) {
            (Type::List(_), Type::List(_)) | (Type::String, Type::Enum(_)) => false,
            (wanted, found) => wanted != found,
        };
        if simple && (self.loose.contains(key) || bound.map(|(ty, _)| ty).any(other)) {
            return Type::Any;
        }
        if declared == Type::String && self.computed.contains(key) {
            return Type::Any;
        }
        declared
    }

    /// Literal mappings add their fields; anything else says nothing about shapes.
    fn set(&mut self, effect: &'a Effect) {
        for entry in effect.set.value().into_iter().flat_map(|m| m.entries.iter()) {
            let empty = match &entry.value.kind {
                AnyKind::Null => true,
                AnyKind::Map(m) => m.is_empty(),
                AnyKind::List(l) => l.is_empty(),
                AnyKind::Text(t) => t.text.is_empty(),
                _ => false,
            };
            if !empty {
                self.unknown.insert(entry.name.as_str());
            }
            match &entry.value.kind {
                AnyKind::Text(text) if !text.is_templated() => {}
                AnyKind::Text(text) if !starlark::is_sole_template(text.as_str()) => {}
                AnyKind::Null => {}
                // Another kind than text, or a value that keeps the kind of its expression.
                _ => drop(self.computed.insert(entry.name.as_str())),
            }
        }
        for entry in effect
            .commit_operation
            .value()
            .and_then(|c| c.world.value())
            .into_iter()
            .flat_map(|m| m.entries.iter())
        {
            self.unknown.insert(entry.name.as_str());
        }
    }

    /// The type of what a call returns, and the text that names its schema.
    fn source(&mut self, cx: &StoryCx<'a>, call: &Call<'a>) -> Option<(Type, &'a Text)> {
        if call.verb.as_str() == starlark::VERB {
            let script = call.arg("script")?.as_text().filter(|s| !s.is_templated())?;
            let path = cx.base_dir().join(format!("{}.yaml", script.as_str().trim()));
            let file = cx.db.file(&path);
            file.contents(cx.db).text()?;
            return Some((of_sidecar(&starlark::sidecar::read(cx.db, file))?, script));
        }
        if call.verb.as_str() == "host.run" {
            return Some((of_run(), call.verb));
        }
        let verb = call.agent_verb()?;
        let schema = match verb {
            "task" => call.arg("acceptance")?.get("schema")?,
            "decide" | "ask" | "extract" => call.arg("schema")?,
            _ => return None,
        };
        let schema = schema.as_text().filter(|s| !s.is_templated() && !s.is_blank())?;
        let ty = self.schemas.entry(schema.text.clone()).or_insert_with(|| {
            let path = cx.base_dir().join(schema.as_str().trim());
            let text = cx.db.file(&path).contents(cx.db).text().cloned();
            text.and_then(|t| serde_json::from_str::<Json>(&t).ok())
                .map_or(Type::Any, |json| of_schema(&json, 0))
        });
        if *ty == Type::Any {
            return None;
        }
        let mut data = MapType {
            rest: Some(Type::Any),
            ..MapType::default()
        };
        data.fields.insert(SmolStr::new("submitted"), ty.clone());
        Some((Type::Map(Arc::new(data)), schema))
    }

    /// The shape of a key that only typed binds write.
    fn shape(&self, key: &str, var: &WorldVar, declared: &Type) -> Option<(Type, &'a Text)> {
        let open = matches!(declared, Type::Any) || matches!(declared, Type::Map(m) if m.fields.is_empty());
        if !open || self.unknown.contains(key) || !is_empty(var.default_value()) {
            return None;
        }
        let (first, origin) = self.bound.get(key)?.first()?;
        let mut merged = match first {
            Type::Map(m) => m.as_ref().clone(),
            _ => return None,
        };
        for (other, _) in self.bound.get(key)?.iter().skip(1) {
            let Type::Map(other) = other else { return None };
            for (name, ty) in &other.fields {
                match merged.fields.get_mut(name) {
                    Some(known) if known == ty => {}
                    Some(known) => *known = Type::Any,
                    None => drop(merged.fields.insert(name.clone(), ty.clone())),
                }
            }
            if other.rest.is_some() {
                merged.rest = Some(Type::Any);
            }
        }
        Some((Type::Map(Arc::new(merged)), origin))
    }
}

fn is_empty(value: Option<&Any>) -> bool {
    value.is_none_or(|v| match &v.kind {
        AnyKind::Map(m) => m.is_empty(),
        AnyKind::Null => true,
        AnyKind::Text(t) => t.text.is_empty(),
        _ => false,
    })
}

fn or_nil(ty: Type) -> Type {
    match ty {
        Type::Any | Type::Nil => ty,
        Type::Union(parts) if parts.contains(&Type::Nil) => Type::Union(parts),
        Type::Union(parts) => {
            let mut parts = parts.to_vec();
            parts.push(Type::Nil);
            Type::Union(parts.into())
        }
        one => Type::Union(Arc::from([one, Type::Nil])),
    }
}

fn number() -> Type {
    Type::Union(Arc::from([Type::Int, Type::Float]))
}

fn any_map() -> Type {
    Type::Map(Arc::new(MapType {
        rest: Some(Type::Any),
        ..MapType::default()
    }))
}

fn list_of(ty: Type) -> Type {
    Type::List(Arc::new(ty))
}

/// The type of a declaration. A number that went through the log is a float, so numbers are either.
fn declared(var: &WorldVar) -> Type {
    let values: Vec<SmolStr> = var
        .values
        .value()
        .into_iter()
        .flat_map(|v| v.iter())
        .map(|t| t.text.clone())
        .collect();
    match var.type_word() {
        "string" | "enum" | "str" if !values.is_empty() => {
            let default = var.default_value().and_then(Any::as_str).map(SmolStr::new);
            let all: Vec<SmolStr> = values.into_iter().chain(default).collect();
            Type::Enum(all.into())
        }
        "string" | "str" => Type::String,
        "bool" => Type::Bool,
        "int" | "float" | "number" => number(),
        "list" | "array" => list_of(Type::Any),
        "object" | "obj" | "map" => any_map(),
        _ => Type::Any,
    }
}

/// The slots of an intent. The kinds of their values depend on who fills them; only the allowed texts are certain.
fn slots_of(intent: &Intent) -> Type {
    let mut map = MapType {
        rest: Some(Type::Any),
        ..MapType::default()
    };
    for entry in intent.slots.value().into_iter().flat_map(|s| s.entries.iter()) {
        let values: Vec<SmolStr> = entry
            .value
            .values
            .value()
            .into_iter()
            .flat_map(|v| v.iter())
            .map(|t| t.text.clone())
            .collect();
        if !values.is_empty() {
            map.fields
                .insert(entry.name.text.clone(), or_nil(Type::Enum(values.into())));
        }
    }
    Type::Map(Arc::new(map))
}

/// The type at a bind path: `submitted.items[0].name`.
fn at_path(ty: &Type, path: &str) -> Option<Type> {
    if path.contains("{{") {
        return None;
    }
    let mut at = ty.clone();
    for step in path.split(['.', '[']).filter(|s| !s.is_empty()) {
        let index = step.strip_suffix(']').is_some_and(|n| n.parse::<i64>().is_ok());
        at = match &at {
            Type::Map(map) if !index => map.fields.get(step).cloned().or_else(|| map.rest.clone())?,
            Type::List(of) if index => of.as_ref().clone(),
            _ => return None,
        };
    }
    Some(at)
}

/// What `host.run` answers.
fn of_run() -> Type {
    let mut map = MapType {
        rest: Some(Type::Any),
        ..MapType::default()
    };
    for (name, ty) in [("stdout", Type::String), ("ok", Type::Bool), ("exit_code", number())] {
        map.fields.insert(SmolStr::new(name), ty);
    }
    Type::Map(Arc::new(map))
}

fn of_sidecar(sidecar: &Sidecar) -> Option<Type> {
    if sidecar.outputs.is_empty() || !sidecar.faults.is_empty() {
        return None;
    }
    let mut map = MapType {
        rest: Some(Type::Any),
        ..MapType::default()
    };
    for output in &sidecar.outputs {
        let ty = match output.type_word() {
            "string" => Type::String,
            "bool" => Type::Bool,
            "int" | "number" => number(),
            "list" => list_of(Type::Any),
            "object" => any_map(),
            _ => Type::Any,
        };
        map.fields.insert(output.name.clone(), ty);
    }
    Some(Type::Map(Arc::new(map)))
}

/// A JSON schema as a type. Only what is certain: references and combinations are "anything".
pub(super) fn of_schema(schema: &Json, depth: usize) -> Type {
    let Json::Object(schema) = schema else { return Type::Any };
    if depth > MAX_DEPTH
        || ["$ref", "anyOf", "oneOf", "allOf", "if"]
            .iter()
            .any(|k| schema.contains_key(*k))
    {
        return Type::Any;
    }
    if let Some(Json::Array(values)) = schema.get("enum") {
        let texts: Option<Vec<SmolStr>> = values.iter().map(|v| v.as_str().map(SmolStr::new)).collect();
        return texts.map_or(Type::Any, |t| Type::Enum(t.into()));
    }
    let word = match schema.get("type") {
        Some(Json::String(word)) => word.as_str(),
        None if schema.contains_key("properties") => "object",
        _ => return Type::Any,
    };
    match word {
        "object" => {
            let Some(Json::Object(properties)) = schema.get("properties") else {
                return any_map();
            };
            let fields = properties
                .iter()
                .map(|(name, s)| (SmolStr::new(name), of_schema(s, depth + 1)))
                .collect();
            let open = match schema.get("additionalProperties") {
                None | Some(Json::Bool(false)) => schema.contains_key("patternProperties"),
                Some(_) => true,
            };
            Type::Map(Arc::new(MapType {
                fields,
                rest: open.then_some(Type::Any),
            }))
        }
        "array" => list_of(schema.get("items").map_or(Type::Any, |s| of_schema(s, depth + 1))),
        "string" => Type::String,
        "boolean" => Type::Bool,
        "integer" | "number" => number(),
        "null" => Type::Nil,
        _ => Type::Any,
    }
}
