//! Prompts: a file of the story or a text, rendered with arguments.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use kitsoki_expr::{Env, LoadedTemplate, TemplateLoader, parse_p_file};

use crate::call::{Call, Data};
use crate::{place, value};

/// The largest prompt file, in bytes.
const MAX_PROMPT: u64 = 4 << 20;

/// A rendered prompt and the file it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The text.
    pub text: String,
    /// The file; `None` for an inline text.
    pub file: Option<PathBuf>,
}

/// The prompt of a call: the file `prompt_path`, or `prompt`, which is a file when it names one and else a text. A text was
/// rendered with the arguments of the effect and is not rendered again; a file is rendered with `args`.
///
/// # Errors
///
/// A file cannot be read or rendered. `Ok(None)` when the call names no prompt.
pub fn of_call(call: &Call<'_>, args: &Data) -> Result<Option<Prompt>, String> {
    let text = |key: &str| {
        args.get(key)
            .and_then(|v| v.as_str())
            .map(str::trim)
            .unwrap_or_default()
    };
    let arguments = args.get("args").and_then(|v| v.as_object()).unwrap_or(args);
    let (path, inline) = (text("prompt_path"), text("prompt"));
    if !path.is_empty() {
        let file = find(call, path).ok_or_else(|| format!("prompt file {} not found", crate::plain::quoted(path)))?;
        return render(call, &file, arguments).map(Some);
    }
    if inline.is_empty() {
        return Ok(None);
    }
    if !inline.contains(['\n', '\r'])
        && let Some(file) = find(call, inline)
    {
        return render(call, &file, arguments).map(Some);
    }
    let text = args.get("prompt").and_then(|v| v.as_str()).unwrap_or_default();
    Ok(Some(Prompt {
        text: text.to_owned(),
        file: None,
    }))
}

/// The folders in which files of the story are looked for.
fn folders(call: &Call<'_>) -> Vec<PathBuf> {
    let context = call.context;
    let mut out = context.overlays.clone();
    out.extend(context.story_folder());
    if out.is_empty() {
        out.push(context.current.clone());
    }
    out
}

/// A file of the story: an absolute path as imports leave it, or one below a folder of the story.
fn find(call: &Call<'_>, name: &str) -> Option<PathBuf> {
    if name.len() > 1_000 {
        return None;
    }
    let path = Path::new(name);
    if path.is_absolute() {
        return path.is_file().then(|| path.to_owned());
    }
    let at = |folder: PathBuf| {
        let path = folder.join(name);
        (path.is_file() && place::stays_below(&folder, &path)).then_some(path)
    };
    folders(call).into_iter().find_map(at)
}

/// Renders a file.
///
/// # Errors
///
/// It cannot be read, or its template fails.
pub fn render(call: &Call<'_>, file: &Path, arguments: &Data) -> Result<Prompt, String> {
    let shown = file.display();
    let source = place::read_text(file, MAX_PROMPT).map_err(|e| format!("prompt {shown}: {}", place::words(&e)))?;
    let (template, faults) = parse_p_file(&source);
    if let Some(fault) = faults.first() {
        return Err(format!("prompt {shown}: {fault}"));
    }
    let mut env = Env::default().with_args(value::from_data(arguments));
    env.world = Some(value::from_data(&call.context.world));
    let loader = Files {
        folders: folders(call),
        first: file.parent().map(Path::to_owned),
        loaded: RefCell::new(0),
    };
    let text = template
        .render_file(&env, Some(&loader))
        .map_err(|e| format!("prompt {shown}: {e}"))?;
    Ok(Prompt {
        text,
        file: Some(file.to_owned()),
    })
}

/// Files that a prompt includes: beside it, or below a folder of the story.
struct Files {
    folders: Vec<PathBuf>,
    first: Option<PathBuf>,
    loaded: RefCell<usize>,
}

impl TemplateLoader for Files {
    fn load(&self, name: &str, from: Option<&str>) -> Option<LoadedTemplate> {
        *self.loaded.borrow_mut() += 1;
        if *self.loaded.borrow() > 1_000 {
            return None;
        }
        let beside = match from {
            Some(from) => Path::new(from).parent().map(Path::to_owned),
            None => self.first.clone(),
        };
        let inside = |path: &Path| {
            let beside_first = self.first.iter().any(|f| place::stays_below(f, path));
            beside_first || self.folders.iter().any(|f| place::stays_below(f, path))
        };
        let candidates = beside
            .iter()
            .chain(&self.folders)
            .map(|f| place::cleaned(&f.join(name)));
        let path = candidates.into_iter().find(|p| p.is_file() && inside(p))?;
        let text = place::read_text(&path, MAX_PROMPT).ok()?;
        Some(LoadedTemplate {
            name: path.to_string_lossy().into_owned().into(),
            text: text.into(),
            coalesce: true,
        })
    }
}
