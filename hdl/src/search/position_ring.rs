//! Position ring: one position, which can copy another one and stamp placements.
//!
//! A position ring holds the cells of both sides, the corners of the last two tiles of each side,
//! and the tiles used. The root of a search is in such a ring. The blocks below it have rings as
//! well: they copy the root while its rows pass, and stamp the placements of the path to their own
//! position.
//!
//! Encoding: six rings of 14 rows, as in [`crate::generator::store`]. All work happens on the
//! passing row, so access needs no 14-to-1 row multiplexer. In the 14 row cycles of a revolution,
//! the rows come from the rings or from another position ring. They receive a placement and
//! continue to the maps. The stamp has no register of the board's width. Each row of its five by
//! five box is shifted to its column one cycle before use.
//!
//! A row bus holds the passing rows of the six maps, 14 bits each, from bit 0 on:
//! - cells of side 0, of side 1;
//! - corners of the last tile of side 0, of side 1;
//! - corners of the tile before it of side 0, of side 1.
//!
//! The corners of a placement are all cells that touch it at a corner, whatever their content.
//!
//! Timing: `start` is sampled while `idle` is high. Row 0 passes two cycles later (`valid`, `row`),
//! and each cycle with `advance` high moves to the next row. `idle` is high again in the cycle
//! after row 13. So a revolution without a stall takes 16 cycles. With `take`, `incoming` holds row
//! `n` while row `n` passes. That is the `passing` of another ring, if it starts in the same cycle
//! and has the same `advance`. `incoming_used` is sampled with `start`; `used` is valid from row 0
//! on.

use duoforge_rules::{Bitboard, Colour, Duo, DuoBoard, Move, Orientation, Placement};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::generator::store::{CELLS, SIDE};
use crate::word::{PlacementWord, ShiftBy, word};

/// Maps of a position: cells, corners of the last tile and corners of the tile before it, per side.
pub const MAPS: usize = 6;

/// Bits of a row bus.
pub const ROWS: usize = Rows::BITS;

word! {
    /// Row bus: the passing rows of the six maps.
    pub Rows {
        /// Cells of side 0.
        CELLS_0: SIDE,
        /// Cells of side 1.
        CELLS_1: SIDE,
        /// Corners of the last tile of side 0.
        LAST_0: SIDE,
        /// Corners of the last tile of side 1.
        LAST_1: SIDE,
        /// Corners of the tile of side 0 before the last one.
        BEFORE_0: SIDE,
        /// Corners of the tile of side 1 before the last one.
        BEFORE_1: SIDE,
    }
}

word! {
    /// Shape of an orientation, as in the table.
    pub(crate) Shape {
        /// Cells in the five by five box, row by row.
        CELLS: BOX * BOX,
        /// Tile.
        TILE: 5,
    }
}

/// Bits of a placement on a bus.
pub const PLACEMENT: usize = PlacementWord::BITS;

/// Rows and columns of the box that every tile fits into.
const BOX: usize = 5;

