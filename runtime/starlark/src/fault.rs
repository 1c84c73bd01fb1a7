//! Everything that can go wrong in one call of `host.starlark.run`, with the class that a caller can tell apart and the
//! text that the story sees.

use crate::language::Place;

/// What kind of failure a call ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// No script was named.
    ScriptMissing,
    /// The script cannot be read (an infra error).
    ScriptNotFound,
    /// The script has no sidecar (an infra error).
    SidecarNotFound,
    /// The sidecar is malformed.
    Sidecar,
    /// The capabilities are malformed.
    Capabilities,
    /// A cassette or a record mode is malformed.
    Cassette,
    /// `cassette_required` is granted and there is no cassette.
    HttpCassetteRequired,
    /// A required input is absent or null.
    InputMissing,
    /// An input has another type than declared.
    InputType,
    /// An input cannot be handed to a script.
    InputValue,
    /// The script is refused before it runs: syntax, names, dialect.
    Parse,
    /// The top level of the script failed.
    Load,
    /// There is no such entry function, or it is no function.
    Entry,
    /// The script called `fail`.
    Fail,
    /// Any other failure of evaluation.
    Runtime,
    /// The capability is not granted.
    NotGranted,
    /// A path leads outside the root.
    PathEscape,
    /// A file operation failed.
    Io,
    /// A probe failed or does not exist.
    Probe,
    /// The inspect cassette has no such interaction left.
    InspectMiss,
    /// A replayed write differs from the recorded one.
    InspectMismatch,
    /// The HTTP cassette has no such exchange left.
    HttpMiss,
    /// Any other failure of a request.
    Http,
    /// A handler called by the script failed or is not there.
    HostError,
    /// Nothing stands behind a granted surface.
    NotConfigured,
    /// The entry function returned no dict.
    ResultType,
    /// A returned value cannot leave the script.
    ResultValue,
    /// A declared output was not returned.
    OutputMissing,
    /// An undeclared output was returned.
    OutputUndeclared,
    /// A reserved output was returned.
    OutputReserved,
    /// An output has another type than declared.
    OutputType,
    /// Too much computation.
    LimitSteps,
    /// Too much time.
    LimitTime,
    /// Too much memory.
    LimitMemory,
    /// Calls or values nested too deep.
    LimitDepth,
    /// A file, or what is written to one, is too large.
    LimitSize,
}

impl Class {
    /// The class as `debug starlark` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Self::ScriptMissing => "script-missing",
            Self::ScriptNotFound => "script-not-found",
            Self::SidecarNotFound => "sidecar-not-found",
            Self::Sidecar => "sidecar",
            Self::Capabilities => "capabilities",
            Self::Cassette => "cassette",
            Self::HttpCassetteRequired => "http-cassette-required",
            Self::InputMissing => "input-missing",
            Self::InputType => "input-type",
            Self::InputValue => "input-value",
            Self::Parse => "parse",
            Self::Load => "load",
            Self::Entry => "entry",
            Self::Fail => "fail",
            Self::Runtime => "runtime",
            Self::NotGranted => "not-granted",
            Self::PathEscape => "path-escape",
            Self::Io => "io",
            Self::Probe => "probe",
            Self::InspectMiss => "inspect-miss",
            Self::InspectMismatch => "inspect-mismatch",
            Self::HttpMiss => "http-miss",
            Self::Http => "http",
            Self::HostError => "host-error",
            Self::NotConfigured => "not-configured",
            Self::ResultType => "result-type",
            Self::ResultValue => "result-value",
            Self::OutputMissing => "output-missing",
            Self::OutputUndeclared => "output-undeclared",
            Self::OutputReserved => "output-reserved",
            Self::OutputType => "output-type",
            Self::LimitSteps => "limit-steps",
            Self::LimitTime => "limit-time",
            Self::LimitMemory => "limit-memory",
            Self::LimitDepth => "limit-depth",
            Self::LimitSize => "limit-size",
        }
    }

    /// Whether the call ends without a result of its own: the script or its sidecar could not be read. Everything else
    /// is a domain error.
    pub fn is_infra(self) -> bool {
        matches!(self, Self::ScriptNotFound | Self::SidecarNotFound)
    }
}

/// A failed call, or a failure on its way out of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What kind of failure.
    pub class: Class,
    /// The text. Of a finished call it is the whole text that the story sees.
    pub text: String,
    /// The innermost place in the script, where there is one.
    pub at: Option<Place>,
}

impl Fault {
    /// A failure without a place.
    pub fn new(class: Class, text: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            class,
            text: text.into(),
            at: None,
        })
    }

    /// A failure of evaluation.
    pub(crate) fn runtime(text: impl Into<String>) -> Box<Self> {
        Self::new(Class::Runtime, text)
    }

    /// Gives the failure its place, if it has none: the innermost place wins.
    pub(crate) fn or_at(mut self: Box<Self>, at: Place) -> Box<Self> {
        self.at.get_or_insert(at);
        self
    }

    /// Puts words before the text.
    pub(crate) fn prefixed(mut self: Box<Self>, prefix: &str) -> Box<Self> {
        self.text.insert_str(0, prefix);
        self
    }
}

/// The result of whatever can fail while a script runs.
pub(crate) type Res<T> = Result<T, Box<Fault>>;
