//! The only place that knows the parser library: its events, byte places and errors in our own words.

use std::borrow::Cow;

use granit_parser as yaml;

use crate::{Limits, ScalarStyle};

/// What the text holds, in its order.
pub(super) enum Event<'t> {
    /// A new document; `marked` when it begins with `---`.
    Document { marked: bool },
    /// The anchor of the node before this event; its place has the `&`.
    Anchor(Cow<'t, str>),
    /// An alias; its place has the `*`.
    Alias,
    /// A scalar and its decoded text.
    Scalar(Cow<'t, str>, ScalarStyle),
    /// A mapping starts.
    Mapping,
    /// A list starts.
    Sequence,
    /// The innermost collection ends.
    End,
}

/// Where an event stands.
pub(super) struct Place {
    /// First byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
    /// In brackets.
    pub flow: bool,
    /// The tag in its normal form with its place.
    pub tag: Option<(String, usize, usize)>,
    /// The content column of a block scalar.
    pub indent: Option<usize>,
}

/// Where the text stops to be YAML, and why.
pub(super) struct Break {
    /// The byte at which the parser gave up.
    pub at: usize,
    /// Its reason.
    pub reason: Reason,
}

/// Reasons that need different words. What the place shows decides more than the reason does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// The end of the text, with something open.
    End,
    /// A quoted text without its end.
    UnclosedQuote,
    /// Text directly behind a quoted text.
    AfterQuote,
    /// A bracket without its end.
    UnclosedBracket,
    /// `]` for `{`, or the other way round.
    WrongBracket { open: char, close: char },
    /// A closing bracket without an opening one.
    StrayBracket,
    /// No `,` between two entries in brackets.
    NoComma,
    /// A tab as indentation.
    Tab,
    /// A line that fits to nothing around it.
    Indentation,
    /// A key where none may stand, or a second colon on a line.
    Colon,
    /// A line of a mapping without a colon.
    NoColon,
    /// A `-` where no list item may stand.
    Dash,
    /// A character that cannot start a value.
    Character(char),
    /// `#` without a blank before it.
    TouchingComment,
    /// A comment inside of a plain text of several lines.
    CommentInText,
    /// A `\` with something that is no escape.
    Escape,
    /// `|` or `>` with something behind it.
    BlockHeader,
    /// A line of a block text that is indented less than its first.
    BlockIndent,
    /// A `&` or `*` without a name.
    NoName,
    /// A tag that cannot be read.
    Tag,
    /// A line that starts with `%`.
    Directive,
    /// Something behind `...`.
    AfterEnd,
    /// Nested too deeply.
    Depth,
    /// No value where one is needed.
    NoValue,
    /// Everything else.
    Other,
}

/// The events of one text.
pub(super) struct Events<'t> {
    parser: yaml::Parser<'t, yaml::StrInput<'t>>,
    /// How many bytes of the text are known to be read.
    at: usize,
    done: bool,
}

impl<'t> Events<'t> {
    /// Starts to read.
    pub fn new(text: &'t str, limits: &Limits) -> Self {
        let depth = limits.max_depth.saturating_add(1);
        let options = yaml::options! {
            block_scalar_eof_without_line_feed: true,
            emit_anchor_events: true,
            emit_unresolved_aliases: true,
            emit_comments: false,
            flow_nesting_limit: depth,
            block_nesting_limit: depth,
        };
        Self {
            parser: yaml::Parser::new_from_str_with_options(text, options),
            at: 0,
            done: false,
        }
    }

    /// The next event; `None` at the end of the text.
    pub fn next(&mut self) -> Option<Result<(Event<'t>, Place), Break>> {
        while !self.done {
            let Some(next) = self.parser.next_event() else { break };
            match next {
                Err(error) => {
                    self.done = true;
                    let at = error.marker().byte_offset().unwrap_or(self.at);
                    return Some(Err(Break {
                        at,
                        reason: reason(error.kind()),
                    }));
                }
                Ok((event, span)) => {
                    let bytes = span.byte_range().unwrap_or(self.at..self.at);
                    self.at = bytes.end;
                    let mut place = Place {
                        start: bytes.start,
                        end: bytes.end,
                        flow: false,
                        tag: None,
                        indent: span.indent,
                    };
                    if let Some(event) = translate(event, &span, &mut place) {
                        return Some(Ok((event, place)));
                    }
                }
            }
        }
        None
    }
}

fn translate<'t>(event: yaml::Event<'t>, span: &yaml::Span, place: &mut Place) -> Option<Event<'t>> {
    let mut tagged = |tag: Option<Cow<'t, yaml::Tag>>| {
        if let (Some(tag), Some(range)) = (tag, span.tag_span().and_then(|span| span.byte_range())) {
            let text = tag
                .core_suffix()
                .map_or_else(|| tag.original(), |suffix| format!("!!{suffix}"));
            place.tag = Some((text, range.start, range.end));
        }
    };
    Some(match event {
        yaml::Event::StreamStart | yaml::Event::StreamEnd | yaml::Event::DocumentEnd => return None,
        yaml::Event::DocumentStart(marked, _) => Event::Document { marked },
        yaml::Event::Anchor(_, name) => Event::Anchor(name),
        yaml::Event::Alias(_) | yaml::Event::UnresolvedAlias(_) => Event::Alias,
        yaml::Event::Scalar(text, style, _, tag) => {
            tagged(tag);
            // A value that is not there comes as `~`.
            let text = if place.start == place.end {
                Cow::Borrowed("")
            } else {
                text
            };
            Event::Scalar(text, scalar_style(style))
        }
        yaml::Event::SequenceStart(style, _, tag) => {
            tagged(tag);
            place.flow = style == yaml::StructureStyle::Flow;
            Event::Sequence
        }
        yaml::Event::MappingStart(style, _, tag) => {
            tagged(tag);
            place.flow = style == yaml::StructureStyle::Flow;
            Event::Mapping
        }
        yaml::Event::SequenceEnd | yaml::Event::MappingEnd => Event::End,
        _ => return None,
    })
}

