//! Pseudo-random numbers that are the same on every machine.

/// A generator of pseudo-random numbers (`SplitMix64`): a counter that steps by an odd constant, and each step is
/// scrambled. It is small, fast and good enough to choose names. Do not use it for secrets.
#[derive(Clone, Debug)]
pub(super) struct Random {
    state: u64,
}

impl Random {
    /// Starts a stream. Streams with different numbers are unrelated.
    pub(super) fn new(seed: u64, stream: u64) -> Random {
        let mut random = Random { state: seed ^ stream.wrapping_mul(0xD134_2543_DE82_EF95) };
        random.state = random.next_number();
        random
    }

    fn next_number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.state;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// A number from 0 up to but not including `bound`; 0 if `bound` is 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        // The high half of a product is more even than a remainder, and needs no division.
        let product = u128::from(self.next_number()) * u128::from(bound);
        u64::try_from(product >> 64).unwrap_or_default()
    }

    /// A number from `from` to `to`, including both.
    pub(super) fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.below(to.saturating_sub(from) + 1)
    }

    /// True `percent` times out of a hundred.
    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Picks one of `choices`. An empty slice gives an empty text.
    pub(super) fn pick(&mut self, choices: &[&'static str]) -> &'static str {
        self.pick_reference(choices).copied().unwrap_or_default()
    }

    /// Picks one of `choices`. An empty slice gives `None`.
    pub(super) fn pick_reference<'c, T>(&mut self, choices: &'c [T]) -> Option<&'c T> {
        choices.get(usize::try_from(self.below(choices.len() as u64)).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_the_same_every_time_and_unlike_its_neighbours() {
        let draw = |seed, stream| {
            let mut random = Random::new(seed, stream);
            [random.below(1000), random.below(1000), random.below(1000), random.below(1000)]
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn numbers_stay_in_their_range_and_reach_its_ends() {
        let mut random = Random::new(7, 7);
        let mut seen = [false; 6];
        for _ in 0..1000 {
            let number = random.between(3, 8);
            assert!((3..=8).contains(&number));
            seen[usize::try_from(number - 3).unwrap()] = true;
        }
        assert_eq!(seen, [true; 6]);
        assert_eq!(random.below(0), 0);
    }
}
