//! Row pipeline: derives the maps of the rules and of the policy.
//!
//! The rows of both sides pass the read-out point of the store. From them the pipeline derives five
//! maps for the side to move: allowed cells, corner points, open cells, the opponent's
//! corner points and the cells next to those. `open_cells` and `opponent_near` need the
//! derived rows above and below. All five maps therefore leave the pipeline one row after the input
//! row.
//!
//! Encoding: a row is a 14-bit vector, bit `x` for column `x`. Neighbours are shifts by one bit;
//! the shifts drop bits that leave the board at its sides.

use duoforge_rules::{Colour, DuoBoard};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;

/// Number of maps that accompany a placement: see [`crate::pattern::scan::Scan::window`].
pub const MAPS: usize = 5;

block! {
    /// Row pipeline from the store's rows to map rows.
    pub struct PolicyMaps {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Pipeline enable: advances by one row at the next rising edge.
        pub advance: Signal<In, Bit>,
        /// High if the input row lies on the board; otherwise its allowed cells and corner points
        /// are empty.
        pub on_board: Signal<In, Bit>,
        /// High if the row before the input row lies on the board.
        pub has_before: Signal<In, Bit>,
        /// High if the row after the input row lies on the board.
        pub has_after: Signal<In, Bit>,
        /// High if the side to move has not placed a tile yet.
        pub own_first_move: Signal<In, Bit>,
        /// High if the opponent has not placed a tile yet.
        pub opponent_first_move: Signal<In, Bit>,
        /// Start cell of the side to move, if it lies in the input row; else 0.
        pub own_start: Signal<In, Bits<14>>,
        /// Start cell of the opponent, if it lies in the input row; else 0.
        pub opponent_start: Signal<In, Bits<14>>,
        /// Row of the side to move before the read-out point.
        pub own_before: Signal<In, Bits<14>>,
        /// Row of the side to move at the read-out point.
        pub own: Signal<In, Bits<14>>,
        /// Row of the side to move after the read-out point.
        pub own_after: Signal<In, Bits<14>>,
        /// Row of the opponent before the read-out point.
        pub opponent_before: Signal<In, Bits<14>>,
        /// Row of the opponent at the read-out point.
        pub opponent: Signal<In, Bits<14>>,
        /// Row of the opponent after the read-out point.
        pub opponent_after: Signal<In, Bits<14>>,
        /// Allowed cells of the side to move.
        pub allowed: Signal<Out, Bits<14>>,
        /// Corner points of the side to move.
        pub corner: Signal<Out, Bits<14>>,
        /// Corner points of the opponent.
        pub opponent_corner: Signal<Out, Bits<14>>,
        /// Allowed cells of the opponent next to one of its corner points, corner points excluded.
        pub opponent_near: Signal<Out, Bits<14>>,
        /// Open cells: allowed cells with at least three allowed edge neighbours.
        pub open_cells: Signal<Out, Bits<14>>,
        // Derived rows, one and two rows back.
        allowed_one: DFF<Bits<14>>,
        allowed_two: DFF<Bits<14>>,
        corner_one: DFF<Bits<14>>,
        opponent_allowed_one: DFF<Bits<14>>,
        opponent_corner_one: DFF<Bits<14>>,
        opponent_corner_two: DFF<Bits<14>>,
        above: Signal<Local, Bits<14>>,
        below: Signal<Local, Bits<14>>,
        opponent_above: Signal<Local, Bits<14>>,
        opponent_below: Signal<Local, Bits<14>>,
        empty: Signal<Local, Bits<14>>,
        own_edge: Signal<Local, Bits<14>>,
        diagonal: Signal<Local, Bits<14>>,
        opponent_edge: Signal<Local, Bits<14>>,
        opponent_diagonal: Signal<Local, Bits<14>>,
        allowed_in: Signal<Local, Bits<14>>,
        corner_in: Signal<Local, Bits<14>>,
        opponent_allowed_in: Signal<Local, Bits<14>>,
        opponent_corner_in: Signal<Local, Bits<14>>,
        north: Signal<Local, Bits<14>>,
        south: Signal<Local, Bits<14>>,
        west: Signal<Local, Bits<14>>,
        east: Signal<Local, Bits<14>>,
    }
}

