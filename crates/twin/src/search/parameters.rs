//! Tunable parameters of a search.

use super::arithmetic::MAX_VALUE;
use super::formulas::Formulas;
use super::prior::Weights;

/// Parameters of a search, shared by hardware and software.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchParameters {
    /// Maximum number of children of a node: the best placements by prior.
    pub children: usize,
    /// Expansion threshold: a leaf with more visits gets children.
    pub expand_threshold: u32,
    /// Maximum number of nodes in the tree.
    pub nodes: usize,
    /// Weight of the exploration term, in 64ths.
    pub exploration: u32,
    /// Cap of the value count in the divisor of the exploration term, in visits; at least 1. The
    /// maximum, 4,095, does not cap.
    pub value_count_cap: u32,
    /// Largest weight of a RAVE update, for a placement played next, in 16ths of a visit.
    pub rave_weight_max: u32,
    /// Smallest weight of a RAVE update, for a placement played late, in 16ths of a visit.
    pub rave_weight_min: u32,
    /// Decay of the RAVE weight per ply in between, in 256ths of a weight unit.
    pub rave_decay: u32,
    /// Maximum value count of a child, in visits, for RAVE updates; above it, a child learns only
    /// from its own results.
    pub rave_child_max: u32,
    /// Maximum visit count of a node for RAVE updates among its children.
    pub rave_parent_max: u32,
    /// Weight of the initial value (FPU) of a child, in 16ths of a visit; 16 to 65,534.
    pub fpu_weight: u32,
    /// Influence of the prior on the initial value (FPU): factor of the score gap, in 16ths.
    pub fpu_reduction: u32,
    /// Value of a win above a draw, without the margin term, in units of 2^-16.
    pub win_value: u32,
    /// Value of each cell of margin, in units of 2^-16.
    pub margin_value: u32,
    /// Minimum size, in cells, of tiles that a playout first tries at reply cells; 6 disables
    /// replies.
    pub reply_min_size: u32,
    /// Lanes: number of simulations in flight at a time.
    pub lanes: usize,
    /// Weights of the prior.
    pub weights: Weights,
    /// Formulas that may differ from those of the hardware.
    pub formulas: Formulas,
}

impl Default for SearchParameters {
    fn default() -> Self {
        Self {
            children: 64,
            expand_threshold: 16,
            nodes: 1 << 16,
            exploration: 40,
            value_count_cap: 4_095,
            rave_weight_max: 11,
            rave_weight_min: 5,
            rave_decay: 80,
            rave_child_max: 2_000,
            rave_parent_max: 50_000,
            fpu_weight: 48,
            fpu_reduction: 12,
            win_value: 29_000,
            margin_value: 90,
            reply_min_size: 1,
            lanes: 1,
            weights: Weights::default(),
            formulas: Formulas::default(),
        }
    }
}

/// Simulations per move that the search of [`SearchParameters::of_block_ram`] completes on an empty
/// board in 0.88 s at 50 MHz, rounded to thousands.
pub const BLOCK_RAM_SIMULATIONS: u64 = 177_000;

impl SearchParameters {
    /// Returns the parameters of a search player with four playout cores and its tree in the block
    /// RAM of an ECP5-85F. They are the defaults of every player called `search`.
    pub fn of_block_ram() -> Self {
        Self {
            children: 32,
            expand_threshold: 240,
            nodes: 511,
            lanes: 4,
            ..Self::default()
        }
    }

    /// Returns the parameters of the search for processors: all formulas, all children, and a tree
    /// that the memory alone limits. They are the defaults of every player called `engine`;
    /// docs/experiments.md has the measurements.
    pub fn of_software() -> Self {
        Self {
            children: 4_096,
            expand_threshold: 4,
            nodes: usize::MAX,
            exploration: 20,
            rave_weight_max: 9,
            rave_weight_min: 0,
            rave_decay: 100,
            rave_child_max: 1_000,
            rave_parent_max: 25_000,
            fpu_weight: 40,
            fpu_reduction: 6,
            formulas: Formulas {
                value_count_divisor: true,
                value_count_bits: 24,
                fpu_root: true,
                first_children: 48,
                widen: 20,
                playout_weights: true,
                replies: 2,
                margin_bonus: 17_000,
                length_bonus: 4_500,
                final_wins: true,
                prior_network: true,
                ..Formulas::default()
            },
            ..Self::default()
        }
    }

