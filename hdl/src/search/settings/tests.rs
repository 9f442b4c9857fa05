use duoforge_twin::search::arithmetic::exploration_scale;
use duoforge_twin::search::keys::Values;
use duoforge_twin::search::{Formulas, SearchSettings};

use super::ranges::NARROWER;
use super::*;

#[test]
fn texts_set_what_they_name() {
    let text = "lanes=2,nodes=511,ms=500,sims=3000,seed=9";
    let searching: SearchConfig = text.parse().expect("it is supported");
    assert_eq!(searching.to_string(), text);
    let settings = searching.on_clock(40_000_000);
    let (p, clocks) = (&settings.parameters, settings.cycles);
    assert_eq!(
        (p.lanes, p.nodes, p.children, clocks),
        (2, 511, 32, 20_000_000)
    );
    assert_eq!((settings.simulations, settings.seed), (3000, 9));
}

#[test]
fn unsupported_values_are_refused_with_the_range_of_the_hardware() {
    for (text, message) in [
        (
            "lanes=3",
            "lanes=3 is not supported in hardware: expected 1, 2 or 4",
        ),
        (
            "nodes=1025",
            "nodes=1025 is not supported in hardware: expected 1 to 1024, or up to 16383 with lines=512",
        ),
        (
            "children=33",
            "children=33 is not supported in hardware: expected 2 to 32",
        ),
        (
            "rave_weight_max=64",
            "rave_weight_max=64 is not supported in hardware: expected 0 to 63",
        ),
        (
            "fpu_root=1",
            "fpu_root=1 is not supported in hardware: expected 0",
        ),
        (
            "reply_count_max=3",
            "reply_count_max=3 is not supported in hardware: expected 1 or 2",
        ),
        (
            "sims=262144",
            "sims=262144 is not supported in hardware: expected 1 to 262143",
        ),
        (
            "ms=901",
            "ms=901 is not supported in hardware: expected 1 to 900",
        ),
        (
            "nodes=16384,lines=512",
            "nodes=16384 is not supported in hardware: expected 1 to 16383",
        ),
        (
            "lines=3",
            "lines=3 is out of range: expected 0, 2, 4, 8, 16, 32, 64, 128, 256, 512 or 1024",
        ),
        ("ms=x", "ms=x is not a number: expected 1 to 900"),
        // Sum for 5 cells, 12 edges and 8 corners: (4 * 5 + 4 * 12 + 2 * 8) * 127, and 127 for a tile.
        (
            "feature_weights=127/127/127/127/127/127/127/127/127/127",
            "tile_weights and feature_weights allow scores up to 10795, which is not supported in \
             hardware: expected at most 4095",
        ),
        (
            "fpu_weight=15",
            "fpu_weight=15 is out of range: expected 16 to 65534",
        ),
        (
            "explore=40",
            "the key `explore` is now called `exploration`",
        ),
    ] {
        let error = text
            .parse::<SearchConfig>()
            .expect_err("it is not supported");
        assert_eq!(error.to_string(), message);
    }
    let error = "child=3".parse::<SearchConfig>().expect_err("no such key");
    let start =
        "unknown key `child`; expected one of sims, ms, seed, lines, ponder, book, children, ";
    assert!(error.to_string().starts_with(start), "{error}");
}

/// The twin without keys searches like the hardware without keys.
#[test]
fn hardware_and_twin_have_the_same_defaults() {
    let (hardware, twin) = (SearchConfig::default(), SearchSettings::default());
    assert_eq!(hardware.parameters, twin.parameters);
    assert_eq!(hardware.seed, twin.seed);
}

#[test]
fn an_sdram_has_more_nodes() {
    let searching = |text: &str| text.parse::<SearchConfig>().expect("it is supported");
    let settings = searching("nodes=16383,lines=512").on_clock(50_000_000);
    assert_eq!(
        (settings.parameters.nodes, settings.lines),
        (16_383, Some(512))
    );
    assert_eq!(searching("lines=0").lines, None);
}

/// The visit counts of two searches fit into 18 bits.
#[test]
fn a_search_in_the_opponents_time_has_half_the_simulations() {
    let limits = |text: &str| {
        let searching: SearchConfig = text.parse().expect("it is supported");
        let settings = searching.on_clock(50_000_000);
        (settings.ponder, settings.simulations)
    };
    assert_eq!(limits(""), (false, SIMULATIONS));
    assert_eq!(limits("ponder=1"), (true, 131_071));
    assert_eq!(limits("ponder=1,sims=70"), (true, 70));
    assert_eq!(limits("ponder=0,sims=200000"), (false, 200_000));
}

