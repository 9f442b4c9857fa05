//! Tests of every block of the players against its twin in every simulator.
//!
//! [`BENCHES`] lists the bench of each block.

mod backup;
mod classes;
mod contest;
mod controller;
mod core;
mod decoder;
mod descent;
mod encoder;
mod expander;
mod generator;
mod legality;
mod memory;
mod naive;
mod nearest;
mod network;
mod network_scorer;
mod node_builder;
mod opening_book;
mod parser;
mod placement_check;
mod placement_draw;
mod placement_list;
mod placement_scan;
mod playout_maps;
mod policy_maps;
mod policy_scorer;
mod position_ring;
mod prior_scorer;
mod priors;
mod ranking;
mod reply_timer;
mod results;
mod scan;
mod scheduler;
mod scheduler_reply;
mod scheduler_turns;
mod score_patches;
mod sdram;
mod store;
mod tree;
mod uart_rx;
mod uart_tx;
mod window;

use std::fs;
use std::path::{Path, PathBuf};

use duoforge_twin::search::{Formulas, SearchParameters};

/// Sources with blocks below `hdl/src`, and the file below `tests/tests/hardware` that tests them.
const BENCHES: [(&str, &str); 68] = [
    ("controller/mod.rs", "parts/controller/mod.rs"),
    ("controller/reply_timer.rs", "parts/reply_timer.rs"),
    ("generator/legality.rs", "parts/legality.rs"),
    ("generator/mod.rs", "parts/generator.rs"),
    ("generator/policy_maps.rs", "parts/policy_maps.rs"),
    ("generator/store.rs", "parts/store.rs"),
    ("generator/window.rs", "parts/window.rs"),
    ("line/decoder.rs", "parts/decoder.rs"),
    ("line/encoder.rs", "parts/encoder.rs"),
    ("line/parser.rs", "parts/parser.rs"),
    ("line/uart_rx.rs", "parts/uart_rx.rs"),
    ("line/uart_tx.rs", "parts/uart_tx.rs"),
    ("memory/block_rom.rs", "parts/priors.rs"),
    ("memory/mod.rs", "parts/memory.rs"),
    ("memory/node_cache.rs", "parts/sdram/node_cache.rs"),
    ("memory/sdram/controller.rs", "parts/sdram/controller.rs"),
    ("memory/sdram/self_test.rs", "parts/sdram/self_test.rs"),
    ("pattern/player.rs", "board/lockstep.rs"),
    ("pattern/policy_scorer.rs", "parts/policy_scorer.rs"),
    ("pattern/scan.rs", "parts/scan.rs"),
    ("search/backup.rs", "parts/backup.rs"),
    ("search/descent/mod.rs", "parts/descent.rs"),
    ("search/expansion/expander/mod.rs", "parts/expander.rs"),
    (
        "search/expansion/network/cell_scores.rs",
        "parts/network/cell_scores.rs",
    ),
    (
        "search/expansion/network/channels.rs",
        "parts/network/channels.rs",
    ),
    ("search/expansion/network/mod.rs", "parts/network/rows.rs"),
    (
        "search/expansion/network/planes.rs",
        "parts/network/planes.rs",
    ),
    (
        "search/expansion/network/window.rs",
        "parts/network/window.rs",
    ),
    (
        "search/expansion/network_scorer.rs",
        "parts/network_scorer.rs",
    ),
    (
        "search/expansion/placement_scan.rs",
        "parts/placement_scan.rs",
    ),
    ("search/expansion/prior_maps.rs", "parts/expander.rs"),
    ("search/expansion/prior_scorer.rs", "parts/prior_scorer.rs"),
    ("search/expansion/priors.rs", "parts/priors.rs"),
    ("search/expansion/ranking.rs", "parts/ranking.rs"),
    (
        "search/expansion/score_patches.rs",
        "parts/score_patches.rs",
    ),
    ("search/expansion/tile_filter.rs", "parts/expander.rs"),
    ("search/multiplier.rs", "parts/priors.rs"),
    ("search/node_builder.rs", "parts/node_builder.rs"),
    ("search/node_loader.rs", "parts/tree/mod.rs"),
    ("search/opening_book.rs", "parts/opening_book.rs"),
    ("search/placement_check.rs", "parts/placement_check.rs"),
    ("search/placement_list.rs", "parts/placement_list.rs"),
    ("search/player/block_ram.rs", "search/boards.rs"),
    ("search/player/mod.rs", "search/boards.rs"),
    ("search/player/sdram.rs", "search/sdram.rs"),
    ("search/playout/classes.rs", "parts/classes.rs"),
    ("search/playout/core.rs", "parts/core.rs"),
    ("search/playout/lane.rs", "search/mod.rs"),
    ("search/playout/lanes.rs", "search/mod.rs"),
    ("search/playout/nearest.rs", "parts/nearest.rs"),
    (
        "search/playout/placement_draw.rs",
        "parts/placement_draw.rs",
    ),
    ("search/playout/playout_maps.rs", "parts/playout_maps.rs"),
    ("search/playout/runs.rs", "parts/classes.rs"),
    ("search/position_ring.rs", "parts/position_ring.rs"),
    ("search/results/mod.rs", "parts/results.rs"),
    ("search/scheduler/mod.rs", "parts/scheduler_turns.rs"),
    ("search/searcher/mod.rs", "search/mod.rs"),
    ("search/tree/amaf_table.rs", "parts/tree/mod.rs"),
    ("search/tree/argmax.rs", "parts/tree/mod.rs"),
    ("search/tree/bank/mod.rs", "parts/tree/mod.rs"),
    ("search/tree/exploration.rs", "parts/tree/mod.rs"),
    ("search/tree/mean_update.rs", "parts/tree/mod.rs"),
    ("search/tree/mod.rs", "parts/tree/mod.rs"),
    ("search/tree/node_allocator.rs", "parts/tree/mod.rs"),
    ("search/tree/normaliser.rs", "parts/tree/mod.rs"),
    ("search/tree/pair_control.rs", "parts/tree/mod.rs"),
    ("search/tree/pair_pipeline.rs", "parts/tree/mod.rs"),
    ("search/tree/selection.rs", "parts/tree/mod.rs"),
];

