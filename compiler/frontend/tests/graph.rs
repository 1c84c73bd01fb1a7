//! The graph of a story as a picture.

use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::{Database, Db as _, MemorySystem};
use kitsoki_compiler::pipeline;
use kitsoki_ir::graph::{EdgeKind, Graph, graph, to_dot, to_mermaid};

fn graph_of(files: &[(&str, &str)], all: bool) -> Graph {
    let db = Database::new(Arc::new(MemorySystem::new(files.iter().copied())));
    let root = db.file(Utf8Path::new("/s/app.yaml"));
    graph(pipeline::lowered(&db, root), all)
}

const FERRY: &str = r#"
app: { id: ferry, version: 0.1.0 }
root: pier
hosts: [host.run]
world: { seats: { type: int, default: 2 } }
intents: { board: {}, wait: {}, sink: {}, look: {} }
imports: { bar: { source: ./bar, exits: { paid: { to: pier } } } }
states:
  pier:
    view: x
    on:
      board:
        - { target: deck, when: "world.seats > 1 && \"<b>\" != ''" }
        - { target: bar, default: true }
      wait: [{ target: . }]
      sink: [{ target: "{{ world.where }}" }]
  deck:
    type: compound
    initial: bow
    timeout: { after: 5m, target: pier }
    on: { look: [{ target: . }] }
    states:
      bow:
        view: x
        on_enter:
          - { invoke: host.run, with: { cmd: x }, on_error: pier }
          - { when: "world.seats == 0", emit_intent: sink }
        on: { sink: [{ target: deck.hold }] }
      hold: { terminal: true }
"#;

const BAR: &str = r#"
app: { id: bar, version: 0.1.0 }
root: counter
intents: { pay: {} }
exits: { paid: {} }
states:
  counter: { view: x, on: { pay: [{ target: "@exit:paid" }] } }
"#;

fn ferry() -> Graph {
    graph_of(&[("/s/app.yaml", FERRY), ("/s/bar/app.yaml", BAR)], false)
}

#[test]
fn every_way_from_a_room_is_an_edge() {
    let graph = ferry();
    let name = |index: usize| graph.nodes[index].path.as_str();
    let mut edges: Vec<String> = graph
        .edges
        .iter()
        .map(|e| format!("{} -> {}: {}", name(e.from), name(e.to), e.text()))
        .collect();
    edges.sort();
    assert_eq!(
        edges,
        [
            "bar.counter -> pier: bar__pay",
            "deck -> deck: look",
            "deck -> pier: after 5m",
            "deck.bow -> deck.hold: emits sink [world.seats == 0]",
            "deck.bow -> deck.hold: sink",
            "deck.bow -> pier: host.run fails",
            "pier -> bar: board [otherwise]",
            "pier -> deck: board [world.seats > 1 && \"<b>\" != '']",
            "pier -> pier: wait",
            "pier -> {{ world.where }}: sink",
        ]
    );
    assert_eq!(name(graph.root.unwrap()), "pier");
    let bow = graph.nodes.iter().find(|n| n.path == "deck.bow").unwrap();
    assert!(bow.initial);
    assert_eq!(bow.place.as_ref().unwrap().line, 23);
    let wrapper = graph.nodes.iter().find(|n| n.path == "bar").unwrap();
    assert_eq!(wrapper.import.as_deref(), Some("bar"));
}

#[test]
fn what_the_program_adds_is_shown_on_request() {
    let files = [("/s/app.yaml", FERRY), ("/s/bar/app.yaml", BAR)];
    let (without, with) = (graph_of(&files, false), graph_of(&files, true));
    assert!(!without.nodes.iter().any(|n| n.path == "story_authoring"));
    assert!(with.nodes.iter().any(|n| n.path == "story_authoring"));
    assert!(with.edges.iter().any(|e| e.label == "author_story"));
}

#[test]
fn mermaid_clusters_imports_and_dashes_what_nobody_asks_for() {
    let text = to_mermaid(&ferry());
    assert!(text.contains("[\"bar (import)\"]"), "{text}");
    assert!(text.contains("#34;#60;b#62;#34;"), "texts are not markup: {text}");
    let dashed = text.lines().filter(|l| l.contains("-.->")).count();
    let automatic = ferry().edges.iter().filter(|e| e.kind != EdgeKind::Arc).count();
    assert_eq!(dashed, automatic, "{text}");
    // An edge between a frame and what is in it has no meaning in Mermaid.
    let frame = text
        .lines()
        .find(|l| l.contains("subgraph") && l.contains("deck"))
        .unwrap();
    let id = frame.trim().trim_start_matches("subgraph ").split('[').next().unwrap();
    assert!(text.contains(&format!("{id}any -->|\"look\"| {id}any")), "{text}");
}

#[test]
fn dot_quotes_what_authors_write() {
    let text = to_dot(&ferry());
    assert!(text.contains("\\\"<b>\\\""), "{text}");
    assert!(text.contains("subgraph cluster_"), "{text}");
    assert!(text.contains("lhead=cluster_"), "{text}");
    assert_eq!(text.matches('{').count(), text.matches('}').count());
}