block! {
    /// Position ring.
    pub struct PositionRing from PositionRingParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Request, sampled while `idle` is high.
        /// Starts a revolution.
        pub start: Signal<In, Bit>,
        /// With `start`: the rows of this revolution come from `incoming`.
        pub take: Signal<In, Bit>,
        /// With `start`: this revolution stamps `placement`.
        pub stamp: Signal<In, Bit>,
        /// With `start`: side that makes the placement.
        pub side: Signal<In, Bit>,
        /// With `start`: placement to stamp.
        pub placement: Signal<In, Bits<PLACEMENT>>,

        // Row stream in. `advance` low stalls both streams.
        /// High if the passing row moves on at the end of the cycle.
        pub advance: Signal<In, Bit>,
        /// Passing row of the position to copy.
        pub incoming: Signal<In, Bits<ROWS>>,
        /// With `start` and `take`: tiles used by each side in that position; bit 0 is tile `a`.
        pub incoming_used: [Signal<In, Bits<21>>; 2],
        /// High while `start` can be accepted.
        pub idle: Signal<Out, Bit>,

        // Row stream out.
        /// High while a row passes.
        pub valid: Signal<Out, Bit>,
        /// Number of the passing row, from 0 to 13.
        pub row: Signal<Out, Bits<4>>,
        /// Passing row of all maps, including the placement.
        pub passing: Signal<Out, Bits<ROWS>>,
        /// Tiles used by each side, including the tile of the placement.
        pub used: [Signal<Out, Bits<21>>; 2],
        ring: [DFF<Bits<CELLS>>; MAPS],
        tiles: [DFF<Bits<21>>; 2],
        shapes: ROM<Bits<30>, 7> = given,
        preparing: DFF<Bit>,
        running: DFF<Bit>,
        step: DFF<Bits<4>>,
        taking: DFF<Bit>,
        stamping: DFF<Bit>,
        stamped_side: DFF<Bit>,
        // Placement: its shape, its column, and the row of its box that comes next, with the one
        // before.
        shape: DFF<Bits<30>>,
        column: DFF<Bits<4>>,
        offset: DFF<Bits<5>>,
        box_above: DFF<Bits<5>>,
        // Cells and corners to stamp into the passing row.
        cells: DFF<Bits<14>>,
        corners: DFF<Bits<14>>,
        advancing: Signal<Local, Bit>,
        next_offset: Signal<Local, Bits<5>>,
        box_cells: Signal<Local, Bits<5>>,
        box_below: Signal<Local, Bits<5>>,
        vertical: Signal<Local, Bits<20>>,
        diagonal: Signal<Local, Bits<20>>,
        moved_cells: Signal<Local, Bits<20>>,
        covered: Signal<Local, Bits<20>>,
        touched: Signal<Local, Bits<20>>,
        tile: Signal<Local, Bits<5>>,
        tile_bit: Signal<Local, Bits<21>>,
        source: [Signal<Local, Bits<14>>; MAPS],
        stamped: [Signal<Local, Bits<14>>; MAPS],
        mask: [Signal<Local, Bit>; 2],
        new_row: Signal<Local, Bits<14>>,
        box_row: [Constant<Bits<5>>; BOX] = given,
    }
}

impl Default for PositionRing {
    fn default() -> Self {
        Self::from(PositionRingParts {
            shapes: Orientation::all().map(|o| shape(o).to_bits()).into(),
            box_row: std::array::from_fn(|row| Constant::new(row.to_bits())),
        })
    }
}

