//! Prior scorer: scores one placement per cycle by the policy of the search.
//!
//! The score is the weight of the tile plus, for each feature, its number of cells times a weight.
//! All weights depend on the phase of the game. Twin: `duoforge_twin::search::prior`.
//!
//! Timing: a placement that is sampled with `valid` is on `placement` and `score`, with `scored`
//! high, [`STAGES`] cycles later. One placement may enter per cycle, and they leave in order.
//! `phase` is held while any placement is in the pipeline.
//!
//! Encoding: a feature is a shape (the tile, its edges, its corners) and a map. Constants select
//! both, so other features change a table and no logic. The cells and the weight of the tile come
//! from the table of [`shapes`]. Further tables hold the products of cell counts and weights. Scores
//! have an offset of [`OFFSET`], which makes them positive; weights are added in two's complement.

use duoforge_rules::Orientation;
use duoforge_twin::search::prior::{FEATURES, Weights};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::prior_maps::{self, MAPS};
use super::shapes::{
    self, MASKED_CELLS, Shape, ShapeAddress, ShapeCells, cell_masks, surroundings, wrapped,
};
use super::{OFFSET, SCORE};
use crate::block::block;
use crate::memory::block_rom::BlockRom;
use crate::search::position_ring::PLACEMENT;
use crate::word::{PlacementWord, ShiftBy, word};

/// Cycles from a placement's input to its score.
pub const STAGES: usize = 5;

word! {
    /// Address of the table of a feature.
    pub(crate) ValueAddress {
        /// Number of cells.
        COUNT: 4,
        /// Phase of the game.
        PHASE: 2,
    }
}

/// Feature: number of cells of a shape that are on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Shape.
    pub shape: Shape,
    /// Index of the map among those of the scan.
    pub map: usize,
}

/// Features, in the order of the prior's weights.
pub const TABLE: [Kind; FEATURES] = {
    use Shape::{Cells, Corners, Edges};
    const fn kind(shape: Shape, map: usize) -> Kind {
        Kind { shape, map }
    }
    [
        kind(Cells, prior_maps::CORNER),
        kind(Cells, prior_maps::AROUND),
        kind(Cells, prior_maps::OPPONENT_BESIDE),
        kind(Cells, prior_maps::OPPONENT_AROUND),
        kind(Edges, prior_maps::ALLOWED),
        kind(Edges, prior_maps::AROUND),
        kind(Edges, prior_maps::OPPONENT_CORNER),
        kind(Edges, prior_maps::OPPONENT_AROUND),
        kind(Corners, prior_maps::ALLOWED),
        kind(Corners, prior_maps::AROUND),
    ]
};

block! {
    /// Scoring pipeline.
    pub struct PriorScorer from PriorScorerParts {
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
        /// Maps in the seven by seven box around the placement, in the order of [`prior_maps`].
        pub patch: [Signal<In, Bits<49>>; MAPS],

        // Stream of scores, in the order of the placements.
        /// High while the outputs below hold a scored placement.
        pub scored: Signal<Out, Bit>,
        /// Score plus [`OFFSET`].
        pub score: Signal<Out, Bits<SCORE>>,
        /// Placement, a [`PlacementWord`].
        pub placement: Signal<Out, Bits<PLACEMENT>>,
        /// High if no placement is in the pipeline.
        pub idle: Signal<Out, Bit>,
        // By phase and orientation: cells in the low bits, weight of the tile above them.
        shape: BlockRom<{ ShapeCells::BITS }, { ShapeAddress::BITS }> = given,
        // By phase and cell count.
        value: [ROM<Bits<SCORE>, 6>; FEATURES] = given,
        // Placements by stage, the newest at index 0.
        staged: [DFF<Bits<PLACEMENT>>; STAGES],
        stage_valid: [DFF<Bit>; STAGES],
        base: [DFF<Bits<SCORE>>; 3],
        // Stage 1: maps; the cells come from the table.
        stage_patch: [DFF<Bits<49>>; MAPS],
        // Stage 2: counts by row, seven counts of three bits for each feature.
        by_row: [DFF<Bits<21>>; FEATURES],
        // Stage 3: counts.
        counts: [DFF<Bits<4>>; FEATURES],
        // Stage 4: sums of the values of two features each.
        pairs: [DFF<Bits<SCORE>>; FEATURES / 2],
        // Stage 5: score.
        total: DFF<Bits<SCORE>>,
        cells: Signal<Local, Bits<49>>,
        edges: Signal<Local, Bits<49>>,
        corners: Signal<Local, Bits<49>>,
        map_cells: Signal<Local, Bits<49>>,
        feature_cells: Signal<Local, Bits<49>>,
        cells_in_row: Signal<Local, Bits<7>>,
        row_count: Signal<Local, Bits<3>>,
        row_counts: Signal<Local, Bits<21>>,
        count: Signal<Local, Bits<4>>,
        sum: Signal<Local, Bits<SCORE>>,
        // Masks: one bit per covered cell (`cell_mask`), all bits or none (`use_...`).
        cell_mask: [Constant<Bits<49>>; MASKED_CELLS] = given,
        use_cells: [Constant<Bits<49>>; FEATURES] = given,
        use_edges: [Constant<Bits<49>>; FEATURES] = given,
        use_corners: [Constant<Bits<49>>; FEATURES] = given,
        use_map: [Constant<Bits<49>>; FEATURES * MAPS] = given,
    }
}

