//! Scorer: scores one placement per cycle and keeps the best.
//!
//! The score is the policy's: a base value of the tile, plus one table value for each of the six
//! features. Each feature is a count of cells on or around the tile. The twin is
//! `duoforge_twin::Policy`.
//!
//! Encoding: the neighbours of a tile are shifts of its 7x7 footprint, so one table of footprints
//! serves all features. The values come from tables, not from multipliers: they need not be linear,
//! and a new tuning changes no logic. The pipeline has five stages: footprint, counts per row,
//! counts, score, best.

use duoforge_rules::Orientation;
use duoforge_twin::{FEATURES, Policy};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::generator::policy_maps::MAPS;
use crate::tables;
use crate::word::{PlacementWord, ShiftBy};

block! {
    /// Scoring pipeline.
    pub struct PolicyScorer from PolicyScorerParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Discards the best placement; the pipeline must be empty.
        pub restart: Signal<In, Bit>,
        /// High if the inputs below hold a placement.
        pub valid: Signal<In, Bit>,
        /// Orientation of the placement.
        pub orientation: Signal<In, Bits<7>>,
        /// Column of the anchor.
        pub x: Signal<In, Bits<4>>,
        /// Row of the anchor.
        pub y: Signal<In, Bits<4>>,
        /// Maps around the placement, in the order of `Scan::window`.
        pub patch: [Signal<In, Bits<49>>; MAPS],
        /// High if a placement has been scored.
        pub scored: Signal<Out, Bit>,
        /// Score of the placement, 0 to 2047.
        pub score: Signal<Out, Bits<11>>,
        /// High if the pipeline is empty.
        pub idle: Signal<Out, Bit>,
        /// Footprint of `orientation` in the previous cycle.
        pub orientation_cells: Signal<Out, Bits<49>>,
        /// High if there is a best placement.
        pub found: Signal<Out, Bit>,
        /// Orientation of the best placement.
        pub best_orientation: Signal<Out, Bits<7>>,
        /// Column of the anchor of the best placement.
        pub best_x: Signal<Out, Bits<4>>,
        /// Row of the anchor of the best placement.
        pub best_y: Signal<Out, Bits<4>>,
        footprint: ROM<Bits<49>, 7> = given,
        base: ROM<Bits<8>, 7> = given,
        value: [ROM<Bits<8>, 4>; FEATURES] = given,
        // Placements in the stages, the newest first, each a `PlacementWord`.
        staged: [DFF<Bits<15>>; 4],
        stage_valid: [DFF<Bit>; 4],
        // Stage 1: footprint, base value and maps.
        cells: DFF<Bits<49>>,
        stage_patch: [DFF<Bits<49>>; MAPS],
        base_one: DFF<Bits<8>>,
        base_two: DFF<Bits<8>>,
        base_three: DFF<Bits<8>>,
        // Stage 2: counts per row; for each feature, seven counts of three bits.
        by_row: [DFF<Bits<21>>; FEATURES],
        // Stage 3: counts per feature.
        counts: [DFF<Bits<4>>; FEATURES],
        // Stage 4: score.
        total: DFF<Bits<11>>,
        // Stage 5: best placement.
        best_found: DFF<Bit>,
        best_score: DFF<Bits<11>>,
        best_placement: DFF<Bits<15>>,
        edges: Signal<Local, Bits<49>>,
        corners: Signal<Local, Bits<49>>,
        own_corner: Signal<Local, Bits<49>>,
        feature_cells: [Signal<Local, Bits<49>>; FEATURES],
        cells_in_row: Signal<Local, Bits<7>>,
        row_count: Signal<Local, Bits<3>>,
        row_counts: Signal<Local, Bits<21>>,
        term: Signal<Local, Bits<8>>,
        sum: Signal<Local, Bits<11>>,
    }
}

impl PolicyScorer {
    /// Creates a pipeline with the tables of a policy.
    pub fn new(policy: &Policy) -> Self {
        let base = Orientation::all().map(|o| policy.base(o.tile()));
        Self::from(PolicyScorerParts {
            footprint: Orientation::all()
                .map(|o| tables::footprint(o).to_bits())
                .into(),
            base: base.map(|v| v.to_bits()).into(),
            value: std::array::from_fn(|f| policy.values(f).iter().map(|v| v.to_bits()).into()),
        })
    }
}

