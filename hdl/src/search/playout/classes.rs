//! Placement classes of an anchor row, and the columns at which each has a placement.
//!
//! A playout draws from the first class that has any placement. First come the placements that
//! cover a reply cell, the largest tiles first, then all placements, the largest tiles first. So
//! this block finds for each class the columns at which any of its orientations fits. The
//! orientation is determined later, for one column of the whole board.
//!
//! Encoding: an orientation costs an AND or an OR over the planes of its runs for each map, see
//! [`super::runs`]. It has 2.7 runs on average. The offsets come from the table of orientations in
//! the rules. That table is ordered by tile and by size, so one accumulator serves all classes.

use duoforge_rules::{Cell, Orientation, Placement, Tile, TileSet};
use duoforge_twin::search::playout;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::runs::{PLANES, RUNS, offsets};
use crate::block::block;
use crate::generator::legality::ORIENTATIONS;
use crate::generator::store::SIDE;

/// Number of classes: five sizes with a reply cell, then five sizes of all placements.
pub const CLASSES: usize = 10;

block! {
    /// Columns of all classes, one anchor row per cycle.
    pub struct Classes from ClassesParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Run windows of the three playout maps.
        /// Runs of allowed cells.
        pub fits: Signal<In, Bits<PLANES>>,
        /// Runs that touch a corner point.
        pub corner: Signal<In, Bits<PLANES>>,
        /// Runs that touch a reply cell.
        pub reply_cells: Signal<In, Bits<PLANES>>,
        /// Tiles used by the side to move; bit 0 is tile `a`.
        pub used: Signal<In, Bits<21>>,
        /// Columns of each class, one cycle later, the first class first.
        pub columns: [Signal<Out, Bits<14>>; CLASSES],
        held: [DFF<Bits<14>>; CLASSES],
        legal: Signal<Local, Bits<14>>,
        touches: Signal<Local, Bits<14>>,
        replies: Signal<Local, Bits<14>>,
        of_tile: Signal<Local, Bits<14>>,
        of_tile_reply: Signal<Local, Bits<14>>,
        of_size: Signal<Local, Bits<14>>,
        of_size_reply: Signal<Local, Bits<14>>,
        // Columns by size, the size accumulated last in the highest bits.
        any_cell: Signal<Local, Bits<70>>,
        reply: Signal<Local, Bits<70>>,
        run: [Constant<Bits<9>>; ORIENTATIONS * RUNS] = given,
        tile: [Constant<Bits<5>>; ORIENTATIONS] = given,
        first_of_tile: [Constant<Bit>; ORIENTATIONS] = given,
        last_of_tile: [Constant<Bit>; ORIENTATIONS] = given,
        last_of_size: [Constant<Bit>; ORIENTATIONS] = given,
        can_reply: [Constant<Bit>; ORIENTATIONS] = given,
    }
}

impl Classes {
    /// Creates the classes of a playout that replies with tiles of at least `local` cells.
    pub fn new(local: u32) -> Self {
        let sizes = Tile::ALL.map(Tile::size);
        assert!(sizes.is_sorted(), "tiles are in the order of sizes");
        let nth = |o| Orientation::from_index(o).expect("one of the 91");
        let tile = |o| nth(o).tile();
        let is_last = |o: usize, same: &dyn Fn(Tile, Tile) -> bool| {
            Orientation::from_index(o + 1).is_none_or(|next| !same(next.tile(), tile(o)))
        };
        let is_first = |o: usize| o == 0 || tile(o - 1) != tile(o);
        let constants = |is: &dyn Fn(usize) -> bool| std::array::from_fn(|o| Constant::new(is(o)));
        Self::from(ClassesParts {
            run: std::array::from_fn(|i| Constant::new(offsets(nth(i / RUNS))[i % RUNS].to_bits())),
            tile: std::array::from_fn(|o| Constant::new(tile(o).index().to_bits())),
            first_of_tile: constants(&is_first),
            last_of_tile: constants(&|o| is_last(o, &|a, b| a == b)),
            last_of_size: constants(&|o| is_last(o, &|a, b| a.size() == b.size())),
            can_reply: constants(&|o| u32::from(tile(o).size()) >= local),
        })
    }
}

