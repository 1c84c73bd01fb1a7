//! Any bytes: the tree has ranges on character boundaries, inside of each other; every scalar's map ends where it should.
#![no_main]

use kitsoki_syntax::NodeKind;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = kitsoki_syntax::decode_utf8(bytes) else { return };
    let parse = kitsoki_syntax::parse(text);
    for id in parse.tree.ids() {
        let range = std::ops::Range::<usize>::from(parse.tree.node(id).range);
        assert!(text.get(range.clone()).is_some(), "{range:?} is no part of the text");
        if let NodeKind::Scalar(scalar) = &parse.tree.node(id).kind {
            let map = parse.tree.scalar_map(text, id);
            let whole = map.source_range(0..scalar.text.len());
            assert!(text.get(std::ops::Range::<usize>::from(whole)).is_some());
        }
    }
    for fault in &parse.faults {
        assert!(text.get(std::ops::Range::<usize>::from(fault.range)).is_some());
    }
});
