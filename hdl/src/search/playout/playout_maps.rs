//! Playout maps, row by row: allowed cells, own corner points and reply cells.
//!
//! A reply cell is an allowed cell at a recent corner point of the opponent. If `reply_count_max` is
//! 2, so is an allowed cell that the opponent may cover too and that shares an edge with such a
//! point.
//!
//! Encoding: rows of both sides enter in order without a pause and stay for two cycles, so that
//! each row has its neighbours above and below. Between two boards the registers hold zeros only,
//! which forms the upper and the lower edge of the board.
//!
//! Timing: the maps of row `n - 1` leave while row `n` enters (`valid`); those of row 13 leave one
//! cycle after it entered. In all other cycles the maps are zero. If `reply_count_max` is 2, the
//! reply cells leave one cycle after the other maps: those of row `n - 2` leave while row `n`
//! enters. They depend on the recent corner points of row `n - 1`, and these on the opponent's
//! cells in row `n`.

use duoforge_rules::{Bitboard, Duo, Variant};
use duoforge_twin::search::{self, Position, SearchParameters};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::generator::store::SIDE;
use crate::search::position_ring::{ROWS, Rows};

block! {
    /// Row pipeline from the rows of a position ring to the rows of the playout maps.
    pub struct PlayoutMaps from PlayoutMapsParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Row stream of a position ring.
        /// High while a row enters.
        pub valid: Signal<In, Bit>,
        /// Number of the row.
        pub row: Signal<In, Bits<4>>,
        /// Row of all maps of a position ring, see [`crate::search::position_ring`].
        pub passing: Signal<In, Bits<ROWS>>,
        /// Side to move. Held from the first row until the maps of the last one have left.
        pub side: Signal<In, Bit>,
        /// High if the start cell of side 0 is (a,a), low if it is (5,5).
        pub start_is_a: Signal<In, Bit>,

        // Row stream of the playout maps.
        /// High while the maps below are those of a row.
        pub valid_out: Signal<Out, Bit>,
        /// Allowed cells of the side to move.
        pub allowed: Signal<Out, Bits<14>>,
        /// Corner points of the side to move.
        pub corner: Signal<Out, Bits<14>>,
        /// Reply cells, one cycle later than the other maps if `reply_count_max` is 2.
        pub reply_cells: Signal<Out, Bits<14>>,
        row_valid: DFF<Bit>,
        own: DFF<Bits<14>>,
        opponent: DFF<Bits<14>>,
        own_above: DFF<Bits<14>>,
        opponent_above: DFF<Bits<14>>,
        own_start: DFF<Bits<14>>,
        recent_corner: DFF<Bits<14>>,
        // Row before the row of the other maps: cells that both sides may cover, those of them that
        // are reply cells by the rows up to it, and the opponent's recent corner points.
        common_above: DFF<Bits<14>>,
        reply_above: DFF<Bits<14>>,
        recent_above: DFF<Bits<14>>,
        own_below: Signal<Local, Bits<14>>,
        opponent_below: Signal<Local, Bits<14>>,
        recent_corner_in: Signal<Local, Bits<14>>,
        starts: [Signal<Local, Bits<14>>; 2],
        own_start_is_a: Signal<Local, Bit>,
        own_start_in: Signal<Local, Bits<14>>,
        opponent_start_in: Signal<Local, Bits<14>>,
        covered: Signal<Local, Bits<14>>,
        own_edge: Signal<Local, Bits<14>>,
        opponent_edge: Signal<Local, Bits<14>>,
        diagonal: Signal<Local, Bits<14>>,
        free_cells: Signal<Local, Bits<14>>,
        common: Signal<Local, Bits<14>>,
        recent: Signal<Local, Bits<14>>,
        start_row: [Constant<Bits<4>>; 2] = given,
        start_cell: [Constant<Bits<14>>; 2] = given,
        wide: Constant<Bit> = given,
    }
}

impl PlayoutMaps {
    /// Creates the playout maps of a search.
    pub fn new(parameters: &SearchParameters) -> Self {
        let start = |i: usize| Variant::DUO.starts[i];
        Self::from(PlayoutMapsParts {
            start_row: [0, 1].map(|i| Constant::new(start(i).y.to_bits())),
            start_cell: [0, 1].map(|i| Constant::new((1_u16 << start(i).x).to_bits())),
            wide: Constant::new(is_wide(parameters)),
        })
    }
}

