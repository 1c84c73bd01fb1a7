//! The command line, as clap reads it.

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// kitsoki: compiler and runtime for story YAML
#[derive(Parser, Debug)]
#[command(
    name = "kitsoki",
    version,
    about = "Compiler and runtime for story YAML: governed conversations between an operator and agents",
    after_help = "Examples:\n  kitsoki check stories/cloak\n  kitsoki compile stories/dev-story --emit ir --room landing --diff\n  kitsoki explain unknown-key"
)]
pub struct Cli {
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check stories and say what is wrong, where, and what to do
    Check(CheckArgs),
    /// Show what a story becomes: surface, folded, desugared, IR
    Compile(CompileArgs),
    /// Say what becomes of a text that a person writes, and why
    Route(RouteArgs),
    /// Explain a rule
    Explain(ExplainArgs),
    /// Draw the rooms of a story and what leads from one to another
    Graph(GraphArgs),
    /// Bring files into their canonical spacing
    Fmt(FmtArgs),
    /// Serve an editor over standard input and output (language server protocol)
    #[command(
        after_help = "Editors start this command themselves; see docs/editor.md. Exit status: 0 after an orderly end, 1 when the client left without one, 2 when the stream broke."
    )]
    Lsp {
        /// Accepted because clients pass it; there is no other way
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// Print the JSON Schema of stories, for editors without a language server
    Schema,
    /// Run a story's own tests, without any model
    Test(TestArgs),
    /// Run a session of a story, driven by lines of JSON, with real handlers and agents
    Drive(DriveArgs),
    /// Look at what a session has written down
    Trace(TraceArgs),
    /// Tools for the people who build kitsoki
    Debug(DebugArgs),
    /// Print completions for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

/// Forms of the findings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// With source lines, underlines and fixes
    Full,
    /// One line per finding
    Concise,
    /// One JSON document
    Json,
    /// One JSON object per line
    Jsonl,
    /// SARIF 2.1.0
    Sarif,
    /// Workflow commands of GitHub
    Github,
    /// Code quality report of GitLab
    Gitlab,
    /// JUnit XML
    Junit,
    /// For coding agents
    Agent,
}

/// `kitsoki check`.
#[derive(Args, Debug)]
#[command(
    after_help = "A folder stands for the stories in it. Exit status: 0 clean, 1 errors, 2 usage or files, 101 internal fault.\n\nExamples:\n  kitsoki check stories/dev-story\n  kitsoki check . --format concise\n  kitsoki check app.yaml --fix --diff"
)]
pub struct CheckArgs {
    /// Manifests or folders
    #[arg(required = true)]
    pub paths: Vec<Utf8PathBuf>,
    /// Form of the findings (default: full; agent when a coding agent runs it)
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Apply the safe fixes
    #[arg(long)]
    pub fix: bool,
    /// Also apply fixes that need a look
    #[arg(long, requires = "fix")]
    pub unsafe_fixes: bool,
    /// With --fix: show the changes, write nothing
    #[arg(long, requires = "fix")]
    pub diff: bool,
    /// Check again whenever a file changes
    #[arg(long, conflicts_with_all = ["fix", "update_baseline"])]
    pub watch: bool,
    /// Report only what this baseline file does not hold
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<Utf8PathBuf>,
    /// Write the findings of now into the baseline file
    #[arg(long, requires = "baseline")]
    pub update_baseline: bool,
    /// Report this rule as an error
    #[arg(long, value_name = "RULE")]
    pub error: Vec<String>,
    /// Report this rule as a warning
    #[arg(long, value_name = "RULE")]
    pub warn: Vec<String>,
    /// Do not report this rule
    #[arg(long, value_name = "RULE")]
    pub allow: Vec<String>,
    /// Warnings count as errors for the exit status
    #[arg(long)]
    pub deny_warnings: bool,
    /// Width of the output in columns
    #[arg(long, value_name = "COLUMNS")]
    pub width: Option<usize>,
}

