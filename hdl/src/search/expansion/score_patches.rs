//! Score patches: the scores of cells around each placement of the placement scan.
//!
//! The scores of the prior network are bit planes: bits of a score as maps. They slide, wait and
//! leave like the maps of the [`PlacementScan`](super::placement_scan::PlacementScan), whose control
//! signals move them.
//!
//! Timing: `load`, `slide` and `settle` are those of the placement scan. The patches of a placement
//! leave in the cycle in which the placement scan outputs it.
//!
//! Encoding: as in the placement scan, a window slides under fixed taps. Only columns of the board
//! hold bits, so nothing needs a mask.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::network::SCORE_PLANES;
use crate::block::block;
use crate::generator::window::WINDOW;

block! {
    /// Score patches.
    pub struct ScorePatches {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Takes the windows of a row, see `PlacementScan::load`.
        pub load: Signal<In, Bit>,
        /// Windows over the row.
        pub window: [Signal<In, Bits<WINDOW>>; SCORE_PLANES],
        /// Moves on by a column, see `PlacementScan::slide`.
        pub slide: Signal<In, Bit>,
        /// Takes the next column to output, see `PlacementScan::settle`.
        pub settle: Signal<In, Bit>,
        /// Bit planes in the seven by seven box around the placement.
        pub patch: [Signal<Out, Bits<49>>; SCORE_PLANES],
        sliding: [DFF<Bits<WINDOW>>; SCORE_PLANES],
        verdict_patch: [DFF<Bits<49>>; SCORE_PLANES],
        pending_patch: [DFF<Bits<49>>; SCORE_PLANES],
        out_patch: [DFF<Bits<49>>; SCORE_PLANES],
        tap_rows: [Signal<Local, Bits<7>>; 7],
        tap: Signal<Local, Bits<49>>,
    }
}

impl Logic for ScorePatches {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..18 {
            self.sliding[i].clock.next = self.clock.val();
            self.verdict_patch[i].clock.next = self.clock.val();
            self.pending_patch[i].clock.next = self.clock.val();
            self.out_patch[i].clock.next = self.clock.val();
            self.sliding[i].d.next = self.sliding[i].q.val();
            self.verdict_patch[i].d.next = self.verdict_patch[i].q.val();
            self.pending_patch[i].d.next = self.pending_patch[i].q.val();
            self.tap_rows[0].next = self.sliding[i].q.val().get_bits::<7>(0);
            self.tap_rows[1].next = self.sliding[i].q.val().get_bits::<7>(20);
            self.tap_rows[2].next = self.sliding[i].q.val().get_bits::<7>(40);
            self.tap_rows[3].next = self.sliding[i].q.val().get_bits::<7>(60);
            self.tap_rows[4].next = self.sliding[i].q.val().get_bits::<7>(80);
            self.tap_rows[5].next = self.sliding[i].q.val().get_bits::<7>(100);
            self.tap_rows[6].next = self.sliding[i].q.val().get_bits::<7>(120);
            self.tap.next = bit_cast::<49, 7>(self.tap_rows[0].val())
                | (bit_cast::<49, 7>(self.tap_rows[1].val()) << 7)
                | (bit_cast::<49, 7>(self.tap_rows[2].val()) << 14)
                | (bit_cast::<49, 7>(self.tap_rows[3].val()) << 21)
                | (bit_cast::<49, 7>(self.tap_rows[4].val()) << 28)
                | (bit_cast::<49, 7>(self.tap_rows[5].val()) << 35)
                | (bit_cast::<49, 7>(self.tap_rows[6].val()) << 42);
            if self.settle.val() {
                self.pending_patch[i].d.next = self.verdict_patch[i].q.val();
            }
            if self.slide.val() {
                self.verdict_patch[i].d.next = self.tap.val();
                self.sliding[i].d.next = self.sliding[i].q.val() >> 1;
            }
            if self.load.val() {
                self.sliding[i].d.next = self.window[i].val();
            }
            self.out_patch[i].d.next = self.pending_patch[i].q.val();
            self.patch[i].next = self.out_patch[i].q.val();
        }
    }
}
