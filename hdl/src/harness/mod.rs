//! Harnesses: blocks of the pattern player with narrow ports, for simulation.
//!
//! Inside the player, windows travel as wide vectors. A harness adds only the logic that feeds and
//! reads them, so that a simulation can check a block alone against its twin.

use duoforge_rules::Orientation;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::generator::Generator;
use crate::generator::legality::{Legality, ORIENTATIONS};
use crate::generator::policy_maps::MAPS;
use crate::generator::window::{PITCH, ROWS, Window};
use crate::pattern::scan::Scan;
use crate::tables;

pub mod cached_nodes;
pub mod cached_searcher;
pub mod cached_tree;
pub mod expander;
pub mod network;
pub mod scans;
pub mod sdram_board;
pub mod sdram_chip;
pub mod search;

block! {
    /// Harness of [`Window`]: outputs the rows one by one.
    pub struct WindowUnit {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// See [`Window::push`].
        pub push: Signal<In, Bit>,
        /// See [`Window::row`].
        pub row: Signal<In, Bits<14>>,
        /// Rows of the window, oldest first.
        pub rows: [Signal<Out, Bits<PITCH>>; ROWS],
        window: Window,
    }
}

impl Logic for WindowUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, window);
        self.window.push.next = self.push.val();
        self.window.row.next = self.row.val();
        for i in 0..7 {
            self.rows[i].next = self.window.view.val().get_bits::<20>(20 * i);
        }
    }
}

block! {
    /// Harness of [`Legality`], fed by two windows.
    pub struct LegalityUnit from JudgeUnitParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Shift enable of both windows.
        pub push: Signal<In, Bit>,
        /// Row of allowed cells.
        pub allowed: Signal<In, Bits<14>>,
        /// Row of corner points.
        pub corner: Signal<In, Bits<14>>,
        /// See [`Legality::tiles`].
        pub tiles: Signal<In, Bits<21>>,
        /// See [`Legality::take`].
        pub take: Signal<In, Bit>,
        /// See [`Legality::legal`].
        pub legal: [Signal<Out, Bits<14>>; ORIENTATIONS] = given,
        allowed_window: Window,
        corner_window: Window,
        legality: Legality,
    }
}

impl Default for LegalityUnit {
    fn default() -> Self {
        Self::from(JudgeUnitParts {
            legal: std::array::from_fn(|_| Default::default()),
        })
    }
}

impl Logic for LegalityUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, allowed_window, corner_window, legality);
        self.allowed_window.push.next = self.push.val();
        self.allowed_window.row.next = self.allowed.val();
        self.corner_window.push.next = self.push.val();
        self.corner_window.row.next = self.corner.val();
        self.legality.allowed.next = self.allowed_window.view.val();
        self.legality.corner.next = self.corner_window.view.val();
        self.legality.tiles.next = self.tiles.val();
        self.legality.take.next = self.take.val();
        for i in 0..91 {
            self.legal[i].next = self.legality.legal[i].val();
        }
    }
}

block! {
    /// Harness of [`Generator`]: the board and its move generator with a reader that is always
    /// ready.
    pub struct GeneratorUnit from GeneratorUnitParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// See [`Generator::clear`].
        pub clear: Signal<In, Bit>,
        /// See [`Generator::start_is_a`].
        pub start_is_a: Signal<In, Bit>,
        /// See [`Generator::side`].
        pub side: Signal<In, Bit>,
        /// See [`Generator::place`].
        pub place: Signal<In, Bit>,
        /// Orientation of the placement.
        pub orientation: Signal<In, Bits<7>>,
        /// See [`Generator::x`].
        pub x: Signal<In, Bits<4>>,
        /// See [`Generator::y`].
        pub y: Signal<In, Bits<4>>,
        /// See [`Generator::stream`].
        pub stream: Signal<In, Bit>,
        /// See [`Generator::idle`].
        pub idle: Signal<Out, Bit>,
        /// See [`Generator::passing`].
        pub passing: Signal<Out, Bit>,
        /// See [`Generator::own_row`].
        pub own_row: Signal<Out, Bits<14>>,
        /// See [`Generator::opponent_row`].
        pub opponent_row: Signal<Out, Bits<14>>,
        /// High if `legal` holds the legal columns of anchor row `row`.
        pub valid: Signal<Out, Bit>,
        /// Anchor row of `legal`.
        pub row: Signal<Out, Bits<4>>,
        /// See [`Generator::legal`].
        pub legal: [Signal<Out, Bits<14>>; ORIENTATIONS] = given,
        generator: Generator,
        footprint: ROM<Bits<49>, 7> = given,
        tile: ROM<Bits<5>, 7> = given,
        loaded: DFF<Bit>,
        loaded_row: DFF<Bits<4>>,
    }
}

