//! Pseudo-random choices that are the same in every run (splitmix64).

/// Pseudo-random choices that depend only on a seed.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Starts from a seed.
    pub const fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// Returns the next 64 bits.
    pub const fn next_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// Returns a number below `limit`, or 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = limit.max(1) as u64;
        usize::try_from(self.next_bits() % limit).unwrap_or_default()
    }

    /// Returns true with a chance of `percent`.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Picks an element. `None` if there is none.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len())).copied()
    }

    /// Picks a word.
    pub fn pick_word(&mut self, from: &[&'static str]) -> &'static str {
        self.pick(from).unwrap_or_default()
    }
}
