//! Colours, folds, selections, links, hints, lenses.

use kitsoki_lsp::features::arcs::into_room;
use kitsoki_lsp::features::lenses::{LensAction, count, lenses};
use kitsoki_lsp::features::semantic::{MODIFIERS, TYPES, tokens};
use kitsoki_lsp::features::structure::{folds, selections};
use kitsoki_lsp::features::{Place, hints, links};
use kitsoki_syntax::{TextRange, TextSize};

use crate::fixture::{Fixture, fixture};

fn coloured(f: &Fixture) -> Vec<String> {
    tokens(&f.snapshot, f.at.file, None)
        .into_iter()
        .map(|c| {
            let word = f.words(Place {
                file: f.at.file,
                range: c.range,
            });
            let marks: String = MODIFIERS
                .iter()
                .enumerate()
                .filter(|(n, _)| c.marks & (1 << n) != 0)
                .map(|(_, m)| format!(".{m}"))
                .collect();
            format!("{word} {}{marks}", TYPES[c.class as usize])
        })
        .collect()
}

#[test]
fn guards_templates_and_names_have_colours() {
    let f = fixture(
        "$0app: { id: a }\nworld: { n: {} }\nstates:\n  x:\n    view: 'a {{ world.n|upper }}'\n    on: { go: [{ when: 'len(world.n) > 1', target: x, effects: [{ set: { n: 2 } }] }] }\n",
    );
    let found = coloured(&f);
    for wanted in [
        "n property.declaration",
        "x class.declaration",
        "{{ macro",
        "world variable.defaultLibrary",
        "n property",
        "upper function.defaultLibrary",
        "go event",
        "len function.defaultLibrary",
        "> operator",
        "1 number",
        "x class",
        "n property.modification",
    ] {
        assert!(found.iter().any(|t| t == wanted), "no `{wanted}` in {found:#?}");
    }
    assert!(
        !found.iter().any(|t| t.starts_with("app ")),
        "keys have the colours of YAML"
    );
}

#[test]
fn coloured_words_are_in_order_and_on_one_line() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../stories/dev-story/rooms/landing.yaml"
    ))
    .unwrap();
    let f = fixture(&format!(
        "//- /s/app.yaml\napp: {{ id: a }}\nroot: landing\ninclude: [rooms/*.yaml]\n//- /s/rooms/landing.yaml\n$0{text}"
    ));
    let text = f.snapshot.text(f.at.file);
    let mut end = TextSize::new(0);
    let all = tokens(&f.snapshot, f.at.file, None);
    assert!(all.len() > 100);
    for token in &all {
        assert!(token.range.start() >= end);
        assert!(!text[std::ops::Range::<usize>::from(token.range)].contains('\n'));
        end = token.range.end();
    }
    let part = TextRange::new(TextSize::new(200), TextSize::new(900));
    let some = tokens(&f.snapshot, f.at.file, Some(part));
    assert!(!some.is_empty() && some.iter().all(|t| all.contains(t)) && some.len() < all.len());
}

#[test]
fn blocks_and_comments_fold() {
    let f = fixture("$0# one\n# two\napp: { id: a }\nstates:\n  x:\n    view: |\n      a\n      b\n  y: {}\n");
    let found: Vec<String> = folds(&f.snapshot, f.at.file)
        .into_iter()
        .map(|fold| {
            let lines = f.snapshot.lines(f.at.file);
            let (a, b) = (
                lines.line_col(fold.range.start()).line,
                lines.line_col(fold.range.end()).line,
            );
            format!("{a}-{b}{}", if fold.comment { " comment" } else { "" })
        })
        .collect();
    assert_eq!(found, ["1-2 comment", "4-9", "5-8", "6-8"]);
}

