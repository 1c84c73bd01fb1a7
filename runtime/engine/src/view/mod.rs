//! What a room shows, as one text 80 columns wide (`machine` 16, `expressions` 12).
//!
//! The text holds no terminal escapes: whoever shows it decides about colours and links.

mod choice;
mod elements;
mod prerequisites;

use kitsoki_expr::{Env, Map, Value};
use kitsoki_ir::View;
use smol_str::SmolStr;

use crate::fault::TurnError;
use crate::machine::{Machine, env};
use crate::path;
use crate::value;
use crate::world::World;
pub use prerequisites::Requirement;

/// The width of a view.
pub const WIDTH: usize = 80;

/// What an element needs to render its texts.
pub(crate) struct Canvas<'a> {
    pub machine: Machine<'a>,
    pub env: &'a Env,
    pub dir: &'a str,
}

impl Machine<'_> {
    /// Renders a room as it is now: without what was said on the way, and without the view of an arm.
    ///
    /// # Errors
    /// When a template or a guard of an element fails.
    pub fn render(self, at: &str, world: &World) -> Result<String, TurnError> {
        if path::is_parallel(at) {
            let slots = Map::new();
            let view = self.render_regions(at, world, &slots)?;
            return self.with_notice(None, view, at, world, &slots);
        }
        self.render_with(at, world, &Map::new())
    }

    /// The same with the slots of the call that led there.
    pub(crate) fn render_with(self, at: &str, world: &World, slots: &Map) -> Result<String, TurnError> {
        match self.program.state(at).and_then(|(_, s)| s.view.as_ref()) {
            Some(view) => self
                .render_view(view, at, world, slots)
                .map_err(|e| e.at(format_args!("view of state \"{at}\""))),
            None if path::is_parallel(at) => self.render_regions(at, world, slots),
            None => self.with_notice(None, String::new(), at, world, slots),
        }
    }

    /// Renders one view at a path, with the notice about unmet prerequisites.
    pub(crate) fn render_view(self, view: &View, at: &str, world: &World, slots: &Map) -> Result<String, TurnError> {
        let env = self.view_env(at, at, world, slots);
        if let View::Elements(elements) = view {
            let unmet = self.unmet(at, &env);
            if !unmet.is_empty() {
                let elements = self.with_setup(elements, &unmet, &env);
                return self.render_body(&View::Elements(elements), &env, at);
            }
        }
        let text = self.render_body(view, &env, at)?;
        match view {
            View::Elements(_) => Ok(text),
            _ => self.with_notice(Some(&env), text, at, world, slots),
        }
    }

    /// The views of a parallel root and of its leaves, each with its own `state`.
    pub(crate) fn render_regions(self, at: &str, world: &World, slots: &Map) -> Result<String, TurnError> {
        let root = path::structural(at);
        let mut out = String::new();
        for (n, part) in std::iter::once(root).chain(path::leaves(at)).enumerate() {
            let Some((_, state)) = self.program.state(part) else {
                continue;
            };
            let Some(view) = &state.view else { continue };
            let env = self.view_env(at, part, world, slots);
            let text = self
                .render_body(view, &env, part)
                .map_err(|e| e.at(format_args!("view of state \"{part}\"")))?;
            if n > 0 && !out.is_empty() {
                out.push_str("\n\n");
            }
            out.push_str(&text);
        }
        Ok(out)
    }

    /// Puts the notice on top of a text.
    fn with_notice(
        self,
        env: Option<&Env>,
        text: String,
        at: &str,
        world: &World,
        slots: &Map,
    ) -> Result<String, TurnError> {
        if !self.has_prerequisites(at) {
            return Ok(text);
        }
        let made;
        let env = match env {
            Some(env) => env,
            None => {
                made = self.view_env(at, at, world, slots);
                &made
            }
        };
        let unmet = self.unmet(at, env);
        if unmet.is_empty() {
            return Ok(text);
        }
        let notice = View::Elements(prerequisites::notice(&unmet));
        let notice = self.render_body(&notice, env, at)?;
        if text.trim().is_empty() {
            return Ok(notice);
        }
        Ok(format!("{notice}\n\n{text}"))
    }

    /// The environment of views: world, slots, menu, prerequisites, and the state that is shown.
    #[must_use]
    pub fn view_env(self, at: &str, shown: &str, world: &World, slots: &Map) -> Env {
        let description = self.program.state(shown).map_or("", |(_, s)| s.description.as_str());
        let mut env = env(world, slots).with_menu(self.menu(at, world).to_map());
        env.state = Some(value::map([
            ("path", Value::text(shown)),
            ("description", Value::text(description)),
        ]));
        let all = self.requirements(at, &env);
        env.prerequisites = Some(prerequisites::to_map(&all));
        env
    }

    fn render_body(self, view: &View, env: &Env, at: &str) -> Result<String, TurnError> {
        let dir = self.program.view_dir(at);
        match view {
            View::Text(text) => self.program.view_text(text, env, dir),
            View::File(name) => self.program.view_file(name, env, dir),
            View::Elements(elements) => {
                let canvas = Canvas {
                    machine: self,
                    env,
                    dir,
                };
                canvas.elements(elements)
            }
            View::Extends { template, blocks } => {
                let canvas = Canvas {
                    machine: self,
                    env,
                    dir,
                };
                let mut bodies = Vec::with_capacity(blocks.len());
                for (name, elements) in blocks {
                    let body = canvas
                        .elements(elements)
                        .map_err(|e| e.at(format_args!("block \"{name}\"")))?;
                    bodies.push((name.clone(), body));
                }
                self.program.extended(template, &bodies, env, dir)
            }
        }
    }
}

/// The name of a base template: `.pongo` is added when it has no extension.
pub(crate) fn base_name(name: &str) -> SmolStr {
    let file = name.rsplit('/').next().unwrap_or(name);
    if file.contains('.') {
        SmolStr::from(name)
    } else {
        SmolStr::from(format!("{name}.pongo"))
    }
}
