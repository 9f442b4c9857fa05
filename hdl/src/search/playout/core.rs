//! Playout core: copies a position, plays it to the end of the game and reports the margin.
//!
//! Twin: `duoforge_twin::search::playout::finish` with `Position::margin`. A playout move is one
//! revolution of the core's [`PositionRing`]. The placement drawn last is stamped into the passing
//! rows, which continue through [`PlayoutMaps`] to the [`PlacementDraw`], which draws the next one.
//!
//! A playout move tries a random subset of the tiles first, given by bits of its random number. If
//! no tile of the subset fits, a second revolution tries all tiles. That costs two revolutions in
//! one move of eight, instead of twice the logic.
//!
//! A side without a legal placement never has one again. So after its first pass a side passes
//! without a revolution, and the playout ends when the second side has no legal placement.
//!
//! Timing: `start` is sampled while `ready` is high. The ring then copies the root (`take`),
//! stamps a placement (`stamp`, `side`, `placement`), or both, see [`PositionRing`]. Row `n` of
//! `incoming` is sampled `n + 2` cycles after `start`. All cores can copy the root in one
//! revolution, if they start in the same cycle as the root's ring.
//! - Without `finish`, `ready` is high again after 16 cycles, for the next placement.
//! - With `finish`, the same revolution is the first move of the playout, with `to_move` to move.
//!   `played` is high one cycle after each draw, with `played_side` and `played_placement`. The
//!   first one follows 26 cycles after `start` at the earliest, the others at least 25 cycles
//!   apart.
//! - `done` rises one cycle after the last draw failed and is held until the next `start`. `margin`
//!   is valid while `done` is high. `ready` rises with `done`.
//!
//! A playout ends from every state. If no draw completes for longer than a revolution takes, the
//! playout stops. `stop` ends a playout with more placements than a game can have. Neither
//! occurs in a game.
//!
//! The core has its own random generator. `restart` loads its seed. The generator is all zeros at
//! power-up and stays so, so each search begins with a `restart` while the core is ready. Each move
//! of the playout takes one random number, passes included.

use duoforge_rules::Tile;
use duoforge_twin::{Rng, search::SearchParameters};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::placement_draw::PlacementDraw;
use super::playout_maps::PlayoutMaps;
use crate::block::block;
use crate::search::position_ring::{PLACEMENT, PositionRing, ROWS};

/// Cycles of a revolution in a playout; a playout move takes one or two revolutions.
pub const PLAYOUT_REVOLUTION: u64 = 25;

block! {
    /// Playout engine with its own position and random generator.
    pub struct Core from CoreParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Loads the seed into the random generator.
        pub restart: Signal<In, Bit>,
        /// High if the start cell of side 0 is (a,a), low if it is (5,5).
        pub start_is_a: Signal<In, Bit>,

        // Request, sampled while `ready` is high.
        /// Starts a revolution.
        pub start: Signal<In, Bit>,
        /// With `start`: copies the root.
        pub take: Signal<In, Bit>,
        /// With `start`: stamps `placement`.
        pub stamp: Signal<In, Bit>,
        /// With `start`: side that makes the placement.
        pub side: Signal<In, Bit>,
        /// With `start`: placement, a [`PlacementWord`](crate::word::PlacementWord).
        pub placement: Signal<In, Bits<PLACEMENT>>,
        /// With `start`: plays the game to its end.
        pub finish: Signal<In, Bit>,
        /// With `start` and `finish`: side to move.
        pub to_move: Signal<In, Bit>,
        /// Ends a running playout.
        pub stop: Signal<In, Bit>,

        // Rows of the root, shared by all cores.
        /// Passing row of the root, see [`PositionRing::incoming`].
        pub incoming: Signal<In, Bits<ROWS>>,
        /// With `start` and `take`: tiles used by each side at the root; bit 0 is tile `a`.
        pub incoming_used: [Signal<In, Bits<21>>; 2],
        /// High while `start` can be accepted.
        pub ready: Signal<Out, Bit>,

        // Stream of the playout's placements, without back-pressure.
        /// High for one cycle when the playout has placed a tile.
        pub played: Signal<Out, Bit>,
        /// Side that placed the tile.
        pub played_side: Signal<Out, Bit>,
        /// Placement, a [`PlacementWord`](crate::word::PlacementWord).
        pub played_placement: Signal<Out, Bits<PLACEMENT>>,

        // Result, held until the next `start`.
        /// High when the playout is over.
        pub done: Signal<Out, Bit>,
        /// Margin for side 0 at the end of the playout, in cells; two's complement.
        pub margin: Signal<Out, Bits<8>>,
        position_ring: PositionRing,
        playout_maps: PlayoutMaps = given,
        placement_draw: PlacementDraw = given,
        sizes: ROM<Bits<8>, 5> = given,
        random_state: DFF<Bits<64>>,
        extra_number: DFF<Bit>,
        // High while all tiles are tried instead of the random subset.
        all_tiles: DFF<Bit>,
        playing: DFF<Bit>,
        mover: DFF<Bit>,
        passed: [DFF<Bit>; 2],
        over: DFF<Bit>,
        out_valid: DFF<Bit>,
        out_side: DFF<Bit>,
        out_placement: DFF<Bits<PLACEMENT>>,
        // Adds up the tiles one by one in each revolution. The counter then runs on to `timeout`,
        // by which time a draw has completed.
        tile_index: DFF<Bits<5>>,
        margin_sum: DFF<Bits<8>>,
        accept: Signal<Local, Bit>,
        drawn: Signal<Local, Bit>,
        missed: Signal<Local, Bit>,
        failed: Signal<Local, Bit>,
        stalled: Signal<Local, Bit>,
        next_move: Signal<Local, Bit>,
        opponent: Signal<Local, Bit>,
        opponent_passed: Signal<Local, Bit>,
        used: Signal<Local, Bits<21>>,
        tile_sample: Signal<Local, Bits<21>>,
        xorshift_one: Signal<Local, Bits<64>>,
        xorshift_two: Signal<Local, Bits<64>>,
        xorshift_three: Signal<Local, Bits<64>>,
        used_bits: [Signal<Local, Bits<32>>; 2],
        seed: Constant<Bits<64>> = given,
        timeout: Constant<Bits<5>> = given,
    }
}

