//! The long session: `cargo run --release -p kitsoki-lsp --example soak -- [EDITS] [FOLDER]`. Prints the memory at every
//! comparison.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a tool for the people who build kitsoki"
)]

#[path = "../tests/soak/driver.rs"]
mod driver;

fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
        / 1024
}

fn main() {
    let mut args = std::env::args().skip(1);
    let edits = args.next().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let root = args
        .next()
        .unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../stories").to_owned());
    let root = camino::Utf8PathBuf::from(root).canonicalize_utf8().unwrap();
    let start = std::time::Instant::now();
    driver::soak(&root, 20, edits, 1000, |n| {
        println!("{n} edits, {} MB, {:.0?}", resident(), start.elapsed());
    });
}
