//! Scan: splits the legal set of a row into single placements, one per cycle, with the maps around
//! each.
//!
//! The legality check outputs all legal placements of a row at once. The scan visits the row's
//! columns from left to right, and in each column the orientations in ascending order. Every
//! placement is therefore output exactly once, in the order of row, column, orientation.
//!
//! Encoding: the windows slide left under fixed 7x7 taps, so no column multiplexer is needed. The
//! 91 orientations of a column are kept as seven words of 13 bits, which shortens the search for
//! the first one.

use duoforge_rules::{DuoBoard, Placement};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::generator::legality::ORIENTATIONS;
use crate::generator::policy_maps::MAPS;
use crate::generator::window::WINDOW;

/// Number of words into which the orientations of a column are split.
const WORDS: usize = 7;

/// Number of orientations per word.
const WORD: usize = ORIENTATIONS / WORDS;

block! {
    /// Scan of the legal placements of a row.
    pub struct Scan from ScanParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Loads a row: samples `row` and `window`; `legal` is valid from the next cycle on.
        pub load: Signal<In, Bit>,
        /// Drops the rest of the row.
        pub flush: Signal<In, Bit>,
        /// Anchor row to load.
        pub row: Signal<In, Bits<4>>,
        /// Legal anchor columns of each orientation, from the legality check.
        pub legal: [Signal<In, Bits<14>>; ORIENTATIONS] = given,
        /// Windows over allowed cells, corner points, open cells, the opponent's corner points and
        /// the cells next to those, in this order.
        pub window: [Signal<In, Bits<WINDOW>>; MAPS],
        /// High if the scan can accept a row in this cycle.
        pub ready: Signal<Out, Bit>,
        /// High if the scan holds no placement.
        pub idle: Signal<Out, Bit>,
        /// High if the outputs below hold a placement.
        pub valid: Signal<Out, Bit>,
        /// Orientation of the placement.
        pub orientation: Signal<Out, Bits<7>>,
        /// Column of the anchor.
        pub x: Signal<Out, Bits<4>>,
        /// Row of the anchor.
        pub y: Signal<Out, Bits<4>>,
        /// Maps in the 7x7 box around the placement, in the order of `window`.
        pub patch: [Signal<Out, Bits<49>>; MAPS],
        sliding: [DFF<Bits<WINDOW>>; MAPS],
        pending: [DFF<Bits<WORD>>; WORDS],
        busy: DFF<Bit>,
        anchor_row: DFF<Bits<4>>,
        next_column: DFF<Bits<4>>,
        column: DFF<Bits<4>>,
        // Output stage.
        out_valid: DFF<Bit>,
        out_orientation: DFF<Bits<7>>,
        out_x: DFF<Bits<4>>,
        out_y: DFF<Bits<4>>,
        out_patch: [DFF<Bits<49>>; MAPS],
        tap_rows: [Signal<Local, Bits<7>>; 7],
        column_legal: [Signal<Local, Bits<WORD>>; WORDS],
        seen: Signal<Local, Bit>,
        more_follow: Signal<Local, Bit>,
        word: Signal<Local, Bits<WORD>>,
        inverse: Signal<Local, Bits<WORD>>,
        negative: Signal<Local, Bits<WORD>>,
        first: Signal<Local, Bits<WORD>>,
        remaining: Signal<Local, Bits<WORD>>,
        base: Signal<Local, Bits<7>>,
        low: Signal<Local, Bits<7>>,
        column_after: Signal<Local, Bits<4>>,
        last: Signal<Local, Bit>,
        // Column to read. Past the last column the value is unused, but must be a valid index.
        read_column: Signal<Local, Bits<4>>,
        word_base: [Constant<Bits<7>>; WORDS] = given,
        bit_index: [Constant<Bits<7>>; WORD] = given,
    }
}

impl Default for Scan {
    fn default() -> Self {
        Self::from(ScanParts {
            legal: std::array::from_fn(|_| Default::default()),
            word_base: std::array::from_fn(|i| Constant::new((WORD * i).to_bits())),
            bit_index: std::array::from_fn(|i| Constant::new(i.to_bits())),
        })
    }
}

