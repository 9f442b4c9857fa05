//! Expander: finds the candidates of a position with their priors, or lists the complete legal set.
//!
//! The position is in a [`PositionRing`], which copies the root and stamps the placements of the
//! path. A request scans the legal placements of one side in these stages:
//! - rows of the position ring become rows of [`PriorMaps`] and fill six windows;
//! - the [`PlacementScan`] outputs at most one placement per cycle;
//! - the [`PriorScorer`] scores the placement;
//! - the [`Ranking`] keeps the best placements;
//! - [`Priors`] outputs them with priors and initial means (first-play urgency).
//!
//! Twins: `duoforge_twin::search::prior::best` and `Tree::add`.
//!
//! Timing: requests are sampled while `idle` is high. A request is a pulse of one cycle, and only
//! one may be high.
//! - `start` begins a revolution of the ring, see [`PositionRing`]. With `take` the ring copies a
//!   position; with `stamp` it stamps `stamped` of `side`. `idle` is high again 16 cycles later.
//!   This revolution is never stalled, so `incoming` may be the `passing` of a ring that starts in
//!   the same cycle.
//! - `score` with `side` and `value` requests the candidates of that side; `value` is always for
//!   side 0. Each candidate is on `placement`, `prior` and `mean` in a cycle with `entry` high. The
//!   entries are in consecutive cycles, best first. The scan covers only candidate tiles if any of
//!   those fits.
//! - `list` with `side` requests the complete legal set, without a ranking.
//!
//! `score` and `list` end with `done` high for one cycle; for `score` this is the cycle after the
//! last entry. `idle` is high in the cycle after `done`. `count` is the number of entries of the
//! last `score`, valid from its `done`.
//!
//! While a request runs, each scanned legal placement is on `legal_placement` in a cycle with
//! `legal` high. The order is by row, column and orientation. `legal_count` counts these placements
//! and is held until the next request. A `score` without a legal placement of a candidate tile
//! scans the rows again with all tiles; `legal` was low during its first scan.
//!
//! Latency: the first placement is out 14 cycles after the request at the earliest. A row takes one
//! cycle, plus one for each column up to its last corner point or one for each placement, whichever
//! is more. Placements at the end of a row overlap with the columns of the next row. The first
//! entry follows 47 cycles after the last placement if no column is left to scan.

use duoforge_rules::{Colour, Placement, Variant};
use duoforge_twin::search::{Position, SearchParameters, prior};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::placement_scan::PlacementScan;
use super::prior_maps::{MAPS, PriorMaps};
use super::prior_scorer::PriorScorer;
use super::priors::Priors;
use super::ranking::Ranking;
use super::tile_filter::TileFilter;
use crate::block::block;
use crate::generator::window::Window;
use crate::search::position_ring::{PLACEMENT, PositionRing, ROWS, Rows};
use crate::word::{PlacementWord, ShiftBy};

/// State of a request.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum ExpanderState {
    /// No request; the ring may run a revolution.
    Idle,
    /// Rows stream into the maps, the windows and the placement scan.
    Rows,
    /// The placement scan and the scorer drain.
    Finish,
    /// The entries are output.
    Entries,
}

