//! The tables of methods, by type.

use super::{Method, dict, list, text, text_search, text_split};

/// Methods of texts.
pub(crate) const TEXT: &[Method] = &[
    Method {
        name: "capitalize",
        code: text::capitalize,
    },
    Method {
        name: "codepoint_ords",
        code: text::codepoint_ords,
    },
    Method {
        name: "codepoints",
        code: text::codepoints,
    },
    Method {
        name: "count",
        code: text_search::count,
    },
    Method {
        name: "elem_ords",
        code: text::elem_ords,
    },
    Method {
        name: "elems",
        code: text::elems,
    },
    Method {
        name: "endswith",
        code: text_search::endswith,
    },
    Method {
        name: "find",
        code: text_search::find,
    },
    Method {
        name: "format",
        code: text::format,
    },
    Method {
        name: "index",
        code: text_search::index,
    },
    Method {
        name: "isalnum",
        code: text::isalnum,
    },
    Method {
        name: "isalpha",
        code: text::isalpha,
    },
    Method {
        name: "isdigit",
        code: text::isdigit,
    },
    Method {
        name: "islower",
        code: text::islower,
    },
    Method {
        name: "isspace",
        code: text::isspace,
    },
    Method {
        name: "istitle",
        code: text::istitle,
    },
    Method {
        name: "isupper",
        code: text::isupper,
    },
    Method {
        name: "join",
        code: text_split::join,
    },
    Method {
        name: "lower",
        code: text::lower,
    },
    Method {
        name: "lstrip",
        code: text_split::lstrip,
    },
    Method {
        name: "partition",
        code: text_split::partition,
    },
    Method {
        name: "removeprefix",
        code: text_search::removeprefix,
    },
    Method {
        name: "removesuffix",
        code: text_search::removesuffix,
    },
    Method {
        name: "replace",
        code: text_search::replace,
    },
    Method {
        name: "rfind",
        code: text_search::rfind,
    },
    Method {
        name: "rindex",
        code: text_search::rindex,
    },
    Method {
        name: "rpartition",
        code: text_split::rpartition,
    },
    Method {
        name: "rsplit",
        code: text_split::rsplit,
    },
    Method {
        name: "rstrip",
        code: text_split::rstrip,
    },
    Method {
        name: "split",
        code: text_split::split,
    },
    Method {
        name: "splitlines",
        code: text_split::splitlines,
    },
    Method {
        name: "startswith",
        code: text_search::startswith,
    },
    Method {
        name: "strip",
        code: text_split::strip,
    },
    Method {
        name: "title",
        code: text::title,
    },
    Method {
        name: "upper",
        code: text::upper,
    },
];

/// Methods of bytes.
pub(crate) const BYTES: &[Method] = &[Method {
    name: "elems",
    code: text::bytes_elems,
}];

/// Methods of lists.
pub(crate) const LIST: &[Method] = &[
    Method {
        name: "append",
        code: list::append,
    },
    Method {
        name: "clear",
        code: list::clear,
    },
    Method {
        name: "extend",
        code: list::extend,
    },
    Method {
        name: "index",
        code: list::index,
    },
    Method {
        name: "insert",
        code: list::insert,
    },
    Method {
        name: "pop",
        code: list::pop,
    },
    Method {
        name: "remove",
        code: list::remove,
    },
];

/// Methods of dicts.
pub(crate) const DICT: &[Method] = &[
    Method {
        name: "clear",
        code: dict::clear,
    },
    Method {
        name: "get",
        code: dict::get,
    },
    Method {
        name: "items",
        code: dict::items,
    },
    Method {
        name: "keys",
        code: dict::keys,
    },
    Method {
        name: "pop",
        code: dict::pop,
    },
    Method {
        name: "popitem",
        code: dict::popitem,
    },
    Method {
        name: "setdefault",
        code: dict::setdefault,
    },
    Method {
        name: "update",
        code: dict::update,
    },
    Method {
        name: "values",
        code: dict::values,
    },
];
