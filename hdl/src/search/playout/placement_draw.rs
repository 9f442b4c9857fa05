//! Placement draw: draws a placement while the rows of the maps pass, as
//! `duoforge_twin::search::draw` does.
//!
//! The draw takes the first placement class that has any placement. In that class it takes the
//! placement nearest to a random number: by row, then by column, then by orientation. So each row
//! yields its first class and the nearest column of that class. The best row so far is kept with
//! its part of the maps. When all rows have passed, one column of one row is left. All orientations
//! are tested there again, and the nearest one that fits is drawn.
//!
//! Encoding: the rank of a row is its class, above the distance of the row from the random number.
//! The lowest rank wins, and no two rows have the same rank.
//!
//! Timing: rows 0 to 13 enter one per cycle while `valid` is high; at least nine cycles with
//! `valid` low follow. If `reply_count_max` is 2, the reply cells of each row enter one cycle after
//! the other maps. Row 13 enters in cycle 13, and `done` is high in cycle 22 only. In that cycle,
//! `found` is high if there is a placement, and `placement` holds it. `used` and `random` are held
//! from row 0 to that cycle. All outputs are combinational. `placement` is the end of the tournament
//! between orientations, so it should go straight to a register or a memory.

use duoforge_rules::{Duo, Orientation, Placement, Tile, TileSet};
use duoforge_twin::search::{DrawMemory, PlayoutMaps, SearchParameters, draw};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::classes::{CLASSES, Classes, PAIR_CLASSES};
use super::nearest::{NUMBERS, Nearest, place};
use super::playout_maps::is_wide;
use super::runs::Runs;
use crate::block::block;
use crate::search::position_ring::PLACEMENT;
use crate::word::{PlacementWord, ShiftBy, word};

/// Cycles from row 0 of the maps to `done`.
pub const LATENCY: u64 = 22;

/// Cells of the largest tile.
const CELLS: usize = 5;

/// Rows of all three maps in the box of a placement.
const BOX_ROWS: usize = 15;

word! {
    /// Random number of a draw.
    pub Wish {
        /// Wish for the orientation.
        ORIENTATION: 7,
        /// Wish for the column; only four bits are used.
        COLUMN: 5,
        /// Wish for the row; only four bits are used.
        ROW: 5,
    }
}

word! {
    /// Rank of a row: the lowest one wins.
    pub(crate) Rank {
        /// Distance of the row from the wish.
        DISTANCE: 4,
        /// Number of the row's class.
        CLASS: 4,
    }
}

word! {
    /// Shift register: bit `n` is `valid` of `n + 1` cycles before.
    pub(crate) Flow {
        /// Rows whose class is not known yet.
        EARLIER: 6,
        /// High while `class` belongs to a row.
        CLASSED: 1,
        /// `CLASSED` of the cycle before.
        CLASSED_BEFORE: 1,
    }
}