impl PriorScorer {
    /// Creates the pipeline for these weights.
    ///
    /// # Panics
    /// If a score could exceed its bits.
    pub fn new(weights: &Weights) -> Self {
        assert!(greatest(weights) < OFFSET, "the weights are too large");
        let tile = |phase: usize, orientation: Orientation| {
            i32::from(weights.tiles[phase][orientation.tile().index()])
        };
        let all = |yes: bool| Constant::new((if yes { ALL } else { 0 }).to_bits());
        let uses = |shape: Shape| std::array::from_fn(|i| all(TABLE[i].shape == shape));
        // A count that cannot occur has the value of one that can.
        let value = |i: usize, address: i32| {
            let (kind, weights) = (TABLE[i], weights.kinds[(address >> 4) as usize]);
            let number = match kind.shape {
                Shape::Cells => address & 7,
                _ => address & 15,
            };
            wrapped(number.min(kind.shape.most()) * i32::from(weights[i]))
        };
        let values = |i| (0..64).map(move |address| value(i, address).to_bits());
        Self::from(PriorScorerParts {
            shape: shapes::table(tile),
            value: std::array::from_fn(|i| values(i).into()),
            cell_mask: cell_masks(),
            use_cells: uses(Shape::Cells),
            use_edges: uses(Shape::Edges),
            use_corners: uses(Shape::Corners),
            use_map: std::array::from_fn(|i| all(TABLE[i / MAPS].map == i % MAPS)),
        })
    }
}

impl Logic for PriorScorer {
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
        for i in 0..6 {
            self.stage_patch[i].clock.next = self.clock.val();
            self.stage_patch[i].d.next = self.patch[i].val();
        }

        // Stage 2: cells of the features, counted by row.
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
        for i in 0..10 {
            self.map_cells.next = bits::<49>(0);
            for j in 0..6 {
                self.map_cells.next = self.map_cells.val()
                    | (self.stage_patch[j].q.val() & self.use_map[i * 6 + j].val());
            }
            self.feature_cells.next = self.map_cells.val()
                & ((self.cells.val() & self.use_cells[i].val())
                    | (self.edges.val() & self.use_edges[i].val())
                    | (self.corners.val() & self.use_corners[i].val()));
            self.row_counts.next = bits::<21>(0);
            for j in 0..7 {
                self.cells_in_row.next = self.feature_cells.val().get_bits::<7>(7 * j);
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
        for i in 0..10 {
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

        // Stage 4.
        for i in 0..10 {
            self.count.next = self.counts[i].q.val();
            self.value[i].address.next = bit_cast::<6, 4>(self.count.val())
                | (bit_cast::<6, 2>(self.phase.val()) << ValueAddress::PHASE.val());
        }
        for i in 0..5 {
            self.pairs[i].clock.next = self.clock.val();
            self.pairs[i].d.next = self.value[i * 2].data.val() + self.value[i * 2 + 1].data.val();
        }
        self.base[2].d.next = self.base[1].q.val();

        // Stage 5.
        self.sum.next = self.base[2].q.val();
        for i in 0..5 {
            self.sum.next = self.sum.val() + self.pairs[i].q.val();
        }
        self.total.d.next = self.sum.val();

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

/// Returns an upper bound of the absolute scores: the sum of a tile's weight and, for each feature,
/// its weight times the maximum number of cells, all without signs.
pub fn greatest(weights: &Weights) -> i32 {
    let phases = weights.tiles.iter().zip(&weights.kinds);
    let sums = phases.map(|(tiles, kinds)| {
        let reaches = TABLE.iter().zip(kinds);
        let reach = reaches.map(|(kind, &weight)| i32::from(weight).abs() * kind.shape.most());
        let tiles = tiles.iter().map(|&weight| i32::from(weight).abs());
        tiles.max().unwrap_or_default() + reach.sum::<i32>()
    });
    sums.max().unwrap_or_default()
}

/// Mask of all cells of a box.
const ALL: u64 = (1 << 49) - 1;

/// Returns the cell count of each feature: the twin function of this block.
///
/// `patch` holds the maps in the seven by seven box around the placement.
pub fn twin(orientation: Orientation, patch: &[u64; MAPS]) -> [u8; FEATURES] {
    let mut counts = [0; FEATURES];
    for (place, shape) in surroundings(orientation) {
        for (count, kind) in counts.iter_mut().zip(TABLE) {
            let is_set = patch[kind.map] >> place & 1 == 1;
            *count += u8::from(kind.shape == shape && is_set);
        }
    }
    counts
}
