//! Where names are looked up: what a template was given, and what its own tags put beside it.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::super::value::{P, Pv};
use super::{Frame, Runner};
use crate::Env;
use crate::value::{Helper, Map, Native, Value};

pub(super) type Names = FxHashMap<SmolStr, P>;

/// What a template was given.
#[derive(Clone)]
pub(super) enum Public {
    /// The roots of the environment.
    Roots,
    /// What the including template could see, and what it passed.
    Layered(Rc<Public>, Rc<Names>),
    /// What it passed with `only`.
    Only(Rc<Names>),
}

/// The roots, as the environment has them.
const ROOTS: &[&str] = &[
    "world",
    "slots",
    "event",
    "args",
    "menu",
    "prerequisites",
    "item",
    "state",
    "run",
];

fn helper(name: &str) -> Option<Helper> {
    Some(match name {
        "available" => Helper::Available,
        "blocked" => Helper::Blocked,
        "blocked_reason" => Helper::BlockedReason,
        "intent_status" => Helper::IntentStatus,
        _ => return None,
    })
}

impl Public {
    pub(super) fn get(&self, env: &Env, name: &str) -> Option<P> {
        match self {
            Self::Roots => root(env, name),
            Self::Layered(base, over) => over.get(name).cloned().or_else(|| base.get(env, name)),
            Self::Only(names) => names.get(name).cloned(),
        }
    }

    pub(super) fn has(&self, env: &Env, name: &str) -> bool {
        match self {
            Self::Roots => ROOTS.contains(&name) || helper(name).is_some() || env.extra.contains_key(name),
            Self::Layered(base, over) => over.contains_key(name) || base.has(env, name),
            Self::Only(names) => names.contains_key(name),
        }
    }
}

fn root(env: &Env, name: &str) -> Option<P> {
    if let Some(value) = env.extra.get(name) {
        return Some(value.clone().into());
    }
    if name == "run" {
        let run: Map = [
            ("id", Value::Str(env.run_id.clone())),
            ("turn", Value::Int(env.run_turn)),
        ]
        .into_iter()
        .collect();
        return Some(P {
            v: Pv::Run(run),
            safe: false,
            own: false,
        });
    }
    if let Some(helper) = helper(name) {
        return Some(P {
            v: Pv::Helper(helper),
            safe: false,
            own: false,
        });
    }
    if !ROOTS.contains(&name) {
        return None;
    }
    Some(match env.root(name)? {
        Value::Native(Native::UnsetRoot) => Value::Map(Map::new()).into(),
        value => value.into(),
    })
}

/// One level of names.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) public: Public,
    pub(super) private: Rc<Names>,
    pub(super) autoescape: bool,
    /// The template at the bottom of the inheritance first.
    pub(super) chain: Rc<Vec<Frame>>,
}

impl Context {
    pub(super) fn new(public: Public, chain: Rc<Vec<Frame>>) -> Self {
        let mut private = Names::default();
        private.insert(
            SmolStr::new_static("pongo2"),
            P {
                v: Pv::Meta,
                safe: false,
                own: false,
            },
        );
        Self {
            public,
            private: Rc::new(private),
            autoescape: false,
            chain,
        }
    }
}

/// Contexts are numbered; a child always has a higher number than its parent and is gone before it.
impl Runner<'_> {
    pub(super) fn push_context(&mut self, context: Context) -> usize {
        self.contexts.push(context);
        self.contexts.len() - 1
    }

    pub(super) fn pop_context(&mut self, context: usize) {
        self.contexts.truncate(context);
    }

    /// A child that starts with the names of its parent as they are now.
    pub(super) fn child(&mut self, parent: usize) -> usize {
        match self.contexts.get(parent).cloned() {
            Some(context) => self.push_context(context),
            None => parent,
        }
    }

    pub(super) fn set(&mut self, context: usize, name: &SmolStr, value: P) {
        if let Some(context) = self.contexts.get_mut(context) {
            Rc::make_mut(&mut context.private).insert(name.clone(), value);
        }
    }

    pub(super) fn lookup(&self, context: usize, name: &str) -> Option<P> {
        let context = self.contexts.get(context)?;
        context
            .private
            .get(name)
            .cloned()
            .or_else(|| context.public.get(self.env, name))
    }

    pub(super) fn autoescape(&self, context: usize) -> bool {
        self.contexts.get(context).is_some_and(|context| context.autoescape)
    }

    pub(super) fn chain(&self, context: usize) -> Rc<Vec<Frame>> {
        self.contexts
            .get(context)
            .map(|context| Rc::clone(&context.chain))
            .unwrap_or_default()
    }

    /// What an included template sees.
    pub(super) fn shared(&self, context: usize, only: bool, passed: Vec<(SmolStr, P)>) -> Public {
        let mut names = Names::default();
        let base = self.contexts.get(context).filter(|_| !only);
        if let Some(context) = base {
            names = (*context.private).clone();
        }
        names.extend(passed);
        match base {
            Some(context) => Public::Layered(Rc::new(context.public.clone()), Rc::new(names)),
            None => Public::Only(Rc::new(names)),
        }
    }
}
