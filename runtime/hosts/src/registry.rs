//! Handlers by name (`hosts` 1): the exact name, else the longest dotted beginning of it.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::Value as Json;

use crate::call::{Answer, Call, Class, Data, Failure, Handler, Kind};
use crate::context::Context;
use crate::effects::{Classified, classify};
use crate::plain;

/// More handlers than this never call one another on the way to one answer.
const MAX_DEPTH: usize = 16;

/// Handlers by name.
#[derive(Clone, Default)]
pub struct Registry {
    entries: BTreeMap<String, Entry>,
}

#[derive(Clone)]
struct Entry {
    handler: Arc<dyn Handler>,
    ticket_provider: bool,
}

/// A name that has a handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved<'a> {
    /// The name under which the handler is registered.
    pub registered: &'a str,
    /// What the invoked name has beyond it, without the dot; empty for an exact name.
    pub suffix: &'a str,
}

/// A handler was registered under this name before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken(pub String);

impl std::fmt::Display for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "host: handler {} is registered already", plain::quoted(&self.0))
    }
}

impl std::error::Error for Taken {}

impl Registry {
    /// A registry without handlers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a handler.
    ///
    /// # Errors
    ///
    /// The name has one already: two parts of a program must not fight about a name. Use [`Self::replace`] to stub.
    pub fn register(&mut self, name: impl Into<String>, handler: impl Handler + 'static) -> Result<(), Taken> {
        let name = name.into();
        if self.entries.contains_key(&name) {
            return Err(Taken(name));
        }
        self.replace(name, handler);
        Ok(())
    }

    /// Puts a handler in place of whatever the name had, for stubs and cassettes. The new handler is no ticket provider.
    /// Gives back whether there was one.
    pub fn replace(&mut self, name: impl Into<String>, handler: impl Handler + 'static) -> bool {
        let entry = Entry {
            handler: Arc::new(handler),
            ticket_provider: false,
        };
        self.entries.insert(name.into(), entry).is_some()
    }

    /// Marks a handler as one that `host.ticket_federation` may call. Only the program says so: no text in a story's world
    /// can make a source out of any other handler.
    pub fn mark_ticket_provider(&mut self, name: &str) {
        if let Some(entry) = self.entries.get_mut(name) {
            entry.ticket_provider = true;
        }
    }

    /// Whether exactly this name is a ticket provider.
    pub fn is_ticket_provider(&self, name: &str) -> bool {
        self.entries.get(name).is_some_and(|e| e.ticket_provider)
    }

