//! `host.slidey.render`, `host.contact_sheet`, `host.video.frame`: pictures and films by external programs (`hosts` 8.7).

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::arguments::Arguments;
use crate::call::{Answer, Call, data};
use crate::place;
use crate::plain::quoted;
use crate::process::{self, Program};

/// The program that renders decks, unless `KITSOKI_SLIDEY_BIN` names another.
const SLIDEY: &str = "slidey";

pub(super) fn slidey(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let spec = args.required("spec_path")?;
    let format = args.text("format").to_lowercase();
    let (mime, kind) = match format.as_str() {
        "" => return Err(args.missing("format")),
        "mp4" => ("video/mp4", "video"),
        "pdf" => ("application/pdf", "pdf"),
        "html" => ("text/html", "html"),
        other => {
            return Err(args.wrong(format!(
                "unsupported format {}; there are mp4, pdf and html",
                quoted(other)
            )));
        }
    };
    let context = call.context;
    let spec = context.path(spec);
    let output = match args.telling("output_path") {
        Some(path) => context.path(path),
        None => spec.with_extension(&format),
    };
    let name = context.environment.telling("KITSOKI_SLIDEY_BIN").unwrap_or(SLIDEY);
    let run = |words: &[&std::ffi::OsStr]| {
        let program = Program::new(name, &context.current, &context.environment).args(words);
        process::run(&program, &context.cancel)
    };
    let validated = run(&[spec.as_os_str(), "--validate".as_ref()])
        .map_err(|e| args.outside(format!("the deck tool cannot be started: {e}")))?;
    if !validated.ok() {
        return Err(args.outside(format!("spec validation failed: {}", validated.complaint())));
    }
    let rendered = if format == "html" {
        run(&["bundle".as_ref(), spec.as_os_str(), output.as_os_str()])
    } else {
        run(&[spec.as_os_str(), output.as_os_str()])
    };
    let rendered = rendered.map_err(|e| args.outside(format!("render: {e}")))?;
    let mut out = data(json!({
        "ok": rendered.ok(),
        "path": output,
        "mime": mime,
        "kind": kind,
        "exit_code": rendered.code,
        "stdout": rendered.said.output,
        "stderr": rendered.said.errors,
    }));
    if !rendered.ok() {
        let text = format!("render exited {}: {}", rendered.code, rendered.complaint());
        return Err(args.outside(text).with(out));
    }
    let mut chapters = output.into_os_string();
    chapters.push(".chapters.json");
    if kind == "video" && Path::new(&chapters).is_file() {
        out.insert("chapters_path".to_owned(), json!(PathBuf::from(chapters)));
    }
    Ok(out)
}

/// The largest number of pictures on a sheet.
const MAX_TILES: usize = 400;

pub(super) fn contact_sheet(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let folder = call.context.path(args.required("dir")?);
    let pattern = args.telling("glob").unwrap_or("*.png");
    let count = |key: &str, default: i64, most: i64| args.integer(key).filter(|n| *n > 0).unwrap_or(default).min(most);
    let (cols, width) = (count("cols", 4, 100), count("tile_width", 320, 4_096));
    let output = match args.telling("output_path") {
        Some(path) => call.context.path(path),
        None => folder.join("contact_sheet.png"),
    };
    let entries =
        std::fs::read_dir(&folder).map_err(|e| args.outside(format!("{}: {}", folder.display(), place::words(&e))))?;
    let names = entries
        .filter_map(Result::ok)
        .map(|e| e.path())
        .filter(|p| p.is_file() && *p != output);
    let fits = |p: &PathBuf| p.file_name().is_some_and(|n| matches(pattern, &n.to_string_lossy()));
    let mut pictures: Vec<PathBuf> = names.filter(fits).collect();
    pictures.sort();
    pictures.truncate(MAX_TILES);
    if pictures.is_empty() {
        return Err(args.outside(format!("no files matched {} in {}", quoted(pattern), folder.display())));
    }
    let mut listed = String::new();
    for picture in &pictures {
        let name = picture.to_string_lossy().replace('\'', "'\\''");
        listed.push_str(&format!("file '{name}'\n"));
    }
    let list = tempfile::NamedTempFile::new().map_err(|e| args.outside(place::words(&e)))?;
    std::fs::write(list.path(), listed).map_err(|e| args.outside(place::words(&e)))?;
    let rows = pictures.len().div_ceil(usize::try_from(cols).unwrap_or(1));
    let filter = format!("scale={width}:-1,tile={cols}x{rows}");
    let program = Program::new("ffmpeg", &folder, &call.context.environment)
        .args(["-nostdin", "-f", "concat", "-safe", "0", "-i"])
        .args([list.path()])
        .args(["-frames:v", "1", "-vf", &filter, "-y"])
        .args([&output]);
    picture(call, &args, &program, &output)
}