block! {
    /// Expander with its own position.
    pub struct Expander from ExpanderParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Position: a revolution that copies the root, stamps a placement, or both.
        /// High if the start cell of side 0 is (a,a), low if it is (5,5).
        pub start_is_a: Signal<In, Bit>,
        /// Starts a revolution of the position ring.
        pub start: Signal<In, Bit>,
        /// See [`PositionRing::take`].
        pub take: Signal<In, Bit>,
        /// See [`PositionRing::stamp`].
        pub stamp: Signal<In, Bit>,
        /// Side whose placement is stamped, or whose placements are requested.
        pub side: Signal<In, Bit>,
        /// See [`PositionRing::placement`].
        pub stamped: Signal<In, Bits<PLACEMENT>>,
        /// See [`PositionRing::incoming`].
        pub incoming: Signal<In, Bits<ROWS>>,
        /// See [`PositionRing::incoming_used`].
        pub incoming_used: [Signal<In, Bits<21>>; 2],

        // Requests: pulses of one cycle, sampled while `idle` is high.
        /// Requests the candidates of `side`.
        pub score: Signal<In, Bit>,
        /// With `score`: value of the position for side 0, in units of 2^-16.
        pub value: Signal<In, Bits<16>>,
        /// Requests the complete legal set of `side`.
        pub list: Signal<In, Bit>,
        /// High while a request can be accepted.
        pub idle: Signal<Out, Bit>,
        /// High for one cycle when the last `score` or `list` is complete.
        pub done: Signal<Out, Bit>,

        // Stream of scanned legal placements, without back-pressure.
        /// High while `legal_placement` holds a legal placement.
        pub legal: Signal<Out, Bit>,
        /// Placement reported while `legal` is high, a
        /// [`PlacementWord`].
        pub legal_placement: Signal<Out, Bits<PLACEMENT>>,
        /// Number of legal placements that the last request has reported so far.
        pub legal_count: Signal<Out, Bits<14>>,

        // Stream of entries: candidates in the order in which they become children of a node.
        /// High while `placement`, `prior` and `mean` hold an entry.
        pub entry: Signal<Out, Bit>,
        /// Placement of the entry, a [`PlacementWord`].
        pub placement: Signal<Out, Bits<PLACEMENT>>,
        /// Prior of the entry, in units of 2^-16.
        pub prior: Signal<Out, Bits<16>>,
        /// Initial mean of the entry for the side that places, in units of 2^-24.
        pub mean: Signal<Out, Bits<24>>,
        /// Number of entries of the last `score`.
        pub count: Signal<Out, Bits<6>>,
        position_ring: PositionRing,
        tile_filter: TileFilter,
        prior_maps: PriorMaps,
        windows: [Window; MAPS],
        placement_scan: PlacementScan,
        prior_scorer: PriorScorer = given,
        ranking: Ranking,
        priors: Priors = given,
        state: DFF<ExpanderState>,
        // Rows that this scan has pushed, with the empty ones after the board.
        step: DFF<Bits<5>>,
        request_side: DFF<Bit>,
        request_value: DFF<Bits<16>>,
        list_only: DFF<Bit>,
        all_tiles: DFF<Bit>,
        legal_counter: DFF<Bits<14>>,
        list_done: DFF<Bit>,
        row_available: Signal<Local, Bit>,
        windows_filled: Signal<Local, Bit>,
        advance: Signal<Local, Bit>,
        scan_start: Signal<Local, Bit>,
        next_step: Signal<Local, Bits<5>>,
        own_start_is_a: Signal<Local, Bit>,
        start_step: [Constant<Bits<5>>; 2] = given,
        start_cell: [Constant<Bits<14>>; 2] = given,
    }
}

impl Expander {
    /// Creates the expander for these parameters.
    ///
    /// # Panics
    /// If the parameters exceed the limits of the hardware.
    pub fn new(parameters: &SearchParameters) -> Self {
        let start = |i: usize| Variant::DUO.starts[i];
        Self::from(ExpanderParts {
            prior_scorer: PriorScorer::new(&parameters.weights),
            priors: Priors::new(parameters),
            // The maps expect a start cell with the row after its own.
            start_step: [0, 1].map(|i| Constant::new((start(i).y + 1).to_bits())),
            start_cell: [0, 1].map(|i| Constant::new((1_u16 << start(i).x).to_bits())),
        })
    }
}

