//! Tunable parameters of a search.

use duoforge_rules::Tile;

use super::arithmetic::MAX_VALUE;
use super::formulas::Formulas;
use super::keys::{Key, Row, Values, joined};
use super::prior::{FEATURES, PHASES, Weights};

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

/// Row of an integer: its field, which is also the name of the key, its range, its meaning and the
/// former name of the key, if any.
macro_rules! number {
    ($field:ident as $type:ty, $min:literal..=$max:expr, $about:literal $(, $former:literal)?) => {
        Row::<SearchParameters>::number(
            Key::new(stringify!($field), $about, Values::range($min, $max))$(.formerly($former))?,
            |p| Some(p.$field as u64),
            |p, number| p.$field = number as $type,
        )
    };
}

const TILE_WEIGHTS: Row<SearchParameters> = Row::<SearchParameters>::weights(
    Key::new(
        "tile_weights",
        "prior weights of the 21 tiles, in 16ths of an octave: for all phases, or for each of 4",
        Values::Rows {
            length: Tile::COUNT,
            phases: PHASES,
        },
    )
    .formerly("tiles"),
    |p| p.weights.tiles.as_flattened().to_vec(),
    |p, numbers| p.weights.tiles.as_flattened_mut().copy_from_slice(numbers),
);

const FEATURE_WEIGHTS: Row<SearchParameters> = Row::<SearchParameters>::weights(
    Key::new(
        "feature_weights",
        "prior weights of the 10 features, in 16ths of an octave: for all phases, or for each of 4",
        Values::Rows {
            length: FEATURES,
            phases: PHASES,
        },
    )
    .formerly("kinds"),
    |p| p.weights.kinds.as_flattened().to_vec(),
    |p, numbers| p.weights.kinds.as_flattened_mut().copy_from_slice(numbers),
);

/// Simulations per move that the search of [`SearchParameters::shipped`] completes on an empty
/// board:
/// 0.88 s at 50 MHz, rounded to thousands.
pub const SHIPPED_SIMULATIONS: u64 = 177_000;

