//! Programs: started in a process group of their own, listened to up to a limit, ended with everything they started when
//! the time is over or the call is cancelled.

mod output;
mod talk;

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::cancel::{Cancel, Reporter, Waited};
use crate::environment::Environment;
use crate::place;
use output::Output;
pub use talk::{Heard, Talk};

/// What is kept of each stream of a program, in bytes; the rest is read and dropped.
pub const MAX_OUTPUT: usize = 16 << 20;

/// How often a start is tried again when the machine has no room for a process.
const RETRIES: u32 = 4;

/// How long a killed program may take to vanish before it is left alone.
const GRACE: Duration = Duration::from_secs(5);

/// A program to run.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its name, or its path.
    pub name: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its working folder.
    pub folder: PathBuf,
    /// Its variables: these and no others.
    pub environment: Environment,
    /// Whether both streams go into one text, in order.
    pub merged: bool,
}

impl Program {
    /// A program without arguments.
    pub fn new(name: impl Into<OsString>, folder: impl Into<PathBuf>, environment: &Environment) -> Self {
        Self {
            name: name.into(),
            args: Vec::new(),
            folder: folder.into(),
            environment: environment.clone(),
            merged: false,
        }
    }

    /// With more arguments.
    #[must_use]
    pub fn args<S: Into<OsString>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// With both streams in one text.
    #[must_use]
    pub fn merged(mut self) -> Self {
        self.merged = true;
        self
    }
}

/// What a program said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// Its output; both streams when merged.
    pub output: String,
    /// Its error stream; empty when merged.
    pub errors: String,
    /// Whether more came than was kept.
    pub cut: bool,
}

/// A program that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The exit status; −1 for one that a signal ended.
    pub code: i64,
    /// What it said.
    pub said: Said,
}

impl Ended {
    /// Whether it ended well.
    pub fn ok(&self) -> bool {
        self.code == 0
    }

    /// The words of a failed program: its error stream, else its output, else its status.
    pub fn complaint(&self) -> String {
        let said = [self.said.errors.trim(), self.said.output.trim()];
        match said.into_iter().find(|t| !t.is_empty()) {
            Some(text) => text.to_owned(),
            None => format!("exit status {}", self.code),
        }
    }
}

/// Why there is no end to tell of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It could not be started.
    Start(String),
    /// The time was over; what it said until then.
    TimedOut(Said),
    /// The call was cancelled.
    Cancelled,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Start(why) => f.write_str(why),
            Self::TimedOut(_) => f.write_str("timed out"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

/// Runs a program to its end.
///
/// # Errors
///
/// It could not be started, ran out of time, or was cancelled; in the last two cases its whole process group is ended.
pub fn run(program: &Program, cancel: &Cancel) -> Result<Ended, Fault> {
    if cancel.is_cancelled() {
        return Err(Fault::Cancelled);
    }
    let (child, streams) = start_patiently(program, cancel)?;
    let group = Pid::from_child(&child);
    let listening = streams.clone();
    let waited = cancel.wait(move |reporter| attend(child, streams, reporter));
    match waited {
        Waited::Came(Ok(status)) => Ok(Ended {
            code: status.code().map_or(-1, i64::from),
            said: listening.said(),
        }),
        Waited::Came(Err(error)) => Err(Fault::Start(place::words(&error))),
        over @ (Waited::TimedOut | Waited::Cancelled) => {
            // A group that is gone already is what was wanted.
            let _ = kill_process_group(group, Signal::KILL);
            listening.finished(GRACE);
            Err(if matches!(over, Waited::TimedOut) {
                Fault::TimedOut(listening.said())
            } else {
                Fault::Cancelled
            })
        }
    }
}

/// Waits for the end of a program and of its streams on a thread of its own.
fn attend(mut child: Child, streams: Output, reporter: Reporter<io::Result<ExitStatus>>) {
    let work = move || {
        let status = child.wait();
        streams.drained();
        reporter.report(status);
    };
    // Without a thread the reporter is dropped, and the wait ends as cancelled.
    let _ = std::thread::Builder::new().name("kitsoki-child".to_owned()).spawn(work);
}

fn start_patiently(program: &Program, cancel: &Cancel) -> Result<(Child, Output), Fault> {
    let mut tries = 0;
    loop {
        let error = match start(program) {
            Ok(started) => return Ok(started),
            Err(error) => error,
        };
        let short = [rustix::io::Errno::AGAIN, rustix::io::Errno::NOMEM];
        let short = short.iter().any(|e| error.raw_os_error() == Some(e.raw_os_error()));
        if !short || tries >= RETRIES {
            return Err(Fault::Start(explain(program, &error)));
        }
        tries += 1;
        if !cancel.sleep(Duration::from_millis(20) * tries) {
            return Err(Fault::Cancelled);
        }
    }
}

fn start(program: &Program) -> io::Result<(Child, Output)> {
    let mut command = Command::new(&program.name);
    command
        .args(&program.args)
        .current_dir(&program.folder)
        .env_clear()
        .envs(program.environment.iter())
        .env("PWD", &program.folder)
        .stdin(Stdio::null())
        .process_group(0);
    let (output, writers) = Output::new(program.merged)?;
    command.stdout(writers.output).stderr(writers.errors);
    let child = command.spawn()?;
    // The command holds our ends of the pipes: as long as they live, no stream ends.
    drop(command);
    Ok((child, output))
}

/// Why a program could not be started, in words.
fn explain(program: &Program, error: &io::Error) -> String {
    let name = program.name.to_string_lossy();
    if !program.folder.is_dir() {
        return format!("chdir {}: no such folder", program.folder.display());
    }
    let why = match error.kind() {
        io::ErrorKind::NotFound if !name.contains('/') => "executable file not found in $PATH".to_owned(),
        _ => place::words(error),
    };
    format!("{}: {why}", crate::plain::quoted(&name))
}
