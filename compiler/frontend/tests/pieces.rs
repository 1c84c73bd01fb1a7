//! A file that is cut into pieces says the same as one that is read whole, before and after edits.

use std::fmt::Write as _;
use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::{Database, Db, MemorySystem};
use kitsoki_compiler::pipeline;
use kitsoki_compiler::surface::Surface;

fn story(rooms: usize) -> String {
    let mut text = String::from("app: { id: big, version: 0.1.0 }\nroot: room_0\nworld:\n");
    for n in 0..rooms {
        let _ = writeln!(text, "  key_{n}: {{ type: int, default: {n} }}");
    }
    text.push_str("intents:\n  go: { title: Go }\nstates:\n");
    for n in 0..rooms {
        let _ = write!(
            text,
            "  # room {n}\n  room_{n}:\n    description: \"Room {n}\"\n    view: |\n      You are in room {n}.\n    on:\n      go:\n        - target: room_{}\n",
            (n + 1) % rooms
        );
    }
    text
}

fn says(db: &Database, path: &Utf8Path) -> (serde_json::Value, Vec<String>) {
    let root = db.file(path);
    let decoded = pipeline::decoded(db, root);
    let manifest = decoded.manifest.as_ref().map(|m| m.emit()).unwrap_or_default();
    let place = |span: kitsoki_syntax::Span| {
        let file = db.file_by_id(span.file).map(|f| f.path(db).to_string());
        format!("{file:?}:{:?}", span.range)
    };
    let findings = pipeline::findings(db, root)
        .iter()
        .map(|f| {
            let edits = f.fixes.iter().flat_map(|fix| fix.edits.iter());
            format!(
                "{} {:?} {} {:?} {:?}",
                f.rule,
                f.primary.as_ref().map(|p| place(p.span)),
                f.message,
                f.labels.iter().map(|l| place(l.span)).collect::<Vec<_>>(),
                edits.map(|e| place(e.span)).collect::<Vec<_>>(),
            )
        })
        .collect();
    (manifest, findings)
}

#[test]
fn pieces_say_what_the_whole_file_says_before_and_after_every_edit() {
    let path = Utf8Path::new("/s/app.yaml");
    let system = Arc::new(MemorySystem::new([(path, story(200))]));
    let mut pieces = Database::for_editing(system.clone());
    assert!(!pieces.file(path).chunks(&pieces).is_empty(), "the file is cut");
    let edits: [fn(&str) -> String; 7] = [
        |t| t.replace("Room 17\"", "Another room, 17\""),
        |t| {
            t.replace(
                "  room_40:\n",
                "  # a comment that moves everything below\n  room_40:\n",
            )
        },
        |t| t.replace("room_60:\n    description", "room_60:\n    descripton"),
        |t| t.replace("description: \"Room 70\"", "description: \"Room 70"),
        |t| t.replace("  key_5: {", "  key_5000: {"),
        |t| t.replace("root: room_0", "root: room_0\nroot: room_1"),
        |t| t.to_owned(),
    ];
    for edit in edits {
        system.write(path, &edit(&story(200)));
        pieces.refresh(path);
        let whole = Database::new(system.clone());
        assert_eq!(says(&pieces, path), says(&whole, path));
    }
}

#[test]
fn a_file_that_is_cut_again_gets_its_pieces_back() {
    let path = Utf8Path::new("/s/app.yaml");
    let system = Arc::new(MemorySystem::new([(path, story(60))]));
    let mut db = Database::for_editing(system.clone());
    let root = db.file(path);
    let _ = pipeline::findings(&db, root);
    let known = db.known_files().len();
    let whole = story(60).replace("root: room_0", "root: room_0\nroot: room_1");
    let without = story(60).replace("  key_5: { type: int, default: 5 }\n", "");
    for text in [&whole, &story(60), &without, &story(60), &whole, &without, &story(60)] {
        system.write(path, text);
        db.refresh(path);
        assert_eq!(says(&db, path), says(&Database::new(system.clone()), path));
        assert_eq!(db.known_files().len(), known, "no input was made");
    }
    assert!(!root.chunks(&db).is_empty());
}

#[test]
fn an_edit_of_one_room_leaves_the_other_pieces_alone() {
    let path = Utf8Path::new("/s/app.yaml");
    let system = Arc::new(MemorySystem::new([(path, story(200))]));
    let mut db = Database::for_editing(system.clone());
    let root = db.file(path);
    let _ = pipeline::decoded(&db, root);
    let before: Vec<_> = root
        .chunks(&db)
        .iter()
        .map(|c| pipeline::parse(&db, *c).clone())
        .collect();
    system.write(path, &story(200).replace("Room 17\"", "A longer name for room 17\""));
    db.refresh(path);
    let again = root
        .chunks(&db)
        .iter()
        .filter(|c| !before.iter().any(|p| Arc::ptr_eq(p, pipeline::parse(&db, **c))));
    assert_eq!(again.count(), 1, "one piece is parsed again");
}

/// A story with something to say about many rooms: unknown targets, missing keys, faulty guards.
fn faulty(rooms: usize) -> String {
    let mut text = story(rooms);
    for n in (0..rooms).step_by(9) {
        text = text.replace(
            &format!("        - target: room_{}\n", (n + 1) % rooms),
            &format!(
                "        - target: rom_{}\n          when: \"world.kay_{n} > 1 && \"\n",
                (n + 1) % rooms
            ),
        );
    }
    text
}

