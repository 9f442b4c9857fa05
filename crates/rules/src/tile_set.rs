//! Sets of tiles.

use core::fmt;

use crate::Tile;

/// Set of tiles, for example the tiles that a player has not placed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct TileSet(u32);

impl TileSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// All 21 tiles.
    pub const FULL: Self = Self((1 << Tile::COUNT) - 1);

    /// Creates a set from bits: bit `i` is the tile of index `i`; bits above 20 are ignored.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::FULL.0)
    }

    /// Returns the set as bits: bit `i` is the tile of index `i`.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// True if `tile` is in the set.
    #[must_use]
    pub const fn contains(self, tile: Tile) -> bool {
        self.0 & (1 << tile.index()) != 0
    }

    /// Adds `tile`.
    pub const fn insert(&mut self, tile: Tile) {
        self.0 |= 1 << tile.index();
    }

    /// Removes `tile`.
    pub const fn remove(&mut self, tile: Tile) {
        self.0 &= !(1 << tile.index());
    }

    /// Returns the number of tiles in the set.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// True if the set has no tiles.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the tiles in the set, `a` first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Tile> {
        Tile::ALL
            .into_iter()
            .filter(move |&tile| self.contains(tile))
    }

    /// Returns the sum of the sizes of the tiles, in cells.
    #[must_use]
    pub fn cell_count(self) -> u32 {
        self.iter().map(|tile| u32::from(tile.size())).sum()
    }
}

impl FromIterator<Tile> for TileSet {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        let mut set = Self::EMPTY;
        tiles.into_iter().for_each(|tile| set.insert(tile));
        set
    }
}

/// Writes the letters of the tiles, without separators.
impl fmt::Display for TileSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|tile| write!(f, "{tile}"))
    }
}

impl fmt::Debug for TileSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TileSet({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_set_has_21_tiles_and_89_cells() {
        assert_eq!(TileSet::FULL.len(), 21);
        assert_eq!(TileSet::FULL.cell_count(), 89);
        assert_eq!(TileSet::from_bits(u32::MAX), TileSet::FULL);
        assert_eq!(Tile::ALL.into_iter().collect::<TileSet>(), TileSet::FULL);
    }

    #[test]
    fn tiles_go_in_and_out() {
        let mut set = TileSet::EMPTY;
        assert!(set.is_empty());
        let tiles = [b'c', b'u', b'a'].map(|letter| Tile::from_letter(letter).unwrap());
        tiles.iter().for_each(|&tile| set.insert(tile));
        assert_eq!(set.to_string(), "acu");
        assert_eq!(set.cell_count(), 9);
        set.remove(tiles[0]);
        set.remove(tiles[0]);
        assert_eq!((set.to_string().as_str(), set.len()), ("au", 2));
        assert!(!set.contains(tiles[0]) && set.contains(tiles[1]));
    }
}