#[test]
fn a_selection_grows_from_the_word_to_the_file() {
    let f = fixture("app: { id: a }\nstates:\n  x: { on: { go: [{ when: 'world.no$0te > 1' }] } }\n");
    let found: Vec<String> = selections(&f.snapshot, f.at)
        .into_iter()
        .map(|range| f.words(Place { file: f.at.file, range }))
        .collect();
    assert_eq!(found[0], "note");
    assert_eq!(found[1], "world.note > 1");
    assert_eq!(found[2], "'world.note > 1'");
    assert_eq!(found[3], "when: 'world.note > 1'");
    assert!(found.windows(2).all(|w| w[1].contains(w[0].as_str())));
    assert_eq!(found.last().unwrap(), &*f.snapshot.text(f.at.file));
}

#[test]
fn paths_to_files_that_are_there_are_links() {
    let f = fixture(
        "//- /s/app.yaml\napp: { id: a, context_path: docs/a.md$0 }\nimports: { k: { source: ./child } }\nroot: x\nagents: { w: { system_prompt_path: no.md } }\n//- /s/docs/a.md\nx\n//- /s/child/app.yaml\napp: { id: c, version: 1.0.0 }\nroot: x\nstates: { x: {} }\n",
    );
    let found: Vec<String> = links::links(&f.snapshot, f.at.file)
        .into_iter()
        .map(|l| {
            format!(
                "{} {}",
                f.words(Place {
                    file: f.at.file,
                    range: l.range
                }),
                l.target.path(&f.snapshot.db)
            )
        })
        .collect();
    assert_eq!(found, ["docs/a.md /s/docs/a.md", "./child /s/child/app.yaml"]);
}

#[test]
fn hints_say_what_the_line_does_not() {
    let f = fixture(
        "$0app: { id: a }\nroot: bar\nagents: { ann: { effect: read } }\nstates:\n  bar:\n    states:\n      dark:\n        on:\n          go:\n            - target: ../lit\n              when: world.n\n            - target: .\n      lit:\n        on_enter:\n          - invoke: host.run\n          - invoke: host.agent.ask\n            with: { agent: ann }\n",
    );
    let text = f.snapshot.text(f.at.file);
    let found: Vec<String> = hints::hints(&f.snapshot, f.at.file, TextRange::up_to(TextSize::of(&*text)))
        .into_iter()
        .map(|h| {
            let before = &text[..usize::from(h.at)];
            format!("{} ‹{}›", before.lines().last().unwrap().trim(), h.label)
        })
        .collect();
    assert_eq!(
        found,
        [
            "- target: ../lit ‹→ bar.lit›",
            "- target: . ‹otherwise›",
            "- target: . ‹→ bar.dark›",
            "- invoke: host.run ‹write›",
            "- invoke: host.agent.ask ‹read›",
            "with: { agent: ann ‹read›",
        ]
    );
}

#[test]
fn lenses_count_references_and_run_flows() {
    let f = fixture(
        "//- /s/app.yaml\n$0app: { id: a }\nroot: x\nstates:\n  x: { on: { go: [{ target: y }] } }\n  y: { agent_off_ramp: true }\n//- /s/flows/a.yaml\ntest_kind: flow\ninitial_state: x\n",
    );
    let found: Vec<String> = lenses(&f.snapshot, f.at.file)
        .into_iter()
        .map(|l| match l.action {
            LensAction::References(symbol) => format!("{} {}", symbol.name, count(&f.snapshot, &symbol)),
            LensAction::Reached(room) => format!("{} from {}", room.name, into_room(&f.snapshot, &room).len()),
            LensAction::Expand(room) => format!("expand {room}"),
            LensAction::Run(flows) => format!("run {}", flows.len()),
        })
        .collect();
    assert_eq!(found, ["run 1", "x from 0", "x 2", "expand y", "y from 1", "y 1"]);
    let flow = lenses(&f.snapshot, f.file("/s/flows/a.yaml"));
    assert!(matches!(&flow[0].action, LensAction::Run(flows) if flows.len() == 1));
}
