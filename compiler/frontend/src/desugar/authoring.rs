//! The built-in story-authoring room: every story gets a room for editing itself, and an arc to it from everywhere
//! (`macros` 7).
//!
//! Declarations win: whatever of the names a story declares is kept, and the rest is added around it. The dispatching
//! verb is added to an allow-list only when there is one, so that an empty list stays no list.

use smol_str::format_smolstr;

use super::expansion::Expansion;
use super::make::{Make, map_in};
use super::naming::{
    AGENT_TASK, AUTHOR_STORY, AUTHORING_CAPTURE, AUTHORING_NOTE, AUTHORING_REQUEST, AUTHORING_RETURN, AUTHORING_ROOM,
    CLEAR_AUTHORING, RETURN_TO_STORY,
};
use super::rooms;
use crate::surface::{Any, Arc, Effect, Element, ElementKind, Intent, Kv, List, Made, Map, Room, Slot, View};

/// Adds world keys, intents, the verb, the room and the arcs to it.
pub(super) fn inject(cx: &mut Expansion<'_>) {
    let make = Make {
        made: Made::StoryAuthoring,
        site: cx.home(),
    };
    cx.declare_world(make.text(AUTHORING_REQUEST), "string", make.any(""), make);
    cx.declare_world(make.text(AUTHORING_NOTE), "object", make.empty_map(), make);
    cx.declare_world(make.text(AUTHORING_RETURN), "string", make.any(""), make);
    intents(cx, make);
    if let Some(hosts) = cx.story.manifest.hosts.as_mut().filter(|h| !h.value.items.is_empty())
        && !hosts.value.items.iter().any(|h| h.text == AGENT_TASK)
    {
        hosts.value.items.push(make.text(AGENT_TASK));
    }
    let dir = cx.story.dir.clone();
    let states = map_in(&mut cx.story.manifest.states, make.site);
    if !states.has(AUTHORING_ROOM) {
        states.push(make.text(AUTHORING_ROOM), make.shared_room(room(make, dir.as_str())));
    }
    entry_arcs(cx);
}

fn intents(cx: &mut Expansion<'_>, make: Make) {
    let site = make.site;
    cx.declare_intent(make.text(AUTHOR_STORY), site, || Intent {
        hidden: make.flag(true),
        ..make.intent_with(
            "Author story",
            "Go to the story-authoring room with a change in mind.",
            ("proposal", slot(make, false)),
        )
    });
    cx.declare_intent(make.text(AUTHORING_CAPTURE), site, || {
        make.intent_with(
            "Submit proposal",
            "Hand a change of the story to its author.",
            ("request", slot(make, true)),
        )
    });
    cx.declare_intent(make.text(RETURN_TO_STORY), site, || {
        make.intent("Return to story", "Go back to where story authoring began.")
    });
    cx.declare_intent(make.text(CLEAR_AUTHORING), site, || {
        make.intent("Clear proposal", "Forget the captured proposal and the last result.")
    });
}

fn slot(make: Make, required: bool) -> Slot {
    make.slot(required, "What should change in the story.")
}

/// One arc from every room that is not terminal, at every depth.
fn entry_arcs(cx: &mut Expansion<'_>) {
    for at in rooms::walk(&cx.story.manifest) {
        if at.path == AUTHORING_ROOM {
            continue;
        }
        let Some(entry) = rooms::entry(&cx.story.manifest, &at) else {
            continue;
        };
        let terminal = entry.value.terminal.as_ref().is_some_and(|t| t.value.value);
        if terminal || entry.value.on.as_ref().is_some_and(|on| on.value.has(AUTHOR_STORY)) {
            continue;
        }
        let make = Make {
            made: Made::StoryAuthoring,
            site: entry.name.span,
        };
        let set = make.set([
            (make.text(AUTHORING_REQUEST), make.any("{{ slots.proposal ?? '' }}")),
            (make.text(AUTHORING_NOTE), make.empty_map()),
            (make.text(AUTHORING_RETURN), make.any(at.path.clone())),
        ]);
        let say = make.say(format_smolstr!(
            "Story-authoring intake accepted; return state is {}.",
            at.path
        ));
        let arc = Arc {
            push_history: make.flag(false),
            ..make.arc(make.text(AUTHORING_ROOM), vec![set, say])
        };
        if let Some(room) = rooms::room_mut(&mut cx.story.manifest, &at) {
            map_in(&mut room.on, make.site).push(make.text(AUTHOR_STORY), List::shared(vec![arc], make.site));
        }
    }
}

const HAS_REQUEST: &str = "world.story_authoring_request != ''";
const NO_REQUEST: &str = "world.story_authoring_request == ''";
const HAS_SUMMARY: &str = "(world.story_authoring_note.summary ?? '') != ''";
const HAS_DETAILS: &str = "(world.story_authoring_note.details ?? '') != ''";

const CAPTURED: &str = "A proposal is captured. The story's author works on it inside the folder below; choose \
                        `return_to_story` to go on where you were.";
const INVITATION: &str = "Nothing is proposed yet. Type the change that you want, or go back to the story.";

const PROMPT: &str = "\
The operator proposes a change of this story.

