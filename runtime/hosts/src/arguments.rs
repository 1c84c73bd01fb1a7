//! Reading arguments. They are untyped: a value of a wrong type counts as absent (`hosts` 1), integers are taken however
//! they were written (`hosts` 6).

use serde_json::Value as Json;

use crate::call::{Answer, Call, Data, Failure};

/// Arguments of a call, read by key.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    handler: &'a str,
    map: &'a Data,
}

impl<'a> Arguments<'a> {
    /// The arguments of a call; messages begin with the handler's name.
    pub fn of(call: &Call<'a>) -> Self {
        Self {
            handler: call.handler,
            map: call.args,
        }
    }

    /// The same arguments for messages that begin with another name, such as `ticket.get`.
    #[must_use]
    pub fn named(self, handler: &'a str) -> Self {
        Self { handler, ..self }
    }

    /// The name that messages begin with.
    pub fn handler(&self) -> &'a str {
        self.handler
    }

    /// All of them.
    pub fn map(&self) -> &'a Data {
        self.map
    }

    /// The value as it is.
    pub fn get(&self, key: &str) -> Option<&'a Json> {
        self.map.get(key)
    }

    /// A text, untouched; absent is empty.
    pub fn raw(&self, key: &str) -> &'a str {
        self.get(key).and_then(Json::as_str).unwrap_or_default()
    }

    /// A text without the space around it; absent is empty.
    pub fn text(&self, key: &str) -> &'a str {
        self.raw(key).trim()
    }

    /// A text without the space around it that says something.
    pub fn telling(&self, key: &str) -> Option<&'a str> {
        Some(self.text(key)).filter(|t| !t.is_empty())
    }

    /// A text that must say something.
    ///
    /// # Errors
    ///
    /// It is absent or blank.
    pub fn required(&self, key: &str) -> Result<&'a str, Box<Failure>> {
        self.telling(key).ok_or_else(|| self.missing(key))
    }

    /// The failure for a missing argument.
    pub fn missing(&self, key: &str) -> Box<Failure> {
        Failure::arguments(format!("{}: {key} argument is required", self.handler))
    }

    /// True only when it is the boolean.
    pub fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Json::as_bool).unwrap_or(false)
    }

    /// True for the boolean and for the words that say yes.
    pub fn yes(&self, key: &str) -> bool {
        let said = self.text(key).to_lowercase();
        self.flag(key) || matches!(said.as_str(), "true" | "1" | "yes" | "y")
    }

    /// An integer; a float is cut.
    pub fn integer(&self, key: &str) -> Option<i64> {
        let number = self.get(key)?;
        #[expect(clippy::cast_possible_truncation, reason = "cut on purpose; the cast saturates")]
        number.as_i64().or_else(|| number.as_f64().map(|f| f as i64))
    }

    /// The texts of a list; a single text is a list of one.
    pub fn texts(&self, key: &str) -> Vec<&'a str> {
        match self.get(key) {
            Some(Json::Array(items)) => items.iter().filter_map(Json::as_str).collect(),
            Some(Json::String(one)) if !one.trim().is_empty() => vec![one],
            _ => Vec::new(),
        }
    }

    /// The operation: the suffix of the name, or the argument `op`.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn operation(&self) -> Result<&'a str, Box<Failure>> {
        self.required("op")
    }

    /// The answer to an operation that the handler does not have.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn unknown_operation(&self, op: &str) -> Answer {
        Err(Failure::arguments(format!(
            "{}: unknown op {}",
            self.handler,
            crate::plain::quoted(op)
        )))
    }

    /// A failure of the outside world in the handler's name.
    pub fn outside(&self, why: impl std::fmt::Display) -> Box<Failure> {
        Failure::outside(format!("{}: {why}", self.handler))
    }

    /// A failure for wrong arguments in the handler's name.
    pub fn wrong(&self, why: impl std::fmt::Display) -> Box<Failure> {
        Failure::arguments(format!("{}: {why}", self.handler))
    }
}
