//! Placement scan: outputs the legal placements of a row, one per cycle, with their surroundings.
//!
//! The windows over a row slide left under fixed taps. Each cycle tests all orientations at the
//! taps. The legal ones are output in their order, so that each placement is output exactly once.
//! The order is that of [`crate::pattern::scan`]: by row, column and orientation.
//!
//! Timing: `load` takes the windows of a row while `ready` is high; the first placement is out four
//! cycles later at the earliest. A row is complete once it has no corner point left, so a row
//! without any takes one cycle. While the placements of a column are output, the scan searches for
//! the next column that has any. The output has no back-pressure. `idle` is high after the last
//! placement has been output.
//!
//! Encoding: three stages: the legal orientations of a column, the column whose placements are
//! output, and the placement. The 91 orientations of a column are seven words of 13 bits, which
//! keeps the priority encoder short.

use duoforge_rules::{Cell, Orientation, Placement, TileSet};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::prior_maps::MAPS;
use crate::block::block;
use crate::generator::legality::ORIENTATIONS;
use crate::generator::store::SIDE;
use crate::generator::window::{PITCH, ROWS, WINDOW};

/// Number of words that hold the orientations of a column.
const WORDS: usize = 7;

/// Orientations per word.
const WORD: usize = ORIENTATIONS / WORDS;

/// Columns of a row that can hold a cell: one on the left and the 14 of the board.
const COLUMNS: usize = 15;

block! {
    /// Placement scan of one row.
    pub struct PlacementScan from PlacementScanParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Row to scan, accepted while `ready` is high.
        /// Takes a row.
        pub load: Signal<In, Bit>,
        /// Number of the row.
        pub row: Signal<In, Bits<4>>,
        /// Windows over the row, in the order of [`super::prior_maps`].
        pub window: [Signal<In, Bits<WINDOW>>; MAPS],
        /// Tiles whose placements are output; bit 0 is tile `a`. Held while `idle` is low.
        pub tiles: Signal<In, Bits<21>>,
        /// High while a row can be accepted.
        pub ready: Signal<Out, Bit>,
        /// High if no placement is left to output.
        pub idle: Signal<Out, Bit>,

        // Control signals for further patches.
        /// High while the windows slide by a column.
        pub slide: Signal<Out, Bit>,
        /// High while the output moves on to the next column.
        pub settle: Signal<Out, Bit>,

        // Stream of legal placements, without back-pressure.
        /// High while the outputs below hold a placement.
        pub valid: Signal<Out, Bit>,
        /// Orientation of the placement.
        pub orientation: Signal<Out, Bits<7>>,
        /// Column of its anchor.
        pub x: Signal<Out, Bits<4>>,
        /// Row of its anchor.
        pub y: Signal<Out, Bits<4>>,
        /// Maps in the seven by seven box around the placement, in the order of `window`.
        pub patch: [Signal<Out, Bits<49>>; MAPS],
        sliding: [DFF<Bits<WINDOW>>; MAPS],
        loaded: DFF<Bit>,
        sliding_row: DFF<Bits<4>>,
        sliding_column: DFF<Bits<4>>,
        // Legal orientations of a column.
        verdict: [DFF<Bits<WORD>>; WORDS],
        verdict_row: DFF<Bits<4>>,
        verdict_column: DFF<Bits<4>>,
        verdict_patch: [DFF<Bits<49>>; MAPS],
        // Column whose placements are output.
        pending: [DFF<Bits<WORD>>; WORDS],
        pending_row: DFF<Bits<4>>,
        pending_column: DFF<Bits<4>>,
        pending_patch: [DFF<Bits<49>>; MAPS],
        // Placement that is output.
        out_valid: DFF<Bit>,
        out_orientation: DFF<Bits<7>>,
        out_x: DFF<Bits<4>>,
        out_y: DFF<Bits<4>>,
        out_patch: [DFF<Bits<49>>; MAPS],
        tap_rows: [Signal<Local, Bits<7>>; 7],
        tap: [Signal<Local, Bits<49>>; MAPS],
        blocked: Signal<Local, Bits<49>>,
        blocked_cells: Signal<Local, Bits<49>>,
        corner_cells: Signal<Local, Bits<49>>,
        column_legal: [Signal<Local, Bits<WORD>>; WORDS],
        corners_left: Signal<Local, Bits<WINDOW>>,
        active: Signal<Local, Bit>,
        verdict_any: Signal<Local, Bit>,
        step: Signal<Local, Bit>,
        seen: Signal<Local, Bit>,
        more_follow: Signal<Local, Bit>,
        word: Signal<Local, Bits<WORD>>,
        remaining: [Signal<Local, Bits<WORD>>; WORDS],
        rest: Signal<Local, Bits<WORD>>,
        first: Signal<Local, Bits<WORD>>,
        base: Signal<Local, Bits<7>>,
        low: Signal<Local, Bits<7>>,
        word_base: [Constant<Bits<7>>; WORDS] = given,
        bit_index: [Constant<Bits<7>>; WORD] = given,
        digit: [Constant<Bits<WORD>>; WORD] = given,
        shape: [Constant<Bits<49>>; ORIENTATIONS] = given,
        tile: [Constant<Bits<5>>; ORIENTATIONS] = given,
        // Columns that can hold a cell.
        window_mask: Constant<Bits<WINDOW>> = given,
        // Cells that a tile can cover, from the current column on.
        coverable: Constant<Bits<WINDOW>> = given,
    }
}

