//! What a script reaches beyond itself. The script runs on a thread of its own and asks; the thread that called answers,
//! with whatever it was handed ([`Surface`]). So nothing behind the surface has to cross a thread, and the limits of the
//! script are its own.

mod answer;
mod ctx;
mod http;

pub(crate) use answer::serve;
pub(crate) use ctx::build;

use std::sync::mpsc::{Receiver, Sender};

use crate::data::DataMap;
use crate::fault::{Class, Fault, Res};
use crate::http::{HttpClient, Request, Response};
use crate::inspect::{Inspector, ProbeAnswer};
use crate::interp::meter;

/// Who stands behind `ctx`. What is absent refuses everything.
#[derive(Default)]
pub struct Surface<'a> {
    /// Behind `ctx.fs` and `ctx.probe`.
    pub inspector: Option<&'a mut dyn Inspector>,
    /// Behind `ctx.http`.
    pub http: Option<&'a mut dyn HttpClient>,
    /// Behind `ctx.host`.
    pub hosts: Option<&'a mut dyn HostCaller>,
}

/// Whoever carries out `ctx.host.call`.
pub trait HostCaller {
    /// Calls a handler. The grant has been checked. A handler without data gives an empty mapping.
    ///
    /// # Errors
    ///
    /// The text of the handler's error, domain or infra.
    fn call(&mut self, verb: &str, args: &DataMap) -> Result<DataMap, String>;
}

/// What a script asks for.
pub(crate) enum Ask {
    Read(String),
    Exists(String),
    Glob(String),
    Write(String, Vec<u8>),
    Probe(String, Vec<String>),
    Http(Request),
    Host(String, DataMap),
}

/// What it is answered.
pub(crate) enum Answer {
    Bytes(Vec<u8>),
    Flag(bool),
    Paths(Vec<String>),
    Path(String),
    Probe(ProbeAnswer),
    Http(Response),
    Data(DataMap),
}

/// More requests, probes and handler calls than this are refused in one call of a script.
const MAX_OUTSIDE: usize = 2_000;

/// The script's end.
pub(crate) struct Port {
    asks: Sender<Ask>,
    answers: Receiver<Result<Answer, Box<Fault>>>,
    outside: std::cell::Cell<usize>,
}

impl Port {
    pub(crate) fn new(asks: Sender<Ask>, answers: Receiver<Result<Answer, Box<Fault>>>) -> Self {
        Self {
            asks,
            answers,
            outside: std::cell::Cell::new(0),
        }
    }

    fn exchange(&self, ask: Ask) -> Res<Answer> {
        let gone = || Fault::new(Class::NotConfigured, "starlark: the caller of this script is gone");
        self.asks.send(ask).map_err(|_| gone())?;
        self.answers.recv().map_err(|_| gone())?
    }

    /// Asks for something on this machine's files: its time is the script's.
    fn files(&self, ask: Ask) -> Res<Answer> {
        // Looking at a file costs far more than a step.
        meter::work(1 << 12)?;
        let answer = self.exchange(ask);
        meter::look_at_clock()?;
        answer
    }

    /// Asks for something that others do: its time does not count, but there is an end to it.
    fn outside(&self, ask: Ask) -> Res<Answer> {
        self.outside.set(self.outside.get() + 1);
        if self.outside.get() > MAX_OUTSIDE {
            return Err(Fault::new(
                Class::LimitSteps,
                "too many requests, probes and calls of handlers",
            ));
        }
        meter::off_the_clock(|| self.exchange(ask))
    }
}
