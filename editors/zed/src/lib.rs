//! kitsoki in Zed: tells it how to start the language server, in folders with a story.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Kitsoki;

impl zed::Extension for Kitsoki {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let settings = LspSettings::for_worktree(id.as_ref(), worktree)
            .ok()
            .and_then(|settings| settings.binary);
        let (path, arguments) = settings.map_or((None, None), |binary| (binary.path, binary.arguments));
        // Named in the settings: the user wants it here. Else a folder whose `app.yaml` is another tool's is left alone.
        if path.is_none() && worktree.read_text_file("app.yaml").is_ok_and(|text| !is_manifest(&text)) {
            return Err("the app.yaml of this folder is no manifest of a story".to_owned());
        }
        let command = path
            .or_else(|| worktree.which("kitsoki"))
            .ok_or("no program kitsoki is in PATH: install it, or name it in lsp.kitsoki.binary.path of the settings")?;
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".to_owned()]),
            env: worktree.shell_env(),
        })
    }
}

/// Whether a text is the manifest of a story: `app:` with a mapping, beside another key of a story, and no kind of its own.
fn is_manifest(text: &str) -> bool {
    let mut app = false;
    let mut other = false;
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    while let Some(line) = lines.next() {
        let Some((key, rest)) = line.split_once(':') else {
            continue;
        };
        match key {
            "app" => {
                let rest = rest.trim_start();
                let nested = || {
                    let next = lines.clone().find(|l| !l.trim().is_empty() && !l.trim_start().starts_with('#'));
                    next.is_some_and(|l| l.starts_with([' ', '\t']))
                };
                app |= rest.starts_with('{') || ((rest.is_empty() || rest.starts_with('#')) && nested());
            }
            "root" | "states" | "include" | "imports" | "intents" | "phases" | "meta_modes" => other = true,
            "test_kind" | "kind" => return false,
            _ => {}
        }
    }
    app && other
}

zed::register_extension!(Kitsoki);

#[cfg(test)]
mod tests {
    use super::is_manifest;

    #[test]
    fn a_manifest_is_known_by_its_shape() {
        assert!(is_manifest("app: { id: a }\nroot: x\n"));
        assert!(is_manifest("app:\n  # the id\n  id: a\nstates: {}\n"));
        assert!(!is_manifest("runtime: python39\nroot: x\n"));
        assert!(!is_manifest("app: ../app.yaml\ntest_kind: flow\nroot: x\n"));
    }
}