block! {
    /// Placement draw.
    pub struct PlacementDraw from PlacementDrawParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Row stream of the three playout maps.
        /// High while a row enters.
        pub valid: Signal<In, Bit>,
        /// Allowed cells of the row. Zero while `valid` is low.
        pub allowed: Signal<In, Bits<14>>,
        /// Corner points of the row.
        pub corner: Signal<In, Bits<14>>,
        /// Reply cells of the row, or of the row before if `reply_count_max` is 2.
        pub reply_cells: Signal<In, Bits<14>>,

        // Operands, held during a draw.
        /// Tiles used by the side to move; bit 0 is tile `a`.
        pub used: Signal<In, Bits<21>>,
        /// Random number, a [`Wish`].
        pub random: Signal<In, Bits<{ Wish::BITS }>>,

        // Result, valid for one cycle.
        /// High for one cycle, in which the outputs below are valid.
        pub done: Signal<Out, Bit>,
        /// High if there is a placement.
        pub found: Signal<Out, Bit>,
        /// Placement that is drawn, a [`PlacementWord`].
        pub placement: Signal<Out, Bits<PLACEMENT>>,
        fits: Runs = given,
        touches: Runs = given,
        replies: Runs = given,
        classes: Classes = given,
        nearest_column: Nearest,
        nearest_orientation: Nearest,
        flow: DFF<Bits<{ Flow::BITS }>>,
        // First class of the row, and its columns.
        row_class: DFF<Bits<CLASSES>>,
        class_columns: DFF<Bits<14>>,
        row: DFF<Bits<4>>,
        // Best row so far.
        best_found: DFF<Bit>,
        best_rank: DFF<Bits<8>>,
        best_class: DFF<Bits<CLASSES>>,
        best_row: DFF<Bits<4>>,
        best_column: DFF<Bits<4>>,
        best_maps: [DFF<Bits<70>>; 3],
        // Orientations that fit at its column.
        last_row_passed: DFF<Bit>,
        fitting: DFF<Bits<NUMBERS>>,
        first: Signal<Local, Bits<CLASSES>>,
        first_columns: Signal<Local, Bits<14>>,
        seen: Signal<Local, Bit>,
        class_index: Signal<Local, Bits<4>>,
        row_wish: Signal<Local, Bits<4>>,
        column_wish: Signal<Local, Bits<4>>,
        rank: Signal<Local, Bits<8>>,
        improves: Signal<Local, Bit>,
        set: Signal<Local, Bits<NUMBERS>>,
        sliding: [Signal<Local, Bits<14>>; BOX_ROWS],
        patch: [Signal<Local, Bits<25>>; 3],
        of_size: Signal<Local, Bits<5>>,
        reply_class: Signal<Local, Bits<9>>,
        pair_class: Signal<Local, Bits<4>>,
        needs_reply: Signal<Local, Bit>,
        needs_pair: Signal<Local, Bit>,
        remaining: Signal<Local, Bits<21>>,
        of_class: Signal<Local, Bits<21>>,
        fits_here: Signal<Local, Bit>,
        touches_corner: Signal<Local, Bit>,
        touches_reply: Signal<Local, Bit>,
        touches_pair: Signal<Local, Bit>,
        fitting_now: Signal<Local, Bits<NUMBERS>>,
        class_number: [Constant<Bits<4>>; CLASSES] = given,
        column_bit: [Constant<Bits<7>>; 14] = given,
        orientation_bit: [Constant<Bits<7>>; Orientation::COUNT] = given,
        cell: [Constant<Bits<5>>; Orientation::COUNT * CELLS] = given,
        // Low for the repetitions of the first cell.
        is_cell: [Constant<Bit>; Orientation::COUNT * CELLS] = given,
        tile: [Constant<Bits<5>>; Orientation::COUNT] = given,
        size: [Constant<Bits<3>>; 21] = given,
    }
}

impl PlacementDraw {
    /// Creates a placement draw for the playouts of a search.
    pub fn new(parameters: &SearchParameters) -> Self {
        let nth = |o| Orientation::from_index(o).expect("one of the 91");
        let cell = |index: usize| {
            let cells = nth(index / CELLS).cells();
            let cell = cells.get(index % CELLS).unwrap_or(&cells[0]);
            Constant::new((5 * usize::from(cell.y) + usize::from(cell.x)).to_bits())
        };
        let is_cell = |index: usize| index % CELLS < nth(index / CELLS).cells().len();
        let wide = is_wide(parameters);
        // Classes that are always empty have no number.
        let first_class = if wide { 0 } else { PAIR_CLASSES };
        let number = |class: usize| class.saturating_sub(first_class);
        // Sizes from five down to one, in the order of the classes.
        let size = |tile: usize| 5 - Tile::ALL[tile].size();
        Self::from(PlacementDrawParts {
            fits: Runs::new(false, false),
            touches: Runs::new(true, false),
            replies: Runs::new(true, wide),
            classes: Classes::new(parameters),
            class_number: std::array::from_fn(|class| Constant::new(number(class).to_bits())),
            column_bit: std::array::from_fn(|x| Constant::new(place(x).to_bits())),
            orientation_bit: std::array::from_fn(|o| Constant::new(place(o).to_bits())),
            cell: std::array::from_fn(cell),
            is_cell: std::array::from_fn(|index| Constant::new(is_cell(index))),
            tile: std::array::from_fn(|o| Constant::new(nth(o).tile().index().to_bits())),
            size: std::array::from_fn(|tile| Constant::new(size(tile).to_bits())),
        })
    }
}

