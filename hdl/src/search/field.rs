//! A position as a search sees it: takes over another one, and gets placements stamped into it.
//!
//! Besides the cells of both sides it holds the corners of each side's last tile and of the one
//! before, and the tiles used. The root of a search lies in such a field, and so do the positions
//! of all who work below it: they take the root over while its rows pass, and stamp the way down to
//! their own position.
//!
//! Encoding: six rings of 14 rows, as in [`crate::store`]. Whatever happens happens to the rows as
//! they pass: in the 14 clocks of one revolution the rows come from another field instead of the own
//! rings, get a placement, and are handed on to the maps. The placement is not written into a stamp
//! of the board's width; each row of its five by five box is moved to its column one clock before
//! it is needed.
//!
//! A bus of rows holds the six maps from bit 0 on, 14 bits each: cells of side 0, of side 1; corners
//! of the last tile of side 0, of side 1; corners of the tile before of side 0, of side 1. A
//! placement's corners are all cells that touch it at a corner, whatever lies there.
//!
//! Timing: `start` counts while `idle`. Two clocks later row 0 passes (`valid`, `row`), then with
//! each clock with `advance` the next one; the clock after row 13 is `idle` again. So a revolution
//! takes 16 clocks if it is never held up. With `take`, `incoming` has to hold row `n` while row `n`
//! passes: another field's `passing`, if it was started in the same clock and is held up by the same
//! `advance`. `incoming_used` is read with `start`, and `used` is right from row 0 on.

use duoforge_rules::{Bitboard, Duo, DuoBoard, Move, Orientation, Placement, Player};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::store::{CELLS, SIDE};

/// Maps of a position: cells, corners of the last tile, corners of the tile before, of each side.
pub const MAPS: usize = 6;

/// Bits of a bus of rows.
pub const ROWS: usize = MAPS * SIDE;

/// Bits of a placement on a bus: `orientation | x << 7 | y << 11`.
pub const PLACEMENT: usize = 15;

/// Rows and columns of the box that holds every tile.
const BOX: usize = 5;

/// A position that takes over another one and placements.
#[derive(LogicBlock)]
pub struct Field {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Starts a revolution.
    pub start: Signal<In, Bit>,
    /// With `start`: this revolution's rows come from `incoming`.
    pub take: Signal<In, Bit>,
    /// With `start`: `placement` is stamped in this revolution.
    pub stamp: Signal<In, Bit>,
    /// With `start`: whose placement.
    pub side: Signal<In, Bit>,
    /// With `start`: the placement.
    pub placement: Signal<In, Bits<PLACEMENT>>,
    /// A row that passes moves on.
    pub advance: Signal<In, Bit>,
    /// The rows of the position that is taken over.
    pub incoming: Signal<In, Bits<ROWS>>,
    /// With `start` and `take`: tiles that each side has used there; bit 0 is tile `a`.
    pub incoming_used: [Signal<In, Bits<21>>; 2],
    /// A revolution can be started with this clock.
    pub idle: Signal<Out, Bit>,
    /// A row passes.
    pub valid: Signal<Out, Bit>,
    /// Its number.
    pub row: Signal<Out, Bits<4>>,
    /// The row of all maps, with the placement in it.
    pub passing: Signal<Out, Bits<ROWS>>,
    /// Tiles that each side has used, with the placement's.
    pub used: [Signal<Out, Bits<21>>; 2],
    ring: [DFF<Bits<CELLS>>; MAPS],
    tiles: [DFF<Bits<21>>; 2],
    shapes: ROM<Bits<30>, 7>,
    preparing: DFF<Bit>,
    running: DFF<Bit>,
    step: DFF<Bits<4>>,
    taking: DFF<Bit>,
    stamping: DFF<Bit>,
    stamped_side: DFF<Bit>,
    // The placement: its shape, its column, which row of its box comes next and the one before.
    shape: DFF<Bits<30>>,
    column: DFF<Bits<4>>,
    offset: DFF<Bits<5>>,
    above: DFF<Bits<5>>,
    // What is stamped into the row that passes.
    cells: DFF<Bits<14>>,
    corners: DFF<Bits<14>>,
    moving: Signal<Local, Bit>,
    after: Signal<Local, Bits<5>>,
    at: Signal<Local, Bits<5>>,
    below: Signal<Local, Bits<5>>,
    around: Signal<Local, Bits<20>>,
    spread: Signal<Local, Bits<20>>,
    inside: Signal<Local, Bits<20>>,
    covered: Signal<Local, Bits<20>>,
    touched: Signal<Local, Bits<20>>,
    tile: Signal<Local, Bits<5>>,
    tile_bit: Signal<Local, Bits<21>>,
    source: [Signal<Local, Bits<14>>; MAPS],
    stamped: [Signal<Local, Bits<14>>; MAPS],
    mask: [Signal<Local, Bit>; 2],
    last: Signal<Local, Bits<14>>,
    box_row: [Constant<Bits<5>>; BOX],
}