/// Stages that can be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Stage {
    /// What the author wrote, includes merged
    Surface,
    /// Imports folded
    Folded,
    /// Macros expanded
    Desugared,
    /// Typed IR
    Ir,
}

/// Forms of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EmitFormat {
    /// For people
    Text,
    /// JSON
    Json,
    /// YAML
    Yaml,
}

/// `kitsoki compile`.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  kitsoki compile stories/cloak --emit ir\n  kitsoki compile stories/dev-story --emit desugared --room landing --diff"
)]
pub struct CompileArgs {
    /// Manifest or story folder
    pub path: Utf8PathBuf,
    /// Which stage
    #[arg(long, value_enum, default_value_t = Stage::Ir)]
    pub emit: Stage,
    /// In which form
    #[arg(long, value_enum, default_value_t = EmitFormat::Text)]
    pub format: EmitFormat,
    /// Only this room
    #[arg(long, value_name = "NAME")]
    pub room: Option<String>,
    /// What imports and macros changed, with the line that caused each change
    #[arg(long)]
    pub diff: bool,
    /// Write here instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<Utf8PathBuf>,
}

/// `kitsoki route`.
#[derive(Args, Debug)]
#[command(
    after_help = "Nothing is executed and no model is asked.\n\nExamples:\n  kitsoki route stories/cloak\n  kitsoki route stories/cloak \"hang the cloak on the hook\"\n  kitsoki route stories/cloak --state bar.dark --world cloak=worn \"read the message\" \"go north\" --json"
)]
pub struct RouteArgs {
    /// Manifest or story folder
    pub path: Utf8PathBuf,
    /// Texts, each one a turn of its own; without any: what is odd about the story's phrases
    pub texts: Vec<String>,
    /// The room; a parallel one with its regions: `p#p.one.x|p.two.u` (default: where a session begins)
    #[arg(long, value_name = "PATH")]
    pub state: Option<String>,
    /// A world value other than the default: JSON, or else a text
    #[arg(long, value_name = "KEY=VALUE")]
    pub world: Vec<String>,
    /// The time that relative dates count from, such as 2026-03-11T15:30:00Z (default: now)
    #[arg(long, value_name = "TIME")]
    pub now: Option<String>,
    /// The switch that wins over the story's `routing.enabled`
    #[arg(long, value_enum, value_name = "SWITCH")]
    pub semantic_routing: Option<Switch>,
    /// How many phrases that lost are shown
    #[arg(long, value_name = "NUMBER", default_value_t = 5)]
    pub lost: usize,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Switch {
    /// On
    On,
    /// Off
    Off,
}

/// `kitsoki explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// Rule id; without one the rules are listed
    pub rule: Option<String>,
    /// List as JSON
    #[arg(long)]
    pub json: bool,
}

/// Forms of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum GraphFormat {
    /// A Mermaid flowchart
    Mermaid,
    /// For Graphviz
    Dot,
    /// For machines
    Json,
}

/// `kitsoki graph`.
#[derive(Args, Debug)]
#[command(
    after_help = "Dashed arrows are what nobody asks for: intents that effects emit, timeouts, failed and finished host calls.\nExit status: 0 drawn, 1 drawn although the story has errors, 2 usage or files.\n\nExamples:\n  kitsoki graph stories/cloak\n  kitsoki graph stories/dev-story --format dot | dot -Tsvg > story.svg"
)]
pub struct GraphArgs {
    /// Manifest or story folder
    pub path: Utf8PathBuf,
    /// In which form
    #[arg(long, value_enum, default_value_t = GraphFormat::Mermaid)]
    pub format: GraphFormat,
    /// Also what the program adds to every story
    #[arg(long)]
    pub all: bool,
}

