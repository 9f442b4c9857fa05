//! Derives, row by row, what the prior looks at.
//!
//! From the rows of both sides that pass it makes six maps for the side to move: allowed cells, corner
//! points, the allowed cells in the squares of nine around those; the rival's corner points, the cells
//! allowed to the rival in the squares around those, and the ones beside them that are no corner points.
//!
//! Timing: each clock with `advance` takes a row in, or an empty one where `on_board` is 0, and moves the
//! maps on by one row. With row `n` on the inputs, the maps' row `n - 2` is on the outputs. The starts belong
//! to row `n - 1`. Between two boards at least three empty rows must come in.
//!
//! Encoding: as in [`crate::maps`], a row is 14 bits and neighbours are shifts. A side's start cell always
//! counts as touched by a corner: once a tile lies there it is not allowed any more.

use duoforge_engine::search::Position;
use duoforge_rules::{Bitboard, Duo};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::store::SIDE;

/// How many maps there are.
pub const MAPS: usize = 6;

/// The place of the allowed cells among the maps.
pub const ALLOWED: usize = 0;

/// The place of the corner points.
pub const CORNER: usize = 1;

/// The place of the allowed cells around corner points.
pub const AROUND: usize = 2;

/// The place of the rival's corner points.
pub const RIVAL_CORNER: usize = 3;

/// The place of the cells around those that are allowed to the rival.
pub const RIVAL_AROUND: usize = 4;

/// The place of the cells beside those that are allowed to the rival and no corner points.
pub const RIVAL_BESIDE: usize = 5;

/// The row pipeline from the rows of cells to rows of maps. Arrays hold the side to move and its rival.
#[derive(LogicBlock, Default)]
pub struct PriorMaps {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Moves the pipeline on by one row.
    pub advance: Signal<In, Bit>,
    /// The row that comes in is one of the board's.
    pub on_board: Signal<In, Bit>,
    /// That row of the side to move and of its rival.
    pub cells: [Signal<In, Bits<14>>; 2],
    /// Their start cells, as far as they lie in the row before it.
    pub start: [Signal<In, Bits<14>>; 2],
    /// A row of each map.
    pub row: [Signal<Out, Bits<14>>; MAPS],
    // Rows one and two back.
    has_row: DFF<Bit>,
    cells_one: [DFF<Bits<14>>; 2],
    cells_two: [DFF<Bits<14>>; 2],
    // Rows two and three back.
    allowed: [DFF<Bits<14>>; 2],
    corner: [DFF<Bits<14>>; 2],
    corner_above: [DFF<Bits<14>>; 2],
    below: [Signal<Local, Bits<14>>; 2],
    open: Signal<Local, Bits<14>>,
    closed: Signal<Local, Bits<14>>,
    ends: Signal<Local, Bits<14>>,
    free: Signal<Local, Bits<14>>,
    touched: [Signal<Local, Bits<14>>; 2],
    columns: Signal<Local, Bits<14>>,
    around: [Signal<Local, Bits<14>>; 2],
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

        // The row before the one that comes in: what each may cover, and from where.
        self.open.next = bits::<14>(0);
        if self.has_row.q.val() {
            self.open.next =
                bits::<14>(0x3fff) & (!(self.cells_one[0].q.val() | self.cells_one[1].q.val()));
        }
        for i in 0..2 {
            self.closed.next = (self.cells_one[i].q.val() << 1)
                | (self.cells_one[i].q.val() >> 1)
                | self.cells_two[i].q.val()
                | self.below[i].val();
            self.ends.next = self.cells_two[i].q.val() | self.below[i].val();
            self.free.next = self.open.val() & (!self.closed.val());
            self.touched[i].next = self.free.val()
                & ((self.ends.val() << 1) | (self.ends.val() >> 1) | self.start[i].val());
            if self.advance.val() {
                self.cells_one[i].d.next = self.below[i].val();
                self.cells_two[i].d.next = self.cells_one[i].q.val();
                self.allowed[i].d.next = self.free.val();
                self.corner[i].d.next = self.touched[i].val();
                self.corner_above[i].d.next = self.corner[i].q.val();
            }

            // The row before that one, now that the corner points on both sides of it are known.
            self.columns.next =
                self.corner_above[i].q.val() | self.corner[i].q.val() | self.touched[i].val();
            self.around[i].next = self.allowed[i].q.val()
                & (self.columns.val() | (self.columns.val() << 1) | (self.columns.val() >> 1));
        }
        self.row[0].next = self.allowed[0].q.val();
        self.row[1].next = self.corner[0].q.val();
        self.row[2].next = self.around[0].val();
        self.row[3].next = self.corner[1].q.val();
        self.row[4].next = self.around[1].val();
        self.row[5].next = self.allowed[1].q.val()
            & (self.corner_above[1].q.val()
                | self.touched[1].val()
                | (self.corner[1].q.val() << 1)
                | (self.corner[1].q.val() >> 1))
            & (!self.corner[1].q.val());
    }
}

/// The rows of the maps of the player to move: the module's twin function.
pub fn twin(position: &Position) -> [[u16; SIDE]; MAPS] {
    let (me, rival) = (position.to_move(), position.to_move().rival());
    let square =
        |cells: Bitboard<Duo>| cells | cells.edge_neighbours() | cells.diagonal_neighbours();
    let (corner, rival_corner) = (position.corner_points(me), position.corner_points(rival));
    let rival_allowed = position.allowed(rival);
    [
        position.allowed(me),
        corner,
        square(corner) & position.allowed(me),
        rival_corner,
        square(rival_corner) & rival_allowed,
        (rival_corner.edge_neighbours() & rival_allowed) - rival_corner,
    ]
    .map(|map| std::array::from_fn(|y| map.row(y as u8) as u16))
}

crate::ported!(PriorMaps;
    in advance on_board [cells start];
    out [row]);
