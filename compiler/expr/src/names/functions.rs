//! Functions of guards and value expressions (language 6 of the expression chapter).

use super::{Named, named};

/// Functions of guards and value expressions.
pub const FUNCTIONS: &[Named] = &[
    named(
        "len",
        "len(x)",
        "The number of elements of a list or map, or of characters of a text; nil has none.",
    ),
    named(
        "trim",
        "trim(text, cutset?)",
        "The text without white space, or without the characters of the cutset, at both ends.",
    ),
    named("upper", "upper(text)", "The text in capitals."),
    named("lower", "lower(text)", "The text in small letters."),
    named(
        "split",
        "split(text, separator, limit?)",
        "The parts of a text as a list; an empty separator gives its characters.",
    ),
    named("join", "join(list, separator?)", "The texts of a list as one text."),
    named(
        "hasPrefix",
        "hasPrefix(text, prefix)",
        "Whether a text starts with another.",
    ),
    named(
        "hasSuffix",
        "hasSuffix(text, suffix)",
        "Whether a text ends with another.",
    ),
    named(
        "int",
        "int(x)",
        "A number without its fraction, or the integer that a text spells.",
    ),
    named(
        "float",
        "float(x)",
        "A number as a float, or the float that a text spells.",
    ),
    named("string", "string(x)", "Any value as text; nil becomes `<nil>`."),
    named("abs", "abs(number)", "The number without its sign."),
    named(
        "round",
        "round(number)",
        "The nearest whole number, as a float; halves go away from zero.",
    ),
    named(
        "type",
        "type(x)",
        "The kind of a value: nil, bool, int, uint, float, string, array, map or func.",
    ),
    named("get", "get(x, key)", "Like indexing, but nil where there is nothing."),
    named("keys", "keys(map)", "The keys of a map, sorted."),
    named("min", "min(numbers…)", "The smallest of numbers and lists of numbers."),
    named("max", "max(numbers…)", "The largest of numbers and lists of numbers."),
    named("now", "now()", "The time of the evaluation."),
];

/// View helpers: functions where a menu stands behind them.
pub const HELPERS: &[Named] = &[
    named(
        "available",
        "available('intent')",
        "Whether the intent can be taken now.",
    ),
    named(
        "blocked",
        "blocked('intent')",
        "Whether the intent is shown but blocked.",
    ),
    named(
        "blocked_reason",
        "blocked_reason('intent')",
        "Why the intent is blocked, or an empty text.",
    ),
    named(
        "intent_status",
        "intent_status('intent')",
        "`available`, `blocked` or `unknown`.",
    ),
];

/// Functions of the expression library that stories may not use.
pub const FORBIDDEN_FUNCTIONS: &[&str] = &[
    "all",
    "none",
    "any",
    "one",
    "filter",
    "map",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "count",
    "sum",
    "groupBy",
    "sortBy",
    "reduce",
    "ceil",
    "floor",
    "trimPrefix",
    "trimSuffix",
    "splitAfter",
    "replace",
    "repeat",
    "indexOf",
    "lastIndexOf",
    "mean",
    "median",
    "toJSON",
    "fromJSON",
    "toBase64",
    "fromBase64",
    "duration",
    "date",
    "timezone",
    "first",
    "last",
    "take",
    "values",
    "toPairs",
    "fromPairs",
    "reverse",
    "uniq",
    "concat",
    "flatten",
    "sort",
    "bitand",
    "bitor",
    "bitxor",
    "bitnand",
    "bitshl",
    "bitshr",
    "bitushr",
    "bitnot",
];
