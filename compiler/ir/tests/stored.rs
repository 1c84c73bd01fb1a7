//! A stored story: what is written can be read, and what is damaged is refused with its reason.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use kitsoki_ir::{
    Action, Arc, Assign, Dialect, Effect, Guard, Handler, IntentId, Invoke, Origin, OriginId, ReadError, Redirect,
    State, StateId, Story, Target, Template, TemplateId, TemplateShape, Text, Value, WorldKey,
};

/// A small story with one of everything that has an id.
fn sample() -> Story {
    let mut story = Story::default();
    let at = story.provenance.origins.push(Origin {
        file: Some(0),
        line: 3,
        column: 5,
        range: (20, 24),
        made: None,
        via: None,
    });
    story.provenance.files.push("app.yaml".into());
    let key = story.world.push(WorldKey {
        at,
        name: "note".into(),
        undeclared: false,
        ty: "object".into(),
        default: Value::Map(vec![
            ("map".into(), Value::Float(2.0)),
            ("n".into(), Value::Uint(u64::MAX)),
        ]),
        values: Vec::new(),
    });
    let template = story.templates.push(Template {
        dialect: Dialect::Effect,
        shape: TemplateShape::Sole,
        text: "{{ slots.n }}".into(),
    });
    let host = story.hosts.push(kitsoki_ir::policy::Host {
        name: "host.run".into(),
        allowed: true,
        script: None,
    });
    let call = Invoke {
        host,
        with: vec![
            ("cmd".into(), Value::Text("yes".into())),
            ("args".into(), Value::List(vec![Value::Template(template)])),
        ],
        id: None,
        bind: Vec::new(),
        on_error: Some(Redirect::State(StateId(0))),
        once: false,
        background: true,
        on_complete: vec![Effect {
            at,
            when: None,
            action: Action::Say(Text::Template(template)),
            emit_intent: None,
            emit: None,
            target: Some(Redirect::Relative("../x".into())),
        }],
        plugin: None,
        selection: Vec::new(),
    };
    let effect = |action| Effect {
        at,
        when: None,
        action,
        emit_intent: None,
        emit: None,
        target: None,
    };
    let arc = story.arcs.push(Arc {
        at,
        owner: StateId(0),
        guard: Guard::Default,
        target: Target::Stay,
        effects: vec![
            effect(Action::Set(vec![Assign {
                key,
                value: Value::Template(template),
            }])),
            effect(Action::Invoke(Box::new(call))),
        ],
        view: None,
        guard_hint: "no: not now".into(),
        operation: None,
        emit: Vec::new(),
        stackless: true,
        exit: None,
    });
    let json = format!(r#"{{"at": {}, "path": "hall"}}"#, at.0);
    let mut hall: State = serde_json::from_str(&json).unwrap();
    hall.on.push(Handler {
        at,
        intent: "*".into(),
        definition: None,
        arcs: vec![arc],
    });
    let hall = story.states.push(hall);
    story.root = Some(hall);
    story
}

#[test]
fn json_and_yaml_give_the_story_back() {
    let story = sample();
    assert_eq!(Story::from_json(&story.to_json().unwrap()).unwrap(), story);
    assert_eq!(Story::from_json(&story.to_json_pretty().unwrap()).unwrap(), story);
    let yaml = story.to_yaml().unwrap();
    assert_eq!(Story::from_yaml(&yaml).unwrap(), story, "{yaml}");
}

#[test]
fn another_version_is_refused_before_anything_else_is_looked_at() {
    let found = Story::from_json(r#"{"version": 9, "what": "ever"}"#);
    assert_eq!(found, Err(ReadError::Version { found: 9 }));
    assert_eq!(
        Story::from_yaml("version: 2\nwhat: ever\n"),
        Err(ReadError::Version { found: 2 })
    );
    assert_eq!(Story::from_json("{}"), Err(ReadError::NotAStory));
    assert!(matches!(Story::from_json("[1"), Err(ReadError::Damaged(_))));
}

#[test]
fn ids_that_lead_nowhere_are_refused_with_their_table() {
    let mut story = sample();
    story.states.get_mut(StateId(0)).unwrap().intents.push(IntentId(4));
    let text = story.to_json().unwrap();
    assert_eq!(
        Story::from_json(&text),
        Err(ReadError::Dangling { what: "intent", id: 4 })
    );

    let mut story = sample();
    story.world.get_mut(kitsoki_ir::WorldKeyId(0)).unwrap().default = Value::Template(TemplateId(7));
    assert_eq!(
        story.check(),
        Err(ReadError::Dangling {
            what: "template",
            id: 7
        })
    );
}

#[test]
fn chains_that_would_not_end_are_refused() {
    let mut story = sample();
    story.provenance.origins.get_mut(OriginId(0)).unwrap().via = Some(OriginId(0));
    assert_eq!(story.check(), Err(ReadError::Order { what: "origin", id: 0 }));
    let mut story = sample();
    story.states.get_mut(StateId(0)).unwrap().parent = Some(StateId(0));
    assert_eq!(story.check(), Err(ReadError::Order { what: "state", id: 0 }));
}

#[test]
fn people_see_lines_with_escaped_texts() {
    let mut story = sample();
    story.app.title = "bell \u{7} and \u{202e} turned".into();
    let text = kitsoki_ir::text::render(&kitsoki_ir::text::story(&story));
    insta::assert_snapshot!(text, @r#"
    story ""
    title "bell \u{7} and \u{202e} turned"
    root hall
    world note: object = { map: 2.0, n: 18446744073709551615 }
    host host.run
    room hall
      on *
        stay otherwise
          hint "no: not now"
          set note = {{ slots.n }}
          call host.run in background
            with cmd = "yes"
            with args = [{{ slots.n }}]
            on error -> hall
            on complete
              say {{ slots.n }}
              -> ../x
    "#);
}
