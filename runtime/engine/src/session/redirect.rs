//! Where a failed call leads (`dispatch` 6.6).

use kitsoki_ir::Redirect;
use smol_str::SmolStr;

use super::dispatch::{Dispatched, FAILURE_MARK};
use super::task::Task;
use crate::event::{event, kind};
use crate::path;
use crate::world::World;

/// Redirects may follow each other this often.
const MAX_REDIRECTS: usize = 4;

impl Task {
    /// Follows an `on_error` and shows where it leads, with the failure.
    pub async fn follow(&self, target: &Redirect, from: &str, world: &mut World, depth: usize, done: &mut Dispatched) {
        let (view, to) = match self.redirect(target, from, world, depth, done).await {
            Ok(found) => found,
            Err(error) => {
                done.error = Some(error);
                return;
            }
        };
        let view = if view.is_empty() {
            match self.machine().render(&to, world) {
                Ok(view) => view,
                Err(error) => {
                    done.error = Some(error.message);
                    return;
                }
            }
        } else {
            view
        };
        done.view = with_banner(view, world.text("last_error"));
        done.redirect = Some(to);
    }

    async fn redirect(
        &self,
        target: &Redirect,
        from: &str,
        world: &mut World,
        depth: usize,
        done: &mut Dispatched,
    ) -> Result<(String, SmolStr), String> {
        let named = self.named(target, from);
        if depth > MAX_REDIRECTS {
            done.events.push(event!(
                kind::HARNESS_ERROR,
                "reason": "on_error.depth_cap_exceeded",
                "prior": from,
                "target": named.as_str(),
                "depth": i64::try_from(depth).unwrap_or(i64::MAX),
                "cap": i64::try_from(MAX_REDIRECTS).unwrap_or(i64::MAX),
                "message": "on_error leads from failure to failure: the session stays where the first call was made",
            ));
            return Err(format!(
                "on_error: more than {MAX_REDIRECTS} failures led to each other"
            ));
        }
        let Some((_, state)) = self.program.state(&named) else {
            return Err(format!("on_error: no state is called \"{named}\""));
        };
        if named == from {
            return Ok((String::new(), named));
        }
        done.events
            .push(event!(kind::TRANSITION, "from": from, "to": named.clone(), "intent": "on_error"));
        done.events.push(event!(kind::EXITED, "state": from));
        done.events.push(event!(kind::ENTERED, "state": named.clone()));
        if state.on_enter.is_empty() {
            return Ok((String::new(), named));
        }
        let lists = [(state.path.as_str(), state.on_enter.as_slice())];
        let chain = self
            .machine()
            .run_lists(&named, world.clone(), &lists, false)
            .map_err(|e| e.message)?;
        *world = chain.world;
        done.events.extend(chain.events);
        let resolved = chain.state;
        if chain.calls.is_empty() {
            return Ok((String::new(), resolved));
        }
        let nested = self.dispatch(chain.calls, &resolved, world, depth + 1).await;
        done.events.extend(nested.events);
        if let Some(error) = nested.error {
            return Err(error);
        }
        match nested.redirect {
            Some(to) => {
                done.events
                    .push(event!(kind::TRANSITION, "from": resolved, "to": to.clone(), "intent": "on_error"));
                Ok((nested.view, to))
            }
            None => Ok((nested.view, resolved)),
        }
    }

    /// The path that a redirect names, seen from where the session is.
    pub fn named(&self, target: &Redirect, from: &str) -> SmolStr {
        match target {
            Redirect::State(id) => self.program.story.path(*id).into(),
            Redirect::Relative(text) => path::relative(from, text).into(),
            Redirect::Template(id) => self.program.source(*id).into(),
            Redirect::Nowhere(name) => name.replace('/', ".").into(),
        }
    }
}

/// A view that tells the failure: as it is when it does, else with a line below.
pub(crate) fn with_banner(view: String, error: &str) -> String {
    if error.is_empty() || view.contains(error) {
        return view;
    }
    let banner = format!("{FAILURE_MARK}{error}");
    if view.is_empty() {
        return banner;
    }
    format!("{view}\n\n{banner}")
}
