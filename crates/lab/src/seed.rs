//! Derived seeds: one seed for each use.

use duoforge_twin::Rng;

/// Derives an independent seed from a seed and a list of numbers; the result depends on nothing
/// else.
#[must_use]
pub fn derive(seed: u64, parts: &[u64]) -> u64 {
    parts.iter().fold(draw(seed), |seed, &part| {
        draw(seed.rotate_left(17) ^ draw(part))
    })
}

fn draw(seed: u64) -> u64 {
    let mut rng = Rng::new(seed);
    u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::derive;

    #[test]
    fn every_use_has_its_own_seed() {
        let mut seeds = HashSet::new();
        for seed in 0..10 {
            for pair in 0..100 {
                for game in 0..2 {
                    assert!(seeds.insert(derive(seed, &[pair, game])));
                }
            }
        }
        assert_eq!(derive(7, &[1, 2]), derive(7, &[1, 2]));
    }
}
