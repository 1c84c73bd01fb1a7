//! Renames names of every story below a folder in unsaved texts and reports what `check` says differently:
//! `cargo run --release -p kitsoki-lsp --example rename -- FOLDER [STORY]…`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a tool for the people who build kitsoki"
)]

#[path = "../tests/renaming/driver.rs"]
mod driver;

fn main() {
    let mut args = std::env::args().skip(1);
    let root = camino::Utf8PathBuf::from(args.next().unwrap())
        .canonicalize_utf8()
        .unwrap();
    for name in args {
        let manifest = root.join(&name).join("app.yaml");
        let outcome = driver::story(&root, &manifest, 5);
        println!(
            "{name}: {} good, {} refused, {} bad",
            outcome.good,
            outcome.refused.len(),
            outcome.bad.len()
        );
        for line in outcome.bad.iter().chain(&outcome.refused) {
            println!("  {line}");
        }
    }
}