impl Default for PlacementScan {
    fn default() -> Self {
        let nth = |o| Orientation::from_index(o).expect("one of the 91");
        Self::from(PlacementScanParts {
            word_base: std::array::from_fn(|i| Constant::new((WORD * i).to_bits())),
            bit_index: std::array::from_fn(|i| Constant::new(i.to_bits())),
            digit: std::array::from_fn(|i| Constant::new((1_u32 << i).to_bits())),
            shape: std::array::from_fn(|o| {
                Constant::new(crate::tables::footprint(nth(o)).to_bits())
            }),
            tile: std::array::from_fn(|o| Constant::new(nth(o).tile().index().to_bits())),
            window_mask: Constant::new(columns(0..ROWS, 0..COLUMNS)),
            coverable: Constant::new(columns(1..6, 1..COLUMNS)),
        })
    }
}

/// Returns the bits of a window in these rows and columns.
fn columns(rows: std::ops::Range<usize>, columns: std::ops::Range<usize>) -> Bits<WINDOW> {
    let bits = rows.flat_map(|row| columns.clone().map(move |column| PITCH * row + column));
    bits.fold(Bits::default(), |all, bit| all.replace_bit(bit, true))
}

impl Logic for PlacementScan {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, loaded, sliding_row, sliding_column);
        dff_setup!(self, clock, verdict_row, verdict_column);
        dff_setup!(self, clock, pending_row, pending_column);
        dff_setup!(self, clock, out_valid, out_orientation, out_x, out_y);

        // Surroundings of the current column, and its legal orientations.
        for i in 0..6 {
            self.tap_rows[0].next = self.sliding[i].q.val().get_bits::<7>(0);
            self.tap_rows[1].next = self.sliding[i].q.val().get_bits::<7>(20);
            self.tap_rows[2].next = self.sliding[i].q.val().get_bits::<7>(40);
            self.tap_rows[3].next = self.sliding[i].q.val().get_bits::<7>(60);
            self.tap_rows[4].next = self.sliding[i].q.val().get_bits::<7>(80);
            self.tap_rows[5].next = self.sliding[i].q.val().get_bits::<7>(100);
            self.tap_rows[6].next = self.sliding[i].q.val().get_bits::<7>(120);
            self.tap[i].next = bit_cast::<49, 7>(self.tap_rows[0].val())
                | (bit_cast::<49, 7>(self.tap_rows[1].val()) << 7)
                | (bit_cast::<49, 7>(self.tap_rows[2].val()) << 14)
                | (bit_cast::<49, 7>(self.tap_rows[3].val()) << 21)
                | (bit_cast::<49, 7>(self.tap_rows[4].val()) << 28)
                | (bit_cast::<49, 7>(self.tap_rows[5].val()) << 35)
                | (bit_cast::<49, 7>(self.tap_rows[6].val()) << 42);
        }
        self.blocked.next = !self.tap[0].val();
        for i in 0..7 {
            self.column_legal[i].next = bits::<13>(0);
            for j in 0..13 {
                self.blocked_cells.next = self.blocked.val() & self.shape[i * 13 + j].val();
                self.corner_cells.next = self.tap[1].val() & self.shape[i * 13 + j].val();
                if self
                    .tiles
                    .val()
                    .get_bit(self.tile[i * 13 + j].val().index())
                    & (!self.blocked_cells.val().any())
                    & self.corner_cells.val().any()
                {
                    self.column_legal[i].next = self.column_legal[i].val() | self.digit[j].val();
                }
            }
        }

        // First orientation of the column that is output, and a test for further ones. Every word
        // computes what remains of it, whether or not it is the first one, since the test leads to
        // the registers of all stages.
        self.seen.next = false;
        self.more_follow.next = false;
        self.word.next = bits::<13>(0);
        self.rest.next = bits::<13>(0);
        self.base.next = bits::<7>(0);
        for i in 0..7 {
            self.remaining[i].next = self.pending[i].q.val() & (self.pending[i].q.val() - 1);
            if self.remaining[i].val().any() {
                self.more_follow.next = true;
            }
            if self.pending[i].q.val().any() {
                if self.seen.val() {
                    self.more_follow.next = true;
                } else {
                    self.word.next = self.pending[i].q.val();
                    self.rest.next = self.remaining[i].val();
                    self.base.next = self.word_base[i].val();
                }
                self.seen.next = true;
            }
        }
        self.first.next = self.word.val() ^ self.rest.val();
        self.low.next = bits::<7>(0);
        for i in 0..13 {
            if self.first.val().get_bit(i) {
                self.low.next = self.low.val() | self.bit_index[i].val();
            }
        }
        self.out_valid.d.next = self.seen.val();
        self.out_orientation.d.next = self.base.val() + self.low.val();
        self.out_x.d.next = self.pending_column.q.val();
        self.out_y.d.next = self.pending_row.q.val();

        // Stages that advance.
        self.corners_left.next = self.sliding[1].q.val() & self.coverable.val();
        self.active.next = self.loaded.q.val() & self.corners_left.val().any();
        self.verdict_any.next = false;
        for i in 0..7 {
            if self.verdict[i].q.val().any() {
                self.verdict_any.next = true;
            }
        }
        self.step.next = self.active.val() & (!self.verdict_any.val());
        self.slide.next = self.step.val();
        self.settle.next = !self.more_follow.val();
        self.seen.next = false;
        for i in 0..7 {
            self.verdict[i].clock.next = self.clock.val();
            self.verdict[i].d.next = self.verdict[i].q.val();
            self.pending[i].clock.next = self.clock.val();
            self.pending[i].d.next = self.pending[i].q.val();
            if self.pending[i].q.val().any() {
                if !self.seen.val() {
                    self.pending[i].d.next = self.remaining[i].val();
                }
                self.seen.next = true;
            }
            if !self.more_follow.val() {
                self.pending[i].d.next = self.verdict[i].q.val();
                self.verdict[i].d.next = bits::<13>(0);
            }
            if self.step.val() {
                self.verdict[i].d.next = self.column_legal[i].val();
            }
        }
        if !self.more_follow.val() {
            self.pending_row.d.next = self.verdict_row.q.val();
            self.pending_column.d.next = self.verdict_column.q.val();
        }
        if self.step.val() {
            self.verdict_row.d.next = self.sliding_row.q.val();
            self.verdict_column.d.next = self.sliding_column.q.val();
            self.sliding_column.d.next = self.sliding_column.q.val() + 1;
        }
        self.ready.next = !self.active.val();
        if self.load.val() {
            self.loaded.d.next = true;
            self.sliding_row.d.next = self.row.val();
            self.sliding_column.d.next = bits::<4>(0);
        }
        for i in 0..6 {
            self.sliding[i].clock.next = self.clock.val();
            self.sliding[i].d.next = self.sliding[i].q.val();
            self.verdict_patch[i].clock.next = self.clock.val();
            self.verdict_patch[i].d.next = self.verdict_patch[i].q.val();
            self.pending_patch[i].clock.next = self.clock.val();
            self.pending_patch[i].d.next = self.pending_patch[i].q.val();
            if !self.more_follow.val() {
                self.pending_patch[i].d.next = self.verdict_patch[i].q.val();
            }
            if self.step.val() {
                self.verdict_patch[i].d.next = self.tap[i].val();
                self.sliding[i].d.next = (self.sliding[i].q.val() >> 1) & self.window_mask.val();
            }
            if self.load.val() {
                self.sliding[i].d.next = self.window[i].val() & self.window_mask.val();
            }
            self.out_patch[i].clock.next = self.clock.val();
            self.out_patch[i].d.next = self.pending_patch[i].q.val();
            self.patch[i].next = self.out_patch[i].q.val();
        }

        self.idle.next = (!self.active.val())
            & (!self.verdict_any.val())
            & (!self.seen.val())
            & (!self.out_valid.q.val());
        self.valid.next = self.out_valid.q.val();
        self.orientation.next = self.out_orientation.q.val();
        self.x.next = self.out_x.q.val();
        self.y.next = self.out_y.q.val();
    }
}

/// Returns the placements of these tiles that cover allowed cells only and at least one corner
/// point, in the order of the scan: the twin function of this block.
///
/// The first two of the maps are allowed cells and corner points. Each orientation is tried at each
/// anchor, cell by cell.
pub fn twin(maps: &[[u16; SIDE]; MAPS], tiles: TileSet) -> Vec<Placement> {
    let has = |map: &[u16; SIDE], cell: Cell| map[usize::from(cell.y)] >> cell.x & 1 == 1;
    let anchors = (0..SIDE as u8).flat_map(|y| (0..SIDE as u8).map(move |x| (x, y)));
    let all = anchors.flat_map(|(x, y)| {
        Orientation::all().map(move |orientation| Placement::new(orientation, x, y))
    });
    let legal = |placement: &Placement| {
        tiles.contains(placement.tile())
            && placement.fits(SIDE as u8)
            && placement.cells().all(|cell| has(&maps[0], cell))
            && placement.cells().any(|cell| has(&maps[1], cell))
    };
    all.filter(legal).collect()
}
