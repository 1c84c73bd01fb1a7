//! Background calls: starting them, and the turn that their end makes (`dispatch` 8.1, 8.2; `machine` 21).

use std::sync::Arc;

use kitsoki_expr::{Map, Value};
use kitsoki_ir::{Effect, Redirect};
use smol_str::SmolStr;

use super::dispatch::{Grant, job_key};
use super::port::{Ask, HostResult, Job, JobStatus};
use super::task::{Task, set_event, text_of, write};
use super::turns::expire;
use super::{Done, Journey};
use crate::event::{Event, event, kind};
use crate::machine::HostCall;
use crate::path;
use crate::value;
use crate::world::World;

impl Task {
    /// Starts a job whose call the gate has let through.
    pub fn submit_job(
        &self,
        call: &HostCall,
        args: Map,
        grant: &Grant,
        state: &str,
        world: &mut World,
        events: &mut Vec<Event>,
    ) {
        let (job, request) = {
            let mut shared = self.port.lock();
            shared.numbered += 1;
            let id: SmolStr = format!("job-{}", shared.numbered).into();
            shared.jobs.push(Job {
                id: id.clone(),
                verb: call.namespace.clone(),
                args: args.clone(),
                origin: state.into(),
                declared_in: call.declared_in.clone(),
                invoke: Arc::clone(&call.invoke),
                status: JobStatus::Running,
                question: None,
                error: String::new(),
            });
            drop(shared);
            (id, self.request(call, args, grant, state, world))
        };
        self.port.send(Ask::Job {
            job: job.clone(),
            call: request,
        });
        let key = job_key(self, &call.invoke);
        world.set("last_job_id", Value::Str(job.clone()));
        write(world, events, &key, Value::Str(job.clone()));
        if key != "last_job_id" {
            write(world, events, "last_job_id", Value::Str(job.clone()));
        }
        let mut submitted = event!(
            kind::SUBMITTED,
            "namespace": call.namespace.clone(),
            "job_id": job,
            "state": state,
        );
        grant.note(&mut submitted);
        events.push(submitted);
        self.port
            .notify("info", format!("Job submitted: {}", call.namespace), String::new());
    }

    /// The turn that the end of a job makes. `None` when its effects fail: then nothing is written.
    pub async fn complete_job(&self, job: &Job, result: HostResult, journey: &Journey) -> Option<Done> {
        let status = job.status;
        let data = submission(job, result);
        let mut world = journey.world.clone();
        world.vars.insert("last_job_id", Value::Str(job.id.clone()));
        world.vars.insert("last_job_status", Value::text(status.as_str()));
        if let Some(data) = &data {
            world.vars.insert("last_job_result", Value::Map(data.clone()));
        }
        let turn = i64::try_from(self.turn).unwrap_or(i64::MAX);
        let mut events = vec![event!(
            kind::TURN_START,
            "turn": turn,
            "kind": "background_completion",
            "job_id": job.id.clone(),
        )];
        expire(journey, &mut world, &mut events);
        let stale = journey.state != job.origin;
        let mut state = if stale {
            journey.state.clone()
        } else {
            job.origin.clone()
        };
        if !stale && !job.invoke.on_complete.is_empty() {
            let list = &job.invoke.on_complete;
            // The room that declares the call declares what follows it, wherever the turn of the call has led.
            let lists = [(job.declared_in.as_str(), list.as_slice())];
            let chain = self.machine().run_lists(&job.origin, world, &lists, false).ok()?;
            world = chain.world;
            events.extend(chain.events);
            state = chain.state;
            let mut redirected = false;
            if !chain.calls.is_empty() {
                let before = world.clone();
                let done = self.dispatch(chain.calls, &job.origin, &mut world, 0).await;
                if done.error.is_some() {
                    world = before;
                } else {
                    events.extend(done.events);
                    if let Some(to) = done.redirect {
                        state = to;
                        redirected = true;
                    }
                }
            }
            if !redirected {
                self.go_on(list, &mut state, &mut world, &mut events).await;
            }
        }
        self.machine().settle_run(&state, &mut world, &mut events);
        let mut completed = event!(kind::COMPLETED, "job_id": job.id.clone(), "status": status.as_str());
        if !job.error.is_empty() {
            completed.payload.insert("error", Value::text(&job.error));
        }
        events.push(completed);
        events.push(set_event("$inbox", self.port.inbox_summary()));
        events.push(event!(kind::TURN_END, "outcome": "background_completion", "job_status": status.as_str()));
        let (severity, title, body) = told(job, data.as_ref());
        self.port.notify(severity, title, body);
        let mut done = Done::synthetic(events, state);
        done.stamps = false;
        Some(done)
    }