    /// Takes a handler away. Gives back whether there was one.
    pub fn remove(&mut self, name: &str) -> bool {
        self.entries.remove(name).is_some()
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Who answers a name.
    pub fn resolve<'a>(&self, name: &'a str) -> Option<Resolved<'a>> {
        self.find(name).map(|(resolved, _)| resolved)
    }

    fn find<'a>(&self, name: &'a str) -> Option<(Resolved<'a>, &Entry)> {
        let mut registered = name;
        loop {
            if let Some(entry) = self.entries.get(registered) {
                let suffix = name.get(registered.len() + 1..).unwrap_or_default();
                return Some((Resolved { registered, suffix }, entry));
            }
            registered = registered.rsplit_once('.')?.0;
        }
    }

    /// The names of a story's `hosts` that no handler answers: a real session does not start with one.
    pub fn unregistered<'a>(&self, listed: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        listed.into_iter().filter(|n| self.resolve(n).is_none()).collect()
    }

    /// The effect class of a call by the handler that would answer it. The table of the reference knows full names only
    /// ([`classify`]), so that every suffixed name is external there.
    pub fn classify(&self, name: &str, args: &Data) -> Classified {
        let op = args.get("op").and_then(Json::as_str).unwrap_or_default();
        match self.resolve(name) {
            Some(r) if op.is_empty() => classify(r.registered, r.suffix),
            Some(r) => classify(r.registered, op),
            None => classify(name, op),
        }
    }

    /// Calls a handler. A suffix of the name becomes the argument `op` when that is absent or empty.
    ///
    /// # Errors
    ///
    /// No handler has the name, or the handler's own failure. Messages hold no control characters.
    pub fn invoke(&self, name: &str, args: Data, context: &Context) -> Answer {
        self.invoke_nested(name, args, context, 0)
    }

    /// Calls a handler on behalf of another call.
    ///
    /// # Errors
    ///
    /// As [`Self::invoke`], and when handlers call one another without an end.
    pub fn invoke_from(&self, caller: &Call<'_>, name: &str, args: Data) -> Answer {
        self.invoke_nested(name, args, caller.context, caller.depth + 1)
    }

    fn invoke_nested(&self, name: &str, mut args: Data, context: &Context, depth: usize) -> Answer {
        let Some((resolved, entry)) = self.find(name) else {
            let text = format!("host: no handler registered for {}", plain::quoted(name));
            return Err(Failure::infra(Kind::NotRegistered, text));
        };
        if depth > MAX_DEPTH {
            let text = format!("{name}: more than {MAX_DEPTH} handlers call one another");
            return Err(Failure::domain(Kind::Limit, text));
        }
        if depth > 0 && self.classify(name, &args).effect > context.reach {
            let text = format!("{name}: not granted: the call reaches further than the one that makes it may");
            return Err(Failure::domain(Kind::Capability, text));
        }
        let named = args.get("op").and_then(Json::as_str).is_some_and(|op| !op.is_empty());
        if !resolved.suffix.is_empty() && !named {
            args.insert("op".to_owned(), Json::from(resolved.suffix));
        }
        let call = Call {
            handler: resolved.registered,
            args: &args,
            context,
            registry: self,
            depth,
        };
        // A fault of one handler is an answer like any other: the session goes on.
        let answer = catch_unwind(AssertUnwindSafe(|| entry.handler.call(&call))).unwrap_or_else(|_| {
            let text = format!("{}: internal fault of the handler", resolved.registered);
            Err(Failure::infra(Kind::Outside, text))
        });
        answer.map_err(|mut failure| {
            failure.message = plain::message(&failure.message);
            if failure.class == Class::Infra {
                failure.data = None;
            }
            failure
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::call::data;
    use crate::environment::Environment;

    fn echo(call: &Call<'_>) -> Answer {
        let mut out = call.args.clone();
        out.insert("by".to_owned(), json!(call.handler));
        Ok(out)
    }

    fn ask(names: &[&str], name: &str, args: Json) -> Answer {
        let mut registry = Registry::new();
        for name in names {
            registry.register(*name, echo).unwrap();
        }
        registry.invoke(name, data(args), &Context::bare("/", Environment::empty()))
    }

    #[test]
    fn a_suffix_becomes_the_operation() {
        let answer = ask(&["host.kettle"], "host.kettle.fill", json!({})).unwrap();
        assert_eq!(answer, data(json!({"op": "fill", "by": "host.kettle"})));
        let answer = ask(&["host.kettle"], "host.kettle.fill", json!({"op": "drain"})).unwrap();
        assert_eq!(answer["op"], "drain");
        let answer = ask(&["host.a"], "host.a.b.c", json!({"op": ""})).unwrap();
        assert_eq!(answer["op"], "b.c");
        let answer = ask(&["host.a", "host.a.b"], "host.a.b.c", json!({})).unwrap();
        assert_eq!((&answer["op"], &answer["by"]), (&json!("c"), &json!("host.a.b")));
    }

    #[test]
    fn an_unknown_name_is_an_infrastructure_failure() {
        let failure = ask(&["host.git"], "host.gitx", json!({})).unwrap_err();
        assert_eq!((failure.class, failure.kind), (Class::Infra, Kind::NotRegistered));
        assert_eq!(failure.message, "host: no handler registered for \"host.gitx\"");
    }

    #[test]
    fn a_name_is_registered_once() {
        let mut registry = Registry::new();
        registry.register("host.a", echo).unwrap();
        assert_eq!(registry.register("host.a", echo), Err(Taken("host.a".to_owned())));
        assert!(registry.replace("host.a", echo));
        assert_eq!(registry.unregistered(["host.a.b", "host.b"]), vec!["host.b"]);
    }

    #[test]
    fn a_replaced_ticket_provider_is_none_any_more() {
        let mut registry = Registry::new();
        registry.replace("host.t", echo);
        registry.mark_ticket_provider("host.t");
        assert!(registry.is_ticket_provider("host.t") && !registry.is_ticket_provider("host.t.get"));
        registry.replace("host.t", echo);
        assert!(!registry.is_ticket_provider("host.t"));
    }

    #[test]
    fn a_call_in_turn_reaches_no_further_than_its_caller_may() {
        let mut registry = Registry::new();
        registry.replace("host.run", echo);
        registry.replace("host.outer", |call: &Call<'_>| {
            call.registry.invoke_from(call, "host.run", Data::new())
        });
        let mut context = Context::bare("/", Environment::empty());
        assert!(registry.invoke("host.outer", Data::new(), &context).is_ok());
        context.reach = crate::effects::Effect::Read;
        let failure = registry.invoke("host.outer", Data::new(), &context).unwrap_err();
        assert!(failure.message.contains("host.run: not granted"), "{}", failure.message);
    }

    #[test]
    fn a_handler_that_panics_or_prints_escapes_is_contained() {
        let mut registry = Registry::new();
        registry.replace("host.bad", |_: &Call<'_>| -> Answer { panic!("oh") });
        registry.replace("host.red", |_: &Call<'_>| -> Answer {
            Err(Failure::outside("\u{1b}[31mno"))
        });
        let context = Context::bare("/", Environment::empty());
        let failure = registry.invoke("host.bad", Data::new(), &context).unwrap_err();
        assert_eq!(failure.class, Class::Infra);
        assert_eq!(
            registry.invoke("host.red", Data::new(), &context).unwrap_err().message,
            "no"
        );
    }

    #[test]
    fn handlers_do_not_call_one_another_for_ever() {
        let mut registry = Registry::new();
        registry.replace("host.loop", |call: &Call<'_>| -> Answer {
            call.registry.invoke_from(call, "host.loop", Data::new())
        });
        let context = Context::bare("/", Environment::empty());
        let failure = registry.invoke("host.loop", Data::new(), &context).unwrap_err();
        assert_eq!(failure.kind, Kind::Limit);
    }
}
