//! The turn cache: what a model made of the same words in the same state before (`dispatch` 5.10).
//!
//! Routing only reads it ([`Lookup`]). What a turn learns about an entry is part of the decision ([`CacheUse`]) and is
//! recorded by the owner of the cache. [`TurnCache`] is one that lives in memory.

use kitsoki_expr::Map;
use kitsoki_ir::policy::Routing;
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

/// Confidence below which an entry ages twice as fast, in a story with `confidence_decay`.
const DECAYING: f64 = 0.7;

/// A cache in memory, for one version of one story: a changed story begins with an empty one.
#[derive(Clone, Debug, Default)]
pub struct TurnCache {
    entries: FxHashMap<(SmolStr, String), Kept>,
}

#[derive(Clone, Debug)]
struct Kept {
    entry: Entry,
    strikes: i64,
    /// When it was kept, or when it last served.
    served: i128,
}

impl TurnCache {
    /// Keeps an entry; an older one of the same key is replaced. `now` in nanoseconds since 1970.
    pub fn put(&mut self, state: &str, signature: String, entry: Entry, now: i128) {
        let kept = Kept {
            entry,
            strikes: 0,
            served: now,
        };
        self.entries.insert((state.into(), signature), kept);
    }

    /// Records what a turn learned. The last strike that the story allows without a hit between removes the entry.
    pub fn record(&mut self, used: &CacheUse, routing: &Routing, now: i128) {
        let key = (used.state.clone(), used.signature.clone());
        let Some(kept) = self.entries.get_mut(&key) else {
            return;
        };
        if used.good {
            kept.strikes = 0;
            kept.served = now;
            return;
        }
        kept.strikes += 1;
        if kept.strikes >= routing.revalidate_strikes {
            self.entries.remove(&key);
        }
    }

    /// Removes what is too old, then, above the limit of the story, the share of entries that have not served longest.
    pub fn sweep(&mut self, routing: &Routing, now: i128) {
        let age = i128::from(routing.cache_max_age_ms) * 1_000_000;
        self.entries.retain(|_, kept| {
            let fast = routing.confidence_decay && kept.entry.confidence < DECAYING;
            now - kept.served <= if fast { age / 2 } else { age }
        });
        let cap = usize::try_from(routing.cache_cap).unwrap_or_default();
        let share = routing.cache_trim_fraction;
        if cap == 0 || share <= 0.0 || self.entries.len() <= cap {
            return;
        }
        let mut oldest: Vec<(i128, (SmolStr, String))> = self
            .entries
            .iter()
            .map(|(key, kept)| (kept.served, key.clone()))
            .collect();
        oldest.sort_unstable();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a length; a share above one is all"
        )]
        let most = (oldest.len() as f64 * share) as usize;
        for (_, key) in oldest.into_iter().take(most.max(1)) {
            self.entries.remove(&key);
        }
    }

    /// How many entries it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
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

    fn entry(confidence: f64) -> Entry {
        Entry {
            intent: "go".into(),
            slots: Map::new(),
            confidence,
        }
    }

    fn cache() -> TurnCache {
        let mut cache = TurnCache::default();
        cache.put("hall", "s".into(), entry(0.9), 0);
        cache
    }

    #[test]
    fn the_last_strike_removes_an_entry() {
        let mut cache = cache();
        for _ in 0..2 {
            cache.record(&used(false), &Routing::default(), 0);
            assert!(cache.get("hall", "s").is_some());
        }
        cache.record(&used(false), &Routing::default(), 0);
        assert!(cache.get("hall", "s").is_none());
    }

    #[test]
    fn a_hit_forgives_strikes() {
        let mut cache = cache();
        for good in [false, false, true, false, false] {
            cache.record(&used(good), &Routing::default(), 0);
        }
        assert!(cache.get("hall", "s").is_some());
        assert!(cache.get("yard", "s").is_none());
    }

    const HOUR: i128 = 3_600_000_000_000;

    #[test]
    fn an_entry_ages_from_the_last_time_it_served() {
        let routing = Routing {
            cache_max_age_ms: 10 * 3_600_000,
            confidence_decay: true,
            ..Routing::default()
        };
        let mut cache = cache();
        cache.put("hall", "weak".into(), entry(0.6), 0);
        cache.sweep(&routing, 5 * HOUR);
        assert_eq!(cache.len(), 2);
        cache.sweep(&routing, 6 * HOUR);
        assert!(cache.get("hall", "weak").is_none() && cache.len() == 1);
        cache.record(&used(true), &routing, 9 * HOUR);
        cache.sweep(&routing, 19 * HOUR);
        assert_eq!(cache.len(), 1);
        cache.sweep(&routing, 20 * HOUR);
        assert!(cache.is_empty());
    }

    #[test]
    fn a_full_cache_drops_a_share_of_what_served_longest_ago() {
        let routing = Routing {
            cache_cap: 19,
            ..Routing::default()
        };
        let mut cache = TurnCache::default();
        for n in 0..20 {
            cache.put("hall", n.to_string(), entry(1.0), n);
        }
        cache.sweep(&routing, 20);
        assert_eq!(cache.len(), 18);
        assert!(cache.get("hall", "1").is_none() && cache.get("hall", "2").is_some());
        cache.sweep(&routing, 20);
        assert_eq!(cache.len(), 18, "below the limit nothing is dropped");
    }
}