impl Default for Field {
    fn default() -> Self {
        block!(Self {
            shapes: Orientation::all().map(|o| shape(o).to_bits()).into(),
            box_row: std::array::from_fn(|row| Constant::new(row.to_bits())),
        } default
            clock start take stamp side placement advance incoming incoming_used idle valid row
            passing used ring tiles preparing running step taking stamping stamped_side shape
            column offset above cells corners moving after at below around spread inside covered
            touched tile tile_bit source stamped mask last
        )
    }
}

impl Logic for Field {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, preparing, running, step, taking, stamping);
        dff_setup!(self, clock, stamped_side, shape, column, offset, above);
        dff_setup!(self, clock, cells, corners);

        // A revolution.
        self.idle.next = !(self.preparing.q.val() | self.running.q.val());
        self.valid.next = self.running.q.val();
        self.row.next = self.step.q.val();
        self.moving.next = self.running.q.val() & self.advance.val();
        self.shapes.address.next = self.placement.val().get_bits::<7>(0);
        self.preparing.d.next = false;
        if self.moving.val() {
            self.step.d.next = self.step.q.val() + 1;
            if self.step.q.val() == bits::<4>(13) {
                self.step.d.next = bits::<4>(0);
                self.running.d.next = false;
            }
        }
        if self.preparing.q.val() {
            self.running.d.next = true;
        }

        // The stamp of the coming row: the box's row, and the corners of it and its neighbours.
        self.after.next = self.offset.q.val() + 1;
        self.at.next = bits::<5>(0);
        self.below.next = bits::<5>(0);
        for i in 0..5 {
            if self.offset.q.val() == self.box_row[i].val() {
                self.at.next = self.shape.q.val().get_bits::<5>(5 * i);
            }
            if self.after.val() == self.box_row[i].val() {
                self.below.next = self.shape.q.val().get_bits::<5>(5 * i);
            }
        }
        // One column further right, so that there is one on the left.
        self.around.next = bit_cast::<20, 5>(self.above.q.val() | self.below.val());
        self.inside.next = bit_cast::<20, 5>(self.at.val()) << 1;
        self.spread.next = (self.around.val() | (self.around.val() << 2)) & (!self.inside.val());
        self.covered.next = self.inside.val() << self.column.q.val();
        self.touched.next = self.spread.val() << self.column.q.val();
        if self.preparing.q.val() | self.moving.val() {
            self.cells.d.next = self.covered.val().get_bits::<14>(1);
            self.corners.d.next = self.touched.val().get_bits::<14>(1);
            self.above.d.next = self.at.val();
            self.offset.d.next = self.after.val();
        }

        // The row that passes.
        self.mask[0].next = self.stamping.q.val() & (!self.stamped_side.q.val());
        self.mask[1].next = self.stamping.q.val() & self.stamped_side.q.val();
        for i in 0..6 {
            self.ring[i].clock.next = self.clock.val();
            self.ring[i].d.next = self.ring[i].q.val();
            self.source[i].next = self.ring[i].q.val().get_bits::<14>(0);
            if self.taking.q.val() {
                self.source[i].next = self.incoming.val().get_bits::<14>(14 * i);
            }
        }
        for i in 0..2 {
            self.stamped[i].next = self.source[i].val();
            self.stamped[i + 2].next = self.source[i + 2].val();
            self.stamped[i + 4].next = self.source[i + 4].val();
            if self.mask[i].val() {
                self.stamped[i].next = self.source[i].val() | self.cells.q.val();
                self.stamped[i + 2].next = self.corners.q.val();
                self.stamped[i + 4].next = self.source[i + 2].val();
            }
        }
        for i in 0..6 {
            self.last.next = self.stamped[i].val();
            if self.moving.val() {
                self.ring[i].d.next =
                    (self.ring[i].q.val() >> 14) | (bit_cast::<196, 14>(self.last.val()) << 182);
            }
        }
        self.passing.next = bit_cast::<84, 14>(self.stamped[0].val())
            | (bit_cast::<84, 14>(self.stamped[1].val()) << 14)
            | (bit_cast::<84, 14>(self.stamped[2].val()) << 28)
            | (bit_cast::<84, 14>(self.stamped[3].val()) << 42)
            | (bit_cast::<84, 14>(self.stamped[4].val()) << 56)
            | (bit_cast::<84, 14>(self.stamped[5].val()) << 70);

        // The tiles.
        self.tile.next = self.shape.q.val().get_bits::<5>(25);
        self.tile_bit.next = bits::<21>(1) << self.tile.val();
        for i in 0..2 {
            self.tiles[i].clock.next = self.clock.val();
            self.tiles[i].d.next = self.tiles[i].q.val();
            self.used[i].next = self.tiles[i].q.val();
            if self.preparing.q.val() & self.mask[i].val() {
                self.tiles[i].d.next = self.tiles[i].q.val() | self.tile_bit.val();
            }
            if self.start.val() & self.take.val() & self.idle.val() {
                self.tiles[i].d.next = self.incoming_used[i].val();
            }
        }

        // A new job.
        if self.start.val() & self.idle.val() {
            self.preparing.d.next = true;
            self.taking.d.next = self.take.val();
            self.stamping.d.next = self.stamp.val();
            self.stamped_side.d.next = self.side.val();
            self.shape.d.next = self.shapes.data.val();
            self.column.d.next = self.placement.val().get_bits::<4>(7);
            self.offset.d.next =
                bits::<5>(0) - bit_cast::<5, 4>(self.placement.val().get_bits::<4>(11));
            self.above.d.next = bits::<5>(0);
        }
    }
}

