//! `kitsoki trace`: what a session has written down, for people; the state that it leads to; a flow made of it.

use std::fmt::Write;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_expr::Value;
use kitsoki_runtime::event::kind;
use kitsoki_runtime::machine::Machine;
use kitsoki_runtime::replay::Journey;
use kitsoki_runtime::trace::{self, Line};
use kitsoki_runtime::{NoFiles, Program, World, json};
use kitsoki_testing::convert;
use kitsoki_testing::report::visible;
use miette::miette;

use crate::app::Exit;
use crate::args::{TraceArgs, TraceCommand, TraceForm, TraceReplayArgs, TraceShowArgs, TraceToFlowArgs};
use crate::session::Session;
use crate::{discover, output, test};

/// The largest trace that is read, in bytes.
const MAX_TRACE: u64 = 1 << 30;
/// A payload is shown up to here.
const MAX_SHOWN: usize = 100;

/// Runs the command.
///
/// # Errors
/// When the trace cannot be read, or the output cannot be written.
pub fn run(args: &TraceArgs) -> miette::Result<Exit> {
    match &args.command {
        TraceCommand::Show(args) => show(args),
        TraceCommand::Replay(args) => replay(args),
        TraceCommand::ToFlow(args) => to_flow(args),
    }
}

fn read(path: &Utf8Path) -> miette::Result<String> {
    let wrong = |why: &dyn std::fmt::Display| miette!("`{path}` cannot be read: {why}");
    let meta = std::fs::metadata(path).map_err(|e| wrong(&e))?;
    if !meta.is_file() {
        return Err(wrong(&"it is no file"));
    }
    if meta.len() > MAX_TRACE {
        return Err(wrong(&"it is larger than a gigabyte"));
    }
    let bytes = std::fs::read(path).map_err(|e| wrong(&e))?;
    String::from_utf8(bytes).map_err(|_| wrong(&"it is not UTF-8"))
}

/// The lines of a trace; a fault of it is said with its place.
fn lines(path: &Utf8Path, strict: bool) -> miette::Result<Result<Vec<Line>, Exit>> {
    let text = read(path)?;
    Ok(trace::parse(&text, strict).map_err(|fault| {
        output::error(&format!("{path}:{}: {}", fault.line, fault.message));
        Exit::Findings
    }))
}

fn show(args: &TraceShowArgs) -> miette::Result<Exit> {
    let lines = match lines(&args.trace, false)? {
        Ok(lines) => lines,
        Err(exit) => return Ok(exit),
    };
    let mut out = String::new();
    if args.format == TraceForm::Json {
        for line in lines.iter().filter(|l| wanted(args, l)) {
            let payload = json::sorted(&Value::Map(line.event.payload.clone()));
            let kind = json::sorted(&Value::Str(line.event.kind.clone()));
            let state = json::sorted(&Value::Str(line.event.state_path.clone()));
            let _ = writeln!(
                out,
                "{{\"turn\":{},\"seq\":{},\"kind\":{kind},\"state_path\":{state},\"payload\":{payload}}}",
                line.event.turn, line.seq
            );
        }
        output::print(&out)?;
        return Ok(Exit::Clean);
    }
    let mut turn = None;
    for line in lines.iter().filter(|l| wanted(args, l)) {
        if turn != Some(line.event.turn) {
            turn = Some(line.event.turn);
            let _ = writeln!(out, "turn {}", line.event.turn);
        }
        let _ = writeln!(out, "  {}", described(line));
    }
    if lines.is_empty() {
        out.push_str("no events\n");
    }
    output::print(&out)?;
    Ok(Exit::Clean)
}

fn wanted(args: &TraceShowArgs, line: &Line) -> bool {
    args.turn.is_none_or(|t| t == line.event.turn)
        && (args.kind.is_empty() || args.kind.iter().any(|k| line.event.kind.starts_with(k.as_str())))
}

/// One event in words.
fn described(line: &Line) -> String {
    let event = &line.event;
    let text = |key: &str| event.text(key);
    let what = match event.kind.as_str() {
        kind::TRANSITION => format!("{} → {} ({})", text("from"), text("to"), text("intent")),
        kind::TURN_INPUT => text("input").to_owned(),
        kind::TURN_END => format!("{} {}", text("outcome"), text("to")),
        kind::ENTERED | kind::EXITED => text("state").to_owned(),
        kind::SAY => text("text").to_owned(),
        kind::RETURNED if !text("error").is_empty() => format!("{}: {}", text("namespace"), text("error")),
        kind::DISPATCHED | kind::CALLED | kind::RETURNED => text("namespace").to_owned(),
        kind::WORLD => match event.payload.get("set").or_else(|| event.payload.get("increment")) {
            Some(values) => json::sorted(values),
            None => json::sorted(&Value::Map(event.payload.clone())),
        },
        _ if event.payload.is_empty() => String::new(),
        _ => json::sorted(&Value::Map(event.payload.clone())),
    };
    let one_line: String = visible(&what).replace(['\n', '\t'], " ");
    let mut cut: String = one_line.chars().take(MAX_SHOWN).collect();
    if cut.len() < one_line.len() {
        cut.push('…');
    }
    format!("{} {cut}", visible(&event.kind).replace(['\n', '\t'], " "))
        .trim_end()
        .to_owned()
}

