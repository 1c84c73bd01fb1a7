//! Static rules of functions, the forbidden ones included: a type error is reported before a forbidden name.

use super::nature::{Kind, Nature};

/// Why a call cannot work: the argument at fault (none: the call itself) and the words.
pub(super) struct BadCall {
    pub(super) argument: Option<usize>,
    pub(super) message: String,
}

type Checked = Result<Nature, BadCall>;

fn bad(argument: usize, message: String) -> Checked {
    Err(BadCall {
        argument: Some(argument),
        message,
    })
}

fn count(name: &str, expected: &str, found: usize) -> BadCall {
    let message = format!("`{name}` takes {expected}, not {found}");
    BadCall {
        argument: None,
        message,
    }
}

/// A call of a view helper.
pub(super) fn helper(name: &str, args: &[Nature]) -> Result<(), BadCall> {
    overloads(name, &[("s", Nature::Bool)], args).map(|_| ())
}

/// A call of a built-in function without a predicate (and not `get`).
pub(super) fn builtin(name: &str, args: &[Nature]) -> Checked {
    use Nature::{AnyList, Float, Int, Loose, Str, Strings};
    match name {
        "trim" => overloads(name, &[("s", Str), ("ss", Str)], args),
        "upper" | "lower" | "toBase64" | "fromBase64" => overloads(name, &[("s", Str)], args),
        "fromJSON" => overloads(name, &[("s", Loose)], args),
        "trimPrefix" | "trimSuffix" => overloads(name, &[("ss", Str), ("s", Str)], args),
        "split" | "splitAfter" => overloads(name, &[("ss", Strings), ("ssi", Strings)], args),
        "replace" => overloads(name, &[("sssi", Str), ("sss", Str)], args),
        "repeat" => overloads(name, &[("si", Str)], args),
        "join" => overloads(
            name,
            &[("Ss", Str), ("As", Str), ("A", Str), ("Ss", Str), ("S", Str)],
            args,
        ),
        "indexOf" | "lastIndexOf" => overloads(name, &[("ss", Int)], args),
        "hasPrefix" | "hasSuffix" => overloads(name, &[("ss", Nature::Bool)], args),
        "type" | "string" | "toJSON" => overloads(name, &[("a", Str)], args),
        "duration" => overloads(name, &[("s", Nature::Duration)], args),
        "timezone" => overloads(name, &[("s", Nature::Unknown)], args),
        "sort" => overloads(name, &[("As", AnyList), ("A", AnyList)], args),
        "bitnot" => overloads(name, &[("i", Int)], args),
        "bitand" | "bitor" | "bitxor" | "bitnand" | "bitshl" | "bitshr" | "bitushr" => {
            overloads(name, &[("ii", Int)], args)
        }
        "len" => one(
            name,
            args,
            |kind| matches!(kind, Kind::List | Kind::Map | Kind::Str),
            |_| Int,
        ),
        "int" => one(name, args, numeric_or_text, |_| Int),
        "float" => one(name, args, numeric_or_text, |_| Float),
        "round" | "ceil" | "floor" => one(name, args, numeric, |_| Float),
        "abs" => one(name, args, numeric, known_or_loose),
        "keys" | "values" | "toPairs" => one(name, args, |kind| kind == Kind::Map, |_| AnyList),
        "first" | "last" => one(name, args, |kind| kind == Kind::List, element_type),
        "reverse" | "uniq" | "flatten" => one(name, args, |kind| kind == Kind::List, |_| AnyList),
        "fromPairs" => one(name, args, |kind| kind == Kind::List, |_| Nature::Map),
        "take" => take(name, args),
        "concat" => concat(name, args),
        "min" | "max" | "mean" | "median" => aggregate(name, args),
        "now" if args.is_empty() => Ok(Nature::Time),
        "now" => Err(count(name, "no arguments", args.len())),
        "date" if matches!(args.len(), 1..=3) => Ok(Nature::Time),
        "date" => Err(count(name, "1 to 3 arguments", args.len())),
        _ => Err(BadCall {
            argument: None,
            message: format!("`{name}` is no function"),
        }),
    }
}

fn numeric(kind: Kind) -> bool {
    matches!(kind, Kind::Int | Kind::Float | Kind::Span)
}

fn numeric_or_text(kind: Kind) -> bool {
    numeric(kind) || kind == Kind::Str
}

fn known_or_loose(nature: &Nature) -> Nature {
    if nature.is_unknown() {
        Nature::Loose
    } else {
        nature.clone()
    }
}

fn element_type(nature: &Nature) -> Nature {
    match nature {
        Nature::Strings => Nature::Str,
        Nature::Bytes => Nature::Int,
        _ => Nature::Loose,
    }
}

/// One argument of certain kinds, or unknown.
fn one(name: &str, args: &[Nature], accepts: impl Fn(Kind) -> bool, result: impl Fn(&Nature) -> Nature) -> Checked {
    let [arg] = args else {
        return Err(count(name, "1 argument", args.len()));
    };
    if arg.is_unknown() || accepts(arg.kind()) {
        Ok(result(arg))
    } else {
        bad(0, format!("`{name}` does not take {}", arg.describe()))
    }
}

