//! What git says about a checkout.

use std::path::Path;

use crate::call::Call;
use crate::handlers::git::Git;
use crate::handlers::github;

/// The repository of a checkout.
pub(super) struct Repository {
    /// `git` or `none`.
    pub(super) vcs: &'static str,
    /// The branch that work starts from.
    pub(super) branch: String,
    /// The address of the origin.
    pub(super) remote: String,
    /// The repository on GitHub; empty when it is elsewhere.
    pub(super) github: String,
}

impl Repository {
    pub(super) fn of(call: &Call<'_>, root: &Path) -> Self {
        if !root.join(".git").exists() {
            return Self {
                vcs: "none",
                branch: "main".to_owned(),
                remote: String::new(),
                github: String::new(),
            };
        }
        let git = Git::new(call, &root.to_string_lossy());
        let line = |command: &[&str]| git.line(command).filter(|l| !l.is_empty());
        let head = line(&["symbolic-ref", "--short", "refs/remotes/origin/HEAD"]);
        let head = head.map(|h| h.trim_start_matches("origin/").to_owned());
        let known = |name: &&str| line(&["show-ref", "--verify", &format!("refs/heads/{name}")]).is_some();
        let branch = head.or_else(|| ["main", "master"].into_iter().find(known).map(str::to_owned));
        let remote = line(&["remote", "get-url", "origin"]).unwrap_or_default();
        let upstream = line(&["remote", "get-url", "upstream"]);
        let github = upstream
            .as_deref()
            .and_then(github::of_remote)
            .or_else(|| github::of_remote(&remote));
        Self {
            vcs: "git",
            branch: branch.unwrap_or_else(|| "main".to_owned()),
            remote: without_secret(&remote),
            github: github.unwrap_or_default(),
        }
    }

    /// Who keeps the tickets, and where.
    pub(super) fn tracker(&self, root: &Path) -> (&'static str, String) {
        if !self.github.is_empty() {
            return ("github", self.github.clone());
        }
        let jira = ["jira.yaml", "jira.yml", ".jira", ".config/jira.yaml"];
        if jira.iter().any(|f| root.join(f).exists()) {
            return ("jira", String::new());
        }
        match ["issues", ".artifacts/issues"]
            .into_iter()
            .find(|f| root.join(f).is_dir())
        {
            Some(folder) => ("local", folder.to_owned()),
            None => ("informal", "pasted".to_owned()),
        }
    }
}

/// An address without the name and password that stand in it.
fn without_secret(remote: &str) -> String {
    match remote.split_once("://") {
        Some((scheme, rest)) => {
            let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
            let host = host.rsplit('@').next().unwrap_or(host);
            format!("{scheme}://{host}/{path}").trim_end_matches('/').to_owned()
        }
        None => remote.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_no_password() {
        assert_eq!(
            without_secret("https://u:p@example.org/o/r.git"),
            "https://example.org/o/r.git"
        );
        assert_eq!(without_secret("git@example.org:o/r"), "git@example.org:o/r");
    }
}
