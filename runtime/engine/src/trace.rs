//! Traces: the events of a session as JSON lines, and back (`trace` 2, 3).
//!
//! [`Encoder`] makes lines of events; whoever owns the file writes them. [`parse`] reads a trace and refuses one that is
//! not well formed, with the line.

use std::collections::BTreeMap;

use kitsoki_expr::print::json_string;
use kitsoki_expr::{Map, Value};
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::event::Event;
use crate::json;
use crate::value;

/// The version that is written, and the highest that is read.
pub const SCHEMA: u64 = 1;

/// Makes lines of events. Numbers them within their turns.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    next: BTreeMap<u64, u64>,
    highest: u64,
}

impl Encoder {
    /// The first line of a trace. `at`: milliseconds since 1970.
    #[must_use]
    pub fn header(at: i64) -> String {
        format!(
            "{{\"kind\":\"session.header\",\"schema_version\":{SCHEMA},\"written_at\":\"{}\"}}\n",
            timestamp(at)
        )
    }

    /// One event as a line. A turn never goes back: an event of an earlier turn counts for the present one.
    pub fn line(&mut self, event: &Event, at: i64) -> String {
        self.highest = self.highest.max(event.turn);
        let turn = self.highest;
        let seq = self.next.entry(turn).or_insert(0);
        let mut out = format!("{{\"turn\":{turn},\"seq\":{seq},\"ts\":\"{}\",\"kind\":", timestamp(at));
        *seq += 1;
        json_string(&event.kind, &mut out);
        let texts = [("state_path", &event.state_path)];
        let ids = [("call_id", &event.call_id), ("episode_id", &event.episode_id)];
        write_texts(&texts, &mut out);
        if event.parent_turn > 0 {
            out.push_str(&format!(",\"parent_turn\":{}", event.parent_turn));
        }
        write_texts(&ids, &mut out);
        if event.match_idx > 0 {
            out.push_str(&format!(",\"match_idx\":{}", event.match_idx));
        }
        out.push_str(",\"payload\":");
        out.push_str(&json::sorted(&Value::Map(plain(&event.payload))));
        out.push_str("}\n");
        out
    }
}

/// Keys with texts, as far as they say something.
fn write_texts(texts: &[(&str, &SmolStr)], out: &mut String) {
    for (name, text) in texts {
        if !text.is_empty() {
            out.push_str(&format!(",\"{name}\":"));
            json_string(text, out);
        }
    }
}

/// A payload as a trace holds it: views without terminal escapes.
fn plain(payload: &Map) -> Map {
    let Some(Value::Str(view)) = payload
        .get("view")
        .filter(|v| v.as_str().is_some_and(|t| t.contains('\u{1b}')))
    else {
        return payload.clone();
    };
    let mut out = payload.clone();
    out.insert("view", Value::text(without_escapes(view)));
    out
}

/// A text without the escape sequences of terminals.
#[must_use]
pub fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('[') => while chars.next().is_some_and(|c| !('\u{40}'..='\u{7e}').contains(&c)) {},
            Some(']') => {
                while let Some(c) = chars.next() {
                    if c == '\u{7}' {
                        break;
                    }
                    if c == '\u{1b}' {
                        chars.next();
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    out
}

/// RFC 3339 with milliseconds, in UTC.
#[must_use]
pub fn timestamp(ms: i64) -> String {
    let (days, rest) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    let (year, month, day) = civil(days);
    let (seconds, millis) = (rest / 1000, rest % 1000);
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let fraction = if millis == 0 {
        String::new()
    } else {
        format!(".{millis:03}").trim_end_matches('0').to_owned()
    };
    format!("{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}{fraction}Z")
}

/// The date of a number of days since 1970.
fn civil(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    (yoe + era * 400 + i64::from(month <= 2), month, day)
}

/// What is wrong with a trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct TraceFault {
    /// The line, from 1.
    pub line: usize,
    /// What.
    pub message: String,
}

/// One line of a trace: the event with its number and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The event.
    pub event: Event,
    /// Its number in the turn.
    pub seq: u64,
    /// Its time as written.
    pub ts: String,
}

