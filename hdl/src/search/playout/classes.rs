//! Placement classes of an anchor row, and the columns at which each has a placement.
//!
//! A playout draws from the first class that has any placement. If `reply_count_max` is 2, the
//! placements that cover two reply cells come first, the largest tiles first. The placements that
//! cover one follow, the largest tiles first, then all placements, the largest tiles first. So this
//! block finds for each class the columns at which any of its orientations fits. The orientation is
//! determined later, for one column of the whole board.
//!
//! Encoding: an orientation costs an AND or an OR over the planes of its runs for each map, see
//! [`super::runs`]. It has 2.7 runs on average. The offsets come from the table of orientations in
//! the rules. That table is ordered by tile and by size, so one accumulator serves all classes. An
//! orientation covers two reply cells if one of its runs does, or if two of its runs touch one
//! each. The runs that cover two follow from the runs of one cell, which are the reply cells, and
//! from those that touch one.

use duoforge_rules::{Cell, Orientation, Placement, Tile, TileSet};
use duoforge_twin::search::{PlacementClass, SearchParameters, placement_classes};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::runs::{PLANES, RUNS, offsets, runs};
use crate::block::block;
use crate::generator::legality::ORIENTATIONS;
use crate::generator::store::SIDE;

/// Number of classes: four sizes with two reply cells, five sizes with one, then five sizes of all
/// placements.
pub const CLASSES: usize = PAIR_CLASSES + 10;

/// Number of classes with two reply cells, which are empty if `reply_count_max` is 1.
pub const PAIR_CLASSES: usize = 4;

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
        reply_pairs: Signal<Local, Bits<14>>,
        // Runs that cover two reply cells, by length: of two to five cells.
        row: [Signal<Local, Bits<14>>; 4],
        twos: [Signal<Local, Bits<14>>; 4],
        threes: [Signal<Local, Bits<14>>; 3],
        fours: [Signal<Local, Bits<14>>; 2],
        fives: Signal<Local, Bits<14>>,
        pairs: Signal<Local, Bits<PLANES>>,
        of_tile: Signal<Local, Bits<14>>,
        of_tile_reply: Signal<Local, Bits<14>>,
        of_tile_pair: Signal<Local, Bits<14>>,
        of_size: Signal<Local, Bits<14>>,
        of_size_reply: Signal<Local, Bits<14>>,
        of_size_pair: Signal<Local, Bits<14>>,
        // Columns by size, the size accumulated last in the highest bits.
        any_cell: Signal<Local, Bits<70>>,
        reply: Signal<Local, Bits<70>>,
        pair: Signal<Local, Bits<70>>,
        run: [Constant<Bits<9>>; ORIENTATIONS * RUNS] = given,
        // Low for the repetitions of the first run.
        is_run: [Constant<Bit>; ORIENTATIONS * RUNS] = given,
        tile: [Constant<Bits<5>>; ORIENTATIONS] = given,
        first_of_tile: [Constant<Bit>; ORIENTATIONS] = given,
        last_of_tile: [Constant<Bit>; ORIENTATIONS] = given,
        last_of_size: [Constant<Bit>; ORIENTATIONS] = given,
        can_reply: [Constant<Bit>; ORIENTATIONS] = given,
        can_pair: [Constant<Bit>; ORIENTATIONS] = given,
    }
}

impl Classes {
    /// Creates the classes of the playouts of a search.
    ///
    /// # Panics
    /// If `reply_count_max` is neither 1 nor 2.
    pub fn new(parameters: &SearchParameters) -> Self {
        let count = parameters.formulas.reply_count_max;
        assert!(
            matches!(count, 1 | 2),
            "a class has at most two reply cells"
        );
        let sizes = Tile::ALL.map(Tile::size);
        assert!(sizes.is_sorted(), "tiles are in the order of sizes");
        let nth = |o| Orientation::from_index(o).expect("one of the 91");
        let tile = |o| nth(o).tile();
        let is_last = |o: usize, same: &dyn Fn(Tile, Tile) -> bool| {
            Orientation::from_index(o + 1).is_none_or(|next| !same(next.tile(), tile(o)))
        };
        let is_first = |o: usize| o == 0 || tile(o - 1) != tile(o);
        let constants = |is: &dyn Fn(usize) -> bool| std::array::from_fn(|o| Constant::new(is(o)));
        let can_reply = |o| u32::from(tile(o).size()) >= parameters.reply_min_size;
        let is_run = |i: usize| i % RUNS < runs(nth(i / RUNS)).len();
        Self::from(ClassesParts {
            is_run: std::array::from_fn(|i| Constant::new(is_run(i))),
            run: std::array::from_fn(|i| Constant::new(offsets(nth(i / RUNS))[i % RUNS].to_bits())),
            tile: std::array::from_fn(|o| Constant::new(tile(o).index().to_bits())),
            first_of_tile: constants(&is_first),
            last_of_tile: constants(&|o| is_last(o, &|a, b| a == b)),
            last_of_size: constants(&|o| is_last(o, &|a, b| a.size() == b.size())),
            can_reply: constants(&can_reply),
            can_pair: constants(&|o| count == 2 && can_reply(o)),
        })
    }
}

