//! Words from elsewhere: what authors write who know another tool, another language, or another version of this one.
//!
//! A habit is no slip of the fingers: `goto` is nothing like `target`. The table says, per key of the language, which words
//! people use for the same thing; it is asked when no key has a similar name, or a worse one.

/// The key of `keys` that is meant by a word from elsewhere.
#[must_use]
pub fn meant<'k>(word: &str, keys: &[&'k str]) -> Option<&'k str> {
    let folded: String = word
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    keys.iter().copied().find(|key| {
        let habits = HABITS.iter().filter(|(of, _)| of == key);
        habits
            .flat_map(|(_, words)| words.split(' '))
            .any(|habit| habit == folded)
    })
}

/// Key -> words, folded to lower case letters and digits. A word may stand at several keys: the declaration decides.
const HABITS: &[(&str, &str)] = &[
    // Rooms and arcs.
    ("target", "to goto next dest destination state transitionto href then"),
    ("when", "if guard cond condition unless onlyif predicate where"),
    (
        "default",
        "else otherwise fallback isdefault value initial init defaults defaultvalue",
    ),
    ("effects", "effect actions action do then run steps onselect"),
    ("guard_hint", "hint message reason guardmessage hinttext"),
    ("on", "transitions events arcs intents handlers actions edges"),
    (
        "on_enter",
        "enter entry onentry onenter onstart entryactions begin before",
    ),
    ("view", "views text template render screen body content display"),
    ("description", "desc summary doc docs about help text comment details"),
    (
        "relevant_world",
        "world vars variables relevantvars context relevantworld uses",
    ),
    ("terminal", "final end finish isfinal done last"),
    ("initial", "start entry initialstate begin first root"),
    ("states", "children state rooms nodes substates"),
    ("mode", "type kind style modes"),
    ("type", "kind mode ty datatype"),
    ("timeout", "after delay timeouts timer deadline"),
    ("default_intent", "fallback defaultintent catchall freetext sink"),
    ("agent_off_ramp", "offramp agent fallbackagent chat"),
    ("write_mode", "writemode mode permissions readonly"),
    ("push_history", "history pushhistory"),
    // Effects.
    ("set", "assign let update write vars assignments sets"),
    ("increment", "inc add incr plus counter"),
    ("invoke", "call run exec execute host do invokes action tool"),
    ("with", "args arguments params parameters inputs input options"),
    ("bind", "output outputs save result store capture as binds register"),
    ("on_error", "catch onfail onfailure error fail rescue onerror"),
    ("once", "onlyonce runonce single"),
    ("background", "async job detach parallel"),
    (
        "on_complete",
        "ondone oncompleted complete finally onfinish onsuccess done",
    ),
    ("emit_intent", "emit intent emits trigger fire dispatch send raise"),
    ("say", "print echo log says narrate message"),
    ("id", "name key identifier uid"),
    ("slots", "slot args params parameters inputs fields arguments entities"),
    // Top level.
    ("root", "start initial entry main startat"),
    ("world", "vars variables state context worlds data globals"),
    ("intents", "intent actions commands events"),
    ("hosts", "host tools allow allowed handlers"),
    ("include", "includes files imports"),
    ("imports", "import uses dependencies modules requires"),
    ("agents", "agent assistants models"),
    ("exits", "exit outputs ends"),
    ("exports", "export public"),
    ("operations", "operation ops methods policies"),
    ("meta_modes", "meta metamode modes"),
    ("host_interfaces", "interfaces interface ifaces"),
    // Metadata, intents, slots.
    ("version", "ver revision v"),
    ("title", "name label caption heading header"),
    ("label", "title text name caption"),
    ("author", "authors by owner"),
    ("license", "licence"),
    ("examples", "example samples phrases utterances samplephrases"),
    ("priority", "prio order weight rank"),
    ("synonyms", "synonym aliases alias alternatives"),
    ("required", "require mandatory needed optional"),
    ("values", "enum options choices allowed oneof"),
    ("hidden", "hide visible internal"),
    // Views.
    ("prose", "text paragraph p markdown body"),
    ("heading", "header title h1 h2"),
    ("kv", "table pairs properties fields map"),
    ("list", "bullets items ul ol"),
    ("choice", "choices menu options select buttons"),
    ("code", "pre block snippet"),
    ("banner", "banners alert notice callout"),
    ("media", "image img video picture"),
    ("items", "options choices entries rows elements"),
    ("pairs", "items rows fields entries"),
    ("text", "title body message content"),
    ("subtitle", "sub caption"),
    ("handle", "src source ref file url"),
    ("caption", "title label alt"),
    ("prompt", "title question text label message"),
    ("hint", "help description tooltip note"),
    ("intent", "action command event intents trigger"),
    ("param", "params parameter input arg"),
    ("slot", "name field parameter"),
    ("placeholder", "hint example prompt"),
    ("marker", "bullet"),
    // Agents, imports, the rest.
    ("system_prompt", "prompt system instructions persona"),
    ("system_prompt_path", "promptpath promptfile systempromptfile"),
    ("model", "models llm engine"),
    ("tools", "tool functions capabilities"),
    ("bash_profile", "bash shell"),
    ("source", "src from path file url"),
    ("entry", "start entrypoint initial main"),
    ("world_in", "inputs world in args with"),
    ("host_bindings", "bindings binds interfaces"),
    ("to", "target goto next state"),
    ("requires", "require needs required inputs"),
    ("stop_on", "stop stopwhen"),
    ("pause_on", "pause pausewhen"),
    ("after", "delay duration timeout in"),
    ("trigger", "command verb name"),
    ("effect", "effects class sideeffect"),
    ("acceptance_schema", "schema acceptance"),
];

#[cfg(test)]
mod tests {
    use super::meant;
    use crate::surface::{Arc, Effect, Room};

    #[test]
    fn words_of_other_tools_lead_to_the_key() {
        assert_eq!(meant("goto", Arc::KEYS), Some("target"));
        assert_eq!(meant("if", Arc::KEYS), Some("when"));
        assert_eq!(meant("if", Effect::KEYS), Some("when"));
        assert_eq!(meant("onEntry", Room::KEYS), Some("on_enter"));
        assert_eq!(meant("call", Effect::KEYS), Some("invoke"));
        assert_eq!(meant("colour", Arc::KEYS), None);
    }
}
