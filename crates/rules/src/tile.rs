//! Tiles: the 21 polyominoes and the base shapes from which every table of this crate is computed.

use core::fmt;

/// One of the 21 tiles of a player, `a` to `u` in the contest's notation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

impl Tile {
    /// Number of tiles of each player.
    pub const COUNT: usize = 21;

    /// All tiles, `a` to `u`.
    pub const ALL: [Tile; Self::COUNT] = {
        let mut all = [Tile(0); Self::COUNT];
        let mut i = 0;
        while i < Self::COUNT {
            all[i] = Tile(i as u8);
            i += 1;
        }
        all
    };

    /// Tile `a`, the single cell; it earns the higher bonus if it is placed last.
    pub const MONOMINO: Tile = Tile(0);

    /// Returns the tile at `index` of [`Tile::ALL`], or `None` from 21 up.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// Returns the tile of a lower-case letter `a` to `u`, or `None` for any other byte.
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<Self> {
        match letter {
            b'a'..=b'u' => Some(Self(letter - b'a')),
            _ => None,
        }
    }

    /// Index in [`Tile::ALL`], 0 to 20.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the lower-case letter of the tile, `b'a'` to `b'u'`.
    #[must_use]
    pub const fn letter(self) -> u8 {
        b'a' + self.0
    }

    /// Returns the number of cells, 1 to 5.
    #[must_use]
    pub const fn size(self) -> u8 {
        self.base_cells().len() as u8
    }

    /// Returns the cells of rotation 0 as offsets `(x, y)` from the centre, the centre first.
    #[must_use]
    pub const fn base_cells(self) -> &'static [(i8, i8)] {
        BASE_CELLS[self.0 as usize]
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(self.letter()))
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tile({self})")
    }
}

/// Cells of rotation 0 of each tile, as the contest draws it; the centre is always covered.
const BASE_CELLS: [&[(i8, i8)]; Tile::COUNT] = [
    &[(0, 0)],
    &[(0, 0), (0, 1)],
    &[(0, 0), (0, -1), (0, 1)],
    &[(0, 0), (0, -1), (1, 0)],
    &[(0, 0), (0, -1), (0, 1), (0, 2)],
    &[(0, 0), (0, -1), (0, 1), (-1, 1)],
    &[(0, 0), (0, -1), (0, 1), (1, 0)],
    &[(0, 0), (1, 0), (0, 1), (1, 1)],
    &[(0, 0), (-1, 0), (0, 1), (1, 1)],
    &[(0, 0), (0, -2), (0, -1), (0, 1), (0, 2)],
    &[(0, 0), (0, -2), (0, -1), (0, 1), (-1, 1)],
    &[(0, 0), (0, -2), (0, -1), (-1, 0), (-1, 1)],
    &[(0, 0), (0, -1), (0, 1), (-1, 0), (-1, 1)],
    &[(0, 0), (0, -1), (0, 1), (-1, -1), (-1, 1)],
    &[(0, 0), (0, -1), (0, 1), (0, 2), (1, 0)],
    &[(0, 0), (0, -1), (0, 1), (-1, 1), (1, 1)],
    &[(0, 0), (0, -1), (0, -2), (1, 0), (2, 0)],
    &[(0, 0), (0, -1), (-1, -1), (1, 0), (1, 1)],
    &[(0, 0), (1, 0), (1, 1), (-1, 0), (-1, -1)],
    &[(0, 0), (-1, -1), (-1, 0), (1, 0), (0, 1)],
    &[(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_have_letters_and_sizes() {
        let letters: String = Tile::ALL.iter().map(Tile::to_string).collect();
        assert_eq!(letters, "abcdefghijklmnopqrstu");
        let sizes: Vec<u8> = Tile::ALL.iter().map(|t| t.size()).collect();
        assert_eq!(
            sizes,
            [
                1, 2, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5
            ]
        );
        for tile in Tile::ALL {
            assert_eq!(Tile::from_letter(tile.letter()), Some(tile));
            assert_eq!(Tile::from_index(tile.index()), Some(tile));
            assert_eq!(tile.base_cells()[0], (0, 0));
        }
        assert_eq!(Tile::from_letter(b'v'), None);
        assert_eq!(Tile::from_letter(b'A'), None);
        assert_eq!(Tile::from_index(21), None);
    }
}