Where the operator was, empty at the story's root: {{ world.story_authoring_return_state }}

The proposal:
{{ world.story_authoring_request }}

Work inside the story's folder only. Change what the proposal asks for and nothing else, keep the story loadable, and
check it. Then submit a note: `summary` in one sentence, and where they apply `details`, `files_changed`, `validation`
(what you checked and what came out) and `remaining_work`.";

fn room(make: Make, dir: &str) -> Room {
    let dispatch = Effect {
        when: make.text_field(HAS_REQUEST),
        invoke: make.text_field(AGENT_TASK),
        once: make.flag(true),
        with: make.map([
            (make.text("agent"), make.any("story-author")),
            (make.text("working_dir"), make.any(dir)),
            (
                make.text("acceptance"),
                make.any_map([("schema", make.any("builtin://story-authoring-note"))]),
            ),
            (make.text("context"), make.any_map([("prompt", make.any(PROMPT))])),
        ]),
        bind: make.map([(make.text(AUTHORING_NOTE), make.text("submitted"))]),
        on_error: make.text_field(AUTHORING_ROOM),
        ..make.effect()
    };
    Room {
        description: make.text_field("Story authoring"),
        write_mode: make.text_field("read_only"),
        transcript: make.text_field("persistent"),
        default_intent: make.text_field(AUTHORING_CAPTURE),
        relevant_world: make.texts([AUTHORING_REQUEST, AUTHORING_RETURN]),
        menu: make.texts([AUTHORING_CAPTURE, RETURN_TO_STORY, CLEAR_AUTHORING]),
        agent_off_ramp: make.off_ramp(make.text("story-explainer")),
        view: make.field(Box::new(View::made(view(make, dir), make.site))),
        on_enter: make.list(vec![dispatch]),
        on: make.field(arcs(make)),
        ..make.room()
    }
}

fn view(make: Make, dir: &str) -> Vec<Element> {
    let shown = |when: Option<&str>, kind: ElementKind| Element {
        span: make.site,
        head: make.site,
        origin: make.origin(),
        when: when.and_then(|w| make.text_field(w)),
        kind,
    };
    let pairs = |pairs: &[(&str, &str)]| {
        let mut map = Map::made(make.site);
        for (key, value) in pairs {
            map.push(make.text(*key), make.any(*value));
        }
        ElementKind::Kv(Box::new(Kv {
            pairs: make.field(map),
            ..Kv::synthesized(make.made, make.site)
        }))
    };
    let heading = |text: &str| ElementKind::Heading(make.text(text));
    let code = |text: &str| ElementKind::Code(make.text(text));
    vec![
        shown(None, heading("Story authoring")),
        shown(Some(HAS_REQUEST), ElementKind::Prose(make.text(CAPTURED))),
        shown(Some(NO_REQUEST), ElementKind::Prose(make.text(INVITATION))),
        shown(
            None,
            pairs(&[
                ("Story root", dir),
                (
                    "Return state",
                    "{{ world.story_authoring_return_state|default:\"(story root)\" }}",
                ),
                ("Write mode", "read-only until an edit is approved"),
            ]),
        ),
        shown(Some(HAS_REQUEST), heading("Captured proposal")),
        shown(Some(HAS_REQUEST), code("{{ world.story_authoring_request }}")),
        shown(Some(HAS_SUMMARY), heading("Last result")),
        shown(
            Some(HAS_SUMMARY),
            pairs(&[
                ("Summary", "{{ world.story_authoring_note.summary|default:\"(none)\" }}"),
                (
                    "Validation",
                    "{{ world.story_authoring_note.validation|default:\"(not reported)\" }}",
                ),
                (
                    "Remaining",
                    "{{ world.story_authoring_note.remaining_work|default:\"(none)\" }}",
                ),
            ]),
        ),
        shown(
            Some(HAS_DETAILS),
            code("{{ world.story_authoring_note.details|default:\"\" }}"),
        ),
    ]
}

fn arcs(make: Make) -> Map<std::sync::Arc<List<Arc>>> {
    let stays = |request: Any, said: &str| {
        let set = make.set([
            (make.text(AUTHORING_REQUEST), request),
            (make.text(AUTHORING_NOTE), make.empty_map()),
        ]);
        make.arc(make.text(AUTHORING_ROOM), vec![set, make.say(said)])
    };
    let back = Arc {
        when: make.text_field("world.story_authoring_return_state != ''"),
        ..make.arc(make.text("{{ world.story_authoring_return_state }}"), Vec::new())
    };
    let stay = Arc {
        default: make.flag(true),
        ..make.arc(make.text("."), Vec::new())
    };
    let captured =
        "Story-authoring proposal captured for {{ world.story_authoring_return_state|default:'the story root' }}.";
    let mut on = Map::made(make.site);
    let mut push = |name: &str, arcs: Vec<Arc>| on.push(make.text(name), List::shared(arcs, make.site));
    push(
        AUTHORING_CAPTURE,
        vec![stays(make.any("{{ slots.request }}"), captured)],
    );
    push(
        CLEAR_AUTHORING,
        vec![stays(make.any(""), "Story-authoring proposal cleared.")],
    );
    push(RETURN_TO_STORY, vec![back, stay]);
    on
}
