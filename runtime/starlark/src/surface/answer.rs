//! The caller's end of the surface: checks the grant, then asks whoever stands behind it.

use std::sync::mpsc::{Receiver, Sender};

use super::{Answer, Ask, Surface};
use crate::capabilities::{Capabilities, HttpGrant};
use crate::fault::{Class, Fault};
use crate::http::Request;
use crate::http::url::Url;
use crate::inspect::Inspector;

type Answered = Result<Answer, Box<Fault>>;

/// Answers until the script has ended.
pub(crate) fn serve(
    surface: &mut Surface<'_>,
    granted: &Capabilities,
    asks: &Receiver<Ask>,
    answers: &Sender<Answered>,
) {
    while let Ok(ask) = asks.recv() {
        if answers.send(answer(surface, granted, ask)).is_err() {
            return;
        }
    }
}

fn denied(text: String) -> Box<Fault> {
    Fault::new(Class::NotGranted, text)
}

fn answer(surface: &mut Surface<'_>, granted: &Capabilities, ask: Ask) -> Answered {
    let fs = &granted.fs;
    match ask {
        Ask::Read(path) => {
            if !fs.admits_read(&path) {
                return Err(denied(format!("ctx.fs.read: path {path:?} is not granted")));
            }
            let content = inspector(surface, "fs.read", &path)?.read(&path)?;
            if fs.exceeded_by(content.len()) {
                let text = format!(
                    "ctx.fs.read {path:?}: file exceeds {}-byte capability cap",
                    fs.max_bytes
                );
                return Err(Fault::new(Class::LimitSize, text));
            }
            Ok(Answer::Bytes(content))
        }
        Ask::Exists(path) => {
            if !fs.admits_read(&path) {
                return Err(denied(format!("ctx.fs.exists: path {path:?} is not granted")));
            }
            inspector(surface, "fs.exists", &path)?.exists(&path).map(Answer::Flag)
        }
        Ask::Glob(pattern) => {
            if !fs.admits_read(&pattern) {
                return Err(denied(format!("ctx.fs.glob: pattern {pattern:?} is not granted")));
            }
            inspector(surface, "fs.glob", &pattern)?
                .glob(&pattern)
                .map(Answer::Paths)
        }
        Ask::Write(path, content) => {
            if !fs.admits_write(&path) {
                return Err(denied(format!("ctx.fs.write: path {path:?} is not granted")));
            }
            if fs.exceeded_by(content.len()) {
                let text = format!(
                    "ctx.fs.write {path:?}: content exceeds {}-byte capability cap",
                    fs.max_bytes
                );
                return Err(Fault::new(Class::LimitSize, text));
            }
            inspector(surface, "fs.write", &path)?
                .write(&path, &content)
                .map(Answer::Path)
        }
        Ask::Probe(name, arguments) => {
            if !granted.probes.contains(&name) {
                return Err(denied(format!("ctx.probe: probe {name:?} is not granted")));
            }
            inspector(surface, "probe", &name)?
                .probe(&name, &arguments)
                .map(Answer::Probe)
        }
        Ask::Http(request) => {
            check_request(granted.http.as_ref(), &request)?;
            let Some(client) = &mut surface.http else {
                let text = format!(
                    "starlark: no HTTP client configured for this run (attempted {} {})",
                    request.method, request.url
                );
                return Err(Fault::new(Class::NotConfigured, text));
            };
            client.send(&request).map(Answer::Http)
        }
        Ask::Host(verb, args) => {
            let Some(hosts) = &mut surface.hosts else {
                let text = "ctx.host.call: no host caller configured for this run";
                return Err(Fault::new(Class::NotConfigured, text));
            };
            if !granted.verbs.contains(&verb) {
                let allowed = granted.verbs.join(", ");
                let text =
                    format!("ctx.host.call: verb {verb:?} is not allow-listed for this script (allowed: {allowed})");
                return Err(denied(text));
            }
            hosts
                .call(&verb, &args)
                .map(Answer::Data)
                .map_err(|e| Fault::new(Class::HostError, format!("ctx.host.call({verb:?}): {e}")))
        }
    }
}

fn inspector<'s>(surface: &'s mut Surface<'_>, what: &str, target: &str) -> Result<&'s mut dyn Inspector, Box<Fault>> {
    match &mut surface.inspector {
        Some(inspector) => Ok(&mut **inspector),
        None => {
            let text = format!("starlark: no inspector injected for this run (attempted {what} {target:?})");
            Err(Fault::new(Class::NotConfigured, text))
        }
    }
}

fn check_request(grant: Option<&HttpGrant>, request: &Request) -> Result<(), Box<Fault>> {
    let call = format!("ctx.http.{}", request.method.to_lowercase());
    let Some(grant) = grant else {
        return Err(denied(format!("{call}: http is not granted")));
    };
    if !grant.admits_method(&request.method) {
        let allowed = grant.methods.join(", ");
        return Err(denied(format!(
            "{call}: method {} is not granted (allowed: {allowed})",
            request.method
        )));
    }
    if grant.hosts.is_empty() {
        return Ok(());
    }
    let url = Url::parse(&request.url).map_err(|e| denied(format!("{call}: parse URL {:?}: {e}", request.url)))?;
    let host = url.host_lower();
    if !grant.admits_host(&host) {
        let allowed = grant.hosts.join(", ");
        return Err(denied(format!(
            "{call}: host {host:?} is not granted (allowed: {allowed})"
        )));
    }
    Ok(())
}
