//! How fast texts become trees, in bytes a second.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use kitsoki_syntax::{LineIndex, NodeKind, Tree, parse};

fn main() {
    divan::main();
}

/// A story file: rooms with views, guards and effects, in the proportions of real ones.
fn story(rooms: usize) -> String {
    let mut text = String::from("# made for measuring\nstates:\n");
    for room in 0..rooms {
        text.push_str(&format!(
            r#"  room_{room}:
    description: "A room with a number, {room}, and a description of some length."
    relevant_world: [score, lamp, visited_{room}]
    view: |
      You are in room {room}.
      {{% if world.lamp %}}The lamp is lit.{{% endif %}}

      There is more to see here than meets the eye.
    on_enter:
      - when: "world.score > {room} && !world.visited_{room}"
        set: {{ visited_{room}: true, score: "{{{{ world.score + 1 }}}}" }}
      - invoke: host.run
        with: {{ cmd: "true # room" }}
        bind: {{ last: result }}
    on:
      go:
        - target: room_{next}   # onwards
          when: >-
            world.lamp
            or world.score > 10
        - default: true
          target: .
      look: [{{ target: . }}]
"#,
            next = (room + 1) % rooms,
        ));
    }
    text
}

#[divan::bench(args = [1, 100, 2_000], max_time = 3)]
fn good_text(bencher: Bencher<'_, '_>, rooms: usize) {
    let text = story(rooms);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| parse(black_box(&text)));
}

#[divan::bench(args = [100, 2_000], max_time = 3)]
fn text_with_a_break_in_the_middle(bencher: Bencher<'_, '_>, rooms: usize) {
    let text = story(rooms).replacen(&format!("room_{}:", rooms / 2), &format!("room_{}", rooms / 2), 1);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| parse(black_box(&text)));
}

#[divan::bench(args = [100_000], max_time = 3)]
fn flat_mapping(bencher: Bencher<'_, '_>, keys: usize) {
    let text: String = (0..keys).map(|key| format!("key_{key}: value\n")).collect();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| parse(black_box(&text)));
}

#[divan::bench(max_time = 2)]
fn maps_of_all_scalars(bencher: Bencher<'_, '_>) {
    let text = story(100);
    let tree: Tree = parse(&text).tree;
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        let scalars = tree
            .ids()
            .filter(|id| matches!(tree.node(*id).kind, NodeKind::Scalar(_)));
        scalars.map(|id| tree.scalar_map(&text, id).text().len()).sum::<usize>()
    });
}

#[divan::bench(max_time = 2)]
fn line_index(bencher: Bencher<'_, '_>) {
    let text = story(1_000);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| LineIndex::new(black_box(&text)));
}
