//! What makes a submitted value good: its schema, a command that looks at it, and that it is not much poorer than an
//! earlier one (dispatch 9.7).

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::schema;
use crate::call::Call;
use crate::process::{self, Program};

/// How many refused values a call may hand in unless it says otherwise.
pub const MAX_REFUSALS: u32 = 5;

/// How long a command that looks at a value may take.
const COMMAND_LIMIT: Duration = Duration::from_secs(300);

/// How much of a command's complaint is told, in bytes.
const COMPLAINT: usize = 2_000;

/// The conditions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Acceptance {
    /// The schema.
    pub schema: Option<Json>,
    /// How many values may be refused.
    pub max_refusals: Option<u32>,
    /// The poorest value as a part of the richest one; 0 switches the comparison off.
    pub min_information_ratio: f64,
    /// How rich the richest one must be before the comparison begins.
    pub min_information_bits: f64,
    /// A command that is given the value in a file.
    pub post_cmd: Option<PostCommand>,
}

/// A command that looks at a value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PostCommand {
    /// Its words.
    pub words: Vec<String>,
    /// Options, by name.
    pub args: BTreeMap<String, String>,
    /// Its working folder; empty for the current one.
    pub cwd: String,
}

impl Acceptance {
    /// Reads the conditions of a call.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    pub fn parse(block: Option<&Json>, schema: Option<Json>) -> Result<Self, String> {
        let mut out = Self {
            schema,
            ..Self::default()
        };
        let Some(block) = block else { return Ok(out) };
        let Json::Object(block) = block else {
            return Err("validator: must be a mapping".to_owned());
        };
        out.min_information_ratio = 0.5;
        out.min_information_bits = 256.0;
        let number = |key: &str| match block.get(key) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) => match text.trim().parse::<f64>() {
                Ok(n) => Ok(Some(n)),
                Err(_) => Err(format!("{key}: must be a number")),
            },
            Some(value) => value
                .as_f64()
                .map(Some)
                .ok_or_else(|| format!("{key}: must be a number")),
        };
        if let Some(most) = number("max_retries")? {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the cast saturates"
            )]
            let most = most as u32;
            out.max_refusals = Some(most.clamp(1, 50));
        }
        if let Some(ratio) = number("min_information_ratio")? {
            if !(0.0..=1.0).contains(&ratio) {
                return Err("min_information_ratio: must be between 0 and 1".to_owned());
            }
            out.min_information_ratio = ratio;
        }
        if let Some(bits) = number("min_information_bits")? {
            if bits < 0.0 {
                return Err("min_information_bits: must not be negative".to_owned());
            }
            out.min_information_bits = bits;
        }
        let text = |key: &str| block.get(key).and_then(Json::as_str).unwrap_or_default().trim();
        let words: Vec<String> = text("post_cmd").split_whitespace().map(str::to_owned).collect();
        if !words.is_empty() {
            let mut args = BTreeMap::new();
            for (key, value) in block
                .get("post_cmd_args")
                .and_then(Json::as_object)
                .into_iter()
                .flatten()
            {
                let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                if key.is_empty() || !key.chars().all(plain) {
                    return Err(format!("post_cmd_args: {key:?} is no name of an option"));
                }
                let value = value
                    .as_str()
                    .ok_or_else(|| format!("post_cmd_args: {key}: must be a text"))?;
                args.insert(key.clone(), value.to_owned());
            }
            out.post_cmd = Some(PostCommand {
                words,
                args,
                cwd: text("post_cmd_cwd").to_owned(),
            });
        }
        Ok(out)
    }

    /// Why a value is not taken; `richest` is the information of the richest value so far, this one included.
    pub fn refuses(&self, value: &Json, richest: f64) -> Option<String> {
        if let Some(schema) = &self.schema {
            let faults = schema::faults(schema, value);
            if !faults.is_empty() {
                return Some(format!("the value does not fit the schema: {}", faults.join("; ")));
            }
        }
        let bits = information(value);
        let poor = self.min_information_ratio > 0.0
            && richest >= self.min_information_bits
            && bits / richest < self.min_information_ratio - 1e-9;
        poor.then(|| "the value says much less than an earlier one; hand in everything that you found".to_owned())
    }
}