/// The cells of an orientation in a five by five box, row by row, and its tile above them.
fn shape(orientation: Orientation) -> u32 {
    let rows = orientation.rows().iter().enumerate();
    let cells = rows.fold(0, |cells, (y, &row)| cells | u32::from(row) << (BOX * y));
    cells | (orientation.tile().index() as u32) << (BOX * BOX)
}

/// What a field holds, row by row, in the order of its bus, and the tiles that each side has used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// The rows of the maps.
    pub maps: [[u16; SIDE]; MAPS],
    /// The tiles used; bit 0 is tile `a`.
    pub used: [u32; 2],
}

impl Content {
    /// What a field holds after a game in which side 0 is `me`.
    pub fn of(board: &DuoBoard, me: Player) -> Self {
        let mut content = Self::default();
        for (ply, turn) in board.moves().iter().enumerate() {
            if let Move::Place(placement) = *turn {
                content.place(usize::from(ply % 2 != me.index()), placement);
            }
        }
        content
    }

    /// Stamps a placement: the module's twin function.
    pub fn place(&mut self, side: usize, placement: Placement) {
        let rows = |set: Bitboard<Duo>| std::array::from_fn(|y| set.row(y as u8) as u16);
        let cells: Bitboard<Duo> = placement.cells().collect();
        let covered: [u16; SIDE] = rows(cells);
        for (row, covered) in self.maps[side].iter_mut().zip(covered) {
            *row |= covered;
        }
        self.maps[4 + side] = self.maps[2 + side];
        self.maps[2 + side] = rows(cells.diagonal_neighbours());
        self.used[side] |= 1 << placement.tile().index();
    }
}

/// A placement on a bus.
pub fn code(placement: Placement) -> u16 {
    let (x, y) = (u16::from(placement.x), u16::from(placement.y));
    placement.orientation.index() as u16 | x << 7 | y << 11
}
