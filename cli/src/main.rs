//! The `kitsoki` command: arguments, files and exit codes; everything else lives in the packages below.

fn main() {}