impl Logic for Classes {
    #[hdl_gen]
    fn update(&mut self) {
        self.any_cell.next = bits::<70>(0);
        self.reply.next = bits::<70>(0);
        self.of_tile.next = bits::<14>(0);
        self.of_tile_reply.next = bits::<14>(0);
        self.of_size.next = bits::<14>(0);
        self.of_size_reply.next = bits::<14>(0);
        for i in 0..91 {
            self.legal.next = bits::<14>(0x3fff);
            self.touches.next = bits::<14>(0);
            self.replies.next = bits::<14>(0);
            for j in 0..5 {
                self.legal.next = self.legal.val()
                    & self
                        .fits
                        .val()
                        .get_bits::<14>(self.run[i * 5 + j].val().index());
                self.touches.next = self.touches.val()
                    | self
                        .corner
                        .val()
                        .get_bits::<14>(self.run[i * 5 + j].val().index());
                self.replies.next = self.replies.val()
                    | self
                        .reply_cells
                        .val()
                        .get_bits::<14>(self.run[i * 5 + j].val().index());
            }
            self.legal.next = self.legal.val() & self.touches.val();
            if self.first_of_tile[i].val() {
                self.of_tile.next = bits::<14>(0);
                self.of_tile_reply.next = bits::<14>(0);
            }
            self.of_tile.next = self.of_tile.val() | self.legal.val();
            if self.can_reply[i].val() {
                self.of_tile_reply.next =
                    self.of_tile_reply.val() | (self.legal.val() & self.replies.val());
            }
            if self.last_of_tile[i].val() & (!self.used.val().get_bit(self.tile[i].val().index())) {
                self.of_size.next = self.of_size.val() | self.of_tile.val();
                self.of_size_reply.next = self.of_size_reply.val() | self.of_tile_reply.val();
            }
            if self.last_of_size[i].val() {
                self.any_cell.next =
                    (self.any_cell.val() >> 14) | (bit_cast::<70, 14>(self.of_size.val()) << 56);
                self.reply.next =
                    (self.reply.val() >> 14) | (bit_cast::<70, 14>(self.of_size_reply.val()) << 56);
                self.of_size.next = bits::<14>(0);
                self.of_size_reply.next = bits::<14>(0);
            }
        }
        for i in 0..5 {
            self.held[4 - i].clock.next = self.clock.val();
            self.held[9 - i].clock.next = self.clock.val();
            self.held[4 - i].d.next = self.reply.val().get_bits::<14>(14 * i);
            self.held[9 - i].d.next = self.any_cell.val().get_bits::<14>(14 * i);
            self.columns[4 - i].next = self.held[4 - i].q.val();
            self.columns[9 - i].next = self.held[9 - i].q.val();
        }
    }
}

/// Returns the columns of each class in an anchor row: the twin function of this block.
///
/// `maps` holds the rows of allowed cells, corner points and reply cells. Each orientation is tried
/// at each column, cell by cell.
pub fn twin(maps: &[[u16; SIDE]; 3], used: TileSet, local: u32, row: usize) -> [u16; CLASSES] {
    let has = |map: &[u16; SIDE], cell: Cell| map[usize::from(cell.y)] >> cell.x & 1 == 1;
    let [allowed, corner, reply_cells] = maps;
    let left = TileSet::from_bits(TileSet::FULL.bits() & !used.bits());
    playout::classes(left, local).map(|class| {
        let fits = |placement: &Placement| {
            placement.fits(SIDE as u8)
                && placement.cells().all(|cell| has(allowed, cell))
                && placement.cells().any(|cell| has(corner, cell))
                && (class.min_replies == 0 || placement.cells().any(|cell| has(reply_cells, cell)))
        };
        let orientations = class.tiles.iter().flat_map(Orientation::of_tile);
        let placements = orientations.flat_map(|orientation| {
            (0..SIDE).map(move |x| Placement::new(orientation, x as u8, row as u8))
        });
        placements
            .filter(fits)
            .fold(0, |columns, placement| columns | 1 << placement.x)
    })
}
