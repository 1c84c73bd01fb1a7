//! The language as a table: which keys a declaration has and what stands behind each of them.
//!
//! One table serves every feature: completion asks what may stand at a place, the occurrences ask which texts are names, the
//! colours ask which texts are code. It is walked over the bare tree ([`super::walk`]), so that it works on text that the
//! compiler cannot read yet. The keys are those of the compiler's own tables; a test holds both together.

/// A kind of name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A room, by its dotted path.
    State,
    /// An intent.
    Intent,
    /// A slot of an intent.
    Slot,
    /// A world key.
    World,
    /// An agent.
    Agent,
    /// A toolbox.
    Toolbox,
    /// A host verb.
    Host,
    /// A host interface.
    Interface,
    /// An operation policy.
    Operation,
    /// An import's alias.
    Import,
    /// An exit.
    Exit,
    /// A back-end profile.
    Provider,
    /// An agent transport.
    Plugin,
    /// A phase template.
    Template,
    /// A phase.
    Phase,
    /// A parameter of a phase template.
    Parameter,
    /// A meta mode.
    Mode,
    /// A proposal.
    Proposal,
    /// A call that has an `id`: cassettes, stubs and expectations of flows name it.
    Call,
}

impl Kind {
    /// The author's word with its article.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Kind::State => "a room",
            Kind::Intent => "an intent",
            Kind::Slot => "a slot",
            Kind::World => "a world key",
            Kind::Agent => "an agent",
            Kind::Toolbox => "a toolbox",
            Kind::Host => "a host verb",
            Kind::Interface => "a host interface",
            Kind::Operation => "an operation policy",
            Kind::Import => "an import",
            Kind::Exit => "an exit",
            Kind::Provider => "a provider",
            Kind::Plugin => "an agent plugin",
            Kind::Template => "a phase template",
            Kind::Phase => "a phase",
            Kind::Parameter => "a parameter",
            Kind::Mode => "a meta mode",
            Kind::Proposal => "a proposal",
            Kind::Call => "a call",
        }
    }

    /// The word without its article.
    #[must_use]
    pub fn noun(self) -> &'static str {
        let word = self.word();
        word.split_once(' ').map_or(word, |(_, noun)| noun)
    }
}

/// What is done with a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Role {
    /// It is declared.
    Definition,
    /// It is written, or counted, or bound.
    Write,
    /// It is read.
    Read,
    /// It is called, or led to.
    Call,
}

/// Which files a path names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Files {
    /// A prompt, relative to the declaring file's folder or a prompt root.
    Prompt,
    /// A JSON schema.
    Schema,
    /// A Starlark script.
    Script,
    /// Story files, by pattern.
    Include,
    /// The folder or manifest of an imported story.
    Story,
    /// A cassette or recording, relative to the fixture.
    Cassette,
    /// Any file.
    Any,
}

/// What a text means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sem {
    /// Words for people or machines that name nothing.
    Free,
    /// One of some words.
    Words(&'static [&'static str]),
    /// A name.
    Name(Kind, Role),
    /// The name of a child of the room around.
    Child,
    /// A target: relative to the room around.
    Target,
    /// A guard or another bare expression.
    Expr,
    /// A brace template of a value.
    Value,
    /// A view template.
    View,
    /// The path of a result, or a template over it.
    Bind,
    /// An intent by name, or a template.
    EmitIntent,
    /// A host verb or an operation of an interface.
    Verb,
    /// A file.
    Path(Files),
    /// A duration.
    Duration,
    /// A reference to an exit of the story: `@exit:name` or a room.
    ExitTarget,
    /// The name of a room of an imported story.
    ImportedState,
    /// The name of an intent of an imported story.
    ImportedIntent,
    /// A world key, perhaps with a path behind it.
    WorldPath,
    /// A phrase with slots in braces.
    Synonym,
}

/// What the keys of a mapping are, when the author chose them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Keys {
    /// They name nothing.
    Free,
    /// They declare names.
    Define(Kind),
    /// They use names.
    Use(Kind, Role),
    /// They are slots of the intent that the declaration around names.
    Slots,
    /// They are arguments of the verb of the effect around.
    Arguments,
    /// They are arguments as a run wrote them down: those of the verb, and the call's `id` as `call`.
    Recorded,
    /// They are slots that the intent around declares.
    DefineSlots,
    /// They are world keys of the imported story.
    ImportedWorld,
    /// They are exits of the imported story.
    ImportedExits,
    /// They are rooms of the imported story.
    ImportedStates,
    /// They are intents of the imported story.
    ImportedIntents,
    /// They are host interfaces of the imported story.
    ImportedInterfaces,
}

/// What stands behind a key.
#[derive(Clone, Copy, Debug)]
pub enum Ty {
    /// A mapping with fixed keys.
    Decl(&'static Decl),
    /// A list.
    List(&'static Ty),
    /// A mapping with the author's keys.
    Map(Keys, &'static Ty),
    /// A text.
    Text(Sem),
    /// A truth value.
    Flag,
    /// A number.
    Number,
    /// A free value whose texts have one meaning.
    Any(Sem),
    /// By the form of the value: a scalar, a list or a mapping.
    Form(&'static Form),
}

/// Alternatives by form.
#[derive(Debug)]
pub struct Form {
    /// For a scalar.
    pub scalar: Option<Ty>,
    /// For a list.
    pub list: Option<Ty>,
    /// For a mapping.
    pub map: Option<Ty>,
}

/// A mapping with fixed keys.
#[derive(Debug)]
pub struct Decl {
    /// The author's word with its article.
    pub kind: &'static str,
    /// The keys and what stands behind them.
    pub keys: &'static [(&'static str, Ty)],
    /// A line about each of the keys, as far as there is one.
    pub docs: &'static [&'static str],
}

impl Decl {
    /// What stands behind a key.
    #[must_use]
    pub fn key(&self, key: &str) -> Option<&'static Ty> {
        self.keys.iter().find(|(k, _)| *k == key).map(|(_, ty)| ty)
    }

    /// The line about a key.
    #[must_use]
    pub fn doc(&self, key: &str) -> Option<&'static str> {
        let at = self.keys.iter().position(|(k, _)| *k == key)?;
        self.docs.get(at).map(|d| d.trim()).filter(|d| !d.is_empty())
    }

    /// Whether this is the very declaration, not one with the same words.
    #[must_use]
    pub fn is(&self, other: &'static Decl) -> bool {
        std::ptr::eq(self, other)
    }
}