/// `kitsoki fmt`.
#[derive(Args, Debug)]
#[command(
    after_help = "Only spaces and blank lines change, never a word or a comment. A file that cannot be read as a whole is left as it is.\nExit status: 0 done, 1 a file was left as it is (with --check or --diff also: something would change), 2 usage or files.\n\nExamples:\n  kitsoki fmt stories/cloak\n  kitsoki fmt --check .\n  kitsoki fmt - <app.yaml"
)]
pub struct FmtArgs {
    /// Files, or folders: the YAML files of the stories in them; `-` is standard input
    #[arg(required = true)]
    pub paths: Vec<Utf8PathBuf>,
    /// List the files that would change, write nothing
    #[arg(long)]
    pub check: bool,
    /// Show what would change, write nothing
    #[arg(long)]
    pub diff: bool,
}

/// `kitsoki debug`.
#[derive(Args, Debug)]
pub struct DebugArgs {
    /// Which tool
    #[command(subcommand)]
    pub command: DebugCommand,
}

/// Tools for the people who build kitsoki.
#[derive(Subcommand, Debug)]
pub enum DebugCommand {
    /// Call host handlers, each in an empty folder, one JSON object a line
    Host {
        /// File of JSON lines; `-` is standard input
        #[arg(long)]
        batch: Utf8PathBuf,
    },
    /// Run calls of host.starlark.run, one JSON object a line
    Starlark {
        /// File of JSON lines; `-` is standard input
        #[arg(long)]
        batch: Utf8PathBuf,
    },
    /// Route texts, one JSON object a line
    Route {
        /// File of JSON lines; `-` is standard input
        #[arg(long)]
        batch: Utf8PathBuf,
    },
    /// Evaluate expressions, templates and YAML texts, one JSON object a line
    Eval {
        /// File of JSON lines; `-` is standard input
        #[arg(long)]
        batch: Utf8PathBuf,
    },
}

/// `kitsoki test`.
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Which tests
    #[command(subcommand)]
    pub command: TestCommand,
}

/// The kinds of tests.
#[derive(Subcommand, Debug)]
pub enum TestCommand {
    /// Run flow fixtures: turns with their expectations, host calls answered by stubs and cassettes
    Flows(FlowsArgs),
    /// Judge intent fixtures by a recording of what texts mean
    Intents(IntentsArgs),
    /// Judge intent fixtures by the story's own routing, without a model
    Routing(IntentsArgs),
    /// Say which arms and effects the flows reach
    FlowCoverage(CoverageArgs),
}

/// `kitsoki test flows`.
#[derive(Args, Debug)]
#[command(
    after_help = "Without --flows: `flows/*.yaml` beside the manifest. Exit status: 0 all pass, 1 a flow fails, 2 the run cannot go on.\n\nExamples:\n  kitsoki test flows stories/dev-story\n  kitsoki test flows app.yaml --flows 'flows/plan_*.yaml' --gates strict\n  kitsoki test flows stories --json report.json --junit report.xml"
)]
pub struct FlowsArgs {
    /// Manifests or folders
    #[arg(required = true)]
    pub paths: Vec<Utf8PathBuf>,
    /// Fixtures: patterns, several in one text with commas between them
    #[arg(long, value_name = "GLOB")]
    pub flows: Vec<String>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<Utf8PathBuf>,
    /// Write the report as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<Utf8PathBuf>,
    /// Recording for free text, in place of what fixtures name
    #[arg(long, value_name = "FILE")]
    pub recording: Option<Utf8PathBuf>,
    /// Leave out flows whose recording is missing or does not know a text
    #[arg(long)]
    pub allow_missing_recording: bool,
    /// Stop a flow at its first failing turn, and the run at the first failing file
    #[arg(long)]
    pub fail_fast: bool,
    /// Write the trace of the run (each flow begins the file anew)
    #[arg(long, value_name = "FILE")]
    pub trace_out: Option<Utf8PathBuf>,
    /// Who answers for changes in read-only rooms
    #[arg(long, value_enum, default_value = "assume")]
    pub gates: GatesArg,
    /// Fail a flow whose cassette holds episodes that never answer, or answers a call that is not the recorded one
    #[arg(long)]
    pub strict_cassettes: bool,
    /// Run again whenever a file of the stories or a fixture changes
    #[arg(long, conflicts_with_all = ["json", "junit", "trace_out"])]
    pub watch: bool,
    /// Accepted for compatibility
    #[arg(long, hide = true)]
    pub v: bool,
}