impl Logic for PlayoutMaps {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            row_valid,
            own,
            opponent,
            own_above,
            opponent_above
        );
        dff_setup!(self, clock, own_start, recent_corner);
        dff_setup!(self, clock, common_above, reply_above, recent_above);

        // Row that enters, seen from the side to move.
        self.own_below.next = bits::<14>(0);
        self.opponent_below.next = bits::<14>(0);
        self.recent_corner_in.next = self.passing.val().get_bits::<14>(Rows::LAST_1)
            | self.passing.val().get_bits::<14>(Rows::BEFORE_1);
        if self.side.val() {
            self.recent_corner_in.next = self.passing.val().get_bits::<14>(Rows::LAST_0)
                | self.passing.val().get_bits::<14>(Rows::BEFORE_0);
        }
        if self.valid.val() {
            if self.side.val() {
                self.own_below.next = self.passing.val().get_bits::<14>(Rows::CELLS_1);
                self.opponent_below.next = self.passing.val().get_bits::<14>(Rows::CELLS_0);
            } else {
                self.own_below.next = self.passing.val().get_bits::<14>(Rows::CELLS_0);
                self.opponent_below.next = self.passing.val().get_bits::<14>(Rows::CELLS_1);
            }
        }
        self.own_start_is_a.next = self.start_is_a.val() ^ self.side.val();
        for i in 0..2 {
            self.starts[i].next = bits::<14>(0);
            if self.row.val() == self.start_row[i].val() {
                self.starts[i].next = self.start_cell[i].val();
            }
        }
        if self.own_start_is_a.val() {
            self.own_start_in.next = self.starts[1].val();
            self.opponent_start_in.next = self.starts[0].val();
        } else {
            self.own_start_in.next = self.starts[0].val();
            self.opponent_start_in.next = self.starts[1].val();
        }
        self.row_valid.d.next = self.valid.val();
        self.own.d.next = self.own_below.val();
        self.opponent.d.next = self.opponent_below.val();
        self.own_above.d.next = self.own.q.val();
        self.opponent_above.d.next = self.opponent.q.val();
        self.own_start.d.next = self.own_start_in.val();
        // A side with a tile has covered its start cell, which is then not allowed any more.
        self.recent_corner.d.next = self.recent_corner_in.val() | self.opponent_start_in.val();

        // Row before it.
        self.covered.next = self.own.q.val() | self.opponent.q.val();
        self.own_edge.next = (self.own.q.val() << 1)
            | (self.own.q.val() >> 1)
            | self.own_above.q.val()
            | self.own_below.val();
        self.opponent_edge.next = (self.opponent.q.val() << 1)
            | (self.opponent.q.val() >> 1)
            | self.opponent_above.q.val()
            | self.opponent_below.val();
        self.diagonal.next = ((self.own_above.q.val() | self.own_below.val()) << 1)
            | ((self.own_above.q.val() | self.own_below.val()) >> 1);
        self.free_cells.next = bits::<14>(0);
        if self.row_valid.q.val() {
            self.free_cells.next = !(self.covered.val() | self.own_edge.val());
        }
        self.valid_out.next = self.row_valid.q.val();
        self.allowed.next = self.free_cells.val();
        self.corner.next = self.free_cells.val() & (self.diagonal.val() | self.own_start.q.val());

        // Reply cells. The recent corner points of a row complete those of the row before it.
        self.common.next = self.free_cells.val() & (!self.opponent_edge.val());
        self.recent.next = bits::<14>(0);
        if self.row_valid.q.val() {
            self.recent.next =
                self.recent_corner.q.val() & (!(self.covered.val() | self.opponent_edge.val()));
        }
        self.common_above.d.next = self.common.val();
        self.reply_above.d.next = self.common.val()
            & (self.recent.val()
                | (self.recent.val() << 1)
                | (self.recent.val() >> 1)
                | self.recent_above.q.val());
        self.recent_above.d.next = self.recent.val();
        if self.wide.val() {
            self.reply_cells.next =
                self.reply_above.q.val() | (self.common_above.q.val() & self.recent.val());
        } else {
            self.reply_cells.next = self.common.val() & self.recent_corner.q.val();
        }
    }
}

/// True if reply cells include cells next to recent corner points, and leave one cycle later than
/// the other maps.
pub fn is_wide(parameters: &SearchParameters) -> bool {
    parameters.formulas.reply_count_max > 1
}

/// Returns the playout maps of the side to move.
pub fn maps(position: &Position, parameters: &SearchParameters) -> search::PlayoutMaps<Duo> {
    match is_wide(parameters) {
        true => position.wide_playout_maps(),
        false => position.playout_maps(),
    }
}

/// Returns the rows of the three maps for the side to move: the twin function of this block.
pub fn twin(position: &Position, parameters: &SearchParameters) -> [[u16; SIDE]; 3] {
    let playout_maps = maps(position, parameters);
    [
        playout_maps.allowed,
        playout_maps.corners,
        playout_maps.reply_cells,
    ]
    .map(|map: Bitboard<Duo>| std::array::from_fn(|y| map.row(y as u8) as u16))
}
