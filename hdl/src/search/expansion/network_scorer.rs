//! Network scorer: scores one placement per cycle by the scores that the prior network gives to
//! cells.
//!
//! The score is that of the tile, plus the scores of the covered cells, of the edges and of the
//! corners. Twin: [`twin`].
//!
//! Timing: as that of the [`PriorScorer`](super::prior_scorer::PriorScorer): a placement that is
//! sampled with `valid` is on `placement` and `score`, with `scored` high, [`STAGES`] cycles later.
//! One placement may enter per cycle, and they leave in order. `phase` is held while any placement
//! is in the pipeline.
//!
//! Encoding: the scores of cells are bit planes, so that the bits of a plane that a placement meets
//! are counted like the features of the prior scorer, and weigh a power of two. The highest bit of a
//! score counts negative. Scores have the offset of the prior scorer.

use duoforge_rules::Orientation;
use duoforge_twin::search::prior::network::{MIN_SCORE, PriorNetwork, SCORES, STEP};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::network::{SCORE_BITS, SCORE_PLANES};
use super::prior_scorer::STAGES;
use super::shapes::{self, MASKED_CELLS, ShapeAddress, ShapeCells, cell_masks, surroundings};
use super::{OFFSET, SCORE};
use crate::block::block;
use crate::memory::block_rom::BlockRom;
use crate::search::position_ring::PLACEMENT;
use crate::word::{PlacementWord, ShiftBy};

block! {
    /// Scoring pipeline.
    pub struct NetworkScorer from NetworkScorerParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Phase of the game, from 0 to 3.
        pub phase: Signal<In, Bits<2>>,

        // Stream of placements, without back-pressure.
        /// High while the inputs below hold a placement.
        pub valid: Signal<In, Bit>,
        /// Orientation of the placement.
        pub orientation: Signal<In, Bits<7>>,
        /// Column of its anchor.
        pub x: Signal<In, Bits<4>>,
        /// Row of its anchor.
        pub y: Signal<In, Bits<4>>,
        /// Bit planes in the seven by seven box around the placement: those of the scores as
        /// covered cells, as edges and as corners, the lowest bits first.
        pub patch: [Signal<In, Bits<49>>; SCORE_PLANES],

        // Stream of scores, in the order of the placements.
        /// High while the outputs below hold a scored placement.
        pub scored: Signal<Out, Bit>,
        /// Score plus [`OFFSET`].
        pub score: Signal<Out, Bits<SCORE>>,
        /// Placement, a [`PlacementWord`].
        pub placement: Signal<Out, Bits<PLACEMENT>>,
        /// High if no placement is in the pipeline.
        pub idle: Signal<Out, Bit>,
        // By phase and orientation: cells in the low bits, score of the tile above them.
        shape: BlockRom<{ ShapeCells::BITS }, { ShapeAddress::BITS }> = given,
        // Placements by stage, the newest at index 0.
        staged: [DFF<Bits<PLACEMENT>>; STAGES],
        stage_valid: [DFF<Bit>; STAGES],
        base: [DFF<Bits<SCORE>>; 3],
        // Stage 1: bit planes; the cells come from the table.
        stage_patch: [DFF<Bits<49>>; SCORE_PLANES],
        // Stage 2: counts by row, seven counts of three bits for each bit plane.
        by_row: [DFF<Bits<21>>; SCORE_PLANES],
        // Stage 3: counts.
        counts: [DFF<Bits<4>>; SCORE_PLANES],
        // Stage 4: sums of three bit planes each, in units of the lowest one.
        thirds: [DFF<Bits<SCORE>>; SCORE_PLANES / 3],
        // Stage 5: score.
        total: DFF<Bits<SCORE>>,
        cells: Signal<Local, Bits<49>>,
        edges: Signal<Local, Bits<49>>,
        corners: Signal<Local, Bits<49>>,
        met: Signal<Local, Bits<49>>,
        cells_in_row: Signal<Local, Bits<7>>,
        row_count: Signal<Local, Bits<3>>,
        row_counts: Signal<Local, Bits<21>>,
        one: Signal<Local, Bits<4>>,
        two: Signal<Local, Bits<4>>,
        four: Signal<Local, Bits<4>>,
        low: Signal<Local, Bits<SCORE>>,
        high: Signal<Local, Bits<SCORE>>,
        // One bit per covered cell, and all bits or none by the shape of a bit plane.
        cell_mask: [Constant<Bits<49>>; MASKED_CELLS] = given,
        use_cells: [Constant<Bits<49>>; SCORE_PLANES] = given,
        use_edges: [Constant<Bits<49>>; SCORE_PLANES] = given,
        use_corners: [Constant<Bits<49>>; SCORE_PLANES] = given,
    }
}

impl NetworkScorer {
    /// Creates the pipeline with the tile scores of this network.
    ///
    /// # Panics
    /// If a score could exceed its bits.
    pub fn new(network: &PriorNetwork) -> Self {
        // At most 5 cells, 12 edges and 8 corners.
        let reach = 25 * -MIN_SCORE * STEP;
        let tile = |phase: usize, orientation: Orientation| {
            let tile = i32::from(network.tiles[phase][orientation.tile().index()]);
            assert!(tile.abs() + reach < OFFSET, "the scores are too large");
            tile
        };
        let all = (1_u64 << 49) - 1;
        let uses = |shape: usize| {
            std::array::from_fn(|i| {
                let used = i / SCORE_BITS == shape;
                Constant::new((if used { all } else { 0 }).to_bits())
            })
        };
        Self::from(NetworkScorerParts {
            shape: shapes::table(tile),
            cell_mask: cell_masks(),
            use_cells: uses(0),
            use_edges: uses(1),
            use_corners: uses(2),
        })
    }
}