/// Who answers for changes in read-only rooms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum GatesArg {
    /// They are granted, and the report lists them
    Assume,
    /// They are refused unless the flow brings a grant
    Strict,
}

/// `kitsoki drive`.
#[derive(Args, Debug)]
#[command(
    after_help = "Each line of the turns is a JSON object: {\"intent\": NAME, \"slots\": {…}}, {\"input\": TEXT}, {\"continue\": true, \"slots\": {…}}, {\"off_path\": TEXT} or {\"wait_jobs\": true}; beside it \"operator\": [ANSWER, …] and \"cancel_ms\": N. One line of JSON is printed for the start and for each turn. Exit status: 0 at the end of the turns, 2 when the session cannot go on.\n\nExamples:\n  kitsoki drive stories/dev-story --turns turns.jsonl --trace trace.jsonl\n  kitsoki drive app.yaml --turns - --agent-program ./my-agent\n  kitsoki drive app.yaml --replay flows/day.yaml --trace trace.jsonl"
)]
pub struct DriveArgs {
    /// Manifest or folder
    pub path: Utf8PathBuf,
    /// The turns: a file, or - for standard input
    #[arg(long, value_name = "FILE", required_unless_present = "replay")]
    pub turns: Option<Utf8PathBuf>,
    /// Play a flow: its turns, answered by its stubs and cassettes and by nothing else
    #[arg(long, value_name = "FLOW", conflicts_with_all = ["turns", "agent_program", "mode", "session"])]
    pub replay: Option<Utf8PathBuf>,
    /// Write the trace of the session
    #[arg(long, value_name = "FILE")]
    pub trace: Option<Utf8PathBuf>,
    /// How the session passes decisions
    #[arg(long, value_enum, default_value = "staged")]
    pub mode: DriveMode,
    /// The program that runs agents: it speaks the line protocol
    #[arg(long, value_name = "PROGRAM")]
    pub agent_program: Option<String>,
    /// Who answers for changes in read-only rooms [default: walled; assume with --replay]
    #[arg(long, value_enum)]
    pub gates: Option<DriveGates>,
    /// The session's id
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
}

/// Who answers for changes in read-only rooms of a driven session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DriveGates {
    /// The operator, and nobody when no operator is there; agents are run behind a wall
    Walled,
    /// The same, also before an agent that may change things is run at all
    Strict,
    /// Changes that the story itself makes are let through; agents are run behind a wall
    Assume,
}

/// How a session passes decisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DriveMode {
    /// Rooms that ask for a decision wait for the operator
    Staged,
    /// They do not wait
    OneShot,
}

/// `kitsoki trace`.
#[derive(Args, Debug)]
pub struct TraceArgs {
    /// What to do with a trace
    #[command(subcommand)]
    pub command: TraceCommand,
}

/// What to do with a trace.
#[derive(Subcommand, Debug)]
pub enum TraceCommand {
    /// Show its events, turn by turn
    Show(TraceShowArgs),
    /// Follow it to the state that it leads to
    Replay(TraceReplayArgs),
    /// Make a flow and a cassette of it
    ToFlow(TraceToFlowArgs),
}

/// Forms of what is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TraceForm {
    /// For people
    Text,
    /// For programs
    Json,
}