impl Logic for Scan {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, busy, anchor_row, next_column, column);
        dff_setup!(self, clock, out_valid, out_orientation, out_x, out_y);
        for i in 0..5 {
            self.sliding[i].clock.next = self.clock.val();
            self.sliding[i].d.next = self.sliding[i].q.val();
            self.out_patch[i].clock.next = self.clock.val();
            self.out_patch[i].d.next = self.out_patch[i].q.val();
            self.patch[i].next = self.out_patch[i].q.val();
        }

        // First orientation of the column, and whether more follow.
        self.seen.next = false;
        self.more_follow.next = false;
        self.word.next = bits::<13>(0);
        self.base.next = bits::<7>(0);
        for i in 0..7 {
            if self.pending[i].q.val().any() {
                if self.seen.val() {
                    self.more_follow.next = true;
                } else {
                    self.word.next = self.pending[i].q.val();
                    self.base.next = self.word_base[i].val();
                }
                self.seen.next = true;
            }
        }
        self.inverse.next = !self.word.val();
        self.negative.next = self.inverse.val() + 1;
        self.first.next = self.word.val() & self.negative.val();
        self.remaining.next = self.word.val() ^ self.first.val();
        if self.remaining.val().any() {
            self.more_follow.next = true;
        }
        self.low.next = bits::<7>(0);
        for i in 0..13 {
            if self.first.val().get_bit(i) {
                self.low.next = self.low.val() | self.bit_index[i].val();
            }
        }

        // Output registers.
        self.out_valid.d.next = self.seen.val();
        self.out_orientation.d.next = self.base.val() + self.low.val();
        self.out_x.d.next = self.column.q.val();
        self.out_y.d.next = self.anchor_row.q.val();
        for i in 0..5 {
            self.tap_rows[0].next = self.sliding[i].q.val().get_bits::<7>(0);
            self.tap_rows[1].next = self.sliding[i].q.val().get_bits::<7>(20);
            self.tap_rows[2].next = self.sliding[i].q.val().get_bits::<7>(40);
            self.tap_rows[3].next = self.sliding[i].q.val().get_bits::<7>(60);
            self.tap_rows[4].next = self.sliding[i].q.val().get_bits::<7>(80);
            self.tap_rows[5].next = self.sliding[i].q.val().get_bits::<7>(100);
            self.tap_rows[6].next = self.sliding[i].q.val().get_bits::<7>(120);
            self.out_patch[i].d.next = bit_cast::<49, 7>(self.tap_rows[0].val())
                | (bit_cast::<49, 7>(self.tap_rows[1].val()) << 7)
                | (bit_cast::<49, 7>(self.tap_rows[2].val()) << 14)
                | (bit_cast::<49, 7>(self.tap_rows[3].val()) << 21)
                | (bit_cast::<49, 7>(self.tap_rows[4].val()) << 28)
                | (bit_cast::<49, 7>(self.tap_rows[5].val()) << 35)
                | (bit_cast::<49, 7>(self.tap_rows[6].val()) << 42);
        }

        // Rest of the column, or the next column.
        self.column_after.next = self.next_column.q.val() + 1;
        self.last.next = self.next_column.q.val() == bits::<4>(14);
        self.read_column.next = self.next_column.q.val();
        if self.last.val() {
            self.read_column.next = bits::<4>(0);
        }
        self.seen.next = false;
        for i in 0..7 {
            self.pending[i].clock.next = self.clock.val();
            self.pending[i].d.next = self.pending[i].q.val();
            self.column_legal[i].next = bits::<13>(0);
            for j in 0..13 {
                self.column_legal[i].next = self.column_legal[i].val().replace_bit(
                    j,
                    self.legal[i * 13 + j]
                        .val()
                        .get_bit(self.read_column.val().index()),
                );
            }
            if self.pending[i].q.val().any() {
                if !self.seen.val() {
                    self.pending[i].d.next = self.remaining.val();
                }
                self.seen.next = true;
            }
            if (!self.more_follow.val()) & self.busy.q.val() & (!self.last.val()) {
                self.pending[i].d.next = self.column_legal[i].val();
            }
            if self.flush.val() {
                self.pending[i].d.next = bits::<13>(0);
            }
        }
        if (!self.more_follow.val()) & self.busy.q.val() & (!self.last.val()) {
            self.column.d.next = self.next_column.q.val();
            self.next_column.d.next = self.column_after.val();
            if self.next_column.q.val().any() {
                for i in 0..5 {
                    self.sliding[i].d.next = self.sliding[i].q.val() >> 1;
                }
            }
        }

        // Next row.
        self.ready.next = (!self.busy.q.val()) | (self.last.val() & (!self.more_follow.val()));
        if self.ready.val() {
            self.busy.d.next = false;
        }
        if self.flush.val() {
            self.ready.next = true;
            self.busy.d.next = false;
            self.out_valid.d.next = false;
        }
        if self.load.val() {
            self.busy.d.next = !self.flush.val();
            self.anchor_row.d.next = self.row.val();
            self.next_column.d.next = bits::<4>(0);
            for i in 0..5 {
                self.sliding[i].d.next = self.window[i].val();
            }
        }

        self.idle.next = (!self.busy.q.val()) & (!self.out_valid.q.val());
        self.valid.next = self.out_valid.q.val();
        self.orientation.next = self.out_orientation.q.val();
        self.x.next = self.out_x.q.val();
        self.y.next = self.out_y.q.val();
    }
}

/// Twin: legal placements of a position in the order of the scan.
pub fn twin(board: &DuoBoard) -> Vec<Placement> {
    let mut placements: Vec<_> = board.legal().collect();
    placements.sort_by_key(|p| (p.y, p.x, p.orientation));
    placements
}
