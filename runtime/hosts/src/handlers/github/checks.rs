//! What the checks of a commit say: statuses and check runs as one state.

use serde_json::{Value as Json, json};

use super::{Api, text};
use crate::call::Failure;

/// The checks of a commit.
pub(super) struct Checks {
    /// `success`, `failure` or `pending`.
    pub(super) state: &'static str,
    /// Those that failed.
    pub(super) failed: Vec<Json>,
}

impl Checks {
    /// Asks for them.
    pub(super) fn of(api: Api<'_>, repo: &str, commit: &str) -> Result<Self, Box<Failure>> {
        if commit.is_empty() {
            return Ok(Self {
                state: "pending",
                failed: Vec::new(),
            });
        }
        let combined = api.get(format!("repos/{repo}/commits/{commit}/status"))?;
        let runs = api.get(format!("repos/{repo}/commits/{commit}/check-runs?per_page=100"))?;
        Ok(Self::join(&combined, &runs))
    }

    fn join(combined: &Json, runs: &Json) -> Self {
        let list = |json: &Json, key: &str| json.get(key).and_then(Json::as_array).cloned().unwrap_or_default();
        let mut failed = Vec::new();
        let mut state = of_status(text(combined, "state")).unwrap_or("pending");
        for status in list(combined, "statuses") {
            match of_status(text(&status, "state")) {
                Some("failure") => {
                    state = "failure";
                    failed.push(json!({
                        "name": text(&status, "context"),
                        "state": text(&status, "state"),
                        "url": text(&status, "target_url"),
                    }));
                }
                Some("pending") if state != "failure" => state = "pending",
                _ => {}
            }
        }
        let runs = list(runs, "check_runs");
        let mut green = !runs.is_empty();
        for run in runs {
            match of_run(text(&run, "conclusion")) {
                "failure" => {
                    (state, green) = ("failure", false);
                    failed.push(json!({
                        "name": text(&run, "name"),
                        "status": text(&run, "status"),
                        "conclusion": text(&run, "conclusion"),
                        "url": text(&run, "html_url"),
                    }));
                }
                "pending" => {
                    green = false;
                    state = if state == "failure" { state } else { "pending" };
                }
                _ => {}
            }
        }
        // Without statuses of its own a commit is pending for ever, so runs that are all green decide.
        if green && state != "failure" {
            state = "success";
        }
        Self { state, failed }
    }

    /// A few lines for people, and those of the failed checks alone.
    pub(super) fn told(&self) -> (String, String) {
        if self.failed.is_empty() {
            return (
                format!("state: {}\nno check of GitHub has failed", self.state),
                String::new(),
            );
        }
        let lines: Vec<String> = self
            .failed
            .iter()
            .map(|check| {
                let or = |texts: [&str; 3]| texts.into_iter().find(|t| !t.is_empty()).unwrap_or_default().to_owned();
                let name = or([text(check, "name"), "(unnamed check)", ""]);
                let status = or([text(check, "state"), text(check, "conclusion"), "failure"]);
                match text(check, "url") {
                    "" => format!("- {name}: {status}"),
                    url => format!("- {name}: {status} ({url})"),
                }
            })
            .collect();
        let failed = lines.join("\n");
        (
            format!("state: {}\nfailed checks: {}\n{failed}", self.state, lines.len()),
            failed,
        )
    }
}

fn of_status(word: &str) -> Option<&'static str> {
    match word.to_lowercase().as_str() {
        "success" => Some("success"),
        "failure" | "error" => Some("failure"),
        "pending" | "expected" => Some("pending"),
        _ => None,
    }
}

fn of_run(conclusion: &str) -> &'static str {
    match conclusion.to_lowercase().as_str() {
        "success" | "neutral" | "skipped" => "success",
        "failure" | "timed_out" | "cancelled" | "action_required" | "startup_failure" => "failure",
        _ => "pending",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn green_runs_decide_and_one_failure_too() {
        let run = |conclusion: &str| json!({"name": "t", "status": "completed", "conclusion": conclusion});
        let join = |runs: Vec<Json>| Checks::join(&json!({"state": "pending"}), &json!({ "check_runs": runs }));
        assert_eq!(join(vec![run("success"), run("skipped")]).state, "success");
        assert_eq!(join(vec![run("success"), run("")]).state, "pending");
        assert_eq!(join(vec![]).state, "pending");
        let failed = join(vec![run("failure"), run("success")]);
        assert_eq!(failed.state, "failure");
        assert_eq!(failed.told().1, "- t: failure");
    }
}
