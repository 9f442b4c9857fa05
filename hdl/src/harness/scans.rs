//! Harnesses for simulation: wide blocks of playouts and expansions, fed row by row.

use duoforge_twin::search::SearchParameters;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::generator::window::Window;
use crate::search::expansion::placement_scan::PlacementScan;
use crate::search::expansion::prior_maps::MAPS;
use crate::search::playout::classes::{CLASSES, Classes};
use crate::search::playout::nearest::{BITS, Nearest};
use crate::search::playout::playout_maps::is_wide;
use crate::search::playout::runs::Runs;

block! {
    /// Harness of a [`Nearest`] with registers around it.
    pub struct NearestUnit {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Parts of [`Nearest::set`], the lowest bits first.
        pub set: [Signal<In, Bits<32>>; 4],
        /// See [`Nearest::wish`].
        pub wish: Signal<In, Bits<BITS>>,
        /// See [`Nearest::number`], one cycle later.
        pub number: Signal<Out, Bits<BITS>>,
        held: DFF<Bits<BITS>>,
        nearest: Nearest,
    }
}

impl Logic for NearestUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held);
        self.nearest.set.next = bit_cast::<128, 32>(self.set[0].val())
            | (bit_cast::<128, 32>(self.set[1].val()) << 32)
            | (bit_cast::<128, 32>(self.set[2].val()) << 64)
            | (bit_cast::<128, 32>(self.set[3].val()) << 96);
        self.nearest.wish.next = self.wish.val();
        self.held.d.next = self.nearest.number.val();
        self.number.next = self.held.q.val();
    }
}

block! {
    /// Harness of the [`Classes`] and their windows of runs.
    pub struct ClassesUnit from ClassesUnitParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Row of allowed cells.
        pub allowed: Signal<In, Bits<14>>,
        /// Row of corner points.
        pub corner: Signal<In, Bits<14>>,
        /// Row of reply cells, one cycle later than the other rows if `reply_count_max` is 2.
        pub reply_cells: Signal<In, Bits<14>>,
        /// See [`Classes::used`].
        pub used: Signal<In, Bits<21>>,
        /// See [`Classes::columns`].
        pub columns: [Signal<Out, Bits<14>>; CLASSES],
        fits: Runs = given,
        touches: Runs = given,
        replies: Runs = given,
        classes: Classes = given,
    }
}

impl ClassesUnit {
    /// See [`Classes::new`].
    pub fn new(parameters: &SearchParameters) -> Self {
        Self::from(ClassesUnitParts {
            fits: Runs::new(false, false),
            touches: Runs::new(true, false),
            replies: Runs::new(true, is_wide(parameters)),
            classes: Classes::new(parameters),
        })
    }
}

impl Logic for ClassesUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, fits, touches, replies, classes);
        self.fits.row.next = self.allowed.val();
        self.touches.row.next = self.corner.val();
        self.replies.row.next = self.reply_cells.val();
        self.classes.fits.next = self.fits.planes.val();
        self.classes.corner.next = self.touches.planes.val();
        self.classes.reply_cells.next = self.replies.planes.val();
        self.classes.used.next = self.used.val();
        for i in 0..14 {
            self.columns[i].next = self.classes.columns[i].val();
        }
    }
}

block! {
    /// Harness of a [`PlacementScan`] and the windows over its maps.
    pub struct PlacementScanUnit {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Shift enable of all windows.
        pub push: Signal<In, Bit>,
        /// Rows that enter the windows, in the order of [`PlacementScan::window`].
        pub rows: [Signal<In, Bits<14>>; MAPS],
        /// See [`PlacementScan::load`].
        pub load: Signal<In, Bit>,
        /// See [`PlacementScan::row`].
        pub row: Signal<In, Bits<4>>,
        /// See [`PlacementScan::tiles`].
        pub tiles: Signal<In, Bits<21>>,
        /// See [`PlacementScan::ready`].
        pub ready: Signal<Out, Bit>,
        /// See [`PlacementScan::idle`].
        pub idle: Signal<Out, Bit>,
        /// See [`PlacementScan::valid`].
        pub valid: Signal<Out, Bit>,
        /// See [`PlacementScan::orientation`].
        pub orientation: Signal<Out, Bits<7>>,
        /// See [`PlacementScan::x`].
        pub x: Signal<Out, Bits<4>>,
        /// See [`PlacementScan::y`].
        pub y: Signal<Out, Bits<4>>,
        /// See [`PlacementScan::patch`].
        pub patch: [Signal<Out, Bits<49>>; MAPS],
        windows: [Window; MAPS],
        placement_scan: PlacementScan,
    }
}

impl Logic for PlacementScanUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, placement_scan);
        for i in 0..6 {
            self.windows[i].clock.next = self.clock.val();
            self.windows[i].push.next = self.push.val();
            self.windows[i].row.next = self.rows[i].val();
            self.placement_scan.window[i].next = self.windows[i].view.val();
            self.patch[i].next = self.placement_scan.patch[i].val();
        }
        self.placement_scan.load.next = self.load.val();
        self.placement_scan.row.next = self.row.val();
        self.placement_scan.tiles.next = self.tiles.val();
        self.ready.next = self.placement_scan.ready.val();
        self.idle.next = self.placement_scan.idle.val();
        self.valid.next = self.placement_scan.valid.val();
        self.orientation.next = self.placement_scan.orientation.val();
        self.x.next = self.placement_scan.x.val();
        self.y.next = self.placement_scan.y.val();
    }
}