impl Logic for PolicyMaps {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            allowed_one,
            allowed_two,
            corner_one,
            opponent_allowed_one,
            opponent_corner_one,
            opponent_corner_two
        );

        // The ring wraps round: rows across the board's edge count as empty.
        self.above.next = bits::<14>(0);
        self.opponent_above.next = bits::<14>(0);
        self.below.next = bits::<14>(0);
        self.opponent_below.next = bits::<14>(0);
        if self.has_before.val() {
            self.above.next = self.own_before.val();
            self.opponent_above.next = self.opponent_before.val();
        }
        if self.has_after.val() {
            self.below.next = self.own_after.val();
            self.opponent_below.next = self.opponent_after.val();
        }

        // Row y: allowed cells and corner points of each side.
        self.empty.next = bits::<14>(0x3fff) & (!(self.own.val() | self.opponent.val()));
        self.own_edge.next =
            (self.own.val() << 1) | (self.own.val() >> 1) | self.above.val() | self.below.val();
        self.opponent_edge.next = (self.opponent.val() << 1)
            | (self.opponent.val() >> 1)
            | self.opponent_above.val()
            | self.opponent_below.val();
        self.diagonal.next = ((self.above.val() | self.below.val()) << 1)
            | ((self.above.val() | self.below.val()) >> 1);
        self.opponent_diagonal.next = ((self.opponent_above.val() | self.opponent_below.val())
            << 1)
            | ((self.opponent_above.val() | self.opponent_below.val()) >> 1);
        if self.own_first_move.val() {
            self.diagonal.next = self.own_start.val();
        }
        if self.opponent_first_move.val() {
            self.opponent_diagonal.next = self.opponent_start.val();
        }
        self.allowed_in.next = self.empty.val() & (!self.own_edge.val());
        self.opponent_allowed_in.next = self.empty.val() & (!self.opponent_edge.val());
        if !self.on_board.val() {
            self.allowed_in.next = bits::<14>(0);
            self.opponent_allowed_in.next = bits::<14>(0);
        }
        self.corner_in.next = self.allowed_in.val() & self.diagonal.val();
        self.opponent_corner_in.next =
            self.opponent_allowed_in.val() & self.opponent_diagonal.val();

        if self.advance.val() {
            self.allowed_one.d.next = self.allowed_in.val();
            self.allowed_two.d.next = self.allowed_one.q.val();
            self.corner_one.d.next = self.corner_in.val();
            self.opponent_allowed_one.d.next = self.opponent_allowed_in.val();
            self.opponent_corner_one.d.next = self.opponent_corner_in.val();
            self.opponent_corner_two.d.next = self.opponent_corner_one.q.val();
        }

        // Row y - 1 leaves: the rows on both sides of it are known now.
        self.allowed.next = self.allowed_one.q.val();
        self.corner.next = self.corner_one.q.val();
        self.opponent_corner.next = self.opponent_corner_one.q.val();
        self.opponent_near.next = ((self.opponent_corner_one.q.val() << 1)
            | (self.opponent_corner_one.q.val() >> 1)
            | self.opponent_corner_two.q.val()
            | self.opponent_corner_in.val())
            & self.opponent_allowed_one.q.val()
            & (!self.opponent_corner_one.q.val());
        self.north.next = self.allowed_two.q.val();
        self.south.next = self.allowed_in.val();
        self.west.next = self.allowed_one.q.val() << 1;
        self.east.next = self.allowed_one.q.val() >> 1;
        self.open_cells.next = self.allowed_one.q.val()
            & ((self.north.val() & self.south.val() & (self.west.val() | self.east.val()))
                | (self.west.val() & self.east.val() & (self.north.val() | self.south.val())));
    }
}

/// Twin: map rows of `player`, in the order of [`crate::pattern::scan::Scan::window`].
pub fn twin(board: &DuoBoard, player: Colour) -> [[u16; 14]; 5] {
    let maps = duoforge_twin::PolicyMaps::new(board, player);
    [
        maps.allowed,
        maps.corner,
        maps.open_cells,
        maps.opponent_corner,
        maps.opponent_near,
    ]
    .map(|map| std::array::from_fn(|y| map.row(y as u8) as u16))
}
