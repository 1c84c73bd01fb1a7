//! The sidecar of a script (`x.star.yaml`): what goes in and what comes out (`starlark` 2). Knows nothing of the
//! interpreter, so that load checks can use it alone.

use std::collections::BTreeMap;
use std::fmt;

use crate::data::{Data, DataMap};
use crate::document;
use crate::fault::{Class, Fault};

/// The output under which the summaries of requests ride on a result.
pub const EXCHANGES: &str = "__http_exchanges";
/// The output under which the summaries of inspections ride on a result.
pub const INSPECTIONS: &str = "__inspections";

/// What a declaration says about a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// A text.
    String,
    /// A number; floats included.
    Int,
    /// A number.
    Number,
    /// A boolean.
    Bool,
    /// A mapping.
    Object,
    /// A list.
    List,
    /// Anything.
    #[default]
    Any,
}

impl Kind {
    /// The kind that a word names; an empty word is anything.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "string" => Self::String,
            "int" => Self::Int,
            "number" => Self::Number,
            "bool" => Self::Bool,
            "object" => Self::Object,
            "list" => Self::List,
            "" | "any" => Self::Any,
            _ => return None,
        })
    }

    /// The word for the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Int => "int",
            Self::Number => "number",
            Self::Bool => "bool",
            Self::Object => "object",
            Self::List => "list",
            Self::Any => "any",
        }
    }

    /// Whether a value is of the kind. Nothing is converted; null is only of kind any.
    pub fn admits(self, value: &Data) -> bool {
        match self {
            Self::Any => true,
            Self::String => matches!(value, Data::Text(_)),
            Self::Int | Self::Number => matches!(value, Data::Int(_) | Data::Float(_)),
            Self::Bool => matches!(value, Data::Bool(_)),
            Self::Object => matches!(value, Data::Map(_)),
            Self::List => matches!(value, Data::List(_)),
        }
    }
}

/// One declared input or output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Field {
    /// The kind of its values.
    pub kind: Kind,
    /// Whether an input must be given. Outputs must always be.
    pub required: bool,
}

/// A parsed sidecar.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sidecar {
    /// The declared inputs by name.
    pub inputs: BTreeMap<String, Field>,
    /// The declared outputs by name.
    pub outputs: BTreeMap<String, Field>,
}

/// Why a text is no sidecar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SidecarFault(String);

impl fmt::Display for SidecarFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Sidecar {
    /// Parses a sidecar. Unknown keys are documentation.
    ///
    /// # Errors
    ///
    /// The text is no YAML, or a declaration says something that is none.
    pub fn parse(text: &str) -> Result<Self, SidecarFault> {
        let document = document::read(text).map_err(|f| SidecarFault(format!("parse: {f}")))?;
        let map = match &document {
            Data::Null => return Ok(Self::default()),
            Data::Map(map) => map,
            other => return Err(SidecarFault(format!("parse: expected a mapping, got {}", other.kind()))),
        };
        let sidecar = Self {
            inputs: fields(map, "inputs")?,
            outputs: fields(map, "outputs")?,
        };
        for name in [EXCHANGES, INSPECTIONS] {
            if sidecar.outputs.contains_key(name) {
                let text = format!("output {name:?} is reserved by host.starlark.run; choose another name");
                return Err(SidecarFault(text));
            }
        }
        Ok(sidecar)
    }

    /// Checks the inputs of a call: all that is wrong is said, in the order of the names.
    ///
    /// # Errors
    ///
    /// A required input is absent or null, or an input has another kind than declared.
    pub fn check_inputs(&self, inputs: &DataMap) -> Result<(), Box<Fault>> {
        let mut faults = Vec::new();
        for (name, field) in &self.inputs {
            match inputs.get(name).filter(|v| **v != Data::Null) {
                None if field.required => {
                    faults.push((Class::InputMissing, format!("missing required input {name:?}")));
                }
                Some(value) if !field.kind.admits(value) => {
                    let text = format!("input {name:?}: expected {}, got {}", field.kind.name(), value.kind());
                    faults.push((Class::InputType, text));
                }
                _ => {}
            }
        }
        together(faults)
    }

    /// Checks the outputs of a call. Undeclared and reserved names are said before missing ones and wrong kinds.
    ///
    /// # Errors
    ///
    /// The outputs are not those that the sidecar declares.
    pub fn check_outputs(&self, outputs: &DataMap) -> Result<(), Box<Fault>> {
        let mut faults = Vec::new();
        for name in outputs.keys() {
            if name == EXCHANGES || name == INSPECTIONS {
                faults.push((
                    Class::OutputReserved,
                    format!("script returned reserved output {name:?}"),
                ));
            } else if !self.outputs.is_empty() && !self.outputs.contains_key(name) {
                faults.push((
                    Class::OutputUndeclared,
                    format!("script returned undeclared output {name:?}"),
                ));
            }
        }
        for (name, field) in &self.outputs {
            match outputs.get(name) {
                None => {
                    let text = format!("script did not return declared output {name:?}");
                    faults.push((Class::OutputMissing, text));
                }
                Some(value) if !field.kind.admits(value) => {
                    let text = format!("output {name:?}: expected {}, got {}", field.kind.name(), value.kind());
                    faults.push((Class::OutputType, text));
                }
                Some(_) => {}
            }
        }
        together(faults)
    }
}

