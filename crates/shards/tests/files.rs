//! Files of results on disk: shards, kills, resuming, merging, and what is refused.

use std::fs;
use std::path::{Path, PathBuf};

use duoforge_shards::{Plan, Results, Shard, ShardError, gather, is_header, merge};
use serde::{Deserialize, Serialize};

/// Result of an item in these tests.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Squared {
    squared: u64,
    text: String,
}

fn squared(item: u64) -> Squared {
    Squared {
        squared: item * item,
        text: format!("line\nof {item}"),
    }
}

fn plan(items: u64) -> Plan {
    Plan::new("squares", "0.1.0", 7, items)
        .with_block(3)
        .with("player", "pattern")
}

/// Writes the missing items of a shard, the last ones first.
fn play(path: &Path, plan: &Plan, shard: &str) {
    let mut results = Results::open(path, plan, shard.parse().unwrap()).unwrap();
    for item in results.missing().into_iter().rev() {
        results.add(item, &squared(item)).unwrap();
    }
    assert!(results.is_complete());
}

/// Writes all shards and returns their files.
fn shards(directory: &Path, plan: &Plan, count: u64) -> Vec<PathBuf> {
    let write = |index| {
        let path = directory.join(format!("{index}-of-{count}.jsonl"));
        play(&path, plan, &format!("{index}/{count}"));
        path
    };
    (0..count).map(write).collect()
}

#[test]
fn merged_shards_are_the_file_of_a_single_run() {
    let directory = tempfile::tempdir().unwrap();
    let plan = plan(100);
    let single = directory.path().join("single.jsonl");
    play(&single, &plan, "0/1");
    let single = fs::read_to_string(single).unwrap();
    for count in [1, 2, 7, 64] {
        let mut files = shards(directory.path(), &plan, count);
        files.reverse();
        let merged = merge(&files).unwrap();
        assert_eq!(merged.text(), single, "{count} shards");
        assert_eq!(merged.plan(), &plan);
        let results: Vec<(u64, Squared)> = merged.results().unwrap();
        assert!(
            results
                .into_iter()
                .eq((0..100).map(|item| (item, squared(item))))
        );
    }
}

/// Cuts the file at every byte and resumes the shard from there.
#[test]
fn a_shard_is_resumed_wherever_it_was_killed() {
    let directory = tempfile::tempdir().unwrap();
    let plan = plan(8);
    let path = directory.path().join("a.jsonl");
    play(&path, &plan, "1/2");
    let whole = fs::read(&path).unwrap();
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let stored = Results::open(&path, &plan, "1/2".parse().unwrap()).unwrap();
        let earlier: Vec<(u64, Squared)> = stored.stored().unwrap();
        assert_eq!(earlier.len() + stored.missing().len(), 3, "{length}");
        assert!(
            earlier
                .iter()
                .all(|(item, result)| *result == squared(*item))
        );
        drop(stored);
        play(&path, &plan, "1/2");
        assert_eq!(fs::read(&path).unwrap(), whole, "cut to {length} bytes");
    }
}

#[test]
fn items_of_others_and_second_results_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.jsonl");
    let mut results = Results::open(&path, &plan(8), "1/2".parse().unwrap()).unwrap();
    assert_eq!(results.missing(), [3, 4, 5]);
    results.add(4, &squared(4)).unwrap();
    assert_eq!(results.missing(), [3, 5]);
    for item in [0, 4, 8, 99] {
        let error = results.add(item, &squared(item)).unwrap_err();
        let expected = format!("item {item} is not due in shard 1/2");
        assert_eq!(error.to_string(), expected);
    }
    let second = Results::open(&path, &plan(8), "1/2".parse().unwrap()).unwrap_err();
    assert!(
        second.to_string().contains("another process writes it"),
        "{second}"
    );
}

