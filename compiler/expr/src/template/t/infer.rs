//! Types in brace templates: those of their expressions, with the element of a range as `item`.

use smol_str::SmolStr;

use super::tree::{Interpolation, Node, TemplateT};
use crate::types::{self, FindingKind, Type, TypeEnv, TypeFinding};

impl TemplateT {
    pub(crate) fn infer(&self, env: &TypeEnv) -> (Type, Vec<TypeFinding>) {
        if let Some(sole) = &self.sole {
            return sole.infer(env);
        }
        if self.is_literal() {
            return (Type::String, Vec::new());
        }
        let mut findings = Vec::new();
        bodies(&self.body, env, &mut findings);
        findings.sort_by_key(|finding| finding.range.start());
        (Type::String, findings)
    }
}

impl Interpolation {
    fn infer(&self, env: &TypeEnv) -> (Type, Vec<TypeFinding>) {
        let (found, findings) = types::infer(&self.parsed, env);
        (
            found,
            findings.into_iter().map(|finding| self.placed(finding)).collect(),
        )
    }

    fn placed(&self, mut finding: TypeFinding) -> TypeFinding {
        finding.range = self.remap.source(finding.range);
        finding
    }
}

/// The depth of blocks is bounded by the parser.
fn bodies(nodes: &[Node], env: &TypeEnv, findings: &mut Vec<TypeFinding>) {
    for node in nodes {
        match node {
            Node::Text(_) => {}
            Node::Expression(interpolation) => findings.extend(interpolation.infer(env).1),
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                let interpolation = &condition.interpolation;
                let (found, odd) = interpolation.infer(env);
                findings.extend(odd);
                if !condition.truthy && !found.may_be(|part| matches!(part, Type::Bool | Type::Nil)) {
                    let message = format!("the condition yields a bool, and this is {}", found.describe());
                    let range = interpolation.parsed.whole();
                    findings.push(interpolation.placed(TypeFinding {
                        kind: FindingKind::NotBool,
                        range,
                        message,
                    }));
                }
                bodies(then, env, findings);
                bodies(otherwise, env, findings);
            }
            Node::Range { list, body } => {
                let (found, odd) = list.infer(env);
                findings.extend(odd);
                let element = match found.without_nil() {
                    Type::List(element) => (*element).clone(),
                    _ => Type::Any,
                };
                let mut inner = env.clone();
                inner.roots.insert(SmolStr::new_static("item"), element);
                bodies(body, &inner, findings);
            }
        }
    }
}
