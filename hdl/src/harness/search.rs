//! Harnesses for simulation: blocks of the search with narrow ports.

use duoforge_twin::search::SearchParameters;
use rust_hdl_core::prelude::*;

use crate::block::block;
use crate::search::playout::core::Core;
use crate::search::playout::placement_draw::PlacementDraw;
use crate::search::playout::playout_maps::PlayoutMaps;
use crate::search::position_ring::{MAPS, PLACEMENT, PositionRing, Rows};
use crate::word::ShiftBy;

block! {
    /// Harness of a [`PositionRing`] with one port per map.
    pub struct PositionRingUnit {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// See [`PositionRing::start`].
        pub start: Signal<In, Bit>,
        /// See [`PositionRing::take`].
        pub take: Signal<In, Bit>,
        /// See [`PositionRing::stamp`].
        pub stamp: Signal<In, Bit>,
        /// See [`PositionRing::side`].
        pub side: Signal<In, Bit>,
        /// See [`PositionRing::placement`].
        pub placement: Signal<In, Bits<PLACEMENT>>,
        /// See [`PositionRing::advance`].
        pub advance: Signal<In, Bit>,
        /// Maps of [`PositionRing::incoming`].
        pub incoming: [Signal<In, Bits<14>>; MAPS],
        /// See [`PositionRing::incoming_used`].
        pub incoming_used: [Signal<In, Bits<21>>; 2],
        /// See [`PositionRing::idle`].
        pub idle: Signal<Out, Bit>,
        /// See [`PositionRing::valid`].
        pub valid: Signal<Out, Bit>,
        /// See [`PositionRing::row`].
        pub row: Signal<Out, Bits<4>>,
        /// Maps of [`PositionRing::passing`].
        pub passing: [Signal<Out, Bits<14>>; MAPS],
        /// See [`PositionRing::used`].
        pub used: [Signal<Out, Bits<21>>; 2],
        position_ring: PositionRing,
    }
}

impl Logic for PositionRingUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, position_ring);
        self.position_ring.start.next = self.start.val();
        self.position_ring.take.next = self.take.val();
        self.position_ring.stamp.next = self.stamp.val();
        self.position_ring.side.next = self.side.val();
        self.position_ring.placement.next = self.placement.val();
        self.position_ring.advance.next = self.advance.val();
        self.position_ring.incoming.next = bit_cast::<84, 14>(self.incoming[0].val())
            | (bit_cast::<84, 14>(self.incoming[1].val()) << Rows::CELLS_1.val())
            | (bit_cast::<84, 14>(self.incoming[2].val()) << Rows::LAST_0.val())
            | (bit_cast::<84, 14>(self.incoming[3].val()) << Rows::LAST_1.val())
            | (bit_cast::<84, 14>(self.incoming[4].val()) << Rows::BEFORE_0.val())
            | (bit_cast::<84, 14>(self.incoming[5].val()) << Rows::BEFORE_1.val());
        self.idle.next = self.position_ring.idle.val();
        self.valid.next = self.position_ring.valid.val();
        self.row.next = self.position_ring.row.val();
        for i in 0..6 {
            self.passing[i].next = self.position_ring.passing.val().get_bits::<14>(14 * i);
        }
        for i in 0..2 {
            self.position_ring.incoming_used[i].next = self.incoming_used[i].val();
            self.used[i].next = self.position_ring.used[i].val();
        }
    }
}

block! {
    /// Harness of a [`PlayoutMaps`] with one input per map.
    pub struct PlayoutMapsUnit from PlayoutMapsUnitParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// See [`PlayoutMaps::valid`].
        pub valid: Signal<In, Bit>,
        /// See [`PlayoutMaps::row`].
        pub row: Signal<In, Bits<4>>,
        /// Maps of [`PlayoutMaps::passing`].
        pub passing: [Signal<In, Bits<14>>; MAPS],
        /// See [`PlayoutMaps::side`].
        pub side: Signal<In, Bit>,
        /// See [`PlayoutMaps::start_is_a`].
        pub start_is_a: Signal<In, Bit>,
        /// See [`PlayoutMaps::valid_out`].
        pub valid_out: Signal<Out, Bit>,
        /// See [`PlayoutMaps::allowed`].
        pub allowed: Signal<Out, Bits<14>>,
        /// See [`PlayoutMaps::corner`].
        pub corner: Signal<Out, Bits<14>>,
        /// See [`PlayoutMaps::reply_cells`].
        pub reply_cells: Signal<Out, Bits<14>>,
        playout_maps: PlayoutMaps = given,
    }
}

impl PlayoutMapsUnit {
    /// See [`PlayoutMaps::new`].
    pub fn new(parameters: &SearchParameters) -> Self {
        Self::from(PlayoutMapsUnitParts {
            playout_maps: PlayoutMaps::new(parameters),
        })
    }
}

impl Logic for PlayoutMapsUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, playout_maps);
        self.playout_maps.valid.next = self.valid.val();
        self.playout_maps.row.next = self.row.val();
        self.playout_maps.passing.next = bit_cast::<84, 14>(self.passing[0].val())
            | (bit_cast::<84, 14>(self.passing[1].val()) << Rows::CELLS_1.val())
            | (bit_cast::<84, 14>(self.passing[2].val()) << Rows::LAST_0.val())
            | (bit_cast::<84, 14>(self.passing[3].val()) << Rows::LAST_1.val())
            | (bit_cast::<84, 14>(self.passing[4].val()) << Rows::BEFORE_0.val())
            | (bit_cast::<84, 14>(self.passing[5].val()) << Rows::BEFORE_1.val());
        self.playout_maps.side.next = self.side.val();
        self.playout_maps.start_is_a.next = self.start_is_a.val();
        self.valid_out.next = self.playout_maps.valid_out.val();
        self.allowed.next = self.playout_maps.allowed.val();
        self.corner.next = self.playout_maps.corner.val();
        self.reply_cells.next = self.playout_maps.reply_cells.val();
    }
}

