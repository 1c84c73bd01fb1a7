//! One call of `host.starlark.run`, from the arguments of the effect to its result (`starlark` 4).

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::capabilities::Capabilities;
use crate::coverage::Reached;
use crate::data::{Data, DataMap};
use crate::fault::{Class, Fault};
use crate::http::{Exchange, HttpClient};
use crate::inspect::{Inspection, Inspector, RealInspector, RootHints};
use crate::interp::meter::Limits;
use crate::language::Place;
use crate::run::{self, Job};
use crate::sidecar::Sidecar;
pub use crate::surface::{HostCaller, Surface};

/// The largest script and the largest sidecar, in bytes.
const MAX_SOURCE: u64 = 4 << 20;

/// The longest text of a failure, in bytes: it travels through logs and reports.
const MAX_FAILURE: usize = 64 << 10;

/// Where scripts are looked for.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The folders of the story, first to last: its overlay, then itself.
    pub story: Vec<PathBuf>,
    /// `KITSOKI_APP_DIR`, when set.
    pub app_dir: Option<PathBuf>,
    /// The folder that counts as the current one; empty for that of the process.
    pub current: PathBuf,
    /// The folders that scripts and sidecars must lie in, links resolved. Empty when they may lie anywhere.
    pub roots: Vec<PathBuf>,
}

impl Places {
    /// Whether a file may be read as a script or a sidecar. What cannot be resolved is left to the reading.
    fn admits(&self, path: &Path) -> bool {
        inside(path, &self.roots)
    }
}

/// Whether a path, links resolved, lies in one of the folders; none of them means anywhere.
pub(crate) fn inside(path: &Path, folders: &[PathBuf]) -> bool {
    let Ok(resolved) = path.canonicalize() else { return true };
    folders.is_empty()
        || folders
            .iter()
            .any(|f| f.canonicalize().is_ok_and(|f| resolved.starts_with(f)))
}

/// A call.
#[derive(Debug, Clone, Default)]
pub struct Call {
    /// The arguments of the effect (`with`), rendered.
    pub with: DataMap,
    /// The world as it is when the call is dispatched. Empty for a background job.
    pub world: DataMap,
    /// Where scripts are looked for.
    pub places: Places,
    /// What the script may use.
    pub limits: Limits,
    /// Whether [`Outcome::reached`] is wanted.
    pub covers: bool,
}

/// What a call ended with.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The outputs without the reserved ones, or the failure with the whole text that the story sees.
    pub result: Result<DataMap, Box<Fault>>,
    /// The summaries of requests. A client that serves several calls keeps those of all.
    pub exchanges: Vec<Exchange>,
    /// The summaries of inspections, likewise.
    pub inspections: Vec<Inspection>,
    /// What the script printed.
    pub printed: String,
    /// The script that was run, once it was found.
    pub script: Option<PathBuf>,
    /// Which lines were run, when the call wanted to know.
    pub reached: Option<Reached>,
}

impl Outcome {
    fn failed(fault: Box<Fault>) -> Self {
        Self {
            result: Err(fault),
            exchanges: Vec::new(),
            inspections: Vec::new(),
            printed: String::new(),
            script: None,
            reached: None,
        }
    }

    /// The outputs with the summaries under their reserved names: what the handler's result holds.
    ///
    /// # Errors
    ///
    /// The failure of the call.
    pub fn data(&self) -> Result<DataMap, Box<Fault>> {
        let mut data = self.result.clone()?;
        let text = |s: &str| Data::Text(s.to_owned());
        let map = |entries: [(&str, Data); 3]| Data::Map(entries.into_iter().map(|(k, v)| (k.to_owned(), v)).collect());
        if !self.exchanges.is_empty() {
            let list = self.exchanges.iter().map(|e| {
                map([
                    ("method", text(&e.method)),
                    ("url", text(&e.url)),
                    ("status", Data::Int(e.status)),
                ])
            });
            data.insert(crate::sidecar::EXCHANGES.to_owned(), Data::List(list.collect()));
        }
        if !self.inspections.is_empty() {
            let list = self.inspections.iter().map(|i| {
                map([
                    ("op", text(i.op)),
                    ("target", text(&i.target)),
                    ("status", text(&i.status)),
                ])
            });
            data.insert(crate::sidecar::INSPECTIONS.to_owned(), Data::List(list.collect()));
        }
        Ok(data)
    }

