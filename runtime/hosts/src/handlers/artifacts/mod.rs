//! `host.artifacts_dir`: texts and media below one folder (`hosts` 11.1).
//!
//! A text is appended to the file of its thread; media is copied and gets a handle. Neither leaves the folder, by `..`, by
//! an absolute path or by a link; the reference lets texts go anywhere.

mod media;
mod mime;

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::arguments::Arguments;
use crate::call::{Answer, Call, Failure, data};
use crate::confined::{self, Folder};
use crate::plain::quoted;
use crate::{place, value};

/// The largest file whose parts are counted, in bytes.
const MAX_COUNTED: u64 = 64 << 20;

/// Answers a call.
pub(super) fn call(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let thread = args.required("thread")?;
    match args.telling("src_path") {
        Some(source) => media::emit(call, &args, thread, source),
        None => text(call, &args, thread),
    }
}

/// The folder of artifacts as it was given and as a whole path.
struct Root {
    shown: PathBuf,
    whole: PathBuf,
    folder: Folder,
}

impl Root {
    fn open(call: &Call<'_>, args: &Arguments<'_>) -> Result<Self, Box<Failure>> {
        let context = call.context;
        let named = context.environment.telling("KITSOKI_ARTIFACTS_ROOT");
        let given = Some(args.raw("artifacts_root")).filter(|r| !r.trim().is_empty());
        let shown = match given.or(named) {
            Some(root) => PathBuf::from(root),
            None => context.current.join(".artifacts"),
        };
        let whole = context.path(&shown);
        let folder = Folder::create(&whole)
            .map_err(|e| args.outside(format!("mkdir {}: {}", shown.display(), place::words(&e))))?;
        Ok(Self { shown, whole, folder })
    }

    /// A name below the folder as the way from it.
    fn below(&self, name: &str, args: &Arguments<'_>) -> Result<PathBuf, Box<Failure>> {
        place::below(&self.whole, &self.whole.join(name)).ok_or_else(|| {
            args.wrong(format!(
                "{}: destination path escapes artifacts root {}",
                quoted(name),
                self.shown.display()
            ))
        })
    }

    /// The path that an answer names: as the folder was given.
    fn shown(&self, way: &Path) -> String {
        place::cleaned(&self.shown.join(way)).to_string_lossy().into_owned()
    }
}

fn text(call: &Call<'_>, args: &Arguments<'_>, thread: &str) -> Answer {
    let body = body(args.get("body"));
    if body.trim().is_empty() {
        return Err(args.missing("body"));
    }
    let bare = place::extension(thread).is_empty() && !thread.contains(['/', '\\']);
    let name = if bare {
        format!("{thread}.md")
    } else {
        thread.to_owned()
    };
    let root = Root::open(call, args)?;
    let way = root.below(&name, args)?;
    let failed = |e: std::io::Error| args.outside(format!("{}: {}", root.shown(&way), confined::words(&e)));
    let replace = args.text("mode").eq_ignore_ascii_case("replace");
    let old = match root.folder.read(&way, MAX_COUNTED) {
        Ok(old) if !replace => old,
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(failed(e)),
        _ => Vec::new(),
    };
    let new = render(args.raw("title"), &body, args.raw("phase_id"));
    let number = if replace {
        root.folder.write(&way, new.as_bytes()).map_err(failed)?;
        1
    } else if old.is_empty() {
        root.folder.append(&way, new.as_bytes()).map_err(failed)?;
        1
    } else {
        let separated = format!("\n\n---\n\n{new}");
        root.folder.append(&way, separated.as_bytes()).map_err(failed)?;
        String::from_utf8_lossy(&old).matches("\n---\n").count() + 2
    };
    let stem = place::stem(&name).to_owned();
    Ok(data(json!({
        "ok": true,
        "path": root.shown(&way),
        "message_id": format!("{stem}#{number}"),
    })))
}

/// A body as text: structures as indented JSON, other scalars printed.
pub(super) fn body(body: Option<&Json>) -> String {
    match body {
        None | Some(Json::Null) => String::new(),
        Some(structure @ (Json::Object(_) | Json::Array(_))) => value::indented(structure),
        Some(scalar) => value::argument(scalar),
    }
}

fn render(title: &str, body: &str, phase: &str) -> String {
    let mut out = String::new();
    if !title.is_empty() {
        out.push_str(&format!("### {title}\n\n"));
    }
    out.push_str(body.trim_end_matches('\n'));
    if !phase.is_empty() {
        out.push_str(&format!("\n\n_phase: {phase}_"));
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::environment::Environment;

    fn post(context: &Context, with: Json) -> Answer {
        crate::builtins().invoke("host.artifacts_dir", data(with), context)
    }

    #[test]
    fn a_text_has_its_title_and_phase() {
        let folder = tempfile::tempdir().unwrap();
        let context = Context::bare(folder.path(), Environment::empty());
        let with = json!({"thread": "a", "body": "b\n\n", "title": "T", "phase_id": "p", "artifacts_root": "out"});
        let answer = post(&context, with).unwrap();
        assert_eq!(answer["path"], "out/a.md");
        let text = std::fs::read_to_string(folder.path().join("out/a.md")).unwrap();
        assert_eq!(text, "### T\n\nb\n\n_phase: p_\n");
    }

    #[test]
    fn nothing_leaves_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        let context = Context::bare(folder.path(), Environment::empty());
        post(&context, json!({"thread": "first", "body": "x"})).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join(".artifacts/link")).unwrap();
        let absolute = outside.path().join("abs.md");
        for thread in ["../up.md", "a/../../up", "link/x.md", absolute.to_str().unwrap(), ".."] {
            let failure = post(&context, json!({"thread": thread, "body": "x"})).unwrap_err();
            assert!(failure.message.contains("escapes"), "{thread}: {failure}");
        }
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
        let inside = context.current.join(".artifacts/abs.md");
        post(&context, json!({"thread": inside, "body": "x"})).unwrap();
        assert!(inside.exists());
    }
}
