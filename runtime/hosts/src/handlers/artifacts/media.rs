//! Media: copied below the folder with what belongs to it, and named by a handle.

use std::path::Path;

use kitsoki_expr::sha256;
use serde_json::json;

use super::{Root, mime};
use crate::arguments::Arguments;
use crate::call::{Answer, Call, data};
use crate::plain::quoted;
use crate::services::Artifact;
use crate::{confined, place};

/// The largest file that is taken in, in bytes.
const MAX_MEDIA: u64 = 2 << 30;

/// The kinds of media.
const KINDS: [&str; 6] = ["video", "image", "pdf", "html", "slideshow", "data"];

pub(super) fn emit(call: &Call<'_>, args: &Arguments<'_>, thread: &str, source: &str) -> Answer {
    let kind = args.text("kind").to_lowercase();
    if kind.is_empty() {
        let known = KINDS.join("/");
        return Err(args.wrong(format!(
            "kind argument is required when src_path is set (one of {known})"
        )));
    }
    if !KINDS.contains(&kind.as_str()) {
        let known = KINDS.join("/");
        return Err(args.wrong(format!("unsupported kind {} (must be {known})", quoted(&kind))));
    }
    let from = call.context.path(source);
    if from.is_dir() {
        return Err(args.outside(format!("src_path {} is not a regular file", quoted(source))));
    }
    let content = place::read(&from, MAX_MEDIA)
        .map_err(|e| args.outside(format!("src_path {}: {}", quoted(source), place::words(&e))))?;
    let extension = place::extension(source);
    let name = if place::extension(thread) == extension {
        thread.to_owned()
    } else {
        format!("{thread}{extension}")
    };
    let root = Root::open(call, args)?;
    // Here a thread is always a way from the folder, also when it begins like a whole path.
    let way = root.below(name.trim_start_matches('/'), args)?;
    root.folder
        .write(&way, &content)
        .map_err(|e| args.outside(format!("copy to {}: {}", root.shown(&way), confined::words(&e))))?;
    for (beside, target) in companions(&from, &way, &kind) {
        // What belongs to the media may be absent; without it the media is as good.
        if let Ok(extra) = place::read(&beside, MAX_MEDIA) {
            let _ = root.folder.write(&target, &extra);
        }
    }
    let hash = sha256::hex(&content);
    let id = format!("{}#{}", place::stem(&name), hash.get(..8).unwrap_or(&hash));
    let mime = match args.telling("mime") {
        Some(given) => given.to_owned(),
        None => mime::of(&name, &content).to_owned(),
    };
    let label = args.raw("label");
    let path = root.whole.join(&way).to_string_lossy().into_owned();
    if let Some(log) = &call.context.services.artifacts {
        log.emitted(&Artifact {
            id: id.clone(),
            kind: kind.clone(),
            mime: mime.clone(),
            label: label.to_owned(),
            path: path.clone(),
            size: content.len() as u64,
        });
    }
    Ok(data(json!({
        "ok": true,
        "path": path,
        "handle": {"id": id, "kind": kind, "mime": mime, "label": label},
    })))
}

/// Files that belong to the media and are copied with it: chapters of a video, and for every kind the map of its clickable
/// parts and its still.
fn companions(from: &Path, way: &Path, kind: &str) -> Vec<(std::path::PathBuf, std::path::PathBuf)> {
    let mut out = vec![
        (
            from.with_extension("semantic.json"),
            way.with_extension("semantic.json"),
        ),
        (from.with_extension("poster.png"), way.with_extension("poster.png")),
    ];
    if kind == "video" {
        let with = |path: &Path| {
            let mut path = path.as_os_str().to_owned();
            path.push(".chapters.json");
            std::path::PathBuf::from(path)
        };
        out.push((with(from), with(way)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::environment::Environment;

    #[test]
    fn what_belongs_to_a_video_comes_along() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["v.mp4", "v.mp4.chapters.json", "v.semantic.json"] {
            std::fs::write(at(name), name).unwrap();
        }
        let context = Context::bare(folder.path(), Environment::empty());
        let with = json!({"thread": "clip", "src_path": "v.mp4", "kind": "Video"});
        let answer = crate::builtins()
            .invoke("host.artifacts_dir", data(with), &context)
            .unwrap();
        assert_eq!(answer["handle"]["mime"], "video/mp4");
        for name in ["clip.mp4", "clip.mp4.chapters.json", "clip.semantic.json"] {
            assert!(at(".artifacts").join(name).is_file(), "{name}");
        }
    }

    #[test]
    fn a_folder_is_no_media() {
        let folder = tempfile::tempdir().unwrap();
        let context = Context::bare(folder.path(), Environment::empty());
        let with = json!({"thread": "x", "src_path": ".", "kind": "data"});
        let failure = crate::builtins()
            .invoke("host.artifacts_dir", data(with), &context)
            .unwrap_err();
        assert!(failure.message.contains("is not a regular file"), "{failure}");
    }
}