block! {
    /// Harness of a [`PlacementDraw`].
    pub struct PlacementDrawUnit from PickerUnitParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// See [`PlacementDraw::valid`].
        pub valid: Signal<In, Bit>,
        /// See [`PlacementDraw::allowed`].
        pub allowed: Signal<In, Bits<14>>,
        /// See [`PlacementDraw::corner`].
        pub corner: Signal<In, Bits<14>>,
        /// See [`PlacementDraw::reply_cells`].
        pub reply_cells: Signal<In, Bits<14>>,
        /// See [`PlacementDraw::used`].
        pub used: Signal<In, Bits<21>>,
        /// See [`PlacementDraw::random`].
        pub random: Signal<In, Bits<17>>,
        /// See [`PlacementDraw::done`].
        pub done: Signal<Out, Bit>,
        /// See [`PlacementDraw::found`].
        pub found: Signal<Out, Bit>,
        /// See [`PlacementDraw::placement`].
        pub placement: Signal<Out, Bits<PLACEMENT>>,
        placement_draw: PlacementDraw = given,
    }
}

impl PlacementDrawUnit {
    /// See [`PlacementDraw::new`].
    pub fn new(parameters: &SearchParameters) -> Self {
        Self::from(PickerUnitParts {
            placement_draw: PlacementDraw::new(parameters),
        })
    }
}

impl Logic for PlacementDrawUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, placement_draw);
        self.placement_draw.valid.next = self.valid.val();
        self.placement_draw.allowed.next = self.allowed.val();
        self.placement_draw.corner.next = self.corner.val();
        self.placement_draw.reply_cells.next = self.reply_cells.val();
        self.placement_draw.used.next = self.used.val();
        self.placement_draw.random.next = self.random.val();
        self.done.next = self.placement_draw.done.val();
        self.found.next = self.placement_draw.found.val();
        self.placement.next = self.placement_draw.placement.val();
    }
}

block! {
    /// Harness of a [`Core`] and the root of its search.
    pub struct CoreUnit from CoreUnitParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// [`PositionRing::start`] of the root.
        pub root_start: Signal<In, Bit>,
        /// [`PositionRing::take`] of the root, which copies an empty position.
        pub root_take: Signal<In, Bit>,
        /// [`PositionRing::stamp`] of the root, which shares `side` and `placement` with the core.
        pub root_stamp: Signal<In, Bit>,
        /// See [`Core::restart`].
        pub restart: Signal<In, Bit>,
        /// See [`Core::start_is_a`].
        pub start_is_a: Signal<In, Bit>,
        /// See [`Core::start`].
        pub start: Signal<In, Bit>,
        /// See [`Core::take`].
        pub take: Signal<In, Bit>,
        /// See [`Core::stamp`].
        pub stamp: Signal<In, Bit>,
        /// See [`Core::side`].
        pub side: Signal<In, Bit>,
        /// See [`Core::placement`].
        pub placement: Signal<In, Bits<PLACEMENT>>,
        /// See [`Core::finish`].
        pub finish: Signal<In, Bit>,
        /// See [`Core::to_move`].
        pub to_move: Signal<In, Bit>,
        /// See [`Core::ready`].
        pub ready: Signal<Out, Bit>,
        /// See [`Core::played`].
        pub played: Signal<Out, Bit>,
        /// See [`Core::played_side`].
        pub played_side: Signal<Out, Bit>,
        /// See [`Core::played_placement`].
        pub played_placement: Signal<Out, Bits<PLACEMENT>>,
        /// See [`Core::done`].
        pub done: Signal<Out, Bit>,
        /// See [`Core::margin`].
        pub margin: Signal<Out, Bits<8>>,
        root: PositionRing,
        core: Core = given,
    }
}

impl CoreUnit {
    /// See [`Core::new`].
    pub fn new(parameters: &SearchParameters, seed: u64) -> Self {
        Self::from(CoreUnitParts {
            core: Core::new(parameters, seed),
        })
    }
}

impl Logic for CoreUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, root, core);
        self.root.start.next = self.root_start.val();
        self.root.take.next = self.root_take.val();
        self.root.stamp.next = self.root_stamp.val();
        self.root.side.next = self.side.val();
        self.root.placement.next = self.placement.val();
        self.root.advance.next = true;
        self.root.incoming.next = bits::<84>(0);
        for i in 0..2 {
            self.root.incoming_used[i].next = bits::<21>(0);
            self.core.incoming_used[i].next = self.root.used[i].val();
        }
        self.core.restart.next = self.restart.val();
        self.core.start_is_a.next = self.start_is_a.val();
        self.core.start.next = self.start.val();
        self.core.take.next = self.take.val();
        self.core.stamp.next = self.stamp.val();
        self.core.side.next = self.side.val();
        self.core.placement.next = self.placement.val();
        self.core.finish.next = self.finish.val();
        self.core.to_move.next = self.to_move.val();
        self.core.stop.next = false;
        self.core.incoming.next = self.root.passing.val();
        self.ready.next = self.core.ready.val();
        self.played.next = self.core.played.val();
        self.played_side.next = self.core.played_side.val();
        self.played_placement.next = self.core.played_placement.val();
        self.done.next = self.core.done.val();
        self.margin.next = self.core.margin.val();
    }
}
