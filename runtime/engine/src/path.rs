//! Paths of states: `a.b.c`, and `lab#lab.air.calm|lab.bench.tidy` for a parallel one (`machine` 3).

use smol_str::SmolStr;

/// The segments around a path, itself first: `a.b.c`, `a.b`, `a`.
pub fn outwards(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path).filter(|p| !p.is_empty()), |p| {
        p.rsplit_once('.').map(|(parent, _)| parent)
    })
}

/// The prefixes of a path from the outside in: `a`, `a.b`, `a.b.c`.
#[must_use]
pub fn prefixes(path: &str) -> Vec<&str> {
    let mut all: Vec<_> = outwards(path).collect();
    all.reverse();
    all
}

/// Whether the path says the leaves of several regions.
#[must_use]
pub fn is_parallel(path: &str) -> bool {
    path.contains('#')
}

/// The part of a path that names one state: everything before `#`.
#[must_use]
pub fn structural(path: &str) -> &str {
    path.split_once('#').map_or(path, |(root, _)| root)
}

/// The leaves of a path: itself, or those of the regions.
#[must_use]
pub fn leaves(path: &str) -> Vec<&str> {
    match path.split_once('#') {
        Some((_, leaves)) => leaves.split('|').collect(),
        None => vec![path],
    }
}

/// The path of a parallel state with these leaves.
#[must_use]
pub fn encode(root: &str, mut leaves: Vec<String>) -> SmolStr {
    leaves.sort();
    SmolStr::from(format!("{root}#{}", leaves.join("|")))
}

/// The region of a leaf below a parallel root: the first segment behind the root.
#[must_use]
pub fn region<'a>(root: &str, leaf: &'a str) -> &'a str {
    leaf.strip_prefix(root)
        .and_then(|rest| rest.strip_prefix('.'))
        .map_or("", |rest| rest.split('.').next().unwrap_or_default())
}

/// The first segment of a path.
#[must_use]
pub fn top(path: &str) -> &str {
    structural(path).split('.').next().unwrap_or_default()
}

/// What `..` and the rest of a relative target mean, seen from a state: `..` leaves a segment, `.` and nothing stay,
/// anything else goes in.
#[must_use]
pub fn relative(from: &str, target: &str) -> String {
    let mut segments: Vec<&str> = structural(from).split('.').filter(|s| !s.is_empty()).collect();
    for part in target.split('/') {
        match part {
            ".." => {
                segments.pop();
            }
            "." | "" => {}
            other => segments.push(other),
        }
    }
    segments.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_target_leaves_one_segment_per_pair_of_dots() {
        assert_eq!(relative("p.a", "../b"), "p.b");
        assert_eq!(relative("p", "../b"), "b");
        assert_eq!(relative("p.a.x", "../../c/d"), "p.c.d");
    }

    #[test]
    fn parallel_paths_sort_their_leaves() {
        let path = encode("lab", vec!["lab.bench.tidy".into(), "lab.air.calm".into()]);
        assert_eq!(path, "lab#lab.air.calm|lab.bench.tidy");
        assert_eq!(leaves(&path), ["lab.air.calm", "lab.bench.tidy"]);
        assert_eq!(structural(&path), "lab");
        assert_eq!(region("lab", "lab.bench.tidy"), "bench");
    }
}
