//! Transposition table: score bounds of positions that several move orders reach.

use duoforge_rules::{Colour, Move, Placement};

/// Number of entries, a power of two.
const ENTRIES: usize = 1 << 17;

/// Position hash of 128 bits: XOR of hashes of the placements, the side to move and a preceding
/// pass. A collision within a search is as unlikely as guessing a random 128-bit number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionHash(u128);

impl PositionHash {
    /// Hash of the root position.
    pub const START: Self = Self(0);

    /// Returns the hash after another placement.
    pub fn with(self, player: Colour, placement: Placement) -> Self {
        let Placement { orientation, x, y } = placement;
        let number = u64::from(player.0) << 24
            | (orientation.index() as u64) << 16
            | u64::from(x) << 8
            | u64::from(y);
        Self(self.0 ^ u128::from(mixed(2 * number)) << 64 ^ u128::from(mixed(2 * number + 1)))
    }

    /// Returns the hash with the other side to move.
    pub const fn turn(self) -> Self {
        Self(self.0 ^ 0x6a09_e667_f3bc_c908_b2fb_1366_ea95_7d3e)
    }

    /// Returns the hash after a pass if `passed` is true, else the same hash.
    pub const fn passed(self, passed: bool) -> Self {
        if passed {
            Self(self.0 ^ 0xbb67_ae85_84ca_a73b_2574_2d7a_b8f8_a5c1)
        } else {
            self
        }
    }
}

/// Mixes the bits of a number: the finaliser of SplitMix64.
const fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Table entry: score bounds and best move of a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Lower bound of the margin for the side to move.
    pub lower: i32,
    /// Upper bound of the margin for the side to move.
    pub upper: i32,
    /// Best move found.
    pub mv: Move,
}

/// Transposition table; a newer entry replaces an older one.
#[derive(Debug)]
pub struct TranspositionTable(Vec<Option<(PositionHash, Entry)>>);

impl TranspositionTable {
    /// Creates an empty table.
    pub fn new() -> Self {
        Self(vec![None; ENTRIES])
    }

    /// Returns the entry of a position, or `None` if the table does not hold it.
    pub fn get(&self, key: PositionHash) -> Option<Entry> {
        let entry = self.0[Self::index(key)].filter(|entry| entry.0 == key);
        entry.map(|(_, entry)| entry)
    }

    /// Stores the entry of a position.
    pub fn put(&mut self, key: PositionHash, entry: Entry) {
        self.0[Self::index(key)] = Some((key, entry));
    }

    const fn index(key: PositionHash) -> usize {
        key.0 as usize & (ENTRIES - 1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use duoforge_rules::Orientation;

    use super::*;

    #[test]
    fn mixed_numbers_are_the_published_ones() {
        // First outputs of Vigna's splitmix64.c with seed 0.
        const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
        let published = [
            0xe220_a839_7b1d_cdaf,
            0x6e78_9e6a_a1b9_65f4,
            0x06c4_5d18_8009_454f,
            0xf88b_b8a8_724c_81ec,
        ];
        for (number, expected) in (0..).zip(published) {
            assert_eq!(mixed(GAMMA.wrapping_mul(number)), expected);
        }
    }

    #[test]
    fn both_halves_of_a_hash_distinguish_all_placements() {
        let (mut high, mut low, mut count) = (BTreeSet::new(), BTreeSet::new(), 0);
        for orientation in Orientation::all() {
            for (x, y) in (0..14).flat_map(|x| (0..14).map(move |y| (x, y))) {
                for player in [Colour(0), Colour(1)] {
                    let placement = Placement { orientation, x, y };
                    let PositionHash(hash) = PositionHash::START.with(player, placement);
                    high.insert((hash >> 64) as u64);
                    low.insert(hash as u64);
                    count += 1;
                }
            }
        }
        assert_eq!((high.len(), low.len()), (count, count));
    }
}