fn scalar_style(style: yaml::ScalarStyle) -> ScalarStyle {
    match style {
        yaml::ScalarStyle::Plain => ScalarStyle::Plain,
        yaml::ScalarStyle::SingleQuoted => ScalarStyle::Single,
        yaml::ScalarStyle::DoubleQuoted => ScalarStyle::Double,
        yaml::ScalarStyle::Literal => ScalarStyle::Literal,
        yaml::ScalarStyle::Folded => ScalarStyle::Folded,
    }
}

fn reason(kind: &yaml::ErrorKind) -> Reason {
    use yaml::ErrorKind as K;
    match kind {
        K::UnexpectedEof | K::UnexpectedEofBlockMapping | K::UnexpectedEofBlockSequence => Reason::End,
        K::UnexpectedEofFlowMapping
        | K::UnexpectedEofFlowSequence
        | K::UnexpectedEofImplicitFlowMapping
        | K::UnclosedFlowCollection { .. } => Reason::UnclosedBracket,
        K::MismatchedFlowCollectionEnd { open, close } => Reason::WrongBracket {
            open: *open,
            close: *close,
        },
        K::MisplacedFlowCollectionEnd => Reason::StrayBracket,
        K::ExpectedFlowMappingSeparator | K::ExpectedFlowSequenceSeparator => Reason::NoComma,
        K::UnclosedQuotedScalar | K::DocumentIndicatorInQuotedScalar | K::InvalidQuotedScalarIndent => {
            Reason::UnclosedQuote
        }
        K::InvalidTrailingSingleQuotedScalar | K::InvalidTrailingDoubleQuotedScalar => Reason::AfterQuote,
        K::TabNotAllowed
        | K::TabInBlockIndentation
        | K::TabInIndentation
        | K::TabAtBlockScalarStart
        | K::TabInPlainScalar => Reason::Tab,
        K::InvalidIndentation | K::InvalidFlowScalarIndent => Reason::Indentation,
        K::ExpectedBlockMappingKey | K::ExpectedBlockSequenceEntry => Reason::Indentation,
        K::MappingKeyNotAllowed
        | K::MappingValueNotAllowed
        | K::InvalidColonPlacement
        | K::InvalidMappingValueWhitespace
        | K::FlowMappingValueAdjacentCollection => Reason::Colon,
        K::SimpleKeyExpected | K::InvalidSimpleKey => Reason::NoColon,
        K::BlockEntryInFlowCollection
        | K::BlockSequenceEntryNotAllowed
        | K::InvalidBlockEntryWhitespace
        | K::PlainScalarStartsWithDashFlowIndicator => Reason::Dash,
        K::UnexpectedCharacter { character } => Reason::Character(*character),
        K::CommentNotSeparated => Reason::TouchingComment,
        K::CommentInterceptedScalar => Reason::CommentInText,
        K::UnknownQuotedScalarEscape
        | K::InvalidQuotedScalarHexEscape
        | K::InvalidLowSurrogateHexEscape
        | K::InvalidLowSurrogate
        | K::MissingLowSurrogate
        | K::UnpairedLowSurrogate
        | K::InvalidUnicodeEscape => Reason::Escape,
        K::ZeroBlockScalarIndent | K::InvalidBlockScalarHeader => Reason::BlockHeader,
        K::InvalidBlockScalarIndent => Reason::BlockIndent,
        K::MissingAnchorOrAliasName => Reason::NoName,
        K::UndeclaredTagHandle
        | K::ExpectedTagBang
        | K::ExpectedTagDirectiveBang
        | K::InvalidGlobalTagCharacter
        | K::InvalidTagTerminator
        | K::MissingTagUri
        | K::UnclosedVerbatimTag
        | K::InvalidTagEscape
        | K::InvalidTagUtf8LeadingByte
        | K::InvalidTagUtf8TrailingByte
        | K::InvalidTagUtf8 => Reason::Tag,
        K::DuplicateVersionDirective
        | K::UnsupportedYamlMajorVersion
        | K::DuplicateTagDirective
        | K::MissingDocumentEndBeforeDirective
        | K::InvalidDirectiveTerminator
        | K::MissingYamlVersionSeparator
        | K::MissingDirectiveName
        | K::InvalidDirectiveName
        | K::DirectiveByteLimitExceeded { .. }
        | K::YamlVersionTooLong
        | K::MissingYamlVersion
        | K::InvalidTagDirectiveTerminator => Reason::Directive,
        K::InvalidDocumentEnd | K::ExpectedDocumentStart => Reason::AfterEnd,
        K::RecursionLimitExceeded => Reason::Depth,
        K::ExpectedNodeContent | K::UnexpectedEndOfPlainScalar => Reason::NoValue,
        _ => Reason::Other,
    }
}