/// `kitsoki trace show`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  kitsoki trace show session.jsonl --turn 3 --kind world.")]
pub struct TraceShowArgs {
    /// The trace
    pub trace: Utf8PathBuf,
    /// Only this turn
    #[arg(long)]
    pub turn: Option<u64>,
    /// Only kinds that begin like this
    #[arg(long, value_name = "PREFIX")]
    pub kind: Vec<String>,
    /// Form: text, or one JSON object per line
    #[arg(long, value_enum, default_value = "text")]
    pub format: TraceForm,
}

/// `kitsoki trace replay`.
#[derive(Args, Debug)]
#[command(
    after_help = "With --app the story's defaults and types count, and states are checked against it. Exit status: 0 sound, 1 the trace is not well formed or contradicts itself.\n\nExample:\n  kitsoki trace replay session.jsonl --app stories/dev-story --before 4"
)]
pub struct TraceReplayArgs {
    /// The trace
    pub trace: Utf8PathBuf,
    /// The story
    #[arg(long)]
    pub app: Option<Utf8PathBuf>,
    /// Stop before this turn
    #[arg(long, value_name = "TURN")]
    pub before: Option<u64>,
    /// Form: text or JSON
    #[arg(long, value_enum, default_value = "text")]
    pub format: TraceForm,
}

/// `kitsoki trace to-flow`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  kitsoki trace to-flow session.jsonl --app app.yaml --out flows/as_it_went.yaml")]
pub struct TraceToFlowArgs {
    /// The trace
    pub trace: Utf8PathBuf,
    /// The flow to write; the cassette goes beside it
    #[arg(long)]
    pub out: Utf8PathBuf,
    /// The story, as the flow is to name it
    #[arg(long)]
    pub app: Utf8PathBuf,
    /// The cassette's `app_id`
    #[arg(long)]
    pub app_id: Option<String>,
    /// Where the flow begins (default: where the trace does)
    #[arg(long)]
    pub initial_state: Option<String>,
    /// Add a draft of an `acceptance` block
    #[arg(long)]
    pub acceptance: bool,
    /// Write over files that are there
    #[arg(long)]
    pub force: bool,
}

/// `kitsoki test intents` and `kitsoki test routing`.
#[derive(Args, Debug)]
#[command(
    after_help = "Without --intents: `intents/*.yaml` beside the manifest. Exit status: 0 all pass, 1 a group fails, 2 the run cannot go on."
)]
pub struct IntentsArgs {
    /// A manifest or the folder of a story
    pub path: Utf8PathBuf,
    /// Fixtures
    #[arg(long, value_name = "GLOB")]
    pub intents: Option<String>,
    /// Only groups of this state
    #[arg(long, value_name = "STATE")]
    pub only: Option<String>,
    /// The recording (test intents; default: recording.yaml beside the manifest)
    #[arg(long, value_name = "FILE")]
    pub recording: Option<Utf8PathBuf>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<Utf8PathBuf>,
}

/// `kitsoki test flow-coverage`.
#[derive(Args, Debug)]
#[command(
    after_help = "Follows the fixtures without running them: a turn reaches the arms whose target it expects. Exit status: 0, or 1 when a gate is not met.\n\nExample:\n  kitsoki test flow-coverage stories/cloak --min-branch 50"
)]
pub struct CoverageArgs {
    /// A manifest or the folder of a story
    pub path: Utf8PathBuf,
    /// Fixtures
    #[arg(long, value_name = "GLOB")]
    pub flows: Vec<String>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<Utf8PathBuf>,
    /// Least share of arms, in percent
    #[arg(long, value_name = "PERCENT")]
    pub min_branch: Option<f64>,
    /// Every arm must be reached
    #[arg(long)]
    pub require_all_branches: bool,
    /// Least share of effects, in percent
    #[arg(long, value_name = "PERCENT")]
    pub min_effect: Option<f64>,
    /// Every effect must be reached
    #[arg(long)]
    pub require_all_effects: bool,
    /// Every reached host call must be looked at
    #[arg(long)]
    pub require_host_assertions: bool,
}