    /// The place of the failure in the script.
    pub fn at(&self) -> Option<Place> {
        self.result.as_ref().err().and_then(|f| f.at)
    }
}

/// Runs a call. What the surface does not hold is refused, but for files and probes: without an inspector the real one is
/// rooted as the chapter says (4.4).
pub fn run(call: Call, surface: Surface<'_>) -> Outcome {
    match begin(call) {
        Ok(ready) => ready.finish(surface),
        Err(fault) => Outcome::failed(fault.prefixed("host.starlark.run: ")),
    }
}

/// A call whose script, sidecar and grants are read.
struct Ready {
    script: PathBuf,
    sidecar: Sidecar,
    job: Job,
    places: Places,
}

fn begin(call: Call) -> Result<Ready, Box<Fault>> {
    let Call {
        with,
        world,
        places,
        limits,
        covers,
    } = call;
    let named = match with.get("script") {
        Some(Data::Text(script)) if !script.is_empty() => script,
        _ => return Err(Fault::new(Class::ScriptMissing, "script argument is required")),
    };
    let (script, source) = find(named, &places)?;
    let sidecar = read_sidecar(&script, &places)?;
    let granted = Capabilities::parse(with.get("capabilities"))
        .map_err(|e| Fault::new(Class::Capabilities, format!("capabilities: {e}")))?;
    let map = |key: &str| with.get(key).and_then(Data::as_map).cloned().unwrap_or_default();
    let mut world = world;
    world.extend(map("world"));
    let function = match with.get("function") {
        Some(Data::Text(name)) if !name.is_empty() => name.trim().to_owned(),
        _ => "main".to_owned(),
    };
    let label = script.display().to_string();
    let job = Job {
        label,
        source,
        function,
        inputs: map("inputs"),
        world,
        granted,
        limits,
        covers,
    };
    Ok(Ready {
        script,
        sidecar,
        job,
        places,
    })
}

impl Ready {
    fn finish(self, surface: Surface<'_>) -> Outcome {
        let Self {
            script,
            sidecar,
            job,
            places,
        } = self;
        let failed = |fault: Box<Fault>| Outcome {
            script: Some(script.clone()),
            ..Outcome::failed(fault.prefixed("host.starlark.run: "))
        };
        if job.granted.http.as_ref().is_some_and(|h| h.cassette_required) && surface.http.is_none() {
            let text = "capabilities.http.cassette_required requires an injected Starlark HTTP client";
            return failed(Fault::new(Class::HttpCassetteRequired, text));
        }
        if let Err(fault) = sidecar.check_inputs(&job.inputs) {
            return failed(fault);
        }
        if job.function.is_empty() {
            return failed(Fault::new(Class::Entry, "starlark: function name is required"));
        }
        let mut real;
        let inspector: Option<&mut dyn Inspector> = match surface.inspector {
            Some(injected) => Some(injected),
            None if job.granted.needs_inspector() => {
                real = RealInspector::new(&root(&job, &places, &script));
                Some(&mut real)
            }
            None => None,
        };
        let http = surface.http.map(|c| c as &mut dyn HttpClient);
        let hosts = surface.hosts.map(|h| h as &mut dyn HostCaller);
        let mut surface = Surface { inspector, http, hosts };
        let http_granted = job.granted.http.is_some();
        let inspector_granted = job.granted.needs_inspector();
        let ran = run::run(job, &mut surface);
        let result = ran
            .result
            .and_then(|outputs| sidecar.check_outputs(&outputs).map(|()| outputs));
        let exchanges = surface.http.as_ref().filter(|_| http_granted).map(|c| c.exchanges());
        let inspections = surface
            .inspector
            .as_ref()
            .filter(|_| inspector_granted)
            .map(|i| i.inspections());
        Outcome {
            result: result.map_err(|f| shortened(f.prefixed("host.starlark.run: "))),
            exchanges: exchanges.unwrap_or_default(),
            inspections: inspections.unwrap_or_default(),
            printed: ran.printed,
            script: Some(script),
            reached: ran.reached,
        }
    }
}

/// A failure whose text is cut to what a log can hold.
fn shortened(mut fault: Box<Fault>) -> Box<Fault> {
    if fault.text.len() > MAX_FAILURE {
        fault.text.truncate(fault.text.floor_char_boundary(MAX_FAILURE));
        fault.text.push_str(" …");
    }
    fault
}