impl Logic for Expander {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            step,
            request_side,
            request_value,
            list_only
        );
        dff_setup!(self, clock, all_tiles, legal_counter, list_done);
        clock!(
            self,
            clock,
            position_ring,
            tile_filter,
            prior_maps,
            placement_scan,
            prior_scorer,
            ranking,
            priors
        );

        // Tile filter.
        for i in 0..2 {
            self.tile_filter.used[i].next = self.position_ring.used[i].val();
        }
        self.tile_filter.side.next = self.request_side.q.val();
        self.tile_filter.all.next = self.all_tiles.q.val();

        // Row stream: the 14 rows of the position ring, then empty ones. The windows cover anchor
        // row 0 once eight rows have been pushed.
        self.next_step.next = self.step.q.val() + 1;
        self.row_available.next = (self.state.q.val() == ExpanderState::Rows)
            & (self.position_ring.valid.val() | self.position_ring.idle.val());
        self.windows_filled.next = self.step.q.val() >= bits::<5>(8);
        self.placement_scan.load.next =
            self.row_available.val() & self.windows_filled.val() & self.placement_scan.ready.val();
        self.advance.next = self.row_available.val()
            & ((!self.windows_filled.val()) | self.placement_scan.ready.val());
        self.idle.next = (self.state.q.val() == ExpanderState::Idle)
            & self.position_ring.idle.val()
            & (!self.list_done.q.val());
        self.scan_start.next = false;
        self.priors.start.next = false;
        self.list_done.d.next = false;
        match self.state.q.val() {
            ExpanderState::Idle => {
                self.step.d.next = bits::<5>(0);
                if self.idle.val() & (self.score.val() | self.list.val()) {
                    self.scan_start.next = true;
                    self.request_side.d.next = self.side.val();
                    self.request_value.d.next = self.value.val();
                    if self.side.val() {
                        self.request_value.d.next = !self.value.val();
                    }
                    self.list_only.d.next = self.list.val();
                    self.all_tiles.d.next = self.list.val();
                    self.state.d.next = ExpanderState::Rows;
                }
            }
            ExpanderState::Rows => {
                if self.advance.val() {
                    self.step.d.next = self.next_step.val();
                    if self.step.q.val() == bits::<5>(21) {
                        self.step.d.next = bits::<5>(0);
                        self.state.d.next = ExpanderState::Finish;
                    }
                }
            }
            ExpanderState::Finish => {
                if self.placement_scan.idle.val() & self.prior_scorer.idle.val() {
                    if self.list_only.q.val() {
                        self.list_done.d.next = true;
                        self.state.d.next = ExpanderState::Idle;
                    } else if (!self.ranking.any.val())
                        & (!self.all_tiles.q.val())
                        & self.tile_filter.others.val()
                    {
                        self.scan_start.next = true;
                        self.all_tiles.d.next = true;
                        self.state.d.next = ExpanderState::Rows;
                    } else {
                        self.priors.start.next = true;
                        self.state.d.next = ExpanderState::Entries;
                    }
                }
            }
            ExpanderState::Entries => {
                if self.priors.idle.val() {
                    self.state.d.next = ExpanderState::Idle;
                }
            }
            _ => {
                self.state.d.next = ExpanderState::Idle;
            }
        }
        self.done.next = self.list_done.q.val() | self.priors.done.val();

        // Position ring.
        self.position_ring.start.next =
            self.scan_start.val() | (self.start.val() & self.idle.val());
        self.position_ring.take.next = self.take.val() & (!self.scan_start.val());
        self.position_ring.stamp.next = self.stamp.val() & (!self.scan_start.val());
        self.position_ring.side.next = self.side.val();
        self.position_ring.placement.next = self.stamped.val();
        self.position_ring.advance.next =
            self.advance.val() | (self.state.q.val() == ExpanderState::Idle);
        self.position_ring.incoming.next = self.incoming.val();
        for i in 0..2 {
            self.position_ring.incoming_used[i].next = self.incoming_used[i].val();
        }

        // Prior maps, from the side to move and its opponent.
        self.prior_maps.advance.next = self.advance.val();
        self.prior_maps.on_board.next = self.step.q.val() < bits::<5>(14);
        self.own_start_is_a.next = self.start_is_a.val() ^ self.request_side.q.val();
        self.prior_maps.start[0].next = bits::<14>(0);
        self.prior_maps.start[1].next = bits::<14>(0);
        if self.step.q.val() == self.start_step[0].val() {
            if self.own_start_is_a.val() {
                self.prior_maps.start[1].next = self.start_cell[0].val();
            } else {
                self.prior_maps.start[0].next = self.start_cell[0].val();
            }
        }
        if self.step.q.val() == self.start_step[1].val() {
            if self.own_start_is_a.val() {
                self.prior_maps.start[0].next = self.start_cell[1].val();
            } else {
                self.prior_maps.start[1].next = self.start_cell[1].val();
            }
        }
        if self.request_side.q.val() {
            self.prior_maps.cells[0].next = self
                .position_ring
                .passing
                .val()
                .get_bits::<14>(Rows::CELLS_1);
            self.prior_maps.cells[1].next = self
                .position_ring
                .passing
                .val()
                .get_bits::<14>(Rows::CELLS_0);
        } else {
            self.prior_maps.cells[0].next = self
                .position_ring
                .passing
                .val()
                .get_bits::<14>(Rows::CELLS_0);
            self.prior_maps.cells[1].next = self
                .position_ring
                .passing
                .val()
                .get_bits::<14>(Rows::CELLS_1);
        }

        // Windows, placement scan and scorer.
        self.placement_scan.row.next = bit_cast::<4, 5>(self.step.q.val()) - bits::<4>(8);
        self.placement_scan.tiles.next = self.tile_filter.wanted.val();
        self.prior_scorer.phase.next = self.tile_filter.phase.val();
        self.prior_scorer.valid.next = self.placement_scan.valid.val() & (!self.list_only.q.val());
        self.prior_scorer.orientation.next = self.placement_scan.orientation.val();
        self.prior_scorer.x.next = self.placement_scan.x.val();
        self.prior_scorer.y.next = self.placement_scan.y.val();
        for i in 0..6 {
            self.windows[i].clock.next = self.clock.val();
            self.windows[i].push.next = self.advance.val();
            self.windows[i].row.next = self.prior_maps.row[i].val();
            self.placement_scan.window[i].next = self.windows[i].view.val();
            self.prior_scorer.patch[i].next = self.placement_scan.patch[i].val();
        }
        self.legal.next = self.placement_scan.valid.val();
        self.legal_placement.next = bit_cast::<15, 7>(self.placement_scan.orientation.val())
            | (bit_cast::<15, 4>(self.placement_scan.x.val()) << PlacementWord::X.val())
            | (bit_cast::<15, 4>(self.placement_scan.y.val()) << PlacementWord::Y.val());
        if self.placement_scan.valid.val() {
            self.legal_counter.d.next = self.legal_counter.q.val() + 1;
        }
        if self.scan_start.val() {
            self.legal_counter.d.next = bits::<14>(0);
        }
        self.legal_count.next = self.legal_counter.q.val();

        // Ranking and priors.
        self.ranking.insert.next = self.prior_scorer.scored.val();
        self.ranking.score.next = self.prior_scorer.score.val();
        self.ranking.placement.next = self.prior_scorer.placement.val();
        self.ranking.drain.next = self.priors.drain.val();
        self.priors.value.next = self.request_value.q.val();
        self.priors.best.next = self.ranking.best.val();
        self.priors.last.next = self.ranking.last.val();
        self.priors.last_score.next = self.ranking.last_score.val();
        self.priors.last_placement.next = self.ranking.last_placement.val();
        self.entry.next = self.priors.entry.val();
        self.placement.next = self.priors.placement.val();
        self.prior.next = self.priors.prior.val();
        self.mean.next = self.priors.mean.val();
        self.count.next = self.priors.count.val();
    }
}

/// Entry of a node: placement, prior in units of 2^-16, initial mean in units of 2^-24.
pub type Entry = (Placement, u32, u32);

/// Returns the entries for the side to move: the twin function of this block.
///
/// `me` is side 0, and `value` is the value of the position for `me`.
pub fn twin(
    position: &Position,
    me: Colour,
    value: u16,
    parameters: &SearchParameters,
) -> Vec<Entry> {
    let side = position.to_move();
    let value = if side == me { value } else { !value };
    let scored = prior::top_candidates(position, &parameters.weights, parameters.children);
    let mut tree = duoforge_twin::search::tree::Tree::default();
    tree.add_node(side, &scored, value.into(), parameters);
    let entries = tree.children(0).iter();
    entries
        .map(|child| (child.placement, child.prior, child.mean))
        .collect()
}