#[test]
fn parameters_of_the_software_are_checked_for_the_hardware() {
    let hardware = SearchParameters::of_block_ram();
    let limit = u64::from(SIMULATIONS);
    assert_eq!(check_supported(&hardware, limit, None), Ok(()));
    let message = |parameters: &SearchParameters, simulations| {
        let error = check_supported(parameters, simulations, None).expect_err("not supported");
        error.to_string()
    };
    assert_eq!(
        message(&hardware, limit + 1),
        "sims=262144 is not supported in hardware: expected 1 to 262143"
    );
    let lines = check_supported(&hardware, limit, Some(3)).expect_err("not a power of two");
    assert_eq!(
        lines.to_string(),
        "lines=3 is not supported in hardware: expected 0, 2, 4, 8, 16, 32, 64, 128, 256, 512 or 1024"
    );
    for (text, expected) in [
        ("children=33", "2 to 32"),
        ("lanes=3", "1, 2 or 4"),
        ("nodes=1025", "1 to 1024, or up to 16383 with lines=512"),
        ("exploration=114", "0 to 113"),
        ("widen=1", "0"),
        ("reply_count_max=4", "1 or 2"),
    ] {
        let settings: SearchSettings = text.parse().expect("the software supports it");
        assert_eq!(
            message(&settings.parameters, 1),
            format!("{text} is not supported in hardware: expected {expected}")
        );
    }
}

/// Returns the minimum and the maximum of integers.
fn ends(values: Values) -> Option<[u64; 2]> {
    match values {
        Values::Integers { min, max } => Some([min, max]),
        Values::OneOf(values) => Some([*values.iter().min()?, *values.iter().max()?]),
        Values::Rows { .. } => None,
    }
}

#[test]
fn every_key_is_set_at_both_ends_and_refused_outside() {
    for key in SearchConfig::keys() {
        let Some([min, max]) = ends(key.values) else {
            continue;
        };
        for value in [min, max] {
            let mut searching = SearchConfig::default();
            let set = searching.set(key.name, &value.to_string());
            assert_eq!(set, Ok(()), "{}={value}", key.name);
            let limit = find(&SearchConfig::KEYS, key.name).map(|row| row.get(&searching));
            let parameter = find(&SearchParameters::KEYS, key.name);
            let parameter = parameter.map(|row| row.get(&searching.parameters));
            let read = limit.or(parameter).flatten();
            assert_eq!(read, Some(value.to_string()), "{}", key.name);
        }
        let outside = [min.checked_sub(1), max.checked_add(1)];
        for value in outside.into_iter().flatten() {
            let set = SearchConfig::default().set(key.name, &value.to_string());
            assert!(set.is_err(), "{}={value}", key.name);
        }
    }
}

/// Formulas that the hardware computes as well.
const IN_HARDWARE: [&str; 5] = [
    "value_count_divisor",
    "margin_bonus",
    "length_bonus",
    "final_wins",
    "prior_network",
];

#[test]
fn other_formulas_are_refused() {
    let in_part = ["value_count_bits", "reply_count_max"];
    for row in Formulas::KEYS {
        if in_part.contains(&row.key.name) {
            continue;
        }
        if IN_HARDWARE.contains(&row.key.name) {
            assert_eq!(narrower(row.key.name), None, "{}", row.key.name);
            continue;
        }
        let only = row.get(&SearchParameters::default()).expect("a number");
        let values = narrower(row.key.name).expect(row.key.name);
        assert_eq!(values.to_string(), only, "{}", row.key.name);
    }
}

#[test]
fn narrower_ranges_lie_within_those_of_the_software() {
    let software: Vec<_> = SearchSettings::keys().collect();
    for (name, values) in NARROWER {
        let wide = software.iter().find(|key| key.name == name).expect(name);
        assert_ne!(wide.values, values, "{name}");
        for end in ends(values).expect("integers") {
            assert!(wide.values.contains(end), "{name}={end}");
        }
    }
    for key in SearchConfig::keys() {
        let default = "".parse::<SearchConfig>().expect("the default");
        let row = find(&SearchParameters::KEYS, key.name);
        let value = row.and_then(|row| row.get(&default.parameters)?.parse().ok());
        assert!(value.is_none_or(|value| key.values.contains(value)));
    }
}

#[test]
fn the_largest_numbers_can_be_built() {
    let text =
        "lanes=4,nodes=1024,children=32,rave_weight_max=63,exploration=113,value_count_bits=22";
    let searching: SearchConfig = text.parse().expect("it is supported");
    super::super::tree::Tree::new(&searching.parameters);
    // One more does not fit into the table.
    let word = 1 << super::super::tree::exploration::SCALE;
    let top = |exploration| exploration_scale(exploration, 1 << 18);
    assert!(top(113) < word && top(114) >= word);
}
