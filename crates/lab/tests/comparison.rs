//! Comparisons on the committed table and the keys of searches, run like a user does.

mod common;

use std::fs;
#[cfg(unix)]
use std::process::Command;

use common::{good, lab};
use serde_json::Value;

#[test]
fn the_json_of_a_comparison_has_its_table_and_every_choice() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/data/table-level-8.jsonl.gz");
    let searches = ["sims=20,children=8", "sims=20,children=2", "pattern"];
    let options = ["--count", "12", "--jobs", "2", "--json", "out.json"];
    let arguments = [&["compare", table], &searches[..], &options].concat();
    let rows = good(directory, &arguments);
    let text = fs::read_to_string(directory.join("out.json")).expect("a file");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["engine"], "Pentobi 31.0-dev");
    assert_eq!(
        (&json["split"], &json["positions"]),
        (&"training".into(), &12.into())
    );
    let found = json["searches"].as_array().expect("searches");
    assert_eq!(found.len(), searches.len());
    let number = |value: &Value| value.as_f64().expect("a number");
    let costs = |search: &Value| -> Vec<f64> {
        let choices = search["choices"].as_array().expect("choices").iter();
        choices
            .map(|choice| number(&choice["limited_regret"]))
            .collect()
    };
    let first = costs(&found[0]);
    for (search, row) in found.iter().zip(rows.lines().skip(3)) {
        let name = search["search"].as_str().expect("a name");
        let means = [
            "limited_regret",
            "limited_regret_error",
            "less",
            "less_error",
        ];
        let [limited, limited_error, less, less_error] = means.map(|mean| number(&search[mean]));
        let start = format!(
            "| {name} | {limited:.4} +- {limited_error:.4} | {less:+.4} +- {less_error:.4} |"
        );
        assert!(row.starts_with(&start), "{row} does not start with {start}");
        // The means are those of the choices.
        let own = costs(search);
        assert_eq!(own.len(), 12);
        assert!(
            (own.iter().sum::<f64>() / 12.0 - limited).abs() < 1e-9,
            "{name}"
        );
        let pairs = first.iter().zip(&own).map(|(first, own)| first - own);
        assert!((pairs.sum::<f64>() / 12.0 - less).abs() < 1e-9, "{name}");
        for choice in search["choices"].as_array().expect("choices") {
            let (regret, limited) = (number(&choice["regret"]), number(&choice["limited_regret"]));
            assert_eq!(regret.clamp(-0.03, 0.12), limited);
            assert_eq!(
                choice["agrees"] == true,
                regret == 0.0 && choice["unlisted"] == false
            );
            assert_eq!(choice["code"].as_str().map(str::len), Some(4));
            assert!(choice["moves"].is_string() && choice["seconds"].is_f64());
        }
    }
    let all = [&["compare", table, "pattern", "--all"], &options[..]].concat();
    good(directory, &all);
    let text = fs::read_to_string(directory.join("out.json")).expect("a file");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["split"], Value::Null);
    let failed = lab(directory, &[&all[..9], &["no/out.json"]].concat());
    assert_eq!(failed.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&failed.stderr);
    assert!(errors.contains("no/out.json cannot be written"), "{errors}");
}

/// The limit of the size lets a part of a line be written, as a full disk does.
#[cfg(unix)]
#[test]
fn a_failed_write_leaves_whole_choices() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/data/table-level-8.jsonl.gz");
    let options = [
        "compare",
        table,
        "pattern",
        "--count",
        "30",
        "--choices",
        "c",
    ];
    let limited = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 2; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_duoforge-lab"))
        .args(options)
        .current_dir(directory)
        .output()
        .expect("sh starts");
    assert_eq!(limited.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&limited.stderr);
    assert!(errors.contains("c cannot be written"), "{errors}");
    let part = fs::read_to_string(directory.join("c")).expect("a file");
    let lines = part.lines().count();
    assert!(part.ends_with('\n') && (2..31).contains(&lines), "{part}");
    good(directory, &options);
    let whole = fs::read_to_string(directory.join("c")).expect("a file");
    assert!(whole.starts_with(&part));
    assert_eq!(whole.lines().count(), 31);
}

#[test]
fn keys_have_values_and_permitted_values() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let keys = |search: &str| -> Vec<Value> {
        let text = good(directory, &["keys", search]);
        let lines = text.lines().map(serde_json::from_str);
        lines.map(|line| line.expect("JSON")).collect()
    };
    let find = |keys: &[Value], name: &str| {
        let found = keys.iter().find(|key| key["key"] == name);
        found.unwrap_or_else(|| panic!("no key {name}")).clone()
    };
    let twin = keys("sims=20,children=8");
    assert_eq!(
        find(&twin, "children"),
        serde_json::json!({
            "key": "children", "value": "8", "min": 1, "max": 4096,
            "meaning": "placements that a node keeps",
        })
    );
    assert_eq!(find(&twin, "ms")["value"], Value::Null);
    assert_eq!(find(&twin, "sims")["max"], u64::MAX);
    let engine = keys("engine:sims=20,early_stop=0");
    let flag = find(&engine, "early_stop");
    assert_eq!(
        (&flag["value"], &flag["one_of"]),
        (&"0".into(), &vec![0, 1].into())
    );
    let weights = find(&engine, "tile_weights");
    assert!(weights.get("min").is_none() && weights.get("one_of").is_none());
    for (search, expected) in [
        ("pattern", "pattern has no keys: expected search:KEY=VALUE"),
        (
            "sims=20,children=0",
            "children=0 is out of range: expected 1 to 4096",
        ),
    ] {
        let output = lab(directory, &["keys", search]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(expected), "{errors}");
    }
}
