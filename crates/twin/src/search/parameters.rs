//! Tunable parameters of a search.

use std::ops::RangeInclusive;

use super::arithmetic::ONE;
use super::prior::{PHASES, Weights};

/// Parameters of a search, shared by hardware and software.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Maximum number of children of a node: the best placements by prior.
    pub children: usize,
    /// Expansion threshold: a leaf with more visits gets children.
    pub expand_threshold: u32,
    /// Maximum number of nodes in the tree.
    pub nodes: usize,
    /// Weight of the exploration term, in 64ths.
    pub exploration: u32,
    /// Cap of the value count in the divisor of the exploration term, in visits; at least 1. The
    /// maximum, 4,095, is no cap.
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
}

impl Default for Parameters {
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
        }
    }
}

/// Simulations per move that the search of [`Parameters::shipped`] completes on an empty board:
/// 0.88 s at 50 MHz, rounded to thousands.
pub const SHIPPED_SIMULATIONS: u64 = 177_000;

impl Parameters {
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

    /// Names of all parameters.
    pub const KEYS: [&'static str; 18] = [
        "children",
        "expand_threshold",
        "nodes",
        "exploration",
        "value_count_cap",
        "rave_weight_max",
        "rave_weight_min",
        "rave_decay",
        "rave_child_max",
        "rave_parent_max",
        "fpu_weight",
        "fpu_reduction",
        "win_value",
        "margin_value",
        "reply_min_size",
        "lanes",
        "tile_weights",
        "feature_weights",
    ];

    /// Returns the value of a game that ends with a margin of `margin` cells, from 0 to [`ONE`].
    pub fn value(&self, margin: i32) -> u32 {
        let more = margin.signum() * self.win_value as i32 + margin * self.margin_value as i32;
        (ONE.div_ceil(2) as i32 + more).clamp(0, ONE as i32) as u32
    }

    /// Sets a parameter by name; several numbers are separated by `/`. Returns `None` if the name
    /// is unknown, or the value is not a number or out of range.
    pub fn set(&mut self, key: &str, value: &str) -> Option<()> {
        let number = || {
            let range = range(key)?;
            let number = value.parse().ok();
            number.filter(|number| range.contains(number))
        };
        match key {
            "children" => self.children = number()? as usize,
            "expand_threshold" => self.expand_threshold = number()?,
            "nodes" => self.nodes = number()? as usize,
            "exploration" => self.exploration = number()?,
            "value_count_cap" => self.value_count_cap = number()?,
            "rave_weight_max" => self.rave_weight_max = number()?,
            "rave_weight_min" => self.rave_weight_min = number()?,
            "rave_decay" => self.rave_decay = number()?,
            "rave_child_max" => self.rave_child_max = number()?,
            "rave_parent_max" => self.rave_parent_max = number()?,
            "fpu_weight" => self.fpu_weight = number()?,
            "fpu_reduction" => self.fpu_reduction = number()?,
            "win_value" => self.win_value = number()?,
            "margin_value" => self.margin_value = number()?,
            "reply_min_size" => self.reply_min_size = number()?,
            "lanes" => self.lanes = number()? as usize,
            "tile_weights" => self.weights.tiles = phases(value)?,
            "feature_weights" => self.weights.kinds = phases(value)?,
            _ => return None,
        }
        Some(())
    }

    /// Permitted values of a parameter, in words.
    pub fn expected(key: &str) -> String {
        let weights = |row: usize| {
            format!(
                "{row} or {} integers from -128 to 127, separated by /",
                row * PHASES
            )
        };
        match (key, range(key)) {
            (_, Some(range)) => format!("{} to {}", range.start(), range.end()),
            ("tile_weights", None) => weights(Weights::default().tiles[0].len()),
            ("feature_weights", None) => weights(Weights::default().kinds[0].len()),
            _ => "a known key".to_owned(),
        }
    }
}