impl Logic for NetworkScorer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, total);
        clock!(self, clock, shape);
        for i in 0..5 {
            self.staged[i].clock.next = self.clock.val();
            self.stage_valid[i].clock.next = self.clock.val();
        }
        for i in 1..5 {
            self.staged[i].d.next = self.staged[i - 1].q.val();
            self.stage_valid[i].d.next = self.stage_valid[i - 1].q.val();
        }

        // Stage 1.
        self.shape.address.next = bit_cast::<9, 7>(self.orientation.val())
            | (bit_cast::<9, 2>(self.phase.val()) << ShapeAddress::PHASE.val());
        self.staged[0].d.next = bit_cast::<15, 7>(self.orientation.val())
            | (bit_cast::<15, 4>(self.x.val()) << PlacementWord::X.val())
            | (bit_cast::<15, 4>(self.y.val()) << PlacementWord::Y.val());
        self.stage_valid[0].d.next = self.valid.val();

        // Stage 2: bits that the placement meets, counted by row.
        self.cells.next = bits::<49>(0);
        for i in 0..15 {
            if self.shape.data.val().get_bit(i) {
                self.cells.next = self.cells.val() | self.cell_mask[i].val();
            }
        }
        self.edges.next = ((self.cells.val() << 1)
            | (self.cells.val() >> 1)
            | (self.cells.val() << 7)
            | (self.cells.val() >> 7))
            & (!self.cells.val());
        self.corners.next = ((self.cells.val() << 6)
            | (self.cells.val() >> 6)
            | (self.cells.val() << 8)
            | (self.cells.val() >> 8))
            & (!self.cells.val())
            & (!self.edges.val());
        for i in 0..18 {
            self.stage_patch[i].clock.next = self.clock.val();
            self.stage_patch[i].d.next = self.patch[i].val();
            self.met.next = self.stage_patch[i].q.val()
                & ((self.cells.val() & self.use_cells[i].val())
                    | (self.edges.val() & self.use_edges[i].val())
                    | (self.corners.val() & self.use_corners[i].val()));
            self.row_counts.next = bits::<21>(0);
            for j in 0..7 {
                self.cells_in_row.next = self.met.val().get_bits::<7>(7 * j);
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
        self.base[0].d.next = self.shape.data.val().get_bits::<13>(ShapeCells::BASE);

        // Stage 3.
        for i in 0..18 {
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
        self.base[1].d.next = self.base[0].q.val();

        // Stage 4: the highest bit of a score counts negative.
        for i in 0..3 {
            self.one.next = self.counts[i * 6].q.val();
            self.two.next = self.counts[i * 6 + 1].q.val();
            self.four.next = self.counts[i * 6 + 2].q.val();
            self.thirds[i * 2].clock.next = self.clock.val();
            self.thirds[i * 2].d.next = bit_cast::<13, 4>(self.one.val())
                + (bit_cast::<13, 4>(self.two.val()) << 1)
                + (bit_cast::<13, 4>(self.four.val()) << 2);
            self.one.next = self.counts[i * 6 + 3].q.val();
            self.two.next = self.counts[i * 6 + 4].q.val();
            self.four.next = self.counts[i * 6 + 5].q.val();
            self.thirds[i * 2 + 1].clock.next = self.clock.val();
            self.thirds[i * 2 + 1].d.next = bit_cast::<13, 4>(self.one.val())
                + (bit_cast::<13, 4>(self.two.val()) << 1)
                - (bit_cast::<13, 4>(self.four.val()) << 2);
        }
        self.base[2].d.next = self.base[1].q.val();

        // Stage 5: a unit of the lowest bit is `STEP`.
        self.low.next = bits::<13>(0);
        self.high.next = bits::<13>(0);
        for i in 0..3 {
            self.low.next = self.low.val() + self.thirds[i * 2].q.val();
            self.high.next = self.high.val() + self.thirds[i * 2 + 1].q.val();
        }
        self.total.d.next = self.base[2].q.val() + (self.low.val() << 1) + (self.high.val() << 4);

        for i in 0..3 {
            self.base[i].clock.next = self.clock.val();
        }
        self.scored.next = self.stage_valid[4].q.val();
        self.score.next = self.total.q.val();
        self.placement.next = self.staged[4].q.val();
        self.idle.next = (!self.stage_valid[0].q.val())
            & (!self.stage_valid[1].q.val())
            & (!self.stage_valid[2].q.val())
            & (!self.stage_valid[3].q.val())
            & (!self.stage_valid[4].q.val());
    }
}

/// Returns the score of a placement without that of its tile: the twin function of this block.
///
/// `patch` holds the scores of the cells in the seven by seven box around the placement, in units
/// of [`STEP`].
pub fn twin(orientation: Orientation, patch: &[[i8; SCORES]; 49]) -> i32 {
    let scores = surroundings(orientation);
    let scores = scores.map(|(place, shape)| i32::from(patch[place][shape as usize]) * STEP);
    scores.sum()
}
