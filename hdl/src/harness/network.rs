//! Harnesses for simulation: blocks of the prior network with wide ports.

use duoforge_twin::search::prior::network::{PLANES, PriorNetwork, SPAN};
use rust_hdl_core::prelude::*;

use crate::block::block;
use crate::generator::window::Window;
use crate::search::expansion::network::SCORE_PLANES;
use crate::search::expansion::network::channels::{Channels, OUTPUTS};
use crate::search::expansion::network::window::{COLUMN, PlaneWindow};
use crate::search::expansion::placement_scan::PlacementScan;
use crate::search::expansion::prior_maps::MAPS;
use crate::search::expansion::score_patches::ScorePatches;

block! {
    /// Harness of a [`PlaneWindow`]: outputs its columns one by one.
    pub struct PlaneWindowUnit {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// See [`PlaneWindow::load`].
        pub load: Signal<In, Bit>,
        /// See [`PlaneWindow::number`].
        pub number: Signal<In, Bits<4>>,
        /// See [`PlaneWindow::row`].
        pub row: [Signal<In, Bits<14>>; PLANES],
        /// See [`PlaneWindow::ready`].
        pub ready: Signal<Out, Bit>,
        /// See [`PlaneWindow::valid`].
        pub valid: Signal<Out, Bit>,
        /// Columns of [`PlaneWindow::window`], the lowest bits first.
        pub columns: [Signal<Out, Bits<COLUMN>>; SPAN],
        plane_window: PlaneWindow,
    }
}

impl Logic for PlaneWindowUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, plane_window);
        self.plane_window.load.next = self.load.val();
        self.plane_window.number.next = self.number.val();
        for i in 0..11 {
            self.plane_window.row[i].next = self.row[i].val();
        }
        self.ready.next = self.plane_window.ready.val();
        self.valid.next = self.plane_window.valid.val();
        for i in 0..5 {
            self.columns[i].next = self.plane_window.window.val().get_bits::<55>(55 * i);
        }
    }
}

block! {
    /// Harness of [`Channels`], which takes the columns of a window one by one.
    pub struct ChannelsUnit from ChannelsUnitParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// See [`Channels::phase`].
        pub phase: Signal<In, Bits<2>>,
        /// See [`Channels::valid`].
        pub valid: Signal<In, Bit>,
        /// Columns of [`Channels::window`], the lowest bits first.
        pub columns: [Signal<In, Bits<COLUMN>>; SPAN],
        /// See [`Channels::done`].
        pub done: Signal<Out, Bit>,
        /// See [`Channels::outputs`].
        pub outputs: Signal<Out, Bits<OUTPUTS>>,
        channels: Channels = given,
    }
}

impl ChannelsUnit {
    /// See [`Channels::new`].
    pub fn new(network: &PriorNetwork) -> Self {
        Self::from(ChannelsUnitParts {
            channels: Channels::new(Some(network)),
        })
    }
}

impl Logic for ChannelsUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, channels);
        self.channels.phase.next = self.phase.val();
        self.channels.valid.next = self.valid.val();
        self.channels.window.next = bit_cast::<275, 55>(self.columns[0].val())
            | (bit_cast::<275, 55>(self.columns[1].val()) << 55)
            | (bit_cast::<275, 55>(self.columns[2].val()) << 110)
            | (bit_cast::<275, 55>(self.columns[3].val()) << 165)
            | (bit_cast::<275, 55>(self.columns[4].val()) << 220);
        self.done.next = self.channels.done.val();
        self.outputs.next = self.channels.outputs.val();
    }
}

block! {
    /// Harness of [`ScorePatches`] with the [`PlacementScan`] that moves them, and the windows of
    /// both.
    pub struct ScorePatchesUnit {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Shift enable of all windows.
        pub push: Signal<In, Bit>,
        /// Rows that enter the windows of the placement scan.
        pub rows: [Signal<In, Bits<14>>; MAPS],
        /// Rows of the bit planes that enter the windows of the score patches.
        pub score_rows: [Signal<In, Bits<14>>; SCORE_PLANES],
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
        /// See [`ScorePatches::patch`].
        pub patch: [Signal<Out, Bits<49>>; SCORE_PLANES],
        windows: [Window; MAPS],
        score_windows: [Window; SCORE_PLANES],
        placement_scan: PlacementScan,
        score_patches: ScorePatches,
    }
}

impl Logic for ScorePatchesUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, placement_scan, score_patches);
        for i in 0..6 {
            self.windows[i].clock.next = self.clock.val();
            self.windows[i].push.next = self.push.val();
            self.windows[i].row.next = self.rows[i].val();
            self.placement_scan.window[i].next = self.windows[i].view.val();
        }
        for i in 0..18 {
            self.score_windows[i].clock.next = self.clock.val();
            self.score_windows[i].push.next = self.push.val();
            self.score_windows[i].row.next = self.score_rows[i].val();
            self.score_patches.window[i].next = self.score_windows[i].view.val();
            self.patch[i].next = self.score_patches.patch[i].val();
        }
        self.placement_scan.load.next = self.load.val();
        self.placement_scan.row.next = self.row.val();
        self.placement_scan.tiles.next = self.tiles.val();
        self.score_patches.load.next = self.load.val();
        self.score_patches.slide.next = self.placement_scan.slide.val();
        self.score_patches.settle.next = self.placement_scan.settle.val();
        self.ready.next = self.placement_scan.ready.val();
        self.idle.next = self.placement_scan.idle.val();
        self.valid.next = self.placement_scan.valid.val();
        self.orientation.next = self.placement_scan.orientation.val();
        self.x.next = self.placement_scan.x.val();
        self.y.next = self.placement_scan.y.val();
    }
}
