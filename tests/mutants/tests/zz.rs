use kitsoki_mutants::choices::Choices;
use kitsoki_mutants::originals::originals;
use kitsoki_mutants::mutate;
#[test]
fn dump() {
    let seed: u64 = std::env::var("SEED").unwrap().parse().unwrap();
    let mut choices = Choices::seeded(seed);
    let original = choices.pick(originals()).unwrap();
    let mut files = original.files.clone();
    for _ in 0..=choices.below(3) { println!("{:?}", mutate::several(original, &mut files, &mut choices, 1)); }
    let out = std::path::Path::new("/tmp/dump"); let _ = std::fs::remove_dir_all(out);
    for (p, t) in &files { let p = out.join(p); std::fs::create_dir_all(p.parent().unwrap()).unwrap(); std::fs::write(p, t).unwrap(); }
    for (p, t) in &original.files { let p = std::path::Path::new("/tmp/orig").join(p); std::fs::create_dir_all(p.parent().unwrap()).unwrap(); std::fs::write(p, t).unwrap(); }
}