impl Logic for Classes {
    #[hdl_gen]
    fn update(&mut self) {
        // Runs that cover two reply cells: a shorter run does, or it touches one and the next cell
        // is one.
        for i in 0..4 {
            self.row[i].next = self.reply_cells.val().get_bits::<14>(18 * i);
            self.twos[i].next = self.row[i].val() & (self.row[i].val() >> 1);
        }
        for i in 0..3 {
            self.threes[i].next = self.twos[i].val()
                | (self.reply_cells.val().get_bits::<14>(18 * i + 90) & (self.row[i].val() >> 2));
        }
        for i in 0..2 {
            self.fours[i].next = self.threes[i].val()
                | (self.reply_cells.val().get_bits::<14>(18 * i + 162) & (self.row[i].val() >> 3));
        }
        self.fives.next = self.fours[0].val()
            | (self.reply_cells.val().get_bits::<14>(216) & (self.row[0].val() >> 4));
        self.pairs.next = (bit_cast::<270, 14>(self.twos[0].val()) << 90)
            | (bit_cast::<270, 14>(self.twos[1].val()) << 108)
            | (bit_cast::<270, 14>(self.twos[2].val()) << 126)
            | (bit_cast::<270, 14>(self.twos[3].val()) << 144)
            | (bit_cast::<270, 14>(self.threes[0].val()) << 162)
            | (bit_cast::<270, 14>(self.threes[1].val()) << 180)
            | (bit_cast::<270, 14>(self.threes[2].val()) << 198)
            | (bit_cast::<270, 14>(self.fours[0].val()) << 216)
            | (bit_cast::<270, 14>(self.fours[1].val()) << 234)
            | (bit_cast::<270, 14>(self.fives.val()) << 252);

        self.any_cell.next = bits::<70>(0);
        self.reply.next = bits::<70>(0);
        self.pair.next = bits::<70>(0);
        self.of_tile.next = bits::<14>(0);
        self.of_tile_reply.next = bits::<14>(0);
        self.of_tile_pair.next = bits::<14>(0);
        self.of_size.next = bits::<14>(0);
        self.of_size_reply.next = bits::<14>(0);
        self.of_size_pair.next = bits::<14>(0);
        for i in 0..91 {
            self.legal.next = bits::<14>(0x3fff);
            self.touches.next = bits::<14>(0);
            self.replies.next = bits::<14>(0);
            self.reply_pairs.next = bits::<14>(0);
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
                if self.is_run[i * 5 + j].val() {
                    self.reply_pairs.next = self.reply_pairs.val()
                        | self
                            .pairs
                            .val()
                            .get_bits::<14>(self.run[i * 5 + j].val().index())
                        | (self.replies.val()
                            & self
                                .reply_cells
                                .val()
                                .get_bits::<14>(self.run[i * 5 + j].val().index()));
                }
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
                self.of_tile_pair.next = bits::<14>(0);
            }
            self.of_tile.next = self.of_tile.val() | self.legal.val();
            if self.can_reply[i].val() {
                self.of_tile_reply.next =
                    self.of_tile_reply.val() | (self.legal.val() & self.replies.val());
            }
            if self.can_pair[i].val() {
                self.of_tile_pair.next =
                    self.of_tile_pair.val() | (self.legal.val() & self.reply_pairs.val());
            }
            if self.last_of_tile[i].val() & (!self.used.val().get_bit(self.tile[i].val().index())) {
                self.of_size.next = self.of_size.val() | self.of_tile.val();
                self.of_size_reply.next = self.of_size_reply.val() | self.of_tile_reply.val();
                self.of_size_pair.next = self.of_size_pair.val() | self.of_tile_pair.val();
            }
            if self.last_of_size[i].val() {
                self.any_cell.next =
                    (self.any_cell.val() >> 14) | (bit_cast::<70, 14>(self.of_size.val()) << 56);
                self.reply.next =
                    (self.reply.val() >> 14) | (bit_cast::<70, 14>(self.of_size_reply.val()) << 56);
                self.pair.next =
                    (self.pair.val() >> 14) | (bit_cast::<70, 14>(self.of_size_pair.val()) << 56);
                self.of_size.next = bits::<14>(0);
                self.of_size_reply.next = bits::<14>(0);
                self.of_size_pair.next = bits::<14>(0);
            }
        }
        for i in 0..4 {
            self.held[3 - i].d.next = self.pair.val().get_bits::<14>(14 * i + 14);
        }
        for i in 0..5 {
            self.held[8 - i].d.next = self.reply.val().get_bits::<14>(14 * i);
            self.held[13 - i].d.next = self.any_cell.val().get_bits::<14>(14 * i);
        }
        for i in 0..14 {
            self.held[i].clock.next = self.clock.val();
            self.columns[i].next = self.held[i].q.val();
        }
    }
}

/// Returns the classes of a side with these tiles, in the order of [`Classes::columns`].
fn classes(tiles: TileSet, parameters: &SearchParameters) -> [PlacementClass; CLASSES] {
    let classes = placement_classes(tiles, parameters);
    // Classes with four or three reply cells, and the one of single cells with two, are empty.
    let (pairs, others) = (&classes[10..14], &classes[15..]);
    std::array::from_fn(|i| match i.checked_sub(PAIR_CLASSES) {
        None => pairs[i],
        Some(i) => others[i],
    })
}

/// Returns the columns of each class in an anchor row: the twin function of this block.
///
/// `maps` holds the rows of allowed cells, corner points and reply cells. Each orientation is tried
/// at each column, cell by cell.
pub fn twin(
    maps: &[[u16; SIDE]; 3],
    used: TileSet,
    parameters: &SearchParameters,
    row: usize,
) -> [u16; CLASSES] {
    let has = |map: &[u16; SIDE], cell: Cell| map[usize::from(cell.y)] >> cell.x & 1 == 1;
    let [allowed, corner, reply_cells] = maps;
    let left = TileSet::from_bits(TileSet::FULL.bits() & !used.bits());
    classes(left, parameters).map(|class| {
        let fits = |placement: &Placement| {
            placement.fits(SIDE as u8)
                && placement.cells().all(|cell| has(allowed, cell))
                && placement.cells().any(|cell| has(corner, cell))
                && placement
                    .cells()
                    .filter(|&cell| has(reply_cells, cell))
                    .count()
                    >= class.min_replies as usize
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