/// The first of several faults decides the class; the text has them all, up to a handful.
fn together(faults: Vec<(Class, String)>) -> Result<(), Box<Fault>> {
    const SHOWN: usize = 8;
    let Some((class, _)) = faults.first() else {
        return Ok(());
    };
    let more = faults.len().saturating_sub(SHOWN);
    let mut text = faults
        .iter()
        .take(SHOWN)
        .map(|(_, text)| text.as_str())
        .collect::<Vec<_>>()
        .join("; ");
    if more > 0 {
        text.push_str(&format!("; and {more} more"));
    }
    Err(Fault::new(*class, text))
}

fn fields(map: &DataMap, section: &str) -> Result<BTreeMap<String, Field>, SidecarFault> {
    let declared = match map.get(section) {
        None | Some(Data::Null) => return Ok(BTreeMap::new()),
        Some(Data::Map(declared)) => declared,
        Some(other) => {
            return Err(SidecarFault(format!(
                "parse: {section}: expected a mapping, got {}",
                other.kind()
            )));
        }
    };
    let one = section.trim_end_matches('s');
    declared
        .iter()
        .map(|(name, value)| {
            let field = match value {
                Data::Null => Field::default(),
                Data::Map(declaration) => field(declaration, one, name)?,
                other => {
                    let text = format!("parse: {one} {name:?}: expected a mapping, got {}", other.kind());
                    return Err(SidecarFault(text));
                }
            };
            Ok((name.clone(), field))
        })
        .collect()
}

fn field(declaration: &DataMap, section: &str, name: &str) -> Result<Field, SidecarFault> {
    let kind = match declaration.get("type") {
        None | Some(Data::Null) => Kind::Any,
        Some(Data::Text(word)) => Kind::from_name(word).ok_or_else(|| {
            let want = "string|int|number|bool|object|list|any";
            SidecarFault(format!("{section} {name:?}: unknown type {word:?} (want {want})"))
        })?,
        Some(other) => {
            let text = format!("parse: {section} {name:?}: type must be a text, got {}", other.kind());
            return Err(SidecarFault(text));
        }
    };
    let required = match declaration.get("required") {
        None | Some(Data::Null) => false,
        Some(Data::Bool(required)) => *required,
        Some(other) => {
            let text = format!(
                "parse: {section} {name:?}: required must be true or false, got {}",
                other.kind()
            );
            return Err(SidecarFault(text));
        }
    };
    Ok(Field { kind, required })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(json: &str) -> DataMap {
        match Data::from_json(&serde_json::from_str(json).unwrap()) {
            Data::Map(map) => map,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_sidecar_may_say_little() {
        for text in [
            "",
            "inputs:\n",
            "inputs: { cups: }\n",
            "outputs: {}\nnotes: anything\n",
            "a: 1\n---\ninputs: 5\n",
        ] {
            assert!(Sidecar::parse(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn malformed_declarations_are_said_with_their_name() {
        for (text, want) in [
            ("inputs: { a: int }", "input \"a\": expected a mapping"),
            (
                "inputs: { a: { type: strnig } }",
                "input \"a\": unknown type \"strnig\"",
            ),
            ("inputs: { a: { type: 5 } }", "type must be a text"),
            (
                "outputs: { a: { required: yes } }",
                "output \"a\": required must be true or false",
            ),
            ("outputs: { __inspections: {} }", "output \"__inspections\" is reserved"),
            ("[]", "expected a mapping"),
            ("inputs: { a: {}, a: {} }", "parse:"),
        ] {
            let fault = Sidecar::parse(text).unwrap_err().to_string();
            assert!(fault.contains(want), "{text}: {fault}");
        }
    }

    #[test]
    fn null_counts_as_absent_for_inputs_only() {
        let sidecar = Sidecar::parse("inputs: { a: { type: int, required: true }, b: { type: int } }").unwrap();
        assert!(sidecar.check_inputs(&inputs(r#"{"a": 1, "b": null}"#)).is_ok());
        assert_eq!(
            sidecar.check_inputs(&inputs(r#"{"a": null}"#)).unwrap_err().class,
            Class::InputMissing
        );
        assert_eq!(
            sidecar.check_inputs(&inputs(r#"{"a": "1"}"#)).unwrap_err().class,
            Class::InputType
        );
        let sidecar = Sidecar::parse("outputs: { a: { type: string } }").unwrap();
        assert_eq!(
            sidecar.check_outputs(&inputs(r#"{"a": null}"#)).unwrap_err().class,
            Class::OutputType
        );
    }

    #[test]
    fn several_faults_are_said_at_once_and_undeclared_ones_first() {
        let sidecar = Sidecar::parse("outputs: { a: { type: string }, b: {} }").unwrap();
        let fault = sidecar.check_outputs(&inputs(r#"{"a": 1, "c": 1}"#)).unwrap_err();
        assert_eq!(fault.class, Class::OutputUndeclared);
        assert_eq!(
            fault.text,
            "script returned undeclared output \"c\"; output \"a\": expected string, got int; script did not return \
             declared output \"b\""
        );
    }
}
