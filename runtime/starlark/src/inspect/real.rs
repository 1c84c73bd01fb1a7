//! The inspector of a live call: real files below a root, real probes in it.

use std::path::{Path, PathBuf};

use super::paths::{confine, from_root};
use super::probes::GitHub;
use super::{Inspected, Inspection, Inspector, MAX_FILE, ProbeAnswer, files, glob, probes};
use crate::fault::{Class, Fault};

/// Files below a folder, and temporary ones. One call, one inspector.
pub struct RealInspector {
    root: PathBuf,
    github: GitHub,
    inspections: Vec<Inspection>,
}

impl RealInspector {
    /// An inspector rooted in a folder; a relative one counts from the process's current folder.
    pub fn new(root: &Path) -> Self {
        Self::with_github(root, GitHub::default())
    }

    /// The same with a network for the probe that asks GitHub.
    pub fn with_github(root: &Path, github: GitHub) -> Self {
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        let root = PathBuf::from(crate::pattern::clean_slashes(&root.to_string_lossy()));
        Self {
            root,
            github,
            inspections: Vec::new(),
        }
    }

    fn note(&mut self, op: &'static str, target: &str, status: impl Into<String>) {
        self.inspections.push(Inspection::new(op, target, status));
    }
}

impl Inspector for RealInspector {
    fn read(&mut self, path: &str) -> Inspected<Vec<u8>> {
        let content = files::read(path, &confine(&self.root, path)?)?;
        self.note("read", path, "ok");
        Ok(content)
    }

    fn exists(&mut self, path: &str) -> Inspected<bool> {
        let there = files::exists(path, &confine(&self.root, path)?)?;
        self.note("exists", path, if there { "ok" } else { "missing" });
        Ok(there)
    }

    fn glob(&mut self, pattern: &str) -> Inspected<Vec<String>> {
        let at = confine(&self.root, pattern)?;
        let mut found = glob::find(pattern, &at)?;
        if at.base != self.root {
            found = found
                .iter()
                .map(|path| from_root(&self.root, &at.base.join(path)))
                .collect();
            found.sort();
        }
        self.note("glob", pattern, format!("matched:{}", found.len()));
        Ok(found)
    }

    fn write(&mut self, path: &str, content: &[u8]) -> Inspected<String> {
        if content.len() > MAX_FILE {
            let text = format!("starlark fs.write {path:?}: content exceeds {MAX_FILE}-byte cap");
            return Err(Fault::new(Class::LimitSize, text));
        }
        let at = confine(&self.root, path)?;
        files::write(path, &at, content)?;
        let relative = from_root(&self.root, &at.base.join(&at.relative));
        let told = if relative.starts_with("../") || relative == ".." {
            path.to_owned()
        } else {
            relative
        };
        self.note("write", &told, "ok");
        Ok(told)
    }

    fn probe(&mut self, name: &str, arguments: &[String]) -> Inspected<ProbeAnswer> {
        let answer = probes::run(&self.root, &mut self.github, name, arguments)?;
        self.note("probe", name, format!("exit:{}", answer.exit));
        Ok(answer)
    }

    fn inspections(&self) -> Vec<Inspection> {
        self.inspections.clone()
    }
}
