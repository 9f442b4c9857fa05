//! Move generator with the board.
//!
//! The block holds the cells and the used tiles of both sides and writes placements. On request it
//! streams the complete legal set of either side. The rows of the board pass the read-out point,
//! become map rows and fill the windows; in each cycle the legality check evaluates one anchor row.
//! With a reader that is always ready, a complete legal set takes 14 cycles after a latency of 8
//! cycles.
//!
//! Encoding: one five-bit step counts both jobs. While placing, row `n` is at the read-out point in
//! step `n`. While streaming, the steps run up to 20: the window is aligned to row 0 in step 7,
//! after one cycle for the maps and six for the rows below the anchor.

use duoforge_rules::{DuoBoard, Variant};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use self::legality::{Legality, ORIENTATIONS};
use self::policy_maps::{MAPS, PolicyMaps};
use self::store::Store;
use self::window::{WINDOW, Window};
use crate::block::block;

pub mod legality;
pub mod policy_maps;
pub mod store;
pub mod window;

/// Job of the generator.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Job {
    /// No job.
    Idle,
    /// Writes a tile into the board.
    Place,
    /// Streams a legal set.
    Stream,
}

block! {
    /// Board and move generator.
    pub struct Generator from GeneratorParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Empties the board and returns all tiles.
        pub clear: Signal<In, Bit>,
        /// Start cell of side 0: high for (a,a), low for (5,5).
        pub start_is_a: Signal<In, Bit>,
        /// Side of the placement or legal set: 0 for this player, 1 for the opponent. Stable during
        /// a job.
        pub side: Signal<In, Bit>,
        /// Starts to write the placement below into the board; sampled while idle.
        pub place: Signal<In, Bit>,
        /// Footprint of the placement's orientation.
        pub footprint: Signal<In, Bits<49>>,
        /// Tile of the placement.
        pub tile: Signal<In, Bits<5>>,
        /// Column of the anchor.
        pub x: Signal<In, Bits<4>>,
        /// Row of the anchor.
        pub y: Signal<In, Bits<4>>,
        /// Starts to stream a legal set; sampled while idle.
        pub stream: Signal<In, Bit>,
        /// High if no job is in progress.
        pub idle: Signal<Out, Bit>,
        /// High if a row of the board passes the read-out point in this cycle.
        pub passing: Signal<Out, Bit>,
        /// Row of `side` at the read-out point.
        pub own_row: Signal<Out, Bits<14>>,
        /// Row of the other side at the read-out point.
        pub opponent_row: Signal<Out, Bits<14>>,
        /// High if the reader can accept a row in this cycle.
        pub ready: Signal<In, Bit>,
        /// High in the cycle in which the legality check registers anchor row `row`; `legal` is
        /// valid from the next cycle on.
        pub load: Signal<Out, Bit>,
        /// Anchor row, valid while `load` is high.
        pub row: Signal<Out, Bits<4>>,
        /// Legal anchor columns of each orientation, bit `x` for column `x`.
        pub legal: [Signal<Out, Bits<14>>; ORIENTATIONS] = given,
        /// Windows over allowed cells, corner points, open cells, the opponent's corner points and
        /// the cells next to those. Aligned to anchor row `row` while `load` is high.
        pub window: [Signal<Out, Bits<WINDOW>>; MAPS],
        store: Store,
        policy_maps: PolicyMaps,
        windows: [Window; MAPS],
        legality: Legality,
        job: DFF<Job>,
        step: DFF<Bits<5>>,
        // Tiles placed, not tiles left: zero at power-up means that all are left.
        side_0_used: DFF<Bits<21>>,
        side_1_used: DFF<Bits<21>>,
        own_used: Signal<Local, Bits<21>>,
        opponent_used: Signal<Local, Bits<21>>,
        tile_bit: Signal<Local, Bits<21>>,
        advance: Signal<Local, Bit>,
        next_step: Signal<Local, Bits<5>>,
        on_board: Signal<Local, Bit>,
        own_start_is_a: Signal<Local, Bit>,
        aligned: Signal<Local, Bit>,
        start_row: [Constant<Bits<5>>; 2] = given,
        start_cell: [Constant<Bits<14>>; 2] = given,
    }
}

impl Default for Generator {
    fn default() -> Self {
        let start = |i: usize| Variant::DUO.starts[i];
        Self::from(GeneratorParts {
            legal: std::array::from_fn(|_| Default::default()),
            start_row: [0, 1].map(|i| Constant::new(start(i).y.to_bits())),
            start_cell: [0, 1].map(|i| Constant::new((1_u16 << start(i).x).to_bits())),
        })
    }
}