/// Returns the default parameters with these values of `reply_min_size` and `reply_count_max`.
fn reply_counts(min_size: u32, count_max: u32) -> SearchParameters {
    SearchParameters {
        reply_min_size: min_size,
        formulas: Formulas {
            reply_count_max: count_max,
            ..Formulas::default()
        },
        ..SearchParameters::default()
    }
}

/// The list has each source with a block outside of the harnesses, and each bench exists.
#[test]
fn every_block_has_a_bench() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl/src");
    let benches = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hardware");
    let mut found = Vec::new();
    let mut directories = vec![sources.clone()];
    while let Some(directory) = directories.pop() {
        let entries = fs::read_dir(directory).expect("a directory of sources");
        let (inner, files): (Vec<PathBuf>, Vec<PathBuf>) = entries
            .map(|entry| entry.expect("an entry").path())
            .partition(|path| path.is_dir());
        directories.extend(inner);
        for file in files {
            let text = fs::read_to_string(&file).expect("a source");
            let name = file.strip_prefix(&sources).expect("a file below it");
            if text.contains("\nblock! {") && !name.starts_with("harness") {
                found.push(name.to_str().expect("a name").to_owned());
            }
        }
    }
    found.sort();
    let listed: Vec<_> = BENCHES.iter().map(|(source, _)| *source).collect();
    assert_eq!(found, listed, "left: the sources with blocks");
    for (source, bench) in BENCHES {
        let text = fs::read_to_string(benches.join(bench)).unwrap_or_default();
        assert!(text.contains("fn "), "{source}: there is no {bench}");
    }
}
