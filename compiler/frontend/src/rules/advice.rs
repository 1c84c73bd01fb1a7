//! What to do about a finding that brings no help and no fix of its own.
//!
//! Most rules know more than their name and say it where they speak. Of the rules below every finding has the same way out; it
//! stands here once, in the order of their names, and only where nothing better was said.

use kitsoki_diagnostics::Diagnostic;

/// Rule -> what to do.
const ADVICE: &[(&str, &str)] = &[
    (
        "agent-effect-mismatch",
        "declare the class of its tools, or leave `effect` out: it is taken from them",
    ),
    (
        "capture-arc-taken",
        "remove the arc, or write the capture by hand without `capture_free_text`",
    ),
    ("capture-default-intent", "keep one of the two"),
    (
        "choice-form",
        "`kitsoki explain choice-form` shows a choice of every form",
    ),
    (
        "choice-value-templated",
        "write the value out, or make the choice `mode: single`",
    ),
    (
        "constant-comparison",
        "compare with a value of the same kind, or convert one side",
    ),
    ("decider-agent-missing", "name one of the `agents`"),
    (
        "decider-schema-missing",
        "name a JSON schema file of what the decider answers",
    ),
    ("decider-threshold-range", "write a number such as `0.8`"),
    (
        "duration-zero-ignored",
        "leave it out, or write the shortest time that is meant",
    ),
    ("effect-id-duplicate", "give each call an `id` of its own"),
    (
        "expr-function",
        "compute it in a script (`host.starlark.run`) and bind the result",
    ),
    ("fallback-intent-missing", "name the intent that free text becomes"),
    ("fallback-intent-undeclared", "name one intent with a slot for the text"),
    ("fallback-no-arc", "give the room an arc for it: that arc is copied"),
    ("fallback-state-missing", "name the room whose arc is copied"),
    (
        "fallback-target-changed",
        "write the target of the arm from the top of the story",
    ),
    (
        "grammar-schema-unreadable",
        "put the schema file where the call names it",
    ),
    ("host-binding-form", "write one of the two forms"),
    ("hosts-empty", "list the verbs of the story, or leave `hosts` out"),
    ("iface-shape", "write `iface.NAME.OPERATION`"),
    (
        "import-asset-mangled",
        "name the file by its path from the imported story's folder",
    ),
    (
        "import-cycle",
        "move what both need into a third story, and import that one",
    ),
    (
        "import-engine-key",
        "read it where it is written, in the importing story, and push it in with `world_in`",
    ),
    (
        "import-exit-unused",
        "remove the mapping, or let the imported story leave by this exit",
    ),
    ("import-export-overwrites", "give one of the two intents another name"),
    (
        "import-interface-unused",
        "remove it, or call it as `iface.NAME.OPERATION`",
    ),
    (
        "import-lift-undefined",
        "declare the intent in the imported story, or take it off its `exports`",
    ),
    (
        "import-override-unused",
        "name a prompt that the imported story uses, or remove the override",
    ),
    (
        "import-prose-rewritten",
        "write the name otherwise in prose, for instance without `world.`",
    ),
    (
        "import-requires-guarded",
        "set the key on every way that leads into the import",
    ),
    (
        "import-requires-zero",
        "give the key a default that means something, or set it before the import begins",
    ),
    (
        "import-source-shape",
        "write `./` or `../` before a path, `@kitsoki/NAME` for a story of a repository",
    ),
    (
        "import-templated-target",
        "name the room, or decide between named rooms with guarded arms",
    ),
    (
        "import-text-coercion",
        "push a world key of the right type in place of the value",
    ),
    (
        "import-unreadable",
        "name a manifest, or a folder that holds `app.yaml`",
    ),
    (
        "import-version-unsatisfied",
        "widen `version`, or import the version that is wanted",
    ),
    ("late-expression-error", "finish the expression"),
    (
        "list-item-invalid",
        "write a text, or a mapping with `label` and, if wanted, `hint` and `when`",
    ),
    (
        "meta-builtin-overridden",
        "give the mode another name when the built-in one should stay",
    ),
    ("meta-mode-agent-missing", "name one of the `agents`"),
    ("meta-mode-cwd-unset-env", "set the variable, or write the path out"),
    ("meta-mode-null", "write its keys below it, or remove it"),
    ("meta-mode-trigger-duplicate", "give one of the two another trigger"),
    ("meta-mode-trigger-missing", "write the word that opens the mode"),
    ("meta-trigger-shared", "give one of the two another trigger"),
    (
        "never-populated",
        "read the key that is filled, or keep one of your own and set it",
    ),
    ("non-string-key", "put the key into quotes, or write a name"),
    (
        "null-effect",
        "write what it does, such as `say: \"…\"`, or remove the dash",
    ),
    (
        "off-ramp-conversational",
        "keep one of the two: the conversation answers questions already",
    ),
    (
        "off-ramp-terminal",
        "remove the off-ramp: nobody can ask when the story is over",
    ),
    (
        "on-error-dot",
        "leave `on_error` out to stay, or name the room itself to enter it again",
    ),
    (
        "once-bind-prefilled",
        "give the key an empty default, or bind another one",
    ),
    ("once-without-invoke", "remove `once`, or guard the effect with `when`"),
    (
        "operation-background",
        "make the call in the foreground, or outside of the operation",
    ),
    ("operation-id-blank", "write its name"),
    ("operation-scope-templated", "write one of the scopes out"),
    ("parallel-regions", "add a region, or make the room `type: compound`"),
    (
        "phase-budget-dead",
        "take the default arm away, or lead it to the room that the budget should reach",
    ),
    ("phase-budget-ignored", "write a whole number"),
    ("phase-on-enter-invalid", "write a list of effects"),
    (
        "phase-parameter-missing",
        "give the phase a value for it, or the parameter a `default`",
    ),
    (
        "phase-parameter-unknown",
        "declare it under `parameters` of the template, or remove it",
    ),
    (
        "phase-template-unused",
        "add a phase to `graph`, or remove the template",
    ),
    (
        "plugin-command-missing",
        "write the program and its arguments as `command`",
    ),
    ("plugin-endpoint-missing", "write the address as `endpoint`"),
    ("plugin-env-unset", "set the variable before kitsoki is started"),
    ("plugin-model-missing", "name it with `model`"),
    ("plugin-null", "write its keys below it, or remove it"),
    ("prerequisite-id-duplicate", "give each its own `id`"),
    ("prerequisite-id-missing", "write a name that is its own in this room"),
    ("prerequisite-title-missing", "write what a person reads"),
    ("provider-env-unset", "set the variable before kitsoki is started"),
    ("provider-null", "write its keys below it, or remove it"),
    ("reserved-key-set", "use a key of your own"),
    ("root-empty", "name the first room"),
    ("routing-bar-order", "write the high bar larger than the other"),
    ("routing-bar-range", "write a number such as `0.8`"),
    (
        "schema-file-missing",
        "write the file, or name one that is there: paths count from the folder of the story",
    ),
    (
        "slot-synonyms-not-enum",
        "make the slot `type: enum` with `values`, or move the words to the intent",
    ),
    (
        "starlark-input-type",
        "pass a value of that type, or change the type in the sidecar",
    ),
    (
        "starlark-unchecked",
        "put the file beside the story, or name one that is there",
    ),
    (
        "state-name-dot",
        "write the inner room under `states` of the outer one, or use `_`",
    ),
    (
        "target-unknown",
        "name a room by its path from the top of the story; `next` of a phase names a phase or an ending",
    ),
    (
        "template-in-literal",
        "move the value into the `view`, or say it without braces",
    ),
    (
        "timeout-target-missing",
        "name the room that follows, as in `{ after: 5m, target: room }`",
    ),
    ("view-banner-text", "write what it says as `text`"),
    ("view-list-empty", "add an item, or remove the list"),
    (
        "view-media-handle",
        "name the file or the world value that it shows as `handle`",
    ),
    (
        "with-agent-misplaced",
        "take `agent` out of `with`, or call one of `host.agent.*`",
    ),
    (
        "with-provider-misplaced",
        "take `provider` out of `with`, or call one of `host.agent.*`",
    ),
    ("workbench-agent-missing", "name one of the `agents` that has a toolbox"),
    ("workbench-plan-not-json", "write a JSON object that describes a plan"),
    (
        "workbench-plan-unreadable",
        "put the schema file where `acceptance_schema` names it",
    ),
    ("workbench-prompt-missing", "name a prompt file of the story"),
    (
        "workbench-schema-missing",
        "name a JSON schema file of the agent's note",
    ),
    (
        "write-mode-external-agent",
        "give the agent a toolbox that stays inside, or make the room `write_mode: open`",
    ),
    ("yaml-alias-recursive", "write the inner value out"),
];

/// Adds what to do where nothing is said yet.
pub(crate) fn complete(findings: &mut [Diagnostic]) {
    for finding in findings.iter_mut().filter(|f| f.helps.is_empty() && f.fixes.is_empty()) {
        let known = ADVICE.binary_search_by(|(rule, _)| (*rule).cmp(finding.rule)).ok();
        if let Some((_, help)) = known.and_then(|at| ADVICE.get(at)) {
            finding.helps.push((*help).to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ADVICE;

    #[test]
    fn advice_is_about_rules_and_in_order() {
        let known: Vec<&str> = crate::rules::all().iter().map(|r| r.id).collect();
        for (rule, _) in ADVICE {
            assert!(known.contains(rule), "{rule} is no rule");
        }
        assert!(ADVICE.is_sorted_by(|a, b| a.0 < b.0), "{ADVICE:?}");
    }
}