impl Logic for Generator {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, job, step, side_0_used, side_1_used);
        clock!(self, clock, store, policy_maps, legality);

        // Point of view.
        if self.side.val() {
            self.own_used.next = self.side_1_used.q.val();
            self.opponent_used.next = self.side_0_used.q.val();
        } else {
            self.own_used.next = self.side_0_used.q.val();
            self.opponent_used.next = self.side_1_used.q.val();
        }
        self.own_start_is_a.next = self.start_is_a.val() ^ self.side.val();

        // Steps.
        self.next_step.next = self.step.q.val() + 1;
        self.on_board.next = self.step.q.val() < bits::<5>(14);
        self.aligned.next = false;
        self.advance.next = false;
        match self.job.q.val() {
            Job::Idle => {
                self.step.d.next = bits::<5>(0);
                if self.place.val() {
                    self.job.d.next = Job::Place;
                } else if self.stream.val() {
                    self.job.d.next = Job::Stream;
                }
            }
            Job::Place => {
                self.step.d.next = self.next_step.val();
                if self.step.q.val() == bits::<5>(13) {
                    self.job.d.next = Job::Idle;
                }
            }
            Job::Stream => {
                self.aligned.next = self.step.q.val() >= bits::<5>(7);
                self.advance.next = (!self.aligned.val()) | self.ready.val();
                if self.advance.val() {
                    self.step.d.next = self.next_step.val();
                    if self.step.q.val() == bits::<5>(20) {
                        self.job.d.next = Job::Idle;
                    }
                }
            }
            _ => {
                self.job.d.next = Job::Idle;
            }
        }
        self.idle.next = self.job.q.val() == Job::Idle;

        // The board.
        self.store.clear.next = self.clear.val();
        self.store.side.next = self.side.val();
        self.store.load.next = self.place.val() & (self.job.q.val() == Job::Idle);
        self.store.cells.next = self.footprint.val();
        self.store.column.next = self.x.val();
        self.store.stamping.next = (self.job.q.val() == Job::Place)
            & (self.step.q.val() >= bit_cast::<5, 4>(self.y.val()));
        self.store.rotate.next =
            (self.job.q.val() == Job::Place) | (self.advance.val() & self.on_board.val());
        self.passing.next = self.store.rotate.val();
        self.own_row.next = self.store.own.val();
        self.opponent_row.next = self.store.opponent.val();
        self.tile_bit.next = bits::<21>(1) << self.tile.val();
        if self.store.load.val() {
            if self.side.val() {
                self.side_1_used.d.next = self.side_1_used.q.val() | self.tile_bit.val();
            } else {
                self.side_0_used.d.next = self.side_0_used.q.val() | self.tile_bit.val();
            }
        }
        if self.clear.val() {
            self.side_0_used.d.next = bits::<21>(0);
            self.side_1_used.d.next = bits::<21>(0);
        }

        // The maps.
        self.policy_maps.advance.next = self.advance.val();
        self.policy_maps.on_board.next = self.on_board.val();
        self.policy_maps.has_before.next = self.step.q.val().any();
        self.policy_maps.has_after.next = self.step.q.val() != bits::<5>(13);
        self.policy_maps.own_first_move.next = !self.own_used.val().any();
        self.policy_maps.opponent_first_move.next = !self.opponent_used.val().any();
        self.policy_maps.own_start.next = bits::<14>(0);
        self.policy_maps.opponent_start.next = bits::<14>(0);
        if self.step.q.val() == self.start_row[0].val() {
            if self.own_start_is_a.val() {
                self.policy_maps.opponent_start.next = self.start_cell[0].val();
            } else {
                self.policy_maps.own_start.next = self.start_cell[0].val();
            }
        }
        if self.step.q.val() == self.start_row[1].val() {
            if self.own_start_is_a.val() {
                self.policy_maps.own_start.next = self.start_cell[1].val();
            } else {
                self.policy_maps.opponent_start.next = self.start_cell[1].val();
            }
        }
        self.policy_maps.own_before.next = self.store.own_before.val();
        self.policy_maps.own.next = self.store.own.val();
        self.policy_maps.own_after.next = self.store.own_after.val();
        self.policy_maps.opponent_before.next = self.store.opponent_before.val();
        self.policy_maps.opponent.next = self.store.opponent.val();
        self.policy_maps.opponent_after.next = self.store.opponent_after.val();

        // The windows.
        self.windows[0].row.next = self.policy_maps.allowed.val();
        self.windows[1].row.next = self.policy_maps.corner.val();
        self.windows[2].row.next = self.policy_maps.open_cells.val();
        self.windows[3].row.next = self.policy_maps.opponent_corner.val();
        self.windows[4].row.next = self.policy_maps.opponent_near.val();
        for i in 0..5 {
            self.windows[i].clock.next = self.clock.val();
            self.windows[i].push.next = self.advance.val() & self.step.q.val().any();
            self.window[i].next = self.windows[i].view.val();
        }

        // The legality check.
        self.legality.allowed.next = self.windows[0].view.val();
        self.legality.corner.next = self.windows[1].view.val();
        self.legality.tiles.next = !self.own_used.val();
        self.legality.take.next = self.aligned.val() & self.ready.val();
        self.load.next = self.aligned.val() & self.ready.val();
        self.row.next = bit_cast::<4, 5>(self.step.q.val()) - bits::<4>(7);
        for i in 0..91 {
            self.legal[i].next = self.legality.legal[i].val();
        }
    }
}

/// Twin: the legal set of the player to move, as the columns of each anchor row and orientation.
pub fn twin(board: &DuoBoard) -> [[u16; ORIENTATIONS]; 14] {
    let mut rows = [[0; ORIENTATIONS]; 14];
    for placement in board.legal() {
        rows[usize::from(placement.y)][placement.orientation.index()] |= 1 << placement.x;
    }
    rows
}
