//! Where decisions come from. The same source gives the same decisions every time: a number that a test names, or the bytes
//! of a fuzzer, which learns from them which decision leads where.

/// A stream of decisions.
#[derive(Clone, Debug)]
pub struct Choices<'b> {
    bytes: &'b [u8],
    state: Option<u64>,
}

impl Choices<'static> {
    /// Decisions that look random; they never end.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        // The first numbers of small seeds are alike without a step in between.
        let state = seed
            .wrapping_add(0x9E37_79B9_7F4A_7C15)
            .wrapping_mul(0xBF58_476D_1CE4_E5B9);
        Self {
            bytes: &[],
            state: Some(state),
        }
    }
}

impl<'b> Choices<'b> {
    /// Decisions out of bytes; when these are used up every decision is the first one.
    #[must_use]
    pub fn of(bytes: &'b [u8]) -> Self {
        Self { bytes, state: None }
    }

    /// Whether there is nothing left to decide with.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.state.is_none() && self.bytes.is_empty()
    }

    /// A number below `n`; 0 when there is none.
    pub fn below(&mut self, n: usize) -> usize {
        if n <= 1 {
            return 0;
        }
        let number = match &mut self.state {
            Some(state) => {
                *state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                *state >> 33
            }
            None => {
                // Small decisions cost one byte, so that the bytes behind them keep their meaning.
                let wide = if n > 256 { 2 } else { 1 };
                let (taken, rest) = self.bytes.split_at(wide.min(self.bytes.len()));
                self.bytes = rest;
                taken.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
            }
        };
        usize::try_from(number % n as u64).unwrap_or(0)
    }

    /// One of several things.
    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> Option<&'t T> {
        let at = self.below(things.len());
        things.get(at)
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }
}
