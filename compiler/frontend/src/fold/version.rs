//! Version constraints of imports (`imports` 4).

/// Three numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Version(i64, i64, i64);

/// Why a constraint does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum VersionFault {
    /// The child's version does not parse.
    Child,
    /// The constraint does not parse.
    Constraint,
    /// Both parse, and the version is outside.
    Unsatisfied,
}

/// Whether `version` satisfies `constraint`. An empty one and `*` take anything, also nothing.
///
/// # Errors
/// What is wrong, and with which of the two.
pub(super) fn check(version: &str, constraint: &str) -> Result<(), VersionFault> {
    let constraint = constraint.trim();
    if constraint.is_empty() || constraint == "*" {
        return Ok(());
    }
    let version = parse(version).ok_or(VersionFault::Child)?;
    let (operator, rest) = split(constraint);
    let bound = parse(rest).ok_or(VersionFault::Constraint)?;
    let holds = match operator {
        ">=" => version >= bound,
        "<=" => version <= bound,
        ">" => version > bound,
        "<" => version < bound,
        "^" => version >= bound && version < caret(bound),
        "~" => version >= bound && version < Version(bound.0, bound.1.saturating_add(1), 0),
        _ => version == bound,
    };
    holds.then_some(()).ok_or(VersionFault::Unsatisfied)
}

fn split(constraint: &str) -> (&str, &str) {
    let operators = [">=", "<=", "^", "~", ">", "<", "="];
    operators
        .into_iter()
        .find_map(|op| constraint.strip_prefix(op).map(|rest| (op, rest.trim())))
        .unwrap_or(("=", constraint))
}

/// The first version that `^` leaves out: the next of the leftmost part that is not zero.
fn caret(Version(major, minor, patch): Version) -> Version {
    match (major, minor) {
        (0, 0) => Version(0, 0, patch.saturating_add(1)),
        (0, _) => Version(0, minor.saturating_add(1), 0),
        _ => Version(major.saturating_add(1), 0, 0),
    }
}

fn parse(text: &str) -> Option<Version> {
    let text = text.trim();
    let text = text.strip_prefix('v').unwrap_or(text);
    // What stands behind a hyphen or a plus is cut off: a pre-release equals its release.
    let text = text.split(['-', '+']).next().unwrap_or_default();
    let mut parts = [0_i64; 3];
    for (at, part) in text.split('.').enumerate() {
        *parts.get_mut(at)? = part.parse().ok()?;
    }
    let [major, minor, patch] = parts;
    Some(Version(major, minor, patch))
}

#[cfg(test)]
mod tests {
    use super::VersionFault::{Child, Constraint, Unsatisfied};
    use super::*;

    #[test]
    fn constraints() {
        for (version, constraint, expected) in [
            ("0.2.9", "^0.2", Ok(())),
            ("0.3.0", "^0.2", Err(Unsatisfied)),
            ("0.0.4", "^0.0.3", Err(Unsatisfied)),
            ("1.9.0", "^1.2.3", Ok(())),
            ("1.2.9", "~1.2.3", Ok(())),
            ("1.3.0", "~1.2.3", Err(Unsatisfied)),
            ("v1.2.3-rc1", "1.2.3", Ok(())),
            ("1.2", "= 1.2.0", Ok(())),
            ("", "*", Ok(())),
            ("", "1.0.0", Err(Child)),
            ("1.0.0", ">=0.1 <0.3", Err(Constraint)),
            ("1.0.0", "1.0.0.0", Err(Constraint)),
            ("1.0.x", "1", Err(Child)),
        ] {
            assert_eq!(check(version, constraint), expected, "{version} {constraint}");
        }
    }
}