#[test]
fn a_file_of_another_campaign_is_not_resumed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.jsonl");
    play(&path, &plan(8), "1/2");
    let before = fs::read(&path).unwrap();
    let whole = Shard::WHOLE;
    let half: Shard = "1/2".parse().unwrap();
    let newer = Plan {
        version: "0.2.0".into(),
        ..plan(8)
    };
    for (plan, shard, expected) in [
        (plan(9), half, "number of items is 8, expected 9"),
        (plan(8), whole, "shard is 1/2, expected 0/1"),
        (newer, half, "version is \"0.1.0\", expected \"0.2.0\""),
        (
            plan(8).with("player", "search"),
            half,
            "player is \"pattern\", expected \"search\"",
        ),
    ] {
        let error = Results::open(&path, &plan, shard).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
    fs::write(&path, "53e0 54a2\n").unwrap();
    let error = Results::open(&path, &plan(8), whole).unwrap_err();
    assert!(matches!(error, ShardError::Header { .. }), "{error}");
    assert_eq!(
        fs::read(&path).unwrap(),
        b"53e0 54a2\n",
        "a stranger's file is kept"
    );
    fs::write(&path, before).unwrap();
    play(&path, &plan(8), "1/2");
}

#[test]
fn a_file_without_a_line_break_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("notes");
    fs::write(&path, "no line break").unwrap();
    let error = Results::open(&path, &plan(3), Shard::WHOLE).unwrap_err();
    assert!(matches!(error, ShardError::Header { .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "no line break");
}

/// The numbers of a damaged header cost no time and no memory.
#[test]
fn gaps_among_any_number_of_items_are_listed_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.jsonl");
    let header = |shard: &str, block: u64| {
        format!(
            "{{\"format\":1,\"shard\":\"{shard}\",\"plan\":{{\"campaign\":\"c\",\"version\":\"1\",\
             \"seed\":7,\"items\":{},\"block\":{block},\"settings\":{{}}}}}}\n",
            u64::MAX
        )
    };
    for (shard, block, place) in [
        (
            "0/1",
            1,
            "shard 0/1 (18446744073709551613 of 18446744073709551615: 1, 3, 4, 5, 6, 7, 8, 9, ...)",
        ),
        (
            "0/18446744073709551615",
            3,
            "shard 0/18446744073709551615 (1 of 3: 1); shard 1/18446744073709551615 (all 3); ",
        ),
        (
            "0/2",
            u64::MAX,
            "shard 0/2 (18446744073709551613 of 18446744073709551615: 1, 3, 4, 5, 6, 7, 8, 9, ...)",
        ),
    ] {
        let lines = "{\"item\":0}\n{\"item\":2}\n";
        fs::write(&path, header(shard, block) + lines).unwrap();
        let error = merge(&[&path]).unwrap_err().to_string();
        let begin = "18446744073709551613 of 18446744073709551615 items are missing: ";
        assert!(error.starts_with(&(begin.to_owned() + place)), "{error}");
    }
}

#[test]
fn what_does_not_belong_together_is_not_merged() {
    let directory = tempfile::tempdir().unwrap();
    let plan = plan(20);
    let files = shards(directory.path(), &plan, 4);
    let [a, b, c, d] = &files[..] else { panic!() };
    let message = |files: &[&PathBuf]| merge(files).unwrap_err().to_string();
    assert_eq!(
        message(&[a, b, d]),
        "5 of 20 items are missing: shard 2/4 (all 5)"
    );
    let copy = directory.path().join("copy.jsonl");
    fs::copy(b, &copy).unwrap();
    assert_eq!(
        message(&[a, b, &copy, c, d]),
        format!("item 3 occurs in {} and in {}", b.display(), copy.display())
    );
    let text = fs::read_to_string(a).unwrap();
    let lines: Vec<_> = text.lines().collect();
    fs::write(&copy, lines[..4].join("\n") + "\n").unwrap();
    assert_eq!(
        message(&[&copy, b, c]),
        "6 of 20 items are missing: shard 0/4 (3 of 6: 12, 13, 14); shard 3/4 (all 3)"
    );
    let begin = lines[..4].join("\n") + "\n";
    fs::write(&copy, begin.replace("0/4", "0/5")).unwrap();
    let error = message(&[b, c, d, &copy]);
    assert!(
        error.ends_with("number of shards is 5, expected 4"),
        "{error}"
    );
    for (old, new, expected) in [
        ("\"seed\":7", "\"seed\":8", "seed is 8, expected 7"),
        ("0/4", "0/5", "line 5: item 12 does not belong to shard 0/5"),
        (
            "\"format\":1",
            "\"format\":9",
            "format 9 is not supported: expected 1",
        ),
        ("\"format\":1", "\"form\":1", "field format is missing"),
        (
            "\"block\":3",
            "\"block\":0",
            "block=0 is out of range: expected at least 1",
        ),
        (
            "{\"item\":1,",
            "{\"item\":4,",
            "line 3: item 4 does not belong to shard 0/4",
        ),
        ("{\"item\":1,", "{\"item\":2,", "item 2 occurs in"),
        ("{\"item\":1,", "{", "line 3: missing field `item`"),
    ] {
        fs::write(&copy, text.replace(old, new)).unwrap();
        let error = message(&[b, c, d, &copy]);
        assert!(error.contains(expected), "{error}");
    }
    assert!(matches!(merge::<PathBuf>(&[]), Err(ShardError::Nothing)));
    assert!(message(&[&directory.path().join("none")]).contains("cannot be read"));
}

