//! Keys of the parameters of a search: name, range, meaning and access of each.

use duoforge_rules::Tile;

use super::arithmetic::MAX_VALUE;
use super::formulas::Formulas;
use super::keys::{Key, Row, Values, joined};
use super::parameters::SearchParameters;
use super::prior::{FEATURES, PHASES};

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
        "prior weights of the 21 tiles without a network, in 16ths of an octave: for all phases, or for each of 4",
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
        "prior weights of the 10 features without a network, in 16ths of an octave: for all phases, or for each of 4",
        Values::Rows {
            length: FEATURES,
            phases: PHASES,
        },
    )
    .formerly("kinds"),
    |p| p.weights.kinds.as_flattened().to_vec(),
    |p, numbers| p.weights.kinds.as_flattened_mut().copy_from_slice(numbers),
);

impl SearchParameters {
    /// Keys of all parameters, those of the [`Formulas`] last. Ranges follow from the width of the
    /// arithmetic.
    pub const KEYS: [Row<Self>; 31] = joined(Self::NUMBERS, Formulas::KEYS);

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
        let text = "children=4096,expand_threshold=4,exploration=20,rave_weight_max=9,\
                    rave_weight_min=0,rave_decay=100,rave_child_max=1000,rave_parent_max=25000,\
                    fpu_weight=40,fpu_reduction=6,value_count_divisor=1,value_count_bits=24,\
                    fpu_root=1,first_children=48,widen=20,playout_weights=1,replies=2,\
                    margin_bonus=17000,length_bonus=4500,final_wins=1,prior_network=1";
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
}