impl PostCommand {
    /// Runs the command on a value.
    ///
    /// # Errors
    ///
    /// Its complaint.
    pub fn judge(&self, call: &Call<'_>, value: &Json) -> Result<(), String> {
        let (name, rest) = self.words.split_first().ok_or("post_cmd is empty")?;
        let file = tempfile::NamedTempFile::new().map_err(|e| format!("post_cmd: {e}"))?;
        std::fs::write(file.path(), crate::value::compact(value)).map_err(|e| format!("post_cmd: {e}"))?;
        let options = self.args.iter().flat_map(|(k, v)| [format!("--{k}"), v.clone()]);
        let folder = call.context.path(&self.cwd);
        let program = Program::new(name, folder, &call.context.environment)
            .args(rest)
            .args(options)
            .args([file.path()]);
        let cancel = call.context.cancel.until(Instant::now() + COMMAND_LIMIT);
        match process::run(&program, &cancel) {
            Ok(ended) if ended.ok() => Ok(()),
            Ok(ended) => {
                let complaint = crate::plain::without_sequences(&ended.complaint());
                let from = complaint.len().saturating_sub(COMPLAINT);
                let from = (from..=complaint.len())
                    .find(|i| complaint.is_char_boundary(*i))
                    .unwrap_or(0);
                Err(complaint.get(from..).unwrap_or_default().to_owned())
            }
            Err(fault) => Err(format!("post_cmd: {fault}")),
        }
    }
}

/// How much a value says: the information of the bytes of all its scalars, in bits.
pub fn information(value: &Json) -> f64 {
    let mut leaves = Vec::new();
    gather(value, &mut leaves, 0);
    let bytes = leaves.join("\0").into_bytes();
    let mut counts = [0u32; 256];
    for byte in &bytes {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let total = bytes.len() as f64;
    let told = counts.iter().filter(|c| **c > 0).map(|c| {
        let count = f64::from(*c);
        -count * (count / total).log2()
    });
    told.sum()
}

fn gather(value: &Json, leaves: &mut Vec<String>, depth: usize) {
    match value {
        _ if depth > 200 => {}
        Json::Null => {}
        Json::String(text) => {
            let text = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
            if !text.is_empty() {
                leaves.push(text);
            }
        }
        Json::Array(items) => items.iter().for_each(|i| gather(i, leaves, depth + 1)),
        Json::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by(|a, b| a.0.cmp(b.0));
            entries.into_iter().for_each(|(_, v)| gather(v, leaves, depth + 1));
        }
        scalar => leaves.push(crate::value::argument(scalar)),
    }
}

/// Texts in which a line end was escaped twice are set right: three or more of one kind are no accident.
pub fn unescaped(value: Json) -> Json {
    match value {
        Json::String(mut text) => {
            for (escaped, plain) in [("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r")] {
                if text.matches(escaped).count() >= 3 {
                    text = text.replace(escaped, plain);
                }
            }
            Json::String(text)
        }
        Json::Array(items) => Json::Array(items.into_iter().map(unescaped).collect()),
        Json::Object(map) => Json::Object(map.into_iter().map(|(k, v)| (k, unescaped(v))).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_much_poorer_value_is_refused() {
        let acceptance = Acceptance::parse(Some(&json!({})), None).unwrap();
        let rich = json!({"why": "a long and winding explanation of the many qualities of this particular rose"});
        let richest = information(&rich);
        assert!(richest > 256.0);
        assert!(acceptance.refuses(&rich, richest).is_none());
        assert!(acceptance.refuses(&json!({"why": "ok"}), richest).is_some());
        let off = Acceptance::parse(Some(&json!({"min_information_ratio": 0})), None).unwrap();
        assert!(off.refuses(&json!({"why": "ok"}), richest).is_none());
    }

    #[test]
    fn wrong_conditions_are_told() {
        for (block, want) in [
            (json!(5), "must be a mapping"),
            (json!({"max_retries": "x"}), "max_retries: must be a number"),
            (json!({"min_information_ratio": 2}), "between 0 and 1"),
            (
                json!({"post_cmd": "x", "post_cmd_args": {"A": "b"}}),
                "no name of an option",
            ),
        ] {
            assert!(
                Acceptance::parse(Some(&block), None).unwrap_err().contains(want),
                "{block}"
            );
        }
    }

    #[test]
    fn double_escapes_are_set_right_when_they_are_many() {
        assert_eq!(unescaped(json!({"a": "1\\n2\\n3\\n"})), json!({"a": "1\n2\n3\n"}));
        assert_eq!(unescaped(json!("C:\\new\\n")), json!("C:\\new\\n"));
    }
}
