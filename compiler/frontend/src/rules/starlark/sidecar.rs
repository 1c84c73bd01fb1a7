//! Reads a sidecar: the declared inputs and outputs of a script, with the place of every word (`starlark` 2).

use kitsoki_syntax::{FileId, NodeId, NodeKind, Resolved, Severity, Span, Tree};
use smol_str::SmolStr;

use crate::db::{Contents, Db, SourceFile};
use crate::pipeline::parse;

/// The types that a declaration knows; an absent one is `any`.
pub const TYPES: &[&str] = &["string", "int", "number", "bool", "object", "list", "any"];
/// Output names that the host uses itself.
pub const RESERVED: [&str; 2] = ["__http_exchanges", "__inspections"];

/// One declared input or output.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Its name.
    pub name: SmolStr,
    /// The name's place.
    pub span: Span,
    /// The type word with its place; `None` means anything.
    pub ty: Option<(SmolStr, Span)>,
    /// It must be passed.
    pub required: bool,
}

impl Declared {
    /// The type word.
    #[must_use]
    pub fn type_word(&self) -> &str {
        self.ty.as_ref().map_or("any", |(word, _)| word.as_str())
    }
}

/// What is wrong with a sidecar so that no call can run.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Where, in the sidecar.
    pub span: Span,
    /// What the place is.
    pub label: String,
    /// What is wrong.
    pub message: String,
    /// The word that was probably meant in its place.
    pub near: Option<&'static str>,
}

/// A key that means nothing.
#[derive(Clone, Debug)]
pub struct Ignored {
    /// The key.
    pub name: SmolStr,
    /// Its place.
    pub span: Span,
    /// The key that was probably meant.
    pub near: Option<&'static str>,
}

/// A sidecar as read.
#[derive(Clone, Debug, Default)]
pub struct Sidecar {
    /// Inputs in the order of the file.
    pub inputs: Vec<Declared>,
    /// Outputs in the order of the file.
    pub outputs: Vec<Declared>,
    /// Faults that make the reference refuse the story.
    pub faults: Vec<Fault>,
    /// Keys without a meaning.
    pub ignored: Vec<Ignored>,
}

impl Sidecar {
    /// A declared input.
    #[must_use]
    pub fn input(&self, name: &str) -> Option<&Declared> {
        self.inputs.iter().find(|d| d.name == name)
    }

    /// A declared output.
    #[must_use]
    pub fn output(&self, name: &str) -> Option<&Declared> {
        self.outputs.iter().find(|d| d.name == name)
    }
}

/// Reads the sidecar in `file`, which exists.
#[must_use]
pub fn read(db: &dyn Db, file: SourceFile) -> Sidecar {
    let id = file.file_id(db);
    let mut reader = Reader {
        tree: &parse(db, file).tree,
        file: id,
        out: Sidecar::default(),
    };
    if let Contents::NotText(fault) = file.contents(db) {
        reader.fault(Span::new(id, fault.range), &fault.label, &fault.message);
        return reader.out;
    }
    let broken = parse(db, file).faults.iter().find(|f| f.severity == Severity::Error);
    if let Some(fault) = broken {
        reader.fault(Span::new(id, fault.range), &fault.label, &fault.message);
    }
    if let Some(root) = reader.tree.root() {
        reader.document(root, broken.is_some());
    }
    reader.out
}

struct Reader<'t> {
    tree: &'t Tree,
    file: FileId,
    out: Sidecar,
}

