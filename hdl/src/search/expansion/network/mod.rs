//! Prior network: scores of all cells from the rows of a position.
//!
//! Rows of the maps become rows of the [`planes`]; a [`window`] slides over these cell by cell; the
//! [`channels`] are the first layer and the [`cell_scores`] the second one. The scores are kept as
//! rows of bit planes. Twin: `PriorNetwork::scores`.
//!
//! Timing: `start` is high for one cycle before the first row, when all scores of the position before
//! are in memory. `load` takes a row of the planes while `ready` is high, which is again 33 cycles
//! later. These are the rows of the board and two empty ones after them. The scores of a row can be
//! read [`DRAIN`] cycles after `ready` is high again after the second row below it, until the next
//! `start`: `row` belongs to the `number` of the previous cycle.
//!
//! Encoding: a score is six bits in two's complement, and a bit plane holds one bit of the scores of
//! a row. The bits of the scores as covered cells come first, then those as edges and as corners.

use duoforge_twin::search::prior::network::{MIN_SCORE, PriorNetwork, SCORES};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::memory::Memory;
use crate::search::expansion::prior_maps::MAPS;

pub mod cell_scores;
pub mod channels;
pub mod planes;
pub mod window;

use cell_scores::CellScores;
use channels::Channels;
use planes::NetworkPlanes;
use window::PlaneWindow;

/// Bits of a score of a cell.
pub const SCORE_BITS: usize = 6;

/// Number of bit planes.
pub const SCORE_PLANES: usize = SCORES * SCORE_BITS;

/// Cycles from the last window of a row to the last of its scores in memory.
pub const DRAIN: usize = 11;

const _: () = assert!(MIN_SCORE == -(1 << (SCORE_BITS - 1)));

block! {
    /// Network with the scores of the last position.
    pub struct NetworkRows from NetworkRowsParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Phase of the game, from 0 to 3.
        pub phase: Signal<In, Bits<2>>,

        // Row stream, see [`planes`].
        /// Moves the planes by one row.
        pub advance: Signal<In, Bit>,
        /// High if the incoming row is on the board; low for an empty row.
        pub on_board: Signal<In, Bit>,
        /// Corners of the last two tiles in the incoming row, of the side to move and of its
        /// opponent.
        pub recent: [Signal<In, Bits<14>>; 2],
        /// Start cells in the row before the incoming one, of sides without a tile.
        pub start_cell: [Signal<In, Bits<14>>; 2],
        /// Row of each of the prior maps.
        pub maps: [Signal<In, Bits<14>>; MAPS],
        /// Occupied cells.
        pub occupied: Signal<In, Bits<14>>,
        /// Allowed cells of the opponent.
        pub opponent_allowed: Signal<In, Bits<14>>,

        // Network.
        /// High if there is a network.
        pub exists: Signal<Out, Bit>,
        /// Begins a position.
        pub start: Signal<In, Bit>,
        /// Takes the row of the planes.
        pub load: Signal<In, Bit>,
        /// Number of that row, from 0 to 15.
        pub load_number: Signal<In, Bits<4>>,
        /// High while a row can be taken.
        pub ready: Signal<Out, Bit>,

        // Scores.
        /// Number of the row to read.
        pub number: Signal<In, Bits<4>>,
        /// Row of each bit plane.
        pub row: [Signal<Out, Bits<14>>; SCORE_PLANES],
        planes: NetworkPlanes,
        window: PlaneWindow,
        channels: Channels = given,
        cell_scores: CellScores = given,
        // Cells of the row that is being scored, the first one in the lowest bit after all of them.
        cells: [DFF<Bits<14>>; SCORE_PLANES],
        x: DFF<Bits<4>>,
        y: DFF<Bits<4>>,
        complete: DFF<Bit>,
        rows: [Memory<14, 4>; SCORE_PLANES] = given,
        first_cell: Constant<Bits<14>> = given,
        has_network: Constant<Bit> = given,
    }
}

impl NetworkRows {
    /// Creates the network; without one, the scores have no meaning.
    pub fn new(network: Option<&PriorNetwork>) -> Self {
        Self::from(NetworkRowsParts {
            channels: Channels::new(network),
            cell_scores: CellScores::new(network),
            rows: std::array::from_fn(|_| Memory::small(16)),
            first_cell: Constant::new((1_u64 << 13).to_bits()),
            has_network: Constant::new(network.is_some()),
        })
    }
}

impl Logic for NetworkRows {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x, y, complete);
        clock!(self, clock, planes, window, channels, cell_scores);

        self.planes.advance.next = self.advance.val();
        self.planes.on_board.next = self.on_board.val();
        self.planes.occupied.next = self.occupied.val();
        self.planes.opponent_allowed.next = self.opponent_allowed.val();
        for i in 0..2 {
            self.planes.recent[i].next = self.recent[i].val();
            self.planes.start[i].next = self.start_cell[i].val();
        }
        for i in 0..6 {
            self.planes.maps[i].next = self.maps[i].val();
        }
        self.window.load.next = self.load.val();
        self.window.number.next = self.load_number.val();
        for i in 0..11 {
            self.window.row[i].next = self.planes.row[i].val();
        }
        self.exists.next = self.has_network.val();
        self.ready.next = self.window.ready.val();
        self.channels.phase.next = self.phase.val();
        self.channels.valid.next = self.window.valid.val();
        self.channels.window.next = self.window.window.val();
        self.cell_scores.valid.next = self.channels.done.val();
        self.cell_scores.outputs.next = self.channels.outputs.val();

        // Rows of scores.
        self.complete.d.next = false;
        if self.cell_scores.done.val() {
            self.x.d.next = self.x.q.val() + 1;
            if self.x.q.val() == bits::<4>(13) {
                self.x.d.next = bits::<4>(0);
                self.complete.d.next = true;
            }
        }
        if self.complete.q.val() {
            self.y.d.next = self.y.q.val() + 1;
        }
        if self.start.val() {
            self.x.d.next = bits::<4>(0);
            self.y.d.next = bits::<4>(0);
        }
        for i in 0..18 {
            self.cells[i].clock.next = self.clock.val();
            self.cells[i].d.next = self.cells[i].q.val();
            if self.cell_scores.done.val() {
                self.cells[i].d.next = self.cells[i].q.val() >> 1;
                if self.cell_scores.scores.val().get_bit(i) {
                    self.cells[i].d.next = (self.cells[i].q.val() >> 1) | self.first_cell.val();
                }
            }
            self.rows[i].clock.next = self.clock.val();
            self.rows[i].write.next = self.complete.q.val();
            self.rows[i].write_address.next = self.y.q.val();
            self.rows[i].word.next = self.cells[i].q.val();
            self.rows[i].address.next = self.number.val();
            self.row[i].next = self.rows[i].data.val();
        }
    }
}