/// Signatures by letters: s text, i integer, a anything, S list of texts, A list.
fn overloads(name: &str, signatures: &[(&str, Nature)], args: &[Nature]) -> Checked {
    let mut last: Option<BadCall> = None;
    for (signature, result) in signatures {
        if signature.len() != args.len() {
            last = Some(count(name, &arities(signatures), args.len()));
            continue;
        }
        let wrong = signature.chars().zip(args).position(|(letter, arg)| !fits(letter, arg));
        match wrong {
            None => return Ok(result.clone()),
            Some(index) => {
                let found = args.get(index).map_or("nothing", Nature::describe);
                let message = format!("`{name}` does not take {found} as its {} argument", ordinal(index));
                last = Some(BadCall {
                    argument: Some(index),
                    message,
                });
            }
        }
    }
    Err(last.unwrap_or_else(|| count(name, "other arguments", args.len())))
}

fn fits(letter: char, arg: &Nature) -> bool {
    if letter == 'a' || arg.is_unknown() {
        return true;
    }
    match letter {
        's' => *arg == Nature::Str,
        'i' => *arg == Nature::Int,
        'S' => *arg == Nature::Strings,
        'A' => matches!(arg, Nature::List(_) | Nature::AnyList),
        _ => false,
    }
}

fn arities(signatures: &[(&str, Nature)]) -> String {
    let mut counts: Vec<usize> = signatures.iter().map(|(signature, _)| signature.len()).collect();
    counts.sort_unstable();
    counts.dedup();
    match counts.as_slice() {
        [1] => "1 argument".to_owned(),
        [only] => format!("{only} arguments"),
        [first, .., last] => format!("{first} or {last} arguments"),
        [] => "no arguments".to_owned(),
    }
}

fn ordinal(index: usize) -> &'static str {
    match index {
        0 => "first",
        1 => "second",
        2 => "third",
        _ => "last",
    }
}

fn take(name: &str, args: &[Nature]) -> Checked {
    let [list, n] = args else {
        return Err(count(name, "2 arguments", args.len()));
    };
    if !list.is_unknown() && !list.is_list() {
        return bad(0, format!("`{name}` does not take {}", list.describe()));
    }
    if !n.is_unknown() && !matches!(n.kind(), Kind::Int | Kind::Span) {
        return bad(1, format!("`{name}` does not take {}", n.describe()));
    }
    Ok(known_or_loose(list))
}

fn concat(name: &str, args: &[Nature]) -> Checked {
    if args.is_empty() {
        return Err(count(name, "1 or more arguments", 0));
    }
    match args.iter().position(|arg| !arg.is_unknown() && !arg.is_list()) {
        Some(index) => bad(index, format!("`{name}` takes lists")),
        None => Ok(Nature::AnyList),
    }
}

/// Numbers up to the first unknown or list; what comes after that is not looked at.
fn aggregate(name: &str, args: &[Nature]) -> Checked {
    let Some(first) = args.first() else {
        return Err(count(name, "1 or more arguments", 0));
    };
    for (index, arg) in args.iter().enumerate() {
        if arg.is_unknown() || arg.is_list() {
            return Ok(Nature::Loose);
        }
        if !numeric(arg.kind()) {
            return bad(
                index,
                format!("`{name}` takes numbers and lists of numbers, not {}", arg.describe()),
            );
        }
    }
    Ok(first.clone())
}

/// A function with a predicate.
pub(super) fn with_predicate(name: &str, args: &[Nature]) -> Checked {
    let Some(collection) = args.first() else {
        return Err(count(name, "a list", 0));
    };
    if !collection.is_unknown() && !collection.is_list() {
        return bad(0, format!("`{name}` takes a list, not {}", collection.describe()));
    }
    let yields = match args.get(1) {
        None if matches!(name, "count" | "sum") => None,
        Some(Nature::Predicate(yields)) if **yields != Nature::Nil => Some((**yields).clone()),
        _ => return bad(1, format!("`{name}` needs a predicate that yields something")),
    };
    let needs_bool = !matches!(name, "map" | "sum" | "groupBy" | "sortBy" | "reduce");
    if let Some(found) = &yields
        && needs_bool
        && *found != Nature::Bool
        && !found.is_unknown()
    {
        return bad(
            1,
            format!("the predicate of `{name}` must yield a bool, not {}", found.describe()),
        );
    }
    if name == "sortBy"
        && let Some(order) = args.get(2)
        && *order != Nature::Str
        && !order.is_unknown()
    {
        return bad(2, "the order must be a text".to_owned());
    }
    let element = if collection.is_unknown() {
        Nature::Unknown
    } else {
        collection.element()
    };
    Ok(match name {
        "all" | "none" | "any" | "one" => Nature::Bool,
        "count" | "findIndex" | "findLastIndex" => Nature::Int,
        "filter" if collection.is_unknown() => Nature::AnyList,
        "filter" => Nature::list_of(element),
        "map" => Nature::list_of(yields.unwrap_or(Nature::Unknown)),
        "sum" => yields.unwrap_or(element),
        "find" | "findLast" => element,
        "groupBy" => Nature::Groups,
        "sortBy" => collection.clone(),
        _ => yields.unwrap_or(Nature::Unknown),
    })
}
