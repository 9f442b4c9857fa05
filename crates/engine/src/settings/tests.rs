//! Tests of the settings: every key, its default, bounds and messages.

use super::*;

#[test]
fn texts_set_what_they_name() {
    let text = "sims=500,threads=3,memory=64,reuse_tree=0,endgame_mobility=0,\
                children=200,voluntary_pass=0";
    let settings: EngineSettings = text.parse().expect("settings");
    assert_eq!(settings.limit, Limit::Simulations(500));
    let level: EngineSettings = "level=3".parse().expect("settings");
    assert_eq!(level.limit, Limit::Simulations(160));
    assert_eq!((settings.threads, settings.memory), (3, 64));
    assert!(!settings.reuse_tree && settings.early_stop && !settings.voluntary_pass);
    assert_eq!(
        (settings.endgame_mobility, settings.parameters.children),
        (0, 200)
    );
    assert_eq!(settings.to_string(), text);
    let values = settings.values();
    assert!(values.contains(&("threads", "3".to_owned())), "{values:?}");
    // Every value that is reported can be set.
    let mut other = EngineSettings::default();
    for (key, value) in values {
        other.set(key, &value).expect("a value");
    }
    assert_eq!(other.limit, settings.limit);
    assert_eq!(other.reuse_tree, settings.reuse_tree);
    assert_eq!(other.parameters, settings.parameters);
}

/// Key, accessor, default, minimum and maximum of a setting.
type Expected = (
    &'static str,
    fn(&EngineSettings) -> u64,
    Option<u64>,
    u64,
    u64,
);

const ROWS: [Expected; 9] = [
    ("seed", |s| s.seed, Some(1), 0, u64::MAX),
    ("threads", |s| s.threads as u64, None, 1, 1_024),
    ("memory", |s| s.memory as u64, Some(512), 1, 65_536),
    ("network", |s| s.network.into(), Some(0), 0, 1),
    ("reuse_tree", |s| s.reuse_tree.into(), Some(1), 0, 1),
    ("early_stop", |s| s.early_stop.into(), Some(1), 0, 1),
    (
        "endgame_mobility",
        |s| s.endgame_mobility.into(),
        Some(64),
        0,
        10_000,
    ),
    (
        "endgame_nodes",
        |s| s.endgame_nodes,
        Some(200_000),
        0,
        u64::MAX,
    ),
    ("voluntary_pass", |s| s.voluntary_pass.into(), Some(1), 0, 1),
];

#[test]
fn every_key_has_its_default_and_its_bounds() {
    let whole = EngineSettings::default();
    assert_eq!(whole.limit, Limit::Time(Duration::from_millis(900)));
    assert_eq!(whole.parameters, SearchParameters::of_software());
    for (key, read, default, least, most) in ROWS {
        assert!(
            default.is_none_or(|default| read(&whole) == default),
            "{key}"
        );
        for value in [least, most] {
            let settings: EngineSettings = format!("{key}={value}").parse().expect("settings");
            assert_eq!(read(&settings), value, "{key}");
            let told = settings.values();
            assert!(told.contains(&(key, value.to_string())), "{key}: {told:?}");
        }
        let outside = [least.checked_sub(1), most.checked_add(1)];
        for value in outside.into_iter().flatten() {
            let error = format!("{key}={value}").parse::<EngineSettings>();
            let error = error.expect_err("no settings").to_string();
            let words = match (least, most) {
                (0, 1) => "0 or 1".to_owned(),
                (0, u64::MAX) => "0 to 2^64 - 1".to_owned(),
                _ => format!("{least} to {most}"),
            };
            let expected = format!("{key}={value} is out of range: expected {words}");
            assert_eq!(error, expected);
        }
    }
    for (level, sims) in (1..).zip(EngineSettings::LEVELS) {
        let settings: EngineSettings = format!("level={level}").parse().expect("settings");
        assert_eq!(settings.limit, Limit::Simulations(sims));
        assert_eq!(sims, 10 * 4_u64.pow(level - 1));
        assert_eq!(settings.values()[0], ("sims", sims.to_string()));
    }
    let time: EngineSettings = "ms=1500".parse().expect("settings");
    assert_eq!(time.values()[0], ("ms", "1500".to_owned()));
    assert!("level=0".parse::<EngineSettings>().is_err());
}

#[test]
fn bad_texts_say_what_is_wrong() {
    for (text, message) in [
        ("threads", "`threads` is not of the form KEY=VALUE"),
        ("threads=0", "threads=0 is out of range: expected 1 to 1024"),
        (
            "memory=99999999",
            "memory=99999999 is out of range: expected 1 to 65536",
        ),
        ("level=10", "level=10 is out of range: expected 1 to 9"),
        (
            "reuse_tree=yes",
            "reuse_tree=yes is not a number: expected 0 or 1",
        ),
        (
            "children=0",
            "children=0 is out of range: expected 1 to 4096",
        ),
        ("seed=x", "seed=x is not a number: expected 0 to 2^64 - 1"),
    ] {
        let error = text.parse::<EngineSettings>().expect_err("no settings");
        assert_eq!(error.to_string(), message);
    }
    for text in ["thread=3", "lanes=2", "nodes=3"] {
        let error = text.parse::<EngineSettings>().expect_err("no settings");
        assert!(
            error
                .to_string()
                .contains("; expected one of sims, ms, level, seed, threads,")
        );
    }
}

#[test]
fn every_key_of_the_table_is_expected() {
    let names: Vec<_> = ROWS.iter().map(|row| row.0).collect();
    let limits = ["sims", "ms", "level"];
    let rows = EngineSettings::KEYS.map(|row| row.key.name);
    assert_eq!(rows.to_vec(), [&limits[..], &names].concat());
    let mut settings = EngineSettings::default();
    for row in EngineSettings::parameter_rows() {
        let value = row.get(&settings.parameters).expect("a value");
        assert_eq!(settings.set(row.key.name, &value), Ok(()));
    }
    assert_eq!(settings, EngineSettings::default());
}

#[test]
fn former_keys_are_refused_with_the_new_ones() {
    for (former, name) in [
        ("keep", "reuse_tree"),
        ("early", "early_stop"),
        ("endgame", "endgame_mobility"),
        ("pass", "voluntary_pass"),
        ("threshold", "expand_threshold"),
        ("kinds", "feature_weights"),
    ] {
        let error = format!("{former}=1").parse::<EngineSettings>();
        let message = format!("the key `{former}` is now called `{name}`");
        assert_eq!(error.expect_err("a former key").to_string(), message);
    }
}
