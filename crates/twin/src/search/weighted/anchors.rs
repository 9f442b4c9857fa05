//! Anchors of many orientations, kept from draw to draw.

use duoforge_rules::fits::{Fits, Plan, Runs};
use duoforge_rules::{Duo, Orientation, Rows, Size, Tile, TileSet};

use super::DuoRows;
use crate::search::draw::PLANS_BY_SIZE;

/// Anchors of the orientations that have any: the largest tiles first.
#[derive(Clone, Debug)]
pub struct Anchors {
    pub rows: [DuoRows; Orientation::COUNT],
    /// Indices of the orientations in [`PLANS_BY_SIZE`].
    pub plans: [u8; Orientation::COUNT],
    len: usize,
}

impl Anchors {
    pub const NONE: Self = Self {
        rows: [Duo::EMPTY; Orientation::COUNT],
        plans: [0; Orientation::COUNT],
        len: 0,
    };

    /// Finds the legal anchors of `tiles`.
    #[inline(always)]
    pub fn find(&mut self, fits: &Fits<Duo>, tiles: TileSet) {
        self.len = 0;
        let mut plans = plans_of(tiles);
        while plans != 0 {
            let index = plans.trailing_zeros();
            plans &= plans - 1;
            self.push(index as u8, fits.anchors(&PLANS_BY_SIZE[index as usize]));
        }
    }

    /// Finds those of the legal anchors at which a placement does not lie in the cells `beside`.
    #[inline(always)]
    pub fn find_outside(&mut self, legal: &Self, beside: &Runs<Duo>) {
        self.len = 0;
        for (&index, rows) in legal.plans[..legal.len].iter().zip(&legal.rows) {
            let inside = beside.fit(&PLANS_BY_SIZE[usize::from(index)]);
            self.push(index, rows.zip(inside, |all, inside| all & !inside));
        }
    }

    /// Adds the anchors of a plan if there are any.
    // Without branches, which could not be predicted.
    #[inline(always)]
    fn push(&mut self, index: u8, rows: DuoRows) {
        self.rows[self.len] = rows;
        self.plans[self.len] = index;
        self.len += usize::from(rows != Duo::EMPTY);
    }

    /// Iterates over the plans of the orientations and their anchors.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (&'static Plan, &DuoRows)> {
        let plans = self.plans[..self.len].iter();
        let plans = plans.map(|&index| &PLANS_BY_SIZE[usize::from(index)]);
        plans.zip(&self.rows)
    }
}

/// Tiles in a part of a tile set.
const PART: usize = 7;

/// Sets of plans of the three parts of a tile set: bit `i` is entry `i` of [`PLANS_BY_SIZE`].
static PLANS_OF_PART: [[u128; 1 << PART]; Tile::COUNT / PART] = {
    let mut parts = [[0; 1 << PART]; Tile::COUNT / PART];
    let mut i = 0;
    while i < PLANS_BY_SIZE.len() {
        let tile = PLANS_BY_SIZE[i].orientation.tile().index();
        let mut set = 0;
        while set < 1 << PART {
            if set >> (tile % PART) & 1 == 1 {
                parts[tile / PART][set] |= 1 << i;
            }
            set += 1;
        }
        i += 1;
    }
    parts
};

/// Returns the set of the plans of these tiles: bit `i` is entry `i` of [`PLANS_BY_SIZE`].
#[inline(always)]
fn plans_of(tiles: TileSet) -> u128 {
    let parts = PLANS_OF_PART.iter().zip(0..);
    parts.fold(0, |plans, (of_part, part)| {
        let set = tiles.bits() >> (PART * part) & ((1 << PART) - 1);
        plans | of_part[set as usize]
    })
}