#[test]
fn words_that_no_rule_reads_move_the_findings_behind_them() {
    let path = Utf8Path::new("/s/app.yaml");
    let system = Arc::new(MemorySystem::new([(path, faulty(200))]));
    let mut pieces = Database::for_editing(system.clone());
    assert!(says(&pieces, path).1.len() > 20);
    // Each edit stays while the next one is made.
    let mut text = faulty(200);
    let edits: [(&str, &str); 9] = [
        ("You are in room 9.", "You are in a much longer room 9."),
        ("description: \"Room 18\"", "description: \"Room eighteen\""),
        ("  # room 27\n", "  # the twenty-seventh room\n"),
        ("title: Go", "title: Go on"),
        ("You are in a much longer room 9.", "You are in room {{ world.key_9 }}."),
        (
            "You are in room {{ world.key_9 }}.",
            "You are in this room {{ world.key_9 }}.",
        ),
        ("description: \"Room 36\"", "description: \"{{ Room 36\""),
        ("world.kay_45 > 1", "world.key_45 > 1"),
        ("You are in room 54.", "Now in room 54."),
    ];
    for (before, after) in edits {
        assert!(text.contains(before), "{before}");
        text = text.replacen(before, after, 1);
        system.write(path, &text);
        pieces.refresh(path);
        let whole = Database::new(system.clone());
        let (cut, uncut) = (says(&pieces, path), says(&whole, path));
        let odd: Vec<_> = cut.1.iter().filter(|f| !uncut.1.contains(f)).collect();
        assert!(odd.is_empty(), "{before} -> {after}: {odd:#?}");
        assert!(cut == uncut, "{before} -> {after}");
    }
}

/// Edits that stay one after the other, and whether they change words alone.
const WORDS: [(&str, &str, bool); 12] = [
    ("You are in room 9.", "You are in a much longer room 9.", true),
    ("a much longer room 9.", "a much\n      longer room 9.", true),
    ("description: \"Room 18\"", "description: \"Room eighteen\"", true),
    ("  # room 27\n", "  # the twenty-seventh room\n", true),
    ("version: 0.1.0 }", "version: 0.1.0, title: Big }", false),
    ("title: Big }", "title: Bigger }", true),
    ("You are in a much", "You are in {{ world.key_9 }}, a much", false),
    ("description: \"Room 36\"", "description: \"{{ Room 36\"", false),
    ("description: \"Room eighteen\"", "description: \"Room 18\"", true),
    ("world.kay_45 > 1", "world.key_45 > 1", false),
    ("title: Go", "title: Go on", true),
    ("title: Go on", "title: Go", true),
];

#[test]
fn words_that_wait_change_no_finding_and_are_there_when_they_are_asked_for() {
    let path = Utf8Path::new("/s/app.yaml");
    for settle_after in [1, 2, 5] {
        let system = Arc::new(MemorySystem::new([(path, faulty(80))]));
        let mut pieces = Database::for_editing(system.clone());
        assert!(says(&pieces, path).1.len() > 8);
        let mut text = faulty(80);
        for (n, (before, after, words)) in WORDS.iter().enumerate() {
            assert!(text.contains(before), "{before}");
            text = text.replacen(before, after, 1);
            system.write(path, &text);
            let settled = pieces.is_settled();
            pieces.refresh_for_findings(path);
            if settled && *words {
                assert!(!pieces.is_settled(), "{before} -> {after}: words wait");
            }
            let whole = Database::new(system.clone());
            let (cut, uncut) = (says(&pieces, path), says(&whole, path));
            assert_eq!(cut.1, uncut.1, "{before} -> {after}");
            if n % settle_after == 0 {
                pieces.settle();
                assert!(pieces.is_settled());
                assert!(says(&pieces, path) == uncut, "{before} -> {after}, settled");
            }
        }
    }
}

#[test]
fn an_edit_runs_the_rules_of_what_it_touches() {
    let path = Utf8Path::new("/s/app.yaml");
    let system = Arc::new(MemorySystem::new([(path, story(200))]));
    let ran: Arc<std::sync::Mutex<Vec<String>>> = Arc::default();
    let log = ran.clone();
    let observe = move |event: salsa::Event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind {
            log.lock().unwrap().push(format!("{database_key:?}"));
        }
    };
    let mut db = Database::observed(system.clone(), Box::new(observe));
    db.expect_changes(path);
    let _ = pipeline::findings(&db, db.file(path));
    let mut after = |text: String| {
        system.write(path, &text);
        db.refresh(path);
        ran.lock().unwrap().clear();
        let _ = pipeline::findings(&db, db.file(path));
        let ran = ran.lock().unwrap();
        let count = |name: &str| ran.iter().filter(|q| q.starts_with(name)).count();
        (count("check"), count("unit"))
    };
    let prose = story(200).replace("in room 17.", "in the seventeenth room.");
    assert_eq!(after(prose), (0, 0), "prose");
    let phrase = story(200).replace("in room 17.", "in {{ world.key_1 }}.");
    assert_eq!(after(phrase), (1, 1), "a template");
    let guard = story(200).replace(
        "target: room_18\n",
        "target: room_18\n          when: world.key_3 > 1\n",
    );
    assert_eq!(after(guard), (1, 1), "a guard");
}