    /// True if the visit count of a leaf exceeds the expansion threshold of its ply: the number of
    /// placements from the root to the leaf, at least 1.
    pub fn may_expand(&self, visits: u32, ply: usize) -> bool {
        let more = (self.formulas.expand_ply * (ply as u32 - 1)) >> 4;
        visits > self.expand_threshold.saturating_add(more)
    }

    /// Returns the value of a game that ends with a margin of `margin` cells, from 0 to
    /// [`MAX_VALUE`].
    pub fn value(&self, margin: i32) -> u32 {
        let more = margin.signum() * self.win_value as i32 + margin * self.margin_value as i32;
        (MAX_VALUE.div_ceil(2) as i32 + more).clamp(0, MAX_VALUE as i32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parameters in which a search differs from the default one, as text.
    fn changes(p: &SearchParameters) -> Vec<String> {
        let default = SearchParameters::default();
        let rows = SearchParameters::KEYS.into_iter();
        let rows = rows.filter(|row| row.get(p) != row.get(&default));
        rows.map(|row| format!("{}={}", row.key.name, row.get(p).expect("a value")))
            .collect()
    }

    /// The values are those of docs/search.md.
    #[test]
    fn searches_have_their_published_parameters() {
        assert_eq!(changes(&SearchParameters::default()), [""; 0]);
        let hardware = changes(&SearchParameters::of_block_ram());
        assert_eq!(
            hardware,
            [
                "children=32",
                "expand_threshold=240",
                "nodes=511",
                "lanes=4"
            ]
        );
        let software = changes(&SearchParameters::of_software());
        let expected = [
            "children=4096".to_owned(),
            "expand_threshold=4".to_owned(),
            format!("nodes={}", usize::MAX),
        ];
        assert_eq!(software[..3], expected);
        let expected = [
            "exploration=20",
            "rave_weight_max=9",
            "rave_weight_min=0",
            "rave_decay=100",
            "rave_child_max=1000",
            "rave_parent_max=25000",
            "fpu_weight=40",
            "fpu_reduction=6",
            "value_count_divisor=1",
            "value_count_bits=24",
            "fpu_root=1",
            "first_children=48",
            "widen=20",
            "playout_weights=1",
            "replies=2",
            "margin_bonus=17000",
            "length_bonus=4500",
            "final_wins=1",
            "prior_network=1",
        ];
        assert_eq!(software[3..], expected);
    }

    /// Each ply below the root adds its share to the threshold, in 16ths of a visit.
    #[test]
    fn a_leaf_is_expanded_above_the_threshold_of_its_ply() {
        let mut p = SearchParameters {
            expand_threshold: 4,
            ..SearchParameters::default()
        };
        for (expand_ply, ply, threshold) in
            [(0, 1, 4), (0, 9, 4), (40, 1, 4), (40, 2, 6), (40, 3, 9)]
        {
            p.formulas.expand_ply = expand_ply;
            let expanded =
                [threshold - 1, threshold, threshold + 1].map(|visits| p.may_expand(visits, ply));
            assert_eq!(expanded, [false, false, true], "{expand_ply} at {ply}");
        }
        p.expand_threshold = u32::MAX;
        assert!(!p.may_expand(u32::MAX, 3));
    }

    /// A draw has half the maximum value; a win adds `win_value`, and each cell of margin adds
    /// `margin_value`.
    #[test]
    fn a_margin_has_its_value() {
        let p = SearchParameters {
            win_value: 29_000,
            margin_value: 90,
            ..SearchParameters::default()
        };
        let table = [
            (0, 32_768),
            (1, 32_768 + 29_000 + 90),
            (-1, 32_768 - 29_000 - 90),
            (40, 32_768 + 29_000 + 3_600),
            (-40, 32_768 - 29_000 - 3_600),
            (42, 65_535),
            (-42, 0),
            (109, 65_535),
            (-109, 0),
        ];
        for (margin, value) in table {
            assert_eq!(p.value(margin), value, "{margin}");
        }
    }
}