/// Reads a trace. `strict`: numbers and turns must be in order, as a writer that goes on needs them.
///
/// # Errors
/// The first line that is wrong.
pub fn parse(text: &str, strict: bool) -> Result<Vec<Line>, TraceFault> {
    let fault = |line: usize, message: &str| TraceFault {
        line,
        message: message.to_owned(),
    };
    let mut lines = Vec::new();
    let count = text.lines().count();
    if strict && !text.is_empty() && !text.ends_with('\n') {
        return Err(fault(
            count,
            "the last line has no line end: the writer was stopped in the middle of it",
        ));
    }
    let mut last: Option<(u64, u64)> = None;
    let mut header = false;
    for (n, raw) in text.split('\n').enumerate() {
        let at = n + 1;
        if raw.ends_with('\r') {
            return Err(fault(at, "the line ends in CR LF; a trace has LF alone"));
        }
        if raw.contains('\0') {
            return Err(fault(at, "a NUL byte"));
        }
        if raw.trim().is_empty() {
            continue;
        }
        let json: Json = serde_json::from_str(raw).map_err(|e| TraceFault {
            line: at,
            message: format!("no JSON: {e}"),
        })?;
        let Json::Object(object) = &json else {
            return Err(fault(at, "no JSON object"));
        };
        let text_of = |key: &str| object.get(key).and_then(Json::as_str).unwrap_or_default();
        if text_of("kind") == "session.header" {
            if header {
                return Err(fault(at, "a second session.header"));
            }
            if object.get("schema_version").and_then(Json::as_u64).unwrap_or(0) > SCHEMA {
                return Err(fault(at, "the trace is of a newer version than this program reads (1)"));
            }
            header = true;
            continue;
        }
        if !header {
            return Err(fault(at, "a trace begins with a session.header line"));
        }
        let number = |key: &str| object.get(key).and_then(Json::as_u64).unwrap_or(0);
        let (turn, seq) = (number("turn"), number("seq"));
        if text_of("kind").is_empty() {
            return Err(fault(at, "an event without a kind"));
        }
        if strict {
            let wanted = match last {
                Some((t, _)) if turn < t => {
                    return Err(fault(at, "the turn is smaller than the one before: out of order"));
                }
                Some((t, s)) if turn == t => s + 1,
                _ => 0,
            };
            if seq != wanted {
                return Err(TraceFault {
                    line: at,
                    message: format!("event {seq} of turn {turn}, where {wanted} was expected: gap or duplicate"),
                });
            }
        }
        last = Some((turn, seq));
        let payload = match object.get("payload") {
            Some(Json::Object(_)) => match object.get("payload").map(value::from_json) {
                Some(Value::Map(map)) => map,
                _ => Map::new(),
            },
            None | Some(Json::Null) => Map::new(),
            Some(_) => return Err(fault(at, "the payload is no object")),
        };
        lines.push(Line {
            event: Event {
                turn,
                kind: SmolStr::from(text_of("kind")),
                state_path: text_of("state_path").into(),
                payload,
                parent_turn: number("parent_turn"),
                call_id: text_of("call_id").into(),
                episode_id: text_of("episode_id").into(),
                match_idx: number("match_idx"),
            },
            seq,
            ts: text_of("ts").to_owned(),
        });
    }
    if !header && !text.trim().is_empty() {
        return Err(fault(1, "a trace begins with a session.header line"));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::map;

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_782_400_120), "2000-02-29T00:00:00.12Z");
    }

    #[test]
    fn a_line_reads_back() {
        let mut event = Event::new(
            "machine.transition",
            map([("to", Value::text("b")), ("from", Value::text("a"))]),
        );
        event.turn = 2;
        event.state_path = "a".into();
        event.call_id = "c".into();
        let mut encoder = Encoder::default();
        let text = Encoder::header(0) + &encoder.line(&event, 5) + &encoder.line(&event, 6);
        assert!(text.contains(
            "{\"turn\":2,\"seq\":1,\"ts\":\"1970-01-01T00:00:00.006Z\",\"kind\":\"machine.transition\",\"state_path\":\"a\",\"call_id\":\"c\",\"payload\":{\"from\":\"a\",\"to\":\"b\"}}"
        ));
        let lines = parse(&text, true).unwrap_or_default();
        assert_eq!(lines.first().map(|l| &l.event), Some(&event));
        assert_eq!(parse(text.trim_end(), true).map_err(|f| f.line), Err(3));
    }

    #[test]
    fn escapes_of_terminals_are_left_out() {
        assert_eq!(without_escapes("a\u{1b}[31mb\u{1b}]8;;x\u{1b}\\c\u{1b}[0m"), "abc");
    }
}
