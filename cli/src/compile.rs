//! `kitsoki compile`: what a story becomes, stage by stage.

use kitsoki_compiler::emit;
use miette::miette;

use crate::app::Exit;
use crate::args::{CompileArgs, EmitFormat, Stage};
use crate::session::Session;
use crate::{discover, output, outside};

/// Runs the command.
///
/// # Errors
/// When the story is not found, or the form is not there for the stage.
pub fn run(args: &CompileArgs) -> miette::Result<Exit> {
    let path = &discover::manifest(&args.path)?;
    let session = Session::new()?;
    let root = session.file(path);
    if outside::refusal(&session, root, true).is_some() {
        return Ok(Exit::Findings);
    }
    let request = emit::Request {
        stage: match args.emit {
            Stage::Surface => emit::Stage::Surface,
            Stage::Folded => emit::Stage::Folded,
            Stage::Desugared => emit::Stage::Desugared,
            Stage::Ir => emit::Stage::Ir,
        },
        format: match args.format {
            EmitFormat::Text => emit::Format::Text,
            EmitFormat::Json => emit::Format::Json,
            EmitFormat::Yaml => emit::Format::Yaml,
        },
        room: args.room.clone(),
        diff: args.diff,
        within: Some(session.here.clone()),
    };
    let text = emit::emit(&session.db, root, &request).map_err(|e| miette!("{e}"))?;
    output::print(&text)?;
    Ok(Exit::Clean)
}
