//! Network planes: rows of the maps that the prior network reads.
//!
//! Most of them are those of the [`PriorMaps`](crate::search::expansion::prior_maps::PriorMaps).
//! This block adds the recent corner points and the cells of the board. Before the first tile of a
//! side, its start cell is its recent corner point.
//!
//! Timing: as that of the prior maps: with row `n` on the inputs, row `n - 2` of the planes is on
//! the outputs.

use duoforge_twin::search::Position;
use duoforge_twin::search::prior::network::{self, PLANES};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::generator::store::SIDE;
use crate::search::expansion::prior_maps::MAPS;

block! {
    /// Rows of the planes. Arrays of two hold the side to move, then its opponent.
    pub struct NetworkPlanes {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Row stream, see the prior maps.
        /// Moves the pipeline by one row.
        pub advance: Signal<In, Bit>,
        /// High if the incoming row is on the board; low for an empty row.
        pub on_board: Signal<In, Bit>,
        /// Corners of the last two tiles in the incoming row.
        pub recent: [Signal<In, Bits<14>>; 2],
        /// Start cells in the row before the incoming one, of sides without a tile.
        pub start: [Signal<In, Bits<14>>; 2],

        // Rows two before the incoming one.
        /// Row of each of the prior maps.
        pub maps: [Signal<In, Bits<14>>; MAPS],
        /// Occupied cells.
        pub occupied: Signal<In, Bits<14>>,
        /// Allowed cells of the opponent.
        pub opponent_allowed: Signal<In, Bits<14>>,
        /// Row of each plane, in the order of the twin's
        /// [`planes`](duoforge_twin::search::prior::network::planes).
        pub row: [Signal<Out, Bits<14>>; PLANES],
        // Rows one and two before the incoming one.
        board_one: DFF<Bit>,
        board_two: DFF<Bit>,
        recent_one: [DFF<Bits<14>>; 2],
        recent_two: [DFF<Bits<14>>; 2],
        start_two: [DFF<Bits<14>>; 2],
    }
}

impl Logic for NetworkPlanes {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, board_one, board_two);
        for i in 0..2 {
            self.recent_one[i].clock.next = self.clock.val();
            self.recent_two[i].clock.next = self.clock.val();
            self.start_two[i].clock.next = self.clock.val();
            self.start_two[i].d.next = self.start_two[i].q.val();
            self.recent_one[i].d.next = self.recent_one[i].q.val();
            self.recent_two[i].d.next = self.recent_two[i].q.val();
            if self.advance.val() {
                self.recent_one[i].d.next = self.recent[i].val();
                self.recent_two[i].d.next = self.recent_one[i].q.val();
                self.start_two[i].d.next = self.start[i].val();
            }
        }
        if self.advance.val() {
            self.board_one.d.next = self.on_board.val();
            self.board_two.d.next = self.board_one.q.val();
        }
        self.row[0].next = self.occupied.val();
        self.row[1].next = self.maps[0].val();
        self.row[2].next = self.opponent_allowed.val();
        self.row[3].next = self.maps[1].val();
        self.row[4].next = self.maps[3].val();
        self.row[5].next =
            self.maps[1].val() & (self.recent_two[0].q.val() | self.start_two[0].q.val());
        self.row[6].next =
            self.maps[3].val() & (self.recent_two[1].q.val() | self.start_two[1].q.val());
        self.row[7].next = bits::<14>(0);
        if self.board_two.q.val() {
            self.row[7].next = bits::<14>(0x3fff);
        }
        self.row[8].next = self.maps[2].val();
        self.row[9].next = self.maps[5].val();
        self.row[10].next = self.maps[4].val();
    }
}

/// Returns the rows of the planes for the side to move: the twin function of this block.
pub fn twin(position: &Position) -> [[u16; SIDE]; PLANES] {
    network::planes(position).map(|map| std::array::from_fn(|y| map.row(y as u8) as u16))
}
