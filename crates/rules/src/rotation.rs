//! Rotations of the contest's code, 0 to 7.

use core::fmt;

/// One of the eight rotations, 0 to 7: the last digit of a code.
///
/// Even rotations turn the tile clockwise in steps of 90 degrees. Each odd rotation is the
/// preceding even one, mirrored left to right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rotation(u8);

impl Rotation {
    /// Number of rotations.
    pub const COUNT: usize = 8;

    /// All rotations, 0 to 7.
    pub const ALL: [Rotation; Self::COUNT] = [
        Rotation(0),
        Rotation(1),
        Rotation(2),
        Rotation(3),
        Rotation(4),
        Rotation(5),
        Rotation(6),
        Rotation(7),
    ];

    /// Returns the rotation of this index, or `None` from 8 up.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// Returns the index of the rotation, 0 to 7.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Rotates the offset (`dx`, `dy`) from the centre.
    #[must_use]
    pub const fn apply(self, dx: i8, dy: i8) -> (i8, i8) {
        match self.0 {
            0 => (dx, dy),
            1 => (-dx, dy),
            2 => (-dy, dx),
            3 => (dy, dx),
            4 => (-dx, -dy),
            5 => (dx, -dy),
            6 => (dy, -dx),
            _ => (-dy, -dx),
        }
    }
}

impl fmt::Display for Rotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_rotations_turn_clockwise_and_odd_ones_mirror_them() {
        for turn in 0..4 {
            let even = Rotation::ALL[2 * turn];
            let odd = Rotation::ALL[2 * turn + 1];
            let next = Rotation::ALL[(2 * turn + 2) % 8];
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (2, -1)] {
                let (x, y) = even.apply(dx, dy);
                assert_eq!(odd.apply(dx, dy), (-x, y));
                // With y down, a clockwise quarter turn maps right to down.
                assert_eq!(next.apply(dx, dy), (-y, x));
            }
        }
        assert_eq!(Rotation::from_index(8), None);
    }
}
