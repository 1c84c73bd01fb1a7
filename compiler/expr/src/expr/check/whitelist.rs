//! What the language could say and the story language does not admit (language 4.2 of the expression chapter).

use rustc_hash::FxHashSet;

use super::super::ast::{Expr, NodeId, NodeKind};
use super::super::limits::MAX_ERRORS;
use crate::{ErrorClass, ExprError, names};

/// The first violations in text order, one per chain.
pub(crate) fn violations(expr: &Expr) -> Vec<ExprError> {
    let mut found = Vec::new();
    let mut roots_seen = FxHashSet::default();
    for id in expr.ids() {
        let node = expr.node(id);
        let mut violation = |range, message: String, help: Option<&str>| {
            let mut error = ExprError::compile(ErrorClass::Whitelist, range, message);
            error.help = help.map(str::to_owned);
            found.push(error);
        };
        match &node.kind {
            NodeKind::Call { callee, .. } => match expr.kind(*callee) {
                NodeKind::Ident { name, .. } if names::is_helper(name) => {}
                NodeKind::Ident { name, .. } => {
                    violation(node.focus, format!("no function is called `{name}`"), None);
                }
                _ => violation(node.focus, "a value has no functions of its own".to_owned(), None),
            },
            NodeKind::Builtin { name, .. } if !names::is_allowed_function(name) => {
                violation(node.focus, format!("`{name}` may not be used in a story"), None);
            }
            NodeKind::Predicate(_) => {
                violation(node.range, "predicates may not be used in a story".to_owned(), None);
            }
            NodeKind::Let { .. } => violation(
                node.focus,
                "`let` may not be used in a story".to_owned(),
                Some("set a world key, or repeat the part"),
            ),
            NodeKind::Map(_) => violation(
                node.range,
                "a map cannot be written in an expression".to_owned(),
                Some("write it as YAML, with expressions in its values"),
            ),
            NodeKind::Member { base, .. } => {
                if let Some((root, name)) = root_of(expr, *base)
                    && !names::is_root(name)
                    && roots_seen.insert(root)
                {
                    violation(
                        expr.node(root).range,
                        format!("members of `{name}` cannot be read in an expression"),
                        root_help(name),
                    );
                }
            }
            _ => {}
        }
    }
    found.truncate(MAX_ERRORS);
    found
}

/// The name that a chain of members starts with; none when it starts with anything else.
fn root_of(expr: &Expr, base: NodeId) -> Option<(NodeId, &str)> {
    let mut id = base;
    loop {
        match expr.kind(id) {
            NodeKind::Ident { name, .. } => return Some((id, name)),
            NodeKind::Member { base, .. } => id = *base,
            _ => return None,
        }
    }
}

fn root_help(name: &str) -> Option<&'static str> {
    match name {
        "state" => Some("`state` exists in views only"),
        "$host_error" => Some("use `world.host_error`"),
        "tpl" => Some("`tpl` is replaced when a phase is expanded; here nothing replaces it"),
        _ => {
            Some("the roots are `world`, `slots`, `event`, `run`, `args`, `menu`, `prerequisites`, `item` and `result`")
        }
    }
}