/// A program that skips headers skips what `merge` reads as one.
#[test]
fn files_of_several_campaigns_may_lack_items() {
    let directory = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| {
        let directory = directory.path().join(name);
        fs::create_dir(&directory).unwrap();
        directory
    });
    let other = plan(10).with("player", "random");
    let (a, b) = (shards(&first, &plan(10), 3), shards(&second, &other, 2));
    // Shard 1/3 is absent, and 2/3 is cut in the middle of its last line.
    let text = fs::read_to_string(&a[2]).unwrap();
    fs::write(&a[2], &text[..text.len() - 3]).unwrap();
    let campaigns = gather(&[&a[2], &b[0], &a[0], &b[1]]).unwrap();
    let plans: Vec<_> = campaigns.iter().map(|merged| merged.plan()).collect();
    assert_eq!(plans, [&plan(10), &other]);
    let items = |index: usize| -> Vec<u64> {
        let results = campaigns[index].results::<Squared>().unwrap();
        for (item, result) in &results {
            assert_eq!(*result, squared(*item));
        }
        results.into_iter().map(|(item, _)| item).collect()
    };
    assert_eq!(items(0), [0, 1, 2, 6, 7, 9]);
    assert_eq!(items(1), (0..10).collect::<Vec<_>>());
    let double = gather(&[&a[0], &b[0], &a[0]]).unwrap_err();
    assert!(
        matches!(double, ShardError::Double { item: 0, .. }),
        "{double}"
    );
}

#[test]
fn a_wrong_result_is_reported_with_its_line_in_its_file() {
    let directory = tempfile::tempdir().unwrap();
    let files = shards(directory.path(), &plan(12), 2);
    // Item 7 is the fifth of shard 0/2: 0, 1, 2, 6, 7.
    let text = fs::read_to_string(&files[0]).unwrap();
    fs::write(
        &files[0],
        text.replace("\"squared\":49", "\"squared\":true"),
    )
    .unwrap();
    let error = merge(&files).unwrap().results::<Squared>().unwrap_err();
    assert!(
        matches!(&error, ShardError::Line { path, line: 6, .. } if *path == files[0]),
        "{error}"
    );
}

#[test]
fn a_header_is_known_in_every_form_that_merge_reads() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("whole.jsonl");
    play(&path, &plan(2), "0/1");
    let text = fs::read_to_string(&path).unwrap();
    let header = text.lines().next().unwrap();
    for form in [
        header.to_owned(),
        format!("\t {header} "),
        header.replace("{\"format\":1,", "{\"format\":1,\"format\":1,"),
        header.replace("{\"format\":1,", "{ \"more\":2,\"format\" : 1,"),
    ] {
        fs::write(&path, text.replace(header, &form)).unwrap();
        assert!(merge(&[&path]).is_ok(), "{form}");
        assert!(is_header(&form), "{form}");
    }
    for other in ["", "{}", "{\"item\":0,\"square\":0}", "{\"format\":1}"] {
        assert!(!is_header(other), "{other}");
    }
}

#[test]
fn numbers_in_settings_are_kept_to_the_last_digit() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("whole.jsonl");
    for number in [0.1, 4.44e-80, 1.0 / 3.0, f64::MAX, f64::MIN_POSITIVE] {
        let _ = fs::remove_file(&path);
        play(&path, &plan(2).with("number", number), "0/1");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(merge(&[&path]).unwrap().text(), text);
    }
}

#[test]
fn blanks_at_the_ends_of_lines_are_not_merged() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("whole.jsonl");
    play(&path, &plan(5), "0/1");
    let text = fs::read_to_string(&path).unwrap();
    for end in ["\r\n", "\r\r\n", " \t\n"] {
        fs::write(&path, text.replace('\n', end)).unwrap();
        assert_eq!(merge(&[&path]).unwrap().text(), text);
    }
}