impl Logic for PlacementDraw {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, flow, row_class, class_columns, row);
        dff_setup!(
            self,
            clock,
            best_found,
            best_rank,
            best_class,
            best_row,
            best_column
        );
        dff_setup!(self, clock, last_row_passed, fitting);
        clock!(self, clock, fits, touches, replies, classes);
        self.flow.d.next = self.flow.q.val() << 1;
        if self.valid.val() {
            self.flow.d.next = (self.flow.q.val() << 1) | bits::<8>(1);
        }

        // Classes of a row, five cycles after it entered.
        self.fits.row.next = self.allowed.val();
        self.touches.row.next = self.corner.val();
        self.replies.row.next = self.reply_cells.val();
        self.classes.fits.next = self.fits.planes.val();
        self.classes.corner.next = self.touches.planes.val();
        self.classes.reply_cells.next = self.replies.planes.val();
        self.classes.used.next = self.used.val();

        // First class that the row has.
        self.seen.next = false;
        self.first.next = bits::<14>(0);
        self.first_columns.next = bits::<14>(0);
        for i in 0..14 {
            if self.classes.columns[i].val().any() & (!self.seen.val()) {
                self.first.next = self.first.val().replace_bit(i, true);
                self.first_columns.next = self.first_columns.val() | self.classes.columns[i].val();
            }
            self.seen.next = self.seen.val() | self.classes.columns[i].val().any();
        }
        self.row_class.d.next = self.first.val();
        self.class_columns.d.next = self.first_columns.val();

        // Rank of the row, and nearest column of its class.
        self.row_wish.next = self.random.val().get_bits::<4>(Wish::ROW);
        self.column_wish.next = self.random.val().get_bits::<4>(Wish::COLUMN);
        self.row.d.next = bits::<4>(0);
        if self.flow.q.val().get_bit(Flow::CLASSED) {
            self.row.d.next = self.row.q.val() + 1;
        }
        self.class_index.next = bits::<4>(0);
        for i in 0..14 {
            if self.row_class.q.val().get_bit(i) {
                self.class_index.next = self.class_index.val() | self.class_number[i].val();
            }
        }
        self.rank.next = (bit_cast::<8, 4>(self.class_index.val()) << Rank::CLASS.val())
            | bit_cast::<8, 4>(self.row.q.val() ^ self.row_wish.val());
        self.set.next = bits::<128>(0);
        for i in 0..14 {
            self.set.next = self.set.val().replace_bit(
                self.column_bit[i].val().index(),
                self.class_columns.q.val().get_bit(i),
            );
        }
        self.nearest_column.set.next = self.set.val();
        self.nearest_column.wish.next = bit_cast::<7, 4>(self.column_wish.val());

        // Best row so far, and the maps around it; the rows have moved on by two slots since.
        self.improves.next = self.row_class.q.val().any()
            & ((!self.best_found.q.val()) | (self.rank.val() < self.best_rank.q.val()));
        for i in 0..3 {
            self.best_maps[i].clock.next = self.clock.val();
            self.best_maps[i].d.next = self.best_maps[i].q.val();
        }
        if self.flow.q.val().get_bit(Flow::CLASSED) & self.improves.val() {
            self.best_found.d.next = true;
            self.best_rank.d.next = self.rank.val();
            self.best_class.d.next = self.row_class.q.val();
            self.best_row.d.next = self.row.q.val();
            self.best_column.d.next = self.nearest_column.number.val().get_bits::<4>(0);
            self.best_maps[0].d.next = self.fits.rows.val().get_bits::<70>(0);
            self.best_maps[1].d.next = self.touches.rows.val().get_bits::<70>(0);
            self.best_maps[2].d.next = self.replies.rows.val().get_bits::<70>(0);
        }

        // Orientations of the class that fit at the column.
        for i in 0..5 {
            self.sliding[i].next = self.best_maps[0].q.val().get_bits::<14>(14 * i);
            self.sliding[i + 5].next = self.best_maps[1].q.val().get_bits::<14>(14 * i);
            self.sliding[i + 10].next = self.best_maps[2].q.val().get_bits::<14>(14 * i);
        }
        for i in 0..15 {
            self.sliding[i].next = self.sliding[i].val() >> self.best_column.q.val();
        }
        for i in 0..3 {
            self.patch[i].next = bits::<25>(0);
        }
        for i in 0..5 {
            for j in 0..5 {
                self.patch[0].next = self.patch[0]
                    .val()
                    .replace_bit(i * 5 + j, self.sliding[i].val().get_bit(j));
                self.patch[1].next = self.patch[1]
                    .val()
                    .replace_bit(i * 5 + j, self.sliding[i + 5].val().get_bit(j));
                self.patch[2].next = self.patch[2]
                    .val()
                    .replace_bit(i * 5 + j, self.sliding[i + 10].val().get_bit(j));
            }
        }
        self.pair_class.next = self.best_class.q.val().get_bits::<4>(0);
        self.reply_class.next = self.best_class.q.val().get_bits::<9>(0);
        self.of_size.next = bit_cast::<5, 4>(self.pair_class.val())
            | self.best_class.q.val().get_bits::<5>(4)
            | self.best_class.q.val().get_bits::<5>(9);
        self.needs_reply.next = self.reply_class.val().any();
        self.needs_pair.next = self.pair_class.val().any();
        self.remaining.next = !self.used.val();
        self.of_class.next = bits::<21>(0);
        for i in 0..21 {
            self.fits_here.next = self.remaining.val().get_bit(i)
                & self.of_size.val().get_bit(self.size[i].val().index());
            self.of_class.next = self.of_class.val().replace_bit(i, self.fits_here.val());
        }
        self.fitting_now.next = bits::<128>(0);
        for i in 0..91 {
            self.fits_here.next = self.of_class.val().get_bit(self.tile[i].val().index());
            self.touches_corner.next = false;
            self.touches_reply.next = !self.needs_reply.val();
            self.touches_pair.next = !self.needs_pair.val();
            for j in 0..5 {
                self.fits_here.next = self.fits_here.val()
                    & self.patch[0]
                        .val()
                        .get_bit(self.cell[i * 5 + j].val().index());
                self.touches_corner.next = self.touches_corner.val()
                    | self.patch[1]
                        .val()
                        .get_bit(self.cell[i * 5 + j].val().index());
                if self.is_cell[i * 5 + j].val() {
                    self.touches_pair.next = self.touches_pair.val()
                        | (self.touches_reply.val()
                            & self.patch[2]
                                .val()
                                .get_bit(self.cell[i * 5 + j].val().index()));
                }
                self.touches_reply.next = self.touches_reply.val()
                    | self.patch[2]
                        .val()
                        .get_bit(self.cell[i * 5 + j].val().index());
            }
            self.fits_here.next = self.fits_here.val()
                & self.touches_corner.val()
                & self.touches_reply.val()
                & self.touches_pair.val();
            self.fitting_now.next = self
                .fitting_now
                .val()
                .replace_bit(self.orientation_bit[i].val().index(), self.fits_here.val());
        }
        self.fitting.d.next = self.fitting_now.val();

        // Nearest of these orientations.
        self.last_row_passed.d.next = self.flow.q.val().get_bit(Flow::CLASSED_BEFORE)
            & (!self.flow.q.val().get_bit(Flow::CLASSED));
        self.nearest_orientation.set.next = self.fitting.q.val();
        self.nearest_orientation.wish.next = self.random.val().get_bits::<7>(Wish::ORIENTATION);
        self.done.next = self.last_row_passed.q.val();
        self.found.next = self.best_found.q.val();
        self.placement.next = bit_cast::<15, 7>(self.nearest_orientation.number.val())
            | (bit_cast::<15, 4>(self.best_column.q.val()) << PlacementWord::X.val())
            | (bit_cast::<15, 4>(self.best_row.q.val()) << PlacementWord::Y.val());
        if self.last_row_passed.q.val() {
            self.best_found.d.next = false;
        }
    }
}

/// Returns the placement that is drawn: the twin function of this block.
pub fn twin(
    playout_maps: &PlayoutMaps<Duo>,
    tiles: TileSet,
    parameters: &SearchParameters,
    random: u32,
) -> Option<Placement> {
    let memory = &mut DrawMemory::default();
    draw(playout_maps, tiles, parameters, random, memory)
}