/// Range of a parameter that is one number; it follows from the width of the arithmetic.
fn range(key: &str) -> Option<RangeInclusive<u32>> {
    Some(match key {
        "children" => 1..=4_096,
        "expand_threshold" | "rave_parent_max" => 0..=u32::MAX,
        "nodes" => 1..=1 << 24,
        "exploration" | "fpu_reduction" => 0..=4_096,
        "value_count_cap" => 1..=4_095,
        "rave_weight_max" | "rave_weight_min" => 0..=255,
        "rave_decay" => 0..=1 << 16,
        "rave_child_max" => 0..=1 << 24,
        "fpu_weight" => 16..=0xfffe,
        "win_value" | "margin_value" => 0..=ONE,
        "reply_min_size" => 1..=6,
        "lanes" => 1..=256,
        _ => return None,
    })
}

/// Parses one row of numbers for each phase, or a single row for all phases.
fn phases<const N: usize>(value: &str) -> Option<[[i8; N]; PHASES]> {
    let numbers: Option<Vec<i8>> = value.split('/').map(|n| n.parse().ok()).collect();
    let numbers = numbers?;
    if let Ok(row) = <[i8; N]>::try_from(numbers.as_slice()) {
        return Some([row; PHASES]);
    }
    let (rows, []) = numbers.as_chunks::<N>() else {
        return None;
    };
    rows.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Key, accessor, minimum and maximum of a parameter.
    type Row = (&'static str, fn(&Parameters) -> u64, u64, u64);

    const MILLIONS: u64 = 1 << 24;
    const ALL: u64 = u32::MAX as u64;

    const ROWS: [Row; 16] = [
        ("children", |p| p.children as u64, 1, 4_096),
        ("expand_threshold", |p| p.expand_threshold.into(), 0, ALL),
        ("nodes", |p| p.nodes as u64, 1, MILLIONS),
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
        ("lanes", |p| p.lanes as u64, 1, 256),
    ];

    #[test]
    fn every_key_sets_its_value_within_its_bounds_and_no_other() {
        for (key, read, least, most) in ROWS {
            for value in [least, most] {
                let mut changed = Parameters::default();
                assert_eq!(
                    changed.set(key, &value.to_string()),
                    Some(()),
                    "{key}={value}"
                );
                assert_eq!(read(&changed), value, "{key}");
                // All other parameters are unchanged.
                let own = read(&Parameters::default()).to_string();
                changed.set(key, &own).expect("it was the default");
                assert_eq!(changed, Parameters::default(), "{key}");
            }
            let mut unchanged = Parameters::default();
            let wrong = [least.checked_sub(1), Some(most + 1)].into_iter().flatten();
            for value in wrong
                .map(|value| value.to_string())
                .chain(["".into(), "-1".into()])
            {
                assert_eq!(unchanged.set(key, &value), None, "{key}={value}");
            }
            assert_eq!(Parameters::expected(key), format!("{least} to {most}"));
            assert_eq!(unchanged, Parameters::default(), "{key}");
        }
        let keys: Vec<_> = ROWS
            .iter()
            .map(|row| row.0)
            .chain(["tile_weights", "feature_weights"])
            .collect();
        assert_eq!(keys, Parameters::KEYS);
        assert_eq!(Parameters::default().set("child", "1"), None);
    }

    #[test]
    fn rows_of_weights_are_for_all_phases_or_for_each() {
        let row = "1/-2/3/4/5/6/7/8/9/127";
        let numbers = [1, -2, 3, 4, 5, 6, 7, 8, 9, 127];
        let mut one = Parameters::default();
        one.set("feature_weights", row).expect("a row");
        assert_eq!(one.weights.kinds, [numbers; PHASES]);
        let mut other = one.weights.kinds;
        other[PHASES - 1][0] = -128;
        let rows = format!("{row}/{row}/{row}/{}", row.replacen('1', "-128", 1));
        one.set("feature_weights", &rows)
            .expect("a row for each phase");
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
            assert_eq!(one.set("feature_weights", wrong), None, "{wrong}");
        }
        assert_eq!(one.weights.kinds, other);
    }

    /// A draw has half the maximum value; a win adds `win_value`, and each cell of margin adds
    /// `margin_value`.
    #[test]
    fn a_margin_has_its_value() {
        let p = Parameters {
            win_value: 29_000,
            margin_value: 90,
            ..Parameters::default()
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