fn replay(args: &TraceReplayArgs) -> miette::Result<Exit> {
    let lines = match lines(&args.trace, true)? {
        Ok(lines) => lines,
        Err(exit) => return Ok(exit),
    };
    let program = match &args.app {
        None => Arc::new(Program::new(Arc::default(), Arc::new(NoFiles))),
        Some(app) => {
            let manifest = discover::manifest(app)?;
            let session = Session::new()?;
            test::compiled(&session, &manifest).map_err(|e| miette!("{e}"))?
        }
    };
    let start = program.story.root.map_or("", |id| program.story.path(id));
    let mut journey = Journey::start(start, World::of_story(&program.story));
    let known = args.app.is_some();
    let machine = Machine::new(&program);
    let mut exit = Exit::Clean;
    let mut out = String::new();
    for line in &lines {
        if line.event.turn >= args.before.unwrap_or(u64::MAX) {
            break;
        }
        journey.apply(&program, &line.event);
        if line.event.kind == kind::TURN_END {
            let to = line.event.text("to");
            if !to.is_empty() && to != journey.state {
                output::error(&format!(
                    "{}: turn {}: its end says \"{}\", its events lead to \"{}\"",
                    args.trace, line.event.turn, to, journey.state
                ));
                exit = Exit::Findings;
            }
            if known && !program.declares(&journey.state) && !journey.state.contains('#') {
                output::error(&format!(
                    "{}: turn {}: the story has no state \"{}\"",
                    args.trace, line.event.turn, journey.state
                ));
                exit = Exit::Findings;
            }
        }
    }
    if args.format == TraceForm::Json {
        let world = json::sorted(&Value::Map(journey.world.vars.clone()));
        let state = json::sorted(&Value::Str(journey.state.clone()));
        let _ = writeln!(out, "{{\"turn\":{},\"state\":{state},\"world\":{world}}}", journey.turn);
    } else {
        let _ = writeln!(out, "turn  {}", journey.turn);
        let _ = writeln!(out, "state {}", visible(&journey.state).replace('\n', " "));
        if known && machine.is_terminal(&journey.state) {
            out.push_str("over  the state is terminal\n");
        }
        for (key, value) in journey.world.vars.sorted() {
            let shown: String = visible(&json::sorted(value)).chars().take(MAX_SHOWN).collect();
            let _ = writeln!(out, "  {} = {shown}", visible(key).replace('\n', " "));
        }
    }
    output::print(&out)?;
    Ok(exit)
}

fn to_flow(args: &TraceToFlowArgs) -> miette::Result<Exit> {
    let lines = match lines(&args.trace, false)? {
        Ok(lines) => lines,
        Err(exit) => return Ok(exit),
    };
    let cassette = Utf8PathBuf::from(args.out.as_str().strip_suffix(".yaml").unwrap_or(args.out.as_str()))
        .with_extension("cassette.yaml");
    let request = convert::Request {
        app: args.app.to_string(),
        app_id: args.app_id.clone().unwrap_or_default(),
        initial_state: args.initial_state.clone().unwrap_or_default(),
        cassette: cassette.file_name().unwrap_or_default().to_owned(),
        acceptance: args.acceptance,
    };
    let made = match convert::flow(&lines, &request) {
        Ok(made) => made,
        Err(why) => {
            output::error(&format!("{}: {why}", args.trace));
            return Ok(Exit::Findings);
        }
    };
    for (path, text) in [(&args.out, &made.flow), (&cassette, &made.cassette)] {
        if path.exists() && !args.force {
            return Err(miette!(
                help = "give another name, or --force",
                "`{path}` is there already"
            ));
        }
        std::fs::write(path, text).map_err(|e| miette!("`{path}` cannot be written: {e}"))?;
    }
    output::print(&format!(
        "{} turns in {}, {} answers in {cassette}\n",
        made.turns, args.out, made.episodes
    ))?;
    Ok(Exit::Clean)
}
