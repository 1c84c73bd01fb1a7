//! Answers the lines of standard input, or of a file, as `debug starlark --batch` does. For trying the package without
//! the command line.

use std::io::{BufReader, stdin, stdout};
use std::process::ExitCode;

use kitsoki_starlark::batch::batch;

fn main() -> ExitCode {
    // `debug starlark --batch FILE`: only the file counts here.
    let file = std::env::args().next_back().filter(|name| name != "-");
    let result = match file {
        Some(name) if std::env::args().count() > 1 => match std::fs::File::open(&name) {
            Ok(file) => batch(BufReader::new(file), stdout().lock()),
            Err(e) => Err(e.into()),
        },
        _ => batch(stdin().lock(), stdout().lock()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            #[expect(clippy::print_stderr, reason = "the only message of an example")]
            {
                eprintln!("{e}");
            }
            ExitCode::from(2)
        }
    }
}