impl Reader<'_> {
    fn document(&mut self, root: NodeId, broken: bool) {
        let root = self.tree.resolve_alias(root);
        if self.is_null(root) {
            return;
        }
        if !self.is_mapping(root) {
            if !broken {
                self.fault(
                    self.head(root),
                    "no mapping",
                    "a sidecar is a mapping with `inputs` and `outputs`",
                );
            }
            return;
        }
        for entry in self.tree.entries(root) {
            let (key, value) = (self.tree.resolve_alias(entry.key), self.tree.resolve_alias(entry.value));
            match self.tree.value(key) {
                Resolved::Str("inputs") => self.out.inputs = self.declarations(value, "inputs"),
                Resolved::Str("outputs") => self.out.outputs = self.declarations(value, "outputs"),
                Resolved::Str(other) => {
                    // Anything else is documentation, unless it looks like one of the two.
                    if let near @ Some(_) = near(other, &["inputs", "outputs"]) {
                        let ignored = Ignored {
                            name: other.into(),
                            span: self.span(key),
                            near,
                        };
                        self.out.ignored.push(ignored);
                    }
                }
                _ => {}
            }
        }
    }

    fn declarations(&mut self, node: NodeId, section: &'static str) -> Vec<Declared> {
        let mut found = Vec::new();
        if self.is_null(node) || self.is_error(node) {
            return found;
        }
        if !self.is_mapping(node) {
            self.fault(
                self.head(node),
                "no mapping",
                &format!("`{section}` is a mapping of names"),
            );
            return found;
        }
        for entry in self.tree.entries(node) {
            let key = self.tree.resolve_alias(entry.key);
            let NodeKind::Scalar(scalar) = &self.tree.node(key).kind else {
                continue;
            };
            let name = scalar.text.clone();
            let span = self.span(key);
            if section == "outputs" && RESERVED.contains(&name.as_str()) {
                self.fault(
                    span,
                    "reserved",
                    &format!("the output name `{name}` belongs to the host"),
                );
            }
            let mut declared = Declared {
                name,
                span,
                ty: None,
                required: false,
            };
            self.declaration(self.tree.resolve_alias(entry.value), &mut declared);
            found.push(declared);
        }
        found
    }

    fn declaration(&mut self, node: NodeId, into: &mut Declared) {
        if self.is_null(node) || self.is_error(node) {
            return;
        }
        if !self.is_mapping(node) {
            let message = format!("the declaration of `{}` is a mapping", into.name);
            self.fault(self.span(node), "no mapping", &message);
            return;
        }
        for entry in self.tree.entries(node) {
            let key = self.tree.resolve_alias(entry.key);
            let value = self.tree.resolve_alias(entry.value);
            let span = self.span(value);
            match self.tree.value(key) {
                Resolved::Str("type") => match self.tree.value(value) {
                    Resolved::Null => {}
                    Resolved::Str(word) if word.is_empty() || TYPES.contains(&word) => {
                        into.ty = (!word.is_empty() && word != "any").then(|| (word.into(), span));
                    }
                    Resolved::Str(word) => {
                        let near = near(word, TYPES).or(match word {
                            "integer" => Some("int"),
                            "boolean" => Some("bool"),
                            "str" | "text" => Some("string"),
                            "float" => Some("number"),
                            "array" => Some("list"),
                            "dict" | "map" | "mapping" => Some("object"),
                            _ => None,
                        });
                        let message = format!("a sidecar knows no type `{word}`");
                        self.out.faults.push(Fault {
                            span,
                            label: "no type".to_owned(),
                            message,
                            near,
                        });
                    }
                    _ if self.is_error(value) => {}
                    _ => self.fault(span, "no word", "a type is one of the words of a sidecar"),
                },
                Resolved::Str("required") => match self.tree.value(value) {
                    Resolved::Bool(required) => into.required = required,
                    Resolved::Null => {}
                    _ if self.is_error(value) => {}
                    _ => self.fault(span, "neither `true` nor `false`", "`required` is `true` or `false`"),
                },
                Resolved::Str(other) => {
                    let near = near(other, &["type", "required"]);
                    if near.is_some() || other == "default" {
                        let ignored = Ignored {
                            name: other.into(),
                            span: self.span(key),
                            near,
                        };
                        self.out.ignored.push(ignored);
                    }
                }
                _ => {}
            }
        }
    }

    fn fault(&mut self, span: Span, label: &str, message: &str) {
        self.out.faults.push(Fault {
            span,
            label: label.to_owned(),
            message: message.to_owned(),
            near: None,
        });
    }

    fn span(&self, node: NodeId) -> Span {
        Span::new(self.file, self.tree.node(node).range)
    }

    /// The brackets or the first token of a collection.
    fn head(&self, node: NodeId) -> Span {
        let span = self.span(node);
        let block_list = matches!(self.tree.node(node).kind, NodeKind::Sequence(_)) && !self.tree.node(node).flow;
        if !block_list {
            return span;
        }
        Span::new(self.file, kitsoki_syntax::TextRange::at(span.range.start(), 1.into()))
    }

    fn is_null(&self, node: NodeId) -> bool {
        self.tree.value(node) == Resolved::Null && matches!(self.tree.node(node).kind, NodeKind::Scalar(_))
    }

    fn is_mapping(&self, node: NodeId) -> bool {
        matches!(self.tree.node(node).kind, NodeKind::Mapping(_))
    }

    fn is_error(&self, node: NodeId) -> bool {
        matches!(self.tree.node(node).kind, NodeKind::Error)
    }
}

fn near(word: &str, words: &[&'static str]) -> Option<&'static str> {
    super::super::words::did_you_mean(word, words.iter().copied())
        .and_then(|found| words.iter().copied().find(|w| *w == found))
}
