//! Static rules of members, indexes and `get`.

use super::nature::Nature;

/// Methods of a time: known to the reference, though a story may call none.
const TIME_METHODS: &[&str] = &[
    "Add",
    "AddDate",
    "After",
    "AppendBinary",
    "AppendFormat",
    "AppendText",
    "Before",
    "Clock",
    "Compare",
    "Date",
    "Day",
    "Equal",
    "Format",
    "GoString",
    "GobEncode",
    "Hour",
    "ISOWeek",
    "In",
    "IsDST",
    "IsZero",
    "Local",
    "Location",
    "MarshalBinary",
    "MarshalJSON",
    "MarshalText",
    "Minute",
    "Month",
    "Nanosecond",
    "Round",
    "Second",
    "String",
    "Sub",
    "Truncate",
    "UTC",
    "Unix",
    "UnixMicro",
    "UnixMilli",
    "UnixNano",
    "Weekday",
    "Year",
    "YearDay",
    "Zone",
    "ZoneBounds",
];

/// The nature of `base.name` or `base[property]`; `key` is the property when it is a text literal.
pub(super) fn member(base: &Nature, property: &Nature, key: Option<&str>, method: bool) -> Result<Nature, String> {
    if base.is_unknown() {
        return Ok(Nature::Unknown);
    }
    match (base, key) {
        (Nature::Map, _) => {
            if *property == Nature::Str || property.is_unknown() {
                Ok(Nature::Loose)
            } else {
                Err(format!("a map is indexed by a text, not by {}", property.describe()))
            }
        }
        (Nature::Groups, _) => Ok(Nature::AnyList),
        (Nature::Run, Some("id")) => Ok(Nature::Str),
        (Nature::Run, Some("turn")) => Ok(Nature::Int),
        (Nature::Run, Some(name)) => Err(format!("`run` has no `{name}`, only `id` and `turn`")),
        (Nature::Time, Some(name)) if TIME_METHODS.contains(&name) => Ok(Nature::Unknown),
        _ if base.is_list() => {
            if *property == Nature::Int || property.is_unknown() {
                Ok(base.element())
            } else {
                Err(format!(
                    "a list is indexed by an integer, not by {}",
                    property.describe()
                ))
            }
        }
        (_, Some(name)) if method => Err(format!("{} has no function `{name}`", base.describe())),
        (_, Some(name)) => Err(format!("{} has no member `{name}`", base.describe())),
        (_, None) => Err(format!("{} cannot be indexed", base.describe())),
    }
}

/// The nature of `get(base, key)`; an error says whether the base is at fault.
pub(super) fn get(base: &Nature, key: &Nature) -> Result<Nature, (bool, String)> {
    if base.is_unknown() {
        return Ok(Nature::Unknown);
    }
    if base.is_list() {
        if *key == Nature::Int || key.is_unknown() {
            return Ok(base.element());
        }
        return Err((
            false,
            format!("a list is indexed by an integer, not by {}", key.describe()),
        ));
    }
    match base {
        Nature::Map if *key == Nature::Str || key.is_unknown() => Ok(Nature::Loose),
        Nature::Groups => Ok(Nature::AnyList),
        Nature::Map => Err((false, format!("a map is indexed by a text, not by {}", key.describe()))),
        _ => Err((true, format!("{} cannot be indexed", base.describe()))),
    }
}
