//! `kitsoki compile`: what a story becomes, stage by stage.

use kitsoki_compiler::pipeline;
use kitsoki_compiler::surface::Surface as _;
use kitsoki_diagnostics::{Level, render};
use miette::miette;
use serde_json::{Value as Json, json};

use crate::app::Exit;
use crate::args::{CompileArgs, EmitFormat, Stage};
use crate::session::Session;
use crate::sources::SessionSources;
use crate::{discover, output};

/// Runs the command.
///
/// # Errors
/// When the story is not found, or the form is not there for the stage.
pub fn run(args: &CompileArgs) -> miette::Result<Exit> {
    let paths = discover::manifests(std::slice::from_ref(&args.path))?;
    let [path] = paths.as_slice() else {
        return Err(miette!(
            help = "name one of its manifests",
            "`{}` holds several stories",
            args.path
        ));
    };
    let session = Session::new()?;
    let root = session.file(path);
    let findings = pipeline::findings(&session.db, root);
    if findings.iter().any(|f| f.severity == Level::Error) {
        let errors: Vec<_> = findings.into_iter().filter(|f| f.severity == Level::Error).collect();
        let files = &pipeline::story(&session.db, root).files;
        let sources = SessionSources::new(&session, &errors, files, &[root]);
        let options = render::FullOptions {
            color: false,
            width: output::width(),
        };
        output::error(render::full(&errors, &sources, options).trim_end());
        output::error(&render::summary(&errors, files.len()));
        return Ok(Exit::Findings);
    }
    let text = match (args.emit, args.format) {
        (Stage::Desugared, EmitFormat::Json) => {
            let story = pipeline::story(&session.db, root);
            document("desugared", story.manifest.emit())
        }
        (Stage::Folded, EmitFormat::Json) => document("folded", pipeline::loaded(&session.db, root).manifest.emit()),
        (Stage::Surface, EmitFormat::Json) => document("surface", pipeline::package(&session.db, root).manifest.emit()),
        _ => return Err(miette!("this form is not there yet")),
    };
    output::print(&text)?;
    Ok(Exit::Clean)
}

fn document(stage: &str, story: Json) -> String {
    format!(
        "{}\n",
        json!({ "schema": 1, "stage": stage, "story": story, "origins": [] })
    )
}
