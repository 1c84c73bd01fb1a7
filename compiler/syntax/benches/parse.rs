//! How fast texts become trees, in bytes a second.

fn main() {
    divan::main();
}
