//! A conversation with a program, line by line in both directions.

use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::{Fault, GRACE, Program, explain, output::Output};
use crate::cancel::Cancel;

/// The longest line, in bytes; what is longer is passed over.
const MAX_LINE: u64 = 8 << 20;

/// What was heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A line.
    Line(String),
    /// The output has ended.
    End,
    /// Nothing was said for too long.
    Silence,
    /// The time of the call is over, or it was cancelled.
    Over,
}

enum Event {
    Line(String),
    End,
    Over,
}

/// A program that is talked to. Dropping it ends the whole process group.
pub struct Talk {
    child: Child,
    group: Pid,
    says: Option<Sender<String>>,
    heard: Receiver<Event>,
    errors: Output,
    ended: bool,
}

impl Talk {
    /// Starts a program.
    ///
    /// # Errors
    ///
    /// It cannot be started.
    pub fn start(program: &Program) -> Result<Self, Fault> {
        Self::begin(program).map_err(|e| Fault::Start(explain(program, &e)))
    }

    fn begin(program: &Program) -> io::Result<Self> {
        let (errors, pipe) = Output::errors()?;
        let mut child = Command::new(&program.name)
            .args(&program.args)
            .current_dir(&program.folder)
            .env_clear()
            .envs(program.environment.iter())
            .env("PWD", &program.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(pipe)
            .process_group(0)
            .spawn()?;
        let group = Pid::from_child(&child);
        let (events, heard) = channel();
        let (says, to_say) = channel::<String>();
        if let Some(output) = child.stdout.take() {
            let work = move || listen(output, &events);
            std::thread::Builder::new()
                .name("kitsoki-talk".to_owned())
                .spawn(work)?;
        }
        if let Some(mut input) = child.stdin.take() {
            // A program that does not read must not stop us, so a thread does the writing.
            let work = move || {
                while let Ok(line) = to_say.recv() {
                    if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                        break;
                    }
                }
            };
            std::thread::Builder::new()
                .name("kitsoki-talk".to_owned())
                .spawn(work)?;
        }
        Ok(Self {
            child,
            group,
            says: Some(says),
            heard,
            errors,
            ended: false,
        })
    }

    /// Says a line. A program that has gone does not hear it.
    pub fn say(&self, line: &str) {
        if let Some(says) = &self.says {
            let _ = says.send(format!("{line}\n"));
        }
    }

    /// Waits for the next line.
    pub fn hear(&mut self, cancel: &Cancel, silence: Option<Duration>) -> Heard {
        let quiet_until = silence.map(|s| Instant::now() + s);
        loop {
            // The word to stop comes from elsewhere, so it is looked for now and then.
            let step = Instant::now() + Duration::from_millis(50);
            let event = match self.heard.recv_timeout(step.saturating_duration_since(Instant::now())) {
                Ok(event) => event,
                Err(RecvTimeoutError::Disconnected) => Event::End,
                Err(RecvTimeoutError::Timeout) if cancel.is_over() => Event::Over,
                Err(RecvTimeoutError::Timeout) if quiet_until.is_some_and(|t| t <= Instant::now()) => {
                    return Heard::Silence;
                }
                Err(RecvTimeoutError::Timeout) => continue,
            };
            return match event {
                Event::Line(line) => Heard::Line(line),
                Event::End => Heard::End,
                Event::Over => Heard::Over,
            };
        }
    }

    /// Ends the talk: the program is given some time to end, then it is ended. Gives back its status, −1 when a signal
    /// ended it, and its error stream.
    pub fn finish(mut self) -> (i64, String) {
        self.says = None;
        let until = Instant::now() + GRACE;
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status.code().map_or(-1, i64::from),
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
                _ => break -1,
            }
        };
        self.end();
        self.errors.finished(Duration::from_millis(500));
        (status, self.errors.said().errors)
    }

    fn end(&mut self) {
        if !self.ended {
            self.ended = true;
            // A group that is gone already is what was wanted.
            let _ = kill_process_group(self.group, Signal::KILL);
            let _ = self.child.wait();
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        self.end();
    }
}

fn listen(output: impl Read, events: &Sender<Event>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        if line.last() != Some(&b'\n') && line.len() as u64 == MAX_LINE {
            // Too long: the rest of it is passed over as well.
            while output
                .by_ref()
                .take(MAX_LINE)
                .read_until(b'\n', &mut line)
                .is_ok_and(|n| n > 0)
            {
                if line.last() == Some(&b'\n') {
                    break;
                }
                line.clear();
            }
            continue;
        }
        let text = crate::plain::text(line);
        if events
            .send(Event::Line(text.trim_end_matches(['\n', '\r']).to_owned()))
            .is_err()
        {
            return;
        }
    }
    let _ = events.send(Event::End);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Environment;

    fn talk(text: &str) -> Talk {
        let program = Program::new("bash", "/", &Environment::process()).args(["-c", text]);
        Talk::start(&program).unwrap()
    }

    #[test]
    fn lines_go_both_ways() {
        let mut talk = talk("read a; echo got $a; echo err >&2; exit 3");
        talk.say("hello");
        let cancel = Cancel::new();
        assert_eq!(talk.hear(&cancel, None), Heard::Line("got hello".to_owned()));
        assert_eq!(talk.hear(&cancel, None), Heard::End);
        assert_eq!(talk.finish(), (3, "err\n".to_owned()));
    }

    #[test]
    fn silence_and_cancellation_end_the_wait() {
        let mut talk = talk("exec sleep 600");
        let cancel = Cancel::new();
        assert_eq!(talk.hear(&cancel, Some(Duration::ZERO)), Heard::Silence);
        cancel.cancel();
        assert_eq!(talk.hear(&cancel, None), Heard::Over);
    }
}