/// Runs ffmpeg, which leaves a picture.
fn picture(call: &Call<'_>, args: &Arguments<'_>, program: &Program, output: &Path) -> Answer {
    let ended = process::run(program, &call.context.cancel)
        .map_err(|e| args.outside(format!("ffmpeg is needed and cannot be started: {e}")))?;
    let out = data(json!({"ok": ended.ok(), "path": output, "mime": "image/png", "kind": "image"}));
    if ended.ok() {
        return Ok(out);
    }
    let text = format!("ffmpeg exited {}: {}", ended.code, ended.complaint());
    Err(args.outside(text).with(out))
}

/// Whether a name fits a pattern of `*` and `?`.
fn matches(pattern: &str, name: &str) -> bool {
    let (p, n): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut i, mut j, mut back) = (0, 0, None);
    while j < n.len() {
        match p.get(i) {
            Some('*') => {
                back = Some((i, j));
                i += 1;
            }
            Some(c) if *c == '?' || Some(c) == n.get(j) => {
                i += 1;
                j += 1;
            }
            _ => match back {
                Some((star, at)) => {
                    i = star + 1;
                    j = at + 1;
                    back = Some((star, at + 1));
                }
                None => return false,
            },
        }
    }
    p.iter().skip(i).all(|c| *c == '*')
}

pub(super) fn video_frame(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let video = match args.get("video") {
        Some(Json::String(path)) => path.trim(),
        Some(Json::Object(handle)) => match handle.get("path").and_then(Json::as_str).map(str::trim) {
            None | Some("") => return Err(args.wrong("the video handle has no `path`")),
            Some(path) => path,
        },
        _ => "",
    };
    if video.is_empty() {
        return Err(args.missing("video"));
    }
    let millis = match args.get("t_ms") {
        None => return Err(args.missing("t_ms")),
        Some(Json::String(text)) => text.trim().parse::<i64>().ok(),
        Some(_) => args.integer("t_ms"),
    };
    let millis = millis.ok_or_else(|| args.wrong("t_ms must be a number"))?;
    if millis < 0 {
        return Err(args.wrong(format!("t_ms must be >= 0, got {millis}")));
    }
    let video = call.context.path(video);
    if !video.is_file() {
        return Err(args.outside(format!("video {} not found", video.display())));
    }
    let output = still(&video, millis);
    let at = format!("{}.{:03}", millis / 1_000, millis % 1_000);
    let program = Program::new("ffmpeg", &call.context.current, &call.context.environment)
        .args(["-nostdin", "-ss", &at, "-i"])
        .args([&video])
        .args(["-frames:v", "1", "-y"])
        .args([&output]);
    picture(call, &args, &program, &output)
}

/// Where the still of a time lies: beside the video.
fn still(video: &Path, millis: i64) -> PathBuf {
    let stem = video
        .file_stem()
        .map(|s| s.to_string_lossy().into_owned())
        .unwrap_or_default();
    video.with_file_name(format!("{stem}.frame-{millis}.png"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::environment::Environment;

    fn ask(context: &Context, handler: &str, with: Json) -> Box<crate::Failure> {
        crate::builtins().invoke(handler, data(with), context).unwrap_err()
    }

    #[test]
    fn patterns_match_whole_names() {
        assert!(matches("*.png", "a.png") && matches("f?-*.p*", "f1-x.png") && matches("**", ""));
        assert!(!matches("*.png", "a.png.txt") && !matches("?", "") && !matches("a*b", "ac"));
    }

    #[test]
    fn what_is_missing_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let context = Context::bare(folder.path(), Environment::empty().with("PATH", "/nowhere"));
        let failure = ask(&context, "host.contact_sheet", json!({"dir": "."}));
        assert!(failure.message.contains("no files matched"), "{failure}");
        std::fs::write(folder.path().join("a.png"), "x").unwrap();
        let failure = ask(&context, "host.contact_sheet", json!({"dir": "."}));
        assert!(failure.message.contains("ffmpeg is needed"), "{failure}");
        let failure = ask(
            &context,
            "host.slidey.render",
            json!({"spec_path": "s.json", "format": "PDF"}),
        );
        assert!(failure.message.contains("cannot be started"), "{failure}");
        for (with, want) in [
            (json!({"video": {"id": "x"}, "t_ms": 0}), "no `path`"),
            (json!({"video": "v.mp4"}), "t_ms argument is required"),
            (json!({"video": "v.mp4", "t_ms": -1}), "must be >= 0"),
            (json!({"video": "v.mp4", "t_ms": 5}), "not found"),
        ] {
            let failure = ask(&context, "host.video.frame", with);
            assert!(failure.message.contains(want), "{failure}");
        }
    }
}
