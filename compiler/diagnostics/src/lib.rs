//! What is wrong, where and what to do: the diagnostic model, the registry of rules and the renderers.
#![allow(missing_docs)]
use kitsoki_syntax::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Level { Error, Warning, Hint, Off }
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixable { Always, Sometimes, Never }
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule { pub id: &'static str, pub level: Level, pub summary: &'static str, pub fixable: Fixable }
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label { pub span: Span, pub message: String }
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic { pub rule: &'static str, pub severity: Level, pub message: String, pub primary: Option<Label>, pub labels: Vec<Label>, pub notes: Vec<String>, pub helps: Vec<String>, pub fixes: Vec<Fix> }
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit { pub span: Span, pub text: String }
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix { pub title: String, pub safe: bool, pub edits: Vec<Edit> }
impl Fix {
    pub fn replace(span: Span, text: impl Into<String>) -> Self { Self { title: String::new(), safe: false, edits: vec![Edit { span, text: text.into() }] } }
    pub fn edits(edits: impl IntoIterator<Item = (Span, String)>) -> Self { Self { title: String::new(), safe: false, edits: edits.into_iter().map(|(span, text)| Edit { span, text }).collect() } }
    pub fn title(mut self, t: impl Into<String>) -> Self { self.title = t.into(); self }
    pub fn safe_if(mut self, s: bool) -> Self { self.safe = s; self }
}
impl Rule {
    pub fn at(&self, span: Span, label: impl Into<String>) -> Diagnostic { let mut d = self.nowhere(); d.primary = Some(Label { span, message: label.into() }); d }
    pub fn nowhere(&self) -> Diagnostic { Diagnostic { rule: self.id, severity: self.level, message: String::new(), primary: None, labels: vec![], notes: vec![], helps: vec![], fixes: vec![] } }
}
impl Diagnostic {
    pub fn message(mut self, m: impl Into<String>) -> Self { self.message = m.into(); self }
    pub fn label(mut self, span: Span, m: impl Into<String>) -> Self { self.labels.push(Label { span, message: m.into() }); self }
    pub fn note(mut self, m: impl Into<String>) -> Self { self.notes.push(m.into()); self }
    pub fn help(mut self, m: impl Into<String>) -> Self { self.helps.push(m.into()); self }
    pub fn fix(mut self, f: Fix) -> Self { self.fixes.push(f); self }
    pub fn level(mut self, l: Level) -> Self { self.severity = l; self }
}
pub fn code(name: &str) -> String { format!("`{name}`") }
pub struct Registry(pub Vec<&'static Rule>);
impl Registry { pub fn new(r: Vec<&'static Rule>) -> Self { Self(r) } }
pub mod suggest {
    pub struct Near<'a> { pub word: &'a str }
    pub fn nearest<'a>(name: &str, c: impl IntoIterator<Item = &'a str>) -> Vec<Near<'a>> {
        let mut v: Vec<_> = c.into_iter().map(|w| (strsim::osa_distance(name, w), w)).filter(|(d, w)| *d * 3 <= w.len().max(name.len()) + 1).collect();
        v.sort(); v.into_iter().map(|(_, word)| Near { word }).collect()
    }
}