impl Logic for PositionRing {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, preparing, running, step, taking, stamping);
        dff_setup!(self, clock, stamped_side, shape, column, offset, box_above);
        dff_setup!(self, clock, cells, corners);

        // Revolution.
        self.idle.next = !(self.preparing.q.val() | self.running.q.val());
        self.valid.next = self.running.q.val();
        self.row.next = self.step.q.val();
        self.advancing.next = self.running.q.val() & self.advance.val();
        self.shapes.address.next = self
            .placement
            .val()
            .get_bits::<7>(PlacementWord::ORIENTATION);
        self.preparing.d.next = false;
        if self.advancing.val() {
            self.step.d.next = self.step.q.val() + 1;
            if self.step.q.val() == bits::<4>(13) {
                self.step.d.next = bits::<4>(0);
                self.running.d.next = false;
            }
        }
        if self.preparing.q.val() {
            self.running.d.next = true;
        }

        // Stamp of the coming row: the row of the box, and the corners of that row and its
        // neighbours.
        self.next_offset.next = self.offset.q.val() + 1;
        self.box_cells.next = bits::<5>(0);
        self.box_below.next = bits::<5>(0);
        for i in 0..5 {
            if self.offset.q.val() == self.box_row[i].val() {
                self.box_cells.next = self.shape.q.val().get_bits::<5>(5 * i);
            }
            if self.next_offset.val() == self.box_row[i].val() {
                self.box_below.next = self.shape.q.val().get_bits::<5>(5 * i);
            }
        }
        // One column further right, so that column 0 has a left neighbour.
        self.vertical.next = bit_cast::<20, 5>(self.box_above.q.val() | self.box_below.val());
        self.moved_cells.next = bit_cast::<20, 5>(self.box_cells.val()) << 1;
        self.diagonal.next =
            (self.vertical.val() | (self.vertical.val() << 2)) & (!self.moved_cells.val());
        self.covered.next = self.moved_cells.val() << self.column.q.val();
        self.touched.next = self.diagonal.val() << self.column.q.val();
        if self.preparing.q.val() | self.advancing.val() {
            self.cells.d.next = self.covered.val().get_bits::<14>(1);
            self.corners.d.next = self.touched.val().get_bits::<14>(1);
            self.box_above.d.next = self.box_cells.val();
            self.offset.d.next = self.next_offset.val();
        }

        // Passing row.
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
            self.new_row.next = self.stamped[i].val();
            if self.advancing.val() {
                self.ring[i].d.next =
                    (self.ring[i].q.val() >> 14) | (bit_cast::<196, 14>(self.new_row.val()) << 182);
            }
        }
        self.passing.next = bit_cast::<84, 14>(self.stamped[0].val())
            | (bit_cast::<84, 14>(self.stamped[1].val()) << Rows::CELLS_1.val())
            | (bit_cast::<84, 14>(self.stamped[2].val()) << Rows::LAST_0.val())
            | (bit_cast::<84, 14>(self.stamped[3].val()) << Rows::LAST_1.val())
            | (bit_cast::<84, 14>(self.stamped[4].val()) << Rows::BEFORE_0.val())
            | (bit_cast::<84, 14>(self.stamped[5].val()) << Rows::BEFORE_1.val());

        // Tiles used.
        self.tile.next = self.shape.q.val().get_bits::<5>(Shape::TILE);
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

        // Request. An idle ring samples the operands in each cycle, since `start` is valid late in a
        // cycle.
        if self.start.val() & self.idle.val() {
            self.preparing.d.next = true;
        }
        if self.idle.val() {
            self.taking.d.next = self.take.val();
            self.stamping.d.next = self.stamp.val();
            self.stamped_side.d.next = self.side.val();
            self.shape.d.next = self.shapes.data.val();
            self.column.d.next = self.placement.val().get_bits::<4>(PlacementWord::X);
            self.offset.d.next = bits::<5>(0)
                - bit_cast::<5, 4>(self.placement.val().get_bits::<4>(PlacementWord::Y));
            self.box_above.d.next = bits::<5>(0);
        }
    }
}

/// Returns the cells of an orientation in a five by five box, row by row, with its tile above them.
fn shape(orientation: Orientation) -> u32 {
    let rows = orientation.rows().iter().enumerate();
    let cells = rows.fold(0, |cells, (y, &row)| cells | u32::from(row) << (BOX * y));
    cells | (orientation.tile().index() as u32) << Shape::TILE
}

/// Content of a position ring: the rows of the maps in the order of the row bus, and the tiles
/// used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// Rows of the maps.
    pub maps: [[u16; SIDE]; MAPS],
    /// Tiles used by each side; bit 0 is tile `a`.
    pub used: [u32; 2],
}

impl Content {
    /// Returns the content of a position ring after the game on `board`, in which side 0 is `me`.
    pub fn of(board: &DuoBoard, me: Colour) -> Self {
        let mut content = Self::default();
        for (ply, mv) in board.moves().iter().enumerate() {
            if let Move::Place(placement) = *mv {
                content.place(usize::from(ply % 2 != me.index()), placement);
            }
        }
        content
    }

    /// Stamps a placement: the twin function of this block.
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

/// Returns a placement as it is encoded on a bus.
pub fn code(placement: Placement) -> u16 {
    let (x, y) = (u16::from(placement.x), u16::from(placement.y));
    placement.orientation.index() as u16 | x << PlacementWord::X | y << PlacementWord::Y
}
