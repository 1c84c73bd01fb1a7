//! The variables that a call sees and passes on to the programs it starts. Handlers never ask the process for a variable.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;

/// Variables by name. Cloning is cheap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    variables: Arc<BTreeMap<OsString, OsString>>,
}

impl Environment {
    /// No variable at all.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Those of this process.
    pub fn process() -> Self {
        Self {
            variables: Arc::new(std::env::vars_os().collect()),
        }
    }

    /// These with one more.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        Arc::make_mut(&mut self.variables).insert(name.into(), value.into());
        self
    }

    /// Only those of an allow-list. `NAME*` allows whatever begins so.
    #[must_use]
    pub fn only(mut self, allowed: &[&str]) -> Self {
        Arc::make_mut(&mut self.variables).retain(|name, _| {
            let name = name.to_string_lossy();
            allowed.iter().any(|a| match a.strip_suffix('*') {
                Some(start) => name.starts_with(start),
                None => *a == name,
            })
        });
        self
    }

    /// The value of a variable, when it is text.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(OsStr::new(name)).and_then(|v| v.to_str())
    }

    /// The value of a variable that says something: neither absent nor blank.
    pub fn telling(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|v| !v.trim().is_empty())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&OsString, &OsString)> {
        self.variables.iter()
    }

    /// The folders of `PATH`.
    pub fn search_path(&self) -> Vec<PathBuf> {
        self.variables
            .get(OsStr::new("PATH"))
            .map(|path| std::env::split_paths(path).collect())
            .unwrap_or_default()
    }

    /// The home folder.
    pub fn home(&self) -> Option<PathBuf> {
        self.telling("HOME").map(PathBuf::from)
    }

    /// These with the folder of this binary first in `PATH`, so that a story's `kitsoki` is the one that runs it.
    #[must_use]
    pub fn with_own_folder(self) -> Self {
        let own = std::env::current_exe().ok().and_then(|p| p.parent().map(PathBuf::from));
        let Some(own) = own else { return self };
        let mut path = self.search_path();
        if path.contains(&own) {
            return self;
        }
        path.insert(0, own);
        match std::env::join_paths(path) {
            Ok(path) => self.with("PATH", path),
            Err(_) => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allow_list_keeps_names_and_beginnings() {
        let all = Environment::empty()
            .with("PATH", "/bin")
            .with("LC_ALL", "C")
            .with("TOKEN", "x");
        let some = all.only(&["PATH", "LC_*"]);
        assert_eq!(some.iter().count(), 2);
        assert_eq!(some.get("TOKEN"), None);
        assert_eq!(some.get("LC_ALL"), Some("C"));
    }

    #[test]
    fn a_blank_value_says_nothing() {
        let env = Environment::empty().with("A", " ").with("B", "b");
        assert_eq!((env.telling("A"), env.telling("B")), (None, Some("b")));
    }
}