    /// The first `target` of an `on_complete` list that fires.
    async fn go_on(&self, list: &[Effect], state: &mut SmolStr, world: &mut World, events: &mut Vec<Event>) {
        let env = crate::machine::env(world, &Map::new());
        let mut found = None;
        for effect in list {
            let Some(target) = &effect.target else { continue };
            match effect.when.map_or(Ok(true), |when| self.program.guard(when, &env)) {
                Ok(true) if found.is_none() => found = Some(target),
                Ok(_) => {}
                Err(_) => return,
            }
        }
        let Some(target) = found else { return };
        let to = match target {
            Redirect::Template(id) => {
                let Ok(Value::Str(text)) = self.program.value_template(*id, &env) else {
                    return;
                };
                let text = text.trim();
                if text.starts_with("..") {
                    path::relative(state, text).into()
                } else {
                    SmolStr::from(text.replace('/', "."))
                }
            }
            other => self.named(other, state),
        };
        let Some((_, room)) = self.program.state(&to) else {
            return;
        };
        let from = state.clone();
        let mut own = vec![
            event!(kind::TRANSITION, "from": from.clone(), "to": to.clone(), "intent": "__on_complete_target__"),
            event!(kind::EXITED, "state": from),
            event!(kind::ENTERED, "state": to.clone()),
        ];
        let mut resting = to.clone();
        if !room.on_enter.is_empty() {
            let lists = [(room.path.as_str(), room.on_enter.as_slice())];
            let Ok(chain) = self.machine().run_lists(&to, world.clone(), &lists, false) else {
                return;
            };
            *world = chain.world;
            own.extend(chain.events);
            resting = chain.state;
            if !chain.calls.is_empty() {
                let before = world.clone();
                let done = self.dispatch(chain.calls, &resting, world, 0).await;
                if done.error.is_some() {
                    *world = before;
                } else {
                    own.extend(done.events);
                }
            }
        }
        events.append(&mut own);
        *state = resting;
    }
}

/// The data of a job's result. An agent's job that brought no submission is told as a failed one.
fn submission(job: &Job, result: HostResult) -> Option<Map> {
    let data = match result {
        HostResult::Done(data) | HostResult::Domain { data, .. } => data,
        HostResult::Infra(_) => None,
    };
    if !job.verb.starts_with("host.agent.") {
        return data;
    }
    let mut data = data.unwrap_or_default();
    if data.get("submitted").is_some_and(|s| !s.is_nil()) {
        return Some(data);
    }
    let mut submitted = value::map([
        ("status", Value::text("failed")),
        (
            "findings",
            value::texts(["Agent job completed without a submitted handoff."]),
        ),
        (
            "summary",
            Value::text("Agent job completed without a submitted handoff."),
        ),
    ]);
    let item = job
        .args
        .get("context")
        .and_then(|c| c.get("args"))
        .and_then(|a| a.get("item"));
    if let Some(item) = item {
        let mut copy = |from: &str, to: &str| {
            if let Some(value) = item.get(from).filter(|v| !v.is_nil()) {
                submitted.insert(to, value.clone());
            }
        };
        copy("model", "model");
        copy("profile", "profile");
        if text_of(&job.args, "agent") == "implementer" {
            copy("implementation_story", "story");
            copy("implementation_trace_path", "trace_path");
        } else {
            copy("story", "story");
            copy("trace_path", "trace_path");
        }
    }
    data.insert("submitted", Value::Map(submitted));
    Some(data)
}

/// The notification about the end of a job.
fn told(job: &Job, data: Option<&Map>) -> (&'static str, String, String) {
    let chat = data.is_some_and(|d| !text_of(d, "chat_id").is_empty());
    let cut = |text: &str, n: usize| -> String {
        if text.chars().count() <= n {
            return text.to_owned();
        }
        let mut out: String = text.chars().take(n).collect();
        out.push('…');
        out
    };
    match job.status {
        JobStatus::Done if chat => {
            let answer = data.map_or("", |d| text_of(d, "answer"));
            if answer.is_empty() {
                let out = data.map_or("", |d| text_of(d, "stdout"));
                return ("success", "Reply ready".into(), cut(out, 200));
            }
            (
                "success",
                format!("Reply ready — {}", cut(answer, 60)),
                cut(answer, 200),
            )
        }
        JobStatus::Done => ("success", format!("Job done: {}", job.verb), String::new()),
        JobStatus::Failed if chat => ("error", format!("Reply failed — {}", job.verb), job.error.clone()),
        JobStatus::Failed => ("error", format!("Job failed: {}", job.verb), job.error.clone()),
        JobStatus::Cancelled if chat => ("warn", format!("Reply cancelled — {}", job.verb), String::new()),
        JobStatus::Cancelled => ("warn", format!("Job cancelled: {}", job.verb), String::new()),
        status => ("info", format!("Job {}: {}", status.as_str(), job.verb), String::new()),
    }
}
