//! What is known of positions that may come about in several ways.

use duoforge_rules::{Move, Placement, Player};

/// Entries of a table, a power of two.
const ENTRIES: usize = 1 << 17;

/// A position as a number: the exclusive or of numbers of its placements, and whose turn it is. That
/// two positions of a search share one is as unlikely as that a random number of 128 bits is guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(u128);

impl Key {
    /// The position at the root.
    pub const START: Self = Self(0);

    /// After another placement.
    pub fn with(self, player: Player, placement: Placement) -> Self {
        let Placement { orientation, x, y } = placement;
        let number = u64::from(player.0) << 24
            | (orientation.index() as u64) << 16
            | u64::from(x) << 8
            | u64::from(y);
        Self(self.0 ^ u128::from(mixed(2 * number)) << 64 ^ u128::from(mixed(2 * number + 1)))
    }

    /// With the other player to move.
    pub const fn turn(self) -> Self {
        Self(self.0 ^ 0x6a09_e667_f3bc_c908_b2fb_1366_ea95_7d3e)
    }

    /// After a pass, if it is one.
    pub const fn passed(self, passed: bool) -> Self {
        if passed {
            Self(self.0 ^ 0xbb67_ae85_84ca_a73b_2574_2d7a_b8f8_a5c1)
        } else {
            self
        }
    }
}

/// The finaliser of SplitMix64.
const fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The player to move gains at least this.
    pub lower: i32,
    /// The player to move gains at most this.
    pub upper: i32,
    /// The best move that was found.
    pub turn: Move,
}

/// A table in which a newer entry takes the place of an older one.
#[derive(Debug)]
pub struct Table(Vec<Option<(Key, Entry)>>);

impl Table {
    /// An empty table.
    pub fn new() -> Self {
        Self(vec![None; ENTRIES])
    }

    /// What is known of a position.
    pub fn get(&self, key: Key) -> Option<Entry> {
        let entry = self.0[Self::index(key)].filter(|entry| entry.0 == key);
        entry.map(|(_, entry)| entry)
    }

    /// Keeps what is known of a position.
    pub fn put(&mut self, key: Key, entry: Entry) {
        self.0[Self::index(key)] = Some((key, entry));
    }

    const fn index(key: Key) -> usize {
        key.0 as usize & (ENTRIES - 1)
    }
}