fn root(job: &Job, places: &Places, script: &Path) -> PathBuf {
    let hints = RootHints {
        workdir: job.world.get("workdir").and_then(Data::as_text),
        story: places.story.last().map(PathBuf::as_path),
        app_dir: places.app_dir.as_deref(),
        script: Some(script),
        current: if places.current.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            places.current.clone()
        },
    };
    places.current.join(hints.choose())
}

/// Finds a script and reads it: absolute, below the folders of the story, below the app's folder, else as it is; and what
/// is found nowhere there, relative to the current folder.
fn find(named: &str, places: &Places) -> Result<(PathBuf, String), Box<Fault>> {
    let path = Path::new(named);
    let clean = |path: PathBuf| PathBuf::from(crate::pattern::clean_slashes(&path.to_string_lossy()));
    let mut candidate = path.to_owned();
    if path.is_relative() {
        let leaves = named.starts_with("../");
        let in_story = places
            .story
            .iter()
            .map(|f| f.join(path))
            .find(|p| !leaves && p.exists());
        candidate = in_story
            .or_else(|| places.app_dir.as_ref().map(|f| f.join(path)))
            .or_else(|| places.story.last().map(|f| f.join(path)))
            .map_or_else(|| places.current.join(path), clean);
    }
    let first = read(&candidate, places);
    let (found, result) = match first {
        Err(_) if path.is_relative() && places.current.join(path).exists() => {
            let raw = clean(places.current.join(path));
            let second = read(&raw, places);
            (raw, second)
        }
        other => (candidate, other),
    };
    match result {
        Ok(source) => Ok((found, source)),
        Err(ReadFault::TooLarge) => Err(Fault::new(
            Class::LimitSize,
            format!("read script {:?}: more than {MAX_SOURCE} bytes", found.display()),
        )),
        Err(ReadFault::Other(why)) => {
            let text = format!(
                "read script {:?}: read {}: {why}",
                found.display().to_string(),
                found.display()
            );
            Err(Fault::new(Class::ScriptNotFound, text))
        }
    }
}

enum ReadFault {
    TooLarge,
    Other(String),
}

/// Reads a text file. What is no ordinary file is never waited for.
fn read(path: &Path, places: &Places) -> Result<String, ReadFault> {
    let other = |e: std::io::Error| ReadFault::Other(crate::inspect::words(&e));
    if !places.admits(path) {
        return Err(ReadFault::Other("outside the folders of the story".to_owned()));
    }
    let metadata = std::fs::metadata(path).map_err(other)?;
    if metadata.is_dir() {
        return Err(other(std::io::ErrorKind::IsADirectory.into()));
    }
    if !metadata.is_file() {
        return Err(ReadFault::Other("no ordinary file".to_owned()));
    }
    if metadata.len() > MAX_SOURCE {
        return Err(ReadFault::TooLarge);
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(other)?;
    file.take(MAX_SOURCE + 1).read_to_end(&mut bytes).map_err(other)?;
    if bytes.len() > usize::try_from(MAX_SOURCE).unwrap_or(usize::MAX) {
        return Err(ReadFault::TooLarge);
    }
    Ok(String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
}

fn read_sidecar(script: &Path, places: &Places) -> Result<Sidecar, Box<Fault>> {
    let mut path = script.as_os_str().to_owned();
    path.push(".yaml");
    let path = PathBuf::from(path);
    let shown = path.display().to_string();
    match read(&path, places) {
        Ok(text) => {
            Sidecar::parse(&text).map_err(|e| Fault::new(Class::Sidecar, format!("starlark sidecar: {shown:?}: {e}")))
        }
        Err(ReadFault::TooLarge) => Err(Fault::new(
            Class::Sidecar,
            format!("starlark sidecar: {shown:?}: more than {MAX_SOURCE} bytes"),
        )),
        Err(ReadFault::Other(why)) => {
            // What exists and cannot be read is the author's; what does not exist is nobody's.
            let class = if path.exists() {
                Class::Sidecar
            } else {
                Class::SidecarNotFound
            };
            Err(Fault::new(class, format!("starlark sidecar: read {shown:?}: {why}")))
        }
    }
}
