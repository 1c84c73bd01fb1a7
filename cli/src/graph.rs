//! `kitsoki graph`: the rooms of a story and what leads from one to another.

use kitsoki_compiler::pipeline;
use kitsoki_diagnostics::Level;
use kitsoki_ir::graph::{graph, to_dot, to_mermaid};
use miette::IntoDiagnostic as _;

use crate::app::Exit;
use crate::args::{GraphArgs, GraphFormat};
use crate::session::Session;
use crate::{discover, output};

/// Runs the command.
///
/// # Errors
/// When the story is not found.
pub fn run(args: &GraphArgs) -> miette::Result<Exit> {
    let path = &discover::manifest(&args.path)?;
    let session = Session::new()?;
    let root = session.file(path);
    let graph = graph(pipeline::lowered(&session.db, root), args.all);
    let text = match args.format {
        GraphFormat::Mermaid => to_mermaid(&graph),
        GraphFormat::Dot => to_dot(&graph),
        GraphFormat::Json => {
            let json = serde_json::json!({ "schema": 1, "graph": graph });
            format!("{}\n", serde_json::to_string(&json).into_diagnostic()?)
        }
    };
    output::print(&text)?;
    let findings = pipeline::findings(&session.db, root);
    let errors = findings.iter().filter(|f| f.severity == Level::Error).count();
    if errors > 0 {
        let what = if errors == 1 {
            "1 error".to_owned()
        } else {
            format!("{errors} errors")
        };
        output::error(&format!(
            "{path}: the story has {what}; the picture shows what could be read"
        ));
        return Ok(Exit::Findings);
    }
    Ok(Exit::Clean)
}
