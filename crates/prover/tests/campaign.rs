//! Shards of the proof campaign: merged, they are a single run.

mod common;

use std::fs;
use std::path::Path;

use duoforge_prover::Proof;
use duoforge_prover::campaign::{self, CampaignError, StoredTask};
use duoforge_prover::task::Task;
use duoforge_shards::{Results, Shard, merge};

fn properties() -> Vec<Proof> {
    let all = Proof::all(&common::root()).expect("every proof file can be read");
    let is_wanted = |proof: &Proof| ["search_register", "tree_recovery"].contains(&&*proof.name);
    all.into_iter().filter(is_wanted).collect()
}

fn run(proofs: &[Proof], shard: Shard, file: &Path) -> Result<(), CampaignError> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let tasks = Task::all(proofs, directory.path()).expect("what they ask for exists");
    let mut results = Results::open(file, &campaign::plan(&tasks), shard)?;
    campaign::run(tasks, &mut results, 2, |_| ())
}

#[test]
fn merged_shards_are_the_file_of_a_single_run() {
    let proofs = properties();
    let items = 2 + proofs.iter().map(|it| it.mutants.len()).sum::<usize>();
    let directory = tempfile::tempdir().expect("a temporary directory");
    let single = directory.path().join("single.jsonl");
    run(&proofs, Shard::WHOLE, &single).expect("all tasks have a result");
    let single = fs::read_to_string(single).expect("the file of a single run");
    assert_eq!(single.lines().count(), 1 + items);

    let files: Vec<_> = (0..3)
        .map(|index| {
            let file = directory.path().join(format!("{index}.jsonl"));
            let shard = format!("{index}/3").parse().expect("a shard");
            run(&proofs, shard, &file).expect("all tasks have a result");
            // A killed run leaves a part of a line; the same command completes the file.
            let text = fs::read_to_string(&file).expect("the file of a shard");
            fs::write(&file, &text[..text.len() - 7]).expect("the file of a shard");
            assert!(merge(&[&file]).is_err(), "items are missing");
            run(&proofs, shard, &file).expect("all tasks have a result");
            assert_eq!(fs::read_to_string(&file).expect("the file"), text);
            file
        })
        .collect();
    let merged = merge(&files).expect("the shards belong together");
    assert_eq!(merged.text(), single);
    let (report, is_good) = campaign::merged_report(&merged).expect("a campaign of proofs");
    let mutants = items - 2;
    let expected = format!("2 of 2 properties proved, {mutants} of {mutants} mutants refuted");
    assert_eq!(report, expected);
    assert!(is_good);
}

#[test]
fn results_on_other_verilog_are_refused() {
    let mut proofs = properties();
    let directory = tempfile::tempdir().expect("a temporary directory");
    let tasks = |proofs: &[Proof]| {
        let tasks = Task::all(proofs, directory.path()).expect("what they ask for exists");
        campaign::plan(&tasks)
    };
    let plan = tasks(&proofs);
    assert_eq!(tasks(&proofs), plan, "the same tasks");
    let mutant = &mut proofs[0].mutants[0];
    mutant.replace.push_str(" /* other */");
    assert_ne!(tasks(&proofs), plan, "another change");
}

#[test]
fn a_bad_result_is_named_and_judged() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("results.jsonl");
    let stored = |mutant: Option<&str>, outcome: &str| StoredTask {
        property: "store".into(),
        mutant: mutant.map(str::to_owned),
        outcome: outcome.into(),
    };
    let all = [
        stored(None, "proved"),
        stored(Some("no reset"), "refuted"),
        stored(Some("no clear"), "proved"),
    ];
    assert_eq!(all.each_ref().map(StoredTask::is_good), [true, true, false]);
    let plan = duoforge_shards::Plan::new(campaign::CAMPAIGN, "1", 0, 3);
    let mut results = Results::open(&file, &plan, Shard::WHOLE).expect("a new file");
    for (item, result) in (0..).zip(&all) {
        results.add(item, result).expect("the item is due");
    }
    drop(results);
    let merged = merge(&[file]).expect("a whole campaign");
    let (report, is_good) = campaign::merged_report(&merged).expect("a campaign of proofs");
    let expected = "store, no clear: proved\n1 of 1 properties proved, 1 of 2 mutants refuted";
    assert_eq!(report, expected);
    assert!(!is_good);
}
