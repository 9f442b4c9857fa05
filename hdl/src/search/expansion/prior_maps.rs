//! Map pipeline of the prior: derives the maps that the features count, row by row.
//!
//! From the passing rows of both sides the pipeline makes six maps for the side to move:
//! - its allowed cells;
//! - its corner points;
//! - its allowed cells in the three by three cells around these corner points;
//! - the corner points of the opponent;
//! - the opponent's allowed cells in the three by three cells around those;
//! - the opponent's allowed cells at the edges of its corner points, without these points.
//!
//! Timing: each cycle with `advance` high takes a row, or an empty one while `on_board` is low, and
//! moves the maps by one row. With row `n` on the inputs, row `n - 2` of the maps is on the
//! outputs. `start` belongs to row `n - 1`. At least three empty rows separate two boards.
//!
//! Encoding: as in [`crate::generator::policy_maps`], a row is 14 bits and neighbours are shifts.
//! The start cell of a side always counts as touched by a corner: with a tile on it, it is not
//! allowed any more.

use duoforge_rules::{Bitboard, Duo};
use duoforge_twin::search::Position;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::generator::store::SIDE;

/// Number of maps.
pub const MAPS: usize = 6;

/// Index of the allowed cells.
pub const ALLOWED: usize = 0;

/// Index of the corner points.
pub const CORNER: usize = 1;

/// Index of the allowed cells around corner points.
pub const AROUND: usize = 2;

/// Index of the opponent's corner points.
pub const OPPONENT_CORNER: usize = 3;

/// Index of the opponent's allowed cells around its corner points.
pub const OPPONENT_AROUND: usize = 4;

/// Index of the opponent's allowed cells at the edges of its corner points, without these points.
pub const OPPONENT_BESIDE: usize = 5;

block! {
    /// Row pipeline from cells to maps. Arrays hold the side to move, then its opponent.
    pub struct PriorMaps {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Row stream of the cells. `advance` low stalls the pipeline.
        /// Moves the pipeline by one row.
        pub advance: Signal<In, Bit>,
        /// High if the incoming row is on the board; low for an empty row.
        pub on_board: Signal<In, Bit>,
        /// Incoming row of the side to move and of its opponent.
        pub cells: [Signal<In, Bits<14>>; 2],
        /// Start cells that are in the row before the incoming one.
        pub start: [Signal<In, Bits<14>>; 2],
        /// Row of each map, two rows before the incoming one.
        pub row: [Signal<Out, Bits<14>>; MAPS],
        /// Occupied cells, in the same row.
        pub occupied: Signal<Out, Bits<14>>,
        /// Allowed cells of the opponent, in the same row.
        pub opponent_allowed: Signal<Out, Bits<14>>,
        // Rows one and two before the incoming one.
        has_row: DFF<Bit>,
        cells_one: [DFF<Bits<14>>; 2],
        cells_two: [DFF<Bits<14>>; 2],
        // Rows two and three before the incoming one.
        allowed: [DFF<Bits<14>>; 2],
        corner: [DFF<Bits<14>>; 2],
        corner_above: [DFF<Bits<14>>; 2],
        below: [Signal<Local, Bits<14>>; 2],
        empty: Signal<Local, Bits<14>>,
        edges: Signal<Local, Bits<14>>,
        vertical: Signal<Local, Bits<14>>,
        allowed_now: Signal<Local, Bits<14>>,
        corner_now: [Signal<Local, Bits<14>>; 2],
        corner_rows: Signal<Local, Bits<14>>,
        around: [Signal<Local, Bits<14>>; 2],
    }
}

impl Logic for PriorMaps {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, has_row);
        for i in 0..2 {
            self.cells_one[i].clock.next = self.clock.val();
            self.cells_two[i].clock.next = self.clock.val();
            self.allowed[i].clock.next = self.clock.val();
            self.corner[i].clock.next = self.clock.val();
            self.corner_above[i].clock.next = self.clock.val();
            self.cells_one[i].d.next = self.cells_one[i].q.val();
            self.cells_two[i].d.next = self.cells_two[i].q.val();
            self.allowed[i].d.next = self.allowed[i].q.val();
            self.corner[i].d.next = self.corner[i].q.val();
            self.corner_above[i].d.next = self.corner_above[i].q.val();
            self.below[i].next = bits::<14>(0);
            if self.on_board.val() {
                self.below[i].next = self.cells[i].val();
            }
        }
        if self.advance.val() {
            self.has_row.d.next = self.on_board.val();
        }

        // Row before the incoming one: allowed cells and corner points of both sides.
        self.empty.next = bits::<14>(0);
        if self.has_row.q.val() {
            self.empty.next =
                bits::<14>(0x3fff) & (!(self.cells_one[0].q.val() | self.cells_one[1].q.val()));
        }
        for i in 0..2 {
            self.edges.next = (self.cells_one[i].q.val() << 1)
                | (self.cells_one[i].q.val() >> 1)
                | self.cells_two[i].q.val()
                | self.below[i].val();
            self.vertical.next = self.cells_two[i].q.val() | self.below[i].val();
            self.allowed_now.next = self.empty.val() & (!self.edges.val());
            self.corner_now[i].next = self.allowed_now.val()
                & ((self.vertical.val() << 1) | (self.vertical.val() >> 1) | self.start[i].val());
            if self.advance.val() {
                self.cells_one[i].d.next = self.below[i].val();
                self.cells_two[i].d.next = self.cells_one[i].q.val();
                self.allowed[i].d.next = self.allowed_now.val();
                self.corner[i].d.next = self.corner_now[i].val();
                self.corner_above[i].d.next = self.corner[i].q.val();
            }

            // Row before that one: the corner points above and below it are known now.
            self.corner_rows.next =
                self.corner_above[i].q.val() | self.corner[i].q.val() | self.corner_now[i].val();
            self.around[i].next = self.allowed[i].q.val()
                & (self.corner_rows.val()
                    | (self.corner_rows.val() << 1)
                    | (self.corner_rows.val() >> 1));
        }
        self.occupied.next = self.cells_two[0].q.val() | self.cells_two[1].q.val();
        self.opponent_allowed.next = self.allowed[1].q.val();
        self.row[0].next = self.allowed[0].q.val();
        self.row[1].next = self.corner[0].q.val();
        self.row[2].next = self.around[0].val();
        self.row[3].next = self.corner[1].q.val();
        self.row[4].next = self.around[1].val();
        self.row[5].next = self.allowed[1].q.val()
            & (self.corner_above[1].q.val()
                | self.corner_now[1].val()
                | (self.corner[1].q.val() << 1)
                | (self.corner[1].q.val() >> 1))
            & (!self.corner[1].q.val());
    }
}

/// Returns the rows of the maps for the side to move: the twin function of this block.
pub fn twin(position: &Position) -> [[u16; SIDE]; MAPS] {
    let (me, opponent) = (position.to_move(), position.to_move().opponent());
    let dilated =
        |cells: Bitboard<Duo>| cells | cells.edge_neighbours() | cells.diagonal_neighbours();
    let (corner, opponent_corner) = (position.corner_points(me), position.corner_points(opponent));
    let opponent_allowed = position.allowed(opponent);
    [
        position.allowed(me),
        corner,
        dilated(corner) & position.allowed(me),
        opponent_corner,
        dilated(opponent_corner) & opponent_allowed,
        (opponent_corner.edge_neighbours() & opponent_allowed) - opponent_corner,
    ]
    .map(|map| std::array::from_fn(|y| map.row(y as u8) as u16))
}