impl Logic for PolicyScorer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, cells, base_one, base_two, base_three, total);
        dff_setup!(self, clock, best_found, best_score, best_placement);
        for i in 0..4 {
            self.staged[i].clock.next = self.clock.val();
            self.stage_valid[i].clock.next = self.clock.val();
        }

        // Stage 1.
        self.footprint.address.next = self.orientation.val();
        self.base.address.next = self.orientation.val();
        self.staged[0].d.next = bit_cast::<15, 7>(self.orientation.val())
            | (bit_cast::<15, 4>(self.x.val()) << PlacementWord::X.val())
            | (bit_cast::<15, 4>(self.y.val()) << PlacementWord::Y.val());
        self.stage_valid[0].d.next = self.valid.val();
        self.cells.d.next = self.footprint.data.val();
        self.base_one.d.next = self.base.data.val();
        for i in 0..5 {
            self.stage_patch[i].clock.next = self.clock.val();
            self.stage_patch[i].d.next = self.patch[i].val();
        }

        // Stage 2: the six kinds of cells, in the order of the policy's features.
        self.edges.next = ((self.cells.q.val() << 1)
            | (self.cells.q.val() >> 1)
            | (self.cells.q.val() << 7)
            | (self.cells.q.val() >> 7))
            & (!self.cells.q.val());
        self.corners.next = ((self.cells.q.val() << 6)
            | (self.cells.q.val() >> 6)
            | (self.cells.q.val() << 8)
            | (self.cells.q.val() >> 8))
            & (!self.cells.q.val())
            & (!self.edges.val());
        self.own_corner.next = self.stage_patch[1].q.val();
        self.feature_cells[0].next = self.cells.q.val() & self.stage_patch[3].q.val();
        self.feature_cells[1].next = self.cells.q.val() & self.stage_patch[4].q.val();
        self.feature_cells[2].next =
            self.corners.val() & self.stage_patch[0].q.val() & (!self.own_corner.val());
        self.feature_cells[3].next =
            self.corners.val() & self.stage_patch[2].q.val() & (!self.own_corner.val());
        self.feature_cells[4].next = self.edges.val() & self.stage_patch[0].q.val();
        self.feature_cells[5].next = self.edges.val() & self.stage_patch[1].q.val();
        for i in 0..6 {
            self.row_counts.next = bits::<21>(0);
            for j in 0..7 {
                self.cells_in_row.next = self.feature_cells[i].val().get_bits::<7>(7 * j);
                self.row_count.next = bit_cast::<3, 1>(self.cells_in_row.val().get_bits::<1>(0))
                    + bit_cast::<3, 1>(self.cells_in_row.val().get_bits::<1>(1))
                    + bit_cast::<3, 1>(self.cells_in_row.val().get_bits::<1>(2))
                    + bit_cast::<3, 1>(self.cells_in_row.val().get_bits::<1>(3))
                    + bit_cast::<3, 1>(self.cells_in_row.val().get_bits::<1>(4))
                    + bit_cast::<3, 1>(self.cells_in_row.val().get_bits::<1>(5))
                    + bit_cast::<3, 1>(self.cells_in_row.val().get_bits::<1>(6));
                self.row_counts.next =
                    (self.row_counts.val() >> 3) | (bit_cast::<21, 3>(self.row_count.val()) << 18);
            }
            self.by_row[i].clock.next = self.clock.val();
            self.by_row[i].d.next = self.row_counts.val();
        }
        self.staged[1].d.next = self.staged[0].q.val();
        self.stage_valid[1].d.next = self.stage_valid[0].q.val();
        self.base_two.d.next = self.base_one.q.val();

        // Stage 3.
        for i in 0..6 {
            self.counts[i].clock.next = self.clock.val();
            self.row_counts.next = self.by_row[i].q.val();
            self.counts[i].d.next = bit_cast::<4, 3>(self.row_counts.val().get_bits::<3>(0))
                + bit_cast::<4, 3>(self.row_counts.val().get_bits::<3>(3))
                + bit_cast::<4, 3>(self.row_counts.val().get_bits::<3>(6))
                + bit_cast::<4, 3>(self.row_counts.val().get_bits::<3>(9))
                + bit_cast::<4, 3>(self.row_counts.val().get_bits::<3>(12))
                + bit_cast::<4, 3>(self.row_counts.val().get_bits::<3>(15))
                + bit_cast::<4, 3>(self.row_counts.val().get_bits::<3>(18));
        }
        self.staged[2].d.next = self.staged[1].q.val();
        self.stage_valid[2].d.next = self.stage_valid[1].q.val();
        self.base_three.d.next = self.base_two.q.val();

        // Stage 4.
        self.sum.next = bit_cast::<11, 8>(self.base_three.q.val());
        for i in 0..6 {
            self.value[i].address.next = self.counts[i].q.val();
            self.term.next = self.value[i].data.val();
            self.sum.next = self.sum.val() + bit_cast::<11, 8>(self.term.val());
        }
        self.total.d.next = self.sum.val();
        self.staged[3].d.next = self.staged[2].q.val();
        self.stage_valid[3].d.next = self.stage_valid[2].q.val();

        // Stage 5: the first of equal scores stays.
        if self.stage_valid[3].q.val()
            & ((!self.best_found.q.val()) | (self.total.q.val() > self.best_score.q.val()))
        {
            self.best_found.d.next = true;
            self.best_score.d.next = self.total.q.val();
            self.best_placement.d.next = self.staged[3].q.val();
        }
        if self.restart.val() {
            self.best_found.d.next = false;
        }

        self.scored.next = self.stage_valid[3].q.val();
        self.score.next = self.total.q.val();
        self.idle.next = (!self.stage_valid[0].q.val())
            & (!self.stage_valid[1].q.val())
            & (!self.stage_valid[2].q.val())
            & (!self.stage_valid[3].q.val());
        self.orientation_cells.next = self.cells.q.val();
        self.found.next = self.best_found.q.val();
        self.best_orientation.next = self
            .best_placement
            .q
            .val()
            .get_bits::<7>(PlacementWord::ORIENTATION);
        self.best_x.next = self.best_placement.q.val().get_bits::<4>(PlacementWord::X);
        self.best_y.next = self.best_placement.q.val().get_bits::<4>(PlacementWord::Y);
    }
}