impl Core {
    /// Creates a core whose generator is `Rng::new(seed)` after a restart.
    pub fn new(parameters: &SearchParameters, seed: u64) -> Self {
        let sizes = Tile::ALL.into_iter().map(|tile| tile.size().to_bits());
        Self::from(CoreParts {
            playout_maps: PlayoutMaps::new(parameters),
            placement_draw: PlacementDraw::new(parameters),
            sizes: sizes.into(),
            seed: Constant::new(Rng::new(seed).state().to_bits()),
            timeout: Constant::new(30_u32.to_bits()),
        })
    }
}

impl Logic for Core {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            random_state,
            extra_number,
            all_tiles,
            playing,
            mover,
            over
        );
        dff_setup!(
            self,
            clock,
            out_valid,
            out_side,
            out_placement,
            tile_index,
            margin_sum
        );
        clock!(self, clock, position_ring, playout_maps, placement_draw);

        // Sequence of playout moves.
        self.ready.next = self.position_ring.idle.val() & (!self.playing.q.val());
        self.accept.next = self.start.val() & self.ready.val();
        self.drawn.next =
            self.playing.q.val() & self.placement_draw.done.val() & self.placement_draw.found.val();
        self.missed.next = self.playing.q.val()
            & self.placement_draw.done.val()
            & (!self.placement_draw.found.val());
        self.failed.next = self.missed.val() & self.all_tiles.q.val();
        self.opponent.next = !self.mover.q.val();
        self.opponent_passed.next = self.passed[1].q.val();
        if self.mover.q.val() {
            self.opponent_passed.next = self.passed[0].q.val();
        }
        self.next_move.next =
            self.drawn.val() | (self.failed.val() & (!self.opponent_passed.val()));
        if self.missed.val() {
            self.all_tiles.d.next = true;
        }
        if self.next_move.val() | self.accept.val() {
            self.all_tiles.d.next = false;
        }
        for i in 0..2 {
            self.passed[i].clock.next = self.clock.val();
            self.passed[i].d.next = self.passed[i].q.val();
        }
        if self.failed.val() {
            if self.mover.q.val() {
                self.passed[1].d.next = true;
            } else {
                self.passed[0].d.next = true;
            }
            if self.opponent_passed.val() {
                self.playing.d.next = false;
                self.over.d.next = true;
            }
        }
        self.stalled.next = self.stop.val() | (self.tile_index.q.val() == self.timeout.val());
        if self.playing.q.val() & self.stalled.val() {
            self.playing.d.next = false;
            self.over.d.next = true;
        }
        if !self.opponent_passed.val() & self.next_move.val() {
            self.mover.d.next = self.opponent.val();
        }
        if self.accept.val() {
            self.over.d.next = false;
            self.playing.d.next = self.finish.val();
            self.mover.d.next = self.to_move.val();
            self.passed[0].d.next = false;
            self.passed[1].d.next = false;
        }

        // Position ring.
        self.position_ring.advance.next = true;
        self.position_ring.incoming.next = self.incoming.val();
        self.position_ring.start.next = self.accept.val()
            | self.next_move.val()
            | (self.missed.val() & (!self.all_tiles.q.val()));
        if self.playing.q.val() {
            self.position_ring.take.next = false;
            self.position_ring.stamp.next = self.drawn.val();
            self.position_ring.side.next = self.mover.q.val();
            self.position_ring.placement.next = self.placement_draw.placement.val();
        } else {
            self.position_ring.take.next = self.take.val();
            self.position_ring.stamp.next = self.stamp.val();
            self.position_ring.side.next = self.side.val();
            self.position_ring.placement.next = self.placement.val();
        }
        for i in 0..2 {
            self.position_ring.incoming_used[i].next = self.incoming_used[i].val();
        }

        // Playout maps and draw.
        self.playout_maps.valid.next = self.position_ring.valid.val();
        self.playout_maps.row.next = self.position_ring.row.val();
        self.playout_maps.passing.next = self.position_ring.passing.val();
        self.playout_maps.side.next = self.mover.q.val();
        self.playout_maps.start_is_a.next = self.start_is_a.val();
        // The revolution of a step down the tree is not a playout move.
        self.placement_draw.valid.next = self.playout_maps.valid_out.val() & self.playing.q.val();
        self.placement_draw.allowed.next = self.playout_maps.allowed.val();
        self.placement_draw.corner.next = self.playout_maps.corner.val();
        self.placement_draw.reply_cells.next = self.playout_maps.reply_cells.val();
        self.placement_draw.random.next = self.random_state.q.val().get_bits::<17>(32);
        self.used.next = self.position_ring.used[0].val();
        if self.mover.q.val() {
            self.used.next = self.position_ring.used[1].val();
        }
        self.tile_sample.next = self.random_state.q.val().get_bits::<21>(43);
        self.placement_draw.used.next = self.used.val() | (!self.tile_sample.val());
        if self.all_tiles.q.val() {
            self.placement_draw.used.next = self.used.val();
        }
        self.out_valid.d.next = self.drawn.val();
        self.out_side.d.next = self.mover.q.val();
        self.out_placement.d.next = self.placement_draw.placement.val();

        // Generator: one number per playout move, and one more for the opponent that passes without
        // a revolution.
        self.xorshift_one.next = self.random_state.q.val() ^ (self.random_state.q.val() << 13);
        self.xorshift_two.next = self.xorshift_one.val() ^ (self.xorshift_one.val() >> 7);
        self.xorshift_three.next = self.xorshift_two.val() ^ (self.xorshift_two.val() << 17);
        self.extra_number.d.next = self.drawn.val() & self.opponent_passed.val();
        if self.next_move.val()
            | (self.accept.val() & self.finish.val())
            | self.extra_number.q.val()
        {
            self.random_state.d.next = self.xorshift_three.val();
        }
        if self.restart.val() {
            self.random_state.d.next = self.seed.val();
        }

        // Margin.
        self.sizes.address.next = self.tile_index.q.val();
        self.used_bits[0].next = bit_cast::<32, 21>(self.position_ring.used[0].val());
        self.used_bits[1].next = bit_cast::<32, 21>(self.position_ring.used[1].val());
        if self.tile_index.q.val() != self.timeout.val() {
            self.tile_index.d.next = self.tile_index.q.val() + 1;
        }
        if self.used_bits[0]
            .val()
            .get_bit(self.tile_index.q.val().index())
        {
            if !self.used_bits[1]
                .val()
                .get_bit(self.tile_index.q.val().index())
            {
                self.margin_sum.d.next = self.margin_sum.q.val() + self.sizes.data.val();
            }
        } else {
            if self.used_bits[1]
                .val()
                .get_bit(self.tile_index.q.val().index())
            {
                self.margin_sum.d.next = self.margin_sum.q.val() - self.sizes.data.val();
            }
        }
        // The used tiles are valid from the second cycle of a revolution on.
        if self.position_ring.start.val() {
            self.tile_index.d.next = bits::<5>(31);
            self.margin_sum.d.next = bits::<8>(0);
        }

        self.played.next = self.out_valid.q.val();
        self.played_side.next = self.out_side.q.val();
        self.played_placement.next = self.out_placement.q.val();
        self.done.next = self.over.q.val();
        self.margin.next = self.margin_sum.q.val();
    }
}
