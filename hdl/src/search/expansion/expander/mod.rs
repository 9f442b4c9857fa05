//! Expander: finds the candidates of a position with their priors, or lists the complete legal set.
//!
//! The position is in a [`PositionRing`], which copies the root and stamps the placements of the
//! path. A request scans the legal placements of one side in these stages:
//! - with `prior_network=1`, [`NetworkRows`] gives scores to all cells;
//! - rows of the position ring become rows of [`PriorMaps`] and fill six windows;
//! - the [`PlacementScan`] outputs at most one placement per cycle;
//! - the [`PriorScorer`] or the [`NetworkScorer`] scores the placement;
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
//! entry follows 48 cycles after the last placement if no column is left to scan.
//! With the network, the placements of a `score` come 532 cycles later: the network takes 33 cycles for
//! each row of the board and for two empty ones.

mod logic;

use duoforge_rules::{Colour, Placement, Variant};
use duoforge_twin::search::prior::network::PriorNetwork;
use duoforge_twin::search::{Position, SearchParameters, prior};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::generator::window::Window;
use crate::search::expansion::network::{NetworkRows, SCORE_PLANES};
use crate::search::expansion::network_scorer::NetworkScorer;
use crate::search::expansion::placement_scan::PlacementScan;
use crate::search::expansion::prior_maps::{MAPS, PriorMaps};
use crate::search::expansion::prior_scorer::PriorScorer;
use crate::search::expansion::priors::Priors;
use crate::search::expansion::ranking::Ranking;
use crate::search::expansion::score_patches::ScorePatches;
use crate::search::expansion::tile_filter::TileFilter;
use crate::search::position_ring::{PLACEMENT, PositionRing, ROWS};

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
    /// Rows stream into the maps and the network.
    Network,
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
        /// [`PlacementWord`](crate::word::PlacementWord).
        pub legal_placement: Signal<Out, Bits<PLACEMENT>>,
        /// Number of legal placements that the last request has reported so far.
        pub legal_count: Signal<Out, Bits<14>>,

        // Stream of entries: candidates in the order in which they become children of a node.
        /// High while `placement`, `prior` and `mean` hold an entry.
        pub entry: Signal<Out, Bit>,
        /// Placement of the entry, a [`PlacementWord`](crate::word::PlacementWord).
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
        network: NetworkRows = given,
        score_windows: [Window; SCORE_PLANES],
        score_patches: ScorePatches,
        network_scorer: NetworkScorer = given,
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
        // Starts the second pass, one cycle after the placement scan and the scorer have drained.
        entries_start: DFF<Bit>,
        row_available: Signal<Local, Bit>,
        windows_filled: Signal<Local, Bit>,
        advance: Signal<Local, Bit>,
        scan_start: Signal<Local, Bit>,
        next_step: Signal<Local, Bits<5>>,
        own_start_is_a: Signal<Local, Bit>,
        on_board: Signal<Local, Bit>,
        has_scores: Signal<Local, Bit>,
        scorers_idle: Signal<Local, Bit>,
        coming_step: Signal<Local, Bits<5>>,
        push: Signal<Local, Bit>,
        network_fed: Signal<Local, Bit>,
        recent_0: Signal<Local, Bits<14>>,
        recent_1: Signal<Local, Bits<14>>,
        is_new: [Signal<Local, Bit>; 2],
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
        let network = parameters.formulas.prior_network;
        let network = network.then(PriorNetwork::shipped);
        Self::from(ExpanderParts {
            prior_scorer: PriorScorer::new(&parameters.weights),
            network: NetworkRows::new(network),
            network_scorer: NetworkScorer::new(PriorNetwork::shipped()),
            priors: Priors::new(parameters),
            // The maps expect a start cell with the row after its own.
            start_step: [0, 1].map(|i| Constant::new((start(i).y + 1).to_bits())),
            start_cell: [0, 1].map(|i| Constant::new((1_u16 << start(i).x).to_bits())),
        })
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
    let scored = prior::node_candidates(position, parameters);
    let mut tree = duoforge_twin::search::tree::Tree::default();
    tree.add_node(side, &scored, value.into(), parameters);
    let entries = tree.children(0).iter();
    entries
        .map(|child| (child.placement, child.prior, child.mean))
        .collect()
}