impl Default for GeneratorUnit {
    fn default() -> Self {
        Self::from(GeneratorUnitParts {
            legal: std::array::from_fn(|_| Default::default()),
            footprint: Orientation::all()
                .map(|o| tables::footprint(o).to_bits())
                .into(),
            tile: Orientation::all()
                .map(|o| o.tile().index().to_bits())
                .into(),
        })
    }
}

impl Logic for GeneratorUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, loaded, loaded_row);
        clock!(self, clock, generator);
        self.footprint.address.next = self.orientation.val();
        self.tile.address.next = self.orientation.val();
        self.generator.clear.next = self.clear.val();
        self.generator.start_is_a.next = self.start_is_a.val();
        self.generator.side.next = self.side.val();
        self.generator.place.next = self.place.val();
        self.generator.footprint.next = self.footprint.data.val();
        self.generator.tile.next = self.tile.data.val();
        self.generator.x.next = self.x.val();
        self.generator.y.next = self.y.val();
        self.generator.stream.next = self.stream.val();
        self.generator.ready.next = true;
        self.loaded.d.next = self.generator.load.val();
        self.loaded_row.d.next = self.generator.row.val();
        self.idle.next = self.generator.idle.val();
        self.passing.next = self.generator.passing.val();
        self.own_row.next = self.generator.own_row.val();
        self.opponent_row.next = self.generator.opponent_row.val();
        self.valid.next = self.loaded.q.val();
        self.row.next = self.loaded_row.q.val();
        for i in 0..91 {
            self.legal[i].next = self.generator.legal[i].val();
        }
    }
}

block! {
    /// Harness of [`Generator`] and [`Scan`].
    pub struct ScanUnit from ScanUnitParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// See [`Generator::clear`].
        pub clear: Signal<In, Bit>,
        /// See [`Generator::start_is_a`].
        pub start_is_a: Signal<In, Bit>,
        /// See [`Generator::side`].
        pub side: Signal<In, Bit>,
        /// See [`Generator::place`].
        pub place: Signal<In, Bit>,
        /// Orientation of the placement.
        pub orientation: Signal<In, Bits<7>>,
        /// See [`Generator::x`].
        pub x: Signal<In, Bits<4>>,
        /// See [`Generator::y`].
        pub y: Signal<In, Bits<4>>,
        /// See [`Generator::stream`].
        pub stream: Signal<In, Bit>,
        /// See [`Scan::flush`].
        pub flush: Signal<In, Bit>,
        /// High if neither the generator nor the scan has work in progress.
        pub idle: Signal<Out, Bit>,
        /// See [`Scan::valid`].
        pub valid: Signal<Out, Bit>,
        /// Orientation of the legal placement.
        pub found: Signal<Out, Bits<7>>,
        /// See [`Scan::x`].
        pub found_x: Signal<Out, Bits<4>>,
        /// See [`Scan::y`].
        pub found_y: Signal<Out, Bits<4>>,
        /// See [`Scan::patch`].
        pub patch: [Signal<Out, Bits<49>>; MAPS],
        generator: Generator,
        scan: Scan,
        footprint: ROM<Bits<49>, 7> = given,
        tile: ROM<Bits<5>, 7> = given,
    }
}

impl Default for ScanUnit {
    fn default() -> Self {
        Self::from(ScanUnitParts {
            footprint: Orientation::all()
                .map(|o| tables::footprint(o).to_bits())
                .into(),
            tile: Orientation::all()
                .map(|o| o.tile().index().to_bits())
                .into(),
        })
    }
}

impl Logic for ScanUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, generator, scan);
        self.footprint.address.next = self.orientation.val();
        self.tile.address.next = self.orientation.val();
        self.generator.clear.next = self.clear.val();
        self.generator.start_is_a.next = self.start_is_a.val();
        self.generator.side.next = self.side.val();
        self.generator.place.next = self.place.val();
        self.generator.footprint.next = self.footprint.data.val();
        self.generator.tile.next = self.tile.data.val();
        self.generator.x.next = self.x.val();
        self.generator.y.next = self.y.val();
        self.generator.stream.next = self.stream.val();
        self.generator.ready.next = self.scan.ready.val();
        self.scan.load.next = self.generator.load.val();
        self.scan.row.next = self.generator.row.val();
        self.scan.flush.next = self.flush.val();
        for i in 0..91 {
            self.scan.legal[i].next = self.generator.legal[i].val();
        }
        for i in 0..5 {
            self.scan.window[i].next = self.generator.window[i].val();
            self.patch[i].next = self.scan.patch[i].val();
        }
        self.idle.next = self.generator.idle.val() & self.scan.idle.val();
        self.valid.next = self.scan.valid.val();
        self.found.next = self.scan.orientation.val();
        self.found_x.next = self.scan.x.val();
        self.found_y.next = self.scan.y.val();
    }
}
