//! From arguments to an exit code. A panic anywhere ends with status 101 and a short word, never with a backtrace.

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Cli, Command};
use crate::{check, compile, debug, explain, fmt, graph, lsp, output, test, trace};

/// What the process says at its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Nothing is wrong.
    Clean,
    /// Errors were found in the input.
    Findings,
    /// The command could not work: arguments, files.
    Usage,
    /// A fault of this program.
    Internal,
    /// What a protocol asks for.
    Code(i32),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Usage => 2,
            Exit::Internal => 101,
            Exit::Code(code) => u8::try_from(code).unwrap_or(1),
        })
    }
}

/// The stack of the working thread. Nesting is limited by the parser; this is room for its limit in a debug build.
const STACK: usize = 256 << 20;

/// Runs the command line.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Clean };
            // A closed pipe while printing help is nobody's fault.
            let _ = error.print();
            return code.into();
        }
    };
    std::panic::set_hook(Box::new(|_| {}));
    let worker = std::thread::Builder::new()
        .name("kitsoki".to_owned())
        .stack_size(STACK)
        .spawn(move || dispatch(cli));
    let outcome = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => {
            output::error("internal error: kitsoki stopped because of a fault of its own");
            Ok(Exit::Internal)
        }
        Err(error) => Err(miette::miette!("no thread could be started: {error}")),
    };
    match outcome {
        Ok(exit) => exit.into(),
        Err(report) => {
            output::report(&report);
            Exit::Usage.into()
        }
    }
}

fn dispatch(cli: Cli) -> miette::Result<Exit> {
    output::set_color(cli.color);
    match cli.command {
        Command::Check(args) => check::run(&args),
        Command::Compile(args) => compile::run(&args),
        Command::Route(args) => crate::route::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Graph(args) => graph::run(&args),
        Command::Fmt(args) => fmt::run(&args),
        Command::Schema => {
            let schema = kitsoki_compiler::surface::json_schema();
            output::print(&format!("{schema:#}\n"))?;
            Ok(Exit::Clean)
        }
        Command::Trace(args) => trace::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Drive(args) => crate::drive::run(&args),
        Command::Debug(args) => debug::run(&args),
        Command::Lsp { .. } => Ok(Exit::Code(lsp::run())),
        Command::Completions { shell } => {
            let mut out = Vec::new();
            clap_complete::generate(
                shell,
                &mut <Cli as clap::CommandFactory>::command(),
                "kitsoki",
                &mut out,
            );
            output::stdout(&out)?;
            Ok(Exit::Clean)
        }
    }
}
