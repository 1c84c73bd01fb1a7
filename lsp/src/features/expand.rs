//! What macros and imports make of a room: the text of `compile --emit ir --room`, with the way back to the author's lines.

use camino::Utf8Path;
use kitsoki_compiler::db::{Db as _, SourceFile, normalize};
use kitsoki_compiler::emit::{self, Format, Request, Stage};
use kitsoki_syntax::{LineCol, TextRange};

use super::{At, Place, Snapshot, symbol_at};
use crate::index::names::{names, pieces};
use crate::index::schema::{Kind, Role};

/// A room after every macro.
#[derive(Clone, PartialEq, Debug)]
pub struct Expanded {
    /// The story.
    pub manifest: SourceFile,
    /// The room; `None` for the whole story.
    pub room: Option<String>,
    /// The text.
    pub text: String,
    /// Lines of the text, from 0, with the author's line that caused them.
    pub origins: Vec<(u32, Place)>,
}

/// The room at a place, expanded. The whole story where there is no room.
///
/// # Errors
/// When the story cannot be expanded, in words for the user.
pub fn at(snapshot: &Snapshot, at: At) -> Result<Expanded, String> {
    let db = &snapshot.db;
    let Some(manifest) = symbol_at::packages(snapshot, at.file).first().copied() else {
        return Err("this file belongs to no story".to_owned());
    };
    let mut room: Option<(TextRange, String)> = None;
    for piece in pieces(db, at.file) {
        for o in names(db, piece.file).iter() {
            let full = o.full + piece.offset;
            // The outermost room: what a macro makes stands in it.
            if o.kind == Kind::State
                && o.role == Role::Definition
                && full.contains_inclusive(at.offset)
                && room.as_ref().is_none_or(|(r, _)| r.len() < full.len())
            {
                room = Some((full, o.name.to_string()));
            }
            if o.kind == Kind::Import && o.role == Role::Definition && full.contains_inclusive(at.offset) {
                room = Some((full, o.name.to_string()));
            }
        }
    }
    of_room(snapshot, manifest, room.map(|(_, name)| name))
}

/// A room of a story, expanded.
///
/// # Errors
/// As [`at`].
pub fn of_room(snapshot: &Snapshot, manifest: SourceFile, room: Option<String>) -> Result<Expanded, String> {
    let db = &snapshot.db;
    let request = Request {
        stage: Stage::Ir,
        format: Format::Text,
        room: room.clone(),
        diff: false,
        within: snapshot.workspace.folders.first().cloned(),
    };
    let text = emit::emit(db, manifest, &request).map_err(|e| e.to_string())?;
    let origins = text
        .lines()
        .enumerate()
        .filter_map(|(n, line)| Some((u32::try_from(n).ok()?, origin(snapshot, manifest, line)?)))
        .collect();
    Ok(Expanded {
        manifest,
        room,
        text,
        origins,
    })
}

/// The author's line in the remark of a line: `… ; workbench at rooms/bench.yaml:12`.
fn origin(snapshot: &Snapshot, manifest: SourceFile, line: &str) -> Option<Place> {
    let (_, note) = line.rsplit_once("; ")?;
    let (_, place) = note.split(", imported at ").next()?.rsplit_once(" at ")?;
    let (path, number) = place.rsplit_once(':')?;
    let number: u32 = number.parse().ok()?;
    let db = &snapshot.db;
    let file = db.file(&normalize(&manifest.dir(db).join(Utf8Path::new(path))));
    file.contents(db).text()?;
    let lines = snapshot.lines(file);
    let range = lines.line_range(number);
    let text = snapshot.text(file);
    let part = text.get(std::ops::Range::<usize>::from(range))?;
    let lead = part.len() - part.trim_start().len();
    let start = lines.offset(LineCol {
        line: number,
        col: u32::try_from(lead).ok()? + 1,
    });
    Some(Place {
        file,
        range: TextRange::new(start, range.end().max(start)),
    })
}
