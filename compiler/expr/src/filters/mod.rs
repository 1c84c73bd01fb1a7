//! Filters of pongo templates (language 10.6 of the expression chapter).

mod format;
mod html;
mod layout;
mod list;
mod number;
mod reference;
mod text;
mod words;

pub(crate) use layout::MAX_WIDTH;
pub(crate) use text::escape;

use crate::ErrorClass;
use crate::eval::Fault;
use crate::template::p::value::P;

type Filtered = Result<P, Fault>;

macro_rules! filters {
    ($($name:literal => $variant:ident,)*) => {
        /// A filter.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Filter { $($variant,)* }

        impl Filter {
            pub(crate) fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
        }

        #[cfg(test)]
        const NAMES: &[&str] = &[$($name,)*];
    };
}

filters! {
    "add" => Add,
    "addslashes" => AddSlashes,
    "capfirst" => CapFirst,
    "center" => Center,
    "col" => Col,
    "cut" => Cut,
    "date" => Date,
    "default" => Default,
    "default_if_none" => DefaultIfNone,
    "divisibleby" => DivisibleBy,
    "e" => E,
    "escape" => Escape,
    "escapejs" => EscapeJs,
    "first" => First,
    "float" => Float,
    "floatformat" => FloatFormat,
    "get_digit" => GetDigit,
    "integer" => Integer,
    "iriencode" => IriEncode,
    "join" => Join,
    "last" => Last,
    "length" => Length,
    "length_is" => LengthIs,
    "linebreaks" => LineBreaks,
    "linebreaksbr" => LineBreaksBr,
    "linenumbers" => LineNumbers,
    "ljust" => LJust,
    "lower" => Lower,
    "make_list" => MakeList,
    "phone2numeric" => Phone,
    "pluralize" => Pluralize,
    "random" => Random,
    "rcol" => RCol,
    "reference" => Reference,
    "removetags" => RemoveTags,
    "reverse" => Reverse,
    "rjust" => RJust,
    "safe" => Safe,
    "slice" => Slice,
    "split" => Split,
    "stringformat" => StringFormat,
    "striptags" => StripTags,
    "time" => Time,
    "title" => Title,
    "truncatechars" => TruncateChars,
    "truncatechars_html" => TruncateCharsHtml,
    "truncatewords" => TruncateWords,
    "truncatewords_html" => TruncateWordsHtml,
    "upper" => Upper,
    "urlencode" => UrlEncode,
    "urlize" => Urlize,
    "urlizetrunc" => UrlizeTrunc,
    "wordcount" => WordCount,
    "wordwrap" => WordWrap,
    "yesno" => YesNo,
}

fn refused(message: impl Into<String>) -> Fault {
    Fault::new(ErrorClass::Filter, message)
}

impl Filter {
    /// Applies the filter; a missing argument is nil.
    pub(crate) fn apply(self, input: &P, argument: &P) -> Filtered {
        match self {
            Self::Default => Ok(if input.is_true() {
                input.clone()
            } else {
                argument.clone()
            }),
            Self::DefaultIfNone => Ok(if input.is_nil() {
                argument.clone()
            } else {
                input.clone()
            }),
            Self::Safe => Ok(input.clone()),
            Self::Length => Ok(P::int(i64::try_from(input.len()).unwrap_or(i64::MAX))),
            Self::LengthIs => Ok(P::from(i64::try_from(input.len()) == Ok(argument.integer()))),
            Self::YesNo => words::yesno(input, argument),
            Self::Pluralize => words::pluralize(input, argument),
            Self::WordCount => Ok(P::int(
                i64::try_from(input.text().split_whitespace().count()).unwrap_or(i64::MAX),
            )),
            Self::TruncateWords => Ok(words::truncate(input, argument)),
            Self::Phone => Ok(words::phone(input)),
            Self::Add => Ok(number::add(input, argument)),
            Self::DivisibleBy => Ok(number::divisible(input, argument)),
            Self::Float => Ok(P::from(input.float())),
            Self::Integer => Ok(P::int(input.integer())),
            Self::FloatFormat => number::float_format(input, argument),
            Self::GetDigit => Ok(number::digit(input, argument)),
            Self::StringFormat => format::string_format(input, argument),
            Self::First => Ok(list::first(input)),
            Self::Last => Ok(list::last(input)),
            Self::Random => Ok(if input.can_slice() && input.len() > 0 {
                input.index(0)
            } else {
                input.clone()
            }),
            Self::Join => Ok(list::join(input, argument)),
            Self::Split => Ok(list::split(input, argument)),
            Self::MakeList => Ok(list::characters(input)),
            Self::Slice => list::slice(input, argument),
            Self::Reverse => Ok(list::reverse(input)),
            Self::Upper => Ok(P::from(crate::eval::text::upper(&input.text()))),
            Self::Lower => Ok(P::from(crate::eval::text::lower(&input.text()))),
            Self::CapFirst => Ok(text::capfirst(input)),
            Self::Title => Ok(text::title(input)),
            Self::Cut => Ok(text::cut(input, argument)),
            Self::AddSlashes => Ok(text::addslashes(input)),
            Self::Escape | Self::E => Ok(P::from(escape(&input.text()))),
            Self::EscapeJs => Ok(text::escapejs(input)),
            Self::UrlEncode => Ok(P::from(text::query_escape(&input.text()))),
            Self::IriEncode => Ok(P::from(text::iri_encode(&input.text()))),
            Self::Date | Self::Time => text::date(input, argument),
            Self::LineBreaks => Ok(html::linebreaks(input)),
            Self::LineBreaksBr => Ok(P::from(input.text().replace('\n', "<br />"))),
            Self::LineNumbers => Ok(html::linenumbers(input)),
            Self::StripTags => Ok(html::striptags(input)),
            Self::RemoveTags => html::removetags(input, argument),
            Self::Urlize => Ok(html::urlize(input, !argument.is_bool() || argument.is_true(), -1)),
            Self::UrlizeTrunc => Ok(html::urlize(input, true, argument.integer())),
            Self::TruncateCharsHtml => Ok(html::truncate_chars(input, argument)),
            Self::TruncateWordsHtml => Ok(html::truncate_words(input, argument)),
            Self::TruncateChars => Ok(layout::truncate(input, argument)),
            Self::WordWrap => Ok(layout::wordwrap(input, argument)),
            Self::Col => layout::col(input, argument),
            Self::RCol => layout::rcol(input, argument),
            Self::LJust => layout::ljust(input, argument),
            Self::RJust => layout::rjust(input, argument),
            Self::Center => layout::center(input, argument),
            Self::Reference => Ok(reference::reference(input, argument)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_filter_is_documented_and_every_documented_filter_exists() {
        for name in NAMES {
            assert!(crate::names::filter(name).is_some(), "{name}");
        }
        for entry in crate::names::FILTERS {
            assert!(Filter::named(entry.name).is_some(), "{}", entry.name);
        }
    }
}
