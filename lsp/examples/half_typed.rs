//! Half-typed text at every line and every token of the shipped stories: `cargo run --release -p kitsoki-lsp --example half_typed
//! -- [STORY]…`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a tool for the people who build kitsoki"
)]

#[path = "../tests/half_typed/driver.rs"]
mod driver;

fn main() {
    let named: Vec<String> = std::env::args().skip(1).collect();
    for story in driver::STORIES {
        if !named.is_empty() && !named.iter().any(|n| n == story) {
            continue;
        }
        println!("{story}: without a line {:?}", driver::without_lines(story, 1));
        println!("{story}: something left open {:?}", driver::left_open(story, 1));
        println!("{story}: cut at a token {:?}", driver::cut_at_tokens(story, 1));
        driver::put_back(story);
    }
}
