//! The turn cache: what a model made of the same words in the same state before (`dispatch` 5.10).
//!
//! Routing only reads it ([`Lookup`]). What a turn learns about an entry is part of the decision ([`CacheUse`]) and is
//! recorded by the owner of the cache. [`TurnCache`] is one that lives in memory.

use kitsoki_expr::Map;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// What a model said.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The intent.
    pub intent: SmolStr,
    /// Its slots, as they were given.
    pub slots: Map,
    /// How sure the model was.
    pub confidence: f64,
}

/// A cache that can be asked. The cache itself knows which story, in which version, it belongs to.
pub trait Lookup {
    /// The entry of a state and a signature ([`crate::lex::Lexer::signature`]).
    fn get(&self, state: &str, signature: &str) -> Option<Entry>;
}

/// What a turn learned about an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CacheUse {
    /// The state.
    pub state: SmolStr,
    /// The signature.
    pub signature: String,
    /// The machine takes the entry; else it counts a strike.
    pub good: bool,
}

/// A cache in memory.
#[derive(Clone, Debug, Default)]
pub struct TurnCache {
    strikes_allowed: i64,
    entries: FxHashMap<(SmolStr, String), Kept>,
}

#[derive(Clone, Debug)]
struct Kept {
    entry: Entry,
    strikes: i64,
}

impl TurnCache {
    /// A cache that drops an entry at so many strikes without a hit between.
    #[must_use]
    pub fn new(strikes_allowed: i64) -> Self {
        Self {
            strikes_allowed,
            entries: FxHashMap::default(),
        }
    }

    /// Keeps an entry; an older one of the same key is replaced.
    pub fn put(&mut self, state: &str, signature: String, entry: Entry) {
        self.entries
            .insert((state.into(), signature), Kept { entry, strikes: 0 });
    }

    /// Records what a turn learned.
    pub fn record(&mut self, used: &CacheUse) {
        let key = (used.state.clone(), used.signature.clone());
        let Some(kept) = self.entries.get_mut(&key) else { return };
        kept.strikes = if used.good { 0 } else { kept.strikes + 1 };
        if !used.good && kept.strikes >= self.strikes_allowed {
            self.entries.remove(&key);
        }
    }
}

impl Lookup for TurnCache {
    fn get(&self, state: &str, signature: &str) -> Option<Entry> {
        let key = (SmolStr::new(state), signature.to_owned());
        self.entries.get(&key).map(|kept| kept.entry.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(good: bool) -> CacheUse {
        CacheUse {
            state: "hall".into(),
            signature: "s".into(),
            good,
        }
    }

    fn cache() -> TurnCache {
        let mut cache = TurnCache::new(3);
        cache.put(
            "hall",
            "s".into(),
            Entry {
                intent: "go".into(),
                slots: Map::new(),
                confidence: 0.9,
            },
        );
        cache
    }

    #[test]
    fn the_last_strike_removes_an_entry() {
        let mut cache = cache();
        for _ in 0..2 {
            cache.record(&used(false));
            assert!(cache.get("hall", "s").is_some());
        }
        cache.record(&used(false));
        assert!(cache.get("hall", "s").is_none());
    }

    #[test]
    fn a_hit_forgives_strikes() {
        let mut cache = cache();
        for good in [false, false, true, false, false] {
            cache.record(&used(good));
        }
        assert!(cache.get("hall", "s").is_some());
        assert!(cache.get("yard", "s").is_none());
    }
}