impl SearchParameters {
    /// Returns the parameters of the search player for the ULX3S-85F, the largest target with a
    /// search. They are the defaults of every player called `search`.
    pub fn shipped() -> Self {
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
            expand_threshold: 8,
            nodes: usize::MAX,
            exploration: 22,
            rave_weight_min: 0,
            rave_decay: 94,
            rave_parent_max: 25_000,
            fpu_reduction: 8,
            formulas: Formulas {
                value_count_divisor: true,
                value_count_bits: 24,
                fpu_root: true,
                playout_weights: true,
                replies: 2,
                margin_bonus: 3 << 12,
                length_bonus: 1 << 12,
                final_wins: true,
                ..Formulas::default()
            },
            ..Self::default()
        }
    }

    /// Keys of all parameters, those of the [`Formulas`] last. Ranges follow from the width of the
    /// arithmetic.
    pub const KEYS: [Row<Self>; 29] = joined(Self::NUMBERS, Formulas::KEYS);

    const NUMBERS: [Row<Self>; 18] = [
        number!(children as usize, 1..=4_096, "placements that a node keeps"),
        number!(
            expand_threshold as u32,
            0..=u32::MAX as u64,
            "visit count above which a leaf gets children",
            "threshold"
        ),
        number!(nodes as usize, 1..=1 << 24, "nodes of the tree"),
        number!(
            lanes as usize,
            1..=256,
            "simulations in flight; in hardware, playout cores"
        ),
        number!(
            exploration as u32,
            0..=4_096,
            "exploration constant, in 64ths",
            "explore"
        ),
        number!(
            value_count_cap as u32,
            1..=4_095,
            "cap of the value count, in visits",
            "rest"
        ),
        number!(
            rave_weight_max as u32,
            0..=255,
            "maximum RAVE weight, in 16ths of a visit",
            "rave_near"
        ),
        number!(
            rave_weight_min as u32,
            0..=255,
            "minimum RAVE weight, in 16ths of a visit",
            "rave_far"
        ),
        number!(
            rave_decay as u32,
            0..=1 << 16,
            "decay of the RAVE weight per ply, in 256ths of its unit",
            "rave_drop"
        ),
        number!(
            rave_child_max as u32,
            0..=1 << 24,
            "value count above which a child gets no RAVE updates, in visits",
            "rave_child"
        ),
        number!(
            rave_parent_max as u32,
            0..=u32::MAX as u64,
            "visit count above which a node makes no RAVE updates",
            "rave_parent"
        ),
        number!(
            fpu_weight as u32,
            16..=0xfffe,
            "weight of the initial value, in 16ths of a visit",
            "first_count"
        ),
        number!(
            fpu_reduction as u32,
            0..=4_096,
            "factor of the score gap in the initial value, in 16ths",
            "first_bias"
        ),
        number!(
            win_value as u32,
            0..=MAX_VALUE as u64,
            "value of a win above a draw, in units of 2^-16",
            "win"
        ),
        number!(
            margin_value as u32,
            0..=MAX_VALUE as u64,
            "value of each cell of the margin, in units of 2^-16",
            "cell"
        ),
        number!(
            reply_min_size as u32,
            1..=6,
            "minimum size of tiles that reply to recent corner points; 6 disables replies",
            "local"
        ),
        TILE_WEIGHTS,
        FEATURE_WEIGHTS,
    ];

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
    use super::super::keys::find;
    use super::super::settings::SettingsError;
    use super::*;

    fn set(parameters: &mut SearchParameters, key: &str, value: &str) -> Result<(), SettingsError> {
        find(&SearchParameters::KEYS, key)
            .expect("a key")
            .set(parameters, value)
    }

    /// Key, accessor, minimum and maximum of a parameter.
    type Expected = (&'static str, fn(&SearchParameters) -> u64, u64, u64);

    const MILLIONS: u64 = 1 << 24;
    const ALL: u64 = u32::MAX as u64;

    const ROWS: [Expected; 16] = [
        ("children", |p| p.children as u64, 1, 4_096),
        ("expand_threshold", |p| p.expand_threshold.into(), 0, ALL),
        ("nodes", |p| p.nodes as u64, 1, MILLIONS),
        ("lanes", |p| p.lanes as u64, 1, 256),
        ("exploration", |p| p.exploration.into(), 0, 4_096),
        ("value_count_cap", |p| p.value_count_cap.into(), 1, 4_095),
        ("rave_weight_max", |p| p.rave_weight_max.into(), 0, 255),
        ("rave_weight_min", |p| p.rave_weight_min.into(), 0, 255),
        ("rave_decay", |p| p.rave_decay.into(), 0, 65_536),
        ("rave_child_max", |p| p.rave_child_max.into(), 0, MILLIONS),
        ("rave_parent_max", |p| p.rave_parent_max.into(), 0, ALL),
        ("fpu_weight", |p| p.fpu_weight.into(), 16, 65_534),
        ("fpu_reduction", |p| p.fpu_reduction.into(), 0, 4_096),
        ("win_value", |p| p.win_value.into(), 0, 65_535),
        ("margin_value", |p| p.margin_value.into(), 0, 65_535),
        ("reply_min_size", |p| p.reply_min_size.into(), 1, 6),
    ];

    #[test]
    fn every_key_sets_its_value_within_its_bounds_and_no_other() {
        for (key, read, min, max) in ROWS {
            for value in [min, max] {
                let mut changed = SearchParameters::default();
                let row = find(&SearchParameters::KEYS, key).expect(key);
                assert_eq!(row.set(&mut changed, &value.to_string()), Ok(()), "{key}");
                assert_eq!(read(&changed), value, "{key}");
                assert_eq!(row.get(&changed), Some(value.to_string()), "{key}");
                // All other parameters are unchanged.
                let own = read(&SearchParameters::default()).to_string();
                row.set(&mut changed, &own).expect("it was the default");
                assert_eq!(changed, SearchParameters::default(), "{key}");
            }
            let mut unchanged = SearchParameters::default();
            let outside = [min.checked_sub(1), Some(max + 1)].into_iter().flatten();
            for value in outside
                .map(|value| value.to_string())
                .chain(["".into(), "-1".into()])
            {
                assert!(set(&mut unchanged, key, &value).is_err(), "{key}={value}");
            }
            assert_eq!(unchanged, SearchParameters::default(), "{key}");
        }
        let keys: Vec<_> = ROWS
            .iter()
            .map(|row| row.0)
            .chain(["tile_weights", "feature_weights"])
            .chain(Formulas::KEYS.map(|row| row.key.name))
            .collect();
        assert_eq!(keys, SearchParameters::KEYS.map(|row| row.key.name));
    }

    #[test]
    fn rows_of_weights_are_for_all_phases_or_for_each() {
        let row = "1/-2/3/4/5/6/7/8/9/127";
        let numbers = [1, -2, 3, 4, 5, 6, 7, 8, 9, 127];
        let mut one = SearchParameters::default();
        set(&mut one, "feature_weights", row).expect("a row");
        assert_eq!(one.weights.kinds, [numbers; PHASES]);
        let mut other = one.weights.kinds;
        other[PHASES - 1][0] = -128;
        let rows = format!("{row}/{row}/{row}/{}", row.replacen('1', "-128", 1));
        set(&mut one, "feature_weights", &rows).expect("a row for each phase");
        assert_eq!(one.weights.kinds, other);
        let two = format!("{row}/{row}");
        let five = format!("{rows}/{row}");
        for wrong in [
            "",
            "1",
            "1/2/3/4/5/6/7/8/9/128",
            &two,
            &five,
            &format!("{row}/1"),
        ] {
            assert!(set(&mut one, "feature_weights", wrong).is_err(), "{wrong}");
        }
        assert_eq!(one.weights.kinds, other);
    }

    #[test]
    fn the_search_for_processors_has_the_measured_parameters() {
        // The settings of the rows in docs/experiments.md.
        let text = "children=4096,expand_threshold=8,exploration=22,rave_weight_min=0,\
                    rave_decay=94,rave_parent_max=25000,fpu_reduction=8,value_count_divisor=1,\
                    value_count_bits=24,fpu_root=1,playout_weights=1,replies=2,\
                    margin_bonus=12288,length_bonus=4096,final_wins=1";
        let mut expected = SearchParameters {
            nodes: usize::MAX,
            ..SearchParameters::default()
        };
        for pair in text.split(',') {
            let (key, value) = pair.trim().split_once('=').expect("a pair");
            set(&mut expected, key, value).expect(key);
        }
        assert_eq!(SearchParameters::of_software(), expected);
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
