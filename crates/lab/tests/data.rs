//! Committed positions and reference tables.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use duoforge_lab::reference::positions;
use duoforge_lab::reference::split::{Split, key};
use duoforge_lab::reference::table::Table;

fn data(name: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    data.join(name)
}

#[test]
fn positions_are_distinct_and_balanced_and_tables_hold_only_them() {
    let mut halves: HashMap<String, Split> = HashMap::new();
    let mut known = HashSet::new();
    let mut plies = [0; 21];
    for name in ["positions-1.jsonl.gz", "positions-2.jsonl.gz"] {
        let (_, positions) = positions::read(&data(name)).expect("positions");
        for position in positions {
            let board = position
                .board()
                .expect("legal moves, and the half of the hash");
            assert!(
                known.insert(key(&board)),
                "[{}] occurs twice",
                position.moves
            );
            plies[position.ply] += 1;
            halves.insert(position.moves, position.split);
        }
    }
    assert!(halves.len() >= 1_500);
    let share = |halves: &mut dyn Iterator<Item = Split>| {
        let halves: Vec<_> = halves.collect();
        let held_out = halves
            .iter()
            .filter(|&&half| half == Split::HeldOut)
            .count();
        held_out as f64 / halves.len() as f64
    };
    let held_out = share(&mut halves.values().copied());
    assert!((0.45..=0.55).contains(&held_out), "{held_out}");
    // All plies but the first two, of which few positions differ.
    assert!(plies[2..].iter().all(|&count| count >= 60), "{plies:?}");

    let table = Table::read(&[data("table-level-8.jsonl.gz")]).expect("a table");
    assert!(
        table.recipe.command.contains("--level 8"),
        "{:?}",
        table.recipe
    );
    assert_eq!(table.entries.len(), halves.len());
    for entry in &table.entries {
        let codes: Vec<_> = entry
            .board
            .moves()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(halves.get(&codes.join(" ")), Some(&entry.split));
        assert!(entry.best(1_000).visits >= 1_000, "[{}]", codes.join(" "));
    }
    let held_out = share(&mut table.entries.iter().map(|entry| entry.split));
    assert!((0.45..=0.55).contains(&held_out), "{held_out}");
}
